//! Folders and files that a harness has of its own.

use camino::Utf8PathBuf;

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
