//! What hooks of the user's said against the work, and nobody saw to.

use super::Work;
use super::left::last_act;
use crate::derive::timeline::{Done, Timeline};
use crate::derive::{Trust, text};
use crate::model::{Action, Body, Item};

/// How much of it is told, in characters.
const TOLD_CHARS: usize = 200;

/// Returns what a hook said with which the session ends, and what one said of the change of a file that it has not
/// let through since.
pub(super) fn objections(timeline: &Timeline<'_>) -> Vec<Work> {
    let all: Vec<_> = timeline.items.iter().filter_map(|item| said(item)).collect();
    if all.is_empty() {
        return Vec::new();
    }
    let last = last_act(timeline).map_or(0, |item| item.line);
    let calls: Vec<_> = timeline.own().collect();
    let is_open = |item: &Item<'_>| {
        let at = calls.partition_point(|done| done.item.line < item.line);
        let met = at.checked_sub(1).and_then(|at| calls.get(at));
        let files = met.map(|done| changes(timeline, done)).unwrap_or_default();
        let is_let = |next: usize| {
            let until = calls.get(next + 1).map_or(u64::MAX, |done| done.item.line);
            let between = calls[next].item.line..until;
            !all.iter().any(|(other, _)| between.contains(&other.line))
        };
        let again = |next: &usize| {
            let changed = changes(timeline, &calls[*next]);
            changed.iter().any(|path| files.contains(path))
        };
        let stands =
            !files.is_empty() && !(at..calls.len()).any(|next| again(&next) && is_let(next));
        item.line > last || stands
    };
    let work = |words: &str, item: &Item<'_>| {
        let words = text::line(words.trim_start_matches(['-', ' ']), TOLD_CHARS);
        Work::new(
            format!("a hook objected, and nobody saw to it: {words}"),
            Trust::S,
            "check",
            &item.id,
        )
    };
    // Of several in the same words one is told.
    let mut open: Vec<Work> = Vec::new();
    for (item, words) in all.iter().filter(|(item, _)| is_open(item)) {
        let work = work(words, item);
        open.retain(|known| known.text != work.text);
        open.push(work);
    }
    open
}

fn said<'i>(item: &'i Item<'_>) -> Option<(&'i Item<'i>, String)> {
    match &item.body {
        Body::Notice { kind, text: Some(words) } if kind == "objection" => {
            Some((item, words.plain().into_owned()))
        }
        _ => None,
    }
}

/// Returns the files that a call changed by the tool for it.
fn changes(timeline: &Timeline<'_>, done: &Done<'_>) -> Vec<String> {
    match done.call.action.as_deref().filter(|_| done.worked()) {
        Some(Action::Edit { changes }) => {
            changes.iter().map(|change| timeline.path(&change.path)).collect()
        }
        _ => Vec::new(),
    }
}
