//! The second pass: each record once more, now as items.

use std::borrow::Cow;

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::value::RawValue;

use super::row::{BY_ROW, DOUBLE, HUMAN, Kind, LIVE, REPEATED_ID, Row, SUPERSEDED, Scan};
use super::scan::{self, Place};
use super::side::Spawned;
use super::wire::{Payload, Record, Settings};
use super::{beside, compact, item, script};
use crate::error::Result;
use crate::harness::time::is_time;
use crate::harness::{self, Sink, Want};
use crate::jsonl::{self, Fault, Input};
use crate::model::{Body, End, Header, Item, Plan};
use crate::note::{Fate, NoteKind, Notes, Tally};

/// Reads a session.
pub(super) fn read(input: &Input, want: Want, sink: &mut dyn Sink) -> Result<End> {
    let scan = scan::scan(input)?;
    refuse_empty(&scan, input)?;
    sink.header(&scan.header)?;
    sink.expect(scan.rows.len());
    if scan.ends_hidden() {
        sink.expect_hidden();
    }
    let mut notes = Notes::default();
    if let Some(missing) = &scan.chain.missing {
        notes.add(NoteKind::MissingHistory, missing, 0);
    }
    let mut reader = Reader::new(&scan, want, sink);
    for link in &scan.chain.links {
        reader.prefix = format!("{}/", link.id);
        reader.end = link.end;
        reader.file(&link.input, &mut Notes::default())?;
    }
    reader.prefix.clear();
    reader.end = u64::MAX;
    (reader.want.raw_lines, reader.want.places) = (want.raw_lines, want.places);
    let tally = reader.file(input, &mut notes)?;
    reader.sink.place(None);
    let spawned = std::mem::take(&mut reader.spawned);
    super::side::follow(&spawned, input, want, sink)?;
    Ok(End { tally, notes: notes.list() })
}

/// Reads the header alone.
pub(super) fn header(input: &Input) -> Result<Header> {
    let scan = scan::scan(input)?;
    refuse_empty(&scan, input)?;
    Ok(scan.header)
}

/// Fails on a file that holds nothing of a session.
pub(super) fn refuse_empty(scan: &Scan, input: &Input) -> Result<()> {
    if scan.rows.iter().any(Row::is_item) { Ok(()) } else { Err(harness::no_items(input)) }
}

/// What is remembered from record to record.
pub(super) struct Reader<'s> {
    pub(super) scan: &'s Scan,
    pub(super) sink: &'s mut dyn Sink,
    pub(super) want: Want,
    /// What the ids of the file at hand begin with.
    pub(super) prefix: String,
    end: u64,
    next: u32,
    /// The turn of the record at hand.
    turn: u32,
    place: Place,
    pub(super) model: Option<String>,
    /// The side session that is being read, and the turn in which it began.
    pub(super) side: Option<(String, u32)>,
    /// Ids of rows that a later compaction names.
    pub(super) named: FxHashMap<u32, String>,
    /// Texts of rows that a later compaction repeats.
    pub(super) kept: FxHashMap<u32, String>,
    /// What each compaction replaces.
    pub(super) replaced: FxHashMap<u32, Vec<String>>,
    /// Plans whose calls are not answered yet.
    pub(super) plans: FxHashMap<String, Plan<'static>>,
    /// Scripts that have not ended yet, by call.
    pub(super) scripts: FxHashMap<String, script::Pending>,
    /// Scripts that go on in the background, by cell.
    pub(super) cells: FxHashMap<String, script::Pending>,
    pub(super) last_script: String,
    /// Questions that are not answered yet, by call: id and words.
    pub(super) asked: FxHashMap<String, Vec<(String, String)>>,
    pub(super) last_goal: Option<(String, String)>,
    /// What the agents are to do that are not known to run yet, by call.
    pub(super) tasks: FxHashMap<String, (Option<String>, Option<String>)>,
    pub(super) spawned: Vec<Spawned>,
    pub(super) known_agents: FxHashSet<String>,
    given: bool,
}

/// Where an item comes from.
#[derive(Clone)]
pub(super) struct At<'a> {
    pub(super) number: u32,
    pub(super) id: String,
    pub(super) line: u64,
    pub(super) ts: Option<&'a str>,
    pub(super) row: Row,
    pub(super) turn: u32,
    /// Set for an item inside a compaction.
    pub(super) copy: bool,
    pub(super) copy_of: Option<String>,
}

impl<'s> Reader<'s> {
    pub(super) fn new(scan: &'s Scan, want: Want, sink: &'s mut dyn Sink) -> Self {
        Self {
            scan,
            sink,
            want: Want { raw_lines: false, places: false, ..want },
            prefix: String::new(),
            end: u64::MAX,
            next: 0,
            turn: 0,
            place: Place::default(),
            model: None,
            side: None,
            named: FxHashMap::default(),
            kept: FxHashMap::default(),
            replaced: FxHashMap::default(),
            plans: FxHashMap::default(),
            scripts: FxHashMap::default(),
            cells: FxHashMap::default(),
            last_script: String::new(),
            asked: FxHashMap::default(),
            last_goal: None,
            tasks: FxHashMap::default(),
            spawned: Vec::new(),
            known_agents: FxHashSet::default(),
            given: false,
        }
    }

    pub(super) fn file(&mut self, input: &Input, notes: &mut Notes) -> Result<Tally> {
        self.place = Place::default();
        let mut tally = Tally::default();
        let mut lines = input.lines()?;
        while let Some(line) = lines.next_line()? {
            if self.want.raw_lines {
                self.sink.raw_line(line.number, line.bytes, line.ended)?;
            }
            if self.want.places {
                self.sink.place(Some(line));
            }
            let mut take =
                |number: u64, text: &str, notes: &mut Notes| self.record(number, text, notes);
            tally.count(jsonl::one_line(line, notes, &mut take)?);
        }
        Ok(tally)
    }

    /// Passes over what the files before the session's own hold.
    pub(super) fn skip_chain(&mut self) {
        self.next = self.scan.own_start;
        let before = self.scan.rows.iter().take(self.next as usize);
        self.turn = before.map(|row| u32::from(row.has(HUMAN))).sum();
    }

    fn record(&mut self, line: u64, text: &str, notes: &mut Notes) -> Result<Fate, Fault> {
        let (record, payload) = scan::split(text)?;
        if record.ordinal.is_some_and(|ordinal| ordinal >= self.end) {
            return Ok(Fate::Bookkeeping);
        }
        let number = self.next;
        self.next += 1;
        self.place.next(line);
        let Some(row) = self.scan.rows.get(number as usize).copied() else {
            return Ok(Fate::Bookkeeping);
        };
        self.turn += u32::from(row.has(HUMAN));
        let payload = payload.unwrap_or_default();
        let is_inherited = self.side.is_some()
            && record.ordinal.is_some_and(|ordinal| ordinal < self.scan.inherited_before);
        if is_inherited {
            return Ok(Fate::Bookkeeping);
        }
        let at = self.at(number, row, line, &record, &payload);
        if at.ts.is_none() && record.timestamp.filled().is_some() {
            notes.add(NoteKind::OddTime, "", line);
        }
        self.given = false;
        match row.kind {
            Kind::Header => return Ok(Fate::Used),
            Kind::Unknown | Kind::Incomplete => {
                note(row.kind, record.kind.text(), payload.kind.text(), line, notes);
                return Ok(Fate::Noted);
            }
            Kind::Skip => self.settings(&record),
            _ => self.items(&at, &payload, notes)?,
        }
        Ok(if self.given { Fate::Used } else { Fate::Bookkeeping })
    }

    /// The model may change from turn to turn.
    fn settings(&mut self, record: &Record<'_>) {
        if record.kind.get() != Some("turn_context") {
            return;
        }
        let settings: Settings<'_> = jsonl::shaped(record.payload).unwrap_or_default();
        self.model = settings.model.filled().map(str::to_owned).or(self.model.take());
    }

    fn at<'a>(
        &self,
        number: u32,
        row: Row,
        line: u64,
        record: &'a Record<'_>,
        payload: &Payload<'_>,
    ) -> At<'a> {
        let own = payload.id.filled().filter(|_| !row.has(REPEATED_ID) && row.is_history());
        let own = own.filter(|_| row.kind != Kind::Child);
        let id = own.map(|id| format!("{}{id}", self.prefix));
        let id = id.unwrap_or_else(|| self.place.id(&self.prefix));
        let ts = record.timestamp.get().filter(|ts| is_time(ts));
        At { number, id, line, ts, row, turn: self.turn, copy: false, copy_of: None }
    }

    fn items(&mut self, at: &At<'_>, payload: &Payload<'_>, notes: &mut Notes) -> Result<()> {
        match at.row.kind {
            Kind::UserEvent | Kind::AnswerEvent | Kind::ReasoningEvent if at.row.has(DOUBLE) => {
                Ok(())
            }
            Kind::UserEvent | Kind::AnswerEvent | Kind::ReasoningEvent => {
                beside::event(self, at, payload)
            }
            Kind::Compaction => compact::compaction(self, at, payload, notes),
            Kind::Rollback => self.notice(at, "rolled_back", None),
            Kind::Aborted => beside::aborted(self, at, payload),
            Kind::Failure => {
                let text = beside::failed(payload).map(|(text, _)| text);
                self.give(at, &at.id, Body::Notice { kind: "error".into(), text })
            }
            Kind::Warning => self.notice(at, "warning", payload.message),
            Kind::Review => beside::review(self, at, payload),
            Kind::Usage | Kind::UsageRecord => beside::usage(self, at, payload),
            Kind::PlanText => beside::plan_text(self, at, payload),
            Kind::Goal => beside::goal(self, at, payload.goal),
            Kind::Child => beside::child(self, at, payload),
            Kind::Spawn => {
                let (agent, call) = (payload.agent_thread_id.text(), payload.event_id.text());
                super::side::begin(self, at, agent, call, payload.agent_path.filled())
            }
            _ => item::item(self, at, payload, notes),
        }
    }

    pub(super) fn notice(
        &mut self,
        at: &At<'_>,
        kind: &'static str,
        text: Option<&RawValue>,
    ) -> Result<()> {
        let text = text.and_then(crate::model::Text::json).filter(|text| !text.is_blank());
        self.give(at, &at.id, Body::Notice { kind: kind.into(), text })
    }

    /// Hands an item on, with all that the first pass knows of its record.
    pub(super) fn give(&mut self, at: &At<'_>, id: &str, body: Body<'_>) -> Result<()> {
        self.given = true;
        let is_compaction = matches!(body, Body::Compaction(_));
        let mut item = Item::new(Cow::Borrowed(id), at.line, at.turn, body);
        item.ts = at.ts.map(Cow::Borrowed);
        item.copy_of = at.copy_of.as_deref().map(Cow::Borrowed);
        if let Some((side, turn)) = &self.side {
            item.side_session = Some(Cow::Borrowed(side));
            item.turn = *turn;
            item = item.dropped("side_session");
        } else if let Some(by) = self.dropped_by(&at.row) {
            item = item.dropped(Cow::Borrowed(by));
        }
        if self.want.live_only && !item.live && !is_compaction {
            return Ok(());
        }
        self.sink.item(item)
    }

    fn dropped_by(&self, row: &Row) -> Option<&'s str> {
        match row.dropped {
            LIVE => None,
            SUPERSEDED => Some("superseded"),
            by if by >= BY_ROW => {
                Some(self.scan.marks.get(&(by - BY_ROW)).map_or("rolled_back", String::as_str))
            }
            _ => Some("never_sent"),
        }
    }

    /// Remembers the id of the record at hand, if a compaction refers to it later.
    pub(super) fn remember(&mut self, at: &At<'_>) {
        if at.copy {
            return;
        }
        if self.scan.named.contains(&at.number) {
            self.named.insert(at.number, at.id.clone());
        }
        if let Some(by) = at.row.dropped.checked_sub(BY_ROW)
            && self.scan.compactions.contains_key(&by)
        {
            self.replaced.entry(by).or_default().push(at.id.clone());
        }
    }
}

/// Says of a record that it was left out, by its type and by that of what it holds.
pub(super) fn note(kind: Kind, outer: &str, inner: &str, line: u64, notes: &mut Notes) {
    let inner = Some(inner).filter(|inner| !inner.is_empty() && *inner != outer);
    let name = match inner {
        Some(inner) if !outer.is_empty() => format!("{outer}/{inner}"),
        Some(inner) => inner.to_owned(),
        None => outer.to_owned(),
    };
    let kind = match kind {
        Kind::Unknown => NoteKind::UnknownRecord,
        _ => NoteKind::IncompleteRecord,
    };
    notes.add(kind, &name, line);
}
