//! Records to bodies of items.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::part::parts;
use super::wire::Record;
use crate::harness::{self, Harness, Want};
use crate::jsonl::{self, Lax};
use crate::model::{
    Body, Compaction, Message, Origin, Plan, Reasoning, Role, SideSession, Status, Text, ToolCall,
    ToolResult, Usage, no_arguments,
};
use crate::note::Notes;

/// Reads the body of an item; nothing if the record is none or lacks what makes it one.
pub(super) fn body<'a>(
    record: &mut Record<'a>,
    want: Want,
    recorder: Option<&'static dyn Harness>,
    notes: &mut Notes,
) -> Option<Body<'a>> {
    Some(match record.kind_of.text() {
        "message" => Body::Message(message(record, want, notes)?),
        "reasoning" => Body::Reasoning(Reasoning {
            native: None,
            text: text(record.text).unwrap_or_else(|| Text::from("")),
            message_id: taken(&mut record.message_id),
            opaque: record.opaque,
        }),
        "tool_call" => Body::ToolCall(call(record, want, recorder)?),
        "tool_result" => Body::ToolResult(result(record, want, notes)?),
        "plan" => Body::Plan(Plan {
            call_id: taken(&mut record.call_id),
            explanation: text(record.explanation),
            items: list(record.items),
        }),
        "compaction" => Body::Compaction(compaction(record)),
        "usage" => Body::Usage(usage(record)),
        "notice" => Body::Notice { kind: taken(&mut record.kind)?, text: text(record.text) },
        "side_session" => Body::SideSession(SideSession {
            id: taken(&mut record.session_id)?,
            call_id: taken(&mut record.call_id),
            agent: taken(&mut record.agent),
            title: text(record.title),
            source: record.source.and_then(jsonl::string).map(Cow::into_owned),
            lines: record.lines,
        }),
        _ => return None,
    })
}

fn message<'a>(record: &mut Record<'a>, want: Want, notes: &mut Notes) -> Option<Message<'a>> {
    let role = word(&record.role)?;
    let origin = word(&record.origin).unwrap_or(match role {
        Role::Assistant => Origin::Model,
        Role::User => Origin::Human,
        Role::System => Origin::Harness,
    });
    Some(Message {
        role,
        origin,
        message_id: taken(&mut record.message_id),
        model: taken(&mut record.model),
        parts: parts(record.parts, want.blobs, record.line.unwrap_or(0), notes),
        said: text(record.said),
        interim: record.interim,
        called: None,
    })
}

fn usage<'a>(record: &mut Record<'a>) -> Usage<'a> {
    Usage {
        model: taken(&mut record.model),
        input_tokens: record.input_tokens,
        cached_tokens: record.cached_tokens,
        cache_write_tokens: record.cache_write_tokens,
        output_tokens: record.output_tokens,
        reasoning_tokens: record.reasoning_tokens,
        cumulative: record.cumulative,
    }
}

fn call<'a>(
    record: &mut Record<'a>,
    want: Want,
    recorder: Option<&'static dyn Harness>,
) -> Option<ToolCall<'a>> {
    let arguments = record.arguments.filter(|raw| raw.get().starts_with('{'));
    let arguments = arguments.map_or_else(no_arguments, Cow::Borrowed);
    let name = taken(&mut record.name)?;
    let kind = word(&record.kind).unwrap_or_default();
    let mut call = ToolCall {
        message_id: taken(&mut record.message_id),
        parent_call: taken(&mut record.parent_call),
        namespace: taken(&mut record.namespace),
        cwd: taken(&mut record.cwd),
        ..ToolCall::new(taken(&mut record.call_id)?, name, kind, arguments)
    };
    if want.actions {
        call.set_action(harness::action(recorder, &call));
    }
    Some(call)
}

fn result<'a>(record: &mut Record<'a>, want: Want, notes: &mut Notes) -> Option<ToolResult<'a>> {
    let output = parts(record.output, want.blobs, record.line.unwrap_or(0), notes);
    let status = word(&record.status).unwrap_or(Status::Ok);
    Some(ToolResult {
        exit_code: record.exit_code.get().and_then(|code| code.parse().ok()),
        persisted: jsonl::shaped(record.persisted),
        rejected: record.rejected,
        user_said: text(record.user_said),
        out: taken(&mut record.runs_on),
        ended: jsonl::shaped(record.ended_later),
        answers: list(record.answers),
        ..ToolResult::new(taken(&mut record.call_id)?, status, output)
    })
}

fn compaction<'a>(record: &mut Record<'a>) -> Compaction<'a> {
    Compaction {
        native: None,
        trigger: taken(&mut record.trigger).unwrap_or(Cow::Borrowed("unknown")),
        tokens_before: record.tokens_before,
        tokens_after: record.tokens_after,
        tokens_before_estimated: record.tokens_before_estimated,
        tokens_after_estimated: record.tokens_after_estimated,
        summary: text(record.summary),
        readable: record.readable,
        summary_id: taken(&mut record.summary_id),
        summary_line: record.summary_line,
        replaced: jsonl::elements(record.replaced_ids)
            .into_iter()
            .filter_map(jsonl::string)
            .collect(),
    }
}

/// Takes a text out of a record.
pub(super) fn taken<'a>(field: &mut Lax<'a>) -> Option<Cow<'a, str>> {
    std::mem::take(field).take()
}

pub(super) fn text(raw: Option<&RawValue>) -> Option<Text<'_>> {
    raw.and_then(Text::json)
}

/// Reads one of a few words.
fn word<'a, T: Deserialize<'a>>(field: &'a Lax<'_>) -> Option<T> {
    let word = serde::de::value::BorrowedStrDeserializer::new(field.get()?);
    let read: Result<T, serde::de::value::Error> = T::deserialize(word);
    read.ok()
}

/// Reads those elements of a list that have the shape of `T`.
pub(super) fn list<'a, T: Deserialize<'a>>(raw: Option<&'a RawValue>) -> Vec<T> {
    jsonl::elements(raw).into_iter().filter_map(|raw| jsonl::shaped(Some(raw))).collect()
}
