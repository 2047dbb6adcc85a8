//! The rows of a private key where something stands between them: a mark of a quotation, the number of
//! a line, the name of a file, the quotes and joints of a program's text.

use std::ops::Range;

use super::plain::escape;

/// How many bytes stand between two rows, at most, and before the first, where a key can have headers.
const GAP_BYTES: usize = 64;
const HEAD_BYTES: usize = 320;
/// How many bytes a row has, at least, that nothing but its letters tells; those of a key have 64.
const ROW_BYTES: usize = 40;
/// How many of a row behind which the text was cut.
const CUT_ROW_BYTES: usize = 12;
/// What stands around the first and the last line.
const RULE: &[u8] = b"-----";
const END: &str = "-----END";
/// Stands where a text was cut.
const CUT: &str = "…";

/// Adds the rows that follow what was found of a key, as far as they go on: to it, or as pieces of their
/// own where the end of a string stands between.
pub(super) fn grown(text: &str, mut key: Range<usize>) -> Vec<Range<usize>> {
    let (mut found, mut gap) = (Vec::new(), HEAD_BYTES);
    while let Some(row) = next(text.as_bytes(), key.end, gap) {
        gap = GAP_BYTES;
        if !ends_string(&text[key.end..row.start]) {
            key.end = row.end;
            continue;
        }
        found.push(std::mem::replace(&mut key, row));
    }
    found.push(key);
    found
}

/// Returns what is there of keys of which only the end is there: behind a cut, or as the last lines.
pub(super) fn tails(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    for (at, _) in text.match_indices(END) {
        let cut = text[from..at].rfind(CUT).map(|cut| from + cut + CUT.len());
        let start = cut.unwrap_or_else(|| last_rows(text, from, at));
        from = at;
        let end = &text[at..text.floor_char_boundary(at + GAP_BYTES)];
        // Of a word alone before the end nobody knows that it is of a key.
        if !end.contains("PRIVATE KEY") || !has_row(&text[start..at]) {
            continue;
        }
        let text = &text[..at + END.len()];
        let first = next(text.as_bytes(), start, GAP_BYTES);
        found.extend(first.into_iter().flat_map(|row| grown(text, row)));
    }
    found
}

/// Returns where the lines with rows begin that stand right before a place, of which the last may be
/// short.
fn last_rows(text: &str, from: usize, at: usize) -> usize {
    let Some(end) = text[from..at].rfind('\n') else { return at };
    let (mut start, mut end, mut is_last) = (at, from + end, true);
    loop {
        let begin = text[from..end].rfind('\n').map(|line| from + line);
        let line = begin.map_or(from, |line| line + 1);
        let has_row = has_row(&text[line..end]);
        if !has_row && !is_last {
            return start;
        }
        // A short line alone is none of a key.
        start = if has_row { line } else { start };
        let Some(begin) = begin else { return start };
        (end, is_last) = (begin, false);
    }
}

/// Whether a row of a key stands in a text.
pub(super) fn has_row(text: &str) -> bool {
    text.as_bytes().split(|byte| !is_letter(*byte)).any(|run| is_row(run, ROW_BYTES))
}

/// Whether a string ends in a piece of text: a quote stands there that is not escaped.
fn ends_string(piece: &str) -> bool {
    let mut slashes = 0;
    piece.bytes().any(|byte| {
        let ends = byte == b'"' && slashes % 2 == 0;
        slashes = if byte == b'\\' { slashes + 1 } else { 0 };
        ends
    })
}

/// Returns the next row, if it begins within `gap` bytes.
fn next(bytes: &[u8], from: usize, gap: usize) -> Option<Range<usize>> {
    let until = bytes.len().min(from + gap);
    let mut at = from;
    while at < until {
        if bytes[at..].starts_with(RULE) {
            return None;
        }
        if !is_letter(bytes[at]) {
            at += 1;
            continue;
        }
        let start = at + escape(bytes, at);
        let end = bytes[start..].iter().position(|byte| !is_letter(*byte));
        let end = end.map_or(bytes.len(), |length| start + length);
        let least = if is_cut(bytes, end) { CUT_ROW_BYTES } else { ROW_BYTES };
        if is_row(&bytes[start..end], least) || ends_key(bytes, end) {
            return Some(start..end);
        }
        at = end.max(at + 1);
    }
    None
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

/// Whether a text ends at a place, or was cut there.
fn is_cut(bytes: &[u8], at: usize) -> bool {
    let rest = bytes[at..].trim_ascii_start();
    rest.is_empty() || rest.starts_with(CUT.as_bytes()) || rest.starts_with("[…".as_bytes())
}

/// Whether letters look like a row of a key: neither a path nor a number in hexadecimal does.
fn is_row(letters: &[u8], least: usize) -> bool {
    let has = |is: fn(&u8) -> bool| letters.iter().any(is);
    let slashes = letters.iter().filter(|byte| **byte == b'/').count();
    letters.len() >= least
        && slashes <= letters.len() / 12
        && has(u8::is_ascii_digit)
        && has(|byte| matches!(byte, b'g'..=b'z'))
        && has(|byte| matches!(byte, b'G'..=b'Z'))
}

/// Whether the key ends behind a place, so that a short row stood before it.
fn ends_key(bytes: &[u8], at: usize) -> bool {
    let rest = &bytes[at..bytes.len().min(at + GAP_BYTES)];
    let end = rest.windows(RULE.len()).position(|window| window == RULE);
    end.is_some_and(|end| {
        let stands_alone =
            !rest[..end].split(|byte| !is_letter(*byte)).any(|row| is_row(row, ROW_BYTES));
        stands_alone && bytes[at + end..].starts_with(END.as_bytes())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        let rows = grown(text, 0..0).into_iter().filter(|row| !row.is_empty());
        rows.map(|row| &text[row]).collect()
    }

    #[test]
    fn rows_are_found_whatever_stands_between() {
        let row = "MIIEpAIBAAKCAQEA7v0Xy1bq9ZK4s2mPz8RrTfLwQe3n5Jc6hDgUaYtVoWxSk0Ij";
        for (before, after, pieces) in
            [("> ", "", 1), ("  12→", "", 1), ("k.pem:3:", "", 1), ("  \"", "\\n\",", 4)]
        {
            let line = |row: &str| format!("{before}{row}{after}\n");
            let end = line("-----END RSA PRIVATE KEY-----");
            let text = [line(row), line(row), line("abc="), end].concat();
            let found = found(&text);
            assert!(found.len() <= pieces && found[0].ends_with(row) != (pieces == 1), "{found:?}");
            assert!(found.iter().any(|one| one.contains("abc=")), "{found:?}");
        }
        assert_eq!(found(&format!(r#"","\n{row}\u0022\nabc"#)), [row]);
        // Of the end alone, too; prose before it is none.
        let end = "-----END RSA PRIVATE KEY-----";
        let tail = |text: &str| tails(text).into_iter().map(|row| text[row].len()).sum::<usize>();
        assert_eq!(tail(&format!("It was:\n> {row}\n> abc=\n> {end}")), row.len() + 3 + 4);
        assert_eq!(tail(&format!("see\nIt ends with\n{end}")), 0);
        assert_eq!(tail(&format!("next… and\n{end}")), 0);
        assert_eq!(tail(&format!("… > {row}\n-----END of it")), 0);
        // What only looks like an escape ends nowhere inside of a letter.
        for odd in [r"C:\dev\unité", r"\uni漢字", r"\u000é", r"\u漢", r"\n漢", r"\u12"] {
            for text in [format!("…{odd}\n> {row}\n{odd}\n{end}"), format!("{row}\n{odd}\n{end}")]
            {
                tail(&text);
                found(&text);
            }
            found(odd);
        }
    }

    #[test]
    fn other_text_is_no_row() {
        let path = "is in /home/ada/Projects2/Some/long/path/of/sources/that/has/digits3";
        for text in ["a key. See the docs of it, and what else there is to say of that.", path] {
            assert_eq!(found(text), [""; 0]);
        }
        assert_eq!(found(&"0123456789abcdef".repeat(4)), [""; 0]);
        assert_eq!(found(&format!("-----BEGIN RSA {}", "aB3dE6gH9jK2mN5pQ8sT".repeat(3))), [""; 0]);
        assert!(!ends_string(r#"\n\" + \""#) && ends_string(r#"\\","#) && ends_string("\"\n\""));
    }
}
