//! What a line leads to, without which it hardly says anything: the code or the list below it.

use std::ops::Range;

use super::lines::{Line, LineKind, row};

/// A block of code to which the opening leads is told at once if it has no more rows, fences and all.
const MOST_ROWS: usize = 10;
/// One to which another line leads has no more characters either, or it takes the room of all else.
const MOST_CHARS: usize = 140;

/// Returns the parts that come right behind one that leads to them: one with which its line ends.
pub(super) fn led(
    message: &str,
    lines: &[Line],
    (at, part): (usize, usize),
) -> Vec<(usize, usize)> {
    let whole = |at: usize| (0..lines[at].parts.len()).map(move |part| (at, part));
    if part + 1 < lines[at].parts.len() {
        return Vec::new();
    }
    let block = short_block(message, lines, at);
    if !block.is_empty() || !leads(message, lines, at) {
        return block.flat_map(whole).collect();
    }
    // Of a list, or of what is said below, the first sentence; what is quoted is none.
    let is_said = |next: &usize| {
        let is_quoted = |next: usize| row(message, lines, next).starts_with('>');
        let kind = lines.get(*next).map(|line| line.kind);
        kind == Some(LineKind::Prose) && !is_quoted(*next)
    };
    Some(at + 1).filter(is_said).map(|next| (next, 0)).into_iter().collect()
}

/// Returns the rows of the code to which a line leads, or over which it is the heading, such as the commits that
/// were made, if it has few.
pub(super) fn block(message: &str, lines: &[Line], at: usize) -> Range<usize> {
    let rows = lines[at + 1..].iter().take_while(|line| line.kind == LineKind::Code).count();
    let block = at + 1..at + 1 + rows;
    let is_over = lines[at].kind == LineKind::Heading || leads(message, lines, at);
    // A rule alone only parts what stands above it from what stands below.
    let is_rule = |at: usize| row(message, lines, at).chars().all(|c| "-=*_ ".contains(c));
    let says = rows > 0 && !block.clone().all(is_rule);
    if is_over && rows <= MOST_ROWS && says { block } else { 0..0 }
}

/// Returns them if they are short, too.
fn short_block(message: &str, lines: &[Line], at: usize) -> Range<usize> {
    let rows = block(message, lines, at);
    let chars = rows.clone().map(|at| row(message, lines, at).chars().count()).sum::<usize>();
    if chars <= MOST_CHARS { rows } else { 0..0 }
}

/// Whether a line ends with a colon, in bold or not.
fn leads(message: &str, lines: &[Line], at: usize) -> bool {
    let row = row(message, lines, at).trim_end_matches(['*', '_']);
    lines[at].kind == LineKind::Prose && row.ends_with([':', '：'])
}

/// A line of more characters says something without what it leads to.
const TELLING_CHARS: usize = 60;

/// Leaves out the end of each line that leads to a block of which nothing is told, but for the first line, and
/// for what says something alone.
pub(super) fn drop_bare(message: &str, lines: &[Line], taken: &mut [Vec<usize>]) {
    for at in 1..lines.len() {
        let block = short_block(message, lines, at);
        let is_told = |at: usize| taken[at].iter().any(|bytes| *bytes > 0);
        let last = lines[at].parts.last().map_or("", |part| &message[part.clone()]);
        let is_telling = last.chars().count() > TELLING_CHARS;
        if !is_telling && !block.is_empty() && !block.into_iter().any(is_told) {
            *taken[at].last_mut().expect("a line has a part") = 0;
        }
    }
}
