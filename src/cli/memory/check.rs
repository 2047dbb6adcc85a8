//! `segue memory check`: what would keep memories from being loaded.

use serde::Serialize;

use super::super::guarded::counted;
use super::super::table::{terminal_width, wrapped};
use super::super::{Cli, pretty};
use super::guarded::{self, GuardArgs};
use super::place::SomeArgs;
use crate::emit;
use crate::error::{Error, Result};
use crate::harness::memory::LINKED;
use crate::harness::{Finding, Severity};

const EXAMPLE: &str = "\
Example:
  segue memory check --json";

/// Look for memories that are cut, not found, or not loaded, and for what should not be in them
///
/// Exit code 1 if something is not loaded as it stands.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    #[command(flatten)]
    some: SomeArgs,

    /// Print the findings as JSON
    #[arg(long)]
    json: bool,
}

/// What was found, for programs.
#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    findings: &'a [Row],
}

/// A finding in a file.
#[derive(Serialize)]
struct Row {
    harness: &'static str,
    file: String,
    #[serde(flatten)]
    finding: Finding,
}

/// Runs `segue memory check`.
pub(super) fn run(args: &Args, cli: &Cli) -> Result<()> {
    let held = args.some.read(&GuardArgs::default())?;
    let mut rows = Vec::new();
    for one in &held {
        let found = one.of.check(&one.tree, &one.at).into_iter();
        rows.extend(found.map(|(file, finding)| Row {
            harness: one.of.name(),
            file: file.to_string(),
            finding,
        }));
        rows.extend(one.tree.unreadable.iter().map(|(file, why)| Row {
            harness: one.of.name(),
            file: file.to_string(),
            finding: unreadable(why),
        }));
        rows.extend(guarded::findings(one).map(|(file, finding)| Row {
            harness: one.of.name(),
            file,
            finding,
        }));
    }
    rows.sort_by(|a, b| {
        (a.finding.severity, &a.file, a.finding.line).cmp(&(
            b.finding.severity,
            &b.file,
            b.finding.line,
        ))
    });
    let text = if args.json {
        pretty(&Report { schema: "segue.memory-check/1", findings: &rows })?
    } else {
        rows.iter().map(told).collect()
    };
    emit::print(text.as_bytes())?;
    let read: usize = held.iter().map(|one| one.memories.len()).sum();
    let memories = counted(read, "memory", "memories");
    cli.say(&format!("segue: {memories} read, {}", counted(rows.len(), "finding", "findings")));
    let errors = rows.iter().filter(|row| row.finding.severity == Severity::Error).count();
    match errors {
        0 => Ok(()),
        errors => Err(Error::Nothing {
            what: format!("memories are not loaded whole: {}", counted(errors, "error", "errors"),),
        }),
    }
}

/// Says of a file that it could not be read. Whether its harness follows a link is not known.
fn unreadable(why: &str) -> Finding {
    let severity = if why == LINKED { Severity::Warning } else { Severity::Error };
    let message = format!("it cannot be read: {why}");
    Finding { severity, line: 0, rule: "unreadable", message, hint: None }
}

fn told(row: &Row) -> String {
    let Finding { severity, line, rule, message, hint } = &row.finding;
    let grave = severity.word();
    let line = if *line > 0 { format!(":{line}") } else { String::new() };
    let hint = hint.as_deref().map(|hint| format!("; {hint}")).unwrap_or_default();
    let line = format!("{grave}: {}{line}: {message}{hint} [{rule}]", row.file);
    wrapped(&emit::one_line(&line), 2, terminal_width())
}
