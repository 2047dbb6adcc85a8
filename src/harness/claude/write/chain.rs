//! The chain of lines: each has the one before it as its parent.

use std::collections::HashSet;
use std::io::{self, Write};

use rustc_hash::FxHashSet;
use uuid::Uuid;

use super::super::said;
use super::block::{self, Block, Voice};
use super::line::{Body, CompactMeta, Envelope, Line, Mark, Title, UserMessage};
use crate::harness::write::Records;
use crate::harness::{Target, mark};
use crate::model::{Compaction, Conversation, Entry, EntryBody, Message, Origin, Part, Text};
use crate::note::{LossKind, Losses};

/// The version whose form the lines have.
const VERSION: &str = "2.1.330";
/// What stands before a summary.
const INTRODUCTION: &str = "This session is being continued from a previous conversation that ran \
    out of context. The summary below covers the earlier portion of the conversation.\n\nSummary:\n";
/// How every version begins it.
const BEGINNING: &str = "This session is being continued from a previous conversation";
/// What the user's side says where the model's words would come first, which the provider refuses.
const GOES_ON: &str = "The session goes on here.";

/// Writes a conversation line by line.
pub(super) struct Chain<'w> {
    pub(super) losses: Losses,
    pub(super) ids: Ids,
    /// Whether the session is the harness's own.
    pub(super) is_own: bool,
    /// Whether the harness itself recorded it, so that its results tell how they ended.
    pub(super) is_recorded: bool,
    /// The model of the response before, and before the first one the session's.
    pub(super) model: Option<String>,
    pub(super) target: &'w Target,
    /// The folders that a command need not name.
    pub(super) at_home: [String; 2],
    out: Records<'w>,
    pub(super) envelope: Envelope,
    /// The line before; nothing at the start and after what a boundary replaced.
    parent: Option<String>,
    /// The session of which it is made, until a line says so.
    source: Option<String>,
}

impl<'w> Chain<'w> {
    pub(super) fn new(
        conversation: &Conversation,
        target: &'w Target,
        is_own: bool,
        out: &'w mut dyn Write,
    ) -> Self {
        let header = &conversation.header;
        let version = header.harness_version.as_ref().filter(|_| is_own);
        let envelope = Envelope {
            is_side: false,
            agent_id: None,
            user_type: "external",
            cwd: target.cwd.clone(),
            session_id: target.id.clone(),
            version: version.map_or(VERSION, String::as_str).to_owned(),
            git_branch: header.git.branch.clone().unwrap_or_default(),
        };
        Self {
            losses: Losses::default(),
            ids: Ids::new(&target.id),
            is_own,
            is_recorded: is_own && header.converted_from.is_none(),
            model: header.model.clone(),
            target,
            at_home: [target.cwd.clone(), header.cwd.clone().unwrap_or_default()],
            out: Records::new(out),
            envelope,
            parent: None,
            source: Some(target.origin.clone()),
        }
    }

    /// Makes it the chain of a side session of `session`.
    pub(super) fn aside(mut self, session: &str, agent: &str) -> Self {
        self.envelope.is_side = true;
        self.envelope.agent_id = Some(agent.to_owned());
        session.clone_into(&mut self.envelope.session_id);
        self
    }

    /// Writes all of it.
    pub(super) fn conversation(&mut self, conversation: &Conversation) -> io::Result<()> {
        let Conversation { header, older, boundary, live, .. } = conversation;
        self.section(older, true)?;
        if let Some(Entry { body: EntryBody::Boundary(compaction), id, ts, .. }) = boundary {
            self.boundary(compaction, id, ts)?;
        }
        if !live.first().is_some_and(has_words) {
            let before = || boundary.as_ref().or(older.last()).map(|entry| &entry.ts);
            let ts = live.first().map(|entry| &entry.ts).or_else(before);
            let ts = ts.or(header.ended_at.as_ref()).map_or("1970-01-01T00:00:00.000Z", |ts| ts);
            let mark = Mark { is_meta: true, ..Mark::default() };
            self.user("start", ts, vec![block::text(GOES_ON)], (mark, None))?;
            let first = live.first().map_or("", |entry| &entry.id);
            self.losses.lose(LossKind::Opening, first);
        }
        self.section(live, false)?;
        if header.git.commit.is_some() || header.git.remote.is_some() {
            self.losses.lose(LossKind::Git, "");
        }
        let Some(title) = &header.title else { return Ok(()) };
        let session_id = &self.target.id;
        self.out.put(&Title { kind: "custom-title", title, session_id })
    }

    fn section(&mut self, entries: &[Entry], is_older: bool) -> io::Result<()> {
        let goes_on = |before: &Entry, entry: &Entry| {
            before.response > 0 && before.response == entry.response
        };
        for group in entries.chunk_by(goes_on) {
            let [entry] = group else {
                self.response(group)?;
                continue;
            };
            match &entry.body {
                EntryBody::Said(message) => self.said(message, entry)?,
                EntryBody::Summary(text) => self.summary(text, entry)?,
                EntryBody::Boundary(compaction) if is_older => {
                    self.boundary(compaction, &entry.id, &entry.ts)?;
                }
                // It would cut off what is sent.
                EntryBody::Boundary(_) => {
                    self.losses.lose_many(LossKind::Compaction, entry.items, &entry.id);
                }
                EntryBody::Notice { kind, .. } if kind == "interrupted" => self.stopped(entry)?,
                EntryBody::Notice { .. } => {
                    self.losses.lose_many(LossKind::Notice, entry.items, &entry.id);
                }
                EntryBody::Answer(_)
                | EntryBody::Reasoning(_)
                | EntryBody::Exchange(_)
                | EntryBody::Usage(_) => self.response(group)?,
            }
        }
        Ok(())
    }

    fn said(&mut self, message: &Message<'static>, entry: &Entry) -> io::Result<()> {
        let voice = Voice { is_text: false, is_own: self.is_own };
        let blocks = block::blocks(&message.parts, voice, &entry.id, &mut self.losses);
        if blocks.is_empty() {
            self.losses.lose_many(LossKind::EmptyMessage, entry.items, &entry.id);
            return Ok(());
        }
        if !message.shows_typed() {
            self.losses.lose(LossKind::Typed, &entry.id);
        }
        let words = message.plain();
        // A picture without words is read as a request.
        let told = if words.trim().is_empty() { Origin::Human } else { said::origin(&words) };
        let is_meta = match message.origin {
            Origin::Harness => told != Origin::Harness,
            // What a command of the user's own asks, and not the line of the command itself.
            Origin::Command => {
                self.is_own && told == Origin::Human && !words.trim_start().starts_with("<command-")
            }
            _ => false,
        };
        let read_as = match told {
            _ if is_meta => Origin::Harness,
            // In a side session these are the words of the agent that began it.
            Origin::Human if self.envelope.is_side => Origin::Agent,
            told => told,
        };
        let beside = mark::Mark::of_message(message, read_as, self.is_own);
        let mark = Mark { is_meta, ..Mark::default() };
        self.user(&entry.id, &entry.ts, blocks, (mark, beside))
    }

    /// Says that the user stopped the model, where that is not what the program itself has said.
    fn stopped(&mut self, entry: &Entry) -> io::Result<()> {
        if self.is_own {
            return Ok(());
        }
        let words = vec![block::text(said::STOPPED[0])];
        self.user(&entry.id, &entry.ts, words, (Mark::default(), None))
    }

    fn summary(&mut self, text: &Text<'static>, entry: &Entry) -> io::Result<()> {
        let text = text.plain();
        let is_native = self.is_own && text.starts_with(BEGINNING);
        let lead = if is_native { "" } else { INTRODUCTION };
        let words = format!("{lead}{text}");
        let mark = Mark { is_meta: false, is_summary: true, is_hidden: true };
        self.user(&entry.id, &entry.ts, vec![block::text(words)], (mark, None))
    }

    fn user(
        &mut self,
        id: &str,
        ts: &str,
        blocks: Vec<Block<'_>>,
        (mark, beside): (Mark, Option<mark::Mark>),
    ) -> io::Result<()> {
        let message = UserMessage { role: "user", content: block::content(blocks) };
        let body = Body::User { message, mark, tool_result: None, call_line: None };
        let uuid = self.ids.line(id, "user");
        self.marked(body, uuid, ts, beside)
    }

    /// Writes a boundary: the chain begins anew, and what was before is only named.
    fn boundary(&mut self, of: &Compaction<'_>, id: &str, ts: &str) -> io::Result<()> {
        let trigger = if of.trigger == "manual" { "manual" } else { "auto" };
        let compact = CompactMeta { trigger, before: of.tokens_before, after: of.tokens_after };
        let body = Body::System {
            subtype: "compact_boundary",
            content: "Conversation compacted",
            is_meta: false,
            level: "info",
            compact,
        };
        let uuid = self.ids.line(id, "boundary");
        let logical_parent = self.parent.take();
        self.put_line(body, uuid, ts, (logical_parent.as_deref(), None))
    }

    pub(super) fn line(&mut self, body: Body<'_>, uuid: String, ts: &str) -> io::Result<()> {
        self.marked(body, uuid, ts, None)
    }

    /// Writes a line with what is noted beside it.
    pub(super) fn marked(
        &mut self,
        body: Body<'_>,
        uuid: String,
        ts: &str,
        beside: Option<mark::Mark>,
    ) -> io::Result<()> {
        self.put_line(body, uuid, ts, (None, beside))
    }

    fn put_line(
        &mut self,
        body: Body<'_>,
        uuid: String,
        timestamp: &str,
        (logical_parent, mut beside): (Option<&str>, Option<mark::Mark>),
    ) -> io::Result<()> {
        // The first line says it for the whole file: no other has a place for it.
        if let Some(source) = self.source.take() {
            beside.get_or_insert_default().session = Some(source);
        }
        let parent = self.parent.as_deref();
        let envelope = &self.envelope;
        let line = Line { parent, logical_parent, envelope, body, uuid: &uuid, timestamp, beside };
        self.out.put(&line)?;
        self.parent = Some(uuid);
        Ok(())
    }
}

/// Tells whether the user's side says something in it.
fn has_words(entry: &Entry) -> bool {
    let is_text = |part: &Part<'_>| match part {
        Part::Text(text) => !text.is_blank(),
        Part::Blob(_) | Part::Other { .. } => false,
    };
    match &entry.body {
        EntryBody::Said(message) => message.parts.iter().any(is_text),
        EntryBody::Summary(_) => true,
        _ => false,
    }
}

/// Ids of lines and responses: the same for the same source and target, and each only once.
pub(super) struct Ids {
    space: Uuid,
    lines: FxHashSet<Uuid>,
    /// Names of responses that are none of ours.
    named: HashSet<String>,
}

impl Ids {
    fn new(target: &str) -> Self {
        let space = Uuid::parse_str(target);
        let space = space.unwrap_or_else(|_| Uuid::new_v5(&Uuid::NAMESPACE_OID, target.as_bytes()));
        Self { space, lines: FxHashSet::default(), named: HashSet::new() }
    }

    /// Returns the uuid of a line; `role` tells lines of one entry apart.
    pub(super) fn line(&mut self, entry: &str, role: &str) -> String {
        self.unused(entry, role).to_string()
    }

    /// Returns the id of a response: its own name if no other has it.
    pub(super) fn response(&mut self, entry: &str, own: Option<&str>) -> String {
        match own.filter(|name| !name.is_empty() && self.named.insert((*name).to_owned())) {
            Some(name) => name.to_owned(),
            None => format!("msg_{}", self.unused(entry, "response").simple()),
        }
    }

    fn unused(&mut self, entry: &str, role: &str) -> Uuid {
        let mut count = 0_u32;
        loop {
            let id = Uuid::new_v5(&self.space, format!("{entry}\0{role}\0{count}").as_bytes());
            if self.lines.insert(id) {
                return id;
            }
            count += 1;
        }
    }
}
