//! Whether what looks like a secret is one: not a placeholder, not a name, random enough.

use super::bare;
use super::rules::{Proof, Rule};

/// Tells whether `secret` is likely one. `name` is the end of the name that it was assigned to,
/// `after` what follows it.
pub(super) fn is_likely(rule: &Rule, secret: &str, name: &[u8], after: &str) -> bool {
    if is_placeholder(secret) || entropy(secret) < rule.bits {
        return false;
    }
    match rule.proof {
        Proof::Form => rule.id != "openai-api-key" || has_digit(secret),
        Proof::Place => !is_default(secret) && !is_spelled(secret),
        Proof::Chosen => {
            has_digit(secret)
                && secret.chars().any(char::is_alphabetic)
                && !secret.contains("://")
                && !is_path(secret)
                && !is_uuid(secret)
                // A name of the code, such as `config.auth.key2`; words with dashes can be meant.
                && (!secret.contains('.') || !is_spelled(secret))
        }
        Proof::Bare => {
            bare::is_chosen(secret, after)
                && !is_default(secret)
                && !secret.contains("://")
                && !is_path(secret)
                && !is_uuid(secret)
                && !is_spelled(secret)
        }
        Proof::Random => is_random(secret) && !is_harmless(name) && !after.starts_with(['(', '[']),
    }
}

fn has_digit(secret: &str) -> bool {
    secret.bytes().any(|byte| byte.is_ascii_digit())
}

/// Words that stand in texts where a reader is to put the real thing.
const PLACEHOLDERS: &[&str] = &[
    "example",
    "placeholder",
    "changeme",
    "change-me",
    "change_me",
    "redacted",
    "your-",
    "your_",
    "yourapi",
    "yourkey",
    "yourtoken",
    "insert-",
    "insert_",
    "replace-",
    "replace_",
    "xxxx",
    "dummy",
    "...",
    "…",
    "${",
    "$(",
    "{{",
    "<",
    "%s",
    "%(",
    "****",
    "1234567890123456",
];

/// Tells whether a text only shows where a secret would stand.
fn is_placeholder(secret: &str) -> bool {
    let small = secret.to_ascii_lowercase();
    PLACEHOLDERS.iter().any(|word| small.contains(word)) || longest_run(secret) >= 8
}

/// Returns how often one character stands in a row at most, punctuation aside.
fn longest_run(text: &str) -> usize {
    let (mut longest, mut run, mut before) = (0, 0, None);
    for byte in text.bytes() {
        let counts = byte.is_ascii_alphanumeric() && before == Some(byte);
        run = if counts { run + 1 } else { 1 };
        longest = longest.max(run);
        before = Some(byte);
    }
    longest
}

/// Passwords that guard nothing: everybody writes them into settings for tests.
const DEFAULTS: &[&str] = &[
    "password",
    "passwd",
    "pass",
    "passw0rd",
    "password1",
    "password123",
    "secret",
    "user",
    "username",
    "postgres",
    "root",
    "admin",
    "test",
    "testing",
    "guest",
    "token",
    "mysql",
    "redis",
    "mongo",
    "rabbitmq",
    "minio",
    "minioadmin",
    "foobar",
    "apikey",
    "api_key",
];

fn is_default(secret: &str) -> bool {
    let small = secret.to_ascii_lowercase();
    DEFAULTS.contains(&small.as_str()) || small.bytes().all(|byte| byte == b'*' || byte == b'.')
}

/// Tells whether a text is spelled out: words in one case with marks between them, such as
/// `my-token-here`, `process.env.TOKEN` or `gpt-4o-mini`, and no piece that only a machine makes.
fn is_spelled(text: &str) -> bool {
    let pieces = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|piece| !piece.is_empty());
    let is_marked = text.contains(['-', '_', '.', '/', ':']);
    is_marked && pieces.into_iter().all(is_word)
}

/// Tells whether a piece is a word, a short number, or a word with a short number at one end.
fn is_word(piece: &str) -> bool {
    let letters = piece.trim_matches(|c: char| c.is_ascii_digit());
    let digits = piece.len() - letters.len();
    digits <= 4 && letters.bytes().all(|byte| byte.is_ascii_alphabetic()) && !is_shuffled(letters)
}

/// Tells whether capital and small letters change more often than in a name such as `readLine`.
fn is_shuffled(letters: &str) -> bool {
    let bytes = letters.as_bytes();
    let up = |pair: &&[u8]| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase();
    bytes.windows(2).filter(up).count() * 4 > bytes.len()
}

/// Tells whether a value was made by a machine: long pieces in which letters and digits mix, and
/// neither a number, nor an id of the usual form, nor the path of a file.
fn is_random(secret: &str) -> bool {
    let has_letter = secret.bytes().any(|byte| byte.is_ascii_alphabetic());
    let plain = has_letter && has_digit(secret) && secret.parse::<f64>().is_err();
    plain && !is_uuid(secret) && !is_path(secret) && !is_spelled(secret) && mixes(secret)
}

/// Tells whether letters and digits change places often enough: once in eight characters.
fn mixes(secret: &str) -> bool {
    let pairs = secret.as_bytes().windows(2);
    let changes = pairs.filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit()).count();
    changes >= 3 && changes * 10 >= secret.len()
}

fn is_path(text: &str) -> bool {
    text.starts_with(['/', '~', '.']) || text.matches('/').count() >= 2 && text.contains('.')
}

fn is_uuid(text: &str) -> bool {
    let lengths = text.split('-').map(str::len);
    let hex = |c: char| c.is_ascii_hexdigit() || c == '-';
    lengths.eq([8, 4, 4, 4, 12]) && text.chars().all(hex)
}

/// Ends of names whose values are no secrets.
const HARMLESS: &[&str] = &[
    "count", "type", "name", "hash", "sha", "digest", "file", "path", "url", "uri", "limit",
    "usage", "budget", "expir", "version", "index", "address", "izer", "_id", "-id", "prefix",
    "arn", "checksum", "length", "size", "ttl", "regex", "pattern", "class", "method",
];

/// Tells by the end of a name, such as `_type` of `token_type`, that its value is no secret.
fn is_harmless(name: &[u8]) -> bool {
    let name = String::from_utf8_lossy(name).to_ascii_lowercase();
    HARMLESS.iter().any(|end| name.contains(end))
}

/// Returns the Shannon entropy of the bytes of a text, in bits a byte.
fn entropy(text: &str) -> f64 {
    let mut counts = [0_u32; 256];
    text.bytes().for_each(|byte| counts[usize::from(byte)] += 1);
    let total = f64::from(u32::try_from(text.len()).unwrap_or(u32::MAX));
    let part = |count: &u32| {
        let share = f64::from(*count) / total;
        share * share.log2()
    };
    -counts.iter().filter(|count| **count > 0).map(part).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entropy_grows_with_variety() {
        assert_eq!(entropy("aaaaaaaa").abs(), 0.0);
        assert!((entropy("abcdefgh") - 3.0).abs() < 1e-9);
        assert_eq!(entropy("").abs(), 0.0);
    }

    #[test]
    fn words_are_told_from_what_machines_make() {
        for text in ["my-token-here", "process.env.TOKEN", "gpt-4o-mini-2024", "a_b_c_1"] {
            assert!(is_spelled(text), "{text}");
        }
        for text in ["x7-Kq9ZpL2vN8w", "nodashes", "q9k2-m4n8p1x7"] {
            assert!(!is_spelled(text), "{text}");
        }
        assert!(is_uuid("0199a0b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b"));
        assert!(is_path("/etc/ssl/private/key1.pem"));
    }
}
