//! Words that stand beside results: what the human typed while the harness worked goes to the model
//! with the next of them.

use super::content::{Piece, start};
use super::message::Current;
use super::read::Reader;
use super::replay::hash;
use crate::jsonl::string;
use crate::model::{Origin, Text};
use crate::note::Notes;

/// How the words begin that the human typed while the harness worked.
const STEERING: &str = "User steering update:";
/// What stands around what was typed.
const TAGS: (&str, &str) = ("<user_input>", "</user_input>");

/// Tells whether a piece holds what the human typed while the harness worked.
pub(super) fn is_steering(piece: &Piece<'_>) -> bool {
    matches!(piece, Piece::Text(raw) if start(raw).trim_start().starts_with(STEERING))
}

/// Returns what was typed of what was sent.
fn typed(sent: &str) -> Option<&str> {
    let (_, rest) = sent.split_once(TAGS.0)?;
    let words = rest.rsplit_once(TAGS.1).map_or(rest, |(words, _)| words).trim();
    (!words.is_empty()).then_some(words)
}

impl Reader<'_> {
    /// Remembers the texts of a result.
    pub(super) fn hear(&mut self, result: &[Piece<'_>]) {
        self.heard.extend(result.iter().filter_map(text_key));
    }

    /// Tells whether a text is part of a result, which the message of its own repeats.
    pub(super) fn was_heard(&self, piece: &Piece<'_>) -> bool {
        text_key(piece).is_some_and(|key| self.heard.contains(&key))
    }

    /// Adds the words beside results that are no part of one.
    pub(super) fn words_beside<'a>(
        &mut self,
        words: Vec<Piece<'a>>,
        current: &mut Current<'a>,
        notes: &mut Notes,
    ) {
        let (steering, others): (Vec<_>, Vec<_>) = words.into_iter().partition(is_steering);
        let sent = steering.iter().filter_map(|piece| match piece {
            Piece::Text(raw) => string(raw),
            _ => None,
        });
        let sent: Vec<_> = sent.collect();
        let said: Option<Vec<&str>> = sent.iter().map(|sent| typed(sent)).collect();
        let said = said.map(|said| Text::from(said.join("\n")));
        let origin = if self.beside.is_side { Origin::Agent } else { Origin::Human };
        self.say(steering, origin, "", said, current, notes);
        self.say(others, Origin::Harness, "/beside", None, current, notes);
    }
}

fn text_key(piece: &Piece<'_>) -> Option<u64> {
    match piece {
        Piece::Text(raw) => Some(hash(raw.get())),
        _ => None,
    }
}
