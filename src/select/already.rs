//! Facts that a pack tells elsewhere already.

use super::asked::{BEFORE_CHARS, GOAL_CHARS};
use super::{said, turns};
use crate::derive::{self, Fact, FactKind, Facts, State, Turn};

/// Whether a fact can be read elsewhere in any pack that has room for it.
pub(super) fn is_told(facts: &Facts, fact: &Fact) -> bool {
    match fact.kind {
        FactKind::Check => fails_already(facts, fact),
        FactKind::Directive => {
            said_already(facts, fact) || asked_already(facts, fact) || agreed_already(facts, fact)
        }
        FactKind::Constraint | FactKind::Preference | FactKind::Correction => {
            is_in_goal(facts, fact) || is_part(facts, fact)
        }
        _ => false,
    }
}

/// Whether a direction of the user's stands among what binds the work.
fn said_already(facts: &Facts, said: &Fact) -> bool {
    let binds = [FactKind::Constraint, FactKind::Preference, FactKind::Correction];
    facts.facts.iter().any(|fact| binds.contains(&fact.kind) && fact.text == said.text)
}

/// A longer one is not told in every pack that has room for its parts.
const LONGEST: usize = 300;

/// Whether what binds the work is a part of something else that does, of the same message: another could
/// bind it under a condition.
fn is_part(facts: &Facts, said: &Fact) -> bool {
    let binds = |fact: &&Fact| {
        let kinds = [FactKind::Constraint, FactKind::Preference, FactKind::Correction];
        kinds.contains(&fact.kind) && fact.state != State::Superseded
    };
    let longer = |fact: &&Fact| (said.text.len() + 1..=LONGEST).contains(&fact.text.len());
    let all = facts.facts.iter().filter(binds).filter(longer);
    let of_one = all.filter(|fact| fact.evidence == said.evidence);
    of_one.into_iter().any(|fact| holds(&fact.text, LONGEST, said))
}

/// Whether a direction of the user's can be read in the requests that stand in the card.
fn asked_already(facts: &Facts, said: &Fact) -> bool {
    let before = facts.now.goal_before.iter().map(|before| (&before.text, BEFORE_CHARS[0]));
    let mut above = before.chain([(&facts.now.goal, GOAL_CHARS[1])]);
    above.any(|(text, most)| holds(text, most, said))
}

/// Whether what the user agreed to by the last request stands in what the agent had said, of which the card tells
/// at least the beginning.
fn agreed_already(facts: &Facts, fact: &Fact) -> bool {
    let is_last = |turn: &Turn| turn.number == fact.turn && turn.id == facts.now.goal_id;
    let is_last = turns::session(&fact.id).is_empty() && facts.turns.iter().any(is_last);
    let agreed = fact.text.strip_prefix(derive::AGREED).filter(|_| is_last);
    let replied = facts.now.replies_to.as_ref().filter(|_| !facts.now.goal.is_empty());
    agreed
        .zip(replied)
        .is_some_and(|(agreed, replied)| said::always_tells(replied, agreed, &facts.now))
}

/// Whether what binds the work can be read in the goal, which comes first. In the request before it nobody would
/// see that it still does.
fn is_in_goal(facts: &Facts, said: &Fact) -> bool {
    holds(&facts.now.goal, GOAL_CHARS[1], said)
}

/// Whether a fact can be read in a text that is told.
pub(super) fn stands_in(text: &str, fact: &Fact) -> bool {
    holds(text, usize::MAX, fact)
}

/// What ends a sentence; at the end of a message, or of a tag, it may be missing.
const ENDS: &[char] = &['.', '!', '。', '！'];

/// Whether the words of a fact stand in what is told of a text.
fn holds(text: &str, most: usize, said: &Fact) -> bool {
    let folded = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (text, words) = (folded(&derive::clip(text, most)), folded(&said.text));
    let bare = words.trim_end_matches(ENDS);
    // "no" does not stand in "know", nor "Keep it." in "Keep it for now".
    let ends = |rest: &str| match bare.len() < words.len() {
        true => rest.is_empty() || rest.starts_with(ENDS) || rest.starts_with('<'),
        false => !rest.starts_with(char::is_alphanumeric),
    };
    let begins = |before: &str| !before.ends_with(char::is_alphanumeric);
    let is_it = |at: usize| begins(&text[..at]) && ends(&text[at + bare.len()..]);
    !bare.is_empty() && text.match_indices(bare).any(|(at, _)| is_it(at))
}

/// Whether a check is among what fails, where its lines stand too, or among the open work.
fn fails_already(facts: &Facts, check: &Fact) -> bool {
    let is_it = |evidence: &Vec<String>| evidence.iter().any(|item| check.evidence.contains(item));
    let mut works = facts.open_work.iter().filter(|work| work.source == "check");
    check.state != State::Done && works.any(|work| is_it(&work.evidence))
        || facts.failures.iter().any(|failure| is_it(&failure.evidence))
}
