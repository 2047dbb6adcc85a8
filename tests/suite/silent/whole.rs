//! What was sent but stands in an unusual place: behind a compaction, in a failure, in a document.

use serde_json::{Value, json};

use super::{MARK, TARGETS, carried, claude, is_carried};
use crate::attack::{line, segue, session};
use crate::carried::{codex, converted, record};

/// A call of Codex CLI whose result came when a compaction had replaced it, and more.
fn answered_late() -> Vec<Value> {
    let user = |text: &str| {
        json!({"type": "message", "role": "user",
        "content": [{"type": "input_text", "text": text}]})
    };
    let answer = json!({"type": "message", "role": "assistant",
        "content": [{"type": "output_text", "text": "Done."}]});
    let call = json!({"type": "function_call", "name": "exec_command", "call_id": "c1",
        "arguments": "{\"cmd\": \"make\"}"});
    let history = json!([user("go"), {"type": "compaction", "encrypted_content": "sealed"}]);
    let mut records = codex(&[call]);
    records.push(record(10, "compacted", &json!({"message": "", "replacement_history": history})));
    let result = json!({"type": "function_call_output", "call_id": "c1",
        "output": format!("Process exited with code 0\nOutput:\n{MARK}")});
    records.push(record(11, "response_item", &result));
    records.push(record(12, "response_item", &answer));
    records
}

#[test]
fn what_came_of_a_call_that_a_compaction_had_replaced() {
    let (_folder, path) = session(&answered_late());
    for to in TARGETS {
        let said = segue(&["convert", &path, "--to", to, "--full-history"]);
        assert_eq!(said.code, 0, "{to}: {}", said.stderr);
        assert!(said.stdout.contains(MARK), "{to}: {}", said.stderr);
        assert!(!said.stdout.contains("the session holds no result"), "{to}");
        assert!(!said.stderr.contains("never been sent"), "{to}: {}", said.stderr);
    }
    // Where what was replaced stays in the file, so does this.
    for to in ["claude", "codex"] {
        let (is_there, told) = carried(&answered_late(), to);
        assert!(is_there, "{to}: {told}");
    }
}

#[test]
fn words_that_nobody_said_are_told() {
    let answer = json!([{"type": "text", "text": "I begin."}]);
    let lines = [line("assistant", 1, 0, answer)];
    let (_, told) = carried(&lines, "claude");
    assert!(told.contains("began with words that nobody said"), "{told}");
    let (_, told) = carried(&claude(&json!("and so on")), "claude");
    assert!(!told.contains("began with words"), "{told}");
}

#[test]
fn a_picture_that_a_failed_call_shows_is_told() {
    let call = json!({"type": "function_call", "name": "shell", "call_id": "c1",
        "arguments": "{\"command\": [\"show\"]}"});
    let output = |text: &str| {
        json!({"type": "function_call_output", "call_id": "c1", "output": [
        {"type": "input_text", "text": text},
        {"type": "input_image", "image_url": "data:image/png;base64,aGVsbG8="}]})
    };
    let failed = codex(&[call.clone(), output("Exit code: 3\nWall time: 0 seconds\nOutput:\nno")]);
    let (lines, told) = converted(&failed, "claude");
    let text = Value::from(lines).to_string();
    assert!(text.contains("\"is_error\":true") && !text.contains("aGVsbG8="), "{text}");
    assert!(told.contains("put a line of text in place of images: 1"), "{told}");
    let fine = codex(&[call, output("Exit code: 0\nWall time: 0 seconds\nOutput:\nyes")]);
    let (lines, _) = converted(&fine, "claude");
    assert!(Value::from(lines).to_string().contains("aGVsbG8="));
}

#[test]
fn a_document_of_plain_text_is_text_in_every_export() {
    let source = json!({"type": "text", "media_type": "text/plain", "data": MARK});
    let document = json!({"type": "document", "source": source});
    let records = claude(&json!([document, {"type": "text", "text": "read it"}]));
    let (_folder, path) = session(&records);
    for form in ["ndjson", "json", "atif", "markdown", "trajectory"] {
        let said = segue(&["export", &path, "--to", form]);
        assert!(said.stdout.contains(MARK), "{form}: {}", said.stdout);
    }
    is_carried(&records);
    // At home it stays a document.
    let lines = Value::from(converted(&records, "claude").0).to_string();
    assert!(lines.contains(r#""type":"document""#), "{lines}");
}

#[test]
fn requests_that_a_history_held_stay_behind_the_next_compaction() {
    let asked = |at: usize, text: &str| {
        let item = json!({"type": "message", "role": "user",
            "content": [{"type": "input_text", "text": text}]});
        let told = json!({"type": "user_message", "message": text});
        [record(at, "response_item", &item), record(at, "event_msg", &told)]
    };
    let summary = "Another language model started to solve this problem and produced a summary of \
        its thinking process. So far: one.";
    let text = |text: &str| {
        json!({"type": "message", "role": "user",
        "content": [{"type": "input_text", "text": text}]})
    };
    let history = json!([text(MARK), text(summary)]);
    let mut records = codex(&[]);
    records.extend(asked(10, MARK));
    let listed = json!({"message": summary, "replacement_history": history});
    records.push(record(11, "compacted", &listed));
    records.push(record(12, "compacted", &json!({"message": "So far: two."})));
    records.extend(asked(13, "on"));
    is_carried(&records);
}
