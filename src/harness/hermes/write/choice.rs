//! Which memories are worth the room that there is.

use std::collections::BTreeSet;

use crate::harness::hermes::entries::SEPARATOR;
use crate::model::{Memory, MemoryKind};

/// What one step of the order of kinds is worth; how new a memory is adds less than one.
const STEP: u64 = 1_000;

/// Returns the places of the `offers` that are taken into `room` characters: those first that are
/// worth most for each character, then whatever still fits. Of equal texts one is taken.
pub(super) fn choose(offers: &[(&Memory, &str)], mut room: usize) -> BTreeSet<usize> {
    let worths = worths(offers);
    let cost = |index: usize| offers[index].1.chars().count() + SEPARATOR.chars().count();
    let mut order: Vec<usize> = (0..offers.len()).collect();
    order.sort_by(|one, other| {
        let (left, right) =
            (worths[*one] * cost(*other) as u64, worths[*other] * cost(*one) as u64);
        let ties = || worths[*other].cmp(&worths[*one]);
        let ids = || offers[*one].0.id.cmp(&offers[*other].0.id);
        right.cmp(&left).then_with(ties).then_with(ids)
    });
    let (mut taken, mut texts) = (BTreeSet::new(), BTreeSet::new());
    for index in order {
        if cost(index) <= room && texts.insert(offers[index].1) {
            room -= cost(index);
            taken.insert(index);
        }
    }
    taken
}

/// Returns what each is worth: its kind first, then how new it is.
fn worths(offers: &[(&Memory, &str)]) -> Vec<u64> {
    let times: BTreeSet<&str> =
        offers.iter().filter_map(|(memory, _)| memory.updated_at.as_deref()).collect();
    let newness = |memory: &Memory| {
        let Some(time) = memory.updated_at.as_deref() else { return 0 };
        let older = times.range(..time).count() as u64 + 1;
        older * (STEP - 1) / times.len().max(1) as u64
    };
    offers.iter().map(|(memory, _)| rank(memory) * STEP + newness(memory)).collect()
}

fn rank(memory: &Memory) -> u64 {
    let rank = match memory.kind {
        MemoryKind::Feedback | MemoryKind::Instruction => 8,
        MemoryKind::User => 6,
        MemoryKind::Project => 4,
        MemoryKind::Reference | MemoryKind::Skill => 2,
        MemoryKind::Task => 1,
    };
    if memory.flags.pinned { rank * 2 } else { rank }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(kind: MemoryKind, day: u32) -> Memory {
        let updated_at = Some(format!("2026-01-{day:02}T00:00:00Z"));
        Memory { kind, title: format!("{kind:?} {day}"), updated_at, ..Memory::default() }
            .finished()
    }

    #[test]
    fn what_is_worth_most_comes_in_first() {
        let all = [
            memory(MemoryKind::Reference, 9),
            memory(MemoryKind::Feedback, 1),
            memory(MemoryKind::Feedback, 2),
        ];
        let text = "x".repeat(17);
        let texts = [format!("{text}a"), format!("{text}b"), format!("{text}c")];
        let offers: Vec<_> = all.iter().zip(&texts).map(|(one, text)| (one, &**text)).collect();
        assert_eq!(choose(&offers, 20), BTreeSet::new());
        assert_eq!(choose(&offers, 21), BTreeSet::from([2]));
        assert_eq!(choose(&offers, 42), BTreeSet::from([1, 2]));
        assert_eq!(choose(&offers, 63).len(), 3);
    }
}
