//! Variables without which commands did not work.

use std::collections::BTreeSet;

use super::Outcomes;
use super::asked::Around;
use super::checks::Edit;
use super::gap::Gap;
use super::recognise::Ended;
use super::run::Run;
use crate::derive::shell;
use crate::derive::timeline::{Done, Timeline};
use crate::derive::verify::is_check;

/// Finds the variables by which a command passed that had failed without them, where nothing else was done in between.
pub(super) fn needed(timeline: &Timeline<'_>, runs: &[Run], edits: &[Edit]) -> BTreeSet<String> {
    let calls: Vec<_> = timeline.done().collect();
    let mut names = BTreeSet::new();
    let may_be = |run: &Run| run.ended == Ended::Passed && run.asked.around().has_places();
    for (at, run) in runs.iter().enumerate().filter(|(_, run)| may_be(run)) {
        let mut before = runs[..at].iter().rev();
        let same = before.find(|one| one.command == run.command && one.over < run.began);
        names.extend(same.map(|first| mended_by(first, run, &calls, edits)).unwrap_or_default());
    }
    names
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
    let is_between = |edit: &Edit| (first.over..=later.began).contains(&edit.index);
    // Of a test that failed by itself nobody knows what mended it.
    let is_known = !beside.is_empty()
        && (first.ended, later.ended) == (Ended::Failed, Ended::Passed)
        && first.failing.is_empty()
        && !edits.iter().any(is_between)
        && gap.between().only_makes_folders();
    if is_known { beside } else { Vec::new() }
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

    /// Returns the command of a run with all of these.
    pub(super) fn told_whole(&self, run: &Run) -> String {
        run.asked.around().places(&self.needed) + &run.told()
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
