//! What only looks for the beginning of things says what a full parse says: the quick pass over
//! lines, whole documents, what stands between quotes, and the words for which readers search.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use camino::Utf8Path;
use fastrand::Rng;
use segue::harness::{self, Harness, Want};
use segue::json;
use segue::jsonl::{Fault, Input, document, each_record, skim};
use segue::model::Session;
use segue::note::{Fate, Notes, Tally};
use serde::de::IgnoredAny;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::corpus::{Records, complaints, sessions};
use crate::data;
use crate::mutations::damaged;

/// Of larger files the first lines are taken, up to so many bytes.
const FILE_BYTES: usize = 400_000;

/// Runs `check` for the fixtures, and for the larger data where that is.
fn everywhere(check: impl Fn(&[u8], &mut Rng) -> Option<String> + Sync) {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let folders = ["real", "corpus"].iter().filter_map(|name| data::folder(name));
    for folder in std::iter::once(fixtures).chain(folders) {
        let files = sessions(&folder);
        let found = complaints(&files, |at, path: &PathBuf| {
            let Some(bytes) = start(path) else { return Vec::new() };
            let mut rng = Rng::with_seed(at as u64);
            let wrong = check(&bytes, &mut rng);
            wrong.map(|wrong| format!("{}: {wrong:.600}", path.display())).into_iter().collect()
        });
        data::tell(&format!("{} files below {}", files.len(), folder.display()));
        assert!(found.is_empty(), "{} complaints:\n{}", found.len(), found.join("\n"));
    }
}

/// Returns the first lines of a file, unpacked.
fn start(path: &Path) -> Option<Vec<u8>> {
    let input = Input::file(Utf8Path::from_path(path)?).ok()?;
    let mut bytes = input.head(FILE_BYTES).ok()?;
    if bytes.len() == FILE_BYTES {
        let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(FILE_BYTES, |at| at + 1);
        bytes.truncate(end);
    }
    Some(bytes)
}

/// What became of the lines, and those that records are on.
type Found = (Option<Tally>, Vec<u64>);

fn carefully(input: &Input) -> Found {
    let mut found = Vec::new();
    let tally =
        each_record(input, &mut Notes::default(), |line, text, _| taken(line, text, &mut found));
    (tally.ok(), found)
}

fn quickly(input: &Input) -> Found {
    let mut found = Vec::new();
    let tally = skim(input, |line, text| taken(line, text, &mut found));
    (tally.ok(), found)
}

fn taken(line: u64, text: &str, found: &mut Vec<u64>) -> Result<Fate, Fault> {
    json::from_str::<IgnoredAny>(text)?;
    found.push(line);
    Ok(Fate::Used)
}

#[test]
fn the_quick_pass_over_lines_sees_what_the_careful_one_sees() {
    everywhere(|bytes, rng| {
        let broken = damaged(bytes, rng);
        [bytes, &broken].into_iter().find_map(|bytes| {
            let input = Input::memory("lines", bytes);
            let (careful, quick) = (carefully(&input), quickly(&input));
            (careful != quick).then(|| format!("{:?} and {:?}", careful.0, quick.0))
        })
    });
}

#[test]
fn a_document_has_the_values_of_a_full_parse() {
    everywhere(|bytes, rng| {
        let broken = damaged(bytes, rng);
        [bytes, &broken].into_iter().find_map(|bytes| {
            let ours = document(&Input::memory("document", bytes));
            let text = std::str::from_utf8(bytes).ok()?;
            let theirs = serde_json::from_str::<Value>(text);
            match (ours, theirs) {
                (Ok(ours), Ok(theirs)) => (ours != theirs).then(|| "other values".to_owned()),
                // Half of a surrogate pair is mended.
                (Ok(_), Err(error)) if !text.contains("\\u") => Some(format!("taken, but {error}")),
                (Err(error), Ok(_)) => Some(format!("refused: {error}")),
                _ => None,
            }
        })
    });
}

#[test]
fn what_stands_between_quotes_means_what_a_full_parse_says() {
    everywhere(|bytes, rng| {
        let text = String::from_utf8_lossy(bytes);
        let lines = text.lines().filter_map(|line| serde_json::from_str::<&RawValue>(line).ok());
        lines.filter_map(|line| strings(line, rng)).next()
    });
}

/// Compares every string of a value with what `serde_json` makes of it.
fn strings(raw: &RawValue, rng: &mut Rng) -> Option<String> {
    let text = raw.get();
    match text.as_bytes()[0] {
        b'"' => {
            let theirs = serde_json::from_str::<String>(text).ok()?;
            let inside = &text[1..text.len() - 1];
            let most = rng.usize(..=theirs.len());
            let begins = json::unescaped(inside, most);
            let fits = theirs.starts_with(&*begins) && begins.len() >= most;
            let whole = json::unescaped(inside, usize::MAX);
            (!fits || whole != theirs).then(|| text.to_owned())
        }
        b'[' => {
            let items: Vec<&RawValue> = serde_json::from_str(text).ok()?;
            items.into_iter().find_map(|item| strings(item, rng))
        }
        b'{' => {
            let fields: BTreeMap<String, &RawValue> = serde_json::from_str(text).ok()?;
            fields.into_values().find_map(|field| strings(field, rng))
        }
        _ => None,
    }
}

/// Writes each line anew, by a full parse: as short as it goes, or with blanks.
fn rewritten(bytes: &[u8], is_wide: bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() + bytes.len() / 8);
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let Ok(value) = serde_json::from_slice::<Value>(line) else {
            out.extend_from_slice(line);
            continue;
        };
        if is_wide {
            let mut writer = serde_json::Serializer::with_formatter(&mut out, Wide);
            serde::Serialize::serialize(&value, &mut writer).unwrap();
        } else {
            serde_json::to_writer(&mut out, &value).unwrap();
        }
        out.extend_from_slice(if line.ends_with(b"\n") { b"\n" } else { b"" });
    }
    out
}

/// Blanks behind `,` and `:`, as some programs write them.
struct Wide;

impl serde_json::ser::Formatter for Wide {
    fn begin_array_value<W: ?Sized + std::io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> std::io::Result<()> {
        writer.write_all(if first { b"" } else { b", " })
    }

    fn begin_object_key<W: ?Sized + std::io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> std::io::Result<()> {
        writer.write_all(if first { b"" } else { b", " })
    }

    fn begin_object_value<W: ?Sized + std::io::Write>(
        &mut self,
        writer: &mut W,
    ) -> std::io::Result<()> {
        writer.write_all(b": ")
    }
}

/// What a reader says of each item: its id, kind, place and fate.
fn told(harness: &dyn Harness, bytes: &[u8]) -> Option<(Tally, Vec<String>)> {
    let input = Input::memory("lines", bytes);
    let mut session = Session::default();
    let want = Want { actions: true, ..Want::default() };
    let end = harness.read(&input, want, &mut session).ok()?;
    let mut sink = Records::new(false);
    harness.read(&input, want, &mut sink).ok()?;
    let records = sink.ndjson.end(&end).ok()?;
    let records = records.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let short = |record: &[u8]| {
        let mut record: Value = serde_json::from_slice(record).unwrap();
        // What nobody has words for is told by its JSON, as it stands.
        if let Some(value) =
            record["text"].as_str().and_then(|text| serde_json::from_str(text).ok())
        {
            record["text"] = value;
        }
        let fields = [
            "type",
            "id",
            "parent_id",
            "ts",
            "line",
            "turn",
            "live",
            "dropped_by",
            "rank",
            "role",
            "origin",
            "status",
            "name",
            "kind",
            "call_id",
            "copy_of",
            "side_session",
            "text",
        ];
        fields.map(|field| record[field].to_string()).join(" ")
    };
    // The first record has the size of the file.
    Some((end.tally, records.skip(1).map(short).collect()))
}

#[test]
fn the_words_for_which_readers_search_are_found_however_lines_are_written() {
    everywhere(|bytes, _| {
        let harness = harness::recognise(&Input::memory("lines", bytes)).ok()?;
        let there = told(harness, bytes)?;
        [false, true].into_iter().find_map(|is_wide| {
            let other = told(harness, &rewritten(bytes, is_wide))?;
            let differs = there.1.iter().zip(&other.1).find(|(one, other)| one != other);
            let same = there.0 == other.0 && there.1.len() == other.1.len() && differs.is_none();
            (!same).then(|| format!("wide {is_wide}: {:?} {:?} {differs:?}", there.0, other.0))
        })
    });
}
