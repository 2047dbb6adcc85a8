//! Puts finished bytes where the user wants them. The only stage that writes.

pub mod changes;
mod context;
mod draft;
pub mod install;
mod journal;
mod progress;

use std::borrow::Cow;
use std::fs;
use std::io::{self, BufWriter, Read as _, Seek as _, Write};

use camino::{Utf8Path, Utf8PathBuf};

pub use context::Context;
pub use draft::Draft;
pub use progress::Progress;

use crate::error::{Error, Result};
use crate::guard::marks::{is_hidden, is_steering, is_turning};

/// Where finished bytes go: standard output, or a file that appears whole or not at all.
pub struct Output(BufWriter<Target>);

enum Target {
    Stdout(io::Stdout),
    /// What is there and is no file, such as a pipe or a device: it must stay what it is.
    Device(fs::File, Utf8PathBuf),
    /// A private temporary neighbour of the path, renamed over it at the end; symbolic links in
    /// the path are followed.
    File(Draft, Utf8PathBuf),
}

impl Output {
    /// Opens standard output.
    pub fn stdout() -> Self {
        Self::to(Target::Stdout(io::stdout()))
    }

    fn to(target: Target) -> Self {
        Self(BufWriter::with_capacity(BUFFER_BYTES, target))
    }

    /// Opens `path`; `-` is standard output.
    ///
    /// The file appears only on [`Output::finish`]. A symbolic link stays one, and a file that is
    /// there keeps its owner, group and permissions; a new one can be read by its owner only. One that
    /// may not be written is refused.
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
            return Ok(Self::to(Target::Device(device, path.to_owned())));
        }
        may_be_changed(path)?;
        let target = followed(path);
        let draft = draft::of(&target).map_err(fail)?;
        if let Some(there) = there {
            draft.become_as(&there).map_err(fail)?;
        }
        Ok(Self::to(Target::File(draft, target)))
    }

    /// Brings everything to where it is going; of a file, only its name is missing then.
    pub fn settle(&mut self) -> Result<()> {
        let settled = self.0.flush().and_then(|()| match self.0.get_ref() {
            Target::File(draft, _) => draft.file().sync_all(),
            Target::Stdout(_) | Target::Device(..) => Ok(()),
        });
        settled.map_err(|cause| Error::write(self.name(), cause))
    }

    /// Settles everything; a file takes its name now.
    pub fn finish(mut self) -> Result<()> {
        self.settle()?;
        let name = self.name();
        let fail = |cause| Error::write(name, cause);
        match self.0.into_inner() {
            Ok(Target::File(draft, target)) => draft.replace(&target).map_err(fail),
            Ok(Target::Stdout(_) | Target::Device(..)) => Ok(()),
            Err(error) => Err(fail(error.into_error())),
        }
    }

    /// Returns the name for an error message.
    pub fn name(&self) -> Utf8PathBuf {
        match self.0.get_ref() {
            Target::Stdout(_) => "-".into(),
            Target::Device(_, path) | Target::File(_, path) => path.clone(),
        }
    }
}

impl Write for Output {
    #[inline]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    #[inline]
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout(out) => out.write(bytes),
            Self::Device(out, _) => out.write(bytes),
            Self::File(draft, _) => draft.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout(out) => out.flush(),
            Self::Device(out, _) => out.flush(),
            Self::File(draft, _) => draft.flush(),
        }
    }
}

/// Refuses to change a file that may not be written. Nobody else would ask: what takes its name needs leave of
/// its folder alone.
///
/// A file that nobody may write is to stay as it is, also where the system would let the one who runs this.
pub fn may_be_changed(path: &Utf8Path) -> Result<()> {
    let Ok(there) = path.metadata() else { return Ok(()) };
    if there.permissions().readonly() {
        let what = format!("`{path}` stays as it is: it is read-only");
        let hint = "`chmod u+w` with the path lets its owner write it".to_owned();
        return Err(Error::Refused { what, hint: Some(hint) });
    }
    install::may_write(path).map_err(|cause| Error::write(path, cause))
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
///
/// A line that was cut off, by a kill or a full disk, is ended, so that the next one stands alone.
pub fn append_to(folder: &Utf8Path, name: &str) -> Result<Log> {
    let path = folder.join(name);
    install::make_folder(&path)?;
    let mut options = fs::OpenOptions::new();
    options.read(true).append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let opened = options.open(&path).and_then(|mut file| {
        let mut last = [b'\n'];
        if file.metadata()?.len() > 0 {
            file.seek(io::SeekFrom::End(-1))?;
            file.read_exact(&mut last)?;
        }
        if last == *b"\n" { Ok(()) } else { file.write_all(b"\n") }.map(|()| Log(file))
    });
    opened.map_err(|cause| Error::write(path, cause))
}

/// Writes a file whole into `folder`, which is made, private, if it is not there.
pub fn file_in(folder: &Utf8Path, name: &str, bytes: &[u8]) -> Result<()> {
    let path = folder.join(name);
    install::make_folder(&path)?;
    let mut out = Output::file(&path)?;
    out.write_all(bytes).map_err(|cause| Error::write(path, cause))?;
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

/// Returns JSON in which what cannot be seen, or steers a terminal, is escaped: it says the same.
pub fn escaped_json(json: &str) -> Cow<'_, str> {
    let is_shown = |c: char| !is_hidden(c) && !is_steering(c);
    if json.is_ascii() || json.chars().all(is_shown) {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len() + 64);
    for c in json.chars() {
        if is_shown(c) {
            out.push(c);
        } else {
            c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out += &format!("\\u{unit:04x}"));
        }
    }
    Cow::Owned(out)
}

/// Returns `text` as one printable line: breaks and tabs become blanks.
pub fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    printable(&words.join(" "))
}
