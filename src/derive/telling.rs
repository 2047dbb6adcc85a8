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

/// Returns the points that a text names by their numbers, such as `4.1` or `#288`.
pub(super) fn points(text: &str) -> BTreeSet<&str> {
    let words =
        text.split(|c: char| c.is_whitespace() || matches!(c, '`' | '/' | '–' | '—' | '[' | ']'));
    let bare = words.map(|word| word.trim_matches(|c: char| !c.is_alphanumeric() && c != '#'));
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let is_point = |word: &&str| match word.strip_prefix('#') {
        Some(number) => is_number(number),
        None => word.contains('.') && word.split('.').all(is_number),
    };
    bare.filter(is_point).collect()
}

#[cfg(test)]
mod tests {
    use super::points;

    #[test]
    fn points_are_named_by_their_numbers() {
        let told = |text| points(text).into_iter().collect::<Vec<_>>();
        assert_eq!(told("go on with 4.1 and **4.2**, then #288."), ["#288", "4.1", "4.2"]);
        assert_eq!(told("### Left: (#7) of `#12`"), ["#12", "#7"]);
        assert_eq!(told("[#288](https://a.b/288)–[#294](https://a.b/294)"), ["#288", "#294"]);
        assert!(told("in 3 days, at 10:30, 1..2, a.b, v1.2, # 4, ## Part 5.").is_empty());
    }
}
