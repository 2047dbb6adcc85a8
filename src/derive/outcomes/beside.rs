//! Another folder than the session's in which its newest work lies, such as a second working tree.

use std::collections::HashSet;

use super::Outcomes;
use super::checks::Edit;
use super::commits::Commit;
use super::git::{from_verb, told_folder};
use crate::derive::files::{is_of_program, is_outside, is_temporary};
use crate::derive::place::{self, lies_in};
use crate::derive::timeline::{Done, Timeline};
use crate::derive::{shell, turns};

/// How many of the newest changes lie there at least: one may only be made beside the work.
const LEAST: usize = 2;

/// A folder in which the newest work lies.
pub(in crate::derive) struct Beside {
    pub folder: String,
    /// How many files were changed there without changing others between.
    pub files: usize,
    /// The number of the call that changed one last.
    pub last: usize,
}

/// Finds the folder, outside of the session's, to which command lines went and in which all the newest changes lie.
pub(super) fn beside(timeline: &Timeline<'_>, edits: &[Edit]) -> Option<Beside> {
    let is_work = |edit: &&Edit| {
        !edit.path.is_empty() && !is_of_program(&edit.path) && edit.taken_back.is_none()
    };
    let last = edits.iter().rfind(is_work).filter(|edit| is_outside(&edit.path))?;
    let home = place::one_form(timeline.header.cwd.as_deref().unwrap_or_default());
    let goes = |done: Done<'_>| {
        let told =
            || timeline.parts(&done).iter().find_map(|part| told_folder(part)).map(place::one_form);
        done.folder().filter(|folder| place::is_whole(folder)).or_else(told)
    };
    let is_one = |folder: &String| {
        place::is_told(folder)
            && place::is_whole(folder)
            && !is_temporary(folder)
            && !home.is_empty()
            && !lies_in(&home, folder)
            && lies_in(&last.path, folder)
    };
    let folder = timeline.done().filter_map(goes).filter(is_one).min_by_key(String::len)?;
    let newest = edits.iter().rev().filter(is_work).take_while(|edit| lies_in(&edit.path, &folder));
    let newest: Vec<&str> = newest.map(|edit| edit.path.as_str()).collect();
    let files = newest.iter().collect::<HashSet<_>>().len();
    // What was taken away holds nothing any more.
    let mut later = timeline.done().skip(last.index).filter(Done::worked);
    let is_gone = later.any(|done| takes_away(&done, &folder));
    (newest.len() >= LEAST && !is_gone).then_some(Beside { folder, files, last: last.index })
}

/// Whether a call takes a folder away, what is in it, or moves it.
fn takes_away(done: &Done<'_>, folder: &str) -> bool {
    let name = place::name(folder);
    let Some(line) = done.command().filter(|line| line.contains(name)) else { return false };
    let forms = ["git worktree move", "git worktree remove", "mv ", "rm -", "trash "];
    let from = place::known(&done.folder().unwrap_or_default(), Some(done.cwd));
    let from = from.as_deref().or(Some(done.cwd));
    let is_it = |word: &str| {
        let word = word.trim_matches(['"', '\'']).trim_end_matches('*').trim_end_matches('/');
        let home = ["~", "$HOME"].iter().find_map(|home| word.strip_prefix(home));
        let is_set = || {
            let name = word.strip_prefix('$').map(|name| name.trim_matches(['{', '}']));
            name.is_some_and(|name| line.contains(&format!("{name}={folder}")))
        };
        home.is_some_and(|rest| rest.starts_with('/') && folder.ends_with(rest))
            || place::known(word, from).is_some_and(|path| place::one_form(&path) == folder)
            || is_set()
    };
    let takes = |(part, _): &(String, String)| {
        let part = part.trim().trim_matches(['(', ')', ' ']);
        let part = from_verb(part.strip_prefix("sudo ").unwrap_or(part));
        forms.iter().any(|form| part.starts_with(form)) && part.split_whitespace().any(is_it)
    };
    shell::raw(line).iter().any(takes)
}

impl Beside {
    /// Says where the work of a turn went on.
    pub(super) fn told(&self, turn: u32) -> String {
        let (folder, turn) = (&self.folder, turns::id(turn));
        let files = if self.files == 1 { "file was" } else { "files were" };
        format!("the work went on in {folder}: {} {files} changed there last ({turn})", self.files)
    }
}

impl Outcomes {
    /// Returns the folder, outside of the session's, in which its newest work lies, where none of its commits is known
    /// to have taken that.
    pub(in crate::derive) fn beside(&self) -> Option<&Beside> {
        let takes = |commit: &Commit, beside: &Beside| {
            let is_there =
                |folder: &String| *folder == beside.folder || lies_in(folder, &beside.folder);
            commit.index >= beside.last && commit.elsewhere.as_ref().is_some_and(is_there)
        };
        self.beside.as_ref().filter(|it| !self.commits.iter().any(|commit| takes(commit, it)))
    }
}
