//! Puts finished bytes where the user wants them. The only stage that writes.

pub mod changes;
mod context;
pub mod install;
mod progress;

use std::fs;
use std::io::{self, BufWriter, Write};

use camino::{Utf8Path, Utf8PathBuf};

pub use context::Context;
pub use progress::Progress;

use crate::error::{Error, Result};
use crate::guard::marks::{is_steering, is_turning};

/// Where finished bytes go: standard output, or a file that appears whole or not at all.
pub enum Output {
    /// Standard output.
    Stdout(BufWriter<io::Stdout>),
    /// What is there and is no file, such as a pipe or a device: it must stay what it is.
    Device {
        /// The open device.
        out: BufWriter<fs::File>,
        /// Its path as given.
        path: Utf8PathBuf,
    },
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
        let fail = |cause| Error::write(path, cause);
        let there = path.metadata().ok();
        if there.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(fail(io::ErrorKind::IsADirectory.into()));
        }
        if there.as_ref().is_some_and(|meta| !meta.is_file()) {
            let device = fs::OpenOptions::new().write(true).open(path).map_err(fail)?;
            let out = BufWriter::with_capacity(BUFFER_BYTES, device);
            return Ok(Self::Device { out, path: path.to_owned() });
        }
        let target = followed(path);
        let folder = match target.parent() {
            Some(folder) if !folder.as_str().is_empty() => folder,
            _ => Utf8Path::new("."),
        };
        let named = tempfile::Builder::new().prefix(".segue-").tempfile_in(folder);
        let named = named.map_err(|cause| fail(plain(cause)))?;
        if let Some(meta) = there {
            named.as_file().set_permissions(meta.permissions()).map_err(fail)?;
        }
        Ok(Self::File { draft: BufWriter::with_capacity(BUFFER_BYTES, named), target })
    }

    /// Flushes everything; a file takes its name now.
    pub fn finish(self) -> Result<()> {
        match self {
            Self::Stdout(mut out) => out.flush().map_err(|cause| Error::write("-", cause)),
            Self::Device { mut out, path } => {
                out.flush().map_err(|cause| Error::write(path, cause))
            }
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
            Self::Device { path, .. } => path.clone(),
            Self::File { target, .. } => target.clone(),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout(out) => out.write(bytes),
            Self::Device { out, .. } => out.write(bytes),
            Self::File { draft, .. } => draft.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout(out) => out.flush(),
            Self::Device { out, .. } => out.flush(),
            Self::File { draft, .. } => draft.flush(),
        }
    }
}

/// How many symbolic links are followed one after the other; as many as Linux does.
const MOST_LINKS: usize = 40;

/// Returns where `path` leads to, even if nothing is there yet.
fn followed(path: &Utf8Path) -> Utf8PathBuf {
    let mut target = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(next) = target.read_link_utf8() else { break };
        target = target.parent().map_or(next.clone(), |folder| folder.join(&next));
    }
    target
}

/// Returns what the system said, without the name of the draft, which means nothing to the user.
fn plain(cause: io::Error) -> io::Error {
    match cause.to_string().split_once(" at path ") {
        Some((said, _)) => io::Error::new(cause.kind(), said.to_owned()),
        None => cause,
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

/// A file that grows line by line, for what must be there even if the run is killed.
pub struct Log(fs::File);

impl Log {
    /// Adds a line at the end, in one piece.
    pub fn line(&mut self, line: &str) -> io::Result<()> {
        self.0.write_all(format!("{line}\n").as_bytes())
    }
}

/// Opens the log called `name` in `folder`, which is made if it is not there; both are for their
/// owner only.
pub fn append_to(folder: &Utf8Path, name: &str) -> Result<Log> {
    fs::create_dir_all(folder).map_err(|cause| Error::write(folder, cause))?;
    let path = folder.join(name);
    let mut options = fs::OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(&path).map(Log).map_err(|cause| Error::write(path, cause))
}

/// Writes a file whole into `folder`, which is made if it is not there.
pub fn file_in(folder: &Utf8Path, name: &str, bytes: &[u8]) -> Result<()> {
    fs::create_dir_all(folder).map_err(|cause| Error::write(folder, cause))?;
    let mut out = Output::file(&folder.join(name))?;
    out.write_all(bytes).map_err(|cause| Error::write(folder.join(name), cause))?;
    out.finish()
}

/// Writes one line to standard error, without anything that could steer a terminal.
pub fn say(line: &str) {
    // Nobody is left to tell if standard error is gone too.
    let _ = writeln!(io::stderr(), "{}", printable(line));
}

/// Returns `text` with control characters, line feeds aside, and direction marks replaced.
pub fn printable(text: &str) -> String {
    let show = |c| if is_steering(c) || is_turning(c) { '\u{fffd}' } else { c };
    text.chars().map(show).collect()
}

/// Returns `text` as one printable line: breaks and tabs become blanks.
pub fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    printable(&words.join(" "))
}
