//! Texts as numbers, to find the same text again.

use std::hash::Hasher as _;

use rustc_hash::FxHasher;

use crate::json::words;

/// How many bytes are looked at in one step.
const STEP_BYTES: usize = words::STEP_BYTES;
/// How many of them are mixed in at once.
const MIX_BYTES: usize = 8;
/// Digits of pi, made odd: what a part of a word and what its end is multiplied by.
const PART: u64 = 0x2438_6A88_85A3_08D3;
const END: u64 = 0x1319_8A2E_0370_7345;

/// A number for texts that are equal but for blanks; events and items differ in these.
#[derive(Default)]
pub(super) struct Digest {
    state: u64,
    /// Bytes taken so far, blanks included.
    pub(super) bytes: usize,
}

impl Digest {
    /// Takes one more piece of text.
    pub(super) fn add(&mut self, text: &str) {
        self.bytes += text.len();
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            let taken = self.step(rest);
            rest = &rest[taken..];
        }
    }

    /// Takes the words that begin and end in the first block of `bytes`, or the first one, however
    /// long it is, and returns how many bytes it went on.
    fn step(&mut self, bytes: &[u8]) -> usize {
        let mut left = words::words(bytes);
        while left != 0 {
            let from = left.trailing_zeros() as usize;
            let end = from + (left >> from).trailing_ones() as usize;
            if end < STEP_BYTES || bytes.len() == STEP_BYTES {
                self.word(bytes, from, end);
                left &= u64::MAX.checked_shl(end as u32).unwrap_or(0);
            } else if from > 0 {
                return from;
            } else {
                let end = bytes.iter().position(u8::is_ascii_whitespace).unwrap_or(bytes.len());
                self.word(bytes, 0, end);
                return end;
            }
        }
        STEP_BYTES.min(bytes.len())
    }

    fn word(&mut self, bytes: &[u8], from: usize, end: usize) {
        let mut at = from;
        while end - at > MIX_BYTES {
            self.mix(eight(bytes, at), PART);
            at += MIX_BYTES;
        }
        let unused_bits = 8 * (MIX_BYTES - (end - at));
        self.mix(eight(bytes, at) << unused_bits, END);
    }

    /// Folds the halves of a product together, so that every bit reaches every other one.
    fn mix(&mut self, bits: u64, by: u64) {
        let product = u128::from(self.state ^ bits) * u128::from(by);
        let [low, high] = [product & u128::from(u64::MAX), product >> 64];
        self.state = u64::try_from(low ^ high).unwrap_or_default().wrapping_add(by);
    }

    /// Returns the number.
    pub(super) fn finish(&self) -> u64 {
        self.state
    }
}

/// Returns eight bytes from `at` on, as far as there are so many.
fn eight(bytes: &[u8], at: usize) -> u64 {
    let rest = &bytes[at..];
    let last = || {
        let mut last = [0; MIX_BYTES];
        last[..rest.len()].copy_from_slice(rest);
        last
    };
    u64::from_le_bytes(rest.first_chunk().copied().unwrap_or_else(last))
}

/// Returns the number of one text.
pub(super) fn digest(text: &str) -> u64 {
    let mut digest = Digest::default();
    digest.add(text);
    digest.finish()
}

/// Returns the number of a name or id.
pub(super) fn id_digest(id: &str) -> u64 {
    let mut hash = FxHasher::default();
    hash.write(id.as_bytes());
    hash.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts whose words have all lengths and stand at all places of a block.
    fn texts() -> Vec<String> {
        let word = |length: usize| "abcdefghijklm".chars().cycle().take(length).collect::<String>();
        let lengths = || (1..20).chain(60..70).chain(126..131);
        let mut texts: Vec<String> = lengths().map(word).collect();
        for lead in (0..20).chain(55..70) {
            texts.extend(
                lengths().map(|length| format!("{}x {} y", "w ".repeat(lead), word(length))),
            );
        }
        texts
    }

    #[test]
    fn blanks_do_not_matter() {
        for text in texts() {
            let apart = text.replace(' ', "\r\n \t\u{c} ");
            assert_eq!(digest(&text), digest(&format!(" {apart}\n")), "{text}");
            let mut pieces = Digest::default();
            text.split(' ').for_each(|word| pieces.add(word));
            assert_eq!(digest(&text), pieces.finish(), "{text}");
        }
        assert_eq!(digest(" \n"), digest(""));
    }

    #[test]
    fn all_else_does() {
        let mut seen = std::collections::HashMap::new();
        let mut all = texts();
        for text in texts().iter().step_by(3) {
            // A letter changed, taken away or moved into the next word.
            for at in 0..text.len() {
                let (before, after) = text.split_at(at);
                all.extend([
                    format!("{before}X{}", &after[1..]),
                    format!("{before}{}", &after[1..]),
                ]);
                all.push(format!("{before}\u{b}{after}"));
            }
        }
        for text in all {
            let words: Vec<String> = text.split_ascii_whitespace().map(str::to_owned).collect();
            let before = seen.insert(digest(&text), words.clone());
            assert!(before.is_none_or(|before| before == words), "{text}");
        }
        assert!(seen.len() > 5000, "{}", seen.len());
    }
}
