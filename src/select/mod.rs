//! Facts and a budget to a pack.
//!
//! Every fact has renderings of growing length. Each step from one to the next is an increment with
//! a worth and a cost in tokens; all increments stand in one order, worth per token first, that does
//! not depend on the budget. A pack is the longest beginning of that order that fits. So a larger
//! budget only adds.

mod ages;
mod already;
mod asked;
mod brief;
mod build;
mod commands;
pub mod diff;
mod elsewhere;
mod entries;
mod explain;
pub mod fetch;
pub mod hash;
mod near;
mod order;
mod pack;
mod said;
mod search;
mod steps;
pub mod tokens;
mod turns;
mod weights;

pub use pack::{
    CommandLine, DecisionLine, FactLine, FailureBlock, FileLine, LeftOut, Pack, SectionBlock,
    SessionLine, StepLine, Target, TurnBlock, WorkLine,
};

pub(crate) use elsewhere::shortened;
pub use explain::{Explained, Explanation};
pub use search::Search;
pub use weights::Weights;

use crate::derive::Facts;
use entries::Entry;
use order::Increment;

/// What a pack may cost.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Tokens, counted as `tokens` counts them.
    pub tokens: usize,
    /// UTF-16 code units, if they are limited too.
    pub chars: Option<usize>,
}

/// The highest age of four digits.
const LONG_AGO: jiff::SignedDuration = jiff::SignedDuration::from_hours(9_999 * 24);

/// All renderings of all facts, in the order in which they are taken.
pub struct Selection<'f> {
    facts: &'f Facts,
    weights: &'f Weights,
    entries: Vec<Entry>,
    /// The order; what a beginning of it costs stands beside it.
    increments: Vec<Increment>,
    as_of: &'f str,
}

impl<'f> Selection<'f> {
    /// Weighs everything in `facts`; `as_of` is the day from which ages count, `count` counts
    /// tokens.
    pub fn new(
        facts: &'f Facts,
        weights: &'f Weights,
        as_of: &'f str,
        count: &dyn Fn(&str) -> usize,
    ) -> Self {
        let entries = entries::entries(facts, weights);
        let increments = order::increments(&entries, weights, count);
        Self { facts, weights, entries, increments, as_of }
    }

    /// How many increments there are.
    pub fn len(&self) -> usize {
        self.increments.len()
    }

    /// Whether there is nothing but the card.
    pub fn is_empty(&self) -> bool {
        self.increments.is_empty()
    }

    /// Begins to look for how many increments fit, where the text without any costs so many tokens and
    /// characters.
    pub fn search(&self, card: (usize, usize), budget: Budget) -> Search {
        Search::new(&self.increments, card, budget)
    }

    /// Explains the choice of the first `taken` increments that leaves `unused` tokens.
    pub fn explain(&self, taken: usize, unused: usize) -> Explanation {
        let choice = (taken, unused);
        explain::explain(self.facts, &self.entries, &self.increments, self.weights, choice)
    }

    /// Returns the pack of the first `taken` increments; it has no hash yet, see [`Pack::sealed`].
    pub fn pack(&self, taken: usize) -> Pack {
        self.pack_as_of(taken, self.as_of)
    }

    /// Returns the same pack as of another day.
    pub fn pack_as_of(&self, taken: usize, as_of: &str) -> Pack {
        let mut levels = vec![0; self.entries.len()];
        for increment in &self.increments[..taken.min(self.increments.len())] {
            levels[increment.entry] = increment.level;
        }
        build::pack(self.facts, &self.entries, &levels, as_of)
    }

    /// Returns the day as of which the text of a pack is measured, so that no other day changes what is
    /// chosen: ages have four digits then, which never cost less than fewer. An older session is measured as it is.
    pub fn measured_as_of(&self) -> String {
        let day = |text: &str| text.get(..10)?.parse::<jiff::civil::Date>().ok();
        let last = self.facts.session.ended_at.as_deref().and_then(day);
        let far = last.and_then(|last| last.checked_add(LONG_AGO).ok());
        let is_later = |far: &jiff::civil::Date| day(self.as_of).is_none_or(|now| *far > now);
        far.filter(is_later).map_or_else(|| self.as_of.to_owned(), |far| far.to_string())
    }
}
