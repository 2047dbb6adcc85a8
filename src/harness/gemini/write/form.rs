//! The disk form, as it is written. Keys stand in the harness's own order.

use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::value::RawValue;

use crate::harness::gemini::outcome::Fields;
use crate::harness::mark::Mark;
use crate::json;

/// The first line. It has no `id`: the harness would take it for a message.
#[derive(serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Header<'a> {
    pub(super) session_id: &'a str,
    pub(super) project_hash: String,
    pub(super) start_time: &'a str,
    pub(super) last_updated: &'a str,
    pub(super) kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) summary: Option<&'a str>,
    /// Where it comes from; the harness passes over keys that it does not know.
    #[serde(rename = "x_origin")]
    pub(super) x_origin: Origin<'a>,
}

/// The session that this one was made of.
#[derive(serde::Serialize)]
pub(super) struct Origin<'a> {
    pub(super) harness: &'a str,
    pub(super) session: &'a str,
    /// The folder in which the session goes on: elsewhere than in the harness's own place nothing else tells it.
    pub(super) cwd: &'a str,
    /// When its last item ended, where the file is dated by when it was put in place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ended: Option<&'a str>,
}

/// A message of either side.
#[derive(serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Message<'a> {
    pub(super) id: String,
    pub(super) timestamp: &'a str,
    #[serde(rename = "type")]
    pub(super) speaker: &'static str,
    pub(super) content: Content,
    /// What the human typed, where more than that was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) display_content: Option<Content>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) thoughts: Vec<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tokens: Option<Tokens>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) model: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) tool_calls: Vec<ToolCall<'a>>,
    #[serde(rename = "x_origin", skip_serializing_if = "Option::is_none")]
    pub(super) mark: Option<Mark>,
}

impl<'a> Message<'a> {
    /// A message that says no more than its content.
    pub(super) fn of(
        id: String,
        timestamp: &'a str,
        speaker: &'static str,
        content: Content,
    ) -> Self {
        Self {
            id,
            timestamp,
            speaker,
            content,
            display_content: None,
            thoughts: Vec::new(),
            tokens: None,
            model: None,
            tool_calls: Vec::new(),
            mark: None,
        }
    }
}

/// What is said: the harness writes a model's words as one text where they are one.
#[derive(serde::Serialize)]
#[serde(untagged)]
pub(super) enum Content {
    Text(String),
    Parts(Vec<Part>),
}

/// A piece of what is said.
#[derive(serde::Serialize)]
#[serde(untagged)]
pub(super) enum Part {
    Text {
        text: String,
    },
    #[serde(rename_all = "camelCase")]
    Data {
        inline_data: Data,
    },
    #[serde(rename_all = "camelCase")]
    File {
        file_data: File,
    },
    #[serde(rename_all = "camelCase")]
    Response {
        function_response: Response,
    },
    /// As it stood in a session of the same harness.
    Raw(Box<RawValue>),
}

/// Bytes.
#[derive(serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Data {
    pub(super) mime_type: String,
    pub(super) data: String,
}

/// The address of bytes.
#[derive(serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct File {
    pub(super) file_uri: String,
    pub(super) mime_type: String,
}

/// What came back for a call, as the model's interface has it.
#[derive(serde::Serialize)]
pub(super) struct Response {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) response: Outcome,
}

/// How a call ended; never empty.
pub(super) struct Outcome {
    /// What its text is called: `output` or `error`.
    pub(super) name: &'static str,
    pub(super) text: String,
    /// What the tool said beside that, as the harness recorded it.
    pub(super) beside: Vec<Box<RawValue>>,
}

impl Serialize for Outcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry(self.name, &self.text)?;
        for object in &self.beside {
            let Fields(fields) = json::from_str(object.get()).unwrap_or_default();
            for (key, value) in fields {
                map.serialize_entry(&key, value)?;
            }
        }
        map.end()
    }
}

/// A stretch of thinking.
#[derive(serde::Serialize)]
pub(super) struct Thought<'a> {
    pub(super) subject: &'a str,
    pub(super) description: &'a str,
    pub(super) timestamp: &'a str,
}

/// What one response cost.
#[derive(serde::Serialize)]
pub(super) struct Tokens {
    pub(super) input: u64,
    pub(super) output: u64,
    pub(super) cached: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) thoughts: Option<u64>,
    pub(super) total: u64,
}

/// A call with its result.
#[derive(serde::Serialize)]
pub(super) struct ToolCall<'a> {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) args: Box<RawValue>,
    pub(super) result: Vec<Part>,
    pub(super) status: &'static str,
    pub(super) timestamp: &'a str,
    /// The side session that it began.
    #[serde(rename = "agentId", skip_serializing_if = "Option::is_none")]
    pub(super) agent: Option<String>,
    #[serde(rename = "x_origin", skip_serializing_if = "Option::is_none")]
    pub(super) mark: Option<Mark>,
}
