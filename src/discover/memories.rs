//! Gathers the files that hold memories.

use std::fs::File;
use std::io::Read as _;

use camino::{Utf8Path, Utf8PathBuf};
use jiff::Timestamp;
use walkdir::WalkDir;

use crate::harness::memory::{At, LINKED, Memories, Shelf, Stored, Tree};

/// A larger file holds no memories, in bytes; no harness loads one either.
const MOST_BYTES: u64 = 4 * 1024 * 1024;
/// How often files may point at further files.
const ROUNDS: usize = 12;
/// How many files are read at most.
const MOST_FILES: usize = 20_000;

/// Reads every file that `harness` keeps memories in, and those that they point at.
pub fn gather(harness: &dyn Memories, at: &At) -> Tree {
    gathered(harness, harness.shelves(at), at)
}

/// Reads a file that was given by its path, and those that it points at.
pub fn gather_file(harness: &dyn Memories, shelf: Shelf, at: &At) -> Tree {
    gathered(harness, vec![shelf], at)
}

fn gathered(harness: &dyn Memories, mut shelves: Vec<Shelf>, at: &At) -> Tree {
    let mut tree = Tree::default();
    for _ in 0..ROUNDS {
        shelves.retain(|shelf| tree.seen.insert(shelf.path.clone()));
        if shelves.is_empty() {
            break;
        }
        shelves.iter().for_each(|shelf| take(shelf, &mut tree));
        shelves = harness.more(&tree, at);
    }
    tree
}

/// Puts the files of a shelf into `tree`; what is there already stays.
fn take(shelf: &Shelf, tree: &mut Tree) {
    if shelf.depth == 0 {
        if shelf.path.is_file() {
            put(shelf, &shelf.path, tree);
        }
        return;
    }
    let walk = WalkDir::new(&shelf.path)
        .max_depth(shelf.depth)
        .follow_links(shelf.follow_links)
        .sort_by_file_name();
    let hidden = |name: &str| name.starts_with('.');
    let entries = walk.into_iter().filter_entry(|entry| {
        entry.depth() == 0 || entry.file_name().to_str().is_some_and(|name| !hidden(name))
    });
    for entry in entries {
        let entry = match entry {
            Ok(entry) if !entry.file_type().is_dir() => entry,
            Ok(_) => continue,
            Err(error) => {
                unread(&error, tree);
                continue;
            }
        };
        let kind = entry.file_type();
        let Ok(path) = Utf8PathBuf::from_path_buf(entry.into_path()) else { continue };
        if !path.as_str().to_lowercase().ends_with(shelf.suffix) {
            continue;
        }
        if tree.files.len() >= MOST_FILES {
            let why = format!("there are more than {MOST_FILES} files: the rest is not read");
            tree.unreadable.insert(shelf.path.clone(), why);
            return;
        }
        if kind.is_file() {
            put(shelf, &path, tree);
        } else {
            let why = if kind.is_symlink() { LINKED } else { "it is no file" };
            tree.unreadable.insert(path, why.to_owned());
        }
    }
}

/// Keeps in mind that a folder could not be looked into; one that is not there is none.
fn unread(error: &walkdir::Error, tree: &mut Tree) {
    use std::io::ErrorKind::{NotADirectory, NotFound};
    let is_gone =
        error.io_error().is_some_and(|cause| matches!(cause.kind(), NotFound | NotADirectory));
    let path = error.path().and_then(|path| Utf8PathBuf::from_path_buf(path.to_owned()).ok());
    if let Some(path) = path.filter(|_| !is_gone) {
        let why = error.io_error().map_or_else(|| error.to_string(), crate::error::unread);
        tree.unreadable.insert(path, why);
    }
}

fn put(shelf: &Shelf, path: &Utf8Path, tree: &mut Tree) {
    if tree.files.contains_key(path) {
        return;
    }
    match read(path) {
        Ok((bytes, modified_at)) => tree.put(
            path,
            Stored {
                shelf: shelf.path.clone(),
                layer: shelf.layer,
                scope: shelf.scope.clone(),
                bytes,
                modified_at,
                imported: shelf.imported,
            },
        ),
        Err(why) => {
            tree.unreadable.insert(path.to_owned(), why);
        }
    }
}

fn read(path: &Utf8Path) -> Result<(Vec<u8>, Option<String>), String> {
    let said = |cause: std::io::Error| crate::error::unread(&cause);
    let file = File::open(path).map_err(said)?;
    let meta = file.metadata().map_err(said)?;
    let modified = meta.modified().ok().and_then(|time| Timestamp::try_from(time).ok());
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(said)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err("it is over 4 MiB, which no harness loads".to_owned());
    }
    if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) || bytes.contains(&0) {
        return Err("it is no text in UTF-8".to_owned());
    }
    Ok((bytes, modified.map(|time| time.to_string())))
}
