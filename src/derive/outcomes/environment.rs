//! What the session showed of the machine and the project: versions, addresses, members, memories.

use std::collections::{BTreeSet, HashMap};

use super::absent::absent;
use super::at_hand::at_hand;
use super::beside::Beside;
use super::checks::Edit;
use super::comments::Comments;
use super::git::is_push;
use super::limits::limits;
use super::lines::Late;
use super::pages::{pages, raise_newest};
use super::tags::Tags;
use crate::derive::fact::{Fact, FactKind, State};
use crate::derive::pattern::Pattern;
use crate::derive::timeline::{Done, Timeline};
use crate::derive::{Trust, ids, place, shell, text};
use crate::model::{Action, ToolKind};

/// How many facts are kept.
const MOST: usize = 12;
/// How many files are named that say what the project is made of.
const MOST_MANIFESTS: usize = 12;
/// Files that say what a project is made of.
const MANIFESTS: &[&str] = &[
    "Cargo.toml",
    "package.json",
    "pnpm-workspace.yaml",
    "pyproject.toml",
    "go.mod",
    "go.work",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "settings.gradle",
    "composer.json",
    "Gemfile",
    "Package.swift",
    "pubspec.yaml",
    "mix.exs",
    "CMakeLists.txt",
    "deno.json",
];

static VERSION: Pattern = Pattern::new(r"\bv?(\d+\.\d+(?:\.\d+)*(?:[-+][\w.]+)?)");
static ADDRESS: Pattern =
    Pattern::new(r"https?://(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\])(?::\d{2,5})?[\w/.-]*");

/// How much more the pages that are at hand are worth than other facts.
const AT_HAND: f64 = 2.5;

/// Finds what is told, newest first; `late` has how commands went on that were waited for, `beside` where the newest
/// work lies.
pub(super) fn environment(
    timeline: &Timeline<'_>,
    edits: &[Edit],
    late: &HashMap<usize, Late>,
    beside: Option<&Beside>,
) -> Vec<Fact> {
    let pages = pages(timeline, late);
    let absent = absent(timeline);
    let limits = limits(timeline);
    let kept_free = pages.facts() + usize::from(absent.is_some()) + limits.len();
    let mut told = Told { facts: Vec::new(), kept_free };
    let mut manifests: BTreeSet<String> = BTreeSet::new();
    let mut first_manifest = None;
    let mut comments = Comments::default();
    let mut tags = Tags::new(timeline);
    if let Some((beside, done)) = beside.and_then(|it| Some((it, timeline.done().nth(it.last)?))) {
        told.add("beside", &beside.told(done.item.turn), &done);
    }
    if let Some((line, done)) = at_hand(timeline, |number| pages.tell(number)) {
        told.add("pages at hand", &line, &done);
        told.facts.iter_mut().filter(|fact| fact.text == line).for_each(|it| it.weight = AT_HAND);
    }
    for done in timeline.done().rev().filter(|done| done.result.is_some()) {
        for (key, line) in pages.alone_of(&done) {
            told.kept_free -= 1;
            told.add(key, line, &done);
        }
        for (key, line) in pages.decided_by(&done) {
            told.kept_free -= 1;
            told.add(&key, &line, &done);
        }
        // A push that failed for one ref may have gone through for others.
        if let Some(line) = tags.pushed_by(&done) {
            told.add(&line, &line, &done);
        }
        if done.failed() {
            continue;
        }
        if let Some(page) = comments.posted_by(&done) {
            told.add(&page, &format!("posted comment {page}"), &done);
        }
        for (key, line) in versions(&done).into_iter().chain(served(timeline, &done)) {
            told.add(&key, &line, &done);
        }
        if let Some(path) = manifest(timeline, &done) {
            if manifests.len() < MOST_MANIFESTS {
                manifests.insert(path);
            }
            first_manifest.get_or_insert(done);
        }
    }
    told.kept_free = 0;
    told.facts.extend(pages.earlier());
    told.place(&limits, absent);
    if let Some(done) = first_manifest {
        let manifests: Vec<_> = manifests.into_iter().collect();
        told.add("manifests", &format!("manifests: {}", manifests.join(", ")), &done);
    }
    told.memories(timeline, edits);
    raise_newest(&mut told.facts);
    told.facts
}

/// What is told so far, and for how many pages there must be room yet.
struct Told {
    facts: Vec<Fact>,
    kept_free: usize,
}

impl Told {
    /// Adds what is not told yet, if there is room.
    fn add(&mut self, key: &str, line: &str, done: &Done<'_>) {
        let id = ids::id('F', key);
        let has_room = self.facts.len() + self.kept_free < MOST;
        if has_room && self.facts.iter().all(|fact| fact.id != id) {
            self.facts.push(fact(id, line.to_owned(), done));
        }
    }

    /// Adds what does not work or is not there in this place.
    fn place(&mut self, limits: &[(String, Done<'_>)], absent: Option<(Vec<String>, Done<'_>)>) {
        for (line, done) in limits {
            self.add(line, line, done);
        }
        if let Some((programs, done)) = absent {
            self.add("absent", &format!("no such program here: {}", programs.join(", ")), &done);
        }
    }

    /// Adds the memories that were written.
    fn memories(&mut self, timeline: &Timeline<'_>, edits: &[Edit]) {
        let done: Vec<_> = timeline.done().collect();
        for edit in edits.iter().rev().filter(|edit| is_memory(&edit.path)) {
            if let Some(done) = done.iter().find(|done| done.index == edit.index) {
                let line = format!("memory written: {}", edit.path);
                self.add(&line, &line, done);
            }
        }
    }
}

pub(super) fn fact(id: String, line: String, done: &Done<'_>) -> Fact {
    let at = (done.item.turn, done.item.id.as_ref());
    let fact = Fact::new(FactKind::Environment, Trust::S, line, at);
    Fact { id, state: State::Open, ..fact }
}

/// Whether a push of a line only tells what it would do.
pub(super) fn only_tries_to_push(line: &str) -> bool {
    // An option of another command on the line, such as `tail -n 3`, says nothing of the push.
    shell::joined(line).iter().any(|(part, _)| {
        is_push(part) && part.split_whitespace().any(|word| matches!(word, "--dry-run" | "-n"))
    })
}

/// Returns the rows of an output that tell what was pushed, and not what was fetched.
pub(super) fn pushed(output: &str) -> String {
    let mut is_it = false;
    let rows = output.lines().filter(|row| {
        is_it = match row {
            row if row.starts_with("To ") => true,
            row if row.starts_with("From ") => false,
            _ => is_it,
        };
        is_it
    });
    rows.collect::<Vec<_>>().join("\n")
}

/// Returns what `PROGRAM --version` printed: the program, and the line with the version.
fn versions(done: &Done<'_>) -> Vec<(String, String)> {
    let Some(line) = done
        .command()
        .filter(|line| line.contains("ersion") || line.contains(" -v") || line.contains(" -V"))
    else {
        return Vec::new();
    };
    let parts = shell::joined(line);
    let asked: Vec<&str> = parts.iter().filter_map(|(part, _)| asks_version(part)).collect();
    // Only where each line can be told to belong to one program.
    let only_asks = asked.len() == parts.iter().filter(|(part, _)| !part.is_empty()).count();
    if asked.is_empty() || !only_asks {
        return Vec::new();
    }
    let output = done.output();
    let rows = || output.lines().filter(|row| !row.trim().is_empty());
    let fits = rows().count() == asked.len();
    let mut rows = rows();
    let version = |row: &str| Some(VERSION.groups(row)?.at(1)?.to_owned());
    let told = asked.into_iter().filter(|_| fits).filter_map(|program| {
        let version = version(rows.next()?)?;
        Some((format!("version {program}"), format!("{program} {version}")))
    });
    told.collect()
}

/// Returns the program that a command only asks for its version.
fn asks_version(part: &str) -> Option<&str> {
    let words: Vec<&str> = part.split_whitespace().collect();
    match words.as_slice() {
        [program, "--version" | "-V" | "-version"] => Some(*program),
        ["node" | "npm" | "pnpm" | "yarn" | "bun", "-v"] => words.first().copied(),
        ["go" | "docker" | "zig" | "kubectl" | "terraform", "version"] => words.first().copied(),
        _ => None,
    }
}

/// Returns the addresses on this machine that a started server told.
fn served(timeline: &Timeline<'_>, done: &Done<'_>) -> Vec<(String, String)> {
    let starts = timeline.parts(done).iter().find(|part| starts_server(part));
    let Some(part) = starts else { return Vec::new() };
    let output = done.output();
    let tell = |found: &str| {
        let address = found.trim_end_matches(['.', '/']);
        (format!("served {address}"), format!("`{}` serves {address}", text::line(part, 100)))
    };
    ADDRESS.find(&output).map(tell).into_iter().collect()
}

/// Whether a command starts something that goes on listening.
fn starts_server(part: &str) -> bool {
    let mut words = part.split_whitespace().take(5).flat_map(|word| word.split(':'));
    let serving = [
        "dev",
        "serve",
        "server",
        "start",
        "preview",
        "runserver",
        "uvicorn",
        "gunicorn",
        "http.server",
        "watch",
        "up",
    ];
    words.any(|word| serving.contains(&word))
}

/// Returns the manifest that a call read or changed, inside the project.
fn manifest(timeline: &Timeline<'_>, done: &Done<'_>) -> Option<String> {
    let path = match done.call.action.as_deref() {
        Some(Action::Read { path, .. }) if done.call.kind == ToolKind::Read => path,
        Some(Action::Edit { changes }) => &changes.first()?.path,
        _ => return None,
    };
    let path = timeline.path(path);
    let name = place::name(&path);
    let is_inside = !path.starts_with(['/', '~'])
        && !path.contains(":/")
        && !path.contains("..")
        && !path.contains("node_modules/");
    (is_inside && MANIFESTS.contains(&name)).then_some(path)
}

/// Whether a file lies in a folder of memories.
fn is_memory(path: &str) -> bool {
    let mut folders = path.rsplit('/').skip(1);
    path.ends_with(".md") && folders.any(|folder| folder == "memory" || folder == "memories")
}
