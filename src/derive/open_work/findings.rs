//! What a review found and nobody acted upon: entries of the agent's last words that begin with
//! how grave they are.

use super::Work;
use super::said::{last_words, unfenced};
use crate::derive::timeline::Timeline;
use crate::derive::{Trust, text};

/// How many are listed.
const MOST: usize = 8;
/// The longest, in characters.
const LONGEST: usize = 240;
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

/// Returns the findings of a review with which the session ends.
pub(super) fn findings(timeline: &Timeline<'_>) -> Vec<Work> {
    let Some((id, words)) = last_words(timeline) else { return Vec::new() };
    let found = unfenced(&words).filter_map(finding).take(MOST);
    let work = |line: String| Work::new(line, Trust::C, "agent_said", &id);
    found.map(work).collect()
}

/// Returns a heading or an entry such as `- **P2 — a.rs:3:** …`, `## [P1] …` or `- High: …`.
fn finding(line: &str) -> Option<String> {
    let line = line.trim();
    let bare = line.trim_start_matches(|c: char| c.is_ascii_digit() || ".)-*#+• ([`".contains(c));
    let is_entry = bare.len() < line.len();
    let end = bare.find(|c: char| !c.is_alphanumeric())?;
    let (word, rest) = bare.split_at(end);
    let is_level = word.len() == 2
        && word.starts_with(['P', 'S'])
        && word.ends_with(|c: char| c.is_ascii_digit());
    let is_grave = GRAVE.contains(&word.to_lowercase().as_str());
    // A joint stands after it, else it is a word of a sentence.
    let joint = rest.trim_start_matches(['*', '`', ' ']);
    let is_joined = joint.starts_with([':', '—', '–', ']', ')', '-', '·', '|']);
    let says = joint.split_whitespace().count() > 3;
    let told = || text::line(&bare.replace("**", ""), LONGEST);
    (is_entry && (is_level || is_grave) && is_joined && says).then(told)
}

#[cfg(test)]
mod tests {
    use super::finding;

    #[test]
    fn findings_begin_with_how_grave_they_are() {
        let told = finding("- **P2 — [a.rs:3](/p/a.rs:3):** The test only looks at the type.");
        assert!(told.unwrap().starts_with("P2 — [a.rs:3]"));
        for line in [
            "## P1 — Renames are lost for good",
            "1. High: the token is logged in full",
            "- **Important — The order of equal rows is not tested.** [a.rs:3](a.rs:3)",
        ] {
            assert!(finding(line).is_some(), "{line}");
        }
        for line in [
            "P2 — no entry at all here",
            "- High load is fine with this",
            "- P2: none",
            "- Important to know: it is fast",
        ] {
            assert_eq!(finding(line), None, "{line}");
        }
    }
}
