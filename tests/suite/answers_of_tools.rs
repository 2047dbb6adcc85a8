//! What a tool answered as JSON is told with its long fields where there is room.

use serde_json::{Value, json};

use super::status::{segue, shell};

const TASK: &str = "Rotate at 50 MB, keep seven. Never delete what is younger than a day. Leave the log of changes alone.";

fn asked(answer: &str) -> Vec<Value> {
    let tool = json!({"name": "mcp__desk__get", "input": {"key": "K-7"}, "output": answer});
    vec![tool, shell("ls", "a"), json!("I have it.")]
}

fn packed(answer: &str, budget: &str) -> String {
    segue(&["pack", "-", "--no-check", "--budget", budget], &asked(answer)).stdout
}

fn answer() -> Value {
    json!({"key": "K-7", "summary": "Rotation", "description": TASK, "status": "Open"})
}

#[test]
fn the_long_field_of_an_answer_is_told_where_there_is_room() {
    for answer in [answer().to_string(), format!("{:#}", answer())] {
        assert!(packed(&answer, "4000").contains(TASK), "{answer}");
    }
    let long = json!({"key": "K-7", "body": "x ".repeat(2000), "description": TASK});
    assert!(packed(&long.to_string(), "4000").contains(TASK));
}

#[test]
fn where_there_is_less_room_the_field_is_named() {
    let budgets = ["500", "600", "700", "800", "1000"];
    let told = budgets.map(|budget| packed(&answer().to_string(), budget));
    for text in told.iter().filter(|text| text.contains("summary: Rotation, ")) {
        assert!(text.contains("status: Open, description: …"), "{text}");
    }
}
