//! The lines with a uuid, in as few bytes as both passes can do with.

use super::bits::Bits;
use super::buckets::mix;
use super::key::Key;
use super::links::Links;

/// What a chain line is, as far as the tree of lines cares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeKind {
    /// A user line with words.
    User,
    /// A user line with tool results.
    Result,
    /// A line of the model's.
    Assistant,
    /// A line that the harness made in place of the model, such as an API error.
    Synthetic,
    /// A compaction boundary.
    Boundary,
    /// Anything else that links lines.
    Link,
}

/// One line with a uuid; its index is its place among all such lines of the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub key: Key,
    pub kind: NodeKind,
    pub is_side: bool,
}

/// What else the first pass sees of such a line.
pub(super) struct Ties {
    pub parent: Key,
    /// The line of the call that a result answers; `parent` of the history for a boundary.
    pub other: Key,
    /// See [`super::key::time`].
    pub time: u64,
    /// A hash of the response it belongs to, 0 for none.
    pub response: u64,
}

/// All lines with a uuid. What is kept of each here is there for the second pass too.
#[derive(Default)]
pub(super) struct Nodes {
    keys: Vec<Key>,
    kinds: Vec<NodeKind>,
    sides: Bits,
}

impl Nodes {
    /// How many there are; the index of the next.
    pub(super) fn count(&self) -> u32 {
        u32::try_from(self.keys.len()).unwrap_or(u32::MAX)
    }

    /// Adds a line.
    pub(super) fn push(&mut self, node: Node, ties: &Ties, links: &mut Links) {
        links.push(self, node, ties);
        if node.is_side {
            self.sides.insert(self.count());
        }
        self.keys.push(node.key);
        self.kinds.push(node.kind);
    }

    /// Takes lines of a side session for those of a session.
    pub(super) fn own(&mut self) {
        self.sides = Bits::default();
    }

    /// Returns the line of an index.
    pub(super) fn get(&self, index: u32) -> Option<Node> {
        let kind = *self.kinds.get(index as usize)?;
        Some(Node { key: self.key(index), kind, is_side: self.is_side(index) })
    }

    pub(super) fn key(&self, index: u32) -> Key {
        self.keys[index as usize]
    }

    pub(super) fn kind(&self, index: u32) -> NodeKind {
        self.kinds[index as usize]
    }

    pub(super) fn is_side(&self, index: u32) -> bool {
        self.sides.has(index)
    }

    /// Whether any line is of a side session.
    pub(super) fn have_side(&self) -> bool {
        !self.sides.is_empty()
    }

    /// Returns the keys, in the order of the file; 0 where a line has none.
    pub(super) fn keys(&self) -> &[Key] {
        &self.keys
    }
}

/// A hash of a key.
pub(super) fn key_hash(key: Key) -> u64 {
    mix(key as u64, (key >> 64) as u64)
}
