//! What a message sets off from the rest by its form, in whatever language.

use super::lines::{Line, LineKind, row};
use super::order::number;

/// By which a row says that something went wrong.
const FAILED: &[char] = &['❌', '✗', '✘', '✖'];
/// By which one says that it went well.
const PASSED: &[char] = &['✅', '✓', '✔'];
/// So many of the rows that failed are told.
const MOST: usize = 3;

/// Returns the rows of tables that tell that something failed, where others of the same table tell that it went
/// well; a row with both compares.
pub(super) fn failed(message: &str, lines: &[Line]) -> Vec<usize> {
    let (mut found, mut at) = (Vec::new(), 0);
    for table in lines.chunk_by(|_, next| matches!(next.kind, LineKind::Row | LineKind::Code)) {
        let has = |at: usize, marks: &[char]| row(message, lines, at).contains(marks);
        let rows = (at..at + table.len()).filter(|at| lines[*at].kind == LineKind::Row);
        at += table.len();
        let is_ended = |at: &usize| has(*at, FAILED) != has(*at, PASSED);
        let rows: Vec<usize> = rows.filter(is_ended).collect();
        if rows.iter().any(|at| has(*at, PASSED)) {
            found.extend(rows.into_iter().filter(|at| has(*at, FAILED)));
        }
    }
    found.truncate(MOST);
    found
}

/// A bold line of fewer words is a title: it says nothing itself.
const SENTENCE_WORDS: usize = 5;

/// Returns the one bold sentence of a message that leads to a table or a list, with the rows or the entries: it is what
/// the message is about. Where several lines are bold they part it as headings do, and none is more than the others.
pub(super) fn core(message: &str, lines: &[Line]) -> Vec<usize> {
    let mut leads = (1..lines.len()).filter(|at| is_bold(message, lines, *at));
    let (Some(lead), None) = (leads.next(), leads.next()) else { return Vec::new() };
    if row(message, lines, lead).split_whitespace().count() < SENTENCE_WORDS {
        return Vec::new();
    }
    let is_row = |at: &usize| lines[*at].kind == LineKind::Row;
    let is_rule =
        |at: &usize| lines[*at].kind == LineKind::Code && row(message, lines, *at).starts_with('|');
    let is_entry = |at: &usize| {
        let bare = row(message, lines, *at);
        let marked =
            bare.strip_prefix(['-', '*', '•', '+']).is_some_and(|bare| bare.starts_with(' '));
        lines[*at].kind == LineKind::Prose && (marked || number(bare).is_some())
    };
    let is_below = |at: &usize| row(message, lines, *at).starts_with([' ', '\t']);
    let is_listed = |at: &usize| is_row(at) || is_rule(at) || is_entry(at) || is_below(at);
    let listed =
        (lead + 1..lines.len()).take_while(is_listed).filter(|at| is_row(at) || is_entry(at));
    let listed: Vec<usize> = listed.collect();
    if listed.is_empty() { listed } else { [vec![lead], listed].concat() }
}

/// Whether a line is printed bold as a whole and leads to what stands below it.
pub(super) fn is_bold(message: &str, lines: &[Line], at: usize) -> bool {
    let row = row(message, lines, at).trim();
    let bare = row.trim_end_matches([':', '：']);
    let leads = bare.len() < row.len() || bare.trim_end_matches('*').ends_with([':', '：']);
    lines[at].kind == LineKind::Prose && leads && row.starts_with("**") && bare.ends_with("**")
}
