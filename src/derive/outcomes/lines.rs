//! Command lines with all that came of them: what a later call waited for, looked at or stopped belongs
//! to the line that ran on.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::git::is_push;
use super::open::Open;
use super::recognise::Ended;
use super::{echoed, elsewhere, labels};
use crate::derive::timeline::{Done, Timeline};
use crate::derive::{shell, text};
use crate::model::{Action, Status, ToolKind};

/// A command line with all that came of it.
pub(super) struct Line<'s> {
    pub(super) done: Done<'s>,
    pub(super) command: &'s str,
    pub(super) output: Cow<'s, str>,
    pub(super) exit: Option<i64>,
    /// The number of the call by which it had ended.
    pub(super) over: usize,
    /// Whether nobody saw how it ended when its call came back.
    pub(super) runs_on: bool,
    /// Whether something said then that it runs on.
    pub(super) is_out: bool,
    /// Whether it was stopped while it ran on.
    pub(super) was_stopped: bool,
    /// The last call that waited for it.
    waited: Option<usize>,
    /// Where in the output begins what a later call showed of what it printed.
    shown_from: Option<usize>,
}

/// How a command went on after its call had come back.
pub(super) struct Late {
    /// All that it printed, as far as that was looked at.
    pub output: String,
    /// Its exit code, where that was told.
    pub exit: Option<i64>,
    /// The number of the call by which that was seen last.
    over: usize,
}

impl Late {
    /// Returns what the command line of a call printed, also after that had come back.
    pub(super) fn output_of<'o>(done: &Done<'o>, late: Option<&'o Self>) -> Cow<'o, str> {
        late.map_or_else(|| done.output(), |late| Cow::Borrowed(&late.output))
    }

    /// Returns what the last call showed of it.
    pub(super) fn last_of<'s>(&self, timeline: &Timeline<'s>) -> Option<Cow<'s, str>> {
        timeline.done().nth(self.over).map(|done| done.output())
    }

    /// Says how the command line of a call ended, also after that had come back.
    pub(super) fn ended(done: &Done<'_>, late: Option<&Self>) -> Ended {
        match late.map(|late| late.exit) {
            Some(Some(0)) => Ended::Passed,
            Some(None) => Ended::Unknown,
            None if done.worked() => Ended::Passed,
            None if !done.failed() => Ended::Unknown,
            _ => Ended::Failed,
        }
    }
}

/// Returns how the command lines went on that were waited for, by the numbers of their calls.
pub(super) fn late(lines: &[Line<'_>]) -> HashMap<usize, Late> {
    let went_on = lines.iter().filter(|line| line.over != line.done.index);
    let late = |line: &Line<'_>| Late {
        output: line.output.to_string(),
        exit: line.exit,
        over: line.over,
    };
    went_on.map(|line| (line.done.index, late(line))).collect()
}

/// Returns the numbers of the calls of which a later one that waited told that they still ran, each with that of the
/// later one.
pub(super) fn still_out(lines: &[Line<'_>]) -> HashMap<usize, usize> {
    let is_out = |line: &&Line<'_>| line.is_out && line.runs_on && !line.was_stopped;
    let waited = |line: &Line<'_>| Some((line.done.index, line.waited?));
    lines.iter().filter(is_out).filter_map(waited).collect()
}

/// How a watched run says by its last row how it ended.
const COMPLETED: &str = "completed with '";
/// How git says that it did not push all that it was to push.
const NOT_PUSHED: &[&str] = &["[rejected]", "[remote rejected]", "error: failed to push"];

/// Tells whether a command line ended well where what it has printed is all that there is to come: how the last of its
/// commands ended, a push or a watch of checks elsewhere, or its exit code, where that is told last.
fn shown_end(line: &Line<'_>) -> Option<bool> {
    let command = line.done.command()?;
    if !["push", "gh ", "$?"].iter().any(|word| command.contains(word)) {
        return None;
    }
    let parts = shell::raw(command);
    let piped = parts.iter().rev().skip(1).take_while(|(_, joint)| joint == "|").count();
    let part = parts.iter().rev().nth(piped)?.0.trim();
    let output = &*line.output;
    let count =
        |is_it: &dyn Fn(&str) -> bool| parts.iter().filter(|(part, _)| is_it(part.trim())).count();
    let rows = |start: &str| output.lines().filter(|row| row.starts_with(start)).count();
    if is_push(part) {
        let is_all = count(&is_push) == 1 || rows("To ") >= count(&is_push);
        let is_well = !NOT_PUSHED.iter().any(|words| output.contains(words));
        return (is_all && (elsewhere::tells_of_push(output) || !is_well)).then_some(is_well);
    }
    let watch = |part: &str| ["gh pr checks", "gh run watch"].iter().any(|it| part.starts_with(it));
    if watch(part) {
        let completed = output.matches(COMPLETED).count();
        let is_all = completed > 0 && completed >= count(&watch);
        let is_well = output.matches(elsewhere::COMPLETED).count() == completed;
        let is_green = || count(&watch) == 1 && elsewhere::is_green(output);
        return is_all.then_some(is_well).or_else(|| is_green().then_some(true));
    }
    told_code(part, &parts, output)
}

/// Exit codes that a bare number in a row can hardly be anything else than.
const CODES: &[&str] = &["0", "1", "2", "101", "124", "127", "130", "137", "143"];

/// Tells whether the exit code is that of success with which an output ends, where that is of the last command of a line
/// and all others that are asked for stand there, too.
fn told_code(part: &str, parts: &[(String, String)], output: &str) -> Option<bool> {
    let part = part.trim_end_matches([')', '}', ' ', ';']);
    let is_code = |row: &&str| {
        echoed::is_code(part, row) && (row.contains(char::is_alphabetic) || CODES.contains(row))
    };
    let is_same = |other: &str| other.trim_end_matches([')', '}', ' ', ';']) == part;
    let asked = parts.iter().filter(|(other, _)| is_same(other.trim())).count();
    let rows: Vec<&str> = output.lines().map(str::trim).filter(|row| !row.is_empty()).collect();
    let codes: Vec<&str> = rows.iter().copied().filter(is_code).collect();
    // Of several numbers nobody knows which is the code.
    let is_ill = |row: &&str| {
        let words = row.split(|c: char| c.is_whitespace() || "=:()[],".contains(c));
        let mut numbers = words.filter_map(|word| word.parse::<u32>().ok());
        numbers.next().is_some_and(|code| code != 0) && numbers.next().is_none()
    };
    // Of several codes the last can be that of a part that matters less.
    let is_one = parts.iter().filter(|(part, _)| part.contains("$?")).count() == 1;
    let is_told = codes.len() >= asked && rows.last().is_some_and(is_code);
    is_told.then(|| !is_one || !codes.last().is_some_and(is_ill))
}

/// Returns the numbers of the calls whose command line ran on when they came back, and of which a later one showed the
/// end, each with whether that was a good one, and with the number of the later one.
pub(super) fn shown_ends(lines: &[Line<'_>]) -> HashMap<usize, (bool, usize)> {
    let out = lines.iter().filter(|line| line.is_out && line.over != line.done.index);
    out.filter_map(|line| Some((line.done.index, (shown_end(line)?, line.over)))).collect()
}

/// Returns the numbers of the calls whose command ran on though all that it had planned to test was told.
pub(super) fn told_all(lines: &[Line<'_>]) -> HashSet<usize> {
    let is_whole = |line: &&Line<'_>| {
        line.is_out && line.output.contains("1..") && labels::is_whole(&line.output)
    };
    lines.iter().filter(is_whole).map(|line| line.done.index).collect()
}

/// How many of the last calls are looked at: what was run before them is not told any more.
const MOST_CALLS: usize = 2_000;

/// Gathers command lines; what was waited for belongs to the line that ran on.
pub(super) fn lines<'s>(timeline: &Timeline<'s>) -> Vec<Line<'s>> {
    let calls: Vec<_> = timeline.done().collect();
    let last = &calls[calls.len().saturating_sub(MOST_CALLS)..];
    let mut all: Vec<Line<'s>> = Vec::new();
    let mut open = Open::new(last.iter().filter_map(on_what).filter_map(|(on, _)| on));
    for done in last.iter().filter(|done| !done.refused()) {
        let Some(result) = done.result.filter(|result| result.status != Status::Interrupted) else {
            continue;
        };
        if done.was_held_back() || done.is_lost() {
            continue;
        }
        if let Some((on, stops)) = on_what(done) {
            let Some(at) = waited_for(&all, &mut open, on, done.call.kind) else {
                if let Some(line) = on.and_then(|name| had_ended(&mut all, name, done)) {
                    line.printed(done);
                }
                continue;
            };
            // What ends with a code ended by it; one that has none and failed met nothing.
            let is_void = done.failed() && result.exit_code.is_none();
            match stops {
                true => all[at].was_stopped |= !is_void,
                false => all[at].goes_on(done, result.exit_code),
            }
            open.name(at, result.out.as_deref());
        } else if let Some(line) = looked_at(timeline, &mut all, done) {
            // How it ended is told in another way.
            line.printed(done);
        } else if let Some(command) = done.command().filter(|_| !timeline.parts(done).is_empty()) {
            all.push(Line::new(*done, command));
            if all[all.len() - 1].runs_on {
                open.add(all.len() - 1, result);
            }
        }
    }
    all
}

/// Returns the place of the line that was waited for: the newest that was told to run on by that name.
/// Where no name is given, it is the only one that runs on; of several it is not known which was meant,
/// nor where agents are waited for.
fn waited_for(
    all: &[Line<'_>],
    open: &mut Open<'_>,
    on: Option<&str>,
    kind: ToolKind,
) -> Option<usize> {
    if let Some(name) = on {
        return open.newest(name, |at| all[at].runs_on);
    }
    let mut open = (0..all.len()).filter(|at| all[*at].runs_on && kind != ToolKind::Agent);
    let (Some(at), None) = (open.next(), open.next()) else { return None };
    Some(at)
}

/// Returns the line of which a call shows what it printed: it only looks, into a file with the name by
/// which that ran on.
fn looked_at<'a, 's>(
    timeline: &Timeline<'s>,
    all: &'a mut [Line<'s>],
    done: &Done<'s>,
) -> Option<&'a mut Line<'s>> {
    let text = match done.call.action.as_deref()? {
        Action::Read { path, .. } => path.as_str(),
        Action::Shell { command, .. } if timeline.parts(done).is_empty() => command.as_str(),
        _ => return None,
    };
    let is_it = |line: &&mut Line<'_>| {
        let name = line.done.result.and_then(|result| result.out.as_deref());
        name.is_some_and(|name| name.len() >= LEAST_NAME_BYTES && text.contains(name))
    };
    all.iter_mut().rev().take(MOST_OUT).find(is_it)
}

/// Returns the line that is asked what it printed by the name `on`, where how it ended was told before.
fn had_ended<'a, 's>(
    all: &'a mut [Line<'s>],
    on: &str,
    done: &Done<'s>,
) -> Option<&'a mut Line<'s>> {
    let asks = matches!(done.call.action.as_deref(), Some(Action::Wait { .. })) && done.worked();
    let is_it = |line: &&mut Line<'_>| {
        let name = line.done.result.and_then(|result| result.out.as_deref());
        !line.runs_on && name == Some(on)
    };
    all.iter_mut().rev().take(MOST_OUT).find(is_it).filter(|_| asks)
}

/// How long a name is, at least, that says which command a file is of, and how many lines back it is
/// looked for.
const LEAST_NAME_BYTES: usize = 6;
const MOST_OUT: usize = 64;

/// Returns by what name it runs that a call waits for, types into or stops (also by Ctrl-C), and
/// whether it stops it: how something ends then says nothing of it.
fn on_what<'s>(done: &Done<'s>) -> Option<(Option<&'s str>, bool)> {
    match done.call.action.as_deref()? {
        Action::Wait { on, .. } => Some((on.as_deref(), false)),
        Action::Type { keys, on } => Some((on.as_deref(), keys.contains('\u{3}'))),
        Action::Stop { on } => Some((Some(on), true)),
        _ => None,
    }
}

impl<'s> Line<'s> {
    /// Returns a line as it stood when its call came back.
    fn new(done: Done<'s>, command: &'s str) -> Self {
        let result = done.result;
        let exit = result.and_then(|result| result.exit_code);
        let is_ok = result.is_some_and(|result| result.status == Status::Ok);
        Self {
            done,
            command,
            output: done.output(),
            exit,
            over: done.index,
            runs_on: exit.is_none() && !done.is_by_human() && is_ok,
            is_out: result.is_some_and(|result| result.out.is_some()),
            was_stopped: false,
            waited: None,
            shown_from: None,
        }
    }

    /// Takes what it printed as a call shows that later, in place of what was shown so before.
    fn printed(&mut self, done: &Done<'_>) {
        let start = *self.shown_from.get_or_insert(self.output.len());
        self.output.to_mut().truncate(start);
        self.add(done);
    }

    fn add(&mut self, done: &Done<'_>) {
        let output = self.output.to_mut();
        output.push('\n');
        match done.call.action.as_deref() {
            Some(Action::Read { .. }) => output.push_str(&text::without_numbers(&done.output())),
            _ => output.push_str(&done.output()),
        }
        self.over = done.index;
    }

    /// Adds what came while it was waited for.
    fn goes_on(&mut self, done: &Done<'_>, exit: Option<i64>) {
        self.add(done);
        self.waited = Some(done.index);
        self.exit = exit;
        self.runs_on = exit.is_none();
        self.is_out = done.result.is_some_and(|result| result.out.is_some());
        // What came to its end after all was not stopped.
        self.was_stopped &= exit != Some(0);
    }
}
