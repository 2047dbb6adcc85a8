//! Commits of the session, and what they settle.

use std::collections::HashMap;

use super::checks::Check;
use super::lines::Late;
use super::recognise::Ended;
use super::runs::Run;
use crate::derive::here::without_here_documents;
use crate::derive::shell;
use crate::derive::text;
use crate::derive::timeline::{Done, Timeline};

/// A commit that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::derive) struct Commit {
    /// The number of the call, from 0.
    pub index: usize,
    /// The start of its digest, where it was printed.
    pub sha: Option<String>,
    /// Its first line, as it was printed or given.
    pub subject: Option<String>,
    /// The id of the call.
    pub item: String,
}

/// What `git` prints where it commits nothing.
const NOTHING: &[&str] = &["nothing to commit", "no changes added to commit"];

/// Finds the commits, in order; `late` has how commands went on that were waited for.
pub(super) fn commits(timeline: &Timeline<'_>, late: &HashMap<usize, Late>) -> Vec<Commit> {
    let commits = |done: Done<'_>| commit(&done, late.get(&done.index));
    timeline.done().filter(|done| !done.refused()).filter_map(commits).collect()
}

/// Returns the commit that a call made; `late` is how its command went on where it was waited for.
fn commit(done: &Done<'_>, late: Option<&Late>) -> Option<Commit> {
    let line = done.command().filter(|line| commits_something(line))?;
    let output = Late::output_of(done, late);
    let is_nothing = |no: &&str| output.contains(no);
    let printed = output.lines().rev().find_map(printed);
    let made = match Late::ended(done, late) {
        Ended::Passed => true,
        // What it printed shows that it was made, unless what stopped it printed that.
        Ended::Failed => printed.is_some() && !ends_with_commit(line),
        Ended::Unknown => printed.is_some(),
    };
    if !made || NOTHING.iter().any(is_nothing) {
        return None;
    }
    let (sha, subject) = printed.unzip();
    let subject = subject.or_else(|| message(line));
    Some(Commit { index: done.index, sha, subject, item: done.item.id.to_string() })
}

/// Returns the first line of the message that the last commit of a command line is given.
fn message(line: &str) -> Option<String> {
    let line = without_here_documents(line);
    let commits = |part: &&(String, String)| commits_something(&part.0);
    let parts = shell::raw(&line);
    let words = shlex::split(&parts.iter().rev().find(commits)?.0)?;
    let gives = |word: &String| {
        let is_short = word.starts_with('-') && !word.starts_with("--") && word.ends_with('m');
        word == "--message" || is_short
    };
    let given = words.iter().skip_while(|word| !gives(word)).nth(1)?;
    let first = given.lines().map(str::trim).find(|row| !row.is_empty())?;
    let is_told = !first.starts_with(['$', '`']) && first.contains(char::is_alphabetic);
    is_told.then(|| text::line(first.trim_end_matches([' ', '…']), 100))
}

/// Whether the last command of a line that matters makes a commit: then it is that which failed, if one
/// did.
fn ends_with_commit(line: &str) -> bool {
    let last = shell::joined(line).into_iter().rfind(|(part, _)| !part.is_empty());
    last.is_none_or(|(part, _)| commits_something(&part))
}

/// Whether a command line makes a commit.
pub(in crate::derive) fn commits_something(line: &str) -> bool {
    let is_commit = |part: &String| {
        let mut words = part.split_whitespace().filter(|word| *word != "-C");
        words.next() == Some("git") && words.take(3).any(|word| word == "commit")
    };
    line.contains("commit") && shell::parts(line).iter().any(is_commit)
}

/// Returns the number of the last call that shows that nothing was left to commit, or that moved
/// the working tree to another commit.
pub(super) fn settled(timeline: &Timeline<'_>) -> Option<usize> {
    let moves = |part: &String| {
        let mut words = part.split_whitespace();
        let program = words.next().unwrap_or_default();
        let next = words.next().unwrap_or_default();
        // A new branch takes along what is not committed, and what is put aside comes back.
        let makes = words.any(|word| matches!(word, "-b" | "-B" | "-c" | "-C" | "--"));
        let tree = ["rebase", "pull", "merge", "switch", "checkout", "reset"];
        (program == "git" && tree.contains(&next) && !makes) || part.starts_with("gh pr merge")
    };
    let last = timeline.done().rev().find(|done| {
        let Some(line) = done.command().filter(|_| done.worked()) else { return false };
        let is_clean = || done.output().contains("working tree clean");
        line.contains("git status") && is_clean() || timeline.parts(done).iter().any(moves)
    });
    last.map(|done| done.index)
}

/// Reads `[branch 1a2b3c4] subject`.
fn printed(row: &str) -> Option<(String, String)> {
    let (head, subject) = row.strip_prefix('[')?.split_once("] ")?;
    let sha = head.split_whitespace().next_back()?;
    let is_sha = sha.len() >= 7 && sha.chars().all(|c| c.is_ascii_hexdigit());
    is_sha.then(|| (sha.to_owned(), text::line(subject, 100)))
}

/// Whether a failure is settled: something of the same kind passed after it, and that was committed.
pub(super) fn settle(check: &Check, runs: &[Run], commits: &[Commit]) -> bool {
    let passed = runs.iter().filter(|run| {
        let (asked, first) = (&run.asked, &check.run.asked);
        let broad = asked.bounds() <= first.bounds() && !asked.is_part_of(first);
        run.began > check.run.over
            && run.ended == Ended::Passed
            && !run.family.is_empty()
            && run.family == check.run.family
            && broad
    });
    let mut committed = passed.filter(|run| commits.iter().any(|commit| commit.index > run.over));
    check.run.ended != Ended::Passed && committed.next().is_some()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_message_of_a_commit_is_read_from_its_command() {
        let read = |line: &str| super::message(line);
        assert_eq!(
            read("git add . && git commit -qm 'Say it' && git push").as_deref(),
            Some("Say it")
        );
        let here = "git commit -m \"$(cat <<'EOF'\nSay it: in short\n\nMore.\nEOF\n)\"";
        assert_eq!(read(here).as_deref(), Some("Say it: in short"));
        for line in ["git commit --amend --no-edit", "git commit -m \"$words\"", "git commit -F x"]
        {
            assert_eq!(read(line), None, "{line}");
        }
    }

    #[test]
    fn the_line_of_a_commit_is_read() {
        let read = super::printed("[main (root-commit) 1a2b3c4] Say it: in short").unwrap();
        assert_eq!(read, ("1a2b3c4".to_owned(), "Say it: in short".to_owned()));
        assert_eq!(super::printed("[INFO deadbeef] x").map(|read| read.0), Some("deadbeef".into()));
        assert_eq!(super::printed("[ok] x"), None);
    }
}
