//! What commands of git take back of what was changed.

use crate::derive::paths::is_file;
use crate::derive::place::known;
use crate::derive::sure::{Sure, walk};

/// What a command takes back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Back {
    /// Files, or all in folders, as they were when they were committed or added last; from where the line began.
    Paths(Vec<String>),
    /// All in the folder where the line began.
    All,
    /// All that is not committed, and so many commits.
    Hard(usize),
    /// So many commits; what they hold stays as it is.
    Commits(usize),
}

/// Finds what a command line that ended well takes back, each with its place on the line.
pub(super) fn restored(line: &str) -> Vec<(usize, Back)> {
    let mut found = Vec::new();
    if !["git checkout ", "git restore ", "git reset"].iter().any(|form| line.contains(form)) {
        return found;
    }
    walk(line, |one| {
        let redirects = |word: &&str| word.contains('>');
        let words: Vec<&str> = one.raw.split_whitespace().filter(|word| !redirects(word)).collect();
        let back = match words.as_slice() {
            ["git", "checkout", rest @ ..] => by_checkout(rest, one),
            ["git", "restore", rest @ ..] => by_restore(rest, one),
            ["git", "reset", rest @ ..] => by_reset(rest),
            _ => None,
        };
        found.extend(back.map(|back| (one.at, back)));
    });
    found
}

fn by_checkout(words: &[&str], one: &Sure<'_>) -> Option<Back> {
    let named = match words {
        ["--", named @ ..] | ["HEAD", "--", named @ ..] => return paths(named, one, |_| true),
        ["-f" | "--force"] => &["."],
        ["-f" | "--force", named @ ..] => named,
        named => named,
    };
    // An option, a branch or a revision among them says to do something else.
    paths(named, one, is_file)
}

fn by_restore(words: &[&str], one: &Sure<'_>) -> Option<Back> {
    let (options, named): (Vec<&str>, Vec<&str>) =
        words.iter().partition(|word| word.starts_with('-') && **word != "--");
    let has = |forms: &[&str]| options.iter().any(|option| forms.contains(option));
    let is_known = |option: &&str| {
        matches!(*option, "--staged" | "-S" | "--worktree" | "-W" | "-q" | "--quiet" | "-SW")
    };
    let only_unstages = has(&["--staged", "-S"]) && !has(&["--worktree", "-W"]);
    if only_unstages || !options.iter().all(is_known) {
        return None;
    }
    paths(named.strip_prefix(&["--"]).unwrap_or(&named), one, |_| true)
}

/// Returns the files and folders that are named, if `fits` each of them.
fn paths(named: &[&str], one: &Sure<'_>, fits: impl Fn(&str) -> bool) -> Option<Back> {
    let folder = one.folder?;
    if matches!(named, ["." | "./"]) {
        let here = if folder.is_empty() { Back::All } else { Back::Paths(vec![folder.to_owned()]) };
        return Some(here);
    }
    let path = |word: &&str| known(word, Some(folder)).filter(|path| fits(path));
    let paths = named.iter().map(path).collect::<Option<Vec<_>>>()?;
    (!paths.is_empty()).then_some(Back::Paths(paths))
}

fn by_reset(words: &[&str]) -> Option<Back> {
    let is_hard = words.contains(&"--hard");
    let targets: Vec<&&str> = words.iter().filter(|word| !word.starts_with('-')).collect();
    let back = match targets.as_slice() {
        [] => Some(0),
        [only] => commits_back(only),
        _ => return None,
    };
    match back {
        _ if words.iter().any(|word| matches!(*word, "--keep" | "--merge" | "--")) => None,
        // Where it goes to another commit, what was not committed is gone as well.
        back if is_hard => Some(Back::Hard(back.unwrap_or(0))),
        back => back.filter(|back| *back > 0).map(Back::Commits),
    }
}

/// Reads how many commits before the last one a revision is: `HEAD~2`, `HEAD^`, `@~`.
pub(super) fn commits_back(revision: &str) -> Option<usize> {
    let rest = revision.strip_prefix("HEAD").or_else(|| revision.strip_prefix('@'))?;
    match rest.strip_prefix('~') {
        Some("") => Some(1),
        Some(count) => count.parse().ok(),
        None => rest.chars().all(|c| c == '^').then_some(rest.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Back, restored};

    fn told(line: &str) -> Vec<Back> {
        restored(line).into_iter().map(|(_, back)| back).collect()
    }

    #[test]
    fn what_is_taken_back_is_told_by_its_files() {
        let paths = |paths: &[&str]| {
            vec![Back::Paths(paths.iter().map(|path| (*path).to_owned()).collect())]
        };
        for (line, want) in [
            ("cd sub && git checkout -- a.rs b.rs", &["sub/a.rs", "sub/b.rs"][..]),
            ("git restore src/a.rs && git status", &["src/a.rs"]),
            ("git checkout src/a.rs 2>&1", &["src/a.rs"]),
            ("git checkout HEAD -- src", &["src"]),
            ("git restore --staged --worktree src", &["src"]),
            ("cd sub && git checkout .", &["sub"]),
        ] {
            assert_eq!(told(line), paths(want), "{line}");
        }
        for line in [
            "git checkout main",
            "git checkout main -- a.rs",
            "git checkout -b a.rs",
            "git restore --staged a.rs",
            "git restore --source HEAD~1 a.rs",
            "make || git checkout a.rs",
            "git reset a.rs",
            "git reset",
            "git reset --soft origin/main",
        ] {
            assert_eq!(told(line), [], "{line}");
        }
    }

    #[test]
    fn all_is_taken_back_with_the_commits_that_are_counted() {
        assert_eq!(told("git checkout . && git status"), [Back::All]);
        assert_eq!(told("git restore ."), [Back::All]);
        assert_eq!(told("git reset --hard && git clean -fd"), [Back::Hard(0)]);
        assert_eq!(told("git reset --hard HEAD~2"), [Back::Hard(2)]);
        assert_eq!(told("git reset --hard origin/main"), [Back::Hard(0)]);
        assert_eq!(told("git reset --soft HEAD^^"), [Back::Commits(2)]);
        assert_eq!(told("git reset HEAD~"), [Back::Commits(1)]);
        assert_eq!(restored("make; git checkout -- a.rs")[0].0, 1);
    }
}
