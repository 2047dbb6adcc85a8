//! Ids and times of lines as numbers.

use std::borrow::Cow;

use jiff::Timestamp;
use rustc_hash::FxHashMap;
use uuid::Uuid;

use crate::harness::time::is_time;
use crate::jsonl::Lax;

/// A line's uuid as a number; one that is no UUID is hashed.
pub(super) type Key = u128;

/// Returns the key of an id, and whether it is a UUID; 0 for no id.
pub(super) fn key(id: &str) -> (Key, bool) {
    if id.is_empty() {
        return (0, false);
    }
    match uuid(id) {
        Some(key) => (key, true),
        None => (hashed(id), false),
    }
}

/// What each byte is worth as a digit of an id; capitals are none, since they are not printed.
static DIGITS: [u8; 256] = {
    let mut digits = [NONE; 256];
    let mut value = 0;
    while value < 16 {
        digits[b"0123456789abcdef"[value as usize] as usize] = value;
        value += 1;
    }
    digits
};
const NONE: u8 = 0x80;

fn uuid(id: &str) -> Option<Key> {
    let bytes: &[u8; 36] = id.as_bytes().try_into().ok()?;
    let (mut halves, mut all) = ([0u64; 2], 0);
    for (half, groups) in halves.iter_mut().zip([[0..8, 9..13, 14..18], [19..23, 24..36, 0..0]]) {
        for byte in groups.into_iter().flat_map(|group| &bytes[group]) {
            let digit = DIGITS[usize::from(*byte)];
            all |= digit;
            *half = (*half << 4) | u64::from(digit & 0xF);
        }
    }
    let is_id = all & NONE == 0 && [8, 13, 18, 23].iter().all(|at| bytes[*at] == b'-');
    is_id.then_some(Key::from(halves[0]) << 64 | Key::from(halves[1]))
}

fn hashed(id: &str) -> Key {
    (Key::from(half(id, 1)) << 64 | Key::from(half(id, 2))).max(1)
}

fn half(id: &str, seed: u64) -> u64 {
    use std::hash::Hasher as _;
    let mut hasher = rustc_hash::FxHasher::default();
    hasher.write_u64(seed);
    hasher.write(id.as_bytes());
    hasher.finish()
}

/// Returns a number for an id that is never printed; it is not 0.
pub(super) fn hash(id: &str) -> u64 {
    half(id, 1).max(1)
}

/// Writes a key as the id that it stands for.
pub(super) fn id_of(key: Key, odd: &FxHashMap<Key, String>) -> String {
    if let Some(id) = odd.get(&key) {
        return id.clone();
    }
    let mut buffer = Uuid::encode_buffer();
    Uuid::from_u128(key).hyphenated().encode_lower(&mut buffer).to_owned()
}

/// Returns a time stamp as it stands, or what a number of seconds or milliseconds since 1970 means;
/// nothing of what is no time.
pub(super) fn when<'a>(stamp: &'a Lax<'_>) -> Option<Cow<'a, str>> {
    let stamp = stamp.filled()?;
    if is_time(stamp) {
        return Some(Cow::Borrowed(stamp));
    }
    let number: i64 =
        stamp.bytes().all(|byte| byte.is_ascii_digit()).then(|| stamp.parse().ok())??;
    let time = match stamp.len() {
        10 => Timestamp::from_second(number),
        13 => Timestamp::from_millisecond(number),
        _ => return None,
    };
    Some(Cow::Owned(format!("{:.3}", time.ok()?)))
}

/// Folds the digits of a time stamp into a number that sorts the same way; milliseconds that are
/// not written are 0, what stands behind a `Z` or an offset does not count.
pub(super) fn time(stamp: &str) -> u64 {
    let end = stamp.rfind(['Z', '+']).unwrap_or(stamp.len());
    let digits = stamp[..end].bytes().filter(u8::is_ascii_digit).chain(std::iter::repeat(b'0'));
    let folded = digits.take(17).fold(0, |sum, digit| sum * 10 + u64::from(digit - b'0'));
    if stamp.contains('T') { folded } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_one_in_any_of_its_forms() {
        let read = |json: &str| when(&serde_json::from_str(json).unwrap()).map(Cow::into_owned);
        let usual = "2026-08-01T10:00:04.000Z";
        assert_eq!(read(&format!("\"{usual}\"")).as_deref(), Some(usual));
        let with_offset = "2026-08-01T12:00:00+02:00";
        assert_eq!(read(&format!("\"{with_offset}\"")).as_deref(), Some(with_offset));
        assert_eq!(read("1754042400123").as_deref(), Some("2025-08-01T10:00:00.123Z"));
        assert_eq!(read("1754042400").as_deref(), Some("2025-08-01T10:00:00.000Z"));
        let odd = ["\"2026-08-01 10:00:00Z\"", "\"2026-99-99Tgarbage Z\""];
        assert_eq!(odd.map(read), [None, None]);
        for none in ["\"yesterday\"", "\"\"", "null", "7", "\"2026\"", "-754042400"] {
            assert_eq!(read(none), None, "{none}");
        }
    }
}
