//! What the agent said of a check that fails.

use crate::derive::outcomes::{Ended, Outcomes, Run};
use crate::derive::text;
use crate::derive::timeline::Timeline;
use crate::derive::words;
use crate::model::{Body, Item, Origin};

/// How an agent says that a failure does not come from its work.
const NOT_OURS: &[&str] = &[
    "pre-existing",
    "preexisting",
    "already failing",
    "already failed",
    "already broken",
    "fails on main",
    "fails on master",
    "failing on main",
    "failing on master",
    "fail without",
    "fails without",
    "unrelated",
    "not related to",
    "not caused by",
    "not from my",
    "not from our",
    "flaky",
    "flake",
];
/// What such a sentence speaks of.
const FAILS: &[&str] = &["fail", "error", "flak"];
/// By which a sentence says something else with the same words.
const OTHERWISE: &[&str] = &[
    "?",
    "whether",
    "check if",
    "see if",
    "if this",
    "if it",
    "if the",
    "if these",
    "let me",
    "first thought",
    "my change",
    "our change",
    "not a pre",
    "not pre",
    "not unrelated",
    "not flaky",
    "not a flak",
    "isn't",
    "aren't",
];
/// How many messages after the run can still speak of it.
const NEAR: usize = 8;
/// How many characters of the sentence are told.
const MOST_CHARS: usize = 200;

/// Returns the sentence by which the agent said, soon after a check failed, that this does not come from
/// its work: a claim, which mends nothing. It holds for later runs in which no more failed. Of a check that
/// fails alone, as `is_alone` says, the agent's last words can speak, too.
pub(super) fn judged(
    timeline: &Timeline<'_>,
    outcomes: &Outcomes,
    last: &Run,
    is_alone: bool,
) -> Option<String> {
    let same = outcomes.runs.iter().rev().filter(|run| run.command == last.command);
    let failed = same.take_while(|run| run.ended == Ended::Failed && run.failed >= last.failed);
    let near = failed.take(NEAR).find_map(|run| after(timeline, outcomes, run));
    near.or_else(|| said_last(timeline, last).filter(|_| is_alone))
}

/// Returns what the agent's last words say of a run.
fn said_last(timeline: &Timeline<'_>, run: &Run) -> Option<String> {
    let later = &timeline.items[place_of(timeline, run.over)?..];
    sentence(&later.iter().rev().find_map(|item| said(item))?)
}

/// Returns where the call `index` stands.
fn place_of(timeline: &Timeline<'_>, index: usize) -> Option<usize> {
    let done = timeline.done().nth(index)?;
    timeline.items.iter().position(|item| std::ptr::eq(*item, done.item))
}

/// Returns what the agent says in an item.
fn said(item: &Item<'_>) -> Option<String> {
    match &item.body {
        Body::Message(message) if message.origin == Origin::Model => {
            Some(text::plain(&message.plain()))
        }
        _ => None,
    }
}

/// Returns what was said of a run before the next check ran.
fn after(timeline: &Timeline<'_>, outcomes: &Outcomes, run: &Run) -> Option<String> {
    let from = place_of(timeline, run.over)?;
    // One that only looks closer at the same is of the same kind.
    let is_other =
        |later: &&Run| later.is_check && later.began > run.over && later.family != run.family;
    let next =
        outcomes.runs.iter().find(is_other).and_then(|later| place_of(timeline, later.began));
    let to = next.unwrap_or(timeline.items.len()).max(from);
    let said = timeline.items[from..to].iter().filter_map(|item| said(item));
    said.take(NEAR).find_map(|words| sentence(&words))
}

fn sentence(words: &str) -> Option<String> {
    let sentences = words.lines().flat_map(words::sentences);
    let says = |sentence: &&str| {
        let low = sentence.to_lowercase().replace('*', "");
        let has = |cues: &[&str]| cues.iter().any(|cue| low.contains(cue));
        has(NOT_OURS) && has(FAILS) && !has(OTHERWISE)
    };
    let is_mark = |c: char| !c.is_alphanumeric() && c != '`';
    let told = sentences.into_iter().find(says)?;
    Some(text::line(told.trim_start_matches(is_mark), MOST_CHARS))
}

#[cfg(test)]
mod tests {
    use super::sentence;

    #[test]
    fn what_is_told_of_a_failure_is_told_from_what_asks_for_it() {
        let told = |words: &str| sentence(words);
        assert_eq!(
            told("Done. - The two lint errors are pre-existing, so I left them. Next!").as_deref(),
            Some("The two lint errors are pre-existing, so I left them.")
        );
        for words in [
            "Let me see if these failures are pre-existing.",
            "Are the failures unrelated?",
            "That table is unrelated to this one.",
            "I checked whether the failure fails on main too.",
            "This failure is not **a** pre-existing one: my change broke the test.",
            "These failures are not unrelated.",
            "I first thought the test is flaky, but it fails for another reason.",
            "If this test fails on main as well, I will skip it.",
            "I also removed an unrelated build script.",
            "I committed the unrelated formatting fixes separately.",
        ] {
            assert_eq!(told(words), None, "{words}");
        }
    }
}
