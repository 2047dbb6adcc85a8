//! What a conversion has to carry whole: images, what scripts print, every result at its own call.

use serde_json::{Value, json};

use crate::attack::{line, segue, session};

/// Returns a record of Codex CLI, each a second after the one before.
pub(super) fn record(at: usize, kind: &str, payload: &Value) -> Value {
    let time = format!("2026-01-02T03:04:{at:02}.000Z");
    json!({"timestamp": time, "type": kind, "payload": payload})
}

/// Returns a session of Codex CLI in which `items` follow a request.
pub(super) fn codex(items: &[Value]) -> Vec<Value> {
    let meta = json!({
        "id": "01a1ffc9-7c01-7f80-87e0-5be1734ff0f8", "timestamp": "2026-01-02T03:04:00.000Z",
        "cwd": "/home/ada/tool", "originator": "codex_cli", "cli_version": "0.58.0",
    });
    let request = json!({"type": "message", "role": "user",
        "content": [{"type": "input_text", "text": "go"}]});
    let told = record(2, "event_msg", &json!({"type": "user_message", "message": "go"}));
    let mut records =
        vec![record(0, "session_meta", &meta), record(1, "response_item", &request), told];
    records.extend((3..).zip(items).map(|(at, item)| record(at, "response_item", item)));
    records
}

/// Converts a session; returns its lines and what was said to the user.
pub(super) fn converted(records: &[Value], to: &str) -> (Vec<Value>, String) {
    let (_folder, path) = session(records);
    let said = segue(&["convert", &path, "--to", to]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let lines = said.stdout.lines().map(|line| serde_json::from_str(line).unwrap());
    (lines.collect(), said.stderr)
}

/// Returns the results that Claude Code is to send, each with the id of its call.
fn results(lines: &[Value]) -> Vec<(String, Value)> {
    let blocks = lines.iter().filter_map(|line| line["message"]["content"].as_array()).flatten();
    let results = blocks.filter(|block| block["type"] == "tool_result");
    results
        .map(|block| (block["tool_use_id"].as_str().unwrap().to_owned(), block["content"].clone()))
        .collect()
}

fn picture(address: &str) -> Value {
    json!({"type": "message", "role": "user",
        "content": [{"type": "input_image", "image_url": address}]})
}

/// Up to 0.80 what a tool looked at comes behind the result, as a message that no event tells of.
#[test]
fn an_image_that_a_tool_looked_at_is_carried() {
    let answer = json!({"type": "message", "role": "assistant",
        "content": [{"type": "output_text", "text": "Seen."}]});
    let items = [
        json!({"type": "function_call", "name": "view_image", "call_id": "c1",
            "arguments": "{\"path\": \"pic.png\"}"}),
        json!({"type": "function_call_output", "call_id": "c1",
            "output": "attached local image path"}),
        picture("data:image/png;base64,aGVsbG8="),
        answer,
    ];
    let records = codex(&items);
    let (lines, told) = converted(&records, "claude");
    let source = json!({"type": "base64", "media_type": "image/png", "data": "aGVsbG8="});
    let image = json!([{"type": "image", "source": source}]);
    assert!(lines.iter().any(|line| line["message"]["content"] == image), "{lines:#?}");
    assert!(!told.contains("loss: left out words"), "{told}");
    let (lines, _) = converted(&records, "gemini");
    let data = json!([{"inlineData": {"mimeType": "image/png", "data": "aGVsbG8="}}]);
    assert!(lines.iter().any(|line| line["content"] == data), "{lines:#?}");
}

#[test]
fn calls_of_a_response_with_one_id_get_their_own_results_in_order() {
    let call = |pattern: &str, output: &str| {
        let response = json!({"id": "d1", "name": "glob", "response": {"output": output}});
        json!({"id": "d1", "name": "glob", "args": {"pattern": pattern}, "status": "success",
            "result": [{"functionResponse": response}]})
    };
    let time = "2026-01-02T03:04:05.000Z";
    let records = [
        json!({"sessionId": "6f0c7a1e-3b52-4d0a-9c1e-7aa0de51c0d2", "projectHash": "0",
            "startTime": time, "lastUpdated": time, "kind": "main"}),
        json!({"id": "m0", "timestamp": time, "type": "user", "content": [{"text": "hi"}]}),
        json!({"id": "m1", "timestamp": time, "type": "gemini", "content": "",
            "toolCalls": [call("*", "first"), call("**", "second")]}),
        json!({"id": "m2", "timestamp": time, "type": "gemini", "content": "",
            "toolCalls": [call("?", "third")]}),
    ];
    let (lines, told) = converted(&records, "claude");
    let results = results(&lines);
    let outputs: Vec<_> = results.iter().map(|(_, output)| output.clone()).collect();
    assert_eq!(outputs, ["first", "second", "third"].map(Value::from));
    assert_eq!(results[0].0, "d1");
    for loss in ["second results", "closed calls", "without their call"] {
        assert!(!told.contains(loss), "{told}");
    }
}

#[test]
fn results_of_calls_that_share_an_id_have_their_calls() {
    let call = |name: &str| json!({"type": "tool_use", "id": "t1", "name": name, "input": {}});
    let result =
        |text: &str| json!([{"type": "tool_result", "tool_use_id": "t1", "content": text}]);
    let answer = json!([{"type": "text", "text": "Done."}]);
    let records = [
        line("user", 1, 0, json!("go")),
        line("assistant", 2, 1, json!([call("Bash"), call("Read")])),
        line("user", 3, 2, result("first")),
        line("user", 4, 3, result("second")),
        line("assistant", 5, 4, answer),
    ];
    let (_, told) = converted(&records, "codex");
    assert!(!told.contains("without their call"), "{told}");
    // Of another response the earlier call never came back, and nothing else waits.
    let again = [
        line("user", 1, 0, json!("go")),
        line("assistant", 2, 1, json!([call("Bash")])),
        line("assistant", 3, 2, json!([call("Read")])),
        line("user", 4, 3, result("first")),
        line("user", 5, 4, result("second")),
        line("assistant", 6, 5, json!([{"type": "text", "text": "Done."}])),
    ];
    let (_, told) = converted(&again, "codex");
    assert!(told.contains("without their call"), "{told}");
}

/// Returns a script of Codex CLI and what it gave back.
pub(super) fn script(id: &str, text: &str, printed: &[&str]) -> [Value; 2] {
    let head = ["Script completed\nWall time 0.1 seconds\nOutput:\n"];
    let output = head.iter().chain(printed).map(|text| json!({"type": "input_text", "text": text}));
    let output: Vec<Value> = output.collect();
    [
        json!({"type": "custom_tool_call", "status": "completed", "call_id": id, "name": "exec",
            "input": text}),
        json!({"type": "custom_tool_call_output", "call_id": id, "output": output}),
    ]
}

#[test]
fn results_that_stay_inside_their_script_are_not_lost() {
    let [call, output] =
        script("c1", "text(await tools.exec_command({cmd: \"ls\"}));\n", &["a.txt\n"]);
    let (lines, told) = converted(&codex(&[call.clone(), output.clone()]), "codex");
    assert!(!told.contains("without their call"), "{told}");
    assert!(told.contains("inside their script: 2"), "{told}");
    for item in [call, output] {
        assert!(lines.iter().any(|line| line["payload"] == item), "{lines:#?}");
    }
}

/// Where the file tells of the commands of a script, its output is what it printed itself.
#[test]
fn what_a_script_printed_itself_is_carried() {
    let text = "const r = await tools.exec_command({cmd: \"ls\"});\ntext(r.output);\ntext(n);\n";
    let ls = "COMPUTED_VALUE 420\na.txt\ntrue\n";
    let told = json!({"exit_code": 0, "output": ls}).to_string();
    // An object with a word of its own is no result, nor is a short word that stands in one.
    let mixed = json!({"output": ls, "mine": "MY_WORDS"}).to_string();
    let printed = ["a.txt\n", &told, "COMPUTED_VALUE 42", "true", &mixed];
    let [call, output] = script("c1", text, &printed);
    let ran = json!({"type": "item_completed", "turn_id": "t", "item": {
        "type": "CommandExecution", "id": "exec-1", "command": ["/bin/bash", "-lc", "ls"],
        "cwd": "/home/ada/tool", "aggregated_output": ls, "exit_code": 0,
        "status": "completed", "source": "agent"}});
    let mut records = codex(&[call]);
    records.push(record(10, "event_msg", &ran));
    records.push(record(11, "response_item", &output));
    for to in ["claude", "gemini"] {
        let (lines, told) = converted(&records, to);
        let all = Value::from(lines).to_string();
        assert!(all.contains("COMPUTED_VALUE 42"), "{told}{all}");
        assert_eq!(all.matches("MY_WORDS").count(), 1, "{told}{all}");
        // Once as the result, once in the object.
        assert_eq!(all.matches("a.txt").count(), 2, "{all}");
        assert_eq!(all.matches("true").count(), 3, "{all}");
        assert!(!all.contains("Wall time"), "{all}");
    }
}

/// A script that runs on is waited for by other calls, and these print what its commands gave back.
#[test]
fn what_a_script_that_was_waited_for_printed_is_carried_once() {
    let text = "text((await tools.exec_command({cmd: \"make\"})).output);\n";
    let [call, _] = script("c1", text, &[]);
    let running = |id: &str, name: &str, printed: &[&str]| {
        let [_, mut output] = script(id, "", printed);
        output["output"][0]["text"] =
            json!("Script running with cell ID 7\nWall time 10 seconds\nOutput:\n");
        output["type"] = json!(name);
        output
    };
    let wait = |id: &str| {
        json!({"type": "function_call", "name": "wait", "call_id": id,
            "arguments": "{\"cell_id\": \"7\"}"})
    };
    let [_, done] = script("w2", "", &["ALL_DONE\n"]);
    let items = [
        call,
        running("c1", "custom_tool_call_output", &["BEGUN\n"]),
        wait("w1"),
        running("w1", "function_call_output", &["AND_ON\n"]),
        wait("w2"),
        done,
    ];
    // The file tells of the command, or only the script's own output does.
    let ran = json!({"type": "item_completed", "turn_id": "t", "item": {
        "type": "CommandExecution", "id": "exec-1", "command": ["/bin/bash", "-lc", "make"],
        "cwd": "/home/ada/tool", "aggregated_output": "BEGUN\nAND_ON\nALL_DONE\n", "exit_code": 0,
        "status": "completed", "source": "agent"}});
    let mut listed = codex(&items);
    listed.insert(8, record(8, "event_msg", &ran));
    for (records, to) in
        [codex(&items), listed].iter().flat_map(|one| [(one, "claude"), (one, "gemini")])
    {
        let (lines, told) = converted(records, to);
        let all = Value::from(lines).to_string();
        let places = ["BEGUN", "AND_ON", "ALL_DONE"].map(|word| {
            assert_eq!(all.matches(word).count(), 1, "{word} {told}{all}");
            all.find(word)
        });
        assert!(places[0] < places[2], "{all}");
    }
}

/// A tool may say more than its output.
#[test]
fn what_a_tool_of_gemini_cli_said_beside_its_output_is_carried() {
    let time = "2026-01-02T03:04:05.000Z";
    let response = json!({"output": "FOUND", "metadata": {"count": 12_345_678}, "tool": "SAID"});
    let result = json!([{"functionResponse": {"id": "c1", "name": "look", "response": response}}]);
    let call = json!({"id": "c1", "name": "look", "args": {}, "status": "success",
        "timestamp": time, "result": result});
    let records = [
        json!({"sessionId": "6f0c7a1e-3b52-4d0a-9c1e-7aa0de51c0d2", "projectHash": "0",
            "startTime": time, "lastUpdated": time, "kind": "main"}),
        json!({"id": "m0", "timestamp": time, "type": "user", "content": [{"text": "look"}]}),
        json!({"id": "m1", "timestamp": time, "type": "gemini", "content": "", "toolCalls": [call]}),
    ];
    for to in ["claude", "codex"] {
        let (lines, told) = converted(&records, to);
        let all = Value::from(lines).to_string();
        for word in ["FOUND", "12345678", "SAID"] {
            assert_eq!(all.matches(word).count(), 1, "{told}{all}");
        }
        assert!(told.contains("parts that only the source knows as text: 1"), "{told}");
    }
    let (lines, told) = converted(&records, "gemini");
    assert_eq!(lines[2]["toolCalls"][0]["result"], result);
    assert!(!told.contains("only the source knows"), "{told}");
}

/// The client leaves out what it would have to fetch, and a film is no picture.
#[test]
fn a_picture_that_lies_elsewhere_is_named_for_codex() {
    let time = "2026-01-02T03:04:05.000Z";
    let file =
        |kind: &str| json!({"fileData": {"mimeType": kind, "fileUri": "https://a.example/b"}});
    let records = [
        json!({"sessionId": "6f0c7a1e-3b52-4d0a-9c1e-7aa0de51c0d2", "projectHash": "0",
            "startTime": time, "lastUpdated": time, "kind": "main"}),
        json!({"id": "m0", "timestamp": time, "type": "user",
            "content": [{"text": "look"}, file("image/png"), file("video/mp4")]}),
        json!({"id": "m1", "timestamp": time, "type": "gemini", "content": "Seen."}),
    ];
    let (lines, told) = converted(&records, "codex");
    let all = Value::from(lines).to_string();
    assert!(!all.contains("input_image") && told.contains("in place of images: 2"), "{told}{all}");
    assert!(all.contains("[video/mp4, https://a.example/b: not carried over]"), "{all}");
    let own = codex(&[picture("https://a.example/b")]);
    let (lines, _) = converted(&own, "codex");
    let item = picture("https://a.example/b");
    assert!(lines.iter().any(|line| line["payload"] == item), "{lines:#?}");
}

#[test]
fn mail_of_another_agent_goes_back_as_it_was() {
    let words = "Message Type: MESSAGE\nTask name: /root\nSender: /root/review\nPayload:\n";
    let mail = json!({"type": "agent_message", "author": "/root/review", "recipient": "/root",
        "content": [{"type": "input_text", "text": words},
            {"type": "encrypted_content", "encrypted_content": "c2VhbGVk"}]});
    let records = codex(std::slice::from_ref(&mail));
    let (lines, _) = converted(&records, "codex");
    assert!(lines.iter().any(|line| line["payload"] == mail), "{lines:#?}");
    let (lines, _) = converted(&records, "claude");
    assert!(lines.iter().any(|line| line.to_string().contains("Sender: /root/review")));
}

#[test]
fn a_document_of_plain_text_is_carried_as_its_text() {
    let source = json!({"type": "text", "media_type": "text/plain", "data": "abcd"});
    let document = json!({"type": "document", "source": source});
    let request = json!([{"type": "text", "text": "read it"}, document]);
    let answer = json!([{"type": "text", "text": "Read."}]);
    let records = [line("user", 1, 0, request.clone()), line("assistant", 2, 1, answer)];
    let content = |to: &str| {
        let (lines, told) = converted(&records, to);
        assert!(!told.contains("in place of images"), "{told}");
        Value::from(lines).to_string()
    };
    assert!(content("codex").contains(r#"{"type":"input_text","text":"abcd"}"#));
    assert!(content("gemini").contains(r#"{"text":"abcd"}"#));
    let (lines, _) = converted(&records, "claude");
    assert_eq!(lines[0]["message"]["content"], request);
}
