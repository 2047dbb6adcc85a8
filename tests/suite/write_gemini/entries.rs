//! How each kind of entry is written.

use segue::model::{
    Blob, Conversation, Entry, EntryBody, Exchange, Git, Header, Message, Origin, Part, Reasoning,
    Role, Status, ToolCall, ToolKind, ToolResult, Usage,
};
use segue::note::LossKind;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::{lines, read_back, statuses, target, write, writer};

/// An entry at the second that its id stands for in the alphabet.
pub(super) fn entry(id: &str, response: u32, body: EntryBody) -> Entry {
    let second = id.as_bytes()[0] - b'a';
    let ts = format!("2026-11-20T10:00:{second:02}.000Z");
    Entry { id: id.to_owned(), items: 1, ts, response, body }
}

fn said(id: &str, text: &str) -> Entry {
    let message = Message::text(Role::User, Origin::Human, text.to_owned());
    entry(id, 0, EntryBody::Said(message))
}

fn answer(id: &str, response: u32, text: &str) -> Entry {
    let message = Message::text(Role::Assistant, Origin::Model, text.to_owned());
    entry(id, response, EntryBody::Answer(message))
}

fn summary(id: &str, text: &str) -> Entry {
    entry(id, 0, EntryBody::Summary(text.to_owned().into()))
}

fn raw(json: &str) -> std::borrow::Cow<'static, RawValue> {
    std::borrow::Cow::Owned(RawValue::from_string(json.to_owned()).unwrap())
}

fn call(id: &str, response: u32, status: Status, output: Vec<Part<'static>>) -> Entry {
    let call_id = format!("call_{id}");
    let call = ToolCall::new(call_id.clone(), "lookup", ToolKind::Other, raw(r#"{"a":1}"#));
    let result = ToolResult::new(call_id.into(), status, output);
    let result_ts = format!("2026-11-20T10:01:{:02}.000Z", id.as_bytes()[0] - b'a');
    let exchange = Exchange {
        call,
        deed: None,
        asks_more: false,
        result,
        result_ts,
        result_id: None,
        never_came: false,
    };
    entry(id, response, EntryBody::Exchange(Box::new(exchange)))
}

fn text(words: &str) -> Vec<Part<'static>> {
    vec![Part::Text(words.to_owned().into())]
}

fn live(live: Vec<Entry>) -> Conversation {
    Conversation { live, ..Conversation::default() }
}

fn own(mut conversation: Conversation) -> Conversation {
    conversation.header.harness = "gemini".to_owned();
    conversation
}

fn lost(conversation: &Conversation) -> Vec<(LossKind, u64)> {
    let (_, losses) = write(conversation);
    losses.list().iter().map(|loss| (loss.kind, loss.count)).collect()
}

#[test]
fn the_header_has_all_that_the_harness_asks_for() {
    let git = Git { branch: Some("main".to_owned()), ..Git::default() };
    let header = Header { title: Some("Mend it".to_owned()), git, ..Header::default() };
    let made = Conversation {
        header,
        older: vec![said("a", "old")],
        live: vec![said("b", "hello"), call("c", 1, Status::Ok, text("x"))],
        ..Conversation::default()
    };
    let hash = "1724ab5e6aa7cd425b84b40d8d35e375b33b104b841c97c9cf827cb8f584a9fb";
    let head = &lines(&made)[0];
    assert_eq!(head["projectHash"], hash, "the SHA-256 of the project's path");
    assert!(head.get("id").is_none(), "a header with an id is taken for a message");
    assert_eq!(head["sessionId"], super::ID);
    assert_eq!(head["startTime"], "2026-11-20T10:00:00.000Z");
    assert_eq!(head["lastUpdated"], "2026-11-20T10:01:02.000Z");
    assert_eq!((&head["kind"], &head["summary"]), (&json!("main"), &json!("Mend it")));
    assert_eq!(
        head["x_origin"],
        json!({"harness": "other", "session": "1", "cwd": "/home/ada/proj"})
    );
    assert_eq!(lost(&made), [(LossKind::OlderHistory, 1), (LossKind::Git, 1)]);
}

#[test]
fn the_time_of_writing_keeps_the_file_from_the_clean_up() {
    let now = Some("2027-01-01T00:00:00.000Z".to_owned());
    let target = segue::harness::Target { now, ..target() };
    let mut bytes = Vec::new();
    writer().write(&live(vec![said("a", "hello")]), &target, &mut bytes).unwrap();
    let first = bytes.split(|byte| *byte == b'\n').next().unwrap();
    let head: Value = serde_json::from_slice(first).unwrap();
    assert_eq!(head["lastUpdated"], "2027-01-01T00:00:00.000Z");
}

#[test]
fn words_that_the_harness_would_leave_out_are_marked() {
    let cases = [
        ("/home/ada/proj fails", "User: /home/ada/proj fails"),
        ("  ?what", "User:   ?what"),
        ("\u{feff}/x", "User: \u{feff}/x"),
        ("<session_context> is what?", "User: <session_context> is what?"),
        ("<hook_context>", "User: <hook_context>"),
        ("see /home", "see /home"),
    ];
    for (typed, written) in cases {
        let made = live(vec![said("a", typed)]);
        assert_eq!(lines(&made)[1]["content"], json!([{"text": written}]));
        let marked = u64::from(typed != written);
        let count: u64 = lost(&made).iter().map(|(_, count)| count).sum();
        assert_eq!(count, marked, "{typed}");
    }
}

#[test]
fn a_summary_is_wrapped_once_and_answered() {
    let answered = "Got it. Thanks for the additional context!";
    let made = live(vec![summary("a", "Goal: x"), said("b", "go on")]);
    let written = lines(&made);
    let snapshot = "<state_snapshot>\nGoal: x\n</state_snapshot>";
    assert_eq!(written[1]["content"], json!([{"text": snapshot}]));
    assert_eq!((&written[2]["type"], &written[2]["content"]), (&json!("gemini"), &json!(answered)));
    assert_eq!(written[3]["content"], json!([{"text": "go on"}]));

    let made = own(live(vec![summary("a", snapshot), answer("b", 1, answered), said("c", "on")]));
    let written = lines(&made);
    assert_eq!(written.len(), 4, "it is answered already");
    assert_eq!(written[1]["content"], json!([{"text": snapshot}]));
    assert_eq!(lines(&live(vec![summary("a", "x")])).len(), 3, "the last entry is answered too");
}

#[test]
fn a_summary_behind_kept_words_is_found_again() {
    let made = live(vec![said("a", "kept"), summary("b", "Goal: x"), said("c", "go on")]);
    let back = read_back(&write(&made).0);
    let found = back.items.iter().find_map(|item| match &item.body {
        segue::model::Body::Compaction(compaction) => compaction.summary.clone(),
        _ => None,
    });
    assert_eq!(found.unwrap().plain(), "Goal: x");
}

#[test]
fn calls_of_one_response_stand_in_one_message_with_their_results() {
    let made = live(vec![
        said("a", "go"),
        answer("b", 1, "Looking."),
        call("c", 1, Status::Ok, text("one")),
        call("d", 1, Status::Error, text("two")),
        answer("e", 1, "Both are back."),
        call("f", 2, Status::Ok, text("three")),
    ]);
    let written = lines(&made);
    let types: Vec<_> = written[1..].iter().map(|line| line["type"].as_str().unwrap()).collect();
    assert_eq!(types, ["user", "gemini", "gemini", "gemini"]);
    let first = &written[2];
    assert_eq!(first["content"], "Looking.");
    assert_eq!(
        first["toolCalls"][0],
        json!({"id": "call_c", "name": "lookup", "args": {"a": 1}, "status": "success",
            "result": [{"functionResponse": {"id": "call_c", "name": "lookup",
                "response": {"output": "one"}}}],
            "timestamp": "2026-11-20T10:01:02.000Z"})
    );
    assert_eq!(first["toolCalls"][1]["status"], "error");
    assert_eq!(
        first["toolCalls"][1]["result"][0]["functionResponse"]["response"],
        json!({"error": "two"})
    );
    assert_eq!(written[3]["content"], "Both are back.");
    assert_eq!(
        (&written[4]["content"], written[4]["toolCalls"].as_array().unwrap().len()),
        (&json!(""), 1)
    );
    assert_eq!(statuses(&read_back(&write(&made).0)), [Status::Ok, Status::Error, Status::Ok]);
    let ids: std::collections::BTreeSet<_> =
        written[1..].iter().map(|line| line["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), 4, "of two lines with one id only the last counts");
}

#[test]
fn every_call_has_a_result_that_says_something() {
    let made = live(vec![
        call("a", 1, Status::Ok, Vec::new()),
        call("b", 1, Status::Interrupted, text("stopped")),
        call("c", 1, Status::Ok, text("  ")),
    ]);
    let calls = &lines(&made)[1]["toolCalls"];
    let response = |at: usize| &calls[at]["result"][0]["functionResponse"]["response"];
    assert_eq!(*response(0), json!({"output": "(empty)"}));
    assert_eq!(*response(1), json!({"error": "stopped"}));
    assert_eq!(calls[1]["status"], "cancelled");
    assert_eq!(*response(2), json!({"output": "(empty)"}));
    let back = read_back(&write(&made).0);
    assert_eq!(statuses(&back), [Status::Ok, Status::Interrupted, Status::Ok]);
}

#[test]
fn a_failed_command_of_its_own_stays_a_success_of_its_tool() {
    let mut made = call("a", 1, Status::Error, text("Output: no\nExit Code: 3"));
    if let EntryBody::Exchange(exchange) = &mut made.body {
        exchange.call.name = "run_shell_command".into();
        exchange.call.kind = ToolKind::Shell;
        exchange.result.exit_code = Some(3);
    }
    let written = lines(&own(live(vec![made])));
    assert_eq!(written[1]["toolCalls"][0]["status"], "success");
}

#[test]
fn arguments_are_an_object() {
    let mut made = call("a", 1, Status::Ok, text("x"));
    if let EntryBody::Exchange(exchange) = &mut made.body {
        exchange.call.arguments = raw("\"free text\"");
    }
    let written = lines(&live(vec![made]));
    assert_eq!(written[1]["toolCalls"][0]["args"], json!({"value": "free text"}));
}

#[test]
fn a_known_deed_becomes_the_harness_s_tool_but_not_its_own() {
    let mut made = call("a", 1, Status::Ok, text("x"));
    if let EntryBody::Exchange(exchange) = &mut made.body {
        let (path, content) = ("/a".to_owned(), "b".to_owned());
        exchange.deed = Some(segue::model::Deed::Write { path, content });
    }
    let mapped = live(vec![made.clone()]);
    assert_eq!(lines(&mapped)[1]["toolCalls"][0]["name"], "write_file");
    assert_eq!(lost(&mapped), [(LossKind::ToolMapped, 1)]);
    let same = own(live(vec![made]));
    assert_eq!(lines(&same)[1]["toolCalls"][0]["name"], "lookup");
    assert_eq!(lost(&same), []);
}

#[test]
fn a_tool_has_a_name_that_the_provider_takes() {
    let long = "n".repeat(70);
    let cases = [
        ("mcp:find.it-now", "mcp:find.it-now"),
        ("[left out]", "__left_out_"),
        ("7zip", "_7zip"),
        ("\u{fc}ben", "__ben"),
        ("", "_"),
        (&long, &long[..64]),
    ];
    for (name, want) in cases {
        let mut made = call("a", 1, Status::Ok, text("x"));
        if let EntryBody::Exchange(exchange) = &mut made.body {
            exchange.call.name = name.to_owned().into();
        }
        // Also what it recorded itself: a file that somebody changed is refused as well.
        for made in [live(vec![made.clone()]), own(live(vec![made]))] {
            let call = &lines(&made)[1]["toolCalls"][0];
            assert_eq!(call["name"], want);
            assert_eq!(call["result"][0]["functionResponse"]["name"], want);
            let losses = if name == want { vec![] } else { vec![(LossKind::ToolMapped, 1)] };
            assert_eq!(lost(&made), losses, "{name}");
        }
    }
}

fn thinking(native: Option<&str>) -> Entry {
    let native = native.map(raw);
    let reasoning = Reasoning { text: "Hm.".into(), message_id: None, opaque: false, native };
    entry("b", 1, EntryBody::Reasoning(reasoning))
}

#[test]
fn only_its_own_thinking_is_kept() {
    let native = r#"[{"subject":"Plan","description":"I look.","timestamp":"t"}]"#;
    let made = live(vec![thinking(Some(native)), answer("c", 1, "Yes.")]);
    assert_eq!(lost(&made), [(LossKind::Reasoning, 1)]);
    assert!(lines(&made)[1].get("thoughts").is_none());
    let written = lines(&own(made));
    assert_eq!(written.len(), 2);
    assert_eq!(written[1]["thoughts"], serde_json::from_str::<Value>(native).unwrap());
    let written = lines(&own(live(vec![thinking(None), answer("c", 1, "Yes.")])));
    assert_eq!(written[1]["thoughts"][0]["description"], "Hm.");
}

#[test]
fn usage_stands_at_its_response() {
    let usage = |id: &str, response, cumulative| {
        let (input_tokens, output_tokens) = (Some(900), Some(40));
        let (cached_tokens, reasoning_tokens) = (Some(300), Some(10));
        let usage = Usage {
            input_tokens,
            output_tokens,
            cached_tokens,
            reasoning_tokens,
            cumulative,
            ..Usage::default()
        };
        entry(id, response, EntryBody::Usage(usage))
    };
    let made = live(vec![answer("a", 1, "x"), usage("b", 1, false), usage("c", 1, true)]);
    let tokens = json!({"input": 900, "output": 40, "cached": 300, "thoughts": 10, "total": 940});
    assert_eq!(lines(&made)[1]["tokens"], tokens, "others count thinking as output");
    assert_eq!(lost(&made), [(LossKind::Usage, 1)]);
    let made = own(live(vec![answer("a", 1, "x"), usage("b", 1, false)]));
    assert_eq!(lines(&made)[1]["tokens"]["total"], 950, "it counts thinking apart");
}

#[test]
fn images_are_kept_where_the_models_take_them() {
    let image = |kind: &'static str| {
        Part::Blob(Blob::base64(kind.into(), "aGVsbG8=".into(), segue::model::Blobs::Carried))
    };
    let message = Message {
        parts: vec![Part::Text("Look".into()), image("image/png"), image("image/gif")],
        ..Message::text(Role::User, Origin::Human, "")
    };
    let made = live(vec![
        entry("a", 0, EntryBody::Said(message)),
        call("b", 1, Status::Ok, vec![image("image/png")]),
    ]);
    let written = lines(&made);
    let data = json!({"inlineData": {"mimeType": "image/png", "data": "aGVsbG8="}});
    assert_eq!(written[1]["content"][1], data);
    let line = written[1]["content"][2]["text"].as_str().unwrap();
    assert!(line.starts_with("[image/gif, 5 bytes, SHA-256 2cf24dba5fb0"), "{line}");
    assert_eq!(written[2]["toolCalls"][0]["result"][1], data);
    assert_eq!(lost(&made), [(LossKind::Blob, 1)]);
}

#[test]
fn what_only_the_source_knows_is_carried_as_its_json() {
    let part =
        || Part::Other { kind: "executableCode".into(), json: raw(r#"{"executableCode":{}}"#) };
    let message =
        Message { parts: vec![part()], ..Message::text(Role::Assistant, Origin::Model, "") };
    let made = live(vec![entry("a", 1, EntryBody::Answer(message))]);
    assert_eq!(lines(&made)[1]["content"], r#"{"executableCode":{}}"#);
    assert_eq!(lost(&made), [(LossKind::ForeignPart, 1)]);
    assert_eq!(lines(&own(made))[1]["content"], json!([{"executableCode": {}}]));
}

#[test]
fn no_context_is_written_and_none_lost_in_silence() {
    let context = "<session_context>\nThis is it.\n</session_context>";
    let message = Message::text(Role::User, Origin::Harness, context);
    let made = own(live(vec![entry("a", 0, EntryBody::Said(message)), said("b", "hello")]));
    assert_eq!(lines(&made).len(), 2);
    assert_eq!(lost(&made), [(LossKind::HarnessText, 1)]);
}

#[test]
fn the_answer_to_a_summary_that_is_not_there_is_left_out() {
    let answered = "Got it. Thanks for the additional context!";
    let message = Message::text(Role::Assistant, Origin::Harness, answered);
    let made = own(live(vec![said("a", "hello"), entry("b", 1, EntryBody::Answer(message))]));
    assert_eq!(lines(&made).len(), 2);
    assert_eq!(lost(&made), [(LossKind::HarnessText, 1)]);
}
