//! Which result each call has: several calls can have one id.

use std::collections::VecDeque;

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::model::{Body, Item, ToolCall, ToolResult};

/// Which result each call has.
pub(super) struct Results<'s> {
    /// That of each id, as [`Found`] takes it.
    pub by_id: FxHashMap<&'s str, &'s ToolResult<'static>>,
    /// The ids that several calls have.
    shared: FxHashSet<&'s str>,
    /// The results of these calls, by the places of the calls among the items.
    of_shared: FxHashMap<usize, &'s ToolResult<'static>>,
}

impl<'s> Results<'s> {
    /// `shared` are the ids that several calls of `items` have.
    pub(super) fn new(shared: FxHashSet<&'s str>, items: &[&'s Item<'static>]) -> Self {
        let mut by_id = Found::of(items.len() / 2);
        for item in items {
            if let Body::ToolResult(result) = &item.body {
                by_id.take(result.call_id.as_ref(), result);
            }
        }
        Self { of_shared: of_shared(items, &shared), by_id: by_id.results, shared }
    }

    /// Returns the result of the call that stands at a place.
    pub(super) fn of(&self, place: usize, call: &ToolCall<'_>) -> Option<&'s ToolResult<'static>> {
        match self.shared.contains(call.call_id.as_ref()) {
            true => self.of_shared.get(&place).copied(),
            false => self.by_id.get(call.call_id.as_ref()).copied(),
        }
    }
}

/// The result of each call, which `K` tells: the first, as the model is given it. What came of a call that
/// ran on is told later, perhaps more than once, so that of its results the last counts.
struct Found<'s, K> {
    results: FxHashMap<K, &'s ToolResult<'static>>,
    ran_on: FxHashSet<K>,
}

impl<'s, K: Copy + Eq + std::hash::Hash> Found<'s, K> {
    /// Has room for so many.
    fn of(most: usize) -> Self {
        let results = FxHashMap::with_capacity_and_hasher(most, FxBuildHasher);
        Self { results, ran_on: FxHashSet::default() }
    }

    fn take(&mut self, call: K, result: &'s ToolResult<'static>) {
        let known = self.results.entry(call).or_insert(result);
        if self.ran_on.contains(&call) {
            *known = result;
        } else if result.out.is_some() {
            self.ran_on.insert(call);
        }
    }
}

/// The calls of an id, as far as the items were looked through; calls are told by their place.
#[derive(Default)]
struct Calls<'s> {
    /// Those of the last response that wait for a result.
    waiting: VecDeque<usize>,
    /// All of the last response.
    of_response: Vec<(usize, &'s ToolCall<'static>)>,
    /// The response that they are of.
    response: (Option<&'s str>, usize),
    /// The call to which a result came last.
    answered: Option<usize>,
    /// The results that stand before any call.
    early: Vec<&'s ToolResult<'static>>,
    /// Calls that a response has once more as they are, each with the place of the first.
    copies: Vec<(usize, usize)>,
}

/// Returns the results of the calls that have one of the `shared` ids, by the place of the call among
/// the items: each result is that of the first call that waits for one.
fn of_shared<'s>(
    items: &[&'s Item<'static>],
    shared: &FxHashSet<&'s str>,
) -> FxHashMap<usize, &'s ToolResult<'static>> {
    let mut found = Found::of(0);
    if shared.is_empty() {
        return found.results;
    }
    let mut all: FxHashMap<&str, Calls<'s>> = FxHashMap::default();
    // How often something came that ends a response without a name.
    let mut ends = 0;
    for (place, item) in items.iter().enumerate() {
        match &item.body {
            Body::ToolCall(call) if shared.contains(call.call_id.as_ref()) => {
                all.entry(call.call_id.as_ref()).or_default().wait(call, place, ends);
            }
            Body::ToolResult(result) => {
                ends += 1;
                if shared.contains(result.call_id.as_ref()) {
                    let calls = all.entry(result.call_id.as_ref()).or_default();
                    if let Some(place) = calls.answer(result) {
                        found.take(place, result);
                    }
                }
            }
            Body::Message(_) => ends += 1,
            _ => {}
        }
    }
    let mut found = found.results;
    for Calls { waiting, early, copies, .. } in all.into_values() {
        let more = early.len().saturating_sub(waiting.len());
        found.extend(waiting.into_iter().zip(early.into_iter().skip(more)));
        for (place, first) in copies {
            if let Some(result) = found.get(&first).copied() {
                found.entry(place).or_insert(result);
            }
        }
    }
    found
}

impl<'s> Calls<'s> {
    /// Has a call wait for a result: no call of an earlier response does any more.
    fn wait(&mut self, call: &'s ToolCall<'static>, place: usize, ends: usize) {
        let response = match call.message_id.as_deref() {
            Some(name) => (Some(name), 0),
            None => (None, ends),
        };
        if self.response != response {
            self.waiting.clear();
            self.of_response.clear();
        }
        self.response = response;
        self.waiting.push_back(place);
        let is_same = |other: &ToolCall<'_>| {
            other.name == call.name && other.arguments.get() == call.arguments.get()
        };
        let first = self.of_response.iter().find(|(_, other)| is_same(other));
        match first {
            Some((first, _)) => self.copies.push((place, *first)),
            None => self.of_response.push((place, call)),
        }
    }

    /// Returns the place of the call that a result is of, if that stands before it.
    fn answer(&mut self, result: &'s ToolResult<'static>) -> Option<usize> {
        self.answered = self.waiting.pop_front().or(self.answered);
        if self.answered.is_none() {
            self.early.push(result);
        }
        self.answered
    }
}
