//! The unified form: one record a line.
//!
//! Written by hand field by field, because serde's flattening would copy every text and lose the
//! raw ones. `schemas/session-1.schema.json` describes the result.

use base64::Engine as _;
use serde::ser::{SerializeMap, SerializeStruct as _, Serializer};
use serde::{Serialize, Serialize as _Serialize};

use super::{
    Body, Compaction, Header, Item, Message, Part, Plan, Reasoning, SideSession, ToolCall,
    ToolResult, Usage,
};
use crate::note::{Note, Tally};

/// The name of the schema, with its version.
pub const SCHEMA: &str = "segue-session-1";

impl Header {
    /// Writes the `session` record.
    pub fn record(&self) -> impl Serialize + '_ {
        #[derive(Serialize)]
        struct Record<'a> {
            r#type: &'static str,
            schema: &'static str,
            #[serde(flatten)]
            header: &'a Header,
        }
        Record { r#type: "session", schema: SCHEMA, header: self }
    }
}

/// The last record: what became of the lines.
#[derive(Clone, Debug, Default)]
pub struct End {
    /// Where the lines went.
    pub tally: Tally,
    /// What was skipped, by kind.
    pub notes: Vec<Note>,
}

impl Serialize for End {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut record = serializer.serialize_struct("End", 6)?;
        record.serialize_field("type", "end")?;
        record.serialize_field("lines_read", &self.tally.lines_read)?;
        record.serialize_field("lines_used", &self.tally.lines_used)?;
        record.serialize_field("lines_bookkeeping", &self.tally.lines_bookkeeping)?;
        record.serialize_field("lines_noted", &self.tally.lines_noted)?;
        record.serialize_field("notes", &self.notes)?;
        record.end()
    }
}

impl Serialize for Item<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("type", self.body.type_name())?;
        map.serialize_entry("id", &self.id)?;
        some(&mut map, "parent_id", self.parent_id.as_ref())?;
        map.serialize_entry("turn", &self.turn)?;
        some(&mut map, "ts", self.ts.as_ref())?;
        map.serialize_entry("line", &self.line)?;
        map.serialize_entry("live", &self.live)?;
        some(&mut map, "dropped_by", self.dropped_by.as_ref())?;
        some(&mut map, "side_session", self.side_session.as_ref())?;
        some(&mut map, "copy_of", self.copy_of.as_ref())?;
        some(&mut map, "rank", Some(&self.rank).filter(|rank| **rank > 0))?;
        self.body.entries(&mut map)?;
        map.end()
    }
}

impl Body<'_> {
    /// The `type` of its record.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Message(_) => "message",
            Self::Reasoning(_) => "reasoning",
            Self::ToolCall(_) => "tool_call",
            Self::ToolResult(_) => "tool_result",
            Self::Plan(_) => "plan",
            Self::Compaction(_) => "compaction",
            Self::Usage(_) => "usage",
            Self::Notice { .. } => "notice",
            Self::SideSession(_) => "side_session",
        }
    }

    /// Writes the fields of its own, without the ones that every item has.
    pub fn entries<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        match self {
            Self::Message(message) => message.entries(map),
            Self::Reasoning(reasoning) => reasoning.entries(map),
            Self::ToolCall(call) => call.entries(map),
            Self::ToolResult(result) => result.entries(map),
            Self::Plan(plan) => plan.entries(map),
            Self::Compaction(compaction) => compaction.entries(map),
            Self::Usage(usage) => usage.entries(map),
            Self::Notice { kind, text } => {
                map.serialize_entry("kind", kind)?;
                some(map, "text", text.as_ref())
            }
            Self::SideSession(side) => side.entries(map),
        }
    }
}

impl Message<'_> {
    fn entries<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry("role", &self.role)?;
        map.serialize_entry("origin", &self.origin)?;
        some(map, "message_id", self.message_id.as_ref())?;
        some(map, "model", self.model.as_ref())?;
        map.serialize_entry("parts", &self.parts)?;
        some(map, "said", self.said.as_ref())?;
        some(map, "interim", self.interim.then_some(&true))
    }
}

impl Reasoning<'_> {
    fn entries<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        some(map, "message_id", self.message_id.as_ref())?;
        map.serialize_entry("text", &self.text)?;
        map.serialize_entry("opaque", &self.opaque)
    }
}

impl ToolCall<'_> {
    fn entries<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry("call_id", &self.call_id)?;
        map.serialize_entry("name", &self.name)?;
        map.serialize_entry("kind", &self.kind)?;
        some(map, "message_id", self.message_id.as_ref())?;
        some(map, "parent_call", self.parent_call.as_ref())?;
        some(map, "namespace", self.namespace.as_ref())?;
        some(map, "cwd", self.cwd.as_ref())?;
        map.serialize_entry("arguments", &self.arguments)
    }
}

impl ToolResult<'_> {
    fn entries<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry("call_id", &self.call_id)?;
        map.serialize_entry("status", &self.status)?;
        some(map, "exit_code", self.exit_code.as_ref())?;
        if self.rejected {
            map.serialize_entry("rejected", &true)?;
        }
        some(map, "user_said", self.user_said.as_ref())?;
        if !self.answers.is_empty() {
            map.serialize_entry("answers", &self.answers)?;
        }
        some(map, "runs_on", self.out.as_ref())?;
        some(map, "ended_later", self.ended.as_ref())?;
        map.serialize_entry("output", &self.output)?;
        some(map, "persisted", self.persisted.as_ref())
    }
}

impl Plan<'_> {
    fn entries<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        some(map, "call_id", self.call_id.as_ref())?;
        some(map, "explanation", self.explanation.as_ref())?;
        map.serialize_entry("items", &self.items)
    }
}

impl Compaction<'_> {
    fn entries<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry("trigger", &self.trigger)?;
        some(map, "tokens_before", self.tokens_before.as_ref())?;
        some(map, "tokens_after", self.tokens_after.as_ref())?;
        map.serialize_entry("tokens_before_estimated", &self.tokens_before_estimated)?;
        map.serialize_entry("tokens_after_estimated", &self.tokens_after_estimated)?;
        map.serialize_entry("readable", &self.readable)?;
        some(map, "summary", self.summary.as_ref())?;
        some(map, "summary_id", self.summary_id.as_ref())?;
        some(map, "summary_line", self.summary_line.as_ref())?;
        map.serialize_entry("replaced_ids", &self.replaced)
    }
}

impl Usage<'_> {
    fn entries<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        some(map, "model", self.model.as_ref())?;
        some(map, "input_tokens", self.input_tokens.as_ref())?;
        some(map, "cached_tokens", self.cached_tokens.as_ref())?;
        some(map, "cache_write_tokens", self.cache_write_tokens.as_ref())?;
        some(map, "output_tokens", self.output_tokens.as_ref())?;
        some(map, "reasoning_tokens", self.reasoning_tokens.as_ref())?;
        map.serialize_entry("cumulative", &self.cumulative)
    }
}

impl SideSession<'_> {
    fn entries<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry("session_id", &self.id)?;
        some(map, "call_id", self.call_id.as_ref())?;
        some(map, "agent", self.agent.as_ref())?;
        some(map, "title", self.title.as_ref())?;
        some(map, "source", self.source.as_ref())?;
        some(map, "lines", self.lines.as_ref())
    }
}

impl Serialize for Part<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self {
            Self::Text(text) => {
                map.serialize_entry("type", "text")?;
                map.serialize_entry("text", text)?;
            }
            Self::Blob(blob) => {
                map.serialize_entry("type", "blob")?;
                map.serialize_entry("media_type", &blob.media_type)?;
                let name = blob.name();
                some(&mut map, "sha256", name.sha256.as_ref())?;
                some(&mut map, "bytes", name.bytes.as_ref())?;
                some(&mut map, "address", blob.address.as_ref())?;
                some(&mut map, "data", blob.data.as_ref())?;
            }
            Self::Other { kind, json } => {
                map.serialize_entry("type", "other")?;
                map.serialize_entry("kind", kind)?;
                map.serialize_entry("json", json)?;
            }
        }
        map.end()
    }
}

/// Writes an entry only if there is a value.
fn some<M: SerializeMap, T: _Serialize + ?Sized>(
    map: &mut M,
    key: &'static str,
    value: Option<&T>,
) -> Result<(), M::Error> {
    value.map_or(Ok(()), |value| map.serialize_entry(key, value))
}

/// Writes bytes that are not UTF-8 for a raw line record.
pub fn encode_base64(bytes: &[u8]) -> String {
    base64::engine::general_purpose::STANDARD.encode(bytes)
}
