//! What is written for Gemini CLI follows its rules, and reads back as it was.

mod check;
mod entries;
mod place;
mod tools;

use std::path::Path;

use camino::Utf8Path;
use segue::harness::{self, Target, Want, Writer};
use segue::jsonl::Input;
use segue::model::{
    Blobs, Body, Conversation, EntryBody, Item, Origin, Part, Role, Session, Status,
};
use segue::note::Losses;
use serde_json::{Map, Value};

use crate::convert::{alone as conversation, read};
use crate::corpus::{complaints, sessions};
use crate::data::folder;

const ID: &str = "0d1c6a52-7a5e-5c1b-9f7e-1c2d3e4f5a6b";

fn writer() -> &'static dyn Writer {
    harness::by_name("gemini").unwrap().writer().unwrap()
}

fn target() -> Target {
    let [id, cwd, origin] = [ID, "/home/ada/proj", "other:1"].map(str::to_owned);
    Target { id, cwd, origin, now: None }
}

/// Writes a conversation and returns the bytes, and what was lost.
fn write(conversation: &Conversation) -> (Vec<u8>, Losses) {
    let mut bytes = Vec::new();
    let losses = writer().write(conversation, &target(), &mut bytes).unwrap();
    (bytes, losses)
}

/// Writes a conversation and returns its lines.
fn lines(conversation: &Conversation) -> Vec<Value> {
    let (bytes, _) = write(conversation);
    let text = String::from_utf8(bytes).unwrap();
    assert!(text.ends_with('\n'), "the last line has no end");
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn read_back(bytes: &[u8]) -> Session {
    let want = Want { blobs: Blobs::Carried, native: true, ..Want::default() };
    let mut session = Session::default();
    let input = Input::memory("written.jsonl", bytes);
    let gemini = harness::recognise(&input).unwrap();
    assert_eq!(gemini.name(), "gemini");
    session.end = gemini.read(&input, want, &mut session).unwrap();
    session
}

/// What a model is told, in order: who, and what.
fn told(conversation: &Conversation) -> Vec<(String, String)> {
    let same = conversation.header.harness == "gemini";
    let mut told = Vec::new();
    for entry in &conversation.live {
        match &entry.body {
            EntryBody::Said(message) => {
                let is_context = message.origin == Origin::Harness;
                if !(is_context && message.plain().starts_with("<session_context>")) {
                    told.push(("user".to_owned(), texts(&message.parts, same)));
                }
            }
            EntryBody::Answer(message) => {
                told.push(("model".to_owned(), texts(&message.parts, same)));
            }
            EntryBody::Summary(text) => told.push(("summary".to_owned(), text.plain().into())),
            EntryBody::Exchange(exchange) => {
                let mapped = exchange.deed.as_ref().filter(|_| !same);
                let mapped = mapped.and_then(|deed| writer().call(deed));
                let mapped = mapped.map(|(name, args)| (name.to_owned(), args));
                let own = || (accepted(&exchange.call.name), object(exchange.call.arguments.get()));
                let (name, args) = mapped.unwrap_or_else(own);
                told.push(("call".to_owned(), called(&exchange.call.call_id, &name, &args)));
                let result = &exchange.result;
                if !exchange.never_came {
                    told.push((format!("{:?}", result.status), texts(&result.output, same)));
                }
            }
            EntryBody::Notice { .. } if !same => {
                told.push(("user".to_owned(), "[The user stopped this turn.]".to_owned()));
            }
            _ => {}
        }
    }
    gathered(told)
}

/// Returns the name that a tool has where the provider would refuse its own.
fn accepted(name: &str) -> String {
    let fine = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '_' | '-' | '.' | ':');
    let legal = name.replace(|sign| !fine(sign), "_");
    let is_start = name.starts_with(|sign: char| sign.is_ascii_alphabetic() || sign == '_');
    let legal = if is_start { legal } else { format!("_{legal}") };
    legal.chars().take(64).collect()
}

/// The same of what was read back.
fn told_back(session: &Session) -> Vec<(String, String)> {
    let mut live: Vec<_> = session.items.iter().filter(|item| item.live).collect();
    live.sort_by_key(|item| item.rank);
    let result_of = |id: &str| {
        live.iter().find_map(|item| match &item.body {
            Body::ToolResult(result) if result.call_id == id => Some(result),
            _ => None,
        })
    };
    let mut told = Vec::new();
    for item in &live {
        match &item.body {
            Body::Message(message) if message.origin == Origin::Summary => {
                let text = message.plain();
                let bare = text.strip_prefix("<state_snapshot>").unwrap();
                let bare = bare.strip_suffix("</state_snapshot>").unwrap();
                told.push(("summary".to_owned(), bare.trim().to_owned()));
            }
            Body::Message(message)
                if message.origin == Origin::Harness && message.role == Role::Assistant =>
            {
                assert!(message.plain().starts_with("Got it."), "{}", message.plain());
            }
            Body::Message(message) => {
                let who = if message.origin == Origin::Model { "model" } else { "user" };
                let text = message.plain();
                let text = text.strip_prefix("User: ").unwrap_or(&text).to_owned();
                told.push((who.to_owned(), text));
            }
            Body::ToolCall(call) => {
                let args = object(call.arguments.get());
                told.push(("call".to_owned(), called(&call.call_id, &call.name, &args)));
                let result = result_of(&call.call_id).into_iter();
                told.extend(
                    result.map(|result| {
                        (format!("{:?}", result.status), texts(&result.output, true))
                    }),
                );
            }
            _ => {}
        }
    }
    gathered(told)
}

fn object(arguments: &str) -> Map<String, Value> {
    serde_json::from_str(arguments).unwrap()
}

fn called(id: &str, name: &str, arguments: &Map<String, Value>) -> String {
    format!("{id} {name} {}", Value::Object(arguments.clone()))
}

/// Returns the texts of parts; those that only another harness knows are carried as their JSON.
fn texts(parts: &[Part<'_>], same: bool) -> String {
    let texts = parts.iter().filter_map(|part| match part {
        Part::Text(text) => Some(text.plain().into_owned()),
        Part::Other { kind, json } if !same => Some(crate::convert::foreign(kind, json.get()))
            // The lines that stand for something are left out on both sides.
            .filter(|text| !text.ends_with(": not carried over]")),
        Part::Blob(_) | Part::Other { .. } => None,
    });
    texts.filter(|text| !text.trim().is_empty()).collect::<Vec<_>>().join("\n")
}

/// Puts together what the model said in several messages of one response, and leaves out what only
/// says that there is no text, or no image.
fn gathered(told: Vec<(String, String)>) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    for (who, text) in told {
        let said = text.lines().filter(|line| !line.ends_with(": not carried over]"));
        let text = said.collect::<Vec<_>>().join("\n").trim().to_owned();
        let text = if text == "(empty)" { String::new() } else { text };
        if text.starts_with("Got it. Thanks") {
            continue;
        }
        match all.last_mut() {
            Some((last, said)) if *last == who && who == "model" => {
                said.push('\n');
                said.push_str(&text);
            }
            _ => all.push((who, text)),
        }
    }
    all
}

/// Converts a session, reads what was written, and returns what is not as it was.
fn round(path: &Path, full_history: bool) -> Vec<String> {
    let Some(session) = read(path) else { return Vec::new() };
    let converted = conversation(session, "gemini", full_history);
    let made = &converted.conversation;
    if !made.live.iter().any(|entry| speaks(&entry.body)) {
        return Vec::new();
    }
    let (bytes, losses) = write(made);
    let mut found = Vec::new();
    let back = read_back(&bytes);
    if !back.end.notes.is_empty() {
        found.push(format!("noted: {:?}", back.end.notes));
    }
    let (want, have) = (told(made), told_back(&back));
    if let Some(at) = (0..want.len().max(have.len())).find(|at| want.get(*at) != have.get(*at)) {
        found.push(format!("{at}: {:?} is now {:?}", want.get(at), have.get(at)));
    }
    found.extend(facts(made, &back, &losses));
    let errors = findings(&bytes).into_iter().filter(|rule| *rule != "kept_until");
    found.extend(errors.map(|rule| format!("the check finds {rule}")));
    found.iter().map(|what| format!("{}: {what}", path.display())).collect()
}

fn both(path: &Path) -> Vec<String> {
    [false, true].into_iter().flat_map(|full_history| round(path, full_history)).collect()
}

fn speaks(body: &EntryBody) -> bool {
    match body {
        EntryBody::Said(message) => message.origin != Origin::Harness,
        EntryBody::Answer(_) | EntryBody::Exchange(_) | EntryBody::Summary(_) => true,
        _ => false,
    }
}

/// Compares what stands beside the words: title, times, compaction, images, counts.
fn facts(made: &Conversation, back: &Session, losses: &Losses) -> Vec<String> {
    let mut found = Vec::new();
    let mut differ = |what: &str, one: String, other: String| {
        if one != other {
            found.push(format!("{what}: {one} is now {other}"));
        }
    };
    let title = made.header.title.clone().or_else(|| back.header.title.clone());
    differ("title", format!("{title:?}"), format!("{:?}", back.header.title));
    let summaries = made.live.iter().filter(|entry| matches!(entry.body, EntryBody::Summary(_)));
    let summaries = u64::from(summaries.count() > 0);
    let compactions = back.items.iter().filter(|item| matches!(item.body, Body::Compaction(_)));
    differ("compactions", summaries.to_string(), compactions.count().to_string());
    let usages = made.live.iter().filter(|entry| matches!(entry.body, EntryBody::Usage(_))).count();
    let lost = losses.list().into_iter().find(|loss| loss.kind == segue::note::LossKind::Usage);
    let usages = usages as u64 - lost.map_or(0, |loss| loss.count);
    let counted = back.items.iter().filter(|item| matches!(item.body, Body::Usage(_))).count();
    differ("usage", usages.to_string(), counted.to_string());
    differ("images", images(made).to_string(), blobs(back).to_string());
    let last = made.live.last().map(|entry| match &entry.body {
        EntryBody::Exchange(exchange) => exchange.result_ts.clone(),
        _ => entry.ts.clone(),
    });
    differ("end", format!("{last:?}"), format!("{:?}", back.header.ended_at));
    let older: u64 = made.older.iter().map(|entry| entry.items).sum();
    let lost = losses.list().into_iter();
    let lost = lost.filter(|loss| loss.kind == segue::note::LossKind::OlderHistory);
    differ("older", older.to_string(), lost.map(|loss| loss.count).sum::<u64>().to_string());
    found
}

/// How many images the harness can hold.
fn images(made: &Conversation) -> usize {
    let parts = made.live.iter().flat_map(|entry| match &entry.body {
        EntryBody::Said(message) | EntryBody::Answer(message) => message.parts.as_slice(),
        EntryBody::Exchange(exchange) => exchange.result.output.as_slice(),
        _ => &[],
    });
    let fits = |part: &&Part<'_>| match part {
        Part::Blob(blob) => {
            let whole = blob.data.as_ref().is_some_and(|data| data.len() % 4 == 0);
            whole && matches!(&*blob.media_type, "image/png" | "image/jpeg")
        }
        _ => false,
    };
    parts.filter(fits).count()
}

fn blobs(session: &Session) -> usize {
    let parts = session.items.iter().flat_map(|item| match &item.body {
        Body::Message(message) => message.parts.as_slice(),
        Body::ToolResult(result) => result.output.as_slice(),
        _ => &[],
    });
    parts.filter(|part| matches!(part, Part::Blob(_))).count()
}

/// Returns the rules by which something is wrong with a file.
fn findings(bytes: &[u8]) -> Vec<&'static str> {
    let findings = writer().check(&Input::memory("written.jsonl", bytes)).unwrap();
    findings.iter().map(|finding| finding.rule).collect()
}

#[test]
fn what_is_written_reads_back_as_it_was() {
    let fixtures = sessions(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures")));
    let wrong = complaints(&fixtures, |_, path| both(path));
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn real_sessions_read_back_as_they_were() {
    for name in ["real", "corpus"] {
        let Some(folder) = folder(name) else { return };
        let wrong = complaints(&sessions(&folder), |_, path| both(path));
        assert!(wrong.is_empty(), "{} wrong: {:#?}", wrong.len(), &wrong[..wrong.len().min(20)]);
    }
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/claude/2.1.84/parallel-tools.jsonl");
    let made = || conversation(read(Path::new(path)).unwrap(), "gemini", false).conversation;
    assert_eq!(write(&made()).0, write(&made()).0);
}

#[test]
fn a_session_at_its_place_is_found_with_its_project() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/claude/2.1.84/parallel-tools.jsonl");
    let made = conversation(read(Path::new(path)).unwrap(), "gemini", false).conversation;
    let home = tempfile::tempdir().unwrap();
    let place = writer().place(utf8(home.path()), &made, &target()).unwrap();
    std::fs::create_dir_all(place.file.parent().unwrap()).unwrap();
    std::fs::write(&place.file, write(&made).0).unwrap();
    for (file, content) in &place.beside {
        std::fs::write(file, content).unwrap();
    }
    let gemini = harness::by_name("gemini").unwrap();
    let shelves = gemini.shelves(utf8(home.path()), Some(Utf8Path::new("/home/ada/proj")));
    assert!(shelves.iter().any(|shelf| place.file.starts_with(&shelf.folder)), "{shelves:?}");
    assert!(gemini.may_be_session(&place.file));
    let header = gemini.header(&Input::file(&place.file).unwrap()).unwrap();
    assert_eq!((header.id.as_str(), header.cwd.as_deref()), (ID, Some("/home/ada/proj")));
    assert_eq!(header.title, made.header.title);
    assert_eq!(header.model, made.header.model);
    assert_eq!(header.started_at, made.header.started_at);
}

fn statuses(session: &Session) -> Vec<Status> {
    let results = session.items.iter().filter_map(|item: &Item<'_>| match &item.body {
        Body::ToolResult(result) => Some(result.status),
        _ => None,
    });
    results.collect()
}

fn utf8(path: &Path) -> &Utf8Path {
    Utf8Path::from_path(path).unwrap()
}
