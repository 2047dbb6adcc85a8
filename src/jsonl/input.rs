//! Something to read as often as needed, and its lines.

use std::fs::File;
use std::io::{self, Read, Seek as _};
use std::sync::{Arc, OnceLock};

use camino::{Utf8Path, Utf8PathBuf};

use super::at::FromStart;
use super::buffer::Buffer;
use super::ends::Ends;
use super::lines::{CHUNK_BYTES, Lines};
use super::seen::Seen;
use super::texts::Texts;
use crate::error::{Error, Result};

/// The first four bytes of a zstd file.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];
/// A packed file may become as many times as large as it is, and as large as this in any case, in
/// bytes. What is more is no session but a trap for the memory or the disk.
const MOST_TIMES: u64 = 250;
const UNPACKED_BYTES: u64 = 64 * 1024 * 1024;
/// How much is read of a file that should be small, in bytes.
const SMALL_BYTES: u64 = 16 * 1024 * 1024;

/// Something to read, as often as needed: each [`Input::open`] gives the same bytes, even while a
/// harness appends to the file.
#[derive(Debug)]
pub struct Input {
    shown: String,
    source: Source,
    /// Size as stored, in bytes, when it was opened first.
    pub bytes: u64,
    compressed: bool,
    /// How many bytes it has, unpacked, if it is only read so far.
    end: Option<u64>,
    /// What a first pass saw of its lines.
    seen: OnceLock<Seen>,
    /// The folder of its project, as whoever chose it found out.
    folder: Option<Arc<str>>,
}

#[derive(Debug)]
enum Source {
    File(Utf8PathBuf),
    /// A file that is open, and read once or twice.
    Open(Utf8PathBuf, File),
    /// A private copy of standard input, deleted when the program ends.
    Spool(File),
    Memory(Arc<[u8]>),
    Ends(Box<Ends>),
}

impl Input {
    /// Looks at the file at `path`; `shown` is the path as the user typed it.
    ///
    /// A pipe can be read only once, so that it is copied as standard input is.
    pub fn file(path: &Utf8Path) -> Result<Self> {
        let (input, _) = Self::opened(path)?;
        Ok(input)
    }

    /// Opens the file at `path` for a quick look: of a log the first and the last lines, as if
    /// there were no others, and a short file at once; its size stays that of the file.
    ///
    /// Where that would spare little, and of a file that is no plain one, all is read.
    pub fn quick(path: &Utf8Path, is_log: bool) -> Result<Self> {
        let (input, file) = Self::opened(path)?;
        let Some(file) = file.filter(|_| !input.compressed) else { return Ok(input) };
        if !is_log && !Ends::is_small(input.bytes) {
            return Ok(Self { source: Source::Open(path.to_owned(), file), ..input });
        }
        Ok(match Ends::open(path, file, input.bytes) {
            Some(ends) => Self { source: Source::Ends(Box::new(ends)), ..input },
            None => input,
        })
    }

    /// Looks at the file at `path`, and returns it open too, if it is a regular one.
    fn opened(path: &Utf8Path) -> Result<(Self, Option<File>)> {
        let fail = |cause| Error::read(path, cause);
        let mut file = File::open(path).map_err(fail)?;
        let meta = file.metadata().map_err(fail)?;
        if meta.is_dir() {
            return Err(fail(io::ErrorKind::IsADirectory.into()));
        }
        if !meta.is_file() {
            let spool = Self::spool(path.as_str(), &mut file, spool_file()?).map_err(fail)?;
            return Ok((spool, None));
        }
        let compressed = is_compressed(&mut file);
        let source = Source::File(path.to_owned());
        Ok((Self::of(path.as_str(), source, meta.len(), compressed), Some(file)))
    }

    fn of(shown: &str, source: Source, bytes: u64, compressed: bool) -> Self {
        let (end, seen, folder) = (None, OnceLock::new(), None);
        Self { shown: shown.into(), source, bytes, compressed, end, seen, folder }
    }

    /// Takes `folder` for that of its project, which counts where it does not say that itself.
    pub fn of_folder(self, folder: Option<&str>) -> Self {
        Self { folder: folder.map(Into::into), ..self }
    }

    /// The folder of its project, as whoever chose it found out.
    pub fn folder(&self) -> Option<&str> {
        self.folder.as_deref()
    }

    /// Looks at a file that another one leads to. A pipe or a device, which may never end, is none.
    pub fn companion(path: &Utf8Path) -> Option<Self> {
        path.is_file().then(|| Self::file(path).ok())?
    }

    /// Returns the text of a small file that another one leads to.
    pub fn small_text(path: &Utf8Path) -> Option<String> {
        let mut text = String::new();
        let file = path.is_file().then(|| File::open(path).ok())??;
        file.take(SMALL_BYTES).read_to_string(&mut text).ok()?;
        Some(text)
    }

    /// Takes all of standard input into a private temporary file.
    pub fn stdin() -> Result<Self> {
        let spool = spool_file()?;
        Self::spool("-", &mut io::stdin().lock(), spool).map_err(|cause| Error::read("-", cause))
    }

    fn spool(shown: &str, from: &mut dyn Read, mut spool: File) -> io::Result<Self> {
        let bytes = io::copy(from, &mut spool)?;
        spool.rewind()?;
        let compressed = is_compressed(&mut spool);
        Ok(Self::of(shown, Source::Spool(spool), bytes, compressed))
    }

    /// Reads from memory; `shown` stands where a path would.
    pub fn memory(shown: &str, bytes: &[u8]) -> Self {
        let compressed = bytes.starts_with(&ZSTD_MAGIC);
        Self::of(shown, Source::Memory(bytes.into()), bytes.len() as u64, compressed)
    }

    /// The path as typed, `-` for standard input.
    pub fn shown(&self) -> &str {
        &self.shown
    }

    /// The file on disk, if it is one; companions of the session stand beside it.
    pub fn path(&self) -> Option<&Utf8Path> {
        match &self.source {
            Source::File(path) | Source::Open(path, _) => Some(path),
            Source::Ends(ends) => Some(&ends.path),
            Source::Spool(_) | Source::Memory(_) => None,
        }
    }

    /// Opens it from the start.
    pub fn open(&self) -> Result<Box<dyn Read + '_>> {
        let fail = |cause| Error::read(&self.shown, cause);
        let plain: Box<dyn Read + '_> = match &self.source {
            Source::File(path) => Box::new(File::open(path).map_err(fail)?.take(self.bytes)),
            Source::Open(_, file) => Box::new(FromStart { file, at: 0 }.take(self.bytes)),
            Source::Spool(file) => Box::new(FromStart { file, at: 0 }),
            Source::Memory(bytes) => Box::new(&bytes[..]),
            Source::Ends(ends) => {
                let [first, last] = ends.parts();
                Box::new(first.chain(last))
            }
        };
        let unpacked = match self.compressed {
            false => plain,
            true => {
                let inner = zstd::stream::read::Decoder::new(plain).map_err(fail)?;
                let most = self.bytes.saturating_mul(MOST_TIMES).max(UNPACKED_BYTES);
                Box::new(Unpacked { inner, left: most, most })
            }
        };
        Ok(match self.end {
            None => unpacked,
            Some(end) => Box::new(unpacked.take(end)),
        })
    }

    /// Returns what texts can be left in that are read from here: a file that is not packed.
    pub fn texts(&self) -> Option<Texts> {
        self.plain().map(|file| Texts::of(&self.shown, file))
    }

    /// Opens it once more where any part of it can be read, which it can of a file that is not packed.
    fn plain(&self) -> Option<File> {
        match &self.source {
            _ if self.compressed => None,
            Source::File(path) | Source::Open(path, _) => File::open(path).ok(),
            Source::Spool(file) => file.try_clone().ok(),
            Source::Memory(_) | Source::Ends(_) => None,
        }
    }

    /// Returns how many bytes the line still has that stands at `from`, with its end, where that can
    /// be looked up.
    fn rest_of_line(&self, from: u64) -> Option<usize> {
        let file = self.plain()?;
        let mut rest = FromStart { file: &file, at: from }.take(self.bytes.saturating_sub(from));
        let (mut chunk, mut bytes) = (Buffer::of(CHUNK_BYTES), 0);
        loop {
            let count = rest.read(&mut chunk).ok()?;
            let end = memchr::memchr(b'\n', &chunk[..count]);
            bytes += end.map_or(count, |end| end + 1);
            if count == 0 || end.is_some() {
                return Some(bytes);
            }
        }
    }

    /// Returns the same once more.
    pub fn again(&self) -> Result<Self> {
        let source = match &self.source {
            Source::File(path) | Source::Open(path, _) => Source::File(path.clone()),
            Source::Spool(file) => {
                let copy = file.try_clone().map_err(|cause| Error::read(&self.shown, cause))?;
                Source::Spool(copy)
            }
            Source::Memory(bytes) => Source::Memory(bytes.clone()),
            // What is read in earnest is read from the file.
            Source::Ends(ends) => return Ok(Self::file(&ends.path)?.of_folder(self.folder())),
        };
        let again = Self::of(&self.shown, source, self.bytes, self.compressed);
        Ok(Self { end: self.end, folder: self.folder.clone(), ..again })
    }

    /// Whether lines at its end are passed over.
    pub fn is_cut(&self) -> bool {
        self.end.is_some_and(|end| self.compressed || end < self.bytes)
    }

    /// Takes it as it was when it had only its first `count` lines.
    pub fn until_line(mut self, count: u64) -> Result<Self> {
        let mut bytes = 0;
        let mut lines = self.lines()?;
        while let Some(line) = lines.next_line()?.filter(|line| line.number <= count) {
            bytes += line.bytes.len() as u64 + u64::from(line.ended);
        }
        drop(lines);
        self.end = Some(bytes);
        self.seen = OnceLock::new();
        Ok(self)
    }

    /// Reads more of the first lines, where only the ends are read; nothing where that is no use.
    pub fn more_of_start(&mut self) -> Option<()> {
        let Source::Ends(ends) = &mut self.source else { return None };
        ends.more_head()
    }

    /// Reads more of the last lines, where only the ends are read; nothing where that is no use.
    pub fn more_of_end(&mut self) -> Option<()> {
        let Source::Ends(ends) = &mut self.source else { return None };
        ends.more_tail()
    }

    /// Tells whether `word` stands in the first lines, where only the ends are read.
    pub fn first_lines_hold(&self, word: &str) -> bool {
        let Source::Ends(ends) = &self.source else { return false };
        memchr::memmem::find(ends.parts()[0], word.as_bytes()).is_some()
    }

    /// Tells whether `word` stands in the last lines, where only the ends are read.
    pub fn last_lines_hold(&self, word: &str) -> bool {
        let Source::Ends(ends) = &self.source else { return false };
        memchr::memmem::find(ends.parts()[1], word.as_bytes()).is_some()
    }

    /// Tells whether the folder `path` is named in the first lines, by itself and not as the start
    /// of another one, where only the ends are read.
    pub fn first_lines_name(&self, path: &str) -> bool {
        let Source::Ends(ends) = &self.source else { return false };
        let stored = serde_json::Value::from(path).to_string();
        let (path, first) = (stored.trim_matches('"').as_bytes(), ends.parts()[0]);
        let ends = |byte: Option<&u8>| byte.is_none_or(|byte| matches!(byte, b'"' | b'<' | b'>'));
        memchr::memmem::find_iter(first, path).any(|from| {
            let before = from.checked_sub(1).and_then(|before| first.get(before));
            ends(before) && ends(first.get(from + path.len()))
        })
    }

    /// Takes all of it, where only the ends are read.
    pub fn whole(self) -> Self {
        match self.source {
            Source::Ends(ends) if !ends.is_whole() => {
                let source = Source::Open(ends.path, ends.file);
                Self { source, ..self }
            }
            _ => self,
        }
    }

    /// Tells whether all of it is read, and not only its ends.
    pub fn is_whole(&self) -> bool {
        !matches!(&self.source, Source::Ends(ends) if !ends.is_whole())
    }

    /// Returns up to `limit` bytes from the start, unpacked.
    pub fn head(&self, limit: usize) -> Result<Vec<u8>> {
        let mut head = Vec::new();
        match self.open()?.take(limit as u64).read_to_end(&mut head) {
            // What is whole of a file that is cut off can be read, as its lines can.
            Err(cause) if is_cut(&cause) && !head.is_empty() => Ok(head),
            Err(cause) => Err(self.unread(cause)),
            Ok(_) => Ok(head),
        }
    }

    /// Returns all of it, unpacked, without a byte order mark.
    pub fn all(&self) -> Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(usize::try_from(self.bytes).unwrap_or(0));
        let read = self.open()?.read_to_end(&mut bytes);
        read.map_err(|cause| self.unread(cause))?;
        if bytes.starts_with(b"\xEF\xBB\xBF") {
            bytes.drain(..3);
        }
        Ok(bytes)
    }

    /// Says that it could not be read.
    fn unread(&self, cause: io::Error) -> Error {
        let cause = match is_cut(&cause) {
            true => io::Error::new(cause.kind(), "it is packed with zstd, and cut off"),
            false => cause,
        };
        Error::read(&self.shown, cause)
    }

    /// Opens it from the start, line by line.
    pub fn lines(&self) -> Result<Lines<'_>> {
        let lines = match &self.source {
            Source::Ends(ends) if self.end.is_none() => Lines::held(ends.parts()),
            Source::Memory(bytes) if self.end.is_none() && !self.compressed => {
                Lines::held([bytes, &[]])
            }
            _ => Lines::read(self.open()?, Box::new(|from| self.rest_of_line(from)), &self.shown),
        };
        Ok(lines.with(self.seen.get()))
    }

    /// Keeps what a first pass saw of all its lines for the next ones.
    pub(super) fn keep(&self, seen: Seen) {
        // More of the ends may be read later, so that other lines stand there.
        if !matches!(self.source, Source::Ends(_)) {
            // What an earlier pass saw is the same.
            let _ = self.seen.set(seen);
        }
    }
}

/// Tells whether a packed file ends too early.
fn is_cut(cause: &io::Error) -> bool {
    cause.kind() == io::ErrorKind::UnexpectedEof
}

fn is_compressed(file: &mut File) -> bool {
    let mut magic = [0; 4];
    file.read_exact(&mut magic).is_ok() && magic == ZSTD_MAGIC
}

/// Reads what is unpacked, up to a limit.
struct Unpacked<R> {
    inner: R,
    left: u64,
    most: u64,
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.left = self.left.checked_sub(count as u64).ok_or_else(|| {
            let most = self.most / (1024 * 1024);
            io::Error::other(format!("it unpacks to more than {most} MB, which no session does"))
        })?;
        Ok(count)
    }
}

/// Makes a private file without a name in the folder for such.
fn spool_file() -> Result<File> {
    let folder = std::env::temp_dir();
    let failed = |cause| Error::write(&*folder.to_string_lossy(), cause);
    tempfile::tempfile_in(&folder).map_err(failed)
}
