//! Words that stand where nobody but the provider, or nobody any more, can read what was said.

/// What stands for words that are encrypted.
pub const SEALED: &str = "(what only the provider can read)";

/// What programs put in the place of a text that they took out.
const TAKEN_OUT: &[&str] = &["REDACTED", "OMITTED", "ENCRYPTED"];

/// Whether a text is no more than what stands in the place of one: `REDACTED`, `[redacted]`, `***`.
pub fn is_sealed(text: &str) -> bool {
    let text = text.trim();
    let bare = text.trim_matches(['[', ']', '<', '>', '(', ')', '{', '}', '*', '.', '…']);
    let is_named = || TAKEN_OUT.iter().any(|word| bare.eq_ignore_ascii_case(word));
    !text.is_empty() && (text == SEALED || bare.is_empty() || is_named())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_for_a_text_is_told_from_one() {
        for text in ["REDACTED", " [redacted]\n", "<omitted>", "***", SEALED] {
            assert!(is_sealed(text), "{text}");
        }
        for text in ["", "redacted the key", "REDACTED: see below", "(see above)", "x"] {
            assert!(!is_sealed(text), "{text}");
        }
    }
}
