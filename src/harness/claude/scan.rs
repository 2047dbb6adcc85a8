//! The first pass: which lines there are and how they hang together, without their content.

use rustc_hash::FxHashMap;
use serde_json::value::RawValue;

use super::key::{Key, key, time};
use super::live::{self, Fates};
use super::said;
use super::wire::{Block, CompactMeta, ForkedFrom, Kind, Line, Message, Preserved};
use crate::error::Result;
use crate::json;
use crate::jsonl::{self, Input};
use crate::model::{Git, Header, Origin, SourceFile};
use crate::note::{Fate, NoteKind, Notes};

/// What a chain line is, as far as the tree of lines cares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeKind {
    /// A user line with words.
    User,
    /// A user line with tool results.
    Result,
    /// A line of the model's.
    Assistant,
    /// A line that the harness made in place of the model, such as an API error.
    Synthetic,
    /// A compaction boundary.
    Boundary,
    /// Anything else that links lines.
    Link,
}

/// One line with a uuid; its index is its place among all such lines of the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub key: Key,
    pub parent: Key,
    /// The line of the call that a result answers; `parent` of the history for a boundary.
    pub other: Key,
    /// Milliseconds and more, folded so that it can be compared; 0 if there is none.
    pub time: u64,
    /// The response it belongs to, 0 for none.
    pub message: u32,
    pub kind: NodeKind,
    pub is_side: bool,
}

/// Lines that survive a compaction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    pub head: Key,
    pub anchor: Key,
    pub tail: Key,
}

/// What the first pass found.
pub(super) struct Scan {
    pub header: Header,
    pub nodes: Vec<Node>,
    /// Uuids that are none, by their key.
    pub odd: FxHashMap<Key, String>,
    /// For each response the index of its last line.
    pub last_of_message: Vec<u32>,
    pub fates: Fates,
    /// The summary of each boundary that has one.
    pub told: FxHashMap<u32, Told>,
}

/// The summary of a compaction, as far as its boundary has to know it.
pub(super) struct Told {
    pub text: String,
    /// The number of its line.
    pub number: u64,
    /// The index of its line.
    pub index: u32,
}

/// Reads the first pass of `input`.
pub(super) fn scan(input: &Input, notes: &mut Notes) -> Result<Scan> {
    let mut found = Found::default();
    found.read(input)?;
    found.side_alone();
    let fates = live::fates(&found.nodes, &found.segments, found.pointer);
    if fates.bridged > 0 {
        (0..fates.bridged).for_each(|_| notes.add(NoteKind::MissingParent, "", 0));
    }
    if !found.has_item {
        return Err(super::super::no_items(input));
    }
    let header = found.header(input);
    let Found { nodes, odd, last_of_message, told, .. } = found;
    Ok(Scan { header, nodes, odd, last_of_message, fates, told })
}

/// Reads the header alone: how the lines hang together matters for it only where a summary may
/// give the title, which has to be of a line of this session.
pub(super) fn header(input: &Input) -> Result<Header> {
    let mut found = Found { is_brief: true, ..Found::default() };
    found.read(input)?;
    if !found.summaries.is_empty() {
        return Ok(scan(input, &mut Notes::default())?.header);
    }
    if !found.has_item {
        return Err(super::super::no_items(input));
    }
    Ok(found.header(input))
}

/// What is collected while reading.
#[derive(Default)]
struct Found {
    /// Whether only the header is wanted, and so no nodes.
    is_brief: bool,
    nodes: Vec<Node>,
    odd: FxHashMap<Key, String>,
    messages: FxHashMap<String, u32>,
    last_of_message: Vec<u32>,
    segments: Vec<Segment>,
    told: FxHashMap<u32, Told>,
    /// The last boundary, until its summary comes.
    boundary: Option<u32>,
    /// The line that the last pointer names as the active leaf.
    pointer: Option<Key>,
    summaries: Vec<(Key, String)>,
    has_item: bool,
    facts: Facts,
}

/// What goes into the header.
#[derive(Default)]
struct Facts {
    session_id: Option<String>,
    cwd: Option<String>,
    version: Option<String>,
    branch: Option<String>,
    first_time: Option<String>,
    last_time: Option<String>,
    custom_title: Option<String>,
    ai_title: Option<String>,
    request: Option<String>,
    model: Option<String>,
    parent: Option<String>,
    main_lines: u64,
    side_lines: u64,
    has_request: bool,
    has_answer: bool,
}

impl Found {
    fn read(&mut self, input: &Input) -> Result<()> {
        jsonl::skim(input, |number, text| {
            let line: Line<'_> = json::from_str(text)?;
            self.line(&line, number);
            Ok(Fate::Used)
        })?;
        Ok(())
    }

    fn line(&mut self, line: &Line<'_>, number: u64) {
        self.facts.envelope(line);
        match line.kind.text() {
            "custom-title" => self.facts.custom_title = filled(line.custom_title.get()),
            "ai-title" => self.facts.ai_title = filled(line.ai_title.get()),
            "last-prompt" if !self.is_brief => {
                self.pointer = line.leaf.get().map(|id| self.key(id)).or(self.pointer);
            }
            "summary" => {
                let key = self.key(line.leaf.text());
                self.summaries.extend(filled(line.summary.get()).map(|text| (key, text)));
            }
            _ => {}
        }
        if line.uuid.filled().is_some() || is_talk(line) {
            self.node(line, number);
        }
    }

    fn node(&mut self, line: &Line<'_>, number: u64) {
        let message = line.message.0.as_ref().filter(|_| is_talk(line));
        let kind = node_kind(line, message);
        if let Some(message) = message {
            self.facts.talk(line, message, kind);
        }
        self.has_item = self.has_item || is_item(line, kind, message);
        if self.is_brief {
            return;
        }
        let index = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        let group = match kind {
            NodeKind::Assistant => message.map_or(0, |m| self.message(m.id.text(), index)),
            _ => 0,
        };
        if kind == NodeKind::Boundary {
            self.boundary = Some(index);
        } else if line.is_summary {
            self.summary(message, number, index);
        }
        let other = match kind {
            NodeKind::Boundary => self.boundary(line),
            NodeKind::Result => self.key(line.call_line.text()),
            _ => 0,
        };
        let node = Node {
            key: self.key(line.uuid.text()),
            parent: self.key(line.parent.text()),
            other,
            time: time(line.timestamp.text()),
            message: group,
            kind,
            is_side: line.is_side,
        };
        self.nodes.push(node);
    }

    fn boundary(&mut self, line: &Line<'_>) -> Key {
        let meta: CompactMeta<'_> = jsonl::shaped(line.compact).unwrap_or_default();
        let segment = jsonl::shaped(meta.preserved).map(|kept: Preserved<'_>| Segment {
            head: self.key(kept.head.text()),
            anchor: self.key(kept.anchor.text()),
            tail: self.key(kept.tail.text()),
        });
        self.segments.extend(segment);
        self.key(line.logical_parent.text())
    }

    /// Keeps a summary for the boundary before it: messages that were kept may stand between them.
    fn summary(&mut self, message: Option<&Message<'_>>, number: u64, index: u32) {
        let elements = jsonl::elements(message.and_then(|message| message.content));
        let text = elements.into_iter().filter_map(text_of).find(|text| !text.trim().is_empty());
        let Some((boundary, text)) = self.boundary.zip(text) else { return };
        self.boundary = None;
        self.told.insert(boundary, Told { text, number, index });
    }

    fn key(&mut self, id: &str) -> Key {
        let (key, is_uuid) = key(id);
        if !is_uuid && key != 0 {
            self.odd.entry(key).or_insert_with(|| id.to_owned());
        }
        key
    }

    fn message(&mut self, id: &str, index: u32) -> u32 {
        if id.is_empty() {
            return 0;
        }
        if self.last_of_message.is_empty() {
            self.last_of_message.push(0);
        }
        let next = u32::try_from(self.last_of_message.len()).unwrap_or(0);
        let number = *self.messages.entry(id.to_owned()).or_insert(next);
        if number == next {
            self.last_of_message.push(index);
        }
        self.last_of_message[number as usize] = index;
        number
    }

    /// Reads a side session that is given by itself as a session of its own.
    fn side_alone(&mut self) {
        if self.facts.is_side() {
            self.nodes.iter_mut().for_each(|node| node.is_side = false);
        }
    }

    fn header(&mut self, input: &Input) -> Header {
        let facts = std::mem::take(&mut self.facts);
        // Between the ends of a file may stand what is not of a side session.
        let is_told = !facts.is_side() || input.is_whole();
        let is_side = facts.is_side() && is_told;
        let known: rustc_hash::FxHashSet<Key> = self.nodes.iter().map(|node| node.key).collect();
        let summary = self.summaries.iter().rev().find(|(leaf, _)| known.contains(leaf));
        let title = facts.custom_title.or(facts.ai_title);
        let title = title.or(summary.map(|(_, text)| text.clone()));
        let stem = input.path().and_then(|path| path.file_stem()).map(str::to_owned);
        let id = stem.filter(|stem| key(stem).1 || stem.starts_with("agent-"));

        Header {
            id: id.or_else(|| facts.session_id.clone()).unwrap_or_default(),
            harness: super::NAME.into(),
            harness_version: facts.version,
            project: facts.cwd.clone(),
            cwd: facts.cwd,
            git: Git { branch: facts.branch, ..Git::default() },
            started_at: facts.first_time,
            ended_at: facts.last_time,
            title: title.or(facts.request).and_then(|text| super::super::title_of(&text)),
            model: facts.model,
            parent: if is_side { facts.session_id } else { facts.parent },
            source: SourceFile { path: input.shown().into(), bytes: input.bytes },
            is_side,
            has_request: facts.has_request && is_told && !is_side,
            has_answer: facts.has_answer && is_told,
        }
    }
}

impl Facts {
    /// Whether nothing but a side session stands in the file.
    fn is_side(&self) -> bool {
        self.main_lines == 0 && self.side_lines > 0
    }

    fn envelope(&mut self, line: &Line<'_>) {
        keep_first(&mut self.cwd, line.cwd.filled());
        keep_last(&mut self.session_id, line.session_id.filled());
        keep_last(&mut self.version, line.version.filled());
        keep_last(&mut self.branch, line.git_branch.filled().filter(|name| *name != "HEAD"));
        let time = line.timestamp.filled().filter(|time| time.contains('T'));
        if self.first_time.as_deref().is_none_or(|first| time.is_some_and(|time| time < first)) {
            keep_last(&mut self.first_time, time);
        }
        if self.last_time.as_deref().is_none_or(|last| time.is_some_and(|time| time > last)) {
            keep_last(&mut self.last_time, time);
        }
        let forked: Option<ForkedFrom<'_>> = jsonl::shaped(line.forked_from);
        keep_first(&mut self.parent, forked.as_ref().and_then(|from| from.session_id.filled()));
    }

    fn talk(&mut self, line: &Line<'_>, message: &Message<'_>, kind: NodeKind) {
        if line.is_side {
            self.side_lines += 1;
        } else {
            self.main_lines += 1;
        }
        match kind {
            NodeKind::Assistant => {
                self.has_answer = true;
                let model = message.model.filled().filter(|name| *name != SYNTHETIC);
                keep_last(&mut self.model, model);
            }
            NodeKind::User if self.request.is_none() || !self.has_request => {
                self.request = request(line, message.content);
                self.has_request |= self.request.is_some();
            }
            _ => {}
        }
    }
}

/// Returns the human's words in a user line.
fn request(line: &Line<'_>, content: Option<&RawValue>) -> Option<String> {
    if origin_of(line) != Some(Origin::Human) && origin_of(line).is_some() {
        return None;
    }
    let words = jsonl::elements(content).into_iter().filter_map(|raw| {
        let text = text_of(raw)?;
        (said::origin(&text) == Origin::Human).then(|| said::said(&text).unwrap_or(text))
    });
    let words = words.collect::<Vec<_>>().join("\n");
    (!words.trim().is_empty()).then_some(words)
}

/// Returns the words of a piece of content.
fn text_of(raw: &RawValue) -> Option<String> {
    let block: Option<Block<'_>> = jsonl::shaped(Some(raw));
    let text = jsonl::string(raw).or_else(|| jsonl::string(block.as_ref()?.text?));
    text.map(std::borrow::Cow::into_owned)
}

/// Returns whose words a user line holds where its flags say so; its text decides otherwise.
pub(super) fn origin_of(line: &Line<'_>) -> Option<Origin> {
    if line.is_summary {
        return Some(Origin::Summary);
    }
    if line.is_meta {
        return Some(Origin::Harness);
    }
    let origin: Option<Kind<'_>> = jsonl::shaped(line.origin);
    match origin.as_ref().map(|origin| origin.kind.text()) {
        Some("task-notification") => Some(Origin::Harness),
        Some("peer") => Some(Origin::Agent),
        _ if line.prompt_source.text() == "system" => Some(Origin::Harness),
        _ => None,
    }
}

/// Whether a line is said by one side of the conversation.
pub(super) fn is_talk(line: &Line<'_>) -> bool {
    matches!(line.kind.text(), "user" | "assistant") && line.message.0.is_some()
}

/// Whether a file with such a line holds something of a session.
fn is_item(line: &Line<'_>, kind: NodeKind, message: Option<&Message<'_>>) -> bool {
    let has_content = || message.is_some_and(|m| !jsonl::elements(m.content).is_empty());
    match kind {
        NodeKind::Boundary => true,
        NodeKind::Link => false,
        _ => !line.is_meta && has_content(),
    }
}

fn node_kind(line: &Line<'_>, message: Option<&Message<'_>>) -> NodeKind {
    match (line.kind.text(), message) {
        ("assistant", Some(m)) if m.model.text() == SYNTHETIC && !answers_request(line) => {
            NodeKind::Synthetic
        }
        ("assistant", Some(_)) => NodeKind::Assistant,
        ("user", Some(m)) if has_results(m.content) => NodeKind::Result,
        ("user", Some(_)) => NodeKind::User,
        ("system", _) if line.subtype.text() == "compact_boundary" => NodeKind::Boundary,
        _ => NodeKind::Link,
    }
}

/// The model's name on lines that the harness made itself, and on those of another provider's model.
pub(super) const SYNTHETIC: &str = "<synthetic>";

/// Tells what a model said from what the harness made itself: only that answers a request.
fn answers_request(line: &Line<'_>) -> bool {
    line.request_id.filled().is_some() && !line.is_api_error
}

/// Whether a user line's content holds a tool's result.
///
/// Inside of a string the quotes would be escaped, so the plain search cannot be deceived.
fn has_results(content: Option<&RawValue>) -> bool {
    let Some(raw) = content.filter(|raw| raw.get().starts_with('[')) else { return false };
    let has = |words: &[u8]| memchr::memmem::find(raw.get().as_bytes(), words).is_some();
    has(b"\"type\":\"tool_result\"") || has(b"\"type\": \"tool_result\"")
}

fn filled(text: Option<&str>) -> Option<String> {
    text.filter(|text| !text.trim().is_empty()).map(str::to_owned)
}

fn keep_first(slot: &mut Option<String>, value: Option<&str>) {
    if slot.is_none() {
        *slot = value.map(str::to_owned);
    }
}

fn keep_last(slot: &mut Option<String>, value: Option<&str>) {
    if let Some(value) = value.filter(|value| slot.as_deref() != Some(*value)) {
        *slot = Some(value.to_owned());
    }
}
