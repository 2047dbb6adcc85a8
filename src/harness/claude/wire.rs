//! The records of a session file, exactly as they stand on disk (1.0 to 2.1.330).
//!
//! Every field may be missing or of another type: a line is read for what it has.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::harness::time;
use crate::jsonl::{Lax, Nested, count, flag};

/// One line of any type.
#[derive(Deserialize)]
pub(super) struct Line<'a> {
    #[serde(rename = "type", borrow, default)]
    pub kind: Lax<'a>,
    #[serde(borrow, default)]
    pub uuid: Lax<'a>,
    #[serde(rename = "parentUuid", borrow, default)]
    pub parent: Lax<'a>,
    /// Only on a compaction boundary: the last line before it.
    #[serde(rename = "logicalParentUuid", borrow, default)]
    pub logical_parent: Lax<'a>,
    #[serde(rename = "sessionId", borrow, default)]
    pub session_id: Lax<'a>,
    #[serde(borrow, default, deserialize_with = "time::stamp")]
    pub timestamp: Lax<'a>,
    #[serde(rename = "isSidechain", default, deserialize_with = "flag")]
    pub is_side: bool,
    #[serde(rename = "isMeta", default, deserialize_with = "flag")]
    pub is_meta: bool,
    #[serde(rename = "isCompactSummary", default, deserialize_with = "flag")]
    pub is_summary: bool,
    #[serde(rename = "isApiErrorMessage", default, deserialize_with = "flag")]
    pub is_api_error: bool,
    /// Whether the answer broke off while it came in.
    #[serde(rename = "isAbortedMidStream", default, deserialize_with = "flag")]
    pub is_broken_off: bool,
    #[serde(rename = "agentId", borrow, default)]
    pub agent_id: Lax<'a>,
    #[serde(borrow, default)]
    pub cwd: Lax<'a>,
    #[serde(borrow, default)]
    pub version: Lax<'a>,
    /// By what the program was started (2.1 on).
    #[serde(borrow, default)]
    pub entrypoint: Lax<'a>,
    #[serde(rename = "gitBranch", borrow, default)]
    pub git_branch: Lax<'a>,
    #[serde(borrow, default)]
    pub subtype: Lax<'a>,
    /// What became of what was typed while the agent worked.
    #[serde(borrow, default)]
    pub operation: Lax<'a>,
    #[serde(rename = "requestId", borrow, default)]
    pub request_id: Lax<'a>,
    #[serde(rename = "promptSource", borrow, default)]
    pub prompt_source: Lax<'a>,
    #[serde(rename = "sourceToolAssistantUUID", borrow, default)]
    pub call_line: Lax<'a>,
    #[serde(rename = "leafUuid", borrow, default)]
    pub leaf: Lax<'a>,
    #[serde(borrow, default)]
    pub summary: Lax<'a>,
    #[serde(rename = "aiTitle", borrow, default)]
    pub ai_title: Lax<'a>,
    #[serde(rename = "customTitle", borrow, default)]
    pub custom_title: Lax<'a>,
    #[serde(borrow, default)]
    pub message: Nested<Message<'a>>,
    #[serde(borrow, default)]
    pub content: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub origin: Option<&'a RawValue>,
    #[serde(rename = "toolUseResult", borrow, default)]
    pub tool_result: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub attachment: Option<&'a RawValue>,
    #[serde(rename = "forkedFrom", borrow, default)]
    pub forked_from: Option<&'a RawValue>,
    #[serde(rename = "compactMetadata", borrow, default)]
    pub compact: Option<&'a RawValue>,
    /// What this program noted on a line of a session that it converted.
    #[serde(rename = "convertedFrom", borrow, default)]
    pub converted_from: Option<&'a RawValue>,
}

/// `message` of a user or assistant line.
#[derive(Deserialize, Default)]
pub(super) struct Message<'a> {
    #[serde(borrow, default)]
    pub id: Lax<'a>,
    #[serde(borrow, default)]
    pub model: Lax<'a>,
    #[serde(borrow, default)]
    pub content: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub usage: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub stop_reason: Lax<'a>,
    /// What the provider says of why it stopped, such as of a refusal.
    #[serde(borrow, default)]
    pub stop_details: Option<&'a RawValue>,
}

/// One block of a message's content.
#[derive(Deserialize)]
pub(super) struct Block<'a> {
    #[serde(rename = "type", borrow, default)]
    pub kind: Lax<'a>,
    #[serde(borrow, default)]
    pub text: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub thinking: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub signature: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub id: Lax<'a>,
    #[serde(borrow, default)]
    pub name: Lax<'a>,
    /// The server of a tool that the provider calls there.
    #[serde(borrow, default)]
    pub server_name: Lax<'a>,
    #[serde(borrow, default)]
    pub input: Option<&'a RawValue>,
    #[serde(rename = "tool_use_id", borrow, default)]
    pub tool_use_id: Lax<'a>,
    #[serde(borrow, default)]
    pub content: Option<&'a RawValue>,
    #[serde(default, deserialize_with = "flag")]
    pub is_error: bool,
    #[serde(borrow, default)]
    pub source: Option<&'a RawValue>,
    /// What the words of a text rest on.
    #[serde(borrow, default)]
    pub citations: Option<&'a RawValue>,
    /// What a document is called, and what is said of it.
    #[serde(borrow, default)]
    pub title: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub context: Option<&'a RawValue>,
}

/// Where an image block has its bytes.
#[derive(Deserialize)]
pub(super) struct ImageSource<'a> {
    /// `text` where the bytes are not in base64.
    #[serde(rename = "type", borrow, default)]
    pub kind: Lax<'a>,
    #[serde(borrow, default)]
    pub media_type: Lax<'a>,
    #[serde(borrow, default)]
    pub data: Lax<'a>,
    #[serde(borrow, default)]
    pub url: Lax<'a>,
}

/// Token counts of one response; repeated on each of its lines.
#[derive(Deserialize, Default)]
pub(super) struct Usage {
    #[serde(default, deserialize_with = "count")]
    pub input_tokens: Option<u64>,
    #[serde(default, deserialize_with = "count")]
    pub cache_creation_input_tokens: Option<u64>,
    #[serde(default, deserialize_with = "count")]
    pub cache_read_input_tokens: Option<u64>,
    #[serde(default, deserialize_with = "count")]
    pub output_tokens: Option<u64>,
}

/// What a compaction boundary says of itself; the last two since 2.1.226.
#[derive(Deserialize, Default)]
pub(super) struct CompactMeta<'a> {
    #[serde(borrow, default)]
    pub trigger: Lax<'a>,
    #[serde(rename = "preTokens", default, deserialize_with = "count")]
    pub before: Option<u64>,
    #[serde(rename = "postTokens", default, deserialize_with = "count")]
    pub after: Option<u64>,
    #[serde(rename = "preservedSegment", borrow, default)]
    pub preserved: Option<&'a RawValue>,
}

/// Lines from before a boundary that stay in the context after the summary.
#[derive(Deserialize)]
pub(super) struct Preserved<'a> {
    #[serde(rename = "headUuid", borrow, default)]
    pub head: Lax<'a>,
    /// The summary's line.
    #[serde(rename = "anchorUuid", borrow, default)]
    pub anchor: Lax<'a>,
    #[serde(rename = "tailUuid", borrow, default)]
    pub tail: Lax<'a>,
}

/// An attachment; `rendered` (2.1.330) is the text that was really sent.
#[derive(Deserialize)]
pub(super) struct Attachment<'a> {
    #[serde(rename = "type", borrow, default)]
    pub kind: Lax<'a>,
    #[serde(borrow, default)]
    pub prompt: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub content: Option<&'a RawValue>,
    #[serde(rename = "commandMode", borrow, default)]
    pub command_mode: Lax<'a>,
    #[serde(borrow, default)]
    pub filename: Lax<'a>,
    #[serde(borrow, default)]
    pub snippet: Lax<'a>,
    #[serde(rename = "planFilePath", borrow, default)]
    pub plan_file: Lax<'a>,
    #[serde(borrow, default)]
    pub path: Lax<'a>,
    /// What holds the words of several at once, as do the next two.
    #[serde(borrow, default)]
    pub files: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub skills: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub memories: Option<&'a RawValue>,
    #[serde(rename = "blockingError", borrow, default)]
    pub blocking: Option<&'a RawValue>,
}

/// What a file holds that is attached, or a memory, a skill, a hook that stopped something.
#[derive(Deserialize)]
pub(super) struct Attached<'a> {
    #[serde(borrow, default)]
    pub file: Nested<AttachedFile<'a>>,
    #[serde(borrow, default)]
    pub path: Lax<'a>,
    #[serde(borrow, default)]
    pub name: Lax<'a>,
    #[serde(borrow, default)]
    pub content: Lax<'a>,
    #[serde(rename = "blockingError", borrow, default)]
    pub blocking: Lax<'a>,
}

/// The text of a file that is attached.
#[derive(Deserialize, Default)]
pub(super) struct AttachedFile<'a> {
    #[serde(borrow, default)]
    pub content: Lax<'a>,
}

/// The harness's own form of a tool's result, as far as it says more than the text.
#[derive(Deserialize, Default)]
pub(super) struct ToolUseResult<'a> {
    #[serde(default, deserialize_with = "flag")]
    pub interrupted: bool,
    #[serde(rename = "backgroundTaskId", borrow, default)]
    pub background: Lax<'a>,
    #[serde(rename = "persistedOutputPath", borrow, default)]
    pub persisted: Lax<'a>,
    #[serde(rename = "persistedOutputSize", default, deserialize_with = "count")]
    pub persisted_bytes: Option<u64>,
    #[serde(borrow, default)]
    pub stdout: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub stderr: Option<&'a RawValue>,
    /// What an exit code means that is none of a failure, such as `No matches found`.
    #[serde(rename = "returnCodeInterpretation", borrow, default)]
    pub meaning: Lax<'a>,
    #[serde(rename = "agentId", borrow, default)]
    pub agent_id: Lax<'a>,
    #[serde(borrow, default)]
    pub answers: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub annotations: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub task: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub tasks: Option<&'a RawValue>,
}

/// Something with a `kind`.
#[derive(Deserialize)]
pub(super) struct Kind<'a> {
    #[serde(borrow, default)]
    pub kind: Lax<'a>,
}

/// Where the lines of a forked session come from.
#[derive(Deserialize)]
pub(super) struct ForkedFrom<'a> {
    #[serde(rename = "sessionId", borrow, default)]
    pub session_id: Lax<'a>,
}

/// `agent-<id>.meta.json` beside a side session (2.1.x).
#[derive(Deserialize, Default)]
pub(super) struct AgentMeta<'a> {
    #[serde(rename = "agentType", borrow, default)]
    pub agent: Lax<'a>,
    #[serde(borrow, default)]
    pub description: Lax<'a>,
    /// The surest link to the call (2.1.330).
    #[serde(rename = "toolUseId", borrow, default)]
    pub call_id: Lax<'a>,
}
