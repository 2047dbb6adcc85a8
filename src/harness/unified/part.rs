//! The pieces of a message or an output.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::wire::WirePart;
use crate::jsonl;
use crate::model::{Blob, Blobs, Name, Part, Text};
use crate::note::{NoteKind, Notes};

/// Reads a list of pieces; what is none is carried as it stands.
pub(super) fn parts<'a>(
    list: Option<&'a RawValue>,
    wanted: Blobs,
    line: u64,
    notes: &mut Notes,
) -> Vec<Part<'a>> {
    let piece = |raw: &'a RawValue| {
        part(raw, wanted).unwrap_or_else(|| {
            notes.add(NoteKind::UnknownPart, "", line);
            Part::Other { kind: Cow::Borrowed("unknown"), json: Cow::Borrowed(raw) }
        })
    };
    jsonl::elements(list).into_iter().map(piece).collect()
}

fn part(raw: &RawValue, wanted: Blobs) -> Option<Part<'_>> {
    let wire: WirePart<'_> = jsonl::shaped(Some(raw))?;
    match wire.kind_of.text() {
        "text" => Some(Part::Text(Text::json(wire.text?)?)),
        "blob" => {
            let sha256 = wire.sha256.take().map(Cow::into_owned);
            let name = Name { sha256, bytes: wire.bytes };
            let mut blob = Blob::told(wire.media_type.take()?, name);
            blob.address = wire.address.take();
            blob.data = wire.data.take().filter(|_| wanted == Blobs::Carried);
            Some(Part::Blob(blob))
        }
        "other" => Some(Part::Other { kind: wire.kind.take()?, json: Cow::Borrowed(wire.json?) }),
        _ => None,
    }
}
