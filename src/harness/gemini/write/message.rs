//! Entries to messages: what the model said in one response is one message, with its calls and what
//! came back.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io;

use serde_json::value::{RawValue, to_raw_value};

use super::form::{self, Content, Part};
use super::parts;
use super::side;
use super::tools;
use crate::harness::Target;
use crate::harness::gemini::content::SNAPSHOT_TAG;
use crate::harness::gemini::content::is_context;
use crate::harness::gemini::message::CANCELLED;
use crate::harness::gemini::update::ACKNOWLEDGEMENT;
use crate::harness::mark::Mark;
use crate::harness::write::{Records, line_id, side_id};
use crate::model::{
    Conversation, Entry, EntryBody, Exchange, Header, Message, Origin, Reasoning, Role, Side, Text,
    Usage,
};
use crate::note::{LossKind, Losses};

/// What the model is told where the user stopped it.
const STOPPED: &str = "[The user stopped this turn.]";

/// Writes the messages of a conversation.
pub(super) struct Messages<'c, 'o> {
    target: &'c Target,
    /// Whether the source is a session of the same harness.
    same: bool,
    /// Whether the file says that it is a side session's.
    is_side: bool,
    model: Option<&'c str>,
    /// Of the source.
    header: &'c Header,
    sides: &'c [Side],
    out: Records<'o>,
    losses: &'o mut Losses,
    ids: HashSet<String>,
    /// The response that is being gathered.
    open: Option<Response<'c>>,
    /// The summary that waits for its fixed answer.
    unanswered: Option<&'c Entry>,
}

/// What the model said in one go.
struct Response<'c> {
    entry: &'c Entry,
    thoughts: Vec<Box<RawValue>>,
    said: Vec<Part>,
    calls: Vec<form::ToolCall<'c>>,
    model: Option<String>,
    /// The entry too: a second one takes its place.
    tokens: Option<(form::Tokens, &'c Entry)>,
    is_interim: bool,
}

impl<'c, 'o> Messages<'c, 'o> {
    pub(super) fn new(
        conversation: &'c Conversation,
        target: &'c Target,
        is_side: bool,
        out: Records<'o>,
        losses: &'o mut Losses,
    ) -> Self {
        let header = &conversation.header;
        Self {
            target,
            same: header.harness == "gemini",
            is_side,
            model: header.model.as_deref(),
            header,
            sides: &conversation.sides,
            out,
            losses,
            ids: HashSet::new(),
            open: None,
            unanswered: None,
        }
    }

    pub(super) fn take(&mut self, entry: &'c Entry) -> io::Result<()> {
        let answers = self.unanswered.is_some();
        self.answer_summary(entry)?;
        match &entry.body {
            EntryBody::Said(message) => self.said(entry, message),
            EntryBody::Summary(text) => self.summary(entry, text),
            // The fixed answer to a summary that is not carried.
            EntryBody::Answer(message) if message.origin == Origin::Harness && !answers => {
                self.lose(LossKind::HarnessText, entry);
                Ok(())
            }
            EntryBody::Answer(message) => self.answer(entry, message),
            EntryBody::Reasoning(reasoning) => self.reasoning(entry, reasoning),
            EntryBody::Exchange(exchange) => self.exchange(entry, exchange),
            EntryBody::Usage(usage) => {
                self.usage(entry, usage);
                Ok(())
            }
            EntryBody::Notice { kind, .. } if kind == "interrupted" => self.stopped(entry),
            EntryBody::Notice { .. } => {
                self.lose(LossKind::Notice, entry);
                Ok(())
            }
            EntryBody::Boundary(_) => {
                self.lose(LossKind::Compaction, entry);
                Ok(())
            }
        }
    }

    /// Writes what is left.
    pub(super) fn finish(mut self) -> io::Result<()> {
        if let Some(entry) = self.unanswered.take() {
            self.acknowledge(entry)?;
        }
        self.flush()
    }

    fn lose(&mut self, kind: LossKind, entry: &Entry) {
        self.losses.lose_many(kind, entry.items, &entry.id);
    }

    fn said(&mut self, entry: &'c Entry, message: &Message<'c>) -> io::Result<()> {
        let is_opening = message.origin == Origin::Harness && is_context(&message.plain());
        // The harness makes its own on every start.
        if is_opening || message.role == Role::System {
            self.lose(LossKind::HarnessText, entry);
            return Ok(());
        }
        let mut said = parts::parts(&message.parts, self.same, &entry.id, self.losses);
        if said.is_empty() {
            self.lose(LossKind::EmptyMessage, entry);
            return Ok(());
        }
        let is_marked = parts::mark(&mut said, &entry.id, self.losses);
        let read_as = parts::read_as(&said, self.is_side);
        let mark = match is_marked {
            true => Some(Mark::of_words(message)),
            false => Mark::of_message(message, read_as, self.same),
        };
        self.flush()?;
        let id = self.id(&entry.id);
        let line = form::Message {
            display_content: parts::shown(message),
            mark,
            ..form::Message::of(id, &entry.ts, "user", Content::Parts(said))
        };
        self.out.put(&line)
    }

    /// Writes that the user stopped the model; what the harness shows of it is sent to nobody.
    fn stopped(&mut self, entry: &'c Entry) -> io::Result<()> {
        self.flush()?;
        if !self.same {
            let id = self.id(&entry.id);
            let content = Content::Parts(vec![Part::Text { text: STOPPED.to_owned() }]);
            let line = form::Message::of(id, &entry.ts, "user", content);
            let mark = Some(Mark::of_origin(Origin::Harness));
            self.out.put(&form::Message { mark, ..line })?;
        }
        let id = self.id(&format!("{}/shown", entry.id));
        let shown = Content::Text(CANCELLED.to_owned());
        self.out.put(&form::Message::of(id, &entry.ts, "info", shown))
    }

    /// Writes a summary as the harness writes its own, so that its next compaction merges it.
    fn summary(&mut self, entry: &'c Entry, text: &Text<'c>) -> io::Result<()> {
        self.flush()?;
        let text = text.plain();
        let is_wrapped = text.trim_start().starts_with(SNAPSHOT_TAG);
        let text = match is_wrapped {
            true => text.into_owned(),
            false => format!("{SNAPSHOT_TAG}\n{}\n</state_snapshot>", text.trim()),
        };
        let id = self.id(&entry.id);
        let content = Content::Parts(vec![Part::Text { text }]);
        self.out.put(&form::Message::of(id, &entry.ts, "user", content))?;
        self.unanswered = Some(entry);
        Ok(())
    }

    /// Writes the fixed answer to a summary, unless the source has it.
    fn answer_summary(&mut self, next: &Entry) -> io::Result<()> {
        let Some(summary) = self.unanswered.take() else { return Ok(()) };
        match &next.body {
            EntryBody::Answer(answer) if answer.plain().starts_with(ACKNOWLEDGEMENT) => Ok(()),
            _ => self.acknowledge(summary),
        }
    }

    fn acknowledge(&mut self, summary: &Entry) -> io::Result<()> {
        let id = self.id(&format!("{}/answer", summary.id));
        let content = Content::Text(ACKNOWLEDGEMENT.to_owned());
        self.out.put(&form::Message::of(id, &summary.ts, "gemini", content))
    }

    /// Returns the response that `entry` belongs to, if its message can still take what `fits` asks.
    fn response(
        &mut self,
        entry: &'c Entry,
        fits: impl Fn(&Response<'c>) -> bool,
    ) -> io::Result<&mut Response<'c>> {
        let goes_on = self.open.as_ref().is_some_and(|open| {
            entry.response > 0 && open.entry.response == entry.response && fits(open)
        });
        if !goes_on {
            self.flush()?;
        }
        Ok(self.open.get_or_insert_with(|| Response::new(entry)))
    }

    fn answer(&mut self, entry: &'c Entry, message: &Message<'c>) -> io::Result<()> {
        let said = parts::parts(&message.parts, self.same, &entry.id, self.losses);
        if said.is_empty() {
            self.lose(LossKind::EmptyMessage, entry);
            return Ok(());
        }
        // The harness sends the words of a message before its calls.
        let response = self.response(entry, |open| open.calls.is_empty())?;
        response.said.extend(said);
        response.is_interim |= message.interim;
        if let Some(model) = &message.model {
            response.model = Some(model.to_string());
        }
        Ok(())
    }

    fn reasoning(&mut self, entry: &'c Entry, reasoning: &Reasoning<'c>) -> io::Result<()> {
        if !self.same {
            self.lose(LossKind::Reasoning, entry);
            return Ok(());
        }
        let native = reasoning.native.as_deref();
        let native: Vec<Box<RawValue>> =
            native.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default();
        let thoughts = if native.is_empty() { thought(entry, &reasoning.text)? } else { native };
        // The harness sends thinking first.
        let fits = |open: &Response<'c>| open.calls.is_empty() && open.said.is_empty();
        self.response(entry, fits)?.thoughts.extend(thoughts);
        Ok(())
    }

    fn exchange(&mut self, entry: &'c Entry, exchange: &'c Exchange) -> io::Result<()> {
        let mapped = exchange.deed.as_ref().filter(|_| !self.same).and_then(tools::call);
        let own = (exchange.call.name.as_ref(), exchange.call.arguments.as_ref());
        let (name, args) = match &mapped {
            Some((name, args)) => (Cow::Borrowed(*name), to_raw_value(args)?),
            None => (tools::legal(own.0), object(own.1)?),
        };
        if name != own.0 || (mapped.is_some() && args.get() != own.1.get()) {
            self.losses.lose(LossKind::ToolMapped, &entry.id);
        }
        if mapped.is_some() && exchange.asks_more {
            self.losses.lose(LossKind::Arguments, &entry.id);
        }
        let (result, status) = parts::result(exchange, &name, self.same, self.losses);
        let mark = Mark::of_result(exchange, self.same && self.header.converted_from.is_none());
        let call = form::ToolCall {
            id: exchange.call.call_id.to_string(),
            name: name.into_owned(),
            args,
            result,
            status,
            timestamp: &exchange.result_ts,
            agent: side::begun(self.sides, &exchange.call.call_id)
                .map(|side| side_id(self.target, side)),
            mark: Mark::begun(mark, exchange, self.target, self.header),
        };
        self.response(entry, |_| true)?.calls.push(call);
        Ok(())
    }

    fn usage(&mut self, entry: &'c Entry, usage: &Usage<'c>) {
        let open = self.open.as_mut();
        let open = open.filter(|open| open.entry.response == entry.response && !usage.cumulative);
        let Some(open) = open else { return self.lose(LossKind::Usage, entry) };
        if let Some(model) = &usage.model {
            open.model = Some(model.to_string());
        }
        if usage.cache_write_tokens.is_some_and(|count| count > 0) {
            self.losses.lose(LossKind::CacheWrite, &entry.id);
        }
        let earlier = open.tokens.replace((tokens(usage, self.same), entry));
        if let Some((_, earlier)) = earlier {
            self.lose(LossKind::Usage, earlier);
        }
    }

    /// Writes the response that is gathered.
    fn flush(&mut self) -> io::Result<()> {
        let Some(response) = self.open.take() else { return Ok(()) };
        let Response { entry, thoughts, said, calls, model, tokens, is_interim } = response;
        let id = self.id(&entry.id);
        let message = form::Message {
            thoughts,
            tokens: tokens.map(|(tokens, _)| tokens),
            model: model.or_else(|| self.model.map(str::to_owned)),
            tool_calls: calls,
            mark: is_interim.then(Mark::of_interim),
            ..form::Message::of(id, &entry.ts, "gemini", parts::content(said))
        };
        self.out.put(&message)
    }

    /// Returns an id that no other line has: of two with one id the harness keeps the last.
    fn id(&mut self, entry: &str) -> String {
        let mut id = line_id(self.target, entry);
        let mut again = 0_u32;
        while !self.ids.insert(id.clone()) {
            again += 1;
            id = line_id(self.target, &format!("{entry}#{again}"));
        }
        id
    }
}

impl<'c> Response<'c> {
    fn new(entry: &'c Entry) -> Self {
        let (thoughts, said, calls) = (Vec::new(), Vec::new(), Vec::new());
        Self { entry, thoughts, said, calls, model: None, tokens: None, is_interim: false }
    }
}

fn thought(entry: &Entry, text: &Text<'_>) -> io::Result<Vec<Box<RawValue>>> {
    let description = text.plain();
    let thought = form::Thought { subject: "", description: &description, timestamp: &entry.ts };
    Ok(vec![to_raw_value(&thought)?])
}

/// Returns arguments as an object: the provider refuses anything else.
fn object(arguments: &RawValue) -> io::Result<Box<RawValue>> {
    if arguments.get().starts_with('{') {
        return Ok(arguments.to_owned());
    }
    Ok(RawValue::from_string(format!("{{\"value\":{}}}", arguments.get()))?)
}

fn tokens(usage: &Usage<'_>, same: bool) -> form::Tokens {
    let (input, output) = (usage.input_tokens.unwrap_or(0), usage.output_tokens.unwrap_or(0));
    let thoughts = usage.reasoning_tokens;
    // The harness counts thinking apart; others count it as output.
    let apart = thoughts.filter(|_| same).unwrap_or(0);
    let total = input.saturating_add(output).saturating_add(apart);
    form::Tokens { input, output, cached: usage.cached_tokens.unwrap_or(0), thoughts, total }
}
