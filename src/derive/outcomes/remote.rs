//! Runs elsewhere, of which the session read the log: what failed there, and which run here shows
//! that it is mended.
//!
//! Such a run says nothing of how the work stands here, so that it is no check; it only begins the
//! story of an error that was mended.

use std::borrow::Cow;

use super::asked::Asked;
use super::recognise::{self, Ended};
use super::run::Run;
use super::runs::main;
use super::signature;
use super::sounds::CHECKING;
use crate::derive::pattern::Pattern;
use crate::derive::shell;
use crate::derive::timeline::{Done, Timeline};

/// How a line says that a step failed.
const ERROR: &str = "##[error]";
/// How a line says what a step runs.
const STEP: &str = "##[group]Run ";

/// A run on another machine.
#[derive(Clone, Debug)]
pub(in crate::derive) struct Remote {
    /// The name of the job; empty where the log does not tell it.
    job: String,
    /// What the step ran that failed, if the log tells a command.
    command: Option<String>,
}

/// What stands before a line of a log: its number where it was searched for, its job and its step,
/// and the time; and marks of colours, as they are written where there is no terminal.
static LEAD: Pattern = Pattern::new(
    r"^(?:\d+[:-])?(?:(?P<job>[^\t\n]{1,200})\t[^\t\n]*\t)?\x{feff}?\d{4}-\d\d-\d\dT\d\d:\d\d:[\d.]+Z ?|\^\[\[[\d;]*m",
);

/// Tells whether a command shows the log of a run on another machine.
fn shows_log(part: &str) -> bool {
    (part.starts_with("gh run view ") && part.contains("--log"))
        || (part.starts_with("gh api ") && part.contains("/jobs/") && part.contains("/logs"))
        || part.starts_with("glab ci trace ")
}

/// Returns the lines of a log without what stands before each, and without the settings of its steps, where a call
/// shows one.
pub(in crate::derive) fn bare_log(
    timeline: &Timeline<'_>,
    done: &Done<'_>,
    output: &str,
) -> Option<String> {
    let is_log = timeline.parts(done).iter().any(|part| shows_log(part));
    is_log.then(|| without_settings(&LEAD.replaced(output, "")))
}

/// How a line ends what is folded away.
const STEP_END: &str = "##[endgroup]";

/// Leaves out with which settings a step runs: what stands behind its name, if its end is there.
fn without_settings(log: &str) -> String {
    let mut kept = String::with_capacity(log.len());
    let mut rest = log;
    while let Some((before, step)) = rest.split_once(STEP) {
        let to = step.find(STEP_END).filter(|to| !step[..*to].contains("##[group]"));
        kept.extend([before, STEP]);
        let (name, _) = step.split_once('\n').unwrap_or((step, ""));
        kept.push_str(to.map_or("", |_| name));
        rest = to.map_or(step, |to| &step[to + STEP_END.len()..]);
    }
    kept.push_str(rest);
    kept
}

/// How many of the last logs are looked at.
const MOST: usize = 50;

/// Finds the runs that failed elsewhere, in the order in which their logs were read.
pub(super) fn failed(timeline: &Timeline<'_>) -> Vec<Run> {
    let mut last: Vec<_> =
        timeline.done().rev().filter_map(|done| of_log(timeline, &done)).take(MOST).collect();
    last.reverse();
    last
}

fn of_log(timeline: &Timeline<'_>, done: &Done<'_>) -> Option<Run> {
    let command = timeline.parts(done).iter().find(|part| shows_log(part))?;
    let output = done.output();
    let error = output.lines().find(|line| line.contains(ERROR))?;
    let job = LEAD.groups(error).and_then(|found| Some(found.named("job")?.to_owned()));
    let plain = LEAD.replaced(&output, "");
    let remote = Remote { job: job.unwrap_or_default(), command: step(&plain) };
    let told = recognise::seen(&[], &plain, false);
    let main = main(&told).filter(|seen| seen.ended == Ended::Failed);
    let failing = main.map(|seen| seen.failing.clone()).unwrap_or_default();
    let signature = signature::signature(&failing, &plain).or_else(|| finding(&plain));
    Some(Run {
        family: main.map_or("", |seen| seen.name),
        unit: main.map_or("", |seen| seen.unit),
        ended: Ended::Failed,
        failed: main.map_or(0, |seen| seen.failed),
        errors: main.map_or(0, |seen| seen.errors),
        signature,
        failing,
        remote: Some(remote),
        ..Run::of_call(done, command)
    })
}

/// A finding of a program that checks, with its name.
static FINDING: Pattern = Pattern::new(r"^(?:warning|error)\[[\w:-]+\]: \S.*$");

/// Returns what a log says that went wrong: the last finding, else how the step ended.
fn finding(plain: &str) -> Option<String> {
    let found = FINDING.places(plain).last().map(|place| &plain[place]);
    let error = || plain.lines().find_map(|line| line.strip_prefix(ERROR));
    signature::told(found.or_else(error)?)
}

/// Returns what the step runs that failed first, if that is a command and no ready-made action.
fn step(plain: &str) -> Option<String> {
    let before = plain.lines().take_while(|line| !line.starts_with(ERROR));
    let step = before.filter_map(|line| line.strip_prefix(STEP)).last()?;
    let is_action = step.split_whitespace().next().is_some_and(|word| word.contains('@'));
    (!is_action).then(|| step.to_owned())
}

/// Tells whether `later`, the output of which `printed` gives, passed here what `first` failed as
/// `remote`: all that the same program ran, the same test by its name, or, where the log names
/// no command, the program after which the job is called.
pub(super) fn is_gone<'s>(
    remote: &Remote,
    first: &Run,
    later: &Run,
    printed: impl FnOnce() -> Cow<'s, str>,
) -> bool {
    if later.ended != Ended::Passed {
        return false;
    }
    if first.family.is_empty() {
        return remote.command.is_none() && is_after(&remote.job, &later.command);
    }
    let is_whole = || {
        let ran = remote.command.as_deref().map(Asked::of).unwrap_or_default();
        later.asked.is_as_wide(&ran)
    };
    let names = || first.failing.first().is_some_and(|failing| printed().contains(&failing.id));
    later.is_like(first) && (is_whole() || names())
}

/// Programs that run another one, which their arguments name.
const RUNNERS: &[&str] = &["bunx", "docker", "nix", "npx", "pipx", "podman", "uvx"];

/// Tells whether a job is called after the program that `command` runs; most are called after what
/// many programs do.
fn is_after(job: &str, command: &str) -> bool {
    let name = |word: &str| word.split('@').next().unwrap_or(word).rsplit('/').next() == Some(job);
    let program = shell::program(command);
    let by_runner = RUNNERS.contains(&program) && command.split_whitespace().skip(1).any(name);
    job.len() > 2 && !CHECKING.contains(&job) && (name(program) || by_runner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_before_a_line_of_a_log_is_taken_off() {
        let log = "test (macos)\tRun it\t\u{feff}2026-07-13T20:22:35.6658600Z not ok 1 a\n\
                   735:test (macos)\tRun it\t2026-07-13T20:23:49.7660100Z not ok 2 b\n\
                   2026-07-13T20:23:49Z ##[error]it ^[[1m^[[94mfailed^[[0m\nplain\tline\n";
        assert_eq!(
            LEAD.replaced(log, ""),
            "not ok 1 a\nnot ok 2 b\n##[error]it failed\nplain\tline\n"
        );
        assert_eq!(LEAD.groups(log).unwrap().named("job"), Some("test (macos)"));
    }

    #[test]
    fn with_which_settings_a_step_runs_is_left_out() {
        let log = "##[group]Run make\nenv:\n  on_error: stop\n##[endgroup]\nno\n##[group]Attempt 1\nit\n##[endgroup]\n";
        let bare = "##[group]Run make\nno\n##[group]Attempt 1\nit\n##[endgroup]\n";
        assert_eq!(without_settings(log), bare);
        // A log that is cut off, or cut up, keeps its lines.
        for cut in ["##[group]Run make\nenv:\n", "##[group]Run a\nx\n##[group]B\ny\n##[endgroup]\n"]
        {
            assert_eq!(without_settings(cut), cut);
        }
    }

    #[test]
    fn what_a_step_ran_is_told_by_its_log() {
        let log = "##[group]Run actions/checkout@v4\n##[group]Run uv run mypy src/\nx\n##[error]no\n##[group]Run y\n";
        assert_eq!(step(log).as_deref(), Some("uv run mypy src/"));
        assert_eq!(step("##[group]Run make\n##[group]Run a/b@v1\n##[error]no\n"), None);
    }

    #[test]
    fn a_job_is_called_after_a_program() {
        assert!(is_after("zizmor", "docker run ghcr.io/zizmorcore/zizmor@sha256:1 ."));
        assert!(is_after("zizmor", "/opt/bin/zizmor ."));
        assert!(!is_after("zizmor", "docker run zizmorcore"));
        assert!(!is_after("docs", "make docs"));
        assert!(!is_after("test", "cargo test"));
        assert!(!is_after("", "make"));
    }
}
