//! Whether the agent came to an end of its turn, or only said something on its way.

use super::words;
use crate::model::{Body, Item, Message, Origin};

/// Finds with which of its words the agent ended a turn, when asked of one item after the other, newest first.
#[derive(Default)]
pub(super) struct Ends {
    /// Whether what comes after the item is a call.
    has_call_next: bool,
}

impl Ends {
    /// Whether the agent ended a turn with an item.
    pub(super) fn at(&mut self, item: &Item<'_>) -> bool {
        match &item.body {
            Body::ToolCall(_) => self.has_call_next = true,
            Body::Message(message) => {
                let has_call_next = std::mem::take(&mut self.has_call_next);
                return message.origin == Origin::Model
                    && !has_call_next
                    && !is_on_its_way(message);
            }
            _ => {}
        }
        false
    }
}

/// Whether the agent says with a message that it goes on: the harness tells so, or its words do.
pub(super) fn is_on_its_way(message: &Message<'_>) -> bool {
    message.interim || words::only_announces(&message.plain())
}
