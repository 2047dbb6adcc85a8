//! `segue memory edit`: one entry replaced or taken out.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use camino::Utf8Path;
use jiff::Timestamp;

use super::super::{Cli, tell};
use super::guarded::{self, GuardArgs};
use super::place::{Held, PlaceArgs, names};
use super::plan::{PlanArgs, carry_out};
use crate::emit;
use crate::error::{Error, Result};
use crate::guard::Redactor;
use crate::harness::memory::{self, Memories, Tree, edit};
use crate::model::{Memory, clipped};
use crate::plan::{FileChange, MemoryPlan};

/// What is done to the memory; a refusal names both ways.
fn one_of_both() -> clap::ArgGroup {
    clap::ArgGroup::new("deed").required(true).args(["replace", "remove"])
}

fn examples() -> String {
    let name = memory::ALL.first().map_or("", |first| first.name());
    format!(
        "Examples:
  segue memory edit {name} --match 8080 --replace \"The port is 9090.\" --write
  segue memory edit {name} --match mem_5dd350750af6da67 --remove"
    )
}

/// The fewest characters of an id, `mem_` among them.
const LEAST_OF_ID: usize = 8;
/// How much of an entry is shown where several fit, in characters.
const PREVIEW_CHARS: usize = 80;

/// Replace or remove one memory, named by a part of its text
///
/// The part must stand in one memory only; one that stands in several places is changed in all of
/// them. Of a context file a bullet is one where nothing but bullets stands under its heading, and
/// a line alone; more is taken only by its id. Nothing is written without `--write`.
#[derive(Debug, clap::Args)]
#[command(after_help = examples(), group = one_of_both())]
pub(super) struct Args {
    /// Whose memory
    #[arg(value_name = "HARNESS", value_parser = names())]
    harness: String,

    /// A part of its title or text, or its id or the start of one
    #[arg(long = "match", value_name = "TEXT", allow_hyphen_values = true)]
    part: String,

    /// The new text
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    replace: Option<String>,

    /// Take it out
    #[arg(long)]
    remove: bool,

    #[command(flatten)]
    place: PlaceArgs,

    #[command(flatten)]
    plan: PlanArgs,
}

/// Runs `segue memory edit`.
pub(super) fn run(args: &Args, cli: &Cli) -> Result<()> {
    let Some(of) = memory::by_name(&args.harness) else { return Ok(()) };
    if args.part.trim().is_empty() {
        return Err(Error::usage(
            "--match is empty",
            "a part of the text that stands nowhere else",
        ));
    }
    if args.replace.as_deref().is_some_and(|text| text.trim().is_empty()) {
        return Err(Error::usage("--replace is empty", "--remove takes the memory out"));
    }
    args.plan.recover(of, &args.place, cli)?;
    // The file is changed as it stands there; what is shown of it has no secrets.
    let held = args.place.read(of, false, &GuardArgs::only_looking())?;
    guarded::say(&held.guarded, cli);
    tell(&held.notes, cli)?;
    let places = one(&held.memories, &args.part)?;
    for place in &places {
        name_all(place, &args.part, &held.tree)?;
    }
    let text = args.replace.as_deref().filter(|_| !args.remove);
    let mut plan = edited(of, places, text, &held)?;
    let now = format!("{:.3}", Timestamp::now());
    plan.changes.iter_mut().for_each(|change| edit::date(change, &now));
    carry_out(&plan, of.name(), &held.at, &args.plan, cli)
}

/// Says how a memory changes in each of its places. Of one file the last comes first, so that the others stay in
/// their lines.
fn edited(
    of: &dyn Memories,
    mut places: Vec<&Memory>,
    text: Option<&str>,
    held: &Held,
) -> Result<MemoryPlan> {
    places.sort_by_key(|memory| (&memory.source.path, Reverse(memory.source.first_line)));
    let (mut plan, mut tree) = (MemoryPlan::default(), held.tree.clone());
    let mut copies = BTreeSet::new();
    for memory in places {
        let path = Utf8Path::new(&memory.source.path);
        if copies.contains(path) {
            continue;
        }
        let next = of.edit(memory, text, &tree, &held.at).map_err(|why| Error::Refused {
            what: format!("`{}` stays as it is: {why}", emit::one_line(&memory.title)),
            hint: None,
        })?;
        // Some keep a file twice, and change both together.
        let own = next.changes.iter().find(|change| change.path == path).cloned();
        let is_copy = |one: &&FileChange| {
            let own = own.as_ref().filter(|own| own.path != one.path);
            own.is_some_and(|own| (&own.before, &own.after) == (&one.before, &one.after))
        };
        let others = next.changes.iter().filter(is_copy);
        copies.extend(others.map(|one| one.path.clone()));
        tree.change(&next.changes);
        plan.go_on(next);
    }
    Ok(plan)
}

/// Tells whether `part` is the id of a memory, or the start of one.
fn is_id(part: &str, memory: &Memory) -> bool {
    part.starts_with("mem_") && part.len() >= LEAST_OF_ID && memory.id.starts_with(part)
}

/// Fails if more of what a human wrote would go than was named.
fn name_all(memory: &Memory, part: &str, tree: &Tree) -> Result<()> {
    let lines = edit::lines_besides(memory, part, tree).filter(|_| !is_id(part, memory));
    let Some(lines) = lines else { return Ok(()) };
    let (id, path) = (&memory.id, &memory.source.path);
    let what =
        format!("`{part}` stands in a piece of {lines} lines of {path}, all of which would go");
    Err(Error::usage(
        what,
        format!("`--match {id}` if all of it is meant; else change the file itself"),
    ))
}

/// Returns the places of the one memory that `part` is a part of.
fn one<'m>(memories: &'m [Memory], part: &str) -> Result<Vec<&'m Memory>> {
    let has = |memory: &&Memory| {
        is_id(part, memory) || memory.title.contains(part) || memory.body_md.contains(part)
    };
    let found: Vec<_> = memories.iter().filter(has).collect();
    match found[..] {
        [] => Err(Error::Nothing {
            what: format!(
                "no memory has `{part}` in it, capitals as they are; `segue memory list` shows what \
                 there is"
            ),
        }),
        [first, ..] if found.iter().all(|one| one.content_sha256 == first.content_sha256) => {
            Ok(found)
        }
        _ => {
            let mut redactor = Redactor::default();
            let shown = found.iter().map(|one| {
                let says = match one.flags.quarantined {
                    true => "it looks like a hidden instruction",
                    false => &one.body_md,
                };
                let text = format!("{} {}: {says}", one.id, one.title);
                let text = clipped(&redactor.text(&text), PREVIEW_CHARS);
                format!("\n  {}", emit::one_line(&text))
            });
            let what = format!(
                "{} memories have `{part}` in them:{}",
                found.len(),
                shown.collect::<String>()
            );
            Err(Error::usage(what, "type a longer part, or the id"))
        }
    }
}
