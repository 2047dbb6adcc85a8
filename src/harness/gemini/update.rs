//! Updates in the middle of a session: what a new list of all messages means.

use rustc_hash::{FxHashMap, FxHashSet};

use super::content::{CONTEXT_TAG, Piece, SNAPSHOT_TAG, Speaker, Told, Voice, object, start};
use super::replay::{Gone, Mark, NONE, Place, Scan, Sight, index};
use super::wire::{Record, Tokens};
use crate::jsonl::elements;

/// What the harness lets the model say after a summary.
pub(super) const ACKNOWLEDGEMENT: &str = "Got it. Thanks for the additional context!";

impl Scan {
    /// Takes changed metadata, and a new list of messages if there is one.
    pub(super) fn update(&mut self, record: &Record<'_>, line: u64, place: Place) {
        let Some(set) = object::<Record<'_>>(record.set) else { return };
        self.replay.facts.times(&set);
        self.replay.facts.merge(&set);
        if let Some(list) = set.messages.filter(|raw| raw.get().starts_with('[')) {
            let messages = elements(Some(list)).into_iter();
            let messages: Vec<Told<'_>> = messages
                .map(|raw| object::<Record<'_>>(Some(raw)).unwrap_or_default().into())
                .collect();
            self.replace(&messages, line, place);
        }
    }

    /// Makes `messages` the live ones.
    fn replace(&mut self, messages: &[Told<'_>], line: u64, place: Place) {
        let old = std::mem::take(&mut self.list);
        let summary = self.summary_in(messages, old.len());
        let marker = summary.map(|_| self.mark(Mark::Compaction, line, place));
        let mut first_copy = index(self.replay.entries.len());
        let mut listed = FxHashSet::default();
        for (at, message) in (1..).zip(messages) {
            let home = (marker.unwrap_or(NONE), at - 1);
            let sight = Sight { line, place: Place { at, ..place }, own: false, home };
            let Some(entry) = self.see(message, sight) else { continue };
            self.replay.facts.message(message);
            self.replay.entries[entry as usize].gone = Gone::Live;
            if listed.insert(entry) {
                self.list.push(entry);
            }
            if let (Some(marker), true) = (marker, summary == Some(at as usize - 1)) {
                self.replay.markers[marker as usize].summary = entry;
                // The fixed answer follows; only what comes after both is the kept tail.
                first_copy = entry + 2;
            }
        }
        self.drop_missing(&old, marker);
        self.match_copies(&old, first_copy);
    }

    /// Says of each message that is not in the list any more why.
    fn drop_missing(&mut self, old: &[u32], marker: Option<u32>) {
        let kept: FxHashSet<u32> = self.list.iter().copied().collect();
        let (before, after) = (self.spoken(old), self.spoken(&self.list));
        // The harness begins its list anew when it starts, and fills it right after.
        let is_restart = self.restarted && after.is_empty();
        let is_shorter = after.len() < before.len() && before.starts_with(&after);
        let gone = match marker {
            Some(marker) => Gone::By(marker),
            None if is_shorter && !is_restart => Gone::RolledBack,
            None => Gone::Superseded,
        };
        let missing: Vec<u32> = old.iter().copied().filter(|entry| !kept.contains(entry)).collect();
        for entry in &missing {
            self.replay.entries[*entry as usize].gone = gone;
        }
        if let Some(marker) = marker {
            let marker_record = &mut self.replay.markers[marker as usize];
            marker_record.replaced = missing;
            marker_record.tokens_before = self.last_input.take();
            self.open = Some(marker);
        }
    }

    /// Returns what the human and the model said: the rest comes and goes with each new list.
    fn spoken(&self, list: &[u32]) -> Vec<u32> {
        let is_spoken = |entry: &u32| {
            let state = &self.replay.entries[*entry as usize];
            state.speaker == Speaker::Model
                || matches!(state.voice, Voice::Human | Voice::Noted(_) | Voice::Summary)
        };
        list.iter().copied().filter(is_spoken).collect()
    }

    /// Finds for each new message the one that it repeats: the kept tail gets new ids.
    fn match_copies(&mut self, old: &[u32], first_copy: u32) {
        let kept: FxHashSet<u32> = self.list.iter().copied().collect();
        let mut originals: FxHashMap<_, Vec<u32>> = FxHashMap::default();
        for entry in old.iter().filter(|entry| !kept.contains(entry)) {
            if let Some(key) = self.replay.entries[*entry as usize].key() {
                originals.entry(key).or_default().push(*entry);
            }
        }
        for entry in self.list.iter().rev().filter(|entry| **entry >= first_copy) {
            let key = self.replay.entries[*entry as usize].key();
            let original = key.and_then(|key| originals.get_mut(&key)?.pop());
            let Some(original) = original else { continue };
            let first = self.replay.entries[original as usize].copy_of;
            let first = if first == NONE { original } else { first };
            self.replay.entries[*entry as usize].copy_of = first;
        }
    }

    /// Returns the place of the summary, if the list is what a compaction leaves.
    ///
    /// The tag alone is no proof and the model can leave it out, so the fixed answer to it counts
    /// as much; a known id says that the compaction was an earlier one.
    fn summary_in(&self, messages: &[Told<'_>], live: usize) -> Option<usize> {
        let at = messages.iter().position(|message| !is_context_message(message))?;
        let (summary, rest) = messages[at..].split_first()?;
        let is_known = self.knows(&summary.record);
        if summary.record.speaker() != Some(Speaker::User) || is_known {
            return None;
        }
        let tagged = has_text(summary, |text| text.contains(SNAPSHOT_TAG));
        let answered = rest.first().is_some_and(is_acknowledgement);
        let all_new = !rest.iter().any(|message| self.knows(&message.record));
        let found = match (tagged, answered) {
            (true, true) => true,
            (true, false) => starts_with_summary(summary),
            (false, answered) => answered && all_new && messages.len() < live,
        };
        found.then_some(at)
    }

    /// Tells whether a record of its own is a summary: a session that was written after one.
    ///
    /// Other harnesses keep words of the user's side before it, but never words of the model.
    pub(super) fn is_plain_summary(&self, told: &Told<'_>) -> bool {
        let is_user = |entry: &u32| self.replay.entries[*entry as usize].speaker == Speaker::User;
        told.record.speaker() == Some(Speaker::User)
            && starts_with_summary(told)
            && !self.knows(&told.record)
            && self.list.iter().all(is_user)
    }

    /// Notes what the context measured.
    pub(super) fn see_tokens(&mut self, record: &Record<'_>, is_new: bool) {
        let input = object::<Tokens>(record.tokens).and_then(|tokens| tokens.input);
        if input.is_some() {
            self.last_input = input;
        }
        if let (true, Some(input), Some(marker)) = (is_new, input, self.open) {
            self.replay.markers[marker as usize].tokens_after = Some(input);
            self.open = None;
        }
    }
}

/// Tells whether an update only says when the session was last written to.
pub(super) fn is_bare_update(record: &Record<'_>) -> bool {
    let set = object::<Record<'_>>(record.set);
    set.is_none_or(|set| set.messages.is_none() && set.summary.get().is_none())
}

fn is_context_message(told: &Told<'_>) -> bool {
    let tagged = told.pieces.iter().any(|piece| match piece {
        Piece::Text(raw) => start(raw).trim_start().starts_with(CONTEXT_TAG),
        _ => false,
    });
    let is_user = told.record.speaker() == Some(Speaker::User);
    is_user && tagged && told.voice() == Voice::Context
}

fn is_acknowledgement(told: &Told<'_>) -> bool {
    told.record.speaker() == Some(Speaker::Model)
        && has_text(told, |text| text.starts_with(ACKNOWLEDGEMENT))
}

fn starts_with_summary(told: &Told<'_>) -> bool {
    told.voice() == Voice::Summary
}

fn has_text(told: &Told<'_>, test: impl Fn(&str) -> bool) -> bool {
    told.pieces.iter().any(|piece| match piece {
        Piece::Text(raw) => crate::jsonl::string(raw).is_some_and(|text| test(text.trim())),
        _ => false,
    })
}
