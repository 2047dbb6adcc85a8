//! A document with the trajectories inside of it, as one list of items.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::head;
use super::part::Reading;
use super::step::{Lane, Place, time_of};
use crate::harness::{Harness, Want, by_name};
use crate::jsonl::Input;
use crate::model::{Body, Item, SideSession, Text};
use crate::note::{Notes, Tally};

/// What this program put below `extra`.
pub(super) fn own(value: &Value) -> &Value {
    &value["extra"]["segue"]
}

/// All items of a document.
pub(super) struct Tree<'a> {
    pub(super) items: Vec<Item<'a>>,
    pub(super) tally: Tally,
    pub(super) notes: Notes,
    pub(super) seen: HashSet<String>,
    pub(super) reading: Reading<'a>,
    pub(super) want: Want,
    pub(super) recorder: Option<&'static dyn Harness>,
}

impl<'a> Tree<'a> {
    pub(super) fn read(root: &'a Value, input: &'a Input, want: Want) -> Self {
        let folder = input.path().and_then(|path| path.parent());
        let mut tree = Self {
            items: Vec::new(),
            tally: Tally::default(),
            notes: Notes::default(),
            seen: HashSet::new(),
            reading: Reading { folder, blobs: want.blobs },
            want,
            recorder: by_name(head::recorder(root)),
        };
        let calls = tree.lane(root, None);
        tree.sides(root, &calls);
        tree
    }

    /// Reads the steps of one trajectory; returns the turn of each call.
    fn lane(
        &mut self,
        trajectory: &'a Value,
        side: Option<(&'a str, u32)>,
    ) -> HashMap<&'a str, u32> {
        let model = trajectory["agent"]["model_name"].as_str();
        let mut lane = Lane::new(side, model);
        for step in trajectory["steps"].as_array().into_iter().flatten() {
            let line = self.tally.lines_read + 1;
            let fate = lane.step(self, step, Place { line });
            self.tally.count(fate);
        }
        lane.turns()
    }

    /// Reads the trajectories inside of one. How deep they stand was bounded when it was parsed.
    fn sides(&mut self, parent: &'a Value, calls: &HashMap<&'a str, u32>) {
        let began = began(parent);
        for side in parent["subagent_trajectories"].as_array().into_iter().flatten() {
            let id = side["trajectory_id"].as_str().or(side["session_id"].as_str());
            let id = id.unwrap_or("side");
            let call = began.get(id).copied().or(own(side)["call_id"].as_str());
            let turn = call.and_then(|call| calls.get(call)).copied().unwrap_or(0);
            let named = side["agent"]["name"].as_str().filter(|_| own(side).is_null());
            let agent = own(side)["agent"].as_str().or(named);
            let body = Body::SideSession(SideSession {
                id: id.into(),
                call_id: call.map(Into::into),
                agent: agent.map(Into::into),
                title: own(side)["title"].as_str().map(Text::from),
                source: None,
                lines: None,
            });
            let line = self.tally.lines_read + 1;
            let mut item = Item::new(self.unique(&format!("{id}/side")), line, turn, body);
            item.side_session = Some(id.into());
            let began = side["steps"][0]["timestamp"].as_str();
            item.ts = began.and_then(time_of);
            self.items.push(item.dropped("side_session"));
            let inner = self.lane(side, Some((id, turn)));
            self.sides(side, &inner);
        }
    }

    /// Returns `id`, with a number behind it if another item has it.
    pub(super) fn unique(&mut self, id: &str) -> String {
        let mut unique = id.to_owned();
        let mut number = 1;
        while !self.seen.insert(unique.clone()) {
            // Many of one name are told apart by their place, not by counting up each time.
            number = if number < 3 { number + 1 } else { self.items.len() + number };
            unique = format!("{id}~{number}");
        }
        unique
    }
}

/// Returns the call that began each embedded trajectory.
fn began(parent: &Value) -> HashMap<&str, &str> {
    let steps = parent["steps"].as_array().into_iter().flatten();
    let results = steps.filter_map(|step| step["observation"]["results"].as_array()).flatten();
    let refs = results.filter_map(|result| {
        Some((result["source_call_id"].as_str()?, result["subagent_trajectory_ref"].as_array()?))
    });
    let each = refs.flat_map(|(call, refs)| {
        refs.iter().filter_map(move |to| Some((to["trajectory_id"].as_str()?, call)))
    });
    each.collect()
}
