//! What came of calls, in a few words.

use std::collections::{HashMap, HashSet};

use super::outcomes::{Ended, Run};
use super::timeline::{Done, Timeline};
use super::written::{Changed, changed};
use super::{checking, files, text};

/// How many files are named.
const TINY_FILES: usize = 4;

/// Says which files were changed, whether that was committed, and how it was checked; `checks` has the
/// last check that each call ran, by the number of the call.
pub(super) fn of(
    timeline: &Timeline<'_>,
    checks: &HashMap<usize, &Run>,
    calls: &[&Done<'_>],
) -> Vec<String> {
    let told =
        [changed_in(timeline, calls), committed(timeline, calls), checked(timeline, checks, calls)];
    told.into_iter().flatten().collect()
}

/// Whether nothing was changed or committed, and no check failed.
pub(super) fn only_looked(
    timeline: &Timeline<'_>,
    checks: &HashMap<usize, &Run>,
    calls: &[&Done<'_>],
) -> bool {
    let fails = |done: &&Done<'_>| match checks.get(&done.index) {
        Some(run) => run.ended == Ended::Failed,
        None => failed(timeline, done).is_some(),
    };
    changed_in(timeline, calls).is_none()
        && committed(timeline, calls).is_none()
        && !calls.iter().any(fails)
}

/// Says how the last command ended that tests or builds; where that is known of none, which ran.
fn checked(
    timeline: &Timeline<'_>,
    checks: &HashMap<usize, &Run>,
    calls: &[&Done<'_>],
) -> Option<String> {
    let mut unknown = None;
    let told = calls.iter().rev().find_map(|done| {
        let Some(run) = checks.get(&done.index) else {
            return failed(timeline, done);
        };
        let line = text::line(&run.told(), 60);
        match (run.ended, exit_code(done)) {
            (Ended::Passed, _) => Some(format!("`{line}` passed")),
            (Ended::Failed, Some(code)) => Some(format!("`{line}` exit {code}")),
            (Ended::Failed, None) => Some(format!("`{line}` failed")),
            (Ended::Unknown, _) => {
                unknown.get_or_insert(format!("ran `{line}`"));
                None
            }
        }
    });
    told.or(unknown)
}

/// Names the files that were changed, in the order of their first change.
fn changed_in(timeline: &Timeline<'_>, calls: &[&Done<'_>]) -> Option<String> {
    let mut seen = HashSet::new();
    let paths = calls.iter().flat_map(|done| changed_by(timeline, done));
    let mut paths: Vec<_> = paths.filter(|path| seen.insert(path.clone())).collect();
    // Scratch files lie elsewhere.
    paths.sort_by_key(|path| files::is_outside(path));
    let named = paths.iter().take(TINY_FILES).cloned().collect::<Vec<_>>().join(", ");
    match paths.len().saturating_sub(TINY_FILES) {
        _ if paths.is_empty() => None,
        0 => Some(format!("changed {named}")),
        more => Some(format!("changed {named} and {more} more")),
    }
}

/// Returns the files that a call changed; of what a command line wrote, those of the project.
fn changed_by(timeline: &Timeline<'_>, done: &Done<'_>) -> Vec<String> {
    let is_told = |one: &Changed| !one.by_shell || !files::is_outside(&one.path);
    changed(timeline, done).into_iter().filter(is_told).map(|one| one.path).collect()
}

/// Says that something was committed, by the commands that worked.
fn committed(timeline: &Timeline<'_>, calls: &[&Done<'_>]) -> Option<String> {
    let is_commit = |done: &&&Done<'_>| {
        let parts = timeline.parts(done);
        !done.failed() && parts.iter().any(|part| part.starts_with("git commit"))
    };
    match calls.iter().filter(is_commit).count() {
        0 => None,
        1 => Some("committed".to_owned()),
        times => Some(format!("committed {times}×")),
    }
}

/// Returns the exit code of a call that failed.
fn exit_code(done: &Done<'_>) -> Option<i64> {
    done.at_end().result?.exit_code.filter(|code| *code != 0)
}

/// Says that a command failed that tests or builds.
fn failed(timeline: &Timeline<'_>, done: &Done<'_>) -> Option<String> {
    let how = match exit_code(done) {
        Some(code) => format!("exit {code}"),
        None if done.at_end().failed() => "failed".to_owned(),
        None => return None,
    };
    let part = timeline.parts(done).iter().find(|part| runs_a_check(part))?;
    Some(format!("`{}` {how}", text::line(part, 60)))
}

/// Tells whether a command tests or builds by its first words: a file or a branch that is called so
/// says nothing.
fn runs_a_check(part: &str) -> bool {
    let words = part.split_whitespace().take(4).filter(|word| !word.contains(['/', '.']));
    let words = words.collect::<Vec<_>>().join(" ");
    !words.starts_with("git ") && checking::is_check(&words)
}
