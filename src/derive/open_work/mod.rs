//! Work that was begun or promised and is not finished.

mod bisect;
mod closing;
mod edited;
mod elsewhere;
mod findings;
mod graded;
mod grades;
mod handed;
mod judged;
mod left;
mod lists;
mod moved;
mod numbered;
mod objections;
mod pending;
mod running;
mod said;
mod stand;
mod structured;
mod tools;
mod tried;
mod uncommitted;
mod undone;
mod waiting;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use serde::Serialize;

use super::event::TAKE_IN;
use super::handed::Came;
use super::outcomes::{Commit, Outcomes};
use super::stopped::last_part;
use super::timeline::{Done, Timeline};
use super::{Trust, ids, steps, text, turns, words};
use crate::model::{Action, Body, Item, Origin, PlanItem, PlanStatus};

pub(super) use elsewhere::is_over_elsewhere;
pub(super) use elsewhere::passed_elsewhere;
pub(super) use findings::reported;
pub(super) use left::{
    Amid, announced, before_break, broke_off, came_amid, is_by_human, last_act, said_before,
};
pub(super) use lists::unsure;
pub use lists::{ListLeft, boxes, open_of};
pub(super) use running::still_runs;
pub use running::waits_for_checks;
pub(super) use said::{last_words, leaves_open};
pub(super) use structured::read;
pub use uncommitted::SHOWN as SHOWN_UNCOMMITTED;
pub(super) use waiting::put_to_user;

/// A piece of open work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Work {
    /// `W-` and eight hexadecimal digits.
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
    /// `plan` for the harness's own list, `agent` for an agent that has not come back, `running` for what
    /// ran on in the background, also an agent at which somebody looked since, `check` for a check that fails,
    /// `interrupted` and `unanswered` for what the session broke off at, `uncommitted` for changes after
    /// the last commit or put aside, `summary` for what the harness's summary lists, `summary_aside` for the same once files were
    /// changed, `box` for a box
    /// without a mark, `code` for a mark in the code, `agent_said` for what the agent's last words list, `pack` for
    /// what was open when the session began, by the pack that came with it, and of which nothing was heard since,
    /// `pack_aside` for the same where something was.
    pub source: &'static str,
    /// The items that it rests on.
    pub evidence: Vec<String>,
}

impl Work {
    /// Takes in that an agent has it that has not come back.
    fn take_in(&mut self, other: &Self) {
        if self.source == "plan" && other.source == "agent" {
            let given = "given to an agent that has not come back";
            let own = self.details.take().map(|own| format!("{own}; {given}"));
            self.details = Some(own.unwrap_or_else(|| given.to_owned()));
            self.evidence.extend(other.evidence.iter().cloned());
        }
    }

    /// Whether it was told before `item`.
    fn was_told_before(&self, item: &Item<'_>, timeline: &Timeline<'_>) -> bool {
        let mut before = timeline.items.iter().take_while(|other| other.id != item.id);
        before.any(|other| self.evidence.iter().any(|id| *id == other.id))
    }

    /// Returns its text, without the agent's last words if these are told elsewhere.
    pub fn alone(&self, is_said: bool) -> &str {
        let alone = self.text.split(left::SAID_BEFORE).next().filter(|_| is_said);
        alone.unwrap_or(&self.text)
    }

    /// Whether one of `items` is evidence for it.
    pub(super) fn rests_on(&self, items: &HashSet<&str>) -> bool {
        self.evidence.iter().any(|id| items.contains(id.as_str()))
    }
}

/// How many agents and commands that run on are kept.
const MOST: usize = 30;
/// How many entries of a plan are kept; of more it is told how many there are.
const MOST_ENTRIES: usize = 200;
/// From which share of common words on two entries are the same.
const SAME: f64 = 0.6;

/// Finds what is open: first what a machine recorded, then what summaries, plans and the agent say.
pub(super) fn open_work(
    timeline: &Timeline<'_>,
    outcomes: &Outcomes,
    came: Option<&Came<'_>>,
) -> Vec<Work> {
    let plan = plan(timeline);
    let mut open = plan.map(|(item, entries)| of_plan(&item.id, entries)).unwrap_or_default();
    shorten(&mut open, MOST_ENTRIES);
    let done = done_entries(plan);
    let mut told: Vec<_> = open.iter().map(|work| telling(&work.text)).collect();
    for work in found(timeline, outcomes, came) {
        // Where the session broke off and what came since is no entry of a list, whatever words it shares with one.
        let is_own = work.source == "interrupted" || work.text.starts_with(TAKE_IN);
        let own = telling(&work.text);
        let mut known = open.iter().zip(&told);
        let is_known = |(known, its): (&Work, &Words)| !are_two(known, &work) && alike(its, &own);
        // What the harness's list has as done since is open in no older copy of it.
        let is_done = || {
            // Of what is more than that nobody knows.
            let tells = |its: &Words| {
                alike(its, &own) && own.difference(its).all(|word| words::is_verb(word))
            };
            work.source == "box"
                && done.iter().any(tells)
                && plan.is_some_and(|(item, _)| work.was_told_before(item, timeline))
        };
        let known = if is_own { None } else { known.position(is_known) };
        match known {
            Some(at) => open[at].take_in(&work),
            None if !is_own && is_done() => {}
            None => {
                open.push(work);
                told.push(own);
            }
        }
    }
    open
}

/// Finds what is open beside the list of work.
fn found(timeline: &Timeline<'_>, outcomes: &Outcomes, came: Option<&Came<'_>>) -> Vec<Work> {
    let (failing, aside) = left::failing(timeline, outcomes);
    let (pending, running) = waited_for(timeline, outcomes);
    let of_machine = failing
        .into_iter()
        .chain(elsewhere::failed_elsewhere(timeline, outcomes))
        .chain(pending)
        .chain(elsewhere::begun_again(timeline))
        .chain(agents(timeline))
        .chain(running)
        .chain(left::broken_off(timeline))
        .chain(left::unread(timeline))
        .chain(left::stopped(outcomes))
        .chain(bisect::bisect(timeline))
        .chain(tried::not_made(timeline))
        .chain(tried::not_begun(timeline))
        .chain(objections::objections(timeline))
        .chain(tools::failed_tools(timeline))
        .chain(left::put_aside(timeline, outcomes))
        .chain(uncommitted::uncommitted(timeline, outcomes))
        .chain(uncommitted::listed(timeline, outcomes))
        .chain(aside);
    let of_words = pending::pending(timeline, outcomes)
        .into_iter()
        .chain(said::boxes(timeline))
        .chain(left::marks(timeline))
        .chain(closing::closing(timeline, outcomes))
        .chain(findings::findings(timeline));
    let handed = handed::handed(timeline, outcomes, came);
    tell_once(of_machine.chain(handed).chain(of_words).collect())
}

/// Leaves out that the session ended with words on the way where it is told what these announce.
fn tell_once(mut found: Vec<Work>) -> Vec<Work> {
    let is_own = |work: &&Work| work.source == "unanswered" && work.trust == Trust::C;
    if let Some(said) = found.iter().find(is_own).map(|work| work.evidence.clone()) {
        let is_same = |work: &Work| work.source == "unanswered" && work.evidence == said;
        found.retain(|work| work.trust == Trust::C || !is_same(work));
    }
    found
}

/// Returns the runs elsewhere that had not ended, and what ran on in the background; what runs on to wait for the first is
/// told once.
fn waited_for(timeline: &Timeline<'_>, outcomes: &Outcomes) -> (Option<Work>, Vec<Work>) {
    let pending = elsewhere::pending_elsewhere(timeline);
    let mut running = running::running(timeline, outcomes);
    let Some(pending) = pending else { return (None, running) };
    let is_same = |work: &Work| work.evidence == pending.evidence;
    if running.iter().any(|work| is_same(work) && waits_for_checks(&work.text)) {
        return (None, running);
    }
    running.retain(|work| !is_same(work));
    (Some(pending), running)
}

/// Whether two pieces of work are two whatever words they share: agents, commands and checks can be much the
/// same, and so can the entries of one list.
fn are_two(one: &Work, other: &Work) -> bool {
    let is_apart = matches!(one.source, "agent" | "check" | "running")
        || matches!(one.source, "box" | "summary" | "summary_aside" | "agent_said")
            && one.evidence == other.evidence;
    is_apart && one.source == other.source && one.text != other.text
}

/// Says of the last of a list that `rest` more stand there.
fn shorten(list: &mut Vec<Work>, most: usize) {
    let rest = list.len().saturating_sub(most);
    list.truncate(most);
    let Some(last) = list.last_mut().filter(|_| rest > 0) else { return };
    let more = format!("and {rest} more of the same list");
    last.details = Some(last.details.take().map_or(more.clone(), |own| format!("{own}\n{more}")));
}

/// Returns the words of the entries of a list of work that are done.
fn done_entries(plan: Option<(&Item<'_>, &[PlanItem])>) -> Vec<Words> {
    let entries = plan.into_iter().flat_map(|(_, entries)| entries);
    let done = entries.filter(|entry| entry.status == PlanStatus::Completed);
    done.map(|entry| telling(&entry.text)).collect()
}

/// Returns the turn in which what is open of the list of work was listed first.
pub(super) fn listed_in(timeline: &Timeline<'_>, open: &[Work]) -> Option<u32> {
    let open = open.iter().find(|work| work.source == "plan")?;
    let (_, entries) = plan(timeline)?;
    entries.iter().find(|entry| entry.text == open.text)?.listed_in
}

/// Returns the list of work as it stands at the end, and the item that tells it.
fn plan<'t>(timeline: &Timeline<'t>) -> Option<(&'t Item<'static>, &'t [PlanItem])> {
    timeline.items.iter().rev().find_map(|item| Some((*item, item.plan()?.items.as_slice())))
}

/// Returns the last commit, where it has changes that were made since the list of work was changed last: some
/// of what is open there may be done.
pub(super) fn committed_since_plan<'o>(
    timeline: &Timeline<'_>,
    outcomes: &'o Outcomes,
) -> Option<&'o Commit> {
    let (item, _) = plan(timeline)?;
    let before = timeline.done().take_while(|done| done.item.line <= item.line).count();
    let commit = outcomes.commits.iter().rev().find(|commit| commit.elsewhere.is_none())?;
    outcomes.edits_from(before).any(|at| at < commit.index).then_some(commit)
}

/// Finds agents that have not come back and were not stopped. Of those that were sent off in the background for an
/// earlier request it is only told that nobody knows; where somebody looked since at what one does, what it found
/// may have been told in other ways.
fn agents(timeline: &Timeline<'_>) -> Vec<Work> {
    let mut requests = timeline.requests().rev().map(|(item, _)| item.turn);
    let newest = requests.next().unwrap_or(0);
    let before = requests.next().unwrap_or(0);
    let stopped: HashMap<_, _> = timeline.done().filter_map(|done| stops(&done)).collect();
    let was_stopped = |done: &Done<'_>| {
        let name = done.result.and_then(|result| result.out.as_deref());
        name.and_then(|name| stopped.get(last_part(name))).is_some_and(|at| *at > done.index)
    };
    let letters = || timeline.items.iter().filter_map(|item| letter(item));
    // The agent that sent it off took in what it wrote where it came to its own end after that.
    let has_ended = last_words(timeline).is_some();
    let was_heard = |done: &Done<'_>| {
        let name = done.result.and_then(|result| result.out.as_deref()).unwrap_or_default();
        let quoted = format!("\"{name}\"");
        let is_sender = |row: &str| row.strip_prefix("Sender: ") == Some(name);
        let wrote =
            |words: &str| words.contains(&quoted) || has_ended && words.lines().any(is_sender);
        !name.is_empty() && letters().any(|(line, words)| line > done.item.line && wrote(&words))
    };
    let is_out = |done: &Done<'_>| {
        done.result.is_none() || steps::is_out(done) && !was_stopped(done) && !was_heard(done)
    };
    // Whose words came since may have been it, whether they can be read or not.
    let is_agents = |item: &&&Item<'_>| matches!(&item.body, Body::Message(message) if message.origin == Origin::Agent);
    let heard = timeline.items.iter().rev().find(is_agents).map_or(0, |item| item.line);
    let out = timeline.done().rev().filter(is_out).filter_map(|done| {
        let Some(Action::Agent { task }) = done.call.action.as_deref() else { return None };
        if done.result.is_some() && done.item.turn < newest {
            if done.item.line < heard {
                return None;
            }
            if was_given_again(timeline, &done, task) {
                return None;
            }
            let task = text::line(task, 160);
            let turn = turns::id(done.item.turn);
            let told = format!(
                "an agent was sent off in {turn}, and nothing tells that it came back: {task}"
            );
            // Of one that was sent off for a request long ago what it found may be told by now.
            let is_late = done.item.turn < before || running::is_named_later(timeline, &done);
            let source = if is_late { "running" } else { "agent" };
            return Some(Work::new(told, Trust::S, source, &done.item.id));
        }
        let work = Work::new(task.clone(), Trust::S, "agent", &done.item.id);
        Some(Work { status: PlanStatus::InProgress, ..work })
    });
    let mut newest: Vec<_> = out.take(MOST).collect();
    newest.reverse();
    newest
}

/// Whether another agent was given the same task later, and reported.
fn was_given_again(timeline: &Timeline<'_>, done: &Done<'_>, task: &str) -> bool {
    timeline.done().skip(done.index + 1).any(|later| {
        let is_same = matches!(later.call.action.as_deref(), Some(Action::Agent { task: other }) if other == task);
        is_same && later.worked() && !steps::is_out(&later)
    })
}

/// Returns the words of an item that another agent sent, with the line; its name stands there in quotes.
fn letter<'i>(item: &'i Item<'_>) -> Option<(u64, Cow<'i, str>)> {
    let Body::Message(message) = &item.body else { return None };
    (message.origin == Origin::Agent).then(|| (item.line, message.plain()))
}

/// Returns what a call stops, and the number of the call.
fn stops<'d>(done: &Done<'d>) -> Option<(&'d str, usize)> {
    let Some(Action::Stop { on }) = done.call.action.as_deref() else { return None };
    (!done.failed()).then(|| (last_part(on), done.index))
}

fn of_plan(id: &str, items: &[PlanItem]) -> Vec<Work> {
    let text_of = |number: &String| {
        let found =
            items.iter().find(|item| item.id.as_ref() == Some(number) && item.status.is_open());
        found.map(|item| item.text.clone())
    };
    let work = |item: &PlanItem| Work {
        id: ids::id('W', &item.text),
        text: item.text.clone(),
        details: item.details.clone(),
        status: item.status,
        blocked_by: item.blocked_by.iter().filter_map(text_of).collect(),
        trust: Trust::S,
        source: "plan",
        evidence: vec![id.to_owned()],
    };
    let mut open: Vec<_> = items.iter().filter(|item| item.status.is_open()).map(work).collect();
    open.sort_by_key(|work| work.status != PlanStatus::InProgress);
    open
}

/// Words that say nothing of what is to be done, such as those by which somebody begins to tell it.
const EMPTY: &[&str] =
    &["", "a", "also", "an", "and", "i", "let", "ll", "me", "now", "the", "then", "to", "will"];

/// The words of an entry that tell something.
type Words = HashSet<String>;

/// Whether two entries say the same.
fn same(a: &str, b: &str) -> bool {
    alike(&telling(a), &telling(b))
}

/// Whether the words of two entries say the same: most of them are common, or one holds the other. Where each has
/// a word of its own, such as "tests for the parser" and "tests for the lexer", they are two.
fn alike(a: &Words, b: &Words) -> bool {
    let common = a.intersection(b).count();
    let least = a.len().min(b.len());
    let all = a.len() + b.len() - common;
    let share = text::share(common, all);
    common == least && (share >= SAME || least >= 5) || share >= SAME && are_forms(a, b)
}

/// So many letters at the start of two words make them forms of one.
const STEM_CHARS: usize = 4;

/// Whether what only one of two entries says is there in the other in another form, such as "fix" and "fixing"; one
/// thing is to be added or written, fixed or repaired.
fn are_forms(a: &Words, b: &Words) -> bool {
    let is_form = |one: &str, other: &str| {
        let common = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
        let shorter = one.chars().count().min(other.chars().count());
        let is_number = one.chars().chain(other.chars()).any(char::is_numeric);
        !is_number && (common >= STEM_CHARS || common == shorter && common + 1 >= STEM_CHARS)
    };
    let has_form = |word: &String, others: &Words, own: &Words| {
        others.difference(own).any(|other| is_form(word, other))
    };
    let is_told = |word: &String, others: &Words, own: &Words| {
        words::is_verb(word) || has_form(word, others, own)
    };
    a.difference(b).all(|word| is_told(word, b, a))
        || b.difference(a).all(|word| is_told(word, a, b))
}

/// Returns the words of an entry that tell something; the number that it has in a list does not.
fn telling(text: &str) -> Words {
    let behind = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let text = if behind.starts_with(['.', ')']) { behind } else { text };
    let words = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
    words.filter(|word| !EMPTY.contains(&word.as_str())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_that_say_the_same_are_one() {
        assert!(same("Add tests for the parser", "add tests for the parser."));
        assert!(same("Add tests for the parser", "Add the tests for parser errors"));
        assert!(!same("Add tests for the parser", "Document the parser"));
        let announced = "Now let me update the dashboard to also show the roles:";
        assert!(same("Update dashboard page to show roles", announced));
        assert!(same(
            "Fix the rounding of totals in the cart",
            "fixing rounding of totals in the cart"
        ));
        assert!(same("1. Add tests for the parser", "2. Write tests for the parser"));
        assert!(!same("", "Document the parser"));
    }

    #[test]
    fn entries_of_which_each_has_a_thing_of_its_own_are_two() {
        for [one, other] in [
            ["Add tests for the parser", "Add tests for the lexer"],
            ["Migrate the users table to Postgres", "Migrate the orders table to Postgres"],
            ["Write chapter 03 of the manual", "Write chapter 13 of the manual"],
            ["Write chapter 3 of the manual", "Write chapter 31 of the manual"],
            ["Run step 1a of the move now", "Run step 1b of the move now"],
        ] {
            assert!(!same(one, other), "{one} / {other}");
        }
    }
}
