//! Texts that stand in a file twice, as an item and as an event for the screen, and which of them a
//! human wrote.

use rustc_hash::FxHashMap;

use super::row::{DOUBLE, HUMAN, INJECTED, Kind, OTHERS, Row, TYPED, UNTOLD};

/// How far apart an item and its event may stand when their texts differ.
const NEAR: usize = 8;

/// Finds the events whose text is an item's; `thoughts` are those of all reasoning, sorted.
pub(super) fn pair(rows: &mut [Row], thoughts: &[u64]) {
    pair_up(rows, Kind::User, Kind::UserEvent);
    pair_up(rows, Kind::Answer, Kind::AnswerEvent);
    for row in rows.iter_mut().filter(|row| row.kind == Kind::ReasoningEvent) {
        row.flags |= if thoughts.binary_search(&row.digest()).is_ok() { DOUBLE } else { 0 };
    }
}

/// Finds for each event the item with the same text, in the same task.
fn pair_up(rows: &mut [Row], item: Kind, event: Kind) {
    let mut waiting: [Stacks; 2] = Default::default();
    let mut last: [Option<usize>; 2] = [None, None];
    for at in 0..rows.len() {
        let row = rows[at];
        let side = match row.kind {
            Kind::Task => {
                waiting = Default::default();
                last = [None, None];
                continue;
            }
            kind if kind == item && !row.has(OTHERS) => 0,
            kind if kind == event => 1,
            _ => continue,
        };
        let exact = waiting[1 - side].pop(row.digest());
        let near = last[1 - side].filter(|other| {
            item == Kind::User
                && at - other <= NEAR
                && !(row.flags | rows[*other].flags) & INJECTED != 0
        });
        match exact.or(near) {
            Some(other) => {
                join(rows, if side == 0 { (at, other) } else { (other, at) });
                last[1 - side] = None;
                if exact.is_none() {
                    let digest = rows[other].digest();
                    waiting[1 - side].remove(digest);
                }
            }
            None => {
                waiting[side].push(row.digest(), at);
                last[side] = (row.flags & INJECTED == 0).then_some(at);
            }
        }
    }
}

/// A stack of rows for each text; most texts stand in one row, and wait for a short time.
#[derive(Default)]
struct Stacks {
    tops: FxHashMap<u64, usize>,
    /// For each row the one below it, if there is one.
    below: FxHashMap<usize, usize>,
}

impl Stacks {
    fn push(&mut self, digest: u64, at: usize) {
        if let Some(below) = self.tops.insert(digest, at) {
            self.below.insert(at, below);
        }
    }

    fn pop(&mut self, digest: u64) -> Option<usize> {
        let top = self.tops.remove(&digest)?;
        if let Some(below) = self.below.remove(&top) {
            self.tops.insert(digest, below);
        }
        Some(top)
    }

    fn remove(&mut self, digest: u64) {
        while self.pop(digest).is_some() {}
    }
}

fn join(rows: &mut [Row], (item, event): (usize, usize)) {
    rows[event].flags |= DOUBLE;
    if rows[item].kind == Kind::User {
        rows[item].flags |= HUMAN;
    }
}

/// Marks what a human wrote.
///
/// Where the file has events for the screen, these tell; after the last of them, and in files
/// without any, all counts that is not known to be the harness's.
pub(super) fn requests(rows: &mut [Row]) {
    let last = rows.iter().rposition(|row| row.kind == Kind::UserEvent);
    for (at, row) in rows.iter_mut().enumerate() {
        let after = last.is_none_or(|last| at > last);
        match row.kind {
            Kind::User if row.has(TYPED) => row.flags |= HUMAN,
            // Without a text it is an image that a tool looked at.
            Kind::User if after && row.size > 0 && row.has(UNTOLD) && !row.has(INJECTED) => {
                row.flags |= HUMAN;
            }
            Kind::UserEvent if !row.has(DOUBLE) => row.flags |= HUMAN,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_the_rows_with_one_text_the_last_comes_first() {
        let mut stacks = Stacks::default();
        for (at, digest) in [(1, 7), (2, 8), (3, 7), (5, 7)] {
            stacks.push(digest, at);
        }
        assert_eq!([stacks.pop(7), stacks.pop(7), stacks.pop(8)], [Some(5), Some(3), Some(2)]);
        stacks.push(7, 9);
        assert_eq!([stacks.pop(7), stacks.pop(7), stacks.pop(7)], [Some(9), Some(1), None]);
        [1, 2].iter().for_each(|at| stacks.push(4, *at));
        stacks.remove(4);
        assert_eq!(stacks.pop(4), None);
        assert!(stacks.tops.is_empty() && stacks.below.is_empty());
    }
}
