//! `segue memory seed`: what is worth keeping of the sessions that are there.

use jiff::Timestamp;

use super::super::guarded::counted;
use super::super::{Cli, kept};
use super::guarded::{self, GuardArgs};
use super::place::{PlaceArgs, names};
use super::plan::{PlanArgs, carry_out};
use crate::derive::{self, Facts};
use crate::discover::{self, Found, Look, memories as gathering};
use crate::error::{Error, Result};
use crate::harness::memory::{self, How};
use crate::model::{Level, Memory};
use crate::plan::MemoryPlan;

/// How many sessions are read unless the user says otherwise.
const SESSIONS: usize = 50;

fn examples() -> String {
    let name = memory::ALL.last().map_or("", |last| last.name());
    format!(
        "Examples:
  segue memory seed {name}                  what would be proposed
  segue memory seed {name} --sessions 20    from the 20 newest sessions"
    )
}

/// Propose memories from your own sessions, for a harness that has none yet
///
/// Rules that you said hold from now on, corrections that you had to repeat, commands that worked in
/// several sessions, errors that came back and how they went away; rules of your context files that
/// this harness does not read. Each comes with where and when it was said, in the form in which the
/// harness has its user review it. Often nothing is found, and that is a good answer.
#[derive(Debug, clap::Args)]
#[command(after_help = examples())]
pub(super) struct Args {
    /// Who is to have them
    #[arg(value_name = "HARNESS", value_parser = names())]
    harness: String,

    /// Read at most so many sessions of the project, the newest
    #[arg(long, value_name = "N", default_value_t = SESSIONS,
          value_parser = super::super::number, allow_negative_numbers = true)]
    sessions: usize,

    #[command(flatten)]
    place: PlaceArgs,

    #[command(flatten)]
    plan: PlanArgs,

    #[command(flatten)]
    guard: GuardArgs,
}

/// Runs `segue memory seed`.
pub(super) fn run(args: &Args, cli: &Cli) -> Result<()> {
    let Some(target) = memory::by_name(&args.harness) else { return Ok(()) };
    let Some(at) = args.place.at(target, false)? else {
        let what = format!("there is no home of {} here", target.title());
        return Err(Error::Nothing { what });
    };
    args.plan.recover(target, &args.place, cli)?;
    let all = facts_of_all(args, cli)?;
    let mut proposed = derive::durable(&all);
    proposed.extend(rules(args, target.name())?);
    for memory in &mut proposed {
        if memory.scope.level == Level::Project {
            memory.scope.cwd = at.project.as_ref().map(ToString::to_string);
        }
    }
    guarded::say(&guarded::guard(&mut proposed, &args.guard), cli);
    proposed.retain(|memory| !memory.flags.quarantined);
    let tree = gathering::gather(target, &at);
    let known = target.read(&tree, &at).memories;
    proposed.retain(|memory| !is_known(memory, &known));
    if proposed.is_empty() {
        let sessions = counted(all.len(), "session", "sessions");
        cli.say(&format!("segue: nothing durable found in {sessions}"));
        // Who asked for a document gets one.
        return match args.plan.is_json() {
            true => carry_out(&MemoryPlan::default(), target.name(), &at, &args.plan, cli),
            false => Ok(()),
        };
    }
    let how = How { now: Timestamp::now().to_string(), ..How::default() };
    let plan = target.propose(&proposed, &tree, &at, &how);
    carry_out(&plan, target.name(), &at, &args.plan, cli)
}

/// Derives the facts of the newest sessions; one that cannot be read is told and passed over.
fn facts_of_all(args: &Args, cli: &Cli) -> Result<Vec<Facts>> {
    let progress = cli.progress("reading sessions");
    let world = args.place.world()?;
    let found =
        discover::sessions(&world.watched(&progress), None, Some(&world.project()), Look::Ends)
            .found;
    // What was converted of a session is no other one, nor is what a fork of it holds.
    let mut found = discover::without_copies(found);
    found.truncate(args.sessions.saturating_add(discover::MOST_COPIES));
    let found = discover::without_held(found);
    progress.of(found.len().min(args.sessions));
    let (mut all, mut unread) = (Vec::new(), Vec::new());
    for one in found.iter().take(args.sessions) {
        match facts(one) {
            Ok(facts) => all.push(facts),
            Err(error) => unread.push(error),
        }
        progress.step();
    }
    drop(progress);
    unread.iter().for_each(|error| cli.say(&format!("note: {error}")));
    Ok(all)
}

fn facts(one: &Found) -> Result<Facts> {
    let session = kept::read(one.harness, &one.open()?)?;
    Ok(derive::derive(&session))
}

/// Returns the rules of context files that others read and the target does not.
fn rules(args: &Args, target: &str) -> Result<Vec<Memory>> {
    let mut found = Vec::new();
    for of in memory::ALL.iter().filter(|of| of.name() != target) {
        if args.place.at(*of, false)?.is_some_and(|at| at.home.is_dir() || at.project.is_some()) {
            found.extend(args.place.read(*of, false, &args.guard)?.memories);
        }
    }
    found.retain(|memory| memory.source.layer.is_human());
    let mut seen = std::collections::BTreeSet::new();
    found.retain(|memory| seen.insert(memory.content_sha256.clone()));
    Ok(found)
}

/// Tells whether the target says it already, in any of its files.
fn is_known(memory: &Memory, known: &[Memory]) -> bool {
    let plain = |text: &str| -> String {
        text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let said = plain(memory.said());
    known.iter().any(|other| plain(&other.body_md).contains(&said))
}
