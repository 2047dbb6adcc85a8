//! Pieces of content that are no tool's, as parts.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::piece::{Piece, pieces};
use super::read::{Place, Reader};
use super::said;
use super::wire::{Attachment, Block, ImageSource};
use crate::jsonl;
use crate::model::{Blob, Blobs, Body, Message, Origin, Part, Role, Text};
use crate::note::{NoteKind, Notes};

/// What an image is of which only that is known.
const UNKNOWN_IMAGE: &str = "image/unknown";
/// What a document is that stands at an address.
const DOCUMENT: &str = "application/pdf";

impl Reader<'_> {
    /// Reads a piece of content that is no tool's.
    pub(super) fn part<'a>(
        &self,
        piece: &Piece<'a>,
        place: &Place<'_>,
        notes: &mut Notes,
    ) -> Option<Part<'a>> {
        if let Some(text) = &piece.text {
            return Some(Part::Text(text.clone()));
        }
        let known = piece.block.as_ref().and_then(|block| self.known(piece, block));
        if let Some((part, block)) = known.zip(piece.block.as_ref()) {
            left_out(block, place, notes);
            return Some(part);
        }
        // What says nothing is no loss.
        if piece.raw().get() == "null" {
            return None;
        }
        notes.add(NoteKind::UnknownPart, piece.kind(), place.number);
        Some(other(piece))
    }

    /// Reads a block of a known kind.
    fn known<'a>(&self, piece: &Piece<'a>, block: &Block<'a>) -> Option<Part<'a>> {
        match block.kind.text() {
            "text" => block.text.and_then(Text::json).map(Part::Text),
            "document" if self.want.blobs != Blobs::Carried && is_plain(block) => words(block),
            "image" | "document" => self.blob(block).or_else(|| Some(other(piece))),
            "tool_reference" | "fallback" | "container_upload" | "search_result" => {
                Some(other(piece))
            }
            _ => None,
        }
    }

    fn blob<'a>(&self, block: &Block<'a>) -> Option<Part<'a>> {
        let ImageSource { kind, media_type, data, url } = jsonl::shaped(block.source)?;
        let (media_type, wanted) =
            (media_type.take().unwrap_or(UNKNOWN_IMAGE.into()), self.want.blobs);
        let blob = match data.take() {
            Some(text) if kind.text() == "text" => Blob::text(media_type, &text, wanted),
            Some(data) => Blob::base64(media_type, data, wanted),
            None => {
                let mut blob = Blob::address(url.take()?, wanted);
                // Of what stands at an address the provider says no more than which of two it is.
                if blob.address.is_some() {
                    let is_image = block.kind.text() == "image";
                    blob.media_type = if is_image { UNKNOWN_IMAGE } else { DOCUMENT }.into();
                }
                blob
            }
        };
        Some(Part::Blob(blob))
    }

    /// Reads what was typed while the agent worked; notifications take the same way.
    pub(super) fn queued<'a>(
        &self,
        attachment: &Attachment<'a>,
        place: &Place<'_>,
        notes: &mut Notes,
    ) -> Option<Body<'a>> {
        let pieces = pieces(attachment.prompt);
        let parts = pieces.iter().filter_map(|piece| self.part(piece, place, notes));
        let parts: Vec<_> = parts.filter(|part| !is_blank(part)).collect();
        let first = parts.iter().find_map(Part::as_text).map(Text::plain).unwrap_or_default();
        let origin = match attachment.command_mode.text() {
            "task-notification" => Origin::Harness,
            _ => said::origin(&first),
        };
        let said = said::said(&first).map(Text::from);
        let message = Message { said, ..Message::text(Role::User, origin, "") };
        (!parts.is_empty()).then_some(Body::Message(Message { parts, ..message }))
    }
}

/// Tells whether a document is nothing but text; where bytes are carried it goes on as a document.
fn is_plain(block: &Block<'_>) -> bool {
    let source: Option<ImageSource<'_>> = jsonl::shaped(block.source);
    source.is_some_and(|source| source.kind.text() == "text" && source.data.get().is_some())
}

fn words<'a>(block: &Block<'a>) -> Option<Part<'a>> {
    let source: ImageSource<'a> = jsonl::shaped(block.source)?;
    source.data.take().map(|text| Part::Text(text.into()))
}

/// Says what a block has that is no part of what it holds.
fn left_out(block: &Block<'_>, place: &Place<'_>, notes: &mut Notes) {
    let fields =
        [("citations", block.citations), ("title", block.title), ("context", block.context)];
    let is_some = |raw: &RawValue| !matches!(raw.get(), "null" | "[]" | "\"\"");
    for (name, _) in fields.iter().filter(|(_, raw)| raw.is_some_and(is_some)) {
        notes.add(NoteKind::NotInForm, name, place.number);
    }
}

/// Tells whether the provider says more of why it stopped than that it did.
pub(super) fn says_why(details: Option<&RawValue>) -> bool {
    let fields: serde_json::Map<String, serde_json::Value> =
        jsonl::shaped(details).unwrap_or_default();
    fields.iter().any(|(name, value)| name != "type" && !value.is_null())
}

/// Returns the name of a tool; one that the provider calls at a server has that one's as well.
pub(super) fn tool_name<'a>(block: &Block<'a>) -> Cow<'a, str> {
    let name = block.name.clone().take().unwrap_or_default();
    match block.server_name.filled() {
        Some(server) if !name.starts_with("mcp__") => format!("mcp__{server}__{name}").into(),
        _ => name,
    }
}

pub(super) fn is_blank(part: &Part<'_>) -> bool {
    matches!(part, Part::Text(text) if text.is_blank())
}

/// Returns a piece as it stands.
fn other<'a>(piece: &Piece<'a>) -> Part<'a> {
    Part::Other { kind: piece.kind().to_owned().into(), json: Cow::Borrowed(piece.raw()) }
}
