//! What the reader of Claude Code sessions makes of results.

use segue::model::{Session, Status, ToolResult};
use segue::note::NoteKind;
use serde_json::{Value, json};

use super::{memory, results};

/// Reads a session in which one command ran; `content` is what the model saw of it, `own` the
/// program's own form of the result.
fn ran(content: &Value, own: &Value) -> Session {
    memory(ran_text(content, own).as_bytes())
}

fn ran_text(content: &Value, own: &Value) -> String {
    let line = |n: u32, more: Value| {
        let mut line = json!({"uuid": format!("u{n}"), "sessionId": "s", "cwd": "/w",
            "version": "2.1.226", "timestamp": format!("2026-08-01T10:00:0{n}.000Z"),
            "parentUuid": (n > 1).then(|| format!("u{}", n - 1))});
        line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        format!("{line}\n")
    };
    let call = json!({"type": "tool_use", "id": "t1", "name": "Bash",
        "input": {"command": "cargo test"}});
    let came = json!({"type": "tool_result", "tool_use_id": "t1", "content": content});
    let lines = [
        line(1, json!({"type": "user", "message": {"role": "user", "content": "go"}})),
        line(
            2,
            json!({"type": "assistant", "message": {"role": "assistant", "id": "m1",
            "model": "claude-opus-5", "content": [call]}}),
        ),
        line(
            3,
            json!({"type": "user", "toolUseResult": own,
            "message": {"role": "user", "content": [came]}}),
        ),
    ];
    lines.concat()
}

fn only(session: &Session) -> &ToolResult<'static> {
    let found = results(session);
    assert_eq!(found.len(), 1);
    found[0].1
}

#[test]
fn of_a_long_output_the_line_holds_more_than_its_preview() {
    let preview = "<persisted-output>\nOutput too large (79.1KB). Full output saved to: \
                   /home/ada/.claude/projects/-w/s/tool-results/abc.txt\n\nPreview (first 2KB):\n\
                   first\n...\n</persisted-output>";
    let stdout = format!("first\n{}the last line: 3 failed", "more\n".repeat(900));
    let own = |stdout: &str| {
        json!({"stdout": stdout, "stderr": "a warning", "interrupted": false,
            "persistedOutputPath": "/home/ada/.claude/projects/-w/s/tool-results/abc.txt",
            "persistedOutputSize": 79_000})
    };
    let session = ran(&json!(preview), &own(&stdout));
    let result = only(&session);
    let whole = result.persisted.as_ref().unwrap();
    assert_eq!((whole.name.as_str(), whole.bytes), ("abc.txt", 79_000));
    assert_eq!(whole.text, format!("{stdout}\na warning"));
    // Where it holds no more than the preview there is nothing to add.
    assert_eq!(only(&ran(&json!(preview), &own("first"))).persisted, None);
    assert_eq!(result.status, Status::Ok);
}

#[test]
fn a_code_that_is_not_told_is_not_zero() {
    let own = |meaning: &Value| {
        json!({"stdout": "", "stderr": "", "interrupted": false,
            "returnCodeInterpretation": meaning})
    };
    let code = |meaning: Value| {
        let session = ran(&json!(""), &own(&meaning));
        (only(&session).status, only(&session).exit_code)
    };
    assert_eq!(code(json!("No matches found")), (Status::Ok, None));
    assert_eq!(code(Value::Null), (Status::Ok, Some(0)));
}

#[test]
fn a_result_that_stands_before_its_call_has_one() {
    let text = ran_text(&json!("early"), &Value::Null);
    let lines: Vec<_> = text.split_inclusive('\n').collect();
    let orphans = |lines: &[&str]| {
        let session = memory(lines.concat().as_bytes());
        session.end.notes.iter().map(|note| (note.kind, note.first_line)).collect::<Vec<_>>()
    };
    assert_eq!(orphans(&[lines[0], lines[2], lines[1]]), []);
    assert_eq!(
        orphans(&[lines[0], &lines[2].replace("\"t1\"", "\"t2\""), lines[1]]),
        [(NoteKind::OrphanResult, 2)]
    );
}

#[test]
fn a_list_of_work_is_known_where_its_result_stands_before_its_call() {
    let line = |number: usize, kind: &str, content: &Value, own: &Value| {
        json!({"type": kind, "uuid": format!("{number:08x}-0000-4000-8000-000000000000"),
            "parentUuid": (number > 1).then(|| format!("{:08x}-0000-4000-8000-000000000000", number - 1)),
            "sessionId": "5e90e000-0000-4000-8000-000000000000", "cwd": "/w", "version": "2.1.84",
            "timestamp": format!("2026-01-02T03:04:{number:02}.000Z"), "toolUseResult": own,
            "message": {"id": format!("msg_{number}"), "role": kind, "content": content}})
    };
    let todos = json!([{"content": "write a", "status": "completed", "activeForm": "a"},
        {"content": "write b", "status": "pending", "activeForm": "b"}]);
    let call =
        json!([{"type": "tool_use", "id": "c1", "name": "TodoWrite", "input": {"todos": todos}}]);
    let told = |results: &[bool]| {
        let mut lines = vec![line(1, "user", &json!("do the list"), &Value::Null)];
        for fails in results {
            let result = json!([{"type": "tool_result", "tool_use_id": "c1", "content": "Todos have been modified",
                "is_error": fails}]);
            let own = json!({"oldTodos": [], "newTodos": todos});
            lines.push(line(lines.len() + 1, "user", &result, &own));
        }
        lines.push(line(lines.len() + 1, "assistant", &call, &Value::Null));
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let session = memory(text.as_bytes());
        let plans = super::plans(&session).into_iter();
        plans
            .map(|(item, plan)| (item.line, plan.call_id.clone(), plan.items.len()))
            .collect::<Vec<_>>()
    };
    assert_eq!(told(&[false]), [(3, Some("c1".into()), 2)]);
    assert_eq!(told(&[true]), []);
    // Of two the last is the call's, as in a conversion.
    assert_eq!(told(&[true, false]), [(4, Some("c1".into()), 2)]);
    assert_eq!(told(&[false, true]), []);
}
