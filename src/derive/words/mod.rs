//! What the user and the agent said that binds the work: constraints, corrections, choices,
//! assumptions.
//!
//! Only words that a human typed can bind; of those only what is clearly an order. What the agent
//! says counts where later work bears it out.

mod ahead;
mod asking;
mod assumed;
mod bounds;
mod choices;
mod committing;
mod corrections;
mod courtesy;
mod cues;
mod directions;
mod failing;
mod forbidding;
mod foreign;
mod germanic;
mod heard;
mod lists;
mod logged;
mod missing;
mod names;
mod options;
mod orders;
mod reasons;
mod referring;
mod scripts;
mod sections;
mod sentence;
mod talk;
mod tongues;
mod unfinished;
mod waiting;
mod wishes;

pub(super) use ahead::{leads_to_conditions, proposed_fix};
pub(super) use asking::{asks_in_recap, asks_user};
pub use choices::AGREED;
pub(super) use choices::{
    asks_to_be_let, begins_with, begins_with_assent, only_agrees, opens_with_assent,
};
pub(super) use committing::commits;
pub(super) use corrections::repeated;
pub(super) use courtesy::takes_leave;
pub(super) use cues::{is_on_length_alone, orders_work};
pub(super) use heard::is_english;
pub(super) use lists::{is_verb, names_act};
pub(super) use names::{keys, same};
pub(super) use orders::{orders, purpose};
pub(super) use referring::{
    counts, has_pronoun, numbered, refers_back, says_nothing_new, stands_for, suggests,
};
pub(super) use sentence::split as sentences;
pub(super) use unfinished::{announced, goes_on, is_unwanted, only_announces, unfinished};
pub(super) use waiting::{goes_on_later, waits_for_what_runs};

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use super::fact::{Fact, FactKind, State};
use super::timeline::Timeline;

/// How many facts of a kind are kept.
const MOST: usize = 12;
/// The same of what binds the work.
const MOST_RULES: usize = 100;

/// What is found in words.
pub(super) struct Words {
    /// What is kept of it, each kind newest first.
    pub(super) kept: Vec<Fact>,
    /// What else the user said, which is only counted.
    pub(super) dropped: Vec<Fact>,
}

/// Finds it.
pub(super) fn words(timeline: &Timeline<'_>) -> Words {
    let talk = talk::talk(timeline);
    let (directives, mut dropped) = choices::directives(&talk);
    let found = [
        bounds::refusals(timeline),
        bounds::bounds(&talk),
        corrections::reverts(timeline),
        corrections::corrections(&talk),
        directives,
        choices::of_plans(timeline),
        reasons::explained(timeline),
        reasons::borne_out(timeline),
        assumed::assumptions(timeline),
    ];
    let mut kept: Vec<Fact> = Vec::new();
    for kind in KINDS {
        let of_kind = found.iter().flatten().filter(|fact| fact.kind == kind);
        let (latest, older) = latest(of_kind.cloned().collect(), kind);
        kept.extend(latest);
        dropped.extend(older);
    }
    let mut known: HashSet<String> = kept.iter().map(|fact| fact.id.clone()).collect();
    dropped.retain(|fact| fact.kind.is_by_user() && known.insert(fact.id.clone()));
    let count = kept.len();
    kept.extend(dropped);
    supersede(&mut kept);
    dropped = kept.split_off(count);
    Words { kept, dropped }
}

/// The kinds in the order in which they are told.
const KINDS: [FactKind; 6] = [
    FactKind::Constraint,
    FactKind::Preference,
    FactKind::Correction,
    FactKind::Directive,
    FactKind::Choice,
    FactKind::Assumption,
];

/// Puts facts of one kind newest first; what was said again is told once and weighs more. Of too many
/// rules those stay that weigh most; the others are returned beside them.
fn latest(found: Vec<Fact>, kind: FactKind) -> (Vec<Fact>, Vec<Fact>) {
    let mut kept: Vec<Fact> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for fact in found {
        match places.get(&fact.id).and_then(|place| kept.get_mut(*place)) {
            Some(other) => {
                other.weight = (2.0 * other.weight).min(1.0);
                other.turn = other.turn.max(fact.turn);
                // What was withdrawn holds again.
                other.state = fact.state;
                let new = fact.evidence.into_iter().filter(|id| !other.evidence.contains(id));
                let new: Vec<_> = new.collect();
                other.evidence.extend(new);
            }
            None => {
                places.insert(fact.id.clone(), kept.len());
                kept.push(fact);
            }
        }
    }
    // What was said at once is told in the order in which it was said.
    kept.sort_by_key(|fact| Reverse(fact.turn));
    if matches!(kind, FactKind::Constraint | FactKind::Preference) {
        // What holds for one step does not push out what holds for all, nor that what was said last.
        let mut older = kept.split_off(kept.len().min(MOST));
        older.sort_by(|one, other| other.weight.total_cmp(&one.weight));
        let dropped = older.split_off(older.len().min(MOST_RULES - MOST));
        kept.extend(older);
        kept.sort_by_key(|fact| Reverse(fact.turn));
        return (kept, dropped);
    }
    let dropped = kept.split_off(kept.len().min(MOST));
    (kept, dropped)
}

/// Marks a choice in words that a later one on the same thing takes the place of.
fn supersede(facts: &mut [Fact]) {
    let chosen: Vec<(String, u32, Option<String>)> = facts
        .iter()
        .filter(|fact| fact.kind == FactKind::Directive)
        .map(|fact| (fact.text.clone(), fact.turn, fact.detail.clone()))
        .collect();
    for fact in facts.iter_mut().filter(|fact| fact.kind == FactKind::Directive) {
        let again = chosen.iter().any(|(text, turn, asked)| {
            let same = asked.is_some() && *asked == fact.detail && *text != fact.text;
            *turn > fact.turn && (same || names::shared(text, &fact.text) >= 2)
        });
        if again {
            fact.state = State::Superseded;
        }
    }
}
