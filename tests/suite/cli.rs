//! What the program says at its door: help, refusals, exit codes, and what it chose.

use std::fs::File;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::program::Call;

const CLAUDE: &str = "fixtures/homes/three/.claude/projects/-home-ada-toolbox/\
                      aa11bb22-4444-4ddd-8ddd-000000000004.jsonl";
const STUB: &str = "fixtures/homes/stubs/.claude/projects/-home-ada-tool/\
                    5a5a0000-0000-4000-8000-000000000002.jsonl";
const TOOL: [&str; 2] = ["--project", "/home/ada/tool"];

/// Prepares a call that is about the project of the fixtures.
fn in_tool(home: &str, args: &[&str]) -> Call {
    Call::new(home, &[args, &TOOL].concat())
}

#[test]
fn help_of_each_command() {
    Call::new("nobody", &["--help"]).says("help");
    for command in [
        "list",
        "pack",
        "show",
        "search",
        "span",
        "sync",
        "diff",
        "status",
        "frame",
        "export",
        "doctor",
        "templates",
        "schema",
        "completions",
        "man",
    ] {
        Call::new("nobody", &[command, "--help"]).says(&format!("help-{command}"));
    }
}

#[test]
fn the_version_is_told() {
    let said = Call::new("nobody", &["--version"]).run();
    assert_eq!(said.stdout, format!("segue {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn list_shows_the_project_newest_first() {
    in_tool("three", &["list"]).says("list");
    in_tool("three", &["list", "--json"]).says("list-json");
    in_tool("three", &["list", "--limit", "1"]).says("list-limit");
    in_tool("three", &["list", "--since", "2026-01-05", "-v"]).says("list-since");
}

#[test]
fn list_shows_all_projects_without_steering_the_terminal() {
    let said = Call::new("three", &["list", "--all"]).run();
    assert!(said.stdout.contains("/home/ada/toolbox"), "{}", said.stdout);
    let steers = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
    assert!(!said.stdout.contains(steers), "{:?}", said.stdout);
}

#[test]
fn what_nobody_sees_in_a_title_is_not_told() {
    let said = Call::new("three", &["status", "77aa0b21"]).run();
    assert!(said.stderr.contains("\"Docs of the parser\""), "{}", said.stderr);
}

#[test]
fn a_session_in_two_files_has_an_id_as_short_as_it_may_be_typed() {
    let home = tempfile::tempdir().unwrap();
    let from =
        "fixtures/homes/three/.gemini/tmp/tool/chats/session-2026-01-04T12-00-9d5d0b74.jsonl";
    let folder = home.path().join(".gemini/tmp/tool/chats");
    std::fs::create_dir_all(&folder).unwrap();
    let from = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(from);
    for day in ["04", "05"] {
        let name = format!("session-2026-01-{day}T12-00-9d5d0b74.jsonl");
        std::fs::copy(&from, folder.join(name)).unwrap();
    }
    let said = Call::new("nobody", &["list", "--all"]).at(home.path(), ".").run().stdout;
    let row = said.lines().nth(1).unwrap();
    assert_eq!(row.split_whitespace().nth(1), Some("9d5d0b74"), "{said}");
}

#[test]
fn list_without_sessions_says_where_was_looked() {
    Call::new("nobody", &["list", "--project", "/home/ada/elsewhere"]).says("list-none");
}

#[test]
fn the_newest_whole_session_is_chosen_and_told() {
    let said = in_tool("three", &["export"]).run();
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stderr.contains("01990000-a0c1-7000-8000-0000000000c1"), "{}", said.stderr);
    assert!(said.stderr.contains("segue list"), "{}", said.stderr);
    let quiet = in_tool("three", &["export", "-q", "latest"]).run();
    assert_eq!((quiet.stdout, quiet.stderr.as_str()), (said.stdout, ""));
}

#[test]
fn the_calling_session_is_not_the_newest() {
    let hook = r#"{"session_id":"01990000-a0c1-7000-8000-0000000000c1","hook_event_name":"x"}"#;
    let said = in_tool("three", &["export"]).stdin(hook.as_bytes()).run();
    assert!(said.stderr.contains("9d5d0b74-1008"), "{}", said.stderr);
    let path = "fixtures/homes/three/.codex/sessions/2026/01/05/\
                rollout-2026-01-05T11-00-00-01990000-a0c1-7000-8000-0000000000c1.jsonl";
    let hook = format!(r#"{{"session_id":"other","transcript_path":"{path}"}}"#);
    let said = in_tool("three", &["export"]).stdin(hook.as_bytes()).run();
    assert!(said.stderr.contains("9d5d0b74-1008"), "{}", said.stderr);
}

#[test]
fn a_hook_in_a_project_without_a_session_says_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let hook = |event: &str| {
        let world = json!({"session_id": "new", "hook_event_name": event, "cwd": folder.path()});
        world.to_string()
    };
    let start = hook("SessionStart");
    let run =
        |arguments: &[&str], told: &str| Call::new("three", arguments).stdin(told.as_bytes()).run();
    let said = run(&["pack"], &start);
    assert_eq!((said.code, said.stdout.as_str(), said.stderr.as_str()), (0, "", ""));
    // What else asks is to know it, and what else is wrong too.
    let other = json!({"session_id": "new", "cwd": folder.path()}).to_string();
    for (arguments, told) in [
        (&["pack"][..], other.as_str()),
        (&["pack"], &hook("Stop")),
        (&["status"], &start),
        (&["export"], &start),
        (&["pack", "fedcba98"], &start),
        (&["pack", "--project", "/home/ada/none"], &start),
    ] {
        let said = run(arguments, told);
        assert_eq!((said.code, said.stdout.as_str()), (1, ""), "{arguments:?} {told}");
        assert!(said.stderr.starts_with("error: no session"), "{}", said.stderr);
    }
}

#[test]
fn a_hook_that_asks_how_far_the_work_is_means_its_own_session() {
    let path =
        "fixtures/homes/three/.gemini/tmp/tool/chats/session-2026-01-04T12-00-9d5d0b74.jsonl";
    let by_id = r#"{"session_id":"3f2c8a10-1111-4aaa-8aaa-000000000001"}"#.to_owned();
    let by_path = format!(r#"{{"session_id":"other","transcript_path":"{path}"}}"#);
    let elsewhere = format!(r#"{{"session_id":"other","transcript_path":"{CLAUDE}"}}"#);
    // Nothing was said in it yet.
    let new = r#"{"session_id":"none","transcript_path":"/no/such/file"}"#.to_owned();
    let newest = "01990000-a0c1";
    for command in ["status", "frame"] {
        let cases =
            [(&by_id, "3f2c8a10"), (&by_path, "9d5d0b74"), (&elsewhere, newest), (&new, newest)];
        for (hook, id) in cases {
            let said = in_tool("three", &[command]).stdin(hook.as_bytes()).run();
            assert!(said.stderr.contains(&format!(" session {id}")), "{hook}: {}", said.stderr);
        }
        let said = Call::new("three", &[command]).stdin(elsewhere.as_bytes()).run();
        assert!(said.stderr.contains(" session aa11bb22"), "{}", said.stderr);
        let named = in_tool("three", &[command, "--harness", "codex"]);
        let said = named.stdin(by_path.as_bytes()).run();
        assert!(said.stderr.contains(newest), "{}", said.stderr);
    }
}

#[test]
fn a_hook_runs_for_the_project_of_its_session() {
    let here = env!("CARGO_TARGET_TMPDIR");
    let hook = format!(r#"{{"session_id":"other","cwd":"{here}"}}"#);
    let said = Call::new("three", &["export"]).stdin(hook.as_bytes()).run();
    assert_eq!(said.code, 1);
    let root = segue::discover::project_root(here.into(), &segue::discover::Wide::default());
    assert!(said.stderr.contains(&format!("of the project `{root}`")), "{}", said.stderr);
    let said = in_tool("three", &["export"]).stdin(hook.as_bytes()).run();
    assert_eq!(said.code, 0, "--project wins: {}", said.stderr);
}

#[test]
fn the_environment_of_a_harness_names_the_calling_session() {
    let said = in_tool("three", &["export", "--harness", "codex"])
        .env("CODEX_THREAD_ID", "01990000-a0c1-7000-8000-0000000000c1")
        .run();
    assert_eq!(said.code, 1, "{}", said.stderr);
}

#[test]
fn other_content_on_standard_input_disturbs_nothing() {
    let plain = in_tool("three", &["export"]).run();
    let hint = "hint: standard input is read only where the session is `-`";
    assert!(!plain.stderr.contains(hint), "{}", plain.stderr);
    for other in ["hello\n", "{\"a\":1}", "[1,2]", "{\"session_id\":3}"] {
        let said = in_tool("three", &["export"]).stdin(other.as_bytes()).run();
        assert_eq!(said.stdout, plain.stdout);
        // Somebody may have piped a session and not named it.
        assert!(said.stderr.contains(hint), "{}", said.stderr);
    }
}

#[test]
fn a_folder_without_a_name_is_not_the_current_one() {
    for args in [&["man", "--out-dir", ""][..], &["export", "--all", "--out-dir", ""]] {
        let said = Call::new("nobody", args).run();
        assert_eq!(said.code, 2, "{args:?}: {}", said.stderr);
        assert!(said.stderr.contains("`.` is the current directory"), "{}", said.stderr);
    }
}

#[test]
fn what_cannot_be_read_as_it_was_typed_says_why() {
    let refused = |args: &[&str], code: i32, words: &str| {
        let said = Call::new("nobody", args).run();
        assert_eq!(said.code, code, "{args:?}: {}", said.stderr);
        assert!(said.stderr.contains(words), "{args:?}: {}", said.stderr);
        assert!(!said.stderr.contains("no further word"), "{}", said.stderr);
    };
    let file = |name: &str, text: &str| {
        let path = format!("{}/{name}", env!("CARGO_TARGET_TMPDIR"));
        std::fs::write(&path, text).unwrap();
        path
    };
    for option in ["--template", "--weights"] {
        let words = format!("{option} is not read from standard input");
        refused(&["pack", "--demo", option, "-"], 2, &words);
    }
    let list = file("weights-list.json", "[]");
    refused(&["pack", "--demo", "--weights", &list], 3, "is no table of weights: it is a list");
    for (table, wrong) in [("{\"file\": [-5, 1, 1, 1]}", "file"), ("{\"focus\": 1e300}", "focus")] {
        let words = format!("is no table of weights: `{wrong}` is not from 0 to 1000000");
        refused(&["pack", "--demo", "--weights", &file("weights-wrong.json", table)], 3, &words);
    }
    let template = file("unknown-name.j2", "{{ nosuch }}\n");
    refused(&["pack", "--demo", "--template", &template], 3, "undefined value");
    refused(&["convert", CLAUDE, "--to", "codex", "--cwd", ""], 2, "it takes a folder");
}

#[test]
#[cfg(unix)]
fn lines_of_a_loop_stay_for_the_loop() {
    let loop_over = |from: &str| {
        let body = r#"while read -r line; do "$SEGUE" status --project /home/ada/tool -q >/dev/null; echo "$line"; done"#;
        let script = from.replace("LOOP", body);
        let mut command = Command::new("sh");
        command.args(["-c", &script]).env("HOME", "fixtures/homes/three");
        command.env("SEGUE", env!("CARGO_BIN_EXE_segue"));
        command.current_dir(env!("CARGO_MANIFEST_DIR"));
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    let list = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("lines-of-a-loop");
    std::fs::write(&list, "one\ntwo\n\nthree\n").unwrap();
    assert_eq!(loop_over(&format!("LOOP < {}", list.display())), "one\ntwo\n\nthree\n");
    // Elsewhere nobody can look into a pipe.
    if cfg!(target_os = "linux") {
        assert_eq!(loop_over("printf 'one\\ntwo\\nthree\\n' | LOOP"), "one\ntwo\nthree\n");
    }
}

#[test]
#[cfg(unix)]
fn what_a_hook_is_told_may_stand_in_a_file() {
    let hook = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("told.json");
    let told = r#"{"session_id":"01990000-a0c1-7000-8000-0000000000c1","hook_event_name":"x"}"#;
    std::fs::write(&hook, told).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_segue"));
    command.args(["export", "--project", "/home/ada/tool"]).env("HOME", "fixtures/homes/three");
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    let said = command.stdin(File::open(hook).unwrap()).output().unwrap().stderr;
    let said = String::from_utf8(said).unwrap();
    assert!(said.contains("9d5d0b74-1008"), "{said}");
}

#[test]
fn an_open_pipe_on_which_nothing_comes_does_not_block() {
    let begun = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_segue"))
        .args(["export", "--project", "/home/ada/tool"])
        .env_clear()
        .env("HOME", "fixtures/homes/nobody")
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let open = child.stdin.take();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    drop(open);
    assert!(begun.elapsed() < Duration::from_secs(5));
}

#[test]
fn a_session_is_found_by_id_in_any_project() {
    for id in ["aa11bb22-4444-4ddd-8ddd-000000000004", "aa11", "claude:aa11", "AA11BB"] {
        let said = Call::new("three", &["export", id]).run();
        assert!(said.stdout.contains("Sort the screws"), "{id}: {}", said.stderr);
    }
    let side = Call::new("three", &["export", "-q", "01990000-b0c2-7000-8000-0000000000c2"]).run();
    assert!(side.stdout.contains("It is the lexer."), "{}", side.stderr);
}

#[test]
fn a_side_session_is_found_by_its_whole_id_and_never_listed() {
    let said = Call::new("three", &["export", "agent-5e5e5e5e"]).run();
    let first = said.stdout.lines().next().unwrap_or_default();
    assert!(first.contains(r#""id":"agent-5e5e5e5e""#), "{first}\n{}", said.stderr);
    let begun = Call::new("three", &["export", "agent-5e5e"]).run();
    assert_eq!(begun.code, 1, "{}", begun.stderr);
    let list = Call::new("three", &["list", "--all", "--json"]).run();
    assert!(!list.stdout.contains("agent-5e5e"), "{}", list.stdout);
}

#[test]
fn a_prefix_of_several_ids_is_refused_with_the_candidates() {
    Call::new("twins", &["export", "abcd1234"]).says("ambiguous");
}

#[test]
fn ids_that_fit_nothing() {
    Call::new("three", &["export", "feedbeef"]).says("no-such-id");
    Call::new("three", &["export", "abc"]).says("id-too-short");
    Call::new("three", &["export", "codex:3f2c8a10", "--harness", "claude"]).says("contradiction");
}

#[test]
fn a_project_without_a_whole_session() {
    in_tool("stubs", &["export"]).says("only-stubs");
    in_tool("nobody", &["export"]).says("no-home");
}

#[test]
fn a_folder_below_one_with_sessions_is_told_of_it() {
    for command in [&["list"][..], &["pack"], &["status"]] {
        let below = |folder| [command, &["--project", folder]].concat();
        let said = Call::new("three", &below("/home/ada/toolbox/deep/down")).run();
        let hint =
            "hint: sessions began above it, in `/home/ada/toolbox`: --project with that folder";
        assert!(said.code == 1 && said.stderr.contains(hint), "{}", said.stderr);
        let other = Call::new("three", &below("/home/ada/toolshed")).run();
        assert!(!other.stderr.contains("above it"), "{}", other.stderr);
    }
}

#[test]
fn the_main_work_tree_is_told_of_another_one_of_its_repository() {
    let top = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("main-work-tree");
    let _ = std::fs::remove_dir_all(&top);
    let (root, noted) = (top.join("tool"), top.join("tool/.git/worktrees/another"));
    std::fs::create_dir_all(&noted).unwrap();
    for (tree, is_told) in [("/home/ada/tool", true), ("/home/ada/toolshed", false)] {
        std::fs::write(noted.join("gitdir"), format!("{tree}/.git\n")).unwrap();
        let hint = format!(
            "hint: sessions began in another work tree of the repository, `{tree}`: --project"
        );
        for command in ["list", "pack", "status"] {
            let said = Call::new("three", &[command, "--project", root.to_str().unwrap()]).run();
            assert_eq!((said.code, said.stderr.contains(&hint)), (1, is_told), "{}", said.stderr);
        }
    }
}

#[test]
fn a_work_tree_is_told_of_the_main_one_of_its_repository() {
    let tree = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("another-work-tree");
    std::fs::create_dir_all(&tree).unwrap();
    let hint =
        "hint: sessions began in the repository's main work tree, `/home/ada/tool`: --project";
    for (repository, is_told) in [("/home/ada/tool", true), ("/home/ada/toolshed", false)] {
        let told = format!("gitdir: {repository}/.git/worktrees/another\n");
        std::fs::write(tree.join(".git"), told).unwrap();
        for command in ["list", "pack", "status"] {
            let named = ["--project", tree.to_str().unwrap()];
            let said = Call::new("three", &[&[command], &named[..]].concat()).run();
            assert_eq!(said.code, 1, "{}", said.stderr);
            assert_eq!(said.stderr.contains(hint), is_told, "{}", said.stderr);
        }
    }
}

#[test]
fn a_harness_is_no_session_and_a_folder_that_holds_everything_no_project() {
    for (word, more) in [("codex", &[][..]), ("codex:", &[]), ("codex", &["--harness", "codex"])] {
        let said = Call::new("three", &[&["pack", word], more].concat()).run();
        let told = "error: `codex` is a harness, not a session\n\
                    hint: `codex:latest` is the newest one of Codex CLI\n";
        assert_eq!((said.code, said.stderr.as_str()), (2, told), "{word}");
    }
    for command in [&["list"][..], &["pack"], &["pack", "--since", "1d"]] {
        let said = Call::new("three", &[command, &["--project", "/tmp"]].concat()).run();
        let told = "error: no session that began right in `/tmp`";
        assert!(said.code == 1 && said.stderr.starts_with(told), "{}", said.stderr);
    }
}

#[test]
fn a_point_before_anything_was_said_is_told_as_such() {
    // Its first turn holds what the program noted before the first request.
    let path = "fixtures/gemini/0.61.0/tools/chats/session-2026-11-21T20-24-c20e3001.jsonl";
    for args in [&["pack", path][..], &["show", "T-1", "--session", path]] {
        let said = Call::new("nobody", &[args, &["--until", "T-0"]].concat()).run();
        let told = "error: nothing was said in the session up to T-0\nhint: a turn such as T-2";
        assert!(said.code == 2 && said.stderr.starts_with(told), "{}", said.stderr);
    }
    let diff = |from| Call::new("nobody", &["diff", path, "--to", "T-1", "--from", from]).run();
    assert_eq!(diff("T-0").stdout, diff("2026-01-01").stdout);
    assert_eq!(diff("T-0").code, 0);
}

#[test]
fn a_newest_session_that_is_of_the_target_already_says_so() {
    let hint = "hint: it is a session of Claude Code already";
    let convert = |more: &[&str]| {
        let arguments =
            ["convert", "--to", "claude", "--dry-run", "--project", "/home/ada/toolbox"];
        Call::new("three", &[&arguments, more].concat()).run()
    };
    let said = convert(&[]);
    assert!(said.code == 0 && said.stderr.contains(hint), "{}", said.stderr);
    let named = convert(&["latest"]);
    assert!(named.code == 0 && !named.stderr.contains(hint), "{}", named.stderr);
}

#[test]
fn what_is_wrong_with_many_lines_is_counted_behind_some_of_them() {
    let line = "{\"timestamp\":\"2026-01-02T03:04:05.000Z\",\"type\":\"event_msg\"}\n";
    let path = concat!(env!("CARGO_TARGET_TMPDIR"), "/many-lines.jsonl");
    std::fs::write(path, line.repeat(40)).unwrap();
    let said = Call::new("nobody", &["check", path, "--as", "codex"]).run();
    let last = said.stdout.lines().last().unwrap();
    assert!(last.starts_with("warning: ") && last.contains(" more of these ["), "{}", said.stdout);
}

#[test]
fn a_file_is_recognised_by_its_content() {
    let by_path = Call::new("nobody", &["export", CLAUDE]).run();
    assert_eq!((by_path.code, by_path.stderr.as_str()), (0, ""));
    let bytes = std::fs::read(CLAUDE).unwrap();
    let piped = Call::new("nobody", &["export", "-"]).stdin(&bytes).run();
    let without_source = |text: &str| text.split_once('\n').map(|(_, rest)| rest.to_owned());
    assert_eq!(without_source(&piped.stdout), without_source(&by_path.stdout));
}

#[test]
#[cfg(unix)]
fn a_pipe_in_place_of_a_file_is_read_whole() {
    let bytes = std::fs::read(CLAUDE).unwrap();
    let said = Call::new("nobody", &["export", "/dev/stdin"]).stdin(&bytes).run();
    assert_eq!((said.code, said.stdout.lines().count()), (0, 5), "{}", said.stderr);
}

#[test]
fn files_that_are_no_session() {
    Call::new("nobody", &["export", "nope.jsonl"]).says("missing-file");
    Call::new("nobody", &["export", "fixtures"]).says("folder");
    Call::new("nobody", &["export", "Cargo.toml"]).says("not-a-session");
    Call::new("nobody", &["export", STUB]).says("no-item");
    Call::new("nobody", &["export", "-"]).says("empty-stdin");
    Call::new("nobody", &["export", CLAUDE, "--harness", "codex"]).says("wrong-harness");
}

#[test]
fn wrong_usage() {
    Call::new("nobody", &["export", CLAUDE, "--harness", "other"]).says("unknown-harness");
    Call::new("nobody", &["export", CLAUDE, "--raw", "--to", "json"]).says("raw-document");
    for form in ["ndjson", "json", "trajectory", "markdown"] {
        let said =
            Call::new("nobody", &["export", CLAUDE, "--to", form, "--atif-version", "1.8"]).run();
        assert!(said.code == 2 && said.stderr.contains("`--to atif`"), "{}", said.stderr);
    }
    for form in ["trajectory", "markdown"] {
        let said = Call::new("nobody", &["export", CLAUDE, "--to", form, "--blobs"]).run();
        assert!(said.code == 2 && said.stderr.contains("holds images"), "{}", said.stderr);
    }
    Call::new("nobody", &["list", "--since", "yesterday"]).says("since");
}

#[test]
fn a_note_is_an_error_only_with_strict() {
    let mut bytes = std::fs::read(CLAUDE).unwrap();
    bytes.extend_from_slice(b"{\"type\":\"never-seen\"}\n{\"type\":\"nor-this\"}\nbroken\n");
    let call = |args: &[&str]| Call::new("nobody", args).stdin(&bytes).run();
    let noted = call(&["export", "-"]);
    assert_eq!(noted.code, 0);
    let strict = call(&["export", "-", "--strict"]);
    assert_eq!((strict.code, strict.stdout), (5, noted.stdout));
    let verbose = call(&["export", "-", "-v"]);
    assert!(verbose.stderr.contains("never-seen") && verbose.stderr.contains("nor-this"));
    let told = format!("{}--- -v\n{}--- --strict\n{}", noted.stderr, verbose.stderr, strict.stderr);
    crate::program::snapshots("cli").bind(|| insta::assert_snapshot!("notes", told));
}

#[test]
fn one_document_is_json_with_messages_and_boundaries() {
    let said = Call::new("nobody", &["export", CLAUDE, "--to", "json"]).run();
    let document: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(document["session"]["harness"], "claude");
    assert_eq!(document["messages"][1]["index"], 1);
    assert!(document["compaction"]["boundaries"].as_array().unwrap().is_empty());
}

#[test]
fn the_manual_names_every_command() {
    let said = Call::new("nobody", &["man"]).run();
    assert_eq!(said.code, 0);
    for command in [
        "LIST",
        "PACK",
        "SYNC",
        "DIFF",
        "SHOW",
        "SEARCH",
        "SPAN",
        "EXPORT",
        "TEMPLATES",
        "SCHEMA",
        "COMPLETIONS",
        "MAN",
    ] {
        assert!(said.stdout.contains(&format!(".SH \"SEGUE {command}\"")), "{command}");
    }
}

#[test]
#[cfg(unix)]
fn a_reader_that_goes_away_is_no_error_and_a_full_disk_is_one() {
    for args in [&["export", CLAUDE][..], &["--version"], &["pack", "--help"]] {
        let run = |stdout: Stdio| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_segue"));
            command.args(args).env_clear().stdin(Stdio::null()).stdout(stdout).output().unwrap()
        };
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let gone = run(writer.into());
        assert_eq!((gone.status.code(), gone.stderr.as_slice()), (Some(0), &b""[..]));
        if let Ok(full) = File::options().write(true).open("/dev/full") {
            let full = run(full.into());
            assert_eq!(full.status.code(), Some(4), "{args:?}");
            let told = b"error: cannot write standard output: no space is left there";
            assert!(full.stderr.starts_with(told));
        }
    }
}
