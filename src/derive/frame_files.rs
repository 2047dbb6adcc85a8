//! Which lines of its files a turn dealt with, and what it left in them, as far as calls tell.

use std::collections::HashMap;

use sha2::{Digest as _, Sha256};

use super::ids;
use super::timeline::Timeline;
use crate::model::{Action, Change, Session, Verb};

/// What is known of a file.
#[derive(Default)]
pub(super) struct Known {
    /// First and last lines that the turn read or wrote, in order, none of them twice.
    pub spans: Vec<(u64, u64)>,
    /// SHA-256 of what the session left in it, where the last change wrote all of it.
    pub sha256: Option<String>,
}

/// Returns what is known of the files of a session by their ids; spans are those of `turn` alone.
pub(super) fn known(session: &Session, turn: u32) -> HashMap<String, Known> {
    let timeline = Timeline::new(session);
    let mut found: HashMap<String, Known> = HashMap::new();
    for done in timeline.done().filter(|done| !done.failed() && !done.refused()) {
        let id = |path: &str| ids::exact('P', &timeline.path(path));
        let is_of_turn = done.item.turn == turn;
        match done.call.action.as_deref() {
            Some(Action::Read { path, lines: Some((first, last)) }) if is_of_turn => {
                found.entry(id(path)).or_default().spans.push((*first, *last));
            }
            Some(Action::Edit { changes }) => changes.iter().for_each(|change| {
                found.entry(id(&change.path)).or_default().change(change, is_of_turn);
            }),
            _ => {}
        }
    }
    found.values_mut().for_each(Known::settle);
    found
}

impl Known {
    fn change(&mut self, change: &Change, is_of_turn: bool) {
        let is_whole = change.verb == Verb::Write && !change.added.is_empty();
        self.sha256 = is_whole.then(|| {
            let digest = Sha256::digest(change.added.as_bytes());
            digest.iter().map(|byte| format!("{byte:02x}")).collect()
        });
        if is_whole && is_of_turn {
            let count = u64::try_from(change.added.lines().count()).unwrap_or(u64::MAX);
            // What was read before stands elsewhere now.
            self.spans = vec![(1, count)];
        }
    }

    /// Sorts the spans and joins those that touch.
    fn settle(&mut self) {
        self.spans.retain(|(first, last)| (1..=*last).contains(first));
        self.spans.sort_unstable();
        self.spans.dedup_by(|next, before| {
            let touches = next.0 <= before.1.saturating_add(1);
            if touches {
                before.1 = before.1.max(next.1);
            }
            touches
        });
    }
}

#[cfg(test)]
mod tests {
    use super::Known;

    #[test]
    fn spans_that_touch_are_one() {
        let spans = vec![(40, 60), (1, 10), (11, 12), (5, 2), (0, 3), (50, u64::MAX)];
        let mut known = Known { spans, sha256: None };
        known.settle();
        assert_eq!(known.spans, [(1, 12), (40, u64::MAX)]);
    }
}
