//! What the two sides said: messages, reasoning, tool calls and results.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::came::first_start;
use super::nodes::NodeKind;
use super::open::Open;
use super::part::{is_blank, says_why, tool_name};
use super::piece::{Piece, pieces};
use super::plans::Pending;
use super::read::{Place, Reader};
use super::wire::{Block, Line, Message as WireMessage, ToolUseResult, Usage as WireUsage};
use super::{action, result, said, scan, tools};
use crate::error::Result;
use crate::harness::mark::Mark;
use crate::json;
use crate::jsonl;
use crate::model::{Body, Message, Origin, Part, Reasoning, Role, Text, ToolCall, ToolKind, Usage};
use crate::note::{Fate, NoteKind, Notes};

/// Why the model stopped where it had not ended its turn.
const INTERIM: &[&str] = &["max_tokens", "pause_turn", "tool_use"];

/// Returns what the program put in place of an answer as the error that it is.
fn failed(body: Body<'_>) -> Body<'_> {
    match body {
        Body::Message(Message { model: Some(model), mut parts, .. })
            if model == scan::SYNTHETIC =>
        {
            let text = match parts.pop() {
                Some(Part::Text(text)) => Some(text),
                _ => None,
            };
            Body::Notice { kind: "error".into(), text }
        }
        body => body,
    }
}

impl Reader<'_> {
    pub(super) fn user(
        &mut self,
        line: &Line<'_>,
        place: &Place<'_>,
        notes: &mut Notes,
    ) -> Result<Fate> {
        self.shell.came_back(line);
        let Some(message) = &line.message.0 else { return Ok(Fate::Noted) };
        let pieces = pieces(message.content);
        let mut run: Vec<Part<'_>> = Vec::new();
        let mut count = 0;
        self.begin_side(line, place, message.content)?;
        for piece in &pieces {
            match piece.block.as_ref().filter(|_| piece.kind() == "tool_result") {
                Some(block) => {
                    self.words(line, place, std::mem::take(&mut run), &mut count)?;
                    self.result(line, place, block, &mut count, notes)?;
                }
                None => run.extend(self.part(piece, place, notes)),
            }
        }
        self.words(line, place, run, &mut count)?;
        if count == 0 && pieces.is_empty() {
            notes.add(NoteKind::IncompleteRecord, "user", place.number);
            return Ok(Fate::Noted);
        }
        Ok(if count == 0 { Fate::Bookkeeping } else { Fate::Used })
    }

    /// Gives the words of a user line.
    pub(super) fn words<'a>(
        &mut self,
        line: &Line<'a>,
        place: &Place<'a>,
        parts: Vec<Part<'a>>,
        count: &mut usize,
    ) -> Result<()> {
        let parts: Vec<_> = parts.into_iter().filter(|part| !is_blank(part)).collect();
        if parts.is_empty() {
            return Ok(());
        }
        let (origin, said) = authorship(line, &parts);
        let origin = self.sent_for_command(line, &parts, origin, said.as_ref());
        let origin = self.begin_turn(line, origin);
        if line.is_summary {
            self.summary(place, &parts)?;
        }
        let interrupted = origin == Origin::Harness && said::tells_stop(&first_start(&parts));
        let mut message = Message { said, ..Message::text(Role::User, origin, "") };
        message.parts = parts;
        self.give(line, place, count, Body::Message(message))?;
        if interrupted {
            let notice = Body::Notice { kind: "interrupted".into(), text: None };
            let id = format!("{}/interrupted", place.id);
            return self.aside(line, place, id, notice);
        }
        Ok(())
    }

    /// Returns whose words a line holds that follows a command of the user's own: what the command asks
    /// the model, unless a tag says that it is something else.
    fn sent_for_command(
        &mut self,
        line: &Line<'_>,
        parts: &[Part<'_>],
        origin: Origin,
        said: Option<&Text<'_>>,
    ) -> Origin {
        let ran = std::mem::take(&mut self.command);
        let follows = line.is_meta && !ran.is_empty() && line.parent.text() == ran;
        let is_command = || first_start(parts).trim_start().starts_with("<command-");
        let runs = said.is_some_and(|said| said.start(1).starts_with('/')) && is_command();
        if origin == Origin::Human && runs {
            line.uuid.text().clone_into(&mut self.command);
        }
        let is_asked = || said::origin(&first_start(parts)) == Origin::Human;
        if origin == Origin::Harness && follows && is_asked() { Origin::Command } else { origin }
    }

    /// Begins a turn with words that nothing says are another's; returns whose they are: in a side
    /// session those of the agent that began it.
    fn begin_turn(&mut self, line: &Line<'_>, origin: Origin) -> Origin {
        if origin != Origin::Human {
            return origin;
        }
        let is_side = line.is_side || self.side.is_some();
        let is_alone = self.scan.header.is_side && self.side.is_none();
        self.turn += u32::from(is_alone || !is_side);
        if is_side { Origin::Agent } else { origin }
    }

    pub(super) fn assistant(
        &mut self,
        line: &Line<'_>,
        place: &Place<'_>,
        notes: &mut Notes,
    ) -> Result<Fate> {
        let Some(message) = &line.message.0 else { return Ok(Fate::Noted) };
        let pieces = pieces(message.content);
        let mut count = 0;
        for piece in &pieces {
            let Some(body) = self.said_by_model(piece, line, place, notes) else { continue };
            let body = if line.is_api_error { failed(body) } else { body };
            self.give(line, place, &mut count, body)?;
            if let Some((call_id, plan)) = self.caught_up.take() {
                self.set_plan(line, place, call_id, plan)?;
            }
        }
        self.usage(line, place, message, notes)?;
        if pieces.is_empty() {
            notes.add(NoteKind::IncompleteRecord, "assistant", place.number);
            return Ok(Fate::Noted);
        }
        Ok(if count == 0 { Fate::Bookkeeping } else { Fate::Used })
    }

    pub(super) fn said_by_model<'a>(
        &mut self,
        piece: &Piece<'a>,
        line: &'a Line<'a>,
        place: &Place<'a>,
        notes: &mut Notes,
    ) -> Option<Body<'a>> {
        let message = line.message.0.as_ref()?;
        let message_id = message.id.clone().take();
        let Some(block) = piece.block.as_ref() else {
            return self.model_words(self.part(piece, place, notes)?, line, message);
        };
        match block.kind.text() {
            "thinking" | "redacted_thinking" => {
                let text = block.thinking.and_then(Text::json).unwrap_or_else(|| "".into());
                let opaque = block.signature.is_some() || block.thinking.is_none();
                let native = self.want.native.then(|| Cow::Borrowed(piece.raw()));
                Some(Body::Reasoning(Reasoning { text, message_id, opaque, native }))
            }
            "tool_use" | "server_tool_use" | "mcp_tool_use" => {
                Some(Body::ToolCall(self.call(block, message_id, line, place)))
            }
            kind if kind.ends_with("_tool_result") => {
                let json = block.content.unwrap_or_else(|| piece.raw());
                let part = Part::Other { kind: kind.to_owned().into(), json: Cow::Borrowed(json) };
                self.open.end(block.tool_use_id.text());
                Some(Body::ToolResult(result::result(
                    block,
                    None,
                    &ToolUseResult::default(),
                    None,
                    vec![part],
                )))
            }
            _ => self.model_words(self.part(piece, place, notes)?, line, message),
        }
    }

    pub(super) fn model_words<'a>(
        &self,
        part: Part<'a>,
        line: &Line<'_>,
        message: &WireMessage<'a>,
    ) -> Option<Body<'a>> {
        if is_blank(&part) {
            return None;
        }
        let is_made = scan::is_made(line, message);
        Some(Body::Message(Message {
            role: Role::Assistant,
            origin: if is_made { Origin::Harness } else { Origin::Model },
            message_id: message.id.clone().take(),
            model: message.model.clone().take(),
            parts: vec![part],
            said: None,
            interim: line.is_broken_off || INTERIM.contains(&message.stop_reason.text()),
            called: None,
        }))
    }

    pub(super) fn call<'a>(
        &mut self,
        block: &Block<'a>,
        message_id: Option<Cow<'a, str>>,
        line: &'a Line<'a>,
        place: &Place<'_>,
    ) -> ToolCall<'a> {
        let name = tool_name(block);
        let (kind, parent_call) = (tools::kind(&name), None);
        let arguments = arguments(block.input);
        let value = || json::from_str::<serde_json::Value>(arguments.get()).ok();
        let means = || value().and_then(|input| action::action(&name, &input));
        let action = self.want.actions.then(means).flatten();
        let prompt = match kind {
            ToolKind::Agent => value().and_then(|v| Some(hash(v.get("prompt")?.as_str()?))),
            _ => None,
        };
        let pending = (kind == ToolKind::Plan).then(|| Pending::read(&name, &arguments)).flatten();
        self.calls += 1;
        let (turn, number, prompt) = (self.turn, self.calls, prompt.unwrap_or(0));
        let is_copy = self.is_duplicate(place.node, place.index);
        let response = message_id.as_deref().map(hash).filter(|_| !is_copy);
        let mut open = Open { kind, turn, pending, number, prompt, response };
        self.catch_up(block.id.text(), &mut open);
        self.open.begin(block.id.text(), open);
        let call_id = block.id.clone().take().unwrap_or_default();
        let cwd = match kind {
            ToolKind::Shell => self.shell.before(line, arguments.get()),
            _ => None,
        };
        let plain = ToolCall::new(call_id, name, kind, arguments);
        let mut call = ToolCall { message_id, parent_call, cwd, ..plain };
        call.set_action(action);
        call
    }

    /// Gives the cost of a response at its last line.
    pub(super) fn usage(
        &mut self,
        line: &Line<'_>,
        place: &Place<'_>,
        message: &WireMessage<'_>,
        notes: &mut Notes,
    ) -> Result<()> {
        let is_grouped = place.node.is_some_and(|node| node.kind == NodeKind::Assistant);
        let response = message.id.filled().filter(|_| is_grouped);
        let is_last = response.is_none() || !self.scan.fates.followed.has(place.index);
        if is_last && says_why(message.stop_details) {
            notes.add(NoteKind::NotInForm, "stop_details", place.number);
        }
        let usage: Option<WireUsage> = jsonl::shaped(message.usage).filter(|_| is_last);
        // What no model of the provider said cost it nothing.
        let is_known = !line.is_api_error && message.model.text() != scan::SYNTHETIC;
        let Some(usage) = usage.filter(|_| is_known) else { return Ok(()) };
        let parts =
            [usage.input_tokens, usage.cache_creation_input_tokens, usage.cache_read_input_tokens];
        let body = Body::Usage(Usage {
            model: message.model.clone().take(),
            input_tokens: parts.iter().flatten().copied().reduce(u64::saturating_add),
            cached_tokens: usage.cache_read_input_tokens,
            cache_write_tokens: usage.cache_creation_input_tokens,
            output_tokens: usage.output_tokens,
            ..Usage::default()
        });
        // A response may get more lines, so that its own id is what stays.
        self.aside(line, place, format!("{}/usage", response.unwrap_or(&place.id)), body)
    }
}

/// Tells whose words the parts of a user line are, and what the human typed in them.
fn authorship<'a>(line: &Line<'_>, parts: &[Part<'a>]) -> (Origin, Option<Text<'a>>) {
    if let Some(origin) = scan::origin_of(line) {
        let said = Mark::read(line.converted_from).and_then(|mark| mark.said);
        return (origin, said.map(Text::from));
    }
    let (mut words, is_typed) = (Vec::new(), scan::is_typed(line));
    let (mut origin, mut plain, mut ran) = (None, true, None);
    for part in parts {
        let Part::Text(text) = part else { continue };
        let text = text.plain();
        let whose = said::whose(&text, is_typed);
        if whose == Origin::Human {
            let typed = said::said(&text);
            plain &= typed.is_none();
            words.push(typed.unwrap_or_else(|| text.into_owned()));
            origin = Some(whose);
        } else {
            plain = false;
            ran = ran.or_else(|| said::ran(&text));
            origin = origin.or(Some(whose));
        }
    }
    let origin = origin.unwrap_or(Origin::Human);
    if words.is_empty() {
        return (origin, ran.map(Text::from));
    }
    (origin, (!plain).then(|| Text::from(words.join("\n"))))
}

/// Returns arguments as an object, also one that stands in a text; what is none stands under
/// `input`.
fn arguments(raw: Option<&RawValue>) -> Cow<'_, RawValue> {
    let in_text = |raw: &RawValue| {
        let text = jsonl::string(raw)?;
        let is_object = json::from_str::<serde_json::Map<String, serde_json::Value>>(&text).is_ok();
        is_object.then(|| text.trim().to_owned())
    };
    let text = match raw {
        Some(raw) if raw.get().starts_with('{') => return Cow::Borrowed(raw),
        Some(raw) if raw.get() != "null" => {
            in_text(raw).unwrap_or_else(|| format!("{{\"input\":{}}}", raw.get()))
        }
        _ => "{}".to_owned(),
    };
    Cow::Owned(RawValue::from_string(text).expect("an object of a value that was parsed is JSON"))
}

pub(super) fn hash(text: &str) -> u64 {
    use std::hash::Hasher as _;
    let mut hasher = rustc_hash::FxHasher::default();
    hasher.write(text.trim().as_bytes());
    hasher.finish().max(1)
}
