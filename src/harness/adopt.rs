//! Calls of tools that a harness does not have: a session that was taken over keeps those of the
//! program that it comes from.

use super::{ALL, Harness, Sink};
use crate::error::Result;
use crate::model::{Action, Body, Header, Item, ToolCall, ToolKind};

/// Passes items on, and says of foreign calls what they are for.
pub(super) struct Adopt<'s> {
    sink: &'s mut dyn Sink,
    own: &'static str,
    actions: bool,
}

impl<'s> Adopt<'s> {
    /// Passes on to `sink` what the harness called `own` reads; `actions` says what calls mean.
    pub(super) fn new(own: &'static str, actions: bool, sink: &'s mut dyn Sink) -> Self {
        Self { sink, own, actions }
    }

    fn adopt(&self, call: &mut ToolCall<'_>) {
        let others = ALL.iter().filter(|harness| harness.name() != self.own);
        for harness in others {
            let kind = harness.tool_kind(&call.name, &call.arguments);
            if kind != ToolKind::Other {
                call.kind = kind;
                let action =
                    self.actions.then(|| harness.action(&call.name, kind, &call.arguments));
                call.set_action(action.flatten());
                return;
            }
        }
    }
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
        if let Body::ToolCall(call) = &mut item.body
            && call.kind == ToolKind::Other
        {
            self.adopt(call);
        }
        self.sink.item(item)
    }

    fn next(&mut self) -> Option<&mut dyn Sink> {
        Some(self.sink)
    }
}
