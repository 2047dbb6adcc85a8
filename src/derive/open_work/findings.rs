//! What a review found and nobody acted upon: entries of the agent's last words that say how grave they are.

use super::graded::{Entry, SETTLED, depth, entries, grades_below, told};
use super::said::last_words;
use super::{Work, last_act, structured};
use crate::derive::timeline::{Done, Timeline};
use crate::derive::{Trust, text};
use crate::model::Action;

/// How many are listed.
const MOST: usize = 8;

/// Returns the findings of a review with which the session ends.
pub(super) fn findings(timeline: &Timeline<'_>) -> Vec<Work> {
    let Some((id, words)) = last_words(timeline) else { return Vec::new() };
    let turn = last_act(timeline).map_or(0, |item| item.turn);
    let work = |line: String| Work::new(line, Trust::C, "agent_said", &id);
    // What was changed before the review was asked for mends nothing that it found.
    let edits = |done: Done<'_>| {
        done.item.turn >= turn
            && done.worked()
            && matches!(done.call.action.as_deref(), Some(Action::Edit { .. }))
    };
    let has_edited = timeline.done().any(edits);
    let found = match structured::findings(&words).filter(|_| !has_edited) {
        Some(found) => found,
        None => open(&words, has_edited),
    };
    found.into_iter().take(MOST).map(work).collect()
}

/// Returns what the report of another agent finds fault with, whatever came of it.
pub(in crate::derive) fn reported(report: &str) -> Vec<String> {
    structured::findings(report).unwrap_or_else(|| open(report, false))
}

/// Returns the findings of which neither the opening nor the heading above says that they are dealt with,
/// which only an agent can that changed something in the last turn: most forms tell then what it did.
fn open(words: &str, has_edited: bool) -> Vec<String> {
    let settles = |line: &str| has_edited && settles(line);
    let told = |entry: &Entry<'_>, below: bool| {
        if has_edited { entry.plain_finding() } else { entry.finding(below) }
    };
    let lines: Vec<&str> = text::unfenced(words).collect();
    let entries = entries(&lines);
    let opening = entries.first().filter(|entry| told(entry, false).is_none());
    let is_settled = opening.is_some_and(|entry| settles(entry.head));
    let (mut found, mut is_under) = (Vec::new(), false);
    // A heading says how grave all is that stands below it, if that is numbered: then it is no finding itself.
    let (mut head, mut heads) = (None, Vec::new());
    // How deep the heading stands that says no more than that, and the last line that is a finding.
    let (mut graded, mut last) = (None, "");
    for entry in entries {
        let line = entry.head;
        let grades = grades_below(line);
        if depth(line) < usize::MAX {
            graded = graded.filter(|above| *above < depth(line));
        }
        let told = told(&entry, graded.is_some()).filter(|_| grades.is_none());
        let is_new = !is_settled && !is_under && entry.title.is_none_or(|title| title != last);
        match (numbered(line).filter(|_| head.is_some()), &told) {
            (Some(told), _) => {
                heads.extend(head.filter(|at| heads.last() != Some(at)));
                found.push(told);
            }
            (None, Some(told)) if is_new => {
                head = line.trim_start().starts_with('#').then_some(found.len());
                found.push(told.clone());
            }
            (None, None) if text::marked_heading(line).is_some() => {
                (is_under, head) = (settles(line), None);
                graded = grades.or(graded.filter(|above| *above < depth(line)));
            }
            _ => {}
        }
        last = if told.is_some() { line } else { last };
    }
    heads.into_iter().rev().for_each(|at| drop(found.remove(at)));
    found
}

/// Returns a paragraph that is numbered and begins in bold: `**1. …** …`.
fn numbered(line: &str) -> Option<String> {
    let line = line.trim();
    let bare = line.strip_prefix("**")?;
    let words = bare.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_one = words.len() < bare.len() && words.starts_with(['.', ')']);
    told(words.trim_start_matches(['.', ')', ' ']), None).filter(|_| is_one)
}

/// By which a line says something else with such a word, or of some findings only.
const NOT_ALL: &[&str] = &[
    "before",
    "but",
    "cannot",
    "except",
    "found",
    "if",
    "left",
    "most",
    "must",
    "need",
    "needs",
    "never",
    "new",
    "no",
    "none",
    "not",
    "nothing",
    "once",
    "only",
    "remain",
    "remaining",
    "remains",
    "reviewed",
    "should",
    "some",
    "still",
    "unless",
    "until",
    "when",
    "will",
    "yet",
];
/// Words for all findings.
const ALL: &[&str] = &["all", "both", "each", "every", "everything"];
/// Words that may stand between that and the verb.
const FINDINGS: &[&str] = &[
    "2", "3", "4", "5", "above", "below", "bugs", "comment", "comments", "entries", "finding",
    "findings", "five", "four", "here", "issue", "issues", "listed", "of", "one", "point",
    "points", "problem", "problems", "review", "the", "them", "these", "those", "three", "two",
];
const VERBS: &[&str] = &["are", "been", "is", "was", "were"];
/// Words that may stand between the verb and how they were dealt with.
const BETWEEN: &[&str] = &["all", "already", "and", "answered", "both", "now"];

/// Whether a line says that all findings are dealt with: `All of them were fixed`, or no more than
/// `Fixed (3)`.
fn settles(line: &str) -> bool {
    let low = line.to_lowercase().replace('’', "'");
    // A word with a hyphen is another one.
    let words =
        low.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let denies = |word: &&str| NOT_ALL.contains(word) || word.ends_with("n't");
    if low.contains('?') || words.iter().any(denies) {
        return false;
    }
    let is_count = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let is_plain = |word: &&str| {
        ALL.contains(word) || SETTLED.contains(word) || *word == "now" || is_count(word)
    };
    let is_settled = |word: &&str| SETTLED.contains(word);
    let is_alone =
        words.iter().all(is_plain) && words.iter().filter(|w| is_settled(w)).count() == 1;
    is_alone || (0..words.len()).any(|at| ALL.contains(&words[at]) && is_said(&words[at + 1..]))
}

/// Whether words go on as `of these findings have been fixed`.
fn is_said(words: &[&str]) -> bool {
    let skips = |word: &&&str| FINDINGS.contains(word) || matches!(**word, "has" | "have");
    let mut rest = words.iter().skip_while(skips);
    let is_verb = rest.next().is_some_and(|word| VERBS.contains(word));
    is_verb && rest.find(|word| !BETWEEN.contains(word)).is_some_and(|word| SETTLED.contains(word))
}

#[cfg(test)]
mod tests {
    use super::open;

    fn finding(line: &str) -> Option<String> {
        super::entries(&[line]).first()?.finding(false)
    }

    #[test]
    fn findings_that_are_dealt_with_are_not_open() {
        let listed = |opening: &str, heading: &str| {
            format!("{opening}\n\n{heading}\n\n- **P1 — the key is logged in full.** Here.\n")
        };
        let found = |opening: &str, heading: &str| open(&listed(opening, heading), true).len();
        assert_eq!(found("The review is done.", "## Found"), 1);
        assert_eq!(found("Both comments are answered and resolved.", "## Found"), 0);
        assert_eq!(found("I looked at both.", "## Both were fixed by the last commit"), 0);
        for heading in ["## Fixed", "**Fixed (3)**", "### All fixed", "## ✅ Resolved:"] {
            assert_eq!(found("I looked at it.", heading), 0, "{heading}");
        }
        for opening in [
            "Both comments of the review are fixed.",
            "All of these findings have been fixed.",
            "Everything is mended now.",
            "Each one was dealt with.",
        ] {
            assert_eq!(found(opening, "## Found"), 0, "{opening}");
        }
        for heading in ["## Recommended changes", "## Fixed-size buffers", "## Fixed by hand"] {
            assert_eq!(found("I read it all.", heading), 1, "{heading}");
        }
        for opening in [
            "The first ones are fixed, but one remains.",
            "This must be fixed first.",
            "One is not resolved.",
            "One is unresolved.",
            "I fixed the build first and found this.",
            "I recommended these changes on the page.",
            "The review covers the prefixed keys.",
            "I reviewed the fixed-width parser.",
            "I read all of the fixed-width parser.",
            "Here is what I saw in the corrected branch:",
            "I never fixed these:",
            "None of these is fixed.",
            "Nothing here is fixed yet.",
            "All tests are fixed, here is the rest:",
            "I amended all of it.",
        ] {
            assert_eq!(found(opening, "## Found"), 1, "{opening}");
        }
        // One that only reads settles nothing.
        assert_eq!(open(&listed("Both are fixed now.", "## Found"), false).len(), 1);
    }

    #[test]
    fn what_an_agent_tells_of_its_own_changes_is_not_open() {
        for words in [
            "| Severity | Problem | Answer |\n|--|--|--|\n| High | it burns at noon | it reads the clock |",
            "- **High** `src/lamp.rs:25` — the clock is read before it burns",
            "### P1\n- `src/lamp.rs:25`: it reads the clock now",
            "- Priority: High — read the clock before it burns",
            "severity: P1\nfile: src/lamp.rs:25\nimpact: it burns at noon.",
        ] {
            let words = format!("Done. The tests pass.\n\n{words}\n");
            assert_eq!(open(&words, true), Vec::<String>::new(), "{words}");
            assert_eq!(open(&words, false).len(), 1, "{words}");
        }
        assert_eq!(open("Done.\n\n- **P1 — the key is logged in full.** Here.\n", true).len(), 1);
    }

    #[test]
    fn findings_begin_with_how_grave_they_are() {
        let told = finding("- **P2 — [a.rs:3](/p/a.rs:3):** The test only looks at the type.");
        assert!(told.unwrap().starts_with("P2 — [a.rs:3]"));
        let told = finding("- **P2 — a.rs:3: it takes any name.** The rule is off. For:");
        assert_eq!(told.unwrap(), "P2 — a.rs:3: it takes any name. The rule is off.");
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

    #[test]
    fn a_heading_that_is_no_more_than_a_grade_is_no_finding() {
        let words = "### High\n- `src/lamp.rs:1`: it burns\n\n### Medium\n- `src/gate.rs:2`: it is open\n\n### Low\n\nNone; see `src/door.rs:3`.\n\n### Good\n- `src/key.rs:4`: it is new\n";
        let wanted = ["`src/lamp.rs:1`: it burns", "`src/gate.rs:2`: it is open"];
        assert_eq!(open(words, false), wanted);
    }

    #[test]
    fn a_heading_over_numbered_findings_is_none() {
        let words = "### CRITICAL — all three were verified against the tree\n\n**1. `spec.md` — it removes what is not there.** See line 3.\n\n**2. The job has no owner.**\n\n### HIGH — the lock is held too long\n\nIt is.\n";
        let wanted = [
            "`spec.md` — it removes what is not there. See line 3.",
            "The job has no owner.",
            "HIGH — the lock is held too long",
        ];
        assert_eq!(open(words, false), wanted);
    }
}
