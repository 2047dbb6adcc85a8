//! What is remembered of each record between the first pass and the second: a few bytes.

use rustc_hash::{FxHashMap, FxHashSet};

use super::chain::Chain;
use crate::model::Header;

/// What a record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Known, and nothing to carry.
    Skip,
    /// Told something for the header.
    Header,
    /// Of a type that this reader does not know.
    Unknown,
    /// Of a known type, without what it needs.
    Incomplete,
    /// A task of the harness begins; not a turn, which only a human begins.
    Task,
    /// A message in the role of the user.
    User,
    /// Instructions of the harness.
    Developer,
    /// Instructions that the harness never sends again.
    System,
    /// A message of the model.
    Answer,
    /// A message of another agent.
    Mail,
    Reasoning,
    Call,
    Result,
    /// A call that has no result of its own.
    WebSearch,
    /// A call and its result in one.
    Image,
    /// A command or change that a script made.
    Child,
    /// The text of a human once more, for the screen.
    UserEvent,
    /// The text of the model once more, for the screen.
    AnswerEvent,
    /// The thinking of the model once more, for the screen.
    ReasoningEvent,
    Compaction,
    Rollback,
    Aborted,
    Failure,
    Warning,
    /// A review begins, or what it found.
    Review,
    Usage,
    UsageRecord,
    PlanText,
    Goal,
    /// A sub-agent began.
    Spawn,
}

/// No human part in it.
pub(super) const INJECTED: u8 = 1;
/// The client itself says that it was typed.
pub(super) const TYPED: u8 = 2;
/// The client does not say where it comes from.
pub(super) const UNTOLD: u8 = 4;
/// A human's message, which begins a turn.
pub(super) const HUMAN: u8 = 8;
/// Its text stands elsewhere in the file too, and is read there.
pub(super) const DOUBLE: u8 = 16;
/// Another record before it has the same id.
pub(super) const REPEATED_ID: u8 = 32;
/// A script whose commands the file lists.
pub(super) const LISTED: u8 = 64;
/// Of a message in the role of the user: a mark says that no human wrote it.
pub(super) const OTHERS: u8 = 64;
/// A summary that the harness asked the model for.
pub(super) const SUMMARY: u8 = 128;

/// Sent to the model.
pub(super) const LIVE: u32 = 0;
/// Not sent, now or ever.
pub(super) const NEVER_SENT: u32 = 1;
/// Replaced by what the harness made of it.
pub(super) const SUPERSEDED: u32 = 2;
/// Numbers from here on are the row that dropped it.
pub(super) const BY_ROW: u32 = 3;

/// One record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// The halves of the digest, so that no room is lost to align it.
    pub(super) halves: [u32; 2],
    /// Bytes of the text; of a rollback its number of turns.
    pub(super) size: u32,
    /// What dropped it.
    pub(super) dropped: u32,
    /// What it is.
    pub(super) kind: Kind,
    /// See the constants.
    pub(super) flags: u8,
}

impl Row {
    /// A row without a text.
    pub(super) fn of(kind: Kind) -> Self {
        Self { halves: [0; 2], size: 0, dropped: LIVE, kind, flags: 0 }
    }

    /// A row with the number of its text or call.
    pub(super) fn with(kind: Kind, digest: u64) -> Self {
        Self { halves: [(digest >> 32) as u32, digest as u32], ..Self::of(kind) }
    }

    /// The digest of the text, or of the call id.
    pub(super) fn digest(&self) -> u64 {
        u64::from(self.halves[0]) << 32 | u64::from(self.halves[1])
    }

    /// Tells whether a flag is set.
    pub(super) fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// Tells whether the second pass makes an item of it.
    pub(super) fn is_item(&self) -> bool {
        match self.kind {
            Kind::Skip | Kind::Header | Kind::Unknown | Kind::Incomplete | Kind::Task => false,
            Kind::UserEvent | Kind::AnswerEvent | Kind::ReasoningEvent => !self.has(DOUBLE),
            _ => true,
        }
    }

    /// Tells whether it is part of what is sent to the model.
    pub(super) fn is_history(&self) -> bool {
        matches!(
            self.kind,
            Kind::User
                | Kind::Developer
                | Kind::Answer
                | Kind::Mail
                | Kind::Reasoning
                | Kind::Call
                | Kind::Result
                | Kind::WebSearch
                | Kind::Image
                | Kind::Child
        )
    }
}

/// An item inside a compaction: what the model is sent instead of what was before.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sub {
    /// What it is and its digest, to find the original.
    pub(super) row: Row,
    /// The row of the original.
    pub(super) copy_of: Option<u32>,
}

/// A request that the harness keeps beside a summary: the original, which may stand far before,
/// and what dropped it here.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kept {
    /// The row of the original.
    pub(super) original: u32,
    /// What dropped it.
    pub(super) dropped: u32,
}

/// A compaction.
#[derive(Debug, Default)]
pub(super) struct Compacted {
    /// The items that it holds.
    pub(super) subs: Vec<Sub>,
    /// The requests that are kept where it holds nothing.
    pub(super) kept: Vec<Kept>,
    /// Whether it lists the new history itself.
    pub(super) listed: bool,
    /// The digest of the bare summary.
    pub(super) summary: Option<u64>,
    /// Tokens in use before, by the last count.
    pub(super) before: Option<u64>,
    /// Tokens in use after, by the next count.
    pub(super) after: Option<u64>,
}

/// How a command or change ended, as an event tells.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Outcome {
    /// The exit code.
    pub(super) exit_code: Option<i64>,
    /// Whether it failed, where that is told.
    pub(super) failed: bool,
    /// Whether a human refused it.
    pub(super) declined: bool,
}

/// What the first pass found.
#[derive(Default)]
pub(super) struct Scan {
    /// The header.
    pub(super) header: Header,
    /// The files, oldest base first, the session's own last.
    pub(super) chain: Chain,
    /// Every record of these files in turn.
    pub(super) rows: Vec<Row>,
    /// The ids of the rows that drop others.
    pub(super) marks: FxHashMap<u32, String>,
    /// The compactions by row.
    pub(super) compactions: FxHashMap<u32, Compacted>,
    /// Rows whose id a later compaction names.
    pub(super) named: FxHashSet<u32>,
    /// Rows whose text a later compaction repeats.
    pub(super) kept: FxHashSet<u32>,
    /// How calls ended, by the number of their id.
    pub(super) outcomes: FxHashMap<u64, Outcome>,
    /// Usage comes one record a response.
    pub(super) has_usage_records: bool,
    /// Another agent wrote the requests.
    pub(super) is_spawned: bool,
    /// What kind of agent it is of.
    pub(super) agent_role: Option<String>,
    /// The first row of the session's own file.
    pub(super) own_start: u32,
    /// How many lines the session's own file has.
    pub(super) lines: u64,
    /// The history before this ordinal is another session's.
    pub(super) inherited_before: u64,
}

impl Scan {
    /// Whether nothing can be read of the summary of the last compaction.
    pub(super) fn ends_hidden(&self) -> bool {
        let last = self.compactions.iter().max_by_key(|(row, _)| **row);
        last.is_some_and(|(_, found)| found.summary.is_none())
    }
}
