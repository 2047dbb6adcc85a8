//! Side sessions: each is a session of its own in the same folder, which names the one that began it.

use std::collections::HashMap;
use std::io;

use jiff::Timestamp;
use serde_json::{Value, json};

use super::{events, rollout};
use crate::harness::write::side_id;
use crate::harness::{Above, SideFile, Target};
use crate::model::{Conversation, Exchange, Side, plain};

/// The shortest id that is taken for one wherever it stands.
const MIN_ID_CHARS: usize = 32;

/// What a side session's file says of what began it.
pub(super) struct Spawned<'a> {
    above: &'a Above<'a>,
    role: Option<&'a str>,
}

impl Spawned<'_> {
    /// Adds it to what the file says of itself.
    pub(super) fn tell(&self, meta: &mut Value) {
        let Above { target, main, depth, .. } = self.above;
        let spawn = json!({
            "parent_thread_id": target.id, "depth": depth, "agent_path": null,
            "agent_nickname": null, "agent_role": self.role,
        });
        meta["session_id"] = main.id.as_str().into();
        meta["parent_thread_id"] = target.id.as_str().into();
        meta["source"] = json!({ "subagent": { "thread_spawn": spawn } });
        meta["thread_source"] = "subagent".into();
        if let Some(role) = self.role {
            meta["agent_role"] = role.into();
        }
    }
}

/// Writes a side session.
pub(super) fn write(side: &Side, above: &Above<'_>) -> io::Result<SideFile> {
    let target = above.target_of(side);
    let mut conversation = side.conversation.clone();
    conversation.header.title.clone_from(&side.title);
    let spawned = Spawned { above, role: side.agent.as_deref() };
    let mut text = Vec::new();
    let losses = rollout::write(&conversation, &target, Some(&spawned), &mut text)?;
    let name = rollout::name(&rollout::started_at(&conversation, &target), &target);
    Ok(SideFile { path: above.file.with_file_name(name), text, beside: None, losses })
}

/// The side sessions of what is being written.
pub(super) struct Links<'c> {
    /// By the call that began them.
    by_call: HashMap<Option<&'c str>, Vec<Link<'c>>>,
    /// Whether the harness itself recorded what is written.
    same: bool,
}

struct Link<'c> {
    side: &'c Side,
    /// Its id as it is written.
    id: String,
}

impl<'c> Links<'c> {
    pub(super) fn new(conversation: &'c Conversation, target: &Target, same: bool) -> Self {
        let mut by_call = HashMap::<_, Vec<_>>::new();
        for side in &conversation.sides {
            let links = by_call.entry(side.call_id.as_deref()).or_default();
            links.push(Link { side, id: side_id(target, side) });
        }
        Self { by_call, same }
    }

    /// Returns what tells of the side sessions that no call is known of.
    pub(super) fn unnamed(&self, ts: &str) -> Vec<Value> {
        let links = self.by_call.get(&None).into_iter().flatten();
        links.map(|link| link.event("", ts)).collect()
    }

    /// Returns what tells of the side sessions that a call began, but for one that its result names.
    pub(super) fn begun(&self, exchange: &Exchange, ts: &str) -> Vec<Value> {
        let call = exchange.call.call_id.as_ref();
        let links = self.by_call.get(&Some(call)).into_iter().flatten();
        let untold = links.filter(|link| !(self.same && names(exchange, link.side)));
        untold.map(|link| link.event(call, ts)).collect()
    }

    /// Puts the new ids of side sessions in place of the old ones: the model sends them messages by
    /// these.
    pub(super) fn rename(&self, item: &mut Value) {
        for link in self.by_call.values().flatten().filter(|_| self.same) {
            if link.side.id.len() >= MIN_ID_CHARS {
                replace(item, &link.side.id, &link.id);
            }
        }
    }
}

impl Link<'_> {
    fn event(&self, call: &str, ts: &str) -> Value {
        let at_ms = ts.parse::<Timestamp>().map_or(0, Timestamp::as_millisecond);
        let path = path(self.side.agent.as_deref().unwrap_or_default());
        events::agent_started(call, &self.id, &path, at_ms)
    }
}

/// Tells whether a call is the harness's own and its result names `side`.
fn names(exchange: &Exchange, side: &Side) -> bool {
    exchange.call.name == "spawn_agent" && {
        let text = plain(&exchange.result.output);
        let value: Value = serde_json::from_str(&text).unwrap_or_default();
        side.id.len() >= MIN_ID_CHARS && value["agent_id"] == side.id.as_str()
    }
}

fn replace(value: &mut Value, old: &str, new: &str) {
    match value {
        Value::String(text) if text.contains(old) => *text = text.replace(old, new),
        Value::Array(list) => list.iter_mut().for_each(|value| replace(value, old, new)),
        Value::Object(fields) => fields.values_mut().for_each(|value| replace(value, old, new)),
        _ => {}
    }
}

/// Names an agent as the harness does: below the root, in small letters.
fn path(agent: &str) -> String {
    let sign =
        |sign: char| if sign.is_ascii_alphanumeric() { sign.to_ascii_lowercase() } else { '_' };
    let name: String = agent.chars().take(64).map(sign).collect();
    format!("/root/{}", if name.is_empty() { "agent" } else { &name })
}
