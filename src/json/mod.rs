//! JSON text to values, for text of which most is skipped.
//!
//! Takes and refuses exactly what `serde_json` does, with the same values (a test holds the two
//! together on real and on broken lines), at a fraction of the cost: a string is gone through 64
//! bytes at a time, and nothing is unescaped that nobody asked for. Raw values, `Cow` texts and
//! derived structs work as they do there.

mod ends;
mod escape;
mod left;
mod quoted;
mod reader;
mod skip;
mod unescape;
pub mod words;

use serde::Deserialize;
use serde_json::value::RawValue;

pub use ends::{Remembered, Span, remember};
pub use escape::{Quick, serialize_str};
pub use left::{Left, TextSource};
use reader::Reader;
pub use unescape::unescaped;

/// Reads the one value that `text` is.
///
/// # Errors
///
/// Where the text is no JSON, has more behind the value, or does not have the shape of `T`.
pub fn from_str<'de, T: Deserialize<'de>>(text: &'de str) -> serde_json::Result<T> {
    let mut reader = Reader::new(text);
    let value = T::deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
}

/// Returns the one value that `text` is as it stands, or nothing where it is none.
pub fn raw(text: &str) -> Option<Box<RawValue>> {
    from_str::<&RawValue>(text).ok().map(ToOwned::to_owned)
}

#[cfg(test)]
mod tests {
    use serde::de::IgnoredAny;
    use serde_json::Value;

    use super::*;

    /// Holds this parser and `serde_json` together on a text.
    fn agree(text: &str) {
        let (ours, theirs) = (from_str::<Value>(text), serde_json::from_str::<Value>(text));
        assert_eq!(ours.ok(), theirs.ok(), "{text:?}");
        let (ours, theirs) = (from_str::<&RawValue>(text), serde_json::from_str::<&RawValue>(text));
        assert_eq!(ours.ok().map(RawValue::get), theirs.ok().map(RawValue::get), "{text:?}");
        let (ours, theirs) = (from_str::<IgnoredAny>(text), serde_json::from_str(text));
        assert_eq!(ours.is_ok(), theirs.map(|_: IgnoredAny| ()).is_ok(), "{text:?}");
    }

    #[test]
    fn numbers_words_and_marks_are_read_as_elsewhere() {
        let texts = "0 -0 00 01 -01 1. .5 1.5 1e5 1E+5 1e 1e+ -1e-7 - + 1e999 -1e999 123456789012345678 \
                     18446744073709551615 18446744073709551616 -9223372036854775809 0x1 1_0 NaN \
                     true tru truee false null nul nullx [] {} [ ] [1] [1,] [,1] [1,2] [1;2] \
                     {\"a\":1} {\"a\":1,} {\"a\" 1} {\"a\":} {a:1} {1:1} {\"a\":1,\"a\":2} [}] {]} [1}] \
                     {\"a\":[{\"b\":[1,{}]}]} \"a\" \"a\"b 1,2 [\"a\",\"b\"] [[],[[]],{}] {\"\":{}} ,";
        texts.split(' ').for_each(agree);
        ["", " ", "\n[\t1 ,\r2 ]\n", "[1]\u{b}", "{\"a\" : 1 , \"b\":[ ] }", "\u{a0}1"]
            .into_iter()
            .for_each(agree);
    }

    #[test]
    fn strings_of_any_length_end_where_they_end() {
        let ends =
            ["", "\\", "\\\\", "\\\"", "\\n", "\\u00e9", "\\u00g9", "\\u12", "\\ud800", "\\x"];
        let more =
            ["\\ud83d\\ude00", "\u{1}", "\t", "\n", "é", "\u{1f600}", "\\\\\\\\\\\\\\\"", "\\/"];
        for length in (0..40).chain(55..75).chain(120..135) {
            for end in ends.iter().chain(&more) {
                agree(&format!("\"{}{end}\"", "x".repeat(length)));
                agree(&format!("\"{end}{}\"", "\\".repeat(length)));
                agree(&format!("[\"{}{end}{}\",\"y\"]", "\\\"".repeat(length), "z".repeat(length)));
                agree(&format!("\"{}{end}", "x".repeat(length)));
            }
        }
    }

    #[test]
    fn nesting_has_a_limit_only_where_one_looks_into_it() {
        for depth in [126, 127, 128, 129, 3000] {
            agree(&format!("{}{}", "[".repeat(depth), "]".repeat(depth)));
            agree(&format!("{}1{}", "{\"a\":".repeat(depth), "}".repeat(depth)));
            agree(&"[".repeat(depth));
        }
    }

    #[test]
    fn broken_texts_are_refused_where_they_are_elsewhere() {
        let whole = r#"{"type":"user","n":[1,-2.5e3,{"a":null}],"text":"a \"quoted\" word, \\ and a \u00e9 and more words than fit into one step \n of it","b":true,"é":{"":[]}}"#;
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..20_000 {
            let mut bytes = whole.as_bytes().to_vec();
            for _ in 0..random.usize(1..4) {
                let at = random.usize(..bytes.len());
                match random.u8(..4) {
                    0 => bytes[at] = b"\"\\{}[],:0u \x01n"[random.usize(..13)],
                    1 if bytes.len() > 1 => drop(bytes.remove(at)),
                    2 => bytes.truncate(at + 1),
                    _ => bytes.insert(at, bytes[random.usize(..bytes.len())]),
                }
            }
            if let Ok(text) = str::from_utf8(&bytes) {
                agree(text);
            }
        }
    }
}
