//! How grave a finding is said to be.

use super::graded::{pair, place};

/// Words for how grave a finding is.
const GRAVE: &[&str] = &[
    "blocker",
    "blocking",
    "critical",
    "severe",
    "serious",
    "high",
    "important",
    "major",
    "medium",
    "moderate",
    "minor",
    "low",
];
/// What such a word tells of.
pub(super) const SCALES: &[&str] = &["severity", "priority"];
/// What may stand before how grave a finding is.
pub(super) const MARKS: &[char] =
    &['*', '`', '[', '(', '_', ' ', '🔴', '🟠', '🟡', '⚠', '❗', '\u{fe0f}'];

/// Whether words are no more than how grave something is.
pub(super) fn is_grade(words: &str) -> bool {
    let mut words = words.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let first = words.next().is_some_and(|word| is_level(word) || is_grave(word));
    first && words.all(|word| SCALES.contains(&word.to_lowercase().as_str()))
}

pub(super) fn is_level(word: &str) -> bool {
    word.len() == 2 && word.starts_with(['P', 'S']) && word.ends_with(|c: char| c.is_ascii_digit())
}

fn is_grave(word: &str) -> bool {
    GRAVE.contains(&word.to_lowercase().as_str())
}

/// How the head of an entry begins.
pub(super) struct Graded<'h> {
    is_level: bool,
    /// Whether it is called severity or priority.
    pub is_named: bool,
    /// Whether the grade is printed bold, as code or in brackets.
    is_marked: bool,
    /// Whether a mark stands behind it, so that it is no word of a sentence.
    is_joined: bool,
    /// Whether more than a few words follow.
    says: bool,
    rest: &'h str,
}

/// Returns how an entry begins whose first word is a grade.
pub(super) fn graded(head: &str) -> Option<Graded<'_>> {
    let start = head.trim_start_matches(MARKS);
    let is_named =
        |name: &&&str| start.get(..name.len()).is_some_and(|it| it.eq_ignore_ascii_case(name));
    let named = SCALES
        .iter()
        .find(is_named)
        .and_then(|name| start[name.len()..].trim_start_matches('*').strip_prefix(':'));
    let word = named.unwrap_or(start).trim_start_matches(MARKS);
    let (word, rest) = word.split_at(word.find(|c: char| !c.is_alphanumeric())?);
    let is_level = is_level(word);
    // "Low-level" is another word.
    let is_part =
        rest.strip_prefix('-').is_some_and(|more| more.starts_with(char::is_alphanumeric));
    if !is_level && !is_grave(word) || is_part {
        return None;
    }
    let scale = SCALES.iter().find_map(|name| rest.trim_start().strip_prefix(name));
    let joint = scale.unwrap_or(rest).trim_start_matches(['*', '`', '_', ' ']);
    Some(Graded {
        is_level,
        is_named: named.is_some(),
        is_marked: start.len() < head.len() || named.is_some(),
        is_joined: joint.starts_with([':', '—', '–', ']', ')', '-', '·', '|']),
        says: joint.split_whitespace().count() > 3,
        rest: joint,
    })
}

impl Graded<'_> {
    /// Whether the entry is a finding whatever it names, where a mark makes it an entry or is in it.
    pub(super) fn says_all(&self, is_marked: bool) -> bool {
        self.is_joined && self.says && (is_marked || self.is_marked)
    }

    /// Whether it is a grade where the entry has a place in a file.
    pub(super) fn goes_with_place(&self) -> bool {
        let first = self.rest.split_whitespace().next().unwrap_or_default();
        self.is_joined || self.is_marked && self.is_level || place(first).is_some()
    }
}

/// Whether the head of an entry ends with how grave it is, in brackets.
pub(super) fn ends_graded(head: &str) -> bool {
    let head = head.trim_end_matches(['*', ':', '.', ' ']);
    let inner = head.strip_suffix([')', ']']).and_then(|head| head.rsplit_once(['(', '[']));
    inner.is_some_and(|(before, grade)| {
        let grade = match pair(grade) {
            Some((name, value)) if SCALES.contains(&name.as_str()) => value,
            _ => grade,
        };
        before.split_whitespace().count() > 1 && is_grade(grade)
    })
}

/// Whether a title begins with a grade behind which a mark stands.
pub(super) fn begins_graded(title: &str) -> bool {
    graded(title).is_some_and(|graded| graded.is_joined)
}
