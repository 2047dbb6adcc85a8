//! What a session of Gemini CLI says in few or odd places.

use serde_json::{Value, json};

use super::{MARK, carried, claude, is_carried, is_told};
use crate::carried::converted;
use crate::known_again::told;
use crate::program::Call;

/// Returns a session of Gemini CLI with `messages` in it.
pub(super) fn gemini(messages: &[Value]) -> Vec<Value> {
    let time = "2026-01-02T03:04:05.000Z";
    let mut records = vec![
        json!({"sessionId": "6f0c7a1e-3b52-4d0a-9c1e-7aa0de51c0d2", "projectHash": "0",
            "startTime": time, "lastUpdated": time, "kind": "main"}),
        json!({"id": "m0", "timestamp": time, "type": "user", "content": [{"text": "go"}]}),
    ];
    records.extend_from_slice(messages);
    records.push(json!({"id": "m9", "timestamp": time, "type": "gemini", "content": "Done."}));
    records
}

#[test]
fn words_beside_bytes() {
    let time = "2026-01-02T03:04:05.000Z";
    let both = json!({"text": MARK, "inlineData": {"mimeType": "image/png", "data": "aGVsbG8="}});
    let message = json!({"id": "m1", "timestamp": time, "type": "user", "content": [both]});
    is_carried(&gemini(&[message]));
}

#[test]
fn what_stands_where_nobody_reads_it() {
    let time = "2026-01-02T03:04:05.000Z";
    let message = |kind: &str, content: Value| json!({"id": "m1", "timestamp": time, "type": kind, "content": content});
    let call = json!([{"functionCall": {"id": "c1", "name": "look", "args": {}}}]);
    is_told(&gemini(&[message("user", call)]), "incomplete records `functionCall`: 1");
    let response = json!([{"functionResponse": {"id": "c1", "name": "look", "response": {}}}]);
    is_told(&gemini(&[message("gemini", response)]), "incomplete records `functionResponse`: 1");
    for (name, value) in [("toolCalls", json!(["x"])), ("thoughts", json!([42]))] {
        let mut odd = message("gemini", json!("So."));
        odd[name] = value;
        is_told(&gemini(&[odd]), &format!("incomplete records `{name}`: 1"));
    }
    is_told(&gemini(&[json!({"$set": "MARKED"})]), "incomplete records `$set`: 1");
    let result = json!([{"text": MARK, "thought": true}]);
    let call =
        json!({"id": "c1", "name": "look", "args": {}, "status": "success", "result": result});
    let mut answer = message("gemini", json!(""));
    answer["toolCalls"] = json!([call]);
    is_carried(&gemini(&[answer]));
}

/// Returns a message of a session of Gemini CLI.
#[expect(clippy::needless_pass_by_value, reason = "a value made in place reads better")]
pub(super) fn message(kind: &str, content: Value) -> Value {
    let time = "2026-01-02T03:04:05.000Z";
    json!({"id": "m1", "timestamp": time, "type": kind, "content": content})
}

/// Returns an answer of Gemini CLI with a call and what came back.
fn called(response: &Value) -> Value {
    let mut answer = message("gemini", json!(""));
    answer["toolCalls"] = json!([{"id": "c1", "name": "look", "args": {}, "status": "success",
        "result": [{"functionResponse": response}]}]);
    answer
}

#[test]
fn what_a_part_says_beside_what_it_holds() {
    let signed = json!([{"text": "So.", "thoughtSignature": "c2VhbGVk"}]);
    is_told(&gemini(&[message("gemini", signed)]), "no place for `thoughtSignature`: 1");
    let call = json!({"id": "c1", "name": "look", "args": {}, "partialArgs": [{}]});
    let asked = json!([{"functionCall": call, "thought": false}]);
    is_told(&gemini(&[message("gemini", asked)]), "no place for `partialArgs`: 1");
    let shown = json!([{"inlineData": {"mimeType": "image/png", "data": "aGVsbG8=",
        "displayName": "a.png"}}]);
    let response = json!({"id": "c1", "name": "look", "response": {"output": "x"},
        "parts": shown, "willContinue": false});
    is_told(&gemini(&[called(&response)]), "no place for `displayName`: 1");
    let more = json!({"id": "c1", "name": "look", "response": {"output": "x"},
        "willContinue": true});
    is_told(&gemini(&[called(&more)]), "no place for `willContinue`: 1");
    // What is carried whole is not told as lost.
    let odd = json!([{"text": {"of": MARK}, "thoughtSignature": "c2VhbGVk"}]);
    is_carried(&gemini(&[message("gemini", odd.clone())]));
    assert!(!carried(&gemini(&[message("gemini", odd)]), "claude").1.contains("no place"));
    let two = json!([{"functionCall": {"id": "c1", "name": "look", "args": {}},
        "inlineData": {"mimeType": "text/plain", "data": "TUFSS0VEIQ=="}}]);
    for to in ["claude", "codex"] {
        let (lines, told) = converted(&gemini(&[message("gemini", two.clone())]), to);
        assert!(Value::from(lines).to_string().contains("MARKED!"), "{to}: {told}");
    }
}

#[test]
fn tokens_of_tools_and_words_for_the_screen_of_an_answer() {
    let mut answer = message("gemini", json!("So."));
    answer["tokens"] = json!({"input": 9, "output": 1, "tool": 4, "total": 14});
    is_told(&gemini(&[answer.clone()]), "no place for `tokens.tool`: 1");
    answer["tokens"]["tool"] = json!(0);
    answer["displayContent"] = json!("Shown.");
    is_told(&gemini(&[answer]), "no place for `displayContent`: 1");
}

#[test]
fn what_was_typed_where_other_words_were_sent() {
    let mut asked = message("user", json!([{"text": "Look at all of it."}]));
    asked["displayContent"] = json!([{"text": "/look"}, {"text": MARK}]);
    let records = gemini(&[asked]);
    for to in ["codex", "gemini"] {
        let (is_there, told) = carried(&records, to);
        assert!(is_there && !told.contains("typed"), "{to}: {told}");
    }
    let (lines, _) = converted(&records, "gemini");
    let shown = json!([{"text": format!("/look\n{MARK}")}]);
    assert!(lines.iter().any(|line| line["displayContent"] == shown), "{lines:#?}");
    assert!(lines.iter().filter(|line| line.get("displayContent").is_some()).count() == 1);
    let words = "left out what was typed where other words were sent for it: 1";
    assert!(carried(&records, "claude").1.contains(words));
    // A command stands in tags of its own among the words that are sent.
    let command = "<command-name>/look</command-name>\n<command-args>at it</command-args>";
    assert!(!carried(&claude(&json!(command)), "claude").1.contains("typed"));
}

#[test]
fn folders_beside_the_project() {
    let mut records = gemini(&[]);
    for (folders, is_said) in [(json!(["/home/ada/lib"]), true), (json!([]), false)] {
        records[0]["directories"] = folders;
        let (_, told) = carried(&records, "gemini");
        assert_eq!(told.contains("no place for `directories`: 1"), is_said, "{told}");
    }
    records[0]["directories"] = json!(["/home/ada/tool"]);
    records[0]["kind"] = json!("subagent");
    assert!(!carried(&records, "gemini").1.contains("directories"));
}

/// Responses within responses are no form of the program; they are neither followed nor do they stop it.
#[test]
fn responses_within_responses() {
    let mut inner = r#"{"inlineData":{"mimeType":"image/png","data":"aGVsbG8="}}"#.to_owned();
    for _ in 0..4000 {
        inner = format!(r#"{{"functionResponse":{{"id":"c","name":"x","parts":[{inner}]}}}}"#);
    }
    let records = gemini(&[called(&json!({"id": "c1", "name": "look", "response": {}}))]);
    let text: String = records.iter().map(|record| format!("{record}\n")).collect();
    let text = text.replace(r#""response":{}"#, &format!(r#""response":{{}},"parts":[{inner}]"#));
    let said = Call::new("nobody", &["convert", "-", "--to", "codex"]).stdin(text.as_bytes()).run();
    assert_eq!(said.code, 0, "{}", said.stderr);
}

#[test]
fn a_second_result_that_says_something_else() {
    let response =
        |output: &str| json!({"id": "c1", "name": "look", "response": {"output": output}});
    let again = |output: &str| {
        let mut message = message("user", json!([{"functionResponse": response(output)}]));
        message["id"] = json!("m2");
        message
    };
    let told = "left out second results of a call: 1";
    is_told(&gemini(&[called(&response("one")), again("two")]), told);
    let mut failed = again("one");
    failed["content"][0]["functionResponse"]["response"] = json!({"error": "one"});
    is_told(&gemini(&[called(&response("one")), failed]), told);
    for same in ["one", "<tool_output_masked>\n</tool_output_masked>"] {
        let records = gemini(&[called(&response("one")), again(same)]);
        assert!(!carried(&records, "codex").1.contains("second results"), "{same}");
    }
}

/// A message of results, once more what the call has, with `words` beside them.
fn steered(words: &[&str]) -> Vec<Value> {
    let response = json!({"functionResponse": {"id": "c1", "name": "look",
        "response": {"output": "seen"}}});
    let said = json!({"text": "The picture is below."});
    let call = json!({"id": "c1", "name": "look", "args": {}, "status": "success",
        "result": [response, said]});
    let mut answer = message("gemini", json!("So."));
    answer["toolCalls"] = json!([call]);
    let mut parts: Vec<_> = words.iter().map(|words| json!({ "text": words })).collect();
    parts.extend([response, said]);
    let mut results = message("user", Value::from(parts));
    results["id"] = json!("m2");
    gemini(&[answer, results])
}

#[test]
fn what_was_typed_while_tools_ran() {
    let sent = format!(
        "User steering update:\n<user_input>\n{MARK} tabs\n</user_input>\nInternal instruction: go."
    );
    let records = steered(&[&sent]);
    is_carried(&records);
    let typed = format!("{MARK} tabs");
    for records in [converted(&records, "claude").0, converted(&records, "codex").0, records] {
        let human = |words: &str| ("human".to_owned(), words.to_owned());
        assert_eq!(told(&records), [human("go"), human(&typed)], "{records:#?}");
    }
    // What the program put beside results is told as such, and what a result says itself is no more.
    let records = steered(&["A hook says: tidy."]);
    assert_eq!(told(&records)[1..], [("harness".to_owned(), "A hook says: tidy.".to_owned())]);
    let (_, told) = carried(&records, "claude");
    assert!(told.contains("words that the source's program put there for its model: 1"), "{told}");
    assert!(!told.contains("second results"), "{told}");
}
