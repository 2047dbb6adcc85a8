//! Where the work stands: the card at the head of a pack.

use std::collections::HashSet;

use serde::Serialize;

use super::asked_too::{self, AskedToo};
use super::before::{self, BEFORE_CHARS, Before};
use super::called::Called;
use super::event::{self, Event};
use super::failures::Failure;
use super::files::FileFact;
use super::handed::{Came, Handed};
use super::next::{before_error, next, reports};
use super::outcomes::Outcomes;
use super::recap::{self, Recap};
use super::replied::{self, AgentSaid};
use super::timeline::Timeline;
use super::unasked::unasked;
use super::{
    Facts, Trust, acceptance, deeds, ended, ending, open_work, tagged, text, topic, turns, words,
};
use crate::model::{Body, Item, Origin, PlanStatus, Role, Status};
use open_work::Work;

/// Where the work stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Now {
    /// The current request, cut in the middle only if it is very long.
    pub goal: String,
    /// The turn of the request.
    pub goal_id: String,
    /// What the user ran and chose, where nobody asked for anything in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unasked: Option<String>,
    /// The request before, where the current one only goes on with it or nothing was done for it
    /// yet.
    pub goal_before: Option<Before>,
    /// Requests before the current one which the agent was still at work on when it came, and has not
    /// ended its turn since; the newest first.
    pub asked_too: Vec<AskedToo>,
    /// The commands and skills that were called for these requests, with what their texts say that they are for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub called: Vec<Called>,
    /// What the agent had said last before the current request, where that is a reply to it.
    pub replies_to: Option<AgentSaid>,
    /// Whether the current request has nothing to do with what went before.
    pub new_topic: bool,
    /// What the request says must hold in the end.
    pub acceptance: Vec<String>,
    /// The step that was being worked on.
    pub active: Option<String>,
    /// What stands in the way.
    pub blockers: Vec<String>,
    /// What was done last.
    pub last_done: Option<String>,
    /// What comes next; by the agent's words, whatever they are, if it said something last.
    pub next: Option<String>,
    /// Whether that is the report of another agent, or other words that are not the user's, with which the session
    /// ends.
    pub came_back: bool,
    /// How far `next` can be trusted.
    pub next_trust: Option<Trust>,
    /// The agent's last words, where it said them last or before the step with which the session ends.
    pub last_words: Option<AgentSaid>,
    /// Whether it said them on its way: they answer nothing yet.
    #[serde(skip)]
    pub is_on_its_way: bool,
    /// Whether what was done last came after these words.
    pub acted_since: bool,
    /// Whether the agent said that what was asked for is done, or the harness's recap did, it asked nothing, and nothing
    /// is known to be open.
    pub answered: bool,
    /// The same where it only said something.
    #[serde(skip)]
    pub is_replied: bool,
    /// Whether nothing is known to be open, whatever the agent's last words ask or leave.
    pub closed: bool,
    /// Whether the agent's last words, a call with which it ends, or the harness's recap ask the user something,
    /// which nobody answered.
    pub asks: bool,
    /// Whether the user stopped what went on, or refused it, and said nothing more.
    pub stopped: bool,
    /// What the agent left undone when it ended: `no_answer` where it had not answered the request that it was at
    /// work on, `announced` where it did not do what its last words announce; nothing else says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unfinished: Option<&'static str>,
    /// Words of the harness on which the agent went to work since the current request.
    pub event: Option<Event>,
    /// What the harness itself says of where the work stood.
    pub recap: Option<Recap>,
    /// The pack with which the session goes on where another one ended.
    pub handed: Option<Handed>,
}

/// How many characters of the current request are kept.
const GOAL_CHARS: usize = 40_000;
/// Finds where the work stands.
pub(super) fn now(
    timeline: &Timeline<'_>,
    open: &[Work],
    failures: &[Failure],
    files: &[FileFact],
    outcomes: &Outcomes,
    came: Option<&Came<'_>>,
) -> Now {
    let asked = asked(timeline, open, came);
    let open_now = of_topic(timeline, open, asked.begins);
    let active = open_now.iter().find(|work| work.status == PlanStatus::InProgress);
    let behind = open_work::committed_since_plan(timeline, outcomes);
    let (next, next_trust) = next(timeline, open, failures, behind).unzip();
    let last_words = said_last(timeline);
    let said = last_words.as_ref().map(|said| said.item.clone());
    let mut now = Now {
        unasked: unasked(timeline).filter(|_| asked.goal.is_empty() && asked.handed.is_none()),
        goal: asked.goal,
        goal_id: asked.goal_id,
        goal_before: asked.before,
        asked_too: asked.too,
        replies_to: asked.replies_to,
        new_topic: asked.begins.is_some(),
        acceptance: asked.acceptance,
        active: active.map(|work| work.text.clone()),
        blockers: blockers(&open_now),
        last_done: deeds::last_done(timeline, files, open, said.as_deref()),
        next,
        came_back: event::unread(timeline).is_some()
            || before_error(timeline).is_some_and(|it| !reports(timeline, it).is_empty()),
        next_trust,
        last_words,
        is_on_its_way: is_on_its_way(timeline),
        stopped: is_stopped(timeline),
        event: event::event(timeline),
        recap: recap::recap(timeline),
        handed: asked.handed,
        ..Now::default()
    };
    tell_once(timeline, &mut now);
    now
}

/// The current request, and what it is understood by.
struct Asked {
    goal: String,
    goal_id: String,
    before: Option<Before>,
    too: Vec<AskedToo>,
    replies_to: Option<AgentSaid>,
    acceptance: Vec<String>,
    /// The turn of the request, where it has nothing to do with what went before.
    begins: Option<u32>,
    handed: Option<Handed>,
}

/// Finds the current request; where the session goes on with the pack of another one, the request may stand in that.
fn asked(timeline: &Timeline<'_>, open: &[Work], came: Option<&Came<'_>>) -> Asked {
    let newest = timeline.requests().next_back();
    let requests = timeline.requests().rev().flat_map(|(item, message)| {
        let own = (turns::id(item.turn), text::plain(&message.words()).trim().to_owned());
        came.map_or_else(|| vec![own.clone()], |came| came.asked(item, own.clone()))
    });
    // Where nobody asked for anything, what was is known by a pack alone.
    let alone = came.filter(|_| newest.is_none());
    let mut requests = requests.chain(alone.map(Came::asks).unwrap_or_default());
    let handed = came.map(|came| came.handed(newest.map(|(item, _)| item)));
    let gave = came.filter(|_| handed.as_ref().is_some_and(|handed| handed.gave_goal));
    let (goal_id, goal) = requests.next().unwrap_or_default();
    let is_new = |item: &Item<'_>| gave.is_none() && topic::is_new(timeline, item, &goal);
    let begins = newest.filter(|(item, _)| is_new(item)).map(|(item, _)| item.turn);
    let waits = is_unanswered(timeline);
    let before = match gave {
        Some(came) => came.before(),
        None if begins.is_some() => None,
        None => before::of(timeline, open, (&goal_id, &goal), waits, requests),
    };
    let quotes = |before: &Before| came.is_some_and(|came| came.quotes(before));
    let before = before.map(|before| Before { is_quoted: quotes(&before), ..before });
    let above = before.as_ref().map(|before| before.text.as_str());
    let mut acceptance = acceptance::accepted(&goal, above, BEFORE_CHARS[1]);
    acceptance.extend(gave.map(|came| came.acceptance(&acceptance)).unwrap_or_default());
    let is_told = |one: &AskedToo| before.as_ref().is_some_and(|before| before.tells(one));
    let too = asked_too::asked_too(timeline, is_told);
    let replies_to = match gave {
        Some(came) => came.replies_to(),
        None => replied::replied(timeline, &goal, waits).filter(|_| begins.is_none()),
    };
    let cut = text::clip(&goal, GOAL_CHARS);
    Asked {
        goal: match newest.filter(|_| gave.is_none()) {
            Some((_, message)) => message.with_images(cut, "\n"),
            None => cut,
        },
        goal_id,
        before: before
            .map(|before| Before { text: text::clip(&before.text, BEFORE_CHARS[0]), ..before }),
        too,
        replies_to,
        acceptance,
        begins,
        handed,
    }
}

/// Says of the agent's last words whether something was done since; what stands there is no answer from before besides.
fn tell_once(timeline: &Timeline<'_>, now: &mut Now) {
    let said = now.last_words.as_ref();
    now.acted_since = said.is_some_and(|said| deeds::acted_after(timeline, &said.item));
    if let (Some(said), Some(event)) = (said, &mut now.event) {
        event.answer = event.answer.take().filter(|answer| answer.item != said.item);
    }
}

/// Tells whether the session ends with the agent's words and nothing is known to be open; what words say that
/// are not English nobody knows.
pub(super) fn is_closed(timeline: &Timeline<'_>, facts: &Facts) -> bool {
    open_work::last_words(timeline).is_some_and(|(_, words)| words::is_english(&words))
        && !facts.now.goal.is_empty()
        && facts.open_work.is_empty()
        && ending::is_done(facts)
}

/// Tells whether, where it was replied, somebody says that it is done: nobody knows what words leave that do not.
pub(super) fn says_done(facts: &Facts) -> bool {
    let recap = facts.now.recap.as_ref().filter(|recap| recap.is_last);
    facts.ending.claimed_done || recap.is_some_and(leaves_nothing)
}

/// Tells whether the words with which it ends leave nothing open either, nor does a recap after them.
pub(super) fn is_replied(timeline: &Timeline<'_>, facts: &Facts) -> bool {
    let words = open_work::last_words(timeline).filter(|_| is_closed(timeline, facts));
    // What a nod went on with may have been more.
    !topic::is_nod(&facts.now.goal)
        && words
            .is_some_and(|(_, words)| !open_work::leaves_open(&words) && !words::asks_user(&words))
        && facts.now.recap.as_ref().is_none_or(|recap| !recap.is_last || leaves_nothing(recap))
}

/// Tells whether it ends with a plan or a question that the user did not answer, or with words that ask, or a
/// recap of them does.
pub(super) fn asks(timeline: &Timeline<'_>, now: &Now) -> bool {
    let recap = now.recap.as_ref().filter(|recap| recap.is_last);
    let asks = |last: &Item<'_>| match &last.body {
        Body::Message(message) if message.origin == Origin::Model => {
            words::asks_user(&text::plain(&message.plain()))
        }
        _ => open_work::put_to_user(timeline, last).is_some(),
    };
    before_error(timeline).is_some_and(asks)
        || now.event.as_ref().is_some_and(|event| event.asks)
        || recap.is_some_and(|recap| words::asks_in_recap(&recap.text))
}

/// Tells what the agent left undone when it ended, where neither its list of work nor a request that waits says so.
pub(super) fn unfinished(timeline: &Timeline<'_>, facts: &Facts) -> Option<&'static str> {
    let now = &facts.now;
    let is_told = now.asks || now.came_back || now.stopped || is_unanswered(timeline);
    let is_listed = facts.open_work.iter().any(|work| work.source == "plan");
    let left = facts.open_work.iter().find(|work| work.source == "unanswered")?;
    let is_announced = left.trust == Trust::C;
    (!is_told && !is_listed).then_some(if is_announced { "announced" } else { "no_answer" })
}

/// Whether the session ends with what the user stopped or refused.
fn is_stopped(timeline: &Timeline<'_>) -> bool {
    let last = open_work::last_act(timeline);
    match last.map(|item| &item.body) {
        // What else broke it off has a reason.
        Some(Body::Notice { kind, text }) => kind == "interrupted" && text.is_none(),
        // Who refuses with words says how to go on.
        Some(Body::ToolResult(result)) if result.user_said.is_some() => false,
        Some(Body::ToolResult(result)) => {
            let is_asked = || last.is_some_and(|it| open_work::put_to_user(timeline, it).is_some());
            result.rejected || result.status == Status::Interrupted && !is_asked()
        }
        _ => false,
    }
}

/// Words with which it is said that there is nothing to go on with.
const NOTHING: &[&str] = &[
    "no further action",
    "no further step",
    "no further work",
    "no next",
    "nothing else",
    "nothing further",
    "nothing is left",
    "nothing is next",
    "nothing is open",
    "nothing is pending",
    "nothing left",
    "nothing more",
    "nothing next",
    "nothing open",
    "nothing outstanding",
    "nothing pending",
    "nothing remain",
    "nothing to do",
];

/// Whether a recap says at its end that there is nothing to go on with.
pub(super) fn leaves_nothing(recap: &Recap) -> bool {
    let low = recap.text.to_lowercase();
    let end = low.trim_end().rsplit(". ").next().unwrap_or_default();
    NOTHING.iter().any(|word| end.contains(word))
        && !low.contains("next:")
        && !open_work::leaves_open(&recap.text)
}

/// Whether the session ends with a request for which nothing was done or said.
fn is_unanswered(timeline: &Timeline<'_>) -> bool {
    let last = open_work::last_act(timeline).map(|item| &item.body);
    matches!(last, Some(Body::Message(message)) if message.origin == Origin::Human)
}

/// Returns the open work that can belong to a topic that began with a turn: what rests on nothing
/// from then on belongs to what went before.
fn of_topic<'w>(timeline: &Timeline<'_>, open: &'w [Work], begins: Option<u32>) -> Vec<&'w Work> {
    let Some(begins) = begins else { return open.iter().collect() };
    let since = since(timeline, begins);
    open.iter().filter(|work| work.rests_on(&since)).collect()
}

/// Returns the ids of the items of a turn and of those after it.
fn since<'t>(timeline: &'t Timeline<'_>, turn: u32) -> HashSet<&'t str> {
    let since = timeline.items.iter().filter(|item| item.turn >= turn);
    since.map(|item| item.id.as_ref()).collect()
}

/// Drops a list of work that the session has not looked at since another topic began.
pub(super) fn drop_old_plan(timeline: &Timeline<'_>, now: &Now, open: &mut Vec<Work>) {
    let newest = timeline.requests().next_back().filter(|_| now.new_topic);
    let Some((request, _)) = newest else { return };
    let since = since(timeline, request.turn);
    open.retain(|work| work.source != "plan" || work.rests_on(&since));
}

fn blockers(open: &[&Work]) -> Vec<String> {
    let blocked = open.iter().filter(|work| work.status == PlanStatus::Blocked);
    blocked.map(|work| text::line(&work.text, 160)).take(5).collect()
}

/// Whether the session ends with words that the agent said on its way.
fn is_on_its_way(timeline: &Timeline<'_>) -> bool {
    let last = open_work::before_break(timeline, |_| true).map(|item| &item.body);
    matches!(last, Some(Body::Message(message)) if ended::is_on_its_way(message))
}

/// Returns the words with which the session ends, or those before the step with which it ends; what broke it
/// off says nothing.
fn said_last(timeline: &Timeline<'_>) -> Option<AgentSaid> {
    let last = open_work::before_break(timeline, |_| true)?;
    let (words, item, is_needed) = match &last.body {
        Body::Message(message) if message.role == Role::Assistant => {
            (text::plain(&message.plain()), last.id.as_ref(), true)
        }
        _ => match open_work::put_to_user(timeline, last) {
            Some(asked) => (text::plain(&asked), last.id.as_ref(), true),
            None => {
                let (words, item) = open_work::said_before(timeline, last)?;
                (words, item, false)
            }
        },
    };
    words.contains(char::is_alphanumeric).then(|| AgentSaid {
        id: turns::id(last.turn),
        text: text::clip(&tagged::answer(&open_work::read(&words)), replied::MOST_CHARS),
        item: item.to_owned(),
        is_needed,
        is_named: false,
        is_near: false,
        is_bare: false,
    })
}
