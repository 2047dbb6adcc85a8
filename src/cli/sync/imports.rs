//! Which files are read by way of others: a block in both would be read twice at every start.

use camino::{Utf8Path, Utf8PathBuf};

use crate::block::{self, PACK};
use crate::cli::session::var;
use crate::emit::Context;
use crate::harness;
use crate::harness::memory::{At, imports};

/// Tells of each file which of the others it imports, if it does. Where files import each other in a ring, one
/// of them imports none.
pub(super) fn among(files: &[Context]) -> Vec<Option<usize>> {
    let places: Vec<_> = files.iter().map(|file| real(&file.path)).collect();
    let mut by: Vec<Option<usize>> = Vec::new();
    for (at, file) in files.iter().enumerate() {
        let asked = of(file);
        let is_asked = |place: &Utf8PathBuf| asked.iter().any(|(_, target)| target == place);
        let last = |mut other: usize| {
            while let Some(next) = by.get(other).copied().flatten() {
                other = next;
            }
            other
        };
        let mut others = (0..files.len()).filter(|other| places[*other] != places[at]);
        let found = others.find(|other| is_asked(&places[*other]) && last(*other) != at);
        by.push(found);
    }
    by
}

/// Returns the first file with a block that a file imports, in the words of the file.
pub(super) fn with_block(file: &Context) -> Option<String> {
    let has_one = |path: &Utf8Path| Context::read(path).is_ok_and(|other| holds_block(&other));
    of(file).into_iter().find(|(_, target)| has_one(target)).map(|(path, _)| path)
}

/// Whether a file has a block for sure: of what cannot be read as text nobody knows.
fn holds_block(file: &Context) -> bool {
    matches!(block::find(file.bytes(), PACK), Ok(Some(_)))
}

/// Returns what a file imports, if a harness reads imports of files that are called so: as it stands there, and
/// where that is.
fn of(file: &Context) -> Vec<(String, Utf8PathBuf)> {
    let is_its = |name: &str| file.path.file_name() == Some(name);
    let mut all = harness::ALL.iter();
    if !all.any(|one| one.reads_mentions() && is_its(one.context_file().name)) {
        return Vec::new();
    }
    let at = At { user: var("HOME").map(Utf8PathBuf::from), ..At::default() };
    let from = camino::absolute_utf8(&file.path).unwrap_or_else(|_| file.path.clone());
    let found = imports::mentioned(&String::from_utf8_lossy(file.bytes())).into_iter();
    let placed = found.filter_map(|import| {
        let target = imports::target(&from, &import.path, &at)?;
        Some((import.path, real(&target)))
    });
    placed.collect()
}

/// Returns a path without links, also of a file that is not there yet.
fn real(path: &Utf8Path) -> Utf8PathBuf {
    let path = camino::absolute_utf8(path).unwrap_or_else(|_| path.to_owned());
    let in_folder = || Some(path.parent()?.canonicalize_utf8().ok()?.join(path.file_name()?));
    path.canonicalize_utf8().ok().or_else(in_folder).unwrap_or(path)
}
