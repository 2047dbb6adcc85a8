//! What was done last.

use super::files::{FileFact, is_outside, takes_away};
use super::timeline::{Done, Timeline};
use super::verify::is_check;
use super::written::changed;
use super::{outcomes, steps};
use crate::model::Action;

/// Programs that do something only by some of their subcommands, and show something by all others.
const BY_SUBCOMMAND: &[&str] = &[
    "apt",
    "apt-get",
    "aws",
    "az",
    "brew",
    "docker",
    "gcloud",
    "gh",
    "git",
    "glab",
    "helm",
    "kubectl",
    "podman",
    "terraform",
];
/// How the verbs of clouds begin that change something there.
const CHANGING: &[&str] =
    &["cp", "create", "delete", "mb", "mv", "put", "rb", "rm", "sync", "update"];
/// Programs that fetch or compute something and show it.
const SHOWING: &[&str] = &["curl", "cksum", "env", "md5sum", "sha1sum", "sha256sum", "shasum"];

/// Says what was done last: the last thing that changed or checked something; how many files the
/// session changed is told with it.
pub(super) fn last_done(timeline: &Timeline<'_>, files: &[FileFact]) -> Option<String> {
    let last = timeline.done().rev().find(|done| done.result.is_some() && acts(timeline, done))?;
    let line = steps::brief(timeline, &last);
    let is_changed = |file: &&FileFact| file.edits > 0 && !is_outside(&file.path);
    match files.iter().filter(is_changed).count() {
        0 => Some(line),
        1 => Some(format!("{line}; 1 file changed in the session")),
        more => Some(format!("{line}; {more} files changed in the session")),
    }
}

fn acts(timeline: &Timeline<'_>, done: &Done<'_>) -> bool {
    let acts = match done.call.action.as_deref() {
        Some(Action::Edit { .. }) => done.worked(),
        Some(Action::Shell { command, .. }) => {
            timeline.parts(done).iter().any(|part| does_something(part))
                || runs_what_it_fetches(command)
        }
        _ => false,
    };
    acts || !changed(timeline, done).is_empty() || takes_away(timeline, done)
}

/// Whether a command does more than to show something.
fn does_something(part: &str) -> bool {
    let mut words = part.split_whitespace();
    let program = words.next().unwrap_or_default();
    let options: Vec<_> = words.collect();
    let asks = |word: &&str| matches!(*word, "--help" | "--version");
    if options.iter().any(asks) || matches!(options[..], ["stash", "list" | "show", ..]) {
        return false;
    }
    if SHOWING.contains(&program) {
        return sends(&options);
    }
    let is_known = BY_SUBCOMMAND.contains(&program);
    let is_field = |word: &&str| matches!(*word, "-f" | "--field" | "--raw-field");
    let sends =
        || options.first() == Some(&"api") && (sends(&options) || options.iter().any(is_field));
    let begins = |word: &&str| CHANGING.contains(&word.split('-').next().unwrap_or_default());
    !is_known
        || options.iter().take(3).any(begins)
        || outcomes::does_something(part)
        || is_check(part)
        || sends()
}

/// Whether the options of a request to a server say that it changes something there.
fn sends(options: &[&str]) -> bool {
    let long = ["--data", "--form", "--json", "--request", "--upload-file"];
    let sends = |word: &&str| {
        matches!(*word, "-F" | "-T" | "POST" | "PUT" | "PATCH" | "DELETE")
            || word.starts_with("-d")
            || (word.starts_with("-X") && *word != "-XGET")
            || long.iter().any(|option| word.starts_with(option))
    };
    let asks = options.windows(2).any(|pair| matches!(pair, ["-X" | "--request", "GET"]));
    !asks && options.iter().any(sends)
}

/// Whether a line has a shell run what it fetches.
fn runs_what_it_fetches(line: &str) -> bool {
    ["| sh", "| bash", "|sh", "|bash", "| sudo sh", "| sudo bash"]
        .iter()
        .any(|end| line.contains(end))
}

#[cfg(test)]
mod tests {
    use super::does_something;

    #[test]
    fn what_only_shows_something_is_no_deed() {
        for part in [
            "git push origin main",
            "gh pr create --fill",
            "cargo fmt",
            "./deploy.sh all",
            "gh api x -X POST",
            "docker compose up",
            "aws s3 rm s3://x/y",
            "curl -XPOST https://a.example/deploy",
            "curl --data-raw x https://a.example",
            "curl --json {} https://a.example",
            "gh api x -f a=b",
            "wget -q https://a.example/x.tar.gz",
        ] {
            assert!(does_something(part), "{part}");
        }
        for part in [
            "gh pr view 3",
            "git stash list",
            "shasum -a 256 x",
            "uv build --help",
            "curl -s https://a.example",
            "curl -f https://a.example/health",
            "curl -X GET https://a.example",
            "aws s3 ls",
            "gh api repos/x --jq .a",
            "gh run list",
        ] {
            assert!(!does_something(part), "{part}");
        }
    }
}
