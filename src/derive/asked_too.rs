//! Requests that came while the agent was still at work on others.

use std::collections::HashSet;

use serde::Serialize;

use super::timeline::Timeline;
use super::{text, topic, turns};
use crate::model::{Body, Item, Origin, Role, Status};

/// How many of them are told at most, the newest, and how many characters of each.
const MOST: usize = 6;
pub(super) const TOLD_CHARS: usize = 160;
/// How many are looked at, with those that only nod.
const GATHERED: usize = 4 * MOST;

/// A request beside the current one: the agent had not ended its turn in between.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AskedToo {
    /// Its turn.
    pub id: String,
    /// Its words on one line, cut at the end.
    pub text: String,
}

impl AskedToo {
    /// Tells the words of a turn.
    pub(super) fn of(id: String, words: &str) -> Self {
        Self { id, text: text::line(words, TOLD_CHARS) }
    }
}

/// Returns the requests before the last one between which the agent did not end its turn, the newest
/// first, without those of which `is_told` says so; none where it has ended it since.
pub(super) fn asked_too(
    timeline: &Timeline<'_>,
    is_told: impl Fn(&AskedToo) -> bool,
) -> Vec<AskedToo> {
    let items = timeline.until_farewell();
    if has_ended(timeline, items) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut requests = timeline.requests().rev().peekable();
    let mut end = items.len();
    while let Some((item, _)) = requests.next().filter(|_| found.len() < GATHERED) {
        let at = items[..end].iter().rposition(|other| other.id == item.id).unwrap_or_default();
        end = at;
        if has_ended(timeline, &items[..at]) {
            break;
        }
        // Several messages may stand in one turn; it is told by the last.
        let before = requests.peek().filter(|(before, _)| before.turn != item.turn);
        found.extend(before.map(|(before, message)| {
            AskedToo::of(turns::id(before.turn), &text::plain(&message.words()))
        }));
    }
    let last = timeline.requests().next_back();
    let mut told: HashSet<String> = last
        .map(|(_, message)| text::line(&text::plain(&message.words()), TOLD_CHARS))
        .into_iter()
        .collect();
    found.retain(|one| !topic::is_nod(&one.text) && told.insert(one.text.clone()));
    found.retain(|one| !is_told(one));
    found.truncate(MOST);
    found
}

/// Tells whether the agent is not at work at the end of `items`: it spoke last, or was stopped, or
/// nobody had asked for anything.
fn has_ended(timeline: &Timeline<'_>, items: &[&Item<'_>]) -> bool {
    let at_work = items.iter().rev().find_map(|item| match &item.body {
        Body::ToolResult(result) if result.rejected || result.status == Status::Interrupted => {
            Some(false)
        }
        Body::ToolCall(_) | Body::ToolResult(_) => timeline.is_deed(item).then_some(true),
        Body::Message(message) if message.origin == Origin::Human => Some(true),
        Body::Message(message) if message.origin == Origin::Model => {
            Some(message.role != Role::Assistant)
        }
        Body::Notice { kind, .. } if kind == "interrupted" => Some(false),
        _ => None,
    });
    !at_work.unwrap_or(false)
}
