//! One store as it is and as it will be.

use camino::{Utf8Path, Utf8PathBuf};

use crate::harness::hermes::entries::{SEPARATOR, chars, entries, is_exact, joined, plain};
use crate::harness::hermes::limits::{Kind, limit};
use crate::harness::hermes::{MEMORIES, home_of};
use crate::harness::memory::{At, Tree};
use crate::model::clipped;
use crate::plan::{FullEntry, FullStore};

/// How much of an entry a listing shows, in characters.
const PREVIEW_CHARS: usize = 80;

/// One store, with the entries that it is to have.
pub(super) struct Store {
    pub(super) kind: Kind,
    pub(super) path: Utf8PathBuf,
    pub(super) limit: usize,
    /// Every entry, doubled ones too.
    pub(super) entries: Vec<String>,
    /// The entries are no longer those of the file.
    pub(super) is_changed: bool,
    /// Why nothing may be written to it.
    pub(super) refuses: Option<String>,
    /// Its lines end with a return too, as the harness itself writes them on some systems.
    returns: bool,
    /// The harness would refuse to write to the file as it was.
    is_odd: bool,
}

impl Store {
    /// The store of the home.
    pub(super) fn of(kind: Kind, tree: &Tree, at: &At) -> Self {
        Self::at(kind, at.home.join(MEMORIES).join(kind.file()), tree)
    }

    /// The store at `path`.
    pub(super) fn at(kind: Kind, path: Utf8PathBuf, tree: &Tree) -> Self {
        let limit = limit(kind, tree, home_of(&path).unwrap_or(Utf8Path::new("")));
        let file = tree.get(&path);
        let is_text = file.is_none_or(|file| std::str::from_utf8(&file.bytes).is_ok());
        let text = file.map(plain).unwrap_or_default();
        let entries: Vec<_> =
            entries(&text).into_iter().map(|entry| entry.text.to_owned()).collect();
        let refuses = match tree.unreadable.get(&path) {
            Some(why) => Some(format!("`{path}` cannot be read: {why}")),
            None => (!is_text).then(|| format!("`{path}` is not in UTF-8")),
        };
        let is_odd = !is_exact(&text);
        let first = file.and_then(|file| file.bytes.split_inclusive(|byte| *byte == b'\n').next());
        let returns = first.is_some_and(|line| line.ends_with(b"\r\n"));
        Self { kind, path, limit, entries, is_changed: false, refuses, returns, is_odd }
    }

    pub(super) fn has(&self, text: &str) -> bool {
        self.entries.iter().any(|entry| entry == text)
    }

    pub(super) fn text(&self) -> String {
        let text = joined(&self.entries);
        if self.returns { text.replace('\n', "\r\n") } else { text }
    }

    fn used(&self) -> usize {
        chars(&self.entries)
    }

    /// Returns what further entries may use, each with a separator before it, in characters.
    pub(super) fn room(&self) -> usize {
        let first = if self.entries.is_empty() { SEPARATOR.chars().count() } else { 0 };
        (self.limit + first).saturating_sub(self.used())
    }

    /// Tells whether the store stays within its limit with `text` in place of an entry; a shorter
    /// one always may be put in.
    pub(super) fn fits_in_place_of(&self, index: usize, text: &str) -> bool {
        let (old, new) = (self.entries[index].chars().count(), text.chars().count());
        new <= old || self.used() - old + new <= self.limit
    }

    /// Says why a text does not come in.
    pub(super) fn no_room_for(&self, text: &str) -> String {
        let (file, used, limit) = (self.kind.file(), self.used(), self.limit);
        let chars = text.chars().count();
        format!("no room: {file} has {used} of {limit} characters, and this entry {chars}")
    }

    /// Lists what the store holds, for one who has to make room for `wanting`.
    pub(super) fn listing(&self, wanting: &[String]) -> FullStore {
        FullStore {
            path: self.path.clone(),
            used: self.used(),
            limit: self.limit,
            unit: "characters",
            entries: self.entries.iter().map(|text| shown(text)).collect(),
            left_out: wanting.iter().map(|text| shown(text)).collect(),
        }
    }

    /// Returns what the user should know of a file that changes.
    pub(super) fn warnings(&self) -> Vec<String> {
        let (file, limit) = (self.kind.file(), self.limit);
        let longest = self.entries.iter().map(|entry| entry.chars().count()).max().unwrap_or(0);
        let odd = (self.is_odd && self.is_changed)
            .then(|| format!("{file}: blanks around its separators are set right"));
        let long = (longest > limit).then(|| {
            format!("{file} has an entry of {longest} characters; over {limit} none of its entries can be changed by the agent")
        });
        odd.into_iter().chain(long).collect()
    }
}

fn shown(text: &str) -> FullEntry {
    FullEntry { size: text.chars().count(), preview: clipped(text, PREVIEW_CHARS) }
}
