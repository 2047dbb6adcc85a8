//! `segue memory`: lasting facts and rules, as each harness keeps them.

mod carry;
mod check;
mod edit;
mod export;
mod guarded;
mod list;
mod place;
mod plan;
mod seed;
mod show;
mod usage;

use camino::Utf8Path;

use super::Cli;
use crate::discover::memories as gathering;
use crate::error::Result;
use crate::harness::memory::Memories;
use crate::model::Memory;

const EXAMPLE: &str = "\
Example:
  segue memory list --all";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    List(list::Args),
    Show(show::Args),
    Export(export::Args),
    Import(carry::ImportArgs),
    Migrate(carry::MigrateArgs),
    Edit(edit::Args),
    Check(check::Args),
    Seed(seed::Args),
}

/// Runs `segue memory`.
pub(super) fn run(args: &Args, cli: &Cli) -> Result<()> {
    match &args.command {
        Command::List(args) => list::run(args, cli),
        Command::Show(args) => show::run(args, cli),
        Command::Export(args) => export::run(args, cli),
        Command::Import(args) => carry::import(args, cli),
        Command::Migrate(args) => carry::migrate(args, cli),
        Command::Edit(args) => edit::run(args, cli),
        Command::Check(args) => check::run(args, cli),
        Command::Seed(args) => seed::run(args, cli),
    }
}

/// How much a harness keeps in all projects, and what of it cannot be read.
pub(super) struct Counted {
    pub(super) memories: usize,
    /// Files, each with the reason.
    pub(super) unreadable: Vec<(String, String)>,
}

/// Counts what agents keep in all projects; what humans write is not counted.
pub(super) fn counted(of: &'static dyn Memories) -> Result<Counted> {
    let Some(at) = place::PlaceArgs::default().at(of, true)? else {
        return Ok(Counted { memories: 0, unreadable: Vec::new() });
    };
    let tree = gathering::gather(of, &at);
    let all = of.read(&tree, &at).memories;
    let memories = all.iter().filter(|one| !one.source.layer.is_human()).count();
    let unreadable =
        tree.unreadable.into_iter().map(|(path, why)| (path.into_string(), why)).collect();
    Ok(Counted { memories, unreadable })
}

/// Returns what agents keep for a project and everywhere, for a pack: what humans write is read by
/// each harness anyway, and what is held back stays out.
pub(super) fn kept(project: Option<&Utf8Path>, cli: &Cli) -> Result<Vec<Memory>> {
    let place = place::PlaceArgs::of(project);
    let held = place.read_all(&[], false, &guarded::GuardArgs::only_looking())?;
    held.iter().for_each(|one| guarded::say(&one.guarded, cli));
    let all = held.into_iter().flat_map(|one| one.memories);
    Ok(all.filter(|one| !one.source.layer.is_human() && !one.flags.quarantined).collect())
}
