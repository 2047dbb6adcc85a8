//! A plan as the user sees it, and how it is carried out.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Serialize;

use super::super::table::{aligned_whole, terminal_width};
use super::super::{Cli, pretty};
use super::place::PlaceArgs;
use crate::emit::{self, changes};
use crate::error::{Error, Result};
use crate::guard::Redactor;
use crate::harness::memory::{At, Memories};
use crate::plan::{FullStore, MemoryFate, MemoryPlan, MemoryRow};

/// What becomes of a plan.
#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct PlanArgs {
    /// Do it; without this only the plan is shown
    #[arg(long)]
    write: bool,

    /// Leave the differences of the files out, only show the table
    #[arg(long, conflicts_with = "json")]
    no_diff: bool,

    /// Print the plan as JSON
    #[arg(long)]
    json: bool,
}

impl PlanArgs {
    /// Tells whether the plan is printed for a program.
    pub(super) fn is_json(&self) -> bool {
        self.json
    }

    /// Takes back what a run that was killed had only begun to change, before anything is read.
    pub(super) fn recover(&self, of: &dyn Memories, place: &PlaceArgs, cli: &Cli) -> Result<()> {
        let at = if self.write { place.at(of, false)? } else { None };
        let Some(at) = at else { return Ok(()) };
        for path in changes::recover(&emit::install::real(&at.home))? {
            cli.say(&format!("segue: `{path}` is again as it was before a run that was killed"));
        }
        Ok(())
    }
}

/// The plan, for programs.
#[derive(Serialize)]
struct Report<'p> {
    schema: &'static str,
    to: &'p str,
    written: bool,
    rows: &'p [MemoryRow],
    files: Vec<&'p str>,
    backups: Vec<String>,
    full: &'p [FullStore],
    warnings: &'p [String],
}

/// Shows a plan, and carries it out if that was asked for.
pub(super) fn carry_out(
    plan: &MemoryPlan,
    to: &str,
    at: &At,
    args: &PlanArgs,
    cli: &Cli,
) -> Result<()> {
    let refused = if args.write { None } else { refused(plan, at) };
    let (is_refused, mut warnings) = (refused.is_some(), plan.warnings.clone());
    warnings.extend(refused);
    let backups = match args.write {
        true => changes::apply(
            &emit::install::real(&at.home),
            &real(plan, at).changes,
            Timestamp::now(),
        )?,
        false => Vec::new(),
    };
    // Only what was done, or can be, is told.
    if !args.json {
        emit::print(told(plan, args).as_bytes())?;
    }
    warnings.iter().for_each(|warning| cli.say(&format!("warning: {warning}")));
    if args.json {
        let text = pretty(&Report {
            schema: "segue.memory-plan/1",
            to,
            written: args.write,
            rows: &rows_to_show(&plan.rows, &mut Redactor::default()),
            files: plan.changes.iter().map(|change| change.path.as_str()).collect(),
            backups: backups.iter().map(ToString::to_string).collect(),
            full: &plan.full,
            warnings: &warnings,
        })?;
        emit::print(text.as_bytes())?;
        return if is_stuck(plan) { Err(no_room(plan)) } else { Ok(()) };
    }
    if is_stuck(plan) {
        return Err(no_room(plan));
    }
    plan.full.iter().for_each(|store| cli.say(&format!("warning: {store}")));
    cli.say(&summary(plan, args.write, is_refused));
    for copy in backups {
        cli.say(&format!("segue: what was there before is in `{copy}`"));
    }
    Ok(())
}

/// Tells the differences of the files and what becomes of each memory.
fn told(plan: &MemoryPlan, args: &PlanArgs) -> String {
    let mut text = if args.no_diff { String::new() } else { changes::diff(&plan.changes) };
    // What is shown may be passed on; what is in the files stays there.
    let mut redactor = Redactor::default();
    redactor.string(&mut text);
    if !text.is_empty() {
        text.push('\n');
    }
    text + &table(&rows_to_show(&plan.rows, &mut redactor))
}

/// Returns the rows without secrets in their titles.
fn rows_to_show(rows: &[MemoryRow], redactor: &mut Redactor) -> Vec<MemoryRow> {
    let mut rows = rows.to_vec();
    rows.iter_mut().for_each(|row| redactor.string(&mut row.title));
    rows
}

/// Tells whether nothing was found room for.
fn is_stuck(plan: &MemoryPlan) -> bool {
    let is_there =
        |row: &MemoryRow| !matches!(row.fate, MemoryFate::Conflict | MemoryFate::Dropped);
    !plan.full.is_empty() && !plan.rows.iter().any(is_there)
}

/// Refuses with what is there and how large it is.
fn no_room(plan: &MemoryPlan) -> Error {
    let stores: Vec<_> =
        plan.full.iter().map(|store| emit::printable(&store.to_string())).collect();
    let hint =
        "take entries out with `segue memory edit`, or raise the limit in the harness's settings";
    Error::Refused { what: stores.join("\n"), hint: Some(hint.to_owned()) }
}

/// Returns the plan with the links of the home followed: below it none is.
fn real(plan: &MemoryPlan, at: &At) -> MemoryPlan {
    let real = emit::install::real(&at.home);
    let mut plan = plan.clone();
    for change in &mut plan.changes {
        if let Ok(rest) = change.path.strip_prefix(&at.home) {
            change.path = real.join(rest);
        }
    }
    plan
}

/// Returns a line a memory: what becomes of it, and why.
fn table(rows: &[MemoryRow]) -> String {
    let head = ["FATE", "ID", "TITLE", "LOST", "WHERE, OR WHY NOT"].map(str::to_owned).to_vec();
    let lines = rows.iter().map(|row| {
        let place = row.place.as_ref().map(|place| place.to_string());
        let why = [place, row.reason.clone()].into_iter().flatten().collect::<Vec<_>>().join(": ");
        let lost = if row.lost.is_empty() { "-".to_owned() } else { row.lost.join(", ") };
        let title = crate::model::clipped(&row.title, 40);
        [fate(row.fate).to_owned(), row.id.clone(), title, lost, why]
            .map(|cell| emit::one_line(&cell))
            .to_vec()
    });
    // A reason is read whole, so that nothing of it is cut.
    aligned_whole(&std::iter::once(head).chain(lines).collect::<Vec<_>>(), terminal_width())
}

fn fate(fate: MemoryFate) -> &'static str {
    match fate {
        MemoryFate::New => "new",
        MemoryFate::Same => "same",
        MemoryFate::Changed => "changed",
        MemoryFate::Conflict => "conflict",
        MemoryFate::Dropped => "dropped",
        MemoryFate::Removed => "removed",
    }
}

/// Says why a plan could not be carried out as things stand.
fn refused(plan: &MemoryPlan, at: &At) -> Option<String> {
    let why = changes::refused(&emit::install::real(&at.home), &real(plan, at).changes)?;
    Some(format!("it could not be done now: {why}"))
}

fn summary(plan: &MemoryPlan, written: bool, is_refused: bool) -> String {
    let mut counts: BTreeMap<MemoryFate, usize> = BTreeMap::new();
    plan.rows.iter().for_each(|row| *counts.entry(row.fate).or_default() += 1);
    let told: Vec<_> =
        counts.into_iter().map(|(kind, count)| format!("{count} {}", fate(kind))).collect();
    let told = if told.is_empty() { "nothing to do".to_owned() } else { told.join(", ") };
    let end = match (plan.changes.len(), written) {
        (0, _) => "no file changes".to_owned(),
        (1, true) => "1 file written".to_owned(),
        (files, true) => format!("{files} files written"),
        (1, false) => "1 file would be written".to_owned(),
        (files, false) => format!("{files} files would be written"),
    };
    let can_be_done = !written && !is_refused && !plan.changes.is_empty();
    let end = if can_be_done { end + "; `--write` does it" } else { end };
    format!("segue: {told}; {end}")
}
