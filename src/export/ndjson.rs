//! The unified form as a stream: one record a line, as the reader gives them.

use std::collections::BTreeMap;
use std::io::Write;

use serde::Serialize;

use crate::error::{Error, Result};
use crate::model::{Body, End, Header, Item, encode_base64};

/// Writes records as they come; of the live view only what is live, in the order in which it would
/// be sent.
pub struct Ndjson<W> {
    out: W,
    live_only: bool,
    /// Live items that came before others that are to stand before them, by rank and arrival.
    early: BTreeMap<(u32, u64), Item<'static>>,
    arrived: u64,
    settled: u32,
}

impl<W: Write> Ndjson<W> {
    /// Writes to `out`.
    pub fn new(out: W, live_only: bool) -> Self {
        Self { out, live_only, early: BTreeMap::new(), arrived: 0, settled: 0 }
    }

    /// Writes the last record and gives the writer back.
    pub fn end(mut self, end: &End) -> Result<W> {
        self.release(u32::MAX)?;
        self.record(end)?;
        Ok(self.out)
    }

    /// Writes the first record.
    pub fn header(&mut self, header: &Header) -> Result<()> {
        self.record(&header.record())
    }

    /// Writes an item, or keeps it until its place in the live view has come.
    pub fn item(&mut self, item: Item<'_>) -> Result<()> {
        if !self.live_only {
            return self.record(&item);
        }
        // The marker of a compaction is part of every view.
        let wanted = item.live || matches!(item.body, Body::Compaction(_));
        if !wanted {
            return Ok(());
        }
        if item.rank > self.settled {
            self.arrived += 1;
            self.early.insert((item.rank, self.arrived), item.into_owned());
            return Ok(());
        }
        self.record(&item)
    }

    /// Hears that no later item has a smaller rank.
    pub fn settled(&mut self, rank: u32) -> Result<()> {
        if rank > self.settled {
            self.release(rank)?;
        }
        self.settled = self.settled.max(rank);
        Ok(())
    }

    /// Writes a physical line.
    pub fn raw_line(&mut self, line: u64, bytes: &[u8], ended: bool) -> Result<()> {
        #[derive(Serialize)]
        struct Line<'a> {
            r#type: &'static str,
            line: u64,
            #[serde(skip_serializing_if = "Option::is_none")]
            text: Option<&'a str>,
            #[serde(skip_serializing_if = "Option::is_none")]
            base64: Option<String>,
            ended: bool,
        }
        let text = std::str::from_utf8(bytes).ok();
        let base64 = text.is_none().then(|| encode_base64(bytes));
        self.record(&Line { r#type: "line", line, text, base64, ended })
    }

    /// Writes what was kept and comes before `rank`.
    fn release(&mut self, rank: u32) -> Result<()> {
        while let Some(first) = self.early.first_entry().filter(|first| first.key().0 < rank) {
            let item = first.remove();
            self.record(&item)?;
        }
        Ok(())
    }

    /// Writes straight through: a line may be as long as the longest of the source.
    fn record(&mut self, record: &impl Serialize) -> Result<()> {
        let written = serde_json::to_writer(&mut self.out, record);
        written.map_err(|cause| Error::write("-", cause.into()))?;
        self.out.write_all(b"\n").map_err(|cause| Error::write("-", cause))
    }
}
