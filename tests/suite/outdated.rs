//! What makes a check that passed out of date, whichever way files were changed.

use serde_json::{Value, json};

use crate::attack;
use crate::carried::codex;
use crate::status::{edit, pack, shell, status};

const PASSED: &str = "==== 3 passed in 0.10s ====";
const FAILED: &str = "==== 1 failed, 2 passed in 0.10s ====";

/// Returns a session that changes a file, has its tests pass, and then does `steps`.
fn passed(steps: &[Value]) -> Vec<Value> {
    let first = [edit("src/a.py", "x", "y"), shell("pytest -q", PASSED)];
    first.iter().chain(steps).chain(&[json!("That was it.")]).cloned().collect()
}

/// Whether the check is out of date after `steps`, and the work not done for that.
fn is_outdated(steps: &[Value]) -> bool {
    let status = status(&passed(steps));
    let since = status["last_check"]["edits_since"].as_u64().unwrap();
    assert_eq!(since == 0, status["done"] == json!(true), "{status}");
    since > 0
}

/// Returns a call of a tool of a server.
fn served(name: &str, input: &Value, output: &str) -> Value {
    let output = json!([{"type": "text", "text": output}]);
    json!({"name": format!("mcp__{name}"), "input": input, "output": output})
}

/// Returns a file of a pack as `state path`.
fn file(pack: &Value, path: &str) -> String {
    let files = pack["files"].as_array().unwrap();
    let file = files.iter().find(|file| file["path"] == path);
    file.map_or_else(String::new, |file| format!("{} {}", file["state"], file["edits"]))
}

#[test]
fn a_file_that_the_tool_of_a_server_changes_is_changed() {
    for (name, input) in [
        ("code__replace_symbol_body", json!({"relative_path": "src/a.py", "body": "x"})),
        ("code__insert_after_symbol", json!({"relative_path": "src/a.py", "body": "x"})),
        ("ide__replace_text_in_file", json!({"pathInProject": "src/a.py", "oldText": "x"})),
        ("fast__edit_file", json!({"target_filepath": "/home/ada/tool/src/a.py", "code": "x"})),
        ("editor__Edit", json!({"file_path": "/home/ada/tool/src/a.py", "old_string": "x"})),
    ] {
        let call = served(name, &input, "OK");
        assert!(is_outdated(std::slice::from_ref(&call)), "{name}");
        assert_eq!(file(&pack(&passed(&[call])), "src/a.py"), "\"edited\" 2", "{name}");
    }
    let look = served("code__find_symbol", &json!({"relative_path": "src/a.py"}), "[]");
    assert!(!is_outdated(&[look]));
}

#[test]
fn a_check_that_a_server_runs_is_one() {
    let input = json!({"command": "pytest -q"});
    let ended = |name: &str, output: &str| {
        let status = status(&passed(&[served(name, &input, output)]));
        status["last_check"]["told"].as_str().unwrap().to_owned()
    };
    let object = json!({"stdout": format!("F..\n{FAILED}\n"), "stderr": "", "return_code": 1});
    assert_eq!(ended("code__execute_shell_command", &object.to_string()), "1 of 3 failed");
    assert_eq!(
        ended("shell__start_process", &format!("Process started\n{FAILED}")),
        "1 of 3 failed"
    );
    assert_eq!(ended("ssh__execute_shell_command", &object.to_string()), "passed (3 tests)");
}

#[test]
fn a_patch_that_a_shell_is_given_is_a_change_whichever_shell_that_is() {
    let patch = |old: &str, new: &str| {
        format!("*** Begin Patch\n*** Update File: a.py\n@@\n-{old}\n+{new}\n*** End Patch")
    };
    let call = |id: &str, arguments: &Value| {
        json!({"type": "function_call", "name": "exec_command", "call_id": id,
            "arguments": arguments.to_string()})
    };
    let gave = |id: &str, output: &str| {
        let output =
            format!("Wall time: 0.1 seconds\nProcess exited with code 0\nOutput:\n{output}");
        json!({"type": "function_call_output", "call_id": id, "output": output})
    };
    let patched = |id: &str, old: &str, new: &str| {
        let line = format!("apply_patch <<'EOF'\n{}\nEOF", patch(old, new));
        [
            call(id, &json!({ "cmd": line })),
            gave(id, "Success. Updated the following files:\nM a.py"),
        ]
    };
    let tested = [call("c2", &json!({"cmd": "pytest -q"})), gave("c2", PASSED)];
    let items = [patched("c1", "one", "two"), tested, patched("c3", "two", "three")].concat();
    let (_folder, path) = attack::session(&codex(&items));
    let said = attack::segue(&["status", &path]);
    assert!(said.stdout.contains("passed (3 tests); 1 file was changed since"), "{}", said.stdout);
}
