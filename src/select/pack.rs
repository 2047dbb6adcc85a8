//! The pack: exactly the value that a template gets and `pack --json` prints.

use serde::Serialize;

use super::explain::Explanation;
use super::hash;
use crate::derive::levels::Level;
use crate::derive::{
    FactKind, Lane, Lesson, Mark, Now, Outcome, Question, Reality, SessionFact, State, Trust,
    Warning,
};
use crate::guard::{Finding, Redacted};
use crate::model::{Header, PlanStatus};

/// What was chosen, in the order of the sections.
#[derive(Clone, Debug, Serialize)]
pub struct Pack {
    /// `segue-pack-1`.
    pub schema: &'static str,
    /// SHA-256 of all below but ages, the day from which they count, and the source file.
    pub pack_hash: String,
    /// The session that it was made of.
    pub session: SessionLine,
    /// What it was made for; nothing if for no harness in particular.
    pub target: Option<Target>,
    /// Where the work stands.
    pub now: Now,
    /// What is open.
    pub open_work: Vec<WorkLine>,
    /// What failed last.
    pub failures: Vec<FailureBlock>,
    /// What the user decided.
    pub decisions: Vec<DecisionLine>,
    /// Facts of all other kinds, each kind newest first.
    pub facts: Vec<FactLine>,
    /// Files that were opened or changed, the likeliest to be needed first.
    pub files: Vec<FileLine>,
    /// Files that were only named or listed.
    pub files_named: Vec<String>,
    /// The folder that holds all files that were changed outside of the session's, if there are several;
    /// the text writes `…/` for it.
    pub files_root: Option<String>,
    /// Whether the text writes `＠` where a program would read a file that stands behind `@`; here `@` stands.
    pub masks_mentions: bool,
    /// Commands, the likeliest to be needed first.
    pub commands: Vec<CommandLine>,
    /// The harness's own last summary, by section.
    pub summary: Vec<SectionBlock>,
    /// Whether there is a summary that cannot be read here.
    pub summary_unreadable: bool,
    /// The turns, oldest first.
    pub turns: Vec<TurnBlock>,
    /// What to look at first.
    pub checks: Vec<String>,
    /// How the project stood when the pack was made; nothing if nobody looked.
    pub reality: Option<Reality>,
    /// The command that prints what an id of the pack stands for; `ID` is to be replaced.
    pub fetch: String,
    /// What a later session can learn; not in the text.
    pub lessons: Vec<Lesson>,
    /// How the session ended.
    pub outcome: Outcome,
    /// Questions by which a tool can test whether an agent that goes on knows where it is.
    pub self_check: Vec<Question>,
    /// Why each thing is in or not, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Explanation>,
    /// What did not fit.
    pub left_out: LeftOut,
    /// Secrets that tags stand for, by kind.
    pub redacted: Vec<Redacted>,
    /// What may be a hidden instruction, in all that the pack was chosen from.
    pub findings: Vec<Finding>,
    /// The sessions that it was made of, newest first; mostly one.
    pub sessions: Vec<SessionFact>,
    /// What should be known of the choice of sessions.
    pub warnings: Vec<Warning>,
}

/// Where a pack comes from.
#[derive(Clone, Debug, Serialize)]
pub struct SessionLine {
    /// The session.
    #[serde(flatten)]
    pub header: Header,
    /// The day from which the age counts, `YYYY-MM-DD`.
    pub as_of: String,
    /// Whether a request that is quoted says what the title says.
    pub title_in_goal: bool,
    /// Whole days from the last item to `as_of`; nothing if the session has no times.
    pub age_days: Option<i64>,
}

/// The harness that a pack was made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Target {
    /// Its name.
    pub name: &'static str,
    /// The file of a project that it reads at its start.
    pub context_file: &'static str,
}

/// A piece of open work.
#[derive(Clone, Debug, Serialize)]
pub struct WorkLine {
    /// `W-…`.
    pub id: String,
    /// What is to be done.
    pub text: String,
    /// What the harness's list tells of it besides.
    pub details: Option<String>,
    /// How far it is.
    pub status: PlanStatus,
    /// What must be done before.
    pub blocked_by: Vec<String>,
    /// How far it can be trusted.
    pub trust: Trust,
    /// Where it is listed.
    pub source: &'static str,
    /// Whole days from it to `as_of`, if it is more than a day older than the last item.
    pub age_days: Option<i64>,
}

/// A command that failed.
#[derive(Clone, Debug, Serialize)]
pub struct FailureBlock {
    /// `F-…`.
    pub id: String,
    /// The command.
    pub command: String,
    /// Whether another agent ran it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub by_agent: bool,
    /// Its exit code.
    pub exit_code: Option<i64>,
    /// What it said.
    pub lines: Vec<String>,
    /// Changes made after it.
    pub edits_since: usize,
    /// Its turn.
    pub turn: String,
    /// Whole days from it to `as_of`, if it is more than a day older than the last item.
    pub age_days: Option<i64>,
}

/// A choice of the user's.
#[derive(Clone, Debug, Serialize)]
pub struct DecisionLine {
    /// `D-…`.
    pub id: String,
    /// `answered`, `approved` or `refused`.
    pub kind: &'static str,
    /// What was decided, with the user's words.
    pub text: String,
    /// What else could have been chosen.
    pub alternatives: Vec<String>,
    /// Its turn.
    pub turn: String,
    /// Whole days from it to `as_of`, if it is more than a day older than the last item.
    pub age_days: Option<i64>,
}

/// A fact of any other kind.
#[derive(Clone, Debug, Serialize)]
pub struct FactLine {
    /// A letter for the kind and eight hexadecimal digits of the content.
    pub id: String,
    /// What it is.
    pub kind: FactKind,
    /// The lane of its kind.
    pub lane: Lane,
    /// One line, or the user's words.
    pub text: String,
    /// More of it.
    pub detail: Option<String>,
    /// How far it can be trusted.
    pub trust: Trust,
    /// Whether it stands in the text of a command or a skill that was called, which nobody typed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub of_called: bool,
    /// How it stands.
    pub state: State,
    /// Its turn.
    pub turn: String,
    /// Whole days from it to `as_of`, if it is more than a day older than the last item.
    pub age_days: Option<i64>,
}

/// A file.
#[derive(Clone, Debug, Serialize)]
pub struct FileLine {
    /// `P-…`.
    pub id: String,
    /// From the session's folder.
    pub path: String,
    /// The strongest thing done to it.
    pub state: &'static str,
    /// How often it was changed.
    pub edits: usize,
    /// Whether other agents made all of these changes.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub by_agents: bool,
    /// Lines that came.
    pub added_lines: usize,
    /// Lines that went.
    pub removed_lines: usize,
    /// The turn in which it was changed last, or touched if it never was.
    pub turn: String,
    /// Names in it that were worked on, but those that are gone.
    pub names: String,
    /// Names that were worked on and do not stand in it any more.
    pub names_gone: Vec<String>,
    /// What became of it since.
    pub mark: Option<Mark>,
    /// Whole days from it to `as_of`, if it is more than a day older than the last item.
    pub age_days: Option<i64>,
}

/// A command.
#[derive(Clone, Debug, Serialize)]
pub struct CommandLine {
    /// `F-…`.
    pub id: String,
    /// The command.
    pub command: String,
    /// How often it was run.
    pub runs: usize,
    /// Whether it worked last time.
    pub worked: Option<bool>,
    /// Whether it kept versions or spoke with their server: told to show how, not to be run again.
    pub keeps_versions: bool,
}

/// A section of the harness's own summary.
#[derive(Clone, Debug, Serialize)]
pub struct SectionBlock {
    /// Its heading.
    pub title: String,
    /// What stands under it.
    pub text: String,
}

/// A turn.
#[derive(Clone, Debug, Serialize)]
pub struct TurnBlock {
    /// `T-…`.
    pub id: String,
    /// How much of it is told: `R` all, `S` with details, `C` a line a step, `T` one line.
    pub level: Level,
    /// The tag that opens before it.
    pub opens: Option<String>,
    /// The tag that closes after it; turns of one line share a tag.
    pub closes: Option<String>,
    /// What the user asked, and what came of it; empty for the current turn.
    pub head: String,
    /// Steps of the turn that are not shown.
    pub left_out: usize,
    /// What was done and said, oldest first.
    pub steps: Vec<StepLine>,
}

/// Something done or said.
#[derive(Clone, Debug, Serialize)]
pub struct StepLine {
    /// The line, or the words of the agent.
    pub text: String,
    /// The lines of a change or an output.
    pub detail: Option<String>,
    /// Whether the agent speaks.
    pub said: bool,
    /// Whether there is no more of it.
    #[serde(skip)]
    pub is_whole: bool,
}

/// How much of each kind did not fit.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct LeftOut {
    /// Pieces of open work.
    pub open_work: usize,
    /// Commands that failed and were not run with success since.
    pub failures: usize,
    /// Decisions.
    pub decisions: usize,
    /// Facts of other kinds.
    pub facts: usize,
    /// Those of them that are the user's: what binds the work, what was asked and corrected.
    pub facts_by_user: usize,
    /// Files.
    pub files: usize,
    /// Those of them that the session changed.
    pub files_changed: usize,
    /// Commands.
    pub commands: usize,
    /// Turns of which nothing is told.
    pub turns: usize,
    /// Steps of turns.
    pub steps: usize,
}

impl Pack {
    /// Puts in the hash. Its text then costs at most what it cost before.
    #[must_use]
    pub fn sealed(mut self) -> Self {
        self.pack_hash = hash::hash(&self).unwrap_or(self.pack_hash);
        self
    }
}
