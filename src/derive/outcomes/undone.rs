//! Which changes of files were taken back: by git, or by a change that puts back what stood there.

use std::cell::LazyCell;
use std::collections::{HashMap, HashSet};

use super::aside::Aside;
use super::checks::Edit;
use super::commits::{Commit, commits_something};
use super::is_prose;
use super::recognise::Ended;
use super::restored::{Back, restored};
use super::run::Run;
use crate::derive::commands::key;
use crate::derive::files::is_outside;
use crate::derive::paths::is_file;
use crate::derive::shell;
use crate::derive::timeline::{Done, Timeline};
use crate::model::{Action, Change, Verb};

/// The texts of a change that can be known again when another one puts them back have so many bytes.
const TELLING_BYTES: usize = 8;
/// How many of the changes of a file before one are looked at for the one that it puts back.
const NEAR: usize = 200;
/// Commands after which nobody knows which commit is the last, or which keep it under another name.
const MOVING: &[&str] = &[
    "git branch ",
    "git cherry-pick",
    "git merge",
    "git pull",
    "git rebase",
    "git switch",
    "git tag ",
    "git worktree add",
];

/// Notes of each edit by which command it was taken back, and takes out of the commits those that are.
pub(super) fn take_back(
    timeline: &Timeline<'_>,
    edits: &mut [Edit],
    commits: &mut Vec<Commit>,
    aside: &Aside,
) {
    let mut tree = Tree::new(edits, commits);
    let (mut from, put): (usize, HashSet<usize>) = (0, aside.all_left().collect());
    for done in timeline.done() {
        let count = tree.edits[from..].iter().take_while(|edit| edit.index == done.index).count();
        tree.change(&done, from);
        tree.live.extend(from..from + count);
        from += count;
        if let Some(line) = done.command().filter(|line| line.contains("git")) {
            tree.line(timeline, &done, line);
            if put.contains(&done.index) {
                tree.put_aside(&done, line);
            }
        }
    }
    let gone = tree.gone;
    let mut at = 0..;
    commits.retain(|_| at.next().is_none_or(|at| !gone.contains(&at)));
}

/// The working tree and what the session committed.
struct Tree<'e, 't> {
    edits: &'e mut [Edit],
    commits: &'e [Commit],
    /// The commits by the numbers of their calls, as they stand in the list.
    made: HashMap<usize, usize>,
    /// Those of the edits that are not committed, by their places in the list.
    live: Vec<usize>,
    /// The call that added some of them to the next commit.
    added_at: Option<usize>,
    /// The texts of changes that are not committed, by their paths, each with its edit.
    texts: HashMap<&'t str, Vec<(usize, &'t Change)>>,
    /// What the commits at the top hold, with the places of the commits that made each.
    top: Vec<(Vec<usize>, Vec<usize>)>,
    /// The edits of all commits, by their places.
    held: HashMap<usize, Vec<usize>>,
    /// The commits that were taken back.
    gone: HashSet<usize>,
    /// What those that were reset hold, by their places.
    lost: HashMap<usize, Vec<usize>>,
    /// What commits that revert others took back, by their places.
    reverted: HashMap<usize, Vec<usize>>,
}

impl<'e, 't> Tree<'e, 't> {
    fn new(edits: &'e mut [Edit], commits: &'e [Commit]) -> Self {
        let made = commits.iter().enumerate().map(|(at, commit)| (commit.index, at)).collect();
        Self {
            edits,
            commits,
            made,
            live: Vec::new(),
            added_at: None,
            texts: HashMap::new(),
            top: Vec::new(),
            held: HashMap::new(),
            gone: HashSet::new(),
            lost: HashMap::new(),
            reverted: HashMap::new(),
        }
    }

    /// Takes the changes of a call, of which the first is at `from`, with those before that they put back.
    fn change(&mut self, done: &Done<'t>, from: usize) {
        let Some(Action::Edit { changes }) = done.call.action.as_deref().filter(|_| done.worked())
        else {
            return;
        };
        for (at, change) in changes.iter().enumerate() {
            let is_told = change.added.len().max(change.removed.len()) >= TELLING_BYTES;
            if change.verb != Verb::Update || !is_told {
                continue;
            }
            let before = self.texts.entry(change.path.as_str()).or_default();
            let undoes = |(_, old): &(usize, &Change)| {
                old.added == change.removed && old.removed == change.added
            };
            let near = before.len().saturating_sub(NEAR);
            let undone = before[near..].iter().rposition(undoes).map(|place| near + place);
            match undone {
                Some(place) => {
                    let (old, _) = before.remove(place);
                    for at in [old, from + at] {
                        if let Some(edit) = self.edits.get_mut(at) {
                            edit.taken_back = Some((done.index, 0));
                        }
                    }
                }
                None => before.push((from + at, change)),
            }
        }
    }

    /// Takes what the commands of a line do.
    fn line(&mut self, timeline: &Timeline<'_>, done: &Done<'_>, line: &str) {
        let mut commit = self.made.get(&done.index).copied();
        let moved_at = moves(line);
        if moved_at.is_some_and(|at| line.find("git reset").is_some_and(|reset| at < reset)) {
            self.top.clear();
        }
        let backs = if done.worked() { restored(line) } else { Vec::new() };
        let commits_at = || shell::raw(line).iter().rposition(|(part, _)| commits_something(part));
        let is_hard = backs.iter().any(|(_, back)| matches!(back, Back::Hard(_)));
        for (at, back) in backs {
            if let Some(made) = commit.filter(|_| commits_at().is_some_and(|commit| commit < at)) {
                self.commit(made, line);
                commit = None;
            }
            self.back(timeline, done, (done.index, at), &back);
        }
        if let Some(made) = commit {
            self.commit(made, line);
        }
        if line.contains("git add") {
            self.added_at = Some(done.index);
        }
        if moved_at.is_some() {
            self.top.clear();
        }
        if is_hard {
            self.bring_back(&done.output());
        }
    }

    /// Takes the commit that git says to be at now as made where it had been taken back.
    fn bring_back(&mut self, output: &str) {
        let Some((_, rest)) = output.split_once("HEAD is now at ") else { return };
        let now = rest.split_whitespace().next().unwrap_or_default();
        let is_it = |at: &&usize| {
            let sha = self.commits[**at].sha.as_deref();
            sha.is_some_and(|sha| !now.is_empty() && (sha.starts_with(now) || now.starts_with(sha)))
        };
        let Some(at) = self.gone.iter().find(is_it).copied() else { return };
        self.gone.remove(&at);
        let held = self.lost.remove(&at).unwrap_or_default();
        self.live.retain(|edit| !held.contains(edit));
        self.put_back(&held);
        self.top.push((vec![at], held));
    }

    fn put_back(&mut self, held: &[usize]) {
        held.iter().for_each(|at| self.edits[*at].taken_back = None);
    }

    fn commit(&mut self, made: usize, line: &str) {
        let commit = &self.commits[made];
        let is_held = |edit: &Edit| {
            commit.elsewhere.as_deref().is_none_or(|folder| edit.path.starts_with(folder))
        };
        let (held, live): (Vec<_>, Vec<_>) =
            self.live.drain(..).partition(|at| is_held(&self.edits[*at]));
        self.live = live;
        self.texts.clear();
        self.added_at = None;
        self.held.insert(made, held.clone());
        self.revert(made);
        match self.top.last_mut().filter(|_| line.contains("--amend")) {
            Some((commits, edits)) => {
                commits.push(made);
                edits.extend(held);
            }
            None => self.top.push((vec![made], held)),
        }
    }

    /// Takes back what the commit holds that another one reverts, by its first line; of one that reverts or
    /// applies again what was reverted, what that took back is there again.
    fn revert(&mut self, made: usize) {
        let subject = self.commits[made].subject.as_deref().unwrap_or_default();
        let again = subject.strip_prefix("Reapply \"").map(|rest| format!("Revert \"{rest}"));
        let Some(named) = again.as_deref().or_else(|| subject.strip_prefix("Revert \"")) else {
            return;
        };
        // What was cut has no end.
        let named = match again {
            Some(_) => named,
            None => named.strip_suffix('"').unwrap_or(named),
        };
        let is_it = |before: &usize| {
            let of = self.commits[*before].subject.as_deref().unwrap_or_default();
            match named.strip_suffix('…') {
                Some(start) => !start.is_empty() && of.starts_with(start),
                None => of == named,
            }
        };
        let Some(before) = (0..made).rev().find(is_it) else { return };
        if let Some(held) = self.reverted.remove(&before) {
            self.put_back(&held);
            self.held.insert(made, held);
            return;
        }
        let held = self.held.remove(&before).unwrap_or_default();
        let at = self.commits[made].index;
        held.iter().for_each(|edit| self.edits[*edit].taken_back = Some((at, 0)));
        self.reverted.insert(made, held);
    }

    fn back(
        &mut self,
        timeline: &Timeline<'_>,
        done: &Done<'_>,
        place: (usize, usize),
        back: &Back,
    ) {
        let is_here = || timeline.place(done, "x").as_deref() == Some("x");
        let added = self.added_at;
        let is_added = |edit: &Edit| added.is_some_and(|at| edit.index < at);
        match back {
            Back::Paths(paths) => {
                let paths: Vec<_> =
                    paths.iter().filter_map(|path| timeline.place(done, path)).collect();
                let is_in = |path: &str, folder: &str| {
                    let rest = path.strip_prefix(folder.trim_end_matches('/'));
                    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
                };
                let named = |edit: &Edit| paths.iter().any(|path| is_in(&edit.path, path));
                self.take(place, |edit| named(edit) && !edit.is_new && !is_added(edit));
            }
            Back::All if is_here() => {
                self.take(place, |edit| !is_outside(&edit.path) && !edit.is_new && !is_added(edit));
            }
            Back::Hard(commits) if is_here() => {
                self.reset(*commits);
                self.take(place, |edit| {
                    !is_outside(&edit.path) && (!edit.is_new || is_added(edit))
                });
            }
            Back::Commits(commits) if is_here() => self.reset(*commits),
            _ => {}
        }
    }

    /// Takes back commits; what they hold is not committed any more.
    fn reset(&mut self, commits: usize) {
        for _ in 0..commits {
            let Some((made, edits)) = self.top.pop() else { return };
            made.iter().for_each(|at| drop(self.lost.insert(*at, edits.clone())));
            self.gone.extend(made);
            // What was committed is known to git.
            edits.iter().for_each(|at| self.edits[*at].is_new = false);
            self.live.splice(0..0, edits);
        }
    }

    fn put_aside(&mut self, done: &Done<'_>, line: &str) {
        let takes_new = ["-u", "--include-untracked", "-a", "--all"];
        let takes_new = line.split_whitespace().any(|word| takes_new.contains(&word));
        // Of one that names files nobody knows here what it took.
        if !line.contains(" -- ") {
            let is_put = |edit: &Edit| !is_outside(&edit.path) && (takes_new || !edit.is_new);
            self.take((done.index, 0), is_put);
        }
    }

    /// Notes that edits of earlier calls that are not committed were taken back.
    fn take(&mut self, place: (usize, usize), is_it: impl Fn(&Edit) -> bool) {
        let edits = &mut *self.edits;
        self.live.retain(|at| {
            let edit = &mut edits[*at];
            let goes = edit.index < place.0 && edit.taken_back.is_none() && is_it(edit);
            if goes {
                edit.taken_back = Some(place);
            }
            !goes
        });
    }
}

/// Returns where a line goes to another commit than the last, or keeps the last under another name.
fn moves(line: &str) -> Option<usize> {
    let goes = |(at, form): (usize, &str)| {
        let named = line[at + form.len()..].split_whitespace().next().unwrap_or_default();
        let names_files = named.starts_with("--") || named == "." || is_file(named);
        (!names_files).then_some(at)
    };
    let checkouts = line.match_indices("git checkout ").filter_map(goes);
    checkouts.chain(MOVING.iter().filter_map(|form| line.find(form))).min()
}

impl Edit {
    /// Whether it was made after the call `index`, and stands.
    pub(super) fn stands_after(&self, index: usize) -> bool {
        self.index > index && self.taken_back.is_none()
    }

    /// Whether a run was made on a change that was taken back later.
    pub(super) fn is_gone_since(&self, run: &Run) -> bool {
        let place = (run.over, if run.began == run.over { run.at } else { 0 });
        self.index <= run.over && self.taken_back.is_some_and(|back| back > place)
    }
}

/// Whether the line of a run takes back the last change before it: that was planned before anybody knew how it ended.
fn is_trial(run: &Run, edits: &[Edit]) -> bool {
    let is_code =
        |edit: &&Edit| edit.index < run.began && !is_outside(&edit.path) && !is_prose(&edit.path);
    let last = edits.iter().rfind(is_code);
    let taken_back = last.and_then(|edit| edit.taken_back.map(|(at, _)| (edit, at)));
    taken_back.is_some_and(|(edit, at)| at == run.began && edit.is_gone_since(run))
}

/// Whether all that was changed since the same run passed was taken back after it failed, so that it says nothing
/// of what is there now. Where it is not known that it passed without the changes, it may still fail.
pub(super) fn is_of_gone(run: &Run, runs: &[Run], edits: &[Edit]) -> bool {
    if run.ended != Ended::Failed {
        return false;
    }
    // Where the line takes it back itself it was tried out, and the same with other options shows how it was before.
    let is_trial = LazyCell::new(|| is_trial(run, edits));
    let is_same = |one: &Run| {
        let is_alike = || *is_trial && key(&one.command) == key(&run.command);
        one.command == run.command || is_alike()
    };
    let before = || runs.iter().filter(|one| one.over < run.began && is_same(one)).rev();
    // What the user said in between may be that it fails.
    let passed = before().find(|one| one.ended == Ended::Passed && one.turn == run.turn);
    let Some(from) = passed.map(|one| one.over) else { return false };
    let counts = |edit: &&Edit| {
        edit.index > from
            && edit.index <= run.over
            && !is_outside(&edit.path)
            && !is_prose(&edit.path)
            && edit.taken_back.is_none_or(|back| back.0 >= run.began)
    };
    let mut changed = edits.iter().filter(counts).peekable();
    let Some(first) = changed.peek().map(|edit| edit.index) else { return false };
    // Other tests, or the same in other words, may have failed before it was changed.
    let fails = |one: &Run| one.ended == Ended::Failed && one.over > from && one.over < first;
    if runs.iter().any(fails) {
        return false;
    }
    // What was put in again is there.
    let stays = |path: &str| {
        let is_later = |edit: &Edit| edit.index > run.over && edit.taken_back.is_none();
        edits.iter().any(|edit| edit.path == path && is_later(edit))
    };
    changed.all(|edit| edit.is_gone_since(run) && !stays(&edit.path))
}
