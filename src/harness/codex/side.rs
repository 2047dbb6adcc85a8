//! Sub-agents: each has a file of its own, beside the session's.

use camino::{Utf8Path, Utf8PathBuf};
use serde_json::Value;
use serde_json::value::RawValue;

use super::chain;
use super::read::{At, Reader, refuse_empty};
use super::row::Scan;
use super::scan;
use crate::error::Result;
use crate::harness::{Sink, Want};
use crate::json;
use crate::jsonl::Input;
use crate::model::{Body, Part, SideSession};
use crate::note::Notes;

/// How many agents are followed, agents of agents included.
const MAX_AGENTS: usize = 1000;

/// An agent whose file was found.
#[derive(Clone, Debug)]
pub(super) struct Spawned {
    id: String,
    path: Utf8PathBuf,
    turn: u32,
}

/// Remembers what an agent is to do.
pub(super) fn expect(reader: &mut Reader<'_>, call_id: &str, name: &str, arguments: &RawValue) {
    if name != "spawn_agent" {
        return;
    }
    let value: Value = json::from_str(arguments.get()).unwrap_or_default();
    let text = |key: &str| value[key].as_str().filter(|text| !text.is_empty()).map(str::to_owned);
    let task = text("message").or_else(|| text("prompt")).or_else(|| text("task_name"));
    reader.tasks.insert(call_id.to_owned(), (text("agent_type"), task));
}

/// Looks whether a result names the agent that the call began.
pub(super) fn after(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    call_id: &str,
    output: &[Part<'_>],
) -> Result<()> {
    if !reader.tasks.contains_key(call_id) {
        return Ok(());
    }
    let value: Value = json::from_str(&super::text::plain(output)).unwrap_or_default();
    match value["agent_id"].as_str() {
        Some(agent) => begin(reader, at, agent, call_id, value["nickname"].as_str()),
        None => Ok(()),
    }
}

/// Gives the marker of a sub-agent, once.
pub(super) fn begin(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    agent: &str,
    call_id: &str,
    name: Option<&str>,
) -> Result<()> {
    if agent.is_empty() || !reader.known_agents.insert(agent.to_owned()) {
        return Ok(());
    }
    let (sort, task) = reader.tasks.get(call_id).cloned().unwrap_or_default();
    let own = reader.scan.header.source.path.as_str();
    let found = Utf8Path::new(own).parent().filter(|_| own != "-");
    let found = found.and_then(|folder| {
        let folder = if folder.as_str().is_empty() { Utf8Path::new(".") } else { folder };
        chain::find_in(folder, agent)
    });
    let found = found.filter(|_| reader.spawned.len() < MAX_AGENTS);
    let scan = found.as_deref().and_then(scanned);
    let (lines, role, title) = scan
        .map_or((None, None, None), |scan| (Some(scan.lines), scan.agent_role, scan.header.title));
    let side = SideSession {
        id: agent.to_owned().into(),
        call_id: (!call_id.is_empty()).then(|| call_id.to_owned().into()),
        agent: sort.or(role).or(name.map(str::to_owned)).map(Into::into),
        title: task.or(title).map(Into::into),
        source: found.as_ref().filter(|_| lines.is_some()).map(ToString::to_string),
        lines,
    };
    let id = format!("{}/side", at.id);
    if let Some(path) = found.filter(|_| lines.is_some()) {
        let turn = reader.side.as_ref().map_or(at.turn, |(_, turn)| *turn);
        reader.spawned.push(Spawned { id: agent.to_owned(), path, turn });
    }
    reader.give(at, &id, Body::SideSession(side))
}

fn scanned(path: &Utf8Path) -> Option<Scan> {
    let input = Input::companion(path)?;
    let scan = scan::scan(&input).ok()?;
    refuse_empty(&scan, &input).ok().map(|()| scan)
}

/// Gives the items of the agents, and of the agents that these began.
pub(super) fn follow(
    spawned: &[Spawned],
    input: &Input,
    want: Want,
    sink: &mut dyn Sink,
) -> Result<()> {
    let mut waiting = spawned.to_vec();
    let mut done: Vec<Utf8PathBuf> = input.path().map(Utf8Path::to_owned).into_iter().collect();
    let mut at = 0;
    while at < waiting.len() && at < MAX_AGENTS && !want.live_only {
        let agent = waiting[at].clone();
        at += 1;
        if done.contains(&agent.path) {
            continue;
        }
        done.push(agent.path.clone());
        waiting.extend(one(&agent, want, sink)?);
    }
    Ok(())
}

fn one(agent: &Spawned, want: Want, sink: &mut dyn Sink) -> Result<Vec<Spawned>> {
    let Some(input) = Input::companion(&agent.path) else { return Ok(Vec::new()) };
    let scan = scan::scan(&input)?;
    let mut reader = Reader::new(&scan, want, sink);
    reader.prefix = format!("{}/", agent.id);
    reader.side = Some((agent.id.clone(), agent.turn));
    reader.skip_chain();
    reader.file(&input, &mut Notes::default())?;
    Ok(std::mem::take(&mut reader.spawned))
}
