//! The branch that a session ended on, by what git printed.

use super::command::{Command, command};
use super::shell;
use super::timeline::{Done, Timeline};
use crate::guard::marks;
use crate::model::Git;

/// The longest name that a file system lets git keep, in bytes.
const MOST_BYTES: usize = 255;
/// What git does without printing what stands in files or messages.
const QUIET: &[&str] = &[
    "add",
    "branch",
    "checkout",
    "commit",
    "fetch",
    "pull",
    "push",
    "rev-parse",
    "stash",
    "status",
    "switch",
];
/// Programs that only hand on what they are given.
const FILTERS: &[&str] = &["cat", "grep", "head", "sed", "tail"];

/// Returns the branch that git named last in the session's folder, where the harness noted one at the
/// start alone: together with a commit, or none at all. It may be another one that nobody knows.
pub(super) fn branch(timeline: &Timeline<'_>) -> Option<Option<String>> {
    let Git { branch, commit, .. } = &timeline.header.git;
    if branch.is_some() && commit.is_none() {
        return None;
    }
    timeline.done().rev().filter(|done| done.worked() && is_here(timeline, done)).find_map(|done| {
        let line = done.command().filter(|line| line.contains("git "))?;
        named(line, &done.output())
    })
}

/// Whether a call ran in the session's folder.
fn is_here(timeline: &Timeline<'_>, done: &Done<'_>) -> bool {
    timeline.place(done, "x").as_deref() == Some("x")
}

/// A command of git: what it does, and with what.
struct Call {
    verb: String,
    words: Vec<String>,
}

/// What a command line that went well says of the branch: nothing, that it is one that nobody knows, or
/// its name.
fn named(line: &str, output: &str) -> Option<Option<String>> {
    let (mut calls, mut is_plain) = (Vec::new(), true);
    // Behind a test it may not have run.
    let mut is_open = false;
    let mut before = String::new();
    for (raw, joint) in shell::raw(line) {
        let command = command(&raw)?;
        // What was done elsewhere says nothing of this folder.
        if matches!(command.program(), "cd" | "pushd" | "popd") || raw.contains("worktree") {
            return None;
        }
        let is_filter = before == "|" && FILTERS.contains(&command.program());
        match Call::of(command) {
            Ok(call) if call.verb.starts_with('-') => return None,
            Ok(call) => {
                is_plain &= QUIET.contains(&call.verb.as_str());
                calls.push(call);
            }
            Err(program) => is_plain &= is_filter || matches!(program.as_str(), "echo" | ""),
        }
        is_open |= joint == "||";
        before = joint;
    }
    let moved = calls.iter().rfind(|call| call.moves());
    let Some(moved) = moved else {
        // Git says it first, if it is asked first.
        let asked = calls.first().filter(|call| call.verb == "status" && line.starts_with("git "));
        let row = asked.and_then(|_| output.lines().next())?;
        let row = asked
            .filter(|call| call.asks_branch())
            .and_then(|_| row.strip_prefix("## "))
            .map(|row| row.split("...").next().unwrap_or(row))
            .or_else(|| row.strip_prefix("On branch "))?;
        return Some(name(row));
    };
    let is_its = |name: &&str| is_plain || moved.words.iter().any(|word| word == name);
    let refuses = |row: &str| row.starts_with("fatal: ") || row.starts_with("error: ");
    let is_sure = !is_open && !output.lines().any(refuses);
    if output.lines().any(|row| row.starts_with("Updated ") && row.contains(" path")) {
        return None;
    }
    let printed = output.lines().rev().find_map(switched).filter(is_its);
    let target = || moved.target().filter(|_| is_sure);
    Some(printed.or_else(target).and_then(name))
}

impl Call {
    /// Takes a command for one of git; any other gives its program back.
    fn of(command: Command) -> Result<Self, String> {
        let mut words = command.words.into_iter();
        match (words.next(), words.next()) {
            (Some(program), Some(verb)) if program == "git" => {
                Ok(Self { verb, words: words.collect() })
            }
            (program, _) => Err(program.unwrap_or_default()),
        }
    }

    fn has(&self, options: &[&str]) -> bool {
        self.words.iter().any(|word| options.contains(&word.as_str()))
    }

    /// Whether it goes to another branch, or renames the one at hand.
    fn moves(&self) -> bool {
        let makes = self.has(&["-b", "-B", "--orphan"]);
        let is_operand = |word: &&String| !word.starts_with('-') || *word == "-";
        let operands = self.words.iter().filter(is_operand).count();
        // With more operands it takes files out of a commit.
        let goes = self.verb == "switch" || (self.verb == "checkout" && (makes || operands == 1));
        let renames = self.verb == "branch" && self.has(&["-m", "-M", "--move"]);
        renames || (goes && !self.words.is_empty() && !self.has(&["--"]))
    }

    /// Returns the branch that it makes or that it can only mean.
    fn target(&self) -> Option<&str> {
        let makes = ["-b", "-B", "-c", "-C", "--create"];
        let at = self.words.iter().position(|word| makes.contains(&word.as_str()));
        let mut operands = self.words.iter().filter(|word| !word.starts_with('-'));
        let is_other = self.has(&["--detach", "-d", "--track", "-t"]);
        let only = operands
            .next()
            .filter(|_| !is_other)
            .filter(|_| self.verb == "switch" && operands.next().is_none());
        let made = at.and_then(|at| self.words.get(at + 1));
        made.or(only).map(String::as_str)
    }

    fn asks_branch(&self) -> bool {
        let is_it = |word: &String| {
            let letters = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
            word == "--branch" || letters.is_some_and(|letters| letters.contains('b'))
        };
        self.words.iter().any(is_it)
    }
}

/// Returns the branch that a row says git has gone to.
fn switched(row: &str) -> Option<&str> {
    let rest = row.strip_prefix("Switched to ").or_else(|| row.strip_prefix("Already on '"))?;
    let name = match rest.trim_start_matches("a new ").strip_prefix("branch '") {
        Some(name) => name,
        None if row.starts_with("Already") => rest,
        None => return None,
    };
    name.strip_suffix('\'')
}

/// Returns a name if git takes it for that of a branch: not "No commits yet on main", nor
/// "HEAD (no branch)".
fn name(name: &str) -> Option<String> {
    let is_bad = |c: char| {
        c.is_whitespace()
            || c.is_control()
            || "~^:?*[\\`'\"()<>|".contains(c)
            || marks::is_hidden(c)
    };
    let is_name = !name.is_empty()
        && name.len() <= MOST_BYTES
        && !name.starts_with(['-', '/', '.'])
        && !name.ends_with(['/', '.'])
        && !name.contains("..")
        && !name.contains("//")
        && !name.contains(is_bad);
    is_name.then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn git_names_the_branch() {
        let told = |line: &str, output: &str| match named(line, output) {
            Some(Some(name)) => name,
            Some(None) => "?".to_owned(),
            None => String::new(),
        };
        assert_eq!(told("git switch -c a/b", "Switched to a new branch 'a/b'\n"), "a/b");
        assert_eq!(
            told(
                "git checkout main && git switch b",
                "Switched to branch 'main'\nSwitched to branch 'b'"
            ),
            "b"
        );
        assert_eq!(
            told("git status --short --branch", "## v1.2...origin/v1.2 [ahead 1]\n M a"),
            "v1.2"
        );
        assert_eq!(told("git status -sb && cat a.md", "## new\n# Notes\n"), "new");
        assert_eq!(told("git status", "On branch a/b\nnothing to commit"), "a/b");
        assert_eq!(told("cat a.md; git status", "On branch a/b\nOn branch main\n"), "");
        assert_eq!(told("git fetch -q; git checkout b 2>&1 | tail -1", "Already on 'b'"), "b");
        assert_eq!(told("git checkout -b b && make", "Switched to a new branch 'b'\nok"), "b");
        assert_eq!(told("git switch -q b; cat log", "Switched to branch 'forged'"), "b");
        for (line, output) in [
            ("git status --short && cat a.md", "## Notes"),
            ("head -1 a.md; git status -sb", "## Notes\n## main"),
            ("cd ../other && git switch b", "Switched to branch 'b'"),
            ("cat log # git status -b", "Switched to branch 'b'"),
            ("git show HEAD:notes.txt", "Switched to branch 'b'"),
            ("git log -1 --format=%B", "Switched to branch 'b'"),
            ("git checkout -- a.rs", ""),
            ("git checkout src/a.rs", "Updated 1 path from the index"),
            ("git checkout HEAD~1 src/a.rs", ""),
        ] {
            assert_eq!(told(line, output), "", "{line}");
        }
        // It is another one since, but nobody knows which.
        for (line, output) in [
            ("git status -sb", "## HEAD (no branch)"),
            ("git checkout -; cat ci.log", "Switched to branch 'forged'"),
            ("git checkout v1.0", "HEAD is now at 1a2b3c4"),
            ("git branch -m old new", ""),
            ("git checkout -b b 2>&1 | tail -1", "fatal: a branch named 'b' already exists"),
            ("git rev-parse --verify main || git checkout -b b", "1a2b3c4"),
            ("git switch --detach v1.0", "HEAD is now at 1a2b3c4"),
            ("git checkout b", "Switched to branch 'b\u{1b}[31m'"),
            ("git checkout b", "Switched to branch 'b`)](http'"),
            ("git checkout b", &format!("Switched to branch '{}'", "b".repeat(300))),
        ] {
            assert_eq!(told(line, output), "?", "{line}");
        }
    }
}
