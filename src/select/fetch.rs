//! The command that a pack names for looking up what its ids stand for.
//!
//! Whoever reads a pack may type the command as it stands, so nothing that a session says of itself
//! may end a word of it.

use crate::model::Header;

/// The command for the session that is built into the program.
pub const DEMO: &str = "segue show ID --demo";

/// How much of an id in the form of a UUID tells sessions apart: the whole time where it begins
/// with one.
const TELLING_ID: usize = 13;

/// Returns the command for a session that is found by its id.
pub fn by_id(header: &Header) -> String {
    let id = header.id.as_str();
    let is_uuid = id.len() == 36 && id.matches('-').count() == 4;
    let start = id.get(..TELLING_ID).filter(|_| is_uuid).unwrap_or(id);
    of(&format!("{}:{start}", header.harness))
}

/// Returns the command for what was typed for a session: a file, or `-`.
pub fn of(word: &str) -> String {
    format!("segue show ID --session {}", quoted(word))
}

/// Returns one word of a command line, in single quotes if anything in it could mean more.
pub fn quoted(word: &str) -> String {
    let plain =
        |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | ':' | '@' | '+');
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(id: &str) -> Header {
        Header { id: id.to_owned(), harness: "any".to_owned(), ..Header::default() }
    }

    #[test]
    fn an_id_is_told_as_far_as_it_tells_sessions_apart() {
        let uuid = header("01990000-a0c1-7000-8000-0000000000c1");
        assert_eq!(by_id(&uuid), "segue show ID --session any:01990000-a0c1");
        assert_eq!(by_id(&header("ses_12")), "segue show ID --session any:ses_12");
    }

    #[test]
    fn nothing_can_end_the_word() {
        assert_eq!(of("a b.jsonl"), "segue show ID --session 'a b.jsonl'");
        assert_eq!(of("x; rm -r 'y'"), r"segue show ID --session 'x; rm -r '\''y'\'''");
        assert_eq!(by_id(&header("$(id)")), "segue show ID --session 'any:$(id)'");
    }
}
