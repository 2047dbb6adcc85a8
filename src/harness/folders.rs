//! Folders and files that a harness has of its own.

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

/// A folder with session files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shelf {
    /// The folder.
    pub folder: Utf8PathBuf,
    /// How many levels of folders to go down; 1 means the files right in it.
    pub depth: usize,
}

/// A file of a project that a harness reads at its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContextFile {
    /// Its name.
    pub name: &'static str,
    /// The name of a file that is read in its place where it stands beside it.
    pub instead: Option<&'static str>,
    /// How many bytes of it, and of those in the folders above, are read; nothing for all.
    pub window: Option<u64>,
}

/// Returns a path without `.`, and without `..` as far as what that leads out of is known.
pub(super) fn cleaned(path: &Utf8Path) -> Utf8PathBuf {
    let mut clean = Utf8PathBuf::new();
    for part in path.components() {
        match (part, clean.components().next_back()) {
            (Utf8Component::CurDir, _) => {}
            (Utf8Component::ParentDir, Some(Utf8Component::Normal(_))) => _ = clean.pop(),
            // Nothing is above the root.
            (Utf8Component::ParentDir, Some(Utf8Component::RootDir | Utf8Component::Prefix(_))) => {
            }
            (part, _) => clean.push(part),
        }
    }
    clean
}
