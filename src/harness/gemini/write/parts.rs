//! Parts of messages and results in the harness's form, and what it cannot hold.

use serde_json::value::RawValue;

use super::form::{Content, Data, File, Outcome, Part, Response};
use crate::harness::gemini::action::PROPOSE;
use crate::harness::gemini::content::{SNAPSHOT_TAG, is_command, is_context};
use crate::harness::gemini::outcome::BESIDE;
use crate::harness::write::{EMPTY, foreign, placeholder, words};
use crate::model::{self, Blob, Exchange, Message, Origin, Status, ToolKind, plain};
use crate::note::{LossKind, Losses};

/// What stands before a text that the harness would leave out.
const MARK: &str = "User: ";

/// Returns parts in the harness's form, without empty ones; `same` says whether they are its own.
pub(super) fn parts(
    parts: &[model::Part<'_>],
    same: bool,
    id: &str,
    losses: &mut Losses,
) -> Vec<Part> {
    let part = |part: &model::Part<'_>| match part {
        model::Part::Text(text) if text.is_blank() => None,
        model::Part::Text(text) => Some(Part::Text { text: text.plain().into_owned() }),
        model::Part::Blob(blob) => Some(data(blob, same, id, losses)),
        model::Part::Other { kind, json } => Some(other(kind, json, same, id, losses)),
    };
    parts.iter().filter_map(part).collect()
}

fn data(blob: &Blob<'_>, same: bool, id: &str, losses: &mut Losses) -> Part {
    let mime_type = blob.media_type.to_string();
    match (&blob.data, &blob.address) {
        (Some(data), _) if same || (is_accepted(&mime_type) && is_base64(data)) => {
            Part::Data { inline_data: Data { mime_type, data: data.to_string() } }
        }
        (None, Some(address)) if same => {
            Part::File { file_data: File { file_uri: address.to_string(), mime_type } }
        }
        _ => {
            let text = words(blob).unwrap_or_else(|| {
                losses.lose(LossKind::Blob, id);
                placeholder(blob)
            });
            Part::Text { text }
        }
    }
}

/// Tells whether the provider's models take bytes of this kind; one that they refuse would stop the
/// session for good.
fn is_accepted(media_type: &str) -> bool {
    const TYPES: &[&str] =
        &["application/pdf", "image/heic", "image/heif", "image/jpeg", "image/png", "image/webp"];
    TYPES.contains(&media_type)
}

fn is_base64(data: &str) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    let bare = data.strip_suffix('=').map_or(data, |data| data.strip_suffix('=').unwrap_or(data));
    !data.is_empty() && data.len().is_multiple_of(4) && bare.bytes().all(is_digit)
}

fn other(kind: &str, json: &RawValue, same: bool, id: &str, losses: &mut Losses) -> Part {
    if same && json.get().starts_with('{') {
        return Part::Raw(json.to_owned());
    }
    losses.lose(LossKind::ForeignPart, id);
    Part::Text { text: foreign(kind, json).into_owned() }
}

/// Marks the words of the user's side if the harness would leave them out as a command of its own,
/// or as a context that it makes anew; tells whether it did.
pub(super) fn mark(parts: &mut [Part], id: &str, losses: &mut Losses) -> bool {
    let first = parts.iter_mut().find_map(|part| match part {
        Part::Text { text } => Some(text),
        _ => None,
    });
    let Some(text) = first else { return false };
    // What the harness trims before it looks, and Rust does not.
    let bare = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    let is_left_out = is_command(bare) || is_context(bare);
    if is_left_out {
        *text = format!("{MARK}{text}");
        losses.lose(LossKind::MarkedText, id);
    }
    is_left_out
}

/// Tells as whose words a message would be read.
pub(super) fn read_as(said: &[Part], is_side: bool) -> Origin {
    let first = said.iter().find_map(|part| match part {
        Part::Text { text } => Some(text.trim_start()),
        _ => None,
    });
    match first {
        Some(text) if is_context(text) => Origin::Harness,
        Some(text) if text.starts_with(SNAPSHOT_TAG) => Origin::Summary,
        // In a side session these are the words of the agent that began it.
        _ if is_side => Origin::Agent,
        _ => Origin::Human,
    }
}

/// Returns what the human typed, where more than that, or something else, is sent: the screen shows it.
pub(super) fn shown(message: &Message<'_>) -> Option<Content> {
    let said = message.said.as_ref()?.plain();
    let differs = !said.trim().is_empty() && said.trim() != message.plain().trim();
    differs.then(|| Content::Parts(vec![Part::Text { text: said.into_owned() }]))
}

/// Returns the words of the model as the harness writes them.
pub(super) fn content(mut parts: Vec<Part>) -> Content {
    match &mut parts[..] {
        [] => Content::Text(String::new()),
        [Part::Text { text }] => Content::Text(std::mem::take(text)),
        _ => Content::Parts(parts),
    }
}

/// Returns the result of a call, and the harness's word for how it ended.
pub(super) fn result(
    exchange: &Exchange,
    name: &str,
    same: bool,
    losses: &mut Losses,
) -> (Vec<Part>, &'static str) {
    let result = &exchange.result;
    let id = result.call_id.to_string();
    let at = exchange.result_id.as_deref().unwrap_or_default();
    // A response has one text; bytes stand behind it.
    let (beside, output) = beside(&result.output, same);
    let (texts, bytes): (Vec<_>, Vec<_>) =
        parts(&output, same, at, losses).into_iter().partition(is_text);
    let texts: Vec<_> = texts.into_iter().filter_map(text_of).collect();
    // A call without an output counts as unanswered.
    let text = if texts.is_empty() { EMPTY.to_owned() } else { texts.join("\n") };
    let (said_as, status) = match result.status {
        Status::Ok => ("output", "success"),
        Status::Error if tells_by_text(exchange, name) => ("output", "success"),
        Status::Error => ("error", "error"),
        Status::Interrupted => ("error", "cancelled"),
    };
    let response = Outcome { name: said_as, text, beside };
    let function_response = Response { id, name: name.to_owned(), response };
    let mut all = vec![Part::Response { function_response }];
    all.extend(bytes);
    (all, status)
}

/// Takes out what a tool said beside its output, where the harness itself recorded it.
fn beside<'p>(
    output: &'p [model::Part<'p>],
    same: bool,
) -> (Vec<Box<RawValue>>, Vec<model::Part<'p>>) {
    let mut beside = Vec::new();
    let rest = output.iter().filter(|part| match part {
        model::Part::Other { kind, json } if same && kind == BESIDE => {
            beside.push(json.as_ref().to_owned());
            false
        }
        _ => true,
    });
    let rest = rest.map(model::Part::borrowed).collect();
    (beside, rest)
}

fn is_text(part: &Part) -> bool {
    matches!(part, Part::Text { .. })
}

fn text_of(part: Part) -> Option<String> {
    match part {
        Part::Text { text } => Some(text),
        _ => None,
    }
}

/// Tells whether a failure stands in the text, where the harness itself looks for it: a command that
/// failed, and a plan that was turned down, are successes of their tools.
fn tells_by_text(exchange: &Exchange, name: &str) -> bool {
    let result = &exchange.result;
    match result.exit_code.filter(|_| exchange.call.kind == ToolKind::Shell) {
        Some(code) => {
            let line = format!("Exit Code: {code}");
            plain(&result.output).lines().any(|text| text == line)
        }
        None => name == PROPOSE && result.rejected,
    }
}
