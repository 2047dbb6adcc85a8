//! A way through lines.

use super::bits::Bits;

/// Lines in the order in which they were passed, each once.
///
/// A way to the root nearly always leads to smaller indexes only: then their order is known, and a
/// bit is all that each takes.
#[derive(Default)]
pub(super) struct Trail {
    passed: Bits,
    last: Option<u32>,
    /// The whole way, from where it once led to a larger index.
    listed: Vec<u32>,
}

impl Trail {
    /// Goes to `index`; tells whether it was not passed before.
    pub(super) fn pass(&mut self, index: u32) -> bool {
        let descends = self.last.is_none_or(|last| index < last);
        if !descends && self.listed.is_empty() && !self.passed.has(index) {
            self.listed = self.passed.iter().collect();
            self.listed.reverse();
        }
        let is_new = self.passed.insert(index);
        if is_new {
            self.last = Some(index);
            if !self.listed.is_empty() {
                self.listed.push(index);
            }
        }
        is_new
    }

    /// Whether it leads over `index`.
    pub(super) fn has(&self, index: u32) -> bool {
        self.passed.has(index)
    }

    /// Returns the lines from its end to its start.
    pub(super) fn backwards(&self) -> impl Iterator<Item = u32> + '_ {
        let by_bits = if self.listed.is_empty() { usize::MAX } else { 0 };
        self.listed.iter().rev().copied().chain(self.passed.iter().take(by_bits))
    }

    /// Forgets the way.
    pub(super) fn clear(&mut self) {
        self.passed.clear();
        self.listed.clear();
        self.last = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn back(way: &[u32]) -> Vec<u32> {
        let mut trail = Trail::default();
        way.iter().for_each(|index| assert!(trail.pass(*index)));
        assert!(way.iter().all(|index| trail.has(*index) && !trail.pass(*index)));
        trail.backwards().collect()
    }

    #[test]
    fn a_way_is_gone_back_as_it_was_passed() {
        for way in [&[][..], &[7], &[900, 70, 3], &[900, 70, 71, 3, 1000], &[1, 2, 3]] {
            let mut reversed = way.to_vec();
            reversed.reverse();
            assert_eq!(back(way), reversed);
        }
    }

    #[test]
    fn a_forgotten_way_leaves_nothing() {
        let mut trail = Trail::default();
        [5, 9, 2].iter().for_each(|index| assert!(trail.pass(*index)));
        trail.clear();
        assert!(trail.pass(9) && trail.pass(5));
        assert_eq!(trail.backwards().collect::<Vec<_>>(), [5, 9]);
    }
}
