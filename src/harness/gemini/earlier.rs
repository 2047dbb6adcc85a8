//! What the model said and thought in a version of a message that another took the place of.

use std::borrow::Cow;

use super::content::Piece;
use super::parts::{parts, reasoning};
use super::read::Reader;
use super::replay::{Earlier, line_id};
use super::wire::Record;
use crate::harness::time::is_time;
use crate::model::{Body, Item, Message, Origin, Reasoning, Role};
use crate::note::Notes;

impl Reader<'_> {
    /// Returns what the model said and thought in a version of a message that another took the place of.
    pub(super) fn earlier<'a>(
        &self,
        number: u32,
        record: &Record<'a>,
        notes: &mut Notes,
    ) -> Vec<Item<'a>> {
        let Earlier { entry, line, place, text, thoughts } = self.replay.earlier[number as usize];
        let entry = &self.replay.entries[entry as usize];
        if text == entry.taken {
            return Vec::new();
        }
        let spoken = record.pieces().into_iter().filter(|one| matches!(one, Piece::Text(_)));
        let parts = parts(spoken.collect(), self.want.blobs, line, notes);
        let mut message = Message::text(Role::Assistant, Origin::Model, "");
        (message.parts, message.model) = (parts, record.model.clone().take());
        let id = format!("{}{}", self.beside.prefix, line_id(line, place.at));
        let thought = reasoning(record).filter(|_| thoughts != entry.thoughts).map(|text| {
            let native = record.thoughts.filter(|_| self.want.native).map(Cow::Borrowed);
            let body = Reasoning { text: text.into(), message_id: None, opaque: false, native };
            Item::new(format!("{id}/thought"), line, 0, Body::Reasoning(body))
        });
        let said = Item::new(id, line, 0, Body::Message(message));
        let ts = record.timestamp.clone().take().filter(|text| is_time(text));
        let dated = |item: Item<'a>| Item { ts: ts.clone(), ..item }.dropped("superseded");
        thought.into_iter().chain([said]).map(dated).collect()
    }
}
