//! `segue convert`: a session as another harness's own.

use std::io::Write as _;

use camino::Utf8PathBuf;
use clap::builder::PossibleValuesParser;

use super::{Cli, SessionArgs, choose, tell};
use crate::convert::{self, Converted, Options};
use crate::discover::Chosen;
use crate::emit::Output;
use crate::error::{Error, Result};
use crate::harness::{self, Harness, Target, Want, Writer};
use crate::model::{Session, ToolCall};
use crate::note::Losses;

const EXAMPLE: &str = "\
Example:
  segue convert latest --to codex --install";

/// Write a session as another harness's own, which its program resumes
///
/// What is converted is what would be sent on resume, with the compaction that stands before it.
/// What could not be carried is told, a line a kind.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    #[command(flatten)]
    session: SessionArgs,

    /// The harness that is to resume it
    #[arg(long = "to", value_name = "HARNESS", value_parser = targets())]
    to: String,

    /// Where to write it; left out, standard output
    #[arg(long, value_name = "FILE")]
    out: Option<Utf8PathBuf>,

    /// The folder in which the session is to go on, in place of its own
    #[arg(long, value_name = "DIR")]
    cwd: Option<Utf8PathBuf>,

    /// Carry all that was ever sent, as if nothing had been compacted
    #[arg(long)]
    full_history: bool,
}

fn targets() -> PossibleValuesParser {
    let with_writer = harness::ALL.iter().filter(|harness| harness.writer().is_some());
    PossibleValuesParser::new(with_writer.map(|harness| harness.name()))
}

/// Runs `segue convert`.
pub(super) fn run(args: &Args, cli: &Cli) -> Result<()> {
    let (name, writer) = args.target()?;
    let chosen = choose(&args.session, cli)?;
    let mut session = Session::default();
    let want = Want { blobs: true, native: true, ..Want::default() };
    session.end = chosen.harness.read(&chosen.input, want, &mut session)?;
    let notes = session.end.notes.clone();
    let target = target(args, name, &chosen, &session)?;
    let mut converted = conversation(session, name, args.full_history);
    let mut out = match &args.out {
        Some(path) => Output::file(path)?,
        None => Output::stdout(),
    };
    let lost = writer.write(&converted.conversation, &target, &mut out);
    let lost = lost.map_err(|cause| Error::write(out.name(), cause))?;
    out.flush().map_err(|cause| Error::write(out.name(), cause))?;
    out.finish()?;
    converted.losses.add(lost);
    report(&converted.losses, cli);
    tell(&notes, cli)
}

impl Args {
    fn target(&self) -> Result<(&'static str, &'static dyn Writer)> {
        let named = harness::by_name(&self.to);
        let writer = named.and_then(|harness| Some((harness.name(), harness.writer()?)));
        writer.ok_or_else(|| Error::usage("there is no such target", "`segue convert --help`"))
    }
}

fn target(args: &Args, to: &str, chosen: &Chosen, session: &Session) -> Result<Target> {
    let header = &session.header;
    let fail = |cause| Error::read(chosen.input.shown(), cause);
    let content = convert::digest(chosen.input.open()?).map_err(fail)?;
    let own = header.cwd.clone().or_else(|| header.project.clone());
    let cwd = args.cwd.as_ref().map(|cwd| cwd.to_string()).or(own).unwrap_or_default();
    let origin = format!("{}:{}", header.harness, header.id);
    let all = if args.full_history { "full" } else { "live" };
    let id = convert::target_id(&[&origin, &content, to, all, &cwd]);
    Ok(Target { id, cwd, origin, now: None })
}

fn conversation(session: Session, to: &str, full_history: bool) -> Converted {
    let source = harness::by_name(&session.header.harness);
    let deed = |call: &ToolCall<'_>| {
        let arguments = serde_json::from_str(call.arguments.get()).ok()?;
        source?.deed(&call.name, &arguments)
    };
    let same = source.map(Harness::name) == Some(to);
    convert::convert(session, &Options { same, full_history, deed: &deed })
}

fn report(losses: &Losses, cli: &Cli) {
    for loss in losses.list() {
        let first = loss.first.first().map(|id| format!(" (first at {id})")).unwrap_or_default();
        cli.say(&format!("loss: {}: {}{first}", loss.kind.words(), loss.count));
    }
}
