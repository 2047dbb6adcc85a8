//! Turns: what was asked, what was done, what was answered.

use serde::Serialize;

use super::timeline::{Done, Timeline};
use super::{steps, text};
use crate::model::{Action, Body, Origin, Role};

/// A request of the user's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Request {
    /// Such as `T-12`.
    pub id: String,
    /// Its words, cut in the middle if they are many.
    pub text: String,
}

/// A turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Turn {
    /// Such as `T-12`.
    pub id: String,
    /// What the user asked, on one line.
    pub ask: String,
    /// What was done and said, newest first.
    pub steps: Vec<Step>,
}

/// Something that was done or said in a turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// One line.
    pub text: String,
    /// The words of the agent, or the lines of a change.
    pub detail: Option<String>,
    /// Whether the agent speaks.
    pub said: bool,
    /// Whether it only looked: read, searched, fetched.
    #[serde(skip)]
    pub looked: bool,
    /// The items that it rests on.
    pub evidence: Vec<String>,
}

/// How many turns are kept.
const MOST_TURNS: usize = 40;
/// How many steps are kept in all.
const MOST_STEPS: usize = 400;

/// Returns the id of a turn.
pub(super) fn id(turn: u32) -> String {
    format!("T-{turn}")
}

/// Returns the requests before the current one, newest first.
pub(super) fn requests(timeline: &Timeline<'_>) -> Vec<Request> {
    let requests = timeline.requests().rev().skip(1);
    let request = |(item, message): (&crate::model::Item<'_>, &crate::model::Message<'_>)| {
        Request { id: id(item.turn), text: text::clip(&text::plain(&message.words()), 600) }
    };
    requests.take(60).map(request).filter(|request| !request.text.is_empty()).collect()
}

/// Returns the last turns, newest first, each with its steps newest first.
pub(super) fn turns(timeline: &Timeline<'_>) -> Vec<Turn> {
    let calls: Vec<Done<'_>> = timeline.done().collect();
    let mut calls = calls.iter().rev().peekable();
    let mut turns: Vec<Turn> = Vec::new();
    let mut left = MOST_STEPS;
    for item in timeline.items.iter().rev() {
        if turns.len() > MOST_TURNS || left == 0 {
            break;
        }
        let number = id(item.turn);
        if turns.last().is_none_or(|turn| turn.id != number) {
            turns.push(Turn { id: number, ask: String::new(), steps: Vec::new() });
        }
        let Some(turn) = turns.last_mut() else { break };
        match &item.body {
            Body::Message(message) if message.origin == Origin::Human => {
                turn.ask = text::line(&text::plain(&message.words()), 300);
            }
            Body::Message(message) if message.role == Role::Assistant => {
                turn.steps.push(said(&item.id, &text::plain(&message.plain())));
                left -= 1;
            }
            Body::ToolCall(_) => {
                let Some(done) = calls.next_if(|done| std::ptr::eq(done.item, *item)) else {
                    continue;
                };
                add(&mut turn.steps, step(timeline, done));
                left -= 1;
            }
            _ => {}
        }
    }
    turns.retain(|turn| !turn.ask.is_empty() || !turn.steps.is_empty());
    turns
}

fn said(id: &str, words: &str) -> Step {
    let short = text::line(words, 240);
    let detail = text::clip(words, 1600);
    Step {
        detail: (detail.chars().count() > 240).then_some(detail),
        text: short,
        said: true,
        looked: false,
        evidence: vec![id.to_owned()],
    }
}

fn step(timeline: &Timeline<'_>, done: &Done<'_>) -> Step {
    let looked = matches!(
        done.call.action.as_deref(),
        Some(Action::Read { .. } | Action::Search { .. } | Action::Fetch { .. })
    );
    Step {
        text: steps::line(timeline, done),
        detail: steps::hunk(done),
        said: false,
        looked: looked && !done.failed(),
        evidence: vec![done.item.id.to_string()],
    }
}

/// Adds a step; looking again and again is one step.
fn add(steps: &mut Vec<Step>, step: Step) {
    match steps.last_mut().filter(|last| last.looked && step.looked && last.text.len() < 300) {
        Some(last) => {
            last.text = format!("{}, {}", step.text, last.text);
            last.evidence.extend(step.evidence);
        }
        None => steps.push(step),
    }
}
