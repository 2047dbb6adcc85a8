//! What the human said, with what the agent had said and done before.

use super::super::timeline::{Done, Timeline};
use super::super::{steps, text};
use super::sentence::{self, Sentence};
use crate::model::{Action, Body, Item, Message, Origin, Role};

/// A message of the human, and what it answers.
pub(super) struct Said {
    /// The turn that it begins.
    pub turn: u32,
    /// The message.
    pub item: String,
    /// The human's words; of a command with arguments the arguments.
    pub text: String,
    /// The sentences of it that were typed.
    pub sentences: Vec<Sentence>,
    /// The agent's last words before it.
    pub before: String,
    /// What the agent changed last in the two turns before it, on one line.
    pub changed: Option<String>,
}

/// Returns the messages of the human in order.
pub(super) fn talk(timeline: &Timeline<'_>) -> Vec<Said> {
    let edits: Vec<_> = timeline.own().filter(is_edit).collect();
    let mut all: Vec<Said> = Vec::new();
    let mut before = None;
    for item in &timeline.items {
        let Body::Message(message) = &item.body else { continue };
        match (message.role, message.origin) {
            (Role::Assistant, Origin::Model) => before = Some(message),
            (_, Origin::Human) => {
                // Turns only rise.
                let earlier = edits.partition_point(|done| done.item.turn < item.turn);
                let last = earlier.checked_sub(1).map(|place| &edits[place]);
                let changed = last.filter(|done| done.item.turn + 2 >= item.turn);
                let answer = before.take().map(|message| text::plain(&message.plain()));
                let text = words(message);
                all.push(Said {
                    sentences: sentence::typed(&text),
                    turn: item.turn,
                    item: item.id.to_string(),
                    text,
                    before: answer.unwrap_or_default(),
                    changed: changed.map(|done| steps::line(timeline, done)),
                });
            }
            _ => {}
        }
    }
    all
}

fn is_edit(done: &Done<'_>) -> bool {
    matches!(done.call.action.as_deref(), Some(Action::Edit { .. })) && done.worked()
}

/// Returns the words of a message; of a command such as `/fix the parser` only what follows it.
fn words(message: &Message<'_>) -> String {
    let words = message.words();
    let words = text::cleaned(&words);
    let words = words.trim();
    let named = words.strip_prefix('/').filter(|rest| {
        let name = rest.split_whitespace().next().unwrap_or_default();
        !name.is_empty() && !name.contains('/')
    });
    let rest = named.map(|rest| rest.split_once(char::is_whitespace).map_or("", |(_, rest)| rest));
    rest.unwrap_or(words).trim().to_owned()
}

/// Returns the agent's messages in order, each with its item.
pub(super) fn agent<'t>(
    timeline: &'t Timeline<'_>,
) -> impl Iterator<Item = (usize, &'t Item<'static>, String)> + 't {
    timeline.items.iter().enumerate().filter_map(|(place, item)| match &item.body {
        Body::Message(m) if m.is_by_model() => Some((place, *item, text::plain(&m.plain()))),
        _ => None,
    })
}
