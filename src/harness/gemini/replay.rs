//! The first pass: replays the records as the harness does on resume, and keeps of each message
//! only where it stands and what became of it.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use rustc_hash::FxHashMap;

use super::content::{Asked, MASK_TAG, Piece, Speaker, Voice, calls, voice};
use super::facts::Facts;
use super::source::Source;
use super::wire::Record;
use crate::error::Result;
use crate::jsonl::Fault;
use crate::model::Status;
use crate::note::{Fate, Notes, Tally};

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
    weight: (usize, usize, bool),
    /// A digest of its texts; 0 if it has none.
    text: u64,
    pub(super) gone: Gone,
    /// The compaction in whose list it came up, and its place there.
    pub(super) home: (u32, u32),
    /// The message that it repeats under another id.
    pub(super) copy_of: u32,
    /// Place in the live view.
    pub(super) rank: u32,
}

/// A tool call, wherever it and its result are repeated.
pub(super) struct Call {
    pub(super) id: Box<str>,
    /// The message that made it.
    pub(super) owner: u32,
    /// The message whose result is the one to take.
    pub(super) source: u32,
    masked: bool,
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
}

/// The outcome of the first pass.
#[derive(Default)]
pub(super) struct Replay {
    pub(super) entries: Vec<Entry>,
    pub(super) markers: Vec<Marker>,
    /// In the order in which things came up.
    pub(super) slots: Vec<Slot>,
    pub(super) calls: Vec<Call>,
    links: FxHashMap<(u32, u64), u32>,
    pub(super) facts: Facts,
    pub(super) tally: Tally,
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
    let tally = source.each(&mut unheard, |line, text, _| scan.record(line, text))?;
    scan.replay.tally = tally;
    Ok(scan.finish())
}

/// What a record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Rewind,
    Message,
    Update,
    Header,
    Unknown,
}

impl Record<'_> {
    /// Tells what a record is. The order of the questions is the harness's own.
    pub(super) fn class(&self, line: u64) -> Class {
        if self.rewind_to.get().is_some() {
            Class::Rewind
        } else if self.is_message() && self.id.get().is_some() {
            Class::Message
        } else if self.set.is_some() {
            Class::Update
        } else if line == 0 || self.session_id.get().and(self.project_hash.get()).is_some() {
            Class::Header
        } else if self.is_message() {
            Class::Message
        } else {
            Class::Unknown
        }
    }
}

/// The replay while it runs.
#[derive(Default)]
pub(super) struct Scan {
    pub(super) replay: Replay,
    ids: FxHashMap<u64, u32>,
    /// The messages that are live at this point, in order.
    pub(super) list: Vec<u32>,
    by_id: FxHashMap<u64, u32>,
    /// Calls without an id and without a result so far.
    unnamed: Vec<(Box<str>, u32)>,
    records: u32,
    needs_ids: bool,
    /// Whether the record before was a header: the harness has just started.
    pub(super) restarted: bool,
    pub(super) last_input: Option<u64>,
    /// The compaction whose outcome the next response tells.
    pub(super) open: Option<u32>,
}

impl Scan {
    fn record(&mut self, line: u64, text: &str) -> Result<Fate, Fault> {
        if !text.starts_with('{') {
            serde_json::from_str::<serde::de::IgnoredAny>(text)?;
            return Ok(Fate::Noted);
        }
        let record: Record<'_> = serde_json::from_str(text)?;
        let place = Place { record: self.records, at: 0 };
        self.records += 1;
        self.replay.facts.times(&record);
        let class = record.class(line);
        match class {
            Class::Rewind => self.rewind(&record, line, place),
            Class::Message => self.message(&record, line, place),
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
            if let Some(message) = super::content::object::<Record<'_>>(Some(raw)) {
                self.message(&message, line, Place { at, ..place });
            }
        }
    }

    fn message(&mut self, record: &Record<'_>, line: u64, place: Place) {
        let summarised = self.is_plain_summary(record);
        let marker = summarised.then(|| self.mark(Mark::Compaction, line, place));
        let Some(entry) = self.see(record, line, place, true, (NONE, 0)) else { return };
        let state = &mut self.replay.entries[entry as usize].gone;
        if self.needs_ids && record.id.get().is_none() {
            *state = Gone::NeverSent;
        } else if *state != Gone::Live {
            *state = Gone::Live;
            self.list.push(entry);
        }
        if let Some(marker) = marker {
            self.replay.markers[marker as usize].summary = entry;
            self.open = Some(marker);
        }
        self.replay.facts.message(record);
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

    /// Notes a version of a message and returns its entry.
    pub(super) fn see(
        &mut self,
        record: &Record<'_>,
        line: u64,
        place: Place,
        own_record: bool,
        home: (u32, u32),
    ) -> Option<u32> {
        let speaker = record.speaker()?;
        let id = record.id.get().map_or_else(|| line_id(line, place.at), str::to_owned);
        let key = hash(&id);
        let pieces = record.pieces();
        let known = self.ids.get(&key).copied();
        let entry = known.unwrap_or(index(self.replay.entries.len()));
        if known.is_none() {
            self.ids.insert(key, entry);
            self.replay.slots.push(Slot::Entry(entry));
            let new = Entry {
                id: id.into(),
                line,
                speaker,
                voice: if speaker == Speaker::User { voice(&pieces) } else { Voice::Empty },
                place,
                weight: (0, 0, false),
                text: text_key(&pieces),
                gone: Gone::Superseded,
                home,
                copy_of: NONE,
                rank: 0,
            };
            self.replay.entries.push(new);
        }
        let (count, whole) = match speaker {
            Speaker::Model => self.see_calls(entry, record, own_record),
            Speaker::User => self.see_results(entry, &pieces),
            Speaker::Notice => (0, 0),
        };
        self.weigh(entry, line, place, (count, whole, own_record));
        if speaker == Speaker::Model && own_record {
            self.see_tokens(record, known.is_none());
        }
        Some(entry)
    }

    /// Takes the version that says most; among equals the first of a list, the last on its own.
    fn weigh(&mut self, entry: u32, line: u64, place: Place, weight: (usize, usize, bool)) {
        let entry = &mut self.replay.entries[entry as usize];
        if weight > entry.weight || (weight == entry.weight && weight.2) {
            (entry.weight, entry.place, entry.line) = (weight, place, line);
        }
    }

    fn see_calls(&mut self, entry: u32, record: &Record<'_>, own: bool) -> (usize, usize) {
        let calls = calls(record);
        let mut whole = 0;
        for (at, asked) in calls.iter().enumerate() {
            let call = self.link_call(entry, at, asked, own);
            let call = &mut self.replay.calls[call as usize];
            call.status = status(asked.status.get()).or(call.status);
            let Some(result) = asked.result.filter(|raw| !is_void(raw.get())) else { continue };
            let masked = result.get().contains(MASK_TAG);
            whole += usize::from(!masked);
            call.offer(entry, masked);
        }
        (calls.len(), whole)
    }

    fn link_call(&mut self, entry: u32, at: usize, asked: &Asked<'_>, own: bool) -> u32 {
        let key = link(asked.id.as_deref(), at);
        if let Some(call) = self.replay.links.get(&(entry, key)) {
            return *call;
        }
        let by_id = asked.id.as_deref().and_then(|id| self.by_id.get(&hash(id))).copied();
        // Interfaces that count their calls anew give the same id to a later call.
        let again = by_id.filter(|call| !own || self.replay.calls[*call as usize].source == NONE);
        let call = again.unwrap_or_else(|| self.new_call(entry, at, asked));
        self.replay.links.insert((entry, key), call);
        call
    }

    fn new_call(&mut self, entry: u32, at: usize, asked: &Asked<'_>) -> u32 {
        let number = index(self.replay.calls.len());
        let id = match &asked.id {
            Some(id) => {
                self.by_id.insert(hash(id), number);
                id.clone()
            }
            None => {
                self.unnamed.push((asked.name.as_ref().into(), number));
                format!("{}-{at}", self.replay.entries[entry as usize].id)
            }
        };
        let call = Call { id: id.into(), owner: entry, source: NONE, masked: false, status: None };
        self.replay.calls.push(call);
        number
    }

    fn see_results(&mut self, entry: u32, pieces: &[Piece<'_>]) -> (usize, usize) {
        let mut whole = 0;
        for (at, piece) in pieces.iter().enumerate() {
            let Piece::Response(response) = piece else { continue };
            let id = super::content::bare_id(&response.id, response.name.text());
            let call = match &id {
                Some(id) => self.by_id.get(&hash(id)).copied(),
                None => self.next_unnamed(response.name.text()),
            };
            let masked = response.response.is_some_and(|raw| raw.get().contains(MASK_TAG));
            whole += usize::from(!masked);
            let Some(call) = call else { continue };
            let call = *self.replay.links.entry((entry, link(id.as_deref(), at))).or_insert(call);
            self.replay.calls[call as usize].offer(entry, masked);
        }
        (0, whole)
    }

    fn next_unnamed(&mut self, name: &str) -> Option<u32> {
        let at = self.unnamed.iter().position(|(other, _)| other.as_ref() == name)?;
        Some(self.unnamed.remove(at).1)
    }

    fn finish(mut self) -> Replay {
        for (rank, entry) in (1..).zip(&self.list) {
            let entry = &mut self.replay.entries[*entry as usize];
            (entry.rank, entry.gone) = (rank, Gone::Live);
        }
        let ranks = self.replay.slots.iter().filter_map(|slot| match slot {
            Slot::Entry(entry) => Some(self.replay.entries[*entry as usize].rank),
            Slot::Marker(_) => None,
        });
        self.replay.reordered = !ranks.filter(|rank| *rank > 0).is_sorted();
        self.replay
    }
}

impl Call {
    /// Takes a result from the first message that has it whole.
    fn offer(&mut self, entry: u32, masked: bool) {
        if self.source == NONE || (self.masked && !masked) {
            (self.source, self.masked) = (entry, masked);
        }
    }
}

/// Reads the harness's word for how a call ended.
pub(super) fn status(word: Option<&str>) -> Option<Status> {
    match word? {
        "success" => Some(Status::Ok),
        "error" => Some(Status::Error),
        "cancelled" => Some(Status::Interrupted),
        _ => None,
    }
}

/// The id of a record that has none.
pub(super) fn line_id(line: u64, at: u32) -> String {
    if at == 0 { format!("line-{line}") } else { format!("line-{line}-{at}") }
}

/// Tells whether a result says nothing at all, so that the harness sends none.
pub(super) fn is_void(raw: &str) -> bool {
    matches!(raw, "null" | "\"\"" | "[]" | "false")
}

/// A call or result within its message: by its id, else by its place.
fn link(id: Option<&str>, at: usize) -> u64 {
    id.map_or_else(|| hash(&format!("\0{at}")), hash)
}

/// Digests the texts of a message as they are escaped: both copies come from one program.
fn text_key(pieces: &[Piece<'_>]) -> u64 {
    let mut hasher = DefaultHasher::new();
    let mut empty = true;
    for piece in pieces {
        let Piece::Text(raw) = piece else { continue };
        let text = raw.get().trim_matches('"');
        empty &= text.is_empty();
        hasher.write(text.as_bytes());
    }
    if empty { 0 } else { hasher.finish().max(1) }
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
    /// Tells whether a human wrote it, here for the first time.
    pub(super) fn begins_turn(&self) -> bool {
        self.voice == Voice::Human && self.copy_of == NONE
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
