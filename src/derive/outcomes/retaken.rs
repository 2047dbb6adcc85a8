//! Whether a command may have taken back what was changed in a file, put something else in its place, or taken it away,
//! in whatever way.

use std::borrow::Cow;

use super::git::Git;
use super::names::holds;
use super::recognise;
use crate::derive::{place, shell, variables};

/// Programs that move files, take them away or write over them.
const TAKING: &[&str] =
    &["Move-Item", "Remove-Item", "del", "mv", "patch", "rm", "tee", "trash", "unlink"];
/// Options of theirs behind which a value stands.
const VALUED: &[&str] = &[
    "--exclude",
    "--exclude-from",
    "--filter",
    "--include",
    "--rsh",
    "--suffix",
    "-S",
    "-e",
    "-f",
    "-g",
    "-m",
    "-o",
];
/// Programs that write over the last of what they are given.
const COPYING: &[&str] = &["Copy-Item", "cp", "install", "ln", "rsync"];
/// How a command line makes a place outside of any project.
const TEMPORARY: &[&str] = &["$(mktemp -d)", "$(mktemp)"];
/// What has a shell make words that nobody knows of what stands there.
const UNKNOWN: &[char] = &['$', '`', '{', '\\'];
/// What has it find files.
const FINDING: &[char] = &['*', '?', '['];

/// Which files a command may have done so to.
pub(super) enum Retaking {
    /// Nobody knows which.
    Any,
    /// Those that fit one of some words, as a shell reads them.
    Fitting(Vec<String>),
    /// Those that are named so.
    Named(Vec<String>),
    /// Those of which the name stands in a text.
    Told(String),
}

impl Retaking {
    /// Finds what the commands of a line may have taken.
    pub(super) fn of_line(line: &str) -> Vec<Self> {
        let line =
            TEMPORARY.iter().fold(Cow::Borrowed(line), |line, form| match line.contains(form) {
                true => line.replace(form, "/tmp/made").into(),
                false => line,
            });
        let line = &*variables::put_in(&line);
        let mut found: Vec<Self> =
            shell::raw(line).iter().flat_map(|(raw, _)| of_part(raw)).collect();
        if !shell::ways(line).is_empty() {
            found.push(Self::Told(line.to_owned()));
        }
        found
    }

    /// Whether the file may be one of them.
    pub(super) fn may_be(&self, path: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Fitting(words) => words.iter().any(|word| fits(word, path)),
            Self::Named(words) => words.iter().any(|word| is_named(word, path)),
            Self::Told(text) => text.contains(place::name(path)),
        }
    }
}

fn of_part(raw: &str) -> Vec<Retaking> {
    let part = shell::bare(raw);
    let part = match shell::handed(&part) {
        Some(handed) => Cow::Owned(format!("{handed} $")),
        None => Cow::Borrowed(part.as_str()),
    };
    let own = match Git::of(&part) {
        Some(git) => by_git(&git),
        None => by_program(&part),
    };
    own.into_iter().chain(written(raw)).collect()
}

/// Returns where goes what a command prints.
fn written(raw: &str) -> Option<Retaking> {
    let targets = raw.split('>').skip(1).map(|rest| rest.trim_start_matches(['|', '&', ' ']));
    let words: Vec<String> =
        targets.filter_map(|rest| rest.split_whitespace().next()).map(str::to_owned).collect();
    (!words.is_empty()).then_some(Retaking::Named(words))
}

fn by_git(git: &Git<'_>) -> Option<Retaking> {
    let only_unstages = || git.has(&["--staged", "-S"]) && !git.has(&["--worktree", "-W", "-SW"]);
    let (takes, of_all) = match git.verb {
        "apply" => (!git.has(&["--cached", "--check", "--stat"]), true),
        "checkout" => (!git.has(&["-b", "-B", "--orphan"]), false),
        "clean" => (!git.has(&["-n", "--dry-run"]), true),
        "mv" => (true, false),
        "reset" => (git.has(&["--hard", "--keep", "--merge"]), true),
        "restore" => (!only_unstages(), false),
        "rm" => (!git.has(&["--cached"]), false),
        "stash" => (!matches!(git.words.first(), Some(&("list" | "show"))), true),
        _ => (false, false),
    };
    let which = || if of_all { Retaking::Any } else { fitting(&git.words) };
    takes.then(which)
}

fn by_program(part: &str) -> Option<Retaking> {
    let words: Vec<&str> = part.split_whitespace().collect();
    let (program, words) = words.split_first()?;
    let has = |options: &[&str]| {
        words.iter().any(|word| options.iter().any(|option| word.starts_with(option)))
    };
    match recognise::name(program) {
        "find" => has(&["-delete", "-exec"]).then(|| fitting(words)),
        // The text of a script has all kinds of marks.
        "perl" | "sed" => has(&["-i", "--in-place"])
            .then(|| Retaking::Named(words.iter().map(|word| (*word).to_owned()).collect())),
        program if COPYING.contains(&program) => {
            let is_value = |at: usize| at > 0 && VALUED.contains(&words[at - 1]);
            let last = (0..words.len()).rfind(|at| !words[*at].starts_with('-') && !is_value(*at));
            Some(fitting(words.get(last.unwrap_or(0)..=last.unwrap_or(0)).unwrap_or_default()))
        }
        program => TAKING.contains(&program).then(|| fitting(words)),
    }
}

/// Returns what the words behind a command name; where they name nothing, it may be any.
fn fitting(words: &[&str]) -> Retaking {
    let operands = words.iter().filter(|word| !word.starts_with('-'));
    let operands: Vec<String> = operands.map(|word| (*word).to_owned()).collect();
    let is_any = |word: &String| {
        let word = bare(word);
        matches!(word, "" | "." | ":/") || word.contains(UNKNOWN)
    };
    match operands.is_empty() || operands.iter().any(is_any) {
        true => Retaking::Any,
        false => Retaking::Fitting(operands),
    }
}

fn bare(word: &str) -> &str {
    word.trim_matches(['"', '\'', '(', ')', ',', ';']).trim_start_matches("./")
}

fn is_named(word: &str, path: &str) -> bool {
    let word = bare(word).trim_start_matches("../");
    !word.is_empty() && holds(word, path)
}

fn fits(word: &str, path: &str) -> bool {
    let word = bare(word);
    let Some(at) = word.find(FINDING) else { return is_named(word, path) };
    let (folder, start) = word[..at].rsplit_once('/').unwrap_or(("", &word[..at]));
    let end = word.rsplit(FINDING).next().unwrap_or_default();
    (folder.is_empty() || is_named(folder, path)) && path.contains(start) && path.contains(end)
}

#[cfg(test)]
mod tests {
    use super::Retaking;

    fn may_retake(line: &str, path: &str) -> bool {
        Retaking::of_line(line).iter().any(|one| one.may_be(path))
    }

    #[test]
    fn what_may_take_a_change_back_is_told_from_what_does_not() {
        for line in [
            "git checkout -q src/x.ts",
            "git checkout -q -- src",
            "git checkout main -- src/x.ts",
            "git checkout .",
            "git checkout -f HEAD -- .",
            "git restore --source HEAD src/x.ts",
            "git restore src/*.ts",
            "git stash -q; git stash drop -q",
            "git reset --hard HEAD",
            "(cd src && git checkout x.ts)",
            "git diff --name-only | xargs git checkout --",
            "git checkout $(git diff --name-only)",
            "git -C . checkout -- src/x.ts",
            "git diff src/x.ts | git apply -R",
            "git show HEAD:src/x.ts > src/x.ts",
            "patch -p1 -R < x.patch",
            "cp /tmp/x.orig src/x.ts",
            "mv src/x.ts.bak src/x.ts",
            "mv src lib",
            "rm -f *.ts",
            "rm src/x.*",
            "rm -rf src",
            "sed -i 's/b$/a/' src/x.ts",
            "find . -name 'x*' -delete",
            "python3 -c \"import os; os.remove('src/x.ts')\"",
            "Remove-Item src\\x.ts",
        ] {
            assert!(may_retake(line, "src/x.ts"), "{line}");
        }
        for line in [
            "git add src/x.ts",
            "git diff src/x.ts > /tmp/x.patch 2>&1",
            "git checkout -b cart",
            "git checkout main",
            "git checkout -- src/y.ts docs",
            "git restore --staged src/x.ts",
            "git reset -q",
            "git stash list",
            "git rm --cached src/x.ts",
            "git log -- src/x.ts",
            "npx vitest src/x.ts",
            "cat src/x.ts > /tmp/a",
            "rm -rf dist/*",
            "T=/tmp/made; rm -rf $T && mkdir -p $T",
            "rm *.log",
            "cp src/y.ts src/z.ts",
            "cp -r src/x.ts /tmp/x.orig",
            "W=/tmp/a/wf; rm -rf $W; cp -r config $W",
            "TMP=$(mktemp -d); cp -r src \"$TMP\" && rm -rf \"$TMP\"",
            "sed -n '1,9p' src/x.ts",
            "sed -i 's/b$/a/' src/y.ts",
            "find src -name 'x*'",
            "xargs grep x",
        ] {
            assert!(!may_retake(line, "src/x.ts"), "{line}");
        }
    }
}
