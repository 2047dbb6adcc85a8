//! Bytes to numbered lines.

use std::io::{self, Read};

use super::buffer::Buffer;
use super::seen::{Along, Found, Seen};
use crate::error::{Error, Result};

/// How much is read from the system at once.
pub(super) const CHUNK_BYTES: usize = 256 * 1024;
/// From this length on the buffer is made as long as the line: to move such a line into a longer
/// buffer needs memory for both.
const LONG_BYTES: usize = 16 * 1024 * 1024;

/// Tells how many bytes the line still has that stands at a place, where that can be looked up.
pub(super) type RestOfLine<'a> = Box<dyn Fn(u64) -> Option<usize> + 'a>;

/// One line without its line end.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// Counts from 1.
    pub number: u64,
    /// Where it begins, in bytes from the start of what is read.
    pub at: u64,
    /// What stands before the line end; a carriage return is still part of it.
    pub bytes: &'a [u8],
    /// Whether a newline followed.
    pub ended: bool,
    /// What an earlier pass saw of it, if there was one.
    pub(super) seen: Option<Found<'a>>,
}

/// Lines one after the other.
pub struct Lines<'a> {
    way: Way<'a>,
    number: u64,
    /// Where the next one begins.
    at: u64,
    /// What an earlier pass saw of those that are left.
    seen: Option<Along<'a>>,
}

enum Way<'a> {
    Read(Rolling<'a>),
    /// What is in memory already: a line never goes from one part into the next.
    Held([&'a [u8]; 2]),
}

impl<'a> Lines<'a> {
    pub(super) fn read(
        reader: Box<dyn Read + 'a>,
        rest_of_line: RestOfLine<'a>,
        shown: &'a str,
    ) -> Self {
        let (buffer, at) = (Buffer::of(CHUNK_BYTES), 0);
        let rolling =
            Rolling { reader, rest_of_line, at, shown, buffer, start: 0, end: 0, at_end: false };
        Self { way: Way::Read(rolling), number: 0, at: 0, seen: None }
    }

    pub(super) fn held(parts: [&'a [u8]; 2]) -> Self {
        Self { way: Way::Held(parts), number: 0, at: 0, seen: None }
    }

    /// Has lines say what an earlier pass saw of them.
    pub(super) fn with(self, seen: Option<&'a Seen>) -> Self {
        Self { seen: seen.map(Along::of), ..self }
    }

    /// Returns the next line, or nothing at the end.
    pub fn next_line(&mut self) -> Result<Option<Line<'_>>> {
        let next = match &mut self.way {
            Way::Read(rolling) => rolling.next()?,
            Way::Held(parts) => held(parts),
        };
        let Some((bytes, ended)) = next else { return Ok(None) };
        let at = self.at;
        self.number += 1;
        self.at += bytes.len() as u64 + u64::from(ended);
        let seen = self.seen.as_mut().map(|seen| seen.line(self.number, self.at));
        Ok(Some(Line { number: self.number, at, bytes, ended, seen }))
    }
}

/// Takes the first line off the first part that has one, and tells whether a newline followed.
fn held<'a>(parts: &mut [&'a [u8]; 2]) -> Option<(&'a [u8], bool)> {
    let part = parts.iter_mut().find(|part| !part.is_empty())?;
    let (line, rest) = match memchr::memchr(b'\n', part) {
        Some(at) => ((&part[..at], true), &part[at + 1..]),
        None => ((*part, false), &part[part.len()..]),
    };
    *part = rest;
    Some(line)
}

/// A rolling buffer, which grows only for a line that is longer than it.
struct Rolling<'a> {
    reader: Box<dyn Read + 'a>,
    rest_of_line: RestOfLine<'a>,
    /// How many bytes were read.
    at: u64,
    shown: &'a str,
    buffer: Buffer,
    start: usize,
    end: usize,
    at_end: bool,
}

impl Rolling<'_> {
    fn next(&mut self) -> Result<Option<(&[u8], bool)>> {
        let mut searched = self.start;
        loop {
            if let Some(at) = memchr::memchr(b'\n', &self.buffer[searched..self.end]) {
                let (from, to) = (self.start, searched + at);
                self.start = to + 1;
                return Ok(Some((&self.buffer[from..to], true)));
            }
            if self.at_end {
                let from = std::mem::replace(&mut self.start, self.end);
                return Ok((from < self.end).then(|| (&self.buffer[from..self.end], false)));
            }
            searched = self.end - self.start;
            self.fill()?;
            searched += self.start;
        }
    }

    /// Reads more, after moving what is left to the front.
    fn fill(&mut self) -> Result<()> {
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        if self.end == self.buffer.len() {
            let is_long = self.end >= LONG_BYTES;
            let rest = is_long.then(|| (self.rest_of_line)(self.at)).flatten();
            // One byte more, to read that there is nothing behind it.
            self.buffer.grow(self.end + rest.map_or(self.end / 2, |rest| rest + 1));
        }
        match self.reader.read(&mut self.buffer[self.end..]) {
            Ok(0) => self.at_end = true,
            Ok(count) => {
                self.end += count;
                self.at += count as u64;
            }
            Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
            Err(cause) if cause.kind() == io::ErrorKind::UnexpectedEof => self.at_end = true,
            Err(cause) => return Err(Error::read(self.shown, cause)),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives few bytes at a time, as a pipe does.
    struct Slow<'a>(&'a [u8], usize);

    impl Read for Slow<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(self.0.len()).min(into.len());
            let (now, rest) = self.0.split_at(count);
            into[..count].copy_from_slice(now);
            self.0 = rest;
            Ok(count)
        }
    }

    fn all(mut lines: Lines<'_>) -> Vec<(u64, Vec<u8>, bool)> {
        let mut all = Vec::new();
        while let Some(line) = lines.next_line().unwrap() {
            all.push((line.number, line.bytes.to_vec(), line.ended));
        }
        all
    }

    #[test]
    fn lines_are_the_same_wherever_they_come_from() {
        let long = format!("a\n{}\n\r\n{}", "b".repeat(3 * CHUNK_BYTES), "c".repeat(CHUNK_BYTES));
        for text in ["", "\n", "a", "a\n", "\n\na\r\n\nb", &long, &format!("{long}\n")] {
            let held = all(Lines::held([text.as_bytes(), b""]));
            let lines =
                text.split_inclusive('\n').map(|line| line.trim_end_matches('\n').as_bytes());
            assert!(held.iter().map(|line| &line.1[..]).eq(lines));
            assert!(held.iter().map(|line| line.0).eq(1..=held.len() as u64));
            assert_eq!(held.last().is_some_and(|line| line.2), text.ends_with('\n'));
            for piece in [1000, CHUNK_BYTES, usize::MAX] {
                let reader = Box::new(Slow(text.as_bytes(), piece));
                assert_eq!(all(Lines::read(reader, Box::new(|_| None), "-")), held);
            }
        }
        assert_eq!(all(Lines::held([b"a\nb\n", b"c\nd"])).len(), 4);
        assert_eq!(all(Lines::held([b"", b"c"])), [(1, b"c".to_vec(), false)]);
    }

    #[test]
    fn a_very_long_line_gets_a_buffer_of_its_length() {
        let long = "b".repeat(3 * LONG_BYTES);
        for text in [format!("a\n{long}\nc\n"), format!("a\n{long}")] {
            let rest = |from: u64| {
                let rest = &text.as_bytes()[usize::try_from(from).unwrap()..];
                Some(memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1))
            };
            let mut lines = Lines::read(Box::new(text.as_bytes()), Box::new(rest), "-");
            assert_eq!(lines.next_line().unwrap().unwrap().bytes, b"a");
            assert_eq!(lines.next_line().unwrap().unwrap().bytes, long.as_bytes());
            let Way::Read(rolling) = &lines.way else { panic!("it is read") };
            assert!(rolling.buffer.len() <= long.len() + 2, "{}", rolling.buffer.len());
            assert_eq!(lines.next_line().unwrap().is_some(), text.ends_with('\n'));
        }
    }
}
