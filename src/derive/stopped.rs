//! What ran on in the background until a later call stopped it.

use serde_json::{Map, Value};

use super::shell;
use super::timeline::{Done, Timeline};
use crate::model::{Action, Body, ToolKind};

/// Whether a call began a command that ran on until a later call stopped it.
pub(super) fn was_stopped(timeline: &Timeline<'_>, done: &Done<'_>) -> bool {
    let Some(named) = name(done).filter(|_| done.command().is_some()) else { return false };
    let mut later = timeline.done().skip(done.index + 1);
    // What ended, or gave its name to another, was not stopped.
    let told = later.find(|later| {
        let is_given_again = later.command().is_some() && name(later) == Some(named);
        let is_heard = waits_for(later) == Some(named) && has_ended(later);
        is_given_again || is_heard || on(later) == Some(named)
    });
    told.is_some_and(|told| on(&told) == Some(named))
}

/// The exit codes of what was ended by somebody: 128 and the number of the signal.
const ENDED: &[i64] = &[130, 143];
/// That of what was killed, be it because it had not enough memory.
const KILLED: i64 = 137;

/// The calls that end what runs by what that is, not by the name that the harness gave it.
pub(super) struct Killers(Vec<Killer>);

struct Killer {
    /// The number of the call.
    index: usize,
    /// What its line names.
    names: Vec<String>,
}

impl Killers {
    pub(super) fn new(timeline: &Timeline<'_>) -> Self {
        let killer = |done: Done<'_>| {
            let parts = timeline.parts(&done);
            // What had nothing to end ended nothing.
            let ends = parts.iter().any(|part| is_killer(part));
            let line = done.command().filter(|_| ends && !(parts.len() == 1 && done.failed()))?;
            let all = shell::raw(line);
            let ending = all.iter().map(|(part, _)| part.trim()).filter(|part| is_killer(part));
            let names = ending.flat_map(named).map(str::to_owned).collect();
            Some(Killer { index: done.index, names })
        };
        Self(timeline.own().filter_map(killer).collect())
    }

    /// Whether one of them came after a call.
    pub(super) fn came_after(&self, done: &Done<'_>) -> bool {
        self.0.last().is_some_and(|killer| killer.index > done.index)
    }

    /// Whether one of them, after a call, names what that began.
    pub(super) fn name(&self, done: &Done<'_>) -> bool {
        let Some(line) = done.command().filter(|_| self.came_after(done)) else { return false };
        let later = self.0.iter().rev().take_while(|killer| killer.index > done.index);
        later.flat_map(|killer| &killer.names).any(|name| has_words(line, name))
    }

    /// Whether what a call began, and what ended with an exit code, came to no end of its own: somebody ended it.
    pub(super) fn ended(&self, done: &Done<'_>, code: i64) -> bool {
        match code {
            0 => false,
            KILLED => self.came_after(done),
            code => ENDED.contains(&code) || self.name(done),
        }
    }
}

fn is_killer(part: &str) -> bool {
    shell::ends_programs(part) || part.starts_with("docker stop")
}

/// How many characters a name has, at least, that says which program is meant.
const LEAST_NAME_CHARS: usize = 3;

/// Returns what a command that ends programs names: each of its words, what stands in quotes as one, and numbers, as of a
/// port.
fn named(part: &str) -> Vec<&str> {
    let spans = part.split(['\'', '"']).enumerate();
    let words = spans.flat_map(|(at, span)| match at % 2 {
        0 => span.split_whitespace().collect(),
        _ => vec![span.trim()],
    });
    let is_name = |word: &&str| !word.starts_with(['-', '$', '%']);
    let numbers = part.split(|c: char| !c.is_ascii_digit());
    let names = words.skip(1).filter(is_name).chain(numbers);
    names.filter(|name| name.len() >= LEAST_NAME_CHARS).collect()
}

/// Whether a line has these words, next to each other and each as a whole.
fn has_words(line: &str, words: &str) -> bool {
    let is_part =
        |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
    line.match_indices(words).any(|(at, found)| {
        !is_part(line[..at].chars().next_back())
            && !is_part(line[at + found.len()..].chars().next())
    })
}

/// Whether a call sent off an agent, or called a tool, that a later call stopped before it came back.
pub(super) fn was_broken_off(timeline: &Timeline<'_>, done: &Done<'_>) -> bool {
    let is_own = matches!(done.call.action.as_deref(), None | Some(Action::Agent { .. }));
    let Some(named) = name(done).filter(|_| is_own).map(last_part) else { return false };
    // Whose work had come to its end was not broken off; who was told one more thing goes on.
    let is_over = |later: &Done<'_>| later.output().contains("\"completed\"");
    let stops = |later: Done<'_>| match on(&later).map(last_part) {
        Some(stopped) => (stopped == named && !is_over(&later)).then_some(true),
        None => speaks_to(&later, named).then_some(false),
    };
    timeline.done().skip(done.index + 1).filter_map(stops).last().unwrap_or(false)
}

/// Whether one of `calls` tells more to the agent that a call sent off.
pub(super) fn was_told(timeline: &Timeline<'_>, done: &Done<'_>, calls: &[Done<'_>]) -> bool {
    let own = timeline.items.iter().filter_map(|item| match &item.body {
        Body::ToolResult(result) if result.call_id == done.call.call_id => result.out.as_deref(),
        _ => None,
    });
    let named = own.map(last_part).find(|name| !name.is_empty());
    named.is_some_and(|named| calls.iter().any(|call| speaks_to(call, named)))
}

/// Whether a call tells something to the agent of a name.
fn speaks_to(done: &Done<'_>, named: &str) -> bool {
    let speaks = done.call.kind == ToolKind::Agent && done.call.action.is_none();
    let fields = || serde_json::from_str::<Map<String, Value>>(done.call.arguments.get()).ok();
    // One mark stands for all of them.
    let is_named =
        |value: &Value| value.as_str().is_some_and(|to| to == "*" || last_part(to) == named);
    speaks && fields().is_some_and(|fields| fields.values().any(is_named))
}

/// Returns a name without those above it: an agent is told by its own or from the first one on.
pub(super) fn last_part(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// Whether a call tells that what it is about has ended.
fn has_ended(done: &Done<'_>) -> bool {
    done.result.is_some_and(|result| result.out.is_none() && result.exit_code.is_some())
}

/// Returns the name of what a call waits for.
fn waits_for<'s>(done: &Done<'s>) -> Option<&'s str> {
    match done.call.action.as_deref()? {
        Action::Wait { on, .. } => on.as_deref(),
        _ => None,
    }
}

/// Returns the call that began the command which a call stops.
pub(super) fn stopped<'s>(timeline: &Timeline<'s>, done: &Done<'_>) -> Option<Done<'s>> {
    begun(timeline, done, on(done)?)
}

/// Returns the call that began the command for which a call waits.
pub(super) fn waited_for<'s>(timeline: &Timeline<'s>, done: &Done<'_>) -> Option<Done<'s>> {
    begun(timeline, done, waits_for(done)?)
}

/// Returns the call that began, before another one, the command that runs on by a name.
fn begun<'s>(timeline: &Timeline<'s>, done: &Done<'_>, named: &str) -> Option<Done<'s>> {
    let is_it = |before: &Done<'_>| before.command().is_some() && name(before) == Some(named);
    timeline.done().rev().skip_while(|before| before.index >= done.index).find(is_it)
}

/// Returns the name by which what a call began runs on.
fn name<'s>(done: &Done<'s>) -> Option<&'s str> {
    done.result?.out.as_deref().filter(|name| !name.is_empty())
}

/// Returns the number of the process that a line ends, if it does nothing else.
fn killed(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    let (Some("kill"), Some(last)) = (words.next(), words.next_back()) else { return None };
    // What runs on in a group of its own is named by that.
    let number = last.strip_prefix('-').unwrap_or(last);
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && words.all(|word| word.starts_with('-') && word != "-0")).then_some(number)
}

/// Returns the name of what a call stops, also by Ctrl-C.
fn on<'s>(done: &Done<'s>) -> Option<&'s str> {
    match done.call.action.as_deref()? {
        Action::Stop { on } if !done.failed() => Some(on),
        Action::Shell { command, .. } => killed(command).filter(|_| done.worked()),
        // It may go on, and ask first.
        Action::Type { keys, on }
            if keys.trim_matches([' ', '\r', '\n']) == "\u{3}" && has_ended(done) =>
        {
            on.as_deref()
        }
        _ => None,
    }
}
