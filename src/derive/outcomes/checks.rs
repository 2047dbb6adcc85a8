//! How tests, builds and checks stand at the end.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::reach::{Reach, covers, names_the_same};
use super::recognise::{Ended, Failing};
use super::run::Run;
use super::{formatters, is_prose, signature};
use crate::derive::fact::{Fact, FactKind, State};
use crate::derive::{Trust, ids, text};

/// A check by its last run.
#[derive(Clone, Debug)]
pub(in crate::derive) struct Check {
    /// Its last run.
    pub run: Run,
    /// What fails: of the last run, and what earlier runs of more showed and no later run cleared.
    pub failing: Vec<Failing>,
    /// How many files were changed after the last run.
    pub edits_since: usize,
    /// Whether it is not known which all of these are.
    pub is_vague: bool,
    /// Whether it failed here, and all checks passed elsewhere later.
    pub passed_elsewhere: bool,
}

/// Something that happened to the files of the project.
#[derive(Clone)]
pub(super) struct Edit {
    /// The number of the call, from 0.
    pub index: usize,
    /// Empty where only that files were changed is known, and not which.
    pub path: String,
    /// Whether a command line wrote it, as one does who only tries something out.
    pub by_shell: bool,
    /// Whether the file was made in the session and not committed since.
    pub is_new: bool,
    /// The command that took it back: the number of the call and the place on its line.
    pub taken_back: Option<(usize, usize)>,
    /// Whether it was made before the last commit, and none is known to have taken it.
    pub is_left_out: bool,
}

/// Programs whose runs matter even where nobody saw how they ended.
const RUNS_TESTS: &[&str] = &[
    "cargo test",
    "pytest",
    "unittest",
    "jest",
    "vitest",
    "bun test",
    "mocha",
    "playwright",
    "node --test",
    "go test",
    "rspec",
    "phpunit",
    "ctest",
    "swift test",
    "gradle",
    "maven",
    "dotnet",
];

/// Of how many it is found out how they stand, the newest, before those go of which another tells more; of as many
/// more that failed, too.
const MOST_STANDING: usize = 64;
/// How many checks are told that do not fail.
const MOST: usize = 8;
/// How much it is worth how a check ended that passed only with more rights.
const GIVEN: f64 = 1.8;
/// How many ids of failing tests stand on the line.
const FEW_IDS: usize = 4;

/// Finds how each check stands, the one that ran last first.
pub(super) fn checks(runs: &[Run], edits: &[Edit]) -> Vec<Check> {
    // What named its errors before would name them again.
    let quiet = runs.iter().filter(|run| run.saw_no_error);
    let quiet: HashMap<&str, usize> = quiet.map(|run| (run.command.as_str(), run.began)).collect();
    let is_quiet = |run: &Run| {
        let later = quiet.get(run.command.as_str());
        let is_changed =
            |began: usize| edits.iter().any(|it| (run.over..began).contains(&it.index));
        // The same code fails again.
        run.unit == "error" && later.is_some_and(|began| *began > run.over && is_changed(*began))
    };
    let all = runs;
    let runs: Vec<&Run> = runs.iter().filter(|run| run.is_check).collect();
    let mut found: Vec<Check> = Vec::new();
    for (at, run) in runs.iter().enumerate().rev() {
        if found.len() == 2 * MOST_STANDING {
            break;
        }
        // Whatever passed since, what failed may be open.
        if found.len() >= MOST_STANDING && run.ended != Ended::Failed {
            continue;
        }
        if is_quiet(run) || set_in_order(run, all).is_some() || is_beside_the_point(run, &runs, at)
        {
            continue;
        }
        let failing = standing(run, &runs[at + 1..]);
        let is_cleared = !run.failing.is_empty() && failing.is_empty();
        if run.ended != Ended::Failed || !is_cleared {
            found.push(Check { failing, ..Check::of_run(run, edits) });
        }
    }
    drop_old_parts(&mut found);
    let mut unknown: Vec<&str> = Vec::new();
    found.retain(|check| {
        let is_again = unknown.contains(&check.run.family);
        let is_unknown = check.run.ended == Ended::Unknown;
        unknown.extend(is_unknown.then_some(check.run.family));
        !is_unknown || !is_again
    });
    keep_few(&mut found);
    found
}

/// Keeps the newest checks, and all that fail: however many passed since, such a one is open. Of others the newest
/// stays.
fn keep_few(found: &mut Vec<Check>) {
    let failing = found.iter().filter(|check| check.fails()).count();
    let mut room = MOST - failing.min(MOST - 1);
    found.retain(|check| {
        let is_kept = check.fails() || room > 0;
        room -= usize::from(is_kept && !check.fails());
        is_kept
    });
}

/// Drops what says that a part passed before the last changes, which tells nothing where more is known: where a
/// newer part of the same passed, or how any other run of it ended that is not so old, or was one of all.
fn drop_old_parts(found: &mut Vec<Check>) {
    let is_old_part = |check: &Check| {
        let is_part = check.run.ended == Ended::Passed && check.run.asked.bounds() > 0;
        is_part && check.edits_since > 0
    };
    let knows_more = |check: &&Check| !is_old_part(check) && check.run.ended != Ended::Unknown;
    let mut told: HashSet<&str> =
        found.iter().filter(knows_more).map(|check| check.run.family).collect();
    found.retain(|check| !is_old_part(check) || told.insert(check.run.family));
}

/// Returns the later run that set in order what failed since text was not, if one did.
pub(super) fn set_in_order<'r>(run: &Run, all: &'r [Run]) -> Option<&'r Run> {
    if run.ended != Ended::Failed || run.unit == "test" || !run.form.looks {
        return None;
    }
    let from = all.partition_point(|one| one.began < run.began);
    let is_it = |one: &&Run| one.item == run.item && one.command == run.command;
    let later = all[from..].iter().skip_while(|one| !is_it(one));
    later.skip(1).find(|later| formatters::settles(later, run))
}

/// Whether another run says all that the run at `at` could.
fn is_beside_the_point(run: &Run, runs: &[&Run], at: usize) -> bool {
    if run.ended == Ended::Unknown {
        // Only that tests ran and nobody saw how is worth a word.
        let knows = |other: &&Run| other.ended != Ended::Unknown && covers(other, run);
        let is_told =
            runs.iter().any(knows) || runs[at + 1..].iter().any(|later| covers(later, run));
        let matters = RUNS_TESTS.contains(&run.family) || run.total == Some(0);
        return is_told || !matters;
    }
    runs[at + 1..].iter().any(|later| {
        let other_way = run.family.is_empty() && run.is_settled_by(later);
        later.builds(run)
            || (other_way && names_the_same(later, run))
            || (later.ended != Ended::Unknown && covers(later, run))
    })
}

/// Returns what failed in `run` and was not seen to pass in a later one.
fn standing(run: &Run, later: &[&Run]) -> Vec<Failing> {
    if run.failing.is_empty() {
        return Vec::new();
    }
    let ended = later.iter().rev().filter(|later| later.ended != Ended::Unknown);
    let reach: Vec<(&Run, Reach)> = ended.map(|later| (*later, Reach::of(later, run))).collect();
    let is_cleared = |failing: &&Failing| {
        let last = reach.iter().find(|(_, reach)| reach.has(&failing.id));
        last.is_some_and(|(last, _)| {
            last.is_told() && !last.failing.iter().any(|one| one.id == failing.id)
        })
    };
    run.failing.iter().filter(|failing| !is_cleared(failing)).cloned().collect()
}

impl Run {
    /// Whether something ran, and did not stop before it, as where a build fails; and all that failed
    /// is known.
    fn is_told(&self) -> bool {
        self.ended == Ended::Passed || self.names_all()
    }

    /// Whether the output named all that failed; of a long one only an end may be left.
    pub(super) fn names_all(&self) -> bool {
        let is_cut = self.unit == "test" && self.failing.len() < self.failed;
        !self.failing.is_empty() && !is_cut
    }
}

fn since(run: &Run, edits: &[Edit]) -> (usize, bool) {
    let is_later = |edit: &&Edit| edit.stands_after(run.saw()) || edit.is_gone_since(run);
    files_of(run, edits.iter().filter(is_later))
}

/// Says behind how a check ended how many files were changed since; `is_vague` where more may have been.
pub(in crate::derive) fn since_told(count: usize, is_vague: bool) -> String {
    match count {
        0 => String::new(),
        1 if is_vague => "; files were changed since".to_owned(),
        1 => "; 1 file was changed since".to_owned(),
        more if is_vague => format!("; at least {more} files were changed since"),
        more => format!("; {more} files were changed since"),
    }
}

/// Counts the files of changes of which a run may say something; whether some of them are not named.
fn files_of<'e>(run: &Run, edits: impl Iterator<Item = &'e Edit>) -> (usize, bool) {
    let paths = edits.map(|edit| edit.path.as_str());
    let paths = paths.filter(|path| !is_prose(path) || looks_at(run, path));
    let paths: BTreeSet<&str> = paths.collect();
    (paths.len(), paths.contains(""))
}

/// Programs that look at prose, too, besides those of which nothing is known.
const OF_PROSE: &[&str] = &["latexmk", "markdownlint", "openspec", "prettier"];

/// Whether a check of documents names one, or a folder in which it lies.
fn looks_at(run: &Run, path: &str) -> bool {
    let reads = run.unit != "test" && (run.family.is_empty() || OF_PROSE.contains(&run.family));
    let is_named = |word: &str| {
        let word = word.trim_start_matches("./").trim_end_matches('/');
        let below = path.strip_prefix(word).is_some_and(|rest| rest.starts_with('/'));
        path == word || below || path.rsplit('/').skip(1).any(|folder| folder == word)
    };
    reads && run.command.split_whitespace().skip(1).any(is_named)
}

impl Check {
    /// Returns a run by itself as a check.
    pub(super) fn of_run(run: &Run, edits: &[Edit]) -> Self {
        let (failing, (edits_since, is_vague)) = (run.failing.clone(), since(run, edits));
        Self { run: run.clone(), failing, edits_since, is_vague, passed_elsewhere: false }
    }

    /// Whether it failed last.
    pub(in crate::derive) fn fails(&self) -> bool {
        self.run.ended == Ended::Failed && !self.passed_elsewhere
    }

    /// Whether it passed last, here or elsewhere.
    pub(in crate::derive) fn has_passed(&self) -> bool {
        self.run.ended == Ended::Passed || self.passed_elsewhere
    }

    /// Notes that all checks passed elsewhere after it failed here, whatever was changed up to the call
    /// `listing`, which tells so.
    pub(super) fn pass_elsewhere(&mut self, listing: usize, edits: &[Edit]) {
        if self.run.ended == Ended::Failed {
            self.passed_elsewhere = true;
            let later = edits.iter().filter(|edit| edit.stands_after(listing));
            (self.edits_since, self.is_vague) = files_of(&self.run, later);
        }
    }

    /// Says how it ended, without the command.
    pub(in crate::derive) fn told(&self) -> String {
        let by = if self.run.by_agent { " (an agent ran it)" } else { "" };
        let given = self.run.given.as_ref().filter(|_| self.run.ended == Ended::Passed);
        let given = given.map(|rights| format!(", given {rights}"));
        let given = given.unwrap_or_default();
        match self.passed_elsewhere {
            true => format!("{}{by}; then all checks passed elsewhere", self.ended()),
            false => self.ended() + &given + by,
        }
    }

    fn ended(&self) -> String {
        let run = &self.run;
        let count = |count: usize, unit: &str| match count {
            1 => format!("1 {unit}"),
            _ => format!("{count} {unit}s"),
        };
        let flaky = run.flaky.told();
        if let Some((passed, skipped)) = run.skipped.filter(|_| run.ended == Ended::Passed) {
            return format!("passed ({}, {skipped} skipped{flaky})", count(passed, "test"));
        }
        match (run.ended, run.unit, run.total) {
            (Ended::Passed, "test", Some(total)) if total > 0 => {
                format!("passed ({}{flaky})", count(total, "test"))
            }
            (Ended::Passed, ..) => "passed".to_owned(),
            (Ended::Unknown, ..) if run.was_stopped => {
                "was stopped, so it is not known how it would have ended".to_owned()
            }
            (Ended::Unknown, "test", Some(0)) => {
                "ran no test: every one was skipped, or none was found".to_owned()
            }
            (Ended::Unknown, "error", Some(0)) => "found nothing to look at".to_owned(),
            (Ended::Unknown, ..) => {
                "no summary was seen, so it is not known how it ended".to_owned()
            }
            // A test that did not come to its end says another thing than one that fails.
            (Ended::Failed, "test", _) if run.failed > 0 && run.errors == run.failed => {
                // A sum of what passed and of errors is no count of tests.
                let all = run.total.filter(|_| run.counts_all);
                let of_all = all.map_or(String::new(), |total| format!(" in {total} tests"));
                format!("{}{of_all}{}{}", count(run.errors, "error"), self.ids(), self.why())
            }
            (Ended::Failed, "test", Some(total)) if run.failed > 0 => {
                format!("{} of {total} failed{}{}", run.failed, self.ids(), self.why())
            }
            (Ended::Failed, "test", _) if run.failed > 0 => {
                format!("{} failed{}{}", count(run.failed, "test"), self.ids(), self.why())
            }
            (Ended::Failed, "error", _) if run.failed > 0 => {
                format!("failed with {}{}", count(run.failed, "error"), self.ids())
            }
            (Ended::Failed, ..) => match &run.signature {
                Some(signature) => format!("failed: {}", text::line(signature, 160)),
                None => "failed".to_owned(),
            },
        }
    }

    /// Says which message most of it shares.
    fn why(&self) -> String {
        let Some(common) = &self.run.common else { return String::new() };
        format!("; told most often: {}", text::line(&common.message, 160))
    }

    /// Names the first of what fails.
    fn ids(&self) -> String {
        let ids: Vec<_> =
            self.failing.iter().take(FEW_IDS).map(|one| text::line(&one.id, 110)).collect();
        let rest = self.failing.len().saturating_sub(FEW_IDS);
        match (ids.is_empty(), rest) {
            (true, _) => String::new(),
            // The output named only some.
            _ if self.failing.len() < self.run.failed => {
                format!(", among them {}", ids.join(", "))
            }
            (_, 0) => format!(": {}", ids.join(", ")),
            _ => format!(": {} and {rest} more", ids.join(", ")),
        }
    }

    /// Tells it as a fact; `is_elsewhere` where a newer one is of the same command in another folder.
    pub(super) fn fact(&self, is_elsewhere: bool) -> Fact {
        let run = &self.run;
        let since = since_told(self.edits_since, self.is_vague);
        let told = run.told();
        let command = text::line(&run.told_there(), 120);
        let line = format!("`{command}`: {}{since}", self.told());
        let fact = Fact::new(FactKind::Check, Trust::S, line, (run.turn, &run.item));
        let state = match run.ended {
            _ if self.edits_since > 0 => State::Stale,
            Ended::Passed => State::Done,
            _ if self.passed_elsewhere => State::Done,
            _ => State::Open,
        };
        let weight = match run.ended {
            Ended::Unknown => 0.4,
            // Who does not know which rights it needs sees it fail.
            Ended::Passed if run.given.is_some() => GIVEN,
            // That it builds says less than that its tests pass.
            Ended::Passed if run.total.is_none() => 0.5,
            _ => 1.0,
        };
        // The same check keeps its id however it ends.
        let around = if is_elsewhere { run.asked.told_around() } else { String::new() };
        let id = ids::exact('F', format!("check {told} {around}").trim_end());
        Fact { id, state, weight, detail: self.detail(), ..fact }
    }

    /// Names what fails beyond what its line names, and of all the reasons that are known, but for the one that
    /// the line tells.
    pub(in crate::derive) fn detail(&self) -> Option<String> {
        let common = self.run.common.as_ref().map(|common| common.message.as_str());
        let why = |one: &Failing| {
            let why = one.why.clone().filter(|why| !one.id.contains(why));
            why.filter(|why| common != Some(&*signature::normal(why)))
        };
        let row = |(at, one): (usize, &Failing)| match why(one) {
            Some(why) => Some(format!("{}: {why}", one.id)),
            None => (at >= FEW_IDS).then(|| one.id.clone()),
        };
        let rows: Vec<_> = self.failing.iter().take(20).enumerate().filter_map(row).collect();
        (!rows.is_empty() && self.run.unit == "test").then(|| rows.join("\n"))
    }
}
