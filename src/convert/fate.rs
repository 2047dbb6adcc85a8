//! What becomes of each item: sent, only kept as older history, or lost.

use std::collections::HashSet;

use super::Options;
use crate::model::{Body, Item, Message, Origin, Part, Role};
use crate::note::{LossKind, Losses};

/// What a notice is called that says that the user stopped the model.
pub(super) const STOPPED: &str = "interrupted";

/// What becomes of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is sent; its place among what is sent.
    Live(u32),
    /// It stands before the compaction that is carried.
    Older,
    /// It is the compaction that is carried.
    Boundary,
    /// What says that the user stopped the model says it, too.
    Told,
    /// It is not carried; that was counted.
    Lost,
}

/// Tells for each item what becomes of it.
pub(super) fn fates(items: &[Item<'_>], options: &Options<'_>, losses: &mut Losses) -> Vec<Fate> {
    let compactions: HashSet<&str> = items
        .iter()
        .filter(|item| matches!(item.body, Body::Compaction(_)) && is_own(item))
        .map(|item| item.id.as_ref())
        .collect();
    let boundary = items
        .iter()
        .rposition(|item| matches!(item.body, Body::Compaction(_)) && item.live && is_own(item));
    let boundary = boundary.filter(|_| !options.full_history);
    let (replaced, stop) = (replaced_calls(items, &compactions), stop(items));
    let says_stop = |place: usize, line: u64| {
        stop.is_some_and(|stop| stop.abs_diff(place) == 1 && items[stop].line == line)
    };
    let mut before = Fate::Live(0);
    let mut fates = Vec::with_capacity(items.len());
    for (place, item) in items.iter().enumerate() {
        let why = lost(item, options, &compactions);
        let mut fate = match why.filter(|_| !is_late(item, &replaced)) {
            // Whoever goes on must know that nobody wanted that.
            _ if stop == Some(place) => match before {
                Fate::Live(_) => before,
                // What it stopped stands before a boundary.
                _ => Fate::Live(u32::MAX),
            },
            // The target has words of its own for a stop.
            Some(LossKind::HarnessText) if says_stop(place, item.line) => Fate::Told,
            Some(kind) => {
                losses.lose(kind, &item.id);
                Fate::Lost
            }
            None if boundary == Some(place) => Fate::Boundary,
            // What is never sent goes with what it was said of.
            None if is_beside(item) => before,
            None if item.live => Fate::Live(item.rank),
            None if boundary.is_some() || options.full_history => Fate::Older,
            // What replaced it was left too, so that there is nothing before which it could stand.
            None => {
                losses.lose(LossKind::Abandoned, &item.id);
                Fate::Lost
            }
        };
        // Without a boundary all that was ever sent is sent again, in the order of the file.
        if options.full_history && !matches!(fate, Fate::Lost | Fate::Told) {
            fate = Fate::Live(u32::try_from(place).unwrap_or(u32::MAX));
        }
        if !matches!(fate, Fate::Lost | Fate::Told | Fate::Boundary) {
            before = fate;
        }
        fates.push(fate);
    }
    fates
}

fn is_own(item: &Item<'_>) -> bool {
    item.side_session.is_none()
}

/// Returns the calls of the session itself that a compaction replaced.
fn replaced_calls<'i>(items: &'i [Item<'_>], compactions: &HashSet<&str>) -> HashSet<&'i str> {
    let call = |item: &'i Item<'_>| match &item.body {
        Body::ToolCall(call) if is_own(item) => {
            let by = item.dropped_by.as_deref()?;
            compactions.contains(by).then_some(call.call_id.as_ref())
        }
        _ => None,
    };
    items.iter().filter_map(call).collect()
}

/// Returns the place of the notice that the user stopped the model, if what is sent ends with that.
fn stop(items: &[Item<'_>]) -> Option<usize> {
    let ends = |item: &Item<'_>| match &item.body {
        // The program's own notices are sent to nobody.
        Body::Notice { kind, .. } => {
            let is_there = item.live || item.dropped_by.as_deref() == Some("never_sent");
            is_there && matches!(kind.as_ref(), STOPPED | "error")
        }
        Body::Message(message) => {
            item.live && !matches!(message.origin, Origin::Harness | Origin::Command)
        }
        Body::ToolCall(_) | Body::ToolResult(_) | Body::Compaction(_) => item.live,
        _ => false,
    };
    let last = items.iter().rposition(|item| is_own(item) && ends(item))?;
    // One with words was ended by something else.
    let is_stop = matches!(&items[last].body, Body::Notice { kind, text: None } if kind == STOPPED);
    is_stop.then_some(last)
}

/// Tells whether an item is what came of a call that a compaction had replaced by then: it was sent to
/// nobody, and belongs to the call wherever that is carried.
fn is_late(item: &Item<'_>, replaced: &HashSet<&str>) -> bool {
    let is_unsent = is_own(item) && item.dropped_by.as_deref() == Some("never_sent");
    matches!(&item.body, Body::ToolResult(result)
        if is_unsent && replaced.contains(result.call_id.as_ref()))
}

/// Tells whether an item is not sent for what it is, not for where it stands.
fn is_beside(item: &Item<'_>) -> bool {
    item.dropped_by.as_deref() == Some("never_sent")
        && matches!(item.body, Body::Usage(_) | Body::Reasoning(_))
}

/// Tells why an item is not carried.
fn lost(item: &Item<'_>, options: &Options<'_>, compactions: &HashSet<&str>) -> Option<LossKind> {
    if !item.is_own() {
        return Some(LossKind::SideSession);
    }
    let by = item.dropped_by.as_deref().unwrap_or_default();
    match by {
        "duplicate" => return Some(LossKind::Duplicate),
        "side_session" => return Some(LossKind::SideSession),
        "" | "never_sent" => {}
        id if compactions.contains(id) => {}
        _ => return Some(LossKind::Abandoned),
    }
    match &item.body {
        Body::Notice { .. } if item.body.attached().is_some() && by != "never_sent" => None,
        body if body.is_attached() => Some(LossKind::Attached),
        Body::Notice { .. } => Some(LossKind::Notice),
        Body::Reasoning(_) if !options.same => Some(LossKind::Reasoning),
        Body::Compaction(_) if options.full_history => Some(LossKind::Compaction),
        Body::Message(message) => lost_message(message, item, options),
        Body::ToolCall(_) | Body::ToolResult(_) if by == "never_sent" => Some(LossKind::Unsent),
        // A copy of what is carried itself.
        _ if options.full_history && item.copy_of.is_some() => Some(LossKind::Duplicate),
        _ => None,
    }
}

fn lost_message(message: &Message<'_>, item: &Item<'_>, options: &Options<'_>) -> Option<LossKind> {
    if item.dropped_by.as_deref() == Some("never_sent") {
        return Some(LossKind::Unsent);
    }
    let is_copy = options.full_history && item.copy_of.is_some();
    match (message.origin, message.role) {
        // What the model said to make a summary stands in the summary.
        (Origin::Summary, Role::Assistant) => Some(LossKind::Duplicate),
        (Origin::Summary, _) if options.full_history => Some(LossKind::Compaction),
        (Origin::Harness, Role::User) if shows_bytes(message) || item.body.attached().is_some() => {
            is_copy.then_some(LossKind::Duplicate)
        }
        (Origin::Harness, _) | (_, Role::System) if !options.same => Some(LossKind::HarnessText),
        _ if is_copy => Some(LossKind::Duplicate),
        _ => None,
    }
}

/// Tells whether a message holds an image or other bytes: what a tool looked at, where the harness
/// sends that behind the result.
fn shows_bytes(message: &Message<'_>) -> bool {
    message.parts.iter().any(|part| matches!(part, Part::Blob(_)))
}
