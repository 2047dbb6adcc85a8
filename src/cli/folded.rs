//! Older turns of a conversation as a summary, which a pack is.

use super::{Cli, kept, pack};
use crate::convert::Converted;
use crate::discover::Chosen;
use crate::error::{Error, Result};
use crate::harness::Harness;
use crate::model::{Body, Conversation, Entry, EntryBody, Item, Origin, Part, Session, plain};
use crate::note::LossKind;
use crate::select::tokens::Counter;

/// The largest summary, in tokens.
const SUMMARY_TOKENS: usize = 4000;
/// A window smaller than this has no room for a summary and something after it.
pub(super) const LEAST_TOKENS: usize = 2000;
/// What an image costs, in tokens; providers count by its size, most come to about this.
const IMAGE_TOKENS: usize = 1500;

/// Returns the id of a compaction that is carried and of which nothing can be read.
pub(super) fn hidden(converted: &Converted) -> Option<String> {
    let boundary = converted.conversation.boundary.as_ref().filter(|_| converted.lacks_summary());
    boundary.map(|entry| entry.id.clone())
}

/// Returns what a pack looks at in a session whose last compaction has no summary that is sent; `looked_at` if that
/// was taken already.
pub(super) fn to_tell(session: &Session, looked_at: Option<Session>) -> Result<Option<Session>> {
    let is_compaction = |item: &Item<'_>| matches!(item.body, Body::Compaction(_));
    let is_summary = |item: &Item<'_>| {
        let is_said = matches!(&item.body, Body::Message(said) if said.origin == Origin::Summary);
        is_said && item.live
    };
    let is_told = session.items.iter().any(is_summary);
    let is_hidden = !is_told && session.items.iter().any(is_compaction);
    is_hidden.then(|| looked_at.map_or_else(|| kept::of(session), Ok)).transpose()
}

/// Makes a summary of what a compaction replaced of which nothing can be read.
///
/// `session` is what a pack looks at, if it is known already.
pub(super) fn in_place_of_unreadable(
    converted: &mut Converted,
    session: Option<Session>,
    chosen: &Chosen,
) -> Result<bool> {
    let Some(id) = hidden(converted) else { return Ok(false) };
    let session = session.map_or_else(|| kept::read(chosen.harness, &chosen.input), Ok)?;
    let summary = summary(session, Some(&id), Some(&id), SUMMARY_TOKENS, &Counter::Fast)?;
    converted.fold(0, summary);
    converted.losses.lose(LossKind::SummaryMade, &id);
    Ok(true)
}

/// Folds the oldest entries into a summary until the rest fits `most` tokens of the target, and counts
/// the side sessions that do not fit: nothing of them is folded.
///
/// What the compaction `hidden` replaced is told too.
pub(super) fn fit(
    converted: &mut Converted,
    chosen: &Chosen,
    hidden: Option<&str>,
    (most, to): (usize, &dyn Harness),
    cli: &Cli,
) -> Result<()> {
    let counter = Counter::Fast.scaled(to.tokens_per_100());
    let count = to_fit(converted, chosen, hidden, most, &counter)?;
    if count > 0 {
        cli.say(&format!("segue: the first {count} entries are folded into a pack"));
    }
    long_sides(converted, most, &counter);
    Ok(())
}

/// Returns how many entries were folded.
fn to_fit(
    converted: &mut Converted,
    chosen: &Chosen,
    hidden: Option<&str>,
    most: usize,
    counter: &Counter,
) -> Result<usize> {
    let Conversation { live, .. } = &converted.conversation;
    let costs: Vec<usize> = live.iter().map(|entry| cost(entry, counter)).collect();
    if costs.iter().sum::<usize>() <= most {
        return Ok(0);
    }
    let budget = SUMMARY_TOKENS.min(most / 4);
    let at = cut(live, &costs, most - budget);
    let id = live.get(at).map(|entry| entry.id.clone());
    let session = kept::read(chosen.harness, &chosen.input)?;
    let summary = summary(session, id.as_deref(), hidden, budget, counter)?;
    converted.fold(at, summary);
    Ok(at)
}

fn long_sides(converted: &mut Converted, most: usize, counter: &Counter) {
    let mut waiting: Vec<_> = converted.conversation.sides.iter().collect();
    while let Some(side) = waiting.pop() {
        let Conversation { live, sides, .. } = &side.conversation;
        let length: usize = live.iter().map(|entry| cost(entry, counter)).sum();
        if length > most {
            converted.losses.lose(LossKind::LongSide, &side.id);
        }
        waiting.extend(sides);
    }
}

/// Finds where the newest entries begin that cost at most `room`: at a request if one is near, else
/// where a response begins.
fn cut(live: &[Entry], costs: &[usize], room: usize) -> usize {
    let (mut at, mut left) = (live.len(), room);
    while at > 0 && costs[at - 1] <= left {
        left -= costs[at - 1];
        at -= 1;
    }
    let starts = |place: usize| {
        let response = live[place].response;
        response == 0 || place == 0 || live[place - 1].response != response
    };
    let near = at + (live.len() - at) * 3 / 10;
    let request = (at..near.min(live.len())).find(|place| is_request(&live[*place]));
    let response = (at..live.len()).find(|place| starts(*place));
    request.or(response).unwrap_or(live.len())
}

fn is_request(entry: &Entry) -> bool {
    matches!(&entry.body, EntryBody::Said(message) if message.origin == Origin::Human)
}

/// What an entry costs, about: its texts, arguments and images.
fn cost(entry: &Entry, counter: &Counter) -> usize {
    let count = |text: &str| counter.count(text);
    let of_parts = |parts: &[Part<'_>]| {
        let blobs = parts.iter().filter(|part| matches!(part, Part::Blob(_))).count();
        count(&plain(parts)) + blobs * IMAGE_TOKENS
    };
    match &entry.body {
        EntryBody::Said(message) | EntryBody::Answer(message) => of_parts(&message.parts),
        EntryBody::Summary(text) => count(&text.plain()),
        EntryBody::Reasoning(reasoning) => count(&reasoning.text.plain()),
        EntryBody::Exchange(exchange) => {
            let call = &exchange.call;
            count(&call.name) + count(call.arguments.get()) + of_parts(&exchange.result.output)
        }
        EntryBody::Usage(_) | EntryBody::Notice { .. } | EntryBody::Boundary(_) => 0,
    }
}

/// Returns a pack of what stands before the item `id`, as a summary, and of what the compaction
/// `hidden` replaced.
fn summary(
    mut session: Session,
    id: Option<&str>,
    hidden: Option<&str>,
    tokens: usize,
    counter: &Counter,
) -> Result<String> {
    let end = id.and_then(|id| session.items.iter().position(|item| item.id == id));
    session.items.truncate(end.unwrap_or(session.items.len()));
    for item in &mut session.items {
        if hidden.is_some() && item.dropped_by.as_deref() == hidden {
            item.live = true;
            item.dropped_by = None;
        }
    }
    pack::summary(&session, tokens, counter).map_err(|error| match error {
        Error::BudgetTooSmall { needed, .. } => {
            let what = format!("a summary of the older turns alone needs {needed} tokens");
            Error::usage(what, format!("--max-tokens {}", needed * 8))
        }
        other => other,
    })
}
