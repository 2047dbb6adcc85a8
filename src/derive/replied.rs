//! What a request is the reply to.

use serde::Serialize;

use super::timeline::Timeline;
use super::turns::{self, Step};
use super::{Facts, text};
use crate::model::{Body, Item, Message, Origin, Role};

/// The agent's words that the current request is the reply to: a question, what can be chosen, what was
/// found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Replied {
    /// Its turn.
    pub id: String,
    /// What it said, cut in the middle.
    pub text: String,
    /// The item.
    #[serde(skip)]
    pub(crate) item: String,
    /// Whether nothing was done for the request yet, and it can hardly be understood alone.
    #[serde(skip)]
    pub(crate) is_needed: bool,
}

/// How many characters of it are kept.
const MOST_CHARS: usize = 6000;
/// A request of fewer words hardly says by itself what it is about.
const SHORT_WORDS: usize = 12;
/// One of fewer only says yes, or which.
const NOD_WORDS: usize = 6;

/// Returns what the agent had said last before the current request, where that helps to understand it:
/// nothing was done for it yet, as `waits` says, or it is short.
pub(super) fn replied(timeline: &Timeline<'_>, goal: &str, waits: bool) -> Option<Replied> {
    let is_short = goal.split_whitespace().count() < SHORT_WORDS && !goal.starts_with('/');
    let (request, _) = timeline.requests().next_back().filter(|_| waits || is_short)?;
    let before = timeline.items.iter().rev().skip_while(|item| !std::ptr::eq(**item, request));
    // What the user said in several messages is one reply.
    let before = before.skip(1).skip_while(|item| is_human(item));
    let talk = before.filter_map(|item| match &item.body {
        Body::Message(message) => Some((item, message)),
        _ => None,
    });
    let mut talk = talk.take_while(|(_, message)| message.origin != Origin::Human);
    let (item, message) = talk.find(|(_, message)| is_said(message))?;
    let words = text::plain(&message.plain());
    let nods = goal.split_whitespace().count() < NOD_WORDS && asks_last(&words);
    let is_needed = nods || waits && (is_short || asks(&words));
    (!words.trim().is_empty()).then(|| Replied {
        id: turns::id(item.turn),
        text: text::clip(&words, MOST_CHARS),
        item: item.id.to_string(),
        is_needed,
    })
}

impl Facts {
    /// Takes what the card tells out of the steps of its turn.
    pub fn leave_to_card(&mut self) {
        // Without a goal there is no card for it.
        let replied = self.now.replies_to.as_ref().filter(|_| !self.now.goal.is_empty());
        let Some(replied) = replied else { return };
        let is_it = |step: &Step| step.said && step.evidence.first() == Some(&replied.item);
        let of_it = self.turns.iter_mut().filter(|turn| turn.id == replied.id);
        of_it.for_each(|turn| turn.steps.retain(|step| !is_it(step)));
    }
}

fn is_human(item: &Item<'_>) -> bool {
    matches!(&item.body, Body::Message(message) if message.origin == Origin::Human)
}

fn is_said(message: &Message<'_>) -> bool {
    message.role == Role::Assistant && message.origin == Origin::Model
}

/// Whether words end with a question.
fn asks(words: &str) -> bool {
    words.trim_end().ends_with(['?', '？', '؟'])
}

/// Whether a question stands in their last paragraph.
fn asks_last(words: &str) -> bool {
    let last = words.trim_end().rsplit("\n\n").next().unwrap_or_default();
    last.contains(['?', '？', '؟'])
}

/// Returns how words begin and how they end, in whole lines where that can be, in about `most`
/// characters: what is asked, and what can be chosen, mostly stands at the end.
pub fn gist(words: &str, most: usize) -> String {
    let length = |text: &str| text.chars().count();
    let words = words.trim();
    if length(words) <= most {
        return words.to_owned();
    }
    let most_end = most - most / 4;
    let mut left = most_end;
    let fits = |line: &&str| {
        let fits = length(line) < left;
        left = left.saturating_sub(length(line) + 1);
        fits
    };
    let whole: usize = words.split_inclusive('\n').rev().take_while(fits).map(str::len).sum();
    // Of a longer line its end.
    let cut = || {
        let from = words.char_indices().nth_back(most_end).map_or(0, |(at, _)| at);
        let blank = words[from..].find(char::is_whitespace).unwrap_or(0);
        words.len() - from - blank
    };
    let end = if words[words.len() - whole..].trim().is_empty() { cut() } else { whole };
    let (head, end) = words.split_at(words.len() - end);
    let head = text::start(head, most / 4);
    format!("{} […]\n\n{}", head.trim_end_matches([' ', '…']), end.trim())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn what_a_request_replies_to_is_told_by_its_beginning_and_its_end() {
        let long = "It was looked at from all sides. ".repeat(20);
        let asked =
            format!("Two ways lead there.\n\n{long}\n\n1. by hand\n2. by a script\n\nWhich?");
        let told = "Two ways lead there. It was looked at from all […]\n\n1. by hand\n2. by a script\n\nWhich?";
        assert_eq!(gist(&asked, 200), told);
        assert_eq!(gist(&asked, 4000), asked);
        let one = gist(long.trim(), 100);
        assert!(one.starts_with("It was") && one.ends_with("sides."), "{one}");
        // More room shows more, at both ends.
        let lines = |letter: &str| (0..90).map(|at| format!("{letter}{at} ")).collect::<String>();
        let words = format!("Hi.\n\n{}\n\n{}", lines("a"), lines("b"));
        let held = |most: usize| -> HashSet<String> {
            gist(&words, most).split_whitespace().map(str::to_owned).collect()
        };
        for most in (100..700).step_by(20) {
            assert!(held(most).is_subset(&held(most + 20)), "{most}: {}", gist(&words, most));
        }
    }
}
