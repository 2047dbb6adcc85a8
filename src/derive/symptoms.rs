//! The lines of an output that tell what went wrong.

use std::collections::HashSet;

pub(super) use super::differs::without_changes;
use super::differs::{changes, says_a_task_failed};
use super::text;

/// Words by which a line tells what went wrong.
const TELLING: &[&str] = &[
    "error",
    "fail",
    "panick",
    "exception",
    "not found",
    "not ok",
    "denied",
    "cannot",
    "undefined",
    "traceback",
    "fatal",
    "assert",
    "expected",
    "invalid",
    "would be reformatted",
    "unresolved",
    "mismatch",
    "timed out",
    "refused",
    "rejected",
    "no such",
];

/// Returns the lines of an output that tell what went wrong: the first with what follows it, then
/// others, then the last lines where nothing tells.
pub(super) fn telling(output: &str, most: usize) -> Vec<String> {
    let whole = text::without_keys(output);
    let output = without_changes(&whole);
    // Others mark so each test that failed.
    let is_report = output.lines().any(is_code);
    let words = |row: &str| is_report && reported(row.trim()).is_some();
    let has_words = output.lines().any(words);
    let says = |row: &&str| {
        let is_left = is_status(row) || is_data(row) || has_words && is_code(row);
        !row.trim().is_empty() && !is_left
    };
    let rows: Vec<&str> = output.lines().map(str::trim_end).filter(says).collect();
    let tells = |row: &str| {
        let low = row.to_lowercase();
        let fits = (8..=400).contains(&row.len()) && !is_frame(row) && !passed(row);
        fits && (words(row) || TELLING.iter().any(|word| low.contains(word)))
    };
    let mut told: Vec<usize> = (0..rows.len()).filter(|place| tells(rows[*place])).collect();
    // Of many tests that failed it is told why, not once more which.
    let is_many = rows.iter().filter(|row| only_names(row)).count() > FEW_NAMES;
    if is_many {
        told = whys(&rows, told);
    }
    // What only warns rarely tells why it failed.
    let is_weak =
        |place: &usize| warns(rows[*place]) || is_many && panicked(rows[*place]).is_some();
    // That a task failed is known without saying.
    let (tasks, told): (Vec<usize>, Vec<usize>) =
        told.into_iter().partition(|place| says_a_task_failed(rows[*place]));
    let (warned, mut places): (Vec<usize>, Vec<usize>) = told.into_iter().partition(is_weak);
    let is_all = output.len() == whole.len();
    if is_all || places.is_empty() && warned.is_empty() {
        let shown = changes(&whole).into_iter().take(most);
        let shown: Vec<_> = shown.map(|row| text::clip(row.trim_end(), 300)).collect();
        if !shown.is_empty() {
            return shown;
        }
    }
    let first = places.first().copied();
    let after = |step: usize| first.map(|first| first + step);
    let place = after(1).filter(|at| rows.get(*at).is_some_and(|row| names_a_place(row)));
    let mut keep: Vec<usize> =
        first.into_iter().chain(place).chain(places.last().copied()).collect();
    places.extend(warned);
    places.extend(&tasks);
    let says_more = |place: &usize| {
        let row = rows.get(*place).copied().unwrap_or_default();
        !is_many || !only_names(row) && panicked(row).is_none()
    };
    let behind = after(1).into_iter().chain(after(2)).filter(says_more);
    keep.extend(places.iter().copied().chain(behind));
    if places.len() == tasks.len() {
        // What stands before that is the last that the task said.
        let before = tasks.first().copied().unwrap_or_default();
        keep.splice(0..0, (before.saturating_sub(BEFORE)..before).rev());
    }
    if keep.is_empty() {
        keep = (rows.len().saturating_sub(4)..rows.len()).collect();
    }
    let mut chosen = distinct(&rows, keep, most);
    chosen.sort_unstable();
    let told = |row: &str| row.strip_prefix(MARK).unwrap_or(row).trim().to_owned();
    chosen.into_iter().map(|place| text::clip(&told(rows[place]), 300)).collect()
}

/// How many rows before one of a runner are what its task said last.
const BEFORE: usize = 3;

/// Whether a line tells of an error by a code alone: `Error: tool::command::failed`.
pub(super) fn is_code(row: &str) -> bool {
    let code = row.trim().split_once("rror: ").map(|(_, code)| code);
    code.is_some_and(|code| code.contains("::") && !code.contains(char::is_whitespace))
}

/// Returns the words of a report whose code stands above.
pub(super) fn reported(row: &str) -> Option<&str> {
    row.strip_prefix("× ").map(str::trim).filter(|words| !words.is_empty())
}

/// What stands before the rows that say why a test of Python failed.
const MARK: &str = "E  ";

/// Returns the first places, at most so many, without those that say by other numbers the same as one
/// before; where something lies is told for each.
fn distinct(rows: &[&str], places: Vec<usize>, most: usize) -> Vec<usize> {
    let mut chosen: Vec<usize> = Vec::new();
    for place in places.into_iter().filter(|place| *place < rows.len()) {
        if chosen.len() < most && !chosen.contains(&place) {
            chosen.push(place);
        }
    }
    let mut told: Vec<String> = Vec::new();
    chosen.retain(|place| {
        let bare: String = rows[*place].chars().filter(|c| !c.is_ascii_digit()).collect();
        let is_new = !told.contains(&bare) || names_a_place(rows[*place]);
        told.push(bare);
        is_new
    });
    chosen
}

/// How long a word is, at least, that is data and no name.
const DATA_BYTES: usize = 60;

/// Whether a line is data in letters, such as a row of a key, which says nothing to a reader.
fn is_data(row: &str) -> bool {
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

/// Whether a line says that something passed, whatever that is called.
fn passed(row: &str) -> bool {
    let row = row.trim_start();
    let begins = ["ok ", "PASS ", "PASS:", "--- PASS"].iter().any(|mark| row.starts_with(mark));
    // Of a list of tests, mostly with how far it is or how long each took.
    let end = row.trim_end().trim_end_matches(|c: char| "0123456789.%[]() ms".contains(c));
    let ends = ["... ok", "... ignored", " PASSED"].iter().any(|mark| end.ends_with(mark));
    row.starts_with(['✓', '✔', '√']) || begins || ends
}

/// Whether a line shows code with its number before it, as a program does that points into it.
fn is_frame(row: &str) -> bool {
    let row = row.trim_start_matches(['>', ' ', '\t']);
    let rest = row.trim_start_matches(|c: char| c.is_ascii_digit());
    let behind = rest.trim_start().strip_prefix(['|', '│']);
    // Without a number it is one only if it points at something.
    let points = |behind: &str| behind.trim_start().starts_with(['^', '~', '-']);
    behind.is_some_and(|behind| rest.len() < row.len() || points(behind))
}

/// Whether a line says of itself that it is no more than a warning, or only that something failed of
/// which another line says why.
fn warns(row: &str) -> bool {
    if row.starts_with("error: failed to push some refs") || row.starts_with("hint: ") {
        return true;
    }
    let words = row.split(|c: char| !c.is_alphanumeric()).take(8);
    words.map(str::to_lowercase).any(|word| matches!(word.as_str(), "warn" | "warning"))
}

/// How many rows may name tests that failed where these are told, too.
const FEW_NAMES: usize = 6;

/// Returns which of the rows that are told say why tests failed, each once: not those that only name these.
fn whys(rows: &[&str], told: Vec<usize>) -> Vec<usize> {
    // Where one panicked the row below says why.
    let below = (1..rows.len()).filter(|place| panicked(rows[place - 1]).is_some());
    let mut all: Vec<usize> = told.into_iter().chain(below).collect();
    all.sort_unstable();
    let mut seen = HashSet::new();
    let is_new = |place: &usize| {
        let row = rows[*place].trim();
        seen.insert(panicked(row).unwrap_or(row))
    };
    let says = |row: &str| !only_names(row) && row.trim() != "failures:";
    let says_why = all.iter().copied().filter(|place| says(rows[*place])).filter(is_new);
    let kept: Vec<usize> = says_why.collect();
    if kept.is_empty() { all } else { kept }
}

/// Returns where a test panicked, if a line tells that.
fn panicked(row: &str) -> Option<&str> {
    let rest = row.trim_start().strip_prefix("thread '")?;
    rest.split_once(" panicked at ").map(|(_, place)| place)
}

/// Whether a line only names a test that failed.
fn only_names(row: &str) -> bool {
    let is_listed = row.starts_with("test ") && row.ends_with(" ... FAILED");
    let row = row.trim_start();
    is_listed || row.starts_with("--- FAIL: ") || row.starts_with("---- ") && row.ends_with(" ----")
}

/// Whether a line is of git's short status, such as ` M src/a.rs`: it stands behind what went wrong.
fn is_status(row: &str) -> bool {
    let Some((mark, path)) = row.trim().split_once(' ') else { return false };
    let is_path = !path.trim().contains(' ') && path.contains(['.', '/']);
    is_path && matches!(mark, "M" | "A" | "D" | "R" | "U" | "??" | "MM" | "AM" | "RM")
}

/// Whether a line points into a file, such as `--> src/a.rs:3:5`.
fn names_a_place(row: &str) -> bool {
    row.as_bytes().windows(2).any(|pair| pair[0] == b':' && pair[1].is_ascii_digit())
        || row.contains(", line ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_that_tell_are_kept() {
        let output = "Compiling a\nerror[E0425]: cannot find value `x`\n --> src/a.rs:3:5\n  |\nnote: more\nerror: could not compile\n";
        let lines = telling(output, 4);
        assert_eq!(lines[0], "error[E0425]: cannot find value `x`");
        assert_eq!(lines[1], "--> src/a.rs:3:5");
        assert_eq!(lines.last().map(String::as_str), Some("error: could not compile"));
        assert_eq!(telling("one\ntwo\n", 4), ["one", "two"]);
        let status = "Fehlgeschlagen: 1\n M src/a.rs\n?? b.rs\nMM c.rs\nD  d.rs\n";
        assert_eq!(telling(status, 1), ["Fehlgeschlagen: 1"]);
        assert_eq!(telling("A mistake\n", 1), ["A mistake"]);
        let again =
            "PR #3: cannot be found\nPR #14: cannot be found\na.c:3: cannot x\na.c:4: cannot x\n";
        let once = ["PR #3: cannot be found", "a.c:3: cannot x", "a.c:4: cannot x"];
        assert_eq!(telling(again, 4), once);
        let frame =
            "invalid-syntax: missing closing quote\n66 | assert digest(crlf) == b\n   | ^ error\n";
        assert_eq!(telling(frame, 1), ["invalid-syntax: missing closing quote"]);
        let boxed = "╷\n│ Error: Reference to undeclared resource\n│ \n╵\n";
        assert_eq!(telling(boxed, 1), ["│ Error: Reference to undeclared resource"]);
        let format = "211 | assert set(result) == x\n2 files would be reformatted\n";
        assert_eq!(telling(format, 1), ["2 files would be reformatted"]);
        let warned = "WARN age identity not found\n[x] error: parallel is missing\n";
        assert_eq!(telling(warned, 1), ["[x] error: parallel is missing"]);
        assert_eq!(telling("warning: it failed\n", 1), ["warning: it failed"]);
        let passed = "✓ fails where it cannot\nok 3 an error is told\nerror: no name\n";
        assert_eq!(
            telling("PASSWORD authentication failed\n", 1),
            ["PASSWORD authentication failed"]
        );
        assert_eq!(telling(passed, 1), ["error: no name"]);
        let test = |name: &str| {
            format!("---- {name} stdout ----\nthread '{name}' (7) panicked at a.rs:3:5:\nno rows\n")
        };
        let names = ["a", "b", "c", "d", "e"];
        let listed = names.map(|name| format!("test {name} ... FAILED\n")).concat();
        let many = format!("{listed}failures:\n{}error: test failed\n", names.map(test).concat());
        let why = ["thread 'a' (7) panicked at a.rs:3:5:", "no rows", "error: test failed"];
        assert_eq!(telling(&many, 8), why);
        assert_eq!(telling(&many, 1), ["no rows"]);
        let few = format!("test a ... FAILED\n{}", test("a"));
        assert_eq!(telling(&few, 1), ["test a ... FAILED"]);
        let listed = "test errors::one_fails ... ok\ntests/test_error.py::test_x PASSED [ 50%]\n--- PASS: TestError (0.00s)\nit fails\n";
        assert_eq!(telling(listed, 1), ["it fails"]);
        let report = "Error: tool::command::failed\n\n  × the command ended\n";
        assert_eq!(telling(report, 1), ["× the command ended"]);
        let tests = "× rounds half up 2ms\nTypeError: round is not a function\n";
        assert_eq!(telling(tests, 1), ["TypeError: round is not a function"]);
        assert_eq!(telling("E       AssertionError: no\n", 1), ["AssertionError: no"]);
    }

    #[test]
    fn lines_of_a_change_tell_of_no_failure() {
        let shown = "diff --git a/a.md b/a.md\n--- a/a.md\n+++ b/a.md\n@@ -1,2 +1,2 @@\n # How\n-It cannot.\n+It cannot fail.\nwarn: a.md: style\n";
        assert_eq!(telling(shown, 1), ["warn: a.md: style"]);
        let behind = "@@ -1,2 +1,2 @@\n-a\n+b\n c\n  Error: it does not match\n  at a.js:3\n";
        assert_eq!(telling(behind, 1), ["Error: it does not match"]);
        let compared = "assertion failed\n-left error\n+right\n";
        assert_eq!(telling(compared, 2), ["assertion failed", "-left error"]);
    }

    #[test]
    fn what_a_task_found_is_told_before_that_it_failed() {
        let last = "make: *** [Makefile:3: check] Error 1\n";
        let form = format!("tool fmt --check\nDiff in /p/a.rs:3:\n x\n-an error\n+two\n{last}");
        assert_eq!(telling(&form, 1), ["Diff in /p/a.rs:3:"]);
        assert_eq!(telling(&form, 4), ["Diff in /p/a.rs:3:", "-an error", "+two"]);
        let git = format!("gen\n--- a/x.go\n+++ b/x.go\n@@ -1 +1 @@\n-a\n+fatal\n{last}");
        assert_eq!(telling(&git, 1), ["+++ b/x.go"]);
        let warned = format!("tool .\nChecking\n[x] a.ts\nRun it with --write to mend it.\n{last}");
        assert_eq!(telling(&warned, 1), ["Run it with --write to mend it."]);
        let says = format!("a.c:3: error: no x\na.c:9: error: no y\n{last}");
        assert_eq!(telling(&says, 3)[..2], ["a.c:3: error: no x", "a.c:9: error: no y"]);
        assert_eq!(telling(last, 1), [last.trim()]);
        let rule = "make: *** No rule to make target 'x'.  Stop.\n";
        assert_eq!(telling(rule, 1), [rule.trim()]);
    }
}
