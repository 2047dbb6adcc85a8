//! Commands of git: what each is told to do.

use std::borrow::Cow;

use crate::derive::paths::is_file;
use crate::derive::shell;

/// A command of git.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Git<'p> {
    /// What it does.
    pub verb: &'p str,
    /// What stands behind that.
    pub words: Vec<&'p str>,
    /// The folder in which it is told to do that, as it stands there.
    pub folder: Option<&'p str>,
    /// Whether it is told to do that in another folder.
    pub is_elsewhere: bool,
}

impl<'p> Git<'p> {
    /// Reads a command, if it is one of git.
    pub(super) fn of(part: &'p str) -> Option<Self> {
        let mut words = part.split_whitespace();
        words.next().filter(|program| *program == "git")?;
        let (mut verb, mut folder, mut is_elsewhere) = (words.next()?, None, false);
        while verb.starts_with('-') {
            is_elsewhere |= verb == "-C" || verb.starts_with("--git-dir");
            match verb {
                "-C" => folder = words.next().map(|word| word.trim_matches(['"', '\''])),
                "-c" => drop(words.next()),
                _ => {}
            }
            verb = words.next()?;
        }
        Some(Self { verb, words: words.collect(), folder, is_elsewhere })
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

/// Writes a command of git without what stands before its verb: what it does is the same in every folder.
pub(in crate::derive) fn from_verb(part: &str) -> Cow<'_, str> {
    match Git::of(part) {
        Some(git) if !part.trim_start()["git".len()..].trim_start().starts_with(git.verb) => {
            let words: Vec<&str> = ["git", git.verb].into_iter().chain(git.words).collect();
            Cow::Owned(words.join(" "))
        }
        _ => Cow::Borrowed(part),
    }
}

/// How a row begins by which git says that it did nothing, or not all.
const REFUSING: &[&str] = &["error: ", "fatal: ", "Aborting", "CONFLICT ("];

/// Whether git says that it left all as it was, or in the middle.
pub(super) fn refused(output: &str) -> bool {
    output.lines().any(|row| REFUSING.iter().any(|start| row.starts_with(start)))
}

/// What brings to a branch what stands in others, beside `rebase`, which moves the branch itself.
const BRINGING: &[&str] = &["am", "cherry-pick", "merge", "pull", "revert"];

/// Whether a verb of git brings to the branch at hand what stands in others.
pub(super) fn brings(verb: &str) -> bool {
    BRINGING.contains(&verb)
}

/// Verbs by which git only looks, and words behind which others do; nothing where they stand alone.
const LOOKS: &[&str] = &[
    "blame",
    "cat-file",
    "check-ignore",
    "describe",
    "diff",
    "diff-tree",
    "for-each-ref",
    "grep",
    "log",
    "ls-files",
    "ls-remote",
    "ls-tree",
    "merge-base",
    "name-rev",
    "rev-list",
    "rev-parse",
    "shortlog",
    "show",
    "status",
];
const LISTS: &[(&str, &[&str])] = &[
    (
        "branch",
        &["", "--show-current", "--list", "-a", "-r", "-v", "-vv", "--contains", "--merged"],
    ),
    ("config", &["--get", "--list", "-l", "--get-all"]),
    ("reflog", &["", "show"]),
    ("remote", &["", "-v", "show", "get-url"]),
    ("stash", &["list", "show"]),
    ("tag", &["", "-l", "--list", "--contains", "-n"]),
    ("worktree", &["list"]),
];
/// Of those the verbs that show the files and the commits at hand: nobody has to be told of it.
const SHOWS: &[&str] =
    &["blame", "branch", "diff", "log", "ls-files", "rev-parse", "show", "status"];
/// Verbs behind which a name alone asks for its value.
const NAMED: &[&str] = &["config", "symbolic-ref"];

/// Whether a command only asks git for what it knows.
pub(in crate::derive) fn looks(part: &str) -> bool {
    let Some(git) = Git::of(part) else { return false };
    let first = git.words.first().copied().unwrap_or_default();
    let lists = LISTS.iter().any(|(verb, words)| *verb == git.verb && words.contains(&first));
    let names = git.words.iter().filter(|word| !shell::is_redirection(word)).count() == 1
        && !first.starts_with('-');
    LOOKS.contains(&git.verb) && !part.contains(" --output")
        || lists
        || names && NAMED.contains(&git.verb)
}

/// Whether a command only has git show the files and the commits at hand.
pub(in crate::derive) fn shows(part: &str) -> bool {
    Git::of(part).is_some_and(|git| SHOWS.contains(&git.verb)) && looks(part)
}

/// Returns the folder in which a command of git is told to work.
pub(in crate::derive) fn told_folder(part: &str) -> Option<&str> {
    Git::of(part).and_then(|git| git.folder)
}

/// Whether a command is a push.
pub(in crate::derive) fn is_push(part: &str) -> bool {
    Git::of(part).is_some_and(|git| git.verb == "push")
}

/// Whether something on a command line is a push, be it one in a loop.
pub(in crate::derive) fn pushes(line: &str) -> bool {
    line.contains("git push")
        || line.contains("push") && shell::parts(line).iter().any(|part| is_push(part))
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
    fn a_command_is_the_same_in_every_folder() {
        use super::{from_verb, is_push, pushes};
        assert_eq!(from_verb("git -C /p -c a=b push -q origin"), "git push -q origin");
        for part in ["git push -q", "git  push", "gitk push", "git"] {
            assert_eq!(from_verb(part), part);
        }
        assert!(is_push("git -C /p push") && !is_push("git -C push log"));
        assert!(pushes("cd a && git -C ../b push") && !pushes("git log --grep push"));
    }

    #[test]
    fn what_only_looks_is_told_from_what_does_something() {
        for part in [
            "git -C lib status -sb",
            "git -c a=b log -3",
            "git branch",
            "git branch --show-current",
            "git remote -v",
            "git config user.name",
            "git stash list",
        ] {
            assert!(super::looks(part), "{part}");
        }
        for part in [
            "git branch -D x",
            "git branch x",
            "git -C lib commit -m status",
            "git diff --output=a.patch",
            "git config user.name Ada",
            "git stash",
            "git tag v1",
            "gitk",
        ] {
            assert!(!super::looks(part), "{part}");
        }
        assert!(super::shows("git -C lib status") && super::shows("git branch -a"));
        assert!(!super::shows("git branch -D x") && !super::shows("git ls-remote origin"));
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
