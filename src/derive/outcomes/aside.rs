//! Runs while the changes of the session were put aside, or on another branch, as to see whether a test fails without
//! them, or with a change that their line took back: they tell nothing of the work as it stands.

use super::away::{Away, Place};
use super::checks::Edit;
use super::git::Git;
use super::trials;
use crate::derive::shell;
use crate::derive::timeline::{Done, Timeline};

/// From where to where on changes were put aside, or what it left on another branch.
pub(in crate::derive) struct Aside {
    /// In order, with nothing in common.
    spans: Vec<(Place, Place)>,
    /// Those in which something was only tried out, in order.
    tried: Vec<(Place, Place)>,
    /// The calls that put something aside which was not brought back, in order.
    left: Vec<usize>,
    away: Away,
}

impl Aside {
    /// Finds what was put aside and brought back with no change of a file in between: one who goes
    /// on working has put away something else.
    pub(super) fn new(timeline: &Timeline<'_>, edits: &[Edit]) -> Self {
        let (mut put, mut found, mut left) = (None, Vec::new(), Vec::new());
        for done in timeline.done() {
            let Some(line) = done.command().filter(|line| line.contains("stash")) else { continue };
            let output = done.output();
            let says = |forms: &[&str]| forms.iter().any(|form| output.contains(form));
            let joined = shell::joined(line);
            let took = took(&done, joined.len());
            for (at, (part, _)) in joined.iter().enumerate() {
                let place = (done.index, at);
                let stash = stashes(part, line);
                match stash {
                    Some(Stash::Put) if done.worked() && !says(NOT_PUT) => left.push(done.index),
                    Some(Stash::Back | Stash::Drop) if took && !says(NOT_BACK) && !says(KEPT) => {
                        left.pop();
                    }
                    Some(Stash::Clear) if took => left.clear(),
                    _ => {}
                }
                match stash {
                    Some(Stash::Put) if !says(NOT_PUT) => put = Some(place),
                    // What did not go through left all as it was.
                    Some(Stash::Back | Stash::Drop | Stash::Clear) if !took => {}
                    Some(Stash::Back) if !says(NOT_BACK) => {
                        found.extend(put.take().map(|from| (from, place)));
                    }
                    Some(_) => put = None,
                    None => {}
                }
            }
        }
        let works = |(from, to): &(Place, Place)| {
            edits.iter().any(|edit| edit.index > from.0 && edit.index < to.0)
        };
        found.retain(|span| !works(span));
        let tried = united(trials::spans(timeline));
        found.extend(&tried);
        let away = Away::new(timeline, edits);
        found.extend(&away.spans);
        Self { spans: united(found), tried, left, away }
    }

    /// Whether a call came back to the branch that was left before, with nothing changed.
    pub(super) fn comes_back(&self, index: usize) -> bool {
        self.away.spans.iter().any(|(_, to)| to.0 == index)
    }

    /// Whether all that is known to have changed the files between two calls is that git went to another branch.
    pub(super) fn only_moved(&self, from: usize, to: usize) -> bool {
        self.away.only_moved(from, to)
    }

    /// Returns the last call that put something aside which was not brought back.
    pub(in crate::derive) fn left(&self) -> Option<usize> {
        self.left.last().copied()
    }

    /// Returns all of them.
    pub(super) fn all_left(&self) -> impl Iterator<Item = usize> + '_ {
        self.left.iter().copied()
    }

    /// Whether changes were aside when a command of the line of `done` ran.
    pub(in crate::derive) fn reaches(&self, done: &Done<'_>) -> bool {
        let before = self.spans.partition_point(|(from, _)| from.0 <= done.index);
        before.checked_sub(1).is_some_and(|last| done.index <= self.spans[last].1.0)
    }

    /// Whether changes were aside when the command at `at` of the line of the call `index` ran.
    pub(super) fn holds(&self, index: usize, at: usize) -> bool {
        is_in(&self.spans, (index, at))
    }

    /// Whether that command ran with a change which its line takes back.
    pub(super) fn tries(&self, index: usize, at: usize) -> bool {
        is_in(&self.tried, (index, at))
    }
}

/// Whether a place lies in one of some spans that stand in order.
fn is_in(spans: &[(Place, Place)], place: Place) -> bool {
    let before = spans.partition_point(|(from, _)| *from <= place);
    before.checked_sub(1).is_some_and(|last| place < spans[last].1)
}

/// Makes one of those that have something in common, in order.
fn united(mut spans: Vec<(Place, Place)>) -> Vec<(Place, Place)> {
    spans.sort_unstable();
    let mut found: Vec<(Place, Place)> = Vec::new();
    for (from, to) in spans {
        match found.last_mut().filter(|last| from <= last.1) {
            Some(last) => last.1 = last.1.max(to),
            None => found.push((from, to)),
        }
    }
    found
}

/// What git says where it put nothing aside.
const NOT_PUT: &[&str] = &["No local changes to save", "fatal: ", "error: pathspec"];
/// What it says where it brought nothing back.
const NOT_BACK: &[&str] = &["No stash entries found", "fatal: "];
/// What it says where it could not bring all of it back.
const KEPT: &[&str] = &["The stash entry is kept"];

/// Whether a call may have done something. Of a line of more than one command a later one may be what failed;
/// of one without a result nobody knows.
fn took(done: &Done<'_>, commands: usize) -> bool {
    let may_have = commands > 1 || done.result.is_none() || done.output().contains("CONFLICT");
    done.worked() || (may_have && !done.refused())
}

/// What a command does with changes that are put aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stash {
    Put,
    Back,
    Drop,
    Clear,
}

/// Commands of git that bring back what they name.
const BRINGS: &[&str] = &["checkout", "restore", "cherry-pick", "merge", "read-tree"];

/// Returns what a command of a line does with changes that are put aside, if it does something.
fn stashes(part: &str, line: &str) -> Option<Stash> {
    let git = Git::of(part)?;
    if git.verb != "stash" {
        let names_one = git.words.iter().any(|word| word.contains("stash@{"));
        return (names_one && BRINGS.contains(&git.verb)).then_some(Stash::Back);
    }
    let Some(word) = git.words.first() else { return Some(Stash::Put) };
    match *word {
        "pop" | "apply" | "branch" => Some(Stash::Back),
        "push" | "save" => Some(Stash::Put),
        "drop" => Some(Stash::Drop),
        "clear" => Some(Stash::Clear),
        // What it shows is applied, or may be from a file.
        "show" => is_carried(line).then_some(Stash::Back),
        "-h" | "--help" => None,
        word => word.starts_with('-').then_some(Stash::Put),
    }
}

/// Whether what is shown on a line goes into a program that applies it, or into a file.
fn is_carried(line: &str) -> bool {
    let line = line.replace("2>&1", "").replace("2>/dev/null", "");
    ["git apply", "patch -", "git am", ">"].iter().any(|form| line.contains(form))
}

#[cfg(test)]
mod tests {
    use super::{Stash, stashes};

    #[test]
    fn only_the_command_of_git_puts_something_aside() {
        let told = |line: &str| stashes(line, line);
        for line in [
            "git stash",
            "git stash push -m half",
            "git stash -u",
            "git -C /home/ada/tool stash -q",
            "git -c user.name=ada stash save half",
        ] {
            assert_eq!(told(line), Some(Stash::Put), "{line}");
        }
        for line in [
            "git checkout -b stash",
            "git checkout stash",
            "git grep stash",
            "git commit -m stash",
            "git add stash",
            "git help stash",
            "git log --grep stash",
            "git -C stash status",
            "git stash --help",
            "git stash -h",
            "git stash list",
            "git stash show -p",
            "git diff stash@{0}",
            "ls stash",
        ] {
            assert_eq!(told(line), None, "{line}");
        }
        for line in
            ["git stash pop", "git checkout stash@{0} -- .", "git restore -s stash@{0} a.rs"]
        {
            assert_eq!(told(line), Some(Stash::Back), "{line}");
        }
        let shown = stashes("git stash show -p", "git stash show -p 2>&1 | git apply");
        assert_eq!(shown, Some(Stash::Back));
        assert_eq!(stashes("git stash show -p", "git stash show -p 2>&1 | cat"), None);
        assert_eq!(told("git stash clear"), Some(Stash::Clear));
        assert_eq!(told("git stash drop"), Some(Stash::Drop));
    }
}
