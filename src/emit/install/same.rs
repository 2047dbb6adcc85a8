//! What stands in the place of a session that is to be written: the same, or something else.

use std::fs;
use std::io::{self, BufReader, Bytes, Read as _, Write};

use camino::Utf8Path;

use super::Installed;
use crate::emit::BUFFER_BYTES;
use crate::error::{Error, Result};

/// Compares what stands at `path` with what `write` gives; fails where it is not that session.
///
/// A session may be dated when it is written: which digits stand at a place does not matter.
pub(super) fn compared(
    path: &Utf8Path,
    write: impl FnOnce(&mut dyn Write) -> Result<()>,
) -> Result<Installed> {
    let mut beside = Beside::open(path)?;
    write(&mut beside)?;
    beside.end().map_err(|cause| unreadable(path, &cause))?.map_err(|what| Error::Refused {
        what: format!("`{path}` {what}"),
        hint: Some("move it away, and the same again writes the session".to_owned()),
    })
}

fn unreadable(path: &Utf8Path, cause: &io::Error) -> Error {
    Error::Refused { what: format!("`{path}` is there and cannot be read: {cause}"), hint: None }
}

/// A file beside which something is written that is only compared with it.
struct Beside {
    old: Digits,
    /// Whether the last byte that was written is a digit.
    was_digit: bool,
    /// How many bytes of the file may be read by now, runs of digits included.
    most: u64,
    /// Whether the first line is the same: it names the session.
    is_session: bool,
    found: Found,
}

/// How the file stands to what was written so far.
enum Found {
    Same,
    Short,
    Other,
    Failed(io::Error),
}

/// How much longer a run of digits may be in the file than in what is written.
const MORE_DIGITS: u64 = 64;

impl Beside {
    fn open(path: &Utf8Path) -> Result<Self> {
        let no_file = |what: &str| Error::Refused {
            what: format!("`{path}` is there and is {what}"),
            hint: Some("move it away, and the same again writes the session".to_owned()),
        };
        let file = match fs::metadata(path) {
            // A pipe would be waited for.
            Ok(meta) if !meta.is_file() => return Err(no_file("no file")),
            Ok(_) => fs::File::open(path).map_err(|cause| unreadable(path, &cause))?,
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => {
                return Err(no_file("a link that leads nowhere"));
            }
            Err(cause) => return Err(unreadable(path, &cause)),
        };
        let bytes = BufReader::with_capacity(BUFFER_BYTES, file).bytes();
        let old = Digits { bytes, was_digit: false, read: 0 };
        Ok(Self { old, was_digit: false, most: MORE_DIGITS, is_session: false, found: Found::Same })
    }

    fn take(&mut self, new: u8) -> io::Result<Found> {
        self.most += 2;
        let is_digit = new.is_ascii_digit();
        let goes_on = std::mem::replace(&mut self.was_digit, is_digit) && is_digit;
        if goes_on {
            return Ok(Found::Same);
        }
        Ok(match self.old.next(self.most)? {
            None => Found::Short,
            Some(old) if old == if is_digit { b'0' } else { new } => {
                self.is_session |= new == b'\n';
                Found::Same
            }
            Some(_) => Found::Other,
        })
    }

    /// Says what stands there; in words where it is not the session.
    fn end(mut self) -> io::Result<Result<Installed, &'static str>> {
        match self.found {
            Found::Same => Ok(Ok(match self.old.next(self.most)? {
                None => Installed::There,
                Some(_) => Installed::GoneOn,
            })),
            Found::Short => Ok(Err("is there, and only holds the beginning of the session")),
            Found::Other if self.is_session => Ok(Ok(Installed::Changed)),
            Found::Other => Ok(Err(
                "is there and holds something else than would be written; it stays as it is",
            )),
            Found::Failed(cause) => Err(cause),
        }
    }
}

impl Write for Beside {
    fn write(&mut self, new: &[u8]) -> io::Result<usize> {
        for byte in new {
            if !matches!(self.found, Found::Same) {
                break;
            }
            self.found = self.take(*byte).unwrap_or_else(Found::Failed);
        }
        Ok(new.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The bytes of a file with one `0` in place of each run of digits.
struct Digits {
    bytes: Bytes<BufReader<fs::File>>,
    was_digit: bool,
    read: u64,
}

impl Digits {
    /// Returns the next one, nothing at the end; of more than `most` bytes only digits are left.
    fn next(&mut self, most: u64) -> io::Result<Option<u8>> {
        while let Some(byte) = self.bytes.next().transpose()? {
            self.read += 1;
            let is_digit = byte.is_ascii_digit();
            let goes_on = std::mem::replace(&mut self.was_digit, is_digit) && is_digit;
            match (goes_on, is_digit) {
                (true, _) if self.read > most => return Ok(Some(byte)),
                (true, _) => {}
                (false, true) => return Ok(Some(b'0')),
                (false, false) => return Ok(Some(byte)),
            }
        }
        Ok(None)
    }
}
