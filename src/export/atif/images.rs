//! Images of a document: files beside it, or inside of it, or only a mark.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::model::{Blob, Part};
use crate::note::{NoteKind, Notes};

/// Where the images of a document are to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Images {
    /// In files in the folder of this name beside the document.
    Beside(String),
    /// In the document, as `data:` addresses.
    Inside,
    /// Nowhere: a mark stands for each.
    Marked,
}

/// An image that is to be a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// The name of the file in its folder.
    pub name: String,
    /// What it holds.
    pub bytes: Vec<u8>,
}

/// Collects the images of a document.
pub(super) struct Pictures {
    place: Images,
    seen: HashSet<String>,
    pub(super) taken: Vec<Image>,
}

impl Pictures {
    pub(super) fn new(place: Images) -> Self {
        Self { place, seen: HashSet::new(), taken: Vec::new() }
    }

    /// Returns parts as one text, or as a list where an image is among them.
    pub(super) fn content(
        &mut self,
        parts: &[&Part<'static>],
        line: u64,
        notes: &mut Notes,
    ) -> Value {
        let mut pieces: Vec<Value> = Vec::new();
        let mut texts: Vec<String> = Vec::new();
        let mut has_image = false;
        for part in parts {
            let source = match part {
                Part::Blob(blob) => self.source(blob),
                _ => None,
            };
            if let Some(source) = source {
                has_image = true;
                pieces.push(json!({ "type": "image", "source": source }));
                continue;
            }
            let text = super::super::content::piece(part).into_owned();
            if let Part::Blob(blob) = part {
                notes.add(NoteKind::NotInForm, &blob.media_type, line);
            }
            pieces.push(json!({ "type": "text", "text": text }));
            texts.push(text);
        }
        if has_image { pieces.into() } else { texts.join("\n").into() }
    }

    /// Returns where an image is; nothing if it cannot be shown.
    fn source(&mut self, blob: &Blob<'static>) -> Option<Value> {
        let (media_type, ending) = match blob.media_type.as_ref() {
            "image/png" => ("image/png", "png"),
            "image/jpeg" | "image/jpg" => ("image/jpeg", "jpg"),
            "image/gif" => ("image/gif", "gif"),
            "image/webp" => ("image/webp", "webp"),
            _ => return None,
        };
        let path = match (&self.place, &blob.data) {
            (Images::Inside, Some(data)) => format!("data:{media_type};base64,{data}"),
            (Images::Beside(folder), Some(_)) => {
                let digest = blob.name().into_owned().sha256?;
                let name = format!("{digest}.{ending}");
                let path = format!("{folder}/{name}");
                if !self.seen.contains(&name) {
                    self.taken.push(Image { name: name.clone(), bytes: blob.decoded()? });
                    self.seen.insert(name);
                }
                path
            }
            _ => blob.address.as_deref()?.to_owned(),
        };
        Some(json!({ "media_type": media_type, "path": path }))
    }
}
