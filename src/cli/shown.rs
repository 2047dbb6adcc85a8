//! The one way of a session's words onto the terminal: everything here is recovered text.

use crate::emit;
use crate::error::Result;
use crate::render;

/// Makes words of a session harmless: no control characters, nothing that looks like a tag of a
/// program or like a tag of ours.
pub(super) fn safe(words: &str) -> String {
    render::defused(words)
}

/// Prints `text`, whose words went through [`safe`], with a line end after it.
pub(super) fn print(text: &str) -> Result<()> {
    emit::print(format!("{}\n", text.trim_end_matches('\n')).as_bytes())
}
