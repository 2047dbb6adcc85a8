//! Where memories are looked for, whose they are, and what is said of those that cannot be read.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::memory::{Place, fates, session};
use crate::program::{Call, Said};

const TEA: &str = "---\nname: tea\ndescription: What Ada drinks\nmetadata: \n  type: user\n---\n\nAda drinks tea.\n";

/// Runs `segue memory` in `folder`, with no project named.
fn at(place: &Place, folder: &Path, args: &[&str]) -> Said {
    let all = [&["memory"], args].concat();
    Call::new("nobody", &all).at(folder, place.path("home").to_str().unwrap()).run()
}

/// Returns a folder as Claude Code names its store.
fn coded(folder: &Path) -> String {
    let folder = folder.to_str().unwrap().chars();
    folder.map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
}

#[test]
fn the_home_folder_has_no_memories_of_the_projects_below_it() {
    let place = Place::new();
    let home = place.path("home");
    let lamp = home.join("work/lamp");
    fs::create_dir_all(lamp.join(".git")).unwrap();
    let store = home.join(".claude/projects").join(coded(&lamp));
    place.put(&store.join("memory/tea.md"), TEA);
    let line = serde_json::json!({"type": "user", "uuid": "1", "sessionId": "s", "cwd": lamp,
        "timestamp": "2026-03-01T10:00:00.000Z", "message": {"role": "user", "content": "Go on."}});
    place.put(&store.join("11111111-1111-4111-8111-111111111111.jsonl"), &format!("{line}\n"));
    let list = ["list", "claude"];
    assert!(at(&place, &lamp, &list).stdout.contains("lamp"));
    assert_eq!(at(&place, &home, &list).code, 1);
    let named = ["list", "claude", "--project", home.to_str().unwrap()];
    assert_eq!(at(&place, &lamp, &named).code, 1);
    // What began right there is its own.
    place.put(&home.join(".claude/projects").join(coded(&home)).join("memory/tea.md"), TEA);
    let said = at(&place, &home, &list);
    assert_eq!(said.stdout.lines().count(), 2, "{}", said.stdout);
    let out = home.join("x.ndjson");
    let records = at(&place, &lamp, &["export", "claude"]).stdout;
    fs::write(&out, records).unwrap();
    let args = ["import", out.to_str().unwrap(), "--to", "gemini", "--json"];
    let plan: Value = serde_json::from_str(&at(&place, &home, &args).stdout).unwrap();
    assert_eq!(fates(&plan), ["dropped"], "{plan}");
}

#[test]
fn a_memory_has_the_same_id_wherever_one_stands_though_no_session_is_left() {
    let place = Place::new();
    let work = place.path("home").canonicalize().unwrap().join("work");
    let (lamp, other) = (work.join("big/lamp"), work.join("other"));
    fs::create_dir_all(lamp.join(".git")).unwrap();
    fs::create_dir_all(&other).unwrap();
    let store = place.path("home/.claude/projects").join(coded(&lamp));
    place.put(&store.join("memory/tea.md"), TEA);
    let id = |folder: &Path| {
        let listed = at(&place, folder, &["list", "claude", "--all"]).stdout;
        let row = listed.lines().find(|row| row.contains(" tea")).unwrap().to_owned();
        row.split_whitespace().nth(1).unwrap().to_owned()
    };
    assert_eq!(id(&lamp), id(&other));
    assert_eq!(at(&place, &other, &["show", &id(&lamp), "--all"]).code, 0);
    // What may be of two folders is of neither.
    fs::create_dir_all(work.join("big-lamp")).unwrap();
    assert_ne!(id(&lamp), id(&other));
}

#[test]
fn a_project_that_is_not_here_is_told_before_memories_go_there() {
    let place = Place::new();
    place.put(&place.store().join("tea.md"), TEA);
    let out = place.path("records");
    fs::write(&out, place.run(&["export", "claude"]).stdout).unwrap();
    let import = |project: &str| {
        let file = out.to_str().unwrap();
        let folder = place.path("home");
        let said = at(&place, &folder, &["import", file, "--to", "claude", "--project", project]);
        assert_eq!(said.code, 0, "{}", said.stderr);
        said.stderr.contains("is no folder here: is it spelled right?")
    };
    assert!(import("nowhere") && !import("."));
}

#[test]
fn what_cannot_be_read_is_told_by_file_and_reason_and_not_as_missing() {
    let place = Place::new();
    let wide = b"\xff\xfea\0";
    place.put(&place.store().join("MEMORY.md"), "- [Wide](wide.md) — a file of another program\n");
    fs::write(place.store().join("wide.md"), wide).unwrap();
    fs::write(place.path("home/.claude/CLAUDE.md"), wide).unwrap();
    fs::create_dir_all(place.path("home/.codex/memories")).unwrap();
    fs::write(place.path("home/.codex/memories/MEMORY.md"), wide).unwrap();
    let said = place.run(&["check"]);
    assert_eq!(said.code, 1, "{}", said.stdout);
    for file in [".claude/CLAUDE.md", "memory/wide.md", ".codex/memories/MEMORY.md"] {
        let line = said.stdout.lines().find(|line| line.contains(file));
        let line = line.unwrap_or_else(|| panic!("{file}: {}", said.stdout));
        assert!(line.starts_with("error: ") && line.ends_with("[unreadable]"), "{line}");
        assert!(line.contains("it cannot be read: "), "{line}");
    }
    assert!(!said.stdout.contains("is not there"), "{}", said.stdout);
    let said = place.run(&["list", "-v"]);
    let notes: Vec<_> = said.stderr.lines().filter(|line| line.starts_with("note: ")).collect();
    let wide = place.store().join("wide.md");
    let want = format!("note: could not read files with memories `{}: ", wide.display());
    assert!(notes.iter().any(|note| note.starts_with(&want)), "{}", said.stderr);
    assert_eq!(notes.len(), 3, "{}", said.stderr);
}

#[test]
fn files_beside_an_index_that_cannot_be_read_are_not_said_to_stand_in_none() {
    let place = Place::new();
    place.put(&place.store().join("tea.md"), TEA);
    assert!(place.run(&["check", "claude"]).stdout.contains("[not_in_index]"));
    fs::write(place.store().join("MEMORY.md"), b"\xff\xfea\0").unwrap();
    let said = place.run(&["check", "claude"]);
    assert!(!said.stdout.contains("[not_in_index]"), "{}", said.stdout);
    assert!(said.stdout.contains("[unreadable]"), "{}", said.stdout);
}

fn sessions_with_a_rule(place: &Place) {
    let ask = "Add the parser. From now on, always run `cargo fmt` before you commit.";
    session(place, "11111111-1111-4111-8111-111111111111", "2026-03-01", ask);
    session(place, "22222222-2222-4222-8222-222222222222", "2026-03-02", "Add the writer.");
}

#[test]
fn what_is_proposed_for_a_project_holds_in_that_one() {
    let place = Place::new();
    sessions_with_a_rule(&place);
    assert_eq!(place.run(&["seed", "codex", "--write"]).code, 0);
    let other = place.path("other");
    fs::create_dir_all(other.join(".git")).unwrap();
    let here = place.run(&["list", "codex"]).stdout;
    assert!(here.contains("  project  ") && !here.contains("  global  "), "{here}");
    let args = ["list", "codex", "--project", other.to_str().unwrap()];
    assert_eq!(at(&place, &other, &args).code, 1);
    let said = at(&place, &other, &["migrate", "--from", "codex", "--to", "claude"]);
    assert_eq!(said.code, 1, "{}", said.stdout);
}

#[test]
fn a_proposal_for_a_store_with_little_room_says_what_is_proposed() {
    let place = Place::new();
    sessions_with_a_rule(&place);
    session(&place, "33333333-3333-4333-8333-333333333333", "2026-03-03", "Add the reader.");
    assert_eq!(place.run(&["seed", "hermes", "--write"]).code, 0);
    let text = fs::read_to_string(place.path("home/.hermes/memories/MEMORY.md")).unwrap();
    let entry = text.split('§').find(|entry| entry.contains("Commands that test")).unwrap();
    assert!(entry.contains("`cargo test`") && entry.contains("(why: "), "{text}");
}

#[test]
fn records_that_cannot_be_taken_are_told_where_none_can() {
    let place = Place::new();
    let records = "{\"type\":\"memory\",\"schema\":\"segue.memory/1\",\"title\":\"x\"}\nbroken\n";
    let args = ["memory", "import", "-", "--to", "claude", "-v"];
    let said = Call::new("nobody", &args).env("HOME", place.path("home").to_str().unwrap());
    let said = said.stdin(records.as_bytes()).run();
    assert!(
        said.code == 3 && said.stderr.contains("skipped incomplete records"),
        "{}",
        said.stderr
    );
    assert!(said.stderr.contains("could not read broken lines"), "{}", said.stderr);
}

#[test]
fn a_text_may_begin_as_an_option_does() {
    let place = Place::new();
    place.put(&place.path("home/.hermes/memories/MEMORY.md"), "- Name is Ada");
    let args = ["edit", "hermes", "--match", "- Name", "--replace", "- Name is Eve", "--write"];
    let said = place.run(&args);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let text = fs::read_to_string(place.path("home/.hermes/memories/MEMORY.md")).unwrap();
    assert_eq!(text, "- Name is Eve");
}

#[test]
fn imports_are_followed_as_deep_as_the_harness_does() {
    let place = Place::new();
    let project = place.path("project");
    for number in 1..9 {
        let text = format!("- fact number {number}\n\n@c{}.md\n", number + 1);
        place.put(&project.join(format!("docs/c{number}.md")), &text);
    }
    for (harness, file, most) in [("claude", "CLAUDE.md", 4), ("gemini", "GEMINI.md", 5)] {
        place.put(&project.join("docs/c7.md"), "- fact number 7\n\n@c8.md\n");
        place.put(&project.join(file), "@docs/c1.md\n");
        let said = place.run(&["list", harness, "--instructions"]).stdout;
        let has = |number: usize| said.contains(&format!("fact number {number}"));
        assert!(has(most) && !has(most + 1), "{harness}: {said}");
        let said = place.run(&["check", harness]).stdout;
        assert!(said.contains("lies too deep"), "{harness}: {said}");
        // By a shorter way the last one is reached.
        place.put(&project.join("docs/c7.md"), "- fact number 7\n");
        place.put(&project.join(file), &format!("@docs/c1.md\n@docs/c{}.md\n", most + 1));
        let said = place.run(&["check", harness]).stdout;
        assert!(!said.contains("lies too deep"), "{harness}: {said}");
    }
}

#[test]
fn the_list_of_projects_names_the_folder_of_one_that_has_none_yet() {
    let place = Place::new();
    place.put(&place.store().join("tea.md"), TEA);
    let migrate = |registry: Value| {
        let file = place.path("home/.gemini/projects.json");
        place.put(&file, &serde_json::json!({"projects": registry}).to_string());
        let plan = place.json(&["migrate", "--from", "claude", "--to", "gemini", "--json"]);
        let files = plan["files"].as_array().unwrap().iter();
        files.map(|file| file.as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let project = place.path("project");
    let files = migrate(serde_json::json!({project.to_str().unwrap(): "lamp"}));
    assert!(files.iter().all(|file| file.contains("/tmp/lamp/")), "{files:?}");
    assert!(files.iter().any(|file| file.ends_with("/lamp/.project_root")), "{files:?}");
    let files = migrate(serde_json::json!({"/other/project": "project"}));
    assert!(files.iter().all(|file| file.contains("/tmp/project-1/")), "{files:?}");
}

#[test]
fn what_stands_right_behind_a_block_of_memories_is_the_users() {
    let place = Place::new();
    place.put(&place.path("home/.hermes/memories/MEMORY.md"), "Fact one.\n§\nFact two is here.");
    let file = place.path("home/.gemini/GEMINI.md");
    place.put(&file, "my own rule");
    let migrate = ["migrate", "--from", "hermes", "--to", "gemini", "--json", "--write"];
    assert_eq!(fates(&place.json(&migrate)), ["new", "new"]);
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("{text}- appended\n")).unwrap();
    assert_eq!(fates(&place.json(&migrate)), ["same", "same"]);
    let args = ["edit", "gemini", "--match", "Fact two", "--remove", "--write"];
    assert_eq!(place.run(&args).code, 0);
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.ends_with("<!-- segue:memory:end -->\n- appended\n"), "{text}");
    assert!(text.starts_with("my own rule\n") && !text.contains("Fact two"), "{text}");
}

#[test]
fn a_line_that_repeats_what_a_memory_says_of_itself_is_of_that_memory() {
    let place = Place::new();
    let store = place.path("home/.gemini/tmp/project");
    place.put(&store.join(".project_root"), place.path("project").to_str().unwrap());
    let put = |port: &str| {
        let text = format!(
            "---\nname: g\ndescription: port {port}, see [[h]]\nmetadata:\n  type: project\n---\n\nport is {port}\n"
        );
        place.put(&store.join("memory/g.md"), &text);
        place.json(&["migrate", "--from", "gemini", "--to", "claude", "--json", "--write"]);
        fs::read_to_string(place.store().join("MEMORY.md")).unwrap()
    };
    assert!(put("8080").contains("port 8080, see [[h]]"));
    let index = put("9090");
    assert!(index.contains("port 9090, see [[h]]") && !index.contains("8080"), "{index}");
    let args = ["edit", "claude", "--match", "9090", "--remove", "--write"];
    assert_eq!(place.run(&args).code, 0);
    let index = fs::read_to_string(place.store().join("MEMORY.md")).unwrap_or_default();
    assert!(!index.contains("9090"), "{index}");
}

#[test]
fn copies_come_again_where_all_of_them_are_gone_or_say_something_else() {
    let place = Place::new();
    place.put(&place.store().join("tea.md"), TEA);
    let migrate = || {
        fates(&place.json(&["migrate", "--from", "claude", "--to", "codex", "--json", "--write"]))
    };
    assert_eq!(migrate(), ["new"]);
    for store in ["memories", "memories_v2"] {
        let _ = fs::remove_dir_all(place.path("home/.codex").join(store));
    }
    assert_eq!(migrate(), ["new"]);
    assert_eq!(
        place.run(&["edit", "codex", "--match", "drinks tea", "--remove", "--write"]).code,
        0
    );
    assert_eq!(migrate(), ["conflict"]);
    place.put(&place.store().join("tea.md"), &TEA.replace("drinks tea", "drinks water"));
    assert_eq!(migrate(), ["new"]);
}

#[test]
fn settings_that_cannot_be_read_are_told_with_their_line() {
    let place = Place::new();
    place.put(&place.store().join("tea.md"), TEA);
    let [claude, gemini] =
        [".claude", ".gemini"].map(|home| place.path("home").join(home).join("settings.json"));
    place.put(&claude, "{\n  \"autoMemoryDirectory\": ~/notes\n}\n");
    place.put(&gemini, "{ // the names\n  \"contextFileName\": \"NOTES.md\", }\n");
    let list = |of: &str| place.run(&["list", of, "--instructions"]).stderr;
    let note = |path: &Path| {
        format!("note: could not read settings `{}`: 1 (first at line 2)\n", path.display())
    };
    assert!(list("claude").contains(&note(&claude)), "{}", list("claude"));
    assert!(list("gemini").contains(&note(&gemini)), "{}", list("gemini"));
    let checked = place.run(&["check"]).stdout;
    assert_eq!(checked.lines().filter(|line| line.ends_with("[settings]")).count(), 2, "{checked}");
    assert!(
        checked.contains(&format!("{}:2: the settings cannot be read", gemini.display())),
        "{checked}"
    );
    // Its program passes over comments.
    place.put(&gemini, "{ // the names\n  \"contextFileName\": \"NOTES.md\" /* , */ }\n");
    place.put(&place.path("home/.gemini/NOTES.md"), "# Rules\n\nUse tabs.\n");
    let said = place.run(&["list", "gemini", "--instructions"]);
    assert!(said.stdout.contains("Rules") && !said.stderr.contains("settings"), "{}", said.stdout);
}

#[test]
fn a_folder_that_is_marked_with_a_slash_at_its_end_is_the_projects() {
    let place = Place::new();
    let project = place.path("project");
    let store = place.path("home/.gemini/tmp/other");
    place.put(&store.join(".project_root"), &format!("{}/\n", project.display()));
    place.put(&store.join("memory/tea.md"), TEA);
    let said = place.run(&["export", "gemini"]);
    let record: Value = serde_json::from_str(said.stdout.lines().next().unwrap()).unwrap();
    assert_eq!(record["scope"]["cwd"], project.to_str().unwrap(), "{record}");
}

#[test]
fn records_of_other_projects_are_counted_and_the_way_is_told() {
    let place = Place::new();
    place.put(&place.store().join("tea.md"), TEA);
    let exported = place.run(&["export", "claude"]).stdout;
    let here = place.path("project");
    let here = here.to_str().unwrap();
    let other = "/old/place of ada";
    let records = format!("{exported}{}", exported.replace(here, other).replace("tea", "coffee"));
    let file = place.path("records.ndjson");
    fs::write(&file, records).unwrap();
    for to in ["gemini", "claude"] {
        let said = place.run(&["import", file.to_str().unwrap(), "--to", to, "--no-diff"]);
        let told = "warning: 1 memory is of another project; `--project '/old/place of ada'` takes what is of \
                    that one\n";
        assert!(said.stderr.contains(told), "{to}: {}", said.stderr);
        let args =
            ["memory", "import", file.to_str().unwrap(), "--to", to, "--json", "--project", other];
        let said =
            Call::new("nobody", &args).env("HOME", place.path("home").to_str().unwrap()).run();
        let plan: Value = serde_json::from_str(&said.stdout).unwrap();
        let mut all = fates(&plan);
        all.sort();
        assert_eq!(all, ["dropped", "new"], "{plan}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_plan_says_that_its_home_may_not_be_written_to() {
    use std::os::unix::fs::PermissionsExt as _;
    let set = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    let place = Place::new();
    place.put(&place.store().join("tea.md"), TEA);
    let top = place.path("");
    set(&top, 0o755);
    for to in ["codex", "gemini", "hermes"] {
        let home = place.path("home").join(format!(".{to}"));
        set(&home, 0o555);
        let run = |more: &[&str]| {
            let project = place.path("project");
            let args =
                ["memory", "migrate", "--from", "claude", "--to", to, "--no-diff", "--project"];
            let args = [&args[..], &[project.to_str().unwrap()], more].concat();
            let call = Call::new("nobody", &args).env("HOME", place.path("home").to_str().unwrap());
            call.by_nobody_if_root(&top).run()
        };
        let said = run(&[]);
        assert_eq!(said.code, 0, "{}", said.stderr);
        let told = said
            .stderr
            .lines()
            .find(|line| line.starts_with("warning: it could not be done now: "));
        assert!(
            told.is_some_and(|line| line.ends_with("you have no permission")),
            "{to}: {}",
            said.stderr
        );
        assert!(!said.stderr.contains("`--write` does it"), "{}", said.stderr);
        assert_eq!(run(&["--write"]).code, 4);
        set(&home, 0o755);
    }
}
