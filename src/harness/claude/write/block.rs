//! The blocks of a message's content.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::harness::write::{IMAGES, foreign, placeholder, words};
use crate::json;
use crate::model::{Blob, Part, Text};
use crate::note::{LossKind, Losses};

/// The kind of document that it takes.
const DOCUMENT: &str = "application/pdf";
/// The longest image in base64 that it takes.
const IMAGE_CHARS: usize = 5 * 1024 * 1024;

/// A block.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Block<'a> {
    /// One that is made.
    Made(Made<'a>),
    /// One as it stands in the source.
    Native(Cow<'a, RawValue>),
}

/// A block that is made.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Made<'a> {
    Text {
        text: Text<'a>,
    },
    Image {
        source: Source<'a>,
    },
    Document {
        source: Source<'a>,
    },
    ToolUse {
        id: &'a str,
        name: Cow<'a, str>,
        input: Cow<'a, RawValue>,
    },
    /// A tool that the provider runs: what came back stands in the same message.
    ServerToolUse {
        id: &'a str,
        name: Cow<'a, str>,
        input: Cow<'a, RawValue>,
    },
    ToolResult {
        tool_use_id: &'a str,
        content: Content<'a>,
        is_error: bool,
    },
}

/// Where a block has its bytes.
#[derive(Serialize)]
pub(super) struct Source<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    media_type: &'a str,
    #[serde(serialize_with = "json::serialize_str")]
    data: Cow<'a, str>,
}

/// A content: one text as it is, anything else as blocks.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Content<'a> {
    Text(Text<'a>),
    Blocks(Vec<Block<'a>>),
}

/// Who speaks, and whose session it was.
#[derive(Clone, Copy)]
pub(super) struct Voice {
    /// Only words can be sent: by the model, and as a failure.
    pub is_text: bool,
    /// What only this harness knows can go back to it.
    pub is_own: bool,
}

/// Returns the blocks of `parts`, without empty texts, and says what they cannot hold.
pub(super) fn blocks<'a>(
    parts: &'a [Part<'_>],
    voice: Voice,
    id: &str,
    losses: &mut Losses,
) -> Vec<Block<'a>> {
    let mut blocks = Vec::with_capacity(parts.len());
    for part in parts {
        let block = match part {
            Part::Text(words) if words.is_blank() => continue,
            Part::Text(words) => text(words.borrowed()),
            Part::Blob(blob) => {
                bytes(blob, voice).or_else(|| words(blob).map(text)).unwrap_or_else(|| {
                    losses.lose(LossKind::Blob, id);
                    text(placeholder(blob))
                })
            }
            Part::Other { json, .. } if voice.is_own && is_sent(json) => {
                Block::Native(one_line(json))
            }
            Part::Other { kind, json } => {
                losses.lose(LossKind::ForeignPart, id);
                text(foreign(kind, json))
            }
        };
        blocks.push(block);
    }
    blocks
}

/// Returns `blocks` as the shortest content.
pub(super) fn content(mut blocks: Vec<Block<'_>>) -> Content<'_> {
    match blocks.pop() {
        None => Content::Text("".into()),
        Some(Block::Made(Made::Text { text })) if blocks.is_empty() => Content::Text(text),
        Some(last) => {
            blocks.push(last);
            Content::Blocks(blocks)
        }
    }
}

pub(super) fn text<'a>(text: impl Into<Text<'a>>) -> Block<'a> {
    Block::Made(Made::Text { text: text.into() })
}

/// Returns JSON on one line.
pub(super) fn one_line<'a>(json: &'a RawValue) -> Cow<'a, RawValue> {
    let bytes = json.get().as_bytes();
    if !bytes.contains(&b'\n') && !bytes.contains(&b'\r') {
        return Cow::Borrowed(json);
    }
    // Outside of strings a line end is only there for the eye.
    let blank = json.get().replace(['\n', '\r'], " ");
    RawValue::from_string(blank).map_or(Cow::Borrowed(json), Cow::Owned)
}

/// Tells whether a block of the source can be sent again in a message of either side.
fn is_sent(json: &RawValue) -> bool {
    #[derive(serde::Deserialize)]
    struct Kind<'a> {
        #[serde(rename = "type", borrow, default)]
        kind: crate::jsonl::Lax<'a>,
    }
    let kind: Option<Kind<'_>> = crate::jsonl::shaped(Some(json));
    let kinds = ["document", "image", "search_result", "tool_reference", "container_upload"];
    kind.is_some_and(|kind| kinds.contains(&kind.kind.text()))
}

/// Returns the block of an image or document that stands at an address.
fn linked(blob: &Blob<'_>) -> Option<Block<'static>> {
    let url = blob.address.as_deref().filter(|url| url.starts_with("https://"))?;
    let kind = match blob.media_type.as_ref() {
        DOCUMENT => "document",
        image if image.starts_with("image/") => "image",
        _ => return None,
    };
    let block = serde_json::json!({"type": kind, "source": {"type": "url", "url": url}});
    Some(Block::Native(Cow::Owned(to_raw_value(&block).ok()?)))
}

/// Returns the block of an image or document, if the provider would take it.
fn bytes<'a>(blob: &'a Blob<'_>, voice: Voice) -> Option<Block<'a>> {
    if voice.is_own && !voice.is_text && blob.data.is_none() {
        return linked(blob);
    }
    let data = blob.data.as_deref().filter(|_| !voice.is_text)?;
    let media_type = blob.media_type.as_ref();
    if voice.is_own && media_type == "text/plain" {
        let source = Source { kind: "text", media_type, data: blob.words()?.into() };
        return Some(Block::Made(Made::Document { source }));
    }
    let source = Source { kind: "base64", media_type, data: data.into() };
    if !is_base64(data) {
        None
    } else if IMAGES.contains(&media_type) && data.len() <= IMAGE_CHARS {
        Some(Block::Made(Made::Image { source }))
    } else if media_type == DOCUMENT {
        Some(Block::Made(Made::Document { source }))
    } else {
        None
    }
}

/// Tells whether a text can be base64; the provider refuses a message with any other.
fn is_base64(data: &str) -> bool {
    let bare = data.trim_end_matches('=');
    let fine = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    // Many at a time: one that ends at the first that is wrong goes byte by byte.
    let all_fine = |bytes: &[u8]| bytes.iter().map(fine).fold(true, |all, one| all & one);
    !bare.is_empty()
        && data.len() - bare.len() <= 2
        && data.len().is_multiple_of(4)
        && bare.as_bytes().chunks(1024).all(all_fine)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_base64_would_be_refused() {
        assert!(is_base64("aGVsbG8="));
        for bad in ["", "====", "aGVs...", "aGVsbG8", "<image>", "aGV sbG8="] {
            assert!(!is_base64(bad), "{bad}");
        }
    }

    #[test]
    fn json_is_put_on_one_line() {
        let json: Box<RawValue> = serde_json::from_str("{\n \"a\\n\": 1\r\n}").unwrap();
        assert_eq!(one_line(&json).get(), "{  \"a\\n\": 1  }");
    }
}
