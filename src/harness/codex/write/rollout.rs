//! The lines of a session in the order in which the client reads them.

use std::borrow::Cow;
use std::io;

use serde::Serialize;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::said::shown;
use super::side::{Links, Spawned};
use super::steps::{Preview, Step, preview, steps};
use super::{events, items, output, tools};
use crate::harness::mark::Mark;
use crate::harness::write::Records;
use crate::harness::{Target, title_of};
use crate::json::Quick;
use crate::model::{
    Conversation, Entry, EntryBody, Exchange, Header, Message, Origin, Reasoning, Text, ToolKind,
};
use crate::note::{LossKind, Losses};

/// What stands where the source says neither when it began nor when it was written.
const NO_TIME: &str = "1970-01-01T00:00:00.000Z";
/// What the list shows of a session in which nothing was asked.
const NO_REQUEST: &str = "(no request)";

/// Writes a session.
pub(super) fn write(
    conversation: &Conversation,
    target: &Target,
    spawned: Option<&Spawned<'_>>,
    out: &mut dyn io::Write,
) -> io::Result<Losses> {
    let same = conversation.header.harness == "codex";
    let steps = steps(conversation, same);
    let mut rollout = Rollout {
        out: Records::new(out),
        target,
        header: &conversation.header,
        same,
        has_phases: items::has_phases(conversation),
        spawned,
        links: Links::new(conversation, target, same),
        losses: Losses::default(),
        preview: preview(&steps),
        turn: None,
        turns: 0,
        ts: started_at(conversation, target),
        written: String::new(),
        meter: events::Meter::default(),
    };
    rollout.meta(conversation, &steps)?;
    for step in &steps {
        match step {
            Step::Compaction(entry, compaction, history) => {
                rollout.compaction(entry, compaction, history)?;
            }
            Step::Group(group) => rollout.group(group)?,
        }
    }
    rollout.end()?;
    Ok(rollout.losses)
}

/// When the session begins: with its first entry.
pub(super) fn started_at(conversation: &Conversation, target: &Target) -> String {
    let Conversation { header, older, boundary, live, .. } = conversation;
    let first = older.iter().chain(boundary).chain(live).map(|entry| &entry.ts).next();
    let first = first.or(header.started_at.as_ref()).or(target.now.as_ref());
    first.map_or_else(|| NO_TIME.to_owned(), Clone::clone)
}

/// Names the file of a session: no colons, and no fractions of a second.
pub(super) fn name(start: &str, target: &Target) -> String {
    let time = start.get(..19).unwrap_or_default().replace(':', "-");
    format!("rollout-{time}-{}.jsonl", target.id)
}

/// The item of a result.
#[derive(Serialize)]
struct Verbatim<'e> {
    r#type: &'static str,
    call_id: &'e str,
    output: &'e Text<'e>,
}

impl Verbatim<'_> {
    /// How many bytes of text it has; an escape counts as it is stored.
    fn stored_bytes(&self) -> u64 {
        (self.r#type.len() + self.call_id.len() + self.output.stored_bytes()) as u64
    }
}

/// A turn that has not ended.
pub(super) struct Turn {
    pub(super) id: String,
    /// What the model said last in it.
    last: Option<String>,
    /// Whether it had not ended with that, as the source says.
    goes_on: bool,
}

pub(super) struct Rollout<'a> {
    out: Records<'a>,
    target: &'a Target,
    /// Of the source.
    header: &'a Header,
    /// Whether the harness itself recorded what is written.
    pub(super) same: bool,
    /// Whether it says in which phase the model spoke.
    pub(super) has_phases: bool,
    /// What began it, if it is a side session.
    pub(super) spawned: Option<&'a Spawned<'a>>,
    pub(super) links: Links<'a>,
    pub(super) losses: Losses,
    pub(super) preview: Preview,
    pub(super) turn: Option<Turn>,
    turns: u32,
    /// The time of what is written.
    pub(super) ts: String,
    /// The time of the line before.
    written: String,
    pub(super) meter: events::Meter,
}

impl Rollout<'_> {
    pub(super) fn line(&mut self, kind: &str, payload: &impl Serialize) -> io::Result<()> {
        self.marked(kind, payload, None::<&Mark>)
    }

    /// Writes a line with what is noted beside it.
    pub(super) fn marked(
        &mut self,
        kind: &str,
        payload: &impl Serialize,
        mark: Option<&impl Serialize>,
    ) -> io::Result<()> {
        #[derive(Serialize)]
        struct Line<'a, T, M> {
            timestamp: &'a str,
            r#type: &'a str,
            payload: &'a T,
            #[serde(skip_serializing_if = "Option::is_none")]
            converted_from: Option<&'a M>,
        }
        let line = Line { timestamp: &self.ts, r#type: kind, payload, converted_from: mark };
        self.out.put(&line)?;
        self.written.clone_from(&self.ts);
        Ok(())
    }

    pub(super) fn event(&mut self, payload: &impl Serialize) -> io::Result<()> {
        self.line("event_msg", payload)
    }

    fn item(&mut self, payload: &Value) -> io::Result<()> {
        self.marked_item(payload, None)
    }

    pub(super) fn marked_item(&mut self, payload: &Value, mark: Option<&Mark>) -> io::Result<()> {
        self.meter.bytes += text_bytes(payload);
        self.marked("response_item", &Quick(payload), mark)
    }

    fn meta(&mut self, conversation: &Conversation, steps: &[Step<'_>]) -> io::Result<()> {
        let header = &conversation.header;
        let version = header.harness_version.as_deref().filter(|_| self.same).unwrap_or("0.0.0");
        let git = &header.git;
        let git = [
            ("commit_hash", &git.commit),
            ("branch", &git.branch),
            ("repository_url", &git.remote),
        ];
        let git = git.into_iter().filter_map(|(key, value)| {
            value.as_ref().map(|value| (key.to_owned(), Value::from(value.as_str())))
        });
        let git: Map<String, Value> = git.collect();
        // No provider and no instructions: they would take the place of the user's own.
        let mut meta = json!({
            "id": self.target.id, "timestamp": self.ts, "cwd": self.target.cwd,
            "originator": "segue", "cli_version": version, "source": "cli",
            "converted_from": self.target.origin,
        });
        if !git.is_empty() {
            meta["git"] = git.into();
        }
        if let Some(spawned) = self.spawned {
            spawned.tell(&mut meta);
        }
        self.line("session_meta", &meta)?;
        if header.model.is_some() {
            self.losses.lose(LossKind::Model, "");
        }
        if let Some(title) = &header.title {
            self.title(title, steps)?;
        }
        if self.preview == Preview::Words {
            let title = header.title.as_deref().unwrap_or(NO_REQUEST);
            let mark = Mark::of_origin(Origin::Harness);
            self.marked("event_msg", &events::user_message(title), Some(&mark))?;
        }
        Ok(())
    }

    /// Writes the title, unless the first request gives the same. The newest clients show the
    /// request all the same: they keep names beside their sessions.
    fn title(&mut self, title: &str, steps: &[Step<'_>]) -> io::Result<()> {
        let groups = steps.iter().filter_map(|step| match step {
            Step::Group(group) => Some(group),
            Step::Compaction(..) => None,
        });
        let first = groups.flatten().find_map(|entry| match &entry.body {
            EntryBody::Said(message) if message.origin == Origin::Human => Some(message),
            _ => None,
        });
        let is_title = |words: Cow<'_, str>| title_of(&words).as_deref() == Some(title);
        // No list shows a side session.
        if self.spawned.is_none() && !first.is_some_and(|message| is_title(shown(message))) {
            self.losses.lose(LossKind::Title, "");
        }
        if first.is_some_and(|message| is_title(message.plain())) {
            return Ok(());
        }
        self.event(&events::named(&self.target.id, title))
    }

    pub(super) fn begin(&mut self) -> io::Result<()> {
        self.finish()?;
        self.turns += 1;
        let space = Uuid::parse_str(&self.target.id).unwrap_or(Uuid::NAMESPACE_OID);
        let id = Uuid::new_v5(&space, format!("turn {}", self.turns).as_bytes()).to_string();
        self.event(&events::task_started(&id))?;
        self.turn = Some(Turn { id, last: None, goes_on: false });
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        let Some(turn) = self.turn.take() else { return Ok(()) };
        let now = std::mem::replace(&mut self.ts, self.written.clone());
        self.event(&Quick(&events::task_complete(&turn.id, turn.last.as_deref())))?;
        self.ts = now;
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        for event in self.links.unnamed(&self.ts) {
            self.event(&event)?;
        }
        if let Some(count) = self.meter.end(self.same) {
            self.event(&count)?;
        }
        match self.turn.as_ref().is_some_and(|turn| turn.goes_on) {
            true => Ok(()),
            false => self.finish(),
        }
    }

    /// Writes all of one response, its results last.
    pub(super) fn group(&mut self, group: &[&Entry]) -> io::Result<()> {
        let mut results = Vec::new();
        for entry in group {
            self.ts.clone_from(&entry.ts);
            let is_of_turn = !matches!(entry.body, EntryBody::Said(_) | EntryBody::Usage(_));
            if is_of_turn && self.turn.is_none() {
                self.begin()?;
            }
            match &entry.body {
                EntryBody::Said(message) => self.said(message, &entry.id)?,
                EntryBody::Answer(message) => self.answer(message, &entry.id)?,
                EntryBody::Reasoning(reasoning) => self.reasoning(reasoning)?,
                EntryBody::Summary(text) => self.item(&items::summary(&text.plain()).0)?,
                EntryBody::Exchange(exchange) => {
                    let call = self.call(exchange, &entry.id);
                    self.marked_item(&call.item, self.begun(exchange).as_ref())?;
                    results.push((exchange, call));
                }
                EntryBody::Usage(usage) => match self.meter.count(usage) {
                    Some(count) => self.event(&count)?,
                    None => self.losses.lose_many(LossKind::Usage, entry.items, &entry.id),
                },
                EntryBody::Notice { kind, .. } if kind == "interrupted" => self.stopped()?,
                EntryBody::Notice { .. } | EntryBody::Boundary(_) => {
                    self.losses.lose_many(LossKind::Notice, entry.items, &entry.id);
                }
            }
        }
        for (exchange, call) in results {
            self.result(exchange, &call)?;
            self.link(exchange)?;
        }
        Ok(())
    }

    /// Returns what is noted beside a call: in which folder it began. Those of a script stand in its text.
    fn begun(&self, exchange: &Exchange) -> Option<Mark> {
        let mut mark = Mark::begun(None, exchange, self.target, self.header)?;
        let is_script = self.same && exchange.call.name == "exec";
        // Its text stays as it is, however often the session moves.
        let home = exchange.call.home.as_deref().or(self.header.cwd.as_deref());
        let home = home.filter(|home| is_script && *home != self.target.cwd);
        mark.home = home.map(str::to_owned);
        Some(mark)
    }

    /// Names the side sessions that a call began, where its result does not.
    pub(super) fn link(&mut self, exchange: &Exchange) -> io::Result<()> {
        for event in self.links.begun(exchange, &self.ts) {
            self.event(&event)?;
        }
        Ok(())
    }

    fn answer(&mut self, message: &Message<'_>, id: &str) -> io::Result<()> {
        let (text, phase) = (message.plain(), items::phase(message, self.has_phases));
        if !text.trim().is_empty() {
            self.event(&Quick(&events::agent_message(&text, phase)))?;
            if let Some(turn) = &mut self.turn {
                turn.last = Some(text.into_owned());
                turn.goes_on = message.interim;
            }
        }
        let item = items::answer(message, self.same, phase, id, &mut self.losses);
        self.item(&item)
    }

    fn reasoning(&mut self, reasoning: &Reasoning<'_>) -> io::Result<()> {
        let item = items::reasoning(reasoning);
        for text in items::thoughts(reasoning, item.as_ref()) {
            self.event(&Quick(&events::agent_reasoning(&text)))?;
        }
        item.map_or(Ok(()), |item| self.item(&item))
    }

    pub(super) fn call(&mut self, exchange: &Exchange, id: &str) -> tools::Call {
        let mut call = if self.same { tools::own(exchange) } else { tools::foreign(exchange) };
        if call.mapped {
            self.losses.lose(LossKind::ToolMapped, id);
        }
        self.losses.lose_many(LossKind::Arguments, call.is_less.into(), id);
        if exchange.call.kind == ToolKind::Agent {
            self.links.rename(&mut call.item);
        }
        call
    }

    fn result(&mut self, exchange: &Exchange, call: &tools::Call) -> io::Result<()> {
        self.ts.clone_from(&exchange.result_ts);
        let mark = self.mark_of(exchange, &call.name);
        match self.verbatim(exchange, call) {
            Some(item) => {
                self.meter.bytes += item.stored_bytes();
                self.marked("response_item", &item, mark.as_ref())?;
            }
            None => match self.output(exchange, call) {
                Some(item) => self.marked_item(&item, mark.as_ref())?,
                None => return Ok(()),
            },
        }
        let is_own = self.same && exchange.result_id.is_some();
        if is_own && output::is_untold(exchange) {
            let turn = self.turn.as_ref().map(|turn| turn.id.clone()).unwrap_or_default();
            self.event(&events::ended(exchange, &call.name, &turn))?;
        }
        Ok(())
    }

    /// Returns the item of a result that is one text as it stands in the source, as most are.
    fn verbatim<'e>(&self, exchange: &'e Exchange, call: &tools::Call) -> Option<Verbatim<'e>> {
        let kind = call.output.filter(|kind| *kind != "tool_search_output")?;
        if exchange.call.kind == ToolKind::Agent {
            return None;
        }
        let output = output::verbatim(exchange, &call.name, self.same)?;
        Some(Verbatim { r#type: kind, call_id: &exchange.call.call_id, output })
    }

    /// Returns what is noted beside a result: what another harness recorded, and what was put before it.
    pub(super) fn mark_of(&self, exchange: &Exchange, name: &str) -> Option<Mark> {
        let mut mark = Mark::of_result(exchange, self.same && self.header.converted_from.is_none());
        if let Some(head) = output::head(exchange, name, self.same) {
            mark.get_or_insert_default().head = Some(head.len());
        }
        mark
    }

    /// Makes the item of a result; nothing where the call is all there is.
    pub(super) fn output(&mut self, exchange: &Exchange, call: &tools::Call) -> Option<Value> {
        let kind = call.output?;
        if kind == "tool_search_output" {
            return Some(tools::found(exchange));
        }
        let mut output = output::output(exchange, &call.name, self.same, &mut self.losses);
        if exchange.call.kind == ToolKind::Agent {
            self.links.rename(&mut output);
        }
        let item = json!({ "type": kind, "call_id": exchange.call.call_id });
        Some(items::with(item, "output", output))
    }
}

/// How many bytes of an item are text that the model reads; pictures are not.
pub(super) fn text_bytes(item: &Value) -> u64 {
    match item {
        Value::String(text) if text.starts_with("data:") => 0,
        Value::String(text) => text.len() as u64,
        Value::Array(list) => list.iter().map(text_bytes).sum(),
        Value::Object(fields) => fields.values().map(text_bytes).sum(),
        _ => 0,
    }
}
