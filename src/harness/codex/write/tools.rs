//! The harness's own calls of deeds, and calls as they are written.

use serde_json::{Map, Value, json};

use super::super::patch;
use crate::json;
use crate::model::{Deed, Exchange, NativeCall, Part, PlanStatus};

/// The longest name of a tool that the provider accepts.
const NAME_CHARS: usize = 64;
/// Tools whose input is text, not JSON.
const TEXT_TOOLS: &[&str] = &["apply_patch", "exec"];
/// Tools of the provider, whose calls are items of their own.
const PROVIDED_TOOLS: &[&str] = &["local_shell", "web_search", "tool_search", "image_generation"];

/// Returns the call that does a deed.
pub(super) fn call(deed: &Deed) -> Option<NativeCall> {
    match deed {
        Deed::Shell { command, cwd, timeout_ms, description } => {
            let mut arguments = Map::new();
            arguments.insert("cmd".into(), command.as_str().into());
            let texts = [("workdir", cwd), ("justification", description)];
            for (key, text) in texts {
                arguments.extend(text.as_ref().map(|text| (key.to_owned(), text.as_str().into())));
            }
            arguments.extend(timeout_ms.map(|time| ("timeout_ms".to_owned(), time.into())));
            Some(("exec_command", arguments))
        }
        Deed::Write { path, content } => {
            let patch = patch::add(path, content)?;
            Some(("apply_patch", Map::from_iter([("input".to_owned(), patch.into())])))
        }
        Deed::Todos { items } => {
            let plan: Option<Vec<Value>> = items.iter().map(step).collect();
            Some(("update_plan", Map::from_iter([("plan".to_owned(), plan?.into())])))
        }
        // A patch names whole lines, an edit any text; nothing else has a tool.
        Deed::Read { .. } | Deed::Replace { .. } | Deed::Grep { .. } | Deed::Glob { .. } => None,
    }
}

fn step((text, status): &(String, PlanStatus)) -> Option<Value> {
    status.is_common().then(|| json!({ "step": text, "status": status.word() }))
}

/// A call as it is written.
pub(super) struct Call {
    /// The item.
    pub(super) item: Value,
    /// The tool's name in it.
    pub(super) name: String,
    /// How its result is called; nothing where the item has no result beside it.
    pub(super) output: Option<&'static str>,
    /// Whether it became one of the harness's own tools.
    pub(super) mapped: bool,
    /// Whether the source asked for more than that tool can be told.
    pub(super) is_less: bool,
}

/// Makes the item of a call that another harness recorded.
pub(super) fn foreign(exchange: &Exchange) -> Call {
    let source = &exchange.call;
    if let Some((name, arguments)) = exchange.deed.as_ref().and_then(call) {
        let input = arguments.get("input").and_then(Value::as_str).filter(|_| is_text(name));
        let call = match input {
            Some(input) => text_call(&source.call_id, name, input, true),
            None => {
                let arguments = Value::Object(arguments).to_string();
                plain_call(&source.call_id, name, &arguments, true)
            }
        };
        return Call { is_less: exchange.asks_more, ..call };
    }
    let name = legal(&source.name);
    let is_renamed = name != source.name;
    plain_call(&source.call_id, &name, source.arguments.get(), is_renamed)
}

/// Makes the item of a call that the harness itself recorded, its tool in the group where it was.
pub(super) fn own(exchange: &Exchange) -> Call {
    let mut call = recorded(exchange);
    let name = call.item["name"].as_str().unwrap_or_default();
    if let Some(group) = exchange.call.namespace.as_deref().filter(|_| !name.is_empty()) {
        let inside = name.strip_prefix(group.trim_end_matches('_'));
        let bare = inside.and_then(|name| name.strip_prefix("__")).unwrap_or(name);
        call.item["name"] = bare.into();
        call.item["namespace"] = group.into();
    }
    call
}

fn recorded(exchange: &Exchange) -> Call {
    let source = &exchange.call;
    let (id, name) = (&source.call_id, source.name.as_ref());
    let plain = || {
        let legal = legal(name);
        plain_call(id, &legal, source.arguments.get(), legal != name)
    };
    if !is_text(name) && !PROVIDED_TOOLS.contains(&name) {
        return plain();
    }
    let arguments: Value = json::from_str(source.arguments.get()).unwrap_or_default();
    let input = arguments["input"].as_str().filter(|_| is_text(name) && has_one(&arguments));
    if let Some(input) = input {
        return text_call(id, name, input, false);
    }
    let item = match name {
        "local_shell" if arguments["type"].is_string() => json!({
            "type": "local_shell_call", "call_id": id, "status": "completed", "action": arguments,
        }),
        "web_search" if exchange.result_id.is_none() => searched(id, arguments),
        "tool_search" if tools(exchange).is_some() => json!({
            "type": "tool_search_call", "call_id": id, "status": "completed",
            "execution": "client", "arguments": arguments,
        }),
        "image_generation" if picture(exchange).is_some() => json!({
            "type": "image_generation_call", "id": id, "status": "completed",
            "revised_prompt": arguments["prompt"], "result": picture(exchange),
        }),
        _ => return plain(),
    };
    let output = match name {
        "web_search" | "image_generation" => None,
        "tool_search" => Some("tool_search_output"),
        _ => Some("function_call_output"),
    };
    Call { item, name: name.to_owned(), output, mapped: false, is_less: false }
}

/// Makes the item of a search of the provider's own; the client leaves one out whose action has no
/// type, so that it gets the one that it can only be.
fn searched(id: &str, mut action: Value) -> Value {
    let mut item = json!({ "type": "web_search_call", "id": id, "status": "completed" });
    let has = |key: &str| action.get(key).is_some_and(|value| !value.is_null());
    let kind = match () {
        () if action["type"].is_string() => None,
        () if has("query") || has("queries") => Some("search"),
        () if has("pattern") => Some("find_in_page"),
        () if has("url") => Some("open_page"),
        () if action.as_object().is_none_or(Map::is_empty) => return item,
        () => Some("other"),
    };
    if let Some(kind) = kind {
        action["type"] = kind.into();
    }
    item["action"] = action;
    item
}

/// Returns the tools that a search for tools found, as they stand in the source.
fn tools(exchange: &Exchange) -> Option<Value> {
    match &exchange.result.output[..] {
        [Part::Other { kind, json }] if kind == "tools" => json::from_str(json.get()).ok(),
        _ => None,
    }
}

/// Makes the item of what a search for tools found.
pub(super) fn found(exchange: &Exchange) -> Value {
    json!({
        "type": "tool_search_output", "call_id": exchange.call.call_id, "status": "completed",
        "execution": "client", "tools": tools(exchange),
    })
}

/// Returns the picture that the model made.
fn picture(exchange: &Exchange) -> Option<&str> {
    match &exchange.result.output[..] {
        [Part::Blob(blob)] => blob.data.as_deref(),
        _ => None,
    }
}

fn is_text(name: &str) -> bool {
    TEXT_TOOLS.contains(&name)
}

fn has_one(arguments: &Value) -> bool {
    arguments.as_object().is_some_and(|fields| fields.len() == 1)
}

fn text_call(id: &str, name: &str, input: &str, mapped: bool) -> Call {
    let item = json!({
        "type": "custom_tool_call", "status": "completed", "call_id": id, "name": name,
        "input": input,
    });
    let output = Some("custom_tool_call_output");
    Call { item, name: name.to_owned(), output, mapped, is_less: false }
}

fn plain_call(id: &str, name: &str, arguments: &str, mapped: bool) -> Call {
    let item = json!({
        "type": "function_call", "name": name, "arguments": arguments, "call_id": id,
    });
    let output = Some("function_call_output");
    Call { item, name: name.to_owned(), output, mapped, is_less: false }
}

/// Returns a name that the provider accepts.
fn legal(name: &str) -> String {
    let fine = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '_' | '-');
    let name: String = name.chars().map(|sign| if fine(sign) { sign } else { '_' }).collect();
    let name = name.get(..NAME_CHARS).unwrap_or(&name);
    if name.is_empty() { "tool".to_owned() } else { name.to_owned() }
}
