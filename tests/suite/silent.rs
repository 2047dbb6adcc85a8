//! What no conversion may leave out without a word: it is in what was written, or it is told.

mod gemini;
mod whole;

use serde_json::{Value, json};

use crate::attack::{line, segue, session};
use crate::carried::{codex, converted, record};
use crate::program::Call;
use gemini::{gemini, message};

/// What is looked for in what was written, or else in what was said.
const MARK: &str = "MARKED";
/// Targets of a conversion.
const TARGETS: [&str; 3] = ["claude", "codex", "gemini"];

/// Converts to `to`, and returns whether the marked words are there, and what was said.
fn carried(records: &[Value], to: &str) -> (bool, String) {
    let (lines, told) = converted(records, to);
    (Value::from(lines).to_string().contains(MARK), told)
}

/// Holds a session to carrying the marked words to every target.
fn is_carried(records: &[Value]) {
    for to in TARGETS {
        let (is_there, told) = carried(records, to);
        assert!(is_there, "{to}: {told}");
    }
}

/// Holds a session to saying what it leaves out, in these words.
fn is_told(records: &[Value], words: &str) {
    for to in TARGETS {
        let (_, told) = carried(records, to);
        assert!(told.contains(words), "{to}: {told}");
    }
}

/// Returns a session of Claude Code in which `content` was said.
fn claude(content: &Value) -> Vec<Value> {
    let answer = json!([{"type": "text", "text": "Done."}]);
    vec![
        line("user", 1, 0, json!("go")),
        line("user", 2, 1, content.clone()),
        line("assistant", 3, 2, answer),
    ]
}

/// Tells whether a conversion says that it left out arguments of one call.
fn tells_arguments(records: &[Value], to: &str) -> bool {
    let (_, told) = carried(records, to);
    let is_told = told.contains("arguments of calls that the target's own tools do not have: 1");
    assert!(is_told || !told.contains("arguments of calls"), "{to}: {told}");
    is_told
}

#[test]
fn arguments_that_no_tool_of_the_target_has() {
    let shell = |name: &str, arguments: Value| {
        codex(&[json!({"type": "function_call", "name": name, "call_id": "c1",
            "arguments": arguments.to_string()})])
    };
    let patch = "*** Begin Patch\n*** Add File: a\n+b\n*** End Patch";
    let cases = [
        ("exec_command", json!({"cmd": "ls", "yield_time_ms": 1000}), true),
        ("exec_command", json!({"cmd": "ls", "sandbox_permissions": "require_escalated"}), true),
        ("exec_command", json!({"cmd": "ls", "sandbox_permissions": "use_default"}), false),
        ("exec_command", json!({"cmd": "ls", "workdir": "/x", "justification": "see"}), false),
        ("shell", json!({"command": ["ls"], "with_escalated_permissions": true}), true),
        ("shell", json!({"command": ["ls"], "with_escalated_permissions": false}), false),
        ("shell", json!({"command": ["apply_patch", patch], "timeout_ms": 9}), true),
        ("shell", json!({"command": ["apply_patch", patch]}), false),
        // A call that is carried as it is keeps them.
        ("exec_command", json!({"cmd": "ls", "tty": true, "yield_time_ms": 1000}), false),
    ];
    for (name, arguments, is_told) in cases {
        let records = shell(name, arguments.clone());
        for to in ["claude", "gemini"] {
            assert_eq!(tells_arguments(&records, to), is_told, "{to}: {arguments}");
        }
        assert!(!tells_arguments(&records, "codex"));
    }
}

#[test]
fn what_lists_and_replacements_say_besides() {
    let mut records = claude(&json!("go on"));
    for (active, is_told) in [("Running", true), ("Run", false)] {
        let todo = json!({"content": "Run", "status": "pending", "activeForm": active});
        let call = json!({"type": "tool_use", "id": "t1", "name": "TodoWrite",
            "input": {"todos": [todo]}});
        records[2] = line("assistant", 3, 2, json!([call]));
        for to in ["codex", "gemini"] {
            assert_eq!(tells_arguments(&records, to), is_told, "{to}: {active}");
        }
        assert!(!tells_arguments(&records, "claude"));
    }
    let mut answer = message("gemini", json!(""));
    for (words, is_told) in [("Mend the name.", true), ("", false)] {
        answer["toolCalls"] = json!([{"id": "c1", "name": "replace", "status": "success",
            "args": {"file_path": "/a", "old_string": "b", "new_string": "c", "instruction": words}}]);
        let records = gemini(std::slice::from_ref(&answer));
        assert_eq!(tells_arguments(&records, "claude"), is_told);
        // Codex CLI has no such tool, so that the call is carried as it is.
        assert!(!tells_arguments(&records, "codex"));
    }
}

#[test]
fn what_is_neither_words_nor_a_block() {
    is_carried(&claude(&json!([["MARKED"]])));
    is_carried(&claude(&json!({"type": "text", "text": {"of": "MARKED"}})));
    let told = "message parts of unknown type as they are";
    is_told(&claude(&json!([42, true])), told);
    let call = json!([{"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "x"}}]);
    let mut records = claude(&json!("go on"));
    records[2] = line("assistant", 3, 2, call);
    let result = json!([{"type": "tool_result", "tool_use_id": "t1", "content": 42}]);
    records.push(line("user", 4, 3, result));
    is_told(&records, told);
}

#[test]
fn an_image_that_was_typed_while_the_agent_worked() {
    let source = json!({"type": "base64", "media_type": "image/png", "data": "MARKEDaa"});
    let prompt = json!([{"type": "text", "text": "see"}, {"type": "image", "source": source}]);
    let mut records = claude(&json!("go on"));
    let mut queued = line("attachment", 4, 2, Value::Null);
    queued["attachment"] = json!({"type": "queued_command", "prompt": prompt});
    records[2]["parentUuid"] = queued["uuid"].clone();
    records.insert(2, queued);
    is_carried(&records);
}

#[test]
fn what_a_block_says_besides_its_words() {
    let citation = json!({"type": "web_search_result_location", "url": "https://a.example"});
    let mut records = claude(&json!("go on"));
    let cited = json!([{"type": "text", "text": "It is so.", "citations": [citation]}]);
    records[2] = line("assistant", 3, 2, cited);
    is_told(&records, "no place for `citations`: 1");
    let source = json!({"type": "text", "media_type": "text/plain", "data": "abcd"});
    let document = json!([{"type": "document", "source": source, "title": "A"}]);
    is_told(&claude(&document), "no place for `title`: 1");
}

#[test]
fn why_the_provider_stopped() {
    let mut records = claude(&json!("go on"));
    let details = json!({"type": "refusal", "category": "cyber", "explanation": "No."});
    for (details, is_said) in [(details, true), (json!({"type": "end_turn"}), false)] {
        records[2]["message"]["stop_details"] = details;
        for to in TARGETS {
            let (_, told) = carried(&records, to);
            assert_eq!(told.contains("no place for `stop_details`: 1"), is_said, "{to}: {told}");
        }
    }
}

#[test]
fn the_server_of_a_tool_that_the_provider_calls() {
    let mut records = claude(&json!("go on"));
    let call = json!({"type": "mcp_tool_use", "id": "mcptoolu_1", "name": "look",
        "server_name": "MARKED", "input": {}});
    records[2] = line("assistant", 3, 2, json!([call]));
    is_carried(&records);
}

#[test]
fn an_image_that_came_with_words() {
    let source = json!({"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="});
    let words = json!({"type": "text", "text": "make it look so"});
    let records = claude(&json!([words, {"type": "image", "source": source}]));
    let (_folder, path) = session(&records);
    let pack = segue(&["pack", &path]).stdout;
    assert!(pack.contains("make it look so\n> (with image/png)"), "{pack}");
    for level in ["smooth", "compact", "tiny"] {
        let shown = segue(&["show", "T-2", "--session", &path, "--level", level]).stdout;
        assert!(shown.contains("make it look so (with image/png)"), "{level}: {shown}");
    }
}

#[test]
fn a_file_that_was_attached() {
    let mut records = claude(&json!("see @a.rs"));
    let mut file = line("attachment", 3, 2, Value::Null);
    let held = json!({"type": "text", "file": {"filePath": "/x/a.rs", "content": "MARKED\nend"}});
    file["attachment"] = json!({"type": "file", "filename": "/x/a.rs", "content": held});
    records[2] = file;
    records.push(line("assistant", 4, 3, json!([{"type": "text", "text": "Done."}])));
    is_carried(&records);
    let (_folder, path) = session(&records);
    let exported = segue(&["export", &path]).stdout;
    assert!(exported.contains(r"/x/a.rs\nMARKED\nend"), "{exported}");
    let pack = segue(&["pack", "--json", &path]).stdout;
    let pack: Value = serde_json::from_str(&pack).unwrap();
    let file = &pack["files"][0];
    assert_eq!((&file["path"], &file["state"]), (&json!("/x/a.rs"), &json!("read")), "{pack}");
    // One that is no text has no place.
    let picture = json!({"type": "image", "file": {"base64": "AAAA"}});
    records[2]["attachment"]["content"] = picture;
    is_told(&records, "left out files that were attached to messages: 1");
}

#[test]
fn what_a_hook_told_the_model() {
    let mut records = claude(&json!("go on"));
    let mut hook = line("attachment", 4, 3, Value::Null);
    hook["attachment"] = json!({"type": "hook_success", "content": "Use tabs.", "stdout": "x"});
    records.push(hook.clone());
    is_told(&records, "left out notices: 1");
    // Most say nothing.
    hook["attachment"]["content"] = json!("");
    records[3] = hook;
    let (_, told) = carried(&records, "codex");
    assert!(!told.contains("notices"), "{told}");
}

#[test]
fn an_image_that_stands_at_an_address() {
    let url = "https://x.example/MARKED.png";
    for kind in ["image", "document"] {
        let block = json!({"type": kind, "source": {"type": "url", "url": url}});
        let records = claude(&json!([{"type": "text", "text": "see"}, block.clone()]));
        let (lines, told) = converted(&records, "claude");
        let made = Value::from(lines).to_string();
        assert!(made.contains(&block.to_string()), "{made}");
        assert!(!told.contains("images"), "{told}");
    }
}

#[test]
fn what_the_model_was_given_beside_messages() {
    let mut records = claude(&json!("go on"));
    let mut hook = line("attachment", 4, 1, Value::Null);
    let context = json!(["<context>\n", "Use tabs."]);
    hook["attachment"] = json!({"type": "hook_additional_context", "content": context});
    let mut quiet = line("attachment", 5, 4, Value::Null);
    quiet["attachment"] = json!({"type": "hook_system_message", "content": "For the screen."});
    records[1] = line("user", 2, 5, json!("go on"));
    records.splice(1..1, [hook, quiet]);
    let (_folder, path) = session(&records);
    let live = segue(&["export", "--view", "live", &path]).stdout;
    assert!(live.contains(r#""text":"<context>\n\nUse tabs.""#), "{live}");
    assert!(!live.contains("For the screen."), "{live}");
    is_told(&records, "left out notices: 2");
}

#[test]
fn a_summary_that_stands_between_items() {
    let sealed = json!({"type": "compaction", "encrypted_content": MARK});
    let records = codex(std::slice::from_ref(&sealed));
    let (lines, _) = converted(&records, "codex");
    assert!(lines.iter().any(|line| line["payload"] == sealed), "{lines:#?}");
    assert!(carried(&records, "claude").1.contains("only the same provider accepts: 1"));
}

#[test]
fn mail_in_a_line_of_its_own() {
    let mail = json!({"author": "/root/a", "recipient": "/root", "content": "MARKED",
        "other_recipients": [], "trigger_turn": true});
    let mut records = codex(&[]);
    records.push(record(9, "inter_agent_communication", &mail));
    is_carried(&records);
    let (lines, _) = converted(&records, "codex");
    let sent = lines.iter().find(|line| line["payload"]["type"] == "agent_message").unwrap();
    assert_eq!(sent["payload"]["author"], "/root/a");
    assert!(sent["payload"]["content"][1]["text"] == MARK, "{sent}");
    records[3]["payload"] = json!({"author": "/root/a", "recipient": "/root", "content": "",
        "encrypted_content": "MARKED", "trigger_turn": false});
    is_carried(&records);
}

#[test]
fn an_item_of_a_new_history_that_nothing_knows() {
    let kept = json!({"type": "message", "role": "user",
        "content": [{"type": "input_text", "text": "so far"}]});
    let compacted = json!({"message": "so far",
        "replacement_history": [{"type": "hologram", "x": 1}, kept]});
    let mut records = codex(&[]);
    records.push(record(9, "compacted", &compacted));
    is_told(&records, "records of unknown type `compacted/hologram`: 1");
}

#[test]
fn what_the_words_of_codex_rest_on() {
    let cited = json!({"type": "output_text", "text": "It is so.",
        "annotations": [{"type": "url_citation", "url": "https://a.example"}]});
    let answer =
        |piece: &Value| json!({"type": "message", "role": "assistant", "content": [piece]});
    is_told(&codex(&[answer(&cited)]), "no place for `annotations`: 1");
    let plain = json!({"type": "output_text", "text": "It is so.", "annotations": []});
    assert!(!carried(&codex(&[answer(&plain)]), "claude").1.contains("no place"));
}

#[test]
fn in_which_phase_the_model_spoke() {
    let said = |words: &str, phase: Value| {
        json!({"type": "message", "role": "assistant", "phase": phase,
            "content": [{"type": "output_text", "text": words}]})
    };
    let phases = |records: &[Value]| -> Vec<Value> {
        let (lines, _) = converted(records, "codex");
        let is_said = |line: &&Value| {
            line["payload"]["role"] == "assistant" || line["payload"]["type"] == "agent_message"
        };
        lines.iter().filter(is_said).map(|line| line["payload"]["phase"].clone()).collect()
    };
    let items = [said("I look.", json!("commentary")), said("Done.", json!("final_answer"))];
    let want = ["commentary", "commentary", "final_answer", "final_answer"];
    assert_eq!(phases(&codex(&items)), want.map(Value::from));
    assert_eq!(phases(&codex(&[said("Done.", Value::Null)])), [Value::Null, Value::Null]);
}

#[test]
fn the_pieces_of_an_output_that_is_an_object() {
    let call = json!({"type": "function_call", "name": "look", "call_id": "c1", "arguments": "{}"});
    let pieces = json!([{"type": "input_text", "text": MARK}]);
    let seen = ["[1] seen", "[\"seen\"]"];
    for content in
        [json!(null), json!(seen[0]), json!(seen[1]), json!(pieces.to_string()), json!(MARK)]
    {
        let given = json!({"type": "function_call_output", "call_id": "c1",
            "output": {"content": content, "content_items": pieces, "success": true}});
        let records = codex(&[call.clone(), given]);
        is_carried(&records);
        for to in TARGETS {
            let text = Value::from(converted(&records, to).0).to_string();
            assert_eq!(text.matches(MARK).count(), 1, "{to}: {text}");
            let is_more = seen.iter().any(|seen| content == *seen);
            assert_eq!(text.contains("seen"), is_more, "{to}: {text}");
        }
    }
}

#[test]
fn an_output_that_says_itself_that_the_call_failed() {
    let call = json!({"type": "function_call", "name": "look", "call_id": "c1", "arguments": "{}"});
    for success in [true, false] {
        let given = json!({"type": "function_call_output", "call_id": "c1",
            "output": {"content": "nothing there", "success": success}});
        let (lines, _) = converted(&codex(&[call.clone(), given]), "claude");
        let is_error = format!("\"is_error\":{}", !success);
        assert!(Value::from(lines).to_string().contains(&is_error), "{success}");
    }
}

#[test]
fn a_search_without_a_type_or_an_action() {
    let search = |fields: Value| {
        let mut item = json!({"type": "web_search_call", "id": "ws_1", "status": "completed"});
        item.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        codex(&[item])
    };
    is_carried(&search(json!({"query": MARK})));
    is_carried(&search(json!({"action": {"odd": MARK}})));
    for (action, kind) in [
        (json!({"query": MARK}), "search"),
        (json!({"url": MARK}), "open_page"),
        (json!({"url": "u", "pattern": MARK}), "find_in_page"),
    ] {
        let records = search(json!({ "action": action }));
        is_carried(&records);
        let (lines, _) = converted(&records, "codex");
        let is_it = |line: &&Value| line["payload"]["type"] == "web_search_call";
        assert_eq!(lines.iter().find(is_it).unwrap()["payload"]["action"]["type"], kind);
    }
}

#[test]
fn the_group_of_a_tool() {
    let call = json!({"type": "function_call", "name": "spawn_agent", "namespace": "MARKED",
        "call_id": "c1", "arguments": "{\"message\":\"x\"}"});
    let server = json!({"type": "function_call", "name": "look", "namespace": "mcp__docs__",
        "call_id": "c2", "arguments": "{}"});
    let output =
        |id: &str| json!({"type": "function_call_output", "call_id": id, "output": "done"});
    let records = codex(&[call.clone(), output("c1"), server.clone(), output("c2")]);
    let (lines, _) = converted(&records, "codex");
    for call in [call, server] {
        assert!(lines.iter().any(|line| line["payload"] == call), "{lines:#?}");
    }
    assert!(carried(&records, "claude").1.contains("the target's own tools: 1"));
    // So it does through the forms that can be read back.
    let (_folder, path) = session(&records);
    for form in ["ndjson", "atif"] {
        let exported = segue(&["export", &path, "--to", form]).stdout;
        assert_eq!(exported.matches(r#""namespace":"MARKED""#).count(), 1, "{exported}");
        let back = Call::new("nobody", &["convert", "-", "--to", "codex"])
            .stdin(exported.as_bytes())
            .run();
        assert!(back.stdout.contains(r#""namespace":"MARKED""#), "{}", back.stderr);
    }
}

#[test]
fn what_a_command_does_besides_its_patch() {
    let patch = "*** Begin Patch\n*** Add File: a\n+b\n*** End Patch";
    let lines = [
        format!("apply_patch <<'EOF'\n{patch}\nEOF\necho {MARK}"),
        format!("apply_patch <<'EOF' && echo {MARK}\n{patch}\nEOF"),
        format!("apply_patch <<'EOF'\n{patch}\nEOF\napply_patch <<'EOF'\n{MARK}\n{patch}\nEOF"),
    ];
    for line in lines {
        let ways = [
            ("exec_command", json!({ "cmd": line })),
            ("shell", json!({"command": ["bash", "-lc", line]})),
        ];
        for (name, arguments) in ways {
            is_carried(&codex(&[json!({"type": "function_call", "name": name, "call_id": "c1",
                "arguments": arguments.to_string()})]));
        }
    }
}
