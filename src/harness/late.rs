//! What a call that ran on in the background gave in the end, beside that call; and what other agents
//! wrote, without the form that a harness gives it.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::value::RawValue;

use super::{Harness, Sink, by_name};
use crate::error::Result;
use crate::model::{
    Action, Body, Header, Item, Origin, Part, Status, ToolCall, ToolKind, ToolResult,
};

/// What a result tells that only says that its call runs on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Begun {
    /// By what name it runs on.
    pub name: String,
    /// Whether another agent does it, so that the result says nothing of the work.
    pub is_agent: bool,
}

/// What the harness told later of a call that ran on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Late {
    /// By what name it ran on.
    pub name: String,
    /// How it ended.
    pub status: Status,
    /// The exit code, where it is told.
    pub exit_code: Option<i64>,
    /// One line that says how it ended.
    pub told: String,
    /// What it gave back, where that is told.
    pub report: Option<String>,
}

/// The name of calls that stand for being told.
const NAME: &str = "told_later";
/// How many bytes of a result say that its call runs on.
const START_BYTES: usize = 1024;

/// Passes items on, what the harness told later of a call as the result of that call, or where only its
/// end was told, as if it had been waited for.
pub struct LateResults<'s> {
    sink: &'s mut dyn Sink,
    /// Who recorded the session.
    recorder: Option<&'static dyn Harness>,
    /// The calls of which the result may say that something runs on.
    calls: HashMap<String, Asked>,
    /// Those that ran on, by the name that each was given, and whether an agent did it.
    open: HashMap<String, (String, bool)>,
}

/// What a call asks for that can run on.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Asked {
    /// A command, or the work of an agent.
    Work { is_agent: bool },
    /// How it stands with what runs on by a name.
    State(String),
}

impl Asked {
    /// Returns what a call asks for; nothing if that cannot run on.
    fn of(call: &ToolCall<'_>) -> Option<Self> {
        match call.action.as_deref() {
            Some(Action::Wait { on: Some(name), is_told: false }) => {
                Some(Self::State(name.clone()))
            }
            _ => match call.kind {
                ToolKind::Agent => Some(Self::Work { is_agent: true }),
                ToolKind::Shell => Some(Self::Work { is_agent: false }),
                _ => None,
            },
        }
    }
}

impl<'s> LateResults<'s> {
    /// Passes on to `sink`.
    pub fn new(sink: &'s mut dyn Sink) -> Self {
        Self { sink, recorder: None, calls: HashMap::new(), open: HashMap::new() }
    }

    fn pass(&mut self, item: &Item<'_>, body: Body<'_>) -> Result<()> {
        let mut item = item.borrowed();
        item.body = body;
        self.sink.item(item)
    }

    /// Remembers a call that runs on, if its tool is one that can: what others print says nothing of that.
    fn begun(&mut self, result: &mut ToolResult<'_>) {
        let Some(asked) = self.calls.remove(result.call_id.as_ref()) else { return };
        let (Some(Part::Text(text)), Some(recorder), Status::Ok) =
            (result.output.first(), self.recorder, result.status)
        else {
            return;
        };
        let start = text.start(START_BYTES);
        let is_agent = match asked {
            Asked::Work { is_agent } => is_agent,
            Asked::State(name) => {
                let begun = recorder.begun(&start).map(|begun| begun.name);
                result.out = begun.or(recorder.runs_on(&start).then_some(name)).map(Into::into);
                return;
            }
        };
        let begun = recorder.begun(&start).filter(|begun| begun.is_agent == is_agent);
        let Some(begun) = begun else { return };
        result.out = Some(begun.name.clone().into());
        self.open.insert(begun.name, (result.call_id.to_string(), is_agent));
    }

    fn late(&mut self, item: &Item<'_>, late: Late) -> Result<()> {
        let (id, text) = match self.open.get(&late.name).cloned() {
            Some((call_id, true)) => (call_id, late.report.unwrap_or(late.told)),
            // What a command printed stands in its file.
            Some((_, false)) => {
                self.pass(item, Body::ToolCall(waiting(&item.id, late.name)))?;
                (item.id.to_string(), late.told)
            }
            // Of something else, or nobody knows of what.
            None => return self.sink.item(item.borrowed()),
        };
        let result = ToolResult::new(id.into(), late.status, vec![Part::Text(text.into())]);
        self.pass(item, Body::ToolResult(ToolResult { exit_code: late.exit_code, ..result }))
    }
}

/// Returns a call that waits for what runs on by a name.
fn waiting(id: &str, on: String) -> ToolCall<'static> {
    ToolCall {
        call_id: id.to_owned().into(),
        name: NAME.into(),
        kind: ToolKind::Shell,
        arguments: Cow::Owned(RawValue::from_string("{}".to_owned()).unwrap_or_default()),
        message_id: None,
        parent_call: None,
        namespace: None,
        cwd: None,
        action: Some(Box::new(Action::Wait { on: Some(on), is_told: true })),
    }
}

impl Sink for LateResults<'_> {
    fn header(&mut self, header: &Header) -> Result<()> {
        self.recorder = by_name(&header.harness);
        self.sink.header(header)
    }

    fn item(&mut self, mut item: Item<'_>) -> Result<()> {
        let late = match &mut item.body {
            Body::ToolCall(call) => {
                if let Some(asked) = Asked::of(call) {
                    self.calls.insert(call.call_id.to_string(), asked);
                }
                None
            }
            Body::ToolResult(result) => {
                self.begun(result);
                None
            }
            Body::Message(message) if message.origin == Origin::Agent => {
                let words = message.plain();
                let letter = self.recorder.and_then(|recorder| recorder.letter(&words));
                let late = self.recorder.and_then(|recorder| recorder.late(&words));
                message.said = letter.map(Into::into).or(message.said.take());
                late.filter(|late| self.open.contains_key(&late.name))
            }
            Body::Message(message) if message.origin == Origin::Harness => {
                self.recorder.and_then(|recorder| recorder.late(&message.plain()))
            }
            _ => None,
        };
        match late {
            Some(late) => self.late(&item, late),
            None => self.sink.item(item),
        }
    }

    fn next(&mut self) -> Option<&mut dyn Sink> {
        Some(self.sink)
    }
}
