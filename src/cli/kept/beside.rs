//! What a pack looks at, taken beside what a session is read for.

use super::{lent, looked_at};
use crate::error::Result;
use crate::harness::{self, Harness, Sink, Want};
use crate::jsonl::Input;
use crate::model::{End, Header, Item, Session};

/// Gives all to one sink, and once it is known that a pack will be asked for, each item to that of a pack too: its
/// texts are at hand now, and later have to be fetched.
pub(in crate::cli) struct Beside<'s> {
    sink: &'s mut dyn Sink,
    pack: &'s mut dyn Sink,
    recorder: Option<&'static dyn Harness>,
    is_asked: bool,
}

impl Beside<'_> {
    /// Reads a session to `sink`; returns what a pack looks at, if its reader says that the last compaction left
    /// nothing that can be read.
    pub(in crate::cli) fn read(
        harness: &dyn Harness,
        input: &Input,
        want: Want,
        sink: &mut dyn Sink,
    ) -> Result<(End, Option<Session>)> {
        let mut is_asked = false;
        let session = looked_at(|pack| {
            let mut both = Beside { sink, pack, recorder: None, is_asked };
            let end = harness.read(input, want, &mut both)?;
            is_asked = both.is_asked;
            Ok(end)
        })?;
        Ok((session.end.clone(), is_asked.then_some(session)))
    }
}

impl Sink for Beside<'_> {
    fn header(&mut self, header: &Header) -> Result<()> {
        self.recorder = harness::by_name(&header.harness);
        self.pack.header(header)?;
        self.sink.header(header)
    }

    fn expect_hidden(&mut self) {
        self.is_asked = true;
    }

    fn item(&mut self, item: Item<'_>) -> Result<()> {
        if self.is_asked {
            self.pack.item(lent(&item, self.recorder))?;
        }
        self.sink.item(item)
    }

    fn next(&mut self) -> Option<&mut dyn Sink> {
        Some(self.sink)
    }
}
