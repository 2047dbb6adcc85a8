//! The parts of a message or an output as one text.

use std::borrow::Cow;

use crate::model::Part;

/// Returns the texts of `parts`, one under the other; an image leaves a mark.
pub(super) fn text<'a>(parts: &'a [Part<'static>]) -> Cow<'a, str> {
    if let [part] = parts {
        return piece(part);
    }
    Cow::Owned(parts.iter().map(piece).collect::<Vec<_>>().join("\n"))
}

/// The same for parts of any life.
pub(super) fn joined(parts: &[Part<'_>]) -> String {
    parts.iter().map(piece).collect::<Vec<_>>().join("\n")
}

/// Returns one part as text.
pub(super) fn piece<'a>(part: &'a Part<'_>) -> Cow<'a, str> {
    match part {
        Part::Text(text) => text.plain(),
        Part::Blob(blob) if blob.media_type.starts_with("image/") => "[image]".into(),
        Part::Blob(blob) => format!("[{}]", blob.media_type).into(),
        Part::Other { json, .. } => json.get().into(),
    }
}
