//! Sentences by which an agent says that something is not done, or leaves it to the user. Only
//! English is understood, and only forms that hardly mean anything else.

use super::failing::fails_now;
use super::lists::VERBS;
use super::missing::{is_labelled, is_missing, is_one_of_labels};
use super::sentence::{self, Sentence};
use super::waiting::depends;
use super::{ahead, asking, cues};
use crate::model::QUESTION_MARKS;

/// Phrases that say it wherever they stand.
const SAYS: &[&str] = &[
    "not yet",
    "yet to be",
    "you'll need to",
    "you will need to",
    "you'll have to",
    "you will have to",
    "you'll still need to",
    "you still need to",
    "will need a",
    "will need an",
    "will need to be",
    "still needs",
    "still need to",
    "still need a",
    "still has to",
    "still have to",
    "still must",
    "still missing",
    "still open",
    "still fail",
    "still fails",
    "still failing",
    "still broken",
    "still crash",
    "still crashes",
    "still red",
    "still uncommitted",
    "still untracked",
    "still pending",
    "still unresolved",
    "still can't",
    "still cannot",
    "still blocked",
    "remains to be",
    "remain to be",
    "remains open",
    "left to do",
    "left for you",
    "left for a follow-up",
    "as a follow-up",
    "in a follow-up",
    "next step is",
    "next steps are",
    "waiting for you",
    "waiting for your",
    "waiting on you",
    "waiting on your",
    "needs your",
];

/// Verbs before which "I have not" or "I could not" says that work is left.
const WORK: &[&str] = &[
    "run",
    "ran",
    "test",
    "tested",
    "verify",
    "verified",
    "check",
    "checked",
    "commit",
    "committed",
    "push",
    "pushed",
    "deploy",
    "deployed",
    "build",
    "built",
    "finish",
    "finished",
    "implement",
    "implemented",
    "reproduce",
    "reproduced",
    "confirm",
    "confirmed",
    "update",
    "updated",
    "measure",
    "measured",
    "execute",
    "executed",
    "complete",
    "completed",
    "publish",
    "published",
    "merge",
    "merged",
    "fix",
    "fixed",
    "opened",
    "open",
    "validate",
    "validated",
    "write",
    "written",
];

/// What the agent did not do, before such a verb.
const DID_NOT: &[&str] = &[
    "i haven't",
    "i have not",
    "i didn't",
    "i did not",
    "i couldn't",
    "i could not",
    "i was unable to",
    "i wasn't able to",
    "i was not able to",
    "hasn't been",
    "has not been",
    "haven't been",
    "have not been",
    "wasn't able to be",
    "could not be",
    "couldn't be",
    "hasn't",
    "has not",
];

/// What somebody goes to do next.
const ANNOUNCES: &[&str] =
    &["i'll", "i will", "let me", "i'm going to", "i am going to", "i need to", "i go on", "up is"];

/// What may stand before that.
const THEN: &[&str] = &["next", "now", "then"];

/// Words that end like a verb in its course and are none.
const NO_COURSE: &[&str] = &[
    "everything",
    "nothing",
    "something",
    "anything",
    "during",
    "following",
    "according",
    "regarding",
    "concerning",
    "considering",
    "depending",
    "assuming",
    "being",
    "having",
    "including",
    "excluding",
    "remaining",
    "existing",
    "missing",
    "pending",
    "outstanding",
    "finding",
    "warning",
    "using",
    "string",
    "heading",
    "setting",
    "building",
    "thing",
    "working",
    "interesting",
    "passing",
    "failing",
];

/// Returns the sentences of the agent's last words that say what is not done, each on one line.
pub(in super::super) fn unfinished(words: &str) -> Vec<String> {
    let sentences = sentence::prose(words);
    let last = sentences.len().saturating_sub(1);
    let is_left = |(at, sentence): &(usize, &Sentence)| {
        !asks(sentence)
            && !denies(sentence)
            && (says(sentence)
                || is_missing(sentence)
                || fails_now(sentence, &sentences[at + 1..])
                || is_labelled(sentence) && !is_one_of_labels(&sentences, *at)
                || (*at == last && announces(sentence)))
    };
    let found = sentences.iter().enumerate().filter(is_left);
    found.map(|(_, sentence)| sentence.text.clone()).collect()
}

/// Returns the last sentence of the agent's last words if it says what the agent goes to do: with
/// that it ended, and did not do it.
pub(in super::super) fn announced(words: &str) -> Option<String> {
    let mut all = sentence::prose(words);
    let last = all.pop()?;
    let is_up_to_user = all.last().is_some_and(asks) || depends(&last);
    (!is_up_to_user && !asks(&last) && !denies(&last) && announces(&last)).then_some(last.text)
}

/// How many words a sentence has at most that says nothing of its own beside what is announced.
const BESIDE_WORDS: usize = 3;

/// Tells whether words say what the agent goes to do, and hardly anything else.
pub(in super::super) fn only_announces(words: &str) -> bool {
    let sentences = sentence::prose(words);
    let says_it = |sentence: &Sentence| announces(sentence) || sentence.words.len() <= BESIDE_WORDS;
    sentences.last().is_some_and(announces) && sentences.iter().all(says_it)
}

/// Tells whether a sentence of words says what the agent does next, whatever comes after it.
pub(in super::super) fn goes_on(words: &str) -> bool {
    sentence::prose(words).iter().any(goes_on_with)
}

/// Tells whether a sentence says what the agent does next.
pub(super) fn goes_on_with(sentence: &Sentence) -> bool {
    promises(sentence) && !asks(sentence) && !denies(sentence) && !depends(sentence)
}

/// Tells whether a sentence asks, or speaks of what might be.
fn asks(sentence: &Sentence) -> bool {
    let supposes = ["if you", "would you", "want me", "unless you"];
    cues::is_question(sentence) && sentence.text.contains(QUESTION_MARKS)
        || supposes.iter().any(|phrase| sentence.find(phrase).is_some())
}

/// "Not a gap: the window has not opened yet" says what it is not.
fn denies(sentence: &Sentence) -> bool {
    sentence.word(0) == "not"
        && matches!(sentence.word(1), "a" | "an")
        && sentence.word(2) != "single"
}

fn says(sentence: &Sentence) -> bool {
    // A question that is open is asked, not left to be done.
    let asked = asking::has_open_question(sentence);
    SAYS.iter().any(|phrase| sentence.find(phrase).is_some() && !(asked && *phrase == "still open"))
        || not_yet(sentence)
        || did_not(sentence)
        || once_you(sentence)
        || ahead::waits_for_checks(sentence)
        || ahead::names_beside(sentence)
}

/// Words for what is not there.
const NONE: &[&str] = &["neither", "no", "none", "nothing"];
/// What is well as long as it did not come: nobody has to do it.
const UNWANTED: &[&str] = &[
    "broke",
    "broken",
    "bugs",
    "complained",
    "complaints",
    "conflicts",
    "crashed",
    "crashes",
    "error",
    "errors",
    "failed",
    "fails",
    "failures",
    "found",
    "issue",
    "issues",
    "leaked",
    "lost",
    "objected",
    "objections",
    "problems",
    "regressed",
    "regression",
    "regressions",
    "reported",
    "seen",
    "warnings",
];

/// Whether it is good to have none of something, or that it did not happen.
pub(in crate::derive) fn is_unwanted(word: &str) -> bool {
    UNWANTED.contains(&word)
}

/// "has not run yet", "isn't wired in yet", "none of them ran yet".
fn not_yet(sentence: &Sentence) -> bool {
    // What was not yet so at some time tells of that time.
    let was = ["didn't", "wasn't", "weren't", "hadn't"];
    let is_not = |word: &str| word.ends_with("n't") && !was.contains(&word) || word == "not";
    let Some(yet) = sentence.find("yet").filter(|at| *at > 0) else { return false };
    let is_worked_on = |at: usize| match sentence.word(at) {
        "built" | "done" | "ran" | "run" | "written" => true,
        word => word.ends_with("ed") && WORK.contains(&word),
    };
    // What nobody else does is often none of the work.
    let is_none = |at: usize| match sentence.word(at) {
        "nobody" => (at + 1..yet).any(is_worked_on),
        word => NONE.contains(&word),
    };
    !is_unwanted(sentence.word(yet - 1))
        && (yet.saturating_sub(8)..yet).any(|at| is_not(sentence.word(at)) || is_none(at))
}

/// "I have not run the tests".
fn did_not(sentence: &Sentence) -> bool {
    DID_NOT.iter().any(|phrase| {
        let length = phrase.split(' ').count();
        sentence.find(phrase).is_some_and(|at| {
            let after = sentence.after(at + length - 1, 2);
            after.iter().any(|word| WORK.contains(word)) && !declines(sentence, at + length)
        })
    })
}

/// Whether a reason behind a word says that it would have been wrong: what was declined is not left to be done.
fn declines(sentence: &Sentence, at: usize) -> bool {
    let reasons = ["because", "since"].iter().filter_map(|word| sentence.find(word));
    let is_wrong = |from: usize| sentence.after(from, 8).contains(&"would");
    reasons.filter(|from| *from > at).any(is_wrong)
}

/// "delete it once you are satisfied".
fn once_you(sentence: &Sentence) -> bool {
    let opens = |at: usize| at.checked_sub(1).is_none_or(|before| sentence.words[before].ends);
    let orders = |at: usize| (0..at).any(|it| VERBS.contains(&sentence.word(it)) && opens(it));
    ["once you", "once you're", "once you've", "before you merge", "before merging"]
        .iter()
        .filter_map(|phrase| sentence.find(phrase))
        .any(orders)
}

/// Verbs of which nothing is left to be done once they are said.
const IDLE: &[&str] = &[
    "explain",
    "hand",
    "hold",
    "keep",
    "know",
    "leave",
    "never",
    "not",
    "note",
    "pause",
    "recap",
    "remember",
    "stand",
    "stay",
    "stop",
    "summarise",
    "summarize",
    "wait",
];

/// Verbs of which what begins like a course is but the subject: "Formatting checks passed".
const COURSE_ENDS: &[&str] = &[
    "are",
    "can",
    "failed",
    "fails",
    "is",
    "means",
    "pass",
    "passed",
    "passes",
    "requires",
    "succeeded",
    "was",
    "were",
    "will",
    "works",
    "would",
];

/// Tells whether a sentence, the last of all, says what the agent goes to do.
fn announces(sentence: &Sentence) -> bool {
    let is_left = is_course(sentence.word(0)) && !ends_course(sentence, sentence.words.len());
    (is_left && acts(sentence)) || promises(sentence)
}

/// Whether a word is a verb in its course.
pub(super) fn is_course(word: &str) -> bool {
    word.len() > 5 && word.ends_with("ing") && !NO_COURSE.contains(&word)
}

/// Whether a verb among the first words of a sentence says that what begins like a course is but the subject.
pub(super) fn ends_course(sentence: &Sentence, count: usize) -> bool {
    sentence.words.iter().take(count).any(|word| COURSE_ENDS.contains(&word.low.as_str()))
}

/// Tells whether a sentence says in so many words that the agent goes to do something.
fn promises(sentence: &Sentence) -> bool {
    let at = usize::from(THEN.contains(&sentence.word(0)));
    ANNOUNCES.iter().any(|phrase| sentence.begins_at(at, phrase)) && acts(sentence)
}

/// Tells whether a sentence names more than that something is left alone, or was told.
fn acts(sentence: &Sentence) -> bool {
    sentence.words.len() > 2 && !IDLE.iter().any(|verb| sentence.find(verb).is_some())
}

#[cfg(test)]
mod tests {
    use super::{announced, unfinished};

    #[test]
    fn what_was_announced_last_was_not_done() {
        for text in ["Fine. Retrying `git add a`, then `git status`.", "Let me look at the CSS."] {
            assert!(announced(text).is_some(), "{text}");
        }
        for text in [
            "The suite hasn't run yet.",
            "Let me know.",
            "I'll leave the rest to you.",
            "I'll stop here.",
            "Let me see if it works. It does.",
            "Let me fix it?",
            "Let me summarize: all tests pass and the fix is pushed.",
            "I'll remember that for next time.",
            "I will not touch it.",
            "Formatting and other checks passed.",
            "Which one do you want? I'll write it down and we can go on.",
            "I'll move it to the new version after this deploys.",
            "I'll report when it settles.",
        ] {
            assert_eq!(announced(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_not_done_is_told_from_what_is() {
        let open = [
            "The suite hasn't run yet.",
            "Not a single test has run yet.",
            "Nothing has been pushed yet.",
            "None of the docs are updated yet.",
            "Nothing is wired up yet.",
            "None of the callers use it yet.",
            "Neither of the files is moved yet.",
            "None of the failed tests are mended yet.",
            "No test covers it yet.",
            "You'll need to set the key by hand.",
            "The new folder is still untracked.",
            "I have not run the integration tests.",
            "Three warnings I did not fix, because the linter is not installed.",
            "I did not write the docs.",
            "The build fails on Windows.",
            "Two of the tests are red in CI.",
            "The attic is painted. Next up is the bell.",
            "The old branch is kept — delete it once you're sure.",
            "The merge will need a rebase.",
            "All is ready. Retrying the upload, then the check.",
            "Now let me update the call sites:",
            "It is in place. Next I'm going to run the same audit.",
            "Es ist noch nicht fertig.",
            "아직 끝나지 않았습니다.",
        ];
        for text in open {
            assert_eq!(unfinished(text).len(), 1, "{text}");
        }
        let done = [
            "All tests pass.",
            "I didn't touch the other files.",
            "Is it not there yet?",
            "If you want it, you'll need to ask.",
            "Running it is fast.",
            "Let me know how it goes.",
            "The test no longer fails.",
            "The check fails when a page is missing.",
            "The tests fail without the change.",
            "The build fails on Windows. Fixed by a second path.",
            "It fails with a message that names the file.",
            "CI fails the build on warnings from now on.",
            "The check fails fast on bad input.",
            "Verified: the test fails on the unpatched version.",
            "The tests fail as expected.",
            "The health check fails over to the second host.",
            "No test fails.",
            "The tests fail on main, too, and pass here.",
            "Also resolved: the workflow didn't exist yet.",
            "Not a gap in the code: the window hasn't opened yet.",
            "Three warnings I did not fix, because each would hide an error.",
            "My two questions from before are still open.",
            "Nothing has failed yet.",
            "No errors yet.",
            "No one has complained yet.",
            "It has not crashed yet.",
            "None of the reviewers has objected yet.",
            "Nobody else uses it yet, so I renamed it.",
        ];
        for text in done {
            assert_eq!(unfinished(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn what_was_only_announced_is_told_from_what_was_found() {
        for words in
            ["Pushed. Let me confirm it landed.", "Now I'll run the tests.", "Checking the docs:"]
        {
            assert!(super::only_announces(words), "{words}");
        }
        for words in ["The lock is held by the old process. Let me free it.", "All is well.", ""] {
            assert!(!super::only_announces(words), "{words}");
        }
    }
}
