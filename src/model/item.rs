//! What stands in a session's time line.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::message::{Message, Origin, Part, Role};
use super::{Plan, Text, ToolCall, ToolResult};

/// Anything in a session's time line.
#[derive(Clone, Debug)]
pub struct Item<'a> {
    /// The same on every reading, also after the file has grown.
    pub id: Cow<'a, str>,
    /// The item before it in its conversation, where the source says so.
    pub parent_id: Option<Cow<'a, str>>,
    /// The turn: 0 before the first human message, then counted from 1.
    pub turn: u32,
    /// RFC 3339.
    pub ts: Option<Cow<'a, str>>,
    /// Counts from 1; in a document the number of the message.
    pub line: u64,
    /// Whether it would be sent to the model on resume.
    pub live: bool,
    /// Why it is not live: the id of the item that dropped it, or one of the words
    /// `branch`, `side_session`, `never_sent`, `duplicate`, `superseded`, `rolled_back`.
    pub dropped_by: Option<Cow<'a, str>>,
    /// The side session that it belongs to.
    pub side_session: Option<Cow<'a, str>>,
    /// The item of which it is a copy.
    pub copy_of: Option<Cow<'a, str>>,
    /// Place in the live view, where that differs from the order of the file.
    pub rank: u32,
    /// What it is.
    pub body: Body<'a>,
}

impl Item<'_> {
    /// Whether it is of the session itself, and nothing of another agent.
    pub fn is_own(&self) -> bool {
        self.side_session.is_none() && !matches!(self.body, Body::SideSession(_))
    }

    /// Returns the list of work, if it is one.
    pub fn plan(&self) -> Option<&Plan<'_>> {
        match &self.body {
            Body::Plan(plan) => Some(plan),
            _ => None,
        }
    }

    /// Whether it is what a human wrote.
    pub fn is_by_human(&self) -> bool {
        matches!(&self.body, Body::Message(message) if message.is_by_human())
    }
}

impl<'a> Item<'a> {
    /// A live item without any links.
    pub fn new(id: impl Into<Cow<'a, str>>, line: u64, turn: u32, body: Body<'a>) -> Self {
        Self {
            id: id.into(),
            parent_id: None,
            turn,
            ts: None,
            line,
            live: true,
            dropped_by: None,
            side_session: None,
            copy_of: None,
            rank: 0,
            body,
        }
    }

    /// Marks it as not live.
    #[must_use]
    pub fn dropped(mut self, by: impl Into<Cow<'a, str>>) -> Self {
        self.live = false;
        self.dropped_by = Some(by.into());
        self
    }

    /// Returns an item that borrows nothing.
    pub fn into_owned(self) -> Item<'static> {
        Item {
            id: own(self.id),
            parent_id: self.parent_id.map(own),
            turn: self.turn,
            ts: self.ts.map(own),
            line: self.line,
            live: self.live,
            dropped_by: self.dropped_by.map(own),
            side_session: self.side_session.map(own),
            copy_of: self.copy_of.map(own),
            rank: self.rank,
            body: self.body.into_owned(),
        }
    }

    /// Returns the same without a copy of its texts, whatever it borrows from.
    pub fn borrowed(&self) -> Item<'_> {
        Item {
            id: lent(&self.id),
            parent_id: self.parent_id.as_deref().map(lent),
            ts: self.ts.as_deref().map(lent),
            dropped_by: self.dropped_by.as_deref().map(lent),
            side_session: self.side_session.as_deref().map(lent),
            copy_of: self.copy_of.as_deref().map(lent),
            body: self.body.borrowed(),
            ..*self
        }
    }
}

/// What an item is.
#[derive(Clone, Debug)]
pub enum Body<'a> {
    /// Words by a role.
    Message(Message<'a>),
    /// The model's thinking as recorded.
    Reasoning(Reasoning<'a>),
    /// The model asked for a tool.
    ToolCall(ToolCall<'a>),
    /// A tool came back.
    ToolResult(ToolResult<'a>),
    /// The harness's own list of work, as it stood from here on.
    Plan(Plan<'a>),
    /// The harness replaced older items by a summary.
    Compaction(Compaction<'a>),
    /// What a response cost.
    Usage(Usage<'a>),
    /// Something that the harness noted, such as an interruption.
    Notice {
        /// Which kind, such as `interrupted` or `rolled_back`.
        kind: Cow<'a, str>,
        /// The words, if any.
        text: Option<Text<'a>>,
    },
    /// A sub-agent's own items begin.
    SideSession(SideSession<'a>),
}

/// What a file is called that was attached to a message, and what stands before its name once it is sent as
/// words of their own.
const ATTACHED: &str = "file";
const ATTACHED_LEAD: &str = "Attached file: ";

impl Body<'_> {
    /// Tells whether it is a file that was attached to a message, whatever it holds.
    pub fn is_attached(&self) -> bool {
        matches!(self, Self::Notice { kind, .. } if kind == ATTACHED)
    }

    /// Returns the path and the text of a file that was attached to a message, if it has one.
    pub fn attached(&self) -> Option<(String, String)> {
        let (whole, between) = match self {
            Self::Notice { text: Some(text), .. } if self.is_attached() => (text.plain(), "\n"),
            Self::Message(message) if message.origin == Origin::Harness => {
                (message.plain(), "\n\n")
            }
            _ => return None,
        };
        let told = match between {
            "\n" => Some(whole.as_ref()).filter(|text| !text.starts_with('{')),
            _ => whole.strip_prefix(ATTACHED_LEAD),
        };
        let (path, text) = told?.split_once(between)?;
        Some((path.to_owned(), text.to_owned()))
    }

    /// Returns a file that was attached to a message as the words that tell the model of it.
    pub fn told_attached(&self) -> Option<Message<'static>> {
        let (path, text) = self.attached()?;
        let words = format!("{ATTACHED_LEAD}{path}\n\n{text}");
        Some(Message::text(Role::User, Origin::Harness, words))
    }

    /// Returns the same without a copy of what can be long.
    fn borrowed(&self) -> Body<'_> {
        match self {
            Self::Message(message) => Body::Message(Message {
                message_id: message.message_id.as_deref().map(lent),
                model: message.model.as_deref().map(lent),
                parts: message.parts.iter().map(Part::borrowed).collect(),
                said: message.said.as_ref().map(Text::borrowed),
                called: message.called.clone(),
                ..*message
            }),
            Self::ToolCall(call) => Body::ToolCall(call.borrowed()),
            Self::ToolResult(result) => Body::ToolResult(ToolResult {
                call_id: lent(&result.call_id),
                output: result.output.iter().map(Part::borrowed).collect(),
                persisted: result.persisted.clone(),
                user_said: result.user_said.as_ref().map(Text::borrowed),
                answers: result.answers.clone(),
                out: result.out.as_deref().map(lent),
                ended: result.ended.clone(),
                ..*result
            }),
            other => other.clone(),
        }
    }

    /// Returns a body that borrows nothing.
    pub fn into_owned(self) -> Body<'static> {
        match self {
            Self::Message(message) => Body::Message(message.into_owned()),
            Self::Reasoning(reasoning) => Body::Reasoning(Reasoning {
                text: reasoning.text.into_owned(),
                message_id: reasoning.message_id.map(own),
                opaque: reasoning.opaque,
                native: reasoning.native.map(own),
            }),
            Self::ToolCall(call) => Body::ToolCall(call.into_owned()),
            Self::ToolResult(result) => Body::ToolResult(ToolResult {
                call_id: own(result.call_id),
                status: result.status,
                exit_code: result.exit_code,
                output: result.output.into_iter().map(Part::into_owned).collect(),
                persisted: result.persisted,
                rejected: result.rejected,
                not_let: result.not_let,
                lost: result.lost,
                user_said: result.user_said.map(Text::into_owned),
                out: result.out.map(own),
                ended: result.ended,
                answers: result.answers,
            }),
            Self::Plan(plan) => Body::Plan(Plan {
                call_id: plan.call_id.map(own),
                explanation: plan.explanation.map(Text::into_owned),
                items: plan.items,
            }),
            Self::Compaction(compaction) => Body::Compaction(compaction.into_owned()),
            Self::Usage(usage) => Body::Usage(Usage { model: usage.model.map(own), ..usage }),
            Self::Notice { kind, text } => {
                Body::Notice { kind: own(kind), text: text.map(Text::into_owned) }
            }
            Self::SideSession(side) => Body::SideSession(SideSession {
                id: own(side.id),
                call_id: side.call_id.map(own),
                agent: side.agent.map(own),
                title: side.title.map(Text::into_owned),
                source: side.source,
                lines: side.lines,
            }),
        }
    }
}

/// The model's thinking.
#[derive(Clone, Debug)]
pub struct Reasoning<'a> {
    /// What can be read of it; may be empty.
    pub text: Text<'a>,
    /// The response that it belongs to.
    pub message_id: Option<Cow<'a, str>>,
    /// Whether there is more that only the provider can read.
    pub opaque: bool,
    /// As it stands in the source, if that was wanted: only its own harness can send it again.
    pub native: Option<Cow<'a, RawValue>>,
}

/// Where the harness replaced older items by a summary.
#[derive(Clone, Debug)]
pub struct Compaction<'a> {
    /// `auto`, `manual` or `unknown`.
    pub trigger: Cow<'a, str>,
    /// Tokens of the context before, as recorded or estimated.
    pub tokens_before: Option<u64>,
    /// Tokens of the context after.
    pub tokens_after: Option<u64>,
    /// Whether `tokens_before` is taken from the usage before it.
    pub tokens_before_estimated: bool,
    /// Whether `tokens_after` is taken from the usage after it.
    pub tokens_after_estimated: bool,
    /// The bare summary.
    pub summary: Option<Text<'a>>,
    /// Whether the summary can be read here; if not, the replaced items are all there is.
    pub readable: bool,
    /// The message that carries the summary to the model.
    pub summary_id: Option<Cow<'a, str>>,
    /// The line where the summary stands.
    pub summary_line: Option<u64>,
    /// The ids of what it replaced; an id stands for all items that begin with it and `/`.
    pub replaced: Vec<Cow<'a, str>>,
    /// A summary that only the provider can read, as it stands, if that was wanted.
    pub native: Option<Cow<'a, RawValue>>,
}

impl Compaction<'_> {
    /// Tells whether it says why it took place, or how long the context was.
    pub fn has_facts(&self) -> bool {
        self.trigger != "unknown"
            || (self.tokens_before.is_some() && !self.tokens_before_estimated)
            || (self.tokens_after.is_some() && !self.tokens_after_estimated)
    }

    /// A compaction that this program made.
    pub fn made(summary: &str) -> Compaction<'static> {
        Compaction {
            trigger: "manual".into(),
            tokens_before: None,
            tokens_after: None,
            tokens_before_estimated: false,
            tokens_after_estimated: false,
            summary: Some(summary.to_owned().into()),
            readable: true,
            summary_id: None,
            summary_line: None,
            replaced: Vec::new(),
            native: None,
        }
    }

    fn into_owned(self) -> Compaction<'static> {
        Compaction {
            trigger: own(self.trigger),
            tokens_before: self.tokens_before,
            tokens_after: self.tokens_after,
            tokens_before_estimated: self.tokens_before_estimated,
            tokens_after_estimated: self.tokens_after_estimated,
            summary: self.summary.map(Text::into_owned),
            readable: self.readable,
            summary_id: self.summary_id.map(own),
            summary_line: self.summary_line,
            replaced: self.replaced.into_iter().map(own).collect(),
            native: self.native.map(own),
        }
    }
}

/// What one response cost, or the whole session so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Usage<'a> {
    /// The model.
    pub model: Option<Cow<'a, str>>,
    /// Tokens of the whole prompt, cached ones included.
    pub input_tokens: Option<u64>,
    /// Prompt tokens that were read from a cache.
    pub cached_tokens: Option<u64>,
    /// Prompt tokens that were written to a cache.
    pub cache_write_tokens: Option<u64>,
    /// Tokens of the answer, reasoning included where the harness counts it so.
    pub output_tokens: Option<u64>,
    /// Tokens of the reasoning.
    pub reasoning_tokens: Option<u64>,
    /// Whether it is the sum of the session so far.
    pub cumulative: bool,
}

/// A sub-agent's own session.
#[derive(Clone, Debug)]
pub struct SideSession<'a> {
    /// Its id; its items carry it.
    pub id: Cow<'a, str>,
    /// The call that began it.
    pub call_id: Option<Cow<'a, str>>,
    /// What kind of agent it is.
    pub agent: Option<Cow<'a, str>>,
    /// What it was to do.
    pub title: Option<Text<'a>>,
    /// Its own file, if it has one; the `line` of its items counts there.
    pub source: Option<String>,
    /// The lines of that file.
    pub lines: Option<u64>,
}

/// Returns a text without a copy.
pub(super) fn lent(text: &str) -> Cow<'_, str> {
    Cow::Borrowed(text)
}

/// Makes a value that borrows nothing.
pub(super) fn own<T: ToOwned + ?Sized>(value: Cow<'_, T>) -> Cow<'static, T> {
    Cow::Owned(value.into_owned())
}
