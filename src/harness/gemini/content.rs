//! What a message holds, whichever way it is written down.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::steering::is_steering;
use super::wire::{self, FunctionCall, FunctionResponse, Record};
use super::{background, ran};
use crate::harness::mark::Mark;
use crate::json;
use crate::jsonl::{Lax, elements, shaped};
use crate::model::Origin;

/// The text that the harness puts before a conversation.
pub(super) const CONTEXT_TAG: &str = "<session_context>";
/// The text that hooks of the user add.
const HOOK_TAG: &str = "<hook_context>";
/// How a compaction summary begins.
pub(super) const SNAPSHOT_TAG: &str = "<state_snapshot>";
/// How a tool output begins that was taken out of the context.
pub(super) const MASK_TAG: &str = "<tool_output_masked>";

/// Who wrote a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Speaker {
    User,
    Model,
    /// The harness told the user something; never sent to the model.
    Notice,
}

impl Record<'_> {
    /// Tells who wrote it; nothing if it is no message of a known kind.
    pub(super) fn speaker(&self) -> Option<Speaker> {
        match self.kind_of_message.get().or(self.role.get())? {
            "user" => Some(Speaker::User),
            "gemini" | "model" => Some(Speaker::Model),
            "info" | "error" | "warning" => Some(Speaker::Notice),
            _ => None,
        }
    }

    /// Tells whether it is laid out as a message, whatever its kind.
    pub(super) fn is_message(&self) -> bool {
        let has_kind = self.kind_of_message.get().or(self.role.get()).is_some();
        has_kind && self.rewind_to.get().is_none() && self.set.is_none()
    }
}

impl<'a> Record<'a> {
    /// Returns the content, wherever it stands.
    pub(super) fn pieces(&self) -> Vec<Piece<'a>> {
        let raw = self.content.or(self.parts).or(self.message);
        pieces(raw)
    }
}

/// What a record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Rewind,
    Message,
    Update,
    Header,
    Unknown,
}

impl Record<'_> {
    /// Tells what a record is. The order of the questions is the harness's own.
    pub(super) fn class(&self, line: u64) -> Class {
        if self.rewind_to.get().is_some() {
            Class::Rewind
        } else if self.is_message() && self.id.get().is_some() {
            Class::Message
        } else if self.set.is_some() {
            Class::Update
        } else if line == 0 || self.session_id.get().and(self.project_hash.get()).is_some() {
            Class::Header
        } else if self.is_message() {
            Class::Message
        } else {
            Class::Unknown
        }
    }
}

/// A message with its content taken apart, which is done only once.
#[derive(Default)]
pub(super) struct Told<'a> {
    pub(super) record: Record<'a>,
    pub(super) pieces: Vec<Piece<'a>>,
}

impl<'a> From<Record<'a>> for Told<'a> {
    fn from(record: Record<'a>) -> Self {
        let pieces = record.pieces();
        Self { record, pieces }
    }
}

/// One piece of a content.
pub(super) enum Piece<'a> {
    Text(&'a RawValue),
    Thought(&'a RawValue),
    Call(FunctionCall<'a>),
    Response(FunctionResponse<'a>),
    Data(wire::Data<'a>),
    Other(&'a RawValue),
}

/// Takes a content apart: a text, a part, or a list of both.
pub(super) fn pieces(raw: Option<&RawValue>) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    for raw in elements(raw) {
        match object::<wire::Part<'_>>(Some(raw)) {
            Some(part) => piece(raw, &part, &mut pieces),
            None if raw.get().starts_with('"') => pieces.push(Piece::Text(raw)),
            None if raw.get() == "null" => {}
            None => pieces.push(Piece::Other(raw)),
        }
    }
    pieces
}

/// Adds what a part holds; words may stand beside something else.
fn piece<'a>(raw: &'a RawValue, part: &wire::Part<'a>, pieces: &mut Vec<Piece<'a>>) {
    let text = part.text.filter(|text| text.get().starts_with('"'));
    let is_thought = part.thought;
    pieces.extend(text.map(|text| match is_thought {
        true => Piece::Thought(text),
        false => Piece::Text(text),
    }));
    let (call, response) = (object(part.function_call), object(part.function_response));
    let data = [object(part.inline_data), object(part.file_data)];
    let is_known = call.is_some() || response.is_some() || data.iter().any(Option::is_some);
    pieces.extend(call.map(Piece::Call));
    pieces.extend(response.map(Piece::Response));
    pieces.extend(data.into_iter().flatten().map(Piece::Data));
    if text.is_none() && !is_known {
        pieces.push(Piece::Other(raw));
    }
}

/// Reads `raw` as `T` if it is an object; a list would else be taken for its fields in order.
pub(super) fn object<'a, T: serde::Deserialize<'a>>(raw: Option<&'a RawValue>) -> Option<T> {
    shaped(raw.filter(|raw| raw.get().starts_with('{')))
}

/// A tool call, from either place where calls are written down.
pub(super) struct Asked<'a> {
    /// The id as the model's interface has it; nothing if none was recorded.
    pub(super) id: Option<String>,
    pub(super) name: Cow<'a, str>,
    pub(super) args: Option<&'a RawValue>,
    pub(super) result: Option<&'a RawValue>,
    pub(super) status: Lax<'a>,
    pub(super) timestamp: Lax<'a>,
    pub(super) agent: Lax<'a>,
    pub(super) display: Option<&'a RawValue>,
    /// What this program noted of the result.
    pub(super) mark: Option<Mark>,
}

/// Returns the calls of a message: those with results first, then such as only the content has.
pub(super) fn calls<'a>(record: &Record<'a>, pieces: &[Piece<'a>]) -> Vec<Asked<'a>> {
    let mut calls: Vec<_> = listed(record.tool_calls).into_iter().map(listed_call).collect();
    let known = calls.len();
    for piece in pieces {
        let Piece::Call(call) = piece else { continue };
        let call = plain_call(call.clone());
        let is_known = calls[..known].iter().any(|other| match &call.id {
            Some(id) => other.id.as_ref() == Some(id),
            None => other.name == call.name,
        });
        if !is_known {
            calls.push(call);
        }
    }
    calls
}

/// Reads all calls in one go, or one by one where one of them is odd.
fn listed(raw: Option<&RawValue>) -> Vec<wire::ToolCall<'_>> {
    let all = raw.and_then(|raw| json::from_str(raw.get()).ok());
    let one_by_one =
        || elements(raw).into_iter().filter_map(|raw| object(Some(raw))).collect::<Vec<_>>();
    all.unwrap_or_else(one_by_one)
}

fn listed_call(call: wire::ToolCall<'_>) -> Asked<'_> {
    let name = call.name.take().unwrap_or_default();
    Asked {
        id: bare_id(&call.id, &name),
        name,
        args: call.args,
        result: call.result,
        status: call.status,
        timestamp: call.timestamp,
        agent: call.agent_id,
        display: call.result_display,
        mark: Mark::read(call.origin),
    }
}

fn plain_call(call: FunctionCall<'_>) -> Asked<'_> {
    let name = call.name.take().unwrap_or_default();
    Asked {
        id: bare_id(&call.id, &name),
        name,
        args: call.args,
        result: None,
        status: Lax::default(),
        timestamp: Lax::default(),
        agent: Lax::default(),
        display: None,
        mark: None,
    }
}

/// Returns the id without the tool's name, which newer versions put before it.
pub(super) fn bare_id(id: &Lax<'_>, name: &str) -> Option<String> {
    let id = id.filled()?;
    let bare = id.strip_prefix(name).and_then(|rest| rest.strip_prefix("__"));
    Some(bare.filter(|bare| !bare.is_empty()).unwrap_or(id).to_owned())
}

/// Tells whether the harness put a text there by itself.
pub(super) fn is_context(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with(CONTEXT_TAG) || text.starts_with(HOOK_TAG)
}

/// Tells whether a text is a command to the harness, which it never sends on resume.
pub(super) fn is_command(text: &str) -> bool {
    text.trim_start().starts_with(['/', '?'])
}

/// Returns the start of a text, enough to look for a tag.
pub(super) fn start(raw: &RawValue) -> Cow<'_, str> {
    match crate::model::Text::json(raw) {
        Some(text) => Cow::Owned(text.start(64).into_owned()),
        None => Cow::Borrowed(""),
    }
}

/// What a message of the user's side really is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Voice {
    /// Somebody wrote it.
    Human,
    /// A command to the harness.
    Command,
    /// Only text that the harness put there.
    Context,
    /// Results of tools.
    Tool,
    /// Results of tools, and what the human typed while they ran.
    Steered,
    /// The summary of a compaction.
    Summary,
    /// Words that no human wrote: of another session, as is noted beside them, or of the program by their form.
    Noted(Origin),
    Empty,
}

impl Told<'_> {
    /// Tells what a message of the user's side really is.
    pub(super) fn voice(&self) -> Voice {
        let mark = Mark::read(self.record.origin);
        match (voice(&self.pieces), mark.and_then(|mark| mark.origin)) {
            (voice @ (Voice::Tool | Voice::Steered | Voice::Empty), _) | (voice, None) => voice,
            (_, Some(Origin::Human)) => Voice::Human,
            (_, Some(origin)) => Voice::Noted(origin),
        }
    }
}

/// What the harness sends by itself in the user's name: after a broken answer, and where the model
/// is to speak next.
const NUDGES: &[&str] = &["System: Please continue.", "Please continue."];
/// How it begins where it stops a model that goes round in a circle.
const LOOP_NUDGE: &str = "System: Potential loop detected. ";

/// Whether a text that begins so is one that the harness sends by itself.
fn is_told(start: &str) -> bool {
    NUDGES.contains(&start.trim_end())
        || start.starts_with(LOOP_NUDGE)
        || background::tells_of_end(start)
}

/// Tells by its text what a message of the user's side is.
fn voice(pieces: &[Piece<'_>]) -> Voice {
    let (mut context, mut data) = (false, false);
    if pieces.iter().any(|piece| matches!(piece, Piece::Response(_))) {
        let is_steered = pieces.iter().any(is_steering);
        return if is_steered { Voice::Steered } else { Voice::Tool };
    }
    for piece in pieces {
        match piece {
            Piece::Text(raw) => match start(raw).trim_start() {
                "" => {}
                text if is_context(text) => context = true,
                text if text.starts_with(SNAPSHOT_TAG) => return Voice::Summary,
                text if is_command(text) => return Voice::Command,
                text if is_told(text) && pieces.len() == 1 => {
                    return Voice::Noted(Origin::Harness);
                }
                text if ran::tells_of_one(text) && pieces.len() == 1 => {
                    return Voice::Noted(Origin::Command);
                }
                _ => return Voice::Human,
            },
            Piece::Data(_) | Piece::Other(_) => data = true,
            Piece::Thought(_) | Piece::Call(_) | Piece::Response(_) => {}
        }
    }
    match (data, context) {
        (true, _) => Voice::Human,
        (false, true) => Voice::Context,
        (false, false) => Voice::Empty,
    }
}
