//! Words by which an English sentence binds the work. Each rule is narrow: what is not clearly
//! an order is left alone.

use super::lists::{
    ASKING, DANGERS, FEELINGS, FILLERS, LASTING, NARROW, SAID_BY_PROGRAM, STAYING, VERBS, WITHOUT,
};
use super::sentence::{self, Sentence};
use super::wishes;

/// The longest sentence that is looked at, in words.
const MOST_WORDS: usize = 40;
/// The shortest.
const LEAST_WORDS: usize = 2;

/// What is found, or not: "no new errors" reports.
const FOUND: &[&str] = &[
    "errors", "error", "warnings", "issues", "changes", "failures", "messages", "problem",
    "problems", "worries",
];

/// How long an order holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    /// In this work.
    Here,
    /// Everywhere and from now on.
    Lasting,
}

/// Tells whether a sentence says what must or must not be done, and how long that holds.
pub(super) fn binding(sentence: &Sentence) -> Option<Holds> {
    let count = sentence.words.len();
    if is_question(sentence) || !(1..=MOST_WORDS).contains(&count) {
        return None;
    }
    let foreign = super::forbidding::binding(sentence);
    if foreign.is_none() && on_length(sentence) {
        return Some(Holds::Lasting);
    }
    let orders = || {
        let orders = (0..count).any(|at| orders_at(sentence, at));
        count >= LEAST_WORDS && (orders || lists_what_not(sentence))
    };
    if foreign.is_none() && !orders() {
        return None;
    }
    let has = |phrases: &[&str]| phrases.iter().any(|phrase| sentence.find(phrase).is_some());
    match foreign {
        Some(holds) => Some(holds),
        None if has(LASTING) && !has(NARROW) => Some(Holds::Lasting),
        None => Some(Holds::Here),
    }
}

/// Tells whether a sentence speaks of what must not happen by accident.
pub(super) fn is_dangerous(sentence: &Sentence) -> bool {
    sentence.words.iter().any(|word| DANGERS.contains(&word.low.as_str()))
        || ["force push", "api key", "access key"].iter().any(|two| sentence.find(two).is_some())
}

/// Orders to see to something.
const SEES_TO: &[&str] = &["make sure", "be sure to", "ensure", "remember to"];
/// What forbids, or holds from now on.
const FORBIDS: &[&str] = &["always", "don't", "dont", "never", "no", "not", "only", "without"];

/// Tells whether a sentence that binds is on one step or one answer, and forbids nothing.
pub(super) fn is_of_one_step(sentence: &Sentence) -> bool {
    let has = |words: &[&str]| words.iter().any(|word| sentence.find(word).is_some());
    let sees_to = (has(SEES_TO) || has(NARROW)) && !has(FORBIDS);
    let is_small = has(&["don't forget"]) || on_length(sentence);
    sees_to || is_small && !has(&["no", "not", "never", "always", "only", "without"])
}

/// Tells whether a sentence asks.
pub(super) fn is_question(sentence: &Sentence) -> bool {
    let text = sentence.text.trim_end_matches(['"', '\'', ')', '”', '*', ' ']);
    let asks = text.ends_with(['?', '？', '؟', ';']) && !text.ends_with(';');
    let inside = text.contains("? ") || text.starts_with('¿');
    let first = (0..sentence.words.len()).find(|at| !FILLERS.contains(&sentence.word(*at)));
    asks || inside || first.is_some_and(|at| ASKING.contains(&sentence.word(at)))
}

/// Tells whether no word that asks opens a sentence.
pub(super) fn opens_plainly(sentence: &Sentence) -> bool {
    let first = (0..sentence.words.len()).find(|at| !FILLERS.contains(&sentence.word(*at)));
    first.is_some_and(|at| !ASKING.contains(&sentence.word(at)))
}

/// Tells whether a sentence begins as an order: with a verb, or with what stands before one.
pub(super) fn is_order(sentence: &Sentence) -> bool {
    let first = (0..sentence.words.len()).find(|at| !FILLERS.contains(&sentence.word(*at)));
    let verbs = ["let's", "don't", "dont", "never", "always", "ensure", "avoid"];
    first.is_some_and(|at| VERBS.contains(&sentence.word(at)) || verbs.contains(&sentence.word(at)))
}

/// Tells whether a request has an order in any of its clauses, be it one of many: "the first, and push it".
pub(in super::super) fn orders_work(request: &str) -> bool {
    let joins = |word: &str| FILLERS.contains(&word) || word == "you";
    let begins = |sentence: &Sentence, at: usize| {
        let before = at.checked_sub(1).map_or("and", |before| sentence.word(before));
        joins(before) || sentence.words[at - 1].ends
    };
    let orders = |sentence: &Sentence| {
        let verb = |at: &usize| VERBS.contains(&sentence.word(*at));
        (0..sentence.words.len()).filter(verb).any(|at| begins(sentence, at))
    };
    sentence::typed(request).iter().any(orders)
}

/// Tells whether a clause begins at `at`, so that a verb there is an order.
fn opens(sentence: &Sentence, at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return true };
    let word = sentence.word(before);
    if sentence.words[before].ends {
        return true;
    }
    match word {
        // A joint may go on with a description: "they fail and never recover".
        "and" | "or" | "but" | "so" | "then" | "instead" => before == 0 || is_order(sentence),
        _ => FILLERS.contains(&word) && opens(sentence, before),
    }
}

/// Tells whether an order stands at word `at`.
fn orders_at(sentence: &Sentence, at: usize) -> bool {
    let next = sentence.word(at + 1);
    let opens = || opens(sentence, at);
    let is_verb = || VERBS.contains(&next);
    match sentence.word(at) {
        "don't" | "dont" => forbids(sentence, at, next),
        "do" if next == "not" && wishes::of_user(sentence, at) => {
            wishes::names_unwanted(sentence, at + 2)
        }
        "want" => wishes::lays_down(sentence, at),
        "do" if next == "not" => forbids(sentence, at + 1, sentence.word(at + 2)) && opens(),
        "never" | "always" => is_verb() && (opens() || after_modal(sentence, at)),
        "must" | "mustn't" => requires(sentence, at, next),
        "should" | "shouldn't" | "shall" => ought(sentence, at, next),
        "only" => (is_verb() && opens()) || only_after(sentence, at),
        "make" => next == "sure" && opens(),
        "ensure" | "avoid" => !next.is_empty() && opens(),
        "be" => sentence.begins_at(at, "be sure to") && opens(),
        "remember" => next == "to" && opens(),
        "without" => WITHOUT.contains(&next) && is_order(sentence),
        "no" => no_more(sentence, at, next) && opens(),
        "stop" => next.len() > 5 && next.ends_with("ing") && opens(),
        "keep" | "leave" => stays(sentence, at) && opens(),
        "from" => sentence.begins_at(at, "from now on") && sentence.words.len() > 4,
        "whenever" => next == "you" && at == 0,
        "every" => sentence.begins_at(at, "every time you") && at == 0,
        "prefer" => prefers(sentence, at),
        "ask" | "check" | "confirm" => first_asks(sentence, at) && opens(),
        "before" => {
            at == 0
                && next == "you"
                && ["ask", "check", "confirm"].iter().any(|verb| {
                    sentence.find(verb).is_some_and(|at| at > 2 && sentence.words[at - 1].ends)
                })
        }
        _ => false,
    }
}

/// Tells whether `don't` at `at` forbids: nobody stands before it who does not do something.
fn forbids(sentence: &Sentence, at: usize, next: &str) -> bool {
    if wishes::of_user(sentence, at) {
        return wishes::names_unwanted(sentence, at + 1);
    }
    if next == "forget" {
        return opens(sentence, at);
    }
    let feels = FEELINGS.contains(&next);
    let seems = next == "look" && matches!(sentence.word(at + 2), "like" | "right" | "good");
    let starts = at
        .checked_sub(1)
        .is_none_or(|_| opens(sentence, at - usize::from(sentence.word(at) == "not")));
    starts && !feels && !seems && !next.is_empty()
}

fn after_modal(sentence: &Sentence, at: usize) -> bool {
    let before = at.checked_sub(1).map_or("", |before| sentence.word(before));
    matches!(before, "should" | "must" | "shall" | "to")
}

/// Tells whether `must` demands, and does not guess: "it must have been the cache".
fn requires(sentence: &Sentence, at: usize, next: &str) -> bool {
    let subject = at.checked_sub(1).map_or("", |before| sentence.word(before));
    let guesses = matches!(next, "have" | "be" | "still")
        && matches!(subject, "it" | "that" | "this" | "there" | "something" | "you" | "i");
    let program = SAID_BY_PROGRAM.contains(&sentence.word(0));
    !guesses
        && !program
        && !next.is_empty()
        && at > 0
        && !matches!(sentence.word(at + 1), "have" | "of")
}

/// Tells whether `should not`, `should never`, `should always` or `should only` stands at `at`.
fn ought(sentence: &Sentence, at: usize, next: &str) -> bool {
    let subject = at.checked_sub(1).map_or("", |before| sentence.word(before));
    let more = if sentence.word(at) == "shouldn't" { next } else { sentence.word(at + 2) };
    let binds =
        sentence.word(at) == "shouldn't" || matches!(next, "not" | "never" | "always" | "only");
    let vague = matches!(subject, "" | "it" | "this" | "that" | "there" | "i" | "which")
        || matches!(more, "" | "happen" | "matter" | "take" | "have" | "need" | "fail");
    binds && !vague
}

/// Tells whether `no` at `at` begins such as "no new dependencies".
fn no_more(sentence: &Sentence, at: usize, next: &str) -> bool {
    matches!(next, "new" | "more" | "extra" | "additional" | "external")
        && (at == 0 || sentence.words[at - 1].ends)
        && !FOUND.contains(&sentence.word(at + 2))
        && !sentence.word(at + 2).is_empty()
}

/// Tells whether a sentence says how long answers shall be: that one was too wordy, or that they
/// shall be brief.
fn on_length(sentence: &Sentence) -> bool {
    let any = |words: &[&str]| words.iter().find_map(|word| sentence.find(word));
    let said = ["that", "that's", "this", "it", "it's", "you", "you're", "your"];
    if any(&["too verbose", "too wordy"]).is_some() {
        // "Your messages are" speaks of all of them.
        let is_of_all = sentence.word(0) == "your" && sentence.find("are").is_some();
        return said.contains(&sentence.word(0)) && !is_of_all;
    }
    let tells = any(&["explain", "answer", "reply", "summarize", "summarise"]);
    let brief = ["concise", "concisely", "brief", "briefly", "succinct", "succinctly"];
    // "The brief outage" is one of the things that are to be explained.
    let is_how = |at: usize| {
        brief.contains(&sentence.word(at)) && !["the", "a", "an"].contains(&sentence.word(at - 1))
    };
    tells.is_some_and(|at| (at + 1..at + 4).any(is_how)) && is_order(sentence)
}

/// Words by which a sentence asks for something besides how long answers shall be.
const OTHERWISE: &[&str] =
    &["don't", "each", "every", "make sure", "must", "never", "no", "not", "only", "use"];

/// Tells whether words say how long answers shall be, and nothing else, nor for how long that holds.
pub(in super::super) fn is_on_length_alone(words: &str) -> bool {
    let says =
        |sentence: &Sentence| LASTING.iter().chain(OTHERWISE).any(|it| sentence.find(it).is_some());
    let all = sentence::prose(words);
    all.iter().any(on_length) && !all.iter().any(says)
}

/// Tells whether clauses such as "no jargon" stand at two places or more behind what they describe.
fn lists_what_not(sentence: &Sentence) -> bool {
    let begins = |at: &usize| sentence.word(*at) == "no" && sentence.words[at - 1].ends;
    let names = |at: usize| {
        let next = sentence.word(at + 1);
        !next.is_empty() && !FOUND.contains(&next)
    };
    let places: Vec<usize> = (1..sentence.words.len()).filter(begins).collect();
    // What was found or not found is told in the same way, but nothing is wished there.
    let wishes = ["can", "should", "must", "want", "please", "need", "would", "let's", "lets"];
    let is_wish = is_order(sentence) || wishes.iter().any(|word| sentence.find(word).is_some());
    places.len() > 1 && is_wish && places.into_iter().all(names)
}

/// Tells whether `only` at `at` follows the verb with which an order begins: "report only facts".
fn only_after(sentence: &Sentence, at: usize) -> bool {
    let before = at.checked_sub(1).map_or("", |before| sentence.word(before));
    VERBS.contains(&before) && opens(sentence, at - 1) && at + 1 < sentence.words.len()
}

/// Tells whether something shall stay as it is.
fn stays(sentence: &Sentence, at: usize) -> bool {
    let speaks = ["saying", "that", "note", "comment"].iter().any(|w| sentence.find(w).is_some());
    let place = |end: &str| sentence.find(end).is_some_and(|place| place > at + 1);
    !speaks && STAYING.iter().any(|end| place(end))
}

/// Tells whether somebody prefers one thing.
fn prefers(sentence: &Sentence, at: usize) -> bool {
    let before = at.checked_sub(1).map_or("", |before| sentence.word(before));
    let of_user = matches!(before, "i" | "we" | "always" | "generally");
    (of_user || opens(sentence, at)) && !sentence.word(at + 1).is_empty()
}

/// Tells whether the agent shall ask first.
fn first_asks(sentence: &Sentence, at: usize) -> bool {
    let next = sentence.after(at, 3);
    let whom = match sentence.word(at) {
        "check" | "confirm" => matches!(next[..], ["with", "me" | "us", ..]),
        _ => matches!(next[..], ["me" | "us" | "before" | "first" | "for", ..]),
    };
    whom && (sentence.find("before").is_some() || sentence.find("first").is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derive::words::sentence::typed;

    fn found(text: &str) -> Option<Holds> {
        typed(text).iter().find_map(binding)
    }

    #[test]
    fn what_asks_for_more_than_short_answers_is_not_on_their_length_alone() {
        for alone in ["That's too verbose.", "Explain clearly and concise."] {
            assert!(is_on_length_alone(alone), "{alone}");
        }
        for more in [
            "Do not add dependencies without asking me, just explain briefly what you need.",
            "Make sure every public function has tests; answer concisely.",
            "Your commit messages are too verbose, use one line.",
            "From now on explain it briefly.",
            "Explain briefly before every edit what you will change.",
            "Your commit messages are too verbose.",
        ] {
            assert!(!is_on_length_alone(more), "{more}");
        }
    }

    #[test]
    fn orders_bind() {
        let here = [
            "Don't open an upstream PR for now.",
            "Delete the dir, don't archive",
            "do not touch the migrations",
            "please don't run the whole suite",
            "Fix it but don't change the tests",
            "i don't want `cargo update`, remove that",
            "Make sure you review all comments, and fix them",
            "The output must not contain colours.",
            "i do not want the old table in there",
            "We do not want a second lamp",
            "We want the bot to own the lock file",
            "platforms shouldn't be empty",
            "Only edit files under src",
            "Refactor this without changing the public API",
            "no new dependencies",
            "Leave the old parser untouched.",
            "Ask me before you push",
            "Inspect it and report only evidence",
            "For now never push",
            "We can write that down with a short rule, no jargon, no history",
        ];
        for text in here {
            assert_eq!(found(text), Some(Holds::Here), "{text}");
        }
        let lasting = [
            "Never push to main.",
            "From now on, run the linter before each commit",
            "you should always use tabs",
            "I prefer small commits",
            "Whenever you change the schema, update the docs",
            "That's too verbose.",
            "Please explain it briefly",
            "Explain clearly and concise",
        ];
        for text in lasting {
            assert_eq!(found(text), Some(Holds::Lasting), "{text}");
        }
    }

    #[test]
    fn what_is_of_one_step_forbids_nothing() {
        let of_one = |text: &str| is_of_one_step(&typed(text)[0]);
        for text in
            ["Make sure the page has a title", "Don't forget the tests", "Explain it briefly"]
        {
            assert!(of_one(text), "{text}");
        }
        for text in [
            "Don't touch the schema for now",
            "Never push",
            "Make sure not to push",
            "Only edit files under src",
            "From now on, run the linter before each commit",
            "Ask me before you push",
        ] {
            assert!(!of_one(text), "{text}");
        }
    }

    #[test]
    fn descriptions_questions_and_feelings_do_not() {
        let none = [
            "I don't understand.",
            "I don't care about the effect right now",
            "The tests don't pass",
            "they fail and don't report it",
            "it never worked",
            "Never mind",
            "It always fails on Mondays",
            "this must have been the cache",
            "Should we never push?",
            "can you make sure it works",
            "it builds without any errors now",
            "this should not happen",
            "No new errors",
            "it ran, no errors, no warnings",
            "The explanation was brief",
            "The build output of cargo is too verbose.",
            "I ran it again, no crashes, no output",
            "Checked twice, no luck, no regressions",
            "Explain why the brief outage happened",
            "Write a function that returns brief answers to the user of our app",
            "we added the check to make sure it works",
            "only the first test fails",
            "Leave a note saying that main is untouched",
            "Failed to fetch: the field must be an object",
            "Return CLEAN if all is resolved and no new defect is found",
            "don't worry",
            "I do not want to break it",
            "I do not know the table",
            "we do not want it",
            "We want to own the lamp",
            "We want you to keep at it",
            "We want the page to load faster",
            "they said we want the bot to own it",
            "it prints `do not touch` and stops",
        ];
        for text in none {
            assert_eq!(found(text), None, "{text}");
        }
    }
}
