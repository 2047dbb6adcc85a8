//! Commands that failed and were not run with success since.

use std::collections::HashSet;

use serde::Serialize;

use super::fact::{Fact, FactKind, State};
use super::files::is_temporary;
use super::outcomes::{
    Outcomes, answered_no, does_something, failed_unseen, only_asks, was_found_otherwise,
    was_misused, was_not_let, was_rejected,
};
use super::timeline::{Done, Timeline};
use super::verify::is_check;
use super::{commands, deeds, ids, place, text};

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
    /// Whether the same passed by another program since, or the work was pushed though this check failed.
    #[serde(skip)]
    pub(super) got_round: bool,
    /// What the environment did not let it do, where it failed by that.
    #[serde(skip)]
    pub(super) refused: Option<String>,
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
const MOST: usize = 3;
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
    let calls: Vec<_> = timeline.done().collect();
    let newest = timeline.requests().next_back().map_or(0, |(item, _)| item.turn);
    let fixes = told.iter().filter(|fact| fact.kind == FactKind::Fix && fact.state == State::Done);
    let mended: HashSet<&str> = fixes.flat_map(|fact| &fact.evidence).map(String::as_str).collect();
    let mut later: HashSet<String> = HashSet::new();
    let mut found: Vec<Failure> = Vec::new();
    let runs = calls.iter().rev().filter(|done| done.command().is_some() && done.result.is_some());
    for done in runs.take(WITHIN) {
        let parts = timeline.parts(done);
        let keys = keys(parts, done);
        let settled = keys.iter().any(|(bare, set)| later.contains(&format!("{set}{bare}")));
        let counts = !keys.is_empty() && !settled && !mended.contains(done.item.id.as_ref());
        // What tests or builds may print of anybody's options.
        let is_misused = || !parts.iter().any(|part| is_check(part)) && was_misused(&done.output());
        let is_settled =
            || outcomes.passed_elsewhere(done.index) && parts.iter().any(|part| is_check(part));
        // What could not be fetched was got in another way, or was not needed, where the work went on.
        let was_left = || done.index + GONE_ON < calls.len() && only_got(parts, done, newest);
        // What ran on files of others, to compare, is no check of the work.
        let is_of_others = || {
            let mut checks = parts.iter().filter(|part| is_check(part)).peekable();
            checks.peek().is_some() && checks.all(|part| outcomes.is_of_others(part))
        };
        let is_of_work = || {
            let was_let = !outcomes.aside.reaches(done) && !was_not_let(&done.output());
            was_let
                && !outcomes.was_of_gone(&done.item.id)
                && !outcomes.stops.was_gone_on_with(&done.item.id)
                && !is_settled()
                && !was_left()
                && !is_of_others()
                && !was_found_otherwise(timeline, done)
                && !answered_no(timeline, done)
                && !was_a_try(timeline, &calls[done.index + 1..], done)
                && (parts.iter().any(|part| is_check(part))
                    || !was_led_on(&calls[done.index + 1..], &done.output()))
        };
        if has_failed(parts, done) && counts && !is_misused() && is_of_work() {
            found.extend(failure(timeline, done, outcomes));
        }
        later.extend(keys.into_iter().flat_map(|(bare, set)| [format!("{set}{bare}"), bare]));
    }
    found.truncate(MOST);
    found
}

/// Returns what the commands of a call are known by, each with the variables that say to what it does something:
/// what ran with one of these is another command where that is set otherwise. Of checks that is told as open work.
fn keys(parts: &[String], done: &Done<'_>) -> Vec<(String, String)> {
    let all = Outcomes::with_variables(done);
    let set = |part: &String| {
        let known = all.iter().find(|(one, _)| one == part && !is_check(one));
        known.map(|(_, set)| set.clone()).unwrap_or_default()
    };
    parts.iter().map(|part| (commands::key(part), set(part))).collect()
}

/// Whether a call only tried something out in a folder for what does not last, outside of the project, and a later
/// one worked there: no check, and nothing that others see.
fn was_a_try(timeline: &Timeline<'_>, later: &[Done<'_>], done: &Done<'_>) -> bool {
    let folder = |done: &Done<'_>| place::elsewhere(done.command()?, done.cwd);
    let Some(there) = folder(done).filter(|folder| is_temporary(folder)) else { return false };
    let is_work =
        |part: &String| is_check(part) || does_something(part) || commands::keeps_versions(part);
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
fn has_failed(parts: &[String], done: &Done<'_>) -> bool {
    (done.failed() || was_rejected(parts, done) || failed_unseen(done)) && !done.refused()
}

/// Whether all commands of a call only get something; for a request before the `newest` turn, or only ask for it.
fn only_got(parts: &[String], done: &Done<'_>, newest: u32) -> bool {
    let is_old = done.item.turn < newest;
    parts.iter().all(|part| fetches(part) || is_old && only_asks(part))
}

/// Whether a command only gets something from elsewhere, or unpacks it.
fn fetches(part: &str) -> bool {
    let program = part.split_whitespace().next().unwrap_or_default();
    ["curl", "wget", "tar", "unzip", "gunzip"].contains(&program)
}

/// Whether a command of the newest request failed as the last that was done: nothing was done after it, nor did
/// its program do anything more, such as to get in parts what it could not get whole.
fn is_last(timeline: &Timeline<'_>, done: &Done<'_>) -> bool {
    let newest = timeline.requests().next_back().map_or(0, |(item, _)| item.turn);
    let program = |part: &String| part.split_whitespace().next().map(str::to_owned);
    let programs: HashSet<String> = timeline.parts(done).iter().filter_map(program).collect();
    let is_more = |later: &Done<'_>| {
        let does = |part: &String| {
            program(part).is_some_and(|it| programs.contains(&it)) && !only_asks(part)
        };
        later.worked() && timeline.parts(later).iter().any(does)
    };
    let mut since = timeline.done().rev().take_while(|later| later.index > done.index);
    done.item.turn >= newest
        && deeds::is_last(timeline, &done.item.id)
        && !since.any(|it| is_more(&it))
}

fn failure(timeline: &Timeline<'_>, done: &Done<'_>, outcomes: &Outcomes) -> Option<Failure> {
    let command = done.command()?;
    let was_left = || is_check(command) && outcomes.was_pushed_after(timeline, done.index);
    let output = done.output();
    let lines = telling(&output, MOST_LINES);
    Some(Failure {
        key_lines: telling(&output, KEY_LINES),
        id: ids::id('F', &format!("{command}\n{}", lines.join("\n"))),
        command: text::line(&done.told()?, 160),
        by_agent: done.is_by_agent(),
        exit_code: done.result.and_then(|result| result.exit_code).filter(|code| *code != 0),
        lines,
        got_round: outcomes.got_round(&done.item.id) || was_left(),
        refused: outcomes.refused(&done.item.id).map(str::to_owned),
        is_last: is_last(timeline, done),
        edits_since: outcomes.edited_after(done.index).len(),
        turn: done.item.turn,
        evidence: vec![done.item.id.to_string()],
    })
}

/// Words by which a line tells what went wrong.
const TELLING: &[&str] = &[
    "error",
    "fail",
    "panick",
    "exception",
    "not found",
    "not ok",
    "denied",
    "cannot",
    "undefined",
    "traceback",
    "fatal",
    "assert",
    "expected",
    "invalid",
    "would be reformatted",
    "unresolved",
    "mismatch",
    "timed out",
    "refused",
    "rejected",
    "no such",
];

/// Returns the lines of an output that tell what went wrong: the first with what follows it, then
/// others, then the last lines where nothing tells.
pub(super) fn telling(output: &str, most: usize) -> Vec<String> {
    let output = text::without_keys(output);
    let says = |row: &&str| !row.trim().is_empty() && !is_status(row) && !is_data(row);
    let rows: Vec<&str> = output.lines().map(str::trim_end).filter(says).collect();
    let tells = |row: &str| {
        let low = row.to_lowercase();
        let fits = (8..=400).contains(&row.len()) && !is_frame(row) && !passed(row);
        fits && TELLING.iter().any(|word| low.contains(word))
    };
    let mut told: Vec<usize> = (0..rows.len()).filter(|place| tells(rows[*place])).collect();
    // Of many tests that failed it is told why, not once more which.
    let is_many = rows.iter().filter(|row| only_names(row)).count() > FEW_NAMES;
    if is_many {
        told = whys(&rows, told);
    }
    // What only warns rarely tells why it failed.
    let is_weak =
        |place: &usize| warns(rows[*place]) || is_many && panicked(rows[*place]).is_some();
    let (warned, mut places): (Vec<usize>, Vec<usize>) = told.into_iter().partition(is_weak);
    let first = places.first().copied();
    let after = |step: usize| first.map(|first| first + step);
    let place = after(1).filter(|at| rows.get(*at).is_some_and(|row| names_a_place(row)));
    let mut keep: Vec<usize> =
        first.into_iter().chain(place).chain(places.last().copied()).collect();
    places.extend(warned);
    let says_more = |place: &usize| {
        let row = rows.get(*place).copied().unwrap_or_default();
        !is_many || !only_names(row) && panicked(row).is_none()
    };
    let behind = after(1).into_iter().chain(after(2)).filter(says_more);
    keep.extend(places.iter().copied().chain(behind));
    if keep.is_empty() {
        keep = (rows.len().saturating_sub(4)..rows.len()).collect();
    }
    let mut chosen = distinct(&rows, keep, most);
    chosen.sort_unstable();
    chosen.into_iter().map(|place| text::clip(rows[place].trim(), 300)).collect()
}

/// Returns the first places, at most so many, without those that say by other numbers the same as one
/// before; where something lies is told for each.
fn distinct(rows: &[&str], places: Vec<usize>, most: usize) -> Vec<usize> {
    let mut chosen: Vec<usize> = Vec::new();
    for place in places.into_iter().filter(|place| *place < rows.len()) {
        if chosen.len() < most && !chosen.contains(&place) {
            chosen.push(place);
        }
    }
    let mut told: Vec<String> = Vec::new();
    chosen.retain(|place| {
        let bare: String = rows[*place].chars().filter(|c| !c.is_ascii_digit()).collect();
        let is_new = !told.contains(&bare) || names_a_place(rows[*place]);
        told.push(bare);
        is_new
    });
    chosen
}

/// How long a word is, at least, that is data and no name.
const DATA_BYTES: usize = 60;

/// Whether a line is data in letters, such as a row of a key, which says nothing to a reader.
fn is_data(row: &str) -> bool {
    let is_data = |word: &str| {
        let has = |is: fn(u8) -> bool| word.bytes().any(is);
        let slashes = word.bytes().filter(|byte| *byte == b'/').count();
        word.len() >= DATA_BYTES
            && slashes <= word.len() / 12
            && has(|byte| byte.is_ascii_digit())
            && has(|byte| byte.is_ascii_lowercase())
            && has(|byte| byte.is_ascii_uppercase())
    };
    let is_letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=');
    row.len() >= DATA_BYTES && row.split(|c| !is_letter(c)).any(is_data)
}

/// Whether a line says that something passed, whatever that is called.
fn passed(row: &str) -> bool {
    let row = row.trim_start();
    let begins = ["ok ", "PASS ", "PASS:", "--- PASS"].iter().any(|mark| row.starts_with(mark));
    // Of a list of tests, mostly with how far it is or how long each took.
    let end = row.trim_end().trim_end_matches(|c: char| "0123456789.%[]() ms".contains(c));
    let ends = ["... ok", "... ignored", " PASSED"].iter().any(|mark| end.ends_with(mark));
    row.starts_with(['✓', '✔', '√']) || begins || ends
}

/// Whether a line shows code with its number before it, as a program does that points into it.
fn is_frame(row: &str) -> bool {
    let row = row.trim_start_matches(['>', ' ', '\t']);
    let rest = row.trim_start_matches(|c: char| c.is_ascii_digit());
    let behind = rest.trim_start().strip_prefix(['|', '│']);
    // Without a number it is one only if it points at something.
    let points = |behind: &str| behind.trim_start().starts_with(['^', '~', '-']);
    behind.is_some_and(|behind| rest.len() < row.len() || points(behind))
}

/// Whether a line says of itself that it is no more than a warning, or only that something failed of
/// which another line says why.
fn warns(row: &str) -> bool {
    if row.starts_with("error: failed to push some refs") || row.starts_with("hint: ") {
        return true;
    }
    let words = row.split(|c: char| !c.is_alphanumeric()).take(8);
    words.map(str::to_lowercase).any(|word| matches!(word.as_str(), "warn" | "warning"))
}

/// How many rows may name tests that failed where these are told, too.
const FEW_NAMES: usize = 6;

/// Returns which of the rows that are told say why tests failed, each once: not those that only name these.
fn whys(rows: &[&str], told: Vec<usize>) -> Vec<usize> {
    // Where one panicked the row below says why.
    let below = (1..rows.len()).filter(|place| panicked(rows[place - 1]).is_some());
    let mut all: Vec<usize> = told.into_iter().chain(below).collect();
    all.sort_unstable();
    let mut seen = HashSet::new();
    let is_new = |place: &usize| {
        let row = rows[*place].trim();
        seen.insert(panicked(row).unwrap_or(row))
    };
    let says = |row: &str| !only_names(row) && row.trim() != "failures:";
    let says_why = all.iter().copied().filter(|place| says(rows[*place])).filter(is_new);
    let kept: Vec<usize> = says_why.collect();
    if kept.is_empty() { all } else { kept }
}

/// Returns where a test panicked, if a line tells that.
fn panicked(row: &str) -> Option<&str> {
    let rest = row.trim_start().strip_prefix("thread '")?;
    rest.split_once(" panicked at ").map(|(_, place)| place)
}

/// Whether a line only names a test that failed.
fn only_names(row: &str) -> bool {
    let is_listed = row.starts_with("test ") && row.ends_with(" ... FAILED");
    let row = row.trim_start();
    is_listed || row.starts_with("--- FAIL: ") || row.starts_with("---- ") && row.ends_with(" ----")
}

/// Whether a line is of git's short status, such as ` M src/a.rs`: it stands behind what went wrong.
fn is_status(row: &str) -> bool {
    let Some((mark, path)) = row.trim().split_once(' ') else { return false };
    let is_path = !path.trim().contains(' ') && path.contains(['.', '/']);
    is_path && matches!(mark, "M" | "A" | "D" | "R" | "U" | "??" | "MM" | "AM" | "RM")
}

/// Whether a line points into a file, such as `--> src/a.rs:3:5`.
fn names_a_place(row: &str) -> bool {
    row.as_bytes().windows(2).any(|pair| pair[0] == b':' && pair[1].is_ascii_digit())
        || row.contains(", line ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_that_tell_are_kept() {
        let output = "Compiling a\nerror[E0425]: cannot find value `x`\n --> src/a.rs:3:5\n  |\nnote: more\nerror: could not compile\n";
        let lines = telling(output, 4);
        assert_eq!(lines[0], "error[E0425]: cannot find value `x`");
        assert_eq!(lines[1], "--> src/a.rs:3:5");
        assert_eq!(lines.last().map(String::as_str), Some("error: could not compile"));
        assert_eq!(telling("one\ntwo\n", 4), ["one", "two"]);
        let status = "Fehlgeschlagen: 1\n M src/a.rs\n?? b.rs\nMM c.rs\nD  d.rs\n";
        assert_eq!(telling(status, 1), ["Fehlgeschlagen: 1"]);
        assert_eq!(telling("A mistake\n", 1), ["A mistake"]);
        let again =
            "PR #3: cannot be found\nPR #14: cannot be found\na.c:3: cannot x\na.c:4: cannot x\n";
        let once = ["PR #3: cannot be found", "a.c:3: cannot x", "a.c:4: cannot x"];
        assert_eq!(telling(again, 4), once);
        let frame =
            "invalid-syntax: missing closing quote\n66 | assert digest(crlf) == b\n   | ^ error\n";
        assert_eq!(telling(frame, 1), ["invalid-syntax: missing closing quote"]);
        let boxed = "╷\n│ Error: Reference to undeclared resource\n│ \n╵\n";
        assert_eq!(telling(boxed, 1), ["│ Error: Reference to undeclared resource"]);
        let format = "211 | assert set(result) == x\n2 files would be reformatted\n";
        assert_eq!(telling(format, 1), ["2 files would be reformatted"]);
        let warned = "WARN age identity not found\n[x] error: parallel is missing\n";
        assert_eq!(telling(warned, 1), ["[x] error: parallel is missing"]);
        assert_eq!(telling("warning: it failed\n", 1), ["warning: it failed"]);
        let passed = "✓ fails where it cannot\nok 3 an error is told\nerror: no name\n";
        assert_eq!(
            telling("PASSWORD authentication failed\n", 1),
            ["PASSWORD authentication failed"]
        );
        assert_eq!(telling(passed, 1), ["error: no name"]);
        let test = |name: &str| {
            format!("---- {name} stdout ----\nthread '{name}' (7) panicked at a.rs:3:5:\nno rows\n")
        };
        let names = ["a", "b", "c", "d", "e"];
        let listed = names.map(|name| format!("test {name} ... FAILED\n")).concat();
        let many = format!("{listed}failures:\n{}error: test failed\n", names.map(test).concat());
        let why = ["thread 'a' (7) panicked at a.rs:3:5:", "no rows", "error: test failed"];
        assert_eq!(telling(&many, 8), why);
        assert_eq!(telling(&many, 1), ["no rows"]);
        let few = format!("test a ... FAILED\n{}", test("a"));
        assert_eq!(telling(&few, 1), ["test a ... FAILED"]);
        let listed = "test errors::one_fails ... ok\ntests/test_error.py::test_x PASSED [ 50%]\n--- PASS: TestError (0.00s)\nit fails\n";
        assert_eq!(telling(listed, 1), ["it fails"]);
    }
}
