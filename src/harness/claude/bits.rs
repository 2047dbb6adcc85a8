//! Sets of indexes that take a bit for each index there could be.

use std::ops::Range;

/// A set of indexes, as large as the largest of them asks for.
#[derive(Default)]
pub(super) struct Bits {
    words: Vec<u64>,
    /// The words in which a bit may be set, so that to clear a few costs little.
    used: Range<usize>,
}

impl Bits {
    /// Whether `index` is in the set.
    pub(super) fn has(&self, index: u32) -> bool {
        let (word, bit) = place(index);
        self.words.get(word).is_some_and(|word| word & bit != 0)
    }

    /// Puts `index` in; tells whether it is new.
    pub(super) fn insert(&mut self, index: u32) -> bool {
        let (word, bit) = place(index);
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let is_first = self.used.is_empty();
        self.used.start = if is_first { word } else { self.used.start.min(word) };
        self.used.end = if is_first { word + 1 } else { self.used.end.max(word + 1) };
        let is_new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        is_new
    }

    /// Whether nothing was put in.
    pub(super) fn is_empty(&self) -> bool {
        self.used.is_empty()
    }

    /// Takes all out, and keeps the room.
    pub(super) fn clear(&mut self) {
        self.words[self.used.clone()].fill(0);
        self.used = 0..0;
    }

    /// Returns the indexes, the smallest first.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.used.clone().flat_map(|word| {
            let mut left = self.words[word];
            std::iter::from_fn(move || {
                let bit = left.checked_ilog2().map(|_| left.trailing_zeros())?;
                left &= left - 1;
                u32::try_from(word * 64).ok().map(|first| first + bit)
            })
        })
    }
}

impl Extend<u32> for Bits {
    fn extend<I: IntoIterator<Item = u32>>(&mut self, indexes: I) {
        for index in indexes {
            self.insert(index);
        }
    }
}

fn place(index: u32) -> (usize, u64) {
    (index as usize / 64, 1 << (index % 64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_of_bits_is_a_set() {
        let mut bits = Bits::default();
        assert!(bits.is_empty() && !bits.has(900));
        let new: Vec<bool> = [200, 64, 200, 63, 0].map(|index| bits.insert(index)).to_vec();
        assert_eq!(new, [true, true, false, true, true]);
        assert_eq!(bits.iter().collect::<Vec<_>>(), [0, 63, 64, 200]);
        assert!(bits.has(63) && !bits.has(62) && !bits.has(10_000));
        bits.clear();
        assert!(bits.is_empty() && !bits.has(63) && bits.iter().next().is_none());
        assert!(bits.insert(130));
        assert_eq!(bits.iter().collect::<Vec<_>>(), [130]);
    }
}
