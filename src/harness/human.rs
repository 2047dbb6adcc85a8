//! What the human ran in a harness, as the calls that the model makes: both tell what was done and
//! how it ended.

use super::{Harness, Sink, recorders};
use crate::error::Result;
use crate::model::{
    Action, Body, Header, Item, Origin, Part, Status, ToolCall, ToolKind, ToolResult, no_arguments,
};

/// What a message tells of a command that the human ran.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HumanRan {
    /// The command line, if it is told here.
    pub command: Option<String>,
    /// What came out, if that is told here.
    pub output: Option<String>,
    /// The exit code, where the harness keeps it.
    pub exit_code: Option<i64>,
}

/// The name of the calls that the human made.
const NAME: &str = "human_shell";

/// Passes items on, the messages that tell what the human ran as calls and results, and what a hook of theirs says
/// against the work as a notice beside it.
pub struct HumanCalls<'s> {
    sink: &'s mut dyn Sink,
    /// Whose forms the messages have.
    recorders: Vec<&'static dyn Harness>,
    /// The call of which the output has not come yet.
    waits: Option<String>,
}

impl<'s> HumanCalls<'s> {
    /// Passes on to `sink`.
    pub fn new(sink: &'s mut dyn Sink) -> Self {
        Self { sink, recorders: Vec::new(), waits: None }
    }

    fn pass(&mut self, item: &Item<'_>, body: Body<'_>) -> Result<()> {
        let mut item = item.borrowed();
        item.body = body;
        self.sink.item(item)
    }

    fn call(&mut self, item: &Item<'_>, command: String) -> Result<()> {
        let action = Action::Shell { command, cwd: None, by_human: true };
        self.waits = Some(item.id.to_string());
        let mut call = ToolCall::new(item.id.to_string(), NAME, ToolKind::Shell, no_arguments());
        call.set_action(Some(action));
        self.pass(item, Body::ToolCall(call))
    }

    fn result(&mut self, item: &Item<'_>, output: String, exit_code: Option<i64>) -> Result<()> {
        let Some(call) = self.waits.take() else { return Ok(()) };
        let status = if exit_code.unwrap_or(0) == 0 { Status::Ok } else { Status::Error };
        let result = ToolResult::new(call.into(), status, vec![Part::Text(output.into())]);
        self.pass(item, Body::ToolResult(ToolResult { exit_code, ..result }))
    }
}

impl HumanCalls<'_> {
    /// Passes an item on, and behind it what a hook of the user's says in it.
    fn noted(&mut self, item: Item<'_>) -> Result<()> {
        let says = |recorder: &&dyn Harness| recorder.objection(&item.body);
        let Some(words) = self.recorders.iter().find_map(says) else {
            return self.sink.item(item);
        };
        let mut notice = item.borrowed();
        notice.id = format!("{}/objection", item.id).into();
        notice.body = Body::Notice { kind: "objection".into(), text: Some(words.into()) };
        let notice = notice.into_owned();
        self.sink.item(item)?;
        self.sink.item(notice)
    }
}

impl Sink for HumanCalls<'_> {
    fn header(&mut self, header: &Header) -> Result<()> {
        self.recorders = recorders(header);
        self.sink.header(header)
    }

    fn item(&mut self, item: Item<'_>) -> Result<()> {
        let ran = match &item.body {
            Body::Message(message) if message.origin == Origin::Command => {
                let words = message.plain();
                self.recorders.iter().find_map(|recorder| recorder.human_ran(&words))
            }
            Body::Message(message) if message.origin == Origin::Harness => None,
            // What comes later is no more of that command.
            Body::Message(_) | Body::ToolCall(_) | Body::ToolResult(_) => {
                self.waits = None;
                None
            }
            _ => None,
        };
        let Some(ran) = ran.filter(|ran| ran.command.is_some() || self.waits.is_some()) else {
            return self.noted(item);
        };
        if let Some(command) = ran.command {
            self.call(&item, command)?;
        }
        ran.output.map_or(Ok(()), |output| self.result(&item, output, ran.exit_code))
    }

    fn next(&mut self) -> Option<&mut dyn Sink> {
        Some(self.sink)
    }
}
