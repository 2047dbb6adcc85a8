//! What a pack says of work that was settled, set aside or left, and what it says once only.

use serde_json::{Value, json};

use super::status::{edit, pack};

fn open_work(steps: &[Value]) -> Vec<String> {
    let pack = pack(steps);
    let all = pack["open_work"].as_array().unwrap().iter();
    all.map(|work| work["text"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn findings_that_the_agent_dealt_with_are_not_open() {
    let listed = "- **P1 — The key is logged in full.** src/a.rs:3 prints it at each start of the tool.\n- **P2 — The page of amounts is empty.** src/b.rs:9 forgets the rows that have no date.";
    let open = |opening: &str| {
        open_work(&[edit("src/a.rs", "x", "y"), json!(format!("{opening}\n\n{listed}"))]).len()
    };
    assert_eq!(open("Both comments of the review are fixed and pushed."), 0);
    assert_eq!(open("The review is done."), 2);
    assert_eq!(open("The first of three is fixed, two remain."), 2);
}
