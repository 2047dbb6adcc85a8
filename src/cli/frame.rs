//! `segue frame`: the last turn of a session as one frame of state.

use super::guarded::{self, GuardArgs};
use super::{Cli, SessionArgs, choose_or_calling, kept};
use crate::error::Result;
use crate::{derive, emit};

const EXAMPLE: &str = "\
Example:
  segue frame latest > frame.json";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    #[command(flatten)]
    session: SessionArgs,

    #[command(flatten)]
    guard: GuardArgs,
}

/// Runs `segue frame`.
pub(super) fn run(args: &Args, cli: &Cli) -> Result<()> {
    let chosen = choose_or_calling(&args.session, cli)?;
    let session = kept::read(chosen.harness, &chosen.input)?;
    let mut facts = derive::derive(&session);
    guarded::guard(&mut facts, &args.guard);
    let frame = derive::frame(&facts, &session);
    emit::print(super::pretty(&frame)?.as_bytes())?;
    super::tell(&session.end.notes, cli)
}
