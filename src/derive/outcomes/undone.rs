//! Which changes of files were taken back: by git, or by a change that puts back what stood there.

use std::collections::{HashMap, HashSet};

use super::aside::Aside;
use super::checks::Edit;
use super::commits::{Commit, commits_something};
use super::is_prose;
use super::recognise::Ended;
use super::restored::{Back, restored};
use super::run::Run;
use crate::derive::files::is_outside;
use crate::derive::shell;
use crate::derive::timeline::{Done, Timeline};
use crate::model::{Action, Change, Verb};

/// The texts of a change that can be known again when another one puts them back have so many bytes.
const TELLING_BYTES: usize = 8;
/// Commands after which nobody knows which commit is the last.
const MOVING: &[&str] = &["git merge", "git pull", "git rebase", "git switch", "git cherry-pick"];

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
            match before.iter().rposition(undoes) {
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
        let backs = if done.worked() { restored(line) } else { Vec::new() };
        let commits_at = || shell::raw(line).iter().rposition(|(part, _)| commits_something(part));
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
        if MOVING.iter().any(|form| line.contains(form)) {
            self.top.clear();
        }
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

    /// Takes back what the commit holds that another one reverts, by its first line.
    fn revert(&mut self, made: usize) {
        let commit = &self.commits[made];
        let subject = commit.subject.as_deref().and_then(|line| line.strip_prefix("Revert \""));
        let Some(subject) = subject.map(|line| line.trim_end_matches(['"', '…'])) else { return };
        let is_it = |before: &&usize| {
            let of = self.commits[**before].subject.as_deref();
            !subject.is_empty() && of.is_some_and(|of| of.starts_with(subject))
        };
        let reverted = (0..made).rev().find(|before| is_it(&before));
        for at in reverted.and_then(|before| self.held.remove(&before)).unwrap_or_default() {
            self.edits[at].taken_back = Some((commit.index, 0));
        }
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

impl Edit {
    /// Whether a run was made on a change that was taken back later.
    pub(super) fn is_gone_since(&self, run: &Run) -> bool {
        let place = (run.over, if run.began == run.over { run.at } else { 0 });
        self.index <= run.over && self.taken_back.is_some_and(|back| back > place)
    }
}

/// Whether all that was changed when a run failed was taken back since, so that it says nothing of what is
/// there now: the run before it passed, or there was none.
pub(super) fn is_of_gone(run: &Run, runs: &[Run], edits: &[Edit], commits: &[Commit]) -> bool {
    if run.ended != Ended::Failed {
        return false;
    }
    let before =
        || runs.iter().filter(|one| one.over < run.began && one.command == run.command).rev();
    let passed = before().find(|one| one.ended == Ended::Passed).map(|one| one.over);
    let committed = commits.iter().rev().map(|commit| commit.index).find(|at| *at < run.began);
    let from = passed.max(committed);
    let counts = |edit: &&Edit| {
        from.is_none_or(|from| edit.index > from)
            && edit.index <= run.over
            && !is_outside(&edit.path)
            && !is_prose(&edit.path)
            && edit.taken_back.is_none_or(|back| back.0 >= run.began)
    };
    let mut changed = edits.iter().filter(counts).peekable();
    let Some(first) = changed.peek().map(|edit| edit.index) else { return false };
    let failed_before = before()
        .take_while(|one| one.ended != Ended::Passed)
        .any(|one| one.ended == Ended::Failed && one.over < first);
    !failed_before && changed.all(|edit| edit.is_gone_since(run))
}
