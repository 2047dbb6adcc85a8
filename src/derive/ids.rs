//! Ids that depend on content alone, so that they are the same after the session has grown, was
//! read again, or was converted.

use sha2::{Digest as _, Sha256};

/// Returns `prefix` and eight hexadecimal digits of the content, blanks and case folded.
pub(super) fn id(prefix: char, content: &str) -> String {
    let folded = content.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let digest = Sha256::digest(folded.as_bytes());
    let hex: String = digest.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    format!("{prefix}-{hex}")
}

#[cfg(test)]
mod tests {
    #[test]
    fn blanks_and_case_do_not_change_an_id() {
        assert_eq!(super::id('W', "Fix  the\nparser"), super::id('W', "fix the parser"));
        assert_ne!(super::id('W', "fix the parser"), super::id('W', "fix the lexer"));
        assert_eq!(super::id('D', "x").len(), 10);
    }
}
