//! What `export` prints can be read back, and is the same session.

use std::path::{Path, PathBuf};

use segue::harness;
use segue::jsonl::Input;

use crate::corpus::sessions;
use crate::mutations;
use crate::program::{Call, Said};

fn segue(args: &[&str], stdin: &str) -> Said {
    Call::new("nobody", args).stdin(stdin.as_bytes()).run()
}

/// Returns each fixture that can be read, with its export.
fn exports(more: &[&str]) -> Vec<(PathBuf, String)> {
    let fixtures = sessions(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")).into_iter();
    let export = |path: PathBuf| {
        let args = [&["export", "-q", path.to_str().unwrap()], more].concat();
        let said = segue(&args, "");
        (said.code == 0).then_some((path, said.stdout))
    };
    let found: Vec<_> = fixtures.filter_map(export).collect();
    assert!(found.len() > 30, "{}", found.len());
    found
}

/// Returns an export without what tells where it was read.
fn records(ndjson: &str) -> Vec<String> {
    let without = |line: &str| match line.split_once(",\"source\":{") {
        Some((before, _)) if line.starts_with("{\"type\":\"session\"") => before.to_owned(),
        _ => line.to_owned(),
    };
    ndjson.lines().map(without).collect()
}

#[test]
fn an_export_of_an_export_has_the_same_records() {
    for more in [&["--raw", "--blobs"][..], &["--view", "live"], &[]] {
        for (path, first) in exports(more) {
            let again = segue(&[&["export", "-"], more].concat(), &first);
            assert_eq!(again.code, 0, "{}: {}", path.display(), again.stderr);
            assert_eq!(records(&again.stdout), records(&first), "{}", path.display());
        }
    }
}

#[test]
fn the_live_view_of_a_full_export_is_that_of_the_source() {
    for (path, full) in exports(&[]) {
        let ours = segue(&["export", "-q", "--view", "live", "-"], &full).stdout;
        let source = segue(&["export", "-q", "--view", "live", path.to_str().unwrap()], "").stdout;
        assert_eq!(records(&ours), records(&source), "{}", path.display());
    }
}

#[test]
fn a_pack_of_an_export_is_the_pack_of_the_source() {
    let folder = tempfile::tempdir().unwrap();
    let made = folder.path().join("made.ndjson");
    let made = made.to_str().unwrap();
    let mut packed = 0;
    for (path, export) in exports(&[]) {
        let path = path.to_str().unwrap();
        std::fs::write(made, export).unwrap();
        let pack = |of: &str| {
            let args = ["pack", "--no-check", "--as-of", "2026-12-01", "--budget", "6000", of];
            let said = segue(&args, "");
            // A path with odd characters stands in quotes.
            let same = |text: &str| text.replace(&format!("'{of}'"), of).replace(of, "SOURCE");
            (said.code, same(&said.stdout), same(&said.stderr))
        };
        let (ours, source) = (pack(made), pack(path));
        assert_eq!(ours, source, "{path}");
        packed += usize::from(ours.0 == 0);
    }
    assert!(packed > 25, "{packed}");
}

#[test]
fn whatever_is_named_it_is_read_as_what_it_is_and_never_listed() {
    let (_, export) = exports(&[]).swap_remove(0);
    let said = segue(&["export", "--harness", "gemini", "-"], &export);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let listed = Call::new("three", &["list", "--all", "--json"]).run();
    assert!(!listed.stdout.contains("\"segue\""), "{}", listed.stdout);
}

#[test]
fn it_cannot_be_taken_back_to_a_turn() {
    let (_, export) = exports(&[]).swap_remove(0);
    let said = segue(&["pack", "--until", "T-1", "-"], &export);
    assert_eq!(said.code, 2);
    assert!(
        said.stderr.contains("is an export, which tells nothing of its past"),
        "{}",
        said.stderr
    );
}

#[test]
fn odd_records_are_noted_and_the_rest_is_read() {
    let header = r#"{"type":"session","schema":"segue-session-1","id":7,"harness":"x","git":[1],"title":{}}"#;
    let lines = [
        header,
        r#"{"type":"message","id":"a","role":"user","origin":"never","parts":"go on","turn":-1}"#,
        r#"{"type":"message","role":"nobody","parts":[]}"#,
        r#"{"type":"tool_call","id":"b","name":"Bash","call_id":"c","arguments":[1],"kind":5}"#,
        r#"{"type":"tool_result","id":"d","call_id":"c","status":"lost","output":[{"type":"text"}],"exit_code":"x"}"#,
        r#"{"type":"new","id":"e"}"#,
        r#"{"type":"end","lines_read":9,"lines_used":1,"lines_bookkeeping":1,"lines_noted":1,"notes":[]}"#,
        r#"{"type":"#,
    ];
    let said = segue(&["export", "-v", "-"], &lines.join("\n"));
    assert_eq!(said.code, 0, "{}", said.stderr);
    for note in ["incomplete records `message`: 1", "unknown type `new`: 1", "cut off: 1"] {
        assert!(said.stderr.contains(note), "{note}: {}", said.stderr);
    }
    assert!(said.stdout.contains("\"name\":\"Bash\",\"kind\":\"other\""), "{}", said.stdout);
    assert!(said.stdout.contains("\"lines_read\":8,\"lines_used\":5"), "{}", said.stdout);
    let header_alone = segue(&["export", "-"], header);
    assert_eq!(header_alone.code, 3, "{}", header_alone.stdout);
}

#[test]
fn an_export_without_its_end_is_told_to_be_cut_off() {
    let lines = [
        r#"{"type":"session","schema":"segue-session-1","id":"7","harness":"x"}"#,
        r#"{"type":"message","id":"a","role":"user","origin":"human","parts":[{"type":"text","text":"go"}]}"#,
        r#"{"type":"end","lines_read":2,"lines_used":2,"lines_bookkeeping":0,"lines_noted":0,"notes":[]}"#,
    ];
    let whole = segue(&["export", "-"], &lines.join("\n"));
    assert!(whole.code == 0 && !whole.stderr.contains("cut off"), "{}", whole.stderr);
    let part = segue(&["export", "-"], &lines[..2].join("\n"));
    assert!(part.stderr.contains("cut off `end`: 1"), "{}", part.stderr);
}

#[test]
fn damaged_exports_are_read_without_a_panic() {
    let session = |(path, export): (PathBuf, String)| {
        let input = Input::memory("export", export.as_bytes());
        let harness = harness::recognise(&input).unwrap();
        assert_eq!(harness.name(), "segue", "{}", path.display());
        (harness, path, export.into_bytes())
    };
    let sessions: Vec<_> = exports(&["--raw"]).into_iter().map(session).collect();
    mutations::hold(&sessions);
}
