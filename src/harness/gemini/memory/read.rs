//! Memories out of the gathered files.

use camino::Utf8Path;

use super::super::NAME;
use super::places;
use crate::harness::memory::files::{pieces, topics};
use crate::harness::memory::folder::INDEX;
use crate::harness::memory::index::Pointers;
use crate::harness::memory::{At, Read, Stored, Tree, managed, settings};
use crate::model::{Layer, Level, Memory, MemoryKind};
use crate::note::NoteKind;

/// The heading under which older versions put what they were told to remember.
const ADDED: &str = "Gemini Added Memories";

/// Reads every memory of `tree`.
pub(super) fn read(tree: &Tree, at: &At) -> Read {
    let mut out = Read::default();
    let pointers = Pointers::of(tree);
    let names = places::names(tree);
    for (path, file) in &tree.files {
        match file.layer {
            Layer::Memory if is_fallback(path, &names) => {
                out.memories.extend(fallback(path, file, tree, &mut out.notes));
            }
            Layer::Memory => topics(NAME, path, file, (tree, &pointers), &mut out),
            Layer::Instructions => {
                out.memories.extend(managed::read(file, NAME, path));
                let found = pieces(NAME, path, file, MemoryKind::Instruction, "sections");
                out.memories.extend(found.into_iter().map(added));
            }
            _ => continue,
        }
        if std::str::from_utf8(&file.bytes).is_err() {
            out.notes.add(NoteKind::WrongEncoding, path.as_str(), 0);
        }
    }
    settings::note(tree, settings::commented, &mut out.notes);
    for (path, line, why) in places::followed(tree, at).refused {
        out.notes.add(NoteKind::UnfollowedImport, &format!("{path}: {why}"), line as u64);
    }
    out
}

/// Tells whether a file of a store is loaded only where there is no index.
pub(super) fn is_fallback(path: &Utf8Path, names: &[String]) -> bool {
    path.file_name().is_some_and(|name| name != INDEX && names.iter().any(|one| one == name))
}

/// Tells whether an index takes the place of a fallback.
pub(super) fn is_shadowed(path: &Utf8Path, tree: &Tree) -> bool {
    path.parent().is_some_and(|folder| tree.get(&folder.join(INDEX)).is_some())
}

fn fallback(
    path: &Utf8Path,
    file: &Stored,
    tree: &Tree,
    notes: &mut crate::note::Notes,
) -> Vec<Memory> {
    if is_shadowed(path, tree) {
        notes.add(NoteKind::NotAMemory, path.as_str(), 0);
        return Vec::new();
    }
    pieces(NAME, path, file, MemoryKind::Project, "fallback")
}

/// Returns a piece of a context file; one that the agent added is a memory of its own.
fn added(mut memory: Memory) -> Memory {
    if memory.keywords.last().is_none_or(|heading| heading != ADDED) {
        return memory;
    }
    let is_global = memory.scope.level == Level::Global;
    memory.kind = if is_global { MemoryKind::User } else { MemoryKind::Project };
    memory.source.layer = Layer::Memory;
    memory.source.generation = "added_memories".to_owned();
    memory.finished()
}
