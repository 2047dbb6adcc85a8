//! The rows of an output that belong to a command: runners put the name of the task before each that it
//! printed, such as `[test:unit] `.

use std::borrow::Cow;
use std::collections::HashMap;

/// Labels that tell how grave a row is, not which task printed it.
const LEVELS: &[&str] = &["debug", "error", "info", "note", "success", "trace", "warn", "warning"];

/// How many commands a line may have of which each is given its own rows.
const MOST_COMMANDS: usize = 8;

/// Returns the rows that the command at `at` of a line may have printed, without labels: not those whose
/// label belongs to another of its commands.
pub(super) fn rows_of<'o>(
    commands: &[(String, String)],
    at: usize,
    output: &'o str,
) -> Cow<'o, str> {
    let is_plain = !output.starts_with('[') && !output.contains("\n[");
    if is_plain || commands.len() > MOST_COMMANDS {
        return Cow::Borrowed(output);
    }
    let rows: Vec<(Option<&str>, &str)> = output.split_inclusive('\n').map(labelled).collect();
    if rows.iter().all(|(label, _)| label.is_none()) {
        return Cow::Borrowed(output);
    }
    let is_of = |label: &str, at: usize| {
        let belongs = |word: &str| {
            label.strip_prefix(word).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
        };
        commands[at].0.split_whitespace().any(belongs)
    };
    let counts =
        |label: &str| is_of(label, at) || !(0..commands.len()).any(|other| is_of(label, other));
    rows.iter().filter(|(label, _)| label.is_none_or(counts)).map(|(_, row)| *row).collect()
}

/// What programs print that have run all and wait for changes of files to run it again.
const THROUGH: &str = "Waiting for file changes";
/// What they print when they do.
const AGAIN: &str = "RERUN";

/// Whether an output says that all ran, though the program goes on.
pub(super) fn is_through(output: &str) -> bool {
    output.rfind(THROUGH).is_some_and(|at| !output[at..].contains(AGAIN))
}

/// Whether an output says how many tests there are, such as by `1..12`, and does not tell of as many, or
/// that some begin and not how they ended: of each runner, where runners within runners put labels before
/// their rows.
pub(super) fn is_short(output: &str) -> bool {
    runners(output).values().any(|told| told.tests < told.planned || told.has_begun)
}

/// Whether an output says how many tests there are, and tells of as many: what it still runs is none of them.
pub(super) fn is_whole(output: &str) -> bool {
    let runners = runners(output);
    let is_all = |told: &Told| told.tests >= told.planned && !told.has_begun;
    runners.values().any(|told| told.planned > 0) && runners.values().all(is_all)
}

/// Returns what each runner told of its tests, by the labels before its rows.
fn runners(output: &str) -> HashMap<&str, Told> {
    let mut runners: HashMap<&str, Told> = HashMap::new();
    for whole in output.lines() {
        let (mut label, mut row) = labelled(whole);
        while label.is_some() {
            (label, row) = labelled(row);
        }
        runners.entry(&whole[..whole.len() - row.len()]).or_default().take(row);
    }
    runners
}

/// What a runner told of its tests.
#[derive(Default)]
struct Told {
    planned: usize,
    tests: usize,
    /// How many tests had been told of when it told the plan before.
    before: usize,
    /// Whether it began some and did not tell how they ended.
    has_begun: bool,
}

impl Told {
    fn take(&mut self, row: &str) {
        self.tests += usize::from(row.starts_with("ok ") || row.starts_with("not ok "));
        let plan = row.strip_prefix("1..").and_then(|count| count.trim_end().parse().ok());
        if let Some(plan) = plan {
            self.plan(plan);
        }
        let begins = row.strip_prefix("running ").and_then(|row| row.split_once(" test"));
        let begins = begins.is_some_and(|(count, _)| count.parse::<usize>().is_ok());
        self.has_begun = begins || self.has_begun && !row.starts_with("test result: ");
    }

    /// Takes a plan: where tests were told since the one before, it is another's, else what is told twice,
    /// as a part and in the whole, plans no more.
    fn plan(&mut self, plan: usize) {
        let is_other = self.planned > 0 && self.tests > self.before;
        self.planned =
            if is_other { self.planned.saturating_add(plan) } else { self.planned.max(plan) };
        self.before = self.tests;
    }
}

/// Takes the label off a row.
fn labelled(row: &str) -> (Option<&str>, &str) {
    let split = row.strip_prefix('[').and_then(|row| row.split_once("] "));
    let is_plain =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b":_.-".contains(&byte);
    let is_name = |label: &str| {
        label.starts_with(|c: char| c.is_ascii_lowercase())
            && label.bytes().all(is_plain)
            && !LEVELS.contains(&label)
    };
    split.filter(|(label, _)| is_name(label)).map_or((None, row), |(label, row)| (Some(label), row))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_that_were_planned_and_not_run_are_missed() {
        assert!(is_short("1..3\nok 1 a\nnot ok 2 b\n") && !is_short("1..2\nok 1 a\nnot ok 2 b\n"));
        assert!(!is_short("ok 1 a\n"));
        // Also where several runners, within another, each have their own.
        let two = "[bats] [bats:a] 1..1\n[bats] [bats:a] ok 1 x\n[bats] [bats:b] 1..2\n[bats] [bats:b] ok 1 y\n";
        assert!(is_short(two) && !is_short(&format!("{two}[bats] [bats:b] ok 2 z\n")));
        assert!(!is_short("1..2\n1..2\nok 1 a\nok 2 b\n"));
        let another = "1..3\nok 1 a\nok 2 b\nok 3 c\n1..2\nok 1 d\n";
        assert!(is_short(another) && !is_short(&format!("{another}ok 2 e\n")));
        assert!(!is_short("ok 1 a\nok 2 b\n1..2\nok 1 c\n1..1\n"));
        let begun = "running 3 tests\ntest a ... ok\n\ntest result: ok. 3 passed\n\n";
        assert!(!is_short(begun) && is_short(&format!("{begun}running 1 test\n")));
        assert!(!is_short("running tests\nrunning late\n"));
    }

    #[test]
    fn each_task_has_its_own_rows() {
        let commands = |line: &str| crate::derive::shell::joined(line);
        let of = |line: &str, at: usize, output: &'static str| rows_of(&commands(line), at, output);
        let output = "[lint] 1 passed\n[test:bats] not ok 1 a\n[error] it failed\n[ 5%] x\nend\n";
        let others = "[error] it failed\n[ 5%] x\nend\n";
        assert_eq!(of("mise run lint && mise run test", 0, output), format!("1 passed\n{others}"));
        assert_eq!(
            of("mise run lint && mise run test", 1, output),
            format!("not ok 1 a\n{others}")
        );
        // What it ran on its way may have failed, too.
        assert_eq!(of("mise run test", 0, output), format!("1 passed\nnot ok 1 a\n{others}"));
        assert_eq!(of("mise run all", 0, output), format!("1 passed\nnot ok 1 a\n{others}"));
        assert_eq!(of("mise run build && mise run test", 0, output), format!("1 passed\n{others}"));
        assert!(matches!(of("make all", 0, "[ERROR] a\n[INFO] b\n"), Cow::Borrowed(_)));
    }
}
