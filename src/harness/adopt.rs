//! Calls of tools that a harness does not have: a session that was taken over keeps those of the
//! program that it comes from.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::value::RawValue;

use super::{ALL, Harness, Sink, mcp};
use crate::error::Result;
use crate::model::{
    Action, Body, Header, Item, Plan, Status, ToolCall, ToolKind, ToolResult, plain,
};

/// Follows the list of work of a session through the calls that set it.
pub trait Lists {
    /// Returns the list as it is after a call that worked, if that changed it; `result` is what the
    /// tool said.
    fn set(&mut self, name: &str, arguments: &RawValue, result: &str) -> Option<Plan<'static>>;
}

/// A call of a tool for lists of work that waits for its result.
struct Open {
    of: &'static dyn Harness,
    name: String,
    arguments: Box<RawValue>,
}

/// Passes items on, says of foreign calls what they are for, and adds the lists of work that they set.
pub(super) struct Adopt<'s> {
    sink: &'s mut dyn Sink,
    own: &'static str,
    actions: bool,
    /// The calls that may set a list, by their ids.
    open: HashMap<String, Open>,
    /// The lists by the harness whose tools they are.
    lists: BTreeMap<&'static str, Box<dyn Lists>>,
    /// The calls that have a server run a command line, by their ids.
    shells: HashSet<String>,
}

impl<'s> Adopt<'s> {
    /// Passes on to `sink` what the harness called `own` reads; `actions` says what calls mean.
    pub(super) fn new(own: &'static str, actions: bool, sink: &'s mut dyn Sink) -> Self {
        let (open, lists) = (HashMap::new(), BTreeMap::new());
        Self { sink, own, actions, open, lists, shells: HashSet::new() }
    }

    fn adopt(&mut self, call: &mut ToolCall<'_>, is_own: bool) {
        let others = ALL.iter().copied().filter(|harness| harness.name() != self.own);
        for harness in others {
            let kind = harness.tool_kind(&call.name, &call.arguments);
            if kind == ToolKind::Other {
                continue;
            }
            call.kind = kind;
            let action = self.actions.then(|| harness.action(&call.name, kind, &call.arguments));
            call.set_action(action.flatten());
            if kind == ToolKind::Plan && is_own {
                let (name, arguments) = (call.name.to_string(), call.arguments.as_ref().to_owned());
                self.open.insert(call.call_id.to_string(), Open { of: harness, name, arguments });
            }
            return;
        }
    }

    /// Returns the list of work that a call set, now that it is known to have worked.
    fn listed(&mut self, result: &ToolResult<'_>) -> Option<Plan<'static>> {
        let Open { of, name, arguments } = self.open.remove(result.call_id.as_ref())?;
        if result.status != Status::Ok {
            return None;
        }
        if !self.lists.contains_key(of.name()) {
            self.lists.insert(of.name(), of.lists()?);
        }
        let mut plan =
            self.lists.get_mut(of.name())?.set(&name, &arguments, &plain(&result.output))?;
        plan.call_id = Some(result.call_id.to_string().into());
        Some(plan)
    }
}

/// Returns the item of a list of work that stands behind the result of the call that set it.
fn behind(result: &Item<'_>, plan: Plan<'static>) -> Item<'static> {
    let id = format!("{}/plan", result.id);
    let mut item = Item::new(id, result.line, result.turn, Body::Plan(plan));
    let owned = |text: Option<&str>| text.map(|text| text.to_owned().into());
    item.parent_id = owned(result.parent_id.as_deref());
    item.ts = owned(result.ts.as_deref());
    (item.live, item.dropped_by) = (result.live, owned(result.dropped_by.as_deref()));
    item.rank = result.rank;
    item
}

/// Says what a call means in a session that `own` recorded, whichever program has the tool.
pub fn action(own: Option<&'static dyn Harness>, call: &ToolCall<'_>) -> Option<Action> {
    let knows = |harness: &&'static dyn Harness| {
        harness.tool_kind(&call.name, &call.arguments) != ToolKind::Other
    };
    let others = || ALL.iter().copied().find(knows);
    let means = own.filter(knows).or_else(others).or(own)?;
    means.action(&call.name, call.kind, &call.arguments)
}

impl Sink for Adopt<'_> {
    fn header(&mut self, header: &Header) -> Result<()> {
        self.sink.header(header)
    }

    fn item(&mut self, mut item: Item<'_>) -> Result<()> {
        let is_own = item.side_session.is_none() && item.copy_of.is_none();
        let plan = match &mut item.body {
            Body::ToolCall(call) if call.kind == ToolKind::Other => {
                if mcp::runs_command(&call.name, &call.arguments) {
                    self.shells.insert(call.call_id.to_string());
                }
                self.adopt(call, is_own);
                None
            }
            Body::ToolResult(result) => {
                if self.shells.remove(result.call_id.as_ref()) {
                    mcp::end(result);
                }
                if is_own { self.listed(result) } else { None }
            }
            _ => None,
        };
        let plan = plan.map(|plan| behind(&item, plan));
        self.sink.item(item)?;
        plan.map_or(Ok(()), |plan| self.sink.item(plan))
    }

    fn next(&mut self) -> Option<&mut dyn Sink> {
        Some(self.sink)
    }
}
