//! Directions that the user gave in plain words, on what the agent had said: what should be, what
//! is fine, an order after a yes, an answer to what was asked.

use std::collections::HashSet;

use super::super::Trust;
use super::super::fact::{Fact, FactKind};
use super::super::text;
use super::cues;
use super::sentence::Sentence;
use super::talk::Said;

/// The longest message that is rather a direction than a new piece of work, in words.
const SHORT: usize = 80;
/// The longest sentence that is an answer.
const ANSWER: usize = 30;
/// The longest one that can be an answer by itself, whatever it names.
const SHORT_ANSWER: usize = 6;
/// How much of the agent's words an answer answers, in characters.
const ASKED_CHARS: usize = 1500;

/// Says what should be, where no question opens the sentence.
const SHOULD: &[&str] = &[
    "we should",
    "it should",
    "they should",
    "i want",
    "we want",
    "i'd like",
    "we'd like",
    "i don't want",
    "we don't want",
    "i'd rather",
    "we'd rather",
    "we'll need",
    "it must",
    "should use",
    "should be",
    "shouldn't be",
];
/// Says that something shall be as it is.
const FINE: &[&str] = &[
    "is fine",
    "are fine",
    "i like",
    "is decided",
    "are decided",
    "is settled",
    "are settled",
    "looks good",
    "works for me",
    "makes sense",
    "is good enough",
    "is enough for now",
    "is ok",
    "is okay",
];
/// Words that agree or refuse, before an order.
pub(super) const ANSWERS: &[&str] =
    &["yes", "yep", "yeah", "ok", "okay", "sure", "no", "nope", "great"];
/// Asks what the agent thinks of it: then nothing is settled yet.
const OPINION: &[&str] = &[
    "what do you think",
    "what are your thoughts",
    "your opinion",
    "your take",
    "any thoughts",
    "do you agree",
    "would you agree",
    "wdyt",
];
/// Beginnings of what answers nothing.
const UNSURE: &[&str] = &["i don't", "i do not", "i'm not", "not sure", "i mean", "maybe", "hmm"];

/// What the agent had said that a message may answer.
#[derive(Clone, Copy, Default)]
pub(super) struct Led<'s> {
    /// The question with which it ended.
    pub asked: Option<&'s str>,
    /// What it proposed near its end.
    pub proposed: Option<&'s str>,
    /// Whether it offered a list.
    pub lists: bool,
}

/// Finds directions in a message that follows what the agent had said. Sentences that `is_choice` knows are told
/// as choices.
pub(super) fn directions(
    said: &Said,
    led: Led<'_>,
    is_choice: &dyn Fn(&Sentence) -> bool,
) -> Vec<Fact> {
    let Led { asked, proposed, lists } = led;
    let is_long = || said.text.split_whitespace().nth(SHORT).is_some();
    if said.before.is_empty() || is_long() {
        return Vec::new();
    }
    let agrees = said.sentences.first().is_some_and(|first| ANSWERS.contains(&first.word(0)));
    let asked_before = asked.map(|question| format!("asked: {question}"));
    let agreed_to = proposed.filter(|_| agrees);
    let agreed_to = agreed_to.map(self::agreed_to);
    let one = |words: String| {
        let fact = Fact::new(FactKind::Directive, Trust::B, words, (said.turn, &said.item));
        let detail = asked_before.as_ref().or(agreed_to.as_ref());
        Fact { detail: detail.cloned(), weight: 0.5, ..fact }
    };
    if let Some(all) = numbered(&said.text).filter(|_| lists || asked.is_some()) {
        return vec![one(all)];
    }
    let asks_opinion =
        said.sentences.iter().any(|one| OPINION.iter().any(|cue| one.find(cue).is_some()));
    let directs = |sentence: &&Sentence| {
        let orders = agrees && asked.or(proposed).is_some() && is_answered_order(sentence);
        ((should(sentence) && !asks_opinion) || orders || fine(sentence)) && !is_choice(sentence)
    };
    let mut found: Vec<_> = said.sentences.iter().filter(directs).collect();
    if let Some(asked) = asked.filter(|_| found.is_empty() && said.sentences.len() == 1) {
        let answers = |it: &&Sentence| is_answer(it, &said.before) || is_short_answer(it, asked);
        found.extend(said.sentences.first().filter(answers));
    }
    found.iter().map(|sentence| one(text::line(&sentence.text, 300))).collect()
}

/// Says to what of the agent's the user agreed.
pub(super) fn agreed_to(proposed: &str) -> String {
    format!("the agent had proposed: {proposed}")
}

/// Returns the entries of a message that answers point by point, on one line.
fn numbered(message: &str) -> Option<String> {
    let mut found: Vec<String> = Vec::new();
    for line in message.lines().map(str::trim) {
        let next = (found.len() + 1).to_string();
        let rest = line.strip_prefix(next.as_str());
        let rest =
            rest.and_then(|rest| rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") ")));
        if let Some(rest) = rest.filter(|rest| !rest.contains('?')) {
            found.push(format!("{next}. {}", text::line(rest, 120)));
        }
    }
    (found.len() > 1).then(|| found.join(" "))
}

/// Verbs after "I want to" of somebody who wants to know.
const TO_KNOW: &[&str] = &[
    "see",
    "know",
    "understand",
    "analyze",
    "analyse",
    "explore",
    "discuss",
    "check",
    "learn",
    "look",
    "think",
    "ask",
    "review",
    "try",
    "compare",
    "find",
];

/// "We should use 17", also before a question: "I think it should stay, is that hard?"
fn should(sentence: &Sentence) -> bool {
    let asks = cues::is_question(sentence);
    SHOULD.iter().filter_map(|phrase| sentence.find(phrase)).any(|at| {
        let opens = at <= 3 && cues::opens_plainly(sentence);
        let more = sentence.words.len() > at + 2;
        let to_know = sentence.after(at + 1, 2);
        let asks = asks || matches!(to_know[..], ["to", verb] if TO_KNOW.contains(&verb));
        let asked_after = sentence.words.iter().skip(at + 2).any(|word| word.ends);
        more && (!asks || (opens && asked_after))
    })
}

fn fine(sentence: &Sentence) -> bool {
    let takes_back = ["but", "except", "not"].iter().any(|word| sentence.find(word).is_some());
    let found = FINE.iter().any(|phrase| sentence.find(phrase).is_some());
    found && !takes_back && !cues::is_question(sentence) && sentence.words.len() > 2
}

fn is_answered_order(sentence: &Sentence) -> bool {
    // "Let's think about it" settles nothing.
    let at = sentence.find("let's");
    let only_looks = at.is_some_and(|at| TO_KNOW.contains(&sentence.word(at + 1)));
    cues::is_order(sentence)
        && !cues::is_question(sentence)
        && !only_looks
        && sentence.words.len() > 1
}

/// Replies that name one of two.
const OF_TWO: &[&str] = &["the former", "the latter"];

/// Tells whether a sentence of a few words answers a question: one of two that it names, another thing than it
/// names ("no, Postgres"), or a word of it.
fn is_short_answer(sentence: &Sentence, asked: &str) -> bool {
    let low = asked.to_lowercase();
    let words: Vec<&str> = sentence.words.iter().map(|word| word.low.as_str()).collect();
    let words = words.strip_suffix(&["please"]).unwrap_or(&words);
    let of_two = || OF_TWO.iter().any(|phrase| sentence.begins_at(0, phrase));
    // A name, not one of the many words that can stand behind a no.
    let names = || {
        let mut typed = sentence.text.split_whitespace().skip(1);
        let name = typed.next().unwrap_or_default().trim_end_matches(['.', '!']);
        let is_name = name.len() > 1 && !name.contains(['\'', '’']);
        is_name && name.contains(|c: char| c.is_uppercase() || c.is_ascii_digit())
    };
    let is_named = |word: &&str| {
        word.chars().count() > 3 && low.split(|c: char| !c.is_alphanumeric()).any(|it| it == *word)
    };
    let other = || {
        matches!(words, ["no" | "nope", _, ..])
            && sentence.words.first().is_some_and(|it| it.ends)
            && names()
    };
    let named = || words.len() <= 2 && low.contains(" or ") && words.iter().all(is_named);
    let is_short = !words.is_empty() && words.len() <= SHORT_ANSWER;
    is_short && !cues::is_question(sentence) && (of_two() || other() || named())
}

/// Tells whether a sentence takes up the words of what was asked.
fn is_answer(sentence: &Sentence, before: &str) -> bool {
    let unsure = UNSURE.iter().any(|start| sentence.begins_at(0, start));
    let count = sentence.words.len();
    if unsure || cues::is_question(sentence) || cues::is_order(sentence) || count > ANSWER {
        return false;
    }
    let from = before.ceil_char_boundary(before.len().saturating_sub(ASKED_CHARS));
    let low = before[from..].to_lowercase();
    let asked: HashSet<&str> = low.split(|c: char| !c.is_alphanumeric()).collect();
    let shared = |word: &&super::sentence::Word| {
        word.low.chars().count() > 3 && asked.contains(word.low.as_str())
    };
    sentence.words.iter().filter(shared).count() >= 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derive::words::sentence::typed;

    fn said(before: &str, text: &str) -> Said {
        Said {
            turn: 2,
            item: "i".to_owned(),
            text: text.to_owned(),
            sentences: typed(text),
            before: before.to_owned(),
            changed: None,
        }
    }

    fn found(before: &str, text: &str, asked: Option<&str>) -> Vec<String> {
        let led = Led { asked, ..Led::default() };
        let facts = directions(&said(before, text), led, &|_| false);
        facts.into_iter().map(|fact| fact.text).collect()
    }

    #[test]
    fn what_should_be_is_a_direction() {
        let before = "I wrote it.";
        for text in [
            "If the image has version 3, then we should use 3.",
            "ok i don't want the cache, remove it",
            "I think it should clear all tables, is that hard?",
            "The loop is fine.",
            "I like the second layout.",
        ] {
            assert_eq!(found(before, text, None).len(), 1, "{text}");
        }
        for text in [
            "Should we use 3?",
            "Why do you think we should use 3?",
            "It looks good but fails.",
            "Fix the parser.",
            "I want to see how it works.",
            "Das ist in Ordnung.",
            "I feel like we should use 3, what do you think?",
            "We should use 3 for new files. What do you think?",
        ] {
            assert_eq!(found(before, text, None), Vec::<String>::new(), "{text}");
        }
        assert!(found("", "We should use tabs here.", None).is_empty());
    }

    #[test]
    fn answers_are_orders_after_a_yes_points_and_prose() {
        let asked = Some("Update the notes, or delete the folder?");
        let before = "Update the notes, or delete the folder?";
        assert_eq!(found(before, "yes, do both", asked), ["yes, do both"]);
        assert_eq!(found(before, "yes, do both", None), Vec::<String>::new());
        let led = Led { proposed: Some("I'd do both."), ..Led::default() };
        let facts = directions(&said("I'd do both.", "ok edit the notes too"), led, &|_| false);
        assert_eq!(facts[0].text, "ok edit the notes too");
        assert_eq!(facts[0].detail.as_deref(), Some("the agent had proposed: I'd do both."));
        let asks = directions(&said("I'd do both.", "ok let's think about it"), led, &|_| false);
        assert!(asks.is_empty());
        let points = "1. Reject blanks.\n2. Never empty.\n3. Why?";
        assert_eq!(found(before, points, asked), ["1. Reject blanks. 2. Never empty."]);
        let prose = "the folder follows the notes";
        assert_eq!(found(before, prose, asked), [prose]);
        assert!(found(before, "i don't understand the folder notes", asked).is_empty());
        for reply in ["the latter", "folder please", "no, Postgres"] {
            assert_eq!(found(before, reply, asked), [reply]);
        }
        for reply in [
            "go on",
            "no",
            "the tests fail",
            "folders",
            "no?",
            "no, later",
            "no, thanks",
            "no, I am tired",
        ] {
            assert!(found(before, reply, asked).is_empty(), "{reply}");
        }
    }
}
