//! What a tool is called, what it is for, and its arguments as an object.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use super::wire::Payload;
use super::{action, patch};
use crate::json;
use crate::jsonl;
use crate::model::{Action, Question, ToolCall, ToolKind};
use crate::note::{NoteKind, Notes};

/// How deep arguments may be nested to stay an object.
const MAX_DEPTH: usize = 100;

/// Returns the tool's name; tools of a server carry the server's.
pub(super) fn name<'a>(payload: &Payload<'_>) -> Cow<'a, str> {
    let name = match payload.kind.text() {
        "local_shell_call" => "local_shell",
        "web_search_call" => "web_search",
        "tool_search_call" => "tool_search",
        _ => payload.name.text(),
    };
    let name = name.strip_prefix("functions.").unwrap_or(name);
    match payload.namespace.filled() {
        Some(server) if server.starts_with("mcp__") && !name.starts_with("mcp__") => {
            format!("{}__{name}", server.trim_end_matches('_')).into()
        }
        _ => name.to_owned().into(),
    }
}

/// Tells whether the provider runs the tool itself and no file has what it gave back.
pub(super) fn is_alone(name: &str) -> bool {
    name == "web_search"
}

/// Returns the arguments as an object on one line.
pub(super) fn arguments<'a>(
    payload: &Payload<'a>,
    line: u64,
    notes: &mut Notes,
) -> Cow<'a, RawValue> {
    let raw = match payload.kind.text() {
        "web_search_call" if payload.action.is_none() => {
            let Some(query) = payload.query else { return Cow::Owned(object_of(&Value::Null)) };
            return Cow::Owned(object("query", query));
        }
        "local_shell_call" | "web_search_call" => payload.action,
        "custom_tool_call" => payload.input.or(payload.arguments),
        _ => payload.arguments.or(payload.input),
    };
    let Some(raw) = raw else { return Cow::Owned(object_of(&Value::Null)) };
    if raw.get().starts_with('{') {
        if is_shallow(raw.get()) {
            return Cow::Borrowed(raw);
        }
        notes.add(NoteKind::TooDeep, "arguments", line);
        return Cow::Owned(object_of(&Value::String(raw.get().to_owned())));
    }
    if payload.kind.text() != "custom_tool_call" {
        let text = jsonl::string(raw).unwrap_or_default();
        if let Some(found) = parsed(text.trim(), line, notes) {
            return Cow::Owned(found);
        }
    }
    // Of long texts one copy less than by way of a value.
    let object = ["{\"input\":", raw.get(), "}"].concat();
    Cow::Owned(json::raw(&object).unwrap_or_default())
}

/// Reads a text that holds an object.
fn parsed(text: &str, line: u64, notes: &mut Notes) -> Option<Box<RawValue>> {
    if text.is_empty() {
        return Some(object_of(&Value::Null));
    }
    if !text.starts_with('{') {
        return None;
    }
    if !is_shallow(text) {
        notes.add(NoteKind::TooDeep, "arguments", line);
        return None;
    }
    if text.contains(['\n', '\r']) || text.contains("\\ud") || text.contains("\\uD") {
        let value: Value = json::from_str(text).ok()?;
        return json::raw(&value.to_string());
    }
    json::raw(text)
}

/// Tells whether a JSON text can be parsed again inside another one.
fn is_shallow(json: &str) -> bool {
    let brackets = memchr::memchr2_iter(b'{', b'[', json.as_bytes());
    brackets.take(MAX_DEPTH + 1).count() <= MAX_DEPTH || jsonl::depth(json.as_bytes()) <= MAX_DEPTH
}

/// An object of one field.
pub(super) fn object<V: Serialize + ?Sized>(key: &str, value: &V) -> Box<RawValue> {
    to_raw_value(&BTreeMap::from([(key, value)])).unwrap_or_default()
}

/// Any value as an object; nothing gives an empty one.
pub(super) fn object_of(value: &Value) -> Box<RawValue> {
    let value = match value {
        Value::Object(_) => value.clone(),
        Value::Null => Value::Object(serde_json::Map::new()),
        other => serde_json::json!({ "input": other }),
    };
    RawValue::from_string(value.to_string()).unwrap_or_default()
}

/// Returns what a tool is for.
pub(super) fn kind(name: &str, arguments: &RawValue) -> ToolKind {
    match name {
        "shell" | "shell_command" | "exec_command" | "container.exec" if edits(arguments) => {
            ToolKind::Edit
        }
        "shell" | "shell_command" | "exec_command" | "write_stdin" | "local_shell" | "exec"
        | "wait" | "container.exec" | "unified_exec" => ToolKind::Shell,
        "apply_patch" => ToolKind::Edit,
        "view_image" | "read_file" => ToolKind::Read,
        "list_dir" | "grep_files" | "tool_search" => ToolKind::Search,
        "web_search" | "web__run" | "web.search" => ToolKind::Fetch,
        "update_plan" | "create_goal" | "update_goal" | "get_goal" => ToolKind::Plan,
        "spawn_agent" | "wait_agent" | "send_message" | "send_input" | "close_agent"
        | "list_agents" | "followup_task" | "interrupt_agent" | "resume_agent" => ToolKind::Agent,
        "request_user_input" => ToolKind::Ask,
        _ => ToolKind::Other,
    }
}

/// Tells whether a shell is only there to apply a patch.
fn edits(arguments: &RawValue) -> bool {
    let maybe = memchr::memmem::find(arguments.get().as_bytes(), b"*** Begin Patch").is_some();
    maybe && {
        let value: Value = json::from_str(arguments.get()).unwrap_or_default();
        patch::in_command(&value).is_some()
    }
}

/// Says what a call means.
pub(super) fn action(name: &str, kind: ToolKind, arguments: &RawValue) -> Option<Action> {
    let value: Value = json::from_str(arguments.get()).ok()?;
    action::action(name, kind, &value)
}

/// Says what a call of the patch tool means that has nothing but the patch.
pub(super) fn patched(name: &str, payload: &Payload<'_>) -> Option<Action> {
    let is_patch = name == "apply_patch" && payload.kind.text() == "custom_tool_call";
    let patch = payload.input.or(payload.arguments).filter(|_| is_patch).and_then(jsonl::string)?;
    Some(Action::Edit { changes: patch::changes(&patch) })
}

/// Returns the script of a call that runs one.
pub(super) fn script(payload: &Payload<'_>, call: &ToolCall<'_>) -> Option<String> {
    if call.name != "exec" {
        return None;
    }
    let value: Value = json::from_str(call.arguments.get()).ok()?;
    let text = value.get("input").or(value.get("source")).or(value.get("code"))?.as_str()?;
    let is_script = payload.kind.get() == Some("custom_tool_call") || text.contains("tools.");
    is_script.then(|| text.to_owned())
}

/// Returns the questions of a call by id.
pub(super) fn questions(arguments: &RawValue) -> Vec<(String, String)> {
    let value: Value = json::from_str(arguments.get()).unwrap_or_default();
    let list = value["questions"].as_array().map_or(&[][..], Vec::as_slice);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    list.iter().map(|asked| (text(&asked["id"]), text(&asked["question"]))).collect()
}

/// Returns the questions of a call with what could be chosen.
pub(super) fn choices(value: &Value) -> Vec<Question> {
    let list = value["questions"].as_array().map_or(&[][..], Vec::as_slice);
    let label = |option: &Value| option.as_str().or(option["label"].as_str()).map(str::to_owned);
    let question = |asked: &Value| Question {
        text: asked["question"].as_str().unwrap_or_default().to_owned(),
        options: asked["options"].as_array().into_iter().flatten().filter_map(label).collect(),
    };
    list.iter().map(question).collect()
}
