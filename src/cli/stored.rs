//! A session as a conversion carries it.

use crate::error::Result;
use crate::harness::Sink;
use crate::model::{Body, Header, Item, Part, Session, Text};

/// Keeps everything, long texts as they are stored: most are written again as they stand.
#[derive(Default)]
pub(super) struct Stored(pub(super) Session);

impl Sink for Stored {
    fn header(&mut self, header: &Header) -> Result<()> {
        self.0.header(header)
    }

    fn item(&mut self, mut item: Item<'_>) -> Result<()> {
        match &mut item.body {
            Body::Message(message) => texts(&mut message.parts).for_each(Text::keep_stored),
            Body::ToolResult(result) => texts(&mut result.output).for_each(Text::keep_stored),
            Body::Reasoning(reasoning) => reasoning.text.keep_stored(),
            _ => {}
        }
        self.0.item(item)
    }
}

fn texts<'p, 'a>(parts: &'p mut [Part<'a>]) -> impl Iterator<Item = &'p mut Text<'a>> {
    parts.iter_mut().filter_map(|part| match part {
        Part::Text(text) => Some(text),
        Part::Blob(_) | Part::Other { .. } => None,
    })
}
