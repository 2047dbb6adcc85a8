//! Sessions that are the same conversation: a harness that forks one, or goes on with it in a new file, may copy
//! all that was said before.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use super::Found;
use crate::error::Result;
use crate::harness::{Sink, Want};
use crate::model::{Blobs, Body, Header, Item, Origin, Text, low};

/// How many sessions are read whole to see which hold others.
pub const MOST_READ: usize = 20;

/// Keeps of `found`, newest first, those that say something of their own: not what a fork, or a session that was
/// resumed with its history, holds whole.
pub fn without_held(found: Vec<Found>) -> Vec<Found> {
    let is_kin = |one: &Found| {
        found
            .iter()
            .any(|other| !std::ptr::eq(one, other) && may_be_one(&one.header, &other.header))
    };
    let kin: Vec<usize> = (0..found.len()).filter(|at| is_kin(&found[*at])).collect();
    let read: Vec<&Found> = kin.iter().map(|at| &found[*at]).collect();
    let holders = holders(&read, None);
    let held: HashSet<usize> =
        kin.into_iter().zip(holders).filter_map(|(at, holder)| holder.map(|_| at)).collect();
    let kept = found.into_iter().enumerate().filter(|(at, _)| !held.contains(at));
    kept.map(|(_, one)| one).collect()
}

/// Returns for each of `found`, newest first, the one that holds all that was said and called in it, if there is
/// one, so that it says nothing of its own: the fullest of them, of those that hold the same the newest. Where `words`
/// are given, as [`low`] writes them, what was asked for there besides has one of them: else it may have turned to
/// something else. Where none are, the times are the same too: the same can be said twice.
pub fn holders(found: &[&Found], words: Option<&[String]>) -> Vec<Option<usize>> {
    let talk = |one: &&Found| Talk::of(one, words.is_none());
    let talks: Vec<_> = found.iter().take(MOST_READ).map(talk).collect();
    let holds = |other: usize, at: usize| match (&talks[other], &talks[at]) {
        (Some(fuller), Some(talk))
            if other != at
                && talk.is_in(fuller)
                && words.is_none_or(|words| fuller.stays_with(talk, words)) =>
        {
            other < at || !fuller.is_in(talk)
        }
        _ => false,
    };
    let is_held = |at: usize| (0..talks.len()).any(|other| holds(other, at));
    let holder = |at: usize| (0..talks.len()).find(|other| holds(*other, at) && !is_held(*other));
    (0..found.len()).map(|at| if at < talks.len() { holder(at) } else { None }).collect()
}

/// Tells whether two sessions may be the same conversation, as far as their headers tell.
pub fn may_be_one(one: &Header, other: &Header) -> bool {
    let is_parent = |of: &Header, id: &Header| of.parent.as_ref() == Some(&id.id);
    let is_same = |a: &Option<String>, b: &Option<String>| a.is_some() && a == b;
    one.harness == other.harness
        && (is_parent(one, other)
            || is_parent(other, one)
            || is_same(&one.parent, &other.parent)
            || is_same(&one.started_at, &other.started_at)
            || is_same(&one.title, &other.title))
}

/// What tells a conversation from others: the words of the user and of the agent, and the ids of calls.
#[derive(Default)]
struct Talk {
    marks: HashSet<u64>,
    /// Whether each stands with its time.
    is_timed: bool,
    /// Whether the agent said or called something: two can begin with the same request.
    has_answer: bool,
    /// What the user asked for, in small letters, each with its mark.
    requests: Vec<(u64, String)>,
}

impl Talk {
    fn of(found: &Found, is_timed: bool) -> Option<Self> {
        let want = Want { blobs: Blobs::Sized, ..Want::default() };
        let mut talk = Self { is_timed, ..Self::default() };
        let read = found.open().and_then(|input| found.harness.read(&input, want, &mut talk));
        read.is_ok().then_some(talk)
    }

    fn is_in(&self, other: &Self) -> bool {
        self.has_answer && self.marks.is_subset(&other.marks)
    }

    /// Whether nothing was asked for that is not in `other`, or something that has one of `words`.
    fn stays_with(&self, other: &Self, words: &[String]) -> bool {
        let is_more = |(mark, _): &&(u64, String)| !other.marks.contains(mark);
        let has_word = |(_, asked): &(u64, String)| words.iter().any(|word| asked.contains(word));
        let mut more = self.requests.iter().filter(is_more).peekable();
        more.peek().is_none() || more.any(has_word)
    }

    fn mark(&mut self, kind: u8, ts: Option<&str>, text: &str) -> u64 {
        let mut hasher = DefaultHasher::new();
        (kind, ts.filter(|_| self.is_timed), text).hash(&mut hasher);
        let mark = hasher.finish();
        self.marks.insert(mark);
        mark
    }
}

impl Sink for Talk {
    fn header(&mut self, _header: &Header) -> Result<()> {
        Ok(())
    }

    fn item(&mut self, item: Item<'_>) -> Result<()> {
        let ts = item.ts.as_deref();
        match &item.body {
            Body::Message(message) if message.origin == Origin::Human => {
                let words = message.words();
                let mark = self.mark(0, ts, &words);
                self.requests.push((mark, low(&words)));
            }
            Body::Message(message) if message.origin == Origin::Model => {
                self.has_answer = true;
                _ = self.mark(1, ts, &message.plain());
            }
            Body::ToolCall(call) => {
                self.has_answer = true;
                _ = self.mark(2, ts, call.call_id.as_ref());
            }
            // What came of a call, or was summed up, can be all that a session has of its own.
            Body::ToolResult(result) if self.is_timed => {
                _ = self.mark(3, ts, result.call_id.as_ref());
            }
            Body::Compaction(compaction) if self.is_timed => {
                let summary = compaction.summary.as_ref().map(Text::plain).unwrap_or_default();
                _ = self.mark(4, ts, &summary);
            }
            _ => {}
        }
        Ok(())
    }
}
