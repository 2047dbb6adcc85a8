//! Which sessions a pack is made of, and how several become one.

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use jsonschema::Validator;
use serde_json::{Value, json};

use crate::program::{Call, Said};

/// The day from which all ages here count.
const AS_OF: &str = "2026-01-20";

/// A home with a project in it, made for one test.
struct Home {
    folder: Utf8PathBuf,
}

/// What a session of a test is about.
#[derive(Clone, Copy)]
struct Made<'a> {
    /// One digit that tells it from the others.
    number: u32,
    /// The day of January 2026 on which it ended.
    day: u32,
    /// Its folder, from the home.
    folder: &'a str,
    request: &'a str,
    /// The file that it changed, from the home; it is in no work tree unless the test makes one.
    edits: &'a str,
    /// Its list of work, each with its state.
    plan: &'a [(&'a str, &'a str)],
}

impl Home {
    fn new(name: &str) -> Self {
        let folder = Utf8Path::new(env!("CARGO_TARGET_TMPDIR")).join("scope").join(name);
        let _ = fs::remove_dir_all(&folder);
        let home = Self { folder };
        home.repository("tool");
        home
    }

    /// Makes a folder that is a repository.
    fn repository(&self, name: &str) {
        fs::create_dir_all(self.folder.join(name).join(".git")).unwrap();
    }

    /// Writes a session of the first harness.
    fn claude(&self, made: Made<'_>) -> Utf8PathBuf {
        let (number, day) = (made.number, made.day);
        let id = format!("{number}aaaaaaa-0000-4000-8000-00000000000{number}");
        let mut lines = Vec::new();
        let mut parent = Value::Null;
        let mut line = |kind: &str, role: &str, content: Value| {
            let count = lines.len();
            let uuid = format!("{number}aaaaaaa-0000-4000-8000-0000000001{count:02}");
            let at = format!("2026-01-{day:02}T10:00:{count:02}.000Z");
            let message = json!({"role": role, "content": content, "id": format!("m{count}")});
            lines.push(json!({"parentUuid": parent, "isSidechain": false, "userType": "external",
                "cwd": self.folder.join(made.folder), "sessionId": id, "version": "2.1.84",
                "type": kind, "message": message, "uuid": uuid, "timestamp": at}));
            parent = json!(uuid);
        };
        let call = |name: &str, input: Value| json!([{"type": "tool_use", "id": format!("t-{name}"), "name": name, "input": input}]);
        let back = |name: &str| json!([{"type": "tool_result", "tool_use_id": format!("t-{name}"), "content": "ok"}]);
        line("user", "user", json!(made.request));
        if !made.edits.is_empty() {
            let path = self.folder.join(made.edits);
            let input = json!({"file_path": path, "old_string": "a", "new_string": "b"});
            line("assistant", "assistant", call("Edit", input));
            line("user", "user", back("Edit"));
        }
        if !made.plan.is_empty() {
            let todo = |(text, status): &(&str, &str)| json!({"content": text, "status": status, "activeForm": text});
            let todos: Vec<_> = made.plan.iter().map(todo).collect();
            line("assistant", "assistant", call("TodoWrite", json!({"todos": todos})));
            line("user", "user", back("TodoWrite"));
        }
        line("assistant", "assistant", json!([{"type": "text", "text": "This much is done."}]));
        let path = self.folder.join(format!(".claude/projects/p/{id}.jsonl"));
        write(&path, &lines);
        path
    }

    /// Writes a session of another harness, with the same in it but the list of work.
    fn codex(&self, made: Made<'_>) {
        let (number, day) = (made.number, made.day);
        let id = format!("0199000{number}-a0c1-7000-8000-00000000000{number}");
        let at = |second: u32| format!("2026-01-{day:02}T11:00:{second:02}.000Z");
        let row = |second: u32, kind: &str, payload: Value| json!({"timestamp": at(second), "type": kind, "payload": payload});
        let patch = format!(
            "*** Begin Patch\n*** Update File: {}\n@@\n-a\n+b\n*** End Patch\n",
            self.folder.join(made.edits)
        );
        let message = |role: &str, kind: &str, text: &str| json!({"type": "message", "role": role, "content": [{"type": kind, "text": text}]});
        let lines = [
            row(
                0,
                "session_meta",
                json!({"id": id, "timestamp": at(0), "cwd": self.folder.join(made.folder), "originator": "codex_cli_rs", "cli_version": "0.142.0", "source": "cli"}),
            ),
            row(1, "response_item", message("user", "input_text", made.request)),
            row(1, "event_msg", json!({"type": "user_message", "message": made.request})),
            row(
                2,
                "response_item",
                json!({"type": "custom_tool_call", "status": "completed", "call_id": "c1", "name": "apply_patch", "input": patch}),
            ),
            row(
                3,
                "response_item",
                json!({"type": "custom_tool_call_output", "call_id": "c1", "output": "Success."}),
            ),
            row(4, "response_item", message("assistant", "output_text", "Done so far.")),
        ];
        let name = format!("rollout-2026-01-{day:02}T11-00-00-{id}.jsonl");
        write(&self.folder.join(format!(".codex/sessions/2026/01/{day:02}/{name}")), &lines);
    }

    /// Runs the program for the folder `at` of the home.
    fn run(&self, at: &str, arguments: &[&str]) -> Said {
        let world = json!({"session_id": "none", "cwd": self.folder.join(at)});
        let call = Call::new("nobody", arguments).env("HOME", self.folder.as_str());
        call.stdin(world.to_string().as_bytes()).run()
    }

    fn pack(&self, at: &str, more: &[&str]) -> Said {
        self.run(at, &[&["pack", "--as-of", AS_OF], more].concat())
    }

    /// Returns the pack as JSON; it must fit the schema.
    fn json(&self, at: &str, more: &[&str]) -> Value {
        let said = self.pack(at, &[&["--json"], more].concat());
        assert_eq!(said.code, 0, "{}", said.stderr);
        let pack: Value = serde_json::from_str(&said.stdout).unwrap();
        let wrong: Vec<_> = validator().iter_errors(&pack).map(|error| error.to_string()).collect();
        assert!(wrong.is_empty(), "{wrong:?}");
        pack
    }
}

fn validator() -> Validator {
    let schema = include_str!("../../schemas/pack-1.schema.json");
    jsonschema::validator_for(&serde_json::from_str(schema).unwrap()).unwrap()
}

fn write(path: &Utf8Path, lines: &[Value]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    fs::write(path, text).unwrap();
}

/// Returns one field of each element of a list.
fn each<'a>(pack: &'a Value, list: &str, field: &str) -> Vec<&'a str> {
    pack[list].as_array().unwrap().iter().map(|one| one[field].as_str().unwrap()).collect()
}

const PARSER: Made<'_> = Made {
    number: 1,
    day: 10,
    folder: "tool",
    request: "Mend the decimal marks in the invoice parser",
    edits: "tool/src/parser.rs",
    plan: &[("Detect the mark per file", "completed"), ("Write the changelog", "pending")],
};
const AGAIN: Made<'_> = Made {
    number: 2,
    day: 12,
    request: "The invoice parser drops decimal marks of amounts below one",
    plan: &[("Write the changelog", "completed"), ("Round the amounts", "in_progress")],
    ..PARSER
};
const SITE: Made<'_> = Made {
    number: 3,
    day: 14,
    request: "Give the landing pages a darker background colour",
    edits: "tool/site/style.css",
    plan: &[("Choose the colours", "pending")],
    ..PARSER
};

#[test]
fn sessions_of_one_work_become_one_pack_across_harnesses() {
    let home = Home::new("one-work");
    home.claude(Made {
        plan: &[("Detect the mark", "pending"), ("Write the changelog", "pending")],
        ..PARSER
    });
    home.codex(Made { number: 4, day: 11, edits: "tool/src/amount.rs", ..AGAIN });
    home.claude(AGAIN);
    fs::create_dir_all(home.folder.join("tool/src")).unwrap();
    let pack = home.json("tool/src", &["--sessions", "3"]);
    assert_eq!(each(&pack, "sessions", "name"), ["S1", "S2", "S3"]);
    assert_eq!(each(&pack, "sessions", "harness"), ["claude", "codex", "claude"]);
    assert_eq!(pack["warnings"], json!([]));
    assert_eq!(pack["now"]["goal"], AGAIN.request, "the newest leads");
    assert_eq!(each(&pack, "open_work", "text"), ["Round the amounts", "Detect the mark"]);
    let ids = each(&pack, "open_work", "id");
    assert!(ids[0].starts_with("W-") && ids[1].starts_with("S3/W-"), "{ids:?}");
    let files = each(&pack, "files", "path");
    assert_eq!(files, ["src/parser.rs", "src/amount.rs"], "each once");
    assert!(each(&pack, "files", "turn").contains(&"S2/T-1"));
    assert_eq!(each(&pack, "turns", "id"), ["S3/T-1", "S2/T-1", "T-1"]);
    let text = home.pack("tool", &["--sessions", "3"]).stdout;
    assert!(text.contains("3 sessions, newest first"), "{text}");
    assert!(text.contains("- [ ] Detect the mark (S3/W-"), "{text}");
    assert!(text.contains("<S2/T-1-C>\nS2/T-1: The invoice parser"), "{text}");
    assert!(!text.contains("changelog"), "a newer session finished it: {text}");
    let command = pack["fetch"].as_str().unwrap();
    assert!(text.contains(&format!("`{command}` prints what an id stands for.")), "{text}");
    let sessions: Vec<_> = command.split(" --session ").skip(1).collect();
    assert!(sessions.len() == 3 && sessions[1].starts_with("codex:"), "{command}");
    // As printed, the command finds every id of the pack.
    for (id, words) in [
        (ids[0], "Round the amounts"),
        (ids[1], "Detect the mark"),
        ("S2/T-1", "src/amount.rs"),
        ("T-1", AGAIN.request),
    ] {
        let command = command.replace("ID", id);
        let arguments: Vec<_> = command.split(' ').skip(1).collect();
        let shown = home.run("tool", &arguments);
        assert!(
            shown.code == 0 && shown.stdout.contains(words),
            "{command}: {}{}",
            shown.stdout,
            shown.stderr
        );
    }
    let one = home.run("tool", &["show", ids[1], "--session", "claude:1aaaaaaa"]);
    assert_eq!(one.code, 2);
    assert!(one.stderr.contains("of the session that its pack calls S3"), "{}", one.stderr);
    assert!(one.stderr.contains("--session for each session of the pack"), "{}", one.stderr);
}

#[test]
fn a_check_of_an_older_session_says_nothing_of_what_a_newer_one_changed() {
    let home = Home::new("outdated");
    home.claude(AGAIN);
    let path = home.claude(PARSER);
    let text = fs::read_to_string(&path).unwrap();
    let mut lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (user, agent) = (lines[0].clone(), lines.last().unwrap().clone());
    let result = "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out";
    let parts = [
        (
            agent,
            json!([{"type": "tool_use", "id": "c9", "name": "Bash", "input": {"command": "cargo test"}}]),
        ),
        (user, json!([{"type": "tool_result", "tool_use_id": "c9", "content": result}])),
    ];
    for (count, (mut line, content)) in parts.into_iter().enumerate() {
        line["message"]["content"] = content;
        line["message"]["id"] = json!(format!("n{count}"));
        line["parentUuid"] = lines.last().unwrap()["uuid"].clone();
        line["uuid"] = json!(format!("1aaaaaaa-0000-4000-8000-0000000003{count:02}"));
        line["timestamp"] = json!(format!("2026-01-10T11:00:{count:02}.000Z"));
        lines.push(line);
    }
    write(&path, &lines);
    let pack = home.json("tool", &["--sessions", "2"]);
    let facts = pack["facts"].as_array().unwrap();
    let check = facts.iter().find(|fact| fact["kind"] == "check").unwrap();
    let told = "`cargo test`: passed (3 tests); 1 file was changed since, in a newer session";
    assert_eq!((&check["text"], &check["state"]), (&json!(told), &json!("stale")), "{pack}");
    let checks = pack["checks"].to_string();
    assert!(checks.contains("`cargo test`: does it still pass?"), "{checks}");
}

#[test]
fn different_work_has_no_single_goal_and_names_the_candidates() {
    let home = Home::new("different");
    home.claude(PARSER);
    home.claude(AGAIN);
    home.claude(SITE);
    let pack = home.json("tool", &["--since", "2026-01-01"]);
    assert_eq!(pack["warnings"][0]["code"], "different_work");
    assert_eq!(pack["warnings"][0]["sessions"], json!(["S1", "S2", "S3"]));
    assert_eq!((&pack["now"]["goal"], &pack["now"]["next"]), (&json!(""), &Value::Null));
    let lanes: Vec<_> = (0..3).map(|at| pack["sessions"][at]["lane"].clone()).collect();
    assert_eq!(lanes, [1, 2, 2]);
    assert_eq!(pack["sessions"][0]["files"], json!(["site/style.css"]));
    assert!(each(&pack, "open_work", "id").iter().all(|id| id.starts_with('S')));
    let text = home.pack("tool", &["--since", "2026-01-01"]).stdout;
    for part in [
        "No goal: the sessions above look like different work",
        "- S1, work 1: claude:3aaaaaaa-0000 \"Give the landing pages",
        "files: site/style.css",
        "S2/T-1: The invoice parser drops",
        "(S1/W-",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    assert!(!text.contains("Then go on"), "{text}");
}

#[test]
fn a_pack_of_several_is_below_its_budget_and_only_grows() {
    let home = Home::new("budget");
    [PARSER, AGAIN, SITE].into_iter().for_each(|made| drop(home.claude(made)));
    let table = tiktoken_rs::bpe_for_tokenizer(tiktoken_rs::tokenizer::Tokenizer::O200kBase);
    let (table, mut before) = (table.unwrap(), 0);
    for budget in [600_usize, 700, 800, 1000, 2000] {
        let number = budget.to_string();
        let said = home.pack("tool", &["--sessions", "3", "--budget", &number]);
        assert_eq!(said.code, 0, "{}", said.stderr);
        assert!(table.count_ordinary(&said.stdout) <= budget);
        assert!(said.stdout.len() >= before, "{budget}");
        before = said.stdout.len();
        let again = home.pack("tool", &["--sessions", "3", "--budget", &number]);
        assert!(again.stdout == said.stdout);
    }
}

#[test]
fn only_as_many_sessions_as_asked_for() {
    let home = Home::new("count");
    [PARSER, AGAIN, SITE].into_iter().for_each(|made| drop(home.claude(made)));
    let ids = |more: &[&str]| {
        let pack = home.json("tool", more);
        each(&pack, "sessions", "id").iter().map(|id| id[..1].to_owned()).collect::<String>()
    };
    assert_eq!(ids(&[]), "3");
    assert_eq!(ids(&["--sessions", "2"]), "32");
    assert_eq!(ids(&["--since", "2026-01-11"]), "32");
    assert_eq!(ids(&["--since", "2026-01-11", "--sessions", "1"]), "3");
    let none = home.pack("tool", &["--since", "2026-01-15"]);
    assert_eq!(none.code, 1);
    let why = " since then; the newest ended 2026-01-1";
    assert!(none.stderr.contains(why), "{}", none.stderr);
    for wrong in [["--sessions", "0"], ["--sessions", "x"], ["--since", "soon"]] {
        assert_eq!(home.pack("tool", &wrong).code, 2, "{wrong:?}");
    }
    assert_eq!(home.pack("tool", &["3aaaaaaa", "--sessions", "2"]).code, 2);
}

#[test]
fn more_sessions_than_are_packed_are_told() {
    let home = Home::new("more");
    for number in 0..13 {
        let path = home.claude(Made { number: 1, day: 3 + number, ..PARSER });
        let text = fs::read_to_string(&path).unwrap();
        let other = format!("{number:08x}");
        fs::write(path.with_file_name(format!("{other}.jsonl")), text.replace("1aaaaaaa", &other))
            .unwrap();
        fs::remove_file(path).unwrap();
    }
    let pack = home.json("tool", &["--since", "2026-01-01"]);
    assert_eq!(pack["sessions"].as_array().unwrap().len(), 12);
    assert_eq!(pack["warnings"][0]["code"], "more_sessions");
    assert_eq!(home.json("tool", &["--sessions", "13"])["warnings"], json!([]));
}

#[test]
fn a_session_belongs_to_the_repository_that_its_edits_vote_for() {
    let home = Home::new("vote");
    home.claude(PARSER);
    home.claude(Made { folder: "", ..AGAIN });
    home.claude(Made { folder: "", edits: "other/a.rs", ..SITE });
    home.repository("other");
    let pack = home.json("tool", &[]);
    assert!(pack["session"]["id"].as_str().unwrap().starts_with('2'), "{}", pack["session"]);
    assert_eq!(pack["warnings"][0]["code"], "edits_elsewhere");
    assert_eq!(pack["warnings"][0]["folder"], home.folder.join("tool").as_str());
    // A list looks at headers alone.
    let list = home.run("tool", &["list", "--project", home.folder.join("tool").as_str()]);
    assert_eq!(list.stdout.lines().count(), 2, "{}", list.stdout);
    let other = home.json("other", &["--sessions", "5"]);
    assert_eq!(each(&other, "sessions", "id"), ["3aaaaaaa-0000-4000-8000-000000000003"]);
}

#[test]
fn a_repository_in_another_has_no_session_of_that_one() {
    let home = Home::new("vote-inner");
    home.repository("tool/inner");
    home.claude(Made { folder: "tool/inner", ..PARSER });
    home.claude(Made { folder: "", edits: "tool/src/a.rs", ..SITE });
    fs::create_dir_all(home.folder.join("tool/part")).unwrap();
    let newest =
        |folder: &str| home.json(folder, &[])["session"]["id"].as_str().unwrap()[..1].to_owned();
    assert_eq!((newest("tool/inner"), newest("tool/part")), ("1".to_owned(), "3".to_owned()));
}

#[test]
fn a_session_that_began_in_another_folder_says_in_which() {
    let home = Home::new("inner");
    home.claude(PARSER);
    let at = |folder: &str| home.folder.join(folder);
    let said = |folder: &str| home.pack(folder, &[]).stderr;
    // The top of the project is nothing to tell of, wherever in it the user stands.
    fs::create_dir_all(at("tool/src")).unwrap();
    assert!(!said("tool").contains("begun") && !said("tool/src").contains("begun"));
    home.claude(Made { folder: "tool/libs/csv", ..AGAIN });
    let begun = format!(", begun in {}; choose another", at("tool/libs/csv"));
    assert!(said("tool").contains(&begun), "{}", said("tool"));
    assert!(said("tool/src").contains(&begun), "{}", said("tool/src"));
    home.repository("tool/libs/csv");
    let begun = format!(", begun in {}, a repository of its own; choose", at("tool/libs/csv"));
    assert!(said("tool").contains(&begun), "{}", said("tool"));
    assert!(!said("tool/libs/csv").contains("begun"), "{}", said("tool/libs/csv"));
    home.claude(Made { folder: "tool/.worktrees/site", ..SITE });
    fs::create_dir_all(at("tool/.worktrees/site")).unwrap();
    let tree = format!("gitdir: {}\n", at("tool/.git/worktrees/site"));
    fs::write(at("tool/.worktrees/site/.git"), tree).unwrap();
    // One outside the folder of the project is looked for, too.
    let (outside, noted) = (at("trees/site 2"), at("tool/.git/worktrees/2"));
    fs::create_dir_all(&noted).unwrap();
    fs::write(format!("{noted}/gitdir"), format!("{outside}/.git\n")).unwrap();
    fs::create_dir_all(&outside).unwrap();
    fs::write(format!("{outside}/.git"), format!("gitdir: {noted}\n")).unwrap();
    let newer = format!(
        "a newer session began in another work tree of the repository: --project '{outside}'\n"
    );
    let told = || home.pack("tool", &[]).stderr.contains(&newer);
    assert!(!told());
    let past = home.claude(Made { number: 8, day: 1, folder: "trees/site 2", ..SITE });
    assert!(!told());
    home.claude(Made { number: 9, day: 28, folder: "trees/site 2", ..SITE });
    assert!(told());
    let status = home.run("tool", &["status", "--project", at("tool").as_str()]).stderr;
    assert!(status.contains(&newer), "{status}");
    let quiet = home.run("tool", &["status", "-q", "--project", at("tool").as_str()]).stderr;
    assert!(!quiet.contains(&newer), "{quiet}");
    // Another repository may stand there by now.
    let own = fs::read(format!("{outside}/.git")).unwrap();
    fs::remove_file(format!("{outside}/.git")).unwrap();
    assert!(!told());
    fs::write(format!("{outside}/.git"), own).unwrap();
    fs::remove_file(past).unwrap();
    let all = home.pack("tool", &["--sessions", "3"]).stderr;
    let begun = format!(", begun in {}, another work tree\n", at("tool/.worktrees/site"));
    assert!(all.contains(&begun) && all.matches("begun").count() == 2, "{all}");
    let list = home.run("tool", &["list", "--project", at("tool").as_str()]).stdout;
    let titles: Vec<_> = list.lines().skip(1).filter_map(|line| line.split("B  ").nth(1)).collect();
    let starts = ["(in .worktrees/site) Give the", "(in libs/csv) The invoice", "Mend the decimal"];
    assert!(titles.iter().zip(starts).all(|(title, start)| title.starts_with(start)), "{list}");
    let all = home.run("tool", &["list", "--all"]).stdout;
    assert!(!all.contains("(in "), "there the folder has a column: {all}");
}

#[test]
fn every_command_means_the_session_that_a_pack_means() {
    let home = Home::new("one-rule");
    home.claude(PARSER);
    home.claude(Made { folder: "", ..AGAIN });
    home.claude(Made { folder: "", edits: "other/a.rs", ..SITE });
    home.repository("other");
    let of = |arguments: &[&str]| home.run("tool", arguments);
    let status: Value = serde_json::from_str(&of(&["status", "--json"]).stdout).unwrap();
    assert!(status["session"].as_str().unwrap().starts_with('2'), "{status}");
    for arguments in
        [&["frame"][..], &["export"], &["search", "amounts"], &["diff", "latest", "--from", "T-1"]]
    {
        let said = of(arguments);
        assert!(said.stderr.contains("session 2aaaaaaa"), "{arguments:?}: {}", said.stderr);
    }
    let doctor = of(&["doctor", "--json", "--project", home.folder.join("tool").as_str()]);
    let doctor: Value = serde_json::from_str(&doctor.stdout).unwrap();
    let newest = doctor["project"]["newest"].as_str().unwrap();
    assert!(newest.starts_with("claude:2aaaaaaa"), "{newest}");
}

#[test]
fn a_block_is_of_the_newest_session_that_is_large_enough() {
    let home = Home::new("large-enough");
    let file = home.folder.join("tool/AGENTS.md");
    let sync = |more: &[&str]| {
        home.run("tool", &[&["sync", file.as_str(), "--budget", "700"], more].concat())
    };
    home.claude(SITE);
    let small = sync(&[]);
    assert!(small.code == 0 && !file.exists(), "{}", small.stderr);
    let missing = sync(&["--check"]);
    assert_eq!(missing.code, 1, "a block that is missing: {}", missing.stderr);
    assert!(missing.stderr.contains("the session itself only"), "{}", missing.stderr);
    assert!(!missing.stderr.contains("without --check"), "{}", missing.stderr);
    let long = "The invoice parser drops decimal marks of amounts below one. ".repeat(300);
    home.claude(Made { request: &long, ..PARSER });
    let made = sync(&[]);
    assert!(made.stderr.contains("passed over for an older one"), "{}", made.stderr);
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("session=\"claude:1aaaaaaa"), "{text}");
    assert_eq!(sync(&["--check"]).code, 0);
    fs::write(&file, text.replace("decimal", "DECIMAL")).unwrap();
    assert_eq!(sync(&["--check"]).code, 1, "changed by hand");
    let named = sync(&["--check", "--session", "claude:3aaaaaaa"]);
    assert_eq!(named.code, 1, "of another session: {}", named.stderr);
}

#[test]
fn a_lesson_of_an_older_session_fits_the_schema() {
    let home = Home::new("lesson");
    home.claude(AGAIN);
    let path = home.claude(PARSER);
    let text = fs::read_to_string(&path).unwrap();
    let mut lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (user, agent) = (lines[0].clone(), lines.last().unwrap().clone());
    for (count, said) in [
        "No, `parse_row` belongs into `src/csv.rs`.",
        "",
        "I said `parse_row` belongs into `src/csv.rs`",
        "",
    ]
    .iter()
    .enumerate()
    {
        let mut line = if said.is_empty() { agent.clone() } else { user.clone() };
        if !said.is_empty() {
            line["message"]["content"] = json!(said);
        }
        line["parentUuid"] = lines.last().unwrap()["uuid"].clone();
        line["uuid"] = json!(format!("1aaaaaaa-0000-4000-8000-0000000002{count:02}"));
        line["message"]["id"] = json!(format!("n{count}"));
        line["timestamp"] = json!(format!("2026-01-10T11:00:{count:02}.000Z"));
        lines.push(line);
    }
    write(&path, &lines);
    let pack = home.json("tool", &["--sessions", "2"]);
    assert!(pack["lessons"][0]["id"].as_str().unwrap().starts_with("S2/L-"), "{}", pack["lessons"]);
}

#[test]
fn the_home_folder_is_no_project() {
    let home = Home::new("wide");
    home.claude(PARSER);
    let none = home.pack("", &[]);
    assert_eq!(none.code, 1, "{}", none.stdout);
    home.claude(Made { folder: "", edits: "notes.txt", ..SITE });
    let pack = home.json("", &["--sessions", "9"]);
    assert_eq!(each(&pack, "sessions", "id"), ["3aaaaaaa-0000-4000-8000-000000000003"]);
    let named = home.run("tool", &["pack", "--project", home.folder.as_str(), "--sessions", "9"]);
    assert!(!named.stdout.contains("invoice"), "{}", named.stdout);
}

#[test]
fn a_hint_finds_one_session_or_says_which_it_may_be() {
    let home = Home::new("hint");
    [PARSER, AGAIN, SITE].into_iter().for_each(|made| drop(home.claude(made)));
    let found = home.json("tool", &["--hint", "darker pages"]);
    assert!(found["session"]["id"].as_str().unwrap().starts_with('3'));
    let unsure = home.pack("tool", &["--hint", "parser"]);
    assert_eq!((unsure.code, unsure.stdout.as_str()), (2, ""));
    assert!(unsure.stderr.contains("not sure which session `parser` means"), "{}", unsure.stderr);
    assert!(unsure.stderr.contains("`segue sync FILE --session HARNESS:ID`"), "{}", unsure.stderr);
    assert!(unsure.stderr.contains("claude:1aaaaaaa") && unsure.stderr.contains("claude:2aaaaaaa"));
    assert!(!unsure.stderr.contains("claude:3aaaaaaa"), "{}", unsure.stderr);
    // The best comes first, whichever is newer, and what has but a common word is none of them.
    let best = home.pack("tool", &["--hint", "mend decimal marks parser"]);
    assert_eq!(best.code, 2, "{}", best.stderr);
    let place = |id: &str| best.stderr.find(id);
    assert!(place("claude:1aaaaaaa") < place("claude:2aaaaaaa"), "{}", best.stderr);
    assert!(!best.stderr.contains("claude:3aaaaaaa"), "{}", best.stderr);
    let none = home.pack("tool", &["--hint", "zeppelin"]);
    assert_eq!((none.code, none.stdout.as_str()), (1, ""));
    assert!(none.stderr.contains("with words of `zeppelin`"), "{}", none.stderr);
    assert_eq!(home.pack("tool", &["--hint", "?"]).code, 2);
    let both = home.json("tool", &["--hint", "parser", "--sessions", "5"]);
    assert_eq!(both["sessions"].as_array().unwrap().len(), 2);
}

/// Copies a session under another id, as a fork does, and goes on with it; returns its file.
fn forked(path: &Utf8Path, id: &str, said: &str) -> Utf8PathBuf {
    let own = path.file_stem().unwrap();
    let text = fs::read_to_string(path).unwrap().replace(&format!("{own}\""), &format!("{id}\""));
    let mut lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    go_on(&mut lines, said);
    let path = path.with_file_name(format!("{id}.jsonl"));
    write(&path, &lines);
    path
}

/// Adds what the user and the agent say to a session, later than all before; nothing where that is empty.
fn go_on(lines: &mut Vec<Value>, said: &str) {
    for (place, words) in [(0, said), (lines.len() - 1, "Will do.")] {
        if said.is_empty() {
            return;
        }
        let mut line = lines[place].clone();
        let count = lines.len();
        line["parentUuid"] = lines[count - 1]["uuid"].clone();
        line["uuid"] =
            json!(format!("9aaaaaaa-{}-4000-8000-0000000002{count:02}", said.len() + 1000));
        line["message"]["content"] = match line["type"] == "user" {
            true => json!(words),
            false => json!([{"type": "text", "text": words}]),
        };
        line["message"]["id"] = json!(format!("n{count}"));
        line["timestamp"] = json!(format!("2026-01-11T10:00:{count:02}.000Z"));
        lines.push(line);
    }
}

#[test]
fn a_hint_that_fits_copies_of_one_conversation_means_the_fullest() {
    let home = Home::new("hint-copies");
    let path = home.claude(PARSER);
    let fork = "5aaaaaaa-0000-4000-8000-000000000005";
    let meant = |hint: &str| {
        let said = home.pack("tool", &["--hint", hint, "--json"]);
        let pack: Value = serde_json::from_str(&said.stdout).unwrap_or_default();
        (said.code, pack["session"]["id"].as_str().unwrap_or_default().get(..1).map(str::to_owned))
    };
    let five = (0, Some("5".to_owned()));
    // What a fork turned to may be something else.
    forked(&path, fork, "Forget that, and make the pages darker");
    assert_eq!(meant("invoice parser"), (2, None));
    forked(&path, fork, "Round the amounts of the invoice, and mind the decimal marks");
    assert_eq!(meant("invoice parser"), five);
    // The name of the older one fits better.
    let named = json!({"type": "custom-title", "customTitle": "Cents", "sessionId": fork});
    let path_of_fork = path.with_file_name(format!("{fork}.jsonl"));
    let text = fs::read_to_string(&path_of_fork).unwrap();
    fs::write(&path_of_fork, format!("{text}{named}\n")).unwrap();
    assert_eq!(meant("decimal marks"), five);
    // Another session of the same words is no copy.
    let other = home.claude(Made { number: 6, ..PARSER });
    let text = fs::read_to_string(&other).unwrap();
    fs::write(&other, text.replace("This much is done.", "Nothing was done.")).unwrap();
    assert_eq!(meant("decimal marks").1, None);
    fs::remove_file(other).unwrap();
    // Nor is one whose other half went on.
    let text = fs::read_to_string(&path).unwrap();
    let mut lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    go_on(&mut lines, "Now the decimal marks of the totals");
    write(&path, &lines);
    fs::write(
        &path_of_fork,
        fs::read_to_string(&path_of_fork).unwrap().replace("Cents", "The decimal marks"),
    )
    .unwrap();
    assert_eq!(meant("decimal marks"), (2, None));
}

#[test]
fn a_hint_in_the_home_folder_searches_all_projects() {
    let home = Home::new("hint-home");
    [PARSER, SITE].into_iter().for_each(|made| drop(home.claude(made)));
    let found = home.json("", &["--hint", "darker pages"]);
    assert!(found["session"]["id"].as_str().unwrap().starts_with('3'));
}

#[test]
fn one_session_alone_is_told_as_before() {
    let home = Home::new("alone");
    home.claude(PARSER);
    let by_project = home.pack("tool", &["--sessions", "3"]).stdout;
    assert!(by_project.contains("\nSession in /") && !by_project.contains("S1"));
    let pack = home.json("tool", &[]);
    assert_eq!(each(&pack, "sessions", "name"), ["S1"]);
}

#[test]
fn no_secret_of_any_of_the_sessions_is_told() {
    let home = Home::new("secret");
    let secret = ["ghp", "R4nd0mT0kenV4lue9XqLz7Bw2Yc5Kd8Jf3Hs"].join("_");
    let request = format!("Give the landing pages a dark background, the key is {secret}");
    home.claude(PARSER);
    home.claude(Made { request: &request, ..SITE });
    let pack = home.json("tool", &["--sessions", "2"]).to_string();
    assert!(!pack.contains(&secret) && pack.contains("[REDACTED:"), "{pack}");
}

#[test]
fn a_session_of_the_future_stands_where_its_file_was_written() {
    let home = Home::new("future");
    home.claude(PARSER);
    // The day that stands in the file, and when that was written.
    let newest = |stamp: &str, written: &str| {
        let path = home.claude(SITE);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace("2026-01-14T10:00", stamp)).unwrap();
        let written: jiff::Timestamp = written.parse().unwrap();
        fs::File::options().write(true).open(&path).unwrap().set_modified(written.into()).unwrap();
        let said = home.pack("tool", &["--json"]);
        let pack: Value = serde_json::from_str(&said.stdout).unwrap();
        (pack["session"]["id"].as_str().unwrap()[..1].to_owned(), pack, said.stderr)
    };
    fs::create_dir_all(home.folder.join("tool/site")).unwrap();
    fs::write(home.folder.join("tool/site/style.css"), "a").unwrap();
    let (id, pack, _) = newest("2999-01-14T10:00", "2026-01-08T00:00:00Z");
    assert_eq!((id.as_str(), &pack["warnings"]), ("1", &json!([])));
    let none = home.pack("tool", &["--since", "2026-01-12"]);
    assert_eq!(none.code, 1, "{}", none.stderr);
    // Where the file is the newest too, the session is, and what changed since is left open.
    for written in ["2026-01-15T00:00:00Z", "2999-01-14T10:00:09Z"] {
        let (id, pack, said) = newest("2999-01-14T10:00", written);
        assert_eq!((id.as_str(), &pack["warnings"][0]["code"]), ("3", &json!("ends_in_future")));
        assert!(said.contains("), which is in the future: "), "{said}");
        assert_eq!(
            (&pack["session"]["age_days"], &pack["files"][0]["mark"]),
            (&Value::Null, &Value::Null)
        );
        let list = home.run("tool", &["list", "--project", home.folder.join("tool").as_str()]);
        assert!(
            list.stderr.contains("end in the future by their time stamps: 1 "),
            "{}",
            list.stderr
        );
        let shown =
            if written.starts_with("2999") { "2999-01-14 10:00" } else { "2026-01-15 00:00" };
        assert!(list.stdout.lines().nth(1).unwrap().contains(shown), "{}", list.stdout);
    }
    // Clocks of two machines are never quite the same.
    let soon = jiff::Timestamp::now() + jiff::SignedDuration::from_mins(2);
    let soon = soon.strftime("%Y-%m-%dT%H:%M").to_string();
    let (id, pack, said) = newest(&soon, "2026-01-08T00:00:00Z");
    assert_eq!((id.as_str(), &pack["warnings"]), ("3", &json!([])));
    assert!(!said.contains("future"), "{said}");
}

#[test]
fn a_file_is_set_against_the_session_that_it_is_told_of() {
    let home = Home::new("since");
    for (made, file) in [(PARSER, "tool/src/early.rs"), (AGAIN, "tool/src/late.rs")] {
        home.claude(Made { edits: file, ..made });
        let path = home.folder.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let file = fs::File::create(&path).unwrap();
        // On the 11th of January, between the two.
        let written =
            std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_768_132_800);
        file.set_modified(written).unwrap();
    }
    let pack = home.json("tool", &["--sessions", "2"]);
    let marks: Vec<_> = pack["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| (&file["path"], &file["mark"]))
        .collect();
    assert_eq!(json!(marks), json!([["src/late.rs", null], ["src/early.rs", "changed"]]));
}

#[test]
fn what_a_fork_holds_whole_is_no_session_of_its_own() {
    let home = Home::new("held");
    let path = home.claude(PARSER);
    home.claude(Made { edits: "tool/site/style.css", ..SITE });
    let packed = |count: &str| {
        let pack = home.json("tool", &["--sessions", count]);
        each(&pack, "sessions", "id").iter().map(|id| id[..1].to_owned()).collect::<String>()
    };
    assert_eq!(packed("2"), "31");
    forked(&path, "5aaaaaaa-0000-4000-8000-000000000005", "Now the changelog of the parser");
    // The fork holds all of the first, and there is room for the other one.
    assert_eq!((packed("2"), packed("3")), ("35".to_owned(), "35".to_owned()));
    // Not once the first went on as well.
    let text = fs::read_to_string(&path).unwrap();
    let mut lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    go_on(&mut lines, "And round the amounts");
    write(&path, &lines);
    assert_eq!(packed("3").len(), 3);
}

#[test]
fn a_hint_for_several_counts_what_a_fork_holds_once() {
    let home = Home::new("held-hint");
    let path = home.claude(PARSER);
    forked(&path, "5aaaaaaa-0000-4000-8000-000000000005", "Now the changelog of the parser");
    let pack = home.json("tool", &["--hint", "invoice parser", "--sessions", "3"]);
    assert_eq!(each(&pack, "sessions", "id").len(), 1);
}
