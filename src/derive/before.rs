//! The requests that the current one is understood by.

use std::collections::HashSet;

use serde::Serialize;

use super::asked_too::{self, AskedToo};
use super::open_work::{self, Work};
use super::timeline::Timeline;
use super::{text, topic, turns};
use crate::model::{Action, Item, Message, is_command};

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
    /// Whether it is told beside a newer one, as that with which the work began.
    #[serde(skip)]
    pub is_first: bool,
}

impl Before {
    /// Whether a request is told here.
    pub(super) fn tells(&self, other: &AskedToo) -> bool {
        let is_it = |one: &AskedToo| one.id == other.id || one.text == other.text;
        is_it(&AskedToo::of(self.id.clone(), &self.text)) || self.between.iter().any(is_it)
    }
}

/// How many of the one before, and how many of those a pack always shows.
pub(super) const BEFORE_CHARS: [usize; 2] = [1400, 320];
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

/// Finds what the current request is understood by: the one before, if it goes on with that, and the one with which
/// the work began. `requests` are those before the current one, newest first; the text is not cut yet.
pub(super) fn of(
    timeline: &Timeline<'_>,
    open: &[Work],
    (goal_id, goal): (&str, &str),
    waits: bool,
    requests: impl Iterator<Item = (String, String)>,
) -> Option<Before> {
    let worked = worked(timeline);
    let before = before(goal, waits, requests, &worked);
    with_first(timeline, open, (goal_id, goal), &worked, before)
}

/// A request: its id and its words.
type Request = (String, String);

/// Finds the request before, if the current one goes on with it: a short word in between goes on with
/// what was asked at length; where nothing was done yet, all that was done was done for the one
/// before. `requests` are those before the current one, newest first; the text is not cut yet.
fn before(
    goal: &str,
    waits: bool,
    mut requests: impl Iterator<Item = Request>,
    worked: &HashSet<String>,
) -> Option<Before> {
    if !waits && count(goal) >= SHORT_WORDS {
        return None;
    }
    let least = if waits { NOD_WORDS } else { FULL_WORDS.min(2 * count(goal)) };
    let mut first = requests.next()?;
    let mut between = Vec::new();
    if !waits && topic::is_nod(goal) {
        while goes_on(&first.1) {
            let Some(next) = requests.next() else { break };
            between.push(std::mem::replace(&mut first, next));
        }
    }
    let is_meant = count(&first.1) >= least || is_command(&first.1);
    let longer = if is_meant { None } else { longer(goal, least, &first, requests, worked) };
    let is_earlier = longer.is_some() || !between.is_empty();
    let (id, text) = match longer {
        Some((passed, longer)) => {
            between.extend(passed);
            longer
        }
        None => first,
    };
    // What only nods asks for nothing.
    between.retain(|(_, words)| count(words) >= NOD_WORDS && !nods(words));
    between.truncate(MOST_BETWEEN);
    let between = between.into_iter().map(|(id, words)| AskedToo::of(id, &words)).collect();
    Some(Before {
        id,
        text,
        is_earlier,
        between,
        is_quoted: false,
        is_latest_done: waits,
        is_first: false,
    })
}

/// Finds the request of at least so many words that is meant by a goal behind a `first` one that says too little;
/// with it those that were passed over.
fn longer(
    goal: &str,
    least: usize,
    first: &Request,
    requests: impl Iterator<Item = Request>,
    worked: &HashSet<String>,
) -> Option<(Vec<Request>, Request)> {
    // A command of the harness says at once what is meant. In most other scripts few words say much.
    let is_dense = !first.1.is_ascii();
    let is_it = |(_, words): &Request| count(words) >= least || !is_dense && is_command(words);
    let mut all: Vec<_> = std::iter::once(first.clone()).chain(requests).collect();
    let long = all.iter().skip(1).position(is_it)? + 1;
    // Where the work was done for another one that the current one names, that one is meant.
    let is_idle = |(id, words): &Request| !worked.contains(id) && !is_command(words);
    let is_named = |(id, words): &Request| {
        worked.contains(id) && count(words) >= NOD_WORDS && !nods(words) && names(goal, words)
    };
    let older = || all.iter().skip(long).position(is_named).map(|more| long + more);
    let at = if is_idle(all.get(long)?) { older().unwrap_or(long) } else { long };
    all.truncate(at + 1);
    all.pop().map(|longer| (all, longer))
}

fn count(words: &str) -> usize {
    words.split_whitespace().count()
}

/// Whether a request only says to go on: what only goes on may do so with a part of what was asked.
fn goes_on(words: &str) -> bool {
    let says = || ["go ahead", "go on", "keep going"].contains(&words.to_lowercase().as_str());
    !is_command(words) && if count(words) == 2 { says() } else { topic::is_nod(words) }
}

/// Whether a request agrees to something, whatever it says besides.
fn nods(words: &str) -> bool {
    topic::is_nod(words) || topic::begins_with_praise(words)
}

/// Puts the request with which the work began before a short one that came after it: the one for which the list of
/// work was made that is open, else the first for which files were changed, of those on what the current one goes on
/// with. Whatever is longer than a line says more of what is to be done now, and keeps its place.
fn with_first(
    timeline: &Timeline<'_>,
    open: &[Work],
    (goal_id, goal): (&str, &str),
    worked: &HashSet<String>,
    before: Option<Before>,
) -> Option<Before> {
    if goal.split_whitespace().count() >= SHORT_WORDS {
        return before;
    }
    let request = |turn: u32| {
        let (item, message) = timeline.requests().rev().find(|(item, _)| item.turn == turn)?;
        let text = text::plain(&message.words()).trim().to_owned();
        let says_more = text.split_whitespace().count() >= FULL_WORDS;
        says_more.then(|| (turns::id(item.turn), text))
    };
    let begun = || begun_in(timeline, worked).filter(|_| worked.contains(goal_id));
    let listed = open_work::listed_in(timeline, open).and_then(request);
    let Some((id, text)) = listed.or_else(|| begun().and_then(request)) else { return before };
    let place = |id: &str| timeline.requests().position(|(item, _)| turns::id(item.turn) == id);
    let comes_after = |other: &str| place(other) > place(&id);
    let gives_way = |before: &Before| {
        let is_line = before.text.chars().count() <= asked_too::TOLD_CHARS;
        comes_after(&before.id) && is_line && !before.is_latest_done && before.text != text
    };
    if !before.as_ref().is_none_or(gives_way) || !comes_after(goal_id) {
        return before;
    }
    let between = before.into_iter().flat_map(|Before { id, text, between, .. }| {
        between.into_iter().chain([AskedToo::of(id, &text)])
    });
    let between = between.take(MOST_BETWEEN).collect();
    Some(Before {
        id,
        text,
        is_earlier: true,
        between,
        is_quoted: false,
        is_latest_done: false,
        is_first: true,
    })
}

/// How many requests back one is looked for with which the work began.
const MOST_BACK: usize = 8;

/// Returns the turn of the first request on what the newest is on, if it is not far and files were changed for it.
fn begun_in(timeline: &Timeline<'_>, worked: &HashSet<String>) -> Option<u32> {
    let mut requests = timeline.requests().rev();
    let newest: Vec<_> = requests.by_ref().take(MOST_BACK).collect();
    let is_new = |(item, message): &&(&Item<'_>, &Message<'_>)| {
        topic::is_new(timeline, item, text::plain(&message.words()).trim())
    };
    let first = newest.iter().find(is_new);
    let oldest = || newest.last().filter(|_| requests.next().is_none());
    let turn = first.or_else(oldest).map(|(item, _)| item.turn)?;
    worked.contains(&turns::id(turn)).then_some(turn)
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
