//! Runs while the changes of the session were put aside, as to see whether a test fails without
//! them: they tell nothing of the work as it stands.

use super::checks::Edit;
use crate::derive::shell;
use crate::derive::timeline::{Done, Timeline};

/// A command: the number of its call, from 0, and its place on the line.
type Place = (usize, usize);

/// From where to where on changes were put aside.
pub(in crate::derive) struct Aside {
    spans: Vec<(Place, Place)>,
    /// The calls that put something aside which was not brought back, in order.
    left: Vec<usize>,
}

impl Aside {
    /// Finds what was put aside and brought back with no change of a file in between: one who goes
    /// on working has put away something else.
    pub(super) fn new(timeline: &Timeline<'_>, edits: &[Edit]) -> Self {
        let (mut put, mut found, mut left) = (None, Vec::new(), Vec::new());
        for done in timeline.done() {
            let Some(line) = done.command().filter(|line| line.contains("stash")) else { continue };
            let output = done.output();
            let says = |forms: &[&str]| forms.iter().any(|form| output.contains(form));
            for (at, (part, _)) in shell::joined(line).iter().enumerate() {
                let place = (done.index, at);
                let stash = stashes(part);
                match stash {
                    Some(Stash::Put) if done.worked() && !says(NOT_PUT) => left.push(done.index),
                    Some(Stash::Back | Stash::Drop) if !says(NOT_BACK) && !says(KEPT) => {
                        left.pop();
                    }
                    _ => {}
                }
                match stash {
                    Some(Stash::Put) if !says(NOT_PUT) => put = Some(place),
                    Some(Stash::Back) if !says(NOT_BACK) => {
                        found.extend(put.take().map(|from| (from, place)));
                    }
                    Some(_) => put = None,
                    None => {}
                }
            }
        }
        let works = |(from, to): &(Place, Place)| {
            edits.iter().any(|edit| edit.index > from.0 && edit.index < to.0)
        };
        found.retain(|span| !works(span));
        Self { spans: found, left }
    }

    /// Returns the last call that put something aside which was not brought back.
    pub(in crate::derive) fn left(&self) -> Option<usize> {
        self.left.last().copied()
    }

    /// Whether changes were aside when a command of the line of `done` ran.
    pub(in crate::derive) fn reaches(&self, done: &Done<'_>) -> bool {
        let before = self.spans.partition_point(|(from, _)| from.0 <= done.index);
        before.checked_sub(1).is_some_and(|last| done.index <= self.spans[last].1.0)
    }

    /// Whether changes were aside when the command at `at` of the line of the call `index` ran.
    pub(super) fn holds(&self, index: usize, at: usize) -> bool {
        let before = self.spans.partition_point(|(from, _)| *from <= (index, at));
        before.checked_sub(1).is_some_and(|last| (index, at) < self.spans[last].1)
    }
}

/// What git says where it put nothing aside.
const NOT_PUT: &[&str] = &["No local changes to save", "fatal: ", "error: pathspec"];
/// What it says where it brought nothing back.
const NOT_BACK: &[&str] = &["No stash entries found", "fatal: "];
/// What it says where it could not bring all of it back.
const KEPT: &[&str] = &["The stash entry is kept"];

/// What a command does with changes that are put aside.
enum Stash {
    Put,
    Back,
    Drop,
}

/// Returns what a command does with changes that are put aside, if it does something.
fn stashes(part: &str) -> Option<Stash> {
    let mut words = part.split_whitespace();
    let is_git = words.next() == Some("git") && words.by_ref().take(3).any(|word| word == "stash");
    match words.next().filter(|_| is_git) {
        Some("pop" | "apply" | "branch") => Some(Stash::Back),
        Some("push" | "save") => Some(Stash::Put),
        Some("drop" | "clear") => Some(Stash::Drop),
        Some(word) => word.starts_with('-').then_some(Stash::Put),
        None => is_git.then_some(Stash::Put),
    }
}
