//! What the model is sent: messages, reasoning, calls and their results.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::digest::id_digest;
use super::read::{At, Reader};
use super::row::{DOUBLE, HUMAN, Kind, SUMMARY};
use super::text::{self, Whose, kinds, pieces, whose_piece};
use super::wire::{Payload, Piece};
use super::{call, known, output, plan, script, side};
use crate::error::Result;
use crate::harness::mark::Mark;
use crate::jsonl;
use crate::model::{
    Blob, Body, Message, Origin, Part, Reasoning, Role, Text, ToolCall, ToolKind, ToolResult,
};
use crate::note::{NoteKind, Notes};

/// The phase of what the model says before it goes on (0.116).
pub(super) const INTERIM: &str = "commentary";

/// Gives the items of one record.
pub(super) fn item(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    payload: &Payload<'_>,
    notes: &mut Notes,
) -> Result<()> {
    reader.remember(at);
    match at.row.kind {
        Kind::User => user(reader, at, payload, notes),
        Kind::Developer | Kind::System => {
            message(reader, at, payload, (Role::System, Origin::Harness), notes)
        }
        Kind::Answer if at.row.has(SUMMARY) => {
            message(reader, at, payload, (Role::Assistant, Origin::Summary), notes)
        }
        Kind::Answer => message(reader, at, payload, (Role::Assistant, Origin::Model), notes),
        Kind::Mail => message(reader, at, payload, (Role::User, Origin::Agent), notes),
        Kind::Reasoning => reasoning(reader, at, payload),
        Kind::Call | Kind::WebSearch => tool_call(reader, at, payload, notes),
        Kind::Result => tool_result(reader, at, payload, notes),
        Kind::Image => image(reader, at, payload),
        _ => Ok(()),
    }
}

/// Returns a piece of a message as a part.
pub(super) fn part<'a>(
    reader: &Reader<'_>,
    (raw, piece): &(&'a RawValue, Piece<'a>),
    line: u64,
    notes: &mut Notes,
) -> Part<'a> {
    if let Some(text) = piece.text.and_then(Text::json) {
        if piece.annotations.is_some_and(|raw| !matches!(raw.get(), "null" | "[]")) {
            notes.add(NoteKind::NotInForm, "annotations", line);
        }
        return Part::Text(text);
    }
    if let Some(url) = piece.image_url.and_then(jsonl::string) {
        return Part::Blob(Blob::address(url, reader.want.blobs));
    }
    let kind = piece.kind.text();
    if !matches!(kind, "encrypted_content" | "input_audio" | "input_image") {
        notes.add(NoteKind::UnknownPart, kind, line);
    }
    Part::Other { kind: kind.to_owned().into(), json: Cow::Borrowed(raw) }
}

fn message(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    payload: &Payload<'_>,
    (role, origin): (Role, Origin),
    notes: &mut Notes,
) -> Result<()> {
    let pieces = pieces(payload.content.or(payload.output));
    let parts = pieces.iter().map(|piece| part(reader, piece, at.line, notes));
    let mut parts: Vec<_> = parts.chain(sealed(at, payload)).collect();
    if at.row.kind == Kind::Mail
        && let Some(head) = text::mail_head(payload, &parts)
    {
        parts.insert(0, Part::Text(head.into()));
    }
    let model = model(reader, role);
    let interim = payload.phase.text() == INTERIM;
    let message = Message { model, parts, interim, ..Message::text(role, origin, "") };
    reader.give(at, &at.id, Body::Message(message))
}

/// Returns the words of a message of another agent that stand beside the others, where only the
/// provider can read them.
fn sealed<'a>(at: &At<'_>, payload: &Payload<'a>) -> Option<Part<'a>> {
    let raw =
        payload.encrypted_content.filter(|raw| at.row.kind == Kind::Mail && raw.get() != "null")?;
    let object = RawValue::from_string(format!(
        "{{\"type\":\"encrypted_content\",\"encrypted_content\":{}}}",
        raw.get()
    ));
    Some(Part::Other { kind: "encrypted_content".into(), json: Cow::Owned(object.ok()?) })
}

fn say(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    (role, origin): (Role, Origin),
    parts: Vec<Part<'_>>,
    said: Option<Text<'_>>,
) -> Result<()> {
    let model = model(reader, role);
    let message = Message { model, parts, said, ..Message::text(role, origin, "") };
    reader.give(at, &at.id, Body::Message(message))
}

/// Returns the model that speaks, if one does.
pub(super) fn model(reader: &Reader<'_>, role: Role) -> Option<Cow<'static, str>> {
    (role == Role::Assistant).then(|| reader.model.clone()).flatten().map(Cow::Owned)
}

/// A message in the role of the user, whoever wrote it.
fn user(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    payload: &Payload<'_>,
    notes: &mut Notes,
) -> Result<()> {
    let kinds = kinds(payload);
    let (mut typed, mut parts) = (Vec::new(), Vec::new());
    let (mut is_command, mut is_mixed) = (false, false);
    for (place, piece) in pieces(payload.content).iter().enumerate() {
        let whose = whose_piece(&piece.1, kinds.get(place));
        let part = part(reader, piece, at.line, notes);
        is_command |= whose == Whose::Command;
        is_mixed |= whose != Whose::Human;
        if whose == Whose::Human {
            typed.push(part.clone());
        }
        parts.push(part);
    }
    if let Some(Mark { origin: Some(origin), said, .. }) = Mark::read(payload.mark) {
        keep(reader, at, &parts);
        return say(reader, at, (Role::User, origin), parts, said.map(Text::from));
    }
    keep(reader, at, &typed);
    if !at.row.has(HUMAN) {
        let origin = if is_command { Origin::Command } else { Origin::Harness };
        return say(reader, at, (Role::User, origin), parts, None);
    }
    let words = text::plain(&typed);
    let said = match text::request(&words) {
        Some(request) => Some(request.to_owned()),
        None => (is_mixed && !typed.is_empty()).then_some(words),
    };
    say(reader, at, (Role::User, human(reader)), parts, said.map(Text::from))
}

/// Who writes the requests of this file.
pub(super) fn human(reader: &Reader<'_>) -> Origin {
    if reader.scan.is_spawned { Origin::Agent } else { Origin::Human }
}

/// Keeps the words of a request that a later compaction repeats.
fn keep(reader: &mut Reader<'_>, at: &At<'_>, parts: &[Part<'_>]) {
    if !at.copy && reader.scan.kept.contains(&at.number) {
        reader.kept.insert(at.number, text::plain(parts));
    }
}

fn reasoning(reader: &mut Reader<'_>, at: &At<'_>, payload: &Payload<'_>) -> Result<()> {
    let texts = |list| {
        let texts = pieces(list).into_iter().filter_map(|(_, piece)| piece.text);
        texts.filter_map(Text::json).filter(|text| !text.is_blank()).collect::<Vec<_>>()
    };
    let mut found = texts(payload.summary);
    if found.is_empty() {
        found = texts(payload.content);
    }
    let text = match found.len() {
        1 => found.remove(0),
        _ => found.iter().map(|text| text.plain()).collect::<Vec<_>>().join("\n\n").into(),
    };
    let opaque = payload.encrypted_content.is_some_and(|raw| raw.get().len() > 2);
    let native = reader.want.native.then(|| native(payload)).flatten();
    reader.give(at, &at.id, Body::Reasoning(Reasoning { text, message_id: None, opaque, native }))
}

/// Returns the thinking as it can be sent again; without its id, which the provider may not know.
fn native(payload: &Payload<'_>) -> Option<Cow<'static, RawValue>> {
    #[derive(serde::Serialize)]
    struct Sent<'a> {
        r#type: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        summary: Option<Option<&'a RawValue>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        content: Option<&'a RawValue>,
        encrypted_content: Option<&'a RawValue>,
    }
    let Payload { summary, content, encrypted_content, .. } = *payload;
    // A summary that only the provider can read goes the same way.
    let (kind, summary) = match payload.kind.text() {
        kind if known::is_summary(kind) => (kind, None),
        _ => ("reasoning", Some(summary)),
    };
    let sent = Sent { r#type: kind, summary, content, encrypted_content };
    serde_json::value::to_raw_value(&sent).ok().map(Cow::Owned)
}

fn tool_call(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    payload: &Payload<'_>,
    notes: &mut Notes,
) -> Result<()> {
    let call_id = payload.call_id.filled().or(payload.id.filled()).unwrap_or(&at.id).to_owned();
    let name = call::name(payload);
    // A patch is long, and to be taken as an object has to be copied.
    let patched = reader.want.bare.then(|| call::patched(&name, payload)).flatten();
    let arguments = match &patched {
        Some(_) => Cow::Owned(call::object_of(&serde_json::Value::Null)),
        None => call::arguments(payload, at.line, notes),
    };
    let kind = call::kind(&name, &arguments);
    let is_copy = at.copy || at.row.kind == Kind::WebSearch;
    if !is_copy {
        expect(reader, &call_id, &name, kind, &arguments);
    }
    let action = || reader.want.actions.then(|| call::action(&name, kind, &arguments)).flatten();
    let action = patched.or_else(action);
    let mark = Mark::read(payload.mark).unwrap_or_default();
    let mut call = ToolCall {
        namespace: payload.namespace.filled().map(|name| name.to_owned().into()),
        cwd: mark.cwd.as_deref().map(Cow::Borrowed),
        home: mark.home.as_deref().map(Cow::Borrowed),
        ..ToolCall::new(call_id.as_str(), name, kind, arguments)
    };
    call.set_action(action);
    let script = call::script(payload, &call).filter(|_| !at.copy);
    reader.give(at, &at.id, Body::ToolCall(call))?;
    match script {
        Some(text) => script::children(reader, at, (&call_id, &mark), &text, notes),
        None => Ok(()),
    }
}

/// Remembers what the result of a call will be needed for.
fn expect(reader: &mut Reader<'_>, call_id: &str, name: &str, kind: ToolKind, raw: &RawValue) {
    match kind {
        ToolKind::Plan => {
            if let Some(plan) = plan::of_call(name, call_id, raw) {
                reader.plans.insert(call_id.to_owned(), plan);
            }
        }
        ToolKind::Ask => {
            reader.asked.insert(call_id.to_owned(), call::questions(raw));
        }
        ToolKind::Agent => side::expect(reader, call_id, name, raw),
        _ if name == "wait" => script::wait(reader, call_id, raw),
        _ => {}
    }
}

fn tool_result(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    payload: &Payload<'_>,
    notes: &mut Notes,
) -> Result<()> {
    if at.row.has(DOUBLE) && !at.copy {
        notes.add(NoteKind::OrphanResult, "", at.line);
    }
    let mark = Mark::read(payload.mark);
    if mark.as_ref().is_some_and(|mark| mark.no_result) {
        return Ok(());
    }
    let call_id = payload.call_id.filled().or(payload.id.filled()).unwrap_or(&at.id);
    let parts = output::parts(reader, payload, at.line, notes);
    let ending = output::ending(&parts).with_own(payload.output);
    let ending = ending.with(reader.scan.outcomes.get(&id_digest(call_id)));
    let mut parts = parts;
    if let Some(mark) = &mark {
        mark.behead(&mut parts);
    }
    let after = parts.clone();
    let mut result = ToolResult::new(Cow::Borrowed(call_id), ending.status, parts);
    result.exit_code = ending.exit_code;
    result.rejected = ending.rejected;
    if !at.copy
        && let Some(asked) = reader.asked.remove(call_id)
    {
        result.answers = output::answers(&asked, &after);
    }
    if let Some(mark) = mark {
        mark.tell(&mut result);
    }
    reader.give(at, &at.id, Body::ToolResult(result))?;
    if at.copy {
        return Ok(());
    }
    script::results(reader, at, call_id, &after)?;
    plan::after(reader, at, call_id, ending.status, &after)?;
    side::after(reader, at, call_id, &after)
}

/// A picture that the model made: asked for and given in one record.
fn image(reader: &mut Reader<'_>, at: &At<'_>, payload: &Payload<'_>) -> Result<()> {
    let call_id = payload.id.filled().unwrap_or(&at.id);
    let prompt = payload.revised_prompt;
    let arguments =
        prompt.map_or_else(|| call::object("prompt", ""), |raw| call::object("prompt", raw));
    let call = ToolCall::new(call_id, "image_generation", ToolKind::Other, Cow::Owned(arguments));
    reader.give(at, &at.id, Body::ToolCall(call))?;
    let Some(data) = payload.result.and_then(jsonl::string) else { return Ok(()) };
    let blob = Blob::base64("image/png".into(), data, reader.want.blobs);
    let status = output::status_word(payload.status.text());
    let result = ToolResult::new(Cow::Borrowed(call_id), status, vec![Part::Blob(blob)]);
    reader.give(at, &format!("{}/result", at.id), Body::ToolResult(result))
}
