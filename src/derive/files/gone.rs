//! Which files are gone at the end of a session, by what its commands took away.

use std::collections::HashMap;

use super::super::cmdlets;
use super::super::paths::{is_file, paths_in};
use super::super::timeline::{Done, Timeline};
use super::is_outside;
use super::taken::{Gone, cleaned, refuses, taken};
use crate::derive::place;
use crate::model::Action;

/// A file that a command took away and nothing brought back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct End {
    /// The file.
    pub(super) path: String,
    /// Where it is now, if it was moved.
    pub(super) to: Option<String>,
    /// The turn in which it went.
    pub(super) turn: u32,
    /// The call that took it away.
    pub(super) evidence: String,
}

/// What the session knows of files and folders.
pub(super) trait Known {
    /// Returns the files that a path stands for: that file, or those in that folder.
    fn under(&self, path: &str) -> Vec<String>;
    /// Whether files in a folder were opened.
    fn is_folder(&self, path: &str) -> bool;
    /// Whether a file was opened.
    fn is_file(&self, path: &str) -> bool;
}

/// How many files are told as gone at most.
const MOST: usize = 1000;
/// Commands that bring back what went, whatever they name.
const BRINGING: &[&str] =
    &["git stash", "git revert", "git reset", "git restore", "git checkout", "git switch"];
/// Commands that speak of files in their arguments.
const SPEAKING: &[&str] = &["git commit", "gh pr", "gh issue"];

/// Finds the files that are gone, in the order in which they went.
pub(super) fn ends(timeline: &Timeline<'_>, calls: &[Done<'_>], known: &dyn Known) -> Vec<End> {
    let takes = |line: &str| {
        ["rm ", "mv ", "git clean"].iter().any(|word| line.contains(word))
            || cmdlets::takes_away(line)
    };
    if !calls.iter().any(|done| line_of(done).is_some_and(takes)) {
        return Vec::new();
    }
    let mut ends = Ends { timeline, known, found: Vec::new(), latest: HashMap::new() };
    calls.iter().for_each(|done| ends.take(done));
    ends.found.into_iter().flatten().collect()
}

/// Returns the files and folders of the project that a call took away, or moved out of it.
pub(in crate::derive) fn left_at(timeline: &Timeline<'_>, done: &Done<'_>) -> Vec<String> {
    let line = done.command().filter(|_| done.worked());
    let gone = line.map(|line| taken(line, &done.output())).unwrap_or_default();
    let is_inside = |path: &String| !is_outside(path);
    let stays = |gone: &Gone| match gone {
        Gone::Removed(_) => false,
        Gone::Moved(_, to, _) => timeline.place(done, to).is_some_and(|to| is_inside(&to)),
    };
    let gone = gone.iter().filter(|gone| !stays(gone));
    gone.filter_map(|gone| timeline.place(done, gone.from())).filter(is_inside).collect()
}

/// Returns where on a line the last command begins that brings back what went; a new branch takes the
/// files along, and `git reset` leaves them as they are unless it is told to do more.
fn brings(line: &str) -> Option<usize> {
    let moves = |(at, name): (usize, &str)| {
        let options =
            line[at + name.len()..].split(['&', ';', '|', '\n']).next().unwrap_or_default();
        let mut options = options.split_whitespace();
        match name {
            "git reset" => options.any(|word| matches!(word, "--hard" | "--keep" | "--merge")),
            // One that names files brings back these.
            "git checkout" | "git switch" => {
                !options.any(|word| matches!(word, "-b" | "-B" | "-c" | "-C") || is_file(word))
            }
            "git restore" => !options.any(is_file),
            _ => true,
        }
    };
    let places = BRINGING.iter().flat_map(|name| line.match_indices(name));
    places.filter(|found| moves(*found)).map(|(at, _)| at).max()
}

fn line_of<'s>(done: &Done<'s>) -> Option<&'s str> {
    match done.call.action.as_deref() {
        Some(Action::Shell { command, .. }) => Some(command),
        _ => None,
    }
}

struct Ends<'a> {
    timeline: &'a Timeline<'a>,
    known: &'a dyn Known,
    found: Vec<Option<End>>,
    /// Where the last that is told of a file stands in `found`.
    latest: HashMap<String, usize>,
}

impl Ends<'_> {
    fn take(&mut self, done: &Done<'_>) {
        match done.call.action.as_deref() {
            Some(Action::Edit { changes }) if !done.failed() => {
                changes.iter().for_each(|change| self.is_back(&change.path));
            }
            Some(Action::Read { path, .. }) if !done.failed() => self.is_back(path),
            Some(Action::Shell { command, .. }) => self.line(done, command),
            _ => {}
        }
    }

    fn line(&mut self, done: &Done<'_>, line: &str) {
        let is_in = |words: &[&str]| words.iter().any(|word| line.contains(word));
        let brings = brings(line);
        if brings.is_some() {
            self.found.clear();
            self.latest.clear();
        } else if !self.latest.is_empty() && !done.failed() && !is_in(SPEAKING) {
            paths_in(line).iter().for_each(|path| self.is_back(path));
        }
        if is_in(&["git clean"]) && !done.failed() {
            cleaned(&done.output()).iter().for_each(|gone| self.went(done, gone));
        }
        if !is_in(&["rm ", "mv "]) && !cmdlets::takes_away(line) {
            return;
        }
        let taken = taken(line, &done.output());
        let last = |words: &[&str]| words.iter().filter_map(|word| line.rfind(word)).max();
        let comes_back = brings > last(&["rm ", "mv "]);
        let is_sure = !taken.is_empty() && !comes_back && done.worked();
        if is_sure && !refuses(&done.output()) {
            taken.iter().for_each(|gone| self.went(done, gone));
        }
    }

    fn went(&mut self, done: &Done<'_>, gone: &Gone) {
        let Some(from) = self.timeline.place(done, gone.from()) else { return };
        let target = match gone {
            Gone::Removed(_) => None,
            Gone::Moved(_, to, into) => match self.timeline.place(done, to) {
                Some(to) => Some((to, *into)),
                None => return,
            },
        };
        for path in self.there(&from) {
            let to = target.as_ref().map(|(to, into)| self.target(&path, &from, to, *into));
            self.end(End { path, to, turn: done.item.turn, evidence: done.item.id.to_string() });
        }
    }

    /// Returns where a file is of `from`, which went to `to`, or into it.
    fn target(&self, path: &str, from: &str, to: &str, into: bool) -> String {
        let rest = path.strip_prefix(from).unwrap_or_default();
        let renamed = format!("{to}{rest}");
        // What was opened there later says that it is a new name, and no folder that was there.
        let into = into || (self.known.is_folder(to) && !self.known.is_file(&renamed));
        let name = place::name(from);
        if into { format!("{to}/{name}{rest}") } else { renamed }
    }

    /// Returns the files that a path stands for, those that were moved there too.
    fn there(&self, path: &str) -> Vec<String> {
        let is_there = |to: &&str| {
            to.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let moved = self.found.iter().flatten().filter_map(|end| end.to.as_deref());
        let mut files = self.known.under(path);
        let moved: Vec<_> =
            moved.filter(is_there).filter(|to| !files.iter().any(|file| file == to)).collect();
        files.extend(moved.into_iter().map(str::to_owned));
        files
    }

    fn end(&mut self, end: End) {
        let known = self.latest.get(&end.path).and_then(|at| self.found[*at].as_mut());
        if let Some(before) = known.filter(|before| before.to == end.to) {
            *before = end;
        } else if self.found.len() < MOST {
            self.is_back(&end.path);
            end.to.iter().for_each(|to| self.is_back(to));
            self.latest.insert(end.path.clone(), self.found.len());
            self.found.push(Some(end));
        }
    }

    /// Takes back that a file is gone.
    fn is_back(&mut self, path: &str) {
        if self.latest.is_empty() {
            return;
        }
        if let Some(at) = self.latest.remove(&self.timeline.path(path)) {
            self.found[at] = None;
        }
    }
}
