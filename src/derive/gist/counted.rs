//! The list that a request counts, "the 4 things", or of which it, or the end of the message, names an entry: "item 4".

use super::answered::numbers;
use super::lines::{Line, LineKind, row};
use super::order::number;
use crate::derive::words;

/// Returns how the entries begin of the last list or table that has as many as a request counts; none if it counts
/// nothing, or nothing has so many.
pub(super) fn counted(message: &str, lines: &[Line], request: &str) -> Vec<usize> {
    let Some(count) = words::counts(request) else { return Vec::new() };
    let mut all = [numbered(message, lines), tables(lines), bullets(message, lines)].concat();
    all.retain(|list| list.len() == count);
    all.into_iter().max_by_key(|list| list[0]).unwrap_or_default()
}

/// A list of more entries is told as others are.
const MOST_ENTRIES: usize = 9;

/// Returns how the entries begin of the last list or table with an entry of the number that words name, which stand in
/// none of them.
pub(super) fn pointed(message: &str, lines: &[Line], words: &str) -> Vec<usize> {
    let wanted = words::numbered(words);
    if wanted.is_empty() {
        return Vec::new();
    }
    let mut all = [numbered(message, lines), tables(lines)].concat();
    let of = |list: &[usize]| -> Vec<u32> {
        list.iter().flat_map(|at| numbers(row(message, lines, *at)).1).collect()
    };
    all.retain(|list| {
        let own = of(list);
        (2..=MOST_ENTRIES).contains(&list.len()) && wanted.iter().all(|number| own.contains(number))
    });
    all.into_iter().max_by_key(|list| list[0]).unwrap_or_default()
}

/// Returns the lists whose entries are numbered.
fn numbered(message: &str, lines: &[Line]) -> Vec<Vec<usize>> {
    let number_of = |at: usize| number(row(message, lines, at)).filter(|_| is_said(lines, at));
    let mut found: Vec<Vec<usize>> = Vec::new();
    let mut last = None;
    for at in 0..lines.len() {
        let Some(own) = number_of(at) else { continue };
        match found.last_mut().filter(|_| last.is_some_and(|last: u32| own == last + 1)) {
            Some(list) => list.push(at),
            None => found.push(vec![at]),
        }
        last = Some(own);
    }
    found
}

/// Returns the rows of each table, without its head.
fn tables(lines: &[Line]) -> Vec<Vec<usize>> {
    let mut found: Vec<Vec<usize>> = Vec::new();
    for at in 1..lines.len() {
        let is_row = |at: usize| lines[at].kind == LineKind::Row;
        match (is_row(at), lines[at - 1].kind) {
            // What stands between the head and the rows is a rule.
            (true, LineKind::Code) => found.push(vec![at]),
            (true, LineKind::Row) => found.last_mut().into_iter().for_each(|table| table.push(at)),
            _ => {}
        }
    }
    found
}

/// Returns the lists whose entries have marks.
fn bullets(message: &str, lines: &[Line]) -> Vec<Vec<usize>> {
    let is_entry = |at: usize| {
        let bare = row(message, lines, at).strip_prefix(['-', '*', '•', '+']);
        is_said(lines, at) && bare.is_some_and(|bare| bare.starts_with(' '))
    };
    let is_below = |at: usize| row(message, lines, at).starts_with([' ', '\t']);
    let mut found: Vec<Vec<usize>> = Vec::new();
    let mut is_open = false;
    for at in 0..lines.len() {
        match found.last_mut().filter(|_| is_open) {
            Some(list) if is_entry(at) => list.push(at),
            None if is_entry(at) => {
                found.push(vec![at]);
                is_open = true;
            }
            _ => is_open &= is_below(at),
        }
    }
    found
}

fn is_said(lines: &[Line], at: usize) -> bool {
    matches!(lines[at].kind, LineKind::Prose | LineKind::Heading)
}
