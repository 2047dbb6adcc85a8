//! The pack: exactly the value that a template gets and `pack --json` prints.

use std::collections::HashMap;

use serde::Serialize;

use super::entries::{Entry, Place};
use super::explain::Explanation;
use super::fetch;
use super::hash;
use crate::derive::levels::Level;
use crate::derive::{
    self, FactKind, Facts, Lane, Lesson, Mark, Now, Outcome, Question, Reality, SessionFact, State,
    Trust, Turn, Warning,
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
    /// Whether the goal says what the title says.
    pub title_in_goal: bool,
    /// Whole days from the last item to `as_of`; nothing if the session has no times.
    pub age_days: Option<i64>,
}

/// A piece of open work.
#[derive(Clone, Debug, Serialize)]
pub struct WorkLine {
    /// `W-…`.
    pub id: String,
    /// What is to be done.
    pub text: String,
    /// How far it is.
    pub status: PlanStatus,
    /// What must be done before.
    pub blocked_by: Vec<String>,
    /// How far it can be trusted.
    pub trust: Trust,
    /// Where it is listed.
    pub source: &'static str,
}

/// A command that failed.
#[derive(Clone, Debug, Serialize)]
pub struct FailureBlock {
    /// `F-…`.
    pub id: String,
    /// The command.
    pub command: String,
    /// Its exit code.
    pub exit_code: Option<i64>,
    /// What it said.
    pub lines: Vec<String>,
    /// Changes made after it.
    pub edits_since: usize,
    /// Its turn.
    pub turn: String,
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
    /// How it stands.
    pub state: State,
    /// Its turn.
    pub turn: String,
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
    /// Lines that came.
    pub added_lines: usize,
    /// Lines that went.
    pub removed_lines: usize,
    /// The turn of the last touch.
    pub turn: String,
    /// Names in it that were worked on.
    pub names: String,
    /// What became of it since.
    pub mark: Option<Mark>,
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
    /// Decisions.
    pub decisions: usize,
    /// Facts of other kinds.
    pub facts: usize,
    /// Files.
    pub files: usize,
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

/// The text of each chosen entry.
struct Chosen<'e> {
    entries: &'e [Entry],
    levels: &'e [usize],
}

impl<'e> Chosen<'e> {
    /// Returns the texts of one kind with their index.
    fn texts(&self, index: impl Fn(Place) -> Option<usize>) -> Vec<(usize, &'e str)> {
        let pairs = self.entries.iter().zip(self.levels).filter(|(_, level)| **level > 0);
        let text = |(entry, level): (&'e Entry, &usize)| {
            Some((index(entry.place)?, entry.levels[level - 1].0.as_str()))
        };
        pairs.filter_map(text).collect()
    }
}

/// Puts together what was chosen: `levels` says how richly each entry is shown, 0 for not.
pub(super) fn pack(facts: &Facts, entries: &[Entry], levels: &[usize], as_of: &str) -> Pack {
    let chosen = Chosen { entries, levels };
    let mut pack = Pack {
        schema: "segue-pack-1",
        pack_hash: hash::UNKNOWN.to_owned(),
        session: session(facts, as_of),
        now: now(facts, &chosen),
        open_work: work(facts, &chosen),
        failures: failures(facts, &chosen),
        decisions: decisions(facts, &chosen),
        facts: fact_lines(facts, &chosen),
        files: files(facts, &chosen),
        files_named: files_named(facts, &chosen),
        commands: commands(facts, &chosen),
        summary: sections(facts, &chosen),
        summary_unreadable: facts.summary.as_ref().is_some_and(|summary| !summary.readable),
        turns: turns(facts, &chosen),
        checks: facts.checks.clone(),
        reality: facts.reality.clone(),
        fetch: fetch::by_id(&facts.session),
        lessons: facts.lessons.clone(),
        outcome: facts.ending.outcome,
        self_check: derive::self_check(facts),
        explanation: None,
        left_out: LeftOut::default(),
        redacted: Vec::new(),
        findings: Vec::new(),
        sessions: facts.sessions.clone(),
        warnings: facts.warnings.clone(),
    };
    let shown: usize = pack.turns.iter().map(|turn| turn.steps.len()).sum();
    let steps: usize = facts.turns.iter().map(|turn| turn.steps.len()).sum();
    pack.left_out = LeftOut {
        open_work: facts.open_work.len() - pack.open_work.len(),
        decisions: facts.decisions.len() - pack.decisions.len(),
        facts: facts.facts.len() - pack.facts.len(),
        files: facts.files.len() - pack.files.len() - pack.files_named.len(),
        commands: facts.commands.len() - pack.commands.len(),
        turns: facts.turns.len() - pack.turns.len(),
        steps: steps - shown,
    };
    pack
}

/// Returns the name of a turn, with the session that the id names if it is not the newest.
fn turn(id: &str, turn: u32) -> String {
    format!("{}T-{turn}", super::turns::session(id))
}

fn session(facts: &Facts, as_of: &str) -> SessionLine {
    let header = &facts.session;
    let title = header.title.as_deref().unwrap_or_default().trim_end_matches('…');
    let day = |stamp: &str| stamp.get(..10)?.parse::<jiff::civil::Date>().ok();
    let last = header.ended_at.as_deref().and_then(day);
    let age = last.zip(day(as_of)).and_then(|(last, now)| now.since(last).ok());
    SessionLine {
        header: header.clone(),
        as_of: as_of.to_owned(),
        title_in_goal: facts
            .now
            .goal
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .contains(title),
        age_days: age.map(|span| i64::from(span.get_days()).max(0)),
    }
}

fn now(facts: &Facts, chosen: &Chosen<'_>) -> Now {
    let goal = chosen.texts(|place| (place == Place::Goal).then_some(0));
    let least = derive::clip(&facts.now.goal, 120);
    let goal = goal.first().map_or(least, |(_, text)| (*text).to_owned());
    Now { goal, ..facts.now.clone() }
}

fn work(facts: &Facts, chosen: &Chosen<'_>) -> Vec<WorkLine> {
    let texts = chosen.texts(|place| match place {
        Place::Work(index) => Some(index),
        _ => None,
    });
    let line = |(index, text): (usize, &str)| {
        let work = &facts.open_work[index];
        WorkLine {
            id: work.id.clone(),
            text: text.to_owned(),
            status: work.status,
            blocked_by: work.blocked_by.clone(),
            trust: work.trust,
            source: work.source,
        }
    };
    texts.into_iter().map(line).collect()
}

fn failures(facts: &Facts, chosen: &Chosen<'_>) -> Vec<FailureBlock> {
    let texts = chosen.texts(|place| match place {
        Place::Failure(index) => Some(index),
        _ => None,
    });
    let block = |(index, text): (usize, &str)| {
        let failure = &facts.failures[index];
        FailureBlock {
            id: failure.id.clone(),
            command: failure.command.clone(),
            exit_code: failure.exit_code,
            lines: text.lines().map(str::to_owned).collect(),
            edits_since: failure.edits_since,
            turn: turn(&failure.id, failure.turn),
        }
    };
    texts.into_iter().map(block).collect()
}

fn decisions(facts: &Facts, chosen: &Chosen<'_>) -> Vec<DecisionLine> {
    let texts = chosen.texts(|place| match place {
        Place::Decision(index) => Some(index),
        _ => None,
    });
    let line = |(index, text): (usize, &str)| {
        let decision = &facts.decisions[index];
        DecisionLine {
            id: decision.id.clone(),
            kind: decision.kind,
            text: text.to_owned(),
            alternatives: decision.alternatives.clone(),
            turn: turn(&decision.id, decision.turn),
        }
    };
    texts.into_iter().map(line).collect()
}

fn fact_lines(facts: &Facts, chosen: &Chosen<'_>) -> Vec<FactLine> {
    let texts = chosen.texts(|place| match place {
        Place::Fact(index) => Some(index),
        _ => None,
    });
    let line = |(index, text): (usize, &str)| {
        let fact = &facts.facts[index];
        let is_more = text.len() > fact.text.len();
        FactLine {
            id: fact.id.clone(),
            kind: fact.kind,
            lane: fact.lane,
            text: fact.text.clone(),
            detail: fact.detail.clone().filter(|_| is_more),
            trust: fact.trust,
            state: fact.state,
            turn: turn(&fact.id, fact.turn),
        }
    };
    texts.into_iter().map(line).collect()
}

fn file_places(place: Place) -> Option<usize> {
    match place {
        Place::File(index) => Some(index),
        _ => None,
    }
}

fn files(facts: &Facts, chosen: &Chosen<'_>) -> Vec<FileLine> {
    let texts = chosen.texts(file_places).into_iter();
    let line = |(index, names): (usize, &str)| {
        let file = &facts.files[index];
        FileLine {
            id: file.id.clone(),
            path: file.path.clone(),
            state: file.state,
            edits: file.edits,
            added_lines: file.added_lines,
            removed_lines: file.removed_lines,
            turn: turn(&file.id, file.turn),
            names: names.to_owned(),
            mark: file.mark,
        }
    };
    texts.filter(|(index, _)| facts.files[*index].was_opened()).map(line).collect()
}

fn files_named(facts: &Facts, chosen: &Chosen<'_>) -> Vec<String> {
    let texts = chosen.texts(file_places).into_iter();
    let named = texts.filter(|(index, _)| !facts.files[*index].was_opened());
    named.map(|(index, _)| facts.files[index].path.clone()).collect()
}

fn commands(facts: &Facts, chosen: &Chosen<'_>) -> Vec<CommandLine> {
    let texts = chosen.texts(|place| match place {
        Place::Command(index) => Some(index),
        _ => None,
    });
    let line = |(index, text): (usize, &str)| {
        let command = &facts.commands[index];
        CommandLine {
            id: command.id.clone(),
            command: text.to_owned(),
            runs: command.runs,
            worked: command.worked,
        }
    };
    texts.into_iter().map(line).collect()
}

fn sections(facts: &Facts, chosen: &Chosen<'_>) -> Vec<SectionBlock> {
    let Some(summary) = &facts.summary else { return Vec::new() };
    let texts = chosen.texts(|place| match place {
        Place::Section(index) => Some(index),
        _ => None,
    });
    let block = |(index, text): (usize, &str)| SectionBlock {
        title: summary.sections[index].title.clone(),
        text: text.to_owned(),
    };
    texts.into_iter().map(block).collect()
}

fn turns(facts: &Facts, chosen: &Chosen<'_>) -> Vec<TurnBlock> {
    let heads = chosen.texts(|place| match place {
        Place::Turn(index) => Some(index),
        _ => None,
    });
    let heads: HashMap<usize, &str> = heads.into_iter().collect();
    let mut blocks: Vec<(usize, TurnBlock)> = Vec::new();
    for (index, turn) in facts.turns.iter().enumerate().rev() {
        let steps = step_lines(turn, index, chosen);
        let head = heads.get(&index).copied().unwrap_or_default();
        if !steps.is_empty() || !head.is_empty() {
            blocks.push((index, block(turn, head, steps)));
        }
    }
    let shown: Vec<_> = blocks.iter().map(|(index, block)| (*index, block.level)).collect();
    let tags = super::turns::tags(facts, &shown);
    let tagged = blocks.into_iter().zip(tags).map(|((_, block), (opens, closes))| TurnBlock {
        opens,
        closes,
        ..block
    });
    tagged.collect()
}

fn block(turn: &Turn, head: &str, steps: Vec<StepLine>) -> TurnBlock {
    let left_out = turn.steps.len() - steps.len();
    // Of a session that does not lead, details are never told.
    let leads = super::turns::session(&turn.id).is_empty();
    let is_whole = leads && left_out == 0 && steps.iter().all(|step| step.is_whole);
    let level = match steps.is_empty() {
        true => Level::Tiny,
        false if is_whole => Level::Raw,
        false if steps.iter().any(|step| step.detail.is_some()) => Level::Smooth,
        false => Level::Compact,
    };
    TurnBlock {
        id: turn.id.clone(),
        level,
        opens: None,
        closes: None,
        head: head.to_owned(),
        left_out: if level == Level::Tiny { 0 } else { left_out },
        steps,
    }
}

/// Returns the chosen steps of a turn, oldest first.
fn step_lines(turn: &Turn, number: usize, chosen: &Chosen<'_>) -> Vec<StepLine> {
    let texts = chosen.texts(|place| match place {
        Place::Step(of, index) if of == number => Some(index),
        _ => None,
    });
    let line = |(index, text): (usize, &str)| {
        let step = &turn.steps[index];
        let detail = text.split_once('\n').filter(|_| !step.said);
        let richest = step.details.last().map_or(step.text.len(), String::len);
        StepLine {
            text: detail.map_or(text, |(line, _)| line).to_owned(),
            detail: detail.map(|(_, detail)| detail.to_owned()),
            said: step.said,
            is_whole: text.len() >= richest,
        }
    };
    texts.into_iter().rev().map(line).collect()
}
