//! What a first pass found out about the lines of a file, so that a second one need not look for it again.

use super::Line;
use crate::json::{Remembered, Span};

/// Shorter strings are gone through sooner than kept, in bytes: what is kept of a file is less than a
/// hundredth of it.
const LONG_BYTES: usize = 4096;

/// Where long strings stand, and in which lines something may have to be mended.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// The numbers of the lines in which half of a surrogate pair may stand, in order.
    odd: Vec<u64>,
    /// The long strings, by where they begin in the file, in order.
    long: Vec<Long>,
}

/// A long string: where it begins in the file, and how many bytes it has.
#[derive(Clone, Copy, Debug)]
struct Long {
    at: u64,
    /// Doubled, and one more where there are escapes in it.
    bytes: u64,
}

impl Seen {
    /// Keeps what is known of a line whose record was taken as it stands: `text` is its text.
    pub(super) fn keep(&mut self, line: Line<'_>, text: &str, remembered: &Remembered<'_>) {
        if remembered.has_numbers() {
            self.odd.push(line.number);
        }
        let from = line.at + before(line, text);
        remembered.long(LONG_BYTES, |Span { at, bytes, has_escapes }| {
            let bytes = 2 * bytes as u64 + u64::from(has_escapes);
            self.long.push(Long { at: from + at as u64, bytes });
        });
    }

    /// Keeps that a line has to be looked at once more.
    pub(super) fn keep_odd(&mut self, line: Line<'_>) {
        self.odd.push(line.number);
    }
}

/// How many bytes of a line stand before its text, which was taken out of it.
fn before(line: Line<'_>, text: &str) -> u64 {
    (text.as_ptr().addr() - line.bytes.as_ptr().addr()) as u64
}

/// Goes through what was seen along with the lines.
#[derive(Clone, Copy)]
pub(super) struct Along<'a> {
    odd: &'a [u64],
    long: &'a [Long],
}

impl<'a> Along<'a> {
    pub(super) fn of(seen: &'a Seen) -> Self {
        Self { odd: &seen.odd, long: &seen.long }
    }

    /// Returns what was seen of the line with this number, which ends before `end`, and goes behind it.
    pub(super) fn line(&mut self, number: u64, end: u64) -> Found<'a> {
        let odd = self.odd.iter().take_while(|odd| **odd <= number).count();
        let is_odd = self.odd[..odd].last() == Some(&number);
        let (long, rest) = self.long.split_at(self.long.partition_point(|one| one.at < end));
        (self.odd, self.long) = (&self.odd[odd..], rest);
        Found { is_odd, long }
    }
}

/// What was seen of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found<'a> {
    /// Whether half of a surrogate pair may stand in it.
    pub(super) is_odd: bool,
    long: &'a [Long],
}

impl Found<'_> {
    /// Remembers it for `text`, which is what `line` has of a record, as it stands there.
    pub(super) fn remind(&self, line: Line<'_>, text: &str, remembered: &Remembered<'_>) {
        let from = line.at + before(line, text);
        let spans = self.long.iter().filter_map(|one| {
            let at = usize::try_from(one.at.checked_sub(from)?).ok()?;
            let bytes = usize::try_from(one.bytes / 2).ok()?;
            Some(Span { at, bytes, has_escapes: one.bytes % 2 == 1 })
        });
        remembered.take_over(spans);
    }
}

#[cfg(test)]
mod tests {
    use serde::de::IgnoredAny;

    use super::super::{Input, each_record, skim};
    use crate::json;
    use crate::note::{Fate, Note, Notes};

    /// The records of a file, and what was noted.
    fn told(input: &Input) -> (Vec<String>, Vec<Note>) {
        let (mut notes, mut records) = (Notes::default(), Vec::new());
        let tally = each_record(input, &mut notes, |number, text, _| {
            let value: serde_json::Value = json::from_str(text)?;
            records.push(format!("{number} {value}"));
            Ok(Fate::Used)
        });
        records.push(format!("{:?}", tally.unwrap()));
        (records, notes.list())
    }

    #[test]
    fn a_second_pass_reads_the_same_as_one_that_knows_nothing() {
        let long = "x".repeat(super::LONG_BYTES);
        let lines = [
            format!("\u{feff}{{\"a\":\"{long}\\n\",\"b\":\"\\ud800\"}}\r"),
            format!("  {{\"a\":\"{long}\",\"b\":[\"\\u00e9{long}\",\"short\"]}}"),
            format!("{{\"a\":1}}{{\"a\":\"{long}\"}}"),
            String::new(),
            format!("{{\"a\":\"{long}"),
            format!("{{\"a\":[\"{long}\\\\\",\"{long}\\\"\"]}}"),
        ];
        let mut bytes = lines.join("\n").into_bytes();
        bytes.extend(b"\n{\"a\":\"\xFF\"}\n{\"a\":\"\\ud83d\\ude00\"}");
        let (seen, fresh) = (Input::memory("x", &bytes), Input::memory("x", &bytes));
        skim(&seen, |_, text| {
            json::from_str::<IgnoredAny>(text)?;
            Ok(Fate::Used)
        })
        .unwrap();
        assert_eq!(told(&seen), told(&fresh));
        let (mut lines, mut found) = (seen.lines().unwrap(), Vec::new());
        while let Some(line) = lines.next_line().unwrap() {
            let of_line = line.seen.unwrap();
            found.push((of_line.is_odd, of_line.long.len()));
        }
        let want = [(true, 1), (true, 2), (true, 0), (true, 0), (true, 0), (false, 2)];
        assert_eq!(found[..6], want);
        assert_eq!(found[6..], [(true, 0), (true, 0)]);
    }
}
