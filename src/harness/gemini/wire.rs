//! The disk form, as far as it is looked into.
//!
//! Every field is lenient: what has another type than expected counts as absent, so that one odd
//! value never costs a whole record.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::harness::time;
use crate::jsonl::{Lax, count, flag};

/// Any record: a header, a message, an entry of the prompt log, a rewind or an update.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Record<'a> {
    #[serde(borrow, rename = "$rewindTo")]
    pub(super) rewind_to: Lax<'a>,
    #[serde(borrow, rename = "$set")]
    pub(super) set: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) id: Lax<'a>,
    #[serde(borrow)]
    pub(super) session_id: Lax<'a>,
    #[serde(borrow)]
    pub(super) project_hash: Lax<'a>,
    #[serde(borrow, deserialize_with = "time::stamp")]
    pub(super) start_time: Lax<'a>,
    #[serde(borrow, deserialize_with = "time::stamp")]
    pub(super) last_updated: Lax<'a>,
    #[serde(borrow)]
    pub(super) summary: Lax<'a>,
    #[serde(borrow)]
    pub(super) kind: Lax<'a>,
    /// Folders that belong to the project besides its own.
    #[serde(borrow)]
    pub(super) directories: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) messages: Option<&'a RawValue>,
    #[serde(borrow, rename = "type")]
    pub(super) kind_of_message: Lax<'a>,
    /// The speaker in a checkpoint.
    #[serde(borrow)]
    pub(super) role: Lax<'a>,
    #[serde(borrow, deserialize_with = "time::stamp")]
    pub(super) timestamp: Lax<'a>,
    #[serde(borrow)]
    pub(super) content: Option<&'a RawValue>,
    /// What the human saw, where more than that was sent.
    #[serde(borrow)]
    pub(super) display_content: Option<&'a RawValue>,
    /// The content in a checkpoint.
    #[serde(borrow)]
    pub(super) parts: Option<&'a RawValue>,
    /// The content in the prompt log.
    #[serde(borrow)]
    pub(super) message: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) thoughts: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) tokens: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) model: Lax<'a>,
    #[serde(borrow)]
    pub(super) tool_calls: Option<&'a RawValue>,
    /// What this program noted: of which session it made the file, and whose words a message holds.
    #[serde(borrow, rename = "x_origin")]
    pub(super) origin: Option<&'a RawValue>,
}

/// The session of which this program made a file.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Source<'a> {
    #[serde(borrow)]
    pub(super) harness: Lax<'a>,
    #[serde(borrow)]
    pub(super) session: Lax<'a>,
    /// The folder in which it goes on.
    #[serde(borrow)]
    pub(super) cwd: Lax<'a>,
    /// When the last of what was converted ended, where the file says another time.
    #[serde(borrow)]
    pub(super) ended: Lax<'a>,
}

/// What one response cost.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Tokens {
    #[serde(deserialize_with = "count")]
    pub(super) input: Option<u64>,
    #[serde(deserialize_with = "count")]
    pub(super) output: Option<u64>,
    #[serde(deserialize_with = "count")]
    pub(super) cached: Option<u64>,
    #[serde(deserialize_with = "count")]
    pub(super) thoughts: Option<u64>,
    /// Of what tools of the provider's own gave back.
    #[serde(deserialize_with = "count")]
    pub(super) tool: Option<u64>,
}

/// A stretch of the model's thinking.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Thought<'a> {
    #[serde(borrow)]
    pub(super) subject: Lax<'a>,
    #[serde(borrow)]
    pub(super) description: Lax<'a>,
}

/// A tool call with its result, as the user interface keeps it.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct ToolCall<'a> {
    #[serde(borrow)]
    pub(super) id: Lax<'a>,
    #[serde(borrow)]
    pub(super) name: Lax<'a>,
    #[serde(borrow)]
    pub(super) args: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) result: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) status: Lax<'a>,
    #[serde(borrow, deserialize_with = "time::stamp")]
    pub(super) timestamp: Lax<'a>,
    #[serde(borrow)]
    pub(super) agent_id: Lax<'a>,
    #[serde(borrow)]
    pub(super) result_display: Option<&'a RawValue>,
    /// What this program noted of the result.
    #[serde(borrow, rename = "x_origin")]
    pub(super) origin: Option<&'a RawValue>,
}

/// A piece of a message, as the model's interface has it.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Part<'a> {
    #[serde(borrow)]
    pub(super) text: Option<&'a RawValue>,
    #[serde(deserialize_with = "flag")]
    pub(super) thought: bool,
    #[serde(borrow)]
    pub(super) function_call: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) function_response: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) inline_data: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) file_data: Option<&'a RawValue>,
}

/// A tool call inside a message's content.
#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct FunctionCall<'a> {
    #[serde(borrow)]
    pub(super) id: Lax<'a>,
    #[serde(borrow)]
    pub(super) name: Lax<'a>,
    #[serde(borrow)]
    pub(super) args: Option<&'a RawValue>,
}

/// A tool result inside a message's content.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct FunctionResponse<'a> {
    #[serde(borrow)]
    pub(super) id: Lax<'a>,
    #[serde(borrow)]
    pub(super) name: Lax<'a>,
    #[serde(borrow)]
    pub(super) response: Option<&'a RawValue>,
    /// Images that came with it.
    #[serde(borrow)]
    pub(super) parts: Option<&'a RawValue>,
}

/// Bytes, or the address of a file.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Data<'a> {
    #[serde(borrow)]
    pub(super) mime_type: Lax<'a>,
    #[serde(borrow)]
    pub(super) data: Lax<'a>,
    #[serde(borrow)]
    pub(super) file_uri: Lax<'a>,
}

/// The arguments of the tools that are looked into.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Arguments<'a> {
    #[serde(borrow)]
    pub(super) command: Lax<'a>,
    #[serde(borrow)]
    pub(super) pid: Lax<'a>,
    #[serde(borrow)]
    pub(super) name: Lax<'a>,
    #[serde(borrow)]
    pub(super) directory: Lax<'a>,
    #[serde(borrow)]
    pub(super) dir_path: Lax<'a>,
    #[serde(borrow)]
    pub(super) path: Lax<'a>,
    #[serde(borrow)]
    pub(super) file_path: Lax<'a>,
    #[serde(borrow)]
    pub(super) absolute_path: Lax<'a>,
    #[serde(borrow)]
    pub(super) paths: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) include: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) content: Lax<'a>,
    #[serde(borrow)]
    pub(super) old_string: Lax<'a>,
    #[serde(borrow)]
    pub(super) new_string: Lax<'a>,
    #[serde(deserialize_with = "count")]
    pub(super) offset: Option<u64>,
    #[serde(deserialize_with = "count")]
    pub(super) limit: Option<u64>,
    #[serde(deserialize_with = "count")]
    pub(super) start_line: Option<u64>,
    #[serde(deserialize_with = "count")]
    pub(super) end_line: Option<u64>,
    #[serde(borrow)]
    pub(super) pattern: Lax<'a>,
    #[serde(borrow)]
    pub(super) query: Lax<'a>,
    #[serde(borrow)]
    pub(super) prompt: Lax<'a>,
    #[serde(borrow)]
    pub(super) url: Lax<'a>,
    #[serde(borrow)]
    pub(super) objective: Lax<'a>,
    #[serde(borrow)]
    pub(super) agent_name: Lax<'a>,
    #[serde(borrow)]
    pub(super) plan: Lax<'a>,
    #[serde(borrow)]
    pub(super) plan_path: Lax<'a>,
    #[serde(borrow)]
    pub(super) plan_filename: Lax<'a>,
    #[serde(borrow)]
    pub(super) todos: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) questions: Option<&'a RawValue>,
}

/// A question to the human.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Question<'a> {
    #[serde(borrow)]
    pub(super) question: Lax<'a>,
    #[serde(borrow)]
    pub(super) options: Option<&'a RawValue>,
}

/// What can be chosen.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Choice<'a> {
    #[serde(borrow)]
    pub(super) label: Lax<'a>,
}

/// One entry of a list of work.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Todo<'a> {
    #[serde(borrow)]
    pub(super) description: Lax<'a>,
    #[serde(borrow)]
    pub(super) status: Lax<'a>,
}

/// The part of a display that repeats a list of work.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct TodoDisplay<'a> {
    #[serde(borrow)]
    pub(super) todos: Option<&'a RawValue>,
}
