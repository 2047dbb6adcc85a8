//! The programs of the table that are met less often, and rare ends of the others, by outputs as they print
//! them, without an exit code.

use super::super::recognise::{Ended, named, seen};
use super::super::runs::main;
use super::looking::LOOKING;
use super::testing::TESTING;
use crate::derive::pattern::Pattern;

/// Outputs, each behind a line such as `@@@ pass: npx jest`.
const OUTPUTS: [&str; 3] = [
    include_str!("../../../../fixtures/outputs/testing.txt"),
    include_str!("../../../../fixtures/outputs/testing-rarer.txt"),
    include_str!("../../../../fixtures/outputs/looking.txt"),
];

/// A command, what it printed, and how it ended by that: unknown also where no test ran. Where its exit code is 0,
/// nothing else is said than that it passed.
struct Case {
    command: &'static str,
    output: &'static str,
    ended: Ended,
    is_well: bool,
}

fn cases() -> impl Iterator<Item = Case> {
    OUTPUTS.iter().flat_map(|all| all.split("@@@ ").skip(1)).map(|case| {
        let (head, output) = case.split_once('\n').unwrap();
        let (ended, command) = head.split_once(": ").unwrap();
        let is_well = ended == "zero";
        let ended = match ended {
            "pass" | "zero" => Ended::Passed,
            "fail" => Ended::Failed,
            _ => Ended::Unknown,
        };
        Case { command, output, ended, is_well }
    })
}

/// Returns how a command ended, by its output alone, and the row that tells it.
fn told(case: &Case) -> (Ended, &'static str) {
    let told = seen(&named(case.command), case.output, case.is_well);
    let silent = if case.is_well { Ended::Passed } else { Ended::Unknown };
    main(&told).map_or((silent, ""), |seen| (seen.ended, seen.name))
}

#[test]
fn outputs_of_many_programs_are_told() {
    let wrong = cases().filter(|case| told(case).0 != case.ended);
    let wrong: Vec<_> = wrong.map(|case| format!("{}: {}", case.command, case.output)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_row_is_tried() {
    let tried: Vec<_> = cases().map(|case| told(&case).1).collect();
    let all = TESTING.iter().chain(LOOKING).map(|row| row.name);
    let left: Vec<_> = all.filter(|name| !tried.contains(name)).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn every_pattern_is_sound() {
    for row in TESTING.iter().chain(LOOKING) {
        for pattern in [
            row.summary,
            row.bad,
            row.stops,
            row.finds,
            row.good,
            row.none,
            row.skipped,
            row.tasks,
            row.failing,
        ] {
            assert!(Pattern::new(pattern).is_sound(), "{}: {pattern}", row.name);
        }
    }
}

#[test]
fn a_warning_is_no_test_that_failed() {
    let output = "  ● Deprecation Warning:\n\nFAIL a.test.js\n  ● Validation Warning:\n\n  ● adds\n\nTests:       1 failed, 1 total\n";
    let found = seen(&["jest"], output, false);
    let ids: Vec<_> = found[0].failing.iter().map(|one| one.id.as_str()).collect();
    assert_eq!(ids, ["a.test.js › adds"]);
}

#[test]
fn what_stopped_in_a_script_that_ended_well_did_not_pass() {
    let fails = |output: &str| {
        seen(&[], output, true).iter().any(|seen| (seen.name, seen.ended) == ("cc", Ended::Failed))
    };
    let found = "a.c:3:4: error: expected ';'\n";
    assert!(fails(&format!("{found}make: *** [Makefile:3: a.o] Error 1\nDone.\n")));
    assert!(fails(&format!("{found}ninja: build stopped: subcommand failed.\n")));
    // What was only found, or was let pass.
    assert!(!fails(found));
    let let_pass =
        "make[1]: *** [Makefile:3: a.o] Error 1\nmake: [Makefile:7: all] Error 2 (ignored)\n";
    assert!(!fails(&format!("{found}{let_pass}")));
}

#[test]
fn tests_that_did_not_come_to_their_end_are_errors() {
    let told = |name, output: &str| {
        let found = seen(&[name], output, false);
        (found[0].failed, found[0].errors)
    };
    assert_eq!(
        told("pytest", "1074 passed, 1 warning, 79 errors in 140.01s (0:02:20)\n"),
        (79, 79)
    );
    assert_eq!(told("pytest", "3 failed, 1 passed, 2 errors in 1.2s\n"), (5, 2));
    assert_eq!(told("pytest", "3 failed, 1 passed in 1.2s\n"), (3, 0));
}
