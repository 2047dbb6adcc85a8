//! Sessions in which nobody asked for anything in words.

use serde_json::{Value, json};

use crate::program::Call;
use crate::status::{session, shell, told};

/// Runs over a session that the user began by a command of their own, whose output was `output`.
fn run(command: &[&str], output: &str, steps: &[Value]) -> String {
    let ran = format!("<bash-stdout>{output}</bash-stdout><bash-stderr></bash-stderr>");
    let all = [&[told(&ran)], steps].concat();
    let request = "write the importer and its tests";
    let begun = session(&all).replacen(request, "<bash-input>make setup</bash-input>", 1);
    Call::new("nobody", command).stdin(begun.as_bytes()).run().stdout
}

fn asked() -> Value {
    let asked = json!({"questions": [{"question": "Which lamp?", "header": "Lamp", "options": [
        {"label": "the old one", "description": "-"}, {"label": "a new one", "description": "-"}]}]});
    json!({"name": "AskUserQuestion", "input": asked, "answers": {"Which lamp?": "a new one"},
        "output": "User has answered your questions: \"Which lamp?\"=\"a new one\"."})
}

#[test]
fn what_the_user_ran_and_chose_stands_for_a_request() {
    let asks = json!("There are two lamps. Which one do you want?");
    let steps = [asks, asked(), shell("fetch lamp.zip", "fetched")];
    let packed = run(&["pack", "-"], "Error: no lamp", &steps);
    let goal = "No request in words; the user ran `make setup`";
    assert!(packed.contains(goal), "{packed}");
    assert!(packed.contains("; then chose: Which lamp? → a new one\n"), "{packed}");
    let said = "Which one do you want? (answered since: Which lamp? → a new one)";
    assert!(packed.contains(said), "{packed}");
    assert!(packed.contains("go on after what was done since"), "{packed}");
    let status = run(&["status", "-"], "Error: no lamp", &steps);
    assert!(status.contains("finish what was begun; the last step was: ran `fetch"), "{status}");
    assert!(status.contains("(answered since: "), "{status}");
    // What nobody answered is still asked.
    let open = [steps[0].clone(), shell("ls", "lamp.zip")];
    let packed = run(&["pack", "-"], "Error: no lamp", &open);
    assert!(packed.contains(goal) && !packed.contains("answered since"), "{packed}");
    // Nobody went on from what only stands there, and words of the user's are the request.
    let none = "No request of a human is in the session.";
    assert!(run(&["pack", "-"], "lamp.zip", &[]).contains(none));
    let later = [&steps[..], &[told("Now write the reader of lamps."), shell("ls", "x")]].concat();
    let packed = run(&["pack", "-"], "Error: no lamp", &later);
    assert!(
        packed.contains("> Now write the reader") && !packed.contains("No request"),
        "{packed}"
    );
}
