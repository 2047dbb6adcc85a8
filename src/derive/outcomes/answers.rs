//! Commands that ask whether something is so, and say by their exit code that it is not.

use super::recognise;
use crate::derive::shell;
use crate::derive::timeline::{Done, Timeline};

/// A command that asks.
struct Asking {
    /// Its program and the words behind it.
    words: &'static [&'static str],
    /// How one of its options begins; empty where it asks without any.
    option: &'static str,
    /// The exit codes that say no; none where `says` alone tells.
    codes: &'static [i64],
    /// What it prints where the answer is no, in lower case: one of these; none where the code alone tells.
    says: &'static [&'static str],
}

/// A command whose exit code is the answer.
const fn by_code(words: &'static [&'static str], codes: &'static [i64]) -> Asking {
    Asking { words, option: "", codes, says: &[] }
}

/// A command that also fails in other ways, and says where something is not there.
const fn by_words(words: &'static [&'static str], says: &'static [&'static str]) -> Asking {
    Asking { words, option: "", codes: &[], says }
}

/// How programs that keep things say that there is no such one.
const NO_SUCH: &[&str] = &["no such ", "notfound", "not found"];

/// Commands that ask.
const ASKING: &[Asking] = &[
    by_code(&["git", "check-ignore"], &[1]),
    by_code(&["git", "grep"], &[1]),
    by_code(&["git", "show-ref"], &[1, 2]),
    by_code(&["git", "symbolic-ref"], &[1]),
    Asking { option: "--is-ancestor", ..by_code(&["git", "merge-base"], &[1]) },
    Asking { option: "--get", ..by_code(&["git", "config"], &[1]) },
    by_code(&["git", "config", "get"], &[1]),
    Asking { option: "-e", ..by_code(&["git", "cat-file"], &[1, 128]) },
    Asking { option: "--exit-code", ..by_code(&["git", "ls-remote"], &[2]) },
    by_words(&["git", "remote", "get-url"], &["no such remote"]),
    by_words(&["git", "describe"], &["no names found", "no tag exactly matches", "no tags can "]),
    by_code(&["pgrep"], &[1]),
    by_code(&["pidof"], &[1]),
    by_code(&["lsof"], &[1]),
    by_code(&["ping"], &[1, 2]),
    Asking { option: "-z", ..by_code(&["nc"], &[1]) },
    by_code(&["getent"], &[2]),
    // That it failed is more than a no.
    by_words(&["systemctl", "is-active"], &["inactive", "unknown"]),
    by_code(&["systemctl", "is-enabled"], &[1, 4]),
    by_code(&["systemctl", "is-failed"], &[1]),
    by_code(&["npm", "outdated"], &[1]),
    by_code(&["pnpm", "outdated"], &[1]),
    by_code(&["yarn", "outdated"], &[1]),
    by_code(&["bundle", "outdated"], &[1]),
    by_code(&["brew", "outdated"], &[1]),
    // That something would change.
    Asking { option: "-detailed-exitcode", ..by_code(&["terraform", "plan"], &[2]) },
    Asking { option: "-detailed-exitcode", ..by_code(&["tofu", "plan"], &[2]) },
    Asking { option: "--detailed-exitcode", ..by_code(&["helm", "diff"], &[2]) },
    by_code(&["kubectl", "diff"], &[1]),
    // That they run on.
    by_code(&["gh", "pr", "checks"], &[8]),
    by_words(&["ssh"], &["successfully authenticated"]),
    by_words(&["crontab"], &["no crontab for"]),
    by_words(&["tmux", "ls"], &["no server running", "no sessions"]),
    by_words(&["tmux", "list-sessions"], &["no server running", "no sessions"]),
    by_code(&["tmux", "has-session"], &[1]),
    by_words(&["npm", "ls"], &["(empty)"]),
    by_words(&["npm", "list"], &["(empty)"]),
    by_words(&["npm", "view"], &["e404"]),
    by_words(&["cargo", "tree"], &["did not match any packages"]),
    by_words(&["pip", "show"], &["not found"]),
    by_words(&["pip3", "show"], &["not found"]),
    by_words(&["dpkg"], &["is not installed", "no packages found matching"]),
    by_words(&["dpkg-query"], &["is not installed", "no packages found matching"]),
    by_words(&["rpm"], &["is not installed"]),
    by_words(&["brew", "list"], NO_SUCH),
    by_words(&["docker", "inspect"], NO_SUCH),
    by_words(&["docker", "image", "inspect"], NO_SUCH),
    by_words(&["docker", "container", "inspect"], NO_SUCH),
    by_words(&["docker", "network", "inspect"], NO_SUCH),
    by_words(&["docker", "volume", "inspect"], NO_SUCH),
    by_words(&["podman", "inspect"], NO_SUCH),
    by_code(&["podman", "image", "exists"], &[1]),
    by_words(&["kubectl", "get"], NO_SUCH),
    by_words(&["gh", "pr", "view"], &["no pull requests found", "could not resolve to a pull"]),
    by_words(&["gh", "release", "view"], &["release not found"]),
    by_words(&["gh", "repo", "view"], &["could not resolve to a repository"]),
];

/// Options with a value that may stand between a program and its words.
const VALUED: &[&str] = &["-C", "-c", "-n", "--context", "--namespace", "-R", "--repo", "--prefix"];
/// How many words of a command tell what it asks.
const MOST_WORDS: usize = 12;

/// Whether all that a call did was to ask, and its exit code is the answer: nothing failed that could be mended.
pub(in crate::derive) fn answered_no(timeline: &Timeline<'_>, done: &Done<'_>) -> bool {
    let parts = timeline.parts(done);
    let Some(code) = done.result.and_then(|result| result.exit_code) else { return false };
    if code == 1 && found_no_row(done) {
        return true;
    }
    !parts.is_empty()
        && parts.iter().all(|part| asking(part).is_some_and(|it| it.is_no(code, &done.output())))
        && !done.went_nowhere()
}

/// Whether an exit code with which the command `part` ended is its answer, though it is none of success.
pub(super) fn is_answer(part: &str, code: i64, output: &str) -> bool {
    asking(part).is_some_and(|it| it.is_no(code, output))
}

/// What they look for where nothing is to be found.
const BAD: &[&str] = &["error", "exception", "fail", "fatal", "panic", "warn"];

/// Whether the last command of a line looked for rows in what the one before it printed, and there was none.
fn found_no_row(done: &Done<'_>) -> bool {
    let parts = shell::raw(done.command().unwrap_or_default());
    let [.., (_, joint), (last, _)] = parts.as_slice() else { return false };
    let program = recognise::name(shell::program(last));
    let low = last.to_lowercase();
    let looks_for_bad = BAD.iter().any(|word| low.contains(word));
    let hides = !done.command().is_some_and(|line| line.contains("pipefail"));
    hides
        && looks_for_bad
        && joint == "|"
        && shell::SEARCHING.contains(&program)
        && done.output().trim().is_empty()
}

/// Returns the row of what a command asks, if it only asks.
fn asking(part: &str) -> Option<&'static Asking> {
    let words: Vec<&str> = part.split_whitespace().take(MOST_WORDS).collect();
    let mut is_value = false;
    let is_plain = |word: &&&str| {
        let was_value = std::mem::replace(&mut is_value, VALUED.contains(*word));
        !was_value && !word.starts_with('-')
    };
    let plain: Vec<&str> = words.iter().filter(is_plain).copied().collect();
    let begins = |row: &&Asking| {
        let names = plain.iter().map(|word| recognise::name(word));
        let has_option =
            || row.option.is_empty() || words.iter().any(|word| word.starts_with(row.option));
        names.take(row.words.len()).eq(row.words.iter().copied()) && has_option()
    };
    ASKING.iter().find(begins)
}

impl Asking {
    /// Whether an exit code and what was printed say no.
    fn is_no(&self, code: i64, output: &str) -> bool {
        let low = || output.to_lowercase();
        (self.codes.is_empty() || self.codes.contains(&code))
            && (self.says.is_empty() || self.says.iter().any(|form| low().contains(form)))
    }
}

#[cfg(test)]
mod tests {
    use super::asking;

    fn says_no(part: &str, code: i64, output: &str) -> bool {
        asking(part).is_some_and(|row| row.is_no(code, output))
    }

    #[test]
    fn the_exit_code_of_what_asks_is_an_answer() {
        for (part, code, output) in [
            ("git check-ignore -v a/ b/", 1, ""),
            ("git -C web merge-base --is-ancestor a b", 1, ""),
            ("git config --get user.signingkey", 1, ""),
            ("git remote get-url upstream", 2, "error: No such remote 'upstream'"),
            ("/usr/bin/pgrep -fa vite", 1, ""),
            ("systemctl is-active nginx", 3, "inactive"),
            ("npm ls left-pad", 1, "app@1.0.0\n└── (empty)"),
            (
                "cargo tree -i foo",
                101,
                "error: package ID specification `foo` did not match any packages",
            ),
            ("kubectl -n a get pod x", 1, "Error from server (NotFound): pods \"x\" not found"),
            ("nc -z localhost 5432", 1, ""),
            ("terraform -chdir=infra plan -lock=false -detailed-exitcode", 2, "Plan: 1 to add"),
            ("kubectl diff -f k8s", 1, "+  replicas: 3"),
            ("gh pr checks 12", 8, "e2e pending"),
            ("ssh -T git@host", 1, "Hi! You've successfully authenticated, but no shell."),
        ] {
            assert!(says_no(part, code, output), "{part}");
        }
    }

    #[test]
    fn what_does_something_or_fails_otherwise_answers_nothing() {
        for (part, code, output) in [
            ("systemctl is-active nginx", 3, "failed"),
            ("git check-ignore a", 128, "fatal: not a git repository"),
            ("git merge-base a b", 1, ""),
            ("git config user.name", 128, "fatal: not in a git directory"),
            ("git commit -m grep", 1, ""),
            ("npm ls", 1, "npm ERR! missing: left-pad@1, required by app@1.0.0"),
            ("kubectl get pods", 1, "error: You must be logged in to the server"),
            ("docker inspect x", 1, "Cannot connect to the Docker daemon"),
            ("cargo test", 1, ""),
            ("terraform plan -detailed-exitcode", 1, "Error: no provider"),
            ("terraform plan", 2, ""),
            ("gh pr checks 12", 1, "e2e fail"),
            ("ssh host make", 1, "make: *** [all] Error 1"),
        ] {
            assert!(!says_no(part, code, output), "{part}");
        }
    }
}
