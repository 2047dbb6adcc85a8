//! What runs of tests, builds and checks showed: how they ended last, errors and what mended them,
//! dead ends, and what they tell of the machine.

mod absent;
mod acts;
mod answers;
mod aside;
mod asked;
mod at_hand;
mod away;
mod beside;
mod boxes;
mod builds;
mod chains;
mod checks;
mod codes;
mod comments;
mod commits;
mod common;
mod echoed;
mod elsewhere;
mod environment;
mod failing;
mod fallen;
mod filters;
mod flaky;
mod formatters;
mod gap;
mod git;
mod labels;
mod limits;
mod lines;
mod lookups;
mod loose;
mod matter;
mod mending;
mod merged;
mod moved;
mod movers;
mod names;
mod needed;
mod nothing;
mod numbers;
mod of_work;
mod open;
mod pages;
mod printed;
mod reach;
mod recognise;
mod remote;
mod restored;
mod retaken;
mod rows;
mod run;
mod runners;
mod runs;
mod shifts;
mod signature;
mod silent;
mod since;
mod sounds;
mod stops;
mod tags;
mod taken;
mod telling;
#[cfg(test)]
mod tests;
mod tree;
mod trials;
mod undone;
mod unseen;
mod verifiers;

pub(super) use absent::not_found;
pub(super) use acts::{has_verb, says_failed, was_misused, was_misused_last};
pub(super) use answers::answered_no;
pub(super) use boxes::{CONTAINERS, MACHINES};
pub(super) use checks::{Check, since_told};
pub(super) use commits::{Commit, commits_something, tells_of_commit};
pub(super) use echoed::without_headings;
pub(super) use elsewhere::{
    COMPLETED, has_all_pass, is_of_ours, pushes_anything, pushes_own, refusal, repository_of,
    runs_elsewhere, saw_all_pass, sends_nothing, sends_only_tags, tells_of_push,
    went_out_all_the_same,
};
pub(super) use formatters::is_about_form;
pub(super) use git::{
    changes_tree, from_verb, is_push, looks as git_looks, pushes, shows as git_shows, told_folder,
};
pub(super) use lines::Shown;
pub(super) use lookups::{asks_manager, only_asks, sends, sends_fields, was_found_otherwise};
pub(super) use numbers::number_of;
pub(super) use pages::{is_making_tool, made_by_line, made_by_tool, raise_quoted};
pub(super) use recognise::Ended;
pub(super) use remote::bare_log;
pub(super) use run::Run;
pub(super) use since::{Since, Uncommitted};
pub(super) use sounds::{checks_alone, is_no_check};
pub(super) use stops::Stop;
pub(super) use telling::only_tells;
pub(super) use trials::put_back;
pub(super) use unseen::failed_unseen;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};

use super::fact::Fact;
use super::files::{is_outside, wrote_over};
use super::timeline::{Done, Ending, Timeline};
use super::written::{Changed, changed};
use super::{copied, place};
use crate::model::Action;
use aside::Aside;
use beside::Beside;
use checks::Edit;
use elsewhere::Green;
use lines::Late;
use loose::Loose;
use stops::Stops;

/// Whether a command names a program that runs tests.
pub(super) fn names_test_program(command: &str) -> bool {
    recognise::names_tests(&recognise::named(command))
}

/// Whether an error lies in the network or on another machine, where no change of a file mends it.
pub(super) fn lies_outside(error: &str) -> bool {
    signature::is_outside(error)
}

/// Returns the line that a command runs in a box, such as another shell.
pub(super) fn in_box(part: &str) -> Option<String> {
    boxes::inner(part).map(|inner| inner.line)
}

/// Whether a command tests, builds or checks by a program that is known, and does not run what it builds.
pub(super) fn checks_something(command: &str) -> bool {
    checks_alone(command) && !is_no_check(command) && !silent::runs_program(command)
}

/// All that was run, and what came of it.
pub(super) struct Outcomes {
    /// Every run of a command that matters, in order.
    pub runs: Vec<Run>,
    /// Variables without which commands did not work.
    needed: BTreeSet<String>,
    /// How commands went on that were waited for, by the numbers of their calls.
    late: HashMap<usize, Late>,
    /// How each check stands at the end, the one that ran last first.
    pub checks: Vec<Check>,
    /// Commits of the session, in order.
    pub commits: Vec<Commit>,
    /// The last call that shows that nothing was left to commit.
    settled: Option<usize>,
    /// The last call that moved the working tree to another commit.
    moved: Option<usize>,
    /// The number of the last call that merged a pull request.
    merged: Option<usize>,
    /// What else may not be committed.
    loose: Loose,
    /// What was pushed and passed all checks elsewhere.
    green: Option<Green>,
    /// What git stopped in the middle of.
    pub stops: Stops,
    /// When the changes were put aside.
    pub aside: Aside,
    /// Where the newest work lies, if that is not the session's folder.
    beside: Option<Beside>,
    /// Changes of files of the project, in order.
    edits: Vec<Edit>,
    /// These, and then what else makes what was checked before out of date.
    changes: Vec<Edit>,
    /// The calls of runs that failed by changes which were taken back since.
    of_gone: HashSet<String>,
    /// The calls of which it was last told that they still ran, each with that by which it was told.
    still_out: HashMap<usize, usize>,
    /// Those that ran on though they had told of all their tests.
    told_all: HashSet<usize>,
    /// Those that ran on and of which a later call showed the end.
    shown_ends: HashMap<usize, (Shown, usize)>,
    /// How those ended that came back before what they began had.
    ends: Vec<Ending>,
}

/// Files of a repository that hold words, whatever stands behind their names.
const PROSE: &[&str] = &["AUTHORS", "CODEOWNERS", "COPYING", "LICENCE", "LICENSE", "NOTICE"];
/// Files that only tell other programs what to look past, or who wrote what.
const ASIDE: &[&str] = &[".gitattributes", ".gitignore", ".mailmap"];

/// Whether a file holds words, of which nothing can be tested or built.
pub(super) fn is_prose(path: &str) -> bool {
    let name = place::name(path);
    let start = name.split(['.', '-']).next().unwrap_or(name);
    [".md", ".txt", ".rst", ".adoc"].iter().any(|end| name.ends_with(end))
        || PROSE.contains(&start)
        || ASIDE.contains(&name)
}

impl Outcomes {
    /// Finds all of it.
    pub(super) fn new(timeline: &Timeline<'_>) -> Self {
        let mut edits = edits(timeline);
        let aside = Aside::new(timeline, &edits);
        let lines = lines::lines(timeline);
        let mut runs = runs::runs(timeline, &lines, &aside);
        run::name_places(&mut runs);
        run::tell_skipped(&mut runs);
        let needed = needed::note(timeline, &mut runs, &edits);
        let late = lines::late(&lines);
        let (still_out, told_all) = (lines::still_out(&lines), lines::told_all(&lines));
        let shown_ends = lines::shown_ends(timeline, &lines);
        let ends = lines::ends(timeline, &lines, &shown_ends);
        let mut commits = commits::commits(timeline, &late);
        undone::take_back(timeline, &mut edits, &mut commits, &aside);
        let of_gone = |run: &&Run| undone::is_of_gone(run, &runs, &edits);
        let of_gone: HashSet<_> = runs.iter().filter(of_gone).map(|run| run.item.clone()).collect();
        let mut changes = edits.clone();
        changes.extend(shifts::shifts(timeline, &edits, &aside));
        let mut checks = checks::checks(&runs, &changes);
        checks.retain(|check| {
            let is_gone = check.fails() && of_gone.contains(&check.run.item);
            !is_gone && !commits::settle(check, &runs, &commits)
        });
        let green = elsewhere::pushed_and_passed(timeline, &edits, &commits);
        if let Some(green) = &green {
            let before = checks.iter_mut().filter(|check| check.run.over < green.pushed);
            before.for_each(|check| check.pass_elsewhere(green.listing, &changes));
        }
        let (settled, moved) = (tree::settled(timeline), tree::moved(timeline));
        let merged = tree::merged(timeline);
        let loose = Loose::new(timeline, &commits);
        taken::mark_left_out(timeline, &mut edits, &commits, loose.listings());
        let stops = Stops::new(timeline);
        let beside = beside::beside(timeline, &edits);
        Self {
            runs,
            needed,
            late,
            checks,
            commits,
            settled,
            moved,
            merged,
            loose,
            stops,
            green,
            aside,
            beside,
            edits,
            changes,
            of_gone,
            still_out,
            told_all,
            shown_ends,
            ends,
        }
    }

    /// Whether what failed in the call `item` passed later by another program, on the same files.
    pub(super) fn got_round(&self, item: &str) -> bool {
        let Some(at) = self.runs.iter().position(|run| run.item == item) else { return false };
        let failed = &self.runs[at];
        let passes =
            |later: &Run| failed.is_settled_by(later) && reach::names_the_same(later, failed);
        self.runs[at + 1..].iter().any(passes)
    }

    /// Returns the number of the call that waited last for the command line of a call, if it was told that this
    /// still ran.
    pub(super) fn still_out(&self, index: usize) -> Option<usize> {
        self.still_out.get(&index).copied()
    }

    /// Returns what the command line of a call printed, also after that had come back, what of it was seen last, and how
    /// it ended.
    pub(super) fn came_of<'o>(
        &'o self,
        timeline: &Timeline<'o>,
        done: &Done<'o>,
    ) -> (Cow<'o, str>, Cow<'o, str>, Ended) {
        let late = self.late.get(&done.index);
        let last = late.and_then(|late| late.last_of(timeline)).unwrap_or_else(|| done.output());
        (Late::output_of(done, late), last, Late::ended(done, late))
    }

    /// Returns what the command line of a call printed, also after that had come back, where a call showed the last of it
    /// that only waits for it.
    pub(super) fn printed_later(&self, timeline: &Timeline<'_>, done: &Done<'_>) -> Option<&str> {
        let late = self.late.get(&done.index)?;
        late.is_only_waited_for(timeline).then_some(late.output.as_str())
    }

    /// Whether the command of a call told of all the tests that it had planned, though it ran on, or is known to have
    /// ended: what was seen before somebody was told that it still runs may be of a part of it.
    pub(super) fn is_through(&self, index: usize) -> bool {
        let from = self.still_out(index).unwrap_or(index);
        let has_ended =
            |run: &Run| run.began == index && run.over > from && run.ended != Ended::Unknown;
        self.told_all.contains(&index) || self.runs.iter().any(has_ended)
    }

    /// Tells how the command line of a call ended, where a later one showed its end, and the number of that.
    pub(super) fn shown_end(&self, index: usize) -> Option<&(Shown, usize)> {
        self.shown_ends.get(&index)
    }

    /// Whether files of the project were changed that are not mere words.
    pub(super) fn changed(&self) -> bool {
        let is_code = |edit: &Edit| !is_outside(&edit.path) && !is_prose(&edit.path);
        self.there().any(is_code)
    }

    /// Returns what the environment of a run refused, by the item of the call, where that made it fail.
    pub(super) fn refused(&self, item: &str) -> Option<&str> {
        self.runs.iter().filter(|run| run.item == item).find_map(Run::refused)
    }

    /// Tells it as facts, each kind newest first.
    pub(super) fn facts(&self, timeline: &Timeline<'_>) -> Vec<Fact> {
        let mut seen = HashSet::new();
        // What ran on files of others, to compare, is no check of the work. The same command in another folder is
        // another check.
        let checks = self.checks.iter().filter(|check| !self.looks_at_others(&check.run));
        let mut facts: Vec<_> = checks
            .map(|check| {
                // What the session changed in the project makes no run elsewhere out of date.
                let edits_since = match self.is_trial(&check.run) {
                    true => self.changed_there_since(&check.run),
                    false => check.edits_since,
                };
                let check = Check { edits_since, ..check.clone() };
                check.fact(!seen.insert(check.run.told()))
            })
            .collect();
        let elsewhere = remote::failed(timeline);
        let mut runs: Vec<&Run> = self.runs.iter().chain(&elsewhere).collect();
        runs.sort_by_key(|run| run.began);
        facts.extend(chains::chains(timeline, &runs, &self.edits, &self.aside));
        facts.extend(acts::mended(timeline, &self.edits));
        let beside = self.beside.as_ref();
        facts.extend(environment::environment(timeline, &self.edits, &self.late, beside));
        facts
    }

    /// Takes out of the changes the files that came and went.
    pub(super) fn forget(&mut self, passed: &HashSet<&str>) {
        self.edits.retain(|edit| !passed.contains(edit.path.as_str()));
        self.changes.retain(|edit| !passed.contains(edit.path.as_str()));
    }

    /// Returns the files of the project that were changed after the call `index`, each once, in
    /// order.
    pub(super) fn edited_after(&self, index: usize) -> Vec<&str> {
        let mut seen = HashSet::new();
        let paths = self.inside_after(index).map(|edit| edit.path.as_str());
        paths.filter(|path| seen.insert(*path)).collect()
    }

    /// Whether all that was run up to a call passed elsewhere later.
    pub(super) fn passed_elsewhere(&self, index: usize) -> bool {
        self.green.as_ref().is_some_and(|green| index < green.pushed)
    }

    /// Whether the work was committed after the call `index`, and pushed.
    pub(super) fn was_pushed_after(&self, timeline: &Timeline<'_>, index: usize) -> bool {
        elsewhere::was_pushed_after(timeline, &self.commits, index)
    }

    /// Whether the command of a run ran again after it, and nobody saw how that ended.
    pub(super) fn ran_again(&self, run: &Run) -> bool {
        run.ran_again(self.runs.iter())
    }

    /// How a command ended last, as far as that was seen.
    pub(super) fn ended(&self, command: &str) -> Ended {
        let is_it = |run: &Run| run.is_called(command);
        let is_gone = |run: &Run| run.ended == Ended::Failed && self.was_of_gone(&run.item);
        let last = self.runs.iter().rev().find(|run| is_it(run) && !is_gone(run));
        match self.checks.iter().any(|check| check.fails() && is_it(&check.run)) {
            true => Ended::Failed,
            false => last.map_or(Ended::Unknown, |run| run.ended),
        }
    }

    /// Returns the last run of this work of something that sounds like a check, and the one that set in order
    /// what it had found, if one did.
    pub(super) fn last_tried(&self) -> Option<(Check, Option<&Run>)> {
        let counts = |run: &&Run| {
            let is_gone = run.ended == Ended::Failed && self.was_of_gone(&run.item);
            run.is_check && self.is_of_project(run) && !is_gone
        };
        let run = self.runs.iter().rev().find(counts)?;
        Some((Check::of_run(run, &self.changes), checks::set_in_order(run, &self.runs)))
    }

    /// Returns the numbers of the calls from `index` on that changed files.
    pub(super) fn edits_from(&self, index: usize) -> impl Iterator<Item = usize> + '_ {
        self.edits.iter().map(|edit| edit.index).filter(move |at| *at >= index)
    }

    /// Returns the numbers of the calls that changed them.
    pub(super) fn edits_after(&self, index: usize) -> impl Iterator<Item = usize> + '_ {
        self.inside_after(index).map(|edit| edit.index)
    }

    /// Returns the changes that were not taken back.
    fn there(&self) -> impl Iterator<Item = &Edit> {
        self.edits.iter().filter(|edit| edit.taken_back.is_none())
    }

    /// Whether a call failed by changes that were taken back since.
    pub(super) fn was_of_gone(&self, item: &str) -> bool {
        self.of_gone.contains(item)
    }

    fn inside_after(&self, index: usize) -> impl Iterator<Item = &Edit> {
        self.there().filter(move |edit| edit.index > index && is_kept(&edit.path))
    }
}

/// Hidden folders that are part of a project; most others are those of tools.
const HIDDEN: &[&str] = &[
    ".cargo/",
    ".changeset/",
    ".circleci/",
    ".devcontainer/",
    ".github/",
    ".gitlab/",
    ".husky/",
    ".storybook/",
];

/// Whether a file is one that a repository mostly keeps.
fn is_kept(path: &str) -> bool {
    let is_hidden = match path.strip_prefix('.') {
        Some(rest) if rest.contains('/') => !HIDDEN.iter().any(|folder| path.starts_with(folder)),
        Some(rest) => rest.starts_with("env"),
        None => false,
    };
    !is_hidden && !is_outside(path)
}

/// Whether a word of a command line names a file of the project.
fn is_same_file(word: &str, path: &str) -> bool {
    let word = word.trim_start_matches("./");
    path == word || word.ends_with(&format!("/{path}")) || path.ends_with(&format!("/{word}"))
}

/// Finds the changes of files that were made.
fn edits(timeline: &Timeline<'_>) -> Vec<Edit> {
    let mut known: HashSet<String> = HashSet::new();
    let mut made: HashSet<String> = HashSet::new();
    let mut found = Vec::new();
    for done in timeline.done() {
        if let Some(Action::Read { path, .. }) = done.call.action.as_deref() {
            known.insert(timeline.path(path));
        }
        let passing = put_back(timeline, &done);
        for Changed { path, by_shell, anew, is_brought } in changed(timeline, &done) {
            if passing.contains(&path) {
                continue;
            }
            let is_first = known.insert(path.clone());
            // What is fetched or kept elsewhere, to look at it, changes nothing of the work.
            let is_among = || known.iter().any(|one| *one != path && copied::is_beside(&path, one));
            if is_brought && is_first && !is_among() {
                continue;
            }
            if is_first && anew && !wrote_over(&done.output()) {
                made.insert(path.clone());
            }
            let is_new = made.contains(&path);
            let index = done.index;
            found.push(Edit {
                index,
                path,
                by_shell,
                is_new,
                taken_back: None,
                is_left_out: false,
            });
        }
        if done.command().is_some_and(commits_something) {
            made.clear();
        }
    }
    found
}
