//! Gemini CLI: documents up to 0.38, append-only lines since.

mod action;
mod background;
mod content;
mod earlier;
mod facts;
mod links;
mod memory;
mod message;
mod order;
mod outcome;
mod parts;
mod printed;
mod project;
mod ran;
mod read;
mod replay;
mod result;
mod root;
mod shell;
mod side;
mod skill;
mod source;
mod steering;
mod unread;
mod update;
mod versions;
mod wire;
mod write;

use camino::{Utf8Path, Utf8PathBuf};
use serde_json::value::RawValue;

use super::adopt::Adopt;
use super::{Begun, ContextFile, Harness, HumanRan, Late, Lists, Shelf, Sink, Want, Writer};
use crate::error::Result;
use crate::json;
use crate::jsonl::Input;
use crate::model::{Action, Deed, End, Header, ToolKind, Unwrap};
use crate::note::{NoteKind, Notes, Tally};
use content::Class;
use order::Order;
use read::Reader;
use replay::Replay;
use side::{Beside, SideSink};
use source::Source;
use wire::Record;

/// The name that users type.
const NAME: &str = "gemini";

/// Reads sessions of Gemini CLI.
pub(super) struct Gemini;

/// How a result begins of a call that a rule or a hook did not let run.
const NOT_LET: &[&str] = &["Tool execution denied by policy", "Tool execution blocked: "];

impl Harness for Gemini {
    fn name(&self) -> &'static str {
        NAME
    }

    fn was_not_let(&self, result: &str) -> bool {
        let first = result.lines().next().unwrap_or_default();
        let is_no_tool = first.starts_with("Tool \"") && first.contains("\" not found");
        is_no_tool || NOT_LET.iter().any(|start| first.starts_with(start))
    }

    fn human_ran(&self, message: &str) -> Option<HumanRan> {
        ran::human_ran(message)
    }

    fn calls_text(&self, name: &str, arguments: &RawValue) -> Option<String> {
        skill::called(name, arguments)
    }

    fn called_text<'m>(&self, result: &'m str) -> Option<&'m str> {
        skill::text(result)
    }

    fn begun(&self, result: &str) -> Option<Begun> {
        background::begun(result)
    }

    fn runs_on(&self, result: &str) -> bool {
        background::runs_on(result)
    }

    fn late(&self, message: &str) -> Vec<Late> {
        background::late(message)
    }

    fn title(&self) -> &'static str {
        "Gemini CLI"
    }

    fn unwraps(&self) -> Unwrap {
        printed::printed
    }

    fn begins_home(&self) -> bool {
        true
    }

    fn known_as(&self) -> &'static str {
        "gemini-cli"
    }

    fn says_success(&self) -> bool {
        true
    }

    fn home(&self, var: &dyn Fn(&str) -> Option<String>) -> Option<Utf8PathBuf> {
        let set = |name| var(name).filter(|value| !value.is_empty());
        let base = set("GEMINI_CLI_HOME").or_else(|| set("HOME"))?;
        Some(Utf8PathBuf::from(base).join(".gemini"))
    }

    fn caller(&self, var: &dyn Fn(&str) -> Option<String>) -> Option<String> {
        var("GEMINI_SESSION_ID").filter(|id| !id.is_empty())
    }

    fn host_tags(&self) -> &'static [&'static str] {
        &[
            "activated_skill",
            "background_output",
            "global_context",
            "hook_context",
            "loaded_context",
            "project_context",
            "session_context",
            "state_snapshot",
            "tool_output_masked",
            "untrusted_context",
            "user_project_memory",
        ]
    }

    fn shelves(&self, home: &Utf8Path, project: Option<&Utf8Path>) -> Vec<Shelf> {
        let Some(project) = project else {
            return vec![Shelf { folder: home.join("tmp"), depth: 4 }];
        };
        let folders = project::folders_of(home, project).into_iter();
        folders.map(|folder| Shelf { folder: folder.join("chats"), depth: 2 }).collect()
    }

    fn context_file(&self) -> ContextFile {
        ContextFile { name: "GEMINI.md", instead: None, window: None }
    }

    fn reads_mentions(&self) -> bool {
        true
    }

    fn tokens_per_100(&self) -> usize {
        120
    }

    fn is_log(&self, path: &Utf8Path) -> bool {
        path.extension() == Some("jsonl")
    }

    fn folder_beside(&self, input: &Input) -> Option<String> {
        project::of(input, None)
    }

    fn filed_under(&self, path: &Utf8Path) -> Option<String> {
        project::digest_above(path)
    }

    fn digest_of(&self, folder: &Utf8Path) -> Option<String> {
        Some(project::digest(folder.as_str()))
    }

    fn may_be_session(&self, path: &Utf8Path) -> bool {
        let is_chat = |folder: Option<&Utf8Path>| {
            folder.is_some_and(|folder| folder.file_name() == Some("chats"))
        };
        let folder = path.parent();
        let is_placed = is_chat(folder) || is_chat(folder.and_then(Utf8Path::parent));
        is_placed && matches!(path.extension(), Some("json" | "jsonl"))
    }

    fn action(&self, name: &str, _kind: ToolKind, arguments: &RawValue) -> Option<Action> {
        action::of(name, Some(arguments))
    }

    fn tool_kind(&self, name: &str, _arguments: &RawValue) -> ToolKind {
        action::kind(name)
    }

    fn recognises(&self, head: &str) -> bool {
        is_ours(head)
    }

    fn header(&self, input: &Input) -> Result<Header> {
        replay::scan(&Source::open(input)?)?.facts.header(input)
    }

    fn read(&self, input: &Input, want: Want, sink: &mut dyn Sink) -> Result<End> {
        let sink = &mut Adopt::new(NAME, want.actions, sink);
        let source = Source::open(input)?;
        let replay = replay::scan(&source)?;
        sink.header(&replay.facts.header(input)?)?;
        if want.raw_lines {
            raw_lines(input, sink)?;
        }
        let mut notes = Notes::default();
        replay.facts.left_out(&mut notes);
        let beside = Beside::main(input, &replay);
        let tally = items(&source, &replay, want, &beside, sink, &mut notes)?;
        Ok(End { tally, notes: notes.list() })
    }

    fn lists(&self) -> Option<Box<dyn Lists>> {
        Some(Box::new(action::Todos))
    }

    fn deed(&self, name: &str, arguments: &serde_json::Value) -> Option<Deed> {
        write::deed(name, arguments)
    }

    fn asks_more(&self, name: &str, arguments: &serde_json::Value) -> bool {
        write::asks_more(name, arguments)
    }

    fn writer(&self) -> Option<&'static dyn Writer> {
        Some(&Gemini)
    }
}

/// Gives the physical lines ahead of all items: those of a document belong to no single one.
fn raw_lines(input: &Input, sink: &mut dyn Sink) -> Result<()> {
    let mut lines = input.lines()?;
    while let Some(line) = lines.next_line()? {
        sink.raw_line(line.number, line.bytes, line.ended)?;
    }
    Ok(())
}

/// Gives all items of a session, those of its sub-agents last.
fn items(
    source: &Source<'_>,
    replay: &Replay,
    want: Want,
    beside: &Beside,
    sink: &mut dyn Sink,
    notes: &mut Notes,
) -> Result<Tally> {
    let order = Order::new(replay, sink, want.live_only);
    let mut reader = Reader::new(replay, want, beside, order);
    let tally = source.each(notes, |line, text, notes| reader.record(line, text, notes))?;
    reader.order.finish()?;
    if want.live_only {
        return Ok(tally);
    }
    let begun = std::mem::take(&mut reader.begun);
    for begun in begun {
        let turn = reader.order.turn(begun.entry);
        let line = replay.entries[begun.entry as usize].line;
        let mut sink = SideSink { sink: reader.order.sink(), agent: &begun.agent, turn };
        if !side_items(replay.facts.id(), &begun.agent, want, beside, &mut sink)? {
            notes.add(NoteKind::MissingHistory, &begun.agent, line);
        }
    }
    Ok(tally)
}

/// Gives the items of a sub-agent's session; tells whether its file could be read.
fn side_items(
    session: &str,
    agent: &str,
    want: Want,
    beside: &Beside,
    sink: &mut dyn Sink,
) -> Result<bool> {
    let Some(path) = beside.path(session, agent) else { return Ok(false) };
    let Some(input) = Input::companion(&path) else { return Ok(false) };
    let Ok(source) = Source::open(&input) else { return Ok(false) };
    let replay = replay::scan(&source)?;
    // Notes of another file would be counted at lines of this one.
    let mut unheard = Notes::default();
    items(&source, &replay, want, &beside.inside(agent), sink, &mut unheard)?;
    Ok(true)
}

/// How many lines are looked at to recognise a file whose first ones are broken.
const FIRST_LINES: usize = 20;

fn is_ours(head: &str) -> bool {
    let (first, rest) = head.split_once('\n').unwrap_or((head, ""));
    let is_list = head.starts_with('[');
    if !is_list && json::from_str::<Record<'_>>(first).is_err() {
        let later = rest.lines().take(FIRST_LINES).any(is_our_record);
        return later || is_our_document(head);
    }
    if is_list { is_our_document(head) } else { head.lines().take(FIRST_LINES).any(is_our_record) }
}

/// Tells whether a line is a record that no other harness writes.
fn is_our_record(line: &str) -> bool {
    let line = line.trim();
    // A list would be taken for the fields in their order.
    let Ok(record) = json::from_str::<Record<'_>>(line) else { return false };
    if !line.starts_with('{') {
        return false;
    }
    match record.class(1) {
        Class::Rewind | Class::Header => true,
        Class::Update => record.set.is_some_and(|set| set.get().starts_with('{')),
        Class::Message => record.speaker().is_some() && record.id.get().is_some(),
        Class::Unknown => false,
    }
}

/// Tells a document by its keys: the head may end anywhere.
fn is_our_document(head: &str) -> bool {
    let has = |key: &str| memchr::memmem::find(head.as_bytes(), key.as_bytes()).is_some();
    if !head.starts_with(['{', '[']) || has("\"parentUuid\"") {
        return false;
    }
    let is_session = has("\"sessionId\"") && (has("\"projectHash\"") || has("\"messages\""));
    let is_log = has("\"sessionId\"") && has("\"messageId\"");
    let is_checkpoint = has("\"role\"") && has("\"parts\"");
    is_session
        || is_log
        || is_checkpoint
        || has("\"type\": \"gemini\"")
        || has("\"type\":\"gemini\"")
}
