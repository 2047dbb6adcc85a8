//! Which pull requests were merged: by what the session ran, by what it saw, by the user's words.

use std::collections::HashMap;

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
/// In how many rows at its head an output tells fields of a page.
const HEAD_ROWS: usize = 12;

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
    let all = shell::raw(line);
    let found: Vec<_> = all.iter().filter_map(told).collect();
    let is_one = found.windows(2).all(|pair| pair[0].0 == pair[1].0);
    let output = done.output();
    // What else ran may have printed the state of another, or of nothing.
    let is_alone =
        all.iter().filter(|(part, _)| !part.trim_start().starts_with("cd ")).count() == 1;
    let says_so = || {
        let first = all.iter().find(|(part, _)| !part.trim_start().starts_with("cd "));
        let is_first = first.is_some_and(|(part, _)| asks_state_first(part));
        shows_merged(&output, is_alone) || is_first && begins_merged(&output)
    };
    let went_well = done.result?.exit_code == Some(0) && !output.contains(QUEUED);
    let did = || found.iter().any(|(_, is_done)| *is_done);
    let is_merged = is_one && went_well && (did() || says_so());
    found.into_iter().next().map(|(one, _)| one).filter(|_| is_merged)
}

/// Whether an output is the state of a page that is merged: as JSON, or where nothing else was printed, as
/// the word that was asked for or as a field of its own.
fn shows_merged(output: &str, is_alone: bool) -> bool {
    let json = serde_json::from_str::<serde_json::Value>(output);
    if let Ok(serde_json::Value::Object(shown)) = json {
        return shown.get("state").is_some_and(|state| state == "MERGED");
    }
    let is_field = |row: &str| {
        let field = row.split_once(':').filter(|(name, _)| *name == "state");
        field.is_some_and(|(_, state)| state.trim() == "MERGED")
            || row.split_whitespace().any(|word| word == "state=MERGED")
    };
    is_alone && (output.trim() == "MERGED" || output.lines().take(HEAD_ROWS).any(is_field))
}

/// Whether a command prints the state of a page before anything else.
fn asks_state_first(part: &str) -> bool {
    let asked = [" --jq ", " -q ", " --jq=", " -q="].iter().find_map(|it| part.split_once(it));
    let filter = asked.map(|(_, rest)| rest.trim_start_matches(['\'', '"', '\\', '(']));
    part.starts_with("gh pr view ")
        && filter.is_some_and(|filter| {
            let rest = filter.strip_prefix(".state");
            rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
        })
}

/// Whether the first word of an output says it.
fn begins_merged(output: &str) -> bool {
    output.lines().next().and_then(|row| row.split_whitespace().next()) == Some("MERGED")
}

/// What stands before the number of a page in a sentence that says that it is merged.
const NAMED: &[&str] = &["", "pr", "the pr", "pull request", "the pull request", "mr", "the mr"];
/// What stands behind it, and says that.
const IS_MERGED: &[&str] = &[
    "is merged",
    "is merged now",
    "is now merged",
    "is already merged",
    "was merged",
    "got merged",
    "has been merged",
    "merged",
];
/// What says of somebody's own that it was merged, before it.
const DID_MERGE: &[&str] = &["i merged", "i've merged", "i have merged", "i just merged"];

/// Returns the numbers of the pull requests of which the user said that they are merged, each with the turn
/// that began so.
pub(super) fn told(timeline: &Timeline<'_>) -> HashMap<String, u32> {
    let requests = timeline.requests().flat_map(|(item, message)| {
        let words = text::plain(&message.words());
        let lines = words.lines().filter(|line| line.contains("erged"));
        let numbers = lines.flat_map(words::sentences).filter_map(number);
        numbers.map(|number| (number, item.turn)).collect::<Vec<_>>()
    });
    requests.collect()
}

/// Returns the number of the page of which a sentence says, and nothing else, that it is merged: a list of
/// what denies or doubts it would never be whole.
fn number(sentence: &str) -> Option<String> {
    let low = sentence.to_lowercase().replace('’', "'");
    let low = low.trim().trim_end_matches(['.', '!']);
    let words: Vec<&str> = low.split_whitespace().collect();
    let at = words.iter().position(|word| word.contains(|c: char| c.is_ascii_digit()))?;
    let (before, behind) = (words[..at].join(" "), words[at + 1..].join(" "));
    let digits = words[at].strip_prefix('#').unwrap_or(words[at]);
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    let is_said = NAMED.contains(&before.as_str()) && IS_MERGED.contains(&behind.as_str());
    let named = DID_MERGE.iter().find_map(|did| before.strip_prefix(did)).map(str::trim_start);
    // Without a mark it may be a count.
    let is_page =
        |named: &str| NAMED.contains(&named) && (!named.is_empty() || digits != words[at]);
    let did = behind.is_empty() && named.is_some_and(is_page);
    (is_number && (is_said || did)).then(|| digits.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{asks_state_first, begins_merged, number, shows_merged};

    #[test]
    fn a_state_that_is_asked_for_first_is_the_first_word() {
        for part in [
            "gh pr view 12 --json state --jq .state",
            r#"gh pr view 12 --json state,mergeable --jq '"\(.state) \(.mergeable)"'"#,
        ] {
            assert!(asks_state_first(part), "{part}");
        }
        for part in [
            "gh pr view 12 --json title,state --jq '.title, .state'",
            "gh pr view 12 --json stateful --jq .stateful",
            "gh pr view 12",
            "gh pr list --json state --jq .state",
        ] {
            assert!(!asks_state_first(part), "{part}");
        }
        assert!(begins_merged("MERGED UNKNOWN head=a1\nnext") && !begins_merged("OPEN MERGED"));
    }

    #[test]
    fn the_user_says_which_are_merged() {
        for words in ["17 is merged", "PR #17 is merged now.", "I merged #17", "I’ve merged PR 17!"]
        {
            assert_eq!(number(words).as_deref(), Some("17"), "{words}");
        }
        for words in [
            "is 17 merged?",
            "17 is not merged",
            "17 was never merged",
            "once 17 is merged, deploy",
            "17 must be merged today",
            "I want 17 merged",
            "check whether 17 is merged",
            "I merged 17 commits of main into it",
            "I merged 17",
            "I merged main, now 17 has conflicts",
            "https://example.com/a/b/pull/17 is merged",
            "17 is almost merged",
            "look at 17",
        ] {
            assert_eq!(number(words), None, "{words}");
        }
    }

    #[test]
    fn a_state_is_shown_in_json_or_in_few_words() {
        let field = "title:\tMend it\nstate:\tMERGED\nauthor:\tbob\n";
        for output in [r#"{"state": "MERGED"}"#, "MERGED\n", "17 state=MERGED at=x\n", field] {
            assert!(shows_merged(output, true), "{output}");
        }
        for output in [
            r#"{"state": "OPEN", "title": "MERGED"}"#,
            "OPEN",
            "17 OPEN\n18 MERGED\n",
            "Handle the MERGED state",
            "CLOSED\n16 fix MERGED",
            "title:\tstate: MERGED",
        ] {
            assert!(!shows_merged(output, true), "{output}");
        }
    }
}
