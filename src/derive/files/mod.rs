//! Files that the session touched, and the names in them that it worked on.

mod defined;
mod far;
mod gone;
mod named;
mod packed;
mod read;
mod seen;
mod taken;
mod touched;

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Serialize;

use super::paths::{ends, is_file};
use super::reality::Mark;
use super::timeline::{Done, Timeline};
use super::{hunks, ids};
use crate::model::{Action, Change, ToolKind, Verb};

pub(super) use gone::left_at;
use named::Named;
use read::read;
use seen::{list, mention};
use touched::{Touched, is_aside, take_away};
pub(super) use touched::{is_here, is_of_program, is_outside, is_temporary};

/// A file of the session.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FileFact {
    /// `P-` and eight hexadecimal digits.
    pub id: String,
    /// From the session's folder; absolute if it lies outside.
    pub path: String,
    /// `created`, `edited`, `deleted`, `moved`, `read`, `named` or `listed`, by the strongest thing done.
    pub state: &'static str,
    /// How often it was changed.
    pub edits: usize,
    /// Whether other agents made all of these changes.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub by_agents: bool,
    /// How often it was read or named.
    pub looks: usize,
    /// Lines that came, as far as the calls tell.
    pub added_lines: usize,
    /// Lines that went.
    pub removed_lines: usize,
    /// The turn in which it was touched last.
    pub turn: u32,
    /// The turn in which it was changed last; nothing if it was only read.
    #[serde(skip)]
    pub edited_in: Option<u32>,
    /// Names in it that were worked on or read, the likeliest to be needed first.
    pub names: Vec<String>,
    /// The items that it rests on: the last call.
    pub evidence: Vec<String>,
    /// How likely it is needed next; larger is likelier.
    #[serde(skip)]
    pub weight: f64,
    /// Whether the session left it there or last saw it there, by a call that says so.
    #[serde(skip)]
    pub was_there: bool,
    /// Whether a command line that ended well showed it on this machine.
    #[serde(skip)]
    pub was_shown: bool,
    /// Whether it came and went in the session, so that nothing of it is left.
    #[serde(skip)]
    pub is_passed: bool,
    /// What became of it since; nothing if it is as before, or if nobody looked.
    #[serde(skip)]
    pub mark: Option<Mark>,
    /// Those of the names that do not stand in it any more; empty if nobody looked.
    #[serde(skip)]
    pub names_gone: Vec<String>,
}

impl FileFact {
    /// Whether the session did more than see or say its name.
    pub fn was_opened(&self) -> bool {
        !matches!(self.state, "named" | "listed")
    }

    /// Whether the session changed it as part of its work.
    pub fn is_changed(&self) -> bool {
        (self.edits > 0 && !is_outside(&self.path)) || self.is_elsewhere()
    }

    /// Whether it is what a program keeps of its own and the session only read, such as instructions or an
    /// output that was long.
    pub fn is_of_program(&self) -> bool {
        self.edits == 0 && is_of_program(&self.path)
    }

    /// Whether the session changed it though it lies outside of its folder, and not where programs keep what
    /// is theirs or try something out.
    pub fn is_elsewhere(&self) -> bool {
        self.edits > 0 && is_outside(&self.path) && !is_aside(&self.path)
    }
}

/// Whether something is a file that matters to the work, as far as its path and what was done to it tell.
fn is_of_work(path: &str, file: &Touched) -> bool {
    (file.was_known() || !is_address(path) && !is_made(path)) && (file.edits > 0 || !is_skill(path))
}

/// Folders that programs fill, and nobody works in.
const MADE: &[&str] = &[".git", "__pycache__", "node_modules", "site-packages"];

/// Whether a path of which no more is known leads to what programs put there, and not to somebody's work.
fn is_made(path: &str) -> bool {
    path.starts_with("/usr/") || path.split('/').any(|folder| MADE.contains(&folder))
}

/// Whether a path leads to what a program keeps to tell agents how to work: the next one is given it again.
fn is_skill(path: &str) -> bool {
    is_of_program(path) && path.split(['/', '\\']).any(|folder| folder == "skills")
}

/// Whether a path of which no more is known is rather the end of an address on a server, such as `/page.txt`
/// or `/.well-known/page.json`: hardly anybody keeps files of a project at the root of a machine.
fn is_address(path: &str) -> bool {
    path.strip_prefix('/').is_some_and(|rest| !rest.contains('/') || rest.starts_with("."))
}

/// How much less a touch counts for each call after it.
const FADE: f64 = 0.97;
/// How much less a file outside of the session's folder counts, unless the session worked there: most are
/// scratch or settings.
const OUTSIDE: f64 = 0.4;
/// How many calls back an output still says something of what comes next: what is older weighs
/// less than a hundredth.
const OUTPUTS_BACK: usize = 150;
/// How many names of a file a pack mostly shows.
const SHOWN_NAMES: usize = 14;
/// How many names are kept a file.
const MOST_NAMES: usize = 40;
/// How much a name counts that is used in what was read, beside one that is defined there, and how
/// many uses count.
const USED: f64 = 0.1;
const USES: f64 = 4.0;

/// Finds the files, the likeliest to be needed next first; `taken_back` are those of which no change is left after
/// a call, by its number, and whether the session made them.
pub(super) fn files(
    timeline: &Timeline<'_>,
    taken_back: &HashMap<usize, Vec<(&str, bool)>>,
) -> Vec<FileFact> {
    let calls: Vec<_> = timeline.done().collect();
    let mut found: BTreeMap<String, Touched> = BTreeMap::new();
    for done in &calls {
        let age = calls.len() - done.index;
        let fresh = FADE.powi(i32::try_from(age).unwrap_or(i32::MAX));
        touch(&mut found, timeline, done, fresh, age <= OUTPUTS_BACK);
        for (path, is_new) in taken_back.get(&done.index).into_iter().flatten() {
            found.entry((*path).to_owned()).and_modify(|file| file.restore(*is_new));
        }
    }
    mention(&mut found, timeline, &calls);
    let ends = gone::ends(timeline, &calls, &found);
    ends.into_iter().for_each(|end| take_away(&mut found, end));
    join(&mut found);
    found.retain(|path, file| is_of_work(path, file));
    let mut list: Vec<_> = found.into_iter().map(|(path, touched)| fact(path, touched)).collect();
    list.sort_by(|a, b| b.weight.total_cmp(&a.weight).then_with(|| a.path.cmp(&b.path)));
    told_once(&mut list);
    list
}

/// Puts names that a likelier file shows behind those that are new, so that lists of names differ.
fn told_once(files: &mut [FileFact]) {
    let mut told: HashSet<String> = HashSet::new();
    for file in files {
        let (again, mut names): (Vec<_>, Vec<_>) =
            file.names.drain(..).partition(|name| told.contains(name));
        told.extend(names.iter().take(SHOWN_NAMES).cloned());
        names.extend(again);
        file.names = names;
    }
}

/// Puts what only names the end of a path to the file that has it, and what has the letter of an escaped
/// end of a line before it, or the mark by which a file is pointed at.
fn join(found: &mut BTreeMap<String, Touched>) {
    // A name alone is no sign: `test.py` and `est.py` may both be there.
    fn bare(path: &str) -> Option<&str> {
        path.strip_prefix(['n', 'r', 't', '@']).filter(|bare| bare.contains('/'))
    }
    let is_escaped = |(path, touched): &(&String, &Touched)| {
        !touched.was_known() && bare(path).is_some_and(|bare| found.contains_key(bare))
    };
    let escaped: Vec<String> =
        found.iter().filter(is_escaped).map(|(path, _)| path.clone()).collect();
    for path in escaped {
        found.remove(&path);
    }
    let all: Vec<_> = found
        .iter()
        .map(|(path, touched)| (path.as_str(), touched.weight, touched.was_known()))
        .collect();
    for (short, long) in ends(&all) {
        let Some(gone) = found.remove(&short) else { continue };
        if let Some(kept) = found.get_mut(&long) {
            kept.weight += gone.weight;
            kept.looks += gone.looks;
        }
    }
}

fn touch(
    found: &mut BTreeMap<String, Touched>,
    timeline: &Timeline<'_>,
    done: &Done<'_>,
    fresh: f64,
    is_recent: bool,
) {
    if done.worked() {
        write(found, timeline, done, fresh);
    }
    let mut look = |path: &str, worth: f64| {
        let entry = found.entry(timeline.path(path)).or_default();
        entry.looks += 1;
        entry.seen(done, fresh * worth);
        entry.state = entry.state.filter(|state| *state != "listed").or(Some("named"));
    };
    match done.call.action.as_deref() {
        Some(Action::Edit { changes }) if done.worked() => {
            changes.iter().for_each(|change| edit(found, timeline, done, change, fresh));
        }
        Some(Action::Edit { changes }) => changes.iter().for_each(|change| look(&change.path, 1.0)),
        Some(Action::Read { path, .. }) => {
            look(path, 1.5);
            read(found, &timeline.path(path), done, fresh, is_recent);
            if let Some(entry) = found.get_mut(&timeline.path(path)) {
                entry.was_there |= !done.failed();
            }
        }
        Some(Action::Shell { command, .. }) => {
            let named = Named::new(timeline, done, command);
            let is_look = timeline.parts(done).is_empty();
            let is_missing = |path: &String| {
                is_look && !named.shown.contains(path) && seen::is_missing(done, path)
            };
            let is_there = |path: &&String| !is_missing(path);
            named.all().filter(is_there).for_each(|path| look(path, 1.0));
            if done.worked() {
                named.shown.iter().for_each(|path| opened(found, path, named.here.contains(path)));
            }
            if let Some(only) = &named.only {
                read(found, &timeline.path(only), done, fresh, is_recent);
            }
        }
        Some(Action::Search { path: Some(path), .. }) if is_file(path) => look(path, 0.7),
        _ => {}
    }
    if is_recent && matches!(done.call.kind, ToolKind::Shell | ToolKind::Search | ToolKind::Other) {
        list(found, timeline, done, fresh);
    }
}

/// Counts the files that a command line wrote.
fn write(
    found: &mut BTreeMap<String, Touched>,
    timeline: &Timeline<'_>,
    done: &Done<'_>,
    fresh: f64,
) {
    for one in timeline.written(done) {
        let entry = found.entry(one.path.clone()).or_default();
        entry.edited(done, fresh * 2.0);
        entry.was_there = true;
        let is_new = matches!(entry.state, None | Some("named" | "deleted"));
        let is_new = is_new && one.anew || entry.state == Some("created");
        entry.state = Some(if is_new { "created" } else { "edited" });
        if let Some(text) = &one.text {
            entry.added += text.lines().count();
            entry.name(text, 2.0 * fresh);
        }
    }
}

/// Notes that more is known of a file than its name, and whether it was shown on this machine.
fn opened(found: &mut BTreeMap<String, Touched>, path: &str, is_here: bool) {
    if let Some(entry) = found.get_mut(path) {
        entry.was_shown |= is_here;
        entry.open();
    }
}

/// Whether a call took away or moved a file of the project.
pub(super) fn takes_away(timeline: &Timeline<'_>, done: &Done<'_>) -> bool {
    !taken_from(timeline, done, taken::taken).is_empty()
}

/// Returns the files and folders of the project that a call had git take away or move.
pub(super) fn taken_by_git(timeline: &Timeline<'_>, done: &Done<'_>) -> Vec<String> {
    taken_from(timeline, done, taken::taken_by_git)
}

fn taken_from(
    timeline: &Timeline<'_>,
    done: &Done<'_>,
    taken: fn(&str, &str) -> Vec<taken::Gone>,
) -> Vec<String> {
    let gone = done.command().filter(|_| done.worked());
    let gone = gone.map(|line| taken(line, &done.output())).unwrap_or_default();
    let paths = gone.iter().filter_map(|gone| timeline.place(done, gone.from()));
    paths.filter(|path| !is_outside(path)).collect()
}

/// Whether a tool says that the file that it wrote was there before.
pub(super) fn wrote_over(output: &str) -> bool {
    let first = output.lines().next().unwrap_or_default();
    ["has been updated", "has been overwritten", "overwrote"]
        .iter()
        .any(|word| first.contains(word))
}

fn edit(
    found: &mut BTreeMap<String, Touched>,
    timeline: &Timeline<'_>,
    done: &Done<'_>,
    change: &Change,
    fresh: f64,
) {
    let entry = found.entry(timeline.path(&change.path)).or_default();
    entry.edited(done, fresh * 3.0);
    let (added, removed) = hunks::counts(change);
    entry.added += added;
    entry.removed += removed;
    let state = match (&change.verb, entry.state) {
        (Verb::Delete, _) => "deleted",
        (Verb::Move(_), _) => "moved",
        (Verb::Write, before) if before != Some("created") && wrote_over(&done.output()) => {
            "edited"
        }
        (Verb::Write, None | Some("listed" | "named" | "deleted")) | (_, Some("created")) => {
            "created"
        }
        _ => "edited",
    };
    entry.state = Some(state);
    entry.was_there = !matches!(change.verb, Verb::Delete | Verb::Move(_));
    entry.name(&change.removed, 2.0 * fresh);
    entry.name(&change.added, 2.0 * fresh);
    if let Verb::Move(to) = &change.verb {
        let entry = found.entry(timeline.path(to)).or_default();
        entry.seen(done, fresh * 3.0);
        entry.was_there = true;
    }
}

fn fact(path: String, touched: Touched) -> FileFact {
    let mut names: Vec<_> = touched.names.into_iter().collect();
    names.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    names.truncate(MOST_NAMES);
    let is_beside = is_outside(&path) && (touched.edits == 0 || is_aside(&path));
    FileFact {
        id: ids::exact('P', &path),
        path,
        state: touched.state.unwrap_or("named"),
        edits: touched.edits,
        by_agents: touched.edits > 0 && touched.edits == touched.by_agents,
        looks: touched.looks,
        added_lines: touched.added,
        removed_lines: touched.removed,
        turn: touched.turn,
        edited_in: touched.edited_in,
        names: names.into_iter().map(|(name, _)| name).collect(),
        evidence: vec![touched.evidence],
        weight: touched.weight * if is_beside { OUTSIDE } else { 1.0 },
        was_there: touched.was_there,
        was_shown: touched.was_shown,
        is_passed: touched.is_passed,
        mark: None,
        names_gone: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_likelier_files_come_later_again() {
        let file = |names: &[&str]| {
            let touched = Touched::default();
            let names = names.iter().map(|name| (*name).to_owned()).collect();
            FileFact { names, ..fact(String::new(), touched) }
        };
        let mut files = [file(&["read_all", "to_string"]), file(&["to_string", "write_all"])];
        told_once(&mut files);
        assert_eq!(files[1].names, ["write_all", "to_string"]);
    }
}
