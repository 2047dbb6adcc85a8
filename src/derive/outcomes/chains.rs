//! Errors by what became of them: mended and verified, only worked on, or in the way after several
//! tries.
//!
//! Only runs tell: what the agent says of an error is never looked at.

use std::borrow::Cow;
use std::collections::VecDeque;

use super::aside::Aside;
use super::checks::Edit;
use super::gap::Gap;
use super::mending::{named, shown};
use super::needed::mended_by;
use super::reach::{is_again, is_broader, reaches};
use super::recognise::Ended;
use super::run::Run;
use super::{acts, formatters, remote, signature};
use crate::derive::fact::{Fact, FactKind, State};
use crate::derive::timeline::{Done, Timeline};
use crate::derive::{Trust, ids, text};

/// How many runs must have shown an error, each after another change, before it is a dead end.
const TRIES: usize = 3;
/// How many facts of each kind are kept.
const MOST: usize = 8;
/// How much it matters that an error went away without a change of files.
const UNCHANGED: f64 = 0.4;

/// So many errors that nothing showed to be gone are looked at with each run, the newest: those before them are
/// hardly what goes on now.
const MOST_OPEN: usize = 100;

/// An error from the run that first showed it to what became of it.
struct Chain<'r> {
    error: &'r str,
    /// Runs that showed it, as numbers of runs.
    shown: Vec<usize>,
    /// The first later run that shows that it is gone.
    gone: Option<usize>,
    /// Whether it must be gone, though no run of the same showed it.
    outlived: bool,
}

/// Finds what became of each error, newest first.
pub(super) fn chains(
    timeline: &Timeline<'_>,
    runs: &[&Run],
    edits: &[Edit],
    aside: &Aside,
) -> Vec<Fact> {
    let done: Vec<_> = timeline.done().collect();
    let mut chains = gather(runs, &done);
    chains.retain(|chain| !chain.is_of_branch(runs, edits, aside));
    chains.sort_by_key(|chain| std::cmp::Reverse(chain.shown.last().copied()));
    let mut facts: Vec<Fact> = Vec::new();
    for chain in &chains {
        let Some(mut fact) = chain.fact(runs, edits, &done) else { continue };
        let count = facts.iter().filter(|one| one.kind == fact.kind).count();
        match facts.iter_mut().find(|one| one.id == fact.id) {
            // Of the same error that came back, what says more of how it was mended is told.
            Some(known) => {
                if known.weight < fact.weight {
                    std::mem::swap(known, &mut fact);
                }
                known.evidence.splice(0..0, fact.evidence);
            }
            None => facts.extend((count < MOST).then_some(fact)),
        }
    }
    facts
}

fn gather<'r>(runs: &[&'r Run], done: &[Done<'_>]) -> Vec<Chain<'r>> {
    let mut chains: Vec<Chain<'_>> = Vec::new();
    let mut open: VecDeque<usize> = VecDeque::new();
    for (at, run) in runs.iter().enumerate() {
        for chain in open.iter().filter(|_| run.remote.is_none()) {
            let chain = &mut chains[*chain];
            let first = runs[chain.last()];
            let is_gone = match &first.remote {
                None => is_gone(chain.error, first, run),
                Some(remote) => remote::is_gone(remote, first, run, || output(done, run)),
            };
            chain.gone = is_gone.then_some(at);
            chain.outlived |= run.builds(first);
        }
        open.retain(|chain| chains[*chain].gone.is_none());
        let Some(error) = run.signature.as_deref() else { continue };
        let known = open.iter().copied().find(|chain| {
            chains[*chain].error == error && related(runs[chains[*chain].last()], run)
        });
        if let Some(chain) = known {
            chains[chain].shown.push(at);
            continue;
        }
        open.push_back(chains.len());
        chains.push(Chain { error, shown: vec![at], gone: None, outlived: false });
        if open.len() > MOST_OPEN {
            open.pop_front();
        }
    }
    chains
}

/// Returns what a run printed, or where it ran on, what the last wait for it did.
fn output<'s>(done: &[Done<'s>], run: &Run) -> Cow<'s, str> {
    done.get(run.over).map_or(Cow::Borrowed(""), Done::output)
}

fn related(first: &Run, later: &Run) -> bool {
    is_again(later, first) || (!first.family.is_empty() && first.family == later.family)
}

/// Whether `later` shows that the error of `first` is gone: the same command passed or got further, or
/// one that runs the same test did not show it.
fn is_gone(error: &str, first: &Run, later: &Run) -> bool {
    let id = first.failing.first().map_or(error, |one| one.id.as_str());
    let same = match first.failing.is_empty() {
        _ if is_again(later, first) => true,
        // It stopped before anything that it runs could fail.
        true => later.is_like(first) && is_broader(later, first),
        false => first.unit == later.unit && reaches(later, first, id),
    };
    let is_test_gone = later.ended == Ended::Failed
        && later.unit == "test"
        && first.unit == "test"
        && later.names_all()
        && later.failing.iter().all(|one| one.id != id);
    // What stopped it before any test ran does so no more.
    let got_further = later.ended == Ended::Failed
        && first.total.is_none()
        && later.total.is_some_and(|total| total > 0)
        && later.failing.iter().all(|one| one.id != id);
    same && (later.ended == Ended::Passed || is_test_gone || got_further)
        || formatters::settles(later, first)
}

impl Chain<'_> {
    fn last(&self) -> usize {
        self.shown.last().copied().unwrap_or_default()
    }

    /// Whether nothing shows that it is gone but that another branch has it not: that mended nothing.
    fn is_of_branch(&self, runs: &[&Run], edits: &[Edit], aside: &Aside) -> bool {
        let (last, gone) = (runs[self.last()], self.gone.map(|gone| runs[gone]));
        gone.is_some_and(|gone| {
            let is_between = |edit: &Edit| edit.index > last.over && edit.index < gone.began;
            last.remote.is_none()
                && aside.only_moved(last.over, gone.began)
                && !edits.iter().any(is_between)
        })
    }

    /// Whether it lies elsewhere than in the files; a test that is named so does not.
    fn is_outside(&self, last: &Run) -> bool {
        last.failing.is_empty() && signature::is_outside(self.error)
    }

    fn fact(&self, runs: &[&Run], edits: &[Edit], done: &[Done<'_>]) -> Option<Fact> {
        let last = runs[self.last()];
        if let Some(gone) = self.gone {
            return self.fix(last, runs[gone], edits, done);
        }
        if !last.is_check || self.outlived || self.is_outside(last) {
            return None;
        }
        let tries = self.tries(runs, edits);
        if tries.len() >= TRIES {
            return Some(self.dead_end(last, &tries));
        }
        // Only changes of a file that the output named are known to be about it.
        let is_named = |edit: &&Edit| {
            let ends = |path: &String| {
                path.ends_with(&edit.path) || edit.path.ends_with(path.trim_start_matches("./"))
            };
            last.files.iter().any(ends)
        };
        let later: Vec<_> =
            edits.iter().filter(|edit| edit.index > last.over).filter(is_named).collect();
        let files = named(&later);
        // Later runs of the command that showed another error say something, but not enough.
        (!files.is_empty()).then(|| {
            let since = match last.ran_again(runs.iter().copied()) {
                true => "it is not known how it ended since",
                false => "not checked since",
            };
            let text = format!("{} → changed {files}; {since}", self.told(last));
            self.made(FactKind::Attempt, text, last, State::Open)
        })
    }

    fn fix(&self, last: &Run, gone: &Run, edits: &[Edit], done: &[Done<'_>]) -> Option<Fact> {
        let between = |edit: &&Edit| edit.index > last.over && edit.index < gone.began;
        // What the network did not let through was mended by no change of a file.
        let is_ours = !self.is_outside(last);
        let made: Vec<_> = edits.iter().filter(|edit| is_ours && between(edit)).collect();
        let files = named(&made);
        // Without a change of files only what tests, builds or checks is worth a word.
        if files.is_empty() && !last.is_check {
            return None;
        }
        let (text, is_lesson) = self.mended((last, gone), &files, done, edits);
        let hunk = made.last().and_then(|edit| shown(edit, done));
        let state = if gone.runs_less_than(last).is_some() { State::Open } else { State::Done };
        let fact = self.made(FactKind::Fix, text, last, state);
        let mut evidence = [fact.evidence.clone(), vec![gone.item.clone()]].concat();
        // Of a run that was waited for, the last wait shows how it ended.
        let waited = done.get(gone.over).filter(|_| gone.over != gone.began);
        evidence.extend(waited.map(|done| done.item.id.to_string()));
        let weight = if files.is_empty() { UNCHANGED } else { 1.0 };
        Some(Fact { detail: hunk, evidence, weight, is_lesson, ..fact })
    }

    /// Says what made the error go away, and whether that can be learnt from: changes of files, else what was run in
    /// between, else that it was run again. Where more was done, nobody knows what helped.
    fn mended(
        &self,
        (last, gone): (&Run, &Run),
        files: &str,
        done: &[Done<'_>],
        edits: &[Edit],
    ) -> (String, bool) {
        let told = self.told(last);
        let mended_by = mended_by(last, gone, done, edits);
        let (here, there) = (gone.asked.around(), last.asked.around());
        let how = here.how_beside(there, &mended_by);
        let verified = text::line(&(how.clone() + &gone.told()), 120);
        let less = gone.runs_less_than(last);
        let less = less.map(|less| format!("passes with {less}, by"));
        let passed = gone.ended == Ended::Passed;
        let seen = if passed { "verified by" } else { "gone, with other errors, in" };
        let seen = less.as_deref().unwrap_or(seen);
        if !files.is_empty() {
            return (format!("{told} → changed {files} → {seen} `{verified}`"), true);
        }
        let gap = Gap {
            calls: done,
            first: last.ran(),
            later: gone.ran(),
            command: &gone.command,
            changed: String::new(),
            is_outside: self.is_outside(last),
        };
        let between = gap.between();
        // Where a variable is known to have been needed, that says more.
        if between.names_some() && mended_by.is_empty() {
            let ran = between.named();
            return (format!("{told} → ran {ran} → {seen} `{verified}`"), true);
        }
        let set =
            here.places(&mended_by.into_iter().collect()) + &gone.asked.set_beside(&last.asked);
        let is_same = set.is_empty() && how.is_empty() && gone.told() == last.told();
        let rights = done.get(last.began).zip(done.get(gone.began));
        let rights = rights.and_then(|(first, later)| acts::otherwise(first, later));
        let rights = rights.filter(|_| is_same);
        if !passed || less.is_some() && rights.is_none() {
            return (format!("{told} → {seen} `{verified}`"), true);
        }
        if is_same {
            let (how, is_lesson) = between.made(rights, &here.left_out(there));
            return (format!("{told} → passed {how}"), is_lesson);
        }
        let told = match set.is_empty() {
            true if formatters::only_forms(&gone.command) => {
                format!("{told} → mended by `{verified}`")
            }
            true => format!("{told} → passed as `{verified}`"),
            false => {
                format!("{told} → passed as `{}`", text::line(&(how + &set + &gone.command), 120))
            }
        };
        (told, true)
    }

    /// Returns the files changed before each run that still showed the error.
    fn tries(&self, runs: &[&Run], edits: &[Edit]) -> Vec<String> {
        let pairs = self.shown.windows(2).map(|pair| (runs[pair[0]].over, runs[pair[1]].began));
        let made = pairs.map(|(from, to)| {
            let between: Vec<_> =
                edits.iter().filter(|edit| edit.index > from && edit.index < to).collect();
            named(&between)
        });
        made.filter(|files| !files.is_empty()).collect()
    }

    fn dead_end(&self, last: &Run, tries: &[String]) -> Fact {
        let text = format!("{}: {} changes did not help", self.told(last), tries.len());
        let rows =
            tries.iter().enumerate().map(|(at, files)| format!("{}. changed {files}", at + 1));
        let detail = Some(rows.collect::<Vec<_>>().join("\n"));
        Fact { detail, ..self.made(FactKind::DeadEnd, text, last, State::Open) }
    }

    fn made(&self, kind: FactKind, text: String, last: &Run, state: State) -> Fact {
        let fact = Fact::new(kind, Trust::S, text, (last.turn, &last.item));
        // What became of it changes as the session grows; the error and its command do not.
        let id = ids::id('F', &format!("{kind:?} {} {}", last.told(), self.error));
        Fact { id, state, ..fact }
    }

    /// Names the error, and the command where that is not said elsewhere.
    fn told(&self, last: &Run) -> String {
        let by = if last.by_agent { " (an agent ran it)" } else { "" };
        format!("`{}`{by}: {}", text::line(&last.told(), 90), text::line(self.error, 160))
    }
}
