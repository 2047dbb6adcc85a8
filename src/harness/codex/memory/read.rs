//! Reads the stores of Codex, file by file.

use std::collections::BTreeMap;

use camino::Utf8Path;
use serde_json::Value;

use super::entry::{self, Page};
use super::place::{self, Part};
use super::{context, cwd, handbook, session, summary, write};
use crate::harness::memory::fields::{headed, text_of};
use crate::harness::memory::folder::INDEX;
use crate::harness::memory::index::is_one;
use crate::harness::memory::{At, Read, Stored, Tree, topic};
use crate::model::{Layer, Level, Memory, MemoryKind, MemoryScope, digest};
use crate::note::NoteKind;

/// Reads every memory of `tree`: those of the stores, then those of context files.
pub(super) fn read(tree: &Tree, at: &At) -> Read {
    let mut out = Read::default();
    let list = write::manifest(tree, at);
    let written = list.by_place();
    for (path, file) in &tree.files {
        if is_twin(path, file, tree, at) {
            continue;
        }
        let is_text = std::str::from_utf8(&file.bytes).is_ok();
        let mut found = file_of(path, file, tree, at, &mut out);
        if let Some((_, place)) = place::store(path, &at.home) {
            found.iter_mut().for_each(|memory| known(memory, place, &written));
        }
        if !is_text && !found.is_empty() {
            out.notes.add(NoteKind::WrongEncoding, path.file_name().unwrap_or_default(), 0);
        }
        out.memories.extend(found);
    }
    let told = context::read(tree, at, &mut out.notes);
    out.memories.extend(told);
    // A file that was given by its path is read whole.
    if tree.seen.is_empty() || tree.seen.contains(&at.home.join(place::MANIFEST)) {
        out.memories.retain(|memory| is_meant(memory, at));
    }
    out
}

/// Tells whether a file of the second store is a copy of the one in the first: Codex puts what it
/// imports into both.
fn is_twin(path: &Utf8Path, file: &Stored, tree: &Tree, at: &At) -> bool {
    let Some((store, rest)) = place::store(path, &at.home) else { return false };
    let other = at.home.join(place::STORES[0]).join(rest);
    store != place::STORES[0] && tree.get(&other).is_some_and(|other| other.bytes == file.bytes)
}

/// Enters of which memory an exact copy was made, which has no place for a mark.
fn known(memory: &mut Memory, place: &Utf8Path, written: &BTreeMap<(&str, &str), &str>) {
    let Some(text) = memory.verbatim.as_deref() else { return };
    let sha256 = digest(&[text]);
    let origin = written.get(&(place.as_str(), sha256.as_str()));
    memory.copy_of = memory.copy_of.take().or_else(|| origin.map(|origin| (*origin).to_owned()));
}

/// Tells whether a memory holds in the project that is meant, or everywhere.
fn is_meant(memory: &Memory, at: &At) -> bool {
    let MemoryScope { level, cwd } = &memory.scope;
    match cwd {
        Some(cwd) if *level == Level::Project && at.project.is_some() => {
            at.is_here(Utf8Path::new(cwd))
        }
        _ => true,
    }
}

fn file_of(path: &Utf8Path, file: &Stored, tree: &Tree, at: &At, out: &mut Read) -> Vec<Memory> {
    let text = file.text();
    let page = |layer, generation| Page { path, file, at, layer, generation };
    match place::part(path, &at.home) {
        Part::Summary => {
            let has_handbook = tree.get(&path.with_file_name(INDEX)).is_some();
            summary::read(&text, page(Layer::Memory, "summary"), has_handbook)
        }
        Part::Handbook => handbook_of(&text, page(Layer::Memory, "handbook"), out),
        Part::Raw => session::raw(&text, page(Layer::Session, "raw")),
        Part::Session => vec![session::summary(&text, page(Layer::Session, "rollout_summary"))],
        Part::Skill => vec![skill(&text, page(Layer::Skills, "skill"))],
        Part::Note => vec![note(&text, page(Layer::Notes, "note"))],
        Part::Resource { key, .. } => {
            resource(&text, key, tree, page(Layer::Imported, "extension"))
        }
        // A summary of a session can lie anywhere if it was given by its path.
        Part::Other if file.layer == Layer::Session => {
            vec![session::summary(&text, page(Layer::Session, "rollout_summary"))]
        }
        Part::Context | Part::Other => Vec::new(),
    }
}

fn handbook_of(text: &str, page: Page<'_>, out: &mut Read) -> Vec<Memory> {
    handbook::read(text, page).unwrap_or_else(|| {
        let found = handbook::loose(text, 0, page);
        if !found.is_empty() {
            out.notes.add(NoteKind::OddMemory, INDEX, 0);
        }
        found
    })
}

/// Reads how to do something.
fn skill(text: &str, page: Page<'_>) -> Memory {
    let mut memory = page.whole(text);
    memory.kind = MemoryKind::Skill;
    let folder = page.path.parent().and_then(Utf8Path::file_name).unwrap_or_default();
    folder.clone_into(&mut memory.title);
    text.trim().clone_into(&mut memory.body_md);
    if let Some(head) = headed(text) {
        memory.title = text_of(&head.fields, "name").unwrap_or(memory.title);
        memory.summary = text_of(&head.fields, "description").unwrap_or_default();
        head.body.trim().clone_into(&mut memory.body_md);
        let more =
            head.fields.into_iter().filter(|(name, _)| name != "name" && name != "description");
        memory.extra.extend(more);
    }
    memory.name = crate::model::slug(folder);
    memory.finished()
}

/// Reads what the user asked to be remembered.
fn note(text: &str, page: Page<'_>) -> Memory {
    let mut memory = page.whole(text);
    memory.kind = MemoryKind::Feedback;
    text.trim().clone_into(&mut memory.body_md);
    if let Some(scope) = write::scope_of_note(text) {
        memory.scope = scope;
    }
    let heading = memory.body_md.lines().next().and_then(|line| line.strip_prefix("# "));
    memory.title = heading.map_or_else(|| entry::title(text), |title| title.trim().to_owned());
    memory.finished()
}

/// Reads a text of another source: a topic file, or an index of such files.
fn resource(text: &str, key: &str, tree: &Tree, page: Page<'_>) -> Vec<Memory> {
    let scope = resource_scope(page.path, key, tree, page.at);
    let file = Stored { scope, ..page.file.clone() };
    let page = Page { file: &file, ..page };
    if page.path.file_name() == Some(INDEX) {
        // Between its lines for files some of them hold memories themselves.
        let mut found = handbook::loose(text, 0, page);
        found.retain(|one| !is_one(&format!("- {}", one.body_md)) && !is_one(&one.body_md));
        return found;
    }
    let name = page.path.file_stem().unwrap_or_default();
    let whole = page.whole(text);
    vec![topic::read(text, name, &file, whole.source)]
}

/// Returns where the texts of a folder hold, as the file beside them says.
fn resource_scope(path: &Utf8Path, key: &str, tree: &Tree, at: &At) -> MemoryScope {
    if key.is_empty() || key == super::GLOBAL {
        return MemoryScope::everywhere();
    }
    let folder = path.ancestors().find(|folder| folder.file_name() == Some(key));
    let file = folder.and_then(|folder| tree.get(&folder.join(place::SCOPE)));
    let said = file.and_then(|file| serde_json::from_slice::<Value>(&file.bytes).ok());
    let named = said.as_ref().and_then(|said| said.get("cwd")?.as_str()).map(cwd::plain);
    MemoryScope { level: Level::Project, ..entry::scope(named.as_slice(), at) }
}
