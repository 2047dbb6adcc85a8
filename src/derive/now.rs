//! Where the work stands: the card at the head of a pack.

use std::collections::HashSet;

use serde::Serialize;

use super::asked_too::{self, AskedToo};
use super::event::{self, Event};
use super::failures::Failure;
use super::files::FileFact;
use super::handed::{Came, Handed};
use super::next::{before_error, next, report};
use super::outcomes::Outcomes;
use super::recap::{self, Recap};
use super::replied::{self, AgentSaid};
use super::timeline::Timeline;
use super::{Facts, Trust, acceptance, deeds, ending, open_work, text, topic, turns, words};
use crate::model::{Action, Body, Item, Message, Origin, PlanStatus, Role, Status};
use open_work::Work;

/// Where the work stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Now {
    /// The current request, cut in the middle only if it is very long.
    pub goal: String,
    /// The turn of the request.
    pub goal_id: String,
    /// The request before, where the current one only goes on with it or nothing was done for it
    /// yet.
    pub goal_before: Option<Before>,
    /// Requests before the current one which the agent was still at work on when it came, and has not
    /// ended its turn since; the newest first.
    pub asked_too: Vec<AskedToo>,
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
    /// Whether that is the report of another agent, with which the session ends.
    pub came_back: bool,
    /// How far `next` can be trusted.
    pub next_trust: Option<Trust>,
    /// The agent's last words, where it said them last or before the step with which the session ends.
    pub last_words: Option<AgentSaid>,
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

/// The request that the current one is understood by.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Before {
    /// Its turn.
    pub id: String,
    /// Its words, cut in the middle.
    pub text: String,
    /// Whether others came between, which said to go on, or asked for something in a few words.
    pub is_earlier: bool,
    /// Those that came between and asked for something in a few words, the newest first.
    pub between: Vec<AskedToo>,
    /// Whether it is quoted from the pack with which the session goes on.
    pub is_quoted: bool,
    /// Whether all that was done was done for it: for the current one nothing was done yet.
    #[serde(skip)]
    pub is_latest_done: bool,
}

impl Before {
    /// Whether a request is told here.
    fn tells(&self, other: &AskedToo) -> bool {
        let is_it = |one: &AskedToo| one.id == other.id || one.text == other.text;
        is_it(&AskedToo::of(self.id.clone(), &self.text)) || self.between.iter().any(is_it)
    }
}

/// How many characters of the current request are kept.
const GOAL_CHARS: usize = 40_000;
/// How many of the one before, and how many of those a pack always shows.
const BEFORE_CHARS: [usize; 2] = [1400, 320];
/// A request of fewer words goes on with another.
const SHORT_WORDS: usize = 40;
/// A request of so many words can be understood without another.
const FULL_WORDS: usize = 10;
/// The shortest word by which a request names another one's thing.
const NAME_CHARS: usize = 4;
/// How many short requests are told that came between.
const MOST_BETWEEN: usize = 3;
/// A request of fewer words only nods: what it agreed to stands in the one before it.
const NOD_WORDS: usize = 4;

/// Finds where the work stands.
pub(super) fn now(
    timeline: &Timeline<'_>,
    open: &[Work],
    failures: &[Failure],
    files: &[FileFact],
    outcomes: &Outcomes,
    came: Option<&Came<'_>>,
) -> Now {
    let newest = timeline.requests().next_back();
    let mut requests = timeline.requests().rev().flat_map(|(item, message)| {
        let own = (turns::id(item.turn), text::plain(&message.words()).trim().to_owned());
        came.map_or_else(|| vec![own.clone()], |came| came.asked(item, own.clone()))
    });
    let handed = came.map(|came| came.handed(newest.map(|(item, _)| item)));
    let gave = came.filter(|_| handed.as_ref().is_some_and(|handed| handed.gave_goal));
    let (goal_id, goal) = requests.next().unwrap_or_default();
    let is_new = |item: &Item<'_>| gave.is_none() && topic::is_new(timeline, item, &goal);
    let begins = newest.filter(|(item, _)| is_new(item)).map(|(item, _)| item.turn);
    let waits = is_unanswered(timeline);
    let before = match gave {
        Some(came) => came.before(),
        None => before(&goal, waits, requests, &worked(timeline)).filter(|_| begins.is_none()),
    };
    let before = match gave.is_none() && begins.is_none() {
        true => with_first(timeline, open, (&goal_id, &goal), before),
        false => before,
    };
    let quotes = |before: &Before| came.is_some_and(|came| came.quotes(before));
    let before = before.map(|before| Before { is_quoted: quotes(&before), ..before });
    let above = before.as_ref().map(|before| before.text.as_str());
    let mut accepted = acceptance::accepted(&goal, above, BEFORE_CHARS[1]);
    accepted.extend(gave.map(|came| came.acceptance(&accepted)).unwrap_or_default());
    let open_now = of_topic(timeline, open, begins);
    let active = open_now.iter().find(|work| work.status == PlanStatus::InProgress);
    let behind = open_work::committed_since_plan(timeline, outcomes);
    let (next, next_trust) = next(timeline, open, failures, behind).unzip();
    let is_told = |one: &AskedToo| before.as_ref().is_some_and(|before: &Before| before.tells(one));
    let asked_too = asked_too::asked_too(timeline, is_told);
    let replies_to = match gave {
        Some(came) => came.replies_to(),
        None => replied::replied(timeline, &goal, waits).filter(|_| begins.is_none()),
    };
    let mut now = Now {
        acceptance: accepted,
        goal: match newest.filter(|_| gave.is_none()) {
            Some((_, message)) => message.with_images(text::clip(&goal, GOAL_CHARS), "\n"),
            None => text::clip(&goal, GOAL_CHARS),
        },
        goal_id,
        goal_before: before
            .map(|before| Before { text: text::clip(&before.text, BEFORE_CHARS[0]), ..before }),
        asked_too,
        replies_to,
        active: active.map(|work| work.text.clone()),
        new_topic: begins.is_some(),
        blockers: blockers(&open_now),
        last_done: deeds::last_done(timeline, files, open),
        next,
        came_back: before_error(timeline).is_some_and(|it| report(timeline, it).is_some()),
        next_trust,
        last_words: said_last(timeline),
        acted_since: false,
        answered: false,
        is_replied: false,
        closed: false,
        asks: false,
        stopped: is_stopped(timeline),
        unfinished: None,
        event: event::event(timeline),
        recap: recap::recap(timeline),
        handed,
    };
    let said = now.last_words.as_ref();
    now.acted_since = said.is_some_and(|said| deeds::acted_after(timeline, &said.item));
    now
}

/// Tells whether the session ends with the agent's words and nothing is known to be open; what words say that
/// are not English nobody knows.
pub(super) fn is_closed(timeline: &Timeline<'_>, facts: &Facts) -> bool {
    open_work::last_words(timeline).is_some_and(|(_, words)| open_work::is_english(&words))
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
        body => open_work::put_to_user(body).is_some(),
    };
    before_error(timeline).is_some_and(asks)
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
    match open_work::last_act(timeline).map(|item| &item.body) {
        // What else broke it off has a reason.
        Some(Body::Notice { kind, text }) => kind == "interrupted" && text.is_none(),
        // Who refuses with words says how to go on.
        Some(Body::ToolResult(result)) if result.user_said.is_some() => false,
        // Of what came to no result at all nobody knows who ended it.
        Some(Body::ToolResult(result)) => {
            let is_told = !result.output.is_empty() || result.exit_code.is_some();
            result.rejected || result.status == Status::Interrupted && is_told
        }
        _ => false,
    }
}

/// Whether a recap says at its end that there is nothing to go on with.
fn leaves_nothing(recap: &Recap) -> bool {
    let low = recap.text.to_lowercase();
    let end = low.trim_end().rsplit(". ").next().unwrap_or_default();
    end.contains("nothing") && !low.contains("next:") && !open_work::leaves_open(&recap.text)
}

/// Finds the request before, if the current one goes on with it: a short word in between goes on with
/// what was asked at length; where nothing was done yet, all that was done was done for the one
/// before. `requests` are those before the current one, newest first; the text is not cut yet.
fn before(
    goal: &str,
    waits: bool,
    mut requests: impl Iterator<Item = (String, String)>,
    worked: &HashSet<String>,
) -> Option<Before> {
    let count = |words: &str| words.split_whitespace().count();
    if !waits && count(goal) >= SHORT_WORDS {
        return None;
    }
    let least = if waits { NOD_WORDS } else { FULL_WORDS.min(2 * count(goal)) };
    let mut first = requests.next()?;
    let mut between = Vec::new();
    // What only goes on may do so with a part of what was asked.
    let goes_on = |words: &str| match count(words) {
        0 | 1 => topic::is_nod(words),
        2 => ["go ahead", "go on", "keep going"].contains(&words.to_lowercase().as_str()),
        _ => topic::is_nod(words),
    };
    if !waits && topic::is_nod(goal) {
        while goes_on(&first.1) && !first.1.starts_with('/') {
            let Some(next) = requests.next() else { break };
            between.push(std::mem::replace(&mut first, next));
        }
    }
    // A command of the harness says at once what is meant. In most other scripts few words say much.
    let is_dense = !first.1.is_ascii();
    let is_long = |words: &str| count(words) >= least;
    let is_command = |words: &str| words.starts_with('/');
    let is_meant = is_long(&first.1) || is_command(&first.1);
    let is_it = |(_, words): &(String, String)| is_long(words) || !is_dense && is_command(words);
    let behind = between.len();
    let nods = |words: &str| topic::is_nod(words) || topic::begins_with_assent(words);
    let found = if is_meant {
        None
    } else {
        let all: Vec<_> = std::iter::once(first.clone()).chain(requests).collect();
        let long = all.iter().skip(1).position(is_it).map(|at| at + 1);
        // Where the work was done for another one that the current one names, that one is meant.
        let done = |(id, words): &(String, String)| {
            worked.contains(id) && count(words) >= NOD_WORDS && !nods(words) && names(goal, words)
        };
        let idles = |(id, words): &(String, String)| !worked.contains(id) && !is_command(words);
        let idle = long.filter(|at| all.get(*at).is_some_and(idles));
        let older = |at: usize| all.iter().skip(at).position(done).map(|more| at + more);
        let at = idle.and_then(older).or(long);
        between.extend(all.iter().take(at.unwrap_or(0)).cloned());
        at.and_then(|at| all.get(at).cloned())
    };
    if found.is_none() {
        between.truncate(behind);
    }
    let is_earlier = found.is_some() || behind > 0;
    // What only nods asks for nothing.
    between.retain(|(_, words)| is_earlier && count(words) >= NOD_WORDS && !nods(words));
    between.truncate(MOST_BETWEEN);
    let between = between.into_iter().map(|(id, words)| AskedToo::of(id, &words)).collect();
    let (id, text) = found.unwrap_or(first);
    Some(Before { id, text, is_earlier, between, is_quoted: false, is_latest_done: waits })
}

/// Puts the request with which the work began before those that came after it: the one for which the list of work
/// was made that is open, else the first of what the current request goes on with.
fn with_first(
    timeline: &Timeline<'_>,
    open: &[Work],
    (goal_id, goal): (&str, &str),
    before: Option<Before>,
) -> Option<Before> {
    let goes_on = || goal.split_whitespace().count() < SHORT_WORDS;
    let first = || goes_on().then(|| begun_in(timeline)).flatten();
    let turn = open_work::listed_in(timeline, open).or_else(first);
    let request = |turn: u32| timeline.requests().rev().find(|(item, _)| item.turn == turn);
    let Some((item, message)) = turn.and_then(request) else { return before };
    let (id, text) = (turns::id(item.turn), text::plain(&message.words()).trim().to_owned());
    let says_more = text.split_whitespace().count() >= FULL_WORDS;
    let place = |id: &str| timeline.requests().position(|(item, _)| turns::id(item.turn) == id);
    let comes_after = |other: &str| place(other) > place(&id);
    let is_first = before.as_ref().is_none_or(|before| comes_after(&before.id));
    if !says_more || !is_first || !comes_after(goal_id) {
        return before;
    }
    let is_latest_done = before.as_ref().is_some_and(|before| before.is_latest_done);
    let between = before.into_iter().flat_map(|Before { id, text, between, .. }| {
        between.into_iter().chain([AskedToo::of(id, &text)])
    });
    let between = between.take(MOST_BETWEEN).collect();
    Some(Before { id, text, is_earlier: true, between, is_quoted: false, is_latest_done })
}

/// How many requests back one is looked for with which the work began.
const MOST_BACK: usize = 8;

/// Returns the turn of the first request on what the newest is on, if it is not far.
fn begun_in(timeline: &Timeline<'_>) -> Option<u32> {
    let mut requests = timeline.requests().rev();
    let newest: Vec<_> = requests.by_ref().take(MOST_BACK).collect();
    let is_new = |(item, message): &&(&Item<'_>, &Message<'_>)| {
        topic::is_new(timeline, item, text::plain(&message.words()).trim())
    };
    let first = newest.iter().find(is_new);
    let oldest = || newest.last().filter(|_| requests.next().is_none());
    first.or_else(oldest).map(|(item, _)| item.turn)
}

/// Returns the ids of the turns in which files were changed.
fn worked(timeline: &Timeline<'_>) -> HashSet<String> {
    let edits = timeline.own().filter(|done| {
        matches!(done.call.action.as_deref(), Some(Action::Edit { .. })) && done.worked()
    });
    edits.map(|done| turns::id(done.item.turn)).collect()
}

/// Whether a request names something that another one does: a word of some length.
fn names(goal: &str, other: &str) -> bool {
    let words = |text: &str| -> HashSet<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
        words.filter(|word| word.chars().count() >= NAME_CHARS).collect()
    };
    !words(goal).is_disjoint(&words(other))
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

/// Returns the words with which the session ends, or those before the step with which it ends; what broke it
/// off says nothing.
fn said_last(timeline: &Timeline<'_>) -> Option<AgentSaid> {
    let last = open_work::before_break(timeline, |_| true)?;
    let (words, item, is_needed) = match &last.body {
        Body::Message(message) if message.role == Role::Assistant => {
            (text::plain(&message.plain()), last.id.as_ref(), true)
        }
        body => match open_work::put_to_user(body) {
            Some(asked) => (text::plain(&asked), last.id.as_ref(), true),
            None => {
                let (words, item) = open_work::said_before(timeline, last)?;
                (words, item, false)
            }
        },
    };
    words.contains(char::is_alphanumeric).then(|| AgentSaid {
        id: turns::id(last.turn),
        text: text::clip(text::untagged(&open_work::read(&words)), replied::MOST_CHARS),
        item: item.to_owned(),
        is_needed,
        is_named: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_request_before_is_told_where_the_last_one_waits() {
        let said = |texts: &[&str]| -> Vec<(String, String)> {
            texts.iter().map(|text| (String::new(), (*text).to_owned())).collect()
        };
        let told = |goal: &str, waits: bool, texts: &[&str]| {
            before(goal, waits, said(texts).into_iter(), &HashSet::new()).map(|before| before.text)
        };
        let long = "word ".repeat(50);
        let all = ["do it", "write the parser now"];
        assert_eq!(told(&long, true, &all), Some("write the parser now".to_owned()));
        assert_eq!(told(&long, false, &all), None);
        assert_eq!(told("go on", false, &all), Some("write the parser now".to_owned()));
        // Where none is longer, it is the one that it goes on with.
        assert_eq!(told("fix it in another pr", false, &all), Some("do it".to_owned()));
        // A part of what was asked at length is told with all of it.
        let all = ["mend the exporter", "write the parser, the lexer and a page that tells how"];
        let found = before("continue", false, said(&all).into_iter(), &HashSet::new()).unwrap();
        assert_eq!((found.text.as_str(), found.is_earlier), (all[0], false));
        let all = ["go on with the lexer", "ok", "write the parser and a page"];
        let found = before("continue", false, said(&all).into_iter(), &HashSet::new()).unwrap();
        assert_eq!((found.text.as_str(), found.between), (all[2], Vec::new()));
        // Short orders that came between are told with it, nods are not.
        let all = [
            "go on",
            "add the login page",
            "yes",
            "compare the two libraries for dates and say which one is smaller",
        ];
        let found =
            before("make the button blue now", false, said(&all).into_iter(), &HashSet::new())
                .unwrap();
        assert_eq!((found.text.as_str(), found.is_earlier), (all[3], true));
        assert_eq!(found.between, [AskedToo::of(String::new(), all[1])]);
        // The one for which files were changed, and not a longer look at something, where the goal names it.
        let all =
            ["ok", "show the log of the last ten days, and the list", "raise the lamp version"];
        let ids = ["T-3", "T-2", "T-1"];
        let with = |goal: &str, worked: &[&str]| {
            let all = ids.iter().zip(all).map(|(id, text)| ((*id).to_owned(), text.to_owned()));
            let worked = worked.iter().map(|id| (*id).to_owned()).collect();
            before(goal, false, all, &worked).map(|before| before.id)
        };
        let goal = "first make a request for the lamp";
        assert_eq!(with(goal, &["T-1"]).as_deref(), Some("T-1"));
        assert_eq!(with(goal, &["T-1", "T-2"]).as_deref(), Some("T-2"));
        assert_eq!(with("first make a request for it", &["T-1"]).as_deref(), Some("T-2"));
        // A command of the harness is one however short, also behind a nod.
        let after = ["yes", "/apply the-list", "is the page of amounts right, and is it whole?"];
        assert_eq!(told("option two", false, &after), Some("/apply the-list".to_owned()));
    }
}
