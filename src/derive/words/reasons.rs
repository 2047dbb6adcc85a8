//! Choices of the agent that come with their reason: in its list of work, in the text of a
//! commit, or in words that later work bears out.

use super::super::fact::{Fact, FactKind};
use super::super::timeline::Timeline;
use super::super::{Trust, text};
use super::sentence::{self, Sentence};
use super::{names, talk};
use crate::model::{Action, Body};

/// Words between a choice and its reason.
const REASONS: &[&str] = &["because", "instead of", "so that"];
/// More of them, where the sentence already says that something was chosen.
const MORE_REASONS: &[&str] = &["rather than", "since", "over", "to avoid"];
/// Words that point at the sentence before: alone such a sentence says little.
const POINTING: &[&str] = &[
    "that",
    "this",
    "it",
    "they",
    "these",
    "those",
    "which",
    "there",
    "its",
    "their",
    "so",
    "then",
    "and",
    "but",
    "both",
    "here",
    "he",
    "she",
    "not",
    "known",
    "records",
    "notes",
    "documents",
    "every",
];
/// How much of a choice is told, in characters.
const CHARS: usize = 320;
/// How many are told of one commit.
const OF_COMMIT: usize = 1;

fn gives_a_reason(sentence: &Sentence) -> bool {
    let count = sentence.words.len();
    let reason = REASONS
        .iter()
        .any(|phrase| sentence.find(phrase).is_some_and(|at| at > 1 && at + 2 < count));
    let alone = !POINTING.contains(&sentence.word(0)) && sentence.text.ends_with(['.', '!']);
    let named = !names::keys(&sentence.text).is_empty();
    reason && alone && named && (5..=60).contains(&count)
}

/// Finds reasons for a change of the list of work, and in the texts of commits.
pub(super) fn explained(timeline: &Timeline<'_>) -> Vec<Fact> {
    let mut found = Vec::new();
    for item in &timeline.items {
        let Body::Plan(plan) = &item.body else { continue };
        let Some(words) = plan.explanation.as_ref() else { continue };
        for sentence in sentence::prose(&words.plain()).iter().filter(|s| gives_a_reason(s)) {
            let words = text::line(&sentence.text, CHARS);
            let place = (item.turn, item.id.as_ref());
            let detail = Some("on changing the list of work".to_owned());
            found.push(Fact { detail, ..fact(Trust::A, words, place) });
        }
    }
    for done in timeline.own().filter(|done| done.worked()) {
        let Some(message) = done.command().and_then(commit_message) else { continue };
        let (subject, body) = message.split_once('\n').unwrap_or((&message, ""));
        let sentences = sentence::wrapped(body);
        // A reason alone describes the change; only words of choosing make it a choice.
        let is_chosen = |s: &Sentence| CHOSEN.iter().any(|phrase| s.find(phrase).is_some());
        let chosen = |s: &&Sentence| gives_a_reason(s) && (chooses(s) || is_chosen(s));
        for sentence in sentences.iter().filter(chosen).take(OF_COMMIT) {
            let words = format!("{}: {}", text::line(subject, 120), sentence.text);
            let place = (done.item.turn, done.item.id.as_ref());
            found.push(fact(Trust::A, text::line(&words, CHARS), place));
        }
    }
    found
}

fn fact(trust: Trust, words: String, place: (u32, &str)) -> Fact {
    Fact { weight: 0.8, ..Fact::new(FactKind::Choice, trust, words, place) }
}

/// Returns the text of the commit that a command makes: all its `-m`, or what a here-document holds.
fn commit_message(command: &str) -> Option<String> {
    let at = command.find("git commit")?;
    let rest = &command[at..];
    if let Some((_, here)) = rest.split_once("<<") {
        let (mark, text) = here.split_once('\n')?;
        let mark = mark.trim_start_matches('-').trim();
        let mark = mark.trim_matches(['\'', '"']).split(['\'', '"', ' ', ')']).next()?;
        let lines: Vec<&str> = text.lines().take_while(|line| line.trim() != mark).collect();
        return Some(lines.join("\n").trim().to_owned()).filter(|text| !text.is_empty());
    }
    let mut parts = Vec::new();
    let mut left = rest;
    while let Some((_, after)) = left.split_once(" -m ") {
        let after = after.trim_start();
        let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let (text, next) = after[1..].split_once(quote)?;
        parts.push(text.trim());
        left = next;
    }
    (!parts.is_empty()).then(|| parts.join("\n\n"))
}

/// Words by which the agent says that it chose.
const CHOSE: &[&str] = &[
    "i chose",
    "i've chosen",
    "i decided",
    "i've decided",
    "i went with",
    "i'm going with",
    "i opted",
    "i've opted",
    "i switched",
    "i've switched",
    "we went with",
    "i'll go with",
];
/// The same at the beginning of a sentence.
const CHOSE_FIRST: &[&str] = &["chose", "decided", "going with", "went with", "opted", "switched"];

/// The same of the thing that was chosen.
const CHOSEN: &[&str] = &["is chosen", "was chosen", "are chosen", "were chosen"];

/// One of these stands in each of the words above.
const CHOICE_STEMS: &[&str] =
    &["cho", "decided", "opted", "switched", "going with", "go with", "went with"];

/// Finds choices of the agent that a later edit or commit bears out by a name that both have.
pub(super) fn borne_out(timeline: &Timeline<'_>) -> Vec<Fact> {
    let mut found = Vec::new();
    for (place, item, words) in talk::agent(timeline) {
        if !sentence::has_any(&words, CHOICE_STEMS) {
            continue;
        }
        for sentence in sentence::prose(&words).iter().filter(|sentence| chooses(sentence)) {
            if is_borne_out(timeline, place, &sentence.text) {
                let words = text::line(&sentence.text, CHARS);
                let fact = fact(Trust::C, words, (item.turn, item.id.as_ref()));
                found.push(Fact { weight: 0.6, ..fact });
            }
        }
    }
    found
}

fn chooses(sentence: &Sentence) -> bool {
    let chose = CHOSE.iter().any(|phrase| sentence.find(phrase).is_some())
        || CHOSE_FIRST.iter().any(|phrase| sentence.begins_at(0, phrase));
    let mut reasons = REASONS.iter().chain(MORE_REASONS);
    chose
        && (5..=60).contains(&sentence.words.len())
        && reasons.any(|phrase| sentence.find(phrase).is_some_and(|at| at > 2))
        && !sentence.text.ends_with('?')
}

/// Tells whether a change or a commit after `place` has a name that stands in `words`.
fn is_borne_out(timeline: &Timeline<'_>, place: usize, words: &str) -> bool {
    let names = names::keys(words);
    let has = |text: &str| {
        let low = text.to_lowercase();
        names.iter().any(|name| low.contains(name.as_str()))
    };
    timeline.items[place..].iter().any(|item| match &item.body {
        Body::ToolCall(call) => match call.action.as_deref() {
            Some(Action::Edit { changes }) => {
                changes.iter().any(|change| has(&change.path) || has(&change.added))
            }
            Some(Action::Shell { command, .. }) => command.contains("git commit") && has(command),
            _ => false,
        },
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_commits_are_found() {
        let here = "git add . && git commit -m \"$(cat <<'EOF'\nAdd a cache\n\nIt is kept because reads are slow.\nEOF\n)\" && git push";
        assert_eq!(
            commit_message(here).unwrap(),
            "Add a cache\n\nIt is kept because reads are slow."
        );
        let two = "git commit -m 'Add a cache' -m 'Because of reads.'";
        assert_eq!(commit_message(two).unwrap(), "Add a cache\n\nBecause of reads.");
        assert_eq!(commit_message("git commit --amend"), None);
        assert_eq!(commit_message("git status"), None);
    }

    #[test]
    fn only_choices_of_the_agent_with_a_reason_count() {
        let is = |text: &str| chooses(&sentence::prose(text)[0]);
        assert!(is("I went with `BTreeMap` because the order must be stable."));
        assert!(is("Going with minijinja over tera."));
        assert!(!is("You chose option 1 because it is smaller."));
        assert!(!is("It switched over to the new file."));
        assert!(!is("I decided to stop."));
    }
}
