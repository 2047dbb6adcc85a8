//! Memories out of the gathered files.

use camino::Utf8Path;
use serde_json::Value;

use super::super::NAME;
use super::places;
use crate::harness::memory::files::{pieces, source, topics, without_blocks};
use crate::harness::memory::index::Pointers;
use crate::harness::memory::row::FILES;
use crate::harness::memory::sections::{Section, sections};
use crate::harness::memory::{At, Read, Stored, Tree, managed, settings, topic};
use crate::model::{DatedBy, Layer, Memory, MemoryKind};
use crate::note::NoteKind;

/// Reads every memory of `tree`.
pub(super) fn read(tree: &Tree, at: &At) -> Read {
    let mut out = Read::default();
    let pointers = Pointers::of(tree);
    for (path, file) in &tree.files {
        match file.layer {
            Layer::Memory | Layer::Agent => topics(NAME, path, file, (tree, &pointers), &mut out),
            Layer::Rules => out.memories.push(rule(path, file)),
            Layer::Instructions => {}
            Layer::Session => out.memories.extend(session(path, file)),
            _ => continue,
        }
        if file.layer.is_human() {
            out.memories.extend(managed::read(file, NAME, path));
        }
        if file.layer == Layer::Instructions {
            out.memories.extend(pieces(NAME, path, file, MemoryKind::Instruction, "sections"));
        }
        if matches!(file.text(), std::borrow::Cow::Owned(text) if text.contains('\u{fffd}')) {
            out.notes.add(NoteKind::WrongEncoding, path.as_str(), 0);
        }
    }
    // A file of rules that holds nothing but our block is no rule; a memory may be its summary alone.
    let is_told =
        |memory: &Memory| memory.source.layer != Layer::Rules && !memory.summary.is_empty();
    out.memories.retain(|memory| !memory.body_md.is_empty() || is_told(memory));
    settings::note(tree, settings::plain, &mut out.notes);
    places::note_passed_over(tree, at, &mut out.notes);
    for (path, line, why) in places::followed(tree, at).refused {
        out.notes.add(NoteKind::UnfollowedImport, &format!("{path}: {why}"), line as u64);
    }
    out
}

/// Reads a file of rules: one memory, with the files that it is for.
fn rule(path: &Utf8Path, file: &Stored) -> Memory {
    let text = without_blocks(&file.text());
    let stem = path.file_stem().unwrap_or_default();
    let mut memory = topic::read(&text, stem, file, source(NAME, path, file, ""));
    memory.kind = MemoryKind::Instruction;
    memory.kind_as_written = None;
    memory.source.generation = "rule".to_owned();
    let files = match memory.extra.get(FILES) {
        Some(Value::Array(all)) => all.iter().filter_map(Value::as_str).collect(),
        Some(Value::String(all)) => all.split(", ").collect(),
        _ => Vec::new(),
    };
    // No other place holds a rule back until such a file is read, so that its text has to say it.
    if !files.is_empty() && !memory.body_md.is_empty() {
        memory.led_by(&format!("For files `{}`:", files.join("`, `")));
    }
    memory.finished()
}

/// Reads the notes that older versions kept of a session: its sections, less the line in italics that
/// says what belongs into each.
fn session(path: &Utf8Path, file: &Stored) -> Option<Memory> {
    let text = file.text();
    let is_template =
        |line: &&str| !(line.starts_with('_') && line.trim_end().ends_with('_') && line.len() > 2);
    let body: Vec<&str> = text.lines().filter(is_template).collect();
    let said: Vec<Section> = sections(&body.join("\n"));
    let title =
        said.iter().find(|piece| piece.path.first().is_some_and(|name| name == "Session Title"));
    let title = title.map(|piece| crate::model::clipped(&piece.body, 80));
    let body: Vec<_> = said
        .iter()
        .map(|piece| format!("# {}\n\n{}", piece.path.join(" / "), piece.body))
        .collect();
    let mut source = source(NAME, path, file, "session_memory");
    source.session_id = path.ancestors().nth(2).and_then(Utf8Path::file_name).map(str::to_owned);
    (!body.is_empty()).then(|| {
        Memory {
            kind: MemoryKind::Task,
            title: title.unwrap_or_else(|| "Notes of a session".to_owned()),
            body_md: body.join("\n\n"),
            scope: file.scope.clone(),
            dated_by: file.modified_at.as_ref().map(|_| DatedBy::File),
            updated_at: file.modified_at.clone(),
            source,
            ..Memory::default()
        }
        .finished()
    })
}
