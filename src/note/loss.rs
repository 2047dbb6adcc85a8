//! Losses: what a conversion could not carry, counted by kind.
//!
//! A loss takes whole items away, or changes a piece of an item that is carried. The first are
//! counted so that the items of a source are those of the target and those that were lost.

use std::collections::BTreeMap;

use serde::Serialize;

/// What kind of thing was lost or changed on the way into another form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LossKind {
    /// What a compaction had replaced, where the target only holds what is sent.
    OlderHistory,
    /// Items of an abandoned branch, or of turns that were rolled back.
    Abandoned,
    /// Records that the source holds twice.
    Duplicate,
    /// Calls that stand inside the script that made them, where that is carried.
    Nested,
    /// What the source's harness never sent to its model.
    Unsent,
    /// Words that the source's harness put there for its own model.
    HarnessText,
    /// Thinking of another provider's model, which no target may send.
    Reasoning,
    /// A result whose call is not in the source.
    OrphanResult,
    /// A second result of one call.
    RepeatedResult,
    /// A script whose calls are carried in its place.
    Script,
    /// Items of a side session; the call that began it keeps its answer.
    SideSession,
    /// What responses cost, where the target has no place for it.
    Usage,
    /// Notices of the harness, such as an interruption.
    Notice,
    /// Files that were attached to a message.
    Attached,
    /// A list of work that is not set by a call.
    Plan,
    /// A message without any text.
    EmptyMessage,
    /// A compaction and its summary, where all that it replaced is carried.
    Compaction,
    /// A summary that is missing or that nobody can read; a pack of what it replaced stands for it.
    SummaryMade,
    /// A side session that is longer than the window that was asked for, carried as it is.
    LongSide,
    /// An image or other bytes; a line of text stands for it.
    Blob,
    /// A piece of a message that only the source's harness knows; its JSON is carried as text, or a
    /// line of text where nobody could read that.
    ForeignPart,
    /// A call that had no result and was closed.
    OpenCall,
    /// A call whose id the target would refuse.
    CallId,
    /// A call that became one of the target's own tools, or got a name that the target accepts.
    ToolMapped,
    /// What a call asked for besides what it does, where the target's own tool cannot be told that.
    Arguments,
    /// A result that was an error or interrupted, which the target can only tell by its words.
    ErrorFlag,
    /// A text that the target would take for a command.
    MarkedText,
    /// Text that moved behind the calls or results that must stand together.
    Moved,
    /// Words that nobody said, where the target has to begin with the user's.
    Opening,
    /// A time stamp that was missing, or went back.
    Timestamp,
    /// What the source keeps of an output beside the part that the model saw, in a file or in the record.
    Persisted,
    /// How many tokens were written to a cache, where the target has no place for it.
    CacheWrite,
    /// Why a compaction took place and how long the context was, where the target cannot say so.
    CompactionFacts,
    /// The name of the model, which the target does not know or does not keep.
    Model,
    /// The title, where the target makes its own.
    Title,
    /// The state of the repository, where the target has no place for it.
    Git,
    /// What was typed, where other words were sent for it and the target only holds those.
    Typed,
    /// A secret that was asked to be taken out.
    Redacted,
}

impl LossKind {
    /// Returns the words for one line on standard error.
    pub fn words(self) -> &'static str {
        match self {
            Self::OlderHistory => "left out what a compaction had replaced",
            Self::Abandoned => "left out abandoned branches and turns that were rolled back",
            Self::Duplicate => "left out records that the source holds twice",
            Self::Nested => "left the calls of scripts inside their script",
            Self::Unsent => "left out what had never been sent",
            Self::HarnessText => "left out words that the source's program put there for its model",
            Self::Reasoning => "left out thinking, which only the same provider accepts",
            Self::OrphanResult => "left out results without their call",
            Self::RepeatedResult => "left out second results of a call",
            Self::Script => "replaced scripts by the calls that they made",
            Self::SideSession => {
                "left out items of side sessions, whose answers stand at the calls"
            }
            Self::Usage => "left out token counts",
            Self::Notice => "left out notices",
            Self::Attached => "left out files that were attached to messages",
            Self::Plan => "left out lists of work that no call had set",
            Self::EmptyMessage => "left out empty messages",
            Self::Compaction => "left out compactions; what they had replaced is there",
            Self::SummaryMade => "put a pack in place of summaries that are missing or sealed",
            Self::LongSide => "carried side sessions whole that are longer than --max-tokens",
            Self::Blob => "put a line of text in place of images",
            Self::ForeignPart => "carried parts that only the source knows as text",
            Self::OpenCall => "closed calls that had no result",
            Self::CallId => "gave calls ids that the target accepts",
            Self::ToolMapped => "turned calls into the target's own tools",
            Self::Arguments => {
                "left out arguments of calls that the target's own tools do not have"
            }
            Self::ErrorFlag => "carried failures by their words alone",
            Self::MarkedText => "marked texts that the target would take for commands",
            Self::Moved => "moved words that stood between calls and their results",
            Self::Opening => "began with words that nobody said, since the target needs some",
            Self::Timestamp => "mended time stamps that were missing or went back",
            Self::Persisted => {
                "left out what the source keeps of large outputs beside what the model saw"
            }
            Self::CacheWrite => "left out how many tokens were written to a cache",
            Self::CompactionFacts => "left out why compactions took place, and how long it was",
            Self::Model => "left out the names of models",
            Self::Title => "left out the title",
            Self::Git => "left out the state of the repository",
            Self::Typed => "left out what was typed where other words were sent for it",
            Self::Redacted => "replaced secrets by tags",
        }
    }

    /// Tells whether whole items are gone, not only a piece or the form of one.
    pub fn takes_items(self) -> bool {
        self <= Self::Compaction
    }

    /// Tells whether only the form changed, and nothing that the source said.
    pub fn is_form(self) -> bool {
        matches!(
            self,
            Self::Duplicate
                | Self::Nested
                | Self::CallId
                | Self::ToolMapped
                | Self::Opening
                | Self::Timestamp
        )
    }
}

/// How often one kind of thing was lost, and where first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Loss {
    /// What was lost.
    pub kind: LossKind,
    /// Whether whole items are gone.
    pub takes_items: bool,
    /// How many items it took, or how often a piece of one.
    pub count: u64,
    /// The ids of the first items, three at the most.
    pub first: Vec<String>,
}

/// How many places are named.
const PLACES: usize = 3;

/// What a conversion lost, by kind.
#[derive(Clone, Debug, Default)]
pub struct Losses(BTreeMap<LossKind, (u64, Vec<String>)>);

impl Losses {
    /// Counts one loss at the item `id`.
    pub fn lose(&mut self, kind: LossKind, id: &str) {
        self.lose_many(kind, 1, id);
    }

    /// Counts `count` losses at once, the first at the item `id`.
    pub fn lose_many(&mut self, kind: LossKind, count: u64, id: &str) {
        if count == 0 {
            return;
        }
        let (total, first) = self.0.entry(kind).or_default();
        *total += count;
        if first.len() < PLACES && !id.is_empty() {
            first.push(id.to_owned());
        }
    }

    /// Adds those of a later stage.
    pub fn add(&mut self, others: Self) {
        for (kind, (count, first)) in others.0 {
            let entry = self.0.entry(kind).or_default();
            entry.0 += count;
            let room = PLACES.saturating_sub(entry.1.len());
            entry.1.extend(first.into_iter().take(room));
        }
    }

    /// How many items are gone.
    pub fn items(&self) -> u64 {
        let gone = self.0.iter().filter(|(kind, _)| kind.takes_items());
        gone.map(|(_, (count, _))| count).sum()
    }

    /// Returns them in a fixed order.
    pub fn list(&self) -> Vec<Loss> {
        let loss = |(kind, (count, first)): (&LossKind, &(u64, Vec<String>))| Loss {
            kind: *kind,
            takes_items: kind.takes_items(),
            count: *count,
            first: first.clone(),
        };
        self.0.iter().map(loss).collect()
    }

    /// Tells whether something that the source said is not in the target.
    pub fn any(&self) -> bool {
        self.0.keys().any(|kind| !kind.is_form())
    }
}
