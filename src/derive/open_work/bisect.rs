//! A search for the commit that broke something which goes on.

use super::Work;
use crate::derive::timeline::Timeline;
use crate::derive::{Trust, text};

/// How git begins the row that says how much is left of it.
const GOES_ON: &str = "Bisecting: ";
/// How it says that it came to its end.
const FOUND: &str = "is the first bad commit";
/// What stands in a line that may leave it.
const LEAVES: &[&str] = &["bisect reset", "BISECT_", "git checkout ", "git switch "];
/// How many characters of what git said are told.
const TOLD_CHARS: usize = 100;

/// Returns the search in the session's folder of which git said last that commits are left.
pub(super) fn bisect(timeline: &Timeline<'_>) -> Option<Work> {
    let is_it = |part: &String| part.starts_with("git bisect ");
    let last = timeline.done().rev().find(|done| {
        done.command().is_some_and(|line| line.contains("git bisect "))
            && timeline.parts(done).iter().any(is_it)
    })?;
    // Whatever ended it since, or was asked for instead.
    let newest = timeline.requests().next_back().map_or(0, |(item, _)| item.turn);
    let mut later = timeline.done().rev().take_while(|done| done.index > last.index);
    let is_left = later.any(|done| {
        let line = done.command().unwrap_or_default();
        done.output().contains(FOUND) || LEAVES.iter().any(|mark| line.contains(mark))
    });
    if is_left || last.item.turn < newest {
        return None;
    }
    let output = last.output();
    let row = output.lines().rev().find(|row| row.starts_with(GOES_ON))?;
    let ends = |part: &String| is_it(part) && part.contains(" reset");
    let is_over =
        output.contains(FOUND) || timeline.parts(&last).iter().any(ends) || last.folder().is_some();
    let row = text::line(row, TOLD_CHARS);
    let told = format!("finish the bisect: git said last \"{row}\"; `git bisect reset` ends it");
    (!is_over).then(|| Work::new(told, Trust::S, "interrupted", &last.item.id))
}
