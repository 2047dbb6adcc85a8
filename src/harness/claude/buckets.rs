//! What has the same hash, found without a table that grows.

/// About how many indexes share a bucket.
const EACH: u32 = 4;

/// Indexes by a hash of what they stand for, in two vectors that have just the right size. Those of
/// one bucket ascend.
pub(super) struct Buckets {
    /// Where each bucket begins in `items`; at last where the last one ends.
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Buckets {
    /// Puts in the indexes below `count` that have a hash; its high bits have to be mixed well.
    pub(super) fn new(count: u32, hash: impl Fn(u32) -> Option<u64>) -> Self {
        let buckets = count / EACH + 1;
        let mut starts = vec![0; buckets as usize + 1];
        for hash in (0..count).filter_map(&hash) {
            starts[bucket(hash, buckets)] += 1;
        }
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        let mut items = vec![0; end as usize];
        for index in (0..count).rev() {
            let Some(hash) = hash(index) else { continue };
            let start = &mut starts[bucket(hash, buckets)];
            *start -= 1;
            items[*start as usize] = index;
        }
        Self { starts, items }
    }

    /// Returns the indexes with that hash, and some with another.
    pub(super) fn get(&self, hash: u64) -> &[u32] {
        let buckets = u32::try_from(self.starts.len() - 1).unwrap_or(u32::MAX);
        let bucket = bucket(hash, buckets);
        &self.items[self.starts[bucket] as usize..self.starts[bucket + 1] as usize]
    }

    /// Returns every bucket in turn.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        self.starts.windows(2).map(|ends| &self.items[ends[0] as usize..ends[1] as usize])
    }
}

/// The bucket of a hash: its share of all hashes, so that no power of two is needed.
fn bucket(hash: u64, buckets: u32) -> usize {
    (((hash >> 32) * u64::from(buckets)) >> 32) as usize
}

/// Spreads a number over all bits of a hash, the high ones above all.
pub(super) fn mix(low: u64, high: u64) -> u64 {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    let folded = (low ^ high.wrapping_mul(ODD).rotate_left(32)).wrapping_mul(ODD);
    (folded ^ folded >> 29).wrapping_mul(ODD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_index_with_a_hash_is_found_by_it() {
        let hash = |index: u32| (index % 7 != 3).then(|| mix(u64::from(index / 2), 0));
        for count in [0, 1, 5, 1000] {
            let buckets = Buckets::new(count, hash);
            let all = buckets.iter().map(<[u32]>::len).sum::<usize>();
            assert_eq!(all, (0..count).filter_map(hash).count());
            assert!(buckets.iter().all(<[u32]>::is_sorted));
            for index in (0..count).filter(|index| hash(*index).is_some()) {
                assert!(buckets.get(hash(index).unwrap_or(0)).contains(&index));
            }
        }
    }

    #[test]
    fn numbers_in_a_row_fall_into_many_buckets() {
        let buckets = Buckets::new(4000, |index| Some(mix(u64::from(index), 1)));
        assert!(buckets.iter().map(<[u32]>::len).max() < Some(25));
        let buckets = Buckets::new(4000, |index| Some(mix(1, u64::from(index) << 40)));
        assert!(buckets.iter().map(<[u32]>::len).max() < Some(25));
    }
}
