//! Which pull requests were merged: by what the session ran, by what it saw, by the user's words.

use std::collections::HashSet;

use crate::derive::shell;
use crate::derive::text;
use crate::derive::timeline::{Done, Timeline};
use crate::derive::words;

/// Commands that merge a page or show its state, and whether they merge.
const MERGING: &[(&str, bool)] =
    &[("gh pr merge ", true), ("glab mr merge ", true), ("gh pr view ", false)];
/// Options by which a command does not merge now.
const NOT_NOW: &[&str] = &["--auto", "--disable-auto", "--help", "-h"];
/// What an output says where it was only put into a row.
const QUEUED: &str = "merge queue";
/// An output of more bytes holds more than a state.
const STATE_BYTES: usize = 600;

/// A pull request that is merged: its number, and the repository where the command named it.
type Merged = (String, Option<String>);

/// Returns the pull request that a command merged, or showed to be merged.
pub(super) fn merges(done: &Done<'_>) -> Option<Merged> {
    let line =
        done.command().filter(|line| line.contains("gh pr ") || line.contains("glab mr "))?;
    let told = |(part, joint): &(String, String)| {
        let (form, merges) = MERGING.iter().find(|(form, _)| part.starts_with(form))?;
        let words: Vec<&str> = part[form.len()..].split_whitespace().collect();
        let number = words.first().filter(|word| word.bytes().all(|byte| byte.is_ascii_digit()))?;
        let named = words.iter().position(|word| matches!(*word, "-R" | "--repo"));
        let repository = named.and_then(|at| words.get(at + 1)).map(|name| (*name).to_owned());
        let is_now =
            !words.iter().any(|word| NOT_NOW.iter().any(|option| word.starts_with(option)));
        // Behind a pipe nobody knows how it ended.
        let is_done = *merges && is_now && matches!(joint.as_str(), "" | "&&");
        Some((((*number).to_owned(), repository), is_done))
    };
    let found: Vec<_> = shell::raw(line).iter().filter_map(told).collect();
    let is_one = found.windows(2).all(|pair| pair[0].0 == pair[1].0);
    let output = done.output();
    let says_so = || line.contains("state") && shows_merged(&output);
    let went_well = done.result?.exit_code == Some(0) && !output.contains(QUEUED);
    let did = || found.iter().any(|(_, is_done)| *is_done);
    let is_merged = is_one && went_well && (did() || says_so());
    found.into_iter().next().map(|(one, _)| one).filter(|_| is_merged)
}

/// Whether an output is the state of a page that is merged: as JSON, or in few words.
fn shows_merged(output: &str) -> bool {
    let json = serde_json::from_str::<serde_json::Value>(output);
    let is_word = || output.split(|c: char| !c.is_alphanumeric()).any(|word| word == "MERGED");
    match json {
        Ok(serde_json::Value::Object(shown)) => {
            shown.get("state").is_some_and(|state| state == "MERGED")
        }
        _ => output.len() <= STATE_BYTES && is_word() && !output.contains("OPEN"),
    }
}

/// By which a sentence does not say that something is merged.
const NOT_SAID: &[&str] = &[
    "?", "not ", "n't", "if ", "when", "once", "after", "until", "before", "should", "to be ",
    "will ", "can ", "unmerged", "get ",
];
/// A longer sentence speaks of more.
const MOST_WORDS: usize = 14;

/// Returns the numbers of the pull requests of which the user said that they are merged.
pub(super) fn told(timeline: &Timeline<'_>) -> HashSet<String> {
    let said = timeline.requests().flat_map(|(_, message)| numbers(&text::plain(&message.words())));
    said.collect()
}

fn numbers(words: &str) -> Vec<String> {
    let says = |sentence: &&str| {
        let low = sentence.to_lowercase().replace('’', "'");
        let is_short = low.split_whitespace().count() <= MOST_WORDS;
        is_short && low.contains("merged") && !NOT_SAID.iter().any(|form| low.contains(form))
    };
    let number = |word: &str| {
        let digits = word.rsplit(['#', '/', '-']).next().unwrap_or_default();
        let digits = digits.trim_end_matches(|c: char| !c.is_ascii_digit());
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| digits.to_owned())
    };
    let sentences = words.lines().flat_map(words::sentences).filter(says);
    sentences.flat_map(str::split_whitespace).filter_map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::{numbers, shows_merged};

    #[test]
    fn the_user_says_which_are_merged() {
        assert_eq!(numbers("17 is merged"), ["17"]);
        assert_eq!(numbers("Fine. I merged #17, and pr-18 too. Deploy 3."), ["17", "18"]);
        for words in [
            "is 17 merged?",
            "17 is not merged",
            "once 17 is merged, deploy",
            "tell me when 17 gets merged",
            "look at 17",
        ] {
            assert_eq!(numbers(words), Vec::<String>::new(), "{words}");
        }
    }

    #[test]
    fn a_state_is_shown_in_json_or_in_few_words() {
        for output in [r#"{"state": "MERGED"}"#, "MERGED\n", "17 state=MERGED at=2026-01-02\n"] {
            assert!(shows_merged(output), "{output}");
        }
        for output in [r#"{"state": "OPEN", "title": "MERGED"}"#, "OPEN", "17 OPEN\n18 MERGED\n"] {
            assert!(!shows_merged(output), "{output}");
        }
        assert!(!shows_merged(&format!("MERGED {}", "word ".repeat(200))));
    }
}
