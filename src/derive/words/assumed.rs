//! What the agent took for granted and nobody confirmed.

use std::borrow::Cow;

use super::super::fact::{Fact, FactKind};
use super::super::timeline::Timeline;
use super::super::{Trust, text};
use super::names;
use super::sentence::{self, Sentence};
use crate::model::{Body, Origin, Role};

/// Words by which the agent says that it takes something for granted.
const ASSUMES: &[&str] = &[
    "i'll assume",
    "i will assume",
    "i'm assuming",
    "i am assuming",
    "i assume that",
    "i'm going to assume",
    "we'll assume",
    "we assume that",
    "my assumption is",
    "i've assumed",
    "i have assumed",
];
/// The same at the beginning of a sentence.
const ASSUMES_FIRST: &[&str] = &["assuming that", "assuming the", "assuming you", "assumption"];
/// How many are kept: the last.
const MOST: usize = 5;

/// Finds assumptions on which no later message of the human says anything.
pub(super) fn assumptions(timeline: &Timeline<'_>) -> Vec<Fact> {
    let mut found: Vec<(usize, Fact)> = Vec::new();
    let mut answers: Vec<(usize, Cow<'_, str>)> = Vec::new();
    for (place, item) in timeline.items.iter().enumerate() {
        let Body::Message(message) = &item.body else { continue };
        match (message.role, message.origin) {
            (Role::Assistant, Origin::Model) => {
                let place_of = (item.turn, item.id.as_ref());
                let words = message.plain();
                let words = text::cleaned(&words);
                if !sentence::has_any(&words, &["assum"]) {
                    continue;
                }
                let assumed = sentence::prose(&words).into_iter().filter(assumes);
                found.extend(assumed.map(|sentence| (place, assumption(&sentence, place_of))));
            }
            (_, Origin::Human) => answers.push((place, message.words())),
            _ => {}
        }
    }
    // The last are looked at alone: older ones would not be told.
    let last = found.split_off(found.len().saturating_sub(2 * MOST));
    let open = |(place, fact): &(usize, Fact)| {
        let mut later = answers.iter().filter(|(at, _)| at > place).enumerate();
        !later.any(|(number, (_, answer))| settles(answer, &fact.text, number == 0))
    };
    let mut open: Vec<Fact> = last.into_iter().filter(open).map(|(_, fact)| fact).collect();
    open.split_off(open.len().saturating_sub(MOST))
}

fn assumption(sentence: &Sentence, place: (u32, &str)) -> Fact {
    let words = text::line(&sentence.text, 300);
    Fact { weight: 0.7, ..Fact::new(FactKind::Assumption, Trust::C, words, place) }
}

fn assumes(sentence: &Sentence) -> bool {
    let says = ASSUMES.iter().any(|phrase| sentence.find(phrase).is_some())
        || ASSUMES_FIRST.iter().any(|phrase| sentence.begins_at(0, phrase));
    says && (5..=50).contains(&sentence.words.len()) && !sentence.text.ends_with('?')
}

/// Tells whether an answer confirms an assumption or speaks against it: by its first word, if it
/// is the next answer, or because it has the same words.
fn settles(answer: &str, assumed: &str, next: bool) -> bool {
    let decides = ["yes", "yep", "right", "correct", "exactly", "no", "nope", "wrong", "sure"];
    let first = answer.split_whitespace().next().unwrap_or_default().to_lowercase();
    let first = first.trim_matches(|c: char| !c.is_alphanumeric());
    (next && decides.contains(&first)) || names::same(answer, assumed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assumptions_are_told_from_talk_about_them() {
        let is = |text: &str| assumes(&sentence::prose(text)[0]);
        assert!(is("I'll assume the bank sends UTF-8."));
        assert!(is("Assuming the port stays 8080, nothing else changes."));
        assert!(!is("I checked rather than assuming that it works."));
        assert!(!is("The validator is weaker than I assumed it was."));
        assert!(!is("Should I assume the bank sends UTF-8?"));
    }
}
