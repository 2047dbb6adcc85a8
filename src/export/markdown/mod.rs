//! A transcript in Markdown, for people.
//!
//! Words stand open. A call is one line that opens on its arguments and what came back. What is not
//! live is told apart: what a compaction replaced stands between two marks, what was rolled back or
//! left on another branch is folded.

mod blocks;
mod call;
mod text;

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use super::times;
use crate::model::{
    Body, Compaction, Header, Item, Message, Origin, Plan, PlanStatus, Session, SideSession,
    ToolResult,
};
use text::{escaped, folded, one_line, open, quoted};

/// How deep side sessions are shown inside of each other.
const MOST_LEVELS: usize = 8;
/// How many characters of a request stand in the head of its turn.
const HEAD_CHARS: usize = 80;

/// Returns a session as Markdown.
pub fn markdown(session: &Session) -> String {
    let mut writer = Writer::new(session);
    writer.head(&session.header);
    let main = std::mem::take(&mut writer.main);
    writer.lane(&main, 0);
    writer.rest();
    writer.out
}

/// Why items are not live.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State<'a> {
    Live,
    /// A compaction replaced them.
    Replaced,
    /// They were left: a branch, a rollback.
    Left(&'a str),
}

struct Writer<'a> {
    out: String,
    main: Vec<&'a Item<'static>>,
    sides: HashMap<&'a str, Vec<&'a Item<'static>>>,
    side_order: Vec<&'a str>,
    begun: HashMap<&'a str, &'a SideSession<'static>>,
    by_call: HashMap<&'a str, Vec<&'a str>>,
    results: HashMap<&'a str, &'a ToolResult<'static>>,
    calls: HashSet<&'a str>,
    placed: HashSet<&'a str>,
    rollbacks: HashSet<&'a str>,
    turn: Option<u32>,
}

impl<'a> Writer<'a> {
    fn new(session: &'a Session) -> Self {
        let mut writer = Self {
            out: String::new(),
            main: Vec::new(),
            sides: HashMap::new(),
            side_order: Vec::new(),
            begun: HashMap::new(),
            by_call: HashMap::new(),
            results: HashMap::new(),
            calls: HashSet::new(),
            placed: HashSet::new(),
            rollbacks: super::rollbacks(session),
            turn: None,
        };
        for item in &session.items {
            match &item.body {
                Body::SideSession(side) => {
                    writer.begun.insert(&side.id, side);
                    if let Some(call) = side.call_id.as_deref() {
                        writer.by_call.entry(call).or_default().push(&side.id);
                    }
                    continue;
                }
                Body::ToolCall(call) => _ = writer.calls.insert(&call.call_id),
                Body::ToolResult(result) => {
                    writer.results.entry(&result.call_id).or_insert(result);
                }
                _ => {}
            }
            match item.side_session.as_deref().filter(|_| !session.header.is_side) {
                None => writer.main.push(item),
                Some(id) => {
                    if !writer.sides.contains_key(id) {
                        writer.side_order.push(id);
                    }
                    writer.sides.entry(id).or_default().push(item);
                }
            }
        }
        writer
    }

    fn head(&mut self, header: &Header) {
        let title = header.title.as_deref().unwrap_or("A session without a title");
        let _ = writeln!(self.out, "# {}\n", escaped(&one_line(title, 200)));
        let code = |text: &str| format!("`{}`", one_line(text, 300).replace('`', "'"));
        let shown = [&header.started_at, &header.ended_at]
            .map(|time| time.as_deref().and_then(times::normal).map(|time| minute(&time)));
        let rows = [
            ("Session", Some(code(&format!("{}:{}", header.harness, header.id)))),
            ("Version", header.harness_version.as_deref().map(code)),
            ("Model", header.model.as_deref().map(code)),
            ("Folder", header.cwd.as_deref().map(code)),
            ("Branch", header.git.branch.as_deref().map(code)),
            ("Began", shown[0].clone()),
            ("Ended", shown[1].clone()),
        ];
        for (name, value) in rows {
            if let Some(value) = value {
                let _ = writeln!(self.out, "- {name}: {value}");
            }
        }
    }

    /// Shows items in their order, what is live and what is not told apart.
    fn lane(&mut self, items: &[&'a Item<'static>], level: usize) {
        let mut state = State::Live;
        for item in items {
            if item.copy_of.is_some() || item.dropped_by.as_deref() == Some("duplicate") {
                continue;
            }
            let now = state_of(item, state, level, &self.rollbacks);
            if now != state {
                self.change(state, now);
                state = now;
            }
            if level == 0 && self.turn.unwrap_or(0) != item.turn {
                self.turn = Some(item.turn);
                self.turn_head(item);
            }
            self.item(item, level);
        }
        self.change(state, State::Live);
    }

    /// Closes one kind of passage and opens the next.
    fn change(&mut self, from: State<'_>, to: State<'_>) {
        match from {
            State::Left(_) => self.out.push_str("\n</details>\n"),
            State::Replaced if to == State::Live => {
                self.out.push_str("\n---\n\n*Live from here on.*\n");
            }
            State::Live | State::Replaced => {}
        }
        match to {
            State::Left(why) => open(&mut self.out, &format!("Not sent any more: {why}")),
            State::Replaced if from != State::Replaced => {
                self.out.push_str("\n---\n\n*Not sent any more: a compaction replaced this.*\n");
            }
            State::Live | State::Replaced => {}
        }
    }

    fn turn_head(&mut self, item: &Item<'_>) {
        let request = match &item.body {
            Body::Message(message) if message.origin == Origin::Human => {
                one_line(&message.words(), HEAD_CHARS)
            }
            _ => String::new(),
        };
        let colon = if request.is_empty() { "" } else { ": " };
        let _ = writeln!(self.out, "\n## T-{}{colon}{}", item.turn, escaped(&request));
    }

    fn item(&mut self, item: &'a Item<'static>, level: usize) {
        match &item.body {
            Body::Message(message) => self.message(message, item),
            Body::Reasoning(reasoning) => {
                let words = reasoning.text.plain();
                if !words.trim().is_empty() {
                    folded(&mut self.out, "Reasoning", &quoted(&words));
                }
            }
            Body::ToolCall(call) => {
                let result = self.results.get(call.call_id.as_ref()).copied();
                open(&mut self.out, &call::head(call, result));
                call::body(&mut self.out, call, result);
                for id in self.by_call.get(call.call_id.as_ref()).cloned().unwrap_or_default() {
                    self.side(id, level + 1);
                }
                self.out.push_str("\n</details>\n");
            }
            Body::ToolResult(result) if !self.calls.contains(result.call_id.as_ref()) => {
                open(&mut self.out, "A result without its call");
                call::output(&mut self.out, result);
                self.out.push_str("\n</details>\n");
            }
            Body::Plan(plan) => self.plan(plan),
            Body::Compaction(compaction) => self.compaction(compaction),
            Body::Notice { kind, text } => {
                let text = text.as_ref().map(|text| format!(": {}", one_line(&text.plain(), 200)));
                let line = format!("{}{}", kind.replace('_', " "), text.unwrap_or_default());
                let _ = writeln!(self.out, "\n*{}*", escaped(&line).replace('*', "\\*"));
            }
            Body::ToolResult(_) | Body::Usage(_) | Body::SideSession(_) => {}
        }
    }

    fn message(&mut self, message: &Message<'_>, item: &Item<'_>) {
        let whole = super::content::joined(&message.parts);
        let words = message.said.as_ref().map_or(whole.into(), |said| said.plain());
        if words.trim().is_empty() {
            return;
        }
        let time = item.ts.as_deref().and_then(times::normal).map(|time| minute(&time));
        let time = time.map(|time| format!(" · {time}")).unwrap_or_default();
        match message.origin {
            Origin::Human => {
                let _ = writeln!(self.out, "\n**User**{time}\n\n{}", quoted(&words));
            }
            Origin::Model => {
                let _ = writeln!(self.out, "\n**Agent**{time}\n\n{}", text::prose(&words));
            }
            Origin::Agent => {
                let _ = writeln!(self.out, "\n**Another agent**{time}\n\n{}", quoted(&words));
            }
            // A compaction shows it.
            Origin::Summary => {}
            Origin::Harness => folded(&mut self.out, "The harness", &quoted(&words)),
            Origin::Command => folded(&mut self.out, "A command of the user", &quoted(&words)),
        }
    }

    fn plan(&mut self, plan: &Plan<'_>) {
        let done = plan.items.iter().filter(|item| !item.status.is_open()).count();
        let mut list = String::new();
        for item in &plan.items {
            let mark = if item.status.is_open() { ' ' } else { 'x' };
            let more = match item.status {
                PlanStatus::InProgress => " (in progress)",
                PlanStatus::Blocked => " (blocked)",
                PlanStatus::Cancelled => " (given up)",
                PlanStatus::Pending | PlanStatus::Completed => "",
            };
            let _ = writeln!(list, "- [{mark}] {}{more}", escaped(&one_line(&item.text, 300)));
            if let Some(details) = &item.details {
                let _ = writeln!(list, "  {}", escaped(&one_line(details, 300)));
            }
        }
        let head = format!("List of work: {done} of {} done", plan.items.len());
        folded(&mut self.out, &head, &list);
    }

    fn compaction(&mut self, compaction: &Compaction<'_>) {
        let tokens = match (compaction.tokens_before, compaction.tokens_after) {
            (Some(before), Some(after)) => format!(", {before} to {after} tokens"),
            (Some(before), None) => format!(", {before} tokens before"),
            _ => String::new(),
        };
        let trigger = escaped(&one_line(&compaction.trigger, 40));
        let _ = writeln!(self.out, "\n---\n\n**Compaction** ({trigger}{tokens})");
        match compaction.summary.as_ref().filter(|_| compaction.readable) {
            Some(summary) => folded(&mut self.out, "Summary", &quoted(&summary.plain())),
            None => {
                let _ = writeln!(self.out, "\n*{}*", super::NO_SUMMARY);
            }
        }
    }

    /// Shows a side session, folded, unless it stands somewhere already.
    fn side(&mut self, id: &'a str, level: usize) {
        if level > MOST_LEVELS || !self.placed.insert(id) {
            return;
        }
        let Some(items) = self.sides.remove(id) else { return };
        let begun = self.begun.get(id);
        let agent = begun.and_then(|side| side.agent.as_deref()).unwrap_or("agent");
        let title = begun.and_then(|side| side.title.as_ref());
        let title = title.map(|title| format!(": {}", one_line(&title.plain(), HEAD_CHARS)));
        let head = format!("Side session of {agent}{}", title.unwrap_or_default());
        open(&mut self.out, &escaped(&head));
        self.lane(&items, level);
        self.out.push_str("\n</details>\n");
    }

    /// Shows the side sessions that no call is known for.
    fn rest(&mut self) {
        for id in std::mem::take(&mut self.side_order) {
            self.side(id, 1);
        }
    }
}

/// Tells what kind of passage an item belongs to; what was never sent goes with what is around it.
fn state_of<'a>(
    item: &'a Item<'static>,
    around: State<'a>,
    level: usize,
    rollbacks: &HashSet<&str>,
) -> State<'a> {
    // The items of a side session are never live in the main one.
    let is_side = level > 0 && item.dropped_by.as_deref() == Some("side_session");
    if item.live || is_side || matches!(item.body, Body::Compaction(_)) {
        return State::Live;
    }
    match super::left(item, rollbacks).or(item.dropped_by.as_deref()) {
        Some("branch") => State::Left("it is on another branch"),
        Some(super::ROLLED_BACK) => State::Left("it was rolled back"),
        Some("superseded") => State::Left("something newer stands in its place"),
        Some("never_sent") | None => around,
        Some("side_session") => State::Left("it belongs to a side session"),
        Some(_) => State::Replaced,
    }
}

/// Returns a normal time to the minute.
fn minute(time: &str) -> String {
    time.get(..16).unwrap_or(time).replace('T', " ")
}
