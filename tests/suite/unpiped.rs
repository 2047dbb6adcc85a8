//! A check that failed is told as such wherever a pack speaks of it, also where no exit code says so.

use serde_json::{Value, json};

use super::status::{edit, failing, pack, session, shell, status, told};
use crate::handed::segue;

const FAILED: &str = "running 2 tests\ntest a ... ok\ntest b ... FAILED\n\nfailures:\n\n---- b stdout ----\nthread 'b' panicked at src/b.rs:9:5:\nassertion `left == right` failed\n\ntest result: FAILED. 1 passed; 1 failed; 0 ignored";
const PASSED: &str = "test result: ok. 2 passed; 0 failed; 0 ignored";

/// Returns what a pack says of a check that failed: how often it is named as failing, and what is asked of it.
fn told_of(steps: &[Value]) -> (usize, Vec<String>) {
    let pack = pack(steps);
    let asked = pack["checks"].as_array().unwrap().iter();
    let asked = asked.map(|line| line.as_str().unwrap().to_owned()).collect();
    (pack["failures"].as_array().unwrap().len(), asked)
}

#[test]
fn a_check_that_fails_behind_a_pipe_is_told_as_one_that_fails() {
    let change = edit("src/b.rs", "1", "2");
    for line in ["cargo test 2>&1 | tail -40", "cargo test; echo done"] {
        let steps = [change.clone(), shell(line, FAILED), json!("One test fails.")];
        let pack = pack(&steps);
        let failure = &pack["failures"][0];
        assert_eq!(failure["exit_code"], Value::Null, "{line}");
        assert!(failure["lines"].to_string().contains("test b ... FAILED"), "{failure}");
        let command = &pack["commands"][0];
        assert_eq!(
            (&command["command"], &command["worked"]),
            (&json!("cargo test"), &json!(false))
        );
        let done = pack["now"]["last_done"].as_str().unwrap();
        assert!(done.contains("→ failed: test b ... FAILED"), "{done}");
        let (_, asked) = told_of(&steps);
        assert!(asked.iter().any(|ask| ask.ends_with("does it still fail?")), "{asked:?}");
    }
    let well = [change.clone(), shell("cargo test 2>&1 | tail -40", PASSED), json!("Done.")];
    assert_eq!(told_of(&well).0, 0);
    let mended = [
        change.clone(),
        shell("cargo test 2>&1 | tail -40", FAILED),
        change,
        shell("cargo test 2>&1 | tail -40", PASSED),
        json!("Done."),
    ];
    assert_eq!(told_of(&mended).0, 0);
}

#[test]
fn a_check_that_passes_elsewhere_mends_none_here() {
    for [fails, passes] in [
        ["cd /srv/a && cargo test", "cd /srv/b && cargo test"],
        ["cargo test -p a", "cargo test -p b"],
        ["DB=mysql cargo test", "DB=pg cargo test"],
    ] {
        let change = edit("src/b.rs", "1", "2");
        let steps = [change, failing(fails, FAILED), shell(passes, PASSED), json!("b is green.")];
        let (failures, asked) = told_of(&steps);
        assert_eq!(failures, 1, "{fails}");
        assert!(asked.iter().any(|ask| ask.contains(fails) && ask.contains("still fail")));
    }
}

#[test]
fn an_error_that_took_the_place_of_another_is_told() {
    let fails = |test: &str| {
        let text =
            format!("FAILED tests/t.py::{test} - assert 1 == 2\n1 failed, 8 passed in 0.10s");
        failing("pytest -q", &text)
    };
    let change = |old: &str, new: &str| edit("src/m.py", old, new);
    let steps = [
        change("1", "2"),
        fails("a"),
        change("2", "3"),
        fails("b"),
        change("3", "4"),
        fails("a"),
        json!("a is back."),
    ];
    let (failures, asked) = told_of(&steps);
    assert_eq!(failures, 1);
    assert!(asked.contains(&"`pytest -q`: does it still fail?".to_owned()), "{asked:?}");
}

#[test]
fn an_exit_code_that_is_an_answer_fails_nothing() {
    let ends = |line: &str, code: i64, output: &str| {
        let call = json!({"name": "Bash", "input": {"command": line}, "output": format!("Exit code {code}\n{output}"), "fails": true});
        let steps = [edit("infra/a.tf", "1", "2"), call, json!("That is the plan.")];
        let open = status(&steps)["open"].to_string();
        (told_of(&steps).0, open.contains(line))
    };
    let plan = "terraform plan -detailed-exitcode";
    assert_eq!(ends(plan, 2, "Plan: 0 to add, 1 to change, 0 to destroy."), (0, false));
    assert_eq!(ends(plan, 1, "Error: no valid credentials"), (1, true));
    assert_eq!(ends("kubectl diff -f k8s", 1, "+  replicas: 3"), (0, false));
}

#[test]
fn the_request_of_the_list_that_is_open_stands_on_the_card() {
    let list = |first: &str| {
        let entry = |text: &str, status: &str| json!({"content": text, "status": status, "activeForm": text});
        let todos = [entry("Move the pool", first), entry("Test expired keys", "pending")];
        json!({"name": "TodoWrite", "input": {"todos": todos}, "output": "ok"})
    };
    let asked = "Build the vault for all keys of the shop, with these requirements: ring, not aws; no new table; offline too.";
    let steps = [
        told(asked),
        list("in_progress"),
        edit("src/pool.rs", "1", "2"),
        told(
            "hold on, the commit must not be breaking, amend it please before you go on with more",
        ),
        shell("git commit --amend -m x", "[main 1a2b3c4] x"),
        list("completed"),
        told("use tabs in there"),
        edit("src/pool.rs", "2", "3"),
        json!("Tabs now."),
    ];
    let said = segue(&["pack", "-", "--no-check", "--budget", "1000"], &session(&steps)).stdout;
    assert!(said.contains("Asked earlier (T-2):\n> Build the vault"), "{said}");
    assert!(said.contains("Asked in between (T-3): hold on, the commit must not"), "{said}");
}
