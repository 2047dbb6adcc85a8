//! A session to facts: what the next step needs, each with the items that it rests on.
//!
//! Only what was really said or done counts: branches that were left, rolled back turns and copies are passed over;
//! what a compaction replaced is still history. Of side sessions counts what their agents did, and never a word. Text
//! that came out of a tool is evidence, never a request and never a decision.

mod acceptance;
mod agents;
mod answered;
mod asked_too;
mod before;
mod branch;
mod called;
mod came;
mod checking;
mod cmdlets;
mod command;
mod commands;
mod copied;
mod cuts;
mod data;
mod decisions;
mod deeds;
mod differs;
mod done;
mod durable;
mod ended;
mod ending;
mod event;
mod fact;
mod failures;
mod farewell;
mod files;
pub mod found;
mod frame;
mod frame_files;
mod gist;
mod handed;
mod here;
mod hunks;
mod idle;
mod ids;
mod left_behind;
mod lessons;
pub mod levels;
mod links;
mod makers;
mod memories;
mod merge;
mod next;
mod nods;
mod noise;
mod now;
mod open_work;
mod outcomes;
mod pairs;
mod paragraphs;
mod patched;
mod paths;
mod pattern;
mod place;
mod powershell;
mod raw;
mod read_out;
mod reality;
mod recap;
mod replied;
mod reviewed;
mod scope;
mod shell;
mod short;
mod shows;
mod stamps;
mod steps;
mod stopped;
mod summary;
mod sure;
mod symptoms;
mod tagged;
mod telling;
mod text;
mod texts;
mod tidied;
mod timeline;
mod topic;
mod turns;
mod unasked;
mod variables;
mod verify;
mod was_done;
mod whole;
mod words;
mod written;

use std::collections::HashMap;

use serde::Serialize;

pub use agents::take_in;
pub use answered::answer_plans;
pub use before::Before;
pub use called::Called;
pub use commands::{Command, command_start, is_bare, keeps_versions, known_by};
pub use decisions::Decision;
pub use durable::durable;
pub use ending::{Ending, LastCheck, OpenLine, Outcome, Status, WAITED_FOR, status};
pub use event::Event;
pub use fact::{Fact, FactKind, Lane, State};
pub use failures::{Failure, MOST as MOST_FAILURES};
pub use files::FileFact;
pub use frame::{Artifact, Frame, Line, Question, Task, frame, self_check};
pub use gist::{gist, gist_without};
pub use handed::Handed;
pub use left_behind::LeftBehind;
pub use lessons::Lesson;
pub use links::unlinked;
pub use merge::merge;
pub use now::Now;
pub use open_work::{ListLeft, SHOWN_UNCOMMITTED, Work, boxes, open_of, waits_for_checks};
pub use place::from_home;
pub use raw::raw;
pub use reality::{Mark, Reality, Repository};
pub use recap::Recap;
pub use replied::AgentSaid;
pub use scope::{SessionFact, Warning, WarningCode};
pub use summary::{Section, Summary};
pub use text::{GAP, clip, start, word_count};
pub use texts::{TextOf, Visit, Voice};
pub use turns::{Step, Turn};
pub use verify::STILL_THERE;
pub use whole::{Whole, Wholes};
pub use words::AGREED;

use crate::model::{Header, Session};

/// How far a fact can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Trust {
    /// State that a machine kept: lists of work, exit codes, answers.
    S,
    /// The harness's own summary, or the text of a command or a skill that it put in.
    A,
    /// Words of the user.
    B,
    /// Words of the agent.
    C,
}

/// All that was found in a session.
#[derive(Clone, Debug, Serialize)]
pub struct Facts {
    /// The session that it was found in.
    pub session: Header,
    /// Where the work stands.
    pub now: Now,
    /// Begun or promised, and not finished.
    pub open_work: Vec<Work>,
    /// How the session ended.
    pub ending: Ending,
    /// Commands that failed and were not run with success since, newest first.
    pub failures: Vec<Failure>,
    /// Choices that the user made, newest first.
    pub decisions: Vec<Decision>,
    /// Facts of all other kinds, each kind newest first.
    pub facts: Vec<Fact>,
    /// What a later session can learn from this one, the surest first.
    pub lessons: Vec<Lesson>,
    /// Files that the session touched, the likeliest to be needed first.
    pub files: Vec<FileFact>,
    /// Commands that matter, the likeliest to be needed first.
    pub commands: Vec<Command>,
    /// The harness's own last compaction summary, and its running notes.
    pub summary: Option<Summary>,
    /// Turns, newest first.
    pub turns: Vec<Turn>,
    /// What to look at before anything else.
    pub checks: Vec<String>,
    /// The sessions that all of this comes from, newest first.
    pub sessions: Vec<SessionFact>,
    /// What should be known of the choice of sessions.
    pub warnings: Vec<Warning>,
    /// Ids of work on the harness's own list that was finished or given up.
    #[serde(skip)]
    pub done_work: Vec<String>,
    /// What else the user said that binds the work, asks or corrects: it is too much to be told, and only counted.
    #[serde(skip)]
    pub dropped: Vec<Fact>,
    /// The last time stamp of what single facts rest on, by their ids.
    #[serde(skip)]
    pub stamps: HashMap<String, String>,
    /// How the project stands now to all this; nothing if nobody looked.
    pub reality: Option<Reality>,
}

impl Facts {
    /// Tells whether nobody asked, said or did anything.
    pub fn is_empty(&self) -> bool {
        let nothing_asked = self.now.goal_id.is_empty() && self.summary.is_none();
        nothing_asked && self.turns.iter().all(|turn| turn.steps.is_empty())
    }
}

/// Returns the harness's own summary, without what is told of it as of the pack of another session.
fn summary(
    timeline: &timeline::Timeline<'_>,
    came: Option<&handed::Came<'_>>,
    now: &Now,
) -> Option<Summary> {
    let gave_goal = now.handed.as_ref().is_some_and(|handed| handed.gave_goal);
    let summary = summary::last(timeline)?;
    match came {
        Some(came) => came.less_told(summary, gave_goal),
        None => Some(summary),
    }
}

/// Derives everything from `session`.
pub fn derive(session: &Session) -> Facts {
    let mut timeline = timeline::Timeline::new(session);
    let mut outcomes = outcomes::Outcomes::new(&timeline);
    let ends = outcomes.ends(&timeline);
    timeline.take_in_ends(ends);
    let files = files::files(&timeline, &outcomes.taken_back());
    let passed = files.iter().filter(|file| file.is_passed).map(|file| file.path.as_str());
    outcomes.forget(&passed.collect());
    let told = outcomes.facts(&timeline);
    let failures = failures::failures(&timeline, &outcomes, &told);
    let came = handed::came(&timeline);
    let mut open_work = open_work::open_work(&timeline, &outcomes, came.as_ref());
    let turns = turns::turns(&timeline, &outcomes);
    let mut now = now::now(&timeline, &open_work, &failures, &files, &outcomes, came.as_ref());
    let rules = called::take_in(&timeline, &mut now);
    now::drop_old_plan(&timeline, &now, &mut open_work);
    let commands = commands::commands(&timeline, &outcomes);
    let ending = ending::ending(&timeline, &outcomes, &open_work);
    let mut checks = verify::checks(&commands, &failures, &files, &outcomes, now.next.as_deref());
    checks.extend(ending::unchecked(&ending).map(str::to_owned));
    checks.splice(0..0, was_done::was_done(&timeline, &outcomes, &open_work));
    checks.extend(ending.lists.iter().map(|list| list.told.clone()));
    let words = words::words(&timeline);
    let mut found = [words.kept, told].concat();
    outcomes::raise_quoted(&timeline, &mut found, &now);
    let lessons = lessons::lessons(&found);
    found.extend(came.iter().flat_map(handed::Came::facts));
    found.extend(rules);
    let mut facts = Facts {
        session: session.header.clone(),
        ending,
        decisions: decisions::decisions(&timeline),
        lessons,
        facts: found,
        commands,
        summary: summary(&timeline, came.as_ref(), &now),
        now,
        open_work,
        failures,
        files,
        turns,
        checks,
        sessions: Vec::new(),
        warnings: Vec::new(),
        done_work: merge::done_work(&timeline),
        dropped: words.dropped,
        stamps: HashMap::new(),
        reality: None,
    };
    if let Some(branch) = branch::branch(&timeline) {
        facts.session.git.branch = branch;
    }
    let is_known = came.is_none_or(|came| came.is_known(&facts.now));
    facts.now.closed = is_known && now::is_closed(&timeline, &facts);
    facts.now.asks = now::asks(&timeline, &facts.now);
    facts.now.unfinished = now::unfinished(&timeline, &facts);
    ending::bear_out(&mut facts);
    facts.now.is_replied = is_known && now::is_replied(&timeline, &facts);
    facts.now.answered = facts.now.is_replied && now::says_done(&facts);
    facts.stamps = stamps::stamps(&timeline, &facts);
    facts.sessions = vec![scope::session(&facts)];
    facts
}
