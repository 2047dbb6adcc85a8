//! `segue export`: a session in the unified form.

use camino::Utf8PathBuf;

use super::Cli;
use crate::emit::Output;
use crate::error::Result;
use crate::export::Ndjson;
use crate::harness::{self, Sink, Want};
use crate::jsonl::Input;
use crate::model::{Header, Item};

/// Print a session as NDJSON in one schema, whatever harness wrote it
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A session file, or `-` for standard input
    session: Utf8PathBuf,
}

struct Stream(Ndjson<Output>);

impl Sink for Stream {
    fn header(&mut self, header: &Header) -> Result<()> {
        self.0.header(header)
    }

    fn item(&mut self, item: Item<'_>) -> Result<()> {
        self.0.item(item)
    }

    fn settled(&mut self, rank: u32) -> Result<()> {
        self.0.settled(rank)
    }

    fn raw_line(&mut self, line: u64, bytes: &[u8], ended: bool) -> Result<()> {
        self.0.raw_line(line, bytes, ended)
    }
}

/// Runs `segue export`.
pub(super) fn run(args: &Args, cli: &Cli) -> Result<()> {
    let input = Input::file(&args.session)?;
    let harness = harness::recognise(&input)?;
    let mut sink = Stream(Ndjson::new(Output::stdout(), false));
    let end = harness.read(&input, Want::default(), &mut sink)?;
    sink.0.end(&end)?.finish()?;
    super::tell(&end.notes, cli)
}
