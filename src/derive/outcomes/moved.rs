//! Where git moved the working tree, so that files are changed that nobody edited.

use super::aside::Aside;
use super::checks::Edit;
use super::git::{self, Git};
use super::restored::commits_back;
use super::shifts::{counts, shift};
use super::tree::changed_row;
use crate::derive::files::is_here;
use crate::derive::patched;
use crate::derive::paths::is_file;
use crate::derive::place::known;
use crate::derive::sure::walk;
use crate::derive::timeline::{Done, Timeline};

/// The working tree, as git moves it.
pub(super) struct Tree<'e> {
    edits: &'e [Edit],
    moved: Vec<Edit>,
    left: Vec<Left>,
    /// The branch at hand, as far as that is known.
    branch: Option<String>,
    /// The call that merged what the session did.
    merged: Option<usize>,
    /// How many commits the session made that stand on top.
    commits: usize,
}

/// A branch that was left.
struct Left {
    /// What it is called, where that is known.
    branch: Option<String>,
    /// How many moves came before.
    before: usize,
    /// How many there were when it was left.
    behind: usize,
}

impl<'e> Tree<'e> {
    pub(super) fn new(timeline: &Timeline<'_>, edits: &'e [Edit]) -> Self {
        let branch = timeline.header.git.branch.clone();
        Self { edits, moved: Vec::new(), left: Vec::new(), branch, merged: None, commits: 0 }
    }

    /// Returns the changes that are there at the end.
    pub(super) fn into_moved(self) -> Vec<Edit> {
        self.moved
    }

    pub(super) fn line(
        &mut self,
        timeline: &Timeline<'_>,
        done: &Done<'_>,
        line: &str,
        aside: &Aside,
    ) {
        if !line.contains("git ") && !line.contains("gh pr ") {
            return;
        }
        let output = done.output();
        let mut places = Vec::new();
        walk(line, |one| {
            let folder = one.folder.map(|folder| known("x", Some(folder)));
            let place = folder.flatten().and_then(|path| timeline.place(done, &path));
            if place.is_some_and(|path| is_here(&path)) {
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
        let Some(git) = Git::of(raw).filter(|git| !git.is_elsewhere && !git::refused(output))
        else {
            return;
        };
        let is_name =
            |word: &&&str| (!word.starts_with('-') || **word == "-") && !word.contains('>');
        let to = git.words.iter().rfind(is_name);
        let to = to.copied().unwrap_or_default();
        let leaves = matches!(git.verb, "checkout" | "switch");
        let moves = match git.verb {
            _ if leaves => goes(&git, output) && self.goes_away(to, aside.comes_back(done.index)),
            "merge" if self.takes_in(raw, &git, output) => false,
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
            "rebase" if only_rewrites(&git, to) => false,
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
            true if (git::brings(git.verb) || git.verb == "rebase")
                && !output.lines().any(says_moved) => {}
            true => self.moved.push(shift(done.index, String::new())),
            false => self.moved.extend(paths.map(|path| shift(done.index, path))),
        }
        let all = self.moved.len();
        if let Some(left) = self.left.last_mut().filter(|_| leaves) {
            left.behind = all;
        }
    }

    fn knows_edit(&self, index: usize) -> bool {
        self.edits.binary_search_by_key(&index, |edit| edit.index).is_ok()
    }

    /// Goes to another branch; where that is one that was left, as it is if `is_back`, all since is there no more.
    /// Whether it is another.
    fn goes_away(&mut self, to: &str, is_back: bool) -> bool {
        let named = |left: &Left| left.branch.as_deref() == Some(to);
        let back = match to {
            "-" => self.left.len().checked_sub(1),
            _ => self.left.iter().rposition(named),
        };
        let back = back.or_else(|| self.left.len().checked_sub(1).filter(|_| is_back));
        if let Some(at) = back {
            return !self.comes_back(at);
        }
        let branch = std::mem::replace(&mut self.branch, (to != "-").then(|| to.to_owned()));
        let before = self.moved.len();
        self.left.push(Left { branch, before, behind: before });
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

    /// Merges the branch that was left last, where nothing else comes with it: what was left is there again.
    fn takes_in(&mut self, raw: &str, git: &Git<'_>, output: &str) -> bool {
        let Some(left) = self.left.last() else { return false };
        let is_it = left.branch.as_deref().is_some_and(|branch| merged(raw) == [branch]);
        let is_forward = output.lines().rfind(|row| says_merged(row));
        let is_forward = is_forward.map(|row| row.contains("Fast-forward"));
        let is_alone = || self.moved.len() <= left.behind && !is_joined(git, output);
        let is_back = is_it && (is_forward == Some(true) || is_alone());
        if is_back {
            // It goes on in the branch into which that came.
            let branch = self.branch.take();
            self.comes_back(self.left.len() - 1);
            self.branch = branch;
        }
        is_back
    }

    fn comes_back(&mut self, at: usize) -> bool {
        let left = self.left.remove(at);
        self.left.truncate(at);
        self.moved.truncate(left.before);
        self.commits = 0;
        self.branch = left.branch;
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

/// Options of a merge that have a value.
const WITH_VALUE: &[&str] =
    &["--file", "--into-name", "--message", "--strategy", "-F", "-X", "-m", "-s"];

/// Returns what a command merges.
fn merged(raw: &str) -> Vec<String> {
    let mut words = shlex::split(raw).unwrap_or_default().into_iter();
    words.find(|word| word == "merge");
    let mut found = Vec::new();
    while let Some(word) = words.next() {
        if WITH_VALUE.contains(&word.as_str()) {
            words.next();
        } else if !word.starts_with('-') && !word.contains('>') {
            found.push(word);
        }
    }
    found
}

/// Whether a row says how git merged.
fn says_merged(row: &str) -> bool {
    row.contains("Fast-forward") || row.contains("Merge made")
}

/// Whether a merge joined two lines of work: git does so where it must, or is told to and finds files that both
/// changed.
fn is_joined(git: &Git<'_>, output: &str) -> bool {
    let says = |row: &str| row.contains("Merge made") || row.starts_with("Automatic merge went");
    output.lines().any(|row| row.starts_with("Auto-merging "))
        || !git.has(&["--no-ff"]) && output.lines().any(says)
}

/// Whether a rebase only writes the last commits again, each on the one before it.
fn only_rewrites(git: &Git<'_>, to: &str) -> bool {
    let is_remote = ["origin/", "upstream/"].iter().any(|remote| to.starts_with(remote));
    let onto = git.words.iter().any(|word| word.starts_with("--onto"));
    !onto && (commits_back(to).is_some() || git.has(&["--autosquash"]) && !is_remote)
}

/// Whether a command goes to another commit, and does not only bring back files or make a branch of the one at hand.
pub(super) fn goes(git: &Git<'_>, output: &str) -> bool {
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
