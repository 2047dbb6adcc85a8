//! What the user made of a plan that was put to them in words: nothing but what was said and done next tells.

use std::collections::HashSet;

use super::words;
use crate::model::{Action, Body, Item, Origin, Session, Status, Text, ToolCall, ToolResult};

/// What the first sentence is of words that have a plan carried out.
const CARRY_OUT: &[&str] = &[
    "implement the plan",
    "implement this plan",
    "please implement the plan",
    "please implement this plan",
];

/// Puts behind each proposed plan that never came back what the user made of it, where something was said since. It was
/// approved by words that only agree, or by changes that the agent made after words that begin so; it was not by another
/// plan after the user's words. Of all else nobody knows.
pub fn answer_plans(session: &mut Session) {
    let came = |item: &Item<'static>| match &item.body {
        Body::ToolResult(result) => Some(result.call_id.to_string()),
        _ => None,
    };
    if !session.items.iter().any(|item| proposed(item).is_some()) {
        return;
    }
    let came: HashSet<String> = session.items.iter().filter_map(came).collect();
    let answer = |(at, item): (usize, &Item<'static>)| {
        let call = proposed(item).filter(|call| !came.contains(call.call_id.as_ref()))?;
        let result = answer(call, later(&session.items[at + 1..], item))?;
        let mut answered = item.borrowed().into_owned();
        answered.id = format!("{}/answered", item.id).into();
        answered.body = Body::ToolResult(result);
        Some((at, answered))
    };
    let answers: Vec<_> = session.items.iter().enumerate().filter_map(answer).collect();
    let mut answers = answers.into_iter().peekable();
    let mut items = Vec::with_capacity(session.items.len() + answers.len());
    for (at, item) in std::mem::take(&mut session.items).into_iter().enumerate() {
        items.push(item);
        items.extend(answers.next_if(|(place, _)| *place == at).map(|(_, answered)| answered));
    }
    session.items = items;
}

/// Returns the call that proposes a plan, if an item of the session's own is that.
fn proposed<'i>(item: &'i Item<'static>) -> Option<&'i ToolCall<'static>> {
    let Body::ToolCall(call) = &item.body else { return None };
    let proposes = matches!(call.action.as_deref(), Some(Action::Propose { .. }));
    (proposes && item.side_session.is_none()).then_some(call)
}

/// Returns what came after an item where that was.
fn later<'i>(
    items: &'i [Item<'static>],
    item: &'i Item<'static>,
) -> impl Iterator<Item = &'i Item<'static>> {
    let is_there = |other: &&Item<'_>| {
        other.side_session.is_none()
            && other.copy_of.is_none()
            && other.dropped_by == item.dropped_by
    };
    items.iter().filter(is_there)
}

/// Returns what came of a plan; nothing while the user has not spoken, and the agent did not go on.
fn answer<'i>(
    call: &ToolCall<'static>,
    later: impl Iterator<Item = &'i Item<'static>>,
) -> Option<ToolResult<'static>> {
    let ended = |status| ToolResult::new(call.call_id.clone(), status, Vec::new());
    let mut said: Option<String> = None;
    for item in later {
        match &item.body {
            Body::Message(message)
                if message.origin == Origin::Human && message.command().is_none() =>
            {
                let words = message.words();
                if carries_out(&words) {
                    return Some(ended(Status::Ok));
                }
                said.get_or_insert_with(|| words.into_owned());
            }
            Body::ToolCall(call) => match call.action.as_deref() {
                Some(Action::Propose { .. }) => {
                    let rejected = said.is_some();
                    let status = if rejected { Status::Error } else { Status::Interrupted };
                    let user_said = said.map(Text::from);
                    return Some(ToolResult { rejected, user_said, ..ended(status) });
                }
                Some(Action::Edit { .. }) => {
                    let agreed = said.as_deref().is_some_and(agrees);
                    return Some(ended(if agreed { Status::Ok } else { Status::Interrupted }));
                }
                _ => {}
            },
            _ => {}
        }
    }
    said.is_some().then(|| ended(Status::Interrupted))
}

/// Whether words have a plan carried out as it is.
fn carries_out(said: &str) -> bool {
    let first = said.trim().split(['.', '!', ':', '\n']).next().unwrap_or_default().to_lowercase();
    words::only_agrees(said) || CARRY_OUT.contains(&first.trim())
}

/// Whether words agree to a plan with which the agent then went on.
fn agrees(said: &str) -> bool {
    words::begins_with_assent(said) || words::opens_with_assent(said)
}
