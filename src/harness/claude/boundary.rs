//! Compactions: a boundary, and the summary that comes after it.

use super::read::{Place, Reader};
use super::wire::{CompactMeta, Line};
use super::{key, scan};
use crate::error::Result;
use crate::jsonl;
use crate::model::{Body, Compaction, Part};

impl Reader<'_> {
    /// Gives a boundary with its summary.
    pub(super) fn boundary(&mut self, line: &Line<'_>, place: &Place<'_>) -> Result<()> {
        self.release_compaction()?;
        let meta: CompactMeta<'_> = jsonl::shaped(line.compact).unwrap_or_default();
        let lines = self.scan.fates.replaced.get(&place.index).map_or(&[][..], Vec::as_slice);
        let replaced = lines.iter().map(|index| &self.scan.nodes[*index as usize]);
        let replaced = replaced.filter(|node| node.kind != scan::NodeKind::Link && node.key != 0);
        let told = place.node.and_then(|_| self.scan.told.get(&place.index));
        let summary = told.map(|told| bare_summary(&told.text).to_owned());
        let body = Compaction {
            trigger: meta.trigger.filled().unwrap_or("unknown").to_owned().into(),
            tokens_before: meta.before,
            tokens_after: meta.after,
            tokens_before_estimated: false,
            tokens_after_estimated: false,
            readable: summary.is_some(),
            summary: summary.map(Into::into),
            summary_id: told.map(|told| self.id_at(told.index, told.number).into()),
            summary_line: told.map(|told| told.number),
            replaced: replaced.map(|node| key::id_of(node.key, &self.scan.odd).into()).collect(),
            native: None,
        };
        let item = self.item(line, place, place.id.clone(), Body::Compaction(body));
        if place.node.is_some() {
            return self.sink.item(item);
        }
        // Of the file of a side session nothing is known before it is read.
        self.compaction = Some(item.into_owned());
        Ok(())
    }

    /// Returns the id of the first item of a line.
    fn id_at(&self, index: u32, number: u64) -> String {
        let node = self.scan.nodes.get(index as usize);
        match node.map(|node| key::id_of(node.key, &self.scan.odd)) {
            Some(id) if self.is_duplicate(node, index) => format!("{id}~{number}"),
            Some(id) if node.is_some_and(|node| node.key != 0) => id,
            _ => format!("line-{number}"),
        }
    }

    /// Completes the compaction with the summary at `place`.
    pub(super) fn summary(&mut self, place: &Place<'_>, parts: &[Part<'_>]) -> Result<()> {
        if let Some(Body::Compaction(compaction)) =
            self.compaction.as_mut().map(|item| &mut item.body)
        {
            let whole = parts.iter().find_map(|part| match part {
                Part::Text(text) => Some(text.plain().into_owned()),
                _ => None,
            });
            compaction.summary = whole.map(|text| bare_summary(&text).to_owned().into());
            compaction.readable = compaction.summary.is_some();
            compaction.summary_id = Some(place.id.to_string().into());
            compaction.summary_line = Some(place.number);
        }
        self.release_compaction()
    }

    pub(super) fn release_compaction(&mut self) -> Result<()> {
        self.compaction.take().map_or(Ok(()), |item| self.sink.item(item))
    }
}

/// Returns the text after the introduction and before the closing words of a compaction summary.
fn bare_summary(text: &str) -> &str {
    let body = text.split_once("\nSummary:\n").map_or(text, |(_, body)| body);
    let ends = [
        "\n\nIf you need specific details from before compaction",
        "\nContinue the conversation from where it left off",
        "\nPlease continue the conversation from where",
    ];
    ends.iter().fold(body, |body, end| body.split(end).next().unwrap_or(body)).trim()
}
