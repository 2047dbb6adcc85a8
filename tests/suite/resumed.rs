//! What a pack says of work that was settled, set aside or left, and what it says once only.

use serde_json::{Value, json};

use super::status::{edit, pack, printed, segue, shell};

fn told(words: &str) -> Value {
    json!({ "told": words })
}

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

#[test]
fn what_is_listed_as_open_work_is_left_out_of_the_last_words() {
    let findings = [
        "The key of amounts is lost. src/key.rs:3 drops it where the row has no date, so that the sum is too small. Keep the row and take the day of the file.",
        "The page comes up empty for guests. src/page.rs:9 asks for a name that nobody has set before the door was opened. Draw it without one, as the old page did.",
        "The mark stands twice after a restart. src/mark.rs:7 writes it again at each start, whatever was written there before. Look first whether it is there.",
        "The lamp burns all night. src/lamp.rs:5 never reads the clock behind the wall, so that noon is midnight to it. Read that clock once an hour, and at each start.",
    ]
    .map(|finding| format!("- **P2 — {}", finding.replacen(". ", ".** ", 1)));
    let rest = "It was read line by line and set beside the file of rows. ".repeat(40);
    let words = format!(
        "I looked at all of it.\n\n{}\n\n{rest}\n\nNothing was changed.",
        findings.join("\n")
    );
    let steps = [shell("git diff", "x"), json!(words)];
    let small = segue(&["pack", "-", "--budget", "700"], &steps).stdout;
    assert!(small.contains("I looked at all of it."), "{small}");
    for told in
        ["The key of amounts is lost", "The page comes up empty", "The lamp burns all night"]
    {
        assert_eq!(small.matches(told).count(), 1, "{told}: {small}");
    }
    // Where there is room for all of it, the words stand whole, and the list once more nowhere.
    let large = printed(&steps);
    assert_eq!(large.matches("The page comes up empty").count(), 1, "{large}");
    assert!(large.contains("Keep the row and take the day of the file."), "{large}");
    // Words that only list open work make room for the list.
    let more = "- **P2 — The road ends at the wall of the mill.** src/road.rs:8 takes the first way that is open, and never asks whether somebody built there. Ask the map first.";
    let only = format!("{}\n{more}", findings.join("\n"));
    let only = segue(&["pack", "-", "--budget", "420"], &[steps[0].clone(), json!(only)]).stdout;
    assert!(only.contains("Go on from the open work above"), "{only}");
    assert!(!only.contains("The agent's last words"), "{only}");
}

#[test]
fn long_entries_of_a_list_are_told_by_their_first_words_first() {
    let entries = [
        "Write the page of amounts with a row for each day, the sum below it, and a mark at each row that was changed by hand since it was read",
        "Ask for the name at the door before anything is drawn, keep it for the night, and forget it as soon as the guest has gone down the stairs",
        "Let the lamp read its clock once an hour and at each start, so that noon and midnight are told apart in every town that has one of its own",
        "Move old letters into the attic in boxes of twenty, with the year on the lid, unless somebody of the house has opened one within a month",
    ];
    let plan = entries.map(|entry| format!("- [ ] {entry}\n")).concat();
    let path = "/home/ada/tool/docs/plan.md";
    let wrote = json!({"name": "Write", "input": {"file_path": path, "content": plan},
        "output": format!("File created successfully at: {path}")});
    let steps = [wrote, json!("The plan is written.")];
    let small = segue(&["pack", "-", "--budget", "345"], &steps).stdout;
    assert!(
        small.contains("- [ ] Write the page of amounts") && small.contains(" … (W-"),
        "{small}"
    );
    assert!(!small.contains("by hand since it was read"), "{small}");
    assert_eq!(open_work(&steps), entries);
}

#[test]
fn what_binds_the_work_is_not_told_again_as_a_part_of_more() {
    let steps = [
        edit("src/a.rs", "x", "y"),
        json!("I wrote the page."),
        told("No, I mean the sum. Never touch the page of amounts."),
        json!("I see."),
        told("go on with the rows"),
        edit("src/b.rs", "x", "y"),
    ];
    let text = printed(&steps);
    let said = text.split("## Said by the user").nth(1).unwrap().split("## Files").next().unwrap();
    assert_eq!(said.matches("Never touch the page of amounts").count(), 1, "{text}");
}
