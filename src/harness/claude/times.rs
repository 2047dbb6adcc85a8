//! The time of each line, in half the bytes.

/// Numbers that sort as times do, 0 where there is none.
///
/// Lines beside each other are of about the same time: each number is kept as what it is more than
/// a base, and where that does not fit a new base begins.
#[derive(Default)]
pub(super) struct Times {
    more: Vec<u32>,
    /// From which index on a base counts.
    bases: Vec<(u32, u64)>,
}

impl Times {
    /// Adds the time of the next line.
    pub(super) fn push(&mut self, time: u64) {
        if time == 0 {
            return self.more.push(0);
        }
        let base = self.bases.last().and_then(|(_, base)| time.checked_sub(*base));
        let fitting = base.and_then(|more| u32::try_from(more).ok()).filter(|more| *more > 0);
        let more = fitting.unwrap_or_else(|| {
            // As much room for earlier times as for later ones.
            let more = u32::try_from(time.min(1 << 31)).unwrap_or(u32::MAX);
            let index = u32::try_from(self.more.len()).unwrap_or(u32::MAX);
            self.bases.push((index, time - u64::from(more)));
            more
        });
        self.more.push(more);
    }

    /// Returns the time of a line.
    pub(super) fn get(&self, index: u32) -> u64 {
        let more = self.more.get(index as usize).copied().unwrap_or(0);
        let bases = self.bases.partition_point(|(first, _)| *first <= index);
        match bases.checked_sub(1) {
            Some(base) if more > 0 => self.bases[base].1 + u64::from(more),
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_come_out_as_they_went_in() {
        let day = 1_000_000_000;
        let first = 20_251_216_101_327_166;
        let late = 99_999_999_999_999_999;
        let all = [0, first, first + 1, 0, first - day, first + 3 * day, 1, 2, late, 0, first];
        let mut times = Times::default();
        all.iter().for_each(|time| times.push(*time));
        assert_eq!((0..11).map(|index| times.get(index)).collect::<Vec<_>>(), all);
        assert_eq!(times.get(11), 0);
    }
}
