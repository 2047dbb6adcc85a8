//! Command lines with all that came of them: what a later call waited for, looked at or stopped belongs
//! to the line that ran on.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::git::is_push;
use super::open::Open;
use super::printed::told_codes;
use super::recognise::Ended;
use super::{elsewhere, labels};
use crate::derive::idle::is_idle;
use crate::derive::timeline::{Done, Ending, Timeline};
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
    /// The number of the call that told how it ended, after its own.
    told: Option<usize>,
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

    /// Whether of the last call that showed something of it nothing else is told.
    pub(super) fn is_only_waited_for(&self, timeline: &Timeline<'_>) -> bool {
        timeline.done().nth(self.over).is_some_and(|done| is_idle(&done))
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

/// How a command line that ran on came to its end, by what it printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::derive) enum Shown {
    /// Nothing of it is known to have failed.
    Over,
    Failed,
    /// Its parts ended with these codes: nobody knows which of them the line hangs on.
    Codes(String),
}

impl Shown {
    fn of(is_well: bool) -> Self {
        if is_well { Self::Over } else { Self::Failed }
    }
}

/// Tells how a command line ended where what it has printed is all that there is to come: how the last of its commands
/// ended, a push or a watch of checks elsewhere, or its exit code, where that is told last.
fn shown_end(line: &Line<'_>, was_ended: impl Fn(i64) -> bool) -> Option<Shown> {
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
        let is_told = is_all && (elsewhere::tells_of_push(output) || !is_well);
        return is_told.then(|| Shown::of(is_well));
    }
    let watch = |part: &str| ["gh pr checks", "gh run watch"].iter().any(|it| part.starts_with(it));
    if watch(part) {
        let completed = output.matches(COMPLETED).count();
        let is_all = completed > 0 && completed >= count(&watch);
        let is_well = output.matches(elsewhere::COMPLETED).count() == completed;
        let is_green = || count(&watch) == 1 && elsewhere::is_green(output);
        return (is_all || is_green()).then(|| Shown::of(is_well || !is_all));
    }
    told_codes(command, output, was_ended)
}

/// Returns the numbers of the calls whose command line ran on when they came back, and of which a later one showed the
/// end, each with how that was, and with the number of the later one.
pub(super) fn shown_ends(
    timeline: &Timeline<'_>,
    lines: &[Line<'_>],
) -> HashMap<usize, (Shown, usize)> {
    let out = lines.iter().filter(|line| line.is_out && line.over != line.done.index);
    let shown = |line: &Line<'_>| {
        let was_ended = |code| timeline.killers().ended_before(&line.done, code, line.over);
        let shown = shown_end(line, was_ended)?;
        Some((line.done.index, (shown, line.over)))
    };
    out.filter_map(shown).collect()
}

/// Programs that run a task by its name.
const TASKS: &[&str] = &["just", "make", "mise", "npm", "pnpm", "rake", "task", "yarn"];

/// Programs that run the script that they are given.
const SHELLS: &[&str] = &["bash", "sh", "zsh"];

/// Whether a line runs a script or a task, or pushes: of another program the code may be what somebody wanted to see.
fn runs_a_task(line: &str) -> bool {
    let is_script = |word: &str| word.ends_with(".sh");
    let is_one = |part: &str| {
        let part = part.trim_matches(['(', ')', ' ']);
        let program = shell::program(part);
        let word = part.split_whitespace().nth(1).unwrap_or_default();
        is_script(program)
            || TASKS.contains(&program)
            || SHELLS.contains(&program) && is_script(word)
            || is_push(part)
    };
    shell::raw(line).iter().any(|(part, _)| is_one(part))
}

/// Tells of the calls that came back before what they began had ended how that ended, by an exit code or by what was
/// printed. What somebody ended says nothing.
pub(super) fn ends(
    timeline: &Timeline<'_>,
    lines: &[Line<'_>],
    shown: &HashMap<usize, (Shown, usize)>,
) -> Vec<Ending> {
    let end = |line: &Line<'_>| {
        let (began, over) = (line.done.index, line.over);
        let has_failed = shown.get(&began).is_some_and(|(shown, _)| *shown == Shown::Failed);
        let told = line.told.or(has_failed.then_some(over))?;
        let code = line.exit.unwrap_or_default();
        let was_ended = || timeline.killers().ended_before(&line.done, code, told);
        let fell = has_failed && code == 0;
        (!line.was_stopped && !was_ended()).then_some(Ending { began, told, over, fell })
    };
    let later = lines.iter().filter(|line| line.over != line.done.index).filter_map(end);
    // What a line prints at once of how it ended counts more than that it could print it.
    let at_once = lines.iter().filter(|line| line.over == line.done.index && !line.runs_on);
    let fell = |line: &&Line<'_>| {
        let was_ended = |code| timeline.killers().ended_before(&line.done, code, line.over);
        let told = || told_codes(line.command, &line.output, was_ended);
        line.command.contains("$?")
            && runs_a_task(line.command)
            && matches!(told(), Some(Shown::Failed))
    };
    let at_once = at_once.filter(fell).map(|line| line.done.index);
    let at_once = at_once.map(|at| Ending { began: at, told: at, over: at, fell: true });
    later.chain(at_once).collect()
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
            let is_told = !timeline.is_deed(done.item);
            let is_void = done.failed() && result.exit_code.is_none() && !is_told;
            match stops {
                _ if is_void => continue,
                true => all[at].was_stopped = true,
                false => all[at].goes_on(done, result.exit_code, is_told),
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
            told: None,
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
    fn goes_on(&mut self, done: &Done<'_>, exit: Option<i64>, is_told: bool) {
        self.add(done);
        self.waited = Some(done.index);
        self.exit = exit;
        self.runs_on = exit.is_none() && !is_told;
        self.told = (exit.is_some() || is_told).then_some(done.index);
        self.is_out = done.result.is_some_and(|result| result.out.is_some());
        // What came to its end after all was not stopped.
        self.was_stopped &= exit != Some(0);
    }
}
