//! Tool calls and results, and what a call means whatever its tool is called.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::item::{lent, own};
use super::{Part, Text};

/// What a tool is for.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize,
)]
#[serde(rename_all = "snake_case")]
pub enum ToolKind {
    /// Runs a command.
    Shell,
    /// Reads a file.
    Read,
    /// Writes, changes or deletes files.
    Edit,
    /// Looks for files or text.
    Search,
    /// Fetches from outside.
    Fetch,
    /// Keeps the harness's own list of work, or proposes a plan.
    Plan,
    /// Starts or steers another agent.
    Agent,
    /// Asks the human.
    Ask,
    /// Anything else.
    #[default]
    Other,
}

/// How long a word is, at most, that names a right and is no text, in bytes.
const RIGHT_BYTES: usize = 40;
/// How many rights a call asks for, at most.
const MOST_RIGHTS: usize = 3;

fn is_plain(word: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_lowercase() || b"_-".contains(&byte);
    (1..=RIGHT_BYTES).contains(&word.len()) && word.bytes().all(is_part)
}

/// The model asked for a tool.
#[derive(Clone, Debug)]
pub struct ToolCall<'a> {
    /// The id that its result names.
    pub call_id: Cow<'a, str>,
    /// The tool's name in its harness.
    pub name: Cow<'a, str>,
    /// What the tool is for.
    pub kind: ToolKind,
    /// The arguments: always a JSON object on one line.
    pub arguments: Cow<'a, RawValue>,
    /// The response that it belongs to.
    pub message_id: Option<Cow<'a, str>>,
    /// The call whose script made this one.
    pub parent_call: Option<Cow<'a, str>>,
    /// The group that its tool is in, where the harness names that beside the tool.
    pub namespace: Option<Cow<'a, str>>,
    /// The folder in which its shell was before it, as far as the harness noted that.
    pub cwd: Option<Cow<'a, str>>,
    /// What its text calls the session's folder, where the session moved since.
    pub home: Option<Cow<'a, str>>,
    /// What the call means; only where a later stage asked for it.
    pub action: Option<Box<Action>>,
}

/// Returns the arguments of a call that has none.
pub fn no_arguments<'a>() -> Cow<'a, RawValue> {
    let made = RawValue::from_string("{}".to_owned());
    Cow::Owned(made.expect("an empty object is JSON"))
}

impl<'a> ToolCall<'a> {
    /// A plain call.
    pub fn new(
        call_id: impl Into<Cow<'a, str>>,
        name: impl Into<Cow<'a, str>>,
        kind: ToolKind,
        arguments: Cow<'a, RawValue>,
    ) -> Self {
        Self {
            call_id: call_id.into(),
            name: name.into(),
            kind,
            arguments,
            message_id: None,
            parent_call: None,
            namespace: None,
            cwd: None,
            home: None,
            action: None,
        }
    }
}

impl ToolCall<'_> {
    /// Returns the same without a copy of what can be long.
    pub(super) fn borrowed(&self) -> ToolCall<'_> {
        ToolCall {
            call_id: lent(&self.call_id),
            name: lent(&self.name),
            kind: self.kind,
            arguments: Cow::Borrowed(&self.arguments),
            message_id: self.message_id.as_deref().map(lent),
            parent_call: self.parent_call.as_deref().map(lent),
            namespace: self.namespace.as_deref().map(lent),
            cwd: self.cwd.as_deref().map(lent),
            home: self.home.as_deref().map(lent),
            action: self.action.clone(),
        }
    }

    /// Returns a call that borrows nothing.
    pub fn into_owned(self) -> ToolCall<'static> {
        ToolCall {
            call_id: own(self.call_id),
            name: own(self.name),
            kind: self.kind,
            arguments: own(self.arguments),
            message_id: self.message_id.map(own),
            parent_call: self.parent_call.map(own),
            namespace: self.namespace.map(own),
            cwd: self.cwd.map(own),
            home: self.home.map(own),
            action: self.action,
        }
    }

    /// Returns its arguments that are switched on or have one plain word, of those that `is_meant` names.
    pub fn options(&self, is_meant: impl Fn(&str) -> bool) -> BTreeMap<String, String> {
        let fields = serde_json::from_str::<BTreeMap<String, &RawValue>>(self.arguments.get());
        let option = |(name, value): (String, &RawValue)| {
            let raw = value.get();
            let word = raw.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
            let told = if raw == "true" { Some(raw) } else { word.filter(|word| is_plain(word)) };
            Some((name, told?.to_owned()))
        };
        let meant = fields.unwrap_or_default().into_iter().filter(|(name, _)| is_meant(name));
        meant.filter_map(option).collect()
    }

    /// Returns which rights it asks for, where its arguments are kept as far as they say that.
    pub fn rights(&self) -> BTreeMap<String, String> {
        let is_name = |name: &str| is_plain(&name.to_ascii_lowercase());
        let all = self.options(is_name);
        if all.len() > MOST_RIGHTS { BTreeMap::new() } else { all }
    }

    /// Sets what it means; a command line runs where that is noted beside it, whatever its arguments call
    /// that folder.
    pub fn set_action(&mut self, action: Option<Action>) {
        self.action = action.map(Box::new);
        if let Some(Action::Shell { cwd, .. }) = self.action.as_deref_mut() {
            *cwd = self.cwd.as_deref().map(str::to_owned).or(cwd.take());
        }
    }
}

/// What a tool call means, whatever its tool is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Runs `command`.
    Shell {
        /// The command line.
        command: String,
        /// Where, if the call says so.
        cwd: Option<String>,
        /// Whether the human ran it, not the model.
        by_human: bool,
    },
    /// Reads `path`.
    Read {
        /// The file.
        path: String,
        /// First and last line, counted from 1, if only a part was asked for.
        lines: Option<(u64, u64)>,
    },
    /// Changes files.
    Edit {
        /// One entry a file and place.
        changes: Vec<Change>,
    },
    /// Looks for something.
    Search {
        /// What for.
        pattern: String,
        /// Where, if the call says so.
        path: Option<String>,
    },
    /// Fetches an address or asks a search engine.
    Fetch {
        /// The address or the words.
        target: String,
    },
    /// Replaces or changes the harness's own list of work.
    Plan,
    /// Shows the human a plan; an `ok` result means that it was approved.
    Propose {
        /// The plan, in Markdown; where the call says only in which file it stands, the name of that.
        plan: String,
        /// The file in which it stands, where the call says so.
        file: Option<String>,
    },
    /// Asks the human.
    Ask {
        /// The questions.
        questions: Vec<Question>,
    },
    /// Only waits for something that runs already, or looks how far it is.
    Wait {
        /// By what name it was told to run on, where the call says so.
        on: Option<String>,
        /// Whether nobody waited: the harness told of it by itself.
        is_told: bool,
    },
    /// Types into something that runs already.
    Type {
        /// What is typed, control characters as they are sent.
        keys: String,
        /// By what name it runs, where the call says so.
        on: Option<String>,
    },
    /// Stops something that runs, a command or another agent.
    Stop {
        /// By what name it runs.
        on: String,
    },
    /// Gives work to another agent.
    Agent {
        /// What it is to do, in short.
        task: String,
    },
}

/// A change of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The file, as the call names it.
    pub path: String,
    /// What happens to it.
    pub verb: Verb,
    /// The text that goes away, as far as the call holds it.
    pub removed: String,
    /// The text that comes.
    pub added: String,
}

/// What an edit does to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verb {
    /// Makes it, or replaces all of it.
    Write,
    /// Changes a part.
    Update,
    /// Deletes it.
    Delete,
    /// Moves it to another path.
    Move(String),
}

/// A question to the human.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The question.
    pub text: String,
    /// What could be chosen.
    pub options: Vec<String>,
}

/// A tool came back, or never did.
#[derive(Clone, Debug)]
pub struct ToolResult<'a> {
    /// The call that it answers.
    pub call_id: Cow<'a, str>,
    /// How it ended.
    pub status: Status,
    /// The exit code of a command, where it is known.
    pub exit_code: Option<i64>,
    /// What the model saw.
    pub output: Vec<Part<'a>>,
    /// More of the output, where the model saw only a part: the whole, if a file beside the session
    /// has it.
    pub persisted: Option<Persisted>,
    /// Whether a human refused the call.
    pub rejected: bool,
    /// Whether the harness did not let it run by a rule, or has no such tool: nothing was done that could have failed.
    /// Its words say so, and are read where that matters; it is no part of a record.
    pub not_let: bool,
    /// Whether the harness lost what came of it: it may have run. The same goes for its words.
    pub lost: bool,
    /// What the human said on refusing it.
    pub user_said: Option<Text<'a>>,
    /// By what name the call runs on, where it says no more than that: how that ended comes later.
    pub out: Option<Cow<'a, str>>,
    /// How that ended, where the words that told it were not carried over.
    pub ended: Option<Box<Ended>>,
    /// What the human chose.
    pub answers: Vec<Answer>,
}

impl<'a> ToolResult<'a> {
    /// A plain result.
    pub fn new(call_id: Cow<'a, str>, status: Status, output: Vec<Part<'a>>) -> Self {
        Self {
            call_id,
            status,
            exit_code: None,
            output,
            persisted: None,
            rejected: false,
            not_let: false,
            lost: false,
            user_said: None,
            out: None,
            ended: None,
            answers: Vec::new(),
        }
    }
}

/// How a tool ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It did what it should.
    Ok,
    /// It failed.
    Error,
    /// It was stopped, or the session ended before it came back.
    Interrupted,
}

/// How something ended that ran on in the background.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Ended {
    /// How it ended.
    pub status: Status,
    /// The exit code, where it is told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i64>,
    /// One line that says how it ended.
    pub told: String,
    /// What it gave back, where that is told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<String>,
    /// When it was told; RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
}

/// A tool's whole output in a file beside the session.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Persisted {
    /// The file's name.
    pub name: String,
    /// The size of the whole output in bytes.
    pub bytes: u64,
    /// What it holds, or as much of its beginning as is there.
    pub text: String,
}

/// A human's answer to a question of the model.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Answer {
    /// The question.
    pub question: String,
    /// What was chosen or written.
    pub answer: String,
}
