//! Sessions that are written for Codex CLI: every rule of its form, and that they read back.

use std::path::{Path, PathBuf};

use camino::{Utf8Path, Utf8PathBuf};
use segue::harness::{self, Severity, Target, Want, Writer};
use segue::jsonl::Input;
use segue::model::{
    Blob, Blobs, Compaction, Conversation, Deed, Entry, EntryBody, Exchange, Message, Origin, Part,
    PlanStatus, Role, Session, Status, ToolCall, ToolKind, ToolResult, Usage,
};
use segue::note::{LossKind, Losses};
use serde_json::{Value, json};

use crate::convert::{alone as conversation, read};
use crate::corpus::{complaints, sessions};
use crate::data::folder;

pub(crate) const ID: &str = "5f1d9a52-70d4-5b1e-9f0a-2d0c5e9a73b1";
const LEAD: &str = "Another language model started to solve this problem and produced a summary";

pub(crate) fn writer() -> &'static dyn Writer {
    harness::by_name("codex").unwrap().writer().unwrap()
}

fn target() -> Target {
    let origin = "claude:1".to_owned();
    Target { id: ID.to_owned(), cwd: "/home/ada/tool".to_owned(), origin, now: None }
}

/// A session written for Codex.
struct Written {
    source: Conversation,
    bytes: Vec<u8>,
    losses: Losses,
}

impl Written {
    fn of(source: Conversation) -> Self {
        let mut bytes = Vec::new();
        let losses = writer().write(&source, &target(), &mut bytes).unwrap();
        Self { source, bytes, losses }
    }

    fn live(live: Vec<Entry>) -> Self {
        let mut source = Conversation { live, ..Conversation::default() };
        source.header.harness = "other".to_owned();
        Self::of(source)
    }

    fn exchange(exchange: Exchange) -> Vec<Value> {
        let written =
            Self::live(vec![human("go"), entry(9, EntryBody::Exchange(Box::new(exchange)))]);
        let mut items = written.payloads("response_item");
        items.split_off(1)
    }

    fn fixture(name: &str) -> Self {
        let path = format!("{}/fixtures/{name}", env!("CARGO_MANIFEST_DIR"));
        let session = read(Path::new(&path)).unwrap();
        Self::of(conversation(session, "codex", false).conversation)
    }

    fn lines(&self) -> Vec<Value> {
        let text = std::str::from_utf8(&self.bytes).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The payloads of one type of line, or of one type of payload.
    fn payloads(&self, kind: &str) -> Vec<Value> {
        let lines = self.lines().into_iter();
        let wanted = lines.filter(|line| line["type"] == kind || line["payload"]["type"] == kind);
        wanted.map(|line| line["payload"].clone()).collect()
    }

    fn input(&self) -> Input {
        Input::memory("written", &self.bytes)
    }

    fn back(&self) -> Session {
        session("written", &self.bytes)
    }

    fn lost(&self, kind: LossKind) -> u64 {
        self.losses.list().iter().find(|loss| loss.kind == kind).map_or(0, |loss| loss.count)
    }
}

fn session(name: &str, bytes: &[u8]) -> Session {
    let input = Input::memory(name, bytes);
    let harness = harness::recognise(&input).unwrap();
    let want = Want { blobs: Blobs::Carried, native: true, ..Want::default() };
    let mut session = Session::default();
    session.end = harness.read(&input, want, &mut session).unwrap();
    session
}

/// Takes off what tells how a call ended where its own text does not.
fn bare(text: &str) -> &str {
    let refused = ["exec command rejected by user\n", "patch rejected by user\n"];
    let plain = ["rejected by user\n", "aborted\n", "tool call error: "];
    for head in refused.iter().chain(&plain) {
        if let Some(rest) = text.strip_prefix(head) {
            return rest;
        }
    }
    for head in ["Process exited with code ", "Exit code: "] {
        let rest = text.strip_prefix(head).and_then(|rest| rest.split_once("\nOutput:\n"));
        if let Some((_, rest)) = rest.filter(|(code, _)| code.parse::<i64>().is_ok()) {
            return rest;
        }
    }
    text
}

fn words(parts: &[Part<'_>]) -> String {
    let said = parts.iter().map(|part| match part {
        Part::Text(text) => text.plain().into_owned(),
        Part::Blob(blob) => format!("<{}>", blob.name().sha256.clone().unwrap_or_default()),
        Part::Other { json, .. } => {
            let piece: Value = serde_json::from_str(json.get()).unwrap_or_default();
            piece["text"].as_str().unwrap_or(json.get()).to_owned()
        }
    });
    said.filter(|text| !text.trim().is_empty()).collect::<Vec<_>>().join("\n")
}

/// What a model is sent, an entry a line; blobs that were not carried count as nothing.
fn said(entries: &[Entry]) -> Vec<String> {
    let (mut found, mut summary) = (Vec::new(), None);
    for entry in entries {
        let line = match &entry.body {
            EntryBody::Said(message) => format!("user: {}", words(&message.parts)),
            EntryBody::Answer(message) => format!("answer: {}", words(&message.parts)),
            EntryBody::Summary(text) => {
                format!("summary: {}", summary.take().unwrap_or(text).plain())
            }
            EntryBody::Reasoning(reasoning) => format!("reasoning: {}", reasoning.text.plain()),
            EntryBody::Boundary(compaction) => {
                summary = compaction.summary.as_ref();
                "boundary".to_owned()
            }
            EntryBody::Usage(usage) => {
                let used = [usage.input_tokens, usage.output_tokens].map(Option::unwrap_or_default);
                if used == [0, 0] {
                    continue;
                }
                format!("usage: {used:?}")
            }
            EntryBody::Notice { .. } => continue,
            EntryBody::Exchange(exchange) => {
                let result = &exchange.result;
                let output = words(&result.output);
                format!(
                    "call {}: {:?} {}",
                    exchange.call.call_id,
                    result.status,
                    bare(&output).trim()
                )
            }
        };
        found.push(line);
    }
    found
}

/// Says what of a session is not there once it was written and read again.
fn round_trip(path: &Path) -> Vec<String> {
    let Some(source) = read(path) else { return Vec::new() };
    let (header, known) = (source.header.clone(), source.end.notes.clone());
    let made = conversation(source, "codex", false);
    if made.conversation.live.is_empty() {
        return Vec::new();
    }
    let written = Written::of(made.conversation);
    let back = written.back();
    let mut wrong = Vec::new();
    // A script, and a summary that nobody can read, are as unclear as they were.
    let is_new = |kind| !known.iter().any(|note| note.kind == kind);
    if back.end.notes.iter().any(|note| is_new(note.kind)) {
        wrong.push(format!("notes {:?}", back.end.notes));
    }
    if back.header.git != header.git {
        wrong.push(format!("git {:?}", back.header.git));
    }
    if header.title.is_some() && back.header.title != header.title {
        wrong.push(format!("title {:?} for {:?}", back.header.title, header.title));
    }
    if back.header.cwd.as_deref() != Some("/home/ada/tool") || back.header.id != ID {
        wrong.push(format!("header {:?}", back.header));
    }
    let again = conversation(back, "codex", false).conversation;
    let placeholders = |text: &String| !text.contains(": not carried over]");
    let sides = [(&written.source.older, &again.older), (&written.source.live, &again.live)];
    for (before, after) in sides {
        let (before, mut after) = (said(before), said(after));
        // Another harness says in its own words that the user stopped it.
        after.retain(|line| header.harness == "codex" || !line.starts_with("user: <turn_aborted>"));
        let first = before.iter().zip(&after).find(|(one, other)| one != other);
        match first {
            Some((one, other)) if placeholders(other) => {
                let cut = |text: &str| text.chars().take(200).collect::<String>();
                wrong.push(format!("{}\n  became {}", cut(one), cut(other)));
            }
            _ if before.len() != after.len() => {
                wrong.push(format!("{} became {}", before.len(), after.len()));
            }
            _ => {}
        }
    }
    if written.source.boundary.is_some() != again.boundary.is_some() {
        wrong.push("the boundary is gone".to_owned());
    }
    let found = writer().check(&written.input()).unwrap();
    // Its own names stay as they are, whatever they are.
    let own = |rule| header.harness == "codex" && rule == "tool_name";
    let bad = found.iter().filter(|found| found.severity < Severity::Info && !own(found.rule));
    let bad: Vec<_> = bad.collect();
    if !bad.is_empty() {
        wrong.push(format!("{bad:#?}"));
    }
    wrong.iter().map(|what| format!("{}: {what}", path.display())).collect()
}

fn fixtures() -> Vec<PathBuf> {
    sessions(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures")))
}

#[test]
fn what_was_written_reads_back() {
    let fixtures = fixtures();
    assert!(fixtures.len() > 20, "the fixtures are not there");
    let wrong = complaints(&fixtures, |_, path| round_trip(path));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_was_written_of_real_sessions_reads_back() {
    for name in ["real", "corpus"] {
        let Some(folder) = folder(name) else { return };
        let wrong = complaints(&sessions(&folder), |_, path| round_trip(path));
        assert!(
            wrong.is_empty(),
            "{} wrong: {}",
            wrong.len(),
            wrong[..wrong.len().min(20)].join("\n")
        );
    }
}

fn entry(second: u32, body: EntryBody) -> Entry {
    let ts = format!("2026-01-02T03:04:{second:02}.000Z");
    Entry { id: format!("e{second}"), items: 1, ts, response: 0, body }
}

fn human(text: &str) -> Entry {
    entry(5, EntryBody::Said(Message::text(Role::User, Origin::Human, text.to_owned())))
}

fn answer(second: u32, text: &str) -> Entry {
    let message = Message::text(Role::Assistant, Origin::Model, text.to_owned());
    entry(second, EntryBody::Answer(message))
}

fn exchange(name: &str, arguments: &Value, deed: Option<Deed>, output: &str) -> Exchange {
    let raw = serde_json::value::to_raw_value(arguments).unwrap();
    let raw = std::borrow::Cow::Owned(raw);
    let call = ToolCall::new("c1", name.to_owned(), ToolKind::Shell, raw);
    let output = vec![Part::Text(output.to_owned().into())];
    Exchange {
        call,
        deed,
        asks_more: false,
        result: ToolResult::new("c1".into(), Status::Ok, output),
        result_ts: "2026-01-02T03:04:30.000Z".to_owned(),
        result_id: Some("r1".to_owned()),
        never_came: false,
    }
}

fn shell(command: &str) -> Deed {
    Deed::Shell { command: command.to_owned(), cwd: None, timeout_ms: None, description: None }
}

fn kinds(written: &Written) -> Vec<String> {
    let kind = |line: &Value| match line["payload"]["type"].as_str() {
        Some(inner) => format!("{}/{inner}", line["type"].as_str().unwrap()),
        None => line["type"].as_str().unwrap().to_owned(),
    };
    written.lines().iter().map(kind).collect()
}

#[test]
fn the_file_has_the_name_and_the_folder_by_which_it_is_found() {
    let written = Written::live(vec![human("go")]);
    let home = Utf8Path::new("/home/ada/.codex");
    let place = writer().place(home, &written.source, &target()).unwrap();
    let name = format!("sessions/2026/01/02/rollout-2026-01-02T03-04-05-{ID}.jsonl");
    assert_eq!(place.file, home.join(name));
    assert_eq!(place.beside, Vec::<(Utf8PathBuf, String)>::new());
    assert_eq!(writer().resume(&target()), format!("codex resume {ID}"));
}

#[test]
fn the_first_line_says_who_the_session_is_and_binds_it_to_nothing() {
    let mut source = Conversation { live: vec![human("go")], ..Conversation::default() };
    source.header.harness = "other".to_owned();
    source.header.model = Some("other-1".to_owned());
    source.header.git.branch = Some("main".to_owned());
    source.header.git.commit = Some("0123abcd".to_owned());
    source.header.git.remote = Some("https://example.com/tool.git".to_owned());
    let first = Written::of(source).lines().remove(0);
    let git = json!({
        "commit_hash": "0123abcd", "branch": "main",
        "repository_url": "https://example.com/tool.git",
    });
    let payload = json!({
        "id": ID, "timestamp": "2026-01-02T03:04:05.000Z", "cwd": "/home/ada/tool",
        "originator": "segue", "cli_version": "0.0.0", "source": "cli",
        "converted_from": "claude:1", "git": git,
    });
    let want = json!({
        "timestamp": "2026-01-02T03:04:05.000Z", "type": "session_meta", "payload": payload,
    });
    assert_eq!(first, want);
}

#[test]
fn every_line_has_a_time_a_type_and_a_payload_and_ends() {
    for path in fixtures() {
        let Some(source) = read(&path) else { continue };
        let written = Written::of(conversation(source, "codex", false).conversation);
        assert_eq!(written.bytes.last(), Some(&b'\n'));
        for line in written.lines() {
            let keys: Vec<_> = line.as_object().unwrap().keys().map(String::as_str).collect();
            assert_eq!(keys[..3], ["timestamp", "type", "payload"], "{}", path.display());
            // What only a later reading looks at stands outside of what the client takes.
            assert!(matches!(keys[3..], [] | ["converted_from"]), "{}", path.display());
            let time = line["timestamp"].as_str().unwrap();
            assert!(time.len() == 24 && time.ends_with('Z'), "{time}");
        }
    }
}

#[test]
fn a_turn_stands_between_its_events() {
    let call = exchange("Glob", &json!({"pattern": "*.rs"}), None, "a.rs");
    let call = entry(7, EntryBody::Exchange(Box::new(call)));
    let written = Written::live(vec![human("go"), answer(6, "looking"), call, answer(31, "done")]);
    let want = [
        "session_meta",
        "event_msg/task_started",
        "response_item/message",
        "event_msg/user_message",
        "event_msg/agent_message",
        "response_item/message",
        "response_item/function_call",
        "response_item/function_call_output",
        "event_msg/agent_message",
        "response_item/message",
        "event_msg/task_complete",
    ];
    assert_eq!(kinds(&written), want);
    let turn = &written.payloads("task_started")[0]["turn_id"];
    let end = &written.payloads("task_complete")[0];
    assert_eq!((&end["turn_id"], &end["last_agent_message"]), (turn, &json!("done")));
    assert_eq!(written.payloads("user_message")[0]["message"], "go");
    let items = written.payloads("response_item");
    let text = json!([{"type": "input_text", "text": "go"}]);
    assert_eq!(items[0], json!({"type": "message", "role": "user", "content": text}));
    let text = json!([{"type": "output_text", "text": "looking"}]);
    assert_eq!(items[1], json!({"type": "message", "role": "assistant", "content": text}));
    // Names and arguments that have no like here stay; arguments are a text.
    let call = json!({
        "type": "function_call", "name": "Glob", "arguments": "{\"pattern\":\"*.rs\"}",
        "call_id": "c1",
    });
    assert_eq!(items[2], call);
    let output = json!({"type": "function_call_output", "call_id": "c1", "output": "a.rs"});
    assert_eq!(items[3], output);
}

#[test]
fn the_calls_of_a_response_stand_before_its_outputs() {
    let call = |second: u32, id: &str| {
        let mut made = exchange("Glob", &json!({}), None, id);
        made.call.call_id = id.to_owned().into();
        Entry { response: 1, ..entry(second, EntryBody::Exchange(Box::new(made))) }
    };
    let written = Written::live(vec![human("go"), call(6, "a"), call(7, "b")]);
    let items: Vec<_> = written.payloads("response_item").into_iter().skip(1).collect();
    let order: Vec<_> = items.iter().map(|item| (&item["type"], &item["call_id"])).collect();
    let (asked, came) = (json!("function_call"), json!("function_call_output"));
    let (a, b) = (json!("a"), json!("b"));
    assert_eq!(order, [(&asked, &a), (&asked, &b), (&came, &a), (&came, &b)]);
}

#[test]
fn a_compaction_holds_all_that_is_sent_of_what_was_before() {
    let bare = "we had begun";
    let source = Conversation {
        older: vec![human("begin"), answer(6, "begun")],
        boundary: Some(entry(7, EntryBody::Boundary(Box::new(Compaction::made(bare))))),
        live: vec![
            entry(8, EntryBody::Said(Message::text(Role::User, Origin::Human, "begin"))),
            entry(9, EntryBody::Summary(bare.into())),
            answer(10, "on"),
        ],
        ..Conversation::default()
    };
    let written = Written::of(source);
    let compacted = &written.payloads("compacted")[0];
    let message = compacted["message"].as_str().unwrap();
    assert!(message.starts_with(LEAD) && message.ends_with(":\nwe had begun"), "{message}");
    let said = |text: &str| json!([{"type": "input_text", "text": text}]);
    let user = |text: &str| json!({"type": "message", "role": "user", "content": said(text)});
    assert_eq!(compacted["replacement_history"], json!([user("begin"), user(message)]));
    // The older dialogue stands before it, and what came later behind it.
    let texts = written.payloads("response_item");
    let texts: Vec<_> = texts.iter().map(|item| &item["content"][0]["text"]).collect();
    assert_eq!(texts, ["begin", "begun", "on"]);
    let place = |kind: &str| kinds(&written).iter().rposition(|found| found == kind).unwrap();
    assert!(place("compacted") < place("response_item/message"));
    assert!(place("compacted") > place("event_msg/user_message"));
}

#[test]
fn after_a_compaction_the_session_counts_as_short() {
    let usage = Usage { input_tokens: Some(900_000), output_tokens: Some(5), ..Usage::default() };
    let source = Conversation {
        older: vec![human("begin"), entry(6, EntryBody::Usage(usage))],
        boundary: Some(entry(7, EntryBody::Boundary(Box::new(Compaction::made("short"))))),
        live: vec![entry(8, EntryBody::Summary("short".into()))],
        ..Conversation::default()
    };
    let written = Written::of(source);
    let counts = written.payloads("token_count");
    assert_eq!(counts.len(), 2);
    assert_eq!(counts[0]["info"]["last_token_usage"]["total_tokens"], 900_005);
    assert_eq!(counts[1]["info"]["total_token_usage"], counts[0]["info"]["total_token_usage"]);
    assert!(counts[1]["info"]["last_token_usage"]["total_tokens"].as_u64().unwrap() < 500);
}

#[test]
fn counts_of_another_harness_do_not_say_how_long_the_session_is() {
    let usage = Usage { input_tokens: Some(900_000), output_tokens: Some(5), ..Usage::default() };
    let live = vec![human("begin"), entry(6, EntryBody::Usage(usage)), human("go on")];
    let counts = Written::live(live.clone()).payloads("token_count");
    assert_eq!(counts.len(), 2);
    assert_eq!(counts[1]["info"]["total_token_usage"]["total_tokens"], 900_005);
    assert!(counts[1]["info"]["last_token_usage"]["total_tokens"].as_u64().unwrap() < 500);
    let mut own = Conversation { live, ..Conversation::default() };
    own.header.harness = "codex".to_owned();
    assert_eq!(Written::of(own).payloads("token_count").len(), 1);
}

#[test]
fn what_follows_a_compaction_makes_the_session_long_again() {
    let usage = Usage { input_tokens: Some(900_000), output_tokens: Some(5), ..Usage::default() };
    let source = Conversation {
        older: vec![human("begin"), entry(6, EntryBody::Usage(usage))],
        boundary: Some(entry(7, EntryBody::Boundary(Box::new(Compaction::made("short"))))),
        live: vec![entry(8, EntryBody::Summary("short".into())), human(&"word ".repeat(100_000))],
        ..Conversation::default()
    };
    let counts = Written::of(source).payloads("token_count");
    let told = |count: &Value| count["info"]["last_token_usage"]["total_tokens"].as_u64().unwrap();
    assert_eq!(counts.len(), 3);
    assert!(told(&counts[1]) < 500);
    assert!((125_000..125_500).contains(&told(&counts[2])), "{}", told(&counts[2]));
}

#[test]
fn a_long_session_without_counts_gets_one() {
    let long = Written::live(vec![human(&"word ".repeat(100_000))]);
    let counts = long.payloads("token_count");
    let tokens = counts[0]["info"]["last_token_usage"]["total_tokens"].as_u64().unwrap();
    assert!((125_000..125_100).contains(&tokens), "{tokens}");
    assert!(Written::live(vec![human("go")]).payloads("token_count").is_empty());
    let back = long.back();
    let usages = back.items.iter().filter(|item| item.body.type_name() == "usage").count();
    assert_eq!(usages, 0, "an estimate is nothing that a response cost");
}

#[test]
fn usage_is_added_up() {
    let used = |input, output| Usage {
        input_tokens: Some(input),
        cached_tokens: Some(3),
        output_tokens: Some(output),
        ..Usage::default()
    };
    let entries = [used(10, 2), used(20, 4), Usage::default()];
    let mut live = vec![human("go")];
    live.extend((6..).zip(entries).map(|(second, used)| entry(second, EntryBody::Usage(used))));
    let written = Written::live(live);
    let counts = written.payloads("token_count");
    let total = json!({
        "input_tokens": 30, "cached_input_tokens": 6, "output_tokens": 6,
        "reasoning_output_tokens": 0, "total_tokens": 36,
    });
    assert_eq!(counts.len(), 2);
    assert_eq!(counts[1]["info"]["total_token_usage"], total);
    assert_eq!(counts[1]["info"]["last_token_usage"]["total_tokens"], 24);
    assert_eq!(written.lost(LossKind::Usage), 1);
}

#[test]
fn a_session_is_listed_by_an_early_request() {
    let command = Message::text(Role::User, Origin::Command, "<bash-input>ls</bash-input>");
    let mut live = vec![entry(5, EntryBody::Said(command))];
    live.extend((0..300).map(|_| answer(6, "on")));
    live.push(human("late"));
    let shown = Written::live(live.clone()).payloads("user_message");
    assert_eq!(shown[0]["message"], "<bash-input>ls</bash-input>");
    // Nothing was said early enough: the title stands there.
    live.remove(0);
    let written = Written::live(live);
    assert_eq!(written.payloads("user_message")[0]["message"], "(no request)");
    assert_eq!(kinds(&written)[1], "event_msg/user_message");
}

#[test]
fn pictures_are_kept_where_the_form_has_a_place_for_them() {
    let picture =
        || Part::Blob(Blob::base64("image/png".into(), "aGVsbG8=".into(), Blobs::Carried));
    let mut message = Message::text(Role::User, Origin::Human, "look");
    message.parts.push(picture());
    let mut spoken = Message::text(Role::Assistant, Origin::Model, "drawn");
    spoken.parts.push(picture());
    let mut call = exchange("Read", &json!({}), None, "a picture");
    call.result.output.push(picture());
    let call = entry(7, EntryBody::Exchange(Box::new(call)));
    let said = entry(5, EntryBody::Said(message));
    let written = Written::live(vec![said, entry(6, EntryBody::Answer(spoken)), call]);
    let items = written.payloads("response_item");
    let image = json!({"type": "input_image", "image_url": "data:image/png;base64,aGVsbG8="});
    assert_eq!(items[0]["content"][1], image);
    assert_eq!(items[3]["output"][1], image);
    let placeholder = items[1]["content"][1]["text"].as_str().unwrap();
    assert!(placeholder.starts_with("[image/png, 5 bytes"), "{placeholder}");
    assert_eq!(written.lost(LossKind::Blob), 1);
}

#[test]
fn a_request_of_pictures_alone_is_listed_and_empty_texts_are_left_out() {
    let picture = Part::Blob(Blob::base64("image/png".into(), "aGVsbG8=".into(), Blobs::Carried));
    let mut message = Message::text(Role::User, Origin::Human, " \n");
    message.parts.push(picture);
    let written = Written::live(vec![entry(5, EntryBody::Said(message))]);
    assert_eq!(written.payloads("user_message")[0]["message"], "[Image]");
    assert_eq!(written.payloads("response_item")[0]["content"].as_array().unwrap().len(), 1);
}

#[test]
fn deeds_become_the_tools_of_the_newest_version() {
    let deed = Deed::Shell {
        command: "ls".to_owned(),
        cwd: Some("/w".to_owned()),
        timeout_ms: Some(5000),
        description: Some("Look around".to_owned()),
    };
    let items = Written::exchange(exchange("Bash", &json!({}), Some(deed.clone()), "a"));
    let arguments: Value = serde_json::from_str(items[0]["arguments"].as_str().unwrap()).unwrap();
    let want = json!({
        "cmd": "ls", "workdir": "/w", "justification": "Look around", "timeout_ms": 5000,
    });
    assert_eq!((&items[0]["name"], &arguments), (&json!("exec_command"), &want));
    let codex = harness::by_name("codex").unwrap();
    assert_eq!(codex.deed("exec_command", &arguments), Some(deed));

    let write = Deed::Write { path: "/w/a.txt".to_owned(), content: "one\n\ntwo\n".to_owned() };
    let items = Written::exchange(exchange("Write", &json!({}), Some(write.clone()), "done"));
    let patch = "*** Begin Patch\n*** Add File: /w/a.txt\n+one\n+\n+two\n*** End Patch";
    let want = json!({
        "type": "custom_tool_call", "status": "completed", "call_id": "c1",
        "name": "apply_patch", "input": patch,
    });
    assert_eq!(items[0], want);
    assert_eq!(items[1]["type"], "custom_tool_call_output");
    assert_eq!(codex.deed("apply_patch", &json!({"input": patch})), Some(write));

    let steps = vec![
        ("read".to_owned(), PlanStatus::Completed),
        ("write".to_owned(), PlanStatus::InProgress),
        ("test".to_owned(), PlanStatus::Pending),
    ];
    let todos = Deed::Todos { items: steps };
    let (name, arguments) = writer().call(&todos).unwrap();
    assert_eq!(name, "update_plan");
    let arguments = Value::Object(arguments);
    assert_eq!(arguments["plan"][1], json!({"step": "write", "status": "in_progress"}));
    assert_eq!(codex.deed(name, &arguments), Some(todos));
}

#[test]
fn what_no_tool_says_exactly_is_carried_as_it_is() {
    let write = |path: &str, content: &str| {
        let (path, content) = (path.to_owned(), content.to_owned());
        writer().call(&Deed::Write { path, content })
    };
    assert!(write("a", "x\n").is_some());
    assert_eq!(write("a", "no line end"), None);
    assert_eq!(write("a", ""), None);
    assert_eq!(write("a", "windows\r\n"), None);
    assert_eq!(write(" a", "x\n"), None);
    let blocked = vec![("wait".to_owned(), PlanStatus::Blocked)];
    assert_eq!(writer().call(&Deed::Todos { items: blocked }), None);
    let path = "a".to_owned();
    let (old, new) = ("x".to_owned(), "y".to_owned());
    assert_eq!(writer().call(&Deed::Replace { path, old, new, all: false }), None);
    let items = Written::exchange(exchange("mcp:find it", &json!({"a": 1}), None, "b"));
    assert_eq!(items[0]["name"], "mcp_find_it");
}

#[test]
fn its_own_calls_too_have_names_that_the_provider_takes() {
    let call = exchange("[left out]", &json!({"a": 1}), None, "b");
    let live = vec![human("go"), entry(9, EntryBody::Exchange(Box::new(call)))];
    let mut source = Conversation { live, ..Conversation::default() };
    source.header.harness = "codex".to_owned();
    let written = Written::of(source);
    assert_eq!(written.payloads("function_call")[0]["name"], "_left_out_");
    assert_eq!(written.lost(LossKind::ToolMapped), 1);
}

#[test]
fn calls_say_what_they_do_only_where_nothing_is_left_out() {
    let codex = harness::by_name("codex").unwrap();
    let deed = |name: &str, arguments: Value| codex.deed(name, &arguments);
    assert_eq!(
        deed("shell", json!({"command": ["bash", "-lc", "ls | wc"]})),
        Some(shell("ls | wc"))
    );
    assert_eq!(deed("shell", json!({"command": ["ls", "a b"]})), Some(shell("ls 'a b'")));
    assert_eq!(deed("shell_command", json!({"command": "ls"})), Some(shell("ls")));
    let shown = json!({"cmd": "ls", "yield_time_ms": 500, "max_output_tokens": 100});
    assert_eq!(deed("exec_command", shown), Some(shell("ls")));
    assert_eq!(deed("exec_command", json!({"cmd": "ls", "tty": true})), None);
    assert_eq!(deed("shell", json!({"command": ["pwsh", "-Command", "ls"]})), None);
    assert_eq!(deed("local_shell", json!({"command": ["ls"], "env": {"A": "1"}})), None);
    assert_eq!(deed("exec_command", json!({"bad": 1})), None);
    assert_eq!(deed("write_stdin", json!({"session_id": 1, "chars": "y"})), None);
    assert_eq!(deed("update_plan", json!({"plan": [], "explanation": "why"})), None);
    let patch = |text: &str| deed("apply_patch", json!({ "input": text }));
    let one = "*** Begin Patch\n*** Update File: a\n@@\n x\n-y\n+z\n*** End Patch\n";
    let (old, new) = ("x\ny\n".to_owned(), "x\nz\n".to_owned());
    let replace = Deed::Replace { path: "a".to_owned(), old, new, all: false };
    assert_eq!(patch(one), Some(replace.clone()));
    assert_eq!(patch(&one.replace("@@", "@@ fn main()")), None);
    assert_eq!(patch(&one.replace("@@\n", "*** Move to: b\n@@\n")), None);
    assert_eq!(patch(&one.replace("+z\n", "+z\n@@\n-q\n")), None);
    assert_eq!(patch(&one.replace("+z\n", "+z\n*** Delete File: b\n")), None);
    assert_eq!(patch(&one.replace(" x\n-y\n", "")), None);
    let script = format!("apply_patch <<'EOF'\n{one}EOF\n");
    assert_eq!(deed("shell", json!({"command": ["bash", "-lc", script]})), Some(replace));
    let moved = format!("cd b && {script}");
    assert_eq!(deed("shell", json!({"command": ["bash", "-lc", moved]})), None);
}

#[test]
fn failures_are_told_in_the_words_of_the_harness() {
    let told = |name: &str, deed: Option<Deed>, status, exit_code, rejected| {
        let mut made = exchange(name, &json!({}), deed, "no such file");
        made.result.status = status;
        made.result.exit_code = exit_code;
        made.result.rejected = rejected;
        let items = Written::exchange(made);
        items[1]["output"].as_str().unwrap().to_owned()
    };
    let run = || Some(shell("ls b"));
    let failed = told("Bash", run(), Status::Error, Some(2), false);
    assert_eq!(failed, "Process exited with code 2\nOutput:\nno such file");
    let failed = told("Other", None, Status::Error, Some(2), false);
    assert_eq!(failed, "Exit code: 2\nOutput:\nno such file");
    let failed = told("Edit", None, Status::Error, None, false);
    assert_eq!(failed, "tool call error: no such file");
    let refused = told("Bash", run(), Status::Error, None, true);
    assert_eq!(refused, "exec command rejected by user\nno such file");
    let stopped = told("Bash", run(), Status::Interrupted, None, false);
    assert_eq!(stopped, "aborted\nno such file");
    assert_eq!(told("Bash", run(), Status::Ok, Some(0), false), "no such file");
    // What went well must not look like a failure.
    let fine = Written::exchange(exchange("Read", &json!({}), None, "Exit code: 3\nit says"));
    assert_eq!(fine[1]["output"], "Exit code: 0\nOutput:\nExit code: 3\nit says");
}

#[test]
fn its_own_thinking_and_opaque_summaries_stay_as_they_were() {
    let written = Written::fixture("codex/0.169.0/compaction-remote.jsonl");
    let source = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/fixtures/codex/0.169.0/compaction-remote.jsonl"
    ));
    let source = source.unwrap();
    let lines = source.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let theirs: Vec<_> = lines.filter(|line| line["type"] == "compacted").collect();
    let theirs = theirs[0]["payload"]["replacement_history"].as_array().unwrap().clone();
    let ours = written.payloads("compacted")[0]["replacement_history"].clone();
    let ours = ours.as_array().unwrap();
    assert_eq!(ours.len(), theirs.len());
    assert_eq!(ours.last(), theirs.last());
    let roles = |list: &[Value]| list.iter().map(|item| item["role"].clone()).collect::<Vec<_>>();
    assert_eq!(roles(ours), roles(&theirs));
}

#[test]
fn a_title_that_was_given_is_carried() {
    let mut source = Conversation { live: vec![human("go on")], ..Conversation::default() };
    source.header.harness = "other".to_owned();
    source.header.title = Some("go on".to_owned());
    let plain = Written::of(source.clone());
    assert!(plain.payloads("thread_name_updated").is_empty());
    assert_eq!(plain.lost(LossKind::Title), 0);
    source.header.title = Some("The great work".to_owned());
    let written = Written::of(source);
    assert_eq!(written.back().header.title.as_deref(), Some("The great work"));
    assert_eq!(written.lost(LossKind::Title), 1);
}

/// What Codex itself recorded, written again.
fn own(exchange: Exchange) -> Written {
    let call = entry(9, EntryBody::Exchange(Box::new(exchange)));
    let mut source = Conversation { live: vec![human("go"), call], ..Conversation::default() };
    source.header.harness = "codex".to_owned();
    Written::of(source)
}

#[test]
fn its_own_calls_stay_as_they_are() {
    let items = |exchange| own(exchange).payloads("response_item").split_off(1);
    let kinds = |items: &[Value]| items.iter().map(|item| item["type"].clone()).collect::<Vec<_>>();
    let patch = exchange("apply_patch", &json!({"input": "*** Begin Patch"}), None, "done");
    let patch = items(patch);
    assert_eq!(kinds(&patch), ["custom_tool_call", "custom_tool_call_output"]);
    assert_eq!(patch[0]["input"], "*** Begin Patch");
    // Even where another harness could say it in its own words.
    let run = exchange("shell", &json!({"command": ["ls"]}), Some(shell("ls")), "a");
    let run = items(run);
    assert_eq!(
        (&run[0]["name"], &run[0]["arguments"]),
        (&json!("shell"), &json!("{\"command\":[\"ls\"]}"))
    );
    let action = json!({"type": "exec", "command": ["ls"]});
    let local = items(exchange("local_shell", &action, None, "a"));
    assert_eq!(kinds(&local), ["local_shell_call", "function_call_output"]);
    assert_eq!(local[0]["action"], action);
    let mut search = exchange("web_search", &json!({"type": "search", "query": "q"}), None, "");
    search.result_id = None;
    assert_eq!(kinds(&items(search)), ["web_search_call"]);
    // The client takes none whose action has no type.
    let mut search = exchange("web_search", &json!({}), None, "");
    search.result_id = None;
    assert!(items(search)[0].get("action").is_none());
    let mut search = exchange("tool_search", &json!({"query": "q"}), None, "");
    let tools = serde_json::value::to_raw_value(&json!([{"name": "t"}])).unwrap();
    let json = std::borrow::Cow::Owned(tools);
    search.result.output = vec![Part::Other { kind: "tools".into(), json }];
    let search = items(search);
    assert_eq!(kinds(&search), ["tool_search_call", "tool_search_output"]);
    assert_eq!(search[1]["tools"], json!([{"name": "t"}]));
    let mut drawn = exchange("image_generation", &json!({"prompt": "a cat"}), None, "");
    let picture = Blob::base64("image/png".into(), "aGVsbG8=".into(), Blobs::Carried);
    drawn.result.output = vec![Part::Blob(picture)];
    let drawn = items(drawn);
    assert_eq!(kinds(&drawn), ["image_generation_call"]);
    assert_eq!(
        (&drawn[0]["revised_prompt"], &drawn[0]["result"]),
        (&json!("a cat"), &json!("aGVsbG8="))
    );
}

#[test]
fn its_own_outputs_are_sent_as_they_were_and_an_event_tells_of_a_failure() {
    for (name, event) in [("apply_patch", "patch_apply_end"), ("shell", "exec_command_end")] {
        let mut failed = exchange(name, &json!({"input": "x"}), None, "no luck");
        failed.result.status = Status::Error;
        let written = own(failed);
        assert_eq!(written.payloads("response_item")[2]["output"], "no luck");
        assert_eq!(written.payloads(event)[0]["status"], "failed");
        let back = written.back();
        let failed = back.items.iter().any(|item| {
            matches!(&item.body, segue::model::Body::ToolResult(result) if result.status == Status::Error)
        });
        assert!(failed, "{name}");
    }
}
