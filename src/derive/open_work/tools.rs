//! Tools that are no command, and failed as the last that was tried.

use super::Work;
use crate::derive::idle::asks_by_name;
use crate::derive::timeline::{Done, Timeline};
use crate::derive::{Trust, symptoms, text};
use crate::model::{Action, ToolKind};

/// How many are told.
const MOST: usize = 2;
/// How many characters of an address and of what went wrong are told.
const TOLD_CHARS: usize = 160;

/// Returns the calls of the newest turn that failed, of tools that are no command and no edit, where the same
/// tool did not work later and nothing else was done since. That something could not be looked up counts only
/// where nothing was done in the turn at all: else the agent went another way.
pub(super) fn failed_tools(timeline: &Timeline<'_>) -> Vec<Work> {
    let newest = timeline.requests().next_back().map_or(0, |(item, _)| item.turn);
    let of_turn = || timeline.done().rev().take_while(|done| done.item.turn >= newest);
    let does = |done: &Done<'_>| done.worked() && !is_aside(done);
    let is_idle = !of_turn().any(|done| does(&done));
    let since = of_turn().take_while(|done| !does(done));
    let is_meant = |done: &Done<'_>| is_tool(done) && (is_idle || !only_asks(done));
    let mut found: Vec<Done<'_>> = Vec::new();
    for done in since.filter(|done| done.failed() && !done.refused() && is_meant(done)) {
        if found.len() < MOST && found.iter().all(|known| known.call.name != done.call.name) {
            found.push(done);
        }
    }
    found.iter().rev().map(work).collect()
}

/// Whether a call is of a tool of which it is not known what it does, or fetches something.
fn is_tool(done: &Done<'_>) -> bool {
    let is_other = done.call.kind == ToolKind::Other && done.call.action.is_none();
    is_other || matches!(done.call.action.as_deref(), Some(Action::Fetch { .. }))
}

/// Whether a tool only looks something up, as far as its name tells.
fn only_asks(done: &Done<'_>) -> bool {
    matches!(done.call.action.as_deref(), Some(Action::Fetch { .. }))
        || asks_by_name(&done.call.name)
}

/// Whether a call does nothing for the work: it keeps the list of it, or looks at what is there.
fn is_aside(done: &Done<'_>) -> bool {
    let is_look = matches!(
        done.call.action.as_deref(),
        Some(Action::Plan | Action::Read { .. } | Action::Search { .. } | Action::Wait { .. })
    );
    is_look || done.call.kind == ToolKind::Other && only_asks(done)
}

fn work(done: &Done<'_>) -> Work {
    let what = match done.call.action.as_deref() {
        Some(Action::Fetch { target }) => format!("fetch {}", text::line(target, TOLD_CHARS)),
        _ => format!("`{}`", done.call.name),
    };
    let why = symptoms::telling(&done.output(), 1).pop().unwrap_or_default();
    let why = text::line(&why, TOLD_CHARS);
    let behind = if why.is_empty() { String::new() } else { format!(": {why}") };
    let how = if done.was_held_back() { "it did not run" } else { "what was tried failed" };
    let line = format!("{what}: {how}, and nothing was done since{behind}");
    Work::new(line, Trust::S, "interrupted", &done.item.id)
}
