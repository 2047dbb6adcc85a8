//! What the harness itself says of where the work stands.

use serde::Serialize;

use super::timeline::Timeline;
use super::{open_work, text, turns};
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
    "deployed",
    "done",
    "finished",
    "fixed",
    "green",
    "merged",
    "passed",
    "passes",
    "passing",
    " pass",
    "pushed",
    "released",
    "works",
];
/// Words of which one stands in it where not all of it ended so.
const OPEN: &[&str] = &[
    "await", "block", "but ", "decide", "left", "need", "next", "not ", "once ", "pending",
    "remain", "still", "then ", "to do", "todo", "wait", "yet",
];

impl Recap {
    /// Returns what it says of the next step: what stands behind that word, else its last sentence, unless that only says
    /// how something ended.
    pub(super) fn step(&self) -> Option<&str> {
        let named = ["Next:", "Next step", "Next up"].iter().find_map(|word| self.text.rfind(word));
        if let Some(at) = named {
            return Some(&self.text[at..]);
        }
        let text = self.text.trim_end_matches(['.', '。', ' ']);
        let ends = [". ", "。"].iter().filter_map(|end| text.rfind(end).map(|at| at + end.len()));
        let last = &self.text[ends.max().unwrap_or(0)..];
        let low = last.to_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| low.contains(word));
        (!has(ENDED) || has(OPEN)).then_some(last)
    }
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
