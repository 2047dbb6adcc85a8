//! Files of memories and of instructions to memories, as harnesses with topic files and context files have them.

use std::ops::Range;

use camino::Utf8Path;

use super::fields::headed;
use super::folder::INDEX;
use super::index::{Pointers, is_one, missing};
use super::sections::{Section, sections};
use super::{Read, Stored, Tree, topic};
use crate::block::{self, MEMORY, PACK};
use crate::model::{DatedBy, Layer, Memory, MemoryKind, MemorySource, digest, slug};
use crate::note::{NoteKind, Notes};

/// Returns where the memories of a file stand.
pub fn source(harness: &str, path: &Utf8Path, file: &Stored, generation: &str) -> MemorySource {
    // Files of one name in folders of two kinds are told apart by the folder.
    let top = match file.layer {
        Layer::Memory => Some(file.shelf.as_path()),
        _ => file.shelf.parent(),
    };
    let key = top.filter(|_| *path != file.shelf).and_then(|top| path.strip_prefix(top).ok());
    let key = key.unwrap_or(path);
    MemorySource {
        harness: harness.to_owned(),
        path: path.to_string(),
        layer: file.layer,
        key: key.to_string(),
        generation: generation.to_owned(),
        first_line: Some(1),
        ..MemorySource::default()
    }
}

/// Reads a file of a folder of memories.
pub fn topics(
    harness: &str,
    path: &Utf8Path,
    file: &Stored,
    (tree, pointers): (&Tree, &Pointers<'_>),
    out: &mut Read,
) {
    if path.file_name() == Some(INDEX) {
        let found = index(harness, path, file, tree, &mut out.notes);
        out.memories.extend(found);
        return;
    }
    let text = file.text();
    let stem = path.file_stem().unwrap_or_default();
    let mut memory = topic::read(&text, stem, file, source(harness, path, file, ""));
    if headed(&text).is_none()
        && let Some(hook) = pointers.hook(path)
    {
        hook.clone_into(&mut memory.summary);
    }
    // A memory may be its summary alone; a file without either is none.
    if memory.body_md.is_empty() && memory.summary.is_empty() {
        if !text.trim().is_empty() {
            out.notes.add(NoteKind::NotAMemory, path.as_str(), 0);
        }
        return;
    }
    memory.keywords.extend(agent(file, path));
    out.memories.push(memory.finished());
}

/// Returns the sub-agent that a memory belongs to.
fn agent(file: &Stored, path: &Utf8Path) -> Option<String> {
    let is_agent = file.layer == Layer::Agent;
    let mut above = path.ancestors().skip(1).take_while(|_| is_agent);
    let folder = above.find(|folder| {
        folder
            .parent()
            .and_then(Utf8Path::file_name)
            .is_some_and(|name| name.starts_with("agent-memory"))
    })?;
    folder.file_name().map(str::to_owned)
}

/// Reads what an index says besides its lines that point at files: some hold the memories themselves.
fn index(
    harness: &str,
    path: &Utf8Path,
    file: &Stored,
    tree: &Tree,
    notes: &mut Notes,
) -> Vec<Memory> {
    for link in missing(path, file, tree) {
        notes.add(NoteKind::MissingMemory, &format!("{path}: {}", link.file), link.line as u64);
    }
    let mut found = pieces(harness, path, file, MemoryKind::Reference, "index_text");
    let agent = agent(file, path);
    for memory in &mut found {
        memory.keywords.extend(agent.clone());
    }
    found.retain(|memory| !is_one(&format!("- {}", memory.body_md)) && !is_one(&memory.body_md));
    found
}

/// Cuts a file into sections, each a memory; our own blocks aside.
pub fn pieces(
    harness: &str,
    path: &Utf8Path,
    file: &Stored,
    kind: MemoryKind,
    generation: &str,
) -> Vec<Memory> {
    let whole = without_blocks(&file.text());
    let text = headed(&whole).map_or(whole.as_str(), |head| head.body);
    let skipped = whole.lines().count() - text.lines().count();
    sections(text)
        .into_iter()
        .map(|piece| {
            let source = source(harness, path, file, generation);
            of_section(source, file, piece, kind, skipped)
        })
        .collect()
}

/// Returns a text with blanks in place of what this program put into it, so that places stay.
pub fn without_blocks(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for kind in [PACK, MEMORY] {
        let Ok(Some(found)) = block::find(&bytes, kind) else { continue };
        blank(&mut bytes, found.place);
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

fn blank(bytes: &mut [u8], place: Range<usize>) {
    for byte in bytes[place].iter_mut().filter(|byte| !byte.is_ascii_whitespace()) {
        *byte = b' ';
    }
}

fn of_section(
    mut source: MemorySource,
    file: &Stored,
    piece: Section,
    kind: MemoryKind,
    skipped: usize,
) -> Memory {
    let heading = piece.path.last().cloned();
    let first = crate::model::clipped(&crate::model::first_sentence(&piece.body), 80);
    let title = match heading {
        Some(heading) if !piece.is_bullet => heading,
        _ => first,
    };
    let place = piece.path.join(" / ");
    source.key = format!("{}#{place}#{}", source.key, &digest(&[&piece.body])[..12]);
    source.first_line = Some(piece.lines.0 + skipped);
    source.last_line = Some(piece.lines.1 + skipped);
    Memory {
        kind,
        name: slug(&title),
        title,
        keywords: piece.path,
        links: topic::links(&piece.body),
        body_md: piece.body,
        scope: file.scope.clone(),
        dated_by: file.modified_at.as_ref().map(|_| DatedBy::File),
        updated_at: file.modified_at.clone(),
        source,
        ..Memory::default()
    }
    .finished()
}
