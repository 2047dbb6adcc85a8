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
    /// More of it at growing length: the words of the agent, the lines of a change, of an output.
    pub details: Vec<String>,
    /// Whether the agent speaks.
    pub said: bool,
    /// Whether it only looked: read, searched, fetched.
    #[serde(skip)]
    pub looked: bool,
    /// The items that it rests on.
    pub evidence: Vec<String>,
}

/// How many characters of a request stand at the head of its turn; the whole stands elsewhere.
const ASK_CHARS: usize = 120;
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
                turn.ask = text::line(&text::plain(&message.words()), ASK_CHARS);
            }
            Body::Message(message)
                if message.role == Role::Assistant && message.origin == Origin::Model =>
            {
                turn.steps.push(said(&item.id, &text::plain(&message.plain())));
                left -= 1;
            }
            Body::ToolCall(_) => {
                let Some(done) = calls.next_if(|done| std::ptr::eq(done.item, *item)) else {
                    continue;
                };
                // Waiting is worth a word only where it ended badly.
                if !matches!(done.call.action.as_deref(), Some(Action::Wait)) || done.failed() {
                    add(&mut turn.steps, step(timeline, done));
                    left -= 1;
                }
            }
            _ => {}
        }
    }
    turns.retain(|turn| !turn.ask.is_empty() || !turn.steps.is_empty());
    turns
}

/// Lengths at which the words of the agent are told, in characters.
const SAID_CHARS: [usize; 3] = [240, 700, 2000];
/// Lengths at which the lines of a change or an output are told.
const DETAIL_LINES: [usize; 2] = [12, 36];

fn said(id: &str, words: &str) -> Step {
    let [short, more, most] = SAID_CHARS;
    let mut details = vec![text::clip(words, more), text::clip(words, most)];
    details.dedup();
    details.retain(|detail| detail.chars().count() > short);
    let evidence = vec![id.to_owned()];
    Step { text: text::line(words, short), details, said: true, looked: false, evidence }
}

fn step(timeline: &Timeline<'_>, done: &Done<'_>) -> Step {
    let looked = matches!(
        done.call.action.as_deref(),
        Some(Action::Read { .. } | Action::Search { .. } | Action::Fetch { .. })
    );
    let tells = !matches!(
        done.call.action.as_deref(),
        Some(Action::Plan | Action::Propose { .. } | Action::Ask { .. })
    ) && !done.refused();
    let output = |most| steps::excerpt(done, most).filter(|_| tells);
    let detail = |most| steps::hunk(done, most).or_else(|| output(most));
    let mut details: Vec<_> = DETAIL_LINES.into_iter().filter_map(detail).collect();
    details.dedup();
    Step {
        text: steps::line(timeline, done),
        details,
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
            last.details = joined(&step.details, &last.details);
            last.evidence.extend(step.evidence);
        }
        None => steps.push(step),
    }
}

/// Puts the details of two steps under each other, length by length.
fn joined(first: &[String], second: &[String]) -> Vec<String> {
    let at = |details: &[String], level: usize| details.get(level).or(details.last()).cloned();
    let levels = 0..first.len().max(second.len());
    let both = levels.map(|level| {
        let parts: Vec<_> = at(first, level).into_iter().chain(at(second, level)).collect();
        parts.join("\n")
    });
    both.collect()
}
