//! A session as it was at a point of its past.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::error::{Error, Result};
use crate::harness::{Harness, Sink, Want};
use crate::jsonl::Input;
use crate::model::{Header, Item};

/// A point of a session as the user types it.
#[derive(Clone, Debug)]
pub(super) enum Point {
    /// An item, or the start of its id.
    Item(String),
    /// The end of a turn.
    Turn(u32),
    /// A time; what is later is not there yet.
    Time(Timestamp),
}

impl Point {
    /// Reads `T-12`, a time, a day, whose end is meant, or else an id.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        if let Some(turn) = text.strip_prefix("T-").and_then(|turn| turn.parse().ok()) {
            return Ok(Self::Turn(turn));
        }
        if let Ok(time) = text.parse::<Timestamp>() {
            return Ok(Self::Time(time));
        }
        if let Ok(day) = text.parse::<Date>() {
            let midnight = day.tomorrow().and_then(|next| next.to_zoned(TimeZone::UTC));
            let last = midnight
                .and_then(|next| next.timestamp().checked_sub(jiff::SignedDuration::from_nanos(1)));
            return last.map(Self::Time).map_err(|_| "a day too far away".to_owned());
        }
        match text.len() >= LEAST {
            true => Ok(Self::Item(text.to_owned())),
            false => Err(format!("an id has at least {LEAST} characters")),
        }
    }
}

/// How much of an id must be typed, in characters.
const LEAST: usize = 4;

/// Where an item stands.
struct Place {
    id: String,
    turn: u32,
    time: Option<Timestamp>,
    line: u64,
}

/// Remembers where each item stands.
#[derive(Default)]
struct Places(Vec<Place>);

impl Sink for Places {
    fn header(&mut self, _: &Header) -> Result<()> {
        Ok(())
    }

    fn item(&mut self, item: Item<'_>) -> Result<()> {
        let time = item.ts.as_deref().and_then(|time| time.parse().ok());
        self.0.push(Place { id: item.id.into_owned(), turn: item.turn, time, line: item.line });
        Ok(())
    }
}

/// Returns a session as it was at `point`: as if its file ended there.
///
/// A session that is one document cannot be taken back: what it was is not in it any more.
pub(super) fn cut(harness: &'static dyn Harness, input: Input, point: &Point) -> Result<Input> {
    if !harness.keeps_past() {
        let what = format!("`{}` is an export, which tells nothing of its past", input.shown());
        return Err(Error::usage(what, "the session file that it was made of"));
    }
    let mut places = Places::default();
    harness.read(&input, Want::default(), &mut places)?;
    let last = places.last_line(point)?;
    if !has_a_record_a_line(&input)? {
        let what = format!("`{}` is one document, which tells nothing of its past", input.shown());
        return Err(Error::usage(what, "a session file with one record a line"));
    }
    input.until_line(last)
}

impl Places {
    /// Returns the last line that was there at `point`, from 1.
    fn last_line(&self, point: &Point) -> Result<u64> {
        let found = match point {
            Point::Item(id) => return self.line_of(id),
            Point::Turn(turn) => {
                self.0.iter().filter(|place| place.turn == *turn).map(|place| place.line).max()
            }
            Point::Time(time) => {
                let later = |place: &&Place| place.time.is_some_and(|at| at > *time);
                match self.0.iter().find(later) {
                    Some(first) => first.line.checked_sub(1),
                    None => Some(u64::MAX),
                }
            }
        };
        let first = self.0.iter().map(|place| place.line).min().unwrap_or(0);
        found.filter(|last| *last >= first).ok_or_else(|| nothing(point))
    }

    fn line_of(&self, id: &str) -> Result<u64> {
        let line = |fits: &dyn Fn(&str) -> bool| {
            let mut found: Vec<_> = self.0.iter().filter(|place| fits(&place.id)).collect();
            found.dedup_by(|a, b| a.id == b.id);
            (found.len(), found.first().map(|place| place.line))
        };
        if let (_, Some(line)) = line(&|other| other == id) {
            return Ok(line);
        }
        match line(&|other| other.starts_with(id)) {
            (1, Some(line)) => Ok(line),
            (0, _) => Err(nothing(&Point::Item(id.to_owned()))),
            (count, _) => {
                let what = format!("{count} items have an id that begins with `{id}`");
                Err(Error::usage(what, "type more of the id"))
            }
        }
    }
}

fn nothing(point: &Point) -> Error {
    let what = match point {
        Point::Item(id) => format!("no item of the session is called `{id}`"),
        Point::Turn(turn) => format!("the session has no turn T-{turn}"),
        Point::Time(time) => format!("nothing in the session is as old as {time}"),
    };
    Error::usage(what, "a turn such as T-2, an id of `segue export`, or a time")
}

/// Tells whether the first line is a record, and not the beginning of a document or all of it.
fn has_a_record_a_line(input: &Input) -> Result<bool> {
    let mut lines = input.lines()?;
    let mut count = 0;
    let mut is_record = false;
    while let Some(line) = lines.next_line()? {
        let text = line.bytes.trim_ascii();
        if text.is_empty() {
            continue;
        }
        count += 1;
        let whole = || serde_json::from_slice::<serde::de::IgnoredAny>(text).is_ok();
        is_record |= count == 1 && whole();
        if count > 1 || !is_record {
            break;
        }
    }
    Ok(is_record && count > 1)
}
