//! Requests that ask for no other work than the one at hand.

use std::borrow::Cow;

use super::timeline::Timeline;
use super::{replied, text, topic, words};
use crate::model::{Item, Message, QUESTION_MARKS, is_command, only_goes_on};

/// A request, with the item that holds it.
type Request<'r> = (&'r Item<'r>, &'r Message<'r>);

/// How a request of a word or two begins that asks for no other work.
const OF_THE_WORK: &[&str] = &[
    "again", "commit", "good", "great", "lgtm", "looks", "merge", "nice", "perfect", "push",
    "retry", "ship", "skip", "still", "stop", "thank", "thanks", "try", "wait",
];

/// Whether a request only agrees, says to go on, or answers in a word or two what the agent asked: the first one does
/// not, and a command of the harness asks for something, however few words it has.
pub(super) fn only_nods(timeline: &Timeline<'_>, request: Request<'_>) -> bool {
    let words = request.1.words();
    if !topic::is_nod(&words) || is_command(&words) {
        return false;
    }
    let is_first = || timeline.requests().next().is_some_and(|(first, _)| first.id == request.0.id);
    let first = words.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let is_of_work = words::begins_with_assent(&words)
        || only_goes_on(&words)
        || OF_THE_WORK.contains(&first.to_lowercase().as_str());
    !is_first() && (is_of_work || is_asked(timeline, request.0))
}

/// How many words an answer has at most that asks for nothing new.
const ANSWER_WORDS: usize = 6;

/// Whether a request only nods, or answers in a few words what the agent had asked and orders nothing; whoever lets the
/// agent do what it asked to do orders that.
pub(super) fn goes_along(timeline: &Timeline<'_>, request: Request<'_>) -> bool {
    let answers = || {
        let words = request.1.words();
        // In another script nobody knows here what is ordered.
        let is_known = !words.contains(|c: char| c.is_alphabetic() && !c.is_ascii());
        is_known
            && words::is_english(&words)
            && text::word_count(&words) <= ANSWER_WORDS
            && !words.contains('?')
            && !words::orders_work(&words)
            && is_asked(timeline, request.0)
    };
    let is_let = || said(timeline, request.0).is_some_and(|it| words::asks_to_be_let(&it));
    (only_nods(timeline, request) || answers()) && !is_let()
}

/// Whether the agent had asked something with what it said last before a request.
fn is_asked(timeline: &Timeline<'_>, request: &Item<'_>) -> bool {
    said(timeline, request).is_some_and(|it| it.contains(QUESTION_MARKS) || words::asks_user(&it))
}

/// Returns what the agent said last before a request.
fn said<'t>(timeline: &'t Timeline<'_>, request: &Item<'_>) -> Option<Cow<'t, str>> {
    Some(replied::said_before(timeline, request)?.1.plain())
}
