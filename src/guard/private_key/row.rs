//! What a row of a private key looks like.

use std::ops::Range;

use super::super::plain::escape;

/// How many bytes stand between two rows of a key that lacks its first or its last line: of rows that are
/// short for one.
pub(super) const NEAR_BYTES: usize = 64;
/// How many bytes a row has; most have 64, the last of a key fewer.
const ROW_BYTES: usize = 40;
const SHORT_ROW_BYTES: usize = 24;
/// How many are enough beside the place where a text was cut.
const CUT_ROW_BYTES: usize = 12;
/// So many letters tell enough of a row without end.
const TELLING_BYTES: usize = 1 << 10;
/// Stands right before letters that are no secret: a digest, or a public key.
pub(super) const PUBLIC: &[&str] = &[
    "SHA256:",
    "SHA512:",
    "sha1-",
    "sha256-",
    "sha384-",
    "sha512-",
    "ssh-dss ",
    "ssh-rsa ",
    "ssh-ed25519 ",
    "-nistp256 ",
    "-nistp384 ",
    "-nistp521 ",
    "@openssh.com ",
];
/// Stands where a text was cut.
const CUT: &str = "…";

/// Letters that look like a row of a key.
pub(super) struct Row {
    pub(super) place: Range<usize>,
    pub(super) is_behind_cut: bool,
    pub(super) is_before_cut: bool,
}

impl Row {
    pub(super) fn all(text: &str, within: Range<usize>) -> impl Iterator<Item = Self> {
        let mut end = within.start;
        let is_row = |place: &Range<usize>| {
            is_row(&text.as_bytes()[place.clone()]) && stands_alone(text, place)
        };
        runs(text, within).filter(is_row).map(move |place| {
            let near = text.ceil_char_boundary(end.max(place.start.saturating_sub(NEAR_BYTES)));
            let rest = text[place.end..].trim_start();
            let is_before_cut =
                rest.is_empty() || rest.strip_prefix('[').unwrap_or(rest).starts_with(CUT);
            end = place.end;
            let is_behind_cut = text[near..place.start].contains(CUT);
            Self { is_behind_cut, is_before_cut, place }
        })
    }

    /// Whether it also looks so where no other row is near.
    pub(super) fn is_sure(&self, text: &str) -> bool {
        let letters = &text.as_bytes()[self.place.clone()];
        is_mixed(&letters[..letters.len().min(TELLING_BYTES)])
    }

    /// Whether it is long enough; beside a cut, nobody knows how long it was.
    pub(super) fn is_of(&self, bytes: usize) -> bool {
        let is_cut = self.is_behind_cut || self.is_before_cut;
        self.place.len() >= if is_cut { CUT_ROW_BYTES } else { bytes }
    }

    /// Whether it can follow so many bytes behind what was found of a key, where `gap` is the most.
    pub(super) fn goes_on(&self, bytes: usize, gap: usize) -> bool {
        bytes <= NEAR_BYTES && self.is_of(SHORT_ROW_BYTES)
            || bytes <= gap && self.place.len() >= ROW_BYTES
    }
}

/// Returns all runs of letters of Base64; those of an escape before them are none of them.
pub(super) fn runs(text: &str, within: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let bytes = text.as_bytes();
    let is_letter =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'%');
    let mut at = within.start;
    std::iter::from_fn(move || {
        at += bytes[at..within.end].iter().position(is_letter)?;
        let start = (at + escape(bytes, at)).min(within.end);
        let length = bytes[start..within.end].iter().position(|byte| !is_letter(byte));
        at = length.map_or(within.end, |length| start + length).max(at + 1);
        Some(start..at.max(start))
    })
}

/// Whether letters stand for themselves, and are no part of an expression of a program's text; nor is it
/// said before them that they are for everybody.
fn stands_alone(text: &str, place: &Range<usize>) -> bool {
    let (before, after) = (&text[..place.start], &text[place.end..]);
    let is_member = |rest: &str| rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let is_called = after.starts_with(['(', '_'])
        || after.starts_with("::")
        || after.strip_prefix('.').is_some_and(is_member)
        // A tag of HTML can end a row.
        || after.strip_prefix('<').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()));
    let is_of = before.ends_with("::")
        || before.ends_with('_')
        || before.strip_suffix('.').is_some_and(|rest| !rest.ends_with('.'));
    let is_public = PUBLIC.iter().any(|word| before.ends_with(word));
    !is_called && !is_of && !is_public
}

/// Whether letters look like a row of a key: neither a path nor a number in hexadecimal nor a name of a
/// program's text, such as `readKeyOfVersion2`, does.
pub(super) fn is_row(letters: &[u8]) -> bool {
    let count = |is: fn(&u8) -> bool| letters.iter().filter(|byte| is(byte)).count();
    let pairs = |is: fn(u8, u8) -> bool| letters.windows(2).any(|pair| is(pair[0], pair[1]));
    letters.len() >= CUT_ROW_BYTES
        && count(|byte| *byte == b'/') <= letters.len() / 8
        && count(u8::is_ascii_digit) > 0
        && count(|byte| matches!(byte, b'g'..=b'z')) > 0
        && count(|byte| matches!(byte, b'G'..=b'Z')) > 0
        && (pairs(|one, two| one.is_ascii_uppercase() && two.is_ascii_uppercase())
            || pairs(|one, two| one.is_ascii_digit() && two.is_ascii_lowercase()))
}

/// Whether capital letters, small ones and digits change places as they do where they were drawn by
/// lot. In words small letters stand together, behind a capital at most.
pub(super) fn is_mixed(letters: &[u8]) -> bool {
    let few = |count: usize, percent: usize| count * 100 < percent * letters.len();
    // Hardly anything else is as long as a row, but a short name can be odd.
    match letters.len() >= ROW_BYTES {
        true => few(in_words(letters), 50),
        false => few(in_words(letters), 40) && !few(turns(letters), 30),
    }
}

/// Returns how many of the letters are small ones beside two others.
fn in_words(letters: &[u8]) -> usize {
    let (mut count, mut run) = (0, 0);
    for letter in letters {
        run = if letter.is_ascii_lowercase() { run + 1 } else { 0 };
        count += match run {
            0..3 => 0,
            3 => 3,
            _ => 1,
        };
    }
    count
}

/// Returns how often letters of another kind follow; a small one behind a capital is of the same word.
fn turns(letters: &[u8]) -> usize {
    let kind = |byte: u8| match byte {
        b'a'..=b'z' => 0,
        b'A'..=b'Z' => 1,
        b'0'..=b'9' => 2,
        _ => 3,
    };
    let kinds = letters.windows(2).map(|pair| (kind(pair[0]), kind(pair[1])));
    kinds.filter(|(one, two)| one != two && (*one, *two) != (1, 0)).count()
}

/// Whether letters look like a row that is shorter than the others.
pub(super) fn is_short_row(text: &str, row: &Range<usize>) -> bool {
    let letters = text[row.clone()].as_bytes();
    let has = |is: fn(&u8) -> bool| letters.iter().skip(1).any(is);
    let is_number = letters.iter().all(u8::is_ascii_digit);
    let is_mixed = has(u8::is_ascii_uppercase) || has(u8::is_ascii_digit) && !is_number;
    // The name of a field is none.
    (is_mixed || letters.ends_with(b"=")) && !text[row.end..].starts_with("\":")
}
