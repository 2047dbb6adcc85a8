//! The versions of a message: records with one id, of which one is taken.

use std::hash::{DefaultHasher, Hasher as _};

use super::content::{Piece, Speaker, Told, Voice};
use super::parts::{digest, thoughts};
use super::replay::{Earlier, Entry, Gone, NONE, Scan, Sight, Slot, hash, index, line_id};

impl Scan {
    /// Notes a version of a message and returns its entry.
    pub(super) fn see(&mut self, told: &Told<'_>, sight: Sight) -> Option<u32> {
        let speaker = told.record.speaker()?;
        let count = self.replay.entries.len();
        let entry = self.entry(told, speaker, sight);
        let is_new = self.replay.entries.len() > count;
        let (count, whole) = match speaker {
            Speaker::Model => self.see_calls(entry, told, sight.own),
            Speaker::User => self.see_results(entry, &told.pieces),
            Speaker::Notice => (0, 0),
        };
        self.weigh(entry, sight, (count, whole, sight.own), told);
        if speaker == Speaker::Model && sight.own {
            self.see_tokens(&told.record, is_new);
        }
        Some(entry)
    }

    /// Returns the entry of a message, a new one if it comes up for the first time.
    fn entry(&mut self, told: &Told<'_>, speaker: Speaker, sight: Sight) -> u32 {
        let by_line = || line_id(sight.line, sight.place.at);
        let Some(id) = told.record.id.get() else {
            return self.enter(by_line(), speaker, told, sight);
        };
        match self.ids.get(&hash(id)).copied() {
            None => self.enter(id.to_owned(), speaker, told, sight),
            Some(known) if !self.is_another(known, told, speaker, sight) => known,
            Some(known) => {
                let entry = self.enter(by_line(), speaker, told, sight);
                self.ids.insert(hash(id), entry);
                self.replace_one(known, entry);
                entry
            }
        }
    }

    /// Tells whether what has the id of a message is no version of it: somebody else wrote it, or a human in
    /// other words.
    fn is_another(&self, known: u32, told: &Told<'_>, speaker: Speaker, sight: Sight) -> bool {
        let known = &self.replay.entries[known as usize];
        let text = text_key(&told.pieces);
        let is_human = speaker == Speaker::User && told.voice() == Voice::Human;
        known.speaker != speaker
            || sight.own && is_human && known.voice == Voice::Human && known.text != text
    }

    /// Takes a message out of the list for another of its id, as the harness does where it goes by ids.
    fn replace_one(&mut self, known: u32, entry: u32) {
        if !self.needs_ids {
            return;
        }
        let Some(at) = self.list.iter().position(|one| *one == known) else { return };
        self.list[at] = entry;
        self.replay.entries[known as usize].gone = Gone::Superseded;
        self.replay.entries[entry as usize].gone = Gone::Live;
    }

    /// Adds a message that comes up for the first time.
    fn enter(&mut self, id: String, speaker: Speaker, told: &Told<'_>, sight: Sight) -> u32 {
        let entry = index(self.replay.entries.len());
        self.ids.insert(hash(&id), entry);
        self.replay.slots.push(Slot::Entry(entry));
        self.replay.entries.push(Entry {
            id: id.into(),
            line: sight.line,
            speaker,
            voice: if speaker == Speaker::User { told.voice() } else { Voice::Empty },
            place: sight.place,
            weight: (0, 0, false),
            text: text_key(&told.pieces),
            taken: text_key(&told.pieces),
            taken_bytes: bare_texts(&told.pieces).map(str::len).sum(),
            thoughts: digests(told),
            gone: Gone::Superseded,
            home: sight.home,
            copy_of: NONE,
            rank: 0,
        });
        entry
    }

    /// Takes the version that says most; among equals the first of a list, the last on its own.
    /// What the model said otherwise in another record is kept beside it, and so is what it had said
    /// where a list has other words; but not what the next version goes on with. What it thought is
    /// kept in any case.
    fn weigh(&mut self, number: u32, sight: Sight, weight: (usize, usize, bool), told: &Told<'_>) {
        let pieces = &told.pieces;
        let (text, mut thoughts) = (text_key(pieces), digests(told));
        let entry = &mut self.replay.entries[number as usize];
        let (mut left, mut is_own) = ((sight.place, sight.line, text), sight.own);
        let mut goes_on = false;
        if weight > entry.weight || (weight == entry.weight && weight.2) {
            left = (entry.place, entry.line, entry.taken);
            is_own |= entry.weight.2;
            goes_on = text != entry.taken && begins(pieces, entry.taken_bytes) == entry.taken;
            entry.weight = weight;
            (entry.place, entry.line, entry.taken) = (sight.place, sight.line, text);
            std::mem::swap(&mut entry.thoughts, &mut thoughts);
            entry.taken_bytes = bare_texts(pieces).map(str::len).sum();
        }
        if entry.speaker != Speaker::Model {
            return;
        }
        let (place, line, text) = left;
        let is_other = is_own && !goes_on && text != 0 && text != entry.taken;
        let is_said = is_other && self.earlier.insert((number, text));
        let others = thoughts.iter().filter(|one| entry.thoughts.binary_search(one).is_err());
        let thought = others.filter(|one| self.earlier.insert((number, **one))).count();
        if is_said || thought > 0 {
            let text = if is_said { text } else { 0 };
            self.replay.slots.push(Slot::Earlier(index(self.replay.earlier.len())));
            self.replay.earlier.push(Earlier { entry: number, place, line, text });
        }
    }
}

/// The texts of a message as they are escaped: both copies come from one program.
fn bare_texts<'a>(pieces: &[Piece<'a>]) -> impl Iterator<Item = &'a str> {
    pieces.iter().filter_map(|piece| match piece {
        Piece::Text(raw) => Some(raw.get().trim_matches('"')),
        _ => None,
    })
}

/// Digests what the model thought in a message, each stretch by itself, in order of the digests.
fn digests(told: &Told<'_>) -> Box<[u64]> {
    let thoughts = thoughts(&told.record, &told.pieces);
    let mut digests: Box<[u64]> = thoughts.into_iter().map(digest).collect();
    digests.sort_unstable();
    digests
}

/// Digests the texts of a message; 0 if it has none.
fn text_key(pieces: &[Piece<'_>]) -> u64 {
    begins(pieces, usize::MAX)
}

/// Digests so many bytes of the texts of a message, from their beginning.
fn begins(pieces: &[Piece<'_>], mut bytes: usize) -> u64 {
    let mut hasher = DefaultHasher::new();
    let mut empty = true;
    for text in bare_texts(pieces) {
        let text = &text.as_bytes()[..text.len().min(bytes)];
        bytes -= text.len();
        empty &= text.is_empty();
        hasher.write(text);
    }
    if empty { 0 } else { hasher.finish().max(1) }
}
