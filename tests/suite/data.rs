//! Where the larger data for tests is, if it is there.

use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Returns a folder of the test data, or says that the test is skipped without it.
pub(crate) fn folder(name: &str) -> Option<PathBuf> {
    let root = std::env::var_os("SEGUE_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"), PathBuf::from);
    let folder = root.join(name);
    if folder.is_dir() {
        // From the root, as the program names files, so that the tests do not depend on the place of the checkout.
        return Some(folder.canonicalize().unwrap());
    }
    let folder = folder.display();
    tell(&format!("SKIPPED: {folder} is not there; SEGUE_DATA names the folder with test data"));
    None
}

/// Says a line on standard error, past the test harness, which shows nothing of a test that passes.
pub(crate) fn tell(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Returns all files under a folder, sorted.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}
