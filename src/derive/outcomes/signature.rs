//! What went wrong in a run, on one line that is the same the next time.

use std::borrow::Cow;

use super::recognise::Failing;
use crate::derive::differs::says_a_task_failed;
use crate::derive::pattern::Pattern;
use crate::derive::{symptoms, text};

/// The lines by which a program says in a fixed form what went wrong, the surest first.
static FORMS: [Pattern; 12] = [
    // Exceptions of Python end a traceback.
    Pattern::new(r"^(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Exit|NotFound|Interrupt): \S.*$"),
    // Exceptions of JavaScript and of the JVM, also uncaught ones.
    Pattern::new(r"^(?:Uncaught )?(?:[\w.$]+\.)?\w*(?:Error|Exception)(?: \[\w+\])?: \S.*$"),
    Pattern::new(r"^thread '[^'\n]*'(?: \(\d+\))? panicked at .*(?:\n.*)?$"),
    // Why git did not push; that it failed to stands below.
    Pattern::new(r"^ ?! \[(?:remote )?rejected\] \S.*$"),
    // What ended by itself neither says so at the start of a row, nor at its end.
    Pattern::new(r"\(signal: \d+, SIG[A-Z]+[^)\n]*\)"),
    Pattern::new(r"\berror: Undefined Behavior: .*$"),
    Pattern::new(r"^FATAL ERROR: .* out of memory.*$"),
    Pattern::new(r"^error(?:\[[\w:-]+\])?: \S.*$"),
    Pattern::new(r"^[^\s:]+:\d+(?::\d+)?: (?:fatal )?error:? \S.*$"),
    Pattern::new(r"^panic: \S.*$"),
    Pattern::new(r"^(?:npm|pnpm|yarn) (?:ERR!|error) \S.*$"),
    // A script went on without what its shell did not find.
    Pattern::new(r"^[^\n]{1,120}: line \d+: \S+: command not found$"),
];

/// What differs from run to run: times, addresses, long numbers, digests.
static CHANGING: Pattern = Pattern::new(
    r"0x[0-9a-fA-F]+|\b[0-9a-f]{12,}\b|\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S*|\b\d{4,}\b|:\d+:\d+\b|\b[\d.]+m?s\b",
);

/// The longest signature, in characters.
const LONGEST: usize = 200;

/// Returns the signature of a failed run, if something in a fixed form tells it.
pub(super) fn signature(failing: &[Failing], output: &str) -> Option<String> {
    if let Some(first) = failing.first() {
        return Some(normal(&first.id));
    }
    let output = &*without_tasks(symptoms::without_changes(output));
    let found = FORMS.iter().find_map(|form| form.find(output))?;
    Some(in_words(found, output).unwrap_or_else(|| normal(found)))
}

/// Returns an output without the rows that say only that a task failed.
fn without_tasks(output: Cow<'_, str>) -> Cow<'_, str> {
    if !output.lines().any(says_a_task_failed) {
        return output;
    }
    let rows: Vec<&str> = output.lines().filter(|row| !says_a_task_failed(row)).collect();
    Cow::Owned(rows.join("\n"))
}

/// Returns in words what a line tells by a code alone, from the report that begins with it.
fn in_words(line: &str, output: &str) -> Option<String> {
    let behind = &output[output.find(line)? + line.len()..];
    let mut rows = behind.lines().map(str::trim).filter(|row| !row.is_empty()).take(REPORT_ROWS);
    if !symptoms::is_code(line) {
        return None;
    }
    let first = rows.next()?;
    let told = symptoms::reported(first).or_else(|| (first == CAUSED).then(|| rows.next())?)?;
    let cause = rows.filter_map(|row| row.strip_prefix("╰─▶ ")).last();
    Some(normal(&cause.map_or(told.to_owned(), |cause| format!("{told}: {cause}"))))
}

/// How many rows of a report are looked at.
const REPORT_ROWS: usize = 12;
/// What stands before the cause of an error.
const CAUSED: &str = "Caused by:";

/// How a program that is not there is told of, at the end of an output.
static UNSTARTED: Pattern = Pattern::new(
    r"^[^\n]{0,200}(?:\bNo module named \S+|\bcommand not found(?:: \S+)?|\bis not recognized as (?:an internal|the name of)[^\n]*)\s*\z",
);

/// Returns the line by which an output ends that says that nothing was run.
pub(super) fn unstarted(output: &str) -> Option<String> {
    UNSTARTED.find(output).map(normal)
}

/// Returns the line that tells most of a failure without a fixed form, if one tells of any.
pub(super) fn told(output: &str) -> Option<String> {
    let best = symptoms::telling(output, 1).into_iter().next()?;
    let more = || symptoms::telling(output, MORE).into_iter().find(|line| !symptoms::is_well(line));
    if symptoms::is_well(&best) { more() } else { Some(best) }.map(|line| normal(&line))
}

/// Of how many lines one is taken where the first says that all is well.
const MORE: usize = 4;
/// Returns the line by which a program says that something failed, where it says of how much; other such words
/// tell less than what stands beside them.
pub(super) fn counted(bad: &str) -> Option<String> {
    let line = normal(bad);
    line.contains(|c: char| c.is_ascii_digit()).then_some(line)
}

/// How lines tell that another machine did not answer, in lower case.
const OUTSIDE: &[&str] = &[
    "could not resolve host",
    "couldn't resolve host",
    "temporary failure in name resolution",
    "nodename nor servname provided",
    "name or service not known",
    "enotfound",
    "etimedout",
    "network is unreachable",
    "network is down",
    "no route to host",
    "connection reset by peer",
    "connection timed out",
    "tls handshake timeout",
    "failed to download",
    "error downloading",
    "502 bad gateway",
    "503 service unavailable",
    "504 gateway time",
];

/// Whether an error lies in the network or on another machine, where no change of a file mends it.
pub(super) fn is_outside(error: &str) -> bool {
    let low = error.to_lowercase();
    OUTSIDE.iter().any(|told| low.contains(told))
}

/// Takes out what differs from run to run.
pub(super) fn normal(line: &str) -> String {
    text::line(&CHANGING.replaced(line, "…"), LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_compiles() {
        assert!(FORMS.iter().chain([&CHANGING, &UNSTARTED]).all(Pattern::is_sound));
    }

    #[test]
    fn the_surest_line_is_taken_without_what_changes() {
        let trace = "error: see below\nTraceback (most recent call last):\n  File \"a.py\", line 3\nValueError: no id 123456 at 0x7f3a\n";
        assert_eq!(signature(&[], trace).as_deref(), Some("ValueError: no id … at …"));
        assert_eq!(signature(&[], "it went wrong\nsome error here\n"), None);
        let failing = [Failing { id: "parser::empty".to_owned(), why: None }];
        assert_eq!(signature(&failing, trace).as_deref(), Some("parser::empty"));
    }

    #[test]
    fn a_report_is_told_by_its_words() {
        let report = "Error: tool::command::failed\n\n  × `make it` could not be run\n  ├─▶ one\n  ╰─▶ No such file\n  help: try\n";
        let told = "`make it` could not be run: No such file";
        assert_eq!(signature(&[], report).as_deref(), Some(told));
        let caused = "Error: tool::failed\nCaused by:\n    no such key\n";
        assert_eq!(signature(&[], caused).as_deref(), Some("no such key"));
        let alone = "Error: tool::failed\nnext\n";
        assert_eq!(signature(&[], alone).as_deref(), Some("Error: tool::failed"));
        let missing = "1..3\nlib/suite: line 31: parallel: command not found\n# bats\n";
        let told = "lib/suite: line 31: parallel: command not found";
        assert_eq!(signature(&[], missing).as_deref(), Some(told));
        let other = format!("error: no such table\n{missing}");
        assert_eq!(signature(&[], &other).as_deref(), Some("error: no such table"));
        let shown = "@@ -1 +1 @@\n+error: x\n+TypeError: no\nwarn: style\n";
        assert_eq!(signature(&[], shown), None);
    }

    #[test]
    fn a_signal_says_more_than_that_something_failed() {
        let cargo = "error: test failed, to rerun pass `--lib`\n\nCaused by:\n  process didn't exit successfully: `/p/core-1f2e` (signal: 11, SIGSEGV: invalid memory reference)\n";
        let told = "(signal: 11, SIGSEGV: invalid memory reference)";
        assert_eq!(signature(&[], cargo).as_deref(), Some(told));
        let miri = "test a ... error: Undefined Behavior: out-of-bounds pointer use\nerror: aborting due to 1 previous error\n";
        let told = "error: Undefined Behavior: out-of-bounds pointer use";
        assert_eq!(signature(&[], miri).as_deref(), Some(told));
    }

    #[test]
    fn a_line_that_all_is_well_tells_of_no_failure() {
        let mix = "2 tests, 0 failures\n\nCoverage test failed, threshold not met:\n";
        assert_eq!(told(mix).as_deref(), Some("Coverage test failed, threshold not met:"));
        assert_eq!(told("ok  \tp/util\t0.004s\nFAIL\n").as_deref(), Some("FAIL"));
        assert_eq!(
            told("5 passed, 2 failed, 0 errors\n").as_deref(),
            Some("5 passed, 2 failed, 0 errors")
        );
    }

    #[test]
    fn what_another_machine_did_not_answer_is_outside() {
        assert!(is_outside("curl: (6) Could not resolve host: crates.example"));
        assert!(is_outside("error: failed to download from `https://crates.example/x/1.0.0`"));
        assert!(is_outside("npm ERR! code ENOTFOUND"));
        assert!(!is_outside("error[E0425]: cannot find value `network`"));
        assert!(!is_outside("ConnectionRefusedError: [Errno 111] Connection refused"));
    }

    #[test]
    fn why_git_did_not_push_is_told() {
        let pushed = "To x:y.git\n ! [remote rejected] master -> master (protected branch)\nerror: failed to push some refs to 'x:y.git'\n";
        let told = "! [remote rejected] master -> master (protected branch)";
        assert_eq!(signature(&[], pushed).as_deref(), Some(told));
        assert_eq!(super::told(pushed).as_deref(), Some(told));
    }

    #[test]
    fn a_line_of_its_program_that_counts_tells_what_failed() {
        assert_eq!(counted("Fail:               2   ").as_deref(), Some("Fail: 2"));
        assert_eq!(counted("BUILD FAILED in 3s"), None);
    }

    #[test]
    fn what_did_not_start_says_so_last() {
        let told = unstarted("/usr/bin/python: No module named pytest\n");
        assert_eq!(told.as_deref(), Some("/usr/bin/python: No module named pytest"));
        assert!(unstarted("zsh:1: command not found: bats\n").is_some());
        assert_eq!(unstarted("zsh:1: command not found: bats\n3 passed\n"), None);
    }
}
