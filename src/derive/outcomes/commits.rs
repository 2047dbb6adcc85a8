//! Commits of the session, and what they settle.

use std::collections::HashMap;

use super::checks::Check;
use super::git::{Git, told_folder};
use super::lines::Late;
use super::recognise::Ended;
use super::run::Run;
use super::unseen::has_failed;
use crate::derive::here::document;
use crate::derive::place;
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
    /// The folder in which it was made, where that lies outside of the session's.
    pub elsewhere: Option<String>,
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
    let line = done.command().filter(|line| commits_something(line) || carries_over(line))?;
    let output = Late::output_of(done, late);
    let is_nothing = |no: &&str| output.contains(no);
    let given = message(line);
    let printed = output.lines().rev().find_map(printed);
    let listed = listed(line, &output).filter(|(_, subject)| {
        given.as_ref().is_none_or(|given| subject.starts_with(given.as_str()))
    });
    let is_shown = printed.is_some() || given.is_some() && listed.is_some();
    let made = match Late::ended(done, late) {
        Ended::Passed => {
            printed.is_some() || commits_something(line) && !has_failed(done, commits_something)
        }
        // What it printed shows that it was made, unless what stopped it printed that.
        Ended::Failed => is_shown && !ends_with_commit(line),
        Ended::Unknown => is_shown,
    };
    if !made || NOTHING.iter().any(is_nothing) {
        return None;
    }
    let (sha, subject) = printed.or(listed).unzip();
    Some(Commit {
        index: done.index,
        sha,
        subject: subject.or(given),
        elsewhere: place::elsewhere(line, done.cwd).or_else(|| told_elsewhere(line, done.cwd)),
        item: done.item.id.to_string(),
    })
}

/// Returns the folder outside of `cwd` in which git is told to commit.
fn told_elsewhere(line: &str, cwd: &str) -> Option<String> {
    let parts = shell::parts(line);
    let commit =
        parts.iter().rfind(|part| Git::of(part).is_some_and(|git| git.verb == "commit"))?;
    place::outside(told_folder(commit)?, cwd)
}

/// Returns the first line of the message that the last commit of a command line is given, as an argument or
/// as the text of a here document.
fn message(line: &str) -> Option<String> {
    let commits = |part: &&(String, String)| commits_something(&part.0);
    let parts = shell::raw(line);
    let raw = &parts.iter().rev().find(commits)?.0;
    let words = shlex::split(raw)?;
    let gives = |word: &String| {
        let is_short = word.starts_with('-') && !word.starts_with("--") && word.ends_with('m');
        word == "--message" || is_short
    };
    let reads = |pair: &[String]| matches!(pair[0].as_str(), "-F" | "--file") && pair[1] == "-";
    let given = match words.windows(2).any(reads) || words.iter().any(|word| word == "--file=-") {
        true => document(line, raw)?,
        false => words.iter().skip_while(|word| !gives(word)).nth(1)?.clone(),
    };
    let first = given.lines().map(str::trim).find(|row| !row.is_empty())?;
    let is_told = !first.starts_with(['$', '`']) && first.contains(char::is_alphabetic);
    is_told.then(|| text::line(first.trim_end_matches([' ', '…']), 100))
}

/// Reads the first row of a short listing of commits, if only one stands on the line, and behind the commit.
fn listed(line: &str, output: &str) -> Option<(String, String)> {
    let parts = shell::raw(line);
    let commit = parts.iter().rposition(|(part, _)| commits_something(part))?;
    let mut listings = parts.iter().enumerate().filter(|(_, (part, _))| lists_head(part));
    let (at, _) = listings.next()?;
    let is_only = at > commit && listings.next().is_none();
    output.lines().filter(|_| is_only).find_map(short_row)
}

/// Whether a command lists the newest commits of where it is, a row each.
fn lists_head(part: &str) -> bool {
    let mut words = part.split_whitespace();
    let is_log = words.next() == Some("git") && matches!(words.next(), Some("log" | "show"));
    let is_plain = |word: &str| {
        word == "HEAD" || word.starts_with('-') || word.bytes().all(|byte| byte.is_ascii_digit())
    };
    let mut is_short = false;
    let all = words.all(|word| {
        is_short |= word == "--oneline";
        is_plain(word) && word != "--reverse"
    });
    is_log && all && is_short
}

/// Reads `1a2b3c4 subject`, where what points at the commit may stand between.
fn short_row(row: &str) -> Option<(String, String)> {
    let (sha, rest) = row.split_once(' ')?;
    let is_sha = (7..=40).contains(&sha.len()) && sha.bytes().all(|c| c.is_ascii_hexdigit());
    let marked = rest.strip_prefix('(').and_then(|rest| rest.split_once(") "));
    let subject = marked.filter(|(refs, _)| refs.contains("HEAD")).map_or(rest, |(_, rest)| rest);
    is_sha.then(|| (sha.to_owned(), text::line(subject, 100)))
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

/// Whether a command line has git make a commit out of another one.
fn carries_over(line: &str) -> bool {
    let is_one = |part: &String| {
        let git = Git::of(part).filter(|git| matches!(git.verb, "revert" | "cherry-pick"));
        git.is_some_and(|git| !git.has(&["-n", "--no-commit", "--abort", "--quit"]))
    };
    (line.contains("revert") || line.contains("cherry-pick"))
        && shell::parts(line).iter().any(is_one)
}

/// Whether an output shows that a commit was made.
pub(in crate::derive) fn tells_of_commit(output: &str) -> bool {
    output.lines().any(|row| printed(row).is_some())
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
        // A run of something else says nothing of it, as of another file.
        let (asked, first) = (&run.asked, &check.run.asked);
        let broad = asked.is_as_wide(first)
            || asked.names_the_same(first)
            || asked.takes_what_failed(first);
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
    fn the_message_of_a_commit_is_read_from_a_here_document() {
        let line = "git add a && git commit -q -F - <<'EOF' 2>&1 | tail -3\nSay it\n\nMore.\nEOF\ngit push";
        assert_eq!(super::message(line).as_deref(), Some("Say it"));
    }

    #[test]
    fn a_commit_is_read_from_a_short_listing_behind_it() {
        let read = |line: &str, output: &str| super::listed(line, output).map(|read| read.0);
        let row = "Enumerating objects\n1a2b3c4 (HEAD -> main) Say it\n0a2b3c4 Before\n";
        for line in [
            "git commit -qm 'Say it'; git log --oneline -2",
            "git commit -q -F - <<'E'\nSay it\nE\ngit push -q 2>&1 | tail -1; git log --oneline -n 1",
            "git commit -q --amend --no-edit && git show --stat --oneline HEAD | head -8",
        ] {
            assert_eq!(read(line, row).as_deref(), Some("1a2b3c4"), "{line}");
        }
        for line in [
            "git log --oneline -1 && git commit -qm 'Say it'",
            "git log --oneline -1; git commit -qm 'Say it'; git log --oneline -1",
            "git commit -qm 'Say it' && git log --oneline origin/main",
            "git commit -qm 'Say it' && git log --oneline --reverse",
            "git commit -qm 'Say it' && git log",
        ] {
            assert_eq!(read(line, row), None, "{line}");
        }
        assert_eq!(super::short_row("1a2b3c4 (api) say it").unwrap().1, "(api) say it");
        assert_eq!(super::short_row("deadline it is"), None);
    }

    #[test]
    fn the_line_of_a_commit_is_read() {
        let read = super::printed("[main (root-commit) 1a2b3c4] Say it: in short").unwrap();
        assert_eq!(read, ("1a2b3c4".to_owned(), "Say it: in short".to_owned()));
        assert_eq!(super::printed("[INFO deadbeef] x").map(|read| read.0), Some("deadbeef".into()));
        assert_eq!(super::printed("[ok] x"), None);
    }
}
