//! What became of pages, such as that a pull request was merged: by what the session ran, by what it saw, by the user's
//! words.

use std::collections::HashMap;

use super::numbers::{number_of, repository_of};
use crate::derive::timeline::{Done, Timeline};
use crate::derive::{shell, text, words};

/// What became of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Merged,
    Closed,
    /// It is open, be it again.
    Open,
}

/// A page of which something was done, or seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fated {
    pub number: String,
    /// The repository, where it was named.
    pub repository: Option<String>,
    /// What the page is.
    pub what: &'static str,
    pub fate: Fate,
    /// Whether it was done here, and not only seen.
    pub by_act: bool,
}

/// Commands that decide on a page or show its state: what that is, and what they make of it.
pub(super) const DECIDING: &[(&str, &str, Option<Fate>)] = &[
    ("gh pr merge ", "pull request", Some(Fate::Merged)),
    ("gh pr close ", "pull request", Some(Fate::Closed)),
    ("gh pr reopen ", "pull request", Some(Fate::Open)),
    ("gh pr view ", "pull request", None),
    ("gh issue close ", "issue", Some(Fate::Closed)),
    ("gh issue reopen ", "issue", Some(Fate::Open)),
    ("gh issue view ", "issue", None),
    ("glab mr merge ", "merge request", Some(Fate::Merged)),
    ("glab mr close ", "merge request", Some(Fate::Closed)),
    ("glab mr reopen ", "merge request", Some(Fate::Open)),
    ("glab issue close ", "issue", Some(Fate::Closed)),
    ("glab issue reopen ", "issue", Some(Fate::Open)),
];
/// Options by which a command does not decide now.
const NOT_NOW: &[&str] = &["--auto", "--disable-auto", "--help", "-h"];
/// What an output says where it was only put into a row.
const QUEUED: &str = "merge queue";
/// How rows begin by which a program says what it did to a page.
const DID: &[(&str, &str, Fate)] = &[
    ("✓ Closed pull request ", "pull request", Fate::Closed),
    ("✓ Closed issue ", "issue", Fate::Closed),
    ("✓ Reopened pull request ", "pull request", Fate::Open),
    ("✓ Reopened issue ", "issue", Fate::Open),
    ("✓ Merged pull request ", "pull request", Fate::Merged),
    ("✓ Squashed and merged pull request ", "pull request", Fate::Merged),
    ("✓ Rebased and merged pull request ", "pull request", Fate::Merged),
];
/// How a state is written that a page is shown to have.
const STATES: &[(&str, Fate)] =
    &[("MERGED", Fate::Merged), ("CLOSED", Fate::Closed), ("OPEN", Fate::Open)];
/// In how many rows at its head an output tells fields of a page.
const HEAD_ROWS: usize = 12;

/// Returns the pages on which a call decided, or of which it showed the state.
pub(super) fn decided(done: &Done<'_>) -> Vec<Fated> {
    let is_of_pages = |line: &&str| {
        ["gh pr ", "gh issue ", "glab mr ", "glab issue "].iter().any(|form| line.contains(form))
    };
    let Some(line) = done.command().filter(is_of_pages) else { return Vec::new() };
    let output = done.output();
    let said: Vec<_> = output.lines().filter_map(said).collect();
    if said.is_empty() { by_command(done, line, &output).into_iter().collect() } else { said }
}

/// Reads a row in which a program says what it did to a page: `✓ Closed issue ada/tool#7 (Title)`.
fn said(row: &str) -> Option<Fated> {
    let (rest, what, fate) = DID
        .iter()
        .find_map(|(form, what, fate)| Some((row.trim().strip_prefix(form)?, *what, *fate)))?;
    let named = rest.split_whitespace().next()?;
    let (repository, number) = named.split_once('#')?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let repository = Some(repository.to_owned()).filter(|name| !name.is_empty());
    is_number.then(|| Fated { number: number.to_owned(), repository, what, fate, by_act: true })
}

/// Returns the page that the command of a call names, if there is one, and what became of it by that or by what was
/// printed.
fn by_command(done: &Done<'_>, line: &str, output: &str) -> Option<Fated> {
    let all = shell::raw(line);
    // What hangs on a failure may stand for the whole chain.
    let is_sure = !all.iter().any(|(_, joint)| joint == "||");
    let told = |(part, joint): &(String, String)| {
        let part = part.trim_start();
        let (form, what, does) = DECIDING.iter().find(|(form, ..)| part.starts_with(form))?;
        let number = number_of(part)?;
        let repository = repository_of(part).map(str::to_owned);
        let mut words = part[form.len()..].split_whitespace();
        let is_now = !words.any(|word| NOT_NOW.iter().any(|option| word.starts_with(option)));
        // Behind a pipe nobody knows how it ended.
        let did = does.filter(|_| is_now && is_sure && matches!(joint.as_str(), "" | "&&"));
        Some((number, repository, *what, did))
    };
    let found: Vec<_> = all.iter().filter_map(told).collect();
    let is_one = found.windows(2).all(|pair| pair[0].0 == pair[1].0);
    // What else ran may have printed the state of another, or of nothing.
    let is_alone =
        all.iter().filter(|(part, _)| !part.trim_start().starts_with("cd ")).count() == 1;
    let shown = || {
        let first = all.iter().find(|(part, _)| !part.trim_start().starts_with("cd "));
        let is_first = first.is_some_and(|(part, _)| asks_state_first(part));
        shown(output, is_alone).or_else(|| begins(output).filter(|_| is_first))
    };
    let went_well = done.result?.exit_code == Some(0) && !output.contains(QUEUED);
    let did = found.iter().rev().find_map(|(.., did)| *did);
    let fate = did.or_else(shown).filter(|_| is_one && went_well)?;
    let (number, repository, what, _) = found.into_iter().next()?;
    Some(Fated { number, repository, what, fate, by_act: did.is_some() })
}

fn state(word: &str) -> Option<Fate> {
    STATES.iter().find(|(name, _)| *name == word).map(|(_, fate)| *fate)
}

/// Reads an output that is the state of a page: as JSON, or where nothing else was printed, as the word that was
/// asked for or as a field of its own.
fn shown(output: &str, is_alone: bool) -> Option<Fate> {
    let json = serde_json::from_str::<serde_json::Value>(output);
    if let Ok(serde_json::Value::Object(shown)) = json {
        return state(shown.get("state")?.as_str()?);
    }
    let field = |row: &str| {
        let field = row.split_once(':').filter(|(name, _)| *name == "state");
        let word = || row.split_whitespace().find_map(|word| state(word.strip_prefix("state=")?));
        field.and_then(|(_, value)| state(value.trim())).or_else(word)
    };
    let told = || output.lines().take(HEAD_ROWS).find_map(field);
    if is_alone { state(output.trim()).or_else(told) } else { None }
}

/// Whether a command prints the state of a page before anything else.
fn asks_state_first(part: &str) -> bool {
    let asked = [" --jq ", " -q ", " --jq=", " -q="].iter().find_map(|it| part.split_once(it));
    let filter = asked.map(|(_, rest)| rest.trim_start_matches(['\'', '"', '\\', '(']));
    (part.starts_with("gh pr view ") || part.starts_with("gh issue view "))
        && filter.is_some_and(|filter| {
            let rest = filter.strip_prefix(".state");
            rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
        })
}

/// Reads the first word of an output as the state of a page.
fn begins(output: &str) -> Option<Fate> {
    state(output.lines().next()?.split_whitespace().next()?)
}

impl Fated {
    /// By what the page is known again.
    pub(super) fn page(&self) -> String {
        format!("{} {}#{}", self.what, self.repository.as_deref().unwrap_or_default(), self.number)
    }

    /// Says what was done to the page.
    pub(super) fn told(&self) -> String {
        let verb = match self.fate {
            Fate::Merged => "merged",
            Fate::Closed => "closed",
            Fate::Open => "reopened",
        };
        let repository = self.repository.as_deref().unwrap_or_default();
        format!("{verb} {} {repository}#{}", self.what, self.number)
    }
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
    use super::{Fate, asks_state_first, begins, number, said, shown};

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
        assert_eq!(begins("MERGED UNKNOWN head=a1\nnext"), Some(Fate::Merged));
        assert_eq!(begins("OPEN MERGED"), Some(Fate::Open));
        assert_eq!(begins("it is MERGED"), None);
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
            assert_eq!(shown(output, true), Some(Fate::Merged), "{output}");
        }
        for output in [
            r#"{"state": "OPEN", "title": "MERGED"}"#,
            "OPEN",
            "17 OPEN\n18 MERGED\n",
            "Handle the MERGED state",
            "CLOSED\n16 fix MERGED",
            "title:\tstate: MERGED",
        ] {
            assert_ne!(shown(output, true), Some(Fate::Merged), "{output}");
        }
        assert_eq!(shown(r#"{"state": "CLOSED"}"#, false), Some(Fate::Closed));
        assert_eq!(shown("CLOSED\n", false), None);
    }

    #[test]
    fn a_program_says_what_it_did_to_a_page() {
        let told = |row: &str| said(row).map(|it| it.told());
        for (row, want) in [
            ("✓ Closed pull request ada/tool#9 (Mend it)", "closed pull request ada/tool#9"),
            ("✓ Closed issue #12 (It fails)", "closed issue #12"),
            ("✓ Reopened issue ada/tool#12 (It fails)", "reopened issue ada/tool#12"),
            ("✓ Squashed and merged pull request ada/tool#7 (x)", "merged pull request ada/tool#7"),
        ] {
            assert_eq!(told(row).as_deref(), Some(want));
        }
        for row in ["✓ Closed issue of #x", "Closed issue ada/tool#12", "✓ Deleted branch x"] {
            assert_eq!(told(row), None, "{row}");
        }
    }
}
