//! The disk form: what of a line this reader looks at, every field optional and of any type.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::harness::time;
use crate::jsonl::{self, Lax, Nested};

/// One line; in the oldest files the line is itself what is the payload later.
#[derive(Deserialize, Default)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub(super) struct Record<'a> {
    #[serde(deserialize_with = "time::stamp")]
    pub(super) timestamp: Lax<'a>,
    #[serde(rename = "type")]
    pub(super) kind: Lax<'a>,
    pub(super) payload: Option<&'a RawValue>,
    #[serde(deserialize_with = "jsonl::count")]
    pub(super) ordinal: Option<u64>,
    pub(super) record_type: Lax<'a>,
    pub(super) id: Lax<'a>,
    /// Whether it has a payload at all.
    #[serde(skip)]
    pub(super) wrapped: bool,
}

/// One line read together with its payload, which is most of it.
#[derive(Deserialize, Default)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub(super) struct Whole<'a> {
    #[serde(deserialize_with = "time::stamp")]
    pub(super) timestamp: Lax<'a>,
    #[serde(rename = "type")]
    pub(super) kind: Lax<'a>,
    /// Boxed: it is large, and handed on more than once.
    pub(super) payload: Option<Nested<Box<Payload<'a>>>>,
    #[serde(deserialize_with = "jsonl::count")]
    pub(super) ordinal: Option<u64>,
    pub(super) record_type: Lax<'a>,
    pub(super) id: Lax<'a>,
    /// What this program noted beside the payload of a session that it converted.
    pub(super) converted_from: Option<&'a RawValue>,
}

/// The payload of any type of line.
#[derive(Deserialize, Default)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub(super) struct Payload<'a> {
    #[serde(rename = "type")]
    pub(super) kind: Lax<'a>,
    pub(super) id: Lax<'a>,
    pub(super) role: Lax<'a>,
    pub(super) name: Lax<'a>,
    pub(super) namespace: Lax<'a>,
    pub(super) call_id: Lax<'a>,
    pub(super) status: Lax<'a>,
    pub(super) phase: Lax<'a>,
    pub(super) author: Lax<'a>,
    pub(super) recipient: Lax<'a>,
    pub(super) content: Option<&'a RawValue>,
    pub(super) summary: Option<&'a RawValue>,
    pub(super) encrypted_content: Option<&'a RawValue>,
    pub(super) arguments: Option<&'a RawValue>,
    pub(super) input: Option<&'a RawValue>,
    pub(super) output: Option<&'a RawValue>,
    pub(super) tools: Option<&'a RawValue>,
    pub(super) action: Option<&'a RawValue>,
    /// What a search of the provider's own looked for, where that is not in its action.
    pub(super) query: Option<&'a RawValue>,
    /// The pieces of an output that is an object.
    pub(super) content_items: Option<&'a RawValue>,
    pub(super) result: Option<&'a RawValue>,
    pub(super) revised_prompt: Option<&'a RawValue>,
    pub(super) internal_chat_message_metadata_passthrough: Option<&'a RawValue>,
    pub(super) message: Option<&'a RawValue>,
    pub(super) text: Option<&'a RawValue>,
    pub(super) images: Option<&'a RawValue>,
    pub(super) local_images: Option<&'a RawValue>,
    #[serde(rename = "kind")]
    pub(super) sort: Lax<'a>,
    pub(super) reason: Lax<'a>,
    pub(super) info: Option<&'a RawValue>,
    pub(super) usage: Option<&'a RawValue>,
    pub(super) goal: Option<&'a RawValue>,
    pub(super) item: Option<&'a RawValue>,
    #[serde(deserialize_with = "jsonl::count")]
    pub(super) num_turns: Option<u64>,
    pub(super) exit_code: Lax<'a>,
    pub(super) success: Option<&'a RawValue>,
    pub(super) thread_name: Lax<'a>,
    pub(super) replacement_history: Option<&'a RawValue>,
    pub(super) model: Lax<'a>,
    pub(super) agent_thread_id: Lax<'a>,
    pub(super) agent_path: Lax<'a>,
    pub(super) event_id: Lax<'a>,
    /// Why a turn failed.
    pub(super) error: Option<&'a RawValue>,
    pub(super) review_output: Option<&'a RawValue>,
    /// What is to be looked at in a review; once that was a prompt.
    pub(super) target: Option<&'a RawValue>,
    pub(super) prompt: Option<&'a RawValue>,
    pub(super) user_facing_hint: Option<&'a RawValue>,
    /// What stands beside it: a mark, or of a compaction one for each item inside.
    #[serde(skip)]
    pub(super) mark: Option<&'a RawValue>,
}

/// What a file says of itself.
#[derive(Deserialize, Default)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub(super) struct Meta<'a> {
    pub(super) id: Lax<'a>,
    pub(super) session_id: Lax<'a>,
    #[serde(deserialize_with = "time::stamp")]
    pub(super) timestamp: Lax<'a>,
    pub(super) cwd: Lax<'a>,
    pub(super) cli_version: Lax<'a>,
    pub(super) source: Option<&'a RawValue>,
    pub(super) git: Option<&'a RawValue>,
    pub(super) forked_from_id: Lax<'a>,
    pub(super) parent_thread_id: Lax<'a>,
    /// The session of which this program made it.
    pub(super) converted_from: Lax<'a>,
    pub(super) history_base: Option<&'a RawValue>,
    #[serde(deserialize_with = "jsonl::count")]
    pub(super) subagent_history_start_ordinal: Option<u64>,
}

/// The repository, as a file says.
#[derive(Deserialize, Default)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub(super) struct GitMeta<'a> {
    pub(super) branch: Lax<'a>,
    pub(super) commit_hash: Lax<'a>,
    pub(super) repository_url: Lax<'a>,
}

/// The part of another file that a file goes on from.
#[derive(Deserialize, Default)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub(super) struct Base<'a> {
    pub(super) thread_id: Lax<'a>,
    #[serde(deserialize_with = "jsonl::count")]
    pub(super) end_ordinal_exclusive: Option<u64>,
}

/// The repository's and the folder's place in a turn's settings.
#[derive(Deserialize, Default)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub(super) struct Settings<'a> {
    pub(super) model: Lax<'a>,
    pub(super) cwd: Lax<'a>,
}

/// A piece of a message, of an output or of a reasoning.
#[derive(Deserialize, Default)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub(super) struct Piece<'a> {
    #[serde(rename = "type")]
    pub(super) kind: Lax<'a>,
    pub(super) text: Option<&'a RawValue>,
    pub(super) image_url: Option<&'a RawValue>,
    pub(super) path: Lax<'a>,
    pub(super) url: Lax<'a>,
    /// What the words rest on.
    pub(super) annotations: Option<&'a RawValue>,
}

/// What the client notes beside a message.
#[derive(Deserialize, Default)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub(super) struct Passthrough<'a> {
    pub(super) content_item_kinds: Option<&'a RawValue>,
}

/// What `item_completed` tells of.
#[derive(Deserialize, Default)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub(super) struct Done<'a> {
    #[serde(rename = "type")]
    pub(super) kind: Lax<'a>,
    pub(super) phase: Lax<'a>,
    pub(super) id: Lax<'a>,
    pub(super) text: Option<&'a RawValue>,
    pub(super) content: Option<&'a RawValue>,
    pub(super) summary_text: Option<&'a RawValue>,
    pub(super) raw_content: Option<&'a RawValue>,
    pub(super) command: Option<&'a RawValue>,
    pub(super) cwd: Lax<'a>,
    pub(super) status: Lax<'a>,
    pub(super) exit_code: Lax<'a>,
    pub(super) aggregated_output: Option<&'a RawValue>,
    pub(super) stdout: Option<&'a RawValue>,
    pub(super) stderr: Option<&'a RawValue>,
    pub(super) changes: Option<&'a RawValue>,
    pub(super) review: Option<&'a RawValue>,
}

/// Token counts by the harness's names.
#[derive(Deserialize, Default, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(default)]
pub(super) struct Tokens {
    #[serde(deserialize_with = "jsonl::count")]
    pub(super) input_tokens: Option<u64>,
    #[serde(deserialize_with = "jsonl::count")]
    pub(super) cached_input_tokens: Option<u64>,
    #[serde(deserialize_with = "jsonl::count")]
    pub(super) cache_write_input_tokens: Option<u64>,
    #[serde(deserialize_with = "jsonl::count")]
    pub(super) output_tokens: Option<u64>,
    #[serde(deserialize_with = "jsonl::count")]
    pub(super) reasoning_output_tokens: Option<u64>,
    #[serde(deserialize_with = "jsonl::count")]
    pub(super) total_tokens: Option<u64>,
}

impl Tokens {
    /// Tells whether nothing was sent and nothing came back.
    pub(super) fn is_nothing(&self) -> bool {
        self.input_tokens.unwrap_or(0) == 0 && self.output_tokens.unwrap_or(0) == 0
    }
}

/// What failed, where that stands by itself.
#[derive(Deserialize, Default)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub(super) struct Failed<'a> {
    pub(super) message: Option<&'a RawValue>,
}

/// The counts of a `token_count`.
#[derive(Deserialize, Default)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub(super) struct Info<'a> {
    pub(super) total_token_usage: Option<&'a RawValue>,
    pub(super) last_token_usage: Option<&'a RawValue>,
}
