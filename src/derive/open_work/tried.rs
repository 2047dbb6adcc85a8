//! Changes and orders to agents that were tried and did not go through.

use super::Work;
use super::said::last_words;
use crate::derive::ending::claims_done;
use crate::derive::outcomes::put_back;
use crate::derive::timeline::{Done, Timeline};
use crate::derive::written::changed;
use crate::derive::{Trust, text};
use crate::model::{Action, Change};

/// How many are told.
const MOST: usize = 4;

/// Returns the changes of the newest turn that failed, of files that were not changed since in any way.
pub(super) fn not_made(timeline: &Timeline<'_>) -> Vec<Work> {
    let newest = timeline.requests().next_back().map_or(0, |(item, _)| item.turn);
    let mut failed: Vec<(String, &str, &Change)> = Vec::new();
    for done in timeline.done().filter(|done| done.item.turn >= newest) {
        let Some(Action::Edit { changes }) = done.call.action.as_deref() else {
            if !failed.is_empty() {
                // What the same line takes back changes nothing.
                let back = put_back(timeline, &done);
                let now = changed(timeline, &done).into_iter().map(|changed| changed.path);
                let now: Vec<_> = now.filter(|path| !back.contains(path)).collect();
                failed.retain(|(path, _, change)| {
                    !now.contains(path) && !was_there(timeline, &done, path, change)
                });
            }
            continue;
        };
        let path = |change: &Change| timeline.path(&change.path);
        failed.retain(|(known, ..)| !changes.iter().any(|change| path(change) == *known));
        if done.failed() && !done.refused() {
            failed.extend(changes.iter().map(|change| (path(change), &*done.item.id, change)));
        }
    }
    let work = |(path, id, _): (String, &str, &Change)| {
        let line = format!("change {path}: the change that was tried did not go through");
        Work::new(line, Trust::S, "interrupted", id)
    };
    let newest = failed.into_iter().rev().take(MOST);
    newest.map(work).collect()
}

/// How long a text is, at least, that is known again by itself in a file.
const TEXT_BYTES: usize = 12;

/// Whether a call shows the file `path` as a change would have made it.
fn was_there(timeline: &Timeline<'_>, done: &Done<'_>, path: &str, change: &Change) -> bool {
    let Some(Action::Read { path: read, .. }) = done.call.action.as_deref() else { return false };
    let (removed, added) = (change.removed.trim(), change.added.trim());
    let is_it = timeline.path(read) == path && added.len() >= TEXT_BYTES && done.worked();
    is_it && {
        let shown = text::without_numbers(&done.output());
        shown.contains(added) && (added.contains(removed) || !shown.contains(removed))
    }
}

/// Returns what was to be given to an agent in the newest turn and failed, where that did not go through
/// later, and the session ends in the middle of the work or nothing worked since: else the agent went another way, as
/// where something worked before and it says that the work is done.
pub(super) fn not_begun(timeline: &Timeline<'_>) -> Vec<Work> {
    let newest = timeline.requests().next_back().map_or(0, |(item, _)| item.turn);
    let mut failed: Vec<(&str, &str)> = Vec::new();
    let last = last_words(timeline);
    let of_turn = || timeline.done().filter(|done| done.item.turn >= newest);
    let works = |done: &Done<'_>| {
        done.worked() && !matches!(done.call.action.as_deref(), Some(Action::Plan))
    };
    let is_claimed = last.as_ref().is_some_and(|(_, words)| claims_done(words));
    if is_claimed && of_turn().any(|done| works(&done)) {
        return Vec::new();
    }
    for done in of_turn() {
        if last.is_some() && works(&done) {
            failed.clear();
        }
        let Some(Action::Agent { task }) = done.call.action.as_deref() else { continue };
        failed.retain(|(other, _)| other != task);
        if done.failed() && !done.refused() {
            failed.push((task, &done.item.id));
        }
    }
    let work = |(task, id): (&str, &str)| {
        let line = format!("give to an agent: {}; what was tried failed", text::line(task, 200));
        Work::new(line, Trust::S, "interrupted", id)
    };
    failed.into_iter().take(MOST).map(work).collect()
}
