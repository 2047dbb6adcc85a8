//! What lies ahead by the agent's last words, without a word that it is not done: what must come before a
//! merge, a fix that it names, checks elsewhere that it waits for, what it found beside the work.

use super::foreign;
use super::lists::VERBS;
use super::sentence::{self, Sentence, Word};

/// What other work must come before.
const BEFORE: &[&str] = &[
    "before deploying",
    "before going live",
    "before it merges",
    "before landing",
    "before merge",
    "before merging",
    "before publishing",
    "before release",
    "before releasing",
    "before shipping",
    "before the deploy",
    "before the merge",
    "before the release",
    "before you deploy",
    "before you merge",
    "before you publish",
    "before you release",
];
/// A line of more words tells of more than the list that it leads to.
const LEAD_WORDS: usize = 9;
/// What ends like a verb of the past and speaks of what is to be done.
const TO_DO: &[&str] = &["needed", "recommended", "required", "suggested"];
/// Words that say that something is to be done, beside these.
const OBLIGES: &[&str] = &[
    "blockers", "changes", "edits", "fix", "fixes", "must", "should", "steps", "things", "to",
    "todo", "you",
];
/// Verbs of the past that end in other ways.
const PAST: &[&str] = &["caught", "did", "found", "made", "ran", "was", "were", "wrote"];

/// Tells whether a line leads to a list of what must be done before something: "Two edits before merging:".
pub(in super::super) fn leads_to_conditions(line: &str) -> bool {
    let line = line.trim().trim_matches(['*', '_', '#', ' ']);
    if !line.ends_with([':', '：']) {
        return false;
    }
    let sentences = sentence::prose(line);
    let Some(lead) = sentences.last() else { return false };
    let is_past = |word: &str| {
        PAST.contains(&word) || word.ends_with("ed") && word.len() > 4 && !TO_DO.contains(&word)
    };
    let obliges = |word: &str| OBLIGES.contains(&word) || TO_DO.contains(&word);
    let is_all = lead.words.len() == 2 && lead.word(1).ends_with("ing");
    lead.words.len() <= LEAD_WORDS
        && (is_all || lead.words.iter().any(|word| obliges(&word.low)))
        && BEFORE.iter().any(|phrase| lead.find(phrase).is_some())
        && !lead.words.iter().any(|word| is_past(&word.low))
}

/// How a sentence begins that says which change would mend something.
const FIXES: &[&str] = &[
    "a fix is",
    "fix is",
    "the cleanest fix is",
    "the fix is",
    "the fix would be",
    "the proper fix is",
    "the real fix is",
    "the right fix is",
    "the simplest fix is",
];

/// What follows so without "to" where it tells what is done with a fix: "A fix is run nightly".
const NO_ORDER: &[&str] = &["cut", "put", "read", "run", "set"];
/// Who made it, in a clause behind it.
const MAKERS: &[&str] = &["already", "i", "i've", "we", "we've"];
/// Words by which it was made.
const MADE: &[&str] = &[
    "already",
    "committed",
    "did",
    "does",
    "done",
    "implemented",
    "made",
    "merged",
    "pushed",
    "shipped",
];

/// Returns the sentence of the agent's last words that says which change would mend what was looked into.
pub(in super::super) fn proposed_fix(words: &str) -> Option<String> {
    let names = |sentence: &Sentence| {
        FIXES.iter().any(|begin| {
            let length = begin.split(' ').count();
            let next = sentence.word(length);
            let orders = VERBS.contains(&next) && !NO_ORDER.contains(&next);
            sentence.begins_at(0, begin) && (orders || matches!(next, "either" | "to"))
        }) && !says_made(sentence)
    };
    sentence::prose(words).into_iter().find(names).map(|sentence| sentence.text)
}

/// Whether a sentence that begins with a fix says behind a comma that the agent made it. What a fix is to do
/// can be told with the same words.
fn says_made(sentence: &Sentence) -> bool {
    let behind = &sentence.words[sentence.clause_end(0)..];
    let has = |words: &[&str]| behind.iter().any(|word| words.contains(&word.low.as_str()));
    has(MAKERS) && has(MADE)
}

/// How an agent says that it waits for checks elsewhere.
const WAITS: &[&str] = &[
    "awaiting ci",
    "awaiting the checks",
    "checks are still running",
    "checks still running",
    "ci is still pending",
    "ci is still running",
    "ci still running",
    "waiting for checks",
    "waiting for ci",
    "waiting for the checks",
    "waiting for the ci",
    "waiting for the pipeline",
    "waiting on checks",
    "waiting on ci",
    "waiting on the checks",
    "waiting on the pipeline",
];
/// Words right before them with which it is the agent that waits, and does so now.
const NOW: &[&str] = &[
    "am",
    "and",
    "are",
    "currently",
    "i'm",
    "is",
    "it's",
    "just",
    "now",
    "only",
    "still",
    "we're",
];
/// Words before them in their clause by which nobody waits, or only may.
const NOBODY: &[&str] = &[
    "avoid", "avoids", "if", "instead", "no", "not", "rather", "unless", "until", "was", "were",
    "when", "while", "without",
];
/// Words after them with which they tell of something else: "CI is still running Node 18".
const GOES_ON: &[&str] =
    &["", "and", "at", "before", "but", "for", "in", "now", "on", "so", "to", "until"];

/// Tells whether a sentence says that the agent waits for checks elsewhere.
pub(super) fn waits_for_checks(sentence: &Sentence) -> bool {
    WAITS.iter().any(|phrase| waits(sentence, phrase)) || foreign::waits_for_checks(sentence)
}

fn waits(sentence: &Sentence, phrase: &str) -> bool {
    let Some(at) = sentence.find(phrase) else { return false };
    let end = at + phrase.split(' ').count();
    let opens = at
        .checked_sub(1)
        .is_none_or(|before| sentence.words[before].ends || NOW.contains(&sentence.word(before)));
    let is_over = sentence.clause_before(at).any(|word| NOBODY.contains(&word));
    let next = sentence.word(end);
    let counts = next.starts_with(|c: char| c.is_ascii_digit());
    let ends = sentence.words[end - 1].ends || GOES_ON.contains(&next) || counts;
    opens && !is_over && ends
}

/// What lies beside the work and is to be mended some day.
const FOUND: &[&str] = &[
    "bug", "bugs", "defect", "defects", "findings", "gap", "gaps", "issue", "issues", "problem",
    "problems",
];

/// Words by which there is none.
const NONE: &[&str] = &["no", "none"];
/// Words by which there is none left.
const GONE: &[&str] = &["addressed", "closed", "fixed", "mended", "removed", "resolved", "solved"];
/// Words in a later clause by which they are still there.
const STILL: &[&str] = &["never", "nobody", "not", "still", "yet"];

/// Tells whether a sentence names what was found and lies outside of the work: "the two out-of-scope gaps".
pub(super) fn names_beside(sentence: &Sentence) -> bool {
    ["out-of-scope", "out of scope"].iter().any(|phrase| {
        let length = phrase.split(' ').count();
        let at = sentence.find(phrase).filter(|at| FOUND.contains(&sentence.word(at + length)));
        at.is_some_and(|at| !is_gone(sentence, at + length))
    })
}

/// Whether a sentence says of what it names at a word that there is none of it, or none left: before it or in
/// its clause, or that it is mended in one behind.
fn is_gone(sentence: &Sentence, at: usize) -> bool {
    let (here, behind) = sentence.words.split_at(sentence.clause_end(at));
    let has = |clause: &[Word], words: &[&str]| {
        clause.iter().any(|word| words.contains(&word.low.as_str()))
    };
    has(here, NONE) || has(here, GONE) || has(behind, GONE) && !has(behind, STILL)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_must_come_before_is_led_to() {
        for line in [
            "Two edits before merging:",
            "**Before you merge:**",
            "Required before release:",
            "Before merging:",
        ] {
            assert!(leads_to_conditions(line), "{line}");
        }
        for line in [
            "What I checked before merging:",
            "Two edits before merging.",
            "I ran these before the merge:",
            "These files are the ones that stood there for long before merging:",
            "Before the deploy:",
            "State before the merge:",
            "Green before merging:",
        ] {
            assert!(!leads_to_conditions(line), "{line}");
        }
    }

    #[test]
    fn a_fix_is_named_by_what_it_would_do() {
        let told = "The lock is held. Fix is either bump the crate or pin it. It is risky.";
        assert_eq!(proposed_fix(told).as_deref(), Some("Fix is either bump the crate or pin it."));
        for words in [
            "The fix is to close the file first.",
            "The fix is to check what the parser does with empty rows, and to skip these.",
            "The fix is to close the file as soon as the first pass is done.",
        ] {
            assert!(proposed_fix(words).is_some(), "{words}");
        }
        for words in [
            "A fix is run nightly.",
            "The fix is to close the file first, so that is what I did.",
            "The fix is to close the file first, which is already done.",
            "The fix is in place.",
            "The fix is pushed.",
            "I found the fix to be simple.",
        ] {
            assert_eq!(proposed_fix(words), None, "{words}");
        }
    }

    #[test]
    fn who_waits_for_checks_is_told_from_who_did() {
        let says = |words: &str| sentence::prose(words).iter().any(waits_for_checks);
        for words in [
            "It is pushed, waiting for CI to finish.",
            "Pushed; I'm waiting for CI before merging.",
            "It was red when I looked, so I am waiting for CI.",
            "I cannot merge until CI is green: waiting for CI.",
            "Still waiting for the pipeline (12 jobs).",
            "CI is still running on the branch.",
            "PR #2 CI 완료 대기 중. 통과하면 머지합니다.",
            "CIの完了を待っています。",
            "CI の完了待ちです。",
            "推送完成，正在等待 CI 结果。",
            "Gepusht, ich warte auf die CI.",
            "C'est poussé, en attente de la CI.",
            "Subido; esperando a que CI termine.",
            "Enviado, aguardando o CI.",
            "Запушено, жду CI.",
        ] {
            assert!(says(words), "{words}");
        }
        for words in [
            "While waiting for CI I wrote the page.",
            "It is no longer waiting for the checks.",
            "The job was waiting for the pipeline and is done.",
            "CI 대기 중이던 PR을 머지했습니다.",
            "CI passed.",
            "I merged it rather than waiting for CI.",
            "The new step avoids waiting for CI.",
            "The thread hung while it sat waiting for the pipeline to drain.",
            "The script now fails fast if CI is still running.",
            "CI is still running Node 18, which is fine.",
            "现在支持 GitHub Actions、GitLab 等 CI 平台。",
            "无需等待 CI。",
            "CIを待たずにマージしました。",
            "CI待ちの時間を短縮しました。",
            "CI 대기 시간을 줄였습니다.",
            "Ya no estoy esperando la CI.",
            "Non sono più in attesa della CI.",
            "Ich warte auf die CI nicht mehr.",
            "不再等待 CI，已合并。",
        ] {
            assert!(!says(words), "{words}");
        }
    }

    #[test]
    fn what_was_found_beside_the_work_is_known() {
        let says = |words: &str| sentence::prose(words).iter().any(names_beside);
        assert!(says("The body has the two out-of-scope gaps (a stale example)."));
        assert!(says("I noted out of scope issues in the page."));
        assert!(says("The body names the two out-of-scope gaps: one has no test."));
        assert!(says("The body names the two out-of-scope gaps, which nobody has fixed yet."));
        assert!(!says("The body names the two out-of-scope gaps, both of which are fixed now."));
        assert!(!says("I also fixed the two out-of-scope bugs that I found."));
        assert!(!says("There are no out-of-scope issues."));
        assert!(!says("The page is out of scope.") && !says("That is an issue."));
    }
}
