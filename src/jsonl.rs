//! Bytes to numbered records.
//!
//! Session files are appended to while we read them, are killed in the middle of a line, and hold
//! lines of any size. Everything that can be wrong with a line is dealt with here, once, so that a
//! reader sees only text that is a JSON value, or hears nothing of the line at all.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read, Seek as _};
use std::sync::{Arc, LazyLock};

use camino::{Utf8Path, Utf8PathBuf};
use serde::Deserialize;
use serde::de::{self, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::error::{Error, Result};
use crate::note::{Fate, NoteKind, Notes, Tally};

/// The first four bytes of a zstd file.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];
/// How much is read from the system at once.
const CHUNK_BYTES: usize = 256 * 1024;
/// How deep a whole document may be nested; deeper ones would not fit the stack.
const MAX_DEPTH: usize = 120;

/// Something to read, as often as needed: each [`Input::open`] gives the same bytes, even while a
/// harness appends to the file.
#[derive(Debug)]
pub struct Input {
    shown: String,
    source: Source,
    /// Size as stored, in bytes, when it was opened first.
    pub bytes: u64,
    compressed: bool,
}

#[derive(Debug)]
enum Source {
    File(Utf8PathBuf),
    /// A private copy of standard input, deleted when the program ends.
    Spool(File),
    Memory(Arc<[u8]>),
}

impl Input {
    /// Looks at the file at `path`; `shown` is the path as the user typed it.
    ///
    /// A pipe can be read only once, so that it is copied as standard input is.
    pub fn file(path: &Utf8Path) -> Result<Self> {
        let fail = |cause| Error::read(path, cause);
        let mut file = File::open(path).map_err(fail)?;
        let meta = file.metadata().map_err(fail)?;
        if meta.is_dir() {
            let cause = io::Error::other("it is a folder, not a session file");
            return Err(fail(cause));
        }
        if !meta.is_file() {
            return Self::spool(path.as_str(), &mut file).map_err(fail);
        }
        let compressed = is_compressed(&mut file);
        let source = Source::File(path.to_owned());
        Ok(Self { shown: path.to_string(), source, bytes: meta.len(), compressed })
    }

    /// Takes all of standard input into a private temporary file.
    pub fn stdin() -> Result<Self> {
        Self::spool("-", &mut io::stdin().lock()).map_err(|cause| Error::read("-", cause))
    }

    fn spool(shown: &str, from: &mut dyn Read) -> io::Result<Self> {
        let mut spool = tempfile::tempfile()?;
        let bytes = io::copy(from, &mut spool)?;
        spool.rewind()?;
        let compressed = is_compressed(&mut spool);
        Ok(Self { shown: shown.into(), source: Source::Spool(spool), bytes, compressed })
    }

    /// Reads from memory; `shown` stands where a path would.
    pub fn memory(shown: &str, bytes: &[u8]) -> Self {
        let compressed = bytes.starts_with(&ZSTD_MAGIC);
        let source = Source::Memory(bytes.into());
        Self { shown: shown.into(), source, bytes: bytes.len() as u64, compressed }
    }

    /// The path as typed, `-` for standard input.
    pub fn shown(&self) -> &str {
        &self.shown
    }

    /// The file on disk, if it is one; companions of the session stand beside it.
    pub fn path(&self) -> Option<&Utf8Path> {
        match &self.source {
            Source::File(path) => Some(path),
            Source::Spool(_) | Source::Memory(_) => None,
        }
    }

    /// Opens it from the start.
    pub fn open(&self) -> Result<Box<dyn Read + '_>> {
        let fail = |cause| Error::read(&self.shown, cause);
        let plain: Box<dyn Read + '_> = match &self.source {
            Source::File(path) => Box::new(File::open(path).map_err(fail)?.take(self.bytes)),
            Source::Spool(file) => Box::new(FromStart { file, at: 0 }),
            Source::Memory(bytes) => Box::new(&bytes[..]),
        };
        if !self.compressed {
            return Ok(plain);
        }
        Ok(Box::new(zstd::stream::read::Decoder::new(plain).map_err(fail)?))
    }

    /// Returns up to `limit` bytes from the start, unpacked.
    pub fn head(&self, limit: usize) -> Result<Vec<u8>> {
        let mut head = Vec::new();
        let read = self.open()?.take(limit as u64).read_to_end(&mut head);
        read.map_err(|cause| Error::read(&self.shown, cause))?;
        Ok(head)
    }

    /// Returns all of it, unpacked, without a byte order mark.
    pub fn all(&self) -> Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(usize::try_from(self.bytes).unwrap_or(0));
        let read = self.open()?.read_to_end(&mut bytes);
        read.map_err(|cause| Error::read(&self.shown, cause))?;
        if bytes.starts_with(b"\xEF\xBB\xBF") {
            bytes.drain(..3);
        }
        Ok(bytes)
    }

    /// Opens it from the start, line by line.
    pub fn lines(&self) -> Result<Lines<'_>> {
        Ok(Lines::new(self.open()?, &self.shown))
    }
}

fn is_compressed(file: &mut File) -> bool {
    let mut magic = [0; 4];
    file.read_exact(&mut magic).is_ok() && magic == ZSTD_MAGIC
}

/// Reads a file from its start, whoever else moves its cursor in between.
struct FromStart<'a> {
    file: &'a File,
    at: u64,
}

impl Read for FromStart<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut file = self.file;
        file.seek(io::SeekFrom::Start(self.at))?;
        let count = file.read(buffer)?;
        self.at += count as u64;
        Ok(count)
    }
}

/// One line without its line end.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// Counts from 1.
    pub number: u64,
    /// What stands before the line end; a carriage return is still part of it.
    pub bytes: &'a [u8],
    /// Whether a newline followed.
    pub ended: bool,
}

/// Lines out of a rolling buffer, which grows only for a line that is longer than it.
pub struct Lines<'a> {
    reader: Box<dyn Read + 'a>,
    shown: &'a str,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    number: u64,
    at_end: bool,
}

impl<'a> Lines<'a> {
    fn new(reader: Box<dyn Read + 'a>, shown: &'a str) -> Self {
        let buffer = vec![0; CHUNK_BYTES];
        Self { reader, shown, buffer, start: 0, end: 0, number: 0, at_end: false }
    }

    /// Returns the next line, or nothing at the end.
    pub fn next_line(&mut self) -> Result<Option<Line<'_>>> {
        let mut searched = self.start;
        loop {
            if let Some(at) = memchr::memchr(b'\n', &self.buffer[searched..self.end]) {
                let (from, to) = (self.start, searched + at);
                self.start = to + 1;
                self.number += 1;
                let bytes = &self.buffer[from..to];
                return Ok(Some(Line { number: self.number, bytes, ended: true }));
            }
            if self.at_end {
                return Ok(self.last_line());
            }
            searched = self.end - self.start;
            self.fill()?;
            searched += self.start;
        }
    }

    fn last_line(&mut self) -> Option<Line<'_>> {
        let (from, to) = (self.start, self.end);
        if from == to {
            return None;
        }
        self.start = to;
        self.number += 1;
        Some(Line { number: self.number, bytes: &self.buffer[from..to], ended: false })
    }

    /// Reads more, after moving what is left to the front.
    fn fill(&mut self) -> Result<()> {
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        if self.end == self.buffer.len() {
            let bigger = self.buffer.len() + self.buffer.len() / 2;
            self.buffer.resize(bigger, 0);
        }
        match self.reader.read(&mut self.buffer[self.end..]) {
            Ok(0) => self.at_end = true,
            Ok(count) => self.end += count,
            Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
            Err(cause) if cause.kind() == io::ErrorKind::UnexpectedEof => self.at_end = true,
            Err(cause) => return Err(Error::read(self.shown, cause)),
        }
        Ok(())
    }
}

/// Why a record handler gave a line back.
#[derive(Debug)]
pub enum Fault {
    /// The text is not what it should be; the line is looked at once more.
    Json(serde_json::Error),
    /// The run has to stop.
    Stop(Error),
}

impl From<serde_json::Error> for Fault {
    fn from(cause: serde_json::Error) -> Self {
        Self::Json(cause)
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Stop(error)
    }
}

/// Gives each record of `input` to `take`, with its line number, and counts what became of it.
///
/// `take` must fail on text that is no JSON before it does anything else: a line may come to it
/// once more after a repair, or in pieces where two records were glued together.
pub fn each_record(
    input: &Input,
    notes: &mut Notes,
    mut take: impl FnMut(u64, &str, &mut Notes) -> Result<Fate, Fault>,
) -> Result<Tally> {
    let mut tally = Tally::default();
    let mut lines = input.lines()?;
    while let Some(line) = lines.next_line()? {
        tally.count(one_line(line, notes, &mut take)?);
    }
    Ok(tally)
}

/// Takes one record: its line number, its text, and where to note what is lost.
pub type Take<'t> = dyn FnMut(u64, &str, &mut Notes) -> Result<Fate, Fault> + 't;

/// Gives the records of one line to `take`, as [`each_record`] does, and tells what became of it.
pub fn one_line(line: Line<'_>, notes: &mut Notes, take: &mut Take<'_>) -> Result<Fate> {
    let text = clean(line, notes);
    let text = text.trim_matches(['\u{feff}', '\0', ' ', '\t', '\r']);
    if text.is_empty() {
        return Ok(Fate::Bookkeeping);
    }
    match take(line.number, text, notes) {
        Ok(fate) => Ok(fate),
        Err(Fault::Stop(error)) => Err(error),
        Err(Fault::Json(_)) => repaired(line, text, notes, take),
    }
}

/// Returns the text of a line, with what is no text replaced and noted.
fn clean<'a>(line: Line<'a>, notes: &mut Notes) -> Cow<'a, str> {
    let text = match simdutf8::basic::from_utf8(line.bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => {
            notes.add(NoteKind::WrongEncoding, "", line.number);
            String::from_utf8_lossy(line.bytes)
        }
    };
    match without_lone_surrogates(&text) {
        Some(mended) => {
            notes.add(NoteKind::WrongEncoding, "", line.number);
            Cow::Owned(mended)
        }
        None => text,
    }
}

/// Finds the beginning of an escape by number.
static ESCAPE: LazyLock<memchr::memmem::Finder<'static>> =
    LazyLock::new(|| memchr::memmem::Finder::new(b"\\u"));

/// Returns the text with each half of a surrogate pair as `\ufffd`, if there is one.
fn without_lone_surrogates(text: &str) -> Option<String> {
    let mut mended: Option<String> = None;
    let (mut at, mut copied) = (0, 0);
    while let Some(found) = ESCAPE.find(&text.as_bytes()[at..]) {
        let start = at + found;
        let unit = surrogate(text, start);
        at = start + 2;
        if escaped(text, start) || unit.is_none() {
            continue;
        }
        if unit == Some(false) && surrogate(text, start + 6) == Some(true) {
            at = start + 12;
            continue;
        }
        let out = mended.get_or_insert_default();
        out.push_str(&text[copied..start]);
        out.push_str("\\ufffd");
        copied = start + 6;
        at = copied;
    }
    let mut out = mended?;
    out.push_str(&text[copied..]);
    Some(out)
}

/// Tells whether an escape at `at` is the second (true) or first (false) half of a pair.
fn surrogate(text: &str, at: usize) -> Option<bool> {
    let escape = text.as_bytes().get(at..at + 6)?;
    let is_d = escape.starts_with(b"\\u") && matches!(escape[2], b'd' | b'D');
    let hex = is_d && escape[3..].iter().all(u8::is_ascii_hexdigit);
    match escape[3] {
        b'8' | b'9' | b'a' | b'b' | b'A' | b'B' if hex => Some(false),
        b'c'..=b'f' | b'C'..=b'F' if hex => Some(true),
        _ => None,
    }
}

/// Tells whether the backslash at `at` is itself escaped.
fn escaped(text: &str, at: usize) -> bool {
    let before = text.as_bytes()[..at].iter().rev().take_while(|byte| **byte == b'\\').count();
    before % 2 == 1
}

/// Tries what can be saved of a line that did not parse: glued records, doubled keys.
fn repaired(line: Line<'_>, text: &str, notes: &mut Notes, take: &mut Take<'_>) -> Result<Fate> {
    let mut records = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
    let mut fate = None;
    let mut read = 0;
    for record in records.by_ref().map_while(std::result::Result::ok) {
        let objects = record.get().starts_with('{');
        let Some(next) = objects.then(|| again(line.number, record.get(), notes, take)) else {
            break;
        };
        read += 1;
        fate = fate.max(Some(next?));
    }
    let rest = text[records.byte_offset()..].trim();
    if read > 1 || (read == 1 && !rest.is_empty()) {
        notes.add(NoteKind::GluedRecords, "", line.number);
    }
    if rest.is_empty() && read > 0 {
        return Ok(fate.unwrap_or(Fate::Noted));
    }
    let kind = if line.ended { NoteKind::BrokenLine } else { NoteKind::CutOffLine };
    notes.add(kind, "", line.number);
    Ok(fate.unwrap_or(Fate::Noted))
}

/// Offers a record once more, in the form that a lenient parser makes of it.
fn again(number: u64, text: &str, notes: &mut Notes, take: &mut Take<'_>) -> Result<Fate> {
    match take(number, text, notes) {
        Ok(fate) => return Ok(fate),
        Err(Fault::Stop(error)) => return Err(error),
        Err(Fault::Json(_)) => {}
    }
    let lenient = serde_json::from_str::<serde_json::Value>(text).map(|value| value.to_string());
    let fate = lenient.map_err(Fault::Json).and_then(|text| take(number, &text, notes));
    match fate {
        Ok(fate) => Ok(fate),
        Err(Fault::Stop(error)) => Err(error),
        Err(Fault::Json(_)) => {
            notes.add(NoteKind::BrokenLine, "", number);
            Ok(Fate::Noted)
        }
    }
}

/// Parses a whole document, such as a pretty-printed session file.
///
/// simd-json parses in place, and descends without a limit, so the depth is measured first. What
/// it does not take, or should not be given, goes the slower way.
pub fn document(input: &Input) -> Result<serde_json::Value> {
    let refused = |why: &str| Error::NotASession {
        path: input.shown().into(),
        why: format!("is no readable document: {why}"),
        hint: None,
    };
    let mut bytes = input.all()?;
    if depth(&bytes) > MAX_DEPTH {
        return Err(refused("it is nested too deeply"));
    }
    let text = simdutf8::basic::from_utf8(&bytes).ok();
    if text.is_some_and(|text| without_lone_surrogates(text).is_none()) {
        if let Ok(value) = simd_json::serde::from_slice(&mut bytes) {
            return Ok(value);
        }
        bytes = input.all()?;
    }
    let text = String::from_utf8_lossy(&bytes);
    let mended = without_lone_surrogates(&text);
    let parsed = serde_json::from_str(mended.as_deref().unwrap_or(&text));
    parsed.map_err(|cause| refused(&cause.to_string()))
}

/// Returns how deep the brackets outside of strings are nested.
fn depth(bytes: &[u8]) -> usize {
    let (mut depth, mut deepest, mut quoted, mut skip) = (0usize, 0, false, false);
    for byte in bytes {
        match byte {
            _ if skip => skip = false,
            b'\\' if quoted => skip = true,
            b'"' => quoted = !quoted,
            b'{' | b'[' if !quoted => depth += 1,
            b'}' | b']' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

/// A text field that may be missing or of another type; numbers are read as their digits.
///
/// Borrows where the text has no escapes (a plain `Option<Cow<str>>` would always copy).
#[derive(Clone, Debug, Default)]
pub struct Lax<'a>(pub Option<Cow<'a, str>>);

impl<'a> Lax<'a> {
    /// The text, if there was one.
    pub fn get(&self) -> Option<&str> {
        self.0.as_deref()
    }

    /// The text, empty if there was none.
    pub fn text(&self) -> &str {
        self.0.as_deref().unwrap_or("")
    }

    /// The text, if there was one that is not empty.
    pub fn filled(&self) -> Option<&str> {
        self.get().filter(|text| !text.is_empty())
    }

    /// Gives the text away.
    pub fn take(self) -> Option<Cow<'a, str>> {
        self.0
    }
}

struct LaxVisitor;

impl<'de> Visitor<'de> for LaxVisitor {
    type Value = Lax<'de>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("anything")
    }

    fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<Lax<'de>, E> {
        Ok(Lax(Some(Cow::Borrowed(text))))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Lax<'de>, E> {
        Ok(Lax(Some(Cow::Owned(text.to_owned()))))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Lax<'de>, E> {
        Ok(Lax(Some(Cow::Owned(number.to_string()))))
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Lax<'de>, E> {
        Ok(Lax(Some(Cow::Owned(number.to_string()))))
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<Lax<'de>, E> {
        Ok(Lax(Some(Cow::Owned(number.to_string()))))
    }

    fn visit_bool<E: de::Error>(self, _: bool) -> Result<Lax<'de>, E> {
        Ok(Lax(None))
    }

    fn visit_unit<E: de::Error>(self) -> Result<Lax<'de>, E> {
        Ok(Lax(None))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Lax<'de>, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Lax(None))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Lax<'de>, A::Error> {
        while fields.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Lax(None))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Lax<'a> {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LaxVisitor)
    }
}

/// A nested object that may be missing or of another type.
///
/// Read together with what is around it: a raw value that is parsed later is gone through twice.
#[derive(Clone, Debug, Default)]
pub struct Nested<T>(pub Option<T>);

struct NestedVisitor<T>(std::marker::PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for NestedVisitor<T> {
    type Value = Nested<T>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("anything")
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<Nested<T>, A::Error> {
        let object = T::deserialize(de::value::MapAccessDeserializer::new(fields))?;
        Ok(Nested(Some(object)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Nested<T>, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Nested(None))
    }

    fn visit_unit<E: de::Error>(self) -> Result<Nested<T>, E> {
        Ok(Nested(None))
    }

    fn visit_bool<E: de::Error>(self, _: bool) -> Result<Nested<T>, E> {
        Ok(Nested(None))
    }

    fn visit_u64<E: de::Error>(self, _: u64) -> Result<Nested<T>, E> {
        Ok(Nested(None))
    }

    fn visit_i64<E: de::Error>(self, _: i64) -> Result<Nested<T>, E> {
        Ok(Nested(None))
    }

    fn visit_f64<E: de::Error>(self, _: f64) -> Result<Nested<T>, E> {
        Ok(Nested(None))
    }

    fn visit_str<E: de::Error>(self, _: &str) -> Result<Nested<T>, E> {
        Ok(Nested(None))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Nested<T> {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NestedVisitor(std::marker::PhantomData))
    }
}

/// Reads a flag: true only where the value is `true`.
pub fn flag<'de, D: de::Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    let raw = <&RawValue>::deserialize(deserializer)?;
    Ok(raw.get() == "true")
}

/// Reads a count: nothing where the value is no whole number.
pub fn count<'de, D: de::Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    let raw = <&RawValue>::deserialize(deserializer)?;
    Ok(raw.get().parse().ok())
}

/// Reads `raw` as `T` if it has that shape.
pub fn shaped<'a, T: Deserialize<'a>>(raw: Option<&'a RawValue>) -> Option<T> {
    raw.and_then(|raw| serde_json::from_str(raw.get()).ok())
}

/// Reads a list as its elements, an object or text as the one element of a list.
pub fn elements(raw: Option<&RawValue>) -> Vec<&RawValue> {
    let Some(raw) = raw else { return Vec::new() };
    match raw.get().as_bytes().first() {
        Some(b'[') => serde_json::from_str(raw.get()).unwrap_or_default(),
        Some(b'n') | None => Vec::new(),
        Some(_) => vec![raw],
    }
}

/// Reads `raw` as a text, if it is one.
pub fn string(raw: &RawValue) -> Option<Cow<'_, str>> {
    raw.get().starts_with('"').then(|| serde_json::from_str::<Lax<'_>>(raw.get()).ok()?.0).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fates(text: &[u8]) -> (Vec<(u64, String)>, Tally, Notes) {
        let (mut notes, mut seen) = (Notes::default(), Vec::new());
        let input = Input::memory("x", text);
        let tally = each_record(&input, &mut notes, |number, text, _| {
            let value: serde_json::Value = serde_json::from_str(text)?;
            seen.push((number, value.to_string()));
            Ok(Fate::Used)
        })
        .unwrap();
        (seen, tally, notes)
    }

    #[test]
    fn every_line_is_counted_once_whatever_is_wrong_with_it() {
        let text = b"\xEF\xBB\xBF{\"a\":1}\r\n\n{\"b\":2}{\"c\":3}\nbroken\n\0\0\n{\"d\":\"\\ud800x\"}\n{\"e\":\"\xFF\"}\n{\"f\":";
        let (seen, tally, notes) = fates(text);
        let texts: Vec<_> = seen.iter().map(|(line, text)| format!("{line}{text}")).collect();
        let want = [
            "1{\"a\":1}",
            "3{\"b\":2}",
            "3{\"c\":3}",
            "6{\"d\":\"\u{fffd}x\"}",
            "7{\"e\":\"\u{fffd}\"}",
        ];
        assert_eq!(texts, want);
        assert_eq!(tally.lines_read, 8);
        assert_eq!((tally.lines_used, tally.lines_bookkeeping, tally.lines_noted), (4, 2, 2));
        let kinds: Vec<_> = notes.list().iter().map(|note| (note.kind, note.first_line)).collect();
        let want = [
            (NoteKind::BrokenLine, 4),
            (NoteKind::CutOffLine, 8),
            (NoteKind::GluedRecords, 3),
            (NoteKind::WrongEncoding, 6),
        ];
        assert_eq!(kinds, want);
    }

    #[test]
    fn surrogate_pairs_stay_and_halves_go() {
        assert_eq!(without_lone_surrogates(r#""\ud83d\ude00 \\ud800 \u00e9""#), None);
        let mended = without_lone_surrogates(r#""\ud83d\ud83d\ude00\udc00""#);
        assert_eq!(mended.as_deref(), Some(r#""\ufffd\ud83d\ude00\ufffd""#));
    }

    #[test]
    fn a_line_longer_than_the_buffer_is_one_line() {
        let long = format!("{{\"a\":\"{}\"}}\n{{}}\n", "x".repeat(3 * CHUNK_BYTES));
        let (seen, tally, _) = fates(long.as_bytes());
        assert_eq!((seen.len(), tally.lines_used), (2, 2));
        assert_eq!(seen[0].1.len(), 3 * CHUNK_BYTES + 8);
    }

    #[test]
    fn deep_documents_are_refused_and_not_followed() {
        let read = |bytes: &[u8]| document(&Input::memory("x.json", bytes));
        let refused = read("[".repeat(100_000).as_bytes()).unwrap_err().to_string();
        assert!(refused.ends_with("nested too deeply"), "{refused}");
        assert_eq!(read(br#"{"a":[1,{"b":"[[[["}]}"#).unwrap()["a"][1]["b"], "[[[[");
        assert_eq!(read(br#"{"a":"\ud800"}"#).unwrap()["a"], "\u{fffd}");
        assert_eq!(read(b"{\"a\":\"\xff\"}").unwrap()["a"], "\u{fffd}");
    }
}
