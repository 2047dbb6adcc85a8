//! ATIF documents, of this program or another: steps to items.

mod head;
mod part;
mod step;
mod tool;
mod tree;

use super::{Harness, Sink, Want, no_items};
use crate::error::Result;
use crate::jsonl::{self, Input};
use crate::model::{Body, End, Header};
use tree::Tree;

/// Reads ATIF documents, whatever agent they tell of.
pub(super) struct Atif;

impl Harness for Atif {
    fn name(&self) -> &'static str {
        "atif"
    }

    fn title(&self) -> &'static str {
        "an ATIF document"
    }

    fn keeps_past(&self) -> bool {
        false
    }

    fn recognises(&self, head: &str) -> bool {
        says_so(head)
    }

    fn header(&self, input: &Input) -> Result<Header> {
        let root = jsonl::document(input)?;
        let tree = Tree::read(&root, input, Want::default());
        if tree.items.is_empty() {
            return Err(no_items(input));
        }
        Ok(head::header(&root, &tree.items, input))
    }

    fn read(&self, input: &Input, want: Want, sink: &mut dyn Sink) -> Result<End> {
        let root = jsonl::document(input)?;
        let tree = Tree::read(&root, input, want);
        if tree.items.is_empty() {
            return Err(no_items(input));
        }
        sink.header(&head::header(&root, &tree.items, input))?;
        if want.raw_lines {
            let mut lines = input.lines()?;
            while let Some(line) = lines.next_line()? {
                sink.raw_line(line.number, line.bytes, line.ended)?;
            }
        }
        for item in tree.items {
            let is_wanted = item.live || matches!(item.body, Body::Compaction(_));
            if is_wanted || !want.live_only {
                sink.item(item)?;
            }
        }
        Ok(End { tally: tree.tally, notes: tree.notes.list() })
    }
}

/// Tells whether the first value is an object that itself, and not something inside of it, names
/// the schema. The head may end anywhere.
fn says_so(head: &str) -> bool {
    let (mut depth, mut at) = (0usize, 0);
    let bytes = head.as_bytes();
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => {
                let Some(end) = closing(bytes, at + 1) else { return false };
                let is_key = depth == 1 && &bytes[at + 1..end] == b"schema_version";
                at = end;
                if is_key {
                    let rest = head[end + 1..].trim_start().strip_prefix(':');
                    return rest.is_some_and(|rest| rest.trim_start().starts_with("\"ATIF-"));
                }
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return false;
        }
    }
    false
}

/// Returns where the string ends that begins at `from`.
fn closing(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        at += memchr::memchr2(b'"', b'\\', bytes.get(at..)?)?;
        if bytes[at] == b'"' {
            return Some(at);
        }
        at += 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_document_that_names_the_schema_itself_is_one() {
        assert!(says_so("{\"schema_version\": \"ATIF-v1.7\", \"steps\": [{\"mess"));
        assert!(says_so(
            "{\n \"agent\": {\"name\": \"a\\\"}\"},\n \"schema_version\" : \"ATIF-v1.2\""
        ));
        assert!(!says_so("{\"type\":\"user\",\"x\":{\"schema_version\":\"ATIF-v1.7\"}}"));
        assert!(!says_so("{\"a\":1}\n{\"schema_version\":\"ATIF-v1.7\"}"));
        assert!(!says_so("{\"schema_version\":\"2\"}"));
        assert!(!says_so("\"schema_version\""));
        assert!(!says_so("{\"a\\"));
        assert!(!says_so(""));
    }
}
