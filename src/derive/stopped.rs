//! What ran on in the background until a later call stopped it.

use super::timeline::{Done, Timeline};
use crate::model::Action;

/// Whether a call began a command that ran on until a later call stopped it.
pub(super) fn was_stopped(timeline: &Timeline<'_>, done: &Done<'_>) -> bool {
    let name = name(done).filter(|_| done.command().is_some());
    let stops = |name| timeline.done().skip(done.index + 1).any(|later| on(&later) == Some(name));
    name.is_some_and(stops)
}

/// Returns the call that began the command which a call stops.
pub(super) fn stopped<'s>(timeline: &Timeline<'s>, done: &Done<'_>) -> Option<Done<'s>> {
    let named = on(done)?;
    let is_it = |before: &Done<'_>| before.command().is_some() && name(before) == Some(named);
    timeline.done().rev().skip_while(|before| before.index >= done.index).find(is_it)
}

/// Returns the name by which what a call began runs on.
fn name<'s>(done: &Done<'s>) -> Option<&'s str> {
    done.result?.out.as_deref().filter(|name| !name.is_empty())
}

/// Returns the name of what a call stops, also by Ctrl-C.
fn on<'s>(done: &Done<'s>) -> Option<&'s str> {
    match done.call.action.as_deref()? {
        Action::Stop { on } if !done.failed() => Some(on),
        Action::Type { keys, on } if keys.trim_matches([' ', '\r', '\n']) == "\u{3}" => {
            on.as_deref()
        }
        _ => None,
    }
}
