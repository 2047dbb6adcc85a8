//! What the model is sent, one JSON value an item.

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::super::item::INTERIM;
use super::super::text::{Letter, SUMMARY_LEAD};
use crate::harness::write::{IMAGES, foreign, placeholder, words};
use crate::json;
use crate::model::{Blob, Conversation, Entry, EntryBody, Message, Part, Reasoning, Role};
use crate::note::{LossKind, Losses};

/// The phase of what the model says last in a turn.
const FINAL: &str = "final_answer";

/// What the form calls a piece that only the provider can read.
const SEALED: &str = "encrypted_content";

/// Returns a message that the model answers.
pub(super) fn said(message: &Message<'_>, same: bool, id: &str, losses: &mut Losses) -> Value {
    let role = if message.role == Role::System { "developer" } else { "user" };
    let content = content(&message.parts, "input_text", same, id, losses);
    with(json!({ "type": "message", "role": role }), "content", content)
}

/// Returns a message of another agent as the harness itself writes it, if it has that form.
pub(super) fn mail(message: &Message<'_>, id: &str, losses: &mut Losses) -> Option<Value> {
    let Some(Part::Text(first)) = message.parts.first() else { return None };
    let first = first.plain();
    let letter = Letter::of(&first)?;
    let (author, recipient) = (letter.sender, letter.task?);
    // What is encrypted in it goes back to whom it was made for.
    let content: Vec<Value> =
        message.parts.iter().map(|each| part(each, "input_text", true, id, losses)).collect();
    let item = json!({ "type": "agent_message", "author": author, "recipient": recipient });
    Some(with(item, "content", content))
}

/// Tells whether the source says in which phase of a turn the model spoke: the words before the last
/// have one of their own, and the provider wants them all back.
pub(super) fn has_phases(conversation: &Conversation) -> bool {
    let Conversation { older, live, .. } = conversation;
    let is_interim = |entry: &Entry| matches!(&entry.body, EntryBody::Answer(said) if said.interim);
    older.iter().chain(live).any(is_interim)
}

/// Returns the phase in which the model said a message.
pub(super) fn phase(message: &Message<'_>, has_phases: bool) -> Option<&'static str> {
    has_phases.then_some(if message.interim { INTERIM } else { FINAL })
}

/// Returns a message of the model.
pub(super) fn answer(
    message: &Message<'_>,
    same: bool,
    phase: Option<&str>,
    id: &str,
    losses: &mut Losses,
) -> Value {
    let content = content(&message.parts, "output_text", same, id, losses);
    let mut item = with(json!({ "type": "message", "role": "assistant" }), "content", content);
    if let Some(phase) = phase {
        item["phase"] = phase.into();
    }
    item
}

/// Returns the message that carries a summary to the model, and its text.
pub(super) fn summary(bare: &str) -> (Value, String) {
    let text = format!("{SUMMARY_LEAD}\n{bare}");
    (user(&text), text)
}

/// Returns a message of one text that the client puts there.
pub(super) fn user(text: &str) -> Value {
    let content = vec![piece("input_text", text)];
    with(json!({ "type": "message", "role": "user" }), "content", content)
}

/// Returns thinking that the harness itself recorded, as it was.
pub(super) fn reasoning(reasoning: &Reasoning<'_>) -> Option<Value> {
    native(reasoning.native.as_deref()?)
}

/// Returns the texts of thinking, as they are shown.
pub(super) fn thoughts(reasoning: &Reasoning<'_>, item: Option<&Value>) -> Vec<String> {
    let listed = |key| {
        let pieces = item.and_then(|item| item[key].as_array()).into_iter().flatten();
        pieces.filter_map(|piece| piece["text"].as_str()).map(str::to_owned).collect::<Vec<_>>()
    };
    let mut texts = listed("summary");
    if texts.iter().all(|text| text.trim().is_empty()) {
        texts = listed("content");
    }
    if texts.is_empty() {
        texts = vec![reasoning.text.plain().into_owned()];
    }
    texts.retain(|text| !text.trim().is_empty());
    texts
}

/// Returns what only the harness itself can send again.
pub(super) fn native(raw: &RawValue) -> Option<Value> {
    json::from_str(raw.get()).ok()
}

fn content(
    parts: &[Part<'_>],
    text: &'static str,
    same: bool,
    id: &str,
    losses: &mut Losses,
) -> Vec<Value> {
    let said = parts.iter().filter(|part| !matches!(part, Part::Text(text) if text.is_blank()));
    // Only an output may hold what is encrypted.
    let is_legal = |part: &Part<'_>| !matches!(part, Part::Other { kind, .. } if kind == SEALED);
    said.map(|each| part(each, text, same && is_legal(each), id, losses)).collect()
}

/// Returns a piece of a message or of an output; `text` is what the form calls a text there.
pub(super) fn part(
    part: &Part<'_>,
    text: &'static str,
    same: bool,
    id: &str,
    losses: &mut Losses,
) -> Value {
    match part {
        Part::Text(said) => piece(text, said.plain()),
        Part::Blob(blob) => {
            let address = (text == "input_text").then(|| image(blob, same)).flatten();
            let words = || words(blob).map(|words| piece(text, words));
            address.or_else(words).unwrap_or_else(|| {
                losses.lose(LossKind::Blob, id);
                piece(text, placeholder(blob))
            })
        }
        Part::Other { kind, json } => {
            let own = native(json).filter(|piece| same && piece["type"].is_string());
            own.unwrap_or_else(|| {
                losses.lose(LossKind::ForeignPart, id);
                piece(text, foreign(kind, json))
            })
        }
    }
}

/// Returns the piece of a picture. The client leaves out one that it would have to fetch; only its own
/// is written again as it was.
fn image(blob: &Blob<'_>, same: bool) -> Option<Value> {
    let address = match (&blob.data, &blob.address) {
        (Some(data), _) if IMAGES.contains(&blob.media_type.as_ref()) => {
            format!("data:{};base64,{data}", blob.media_type)
        }
        (None, Some(address)) if same && address.starts_with("https://") => address.to_string(),
        _ => return None,
    };
    Some(with(json!({ "type": "input_image" }), "image_url", address))
}

/// Returns a piece that is a text; `kind` is what the form calls it.
fn piece(kind: &str, text: impl Into<Value>) -> Value {
    with(json!({ "type": kind }), "text", text)
}

/// Returns `item` with one thing more, last; `json!` would copy that, however long it is.
pub(super) fn with(mut item: Value, key: &str, value: impl Into<Value>) -> Value {
    item[key] = value.into();
    item
}
