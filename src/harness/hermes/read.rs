//! Entries of both stores to memories.

use std::collections::BTreeSet;

use camino::Utf8Path;

use super::entries::{self, Entry};
use super::limits::Kind;
use super::{MANIFEST, NAME, compose};
use crate::harness::memory::manifest::Manifest;
use crate::harness::memory::{At, Read, Stored, Tree};
use crate::model::{
    DatedBy, Layer, Memory, MemoryKind, MemoryScope, MemorySource, clipped, digest, is_day,
};
use crate::note::{NoteKind, Notes};

/// How many words of an entry are its title.
const TITLE_WORDS: usize = 8;
/// What an entry that was written here ends with, before the day and a bracket.
pub(super) const AS_OF: &str = "as of ";

/// Reads every entry.
pub(super) fn read(tree: &Tree, at: &At) -> Read {
    let mut out = Read::default();
    let list = tree.get(&at.home.join(MANIFEST)).map(|file| Manifest::read(&file.text()));
    let list = list.unwrap_or_default();
    for (path, file) in tree.files.iter().filter(|(_, file)| file.layer != Layer::Settings) {
        match super::store_of(path) {
            Some(kind) => store(kind, path, file, at, &mut out),
            None => {
                let name = path.file_name().unwrap_or_default();
                out.notes.add(NoteKind::NotAMemory, name, 0);
            }
        }
    }
    out.memories = out.memories.into_iter().map(|memory| as_written(memory, &list)).collect();
    out
}

/// Returns an entry with what is known of the memory for which it was written.
fn as_written(mut memory: Memory, list: &Manifest) -> Memory {
    let Some((origin, written)) = list.known(&memory.body_md) else {
        return of_named(memory, list);
    };
    memory.copy_of = Some(origin.clone());
    if let Some(project) = &written.project {
        memory.scope = MemoryScope::of_project(Some(Utf8Path::new(project)));
    }
    memory.finished()
}

/// Returns an entry that is not as it was written, in the project that it still names at its start.
fn of_named(mut memory: Memory, list: &Manifest) -> Memory {
    let projects = list.written.values().filter_map(|written| written.project.as_deref());
    let is_named = |project: &&str| {
        let start = compose::for_project(Utf8Path::new(project));
        !start.is_empty() && memory.body_md.starts_with(&start)
    };
    let named: BTreeSet<&str> = projects.filter(is_named).collect();
    let Some(first) = named.first() else { return memory };
    // Of two that are called alike nobody knows which it is.
    let project = Some(Utf8Path::new(first)).filter(|_| named.len() == 1);
    memory.scope = MemoryScope::of_project(project);
    memory.finished()
}

fn store(kind: Kind, path: &Utf8Path, file: &Stored, at: &At, out: &mut Read) {
    if std::str::from_utf8(&file.bytes).is_err() {
        out.notes.add(NoteKind::WrongEncoding, kind.file(), 0);
    }
    let text = entries::plain(file);
    let found = entries::entries(&text);
    for entry in once(kind, &found, &mut out.notes) {
        out.memories.push(memory(kind, entry, path, file, at));
    }
}

/// Returns every entry once, as the harness has them.
fn once<'e, 't>(kind: Kind, found: &'e [Entry<'t>], notes: &mut Notes) -> Vec<&'e Entry<'t>> {
    let mut seen = BTreeSet::new();
    let mut kept = Vec::new();
    for entry in found {
        if seen.insert(entry.text) {
            kept.push(entry);
        } else {
            notes.add(NoteKind::DoubledMemory, kind.file(), entry.lines.0 as u64);
        }
    }
    kept
}

fn memory(kind: Kind, entry: &Entry<'_>, path: &Utf8Path, file: &Stored, at: &At) -> Memory {
    let place = path.strip_prefix(&at.home).unwrap_or(path);
    let said = said_at(entry.text);
    let dated_by = if said.is_some() { DatedBy::Field } else { DatedBy::File };
    let updated_at = said.or_else(|| file.modified_at.clone());
    Memory {
        kind: meaning(kind, entry.text),
        title: title(entry.text),
        body_md: entry.text.to_owned(),
        scope: file.scope.clone(),
        source: MemorySource {
            harness: NAME.to_owned(),
            path: path.to_string(),
            layer: Layer::Memory,
            key: format!("{place}#{}", &digest(&[entry.text])[..12]),
            generation: "entries".to_owned(),
            first_line: Some(entry.lines.0),
            last_line: Some(entry.lines.1),
            session_id: None,
        },
        dated_by: updated_at.as_ref().map(|_| dated_by),
        updated_at,
        verbatim: Some(entry.text.to_owned()),
        ..Memory::default()
    }
    .finished()
}

/// Tells what an entry is about. Rules for the agent stand among what is said of the user.
fn meaning(kind: Kind, text: &str) -> MemoryKind {
    const RULES: [&str; 9] = [
        "always",
        "avoid",
        "don't",
        "instead of",
        "must",
        "never",
        "not to",
        "rather than",
        "do not",
    ];
    const WORK: [&str; 4] = ["project", "repo", "repository", "codebase"];
    let text = text.to_lowercase();
    let words: BTreeSet<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '\'').collect();
    let says = |rule: &&str| {
        if rule.contains(' ') { text.contains(*rule) } else { words.contains(*rule) }
    };
    match kind {
        Kind::User if RULES.iter().any(says) => MemoryKind::Feedback,
        Kind::User => MemoryKind::User,
        Kind::Notes if WORK.iter().any(|word| words.contains(word)) => MemoryKind::Project,
        Kind::Notes => MemoryKind::Reference,
    }
}

fn title(text: &str) -> String {
    /// Longer titles are cut, in characters.
    const MOST: usize = 80;
    let said = |line: &&str| line.contains(char::is_alphanumeric);
    let line = text.lines().find(said).unwrap_or(text);
    let line = line.split_once(" (as of ").map_or(line, |(line, _)| line);
    let line = line.trim_start_matches(['#', '-', '*', ' ']);
    let mut words = line.split_whitespace();
    let title = words.by_ref().take(TITLE_WORDS).collect::<Vec<_>>().join(" ");
    let title = clipped(title.trim_end_matches(['.', ',', ';', ':']), MOST);
    let is_cut = words.next().is_some() && !title.ends_with('…');
    if is_cut { title + "…" } else { title }
}

/// Returns the day that an entry says it was true on, as a time.
fn said_at(text: &str) -> Option<String> {
    let (_, rest) = text.strip_suffix(')')?.rsplit_once(AS_OF)?;
    is_day(rest).then(|| format!("{rest}T00:00:00Z"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_says_what_it_is_and_when_it_was_true() {
        let kind = |text| meaning(Kind::User, text);
        assert_eq!(kind("User lives in Oslo."), MemoryKind::User);
        assert_eq!(kind("User wants tabs, never spaces."), MemoryKind::Feedback);
        assert_eq!(meaning(Kind::Notes, "In the lamp repo the port is 1."), MemoryKind::Project);
        assert_eq!(said_at("It is so. (as of 2026-02-03)").unwrap(), "2026-02-03T00:00:00Z");
        assert_eq!(said_at("It is so. (as of today)"), None);
        assert_eq!(
            title("- One two three four five six seven, eight: nine"),
            "One two three four five six seven, eight…"
        );
        assert_eq!(title("Deploys run on Fridays."), "Deploys run on Fridays");
    }
}
