//! The neutral model: a header and items in time order.
//!
//! Nothing here knows a harness; the readers say which tool is an edit and which text a human
//! typed. Texts and arguments borrow from the source and stay escaped until somebody looks into
//! them, so that an export copies them through.

mod blob;
mod conversation;
mod cut;
mod deed;
mod item;
mod letters;
mod memory;
mod message;
mod ndjson;
mod plan;
mod sealed;
mod sent;
mod text;
mod tool;

use std::borrow::Cow;

use serde::Serialize;

pub use blob::{Blob, Blobs, Name, hex};
pub use conversation::{Conversation, Entry, EntryBody, Exchange, Side};
pub use cut::{is_unparted, shortened, word_end};
pub use deed::{Deed, NativeCall};
pub use item::{Body, Compaction, Item, Reasoning, SideSession, Usage};
pub use letters::low;
pub use memory::{
    DatedBy, Layer, Level, MEMORY_SCHEMA, Memory, MemoryFlags, MemoryKind, MemoryScope,
    MemorySource, SUMMARY_CHARS, clipped, digest, first_sentence, is_day, slug,
};
pub(crate) use message::plain;
pub use message::{Message, Origin, Part, Role, is_command};
pub use ndjson::{End, SCHEMA, encode_base64};
pub use plan::{Plan, PlanItem, PlanStatus};
pub use sealed::{SEALED, is_sealed};
pub use sent::{
    GONE_ON, QUESTION_MARKS, SentLine, SentPack, besides, goes_on, is_nod, named_by, only_goes_on,
};
pub use text::Text;
pub use tool::{
    Action, Answer, Change, Ended, Persisted, Question, Status, ToolCall, ToolKind, ToolResult,
    Verb, no_arguments,
};

/// What is known of a session besides its items.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Header {
    /// The id by which the harness resumes it.
    pub id: String,
    /// The name of the harness that recorded it.
    pub harness: String,
    /// The harness's version at the end, where it says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub harness_version: Option<String>,
    /// The folder in which it began.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// The project as the harness files it; mostly the same as `cwd`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// The state of the repository as recorded.
    #[serde(skip_serializing_if = "Git::is_empty")]
    pub git: Git,
    /// The first time stamp inside, RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started_at: Option<String>,
    /// The last time stamp inside, RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<String>,
    /// Its title: given by the user, else by the harness, else the first request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The model that answered last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The session that it was forked from, or whose side session it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// The session of which this program made it, as `harness:id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub converted_from: Option<String>,
    /// Where it was read.
    pub source: SourceFile,
    /// Whether it is a side session, which is never packed or listed by itself.
    #[serde(skip)]
    pub is_side: bool,
    /// Whether a program ran it, such as a script, and nobody sat at it, where the source says so.
    #[serde(skip)]
    pub is_automatic: bool,
    /// Whether a human wrote something in it.
    #[serde(skip)]
    pub has_request: bool,
    /// Whether the model wrote something in it.
    #[serde(skip)]
    pub has_answer: bool,
}

/// A repository as a session recorded it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Git {
    /// The branch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// The commit at the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The address of the remote, as recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remote: Option<String>,
}

impl Git {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The file that a session was read from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SourceFile {
    /// The path as it was given; `-` for standard input.
    pub path: String,
    /// Its size in bytes when it was opened.
    pub bytes: u64,
}

/// A whole session in memory, for the stages after reading.
#[derive(Clone, Debug, Default)]
pub struct Session {
    /// What is known besides the items.
    pub header: Header,
    /// The items in file order.
    pub items: Vec<Item<'static>>,
    /// What became of the lines.
    pub end: End,
    /// Whether each call begins in the session's folder, wherever one before it went.
    pub begins_home: bool,
    /// What takes off an output what its harness wrapped around it, for each whose forms can stand here.
    pub unwraps: Vec<Unwrap>,
}

/// Returns what a call printed, where the output has around it what one harness says of it.
pub type Unwrap = fn(&str) -> Option<Cow<'_, str>>;

impl Session {
    /// Leaves out what is not live, and puts the rest in the order in which it would be sent.
    ///
    /// The markers of compactions stay: they are part of every view.
    pub fn keep_live(&mut self) {
        self.items.retain(|item| item.live || matches!(item.body, Body::Compaction(_)));
        self.items.sort_by_key(|item| item.rank);
    }
}
