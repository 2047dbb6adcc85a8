//! What stands between the quotes of a string, as the text that it means.

use std::borrow::Cow;

/// Returns the text that the inside of a JSON string means, or at least its first `bytes` bytes.
///
/// Half of a surrogate pair becomes `\u{fffd}`; what is no escape stays as it is.
pub fn unescaped(inside: &str, bytes: usize) -> Cow<'_, str> {
    let Some(first) = memchr::memchr(b'\\', inside.as_bytes()).filter(|at| *at < bytes) else {
        return Cow::Borrowed(&inside[..inside.ceil_char_boundary(bytes)]);
    };
    let mut text = String::with_capacity(bytes.min(inside.len()));
    let (mut rest, mut next) = (inside, Some(first));
    while let Some(at) = next.filter(|at| text.len() + at < bytes) {
        text.push_str(&rest[..at]);
        let (meant, length) = escape(&rest[at..]);
        text.push(meant);
        rest = &rest[at + length..];
        next = memchr::memchr(b'\\', rest.as_bytes());
    }
    let left = bytes.saturating_sub(text.len());
    text.push_str(&rest[..rest.ceil_char_boundary(left)]);
    Cow::Owned(text)
}

/// Returns what the escape at the start of `text` means, and how many bytes it takes.
fn escape(text: &str) -> (char, usize) {
    let simple = match text.as_bytes().get(1) {
        Some(b'n') => '\n',
        Some(b't') => '\t',
        Some(b'r') => '\r',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(letter @ (b'"' | b'\\' | b'/')) => char::from(*letter),
        Some(b'u') => return unicode(text),
        _ => return ('\\', 1),
    };
    (simple, 2)
}

/// Returns the character that one or two escapes by number mean.
fn unicode(text: &str) -> (char, usize) {
    let Some(unit) = unit(text) else { return ('\\', 1) };
    if let Some(whole) = char::from_u32(unit) {
        return (whole, 6);
    }
    let second = self::unit(&text[6..]).filter(|second| (0xDC00..0xE000).contains(second));
    let pair = second.filter(|_| unit < 0xDC00).map(|second| {
        char::from_u32(0x1_0000 + ((unit - 0xD800) << 10) + (second - 0xDC00)).unwrap_or('\u{fffd}')
    });
    pair.map_or(('\u{fffd}', 6), |pair| (pair, 12))
}

/// Returns the UTF-16 unit that the escape at the start of `text` names.
fn unit(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then_some(())?;
    u32::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_means_what_it_means_elsewhere() {
        let inside = r#"a\n\t\r\b\f\"\\\/é\u00e9 \ud83d\ude00 \\u00e9 \u0000"#;
        let plain: String = serde_json::from_str(&format!("\"{inside}\"")).unwrap();
        assert_eq!(unescaped(inside, usize::MAX), plain);
        for bytes in 0..plain.len() + 2 {
            let start = unescaped(inside, bytes).into_owned();
            assert!(plain.starts_with(&start), "{bytes}: {start:?}");
            assert!((bytes.min(plain.len())..bytes + 4).contains(&start.len()), "{bytes}");
        }
    }

    #[test]
    fn what_is_no_escape_stays() {
        let odd = [(r"\x", r"\x"), (r"\", r"\"), (r"\u12", r"\u12"), (r"\u+123", r"\u+123")];
        let halves = [(r"\ud800", "\u{fffd}"), (r"\ud800\ud800x", "\u{fffd}\u{fffd}x")];
        for (inside, plain) in odd.into_iter().chain(halves) {
            assert_eq!(unescaped(inside, 100), plain);
        }
    }
}
