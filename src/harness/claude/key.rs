//! Ids and time stamps as numbers, which are compared and kept for less.

use rustc_hash::FxHashMap;

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

fn uuid(id: &str) -> Option<Key> {
    let bytes = id.as_bytes();
    let dashes = bytes.len() == 36 && [8, 13, 18, 23].iter().all(|at| bytes[*at] == b'-');
    if !dashes {
        return None;
    }
    let mut key: Key = 0;
    for byte in bytes.iter().filter(|byte| **byte != b'-') {
        let digit = match byte {
            b'0'..=b'9' => byte - b'0',
            b'a'..=b'f' => byte - b'a' + 10,
            _ => return None,
        };
        key = (key << 4) | Key::from(digit);
    }
    (id.matches('-').count() == 4).then_some(key)
}

fn hashed(id: &str) -> Key {
    use std::hash::Hasher as _;
    let half = |seed: u64| {
        let mut hasher = rustc_hash::FxHasher::default();
        hasher.write_u64(seed);
        hasher.write(id.as_bytes());
        Key::from(hasher.finish())
    };
    (half(1) << 64 | half(2)).max(1)
}

/// Writes a key as the id that it stands for.
pub(super) fn id_of(key: Key, odd: &FxHashMap<Key, String>) -> String {
    if let Some(id) = odd.get(&key) {
        return id.clone();
    }
    let hex = format!("{key:032x}");
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

/// Folds the digits of a time stamp into a number that sorts the same way; milliseconds that are
/// not written are 0, what stands behind a `Z` or an offset does not count.
pub(super) fn time(stamp: &str) -> u64 {
    let end = stamp.rfind(['Z', '+']).unwrap_or(stamp.len());
    let digits = stamp[..end].bytes().filter(u8::is_ascii_digit).chain(std::iter::repeat(b'0'));
    let folded = digits.take(17).fold(0, |sum, digit| sum * 10 + u64::from(digit - b'0'));
    if stamp.contains('T') { folded } else { 0 }
}
