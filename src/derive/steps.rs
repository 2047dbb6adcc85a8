//! Calls as lines that a person can read.

use std::borrow::Cow;

use super::outcomes::Outcomes;
use super::short::short_paths;
use super::timeline::{Done, Timeline};
use super::variables::behind_settings;
use super::{data, deeds, hunks, noise, open_work, outcomes, stopped, symptoms, text};
use crate::model::{Action, Change, Status, ToolCall, ToolKind, Verb};

/// How many characters of a command line are told.
const COMMAND_CHARS: usize = 140;
/// How many where it is told again elsewhere.
const BRIEF_CHARS: usize = 72;

/// Says in one line what a call did and how it ended.
pub(super) fn line(timeline: &Timeline<'_>, done: &Done<'_>) -> String {
    let who = if done.is_by_agent() { "an agent " } else { "" };
    format!("{who}{}{}", did(timeline, done), went(timeline, done))
}

/// Says the same in a few words, also of what ended after its call had come back; of a page that was made where it is,
/// not how.
pub(super) fn brief(timeline: &Timeline<'_>, done: &Done<'_>) -> String {
    let done = &done.at_end();
    if let Some(opened) = outcomes::made_by_line(done).filter(|_| only_makes(timeline, done)) {
        let who = if done.is_by_human() { "the user " } else { "" };
        return if done.is_by_agent() {
            format!("an agent {opened}")
        } else {
            who.to_owned() + &opened
        };
    }
    match done.told().filter(|command| command.chars().count() > BRIEF_CHARS) {
        Some(command) => {
            let who = if done.is_by_human() { "the user ran" } else { "ran" };
            let who = if done.is_by_agent() { "an agent ran" } else { who };
            let told = deeds::from_weightiest(&command, done.failed());
            let told = short_paths(&told, BRIEF_CHARS);
            format!("{who} `{}`{}", text::start(&told, BRIEF_CHARS), went(timeline, done))
        }
        None => short_paths(&line(timeline, done), COMMAND_CHARS),
    }
}

/// Whether a line does nothing else than to make a page and to push what that is about: what else it did stands in no
/// other place.
fn only_makes(timeline: &Timeline<'_>, done: &Done<'_>) -> bool {
    let parts = timeline.parts(done);
    let made = parts.iter().position(|part| part.contains(" create"));
    let is_known = |(at, part): (usize, &String)| {
        let is_before = made.is_some_and(|made| at < made) && part.starts_with("git ");
        Some(at) == made || is_before || !deeds::does_something(part)
    };
    let runs_on = done.result.is_some_and(|result| result.out.is_some());
    !runs_on && parts.iter().enumerate().all(is_known)
}

/// Says how a call ended, also where a later one stopped what it began.
fn went(timeline: &Timeline<'_>, done: &Done<'_>) -> String {
    if stopped::was_broken_off(timeline, done) {
        return " → stopped later".to_owned();
    }
    let later = match () {
        () if stopped::was_stopped(timeline, done) => " → stopped later",
        () if outcomes::saw_all_pass(timeline, done) => " → all checks of the pull request passed",
        () => "",
    };
    ended(done) + later
}

fn did(timeline: &Timeline<'_>, done: &Done<'_>) -> String {
    if let Some(begun) = stopped::stopped(timeline, done) {
        return format!("stopped {}", ran(&begun));
    }
    match done.call.action.as_deref() {
        Some(Action::Shell { .. }) => {
            let who = if done.is_by_human() { "the user ran" } else { "ran" };
            format!("{who} {}", ran(done))
        }
        Some(Action::Type { keys, .. }) => typed(keys),
        Some(Action::Read { path, lines: Some((first, last)) }) => {
            format!("read {}:{first}-{last}", timeline.path(path))
        }
        Some(Action::Read { path, lines: None }) => format!("read {}", timeline.path(path)),
        Some(Action::Edit { changes }) if !changes.is_empty() => edited(timeline, changes),
        Some(Action::Search { pattern, path }) => searched(timeline, pattern, path.as_deref()),
        Some(Action::Fetch { target }) => format!("fetched {}", text::line(target, 160)),
        Some(Action::Wait { is_told: true, .. }) => "it ended in the background".to_owned(),
        Some(Action::Wait { .. }) => match stopped::waited_for(timeline, done) {
            Some(begun) => format!("waited for {}", ran(&begun)),
            None => "waited".to_owned(),
        },
        Some(Action::Stop { on }) if on.bytes().all(|byte| byte.is_ascii_digit()) => {
            "stopped what ran".to_owned()
        }
        Some(Action::Stop { on }) => format!("stopped {}", text::line(on, 120)),
        Some(Action::Plan) => "changed the list of work".to_owned(),
        Some(Action::Propose { .. }) => "proposed a plan".to_owned(),
        Some(Action::Ask { questions }) => {
            let questions: Vec<_> =
                questions.iter().map(|question| question.text.as_str()).collect();
            format!("asked: {}", text::line(&questions.join(" / "), 240))
        }
        Some(Action::Agent { task }) => format!("gave to an agent: {}", text::line(task, 160)),
        Some(Action::Edit { .. }) => format!("called {} with no change", done.call.name),
        None => outcomes::made_by_tool(timeline, done).unwrap_or_else(|| {
            format!("{} {}", done.call.name, text::line(done.call.arguments.get(), 120))
        }),
    }
}

/// Returns the command line of a call, in short.
fn ran(done: &Done<'_>) -> String {
    let command = text::plain(&done.told().unwrap_or_default());
    let is_long = command.chars().count() > COMMAND_CHARS;
    let command = if is_long { behind_settings(&command) } else { command.as_str().into() };
    let command = short_paths(&command, COMMAND_CHARS);
    format!("`{}`", text::line(&command, COMMAND_CHARS))
}

/// Says what was typed into what ran; of keys without letters, what they do.
fn typed(keys: &str) -> String {
    let told = match keys.trim_matches(' ') {
        "\u{3}" => "stopped what ran (Ctrl-C)",
        "\u{4}" => "ended the input of what ran (Ctrl-D)",
        typed if !typed.is_empty() && typed.trim_matches(['\n', '\r']).is_empty() => {
            "sent Enter to what ran"
        }
        typed => {
            let seen = text::line(&text::plain(typed), COMMAND_CHARS);
            return match seen.is_empty() {
                true => "sent characters that nobody sees".to_owned(),
                false => format!("typed `{seen}` into what ran"),
            };
        }
    };
    told.to_owned()
}

/// How many files of a change are told at most.
const MOST_FILES: usize = 40;

/// Says what was changed; several places of a file are one change.
fn edited(timeline: &Timeline<'_>, changes: &[Change]) -> String {
    let mut told: Vec<(&Change, (usize, usize))> = Vec::new();
    for change in changes {
        let (added, removed) = hunks::counts(change);
        let is_one =
            |known: &(&Change, _)| known.0.path == change.path && known.0.verb == change.verb;
        if let Some(at) = told.iter().position(is_one) {
            let sum = &mut told[at].1;
            *sum = (sum.0 + added, sum.1 + removed);
        } else if told.len() < MOST_FILES {
            told.push((change, (added, removed)));
        }
    }
    let words = told.into_iter().map(|(change, (added, removed))| {
        let path = timeline.path(&change.path);
        match &change.verb {
            Verb::Write if added == 1 => format!("wrote {path} (1 line)"),
            Verb::Write => format!("wrote {path} ({added} lines)"),
            Verb::Update => format!("edited {path} (+{added} −{removed})"),
            Verb::Delete => format!("deleted {path}"),
            Verb::Move(to) => format!("moved {path} to {}", timeline.path(to)),
        }
    });
    text::line(&words.collect::<Vec<_>>().join(", "), 400)
}

fn searched(timeline: &Timeline<'_>, pattern: &str, path: Option<&str>) -> String {
    let place = path.map(|path| format!(" in {}", timeline.path(path))).unwrap_or_default();
    match pattern.trim().is_empty() {
        // Programs that show a folder look for everything in it.
        true => format!("listed {}", path.map_or(".".to_owned(), |path| timeline.path(path))),
        false => format!("searched `{}`{place}", text::line(pattern, 120)),
    }
}

fn is_agent(done: &Done<'_>) -> bool {
    matches!(done.call.action.as_deref(), Some(Action::Agent { .. }))
}

/// Whether another agent was sent off and has not reported.
pub(super) fn is_out(done: &Done<'_>) -> bool {
    is_agent(done) && done.result.is_some_and(|result| result.out.is_some())
}

/// Whether a call tells what another agent found.
pub(super) fn reports(done: &Done<'_>) -> bool {
    is_agent(done) && done.worked() && !is_out(done) && tells(&done.output())
}

/// How many words a paragraph of a report has that says more than that here it is.
const REPORT_WORDS: usize = 12;

/// Tells how the report of an agent begins.
fn reported(report: &str) -> String {
    let report = text::plain(report);
    let report = open_work::read(&report);
    telling(&report).map(|part| format!(" → {}", text::line(part, 200))).unwrap_or_default()
}

/// Whether a report says more than that here it is.
pub(super) fn tells(report: &str) -> bool {
    telling(report).is_some()
}

fn telling(report: &str) -> Option<&str> {
    let mut parts = report.split("\n\n").map(str::trim).filter(|part| !part.starts_with('#'));
    parts.find(|part| part.split_whitespace().count() >= REPORT_WORDS)
}

/// Whether a call is one that its provider answers by itself, so that no result of it is ever kept.
pub(super) fn keeps_no_result(call: &ToolCall<'_>) -> bool {
    call.kind == ToolKind::Fetch && call.name == "web_search"
}

/// Says what a push did that failed for one branch or tag only: who runs it again does that twice.
fn went_out(done: &Done<'_>) -> String {
    match outcomes::went_out_all_the_same(done).as_slice() {
        [] => String::new(),
        names => format!("; pushed all the same: {}", text::line(&names.join(", "), 80)),
    }
}

/// Says how a call ended, if that is worth a word.
pub(super) fn ended(done: &Done<'_>) -> String {
    let Some(result) = done.result else {
        let is_kept = !keeps_no_result(done.call);
        return if is_kept { " → no result" } else { "" }.to_owned();
    };
    if result.rejected {
        return " → refused by the user".to_owned();
    }
    let stops = matches!(done.call.action.as_deref(), Some(Action::Stop { .. }));
    if result.status == Status::Interrupted && stops {
        return String::new();
    }
    if result.status == Status::Interrupted && result.exit_code.is_none() {
        return match done.call.action.as_deref() {
            // What a change does is done at once, or not at all.
            Some(Action::Edit { .. }) => " → stopped, not made",
            Some(Action::Ask { .. } | Action::Propose { .. }) => " → no answer",
            _ => " → interrupted",
        }
        .to_owned();
    }
    let telling = || {
        let output = done.output();
        let told = done
            .command()
            .map_or(Cow::Borrowed(&*output), |line| outcomes::without_headings(line, &output));
        symptoms::telling(&told, 1).pop().unwrap_or_default()
    };
    if !done.failed() && outcomes::refusal(done).is_some() {
        return format!(" → the push was refused{}", went_out(done));
    }
    if outcomes::failed_unseen(done) {
        return format!(" → failed{}", behind(&telling()));
    }
    if done.is_lost() {
        return " → no result".to_owned();
    }
    if done.was_held_back() {
        return format!(" → not run{}", behind(&telling()));
    }
    match result.exit_code {
        None | Some(0) if done.fell_at_once() => format!(" → failed{}", behind(&telling())),
        Some(0) => String::new(),
        None if is_out(done) => " → no report yet".to_owned(),
        None if !done.failed() && is_agent(done) => reported(&done.output()),
        Some(code) => format!(" → exit {code}{}{}", behind(&telling()), went_out(done)),
        None if done.failed() => format!(" → failed{}{}", behind(&telling()), went_out(done)),
        None if !result.answers.is_empty() => {
            let answers: Vec<_> =
                result.answers.iter().map(|answer| answer.answer.as_str()).collect();
            format!(" → {}", text::line(&answers.join(" / "), 240))
        }
        None => String::new(),
    }
}

/// Puts what an output tells behind how it ended, if it tells something.
fn behind(telling: &str) -> String {
    let told = text::line(telling, 160);
    if told.is_empty() { told } else { format!(": {told}") }
}

/// How many of the last rows are told of what came after its call had come back.
const END_ROWS: usize = 4;

/// What came out of a call.
pub(super) struct Printed {
    text: String,
    counts: Counts,
}

/// What of it counts.
enum Counts {
    /// How it begins and ends.
    Both,
    /// How it ends: it came after its call had come back.
    End,
    /// What went wrong: it is the log of a run elsewhere that tells it.
    Faults,
}

/// Returns what came out, without keys and what tells nothing: also what a later call showed of it of which nothing is
/// told.
pub(super) fn printed(timeline: &Timeline<'_>, outcomes: &Outcomes, done: &Done<'_>) -> Printed {
    let later = outcomes.printed_later(timeline, done);
    let is_later = later.is_some();
    let output = later.map_or_else(|| done.output(), Cow::Borrowed);
    let log = outcomes::bare_log(timeline, done, &output);
    let text = noise::without(&text::without_keys(log.as_deref().unwrap_or(&output))).into_owned();
    let counts = match log {
        Some(_) if symptoms::tells(&text) => Counts::Faults,
        _ if is_later => Counts::End,
        _ => Counts::Both,
    };
    Printed { text, counts }
}

impl Printed {
    /// The whole of it.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Returns what counts of it in at most so many rows, if there is something.
    pub(super) fn excerpt(&self, most: usize) -> Option<String> {
        let is_long = || self.text.lines().count() > most;
        match self.counts {
            Counts::Faults if is_long() => {
                let rows = symptoms::telling(&self.text, most);
                Some(rows.iter().map(|row| cut(row)).collect::<Vec<_>>().join("\n"))
            }
            Counts::End => {
                // What a harness puts around what it shows are tags.
                let is_tag = |row: &str| row.starts_with('<') && row.ends_with('>');
                let rows = folded(&self.text).into_iter().filter(|(row, _)| !is_tag(row.trim()));
                excerpt(&rows.collect::<Vec<_>>(), 0, END_ROWS)
            }
            Counts::Both | Counts::Faults => {
                excerpt(&folded(&self.text), most - most / 3, most / 3)
            }
        }
    }
}

/// Returns the first and the last rows, each with how often it comes, if there are some.
fn excerpt(rows: &[(&str, usize)], head: usize, tail: usize) -> Option<String> {
    let told = |(row, times): &(&str, usize)| {
        with_times(data::in_short(row, ROW_CHARS).unwrap_or_else(|| cut(row)), *times)
    };
    let mut kept: Vec<String> = rows.iter().take(head).map(told).collect();
    if rows.len() > head + tail && head > 0 {
        kept.push("[…]".to_owned());
    }
    let rest = rows.len().min(head + tail).saturating_sub(head);
    kept.extend(rows[rows.len() - rest..].iter().map(told));
    (!kept.is_empty()).then(|| kept.join("\n"))
}

/// Returns the rows of an output that are not empty, each with how often it comes in a row.
pub(super) fn folded(output: &str) -> Vec<(&str, usize)> {
    let mut rows: Vec<(&str, usize)> = Vec::new();
    for row in output.lines().map(str::trim_end).filter(|row| !row.is_empty()) {
        match rows.last_mut().filter(|(last, _)| *last == row) {
            Some((_, times)) => *times += 1,
            None => rows.push((row, 1)),
        }
    }
    rows
}

/// Puts behind a row how often it comes, if that is more than once and there is something to read in it.
pub(super) fn with_times(row: String, times: usize) -> String {
    let is_told = times > 1 && row.contains(char::is_alphanumeric);
    if is_told { format!("{row} (×{times})") } else { row }
}

/// How many characters of a line of code are told.
const ROW_CHARS: usize = 140;

pub(super) fn cut(row: &str) -> String {
    text::cut(row, ROW_CHARS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_that_end_something_are_named() {
        assert_eq!(typed("\u{3}"), "stopped what ran (Ctrl-C)");
        assert_eq!(typed("\n"), "sent Enter to what ran");
        assert_eq!(typed("\u{1b}[A"), "sent characters that nobody sees");
        assert_eq!(typed("y\n"), "typed `y` into what ran");
    }

    #[test]
    fn a_row_that_comes_again_and_again_is_one() {
        assert_eq!(folded("a\na  \n\na\nb\na"), [("a", 3), ("b", 1), ("a", 1)]);
        assert_eq!(with_times("a".to_owned(), 3), "a (×3)");
        assert_eq!(with_times("b".to_owned(), 1), "b");
        // Such as an empty line that was added.
        assert_eq!(with_times("+".to_owned(), 2), "+");
    }
}
