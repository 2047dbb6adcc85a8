//! Changes of files that no edit tells of: what commands took away, moved or put into folders, and where git moved the
//! working tree.

use std::collections::HashSet;

use super::aside::Aside;
use super::checks::Edit;
use super::git::Git;
use super::is_kept;
use super::restored::commits_back;
use super::tree::changed_row;
use crate::derive::cmdlets::{self, Deed};
use crate::derive::command::command;
use crate::derive::copied;
use crate::derive::files::{is_outside, is_temporary, left_at};
use crate::derive::patched;
use crate::derive::paths::is_file;
use crate::derive::place::known;
use crate::derive::shell;
use crate::derive::sure::{Sure, walk};
use crate::derive::timeline::{Done, Timeline};
use crate::derive::written::edits_in_place;
use crate::model::Action;

/// What stands on a line that may shift something.
const SIGNS: &[&str] = &[
    "rm ", "mv ", "cp ", "ln ", "rsync ", "scp ", "install ", "git ", "patch ", "xargs", "-exec",
    "gh pr ",
];

/// Finds them in order. One without a path is of files that nobody named.
pub(super) fn shifts(timeline: &Timeline<'_>, edits: &[Edit], aside: &Aside) -> Vec<Edit> {
    let branch = timeline.header.git.branch.clone();
    let mut tree =
        Tree { edits, moved: Vec::new(), left: Vec::new(), branch, merged: None, commits: 0 };
    let (mut found, mut made, mut read) = (Vec::new(), HashSet::new(), HashSet::new());
    for done in timeline.done() {
        if let Some(Action::Read { path, .. }) = done.call.action.as_deref() {
            read.insert(timeline.path(path));
        }
        let Some(line) = done.command().filter(|_| done.worked()) else { continue };
        if SIGNS.iter().any(|sign| line.contains(sign)) || cmdlets::takes_away(line) {
            let at = edits.partition_point(|edit| edit.index <= done.index);
            // What comes to where nobody was may be there to be looked at.
            let was_seen = |path: &String| {
                let is_it = |known: &str| {
                    let below = known.strip_prefix(path.as_str());
                    below.is_some_and(|it| it.is_empty() || it.starts_with('/'))
                        || copied::is_beside(path, known)
                };
                path.is_empty()
                    || replaces(line, path)
                    || edits[..at].iter().any(|edit| is_it(&edit.path))
                    || read.iter().any(|known| is_it(known))
            };
            let (put, brought): (Vec<_>, Vec<_>) =
                put(timeline, &done, line).into_iter().partition(was_seen);
            made.extend(brought);
            // What came in the session goes with nothing left, nor does anybody miss what a program gave.
            let was_there = |path: &String| {
                let is_it = |edit: &&Edit| {
                    edit.path
                        .strip_prefix(path)
                        .is_some_and(|it| it.is_empty() || it.starts_with('/'))
                };
                let last = edits[..at].iter().rfind(is_it);
                let is_known = last.is_some() || read.contains(path) || !copied::is_result(path);
                is_known && !made.contains(path) && !last.is_some_and(|edit| edit.is_new)
            };
            let gone = left_at(timeline, &done).into_iter().filter(was_there);
            let paths = gone.chain(put).filter(|path| counts(path));
            found.extend(paths.map(|path| shift(done.index, path)));
            tree.line(timeline, &done, line, aside);
        }
        if makes(line) {
            walk(line, |one| made.extend(made_by(timeline, &done, one)));
        }
    }
    found.extend(tree.moved);
    found.sort_by_key(|shift| shift.index);
    found
}

/// Whether a line names a file before its last command puts something there: it reads what it replaces.
fn replaces(line: &str, path: &str) -> bool {
    let parts = shell::raw(line);
    let puts =
        |(part, _): &(String, String)| part.contains(path) && !part.trim().starts_with("rm ");
    line.matches(path).count() > 1 && parts.last().is_some_and(puts)
}

fn shift(index: usize, path: String) -> Edit {
    Edit { index, path, by_shell: true, is_new: false, taken_back: None }
}

/// Whether a path is one of the work; none at all may be.
fn counts(path: &str) -> bool {
    path.is_empty() || is_kept(path) && !is_temporary(path) && !copied::is_left(path)
}

/// Whether a line may make a folder, or a file by what a command printed.
fn makes(line: &str) -> bool {
    let goes_on = |rest: &str| !rest.starts_with("&1") && !rest.trim_start().starts_with("/dev/");
    line.contains("mkdir ") || line.split('>').skip(1).any(goes_on)
}

fn made_by(timeline: &Timeline<'_>, done: &Done<'_>, one: &Sure<'_>) -> Vec<String> {
    let Some(command) = command(one.raw) else { return Vec::new() };
    let folders = command.words.iter().skip(1).filter(|_| command.program() == "mkdir");
    let paths = folders.chain(command.target.as_ref().map(|(path, _)| path));
    let paths = paths.filter_map(|path| timeline.place(done, &known(path, one.folder)?));
    paths.collect()
}

/// Returns where a line puts files or a folder, and nothing as the name of those that it edits without naming them.
fn put(timeline: &Timeline<'_>, done: &Done<'_>, line: &str) -> Vec<String> {
    let mut found = Vec::new();
    walk(line, |one| {
        let Some(command) = command(one.raw) else { return };
        let targets = copied::targets(&command.words).into_iter();
        let paths = targets.filter_map(|path| match path.trim_end_matches('/') {
            // All that comes into the folder at hand.
            "." => timeline
                .place(done, &known("x", one.folder)?)
                .map(|path| if is_outside(&path) { path } else { String::new() }),
            path => timeline.place(done, &known(path, one.folder)?),
        });
        found.extend(paths);
    });
    found.extend(cmdlets::deeds(line).into_iter().filter_map(|deed| match deed {
        Deed::Move(_, to) => timeline.place(done, &to),
        _ => None,
    }));
    if edits_each(line) && timeline.place(done, "x").is_some_and(|path| !is_outside(&path)) {
        found.push(String::new());
    }
    found
}

/// Whether a line hands files to a program that edits them in place: `find src -exec sed -i … {} +`.
fn edits_each(line: &str) -> bool {
    if !["xargs", "-exec"].iter().any(|word| line.contains(word)) || line.contains("||") {
        return false;
    }
    let parts = shell::raw(line);
    let given = |(at, (raw, _)): (usize, &(String, String))| {
        let raw = raw.trim();
        let (from, run) = match raw.split_once(" -exec ") {
            Some((from, run)) if raw.starts_with("find ") => (from, run),
            _ => (parts.get(at.checked_sub(1)?)?.0.as_str(), shell::handed(raw)?),
        };
        // Files elsewhere are none of the work.
        let is_far = from.split_whitespace().any(|word| word.starts_with(['/', '~']));
        let words = shlex::split(run)?;
        (!is_far && edits_in_place(&words)).then_some(())
    };
    parts.iter().enumerate().any(|part| given(part).is_some())
}

/// The working tree, as git moves it.
struct Tree<'e> {
    edits: &'e [Edit],
    moved: Vec<Edit>,
    /// The branches that were left, where that is known, each with how many moves came before.
    left: Vec<(Option<String>, usize)>,
    /// The branch at hand, as far as that is known.
    branch: Option<String>,
    /// The call that merged what the session did.
    merged: Option<usize>,
    /// How many commits the session made that stand on top.
    commits: usize,
}

impl Tree<'_> {
    fn line(&mut self, timeline: &Timeline<'_>, done: &Done<'_>, line: &str, aside: &Aside) {
        if !line.contains("git ") && !line.contains("gh pr ") {
            return;
        }
        let output = done.output();
        let mut places = Vec::new();
        walk(line, |one| {
            let folder = one.folder.map(|folder| known("x", Some(folder)));
            let is_here = folder.flatten().and_then(|path| timeline.place(done, &path));
            if is_here.is_some_and(|path| !is_outside(&path)) {
                places.push(one.raw.trim().to_owned());
            }
        });
        for raw in places {
            self.command(done, &raw, &output, aside);
        }
        if let Some(branch) = output.lines().rev().find_map(branch_in) {
            self.branch = Some(branch.to_owned());
        }
    }

    fn command(&mut self, done: &Done<'_>, raw: &str, output: &str, aside: &Aside) {
        // What was handed on stands, wherever one goes then.
        let handing =
            ["gh pr create", "gh pr merge", "git push", "glab mr create", "glab mr merge"];
        if handing.iter().any(|form| raw.starts_with(form)) {
            self.merged = Some(done.index);
        }
        let Some(git) = Git::of(raw).filter(|git| !git.is_elsewhere && !is_refused(output)) else {
            return;
        };
        let is_name =
            |word: &&&str| (!word.starts_with('-') || **word == "-") && !word.contains('>');
        let to = git.words.iter().rfind(is_name);
        let to = to.copied().unwrap_or_default();
        let moves = match git.verb {
            "checkout" | "switch" => goes(&git, output) && self.goes_away(to),
            "merge" if self.is_left_last(to) => {
                // What was left is there again.
                !self.comes_back(self.left.len() - 1)
            }
            "stash" => {
                let is_back = matches!(git.words.first(), Some(&("pop" | "apply")));
                is_back && !aside.reaches(done)
            }
            "reset" => git.has(&["--hard", "--keep", "--merge"]) && self.resets(to),
            "commit" => {
                self.commits += 1;
                false
            }
            "apply" => patched::applies(raw) && !git.has(&["--cached"]),
            "rebase" if to.starts_with("HEAD~") || git.has(&["--autosquash"]) => false,
            "am" | "cherry-pick" | "merge" | "pull" | "rebase" | "revert" => {
                !git.has(&["--abort", "--quit", "--dry-run", "-h", "--help"])
            }
            _ => false,
        };
        if !moves || is_needless(git.verb, output) || self.only_brings_merged(&git, done.index) {
            return;
        }
        let named: Vec<&str> = output.lines().filter_map(named).collect();
        let paths = named.iter().filter(|path| counts(path)).map(|path| (*path).to_owned());
        match named.is_empty() {
            // The files of a patch are told where it names them.
            true if git.verb == "apply" && self.knows_edit(done.index) => {}
            // One that says nothing, or in any language that nothing was to be done, moved nothing.
            true if BRINGING.contains(&git.verb) && !output.lines().any(says_moved) => {}
            true => self.moved.push(shift(done.index, String::new())),
            false => self.moved.extend(paths.map(|path| shift(done.index, path))),
        }
    }

    fn knows_edit(&self, index: usize) -> bool {
        self.edits.binary_search_by_key(&index, |edit| edit.index).is_ok()
    }

    /// Goes to another branch; where that is one that was left, all since is there no more. Whether it is another.
    fn goes_away(&mut self, to: &str) -> bool {
        let named = |(from, _): &(Option<String>, usize)| from.as_deref() == Some(to);
        let back = match to {
            "-" => self.left.len().checked_sub(1),
            _ => self.left.iter().rposition(named),
        };
        if let Some(at) = back {
            return !self.comes_back(at);
        }
        let from = std::mem::replace(&mut self.branch, (to != "-").then(|| to.to_owned()));
        self.left.push((from, self.moved.len()));
        self.commits = 0;
        true
    }

    /// Whether a reset goes to another commit than one on which the session put all since.
    fn resets(&mut self, to: &str) -> bool {
        let back = if to.is_empty() { Some(0) } else { commits_back(to) };
        let left = back.and_then(|back| self.commits.checked_sub(back));
        self.commits = left.unwrap_or(0);
        left.is_none()
    }

    fn is_left_last(&self, to: &str) -> bool {
        self.left.last().is_some_and(|(from, _)| from.as_deref() == Some(to))
    }

    fn comes_back(&mut self, at: usize) -> bool {
        let (branch, moves) = self.left.remove(at);
        self.left.truncate(at);
        self.moved.truncate(moves);
        self.commits = 0;
        self.branch = branch;
        true
    }

    /// Whether a command only fetches what the session did and a server merged.
    fn only_brings_merged(&self, git: &Git<'_>, index: usize) -> bool {
        let is_later = |merged: usize| {
            let mut edits = self.edits.iter().rev().take_while(|edit| edit.index > merged);
            !edits.any(|edit| edit.index < index)
        };
        matches!(git.verb, "checkout" | "pull" | "switch") && self.merged.is_some_and(is_later)
    }
}

/// Whether a command goes to another commit, and does not only bring back files or make a branch of the one at hand.
fn goes(git: &Git<'_>, output: &str) -> bool {
    let makes = git.has(&["-b", "-B", "-c", "-C", "--create", "--orphan"]);
    let is_operand = |word: &&&str| !word.starts_with('-') && !word.contains('>');
    let operands = git.words.iter().filter(is_operand).count();
    let names_files = git.has(&["--", "."]) || git.words.iter().any(|word| is_file(word));
    let says = ["Switched to ", "HEAD is now at "].iter().any(|words| output.contains(words));
    let is_quiet =
        git.has(&["-q", "--quiet"]) || git.words.iter().any(|word| word.contains(">/dev"));
    let stays = git.has(&["--detach", "-d"]) && operands == 0
        || git
            .words
            .iter()
            .rfind(|word| !word.starts_with('-'))
            .is_some_and(|to| matches!(*to, "HEAD" | "@"));
    !names_files
        && !stays
        && (!makes || operands > 1)
        && (says || is_quiet && !output.contains("Updated "))
}

/// How a row begins by which git says that it did nothing, or not all.
const REFUSING: &[&str] = &["error: ", "fatal: ", "Aborting", "CONFLICT ("];

fn is_refused(output: &str) -> bool {
    output.lines().any(|row| REFUSING.iter().any(|start| row.starts_with(start)))
}

/// Commands of git that bring what others did.
const BRINGING: &[&str] = &["am", "cherry-pick", "merge", "pull", "rebase", "revert"];

/// Whether a row says that the tree was moved: from one commit to another, or onto one.
fn says_moved(row: &str) -> bool {
    let is_sha = |part: &str| part.len() >= 4 && part.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_range = |word: &str| {
        word.split_once("..")
            .is_some_and(|(from, to)| is_sha(from) && is_sha(to.trim_start_matches('.')))
    };
    row.starts_with('[') && row.contains("] ")
        || row.contains("Fast-forward")
        || row.contains("Merge made")
        || row.contains("rebased")
        || row.starts_with("Updating ") && row.split_whitespace().any(is_range)
}

/// Whether git says that there was nothing to do.
fn is_needless(verb: &str, output: &str) -> bool {
    let starts: &[&str] = match verb {
        "checkout" | "switch" => &["Already on '"],
        "stash" => &["No stash entries found"],
        _ => &["Already up to date", "Already up-to-date", "Current branch "],
    };
    output.lines().any(|row| starts.iter().any(|start| row.starts_with(start)))
}

/// Reads the branch of a row that names the one at hand.
fn branch_in(row: &str) -> Option<&str> {
    if let Some(branch) = row.strip_prefix("On branch ") {
        return Some(branch.trim());
    }
    let rest = row.strip_prefix("Switched to ")?;
    rest.split('\'').nth(1).filter(|branch| !branch.is_empty())
}

/// Reads the file of a row by which git tells what it changed: ` src/a.py | 2 +-`, `create mode 100644 a.py`.
fn named(row: &str) -> Option<&str> {
    const MODES: &[&str] = &["create mode ", "delete mode "];
    let trimmed = row.trim();
    if let Some(rest) = MODES.iter().find_map(|start| trimmed.strip_prefix(start)) {
        return rest.split_once(' ').map(|(_, path)| path);
    }
    if let Some((path, count)) = trimmed.rsplit_once(" | ") {
        let is_count = count.trim_start().starts_with(|c: char| c.is_ascii_digit() || c == 'B');
        return Some(path.trim()).filter(|_| is_count && row.starts_with(' '));
    }
    changed_row(row).filter(|_| row.starts_with('\t'))
}
