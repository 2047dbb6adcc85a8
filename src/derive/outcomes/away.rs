//! Where the session went to another branch and came back with nothing changed: what ran there tells how that branch
//! stands, and the work is as it was before.

use super::checks::Edit;
use super::git::{self, Git};
use super::moved::goes;
use crate::derive::timeline::{Done, Timeline};
use crate::derive::{place, shell};

/// A command: the number of its call, from 0, and its place on the line.
pub(super) type Place = (usize, usize);

/// What git does to the files at hand, or to another branch than that.
const CHANGING: &[&str] = &["apply", "mv", "rebase", "reset", "restore", "rm"];

/// Where the session was on which branch.
#[derive(Default)]
pub(super) struct Away {
    /// From where to where it was on another one, before it came back to the same with nothing changed; in order.
    pub spans: Vec<(Place, Place)>,
    /// The calls that went to another one, wherever it went then.
    gone: Vec<usize>,
    /// Those by which git changed files.
    changed: Vec<usize>,
    /// Those of them that brought work of one branch to another.
    brought: Vec<usize>,
}

impl Away {
    /// Finds it.
    pub(super) fn new(timeline: &Timeline<'_>, edits: &[Edit]) -> Self {
        let branch = timeline.header.git.branch.clone();
        let mut branches =
            Branches { edits, branch, left: None, since: 0, commit: None, away: Self::default() };
        for done in timeline.done() {
            let Some(line) = done.command().filter(|line| is_of_git(line)) else { continue };
            if !done.refused() && place::elsewhere(line, done.cwd).is_none() {
                branches.line(&done, line);
            }
        }
        let mut away = branches.away;
        let is_in = |(from, to): &(Place, Place), index: usize| index >= from.0 && index <= to.0;
        let failed: Vec<_> = timeline.done().filter(Done::failed).map(|done| done.index).collect();
        let brought = std::mem::take(&mut away.brought);
        // What failed there may be what somebody wanted to know; what was brought there is looked at in its new place.
        away.spans.retain(|span| !failed.iter().chain(&brought).any(|index| is_in(span, *index)));
        away
    }

    /// Whether all that is known to have changed the files between two calls is that it went to another branch.
    pub(super) fn only_moved(&self, from: usize, to: usize) -> bool {
        let is_between = |index: &usize| *index > from && *index <= to;
        self.gone.iter().any(is_between) && !self.changed.iter().any(is_between)
    }
}

fn is_of_git(line: &str) -> bool {
    line.contains("git ") || line.contains("gh pr ")
}

/// The branches between which the session goes.
struct Branches<'e> {
    edits: &'e [Edit],
    /// The branch at hand, as far as that is known.
    branch: Option<String>,
    /// Where it left one, and which that was, as far as that is known.
    left: Option<(Place, Option<String>)>,
    /// To how many it went since.
    since: usize,
    /// The last call that made a commit.
    commit: Option<usize>,
    away: Away,
}

impl Branches<'_> {
    fn line(&mut self, done: &Done<'_>, line: &str) {
        let output = done.output();
        for (at, (part, _)) in shell::joined(line).iter().enumerate() {
            if part.starts_with("gh pr merge") || part.starts_with("gh pr checkout") {
                self.change(done.index);
                self.branch = None;
            }
            let Some(git) = Git::of(part).filter(|git| !git.is_elsewhere) else { continue };
            if matches!(git.verb, "checkout" | "switch") {
                self.go((done.index, at), &git, &output);
            } else if CHANGING.contains(&git.verb) {
                self.change(done.index);
            } else if git::brings(git.verb) {
                self.away.changed.push(done.index);
                self.away.brought.extend((git.verb != "pull").then_some(done.index));
            } else if git.verb == "commit" {
                self.commit = Some(done.index);
                self.away.brought.push(done.index);
            } else if git.verb == "stash" {
                self.left = None;
            }
        }
    }

    /// What was left is not what it comes back to.
    fn change(&mut self, index: usize) {
        self.left = None;
        self.away.changed.push(index);
    }

    /// Goes where a command does; one that makes a branch or brings back files changes something.
    fn go(&mut self, place: Place, git: &Git<'_>, output: &str) {
        let moves = goes(git, output);
        self.away.gone.extend(moves.then_some(place.0));
        if let Some(at) = git.words.iter().position(|word| MAKING.contains(word)) {
            self.left = None;
            self.branch = git.words.get(at + 1).map(|name| (*name).to_owned());
            return;
        }
        if !moves {
            if !output.contains("Already on '") {
                self.change(place.0);
            }
            return;
        }
        let is_name = |word: &&&str| **word == "-" || !word.starts_with('-') && !word.contains('>');
        let to = git.words.iter().find(is_name).copied().unwrap_or_default();
        if self.comes_back(to) {
            let left = self.left.take();
            self.branch = left.as_ref().and_then(|(_, branch)| branch.clone());
            let span = left.map(|(from, _)| (from, place));
            self.away.spans.extend(span.filter(|(from, to)| !self.works(*from, *to)));
            return;
        }
        let branch = std::mem::replace(&mut self.branch, (to != "-").then(|| to.to_owned()));
        self.since += 1;
        if self.left.is_none() {
            // It was not where git says that it went to.
            (self.left, self.since) = (Some((place, branch.filter(|was| was != to))), 1);
        }
    }

    /// Whether a name is that of the branch that was left. Of one that nobody named, to which the session committed what
    /// it had changed, it is the first to which it goes on.
    fn comes_back(&self, to: &str) -> bool {
        let Some((from, branch)) = &self.left else { return false };
        match branch {
            _ if to == "-" => self.since == 1,
            Some(branch) => branch == to,
            None => {
                let last = self.edits.iter().rfind(|edit| edit.index < from.0);
                let committed = self.commit.filter(|commit| *commit < from.0);
                self.since == 1 && last.zip(committed).is_some_and(|(last, at)| last.index <= at)
            }
        }
    }

    /// Whether files were changed between two commands.
    fn works(&self, from: Place, to: Place) -> bool {
        self.edits.iter().any(|edit| edit.index >= from.0 && edit.index <= to.0)
    }
}

/// Options by which git makes a branch.
const MAKING: &[&str] = &["-b", "-B", "-c", "-C", "--create", "--force-create", "--orphan"];
