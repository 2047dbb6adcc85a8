//! What is known of the working tree since the last commit.

use std::collections::{HashMap, HashSet};

use super::Outcomes;
use super::checks::Edit;
use super::commits::Commit;
use super::is_kept;
use crate::derive::files::is_outside;

/// What is known of the working tree since a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::derive) enum Since {
    /// Nothing was changed.
    Same,
    /// It was moved to another commit, as by a merge.
    Moved,
    /// More may have been changed than the edits of the session.
    Unknown,
}

/// What is not known to be committed.
pub(in crate::derive) struct Uncommitted<'o> {
    /// The last commit before.
    pub commit: &'o Commit,
    /// Files that were edited, each once.
    pub edited: Vec<&'o str>,
    /// How many of these, the first, were edited before it and not known to be in it.
    pub left_out: usize,
    /// Files and folders that were changed in other ways.
    pub others: Vec<&'o str>,
    /// The numbers of the calls that edited some.
    pub calls: Vec<usize>,
}

impl Outcomes {
    /// Returns the last commit, if no edit came after it, and what is known of the working tree since.
    pub(in crate::derive) fn committed(&self) -> Option<(&Commit, Since)> {
        let commit = self.commits.last()?;
        let from = self.clean_at(commit);
        let since = match () {
            () if self.has_edits_beside(commit)
                || self.loose.is_any(commit, from, |path| self.worked_on(path)) =>
            {
                Since::Unknown
            }
            () if self.moved > Some(commit.index) => Since::Moved,
            () => Since::Same,
        };
        let is_all = self.edited_after(commit.index).is_empty() && self.left_out().next().is_none();
        is_all.then_some((commit, since))
    }

    /// Whether a pull request was merged after a commit: on which branch that is nobody has to be asked.
    pub(in crate::derive) fn was_merged(&self, commit: &Commit) -> bool {
        self.merged > Some(commit.index)
    }

    /// Returns the last call that shows that all was committed, which is that of a commit or a later one.
    fn clean_at(&self, commit: &Commit) -> usize {
        commit.index.max(self.settled.unwrap_or(0))
    }

    /// Whether files were changed after a commit that a repository mostly does not keep, or in the other folder
    /// where the commit was made.
    fn has_edits_beside(&self, commit: &Commit) -> bool {
        let folder = commit.elsewhere.as_deref();
        let is_there = |path: &str| folder.is_some_and(|folder| path.starts_with(folder));
        let counts = |edit: &Edit| !is_outside(&edit.path) || is_there(&edit.path);
        self.there().any(|edit| edit.index > commit.index && counts(edit))
    }

    /// Returns the last commit with what was changed after it and is not known to be committed: the files that
    /// were edited, then others, and the calls that edited some.
    pub(in crate::derive) fn uncommitted(&self) -> Option<Uncommitted<'_>> {
        let commit = self.commits.last()?;
        let from = self.clean_at(commit);
        let mut seen: HashSet<&str> = HashSet::new();
        let left_out = self.left_out().map(|edit| edit.path.as_str());
        let mut edited: Vec<_> = left_out.filter(|path| seen.insert(path)).collect();
        let left_out = edited.len();
        edited.extend(self.edited_after(from).into_iter().filter(|path| seen.insert(path)));
        let mut others: Vec<_> =
            self.loose.after(commit, from, |path| self.worked_on(path)).collect();
        others.retain(|path| seen.insert(path.trim_end_matches('/')));
        let calls = self.left_out().map(|edit| edit.index).chain(self.edits_after(from)).collect();
        Some(Uncommitted { commit, left_out, edited, others, calls })
    }

    /// Returns the files that the session edited and that git told last to be not committed, with the number of the call,
    /// where it commits nothing and nothing has moved the working tree since.
    pub(in crate::derive) fn listed(&self) -> Option<(usize, Vec<&str>)> {
        let listing = self.loose.listings().last().filter(|_| self.commits.is_empty())?;
        let is_listed = |path: &str| {
            // Of a folder that is new only its name is listed.
            listing.paths.iter().any(|one| {
                let below = path.strip_prefix(one.trim_end_matches('/'));
                below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            })
        };
        let edited = self.there().map(|edit| edit.path.as_str());
        let edited = edited.filter(|path| is_kept(path) && !is_outside(path) && is_listed(path));
        let mut seen = HashSet::new();
        let edited: Vec<&str> = edited.filter(|path| seen.insert(*path)).collect();
        let stands = self.settled.is_none_or(|at| at < listing.index);
        (stands && !edited.is_empty()).then_some((listing.index, edited))
    }

    /// Returns the edits of what a repository mostly keeps that were made before the last commit, that none is known to
    /// have taken, and that nothing showed to be gone since.
    fn left_out(&self) -> impl Iterator<Item = &Edit> {
        let settled = self.settled;
        let is_one = move |edit: &&Edit| {
            edit.is_left_out && is_kept(&edit.path) && settled.is_none_or(|at| edit.index > at)
        };
        self.there().filter(is_one)
    }

    /// Whether the session changed a file, or one in a folder.
    fn worked_on(&self, path: &str) -> bool {
        let is_it = |edit: &Edit| match path.strip_suffix('/') {
            Some(_) => edit.path.starts_with(path),
            None => edit.path == path,
        };
        self.there().any(is_it)
    }

    /// Returns how many files were changed after the call `index` in any way, and whether some of them are not named.
    pub(in crate::derive) fn changed_after(&self, index: usize) -> (usize, bool) {
        let later = self.changes.iter().filter(|edit| edit.stands_after(index));
        let paths = later.map(|edit| edit.path.as_str()).filter(|path| is_kept(path));
        let paths: HashSet<&str> = paths.collect();
        (paths.len(), paths.contains(""))
    }

    /// Returns the files of which all changes up to a call were taken back and are not put aside, by the number
    /// of that call, each with whether the session made it.
    pub(in crate::derive) fn taken_back(&self) -> HashMap<usize, Vec<(&str, bool)>> {
        let put: HashSet<usize> = self.aside.all_left().collect();
        let mut of_file: HashMap<&str, Vec<&Edit>> = HashMap::new();
        for edit in &self.edits {
            of_file.entry(edit.path.as_str()).or_default().push(edit);
        }
        let mut found: HashMap<usize, Vec<(&str, bool)>> = HashMap::new();
        for (path, edits) in of_file {
            let back =
                |edit: &&Edit| edit.taken_back.map(|(at, _)| at).filter(|at| !put.contains(at));
            let gone: Vec<usize> = edits.iter().map_while(back).collect();
            let Some(last) = gone.iter().max() else { continue };
            // What was changed in between goes on as it is.
            if edits.get(gone.len()).is_none_or(|next| next.index > *last) {
                found.entry(*last).or_default().push((path, edits[gone.len() - 1].is_new));
            }
        }
        found
    }
}
