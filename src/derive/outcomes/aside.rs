//! Runs while the changes of the session were put aside, as to see whether a test fails without
//! them: they tell nothing of the work as it stands.

use super::checks::Edit;
use crate::derive::shell;
use crate::derive::timeline::{Done, Timeline};

/// A command: the number of its call, from 0, and its place on the line.
type Place = (usize, usize);

/// From where to where on changes were put aside.
pub(in crate::derive) struct Aside(Vec<(Place, Place)>);

impl Aside {
    /// Finds what was put aside and brought back with no change of a file in between: one who goes
    /// on working has put away something else.
    pub(super) fn new(timeline: &Timeline<'_>, edits: &[Edit]) -> Self {
        let (mut put, mut found) = (None, Vec::new());
        for done in timeline.done() {
            let Some(line) = done.command().filter(|line| line.contains("stash")) else { continue };
            for (at, (part, _)) in shell::joined(line).iter().enumerate() {
                let place = (done.index, at);
                match stashes(part) {
                    Some(true) => put = Some(place),
                    Some(false) => found.extend(put.take().map(|from| (from, place))),
                    None => {}
                }
            }
        }
        let works = |(from, to): &(Place, Place)| {
            edits.iter().any(|edit| edit.index > from.0 && edit.index < to.0)
        };
        found.retain(|span| !works(span));
        Self(found)
    }

    /// Whether changes were aside when a command of the line of `done` ran.
    pub(in crate::derive) fn reaches(&self, done: &Done<'_>) -> bool {
        self.0.iter().any(|(from, to)| (from.0..=to.0).contains(&done.index))
    }

    /// Whether changes were aside when the command at `at` of the line of the call `index` ran.
    pub(super) fn holds(&self, index: usize, at: usize) -> bool {
        self.0.iter().any(|(from, to)| (*from..*to).contains(&(index, at)))
    }
}

/// Whether a command puts changes aside, or brings them back; nothing if it does neither.
fn stashes(part: &str) -> Option<bool> {
    let mut words = part.split_whitespace();
    let is_git = words.next() == Some("git") && words.by_ref().take(3).any(|word| word == "stash");
    match words.next().filter(|_| is_git) {
        Some("pop" | "apply") => Some(false),
        Some("push" | "save") => Some(true),
        Some(word) => word.starts_with('-').then_some(true),
        None => is_git.then_some(true),
    }
}
