//! The unified form as one document: the session, its messages, and its compactions by index.

use serde::Serialize;
use serde::ser::{SerializeMap as _, Serializer};

use crate::model::{Body, Compaction, End, Header, Item, Role, Session};

/// A whole session as one JSON value.
#[derive(Serialize)]
pub struct Document<'a> {
    session: SessionField<'a>,
    messages: Vec<Entry<'a>>,
    compaction: Boundaries,
    /// What is neither said nor asked: lists of work, usage, notices, side sessions.
    records: Vec<&'a Item<'static>>,
    end: &'a End,
}

struct SessionField<'a>(&'a Header);

impl Serialize for SessionField<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.record().serialize(serializer)
    }
}

/// One message: what one side said in one go, tools included.
#[derive(Serialize)]
struct Entry<'a> {
    index: usize,
    id: &'a str,
    role: &'static str,
    turn: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    ts: Option<&'a str>,
    line: u64,
    live: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    dropped_by: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    side_session: Option<&'a str>,
    content: Vec<Content<'a>>,
}

struct Content<'a>(&'a Item<'static>);

impl Serialize for Content<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("type", self.0.body.type_name())?;
        map.serialize_entry("id", &self.0.id)?;
        self.0.body.entries(&mut map)?;
        map.end()
    }
}

#[derive(Serialize)]
struct Boundaries {
    boundaries: Vec<Boundary>,
}

/// A compaction by its place among the messages; indexes count from 0.
#[derive(Serialize)]
struct Boundary {
    /// The message before it; nothing if it is the first thing of the session.
    after_message_index: Option<usize>,
    uuid: String,
    trigger: String,
    pre_tokens: Option<u64>,
    summary: Option<String>,
    readable: bool,
    replaced_message_indices: Vec<usize>,
}

impl<'a> Document<'a> {
    /// Arranges a session.
    pub fn new(session: &'a Session) -> Self {
        let mut messages: Vec<Entry<'a>> = Vec::new();
        let (mut boundaries, mut records) = (Vec::new(), Vec::new());
        for item in &session.items {
            match &item.body {
                Body::Message(_) | Body::Reasoning(_) | Body::ToolCall(_) | Body::ToolResult(_) => {
                    add(&mut messages, item);
                }
                Body::Compaction(compaction) => {
                    boundaries.push((messages.len().checked_sub(1), item, compaction));
                }
                _ => records.push(item),
            }
        }
        let boundaries = boundaries.into_iter().map(|found| boundary(&messages, found)).collect();
        let compaction = Boundaries { boundaries };
        let header = SessionField(&session.header);
        Self { session: header, messages, compaction, records, end: &session.end }
    }
}

/// Adds an item to the message that it belongs to, or begins one.
fn add<'a>(messages: &mut Vec<Entry<'a>>, item: &'a Item<'static>) {
    let role = role(item);
    let key = group(item);
    if let Some(last) = messages.last_mut() {
        let before = last.content.last().map(|content| content.0);
        let same = before.is_some_and(|before| {
            key.is_some() && group(before) == key && before.live == item.live
        });
        if same && last.role == role {
            last.content.push(Content(item));
            return;
        }
    }
    messages.push(Entry {
        index: messages.len(),
        id: &item.id,
        role,
        turn: item.turn,
        ts: item.ts.as_deref(),
        line: item.line,
        live: item.live,
        dropped_by: item.dropped_by.as_deref(),
        side_session: item.side_session.as_deref(),
        content: vec![Content(item)],
    });
}

fn role(item: &Item<'_>) -> &'static str {
    match &item.body {
        Body::Message(message) => match message.role {
            Role::Assistant => "assistant",
            Role::User => "user",
            Role::System => "system",
        },
        Body::ToolResult(_) => "tool",
        _ => "assistant",
    }
}

/// What pieces of one message share: the response's id, else the line.
fn group<'a>(item: &'a Item<'_>) -> Option<(&'a str, u64)> {
    match &item.body {
        Body::Message(message) => message.message_id.as_deref().map(|id| (id, 0)),
        Body::Reasoning(reasoning) => reasoning.message_id.as_deref().map(|id| (id, 0)),
        Body::ToolCall(call) => call.message_id.as_deref().map(|id| (id, 0)),
        _ => None,
    }
    .or(Some(("", item.line)))
}

fn boundary(
    messages: &[Entry<'_>],
    (after, item, compaction): (Option<usize>, &Item<'_>, &Compaction<'_>),
) -> Boundary {
    let replaced: std::collections::HashSet<&str> =
        compaction.replaced.iter().map(AsRef::as_ref).collect();
    let is_replaced = |entry: &&Entry<'_>| {
        entry.content.iter().any(|content| {
            let id: &str = &content.0.id;
            replaced.contains(id)
                || id.rsplit_once('/').is_some_and(|(base, _)| replaced.contains(base))
        })
    };
    Boundary {
        after_message_index: after,
        uuid: item.id.to_string(),
        trigger: compaction.trigger.to_string(),
        pre_tokens: compaction.tokens_before,
        summary: compaction.summary.as_ref().map(|text| text.plain().into_owned()),
        readable: compaction.readable,
        replaced_message_indices: messages
            .iter()
            .filter(is_replaced)
            .map(|entry| entry.index)
            .collect(),
    }
}
