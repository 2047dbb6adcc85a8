//! What a line names, as far as it can be told while reading: nearly always a line just before it.

use super::bits::Bits;
use super::buckets::Buckets;
use super::key::Key;
use super::nodes::{Node, NodeKind, Nodes, Ties, key_hash};
use super::responses::Responses;
use super::times::Times;

/// No line is named.
pub(super) const NONE: u32 = u32::MAX;
/// A line is named that is not there.
pub(super) const MISSING: u32 = u32::MAX - 1;

/// A name whose line is not among the last ones: it may come later, or never.
struct Far {
    index: u32,
    is_parent: bool,
    /// The halves of the key, so that it takes no room to be aligned.
    key: [u64; 2],
}

/// For each line what it names.
#[derive(Default)]
pub(super) struct Links {
    /// A line that has the key of the parent, [`NONE`] or [`MISSING`].
    pub parents: Vec<u32>,
    /// For a result a line that has the key of its call's, else [`NONE`]; for a line of a response
    /// itself, until these are joined.
    pub mates: Vec<u32>,
    pub times: Times,
    responses: Responses,
    /// For each boundary what it names as the last line before it, and its parent.
    pub histories: Vec<(u32, [Key; 2])>,
    recent: Recent,
    far: Vec<Far>,
}

impl Links {
    /// Adds what the next line names.
    pub(super) fn push(&mut self, nodes: &Nodes, node: Node, ties: &Ties) {
        let index = nodes.count();
        let parent = self.named(nodes, ties.parent, true);
        let mate = match node.kind {
            NodeKind::Result => self.named(nodes, ties.other, false),
            NodeKind::Assistant if ties.response != 0 => {
                self.responses.push(index, ties.response);
                index
            }
            NodeKind::Boundary => {
                self.histories.push((index, [ties.other, ties.parent]));
                NONE
            }
            _ => NONE,
        };
        self.parents.push(parent);
        self.mates.push(mate);
        self.times.push(ties.time);
        self.recent.add(node.key, index);
    }

    /// Joins the lines of each response to a ring; returns those that others of it follow.
    pub(super) fn join(&mut self) -> Bits {
        std::mem::take(&mut self.responses).join(&mut self.mates)
    }

    fn named(&mut self, nodes: &Nodes, key: Key, is_parent: bool) -> u32 {
        if key == 0 {
            return NONE;
        }
        self.recent.find(key, nodes).unwrap_or_else(|| {
            let halves = [(key >> 64) as u64, key as u64];
            self.far.push(Far { index: nodes.count(), is_parent, key: halves });
            if is_parent { MISSING } else { NONE }
        })
    }

    /// Finds the lines that were not found while reading.
    pub(super) fn find_far(&mut self, all: &ByKey<'_>) {
        for far in std::mem::take(&mut self.far) {
            let key = Key::from(far.key[0]) << 64 | Key::from(far.key[1]);
            let Some(found) = all.any(key) else { continue };
            let slots = if far.is_parent { &mut self.parents } else { &mut self.mates };
            slots[far.index as usize] = found;
        }
    }
}

/// Of the last lines those that can be found at once.
struct Recent {
    /// By some bits of the hash the last line that had them.
    slots: Vec<u32>,
}

impl Default for Recent {
    fn default() -> Self {
        Self { slots: vec![NONE; 1 << Self::BITS] }
    }
}

impl Recent {
    const BITS: u32 = 12;

    fn slot(key: Key) -> usize {
        (key_hash(key) >> (64 - Self::BITS)) as usize
    }

    fn add(&mut self, key: Key, index: u32) {
        self.slots[Self::slot(key)] = index;
    }

    fn find(&self, key: Key, nodes: &Nodes) -> Option<u32> {
        let index = self.slots[Self::slot(key)];
        (nodes.keys().get(index as usize) == Some(&key)).then_some(index)
    }
}

/// All lines, by their keys.
pub(super) struct ByKey<'n> {
    nodes: &'n Nodes,
    buckets: Buckets,
}

impl<'n> ByKey<'n> {
    pub(super) fn new(nodes: &'n Nodes) -> Self {
        let hash = |index| Some(nodes.key(index)).filter(|key| *key != 0).map(key_hash);
        Self { nodes, buckets: Buckets::new(nodes.count(), hash) }
    }

    /// Returns a line that has the key, whichever.
    pub(super) fn any(&self, key: Key) -> Option<u32> {
        let alike = self.buckets.get(key_hash(key));
        alike.iter().copied().find(|index| key != 0 && self.nodes.key(*index) == key)
    }

    /// Returns the lines that share their key with another.
    pub(super) fn shared(&self) -> Vec<u32> {
        let (mut shared, mut keys) = (Vec::new(), Vec::new());
        for bucket in self.buckets.iter() {
            keys.clear();
            keys.extend(bucket.iter().map(|index| self.nodes.key(*index)));
            let is_shared = |at: &usize| {
                let others = keys[..*at].iter().chain(&keys[at + 1..]);
                others.into_iter().any(|key| *key == keys[*at])
            };
            shared.extend((0..bucket.len()).filter(is_shared).map(|at| bucket[at]));
        }
        shared
    }
}
