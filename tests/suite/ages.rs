//! Ages in days: of a session, and of what is older than the rest of it.

use serde_json::{Value, json};

use crate::program::Call;

/// A session of three weeks: each day a request and a command, some of which fail.
fn session() -> Vec<u8> {
    let mut lines = Vec::new();
    let mut say = |day: &str, kind: &str, content: Value| {
        let number = lines.len();
        let line = json!({
            "type": kind, "uuid": format!("u{number}"), "parentUuid": number.checked_sub(1)
                .map(|before| format!("u{before}")),
            "sessionId": "ages", "timestamp": format!("{day}T10:00:00.000Z"), "cwd": "/p",
            "version": "2.1.0", "message": {"role": kind, "content": content},
        });
        lines.push(line.to_string());
    };
    let call = |id: &str, name: &str, input: Value| json!([{"type": "tool_use", "id": id, "name": name, "input": input}]);
    let result = |id: &str, text: &str, failed: bool| json!([{"type": "tool_result", "tool_use_id": id, "content": text, "is_error": failed}]);
    let read = |path: &str| json!({"file_path": path, "old_string": "fn first_one() {}", "new_string": "fn other_one() {}"});
    say("2026-03-01", "user", json!("Round the amounts of the ledger. Never touch the lock file."));
    say("2026-03-01", "assistant", call("c1", "Edit", read("/p/src/old.rs")));
    say("2026-03-01", "user", result("c1", "done", false));
    say("2026-03-10", "user", json!("Now the summary, too. Always keep the old names."));
    say("2026-03-10", "assistant", call("c2", "Bash", json!({"command": "make deploy"})));
    say("2026-03-10", "user", result("c2", "Exit code 2\nerror: no such target", true));
    say("2026-03-20", "user", json!("And the totals."));
    say("2026-03-20", "assistant", call("c3", "Edit", read("/p/src/new.rs")));
    say("2026-03-20", "user", result("c3", "done", false));
    say("2026-03-20", "assistant", json!([{"type": "text", "text": "The totals are there."}]));
    lines.join("\n").into_bytes()
}

fn pack(more: &[&str]) -> String {
    let said = Call::new("nobody", &[&["pack", "-"], more].concat()).stdin(&session()).run();
    assert_eq!(said.code, 0, "{}", said.stderr);
    said.stdout
}

fn json_of(more: &[&str]) -> Value {
    serde_json::from_str(&pack(&[&["--json"], more].concat())).unwrap()
}

#[test]
fn what_is_older_than_its_session_says_so() {
    let text = pack(&["--as-of", "2026-03-22"]);
    assert!(text.contains("(2 days before 2026-03-22)"), "{text}");
    let line = |part: &str| text.lines().find(|line| line.contains(part)).unwrap_or_default();
    assert!(line("src/old.rs:").contains(", T-1, 21d"), "{text}");
    assert!(line("src/new.rs:").contains(", T-3") && !line("src/new.rs:").contains("2d"), "{text}");
    assert!(line("- `make deploy` exit 2 in").contains(" in T-2, 12d"), "{text}");
    assert!(line("- Never touch the lock file").contains(", T-1, 21d"), "{text}");
    let pack = json_of(&["--as-of", "2026-03-22"]);
    let ages: Vec<_> = pack["files"].as_array().unwrap().iter().map(|f| &f["age_days"]).collect();
    assert_eq!(ages, [&Value::Null, &json!(21)]);
    assert_eq!(pack["failures"][0]["age_days"], 12);
}

#[test]
fn on_a_day_before_its_last_item_a_session_has_no_age() {
    let text = pack(&["--as-of", "2026-03-19"]);
    assert!(text.contains("last item 2026-03-20") && !text.contains(" before 2026"), "{text}");
    assert_eq!(json_of(&["--as-of", "2026-03-19"])["session"]["age_days"], Value::Null);
    assert!(pack(&["--as-of", "2026-03-20"]).contains("(0 days before 2026-03-20)"));
}

#[test]
fn ages_count_from_the_day_of_a_time_in_utc() {
    for (time, day) in [
        ("2026-03-22T23:30", "2026-03-22"),
        ("2026-03-22T23:30-05:00", "2026-03-23"),
        ("2026-03-22T00:30+02:00", "2026-03-21"),
    ] {
        assert!(pack(&["--as-of", time]).contains(&format!(" before {day})")), "{time}");
    }
}

#[test]
fn lines_of_one_age_say_it_once() {
    let bytes = String::from_utf8(session()).unwrap().replace("2026-03-10T", "2026-03-01T");
    let said = Call::new("nobody", &["pack", "-", "--as-of", "2026-03-22"]);
    let said = said.stdin(bytes.as_bytes()).run();
    let (_, after) = said.stdout.split_once("## Said by the user (21d)\n- ").unwrap();
    let section = after.split("\n\n").next().unwrap();
    assert!(section.lines().count() > 1 && !section.contains("21d"), "{section}");
}

#[test]
fn a_file_that_was_written_twice_was_created_once() {
    let line = |number: u32, kind: &str, content: Value| {
        json!({
            "type": kind, "uuid": format!("u{number}"), "sessionId": "twice", "cwd": "/p",
            "parentUuid": number.checked_sub(1).map(|before| format!("u{before}")),
            "timestamp": format!("2026-03-01T10:00:0{number}.000Z"), "version": "2.1.0",
            "message": {"role": kind, "content": content},
        })
        .to_string()
    };
    let write = |id: &str, text: &str| json!([{"type": "tool_use", "id": id, "name": "Write", "input": {"file_path": "/p/src/new.rs", "content": text}}]);
    let result = |id: &str| json!([{"type": "tool_result", "tool_use_id": id, "content": "File created successfully at: /p/src/new.rs"}]);
    let mut lines = vec![
        line(0, "user", json!("Write the reader of the ledger.")),
        line(1, "assistant", write("c1", "fn first_one() {}\n")),
        line(2, "user", result("c1")),
    ];
    let pack = |lines: &[String]| {
        Call::new("nobody", &["pack", "-"]).stdin(lines.join("\n").as_bytes()).run().stdout
    };
    assert!(pack(&lines).contains("- src/new.rs: created (+1), T-1; "), "{}", pack(&lines));
    lines.push(line(3, "assistant", write("c2", "fn first_one() {}\nfn second_one() {}\n")));
    lines.push(line(4, "user", result("c2")));
    assert!(pack(&lines).contains("- src/new.rs: created (+"), "{}", pack(&lines));
}

#[test]
fn ages_change_no_hash() {
    let hash = |day: &str| json_of(&["--as-of", day])["pack_hash"].clone();
    assert_eq!(hash("2026-03-22"), hash("2026-09-22"));
}
