//! What this program writes beside a record of a session that it converted, in a field over which the
//! harness passes: whose words the record holds, and what the source told of a result. In another
//! harness's file its texts tell neither, and a later reading takes the mark for what it is.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::write::{Target, moved};
use super::{adopt, begins_home};
use crate::jsonl;
use crate::model::{
    Action, Answer, Ended, Exchange, Header, Message, Origin, Part, Role, Status, Text, ToolKind,
    ToolResult,
};

/// What stands beside a record; what says nothing is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default)]
pub(super) struct Mark {
    /// The session of which the file was made, as `harness:id`, where only a record can say so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) session: Option<String>,
    /// Whose words a message holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) origin: Option<Origin>,
    /// What its author typed, where other words were sent for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) said: Option<String>,
    /// The folder in which a call began, where its arguments do not say it, or call it as it was called
    /// before the session moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cwd: Option<String>,
    /// What the text of a script calls that folder, where the session moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) home: Option<String>,
    /// How a call ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<Status>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exit_code: Option<i64>,
    /// Whether nothing tells with which code a command ended, though it did not fail: another reader
    /// takes that for success.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    code_unknown: bool,
    /// Whether nothing ever came back: what stands there is for the provider alone, which wants a result.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) no_result: bool,
    /// Whether a command may have run on when its call came back, and nothing tells how it ended.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    given_up: bool,
    /// Whether the model had not ended its turn with a message, where the harness has no word for that.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) interim: bool,
    /// Whether a human refused the call.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    rejected: bool,
    /// What the human said on refusing it.
    #[serde(skip_serializing_if = "Option::is_none")]
    user_said: Option<String>,
    /// What the human chose.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    answers: Vec<Answer>,
    /// How many bytes this program put before an output, to say in the harness's words how the call ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) head: Option<usize>,
    /// How a call ended that ran on.
    #[serde(skip_serializing_if = "Option::is_none")]
    ended: Option<Box<Ended>>,
}

impl Mark {
    /// Reads a mark; nothing where there is none, or what this program does not write.
    pub(super) fn read(raw: Option<&RawValue>) -> Option<Self> {
        jsonl::shaped(raw.filter(|raw| raw.get().starts_with('{')))
    }

    /// Returns the mark of words of the model with which its turn did not end.
    pub(super) fn of_interim() -> Self {
        Self { interim: true, ..Self::default() }
    }

    /// Returns the mark of words that are no human's, wherever they stand.
    pub(super) fn of_origin(origin: Origin) -> Self {
        Self { origin: Some(origin), ..Self::default() }
    }

    /// Returns the mark of a message that would else be read as the words of `read_as`; `same` says
    /// whether it goes back to the harness that recorded it, which finds by itself what was typed.
    pub(super) fn of_message(message: &Message<'_>, read_as: Origin, same: bool) -> Option<Self> {
        let said = message.said.as_ref().filter(|_| !same).map(|said| said.plain().into_owned());
        let is_told = message.origin == read_as && said.is_none();
        let is_marked = !is_told && message.role == Role::User;
        is_marked.then(|| Self { origin: Some(message.origin), said, ..Self::default() })
    }

    /// Returns the mark of a message of which the words are not sent as they were said.
    pub(super) fn of_words(message: &Message<'_>) -> Self {
        let said = message.said.as_ref().map_or_else(|| message.plain(), Text::plain);
        Self { said: Some(said.into_owned()), ..Self::of_origin(message.origin) }
    }

    /// Tells whether it says of a message that no human wrote it.
    pub(super) fn is_anothers(&self) -> bool {
        self.origin.is_some_and(|origin| origin != Origin::Human)
    }

    /// Adds in which folder a call began, as that is called where the session goes on, unless its own
    /// arguments say just that; `header` is the source's.
    pub(super) fn begun(
        mark: Option<Self>,
        exchange: &Exchange,
        target: &Target,
        header: &Header,
    ) -> Option<Self> {
        let Exchange { call, deed, .. } = exchange;
        if call.kind != ToolKind::Shell || exchange.says_folder() {
            return mark;
        }
        // Without a deed its arguments stay as they are.
        let said = match deed.is_none().then(|| adopt::action(None, call)).flatten() {
            Some(Action::Shell { cwd, .. }) => cwd,
            _ => None,
        };
        let home = header.cwd.as_deref().unwrap_or_default();
        let at_home = begins_home(header).then_some(home);
        let Some(folder) = call.cwd.as_deref().or(said.as_deref()).or(at_home) else { return mark };
        let cwd = if folder == home { target.cwd.clone() } else { target.folder(folder, home) };
        if said.as_ref() == Some(&cwd) {
            return mark;
        }
        Some(Self { cwd: Some(cwd), ..mark.unwrap_or_default() })
    }

    /// Returns the folder in which a call of a script began that was to run in `said`.
    pub(super) fn folder(&self, said: Option<&str>) -> Option<String> {
        match (said, &self.cwd, &self.home) {
            (None, cwd, _) => cwd.clone(),
            (Some(said), Some(cwd), Some(home)) => Some(moved(said, home, cwd)),
            _ => None,
        }
    }

    /// Returns the mark of a result, where the source told more of it than that it came back, or less
    /// than a command's output seems to tell. Where its own harness recorded it (`is_recorded`) it
    /// tells all that by itself.
    pub(super) fn of_result(exchange: &Exchange, is_recorded: bool) -> Option<Self> {
        let result = &exchange.result;
        if exchange.never_came {
            return Some(Self { no_result: true, ..Self::default() });
        }
        if is_recorded {
            return None;
        }
        let mark = Self {
            status: Some(result.status).filter(|status| *status != Status::Ok),
            exit_code: result.exit_code,
            code_unknown: lacks_code(exchange),
            given_up: result.out.as_deref() == Some(""),
            rejected: result.rejected,
            user_said: result.user_said.as_ref().map(|said| said.plain().into_owned()),
            answers: result.answers.clone(),
            ended: result.ended.clone(),
            ..Self::default()
        };
        (mark != Self::default()).then_some(mark)
    }

    /// Returns the mark of a command of which nobody knows with which code it ended.
    pub(super) fn of_unknown_code(exchange: &Exchange) -> Option<Self> {
        lacks_code(exchange).then(|| Self { code_unknown: true, ..Self::default() })
    }

    /// Takes what this program put before an output away from it.
    pub(super) fn behead(&self, output: &mut Vec<Part<'_>>) {
        let (Some(head), Some(Part::Text(first))) = (self.head, output.first_mut()) else { return };
        let rest = first.plain().get(head..).map(str::to_owned);
        match rest {
            Some(rest) if rest.is_empty() => drop(output.remove(0)),
            Some(rest) => *first = rest.into(),
            None => {}
        }
    }

    /// Adds to a result what the source told of it.
    pub(super) fn tell(self, result: &mut ToolResult<'_>) {
        result.status = self.status.unwrap_or(result.status);
        result.exit_code = self.exit_code.or(result.exit_code);
        if self.code_unknown {
            (result.status, result.exit_code) = (Status::Ok, None);
        }
        if self.given_up {
            result.out = Some("".into());
        }
        result.rejected |= self.rejected;
        result.ended = self.ended.or(result.ended.take());
        result.user_said = self.user_said.map(Into::into).or(result.user_said.take());
        if !self.answers.is_empty() {
            result.answers = self.answers;
        }
    }
}

/// Whether nothing tells with which code a command ended that did not fail.
fn lacks_code(exchange: &Exchange) -> bool {
    let result = &exchange.result;
    let is_command = exchange.call.kind == ToolKind::Shell && result.status == Status::Ok;
    is_command && result.exit_code.is_none()
}
