//! `segue doctor`: what is there of each harness, and what it says to do.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::program::{Call, Said};

const TOOL: [&str; 2] = ["--project", "/home/ada/tool"];
const SESSION: &str = ".codex/sessions/2026/01/05/\
                       rollout-2026-01-05T11-00-00-01990000-a0c1-7000-8000-0000000000c1.jsonl";

/// A home with one session, whose project is beside it.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        fs::create_dir_all(place.path("project/.git")).unwrap();
        let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/homes/three");
        let text = fs::read_to_string(home.join(SESSION)).unwrap();
        let project = place.path("project");
        place.put(SESSION, text.replace("/home/ada/tool", project.to_str().unwrap()).as_bytes());
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().canonicalize().unwrap().join(name)
    }

    fn put(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// Asks about the project, as a program would.
    fn ask(&self) -> (i32, Value) {
        let project = self.path("project");
        let args = ["doctor", "--json", "--project", project.to_str().unwrap()];
        let said = Call::new("nobody", &args).env("HOME", self.path("").to_str().unwrap()).run();
        (said.code, checked(&said))
    }
}

/// Returns a report that fits its schema.
fn checked(said: &Said) -> Value {
    let report: Value = serde_json::from_str(&said.stdout).unwrap();
    let printed = Call::new("nobody", &["schema", "doctor"]).run().stdout;
    let schema: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(crate::schema::bare_fields(&schema), Vec::<String>::new());
    let schema = jsonschema::validator_for(&schema).unwrap();
    assert_eq!(schema.validate(&report).map_err(|error| error.to_string()), Ok(()));
    assert_eq!(report["healthy"] == true, said.code == 0, "{}", said.stderr);
    report
}

/// Returns the rules of the findings, and how grave they are.
fn rules(report: &Value) -> Vec<(&str, &str)> {
    let all = report["findings"].as_array().unwrap().iter();
    all.map(|one| (one["severity"].as_str().unwrap(), one["rule"].as_str().unwrap())).collect()
}

#[test]
fn it_says_where_each_harness_keeps_what() {
    Call::new("three", &[&["doctor"][..], &TOOL].concat()).says("doctor");
    Call::new("nobody", &[&["doctor"][..], &TOOL].concat()).says("doctor-nobody");
    Call::new("memories", &["doctor", "--project", "/home/ada/toolbox", "--harness", "claude"])
        .says("doctor-memories");
}

#[test]
fn a_home_without_faults_is_healthy() {
    let said = Call::new("three", &[&["doctor", "--json"][..], &TOOL].concat()).run();
    let report = checked(&said);
    assert_eq!((said.code, said.stderr.as_str(), rules(&report)), (0, "", vec![]));
    let claude = &report["harnesses"][0];
    assert_eq!((&claude["name"], &claude["variable"]), (&"claude".into(), &"HOME".into()));
    assert_eq!((&claude["sessions"], &claude["versions"][0]), (&4.into(), &"2.1.84".into()));
    // What it counts is what the list shows.
    let list = Call::new("three", &["list", "--all", "--json"]).run().stdout;
    let counts = report["harnesses"].as_array().unwrap().iter();
    let count: u64 = counts.filter_map(|home| home["sessions"].as_u64()).sum();
    assert_eq!(count, list.lines().count() as u64);
    assert_eq!(report["project"]["newest"], "codex:01990000-a0c1-7000-8000-0000000000c1");
}

#[test]
fn a_variable_that_leads_nowhere_needs_the_user() {
    let args = [&["doctor", "--json"][..], &TOOL].concat();
    let said = Call::new("three", &args).env("CODEX_HOME", "/no/such/folder").run();
    let report = checked(&said);
    assert_eq!(said.code, 1);
    assert_eq!(said.stderr, "error: 1 finding needs you\n");
    assert_eq!(rules(&report), [("error", "home_is_missing")]);
    assert_eq!(report["findings"][0]["file"], "/no/such/folder");
    assert_eq!(report["harnesses"][1]["variable"], "CODEX_HOME");
    assert_eq!(report["harnesses"][1]["there"], false);
    let here = Call::new("nobody", &args).env("CODEX_HOME", "fixtures/homes/three/.codex").run();
    assert_eq!((here.code, &checked(&here)["harnesses"][1]["sessions"]), (0, &1.into()));
}

#[test]
fn no_home_at_all_needs_the_user_and_a_home_that_is_a_file_is_told() {
    let said = Call::new("nobody", &[&["doctor", "--json"][..], &TOOL].concat()).run();
    assert_eq!(rules(&checked(&said)), [("error", "no_home"), ("info", "no_sessions")]);
    let said =
        Call::new("x", &["doctor", "--project", "/home/ada"]).env("HOME", "Cargo.toml").run();
    let why = "no harness has a home here: HOME is `Cargo.toml`, which is no folder [no_home]";
    assert!(said.stdout.contains(why), "{}", said.stdout);
}

#[test]
fn a_file_where_a_harness_has_its_home_by_default_is_in_its_way() {
    let place = Place::new();
    place.put(".gemini", b"x");
    let (code, report) = place.ask();
    assert_eq!((code, rules(&report)), (1, vec![("error", "home_is_missing")]));
    let message = report["findings"][0]["message"].as_str().unwrap();
    assert!(message.ends_with("/.gemini`, which is no folder"), "{message}");
}

#[test]
fn what_cannot_be_read_is_named_with_the_reason_and_the_list_is_bounded() {
    let place = Place::new();
    // The first bytes of a packed file, and no more.
    for number in 0..25 {
        let name = format!(".codex/sessions/2026/01/06/rollout-{number:02}.jsonl.zst");
        place.put(&name, b"\x28\xb5\x2f\xfd\x00");
    }
    let (code, report) = place.ask();
    assert_eq!((code, &report["more_findings"]), (1, &5.into()));
    let findings = report["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 20);
    let packed = &findings[0];
    assert!(packed["message"].as_str().unwrap().ends_with("packed with zstd, and cut off"));
    assert!(packed["file"].as_str().unwrap().ends_with("rollout-00.jsonl.zst"));
    assert_eq!(packed["hint"], "copy it once more from where it came");
    assert_eq!(report["harnesses"][1]["sessions"], 1, "the others are counted");
}

#[test]
fn a_memory_that_cannot_be_read_is_a_warning() {
    let place = Place::new();
    place.put(".claude/projects/x/memory/wide.md", b"\xff\xfeb\0a\0d\0");
    place.put(".claude/projects/x/memory/plain.md", b"---\nname: a\n---\n\nUse tabs.\n");
    let (code, report) = place.ask();
    assert_eq!((code, &report["harnesses"][0]["memories"]), (0, &1.into()));
    assert_eq!(report["findings"][0]["rule"], "unreadable_memory");
    let message = report["findings"][0]["message"].as_str().unwrap();
    assert!(message.ends_with("is not read: it is no text in UTF-8"), "{message}");
}

#[test]
#[cfg(unix)]
fn a_memory_that_others_keep_is_not_to_be_taken_away() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Place::new();
    place.put(".claude/projects/x/memory/shut/a.md", b"Use tabs.\n");
    let shut = place.path(".claude/projects/x/memory/shut");
    fs::set_permissions(&shut, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read_dir(&shut).is_ok() {
        crate::data::tell("SKIPPED: this user may read everything");
        return;
    }
    let (_, report) = place.ask();
    fs::set_permissions(&shut, fs::Permissions::from_mode(0o700)).unwrap();
    let finding = &report["findings"][0];
    let message = finding["message"].as_str().unwrap();
    assert!(message.ends_with("is not read: you have no permission"), "{message}");
    assert!(finding["hint"].as_str().unwrap().contains("chmod u+rX"), "{finding}");
}

#[test]
fn a_block_that_may_be_out_of_date_is_told_and_needs_nobody() {
    let place = Place::new();
    let block = |session: &str| {
        format!(
            "# Mine\n\n<!-- segue:pack:start hash=0 -->\n<resume-pack from=\"segue\" \
             session=\"{session}\" hash=\"0\">\n</resume-pack>\n<!-- segue:pack:end -->\n"
        )
    };
    // What it stands for ended long before the file was written.
    place.put("project/AGENTS.md", block("codex:01990000-a0c1").as_bytes());
    place.put("project/CLAUDE.md", b"# No block\n");
    let (code, report) = place.ask();
    assert_eq!((code, rules(&report).contains(&("info", "stale_block"))), (0, false));
    let blocks = report["project"]["blocks"].as_array().unwrap();
    assert_eq!((blocks.len(), &blocks[0]["session"]), (1, &"codex:01990000-a0c1".into()));
    let project = place.path("project");
    let asked = Call::new("nobody", &["doctor", "--project", project.to_str().unwrap()]);
    let said = asked.env("HOME", place.path("").to_str().unwrap()).run().stdout;
    // Of the files of the project it did not look at any.
    let project = project.display();
    let compares = format!("`segue sync {project}/AGENTS.md --project {project} --check` compares");
    assert!(said.contains(&compares), "{said}");
    place.put("project/AGENTS.md", block("codex:01980000-0000").as_bytes());
    let (code, report) = place.ask();
    assert_eq!((code, rules(&report).contains(&("info", "stale_block"))), (0, true));
    assert_eq!(report["project"]["blocks"][0]["perhaps_stale"], true);
    place.put("project/AGENTS.md", block("codex:01990000-a0c1").as_bytes());
    let long_ago = std::time::SystemTime::UNIX_EPOCH;
    let file = fs::File::options().write(true).open(place.path("project/AGENTS.md")).unwrap();
    file.set_modified(long_ago).unwrap();
    let (_, report) = place.ask();
    let message = report["findings"].to_string();
    assert!(message.contains("went on after it was written"), "{message}");
}

#[test]
fn a_block_that_is_not_read_is_told() {
    let place = Place::new();
    let own = segue::block::put_signed(b"# Mine\n", segue::block::PACK, "0", "one\n").unwrap();
    place.put("project/AGENTS.md", &own);
    place.put("project/AGENTS.override.md", b"mine\n");
    let (code, report) = place.ask();
    assert_eq!((code, rules(&report).contains(&("warning", "hidden_block"))), (0, true));
    let other = report["project"]["blocks"][0]["hidden_by"].as_str().unwrap();
    assert!(other.ends_with("/AGENTS.override.md"), "{other}");
}

#[test]
fn the_commands_of_hints_mean_the_project_and_its_file() {
    let place = Place::new();
    let root = place.path("it's $x");
    let own = segue::block::put_signed(b"", segue::block::PACK, "0", "one\ntwo\n").unwrap();
    let own = String::from_utf8(own).unwrap().replace("two", "three");
    place.put("it's $x/AGENTS.md", own.as_bytes());
    place.put("it's $x/CLAUDE.md", own.as_bytes());
    place.put("it's $x/AGENTS.override.md", b"mine\n");
    let folder = root.to_str().unwrap().replace('\'', r"'\''");
    let sync = |name: &str| format!("`segue sync '{folder}/{name}'");
    let ask = |project: Option<&str>, harness: &[&str]| {
        let project: Vec<_> = project.into_iter().flat_map(|it| ["--project", it]).collect();
        let args = [&["doctor", "--json"][..], &project, harness].concat();
        let call = Call::new("nobody", &args).at(&root, "none");
        let report = checked(&call.env("HOME", place.path("").to_str().unwrap()).run());
        let hints = report["findings"].as_array().unwrap().iter().map(|one| one["hint"].clone());
        hints.filter_map(|hint| hint.as_str().map(str::to_owned)).collect::<Vec<_>>().join("\n")
    };
    // Where the command is run in the project, its files are enough.
    let hints = ask(None, &[]);
    let whole = [sync("CLAUDE.md") + "` makes", sync("AGENTS.md") + " --remove` takes"];
    assert!(whole.iter().all(|it| hints.contains(it)), "{hints}");
    // Elsewhere the newest session would be one of another project.
    let hints = ask(root.to_str(), &["--harness", "codex"]);
    let meant = format!(" --project '{folder}' --harness codex`");
    let whole = [sync("CLAUDE.md") + &meant, sync("AGENTS.override.md") + &meant];
    assert!(whole.iter().all(|it| hints.contains(it)), "{hints}");
}

#[test]
fn a_block_that_somebody_changed_is_told() {
    let place = Place::new();
    let own = segue::block::put_signed(b"# Mine\n", segue::block::PACK, "0", "one\ntwo\n").unwrap();
    let own = String::from_utf8(own).unwrap();
    for (text, is_told) in [(own.clone(), false), (own.replace("two", "three"), true)] {
        place.put("project/AGENTS.md", text.as_bytes());
        let (code, report) = place.ask();
        assert_eq!((code, rules(&report).contains(&("info", "touched_block"))), (0, is_told));
    }
}

#[test]
fn a_block_with_broken_markers_needs_the_user() {
    let place = Place::new();
    place.put("project/AGENTS.md", b"<!-- segue:memory:end -->\n");
    let (code, report) = place.ask();
    assert_eq!(code, 1);
    assert!(rules(&report).contains(&("error", "broken_block")), "{report}");
}

#[test]
fn nothing_of_a_file_name_steers_the_terminal() {
    let place = Place::new();
    place.put(
        ".codex/sessions/2026/01/06/rollout-\u{1b}[31m\u{202e}.jsonl.zst",
        b"\x28\xb5\x2f\xfd",
    );
    let home = place.path("");
    let said = Call::new("x", &["doctor", "--project", "/home/ada"])
        .env("HOME", home.to_str().unwrap())
        .run();
    let steers = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
    assert!(said.stdout.contains("cut off") && !said.stdout.contains(steers), "{:?}", said.stdout);
}

#[test]
fn what_was_converted_tells_no_version_of_the_program() {
    let place = Place::new();
    let home = place.path("");
    let args = ["convert", "fixtures/claude/2.1.84/compaction.jsonl", "--to", "codex", "--install"];
    let said = Call::new("nobody", &args).env("HOME", home.to_str().unwrap()).run();
    assert_eq!(said.code, 0, "{}", said.stderr);
    let (_, report) = place.ask();
    let codex = report["harnesses"].as_array().unwrap().iter().find(|one| one["name"] == "codex");
    let codex = codex.unwrap();
    assert_eq!((&codex["sessions"], &codex["versions"]), (&2.into(), &json!(["0.142.0"])));
}

#[test]
fn the_newest_session_is_the_one_that_a_pack_takes() {
    let place = Place::new();
    let project = place.path("project");
    let folder = project.to_str().unwrap();
    let id = "00000001-0000-4000-8000-000000000000";
    let line = |kind: &str, words: &str| {
        format!(
            "{{\"type\":\"{kind}\",\"cwd\":\"{folder}\",\"sessionId\":\"{id}\",\"timestamp\":\
             \"2026-02-05T10:00:00.000Z\",\"message\":{{\"role\":\"{kind}\",\"content\":\
             [{{\"type\":\"text\",\"text\":\"{words}\"}}]}}}}\n"
        )
    };
    // The request stands where neither end of the file reaches.
    let many = line("assistant", &"word ".repeat(200)).repeat(60);
    let text = format!("{many}{}{many}", line("user", "Make it fast"));
    place.put(&format!(".claude/projects/any/{id}.jsonl"), text.as_bytes());
    let (_, report) = place.ask();
    let shelf = project.to_str().unwrap().replace(['/', '.', '_'], "-");
    place.put(&format!(".claude/projects/{shelf}/{id}.jsonl"), text.as_bytes());
    let args = ["pack", "--project", folder, "--json"];
    let said = Call::new("nobody", &args).env("HOME", place.path("").to_str().unwrap()).run();
    let pack: Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(report["project"]["newest"], format!("claude:{id}"));
    assert!(pack.to_string().contains(id), "{pack}");
}
