//! How an agent says that what checks the work fails now.

use super::sentence::Sentence;

/// What checks the work.
const CHECKS: &[&str] = &[
    "build",
    "builds",
    "check",
    "checks",
    "ci",
    "compilation",
    "job",
    "jobs",
    "lint",
    "linter",
    "pipeline",
    "suite",
    "test",
    "tests",
    "typecheck",
];
/// Words by which it is told of it that it fails, right behind it or behind "is".
const FAIL: &[&str] = &["fail", "fails"];
const STAND: &[&str] = &["broken", "failing", "red"];
/// Words in such a sentence by which it is told when it would, or why it did.
const OTHERWISE: &[&str] = &[
    "before", "expected", "if", "never", "no", "none", "once", "should", "unless", "until", "when",
    "whenever", "where", "why", "without", "would",
];
/// Words behind it by which it does not any more.
const MENDED: &[&str] = &["fixed", "green", "mended", "pass", "passed", "passes", "resolved"];
/// Words behind it that say where, and that it does.
const THERE: &[&str] = &["again", "here", "locally", "there"];
const AT: &[&str] = &["for", "in", "on", "under"];
/// Where it can fail, besides what has a name.
const PLACES: &[&str] = &["ci", "linux", "macos", "main", "master", "windows"];
/// How many words stand before what checks at most.
const MOST_BEFORE: usize = 5;

/// "The build fails on Windows", where none of `later` says that this is over.
pub(super) fn fails_now(sentence: &Sentence, later: &[Sentence]) -> bool {
    let is_one = |word: &str, words: &[&str]| words.contains(&word);
    // What fails in some way, or fails something, is what was built.
    let is_told = |at: usize| {
        let (next, place) = (sentence.word(at), sentence.word(at + 1));
        at >= sentence.words.len()
            || is_one(next, THERE)
            || is_one(next, AT) && (is_one(place, PLACES) || has_capital(sentence, place))
    };
    let fails = |at: usize| {
        let (next, then) = (sentence.word(at + 1), sentence.word(at + 2));
        is_one(sentence.word(at), CHECKS)
            && (is_one(next, FAIL) && is_told(at + 2)
                || matches!(next, "is" | "are") && is_one(then, STAND) && is_told(at + 3))
    };
    let has = |sentence: &Sentence, words: &[&str]| {
        sentence.words.iter().any(|word| is_one(&word.low, words))
    };
    (0..=MOST_BEFORE).any(fails)
        && !has(sentence, OTHERWISE)
        && !later.iter().chain([sentence]).any(|sentence| has(sentence, MENDED))
}

/// Whether a word of a sentence begins with a capital, as names do.
fn has_capital(sentence: &Sentence, low: &str) -> bool {
    let bare = |raw: &str| raw.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let mut words = sentence.text.split_whitespace().map(bare);
    words.any(|word| word.starts_with(char::is_uppercase) && word.to_lowercase() == low)
}
