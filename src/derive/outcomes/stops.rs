//! Rebases, merges and the like that git stopped in their middle, and whether somebody went on with them.

use std::collections::{HashMap, HashSet};

use super::commits::commits_something;
use super::git::Git;
use crate::derive::shell;
use crate::derive::timeline::{Done, Timeline};

/// What git was told to do and stopped in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::derive) struct Stop {
    /// `rebase`, `merge`, `cherry-pick` or `revert`.
    pub verb: &'static str,
    /// The commit that could not be applied, by the start of its digest and its first line.
    pub at: Option<String>,
    /// The files in which the two sides conflict.
    pub files: Vec<String>,
    /// The id of the call.
    pub item: String,
}

/// Those of a session.
pub(in crate::derive) struct Stops {
    /// What nobody went on with, as far as the session shows.
    pub open: Vec<Stop>,
    /// The calls that stopped so and that somebody went on with.
    past: HashSet<String>,
}

/// What is known of them after some of the calls.
#[derive(Default)]
struct Known {
    /// What is open, by the folder in which that is, empty if that is not known to be another than the session's;
    /// with the number of its call.
    open: HashMap<String, (usize, Stop)>,
    past: HashSet<String>,
}

/// What git can stop in.
const STOPPING: &[&str] = &["cherry-pick", "merge", "rebase", "revert"];
/// What it says then.
const STOPPED: &[&str] = &["CONFLICT (", "could not apply ", "Automatic merge failed"];

impl Stops {
    pub(super) fn new(timeline: &Timeline<'_>) -> Self {
        let mut known = Known::default();
        for done in timeline.done().filter(|done| !done.refused() && done.result.is_some()) {
            if let Some(line) = done.command().filter(|line| line.contains("git ")) {
                known.take(timeline, &done, line);
            }
        }
        let mut open: Vec<_> = known.open.into_values().collect();
        open.sort_by_key(|(index, _)| *index);
        Self { open: open.into_iter().map(|(_, stop)| stop).collect(), past: known.past }
    }

    /// Whether a call stopped so and somebody went on with it.
    pub(in crate::derive) fn was_gone_on_with(&self, item: &str) -> bool {
        self.past.contains(item)
    }
}

impl Known {
    fn take(&mut self, timeline: &Timeline<'_>, done: &Done<'_>, line: &str) {
        let commands = || timeline.parts(done).iter().filter_map(|part| Git::of(part));
        let is_one = |git: &Git<'_>| STOPPING.contains(&git.verb) || git.verb == "pull";
        let folder = folder(done, line);
        let is_there = self.open.contains_key(&folder);
        if commands().any(|git| is_one(&git)) {
            let output = done.output();
            let is_given_up = || commands().any(|git| git.has(&["--abort", "--quit"]));
            let goes_on = commands().any(|git| git.goes_on());
            // What one line stopped in and went through with is over.
            let through = output.rfind("Successfully rebased");
            let stopped_at = STOPPED.iter().filter_map(|form| output.rfind(form)).max();
            let is_merged = || done.worked() && commits_something(line);
            let stopped = stopped_at > through && !is_given_up() && !is_merged();
            // Where nothing else stopped, whatever the folder is called there.
            let is_only = !is_there && goes_on && self.open.len() == 1;
            if stopped || goes_on && (done.worked() || says_none(&output)) {
                let only = self.open.keys().next().filter(|_| is_only).cloned();
                self.end(only.as_deref().unwrap_or(&folder));
            }
            if let Some(verb) = commands().find_map(|git| verb(&git, &output)).filter(|_| stopped) {
                let item = done.item.id.to_string();
                let stop = Stop { verb, at: applied(&output), files: files(&output), item };
                self.open.insert(folder, (done.index, stop));
            }
        } else if self.open.get(&folder).is_some_and(|(_, stop)| is_ended(stop, done, line)) {
            self.end(&folder);
        }
    }

    fn end(&mut self, folder: &str) {
        self.past.extend(self.open.remove(folder).map(|(_, stop)| stop.item));
    }
}

/// Whether a line that goes on with nothing by its name ends what stopped all the same.
fn is_ended(stop: &Stop, done: &Done<'_>, line: &str) -> bool {
    if !done.worked() {
        return false;
    }
    let resets = || {
        let resets = |git: &Git<'_>| git.verb == "reset" && git.has(&["--hard", "--merge"]);
        shell::raw(line).iter().filter_map(|(part, _)| Git::of(part)).any(|git| resets(&git))
    };
    let is_clean = || {
        let output = done.output();
        output.contains("working tree clean") && !output.contains("in progress")
    };
    let commits = commits_something(line) && stop.verb != "rebase";
    commits || line.contains("reset") && resets() || line.contains("git status") && is_clean()
}

/// Where a line has git work: the folder of the call, and that which it names.
fn folder(done: &Done<'_>, line: &str) -> String {
    let named = line.split_once("git -C ").and_then(|(_, rest)| rest.split_whitespace().next());
    [done.folder().as_deref(), named].into_iter().flatten().collect::<Vec<_>>().join("/")
}

/// Whether git says that there is nothing to go on with.
fn says_none(output: &str) -> bool {
    ["in progress", "MERGE_HEAD missing"].iter().any(|form| {
        output.lines().any(|row| row.contains(form) && row.to_lowercase().contains("fatal: "))
    })
}

fn verb(git: &Git<'_>, output: &str) -> Option<&'static str> {
    match git.verb {
        "pull" if output.contains("could not apply ") => Some("rebase"),
        "pull" => Some("merge"),
        verb => STOPPING.iter().find(|known| **known == verb).copied(),
    }
}

/// Reads the last `could not apply 1a2b3c4... subject`.
fn applied(output: &str) -> Option<String> {
    let rest = output.lines().rev().find_map(|row| row.split_once("ould not apply "))?.1;
    let (sha, subject) = rest.split_once("... ")?;
    let is_sha = sha.len() >= 7 && sha.bytes().all(|byte| byte.is_ascii_hexdigit());
    let subject = subject.trim_start_matches("# ");
    is_sha.then(|| format!("{sha} \"{}\"", crate::derive::text::line(subject, 80)))
}

/// Reads the files of `CONFLICT (content): Merge conflict in a.rs` and the like.
fn files(output: &str) -> Vec<String> {
    let mut files: Vec<String> = Vec::new();
    for row in output.lines().filter(|row| row.starts_with("CONFLICT (")) {
        let named = match row.split_once("Merge conflict in ") {
            Some((_, path)) => Some(path),
            None => row.split_once("): ").and_then(|(_, rest)| rest.split_whitespace().next()),
        };
        files.extend(named.map(|path| path.trim().to_owned()));
    }
    files.dedup();
    files
}

#[cfg(test)]
mod tests {
    use super::{applied, files, says_none};

    #[test]
    fn git_tells_where_it_stopped() {
        let output = "Auto-merging budget.go\nCONFLICT (content): Merge conflict in budget.go\nCONFLICT (modify/delete): old.go deleted in HEAD and modified in 4f1c2aa.\nerror: could not apply 4f1c2aa... retry: add budget\nCould not apply 4f1c2aa... retry: add budget";
        assert_eq!(files(output), ["budget.go", "old.go"]);
        assert_eq!(applied(output).as_deref(), Some("4f1c2aa \"retry: add budget\""));
        assert_eq!(applied("Automatic merge failed; fix conflicts"), None);
        assert!(says_none("fatal: no rebase in progress") && !says_none("rebase in progress"));
    }
}
