//! JSON lines on their way out, with the secrets in them replaced if that is wanted.

use std::io::{self, Write};

use crate::guard::{Redacted, Redactor};

/// Where lines of JSON go; with a redactor each is looked at as a whole.
///
/// A line stays valid JSON: rules match inside of strings, and never end within an escape.
pub(super) struct Lines<W> {
    out: W,
    redactor: Option<Redactor>,
    line: Vec<u8>,
}

impl<W: Write> Lines<W> {
    pub(super) fn new(out: W, redact: bool) -> Self {
        Self { out, redactor: redact.then(Redactor::default), line: Vec::new() }
    }

    /// Returns where the lines go.
    pub(super) fn inner(&self) -> &W {
        &self.out
    }

    /// Returns where the lines went, and what was redacted, if that was asked for.
    pub(super) fn finish(mut self) -> io::Result<(W, Option<Vec<Redacted>>)> {
        self.pass()?;
        Ok((self.out, self.redactor.map(|redactor| redactor.counts())))
    }

    /// Passes on the line that was gathered.
    fn pass(&mut self) -> io::Result<()> {
        if let Some(redactor) = self.redactor.as_mut().filter(|_| !self.line.is_empty()) {
            let line = String::from_utf8_lossy(&self.line);
            self.out.write_all(redactor.text(&line).as_bytes())?;
            self.line.clear();
        }
        Ok(())
    }
}

impl<W: Write> Write for Lines<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.redactor.is_none() {
            return self.out.write(bytes);
        }
        self.line.extend_from_slice(bytes);
        // In JSON a line feed only stands between records.
        if bytes.ends_with(b"\n") {
            self.pass()?;
        }
        Ok(bytes.len())
    }

    /// A record comes in many small pieces.
    #[inline]
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self.redactor {
            None => self.out.write_all(bytes),
            Some(_) => self.write(bytes).map(drop),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
