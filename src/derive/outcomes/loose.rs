//! What was changed beside the edits and is not committed, as far as git and the calls tell.

use super::commits::Commit;
use super::is_kept;
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
        let Some(first) = commits.first().map(|commit| commit.index) else {
            return Self { listings: vec![], gone: vec![], touched: None, whole: vec![] };
        };
        let since = || timeline.done().skip(first);
        let gives = |done: &Done<'_>| {
            matches!(done.call.action.as_deref(), Some(Action::Agent { .. })) && !done.refused()
        };
        let touches = |done: &Done<'_>| gives(done) || takes_away(timeline, done);
        let gone = since().flat_map(|done| {
            taken_by_git(timeline, &done).into_iter().map(move |path| (done.index, path))
        });
        let whole = commits.iter().filter(|commit| {
            let line = timeline.done().nth(commit.index).and_then(|done| done.command());
            line.is_some_and(|line| ALL.iter().any(|all| line.contains(all)))
        });
        Self {
            listings: tree::listings(timeline),
            gone: gone.collect(),
            touched: since().filter(touches).last().map(|done| done.index),
            whole: whole.map(|commit| commit.index).collect(),
        }
    }

    /// Whether more may have been changed after a commit than by edits.
    pub(super) fn is_any(&self, commit: &Commit, from: usize) -> bool {
        self.touched.is_some_and(|index| index > from)
            || self.listed(commit, from).is_some_and(|(_, mut paths)| paths.next().is_some())
    }

    /// Returns what was surely changed after `commit` and is not committed; `from` is the last call that
    /// shows that all was, `worked_on` tells of a file or folder whether the session changed it.
    pub(super) fn after<'l>(
        &'l self,
        commit: &Commit,
        from: usize,
        worked_on: impl Fn(&str) -> bool + 'l,
    ) -> impl Iterator<Item = &'l str> {
        let gone = self.gone.iter().filter(move |(index, _)| *index > from);
        let gone = gone.map(|(_, path)| path.as_str());
        let took_all = self.whole.contains(&commit.index);
        let listed = self
            .listed(commit, from)
            .map(|(knew, paths)| paths.filter(move |path| knew || took_all || worked_on(path)));
        gone.chain(listed.into_iter().flatten()).filter(|path| is_kept(path))
    }

    /// Returns what the last listing after a commit tells that none before it told, and whether there was one.
    fn listed(&self, commit: &Commit, from: usize) -> Option<(bool, impl Iterator<Item = &str>)> {
        let is_after = |one: &Listing| {
            one.index > from || one.index == commit.index && from == one.index && one.is_behind
        };
        let last = self.listings.last().filter(|one| is_after(one))?;
        let before: Vec<&Listing> = self.listings.iter().filter(|one| !is_after(one)).collect();
        let knew = before.iter().any(|one| one.is_whole);
        let is_new = move |path: &&str| {
            is_kept(path) && !before.iter().any(|one| one.paths.iter().any(|known| known == path))
        };
        Some((knew, last.paths.iter().map(String::as_str).filter(is_new)))
    }
}
