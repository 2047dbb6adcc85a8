//! A step to items.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::{BTreeSet, HashMap};

use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;

use super::part::parts;
use super::tool;
use super::tree::{Tree, own};
use crate::harness::time::{is_time, tidied};
use crate::model::{
    Body, Compaction, Item, Message, Origin, Part, Plan, Reasoning, Role, Status, Text, ToolCall,
    ToolResult, Usage,
};
use crate::note::{Fate, NoteKind};

/// How many items the compactions of a trajectory name in all: each may name all before it, which
/// would grow with the square of a hostile document.
const MOST_REPLACED: usize = 1_000_000;

/// Where a step stands.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) line: u64,
}

/// The steps of one trajectory, one after the other.
pub(super) struct Lane<'a> {
    side: Option<&'a str>,
    model: Option<&'a str>,
    turn: u32,
    /// The turn of each call.
    calls: HashMap<&'a str, u32>,
    /// Where the items of each step begin and end.
    steps: HashMap<u64, std::ops::Range<usize>>,
    /// The first item since the last compaction.
    first: usize,
    /// How many more items compactions may name.
    may_replace: usize,
}

/// A step and what is the same for all its items.
struct Step<'a> {
    value: &'a Value,
    id: String,
    line: u64,
    turn: u32,
    /// When it was taken, if that is a time.
    ts: Option<Cow<'a, str>>,
    /// The model that answered.
    model: Option<&'a str>,
    /// Whether an item has its id already.
    begun: Cell<bool>,
}

/// Returns a time; the form lets a document leave the zone out, which is UTC then.
pub(super) fn time_of(text: &str) -> Option<Cow<'_, str>> {
    let text = tidied(text.into());
    if is_time(&text) {
        return Some(text);
    }
    let zoned = tidied(format!("{text}Z").into());
    is_time(&zoned).then_some(zoned)
}

impl<'a> Step<'a> {
    /// Returns the id of one of its items: the first has that of the step.
    fn item_id(&self, tree: &mut Tree<'a>, piece: &str) -> String {
        if self.begun.replace(true) {
            tree.unique(&format!("{}/{piece}", self.id))
        } else {
            self.id.clone()
        }
    }
}

impl<'a> Lane<'a> {
    pub(super) fn new(side: Option<(&'a str, u32)>, model: Option<&'a str>) -> Self {
        let (side, turn) = side.map_or((None, 0), |(id, turn)| (Some(id), turn));
        Self {
            side,
            model,
            turn,
            calls: HashMap::new(),
            steps: HashMap::new(),
            first: usize::MAX,
            may_replace: MOST_REPLACED,
        }
    }

    pub(super) fn turns(self) -> HashMap<&'a str, u32> {
        self.calls
    }

    /// Gives the items of a step, and tells what became of it.
    pub(super) fn step(&mut self, tree: &mut Tree<'a>, value: &'a Value, place: Place) -> Fate {
        let before = tree.items.len();
        self.first = self.first.min(before);
        let source = value["source"].as_str().unwrap_or_default();
        let origin: Option<Origin> = word(&own(value)["origin"]);
        let is_human = source == "user" && origin.is_none_or(|origin| origin == Origin::Human);
        let told = own(value)["turn"].as_u64().and_then(|turn| u32::try_from(turn).ok());
        self.turn = told.unwrap_or(self.turn + u32::from(is_human && self.side.is_none()));
        // This program names the model of each step itself.
        let model = value["model_name"].as_str().or(self.model.filter(|_| own(value).is_null()));
        let id = self.id(tree, value, place);
        let (line, turn) = (place.line, self.turn);
        let stamp = value["timestamp"].as_str();
        let ts = stamp.and_then(time_of);
        if stamp.is_some() && ts.is_none() {
            tree.notes.add(NoteKind::OddTime, "", line);
        }
        let step = Step { value, id, line, turn, ts, model, begun: Cell::new(false) };
        match source {
            "agent" => self.agent(tree, &step),
            "user" | "system" => self.said(tree, &step, source, origin),
            _ => {
                tree.notes.add(NoteKind::IncompleteRecord, source, place.line);
                return Fate::Noted;
            }
        }
        let number = value["step_id"].as_u64().unwrap_or(place.line);
        self.steps.insert(number, before..tree.items.len());
        if tree.items.len() > before { Fate::Used } else { Fate::Bookkeeping }
    }

    fn id(&self, tree: &mut Tree<'a>, value: &Value, place: Place) -> String {
        let made = || match self.side {
            Some(side) => format!("{side}/step-{}", place.line),
            None => format!("step-{}", place.line),
        };
        let id = own(value)["id"].as_str().map_or_else(made, str::to_owned);
        tree.unique(&id)
    }

    fn push(&self, tree: &mut Tree<'a>, step: &Step<'a>, id: impl Into<String>, body: Body<'a>) {
        let mut item = Item::new(id.into(), step.line, step.turn, body);
        item.ts = step.ts.clone();
        item.live = own(step.value)["live"] != false;
        item.dropped_by = own(step.value)["dropped_by"].as_str().map(Cow::Borrowed);
        item.copy_of = own(step.value)["copy_of"].as_str().map(Cow::Borrowed);
        if let Some(side) = self.side {
            item.side_session = Some(side.into());
            item.live = false;
            item.dropped_by.get_or_insert("side_session".into());
        }
        tree.items.push(item);
    }

    fn agent(&mut self, tree: &mut Tree<'a>, step: &Step<'a>) {
        let message_id = || Some(Cow::Owned(step.id.clone()));
        let value = step.value;
        if let Some(text) = value["reasoning_content"].as_str().filter(|text| !text.is_empty()) {
            let body = Reasoning {
                text: text.into(),
                message_id: message_id(),
                opaque: false,
                native: None,
            };
            let id = step.item_id(tree, "reasoning");
            self.push(tree, step, id, Body::Reasoning(body));
        }
        let parts = parts(&value["message"], &tree.reading, step.line, &mut tree.notes);
        if !parts.is_empty() {
            let body = Message {
                role: Role::Assistant,
                origin: word(&own(value)["origin"]).unwrap_or(Origin::Model),
                message_id: message_id(),
                model: step.model.map(Cow::Borrowed),
                parts,
                said: None,
                interim: false,
                called: None,
            };
            let id = step.item_id(tree, "message");
            self.push(tree, step, id, Body::Message(body));
        }
        for call in value["tool_calls"].as_array().into_iter().flatten() {
            self.call(tree, step, call);
        }
        self.results(tree, step);
        self.plans(tree, step);
        if value["metrics"].is_object() {
            let id = step.item_id(tree, "usage");
            let body = usage(&value["metrics"], step.model);
            self.push(tree, step, id, body);
        }
    }

    fn call(&mut self, tree: &mut Tree<'a>, step: &Step<'a>, call: &'a Value) {
        let (Some(call_id), Some(name)) =
            (call["tool_call_id"].as_str(), call["function_name"].as_str())
        else {
            return tree.notes.add(NoteKind::IncompleteRecord, "tool_calls", step.line);
        };
        let given = &call["arguments"];
        let text = match given {
            Value::Object(_) => given.to_string(),
            Value::Null => "{}".to_owned(),
            other => serde_json::json!({ "input": other }).to_string(),
        };
        let arguments = RawValue::from_string(text).expect("a value that was read is JSON");
        let recorder = tree.recorder.map(|recorder| recorder as _);
        let kind = tool::kind(&own(call)["kind"], name, &arguments, recorder);
        self.calls.insert(call_id, step.turn);
        let mut body = ToolCall {
            message_id: Some(step.id.clone().into()),
            parent_call: own(call)["parent_call"].as_str().map(Cow::Borrowed),
            namespace: own(call)["namespace"].as_str().map(Cow::Borrowed),
            cwd: own(call)["cwd"].as_str().map(Cow::Borrowed),
            ..ToolCall::new(call_id, name, kind, Cow::Owned(arguments))
        };
        if tree.want.actions {
            body.set_action(tool::action(&body, given, tree.recorder));
        }
        let id = step.item_id(tree, &format!("call-{call_id}"));
        self.push(tree, step, id, Body::ToolCall(body));
    }

    fn results(&mut self, tree: &mut Tree<'a>, step: &Step<'a>) {
        for result in step.value["observation"]["results"].as_array().into_iter().flatten() {
            let said = own(result);
            let of = result["source_call_id"].as_str().or(said["call_id"].as_str());
            let call_id = of.unwrap_or_default();
            let output = parts(&result["content"], &tree.reading, step.line, &mut tree.notes);
            let body = ToolResult {
                status: word(&said["status"]).unwrap_or(Status::Ok),
                exit_code: said["exit_code"].as_i64(),
                rejected: said["rejected"] == true,
                user_said: said["user_said"].as_str().map(Text::from),
                out: said["runs_on"].as_str().map(|name| name.to_owned().into()),
                ended: word(&said["ended_later"]),
                answers: word(&said["answers"]).unwrap_or_default(),
                persisted: word(&said["persisted"]),
                ..ToolResult::new(call_id.into(), Status::Ok, output)
            };
            let id = match said["id"].as_str() {
                Some(id) if id == step.id => id.to_owned(),
                Some(id) => tree.unique(id),
                None => step.item_id(tree, &format!("result-{call_id}")),
            };
            self.push(tree, step, id, Body::ToolResult(body));
            let Some(item) = tree.items.last_mut() else { continue };
            let ts = said["ts"].as_str().map(|ts| tidied(ts.into()));
            item.ts = ts.filter(|ts| is_time(ts)).or(item.ts.take());
            if let Some(by) = said["dropped_by"].as_str() {
                (item.live, item.dropped_by) = (false, Some(by.into()));
            }
            if !self.calls.contains_key(call_id) {
                tree.notes.add(NoteKind::OrphanResult, "", step.line);
                item.live = false;
                item.dropped_by.get_or_insert("never_sent".into());
            }
        }
    }

    fn plans(&mut self, tree: &mut Tree<'a>, step: &Step<'a>) {
        for plan in own(step.value)["plans"].as_array().into_iter().flatten() {
            let made = || format!("{}/plan", step.id);
            let id = tree.unique(&plan["id"].as_str().map_or_else(made, str::to_owned));
            let body = Plan {
                call_id: None,
                explanation: plan["explanation"].as_str().map(Text::from),
                items: word(&plan["items"]).unwrap_or_default(),
            };
            self.push(tree, step, id, Body::Plan(body));
        }
    }

    fn said(&mut self, tree: &mut Tree<'a>, step: &Step<'a>, source: &str, origin: Option<Origin>) {
        let value = step.value;
        let parts = parts(&value["message"], &tree.reading, step.line, &mut tree.notes);
        if value["extra"]["context_management"]["type"] == "compaction" {
            self.compaction(tree, step, parts);
        } else if let Some(kind) = own(value)["notice"].as_str() {
            let text = value["message"].as_str().filter(|text| !text.is_empty());
            let body = Body::Notice { kind: kind.into(), text: text.map(Text::from) };
            self.push(tree, step, step.id.clone(), body);
        } else if !parts.is_empty() {
            let is_user = source == "user";
            let role = if is_user { Role::User } else { Role::System };
            let body = Message {
                role: word(&own(value)["role"]).unwrap_or(role),
                origin: origin.unwrap_or(if is_user { Origin::Human } else { Origin::Harness }),
                message_id: None,
                model: None,
                parts,
                said: own(value)["said"].as_str().map(Text::from),
                interim: false,
                called: None,
            };
            self.push(tree, step, step.id.clone(), Body::Message(body));
        }
        self.results(tree, step);
        self.plans(tree, step);
    }

    /// Gives the marker and the message that carries the summary. What a document of another
    /// program says was replaced, else all before it, is not live any more.
    fn compaction(&mut self, tree: &mut Tree<'a>, step: &Step<'a>, parts: Vec<Part<'a>>) {
        let context = &step.value["extra"]["context_management"];
        let numbers = context["replaced_step_ids"].as_array();
        // A number that stands there twice says nothing more.
        let numbers = numbers.map(|numbers| numbers.iter().filter_map(Value::as_u64));
        let numbers = numbers.map(Iterator::collect::<BTreeSet<u64>>);
        let mut places: Vec<usize> = match numbers {
            Some(numbers) => {
                let known = numbers.iter().filter_map(|number| self.steps.get(number));
                known.cloned().flatten().take(self.may_replace).collect()
            }
            None => (self.first..tree.items.len()).collect(),
        };
        places.truncate(self.may_replace);
        self.may_replace -= places.len();
        // What one compaction replaced is not there for the next.
        self.first = tree.items.len();
        let mut replaced: Vec<Cow<'a, str>> = Vec::new();
        for place in places {
            let Some(item) = tree.items.get_mut(place) else { continue };
            replaced.push(item.id.clone());
            // This program has said of each step itself whether it is live.
            if item.live && own(step.value).is_null() {
                (item.live, item.dropped_by) = (false, Some(step.id.clone().into()));
            }
        }
        let readable = context["readable"] != false && !parts.is_empty();
        let carrier = tree.unique(&format!("{}/summary", step.id));
        let summary = readable.then(|| crate::model::plain(&parts).into_owned());
        let body = Compaction {
            native: None,
            trigger: context["trigger"].as_str().unwrap_or("unknown").into(),
            tokens_before: context["tokens_before"].as_u64(),
            tokens_after: context["tokens_after"].as_u64(),
            tokens_before_estimated: false,
            tokens_after_estimated: false,
            summary: summary.map(Text::from),
            readable,
            summary_id: readable.then(|| carrier.clone().into()),
            summary_line: None,
            replaced,
        };
        self.push(tree, step, step.id.clone(), Body::Compaction(body));
        if readable {
            let mut message = Message::text(Role::User, Origin::Summary, "");
            message.parts = parts;
            self.push(tree, step, carrier, Body::Message(message));
        }
    }
}

fn usage<'a>(metrics: &'a Value, model: Option<&'a str>) -> Body<'a> {
    let count = |key: &str| metrics[key].as_u64();
    Body::Usage(Usage {
        model: model.map(Cow::Borrowed),
        input_tokens: count("prompt_tokens"),
        cached_tokens: count("cached_tokens"),
        cache_write_tokens: metrics["extra"]["cache_write_tokens"].as_u64(),
        output_tokens: count("completion_tokens"),
        reasoning_tokens: metrics["extra"]["reasoning_tokens"].as_u64(),
        cumulative: false,
    })
}

/// Reads a value if it has the shape of `T`.
fn word<T: DeserializeOwned>(value: &Value) -> Option<T> {
    serde_json::from_value(value.clone()).ok()
}
