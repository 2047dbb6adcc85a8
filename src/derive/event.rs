//! What the harness itself told the agent to see to: a hook that sends it back to work, a comment on its pull
//! request.

use serde::Serialize;

use super::timeline::Timeline;
use super::{text, turns};
use crate::model::{Body, Origin, Role};

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
/// if no request came since. What follows a compaction belongs to that.
pub(super) fn event(timeline: &Timeline<'_>) -> Option<Event> {
    let (mut is_at_work, mut heard) = (false, None);
    let mut items = timeline.items.iter().rev();
    let (item, message) = loop {
        // Before all that was said or done nobody had ended anything.
        let item = items.next()?;
        match &item.body {
            Body::Message(message) => match message.origin {
                Origin::Human => return None,
                Origin::Harness if message.role == Role::User && is_at_work => {
                    heard = heard.or(Some((item, message)));
                }
                Origin::Harness => {}
                Origin::Model if !message.interim && heard.is_some() => break heard?,
                origin => {
                    is_at_work |= origin == Origin::Model;
                    heard = None;
                }
            },
            Body::ToolCall(_) | Body::ToolResult(_) if timeline.is_deed(item) => {
                (is_at_work, heard) = (true, None);
            }
            Body::Compaction(_) => heard = None,
            Body::Notice { kind, .. } if kind == "interrupted" => heard = None,
            _ => {}
        }
    };
    Some(Event {
        id: item.id.to_string(),
        turn: turns::id(item.turn),
        text: text::clip(text::plain(&message.plain()).trim(), CHARS),
    })
}
