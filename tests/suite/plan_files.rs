//! A plan that was approved by the name of its file is told as it stood there when it was approved.

use serde_json::{Value, json};

use crate::program::Call;

const FILE: &str = "/home/ada/.gemini/tmp/kettle/plans/whistle.md";
const PLAN: &str = "# Whistle\n1. Low first\n2. Then high\n3. Tests\n";

fn call(id: &str, name: &str, args: &Value, status: &str) -> Value {
    json!({"id": id, "name": name, "args": args, "status": status,
        "result": [{"functionResponse": {"id": id, "name": name, "response": {"output": "ok"}}}]})
}

fn wrote(path: &str, content: &str) -> Value {
    call("w", "write_file", &json!({"file_path": path, "content": content}), "success")
}

fn replaced(id: &str, old: &str, new: &str, status: &str) -> Value {
    let args = json!({"file_path": FILE, "old_string": old, "new_string": new});
    call(id, "replace", &args, status)
}

fn approved(args: &Value) -> Value {
    call("p", "exit_plan_mode", args, "success")
}

/// Returns the pack of a session with these calls.
fn pack(calls: &[Value]) -> Value {
    let time = "2026-01-02T03:04:05.000Z";
    let mut records = vec![
        json!({"sessionId": "6f0c7a1e-3b52-4d0a-9c1e-7aa0de51c0d2", "projectHash": "0",
            "startTime": time, "lastUpdated": time, "kind": "main"}),
        json!({"id": "m0", "timestamp": time, "type": "user", "content": [{"text": "Plan it."}]}),
    ];
    for (at, call) in calls.iter().enumerate() {
        records.push(json!({"id": format!("m{}", at + 1), "timestamp": time, "type": "gemini",
            "content": "", "toolCalls": [call]}));
    }
    let session: String = records.iter().map(|record| format!("{record}\n")).collect();
    let command = ["pack", "-", "--no-check", "--json"];
    let said = Call::new("nobody", &command).stdin(session.as_bytes()).run();
    serde_json::from_str(&said.stdout).expect(&said.stderr)
}

fn decided(calls: &[Value]) -> String {
    let pack = pack(calls);
    let all = pack["decisions"].as_array().unwrap();
    assert_eq!(all.len(), 1, "{pack}");
    assert_eq!(all[0]["kind"], "approved");
    all[0]["text"].as_str().unwrap().to_owned()
}

#[test]
fn the_plan_of_a_file_that_the_session_wrote_is_told_whole_with_the_name_of_the_file() {
    let whole = format!("{}\n\n(plan file: {FILE})", PLAN.trim_end());
    let told = |calls: &[Value]| decided(calls).replace("\n\n\n", "\n\n");
    for args in [json!({ "plan_path": FILE }), json!({"plan_filename": "whistle.md"})] {
        let file = args["plan_path"].as_str().unwrap_or("whistle.md");
        let want = whole.replace(FILE, file);
        assert_eq!(told(&[wrote(FILE, PLAN), approved(&args)]), want);
    }
    let args = json!({ "plan_path": FILE });
    let changed = replaced("r", "Then high", "Then higher", "success");
    let told_then = told(&[wrote(FILE, PLAN), changed.clone(), approved(&args)]);
    assert_eq!(told_then, whole.replace("Then high", "Then higher"));
    // What comes after it was approved, and what failed, changed nothing of what was approved.
    let failed = replaced("f", "Tests", "No tests", "error");
    assert_eq!(told(&[wrote(FILE, PLAN), failed, approved(&args), changed]), whole);
}

#[test]
fn a_plan_of_which_the_text_is_not_known_is_told_by_its_file() {
    let args = json!({ "plan_path": FILE });
    assert_eq!(decided(&[approved(&args)]), FILE);
    assert_eq!(decided(&[wrote("/home/ada/other/whistle.md", PLAN), approved(&args)]), FILE);
    // What a change made of it is not known where its words stand nowhere.
    let odd = replaced("r", "not there", "x", "success");
    assert_eq!(decided(&[wrote(FILE, PLAN), odd, approved(&args)]), FILE);
    assert_eq!(decided(&[replaced("r", "a", "b", "success"), approved(&args)]), FILE);
}
