//! Files that stand beside a session: the one it was forked from, those of its sub-agents, and
//! the names that the user gave.

use camino::{Utf8Path, Utf8PathBuf};
use serde::Deserialize;

use super::wire::{Base, Meta, Record};
use crate::json;
use crate::jsonl::{self, Input, Lax};

/// How many forks of forks are followed.
const MAX_FORKS: usize = 64;
/// How many folders are looked into for one file.
const MAX_FOLDERS: usize = 20_000;

/// A file whose lines come before the session's own.
pub(super) struct Link {
    /// The file.
    pub(super) input: Input,
    /// The session that it belongs to; what its items' ids begin with.
    pub(super) id: String,
    /// Records from this ordinal on do not count.
    pub(super) end: u64,
}

/// The files before the session's own, oldest first.
#[derive(Default)]
pub(super) struct Chain {
    /// The files.
    pub(super) links: Vec<Link>,
    /// The session whose file is not there.
    pub(super) missing: Option<String>,
}

/// Follows the forks of `input` back to the first file.
pub(super) fn chain(input: &Input) -> Chain {
    let mut chain = Chain::default();
    let mut next = base(input);
    while let Some((id, end)) = next.take() {
        let seen = chain.links.iter().any(|link| link.id == id);
        let at = chain.links.last().map_or(input, |link| &link.input).path();
        let found = at.filter(|_| !seen && chain.links.len() < MAX_FORKS);
        let found = found.and_then(|path| find(path, &id)).and_then(|path| Input::companion(&path));
        let Some(file) = found else {
            chain.missing = Some(id);
            break;
        };
        next = base(&file);
        chain.links.push(Link { input: file, id, end });
    }
    chain.links.reverse();
    chain
}

/// Returns the session that a file goes on from, and up to where.
fn base(input: &Input) -> Option<(String, u64)> {
    let mut lines = input.lines().ok()?;
    let line = loop {
        let line = lines.next_line().ok()??;
        if !line.bytes.trim_ascii().is_empty() {
            break String::from_utf8_lossy(line.bytes);
        }
    };
    let record: Record<'_> = json::from_str(line.trim().trim_start_matches('\u{feff}')).ok()?;
    if record.kind.get() != Some("session_meta") {
        return None;
    }
    let meta: Meta<'_> = jsonl::shaped(record.payload)?;
    let base: Base<'_> = jsonl::shaped(meta.history_base)?;
    Some((base.thread_id.filled()?.to_owned(), base.end_ordinal_exclusive?))
}

/// Finds the file of session `id`: beside `path`, else in the tree of dated folders above it.
pub(super) fn find(path: &Utf8Path, id: &str) -> Option<Utf8PathBuf> {
    let folder = path.parent()?;
    if let Some(found) = find_in(folder, id) {
        return Some(found);
    }
    let sessions = folder.ancestors().find(|above| above.file_name() == Some("sessions"))?;
    let mut folders = vec![sessions.to_owned()];
    folders.extend(sessions.parent().map(|home| home.join("archived_sessions")));
    for _ in 0..MAX_FOLDERS {
        let folder = folders.pop()?;
        if let Some(found) = find_in(&folder, id) {
            return Some(found);
        }
        folders.extend(folders_in(&folder));
    }
    None
}

/// Finds the file of session `id` right in `folder`; an unpacked one goes before a packed one.
pub(super) fn find_in(folder: &Utf8Path, id: &str) -> Option<Utf8PathBuf> {
    let plain = format!("-{id}.jsonl");
    let packed = format!("-{id}.jsonl.zst");
    let names = folder.read_dir_utf8().ok()?.filter_map(Result::ok);
    let mut found: Vec<_> = names
        .filter(|entry| entry.file_name().ends_with(&plain) || entry.file_name().ends_with(&packed))
        .map(camino::Utf8DirEntry::into_path)
        .collect();
    found.sort();
    found.into_iter().next()
}

fn folders_in(folder: &Utf8Path) -> Vec<Utf8PathBuf> {
    let Ok(entries) = folder.read_dir_utf8() else { return Vec::new() };
    let is_folder = |entry: &camino::Utf8DirEntry| entry.file_type().is_ok_and(|t| t.is_dir());
    let mut folders: Vec<_> = entries
        .filter_map(Result::ok)
        .filter(is_folder)
        .map(camino::Utf8DirEntry::into_path)
        .collect();
    folders.sort();
    folders
}

/// Returns the name that the user gave session `id`, from the index in the harness's home.
pub(super) fn indexed_name(path: &Utf8Path, id: &str) -> Option<String> {
    #[derive(Deserialize, Default)]
    #[serde(default, bound(deserialize = "'de: 'a"))]
    struct Named<'a> {
        id: Lax<'a>,
        thread_name: Lax<'a>,
    }
    let is_shelf = |name| matches!(name, Some("sessions" | "archived_sessions"));
    let shelf = path.ancestors().find(|above| is_shelf(above.file_name()))?;
    let index = Input::companion(&shelf.parent()?.join("session_index.jsonl"))?;
    let mut lines = index.lines().ok()?;
    let mut name = None;
    while let Ok(Some(line)) = lines.next_line() {
        let Ok(named) = serde_json::from_slice::<Named<'_>>(line.bytes) else { continue };
        if named.id.get() == Some(id) {
            name = named.thread_name.filled().map(str::to_owned);
        }
    }
    name
}
