//! A compaction: its marker, and what the model is sent in place of what was before.

use std::io;

use serde_json::{Value, json};

use super::rollout::{Rollout, text_bytes};
use super::{events, items};
use crate::model::{Compaction, Entry, EntryBody};
use crate::note::LossKind;

impl Rollout<'_> {
    /// Writes a compaction with all that the model is sent in place of what was before.
    pub(super) fn compaction(
        &mut self,
        entry: &Entry,
        compaction: &Compaction<'_>,
        history: &[&Entry],
    ) -> io::Result<()> {
        self.ts.clone_from(&entry.ts);
        let mut message = compaction.summary.as_ref().map(|bare| items::summary(&bare.plain()).1);
        let mut listed = Vec::new();
        let mut usages = Vec::new();
        let mut waiting: Vec<(u32, Value)> = Vec::new();
        for entry in history {
            if waiting.first().is_some_and(|(response, _)| *response != entry.response) {
                listed.extend(waiting.drain(..).map(|(_, item)| item));
            }
            match &entry.body {
                EntryBody::Usage(_) => usages.push(*entry),
                EntryBody::Summary(text) => {
                    let (item, text) = items::summary(&text.plain());
                    listed.push(item);
                    // The two may differ; both are what the source says.
                    message = message.or(Some(text));
                }
                EntryBody::Exchange(exchange) => {
                    let call = self.call(exchange, &entry.id);
                    let output = self.output(exchange, &call);
                    listed.push(call.item);
                    waiting.extend(output.map(|output| (entry.response, output)));
                }
                _ => listed.extend(self.kept(entry)),
            }
        }
        listed.extend(waiting.into_iter().map(|(_, item)| item));
        if self.same {
            listed.extend(compaction.native.as_deref().and_then(items::native));
        }
        self.meter.bytes = listed.iter().map(text_bytes).sum();
        if compaction.has_facts() {
            self.losses.lose_many(LossKind::CompactionFacts, entry.items, &entry.id);
        }
        let message = message.unwrap_or_default();
        self.line("compacted", &json!({ "message": message, "replacement_history": listed }))?;
        self.event(&events::context_compacted())?;
        for entry in usages {
            self.group(&[entry])?;
        }
        for entry in history {
            if let EntryBody::Exchange(exchange) = &entry.body {
                self.link(exchange)?;
            }
        }
        match self.meter.compacted(compaction.tokens_after) {
            Some(count) => self.event(&count),
            None => Ok(()),
        }
    }

    /// Makes the item of words that a compaction kept.
    fn kept(&mut self, entry: &Entry) -> Option<Value> {
        let item = match &entry.body {
            EntryBody::Said(message) => Some(self.sent(message, &entry.id)),
            EntryBody::Answer(message) => {
                let phase = items::phase(message, self.has_phases);
                Some(items::answer(message, self.same, phase, &entry.id, &mut self.losses))
            }
            EntryBody::Reasoning(reasoning) => items::reasoning(reasoning),
            _ => None,
        };
        if item.is_none() {
            let is_thought = matches!(entry.body, EntryBody::Reasoning(_));
            let kind = if is_thought { LossKind::Reasoning } else { LossKind::Notice };
            self.losses.lose_many(kind, entry.items, &entry.id);
        }
        item
    }
}
