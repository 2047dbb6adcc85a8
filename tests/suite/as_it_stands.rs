//! What a session holds comes out of a conversion or an export as it stands there.

use serde_json::{Value, json};

use crate::program::Call;
use crate::schema::Schema;

/// Runs the program on a session of these lines.
fn ran(lines: &[Value], arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.jsonl");
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    std::fs::write(&path, text).unwrap();
    let (verb, rest) = arguments.split_first().unwrap();
    let all: Vec<&str> = [*verb, path.to_str().unwrap()].iter().chain(rest).copied().collect();
    let ended = Call::new("nobody", &all).run();
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    ended.stdout
}

/// A line of Claude Code.
fn line(n: u32, parent: Option<u32>, more: Value) -> Value {
    let mut line = json!({"uuid": format!("u{n}"), "sessionId": "aaaaaaaa-0000-4000-8000-000000000001",
        "cwd": "/w", "version": "2.1.226", "timestamp": format!("2026-08-01T10:00:0{n}.000Z"),
        "parentUuid": parent.map(|parent| format!("u{parent}"))});
    let Value::Object(more) = more else { panic!("no fields") };
    line.as_object_mut().unwrap().extend(more);
    line
}

fn said(text: &str) -> Value {
    json!({"type": "user", "message": {"role": "user", "content": text}})
}

fn answered(content: Value) -> Value {
    let mut line = json!({"type": "assistant", "message": {"role": "assistant", "id": "m1",
        "type": "message", "model": "claude-opus-5"}});
    line["message"]["content"] = content;
    line
}

/// A session with a compaction whose summary hangs on line `parent`.
fn compacted(parent: u32, summary: &str) -> [Value; 5] {
    let boundary = json!({"type": "system", "subtype": "compact_boundary", "content": "compacted",
        "logicalParentUuid": "u2", "compactMetadata": {"trigger": "auto", "preTokens": 1000}});
    let mut told = said(summary);
    told["isCompactSummary"] = true.into();
    [
        line(1, None, said("first request")),
        line(2, Some(1), answered(json!([{"type": "text", "text": "answer one"}]))),
        line(3, None, boundary),
        line(4, Some(parent), told),
        line(5, Some(3.max(parent + u32::from(parent == 3))), said("second request")),
    ]
}

#[test]
fn its_own_program_is_given_a_summary_as_it_stands() {
    let summary = "This session is being continued from a previous conversation that ran out of \
        context. The conversation is summarized below:\nSummary:\nTHE SUMMARY WORDS\n\nIf you \
        need specific details from before compaction (like exact code), read the full transcript \
        at: /t/a.jsonl\nContinue the conversation from where it left off without asking.";
    let lines = compacted(3, summary);
    let made = ran(&lines, &["convert", "--to", "claude", "-o", "-"]);
    let told = made.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let told: Vec<_> = told.filter(|line| line["isCompactSummary"] == true).collect();
    assert_eq!(told.len(), 1, "{made}");
    let content = &told[0]["message"]["content"];
    assert_eq!(content.as_str().or_else(|| content[0]["text"].as_str()), Some(summary));
    // Another program has words of its own around it.
    let other = ran(&lines, &["convert", "--to", "codex", "-o", "-"]);
    assert!(other.contains("THE SUMMARY WORDS") && !other.contains("read the full transcript"));
}

#[test]
fn a_summary_that_no_live_message_carries_is_the_summary() {
    let lines = compacted(2, "THE SUMMARY WORDS");
    for to in ["claude", "codex", "gemini"] {
        let made = ran(&lines, &["convert", "--to", to, "-o", "-"]);
        assert!(made.contains("THE SUMMARY WORDS"), "{to}: {made}");
        assert!(!made.contains("<resume-pack"), "{to}: {made}");
    }
}

#[test]
fn parts_of_an_output_that_say_nothing_stay_for_its_own_program() {
    let item = |n: u32, payload: Value| {
        json!({"timestamp": format!("2026-08-01T10:00:0{n}.000Z"), "type": "response_item",
            "payload": payload})
    };
    let part = |text: &str| json!({"type": "input_text", "text": text});
    let lines = [
        json!({"timestamp": "2026-08-01T10:00:00.000Z", "type": "session_meta", "payload": {
            "id": "01990000-0000-7000-8000-0000000000c0", "timestamp": "2026-08-01T10:00:00.000Z",
            "cwd": "/w", "originator": "codex_cli_rs", "cli_version": "0.133.0", "source": "cli"}}),
        item(1, json!({"type": "message", "role": "user", "content": [part("go")]})),
        item(
            2,
            json!({"type": "function_call", "name": "exec_command", "call_id": "k1",
            "arguments": "{\"cmd\": \"ls\"}"}),
        ),
        item(
            3,
            json!({"type": "function_call_output", "call_id": "k1",
            "output": [part("head"), part(""), part("tail")]}),
        ),
    ];
    let made = ran(&lines, &["convert", "--to", "codex", "-o", "-"]);
    let outputs = made.lines().filter_map(|line| {
        let line: Value = serde_json::from_str(line).ok()?;
        let payload = &line["payload"];
        (payload["type"] == "function_call_output").then(|| payload["output"].clone())
    });
    assert_eq!(outputs.collect::<Vec<_>>(), [json!([part("head"), part(""), part("tail")])]);
}

#[test]
fn a_line_that_is_its_own_parent_has_a_missing_one() {
    let lines = [
        line(1, None, said("first request")),
        line(2, Some(2), answered(json!([{"type": "text", "text": "answer one"}]))),
        line(3, Some(2), said("second request")),
    ];
    let out = ran(&lines, &["export", "--view", "live"]);
    assert!(out.contains("first request") && out.contains("second request"), "{out}");
    assert!(out.contains("missing_parent"), "{out}");
}

#[test]
fn arguments_in_a_text_are_arguments() {
    let call =
        |input: Value| json!({"type": "tool_use", "id": "t1", "name": "Bash", "input": input});
    let arguments = |input: Value| {
        let lines = [line(1, None, said("go")), line(2, Some(1), answered(json!([call(input)])))];
        let out = ran(&lines, &["export"]);
        let mut records = out.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        records.find(|record| record["type"] == "tool_call").unwrap()["arguments"].clone()
    };
    assert_eq!(arguments(json!("{\"command\": \"ls -la\"}")), json!({"command": "ls -la"}));
    assert_eq!(arguments(json!("ls -la")), json!({"input": "ls -la"}));
    assert_eq!(arguments(json!("{ls; }")), json!({"input": "{ls; }"}));
}

#[test]
fn what_a_form_has_no_place_for_fits_the_schema() {
    let document = json!([{"type": "text", "text": "read it"}, {"type": "document", "title": "A title",
        "context": "from the archive", "source": {"type": "text", "media_type": "text/plain",
        "data": "the text"}}]);
    let mut asked = said("");
    asked["message"]["content"] = document;
    let out = ran(&[line(1, None, asked)], &["export"]);
    assert!(out.contains("\"not_in_form\""), "{out}");
    assert_eq!(Schema::published().complaints(out.as_bytes()), Vec::<String>::new());
}
