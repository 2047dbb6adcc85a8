//! A run of one command, and how it stands to others.

use std::collections::HashMap;

use super::asked::Asked;
use super::common::{self, Common};
use super::flaky::Flaky;
use super::formatters::Form;
use super::gap::Ran;
use super::lines::Line;
use super::recognise::{self, Ended, Failing};
use super::remote::Remote;
use super::{builds, silent};
use crate::derive::place;
use crate::derive::timeline::Done;

/// How a shell or a program says that another that it needs is not there.
const MISSING: &[&str] = &["command not found", "No module named"];
/// With quotes it is a module that code asks for, which may still have to be written.
const OF_CODE: &str = "No module named '";

/// A run of one command.
#[derive(Clone, Debug)]
pub(in crate::derive) struct Run {
    /// The command, without what stood before and after it on its line.
    pub command: String,
    /// What that looks at.
    pub(super) asked: Asked,
    /// The folder in which it ran, where that is known and another one than the session's.
    pub(super) place: Option<String>,
    /// What it does to the form of text.
    pub(super) form: Form,
    /// The program that told how it ended, else the one that the command names; may be empty.
    pub family: &'static str,
    /// `test`, `error`, or empty where no program is known.
    pub unit: &'static str,
    /// Whether it tests, builds or checks.
    pub is_check: bool,
    pub ended: Ended,
    /// Whether somebody stopped it, so that what it told is not all that it would have.
    pub was_stopped: bool,
    /// Whether nobody knows how it ended, but saw the end of what it printed, and no error there.
    pub saw_no_error: bool,
    pub failed: usize,
    /// How many of those the program counts as errors.
    pub errors: usize,
    pub total: Option<usize>,
    /// Whether the program told that as such.
    pub counts_all: bool,
    /// Of one that passed, how many tests passed and how many were skipped, where these are more.
    pub skipped: Option<(usize, usize)>,
    /// Those of its tests that passed only when they were tried again.
    pub(super) flaky: Flaky,
    /// How many tests were skipped, or failed as they were to; nothing where only a part of the counts was seen.
    pub left_out: Option<usize>,
    pub failing: Vec<Failing>,
    /// The message that most of them share.
    pub common: Option<Common>,
    /// Variables without which commands did not work that are set for it, as they stand before it.
    pub(super) needs: String,
    /// Which rights it was given by which it passed, where its command had been refused something without them.
    pub(super) given: Option<String>,
    /// Whether it was given rights that others do not have.
    pub(super) has_rights: bool,
    /// What went wrong, on one line without what changes from run to run.
    pub signature: Option<String>,
    /// The folder in which it ran, where that lies outside of the session's.
    pub elsewhere: Option<String>,
    /// Whether another agent ran it.
    pub(super) by_agent: bool,
    /// Whether its line made the folder in which it ran for what does not last.
    pub(super) is_in_made: bool,
    /// Of a run on another machine, of which only the log was read, what that tells of it.
    pub remote: Option<Remote>,
    /// Files that the output of a failed run names.
    pub files: Vec<String>,
    /// Whether only a part of the output was seen, so that it may have named more.
    pub(super) is_cut: bool,
    /// Its place on the line, from 0.
    pub(super) at: usize,
    /// Number of the call that began it, from 0.
    pub began: usize,
    /// Number of the call by which it had ended.
    pub over: usize,
    pub turn: u32,
    /// The id of the call.
    pub item: String,
}

impl Run {
    /// Returns a run of `part` of a line of which nothing is known yet.
    pub(super) fn unknown(line: &Line<'_>, part: &str) -> Self {
        Self {
            place: place::runs_in(line.command)
                .filter(|_| line.command.matches("cd ").count() == 1),
            form: Form::of(part),
            was_stopped: line.was_stopped,
            has_rights: !line.done.call.rights().is_empty(),
            elsewhere: place::elsewhere(line.command, line.done.cwd),
            by_agent: line.done.is_by_agent(),
            is_in_made: place::is_in_made(line.command),
            is_cut: silent::is_cut(line.command),
            over: line.over,
            ..Self::of_call(&line.done, part)
        }
    }

    /// Returns one of which only the call is known that asked for it.
    pub(super) fn of_call(done: &Done<'_>, part: &str) -> Self {
        Self {
            command: part.to_owned(),
            asked: Asked::of(part),
            place: None,
            form: Form::default(),
            family: "",
            unit: "",
            is_check: false,
            ended: Ended::Unknown,
            was_stopped: false,
            saw_no_error: false,
            failed: 0,
            errors: 0,
            total: None,
            counts_all: false,
            skipped: None,
            flaky: Flaky::default(),
            left_out: None,
            failing: Vec::new(),
            common: None,
            needs: String::new(),
            given: None,
            has_rights: false,
            signature: None,
            elsewhere: None,
            by_agent: false,
            is_in_made: false,
            remote: None,
            files: Vec::new(),
            is_cut: false,
            at: 0,
            began: done.index,
            over: done.index,
            turn: done.item.turn,
            item: done.item.id.to_string(),
        }
    }

    /// Returns the command with the variables that are set for it: without them it is another run.
    pub(in crate::derive) fn told(&self) -> String {
        self.asked.variables() + &self.command
    }

    /// Returns the same with the variables without which commands did not work: as it is to be run again.
    pub(in crate::derive) fn told_whole(&self) -> String {
        format!("{}{}", self.needs, self.told())
    }

    /// Whether it is the run of a command, with or without these variables.
    pub(super) fn is_called(&self, command: &str) -> bool {
        let is_it = |bare: &str| self.told() == bare || self.told_whole() == bare;
        let is_there = |folder: &str| {
            let folder = place::one_form(folder);
            let rest = self.place.as_deref().and_then(|place| place.strip_suffix(&*folder));
            rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        is_it(command)
            || place::goes_to(command)
                .is_some_and(|(to, rest)| is_there(to) && is_it(rest.trim_start()))
    }

    /// Returns the same with the folder in which it ran.
    pub(in crate::derive) fn told_there(&self) -> String {
        let told = self.told_whole();
        match self.place.as_deref() {
            Some(folder) => place::told_in(folder, &told),
            None => told,
        }
    }

    /// Returns by what it is known, wherever else the session checks: the same with the folder in which it ran.
    pub(in crate::derive) fn known_as(&self) -> String {
        let told = self.told();
        match self.place.as_deref() {
            Some(folder) => place::goes_first(folder, &told),
            None => told,
        }
    }

    /// Returns the number of the call whose changes it saw for all that is known: what was changed while it ran may
    /// have come too late. One that watches files runs again.
    pub(in crate::derive) fn saw(&self) -> usize {
        if self.command.contains("watch") { self.over } else { self.began }
    }

    /// Returns where it ran among the calls.
    pub(super) fn ran(&self) -> Ran {
        let is_placed = self.asked.folder().is_some();
        Ran { began: self.began, over: self.over, at: self.at, is_placed }
    }

    /// Says how many tests of `first`, of which some failed, did not run any more when the same passed: those that
    /// were skipped since, or are not there. Nothing where all ran, or nobody knows.
    pub(super) fn runs_less_than(&self, first: &Run) -> Option<String> {
        let (are_tests, was) =
            ([self, first].iter().all(|run| run.unit == "test"), first.left_out?);
        if !are_tests || self.ended != Ended::Passed || self.command != first.command {
            return None;
        }
        let more = self.left_out?.saturating_sub(was);
        let fewer = first.total.zip(self.total).map_or(0, |(was, is)| was.saturating_sub(is));
        match (more, fewer) {
            (0, 0) => None,
            (0, fewer) if fewer >= first.failed.max(1) => Some(format!("{fewer} fewer run")),
            (0, _) => None,
            // Where as many ran as before, the first run was broken off before those that are skipped.
            (_, 0) => None,
            (more, _) => Some(format!("{more} more skipped")),
        }
    }

    /// Whether it passed, and with it what `first` builds on the way.
    pub(super) fn builds(&self, first: &Run) -> bool {
        let is_of_family = self.is_like(first)
            && first.unit == "error"
            && self.ended == Ended::Passed
            && self.asked.builds_as_much(&first.asked);
        is_of_family || builds::has_built(self, first)
    }

    /// Whether a run by another program settles what failed here: it passed, or what was missing here was
    /// there. One in which all was skipped proves no more than that.
    pub(super) fn is_settled_by(&self, later: &Run) -> bool {
        let is_void =
            later.ended == Ended::Unknown && later.unit == "test" && later.total == Some(0);
        later.ended == Ended::Passed || is_void && self.lacks_program()
    }

    /// Whether it told of nothing but that another program is not there.
    pub(super) fn lacks_program(&self) -> bool {
        let told = self.signature.as_deref().unwrap_or_default();
        self.failing.is_empty()
            && MISSING.iter().any(|form| told.contains(form))
            && !told.contains(OF_CODE)
    }

    /// Whether both run the same program.
    pub(in crate::derive) fn is_of_one_program(&self, other: &Self) -> bool {
        self.family == other.family
            && (!self.family.is_empty() || self.asked.is_of_program(&other.asked))
    }

    /// Whether a command runs the same program.
    pub(in crate::derive) fn is_of_program(&self, part: &str) -> bool {
        match self.family {
            "" => self.asked.is_of_program(&Asked::of(part)),
            family => recognise::named(part).contains(&family),
        }
    }

    /// Returns what its environment did not let it do, where most of what failed failed by that.
    pub(in crate::derive) fn refused(&self) -> Option<&str> {
        let told = match &self.common {
            Some(common) => Some(common.message.as_str()),
            None => self.signature.as_deref().filter(|_| self.failing.is_empty()),
        };
        let is_it = |told: &&str| {
            self.ended == Ended::Failed && !self.has_rights && common::is_refusal(told)
        };
        told.filter(is_it)
    }

    /// Whether its command ran again after it, as one of `runs`, and nobody saw how that ended.
    pub(super) fn ran_again<'r>(&self, mut runs: impl Iterator<Item = &'r Self>) -> bool {
        let is_again = |later: &Self| later.began > self.over && later.command == self.command;
        runs.any(|later| is_again(later) && later.ended == Ended::Unknown)
    }

    /// Takes back how it ended: that is not known.
    pub(super) fn forget_end(&mut self) {
        self.ended = Ended::Unknown;
        (self.failed, self.total, self.signature, self.common) = (0, None, None, None);
        self.failing.clear();
        self.files.clear();
    }

    /// Whether both are of one program, or of one and what it builds with.
    pub(super) fn is_like(&self, other: &Run) -> bool {
        let tools = |family| match family {
            "cargo test" => "rustc",
            "dotnet" => "dotnet build",
            "gradle" | "maven" => "jvm build",
            "go test" => "go build",
            "swift test" => "swift build",
            other => other,
        };
        !other.family.is_empty() && tools(self.family) == tools(other.family)
    }
}

/// Has runs that passed tell how many tests were skipped where these became more since the same failed last.
pub(super) fn tell_skipped(runs: &mut [Run]) {
    let mut failed: HashMap<String, Run> = HashMap::new();
    for run in runs.iter_mut().filter(|run| run.unit == "test") {
        if run.ended == Ended::Failed {
            failed.insert(run.command.clone(), run.clone());
        } else if let Some(first) = failed.get(&run.command)
            && run.skipped.is_none()
            && run.runs_less_than(first).is_some()
            && run.left_out > first.left_out
        {
            run.skipped = run.total.zip(run.left_out);
        }
    }
}

/// Finds the folder of each run that is in another one than the session's.
pub(super) fn name_places(runs: &mut [Run]) {
    for run in &mut *runs {
        let known = run.asked.folder().map(str::to_owned);
        let place = known.or(run.place.take()).map(|it| it.trim_end_matches('/').to_owned());
        run.place = place.filter(|folder| !folder.is_empty());
    }
}
