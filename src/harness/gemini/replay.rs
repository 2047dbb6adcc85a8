//! The first pass: replays the records as the harness does on resume, and keeps of each message
//! only where it stands and what became of it.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use rustc_hash::{FxHashMap, FxHashSet};

use super::content::{Class, Speaker, Told, Voice, object};
use super::facts::Facts;
use super::links::link;
use super::source::Source;
use super::update::is_bare_update;
use super::wire::Record;
use crate::error::Result;
use crate::json;
use crate::jsonl::Fault;
use crate::model::Status;
use crate::note::{Fate, Notes};

/// Stands for no entry, call or marker.
pub(super) const NONE: u32 = u32::MAX;

/// What became of a message in the live view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gone {
    Live,
    /// A later list of all messages does not have it.
    Superseded,
    /// Its prompt was cancelled.
    RolledBack,
    /// The harness does not load it.
    NeverSent,
    /// A compaction or rewind, by its number.
    By(u32),
}

/// Where a version of a message stands: the record, and the place in its list counted from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) record: u32,
    pub(super) at: u32,
}

/// One version of a message, as it is come upon.
#[derive(Clone, Copy)]
pub(super) struct Sight {
    pub(super) line: u64,
    pub(super) place: Place,
    /// Whether it is a record of its own, not one of a list.
    pub(super) own: bool,
    /// The compaction in whose list it stands, and its place there.
    pub(super) home: (u32, u32),
}

/// A message, whatever the number of its versions.
pub(super) struct Entry {
    pub(super) id: Box<str>,
    pub(super) line: u64,
    pub(super) speaker: Speaker,
    /// What a message of the user's side is; of any other it says nothing.
    pub(super) voice: Voice,
    /// The version that says most.
    pub(super) place: Place,
    /// How much that version says: calls, whole results, and whether it is a record of its own.
    pub(super) weight: (usize, usize, bool),
    /// A digest of its texts; 0 if it has none.
    pub(super) text: u64,
    /// The same of the version that says most, and how long they are.
    pub(super) taken: u64,
    pub(super) taken_bytes: usize,
    /// Digests of what the model thought in that version.
    pub(super) thoughts: Box<[u64]>,
    pub(super) gone: Gone,
    /// The compaction in whose list it came up, and its place there.
    pub(super) home: (u32, u32),
    /// The message that it repeats under another id.
    pub(super) copy_of: u32,
    /// Place in the live view.
    pub(super) rank: u32,
}

/// A version in which the model said or thought something else than in the one that took its place.
#[derive(Clone, Copy)]
pub(super) struct Earlier {
    pub(super) entry: u32,
    pub(super) place: Place,
    pub(super) line: u64,
    /// A digest of its texts; 0 if they are not told.
    pub(super) text: u64,
}

/// A tool call, wherever it and its result are repeated.
pub(super) struct Call {
    pub(super) id: Box<str>,
    /// The message that made it.
    pub(super) owner: u32,
    /// The message whose result is the one to take.
    pub(super) source: u32,
    pub(super) masked: bool,
    pub(super) status: Option<Status>,
}

/// What a marker marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Compaction,
    Rewind,
}

/// A place where the conversation was changed.
pub(super) struct Marker {
    pub(super) mark: Mark,
    pub(super) line: u64,
    pub(super) place: Place,
    /// The message with the summary.
    pub(super) summary: u32,
    pub(super) replaced: Vec<u32>,
    pub(super) tokens_before: Option<u64>,
    pub(super) tokens_after: Option<u64>,
}

/// What is given to the sink in one go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    Entry(u32),
    Marker(u32),
    Earlier(u32),
}

/// What the second pass need not find out again of a text that it is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// It is no JSON.
    Broken,
    /// It says nothing unless it is the version of a message that is taken.
    Quiet,
    Telling,
}

/// The outcome of the first pass.
#[derive(Default)]
pub(super) struct Replay {
    pub(super) entries: Vec<Entry>,
    pub(super) markers: Vec<Marker>,
    pub(super) earlier: Vec<Earlier>,
    /// In the order in which things came up.
    pub(super) slots: Vec<Slot>,
    pub(super) calls: Vec<Call>,
    pub(super) links: FxHashMap<(u32, u64), u32>,
    pub(super) facts: Facts,
    /// One for each text that was offered, broken ones and their pieces included.
    pub(super) known: Vec<Known>,
    /// Whether the live view has another order than the slots.
    pub(super) reordered: bool,
}

impl Replay {
    /// Returns the call that a call or result in a message stands for.
    pub(super) fn call(&self, entry: u32, id: Option<&str>, at: usize) -> Option<u32> {
        self.links.get(&(entry, link(id, at))).copied()
    }
}

/// Replays a session.
pub(super) fn scan(source: &Source<'_>) -> Result<Replay> {
    let mut scan = Scan { needs_ids: source.needs_ids(), ..Scan::default() };
    let mut unheard = Notes::default();
    source.each(&mut unheard, |line, text, _| scan.record(line, text))?;
    Ok(scan.finish())
}

/// The replay while it runs.
#[derive(Default)]
pub(super) struct Scan {
    pub(super) replay: Replay,
    pub(super) ids: FxHashMap<u64, u32>,
    /// The messages that are live at this point, in order.
    pub(super) list: Vec<u32>,
    pub(super) by_id: FxHashMap<u64, u32>,
    /// What was said and thought in versions that were left, by message.
    pub(super) earlier: FxHashSet<(u32, u64)>,
    /// Calls without an id and without a result so far.
    pub(super) unnamed: Vec<(Box<str>, u32)>,
    /// Whether the harness loads a message by its id.
    pub(super) needs_ids: bool,
    /// Whether the record before was a header: the harness has just started.
    pub(super) restarted: bool,
    pub(super) last_input: Option<u64>,
    /// The compaction whose outcome the next response tells.
    pub(super) open: Option<u32>,
}

fn is_object(raw: &serde_json::value::RawValue) -> bool {
    raw.get().starts_with('{')
}

impl Scan {
    fn record(&mut self, line: u64, text: &str) -> Result<Fate, Fault> {
        let place = Place { record: index(self.replay.known.len()), at: 0 };
        self.replay.known.push(Known::Broken);
        if !text.starts_with('{') {
            json::from_str::<serde::de::IgnoredAny>(text)?;
            self.replay.known[place.record as usize] = Known::Telling;
            return Ok(Fate::Noted);
        }
        let record: Record<'_> = json::from_str(text)?;
        self.replay.facts.times(&record);
        let class = record.class(line);
        let is_quiet = match class {
            Class::Message => record.speaker().is_some(),
            Class::Update => is_bare_update(&record) && record.set.is_some_and(is_object),
            Class::Rewind | Class::Header | Class::Unknown => false,
        };
        let known = if is_quiet { Known::Quiet } else { Known::Telling };
        self.replay.known[place.record as usize] = known;
        match class {
            Class::Rewind => self.rewind(&record, line, place),
            Class::Message => self.message(&record.into(), line, place),
            Class::Update => self.update(&record, line, place),
            Class::Header => self.header(&record, line, place),
            Class::Unknown => {}
        }
        self.restarted = class == Class::Header;
        Ok(Fate::Used)
    }

    fn header(&mut self, record: &Record<'_>, line: u64, place: Place) {
        self.replay.facts.merge(record);
        for (at, raw) in (1..).zip(crate::jsonl::elements(record.messages)) {
            if let Some(message) = object::<Record<'_>>(Some(raw)) {
                self.message(&message.into(), line, Place { at, ..place });
            }
        }
    }

    fn message(&mut self, told: &Told<'_>, line: u64, place: Place) {
        let summarised = self.is_plain_summary(told);
        let marker = summarised.then(|| self.mark(Mark::Compaction, line, place));
        let sight = Sight { line, place, own: true, home: (NONE, 0) };
        let Some(entry) = self.see(told, sight) else { return };
        let state = &mut self.replay.entries[entry as usize].gone;
        if self.needs_ids && told.record.id.get().is_none() {
            *state = Gone::NeverSent;
        } else if *state != Gone::Live {
            *state = Gone::Live;
            self.list.push(entry);
        }
        if let Some(marker) = marker {
            self.replay.markers[marker as usize].summary = entry;
            self.open = Some(marker);
        }
        self.replay.facts.message(told);
    }

    /// Adds a marker after all that came up so far.
    pub(super) fn mark(&mut self, mark: Mark, line: u64, place: Place) -> u32 {
        let number = index(self.replay.markers.len());
        self.replay.slots.push(Slot::Marker(number));
        self.replay.markers.push(Marker {
            mark,
            line,
            place,
            summary: NONE,
            replaced: Vec::new(),
            tokens_before: None,
            tokens_after: None,
        });
        number
    }

    fn rewind(&mut self, record: &Record<'_>, line: u64, place: Place) {
        let marker = self.mark(Mark::Rewind, line, place);
        let known = self.ids.get(&hash(record.rewind_to.text()));
        let from = known.and_then(|known| self.list.iter().position(|entry| entry == known));
        // An unknown id drops everything: so does the harness.
        for entry in self.list.split_off(from.unwrap_or(0)) {
            self.replay.entries[entry as usize].gone = Gone::By(marker);
        }
    }

    fn finish(mut self) -> Replay {
        for (rank, entry) in (1..).zip(&self.list) {
            let entry = &mut self.replay.entries[*entry as usize];
            (entry.rank, entry.gone) = (rank, Gone::Live);
        }
        let ranks = self.replay.slots.iter().filter_map(|slot| match slot {
            Slot::Entry(entry) => Some(self.replay.entries[*entry as usize].rank),
            Slot::Marker(_) | Slot::Earlier(_) => None,
        });
        self.replay.reordered = !ranks.filter(|rank| *rank > 0).is_sorted();
        self.replay
    }
}

/// The id of a record that has none.
pub(super) fn line_id(line: u64, at: u32) -> String {
    if at == 0 { format!("line-{line}") } else { format!("line-{line}-{at}") }
}

pub(super) fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

pub(super) fn index(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(NONE)
}

impl Entry {
    /// Tells whether it gives no items at all; `is_source` says whether a result is taken from it.
    pub(super) fn is_silent(&self, is_source: bool) -> bool {
        match self.voice {
            Voice::Tool => !is_source,
            Voice::Empty => true,
            _ => false,
        }
    }

    /// Tells whether a human wrote it, here for the first time.
    pub(super) fn begins_turn(&self) -> bool {
        matches!(self.voice, Voice::Human | Voice::Steered) && self.copy_of == NONE
    }

    /// Tells whether the version that is taken is a record of its own.
    pub(super) fn is_own(&self) -> bool {
        self.weight.2
    }

    /// What a copy under another id shares with it.
    pub(super) fn key(&self) -> Option<(Speaker, u64)> {
        (self.text != 0).then_some((self.speaker, self.text))
    }
}

impl Scan {
    /// Tells whether a message with this id came up before.
    pub(super) fn knows(&self, record: &Record<'_>) -> bool {
        record.id.get().is_some_and(|id| self.ids.contains_key(&hash(id)))
    }
}
