//! A text as its reader sees it where JSON writes plain characters as escapes, and where each piece
//! stands in the text as it is.

use std::borrow::Cow;
use std::ops::Range;

/// A text without the escapes of JSON that stand for printable ASCII, `\u0073` and `\/`.
///
/// JSON in a string of JSON has more backslashes; they are part of the escape. All other escapes
/// stay: no rule looks for what they stand for.
pub(super) struct Plain<'t> {
    pub text: Cow<'t, str>,
    /// Every escape that is replaced: where it stands now, and where it stood.
    units: Vec<(Range<usize>, Range<usize>)>,
}

impl<'t> Plain<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let mut found = Self { text: Cow::Borrowed(text), units: Vec::new() };
        if !text.contains("\\u00") && !text.contains("\\/") {
            return found;
        }
        let mut plain = String::with_capacity(text.len());
        let (mut copied, mut at) = (0, 0);
        while let Some(start) = text[at..].find('\\').map(|start| at + start) {
            let slashes = text[start..].bytes().take_while(|byte| *byte == b'\\').count();
            at = start + slashes;
            let Some((stands_for, length)) = stands_for(&text[at..]) else { continue };
            at += length;
            plain.push_str(&text[copied..start]);
            copied = at;
            let now = plain.len();
            // These two would end the string, or begin an escape.
            if matches!(stands_for, '"' | '\\') {
                plain.push('\\');
            }
            plain.push(stands_for);
            found.units.push((now..plain.len(), start..at));
        }
        if !found.units.is_empty() {
            plain.push_str(&text[copied..]);
            found.text = Cow::Owned(plain);
        }
        found
    }

    /// Returns where a piece of the plain text stands in the text as it is, with all of the escapes
    /// that it touches.
    pub(super) fn source(&self, place: &Range<usize>) -> Range<usize> {
        let before = |at: usize| self.units.partition_point(|(now, _)| now.start < at);
        let start = match before(place.start + 1).checked_sub(1).map(|unit| &self.units[unit]) {
            Some((now, then)) if place.start < now.end => then.start,
            Some((now, then)) => then.end + (place.start - now.end),
            None => place.start,
        };
        let end = match before(place.end).checked_sub(1).map(|unit| &self.units[unit]) {
            Some((now, then)) => then.end + place.end.saturating_sub(now.end),
            None => place.end,
        };
        start..end
    }
}

/// Returns the printable ASCII character that an escape stands for, and how long it is behind its
/// backslashes.
fn stands_for(rest: &str) -> Option<(char, usize)> {
    if rest.starts_with('/') {
        return Some(('/', 1));
    }
    let digits = rest.strip_prefix("u00")?.get(..2)?;
    let code = u8::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with('+'))?;
    matches!(code, b' '..=b'~').then(|| (char::from(code), 5))
}

/// Returns how many bytes at a place belong to an escape that begins before it, such as `\n`.
pub(super) fn escape(bytes: &[u8], at: usize) -> usize {
    let slashes = bytes[..at].iter().rev().take_while(|byte| **byte == b'\\').count();
    let is_code = |code: &[u8]| code.len() == 4 && code.iter().all(u8::is_ascii_hexdigit);
    match bytes[at] {
        _ if slashes % 2 == 0 => 0,
        b'u' if bytes.get(at + 1..at + 5).is_some_and(is_code) => 5,
        b'n' | b'r' | b't' | b'b' | b'f' => 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_characters_are_unescaped_and_found_again() {
        let text = r#"a \u0073k\u002d1 \\u0041\/é\u00e9\n\u001b\u0022x\u00"#;
        let plain = Plain::of(text);
        assert_eq!(plain.text, r#"a sk-1 A/é\u00e9\n\u001b\"x\u00"#);
        let of = |piece: &str| {
            let start = plain.text.find(piece).unwrap();
            &text[plain.source(&(start..start + piece.len()))]
        };
        assert_eq!(of("sk-1"), r"\u0073k\u002d1");
        assert_eq!(of("k"), "k");
        assert_eq!(of("1 "), "1 ");
        assert_eq!(of("A/é"), r"\\u0041\/é");
        assert_eq!(of(r#"u001b\"#), r"u001b\u0022");
        assert_eq!(of(r#""x"#), r"\u0022x");
        assert_eq!(of("x"), "x");
        assert_eq!(of("a "), "a ");
    }

    #[test]
    fn a_text_without_such_escapes_stays_as_it_is() {
        for text in ["", "\\", r"\u00", r"\u00zz \n \u+041", r"é\u001b[0m", "a/b"] {
            assert!(matches!(Plain::of(text).text, Cow::Borrowed(same) if same == text), "{text}");
        }
    }
}
