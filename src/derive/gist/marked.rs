//! What a message sets off from the rest by its form, in whatever language.

use super::lines::{Line, LineKind, row};

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

/// Whether a line is printed bold as a whole and leads to what stands below it.
pub(super) fn is_bold(message: &str, lines: &[Line], at: usize) -> bool {
    let row = row(message, lines, at).trim();
    let bare = row.trim_end_matches([':', '：']);
    let leads = bare.len() < row.len() || bare.trim_end_matches('*').ends_with([':', '：']);
    lines[at].kind == LineKind::Prose && leads && row.starts_with("**") && bare.ends_with("**")
}
