//! Small things that are done to text everywhere here.

use std::borrow::Cow;
use std::ops::Range;

pub use super::cuts::{clip, start};
pub(super) use super::cuts::{cut, head, line, without_keys};
use crate::guard::{self, marks};
pub(super) use crate::model::is_unparted;

/// What stands, on a line of its own, where the middle of a long text was left out.
pub const GAP: &str = "\n[…]\n";

/// How many characters of a script without blanks are about a word.
const UNPARTED_CHARS: usize = 2;

/// Returns how many words a text has, about; also one that is written without blanks.
pub fn word_count(text: &str) -> usize {
    let words = text.split_whitespace();
    words
        .map(|word| {
            word.chars().filter(|c| is_unparted(*c)).count().div_ceil(UNPARTED_CHARS).max(1)
        })
        .sum()
}

/// Takes off a tag that stands alone before and after what was said.
pub(super) fn untagged(output: &str) -> &str {
    let inner = || {
        let (open, rest) = output.trim().strip_prefix('<')?.split_once(">\n")?;
        let is_name = open.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
        rest.strip_suffix(&format!("</{open}>")).filter(|_| is_name)
    };
    inner().unwrap_or(output)
}

/// Returns which part of a whole something is; none of nothing.
#[expect(clippy::cast_precision_loss, reason = "nothing here has so many words")]
pub(super) fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// Returns the rows of a file without the numbers that a harness put before them; what stands below them without one
/// is not of the file.
pub(super) fn without_numbers(output: &str) -> String {
    let row = |line: &str| {
        let rest = line.trim_start();
        let behind = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let is_numbered = behind.len() < rest.len();
        behind.strip_prefix(['\t', '→']).filter(|_| is_numbered).map(str::to_owned)
    };
    let numbered: Vec<_> = output.lines().map_while(row).collect();
    if numbered.is_empty() { output.to_owned() } else { numbered.join("\n") }
}

/// Returns the words of a line that is marked as a heading, or printed bold as a whole.
pub(super) fn marked_heading(line: &str) -> Option<&str> {
    let line = line.trim();
    let marked = line.strip_prefix('#').map(|rest| rest.trim_start_matches('#'));
    marked.or_else(|| line.strip_prefix("**")?.trim_end_matches(':').strip_suffix("**"))
}

/// Whether a row opens or closes what is quoted as code; not one that has its end on it.
pub(super) fn is_fence(row: &str) -> bool {
    fence_of(row).is_some()
}

/// Returns the mark of which a fence is made.
fn fence_of(row: &str) -> Option<char> {
    let row = row.trim_start();
    ['`', '~'].into_iter().find(|mark| {
        let three = [*mark; 3].iter().collect::<String>();
        let rest = row.strip_prefix(&three).map(|rest| rest.trim_start_matches(*mark));
        rest.is_some_and(|rest| !rest.contains(&three))
    })
}

/// How many tildes a fence has mostly; more below words draw a line under these.
const TILDES: usize = 3;

/// Tells of each row that it is given, in order, whether that is quoted as code, or a fence around it: another mark than
/// that of the first ends nothing.
pub(super) fn fenced() -> impl FnMut(&str) -> bool {
    let (mut inside, mut is_below_words) = (None, false);
    move |row| {
        let bare = row.trim();
        let underlines =
            is_below_words && bare.len() > TILDES && bare.bytes().all(|byte| byte == b'~');
        is_below_words = !bare.is_empty();
        let mark = fence_of(row).filter(|mark| inside.is_none_or(|first| first == *mark));
        let mark = mark.filter(|_| inside.is_some() || !underlines);
        let was_inside = inside.is_some();
        if let Some(mark) = mark {
            inside = if was_inside { None } else { Some(mark) };
        }
        was_inside || mark.is_some()
    }
}

/// Returns the rows that are not quoted as code.
pub(super) fn unfenced(text: &str) -> impl Iterator<Item = &str> {
    let mut is_code = fenced();
    text.lines().filter(move |row| !is_code(row))
}

/// Takes out colours and other escapes of a terminal, and what carriage returns painted over.
pub(super) fn plain(text: &str) -> String {
    cleaned(text).into_owned()
}

/// The same, borrowed where there is nothing to take out.
pub(super) fn cleaned(text: &str) -> Cow<'_, str> {
    let Some(first) = steering(text) else { return Cow::Borrowed(text) };
    let mut out = String::with_capacity(text.len());
    let (mut rest, mut next) = (text, Some(first));
    while let Some((at, c)) = next {
        out.push_str(&rest[..at]);
        rest = &rest[at + c.len_utf8()..];
        if marks::is_escape(c) {
            rest = marks::after_escape(c, rest);
        } else if c == '\r' && !rest.is_empty() && !rest.starts_with(['\n', '\r']) {
            // At the end of a row it paints over nothing.
            out.truncate(out.rfind('\n').map_or(0, |at| at + 1));
        }
        next = steering(rest);
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// How many bytes are looked at at once.
const BLOCK_BYTES: usize = 64;

/// Finds the first character that steers a terminal.
fn steering(text: &str) -> Option<(usize, char)> {
    // The lead byte of the two that make up U+0080 to U+009F is rare enough to look twice.
    let may_steer = |byte: &u8| {
        let is_control = (*byte < b' ') & (*byte != b'\n') & (*byte != b'\t');
        is_control | (*byte == 0x7F) | (*byte == 0xC2)
    };
    let in_block = |block: &[u8]| block.iter().fold(false, |found, byte| found | may_steer(byte));
    let mut from = 0;
    // Looked at in blocks: most texts have nothing of that, and some are long.
    for block in text.as_bytes().chunks(BLOCK_BYTES) {
        if in_block(block) {
            let places = block.iter().enumerate().filter(|(_, byte)| may_steer(byte));
            let mut found =
                places.filter_map(|(at, _)| Some((from + at, text[from + at..].chars().next()?)));
            if let Some(found) = found.find(|(_, c)| marks::is_steering(*c)) {
                return Some(found);
            }
        }
        from += block.len();
    }
    None
}

/// The secrets in a text. A word of one, alone, looks like a name to everybody, so it has to be told
/// from a name where all of the text is there.
pub(super) struct Secrets<'t> {
    text: &'t str,
    places: Vec<Range<usize>>,
}

impl<'t> Secrets<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        Self { text, places: guard::secrets(text) }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Whether a word of the text has a letter of a secret.
    pub(super) fn has(&self, word: &str) -> bool {
        let start = word.as_ptr().addr() - self.text.as_ptr().addr();
        let next = self.places.partition_point(|place| place.end <= start);
        self.places.get(next).is_some_and(|place| place.start < start + word.len())
    }
}

/// Returns the words that look like names in code: at least six characters, with an underscore
/// inside or a change from small to capital letters.
pub(super) fn names(text: &str) -> impl Iterator<Item = &str> {
    ascii_words(text)
        .map(|word| without_escape(text, word))
        .filter(|word| (6..=60).contains(&word.len()) && is_name(word) && !is_cut(text, word))
}

/// Returns the longest pieces of a text that are of ASCII letters, digits and underscores.
fn ascii_words(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let mut at = 0;
    std::iter::from_fn(move || {
        let bytes = text.as_bytes();
        let start = at + bytes[at..].iter().position(is_part)?;
        let length = bytes[start..].iter().position(|byte| !is_part(byte));
        at = length.map_or(bytes.len(), |length| start + length);
        text.get(start..at)
    })
}

/// Tells whether a word of `text` is only the start of a name: a program cut it to fit its line, or
/// somebody looks for all that begin so.
fn is_cut(text: &str, word: &str) -> bool {
    let end = word.as_ptr().addr() - text.as_ptr().addr() + word.len();
    let behind = &text[end..];
    let is_clipped = behind.starts_with("...") || behind.starts_with('…');
    is_clipped || (word.ends_with('_') && behind.starts_with(['|', '*', '[', '\\']))
}

/// Takes off a word of `text` the letter of an escaped end of a line, as `\n` in a string of code.
fn without_escape<'t>(text: &'t str, word: &'t str) -> &'t str {
    let rest = || word.strip_prefix(['n', 'r', 't']);
    let at = word.as_ptr().addr() - text.as_ptr().addr();
    let Some(before) = text.as_bytes()[..at].strip_suffix(b"\\") else { return word };
    // A path or a formula has such words too, but a capital there begins another word; behind a
    // quote or another escape stands no name that it could go on.
    let is_begun = before.last().is_some_and(|c| b"\"'`".contains(c))
        || [&b"\\n"[..], b"\\r", b"\\t"].iter().any(|escape| before.ends_with(escape));
    let is_word = |rest: &&str| is_begun || rest.starts_with(|c: char| c.is_ascii_uppercase());
    rest().filter(is_word).unwrap_or(word)
}

fn is_name(word: &str) -> bool {
    let starts = word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let inner = word.trim_matches('_');
    let hump = || {
        word.as_bytes()
            .windows(2)
            .any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
    };
    starts && !inner.is_empty() && (inner.contains('_') || hump())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_go_and_repainted_lines_show_their_last_state() {
        assert_eq!(plain("\u{1b}[31mred\u{1b}[0m 10%\r100%\ndone\r\n"), "100%\ndone\n");
        assert_eq!(plain("\u{1b}]0;title\u{7}text"), "text");
        assert_eq!(plain("one\r\r\n1%\r\r2%\r\nlast\r"), "one\n2%\nlast");
    }

    #[test]
    fn what_steers_is_found_wherever_it_stands_in_a_block() {
        for lead in 0..140 {
            // The first byte of a letter that steers nothing is the same.
            let lead = "é£".chars().cycle().take(lead).collect::<String>();
            for (text, left) in [
                ("\u{1b}[1mx\u{1b}[0m é\u{1b}", "x é"),
                ("\u{9b}31mx\u{85}y\u{7f}", "xy"),
                ("\u{1b}]0;a\u{1b}\\b\u{1b}(Bc\u{1b}\nd", "bc\nd"),
                ("£ is plain", "£ is plain"),
            ] {
                assert_eq!(plain(&format!("{lead}{text}")), format!("{lead}{left}"));
            }
            assert_eq!(plain(&format!("a\n{lead}\rb\u{7}")), "a\nb");
        }
    }

    #[test]
    fn words_are_counted_also_where_no_blanks_part_them() {
        assert_eq!(word_count("go on with it, please"), 5);
        assert_eq!(word_count("이대로 계속 진행해 주세요"), 4);
        assert_eq!(word_count("好"), 1);
        assert_eq!(word_count("请把解析器里的小数点问题修好，然后写测试"), 10);
        assert_eq!(word_count("請用 cargo 跑測試"), 4);
    }

    #[test]
    fn what_stands_between_fences_of_either_kind_is_code() {
        let told = |text: &str| unfenced(text).collect::<Vec<_>>().join("|");
        assert_eq!(told("a\n```md\nb\n```\nc\n~~~\nd\n  ~~~\ne"), "a|c|e");
        assert_eq!(told("a\n```make``` first\nb"), "a|```make``` first|b");
        assert_eq!(told("a\n````\nb\n````\n~~c~~"), "a|~~c~~");
        // What is struck out, or underlined, is none, nor what stands in another block.
        assert_eq!(told("~~~done~~~ a\n~~~~ plan ~~~~\nb"), "~~~done~~~ a|~~~~ plan ~~~~|b");
        assert_eq!(told("What is left\n~~~~~~~~~~~~\nb"), "What is left|~~~~~~~~~~~~|b");
        assert_eq!(told("```\n~~~\na\n```\nb"), "b");
    }

    #[test]
    fn a_tag_around_all_that_was_said_is_taken_off() {
        assert_eq!(untagged("<said_so>\nhi\n</said_so>"), "hi\n");
        assert_eq!(untagged("<p>\nhi\n</div>"), "<p>\nhi\n</div>");
    }

    #[test]
    fn names_are_told_from_words() {
        let found: Vec<_> = names(
            "let max_count_ = readLine(HashMap, plain, __x__, 'read_all_|y', PermissionErr...);",
        )
        .collect();
        assert_eq!(found, ["max_count_", "readLine", "HashMap"]);
        let code = r#"echo "a.\nAllow: /\n\nDisallow\n\tread_all" C:\src\new_files \tau_max"#;
        assert_eq!(names(code).collect::<Vec<_>>(), ["read_all", "new_files", "tau_max"]);
    }
}
