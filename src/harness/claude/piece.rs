//! The pieces of a message's content, each gone through once.

use std::cell::OnceCell;
use std::rc::Rc;

use serde_json::value::RawValue;

use super::wire::Block;
use crate::jsonl::{self, Nested};
use crate::model::Text;

/// A plain text or a block.
pub(super) struct Piece<'a> {
    pub text: Option<Text<'a>>,
    pub block: Option<Block<'a>>,
    of: Rc<Content<'a>>,
    index: usize,
}

/// What the pieces were taken from, taken apart once more where one is wanted as it stands.
struct Content<'a> {
    raw: &'a RawValue,
    elements: OnceCell<Vec<&'a RawValue>>,
}

impl<'a> Piece<'a> {
    /// Returns what the block is, empty for a plain text.
    pub(super) fn kind(&self) -> &str {
        self.block.as_ref().map_or("", |block| block.kind.text())
    }

    /// Returns the whole piece as it stands; only needed where nothing knows its type.
    pub(super) fn raw(&self) -> &'a RawValue {
        let raw = self.of.raw;
        let elements = self.of.elements.get_or_init(|| jsonl::elements(Some(raw)));
        elements.get(self.index).copied().unwrap_or(raw)
    }
}

/// Takes a content apart: a text, a block, or a list of both.
pub(super) fn pieces(content: Option<&RawValue>) -> Vec<Piece<'_>> {
    let Some(content) = content else { return Vec::new() };
    let of = Rc::new(Content { raw: content, elements: OnceCell::new() });
    let piece = |index, block| Piece { text: None, block, of: Rc::clone(&of), index };
    match content.get().as_bytes().first() {
        Some(b'"') => vec![Piece { text: Text::json(content), ..piece(0, None) }],
        Some(b'{') => vec![piece(0, jsonl::shaped(Some(content)))],
        Some(b'[') => {
            let list: Vec<Nested<Block<'_>>> = jsonl::shaped(Some(content)).unwrap_or_default();
            let mut pieces: Vec<_> =
                list.into_iter().enumerate().map(|(index, block)| piece(index, block.0)).collect();
            for piece in pieces.iter_mut().filter(|piece| piece.block.is_none()) {
                piece.text = Text::json(piece.raw());
            }
            pieces
        }
        Some(b'n') | None => Vec::new(),
        // Neither words nor blocks, and still something.
        Some(_) => vec![piece(0, None)],
    }
}
