//! Where a session goes, and how its file is called.

use std::fs;

use segue::harness::Place;
use segue::model::{Conversation, EntryBody, Message, Origin, Role};

use super::entries::entry;
use super::{target, utf8, writer};

const FILE: &str = "session-2026-11-20T10-00-3e4f5a6b.jsonl";

fn conversation() -> Conversation {
    let message = Message::text(Role::User, Origin::Human, "hello");
    Conversation { live: vec![entry("a", 0, EntryBody::Said(message))], ..Conversation::default() }
}

/// Where a session of `/home/ada/proj` goes under a home with these files.
fn place(files: &[(&str, &str)], cwd: &str) -> (tempfile::TempDir, Place) {
    let home = tempfile::tempdir().unwrap();
    for (path, content) in files {
        let path = home.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    let target = segue::harness::Target { cwd: cwd.to_owned(), ..target() };
    let place = writer().place(utf8(home.path()), &conversation(), &target).unwrap();
    (home, place)
}

fn slug(files: &[(&str, &str)], cwd: &str) -> String {
    let (home, place) = place(files, cwd);
    let path = place.file.strip_prefix(utf8(home.path())).unwrap();
    assert_eq!(path.file_name(), Some(FILE));
    let names: Vec<_> = path.components().map(|part| part.as_str().to_owned()).collect();
    assert_eq!((names.len(), names[0].as_str(), names[2].as_str()), (4, "tmp", "chats"));
    let marker = utf8(home.path()).join("tmp").join(&names[1]).join(".project_root");
    assert_eq!(place.beside, [(marker, cwd.trim_end_matches('/').to_owned())]);
    names[1].clone()
}

#[test]
fn a_new_project_gets_a_slug_of_its_name() {
    assert_eq!(slug(&[], "/home/ada/proj"), "proj");
    assert_eq!(slug(&[], "/home/ada/My App_v1.2"), "my-app-v1-2");
    assert_eq!(slug(&[], "/home/ada/--_--/"), "project");
    assert_eq!(slug(&[], "/home/ada/Grüße"), "gr-e");
}

#[test]
fn the_registry_and_the_markers_are_heeded() {
    let mine = ("projects.json", r#"{"projects":{"/home/ada/proj":"mine"}}"#);
    assert_eq!(slug(&[mine], "/home/ada/proj"), "mine");
    let other = ("history/mine/.project_root", "/home/ada/other");
    assert_eq!(slug(&[mine, other], "/home/ada/proj"), "proj", "a marker names another project");
    let marker = ("tmp/old-name/.project_root", "/home/ada/proj");
    assert_eq!(slug(&[marker], "/home/ada/proj"), "old-name");
    let bad = r#"{"projects":{"/home/ada/proj":"mine","/x":"Bad Name"}}"#;
    assert_eq!(slug(&[("projects.json", bad)], "/home/ada/proj"), "proj", "one is bad: all are");
}

#[test]
fn a_slug_of_another_project_is_not_taken() {
    let registry = ("projects.json", r#"{"projects":{"/srv/proj":"proj"}}"#);
    assert_eq!(slug(&[registry], "/home/ada/proj"), "proj-1");
    let marker = ("tmp/proj-1/.project_root", "/opt/proj");
    assert_eq!(slug(&[registry, marker], "/home/ada/proj"), "proj-2");
}

#[test]
fn it_is_resumed_by_its_id() {
    assert_eq!(writer().resume(&target()), format!("gemini --resume {}", super::ID));
}

/// The program takes such a folder over, but not once there is another with sessions in it.
#[test]
fn sessions_of_older_versions_are_not_hidden() {
    // What is left of its path.
    let old = "tmp/1724ab5e6aa7cd425b84b40d8d35e375b33b104b841c97c9cf827cb8f584a9fb";
    let (log, marker) = (format!("{old}/chats/session-a.json"), "tmp/proj/.project_root");
    let folder = |files: &[(&str, &str)]| {
        let (home, place) = place(files, "/home/ada/proj/");
        let path = place.file.strip_prefix(utf8(home.path())).unwrap().to_string();
        (path, place.beside.len())
    };
    let of_old = (format!("{old}/chats/{FILE}"), 0);
    let of_new = (format!("tmp/proj/chats/{FILE}"), 1);
    assert_eq!(folder(&[(&log, "{}")]), of_old);
    assert_eq!(folder(&[(&log, "{}"), (marker, "/home/ada/proj")]), of_old);
    let chats = "tmp/proj/chats/session-b.jsonl";
    assert_eq!(folder(&[(&log, "{}"), (marker, "/home/ada/proj"), (chats, "{}")]), of_new);
}
