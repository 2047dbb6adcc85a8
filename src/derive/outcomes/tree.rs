//! The working tree, as git told how it stands.

use super::commits::commits_something;
use super::filters::cuts_nothing;
use super::git::{self, Git};
use crate::derive::paths::is_file;
use crate::derive::timeline::{Done, Timeline};
use crate::derive::{place, shell};

/// Returns the number of the last call that shows that nothing was left to commit, or that moved
/// the working tree to another commit.
pub(super) fn settled(timeline: &Timeline<'_>) -> Option<usize> {
    let clean = timeline.done().rev().find(|done| {
        let Some(line) = done.command().filter(|_| done.worked()) else { return false };
        let is_clean = || done.output().contains("working tree clean");
        let is_here = || place::elsewhere(line, done.cwd).is_none();
        line.contains("git status")
            && is_here()
            && (is_clean() || shows_nothing(line, &done.output()))
    });
    clean.map(|done| done.index).max(moved(timeline))
}

/// Returns the number of the last call that merged a pull request of the repository at hand.
pub(super) fn merged(timeline: &Timeline<'_>) -> Option<usize> {
    let is_other = |word: &str| matches!(word, "--auto" | "--repo" | "-R");
    let merges =
        |part: &String| part.starts_with("gh pr merge") && !part.split_whitespace().any(is_other);
    let worked = timeline.own().rev().filter(|done| done.worked());
    worked.filter(|done| timeline.parts(done).iter().any(merges)).map(|done| done.index).next()
}

/// Returns the number of the last call that moved the working tree to another commit.
pub(super) fn moved(timeline: &Timeline<'_>) -> Option<usize> {
    let moves = |done: &Done<'_>| {
        let runs = done.command().is_some() && done.worked();
        runs && timeline.parts(done).iter().any(|part| moves(part, done))
    };
    timeline.done().rev().find(moves).map(|done| done.index)
}

/// Whether a command moved the working tree to another commit, so that what was not committed is not there any
/// more.
fn moves(part: &str, done: &Done<'_>) -> bool {
    if part.starts_with("gh pr merge") {
        return true;
    }
    let Some(git) = Git::of(part).filter(|git| !git.is_elsewhere) else { return false };
    // A new branch takes along what is not committed, and what is put aside comes back; one that names files
    // brings back these.
    let takes_along = ["-b", "-B", "-c", "-C", "--create", "--orphan", "--", "."];
    let goes = match git.verb {
        "checkout" | "switch" => {
            !git.has(&takes_along) && !git.words.iter().any(|word| is_file(word))
        }
        "reset" => git.has(&["--hard", "--keep", "--merge"]),
        "merge" | "pull" | "rebase" => true,
        _ => false,
    };
    goes && !stays(&git, &done.output())
}

/// How one begins that says that there was nothing to do.
const NEEDLESS: &[&str] = &["Already up to date", "Current branch "];
/// How one begins that names a file which is not committed and was taken along.
const CARRIED: &[&str] = &["M\t", "A\t", "D\t", "R\t"];

/// Whether git says that what is not committed is still there.
fn stays(git: &Git<'_>, output: &str) -> bool {
    let begins = |row: &str, forms: &[&str]| forms.iter().any(|form| row.starts_with(form));
    let says = |row: &str| match git.verb {
        "checkout" | "switch" => row.starts_with("Already on '") || begins(row, CARRIED),
        _ => begins(row, NEEDLESS),
    };
    git::refused(output) || output.lines().any(says)
}

/// Whether a line ends with a short listing of all that is not committed, and that is empty: nothing was
/// printed, or nothing behind a line that says what follows.
fn shows_nothing(line: &str, output: &str) -> bool {
    let parts = shell::raw(line);
    let Some(((last, _), before)) = parts.split_last() else { return false };
    let words: Vec<&str> = last.split_whitespace().collect();
    let is_short = |word: &&str| matches!(*word, "-s" | "--short" | "--porcelain");
    let lists = words.starts_with(&["git", "status"])
        && words.iter().any(is_short)
        && words[2..].iter().all(|word| word.starts_with('-') || *word == "2>&1")
        && !words.iter().any(|word| word.starts_with("-u") || word.starts_with("--untracked"));
    let is_piped = before.last().is_some_and(|(_, joint)| joint == "|");
    let heading = before.last().and_then(|(part, _)| shlex::split(part));
    let heading = heading.filter(|words| words.len() > 1 && words[0] == "echo");
    let is_headed = || {
        let heading = heading.map(|words| words[1..].join(" "));
        output.trim_end().lines().next_back().map(str::trim) == heading.as_deref().map(str::trim)
    };
    lists && !is_piped && (output.trim().is_empty() || is_headed())
}

/// What a listing told as not committed.
pub(super) struct Listing {
    /// The number of the call.
    pub index: usize,
    /// Whether it came behind the last commit of its line, if that makes one.
    pub is_behind: bool,
    /// Whether it tells all, or only a part that was looked for.
    pub is_whole: bool,
    /// The files and folders, from the session's folder.
    pub paths: Vec<String>,
}

/// Finds the listings of what is not committed in the session's folder, in order.
pub(super) fn listings(timeline: &Timeline<'_>) -> Vec<Listing> {
    let is_one = |done: &Done<'_>| {
        let lists = |line: &str| line.contains("git status") && !line.contains("cd ");
        done.worked() && done.command().is_some_and(lists)
    };
    timeline.done().filter(is_one).filter_map(|done| listing(timeline, &done)).collect()
}

fn listing(timeline: &Timeline<'_>, done: &Done<'_>) -> Option<Listing> {
    let parts = shell::raw(done.command()?);
    let lists = |(part, _): &(String, String)| {
        let git = Git::of(part).filter(|git| git.verb == "status" && !git.is_elsewhere);
        git.is_some_and(|git| git.words.iter().all(|word| word.starts_with('-') || *word == "2>&1"))
    };
    let at = parts.iter().rposition(lists)?;
    let commit = parts.iter().rposition(|(part, _)| commits_something(part));
    let output = done.output();
    let paths = output.lines().filter_map(changed_row);
    let rows = output.lines().count();
    let is_whole =
        parts[at].1 != "|" || parts.get(at + 1).is_some_and(|next| cuts_nothing(next, rows));
    Some(Listing {
        index: done.index,
        is_behind: commit.is_none_or(|commit| commit < at),
        is_whole,
        paths: paths.filter_map(|path| timeline.place(done, path)).collect(),
    })
}

/// Reads the file or folder of a row of a listing: ` M a.rs`, `?? new/`, `R  a.rs -> b.rs`, or
/// `modified:   a.rs`.
pub(super) fn changed_row(row: &str) -> Option<&str> {
    const LONG: &[&str] = &["modified:", "new file:", "deleted:", "renamed:"];
    let long = row.strip_prefix('\t');
    let long = long.and_then(|row| LONG.iter().find_map(|word| row.strip_prefix(word)));
    let path = match long {
        Some(rest) => rest.trim(),
        None => {
            let mark = row.get(..3)?.as_bytes();
            let is_mark = |byte: &u8| b" MADRCU?".contains(byte);
            let is_row = mark[..2].iter().all(is_mark) && mark[2] == b' ' && mark[..2] != *b"  ";
            row.get(3..).filter(|rest| is_row && !rest.starts_with(' '))?
        }
    };
    let path = path.rsplit_once(" -> ").map_or(path, |(_, to)| to);
    Some(path.trim_matches('"')).filter(|path| !path.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{Git, changed_row, stays};

    #[test]
    fn git_says_whether_what_is_not_committed_is_still_there() {
        let stays = |part: &str, output: &str| stays(&Git::of(part).unwrap(), output);
        let refused =
            "Please commit your changes or stash them before you switch branches.\nAborting";
        assert!(stays("git checkout main", refused));
        assert!(stays("git switch main", "Switched to branch 'main'\nM\tsrc/x.py"));
        assert!(stays("git checkout main", "Already on 'main'"));
        assert!(stays("git pull", "Already up to date."));
        assert!(stays("git rebase main", "CONFLICT (content): Merge conflict in a.go"));
        assert!(!stays("git checkout main", "Switched to branch 'main'\nAlready up to date."));
        assert!(!stays("git pull", "Updating 1a..2b\nFast-forward"));
    }

    #[test]
    fn rows_of_a_listing_name_what_changed() {
        assert_eq!(changed_row(" M src/a.rs"), Some("src/a.rs"));
        assert_eq!(changed_row("?? \"new folder/\""), Some("new folder/"));
        assert_eq!(changed_row("R  a.rs -> b.rs"), Some("b.rs"));
        assert_eq!(changed_row("\tmodified:   a.rs"), Some("a.rs"));
        for row in ["## main", "   M a", "M a.rs", "", "A", "[main 1a2b3c4] Say it", "   a b"] {
            assert_eq!(changed_row(row), None, "{row}");
        }
    }

    #[test]
    fn an_empty_short_status_shows_that_nothing_is_left() {
        use super::shows_nothing;
        assert!(shows_nothing("git commit -qam x && git status --short", "\n"));
        let line = "git log --oneline -1 && echo \"--- tree ---\" && git status -s";
        assert!(shows_nothing(line, "1a2b3c4 Say it\n--- tree ---\n"));
        assert!(!shows_nothing(line, "1a2b3c4 Say it\n--- tree ---\n M a.rs\n"));
        for line in [
            "git status --short src",
            "git status --short | grep rs",
            "git status --short > a",
            "git status --short && ls",
            "git status --short -uno",
            "git status",
        ] {
            assert!(!shows_nothing(line, ""), "{line}");
        }
    }
}
