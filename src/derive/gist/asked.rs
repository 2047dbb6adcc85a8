//! The parts of a message whose headings say that what a request names stands there.

use std::collections::BTreeSet;

use super::lines::{Line, LineKind, row};
use super::order::number;
use crate::derive::telling;

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
    part(message, lines, heading)
}

/// So many of the parts are told that a reply names.
const MOST_PARTS: usize = 2;
/// A title of more telling words has one in common with many a reply.
const TITLE_WORDS: usize = 6;
/// So many of the lines are told that hold a number which a reply names, where no title does.
const MOST_LINES: usize = 2;

/// Returns the lines to tell of the parts that a reply names: by a word of their titles that no other title has, or by a
/// number such as `4.1` that stands there, or else in a line.
pub(super) fn named(message: &str, lines: &[Line], reply: &str) -> Vec<usize> {
    let wanted: BTreeSet<String> = telling::words(reply).iter().map(|word| stem(word)).collect();
    let points = telling::points(reply);
    let is_long = reply.split_whitespace().count() > MOST_WORDS;
    if is_long || wanted.is_empty() && points.is_empty() {
        return Vec::new();
    }
    let heads: Vec<usize> =
        (1..lines.len()).filter(|at| title(message, lines, *at).is_some()).collect();
    let words_of = |at: &usize| title_words(message, lines, *at);
    let titles: Vec<Vec<String>> = heads.iter().map(words_of).collect();
    let is_own = |word: &String| {
        wanted.contains(word) && titles.iter().filter(|title| title.contains(word)).count() == 1
    };
    let holds = |at: usize| !points.is_disjoint(&telling::points(row(message, lines, at)));
    let is_named = |(at, title): &(&usize, &Vec<String>)| {
        holds(**at) || title.len() <= TITLE_WORDS && title.iter().any(is_own)
    };
    let named = heads.iter().zip(&titles).filter(is_named).map(|(at, _)| *at);
    let named: Vec<usize> = named.take(MOST_PARTS).collect();
    if !points.is_empty() && !named.iter().any(|at| holds(*at)) {
        let found = (1..lines.len()).filter(|at| lines[*at].kind != LineKind::Code && holds(*at));
        return found.take(MOST_LINES).chain(named).collect();
    }
    named.into_iter().flat_map(|at| part(message, lines, at)).collect()
}

/// Returns the title of a part: that is a heading, a line that is bold as a whole, or what is bold at the begin of a
/// line with a colon; else it is a sentence.
fn title<'m>(message: &'m str, lines: &[Line], at: usize) -> Option<&'m str> {
    let row = row(message, lines, at);
    match lines[at].kind {
        LineKind::Heading => Some(row),
        LineKind::Prose => {
            let (title, rest) = row.strip_prefix("**")?.split_once("**")?;
            let has_colon = title.contains([':', '：']) || rest.starts_with([':', '：']);
            (has_colon || rest.is_empty()).then_some(title)
        }
        _ => None,
    }
}

/// Returns the words of a title, and of its sentence where that has few.
fn title_words(message: &str, lines: &[Line], at: usize) -> Vec<String> {
    let words = |text: &str| -> Vec<String> {
        telling::words(text).iter().map(|word| stem(word)).collect()
    };
    let sentence = words(&message[lines[at].parts[0].clone()]);
    match sentence.len() <= TITLE_WORDS {
        true => sentence,
        false => words(title(message, lines, at).unwrap_or_default()),
    }
}

/// Words of titles under which stands what is still to be done, or what is advised.
const OPEN: &[&str] = &[
    "blocked",
    "deferred",
    "left",
    "next",
    "open",
    "outstanding",
    "pending",
    "recommend",
    "recommendation",
    "recommendations",
    "recommended",
    "remaining",
    "remains",
    "todo",
    "undone",
    "unresolved",
    "warning",
    "warnings",
];
/// A title of more words is a sentence.
const OPEN_WORDS: usize = 5;

/// Returns the titles under which stands what is still to be done, or what is advised, each with the first line below it.
pub(super) fn open(message: &str, lines: &[Line]) -> Vec<usize> {
    let is_open = |at: &usize| {
        let title = title(message, lines, *at).unwrap_or_default();
        // What stands behind these says something else of it: "Archived (with warnings)".
        let name = title.trim_start_matches('#').split(['(', ':', '：', '—', '–']).next();
        let words = name.unwrap_or_default().split(|c: char| !c.is_alphanumeric());
        let mut words = words.filter(|word| !word.is_empty());
        let is_short = words.clone().nth(OPEN_WORDS).is_none();
        is_short && words.any(|word| OPEN.contains(&word.to_lowercase().as_str()))
    };
    // "None." is nothing to tell.
    let says = |at: &usize| {
        let has_more =
            |below: usize| row(message, lines, below).split_whitespace().nth(2).is_some();
        title(message, lines, *at)
            .is_some_and(|title| row(message, lines, *at).len() > title.len() + 5)
            || lines.get(at + 1).is_some() && has_more(at + 1)
    };
    let heads = (1..lines.len()).filter(is_open).filter(says).take(MOST_PARTS);
    heads.flat_map(|at| part(message, lines, at).into_iter().take(2)).collect()
}

/// Returns one of the forms of a word for all of them.
fn stem(word: &str) -> String {
    word.trim_end_matches('s').to_owned()
}

/// Returns a heading, the first line below it, and the entries.
fn part(message: &str, lines: &[Line], heading: usize) -> Vec<usize> {
    let is_below = |at: &usize| match lines[heading].kind {
        LineKind::Heading => lines[*at].kind != LineKind::Heading,
        _ => title(message, lines, *at).is_none(),
    };
    let below: Vec<usize> = (heading + 1..lines.len()).take_while(is_below).collect();
    let is_entry = |at: &usize| {
        let row = row(message, lines, *at);
        let is_marked = ["- ", "* ", "**"].iter().any(|mark| row.starts_with(mark));
        match lines[*at].kind {
            LineKind::Prose => is_marked || number(row).is_some(),
            kind => kind == LineKind::Row,
        }
    };
    let first = below.iter().copied().take(1);
    let entries = below.iter().copied().filter(is_entry).take(MOST_ENTRIES);
    std::iter::once(heading).chain(first).chain(entries).collect()
}

fn words(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| word.len() >= LEAST_BYTES).map(str::to_lowercase).collect()
}
