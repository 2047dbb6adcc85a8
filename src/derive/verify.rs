//! What to look at before relying on a pack.

use std::cmp::Reverse;

use super::checking::{can_be_tried, is_check, is_of_part, rank};
use super::commands::Command;
use super::failures::Failure;
use super::files::{FileFact, is_outside};
use super::outcomes::{Commit, Ended, Outcomes, Since};
use super::place::goes_first;
use super::{shell, text};

/// How many characters name a command that stands elsewhere in full.
const NAME_CHARS: usize = 40;
/// How many failing commands are asked about.
const MOST_FAILING: usize = 2;

/// What is asked where the session changed files and no commit of it is known.
pub const STILL_THERE: &str = "`git status`: are the changes named here still there?";

/// Says what to look at before relying on the pack.
pub(super) fn checks(
    commands: &[Command],
    failures: &[Failure],
    files: &[FileFact],
    outcomes: &Outcomes,
    next: Option<&str>,
) -> Vec<String> {
    let runs = Runs { commands, failures, files, outcomes, next };
    changes(files, outcomes).chain(runs.asked()).collect()
}

/// Asks for what was changed: in the commit after which nothing was, else in the working tree.
fn changes(files: &[FileFact], outcomes: &Outcomes) -> impl Iterator<Item = String> {
    let is_left = |file: &FileFact| file.edits > 0 && !file.is_passed;
    let is_any = files.iter().any(|file| is_left(file) && !is_outside(&file.path));
    let here = match outcomes.committed().filter(|_| is_any) {
        Some((commit, Since::Moved)) if outcomes.was_merged(commit) => None,
        Some((commit, since)) => Some(there(commit, still_there(commit, since))),
        None => is_any.then(|| STILL_THERE.to_owned()),
    };
    let beside = outcomes.beside().map(|beside| {
        let line = goes_first(&beside.folder, "git status");
        format!("`{line}`: are the changes made there still there?")
    });
    here.into_iter().chain(beside)
}

/// The commands of a session, and what is known of them.
struct Runs<'a> {
    commands: &'a [Command],
    failures: &'a [Failure],
    files: &'a [FileFact],
    outcomes: &'a Outcomes,
    /// What comes next.
    next: Option<&'a str>,
}

impl Runs<'_> {
    /// Says which to run again.
    fn asked(&self) -> Vec<String> {
        let failing = self.failures.iter().filter(|failure| self.can_be_tried(&failure.command));
        // Where a program is not there it says as much when it is run again.
        let (lacking, failing): (Vec<_>, Vec<_>) =
            failing.partition(|failure| self.outcomes.lacked_program(&failure.command));
        let still_fail = |failing: &[&Failure]| {
            let first = failing.iter().take(MOST_FAILING);
            first.filter_map(|failure| self.still_fails(failure)).collect::<Vec<_>>()
        };
        let mut asked = still_fail(&failing);
        // What failed and cannot be tried again, such as a push, leaves the check to be asked for.
        if failing.is_empty() || asked.is_empty() && self.fails_in_line() {
            asked.extend(self.check());
        }
        if asked.is_empty() && failing.is_empty() {
            asked = still_fail(&lacking);
        }
        asked
    }

    /// Asks whether a command still fails, unless what comes next says so.
    fn still_fails(&self, failure: &Failure) -> Option<String> {
        let named = by_id(&failure.command, &failure.id);
        let is_next = self.next.is_some_and(|next| next.contains(&named));
        let line = format!("`{}`: does it still fail?", failure.command);
        (!is_next && is_whole(&failure.command)).then_some(line)
    }

    /// Asks how the check ends that tells most.
    fn check(&self) -> Option<String> {
        let outcomes = self.outcomes;
        let is_meant = |command: &&Command| {
            let command = &command.command;
            let fails = outcomes.ended(command) == Ended::Failed;
            // What ran on files of others, to compare, is no check of the work.
            !outcomes.is_of_others(command)
                && self.is_there(command)
                && !outcomes.lost_its_task(command)
                // What was only tried out elsewhere cannot be run here, or says little.
                && (fails || !outcomes.was_tried(command))
        };
        let last = |command: &Command| outcomes.last_run(&command.command);
        let named = &telling_most(self.commands.iter().filter(is_meant), last)?.command;
        let asked = match outcomes.ended(named) {
            Ended::Failed => "does it pass now?",
            Ended::Passed => "does it still pass?",
            Ended::Unknown => "does it pass?",
        };
        Some(format!("`{named}`: {asked}"))
    }

    /// Whether a check failed in a line that also does what must not be done twice: the check alone can be asked for.
    fn fails_in_line(&self) -> bool {
        let mut failing = self.failures.iter().map(|failure| &failure.command);
        failing.any(|command| is_check(command) && !self.can_be_tried(command))
    }

    fn can_be_tried(&self, command: &str) -> bool {
        can_be_tried(command) && self.is_there(command)
    }

    /// Whether the files that a command names are still there.
    fn is_there(&self, command: &str) -> bool {
        !self.files.iter().any(|file| runs_gone(command, file))
    }
}

/// Whether a command names a file that the session took away: it cannot be run again.
fn runs_gone(command: &str, file: &FileFact) -> bool {
    let is_it = |word: &str| word.trim_start_matches("./") == file.path;
    matches!(file.state, "deleted" | "moved") && command.split_whitespace().any(is_it)
}

/// Returns the check that tells most when it is run again: a test before a build, a linter and a
/// formatter, one of all before one of a part, then the newest.
///
/// `last` tells of each the number of the call that ran it last.
fn telling_most<'c>(
    commands: impl Iterator<Item = &'c Command>,
    last: impl Fn(&Command) -> Option<usize>,
) -> Option<&'c Command> {
    let tried = |command: &&Command| {
        command.worked != Some(false)
            && is_whole(&command.command)
            && can_be_tried(&command.command)
    };
    let rank = |command: &&Command| {
        let newest = Reverse((command.turn, last(command)));
        (rank(&command.command), is_of_part(&command.command), newest)
    };
    commands.filter(tried).min_by_key(rank)
}

/// How many characters a command has at most that is asked about, beside the variables that are set for it: one that
/// is cut off cannot be run.
const WHOLE_CHARS: usize = 110;

fn is_whole(command: &str) -> bool {
    let words = command.split(' ').skip_while(|word| shell::is_assignment(word));
    let chars: usize = words.map(|word| word.chars().count() + 1).sum();
    chars <= WHOLE_CHARS + 1 && !command.contains('…')
}

/// Asks for a commit in the folder in which it was made.
fn there(commit: &Commit, asked: String) -> String {
    match &commit.elsewhere {
        Some(folder) => {
            asked.replacen("`git log", &format!("`{}", goes_first(folder, "git log")), 1)
        }
        None => asked,
    }
}

/// Asks for the commit after which no file was edited; one that was merged or rebased can have another
/// name now.
fn still_there(commit: &Commit, since: Since) -> String {
    // Whoever went to another branch since, or moved the commit, may rightly find it elsewhere.
    let of_sha = |sha: &str, subject: &str| {
        format!(
            "`git log --all`: on which branch is \"{subject}\" ({sha} then), committed after the last change?"
        )
    };
    match (&commit.sha, &commit.subject, since) {
        (Some(sha), _, Since::Unknown) => {
            format!("`git log` and `git status`: is {sha} there, and was more changed after it?")
        }
        (Some(sha), Some(subject), Since::Moved) => of_sha(sha, subject),
        (Some(sha), ..) => format!("`git log`: is {sha}, made after the last change, still there?"),
        (None, Some(subject), Since::Unknown) => format!(
            "`git log` and `git status`: is \"{subject}\" on this branch, and was more changed after it?"
        ),
        (None, Some(subject), _) => {
            format!("`git log`: is \"{subject}\", committed after the last change, on this branch?")
        }
        _ => "`git log -3` and `git status`: was what is named here committed?".to_owned(),
    }
}

/// Names a command that stands elsewhere in full: by its first words, and by its id if those are
/// not all of it.
pub(super) fn by_id(command: &str, id: &str) -> String {
    let start = text::start(command, NAME_CHARS);
    match start == command {
        true => format!("`{start}`"),
        false => format!("`{start}` ({id})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_check_that_is_whole_comes_first() {
        let command = |command: &str, turn| Command {
            id: "F-1".to_owned(),
            command: command.to_owned(),
            runs: 1,
            worked: Some(true),
            turn,
            evidence: Vec::new(),
            weight: 1.0,
        };
        let long = format!("cargo test {}", "x".repeat(200));
        let known = [
            command("cargo clippy", 9),
            command("cargo build", 9),
            command("cargo test parse", 9),
            command("cargo test", 3),
            command("npm test", 4),
            command(&long, 9),
        ];
        let told =
            |known: &[Command]| telling_most(known.iter(), |_| None).map(|it| it.command.clone());
        assert_eq!(told(&known).as_deref(), Some("npm test"));
        assert_eq!(told(&known[..3]).as_deref(), Some("cargo test parse"));
        assert_eq!(told(&known[5..]), None);
        // Of equals the one that ran last.
        let equals = [command("dotnet test a.csproj", 4), command("npm test", 4)];
        let last = |it: &Command| Some(usize::from(it.command == "npm test"));
        assert_eq!(telling_most(equals.iter(), last).unwrap().command, "npm test");
    }
}
