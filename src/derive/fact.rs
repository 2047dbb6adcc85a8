//! A fact of any kind that is told in a line or a few.

use serde::Serialize;

use super::{Trust, ids};

/// What a fact is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FactKind {
    /// What must or must not be done in this work, in the user's words.
    Constraint,
    /// What the user wants everywhere and from now on.
    Preference,
    /// Where the user said that something was wrong.
    Correction,
    /// A choice that the user made in words.
    Directive,
    /// A choice of the agent's that later work bears out.
    Choice,
    /// What the agent took for granted and nobody confirmed.
    Assumption,
    /// An error and what made it go away.
    Fix,
    /// An error and what was tried against it, without a check that it is gone.
    Attempt,
    /// An error that several tries did not make go away.
    DeadEnd,
    /// How the tests, the build or a check ended last.
    Check,
    /// What is true of the machine or the project: versions, ports, layout.
    Environment,
    /// What a harness keeps beyond its sessions; no part of this one.
    Memory,
}

impl FactKind {
    /// Whether it is the user's: what binds the work, what was asked and corrected.
    pub fn is_by_user(self) -> bool {
        matches!(self, Self::Constraint | Self::Preference | Self::Correction | Self::Directive)
    }
}

/// Which of the four lanes of working memory a fact belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Lane {
    /// What is to be done.
    Task,
    /// What was decided or assumed.
    Decision,
    /// What the work is on: files, failing tests, logs.
    Artifact,
    /// Where it runs.
    Environment,
}

/// How a fact stands at the end of the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// It holds, or is still to be done.
    Open,
    /// It is over.
    Done,
    /// Something later took its place.
    Superseded,
    /// Files were changed since, so that it may no longer hold.
    Stale,
}

/// Something that was found in a session, with the items that it rests on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fact {
    /// A letter for the kind and eight hexadecimal digits of the content.
    pub id: String,
    /// What it is.
    pub kind: FactKind,
    /// The lane of its kind.
    pub lane: Lane,
    /// One line, or the user's words.
    pub text: String,
    /// More of it, told where there is room.
    pub detail: Option<String>,
    /// How far it can be trusted.
    pub trust: Trust,
    /// How it stands.
    pub state: State,
    /// The turn that it comes from.
    pub turn: u32,
    /// The items that it rests on; never empty.
    pub evidence: Vec<String>,
    /// How much it matters among those of its kind, 0 to 1.
    #[serde(skip)]
    pub weight: f64,
    /// Whether a later session can learn something from it; not from an error that went away nobody knows how.
    #[serde(skip)]
    pub is_lesson: bool,
}

impl FactKind {
    /// The lane of facts of this kind.
    pub fn lane(self) -> Lane {
        match self {
            Self::Constraint
            | Self::Preference
            | Self::Correction
            | Self::Directive
            | Self::Choice
            | Self::Assumption => Lane::Decision,
            Self::Fix | Self::Attempt | Self::DeadEnd | Self::Check => Lane::Artifact,
            Self::Environment | Self::Memory => Lane::Environment,
        }
    }

    /// The letter at the head of its ids.
    fn letter(self) -> char {
        match self {
            Self::Constraint | Self::Preference | Self::Correction => 'C',
            Self::Directive | Self::Choice | Self::Assumption => 'D',
            Self::Fix
            | Self::Attempt
            | Self::DeadEnd
            | Self::Check
            | Self::Environment
            | Self::Memory => 'F',
        }
    }
}

impl Fact {
    /// Whether it is the user's, and not what a command or a skill that was called says.
    pub fn is_by_user(&self) -> bool {
        self.kind.is_by_user() && !self.is_of_called()
    }

    /// Whether it binds the work by the text of a command or a skill that was called for it: nobody typed that.
    pub fn is_of_called(&self) -> bool {
        self.kind == FactKind::Constraint && self.trust == Trust::A
    }

    /// An open fact of full weight without a detail; its id is made of its text.
    pub(super) fn new(
        kind: FactKind,
        trust: Trust,
        text: String,
        (turn, item): (u32, &str),
    ) -> Self {
        Self {
            id: ids::id(kind.letter(), &text),
            kind,
            lane: kind.lane(),
            text,
            detail: None,
            trust,
            state: State::Open,
            turn,
            evidence: vec![item.to_owned()],
            weight: 1.0,
            is_lesson: true,
        }
    }
}
