//! `segue memory show`: one memory, whole.

use std::collections::BTreeSet;

use super::super::{Cli, nearest};
use super::guarded::GuardArgs;
use super::place::{SomeArgs, told};
use crate::emit;
use crate::error::{Error, Result};
use crate::model::Memory;

const EXAMPLE: &str = "\
Examples:
  segue memory show mem_5dd350750af6da67
  segue memory show 5dd3 notes/MEMORY.md   one of those that a file holds";

/// Print a memory, with where it stands and how old it is
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Its id, or the start of one, as `segue memory list` and a pack name it
    #[arg(value_name = "ID")]
    id: String,

    #[command(flatten)]
    some: SomeArgs,

    #[command(flatten)]
    guard: GuardArgs,
}

/// Runs `segue memory show`.
pub(super) fn run(args: &Args, cli: &Cli) -> Result<()> {
    let held = args.some.read(&args.guard)?;
    let all = || held.iter().flat_map(|one| &one.memories);
    let wanted = args.id.trim_start_matches("mem_");
    let fits = |memory: &&Memory| memory.id["mem_".len()..].starts_with(wanted);
    let found: Vec<_> = if wanted.is_empty() { Vec::new() } else { all().filter(fits).collect() };
    let Some(memory) = found.first() else {
        let ids = all().map(|memory| memory.id.clone());
        let near = nearest::told(&nearest::nearest(&args.id, ids));
        let mut hint = near.unwrap_or_else(|| "`segue memory list` has the ids".to_owned());
        if !args.some.what.is_empty() {
            hint += " of the same files";
        } else if !args.some.all {
            hint += "; --all looks at every project, as `segue memory list --all` does";
        }
        return Err(Error::usage(
            format!("no memory has the id `{}`", emit::one_line(&args.id)),
            hint,
        ));
    };
    // The same memory may be kept in several places.
    let ids: BTreeSet<_> = found.iter().map(|memory| &memory.id).collect();
    if ids.len() > 1 {
        let what = format!("{} ids begin with `{}`", ids.len(), emit::one_line(&args.id));
        return Err(Error::usage(what, "type more of the id"));
    }
    emit::print(emit::printable(&text(memory)).as_bytes())?;
    told(&held, cli)
}

fn text(memory: &Memory) -> String {
    let source = &memory.source;
    let line = source.first_line.map(|line| format!(":{line}")).unwrap_or_default();
    let time = memory.updated_at.as_deref().and_then(|time| time.get(..10)).unwrap_or("no date");
    let body = if memory.flags.quarantined {
        let rules = memory.flags.threats.join(", ");
        format!("[held back: looks like {rules}; `--allow RULE` shows it]")
    } else {
        memory.body_md.clone()
    };
    format!("{}\n{}{line}, {time}\n\n{body}\n", memory.title, source.path)
}
