//! What the agent said of a check that fails.

use crate::derive::outcomes::{Ended, Outcomes, Run};
use crate::derive::timeline::Timeline;
use crate::derive::{place, text, words};
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
/// By which it says that what it speaks of stays as it is.
const LEAVES: &[&str] = &[
    "leave it",
    "leave them",
    "leave that",
    "leave this",
    "leave these",
    "leave those",
    "left it",
    "left them",
    "left alone",
    "leaving it",
    "leaving them",
    "leaving that",
    "leaving those",
];
/// By which a sentence says that something was mended or is to be, or speaks of more than a failure.
const MENDS: &[&str] = &[
    "broke", "fix", "fixed", "fixes", "fixing", "handled", "handling", "i'll", "mend", "mended",
    "message", "messages", "must", "need", "needs", "now", "repair", "repaired", "retried",
    "should", "we'll", "will",
];
/// Words of commands that name no check.
const COMMON: &[&str] = &[
    "all", "cargo", "check", "error", "errors", "exec", "fail", "failed", "main", "make", "node",
    "python", "python3", "run", "src", "test", "tests", "the", "this",
];
/// How many messages after the run can still speak of it.
const NEAR: usize = 8;
/// How many characters of the sentence are told.
const MOST_CHARS: usize = 200;

/// What the agent said of a check that fails.
pub(super) struct Claim {
    pub words: String,
    /// Whether that sets the check aside: it is all that was said at once, or names the check, and says
    /// nothing of mending.
    pub sets_aside: bool,
}

/// Returns the sentence by which the agent said, soon after a check failed, that this does not come from
/// its work: a claim, which mends nothing. It holds for later runs in which no more failed. Of a check that
/// fails alone, as `is_alone` says, the agent's last words can speak, too, where they name it.
pub(super) fn judged(
    timeline: &Timeline<'_>,
    outcomes: &Outcomes,
    last: &Run,
    is_alone: bool,
) -> Option<Claim> {
    let same = outcomes.runs.iter().rev().filter(|run| run.command == last.command);
    let failed = same.take_while(|run| run.ended == Ended::Failed && run.failed >= last.failed);
    let near = failed.take(NEAR).find_map(|run| after(timeline, outcomes, run));
    near.or_else(|| said_last(timeline, last).filter(|_| is_alone))
}

/// Returns what the agent's last words say of a run that they name.
fn said_last(timeline: &Timeline<'_>, run: &Run) -> Option<Claim> {
    let later = &timeline.items[place_of(timeline, run.over)?..];
    let words = sentence(&later.iter().rev().find_map(|item| said(item))?)?;
    let sets_aside = !mends(&words);
    names(&words, run).then_some(Claim { words, sets_aside })
}

/// Whether a sentence says that something was mended, or is to be.
fn mends(sentence: &str) -> bool {
    let low = sentence.to_lowercase().replace('’', "'");
    let low = low.replace("i'll leave", "leave").replace("will leave", "leave");
    let mut words = low.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '-'));
    words.any(|word| MENDS.contains(&word))
}

/// Whether a sentence names what failed in a run, or its command.
fn names(sentence: &str, run: &Run) -> bool {
    let low = sentence.to_lowercase();
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let has = |name: &str| {
        let name = name.to_lowercase();
        low.match_indices(&name).any(|(at, _)| {
            !low[..at].ends_with(is_part) && !low[at + name.len()..].starts_with(is_part)
        })
    };
    let tells = |word: &str| word.len() > 2 && !COMMON.contains(&word.to_lowercase().as_str());
    let is_named = |id: &str| {
        let last = id.rsplit([':', '>', '›']).next().unwrap_or(id).trim();
        has(id) || (tells(last) && has(last))
    };
    // Of a path its name without the ending.
    let stem = |word: &str| {
        let name = place::name(word);
        name.split('.').next().unwrap_or(name).to_owned()
    };
    let plain = run.command.split_whitespace().filter(|word| !word.starts_with('-'));
    let stems: Vec<String> = plain.map(stem).collect();
    has(&run.command)
        || run.failing.iter().any(|one| is_named(&one.id))
        || stems.iter().any(|word| tells(word) && has(word))
}

/// Returns where the call `index` stands.
fn place_of(timeline: &Timeline<'_>, index: usize) -> Option<usize> {
    timeline.place_of(&timeline.done().nth(index)?)
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
fn after(timeline: &Timeline<'_>, outcomes: &Outcomes, run: &Run) -> Option<Claim> {
    let from = place_of(timeline, run.over)?;
    // One that only looks closer at the same is of the same kind.
    let is_other =
        |later: &&Run| later.is_check && later.began > run.over && later.family != run.family;
    let next =
        outcomes.runs.iter().find(is_other).and_then(|later| place_of(timeline, later.began));
    let to = next.unwrap_or(timeline.items.len()).max(from);
    let compared = compared(timeline, outcomes, run);
    let said = timeline.items[from..to].iter().filter_map(|item| Some((item.line, said(item)?)));
    said.take(NEAR).enumerate().find_map(|(at, (line, words))| {
        // What is said after another run of the same, to compare, is said of both.
        let of_both = compared.is_some_and(|compared| line > compared);
        let words = sentence(&words).or_else(|| left_alone(&words).filter(|_| of_both))?;
        let sets_aside = !mends(&words) && (at == 0 || of_both || names(&words, run));
        Some(Claim { words, sets_aside })
    })
}

/// Returns on which line of the session the same program ran, after `run`, on something else or without the
/// changes: to see whether what failed comes from these.
fn compared(timeline: &Timeline<'_>, outcomes: &Outcomes, run: &Run) -> Option<u64> {
    let mut later = timeline.done().skip(run.over);
    let aside = later.find(|done| {
        outcomes.aside.reaches(done)
            && timeline.parts(done).iter().any(|part| run.is_of_program(part))
    });
    let is_of_others = |later: &&Run| {
        later.began > run.over && later.is_of_one_program(run) && outcomes.looks_at_others(later)
    };
    let others = outcomes.runs.iter().find(is_of_others);
    let others = others.and_then(|later| timeline.done().nth(later.began));
    aside.into_iter().chain(others).map(|done| done.item.line).min()
}

/// Returns the sentence that begins with whose work something is not, and says that it stays as it is.
fn left_alone(words: &str) -> Option<String> {
    let says = |low: &str| {
        let has = |text: &str, cues: &[&str]| cues.iter().any(|cue| text.contains(cue));
        let head = low.split(['—', '–', ',', ';', ':']).next().unwrap_or(low);
        has(head, NOT_OURS) && !has(head, OTHERWISE) && has(low, LEAVES)
    };
    found(words, says)
}

fn sentence(words: &str) -> Option<String> {
    let says = |low: &str| {
        let has = |cues: &[&str]| cues.iter().any(|cue| low.contains(cue));
        has(NOT_OURS) && has(FAILS) && !has(OTHERWISE)
    };
    found(words, says)
}

/// Returns the first sentence of which `says` holds, in lower case, as it is told.
fn found(words: &str, says: impl Fn(&str) -> bool) -> Option<String> {
    let mut sentences = words.lines().flat_map(words::sentences);
    let says = |sentence: &&str| says(&sentence.to_lowercase().replace('*', "").replace('’', "'"));
    let is_mark = |c: char| !c.is_alphanumeric() && c != '`';
    let told = sentences.find(says)?;
    Some(text::line(told.trim_start_matches(is_mark), MOST_CHARS))
}

#[cfg(test)]
mod tests {
    use super::{left_alone, mends, sentence};

    #[test]
    fn what_stays_as_it_is_is_told_by_what_it_begins_with() {
        for words in [
            "Pre-existing in all pages — they aren't formatted here, so I'll leave them alone.",
            "Those are unrelated, and left alone.",
        ] {
            let told = left_alone(words);
            assert_eq!(told.as_deref(), Some(words));
            assert!(!mends(words), "{words}");
        }
        for words in [
            "The page isn't pre-existing, so leave it out.",
            "I moved the page, and I'll leave it as it is: the others are pre-existing.",
            "Pre-existing in all pages.",
        ] {
            assert_eq!(left_alone(words), None, "{words}");
        }
    }

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

    #[test]
    fn who_mends_a_failure_does_not_set_it_aside() {
        for words in [
            "I also fixed an unrelated error message.",
            "The flaky network error handling is now retried three times.",
            "The failure was unrelated to the cache: I broke the parser, and will mend it.",
            "The old test was already failing; I fixed that failure too, and now must fix a::b.",
        ] {
            assert!(mends(words), "{words}");
        }
        assert!(!mends("The page test fails for an unrelated reason: this machine has no fonts."));
        assert!(!mends("The two lint errors are pre-existing, so I left them."));
    }
}
