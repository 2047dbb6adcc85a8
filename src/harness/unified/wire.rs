//! The records as they stand in a line: every field of every kind of record, each optional.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::harness::time;
use crate::jsonl::{self, Lax};
use crate::model::SCHEMA;

/// A record of any kind.
#[derive(Debug, Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub(super) struct Record<'a> {
    #[serde(borrow, rename = "type")]
    pub kind_of: Lax<'a>,
    pub schema: Lax<'a>,
    pub id: Lax<'a>,
    pub parent_id: Lax<'a>,
    #[serde(deserialize_with = "jsonl::count")]
    pub turn: Option<u64>,
    #[serde(deserialize_with = "time::stamp")]
    pub ts: Lax<'a>,
    #[serde(deserialize_with = "jsonl::count")]
    pub line: Option<u64>,
    #[serde(borrow)]
    pub live: Option<&'a RawValue>,
    pub dropped_by: Lax<'a>,
    pub side_session: Lax<'a>,
    pub copy_of: Lax<'a>,
    #[serde(deserialize_with = "jsonl::count")]
    pub rank: Option<u64>,

    pub role: Lax<'a>,
    pub origin: Lax<'a>,
    pub message_id: Lax<'a>,
    pub model: Lax<'a>,
    pub parts: Option<&'a RawValue>,
    pub said: Option<&'a RawValue>,
    #[serde(deserialize_with = "jsonl::flag")]
    pub interim: bool,
    pub text: Option<&'a RawValue>,
    #[serde(deserialize_with = "jsonl::flag")]
    pub opaque: bool,

    pub call_id: Lax<'a>,
    pub name: Lax<'a>,
    pub kind: Lax<'a>,
    pub parent_call: Lax<'a>,
    pub namespace: Lax<'a>,
    pub arguments: Option<&'a RawValue>,
    pub status: Lax<'a>,
    pub exit_code: Lax<'a>,
    #[serde(deserialize_with = "jsonl::flag")]
    pub rejected: bool,
    pub user_said: Option<&'a RawValue>,
    pub answers: Option<&'a RawValue>,
    pub runs_on: Lax<'a>,
    pub ended_later: Option<&'a RawValue>,
    pub output: Option<&'a RawValue>,
    pub persisted: Option<&'a RawValue>,
    pub explanation: Option<&'a RawValue>,
    pub items: Option<&'a RawValue>,

    pub trigger: Lax<'a>,
    #[serde(deserialize_with = "jsonl::count")]
    pub tokens_before: Option<u64>,
    #[serde(deserialize_with = "jsonl::count")]
    pub tokens_after: Option<u64>,
    #[serde(deserialize_with = "jsonl::flag")]
    pub tokens_before_estimated: bool,
    #[serde(deserialize_with = "jsonl::flag")]
    pub tokens_after_estimated: bool,
    #[serde(deserialize_with = "jsonl::flag")]
    pub readable: bool,
    pub summary: Option<&'a RawValue>,
    pub summary_id: Lax<'a>,
    #[serde(deserialize_with = "jsonl::count")]
    pub summary_line: Option<u64>,
    pub replaced_ids: Option<&'a RawValue>,

    #[serde(deserialize_with = "jsonl::count")]
    pub input_tokens: Option<u64>,
    #[serde(deserialize_with = "jsonl::count")]
    pub cached_tokens: Option<u64>,
    #[serde(deserialize_with = "jsonl::count")]
    pub cache_write_tokens: Option<u64>,
    #[serde(deserialize_with = "jsonl::count")]
    pub output_tokens: Option<u64>,
    #[serde(deserialize_with = "jsonl::count")]
    pub reasoning_tokens: Option<u64>,
    #[serde(deserialize_with = "jsonl::flag")]
    pub cumulative: bool,

    pub session_id: Lax<'a>,
    pub agent: Lax<'a>,
    pub title: Option<&'a RawValue>,
    /// A path, or in the header an object.
    pub source: Option<&'a RawValue>,
    #[serde(deserialize_with = "jsonl::count")]
    pub lines: Option<u64>,

    pub harness: Lax<'a>,
    pub harness_version: Lax<'a>,
    pub cwd: Lax<'a>,
    pub project: Lax<'a>,
    pub git: Option<&'a RawValue>,
    #[serde(deserialize_with = "time::stamp")]
    pub started_at: Lax<'a>,
    #[serde(deserialize_with = "time::stamp")]
    pub ended_at: Lax<'a>,
    pub parent: Lax<'a>,
    pub converted_from: Lax<'a>,

    #[serde(deserialize_with = "jsonl::count")]
    pub lines_read: Option<u64>,
    #[serde(deserialize_with = "jsonl::count")]
    pub lines_used: Option<u64>,
    #[serde(deserialize_with = "jsonl::count")]
    pub lines_bookkeeping: Option<u64>,
    #[serde(deserialize_with = "jsonl::count")]
    pub lines_noted: Option<u64>,
    pub notes: Option<&'a RawValue>,

    pub base64: Lax<'a>,
    #[serde(deserialize_with = "jsonl::flag")]
    pub ended: bool,
}

impl Record<'_> {
    /// Tells whether it is the first record of an export.
    pub(super) fn is_header(&self) -> bool {
        self.kind_of.get() == Some("session") && self.schema.get() == Some(SCHEMA)
    }

    /// Tells whether it would be sent to the model.
    pub(super) fn is_live(&self) -> bool {
        self.live.is_none_or(|live| live.get() != "false")
    }
}

/// The state of a repository.
#[derive(Debug, Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub(super) struct WireGit<'a> {
    #[serde(borrow)]
    pub branch: Lax<'a>,
    pub commit: Lax<'a>,
    pub remote: Lax<'a>,
}

/// A piece of a message or an output.
#[derive(Debug, Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub(super) struct WirePart<'a> {
    #[serde(borrow, rename = "type")]
    pub kind_of: Lax<'a>,
    #[serde(borrow)]
    pub text: Option<&'a RawValue>,
    pub media_type: Lax<'a>,
    pub sha256: Lax<'a>,
    #[serde(deserialize_with = "jsonl::count")]
    pub bytes: Option<u64>,
    pub address: Lax<'a>,
    pub data: Lax<'a>,
    pub kind: Lax<'a>,
    pub json: Option<&'a RawValue>,
}
