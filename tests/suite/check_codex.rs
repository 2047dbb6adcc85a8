//! The check of sessions of Codex CLI: every defect that its form knows is found, and no other.

use camino::Utf8Path;
use segue::harness::Severity;
use segue::jsonl::Input;
use serde_json::{Value, json};

use crate::write_codex::{ID, writer};

fn check(bytes: &[u8]) -> Vec<(Severity, u64, &'static str)> {
    let found = writer().check(&Input::memory("made", bytes)).unwrap();
    found.into_iter().map(|found| (found.severity, found.line, found.rule)).collect()
}

fn meta() -> Value {
    json!({
        "id": ID, "timestamp": "2026-01-02T03:04:05.000Z", "cwd": "/w", "originator": "made",
        "cli_version": "0", "source": "cli",
    })
}

fn line(kind: &str, payload: &Value) -> Value {
    json!({ "timestamp": "2026-01-02T03:04:05.000Z", "type": kind, "payload": payload })
}

/// A file with these lines after its first, and a request.
fn file(meta: &Value, lines: &[Value]) -> Vec<u8> {
    let event = json!({ "type": "user_message", "message": "go" });
    let mut all = vec![line("session_meta", meta), line("event_msg", &event)];
    all.extend_from_slice(lines);
    all.iter().flat_map(|line| format!("{line}\n").into_bytes()).collect()
}

fn items(payloads: &[Value]) -> Vec<(Severity, u64, &'static str)> {
    let lines: Vec<_> = payloads.iter().map(|item| line("response_item", item)).collect();
    check(&file(&meta(), &lines))
}

#[test]
fn the_check_finds_nothing_in_a_good_file() {
    assert_eq!(check(&file(&meta(), &[])), []);
}

#[test]
fn the_check_knows_what_stops_a_file_from_being_loaded() {
    use Severity::{Error, Info, Warning};
    let with = |key: &str, value: Value| {
        let mut changed = meta();
        changed[key] = value;
        check(&file(&changed, &[]))
    };
    let without = |key: &str| {
        let mut changed = meta();
        changed.as_object_mut().unwrap().remove(key);
        check(&file(&changed, &[]))
    };
    for key in ["id", "timestamp", "cwd", "originator", "cli_version"] {
        assert_eq!(without(key), [(Error, 1, "incomplete_meta")], "{key}");
    }
    assert_eq!(without("source"), []);
    assert_eq!(with("id", json!("no-uuid")), [(Error, 1, "incomplete_meta")]);
    assert_eq!(with("history_mode", json!("other")), [(Error, 1, "history_mode")]);
    assert_eq!(with("history_mode", json!("paginated")), [(Error, 0, "missing_ordinal")]);
    assert_eq!(with("model_provider", json!("mine")), [(Info, 1, "model_provider")]);
    assert_eq!(
        with("base_instructions", json!({"text": "x"})),
        [(Warning, 1, "base_instructions")]
    );
    assert_eq!(with("source", json!("exec")), [(Info, 1, "hidden")]);
    assert_eq!(with("source", json!({"subagent": "review"})), [(Warning, 1, "hidden")]);
    let good = file(&meta(), &[]);
    let marked = [b"\xef\xbb\xbf".as_slice(), &good].concat();
    assert_eq!(check(&marked), [(Error, 1, "no_meta")]);
    let event = line("event_msg", &json!({"type": "context_compacted"}));
    let late = [format!("{event}\n").as_bytes(), &good].concat();
    assert_eq!(check(&late), [(Error, 1, "no_meta")]);
    assert_eq!(check(b"\n\n"), [(Error, 0, "no_meta")]);
    assert_eq!(check(b"\0\0\n"), [(Error, 1, "no_meta")]);
    let bare = json!({"id": ID, "timestamp": "2025-07-01T00:00:00Z", "instructions": null});
    assert_eq!(check(format!("{bare}\n").as_bytes()), [(Error, 1, "old_form")]);
    let document = json!({"session": {"id": ID}, "items": []});
    assert_eq!(check(document.to_string().as_bytes()), [(Error, 1, "old_form")]);
}

#[test]
fn the_check_knows_what_is_not_listed_and_what_is_skipped() {
    use Severity::{Error, Info, Warning};
    let first = line("session_meta", &meta());
    let user = json!({"type": "message", "role": "user", "content": []});
    let user = line("response_item", &user);
    let silent = format!("{first}\n{user}\n");
    assert_eq!(check(silent.as_bytes()), [(Error, 0, "not_listed")]);
    let event = json!({ "type": "user_message", "message": "go" });
    let late =
        format!("{silent}{}{}\n", format!("{user}\n").repeat(300), line("event_msg", &event));
    assert_eq!(check(late.as_bytes()), [(Error, 0, "not_listed")]);
    let mut good = file(&meta(), &[]);
    good.extend_from_slice(b"{\"timestamp\":\n");
    assert_eq!(check(&good), [(Warning, 3, "broken_line")]);
    good.truncate(good.len() - 1);
    assert_eq!(check(&good), [(Info, 0, "no_line_end"), (Warning, 3, "cut_off_line")]);
    let timeless = json!({"type": "response_item", "payload": {}});
    assert_eq!(check(&file(&meta(), &[timeless])), [(Warning, 3, "missing_timestamp")]);
    let mut headless = file(&meta(), &[]);
    let text = String::from_utf8(headless).unwrap();
    headless = text
        .replacen(
            "\"timestamp\":\"2026-01-02T03:04:05.000Z\",\"type\":\"session_meta\"",
            "\"type\":\"session_meta\"",
            1,
        )
        .into_bytes();
    assert_eq!(check(&headless), [(Error, 1, "no_meta")]);
    let counted = json!({"timestamp": 5, "type": "response_item", "payload": {}});
    assert_eq!(check(&file(&meta(), &[counted])), [(Warning, 3, "missing_timestamp")]);
    let other = line("something", &json!({}));
    assert_eq!(check(&file(&meta(), &[other])), [(Info, 3, "unknown_type")]);
}

#[test]
fn the_check_knows_which_items_are_dropped_or_refused() {
    use Severity::{Error, Info, Warning};
    let call = |id: &str, name: &str| json!({"type": "function_call", "name": name, "arguments": "{}", "call_id": id});
    let output = |id: &str| json!({"type": "function_call_output", "call_id": id, "output": "x"});
    assert_eq!(items(&[call("a", "ls"), output("a")]), []);
    assert_eq!(items(&[call("a", "ls")]), [(Warning, 3, "open_call")]);
    assert_eq!(items(&[output("a")]), [(Warning, 3, "orphan_result")]);
    let twice = [call("a", "ls"), output("a"), output("a")];
    assert_eq!(items(&twice), [(Warning, 5, "repeated_result")]);
    let twice = [call("a", "ls"), output("a"), call("a", "ls"), output("a")];
    assert_eq!(items(&twice), [(Error, 5, "repeated_call_id")]);
    assert_eq!(items(&[call("a", "l s"), output("a")]), [(Error, 3, "tool_name")]);
    let long = "a".repeat(65);
    assert_eq!(items(&[call(&long, "ls"), output(&long)]), [(Error, 3, "call_id")]);
    let object = json!({"type": "function_call", "name": "ls", "arguments": {}, "call_id": "a"});
    assert_eq!(items(&[object]), [(Warning, 3, "incomplete_item")]);
    let text = json!({"type": "message", "role": "user", "content": "go"});
    assert_eq!(items(&[text]), [(Warning, 3, "incomplete_item")]);
    let system = json!({"type": "message", "role": "system", "content": []});
    assert_eq!(items(&[system]), [(Warning, 3, "system_message")]);
    let thought = json!({"type": "reasoning", "summary": [], "encrypted_content": null});
    assert_eq!(items(&[thought]), [(Info, 3, "plain_reasoning")]);
    let said = json!({"type": "message", "role": "user", "content": []});
    let many: Vec<_> = (0..16_385).map(|_| said.clone()).collect();
    assert_eq!(items(&many), [(Error, 0, "too_many_items")]);
    let words = "word ".repeat(100_000);
    let content = json!([{"type": "input_text", "text": words}]);
    let long = json!({"type": "message", "role": "user", "content": content});
    assert_eq!(items(std::slice::from_ref(&long)), [(Warning, 0, "no_token_count")]);
    // A compaction takes away what stood before it.
    let lines = [
        line("response_item", &long),
        line("response_item", &call("a", "l s")),
        line("compacted", &json!({"message": "short", "replacement_history": [said]})),
    ];
    assert_eq!(check(&file(&meta(), &lines)), []);
}

#[test]
fn the_check_looks_at_the_name_and_the_folder() {
    use Severity::{Error, Info, Warning};
    let home = tempfile::tempdir().unwrap();
    let named = |path: &str| {
        let path = home.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, file(&meta(), &[])).unwrap();
        let input = Input::file(Utf8Path::from_path(&path).unwrap()).unwrap();
        let found = writer().check(&input).unwrap();
        found.iter().map(|found| (found.severity, found.rule)).collect::<Vec<_>>()
    };
    let name = format!("rollout-2026-01-02T03-04-05-{ID}.jsonl");
    let other = "rollout-2026-01-02T03-04-05-01990000-0000-7000-8000-0000000000c0.jsonl";
    assert_eq!(named(&format!("sessions/2026/01/02/{name}")), []);
    assert_eq!(named("sessions/2026/01/02/mine.jsonl"), [(Error, "file_name")]);
    assert_eq!(named(&format!("sessions/2026/01/02/{other}")), [(Warning, "file_name")]);
    assert_eq!(named(&format!("sessions/{name}")), [(Warning, "folder")]);
    assert_eq!(named(&format!("archived_sessions/{name}")), [(Error, "archived")]);
    assert_eq!(named("mine.jsonl"), [(Info, "file_name")]);
}
