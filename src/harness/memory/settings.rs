//! Files of settings in JSON, which say where memories stand.

use camino::Utf8Path;
use serde_json::Value;

use super::found::finding;
use super::{Stored, Tree};
use crate::harness::{Finding, Severity};
use crate::model::Layer;
use crate::note::{NoteKind, Notes};

/// Reads what a file of settings says.
pub type Reads = fn(&[u8]) -> serde_json::Result<Value>;

/// Reads settings in plain JSON; an empty file says nothing.
pub fn plain(bytes: &[u8]) -> serde_json::Result<Value> {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    if bytes.trim_ascii().is_empty() { Ok(Value::Null) } else { serde_json::from_slice(bytes) }
}

/// Reads settings in JSON that may have comments, of a line or of a stretch.
pub fn commented(bytes: &[u8]) -> serde_json::Result<Value> {
    plain(&bare(bytes))
}

/// Returns JSON with blanks in place of comments, so that lines stay where they are.
fn bare(json: &[u8]) -> Vec<u8> {
    let mut out = json.to_vec();
    let (mut at, mut in_text) = (0, false);
    while at < json.len() {
        let rest = &json[at..];
        let end = match rest {
            [b'\\', _, ..] if in_text => 2,
            [b'"', ..] => {
                in_text = !in_text;
                1
            }
            [b'/', b'/', ..] if !in_text => memchr::memchr(b'\n', rest).unwrap_or(rest.len()),
            [b'/', b'*', ..] if !in_text => {
                memchr::memmem::find(&rest[2..], b"*/").map_or(rest.len(), |end| end + 4)
            }
            _ => 1,
        };
        if end > 1 && !in_text {
            let gap = out[at..at + end].iter_mut().filter(|byte| !byte.is_ascii_whitespace());
            gap.for_each(|byte| *byte = b' ');
        }
        at += end;
    }
    out
}

/// Returns the files of settings that cannot be read, with the reason.
fn broken(tree: &Tree, reads: Reads) -> impl Iterator<Item = (&Utf8Path, serde_json::Error)> {
    let why = move |(path, file): (&'_ camino::Utf8PathBuf, &Stored)| {
        let is_json = path.extension() == Some("json");
        is_json.then(|| reads(&file.bytes).err()).flatten()
    };
    let all = tree.of(Layer::Settings);
    all.filter_map(move |(path, file)| Some((path.as_path(), why((path, file))?)))
}

/// Notes the files of settings of which nothing is known, since they cannot be read.
pub fn note(tree: &Tree, reads: Reads, notes: &mut Notes) {
    for (path, why) in broken(tree, reads) {
        notes.add(NoteKind::BrokenSettings, path.as_str(), why.line() as u64);
    }
}

/// Finds the same for a check.
pub fn check(tree: &Tree, reads: Reads) -> impl Iterator<Item = (camino::Utf8PathBuf, Finding)> {
    broken(tree, reads).map(|(path, why)| {
        let message = format!("the settings cannot be read, and say nothing of memories: {why}");
        (path.to_owned(), finding(Severity::Warning, why.line(), "settings", message, None))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_passed_over_outside_of_texts() {
        let text =
            "// one\n{ /* \" */ \"a\": \"http://x /* y */ \\\" // z\", // two\n \"b\": 1 }\n/* end";
        let said = commented(text.as_bytes()).unwrap();
        assert_eq!(said, serde_json::json!({"a": "http://x /* y */ \" // z", "b": 1}));
        assert_eq!(commented(b"/* a\nb */ {\n").unwrap_err().line(), 3);
        assert!(plain(b"{} // x").is_err() && plain(b" \n").is_ok() && commented(b"/").is_err());
    }
}
