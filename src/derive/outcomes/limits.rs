//! What does not work in this place, whatever the work is, and what does instead.

use super::git::from_verb;
use crate::derive::open_work::is_by_human;
use crate::derive::text;
use crate::derive::timeline::{Done, Timeline};

/// How many characters of what went wrong are told.
const ERROR_CHARS: usize = 120;

/// A limit that many places have.
struct Limit {
    /// What it stops.
    name: &'static str,
    /// How the commands of that begin.
    commands: &'static [&'static str],
    /// By which words in a row they say so.
    says: &'static [&'static str],
    /// What lets them work all the same.
    with: &'static [&'static str],
}

/// Commands of it that ask for the repository at hand.
const GH: &[&str] = &["gh issue ", "gh pr ", "gh release ", "gh run ", "gh workflow "];

const LIMITS: &[Limit] = &[
    Limit {
        name: "gh",
        commands: GH,
        says: &["none of the git remotes configured for this repository"],
        with: &["-R", "--repo", "GH_REPO="],
    },
    Limit {
        name: "gh",
        commands: GH,
        says: &["please run:  gh auth login", "please run: gh auth login"],
        with: &["GH_TOKEN=", "GITHUB_TOKEN="],
    },
    Limit {
        name: "git commit",
        commands: &["git commit"],
        says: &["gpg failed to sign the data"],
        with: &["--no-gpg-sign", "commit.gpgsign=false", "commit.gpgSign=false"],
    },
    Limit {
        name: "git push",
        commands: &["git push"],
        says: &["Permission denied (publickey)", "Host key verification failed"],
        with: &[],
    },
];

/// Returns what was seen not to work here and did not work since as it stood, each with the last call that shows it.
pub(super) fn limits<'s>(timeline: &Timeline<'s>) -> Vec<(String, Done<'s>)> {
    LIMITS.iter().filter_map(|limit| limit.told(timeline)).collect()
}

impl Limit {
    fn told<'s>(&self, timeline: &Timeline<'s>) -> Option<(String, Done<'s>)> {
        let (mut with, mut last, mut is_run_by_user) = (None, None, false);
        for done in
            timeline.own().rev().filter(|done| done.result.is_some() && self.runs(timeline, done))
        {
            let output = done.output();
            if let Some(row) = output.lines().find(|row| self.is_said_in(row)) {
                let first = row.split(". ").next().unwrap_or(row);
                last = Some((text::line(first.trim(), ERROR_CHARS), done));
                break;
            }
            if is_by_human(done.call) {
                is_run_by_user |= done.worked();
                continue;
            }
            let given = self.given(done.command().unwrap_or_default());
            if given.is_none() && done.worked() {
                return None;
            }
            with = with.or(given.filter(|_| done.worked()));
        }
        let (error, done) = last?;
        let with = with.map(|with| format!("; with `{with}` it does")).unwrap_or_default();
        let user = if is_run_by_user { "; the user ran it" } else { "" };
        let name = self.name;
        Some((format!("`{name}` does not work here as it stands: {error}{with}{user}"), done))
    }

    fn runs(&self, timeline: &Timeline<'_>, done: &Done<'_>) -> bool {
        let is_it = |part: &String| {
            let part = from_verb(part);
            self.commands.iter().any(|form| part.starts_with(form))
        };
        let program = self.name.split(' ').next().unwrap_or_default();
        done.command().is_some_and(|line| line.contains(program))
            && timeline.parts(done).iter().any(is_it)
    }

    fn is_said_in(&self, row: &str) -> bool {
        self.says.iter().any(|words| row.contains(words))
    }

    /// Returns what a command line gives to get round it, with its value.
    fn given(&self, line: &str) -> Option<String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let at =
            words.iter().position(|word| self.with.iter().any(|with| word.starts_with(with)))?;
        let is_whole =
            words[at].contains('=') || !words[at].starts_with("-R") && words[at] != "--repo";
        let told = if is_whole { words[at].to_owned() } else { words.get(at..at + 2)?.join(" ") };
        (!told.contains(['$', '`', '"', '\''])).then_some(told)
    }
}
