//! Calls that wait for the user: a plan to be approved, a question to be answered.

use crate::derive::text;
use crate::derive::timeline::Timeline;
use crate::model::{Action, Body, Item, Question, Status, ToolCall, ToolResult};

/// How much of it a line tells, in characters.
const LINE_CHARS: usize = 160;

/// Returns what an item puts to the user, if it is a call that does: a plan, or questions with what can be chosen. So
/// does what came of such a call where nobody answered it in time.
pub(in crate::derive) fn put_to_user(timeline: &Timeline<'_>, item: &Item<'_>) -> Option<String> {
    let asked = match call(timeline, item)?.action.as_deref()? {
        Action::Propose { plan, .. } => plan.trim().to_owned(),
        Action::Ask { questions } => {
            questions.iter().map(question).collect::<Vec<_>>().join("\n\n")
        }
        _ => return None,
    };
    (!asked.is_empty()).then_some(asked)
}

/// Says in a line that a call with which a session ends waits for the user, if it does.
pub(super) fn waits(timeline: &Timeline<'_>, item: &Item<'_>) -> Option<String> {
    let asked = text::line(&text::plain(&put_to_user(timeline, item)?), LINE_CHARS);
    let action = call(timeline, item)?.action.as_deref();
    Some(match action {
        Some(Action::Propose { .. }) => format!("the plan waits for the user's approval: {asked}"),
        _ => format!("the user has not answered: {asked}"),
    })
}

/// Returns the call that an item is, or of which it says that nobody answered.
fn call<'c>(timeline: &Timeline<'c>, item: &'c Item<'_>) -> Option<&'c ToolCall<'c>> {
    match &item.body {
        Body::ToolCall(call) => Some(call),
        Body::ToolResult(result) if is_unanswered(result) => {
            let mut done = timeline.done().rev();
            let call = done.find(|done| done.call.call_id == result.call_id)?.call;
            matches!(call.action.as_deref(), Some(Action::Ask { .. })).then_some(call)
        }
        _ => None,
    }
}

/// Whether a question came back without an answer, and the user did not refuse it either.
fn is_unanswered(result: &ToolResult<'_>) -> bool {
    result.status == Status::Interrupted && !result.rejected && result.user_said.is_none()
}

fn question(question: &Question) -> String {
    let options = question.options.iter().map(|option| format!("\n- {option}"));
    question.text.trim().to_owned() + &options.collect::<String>()
}
