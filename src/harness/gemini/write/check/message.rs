//! What has to be known of a message to tell what the harness sends of it.

use std::borrow::Cow;

use serde_json::value::RawValue;

use crate::harness::gemini::content::{Piece, Speaker, bare_id, is_command, is_context, object};
use crate::harness::gemini::content::{pieces, start};
use crate::harness::gemini::wire::{FunctionCall, FunctionResponse, Record, ToolCall};
use crate::jsonl::elements;

/// A message, as far as it matters.
pub(super) struct Known {
    pub(super) line: u64,
    /// Who wrote it; nothing for kinds that the harness does not send.
    pub(super) speaker: Option<Speaker>,
    /// Whether its text is a command to the harness, which is not sent.
    pub(super) is_command: bool,
    /// Whether the session can be resumed for it.
    pub(super) can_resume: bool,
    /// The calls that are sent with it.
    pub(super) calls: Vec<Called>,
    /// The calls that are answered by it, or right behind it.
    pub(super) answers: Vec<String>,
}

/// A call that is sent.
pub(super) struct Called {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) has_object: bool,
}

impl Known {
    pub(super) fn of(record: &Record<'_>, line: u64) -> Self {
        let pieces = record.pieces();
        let speaker = record.speaker().filter(|speaker| *speaker != Speaker::Notice);
        let mut known = Self {
            line,
            speaker,
            is_command: false,
            can_resume: false,
            calls: Vec::new(),
            answers: Vec::new(),
        };
        match speaker {
            Some(Speaker::User) => known.user(&pieces),
            Some(Speaker::Model) => known.model(record, &pieces),
            _ => {}
        }
        known
    }

    fn user(&mut self, pieces: &[Piece<'_>]) {
        let text = opening(pieces);
        self.is_command = is_command(&text);
        self.can_resume = !text.trim().is_empty() && !self.is_command && !is_context(&text);
        if self.can_resume {
            self.answers = pieces.iter().filter_map(answered).collect();
        }
    }

    fn model(&mut self, record: &Record<'_>, pieces: &[Piece<'_>]) {
        let listed: Vec<ToolCall<'_>> =
            elements(record.tool_calls).into_iter().filter_map(|raw| object(Some(raw))).collect();
        let thinks = !elements(record.thoughts).is_empty();
        self.can_resume = !opening(pieces).trim().is_empty() || !listed.is_empty() || thinks;
        // Calls in the content hide those that are listed, but not what came back for them.
        let is_whole =
            pieces.iter().any(|piece| matches!(piece, Piece::Call(_) | Piece::Thought(_)));
        self.calls = match is_whole {
            true => pieces.iter().filter_map(called).collect(),
            false => listed.iter().map(asked).collect(),
        };
        for call in &listed {
            self.answers.append(&mut results(call));
        }
    }
}

/// Returns how the text begins by which the harness tells commands and contexts.
fn opening<'a>(said: &[Piece<'a>]) -> Cow<'a, str> {
    let texts = said.iter().map(|piece| match piece {
        Piece::Text(raw) => start(raw),
        _ => Cow::Borrowed("[part]"),
    });
    texts
        .into_iter()
        .find(|text| !text.trim().is_empty())
        .map_or(Cow::Borrowed(""), |text| Cow::Owned(text.trim_start().to_owned()))
}

fn called(piece: &Piece<'_>) -> Option<Called> {
    let Piece::Call(FunctionCall { id, name, args }) = piece else { return None };
    let name = name.text().to_owned();
    let id = bare_id(id, &name).unwrap_or_default();
    Some(Called { id, name, has_object: is_object(*args) })
}

fn asked(call: &ToolCall<'_>) -> Called {
    let name = call.name.text().to_owned();
    let id = bare_id(&call.id, &name).unwrap_or_default();
    Called { id, name, has_object: is_object(call.args) }
}

fn is_object(args: Option<&RawValue>) -> bool {
    args.is_none_or(|args| args.get().starts_with('{'))
}

fn answered(piece: &Piece<'_>) -> Option<String> {
    let Piece::Response(FunctionResponse { id, name, .. }) = piece else { return None };
    Some(bare_id(id, name.text()).unwrap_or_default())
}

/// Returns the calls that the result of a call answers: what counts as nothing is not sent.
fn results(call: &ToolCall<'_>) -> Vec<String> {
    let Some(raw) = call.result else { return Vec::new() };
    match raw.get() {
        "null" | "\"\"" | "false" | "0" => Vec::new(),
        text if text.starts_with('"') => vec![asked(call).id],
        _ => pieces(Some(raw)).iter().filter_map(answered).collect(),
    }
}
