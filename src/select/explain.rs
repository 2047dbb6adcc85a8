//! Why each thing is in a pack or not, and how far the choice can be from the best one.

use serde::Serialize;

use super::entries::{Entry, Place};
use super::order::{Increment, tokens_f64};
use super::weights::Weights;
use crate::derive::{Facts, Trust};

/// The whole choice.
#[derive(Clone, Debug, Serialize)]
pub struct Explanation {
    /// Every thing that could be told, in the order in which it is first taken.
    pub things: Vec<Explained>,
    /// What all that was taken is worth.
    pub worth: f64,
    /// The most that any choice of the same cost could be worth beyond that, by the density of the
    /// first rendering that did not fit and the tokens that are left.
    pub gap_at_most: f64,
    /// Tokens of the budget that are left.
    pub unused_tokens: usize,
}

/// One thing.
#[derive(Clone, Debug, Serialize)]
pub struct Explained {
    /// Its id in the pack.
    pub id: String,
    /// How richly it is told: 0 not at all.
    pub level: usize,
    /// How richly it could be told.
    pub levels: usize,
    /// What its renderings cost up to that level; of one that is out, what the first would cost.
    pub tokens: usize,
    /// What its kind is worth: how strong its evidence is, and what hangs on it.
    pub kind: f64,
    /// Which share of that it has: how lately and how often it was touched.
    pub share: f64,
    /// How many times more it is worth for being near the words of the next task.
    pub near: f64,
    /// How far it can be trusted, where that is known.
    pub trust: Option<Trust>,
    /// What the last step to its level, or the first if it is out, is worth per token.
    pub density: f64,
    /// `must`, `taken`, `partly` or `out`.
    pub why: &'static str,
}

/// Explains the choice of the first `taken` increments, with `unused` tokens left.
pub(super) fn explain(
    facts: &Facts,
    entries: &[Entry],
    increments: &[Increment],
    weights: &Weights,
    (taken, unused): (usize, usize),
) -> Explanation {
    let mut things: Vec<Option<Explained>> = vec![None; entries.len()];
    let mut order = Vec::new();
    let mut worth = 0.0;
    for (place, increment) in increments.iter().enumerate() {
        let entry = &entries[increment.entry];
        let thing = things[increment.entry].get_or_insert_with(|| {
            order.push(increment.entry);
            thing(facts, entry, increment, weights)
        });
        if place < taken {
            worth += entry.levels[increment.level - 1].1;
            thing.tokens = if increment.level == 1 { 0 } else { thing.tokens } + increment.tokens;
            thing.level = increment.level;
            thing.density = increment.density;
            thing.why = if entry.must(1) { "must" } else { "taken" };
        } else if thing.level > 0 && thing.why == "taken" {
            thing.why = "partly";
        }
    }
    let next = increments.get(taken).map_or(0.0, |increment| increment.density);
    Explanation {
        things: order.into_iter().filter_map(|entry| things[entry].take()).collect(),
        worth,
        gap_at_most: next * tokens_f64(unused),
        unused_tokens: unused,
    }
}

fn thing(facts: &Facts, entry: &Entry, first: &Increment, weights: &Weights) -> Explained {
    let kind = if entry.is_news { weights.news } else { kind_worth(entry.place, weights) };
    let own = entry.levels.first().map_or(0.0, |(_, worth)| *worth);
    Explained {
        id: id(facts, entry.place),
        level: 0,
        levels: entry.levels.len(),
        tokens: first.tokens,
        kind,
        share: own / (kind * entry.near).max(1e-9),
        near: entry.near,
        trust: trust(facts, entry.place),
        density: first.density,
        why: "out",
    }
}

/// Returns what the first rendering of such a thing is worth at most.
fn kind_worth(place: Place, weights: &Weights) -> f64 {
    match place {
        Place::Goal => weights.goal[0],
        Place::Before => weights.before[0],
        Place::Replied => weights.replied[0],
        Place::Recap => weights.recap[0],
        Place::Called(_) => weights.fact[0],
        Place::Answer | Place::LastWords => weights.last_words[0],
        Place::Work(_) => weights.work,
        Place::Failure(_) => weights.failure[0],
        Place::Decision(_) => weights.decision[0],
        Place::Fact(_) => weights.fact[0],
        Place::File(_) => weights.file[0],
        Place::Command(_) => weights.command,
        Place::Section(_) => weights.section[0],
        Place::Turn(_) => weights.tiny[0],
        Place::Step(..) => weights.step,
    }
}

fn trust(facts: &Facts, place: Place) -> Option<Trust> {
    match place {
        Place::Work(index) => Some(facts.open_work[index].trust),
        Place::Fact(index) => Some(facts.facts[index].trust),
        Place::Failure(_) | Place::Decision(_) | Place::File(_) | Place::Command(_) => {
            Some(Trust::S)
        }
        Place::Section(_) | Place::Recap | Place::Called(_) => Some(Trust::A),
        Place::Goal | Place::Before => Some(Trust::B),
        Place::LastWords | Place::Replied | Place::Answer => Some(Trust::C),
        Place::Turn(_) | Place::Step(..) => None,
    }
}

/// Returns what names a thing in a pack.
fn id(facts: &Facts, place: Place) -> String {
    match place {
        Place::Goal => facts.now.goal_id.clone(),
        Place::Before => {
            facts.now.goal_before.as_ref().map(|before| before.id.clone()).unwrap_or_default()
        }
        Place::Replied => "what the agent had said before the request".to_owned(),
        Place::Answer => "what the agent had said before it was set to work again".to_owned(),
        Place::Called(index) => facts.now.called[index].name.clone(),
        Place::Recap => facts.now.recap.iter().map(|recap| recap.id.clone()).collect(),
        Place::LastWords => "the agent's last words".to_owned(),
        Place::Work(index) => facts.open_work[index].id.clone(),
        Place::Failure(index) => facts.failures[index].id.clone(),
        Place::Decision(index) => facts.decisions[index].id.clone(),
        Place::Fact(index) => facts.facts[index].id.clone(),
        Place::File(index) => facts.files[index].path.clone(),
        Place::Command(index) => facts.commands[index].command.clone(),
        Place::Section(index) => {
            let sections = facts.summary.iter().flat_map(|summary| &summary.sections);
            let title = sections.map(|section| section.title.as_str()).nth(index);
            format!("summary: {}", title.unwrap_or_default())
        }
        Place::Turn(index) => facts.turns[index].id.clone(),
        Place::Step(turn, index) => {
            let turn = &facts.turns[turn];
            format!("{} step {}", turn.id, turn.steps.len() - index)
        }
    }
}
