//! The unified form itself, read back: what `segue export` printed, a record a line.

mod body;
mod part;
mod read;
mod wire;

use super::{Harness, Sink, Want};
use crate::error::{Error, Result};
use crate::json;
use crate::jsonl::Input;
use crate::model::{End, Header, SCHEMA};
use wire::Record;

/// Reads exported sessions, whatever harness recorded them.
pub(super) struct Unified;

impl Harness for Unified {
    fn name(&self) -> &'static str {
        "segue"
    }

    fn title(&self) -> &'static str {
        "an export of segue"
    }

    fn keeps_past(&self) -> bool {
        false
    }

    fn recognises(&self, head: &str) -> bool {
        head.lines().take(FIRST_LINES).any(is_header)
    }

    fn header(&self, input: &Input) -> Result<Header> {
        read::scan(input)
    }

    fn read(&self, input: &Input, want: Want, sink: &mut dyn Sink) -> Result<End> {
        read::session(input, want, sink)
    }
}

/// How many lines are looked at for the record that names the schema.
const FIRST_LINES: usize = 20;

fn is_header(line: &str) -> bool {
    // Most lines of other files are told from it without being read.
    line.contains(SCHEMA)
        && line.trim_start().starts_with('{')
        && json::from_str::<Record<'_>>(line.trim()).is_ok_and(|record| record.is_header())
}

/// Tells whether a file is an exported session as one document. It has messages, as sessions that are
/// documents have, and what else it holds is grouped by them.
pub(super) fn is_document(head: &str) -> bool {
    let start: String = head.chars().filter(|c| !c.is_whitespace()).take(DOCUMENT.len()).collect();
    start == DOCUMENT && head.contains(SCHEMA)
}

/// How an exported session begins that is one document.
const DOCUMENT: &str = r#"{"session":{"type":"session","#;

/// Refuses such a file.
pub(super) fn no_document(input: &Input) -> Error {
    let why = "is an exported session as one document, which cannot be read back".to_owned();
    let hint = "`segue export --to ndjson` and `--to atif` write what can, of the session that it was made of";
    Error::NotASession { path: input.shown().into(), why, hint: Some(hint.to_owned()) }
}
