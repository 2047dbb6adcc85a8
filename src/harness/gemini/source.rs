//! One way to go through both encodings: append-only lines, and whole documents.

use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use crate::error::Result;
use crate::jsonl::{self, Fault, Input};
use crate::note::{Fate, Notes, Tally};

/// A session file, ready to be gone through as often as needed.
pub(super) enum Source<'i> {
    /// One record a line.
    Lines(&'i Input),
    /// A document, taken apart into a header and messages; each is text on one line.
    Document { header: Option<String>, messages: Vec<String> },
}

impl<'i> Source<'i> {
    /// Looks which encoding it is; the name of the file says nothing.
    pub(super) fn open(input: &'i Input) -> Result<Self> {
        if is_lines(input)? {
            return Ok(Self::Lines(input));
        }
        Ok(split(jsonl::document(input)?))
    }

    /// Tells whether messages count only if they have an id.
    pub(super) fn needs_ids(&self) -> bool {
        matches!(self, Self::Lines(_))
    }

    /// Gives each record to `take`; the header of a document comes as line 0 and is not counted.
    pub(super) fn each(
        &self,
        notes: &mut Notes,
        mut take: impl FnMut(u64, &str, &mut Notes) -> Result<Fate, Fault>,
    ) -> Result<Tally> {
        let (header, messages) = match self {
            Self::Lines(input) => return jsonl::each_record(input, notes, take),
            Self::Document { header, messages } => (header, messages),
        };
        let mut tally = Tally::default();
        if let Some(text) = header {
            sound(take(0, text, notes))?;
        }
        for (line, text) in (1..).zip(messages) {
            tally.count(sound(take(line, text, notes))?);
        }
        Ok(tally)
    }
}

/// What was parsed once and written again cannot be broken.
fn sound(taken: Result<Fate, Fault>) -> Result<Fate> {
    match taken {
        Ok(fate) => Ok(fate),
        Err(Fault::Stop(error)) => Err(error),
        Err(Fault::Json(_)) => Ok(Fate::Noted),
    }
}

/// Tells lines from a document by the first two lines that are not blank.
fn is_lines(input: &Input) -> Result<bool> {
    let mut lines = input.lines()?;
    let mut first: Option<Vec<u8>> = None;
    while let Some(line) = lines.next_line()? {
        let text = trimmed(line.bytes);
        if text.is_empty() {
            continue;
        }
        let Some(first) = &first else {
            if text.starts_with(b"[") {
                return Ok(false);
            }
            first = Some(text.to_vec());
            continue;
        };
        return Ok(is_record(first) || is_record(text));
    }
    Ok(first.is_some_and(|only| is_record(&only) && !is_whole(&only)))
}

fn trimmed(bytes: &[u8]) -> &[u8] {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    bytes.trim_ascii()
}

fn is_record(text: &[u8]) -> bool {
    text.starts_with(b"{") && serde_json::from_slice::<IgnoredAny>(text).is_ok()
}

/// Tells whether the only line of a file holds all messages.
fn is_whole(text: &[u8]) -> bool {
    let fields = serde_json::from_slice::<std::collections::HashMap<String, IgnoredAny>>(text);
    fields.is_ok_and(|fields| fields.contains_key("messages") || fields.contains_key("history"))
}

/// Takes a document apart.
fn split(value: Value) -> Source<'static> {
    let texts = |list: Vec<Value>| list.iter().map(Value::to_string).collect();
    match value {
        Value::Object(mut fields) => {
            let messages = taken(&mut fields, "messages").or_else(|| taken(&mut fields, "history"));
            let messages = messages.map(texts).unwrap_or_default();
            Source::Document { header: Some(Value::Object(fields).to_string()), messages }
        }
        Value::Array(list) => Source::Document { header: None, messages: texts(list) },
        _ => Source::Document { header: None, messages: Vec::new() },
    }
}

fn taken(fields: &mut Map<String, Value>, key: &str) -> Option<Vec<Value>> {
    match fields.shift_remove(key)? {
        Value::Array(list) => Some(list),
        _ => None,
    }
}
