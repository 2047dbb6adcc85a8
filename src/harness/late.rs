//! What a call that ran on in the background gave in the end, beside that call; and what other agents
//! wrote, without the form that a harness gives it.

use std::borrow::Cow;
use std::collections::HashMap;

use super::{Harness, Sink, recorders};
use crate::error::Result;
use crate::model::{
    Action, Body, Ended, Header, Item, Origin, Part, Status, Text, ToolCall, ToolKind, ToolResult,
    no_arguments,
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
    /// Whose forms the results and messages have.
    recorders: Vec<&'static dyn Harness>,
    /// The calls of which the result may say that something runs on.
    calls: HashMap<String, Asked>,
    /// Those that ran on, by the name that each was given, and whether an agent did it.
    open: HashMap<String, (String, bool)>,
    /// How the results of scripts begin that waited for something.
    scripts: HashMap<String, String>,
}

/// What a call asks for that can run on, or may never come.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Asked {
    /// A command, or the work of an agent.
    Work { is_agent: bool },
    /// The user's answer.
    Answer,
    /// How it stands with what runs on by a name.
    State(Wait),
    /// How it stands with whatever runs on.
    News,
}

/// A call that waits for what runs on by a name.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Wait {
    name: String,
    /// The script that made the call, and what the call was given.
    script: Option<(String, String)>,
}

impl Asked {
    /// Returns what a call asks for; nothing if that cannot run on.
    fn of(call: &ToolCall<'_>) -> Option<Self> {
        match call.action.as_deref() {
            Some(Action::Wait { on: Some(name), is_told: false }) => {
                let given =
                    |script: &Cow<'_, str>| (script.to_string(), call.arguments.get().to_owned());
                let script = call.parent_call.as_ref().map(given);
                Some(Self::State(Wait { name: name.clone(), script }))
            }
            Some(Action::Wait { on: None, is_told: false }) => Some(Self::News),
            _ => match call.kind {
                ToolKind::Agent => Some(Self::Work { is_agent: true }),
                ToolKind::Shell => Some(Self::Work { is_agent: false }),
                ToolKind::Ask => Some(Self::Answer),
                _ => None,
            },
        }
    }
}

impl<'s> LateResults<'s> {
    /// Passes on to `sink`.
    pub fn new(sink: &'s mut dyn Sink) -> Self {
        Self {
            sink,
            recorders: Vec::new(),
            calls: HashMap::new(),
            open: HashMap::new(),
            scripts: HashMap::new(),
        }
    }

    fn pass(&mut self, item: &Item<'_>, body: Body<'_>) -> Result<()> {
        let mut item = item.borrowed();
        item.body = body;
        self.sink.item(item)
    }

    /// Remembers a call that runs on, if its tool is one that can: what others print says nothing of that. Returns what
    /// the result tells of such calls.
    fn begun(&mut self, result: &mut ToolResult<'_>) -> Vec<Late> {
        if let Some(head) = self.scripts.get_mut(result.call_id.as_ref()) {
            *head = start(result).unwrap_or_default();
        }
        if result.status == Status::Error {
            let start = start(result).unwrap_or_default();
            result.not_let = self.recorders.iter().any(|recorder| recorder.was_not_let(&start));
            result.lost = self.recorders.iter().any(|recorder| recorder.was_lost(&start));
        }
        let Some(asked) = self.calls.remove(result.call_id.as_ref()) else { return Vec::new() };
        if let Asked::State(wait) = &asked
            && self.waited_in_vain(wait, result)
        {
            result.out = Some(wait.name.clone().into());
            return Vec::new();
        }
        let (Some(Part::Text(text)), Status::Ok) = (result.output.first(), result.status) else {
            return Vec::new();
        };
        if asked == Asked::News {
            return self.heard(text);
        }
        let start = text.start(START_BYTES);
        let begun = self.recorders.iter().find_map(|recorder| recorder.begun(&start));
        let is_agent = match asked {
            Asked::Work { is_agent } => is_agent,
            Asked::Answer => {
                let is_none = self.recorders.iter().any(|recorder| recorder.is_no_answer(&start));
                result.status = if is_none { Status::Interrupted } else { result.status };
                return Vec::new();
            }
            Asked::State(Wait { name, .. }) => {
                let text = text.plain();
                let waited = self.recorders.iter().find_map(|recorder| recorder.waited(&text));
                let waited = waited.map(|(code, printed)| (code, Text::from(printed.to_owned())));
                let runs_on = self.recorders.iter().any(|recorder| recorder.runs_on(&start));
                let begun = begun.map(|begun| begun.name);
                result.out = begun.or(runs_on.then_some(name)).map(Into::into);
                if let Some((code, printed)) = waited {
                    result.exit_code = result.exit_code.or(Some(code));
                    result.output = vec![Part::Text(printed)];
                }
                return Vec::new();
            }
            Asked::News => return Vec::new(),
        };
        let begun = begun.filter(|begun| begun.is_agent == is_agent);
        if let Some(begun) = begun {
            result.out = Some(begun.name.clone().into());
            self.open.insert(begun.name, (result.call_id.to_string(), is_agent));
        }
        Vec::new()
    }

    /// Returns what a message tells of the ends of what ran on.
    fn ends(&self, words: &str) -> Vec<Late> {
        let all = self.recorders.iter().map(|recorder| recorder.late(words));
        all.into_iter().find(|ends| !ends.is_empty()).unwrap_or_default()
    }

    /// Returns what a text tells of the end of agents that run on.
    fn heard(&self, text: &Text<'_>) -> Vec<Late> {
        if self.open.is_empty() {
            return Vec::new();
        }
        let words = text.plain();
        let all = self.recorders.iter().flat_map(|recorder| recorder.heard(&words));
        all.filter(|late| self.open.contains_key(&late.name)).collect()
    }

    /// Whether a script waited as long as it could, and nothing was printed: the script may have kept to
    /// itself that what it waited for runs on.
    fn waited_in_vain(&self, wait: &Wait, result: &ToolResult<'_>) -> bool {
        let is_blank = |part: &Part<'_>| matches!(part, Part::Text(text) if text.is_blank());
        let is_silent = result.status == Status::Ok
            && result.exit_code.is_none()
            && result.output.iter().all(is_blank);
        let script = wait.script.as_ref().filter(|_| is_silent);
        script.is_some_and(|(script, arguments)| {
            let head = self.scripts.get(script).map(String::as_str).unwrap_or_default();
            self.recorders.iter().any(|recorder| recorder.waited_in_full(arguments, head))
        })
    }

    /// Passes on a result with the end of what ran on, which a conversion put beside it.
    fn with_end(&mut self, item: Item<'_>, name: String, ended: Ended) -> Result<()> {
        let id = format!("{}/ended", item.id);
        let Ended { status, exit_code, told, report, at } = ended;
        let mut end = item.borrowed().into_owned();
        (end.id, end.ts) = (id.into(), at.map(Into::into).or(end.ts.take()));
        self.sink.item(item)?;
        self.late(&end, Late { name, status, exit_code, told, report })
    }

    /// Passes on a result with the ends of agents of which it tells.
    fn with_news(&mut self, item: &Item<'_>, heard: Vec<Late>) -> Result<()> {
        self.sink.item(item.borrowed())?;
        self.more(item, heard)
    }

    /// Passes on more ends that an item tells, each as an item of its own.
    fn more(&mut self, item: &Item<'_>, ends: Vec<Late>) -> Result<()> {
        for late in ends {
            let mut end = item.borrowed();
            end.id = format!("{}/{}", item.id, late.name).into();
            self.late(&end, late)?;
        }
        Ok(())
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

/// Returns how a result begins, where that is text.
fn start(result: &ToolResult<'_>) -> Option<String> {
    Some(result.output.first()?.as_text()?.start(START_BYTES).into_owned())
}

/// Returns a call that waits for what runs on by a name.
fn waiting(id: &str, on: String) -> ToolCall<'static> {
    let call = ToolCall::new(id.to_owned(), NAME, ToolKind::Shell, no_arguments());
    ToolCall { action: Some(Box::new(Action::Wait { on: Some(on), is_told: true })), ..call }
}

impl Sink for LateResults<'_> {
    fn header(&mut self, header: &Header) -> Result<()> {
        self.recorders = recorders(header);
        self.sink.header(header)
    }

    fn item(&mut self, mut item: Item<'_>) -> Result<()> {
        let late = match &mut item.body {
            Body::ToolCall(call) => {
                if let Some(asked) = Asked::of(call) {
                    if let Asked::State(Wait { script: Some((script, _)), .. }) = &asked {
                        self.scripts.entry(script.clone()).or_default();
                    }
                    self.calls.insert(call.call_id.to_string(), asked);
                }
                Vec::new()
            }
            Body::ToolResult(result) => {
                let heard = self.begun(result);
                if !heard.is_empty() {
                    return self.with_news(&item, heard);
                }
                let name = result.out.as_deref().map(str::to_owned);
                match name.zip(result.ended.take()) {
                    Some((name, ended)) => return self.with_end(item, name, *ended),
                    None => Vec::new(),
                }
            }
            Body::Message(message) if message.origin == Origin::Agent => {
                let words = message.plain();
                let letter = self.recorders.iter().find_map(|recorder| recorder.letter(&words));
                let late = self.ends(&words);
                message.said = letter.map(Into::into).or(message.said.take());
                late.into_iter().filter(|late| self.open.contains_key(&late.name)).collect()
            }
            Body::Message(message) if message.origin == Origin::Harness => {
                let words = message.plain();
                let news = self.recorders.iter().find_map(|recorder| recorder.news(&words));
                let news = news.map(|news| news.to_owned().into());
                let late = self.ends(&words);
                message.said = news;
                late
            }
            _ => Vec::new(),
        };
        let mut late = late.into_iter();
        match late.next() {
            Some(first) => self.late(&item, first)?,
            None => return self.sink.item(item),
        }
        let known: Vec<_> = late.filter(|late| self.open.contains_key(&late.name)).collect();
        self.more(&item, known)
    }

    fn next(&mut self) -> Option<&mut dyn Sink> {
        Some(self.sink)
    }
}
