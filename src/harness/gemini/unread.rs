//! What a message says where nothing reads it, so that it is told.

use serde_json::value::RawValue;

use super::content::{Speaker, object};
use super::outcome::Fields;
use super::wire::{Record, Tokens};
use crate::jsonl::elements;
use crate::note::{NoteKind, Notes};

/// The fields of a part that hold what it is, with those of each that are read.
const HELD: &[(&str, &[&str])] = &[
    ("text", &[]),
    ("functionCall", &["id", "name", "args"]),
    ("functionResponse", &["id", "name", "response", "parts"]),
    ("inlineData", &["mimeType", "data"]),
    ("fileData", &["mimeType", "fileUri"]),
];

/// Tells the fields of a message that nothing carries.
pub(super) fn unread(record: &Record<'_>, speaker: Speaker, line: u64, notes: &mut Notes) {
    let mut told = Told { line, notes };
    told.parts(record.content.or(record.parts).or(record.message), 0);
    for call in elements(record.tool_calls) {
        let call: Option<super::wire::ToolCall<'_>> = object(Some(call));
        told.parts(call.and_then(|call| call.result), 0);
    }
    if speaker == Speaker::Model {
        told.field("displayContent", record.display_content);
        let tokens = object::<Tokens>(record.tokens).unwrap_or_default();
        if tokens.tool.is_some_and(|count| count > 0) {
            told.name("tokens.tool");
        }
    }
}

/// How deep the parts of a response are looked into: they hold bytes and files, and no more responses.
const MOST_DEPTH: usize = 1;

struct Told<'n> {
    line: u64,
    notes: &'n mut Notes,
}

impl Told<'_> {
    fn name(&mut self, name: &str) {
        self.notes.add(NoteKind::NotInForm, name, self.line);
    }

    /// Tells a field, if it says anything.
    fn field(&mut self, name: &str, value: Option<&RawValue>) {
        let is_nothing =
            |raw: &RawValue| matches!(raw.get(), "null" | "false" | "\"\"" | "[]" | "{}");
        if value.is_some_and(|raw| !is_nothing(raw)) {
            self.name(name);
        }
    }

    /// Tells what parts say beside what they hold; one that holds nothing known is carried whole.
    fn parts(&mut self, raw: Option<&RawValue>, depth: usize) {
        for part in elements(raw) {
            let Fields(fields) = object(Some(part)).unwrap_or_default();
            if !fields.iter().any(|(key, value)| held(key, value).is_some()) {
                continue;
            }
            for (key, value) in fields {
                match held(&key, value) {
                    Some(known) => self.inside(value, known, depth),
                    None if key == "thought" => {}
                    None => self.field(&key, Some(value)),
                }
            }
        }
    }

    /// Tells what an object says beside the fields that are read.
    fn inside(&mut self, object_of: &RawValue, known: &[&str], depth: usize) {
        let Fields(fields) = object(Some(object_of)).unwrap_or_default();
        for (key, value) in fields {
            match key.as_ref() {
                "parts" if depth < MOST_DEPTH => self.parts(Some(value), depth + 1),
                "parts" => self.field("parts", Some(value)),
                key if known.contains(&key) => {}
                key => self.field(key, Some(value)),
            }
        }
    }
}

/// Returns the fields that are read of what a part holds, if a field is that.
fn held(key: &str, value: &RawValue) -> Option<&'static [&'static str]> {
    let (_, known) = HELD.iter().find(|(name, _)| *name == key)?;
    let shape = if key == "text" { '"' } else { '{' };
    value.get().starts_with(shape).then_some(*known)
}
