//! Commands that failed and were not run with success since.

use std::collections::HashSet;

use serde::Serialize;

use super::checking::is_check;
use super::fact::{Fact, FactKind, State};
use super::files::is_temporary;
use super::open_work::is_over_elsewhere;
use super::outcomes::{
    Outcomes, answered_no, failed_unseen, has_verb, is_push, lies_outside, only_asks,
    pushes_anything, refusal, was_found_otherwise, was_misused, was_misused_last, without_headings,
};
use super::symptoms::telling;
use super::timeline::{Done, Timeline};
use super::{commands, deeds, ids, place, shell, text};
use crate::model::Status;

/// A command that failed last time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// `F-` and eight hexadecimal digits.
    pub id: String,
    /// The command that failed.
    pub command: String,
    /// Whether another agent ran it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub by_agent: bool,
    /// Its exit code, where it is known.
    pub exit_code: Option<i64>,
    /// The few lines that tell most of what went wrong.
    pub key_lines: Vec<String>,
    /// More of them.
    pub lines: Vec<String>,
    /// The one line that tells most.
    #[serde(skip)]
    pub(super) why: Option<String>,
    /// Whether the same passed by another program since, or the work was pushed though this check failed.
    #[serde(skip)]
    pub(super) got_round: bool,
    /// Whether the work was committed after it, though it failed.
    #[serde(skip)]
    pub(super) is_committed: bool,
    /// What the environment did not let it do, where it failed by that.
    #[serde(skip)]
    pub(super) refused: Option<String>,
    /// Whether it failed by the network or another machine, where no change of a file mends it.
    #[serde(skip)]
    pub(super) is_outside: bool,
    /// Whether nothing was done after it: the session ends with it, whatever was looked at or said since.
    #[serde(skip)]
    pub(super) is_last: bool,
    /// How many files were changed after it.
    pub edits_since: usize,
    /// The turn of the run.
    pub turn: u32,
    /// The items that it rests on.
    pub evidence: Vec<String>,
}

/// How many of the last commands can still be the cause of the next step.
const WITHIN: usize = 16;
/// After how many more calls the work has gone on.
const GONE_ON: usize = 4;
/// How many bytes of an output are looked at for the name of another tool.
const LED_BYTES: usize = 1000;
/// How many failures are kept.
pub const MOST: usize = 3;
/// How many lines tell most of it.
const KEY_LINES: usize = 4;
/// How many lines are kept of each.
const MOST_LINES: usize = 10;

/// Finds the commands whose last run failed, newest first: without those that are mended by what
/// `told` says, those that were only called the wrong way or not let run, those that ran without the changes,
/// those that only asked for what was got in another way right after, and those whose exit code is the answer.
pub(super) fn failures(
    timeline: &Timeline<'_>,
    outcomes: &Outcomes,
    told: &[Fact],
) -> Vec<Failure> {
    let calls: Vec<_> = timeline.done().map(Done::at_end).collect();
    let newest = timeline.requests().next_back().map_or(0, |(item, _)| item.turn);
    let seen = Seen { timeline, outcomes, calls: &calls, newest };
    let fixes = told.iter().filter(|fact| fact.kind == FactKind::Fix && fact.state == State::Done);
    let mended: HashSet<&str> = fixes.flat_map(|fact| &fact.evidence).map(String::as_str).collect();
    let mut later: HashSet<String> = HashSet::new();
    let mut found: Vec<Failure> = Vec::new();
    let runs = calls.iter().rev().filter(|done| done.command().is_some() && done.result.is_some());
    for done in runs.take(WITHIN) {
        let keys = keys(timeline.parts(done), done);
        // The same may have passed in another folder since, and what ended another error may have failed itself.
        let is_over = || {
            keys.iter().any(|(bare, set)| later.contains(&format!("{set}{bare}")))
                || mended.contains(done.item.id.as_ref())
        };
        let counts = || !keys.is_empty() && (outcomes.still_fails(&done.item.id) || !is_over());
        if has_failed(done) && counts() && seen.is_of_work(done) {
            found.extend(failure(timeline, done, outcomes));
        }
        later.extend(keys.into_iter().flat_map(|(bare, set)| [format!("{set}{bare}"), bare]));
    }
    found.truncate(MOST);
    found
}

/// The session around a run that failed.
struct Seen<'a, 's> {
    timeline: &'a Timeline<'s>,
    outcomes: &'a Outcomes,
    /// All calls that were done, in their order.
    calls: &'a [Done<'s>],
    /// The turn of the newest request.
    newest: u32,
}

impl Seen<'_, '_> {
    /// Whether a run that failed says something of the work as it stands.
    fn is_of_work(&self, done: &Done<'_>) -> bool {
        let outcomes = self.outcomes;
        let is_check = self.checks(done).next().is_some();
        // What tests or builds may print of anybody's options.
        let is_misused = || !is_check && was_misused(&done.output());
        let was_let = || !outcomes.aside.reaches(done) && !done.was_held_back() && !done.is_lost();
        let is_settled = || outcomes.passed_elsewhere(done.index) && is_check;
        let later = &self.calls[done.index + 1..];
        !is_misused()
            && was_let()
            && !outcomes.was_of_gone(&done.item.id)
            && !outcomes.stops.was_gone_on_with(&done.item.id)
            && !is_settled()
            && !self.was_left(done)
            && !self.has_gone_out(done)
            && !self.is_of_others(done)
            && (is_check || later.is_empty() || !was_a_wait(done))
            && !is_over_elsewhere(self.timeline, done)
            && !was_found_otherwise(self.timeline, done)
            && !answered_no(self.timeline, done)
            && !was_a_try(self.timeline, later, done)
            && (is_check || !was_led_on(later, &done.output()))
    }

    /// The commands of a call that check something.
    fn checks<'p>(&'p self, done: &Done<'_>) -> impl Iterator<Item = &'p String> {
        self.timeline.parts(done).iter().filter(|part| is_check(part))
    }

    /// Whether it only looked at something that could not be fetched or seen, and the work went on: it was got in
    /// another way, or was not needed.
    fn was_left(&self, done: &Done<'_>) -> bool {
        let parts = self.timeline.parts(done);
        let has_gone_on = || done.index + GONE_ON < self.calls.len();
        let only_looked = || {
            !parts.iter().any(|part| deeds::does_something(part))
                && (parts.iter().all(|part| reads(part))
                    || says_absent(&done.output())
                    || was_misused_last(&done.output()))
        };
        has_gone_on()
            && (only_got(parts, done, self.newest) || only_looked())
            && !self.is_kept_out(done)
    }

    /// Whether a server did not let it in, or could not be reached, and no command of the same program worked since:
    /// that is how this place is.
    fn is_kept_out(&self, done: &Done<'_>) -> bool {
        let low = done.output().to_lowercase();
        let programs = |done: &Done<'_>| -> HashSet<String> {
            let parts = self.timeline.parts(done).iter().filter(|part| asks_server(part));
            parts.map(|part| shell::program(part).to_owned()).collect()
        };
        let asked = programs(done);
        let worked = |later: &Done<'_>| later.worked() && !programs(later).is_disjoint(&asked);
        !asked.is_empty()
            && (KEPT_OUT.iter().any(|word| low.contains(word)) || lies_outside(&low))
            && !self.calls[done.index + 1..].iter().any(worked)
    }

    /// Whether what was refused went out with a later push, in whatever words.
    fn has_gone_out(&self, done: &Done<'_>) -> bool {
        let goes_out =
            |later: &Done<'_>| pushes_anything(self.timeline, later) && is_same_remote(done, later);
        refusal(done).is_some() && self.calls[done.index + 1..].iter().any(goes_out)
    }

    /// Whether it ran on files of others, to compare: that is no check of the work.
    fn is_of_others(&self, done: &Done<'_>) -> bool {
        let mut checks = self.checks(done).peekable();
        checks.peek().is_some() && checks.all(|part| self.outcomes.is_of_others(part))
    }
}

/// Returns what the commands of a call are known by, each with the variables that say to what it does something:
/// what ran with one of these is another command where that is set otherwise. Of checks that is told as open work.
fn keys(parts: &[String], done: &Done<'_>) -> Vec<(String, String)> {
    let all = Outcomes::with_variables(done);
    let set = |part: &String| {
        let known = all.iter().find(|(one, _)| one == part && !is_check(one));
        known.map(|(_, set)| set.clone()).unwrap_or_default()
    };
    // A push elsewhere is of another repository.
    let key = |part: &String| match outside(done).filter(|_| is_push(part)) {
        Some(folder) => format!("{} in {folder}", commands::key(part)),
        None => commands::key(part),
    };
    parts.iter().map(|part| (key(part), set(part))).collect()
}

/// Returns the folder outside of the one of the session in which a command line ran.
fn outside(done: &Done<'_>) -> Option<String> {
    let is_out =
        |folder: &String| folder.starts_with("..") || place::outside(folder, done.cwd).is_some();
    done.folder_elsewhere().filter(is_out)
}

/// Whether two calls push to the same repository, by what git says of where it sent it; else by their folders.
fn is_same_remote(done: &Done<'_>, later: &Done<'_>) -> bool {
    let remote = |done: &Done<'_>| {
        let output = done.output();
        let row = output.lines().find_map(|row| row.trim_start().strip_prefix("To "));
        row.map(|row| row.trim().to_owned())
    };
    match (remote(done), remote(later)) {
        (Some(one), Some(other)) => one == other,
        _ => outside(done) == outside(later),
    }
}

/// Whether a call only tried something out in a folder for what does not last, outside of the project, and a later
/// one worked there: no check, and nothing that others see.
fn was_a_try(timeline: &Timeline<'_>, later: &[Done<'_>], done: &Done<'_>) -> bool {
    let folder = |done: &Done<'_>| place::elsewhere(done.command()?, done.cwd);
    let Some(there) = folder(done).filter(|folder| is_temporary(folder)) else { return false };
    let is_work =
        |part: &String| is_check(part) || has_verb(part) || commands::keeps_versions(part);
    let runs = |later: &&Done<'_>| later.worked() && !timeline.parts(later).is_empty();
    !timeline.parts(done).iter().any(is_work)
        && later.iter().filter(runs).any(|later| folder(later).as_ref() == Some(&there))
}

/// Words with which what refuses a command names what to call.
const LEADING: &[&str] = &["instead", "use ", "blocked", "denied", "not allowed"];

/// Whether what refused a command told the agent to call another tool instead, and one of the `later` calls did.
fn was_led_on(later: &[Done<'_>], output: &str) -> bool {
    let start = &output[..output.floor_char_boundary(LED_BYTES)];
    let leads = |row: &&str| LEADING.iter().any(|word| row.to_lowercase().contains(word));
    let led: Vec<&str> = start.lines().filter(|row| row.contains("__")).filter(leads).collect();
    let is_named = |done: &Done<'_>| {
        let name = done.call.name.as_ref();
        name.contains("__") && done.worked() && led.iter().any(|row| row.contains(name))
    };
    !led.is_empty() && later.iter().take(WITHIN).any(is_named)
}

/// Whether a call failed, or what it sent was refused elsewhere; what the user refused did not run.
fn has_failed(done: &Done<'_>) -> bool {
    let has_failed = done.failed() || done.fell;
    (has_failed || refusal(done).is_some() || failed_unseen(done)) && !done.refused()
}

/// Whether all commands of a call only get something; for a request before the `newest` turn, or only ask for it.
fn only_got(parts: &[String], done: &Done<'_>, newest: u32) -> bool {
    let is_old = done.item.turn < newest;
    parts.iter().all(|part| fetches(part) || is_old && only_asks(part))
}

/// Whether a command only gets something from elsewhere, or unpacks it.
fn fetches(part: &str) -> bool {
    let program = shell::program(part);
    ["curl", "wget", "tar", "unzip", "gunzip"].contains(&program)
}

/// The exit codes of what was ended since its time was up.
const TIME_UP: &[i64] = &[124, 143];

/// Words by which something was seen meanwhile that went wrong.
const ILL: &[&str] = &["crash", "denied", "error", "fail", "forbidden", "refused"];

/// Whether a call waited for something in a loop or watched it until its time was up: nothing failed. A loop that does
/// something waits for nothing but that it works.
fn was_a_wait(done: &Done<'_>) -> bool {
    let line = done.command().unwrap_or_default();
    let does = || {
        let does = |(part, _): &(String, String)| {
            let asks = ["until ", "while "].iter().any(|it| part.trim_start().starts_with(it));
            let is_deed =
                |part: &String| deeds::does_something(part) && (!asks || is_tried_again(part));
            shell::parts(part).iter().any(is_deed)
        };
        shell::raw(line).iter().any(does)
    };
    let loops = || {
        let begins = |word: &str| matches!(word, "for" | "until" | "while");
        line.contains("sleep ") && line.split_whitespace().any(begins) && !does()
    };
    let waits = loops() || [" watch ", " --watch", "tail -f"].iter().any(|it| line.contains(it));
    let output = done.output().to_lowercase();
    waits && was_cut(done) && !ILL.iter().any(|word| output.contains(word))
}

/// Whether what a loop has as its condition does something until it works, as a script or a check: any other program
/// only asks there, such as whether a server is up.
fn is_tried_again(part: &str) -> bool {
    let mut words = part.split_whitespace();
    let program = words.next().unwrap_or_default();
    has_verb(part)
        || is_check(part)
        || program.contains('/')
        || shell::interprets(program)
        || words.next() == Some("run")
}

/// Whether a call was ended before it came to its own end.
pub(super) fn was_cut(done: &Done<'_>) -> bool {
    let code = done.result.and_then(|result| result.exit_code).unwrap_or_default();
    let is_broken_off = done.result.is_some_and(|result| result.status == Status::Interrupted);
    is_broken_off || TIME_UP.contains(&code) || done.output().contains("timed out after")
}

/// Programs that only read what is written; what others look at, such as a server, the work may need.
const READERS: &[&str] = &[
    "cat", "diff", "file", "find", "git", "grep", "head", "ls", "rg", "sed", "stat", "tail",
    "test", "tree", "wc",
];

/// Whether a command only reads files, or what was written about them.
fn reads(part: &str) -> bool {
    let mut words = part.split_whitespace();
    match words.next().unwrap_or_default() {
        "gh" | "glab" => !words.any(|word| word == "checks"),
        program => READERS.contains(&program),
    }
}

/// Programs that ask a server, whatever their verb, and the verbs by which git does.
const ASKING_SERVERS: &[&str] = &["aws", "az", "gcloud", "gh", "glab", "kubectl", "ssh"];
const ASKING_REMOTES: &[&str] = &["clone", "fetch", "ls-remote", "pull", "push"];
/// Words by which a server does not let somebody in, or it is said that it cannot be reached.
const KEPT_OUT: &[&str] = &[
    "access denied",
    "accessdenied",
    "authentication failed",
    "authentication required",
    "bad credentials",
    "connection refused",
    "could not read from remote",
    "forbidden",
    "http 401",
    "http 403",
    "not logged in",
    "permission denied",
    "unauthorized",
];

/// Whether a command asks a server.
fn asks_server(part: &str) -> bool {
    let mut words = part.split_whitespace();
    match words.next() {
        Some("git") => words.any(|word| ASKING_REMOTES.contains(&word)),
        program => program.is_some_and(|program| ASKING_SERVERS.contains(&program)),
    }
}

/// Words by which it is said that something that was looked for is not there.
const ABSENT: &[&str] = &["404", "does not exist", "no such file", "not found"];

/// In how many of the first lines.
const ABSENT_LINES: usize = 3;

/// Whether an output says first that something is not there.
fn says_absent(output: &str) -> bool {
    let says = |row: &str| {
        let low = row.to_lowercase();
        ABSENT.iter().any(|word| low.contains(word))
    };
    output.lines().filter(|row| !row.trim().is_empty()).take(ABSENT_LINES).any(says)
}

/// Whether a command of the newest request failed as the last that was done: nothing was done after it, nor did
/// its program do anything more, such as to get in parts what it could not get whole.
fn is_last(timeline: &Timeline<'_>, done: &Done<'_>) -> bool {
    let newest = timeline.requests().next_back().map_or(0, |(item, _)| item.turn);
    let parts = timeline.parts(done).iter();
    let programs: HashSet<&str> = parts.map(|part| shell::program(part)).collect();
    let is_more = |later: &Done<'_>| {
        let does = |part: &String| programs.contains(shell::program(part)) && !only_asks(part);
        later.worked() && timeline.parts(later).iter().any(does)
    };
    let mut since = timeline.done().rev().take_while(|later| later.index > done.index);
    done.item.turn >= newest && deeds::is_last(timeline, done) && !since.any(|it| is_more(&it))
}

fn failure(timeline: &Timeline<'_>, done: &Done<'_>, outcomes: &Outcomes) -> Option<Failure> {
    let command = done.command()?;
    let was_left = || is_check(command) && outcomes.was_pushed_after(timeline, done.index);
    // What another command of the line printed says nothing of a push that was refused.
    let refused = refusal(done).filter(|_| !done.failed());
    let output = refused.map_or_else(|| done.output(), Into::into);
    let output = without_headings(command, &output);
    let lines = telling(&output, MOST_LINES);
    let why = telling(&output, 1).into_iter().next();
    Some(Failure {
        key_lines: telling(&output, KEY_LINES),
        id: ids::id('F', &format!("{command}\n{}", lines.join("\n"))),
        command: text::line(&done.told()?, 160),
        by_agent: done.is_by_agent(),
        exit_code: done.result.and_then(|result| result.exit_code).filter(|code| *code != 0),
        lines,
        got_round: outcomes.got_round(&done.item.id) || was_left(),
        is_committed: outcomes.commits.last().is_some_and(|commit| commit.index > done.index),
        refused: outcomes.refused(&done.item.id).map(str::to_owned),
        is_outside: why.as_ref().is_some_and(|error| lies_outside(error)),
        why,
        is_last: is_last(timeline, done),
        edits_since: outcomes.edited_after(done.index).len(),
        turn: done.item.turn,
        evidence: vec![done.item.id.to_string()],
    })
}
