//! What ran on in the background until a later call stopped it.

use serde_json::{Map, Value};

use super::shell;
use super::timeline::{Done, Timeline};
use crate::model::{Action, Body, ToolKind};

/// Whether a call began a command that ran on until a later call stopped it.
pub(super) fn was_stopped(timeline: &Timeline<'_>, done: &Done<'_>) -> bool {
    let Some(named) = done.runs_on_as().filter(|_| done.command().is_some()) else { return false };
    let mut later = timeline.done().skip(done.index + 1);
    // What ended, or gave its name to another, was not stopped.
    let told = later.find(|later| {
        let is_given_again = later.command().is_some() && later.runs_on_as() == Some(named);
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
    /// The words by which its line names programs.
    names: Vec<String>,
    /// The numbers in one that ends programs by these, as of a port: what has one may be another program.
    numbers: Vec<String>,
}

impl Killers {
    pub(super) fn new(timeline: &Timeline<'_>) -> Self {
        let killer = |done: Done<'_>| {
            let parts = timeline.parts(&done);
            // What had nothing to end ended nothing.
            let ends = parts.iter().any(|part| is_killer(part));
            let line = done.command().filter(|_| ends && !(parts.len() == 1 && done.failed()))?;
            let all = shell::raw(line);
            let ending = (0..all.len()).filter(|at| is_killer(all[*at].0.trim()));
            let (mut names, mut numbers) = (Vec::new(), Vec::new());
            for part in ending.flat_map(|at| telling(&all[..=at])) {
                let words = named(part).into_iter();
                if by_number(part) {
                    let digits = words.flat_map(|word| word.split(|c: char| !c.is_ascii_digit()));
                    numbers.extend(digits.filter(|number| is_telling(number)).map(str::to_owned));
                } else {
                    names.extend(words.filter(|word| is_name(word)).map(str::to_owned));
                }
            }
            Some(Killer { index: done.index, names, numbers })
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
        let names = |killer: &Killer| {
            killer.names.iter().chain(&killer.numbers).any(|name| has_words(line, name))
        };
        self.between(done, usize::MAX).any(names)
    }

    /// Whether what a call began, and what ended with an exit code, came to no end of its own: somebody ended it.
    pub(super) fn ended(&self, done: &Done<'_>, code: i64) -> bool {
        self.ended_before(done, code, usize::MAX)
    }

    /// The same of what had ended by the call `over`: who ended something after that did not end this.
    pub(super) fn ended_before(&self, done: &Done<'_>, code: i64, over: usize) -> bool {
        let named = |killer: &Killer| {
            let line = done.command().unwrap_or_default();
            killer.names.iter().any(|name| has_words(line, name))
        };
        match code {
            0 => false,
            KILLED => self.between(done, over).next().is_some(),
            // What only has the number of a port may have failed by itself.
            code => ENDED.contains(&code) || self.between(done, over).any(named),
        }
    }

    /// Returns those that came after a call and before that of the number `over`, the newest first.
    fn between(&self, done: &Done<'_>, over: usize) -> impl Iterator<Item = &Killer> {
        let (from, to) = (done.index, over);
        let after = self.0.iter().rev().take_while(move |killer| killer.index > from);
        after.filter(move |killer| killer.index < to)
    }
}

/// What ends what runs in a container.
const OF_CONTAINERS: &[&str] = &["docker stop", "docker kill", "docker rm -f"];

fn is_killer(part: &str) -> bool {
    shell::ends_programs(part) || ends_container(part)
}

fn ends_container(part: &str) -> bool {
    OF_CONTAINERS.iter().any(|stops| part.starts_with(stops))
}

/// Programs that find the numbers of others, by a name or a port.
const FINDING: &[&str] = &["pgrep", "pidof", "grep", "lsof"];

/// Returns the commands that say what the last one of a line ends: itself, or where it is handed numbers, those
/// that find them.
fn telling(parts: &[(String, String)]) -> Vec<&str> {
    let Some(((last, _), before)) = parts.split_last() else { return Vec::new() };
    let last = last.trim();
    if !last.starts_with("xargs") {
        return vec![last];
    }
    let piped = before.iter().rev().take_while(|(_, joint)| joint == "|");
    let finds = |part: &&str| {
        let mut words = part.split_whitespace();
        // What is left out is not meant.
        words.next().is_some_and(|own| FINDING.contains(&own)) && words.all(|word| word != "-v")
    };
    piped.map(|(part, _)| part.trim()).filter(finds).collect()
}

/// Whether a command ends, or finds, programs by numbers: its other words name none.
fn by_number(part: &str) -> bool {
    let programs = ["kill ", "fuser ", "lsof "];
    programs.iter().any(|program| part.starts_with(program)) && !part.contains("pgrep")
}

/// How many characters a name has, at least, that says which program is meant.
const LEAST_NAME_CHARS: usize = 3;

/// Options of programs that end or find others with a word behind them that says whose these are, or how they end.
const NARROWING: &[&str] = &[
    "-G", "-P", "-U", "-g", "-s", "-t", "-u", "--euid", "--group", "--parent", "--pgroup",
    "--signal", "--uid", "--user",
];

/// Returns the words of a command that ends programs, what stands in quotes as one, without its own name: where its
/// output goes says nothing of what it ends, nor does whose it is.
fn named(part: &str) -> Vec<&str> {
    let (mut all, mut is_target) = (Vec::new(), false);
    for (at, span) in part.split(['\'', '"']).enumerate() {
        let is_quoted = at % 2 == 1;
        let words = if is_quoted { vec![span.trim()] } else { span.split_whitespace().collect() };
        for word in words {
            // The last one of a command in a command ends with its bracket.
            let word = if is_quoted { word } else { word.trim_end_matches([')', '`']) };
            let redirects = !is_quoted && word.contains(['>', '<']);
            if !redirects && !is_target {
                all.push(word);
            }
            is_target = redirects && word.ends_with(['>', '<']);
        }
    }
    let own = if ends_container(part) { 2 } else { 1 };
    let mut words = all.into_iter().skip(own);
    let mut told = Vec::new();
    while let Some(word) = words.next() {
        match by_number(part) || !NARROWING.contains(&word) {
            true => told.push(word),
            false => drop(words.next()),
        }
    }
    told
}

/// Whether a word says which program is meant.
fn is_name(word: &str) -> bool {
    is_telling(word) && !word.starts_with(['-', '$', '%'])
}

fn is_telling(word: &str) -> bool {
    word.len() >= LEAST_NAME_CHARS
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
    let Some(named) = done.runs_on_as().filter(|_| is_own).map(last_part) else { return false };
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
    let is_it =
        |before: &Done<'_>| before.command().is_some() && before.runs_on_as() == Some(named);
    timeline.done().rev().skip_while(|before| before.index >= done.index).find(is_it)
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
