//! What stands beside the conversation: usage, notices, plans of the screen, commands of scripts.

use std::borrow::Cow;

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::read::{At, Reader};
use super::row::Kind;
use super::text::pieces;
use super::wire::{Done, Failed, Info, Payload, Tokens};
use super::{action, call, item, output, plan};
use crate::error::Result;
use crate::jsonl;
use crate::model::{
    Blob, Body, Message, Origin, Part, Plan, PlanItem, PlanStatus, Reasoning, Role, Text, ToolCall,
    ToolKind, ToolResult, Usage,
};

/// Gives a text that only the screen showed.
pub(super) fn event(reader: &mut Reader<'_>, at: &At<'_>, payload: &Payload<'_>) -> Result<()> {
    let done: Done<'_> = jsonl::shaped(payload.item).unwrap_or_default();
    let is_done = payload.item.is_some();
    let text = match at.row.kind {
        Kind::ReasoningEvent if is_done => jsonl::elements(done.summary_text).first().copied(),
        Kind::ReasoningEvent => payload.text.or(payload.message),
        _ => payload.message,
    };
    let text = text.and_then(Text::json);
    if at.row.kind == Kind::ReasoningEvent {
        let Some(text) = text else { return Ok(()) };
        let reasoning = Reasoning { text, message_id: None, opaque: false, native: None };
        return reader.give(at, &at.id, Body::Reasoning(reasoning));
    }
    let mut parts: Vec<Part<'_>> = text.map(Part::Text).into_iter().collect();
    if is_done {
        parts.extend(done_parts(reader, &done));
    }
    for list in [payload.images, payload.local_images] {
        let paths = jsonl::elements(list).into_iter().filter_map(jsonl::string);
        parts.extend(paths.map(|path| Part::Blob(Blob::address(path, reader.want.blobs))));
    }
    let (role, origin) = match at.row.kind {
        Kind::UserEvent => (Role::User, item::human(reader)),
        _ => (Role::Assistant, Origin::Model),
    };
    let model = item::model(reader, role);
    let interim = [payload.phase.text(), done.phase.text()].contains(&item::INTERIM);
    let message = Message { model, parts, interim, ..Message::text(role, origin, "") };
    reader.give(at, &at.id, Body::Message(message))
}

fn done_parts<'a>(reader: &Reader<'_>, done: &Done<'a>) -> Vec<Part<'a>> {
    let part = |(raw, mut piece): (&'a RawValue, super::wire::Piece<'a>)| {
        if let Some(text) = piece.text.and_then(Text::json) {
            return Part::Text(text);
        }
        let url =
            piece.image_url.and_then(jsonl::string).or(std::mem::take(&mut piece.path).take());
        match url {
            Some(url) => Part::Blob(Blob::address(url, reader.want.blobs)),
            None => {
                Part::Other { kind: piece.kind.text().to_owned().into(), json: Cow::Borrowed(raw) }
            }
        }
    };
    pieces(done.content).into_iter().map(part).collect()
}

/// Gives the notice that a turn was stopped.
pub(super) fn aborted(reader: &mut Reader<'_>, at: &At<'_>, payload: &Payload<'_>) -> Result<()> {
    let reason = payload.reason.filled().filter(|reason| *reason != "interrupted");
    let text = reason.map(|reason| Text::from(reason.to_owned()));
    reader.give(at, &at.id, Body::Notice { kind: "interrupted".into(), text })
}

/// Returns the words with which something failed; what has none is told as it stands, and then the
/// flag is not set.
pub(super) fn failed<'a>(payload: &Payload<'a>) -> Option<(Text<'a>, bool)> {
    let words = |raw: &'a RawValue| Text::json(raw).filter(|text| !text.is_blank());
    // The end of a turn has other words in that place.
    if let Some(text) = payload.message.and_then(words) {
        return Some((text, true));
    }
    let error = payload.error?;
    let inside = jsonl::shaped::<Failed<'a>>(Some(error)).and_then(|failed| failed.message);
    if let Some(text) = inside.or(Some(error)).and_then(words) {
        return Some((text, true));
    }
    let says =
        !matches!(error.get(), "null" | "false" | "{}" | "[]") && Text::json(error).is_none();
    says.then(|| (Text::from(error.get()), false))
}

/// Gives what a review was to look at, or what it found.
pub(super) fn review(reader: &mut Reader<'_>, at: &At<'_>, payload: &Payload<'_>) -> Result<()> {
    let Some(text) = reviewed(payload) else { return Ok(()) };
    reader.give(at, &at.id, Body::Notice { kind: "review".into(), text: Some(text.into()) })
}

/// Returns what a review was to look at, or what it found, in words.
pub(super) fn reviewed(payload: &Payload<'_>) -> Option<String> {
    let done: Done<'_> = jsonl::shaped(payload.item).unwrap_or_default();
    let found: Option<Value> = jsonl::shaped(payload.review_output);
    let target: Value = jsonl::shaped(payload.target).unwrap_or_default();
    let asked = target["instructions"].as_str().map(str::to_owned).or_else(|| {
        let words = payload.prompt.or(payload.user_facing_hint).or(done.review);
        words.and_then(jsonl::string).map(Cow::into_owned)
    });
    let asked = asked.or_else(|| aim(&target));
    found.map(|found| findings(&found)).or(asked).filter(|text| !text.trim().is_empty())
}

/// Returns what a review was to look at where nobody put it into words, such as `commit 1a2b3c Fix it`.
fn aim(target: &Value) -> Option<String> {
    let fields = target.as_object()?;
    let named = fields.iter().filter(|(name, _)| name.as_str() != "type");
    let parts: Vec<&str> = target["type"]
        .as_str()
        .into_iter()
        .chain(named.filter_map(|(_, one)| one.as_str()))
        .collect();
    Some(parts.join(" "))
}

/// Returns what a review found, in words.
fn findings(review: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().trim().to_owned();
    let mut all: Vec<String> =
        [text(&review["overall_correctness"]), text(&review["overall_explanation"])].into();
    for finding in review["findings"].as_array().into_iter().flatten() {
        let at = &finding["code_location"];
        let mut place = text(&at["absolute_file_path"]);
        if let Some(first) = at["line_range"]["start"].as_u64().filter(|_| !place.is_empty()) {
            place = format!("{place}:{first}");
        }
        let whole = [text(&finding["title"]), place, text(&finding["body"])];
        all.push(whole.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n"));
    }
    all.retain(|part| !part.is_empty());
    all.join("\n\n")
}

/// Gives what a response cost, from whichever of the two records the file has.
pub(super) fn usage(reader: &mut Reader<'_>, at: &At<'_>, payload: &Payload<'_>) -> Result<()> {
    if reader.scan.has_usage_records != (at.row.kind == Kind::UsageRecord) {
        return Ok(());
    }
    let info: Info<'_> = jsonl::shaped(payload.info).unwrap_or_default();
    let tokens: Tokens = jsonl::shaped(payload.usage.or(info.last_token_usage)).unwrap_or_default();
    let usage = Usage {
        model: reader.model.clone().map(Cow::Owned),
        input_tokens: tokens.input_tokens,
        cached_tokens: tokens.cached_input_tokens,
        cache_write_tokens: tokens.cache_write_input_tokens,
        output_tokens: tokens.output_tokens,
        reasoning_tokens: tokens.reasoning_output_tokens,
        cumulative: false,
    };
    reader.give(at, &at.id, Body::Usage(usage))
}

/// Gives a plan that the model wrote as a text: its steps, where these are numbered, else its first line names it.
pub(super) fn plan_text(reader: &mut Reader<'_>, at: &At<'_>, payload: &Payload<'_>) -> Result<()> {
    let done: Done<'_> = jsonl::shaped(payload.item).unwrap_or_default();
    let Some(text) = done.text.and_then(Text::json) else { return Ok(()) };
    let plain = text.plain();
    let first = plain.lines().map(|line| line.trim_start_matches('#').trim());
    let first = first.into_iter().find(|line| !line.is_empty()).unwrap_or_default().to_owned();
    let steps = numbered(&plain).unwrap_or_else(|| vec![&first]);
    let items = steps.into_iter().map(|step| PlanItem::new(step, PlanStatus::Pending)).collect();
    let plan = Plan { call_id: None, explanation: Some(text.clone()), items };
    reader.give(at, &at.id, Body::Plan(plan))
}

/// Returns the entries of the numbered list of a plan, where that is all that stands below its title:
/// `1. Add the router`. What stands below another heading, or beside another list, may be anything.
fn numbered(text: &str) -> Option<Vec<&str>> {
    let entry = |line: &'_ str| -> Option<(usize, usize)> {
        let end = line.find(|c: char| !c.is_ascii_digit())?;
        let rest = line[end..].strip_prefix(['.', ')'])?;
        let number = line[..end].parse().ok()?;
        (rest.starts_with(' ')).then_some((number, end + 1))
    };
    let mut is_code = false;
    let shown = text.lines().filter(|line| {
        is_code ^= line.trim_start().starts_with("```");
        !is_code
    });
    let shown: Vec<&str> = shown.filter(|line| !line.trim().is_empty()).collect();
    let is_heading = |line: &str| line.starts_with('#');
    let is_bullet = |line: &str| line.starts_with(['-', '*', '+', '•']) && line.contains(' ');
    let below = &shown[usize::from(shown.first().is_some_and(|line| is_heading(line)))..];
    let first = below.iter().position(|line| entry(line).is_some()).filter(|first| *first == 0)?;
    let mut found = Vec::new();
    for line in &below[first..] {
        match entry(line) {
            Some((number, _)) if number != found.len() + 1 => return None,
            Some((_, at)) => found.push(line[at..].trim()),
            None if is_heading(line) || is_bullet(line) => return None,
            None => {}
        }
    }
    (found.len() > 1).then_some(found)
}

/// Gives a goal that the harness keeps.
pub(super) fn goal(reader: &mut Reader<'_>, at: &At<'_>, goal: Option<&RawValue>) -> Result<()> {
    let value: Value = jsonl::shaped(goal).unwrap_or_default();
    plan::give_goal(reader, at, &value, None)
}

/// Gives a command or change that a script made, and how it ended.
pub(super) fn child(reader: &mut Reader<'_>, at: &At<'_>, payload: &Payload<'_>) -> Result<()> {
    let done: Done<'_> = jsonl::shaped(payload.item).unwrap_or_default();
    let is_change = done.kind.get() == Some("FileChange");
    let value = if is_change { changed(&done) } else { command(&done) };
    let (name, kind) = match is_change {
        true => ("apply_patch", ToolKind::Edit),
        false => ("exec_command", ToolKind::Shell),
    };
    let call_id = done.id.filled().unwrap_or(&at.id);
    let action = reader.want.actions.then(|| action::action(name, kind, &value)).flatten();
    let call = ToolCall {
        parent_call: Some(Cow::Owned(reader.last_script.clone())),
        action: action.map(Box::new),
        ..ToolCall::new(call_id, name, kind, Cow::Owned(call::object_of(&value)))
    };
    reader.give(at, &at.id, Body::ToolCall(call))?;
    let texts = match done.aggregated_output {
        Some(output) => vec![output],
        None => [done.stdout, done.stderr].into_iter().flatten().collect(),
    };
    let texts = texts.into_iter().filter_map(Text::json).filter(|text| !text.is_blank());
    let parts = texts.map(Part::Text).collect();
    let status = output::status_word(done.status.text());
    let mut result = ToolResult::new(Cow::Borrowed(call_id), status, parts);
    result.exit_code = done.exit_code.get().and_then(|code| code.parse().ok());
    if result.exit_code.is_some_and(|code| code != 0) {
        result.status = crate::model::Status::Error;
    }
    result.rejected = done.status.get() == Some("declined");
    reader.give(at, &format!("{}/result", at.id), Body::ToolResult(result))
}

fn command(done: &Done<'_>) -> Value {
    let argv: Value = jsonl::shaped(done.command).unwrap_or_default();
    let cmd = action::command_line(&argv).unwrap_or_default();
    let cwd = done.cwd.text();
    let cwd = cwd.strip_prefix("file://").unwrap_or(cwd);
    if cwd.is_empty() { json!({ "cmd": cmd }) } else { json!({ "cmd": cmd, "workdir": cwd }) }
}

fn changed(done: &Done<'_>) -> Value {
    let changes: Value = jsonl::shaped(done.changes).unwrap_or_default();
    json!({ "changes": changes })
}
