//! Variables and rights without which commands did not work.

use std::collections::BTreeSet;

use super::Outcomes;
use super::acts::otherwise;
use super::asked::Around;
use super::checks::Edit;
use super::common::is_refusal;
use super::gap::Gap;
use super::recognise::Ended;
use super::run::Run;
use crate::derive::checking::is_check;
use crate::derive::shell;
use crate::derive::timeline::{Done, Timeline};

/// Notes of each run what stood before it, or was given to it, without which its command did not work; returns the
/// names of the variables.
pub(super) fn note(timeline: &Timeline<'_>, runs: &mut [Run], edits: &[Edit]) -> BTreeSet<String> {
    let calls: Vec<_> = timeline.done().collect();
    let needed = needed(&calls, runs, edits);
    let given = |(at, run): (usize, &Run)| {
        let first = without_rights(runs, at).filter(|first| first.refused().is_some())?;
        let passed = run.ended == Ended::Passed && run.has_rights;
        otherwise(calls.get(first.began)?, calls.get(run.began)?).filter(|_| passed)
    };
    let given: Vec<_> = runs.iter().enumerate().map(given).collect();
    for (run, given) in runs.iter_mut().zip(given) {
        run.needs = run.asked.around().places(&needed);
        run.given = given;
    }
    needed
}

/// Finds the variables by which a command passed that had failed without them, where nothing else was done in
/// between, or where it had been refused what such a variable has it do elsewhere.
fn needed(calls: &[Done<'_>], runs: &[Run], edits: &[Edit]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    // Tests that failed did run.
    let was_let = |run: &Run| {
        run.ended == Ended::Passed
            || run.ended == Ended::Failed && tells_tests(run) && run.refused().is_none()
    };
    let may_be = |run: &Run| was_let(run) && run.asked.around().has_places();
    for (at, run) in runs.iter().enumerate().filter(|(_, run)| may_be(run)) {
        let Some(first) = before(runs, at) else { continue };
        let beside = || run.asked.around().places_beside(first.asked.around());
        let was_refused = was_refused(first, calls) && !run.has_rights;
        let is_changed = edits.iter().any(|edit| is_between(edit, first, run));
        names.extend(if was_refused && !is_changed {
            beside()
        } else {
            mended_by(first, run, calls, edits)
        });
    }
    names
}

/// Whether a run names tests that failed, or told how many there were.
fn tells_tests(run: &Run) -> bool {
    !run.failing.is_empty() || run.unit == "test" && (run.failed > 0 || run.total.is_some())
}

/// Whether the environment of a run refused something by which it failed, for all that is known.
fn was_refused(run: &Run, calls: &[Done<'_>]) -> bool {
    let says_so = || calls.get(run.began).is_some_and(|done| is_refusal(&done.output()));
    match run.ended {
        Ended::Failed => run.refused().is_some(),
        Ended::Unknown => says_so(),
        Ended::Passed => false,
    }
}

/// Returns the last run of the same command before another one.
fn before(runs: &[Run], at: usize) -> Option<&Run> {
    let run = &runs[at];
    runs[..at].iter().rev().find(|one| one.command == run.command && one.over < run.began)
}

/// Returns the last run of the same command before another one that was given no rights.
fn without_rights(runs: &[Run], at: usize) -> Option<&Run> {
    let run = &runs[at];
    let is_it = |one: &&Run| one.command == run.command && one.over < run.began && !one.has_rights;
    runs[..at].iter().rev().find(is_it)
}

/// Returns the variables without which a command failed and with which it passed.
pub(super) fn mended_by(
    first: &Run,
    later: &Run,
    calls: &[Done<'_>],
    edits: &[Edit],
) -> Vec<String> {
    let beside = later.asked.around().places_beside(first.asked.around());
    let gap = Gap {
        calls,
        first: first.ran(),
        later: later.ran(),
        command: &later.command,
        changed: String::new(),
        is_outside: false,
    };
    // Of a test that failed by itself nobody knows what mended it.
    let is_known = !beside.is_empty()
        && (first.ended, later.ended) == (Ended::Failed, Ended::Passed)
        && first.failing.is_empty()
        && !edits.iter().any(|edit| is_between(edit, first, later))
        && gap.between().only_makes_folders();
    if is_known { beside } else { Vec::new() }
}

/// Whether a file was changed between two runs.
fn is_between(edit: &Edit, first: &Run, later: &Run) -> bool {
    (first.over..=later.began).contains(&edit.index)
}

impl Outcomes {
    /// Returns the commands on the line of a call that matter, each with the variables that are set for it and say
    /// what it does, or to what.
    pub(in crate::derive) fn with_variables(done: &Done<'_>) -> Vec<(String, String)> {
        with(done, &BTreeSet::new())
    }

    /// Returns the same with those without which commands did not work.
    pub(in crate::derive) fn with_needed(&self, done: &Done<'_>) -> Vec<(String, String)> {
        with(done, &self.needed)
    }
}

fn with(done: &Done<'_>, needed: &BTreeSet<String>) -> Vec<(String, String)> {
    let Some(line) = done.command().filter(|line| line.contains('=')) else {
        return Vec::new();
    };
    let joined = shell::joined(line);
    let around = Around::of_last(done, joined.len());
    let told = |((part, _), around): ((String, String), Around)| {
        let set = if is_check(&part) { around.set() } else { around.set_for_act() };
        (part, around.places(needed) + &set)
    };
    joined.into_iter().zip(around).map(told).rev().collect()
}
