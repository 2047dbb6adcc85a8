//! Calls and messages of which a line tells nothing that whoever goes on could use.

use serde_json::Value;

use super::timeline::Done;
use super::{steps, text};
use crate::model::{Action, is_sealed};

/// Whether a call only steers: it changes the list of work, stops, waits, or asks without saying what.
pub(super) fn is_idle(done: &Done<'_>) -> bool {
    match done.call.action.as_deref() {
        Some(Action::Plan | Action::Stop { .. }) => true,
        // Waiting is worth a word only where it ended badly.
        Some(Action::Wait { .. }) => !done.failed(),
        Some(Action::Type { keys, .. }) => {
            let is_silent = || !done.failed() && done.output().trim().is_empty();
            ends(keys) || is_unseen(keys) && is_silent()
        }
        None => !done.failed() && says_nothing(done.call.arguments.get()) && !is_answered(done),
        _ => false,
    }
}

/// Whether a message of another agent has no words that can be read, but for the name of who wrote it.
pub(super) fn is_unreadable(words: &str) -> bool {
    let named = words.split_once(": ").filter(|(name, _)| !name.contains(char::is_whitespace));
    is_sealed(words) || named.is_some_and(|(_, said)| is_sealed(said))
}

/// Whether keys only stop what runs, or end its input.
fn ends(keys: &str) -> bool {
    matches!(keys.trim_matches([' ', '\r', '\n']), "\u{3}" | "\u{4}")
}

/// Whether nobody sees what was typed: the ends of lines, and keys that move.
fn is_unseen(keys: &str) -> bool {
    text::plain(keys).trim().is_empty()
}

/// Whether arguments say nothing: there are none, or what they said was taken out and what is left
/// are names.
fn says_nothing(arguments: &str) -> bool {
    let Ok(arguments) = serde_json::from_str::<Value>(arguments) else { return false };
    let fields: Vec<&Value> = match &arguments {
        Value::Null => return true,
        Value::Object(fields) => fields.values().collect(),
        Value::String(text) => return text.trim().is_empty() || is_sealed(text),
        _ => return false,
    };
    let is_sealed = |field: &&Value| field.as_str().is_some_and(is_sealed);
    let is_name = |field: &&Value| match field {
        Value::String(text) => text.split_whitespace().count() < 2,
        Value::Array(_) | Value::Object(_) => false,
        _ => true,
    };
    fields.is_empty()
        || fields.iter().any(is_sealed) && fields.iter().all(|it| is_sealed(it) || is_name(it))
}

/// Whether words came back that say something.
fn is_answered(done: &Done<'_>) -> bool {
    steps::tells(&done.output())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_that_say_nothing_are_told_from_others() {
        for none in [
            "{}",
            "null",
            "\"\"",
            r#"{"target":"review","message":"REDACTED"}"#,
            r#"{"message":"[redacted]","turns":3}"#,
        ] {
            assert!(says_nothing(none), "{none}");
        }
        for some in [
            r#"{"target":"review","message":"look again"}"#,
            r#"{"query":"REDACTED","note":"in the old folder"}"#,
            r#"{"id":"7"}"#,
            "[1]",
        ] {
            assert!(!says_nothing(some), "{some}");
        }
    }

    #[test]
    fn a_message_that_nobody_can_read_is_told_by_what_follows_its_sender() {
        assert!(is_unreadable("/root/review: (what only the provider can read)"));
        assert!(is_unreadable("REDACTED"));
        assert!(!is_unreadable("/root/review: it holds"));
        assert!(!is_unreadable("what follows is: REDACTED"));
    }
}
