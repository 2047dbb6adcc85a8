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
#[serde(default, rename_all = "camelCase", bound(deserialize = "'de: 'a"))]
pub(super) struct Record<'a> {
    #[serde(rename = "$rewindTo")]
    pub(super) rewind_to: Lax<'a>,
    #[serde(rename = "$set")]
    pub(super) set: Option<&'a RawValue>,
    pub(super) id: Lax<'a>,
    pub(super) session_id: Lax<'a>,
    pub(super) project_hash: Lax<'a>,
    #[serde(deserialize_with = "time::stamp")]
    pub(super) start_time: Lax<'a>,
    #[serde(deserialize_with = "time::stamp")]
    pub(super) last_updated: Lax<'a>,
    pub(super) summary: Lax<'a>,
    pub(super) kind: Lax<'a>,
    /// Folders that belong to the project besides its own.
    pub(super) directories: Option<&'a RawValue>,
    pub(super) messages: Option<&'a RawValue>,
    #[serde(rename = "type")]
    pub(super) kind_of_message: Lax<'a>,
    /// The speaker in a checkpoint.
    pub(super) role: Lax<'a>,
    #[serde(deserialize_with = "time::stamp")]
    pub(super) timestamp: Lax<'a>,
    pub(super) content: Option<&'a RawValue>,
    /// What the human saw, where more than that was sent.
    pub(super) display_content: Option<&'a RawValue>,
    /// The content in a checkpoint.
    pub(super) parts: Option<&'a RawValue>,
    /// The content in the prompt log.
    pub(super) message: Option<&'a RawValue>,
    pub(super) thoughts: Option<&'a RawValue>,
    pub(super) tokens: Option<&'a RawValue>,
    pub(super) model: Lax<'a>,
    pub(super) tool_calls: Option<&'a RawValue>,
    /// What this program noted: of which session it made the file, and whose words a message holds.
    #[serde(rename = "x_origin")]
    pub(super) origin: Option<&'a RawValue>,
}

/// The session of which this program made a file.
#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub(super) struct Source<'a> {
    pub(super) harness: Lax<'a>,
    pub(super) session: Lax<'a>,
    /// The folder in which it goes on.
    pub(super) cwd: Lax<'a>,
    /// When the last of what was converted ended, where the file says another time.
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
#[serde(default, bound(deserialize = "'de: 'a"))]
pub(super) struct Thought<'a> {
    pub(super) subject: Lax<'a>,
    pub(super) description: Lax<'a>,
}

/// A tool call with its result, as the user interface keeps it.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase", bound(deserialize = "'de: 'a"))]
pub(super) struct ToolCall<'a> {
    pub(super) id: Lax<'a>,
    pub(super) name: Lax<'a>,
    pub(super) args: Option<&'a RawValue>,
    pub(super) result: Option<&'a RawValue>,
    pub(super) status: Lax<'a>,
    #[serde(deserialize_with = "time::stamp")]
    pub(super) timestamp: Lax<'a>,
    pub(super) agent_id: Lax<'a>,
    pub(super) result_display: Option<&'a RawValue>,
    /// What this program noted of the result.
    #[serde(rename = "x_origin")]
    pub(super) origin: Option<&'a RawValue>,
}

/// A piece of a message, as the model's interface has it.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase", bound(deserialize = "'de: 'a"))]
pub(super) struct Part<'a> {
    pub(super) text: Option<&'a RawValue>,
    #[serde(deserialize_with = "flag")]
    pub(super) thought: bool,
    pub(super) function_call: Option<&'a RawValue>,
    pub(super) function_response: Option<&'a RawValue>,
    pub(super) inline_data: Option<&'a RawValue>,
    pub(super) file_data: Option<&'a RawValue>,
}

/// A tool call inside a message's content.
#[derive(Clone, Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub(super) struct FunctionCall<'a> {
    pub(super) id: Lax<'a>,
    pub(super) name: Lax<'a>,
    pub(super) args: Option<&'a RawValue>,
}

/// A tool result inside a message's content.
#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub(super) struct FunctionResponse<'a> {
    pub(super) id: Lax<'a>,
    pub(super) name: Lax<'a>,
    pub(super) response: Option<&'a RawValue>,
    /// Images that came with it.
    pub(super) parts: Option<&'a RawValue>,
}

/// Bytes, or the address of a file.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase", bound(deserialize = "'de: 'a"))]
pub(super) struct Data<'a> {
    pub(super) mime_type: Lax<'a>,
    pub(super) data: Lax<'a>,
    pub(super) file_uri: Lax<'a>,
}

/// The arguments of the tools that are looked into.
#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub(super) struct Arguments<'a> {
    pub(super) command: Lax<'a>,
    pub(super) pid: Lax<'a>,
    pub(super) name: Lax<'a>,
    pub(super) directory: Lax<'a>,
    pub(super) dir_path: Lax<'a>,
    pub(super) path: Lax<'a>,
    pub(super) file_path: Lax<'a>,
    pub(super) absolute_path: Lax<'a>,
    pub(super) paths: Option<&'a RawValue>,
    pub(super) include: Option<&'a RawValue>,
    pub(super) content: Lax<'a>,
    pub(super) old_string: Lax<'a>,
    pub(super) new_string: Lax<'a>,
    #[serde(deserialize_with = "count")]
    pub(super) offset: Option<u64>,
    #[serde(deserialize_with = "count")]
    pub(super) limit: Option<u64>,
    #[serde(deserialize_with = "count")]
    pub(super) start_line: Option<u64>,
    #[serde(deserialize_with = "count")]
    pub(super) end_line: Option<u64>,
    pub(super) pattern: Lax<'a>,
    pub(super) query: Lax<'a>,
    pub(super) prompt: Lax<'a>,
    pub(super) url: Lax<'a>,
    pub(super) objective: Lax<'a>,
    pub(super) agent_name: Lax<'a>,
    pub(super) plan: Lax<'a>,
    pub(super) plan_path: Lax<'a>,
    pub(super) plan_filename: Lax<'a>,
    pub(super) todos: Option<&'a RawValue>,
    pub(super) questions: Option<&'a RawValue>,
}

/// A question to the human.
#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub(super) struct Question<'a> {
    pub(super) question: Lax<'a>,
    pub(super) options: Option<&'a RawValue>,
}

/// What can be chosen.
#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub(super) struct Choice<'a> {
    pub(super) label: Lax<'a>,
}

/// One entry of a list of work.
#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub(super) struct Todo<'a> {
    pub(super) description: Lax<'a>,
    pub(super) status: Lax<'a>,
}

/// The part of a display that repeats a list of work.
#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub(super) struct TodoDisplay<'a> {
    pub(super) todos: Option<&'a RawValue>,
}
