//! Where a command writes: never over what it reads, nor over a session that a harness keeps.

use camino::Utf8Path;

use super::session::var;
use crate::discover;
use crate::emit::Output;
use crate::error::{Error, Result};

/// Opens the file at `path`, `-` for standard output, unless it is one of `sources` or a session of
/// a harness: these are only read.
pub(super) fn file<'s>(
    path: &Utf8Path,
    sources: impl IntoIterator<Item = &'s Utf8Path>,
) -> Result<Output> {
    let Ok(real) = path.canonicalize_utf8() else { return Output::file(path) };
    let is_it = |source: &Utf8Path| source.canonicalize_utf8().is_ok_and(|source| source == real);
    if path != "-" && sources.into_iter().any(is_it) {
        return Err(refused(path, "it is the source itself"));
    }
    match discover::keeper(&real, &var).filter(|_| path != "-" && real.is_file()) {
        Some(harness) => Err(refused(path, &format!("it is a session of {}", harness.title()))),
        None => Output::file(path),
    }
}

fn refused(path: &Utf8Path, why: &str) -> Error {
    let what = format!("`{path}` stays as it is: {why}");
    Error::Refused { what, hint: Some("give the output another name".to_owned()) }
}
