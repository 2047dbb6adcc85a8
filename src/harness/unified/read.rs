//! The two passes: what a session is, and its items.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::body::{body, list, taken, text};
use super::wire::{Record, WireGit};
use crate::error::Result;
use crate::harness::time::is_time;
use crate::harness::{Harness, Sink, Want, by_name, no_items};
use crate::json;
use crate::jsonl::{self, Input, Lax};
use crate::model::{Body, End, Git, Header, Item, SourceFile};
use crate::note::{Fate, Note, NoteKind, Notes, Tally};

/// Reads the header, which also says what the items tell of the session.
pub(super) fn scan(input: &Input) -> Result<Header> {
    let mut header: Option<Header> = None;
    let (mut held, mut main, mut asked, mut answered) = (0u64, 0u64, false, false);
    // Heard once more in the second pass, which tells them.
    let mut unheard = Notes::default();
    jsonl::each_record(input, &mut unheard, |_, text, notes| {
        let mut record: Record<'_> = json::from_str(text)?;
        if record.is_header() {
            header.get_or_insert_with(|| head(&record, input));
            return Ok(Fate::Used);
        }
        // A live view may be empty, and is whole nevertheless.
        held += u64::from(record.kind_of.get() == Some("end"));
        let Some(body) = body(&mut record, Want::default(), None, notes) else {
            return Ok(Fate::Bookkeeping);
        };
        held += 1;
        if record.side_session.get().is_none() {
            main += 1;
            asked |= record.origin.get() == Some("human");
            answered |= record.origin.get() == Some("model") || matches!(body, Body::ToolCall(_));
        }
        Ok(Fate::Used)
    })?;
    let mut header = header.filter(|_| held > 0).ok_or_else(|| no_items(input))?;
    header.is_side = header.parent.is_some() && main == 0;
    (header.has_request, header.has_answer) = (asked, answered);
    Ok(header)
}

fn head(record: &Record<'_>, input: &Input) -> Header {
    let text_of = |field: &Lax<'_>| field.get().map(str::to_owned);
    let time_of = |field: &Lax<'_>| text_of(field).filter(|text| is_time(text));
    let git: WireGit<'_> = jsonl::shaped(record.git).unwrap_or_default();
    Header {
        id: record.id.text().to_owned(),
        harness: record.harness.text().to_owned(),
        harness_version: text_of(&record.harness_version),
        cwd: text_of(&record.cwd),
        project: text_of(&record.project),
        git: Git {
            branch: text_of(&git.branch),
            commit: text_of(&git.commit),
            remote: text_of(&git.remote),
        },
        started_at: time_of(&record.started_at),
        ended_at: time_of(&record.ended_at),
        title: text(record.title).map(|title| title.plain().into_owned()),
        model: text_of(&record.model),
        parent: text_of(&record.parent),
        converted_from: text_of(&record.converted_from),
        source: SourceFile { path: input.shown().to_owned(), bytes: input.bytes },
        is_side: false,
        is_automatic: false,
        has_request: false,
        has_answer: false,
    }
}

/// Reads a whole session.
///
/// What became of the lines is told of the source that was exported, as the export says; only where
/// it does not, of the export itself.
pub(super) fn session(input: &Input, want: Want, sink: &mut dyn Sink) -> Result<End> {
    let header = scan(input)?;
    sink.header(&header)?;
    let mut reader = Reader { want, recorder: by_name(&header.harness), sink, end: None };
    let mut notes = Notes::default();
    let tally = jsonl::each_record(input, &mut notes, |number, text, notes| {
        let record: Record<'_> = json::from_str(text)?;
        Ok(reader.record(record, number, notes)?)
    })?;
    // Its last record says that it is whole.
    let is_cut = notes.list().iter().any(|note| note.kind == NoteKind::CutOffLine);
    if reader.end.is_none() && !is_cut {
        notes.add(NoteKind::CutOffLine, "end", tally.lines_read);
    }
    let told = reader.end.unwrap_or(End { tally, notes: Vec::new() });
    let notes = told.notes.into_iter().chain(notes.list()).collect();
    Ok(End { tally: told.tally, notes })
}

struct Reader<'s> {
    want: Want,
    /// The harness that recorded the session, which knows what its tools do.
    recorder: Option<&'static dyn Harness>,
    sink: &'s mut dyn Sink,
    end: Option<End>,
}

impl Reader<'_> {
    fn record(&mut self, mut record: Record<'_>, number: u64, notes: &mut Notes) -> Result<Fate> {
        if record.is_header() {
            return Ok(Fate::Used);
        }
        match record.kind_of.text() {
            "line" => return self.raw_line(&record),
            "end" => {
                self.end = ended(&record).or(self.end.take());
                return Ok(Fate::Used);
            }
            _ => {}
        }
        let Some(body) = body(&mut record, self.want, self.recorder, notes) else {
            let name = record.kind_of.text();
            let known =
                ["session", "message", "tool_call", "tool_result", "notice", "side_session"];
            let is_known = known.contains(&name);
            let kind = if is_known { NoteKind::IncompleteRecord } else { NoteKind::UnknownRecord };
            notes.add(kind, name, number);
            return Ok(Fate::Noted);
        };
        let is_live = record.is_live();
        if self.want.live_only && !is_live && !matches!(body, Body::Compaction(_)) {
            return Ok(Fate::Used);
        }
        let id = taken(&mut record.id).unwrap_or_else(|| format!("line-{number}").into());
        let turn = record.turn.and_then(|turn| u32::try_from(turn).ok()).unwrap_or(0);
        let mut item = Item::new(id, record.line.unwrap_or(0), turn, body);
        item.parent_id = taken(&mut record.parent_id);
        let stamp = taken(&mut record.ts);
        let is_odd = stamp.as_ref().is_some_and(|stamp| !is_time(stamp));
        if is_odd {
            notes.add(NoteKind::OddTime, "", number);
        }
        item.ts = stamp.filter(|_| !is_odd);
        item.live = is_live;
        item.dropped_by = taken(&mut record.dropped_by);
        item.side_session = taken(&mut record.side_session);
        item.copy_of = taken(&mut record.copy_of);
        item.rank = record.rank.and_then(|rank| u32::try_from(rank).ok()).unwrap_or(0);
        self.sink.item(item)?;
        Ok(Fate::Used)
    }

    /// Gives a line of the source that the export was made of.
    fn raw_line(&mut self, record: &Record<'_>) -> Result<Fate> {
        if !self.want.raw_lines {
            return Ok(Fate::Bookkeeping);
        }
        let number = record.line.unwrap_or(0);
        let bytes = match text(record.text) {
            Some(text) => text.plain().into_owned().into_bytes(),
            None => STANDARD.decode(record.base64.text()).unwrap_or_default(),
        };
        self.sink.raw_line(number, &bytes, record.ended)?;
        Ok(Fate::Bookkeeping)
    }
}

/// Returns what the last record tells, if its counts are those of a whole reading.
fn ended(record: &Record<'_>) -> Option<End> {
    let tally = Tally {
        lines_read: record.lines_read?,
        lines_used: record.lines_used?,
        lines_bookkeeping: record.lines_bookkeeping?,
        lines_noted: record.lines_noted?,
    };
    let sum = tally.lines_used.checked_add(tally.lines_bookkeeping)?;
    let adds_up = sum.checked_add(tally.lines_noted)? == tally.lines_read;
    let notes: Vec<Note> = list(record.notes);
    adds_up.then_some(End { tally, notes })
}
