//! A pack against the files of its project: what is gone, what changed, what git says.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::program::Call;
use crate::status::{edit, session, shell};

const UNCHECKED: &str = "Nothing here was checked against the files";

/// Makes an empty project folder with the demo in it, as if it had been worked on there.
fn project(name: &str) -> (PathBuf, String) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("src")).unwrap();
    let demo = fs::read_to_string("fixtures/demo/session.jsonl").unwrap();
    let session = demo.replace("/home/ada/tally", folder.to_str().unwrap());
    (folder, session)
}

/// Writes a file as if it had been written so many days from now.
fn write(folder: &Path, name: &str, text: &str, at: SystemTime) {
    fs::write(folder.join(name), text).unwrap();
    File::options().write(true).open(folder.join(name)).unwrap().set_modified(at).unwrap();
}

/// A time before the demo.
fn before() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_600_000_000)
}

/// A time after the demo.
fn after() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_790_000_000)
}

/// Returns the same as a repository; nothing where there is no git program.
fn repository(name: &str) -> Option<(PathBuf, String)> {
    let (folder, session) = project(name);
    if git(&folder, &["init", "-q", "-b", "trunk"]).is_none() {
        eprintln!("skipped: there is no git program");
        return None;
    }
    Some((folder, session))
}

/// Runs git; nothing if there is no such program.
fn git(folder: &Path, args: &[&str]) -> Option<()> {
    let mut command = Command::new("git");
    command.current_dir(folder).args(["-c", "user.name=a", "-c", "user.email=a@b.c"]).args(args);
    let output = command.env_remove("GIT_DIR").output().ok()?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(())
}

fn pack(session: &str, more: &[&str]) -> String {
    let call = Call::new("nobody", &[&["pack", "-", "--as-of", "2026-03-15"], more].concat());
    let path = std::env::var("PATH").unwrap_or_default();
    let said = call.env("PATH", &path).stdin(session.as_bytes()).run();
    assert_eq!(said.code, 0, "{}", said.stderr);
    said.stdout
}

fn json(session: &str) -> Value {
    serde_json::from_str(&pack(session, &["--json"])).unwrap()
}

/// Returns the paths of a pack with their marks.
fn marks(pack: &Value) -> Vec<(String, Option<String>)> {
    let files = pack["files"].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().map(str::to_owned);
    files.map(|file| (text(&file["path"]).unwrap(), text(&file["mark"]))).collect()
}

#[test]
fn a_repository_is_told_and_files_are_marked() {
    let (folder, session) = project("reality-git");
    let edited: Vec<_> = {
        let files = json(&session)["files"].as_array().unwrap().clone();
        let edited = files.iter().filter(|file| file["edits"] != 0);
        edited.map(|file| file["path"].as_str().unwrap().to_owned()).collect()
    };
    let [first, .., last] = edited.as_slice() else { panic!("{edited:?}") };
    if git(&folder, &["init", "-q", "-b", "trunk"]).is_none() {
        eprintln!("skipped: there is no git program");
        return;
    }
    write(&folder, first, "old\n", before());
    write(&folder, "AGENTS.md", "old\n", before());
    git(&folder, &["add", "."]).unwrap();
    git(&folder, &["commit", "-q", "-m", "one"]).unwrap();
    let found = json(&session);
    let told = &found["reality"];
    assert_eq!((&told["repository"], &told["branch"]), (&"git".into(), &"trunk".into()), "{told}");
    assert_eq!((&told["uncommitted"], &told["changed"]), (&0.into(), &0.into()), "{told}");
    assert_eq!(told["commit"].as_str().map(str::len), Some(40));
    assert!(marks(&found).contains(&(first.clone(), None)), "{found}");
    assert!(marks(&found).contains(&(last.clone(), Some("gone".into()))), "{found}");

    write(&folder, first, "new\n", after());
    write(&folder, "AGENTS.md", "new\n", after());
    write(&folder, "other.txt", "new\n", after());
    let found = json(&session);
    let told = &found["reality"];
    assert_eq!((&told["uncommitted"], &told["uncommitted_touched"]), (&2.into(), &1.into()));
    assert_eq!(told["changed"], 1, "{told}");
    assert!(marks(&found).contains(&(first.clone(), Some("changed".into()))), "{found}");
    let text = pack(&session, &[]);
    let commit = &told["commit"].as_str().unwrap()[..7];
    let line = format!(
        "The repository now: branch trunk, commit {commit}, 2 uncommitted files, 1 of this \
         session's; of this session's files {} gone, 1 changed since.\n",
        told["gone"]
    );
    assert!(text.contains(&line), "{line}{text}");
    assert!(text.contains(&format!("- {first} (changed since): ")), "{text}");
    assert!(text.contains(&format!("- {last} (gone): ")) && !text.contains(UNCHECKED), "{text}");
}

#[test]
fn names_that_left_their_file_are_marked() {
    let (folder, session) = project("reality-names");
    let _ = git(&folder, &["init", "-q"]);
    let unchecked: Value =
        serde_json::from_str(&pack(&session, &["--json", "--no-check"])).unwrap();
    let named = unchecked["files"].as_array().unwrap().iter().find(|file| {
        file["names"].as_str().unwrap().contains(", ") && file["edits"].as_u64() > Some(0)
    });
    let named = named.unwrap();
    assert_eq!(named["names_gone"], serde_json::json!([]));
    let path = named["path"].as_str().unwrap();
    let names: Vec<_> = named["names"].as_str().unwrap().split(", ").collect();
    // The last name is only the beginning of a word now.
    let (last, there) = names.split_last().unwrap();
    write(&folder, path, &format!("{}\n{last}_more\n", there.join("(\n")), before());
    let found = json(&session);
    let marked = found["files"].as_array().unwrap().iter().find(|file| file["path"] == path);
    let marked = marked.unwrap();
    assert_eq!(marked["names"], there.join(", "));
    assert_eq!(marked["names_gone"], serde_json::json!([last]));
    let text = pack(&session, &[]);
    let line = format!("; {}; gone: {last}\n", there.join(", "));
    assert!(text.contains(&line), "{line}{text}");
    assert!(!pack(&session, &["--no-check"]).contains("; gone: "));

    // What is no text says nothing of names, nor does a file that is gone.
    write(&folder, path, "\0\u{1}", before());
    assert!(!pack(&session, &[]).contains("; gone: "));
    fs::remove_file(folder.join(path)).unwrap();
    assert!(!pack(&session, &[]).contains("; gone: "));
}

#[test]
fn nothing_is_looked_at_when_told_so_or_of_a_past_day() {
    let (_, session) = project("reality-off");
    for more in [&["--no-check"][..], &["--until", "T-2"]] {
        let text = pack(&session, more);
        assert!(text.contains(UNCHECKED) && !text.contains("(gone)"), "{text}");
    }
    assert!(!pack(&session, &[]).contains(UNCHECKED));
    let elsewhere = session.replace("reality-off", "reality-never-there");
    assert!(pack(&elsewhere, &[]).contains(UNCHECKED));
    assert_eq!(json(&elsewhere)["reality"], Value::Null);
}

#[test]
fn where_there_is_no_repository_git_is_not_to_be_asked_first() {
    let (_, session) = project("reality-no-repository");
    let place = tempfile::tempdir().unwrap();
    let elsewhere = place.path().canonicalize().unwrap();
    let inside = Path::new(env!("CARGO_TARGET_TMPDIR")).join("reality-no-repository");
    let session = session.replace(inside.to_str().unwrap(), elsewhere.to_str().unwrap());
    let asks = |session: &str| pack(session, &[]).contains("- `git status`: are the changes");
    let text = pack(&session, &[]);
    match text.contains("The project now: no git repository") {
        true => assert!(!asks(&session), "{text}"),
        false => eprintln!("skipped: there is no git program, or a repository around it"),
    }
    let _ = git(&elsewhere, &["init", "-q"]);
    assert!(asks(&session), "{text}");
}

#[cfg(unix)]
#[test]
fn a_repository_into_which_git_does_not_look_is_not_told_as_none() {
    let (folder, session) = project("reality-refused");
    if git(&folder, &["init", "-q"]).is_none() {
        return;
    }
    // What git refuses, as one of another owner.
    fs::write(folder.join(".git/config"), "[core\n").unwrap();
    let text = pack(&session, &[]);
    assert!(
        text.contains("The project now: git does not look into the repository, `git"),
        "{text}"
    );
}

#[test]
fn without_git_the_files_are_still_looked_at() {
    let (_, session) = project("reality-no-git");
    let call = Call::new("nobody", &["pack", "-"]).env("PATH", "/nowhere");
    let said = call.stdin(session.as_bytes()).run();
    assert!(said.stdout.contains("The project now: git could not be run; of "), "{}", said.stdout);
    assert!(said.stdout.contains(" (gone): "), "{}", said.stdout);
}

#[cfg(unix)]
#[test]
fn a_path_that_leads_out_says_nothing() {
    let (folder, session) = project("reality-out");
    // Else the repository of this program is around it, or nothing is.
    let _ = git(&folder, &["init", "-q"]);
    let outside = folder.with_file_name("reality-outside");
    fs::create_dir_all(&outside).unwrap();
    fs::remove_dir(folder.join("src")).unwrap();
    std::os::unix::fs::symlink(&outside, folder.join("src")).unwrap();
    let _ = fs::remove_file(outside.join("import.rs"));
    let found = json(&session);
    let of_src = marks(&found).into_iter().filter(|(path, _)| path.starts_with("src/"));
    let of_src: Vec<_> = of_src.collect();
    assert!(!of_src.is_empty() && of_src.iter().all(|(_, mark)| mark.is_none()), "{of_src:?}");
}

#[test]
fn a_file_that_holds_something_else_is_changed_though_its_time_is_old() {
    let (folder, session) = project("reality-older");
    let path = "src/csv.rs";
    let lines = session.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let calls = lines.flat_map(|line| line["message"]["content"].as_array().cloned());
    let written = calls.flatten().map(|part| part["input"].clone()).find(|input| {
        input["content"].is_string() && input["file_path"].as_str().unwrap().ends_with(path)
    });
    let written = written.unwrap()["content"].as_str().unwrap().to_owned();
    let mark = |session: &str, text: &str, at: SystemTime| {
        write(&folder, path, text, at);
        let mut marks = marks(&json(session)).into_iter();
        marks.find(|(file, _)| file == path).unwrap().1
    };
    let changed = Some("changed".to_owned());
    assert_eq!(mark(&session, "other\n", before()), changed);
    assert_eq!(mark(&session, &written, before()), None);
    assert_eq!(mark(&session, &written, after()), None);
    // Between both times a command of the session can have put it in order.
    let ended: jiff::Timestamp = "2026-03-14T09:08:00Z".parse().unwrap();
    assert_eq!(mark(&session, "other\n", ended.into()), None);
    // What the session copied can be older, and be what is there.
    let copies = session.replacen("cargo test 2>&1", "cp -p old.rs src/csv.rs; cargo test 2>&1", 1);
    assert_ne!(copies, session);
    assert_eq!(mark(&copies, "other\n", before()), None);
}

#[test]
fn a_changed_file_that_is_gone_is_listed_before_it_has_a_line_of_its_own() {
    let (folder, session) = project("reality-listed");
    let _ = git(&folder, &["init", "-q"]);
    let packs = (64..80).map(|tens| pack(&session, &["--budget", &(10 * tens).to_string()]));
    let packs: Vec<_> = packs.collect();
    let is_in_some = |text: &str| packs.iter().any(|pack| pack.contains(text));
    assert!(is_in_some("\n- edited: src/import.rs (gone)\n"), "{packs:#?}");
    assert!(is_in_some("\n- src/csv.rs (gone): created (+15), T-1; "), "{packs:#?}");
    // No other stands before it.
    assert!(!is_in_some("## Files\n- read"), "{packs:#?}");
    assert!(!is_in_some("## Files\n- and "), "{packs:#?}");
}

#[test]
fn a_file_that_only_a_command_line_showed_and_that_is_not_there_is_told_so() {
    let (folder, session) = project("reality-shown");
    let _ = git(&folder, &["init", "-q"]);
    let session =
        session.replacen("ls samples && head -3", "cat docs/bank.md 2>/dev/null; head -3", 1);
    let mark = || {
        let marks = marks(&json(&session)).into_iter();
        marks.filter(|(path, _)| path == "docs/bank.md").map(|(_, mark)| mark).next()
    };
    assert_eq!(mark(), Some(Some("not_there".to_owned())));
    let text = pack(&session, &[]);
    assert!(text.contains("docs/bank.md (not there)") && !text.contains("3 gone"), "{text}");
    fs::create_dir(folder.join("docs")).unwrap();
    write(&folder, "docs/bank.md", "", before());
    assert_eq!(mark(), Some(None));
}

#[test]
fn what_became_of_all_the_files_of_a_line_or_a_folder_is_said_once() {
    let (folder, session) = project("reality-all");
    let _ = git(&folder, &["init", "-q"]);
    let shown = "cat docs/bank.md docs/card.md notes.md 2>/dev/null; head -3";
    let session = session.replacen("ls samples && head -3", shown, 1);
    let listed = || pack(&session, &[]);
    let text = listed();
    assert!(
        text.contains("\n- read, all (not there): docs/{bank.md, card.md}; notes.md\n"),
        "{text}"
    );
    write(&folder, "notes.md", "", before());
    let text = listed();
    assert!(text.contains("\n- read: docs/{bank.md, card.md} (not there); notes.md\n"), "{text}");
    fs::create_dir(folder.join("docs")).unwrap();
    write(&folder, "docs/card.md", "", before());
    let text = listed();
    assert!(text.contains("\n- read: docs/{bank.md (not there), card.md}; notes.md\n"), "{text}");
}

#[test]
fn what_was_committed_since_is_no_open_work_and_boxes_are_counted_as_they_are() {
    let Some((folder, _)) = repository("reality-committed") else { return };
    fs::create_dir_all(folder.join("docs")).unwrap();
    let tick = edit("docs/tasks.md", "- [ ] read dates", "- [x] read dates");
    let commit =
        shell("git commit -qm 'Read dates'", "[trunk 1a2b3c4] Read dates\n 1 file changed");
    let code = edit("src/a.rs", "x", "y");
    let steps = [tick, commit, code, serde_json::json!("All done.")];
    let session = session(&steps).replace("/home/ada/tool", folder.to_str().unwrap());
    let told = |at: SystemTime, boxes: &str, is_committed: bool| {
        write(&folder, "src/a.rs", "y\n", at);
        write(&folder, "docs/tasks.md", boxes, before());
        if is_committed {
            git(&folder, &["add", "."]).unwrap();
            git(&folder, &["commit", "-q", "--allow-empty", "-m", "all"]).unwrap();
        }
        let text = pack(&session, &[]);
        let boxes = text.lines().find(|line| line.contains("boxes of")).map(str::to_owned);
        (text.contains("- [ ] commit: 1 file edited since"), boxes)
    };
    let list = "- [x] read dates\n- [ ] read times\n";
    let open = Some("- 1 of 2 boxes of `docs/tasks.md` is open now".to_owned());
    assert_eq!(told(before(), list, false), (true, open.clone()));
    assert_eq!(told(before(), list, true), (false, open.clone()));
    // Nor is anything committed while the commit that it names is the last.
    let head =
        Command::new("git").current_dir(&folder).args(["rev-parse", "--short", "HEAD"]).output();
    let head = String::from_utf8(head.unwrap().stdout).unwrap();
    let same = pack(&session.replace("1a2b3c4", head.trim()), &[]);
    assert!(same.contains("- [ ] commit: 1 file edited since"), "{same}");
    // Whether what was written since holds the work nobody knows.
    assert_eq!(told(after(), list, true), (true, open));
    assert_eq!(told(before(), &list.replace("[ ]", "[x]"), true), (false, None));
    fs::remove_file(folder.join("docs/tasks.md")).unwrap();
    assert!(!pack(&session, &[]).contains("boxes of"), "{}", pack(&session, &[]));
}

#[test]
fn a_file_that_was_written_and_then_edited_is_known_by_what_it_holds() {
    let (folder, _) = project("reality-edited");
    let path = "/home/ada/tool/src/new.rs";
    let written = serde_json::json!({"name": "Write", "input": {"file_path": path, "content": "a\nb\n"}, "output": "ok"});
    let steps = [written, edit("src/new.rs", "b", "c"), serde_json::json!("All done.")];
    let session = session(&steps).replace("/home/ada/tool", folder.to_str().unwrap());
    let mark = |text: &str, at: SystemTime| {
        write(&folder, "src/new.rs", text, at);
        marks(&json(&session))[0].1.clone()
    };
    assert_eq!(mark("a\nc\n", after()), None);
    for other in ["a\nb\n", "a\nc\nd\n"] {
        assert_eq!(mark(other, after()), Some("changed".to_owned()), "{other}");
    }
}

#[test]
fn the_branch_of_the_session_is_named_where_its_files_are_not_as_it_left_them() {
    let (folder, _) = project("reality-branch");
    if git(&folder, &["init", "-q", "-b", "main"]).is_none() {
        eprintln!("skipped: there is no git program");
        return;
    }
    let session = session(&[edit("src/a.rs", "x", "y"), serde_json::json!("All done.")]);
    let session = session.replace("/home/ada/tool", folder.to_str().unwrap());
    let session = session.replace("\"version\"", "\"gitBranch\":\"feature/a\",\"version\"");
    git(&folder, &["commit", "-q", "--allow-empty", "-m", "one"]).unwrap();
    let told = "- `git log -3 feature/a`: the session worked on this branch, and main is checked out now\n";
    assert!(!pack(&session, &[]).contains("feature/a`"), "it is not here");
    git(&folder, &["checkout", "-q", "-b", "feature/a"]).unwrap();
    write(&folder, "src/a.rs", "y\n", before());
    git(&folder, &["add", "."]).unwrap();
    git(&folder, &["commit", "-q", "-m", "two"]).unwrap();
    assert!(!pack(&session, &[]).contains(told), "it is checked out");
    git(&folder, &["checkout", "-q", "main"]).unwrap();
    let text = pack(&session, &[]);
    assert!(text.contains(told) && !text.contains("git stash list"), "{text}");
    // A name is a word of the command, and no other way to name a commit.
    git(&folder, &["branch", "x;id", "feature/a"]).unwrap();
    for (other, told) in [("x;id", "- `git log -3 'x;id'`: "), ("feature/a~0", "")] {
        let text = pack(&session.replace("feature/a", other), &[]);
        let row = text.lines().find(|line| line.starts_with("- `git log -3")).unwrap_or_default();
        assert!(row.starts_with(told) && row.is_empty() == told.is_empty(), "{row}");
    }
}

/// A session of one harness in which a file was changed in a turn that was taken back, and the same of another one.
fn taken_back(folder: &Path, edits: [(&str, &str, &str); 2], more: bool) -> [String; 2] {
    let cwd = folder.to_str().unwrap();
    let uuid = |number: usize| format!("{number:08x}-0000-4000-8000-000000000000");
    let line = |number: usize, parent: Option<usize>, kind: &str, content: Value| {
        json!({"type": kind, "uuid": uuid(number), "parentUuid": parent.map(uuid), "cwd": cwd,
            "sessionId": "5e90e000-0000-4000-8000-000000000000", "version": "2.1.84",
            "timestamp": format!("2026-01-02T03:04:{number:02}.000Z"),
            "message": {"id": format!("msg_{number}"), "role": kind, "content": content}})
    };
    let mut lines = vec![line(1, None, "user", json!("look at the sums"))];
    lines.push(line(2, Some(1), "assistant", json!([{"type": "text", "text": "I looked."}])));
    lines.push(line(3, Some(2), "user", json!("mend them")));
    let mut items = vec![
        json!({"type": "event_msg", "payload": {"type": "user_message", "message": "mend them"}}),
    ];
    for (at, (path, old, new)) in edits.into_iter().enumerate() {
        let (id, path) = (format!("c{at}"), format!("{cwd}/{path}"));
        let input = json!({"file_path": path, "old_string": old, "new_string": new});
        let call = json!([{"type": "tool_use", "id": id, "name": "Edit", "input": input}]);
        let done = json!([{"type": "tool_result", "tool_use_id": id, "content": "ok"}]);
        lines.push(line(4 + 2 * at, Some(3 + 2 * at), "assistant", call));
        lines.push(line(5 + 2 * at, Some(4 + 2 * at), "user", done));
        let patch = format!(
            "*** Begin Patch\n*** Update File: {path}\n@@\n-{old}\n+{new}\n*** End Patch\n"
        );
        items.push(json!({"type": "response_item", "payload": {"type": "custom_tool_call",
            "name": "apply_patch", "call_id": id, "input": patch, "status": "completed"}}));
        items.push(json!({"type": "response_item", "payload": {"type": "custom_tool_call_output",
            "call_id": id, "output": "{\"output\":\"Success.\",\"metadata\":{\"exit_code\":0}}"}}));
    }
    lines.push(line(20, Some(2), "user", json!("write a page about them")));
    lines.push(line(21, Some(20), "assistant", json!([{"type": "text", "text": "So be it."}])));
    if more {
        let input = json!({"file_path": format!("{cwd}/src/sum.rs"), "old_string": "fn f", "new_string": "fn g"});
        let call = json!([{"type": "tool_use", "id": "c9", "name": "Edit", "input": input}]);
        let done = json!([{"type": "tool_result", "tool_use_id": "c9", "content": "ok"}]);
        lines.push(line(22, Some(21), "assistant", call));
        lines.push(line(23, Some(22), "user", done));
    }
    let said = |role: &str, text: &str| {
        let kind = if role == "user" { "input_text" } else { "output_text" };
        json!({"type": "response_item", "payload": {"type": "message", "role": role,
            "content": [{"type": kind, "text": text}]}})
    };
    let event = |kind: &str, text: &str| json!({"type": "event_msg", "payload": {"type": kind, "message": text}});
    let meta = json!({"type": "session_meta", "payload": {
        "id": "01a1ffc9-7c01-7f80-87e0-5be1734ff0f8", "timestamp": "2026-01-02T03:04:00.000Z",
        "cwd": cwd, "originator": "codex_cli", "cli_version": "0.98.0"}});
    let mut records =
        vec![meta, said("user", "look at the sums"), event("user_message", "look at the sums")];
    records.extend([said("assistant", "I looked."), said("user", "mend them")]);
    records.extend(items);
    records.push(
        json!({"type": "event_msg", "payload": {"type": "thread_rolled_back", "num_turns": 1}}),
    );
    records.extend([
        said("user", "write a page about them"),
        event("user_message", "write a page about them"),
    ]);
    records.push(said("assistant", "So be it."));
    for (at, record) in records.iter_mut().enumerate() {
        record["timestamp"] = json!(format!("2026-01-02T03:04:{at:02}.000Z"));
    }
    [lines, records].map(|all| all.iter().map(|line| format!("{line}\n")).collect())
}

#[test]
fn what_turns_that_were_taken_back_left_in_files_is_told() {
    let (folder, _) = project("reality-taken-back");
    let edits = [
        ("src/sum.rs", "let sum = a - b;", "let sum = a + b;"),
        ("src/other.rs", "let all = a.len();", "let all = a.len() + 1;"),
    ];
    let told = "Changed in turns that were taken back, and still so in the files: src/sum.rs.\n";
    for session in taken_back(&folder, edits, false) {
        // Nothing is there, or what was before.
        assert!(!pack(&session, &[]).contains("taken back"));
        write(&folder, "src/sum.rs", "fn f() {\n    let sum = a - b;\n}\n", before());
        assert!(!pack(&session, &[]).contains("taken back"));
        write(&folder, "src/sum.rs", "fn f() {\n    let sum = a + b;\n}\n", before());
        write(&folder, "src/other.rs", "let all = a.len();\n", before());
        let text = pack(&session, &[]);
        assert!(text.contains(told), "{text}");
        assert_eq!(json(&session)["reality"]["left_behind"], serde_json::json!(["src/sum.rs"]));
        assert!(!pack(&session, &["--no-check"]).contains("taken back"));
        fs::remove_file(folder.join("src/sum.rs")).unwrap();
    }
    // What is changed in what is left of the session, too, is told of that.
    write(&folder, "src/sum.rs", "fn g() {\n    let sum = a + b;\n}\n", before());
    let [session, _] = taken_back(&folder, edits, true);
    assert!(!pack(&session, &[]).contains("taken back"));
}

#[test]
fn what_goes_on_in_the_repository_is_told() {
    let Some((folder, session)) = repository("reality-going-on") else { return };
    let commit = |text: &str| {
        write(&folder, "a.txt", text, before());
        git(&folder, &["add", "."]).unwrap();
        git(&folder, &["commit", "-q", "-m", text]).unwrap();
    };
    commit("a line\n");
    git(&folder, &["checkout", "-q", "-b", "side"]).unwrap();
    commit("another line\n");
    git(&folder, &["checkout", "-q", "trunk"]).unwrap();
    assert!(json(&session)["reality"].get("going_on").is_none());
    commit("and a third line\n");
    let starts = |args: &[&str]| {
        let mut command = Command::new("git");
        command.current_dir(&folder).args(["-c", "user.name=a", "-c", "user.email=a@b.c"]);
        assert!(!command.args(args).env_remove("GIT_DIR").output().unwrap().status.success());
    };
    starts(&["merge", "side"]);
    let told = &json(&session)["reality"];
    assert_eq!((&told["going_on"], &told["unmerged"]), (&"merge".into(), &json!(["a.txt"])));
    git(&folder, &["merge", "--abort"]).unwrap();
    starts(&["rebase", "trunk", "side"]);
    let text = pack(&session, &[]);
    let line =
        "The repository now: `git rebase` of side is going on; not merged yet: a.txt; no branch";
    assert!(text.contains(line), "{text}");
    git(&folder, &["rebase", "--abort"]).unwrap();
    assert!(!pack(&session, &[]).contains("is going on"));
}

#[test]
fn a_context_file_that_nobody_has_merged_is_told() {
    let Some((folder, session)) = repository("reality-unmerged-context") else { return };
    let commit = |text: &str| {
        write(&folder, "AGENTS.md", text, before());
        git(&folder, &["add", "."]).unwrap();
        git(&folder, &["commit", "-q", "-m", text]).unwrap();
    };
    commit("a line\n");
    git(&folder, &["checkout", "-q", "-b", "side"]).unwrap();
    commit("another line\n");
    git(&folder, &["checkout", "-q", "trunk"]).unwrap();
    commit("and a third line\n");
    assert!(json(&session)["reality"].get("unmerged").is_none());
    git(&folder, &["read-tree", "-m", "trunk~", "trunk", "side"]).unwrap();
    let told = &json(&session)["reality"];
    assert_eq!((&told["unmerged"], &told["uncommitted"]), (&json!(["AGENTS.md"]), &0.into()));
}

#[test]
fn changes_that_were_committed_since_are_not_looked_for_among_what_is_uncommitted() {
    let Some((folder, _)) = repository("reality-since") else { return };
    let steps = [edit("src/a.rs", "x", "y"), edit("src/b.rs", "x", "y"), serde_json::json!("So.")];
    let session = session(&steps).replace("/home/ada/tool", folder.to_str().unwrap());
    const STATUS: &str = "- `git status`: are the changes named here still there?";
    const STASH: &str = "`git stash list`: nothing is uncommitted";
    let commit = |files: &[&str], subject: &str| {
        git(&folder, &[&["add"], files].concat()).unwrap();
        git(&folder, &["commit", "-q", "--allow-empty", "-m", subject]).unwrap();
    };
    write(&folder, "src/a.rs", "y\n", before());
    write(&folder, "src/b.rs", "y\n", before());
    let text = pack(&session, &[]);
    assert!(text.contains(STATUS) && !text.contains("committed since"), "{text}");
    // One of them is not committed yet.
    commit(&["src/a.rs"], "Teach a");
    let text = pack(&session, &[]);
    assert!(text.contains(STATUS) && !text.contains("committed since"), "{text}");
    commit(&["src/b.rs"], "Teach b");
    let text = pack(&session, &[]);
    assert!(
        text.contains("were committed since, last as ") && text.contains("\"Teach b\""),
        "{text}"
    );
    assert!(!text.contains(STATUS) && !text.contains(STASH), "{text}");
    // What was written since may be something else.
    write(&folder, "src/b.rs", "z\n", after());
    commit(&["."], "Another");
    let text = pack(&session, &[]);
    assert!(!text.contains("committed since") && !text.contains(STATUS), "{text}");
    assert!(text.contains(STASH), "{text}");
}

#[test]
fn what_a_commit_left_out_and_nothing_holds_is_not_to_be_committed() {
    let Some((folder, _)) = repository("reality-left-out") else { return };
    let steps = [
        edit("src/a.rs", "x", "y"),
        edit("src/b.rs", "x", "y"),
        shell("git add src/a.rs && git commit -m a", "[trunk 1a2b3c4] a"),
        serde_json::json!("So."),
    ];
    let session = session(&steps).replace("/home/ada/tool", folder.to_str().unwrap());
    const LEFT: &str = "not known to be in 1a2b3c4";
    write(&folder, "src/a.rs", "y\n", before());
    write(&folder, "src/b.rs", "x\n", before());
    git(&folder, &["add", "src"]).unwrap();
    git(&folder, &["commit", "-q", "-m", "a"]).unwrap();
    write(&folder, "src/b.rs", "y, and more\n", before());
    assert!(pack(&session, &[]).contains(LEFT));
    // It was taken back since, or away.
    write(&folder, "src/b.rs", "x\n", after());
    assert!(!pack(&session, &[]).contains(LEFT));
    fs::remove_file(folder.join("src/b.rs")).unwrap();
    git(&folder, &["commit", "-q", "-am", "b"]).unwrap();
    assert!(!pack(&session, &[]).contains(LEFT));
}

#[test]
fn files_that_git_does_not_keep_are_not_said_to_be_committed() {
    let Some((folder, _)) = repository("reality-ignored") else { return };
    let steps = [edit("src/a.rs", "x", "y"), serde_json::json!("So.")];
    let session = session(&steps).replace("/home/ada/tool", folder.to_str().unwrap());
    write(&folder, ".gitignore", "src/\n", before());
    write(&folder, "src/a.rs", "y\n", before());
    git(&folder, &["add", ".gitignore"]).unwrap();
    git(&folder, &["commit", "-q", "-m", "Ignore"]).unwrap();
    let text = pack(&session, &[]);
    assert!(!text.contains("committed since"), "{text}");
}
