//! What the model said and thought in a version of a message that another took the place of.

use super::content::Piece;
use super::parts::{digest, parts, reasoning};
use super::read::Reader;
use super::replay::{Earlier, line_id};
use super::wire::Record;
use crate::harness::time::is_time;
use crate::model::{Body, Item, Message, Origin, Reasoning, Role};
use crate::note::Notes;

impl Reader<'_> {
    /// Returns what the model said and thought in a version of a message that another took the place of.
    pub(super) fn earlier<'a>(
        &mut self,
        number: u32,
        record: &Record<'a>,
        notes: &mut Notes,
    ) -> Vec<Item<'a>> {
        let Earlier { entry: number, line, place, text } = self.replay.earlier[number as usize];
        let entry = &self.replay.entries[number as usize];
        let id = format!("{}{}", self.beside.prefix, line_id(line, place.at));
        let thought = reasoning(record, |raw| {
            let digest = digest(raw);
            entry.thoughts.binary_search(&digest).is_err() && self.thought.insert((number, digest))
        });
        let thought = thought.map(|text| {
            let (text, opaque, native) = (text.into(), false, None);
            let body = Reasoning { text, message_id: None, opaque, native };
            Item::new(format!("{id}/thought"), line, 0, Body::Reasoning(body))
        });
        let said = (text != 0 && text != entry.taken).then(|| {
            let spoken = record.pieces().into_iter().filter(|one| matches!(one, Piece::Text(_)));
            let parts = parts(spoken.collect(), self.want.blobs, line, notes);
            let mut message = Message::text(Role::Assistant, Origin::Model, "");
            (message.parts, message.model) = (parts, record.model.clone().take());
            Item::new(id, line, 0, Body::Message(message))
        });
        let ts = record.timestamp.clone().take().filter(|text| is_time(text));
        let dated = |item: Item<'a>| Item { ts: ts.clone(), ..item }.dropped("superseded");
        thought.into_iter().chain(said).map(dated).collect()
    }
}
