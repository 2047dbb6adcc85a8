//! What a command or a skill says that was called for the work, by the text that the harness put in for it: in
//! another harness its bare name says nothing.

use serde::Serialize;

use super::ended::Ends;
use super::fact::{Fact, FactKind};
use super::now::Now;
use super::timeline::Timeline;
use super::{Trust, nods, text, turns, words};
use crate::model::{Body, Item, Message, Origin};

/// How many characters are told of what it is for.
const ABOUT_CHARS: usize = 160;
/// How many of the sentences are told that bind the work: of the first that holds, and of another.
const MOST_RULES: [usize; 2] = [3, 2];
/// How much the first of them weighs, and each other, beside what the user said: nobody typed them, and in a small
/// pack each takes the place of what the work itself needs.
const FIRST: f64 = 0.25;
const LATER: f64 = 0.15;

/// A command or a skill that was called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Called {
    /// As it was called, such as `/fix`.
    pub name: String,
    /// The turn in which it was.
    pub id: String,
    /// What it is for, in the words with which its text begins.
    pub about: String,
}

/// A text that the harness put in.
struct Put<'t> {
    name: &'t str,
    item: &'t Item<'static>,
    /// Whether the user called it, not the agent.
    by_user: bool,
    text: String,
}

/// Puts into the card what the commands and skills are for that were called for its requests; returns what those say
/// that hold now.
pub(super) fn take_in(timeline: &Timeline<'_>, now: &mut Now) -> Vec<Fact> {
    let all = puts(timeline);
    if all.is_empty() {
        return Vec::new();
    }
    let holding = holding(timeline, &all);
    let before = now.goal_before.as_ref().filter(|before| !before.is_quoted);
    let before = before.and_then(|before| {
        all.iter().rfind(|put| put.by_user && turns::id(put.item.turn) == before.id)
    });
    let before = before.filter(|put| holding.iter().all(|one| one.name != put.name));
    now.called = holding.iter().copied().chain(before).filter_map(called).collect();
    let mut told: Vec<String> = now.called.iter().map(|called| called.about.clone()).collect();
    told.push(now.goal.clone());
    let mut found = Vec::new();
    for (put, most) in holding.into_iter().zip(MOST_RULES) {
        let is_new = |rule: &String| !told.iter().any(|text| text.contains(rule.as_str()));
        let rules: Vec<_> =
            words::orders(&put.text).into_iter().filter(is_new).take(most).collect();
        let is_told_more = has_own_words(timeline, put);
        found.extend(rules.iter().map(|rule| fact(put, rule, is_told_more)));
        told.extend(rules);
    }
    for (rule, weight) in
        found.iter_mut().zip(std::iter::once(FIRST).chain(std::iter::repeat(LATER)))
    {
        rule.weight = weight;
    }
    found
}

/// Returns all such texts that can be read, in order.
fn puts<'t>(timeline: &'t Timeline<'_>) -> Vec<Put<'t>> {
    let put = |item: &&'t Item<'static>| {
        let Body::Message(message) = &item.body else { return None };
        let name = message.called.as_deref()?;
        let plain = text::plain(&message.plain());
        let text = text::untagged(&plain).to_owned();
        let by_user = message.origin != Origin::Harness || name.starts_with('$');
        words::is_english(&text).then_some(Put { name, item, by_user, text })
    };
    timeline.until_farewell().iter().filter_map(put).collect()
}

/// Returns those that hold now: of the last request for which something was called the last that the user called, and
/// the last that the agent called then. What comes after the agent's end and does more than to go along with it ends
/// that, and so does a command that calls nothing.
fn holding<'p, 't>(timeline: &Timeline<'_>, all: &'p [Put<'t>]) -> Vec<&'p Put<'t>> {
    let (mut ends, mut later) = (Ends::default(), Vec::new());
    for item in timeline.until_farewell().iter().rev() {
        if ends.at(item) && later.drain(..).any(|it| !nods::goes_along(timeline, it)) {
            break;
        }
        let Some(message) = request(item) else { continue };
        let since: Vec<_> = all.iter().filter(|put| put.item.line >= item.line).collect();
        if !since.is_empty() {
            let last = |by_user: bool| since.iter().rfind(|put| put.by_user == by_user).copied();
            return last(true).into_iter().chain(last(false)).collect();
        }
        if message.command().is_some() {
            break;
        }
        later.push((*item, message));
    }
    Vec::new()
}

fn request<'t>(item: &'t Item<'static>) -> Option<&'t Message<'static>> {
    match &item.body {
        Body::Message(message) if message.origin == Origin::Human => Some(message),
        _ => None,
    }
}

fn called(put: &Put<'_>) -> Option<Called> {
    let about = words::purpose(&put.text, ABOUT_CHARS)?;
    Some(Called { name: put.name.to_owned(), id: turns::id(put.item.turn), about })
}

/// From so many words on that are none of a path or an option the user said something to a command, and gave it more
/// than a name; of a language that does not part its words from so many characters on.
const OWN_WORDS: usize = 4;
const OWN_CHARS: usize = 8;

/// Whether the user said something of their own where they called for it: that comes before its text.
fn has_own_words(timeline: &Timeline<'_>, put: &Put<'_>) -> bool {
    let asked = timeline.requests().rfind(|(item, _)| item.line <= put.item.line);
    let Some((_, message)) = asked else { return false };
    let words = message.words();
    let typed = words.trim_start();
    let rest = typed.split_once(char::is_whitespace).filter(|_| typed.starts_with(['/', '$']));
    let rest = rest.map_or("", |(_, rest)| rest);
    let is_word = |word: &&str| {
        word.trim_end_matches([',', '.', '!', ';', ':']).chars().all(char::is_alphabetic)
    };
    let unparted = rest.chars().filter(|c| *c >= '\u{2e80}').count();
    rest.split_whitespace().filter(is_word).count() >= OWN_WORDS || unparted >= OWN_CHARS
}

fn fact(put: &Put<'_>, rule: &str, is_told_more: bool) -> Fact {
    let place = (put.item.turn, put.item.id.as_ref());
    let unless = if is_told_more { ", unless the user's words say otherwise" } else { "" };
    Fact::new(FactKind::Constraint, Trust::A, format!("By {}{unless}: {rule}", put.name), place)
}
