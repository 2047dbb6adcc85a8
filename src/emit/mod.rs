//! Puts finished bytes where the user wants them. The only stage that writes.

use std::io::{self, BufWriter, Write};

use camino::{Utf8Path, Utf8PathBuf};

use crate::error::{Error, Result};

/// Where finished bytes go: standard output, or a file that appears whole or not at all.
pub enum Output {
    /// Standard output.
    Stdout(BufWriter<io::Stdout>),
    /// A private temporary neighbour of the target, renamed over it at the end.
    File {
        /// The neighbour.
        draft: BufWriter<tempfile::NamedTempFile>,
        /// The target, with symbolic links followed.
        target: Utf8PathBuf,
    },
}

impl Output {
    /// Opens standard output.
    pub fn stdout() -> Self {
        Self::Stdout(BufWriter::with_capacity(BUFFER_BYTES, io::stdout()))
    }

    /// Opens `path`; `-` is standard output.
    ///
    /// The file appears only on [`Output::finish`]. A symbolic link stays one, and a file that is
    /// there keeps its permissions; a new one can be read by its owner only.
    pub fn file(path: &Utf8Path) -> Result<Self> {
        if path == "-" {
            return Ok(Self::stdout());
        }
        let target = path.canonicalize_utf8().unwrap_or_else(|_| path.to_owned());
        let folder = match target.parent() {
            Some(folder) if !folder.as_str().is_empty() => folder,
            _ => Utf8Path::new("."),
        };
        if target.is_dir() {
            return Err(Error::write(path, io::Error::other("it is a folder")));
        }
        let named = tempfile::Builder::new().prefix(".segue-").tempfile_in(folder);
        let named = named.map_err(|cause| Error::write(path, cause))?;
        if let Ok(meta) = target.metadata() {
            let kept = named.as_file().set_permissions(meta.permissions());
            kept.map_err(|cause| Error::write(path, cause))?;
        }
        Ok(Self::File { draft: BufWriter::with_capacity(BUFFER_BYTES, named), target })
    }

    /// Flushes everything; a file takes its name now.
    pub fn finish(self) -> Result<()> {
        match self {
            Self::Stdout(mut out) => out.flush().map_err(|cause| Error::write("-", cause)),
            Self::File { draft, target } => {
                let fail = |cause| Error::write(target.clone(), cause);
                let named = draft.into_inner().map_err(|error| fail(error.into_error()))?;
                named.as_file().sync_all().map_err(fail)?;
                named.persist(&target).map_err(|error| fail(error.error))?;
                Ok(())
            }
        }
    }

    /// Returns the name for an error message.
    pub fn name(&self) -> Utf8PathBuf {
        match self {
            Self::Stdout(_) => "-".into(),
            Self::File { target, .. } => target.clone(),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout(out) => out.write(bytes),
            Self::File { draft, .. } => draft.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout(out) => out.flush(),
            Self::File { draft, .. } => draft.flush(),
        }
    }
}

/// How much is collected before it is written.
const BUFFER_BYTES: usize = 256 * 1024;

/// Writes `text` to standard output, all of it.
pub fn print(text: &[u8]) -> Result<()> {
    let mut out = Output::stdout();
    out.write_all(text).map_err(|cause| Error::write("-", cause))?;
    out.finish()
}

/// Writes one line to standard error, without anything that could steer a terminal.
pub fn say(line: &str) {
    // Nobody is left to tell if standard error is gone too.
    let _ = writeln!(io::stderr(), "{}", printable(line));
}

/// Returns `text` with control characters, line feeds aside, and direction marks replaced.
pub fn printable(text: &str) -> String {
    let show = |c: char| match c {
        '\n' | '\t' => c,
        c if c.is_control() => '\u{fffd}',
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        c => c,
    };
    text.chars().map(show).collect()
}

/// Returns `text` as one printable line: breaks and tabs become blanks.
pub fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    printable(&words.join(" "))
}
