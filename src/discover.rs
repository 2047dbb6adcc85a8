//! Which session is meant: the session files of each harness, and the choice among them.
//!
//! Reads files, but asks nothing else of the world: where the user stands and what the
//! environment says comes in as [`World`].

mod asking;
mod byproduct;
mod choose;
mod copies;
mod filed;
mod glance;
mod going_on;
mod hint;
mod kin;
pub mod memories;
mod places;
mod project;
mod trees;
mod walk;

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};

use camino::{Utf8Path, Utf8PathBuf};

use crate::error::{Error, Result};
use crate::harness::{self, Harness, Shelf};
use crate::jsonl::Input;
use crate::model::Header;
use walk::on_shelf;

pub use byproduct::{in_place_of, to_go_on_with};
pub use choose::{
    Chosen, Ids, Newest, Selector, candidate, choose, id_matches, newest, nothing_to_go_on,
};
pub use copies::{MOST_READ as MOST_COPIES, holders, may_be_one, without_held};
pub use glance::Look;
pub use going_on::{Votes, belonging, going_on};
pub use hint::{Meant, Where, all_meant, hint_words, one_meant, score};
pub use kin::without_copies;
pub use places::{keeper, places};
pub use project::{Project, Wide, linked_work_trees, main_work_tree, project_root, voted};
pub use trees::{near, newer_in_work_tree};

/// How many threads read headers; reading is bound by the memory more than by the processor.
const THREADS: usize = 2;

/// What surrounds a run.
pub struct World<'a> {
    /// The folder whose project is meant; absolute.
    pub cwd: Utf8PathBuf,
    /// Looks up an environment variable.
    pub var: &'a dyn Fn(&str) -> Option<String>,
    /// The session that started this run; it is never the newest one, unless it is meant itself.
    pub caller: Caller,
    /// Whether the user named `cwd` for the project, so that what lies around it does not matter.
    pub is_named: bool,
    /// Who hears how far a look at many files is.
    pub watch: Option<&'a dyn Watch>,
    /// What the clock says; nothing where nobody asked it.
    pub now: Option<jiff::Timestamp>,
}

/// Hears how far a look at many files is.
pub trait Watch: Sync {
    /// Hears how many there are.
    fn of(&self, total: usize);

    /// Hears that one more was looked at.
    fn step(&self);
}

impl World<'_> {
    /// Returns the same with somebody who hears how far a look at many files is.
    pub fn watched<'w>(&'w self, watch: &'w dyn Watch) -> World<'w> {
        let (cwd, caller) = (self.cwd.clone(), self.caller.clone());
        let (is_named, now) = (self.is_named, self.now);
        World { cwd, var: self.var, caller, is_named, watch: Some(watch), now }
    }

    /// Returns the project that is meant.
    pub fn project(&self) -> Project {
        let wide = self.wide();
        match self.is_named {
            true => Project::at(self.cwd.clone(), &wide),
            false => Project::around(&self.cwd, &wide),
        }
    }

    /// Returns the folders that are never a project here.
    pub fn wide(&self) -> Wide {
        Wide::of(self.var)
    }
}

/// The session that started this run, as far as it is known.
#[derive(Clone, Debug, Default)]
pub struct Caller {
    /// Its id, as a hook was told it.
    pub id: Option<String>,
    /// Its file, as a hook was told it.
    pub path: Option<Utf8PathBuf>,
    /// Whether it is what a hook asks about, once something was asked in it.
    pub is_meant: bool,
}

/// A session file on a shelf of its harness.
pub struct Found {
    /// The harness on whose shelf it stands.
    pub harness: &'static dyn Harness,
    /// The file.
    pub path: Utf8PathBuf,
    /// What the file says of itself.
    pub header: Header,
    /// How much of the file that rests on.
    look: Look,
    /// What the clock said when it was looked at.
    now: Option<jiff::Timestamp>,
}

impl Found {
    /// Looks at all of the file, if only its ends were looked at; one that is gone since stays as
    /// it was found.
    pub fn look_at_all(&mut self) {
        if self.look == Look::Whole {
            return;
        }
        let header = self.open().and_then(|input| self.harness.header(&input));
        if let Ok(header) = header {
            self.header = header;
        }
        self.look = Look::Whole;
    }

    /// Tells whether there is something to go on with in it; looks at all of it where its ends do
    /// not show that.
    pub fn is_whole(&mut self) -> bool {
        let is_whole = |header: &Header| header.has_request && header.has_answer;
        if !is_whole(&self.header) {
            self.look_at_all();
        }
        is_whole(&self.header)
    }

    /// Returns the name of the file.
    pub fn name(&self) -> &str {
        self.path.file_name().unwrap_or_default()
    }

    /// Returns when it ended, for comparing; nothing if no time stamp is in it. The last hours of the year
    /// 9999 are later than any time that can be read. Of one that ends in the future the file may say better
    /// when it was written.
    pub fn ended(&self) -> Option<jiff::Timestamp> {
        let ended = self.recorded_end()?;
        let Some(now) = self.now.filter(|now| is_future(ended, *now)) else { return Some(ended) };
        let written = std::fs::metadata(&self.path).and_then(|file| file.modified()).ok();
        let written = written.and_then(|written| jiff::Timestamp::try_from(written).ok());
        Some(written.filter(|written| !is_future(*written, now)).unwrap_or(ended))
    }

    /// Tells whether it says that it ended in the future: a clock was wrong, or a time zone was left out.
    pub fn is_future(&self) -> bool {
        let ended = self.recorded_end();
        ended.zip(self.now).is_some_and(|(ended, now)| is_future(ended, now))
    }

    fn recorded_end(&self) -> Option<jiff::Timestamp> {
        let ended = self.header.ended_at.as_deref()?;
        Some(ended.parse().unwrap_or(jiff::Timestamp::MAX))
    }
}

/// By how much clocks may differ, and no more is thought of it.
const CLOCKS_DIFFER: jiff::SignedDuration = jiff::SignedDuration::from_mins(5);

/// Tells whether a time is later than the clock says.
pub fn is_future(time: jiff::Timestamp, now: jiff::Timestamp) -> bool {
    time.duration_since(now) > CLOCKS_DIFFER
}

/// What a look at the shelves gave.
#[derive(Default)]
pub struct Search {
    /// The sessions, newest first.
    pub found: Vec<Found>,
    /// Other files with the id of one of these.
    pub others: Vec<Found>,
    /// Files and folders that could not be read.
    pub unreadable: Vec<Error>,
    /// Files that hold no item of a session.
    pub empty: Vec<Error>,
    /// The names of all files that were looked at.
    pub names: Vec<String>,
}

impl Search {
    /// Returns how many could not be read; that a link leads to nothing is told where all are listed.
    pub fn lost(&self) -> usize {
        self.unreadable.iter().filter(|error| !error.is_of_nothing()).count()
    }
}

/// A file that can be a session, not yet looked into.
#[derive(Clone)]
pub struct Candidate {
    harness: &'static dyn Harness,
    path: Utf8PathBuf,
}

impl Candidate {
    /// Returns when it was written last.
    fn modified(&self) -> Option<jiff::Timestamp> {
        self.path.metadata().ok()?.modified().ok()?.try_into().ok()
    }

    /// Returns the name of the file.
    pub fn name(&self) -> &str {
        self.path.file_name().unwrap_or_default()
    }
}

/// Returns the sessions of `project`, or of all projects, newest first.
///
/// Side sessions are left out. Of several files with one id the one that ended last counts: a
/// harness that changes its file format leaves the older file behind.
pub fn sessions(
    world: &World<'_>,
    harness: Option<&'static dyn Harness>,
    project: Option<&Project>,
    look: Look,
) -> Search {
    let found = files(world, harness, project);
    let belongs = |found: &Found| project.is_none_or(|project| project.holds(&found.header));
    searched(found, (look, world), belongs)
}

/// Reads the headers of files and keeps the sessions that `wanted` tells, each once.
fn searched(
    (files, unreadable): (Vec<Candidate>, Vec<Error>),
    how: (Look, &World<'_>),
    wanted: impl Fn(&Found) -> bool,
) -> Search {
    let mut search = headers(&files, how);
    search.unreadable.extend(unreadable);
    search.names = files.iter().map(|file| file.name().to_owned()).collect();
    search.found.retain(|found| !found.header.is_side && wanted(found));
    (search.found, search.others) = one_per_id(std::mem::take(&mut search.found));
    search
}

/// Returns every file on the shelves that can be a session, and what could not be looked into.
pub fn files(
    world: &World<'_>,
    harness: Option<&'static dyn Harness>,
    project: Option<&Project>,
) -> (Vec<Candidate>, Vec<Error>) {
    let roots: Option<Vec<_>> = project.map(|project| roots(world, project).collect());
    files_at(world, harness, roots.as_deref())
}

/// Returns the folders in which sessions of a project may have begun: who stands below its root, there.
fn roots<'p>(world: &'p World<'_>, project: &'p Project) -> impl Iterator<Item = &'p Utf8Path> {
    let here = Some(world.cwd.as_path()).filter(|cwd| project.contains(cwd));
    project.roots().chain(here)
}

/// Returns the same for the projects at `roots`.
fn files_at(
    world: &World<'_>,
    harness: Option<&'static dyn Harness>,
    roots: Option<&[&Utf8Path]>,
) -> (Vec<Candidate>, Vec<Error>) {
    let (mut files, mut unreadable) = (Vec::new(), Vec::new());
    for harness in some_or_all(harness) {
        let mut seen = HashSet::new();
        for shelf in shelves(world, harness, roots) {
            for path in on_shelf(&|path| harness.may_be_session(path), &shelf, &mut unreadable) {
                if seen.insert(path.clone()) {
                    files.push(Candidate { harness, path });
                }
            }
        }
        files.retain(|file| !is_packed_twin(&file.path, &seen));
    }
    (files, unreadable)
}

/// Returns the files of side sessions that are called `id` and stand on no shelf.
fn side_files(
    world: &World<'_>,
    harness: Option<&'static dyn Harness>,
    id: &str,
) -> Vec<Candidate> {
    let is_called = |path: &Utf8Path| {
        let name = path.file_name().and_then(|name| name.split('.').next());
        name.is_some_and(|name| name.eq_ignore_ascii_case(id))
    };
    let mut files = Vec::new();
    for harness in some_or_all(harness) {
        let home = harness.home(world.var);
        for shelf in home.iter().flat_map(|home| harness.side_shelves(home)) {
            let paths = on_shelf(&is_called, &shelf, &mut Vec::new());
            files.extend(paths.into_iter().map(|path| Candidate { harness, path }));
        }
    }
    files
}

fn some_or_all(
    harness: Option<&'static dyn Harness>,
) -> impl Iterator<Item = &'static dyn Harness> {
    let wanted = harness.map(Harness::name);
    harness::ALL.iter().copied().filter(move |one| wanted.is_none_or(|name| one.name() == name))
}

fn shelves(
    world: &World<'_>,
    harness: &'static dyn Harness,
    roots: Option<&[&Utf8Path]>,
) -> Vec<Shelf> {
    let Some(home) = harness.home(world.var) else { return Vec::new() };
    let Some(roots) = roots else { return harness.shelves(&home, None) };
    let mut shelves: Vec<Shelf> = Vec::new();
    for shelf in roots.iter().flat_map(|root| harness.shelves(&home, Some(root))) {
        if !shelves.contains(&shelf) {
            shelves.push(shelf);
        }
    }
    shelves
}

/// Tells whether a file is the packed copy of one that stands beside it.
fn is_packed_twin(path: &Utf8Path, all: &HashSet<Utf8PathBuf>) -> bool {
    path.as_str().ends_with(".zst") && all.contains(&path.with_extension(""))
}

/// Reads the headers of `files` on a few threads.
fn headers(files: &[Candidate], (look, world): (Look, &World<'_>)) -> Search {
    let (watch, now) = (world.watch, world.now);
    if let Some(watch) = watch {
        watch.of(files.len());
    }
    let next = AtomicUsize::new(0);
    let work = || {
        let mut search = Search::default();
        while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            search.take(file, (look, now));
            watch.iter().for_each(|watch| watch.step());
        }
        search
    };
    let mut all = Search::default();
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..THREADS.min(files.len())).map(|_| scope.spawn(work)).collect();
        all.add(work());
        for other in others {
            // A reader that panics is a fault of this program; it must not look like no session.
            all.add(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
    });
    filed::find_folders(&mut all.found, world);
    newest_first(&mut all.found);
    all
}

impl Search {
    fn take(&mut self, file: &Candidate, (look, now): (Look, Option<jiff::Timestamp>)) {
        match glance::glance(file.harness, &file.path, look) {
            Ok((header, look)) => {
                let (harness, path) = (file.harness, file.path.clone());
                self.found.push(Found { harness, path, header, look, now });
            }
            Err(error @ Error::NotASession { .. }) => {
                let lost = match Input::file(&file.path) {
                    Ok(input) => harness::packed(&input).or_else(|| harness::destroyed(&input)),
                    Err(error) => Some(error),
                };
                match lost {
                    Some(lost) => self.unreadable.push(lost),
                    None => self.empty.push(error),
                }
            }
            Err(error) => self.unreadable.push(error),
        }
    }

    fn add(&mut self, other: Self) {
        self.found.extend(other.found);
        self.unreadable.extend(other.unreadable);
        self.empty.extend(other.empty);
    }
}

/// Sorts by the last time stamp inside, then by path, so that the order is always the same.
pub fn newest_first(found: &mut [Found]) {
    found.sort_by_cached_key(|one| (Reverse(one.ended()), one.path.clone()));
}

/// Parts the first of each id, the newest, as the list is sorted, from the others.
fn one_per_id(found: Vec<Found>) -> (Vec<Found>, Vec<Found>) {
    let mut seen: HashMap<&str, HashSet<String>> = HashMap::new();
    let is_first =
        |one: &Found| seen.entry(one.harness.name()).or_default().insert(one.header.id.clone());
    found.into_iter().partition(is_first)
}

/// Opens a file and finds out which harness wrote it; a harness that the user named must agree.
fn recognise(input: &Input, named: Option<&'static dyn Harness>) -> Result<&'static dyn Harness> {
    let by_content = harness::recognise(input);
    let Some(named) = named else { return by_content };
    match by_content {
        // Whoever recorded it, it is read as what it is now.
        Ok(form) if harness::is_form(form) => Ok(form),
        Ok(other) if other.name() != named.name() && !harness::fits(named, input)? => {
            let why = format!("is a session of {}, not of {}", other.title(), named.title());
            let hint = format!("`--harness {}`, or leave `--harness` out", other.name());
            Err(Error::NotASession { path: input.shown().into(), why, hint: Some(hint) })
        }
        // What nobody recognises may still be read by the harness that the user named.
        Ok(_) | Err(Error::NotASession { .. }) => Ok(named),
        Err(error) => Err(error),
    }
}
