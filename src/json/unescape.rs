//! What stands between the quotes of a string, as the text that it means.

use std::borrow::Cow;

use wide::u8x32;

/// How many bytes are looked at and copied in one step; escapes stand some twenty bytes apart.
const STEP_BYTES: usize = 32;
/// The longest character in UTF-8, in bytes.
const CHAR_BYTES: usize = 4;

/// Returns the text that the inside of a JSON string means, or at least its first `bytes` bytes.
///
/// Half of a surrogate pair becomes `\u{fffd}`; what is no escape stays as it is.
pub fn unescaped(inside: &str, bytes: usize) -> Cow<'_, str> {
    let Some(first) = memchr::memchr(b'\\', inside.as_bytes()).filter(|at| *at < bytes) else {
        return Cow::Borrowed(&inside[..inside.ceil_char_boundary(bytes)]);
    };
    // No escape is shorter than what it means.
    let most = bytes.min(inside.len());
    let mut text = vec![0; most + STEP_BYTES + CHAR_BYTES];
    text[..first].copy_from_slice(&inside.as_bytes()[..first]);
    let (mut rest, mut to) = (&inside.as_bytes()[first..], first);
    while to < most && !rest.is_empty() {
        let plain = match rest.first_chunk::<STEP_BYTES>() {
            Some(step) => {
                // What stands behind the escape is written over.
                if let Some(room) = text[to..].first_chunk_mut() {
                    *room = *step;
                }
                let escapes = u8x32::new(*step).simd_eq(u8x32::splat(b'\\')).to_bitmask();
                escapes.trailing_zeros() as usize
            }
            None => {
                let plain = rest.iter().position(|byte| *byte == b'\\').unwrap_or(rest.len());
                text[to..to + plain].copy_from_slice(&rest[..plain]);
                plain
            }
        };
        (rest, to) = (&rest[plain..], to + plain);
        if to >= most || rest.first() != Some(&b'\\') {
            continue;
        }
        match rest {
            [_, letter, behind @ ..] if simple(*letter) != 0 => {
                text[to] = simple(*letter);
                (rest, to) = (behind, to + 1);
            }
            _ => {
                let (meant, length) = escape(&inside[inside.len() - rest.len()..]);
                to += meant.encode_utf8(&mut text[to..]).len();
                rest = &rest[length..];
            }
        }
    }
    let mut from = inside.len() - rest.len();
    while !inside.is_char_boundary(from) {
        text[to] = inside.as_bytes()[from];
        (from, to) = (from + 1, to + 1);
    }
    text.truncate(to);
    let mut text = String::from_utf8(text)
        .unwrap_or_else(|cause| String::from_utf8_lossy(cause.as_bytes()).into_owned());
    text.truncate(text.ceil_char_boundary(bytes));
    Cow::Owned(text)
}

/// Returns what the escape at the start of `text` means, and how many bytes it takes.
fn escape(text: &str) -> (char, usize) {
    match text.as_bytes().get(1) {
        Some(b'u') => unicode(text),
        Some(letter) if simple(*letter) != 0 => (char::from(simple(*letter)), 2),
        _ => ('\\', 1),
    }
}

/// Returns what the letter behind a backslash means alone; 0 where it means nothing.
const fn simple(letter: u8) -> u8 {
    const MEANT: [u8; 256] = {
        let mut meant = [0; 256];
        meant[b'n' as usize] = b'\n';
        meant[b't' as usize] = b'\t';
        meant[b'r' as usize] = b'\r';
        meant[b'b' as usize] = 0x8;
        meant[b'f' as usize] = 0xC;
        meant[b'"' as usize] = b'"';
        meant[b'\\' as usize] = b'\\';
        meant[b'/' as usize] = b'/';
        meant
    };
    MEANT[letter as usize]
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
        let escapes = r#"a\n\t\r\b\f\"\\\/é\u00e9 \ud83d\ude00 \\u00e9 \u0000"#;
        let insides = (0..2 * STEP_BYTES).flat_map(|length| {
            let (plain, wide) = ("x".repeat(length), "\u{1f600}é".repeat(length / 6));
            [format!("{plain}{escapes}{plain}"), format!("\\n{wide}{escapes}{wide}{plain}")]
        });
        for inside in insides {
            let plain: String = serde_json::from_str(&format!("\"{inside}\"")).unwrap();
            assert_eq!(unescaped(&inside, usize::MAX), plain);
            for bytes in 0..plain.len() + 2 {
                let start = unescaped(&inside, bytes).into_owned();
                assert!(plain.starts_with(&start), "{bytes}: {start:?}");
                assert!((bytes.min(plain.len())..bytes + 4).contains(&start.len()), "{bytes}");
            }
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
