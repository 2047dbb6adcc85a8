//! Whether a session is large enough for a pack of it to be worth a place in every start.

use crate::cli::pack::Made;
use crate::model::{Action, Body, Item, Session, plain};
use crate::select::tokens::Counter;

/// A pack that costs this share of its session's tokens is not worth a place in every start.
const CLEARLY_SMALLER: f64 = 0.6;

/// Says how small the sessions are, if a pack of them is not clearly smaller.
pub(super) fn too_small(made: &Made) -> Option<String> {
    let cost = made.counter.count(&made.text);
    let enough = needed(cost);
    let source = source_tokens(&made.sessions, &made.counter, enough);
    (source < enough)
        .then(|| format!("the pack costs {cost} tokens, the session itself only {source}"))
}

/// Returns how many tokens a session must have for a pack of `cost` to be clearly smaller.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a number of tokens is small and not negative"
)]
fn needed(cost: usize) -> usize {
    (cost as f64 / CLEARLY_SMALLER).floor() as usize + 1
}

/// Counts what was said, called and returned in the sessions, until it is `enough`.
fn source_tokens(sessions: &[Session], counter: &Counter, enough: usize) -> usize {
    let mut sum = 0;
    for item in sessions.iter().flat_map(|session| &session.items) {
        sum += words(item).iter().map(|text| counter.count(text)).sum::<usize>();
        if sum >= enough {
            break;
        }
    }
    sum
}

fn words(item: &Item<'_>) -> Vec<String> {
    match &item.body {
        Body::Message(message) => vec![message.words().into_owned()],
        Body::ToolResult(result) => vec![plain(&result.output).into_owned()],
        Body::ToolCall(call) => match call.action.as_deref() {
            Some(Action::Shell { command: text, .. } | Action::Type { keys: text, .. }) => {
                vec![text.clone()]
            }
            Some(Action::Edit { changes }) => changes
                .iter()
                .flat_map(|change| [change.removed.clone(), change.added.clone()])
                .collect(),
            _ => vec![call.arguments.get().to_owned()],
        },
        _ => Vec::new(),
    }
}
