//! Ids that depend on content alone, so that they are the same after the session has grown, was
//! read again, or was converted.

use sha2::{Digest as _, Sha256};

/// Returns `prefix` and eight hexadecimal digits of the content, blanks and case folded.
pub(super) fn id(prefix: char, content: &str) -> String {
    exact(prefix, &content.to_lowercase())
}

/// Returns the same of what is another thing in capitals: a path, a command. Only blanks are folded.
pub(super) fn exact(prefix: char, content: &str) -> String {
    let folded = content.split_whitespace().collect::<Vec<_>>().join(" ");
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
        assert_eq!(super::exact('P', "a  b"), super::id('P', "A b"));
        assert_ne!(super::exact('P', "Makefile"), super::exact('P', "makefile"));
    }
}
