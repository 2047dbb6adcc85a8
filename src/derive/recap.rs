//! What the harness itself says of where the work stands.

use serde::Serialize;

use super::timeline::Timeline;
use super::{open_work, text, turns, words};
use crate::model::{Body, Item, Origin};

/// The harness's newest recap: in a sentence or two what was done and what comes next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Recap {
    /// The item.
    pub id: String,
    /// The turn after which it was made.
    pub turn: String,
    /// What it says.
    pub text: String,
    /// Whether nothing was done or said after it.
    pub is_last: bool,
}

/// Words of which one stands in a sentence that says how something ended.
const ENDED: &[&str] = &[
    "committed",
    "complete",
    "completed",
    "deployed",
    "done",
    "finished",
    "fixed",
    "green",
    "merged",
    "pass",
    "passed",
    "passes",
    "passing",
    "pushed",
    "released",
    "works",
];
/// Words of which one stands in it where not all of it ended so, or something is yet to.
const OPEN: &[&str] = &[
    "be", "but", "decide", "left", "must", "next", "not", "once", "pending", "should", "still",
    "todo", "yet",
];
/// How such words begin that have several forms.
const OPEN_FORMS: &[&str] = &["await", "block", "need", "remain", "wait", "want"];
/// What is yet to come where there is none of it: of most other things it is good to have none.
const STEPS: &[&str] = &["commit", "commits", "pr", "push", "release", "review"];

/// What is done with a step that is taken.
const TAKEN: &[&str] =
    &["added", "committed", "created", "made", "opened", "pushed", "released", "run", "written"];

impl Recap {
    /// Returns what it says of the next step: what stands behind that word, else its last sentence, unless that only says
    /// how something ended.
    pub(super) fn step(&self) -> Option<&str> {
        let names = |word: &&str| {
            let at = self.text.rfind(word)?;
            // What was to be done next may be done by now.
            (!self.text[at + word.len()..].starts_with(" was")).then_some(at)
        };
        if let Some(at) = ["Next:", "Next step", "Next up"].iter().find_map(names) {
            return Some(&self.text[at..]);
        }
        let sentences = words::sentences(&self.text);
        let last =
            sentences.iter().map(|it| it.trim()).rfind(|it| it.contains(char::is_alphanumeric))?;
        (!has_ended(last)).then_some(last)
    }
}

/// Whether a sentence only says how something ended.
fn has_ended(sentence: &str) -> bool {
    let low = sentence.to_lowercase().replace('’', "'");
    let words: Vec<&str> = low.split(|c: char| !c.is_alphanumeric() && c != '\'').collect();
    let has = |all: &[&str]| words.iter().any(|word| all.contains(word));
    let is_open =
        |word: &&str| word.ends_with("n't") || OPEN_FORMS.iter().any(|form| word.starts_with(form));
    has(ENDED) && !has(OPEN) && !lacks(&words) && !words.iter().any(is_open)
}

/// How many words what was not done takes before it is said that it was not: `no pull request was opened`.
const MOST_WORDS: usize = 4;

/// Whether it is said that a step was not taken, and not what something was done without.
fn lacks(words: &[&str]) -> bool {
    let is_lack = |at: usize| {
        let behind = &words[at + 1..words.len().min(at + 2 + MOST_WORDS)];
        let is_step = behind.first().is_some_and(|word| STEPS.contains(word));
        let taken = behind.iter().position(|word| TAKEN.contains(word)).filter(|taken| *taken > 0);
        // It may have been done in the right place.
        let is_bound =
            taken.and_then(|taken| behind.get(taken + 1)).is_some_and(|it| *it == "outside");
        let is_good = behind.iter().take(2).any(|word| words::is_unwanted(word));
        let is_without = at > 0 && words[at - 1] == "with" && taken.is_none();
        words[at] == "no" && !is_good && !is_without && (is_step || taken.is_some() && !is_bound)
    };
    (0..words.len()).any(is_lack)
}

/// How many characters of it are kept.
const MOST_CHARS: usize = 600;

/// Returns the newest recap, if nothing was done or said by the agent since: what it says of the next
/// step is history then. What a compaction summed up later says more.
pub(super) fn recap(timeline: &Timeline<'_>) -> Option<Recap> {
    let is_newer =
        |item: &Item<'_>| !matches!(&item.body, Body::Compaction(summed) if summed.readable);
    let mut recent = timeline.items.iter().enumerate().rev().take_while(|(_, item)| is_newer(item));
    let (at, item, words) =
        recent.find_map(|(at, item)| recapped(item).map(|words| (at, item, words)))?;
    let mut later = timeline.items[at + 1..].iter();
    let is_old = later.clone().any(|item| is_step(timeline, item));
    let last = open_work::last_act(timeline).map(|act| act.id.as_ref());
    // What ran on can end after it.
    let ends = |item: &Item<'_>| matches!(item.body, Body::ToolResult(_));
    (!is_old).then(|| Recap {
        id: item.id.to_string(),
        turn: turns::id(item.turn),
        text: text::clip(words.trim(), MOST_CHARS),
        is_last: !later.any(|item| ends(item) || Some(item.id.as_ref()) == last),
    })
}

/// Whether the agent did or said something.
fn is_step(timeline: &Timeline<'_>, item: &Item<'_>) -> bool {
    match &item.body {
        Body::ToolCall(_) => timeline.is_deed(item),
        Body::Message(message) => message.origin == Origin::Model,
        _ => false,
    }
}

fn recapped(item: &Item<'_>) -> Option<String> {
    let Body::Notice { kind, text: Some(words) } = &item.body else { return None };
    (kind == "recap")
        .then(|| text::plain(&words.plain()))
        .filter(|words| words.contains(char::is_alphanumeric))
}
