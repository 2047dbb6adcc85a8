//! The lines as they are written (2.1.330).

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;

use super::block::{Block, Content};
use crate::harness::mark;

/// One line of the chain; what is empty is left out, but for the parent.
#[derive(Serialize)]
pub(super) struct Line<'a> {
    #[serde(rename = "parentUuid")]
    pub parent: Option<&'a str>,
    #[serde(rename = "logicalParentUuid", skip_serializing_if = "Option::is_none")]
    pub logical_parent: Option<&'a str>,
    #[serde(flatten)]
    pub envelope: &'a Envelope,
    #[serde(flatten)]
    pub body: Body<'a>,
    pub uuid: &'a str,
    pub timestamp: &'a str,
    /// The program passes over keys that it does not know.
    #[serde(rename = "convertedFrom", skip_serializing_if = "Option::is_none")]
    pub beside: Option<mark::Mark>,
}

/// What is the same on all lines.
#[derive(Serialize)]
pub(super) struct Envelope {
    #[serde(rename = "isSidechain")]
    pub is_side: bool,
    #[serde(rename = "agentId", skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<String>,
    #[serde(rename = "userType")]
    pub user_type: &'static str,
    pub cwd: String,
    #[serde(rename = "sessionId")]
    pub session_id: String,
    pub version: String,
    #[serde(rename = "gitBranch")]
    pub git_branch: String,
}

/// What a line is.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Body<'a> {
    User {
        message: UserMessage<'a>,
        #[serde(flatten)]
        mark: Mark,
        #[serde(rename = "toolUseResult", skip_serializing_if = "Option::is_none")]
        tool_result: Option<Value>,
        #[serde(rename = "sourceToolAssistantUUID", skip_serializing_if = "Option::is_none")]
        call_line: Option<&'a str>,
    },
    Assistant {
        message: ModelMessage<'a>,
        /// Nothing on what the harness itself put in place of an answer.
        #[serde(rename = "requestId", skip_serializing_if = "Option::is_none")]
        request_id: Option<&'a str>,
    },
    System {
        subtype: &'static str,
        content: &'static str,
        #[serde(rename = "isMeta")]
        is_meta: bool,
        level: &'static str,
        #[serde(rename = "compactMetadata")]
        compact: CompactMeta<'a>,
    },
}

/// What tells a user line that no human typed.
#[derive(Clone, Copy, Default, Serialize)]
pub(super) struct Mark {
    #[serde(rename = "isMeta", skip_serializing_if = "is_false")]
    pub is_meta: bool,
    #[serde(rename = "isCompactSummary", skip_serializing_if = "is_false")]
    pub is_summary: bool,
    #[serde(rename = "isVisibleInTranscriptOnly", skip_serializing_if = "is_false")]
    pub is_hidden: bool,
}

/// What a user line sends.
#[derive(Serialize)]
pub(super) struct UserMessage<'a> {
    pub role: &'static str,
    pub content: Content<'a>,
}

/// What the model said.
#[derive(Serialize)]
pub(super) struct ModelMessage<'a> {
    pub id: &'a str,
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub role: &'static str,
    pub model: &'a str,
    pub content: Vec<Block<'a>>,
    pub stop_reason: &'static str,
    pub stop_sequence: Option<Cow<'a, str>>,
    pub usage: Usage,
}

/// What a response cost.
#[derive(Clone, Copy, Default, Serialize)]
pub(super) struct Usage {
    pub input_tokens: u64,
    pub output_tokens: u64,
    pub cache_creation_input_tokens: u64,
    pub cache_read_input_tokens: u64,
}

/// What a boundary says of itself.
#[derive(Serialize)]
pub(super) struct CompactMeta<'a> {
    pub trigger: &'a str,
    #[serde(rename = "preTokens", skip_serializing_if = "Option::is_none")]
    pub before: Option<u64>,
    #[serde(rename = "postTokens", skip_serializing_if = "Option::is_none")]
    pub after: Option<u64>,
}

/// What stands beside a side session's file; the newest programs find its call by it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Agent<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_type: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_use_id: Option<&'a str>,
    pub spawn_depth: usize,
}

/// The title: a line beside the chain.
#[derive(Serialize)]
pub(super) struct Title<'a> {
    #[serde(rename = "type")]
    pub kind: &'static str,
    #[serde(rename = "customTitle")]
    pub title: &'a str,
    #[serde(rename = "sessionId")]
    pub session_id: &'a str,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde wants a reference")]
fn is_false(flag: &bool) -> bool {
    !flag
}
