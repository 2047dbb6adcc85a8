//! What somebody but the model said, and whose words it is.

use std::borrow::Cow;
use std::io;

use serde_json::Value;

use super::super::text::{ABORTED, Whose, whose};
use super::rollout::Rollout;
use super::steps::Preview;
use super::{events, items};
use crate::harness::mark::Mark;
use crate::json::Quick;
use crate::model::{Message, Origin, Part, Text};

/// What the list shows of a request that has no text.
const IMAGE_ONLY: &str = "[Image]";

impl Rollout<'_> {
    pub(super) fn said(&mut self, message: &Message<'_>, id: &str) -> io::Result<()> {
        let is_first = self.preview == Preview::Entry(id.to_owned());
        let is_request = is_first || message.origin == Origin::Human;
        if is_request {
            self.begin()?;
        }
        let (mut item, mark) = self.sent(message, id);
        if matches!(message.origin, Origin::Harness | Origin::Agent) {
            self.links.rename(&mut item);
        }
        self.marked_item(&item, mark.as_ref())?;
        if !is_request {
            return Ok(());
        }
        let words = shown(message);
        let words = if words.trim().is_empty() { IMAGE_ONLY } else { &words };
        let mark = mark.filter(Mark::is_anothers);
        self.marked("event_msg", &Quick(&events::user_message(words)), mark.as_ref())
    }

    /// Ends the turn as one that the user stopped, and has the model told, unless the client did that.
    pub(super) fn stopped(&mut self) -> io::Result<()> {
        if !self.same {
            self.marked_item(&items::user(ABORTED), None)?;
        }
        self.turn.take().map_or(Ok(()), |turn| self.event(&events::turn_aborted(&turn.id)))
    }

    /// Makes the item of what somebody but the model said, and what is noted beside it.
    pub(super) fn sent(&mut self, message: &Message<'_>, id: &str) -> (Value, Option<Mark>) {
        let is_mail = self.same && message.origin == Origin::Agent;
        let mail = is_mail.then(|| items::mail(message, id, &mut self.losses)).flatten();
        if let Some(mail) = mail {
            return (mail, None);
        }
        let mark = Mark::of_message(message, self.read_as(message), self.same);
        (items::said(message, self.same, id, &mut self.losses), mark)
    }

    /// Tells as whose words a message would be read.
    fn read_as(&self, message: &Message<'_>) -> Origin {
        let first = message.parts.iter().find_map(|part| match part {
            Part::Text(text) if !text.is_blank() => Some(whose(text)),
            _ => None,
        });
        match first {
            Some(Whose::Command) => Origin::Command,
            Some(Whose::Harness | Whose::Wrapper) => Origin::Harness,
            // In a side session these are the words of the agent that began it.
            Some(Whose::Human) | None if self.spawned.is_some() => Origin::Agent,
            Some(Whose::Human) | None => Origin::Human,
        }
    }
}

/// Returns what the screen shows of a request: what was typed.
pub(super) fn shown<'m>(message: &'m Message<'_>) -> Cow<'m, str> {
    message.said.as_ref().map_or_else(|| message.plain(), Text::plain)
}
