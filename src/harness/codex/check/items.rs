//! What the model is sent: whether the client can read it, and the provider takes it.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde_json::value::RawValue;

use super::super::digest::id_digest;
use super::super::known;
use super::super::text::pieces;
use super::super::wire::Payload;
use super::found::{Found, short};
use crate::harness::Severity::{self, Error, Info, Warning};
use crate::jsonl;

/// How many items the provider takes in one request.
const MOST_ITEMS: u64 = 16_384;
/// How long an id of a call, and a name of a tool, may be.
const MOST_CHARS: usize = 64;

/// The history that is sent, as far as it was read.
#[derive(Default)]
pub(super) struct History {
    /// Bytes of it, about.
    pub(super) bytes: u64,
    items: u64,
    /// Calls by the number of their id: the line, and whether an output came.
    calls: FxHashMap<u64, (u64, bool)>,
    /// What is wrong with what is sent; a compaction takes it away.
    faults: Vec<(Severity, u64, &'static str, String)>,
}

impl History {
    /// Takes an item.
    pub(super) fn item(&mut self, payload: &Payload<'_>, line: u64, found: &mut Found) {
        let kind = payload.kind.text();
        if let Some(why) = unreadable(kind, payload) {
            let why = format!("is a `{}` {why}: the client skips it", short(kind));
            return found.add(Warning, line, "incomplete_item", &why);
        }
        self.items += 1;
        self.bytes += text_bytes(payload);
        match kind {
            "message" => self.message(payload, line),
            "reasoning" => self.reasoning(payload, line),
            _ if known::is_call(kind) => self.call(payload, line),
            _ if known::is_result(kind) => self.result(payload, line),
            "web_search_call" | "image_generation_call" | "agent_message" => {}
            _ if known::is_item(kind) => {}
            _ => {
                let why = format!("is an item of the unknown type `{}`", short(kind));
                found.add(Info, line, "unknown_type", &why);
            }
        }
    }

    /// Takes a compaction: what it holds is all that is sent of what was before.
    pub(super) fn compacted(&mut self, payload: &Payload<'_>, line: u64, found: &mut Found) {
        let message = payload.message.and_then(jsonl::string);
        if message.is_none() {
            let why = "is a compaction without `message`: the client skips it";
            return found.add(Warning, line, "incomplete_item", why);
        }
        let listed = payload.replacement_history.filter(|raw| raw.get() != "null");
        let Some(listed) = listed else {
            let why = "is a compaction without its history: the client keeps the last requests";
            found.add(Info, line, "no_replacement_history", why);
            *self = Self::default();
            return;
        };
        *self = Self::default();
        for raw in jsonl::elements(Some(listed)) {
            match jsonl::shaped::<Payload<'_>>(Some(raw)) {
                Some(payload) => self.item(&payload, line, found),
                None => found.add(Warning, line, "incomplete_item", "holds an item that is none"),
            }
        }
        if self.items == 0 && message.is_none_or(|message| message.trim().is_empty()) {
            let why = "is a compaction that leaves nothing of what was before";
            found.add(Warning, line, "empty_compaction", why);
        }
    }

    fn fault(&mut self, severity: Severity, line: u64, rule: &'static str, why: &str) {
        self.faults.push((severity, line, rule, why.to_owned()));
    }

    fn message(&mut self, payload: &Payload<'_>, line: u64) {
        match payload.role.text() {
            "user" | "assistant" | "developer" => {}
            "system" => {
                self.fault(Warning, line, "system_message", "is a `system` message, never sent");
            }
            role => {
                let why = format!("has the role `{}`, which the provider refuses", short(role));
                self.fault(Error, line, "unknown_role", &why);
            }
        }
    }

    fn reasoning(&mut self, payload: &Payload<'_>, line: u64) {
        if payload.encrypted_content.is_none_or(|raw| raw.get().len() <= 4) {
            let why = "is thinking without `encrypted_content`, which the provider may refuse";
            self.fault(Info, line, "plain_reasoning", why);
        }
    }

    fn call(&mut self, payload: &Payload<'_>, line: u64) {
        let id = payload.call_id.filled().or(payload.id.filled()).unwrap_or_default();
        if id.len() > MOST_CHARS {
            let why = format!("has a call id of {} characters; the provider takes 64", id.len());
            self.fault(Error, line, "call_id", &why);
        }
        let name = payload.name.text();
        let fine = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        if !name.bytes().all(fine) {
            let why = format!("calls `{}`, a name that the provider refuses", short(name));
            self.fault(Error, line, "tool_name", &why);
        }
        if self.calls.insert(id_digest(id), (line, false)).is_some() {
            let why = format!("repeats the call id `{}`", short(id));
            self.fault(Error, line, "repeated_call_id", &why);
        }
    }

    fn result(&mut self, payload: &Payload<'_>, line: u64) {
        // Without an id it is context that the client gives.
        let Some(id) = payload.call_id.filled() else { return };
        let why = match self.calls.get_mut(&id_digest(id)) {
            Some((_, done @ false)) => {
                *done = true;
                return;
            }
            Some(_) => format!("is a second output of the call `{}`", short(id)),
            None => {
                let why = format!("is an output without its call `{}`: it is not sent", short(id));
                return self.fault(Warning, line, "orphan_result", &why);
            }
        };
        self.fault(Warning, line, "repeated_result", &why);
    }

    /// Says what is wrong with what is sent.
    pub(super) fn end(&mut self, found: &mut Found) {
        let open = self.calls.values().filter(|(_, done)| !done);
        let lines: BTreeMap<u64, ()> = open.map(|(line, _)| (*line, ())).collect();
        for line in lines.into_keys() {
            let why = "is a call without output: the model is sent `aborted` in its place";
            found.add(Warning, line, "open_call", why);
        }
        for (severity, line, rule, why) in self.faults.drain(..) {
            found.add(severity, line, rule, &why);
        }
        if self.items > MOST_ITEMS {
            let why = format!("sends {} items; the provider takes {MOST_ITEMS}", self.items);
            found.add(Error, 0, "too_many_items", &why);
            found.hint("compact it before it is resumed");
        }
    }
}

/// Says why the client cannot read an item.
fn unreadable(kind: &str, payload: &Payload<'_>) -> Option<&'static str> {
    let is = |raw: Option<&RawValue>, start: &[char]| {
        raw.is_some_and(|raw| raw.get().starts_with(start))
    };
    let has_name = payload.name.get().is_some();
    let has_id = payload.call_id.get().is_some();
    match kind {
        "" => Some("without a type"),
        "message" if payload.role.get().is_none() => Some("without a role"),
        "message" if !is(payload.content, &['[']) => Some("whose content is no list"),
        "reasoning" if !is(payload.summary, &['[']) => Some("without its `summary`"),
        "function_call" if !is(payload.arguments, &['"']) => Some("whose arguments are no text"),
        "custom_tool_call" if !is(payload.input, &['"']) => Some("whose input is no text"),
        "function_call" | "custom_tool_call" if !has_name => Some("without a name"),
        "function_call" | "custom_tool_call" if !has_id => Some("without a `call_id`"),
        "function_call_output" | "custom_tool_call_output" if !is(payload.output, &['"', '[']) => {
            Some("whose output is neither text nor list")
        }
        "custom_tool_call_output" if !has_id => Some("without a `call_id`"),
        _ => None,
    }
}

/// How many bytes of an item are text; pictures do not count.
fn text_bytes(payload: &Payload<'_>) -> u64 {
    let texts = [payload.content, payload.output].into_iter().flat_map(pieces);
    let texts = texts.filter_map(|(_, piece)| piece.text);
    let plain = [payload.arguments, payload.input].into_iter().flatten();
    texts.chain(plain).map(|raw| raw.get().len() as u64).sum()
}
