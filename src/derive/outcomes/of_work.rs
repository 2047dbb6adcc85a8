//! Which runs are of the work of the session, and how a command ran last.

use super::checks::{Check, Edit};
use super::recognise::{Ended, Failing};
use super::run::Run;
use super::{Outcomes, is_same_file, reach, sounds};
use crate::derive::checking::lints;
use crate::derive::files::{is_outside, is_temporary};
use crate::derive::paths::is_file;
use crate::derive::{place, shell};

/// Programs that run tasks, and the files in which these stand.
const TASKS: &[(&str, &[&str])] = &[
    ("just", &["justfile", "Justfile"]),
    ("make", &["Makefile", "GNUmakefile", "makefile"]),
    ("mise", &["mise.toml", ".mise.toml"]),
    ("npm", &["package.json"]),
    ("pnpm", &["package.json"]),
    ("task", &["Taskfile.yml", "Taskfile.yaml"]),
    ("yarn", &["package.json"]),
];

/// How an error of a compiler begins that a linter prints beside its findings.
const COMPILER: &[&str] = &["E0", "typecheck"];
/// What is said of what a change elsewhere left behind.
const LEFT_BEHIND: &[&str] = &["never constructed", "never read", "never used"];

impl Outcomes {
    /// Whether a run is of this work: one in a folder outside of the project, in which the session
    /// changed no file, only tried something out. Of a session that works on the project so did one where nothing is
    /// meant to stay, on files that the session made there.
    pub(in crate::derive) fn is_of_project(&self, run: &Run) -> bool {
        let Some(folder) = &run.elsewhere else { return !self.looks_at_others(run) };
        let is_below = |edit: &Edit| {
            edit.path.strip_prefix(folder.as_str()).is_some_and(|rest| rest.starts_with('/'))
        };
        let is_scratch = is_temporary(folder) && self.there().any(|edit| !is_outside(&edit.path));
        let counts = |edit: &&Edit| !(edit.by_shell || is_scratch && edit.is_new);
        self.edits.iter().filter(counts).any(is_below)
    }

    /// Whether a run found fault only with how files are written that it names, of which the session changed
    /// none.
    pub(in crate::derive) fn looks_at_others(&self, run: &Run) -> bool {
        let named = reach::files(&run.command);
        let is_named = |edit: &Edit| named.iter().any(|file| is_same_file(file, &edit.path));
        run.ended == Ended::Failed
            && sounds::only_looks(&run.command)
            && !named.is_empty()
            && !self.edits.iter().any(is_named)
    }

    /// Whether a command last found fault only with files of which the session changed none, as one does that
    /// is run to compare.
    pub(in crate::derive) fn is_of_others(&self, command: &str) -> bool {
        let is_it = |run: &&Run| run.command == command || run.is_called(command);
        let last = self.runs.iter().rev().find(is_it);
        last.is_some_and(|run| self.looks_at_others(run))
    }

    /// Whether a command last ran in a folder in which nothing is meant to stay, and is not of this work for all that
    /// is known.
    pub(in crate::derive) fn was_tried(&self, command: &str) -> bool {
        let is_it = |run: &&Run| run.command == command || run.is_called(command);
        self.runs.iter().rev().find(is_it).is_some_and(|run| self.is_trial(run))
    }

    /// Whether a run is one in a folder in which nothing is meant to stay, and not of this work for all that is known.
    pub(in crate::derive) fn is_trial(&self, run: &Run) -> bool {
        let is_temporary = run.elsewhere.as_deref().is_some_and(is_temporary);
        run.is_in_made || is_temporary && !self.is_of_project(run)
    }

    /// Returns the last run of a command.
    fn last_of(&self, command: &str) -> Option<&Run> {
        self.runs.iter().rev().find(|run| run.is_called(command))
    }

    /// Returns the number of the call that ran a command last.
    pub(in crate::derive) fn last_run(&self, command: &str) -> Option<usize> {
        self.last_of(command).map(|run| run.over)
    }

    /// Whether a command failed last because a program is not there that it needs.
    pub(in crate::derive) fn lacked_program(&self, command: &str) -> bool {
        let last = self.last_of(command);
        last.is_some_and(|run| run.ended == Ended::Failed && run.lacks_program())
    }

    /// Whether a command last ran a task by a file of tasks of which a change was taken back since, so that the task
    /// may not be there any more; nobody saw it pass or fail.
    pub(in crate::derive) fn lost_its_task(&self, command: &str) -> bool {
        let Some(run) = self.last_of(command) else { return false };
        let program = shell::program(&run.command);
        let of_program = TASKS.iter().filter(|(name, _)| *name == program).flat_map(|it| it.1);
        let files: Vec<&&str> = of_program.collect();
        let is_lost = |edit: &Edit| {
            let name = place::name(&edit.path);
            files.iter().any(|file| **file == name) && edit.is_gone_since(run)
        };
        run.ended == Ended::Unknown && self.edits.iter().any(is_lost)
    }

    /// Counts the changes, after a run elsewhere, of files in the folder where it ran.
    pub(in crate::derive) fn changed_there_since(&self, run: &Run) -> usize {
        let folder = run.elsewhere.as_deref().unwrap_or_default();
        let is_there = |edit: &&Edit| {
            let below = edit.path.strip_prefix(folder);
            edit.index > run.over && below.is_some_and(|rest| rest.starts_with('/'))
        };
        self.edits.iter().filter(is_there).count()
    }

    /// Returns the last run after one, where only narrower ones of the same program came after it, and passed.
    pub(in crate::derive) fn passed_in_part(&self, run: &Run) -> Option<&Run> {
        let is_it =
            |later: &Run| later.began > run.over && later.is_check && later.is_of_one_program(run);
        let later = || self.runs.iter().filter(|later| is_it(later));
        let passes = |later: &Run| later.ended == Ended::Passed && reach::covers(run, later);
        later().next_back().filter(|_| later().all(passes))
    }

    /// Returns a linter without those of its findings that lie in files that the session did not change, unless all do.
    /// What does not compile there may well come from a change elsewhere.
    pub(in crate::derive) fn without_others(&self, check: &Check) -> Check {
        let is_ours = |failing: &Failing| match failing.id.rsplit_once(" | ") {
            Some((_, file)) if is_file(file) && !is_outside(file) => {
                COMPILER.iter().any(|start| failing.id.starts_with(start))
                    || LEFT_BEHIND.iter().any(|said| failing.id.contains(said))
                    || self.edits.iter().any(|edit| is_same_file(file, &edit.path))
            }
            _ => true,
        };
        let mut check = check.clone();
        let is_linter = check.run.unit == "error" && lints(&check.run.command);
        if is_linter && check.failing.iter().any(is_ours) {
            check.failing.retain(is_ours);
        }
        check
    }
}
