//! The parser of lines and `serde_json` give the same verdicts and values.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Debug;

use segue::json::{from_str, remember, unescaped};
use segue::jsonl::{Lax, Nested, count, flag};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use serde_json::value::RawValue;

#[derive(Debug, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Word {
    User,
    Assistant,
    Other(u8),
    Pair(u8, bool),
    Shape { a: i8 },
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Shape<'a> {
    #[serde(borrow)]
    text: Option<Cow<'a, str>>,
    #[serde(borrow)]
    id: Lax<'a>,
    #[serde(borrow)]
    message: Nested<Inner<'a>>,
    #[serde(deserialize_with = "flag")]
    live: bool,
    #[serde(deserialize_with = "count")]
    n: Option<u64>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    a: Option<i64>,
    b: Option<f64>,
    c: Option<u8>,
    d: Option<Vec<u32>>,
    e: Option<BTreeMap<String, i32>>,
    #[serde(rename = "type")]
    kind: Option<Word>,
    g: Option<(i16, char)>,
    h: Option<bool>,
    i: Option<()>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Inner<'a> {
    #[serde(borrow)]
    role: Lax<'a>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow)]
    message: Option<Box<Nested<Inner<'a>>>>,
}

fn same<'t, T: Deserialize<'t> + Debug>(text: &'t str) {
    let ours = from_str::<T>(text).ok().map(|value| format!("{value:?}"));
    let theirs = serde_json::from_str::<T>(text).ok().map(|value| format!("{value:?}"));
    assert_eq!(ours, theirs, "{} of {text:?}", std::any::type_name::<T>());
}

/// Reads a text with both, as values of several shapes; and once more with strings so long that their ends are
/// remembered.
pub fn hold(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    each_shape(text);
    let stretched = text.replace('x', &"x".repeat(STRETCH_BYTES));
    let _remembered = remember(&stretched);
    each_shape(&stretched);
    each_shape(stretched.get(STRETCH_BYTES / 2..).unwrap_or_default());
}

/// Longer than a string whose end is looked for again.
const STRETCH_BYTES: usize = 300;

fn each_shape(text: &str) {
    same::<Value>(text);
    same::<&RawValue>(text);
    same::<IgnoredAny>(text);
    same::<Shape<'_>>(text);
    same::<Cow<'_, str>>(text);
    same::<Lax<'_>>(text);
    same::<Vec<&RawValue>>(text);
    same::<BTreeMap<Cow<'_, str>, &RawValue>>(text);
    same::<Option<f64>>(text);
    same::<i64>(text);
    same::<Word>(text);
    if let Ok(raw) = serde_json::from_str::<&RawValue>(text)
        && raw.get().starts_with('"')
        && let Ok(theirs) = serde_json::from_str::<String>(raw.get())
    {
        let inner = &raw.get()[1..raw.get().len() - 1];
        assert_eq!(unescaped(inner, usize::MAX), theirs);
        let start = unescaped(inner, text.len() / 3);
        assert!(theirs.starts_with(&*start) && start.len() >= theirs.len().min(text.len() / 3));
    }
}
