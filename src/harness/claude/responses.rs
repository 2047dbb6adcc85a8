//! Which lines of the model's belong to one response.

use super::bits::Bits;
use super::buckets::{Buckets, mix};
use super::links::NONE;

/// The responses in the order in which lines of them were read.
///
/// They are told apart by 64 bits of a hash of their ids: that two of a million responses have the
/// same is as likely as one in thirty millions, and costs no more than that their lines are sent
/// together.
#[derive(Default)]
pub(super) struct Responses {
    /// Of each run of lines of one response its hash.
    runs: Vec<u64>,
    /// The lines with which runs begin.
    begins: Bits,
}

impl Responses {
    /// Adds a line of a response; the index is larger than those before.
    pub(super) fn push(&mut self, index: u32, response: u64) {
        if self.runs.last() != Some(&response) {
            self.runs.push(response);
            self.begins.insert(index);
        }
    }

    /// Makes a ring of the lines of each response: each leads to the next, the last to the first.
    /// `rings` holds each such line's own index. Returns the lines that others of their response
    /// follow.
    pub(super) fn join(mut self, rings: &mut [u32]) -> Bits {
        self.number();
        let mut followed = Bits::default();
        let mut last = vec![NONE; self.runs.len()];
        let mut runs = self.runs.iter();
        let mut run = 0;
        let count = u32::try_from(rings.len()).unwrap_or(u32::MAX);
        for index in 0..count {
            if rings[index as usize] != index {
                continue;
            }
            if self.begins.has(index) {
                run = runs.next().and_then(|run| usize::try_from(*run).ok()).unwrap_or(run);
            }
            let before = std::mem::replace(&mut last[run], index);
            if before != NONE {
                followed.insert(before);
                rings[index as usize] = rings[before as usize];
                rings[before as usize] = index;
            }
        }
        followed
    }

    /// Replaces each run's hash by the number of the first run with that hash.
    fn number(&mut self) {
        let count = u32::try_from(self.runs.len()).unwrap_or(u32::MAX);
        let buckets = Buckets::new(count, |run| Some(mix(self.runs[run as usize], 0)));
        let mut hashes = Vec::new();
        for bucket in buckets.iter() {
            hashes.clear();
            hashes.extend(bucket.iter().map(|run| self.runs[*run as usize]));
            for (run, hash) in bucket.iter().zip(&hashes) {
                let first = hashes.iter().position(|other| other == hash).unwrap_or(0);
                self.runs[*run as usize] = u64::from(bucket[first]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_a_response_make_a_ring() {
        let lines = [(0, 7), (1, 7), (3, 9), (4, 7), (6, 8), (7, 9), (8, 9)];
        let mut responses = Responses::default();
        lines.iter().for_each(|(index, response)| responses.push(*index, *response));
        let mut rings = [NONE; 9];
        lines.iter().for_each(|(index, _)| rings[*index as usize] = *index);
        let followed = responses.join(&mut rings);
        assert_eq!(rings, [1, 4, NONE, 7, 0, NONE, 6, 8, 3]);
        assert_eq!(followed.iter().collect::<Vec<_>>(), [0, 1, 3, 7]);
    }
}
