//! A step while it is put together.

use serde_json::{Map, Value, json};

use super::images::Pictures;
use super::put;
use crate::export::times;
use crate::model::{Item, Part, ToolCall};
use crate::note::Notes;

/// A step while it is put together.
pub(super) struct Draft<'a> {
    pub(super) source: &'static str,
    /// The item that began it.
    pub(super) first: &'a Item<'static>,
    pub(super) message_id: Option<&'a str>,
    pub(super) model: Option<&'a str>,
    pub(super) parts: Vec<&'a Part<'static>>,
    /// Words of its own, where no item has them as a part.
    pub(super) words: Option<String>,
    pub(super) reasoning: Vec<String>,
    pub(super) calls: Vec<&'a ToolCall<'static>>,
    pub(super) results: Vec<Map<String, Value>>,
    pub(super) metrics: Option<Value>,
    pub(super) ids: Vec<&'a str>,
    /// What stands under `extra.segue`.
    pub(super) own: Map<String, Value>,
    /// What stands under `extra.context_management`.
    pub(super) context: Option<Value>,
}

impl<'a> Draft<'a> {
    pub(super) fn new(source: &'static str, item: &'a Item<'static>) -> Self {
        let mut own = Map::new();
        own.insert("id".into(), item.id.as_ref().into());
        own.insert("turn".into(), item.turn.into());
        if !item.live {
            own.insert("live".into(), false.into());
        }
        put(&mut own, "dropped_by", item.dropped_by.as_deref());
        put(&mut own, "copy_of", item.copy_of.as_deref());
        Self {
            source,
            first: item,
            message_id: None,
            model: None,
            parts: Vec::new(),
            words: None,
            reasoning: Vec::new(),
            calls: Vec::new(),
            results: Vec::new(),
            metrics: None,
            ids: vec![&item.id],
            own,
            context: None,
        }
    }

    pub(super) fn finish(
        mut self,
        number: usize,
        pictures: &mut Pictures,
        notes: &mut Notes,
    ) -> Value {
        let mut step = Map::new();
        step.insert("step_id".into(), number.into());
        put(&mut step, "timestamp", self.first.ts.as_deref().and_then(times::normal).as_deref());
        step.insert("source".into(), self.source.into());
        put(&mut step, "model_name", self.model);
        let message = match self.words {
            Some(words) => words.into(),
            None => pictures.content(&self.parts, self.first.line, notes),
        };
        step.insert("message".into(), message);
        if !self.reasoning.is_empty() {
            step.insert("reasoning_content".into(), self.reasoning.join("\n\n").into());
        }
        if !self.calls.is_empty() {
            let calls: Vec<_> = self.calls.iter().map(|call| called(call)).collect();
            step.insert("tool_calls".into(), calls.into());
        }
        if !self.results.is_empty() {
            step.insert("observation".into(), json!({ "results": self.results }));
        }
        if let Some(metrics) = self.metrics.take() {
            step.insert("metrics".into(), metrics);
        }
        if self.first.copy_of.is_some() {
            step.insert("is_copied_context".into(), true.into());
        }
        let mut extra = Map::new();
        if let Some(context) = self.context.take() {
            extra.insert("context_management".into(), context);
        }
        extra.insert("segue".into(), self.own.into());
        step.insert("extra".into(), extra.into());
        Value::Object(step)
    }
}

fn called(call: &ToolCall<'_>) -> Value {
    let parsed = serde_json::from_str::<Map<String, Value>>(call.arguments.get());
    // Deeper than any parser goes.
    let arguments = parsed.map_or_else(|_| json!({ "_raw": call.arguments.get() }), Value::Object);
    let mut own = Map::new();
    own.insert("kind".into(), json!(call.kind));
    put(&mut own, "parent_call", call.parent_call.as_deref());
    put(&mut own, "namespace", call.namespace.as_deref());
    put(&mut own, "cwd", call.cwd.as_deref());
    json!({
        "tool_call_id": call.call_id,
        "function_name": call.name,
        "arguments": arguments,
        "extra": { "segue": own },
    })
}
