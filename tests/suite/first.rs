//! What a small pack tells before what: changed files before others, the user's words before names.

use serde_json::{Value, json};

use super::status::{edit, pack, read, segue, shell, told};

fn small(budget: usize, steps: &[Value]) -> String {
    segue(&["pack", "-", "--budget", &budget.to_string()], steps).stdout
}

/// Files that were changed, then looked at and listed are others.
fn work() -> Vec<Value> {
    let code = |at: usize| format!("fn parse_amounts_{at}() {{}}\nfn write_amounts_{at}() {{}}\n");
    let changed = (0..14).map(|at| edit(&format!("src/rows/part_{at}.rs"), "x", &code(at)));
    let opened = (0..6).map(|at| read(&format!("docs/page_{at}.md"), &code(40 + at)));
    let listed = (0..12).map(|at| format!("tests/case_{at}.rs\n")).collect::<String>();
    let seen = shell("ls tests", &listed);
    changed.chain(opened).chain([seen]).collect()
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
    // A search that found nothing looked into all of them.
    assert_eq!(named(fails(search, "", 1)), [true, true]);
}

#[test]
fn a_request_that_agrees_and_orders_something_with_it_is_a_reply() {
    let report = "All rows are read. Verified with the tests of the importer, with the linter and by hand on the rows \
                  of March, which had been wrong before and which are right now in all of the columns.";
    let replies = |request: &str| {
        let steps =
            [edit("src/a.rs", "x", "y"), json!(report), told(request), edit("src/b.rs", "x", "y")];
        pack(&steps)["now"]["replies_to"]["text"].clone()
    };
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

#[test]
fn files_that_were_changed_are_named_before_all_others() {
    let steps = work();
    let (mut partly, mut all) = (0, 0);
    for budget in (300..1500).step_by(50) {
        let text = small(budget, &steps);
        let is_cut =
            text.contains(" more that were changed") || text.contains(" changed are not listed");
        let names_others = text.contains("docs/page_")
            || text.contains("\n- read:")
            || text.contains("not opened:");
        assert!(!(is_cut && names_others), "{budget}: {text}");
        partly += usize::from(is_cut);
        all += usize::from(names_others);
    }
    assert!(partly > 0 && all > 0, "{partly} {all}");
}

#[test]
fn an_old_decision_is_told_in_few_words_before_names() {
    let question = "The rows of each month can be written to one page or to a page of their own, and pages of \
                    months are easier to read for whoever keeps the books. Which of the two shall it be?";
    let options = json!([{"label": "one page"}, {"label": "a page a month"}]);
    let asked = json!({"name": "AskUserQuestion", "input": {"questions": [{"question": question, "options": options}]},
        "output": format!("User has answered your questions: \"{question}\"=\"a page a month\"."),
        "answers": {question: "a page a month"}});
    let mut steps = vec![asked, json!("So it is a page a month.")];
    for turn in 0..7 {
        steps.push(told(&format!(
            "now write part {turn} of the importer, with its page and its tests"
        )));
        steps.extend(work());
        steps.push(json!(format!("Part {turn} is written.")));
    }
    let text = (500..2000).step_by(50).map(|budget| small(budget, &steps));
    let text = text.into_iter().find(|text| text.contains("parse_amounts_")).unwrap();
    assert!(text.contains("→ a page a month"), "{text}");
    assert!(!text.contains("Which of the two shall it be?"), "{text}");
    assert!(small(20000, &steps).contains("Which of the two shall it be? → a page a month"));
}
