//! Where the user said, or showed, that something was wrong.

use super::super::fact::{Fact, FactKind};
use super::super::timeline::Timeline;
use super::super::{Trust, text};
use super::sentence::Sentence;
use super::talk::Said;
use super::{cues, names};
use crate::model::{Action, Body, Change, QUESTION_MARKS};

/// Beginnings of a message that corrects whatever follows.
const WRONG: &[&str] = &[
    "wrong",
    "that's not",
    "thats not",
    "that is not",
    "this is not",
    "this isn't",
    "that isn't",
    "that's wrong",
    "that is wrong",
    "this is wrong",
    "that was wrong",
    "not what i",
    "i said",
    "i told you",
    "i mean",
    "i meant",
    "you forgot",
    "you missed",
    "you broke",
    "you didn't",
    "you did not",
    "you ignored",
    "you misunderstood",
    "you removed",
    "you deleted",
    "you still",
    "still fails",
    "still failing",
    "still broken",
    "still not",
    "still doesn't",
    "still wrong",
    "it still",
    "that didn't",
    "that doesn't work",
    "this doesn't work",
    "it doesn't work",
    "that broke",
    "undo",
    "revert that",
    "revert this",
    "revert it",
    "revert your",
    "revert the",
    "stop doing",
    "stop that",
    "stop it",
    "not like that",
    "not that",
    "not there",
    "not this",
];

/// What after "no" makes it an answer rather than a correction.
const FINE: &[&str] =
    &["need", "problem", "worries", "thanks", "idea", "rush", "more", "new", "other", "one"];

/// How much of a correction is told, in characters.
const CHARS: usize = 300;
/// Finds the messages that begin as a correction of what the agent just did or said.
pub(super) fn corrections(talk: &[Said]) -> Vec<Fact> {
    let mut found: Vec<Fact> = Vec::new();
    for said in talk {
        let sentences = &said.sentences;
        let answers = said.before.trim_end().ends_with('?');
        let acted = said.changed.is_some() || !said.before.is_empty();
        let Some(first) = sentences.first().filter(|_| acted) else { continue };
        if !corrects(first, answers) {
            continue;
        }
        let words = sentences.iter().take(3).map(|sentence| sentence.text.as_str());
        let words = text::line(&words.collect::<Vec<_>>().join(" "), CHARS);
        let place = (said.turn, said.item.as_str());
        let mut fact = Fact::new(FactKind::Correction, Trust::B, words, place);
        fact.detail = said.changed.as_ref().map(|line| format!("after the agent {line}"));
        fact.weight = 0.5;
        // What has to be said again weighs twice.
        if found.iter().any(|other| names::same(&other.text, &fact.text)) {
            fact.weight = 1.0;
        }
        found.push(fact);
    }
    found
}

/// Returns the corrections that speak of the same thing, in groups of two and more.
pub(in super::super) fn repeated<'f>(corrections: &[&'f Fact]) -> Vec<Vec<&'f Fact>> {
    let mut groups: Vec<Vec<&Fact>> = Vec::new();
    for fact in corrections {
        match groups.iter_mut().find(|group| names::same(&group[0].text, &fact.text)) {
            Some(group) => group.push(fact),
            None => groups.push(vec![fact]),
        }
    }
    groups.retain(|group| group.len() > 1);
    groups
}

/// Tells whether a message that begins with this sentence says that something is wrong.
fn corrects(sentence: &Sentence, answers: bool) -> bool {
    if sentence.text.ends_with(QUESTION_MARKS) && !sentence.begins_at(0, "i meant") {
        return false;
    }
    let begins = |phrase: &&str| sentence.begins_at(0, phrase);
    let next = sentence.word(1);
    let no = sentence.word(0) == "no"
        && !answers
        && (sentence.words[0].ends || sentence.words.len() == 1)
        && !FINE.contains(&next);
    let turns = sentence.begins_at(0, "actually") && !answers && cues::is_order(sentence);
    let stop = sentence.begins_at(0, "stop") && (next.is_empty() || next.ends_with("ing"));
    no || turns || stop || WRONG.iter().any(begins) || sentence.text.ends_with("I meant.")
}

/// Finds commands of the human that took back what the agent had changed.
pub(super) fn reverts(timeline: &Timeline<'_>) -> Vec<Fact> {
    let mut found = Vec::new();
    let mut edited: Vec<String> = Vec::new();
    for item in &timeline.items {
        let Body::ToolCall(call) = &item.body else { continue };
        match call.action.as_deref() {
            Some(Action::Edit { changes }) => {
                edited.extend(changes.iter().map(|change: &Change| timeline.path(&change.path)));
            }
            Some(Action::Shell { command, by_human: true, .. }) => {
                let Some(lost) = taken_back(command, &edited) else { continue };
                let words = format!(
                    "the user ran `{}`, which took back the agent's changes of {lost}",
                    text::line(command, 160)
                );
                let place = (item.turn, item.id.as_ref());
                found.push(Fact::new(FactKind::Correction, Trust::S, words, place));
                edited.clear();
            }
            _ => {}
        }
    }
    found
}

/// Returns which of the edited files a command of git takes back, as words.
fn taken_back(command: &str, edited: &[String]) -> Option<String> {
    let words: Vec<&str> = command.split_whitespace().collect();
    let ["git", verb, rest @ ..] = words.as_slice() else { return None };
    let staged = rest.contains(&"--staged") && !rest.contains(&"--worktree");
    let whole = match *verb {
        "checkout" | "restore" if staged => return None,
        "checkout" | "restore" => rest.contains(&"."),
        "reset" => rest.contains(&"--hard"),
        "revert" => true,
        _ => return None,
    };
    let named = |path: &&String| rest.iter().any(|word| word.trim_start_matches("./") == **path);
    let mut lost: Vec<&str> =
        edited.iter().filter(|path| whole || named(path)).map(String::as_str).collect();
    lost.sort_unstable();
    lost.dedup();
    (!lost.is_empty()).then(|| text::line(&lost.join(", "), 200))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(text: &str) -> Sentence {
        super::super::sentence::typed(text).remove(0)
    }

    #[test]
    fn corrections_are_told_from_answers() {
        let wrong = [
            "No, the other file.",
            "still fails",
            "Stop adding comments",
            "you forgot the tests",
            "Is it implemented already I meant.",
        ];
        for text in wrong {
            assert!(corrects(&first(text), false), "{text}");
        }
        let fine =
            ["No, thanks", "no need", "not sure", "Stop the server", "No", "Nothing", "Wrong?"];
        for text in fine {
            assert!(!corrects(&first(text), text == "No"), "{text}");
        }
    }

    #[test]
    fn only_what_the_agent_changed_is_taken_back() {
        let edited = ["src/a.rs".to_owned(), "src/b.rs".to_owned()];
        let lost = |command: &str| taken_back(command, &edited);
        assert_eq!(lost("git checkout -- src/a.rs").as_deref(), Some("src/a.rs"));
        assert_eq!(lost("git reset --hard").as_deref(), Some("src/a.rs, src/b.rs"));
        assert_eq!(lost("git restore ./src/b.rs").as_deref(), Some("src/b.rs"));
        assert_eq!(lost("git checkout main"), None);
        assert_eq!(lost("git restore --staged ."), None);
        assert_eq!(lost("cargo test src/a.rs"), None);
    }
}
