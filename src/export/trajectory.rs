//! The trajectory form, version 1: one flat list of what was said, asked and answered.
//!
//! It has no place for turns that were taken back, lists of work or costs. What is left out is noted.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet, VecDeque};

use serde::ser::{SerializeSeq as _, Serializer};
use serde::{Serialize, Serialize as _Serialize};

use super::{ROLLED_BACK, Recorder, content, times};
use crate::model::{
    Body, Compaction, Header, Item, Message, Origin, Session, Status, ToolCall, ToolResult,
};
use crate::note::{Note, NoteKind, Notes};

/// A session as a trajectory.
pub struct Trajectory<'a> {
    meta: Meta<'a>,
    records: Vec<Record<'a>>,
    notes: Notes,
}

#[derive(Serialize)]
struct Meta<'a> {
    role: &'static str,
    source: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cwd: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    git_branch: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'a str>,
}

#[derive(Serialize)]
struct Record<'a> {
    role: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<Cow<'a, str>>,
    content: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<Call<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ok: Option<bool>,
    timestamp: Cow<'a, str>,
}

#[derive(Serialize)]
struct Call<'a> {
    id: Cow<'a, str>,
    name: &'a str,
    args: &'a str,
}

impl _Serialize for Trajectory<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.records.len() + 1))?;
        list.serialize_element(&self.meta)?;
        self.records.iter().try_for_each(|record| list.serialize_element(record))?;
        list.end()
    }
}

impl<'a> Trajectory<'a> {
    /// Arranges a session that `recorder` wrote.
    pub fn new(session: &'a Session, recorder: Recorder<'a>) -> Self {
        let carriers = session.items.iter().filter_map(|item| match &item.body {
            Body::Compaction(compaction) => compaction.summary_id.as_deref(),
            _ => None,
        });
        let mut builder = Builder {
            recorder,
            is_side: session.header.is_side,
            carriers: carriers.collect(),
            rollbacks: super::rollbacks(session),
            calls: HashMap::new(),
            records: Vec::new(),
            times: Vec::new(),
            notes: Notes::default(),
        };
        session.items.iter().for_each(|item| builder.item(item));
        let Builder { mut records, mut notes, times, .. } = builder;
        let (filled, made_up) = times::filled(times, session.header.started_at.as_deref());
        for (record, time) in records.iter_mut().zip(filled) {
            record.timestamp = time;
        }
        (0..made_up).for_each(|_| notes.add(NoteKind::MadeUpTime, "", 0));
        Self { meta: Meta::new(&session.header, recorder), records, notes }
    }

    /// Returns what the form could not carry.
    pub fn notes(&self) -> Vec<Note> {
        self.notes.list()
    }
}

impl<'a> Meta<'a> {
    fn new(header: &'a Header, recorder: Recorder<'a>) -> Self {
        Self {
            role: "meta",
            // It must not be empty.
            source: if recorder.name.is_empty() { "unknown" } else { recorder.name },
            cwd: header.cwd.as_deref(),
            git_branch: header.git.branch.as_deref(),
            model: header.model.as_deref(),
        }
    }
}

/// The calls that were made under one id.
#[derive(Default)]
struct SameId<'a> {
    made: usize,
    /// Those that did not come back yet, the first one first.
    waiting: VecDeque<Cow<'a, str>>,
}

struct Builder<'a> {
    recorder: Recorder<'a>,
    is_side: bool,
    /// The messages that only carry a summary to the model.
    carriers: HashSet<&'a str>,
    rollbacks: HashSet<&'a str>,
    calls: HashMap<&'a str, SameId<'a>>,
    records: Vec<Record<'a>>,
    /// The time of each record, where its item has one.
    times: Vec<Option<Cow<'a, str>>>,
    notes: Notes,
}

impl<'a> Builder<'a> {
    fn item(&mut self, item: &'a Item<'static>) {
        let is_twice = matches!(item.dropped_by.as_deref(), Some("duplicate" | "superseded"));
        if item.copy_of.is_some() || is_twice {
            return;
        }
        if item.side_session.is_some() && !self.is_side {
            return self.leave_out("side_session", item);
        }
        // In one list what was taken back would read as if it had been said before what follows.
        if super::left(item, &self.rollbacks) == Some(ROLLED_BACK) {
            return self.leave_out(ROLLED_BACK, item);
        }
        match &item.body {
            Body::Message(message) => self.message(message, item),
            Body::Reasoning(reasoning) => self.said("reasoning", reasoning.text.plain(), item),
            Body::ToolCall(call) => self.call(call, item),
            Body::ToolResult(result) => self.result(result, item),
            Body::Compaction(compaction) => self.compaction(compaction, item),
            other => self.leave_out(other.type_name(), item),
        }
    }

    fn leave_out(&mut self, name: &str, item: &Item<'_>) {
        self.notes.add(NoteKind::NotInForm, name, item.line);
    }

    fn message(&mut self, message: &'a Message<'static>, item: &'a Item<'static>) {
        let role = match message.origin {
            Origin::Human => "user",
            Origin::Model => "assistant",
            Origin::Summary if self.carriers.contains(item.id.as_ref()) => return,
            Origin::Summary => "system",
            // Who began a side session stands where the user stands in others.
            Origin::Agent if self.is_side => "user",
            Origin::Agent => "observation",
            Origin::Harness | Origin::Command => return self.leave_out("harness_message", item),
        };
        let said = message.said.as_ref().map(|said| said.plain());
        self.said(role, said.unwrap_or_else(|| content::text(&message.parts)), item);
    }

    fn said(&mut self, role: &'static str, words: Cow<'a, str>, item: &'a Item<'static>) {
        if words.trim().is_empty() {
            return;
        }
        self.push(item, Record { content: Some(words), ..Record::of(role) });
    }

    fn call(&mut self, call: &'a ToolCall<'static>, item: &'a Item<'static>) {
        let same = self.calls.entry(&call.call_id).or_default();
        same.made += 1;
        let id: Cow<'a, str> = match (same.made, call.call_id.as_ref()) {
            (1, "") => "call".into(),
            (1, id) => id.into(),
            (number, id) => {
                self.notes.add(NoteKind::RenamedCall, "", item.line);
                format!("{id}__{number}").into()
            }
        };
        same.waiting.push_back(id.clone());
        let name = if call.name.is_empty() { "unknown" } else { &call.name };
        let tool_calls = vec![Call { id, name, args: call.arguments.get() }];
        self.push(item, Record { tool_calls, ..Record::of("assistant") });
    }

    fn result(&mut self, result: &'a ToolResult<'static>, item: &'a Item<'static>) {
        let Some(same) = self.calls.get_mut(result.call_id.as_ref()) else {
            return self.leave_out("orphan_result", item);
        };
        let Some(id) = same.waiting.pop_front() else {
            return self.leave_out("second_result", item);
        };
        let ok = match result.status {
            Status::Ok => {
                (self.recorder.says_success || result.exit_code == Some(0)).then_some(true)
            }
            Status::Error | Status::Interrupted => Some(false),
        };
        if result.persisted.is_some() {
            self.notes.add(NoteKind::NotInForm, "persisted_output", item.line);
        }
        let content = Some(content::text(&result.output));
        self.push(item, Record { tool_call_id: Some(id), content, ok, ..Record::of("tool") });
    }

    fn compaction(&mut self, compaction: &'a Compaction<'static>, item: &'a Item<'static>) {
        let summary = compaction.summary.as_ref().filter(|_| compaction.readable);
        let words = summary.map_or(Cow::Borrowed(super::NO_SUMMARY), |summary| summary.plain());
        self.said("system", words, item);
    }

    fn push(&mut self, item: &'a Item<'static>, record: Record<'a>) {
        self.records.push(record);
        self.times.push(item.ts.as_deref().and_then(times::normal));
    }
}

impl Record<'_> {
    fn of(role: &'static str) -> Self {
        Self {
            role,
            tool_call_id: None,
            content: None,
            tool_calls: Vec::new(),
            ok: None,
            timestamp: Cow::Borrowed(""),
        }
    }
}
