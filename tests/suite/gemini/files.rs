//! Where sessions stand, and what holds for every file.

use std::collections::BTreeSet;

use camino::Utf8Path;
use segue::harness::{self, Sink, Want};
use segue::jsonl::Input;
use segue::model::{Blobs, Header, Item};

use super::{all_files, read_with, record, said};

#[test]
fn the_project_comes_from_marker_registry_or_digest() {
    use std::fs::{create_dir_all, write};
    let home = tempfile::tempdir().unwrap();
    let home = Utf8Path::from_path(home.path()).unwrap().canonicalize_utf8().unwrap();
    let digest = "13e9f0d2f94aca29b6fc8e3a9bd3f9c3e7b5ac7e4ba4f0b24fdf0e3ad25a1a06";
    let gemini = harness::by_name("gemini").unwrap();
    let text = record(&[&said("u1", "user", "hello")]);
    let registry = r#"{"projects":{"/home/ada/one":"one-1","/home/ada/two":"two"}}"#;
    write(home.join("projects.json"), registry).unwrap();
    for name in ["one-1", "marked", digest] {
        let chats = home.join("tmp").join(name).join("chats");
        create_dir_all(&chats).unwrap();
        write(chats.join("session-1.jsonl"), &text).unwrap();
    }
    write(home.join("tmp/marked/.project_root"), "/home/ada/two/part\n").unwrap();
    let project = |name: &str| {
        let path = home.join("tmp").join(name).join("chats/session-1.jsonl");
        assert!(gemini.may_be_session(&path));
        gemini.header(&Input::file(&path).unwrap()).unwrap().project
    };
    assert_eq!(project("one-1").as_deref(), Some("/home/ada/one"));
    assert_eq!(project("marked").as_deref(), Some("/home/ada/two/part"));
    assert_eq!(project(digest), None);
    let names = |project: Option<&str>| -> Vec<String> {
        let shelves = gemini.shelves(&home, project.map(Utf8Path::new));
        let tmp = home.join("tmp");
        let names =
            shelves.iter().map(|shelf| shelf.folder.strip_prefix(&tmp).unwrap().to_string());
        names.collect()
    };
    assert_eq!(names(None), [""]);
    assert_eq!(names(Some("/home/ada/two")), ["marked/chats"]);
    assert_eq!(names(Some("/home/ada/one")), ["one-1/chats"]);
    assert!(names(Some("/elsewhere")).is_empty());
}

#[test]
fn the_environment_tells_home_and_caller() {
    let gemini = harness::by_name("gemini").unwrap();
    let with = |name: &'static str| move |asked: &str| (asked == name).then(|| "/x".to_owned());
    assert_eq!(gemini.home(&with("HOME")).unwrap(), "/x/.gemini");
    assert_eq!(gemini.home(&with("GEMINI_CLI_HOME")).unwrap(), "/x/.gemini");
    assert_eq!(gemini.caller(&with("GEMINI_SESSION_ID")).as_deref(), Some("/x"));
    let placed = ["/t/p/chats/a.json", "/t/p/chats/parent/a.jsonl"];
    assert!(placed.iter().all(|path| gemini.may_be_session(Utf8Path::new(path))));
    let others = ["/t/p/logs.json", "/t/p/chats/a.txt", "/t/p/chats/a/b/c.jsonl"];
    assert!(!others.iter().any(|path| gemini.may_be_session(Utf8Path::new(path))));
}

#[test]
fn physical_lines_are_given_on_demand() {
    #[derive(Default)]
    struct Raw(Vec<String>);
    impl Sink for Raw {
        fn header(&mut self, _: &Header) -> Result<(), segue::error::Error> {
            Ok(())
        }
        fn item(&mut self, _: Item<'_>) -> Result<(), segue::error::Error> {
            Ok(())
        }
        fn raw_line(
            &mut self,
            _: u64,
            bytes: &[u8],
            ended: bool,
        ) -> Result<(), segue::error::Error> {
            self.0
                .push(String::from_utf8_lossy(bytes).into_owned() + if ended { "\n" } else { "" });
            Ok(())
        }
    }
    for path in all_files().iter().filter(|path| !path.to_string_lossy().contains("stub")) {
        let mut raw = Raw::default();
        let want = Want { raw_lines: true, ..Want::default() };
        let input = Input::file(Utf8Path::from_path(path).unwrap()).unwrap();
        if harness::by_name("gemini").unwrap().read(&input, want, &mut raw).is_ok() {
            assert_eq!(raw.0.concat(), std::fs::read_to_string(path).unwrap());
        }
    }
}

/// Ids are what packs point at: they must outlive the growth of a file.
#[test]
fn ids_stay_when_the_file_grows() {
    for path in all_files() {
        if path.extension().is_none_or(|ending| ending != "jsonl") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let ids = |text: &str| -> BTreeSet<String> {
            let input = Input::memory("memory", text.as_bytes());
            let session = read_with(&input, Want::default()).unwrap_or_default();
            session.items.iter().map(|item| item.id.to_string()).collect()
        };
        let whole = ids(&text);
        for (at, _) in text.match_indices('\n') {
            let lost: Vec<_> = ids(&text[..=at]).difference(&whole).cloned().collect();
            assert!(lost.is_empty(), "{}: {lost:?} at {at}", path.display());
        }
    }
}

#[test]
fn no_mutation_makes_it_panic() {
    let mut random = fastrand::Rng::with_seed(7);
    for path in all_files() {
        let bytes = std::fs::read(&path).unwrap();
        for _ in 0..150 {
            let mut bytes = bytes.clone();
            for _ in 0..random.usize(1..8) {
                let at = random.usize(..bytes.len());
                match random.u8(..4) {
                    0 => bytes[at] = random.u8(..),
                    1 => bytes.truncate(at.max(1)),
                    2 => drop(bytes.remove(at).min(1)),
                    _ => bytes.insert(at, b"{}[]\",:\n\\0n"[random.usize(..11)]),
                }
                if bytes.is_empty() {
                    bytes.push(b'x');
                }
            }
            let input = Input::memory("memory", &bytes);
            let want = Want {
                actions: true,
                bare: false,
                raw_lines: true,
                places: true,
                blobs: Blobs::Carried,
                live_only: random.bool(),
                native: true,
            };
            if let Ok(session) = read_with(&input, want) {
                let tally = session.end.tally;
                let sum = tally.lines_used + tally.lines_bookkeeping + tally.lines_noted;
                assert_eq!(sum, tally.lines_read, "{}", path.display());
            }
        }
    }
}
