//! Scripts whose calls are carried in their place, and what they printed themselves.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::Options;
use crate::model::{Body, Entry, EntryBody, Exchange, Item, Part, Status, plain};

/// What stands in place of the result of a call whose script printed everything at its end.
const IN_LAST: &str = "(the output of the script stands at its last call)";

/// Scripts whose calls are carried in their place, by the id of the script's call.
pub(super) struct Scripts {
    /// The last call of each.
    pub(super) last: HashMap<String, String>,
    /// Those whose calls have results of their own.
    pub(super) told: HashSet<String>,
}

/// What a script whose calls have results of their own printed.
pub(super) struct Printed {
    /// The id of the script's call.
    pub(super) script: String,
    /// Between which entries its calls stand.
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) output: Vec<Part<'static>>,
}

/// Finds the scripts whose calls are to be carried in their place.
pub(super) fn scripts(items: &[Item<'_>], options: &Options<'_>) -> Scripts {
    let mut last = HashMap::new();
    let mut results: HashSet<&str> = HashSet::new();
    let mut children: HashMap<&str, Vec<&str>> = HashMap::new();
    for item in items {
        match &item.body {
            Body::ToolResult(result) => {
                results.insert(&result.call_id);
            }
            Body::ToolCall(call) if !options.same => {
                if let Some(parent) = &call.parent_call {
                    last.insert(parent.to_string(), call.call_id.to_string());
                    children.entry(parent).or_default().push(&call.call_id);
                }
            }
            _ => {}
        }
    }
    let told = children.into_iter();
    let told = told.filter(|(_, calls)| calls.iter().all(|call| results.contains(call)));
    Scripts { last, told: told.map(|(parent, _)| parent.to_owned()).collect() }
}

/// Gives the calls of a script but the one at `last` a word in place of their output.
pub(super) fn tell_the_others(script: &str, last: Option<usize>, from: usize, all: &mut [Entry]) {
    for (place, entry) in all.iter_mut().enumerate().skip(from) {
        let EntryBody::Exchange(exchange) = &mut entry.body else { continue };
        let is_of = exchange.call.parent_call.as_deref() == Some(script);
        if is_of && exchange.result_id.is_none() && Some(place) != last {
            exchange.result.status = Status::Ok;
            exchange.result.output = vec![Part::Text(IN_LAST.into())];
        }
    }
}

/// Adds what a script printed besides the results of its calls to the result of the last of them.
pub(super) fn add_printed(entries: &mut [Entry], printed: Printed, options: &Options<'_>) {
    let Printed { script, from, to, output } = printed;
    let mut calls: Vec<&mut Exchange> = entries[from..to]
        .iter_mut()
        .filter_map(|entry| match &mut entry.body {
            EntryBody::Exchange(exchange) => Some(&mut **exchange),
            _ => None,
        })
        .filter(|exchange| exchange.call.parent_call.as_deref() == Some(script.as_str()))
        .collect();
    let told: Vec<String> = calls.iter().map(|call| plain(&call.result.output)).collect();
    let is_told = |part: &Part<'_>| match part {
        Part::Text(text) => {
            let text = text.plain();
            told.iter().any(|told| has_lines(told, text.trim())) || holds_one_of(&text, &told)
        }
        _ => calls.iter().any(|call| call.result.output.iter().any(|other| is_same(part, other))),
    };
    let mut own = (options.printed)(output);
    own.retain(|part| !is_told(part));
    if let Some(last) = calls.last_mut() {
        last.result.output.extend(own);
    }
}

/// Tells whether `lines` are whole lines of a text, one behind the other.
fn has_lines(text: &str, lines: &str) -> bool {
    let text = text.trim();
    let is_end = |byte: Option<&u8>| byte.is_none_or(|byte| matches!(byte, b'\r' | b'\n'));
    lines.is_empty()
        || text.match_indices(lines).any(|(at, _)| {
            let bytes = text.as_bytes();
            is_end(bytes[..at].last()) && is_end(bytes.get(at + lines.len()))
        })
}

/// Tells whether a text is an object with nothing in it, or with one of `results` whole in a field,
/// as a call gives it to its script.
fn holds_one_of(text: &str, results: &[String]) -> bool {
    if !text.trim_start().starts_with('{') {
        return false;
    }
    let Ok(object) = serde_json::from_str::<Map<String, Value>>(text) else { return false };
    let texts = object.values().filter_map(Value::as_str).map(str::trim);
    let mut texts = texts.filter(|text| !text.is_empty());
    object.is_empty() || texts.any(|text| results.iter().any(|result| result.trim() == text))
}

/// Tells whether two parts that are no texts are the same.
fn is_same(one: &Part<'_>, other: &Part<'_>) -> bool {
    match (one, other) {
        (Part::Blob(one), Part::Blob(other)) => one == other,
        (Part::Other { json: one, .. }, Part::Other { json: other, .. }) => {
            one.get() == other.get()
        }
        _ => false,
    }
}
