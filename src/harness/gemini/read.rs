//! The second pass: reads the records again and gives each message's items at its place.

use rustc_hash::{FxHashMap, FxHashSet};
use serde::de::Error as _;
use serde_json::value::RawValue;

use super::content::{Class, Piece, Speaker, object};
use super::order::Order;
use super::replay::{Gone, Known, Mark, NONE, Place, Replay, Slot};
use super::side::Beside;
use super::wire::Record;
use crate::harness::Want;
use crate::harness::time::is_time;
use crate::json;
use crate::jsonl::{Fault, elements, string};
use crate::model::{Body, Compaction, Item, PlanItem, Text};
use crate::note::{Fate, NoteKind, Notes};

/// What a call says that its result needs, where the result comes with a later message.
#[derive(Default)]
pub(super) struct Promise {
    pub(super) questions: Vec<String>,
    pub(super) plan: Option<Vec<PlanItem>>,
}

/// Where a side session was begun.
pub(super) struct Begun {
    pub(super) agent: String,
    /// The message with the call.
    pub(super) entry: u32,
}

/// The second pass while it runs.
pub(super) struct Reader<'r> {
    pub(super) replay: &'r Replay,
    pub(super) want: Want,
    pub(super) beside: &'r Beside,
    pub(super) order: Order<'r>,
    /// Each version that is to be read, by place, with the number of its slot.
    takes: Vec<(Place, usize)>,
    next_take: usize,
    records: u32,
    has_header: bool,
    pub(super) promises: FxHashMap<u32, Promise>,
    /// What the results that were taken say, by call.
    pub(super) given: FxHashMap<u32, u64>,
    /// What results said beside their output, as digests.
    pub(super) heard: FxHashSet<u64>,
    /// What was thought in versions that were left, by message.
    pub(super) thought: FxHashSet<(u32, u64)>,
    /// Calls whose result was given once more for the live view.
    pub(super) repeated: FxHashSet<u32>,
    pub(super) begun: Vec<Begun>,
}

impl<'r> Reader<'r> {
    pub(super) fn new(
        replay: &'r Replay,
        want: Want,
        beside: &'r Beside,
        order: Order<'r>,
    ) -> Self {
        let place = |slot: &Slot| match slot {
            Slot::Entry(entry) => replay.entries[*entry as usize].place,
            Slot::Marker(marker) => replay.markers[*marker as usize].place,
            Slot::Earlier(one) => replay.earlier[*one as usize].place,
        };
        let mut takes: Vec<_> = replay.slots.iter().map(place).zip(0..).collect();
        takes.sort_unstable();
        Self {
            replay,
            want,
            beside,
            order,
            takes,
            next_take: 0,
            records: 0,
            has_header: false,
            promises: FxHashMap::default(),
            given: FxHashMap::default(),
            heard: FxHashSet::default(),
            thought: FxHashSet::default(),
            repeated: FxHashSet::default(),
            begun: Vec::new(),
        }
    }

    /// Takes one record.
    pub(super) fn record(
        &mut self,
        line: u64,
        text: &str,
        notes: &mut Notes,
    ) -> Result<Fate, Fault> {
        let number = self.records;
        self.records += 1;
        let is_taken = self.takes.get(self.next_take).is_some_and(|(at, _)| at.record == number);
        match self.replay.known.get(number as usize) {
            Some(Known::Broken) => return Err(serde_json::Error::custom("broken").into()),
            Some(Known::Quiet) if !is_taken => return Ok(Fate::Bookkeeping),
            _ => {}
        }
        if !text.starts_with('{') {
            notes.add(NoteKind::UnknownRecord, "no object", line);
            return Ok(Fate::Noted);
        }
        let record: Record<'_> = json::from_str(text)?;
        let class = record.class(line);
        if class == Class::Unknown {
            let name = record.kind_of_message.get().unwrap_or_else(|| first_key(text));
            notes.add(NoteKind::UnknownRecord, name, line);
            return Ok(Fate::Noted);
        }
        let set = object::<Record<'_>>(record.set).filter(|_| class == Class::Update);
        let list = set.as_ref().map_or(record.messages, |set| set.messages);
        let list = if class == Class::Message { Vec::new() } else { elements(list) };
        let given = self.take(&record, &list, number, line, notes)?;
        let unknown = note_unknown(&record, class, &list, line, notes);
        Ok(match class {
            _ if given > 0 => Fate::Used,
            _ if unknown => Fate::Noted,
            Class::Header if !self.has_header => {
                self.has_header = true;
                Fate::Used
            }
            Class::Update if set.is_some_and(|set| set.summary.filled().is_some()) => Fate::Used,
            _ => Fate::Bookkeeping,
        })
    }

    /// Gives the items of each version that is to be taken from this record.
    fn take(
        &mut self,
        record: &Record<'_>,
        list: &[&RawValue],
        number: u32,
        line: u64,
        notes: &mut Notes,
    ) -> Result<usize, Fault> {
        let mut given = 0;
        while let Some((place, slot)) = self.takes.get(self.next_take).copied() {
            if place.record != number {
                break;
            }
            self.next_take += 1;
            let listed = |at: u32| {
                let raw = list.get((at as usize).wrapping_sub(1)).copied();
                object::<Record<'_>>(raw)
            };
            let items = match self.replay.slots[slot] {
                Slot::Marker(marker) => {
                    let summary = self.replay.markers[marker as usize].summary;
                    let at = self.replay.entries.get(summary as usize).map_or(0, |e| e.place.at);
                    let message = listed(at);
                    vec![self.marker(marker, message.as_ref().unwrap_or(record))]
                }
                Slot::Earlier(one) => {
                    let message = listed(place.at);
                    self.earlier(one, message.as_ref().unwrap_or(record), notes)
                }
                Slot::Entry(entry) if place.at == 0 => self.message(record, entry, line, notes),
                Slot::Entry(entry) => match listed(place.at) {
                    // The texts borrow from the line, not from the record.
                    Some(message) => self.message(&message, entry, line, notes),
                    None => Vec::new(),
                },
            };
            given += items.len();
            self.order.give(slot, items)?;
        }
        Ok(given)
    }

    /// The item of a compaction or a rewind.
    fn marker<'a>(&self, number: u32, summary: &Record<'a>) -> Item<'a> {
        let marker = &self.replay.markers[number as usize];
        let id = self.marker_id(number);
        if marker.mark == Mark::Rewind {
            let body = Body::Notice { kind: "rewound".into(), text: None };
            return Item::new(id, marker.line, 0, body).dropped("never_sent");
        }
        let text = summary_text(summary);
        let compaction = Compaction {
            trigger: "unknown".into(),
            tokens_before: marker.tokens_before,
            tokens_after: marker.tokens_after,
            tokens_before_estimated: marker.tokens_before.is_some(),
            tokens_after_estimated: marker.tokens_after.is_some(),
            readable: text.is_some(),
            summary: text.map(Text::from),
            summary_id: Some(self.base(marker.summary).into()),
            summary_line: Some(marker.line),
            replaced: self.replaced(&marker.replaced),
            native: None,
        };
        let mut item = Item::new(id, marker.line, 0, Body::Compaction(compaction));
        item.ts = summary.timestamp.clone().take().filter(|text| is_time(text));
        self.fated(item, marker.summary)
    }

    /// The ids of what a compaction replaced, without what gives no items.
    fn replaced<'a>(&self, entries: &[u32]) -> Vec<std::borrow::Cow<'a, str>> {
        let sources: FxHashSet<u32> = self.replay.calls.iter().map(|call| call.source).collect();
        let speaks = |entry: &&u32| {
            let state = &self.replay.entries[**entry as usize];
            match state.speaker {
                Speaker::Model => true,
                Speaker::Notice => false,
                Speaker::User => !state.is_silent(sources.contains(*entry)),
            }
        };
        entries.iter().filter(speaks).map(|entry| self.base(*entry).into()).collect()
    }

    /// Says of an item whether it is live, as its message is.
    pub(super) fn fated<'a>(&self, mut item: Item<'a>, entry: u32) -> Item<'a> {
        let Some(state) = self.replay.entries.get(entry as usize) else { return item };
        if self.replay.reordered {
            item.rank = state.rank;
        }
        match state.gone {
            Gone::Live => item,
            Gone::Superseded => item.dropped("superseded"),
            Gone::RolledBack => item.dropped("rolled_back"),
            Gone::NeverSent => item.dropped("never_sent"),
            Gone::By(marker) => item.dropped(self.marker_id(marker)),
        }
    }

    /// Returns what all ids of a message's items begin with.
    pub(super) fn base(&self, entry: u32) -> String {
        let Some(state) = self.replay.entries.get(entry as usize) else { return String::new() };
        match state.home {
            (NONE, _) if state.id.starts_with("line-") => {
                format!("{}{}", self.beside.prefix, state.id)
            }
            (NONE, _) => state.id.to_string(),
            (marker, at) => format!("{}/{at}", self.marker_id(marker)),
        }
    }

    fn marker_id(&self, number: u32) -> String {
        let marker = &self.replay.markers[number as usize];
        let word = match marker.mark {
            Mark::Compaction => "compaction",
            Mark::Rewind => "rewind",
        };
        format!("{}{word}-{}", self.beside.prefix, marker.line)
    }
}

/// Notes messages of kinds that are not known; tells whether the record is nothing else.
fn note_unknown(
    record: &Record<'_>,
    class: Class,
    list: &[&RawValue],
    line: u64,
    notes: &mut Notes,
) -> bool {
    let mut add = |message: &Record<'_>| {
        let kind = message.kind_of_message.get().or(message.role.get()).unwrap_or("message");
        notes.add(NoteKind::UnknownRecord, kind, line);
    };
    if class == Class::Message && record.speaker().is_none() {
        add(record);
        return true;
    }
    if class == Class::Update && object::<Record<'_>>(record.set).is_none() {
        notes.add(NoteKind::IncompleteRecord, "$set", line);
        return true;
    }
    for raw in list {
        match object::<Record<'_>>(Some(raw)) {
            Some(message) if message.speaker().is_some() => {}
            message => add(&message.unwrap_or_default()),
        }
    }
    false
}

/// Returns the bare summary of the message that carries it.
fn summary_text(message: &Record<'_>) -> Option<String> {
    let texts = message.pieces().into_iter().filter_map(|piece| match piece {
        Piece::Text(raw) => string(raw),
        _ => None,
    });
    let text = texts.collect::<Vec<_>>().join("\n");
    let inside = text.split_once("<state_snapshot>").map(|(_, rest)| rest);
    let inside = inside.map(|rest| rest.rsplit_once("</state_snapshot>").map_or(rest, |cut| cut.0));
    let bare = inside.unwrap_or(&text).trim();
    (!bare.is_empty()).then(|| bare.to_owned())
}

/// Returns the name of the first field of an object.
pub(super) fn first_key(object: &str) -> &str {
    object.split('"').nth(1).unwrap_or("")
}
