//! ATIF, the interchange form of trajectories: steps of a user, an agent and the system.
//!
//! A step of the agent is one answer of the model with its calls and what came back. What the form
//! has no field for stands below `extra`: a compaction under `context_management`, the rest under
//! `segue`, by which it can be read back.

mod draft;
mod images;
mod steps;

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value, json};

pub use images::{Image, Images};

use super::Recorder;
use crate::model::{Body, Header, Item, Session, SideSession};
use crate::note::{Note, NoteKind, Notes};
use images::Pictures;
use steps::Steps;

/// How deep trajectories may stand in each other; deeper ones stand in the first.
const MOST_LEVELS: usize = 16;

/// A session as an ATIF document.
pub struct Atif {
    /// The document.
    pub root: Value,
    /// The images that it names, if they are to be files.
    pub images: Vec<Image>,
    notes: Notes,
}

impl Atif {
    /// Arranges a session that `recorder` wrote, as schema version `version` such as `1.7`.
    pub fn new(session: &Session, recorder: Recorder<'_>, version: &str, images: Images) -> Self {
        let mut builder = Builder {
            header: &session.header,
            recorder,
            version: format!("ATIF-v{version}"),
            lanes: Lanes::new(session),
            placed: HashSet::new(),
            pictures: Pictures::new(images),
            notes: Notes::default(),
        };
        let root = builder.root();
        Self { root, images: builder.pictures.taken, notes: builder.notes }
    }

    /// Returns what the form could not carry.
    pub fn notes(&self) -> Vec<Note> {
        self.notes.list()
    }
}

/// The items of the session and of each side session.
struct Lanes<'a> {
    main: Vec<&'a Item<'static>>,
    sides: HashMap<&'a str, Vec<&'a Item<'static>>>,
    /// In the order in which they begin.
    order: Vec<&'a str>,
    begun: HashMap<&'a str, &'a SideSession<'static>>,
    /// The side sessions that a call began.
    by_call: HashMap<&'a str, Vec<&'a str>>,
}

impl<'a> Lanes<'a> {
    fn new(session: &'a Session) -> Self {
        let (sides, begun, by_call) = (HashMap::new(), HashMap::new(), HashMap::new());
        let mut lanes = Self { main: Vec::new(), sides, order: Vec::new(), begun, by_call };
        for item in &session.items {
            if let Body::SideSession(side) = &item.body {
                lanes.begin(side);
                continue;
            }
            match item.side_session.as_deref().filter(|_| !session.header.is_side) {
                None => lanes.main.push(item),
                Some(id) => lanes.side(id).push(item),
            }
        }
        lanes
    }

    fn begin(&mut self, side: &'a SideSession<'static>) {
        self.begun.insert(&side.id, side);
        if let Some(call) = side.call_id.as_deref() {
            self.by_call.entry(call).or_default().push(&side.id);
        }
    }

    fn side(&mut self, id: &'a str) -> &mut Vec<&'a Item<'static>> {
        self.sides.entry(id).or_insert_with(|| {
            self.order.push(id);
            Vec::new()
        })
    }
}

struct Builder<'a> {
    header: &'a Header,
    recorder: Recorder<'a>,
    version: String,
    lanes: Lanes<'a>,
    /// The side sessions that stand somewhere already.
    placed: HashSet<&'a str>,
    pictures: Pictures,
    notes: Notes,
}

impl<'a> Builder<'a> {
    fn root(&mut self) -> Value {
        let mut root = self.named(&self.header.id);
        let items = std::mem::take(&mut self.lanes.main);
        let (steps, mut sides) = self.lane(&items, 0);
        // Those that no call is known for.
        for id in std::mem::take(&mut self.lanes.order) {
            sides.extend(self.side(id, 0));
        }
        let costs = steps.final_metrics();
        root.insert("steps".into(), steps.finish());
        root.insert("final_metrics".into(), costs);
        if !sides.is_empty() {
            root.insert("subagent_trajectories".into(), sides.into());
        }
        let header = self.header;
        root.insert("extra".into(), json!({ "segue": extra(header) }));
        Value::Object(root)
    }

    /// Returns the fields that every trajectory begins with.
    fn named(&self, id: &str) -> Map<String, Value> {
        let mut map = Map::new();
        map.insert("schema_version".into(), self.version.as_str().into());
        if !id.is_empty() {
            map.insert("session_id".into(), id.into());
            map.insert("trajectory_id".into(), id.into());
        }
        let mut agent = json!({
            "name": self.recorder.name,
            "version": self.header.harness_version.as_deref().unwrap_or("unknown"),
        });
        if let Some(model) = &self.header.model {
            agent["model_name"] = model.as_str().into();
        }
        map.insert("agent".into(), agent);
        map
    }

    /// Returns the steps of some items, and the trajectories that their calls began.
    fn lane(&mut self, items: &[&'a Item<'static>], level: usize) -> (Steps<'a>, Vec<Value>) {
        let mut steps = Steps::new(items, &mut self.pictures, &mut self.notes);
        let mut sides = Vec::new();
        for call in steps.calls() {
            for id in self.lanes.by_call.get(call).cloned().unwrap_or_default() {
                if level >= MOST_LEVELS {
                    continue;
                }
                if let Some(side) = self.side(id, level + 1) {
                    sides.push(side);
                    steps.refer(call, id);
                }
            }
        }
        (steps, sides)
    }

    /// Returns a side session, unless it stands somewhere already or nothing of it is here.
    fn side(&mut self, id: &'a str, level: usize) -> Option<Value> {
        if !self.placed.insert(id) {
            return None;
        }
        let begun = self.lanes.begun.get(id).copied();
        let Some(items) = self.lanes.sides.remove(id) else {
            self.notes.add(NoteKind::NotInForm, "side_session", 0);
            return None;
        };
        let (steps, sides) = self.lane(&items, level);
        let mut map = self.named(id);
        map.insert("steps".into(), steps.finish());
        if !sides.is_empty() {
            map.insert("subagent_trajectories".into(), sides.into());
        }
        if let Some(begun) = begun {
            let mut own = Map::new();
            put(&mut own, "agent", begun.agent.as_deref());
            put(&mut own, "title", begun.title.as_ref().map(|title| title.plain()).as_deref());
            put(&mut own, "call_id", begun.call_id.as_deref());
            map.insert("extra".into(), json!({ "segue": own }));
        }
        Some(Value::Object(map))
    }
}

/// Returns what the header says and the form has no field for.
fn extra(header: &Header) -> Value {
    let mut map = Map::new();
    put(&mut map, "cwd", header.cwd.as_deref());
    put(&mut map, "project", header.project.as_deref());
    put(&mut map, "branch", header.git.branch.as_deref());
    put(&mut map, "commit", header.git.commit.as_deref());
    put(&mut map, "remote", header.git.remote.as_deref());
    put(&mut map, "title", header.title.as_deref());
    put(&mut map, "started_at", header.started_at.as_deref());
    put(&mut map, "ended_at", header.ended_at.as_deref());
    put(&mut map, "parent", header.parent.as_deref());
    put(&mut map, "converted_from", header.converted_from.as_deref());
    Value::Object(map)
}

/// Adds a field if there is a value.
fn put(map: &mut Map<String, Value>, key: &str, value: Option<&str>) {
    if let Some(value) = value {
        map.insert(key.into(), value.into());
    }
}
