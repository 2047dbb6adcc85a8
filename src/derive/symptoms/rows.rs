//! What single lines of an output say.

use std::ops::Range;

use crate::derive::pattern::Pattern;

/// Whether a line tells of an error by a code alone: `Error: tool::command::failed`.
pub(in crate::derive) fn is_code(row: &str) -> bool {
    let code = row.trim().split_once("rror: ").map(|(_, code)| code);
    code.is_some_and(|code| code.contains("::") && !code.contains(char::is_whitespace))
}

/// Returns the words of a report whose code stands above.
pub(in crate::derive) fn reported(row: &str) -> Option<&str> {
    row.strip_prefix("× ").map(str::trim).filter(|words| !words.is_empty())
}

/// How a trace of Python begins.
const TRACE: &str = "Traceback (most recent call last):";

/// Parts of paths to code that others wrote.
const OF_OTHERS: &[&str] = &["/lib/python", "/lib64/python", "-packages/", "<frozen "];

/// Whether a row of a trace leads to code that others wrote.
pub(super) fn is_others(row: &str) -> bool {
    OF_OTHERS.iter().any(|folder| row.contains(folder))
}

/// Returns where the rows of traces stand that say where an exception was raised; it stands behind them.
pub(super) fn traces(rows: &[&str]) -> Vec<Range<usize>> {
    let indent = |row: &str| row.len() - row.trim_start().len();
    let begins = |at: &usize| rows[*at].trim_start() == TRACE;
    let trace = |at: usize| {
        let is_out = |end: &usize| indent(rows[*end]) <= indent(rows[at]);
        (at + 1..rows.len()).find(is_out).map(|end| at..end)
    };
    (0..rows.len()).filter(begins).filter_map(trace).collect()
}

/// What stands at both ends of a line that is a title.
const TITLES: &[&str] = &["====", "____"];

/// Whether a line is only the title of what stands below it.
pub(super) fn is_title(row: &str) -> bool {
    let row = row.trim();
    let is_marked = |mark: &&str| row.starts_with(*mark) && row.ends_with(*mark);
    // A count is worth a line.
    let counts = row.starts_with('=') && row.contains(|c: char| c.is_ascii_digit());
    TITLES.iter().any(is_marked) && !counts
}

/// A line by which a program says that something passed, or counts no failure.
static WELL: Pattern = Pattern::new(r"^ok\s|\b0 (?:failures?|failed|failing|errors?)\b");
/// A count of failures.
static ILL: Pattern = Pattern::new(r"\b[1-9]\d* (?:failures?|failed|failing|errors?)\b");

/// Whether a line only says that all is well.
pub(in crate::derive) fn is_well(line: &str) -> bool {
    WELL.is_match(line) && !ILL.is_match(line)
}

/// A line that only counts what other lines tell.
static COUNTS: Pattern =
    Pattern::new(r"^\W*(?:Found )?\d+ (?:errors?|problems?|issues?)\b(?:[ .(]|$)");

pub(super) fn only_counts(row: &str) -> bool {
    COUNTS.is_match(row)
}

/// A line that says something of a place in a file, as programs do that check texts.
static FINDING: Pattern = Pattern::new(r"^\s*\S*\w\.\w{1,6}:\d+(?::\d+)?: \S");
/// Marks of what failed.
const FAILED: &[&str] = &["X ", "✗ ", "✘ ", "✖ ", "✕ ", "× "];

/// Returns where something was found, or is marked as failed, without a word that tells so.
pub(super) fn found(rows: &[&str]) -> Vec<usize> {
    let is_found = |at: &usize| {
        let row = rows[*at];
        let points = rows.get(at + 1).is_some_and(|next| next.trim_start().starts_with("--> "));
        let is_marked = FAILED.iter().any(|mark| row.trim_start().starts_with(mark));
        !warns(row) && !only_counts(row) && (FINDING.is_match(row) || points || is_marked)
    };
    (0..rows.len()).filter(is_found).collect()
}

/// How long a word is, at least, that is data and no name.
const DATA_BYTES: usize = 60;

/// Whether a line is data in letters, such as a row of a key, which says nothing to a reader.
pub(super) fn is_data(row: &str) -> bool {
    let is_data = |word: &str| {
        let has = |is: fn(u8) -> bool| word.bytes().any(is);
        let slashes = word.bytes().filter(|byte| *byte == b'/').count();
        word.len() >= DATA_BYTES
            && slashes <= word.len() / 12
            && has(|byte| byte.is_ascii_digit())
            && has(|byte| byte.is_ascii_lowercase())
            && has(|byte| byte.is_ascii_uppercase())
    };
    let is_letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=');
    row.len() >= DATA_BYTES && row.split(|c| !is_letter(c)).any(is_data)
}

/// Whether a line only closes a tag that was put around what was printed.
pub(super) fn is_closing_tag(row: &str) -> bool {
    let name = row.trim().strip_prefix("</").and_then(|rest| rest.strip_suffix('>'));
    name.is_some_and(|name| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'))
}

/// Whether a line says that something passed, whatever that is called.
pub(super) fn passed(row: &str) -> bool {
    let row = row.trim_start();
    let begins = ["ok ", "PASS ", "PASS:", "--- PASS"].iter().any(|mark| row.starts_with(mark));
    // Of a list of tests, mostly with how far it is or how long each took.
    let end = row.trim_end().trim_end_matches(|c: char| "0123456789.%[]() ms".contains(c));
    let ends = ["... ok", "... ignored", " PASSED"].iter().any(|mark| end.ends_with(mark));
    row.starts_with(['✓', '✔', '√']) || begins || ends
}

/// Whether a line shows code with its number before it, as a program does that points into it.
pub(super) fn is_frame(row: &str) -> bool {
    let row = row.trim_start_matches(['>', ' ', '\t']);
    let rest = row.trim_start_matches(|c: char| c.is_ascii_digit());
    let behind = rest.trim_start().strip_prefix(['|', '│']);
    // Without a number it is one only if it points at something.
    let points = |behind: &str| behind.trim_start().starts_with(['^', '~', '-']);
    behind.is_some_and(|behind| rest.len() < row.len() || points(behind))
}

/// Whether a line is a comment or a text of some code, which its command showed beside what went wrong.
pub(super) fn is_of_code(row: &str) -> bool {
    let bare = row.trim();
    let is_text = bare.starts_with('"') && bare.ends_with("\",") && !bare.contains("\": ");
    is_text || ["// ", "/// ", "//! "].iter().any(|mark| bare.starts_with(mark))
}

/// Whether a line says of itself that it is no more than a warning, or only that something failed of
/// which another line says why.
pub(super) fn warns(row: &str) -> bool {
    if row.starts_with("error: failed to push some refs") || row.starts_with("hint: ") {
        return true;
    }
    let words = row.split(|c: char| !c.is_alphanumeric()).take(8);
    words.map(str::to_lowercase).any(|word| matches!(word.as_str(), "warn" | "warning"))
}

/// Returns where a test panicked, if a line tells that.
pub(super) fn panicked(row: &str) -> Option<&str> {
    let rest = row.trim_start().strip_prefix("thread '")?;
    rest.split_once(" panicked at ").map(|(_, place)| place)
}

/// Whether a line only names a test that failed.
pub(super) fn only_names(row: &str) -> bool {
    let is_listed = row.starts_with("test ") && row.ends_with(" ... FAILED");
    let row = row.trim_start();
    is_listed || row.starts_with("--- FAIL: ") || row.starts_with("---- ") && row.ends_with(" ----")
}

/// Whether a line is of git's short status, such as ` M src/a.rs`: it stands behind what went wrong.
pub(super) fn is_status(row: &str) -> bool {
    let Some((mark, path)) = row.trim().split_once(' ') else { return false };
    let is_path = !path.trim().contains(' ') && path.contains(['.', '/']);
    is_path && matches!(mark, "M" | "A" | "D" | "R" | "U" | "??" | "MM" | "AM" | "RM")
}

/// Whether a line points into a file, such as `--> src/a.rs:3:5`.
pub(super) fn names_a_place(row: &str) -> bool {
    row.as_bytes().windows(2).any(|pair| pair[0] == b':' && pair[1].is_ascii_digit())
        || row.contains(", line ")
}

#[cfg(test)]
mod tests {
    use super::{COUNTS, FINDING, ILL, WELL};

    #[test]
    fn every_pattern_can_be_made() {
        assert!([&COUNTS, &FINDING, &ILL, &WELL].iter().all(|pattern| pattern.is_sound()));
    }
}
