//! Commands of git: what each is told to do.

use crate::derive::paths::is_file;

/// A command of git.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Git<'p> {
    /// What it does.
    pub verb: &'p str,
    /// What stands behind that.
    pub words: Vec<&'p str>,
    /// Whether it is told to do that in another folder.
    pub is_elsewhere: bool,
}

impl<'p> Git<'p> {
    /// Reads a command, if it is one of git.
    pub(super) fn of(part: &'p str) -> Option<Self> {
        let mut words = part.split_whitespace();
        words.next().filter(|program| *program == "git")?;
        let (mut verb, mut is_elsewhere) = (words.next()?, false);
        while verb.starts_with('-') {
            is_elsewhere |= verb == "-C" || verb.starts_with("--git-dir");
            // Both have a value.
            if matches!(verb, "-C" | "-c") {
                words.next();
            }
            verb = words.next()?;
        }
        Some(Self { verb, words: words.collect(), is_elsewhere })
    }

    /// Whether one of `options` stands behind it.
    pub(super) fn has(&self, options: &[&str]) -> bool {
        self.words.iter().any(|word| options.contains(word))
    }

    /// Whether it has git do a thing that it began before: go on with it, leave it, or give it up.
    pub(super) fn goes_on(&self) -> bool {
        self.has(&["--abort", "--continue", "--quit", "--skip"])
    }
}

/// Whether a command has git change the files or the commits at hand, beside making a commit.
pub(in crate::derive) fn changes_tree(part: &str) -> bool {
    let Some(git) = Git::of(part) else { return false };
    match git.verb {
        "mv" | "rm" | "clean" => !git.has(&["-n", "--dry-run", "--help"]),
        "reset" => {
            let goes_back = |word: &&str| word.starts_with("HEAD~") || word.starts_with("HEAD^");
            git.has(&["--hard", "--soft", "--keep", "--merge"]) || git.words.iter().any(goes_back)
        }
        "checkout" => {
            git.has(&["--", "."]) || !git.words.is_empty() && git.words.iter().all(|it| is_file(it))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::Git;

    #[test]
    fn what_git_is_told_to_do_stands_behind_its_own_options() {
        let told = |part| Git::of(part).map(|git| (git.verb, git.words, git.is_elsewhere));
        assert_eq!(told("git -c a=b stash -q"), Some(("stash", vec!["-q"], false)));
        assert_eq!(told("git -C /p --no-pager log"), Some(("log", vec![], true)));
        assert_eq!(told("gitk log"), None);
        assert_eq!(told("git -C"), None);
    }

    #[test]
    fn what_changes_files_or_commits_is_told_from_what_does_not() {
        for part in [
            "git mv a.rs \"$T\"",
            "git rm -q a.rs",
            "git reset --hard",
            "git reset HEAD~1",
            "git checkout -- a.rs",
            "git checkout a.rs",
            "git clean -fd",
        ] {
            assert!(super::changes_tree(part), "{part}");
        }
        for part in [
            "git reset",
            "git reset a.rs",
            "git checkout main",
            "git clean -n",
            "git checkout -b x",
        ] {
            assert!(!super::changes_tree(part), "{part}");
        }
    }
}
