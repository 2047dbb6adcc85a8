//! The first client's form: one document with the session and its items.

use std::fmt::Write as _;

use crate::error::Result;
use crate::jsonl::{self, Input};

/// How much of a file is looked at to tell a document from lines.
const HEAD_BYTES: usize = 4096;

/// Tells by its beginning whether a file is such a document.
pub(super) fn is_document(head: &str) -> bool {
    let start = head.trim_start().strip_prefix('{').map(str::trim_start);
    let inner = start.and_then(|rest| rest.strip_prefix("\"session\"")).map(str::trim_start);
    let inner = inner.and_then(|rest| rest.strip_prefix(':')).map(str::trim_start);
    inner.is_some_and(|rest| rest.starts_with('{'))
}

/// Returns such a document in the form that came after it, one record a line; nothing if the file
/// is none.
pub(super) fn lines(input: &Input) -> Result<Option<Input>> {
    let head = input.head(HEAD_BYTES)?;
    if !is_document(String::from_utf8_lossy(&head).trim_start_matches('\u{feff}')) {
        return Ok(None);
    }
    let document = jsonl::document(input)?;
    let mut lines = format!("{}\n", document["session"]);
    for item in document["items"].as_array().into_iter().flatten().filter(|item| item.is_object()) {
        // Writing to a string does not fail.
        let _ = writeln!(lines, "{item}");
    }
    let mut plain = Input::memory(input.shown(), lines.as_bytes());
    plain.bytes = input.bytes;
    Ok(Some(plain))
}
