//! `segue memory list`: what each harness keeps.

use camino::Utf8Path;
use jiff::Timestamp;

use super::super::Cli;
use super::super::guarded::counted;
use super::super::table::{aligned, terminal_width};
use super::guarded::GuardArgs;
use super::place::{Held, SomeArgs, told};
use super::usage;
use crate::discover::Ids;
use crate::emit;
use crate::error::{Error, Result};
use crate::harness::memory;
use crate::model::{Level, Memory};
use crate::select::fetch;

const EXAMPLE: &str = "\
Examples:
  segue memory list                   what is kept here and everywhere
  segue memory list notes/MEMORY.md   what a file holds
  segue memory list --all --json      every project, one record a line";

/// Show memories: kind, age, title, and where they stand
///
/// An id in the table is as short as `segue memory show` takes it. Context files that humans write
/// are counted, and shown with `--instructions`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    #[command(flatten)]
    some: SomeArgs,

    /// Show what humans wrote into context files too
    #[arg(long)]
    instructions: bool,

    /// Print one record a line
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    guard: GuardArgs,
}

/// Runs `segue memory list`.
pub(super) fn run(args: &Args, cli: &Cli) -> Result<()> {
    let mut held = args.some.read(&args.guard)?;
    if args.json {
        usage::count_all(&mut held, &args.some.place, args.some.all, cli)?;
    }
    let of_humans = |memory: &Memory| memory.source.layer.is_human();
    let asked = args.instructions
        || args.json
        || !args.some.what.is_empty() && held.iter().all(|one| one.memories.iter().all(of_humans));
    let shown: Vec<&Memory> =
        held.iter().flat_map(|one| &one.memories).filter(|one| asked || !of_humans(one)).collect();
    let hidden = held.iter().flat_map(|one| &one.memories).count() - shown.len();
    if shown.is_empty() {
        told(&held, cli)?;
        return Err(nothing(&held, hidden));
    }
    let text = match args.json {
        true => super::export::lines(shown.iter().copied()),
        false => {
            let ids = held.iter().flat_map(|one| &one.memories).map(|memory| memory.id.as_str());
            table(&shown, &held, &Ids::new(ids), Timestamp::now())
        }
    };
    emit::print(text.as_bytes())?;
    let what = &args.some.what;
    if !args.json && what.iter().any(|word| memory::by_name(word).is_none()) {
        let what: Vec<_> = what.iter().map(|word| fetch::quoted(word)).collect();
        cli.say(&format!("hint: `segue memory show ID {}` shows one whole", what.join(" ")));
    }
    if hidden > 0 {
        cli.say(&format!("segue: {hidden} more in context files; `--instructions` shows them"));
    }
    told(&held, cli)
}

fn nothing(held: &[Held], hidden: usize) -> Error {
    let mut what = match held {
        [] => "no memories here: no harness that keeps any has a home; `segue doctor` says where"
            .to_owned(),
        _ => "no memories here".to_owned(),
    };
    for one in held {
        what += &format!("\n  looked in {} ({})", one.at.home, one.of.title());
    }
    if hidden > 0 {
        let one = "entry of a context file; `--instructions` shows it";
        let many = "entries of context files; `--instructions` shows them";
        what += &format!("\n  {}", counted(hidden, one, many));
    }
    Error::Nothing { what }
}

fn table(shown: &[&Memory], held: &[Held], ids: &Ids, now: Timestamp) -> String {
    let head = ["HARNESS", "ID", "KIND", "AGE", "SCOPE", "TITLE"].map(str::to_owned).to_vec();
    let rows = shown.iter().map(|memory| row(memory, held, ids, now));
    let lines: Vec<_> = std::iter::once(head).chain(rows).collect();
    // On a narrow terminal: the age, the kind, the scope, the harness.
    aligned(&lines, &[3, 2, 4, 0], terminal_width())
}

fn row(memory: &Memory, held: &[Held], ids: &Ids, now: Timestamp) -> Vec<String> {
    let kind = serde_json::to_value(memory.kind).unwrap_or_default();
    let scope = match (memory.scope.level, &memory.scope.cwd) {
        (Level::Global, _) => "global",
        (Level::Project, Some(cwd)) => cwd.rsplit(['/', '\\']).next().unwrap_or(cwd),
        // Where nothing tells the project, its store has a name.
        (Level::Project, None) => store(memory, held).unwrap_or("project"),
    };
    let mark = if memory.flags.quarantined { "! " } else { "" };
    vec![
        memory.source.harness.clone(),
        ids.shortest(&memory.id, &[&memory.id]).to_owned(),
        kind.as_str().unwrap_or_default().to_owned(),
        age(memory.updated_at.as_deref(), now),
        emit::one_line(scope),
        emit::one_line(&format!("{mark}{}", memory.title)),
    ]
}

/// Returns the name of the store that a memory stands in, if it is that of one project.
fn store<'h>(memory: &Memory, held: &'h [Held]) -> Option<&'h str> {
    let mut roots = held.iter().flat_map(|one| &one.at.roots);
    roots
        .find(|root| Utf8Path::new(&memory.source.path).starts_with(&root.store))?
        .store
        .file_name()
}

/// Returns the age of a memory in days.
pub(super) fn age(time: Option<&str>, now: Timestamp) -> String {
    let days = time
        .and_then(|time| time.parse::<Timestamp>().ok())
        .map(|time| now.as_second().saturating_sub(time.as_second()).max(0) / 86_400);
    days.map_or_else(|| "-".to_owned(), |days| format!("{days} d"))
}
