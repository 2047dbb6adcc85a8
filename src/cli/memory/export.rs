//! `segue memory export`: memories as records, one a line.

use std::io::Write as _;

use camino::Utf8PathBuf;
use serde_json::json;

use super::super::{Cli, out};
use super::guarded::GuardArgs;
use super::place::{SomeArgs, told};
use super::usage;
use crate::error::{Error, Result};
use crate::model::{MEMORY_SCHEMA, Memory};

const EXAMPLE: &str = "\
Examples:
  segue memory export > memories.ndjson    all that any harness keeps here
  segue schema memory                      what a record looks like";

/// Write memories as records that every harness has in common, one a line
///
/// How often sessions used a memory, and when last, is counted in the sessions of the same harness.
/// Secrets are replaced unless `--no-redact`; what looks like a hidden instruction is marked.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    #[command(flatten)]
    some: SomeArgs,

    /// Write to this file in place of standard output
    #[arg(short, long, value_name = "FILE", default_value = "-", hide_default_value = true)]
    out: Utf8PathBuf,

    #[command(flatten)]
    guard: GuardArgs,
}

/// Runs `segue memory export`.
pub(super) fn run(args: &Args, cli: &Cli) -> Result<()> {
    let mut held = args.some.read(&args.guard)?;
    usage::count_all(&mut held, &args.some.place, args.some.all, cli)?;
    let text = lines(held.iter().flat_map(|one| &one.memories));
    if text.is_empty() {
        return Err(Error::Nothing { what: "no memories here".into() });
    }
    let sources = held.iter().flat_map(|one| one.tree.files.keys().map(Utf8PathBuf::as_path));
    let mut out = out::file(&args.out, sources)?;
    out.write_all(text.as_bytes()).map_err(|cause| Error::write(out.name(), cause))?;
    out.finish()?;
    told(&held, cli)
}

/// Returns the records of `memories`, one a line.
pub(super) fn lines<'m>(memories: impl Iterator<Item = &'m Memory>) -> String {
    let line = |memory: &Memory| {
        let mut record = json!({"type": "memory", "schema": MEMORY_SCHEMA});
        let fields = serde_json::to_value(memory).unwrap_or_default();
        if let (Some(record), serde_json::Value::Object(fields)) = (record.as_object_mut(), fields)
        {
            record.extend(fields);
        }
        format!("{record}\n")
    };
    memories.map(line).collect()
}
