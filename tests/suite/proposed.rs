//! Plans that Codex CLI puts to the user in words.

use serde_json::{Value, json};

use crate::program::Call;
use crate::status::{codex, codex_pack, codex_status};

const PLAN: &str = "# Importer\n\n1. Parse the amounts in src/parse.rs\n2. Write table tests";

/// What the model says where it proposes a plan.
fn proposed(plan: &str) -> Value {
    json!({"says": format!("I looked at it.\n<proposed_plan>\n{plan}\n</proposed_plan>")})
}

/// What the harness tells of it besides.
fn as_item(plan: &str) -> Value {
    json!({"event": {"type": "item_completed", "item": {"type": "Plan", "id": "p", "text": plan}}})
}

fn user(words: &str) -> Value {
    json!({"user": words})
}

fn edit() -> Value {
    let patch = "*** Begin Patch\n*** Update File: src/parse.rs\n@@\n-a\n+b\n*** End Patch";
    json!({"name": "apply_patch", "input": {"input": patch}, "output": "Success."})
}

fn texts(list: &Value) -> Vec<String> {
    let all = list.as_array().into_iter().flatten();
    all.map(|one| one["text"].as_str().unwrap_or_default().to_owned()).collect()
}

/// What was decided of plans.
fn decided(steps: &[Value]) -> Vec<String> {
    let pack = codex_pack(steps);
    let all = pack["decisions"].as_array().unwrap().iter();
    let told = all
        .map(|one| format!("{} {}", one["kind"].as_str().unwrap(), one["text"].as_str().unwrap()));
    told.map(|one| one.lines().next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn a_plan_that_was_proposed_waits_for_the_user() {
    for steps in [vec![proposed(PLAN)], vec![proposed(PLAN), as_item(PLAN)], vec![as_item(PLAN)]] {
        let status = codex_status(&steps);
        let open = texts(&status["open"]);
        assert_eq!(open.len(), 1, "{status}");
        assert!(open[0].starts_with("the plan waits for the user's approval: "), "{status}");
        assert!(decided(&steps).is_empty());
    }
}

#[test]
fn a_plan_is_approved_by_words_or_by_what_was_done_after_them() {
    let approved = ["approved # Importer"];
    assert_eq!(decided(&[proposed(PLAN), as_item(PLAN), user("Implement the plan.")]), approved);
    assert_eq!(decided(&[proposed(PLAN), user("yes, go ahead")]), approved);
    let steps = [proposed(PLAN), user("yes, but leave the README alone"), edit()];
    assert_eq!(decided(&steps), approved);
    // What was done after other words says nothing of it.
    for said in [
        "No, don't do that. Just fix the typo.",
        "Not now. Bump the version first.",
        "Implement the plan later, first fix the typo.",
    ] {
        assert_eq!(decided(&[proposed(PLAN), user(said), edit()]), [""; 0], "{said}");
    }
    // Nobody knows what was made of it.
    assert_eq!(decided(&[proposed(PLAN), user("what does the second step do?")]), [""; 0]);
    assert_eq!(decided(&[proposed(PLAN), edit()]), [""; 0]);
}

#[test]
fn a_plan_that_was_carried_out_is_no_open_work() {
    let check = json!({"name": "exec_command", "input": {"cmd": "cargo test"}, "output":
        "Wall time: 1.0 seconds\nProcess exited with code 0\nOutput:\ntest result: ok. 5 passed; 0 failed"});
    let said = json!({"says": "The importer is there, and all tests pass."});
    let steps = [proposed(PLAN), as_item(PLAN), user("Implement the plan."), edit(), check, said];
    let status = codex_status(&steps);
    assert_eq!(status["done"], json!(true), "{status}");
}

#[test]
fn a_plan_in_the_place_of_which_another_one_came_was_not_approved() {
    let other = "# Importer\n\n1. Use a crate for it";
    let steps =
        [proposed(PLAN), user("no, use a crate"), proposed(other), user("Implement the plan.")];
    let all = decided(&steps);
    assert_eq!(all[..1], ["approved # Importer"]);
    assert!(all[1].starts_with("refused not this plan: # Importer 1. Parse"), "{all:?}");
    assert!(all[1].ends_with("; the user said: no, use a crate"), "{all:?}");
}

#[test]
fn a_list_of_work_with_a_reason_is_no_proposal() {
    let plan = json!([{"step": "Parse the amounts", "status": "completed"}, {"step": "Write tests", "status": "pending"}]);
    let input = json!({"explanation": "The parser comes first.", "plan": plan});
    let listed = codex(&[json!({"name": "update_plan", "input": input, "output": "Plan updated"})]);
    let run =
        |args: &[&str], from: &str| Call::new("one", args).stdin(from.as_bytes()).run().stdout;
    let exported = run(&["export", "-", "--to", "atif"], &listed);
    for session in [listed, exported] {
        let status = run(&["status", "-"], &session);
        assert!(status.contains("Write tests (plan, "), "{status}");
        assert!(!status.contains("waits for the user"), "{status}");
    }
}

#[test]
fn a_plan_that_was_proposed_is_one_in_another_harness_too() {
    let session = codex(&[proposed(PLAN), as_item(PLAN)]);
    let run =
        |args: &[&str], from: &str| Call::new("one", args).stdin(from.as_bytes()).run().stdout;
    for target in ["claude", "gemini", "codex"] {
        let made = run(&["convert", "-", "--to", target, "-o", "-"], &session);
        let status = run(&["status", "-"], &made);
        assert!(status.contains("the plan waits for the user's approval"), "{target}: {status}");
    }
}
