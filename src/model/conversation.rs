//! A session made ready to be written: what is said, in the order in which a model reads it, every
//! call with its result.

use std::borrow::Cow;

use super::{
    Compaction, Deed, Header, Message, Origin, Reasoning, Text, ToolCall, ToolResult, Usage,
};
use crate::note::Losses;

/// A session made ready to be written.
#[derive(Clone, Debug, Default)]
pub struct Conversation {
    /// What is known besides the entries, of the source.
    pub header: Header,
    /// What a compaction replaced, in the order of the source; no model reads it again.
    pub older: Vec<Entry>,
    /// Where it ends; nothing where no compaction was carried.
    pub boundary: Option<Entry>,
    /// What the model reads, in order.
    pub live: Vec<Entry>,
    /// The side sessions that its calls began, and those of which no call is known.
    pub sides: Vec<Side>,
}

impl Conversation {
    /// Tells whether words of a human, a model or an agent are sent, or a call: without any there is
    /// nothing to go on with.
    pub fn has_words(&self) -> bool {
        self.live.iter().any(|entry| match &entry.body {
            EntryBody::Said(message) | EntryBody::Answer(message) => {
                matches!(message.origin, Origin::Human | Origin::Model | Origin::Agent)
                    && !message.is_empty()
            }
            EntryBody::Summary(text) => !text.is_blank(),
            EntryBody::Exchange(_) => true,
            _ => false,
        })
    }
}

/// A side session made ready to be written beside the session whose call began it.
#[derive(Clone, Debug)]
pub struct Side {
    /// Its id in the source.
    pub id: String,
    /// The call that began it, by its id in the conversation; nothing where none is known.
    pub call_id: Option<String>,
    /// What kind of agent it is.
    pub agent: Option<String>,
    /// What it was to do.
    pub title: Option<String>,
    /// How many items of the source it stands for, those of its own side sessions aside.
    pub items: u64,
    /// What is said in it.
    pub conversation: Conversation,
    /// What of its items is not in it.
    pub losses: Losses,
}

impl Side {
    /// How many items of the source are gone if it is not written.
    pub fn all_items(&self) -> u64 {
        self.items + self.conversation.sides.iter().map(Self::all_items).sum::<u64>()
    }
}

/// Something that is written, and the items of the source that it stands for.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The item that it is, or the first of them; the same on every run.
    pub id: String,
    /// How many items of the source it stands for; 0 for what was added.
    pub items: u64,
    /// RFC 3339 in UTC with milliseconds, later than that of the entry before.
    pub ts: String,
    /// The same for all that the model said in one response.
    pub response: u32,
    /// What it is.
    pub body: EntryBody,
}

/// What an entry is.
#[derive(Clone, Debug)]
pub enum EntryBody {
    /// Words that the model answers: of a human, a command, another agent, the harness, the system.
    Said(Message<'static>),
    /// The summary of a compaction, bare.
    Summary(Text<'static>),
    /// Words of the model.
    Answer(Message<'static>),
    /// The model's thinking.
    Reasoning(Reasoning<'static>),
    /// A call and what came back.
    Exchange(Box<Exchange>),
    /// What the response before it cost.
    Usage(Usage<'static>),
    /// Something that the harness noted: that the user stopped the model, where it ends with that.
    Notice {
        /// Which kind.
        kind: Cow<'static, str>,
        /// The words, if any.
        text: Option<Text<'static>>,
    },
    /// A compaction: what stands before it is replaced.
    Boundary(Box<Compaction<'static>>),
}

/// A call and what came back.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// The call; its id is legal in every harness and unique in the conversation.
    pub call: ToolCall<'static>,
    /// What it does, where another harness may have a tool for it.
    pub deed: Option<Deed>,
    /// Whether it asks for more than that, such as how its output is to be shown.
    pub asks_more: bool,
    /// Its result; one that says so if there was none.
    pub result: ToolResult<'static>,
    /// When the result came; RFC 3339.
    pub result_ts: String,
    /// The item of the result; nothing if there was none.
    pub result_id: Option<String>,
    /// Whether nothing came back before the session ended, or before it went on without: its result is words of this
    /// program.
    pub never_came: bool,
}

impl Exchange {
    /// Tells whether its deed says in which folder a command is to run.
    pub fn says_folder(&self) -> bool {
        matches!(self.deed, Some(Deed::Shell { cwd: Some(_), .. }))
    }
}
