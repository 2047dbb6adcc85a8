//! What the agents did that a session sent off: a machine recorded it as it did the session's own calls, and it
//! stands among these. What an agent was told, says, or keeps in a list of its own is not the session's.

use std::collections::{HashMap, HashSet};

use rustc_hash::FxHashMap;

use super::checking::is_check;
use super::files::{is_here, takes_away};
use super::timeline::{Done, Timeline};
use super::written::changed;
use super::{outcomes, place};
use crate::model::{Action, Body, Item, Session};

/// How deep agents of agents are followed.
const MAX_DEPTH: usize = 8;

/// Puts the items of side sessions that a call of the session began among its own, in the order of time, on the
/// line and in the turn in which they were made; drops those of all others.
pub fn take_in(session: &mut Session) {
    if session.items.iter().all(Item::is_own) {
        return;
    }
    let places = places(&session.items);
    let mut places = places.iter().peekable();
    let mut items: Vec<_> = std::mem::take(&mut session.items).into_iter().map(Some).collect();
    for at in 0..items.len() {
        let Some(own) = items[at].take_if(|item| item.is_own()) else { continue };
        let (line, turn) = (own.line, own.turn);
        session.items.push(own);
        while let Some((_, side)) = places.next_if(|(behind, _)| *behind == at) {
            let taken = items[*side].take();
            session.items.extend(taken.map(|item| Item { line, turn, dropped_by: None, ..item }));
        }
    }
}

/// Tells of each item of a session whether it was really said or done: what a compaction replaced was.
pub(super) fn is_history<'i>(items: &'i [Item<'_>]) -> impl Fn(&Item<'_>) -> bool + use<'i> {
    let compactions = items.iter().filter(|item| matches!(item.body, Body::Compaction(_)));
    let compactions: HashSet<&str> = compactions.map(|item| item.id.as_ref()).collect();
    move |item| {
        let dropped = item.dropped_by.as_deref();
        let stays = dropped.is_none_or(|by| by == "never_sent" || compactions.contains(by));
        stays && item.copy_of.is_none()
    }
}

/// Tells behind which of a session's own items those of side sessions belong, in order.
fn places(items: &[Item<'_>]) -> Vec<(usize, usize)> {
    let is_history = is_history(items);
    let own = items.iter().enumerate().filter(|(_, item)| item.is_own() && is_history(item));
    let own: Vec<usize> = own.map(|(at, _)| at).collect();
    let begun = begun(items, &own);
    let mut latest = None;
    let until = |at: &usize| {
        latest = latest.max(items[*at].ts.as_deref().map(moment));
        latest
    };
    let times: Vec<_> = own.iter().map(until).collect();
    let mut places = Vec::new();
    for (at, item) in items.iter().enumerate().filter(|(_, item)| item.copy_of.is_none()) {
        let first = item.side_session.as_deref().and_then(|side| begun.get(side));
        let Some(first) = first.filter(|_| !matches!(item.body, Body::SideSession(_))) else {
            continue;
        };
        let time = item.ts.as_deref().map(moment);
        let behind = times.partition_point(|own| *own < time).saturating_sub(1);
        places.push((own[behind.max(*first)], time, at));
    }
    places.sort();
    places.into_iter().map(|(behind, _, at)| (behind, at)).collect()
}

/// Returns of each side session that a call of `own` items began, or that of another agent, behind which of these.
fn begun<'i>(items: &'i [Item<'_>], own: &[usize]) -> HashMap<&'i str, usize> {
    let call = |item: &'i Item<'_>| match &item.body {
        Body::ToolCall(call) => Some(call.call_id.as_ref()),
        _ => None,
    };
    let calls = own.iter().enumerate().filter_map(|(at, place)| Some((call(&items[*place])?, at)));
    let calls: FxHashMap<&str, usize> = calls.collect();
    let within = items.iter().filter_map(|item| Some((call(item)?, item.side_session.as_deref()?)));
    let within: FxHashMap<&str, &str> = within.collect();
    let sides: Vec<_> = items
        .iter()
        .filter_map(|item| match &item.body {
            Body::SideSession(side) => Some((side.id.as_ref(), side.call_id.as_deref()?)),
            _ => None,
        })
        .collect();
    let mut begun: HashMap<&str, usize> = HashMap::new();
    for _ in 0..MAX_DEPTH {
        let known = begun.len();
        for (side, call) in &sides {
            let first = calls.get(call).or_else(|| begun.get(within.get(call)?)).copied();
            begun.extend(first.map(|first| (*side, first)));
        }
        if begun.len() == known {
            break;
        }
    }
    begun
}

/// Returns a time stamp in two parts that sort as the times do, where both are told in the same zone.
fn moment(ts: &str) -> (&str, &str) {
    let (whole, rest) = ts.split_at_checked("2026-01-02T03:04:05".len()).unwrap_or((ts, ""));
    (whole, rest.trim_end_matches('Z'))
}

/// Returns the calls of a session without those of other agents that do not matter to it.
pub(super) fn what_matters<'s>(timeline: &Timeline<'s>) -> Vec<Done<'s>> {
    let matters = |done: &Done<'_>| !done.is_by_agent() || matters(timeline, done);
    let kept = timeline.done().filter(matters).enumerate();
    kept.map(|(index, done)| Done { index, ..done }).collect()
}

/// Whether the session has to know what came of an agent's call: it changed files, ran a check, or did what others
/// see, and all of it in the session's folder.
fn matters(timeline: &Timeline<'_>, done: &Done<'_>) -> bool {
    if done.result.is_none() || done.refused() {
        return false;
    }
    match done.call.action.as_deref() {
        Some(Action::Edit { .. }) => {
            let changed = changed(timeline, done);
            !changed.is_empty() && changed.iter().all(|one| is_here(&one.path))
        }
        Some(Action::Shell { .. }) => {
            let acts = |part: &String| {
                is_check(part) || outcomes::has_verb(part) || outcomes::changes_tree(part)
            };
            let changes = || {
                let changed = changed(timeline, done);
                takes_away(timeline, done) || changed.iter().any(|one| is_here(&one.path))
            };
            let goes_elsewhere =
                done.command().is_some_and(|line| place::elsewhere(line, done.cwd).is_some());
            !goes_elsewhere
                && done.folder().is_none_or(|folder| is_here(&timeline.path(&folder)))
                && (timeline.parts(done).iter().any(acts) || changes())
        }
        _ => false,
    }
}
