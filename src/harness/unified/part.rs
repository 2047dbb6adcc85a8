//! The pieces of a message or an output.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::wire::WirePart;
use crate::jsonl;
use crate::model::{Blob, Part, Text};
use crate::note::{NoteKind, Notes};

/// Reads a list of pieces; what is none is carried as it stands.
pub(super) fn parts<'a>(
    list: Option<&'a RawValue>,
    keep_bytes: bool,
    line: u64,
    notes: &mut Notes,
) -> Vec<Part<'a>> {
    let piece = |raw: &'a RawValue| {
        part(raw, keep_bytes).unwrap_or_else(|| {
            notes.add(NoteKind::UnknownPart, "", line);
            Part::Other { kind: Cow::Borrowed("unknown"), json: Cow::Borrowed(raw) }
        })
    };
    jsonl::elements(list).into_iter().map(piece).collect()
}

fn part(raw: &RawValue, keep_bytes: bool) -> Option<Part<'_>> {
    let wire: WirePart<'_> = jsonl::shaped(Some(raw))?;
    match wire.kind_of.text() {
        "text" => Some(Part::Text(Text::json(wire.text?)?)),
        "blob" => Some(Part::Blob(Blob {
            media_type: wire.media_type.take()?,
            sha256: wire.sha256.take().map(Cow::into_owned),
            bytes: wire.bytes,
            address: wire.address.take(),
            data: wire.data.take().filter(|_| keep_bytes),
        })),
        "other" => Some(Part::Other { kind: wire.kind.take()?, json: Cow::Borrowed(wire.json?) }),
        _ => None,
    }
}
