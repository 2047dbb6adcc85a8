//! Bytes to numbered records.
//!
//! Session files are appended to while we read them, are killed in the middle of a line, and hold
//! lines of any size. Everything that can be wrong with a line is dealt with here, once, so that a
//! reader sees only text that is a JSON value, or hears nothing of the line at all.

mod at;
mod buffer;
mod companion;
mod ends;
mod fields;
mod input;
mod lines;
mod seen;
mod texts;

use std::borrow::Cow;
use std::sync::LazyLock;

use serde_json::value::RawValue;

pub use companion::{companion, companion_below};
pub use fields::{Lax, Nested, count, elements, flag, shaped, string};
pub use input::Input;
pub use lines::{Line, Lines};
use seen::Seen;
pub use texts::Texts;

use crate::error::{Error, Result};
use crate::json;
use crate::note::{Fate, NoteKind, Notes, Tally};

/// How deep a whole document may be nested; deeper ones would not fit the stack.
const MAX_DEPTH: usize = 120;

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

/// Goes through the records as [`each_record`] does, for a first pass that shows no text to anybody:
/// half surrogates are only looked for where a line does not parse. What it saw of the lines `input`
/// keeps for the next pass.
pub fn skim(
    input: &Input,
    mut take: impl FnMut(u64, &str) -> Result<Fate, Fault>,
) -> Result<Tally> {
    let (mut tally, mut notes, mut seen) = (Tally::default(), Notes::default(), Seen::default());
    let mut lines = input.lines()?;
    while let Some(line) = lines.next_line()? {
        let text = simdutf8::basic::from_utf8(line.bytes).ok().map(bare).filter(|t| !t.is_empty());
        let quick = text.map(|text| {
            let remembered = json::remember(text);
            let taken = take(line.number, text);
            seen.keep(line, text, &remembered);
            taken
        });
        tally.count(match quick {
            Some(Ok(fate)) => fate,
            Some(Err(Fault::Stop(error))) => return Err(error),
            Some(Err(Fault::Json(_))) | None => {
                seen.keep_odd(line);
                one_line(line, &mut notes, &mut |number, text, _| take(number, text))?
            }
        });
    }
    input.keep(seen);
    Ok(tally)
}

/// Takes off what can stand around a record and is none of it.
fn bare(text: &str) -> &str {
    text.trim_matches(['\u{feff}', '\0', ' ', '\t', '\r'])
}

/// Takes one record: its line number, its text, and where to note what is lost.
pub type Take<'t> = dyn FnMut(u64, &str, &mut Notes) -> Result<Fate, Fault> + 't;

/// Gives the records of one line to `take`, as [`each_record`] does, and tells what became of it.
pub fn one_line(line: Line<'_>, notes: &mut Notes, take: &mut Take<'_>) -> Result<Fate> {
    let cleaned = clean(line, notes);
    let text = bare(&cleaned);
    if text.is_empty() {
        return Ok(Fate::Bookkeeping);
    }
    let remembered = json::remember(text);
    if let (Some(seen), Cow::Borrowed(_)) = (line.seen, &cleaned) {
        seen.remind(line, text, &remembered);
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
    let is_whole = matches!(text, Cow::Borrowed(_)) && line.seen.is_some_and(|seen| !seen.is_odd);
    match (!is_whole).then(|| without_lone_surrogates(&text)).flatten() {
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
    let is_d = matches!(escape[2], b'd' | b'D') && escape.starts_with(b"\\u");
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
    let lenient = json::from_str::<serde_json::Value>(text).map(|value| value.to_string());
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
    let parsed = json::from_str(mended.as_deref().unwrap_or(&text));
    parsed.map_err(|cause| refused(&cause.to_string()))
}

/// Returns how deep the brackets outside of strings are nested.
pub fn depth(bytes: &[u8]) -> usize {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// More than is read at once.
    const LONGER_BYTES: usize = 300 * 1024;

    fn fates(text: &[u8]) -> (Vec<(u64, String)>, Tally, Notes) {
        let (mut notes, mut seen) = (Notes::default(), Vec::new());
        let input = Input::memory("x", text);
        let tally = each_record(&input, &mut notes, |number, text, _| {
            let value: serde_json::Value = json::from_str(text)?;
            seen.push((number, value.to_string()));
            Ok(Fate::Used)
        })
        .unwrap();
        (seen, tally, notes)
    }

    #[test]
    fn a_number_is_the_nearest_one_whichever_parser_reads_it() {
        let digits = "4555555555555555555551555555.5555555555555555555555";
        let nearest: f64 = digits.parse().unwrap();
        let text = format!("{{\"n\":{digits}}}");
        let value: serde_json::Value = document(&Input::memory("-", text.as_bytes())).unwrap();
        assert_eq!(value["n"].as_f64(), Some(nearest));
        let value: serde_json::Value = json::from_str(&text).unwrap();
        assert_eq!(value["n"].as_f64(), Some(nearest));
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
        let long = format!("{{\"a\":\"{}\"}}\n{{}}\n", "x".repeat(3 * LONGER_BYTES));
        let (seen, tally, _) = fates(long.as_bytes());
        assert_eq!((seen.len(), tally.lines_used), (2, 2));
        assert_eq!(seen[0].1.len(), 3 * LONGER_BYTES + 8);
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
