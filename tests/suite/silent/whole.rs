//! What was sent but stands in an unusual place: behind a compaction, in a failure, in a document.

use serde_json::{Value, json};

use super::{MARK, TARGETS, carried, claude, is_carried};
use crate::attack::{line, segue, session};
use crate::carried::{codex, converted, record};

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
