//! The tree that Codex makes when it imports memories of Claude Code: exact copies, and nothing else.

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};

use super::{both, change, missing, scope_text};
use crate::harness::codex::memory::place::{self, STORES};
use crate::harness::memory::folder::{INDEX, MOST_LINES};
use crate::harness::memory::index::{Link, links, without};
use crate::harness::memory::manifest::Manifest;
use crate::harness::memory::row::{dropped, placed};
use crate::harness::memory::{At, How, Tree, topic};
use crate::model::{Layer, Memory};
use crate::plan::{MemoryFate, MemoryPlan, MemoryRow};

/// The extension that Codex imports to.
pub(in crate::harness::codex::memory) const EXTENSION: &str = "external_agent_import";
/// The harness whose memories it imports.
const SOURCE: &str = "claude";

/// What is needed to make copies.
pub(super) struct Copies<'t> {
    pub(super) tree: &'t Tree,
    pub(super) at: &'t At,
    pub(super) how: &'t How,
    /// What was copied: a copy has no place for a mark.
    pub(super) manifest: Manifest,
}

/// Returns the folder of the project and the path of the file there, if Codex would import the file
/// that a memory is, or stands in.
pub(super) fn source(memory: &Memory, how: &How) -> Option<(String, Utf8PathBuf)> {
    let source = &memory.source;
    let path = Utf8Path::new(&source.path);
    let (key, rest) = store_place(path, &source.key)?;
    let is_file = match rest == INDEX {
        true => how.beside.contains_key(path),
        false => memory.verbatim.as_deref().is_some_and(|text| topic::says(text, memory)),
    };
    let fits = source.harness == SOURCE && source.layer == Layer::Memory && is_file;
    fits.then_some((key, rest))
}

/// Returns the project's folder and the path below its memories, of a file in such a store that is known there as
/// `name`: a store can stand within folders that are named as one is.
fn store_place(path: &Utf8Path, name: &str) -> Option<(String, Utf8PathBuf)> {
    let parts: Vec<&str> = path.iter().collect();
    let is_store = |at: &usize| parts[*at] == "projects" && parts[*at + 2] == "memory";
    let below = |at: &usize| parts[*at + 3..].iter().collect::<Utf8PathBuf>();
    let stores: Vec<usize> = (0..parts.len().saturating_sub(3)).filter(is_store).collect();
    let at = *stores.iter().rfind(|at| below(at) == name).or(stores.last())?;
    let rest = below(&at);
    let is_text = rest.extension().is_some_and(|end| end.eq_ignore_ascii_case("md"));
    let (key, is_fine) = (parts[at + 1], parts[at + 1..].iter().all(|part| is_name(part)));
    (is_text && is_fine).then(|| (key.to_owned(), rest))
}

/// Returns the place of a copy in either store.
pub(super) fn place_of(key: &str, rest: &Utf8Path) -> Utf8PathBuf {
    ["extensions", EXTENSION, "resources", key].iter().collect::<Utf8PathBuf>().join(rest)
}

/// Tells whether a part of a path is one of a file that can be made in a folder.
fn is_name(part: &str) -> bool {
    /// Longer names are refused by some file systems, in bytes.
    const BYTES: usize = 255;
    part != ".." && part.len() <= BYTES && !part.contains(char::is_control)
}

impl Copies<'_> {
    /// Copies the memories of one project.
    pub(super) fn write(&mut self, group: &[&Memory], key: &str, cwd: &str) -> MemoryPlan {
        let mut entered = self.manifest.clone();
        let plan = both(|store| self.store(group, key, cwd, store, &mut entered));
        self.manifest = entered;
        plan
    }

    fn store(
        &self,
        group: &[&Memory],
        key: &str,
        cwd: &str,
        store: &str,
        entered: &mut Manifest,
    ) -> MemoryPlan {
        let top = self.at.home.join(store).join("extensions").join(EXTENSION);
        let folder = top.join("resources").join(key);
        let mut plan = MemoryPlan::default();
        for memory in group {
            let row = self.put(memory, &folder, entered, &mut plan);
            plan.rows.push(row);
        }
        self.index(group, key, &folder, entered, &mut plan);
        self.told(group, &folder.join(INDEX), &mut plan);
        if !plan.changes.is_empty() {
            plan.changes.extend(missing(
                self.tree,
                &top.join("instructions.md"),
                super::INSTRUCTIONS,
            ));
        }
        plan.changes.extend(missing(self.tree, &folder.join(place::SCOPE), &scope_text(cwd)));
        plan
    }

    /// Copies one file; an entry of the index comes with it.
    fn put(
        &self,
        memory: &Memory,
        folder: &Utf8Path,
        entered: &mut Manifest,
        plan: &mut MemoryPlan,
    ) -> MemoryRow {
        let rest = source(memory, self.how).map(|(_, rest)| rest).unwrap_or_default();
        let path = folder.join(&rest);
        let before = self.tree.get(&path).map(|file| file.text());
        if rest == INDEX {
            let has = before.as_ref().is_some_and(|text| text.contains(memory.body_md.trim()));
            let fate = if has { MemoryFate::Same } else { MemoryFate::New };
            return placed(memory, fate, &path);
        }
        let text = memory.verbatim.as_deref().unwrap_or_default();
        let origin = memory.origin();
        let fate = match &before {
            None if self.is_taken_out(&path, &origin, text) => {
                let why = "it was taken out there since it was written";
                return placed(memory, MemoryFate::Conflict, &path).because(why);
            }
            None => MemoryFate::New,
            Some(old) if old == text => MemoryFate::Same,
            Some(old) if self.manifest.is_ours(&origin, old) => MemoryFate::Changed,
            Some(_) => {
                let why = "the file there is not the one that was written";
                return placed(memory, MemoryFate::Conflict, &path).because(why);
            }
        };
        if fate != MemoryFate::Same {
            let mut change = change(self.tree, &path, text);
            if let Some(change) = &mut change {
                change.modified_at.clone_from(&memory.updated_at);
            }
            plan.changes.extend(change);
            entered.enter(origin, &Self::place(&path, self.at), text);
        }
        placed(memory, fate, &path)
    }

    /// Tells whether a copy of `text` was made, of what has the mark `origin`, and is in neither store any
    /// more.
    fn is_taken_out(&self, path: &Utf8Path, origin: &str, text: &str) -> bool {
        let place = Self::place(path, self.at);
        let written = self.manifest.written.get(origin).filter(|one| one.place == place);
        let is_same = written.is_some() && self.manifest.is_ours(origin, text);
        let stores = || STORES.into_iter().map(|store| self.at.home.join(store));
        let is_there = |store: Utf8PathBuf| self.tree.is_there(&store.join(&place));
        // Where both stores are gone, all of them was begun anew.
        let has_any = stores().any(|store| self.tree.below(&store).next().is_some());
        is_same && has_any && !stores().any(is_there)
    }

    /// Says of what stands in the index itself whether the copy of that has it: lines go that point
    /// at files which are not there.
    fn told(&self, group: &[&Memory], index: &Utf8Path, plan: &mut MemoryPlan) {
        let change = plan.changes.iter().find(|change| change.path == *index);
        let text = match change.and_then(|change| change.after.as_deref()) {
            Some(bytes) => String::from_utf8_lossy(bytes),
            None => self.tree.get(index).map(|file| file.text()).unwrap_or_default(),
        };
        for (row, memory) in plan.rows.iter_mut().zip(group) {
            let is_in_index = row.place.as_deref() == Some(index);
            if is_in_index && !text.contains(memory.body_md.trim()) {
                *row = dropped(memory, "the index that is copied does not have it");
            }
        }
    }

    /// Returns where a file is in either store.
    fn place(path: &Utf8Path, at: &At) -> String {
        place::store(path, &at.home).map_or_else(String::new, |(_, rest)| rest.to_string())
    }

    /// Copies the index, less lines on files that are not there; without one, makes it.
    fn index(
        &self,
        group: &[&Memory],
        key: &str,
        folder: &Utf8Path,
        entered: &mut Manifest,
        plan: &mut MemoryPlan,
    ) {
        let path = folder.join(INDEX);
        let origin = format!("index:{key}");
        let before = self.tree.get(&path).map(|file| file.text());
        if before.as_ref().is_some_and(|old| !self.manifest.is_ours(&origin, old)) {
            return;
        }
        let mut there: BTreeSet<Utf8PathBuf> =
            plan.changes.iter().map(|one| one.path.clone()).collect();
        there.extend(self.tree.below(folder).map(|(name, _)| folder.join(name)));
        let given = self.how.beside.iter().find(|(path, _)| {
            store_place(path, INDEX).is_some_and(|(other, rest)| other == key && rest == INDEX)
        });
        let text = match given {
            Some((_, text)) => less(text, &path, &there),
            None => {
                let files = group.iter().filter_map(|one| Some((source(one, self.how)?.1, *one)));
                let files: Vec<_> =
                    files.filter(|(name, _)| there.contains(&folder.join(name))).collect();
                grown(before.as_deref().unwrap_or_default(), &files)
            }
        };
        if text.is_empty() {
            return;
        }
        plan.changes.extend(change(self.tree, &path, &text));
        if before.as_deref() != Some(&text) {
            entered.enter(origin, &Self::place(&path, self.at), &text);
        }
    }
}

/// Returns what is to be the index at `path`, without the items that stand for files which are not there.
fn less(text: &str, path: &Utf8Path, there: &BTreeSet<Utf8PathBuf>) -> String {
    // What a whole path names may be there.
    let is_gone =
        |link: &Link| Utf8Path::new(&link.file).is_relative() && !there.contains(&link.path(path));
    without(text, None, is_gone).0
}

/// Returns an index with a line for each file, as long as it has room.
fn grown(before: &str, files: &[(Utf8PathBuf, &Memory)]) -> String {
    let mut lines: Vec<String> = before.lines().map(str::to_owned).collect();
    let top = Utf8Path::new("/");
    let links = links(before).into_iter();
    let named: BTreeSet<_> = links.map(|link| link.path(&top.join(INDEX))).collect();
    for (name, memory) in files.iter().filter(|(name, _)| name != INDEX) {
        if !named.contains(&top.join(name)) && lines.len() < MOST_LINES {
            lines.push(topic::index_line(memory, name.as_str()));
        }
    }
    lines.into_iter().map(|line| line + "\n").collect()
}
