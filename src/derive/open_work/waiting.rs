//! Calls that wait for the user: a plan to be approved, a question to be answered.

use crate::derive::text;
use crate::model::{Action, Body, Question};

/// How much of it a line tells, in characters.
const LINE_CHARS: usize = 160;

/// Returns what an item puts to the user, if it is a call that does: a plan, or questions with what can be chosen.
pub(in crate::derive) fn put_to_user(body: &Body<'_>) -> Option<String> {
    let Body::ToolCall(call) = body else { return None };
    let asked = match call.action.as_deref()? {
        Action::Propose { plan, .. } => plan.trim().to_owned(),
        Action::Ask { questions } => {
            questions.iter().map(question).collect::<Vec<_>>().join("\n\n")
        }
        _ => return None,
    };
    (!asked.is_empty()).then_some(asked)
}

/// Says in a line that a call with which a session ends waits for the user, if it does.
pub(super) fn waits(body: &Body<'_>) -> Option<String> {
    let asked = text::line(&text::plain(&put_to_user(body)?), LINE_CHARS);
    let is_plan = matches!(body, Body::ToolCall(call) if matches!(call.action.as_deref(), Some(Action::Propose { .. })));
    Some(match is_plan {
        true => format!("the plan waits for the user's approval: {asked}"),
        false => format!("the user has not answered: {asked}"),
    })
}

fn question(question: &Question) -> String {
    let options = question.options.iter().map(|option| format!("\n- {option}"));
    question.text.trim().to_owned() + &options.collect::<String>()
}
