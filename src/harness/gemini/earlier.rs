//! What the model said in a version of a message that another took the place of.

use super::content::Piece;
use super::parts::parts;
use super::read::Reader;
use super::replay::{Earlier, line_id};
use super::wire::Record;
use crate::harness::time::is_time;
use crate::model::{Body, Item, Message, Origin, Role};
use crate::note::Notes;

impl Reader<'_> {
    /// Returns what the model said in a version of a message that another took the place of.
    pub(super) fn earlier<'a>(
        &self,
        number: u32,
        record: &Record<'a>,
        notes: &mut Notes,
    ) -> Vec<Item<'a>> {
        let Earlier { entry, line, place, text } = self.replay.earlier[number as usize];
        if text == self.replay.entries[entry as usize].taken {
            return Vec::new();
        }
        let spoken = record.pieces().into_iter().filter(|one| matches!(one, Piece::Text(_)));
        let parts = parts(spoken.collect(), self.want.blobs, line, notes);
        let mut message = Message::text(Role::Assistant, Origin::Model, "");
        (message.parts, message.model) = (parts, record.model.clone().take());
        let id = format!("{}{}", self.beside.prefix, line_id(line, place.at));
        let mut item = Item::new(id, line, 0, Body::Message(message));
        item.ts = record.timestamp.clone().take().filter(|text| is_time(text));
        vec![item.dropped("superseded")]
    }
}
