//! Words by which one text speaks of what stands in another.

use std::collections::BTreeSet;

/// A word of fewer letters hardly says what a text is about.
const LEAST_CHARS: usize = 5;
/// Words that stand in many questions and requests.
const COMMON: &[&str] = &[
    "about",
    "after",
    "again",
    "another",
    "anything",
    "before",
    "branch",
    "change",
    "changed",
    "changes",
    "commit",
    "continue",
    "could",
    "files",
    "first",
    "instead",
    "needs",
    "other",
    "please",
    "project",
    "request",
    "requests",
    "should",
    "something",
    "still",
    "tests",
    "there",
    "these",
    "thing",
    "things",
    "those",
    "update",
    "updated",
    "where",
    "which",
    "would",
];

/// Returns the telling words of a text, in small letters.
pub(super) fn words(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
    let tells =
        |word: &String| word.chars().count() >= LEAST_CHARS && !COMMON.contains(&word.as_str());
    words.filter(tells).collect()
}
