//! Where harnesses keep their sessions, for messages and for what must not be written over.

use camino::Utf8Path;

use super::{World, shelves, some_or_all};
use crate::error::NOT_THERE;
use crate::harness::{self, Harness, Shelf};

/// Returns one line a shelf, for telling the user where was looked.
pub fn places(world: &World<'_>, harness: Option<&'static dyn Harness>) -> Vec<String> {
    let place = |harness: &'static dyn Harness, shelf: Shelf| {
        format!("{}: {}{}", harness.title(), shelf.folder, absent(&shelf.folder))
    };
    let of = |harness| {
        let shelves = shelves(world, harness, None);
        shelves.into_iter().map(move |shelf| place(harness, shelf))
    };
    some_or_all(harness).flat_map(of).collect()
}

/// Returns the harness that keeps the file at `path`, which has no links in it, among its sessions.
pub fn keeper(
    path: &Utf8Path,
    var: &dyn Fn(&str) -> Option<String>,
) -> Option<&'static dyn Harness> {
    let holds = |shelf: Shelf| {
        let real = shelf.folder.canonicalize_utf8();
        real.is_ok_and(|folder| path.starts_with(folder))
    };
    let keeps = |harness: &&dyn Harness| {
        let shelves = harness.home(var).map(|home| harness.shelves(&home, None));
        harness.may_be_session(path) && shelves.into_iter().flatten().any(holds)
    };
    harness::ALL.iter().copied().find(keeps)
}

/// Says of a folder that is none what stands in its way.
fn absent(folder: &Utf8Path) -> String {
    if folder.is_dir() {
        return String::new();
    }
    match folder.ancestors().find(|above| above.exists()) {
        Some(file) if !file.is_dir() => format!(" (`{file}` is no folder)"),
        _ => NOT_THERE.to_owned(),
    }
}
