//! The first and the last lines of a file, held in memory as far as they were needed so far.

use std::fs::File;
use std::io::{self, Read as _};

use camino::{Utf8Path, Utf8PathBuf};

use super::at::FromStart;
use super::buffer::Buffer;

/// A file up to this size is taken whole, in bytes.
const SMALL_BYTES: u64 = 32 * 1024;
/// How many bytes are read of each end at first.
const FIRST_BYTES: usize = 8 * 1024;
/// How many bytes are read at a time of a longer end.
const STEP_BYTES: usize = 32 * 1024;
/// With so many bytes read nothing more is looked for at the start, or at the end.
const MOST_HEAD_BYTES: usize = 256 * 1024;
const MOST_TAIL_BYTES: usize = 512 * 1024;

/// The first and the last lines of a file, or all of a small one.
#[derive(Debug)]
pub(super) struct Ends {
    pub(super) path: Utf8PathBuf,
    pub(super) file: File,
    /// Size of the file when it was opened; what is appended later is not looked at.
    pub(super) bytes: u64,
    /// What was read of the start, at its front, and how much of that are whole lines.
    head: Buffer,
    head_read: usize,
    head_lines: usize,
    /// What was read of the end, at its back, and how much of that are whole lines.
    tail: Buffer,
    tail_read: usize,
    tail_lines: usize,
}

impl Ends {
    /// Tells whether a file of that many bytes is held as a whole.
    pub(super) fn is_small(bytes: u64) -> bool {
        bytes <= SMALL_BYTES
    }

    /// Reads the ends of a file that is not packed, or a small one whole.
    ///
    /// Nothing where its lines are so long that reading the ends would spare little.
    pub(super) fn open(path: &Utf8Path, file: File, bytes: u64) -> Option<Self> {
        let (path, is_small) = (path.to_owned(), Self::is_small(bytes));
        let (head, tail) = (Buffer::of(FIRST_BYTES), Buffer::default());
        let (head_read, head_lines, tail_read, tail_lines) = (0, 0, 0, 0);
        let mut ends =
            Self { path, file, bytes, head, head_read, head_lines, tail, tail_read, tail_lines };
        if is_small {
            ends.read_head(usize::try_from(bytes).ok()?)?;
            ends.head_lines = ends.head_read;
        } else {
            ends.more_head()?;
            ends.more_tail()?;
        }
        Some(ends)
    }

    /// Tells whether all of the file is held.
    pub(super) fn is_whole(&self) -> bool {
        self.head_lines as u64 == self.bytes
    }

    /// The first and the last lines.
    pub(super) fn parts(&self) -> [&[u8]; 2] {
        [&self.head[..self.head_lines], &self.tail[self.tail.len() - self.tail_lines..]]
    }

    /// Reads more lines of the start; nothing where there is no use in it.
    pub(super) fn more_head(&mut self) -> Option<()> {
        loop {
            let bytes = (self.head_read * 4).max(FIRST_BYTES);
            if bytes > MOST_HEAD_BYTES || !self.is_worth(bytes, self.tail_read) {
                return None;
            }
            let had = self.head_read;
            self.read_head(bytes)?;
            if let Some(last) = memchr::memrchr(b'\n', &self.head[had..bytes]) {
                self.head_lines = had + last + 1;
                return Some(());
            }
        }
    }

    /// Reads more lines of the end, at least one that is whole; nothing where there is no use in it.
    pub(super) fn more_tail(&mut self) -> Option<()> {
        let had_lines = self.tail_lines;
        if had_lines > 0 && self.tail_read >= MOST_TAIL_BYTES {
            return None;
        }
        while self.tail_lines == had_lines {
            let bytes = self.next_tail();
            if !self.is_worth(self.head_read, bytes) {
                return None;
            }
            let had = self.tail_read;
            self.read_tail(bytes)?;
            let read = &self.tail[self.tail.len() - bytes..];
            // Behind the newline with which the file ends there is no line.
            let new = &read[..(bytes - had).min(bytes - 1)];
            let from = if had_lines == 0 { last_lines(new) } else { first_line(new) };
            self.tail_lines = from.map_or(had_lines, |from| bytes - from);
        }
        Some(())
    }

    /// Returns how much of the end is read next: where only the start of the last line is looked
    /// for, not much more than it takes to find it.
    fn next_tail(&self) -> usize {
        let had = self.tail_read;
        let more = if self.tail_lines > 0 { had } else { had.min(STEP_BYTES).max(had / 4) };
        had + more.max(FIRST_BYTES)
    }

    /// Tells whether it spares something to read only so much of both ends.
    fn is_worth(&self, head_bytes: usize, tail_bytes: usize) -> bool {
        (head_bytes + tail_bytes) as u64 <= self.bytes / 4 * 3
    }

    fn read_head(&mut self, bytes: usize) -> Option<()> {
        self.head.grow(bytes);
        let rest = &mut self.head[self.head_read..bytes];
        read_at(&self.file, self.head_read as u64, rest).ok()?;
        self.head_read = bytes;
        Some(())
    }

    fn read_tail(&mut self, bytes: usize) -> Option<()> {
        let had = self.tail_read;
        if self.tail.len() < bytes {
            let mut longer = Buffer::of(2 * bytes);
            let end = longer.len();
            longer[end - had..].copy_from_slice(&self.tail[self.tail.len() - had..]);
            self.tail = longer;
        }
        let end = self.tail.len();
        let rest = &mut self.tail[end - bytes..end - had];
        read_at(&self.file, self.bytes - bytes as u64, rest).ok()?;
        self.tail_read = bytes;
        Some(())
    }
}

/// Fills `into` with what stands at `at`.
fn read_at(file: &File, at: u64, into: &mut [u8]) -> io::Result<()> {
    FromStart { file, at }.read_exact(into)
}

/// Returns where the last line begins, or the first one of those that begin shortly before it.
fn last_lines(read: &[u8]) -> Option<usize> {
    let last = memchr::memrchr(b'\n', read)? + 1;
    let early = last.saturating_sub(FIRST_BYTES);
    first_line(&read[early..]).map(|at| early + at)
}

/// Returns where the first line begins whose start is there.
fn first_line(read: &[u8]) -> Option<usize> {
    memchr::memchr(b'\n', read).map(|at| at + 1)
}
