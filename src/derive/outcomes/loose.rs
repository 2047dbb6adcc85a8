//! What was changed beside the edits and is not committed, as far as git and the calls tell.

use std::collections::HashSet;

use super::commits::Commit;
use super::is_kept;
use super::restored::{Back, restored};
use super::tree::{self, Listing};
use crate::derive::files::{taken_by_git, takes_away};
use crate::derive::timeline::{Done, Timeline};
use crate::model::Action;

/// What may not be committed.
pub(super) struct Loose {
    listings: Vec<Listing>,
    /// What git was told to take away or to move: the number of the call and the file or folder.
    gone: Vec<(usize, String)>,
    /// The last call by which more may have been changed than is known: one that gave work to an agent, or took
    /// something away.
    touched: Option<usize>,
    /// The calls that committed all that was there.
    whole: Vec<usize>,
}

/// How git is told to take all that was changed into a commit.
const ALL: &[&str] = &["git add -A", "git add .", "git add --all"];

impl Loose {
    pub(super) fn new(timeline: &Timeline<'_>, commits: &[Commit]) -> Self {
        let listings = tree::listings(timeline);
        let Some(first) = commits.first().map(|commit| commit.index) else {
            return Self { listings, gone: vec![], touched: None, whole: vec![] };
        };
        let since = || timeline.done().skip(first);
        let gives = |done: &Done<'_>| {
            matches!(done.call.action.as_deref(), Some(Action::Agent { .. })) && !done.refused()
        };
        let touches = |done: &Done<'_>| gives(done) || takes_away(timeline, done);
        let made: HashSet<usize> = commits.iter().map(|commit| commit.index).collect();
        let takes_all = |done: &Done<'_>| {
            done.command().is_some_and(|line| ALL.iter().any(|all| line.contains(all)))
        };
        let whole = since().filter(|done| made.contains(&done.index) && takes_all(done));
        Self {
            listings,
            gone: gone(timeline, first),
            touched: since().filter(touches).last().map(|done| done.index),
            whole: whole.map(|done| done.index).collect(),
        }
    }

    /// The listings of what was not committed, in order.
    pub(super) fn listings(&self) -> &[Listing] {
        &self.listings
    }

    /// Whether more may have been changed after a commit than by edits; `worked_on` tells of a file or folder whether
    /// the session changed it.
    pub(super) fn is_any(
        &self,
        commit: &Commit,
        from: usize,
        worked_on: impl Fn(&str) -> bool,
    ) -> bool {
        let mut listed = self.listed(commit, from, worked_on);
        self.touched.is_some_and(|index| index > from)
            || listed.as_mut().is_some_and(|(_, paths)| paths.next().is_some())
    }

    /// Returns what was surely changed after `commit` and is not committed; `from` is the last call that
    /// shows that all was, `worked_on` tells of a file or folder whether the session changed it.
    pub(super) fn after<'l>(
        &'l self,
        commit: &Commit,
        from: usize,
        worked_on: impl Fn(&str) -> bool + Clone + 'l,
    ) -> impl Iterator<Item = &'l str> {
        let gone = self.gone.iter().filter(move |(index, _)| *index > from);
        let gone = gone.map(|(_, path)| path.as_str());
        let took_all = self.whole.contains(&commit.index);
        let listed = self
            .listed(commit, from, worked_on.clone())
            .map(|(knew, paths)| paths.filter(move |path| knew || took_all || worked_on(path)));
        gone.chain(listed.into_iter().flatten()).filter(|path| is_kept(path))
    }

    /// Returns what the last listing after a commit tells that none before it told or that was worked on, and whether
    /// there was one before.
    fn listed(
        &self,
        commit: &Commit,
        from: usize,
        worked_on: impl Fn(&str) -> bool,
    ) -> Option<(bool, impl Iterator<Item = &str>)> {
        let is_after = |one: &Listing| {
            one.index > from || one.index == commit.index && from == one.index && one.is_behind
        };
        let last = self.listings.last().filter(|one| is_after(one))?;
        let before: Vec<&Listing> = self.listings.iter().filter(|one| !is_after(one)).collect();
        let knew = before.iter().any(|one| one.is_whole);
        let is_new = move |path: &&str| {
            let was_told = || before.iter().any(|one| one.paths.iter().any(|known| known == path));
            is_kept(path) && (worked_on(path) || !was_told())
        };
        Some((knew, last.paths.iter().map(String::as_str).filter(is_new)))
    }
}

/// Returns what git was told to take away or to move since the call `first`, without what it was told to put back.
fn gone(timeline: &Timeline<'_>, first: usize) -> Vec<(usize, String)> {
    let mut gone: Vec<(usize, Vec<String>)> = Vec::new();
    for done in timeline.done().skip(first) {
        let Some(line) = done.command().filter(|line| line.contains("git ")) else { continue };
        let taken = taken_by_git(timeline, &done);
        let target = line.split_whitespace().last().unwrap_or_default();
        let moves = || taken.len() == 1 && line.contains("git mv ");
        // What is moved to where something was is that, as far as anybody knows.
        let is_back = |(_, before): &(usize, Vec<String>)| moves() && before[..] == [target];
        if let Some(at) = gone.iter().rposition(is_back) {
            gone.remove(at);
        } else if !taken.is_empty() {
            gone.push((done.index, taken));
        }
        let backs = if done.worked() && !gone.is_empty() { restored(line) } else { Vec::new() };
        for (_, back) in backs {
            match back {
                Back::Paths(named) => {
                    gone.retain(|(_, paths)| !named.iter().any(|it| paths.contains(it)));
                }
                Back::All | Back::Hard(_) => gone.clear(),
                Back::Commits(_) => {}
            }
        }
    }
    gone.into_iter().flat_map(|(at, paths)| paths.into_iter().map(move |path| (at, path))).collect()
}
