//! A session as a conversion carries it.

use std::io::{self, Write};
use std::sync::Arc;

use crate::convert::State;
use crate::error::Result;
use crate::harness::Sink;
use crate::json::Left;
use crate::jsonl::{Input, Line, Texts};
use crate::model::{Body, Header, Item, Part, Session, Text};

/// A text that is shorter is kept, in bytes as stored: to fetch it costs more than to hold it.
const LEFT_BYTES: usize = 1024;

/// Keeps everything, texts as they are stored: most are written again as they stand. Long ones are
/// left where they are.
#[derive(Default)]
pub(super) struct Stored {
    pub(super) session: Session,
    /// Where texts are left, if that can be done.
    pub(super) texts: Option<Arc<Texts>>,
    /// The state of the lines so far.
    pub(super) state: State,
    line: Option<Place>,
}

/// Where the line stands whose items come.
struct Place {
    /// In the file.
    at: u64,
    /// In memory; an address to compare others with.
    from: usize,
    bytes: usize,
}

impl Stored {
    /// Leaves long texts in `input`, if that can be done.
    pub(super) fn of(input: &Input) -> Self {
        Self { texts: input.texts().map(Arc::new), ..Self::default() }
    }

    /// Leaves a long text of the line at hand where it is, and keeps any other as it is stored.
    fn keep(&self, text: &mut Text<'_>) {
        match self.left(text) {
            Some(left) => *text = Text::Left(left),
            None => text.keep_stored(),
        }
    }

    fn left(&self, text: &Text<'_>) -> Option<Left> {
        let (texts, line) = (self.texts.as_ref()?, self.line.as_ref()?);
        let stored = text.stored().filter(|stored| stored.len() >= LEFT_BYTES)?;
        // What was mended or unescaped lies elsewhere.
        let within = stored.as_ptr().addr().checked_sub(line.from)?;
        let is_inside = within + stored.len() <= line.bytes;
        is_inside.then(|| Left::new(texts.clone(), line.at + within as u64, stored.len()))
    }
}

impl Sink for Stored {
    fn header(&mut self, header: &Header) -> Result<()> {
        self.session.header(header)
    }

    fn expect(&mut self, items: usize) {
        self.session.expect(items);
    }

    fn place(&mut self, line: Option<Line<'_>>) {
        self.line = line.map(|line| {
            let Line { at, bytes, ended, .. } = line;
            self.state.add(bytes);
            self.state.add(if ended { b"\n" } else { b"" });
            Place { at, from: bytes.as_ptr().addr(), bytes: bytes.len() }
        });
    }

    fn item(&mut self, mut item: Item<'_>) -> Result<()> {
        match &mut item.body {
            Body::Message(message) => texts(&mut message.parts).for_each(|text| self.keep(text)),
            Body::ToolResult(result) => texts(&mut result.output).for_each(|text| self.keep(text)),
            Body::Reasoning(reasoning) => self.keep(&mut reasoning.text),
            _ => {}
        }
        self.session.item(item)
    }
}

/// Writes until a text is lost that was left in its file: what follows would not be whole.
pub(super) struct Whole<'w> {
    pub(super) out: &'w mut dyn Write,
    pub(super) texts: Option<&'w Texts>,
}

impl Write for Whole<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes).map(|()| bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self.texts {
            Some(texts) if texts.is_lost() => Err(io::Error::other("a text of it is lost")),
            _ => self.out.write_all(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn texts<'p, 'a>(parts: &'p mut [Part<'a>]) -> impl Iterator<Item = &'p mut Text<'a>> {
    parts.iter_mut().filter_map(|part| match part {
        Part::Text(text) => Some(text),
        Part::Blob(_) | Part::Other { .. } => None,
    })
}
