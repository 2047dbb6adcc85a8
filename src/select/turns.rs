//! Turns in the order in which a pack takes them, and how they stand in it.
//!
//! A turn is told at one of four levels: a line (T), its steps a line each (C), steps with the lines
//! of their changes and outputs (S), all of it (R). Of what turns may cost, the levels get fixed
//! shares, the newest turns first; how rich a turn may become moves only every ten turns, so that
//! the beginning of the text stays the same from one turn to the next.

use super::entries::{Entry, Place};
use super::order::Increment;
use super::weights::Weights;
use crate::derive::levels::{Level, tag};
use crate::derive::{Facts, Turn};

/// After how many turns the bounds of the levels move.
const BLOCK: u32 = 10;
/// How many turns back, counted from the last full block, a level is still given.
const REACH: [(usize, u32); 3] = [(3, 10), (2, 30), (1, 90)];

/// The richest level that the steps of a turn may have: 3 all, 2 with details, 1 a line, 0 none.
/// In a session that is not the one that leads it is a line.
pub(super) fn richest(turn: &Turn, newest: u32) -> usize {
    if !session(&turn.id).is_empty() {
        return 1;
    }
    let full = newest / BLOCK * BLOCK;
    let reaches = |reach: &u32| turn.number + reach > full;
    REACH.iter().find(|(_, reach)| reaches(reach)).map_or(0, |(level, _)| *level)
}

/// Which of the four levels an increment leads to, if it is one of a turn's.
fn class(increment: &Increment, entries: &[Entry]) -> Option<usize> {
    match entries[increment.entry].place {
        Place::Step(..) if entries[increment.entry].is_news => None,
        Place::Turn(_) => Some(3),
        Place::Step(..) => Some(3 - increment.level.min(3)),
        _ => None,
    }
}

/// Orders the increments of turns so that each level gets its share of what they cost, whatever the
/// budget; `increments` stand in the order of their density.
///
/// The curve of densities stays as it was: what comes first gets the highest.
pub(super) fn share_out(increments: &mut Vec<Increment>, entries: &[Entry], weights: &Weights) {
    let is_turn = |increment: &Increment| class(increment, entries).is_some();
    let (turns, others): (Vec<_>, Vec<_>) = increments.drain(..).partition(is_turn);
    let curve: Vec<(usize, f64)> = turns.iter().map(|one| (one.tokens, one.density)).collect();
    let mut queues: [std::collections::VecDeque<Increment>; 4] = Default::default();
    for one in turns {
        let class = class(&one, entries).unwrap_or(3);
        queues[class].push_back(one);
    }
    let mut spent = [0.0; 4];
    let mut taken = vec![0; entries.len()];
    let (mut at, mut passed, mut total) = (0, 0, 0);
    *increments = others;
    while let Some(class) = next(&queues, &spent, &weights.shares, &taken) {
        let Some(mut one) = queues[class].pop_front() else { break };
        while at + 1 < curve.len() && passed + curve[at].0 <= total {
            passed += curve[at].0;
            at += 1;
        }
        total += one.tokens;
        one.density = curve[at].1;
        spent[class] += super::order::tokens_f64(one.tokens);
        taken[one.entry] = one.level;
        increments.push(one);
    }
}

/// Returns the level that is furthest behind its share and has something that may come next.
fn next(
    queues: &[std::collections::VecDeque<Increment>; 4],
    spent: &[f64; 4],
    shares: &[f64; 4],
    taken: &[usize],
) -> Option<usize> {
    let is_ready =
        |class: &usize| queues[*class].front().is_some_and(|one| taken[one.entry] + 1 == one.level);
    let lag = |class: &usize| spent[*class] / shares[*class].max(1e-9);
    (0..4).filter(is_ready).min_by(|a, b| lag(a).total_cmp(&lag(b)))
}

/// Returns the tags around the turns that are shown, by their places among all and their levels,
/// oldest first: each tag opens at a turn and closes at one, turns of one line that follow each
/// other in one session have one tag together.
pub(super) fn tags(
    facts: &Facts,
    shown: &[(usize, Level)],
) -> Vec<(Option<String>, Option<String>)> {
    let session = |place: usize| session(&facts.turns[place].id);
    let number = |place: usize| facts.turns[place].number;
    let mut tags: Vec<(Option<String>, Option<String>)> = vec![(None, None); shown.len()];
    let mut first = 0;
    for at in 0..shown.len() {
        let (place, level) = shown[at];
        let goes_on = shown.get(at + 1).is_some_and(|(next, after)| {
            let follows = place == next + 1 && session(place) == session(*next);
            level == Level::Tiny && *after == Level::Tiny && follows
        });
        if goes_on {
            continue;
        }
        let tag = tag(number(shown[first].0), number(place), level);
        let tag = format!("{}{tag}", session(place));
        tags[first].0 = Some(tag.clone());
        tags[at].1 = Some(tag);
        first = at + 1;
    }
    tags
}

/// Returns the name of the session at the head of an id, with its stroke; nothing for the newest.
pub(super) fn session(id: &str) -> &str {
    id.find('/').map_or("", |at| &id[..=at])
}
