//! Work that seems to be open and is not: what was tried once more in another way, what came back later, what a request
//! left behind.

use serde_json::{Value, json};

use crate::status::{edit, ended, open_by, pack};

const RED: &str = "running 2 tests\ntest a ... FAILED\ntest b ... ok\n\ntest result: FAILED. 1 passed; 1 failed; 0 ignored";
const LAUNCHED: &str = "Command running in background with ID: b7xaaq. Output is being written to: /tmp/t/b7xaaq.output";

fn begun() -> Vec<Value> {
    let line = json!({"name": "Bash", "input": {"command": "cargo test 2>&1 | tail -20", "run_in_background": true}, "output": LAUNCHED});
    let end = ended(
        "b7xaaq",
        "completed",
        "<summary>Background command \"x\" completed (exit code 0)</summary>",
    );
    vec![edit("src/a.rs", "x", "y"), line, end]
}

fn with(steps: &[Value]) -> Value {
    pack(&[&begun()[..], steps, &[json!("Hm.")]].concat())
}

#[test]
fn what_a_command_printed_that_had_ended_is_read_where_it_is_asked_for() {
    let head = "<retrieval_status>success</retrieval_status>\n\n<task_id>b7xaaq</task_id>\n\n<task_type>local_bash</task_type>\n\n<status>completed</status>\n\n<exit_code>0</exit_code>\n\n";
    let asked = |id: &str| json!({"name": "TaskOutput", "input": {"task_id": id}, "output": format!("{head}<output>\n{RED}\n</output>")});
    let open = |steps: &[Value]| open_by(&with(steps), "check");
    let red = ["make `cargo test` pass: 1 test failed: a"];
    assert_eq!(open(&[asked("b7xaaq")]), red);
    // What the harness numbers is what stands in the file.
    let rows: Vec<_> =
        RED.lines().enumerate().map(|(at, row)| format!("{}\t{row}", at + 1)).collect();
    let look = |path: &str| json!({"name": "Read", "input": {"file_path": path}, "output": rows.join("\n")});
    assert_eq!(open(&[look("/tmp/t/b7xaaq.output")]), red);
    for other in [asked("b7xabq"), look("/tmp/t/b7xabq.output")] {
        assert_eq!(open(&[other]), Vec::<String>::new());
    }
    // Asked twice, it is the same.
    assert_eq!(open(&[asked("b7xaaq"), asked("b7xaaq")]), red);
}
