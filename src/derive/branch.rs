//! The branch that a session ended on, by what git printed.

use std::borrow::Cow;

use super::timeline::{Done, Timeline};
use crate::model::Git;

/// The longest name that a file system lets git keep, in bytes.
const MOST_BYTES: usize = 255;

/// Returns the branch that git named last in the session's folder, where the harness noted one at the
/// start alone: together with a commit, or none at all.
pub(super) fn branch(timeline: &Timeline<'_>) -> Option<String> {
    let Git { branch, commit, .. } = &timeline.header.git;
    if branch.is_some() && commit.is_none() {
        return None;
    }
    timeline
        .done()
        .rev()
        .filter(Done::worked)
        .find_map(|done| named(done.command()?, || done.output()))
}

/// Returns the branch that a command line shows to be the current one.
fn named<'s>(line: &str, output: impl Fn() -> Cow<'s, str>) -> Option<String> {
    // What was done elsewhere says nothing of this folder.
    if !line.contains("git ")
        || ["cd ", "-C ", "--git-dir", "worktree"].iter().any(|w| line.contains(w))
    {
        return None;
    }
    let output = output();
    let switched = output.lines().rev().find_map(|row| {
        let rest = row.strip_prefix("Switched to ")?;
        let rest = rest.trim_start_matches("a new ").strip_prefix("branch '")?;
        rest.strip_suffix('\'')
    });
    let asks = line.contains("git status")
        && [" --branch", " -sb", " -b"].iter().any(|word| line.contains(word));
    let told = || {
        let row = output.lines().next().filter(|_| asks)?.strip_prefix("## ")?;
        Some(row.split("...").next().unwrap_or(row))
    };
    // "No commits yet on main" and "HEAD (no branch)" name none.
    let is_name = |name: &&str| {
        !name.is_empty()
            && name.len() <= MOST_BYTES
            && !name.contains(|c: char| c.is_whitespace() || c.is_control())
    };
    switched.or_else(told).filter(is_name).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn git_names_the_branch() {
        let told = |line: &str, output: &str| named(line, || output.into()).unwrap_or_default();
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
        assert_eq!(told("git status -sb", "## new\n"), "new");
        for (line, output) in [
            ("git status -sb", "## HEAD (no branch)"),
            ("git status --short && cat a.md", "## Notes"),
            ("cd ../other && git switch b", "Switched to branch 'b'"),
            ("cat log", "Switched to branch 'b'"),
            ("git switch b", "Switched to branch 'b\u{1b}[31m'"),
            ("git switch b", &format!("Switched to branch '{}'", "b".repeat(300))),
        ] {
            assert_eq!(told(line, output), "", "{line}");
        }
    }
}
