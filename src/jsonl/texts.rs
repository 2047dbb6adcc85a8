//! Texts of a file that is read, fetched from it once more.

use std::fmt;
use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use serde_json::value::RawValue;

use super::at::read_at;
use crate::error::{Error, Result};
use crate::json::{self, Span, TextSource};

/// The file that texts were left in. The one that was fetched last is at hand.
pub struct Texts {
    shown: String,
    file: File,
    /// How long the file was at first, and when it had been written.
    begun: (u64, Option<SystemTime>),
    held: Mutex<Held>,
    /// Whether a text was not there any more.
    lost: AtomicBool,
}

/// What was fetched last.
#[derive(Default)]
struct Held {
    at: u64,
    /// How long it is, a JSON string and nothing else; 0 where none is held.
    bytes: usize,
    /// It, and behind it room for a longer one.
    text: Vec<u8>,
    /// What stands between its quotes.
    inside: Option<Span>,
    failure: Option<io::Error>,
}

impl Texts {
    pub(super) fn of(shown: &str, file: File) -> Self {
        let begun = written(&file);
        let (held, lost) = (Mutex::default(), AtomicBool::new(false));
        Self { shown: shown.to_owned(), file, begun, held, lost }
    }

    /// Tells whether a text was not there any more.
    pub fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }

    /// Fails if a text was not there any more, or may have been another one since the file was
    /// written to and did not grow: what was made of it is not whole.
    pub fn all_found(&self) -> Result<()> {
        let (bytes, time) = written(&self.file);
        let is_same = time == self.begun.1 || bytes > self.begun.0;
        let changed = (!is_same).then(changed);
        let failure = self.held().failure.take().or(changed);
        failure.map_or(Ok(()), |cause| Err(Error::read(&self.shown, cause)))
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Remembers that a text was not there any more, and of the first one why.
    fn lose(&self, held: &mut Held, cause: io::Error) {
        self.lost.store(true, Ordering::Relaxed);
        held.failure.get_or_insert(cause);
    }
}

impl TextSource for Texts {
    fn show(&self, at: u64, bytes: usize, look: &mut dyn FnMut(&str)) {
        let mut held = self.held();
        if let Err(cause) = held.show(&self.file, at, bytes, look) {
            self.lose(&mut held, cause);
        }
    }

    fn show_start(&self, at: u64, bytes: usize, look: &mut dyn FnMut(&str)) {
        let mut held = self.held();
        if held.at == at && held.bytes >= bytes {
            return look(whole_chars(&held.text[..bytes]));
        }
        match begin(&self.file, at, bytes) {
            Ok(text) => look(&text),
            Err(cause) => self.lose(&mut held, cause),
        }
    }
}

impl Held {
    /// Shows the text that stands at `at`; where it ends need not be found again. Where it is not to
    /// be had, none is held.
    fn show(
        &mut self,
        file: &File,
        at: u64,
        bytes: usize,
        look: &mut dyn FnMut(&str),
    ) -> io::Result<()> {
        let is_held = self.at == at && self.bytes == bytes;
        if !is_held {
            self.fetch(file, at, bytes)?;
        }
        let text = simdutf8::basic::from_utf8(&self.text[..bytes]).map_err(|_| changed())?;
        let remembered = json::remember(text);
        if is_held {
            remembered.take_over(self.inside.into_iter());
        } else {
            is_string(text).then_some(()).ok_or_else(changed)?;
            self.inside = None;
            remembered.long(0, |inside| self.inside = Some(inside));
            (self.at, self.bytes) = (at, bytes);
        }
        look(text);
        Ok(())
    }

    /// Fetches what stands at `at`; whether it is a text is not known yet.
    fn fetch(&mut self, file: &File, at: u64, bytes: usize) -> io::Result<()> {
        self.bytes = 0;
        if self.text.len() < bytes {
            self.text.resize(bytes, 0);
        }
        filled(file, at, &mut self.text[..bytes])
    }
}

/// Fetches the first `bytes` bytes of a text, and fewer where a character would be cut.
fn begin(file: &File, at: u64, bytes: usize) -> io::Result<String> {
    let mut text = vec![0; bytes];
    filled(file, at, &mut text)?;
    let whole = match std::str::from_utf8(&text) {
        Err(cause) if cause.error_len().is_none() => cause.valid_up_to(),
        _ => text.len(),
    };
    text.truncate(whole);
    String::from_utf8(text).ok().filter(|text| text.starts_with('"')).ok_or_else(changed)
}

/// Returns the characters that stand whole in the first bytes of a text.
fn whole_chars(bytes: &[u8]) -> &str {
    let whole = str::from_utf8(bytes).map_or_else(|cause| cause.valid_up_to(), str::len);
    str::from_utf8(&bytes[..whole]).unwrap_or_default()
}

fn changed() -> io::Error {
    io::Error::other("it was changed while it was read")
}

/// Returns how long a file is, and when it was written to last.
fn written(file: &File) -> (u64, Option<SystemTime>) {
    file.metadata().map_or((0, None), |meta| (meta.len(), meta.modified().ok()))
}

/// Tells whether `text` is one JSON string and nothing else.
fn is_string(text: &str) -> bool {
    let is_whole = |raw: &RawValue| raw.get().len() == text.len() && text.starts_with('"');
    json::from_str::<&RawValue>(text).is_ok_and(is_whole)
}

impl fmt::Debug for Texts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Texts").field("shown", &self.shown).finish_non_exhaustive()
    }
}

/// Fills `buffer` with what stands at `at`.
fn filled(file: &File, mut at: u64, mut buffer: &mut [u8]) -> io::Result<()> {
    while !buffer.is_empty() {
        match read_at(file, at, buffer) {
            Ok(0) => return Err(io::Error::other("it became shorter while it was read")),
            Ok(count) => {
                at += count as u64;
                buffer = &mut buffer[count..];
            }
            Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
            Err(cause) => return Err(cause),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::sync::Arc;

    use super::*;
    use crate::json::Left;

    fn file(text: &str) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        file
    }

    #[test]
    fn the_start_of_a_text_that_is_gone_is_told() {
        let line = "x".repeat(4000);
        for (at, stored) in [(0, 3000), (3900, 3000)] {
            let texts = Arc::new(Texts::of("x.jsonl", file(&line)));
            let left = Left::new(texts.clone(), at, stored);
            assert_eq!(left.look_start(100, str::to_owned), None);
            assert!(texts.is_lost() && texts.all_found().is_err());
        }
    }

    #[test]
    fn a_text_is_read_where_it_was_left() {
        let line = r#"{"a":"first","b":"se\u0063ond\n","c":3}"#;
        let texts = Arc::new(Texts::of("x.jsonl", file(line)));
        let (first, second) = (r#""first""#, r#""se\u0063ond\n""#);
        for stored in [first, second, second, first] {
            let at = line.find(stored).unwrap() as u64;
            let left = Left::new(texts.clone(), at, stored.len());
            assert_eq!(left.look(str::to_owned).as_deref(), Some(stored));
        }
        texts.all_found().unwrap();
    }

    #[test]
    fn a_file_that_is_written_to_may_only_grow() {
        let mut file = file(r#"{"a":"b"}"#);
        let texts = Texts::of("x.jsonl", file.try_clone().unwrap());
        file.write_all(b"\n{}").unwrap();
        texts.all_found().unwrap();
        file.set_len(9).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        let said = texts.all_found().unwrap_err().to_string();
        assert!(said.contains("it was changed while it was read"), "{said}");
    }

    #[test]
    fn what_is_not_there_any_more_is_told() {
        let gone = |at: u64, bytes: usize| {
            let texts = Arc::new(Texts::of("x.jsonl", file(r#"{"a":"b","cd":1,"é":"é"}"#)));
            let left = Left::new(texts.clone(), at, bytes);
            assert_eq!(left.look(str::to_owned), None, "{at}");
            assert!(texts.is_lost());
            let error = texts.all_found().unwrap_err();
            texts.all_found().unwrap();
            error.to_string()
        };
        assert!(gone(5, 100).contains("it became shorter while it was read"));
        for (at, bytes) in [(5, 4), (5, 2), (3, 2), (9, 3), (14, 1), (17, 2), (0, 26)] {
            let said = gone(at, bytes);
            assert!(said.contains("it was changed while it was read"), "{at}: {said}");
        }
    }
}
