//! Files with memories, as they were gathered.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound::{Included, Unbounded};

use camino::{Utf8Path, Utf8PathBuf};

use crate::model::{Layer, MemoryScope};
use crate::plan::FileChange;

/// Why a link is not read: what it leads to may be anybody's. Its harness may follow it.
pub const LINKED: &str = "links are not followed";

/// Where files of one kind stand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shelf {
    /// A file, or a folder.
    pub path: Utf8PathBuf,
    /// How many levels of folders to go down; 0 means the file itself.
    pub depth: usize,
    /// What the names of its files end in, in any case; empty for all.
    pub suffix: &'static str,
    /// What kind of store it is.
    pub layer: Layer,
    /// Where its memories hold.
    pub scope: MemoryScope,
    /// Whether links are followed.
    pub follow_links: bool,
    /// Whether a context file asks for it.
    pub imported: bool,
}

impl Shelf {
    /// A single file.
    pub fn file(path: impl Into<Utf8PathBuf>, layer: Layer, scope: MemoryScope) -> Self {
        Self { path: path.into(), layer, scope, follow_links: true, ..Self::default() }
    }

    /// A file that a context file asks for.
    pub fn imported(path: Utf8PathBuf, scope: MemoryScope) -> Self {
        Self { imported: true, ..Self::file(path, Layer::Instructions, scope) }
    }

    /// All Markdown files of a folder and of those below it.
    pub fn folder(path: impl Into<Utf8PathBuf>, layer: Layer, scope: MemoryScope) -> Self {
        /// Deeper folders are a mistake, or a loop.
        const DEPTH: usize = 8;
        Self { path: path.into(), depth: DEPTH, suffix: ".md", layer, scope, ..Self::default() }
    }
}

/// A file as it was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stored {
    /// The shelf on which it was found: the folder, or the file itself.
    pub shelf: Utf8PathBuf,
    /// What kind of store it is in.
    pub layer: Layer,
    /// Where its memories hold.
    pub scope: MemoryScope,
    /// What it holds.
    pub bytes: Vec<u8>,
    /// When it was changed last, RFC 3339.
    pub modified_at: Option<String>,
    /// Whether it is here only because a context file asks for it.
    pub imported: bool,
}

impl Stored {
    /// Returns what it holds as text; what is no text is replaced.
    pub fn text(&self) -> Cow<'_, str> {
        let text = String::from_utf8_lossy(&self.bytes);
        match text.strip_prefix('\u{feff}') {
            Some(bare) => Cow::Owned(bare.to_owned()),
            None => text,
        }
    }
}

/// The files of one harness that hold memories, or say how to read them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    /// The files by their path.
    pub files: BTreeMap<Utf8PathBuf, Stored>,
    /// The shelves that were looked at, whether or not anything was there.
    pub seen: BTreeSet<Utf8PathBuf>,
    /// Files that are there and could not be read, each with what is wrong.
    pub unreadable: BTreeMap<Utf8PathBuf, String>,
}

impl Tree {
    /// Returns the file at `path`.
    pub fn get(&self, path: &Utf8Path) -> Option<&Stored> {
        self.files.get(path)
    }

    /// Tells whether there is a file at `path`, or may be: it, or a folder above it, could not be read.
    pub fn is_there(&self, path: &Utf8Path) -> bool {
        let is_unread = |path: &Utf8Path| self.unreadable.contains_key(path);
        self.files.contains_key(path) || path.ancestors().any(is_unread)
    }

    /// Returns what the file at `path` holds, as bytes.
    pub fn bytes(&self, path: &Utf8Path) -> Option<Vec<u8>> {
        self.files.get(path).map(|file| file.bytes.clone())
    }

    /// Returns the files below `folder`, each with its path from there.
    pub fn below<'t>(
        &'t self,
        folder: &'t Utf8Path,
    ) -> impl Iterator<Item = (&'t Utf8Path, &'t Stored)> {
        // In their order those below a folder follow it.
        let files = self.files.range::<Utf8Path, _>((Included(folder), Unbounded));
        files.map_while(move |(path, file)| Some((path.strip_prefix(folder).ok()?, file)))
    }

    /// Returns the files of one layer.
    pub fn of(&self, layer: Layer) -> impl Iterator<Item = (&Utf8PathBuf, &Stored)> {
        self.files.iter().filter(move |(_, file)| file.layer == layer)
    }

    /// Makes the changes of a plan.
    pub fn change(&mut self, changes: &[FileChange]) {
        for FileChange { path, after, .. } in changes {
            match after {
                Some(bytes) => self.files.entry(path.clone()).or_default().bytes.clone_from(bytes),
                None => _ = self.files.remove(path),
            }
        }
    }

    /// Puts a file in, as a test or a gathering does.
    pub fn put(&mut self, path: impl Into<Utf8PathBuf>, file: Stored) {
        self.files.insert(path.into(), file);
    }
}
