//! Turns: what was asked, what was done, what was answered.

use std::cell::LazyCell;
use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;
use serde::Serialize;

use super::ended::Ends;
use super::files::is_of_program;
use super::idle::{is_idle, is_unreadable};
use super::levels::Levels;
use super::next::reported;
use super::outcomes::Outcomes;
use super::read_out::read_out;
use super::timeline::{Done, Timeline};
use super::{data, event, hunks, shell, steps, text, words};
use crate::model::{Action, Body, Message, Origin, Role, ToolCall};

/// A turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Turn {
    /// Such as `T-12`.
    pub id: String,
    /// Counts from 1; 0 before the first request.
    pub number: u32,
    /// What the user asked, on one line of growing length.
    pub asks: Vec<String>,
    /// What came of it, in a few words.
    pub outcome: String,
    /// What was done and said, newest first.
    pub steps: Vec<Step>,
}

/// Something that was done or said in a turn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Step {
    /// One line.
    pub text: String,
    /// More of it at growing length: the words of the agent, the lines of a change, of an output, what the report of
    /// another agent comes to. Of several that are one step the lines of each have its number before them.
    pub details: Vec<String>,
    /// The details of each, where it is several.
    #[serde(skip)]
    parts: Vec<Vec<String>>,
    /// Whether the agent speaks.
    pub said: bool,
    /// Whether it only says what it goes to do, and went on to do something.
    #[serde(skip)]
    pub announces: bool,
    /// Whether it only looked: read, searched, fetched.
    #[serde(skip)]
    pub looked: bool,
    /// Whether something of it was fetched: it may not be had again.
    #[serde(skip)]
    pub fetched: bool,
    /// Whether it did not do what it should.
    #[serde(skip)]
    pub failed: bool,
    /// Whether nothing but looking was begun after it had failed: calls that came back together with it hide it not.
    #[serde(skip)]
    pub fails_last: bool,
    /// Whether it tells what another agent found.
    #[serde(skip)]
    pub reports: bool,
    /// Whether it does that in the current turn, and the agent has not ended that since: what it says on its way answers
    /// at most a part of it.
    #[serde(skip)]
    pub owes: bool,
    /// Whether it is what the agent said last in a turn after which the user spoke again: what came of it.
    #[serde(skip)]
    pub closes: bool,
    /// Whether its details are what it printed.
    #[serde(skip)]
    pub prints: bool,
    /// How often it was made, one time after the other.
    #[serde(skip)]
    pub times: usize,
    /// Tells the line that it ran from others; 0 where it ran none.
    #[serde(skip)]
    pub line: u64,
    /// The items that it rests on.
    pub evidence: Vec<String>,
}

/// How many characters of a request stand at the head of its turn; the whole stands elsewhere.
const ASK_CHARS: [usize; 2] = [120, 600];
/// How many turns are kept.
const MOST_TURNS: usize = 400;
/// How many of them have their steps.
const MOST_TOLD: usize = 90;
/// How many steps are kept in all.
const MOST_STEPS: usize = 400;

/// Returns the id of a turn.
pub(super) fn id(turn: u32) -> String {
    format!("T-{turn}")
}

/// Returns the last turns, newest first, each with its steps newest first.
pub(super) fn turns(timeline: &Timeline<'_>, outcomes: &Outcomes) -> Vec<Turn> {
    let calls: Vec<Done<'_>> = timeline.own().collect();
    let mut calls = calls.iter().rev().peekable();
    let mut turns: Vec<Turn> = Vec::new();
    let (mut left, mut has_ended, mut ends) = (MOST_STEPS, false, Ends::default());
    let levels = Levels::new(timeline, outcomes);
    // The first request of each turn.
    let mut asked: Vec<Option<&Message<'_>>> = Vec::new();
    for item in timeline.items.iter().rev() {
        if turns.last().is_none_or(|turn| turn.number != item.turn) {
            if turns.len() == MOST_TURNS {
                break;
            }
            left = if turns.len() < MOST_TOLD { left } else { 0 };
            turns.push(Turn::new(item.turn, levels.outcome(item.turn)));
            asked.push(None);
        }
        let is_past = turns.len() > 1;
        let Some(turn) = turns.last_mut() else { break };
        let step = match &item.body {
            Body::Message(message) if message.origin == Origin::Human => {
                asked.last_mut().map(|asked| asked.replace(message));
                None
            }
            Body::Message(message)
                if message.role == Role::Assistant && message.origin == Origin::Model =>
            {
                (left > 0).then(|| said(&item.id, &text::cleaned(&message.plain())))
            }
            Body::Message(message) if message.origin == Origin::Agent => {
                let words = message.words();
                let words = text::cleaned(&words);
                (left > 0 && !is_unreadable(&words)).then(|| heard(&item.id, &words))
            }
            Body::ToolCall(_) => calls
                .next_if(|done| std::ptr::eq(done.item, *item))
                .filter(|done| left > 0 && !is_idle(done))
                .map(|done| step(timeline, outcomes, done)),
            _ => None,
        };
        has_ended |= is_past || ends.at(item);
        if let Some(mut step) = step {
            step.closes = step.said && turn.steps.is_empty() && is_past;
            step.owes = step.reports && !has_ended;
            add(&mut turn.steps, step);
            left -= 1;
        }
    }
    for (turn, asked) in turns.iter_mut().zip(asked) {
        turn.asks = asked.map(|asked| asks(&text::cleaned(&asked.words()))).unwrap_or_default();
    }
    turns.iter_mut().flat_map(|turn| &mut turn.steps).for_each(Step::close);
    turns.retain(|turn| !turn.asks.is_empty() || !turn.steps.is_empty());
    turns
}

impl Step {
    /// Ends what was gathered of it.
    fn close(&mut self) {
        self.parts.clear();
        if self.times > 1 {
            self.text = format!("{} {}×", self.text, self.times);
        }
    }
}

impl Turn {
    fn new(number: u32, outcome: String) -> Self {
        Self { id: id(number), number, asks: Vec::new(), outcome, steps: Vec::new() }
    }
}

/// Returns a request on a line of growing length.
fn asks(words: &str) -> Vec<String> {
    let mut asks: Vec<_> = ASK_CHARS.iter().map(|most| text::line(words, *most)).collect();
    asks.dedup();
    asks.retain(|ask| !ask.is_empty());
    asks
}

/// Lengths at which the words of the agent are told, in characters.
const SAID_CHARS: [usize; 3] = [240, 700, 2000];
/// How many characters of another agent's message are told.
const HEARD_CHARS: usize = 600;
/// Lengths at which the report of another agent is told.
const REPORT_CHARS: [usize; 2] = [600, 2000];
/// Lengths at which the lines of a change or an output are told.
const DETAIL_LINES: [usize; 2] = [12, 36];

fn said(id: &str, words: &str) -> Step {
    let words = text::untagged(words);
    let [short, more, most] = SAID_CHARS;
    let mut details = vec![text::clip(words, more), text::clip(words, most)];
    details.dedup();
    details.retain(|detail| detail.chars().count() > short);
    let evidence = vec![id.to_owned()];
    Step {
        text: read_out(words, short),
        details,
        said: true,
        times: 1,
        evidence,
        ..Step::default()
    }
}

/// More bytes of data can be what an agent found.
const NOTE_BYTES: usize = 400;

/// A message of another agent: neither a request nor the agent's own words.
fn heard(id: &str, words: &str) -> Step {
    let text = format!("another agent wrote: {}", text::line(words, HEARD_CHARS));
    let evidence = vec![id.to_owned()];
    // What a program writes in a few words of data, such as that an agent is idle, is no report.
    let is_note = |row: &&str| row.starts_with('{') && row.ends_with('}') && row.len() < NOTE_BYTES;
    let said = event::within(words).lines().map(str::trim).filter(|row| !is_note(row));
    let reports = steps::tells(&said.collect::<Vec<_>>().join("\n"));
    Step {
        text,
        // That it is done says as little.
        announces: !reports,
        reports,
        times: 1,
        evidence,
        ..Step::default()
    }
}

fn step(timeline: &Timeline<'_>, outcomes: &Outcomes, done: &Done<'_>) -> Step {
    let looked = match done.call.action.as_deref() {
        Some(Action::Read { .. } | Action::Search { .. } | Action::Fetch { .. }) => true,
        Some(Action::Shell { .. }) => timeline.parts(done).is_empty(),
        _ => false,
    };
    let is_told_elsewhere =
        matches!(done.call.action.as_deref(), Some(Action::Propose { .. } | Action::Ask { .. }));
    let is_help = looked && done.command().is_some_and(asks_for_help);
    let is_known = is_told_elsewhere || is_help || looked && shows_instructions(timeline, done);
    let tells = !is_known && !done.refused() && !steps::is_out(done);
    let printed = LazyCell::new(|| steps::printed(timeline, outcomes, done));
    let output = |most| tells.then(|| printed.excerpt(most)).flatten();
    let detail = |most| hunks::hunk(done, most).or_else(|| output(most));
    let mut details: Vec<_> = DETAIL_LINES.into_iter().filter_map(detail).collect();
    let prints = hunks::hunk(done, 1).is_none();
    // Where there is room for it, no field of what a tool answered is left out; a command line says itself which it
    // asks for, and can be run again.
    let is_answer = tells && prints && done.command().is_none();
    if let Some(whole) = is_answer.then(|| data::at_length(printed.text())).flatten() {
        details.truncate(1);
        details.push(whole);
    }
    details.dedup();
    let text = steps::line(timeline, done);
    // How a call ended may be all that came out of it.
    let ended = steps::ended(done);
    let said = ended.split_once(": ").map_or("", |(_, said)| said);
    details.retain(|detail| detail.lines().any(|row| !said.contains(row.trim())));
    let reports = steps::reports(done);
    if reports {
        details = report(timeline, done);
        leave_out_told(&mut details, &text);
        // Its line may have all of it.
        details.retain(|detail| detail.lines().any(|row| !text.contains(row.trim())));
        details.dedup();
    }
    let failed = done.failed() || done.fell_at_once();
    Step {
        text,
        details,
        looked,
        fetched: matches!(done.call.action.as_deref(), Some(Action::Fetch { .. })),
        failed,
        fails_last: failed && !looked && (is_last(timeline, done) || stays_undone(timeline, done)),
        reports,
        prints,
        times: 1,
        line: done.command().map_or(0, |line| FxBuildHasher.hash_one(line) | 1),
        evidence: vec![done.item.id.to_string()],
        ..Step::default()
    }
}

/// Leaves out of a report, at each length, the paragraph that the line above it has whole.
fn leave_out_told(told: &mut [String], line: &str) {
    let is_told = |part: &&str| steps::tells(part) && line.contains(part.trim());
    let Some(first) = told.first().and_then(|first| first.split("\n\n").find(is_told)) else {
        return;
    };
    let part = first.to_owned();
    // What is told at one length is told at each longer one.
    if told.iter().all(|told| told.split("\n\n").any(|it| it == part)) {
        for told in told {
            let rest: Vec<_> = told.split("\n\n").filter(|it| *it != part).collect();
            *told = rest.join("\n\n");
        }
    }
}

/// How many characters of a report say how it begins.
const BEGIN_CHARS: usize = 20;

/// Returns what the report of another agent comes to at growing length, each with all that the one before has.
fn report(timeline: &Timeline<'_>, done: &Done<'_>) -> Vec<String> {
    let mut told = REPORT_CHARS.map(|most| reported(timeline, done, most)).to_vec();
    let begin = |text: &str| text.chars().take(BEGIN_CHARS).collect::<String>();
    if begin(&told[0]) != begin(&told[1]) {
        told.truncate(1);
    }
    told.dedup();
    told
}

/// Whether nothing was called after a call came back but to look, to wait or to list the work.
fn is_last(timeline: &Timeline<'_>, done: &Done<'_>) -> bool {
    let looks = |call: &ToolCall<'_>| match call.action.as_deref() {
        Some(Action::Shell { command, .. }) => shell::only_looks(command.as_str()),
        Some(Action::Read { .. } | Action::Search { .. } | Action::Fetch { .. }) => true,
        Some(Action::Wait { .. } | Action::Plan) => true,
        _ => false,
    };
    for item in timeline.items.iter().rev() {
        match &item.body {
            Body::ToolResult(result)
                if done.result.is_some_and(|own| std::ptr::eq(own, result)) =>
            {
                return true;
            }
            Body::ToolCall(call) if !looks(call) => return false,
            Body::Message(message) if message.origin == Origin::Human => return false,
            _ => {}
        }
    }
    false
}

/// Whether what a tool other than a shell failed to do was not done by it later either: nothing else tells of it.
fn stays_undone(timeline: &Timeline<'_>, done: &Done<'_>) -> bool {
    let mut later = timeline.done().skip(done.index + 1);
    let is_own = done.command().is_none() && !done.refused() && !done.was_held_back();
    is_own && !later.any(|later| later.call.name == done.call.name && later.worked())
}

/// Programs that only cut what another one prints, or say where it is run.
const AROUND: &[&str] = &["cd", "echo", "grep", "head", "rg", "sed", "tail"];

/// Whether all that a command line does is to ask programs how they are used: whoever needs that asks again.
fn asks_for_help(line: &str) -> bool {
    let all = shell::raw(line);
    let is_around =
        |part: &str| part.split_whitespace().next().is_none_or(|program| AROUND.contains(&program));
    let mut rest =
        all.iter().map(|(part, _)| part.as_str()).filter(|part| !is_around(part)).peekable();
    rest.peek().is_some() && rest.all(|part| part.split_whitespace().any(|word| word == "--help"))
}

/// Whether a call only shows files that a program keeps of its own, such as instructions to the agent: the
/// next one is given them again.
fn shows_instructions(timeline: &Timeline<'_>, done: &Done<'_>) -> bool {
    let (told, is_line) = match done.call.action.as_deref() {
        Some(Action::Read { path, .. }) => (path, false),
        Some(Action::Shell { command, .. }) => (command, true),
        _ => return false,
    };
    let words = told.split(|c: char| is_line && (c.is_whitespace() || "'\"`;|&()".contains(c)));
    let mut paths = words.filter(|word| !is_line || word.contains('/')).peekable();
    paths.peek().is_some() && paths.all(|path| is_instruction(&timeline.path(path)))
}

/// Whether a path leads to a text that a program keeps for agents.
fn is_instruction(path: &str) -> bool {
    let is_text = [".md", ".mdc", ".txt"].iter().any(|ending| path.ends_with(ending));
    is_text && is_of_program(path)
}

/// Adds a step; looking again and again is one step.
fn add(steps: &mut Vec<Step>, mut step: Step) {
    // Of the same call again and again the last is told.
    let is_again = |next: &&mut Step| {
        let is_same = (next.line, next.failed) == (step.line, step.failed);
        is_same && step.line != 0 && next.prints && !next.looked && next.text == step.text
    };
    if let Some(last) = steps.last_mut().filter(is_again) {
        last.times += 1;
        last.evidence.extend(step.evidence);
        return;
    }
    // What the next one printed, too, stands there: a script tells the outputs of its calls together.
    let mut printed = steps.iter().rev().take_while(|next| next.prints);
    let told = printed.find(|next| !next.details.is_empty()).filter(|_| step.prints);
    if told.is_some_and(|next| next.details == step.details) {
        step.details.clear();
    }
    // The same change once more is told once.
    let is_same =
        |next: &Step| !next.prints && next.text == step.text && next.details == step.details;
    if !step.prints && steps.iter().any(is_same) {
        step.details.clear();
    }
    // Steps come newest first: something was done after what was said.
    step.announces = step.said && !steps.is_empty() && words::only_announces(&step.text);
    let joins = |step: &Step| step.looked && !step.failed;
    match steps.last_mut().filter(|last| joins(last) && joins(&step) && last.text.len() < 300) {
        Some(last) => {
            last.text = format!("{}, {}", step.text, last.text);
            if last.parts.is_empty() {
                last.parts = vec![std::mem::take(&mut last.details)];
            }
            last.parts.insert(0, step.details);
            last.details = numbered(&last.parts);
            last.evidence.extend(step.evidence);
            last.fetched |= step.fetched;
        }
        None => steps.push(step),
    }
}

/// Puts the details of several steps below each other, length by length, those of each behind its number
/// on the line.
fn numbered(parts: &[Vec<String>]) -> Vec<String> {
    let longest = parts.iter().map(Vec::len).max().unwrap_or(0);
    let at = |level: usize| {
        let told = parts.iter().enumerate().filter_map(|(number, details)| {
            let detail = details.get(level).or(details.last())?;
            Some(format!("({}) {detail}", number + 1))
        });
        told.collect::<Vec<_>>().join("\n")
    };
    (0..longest).map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_program_says_of_an_agent_is_no_report() {
        let frame = |words: &str| {
            format!(
                "Another session sent a message:\n<teammate-message teammate_id=\"a\">\n{words}\n</teammate-message>\n\nThis came from another session and was not typed by your user, but it is very likely what they want."
            )
        };
        let idle = r#"{"type":"idle","from":"a","summary":"the review of the page of amounts and of all its rows is complete by now"}"#;
        assert!(!heard("x", &frame(idle)).reports);
        let found = "The page of amounts loses the sign of each row below zero, and no test of the house reads one.";
        assert!(heard("x", &frame(found)).reports);
        assert!(heard("x", &frame(&format!("{idle}\n\n{found}"))).reports);
    }

    #[test]
    fn the_same_call_again_and_again_is_one_step() {
        let call = |text: &str, detail: &str| {
            let details = vec![detail.to_owned()];
            Step { details, prints: true, line: 1, ..heard("i", text) }
        };
        let mut steps = Vec::new();
        for (text, detail) in
            [("ran `a`", "3"), ("ran `a`", "2"), ("ran `a`", "1"), ("ran `b`", "0")]
        {
            add(&mut steps, call(text, detail));
        }
        steps.iter_mut().for_each(Step::close);
        let told: Vec<_> = steps.iter().map(|step| (&*step.text, &*step.details[0])).collect();
        let (a, b) = ("another agent wrote: ran `a` 3×", "another agent wrote: ran `b`");
        assert_eq!(told, [(a, "3"), (b, "0")]);
        assert_eq!(steps[0].evidence.len(), 3);
    }

    #[test]
    fn a_line_that_only_asks_for_help_is_known() {
        for line in
            ["uv build --help", "cd a && uv build --help | head -20", "a --help; b c --help"]
        {
            assert!(asks_for_help(line), "{line}");
        }
        for line in
            ["uv build", "cat a.rs && uv build --help", "echo --help", "grep -- --help a.md"]
        {
            assert!(!asks_for_help(line), "{line}");
        }
    }

    #[test]
    fn lines_that_only_look_alike_are_several_steps() {
        let call = |line: u64, failed: bool| Step {
            prints: true,
            line,
            failed,
            ..heard("i", "ran `python - <<'PY'`")
        };
        let mut steps = Vec::new();
        for (line, failed) in [(1, false), (1, false), (3, false), (3, true), (0, true), (0, true)]
        {
            add(&mut steps, call(line, failed));
        }
        let told: Vec<_> = steps.iter().map(|step| (step.line, step.times, step.failed)).collect();
        let alone = [(3, 1, false), (3, 1, true), (0, 1, true), (0, 1, true)];
        assert_eq!(told, [[(1, 2, false)].as_slice(), &alone].concat());
    }
}
