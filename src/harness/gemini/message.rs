//! The items of one message.

use std::borrow::Cow;

use super::action;
use super::content::{Asked, Piece, Speaker, Voice, calls, is_context, object, start};
use super::content::{CONTEXT_TAG, bare_id};
use super::parts::{arguments, misplaced, parts, reasoning, typed};
use super::read::{Begun, Promise, Reader};
use super::replay::{Entry, NONE};
use super::result::{self, Given};
use super::unread::unread;
use super::update::ACKNOWLEDGEMENT;
use super::wire::{Record, Tokens};
use crate::harness::mark::Mark;
use crate::harness::time::is_time;
use crate::model::{
    Body, Item, Message, Origin, Plan, Reasoning, Role, SideSession, Status, Text, ToolCall,
    ToolResult, Usage,
};
use crate::note::{NoteKind, Notes};

/// The message that is being read.
pub(super) struct Current<'a> {
    pub(super) entry: u32,
    pub(super) base: String,
    pub(super) line: u64,
    ts: Option<Cow<'a, str>>,
    items: Vec<Item<'a>>,
}

impl<'a> Current<'a> {
    /// Adds an item; `suffix` is empty for the message itself.
    fn add(&mut self, reader: &Reader<'_>, suffix: &str, body: Body<'a>) -> &mut Item<'a> {
        let mut item = Item::new(format!("{}{suffix}", self.base), self.line, 0, body);
        item.ts = self.ts.clone();
        let item = reader.fated(item, self.entry);
        self.items.push(item);
        let last = self.items.len() - 1;
        &mut self.items[last]
    }
}

/// Marks an item as something that the harness keeps for itself.
fn never_sent(item: &mut Item<'_>) {
    (item.live, item.dropped_by) = (false, Some("never_sent".into()));
}

/// What is told where the human broke a turn off.
pub(super) const CANCELLED: &str = "Request cancelled.";
/// How it is told that the program itself broke a turn off, and why it did.
const HALTED: &[(&str, &str)] = &[
    ("A potential loop was detected.", "a potential loop was detected"),
    ("The session has reached the maximum number of turns", "the most turns were made"),
];

impl Reader<'_> {
    /// Returns the items of a message.
    pub(super) fn message<'a>(
        &mut self,
        record: &Record<'a>,
        entry: u32,
        line: u64,
        notes: &mut Notes,
    ) -> Vec<Item<'a>> {
        let ts = record.timestamp.clone().take().filter(|text| is_time(text));
        if ts.is_none() && record.timestamp.filled().is_some() {
            notes.add(NoteKind::OddTime, "", line);
        }
        let base = self.base(entry);
        let mut current = Current { entry, base, line, ts, items: Vec::new() };
        match record.speaker() {
            Some(Speaker::User) => self.user(record, &mut current, notes),
            Some(Speaker::Model) => self.model(record, &mut current, notes),
            Some(Speaker::Notice) => self.notice(record, &mut current),
            None => {}
        }
        current.items
    }

    fn notice<'a>(&self, record: &Record<'a>, current: &mut Current<'a>) {
        let text = record.pieces().into_iter().find_map(|piece| match piece {
            Piece::Text(raw) => Text::json(raw).filter(|text| !text.is_blank()),
            _ => None,
        });
        let kind = record.kind_of_message.clone().take().unwrap_or_default();
        // The human broke the turn off.
        let start = text.as_ref().map(|text| text.start(64).into_owned()).unwrap_or_default();
        let halted = HALTED.iter().find(|(begin, _)| start.starts_with(begin));
        let (kind, text) = match halted {
            Some((_, why)) => ("interrupted".into(), Some(Text::from(*why))),
            None if start.trim() == CANCELLED => ("interrupted".into(), None),
            None => (kind, text),
        };
        never_sent(current.add(self, "", Body::Notice { kind, text }));
    }

    fn user<'a>(&mut self, record: &Record<'a>, current: &mut Current<'a>, notes: &mut Notes) {
        let pieces = record.pieces();
        let voice = self.replay.entries[current.entry as usize].voice;
        misplaced(record, &pieces, Speaker::User, current.line, notes);
        unread(record, Speaker::User, current.line, notes);
        let origin = match voice {
            Voice::Tool | Voice::Steered => return self.results(pieces, current, notes),
            Voice::Empty => return,
            Voice::Context => Origin::Harness,
            Voice::Command => Origin::Command,
            Voice::Summary => Origin::Summary,
            Voice::Noted(origin) => origin,
            Voice::Human if self.beside.is_side => Origin::Agent,
            Voice::Human => Origin::Human,
        };
        let mark = Mark::read(record.origin).filter(|mark| mark.origin.is_some());
        let (context, said): (Vec<_>, Vec<_>) = pieces.into_iter().partition(|piece| match piece {
            Piece::Text(raw) => mark.is_none() && is_context(&start(raw)),
            _ => false,
        });
        let suffix = if voice == Voice::Context { "" } else { "/context" };
        let typed = match mark {
            Some(mark) => mark.said.map(Text::from),
            None => typed(record, &said),
        };
        self.say(context, Origin::Harness, suffix, None, current, notes);
        self.say(said, origin, "", typed, current, notes);
    }

    /// Adds a message of the user's side.
    pub(super) fn say<'a>(
        &self,
        pieces: Vec<Piece<'a>>,
        origin: Origin,
        suffix: &str,
        said: Option<Text<'a>>,
        current: &mut Current<'a>,
        notes: &mut Notes,
    ) {
        let is_opening = pieces.iter().any(|piece| match piece {
            Piece::Text(raw) => start(raw).trim_start().starts_with(CONTEXT_TAG),
            _ => false,
        });
        let parts = parts(pieces, self.want.blobs, current.line, notes);
        if parts.is_empty() {
            return;
        }
        let Entry { copy_of, voice, .. } = self.replay.entries[current.entry as usize];
        let role = Role::User;
        let message = Message { parts, said, ..Message::text(role, origin, "") };
        let item = current.add(self, suffix, Body::Message(message));
        item.copy_of = (copy_of != NONE).then(|| self.base(copy_of).into());
        // A fresh context takes the place of the recorded one, word for word but for the date.
        let is_hook = origin == Origin::Harness && suffix.is_empty() && !is_opening;
        // What another harness sent as a command's is a plain message here.
        let is_noted = matches!(voice, Voice::Noted(_));
        if (origin == Origin::Command || is_hook) && !is_noted {
            never_sent(item);
        }
    }

    /// Adds what a message of results has that no other message has.
    fn results<'a>(
        &mut self,
        pieces: Vec<Piece<'a>>,
        current: &mut Current<'a>,
        notes: &mut Notes,
    ) {
        let (mut extra, mut words, mut responses) = (Vec::new(), Vec::new(), Vec::new());
        for (at, piece) in pieces.into_iter().enumerate() {
            match piece {
                Piece::Response(response) => responses.push((at, response)),
                Piece::Text(_) if !self.was_heard(&piece) => words.push(piece),
                piece => extra.push(piece),
            }
        }
        let last = responses.last().map(|(at, _)| *at);
        for (at, response) in responses {
            let name = response.name.text().to_owned();
            let id = bare_id(&response.id, &name);
            let call = self.replay.call(current.entry, id.as_deref(), at);
            let mut given = vec![Piece::Response(response)];
            if last == Some(at) {
                given.append(&mut extra);
            }
            let promise = call.and_then(|call| self.promises.remove(&call)).unwrap_or_default();
            if let Some(call) = call {
                let given =
                    Given { name: &name, status: None, ts: None, pieces: given, mark: None };
                self.result(call, given, promise, current, notes);
            } else {
                notes.add(NoteKind::OrphanResult, &name, current.line);
                let id = id.unwrap_or_else(|| format!("{}-{at}", current.base));
                let given =
                    Given { name: &name, status: None, ts: None, pieces: given, mark: None };
                let result = result::read(id.clone(), given, &[], self.want, current.line, notes);
                current.add(self, &format!("/result-{id}"), Body::ToolResult(result));
            }
        }
        self.words_beside(words, current, notes);
    }

    fn model<'a>(&mut self, record: &Record<'a>, current: &mut Current<'a>, notes: &mut Notes) {
        let state = &self.replay.entries[current.entry as usize];
        let message_id = Some(Cow::Owned(current.base.clone()));
        if let Some(text) = reasoning(record, |_| true) {
            let native = record.thoughts.filter(|_| self.want.native).map(Cow::Borrowed);
            let (text, message_id) = (text.into(), message_id.clone());
            let body = Reasoning { text, message_id, opaque: false, native };
            let item = current.add(self, "/thought", Body::Reasoning(body));
            if item.live {
                never_sent(item);
            }
        }
        let pieces = record.pieces();
        misplaced(record, &pieces, Speaker::Model, current.line, notes);
        unread(record, Speaker::Model, current.line, notes);
        let answers_summary = self.is_acknowledgement(current.entry, &pieces);
        let spoken = pieces.into_iter().filter(|piece| !matches!(piece, Piece::Response(_)));
        let parts = parts(spoken.collect(), self.want.blobs, current.line, notes);
        if !parts.is_empty() {
            let origin = if answers_summary { Origin::Harness } else { Origin::Model };
            let model = record.model.clone().take();
            let role = Role::Assistant;
            let interim = Mark::read(record.origin).is_some_and(|mark| mark.interim);
            let message =
                Message { message_id, model, parts, interim, ..Message::text(role, origin, "") };
            let item = current.add(self, "", Body::Message(message));
            let original = state.copy_of;
            item.copy_of = (original != NONE).then(|| self.base(original).into());
        }
        self.calls(record, current, notes);
    }

    fn is_acknowledgement(&self, entry: u32, pieces: &[Piece<'_>]) -> bool {
        let follows =
            self.replay.markers.iter().any(|marker| marker.summary.wrapping_add(1) == entry);
        follows && matches!(pieces, [Piece::Text(raw)] if start(raw).starts_with(ACKNOWLEDGEMENT))
    }

    fn calls<'a>(&mut self, record: &Record<'a>, current: &mut Current<'a>, notes: &mut Notes) {
        let calls = calls(record, &record.pieces());
        for (at, asked) in calls.iter().enumerate() {
            let Some(call) = self.replay.call(current.entry, asked.id.as_deref(), at) else {
                continue;
            };
            self.call(call, asked, current);
        }
        self.usage(record, current);
        for (at, asked) in calls.into_iter().enumerate() {
            let call = self.replay.call(current.entry, asked.id.as_deref(), at);
            if let Some(call) = call {
                self.outcome(call, &asked, current, notes);
            }
        }
    }

    fn call<'a>(&self, number: u32, asked: &Asked<'a>, current: &mut Current<'a>) {
        let call = &self.replay.calls[number as usize];
        let action = self.want.actions.then(|| action::of(&asked.name, asked.args)).flatten();
        let cwd = asked.mark.as_ref().and_then(|mark| mark.cwd.clone());
        let (name, kind) = (asked.name.clone(), action::kind(&asked.name));
        let mut body = ToolCall {
            message_id: Some(current.base.clone().into()),
            cwd: cwd.map(Cow::Owned),
            ..ToolCall::new(call.id.to_string(), name, kind, arguments(asked.args))
        };
        body.set_action(action);
        let is_copy = call.owner != current.entry;
        let suffix = format!("/call-{}", call.id);
        let item = current.add(self, &suffix, Body::ToolCall(body));
        if is_copy {
            item.copy_of = Some(format!("{}{suffix}", self.base(call.owner)).into());
        }
    }

    /// Adds the result of a call, if this message is the one that has it, and what follows it.
    fn outcome<'a>(
        &mut self,
        number: u32,
        asked: &Asked<'a>,
        current: &mut Current<'a>,
        notes: &mut Notes,
    ) {
        let call = &self.replay.calls[number as usize];
        let promise = Promise {
            questions: action::questions(asked.args).into_iter().map(|asked| asked.text).collect(),
            plan: action::plan(&asked.name, asked.args, asked.display),
        };
        if call.owner == current.entry && call.source != NONE && call.source != current.entry {
            self.promises.insert(number, promise);
        } else {
            let pieces = super::content::pieces(asked.result);
            self.hear(&pieces);
            // A call without any result is answered by its own message; one that was made or waited to be let
            // when the program ended, by none.
            let has_ended = call.source != NONE || call.status.is_some();
            let is_mute = pieces.is_empty() && (call.owner != current.entry || !has_ended);
            let status = call.status;
            let ts = asked.timestamp.clone().take().filter(|text| is_time(text));
            let mark = asked.mark.clone();
            let is_mute = is_mute || mark.as_ref().is_some_and(|mark| mark.no_result);
            let given = Given { name: &asked.name, status, ts, pieces, mark };
            if !is_mute {
                self.result(number, given, promise, current, notes);
            }
        }
        self.side_session(number, asked, current);
    }

    /// Adds a result where it belongs: once, and once more if only the copy is live.
    fn result<'a>(
        &mut self,
        number: u32,
        given: Given<'_, 'a>,
        promise: Promise,
        current: &mut Current<'a>,
        notes: &mut Notes,
    ) {
        let call = &self.replay.calls[number as usize];
        let source = if call.source == NONE { call.owner } else { call.source };
        let is_live = |entry: u32| self.replay.entries[entry as usize].rank > 0;
        let is_copy = source != current.entry;
        let given = Given { status: given.status.or(call.status), ..given };
        let ts = given.ts.clone();
        let id = call.id.to_string();
        let suffix = format!("/result-{id}");
        let questions = &promise.questions;
        let mut unheard = Notes::default();
        let heard = if is_copy { &mut unheard } else { notes };
        let result = result::read(id, given, questions, self.want, current.line, heard);
        if !is_copy {
            self.given.insert(number, result::digest(&result));
        } else if self.is_another(number, &result, current.entry) {
            current.add(self, &suffix, Body::ToolResult(result));
            return;
        } else if !is_live(current.entry) || is_live(source) || !self.repeated.insert(number) {
            return;
        }
        let plan = promise.plan.filter(|_| result.status == Status::Ok && !is_copy);
        let call_id = result.call_id.clone();
        let item = current.add(self, &suffix, Body::ToolResult(result));
        if ts.is_some() {
            item.ts = ts;
        }
        if is_copy {
            item.copy_of = Some(format!("{}{suffix}", self.base(source)).into());
        }
        if let Some(items) = plan {
            let plan = Plan { call_id: Some(call_id), explanation: None, items };
            current.add(self, &format!("{suffix}/plan"), Body::Plan(plan));
        }
    }

    /// Tells whether a record of its own gives a call another result than the one that was taken.
    fn is_another(&self, number: u32, result: &ToolResult<'_>, entry: u32) -> bool {
        let is_own = self.replay.entries[entry as usize].is_own();
        let taken = self.given.get(&number).filter(|_| is_own && result::is_whole(result));
        taken.is_some_and(|taken| *taken != result::digest(result))
    }

    fn side_session<'a>(&mut self, number: u32, asked: &Asked<'a>, current: &mut Current<'a>) {
        let call = &self.replay.calls[number as usize];
        let Some(agent) = asked.agent.filled().filter(|_| call.owner == current.entry) else {
            return;
        };
        let found = self.beside.lines(self.replay.facts.id(), agent);
        let (name, title) = action::agent(asked.args);
        let side = SideSession {
            id: agent.to_owned().into(),
            call_id: Some(call.id.to_string().into()),
            agent: name,
            title: title.map(Text::from),
            source: found.map(|_| format!("{agent}.jsonl")),
            lines: found,
        };
        let item = current.add(self, &format!("/side-{agent}"), Body::SideSession(side));
        (item.live, item.dropped_by) = (false, Some("side_session".into()));
        item.side_session = Some(agent.to_owned().into());
        self.begun.push(Begun { agent: agent.to_owned(), entry: current.entry });
    }

    fn usage<'a>(&self, record: &Record<'a>, current: &mut Current<'a>) {
        let Some(tokens) = object::<Tokens>(record.tokens) else { return };
        let usage = Usage {
            model: record.model.clone().take(),
            input_tokens: tokens.input,
            cached_tokens: tokens.cached,
            cache_write_tokens: None,
            output_tokens: tokens.output,
            reasoning_tokens: tokens.thoughts,
            cumulative: false,
        };
        never_sent(current.add(self, "/usage", Body::Usage(usage)));
    }
}
