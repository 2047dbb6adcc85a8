//! Changes of files that no edit tells of: what commands took away, moved or put into folders, and where git moved the
//! working tree (`moved.rs`).

use std::collections::HashSet;

use super::aside::Aside;
use super::checks::Edit;
use super::moved::Tree;
use super::{is_kept, trials};
use crate::derive::cmdlets::{self, Deed};
use crate::derive::command::command;
use crate::derive::files::{is_outside, is_temporary, left_at};
use crate::derive::place::known;
use crate::derive::sure::{Sure, walk};
use crate::derive::timeline::{Done, Timeline};
use crate::derive::written::edits_in_place;
use crate::derive::{copied, shell};
use crate::model::Action;

/// What stands on a line that may shift something.
const SIGNS: &[&str] = &[
    "rm ", "mv ", "cp ", "ln ", "rsync ", "scp ", "install ", "git ", "patch ", "xargs", "-exec",
    "gh pr ",
];

/// Finds them in order. One without a path is of files that nobody named.
pub(super) fn shifts(timeline: &Timeline<'_>, edits: &[Edit], aside: &Aside) -> Vec<Edit> {
    let mut tree = Tree::new(timeline, edits);
    let (mut found, mut made, mut read) = (Vec::new(), HashSet::new(), HashSet::new());
    for done in timeline.done() {
        if let Some(Action::Read { path, .. }) = done.call.action.as_deref() {
            read.insert(timeline.path(path));
        }
        let Some(line) = done.command().filter(|_| done.worked()) else { continue };
        if SIGNS.iter().any(|sign| line.contains(sign)) || cmdlets::takes_away(line) {
            let at = edits.partition_point(|edit| edit.index <= done.index);
            // What comes to where nobody was may be there to be looked at.
            let was_seen = |path: &String| {
                let is_it = |known: &str| {
                    let below = known.strip_prefix(path.as_str());
                    below.is_some_and(|it| it.is_empty() || it.starts_with('/'))
                        || copied::is_beside(path, known)
                };
                path.is_empty()
                    || replaces(line, path)
                    || edits[..at].iter().any(|edit| is_it(&edit.path))
                    || read.iter().any(|known| is_it(known))
            };
            let (put, brought): (Vec<_>, Vec<_>) =
                put(timeline, &done, line).into_iter().partition(was_seen);
            made.extend(brought);
            // What came in the session goes with nothing left, nor does anybody miss what a program gave.
            let was_there = |path: &String| {
                let is_it = |edit: &&Edit| {
                    edit.path
                        .strip_prefix(path)
                        .is_some_and(|it| it.is_empty() || it.starts_with('/'))
                };
                let last = edits[..at].iter().rfind(is_it);
                let is_known = last.is_some() || read.contains(path) || !copied::is_result(path);
                is_known && !made.contains(path) && !last.is_some_and(|edit| edit.is_new)
            };
            let gone = left_at(timeline, &done).into_iter().filter(was_there);
            // What the line puts back is as it was.
            let passing = trials::put_back(timeline, &done);
            let paths = gone.chain(put).filter(|path| counts(path) && !passing.contains(path));
            found.extend(paths.map(|path| shift(done.index, path)));
            tree.line(timeline, &done, line, aside);
        }
        if makes(line) {
            walk(line, |one| made.extend(made_by(timeline, &done, one)));
        }
    }
    found.extend(tree.into_moved());
    found.sort_by_key(|shift| shift.index);
    found
}

/// Whether a line names a file before its last command puts something there: it reads what it replaces.
fn replaces(line: &str, path: &str) -> bool {
    let parts = shell::raw(line);
    let puts =
        |(part, _): &(String, String)| part.contains(path) && !part.trim().starts_with("rm ");
    line.matches(path).count() > 1 && parts.last().is_some_and(puts)
}

pub(super) fn shift(index: usize, path: String) -> Edit {
    Edit { index, path, by_shell: true, is_new: false, taken_back: None, is_left_out: false }
}

/// Whether a path is one of the work; none at all may be.
pub(super) fn counts(path: &str) -> bool {
    path.is_empty() || is_kept(path) && !is_temporary(path) && !copied::is_left(path)
}

/// Whether a line may make a folder, or a file by what a command printed.
fn makes(line: &str) -> bool {
    let goes_on = |rest: &str| !rest.starts_with("&1") && !rest.trim_start().starts_with("/dev/");
    line.contains("mkdir ") || line.split('>').skip(1).any(goes_on)
}

fn made_by(timeline: &Timeline<'_>, done: &Done<'_>, one: &Sure<'_>) -> Vec<String> {
    let Some(command) = command(one.raw) else { return Vec::new() };
    let folders = command.words.iter().skip(1).filter(|_| command.program() == "mkdir");
    let paths = folders.chain(command.target.as_ref().map(|(path, _)| path));
    let paths = paths.filter_map(|path| timeline.place(done, &known(path, one.folder)?));
    paths.collect()
}

/// Returns where a line puts files or a folder, and nothing as the name of those that it edits without naming them.
fn put(timeline: &Timeline<'_>, done: &Done<'_>, line: &str) -> Vec<String> {
    let mut found = Vec::new();
    walk(line, |one| {
        let Some(command) = command(one.raw) else { return };
        let targets = copied::targets(&command.words).into_iter();
        let paths = targets.filter_map(|path| match path.trim_end_matches('/') {
            // All that comes into the folder at hand.
            "." => timeline
                .place(done, &known("x", one.folder)?)
                .map(|path| if is_outside(&path) { path } else { String::new() }),
            path => timeline.place(done, &known(path, one.folder)?),
        });
        found.extend(paths);
    });
    found.extend(cmdlets::deeds(line).into_iter().filter_map(|deed| match deed {
        Deed::Move(_, to) => timeline.place(done, &to),
        _ => None,
    }));
    if edits_each(line) && timeline.place(done, "x").is_some_and(|path| !is_outside(&path)) {
        found.push(String::new());
    }
    found
}

/// Whether a line hands files to a program that edits them in place, as `find src -exec sed -i … {} +`, or files that git
/// keeps to one that takes them away.
fn edits_each(line: &str) -> bool {
    if !["xargs", "-exec"].iter().any(|word| line.contains(word)) || line.contains("||") {
        return false;
    }
    let parts = shell::raw(line);
    let given = |(at, (raw, _)): (usize, &(String, String))| {
        let raw = raw.trim();
        let (from, run) = match raw.split_once(" -exec ") {
            Some((from, run)) if raw.starts_with("find ") => (from, run),
            _ => (parts.get(at.checked_sub(1)?)?.0.as_str(), shell::handed(raw)?),
        };
        // Files elsewhere are none of the work.
        let is_far = from.split_whitespace().any(|word| word.starts_with(['/', '~']));
        let words = shlex::split(run)?;
        let takes = || words.first().is_some_and(|it| it == "rm") && lists_kept(from.trim());
        (!is_far && (edits_in_place(&words) || takes())).then_some(())
    };
    parts.iter().enumerate().any(|part| given(part).is_some())
}

/// Whether a command lists files that git keeps, and none that it does not.
fn lists_kept(part: &str) -> bool {
    let is_other = |word: &str| {
        let letters = word.strip_prefix('-').unwrap_or_default();
        matches!(word, "--others" | "--ignored")
            || !letters.starts_with('-') && letters.contains(['o', 'i'])
    };
    part.starts_with("git ls-files") && !part.split_whitespace().any(is_other)
}
