//! What a small pack tells before what: changed files before others, the user's words before names.

use serde_json::{Value, json};

use super::status::{edit, pack, read, segue, shell, told};

fn small(budget: usize, steps: &[Value]) -> String {
    segue(&["pack", "-", "--budget", &budget.to_string()], steps).stdout
}

#[test]
fn what_was_only_tried_for_is_no_file_that_was_seen() {
    let fails = |command: &str, output: &str, code: i32| {
        json!({"name": "Bash", "input": {"command": command}, "fails": true,
            "output": format!("Exit code {code}\n{output}")})
    };
    let named = |step: Value| {
        let files = pack(&[edit("src/a.rs", "x", "y"), step])["files_named"].to_string();
        ["lamp.toml", "hall.toml"].map(|name| files.contains(name))
    };
    let search = "rg -n clock conf/lamp.toml conf/hall.toml 2>/dev/null";
    assert_eq!(named(fails(search, "conf/hall.toml:3: clock", 2)), [false, true]);
    let missing = "conf/hall.toml:3: clock\nrg: conf/lamp.toml: No such file or directory";
    assert_eq!(named(fails(search, missing, 2)), [false, true]);
    // A search that found nothing looked into all of them.
    assert_eq!(named(fails(search, "", 1)), [true, true]);
}

#[test]
fn a_request_that_says_what_is_to_be_done_is_no_reply() {
    let report = "All rows are read. Verified with the tests of the importer, with the linter and by hand on the rows \
                  of March, which had been wrong before and which are right now in all of the columns.";
    let replies = |request: &str| {
        let steps =
            [edit("src/a.rs", "x", "y"), json!(report), told(request), edit("src/b.rs", "x", "y")];
        pack(&steps)["now"]["replies_to"]["text"].clone()
    };
    for request in
        ["address review feedback", "delete lamp.md in docs", "write tests if any are left"]
    {
        assert_eq!(replies(request), Value::Null, "{request}");
    }
    for request in [
        "go on",
        "do that in docs",
        "what about April?",
        "ok make a page for it, and write to those who keep the books when done",
    ] {
        assert_eq!(replies(request), json!(report), "{request}");
    }
}

#[test]
fn what_the_agent_said_when_it_ended_a_turn_comes_before_what_calls_printed() {
    let rows = (0..12).map(|row| format!("row {row} of the month\n")).collect::<String>();
    let mut steps: Vec<Value> =
        (0..8).map(|at| shell(&format!("python3 tools/rows.py --month {at}"), &rows)).collect();
    steps.push(edit("src/a.rs", "x", "y"));
    steps.push(json!("The rows are read once. Still yours to decide: the draft of the page waits for the books of May."));
    steps.push(told(
        "write a test of the importer of the amounts, with all rows of the month of March in it",
    ));
    steps.extend((0..8).map(|at| shell(&format!("python3 tools/case.py --case {at}"), &rows)));
    let mut all = (500..4000).step_by(100).map(|budget| small(budget, &steps));
    let text = all.find(|text| text.contains("row 3 of the month")).unwrap();
    assert!(text.contains("the draft of the page waits"), "{text}");
}
