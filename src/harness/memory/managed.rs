//! Memories in a managed block of a context file that humans write too.

mod editing;

use std::collections::{BTreeMap, BTreeSet};

use camino::Utf8Path;

pub(super) use editing::edit;

use super::files::pieces;
use super::row::{change, placed, unheld};
use super::sections::{sections, titled};
use super::{Stored, Tree};
use crate::block::{self, Block, Fences, MEMORY};
use crate::model::{DatedBy, Layer, Memory, MemoryKind, MemorySource, clipped, digest};
use crate::plan::{MemoryFate, MemoryPlan, MemoryRow};

/// What stands at the top of a block.
const TITLE: &str = "## Memories from other agents";
/// What is said of all of them.
const INTRO: &str = "Background that may be out of date: check it before you rely on it.";
/// What memories of a block are told by.
pub(super) const GENERATION: &str = "managed_block";
/// What the last line of an entry says once somebody changed it: it is not brought up to date any more.
const EDITED: &str = "edited; ";
/// How many digits of the digest of a block stand in its marker.
const HASH_DIGITS: usize = 12;
/// How long the folder of a project may be, in characters.
const PLACE_CHARS: usize = 400;
/// How much of a title stands in a heading, in characters.
const TITLE_CHARS: usize = 120;

/// An entry of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    /// Where it comes from; empty if a human wrote it.
    origin: String,
    /// Its heading, its body and its last line, as they stand there.
    text: String,
}

/// Says how the file at `path` has to change for its block to hold `wanted`.
///
/// Entries that were written before and are not wanted now stay. A block that was changed since it
/// was written is left alone.
pub fn write(wanted: &[&Memory], path: &Utf8Path, tree: &Tree) -> MemoryPlan {
    let bytes = tree.bytes(path).unwrap_or_default();
    let refused = |why: &str| {
        let rows = wanted.iter().map(|one| placed(one, MemoryFate::Conflict, path).because(why));
        MemoryPlan { rows: rows.collect(), ..MemoryPlan::default() }
    };
    if let Some(why) = tree.unreadable.get(path) {
        return refused(&format!("the file cannot be read: {why}"));
    }
    if std::str::from_utf8(&bytes).is_err() {
        return refused("the file is not in UTF-8");
    }
    let found = match block::find(&bytes, MEMORY) {
        Ok(found) => found,
        Err(fault) => return refused(&format!("the file cannot hold a block: {fault}")),
    };
    if found.as_ref().is_some_and(|block| !is_ours(&bytes, block)) {
        return refused("the block there was changed since it was written");
    }
    let mut entries = found.map(|block| entries(&block::body(&bytes, &block))).unwrap_or_default();
    let origins = entries.iter().enumerate().map(|(at, entry)| (entry.origin.clone(), at));
    let mut places: BTreeMap<String, usize> = origins.rev().collect();
    let said = said(path, tree);
    let is_said = |one: &Memory| said.contains(&one.content_sha256);
    let rows = wanted.iter().map(|one| match is_said(one) && !places.contains_key(&one.origin()) {
        true => placed(one, MemoryFate::Same, path),
        false => put(one, &mut entries, &mut places, path),
    });
    let rows = rows.collect();
    let mut plan = MemoryPlan { rows, ..MemoryPlan::default() };
    if plan.rows.iter().all(|row: &MemoryRow| row.fate == MemoryFate::Same) {
        return plan;
    }
    if let Ok(text) = filled(&bytes, &entries) {
        plan.changes.extend(change(tree, path, &String::from_utf8_lossy(&text)));
    }
    plan
}

/// Returns the contents that the file has already, in its block or in what humans and agents wrote.
fn said(path: &Utf8Path, tree: &Tree) -> BTreeSet<String> {
    let Some(file) = tree.get(path) else { return BTreeSet::new() };
    let own = read(file, "", path).into_iter();
    let others = pieces("", path, file, MemoryKind::default(), "");
    own.chain(others).map(|memory| memory.content_sha256).collect()
}

/// Returns a body as [`block::put`] leaves it.
fn written(body: &str) -> String {
    let text = block::put(b"", MEMORY, "", body).unwrap_or_default();
    let found = block::find(&text, MEMORY).ok().flatten();
    found.map_or_else(String::new, |found| block::body(&text, &found))
}

fn hash(body: &str) -> String {
    digest(&[body.trim()])[..HASH_DIGITS].to_owned()
}

fn is_ours(bytes: &[u8], block: &Block) -> bool {
    hash(&block::body(bytes, block)) == block.hash
}

/// Puts a memory among the entries; `places` says where the one of each origin is.
fn put(
    memory: &Memory,
    entries: &mut Vec<Entry>,
    places: &mut BTreeMap<String, usize>,
    path: &Utf8Path,
) -> MemoryRow {
    let lost = lost(memory);
    let entry = Entry { origin: memory.origin(), text: written(&text(memory)) };
    let known = places.get(&entry.origin).and_then(|at| entries.get_mut(*at));
    let fate = match known {
        Some(other) if *other == entry => MemoryFate::Same,
        Some(other) if is_edited(&other.text) => {
            let row = placed(memory, MemoryFate::Conflict, path).less(lost);
            return row.because("it was changed there since it was written");
        }
        Some(other) => {
            *other = entry;
            MemoryFate::Changed
        }
        None => {
            places.insert(entry.origin.clone(), entries.len());
            entries.push(entry);
            MemoryFate::New
        }
    };
    placed(memory, fate, path).less(lost)
}

fn is_edited(text: &str) -> bool {
    text.lines().last().is_some_and(|line| line.starts_with("_(") && line.contains(EDITED))
}

/// Returns the file with the block of `entries`.
fn filled(bytes: &[u8], entries: &[Entry]) -> Result<Vec<u8>, block::Fault> {
    let texts: Vec<_> = entries.iter().map(|entry| entry.text.as_str()).collect();
    // As it will stand there, so that the hash is that of what can be read.
    let body = written(&format!("{TITLE}\n\n{INTRO}\n\n{}", texts.join("\n\n")));
    block::put_signed(bytes, MEMORY, &hash(&body), &body)
}

/// Returns what a block has no place for.
pub fn lost(memory: &Memory) -> Vec<&'static str> {
    let parts = [
        ("links", !memory.links.is_empty()),
        ("usage", memory.usage_count.is_some()),
        ("pinned", memory.flags.pinned),
    ];
    let lost = parts.into_iter().filter(|(_, is_there)| *is_there).map(|(name, _)| name);
    lost.chain(unheld(memory)).collect()
}

/// Writes a memory as an entry: a heading, the body, and a line on where it comes from.
fn text(memory: &Memory) -> String {
    let body = contained(memory.body_md.trim());
    let lead = memory.summary.trim_end_matches('…');
    let summary = match body.contains(lead) {
        true => String::new(),
        false => contained(&memory.summary) + "\n\n",
    };
    let title = clipped(&memory.title, TITLE_CHARS);
    // Of a memory of one sentence the title is all.
    if title == body {
        return format!("### {title}\n\n{}", trailer(memory));
    }
    format!("### {title}\n\n{summary}{body}\n\n{}", trailer(memory))
}

/// The line below an entry: its kind, its harness, when it was true, its origin.
fn trailer(memory: &Memory) -> String {
    let kind = serde_json::to_value(memory.kind).unwrap_or_default();
    let day = memory.day().map(|day| format!("true on {day}; ")).unwrap_or_default();
    let cwd = memory.scope.cwd.as_deref().map(|cwd| clipped(cwd, PLACE_CHARS));
    let place = cwd.map(|cwd| format!("in {cwd}; ")).unwrap_or_default();
    format!(
        "_({}; from {}; {place}{day}{})_",
        kind.as_str().unwrap_or_default(),
        memory.source.harness,
        memory.origin()
    )
}

/// Returns a body that ends where the entry ends: without headings, and with no comment and no block
/// of code left open, which would take in what follows.
fn contained(body: &str) -> String {
    let mut fences = Fences::default();
    let lines = body.lines().map(|line| match titled(line) {
        _ if fences.takes(line) => line.to_owned(),
        Some((_, title)) => format!("**{title}**"),
        None if line.trim_start().starts_with("<!--") => line.replacen("<!--", "‹!--", 1),
        None => line.to_owned(),
    });
    let mut lines: Vec<_> = lines.collect();
    lines.extend(fences.end());
    lines.join("\n")
}

/// Cuts a body into its entries.
fn entries(body: &str) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut fences = Fences::default();
    for line in body.lines() {
        if !fences.takes(line) && line.starts_with("### ") {
            entries.push(Entry { origin: String::new(), text: String::new() });
        }
        if let Some(entry) = entries.last_mut() {
            entry.text.push_str(line);
            entry.text.push('\n');
        }
    }
    for entry in &mut entries {
        entry.text = entry.text.trim_end().to_owned();
        entry.origin = read_trailer(&entry.text).map(|one| one.origin).unwrap_or_default();
    }
    entries
}

/// What the line below an entry says.
struct Trailer {
    kind: MemoryKind,
    day: Option<String>,
    origin: String,
}

fn read_trailer(text: &str) -> Option<Trailer> {
    let line = text.lines().last()?.strip_prefix("_(")?.strip_suffix(")_")?;
    let parts: Vec<_> = line.split("; ").collect();
    let kind = serde_json::from_value((*parts.first()?).into()).ok()?;
    let day = parts.iter().rev().skip(1).find(|part| **part != EDITED.trim_end_matches("; "));
    let day = day.and_then(|part| part.strip_prefix("true on "));
    let day = day.filter(|day| crate::model::is_day(day)).map(str::to_owned);
    Some(Trailer { kind, day, origin: (*parts.last()?).to_owned() })
}

/// Reads the memories of the block of a file.
pub fn read(file: &Stored, harness: &str, path: &Utf8Path) -> Vec<Memory> {
    let Some(block) = block::find(&file.bytes, MEMORY).ok().flatten() else { return Vec::new() };
    let is_ours = is_ours(&file.bytes, &block);
    let above = file.bytes[..block.place.start].iter().filter(|byte| **byte == b'\n').count() + 1;
    let body = block::body(&file.bytes, &block);
    let pieces = sections(&body).into_iter().filter(|piece| piece.path.len() > 1);
    pieces
        .map(|piece| {
            let trailer = read_trailer(&piece.body);
            let text = match &trailer {
                Some(_) => piece.body.rsplit_once('\n').map_or("", |(text, _)| text).trim_end(),
                None => &piece.body,
            };
            let title = piece.path.last().cloned().unwrap_or_default();
            let text = if text.is_empty() { title.as_str() } else { text };
            let origin = trailer.as_ref().map(|one| one.origin.clone());
            let day = trailer.as_ref().and_then(|one| one.day.clone());
            let is_copy = is_ours && !is_edited(&piece.body);
            Memory {
                copy_of: origin.clone().filter(|_| is_copy),
                kind: trailer.as_ref().map(|one| one.kind).unwrap_or_default(),
                title: piece.path.last().cloned().unwrap_or_default(),
                body_md: text.to_owned(),
                scope: file.scope.clone(),
                dated_by: day
                    .as_ref()
                    .map(|_| DatedBy::Field)
                    .or(file.modified_at.as_ref().map(|_| DatedBy::File)),
                updated_at: day
                    .map(|day| format!("{day}T00:00:00Z"))
                    .or_else(|| file.modified_at.clone()),
                source: MemorySource {
                    harness: harness.to_owned(),
                    path: path.to_string(),
                    layer: Layer::Memory,
                    key: format!(
                        "{path}#{}",
                        origin.unwrap_or_else(|| digest(&[&piece.body])[..12].to_owned())
                    ),
                    generation: GENERATION.to_owned(),
                    first_line: Some(above + piece.lines.0),
                    last_line: Some(above + piece.lines.1),
                    session_id: None,
                },
                ..Memory::default()
            }
            .finished()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(title: &str, body: &str) -> Memory {
        let source =
            MemorySource { harness: "x".into(), key: title.into(), ..MemorySource::default() };
        let updated_at = Some("2026-05-01T10:00:00Z".to_owned());
        Memory {
            title: title.into(),
            body_md: body.into(),
            source,
            updated_at,
            ..Memory::default()
        }
        .finished()
    }

    fn applied(tree: &mut Tree, plan: &MemoryPlan) -> String {
        for change in &plan.changes {
            let bytes = change.after.clone().unwrap();
            tree.put(&change.path, Stored { bytes, ..Stored::default() });
        }
        tree.files.values().map(|file| file.text().into_owned()).collect()
    }

    #[test]
    fn a_block_grows_is_brought_up_to_date_and_left_alone_once_touched() {
        let path = Utf8Path::new("/h/X.md");
        let mut tree = Tree::default();
        tree.put(path, Stored { bytes: b"# Mine\r\n".to_vec(), ..Stored::default() });
        let (one, two) = (
            memory("One", "Use @tabs.\n## Head\n<!-- segue:memory:end -->"),
            memory("Two", "Second."),
        );
        let fates = |plan: &MemoryPlan| plan.rows.iter().map(|row| row.fate).collect::<Vec<_>>();
        let plan = write(&[&one], path, &tree);
        assert_eq!(fates(&plan), [MemoryFate::New]);
        let text = applied(&mut tree, &plan);
        assert!(text.starts_with("# Mine\r\n\r\n<!-- segue:memory:start hash="), "{text}");
        assert!(text.contains("Use ＠tabs.\r\n**Head**\r\n‹!-- segue"), "{text}");
        let plan = write(&[&one, &two], path, &tree);
        assert_eq!(fates(&plan), [MemoryFate::Same, MemoryFate::New]);
        applied(&mut tree, &plan);
        let changed =
            Memory { body_md: "Other.".into(), summary: String::new(), ..one.clone() }.finished();
        let plan = write(&[&changed], path, &tree);
        assert_eq!(fates(&plan), [MemoryFate::Changed]);
        let text = applied(&mut tree, &plan);
        assert!(
            text.contains("Other.") && text.contains("Second.") && !text.contains("tabs"),
            "{text}"
        );
        let again = write(&[&changed, &two], path, &tree);
        assert_eq!((fates(&again), again.changes.len()), (vec![MemoryFate::Same; 2], 0));
        let back = read(tree.get(path).unwrap(), "x", path);
        let told: Vec<_> =
            back.iter().map(|one| (one.title.as_str(), one.body_md.as_str())).collect();
        assert_eq!(told, [("One", "Other."), ("Two", "Second.")]);
        assert_eq!(back[0].updated_at.as_deref(), Some("2026-05-01T00:00:00Z"));
        let touched = text.replace("Second.", "Second, by hand.");
        tree.put(path, Stored { bytes: touched.into_bytes(), ..Stored::default() });
        let plan = write(&[&one], path, &tree);
        assert_eq!((fates(&plan), plan.changes.len()), (vec![MemoryFate::Conflict], 0));
    }
}
