//! The part of a message under whose heading stands what the request asked for.

use std::collections::BTreeSet;

use super::lines::{Line, LineKind, row};
use super::order::number;

/// So many words a heading has in common with the request.
const LEAST_COMMON: usize = 2;
/// A word of fewer bytes says too little.
const LEAST_BYTES: usize = 5;
/// A request of more words has some in common with most headings.
const MOST_WORDS: usize = 60;
/// So many entries below it are told.
const MOST_ENTRIES: usize = 6;

/// Returns the lines to tell, each by how it begins: the one heading of which most words stand in the request, too,
/// the first line below it, and the entries; none if there is no such heading.
pub(super) fn asked(message: &str, lines: &[Line], request: &str) -> Vec<usize> {
    if request.split_whitespace().count() > MOST_WORDS {
        return Vec::new();
    }
    let wanted = words(request);
    let is_asked = |at: &usize| {
        let named = words(row(message, lines, *at));
        let common = named.intersection(&wanted).count();
        common >= LEAST_COMMON && 3 * common > 2 * named.len()
    };
    let headings = (1..lines.len()).filter(|at| lines[*at].kind == LineKind::Heading);
    // Where several do, the headings are told anyway.
    let mut named = headings.filter(is_asked);
    let (Some(heading), None) = (named.next(), named.next()) else { return Vec::new() };
    let is_below = |at: &usize| lines[*at].kind != LineKind::Heading;
    let below: Vec<usize> = (heading + 1..lines.len()).take_while(is_below).collect();
    let is_entry = |at: &usize| {
        let row = row(message, lines, *at);
        lines[*at].kind == LineKind::Prose
            && (row.starts_with("- ") || row.starts_with("* ") || number(row).is_some())
    };
    let first = below.iter().copied().take(1);
    let entries = below.iter().copied().filter(is_entry).take(MOST_ENTRIES);
    std::iter::once(heading).chain(first).chain(entries).collect()
}

fn words(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| word.len() >= LEAST_BYTES).map(str::to_lowercase).collect()
}
