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
    "because", "before", "if", "never", "no", "none", "once", "should", "unless", "until", "when",
    "whenever", "where", "why", "without", "would",
];
/// Words behind it by which it does not any more.
const MENDED: &[&str] = &["fixed", "green", "mended", "pass", "passed", "passes", "resolved"];
/// How many words stand before what checks at most.
const MOST_BEFORE: usize = 5;

/// "The build fails on Windows", where none of `later` says that this is over.
pub(super) fn fails_now(sentence: &Sentence, later: &[Sentence]) -> bool {
    let is_one = |word: &str, words: &[&str]| words.contains(&word);
    let fails = |at: usize| {
        let (next, then) = (sentence.word(at + 1), sentence.word(at + 2));
        is_one(sentence.word(at), CHECKS)
            && (is_one(next, FAIL) || matches!(next, "is" | "are") && is_one(then, STAND))
    };
    let has = |sentence: &Sentence, words: &[&str]| {
        sentence.words.iter().any(|word| is_one(&word.low, words))
    };
    (0..=MOST_BEFORE).any(fails)
        && !has(sentence, OTHERWISE)
        && !later.iter().chain([sentence]).any(|sentence| has(sentence, MENDED))
}
