//! A turn at four levels, each no longer than the one before.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::Serialize;

use super::idle::is_idle;
use super::outcomes::{Outcomes, Run};
use super::raw::raw;
use super::read_out::read_out;
use super::timeline::{Done, Timeline};
use super::{came, hunks, paragraphs, steps, tagged, text};
use crate::model::{Body, Item, Message, Origin, Role, Session};

/// How much of a turn is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Level {
    /// Every item as it was.
    #[serde(rename = "R")]
    Raw,
    /// Without escapes, repeated output and what the harness put in; long outputs by head and tail.
    #[serde(rename = "S")]
    Smooth,
    /// The request, each call on a line with how it ended, the last words of the agent.
    #[serde(rename = "C")]
    Compact,
    /// One line: the request, then files, commit, how the tests ended.
    #[serde(rename = "T")]
    Tiny,
}

impl Level {
    /// Every level, the longest first.
    pub const ALL: [Self; 4] = [Self::Raw, Self::Smooth, Self::Compact, Self::Tiny];

    /// The letter that stands for it in tags.
    pub fn letter(self) -> char {
        match self {
            Self::Raw => 'R',
            Self::Smooth => 'S',
            Self::Compact => 'C',
            Self::Tiny => 'T',
        }
    }
}

/// Returns the name of the tag around turns `first` to `last`: `T-3-S`, `T-1-through-9-T`.
pub fn tag(first: u32, last: u32, level: Level) -> String {
    let letter = level.letter();
    if first == last {
        return format!("T-{first}-{letter}");
    }
    format!("T-{first}-through-{last}-{letter}")
}

/// Returns every turn of `session` that `wanted` accepts, in order, at one level.
pub fn turns(session: &Session, wanted: impl Fn(u32) -> bool, level: Level) -> Vec<(u32, String)> {
    let timeline = Timeline::new(session);
    let outcomes = Outcomes::new(&timeline);
    let levels = Levels::new(&timeline, &outcomes);
    let numbers = levels.turns.keys().copied().filter(|turn| wanted(*turn));
    numbers.map(|turn| (turn, levels.clamped(turn, level))).collect()
}

/// Returns the numbers of the turns of `session`, in order.
pub fn numbers(session: &Session) -> Vec<u32> {
    let all: BTreeSet<u32> = Timeline::new(session).items.iter().map(|item| item.turn).collect();
    all.into_iter().collect()
}

/// The turns of a session, each with its items and calls.
pub(super) struct Levels<'t, 's> {
    timeline: &'t Timeline<'s>,
    /// The last check that each call ran, by the number of the call.
    checks: HashMap<usize, &'t Run>,
    turns: BTreeMap<u32, Content<'s>>,
}

/// What a turn holds, in order.
#[derive(Default)]
struct Content<'s> {
    items: Vec<&'s Item<'static>>,
    pieces: Vec<Piece<'s>>,
    /// What other agents did meanwhile.
    agents: Vec<Done<'s>>,
}

/// What is told of a turn below the raw level.
enum Piece<'s> {
    Message(&'s Message<'static>),
    Thought(String),
    Call(Done<'s>),
    Note(String),
    Break(Break),
}

/// What broke a turn off.
struct Break {
    told: String,
    /// What that makes of the turn where nothing came after it.
    how: &'static str,
    by_user: bool,
}

/// How many characters of a request the compact level keeps.
const ASK_CHARS: usize = 600;
/// How many characters of a request the tiny level keeps.
const TINY_ASK_CHARS: usize = 120;
/// How many characters of the agent's last words the compact level keeps.
const LAST_CHARS: usize = 600;
/// How many characters of them the tiny level keeps, where nothing else tells of the turn.
const TINY_LAST_CHARS: usize = 100;
/// How many characters of an error of the harness are told.
const ERROR_CHARS: usize = 160;
/// Lines of an output that the smooth level keeps at its head and at its tail.
const SMOOTH_LINES: (usize, usize) = (40, 20);
/// How many characters of a line of an output it keeps.
const SMOOTH_LINE_CHARS: usize = 400;
/// From how many bytes on an output that comes again is only pointed at.
const REPEATED_BYTES: usize = 80;

impl<'t, 's> Levels<'t, 's> {
    /// Sorts the items of `timeline` by turn, in one pass.
    pub(super) fn new(timeline: &'t Timeline<'s>, outcomes: &'t Outcomes) -> Self {
        let checks = outcomes.runs.iter().filter(|run| run.is_check);
        let checks = checks.map(|run| (run.began, run)).collect();
        let mut turns: BTreeMap<u32, Content<'s>> = BTreeMap::new();
        let mut calls = timeline.own().peekable();
        for item in &timeline.items {
            let content = turns.entry(item.turn).or_default();
            content.items.push(item);
            let piece = match &item.body {
                Body::ToolCall(_) => {
                    calls.next_if(|done| std::ptr::eq(done.item, *item)).map(Piece::Call)
                }
                _ => piece(item),
            };
            content.pieces.extend(piece);
        }
        for done in timeline.done().filter(Done::is_by_agent) {
            turns.entry(done.item.turn).or_default().agents.push(done);
        }
        Self { timeline, checks, turns }
    }

    /// Returns a turn at one level; empty if there is no such turn.
    ///
    /// What stands in a pack: the tiny level is never longer than the compact one, which is never
    /// longer than the smooth one.
    pub(super) fn turn(&self, turn: u32, level: Level) -> String {
        let Some(content) = self.turns.get(&turn) else { return String::new() };
        match level {
            Level::Raw => {
                content.items.iter().map(|item| raw(item)).collect::<Vec<_>>().join("\n\n")
            }
            Level::Smooth => self.smooth(&content.pieces),
            Level::Compact => self.compact(&content.pieces),
            Level::Tiny => {
                let tiny = self.tiny(content);
                let compact = self.compact(&content.pieces);
                shorter(tiny, || text::line(&compact, usize::MAX))
            }
        }
    }

    /// The same, and never longer than any level above it.
    fn clamped(&self, turn: u32, level: Level) -> String {
        let levels = Level::ALL.into_iter().take_while(|above| *above <= level);
        let all = levels.map(|level| self.turn(turn, level));
        all.reduce(|above, own| shorter(own, || above)).unwrap_or_default()
    }
}

/// Returns `own`, or the other text if that is shorter.
fn shorter(own: String, other: impl FnOnce() -> String) -> String {
    let other = other();
    if other.chars().count() < own.chars().count() { other } else { own }
}

/// Returns what an item that is no call says below the raw level.
fn piece<'s>(item: &'s Item<'static>) -> Option<Piece<'s>> {
    match &item.body {
        Body::Message(message) if message.origin != Origin::Harness => {
            Some(Piece::Message(message))
        }
        Body::Reasoning(reasoning) if !reasoning.text.is_blank() => {
            Some(Piece::Thought(text::plain(&reasoning.text.plain())))
        }
        Body::Compaction(compaction) => {
            let replaced = compaction.replaced.len();
            Some(Piece::Note(format!("(compaction: {replaced} items replaced by a summary)")))
        }
        Body::Notice { kind, text } if kind == "interrupted" => {
            let by_user = text.is_none();
            let how = if by_user { "stopped by the user" } else { "broken off" };
            Some(Piece::Break(Break { told: "(the user interrupted)".to_owned(), how, by_user }))
        }
        Body::Notice { kind, text: Some(words) } if kind == "error" => {
            let words = text::line(&text::plain(&words.plain()), ERROR_CHARS);
            let told = format!("(error of the harness: {words})");
            let how = "ended by an error of the harness";
            Some(Piece::Break(Break { told, how, by_user: false }))
        }
        _ => None,
    }
}

/// Says whose words a message holds.
fn speaker(message: &Message<'_>) -> &'static str {
    match message.origin {
        Origin::Human => "asked",
        Origin::Model if message.role == Role::Assistant => "agent",
        Origin::Model => "model",
        Origin::Harness => "harness",
        Origin::Command => "command",
        Origin::Summary => "summary",
        Origin::Agent => "another agent",
    }
}

impl Levels<'_, '_> {
    fn smooth(&self, pieces: &[Piece<'_>]) -> String {
        let mut seen = HashMap::new();
        let told = pieces.iter().map(|piece| match piece {
            Piece::Message(message) => {
                let words = text::plain(&message.words());
                message.with_images(format!("{}: {}", speaker(message), words.trim()), " ")
            }
            Piece::Thought(words) => format!("thought: {}", words.trim()),
            Piece::Note(words) | Piece::Break(Break { told: words, .. }) => words.clone(),
            Piece::Call(done) => self.smooth_call(done, &mut seen),
        });
        told.collect::<Vec<_>>().join("\n")
    }

    /// Tells a call, what it changed, and what came out; an output that came before is pointed at.
    fn smooth_call(&self, done: &Done<'_>, seen: &mut HashMap<String, String>) -> String {
        let line = format!("- {}", steps::line(self.timeline, done));
        let output = done.output();
        let again = output.len() >= REPEATED_BYTES;
        if let Some(before) = seen.get(output.as_ref()).filter(|_| again) {
            return format!("{line}\n    (the same output as above, of: {before})");
        }
        if again {
            seen.insert(
                output.clone().into_owned(),
                text::line(&steps::line(self.timeline, done), 60),
            );
        }
        let change = hunks::hunk(done, usize::MAX / 4).unwrap_or_default();
        let rows = change.lines().map(str::to_owned).chain(head_and_tail(&output));
        let rows: Vec<_> = rows.map(|row| format!("    {row}")).collect();
        if rows.is_empty() { line } else { format!("{line}\n{}", rows.join("\n")) }
    }

    fn compact(&self, pieces: &[Piece<'_>]) -> String {
        let last = pieces.iter().rposition(is_agent);
        let mut rows: Vec<String> = Vec::new();
        let told = pieces.iter().enumerate().filter_map(|(at, piece)| match piece {
            Piece::Message(message) if message.origin == Origin::Human => {
                let words = text::plain(&message.words());
                let asked = format!("asked: {}", clipped(words.trim(), ASK_CHARS));
                Some(message.with_images(asked, " "))
            }
            Piece::Message(message) if Some(at) == last => {
                let words = text::plain(&message.words());
                Some(format!("agent: {}", clipped(paragraphs::last_paragraph(&words), LAST_CHARS)))
            }
            Piece::Call(done) if is_idle(done) => None,
            Piece::Call(done) => Some(format!("- {}", steps::line(self.timeline, done))),
            Piece::Note(words) | Piece::Break(Break { told: words, .. }) => Some(words.clone()),
            Piece::Message(_) | Piece::Thought(_) => None,
        });
        for row in told {
            // The same call again and again is one line.
            if rows.last() != Some(&row) {
                rows.push(row);
            }
        }
        rows.join("\n")
    }

    fn tiny(&self, content: &Content<'_>) -> String {
        let asked = content.pieces.iter().find_map(|piece| match piece {
            Piece::Message(message) if message.origin == Origin::Human => {
                let asked = text::line(&text::plain(&message.words()), TINY_ASK_CHARS);
                Some(message.with_images(asked, " "))
            }
            _ => None,
        });
        let ask = asked.into_iter().filter(|ask| !ask.is_empty());
        let told = Some(self.came_of(content)).filter(|told| !told.is_empty());
        ask.chain(told).collect::<Vec<_>>().join(" → ")
    }

    /// Says what came of a turn, without what was asked; empty if nothing did.
    pub(super) fn outcome(&self, turn: u32) -> String {
        self.turns.get(&turn).map(|content| self.came_of(content)).unwrap_or_default()
    }

    fn came_of(&self, Content { pieces, agents, .. }: &Content<'_>) -> String {
        let calls: Vec<_> = pieces.iter().filter_map(Piece::call).collect();
        let mut told = came::of(self.timeline, &self.checks, &calls);
        let agents: Vec<_> = agents.iter().collect();
        let by_agents = came::of(self.timeline, &self.checks, &agents).join(", ");
        if !by_agents.is_empty() {
            told.insert(0, format!("agents: {by_agents}"));
        }
        let words = || pieces.iter().rev().find_map(last_words);
        if let Some(broken) = broken(pieces) {
            // What was said on the way is no outcome.
            told.push(broken.to_owned());
        } else if told.is_empty() {
            told.extend(words());
        } else if is_answered(pieces) && came::only_looked(self.timeline, &self.checks, &calls) {
            let said = words().map(|words| words.trim_end_matches(['.', ';']).to_owned());
            told.splice(0..0, said.filter(|said| !said.starts_with("```")));
        }
        told.join("; ")
    }
}

impl<'s> Piece<'s> {
    fn call(&self) -> Option<&Done<'s>> {
        match self {
            Self::Call(done) => Some(done),
            _ => None,
        }
    }
}

fn is_agent(piece: &Piece<'_>) -> bool {
    matches!(piece, Piece::Message(message)
        if message.role == Role::Assistant && message.origin == Origin::Model)
}

/// Says what broke a turn off, where that is the last of it. What was said to its end was not broken off, unless by
/// the user.
fn broken(pieces: &[Piece<'_>]) -> Option<&'static str> {
    let mut last = pieces.iter().rev().filter(|piece| !matches!(piece, Piece::Thought(_)));
    let Some(Piece::Break(broken)) = last.next() else { return None };
    let before = last.find(|piece| !matches!(piece, Piece::Break(_)));
    let is_said = before.is_some_and(
        |piece| matches!(piece, Piece::Message(message) if is_agent(piece) && !message.interim),
    );
    (broken.by_user || !is_said).then_some(broken.how)
}

/// Whether a turn that begins with a question ends with what the agent said.
fn is_answered(pieces: &[Piece<'_>]) -> bool {
    let asked = pieces.iter().rev().find_map(|piece| match piece {
        Piece::Message(message) if message.origin == Origin::Human => Some(message),
        _ => None,
    });
    let asks = |message: &&&Message<'_>| message.words().trim_end().ends_with(['?', '？', '؟']);
    let last = pieces
        .iter()
        .rev()
        .find(|piece| !matches!(piece, Piece::Note(_) | Piece::Break(_) | Piece::Thought(_)));
    asked.as_ref().is_some_and(asks) && last.is_some_and(is_agent)
}

/// Returns how the last of what the agent said begins, for a turn in which nothing else was done: an
/// answer stands at its head, remarks at its end.
fn last_words(piece: &Piece<'_>) -> Option<String> {
    let Piece::Message(message) = piece else { return None };
    let words = is_agent(piece).then(|| text::plain(&message.words()))?;
    Some(read_out(&paragraphs::opening(&tagged::answer(&words)), TINY_LAST_CHARS))
}

/// Cuts a text in the middle, unless that would make it longer.
fn clipped(words: &str, most: usize) -> String {
    let short = text::clip(words, most);
    if short.chars().count() < words.chars().count() { short } else { words.to_owned() }
}

/// Returns the head and the tail of an output; a line that comes again and again is one line.
fn head_and_tail(output: &str) -> Vec<String> {
    let rows = steps::folded(output);
    let (head, tail) = SMOOTH_LINES;
    let told =
        |(row, times): &(&str, usize)| steps::with_times(text::cut(row, SMOOTH_LINE_CHARS), *times);
    if rows.len() <= head + tail + 1 {
        return rows.iter().map(told).collect();
    }
    let gap = format!("[… {} lines …]", rows.len() - head - tail);
    let (first, last) = (&rows[..head], &rows[rows.len() - tail..]);
    first.iter().map(told).chain([gap]).chain(last.iter().map(told)).collect()
}
