//! `segue memory migrate` and `segue memory import`: memories into another harness.

use std::collections::{BTreeMap, BTreeSet};

use camino::{Utf8Path, Utf8PathBuf};
use jiff::{SignedDuration, Timestamp};

use super::super::guarded::counted;
use super::super::{Cli, tell};
use super::guarded::{self, GuardArgs};
use super::place::{PlaceArgs, With, names};
use super::plan::{PlanArgs, carry_out};
use super::usage;
use crate::discover::memories as gathering;
use crate::error::{Error, Result};
use crate::harness::memory::{self, At, How};
use crate::jsonl::{self, Input};
use crate::migrate::{self, Choice};
use crate::model::{Level, MEMORY_SCHEMA, Memory, digest, is_day};
use crate::note::{Fate, NoteKind, Notes};
use crate::plan::{MemoryFate, MemoryPlan, MemoryRow};
use crate::select::fetch;

/// What stands under both helps.
const UNTOUCHED: &str = "\
Nothing is written without `--write`; what is there already is copied beside it first. Doing it twice \
changes nothing. Text that a human wrote or changed is never touched.";

/// Show what moving memories from one harness to another would change, and do it with `--write`
///
/// Prints the differences of the files and a line a memory: new, same, changed, conflict, or dropped
/// with the reason.
#[derive(Debug, clap::Args)]
#[command(after_help = migrate_help())]
pub(super) struct MigrateArgs {
    /// Whose memories
    #[arg(long, value_name = "HARNESS", value_parser = names())]
    from: String,

    /// Propose to leave out what no session has used for so many days; it is only shown
    #[arg(long, value_name = "DAYS", value_parser = days, allow_negative_numbers = true)]
    prune_unused_days: Option<u32>,

    #[command(flatten)]
    into: Into,
}

/// Put records of `segue memory export` into a harness
///
/// The same plan as that of `segue memory migrate`.
#[derive(Debug, clap::Args)]
#[command(after_help = import_help())]
pub(super) struct ImportArgs {
    /// The records, one a line; `-` for standard input
    #[arg(value_name = "FILE")]
    file: Utf8PathBuf,

    #[command(flatten)]
    into: Into,
}

fn migrate_help() -> String {
    let [first, .., last] = memory::ALL else { return UNTOUCHED.to_owned() };
    let (from, to) = (first.name(), last.name());
    format!(
        "{UNTOUCHED}\n\nExamples:
  segue memory migrate --from {from} --to {to}            what would change
  segue memory migrate --from {from} --to {to} --write    do it"
    )
}

fn import_help() -> String {
    let to = memory::ALL.first().map_or("", |first| first.name());
    format!("{UNTOUCHED}\n\nExample:\n  segue memory import memories.ndjson --to {to} --write")
}

/// Where memories go, and how.
#[derive(Debug, clap::Args)]
struct Into {
    /// Who is to have them
    #[arg(long, value_name = "HARNESS", value_parser = names())]
    to: String,

    /// Take these too
    #[arg(long, value_name = "LAYER", value_enum, value_delimiter = ',')]
    with: Vec<With>,

    /// Also change what the harness loads at once, although it may begin to work on it
    #[arg(long)]
    activate: bool,

    #[command(flatten)]
    place: PlaceArgs,

    #[command(flatten)]
    plan: PlanArgs,

    #[command(flatten)]
    guard: GuardArgs,
}

/// Says which harnesses memories of `from` can go to.
fn same_hint(from: &str) -> String {
    let names = memory::ALL.iter().map(|one| one.name()).filter(|name| *name != from);
    format!("--to {}", names.collect::<Vec<_>>().join(" or "))
}

/// Runs `segue memory migrate`.
pub(super) fn migrate(args: &MigrateArgs, cli: &Cli) -> Result<()> {
    let into = &args.into;
    if args.from == into.to {
        return Err(Error::usage("--from and --to are the same", same_hint(&args.from)));
    }
    let Some(of) = memory::by_name(&args.from) else { return Ok(()) };
    let mut held = into.place.read(of, false, &into.guard)?;
    usage::count_all(std::slice::from_mut(&mut held), &into.place, false, cli)?;
    if held.memories.is_empty() {
        tell(&held.notes, cli)?;
        let what = format!("{} keeps no memories for this project", of.title());
        return Err(Error::Nothing { what });
    }
    guarded::say(&held.guarded, cli);
    if let Some(days) = args.prune_unused_days {
        propose_pruning(&held.memories, days, Timestamp::now(), cli);
    }
    tell(&held.notes, cli)?;
    let beside = memory::beside(&held.tree, &held.memories);
    let beside = guarded::files(beside, &into.guard, cli);
    carry((held.memories, Vec::new()), beside, into, cli)
}

/// Runs `segue memory import`.
pub(super) fn import(args: &ImportArgs, cli: &Cli) -> Result<()> {
    let input = if args.file == "-" { Input::stdin()? } else { Input::file(&args.file)? };
    let (mut memories, notes) = records(&input)?;
    if memories.is_empty() {
        tell(&notes.list(), cli)?;
        return Err(Error::NotASession {
            path: input.shown().to_owned(),
            why: "holds no record of a memory".into(),
            hint: Some("`segue memory export` writes such records".into()),
        });
    }
    guarded::say(&guarded::guard(&mut memories, &args.into.guard), cli);
    tell(&notes.list(), cli)?;
    let homeless = without_project(&mut memories, &args.into);
    carry((memories, homeless), BTreeMap::new(), &args.into, cli)
}

/// Takes out what holds in one project that nobody names: it may be any, unless the user says which,
/// or the target keeps all in one place anyway.
fn without_project(memories: &mut Vec<Memory>, into: &Into) -> Vec<MemoryRow> {
    let keeps_apart = memory::by_name(&into.to).is_some_and(|target| target.keeps_levels());
    if into.place.has_project() || !keeps_apart {
        return Vec::new();
    }
    let is_homeless = |one: &Memory| one.scope.level == Level::Project && one.scope.cwd.is_none();
    let homeless = memories.extract_if(.., |one| is_homeless(one));
    let why = "nothing says of which project it is; --project DIR takes it for that one";
    homeless.map(|one| memory::row::dropped(&one, why)).collect()
}

/// Reads the records of memories; others give a note.
fn records(input: &Input) -> Result<(Vec<Memory>, Notes)> {
    let (mut memories, mut notes) = (Vec::new(), Notes::default());
    jsonl::each_record(input, &mut notes, |line, text, notes| {
        let record: serde_json::Value = serde_json::from_str(text)?;
        let says = |name: &str| record.get(name).and_then(serde_json::Value::as_str);
        if says("type") != Some("memory") {
            notes.add(NoteKind::UnknownRecord, says("type").unwrap_or_default(), line);
            return Ok(Fate::Noted);
        }
        if says("schema") != Some(MEMORY_SCHEMA) {
            notes.add(NoteKind::UnknownRecord, says("schema").unwrap_or_default(), line);
            return Ok(Fate::Noted);
        }
        match serde_json::from_value::<Memory>(record) {
            Ok(memory) if is_sound(&memory) => memories.push(tidied(memory).finished()),
            _ => {
                notes.add(NoteKind::IncompleteRecord, "memory", line);
                return Ok(Fate::Noted);
            }
        }
        Ok(Fate::Used)
    })?;
    Ok((memories, notes))
}

/// Tells whether a record names a harness and a folder as they can be named. Both come to stand between
/// other texts, where words of a stranger must not look like ours.
fn is_sound(memory: &Memory) -> bool {
    let is_word = |name: &str| {
        name.len() <= 64 && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
    };
    let is_folder = |cwd: &str| {
        let climbs = cwd.split(['/', '\\']).any(|part| part == "..");
        !climbs && !cwd.contains(char::is_control)
    };
    is_word(&memory.source.harness) && memory.scope.cwd.as_deref().is_none_or(is_folder)
}

/// Takes out what is no time and no name of a rule, and gives what has no key one of its content.
fn tidied(mut memory: Memory) -> Memory {
    for time in [&mut memory.created_at, &mut memory.updated_at, &mut memory.last_used_at] {
        let is_time = |time: &str| time.get(..10).is_some_and(is_day) && time.len() <= 40;
        *time = time.take().filter(|time| is_time(time));
    }
    memory.flags.threats.retain(|rule| is_rule(rule));
    if memory.source.key.is_empty() {
        memory.source.key = digest(&[&memory.title, &memory.body_md]);
    }
    memory
}

/// Tells whether a text can be the name of a rule, perhaps of a later version.
fn is_rule(name: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    (1..=40).contains(&name.len()) && name.chars().all(is_letter)
}

/// Reads how many days.
fn days(text: &str) -> std::result::Result<u32, String> {
    text.parse().map_err(|_| "it takes a whole number of days such as 90".to_owned())
}

/// Whether two texts of one memory say the same, word for word; a store that knows no projects puts the project before
/// them, and the day behind.
fn says_the_same(one: &str, other: &str) -> bool {
    let words = |text: &str| {
        let named = text.strip_prefix("Project ").and_then(|rest| Some(rest.split_once(": ")?.1));
        let text = named.unwrap_or(text).trim_end();
        let dated = text.rsplit_once(" (").filter(|(_, end)| end.contains("as of "));
        let text = dated.map_or(text, |(text, _)| text);
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect::<Vec<_>>()
    };
    words(one) == words(other)
}

/// Tells those that the target has already from the others: both have them from somewhere else, or they are the
/// target's own as an export tells them, without secrets and what nobody sees.
fn there_already(memories: Vec<Memory>, there: &[Memory]) -> (Vec<MemoryRow>, Vec<Memory>) {
    let copies: BTreeMap<&str, &Memory> =
        there.iter().filter_map(|one| Some((one.copy_of.as_deref()?, one))).collect();
    let mut told = there.to_vec();
    guarded::guard(&mut told, &GuardArgs::default());
    let told: BTreeMap<String, &Memory> = told.iter().map(|one| (one.origin(), one)).collect();
    let (mut same, mut others) = (Vec::new(), Vec::new());
    for one in memories {
        let own = told.get(&one.origin()).copied();
        let own = own.filter(|own| own.content_sha256 == one.content_sha256);
        let copy = one.copy_of.as_deref().and_then(|origin| copies.get(origin).copied());
        match own.or_else(|| copy.filter(|copy| says_the_same(&copy.body_md, &one.body_md))) {
            Some(copy) => {
                let place = Utf8Path::new(&copy.source.path);
                same.push(memory::row::placed(&one, MemoryFate::Same, place));
            }
            None => others.push(one),
        }
    }
    (same, others)
}

/// Plans how `memories` come into the target, shows it with the rows of those that do not, and does it
/// if that was asked for.
fn carry(
    (memories, dropped): (Vec<Memory>, Vec<MemoryRow>),
    beside: BTreeMap<Utf8PathBuf, String>,
    into: &Into,
    cli: &Cli,
) -> Result<()> {
    let Some(target) = memory::by_name(&into.to) else { return Ok(()) };
    let Some(at) = into.place.at(target, false)? else {
        let what = format!("there is no home of {} here", target.title());
        return Err(Error::Nothing { what });
    };
    into.place.tell_missing(cli);
    into.plan.recover(target, &into.place, cli)?;
    let choice = Choice {
        level: into.place.level(),
        with: into.with.iter().map(|with| with.layer()).collect(),
        keeps_levels: target.keeps_levels(),
    };
    let tree = gathering::gather(target, &at);
    let there = target.read(&tree, &at).memories;
    let origins: BTreeSet<String> = there.iter().map(Memory::origin).collect();
    // What was brought from the target is no news to it, however it was written down.
    let (back, memories): (Vec<_>, Vec<_>) = memories.into_iter().partition(|one| {
        let is_other = one.source.harness != target.name();
        is_other && one.copy_of.as_ref().is_some_and(|origin| origins.contains(origin))
    });
    let (same, memories) = there_already(memories, &there);
    let chosen = migrate::choose(memories, &choice);
    let how = How { activate: into.activate, now: Timestamp::now().to_string(), beside };
    let mut plan = target.write(&chosen.wanted, &tree, &at, &how);
    let left = chosen.left.iter().map(|(memory, why)| memory::row::dropped(memory, why.as_str()));
    plan.rows.extend(left);
    let back = back.iter().map(|one| memory::row::dropped(one, "it came from there"));
    plan.rows.extend(back);
    plan.rows.extend(same);
    plan.rows.extend(dropped);
    let conflict =
        |title: &String| format!("`{title}` says one thing everywhere and another in this project");
    plan.warnings.extend(chosen.conflicts.iter().map(conflict));
    plan.warnings.extend(of_others(&chosen.wanted, &plan, &at));
    carry_out(&plan, target.name(), &at, &into.plan, cli)
}

/// Says how many memories did not come in because they hold in another project, and how they would.
fn of_others(wanted: &[Memory], plan: &MemoryPlan, at: &At) -> Vec<String> {
    let dropped: BTreeSet<&str> = plan.rows.iter().filter(is_dropped).map(|row| &*row.id).collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for memory in wanted.iter().filter(|one| one.scope.level == Level::Project) {
        let cwd = memory.scope.cwd.as_deref().filter(|cwd| !at.is_here(Utf8Path::new(cwd)));
        if let Some(cwd) = cwd.filter(|_| dropped.contains(&*memory.id)) {
            *counts.entry(cwd).or_default() += 1;
        }
    }
    let told = counts.into_iter().map(|(cwd, count)| {
        let (memories, cwd) = (counted(count, "memory is", "memories are"), fetch::quoted(cwd));
        format!("{memories} of another project; `--project {cwd}` takes what is of that one")
    });
    told.collect()
}

fn is_dropped(row: &&MemoryRow) -> bool {
    row.fate == MemoryFate::Dropped
}

/// Says which memories no session has used for `days` days.
fn propose_pruning(memories: &[Memory], days: u32, now: Timestamp, cli: &Cli) {
    let since =
        now.checked_sub(SignedDuration::from_hours(i64::from(days) * 24)).unwrap_or(Timestamp::MIN);
    let is_old = |time: &Option<String>| {
        time.as_deref()
            .and_then(|time| time.parse::<Timestamp>().ok())
            .is_none_or(|time| time < since)
    };
    let unused = |memory: &&Memory| is_old(&memory.last_used_at) && is_old(&memory.updated_at);
    for memory in memories.iter().filter(unused) {
        cli.say(&format!(
            "segue: not used for {}: {} `{}` ({})",
            counted(days as usize, "day", "days"),
            memory.id,
            crate::emit::one_line(&memory.title),
            memory.source.path
        ));
    }
}
