//! A session as it was at a point of its past.

use std::fmt;

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use crate::error::{Error, Result};
use crate::harness::{Harness, Sink, Want};
use crate::jsonl::{Input, Line};
use crate::model::{Body, Header, Item, Origin};

/// A point of a session as the user types it.
#[derive(Clone, Debug)]
pub(super) enum Point {
    /// An item, or the start of its id.
    Item(String),
    /// The end of a turn.
    Turn(u32),
    /// A time; what is later is not there yet.
    Time(Timestamp),
    /// The end of a day.
    Day(Date),
}

impl Point {
    /// Reads `T-12`, a time, in UTC unless it names a zone, a day, whose end is meant, or else an id.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        if let Some(turn) = text.strip_prefix("T-").and_then(|turn| turn.parse().ok()) {
            return Ok(Self::Turn(turn));
        }
        if let Some(time) = time(text) {
            return Ok(Self::Time(time));
        }
        if let Ok(day) = text.parse() {
            return Ok(Self::Day(day));
        }
        match text.len() >= LEAST {
            true => Ok(Self::Item(text.to_owned())),
            false => Err(format!(
                "it takes a turn such as T-2, a time, a day, or an id of at least {LEAST} characters"
            )),
        }
    }

    /// Returns the same point, but of a day its start: for what is to be seen of that day.
    pub(super) fn at_start(&self) -> Self {
        match self {
            Self::Day(day) => Self::Time(start(*day)),
            other => other.clone(),
        }
    }
}

/// As it may be typed again.
impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Item(id) => f.write_str(id),
            Self::Turn(turn) => write!(f, "T-{turn}"),
            Self::Time(time) => time.fmt(f),
            Self::Day(day) => day.fmt(f),
        }
    }
}

/// Reads a time of a day; one without a zone is in UTC, as days are and all that is shown.
pub(super) fn time(text: &str) -> Option<Timestamp> {
    // A day by itself would be read as its midnight.
    let without_zone = || {
        let time = text.contains([':', 'T', 't', ' ']).then(|| text.parse::<DateTime>().ok())??;
        time.to_zoned(TimeZone::UTC).ok().map(|time| time.timestamp())
    };
    text.parse().ok().or_else(without_zone)
}

/// Returns the last moment before a day; of one too far away the end of time.
fn start(day: Date) -> Timestamp {
    let midnight = day.to_zoned(TimeZone::UTC).map(|midnight| midnight.timestamp());
    let before = midnight.and_then(|time| time.checked_sub(SignedDuration::from_nanos(1)));
    before.unwrap_or(Timestamp::MAX)
}

/// How much of an id must be typed, in characters.
const LEAST: usize = 4;

/// Where an item stands.
struct Place {
    id: String,
    turn: u32,
    time: Option<Timestamp>,
    line: u64,
    is_said: bool,
    /// Whether its line is one of the session's own file.
    is_here: bool,
}

/// Remembers where each item stands.
#[derive(Default)]
struct Places {
    all: Vec<Place>,
    /// Whether what comes is of the session's own file, where the reader tells it.
    is_here: Option<bool>,
}

impl Sink for Places {
    fn header(&mut self, _: &Header) -> Result<()> {
        Ok(())
    }

    fn place(&mut self, line: Option<Line<'_>>) {
        if self.is_here.is_none() && line.is_some() {
            // What came before is of files that this one goes on from.
            self.all.iter_mut().for_each(|place| place.is_here = false);
        }
        self.is_here = self.is_here.map_or(line.map(|_| true), |_| Some(line.is_some()));
    }

    fn item(&mut self, item: Item<'_>) -> Result<()> {
        // Where no reader tells, side sessions have files of their own.
        let is_here = self.is_here.unwrap_or(item.side_session.is_none());
        let time = item.ts.as_deref().and_then(|time| time.parse().ok());
        let is_said =
            matches!(&item.body, Body::Message(message) if message.origin != Origin::Harness);
        let (id, turn) = (item.id.into_owned(), item.turn);
        self.all.push(Place { id, turn, time, line: item.line, is_said, is_here });
        Ok(())
    }
}

/// Returns a session as it was at `until`, if that is given: as if its file ended there.
///
/// A session that is one document cannot be taken back: what it was is not in it any more.
pub(super) fn perhaps_cut(
    harness: &'static dyn Harness,
    input: Input,
    until: Option<&Point>,
) -> Result<Input> {
    let Some(point) = until else { return Ok(input) };
    let last = line_at(harness, &input, point)?;
    input.until_line(last)
}

/// Returns the last line that was there at `point`, from 1.
pub(super) fn line_at(harness: &'static dyn Harness, input: &Input, point: &Point) -> Result<u64> {
    last_line(harness, input, point)?.ok_or_else(|| match point {
        Point::Time(_) | Point::Day(_) => nothing(point),
        Point::Item(_) | Point::Turn(_) => {
            Error::usage(format!("nothing was said in the session up to {point}"), HINT)
        }
    })
}

/// Returns the last line that was there at `point`, from 1; nothing if nothing was said by then.
pub(super) fn last_line(
    harness: &'static dyn Harness,
    input: &Input,
    point: &Point,
) -> Result<Option<u64>> {
    if !harness.keeps_past() {
        let what = format!("`{}` is an export, which tells nothing of its past", input.shown());
        return Err(Error::usage(what, "the session file that it was made of"));
    }
    let mut places = Places::default();
    harness.read(input, Want { places: true, ..Want::default() }, &mut places)?;
    let last = places.last_line(point)?.filter(|last| places.is_said_by(*last));
    let is_short = places.here().all(|place| place.line <= 1);
    if !has_a_record_a_line(input, is_short)? {
        let what = format!("`{}` is one document, which tells nothing of its past", input.shown());
        return Err(Error::usage(what, "a session file with one record a line"));
    }
    Ok(last)
}

impl Places {
    /// See [`last_line`].
    fn last_line(&self, point: &Point) -> Result<Option<u64>> {
        match point {
            Point::Item(id) => self.line_of(id),
            Point::Turn(turn) => {
                let lines = self.here().filter(|place| place.turn == *turn);
                let last = lines.map(|place| place.line).max();
                match self.all.iter().any(|place| place.turn == *turn) {
                    true => Ok(last),
                    false => Err(self.no_turn(*turn)),
                }
            }
            Point::Time(time) => Ok(self.line_at(*time)),
            Point::Day(day) => Ok(self.line_at(day.tomorrow().map_or(Timestamp::MAX, start))),
        }
    }

    /// Returns what stands in the session's own file, which alone can be cut.
    fn here(&self) -> impl Iterator<Item = &Place> {
        self.all.iter().filter(|place| place.is_here)
    }

    /// Tells whether anything was said up to a line; what only the program noted is no session.
    fn is_said_by(&self, line: u64) -> bool {
        self.here().any(|place| place.is_said && place.line <= line)
    }

    fn line_at(&self, time: Timestamp) -> Option<u64> {
        let later = |place: &&Place| place.time.is_some_and(|at| at > time);
        let first = self.here().map(|place| place.line).min().unwrap_or(0);
        match self.here().find(later) {
            Some(later) => later.line.checked_sub(1).filter(|last| *last >= first),
            None => Some(u64::MAX),
        }
    }

    fn no_turn(&self, turn: u32) -> Error {
        let last = self.all.iter().map(|place| place.turn).max().unwrap_or(0);
        let what = format!("the session has no turn T-{turn}: its last one is T-{last}");
        Error::usage(what, HINT)
    }

    /// Returns the line of an item; of one that stands in another file the last line of its time.
    fn line_of(&self, id: &str) -> Result<Option<u64>> {
        let found = |fits: &dyn Fn(&str) -> bool| {
            let mut found: Vec<_> = self.all.iter().filter(|place| fits(&place.id)).collect();
            found.dedup_by(|a, b| a.id == b.id);
            (found.len(), found.first().copied())
        };
        let line = |place: &Place| match place.is_here {
            true => Some(place.line),
            false => place.time.and_then(|time| self.line_at(time)),
        };
        if let (_, Some(place)) = found(&|other| other == id) {
            return Ok(line(place));
        }
        match found(&|other| other.starts_with(id)) {
            (1, Some(place)) => Ok(line(place)),
            (0, _) => Err(nothing(&Point::Item(id.to_owned()))),
            (count, _) => {
                let what = format!("{count} items have an id that begins with `{id}`");
                Err(Error::usage(what, "type more of the id"))
            }
        }
    }
}

const HINT: &str = "a turn such as T-2, an id of `segue export`, or a time";

fn nothing(point: &Point) -> Error {
    let what = match point {
        Point::Item(id) => format!("no item of the session is called `{id}`"),
        Point::Turn(turn) => format!("the session has no turn T-{turn}"),
        Point::Time(_) | Point::Day(_) => format!("nothing in the session is as old as {point}"),
    };
    Error::usage(what, HINT)
}

/// Tells whether lines are records, and not parts of a document or all of it.
///
/// The first ones may be broken; where a document has objects on lines of their own, it indents them
/// or opens with a bracket. One line alone is a record if all that is known `is_short`: of one place.
fn has_a_record_a_line(input: &Input, is_short: bool) -> Result<bool> {
    /// How many lines are asked.
    const LINES: usize = 8;
    let mut lines = input.lines()?;
    let (mut count, mut has_record) = (0, false);
    while count < LINES && (count < 2 || !has_record) {
        let Some(line) = lines.next_line()? else { break };
        let text = line.bytes.trim_ascii();
        if matches!(text, b"[" | b"{") {
            return Ok(false);
        }
        if !text.is_empty() {
            count += 1;
            has_record |= line.bytes.starts_with(b"{") && is_whole(text);
        }
    }
    Ok(has_record && (count > 1 || is_short))
}

fn is_whole(text: &[u8]) -> bool {
    serde_json::from_slice::<serde::de::IgnoredAny>(text).is_ok()
}
