//! The files on one shelf of a harness.

use camino::{Utf8Path, Utf8PathBuf};
use walkdir::WalkDir;

use crate::error::Error;
use crate::harness::Shelf;

/// Returns the files whose paths `is_wanted` tells, and adds to `unreadable` what could not be looked
/// into.
pub(super) fn on_shelf(
    is_wanted: &dyn Fn(&Utf8Path) -> bool,
    shelf: &Shelf,
    unreadable: &mut Vec<Error>,
) -> Vec<Utf8PathBuf> {
    let mut paths = Vec::new();
    let walk = WalkDir::new(&shelf.folder).min_depth(1).max_depth(shelf.depth).follow_links(true);
    for entry in walk.sort_by_file_name() {
        match entry {
            Ok(entry) if entry.file_type().is_file() => {
                match Utf8PathBuf::from_path_buf(entry.into_path()) {
                    Ok(path) if is_wanted(&path) => paths.push(path),
                    Ok(_) => {}
                    Err(path) => unreadable.extend(unnamed(is_wanted, &path.to_string_lossy())),
                }
            }
            Ok(_) => {}
            Err(error) => unreadable.extend(unreadable_place(is_wanted, &error)),
        }
    }
    paths
}

/// Says that a file that is wanted has a name that is no text.
fn unnamed(is_wanted: &dyn Fn(&Utf8Path) -> bool, shown: &str) -> Option<Error> {
    let cause = std::io::Error::other("its name is not UTF-8");
    is_wanted(shown.into()).then(|| Error::read(shown, cause))
}

/// Returns an error worth telling; a folder that is not there is none, but a link to a session that is gone.
fn unreadable_place(
    is_wanted: &dyn Fn(&Utf8Path) -> bool,
    error: &walkdir::Error,
) -> Option<Error> {
    use std::io::ErrorKind::{NotADirectory, NotFound};
    let cause = error.io_error()?;
    let path = error.path().and_then(Utf8Path::from_path).unwrap_or(Utf8Path::new("?"));
    let is_lost = || path.is_symlink() && is_wanted(path);
    if matches!(cause.kind(), NotFound | NotADirectory) && !is_lost() {
        return None;
    }
    Some(Error::read(path, std::io::Error::new(cause.kind(), cause.to_string())))
}
