//! `export --all`: every session once, what is up to date left alone, what fails told by file.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::program::{Call, Said};

fn all(home: &Path, out: &Path, more: &[&str]) -> Said {
    let args = [&["export", "--all", "--out-dir", out.to_str().unwrap()], more].concat();
    Call::new("none", &args).env("HOME", home.to_str().unwrap()).run()
}

/// Returns a copy of a home of the fixtures, and a folder for exports.
fn folders() -> (tempfile::TempDir, tempfile::TempDir) {
    let home = tempfile::tempdir().unwrap();
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/homes/three/.");
    let copied = Command::new("cp").arg("-r").arg(from).arg(home.path()).status().unwrap();
    assert!(copied.success());
    (home, tempfile::tempdir().unwrap())
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

const SESSION: &str = ".claude/projects/-home-ada-tool/3f2c8a10-1111-4aaa-8aaa-000000000001.jsonl";
const FILE: &str = "claude-3f2c8a10-1111-4aaa-8aaa-000000000001.ndjson";

#[test]
fn every_session_becomes_a_file_that_is_its_export() {
    let (home, out) = folders();
    let said = all(home.path(), out.path(), &[]);
    assert_eq!((said.code, said.stdout.as_str()), (0, ""), "{}", said.stderr);
    assert!(said.stderr.contains("6 exported, 0 up to date, 0 failed"), "{}", said.stderr);
    let names = names(out.path());
    assert_eq!(names.len(), 7, "{names:?}");
    let session = home.path().join(SESSION);
    let one = Call::new("nobody", &["export", session.to_str().unwrap()]).run().stdout;
    assert_eq!(fs::read_to_string(out.path().join(FILE)).unwrap(), one);
}

#[test]
fn a_session_that_went_on_in_two_places_is_exported_twice() {
    let (home, out) = folders();
    let text = fs::read_to_string(home.path().join(SESSION)).unwrap();
    let name = SESSION.rsplit('/').next().unwrap();
    let beside = |folder: &str, text: &str| {
        let folder = home.path().join(".claude/projects").join(folder);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(name), text).unwrap();
    };
    // One that only holds the beginning says nothing of its own.
    beside("-home-ada-older", &text[..=text.find('\n').unwrap()]);
    // A copy may be cut off in its last line.
    beside("-home-ada-cut", &text[..text.trim_end().rfind('\n').unwrap() + 9]);
    let words = text.replace("\"content\":\"", "\"content\":\"ONLY THERE ");
    assert_ne!(words, text);
    beside("-home-ada-other", &words);
    let said = all(home.path(), out.path(), &["--strict"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stderr.contains("7 exported, 0 up to date, 0 failed"), "{}", said.stderr);
    let start = FILE.trim_end_matches(".ndjson");
    let both = names(out.path()).into_iter().filter(|name| name.starts_with(start));
    let texts = both.map(|name| fs::read_to_string(out.path().join(name)).unwrap());
    let told = texts.map(|text| text.contains("ONLY THERE")).collect::<Vec<_>>();
    assert!(told.len() == 2 && told.contains(&true) && told.contains(&false), "{told:?}");
    let again = all(home.path(), out.path(), &[]);
    assert!(again.stderr.contains("0 exported, 7 up to date"), "{}", again.stderr);
    // Whichever is gone on with, each keeps its name.
    let made = names(out.path());
    let other = home.path().join(".claude/projects/-home-ada-other").join(name);
    for (path, year) in [(&other, 2031), (&home.path().join(SESSION), 2032), (&other, 2033)] {
        let line = text.lines().rfind(|line| line.contains("\"timestamp\":\"20")).unwrap();
        let at = line.find("\"timestamp\":\"20").unwrap() + 13;
        let line = format!("{}{year}{}\n", &line[..at], &line[at + 4..]);
        fs::write(path, fs::read_to_string(path).unwrap() + &line).unwrap();
        let again = all(home.path(), out.path(), &[]);
        assert!(again.stderr.contains("1 exported, 6 up to date"), "{}", again.stderr);
        assert_eq!(names(out.path()), made);
    }
}

#[test]
fn only_what_changed_is_written_again() {
    let (home, out) = folders();
    all(home.path(), out.path(), &[]);
    let again = all(home.path(), out.path(), &[]);
    assert!(again.stderr.contains("0 exported, 6 up to date"), "{}", again.stderr);
    let session = home.path().join(SESSION);
    let text = fs::read_to_string(&session).unwrap();
    let last = text.lines().last().unwrap();
    fs::write(&session, format!("{text}{last}\n")).unwrap();
    let grown = all(home.path(), out.path(), &[]);
    assert!(grown.stderr.contains("1 exported, 5 up to date"), "{}", grown.stderr);
    // A file that somebody changed or deleted is not up to date either.
    fs::write(out.path().join(FILE), "changed").unwrap();
    fs::remove_file(out.path().join("codex-01990000-a0c1-7000-8000-0000000000c1.ndjson")).unwrap();
    let mended = all(home.path(), out.path(), &[]);
    assert!(mended.stderr.contains("2 exported, 4 up to date"), "{}", mended.stderr);
    let told = mended.stderr.lines().filter(|line| line.ends_with("changed in it by hand is gone"));
    let told: Vec<_> = told.collect();
    assert!(told.len() == 1 && told[0].contains(FILE), "{told:?}");
    assert!(!grown.stderr.contains("by hand"), "{}", grown.stderr);
    let other = all(home.path(), out.path(), &["--view", "live"]);
    assert!(other.stderr.contains("6 exported, 0 up to date"), "{}", other.stderr);
}

#[test]
fn a_note_of_all_says_where_it_was_first() {
    let (home, out) = folders();
    let session = home.path().join(SESSION);
    let text = fs::read_to_string(&session).unwrap();
    let more = ["strange", "stranger"].map(|kind| format!("{{\"type\":\"{kind}\"}}\n"));
    fs::write(&session, format!("{text}{}", more.concat())).unwrap();
    let said = all(home.path(), out.path(), &[]);
    let note = "note: skipped records of unknown type: 2 (2 names; `-v` shows each)\n";
    assert!(said.stderr.contains(note), "{}", said.stderr);
    fs::remove_file(out.path().join(FILE)).unwrap();
    let said = all(home.path(), out.path(), &["-v"]);
    let line = text.lines().count() + 1;
    let note = format!("`strange`: 1 (first in {}:{line})\n", session.display());
    assert!(said.stderr.contains(&note), "{}", said.stderr);
}

#[test]
fn what_is_lacking_stays_an_error_where_it_is_one() {
    let (home, out) = folders();
    let session = home.path().join(SESSION);
    let text = fs::read_to_string(&session).unwrap();
    fs::write(&session, format!("{text}{{\"type\":\"strange\"}}\n")).unwrap();
    for _ in 0..2 {
        let said = all(home.path(), out.path(), &["--strict"]);
        assert_eq!(said.code, 5, "{}", said.stderr);
        assert!(said.stderr.contains("`strange`"), "{}", said.stderr);
    }
    let kept = all(home.path(), out.path(), &[]);
    assert!(kept.code == 0 && kept.stderr.contains("0 exported, 6 up to date"), "{}", kept.stderr);
}

#[test]
fn a_home_of_which_nothing_can_be_read_is_not_an_empty_one() {
    let (home, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let session = home.path().join(SESSION);
    fs::create_dir_all(session.parent().unwrap()).unwrap();
    fs::write(&session, b"\xff\xfe{\0}\0").unwrap();
    let said = all(home.path(), out.path(), &[]);
    assert_eq!(said.code, 3, "{}", said.stderr);
    assert!(said.stderr.contains("is UTF-16"), "{}", said.stderr);
    assert!(said.stderr.contains("1 of 1 sessions could not be exported"), "{}", said.stderr);
}

#[test]
fn a_run_that_was_broken_off_is_gone_on_with() {
    let (home, out) = folders();
    all(home.path(), out.path(), &[]);
    let book = out.path().join(".segue-export.ndjson");
    let text = fs::read_to_string(&book).unwrap();
    let kept: Vec<_> = text.lines().take(2).collect();
    // Killed in the middle of the third line.
    fs::write(&book, format!("{}\n{{\"file\":\"cla", kept.join("\n"))).unwrap();
    let said = all(home.path(), out.path(), &[]);
    assert!(said.stderr.contains("4 exported, 2 up to date"), "{}", said.stderr);
}

#[test]
fn what_fails_is_told_by_file_and_stops_nothing() {
    let (home, out) = folders();
    // A folder stands where the file should be.
    fs::create_dir(out.path().join(FILE)).unwrap();
    let said = all(home.path(), out.path(), &[]);
    assert_eq!(said.code, 4, "{}", said.stderr);
    assert!(said.stderr.contains("5 exported, 0 up to date, 1 failed"), "{}", said.stderr);
    assert!(said.stderr.contains(&format!("{FILE}`: it is a folder")), "{}", said.stderr);
    assert!(said.stderr.contains("1 of 6 sessions could not be exported"), "{}", said.stderr);
}

#[test]
fn it_can_be_narrowed_and_needs_its_folder() {
    let (home, out) = folders();
    let said = all(home.path(), out.path(), &["--harness", "codex", "--to", "markdown"]);
    assert!(said.stderr.contains("1 exported"), "{}", said.stderr);
    assert!(out.path().join("codex-01990000-a0c1-7000-8000-0000000000c1.md").exists());
    let said = all(home.path(), out.path(), &["--project", "/home/ada/toolbox"]);
    assert!(said.stderr.contains("1 exported"), "{}", said.stderr);
    let alone = Call::new("three", &["export", "--all"]).run();
    assert_eq!(alone.code, 2, "{}", alone.stderr);
}

#[test]
fn images_of_each_document_stand_in_a_folder_of_its_own() {
    let home = tempfile::tempdir().unwrap();
    let shelf = home.path().join(".claude/projects/-home-ada");
    fs::create_dir_all(&shelf).unwrap();
    let from = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fixtures/claude/2.1.84/command-and-image.jsonl");
    fs::copy(from, shelf.join("a.jsonl")).unwrap();
    let out = tempfile::tempdir().unwrap();
    let said = all(home.path(), out.path(), &["--to", "atif"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let names = names(out.path());
    assert_eq!(names.len(), 3, "{names:?}");
    let document = names.iter().find(|name| name.ends_with(".atif.json")).unwrap();
    let folder = out.path().join(document.replace(".json", ".images"));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "{names:?}");
    let again = all(home.path(), out.path(), &["--to", "atif"]);
    assert!(again.stderr.contains("0 exported, 1 up to date"), "{}", again.stderr);
    // What lacks an image is not up to date.
    fs::remove_dir_all(&folder).unwrap();
    let mended = all(home.path(), out.path(), &["--to", "atif"]);
    assert!(mended.stderr.contains("1 exported, 0 up to date"), "{}", mended.stderr);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    assert!(!mended.stderr.contains("by hand"), "{}", mended.stderr);
}

#[test]
fn one_session_goes_into_no_folder() {
    let out = tempfile::tempdir().unwrap();
    let folder = out.path().join("all");
    let args = ["export", "fixtures/demo/session.jsonl", "--out-dir", folder.to_str().unwrap()];
    let said = Call::new("two", &args).run();
    assert_eq!((said.code, said.stdout.as_str()), (2, ""), "{}", said.stderr);
    assert!(said.stderr.contains("`--out-dir` is for `--all`"), "{}", said.stderr);
    assert!(!folder.exists());
}
