//! Lines that have one uuid.

use super::bits::Bits;
use super::nodes::Nodes;

/// The lines that share their uuid with others, which are few or none.
#[derive(Default)]
pub(super) struct Twins {
    /// By uuid, and those of one in the order of the file.
    sorted: Vec<u32>,
    shared: Bits,
    /// Lines for which a later one counts.
    earlier: Bits,
}

impl Twins {
    /// Sorts the lines that share their uuid.
    pub(super) fn new(nodes: &Nodes, mut shared: Vec<u32>) -> Self {
        shared.sort_unstable_by_key(|index| (nodes.key(*index), *index));
        let mut twins = Self { sorted: shared, ..Self::default() };
        twins.shared.extend(twins.sorted.iter().copied());
        for alike in twins.sorted.chunk_by(|one, next| nodes.key(*one) == nodes.key(*next)) {
            let own = alike.iter().rev().copied().filter(|index| !nodes.is_side(*index));
            twins.earlier.extend(own.skip(1));
        }
        twins
    }

    /// Whether a later line has the uuid of `index`; one of a side session does not count.
    pub(super) fn is_earlier(&self, index: u32) -> bool {
        self.earlier.has(index)
    }

    /// Whether there is a line that does not count for a later one.
    pub(super) fn is_any_earlier(&self) -> bool {
        !self.earlier.is_empty()
    }

    /// Returns the line that counts of those with the uuid of `index`.
    pub(super) fn last(&self, nodes: &Nodes, index: u32) -> Option<u32> {
        self.before(nodes, index, u32::MAX, false)
    }

    /// Returns the last line before `limit` that has the uuid of `index`, of a side session or not.
    pub(super) fn before(
        &self,
        nodes: &Nodes,
        index: u32,
        limit: u32,
        is_side: bool,
    ) -> Option<u32> {
        let fits = |other: &u32| *other < limit && nodes.is_side(*other) == is_side;
        if !self.shared.has(index) {
            return Some(index).filter(fits);
        }
        let place = (nodes.key(index), limit);
        let end = self.sorted.partition_point(|other| (nodes.key(*other), *other) < place);
        let alike = self.sorted[..end].iter().rev().copied();
        alike.take_while(|other| nodes.key(*other) == nodes.key(index)).find(fits)
    }
}
