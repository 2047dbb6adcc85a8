//! Scripts of the code mode: one call whose text makes the real ones.

mod calls;
mod lasted;
mod token;
mod value;

use std::borrow::Cow;

use serde_json::value::RawValue;
use serde_json::{Value, json};

use self::calls::ScriptCall;
use super::read::{At, Reader};
use super::row::LISTED;
use super::{action, call, output, plan};
use crate::error::Result;
use crate::harness::mark::Mark;
use crate::json;
use crate::model::{Body, Part, Plan, Status, Text, ToolCall, ToolKind, ToolResult};
use crate::note::{NoteKind, Notes};

/// How the output of a script begins, by how far it came.
const STATES: [&str; 4] = ["Script completed", "Script failed", "Script terminated", RUNNING];
/// It goes on in the background, in a numbered cell.
const RUNNING: &str = "Script running with cell ID ";

/// A script whose output has not come yet.
#[derive(Clone, Debug, Default)]
pub(super) struct Pending {
    /// Its calls.
    children: Vec<Child>,
    /// Whether the file tells of its commands itself, or some of them are not known.
    is_partial: bool,
    /// When it was called.
    began: Option<String>,
    /// What it writes before the name by which a command runs on.
    before_name: Option<String>,
}

#[derive(Clone, Debug)]
struct Child {
    call_id: String,
    kind: ToolKind,
    plan: Option<Plan<'static>>,
    /// After how long its call comes back, whether it ended or runs on.
    comes_back: Option<u64>,
}

/// Gives the calls that a script makes, as far as the text tells and the file does not.
pub(super) fn children(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    (call_id, mark): (&str, &Mark),
    script: &str,
    notes: &mut Notes,
) -> Result<()> {
    reader.last_script = call_id.to_owned();
    let is_listed = at.row.has(LISTED);
    let began = at.ts.map(str::to_owned);
    let before_name = lasted::before_name(script);
    let mut pending = Pending { children: Vec::new(), is_partial: is_listed, began, before_name };
    for (number, found) in calls::calls(script).into_iter().enumerate() {
        if is_listed && matches!(found.name.as_str(), "exec_command" | "apply_patch") {
            continue;
        }
        let Some(arguments) = arguments(&found) else {
            pending.is_partial = true;
            notes.add(NoteKind::UnclearScript, &found.name, at.line);
            continue;
        };
        let id = format!("{call_id}/{number}");
        let plan = (found.name == "update_plan").then(|| plan::of_value(&arguments, &id)).flatten();
        let comes_back = lasted::comes_back(&found.name, &arguments);
        let raw = call::object_of(&arguments);
        let kind = call::kind(&found.name, &raw);
        let action = reader.want.actions.then(|| action::action(&found.name, kind, &arguments));
        let cwd = mark.folder(action::folder(&arguments)).filter(|_| kind == ToolKind::Shell);
        let mut call = ToolCall {
            parent_call: Some(Cow::Borrowed(call_id)),
            cwd: cwd.map(Cow::Owned),
            ..ToolCall::new(id.as_str(), found.name.as_str(), kind, Cow::Owned(raw))
        };
        call.set_action(action.flatten());
        reader.give(at, &format!("{}/{number}", at.id), Body::ToolCall(call))?;
        pending.children.push(Child { call_id: id, kind, plan, comes_back });
    }
    reader.scripts.insert(call_id.to_owned(), pending);
    Ok(())
}

/// Returns what a tool is given; nothing where the command itself is not known.
fn arguments(found: &ScriptCall) -> Option<Value> {
    let argument = found.argument.clone().unwrap_or_default();
    match (found.name.as_str(), &argument) {
        ("exec_command", Value::String(_)) => Some(json!({ "cmd": argument })),
        ("exec_command", _) => {
            let command = argument.get("cmd").or(argument.get("command"))?;
            (command.is_string() || command.is_array()).then_some(argument.clone())
        }
        ("apply_patch", Value::String(_)) => Some(json!({ "input": argument })),
        ("apply_patch", _) => {
            let patch = ["input", "patch"].iter().find_map(|key| argument[*key].as_str())?;
            Some(json!({ "input": patch }))
        }
        (_, Value::Object(_)) => Some(argument),
        (_, Value::Null) => Some(json!({})),
        _ => Some(json!({ "input": argument })),
    }
}

/// Remembers which script a call waits for.
pub(super) fn wait(reader: &mut Reader<'_>, call_id: &str, arguments: &RawValue) {
    let value: Value = json::from_str(arguments.get()).unwrap_or_default();
    let cell = &value["cell_id"];
    let cell = cell.as_str().map_or_else(|| cell.to_string(), str::to_owned);
    if let Some(pending) = reader.cells.remove(&cell) {
        reader.scripts.insert(call_id.to_owned(), pending);
    }
}

/// Gives the results of a script's calls, where the output tells them apart.
pub(super) fn results(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    call_id: &str,
    output: &[Part<'_>],
) -> Result<()> {
    let Some(pending) = reader.scripts.remove(call_id) else { return Ok(()) };
    let Some((state, parts)) = without_head(output) else { return Ok(()) };
    if let Some(cell) = state.strip_prefix(RUNNING) {
        reader.cells.insert(cell.trim().to_owned(), pending);
        return Ok(());
    }
    let has_failed = !state.starts_with(STATES[0]);
    let shares = shares(&pending, parts);
    let is_one = !has_failed && shares.len() == 1;
    let may_run_on = is_one && lasted::waited(output);
    // A script prints by what name its command runs on only where that does.
    let named = pending.before_name.as_deref().filter(|_| is_one);
    let named = named.and_then(|before| lasted::named(before, output));
    for (number, (child, parts)) in shares.into_iter().enumerate() {
        let ending = output::ending(&parts);
        let status =
            if has_failed && ending.exit_code.is_none() { Status::Error } else { ending.status };
        let mut result = ToolResult::new(Cow::Borrowed(&child.call_id), status, parts);
        result.exit_code = ending.exit_code;
        result.rejected = ending.rejected;
        let is_told = ending.exit_code.is_some() || ending.rejected;
        if let Some(name) = named.as_ref().filter(|_| !is_told) {
            result.out = Some(Cow::Owned(name.clone()));
        } else if may_run_on
            && !is_told
            && lasted::was_given_up(child.comes_back, &pending.began, at.ts)
        {
            // Nobody can wait for it: its name was not printed.
            result.out = Some(Cow::Borrowed(""));
        }
        reader.give(at, &format!("{}/{number}", at.id), Body::ToolResult(result))?;
    }
    let plan = pending.children.into_iter().filter_map(|child| child.plan).next_back();
    match plan {
        Some(plan) if !has_failed => plan::give(reader, at, plan),
        _ => Ok(()),
    }
}

/// Returns what a script printed, without what tells how it ended.
pub(super) fn printed(output: Vec<Part<'static>>) -> Vec<Part<'static>> {
    without_head(&output).map_or(output, |(_, printed)| printed)
}

/// Takes the line that tells how the script ended off its output.
fn without_head<'p>(output: &[Part<'p>]) -> Option<(String, Vec<Part<'p>>)> {
    let Part::Text(first) = output.first()? else { return None };
    let plain = first.plain();
    let state = plain.lines().next()?.to_owned();
    if !STATES.iter().any(|lead| state.starts_with(lead)) {
        return None;
    }
    let rest = plain.split_once("Output:\n").map(|(_, rest)| rest).unwrap_or_default();
    let own = (!rest.is_empty()).then(|| Part::Text(Text::from(rest.to_owned())));
    Some((state, own.into_iter().chain(output[1..].iter().cloned()).collect()))
}

/// Splits an output over the calls: all of it to the only one, or one part to each in order.
fn shares<'c, 'p>(pending: &'c Pending, parts: Vec<Part<'p>>) -> Vec<(&'c Child, Vec<Part<'p>>)> {
    let all: Vec<&Child> = pending.children.iter().collect();
    if pending.is_partial || all.is_empty() {
        return Vec::new();
    }
    if let [only] = all[..] {
        return vec![(only, parts)];
    }
    let shells: Vec<&Child> =
        all.iter().copied().filter(|child| child.kind == ToolKind::Shell).collect();
    let takers = if all.len() == parts.len() { all } else { shells };
    if takers.len() != parts.len() {
        return Vec::new();
    }
    takers.into_iter().zip(parts.into_iter().map(|part| vec![part])).collect()
}
