//! What does not work in this place, whatever the work is, and what does instead.

use super::git::from_verb;
use crate::derive::open_work::is_by_human;
use crate::derive::timeline::{Done, Timeline};
use crate::derive::{shell, text};

/// How many characters of what went wrong are told.
const ERROR_CHARS: usize = 120;

/// A limit that many places have.
struct Limit {
    /// What it stops.
    name: &'static str,
    /// How the commands of that begin.
    commands: &'static [&'static str],
    /// With which words they begin a row that says so.
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
        commands: &["gh "],
        says: &["To get started with GitHub CLI, please run"],
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
        says: &["Host key verification failed", "Permission denied (publickey)"],
        with: &["GIT_SSH_COMMAND="],
    },
];

/// Returns what was seen not to work here and did not work since as it stood, each with the last call that shows it.
pub(super) fn limits<'s>(timeline: &Timeline<'s>) -> Vec<(String, Done<'s>)> {
    LIMITS.iter().filter_map(|limit| limit.told(timeline)).collect()
}

impl Limit {
    fn told<'s>(&self, timeline: &Timeline<'s>) -> Option<(String, Done<'s>)> {
        let (mut with, mut last, mut is_run_by_user) = (None, None, false);
        for done in timeline.own().rev().filter(|done| done.result.is_some()) {
            let Some(part) = self.part(&done) else { continue };
            if let Some(row) = self.said(&done) {
                last = Some((row, done));
                break;
            }
            if is_by_human(done.call) {
                is_run_by_user |= done.worked();
            } else if done.worked() {
                let given = self.given(&part)?;
                with = with.or(given);
            }
        }
        let (error, done) = last?;
        let name = self.name;
        let with = with.map(|with| format!("; with `{with}` it does")).unwrap_or_default();
        let user = if is_run_by_user { "; the user ran it" } else { "" };
        Some((format!("`{name}` does not work here as it stands: {error}{with}{user}"), done))
    }

    /// Returns the last command of a call that is one of these and runs in the folder of the session, with what is set
    /// before it.
    fn part(&self, done: &Done<'_>) -> Option<String> {
        let program = self.name.split(' ').next().unwrap_or_default();
        let line = done.command().filter(|line| line.contains(program))?;
        if done.folder_elsewhere().is_some() {
            return None;
        }
        let is_it = |(part, _): &(String, String)| {
            let bare = shell::bare(part.trim());
            let part = from_verb(&bare);
            self.commands.iter().any(|form| part.starts_with(form))
        };
        shell::raw(line).into_iter().rfind(is_it).map(|(part, _)| part)
    }

    /// Returns the row of an output that says so, of a call that failed or of which something hides whether it did.
    fn said(&self, done: &Done<'_>) -> Option<String> {
        let may_hide = || done.command().is_some_and(|line| line.contains(['|', ';', '\n']));
        if done.worked() && !may_hide() {
            return None;
        }
        let output = done.output();
        let says = |row: &&str| self.says.iter().any(|words| row.starts_with(words));
        let said = |row: &'_ str| -> Option<String> {
            let bare = ["error: ", "fatal: "].iter().find_map(|mark| row.strip_prefix(mark));
            // Before what a server says stands its name, and what a loop goes through may.
            let bare = bare.unwrap_or(row);
            let behind = bare.split_once(": ").map(|(_, behind)| behind);
            [Some(bare), behind].into_iter().flatten().find(says).map(str::to_owned)
        };
        let row = output.lines().find_map(|row| said(row.trim()))?;
        Some(text::line(row.split(". ").next().unwrap_or_default(), ERROR_CHARS))
    }

    /// Returns what a command is given to get round it, with its value, as far as that can be told; nothing if it is
    /// given none of it.
    fn given(&self, part: &str) -> Option<Option<String>> {
        let words: Vec<&str> = part.split_whitespace().collect();
        let is_it = |word: &&str| {
            self.with.iter().any(|with| match with.ends_with('=') {
                true => word.starts_with(with),
                false => {
                    word == with || word.strip_prefix(with).is_some_and(|it| it.starts_with('='))
                }
            })
        };
        let at = words.iter().position(is_it)?;
        let needs_value = matches!(words[at], "-R" | "--repo");
        let told =
            if needs_value { words.get(at..at + 2)?.join(" ") } else { words[at].to_owned() };
        Some((!told.contains(['$', '`', '"', '\''])).then_some(told))
    }
}
