//! The harness's own list of work.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::Text;

/// The harness's own list of work.
#[derive(Clone, Debug)]
pub struct Plan<'a> {
    /// The call that set it.
    pub call_id: Option<Cow<'a, str>>,
    /// Why it was changed, in the agent's words.
    pub explanation: Option<Text<'a>>,
    /// All its entries.
    pub items: Vec<PlanItem>,
}

/// One entry of a list of work.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct PlanItem {
    /// The harness's own number, where it gives one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// What is to be done.
    pub text: String,
    /// What is told of it besides, where the harness has a place for that; only where it is new.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<String>,
    /// How far it is.
    pub status: PlanStatus,
    /// The numbers of the entries that must be done before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocked_by: Vec<String>,
    /// The turn in which it was listed first; only who follows the list knows it.
    #[serde(skip)]
    pub listed_in: Option<u32>,
}

impl PlanItem {
    /// An entry without a number that waits for nothing.
    pub fn new(text: impl Into<String>, status: PlanStatus) -> Self {
        let blocked_by = Vec::new();
        Self { id: None, text: text.into(), details: None, status, blocked_by, listed_in: None }
    }
}

/// How far an entry of a list of work is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PlanStatus {
    /// Not begun.
    Pending,
    /// Being worked on.
    InProgress,
    /// Done.
    Completed,
    /// Given up.
    Cancelled,
    /// Waits for something.
    Blocked,
}

impl PlanStatus {
    /// Reads any harness's word for it; what is unknown counts as not begun.
    pub fn from_word(word: &str) -> Self {
        match word {
            "completed" | "closed" | "done" | "complete" => Self::Completed,
            "in_progress" | "in-progress" | "active" => Self::InProgress,
            "cancelled" | "canceled" | "deleted" => Self::Cancelled,
            "blocked" | "paused" => Self::Blocked,
            _ => Self::Pending,
        }
    }

    /// Returns the word by which records tell it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::InProgress => "in_progress",
            Self::Completed => "completed",
            Self::Cancelled => "cancelled",
            Self::Blocked => "blocked",
        }
    }

    /// Whether it is none that only some lists of work know.
    pub fn is_common(self) -> bool {
        !matches!(self, Self::Cancelled | Self::Blocked)
    }

    /// Whether something is left to do.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Pending | Self::InProgress | Self::Blocked)
    }
}
