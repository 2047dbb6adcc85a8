//! Puts memories where Codex takes up what comes from other agents: below `extensions/` of both of
//! its stores, since it compares them with each other.
//!
//! Topic files of Claude Code are copied byte for byte into the tree that Codex itself would make, so
//! that it does not offer to import them again. It offers that as soon as anything else stands in
//! that tree, so that all other memories go to an extension of their own beside it.

mod copy;
mod notes;
mod routes;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use camino::{Utf8Path, Utf8PathBuf};

pub(super) use copy::EXTENSION as IMPORT;
pub(super) use notes::{is_note_name, propose, scope as scope_of_note};
pub(super) use routes::MOST_BYTES as MOST_SUMMARY_BYTES;

use super::place::{self, STORES};
use super::{GLOBAL, read};
use crate::harness::memory::manifest::Manifest;
use crate::harness::memory::row::{FILES, change, placed, routed, unheld};
use crate::harness::memory::{At, How, Tree, folder};
use crate::model::{Layer, Level, Memory, MemoryScope, digest, slug};
use crate::plan::{FileChange, MemoryFate, MemoryPlan, MemoryRow};

/// The extension for what has no tree of Codex's own.
pub(super) const EXTENSION: &str = "segue";
/// What is said to the model that works the texts of an extension in.
const INSTRUCTIONS: &str = include_str!("instructions.md");
/// What a user should know before a store is changed.
const COST: &str = "where Codex keeps memories of its own, it works new inputs in at one of its next \
                    starts: that runs a model and costs tokens";
/// The same where the summary itself is changed.
const COST_NOW: &str = "the summary that Codex loads is changed too: its next start finds its store \
                        changed and has a model consolidate all of it, which costs tokens";

/// Where a memory goes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Route {
    /// It is there already.
    There(Utf8PathBuf),
    /// Into the tree that Codex makes itself, under the name that the project has in the source.
    Copy(String, String),
    /// Into the extension of our own: for a project, or for all.
    Own(Option<String>),
}

/// Says how the stores change to hold `wanted`.
pub(super) fn write(wanted: &[Memory], tree: &Tree, at: &At, how: &How) -> MemoryPlan {
    let there = Present::of(tree, at);
    let manifest = manifest(tree, at);
    let copies = RefCell::new(copy::Copies { tree, at, how, manifest });
    let mut plan = routed(
        wanted,
        |memory| route(memory, &there, at, how),
        |route, group| match route {
            Route::There(path) => same(group, &path),
            Route::Copy(key, cwd) => copies.borrow_mut().write(group, &key, &cwd),
            Route::Own(cwd) => own(group, cwd.as_deref(), tree, at),
        },
    );
    // The description of an extension is the same for each of its projects.
    let mut paths = BTreeSet::new();
    plan.changes.retain(|change| paths.insert(change.path.clone()));
    let mut manifest = copies.into_inner().manifest;
    if how.activate {
        routes::add(&mut plan, wanted, tree, at, &mut manifest);
    }
    plan.changes.extend(manifest_change(&manifest, tree, at));
    if !plan.changes.is_empty() {
        plan.warnings.push(if how.activate { COST_NOW } else { COST }.to_owned());
    }
    plan
}

/// Returns the list of what was written that has no place for a mark.
pub(super) fn manifest(tree: &Tree, at: &At) -> Manifest {
    let file = tree.get(&at.home.join(place::MANIFEST));
    file.map(|file| Manifest::read(&file.text())).unwrap_or_default()
}

fn manifest_change(manifest: &Manifest, tree: &Tree, at: &At) -> Option<FileChange> {
    let path = at.home.join(place::MANIFEST);
    let is_needed = !manifest.written.is_empty() || tree.get(&path).is_some();
    is_needed.then(|| change(tree, &path, &manifest.text())).flatten()
}

/// Returns the change of the list of what was written, when `changes` take lines out of indexes that it
/// has: what is left of them is this program's still.
pub(super) fn kept_up(changes: &[FileChange], tree: &Tree, at: &At) -> Option<FileChange> {
    let mut manifest = manifest(tree, at);
    let text = |bytes: &Option<Vec<u8>>| String::from_utf8(bytes.clone()?).ok();
    let mut is_followed = false;
    for FileChange { path, before, after, .. } in changes {
        let place = place::store(path, &at.home).map(|(_, rest)| rest.as_str());
        let texts = place.zip(text(before)).zip(text(after));
        is_followed |=
            texts.is_some_and(|((place, before), after)| manifest.follow(place, &before, &after));
    }
    is_followed.then(|| manifest_change(&manifest, tree, at)).flatten()
}

/// Where each content stands that is there already.
struct Present {
    /// What Codex has from elsewhere than from other agents.
    own: BTreeMap<(String, MemoryScope), Utf8PathBuf>,
    /// What it has from other agents, this program's copies too.
    imported: BTreeMap<(String, MemoryScope), Utf8PathBuf>,
    /// The marks of those of which it has copies, or had.
    copied: BTreeSet<String>,
}

impl Present {
    fn of(tree: &Tree, at: &At) -> Self {
        let all = At { project: None, ..at.clone() };
        let memories = read::read(tree, &all).memories.into_iter();
        let (imported, own): (Vec<_>, Vec<_>) =
            memories.partition(|memory| memory.source.layer == Layer::Imported);
        let by_content = |memories: Vec<Memory>| {
            let row = |one: Memory| ((one.content_sha256, one.scope), one.source.path.into());
            memories.into_iter().map(row).collect()
        };
        let copied = imported.iter().filter_map(|memory| memory.copy_of.clone());
        let copied = copied.chain(manifest(tree, at).written.into_keys()).collect();
        Self { own: by_content(own), imported: by_content(imported), copied }
    }

    /// Returns where a memory stands. One of which there is a copy is to be followed by that.
    fn place(&self, memory: &Memory, how: &How) -> Option<Utf8PathBuf> {
        let key = (memory.content_sha256.clone(), memory.scope.clone());
        let is_copy = |path: &Utf8Path| {
            let place = copy::source(memory, how).map(|(key, rest)| copy::place_of(&key, &rest));
            place.is_some_and(|place| path.ends_with(place))
        };
        let imported = || {
            let path = self.imported.get(&key).filter(|path| !is_copy(path))?;
            (!self.copied.contains(&memory.origin())).then_some(path)
        };
        self.own.get(&key).or_else(imported).cloned()
    }
}

fn route(memory: &Memory, there: &Present, at: &At, how: &How) -> Result<Route, String> {
    let MemoryScope { level, cwd } = &memory.scope;
    let is_project = *level == Level::Project;
    if let Some(path) = there.place(memory, how) {
        return Ok(Route::There(path));
    }
    let Some(cwd) = cwd.as_deref().filter(|_| is_project) else {
        return match is_project {
            true => Err("the folder of its project is not known".to_owned()),
            false => Ok(Route::Own(None)),
        };
    };
    if at.project.is_some() && !at.is_here(Utf8Path::new(cwd)) {
        return Err("it belongs to another project".to_owned());
    }
    Ok(match copy::source(memory, how) {
        Some((key, _)) => Route::Copy(key, cwd.to_owned()),
        None => Route::Own(Some(cwd.to_owned())),
    })
}

fn same(group: &[&Memory], path: &Utf8Path) -> MemoryPlan {
    let rows = group.iter().map(|memory| placed(memory, MemoryFate::Same, path));
    MemoryPlan { rows: rows.collect(), ..MemoryPlan::default() }
}

/// Writes into both stores; of two rows the graver one counts.
fn both(write: impl FnMut(&str) -> MemoryPlan) -> MemoryPlan {
    let gravity = |row: &MemoryRow| match row.fate {
        MemoryFate::Same => 0,
        MemoryFate::New => 1,
        MemoryFate::Changed => 2,
        MemoryFate::Conflict => 3,
        MemoryFate::Dropped | MemoryFate::Removed => 4,
    };
    let plans = STORES.into_iter().map(write);
    let merged = plans.reduce(|mut one, other| {
        for (row, second) in one.rows.iter_mut().zip(other.rows) {
            if gravity(&second) > gravity(row) {
                *row = second;
            }
        }
        one.changes.extend(other.changes);
        one
    });
    merged.unwrap_or_default()
}

/// Writes topic files with a mark into the extension of our own.
fn own(group: &[&Memory], cwd: Option<&str>, tree: &Tree, at: &At) -> MemoryPlan {
    let key = cwd.map_or_else(|| GLOBAL.to_owned(), key_of);
    let mut plan = both(|store| {
        let top = at.home.join(store).join("extensions").join(EXTENSION);
        let place = top.join("resources").join(&key);
        let mut plan = folder::write(group, &place, tree, super::NAME, &[]);
        if !plan.changes.is_empty() {
            plan.changes.extend(missing(tree, &top.join("instructions.md"), INSTRUCTIONS));
            let scope =
                cwd.and_then(|cwd| missing(tree, &place.join(place::SCOPE), &scope_text(cwd)));
            plan.changes.extend(scope);
        }
        plan
    });
    for (row, memory) in plan.rows.iter_mut().zip(group) {
        row.lost = lost(memory);
    }
    plan
}

/// Returns the folder of a project in the extension of our own.
fn key_of(cwd: &str) -> String {
    let name = cwd.rsplit(['/', '\\']).find(|part| !part.is_empty()).unwrap_or(cwd);
    format!("{}-{}", slug(name), &digest(&[cwd])[..8])
}

/// Returns the change that makes a file which is not there.
fn missing(tree: &Tree, path: &Utf8Path, text: &str) -> Option<FileChange> {
    tree.get(path).is_none().then(|| change(tree, path, text)).flatten()
}

/// Returns what says that a folder belongs to the project at `cwd`, as Codex writes it.
fn scope_text(cwd: &str) -> String {
    serde_json::json!({ "cwd": cwd }).to_string()
}

/// Returns what the copy of a memory does not tell.
fn lost(memory: &Memory) -> Vec<&'static str> {
    let body = &memory.body_md;
    let tells =
        |text: &Option<String>| text.as_ref().is_none_or(|text| body.contains(text.as_str()));
    let parts = [
        ("links", memory.links.iter().any(|link| !body.contains(link.as_str()))),
        ("why", !tells(&memory.why)),
        ("how to apply", !tells(&memory.how_to_apply)),
        ("fields", memory.extra.iter().any(|(name, value)| name != FILES && !value.is_string())),
    ];
    let lost = parts.into_iter().filter(|(_, is_lost)| *is_lost).map(|(name, _)| name);
    lost.chain(unheld(memory)).collect()
}
