//! What the agent said of a check that fails.

use crate::derive::outcomes::{Ended, Outcomes, Run};
use crate::derive::text;
use crate::derive::timeline::Timeline;
use crate::derive::words;
use crate::model::{Body, Origin};

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
const OF_CHECKS: &[&str] =
    &["fail", "error", "test", "check", "lint", "warning", "build", "flak", "format"];
/// How many messages after the run can still speak of it.
const NEAR: usize = 8;
/// How many characters of the sentence are told.
const MOST_CHARS: usize = 200;

/// Returns the sentence by which the agent said, soon after a check failed, that this does not come from
/// its work: a claim, which mends nothing. It holds for later runs in which no more failed.
pub(super) fn judged(timeline: &Timeline<'_>, outcomes: &Outcomes, last: &Run) -> Option<String> {
    let same = outcomes.runs.iter().rev().filter(|run| run.command == last.command);
    let failed = same.take_while(|run| run.ended == Ended::Failed && run.failed >= last.failed);
    failed.take(NEAR).find_map(|run| after(timeline, run))
}

fn after(timeline: &Timeline<'_>, run: &Run) -> Option<String> {
    let over = timeline.done().find(|done| done.index == run.over)?;
    let from = timeline.items.iter().position(|item| std::ptr::eq(*item, over.item))?;
    let said = timeline.items[from..].iter().filter_map(|item| match &item.body {
        Body::Message(message) if message.origin == Origin::Model => {
            Some(text::plain(&message.plain()))
        }
        _ => None,
    });
    said.take(NEAR).find_map(|words| sentence(&words))
}

fn sentence(words: &str) -> Option<String> {
    let sentences = words.lines().flat_map(words::sentences);
    let says = |sentence: &&str| {
        let low = sentence.to_lowercase();
        let has = |cues: &[&str]| cues.iter().any(|cue| low.contains(cue));
        // What asks, or only looks whether it is so, says nothing yet.
        let is_open = ["?", "whether", "check if", "see if", "not pre-existing", "let me"];
        has(NOT_OURS) && has(OF_CHECKS) && !has(&is_open)
    };
    let bare = |sentence: &str| {
        text::line(
            sentence.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '`'),
            MOST_CHARS,
        )
    };
    sentences.into_iter().find(says).map(bare)
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
        ] {
            assert_eq!(told(words), None, "{words}");
        }
    }
}
