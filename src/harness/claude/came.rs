//! What came back from calls, and what that tells besides.

use serde_json::value::RawValue;

use super::open::{Early, Open};
use super::piece::pieces;
use super::read::{Place, Reader};
use super::wire::{Block, Line, ToolUseResult};
use super::{beside, result};
use crate::error::Result;
use crate::harness::mark::Mark;
use crate::jsonl;
use crate::model::{Body, Part, Persisted, Plan, Status, ToolKind};
use crate::note::Notes;

/// How much of what stands beside a result is kept until its call comes.
const MOST_EARLY_BYTES: usize = 64 * 1024;

impl Reader<'_> {
    pub(super) fn result<'a>(
        &mut self,
        line: &Line<'a>,
        place: &Place<'a>,
        block: &Block<'a>,
        count: &mut usize,
        notes: &mut Notes,
    ) -> Result<()> {
        let mark = Mark::read(line.converted_from);
        if mark.as_ref().is_some_and(|mark| mark.no_result) {
            return Ok(());
        }
        let parts = pieces(block.content);
        let parts = parts.iter().filter_map(|piece| self.part(piece, place, notes)).collect();
        let call_id = block.tool_use_id.text();
        let kind = self.open.kind(call_id);
        // The same line comes again, and it is that one which counts.
        let is_copy = self.is_duplicate(place.node, place.index);
        let open = if is_copy { None } else { self.open.end(call_id) };
        let is_early = open.is_none() && !is_copy;
        let more = result::own_form(line.tool_result, kind);
        let mut result = result::result(block, line.tool_result, &more, kind, parts);
        if let Some(mark) = mark {
            mark.tell(&mut result);
        }
        if let Some(name) = result::persisted_name(&result.output, &more) {
            let whole = beside::tool_output(self.input, &name, place.number, notes);
            let found = whole.or_else(|| result::kept(&result.output, &more));
            result.persisted = found.map(|(bytes, text)| Persisted { name, bytes, text });
        }
        if is_early {
            let start = (result.status == Status::Ok).then(|| first_start(&result.output));
            let own = line.tool_result.filter(|own| own.get().len() <= MOST_EARLY_BYTES);
            let own = own.map(ToOwned::to_owned);
            self.open.came_early(call_id, Early { line: place.number, start, own });
        }
        self.link_agent(line.tool_result, call_id, open.as_ref());
        let (status, call_id) = (result.status, result.call_id.clone().into_owned());
        let pending = open.and_then(|open| open.pending).filter(|_| status == Status::Ok);
        let plan = pending.and_then(|pending| {
            self.plans.apply(pending, line.tool_result, &first_start(&result.output))
        });
        self.give(line, place, count, Body::ToolResult(result))?;
        plan.map_or(Ok(()), |plan| self.set_plan(line, place, call_id, plan))
    }

    /// Gives the list of work that a call set.
    pub(super) fn set_plan<'a>(
        &mut self,
        line: &Line<'a>,
        place: &Place<'a>,
        call_id: String,
        mut plan: Plan<'static>,
    ) -> Result<()> {
        if self.side.is_some() {
            return Ok(());
        }
        plan.call_id = Some(call_id.into());
        let item = self.item(line, place, format!("{}/plan", place.id).into(), Body::Plan(plan));
        self.sink.item(item)
    }

    /// Does for a call what its result would have done if that had not come before it.
    pub(super) fn catch_up(&mut self, id: &str, open: &mut Open) {
        let Some(early) = self.open.early(id) else { return };
        let (Some(start), own) = (early.start, early.own.as_deref()) else { return };
        self.link_agent(own, id, Some(open));
        let plan = open.pending.take().and_then(|pending| self.plans.apply(pending, own, &start));
        self.caught_up = plan.map(|plan| (id.to_owned(), plan));
    }

    /// Remembers which call began a side session.
    pub(super) fn link_agent(
        &mut self,
        own: Option<&RawValue>,
        call_id: &str,
        open: Option<&Open>,
    ) {
        let Some(open) = open.filter(|open| open.kind == ToolKind::Agent) else { return };
        let more: ToolUseResult<'_> = jsonl::shaped(own).unwrap_or_default();
        if let Some(agent) = more.agent_id.filled() {
            self.agents.insert(agent.to_owned(), (call_id.to_owned(), open.turn));
        }
    }
}

pub(super) fn first_start(parts: &[Part<'_>]) -> String {
    let text = parts.iter().find_map(Part::as_text);
    text.map(|text| text.start(300).into_owned()).unwrap_or_default()
}
