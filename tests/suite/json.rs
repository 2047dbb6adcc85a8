//! The parser of lines and `serde_json` say the same of every line, whole or damaged.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use fastrand::Rng;
use segue::json;
use segue::jsonl::{Lax, Nested, count, flag};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::corpus::{complaints, sessions};
use crate::data;

/// Longer lines are cut here, which makes them broken ones.
const LINE_BYTES: usize = 200_000;

#[test]
fn lines_of_fixtures_are_read_as_serde_json_reads_them() {
    hold(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures"));
}

#[test]
fn lines_of_real_files_are_read_as_serde_json_reads_them() {
    for folder in ["real", "corpus"] {
        let Some(folder) = data::folder(folder) else { return };
        hold(&folder);
    }
}

fn hold(folder: &Path) {
    let files = sessions(folder);
    let found = complaints(&files, |at, path: &PathBuf| {
        let bytes = std::fs::read(path).unwrap();
        let mut rng = Rng::with_seed(at as u64);
        let differs = |(number, line): (usize, &[u8])| {
            let whole = String::from_utf8_lossy(&line[..line.len().min(LINE_BYTES)]);
            let damaged = damaged(&whole, &mut rng);
            let differs = [&*whole, &damaged].into_iter().any(|text| !agree(text));
            differs.then(|| format!("{} line {}", path.display(), number + 1))
        };
        bytes.split(|byte| *byte == b'\n').enumerate().filter_map(differs).take(3).collect()
    });
    assert!(found.is_empty(), "{} complaints:\n{}", found.len(), found.join("\n"));
}

fn agree(text: &str) -> bool {
    let values = [json::from_str::<Value>(text), serde_json::from_str(text)].map(Result::ok);
    let raws = [json::from_str::<&RawValue>(text), serde_json::from_str(text)];
    let raws = raws.map(|raw| raw.ok().map(RawValue::get));
    values[0] == values[1] && raws[0] == raws[1] && shapes_agree(text)
}

/// A record as readers see it, with fields of every lax kind.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Record<'a> {
    #[serde(borrow, rename = "type")]
    kind: Lax<'a>,
    #[serde(borrow)]
    timestamp: Option<Cow<'a, str>>,
    #[serde(borrow)]
    message: Nested<Inner<'a>>,
    #[serde(borrow)]
    payload: Nested<Inner<'a>>,
    #[serde(rename = "isSidechain", deserialize_with = "flag")]
    is_side: bool,
    #[serde(deserialize_with = "count")]
    ordinal: Option<u64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Inner<'a> {
    #[serde(borrow)]
    role: Lax<'a>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow)]
    usage: Lax<'a>,
}

fn shapes_agree(text: &str) -> bool {
    fn same<'t, T: Deserialize<'t> + std::fmt::Debug>(text: &'t str) -> bool {
        let ours = json::from_str::<T>(text).ok().map(|value| format!("{value:?}"));
        ours == serde_json::from_str::<T>(text).ok().map(|value| format!("{value:?}"))
    }
    same::<Record<'_>>(text)
        && same::<Lax<'_>>(text)
        && same::<BTreeMap<Cow<'_, str>, &RawValue>>(text)
        && same::<Vec<&RawValue>>(text)
}

/// Changes, takes out or doubles a byte.
fn damaged(text: &str, rng: &mut Rng) -> String {
    let mut bytes = text.as_bytes().to_vec();
    if !bytes.is_empty() {
        let (at, from) = (rng.usize(..bytes.len()), rng.usize(..bytes.len()));
        match rng.u8(..3) {
            0 => bytes[at] = bytes[from],
            1 => bytes.insert(at, bytes[from]),
            _ => drop(bytes.remove(at)),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn names_that_nobody_wants_are_looked_at_as_elsewhere() {
    let texts = [
        r#"{"a\ud83d":1}"#,
        r#"{"a\ud83d\ude00":1}"#,
        r#"{"\udc00":{"b":1},"c":2}"#,
        r#"{"a":"\ud83d"}"#,
        r#"{"a\u12":1}"#,
        r#"{"é\n":1}"#,
    ];
    for text in texts {
        let ours = json::from_str::<Lax<'_>>(text).ok().map(|value| value.0);
        let theirs = serde_json::from_str::<Lax<'_>>(text).ok().map(|value| value.0);
        assert_eq!(ours, theirs, "{text}");
    }
}
