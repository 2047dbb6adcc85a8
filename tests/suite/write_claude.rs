//! What is written for Claude Code keeps what was said, and every rule of its files.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use segue::harness::{self, Target, Want, Writer};
use segue::jsonl::Input;
use segue::model::{
    Blob, Blobs, Body, Compaction, Conversation, Entry, EntryBody, Exchange, Message, Origin, Part,
    Role, Session, Status, ToolCall, ToolResult,
};
use segue::note::{LossKind, Losses};
use serde_json::{Value, json};

use crate::convert;
use crate::corpus::{complaints, sessions};

const ID: &str = "7d3a1b60-0f1e-5a41-9a65-2f2a1c0e4d11";

fn writer() -> &'static dyn Writer {
    harness::by_name("claude").unwrap().writer().unwrap()
}

fn target() -> Target {
    let (id, cwd) = (ID.to_owned(), "/home/ada/tool".to_owned());
    Target { id, cwd, origin: "demo:1".into(), now: None }
}

fn write(conversation: &Conversation) -> (Vec<u8>, Losses) {
    let mut out = Vec::new();
    let losses = writer().write(conversation, &target(), &mut out).unwrap();
    (out, losses)
}

fn lines(bytes: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(bytes).unwrap();
    assert!(text.is_empty() || text.ends_with('\n'));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn again(bytes: &[u8]) -> Session {
    let input = Input::memory(&format!("{ID}.jsonl"), bytes);
    let harness = harness::recognise(&input).unwrap();
    assert_eq!(harness.name(), "claude");
    let want = Want { blobs: Blobs::Carried, native: true, ..Want::default() };
    let mut session = Session::default();
    session.end = harness.read(&input, want, &mut session).unwrap();
    session
}

fn files(of: &str) -> Vec<PathBuf> {
    sessions(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(of))
}

/// Returns what is said, called and returned, a line each, without what has no place in the form.
fn told(conversation: &Conversation) -> Vec<String> {
    let Conversation { older, boundary, live, .. } = conversation;
    let mut told = Vec::new();
    for group in older
        .iter()
        .chain(boundary)
        .chain(live)
        .collect::<Vec<_>>()
        .chunk_by(|a, b| a.response > 0 && a.response == b.response)
    {
        told.extend(group.iter().flat_map(|entry| said(entry)));
        let results = group.iter().filter_map(|entry| match &entry.body {
            EntryBody::Exchange(exchange) => Some(exchange),
            _ => None,
        });
        told.extend(results.map(|exchange| {
            let result = &exchange.result;
            let failed = result.status != Status::Ok;
            let said = match parts(&result.output) {
                said if failed && said.is_empty() => without_output(result),
                said => said,
            };
            format!("result {} {failed} {said}", result.call_id)
        }));
    }
    told
}

/// Returns what stands for the output of a failure that has none.
fn without_output(result: &ToolResult<'_>) -> String {
    match (result.status, result.exit_code) {
        (Status::Interrupted, _) => "(interrupted)".to_owned(),
        (_, Some(code)) if code != 0 => format!("Exit code {code}"),
        _ => "(empty)".to_owned(),
    }
}

fn said(entry: &Entry) -> Vec<String> {
    match &entry.body {
        EntryBody::Said(message) => vec![format!("user {}", parts(&message.parts))],
        EntryBody::Answer(message) => {
            let each = message.parts.iter().map(|part| parts(std::slice::from_ref(part)));
            each.filter(|text| !text.is_empty()).map(|text| format!("model {text}")).collect()
        }
        EntryBody::Summary(text) => vec![format!("summary {}", bare(&text.plain()))],
        EntryBody::Boundary(compaction) => {
            vec![format!("boundary {:?}", compaction.tokens_before)]
        }
        EntryBody::Exchange(exchange) => vec![format!("call {}", exchange.call.call_id)],
        EntryBody::Reasoning(reasoning) => vec![format!("thought {}", reasoning.text.plain())],
        EntryBody::Usage(_) | EntryBody::Notice { .. } => Vec::new(),
    }
}

/// Of an older compaction the source gives the summary with the words around it.
fn bare(text: &str) -> &str {
    let text = text.split_once("\nSummary:\n").map_or(text, |(_, bare)| bare);
    let text = text.split("\n\nIf you need specific details").next().unwrap();
    text.split("\nPlease continue the conversation").next().unwrap().trim()
}

fn parts(parts: &[Part<'_>]) -> String {
    let each = parts.iter().filter_map(|part| match part {
        Part::Text(text) if text.is_blank() => None,
        Part::Text(text) => Some(text.plain().into_owned()),
        // As the line says that stands for what the provider would refuse.
        Part::Blob(blob @ Blob { media_type, address: None, .. }) => {
            let name = blob.name();
            let (bytes, digest) = (name.bytes.unwrap(), &name.sha256.as_ref().unwrap()[..12]);
            Some(format!("[{media_type}, {bytes} bytes, SHA-256 {digest}: not carried over]"))
        }
        Part::Blob(Blob { media_type, address: Some(address), .. }) => {
            Some(format!("[{media_type}, {address}: not carried over]"))
        }
        Part::Other { kind, json } => Some(convert::foreign(kind, json.get())),
    });
    each.collect::<Vec<_>>().join("|")
}

/// Every item is carried or counted, and what is read back is what was written.
fn round_trip(path: &Path, full: bool) -> Vec<String> {
    let Some(session) = convert::read(path) else { return Vec::new() };
    let own = session.header.harness == "claude";
    let made = convert::conversation(session, "claude", full);
    if told(&made.conversation).is_empty() {
        return Vec::new();
    }
    let (bytes, losses) = write(&made.conversation);
    let back = again(&bytes);
    let mut found = Vec::new();
    // A long output in a file of its own is only beside the session when that is installed.
    let is_beside =
        |note: &segue::note::Note| own && note.kind == segue::note::NoteKind::UnreadableCompanion;
    if !back.end.notes.iter().all(is_beside) {
        found.push(format!("notes {:?}", back.end.notes));
    }
    let header = &back.header;
    let source = &made.conversation.header;
    assert_eq!((header.id.as_str(), header.cwd.as_deref()), (ID, Some("/home/ada/tool")));
    assert_eq!(header.title, source.title, "{}", path.display());
    assert_eq!(header.git.branch, source.git.branch, "{}", path.display());
    let before = counts(&made.conversation);
    let again = convert::conversation(back, "claude", false);
    let mut want = told(&made.conversation);
    let mut got = told(&again.conversation);
    got.retain(|line| !line.ends_with("The session goes on here."));
    // Its own program said so before.
    let is_stop = |entry: &Entry| matches!(entry.body, EntryBody::Notice { .. });
    if !own && made.conversation.live.iter().any(is_stop) {
        want.push("user [Request interrupted by user]".to_owned());
    }
    // Unsigned thinking would be refused.
    if losses.list().iter().any(|loss| loss.kind == LossKind::Reasoning) {
        want.retain(|line| !line.starts_with("thought"));
    }
    if want != got {
        let at =
            want.iter().zip(&got).position(|(a, b)| a != b).unwrap_or(want.len().min(got.len()));
        found.push(format!("at {at}:\n  {:?}\n  {:?}", want.get(at), got.get(at)));
    }
    if own && before != counts(&again.conversation) {
        found.push(format!("usage {before:?} {:?}", counts(&again.conversation)));
    }
    if !own && !losses.list().iter().all(|loss| loss.kind != LossKind::Reasoning) {
        found.push("thinking of another provider came through".to_owned());
    }
    found.iter().map(|what| format!("{} {full}: {what}", path.display())).collect()
}

fn counts(conversation: &Conversation) -> Vec<[u64; 3]> {
    let entries = conversation.older.iter().chain(&conversation.live);
    let usages = entries.filter_map(|entry| match &entry.body {
        EntryBody::Usage(usage) => Some(usage),
        _ => None,
    });
    // Where the source says nothing, zeros are written.
    let told = usages.map(|usage| [usage.input_tokens, usage.cached_tokens, usage.output_tokens]);
    let told = told.map(|counts| counts.map(Option::unwrap_or_default));
    told.filter(|counts| *counts != [0; 3]).collect()
}

#[test]
fn what_is_written_is_read_back() {
    for name in ["claude", "codex", "gemini", "demo"] {
        let wrong = complaints(&files(name), |_, path| {
            [false, true].into_iter().flat_map(|full| round_trip(path, full)).collect()
        });
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

#[test]
fn what_is_written_of_real_sessions_is_read_back() {
    for name in ["real", "corpus"] {
        let Some(folder) = crate::data::folder(name) else { return };
        let wrong = complaints(&sessions(&folder), |_, path| round_trip(path, false));
        assert!(
            wrong.is_empty(),
            "{} wrong: {}",
            wrong.len(),
            wrong[..wrong.len().min(20)].join("\n")
        );
    }
}

/// Complains of each rule that lines break.
fn broken_rules(lines: &[Value]) -> Vec<String> {
    let mut found = Vec::new();
    let mut before: Option<&Value> = None;
    let (mut uuids, mut calls, mut responses) = (HashSet::new(), HashMap::new(), HashSet::new());
    let mut response = Value::Null;
    let chain: Vec<_> = lines.iter().filter(|line| line["type"] != "custom-title").collect();
    for line in &chain {
        let is_boundary = line["subtype"] == "compact_boundary";
        let parent =
            if is_boundary { &Value::Null } else { before.map_or(&Value::Null, |b| &b["uuid"]) };
        if &line["parentUuid"] != parent {
            found.push(format!("parent {line}"));
        }
        if !uuids.insert(line["uuid"].to_string()) {
            found.push(format!("uuid {line}"));
        }
        if before.is_some_and(|before| before["timestamp"].as_str() > line["timestamp"].as_str()) {
            found.push(format!("time {line}"));
        }
        before = Some(line);
        let message = &line["message"];
        match line["type"].as_str() {
            Some("assistant") => {
                if message["id"] != response && !responses.insert(message["id"].to_string()) {
                    found.push(format!("reused {line}"));
                }
                response = message["id"].clone();
                // What stands in place of an answer was asked of nobody.
                let is_asked = line["requestId"].is_string() || message["model"] == "<synthetic>";
                if !message["content"].is_array() || !is_asked {
                    found.push(format!("content {line}"));
                }
            }
            Some("user") => {
                let is_result = message["content"][0]["type"] == "tool_result";
                response = if is_result { response } else { Value::Null };
            }
            Some("system") if is_boundary => {}
            _ => found.push(format!("type {line}")),
        }
        for block in message["content"].as_array().into_iter().flatten() {
            let open =
                |calls: &HashMap<String, bool>| calls.values().filter(|done| !**done).count();
            match block["type"].as_str() {
                Some("text")
                    if block["text"].as_str().is_none_or(|text| text.trim().is_empty()) =>
                {
                    found.push(format!("empty {line}"));
                }
                Some("tool_use") => {
                    let id = block["id"].as_str().unwrap();
                    let fine = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
                    if !block["input"].is_object() || !id.chars().all(fine) || id.len() > 64 {
                        found.push(format!("call {line}"));
                    }
                    if calls.insert(id.to_owned(), false).is_some() {
                        found.push(format!("call id {line}"));
                    }
                }
                Some("tool_result") => {
                    let id = block["tool_use_id"].as_str().unwrap();
                    if calls.insert(id.to_owned(), true) != Some(false) {
                        found.push(format!("result {line}"));
                    }
                }
                Some("thinking") if block["signature"].as_str().is_none_or(str::is_empty) => {
                    found.push(format!("unsigned {line}"));
                }
                _ if open(&calls) > 0 && line["type"] == "user" => {
                    found.push(format!("words before a result {line}"));
                }
                _ => {}
            }
        }
    }
    let open = calls.values().filter(|done| !**done).count();
    if open > 0 {
        found.push(format!("{open} calls without result"));
    }
    let live = chain.iter().rposition(|line| line["type"] == "system").map_or(0, |at| at + 1);
    match chain.get(live) {
        Some(first) if first["type"] == "user" => {
            let content = &first["message"]["content"];
            let is_text = |block: &Value| block["type"] == "text";
            if !content.is_string() && !content.as_array().unwrap().iter().any(is_text) {
                found.push(format!("first {first}"));
            }
        }
        first => found.push(format!("first {first:?}")),
    }
    found
}

#[test]
fn every_rule_of_a_file_is_kept() {
    let mut all = ["claude", "codex", "gemini", "demo"].map(files).concat();
    all.extend(crate::data::folder("corpus").iter().flat_map(|folder| sessions(folder)));
    let wrong = complaints(&all, |_, path| {
        let Some(session) = convert::read(path) else { return Vec::new() };
        let made = convert::conversation(session, "claude", false);
        let (bytes, _) = write(&made.conversation);
        let wrong = broken_rules(&lines(&bytes));
        wrong.iter().take(3).map(|what| format!("{}: {what:.400}", path.display())).collect()
    });
    assert!(wrong.is_empty(), "{} wrong: {}", wrong.len(), wrong[..wrong.len().min(20)].join("\n"));
}

fn entry(id: &str, response: u32, body: EntryBody) -> Entry {
    let ts = format!("2026-01-02T03:04:{:02}.000Z", id.len());
    Entry { id: id.into(), items: 1, ts, response, body }
}

fn human(id: &str, text: &'static str) -> Entry {
    entry(id, 0, EntryBody::Said(Message::text(Role::User, Origin::Human, text)))
}

fn answer(id: &str, response: u32, text: &'static str) -> Entry {
    entry(id, response, EntryBody::Answer(Message::text(Role::Assistant, Origin::Model, text)))
}

fn exchange(id: &str, response: u32, name: &'static str, arguments: &Value) -> Entry {
    let raw = std::borrow::Cow::Owned(serde_json::value::to_raw_value(arguments).unwrap());
    let call = ToolCall::new(format!("call_{id}"), name, segue::model::ToolKind::Other, raw);
    let output = vec![Part::Text(format!("out of {id}").into())];
    let result = ToolResult::new(call.call_id.clone(), Status::Ok, output);
    let ts = "2026-01-02T03:05:00.000Z".to_owned();
    let exchange = Exchange {
        call,
        deed: None,
        asks_more: false,
        result,
        result_ts: ts,
        result_id: Some(format!("{id}-out")),
        never_came: false,
    };
    entry(id, response, EntryBody::Exchange(Box::new(exchange)))
}

fn conversation(live: Vec<Entry>) -> Conversation {
    let mut conversation = Conversation { live, ..Conversation::default() };
    conversation.header.harness = "codex".into();
    conversation
}

#[test]
fn the_models_words_never_come_first() {
    let (bytes, losses) = write(&conversation(vec![answer("a", 1, "First.")]));
    let lines = lines(&bytes);
    assert_eq!(
        (lines[0]["type"].as_str(), lines[0]["isMeta"].as_bool()),
        (Some("user"), Some(true))
    );
    assert_eq!(lines[0]["message"]["content"], "The session goes on here.");
    assert_eq!(lines[1]["message"]["content"][0]["text"], "First.");
    assert_eq!(losses.items(), 0);
    assert!(broken_rules(&lines).is_empty());
    let (bytes, _) = write(&conversation(vec![human("a", "Hi"), answer("bb", 1, "Ho")]));
    assert_eq!(self::lines(&bytes)[0]["message"]["content"], "Hi");
}

#[test]
fn what_a_command_asks_is_hidden_again_and_the_command_is_not() {
    let said = |id: &str, text: &'static str| {
        entry(id, 0, EntryBody::Said(Message::text(Role::User, Origin::Command, text)))
    };
    let ran = "<command-name>/greet</command-name>\n<command-args></command-args>";
    let live = vec![human("a", "Hi"), said("bb", ran), said("cc", "Greet Bob.")];
    let mut conversation = conversation(live);
    conversation.header.harness = "claude".into();
    let lines = lines(&write(&conversation).0);
    let hidden: Vec<_> = lines.iter().map(|line| line["isMeta"] == true).collect();
    assert_eq!(hidden, [false, false, true]);
}

#[test]
fn a_boundary_is_never_the_last_line() {
    let mut conversation = conversation(Vec::new());
    conversation.older = vec![human("a", "Old")];
    let boundary = EntryBody::Boundary(Box::new(Compaction::made("What was.")));
    conversation.boundary = Some(entry("bb", 0, boundary));
    let lines = lines(&write(&conversation).0);
    let kinds: Vec<_> = lines.iter().map(|line| line["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["user", "system", "user"]);
    assert_eq!(lines[1]["parentUuid"], Value::Null);
    assert_eq!(lines[1]["logicalParentUuid"], lines[0]["uuid"]);
    assert_eq!(lines[2]["parentUuid"], lines[1]["uuid"]);
}

#[test]
fn words_that_stay_before_a_summary_stand_between_it_and_the_boundary() {
    let boundary = EntryBody::Boundary(Box::new(Compaction::made("What was.")));
    let mut conversation = conversation(vec![
        human("ccc", "Kept"),
        entry("dddd", 0, EntryBody::Summary("What was.".into())),
        answer("eeeee", 1, "Then."),
    ]);
    conversation.boundary = Some(entry("bb", 0, boundary));
    let lines = lines(&write(&conversation).0);
    assert_eq!(lines[0]["subtype"], "compact_boundary");
    assert_eq!(lines[1]["message"]["content"], "Kept");
    assert_eq!(lines[2]["isCompactSummary"], true);
    assert_eq!(lines[2]["isVisibleInTranscriptOnly"], true);
    let summary = lines[2]["message"]["content"].as_str().unwrap();
    assert!(summary.starts_with("This session is being continued from a previous conversation"));
    assert!(summary.ends_with("\n\nSummary:\nWhat was."), "{summary}");
}

#[test]
fn calls_of_a_response_stand_together_and_their_results_after_them() {
    let live = vec![
        human("a", "Do"),
        answer("bb", 1, "I do."),
        exchange("ccc", 1, "exec", &json!({"cmd": "ls"})),
        exchange("dddd", 1, "exec", &json!({"cmd": "pwd"})),
        human("eeeee", "Meanwhile"),
        exchange("ffffff", 1, "exec", &json!({})),
    ];
    let lines = lines(&write(&conversation(live)).0);
    let told: Vec<_> = lines[1..4].iter().map(|line| &line["message"]["id"]).collect();
    assert!(told.iter().all(|id| *id == told[0]), "{told:?}");
    assert_eq!(lines[4]["message"]["content"][0]["tool_use_id"], "call_ccc");
    assert_eq!(lines[4]["sourceToolAssistantUUID"], lines[2]["uuid"]);
    assert_eq!(lines[5]["message"]["content"][0]["tool_use_id"], "call_dddd");
    assert_eq!(lines[6]["message"]["content"], "Meanwhile");
    assert_ne!(&lines[7]["message"]["id"], told[0]);
    assert_eq!(lines[1]["message"]["stop_reason"], "tool_use");
}

#[test]
fn no_model_is_named_that_the_program_would_go_on_with() {
    let mut live = vec![human("a", "Do"), answer("bb", 1, "Done."), answer("ccc", 2, "More.")];
    let model = |entry: &mut Entry, name: &'static str| match &mut entry.body {
        EntryBody::Answer(message) => message.model = Some(name.into()),
        _ => unreachable!(),
    };
    model(&mut live[1], "gpt-5.2");
    model(&mut live[2], "claude-sonnet-4-5");
    let mut conversation = conversation(live);
    let told = |conversation: &Conversation| -> Vec<String> {
        let lines = lines(&write(conversation).0);
        lines[1..].iter().map(|line| line["message"]["model"].to_string()).collect()
    };
    assert_eq!(told(&conversation), ["\"<synthetic>\"", "\"claude-sonnet-4-5\""]);
    conversation.header.harness = "claude".into();
    assert_eq!(told(&conversation), ["\"gpt-5.2\"", "\"claude-sonnet-4-5\""]);
}

#[test]
fn a_converted_session_has_answers_and_no_costs_of_its_own() {
    let live = vec![human("a", "Do"), answer("bb", 1, "Done.")];
    let session = again(&write(&conversation(live)).0);
    assert!(session.header.has_request && session.header.has_answer);
    assert_eq!(session.header.model, None);
    assert!(!session.items.iter().any(|item| matches!(item.body, Body::Usage(_))));
}

#[test]
fn names_and_arguments_are_what_the_provider_takes() {
    let live = vec![
        human("a", "Do"),
        exchange("bb", 1, "mcp.tool/x y", &json!(["ls"])),
        exchange("ccc", 2, "", &json!("text")),
    ];
    let (bytes, losses) = write(&conversation(live));
    let lines = lines(&bytes);
    let block = |at: usize| &lines[at]["message"]["content"][0];
    let renamed = losses.list().into_iter().find(|loss| loss.kind == LossKind::ToolMapped);
    assert_eq!(renamed.map(|loss| loss.count), Some(2));
    assert_eq!(block(1)["name"], "mcp_tool_x_y");
    assert_eq!(block(1)["input"], json!({"value": ["ls"]}));
    assert_eq!(
        (&block(3)["name"], &block(3)["input"]),
        (&json!("unknown"), &json!({"value": "text"}))
    );
}

/// The provider refuses a failure without content: the session would stop at every turn.
#[test]
fn a_failure_says_something() {
    let failed = |id: &str, response: u32, status: Status, exit_code: Option<i64>| {
        let mut entry = exchange(id, response, "Bash", &json!({"command": "false"}));
        let EntryBody::Exchange(exchange) = &mut entry.body else { unreachable!() };
        exchange.result = ToolResult::new(format!("call_{id}").into(), status, Vec::new());
        exchange.result.exit_code = exit_code;
        entry
    };
    let live = vec![
        human("a", "Do"),
        failed("bb", 1, Status::Error, None),
        failed("ccc", 2, Status::Error, Some(3)),
        failed("dddd", 3, Status::Interrupted, None),
        failed("eeeee", 4, Status::Ok, None),
    ];
    let mut conversation = conversation(live);
    for harness in ["codex", "claude"] {
        conversation.header.harness = harness.into();
        let bytes = write(&conversation).0;
        let lines = lines(&bytes);
        let said = [2, 4, 6, 8].map(|at| lines[at]["message"]["content"][0]["content"].clone());
        assert_eq!(said, ["(empty)", "Exit code 3", "(interrupted)", ""].map(Value::from));
        let found = writer().check(&Input::memory("x.jsonl", &bytes)).unwrap();
        assert!(found.is_empty(), "{found:?}");
    }
}

#[test]
fn an_image_is_kept_for_the_user_and_a_line_stands_for_one_of_the_models() {
    let image = |kind: &'static str, data: &'static str| {
        Part::Blob(Blob::base64(kind.into(), data.into(), Blobs::Carried))
    };
    let mut live = vec![human("a", "Look"), answer("bb", 1, "Seen"), human("ccc", "And")];
    for entry in &mut live {
        match &mut entry.body {
            EntryBody::Said(message) | EntryBody::Answer(message) => {
                message.parts.push(image("image/png", "aGVsbG8="));
            }
            _ => unreachable!(),
        }
    }
    let EntryBody::Said(message) = &mut live[2].body else { unreachable!() };
    message.parts.push(image("image/svg+xml", "aGVsbG8="));
    message.parts.push(image("image/png", "cut off..."));
    message.parts.push(image("application/pdf", "aGVsbG8="));
    let (bytes, losses) = write(&conversation(live));
    let lines = lines(&bytes);
    let want = json!({"type": "base64", "media_type": "image/png", "data": "aGVsbG8="});
    assert_eq!(lines[0]["message"]["content"][1], json!({"type": "image", "source": want}));
    let kinds = |line: &Value| -> Vec<String> {
        let blocks = line["message"]["content"].as_array().unwrap();
        blocks.iter().map(|block| block["type"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(kinds(&lines[1]), ["text", "text"]);
    let placeholder = lines[1]["message"]["content"][1]["text"].as_str().unwrap();
    assert!(placeholder.starts_with("[image/png, 5 bytes, SHA-256 2cf24dba5fb0"), "{placeholder}");
    assert_eq!(kinds(&lines[2]), ["text", "image", "text", "text", "document"]);
    let lost = losses.list();
    assert_eq!((lost[0].kind, lost[0].count, lost.len()), (LossKind::Blob, 3, 1));
}

#[test]
fn thinking_goes_back_as_it_was_and_only_if_it_is_signed() {
    let thought = |id: &str, json: Value| {
        let native = serde_json::value::to_raw_value(&json).unwrap();
        let reasoning = segue::model::Reasoning {
            text: "hm".into(),
            message_id: Some("msg_own".into()),
            opaque: true,
            native: Some(std::borrow::Cow::Owned(native)),
        };
        entry(id, 1, EntryBody::Reasoning(reasoning))
    };
    let signed = json!({"type": "thinking", "thinking": "hm", "signature": "c2ln"});
    let live = vec![
        human("a", "Do"),
        thought("bb", signed.clone()),
        thought("ccc", json!({"type": "thinking", "thinking": "hm", "signature": ""})),
        thought("dddd", json!({"type": "redacted_thinking", "data": "eA=="})),
        exchange("eeeee", 1, "Bash", &json!({"command": "ls"})),
    ];
    let mut conversation = conversation(live);
    conversation.header.harness = "claude".into();
    let (bytes, losses) = write(&conversation);
    let lines = lines(&bytes);
    assert_eq!(lines[1]["message"]["content"], json!([signed]));
    assert_eq!(lines[2]["message"]["content"][0]["type"], "redacted_thinking");
    assert_eq!(lines[3]["message"]["content"][0]["name"], "Bash");
    assert!(lines[1..4].iter().all(|line| line["message"]["id"] == "msg_own"));
    let lost = losses.list();
    assert_eq!((lost[0].kind, lost[0].count, lost.len()), (LossKind::Reasoning, 1, 1));
}

#[test]
fn the_place_is_named_by_the_folder_and_the_id() {
    let place = |cwd: &str| {
        let target = Target { cwd: cwd.into(), ..target() };
        writer().place("/home/ada/.claude".into(), &Conversation::default(), &target)
    };
    let want = format!("/home/ada/.claude/projects/-home-ada-My-proj-v1/{ID}.jsonl");
    assert_eq!(place("/home/ada/My_proj.v1").unwrap().file, want);
    assert!(place("").is_err());
    assert_eq!(writer().resume(&target()), format!("claude --resume {ID}"));
}

#[test]
fn the_same_conversation_gives_the_same_bytes() {
    for path in ["claude", "codex", "gemini"].map(files).concat() {
        let Some(session) = convert::read(&path) else { continue };
        let once = convert::conversation(session.clone(), "claude", false);
        let twice = convert::conversation(session, "claude", false);
        assert!(write(&once.conversation).0 == write(&twice.conversation).0, "{}", path.display());
    }
}

/// Returns the rules that a file breaks, with the line of each.
fn findings(name: &str, lines: &[Value]) -> Vec<(&'static str, u64)> {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let found = writer().check(&Input::memory(name, text.as_bytes())).unwrap();
    found.iter().map(|finding| (finding.rule, finding.line)).collect()
}

fn good() -> Vec<Value> {
    let live = vec![
        human("a", "Do"),
        exchange("bb", 1, "Bash", &json!({"command": "ls"})),
        answer("ccc", 2, "Done."),
        human("dddd", "Again"),
    ];
    let mut lines = lines(&write(&conversation(live)).0);
    for (second, line) in lines.iter_mut().enumerate() {
        line["timestamp"] = json!(format!("2026-01-02T03:04:{second:02}.000Z"));
    }
    lines
}

#[test]
fn what_is_written_has_no_defect() {
    assert_eq!(findings("x.jsonl", &good()), []);
    for path in ["claude", "codex", "gemini", "demo"].map(files).concat() {
        let Some(session) = convert::read(&path) else { continue };
        let made = convert::conversation(session, "claude", false);
        let bytes = write(&made.conversation).0;
        let found = writer().check(&Input::memory("x.jsonl", &bytes)).unwrap();
        assert!(found.is_empty(), "{}: {found:?}", path.display());
    }
}

#[test]
fn every_defect_of_the_table_is_found() {
    type Break = fn(&mut Vec<Value>);
    let broken: &[(&str, u64, Break)] = &[
        ("missing_message_id", 2, |lines| lines[1]["message"]["id"] = Value::Null),
        ("missing_timestamp", 3, |lines| lines[2]["timestamp"] = Value::Null),
        ("timestamp_is_no_date", 3, |lines| lines[2]["timestamp"] = json!(1_700_000_000_000_u64)),
        ("missing_uuid", 5, |lines| lines[4]["uuid"] = Value::Null),
        ("second_root", 4, |lines| lines[3]["parentUuid"] = Value::Null),
        ("dangling_parent", 4, |lines| lines[3]["parentUuid"] = json!("gone")),
        ("own_parent", 4, |lines| lines[3]["parentUuid"] = lines[3]["uuid"].clone()),
        ("circle_of_parents", 1, |lines| lines[0]["parentUuid"] = lines[3]["uuid"].clone()),
        ("uuid_used_again", 6, |lines| lines.push(lines[3].clone())),
        ("content_is_text", 4, |lines| lines[3]["message"]["content"] = json!("Done.")),
        ("input_is_no_object", 2, |lines| {
            lines[1]["message"]["content"][0]["input"] = json!("{}");
        }),
        ("call_id_is_refused", 2, |lines| lines[1]["message"]["content"][0]["id"] = json!("a.b")),
        ("tool_name_is_refused", 2, |lines| lines[1]["message"]["content"][0]["name"] = json!("")),
        ("call_without_result", 2, |lines| lines[2]["message"]["content"] = json!("no")),
        ("result_without_call", 3, |lines| {
            lines[1]["message"]["content"] = json!([{"type": "text", "text": "x"}]);
        }),
        ("second_result", 3, |lines| {
            let block = lines[2]["message"]["content"][0].clone();
            lines[2]["message"]["content"].as_array_mut().unwrap().push(block);
        }),
        ("message_id_used_again", 6, |lines| {
            lines[3]["message"]["id"] = json!("msg_a");
            let mut line = lines[3].clone();
            line["uuid"] = json!("u6");
            line["parentUuid"] = lines[4]["uuid"].clone();
            line["timestamp"] = json!("2026-01-02T03:04:09.000Z");
            lines.push(line);
        }),
        ("block_on_wrong_side", 1, |lines| {
            lines[0]["message"]["content"] = json!([{"type": "tool_use", "id": "a"}]);
        }),
        ("unsigned_thinking", 4, |lines| {
            lines[3]["message"]["content"] = json!([{"type": "thinking", "thinking": "hm"}]);
        }),
        ("image_is_refused", 1, |lines| {
            let source = json!({"type": "base64", "media_type": "image/svg+xml", "data": "eA=="});
            lines[0]["message"]["content"] = json!([{"type": "image", "source": source}]);
        }),
        ("empty_text", 1, |lines| lines[0]["message"]["content"] = json!(" ")),
        ("empty_failure", 3, |lines| {
            let result = &mut lines[2]["message"]["content"][0];
            result["content"] = json!([{"type": "text", "text": "\n"}]);
            result["is_error"] = json!(true);
        }),
        ("no_conversation", 0, |lines| {
            lines.iter_mut().for_each(|line| line["isSidechain"] = json!(true));
        }),
        ("unknown_type_in_chain", 3, |lines| lines[2]["type"] = json!("novelty")),
        ("model_speaks_first", 2, |lines| {
            lines[1]["parentUuid"] = Value::Null;
            lines.remove(0);
            lines.insert(0, json!({"type": "mode", "mode": "x"}));
        }),
        ("summary_without_boundary", 1, |lines| lines[0]["isCompactSummary"] = json!(true)),
        ("nothing_after_boundary", 6, |lines| {
            lines.push(json!({"type": "system", "subtype": "compact_boundary", "uuid": "u6",
                "parentUuid": null, "timestamp": "2026-01-02T03:04:09.000Z"}));
        }),
        ("last_line_is_not_latest", 2, |lines| {
            lines[1]["timestamp"] = json!("2026-02-02T03:04:05.000Z");
        }),
        ("pointer_to_nothing", 6, |lines| {
            lines.push(json!({"type": "last-prompt", "leafUuid": "gone"}));
        }),
        ("pointer_moves_the_end", 6, |lines| {
            lines[4]["parentUuid"] = lines[2]["uuid"].clone();
            lines.push(json!({"type": "last-prompt", "leafUuid": lines[3]["uuid"]}));
        }),
        ("missing_message", 4, |lines| lines[3]["message"] = Value::Null),
    ];
    for (rule, line, breaks) in broken {
        let mut lines = good();
        breaks(&mut lines);
        let found = findings("x.jsonl", &lines);
        assert!(found.contains(&(*rule, *line)), "{rule}: {found:?}");
    }
}

#[test]
fn any_bytes_are_looked_at() {
    let found = |bytes: &[u8]| -> Vec<_> {
        let found = writer().check(&Input::memory("x.jsonl", bytes)).unwrap();
        found.iter().map(|finding| (finding.rule, finding.line)).collect()
    };
    assert_eq!(found(b""), [("no_conversation", 0)]);
    let line = good()[0].to_string();
    let mixed = format!("{line}\nbroken\n\0\0\n{line}{line}\n{{\"type\":\"us");
    let rules: Vec<_> = found(mixed.as_bytes()).iter().map(|(rule, _)| *rule).collect();
    for rule in ["broken_line", "glued_records", "cut_off_line", "no_final_newline"] {
        assert!(rules.contains(&rule), "{rule}: {rules:?}");
    }
    assert_eq!(found(line.as_bytes()), [("no_final_newline", 1)]);
    found(b"{\"type\":\"user\",\"uuid\":7,\"message\":[[[\"x\"]]]}\n\xff\xfe\n[1]\n7\n");
}

#[test]
fn sessions_of_the_program_itself_are_no_errors() {
    let Some(folder) = crate::data::folder("real/claude") else { return };
    let wrong = complaints(&sessions(&folder), |_, path| {
        let path = camino::Utf8Path::from_path(path).unwrap();
        let is_session = path.as_str().contains("/projects/") && !path.as_str().contains("agent-");
        let input = Input::file(path).unwrap();
        let found = if is_session { writer().check(&input).unwrap() } else { Vec::new() };
        let errors = found.iter().filter(|finding| {
            let is_empty =
                finding.rule == "no_conversation" && convert::read(path.as_std_path()).is_none();
            finding.severity == harness::Severity::Error && !is_empty
        });
        errors.map(|finding| format!("{path}: {} {}", finding.rule, finding.line)).collect()
    });
    assert!(wrong.is_empty(), "{} wrong: {:#?}", wrong.len(), &wrong[..wrong.len().min(20)]);
}

#[test]
fn what_the_provider_answered_itself_stays_in_the_message_of_the_model() {
    let id = "srvtoolu_01A";
    let kind = "web_search_tool_result";
    let found = json!([{"type": "web_search_result", "url": "https://example.org"}]);
    stays(id, &json!({"type": kind, "tool_use_id": id, "content": found}));
    stays(id, &json!({"type": kind, "tool_use_id": id}));
}

fn stays(id: &str, given: &Value) {
    use super::attack::{line, segue, session};
    let blocks = [
        json!([{"type": "server_tool_use", "id": id, "name": "web_search", "input": {"query": "q"}}]),
        json!([given]),
        json!([{"type": "text", "text": "Found it."}]),
    ];
    let mut records = vec![line("user", 1, 0, json!("look it up"))];
    records.extend((2..).zip(blocks).map(|(at, block)| {
        let mut record = line("assistant", at, at - 1, block);
        record["message"]["id"] = json!("msg_1");
        record
    }));
    let (_folder, path) = session(&records);
    let said = segue(&["convert", &path, "--to", "claude"]);
    let lines: Vec<Value> =
        said.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |line: &Value| line["message"]["content"][0].clone();
    let answers: Vec<_> = lines.iter().filter(|line| line["type"] == "assistant").map(of).collect();
    let kinds: Vec<_> = answers.iter().map(|block| block["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["server_tool_use", "web_search_tool_result", "text"], "{}", said.stderr);
    assert_eq!(&answers[1], given);
    assert_eq!(lines.iter().filter(|line| line["type"] == "user").count(), 1);
    let stops = lines.iter().filter_map(|line| line["message"]["stop_reason"].as_str());
    assert!(stops.clone().count() == 3 && stops.into_iter().all(|why| why == "end_turn"));
    let told = |text: &str| {
        let file = tempfile::Builder::new().suffix(".jsonl").tempfile().unwrap();
        std::fs::write(file.path(), text).unwrap();
        let export = segue(&["export", file.path().to_str().unwrap(), "--view", "live"]);
        let records =
            export.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        records.map(|record| [record["type"].clone(), record["output"].clone()]).collect::<Vec<_>>()
    };
    assert_eq!(told(&said.stdout), told(&std::fs::read_to_string(&path).unwrap()));
}
