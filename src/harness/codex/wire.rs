//! The disk form: what of a line this reader looks at, every field optional and of any type.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::harness::time;
use crate::jsonl::{self, Lax, Nested};

/// One line; in the oldest files the line is itself what is the payload later.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Record<'a> {
    #[serde(borrow, deserialize_with = "time::stamp")]
    pub(super) timestamp: Lax<'a>,
    #[serde(borrow, rename = "type")]
    pub(super) kind: Lax<'a>,
    #[serde(borrow)]
    pub(super) payload: Option<&'a RawValue>,
    #[serde(deserialize_with = "jsonl::count")]
    pub(super) ordinal: Option<u64>,
    #[serde(borrow)]
    pub(super) record_type: Lax<'a>,
    #[serde(borrow)]
    pub(super) id: Lax<'a>,
    /// Whether it has a payload at all.
    #[serde(skip)]
    pub(super) wrapped: bool,
}

/// One line read together with its payload, which is most of it.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Whole<'a> {
    #[serde(borrow, deserialize_with = "time::stamp")]
    pub(super) timestamp: Lax<'a>,
    #[serde(borrow, rename = "type")]
    pub(super) kind: Lax<'a>,
    #[serde(borrow)]
    /// Boxed: it is large, and handed on more than once.
    pub(super) payload: Option<Nested<Box<Payload<'a>>>>,
    #[serde(deserialize_with = "jsonl::count")]
    pub(super) ordinal: Option<u64>,
    #[serde(borrow)]
    pub(super) record_type: Lax<'a>,
    #[serde(borrow)]
    pub(super) id: Lax<'a>,
    /// What this program noted beside the payload of a session that it converted.
    #[serde(borrow)]
    pub(super) converted_from: Option<&'a RawValue>,
}

/// The payload of any type of line.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Payload<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Lax<'a>,
    #[serde(borrow)]
    pub(super) id: Lax<'a>,
    #[serde(borrow)]
    pub(super) role: Lax<'a>,
    #[serde(borrow)]
    pub(super) name: Lax<'a>,
    #[serde(borrow)]
    pub(super) namespace: Lax<'a>,
    #[serde(borrow)]
    pub(super) call_id: Lax<'a>,
    #[serde(borrow)]
    pub(super) status: Lax<'a>,
    #[serde(borrow)]
    pub(super) phase: Lax<'a>,
    #[serde(borrow)]
    pub(super) author: Lax<'a>,
    #[serde(borrow)]
    pub(super) recipient: Lax<'a>,
    #[serde(borrow)]
    pub(super) content: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) summary: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) encrypted_content: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) arguments: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) input: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) output: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) tools: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) action: Option<&'a RawValue>,
    /// What a search of the provider's own looked for, where that is not in its action.
    #[serde(borrow)]
    pub(super) query: Option<&'a RawValue>,
    /// The pieces of an output that is an object.
    #[serde(borrow)]
    pub(super) content_items: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) result: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) revised_prompt: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) internal_chat_message_metadata_passthrough: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) message: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) text: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) images: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) local_images: Option<&'a RawValue>,
    #[serde(borrow, rename = "kind")]
    pub(super) sort: Lax<'a>,
    #[serde(borrow)]
    pub(super) reason: Lax<'a>,
    #[serde(borrow)]
    pub(super) info: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) usage: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) goal: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) item: Option<&'a RawValue>,
    #[serde(deserialize_with = "jsonl::count")]
    pub(super) num_turns: Option<u64>,
    #[serde(borrow)]
    pub(super) exit_code: Lax<'a>,
    #[serde(borrow)]
    pub(super) success: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) thread_name: Lax<'a>,
    #[serde(borrow)]
    pub(super) replacement_history: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) model: Lax<'a>,
    #[serde(borrow)]
    pub(super) agent_thread_id: Lax<'a>,
    #[serde(borrow)]
    pub(super) agent_path: Lax<'a>,
    #[serde(borrow)]
    pub(super) event_id: Lax<'a>,
    /// Why a turn failed.
    #[serde(borrow)]
    pub(super) error: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) review_output: Option<&'a RawValue>,
    /// What is to be looked at in a review; once that was a prompt.
    #[serde(borrow)]
    pub(super) target: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) prompt: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) user_facing_hint: Option<&'a RawValue>,
    /// What stands beside it: a mark, or of a compaction one for each item inside.
    #[serde(skip)]
    pub(super) mark: Option<&'a RawValue>,
}

/// What a file says of itself.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Meta<'a> {
    #[serde(borrow)]
    pub(super) id: Lax<'a>,
    #[serde(borrow)]
    pub(super) session_id: Lax<'a>,
    #[serde(borrow, deserialize_with = "time::stamp")]
    pub(super) timestamp: Lax<'a>,
    #[serde(borrow)]
    pub(super) cwd: Lax<'a>,
    #[serde(borrow)]
    pub(super) cli_version: Lax<'a>,
    #[serde(borrow)]
    pub(super) source: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) git: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) forked_from_id: Lax<'a>,
    #[serde(borrow)]
    pub(super) parent_thread_id: Lax<'a>,
    /// The session of which this program made it.
    #[serde(borrow)]
    pub(super) converted_from: Lax<'a>,
    #[serde(borrow)]
    pub(super) history_base: Option<&'a RawValue>,
    #[serde(deserialize_with = "jsonl::count")]
    pub(super) subagent_history_start_ordinal: Option<u64>,
}

/// The repository, as a file says.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct GitMeta<'a> {
    #[serde(borrow)]
    pub(super) branch: Lax<'a>,
    #[serde(borrow)]
    pub(super) commit_hash: Lax<'a>,
    #[serde(borrow)]
    pub(super) repository_url: Lax<'a>,
}

/// The part of another file that a file goes on from.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Base<'a> {
    #[serde(borrow)]
    pub(super) thread_id: Lax<'a>,
    #[serde(deserialize_with = "jsonl::count")]
    pub(super) end_ordinal_exclusive: Option<u64>,
}

/// The repository's and the folder's place in a turn's settings.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Settings<'a> {
    #[serde(borrow)]
    pub(super) model: Lax<'a>,
    #[serde(borrow)]
    pub(super) cwd: Lax<'a>,
}

/// A piece of a message, of an output or of a reasoning.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Piece<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Lax<'a>,
    #[serde(borrow)]
    pub(super) text: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) image_url: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) path: Lax<'a>,
    #[serde(borrow)]
    pub(super) url: Lax<'a>,
    /// What the words rest on.
    #[serde(borrow)]
    pub(super) annotations: Option<&'a RawValue>,
}

/// What the client notes beside a message.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Passthrough<'a> {
    #[serde(borrow)]
    pub(super) content_item_kinds: Option<&'a RawValue>,
}

/// What `item_completed` tells of.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Done<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Lax<'a>,
    #[serde(borrow)]
    pub(super) phase: Lax<'a>,
    #[serde(borrow)]
    pub(super) id: Lax<'a>,
    #[serde(borrow)]
    pub(super) text: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) content: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) summary_text: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) raw_content: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) command: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) cwd: Lax<'a>,
    #[serde(borrow)]
    pub(super) status: Lax<'a>,
    #[serde(borrow)]
    pub(super) exit_code: Lax<'a>,
    #[serde(borrow)]
    pub(super) aggregated_output: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) stdout: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) stderr: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) changes: Option<&'a RawValue>,
    #[serde(borrow)]
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
#[serde(default)]
pub(super) struct Failed<'a> {
    #[serde(borrow)]
    pub(super) message: Option<&'a RawValue>,
}

/// The counts of a `token_count`.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Info<'a> {
    #[serde(borrow)]
    pub(super) total_token_usage: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) last_token_usage: Option<&'a RawValue>,
}
