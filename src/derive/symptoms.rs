//! The lines of an output that tell what went wrong.

mod rows;

use std::collections::HashSet;
use std::ops::Range;

use self::rows::{
    found, is_closing_tag, is_data, is_frame, is_of_code, is_others, is_status, is_title,
    names_a_place, only_counts, only_names, panicked, passed, traces, warns,
};
pub(super) use self::rows::{is_code, is_well, reported};
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

/// The longest line that is told, in characters.
const LINE_CHARS: usize = 300;
/// An output of so few lines is told whole: what one says of another is not lost.
const WHOLE: usize = 3;
/// How many of the last lines are told where none tells anything.
const LAST: usize = 4;
/// What stands before the rows that say why a test of Python failed.
const MARK: &str = "E  ";

/// Returns the lines of an output that tell what went wrong: the first with what follows it, then
/// others, then the last lines where nothing tells.
pub(super) fn telling(output: &str, most: usize) -> Vec<String> {
    let whole = text::without_keys(output);
    let output = without_changes(&whole);
    let output = Output::of(&output, output.len() == whole.len());
    let told = output.told();
    if output.is_whole || told.is_none() {
        let shown = changes(&whole).into_iter().take(most);
        let shown: Vec<_> = shown.map(|row| text::clip(row.trim_end(), LINE_CHARS)).collect();
        if !shown.is_empty() {
            return shown;
        }
    }
    let count = output.rows.len();
    if output.is_whole && count <= WHOLE.min(most) {
        return output.chosen((0..count).collect(), most, None);
    }
    let raised = output.raised(told.first());
    let mut keep = output.kept(told, raised);
    if keep.is_empty() {
        let count = output.rows.len();
        keep = (count.saturating_sub(LAST)..count).collect();
    }
    output.chosen(keep, most, raised)
}

/// Whether a line of an output tells what went wrong.
pub(super) fn tells(output: &str) -> bool {
    let output = Output::of(output, true);
    !output.told().places.is_empty()
}

/// The rows of an output that may tell something.
struct Output<'o> {
    rows: Vec<&'o str>,
    /// Whether it shows no changes of texts.
    is_whole: bool,
    /// Whether codes stand above the words that say what they mean.
    is_report: bool,
    /// Where the rows stand that lead to an exception.
    traces: Vec<Range<usize>>,
    /// Whether marked rows say why a test failed.
    says_why: bool,
    /// Whether so many tests are named that it is told why they failed, not once more which.
    is_many: bool,
}

/// Where the rows stand that tell something, in order.
struct Told {
    /// What went wrong.
    places: Vec<usize>,
    /// What only warns, leads there, or says so of nothing in particular.
    weak: Vec<usize>,
    /// That a task failed, which is known without saying.
    tasks: Vec<usize>,
}

impl Told {
    fn first(&self) -> Option<usize> {
        self.places.first().copied()
    }

    fn is_none(&self) -> bool {
        self.places.is_empty() && self.weak.is_empty()
    }
}

/// Where an exception stands, and where the row that says in which file it was raised.
type Raised = Option<(usize, usize)>;

impl<'o> Output<'o> {
    fn of(output: &'o str, is_whole: bool) -> Self {
        // Others mark so each test that failed.
        let is_report = output.lines().any(is_code);
        let has_words = is_report && output.lines().any(|row| reported(row.trim()).is_some());
        let says = |row: &&str| {
            let is_left = is_status(row) || is_data(row) || has_words && is_code(row);
            let is_left = is_left || is_closing_tag(row);
            !row.trim().is_empty() && !is_left
        };
        let rows: Vec<&str> = output.lines().map(str::trim_end).filter(says).collect();
        let traces = traces(&rows);
        let says_why = rows.iter().any(|row| row.starts_with(MARK));
        let is_many = rows.iter().filter(|row| only_names(row)).count() > FEW_NAMES;
        Self { rows, is_whole, is_report, traces, says_why, is_many }
    }

    fn row(&self, place: usize) -> &'o str {
        self.rows.get(place).copied().unwrap_or_default()
    }

    fn tells(&self, place: usize) -> bool {
        let row = self.row(place);
        let low = row.to_lowercase();
        let fits = (8..=400).contains(&row.len()) && !is_frame(row) && !passed(row);
        let is_words = self.is_report && reported(row.trim()).is_some();
        fits && (is_words || TELLING.iter().any(|word| low.contains(word)))
    }

    /// Whether what tells something tells little.
    fn is_weak(&self, place: usize) -> bool {
        let row = self.row(place);
        let is_code = self.traces.iter().any(|trace| trace.contains(&place))
            || self.says_why && ["> ", "    "].iter().any(|mark| row.starts_with(mark));
        let says_little = is_title(row) || warns(row) || is_well(row) || is_of_code(row);
        is_code || says_little || self.is_many && panicked(row).is_some()
    }

    fn told(&self) -> Told {
        let mut told: Vec<usize> =
            (0..self.rows.len()).filter(|place| self.tells(*place)).collect();
        if self.is_many {
            told = whys(&self.rows, told);
        }
        let (tasks, told): (Vec<usize>, Vec<usize>) =
            told.into_iter().partition(|place| says_a_task_failed(self.row(*place)));
        let (weak, mut places): (Vec<usize>, Vec<usize>) =
            told.into_iter().partition(|place| self.is_weak(*place));
        if places.first().is_none_or(|first| only_counts(self.row(*first))) {
            places.splice(0..0, found(&self.rows));
        }
        Told { places, weak, tasks }
    }

    /// Returns where the exception `first` was raised, in code that nobody else wrote.
    fn raised(&self, first: Option<usize>) -> Raised {
        let first = first?;
        let trace = self.traces.iter().find(|trace| trace.end == first)?;
        let is_place = |at: &usize| self.row(*at).trim_start().starts_with("File \"");
        let own = trace.clone().rev().filter(is_place).find(|at| !is_others(self.row(*at)));
        own.map(|place| (first, place))
    }

    /// Returns the places that are told, those first that tell most.
    fn kept(&self, told: Told, raised: Raised) -> Vec<usize> {
        let first = told.first();
        let Told { mut places, weak, tasks } = told;
        let after = |step: usize| first.map(|first| first + step);
        let place = after(1).filter(|at| names_a_place(self.row(*at)));
        let place = raised.map(|(_, place)| place).or(place);
        let mut keep: Vec<usize> =
            first.into_iter().chain(place).chain(places.last().copied()).collect();
        places.extend(weak);
        places.extend(&tasks);
        let says_more = |place: &usize| {
            let row = self.row(*place);
            !self.is_many || !only_names(row) && panicked(row).is_none()
        };
        let behind = after(1).into_iter().chain(after(2)).filter(says_more);
        keep.extend(places.iter().copied().chain(behind));
        if places.len() == tasks.len() {
            // What stands before that is the last that the task said.
            let before = tasks.first().and_then(|first| first.checked_sub(1));
            let end = keep.len().min(1);
            keep.splice(end..end, before);
        }
        keep
    }

    /// Returns the first of `keep` in the order of the output, and last where an exception was raised.
    fn chosen(&self, keep: Vec<usize>, most: usize, raised: Raised) -> Vec<String> {
        let mut chosen = distinct(&self.rows, keep, most);
        let is_raised = |place: usize| raised.filter(|(_, raised)| *raised == place);
        chosen.sort_unstable_by_key(|place| match is_raised(*place) {
            Some(_) => (true, *place),
            None => (false, *place),
        });
        let told = |row: &str| row.strip_prefix(MARK).unwrap_or(row).trim().to_owned();
        chosen.into_iter().map(|place| text::clip(&told(self.row(place)), LINE_CHARS)).collect()
    }
}

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
    fn what_is_wrong_is_told_rather_than_a_title_a_count_or_the_way_there() {
        let tests = "=== test session starts ===\n===== FAILURES =====\n_____ test_error _____\n\n    def test_error():\n>       assert add(1) == 2\nE       assert 1 == 2\n\ntest_a.py:3: AssertionError\n==== 1 failed in 0.1s ====\n";
        assert_eq!(telling(tests, 1), ["assert 1 == 2"]);
        let trace = "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n    check_error()\n  File \"b.py\", line 7, in check_error\n    next(rows)\nKeyError: 'x'\n";
        assert_eq!(telling(trace, 1), ["KeyError: 'x'"]);
        assert_eq!(telling(trace, 2), ["KeyError: 'x'", "File \"b.py\", line 7, in check_error"]);
        let counted = "F401 [*] `os` imported but unused\n --> a.py:1:8\n  |\nFound 1 error.\n";
        assert_eq!(telling(counted, 1), ["F401 [*] `os` imported but unused"]);
        let short = "a.py:1:8: F401 [*] `os` imported but unused\nFound 1 error.\n";
        assert_eq!(telling(short, 1), ["a.py:1:8: F401 [*] `os` imported but unused"]);
        assert_eq!(telling("all done\nFound 1 error.\n", 1), ["Found 1 error."]);
        let watched = "✓ lint in 30s (ID 1)\nX e2e in 2m11s (ID 3)\n  ✓ Set up job\n  X Run the tests\n  - Upload\n\nX Process completed with exit code 1.\ne2e: .ci#1\n";
        assert_eq!(telling(watched, 1), ["X e2e in 2m11s (ID 3)"]);
    }

    #[test]
    fn code_that_was_shown_beside_it_tells_of_no_failure() {
        let error = "src/run.rs:202:18: error: trailing semicolon in a macro";
        let shown = format!(
            "    // status: 0 = found, 1 = not found, 2 = real error.\n    \"{{}}: expected one failure\",\n{error}\nerror: could not compile `tool`\n"
        );
        assert_eq!(telling(&shown, 1), [error]);
        // Where nothing else tells, it is told.
        assert_eq!(telling("a\nb\nc\n// not found: x\n", 1), ["// not found: x"]);
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
        assert_eq!(telling(&warned, 1), [last.trim()]);
        assert_eq!(telling(&warned, 2), ["Run it with --write to mend it.", last.trim()]);
        let says = format!("a.c:3: error: no x\na.c:9: error: no y\n{last}");
        assert_eq!(telling(&says, 3)[..2], ["a.c:3: error: no x", "a.c:9: error: no y"]);
        assert_eq!(telling(last, 1), [last.trim()]);
        let rule = "make: *** No rule to make target 'x'.  Stop.\n";
        assert_eq!(telling(rule, 1), [rule.trim()]);
    }
}
