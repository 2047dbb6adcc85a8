//! A compaction: its marker, and what the model is sent in place of what was before.

use std::io;

use serde_json::{Value, json};

use super::rollout::{Rollout, text_bytes};
use super::{events, items};
use crate::harness::mark::Mark;
use crate::json::Quick;
use crate::model::{Compaction, Entry, EntryBody};
use crate::note::LossKind;

/// An item that is sent, and what is noted beside it.
type Marked = (Value, Option<Mark>);

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
        let mut listed = self.replacement(history, &mut message);
        if self.same {
            let native = compaction.native.as_deref().and_then(items::native);
            listed.extend(native.map(|item| (item, None)));
        }
        let (listed, marks): (Vec<Value>, Vec<Option<Mark>>) = listed.into_iter().unzip();
        self.meter.bytes = listed.iter().map(text_bytes).sum();
        if compaction.has_facts() {
            self.losses.lose_many(LossKind::CompactionFacts, entry.items, &entry.id);
        }
        let message = message.unwrap_or_default();
        let payload = items::with(json!({ "message": message }), "replacement_history", listed);
        let marks = Some(marks).filter(|marks| marks.iter().any(Option::is_some));
        self.marked("compacted", &Quick(&payload), marks.as_ref())?;
        self.event(&events::context_compacted())?;
        for entry in history.iter().filter(|entry| matches!(entry.body, EntryBody::Usage(_))) {
            self.group(&[*entry])?;
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

    /// Makes the items that are sent, in order; a summary among them is the `message` where none is yet.
    fn replacement(&mut self, history: &[&Entry], message: &mut Option<String>) -> Vec<Marked> {
        let mut listed = Vec::new();
        // Results stand behind all calls of their response.
        let mut waiting: Vec<(u32, Marked)> = Vec::new();
        for entry in history {
            if waiting.first().is_some_and(|(response, _)| *response != entry.response) {
                listed.extend(waiting.drain(..).map(|(_, item)| item));
            }
            match &entry.body {
                EntryBody::Usage(_) => {}
                EntryBody::Summary(text) => {
                    let (item, text) = items::summary(&text.plain());
                    listed.push((item, None));
                    // The two may differ; both are what the source says.
                    message.get_or_insert(text);
                }
                EntryBody::Exchange(exchange) => {
                    let call = self.call(exchange, &entry.id);
                    let output = self.output(exchange, &call);
                    listed.push((call.item, None));
                    let mark = self.mark_of(exchange, &call.name);
                    waiting.extend(output.map(|output| (entry.response, (output, mark))));
                }
                _ => listed.extend(self.kept(entry)),
            }
        }
        listed.extend(waiting.into_iter().map(|(_, item)| item));
        listed
    }

    /// Makes the item of words that a compaction kept.
    fn kept(&mut self, entry: &Entry) -> Option<Marked> {
        let item = match &entry.body {
            EntryBody::Said(message) => Some(self.sent(message, &entry.id)),
            EntryBody::Answer(message) => {
                let phase = items::phase(message, self.has_phases);
                let item = items::answer(message, self.same, phase, &entry.id, &mut self.losses);
                Some((item, None))
            }
            EntryBody::Reasoning(reasoning) => items::reasoning(reasoning).map(|item| (item, None)),
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
