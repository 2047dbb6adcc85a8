//! Looks at the homes of all harnesses, and at the project.

use std::cell::RefCell;
use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};

use super::super::session::{PlaceArgs, var};
use super::super::{Cli, memory, voted};
use super::blocks::{self, Known};
use super::{GitState, Home, Project, Report, Row, USER};
use crate::discover::{self, Found, Look, Search, World};
use crate::error::{Error, Result, to_be_let};
use crate::harness::memory::{self as memories, Memories};
use crate::harness::{self, Harness, Severity};
use crate::worktree::look::{self, Aside, Git};

/// How many findings are told.
const MOST_FINDINGS: usize = 20;
/// Of how many of the newest sessions the versions are told.
const NEWEST: usize = 10;
/// How many versions are told.
const MOST_VERSIONS: usize = 3;

/// Looks at all there is.
pub(super) fn report(place: &PlaceArgs, cli: &Cli) -> Result<Report> {
    let progress = cli.progress("looking at sessions");
    let everywhere = place.world(None, false)?;
    let search =
        discover::sessions(&everywhere.watched(&progress), place.harness(), None, Look::Ends);
    let mut findings = Vec::new();
    let mut asked = BTreeSet::new();
    let harnesses = homes(place, &search, &mut asked, &mut findings);
    if harnesses.iter().all(|home| !home.there) {
        findings.push(none_here(&harnesses, &asked));
    }
    findings.extend(search.unreadable.iter().map(unreadable));
    let project = project(place, &search.found, &mut findings);
    findings.sort_by(|a, b| (a.finding.severity, &a.file).cmp(&(b.finding.severity, &b.file)));
    let errors = findings.iter().filter(|row| row.finding.severity == Severity::Error).count();
    let more_findings = findings.len().saturating_sub(MOST_FINDINGS);
    findings.truncate(MOST_FINDINGS);
    let (schema, version) = ("segue.doctor/1", env!("CARGO_PKG_VERSION"));
    let healthy = errors == 0;
    Ok(Report { schema, version, healthy, harnesses, project, findings, more_findings, errors })
}

/// Looks at the home of each harness whose sessions or memories are known; `asked` gets the names of
/// the variables that say where it is.
fn homes(
    place: &PlaceArgs,
    search: &Search,
    asked: &mut BTreeSet<String>,
    findings: &mut Vec<Row>,
) -> Vec<Home> {
    let is_meant = |name: &str| place.harness().is_none_or(|one| one.name() == name);
    let mut homes = Vec::new();
    for of in harness::ALL.iter().filter(|of| is_meant(of.name())) {
        let found = where_is(|var| of.home(var), asked);
        let mut home = home(of.name(), of.title(), found, findings);
        sessions(*of, search, &mut home);
        home.memories = kept(memories::by_name(of.name()), &home, findings);
        homes.push(home);
    }
    let only_memories = |of: &&&dyn Memories| harness::by_name(of.name()).is_none();
    for of in memories::ALL.iter().filter(only_memories).filter(|of| is_meant(of.name())) {
        let found = where_is(|var| of.home(var), asked);
        let mut home = home(of.name(), of.title(), found, findings);
        home.memories = kept(Some(*of), &home, findings);
        homes.push(home);
    }
    homes
}

/// A folder, and the variable that it was told by.
type Place = (Option<Utf8PathBuf>, Option<String>);

/// Returns what `home` gives, and the last variable with a value that it asked for.
fn where_is(
    home: impl Fn(&dyn Fn(&str) -> Option<String>) -> Option<Utf8PathBuf>,
    asked: &mut BTreeSet<String>,
) -> Place {
    let names = RefCell::new((asked, None));
    let folder = home(&|name| {
        names.borrow_mut().0.insert(name.to_owned());
        let value = var(name)?;
        names.borrow_mut().1 = Some(name.to_owned());
        Some(value)
    });
    (folder, names.into_inner().1)
}

fn home(
    name: &'static str,
    title: &'static str,
    (home, variable): Place,
    findings: &mut Vec<Row>,
) -> Home {
    let there = home.as_ref().is_some_and(|home| home.is_dir());
    let own = variable.as_deref().filter(|variable| *variable != USER);
    if let (Some(folder), Some(variable), false) = (&home, own, there) {
        let what = if folder.exists() { "is no folder" } else { "is not there" };
        let message =
            format!("{variable} says that the home of {title} is `{folder}`, which {what}");
        let hint = format!("set {variable} to the folder that {title} uses, or unset it");
        let row = Row::new(Severity::Error, "home_is_missing", message, &hint);
        findings.push(row.of(folder.as_str()));
    } else if let Some(folder) = home.as_ref().filter(|folder| !there && folder.exists()) {
        let message = format!("the home of {title} is `{folder}`, which is no folder");
        let hint = format!("move it elsewhere: {title} makes a folder of that name when it runs");
        let row = Row::new(Severity::Error, "home_is_missing", message, &hint);
        findings.push(row.of(folder.as_str()));
    }
    let home = home.map(Utf8PathBuf::into_string);
    Home { name, title, home, variable, there, ..Home::default() }
}

/// Says that there is nothing to look at, and what the places depend on.
fn none_here(homes: &[Home], asked: &BTreeSet<String>) -> Row {
    let places: Vec<_> = homes.iter().filter_map(|home| home.home.as_deref()).collect();
    let user = var(USER).map(Utf8PathBuf::from);
    let message = match (&places[..], user) {
        ([], _) => "no harness has a home here: HOME is not set".to_owned(),
        (_, Some(user)) if !user.is_dir() => {
            format!("no harness has a home here: HOME is `{user}`, which is no folder")
        }
        _ => format!("no harness has a home here; looked for {}", places.join(", ")),
    };
    let names: Vec<_> = asked.iter().map(String::as_str).collect();
    let hint = format!(
        "set one of {} to where yours is; a session file can be given by its path",
        names.join(", ")
    );
    Row::new(Severity::Error, "no_home", message, &hint)
}

/// Counts the sessions of a harness.
fn sessions(of: &dyn Harness, search: &Search, home: &mut Home) {
    let own: Vec<&Found> =
        search.found.iter().filter(|one| one.harness.name() == of.name()).collect();
    home.sessions = Some(own.len());
    home.bytes = Some(own.iter().map(|one| one.header.source.bytes).sum());
    home.newest = own.first().and_then(|one| one.header.ended_at.clone());
    // What was converted names no version of the program itself.
    let recorded = own.iter().filter(|one| one.header.converted_from.is_none());
    for version in recorded.take(NEWEST).filter_map(|one| one.header.harness_version.clone()) {
        if !home.versions.contains(&version) && home.versions.len() < MOST_VERSIONS {
            home.versions.push(version);
        }
    }
}

/// Counts what agents keep, and tells what of it cannot be read.
fn kept(of: Option<&'static dyn Memories>, home: &Home, findings: &mut Vec<Row>) -> Option<usize> {
    let Some(of) = of.filter(|_| home.there) else { return of.map(|_| 0) };
    let counted = match memory::counted(of) {
        Ok(counted) => counted,
        Err(error) => {
            findings.push(unreadable(&error));
            return Some(0);
        }
    };
    findings.extend(counted.unreadable.into_iter().map(|(path, why)| {
        let message = format!("`{path}` with memories of {} is not read: {why}", of.title());
        let hint = to_be_let(&why).unwrap_or("put a readable file in UTF-8 there, or take it away");
        Row::new(Severity::Warning, "unreadable_memory", message, hint).of(path)
    }));
    Some(counted.memories)
}

fn unreadable(error: &Error) -> Row {
    let hint = error.hint().unwrap_or_else(|| "move it elsewhere, if it is not needed".to_owned());
    let row = Row::new(Severity::Error, "unreadable_session", error.to_string(), &hint);
    match error {
        Error::Read { path, .. } | Error::NotASession { path, .. } => row.of(path.as_str()),
        _ => row,
    }
}

/// Looks at the project around the current directory, or at the one that was named.
fn project(place: &PlaceArgs, found: &[Found], findings: &mut Vec<Row>) -> Option<Project> {
    let world: World<'_> = match place.world(None, true) {
        Ok(world) => world,
        Err(error) => {
            let hint = error.hint().unwrap_or_default();
            findings.push(Row::new(Severity::Error, "no_directory", error.to_string(), &hint));
            return None;
        }
    };
    let project = world.project();
    let own = found.iter().filter(|one| project.holds(&one.header)).count();
    // As a pack chooses it.
    let votes = |one: &Found, project: &discover::Project| voted::votes(one, project, &world);
    let newest = discover::newest(&world, place.harness(), &votes).ok().map(|newest| newest.found);
    if newest.is_none() {
        findings.push(nothing_here(&project.root, own));
    }
    let git = git(&project.root, findings);
    let known = Known { newest: newest.as_ref(), meant: &place.meant(&project.root) };
    let blocks = blocks::of(&project.root, &known, findings);
    let name = |one: &Found| format!("{}:{}", one.harness.name(), one.header.id);
    let (root, newest) = (project.root.into_string(), newest.as_ref().map(name));
    Some(Project { root, sessions: own, newest, git, blocks })
}

fn nothing_here(root: &Utf8Path, sessions: usize) -> Row {
    let message = match sessions {
        0 => format!("no session of the project `{root}`"),
        count => {
            format!("no session of the project `{root}` has a request and an answer, of {count}")
        }
    };
    let hint = "`segue list --all` shows those of other projects; `--project DIR` names one";
    Row::new(Severity::Info, "no_sessions", message, hint)
}

fn git(root: &Utf8Path, findings: &mut Vec<Row>) -> GitState {
    let Some(look) = look::look(root, &[], &Aside::default()) else { return GitState::NoFolder };
    match look.git {
        Git::Repository { .. } => GitState::Repository,
        Git::NoRepository => GitState::NoRepository,
        Git::NoProgram => no_git("git cannot be run", "install it, or go on without it", findings),
        Git::Refused => no_git("git does not look into the repository", SEE, findings),
        Git::NoAnswer => no_git("git does not answer", SEE, findings),
    }
}

/// What to do where git is there and says nothing.
const SEE: &str = "see what `git status` says there, or go on without it";

fn no_git(why: &str, hint: &'static str, findings: &mut Vec<Row>) -> GitState {
    let message = format!("{why}: packs say less of what changed");
    findings.push(Row::new(Severity::Warning, "no_git", message, hint));
    GitState::NoGit
}
