//! `segue status`: whether the work of a session is done.

use super::guarded::{self, GuardArgs};
use super::source::nothing_to_go_on_with;
use super::table::{terminal_width, wrapped};
use super::{Cli, SessionArgs, choose_or_calling, kept};
use crate::derive::{self, LastCheck, OpenLine, Status};
use crate::emit;
use crate::error::{Error, Result};

/// By how many blanks the further lines of a thing are moved in.
const INDENT: usize = 4;
/// How many characters of a check's command tell it from others.
const COMMAND_CHARS: usize = 100;

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
    let chosen = choose_or_calling(&args.session, cli)?;
    let session = kept::read(chosen.harness, &chosen.input)?;
    let mut facts = derive::derive(&session);
    if facts.is_empty() {
        let missing = "nothing was asked or done in it";
        return Err(nothing_to_go_on_with(&chosen, &session.header, missing, None));
    }
    guarded::guard(&mut facts, &args.guard);
    let status = derive::status(&facts);
    let text = match args.json {
        true => super::pretty(&status)?,
        false => told(&status, terminal_width()),
    };
    emit::print(text.as_bytes())?;
    super::tell(&session.end.notes, cli)?;
    match status.reasons.len() {
        0 => Ok(()),
        _ => Err(Error::NotDone { reasons: status.reasons.join(", ") }),
    }
}

/// Says it in lines for people, each thing once, broken where the terminal ends.
fn told(status: &Status, width: Option<usize>) -> String {
    lines(status).iter().map(|line| wrapped(&emit::one_line(line), INDENT, width)).collect()
}

fn lines(status: &Status) -> Vec<String> {
    let ending = &status.ending;
    let claim = match (ending.claimed_done, status.closure_mismatch) {
        (true, true) => ", though the agent said that it is",
        (true, false) => ", as the agent said",
        (false, _) => "",
    };
    let mut lines = vec![format!("{}{claim}", if status.done { "done" } else { "not done" })];
    lines.extend(ending.plan.map(|(done, all)| format!("list of work: {done} of {all} done")));
    let is_of_list = |line: &&String| ending.lists.iter().any(|list| list.told == **line);
    match &ending.last_check {
        Some(check) if status.open.iter().any(|work| is_of(work, check)) => {}
        // What is missing is that it says nothing, or nothing of the last changes.
        Some(check) => lines.push(last(check)),
        None => {
            // The command that waited is told below.
            let missing = status.missing.iter().filter(|line| !is_of_list(line));
            let missing = missing.filter(|line| *line != derive::WAITED_FOR);
            lines.extend(missing.map(|line| format!("missing: {line}")));
        }
    }
    let of_lists = status.missing.iter().filter(is_of_list);
    lines.extend(of_lists.map(|line| format!("missing: {line}")));
    if status.reasons.contains(&"waits_for_user") {
        let question = status.question.iter().map(|asked| format!(": \"{asked}\""));
        let question: String = question.collect();
        lines
            .push(format!("waits: the user is asked something that is not answered yet{question}"));
    }
    lines.extend(status.open.iter().map(|work| {
        let text = &work.text;
        format!("{}: {text} ({}, {})", label(work), listed(work), work.id)
    }));
    lines
}

/// Says how the check that ran last ended, and what it does not speak of.
fn last(check: &LastCheck) -> String {
    let since = check.since();
    format!("last check: `{}`: {}{since}", check.command, check.told)
}

/// Tells whether a piece of open work is to mend this check; it says how that ended.
fn is_of(work: &OpenLine, check: &LastCheck) -> bool {
    // The command may be cut there.
    let command: String = emit::one_line(&check.command).chars().take(COMMAND_CHARS).collect();
    work.source == "check"
        && work.text.starts_with(&format!("make `{command}"))
        && work.text.contains(&format!("` pass: {}", check.told))
}

/// Says where a piece of open work is listed.
fn listed(work: &OpenLine) -> &'static str {
    match work.source {
        "pack" | "pack_aside" => "open when it began",
        "summary_aside" => "summary, before files were changed",
        source => source,
    }
}

/// Says how a piece of open work stands to the answer.
fn label(work: &OpenLine) -> &'static str {
    match work.source {
        // These keep nothing from being done.
        "agent_said" | "pack_aside" | "recap" => "mentioned",
        "running" if derive::waits_for_checks(&work.text) => "open",
        "uncommitted" | "running" | "code" => "left",
        _ => "open",
    }
}
