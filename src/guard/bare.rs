//! Passwords that stand behind a name without quotes, as in settings and command lines, where words of
//! prose and names of code stand just so.

/// Cuts off what is no part of a value: the next field of a form, and the end of a sentence.
pub(super) fn value(text: &str) -> &str {
    let is_field = |at: &usize| {
        let rest = &text[at + 1..];
        let value = rest.trim_start_matches(|c: char| c.is_ascii_alphabetic() || c == '_');
        value.len() < rest.len() && value.starts_with('=')
    };
    let end = text.match_indices('&').map(|(at, _)| at).find(is_field).unwrap_or(text.len());
    text[..end].trim_end_matches(['.', ':', '|'])
}

/// Tells whether somebody chose a value as a password: letters with numbers between them, or a word with
/// numbers that stands alone on what is left of its line.
pub(super) fn is_chosen(value: &str, after: &str) -> bool {
    if is_code(value, after) || !value.bytes().any(|byte| byte.is_ascii_alphabetic()) {
        return false;
    }
    let numbers = numbers(&without_names(value));
    let is_marked = value.contains(['!', '#', '$', '%', '^']);
    match numbers {
        0 => is_marked && is_mixed(value),
        1 => is_marked || ends_line(after) && !says_what_it_is(value),
        _ => true,
    }
}

/// Whether a value can only be a part of a program or of a template, by what it begins with or what
/// follows.
fn is_code(value: &str, after: &str) -> bool {
    let is_line = || {
        let rest = value.trim_start_matches(|c: char| c.is_ascii_digit());
        rest.len() < value.len() && rest.starts_with(':')
    };
    let begins = value.starts_with(['=', '$', '%', '&', '*', '@', ':', '?', '|', '~', '-']);
    begins || value.ends_with('%') || after.starts_with(['(', '[', '{', '<']) || is_line()
}

/// Capital and small letters with a mark between them.
fn is_mixed(value: &str) -> bool {
    let inner = value.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    let has = |is: fn(&u8) -> bool| inner.bytes().any(|byte| is(&byte));
    inner.contains(['!', '#', '$', '%', '^', '*'])
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
}

/// Returns how many numbers stand in a text.
fn numbers(text: &str) -> usize {
    text.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty()).count()
}

/// Whether nothing else stands on the line, also where its end is escaped or it ends a string, but for
/// the next field of a form or of an address of a database.
fn ends_line(after: &str) -> bool {
    let after = after.trim_start_matches([' ', '\t']);
    let is_field = |after: &str| after.starts_with(|c: char| c.is_ascii_alphabetic() || c == '"');
    let is_last = after.is_empty() || after.starts_with(['\n', '\r', '"', '\'', '\\', '&']);
    is_last || after.strip_prefix(';').is_some_and(is_field)
}

/// Names that have a number in them wherever they stand.
const NAMES: &[&str] = &[
    "sha256",
    "sha512",
    "sha384",
    "sha224",
    "sha1",
    "md5",
    "base64",
    "base32",
    "base58",
    "oauth2",
    "oauth1",
    "argon2",
    "pbkdf2",
    "x509",
    "pkcs12",
    "pkcs8",
    "pkcs1",
    "utf8",
    "utf16",
    "ipv4",
    "ipv6",
    "aes256",
    "aes128",
    "ed25519",
    "x25519",
    "secp256k1",
    "http2",
    "http1",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "int32",
    "int64",
    "float64",
    "float32",
    "hs256",
    "rs256",
    "es256",
    "log4j",
];

fn without_names(value: &str) -> String {
    let small = value.to_ascii_lowercase();
    NAMES.iter().fold(small, |left, name| left.replace(name, ""))
}

/// Words of the names that code gives to passwords and what belongs to them.
const WORDS: &[&str] = &[
    "pass", "word", "pwd", "secret", "token", "hash", "key", "user", "name", "input", "field",
    "value", "string", "text", "config", "param", "result", "data",
];

/// Whether a name of code begins with such a word, or ends in one with a number.
fn says_what_it_is(value: &str) -> bool {
    let small = value.to_ascii_lowercase();
    let head = small.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_numbered = head.len() < small.len();
    WORDS.iter().any(|word| small.starts_with(word) || is_numbered && head.ends_with(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_ends_before_the_next_field() {
        assert_eq!(value("aB1&c2D&user=ada"), "aB1&c2D");
        assert_eq!(value("aB1&c2D.:"), "aB1&c2D");
        assert_eq!(value("aB1&=c"), "aB1&=c");
    }

    #[test]
    fn passwords_are_told_from_names_of_code() {
        for (text, after) in [
            ("Xk9mQ2vL7zRp", ","),
            ("hunter2secretX9", ""),
            ("Summer2024", " \n"),
            ("hunter2secret", "&a=b"),
            ("hunter2secret", ";Timeout=3"),
            ("Test123!", ","),
            ("Correct!Horse", ","),
        ] {
            assert!(is_chosen(text, after), "{text}{after}");
        }
        for (text, after) in [
            ("Argon2Hash", ","),
            ("response2", "; x"),
            ("newPassword2", "\n"),
            ("oauth2Client", "\n"),
            ("hashPassword", "\n"),
            ("read2From3", "(x)"),
            ("$DB2_PASS1", "\n"),
            ("12:let", "\n"),
            ("must!", "\n"),
            ("12345678", "\n"),
        ] {
            assert!(!is_chosen(text, after), "{text}{after}");
        }
    }
}
