//! A message as lines, and these as sentences.

use std::ops::Range;

use crate::derive::{text, words};

/// A sentence of more characters is cut into parts of about so many.
const PART_CHARS: usize = 200;
/// However long a word is, a part of a sentence has no more characters.
const MOST_PART_CHARS: usize = 240;
/// A heading, or a bold line, of fewer characters is told whole.
const HEADING_CHARS: usize = 120;

/// A line that is not blank.
pub(super) struct Line {
    /// Its sentences, or parts of long ones; the first has the indentation.
    pub(super) parts: Vec<Range<usize>>,
    pub(super) kind: LineKind,
    /// Whether blank lines stand before it.
    pub(super) is_apart: bool,
}

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineKind {
    Prose,
    /// It says little alone.
    Heading,
    Row,
    /// Code, and what stands around it, or between the head of a table and its rows.
    Code,
}

impl LineKind {
    fn of(bare: &str, is_code: bool) -> Self {
        let is_rule = |c: char| "|-=: *_".contains(c);
        match bare {
            _ if is_code || bare.chars().all(is_rule) => Self::Code,
            _ if bare.starts_with('|') => Self::Row,
            _ if is_heading(bare) => Self::Heading,
            _ => Self::Prose,
        }
    }
}

/// Whether a line is a heading: `#12 is merged` speaks of a page.
fn is_heading(bare: &str) -> bool {
    let words = bare.trim_start_matches('#');
    words.len() < bare.len() && !words.starts_with(|c: char| c.is_ascii_digit())
}

pub(super) fn lines(message: &str) -> Vec<Line> {
    let (mut lines, mut at, mut is_code, mut is_apart) = (Vec::new(), 0, text::fenced(), false);
    for row in message.split_inclusive('\n') {
        let from = at;
        at += row.len();
        let bare = row.trim();
        if bare.is_empty() {
            is_apart = true;
            continue;
        }
        let kind = LineKind::of(bare, is_code(bare));
        lines.push(Line { parts: parts(row.trim_end(), from), kind, is_apart });
        is_apart = false;
    }
    lines
}

/// Returns the sentences of a row that begins at `from`, long ones cut between words.
fn parts(row: &str, from: usize) -> Vec<Range<usize>> {
    let bare = row.trim_start();
    let is_heading = is_heading(bare) || bare.starts_with("**") && row.ends_with("**");
    if is_heading && row.chars().count() <= HEADING_CHARS {
        return std::iter::once(from..from + row.len()).collect();
    }
    let (mut parts, mut at) = (Vec::new(), from);
    for sentence in sentences(row) {
        let (mut begin, mut count) = (at, 0);
        for (place, c) in sentence.char_indices() {
            count += 1;
            if count > MOST_PART_CHARS || (count > PART_CHARS && c.is_whitespace()) {
                parts.push(begin..at + place);
                (begin, count) = (at + place, 0);
            }
        }
        at += sentence.len();
        parts.push(begin..at);
    }
    // What only marks the begin of a list entry is none.
    let is_mark = |part: &Range<usize>| part.end - part.start < 6 && parts.len() > 1;
    if parts.first().is_some_and(is_mark) {
        let mark = parts.remove(0);
        parts[0].start = mark.start;
    }
    parts.retain(|part| part.end > part.start);
    parts
}

/// Returns the sentences of a row; none ends within what is marked as code.
fn sentences(row: &str) -> Vec<&str> {
    let (mut found, mut from, mut at) = (Vec::new(), 0, 0);
    for sentence in words::sentences(row) {
        at += sentence.len();
        if at == row.len() || row[from..at].matches('`').count().is_multiple_of(2) {
            found.push(&row[from..at]);
            from = at;
        }
    }
    found
}

pub(super) fn row<'m>(message: &'m str, lines: &[Line], at: usize) -> &'m str {
    let end = lines[at].parts.last().map_or(0, |part| part.end);
    &message[lines[at].parts[0].start..end]
}

#[cfg(test)]
mod tests {
    use super::is_heading;

    #[test]
    fn the_number_of_a_page_is_no_heading() {
        for line in ["# What", "### 2. Then", "#What"] {
            assert!(is_heading(line), "{line}");
        }
        for line in ["#546 is behind; main has moved.", "What # is", ""] {
            assert!(!is_heading(line), "{line}");
        }
    }
}
