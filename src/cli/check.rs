//! `segue check`: what would stop a native session from being resumed.

use std::collections::HashSet;

use serde::Serialize;

use super::Cli;
use super::convert::targets;
use super::session::{SessionArgs, choose};
use super::table::{terminal_width, wrapped};
use crate::emit;
use crate::error::{Error, Result};
use crate::harness::{self, Finding, Harness, Severity, Writer};
use crate::jsonl::Input;

#[derive(Debug, clap::Args)]
#[command(after_help = examples())]
pub(super) struct Args {
    #[command(flatten)]
    session: SessionArgs,

    /// The harness that is to resume it; left out, the one that seems to have written it
    #[arg(long = "as", value_name = "HARNESS", value_parser = targets())]
    as_harness: Option<String>,

    /// Print the findings as JSON
    #[arg(long)]
    json: bool,
}

fn examples() -> String {
    let name = harness::ALL.last().map(|harness| harness.name()).unwrap_or_default();
    format!(
        "Examples:
  segue check session.jsonl               a file that does not load
  segue check latest --as {name} --json   for programs"
    )
}

/// What was found, for programs.
#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    file: &'a str,
    harness: &'a str,
    resumable: bool,
    findings: &'a [Finding],
}

/// Runs `segue check`.
pub(super) fn run(args: &Args, cli: &Cli) -> Result<()> {
    let (harness, input) = match (&args.as_harness, &args.session.session) {
        // A file of which nothing is known but its name can be checked all the same.
        (Some(name), Some(word)) if std::path::Path::new(word).is_file() => {
            let harness = harness::by_name(name);
            (harness, Input::file(word.as_str().into())?)
        }
        (name, _) => {
            let chosen = choose(&args.session, cli)?;
            let named = name.as_deref().and_then(harness::by_name);
            (named.or(Some(chosen.harness)), chosen.input)
        }
    };
    let writer = harness.and_then(|harness| Some((harness, harness.writer()?)));
    let Some((harness, writer)) = writer else {
        return Err(Error::usage("no program resumes files of this form", "--as HARNESS"));
    };
    let findings = {
        let _progress = cli.progress("reading the session");
        sorted(writer, &input)?
    };
    let count = |severity| findings.iter().filter(|one| one.severity == severity).count();
    let errors = count(Severity::Error);
    let text = if args.json {
        super::pretty(&Report {
            schema: "segue.check/1",
            file: input.shown(),
            harness: harness.name(),
            resumable: errors == 0,
            findings: &findings,
        })?
    } else {
        told(harness, input.shown(), &findings)
    };
    emit::print(text.as_bytes())?;
    match errors {
        0 => Ok(()),
        problems => {
            let path = input.shown().to_owned();
            let is_readable = is_readable(&input.again()?);
            Err(Error::NotResumable { path, problems, is_readable })
        }
    }
}

/// Tells whether a session that could be gone on with is read out of a file, whatever stops its harness.
fn is_readable(input: &Input) -> bool {
    let header = harness::recognise(input).and_then(|harness| harness.header(input));
    header.is_ok_and(|header| header.has_request || header.has_answer)
}

fn sorted(writer: &dyn Writer, input: &Input) -> Result<Vec<Finding>> {
    let mut findings = writer.check(input)?;
    let lines: HashSet<_> =
        findings.iter().filter(|one| one.line > 0).map(|one| one.rule).collect();
    // What counts the rest of a kind comes after those that are told.
    let is_rest = |one: &Finding| one.line == 0 && lines.contains(one.rule);
    findings.sort_by_key(|one| (one.severity, is_rest(one), one.line));
    Ok(findings)
}

/// Writes the findings for people, the gravest first.
fn told(harness: &dyn Harness, shown: &str, findings: &[Finding]) -> String {
    let width = terminal_width();
    if findings.is_empty() {
        let shown = emit::one_line(shown);
        let title = harness.title();
        return wrapped(
            &format!("{shown}: nothing found that {title} would stumble over"),
            2,
            width,
        );
    }
    findings.iter().map(|one| finding(one, width)).collect()
}

/// Writes a finding, and below it what to do.
pub(super) fn finding(one: &Finding, width: Option<usize>) -> String {
    /// Where the words begin.
    const INDENT: usize = 10;
    let word = one.severity.word();
    let place = if one.line > 0 { format!(" line {}", one.line) } else { String::new() };
    let label = format!("{word:<8}{place}");
    let message = emit::one_line(&one.message);
    let mut text =
        wrapped(&format!("{}: {message} [{}]", label.trim_end(), one.rule), INDENT, width);
    if let Some(hint) = &one.hint {
        let hint = emit::one_line(hint);
        text += &wrapped(&format!("{}hint: {hint}", " ".repeat(INDENT)), INDENT, width);
    }
    text
}
