//! The command that a pack names for looking up what its ids stand for.
//!
//! Whoever reads a pack may type the command as it stands, so nothing that a session says of itself
//! may end a word of it.

use crate::derive::SessionFact;
use crate::guard::marks::is_hidden;

/// The command for the session that is built into the program.
pub const DEMO: &str = "segue show ID --demo";

/// How much of an id in the form of a UUID tells sessions apart: the whole time where it begins
/// with one.
const TELLING_ID: usize = 13;

/// Returns the command for sessions that are found by their ids, in the order of their names in the
/// pack.
pub fn by_id(sessions: &[SessionFact]) -> String {
    let words = sessions.iter().map(|one| {
        let start = start(&one.id);
        let tells = sessions.iter().filter(|other| other.id.starts_with(start)).count() == 1;
        format!("{}:{}", one.harness, if tells { start } else { &one.id })
    });
    let words: Vec<_> = words.collect();
    command(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Returns as much of an id as tells sessions apart.
fn start(id: &str) -> &str {
    let is_uuid = id.len() == 36 && id.matches('-').count() == 4;
    id.get(..TELLING_ID).filter(|_| is_uuid).unwrap_or(id)
}

/// Returns the command for what was typed for a session: a file, or `-`.
pub fn of(word: &str) -> String {
    command(&[word])
}

fn command(sessions: &[&str]) -> String {
    let named = sessions.iter().map(|word| format!(" --session {}", quoted(word)));
    format!("segue show ID{}", named.collect::<String>())
}

/// Returns one word of a command line, in single quotes if anything in it could mean more; what a
/// text that is shown would not keep is told by its bytes.
pub fn quoted(word: &str) -> String {
    if word.contains(is_unseen) || word.contains("  ") {
        let escaped: String = word.chars().map(escaped).collect();
        return format!("$'{}'", escaped.replace("  ", r" \040"));
    }
    let plain =
        |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | ':' | '@' | '+');
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

fn is_unseen(c: char) -> bool {
    c.is_control() || is_hidden(c) || (c.is_whitespace() && c != ' ')
}

/// Returns a character as it stands between `$'` and `'`.
fn escaped(c: char) -> String {
    match c {
        '\n' => "\\n".to_owned(),
        '\t' => "\\t".to_owned(),
        '\'' | '\\' => format!("\\{c}"),
        c if is_unseen(c) => {
            c.encode_utf8(&mut [0; 4]).bytes().map(|byte| format!("\\{byte:03o}")).collect()
        }
        c => c.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_ids(ids: &[&str]) -> String {
        let session = |id: &&str| SessionFact {
            id: (*id).to_owned(),
            harness: "any".to_owned(),
            ..SessionFact::default()
        };
        by_id(&ids.iter().map(session).collect::<Vec<_>>())
    }

    #[test]
    fn an_id_is_told_as_far_as_it_tells_sessions_apart() {
        let (one, two) =
            ("01990000-a0c1-7000-8000-0000000000c1", "01990000-a0c1-7000-8000-0000000000c2");
        assert_eq!(by_ids(&[one]), "segue show ID --session any:01990000-a0c1");
        assert_eq!(by_ids(&["ses_12"]), "segue show ID --session any:ses_12");
        let both = format!("segue show ID --session any:{one} --session any:{two}");
        assert_eq!(by_ids(&[one, two]), both);
        let others = "segue show ID --session any:01990000-a0c1 --session any:x";
        assert_eq!(by_ids(&[one, "x"]), others);
    }

    #[test]
    fn nothing_can_end_the_word() {
        assert_eq!(of("a b.jsonl"), "segue show ID --session 'a b.jsonl'");
        assert_eq!(of("x; rm -r 'y'"), r"segue show ID --session 'x; rm -r '\''y'\'''");
        assert_eq!(by_ids(&["$(id)"]), "segue show ID --session 'any:$(id)'");
        // A shell reads the bytes that no text shows.
        assert_eq!(quoted("a\nb 'c'\\\u{200b}"), r"$'a\nb \'c\'\\\342\200\213'");
        assert_eq!(quoted("a   b"), r"$'a \040 b'");
    }
}
