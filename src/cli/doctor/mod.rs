//! `segue doctor`: what is there of each harness, and what stands in the way.

mod blocks;
mod look;
mod told;

use serde::Serialize;

use super::session::PlaceArgs;
use super::{Cli, pretty};
use crate::emit;
use crate::error::{Error, Result};
use crate::harness::{Finding, Severity};

const EXAMPLE: &str = "\
Examples:
  segue doctor                         what is there, and what to do
  segue doctor --json | jq .findings   for programs";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    #[command(flatten)]
    place: PlaceArgs,

    /// Print the answer as JSON
    #[arg(long)]
    json: bool,
}

/// The variable of the user's own folder, in which each harness has its home by default.
const USER: &str = "HOME";

/// What was found, for programs.
#[derive(Serialize)]
struct Report {
    schema: &'static str,
    version: &'static str,
    /// Whether no finding is an error.
    healthy: bool,
    harnesses: Vec<Home>,
    /// The project that is meant; nothing where the current directory cannot be used.
    project: Option<Project>,
    findings: Vec<Row>,
    /// How many findings there are besides.
    more_findings: usize,
    /// How many of all findings are errors.
    #[serde(skip)]
    errors: usize,
}

/// What is there of one harness.
#[derive(Debug, Default, Serialize)]
struct Home {
    name: &'static str,
    title: &'static str,
    /// Its folder; nothing if no variable tells it.
    home: Option<String>,
    /// The environment variable that names it or the folder around it.
    variable: Option<String>,
    there: bool,
    /// Nothing if sessions of it cannot be read.
    sessions: Option<usize>,
    bytes: Option<u64>,
    /// When the newest session ended.
    newest: Option<String>,
    /// The versions that wrote the newest sessions, the newest first.
    versions: Vec<String>,
    /// Nothing if memories of it are not known.
    memories: Option<usize>,
}

/// What is there of one project.
#[derive(Serialize)]
struct Project {
    root: String,
    sessions: usize,
    /// The newest session with a request and an answer, as `harness:id`.
    newest: Option<String>,
    git: GitState,
    /// The context files of the project that hold a block of this program.
    blocks: Vec<blocks::File>,
}

/// What git says of a project.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum GitState {
    Repository,
    NoRepository,
    /// There is no git, or it does not answer.
    NoGit,
    /// The folder is not on this machine.
    NoFolder,
}

/// A finding, and what it is about.
#[derive(Debug, Serialize)]
struct Row {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(flatten)]
    finding: Finding,
}

impl Row {
    fn new(severity: Severity, rule: &'static str, message: String, hint: &str) -> Self {
        let hint = Some(hint.to_owned());
        Self { file: None, finding: Finding { severity, line: 0, rule, message, hint } }
    }

    /// The same about a file.
    fn of(self, file: impl Into<String>) -> Self {
        Self { file: Some(file.into()), ..self }
    }
}

/// Runs `segue doctor`.
pub(super) fn run(args: &Args, cli: &Cli) -> Result<()> {
    let report = look::report(&args.place, cli)?;
    let text = if args.json { pretty(&report)? } else { told::told(&report) };
    emit::print(text.as_bytes())?;
    match report.errors {
        0 => Ok(()),
        1 => Err(Error::Nothing { what: "1 finding needs you".to_owned() }),
        errors => Err(Error::Nothing { what: format!("{errors} findings need you") }),
    }
}
