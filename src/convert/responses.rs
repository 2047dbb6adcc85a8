//! Which items the model said in one response.

use crate::model::{Body, Entry, EntryBody, Item, Role};

/// Numbers the responses as their items come.
#[derive(Default)]
pub(super) struct Responses {
    current: u32,
    /// The harness's own name of the response.
    name: Option<String>,
    /// Whether what comes next is a new one, if the harness gives no names.
    ended: bool,
    /// When the last words of it were said, if some were.
    said: Option<Option<String>>,
}

impl Responses {
    /// Returns the number of the response that `item` belongs to; 0 for what is no part of one.
    ///
    /// Where the harness gives its responses no names, a result or other words end one, the model's own
    /// at another time too.
    pub(super) fn of(&mut self, item: &Item<'_>) -> u32 {
        let name = match &item.body {
            Body::Message(message) if message.role == Role::Assistant => &message.message_id,
            Body::Reasoning(reasoning) => &reasoning.message_id,
            Body::ToolCall(call) => &call.message_id,
            Body::Usage(_) | Body::Plan(_) => return self.current,
            Body::ToolResult(_) => {
                self.ended = true;
                return self.current;
            }
            _ => {
                self.ended = true;
                self.name = None;
                return 0;
            }
        };
        let said =
            matches!(item.body, Body::Message(_)).then(|| item.ts.as_deref().map(str::to_owned));
        let is_later = said.is_some() && self.said.is_some() && said != self.said;
        let goes_on = match name {
            Some(name) => self.name.as_deref() == Some(name),
            None => self.name.is_none() && !self.ended && !is_later && self.current > 0,
        };
        if !goes_on {
            self.current += 1;
            self.name = name.as_deref().map(str::to_owned);
            self.said = None;
        }
        self.said = said.or(self.said.take());
        self.ended = false;
        self.current
    }
}

/// Has words that follow a call begin a response of their own, behind the result: harnesses send the
/// words of a response before its calls.
pub(super) fn after_calls(entries: &mut [Entry]) {
    let (mut begun, mut called) = (0, 0);
    for entry in entries.iter_mut().filter(|entry| entry.response > 0) {
        match entry.body {
            EntryBody::Exchange(_) => called = entry.response,
            EntryBody::Answer(_) if called == entry.response => {
                begun += 1;
                called = 0;
            }
            _ => {}
        }
        entry.response += begun;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Message, Origin, Reasoning};

    #[test]
    fn the_model_says_one_thing_at_a_time() {
        let at = |ts: Option<&'static str>, body| {
            let mut item = Item::new("x", 1, 1, body);
            item.ts = ts.map(Into::into);
            item
        };
        let said =
            |ts| at(ts, Body::Message(Message::text(Role::Assistant, Origin::Model, "words")));
        let thought = |ts| {
            let text = "hm".into();
            let body = Reasoning { text, message_id: None, opaque: false, native: None };
            at(ts, Body::Reasoning(body))
        };
        let (one, two) = (Some("2026-01-02T03:04:05.000Z"), Some("2026-01-02T03:04:06.000Z"));
        let numbers = |items: &[Item<'_>]| {
            let mut responses = Responses::default();
            items.iter().map(|item| responses.of(item)).collect::<Vec<_>>()
        };
        assert_eq!(numbers(&[thought(one), said(two), said(two)]), [1, 1, 1]);
        assert_eq!(numbers(&[said(one), said(two), thought(two), said(one)]), [1, 2, 2, 3]);
        assert_eq!(numbers(&[said(None), said(None)]), [1, 1]);
    }
}
