//! Texts of others inside of Markdown: none may end what it stands in.

use std::fmt::Write as _;

use super::blocks::Blocks;
use crate::model::shortened;

/// Opens a folded passage; `head` is already safe.
pub(super) fn open(out: &mut String, head: &str) {
    let _ = writeln!(out, "\n<details><summary>{head}</summary>");
}

/// Writes a folded passage.
pub(super) fn folded(out: &mut String, head: &str, body: &str) {
    open(out, head);
    let _ = writeln!(out, "\n{body}\n\n</details>");
}

/// Returns `text` on one line of at most `most` characters.
pub(super) fn one_line(text: &str, most: usize) -> String {
    // Of a long text a little more than can be told is enough, so that it is seen where the word ends.
    let (mut line, mut count) = (String::new(), 0);
    for word in text.split_whitespace() {
        if count > 0 {
            line.push(' ');
        }
        line.push_str(word);
        count += word.chars().count() + 1;
        if count > most + 2 {
            break;
        }
    }
    shortened(&line, most)
}

/// Returns `text` without anything that HTML would take for a mark.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Returns `text` as a quotation, line by line; its tags are text.
pub(super) fn quoted(text: &str) -> String {
    let safe = prose(text.trim());
    let lines =
        safe.lines().map(|line| if line.is_empty() { ">".into() } else { format!("> {line}") });
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns Markdown of others: outside of code tags are text, and a code block that is left open is
/// closed.
pub(super) fn prose(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut blocks = Blocks::default();
    for line in text.trim().lines() {
        // The marks of a code block are no text; a line of it is never read for tags.
        if blocks.takes(line) {
            out.push_str(line);
        } else {
            tagless(&mut out, line);
        }
        out.push('\n');
    }
    out.extend(blocks.end());
    out.trim_end().to_owned()
}

/// Writes a line of prose; `<` is kept only within code on the same line.
fn tagless(out: &mut String, line: &str) {
    let mut pieces = line.split('`').peekable();
    let mut in_code = false;
    while let Some(piece) = pieces.next() {
        // A last backtick without another one opens nothing.
        let is_code = in_code && pieces.peek().is_some();
        let safe = if is_code { piece.into() } else { piece.replace('<', "&lt;") };
        out.push_str(&safe);
        if pieces.peek().is_some() {
            out.push('`');
        }
        in_code = !in_code;
    }
}

/// Writes a code block whose marks are longer than any run of backticks in it.
pub(super) fn block(out: &mut String, language: &str, text: &str) {
    let (mut longest, mut run) = (0, 0);
    for c in text.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let mark = "`".repeat(longest.max(2) + 1);
    let _ = writeln!(out, "\n{mark}{language}\n{}\n{mark}", text.trim_end_matches('\n'));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_what_it_stands_in() {
        assert_eq!(prose("a </details> `<b>` <c"), "a &lt;/details> `<b>` &lt;c");
        assert_eq!(prose("```rust\nlet a: Vec<u8>;"), "```rust\nlet a: Vec<u8>;\n```");
        assert_eq!(prose("~~~\n```\n<x>\n~~~\n<y>"), "~~~\n```\n<x>\n~~~\n&lt;y>");
        assert_eq!(prose("a ` <b>"), "a ` &lt;b>");
        assert_eq!(prose("- a\n  ```\n  <b>"), "- a\n  ```\n  <b>\n  ```");
        assert_eq!(prose("1. ```\n   <b>"), "1. ```\n   <b>\n   ```");
        assert_eq!(prose("- a\n  ```\n<b>"), "- a\n  ```\n&lt;b>");
        assert_eq!(prose("- a\nb\n  ```\n  c\n  ```\n<d>"), "- a\nb\n  ```\n  c\n  ```\n&lt;d>");
        assert_eq!(prose("a\n\n    ```\n<b>"), "a\n\n    ```\n&lt;b>");
        assert_eq!(prose("```a```\n<b>"), "```a```\n&lt;b>");
        assert_eq!(quoted("# a\n\nb"), "> # a\n>\n> b");
        let mut out = String::new();
        block(&mut out, "", "x\n````\ny");
        assert_eq!(out, "\n`````\nx\n````\ny\n`````\n");
        assert_eq!(one_line("a\n b  c", 4), "a b…");
    }
}
