//! What the program says to common mistakes: what happened, where, and what to do next.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use segue::error::Error;

use crate::program::{Call, Said, snapshots};

const SESSION: &str = "home/.claude/projects/-home-ada-toolbox/\
                       aa11bb22-4444-4ddd-8ddd-000000000004.jsonl";
const TWICE: &str = "<!-- segue:pack:start hash=a -->\n<!-- segue:pack:end -->\n\n\
                     <!-- segue:pack:start hash=a -->\n<!-- segue:pack:end -->\n";

/// What was done, in which home, and the arguments.
type Mistake = (&'static str, &'static str, &'static [&'static str]);

const NOT_FOUND: &[Mistake] = &[
    ("no session anywhere", "empty", &["list", "--all"]),
    ("the home is a file", "notes.txt", &["list", "--all"]),
    ("a project without sessions", "home", &["pack", "--project", "/home/ada/elsewhere"]),
    ("a time after the last session", "home", &["list", "--all", "--since", "2030-01-01"]),
    ("an unknown id", "home", &["pack", "feedbeef"]),
    ("an id that is too short", "home", &["pack", "ab"]),
    ("the start of two ids", "twins", &["pack", "abcd1234"]),
    (
        "words that no session has",
        "home",
        &["pack", "--project", "/home/ada/tool", "--hint", "kite"],
    ),
    ("an unknown turn", "home", &["show", "T-99", "--session", "s.jsonl"]),
    ("words that stand nowhere", "home", &["search", "kite", "--session", "s.jsonl"]),
    ("a point that is not there", "home", &["pack", "s.jsonl", "--until", "T-99"]),
];

const INPUTS: &[Mistake] = &[
    ("a file that is missing", "home", &["export", "nope.jsonl"]),
    ("an export that is missing", "home", &["pack", "nope.ndjson"]),
    ("an export that cannot be read back", "home", &["pack", "whole.json"]),
    ("a document that is cut off", "home", &["check", "half.json"]),
    ("a folder", "home", &["export", "folder"]),
    ("a file of no harness", "home", &["export", "notes.txt"]),
    ("a binary file", "home", &["export", "image.png"]),
    ("a file packed with gzip", "home", &["export", "s.jsonl.gz"]),
    ("a file of another encoding", "home", &["export", "wide.jsonl"]),
    ("an empty file", "home", &["export", "empty.jsonl"]),
    ("a pipe from nothing", "home", &["pack", "-"]),
    ("a packed file that is cut off", "home", &["export", "cut.jsonl.zst"]),
    ("a session in which nothing was said", "home", &["convert", "stub.jsonl", "--to", "codex"]),
    ("the wrong harness", "home", &["export", "s.jsonl", "--harness", "codex"]),
    ("a file that cannot be resumed", "home", &["check", "notes.txt", "--as", "codex"]),
    ("packs that are none", "home", &["diff", "notes.txt", "notes.txt"]),
    ("records that are none", "home", &["memory", "import", "notes.txt", "--to", "claude"]),
    ("memories that are none", "home", &["memory", "list", "notes.txt"]),
    ("a template that is missing", "home", &["pack", "s.jsonl", "--template", "nope.j2"]),
    ("a template that ends too early", "home", &["pack", "s.jsonl", "--template", "open.j2"]),
    ("a template with an unknown name", "home", &["pack", "s.jsonl", "--template", "name.j2"]),
    ("weights that are none", "home", &["pack", "s.jsonl", "--weights", "notes.txt"]),
];

const USAGE: &[Mistake] = &[
    ("a misspelt command", "home", &["pakc"]),
    ("a misspelt option", "home", &["pack", "--bugdet", "100"]),
    ("an unknown harness", "home", &["convert", "s.jsonl", "--to", "other"]),
    ("no harness", "home", &["convert", "s.jsonl"]),
    ("an unknown form", "home", &["export", "s.jsonl", "--to", "pdf"]),
    ("a budget that is no number", "home", &["pack", "s.jsonl", "--budget", "many"]),
    ("a budget below nothing", "home", &["pack", "s.jsonl", "--budget", "-5"]),
    ("a budget that is too small", "home", &["pack", "--demo", "--budget", "5"]),
    ("a budget of one", "home", &["pack", "--demo", "--max-chars", "1"]),
    ("options that contradict each other", "home", &["pack", "s.jsonl", "--demo"]),
    ("no session at all", "home", &["pack", "--sessions", "-1"]),
    ("fewer rows than none", "home", &["list", "--limit", "-1"]),
    ("a time to come", "home", &["list", "--since", "-1d"]),
    ("a time that is none", "home", &["list", "--since", "yesterday"]),
    ("a point that is none", "home", &["pack", "s.jsonl", "--until", "whenever"]),
    ("a point that is too short", "home", &["pack", "s.jsonl", "--until", "-1"]),
    ("a day that is none", "home", &["pack", "s.jsonl", "--as-of", "friday"]),
    ("lines that are none", "home", &["span", "notes.txt", "1-2"]),
    ("lines before the first", "home", &["span", "notes.txt", "-1..3"]),
    ("a way of counting that is none", "home", &["pack", "s.jsonl", "--count-as", "abacus"]),
    (
        "one file for two outputs",
        "home",
        &["convert", "s.jsonl", "--to", "codex", "--out", "x", "--report", "x"],
    ),
    (
        "a session and its report in one stream",
        "home",
        &["convert", "s.jsonl", "--to", "codex", "--report", "-"],
    ),
    ("a file that is no context file", "home", &["sync", "notes.txt", "--session", "s.jsonl"]),
];

const OUTPUTS: &[Mistake] = &[
    (
        "a conversion into its own source",
        "home",
        &["convert", "s.jsonl", "--to", "codex", "--out", "./s.jsonl"],
    ),
    ("an export into its own source", "home", &["export", "s.jsonl", "--out", "s.jsonl"]),
    ("a pack over a session", "home", &["pack", "s.jsonl", "--out", SESSION]),
    (
        "a report over a session",
        "home",
        &["convert", "s.jsonl", "--to", "codex", "--report", SESSION],
    ),
    ("a folder that is missing", "home", &["export", "s.jsonl", "--out", "no/such/x"]),
    ("a folder in place of a file", "home", &["export", "s.jsonl", "--out", "folder"]),
    ("a file in place of a folder", "home", &["export", "--all", "--out-dir", "notes.txt"]),
    ("two blocks", "home", &["sync", "TWICE.md", "--session", "s.jsonl"]),
    ("half a block", "home", &["sync", "HALF.md", "--session", "s.jsonl"]),
];

const MEMORIES: &[Mistake] = &[
    (
        "a part of several memories",
        "memories",
        &["memory", "edit", "claude", "--match", "e", "--remove"],
    ),
    (
        "a part of no memory",
        "memories",
        &["memory", "edit", "claude", "--match", "kite", "--remove"],
    ),
    ("nowhere to go", "memories", &["memory", "migrate", "--from", "claude", "--to", "claude"]),
    ("an unknown memory", "memories", &["memory", "show", "mem_ffff"]),
    ("an unknown keeper", "memories", &["memory", "list", "nosuch"]),
    ("no memories", "empty", &["memory", "list"]),
];

/// Makes a folder with all that a user can get wrong.
fn place() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    let put = |name: &str, bytes: &[u8]| {
        let path = place.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    };
    let homes = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/homes");
    for (from, to) in [("three", "home"), ("twins", "twins"), ("memories", "memories")] {
        for file in crate::data::files(&homes.join(from)) {
            let name = file.strip_prefix(homes.join(from)).unwrap().to_str().unwrap();
            put(&format!("{to}/{name}"), &fs::read(&file).unwrap());
        }
    }
    let session = fs::read(place.path().join(SESSION)).unwrap();
    put("s.jsonl", &session);
    put("cut.jsonl.zst", &zstd::encode_all(&session[..], 3).unwrap()[..100]);
    let stub = "stubs/.claude/projects/-home-ada-tool/5a5a0000-0000-4000-8000-000000000002.jsonl";
    put("stub.jsonl", &fs::read(homes.join(stub)).unwrap());
    let whole =
        Call::new("nobody", &["export", "s.jsonl", "--to", "json"]).at(place.path(), "home");
    put("whole.json", whole.run().stdout.as_bytes());
    put("half.json", b"{\n  \"sessionId\": \"x\",\n  \"projectHash\": \"y\",\n  \"messages\": [\n");
    put("empty/.keep", b"");
    put("empty.jsonl", b"");
    put("folder/x", b"");
    put("notes.txt", b"# Some notes\n");
    put("image.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\x01\xff\xfe");
    put("s.jsonl.gz", b"\x1f\x8b\x08\0\0\0\0\0\0\x03");
    put("wide.jsonl", b"\xff\xfe{\0\"\0");
    put("open.j2", b"one\n{{ nope");
    put("name.j2", b"one\ntwo\n{{ nope.goal }}\n");
    put("TWICE.md", TWICE.as_bytes());
    put("HALF.md", b"# Mine\n\n<!-- segue:pack:start hash=a -->\n");
    place
}

fn said(place: &Path, (_, home, args): &Mistake) -> Said {
    let project: &[&str] = match (args[0], *home) {
        ("memory", "memories") => &["--project", "/home/ada/toolbox"],
        ("memory", "empty") => &["--project", "/home/ada/tool"],
        _ => &[],
    };
    Call::new("nobody", &[args, project].concat()).at(place, home).run()
}

#[test]
fn each_mistake_is_told_in_plain_words() {
    let place = place();
    let mut told = String::new();
    let groups = [NOT_FOUND, INPUTS, USAGE, OUTPUTS, MEMORIES];
    for mistake in groups.into_iter().flatten() {
        let (what, _, args) = mistake;
        let Said { code, stderr, .. } = said(place.path(), mistake);
        assert!((1..=5).contains(&code), "{what}: exit {code}\n{stderr}");
        assert!(stderr.contains("error: "), "{what}: {stderr}");
        for noise in
            ["os error", "Error {", "Custom {", "panicked", "\\n", place.path().to_str().unwrap()]
        {
            assert!(!stderr.contains(noise), "{what} says {noise}: {stderr}");
        }
        writeln!(told, "## {what}\n$ segue {}\n{stderr}exit {code}\n", args.join(" ")).unwrap();
    }
    snapshots("cli").bind(|| insta::assert_snapshot!("errors", told));
}

#[test]
fn no_session_is_written_over() {
    let place = place();
    let state = || {
        let files = ["s.jsonl", SESSION].map(|name| fs::read(place.path().join(name)).unwrap());
        (files, crate::data::files(place.path()))
    };
    let before = state();
    for mistake in &OUTPUTS[..4] {
        assert_eq!(said(place.path(), mistake).code, 4, "{}", mistake.0);
    }
    let memory = "memories/.claude/projects/-home-ada-toolbox/memory/ada.md";
    let args = ["memory", "export", "claude", "--project", "/home/ada/toolbox", "-o", memory];
    let said = Call::new("nobody", &args).at(place.path(), "memories").run();
    assert_eq!(said.code, 4, "{}", said.stderr);
    assert!(before == state(), "something was written");
    // Another file is written over, as asked.
    let args = ["export", "s.jsonl", "--out", "notes.txt"];
    assert_eq!(Call::new("nobody", &args).at(place.path(), "home").run().code, 0);
    assert!(fs::read_to_string(place.path().join("notes.txt")).unwrap().starts_with("{\"type\":"));
}

#[test]
#[cfg(unix)]
fn a_link_to_the_source_is_the_source() {
    let place = place();
    std::os::unix::fs::symlink("s.jsonl", place.path().join("link")).unwrap();
    let said =
        Call::new("nobody", &["export", "s.jsonl", "--out", "link"]).at(place.path(), "home").run();
    assert_eq!(said.code, 4);
    assert_eq!(
        said.stderr,
        "error: `link` stays as it is: it is the source itself\nhint: give the output another name\n"
    );
}

#[test]
fn what_may_not_be_read_says_so() {
    let denied = || std::io::Error::from(std::io::ErrorKind::PermissionDenied);
    let error = Error::read("x.jsonl", denied());
    assert_eq!(error.to_string(), "cannot read `x.jsonl`: you have no permission");
    assert!(error.hint().unwrap().contains("chmod u+r"));
    assert_eq!(error.exit_code(), 3);
    let error = Error::write("x.jsonl", denied());
    assert_eq!(error.to_string(), "cannot write `x.jsonl`: you have no permission");
    assert_eq!((error.exit_code(), error.hint().is_some()), (4, true));
}
