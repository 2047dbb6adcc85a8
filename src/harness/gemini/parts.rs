//! The parts of a message, and what stands in its other fields.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::content::{self, Piece, Speaker, object, start};
use super::read::first_key;
use super::replay::hash;
use super::wire::{Data, Record, Thought};
use crate::jsonl::{elements, string};
use crate::model::{Blob, Blobs, Part, Text};
use crate::note::{NoteKind, Notes};

/// Returns what the human typed, where the harness sent more than that.
pub(super) fn typed<'a>(record: &Record<'a>, said: &[Piece<'a>]) -> Option<Text<'a>> {
    const FILES: &str = "--- Content from referenced files ---";
    let texts = |pieces: &[Piece<'a>]| -> Vec<&'a RawValue> {
        let texts = pieces.iter().filter_map(|piece| match piece {
            Piece::Text(raw) => Some(*raw),
            _ => None,
        });
        texts.collect()
    };
    let shown = texts(&content::pieces(record.display_content));
    if let [only] = shown[..] {
        return Text::json(only);
    }
    if !shown.is_empty() {
        let shown = shown.into_iter().filter_map(string).collect::<Vec<_>>();
        return Some(shown.join("\n").into());
    }
    let sent = texts(said);
    let (first, rest) = sent.split_first()?;
    let is_expanded = rest.iter().any(|raw| start(raw).trim_start().starts_with(FILES));
    is_expanded.then(|| Text::json(first)).flatten()
}

/// Returns the stretches of the model's thinking as they stand in a message.
pub(super) fn thoughts<'a>(record: &Record<'a>, pieces: &[Piece<'a>]) -> Vec<&'a RawValue> {
    let mut listed = elements(record.thoughts);
    listed.retain(|raw| raw.get().starts_with('{'));
    if listed.is_empty() {
        listed.extend(pieces.iter().filter_map(|piece| match piece {
            Piece::Thought(raw) => Some(*raw),
            _ => None,
        }));
    }
    listed
}

/// Returns what can be read of the model's thinking, as far as it is in stretches that `is_meant` takes.
pub(super) fn reasoning(
    record: &Record<'_>,
    mut is_meant: impl FnMut(&RawValue) -> bool,
) -> Option<String> {
    let mut meant = thoughts(record, &record.pieces());
    meant.retain(|raw| is_meant(raw));
    let texts = meant.into_iter().filter_map(words).filter(|text| !text.trim().is_empty());
    let text = texts.collect::<Vec<_>>().join("\n\n");
    (!text.is_empty()).then_some(text)
}

/// Digests what a stretch of the model's thinking says: when it came to it is no matter.
pub(super) fn digest(raw: &RawValue) -> u64 {
    words(raw).map_or_else(|| hash(raw.get()), |words| hash(&words))
}

fn words(raw: &RawValue) -> Option<String> {
    match object(Some(raw)) {
        Some(thought) => Some(titled(&thought)),
        None => string(raw).map(Cow::into_owned),
    }
}

/// Says what of a message stands where it means nothing, so that nothing reads it: calls of the
/// user's side, results of the model's, and entries of lists that are no objects.
pub(super) fn misplaced(
    record: &Record<'_>,
    pieces: &[Piece<'_>],
    speaker: Speaker,
    line: u64,
    notes: &mut Notes,
) {
    let mut odd = |name: &str, is_odd: bool| {
        if is_odd {
            notes.add(NoteKind::IncompleteRecord, name, line);
        }
    };
    let has = |test: fn(&Piece<'_>) -> bool| pieces.iter().any(test);
    let is_plain = |raw: &&RawValue| !raw.get().starts_with('{') && raw.get() != "null";
    let has_plain = |raw| elements(raw).iter().any(is_plain);
    match speaker {
        Speaker::Model => {
            odd("functionResponse", has(|piece| matches!(piece, Piece::Response(_))));
            odd("toolCalls", has_plain(record.tool_calls));
            odd("thoughts", has_plain(record.thoughts));
        }
        Speaker::User | Speaker::Notice => {
            odd("functionCall", has(|piece| matches!(piece, Piece::Call(_))));
            odd("thought", has(|piece| matches!(piece, Piece::Thought(_))));
            odd("toolCalls", !elements(record.tool_calls).is_empty());
        }
    }
}

fn titled(thought: &Thought<'_>) -> String {
    match (thought.subject.filled(), thought.description.filled()) {
        (Some(subject), Some(words)) => format!("**{subject}** {words}"),
        (Some(subject), None) => format!("**{subject}**"),
        (None, words) => words.unwrap_or("").to_owned(),
    }
}

/// Returns pieces as parts; calls, results and thinking have items of their own.
pub(super) fn parts<'a>(
    pieces: Vec<Piece<'a>>,
    wanted: Blobs,
    line: u64,
    notes: &mut Notes,
) -> Vec<Part<'a>> {
    let parts = pieces.into_iter().filter_map(|piece| match piece {
        Piece::Text(raw) => Text::json(raw).filter(|text| !text.is_blank()).map(Part::Text),
        Piece::Data(data) => Some(Part::Blob(blob(data, wanted))),
        Piece::Other(raw) => Some(other(raw, line, notes)),
        Piece::Thought(_) | Piece::Call(_) | Piece::Response(_) => None,
    });
    parts.collect()
}

fn blob(data: Data<'_>, wanted: Blobs) -> Blob<'_> {
    let kind = data.mime_type.take().unwrap_or("application/octet-stream".into());
    match (data.data.take(), data.file_uri.take()) {
        (Some(bytes), _) => Blob::base64(kind, bytes, wanted),
        (None, address) => {
            let mut blob = Blob::address(address.unwrap_or_default(), wanted);
            blob.media_type = kind;
            blob
        }
    }
}

fn other<'a>(raw: &'a RawValue, line: u64, notes: &mut Notes) -> Part<'a> {
    let kind = first_key(raw.get());
    if !matches!(kind, "executableCode" | "codeExecutionResult") {
        notes.add(NoteKind::UnknownPart, kind, line);
    }
    Part::Other { kind: kind.into(), json: Cow::Borrowed(raw) }
}

/// Returns arguments as an object, whatever was recorded.
pub(super) fn arguments(args: Option<&RawValue>) -> Cow<'_, RawValue> {
    let made = match args {
        Some(args) if args.get().starts_with('{') => return Cow::Borrowed(args),
        Some(args) => format!("{{\"value\":{}}}", args.get()),
        None => "{}".to_owned(),
    };
    let made = RawValue::from_string(made);
    Cow::Owned(made.expect("JSON in an object is JSON"))
}
