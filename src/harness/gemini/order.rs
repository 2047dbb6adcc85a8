//! Gives items in the order in which their messages came up, whichever version they are read from.

use std::collections::BTreeMap;

use super::replay::{NONE, Replay, Slot};
use crate::error::Result;
use crate::harness::Sink;
use crate::model::{Body, Item};

/// Between the second pass and the sink.
pub(super) struct Order<'r> {
    replay: &'r Replay,
    sink: &'r mut dyn Sink,
    live_only: bool,
    next: usize,
    /// Read already, but something that came up before is still to be read.
    early: BTreeMap<usize, Vec<Item<'static>>>,
    turn: u32,
    /// The turn of each message given so far.
    turns: Vec<u32>,
    /// For each slot the smallest rank from there on; empty if the order is that of the file.
    ranks: Vec<u32>,
}

impl<'r> Order<'r> {
    pub(super) fn new(replay: &'r Replay, sink: &'r mut dyn Sink, live_only: bool) -> Self {
        let turns = vec![0; replay.entries.len()];
        let ranks = if replay.reordered { smallest_ranks(replay) } else { Vec::new() };
        Self { replay, sink, live_only, next: 0, early: BTreeMap::new(), turn: 0, turns, ranks }
    }

    /// Gives the items of a slot, now or when its turn has come.
    pub(super) fn give(&mut self, slot: usize, items: Vec<Item<'_>>) -> Result<()> {
        if slot != self.next {
            let items = items.into_iter().map(Item::into_owned).collect();
            self.early.insert(slot, items);
            return Ok(());
        }
        self.deliver(slot, items)?;
        while let Some(items) = self.early.remove(&self.next) {
            self.deliver(self.next, items)?;
        }
        Ok(())
    }

    /// Gives what still waits: only a file that was written anew meanwhile leaves anything.
    pub(super) fn finish(&mut self) -> Result<()> {
        while let Some((slot, items)) = self.early.pop_first() {
            self.deliver(slot, items)?;
        }
        Ok(())
    }

    /// Returns the turn of a message.
    pub(super) fn turn(&self, entry: u32) -> u32 {
        self.turns[entry as usize]
    }

    /// Gives the sink back.
    pub(super) fn sink(&mut self) -> &mut dyn Sink {
        self.sink
    }

    fn deliver(&mut self, slot: usize, items: Vec<Item<'_>>) -> Result<()> {
        let turn = self.count_turn(slot);
        if let Some(rank) = self.ranks.get(slot) {
            self.sink.settled(*rank)?;
        }
        for mut item in items {
            item.turn = turn;
            let is_wanted = item.live || matches!(item.body, Body::Compaction(_));
            if is_wanted || !self.live_only {
                self.sink.item(item)?;
            }
        }
        self.next = slot + 1;
        Ok(())
    }

    fn count_turn(&mut self, slot: usize) -> u32 {
        let Slot::Entry(entry) = self.replay.slots[slot] else { return self.turn };
        let state = &self.replay.entries[entry as usize];
        if state.begins_turn() {
            self.turn += 1;
        }
        let turn = match state.copy_of {
            NONE => self.turn,
            original => self.turns[original as usize],
        };
        self.turns[entry as usize] = turn;
        turn
    }
}

fn smallest_ranks(replay: &Replay) -> Vec<u32> {
    let mut smallest = u32::MAX;
    let mut ranks = vec![smallest; replay.slots.len()];
    for (slot, rank) in replay.slots.iter().zip(&mut ranks).rev() {
        if let Slot::Entry(entry) = slot {
            let own = replay.entries[*entry as usize].rank;
            smallest = if own > 0 { smallest.min(own) } else { smallest };
        }
        *rank = smallest;
    }
    ranks
}
