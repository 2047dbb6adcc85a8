//! `AGENTS.md`: the context files that humans write, from the top of the project down.

use camino::{Utf8Path, Utf8PathBuf};

use super::entry::{self, Page};
use super::place;
use crate::harness::memory::files::without_blocks;
use crate::harness::memory::sections::sections;
use crate::harness::memory::{At, Stored, Tree};
use crate::model::{Layer, Memory, MemoryKind};
use crate::note::{NoteKind, Notes};

/// How much of the project's context files is loaded, in bytes, if the settings say nothing.
const WINDOW: usize = 32 * 1024;

/// A context file that is loaded, and how much of it.
pub(super) struct Loaded<'t> {
    pub(super) path: Utf8PathBuf,
    pub(super) file: &'t Stored,
    /// How many of its bytes are loaded.
    pub(super) bytes: usize,
}

/// Returns the context files that are loaded: that of the home first, then from the top down.
pub(super) fn loaded<'t>(tree: &'t Tree, at: &At) -> Vec<Loaded<'t>> {
    let (window, fallbacks) = settings(tree, at);
    let first = |folder: &Utf8Path, fallbacks: &[String]| {
        let names = place::CONTEXT.into_iter().chain(fallbacks.iter().map(String::as_str));
        let mut paths = names.map(|name| folder.join(name));
        paths.find_map(|path| tree.get(&path).map(|file| (path, file)))
    };
    let mut found: Vec<_> = first(&at.home, &[])
        .map(|(path, file)| Loaded { path, file, bytes: file.bytes.len() })
        .into_iter()
        .collect();
    let mut room = window;
    for folder in place::chain(at) {
        let Some((path, file)) = first(&folder, &fallbacks) else { continue };
        let bytes = file.bytes.len().min(room);
        room -= bytes;
        found.push(Loaded { path, file, bytes });
    }
    found
}

/// Returns the budget for the project's files, and the names that are read where the usual are not there.
pub(super) fn settings(tree: &Tree, at: &At) -> (usize, Vec<String>) {
    let text = tree.get(&at.home.join(place::CONFIG)).map(Stored::text).unwrap_or_default();
    let top = text.lines().take_while(|line| !line.trim_start().starts_with('['));
    let (mut window, mut names) = (WINDOW, Vec::new());
    for line in top {
        let Some((name, value)) = line.split_once('=') else { continue };
        match name.trim() {
            "project_doc_max_bytes" => {
                window = value.trim().replace('_', "").parse().unwrap_or(WINDOW);
            }
            "project_doc_fallback_filenames" => {
                let quoted = value.split(['"', '\'']).skip(1).step_by(2);
                names = quoted.filter(|name| !name.contains('/')).map(str::to_owned).collect();
            }
            _ => {}
        }
    }
    (window, names)
}

/// Reads the context files that are loaded, section by section.
pub(super) fn read(tree: &Tree, at: &At, notes: &mut Notes) -> Vec<Memory> {
    let mut found = Vec::new();
    let all = loaded(tree, at);
    let known: Vec<_> = all.iter().map(|one| one.path.clone()).collect();
    for Loaded { path, file, bytes } in &all {
        let page = Page { path, file, at, layer: Layer::Instructions, generation: "agents" };
        found.extend(file_of(page, *bytes, notes));
    }
    // One that was given by its path lies in no folder that is looked through.
    let others = tree.of(Layer::Instructions).filter(|(path, _)| {
        !known.contains(path) && path.parent().is_none_or(|folder| !is_searched(folder, at))
    });
    for (path, file) in others {
        let page = Page { path, file, at, layer: Layer::Instructions, generation: "agents" };
        found.extend(file_of(page, file.bytes.len(), notes));
    }
    found
}

fn is_searched(folder: &Utf8Path, at: &At) -> bool {
    folder == at.home || place::chain(at).iter().any(|other| other == folder)
}

fn file_of(page: Page<'_>, loaded: usize, notes: &mut Notes) -> Vec<Memory> {
    let text = without_blocks(&page.file.text());
    let mut found = Vec::new();
    for piece in sections(&text) {
        if piece.place.start >= loaded {
            notes.add(
                NoteKind::BeyondWindow,
                page.path.file_name().unwrap_or(""),
                piece.lines.0 as u64,
            );
        }
        let mut memory = page.entry(&text[piece.place.clone()], piece.lines);
        memory.kind = MemoryKind::Instruction;
        memory.title = match (piece.is_bullet, piece.path.last()) {
            (false, Some(heading)) => heading.clone(),
            _ => entry::title(&piece.body),
        };
        if !piece.path.is_empty() {
            memory.extra.insert("section".to_owned(), piece.path.join(" > ").into());
        }
        memory.body_md = piece.body;
        found.push(memory.finished());
    }
    found
}
