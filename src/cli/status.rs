//! `segue status`: whether the work of a session is done.

use std::fmt::Write as _;

use super::guarded::{self, GuardArgs};
use super::{Cli, SessionArgs, choose, kept};
use crate::derive::{self, Status};
use crate::emit;
use crate::error::{Error, Result};

const EXAMPLE: &str = "\
Examples:
  segue status                  what is open in this project's newest session
  segue status && segue pack    a pack only of a session whose work is done
  segue status latest --json";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    #[command(flatten)]
    session: SessionArgs,

    #[command(flatten)]
    guard: GuardArgs,

    /// Print the answer as JSON
    #[arg(long)]
    json: bool,
}

/// Runs `segue status`.
pub(super) fn run(args: &Args, cli: &Cli) -> Result<()> {
    let chosen = choose(&args.session, cli)?;
    let session = kept::read(chosen.harness, &chosen.input)?;
    let mut facts = derive::derive(&session);
    guarded::guard(&mut facts, &args.guard);
    let status = derive::status(&facts);
    let text = match args.json {
        true => super::pretty(&status)?,
        false => told(&status),
    };
    emit::print(text.as_bytes())?;
    super::tell(&session.end.notes, cli)?;
    match status.reasons.len() {
        0 => Ok(()),
        _ => Err(Error::NotDone { reasons: status.reasons.join(", ") }),
    }
}

/// Says it in lines for people.
fn told(status: &Status) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = lines(status, &mut text);
    text
}

fn lines(status: &Status, out: &mut String) -> std::fmt::Result {
    let ending = &status.ending;
    let claim = match (ending.claimed_done, status.closure_mismatch) {
        (true, true) => ", though the agent said that it is",
        (true, false) => ", as the agent said",
        (false, _) => "",
    };
    writeln!(out, "{}{claim}", if status.done { "done" } else { "not done" })?;
    if let Some((done, all)) = ending.plan {
        writeln!(out, "list of work: {done} of {all} done")?;
    }
    if let Some(check) = &ending.last_check {
        let command = emit::one_line(&check.command);
        writeln!(out, "last check: `{command}`: {}", emit::one_line(&check.told))?;
    }
    for line in &status.missing {
        writeln!(out, "missing: {}", emit::one_line(line))?;
    }
    for work in &status.open {
        // What the agent only mentions keeps nothing from being done.
        let label = if work.source == "agent_said" { "mentioned" } else { "open" };
        writeln!(out, "{label}: {} ({}, {})", emit::one_line(&work.text), work.source, work.id)?;
    }
    Ok(())
}
