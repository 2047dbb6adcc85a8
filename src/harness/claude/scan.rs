//! The first pass: which lines there are and how they hang together, without their content.

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::value::RawValue;

use super::facts::{Facts, filled};
use super::key::{self, Key};
use super::links::Links;
use super::live::{self, Fates};
use super::nodes::{Node, NodeKind, Nodes, Ties};
use super::queue::Queue;
use super::tree::{Named, Segment, Tree};
use super::wire::{Block, CompactMeta, Kind, Line, Message, Preserved};
use crate::error::Result;
use crate::harness::mark::Mark;
use crate::json;
use crate::jsonl::{self, Input};
use crate::model::{Header, Origin};
use crate::note::{Fate, NoteKind, Notes};

/// What the first pass found.
pub(super) struct Scan {
    pub header: Header,
    pub nodes: Nodes,
    /// Uuids that are none, by their key.
    pub odd: FxHashMap<Key, String>,
    pub fates: Fates,
    /// The summary of each boundary that has one.
    pub told: FxHashMap<u32, Told>,
    /// The numbers of the lines with what was typed and never sent.
    pub unsent: Vec<u64>,
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
    let links = std::mem::take(&mut found.links);
    let fates = live::fates(Tree::new(&found.nodes, links, &found.named));
    if fates.bridged > 0 {
        (0..fates.bridged).for_each(|_| notes.add(NoteKind::MissingParent, "", 0));
    }
    if !found.has_item {
        return Err(super::super::no_items(input));
    }
    let summary = found.summary_title();
    let header = std::mem::take(&mut found.facts).header(input, summary);
    let Found { nodes, odd, told, queue, .. } = found;
    Ok(Scan { header, nodes, odd, fates, told, unsent: queue.unsent() })
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
    Ok(found.facts.header(input, None))
}

/// What is collected while reading.
#[derive(Default)]
struct Found {
    /// Whether only the header is wanted, and so no nodes.
    is_brief: bool,
    nodes: Nodes,
    links: Links,
    odd: FxHashMap<Key, String>,
    named: Named<Key>,
    told: FxHashMap<u32, Told>,
    /// The last boundary, until its summary comes.
    boundary: Option<u32>,
    summaries: Vec<(Key, String)>,
    has_item: bool,
    facts: Facts,
    queue: Queue,
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
        if !self.is_brief {
            self.queue.line(line, number);
        }
        match line.kind.text() {
            "custom-title" => self.facts.custom_title = filled(line.custom_title.get()),
            "ai-title" => self.facts.ai_title = filled(line.ai_title.get()),
            "last-prompt" if !self.is_brief => {
                let leaf = line.leaf.get().map(|id| self.key(id));
                self.named.pointer = leaf.unwrap_or(self.named.pointer);
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
        let index = self.nodes.count();
        if kind == NodeKind::Boundary {
            self.boundary = Some(index);
            if !line.is_side {
                // The program begins anew there, whatever was pointed at.
                self.named.pointer = Key::default();
            }
        } else if line.is_summary {
            self.summary(message, number, index);
        }
        let other = match kind {
            NodeKind::Boundary => self.boundary(line),
            NodeKind::Result => self.key(line.call_line.text()),
            _ => 0,
        };
        let key = self.key(line.uuid.text());
        let parent = self.key(line.parent.text());
        let response = message.and_then(|message| message.id.filled()).map_or(0, key::hash);
        let time = key::when(&line.timestamp).map_or(0, |time| key::time(&time));
        let ties = Ties { parent, other, time, response };
        self.nodes.push(Node { key, kind, is_side: line.is_side }, &ties, &mut self.links);
    }

    fn boundary(&mut self, line: &Line<'_>) -> Key {
        let meta: CompactMeta<'_> = jsonl::shaped(line.compact).unwrap_or_default();
        let segment = jsonl::shaped(meta.preserved).map(|kept: Preserved<'_>| Segment {
            head: self.key(kept.head.text()),
            anchor: self.key(kept.anchor.text()),
            tail: self.key(kept.tail.text()),
        });
        self.named.segments.extend(segment);
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
        let (key, is_uuid) = key::key(id);
        if !is_uuid && key != 0 {
            self.odd.entry(key).or_insert_with(|| id.to_owned());
        }
        key
    }

    /// Reads a side session that is given by itself as a session of its own.
    fn side_alone(&mut self) {
        if self.facts.is_side() {
            self.nodes.own();
        }
    }

    /// Returns the last summary of lines that stand in the file.
    fn summary_title(&self) -> Option<String> {
        let named: FxHashSet<Key> = self.summaries.iter().map(|(leaf, _)| *leaf).collect();
        if named.is_empty() {
            return None;
        }
        let known = self.nodes.keys().iter().filter(|key| named.contains(*key));
        let known: FxHashSet<Key> = known.copied().collect();
        let summary = self.summaries.iter().rev().find(|(leaf, _)| known.contains(leaf));
        summary.map(|(_, text)| text.clone())
    }
}

/// Returns the words of a piece of content.
pub(super) fn text_of(raw: &RawValue) -> Option<String> {
    let text = match raw.get().starts_with('"') {
        true => raw,
        false => jsonl::shaped::<Block<'_>>(Some(raw))?.text?,
    };
    jsonl::string(text).map(std::borrow::Cow::into_owned)
}

/// Returns whose words a user line holds where its flags say so; its text decides otherwise.
pub(super) fn origin_of(line: &Line<'_>) -> Option<Origin> {
    if line.is_summary {
        return Some(Origin::Summary);
    }
    // What the program itself says is no human's is lifted by no mark.
    let lifts = |origin: &Origin| line.is_meta && *origin == Origin::Human;
    if let Some(origin) = Mark::read(line.converted_from).and_then(|mark| mark.origin)
        && !lifts(&origin)
    {
        return Some(origin);
    }
    let origin: Option<Kind<'_>> = jsonl::shaped(line.origin);
    match origin.as_ref().map(|origin| origin.kind.text()) {
        // Its screen does not show them as typed, but they are another agent's words.
        Some("peer") => Some(Origin::Agent),
        _ if line.is_meta => Some(Origin::Harness),
        Some("task-notification") => Some(Origin::Harness),
        _ if line.prompt_source.text() == "system" => Some(Origin::Harness),
        _ => None,
    }
}

/// Whether the program itself says of a user line that the human typed it.
pub(super) fn is_typed(line: &Line<'_>) -> bool {
    matches!(line.prompt_source.text(), "typed" | "suggestion_accepted")
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
        ("assistant", Some(m)) if is_made(line, m) => NodeKind::Synthetic,
        ("assistant", Some(_)) => NodeKind::Assistant,
        ("user", Some(m)) if has_results(m.content) => NodeKind::Result,
        ("user", Some(_)) => NodeKind::User,
        ("system", _) if line.subtype.text() == "compact_boundary" => NodeKind::Boundary,
        _ => NodeKind::Link,
    }
}

/// The model's name on lines that the harness made itself, and on those of another provider's model.
pub(super) const SYNTHETIC: &str = "<synthetic>";

/// Tells whether the harness itself put a line in place of an answer.
pub(super) fn is_made(line: &Line<'_>, message: &Message<'_>) -> bool {
    message.model.text() == SYNTHETIC && !answers_request(line)
}

/// Tells what a model said from what the harness made itself: only that answers a request.
fn answers_request(line: &Line<'_>) -> bool {
    line.request_id.filled().is_some() && !line.is_api_error
}

/// Whether a user line's content holds a tool's result.
///
/// Inside of a string the quotes would be escaped, so the plain search cannot be deceived.
pub(super) fn has_results(content: Option<&RawValue>) -> bool {
    let Some(raw) = content.filter(|raw| raw.get().starts_with('[')) else { return false };
    let has = |words: &[u8]| memchr::memmem::find(raw.get().as_bytes(), words).is_some();
    has(b"\"type\":\"tool_result\"") || has(b"\"type\": \"tool_result\"")
}
