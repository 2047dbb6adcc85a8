//! Of the texts that a harness puts in for a command or a skill, as what that was called.

use std::borrow::Cow;
use std::collections::HashMap;

use super::{Harness, Sink, recorders};
use crate::error::Result;
use crate::model::{
    Body, Header, Item, Message, Origin, Part, Role, Status, ToolCall, ToolKind, ToolResult,
};

/// How many bytes of a message say whose text it is.
const START_BYTES: usize = 256;

/// Passes items on, and says of the text of a command or a skill as what that was called: as the human typed it, or by
/// the name that the model gave.
pub struct CalledTexts<'s> {
    sink: &'s mut dyn Sink,
    /// Whose forms the messages and calls have.
    recorders: Vec<&'static dyn Harness>,
    /// The names that calls gave which have not come back.
    open: HashMap<String, String>,
    /// What was called of which the text may come next, and who puts that in.
    waits: Option<(String, Origin)>,
}

impl<'s> CalledTexts<'s> {
    /// Passes on to `sink`.
    pub fn new(sink: &'s mut dyn Sink) -> Self {
        Self { sink, recorders: Vec::new(), open: HashMap::new(), waits: None }
    }

    fn call(&mut self, call: &ToolCall<'_>) {
        self.waits = None;
        if call.kind != ToolKind::Other {
            return;
        }
        let named = |it: &&dyn Harness| it.calls_text(&call.name, &call.arguments);
        if let Some(name) = self.recorders.iter().find_map(named) {
            self.open.insert(call.call_id.to_string(), name);
        }
    }

    /// Hears of what came of a call; returns the text of what that called, if it has it.
    fn result(&mut self, result: &mut ToolResult<'_>) -> Option<Message<'static>> {
        let name = self.open.remove(result.call_id.as_ref())?;
        if result.status != Status::Ok {
            return None;
        }
        let words = match result.output.first() {
            Some(Part::Text(text)) => text.plain(),
            _ => Cow::Borrowed(""),
        };
        let text = self.recorders.iter().find_map(|it| it.called_text(&words)).map(str::to_owned);
        let Some(text) = text else {
            self.waits = Some((name, Origin::Harness));
            return None;
        };
        result.output.clear();
        Some(Message { called: Some(name), ..Message::text(Role::User, Origin::Harness, text) })
    }

    fn message(&mut self, message: &mut Message<'_>) {
        match message.origin {
            Origin::Human => {
                let named = message.command();
                // Some send the text in place of what was typed.
                let is_sent = !message.shows_typed() && !is_tagged(&start(message));
                message.called = named.clone().filter(|_| is_sent);
                self.waits = named.filter(|_| !is_sent).map(|name| (name, Origin::Command));
            }
            Origin::Harness | Origin::Command if message.role == Role::User => {
                let start = start(message);
                let named = self.recorders.iter().find_map(|recorder| recorder.called(&start));
                let is_text = !is_tagged(&start);
                let waits = self.waits.take_if(|(_, origin)| is_text && *origin == message.origin);
                message.called = named.or(waits.map(|(name, _)| name));
            }
            Origin::Harness | Origin::Command => {}
            Origin::Model | Origin::Summary | Origin::Agent => self.waits = None,
        }
    }
}

/// Returns how the text of a message begins.
fn start(message: &Message<'_>) -> String {
    match message.parts.first() {
        Some(Part::Text(text)) => text.start(START_BYTES).trim_start().to_owned(),
        _ => String::new(),
    }
}

/// Whether a text begins with a tag, as what harnesses say of their own does.
fn is_tagged(start: &str) -> bool {
    start.strip_prefix('<').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()))
}

impl Sink for CalledTexts<'_> {
    fn header(&mut self, header: &Header) -> Result<()> {
        self.recorders = recorders(header);
        self.sink.header(header)
    }

    fn item(&mut self, mut item: Item<'_>) -> Result<()> {
        let is_own = item.side_session.is_none() && item.copy_of.is_none();
        match &mut item.body {
            Body::ToolCall(call) if is_own => self.call(call),
            Body::ToolResult(result) if is_own => {
                if let Some(text) = self.result(result) {
                    let mut put = item.borrowed().into_owned();
                    (put.id, put.body) = (format!("{}/text", item.id).into(), Body::Message(text));
                    self.sink.item(item)?;
                    return self.sink.item(put);
                }
            }
            Body::Message(message) if is_own => self.message(message),
            _ => {}
        }
        self.sink.item(item)
    }

    fn next(&mut self) -> Option<&mut dyn Sink> {
        Some(self.sink)
    }
}
