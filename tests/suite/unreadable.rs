//! What is said of session files that are there and cannot be read as such.

use std::fs;
use std::path::Path;

use crate::program::{Call, Said};

const FOLDER: &str = "home/.codex/sessions/2026/01/05";
const READABLE: &str = "rollout-2026-01-05T11-00-00-01990000-a0c1-7000-8000-0000000000c1.jsonl";

/// A home with one session that can be read.
fn home() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    fs::create_dir_all(place.path().join(FOLDER)).unwrap();
    let three = "fixtures/homes/three/.codex/sessions/2026/01/05";
    fs::copy(Path::new(three).join(READABLE), place.path().join(FOLDER).join(READABLE)).unwrap();
    place
}

/// Puts a file there that is called as the session with this id would be.
fn put(place: &tempfile::TempDir, id: &str, bytes: &[u8]) {
    let name = format!("rollout-2026-01-05T12-00-00-{id}.jsonl");
    fs::write(place.path().join(FOLDER).join(name), bytes).unwrap();
}

fn run(place: &tempfile::TempDir, args: &[&str]) -> Said {
    Call::new("nobody", args).at(place.path(), "home").run()
}

#[test]
fn an_id_of_a_file_that_is_no_session_says_what_it_is() {
    let place = home();
    let wide: Vec<u8> = "\u{feff}{}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let id = |number: u32| format!("02990000-a0c1-7000-8000-00000000000{number}");
    let files: [(&[u8], &str); 3] =
        [(b"", "is empty"), (&wide, "is UTF-16"), (b"\x1f\x8b\x08", "is packed with gzip")];
    for (number, (bytes, _)) in (0..).zip(files) {
        put(&place, &id(number), bytes);
    }
    for (number, (_, what)) in (0..).zip(files) {
        let said = run(&place, &["pack", &id(number)]);
        let told = said.stderr.lines().next().unwrap_or_default();
        assert!(said.code == 3 && told.ends_with(what), "{}", said.stderr);
        assert!(told.contains(&id(number)), "{told}");
    }
    let other = run(&place, &["pack", "02990000-a0c1-7000-8000-000000000009"]);
    assert!(other.code == 1 && other.stderr.contains("no session with the id"), "{}", other.stderr);
    // An id begins where it stands: its other parts, and the time before it, name no file.
    for part in ["a0c1-7000", "a0c1", "7000", "2026-01", "12-00"] {
        let other = run(&place, &["pack", part]);
        assert!(other.code == 1 && other.stderr.contains("no session with"), "{}", other.stderr);
    }
    assert_eq!(run(&place, &["pack", "02990000-a0c1-7000-8000-00000000000"]).code, 3);
}

#[test]
fn a_start_below_the_folder_of_another_session_is_no_fault() {
    let place = home();
    let folder = place.path().join("code/new");
    fs::create_dir_all(&folder).unwrap();
    let text = fs::read_to_string(place.path().join(FOLDER).join(READABLE)).unwrap();
    let above = place.path().join("code");
    let text = text.replace("/home/ada/tool", above.to_str().unwrap());
    fs::write(place.path().join(FOLDER).join(READABLE), text).unwrap();
    let hook = |event: &str| serde_json::json!({"session_id": "new", "hook_event_name": event, "cwd": folder});
    let asked = |event: &str| {
        let args = ["pack", "--project", folder.to_str().unwrap()];
        Call::new("nobody", &args)
            .at(place.path(), "home")
            .stdin(hook(event).to_string().as_bytes())
            .run()
    };
    let said = asked("SessionStart");
    assert_eq!((said.code, said.stdout.as_str(), said.stderr.as_str()), (0, "", ""));
    let said = asked("Stop");
    assert!(said.code == 1 && said.stderr.contains("sessions began above it"), "{}", said.stderr);
}

#[test]
fn a_newest_session_says_that_another_could_not_be_read() {
    let place = home();
    for args in [&["pack"][..], &["status"], &["list"]] {
        let args = [args, &["--project", "/home/ada/tool"]].concat();
        let before = run(&place, &args);
        assert!(!before.stderr.contains("could not read"), "{}", before.stderr);
    }
    put(&place, "02990000-a0c1-7000-8000-000000000000", b"\xff\xfe{\0}\0");
    for args in [&["pack"][..], &["status"], &["list"]] {
        let args = [args, &["--project", "/home/ada/tool"]].concat();
        let said = run(&place, &args);
        assert!(said.stderr.contains("note: could not read files: 1"), "{}", said.stderr);
    }
    for args in [&["list", "--all"][..], &["list", "-v"], &["pack"], &["show", "T-1"]] {
        let args = [args, &["--strict"]].concat();
        let args = if args.contains(&"--all") {
            args
        } else {
            [&args, &["--project", "/home/ada/tool"][..]].concat()
        };
        let strict = run(&place, &args);
        assert_eq!((strict.code, strict.stdout.is_empty()), (5, false), "{}", strict.stderr);
    }
    // One that was named is not in doubt.
    assert_eq!(run(&place, &["pack", "01990000-a0c1", "--strict"]).code, 0);
}

#[test]
fn a_session_that_was_destroyed_counts_as_one_that_could_not_be_read() {
    let id = "02990000-a0c1-7000-8000-000000000000";
    let whole =
        fs::read(Path::new("fixtures/homes/three/.codex/sessions/2026/01/05").join(READABLE));
    let packed = zstd::encode_all(whole.unwrap().as_slice(), 0).unwrap();
    let noise: Vec<u8> = (1_u8..=255).cycle().skip(127).take(4000).collect();
    for (bytes, what) in [
        (&vec![0; 5000], "zero bytes"),
        (&packed[..packed.len() / 2].to_vec(), "cut off"),
        (&noise, "no session file"),
    ] {
        let place = home();
        put(&place, id, bytes);
        let said = run(&place, &["list", "--project", "/home/ada/tool", "--strict"]);
        assert_eq!(said.code, 5, "{what}: {}", said.stderr);
        assert!(said.stderr.contains("could not read files: 1"), "{what}: {}", said.stderr);
        assert!(run(&place, &["doctor"]).stdout.contains(id), "{what}");
        let named = run(&place, &["pack", id]);
        assert!(named.stderr.contains(what), "{what}: {}", named.stderr);
    }
    for nothing in [&b""[..], b"{\"type\":\"other\"}\n", b"words\n"] {
        let place = home();
        put(&place, id, nothing);
        let said = run(&place, &["list", "--project", "/home/ada/tool", "--strict"]);
        assert_eq!(said.code, 0, "{}", said.stderr);
    }
}

#[test]
fn a_name_before_an_id_must_be_one_of_a_harness() {
    let said = run(&home(), &["pack", "Codex:01990000"]);
    assert_eq!(said.code, 2, "{}", said.stderr);
    assert!(said.stderr.contains("`Codex` is no harness\nhint: claude, codex"), "{}", said.stderr);
}

#[test]
fn one_pack_alone_is_set_against_nothing() {
    let said = Call::new("nobody", &["diff", "latest"]).run();
    assert_eq!((said.code, said.stdout.as_str()), (2, ""));
    assert!(said.stderr.contains("nothing to set `latest` against"), "{}", said.stderr);
    assert!(said.stderr.contains("--from T-2"), "{}", said.stderr);
    let two = Call::new("nobody", &["diff", "latest", "latest"]).run();
    assert!(two.code == 3 && two.stderr.contains("add --from or --to"), "{}", two.stderr);
}

#[test]
#[cfg(unix)]
fn an_id_that_may_lie_where_nobody_can_look_says_so() {
    let place = home();
    let shelf = place.path().join("home/.codex/sessions/2026");
    // It leads to itself.
    std::os::unix::fs::symlink("08", shelf.join("08")).unwrap();
    let said = run(&place, &["pack", "02990000-a0c1-7000-8000-000000000009"]);
    assert_eq!(said.code, 3, "{}", said.stderr);
    assert!(said.stderr.contains("2026/08` could not be looked into"), "{}", said.stderr);
    assert_eq!(run(&place, &["pack", "01990000-a0c1"]).code, 0);
}

#[test]
fn a_session_that_begins_with_a_long_line_is_known_by_what_follows() {
    let place = home();
    let path = place.path().join(FOLDER).join(READABLE);
    let text = fs::read_to_string("fixtures/demo/session.jsonl").unwrap();
    let (first, rest) = text.split_once('\n').unwrap();
    let mut first: serde_json::Value = serde_json::from_str(first).unwrap();
    let picture = "iVBORw0K".repeat(100_000);
    first["message"]["content"] = serde_json::json!([{"type": "image", "source":
        {"type": "base64", "media_type": "image/png", "data": picture}}]);
    fs::write(&path, format!("{first}\n{rest}")).unwrap();
    let said = run(&place, &["export", path.to_str().unwrap()]);
    assert_eq!((said.code, said.stdout.lines().count() > 10), (0, true), "{}", said.stderr);
    // What is none stays none, however long it is.
    fs::write(&path, format!("{{\"data\": \"{picture}\"}}")).unwrap();
    let said = run(&place, &["export", path.to_str().unwrap()]);
    assert!(said.stderr.contains("is no session file that segue knows"), "{}", said.stderr);
}

#[test]
#[cfg(unix)]
fn a_link_to_a_session_that_is_gone_is_told_as_one() {
    use std::os::unix::fs::symlink;
    let place = home();
    let name = "rollout-2026-01-05T12-00-00-02990000-a0c1-7000-8000-000000000000.jsonl";
    symlink("/no/such/file", place.path().join(FOLDER).join(name)).unwrap();
    symlink("/no/such/file", place.path().join(FOLDER).join("notes.txt")).unwrap();
    let list = run(&place, &["list", "-v", "--project", "/home/ada/tool"]);
    assert_eq!(list.stderr.matches("cannot read").count(), 1, "{}", list.stderr);
    assert!(list.stderr.contains(&format!("{name}`: there is no such file")), "{}", list.stderr);
    symlink("gone.jsonl", place.path().join("s.jsonl")).unwrap();
    symlink("round.jsonl", place.path().join("round.jsonl")).unwrap();
    let first = |file: &str| {
        let said = run(&place, &["pack", file]);
        assert_eq!(said.code, 3, "{}", said.stderr);
        said.stderr.lines().next().unwrap_or_default().to_owned()
    };
    assert_eq!(first("s.jsonl"), "error: `s.jsonl` is a link that leads to nothing");
    assert!(first("round.jsonl").starts_with("error: cannot read `round.jsonl`: "));
    assert_eq!(first("none.jsonl"), "error: `none.jsonl` is not there");
}

#[test]
fn a_file_with_nothing_to_go_on_with_names_no_command_that_is_refused() {
    let place = home();
    let header = r#"{"sessionId":"1","projectHash":"x","startTime":"2026-01-01T00:00:00.000Z","lastUpdated":"2026-01-01T00:00:01.000Z","messages":["#;
    let message = |kind: &str| {
        format!(
            r#"{{"id":"1","timestamp":"2026-01-01T00:00:01.000Z","type":"{kind}","content":"Hm."}}"#
        )
    };
    for (kind, hint) in [("info", 0), ("user", 1)] {
        let text = format!("{header}{}]}}", message(kind));
        fs::write(place.path().join("session.json"), text).unwrap();
        let said = run(&place, &["check", "session.json", "--as", "claude"]);
        assert_eq!(said.stderr.matches("`segue convert` writes").count(), hint, "{}", said.stderr);
    }
}
