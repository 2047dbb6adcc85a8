//! Items to steps.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value, json};

use super::draft::Draft;
use super::images::Pictures;
use super::put;
use crate::export::NO_SUMMARY;
use crate::model::{Body, Compaction, Item, Message, Origin, Part, Plan, Role, ToolResult, Usage};
use crate::note::{NoteKind, Notes};

/// The steps of one trajectory.
pub(super) struct Steps<'a> {
    drafts: Vec<Draft<'a>>,
    /// The step of each call; of one that was made twice, the last.
    of_call: HashMap<&'a str, usize>,
    /// The calls in their order.
    calls: Vec<&'a str>,
    /// What the whole session cost, where the harness counts that.
    total: Option<&'a Usage<'static>>,
    finished: Vec<Value>,
}

impl<'a> Steps<'a> {
    pub(super) fn new(
        items: &[&'a Item<'static>],
        pictures: &mut Pictures,
        notes: &mut Notes,
    ) -> Self {
        let carriers: HashSet<&str> = items.iter().filter_map(|item| carrier(item)).collect();
        let (of_call, calls) = (HashMap::new(), Vec::new());
        let mut steps =
            Self { drafts: Vec::new(), of_call, calls, total: None, finished: Vec::new() };
        for item in items {
            let is_carrier = is_summary(item)
                && (carriers.contains(item.id.as_ref())
                    || item.copy_of.as_deref().is_some_and(|id| carriers.contains(id)));
            let is_twice = matches!(item.dropped_by.as_deref(), Some("duplicate" | "superseded"));
            if !is_carrier && !is_twice {
                steps.item(item, pictures, notes);
            }
        }
        steps.link_compactions();
        let drafts = std::mem::take(&mut steps.drafts).into_iter();
        let numbered = drafts.zip(1..);
        steps.finished =
            numbered.map(|(draft, number)| draft.finish(number, pictures, notes)).collect();
        steps
    }

    /// Returns the calls in their order.
    pub(super) fn calls(&self) -> Vec<&'a str> {
        self.calls.clone()
    }

    /// Adds to the result of a call, or in its place, which trajectory it began.
    pub(super) fn refer(&mut self, call: &str, side: &str) {
        let Some(step) = self.of_call.get(call).and_then(|at| self.finished.get_mut(*at)) else {
            return;
        };
        let results = &mut step["observation"]["results"];
        if !results.is_array() {
            *results = json!([]);
        }
        let Some(list) = results.as_array_mut() else { return };
        let place = list.iter().position(|result| result["source_call_id"] == call);
        let place = place.unwrap_or_else(|| {
            list.push(json!({ "source_call_id": call }));
            list.len() - 1
        });
        let refs = &mut list[place]["subagent_trajectory_ref"];
        if !refs.is_array() {
            *refs = json!([]);
        }
        if let Some(refs) = refs.as_array_mut() {
            refs.push(json!({ "trajectory_id": side, "session_id": side }));
        }
    }

    pub(super) fn finish(self) -> Value {
        self.finished.into()
    }

    /// Returns what the whole trajectory cost.
    pub(super) fn final_metrics(&self) -> Value {
        let sum = |key: &str| -> u64 {
            let counts = self.finished.iter().filter_map(|step| step["metrics"][key].as_u64());
            counts.fold(0, u64::saturating_add)
        };
        let total = |counted: Option<u64>, key| counted.unwrap_or_else(|| sum(key));
        let whole = |read: fn(&Usage<'_>) -> Option<u64>| self.total.and_then(|usage| read(usage));
        json!({
            "total_prompt_tokens": total(whole(|usage| usage.input_tokens), "prompt_tokens"),
            "total_completion_tokens": total(whole(|usage| usage.output_tokens), "completion_tokens"),
            "total_cached_tokens": total(whole(|usage| usage.cached_tokens), "cached_tokens"),
            "total_steps": self.finished.len(),
        })
    }

    fn item(&mut self, item: &'a Item<'static>, pictures: &mut Pictures, notes: &mut Notes) {
        match &item.body {
            Body::Message(message) if message.role == Role::Assistant => self.answer(message, item),
            Body::Message(message) => self.message(message, item),
            Body::Reasoning(reasoning) => {
                let words = reasoning.text.plain();
                if !words.trim().is_empty() {
                    let id = reasoning.message_id.as_deref();
                    self.agent(item, id, false).reasoning.push(words.into_owned());
                }
            }
            Body::ToolCall(call) => {
                self.agent(item, call.message_id.as_deref(), false).calls.push(call);
                self.of_call.insert(&call.call_id, self.drafts.len() - 1);
                self.calls.push(&call.call_id);
            }
            Body::ToolResult(result) => self.result(result, item, pictures, notes),
            Body::Plan(plan) => self.plan(plan, item, notes),
            Body::Compaction(compaction) => self.compaction(compaction, item),
            Body::Usage(usage) => self.usage(usage, item, notes),
            Body::Notice { kind, text } => {
                let mut draft = Draft::new("system", item);
                let words = text.as_ref().map(|text| text.plain().into_owned());
                draft.words = Some(words.unwrap_or_default());
                draft.own.insert("notice".into(), kind.as_ref().into());
                self.drafts.push(draft);
            }
            Body::SideSession(_) => {}
        }
    }

    fn message(&mut self, message: &'a Message<'static>, item: &'a Item<'static>) {
        let is_host = matches!(message.origin, Origin::Harness | Origin::Command | Origin::Summary);
        let source = if is_host || message.role == Role::System { "system" } else { "user" };
        let mut draft = Draft::new(source, item);
        draft.parts = message.parts.iter().collect();
        let said = message.said.as_ref().map(|said| said.plain());
        put(&mut draft.own, "said", said.as_deref());
        draft.own.insert("origin".into(), json!(message.origin));
        draft.own.insert("role".into(), json!(message.role));
        self.drafts.push(draft);
    }

    fn answer(&mut self, message: &'a Message<'static>, item: &'a Item<'static>) {
        let draft = self.agent(item, message.message_id.as_deref(), true);
        draft.parts.extend(&message.parts);
        draft.model = message.model.as_deref().or(draft.model);
        if message.origin != Origin::Model {
            draft.own.insert("origin".into(), json!(message.origin));
        }
    }

    /// Returns the step that something of the agent belongs to.
    ///
    /// One answer has one id, but words that come after a result begin a step: within one they would
    /// stand before the call. Where there are no ids, it ends with the first result, and before words
    /// that come after a call.
    fn agent(
        &mut self,
        item: &'a Item<'static>,
        message_id: Option<&'a str>,
        is_words: bool,
    ) -> &mut Draft<'a> {
        let fits = |last: &Draft<'a>| {
            last.source == "agent"
                && last.first.live == item.live
                && last.first.copy_of.is_some() == item.copy_of.is_some()
                && last.message_id == message_id
                && (last.results.is_empty() || !is_words)
                && (message_id.is_some()
                    || last.first.line == item.line
                    || (last.results.is_empty() && (last.calls.is_empty() || !is_words)))
        };
        if self.drafts.last().is_some_and(fits) {
            let at = self.drafts.len() - 1;
            self.drafts[at].ids.push(&item.id);
        } else {
            let draft = Draft { message_id, ..Draft::new("agent", item) };
            self.drafts.push(draft);
        }
        let at = self.drafts.len() - 1;
        &mut self.drafts[at]
    }

    fn result(
        &mut self,
        result: &'a ToolResult<'static>,
        item: &'a Item<'static>,
        pictures: &mut Pictures,
        notes: &mut Notes,
    ) {
        let mut map = Map::new();
        let parts: Vec<&Part<'static>> = result.output.iter().collect();
        let mut own = Map::new();
        own.insert("id".into(), item.id.as_ref().into());
        put(&mut own, "ts", item.ts.as_deref());
        own.insert("status".into(), json!(result.status));
        if let Some(code) = result.exit_code {
            own.insert("exit_code".into(), code.into());
        }
        if result.rejected {
            own.insert("rejected".into(), true.into());
        }
        put(&mut own, "user_said", result.user_said.as_ref().map(|said| said.plain()).as_deref());
        if !result.answers.is_empty() {
            own.insert("answers".into(), json!(result.answers));
        }
        put(&mut own, "runs_on", result.out.as_deref());
        if let Some(ended) = &result.ended {
            own.insert("ended_later".into(), json!(ended));
        }
        if let Some(whole) = &result.persisted {
            own.insert("persisted".into(), json!(whole));
        }
        put(&mut own, "dropped_by", item.dropped_by.as_deref());
        let of = self.of_call.get(result.call_id.as_ref()).copied();
        let at = of.unwrap_or_else(|| {
            // Its call is not in the file, and so it answers nothing here.
            own.insert("call_id".into(), result.call_id.as_ref().into());
            self.drafts.push(Draft::new("system", item));
            self.drafts.len() - 1
        });
        if of.is_some() {
            map.insert("source_call_id".into(), result.call_id.as_ref().into());
        }
        map.insert("content".into(), pictures.content(&parts, item.line, notes));
        map.insert("extra".into(), json!({ "segue": own }));
        let draft = &mut self.drafts[at];
        draft.ids.push(&item.id);
        draft.results.push(map);
    }

    fn plan(&mut self, plan: &'a Plan<'static>, item: &'a Item<'static>, notes: &mut Notes) {
        let of = plan.call_id.as_deref().and_then(|call| self.of_call.get(call).copied());
        let Some(at) = of.or(self.drafts.len().checked_sub(1)) else {
            return notes.add(NoteKind::NotInForm, "plan", item.line);
        };
        let explanation = plan.explanation.as_ref().map(|text| text.plain());
        let mut value = json!({ "id": item.id, "items": plan.items });
        if let Some(explanation) = explanation {
            value["explanation"] = explanation.as_ref().into();
        }
        let plans = self.drafts[at].own.entry("plans").or_insert_with(|| json!([]));
        if let Some(plans) = plans.as_array_mut() {
            plans.push(value);
        }
    }

    fn usage(&mut self, usage: &'a Usage<'static>, item: &'a Item<'static>, notes: &mut Notes) {
        if usage.cumulative {
            self.total = Some(usage);
            return;
        }
        let last = self.drafts.iter_mut().rev().find(|draft| draft.source == "agent");
        let Some(draft) = last.filter(|draft| draft.metrics.is_none()) else {
            return notes.add(NoteKind::NotInForm, "usage", item.line);
        };
        let mut metrics = Map::new();
        let (mut extra, mut model) = (Map::new(), draft.model);
        let count = |map: &mut Map<String, Value>, key: &str, count: Option<u64>| {
            count.map(|count| map.insert(key.into(), count.into()));
        };
        count(&mut metrics, "prompt_tokens", usage.input_tokens);
        count(&mut metrics, "completion_tokens", usage.output_tokens);
        count(&mut metrics, "cached_tokens", usage.cached_tokens);
        count(&mut extra, "reasoning_tokens", usage.reasoning_tokens);
        count(&mut extra, "cache_write_tokens", usage.cache_write_tokens);
        if !extra.is_empty() {
            metrics.insert("extra".into(), extra.into());
        }
        model = model.or(usage.model.as_deref());
        (draft.model, draft.metrics) = (model, Some(metrics.into()));
    }

    fn compaction(&mut self, compaction: &'a Compaction<'static>, item: &'a Item<'static>) {
        let mut draft = Draft::new("system", item);
        let summary = compaction.summary.as_ref().filter(|_| compaction.readable);
        draft.words =
            Some(summary.map_or_else(|| NO_SUMMARY.into(), |summary| summary.plain().into_owned()));
        draft.context = Some(json!({
            "type": "compaction",
            "trigger": compaction.trigger,
            "tokens_before": compaction.tokens_before,
            "tokens_after": compaction.tokens_after,
            "readable": compaction.readable,
        }));
        self.drafts.push(draft);
    }

    /// Says of each compaction which steps it replaced.
    fn link_compactions(&mut self) {
        let mut by_id: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, draft) in self.drafts.iter().enumerate() {
            for id in &draft.ids {
                by_id.entry(id).or_default().push(at);
                if let Some((base, _)) = id.rsplit_once('/') {
                    by_id.entry(base).or_default().push(at);
                }
            }
        }
        for at in 0..self.drafts.len() {
            let Body::Compaction(compaction) = &self.drafts[at].first.body else { continue };
            let replaced = compaction.replaced.iter().filter_map(|id| by_id.get(id.as_ref()));
            let mut steps: Vec<usize> = replaced.flatten().map(|at| at + 1).collect();
            steps.sort_unstable();
            steps.dedup();
            if let Some(context) = &mut self.drafts[at].context {
                context["replaced_step_ids"] = json!(steps);
            }
        }
    }
}

fn carrier<'a>(item: &&'a Item<'static>) -> Option<&'a str> {
    match &item.body {
        Body::Compaction(compaction) => compaction.summary_id.as_deref(),
        _ => None,
    }
}

fn is_summary(item: &Item<'_>) -> bool {
    matches!(&item.body, Body::Message(message) if message.origin == Origin::Summary)
}
