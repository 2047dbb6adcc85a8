//! What the harness itself told the agent to see to: a hook that sends it back to work, a comment on its pull
//! request.

use serde::Serialize;

use super::timeline::Timeline;
use super::{text, turns};
use crate::model::{Body, Item, Message, Origin, Role};

/// How many characters of it are told.
const CHARS: usize = 400;

/// Words of the harness, or of others that it passed on, on which the agent went to work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Event {
    /// The id of the item that holds them.
    pub id: String,
    /// The turn in which they came.
    pub turn: String,
    /// The words, cut in the middle.
    pub text: String,
}

/// Returns the last words of the harness that came after the agent had ended its turn and sent it to work again,
/// if no request came since.
pub(super) fn event(timeline: &Timeline<'_>) -> Option<Event> {
    let mut is_at_work = false;
    for (at, item) in timeline.items.iter().enumerate().rev() {
        match &item.body {
            Body::Message(message) if message.origin == Origin::Human => return None,
            Body::Message(message) if message.origin == Origin::Model => is_at_work = true,
            Body::Message(message)
                if is_at_work && sends(message) && had_ended(timeline, &timeline.items[..at]) =>
            {
                let words = text::clip(text::plain(&message.plain()).trim(), CHARS);
                let (id, turn) = (item.id.to_string(), turns::id(item.turn));
                return Some(Event { id, turn, text: words });
            }
            Body::ToolCall(_) => is_at_work |= timeline.is_deed(item),
            _ => {}
        }
    }
    None
}

fn sends(message: &Message<'_>) -> bool {
    message.origin == Origin::Harness && message.role == Role::User
}

/// Whether the agent's own words are the last that happened; what follows a compaction belongs to that.
fn had_ended(timeline: &Timeline<'_>, items: &[&Item<'_>]) -> bool {
    let ended = items.iter().rev().find_map(|item| match &item.body {
        Body::Compaction(_) => Some(false),
        Body::ToolCall(_) | Body::ToolResult(_) => timeline.is_deed(item).then_some(false),
        Body::Message(message) => match message.origin {
            Origin::Model => Some(message.role == Role::Assistant && !message.interim),
            Origin::Harness => None,
            _ => Some(false),
        },
        Body::Notice { kind, .. } if kind == "interrupted" => Some(false),
        _ => None,
    });
    ended.unwrap_or(false)
}
