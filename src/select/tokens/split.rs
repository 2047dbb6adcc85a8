//! Cuts a text into the pieces whose bytes `o200k_base` merges.
//!
//! Its pattern, as tiktoken publishes it, is seven alternatives, of which the first that matches
//! counts. They are written out here one by one, since a compiled pattern takes longer to make
//! than all texts of a pack take to count:
//!
//! ```text
//! [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//! [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//! \p{N}{1,3}
//!  ?[^\s\p{L}\p{N}]+[\r\n/]*
//! \s*[\r\n]+
//! \s+(?!\S)
//! \s+
//! ```

use unicode_general_category::{GeneralCategory as Of, get_general_category};

/// What a character is; a set of these is their sum.
type Class = u8;

const UPPER: Class = 1;
const LOWER: Class = 2;
/// A letter without case, which counts as upper and as lower.
const CASELESS: Class = 4;
/// A mark counts as upper and as lower, but is no letter.
const MARK: Class = 8;
const NUMBER: Class = 16;
const BLANK: Class = 32;
const NEWLINE: Class = 64;
const OTHER: Class = 128;

const AS_UPPER: Class = UPPER | CASELESS | MARK;
const AS_LOWER: Class = LOWER | CASELESS | MARK;
/// What may stand before a word and belong to it.
const LEAD: Class = MARK | BLANK | OTHER;

/// The classes of the characters up to U+007F.
static ASCII: [Class; 128] = ascii();

const fn ascii() -> [Class; 128] {
    let mut classes = [OTHER; 128];
    let mut at = 0_u8;
    while at < 128 {
        classes[at as usize] = match at {
            b'\r' | b'\n' => NEWLINE,
            b'\t' | 0x0B | 0x0C | b' ' => BLANK,
            b'A'..=b'Z' => UPPER,
            b'a'..=b'z' => LOWER,
            b'0'..=b'9' => NUMBER,
            _ => OTHER,
        };
        at += 1;
    }
    classes
}

fn class(char: char) -> Class {
    if let Some(class) = ASCII.get(char as usize) {
        return *class;
    }
    match get_general_category(char) {
        Of::UppercaseLetter | Of::TitlecaseLetter => UPPER,
        Of::LowercaseLetter => LOWER,
        Of::ModifierLetter | Of::OtherLetter => CASELESS,
        Of::NonspacingMark | Of::SpacingMark | Of::EnclosingMark => MARK,
        Of::DecimalNumber | Of::LetterNumber | Of::OtherNumber => NUMBER,
        _ if char.is_whitespace() => BLANK,
        _ => OTHER,
    }
}

/// Returns the pieces of a text, which together are the text.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (piece, after) = rest.split_at(first(rest));
        rest = after;
        Some(piece)
    })
}

/// Returns the end of the first piece of a text that is not empty.
fn first(text: &str) -> usize {
    word(text).or_else(|| number(text)).or_else(|| marks(text)).unwrap_or_else(|| blanks(text))
}

/// Returns the class of the character at `at`, and where it ends; none at the end.
fn look(text: &str, at: usize) -> (Class, usize) {
    match text.as_bytes().get(at) {
        Some(byte) if byte.is_ascii() => (ASCII[usize::from(*byte)], at + 1),
        Some(_) => {
            let char = text[at..].chars().next().unwrap_or_default();
            (class(char), at + char.len_utf8())
        }
        None => (0, at),
    }
}

/// Returns the end of the characters from `at` on that are of the classes `of`.
fn run(text: &str, mut at: usize, of: Class) -> usize {
    loop {
        let (class, end) = look(text, at);
        if class & of == 0 {
            return at;
        }
        at = end;
    }
}

/// The first two alternatives, each with the character before the word and without it.
fn word(text: &str) -> Option<usize> {
    let (class, end) = look(text, 0);
    let begins = |class: Class| class & (AS_UPPER | AS_LOWER) != 0;
    // Marks and numbers are soon seen to begin none.
    if !begins(class) && (class & LEAD == 0 || !begins(look(text, end).0)) {
        return None;
    }
    let lead = (class & LEAD != 0).then_some(end);
    let starts = || lead.into_iter().chain([0]);
    let upper = |start| Some(run(text, start, AS_UPPER)).filter(|end| *end > start);
    let end = starts().find_map(|start| lower(text, start)).or_else(|| starts().find_map(upper));
    end.map(|end| end + contraction(&text[end..]))
}

/// Returns the end of a word that has something lower at its end.
fn lower(text: &str, start: usize) -> Option<usize> {
    let end = run(text, start, AS_UPPER);
    let all = run(text, end, AS_LOWER);
    if all > end {
        return Some(all);
    }
    // What counts as both was taken as upper: the last of it can be the lower end.
    let mut chars = text[start..end].char_indices().rev();
    let last = chars.find(|(_, char)| class(*char) & AS_LOWER != 0);
    last.map(|(at, char)| start + at + char.len_utf8())
}

/// Returns the length of the `'s` or its like that `text` begins with.
fn contraction(text: &str) -> usize {
    let Some(rest) = text.strip_prefix('\'') else { return 0 };
    let is = |end: &str| rest.get(..end.len()).is_some_and(|head| head.eq_ignore_ascii_case(end));
    if rest.starts_with('ſ') {
        return 1 + 'ſ'.len_utf8();
    }
    let ends = ["s", "t", "re", "ve", "m", "ll", "d"];
    ends.into_iter().find(|end| is(end)).map_or(0, |end| 1 + end.len())
}

fn number(text: &str) -> Option<usize> {
    let mut end = 0;
    for _ in 0..3 {
        let (class, next) = look(text, end);
        if class != NUMBER {
            break;
        }
        end = next;
    }
    (end > 0).then_some(end)
}

fn marks(text: &str) -> Option<usize> {
    let start = usize::from(text.starts_with(' '));
    let end = run(text, start, OTHER | MARK);
    let after = |end: usize| {
        let rest = text[end..].trim_start_matches(['\r', '\n', '/']);
        text.len() - rest.len()
    };
    (end > start).then(|| after(end))
}

/// The last three alternatives: blanks up to the last newline among them, else but for the last
/// one, which belongs to what follows.
fn blanks(text: &str) -> usize {
    let end = run(text, 0, BLANK | NEWLINE);
    let blanks = &text[..end];
    if let Some(newline) = blanks.rfind(['\r', '\n']) {
        return newline + 1;
    }
    let last = blanks.chars().next_back().map_or(0, char::len_utf8);
    if end == text.len() || end == last { end } else { end - last }
}
