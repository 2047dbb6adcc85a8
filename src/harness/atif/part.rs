//! The content of a step or a result.

use std::borrow::Cow;

use camino::Utf8Path;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::jsonl;
use crate::model::{Blob, Blobs, Part, Text, encode_base64};
use crate::note::{NoteKind, Notes};

/// The largest image that is read from beside a document.
const MOST_BYTES: u64 = 32 * 1024 * 1024;

/// What is needed to read content.
pub(super) struct Reading<'i> {
    /// The folder of the document, if images are to be read from there.
    pub folder: Option<&'i Utf8Path>,
    pub blobs: Blobs,
}

/// Reads a text, or a list of texts and images.
pub(super) fn parts<'a>(
    content: &'a Value,
    reading: &Reading<'_>,
    line: u64,
    notes: &mut Notes,
) -> Vec<Part<'a>> {
    match content {
        Value::String(text) if text.is_empty() => Vec::new(),
        Value::String(text) => vec![Part::Text(Text::from(text.as_str()))],
        Value::Array(list) => {
            let piece = |value: &'a Value| {
                part(value, reading, (line, notes)).unwrap_or_else(|| {
                    notes.add(NoteKind::UnknownPart, value["type"].as_str().unwrap_or(""), line);
                    other(value)
                })
            };
            list.iter().map(piece).collect()
        }
        Value::Null => Vec::new(),
        value => vec![other(value)],
    }
}

fn part<'a>(
    value: &'a Value,
    reading: &Reading<'_>,
    (line, notes): (u64, &mut Notes),
) -> Option<Part<'a>> {
    match value["type"].as_str()? {
        "text" => Some(Part::Text(Text::from(value["text"].as_str()?))),
        "image" => {
            let path = value["source"]["path"].as_str()?;
            let bytes = beside(path, reading);
            // An address on the net is no file, nor is one that holds the data itself.
            let is_file = !path.contains("://") && !path.starts_with("data:");
            if bytes.is_none() && reading.blobs == Blobs::Carried && is_file {
                notes.add(NoteKind::UnreadableCompanion, path, line);
            }
            let mut blob = match bytes {
                Some(bytes) => {
                    Blob::base64("".into(), encode_base64(&bytes).into(), Blobs::Carried)
                }
                None => Blob::address(path.into(), reading.blobs),
            };
            if let Some(media_type) = value["source"]["media_type"].as_str() {
                blob.media_type = media_type.into();
            }
            Some(Part::Blob(blob))
        }
        _ => None,
    }
}

/// Carries what is nothing of the form, as it stands.
fn other(value: &Value) -> Part<'_> {
    let kind = value["type"].as_str().unwrap_or("unknown");
    let json = RawValue::from_string(value.to_string()).expect("a value that was read is JSON");
    Part::Other { kind: Cow::Borrowed(kind), json: Cow::Owned(json) }
}

/// Returns what an image file holds that stands below the folder of the document.
fn beside(path: &str, reading: &Reading<'_>) -> Option<Vec<u8>> {
    let folder = reading.folder.filter(|_| reading.blobs == Blobs::Carried)?;
    let (length, bytes) = jsonl::companion_below(folder, path, MOST_BYTES)?;
    (length <= MOST_BYTES).then_some(bytes)
}
