//! What would keep memories from being loaded.

use camino::{Utf8Path, Utf8PathBuf};

use super::places;
use crate::harness::memory::fields::headed;
use crate::harness::memory::folder::INDEX;
use crate::harness::memory::found::{finding, missing, topic};
use crate::harness::memory::index::Pointers;
use crate::harness::memory::{At, Stored, Tree, settings};
use crate::harness::{Finding, Severity};
use crate::model::Layer;

/// How many lines of an index are read.
const INDEX_LINES: usize = 200;
/// How many bytes of an index are read: the smaller one of what 25 KB can mean.
const INDEX_BYTES: usize = 25_000;
/// Longer lines take detail into the index, in characters.
const LINE_CHARS: usize = 200;
/// How many files of a folder are looked at.
const MOST_FILES: usize = 200;
/// How many memories may be pinned.
const MOST_PINNED: usize = 4;

/// Looks at every file of `tree`.
pub(super) fn check(tree: &Tree, at: &At) -> Vec<(Utf8PathBuf, Finding)> {
    let (mut found, pointers) = (Vec::new(), Pointers::of(tree));
    for (path, file) in &tree.files {
        if !matches!(file.layer, Layer::Memory | Layer::Agent) {
            continue;
        }
        let findings = match path.file_name() == Some(INDEX) {
            true => index(path, file, tree),
            false => topic(path, file, tree, &pointers),
        };
        found.extend(findings.into_iter().map(|finding| (path.clone(), finding)));
    }
    found.extend(settings::check(tree, settings::plain));
    for (path, line, why) in places::followed(tree, at).refused {
        found.push((
            path,
            finding(Severity::Warning, line, "import", format!("an import {why}"), None),
        ));
    }
    found
}

fn index(path: &Utf8Path, file: &Stored, tree: &Tree) -> Vec<Finding> {
    let text = file.text();
    let loaded = headed(&text).map_or(text.as_ref(), |head| head.body);
    let (lines, bytes) = (loaded.lines().count(), loaded.len());
    let mut found = Vec::new();
    if lines > INDEX_LINES || bytes > INDEX_BYTES {
        let message = format!(
            "it has {lines} lines and {bytes} bytes; only the first {INDEX_LINES} lines and {INDEX_BYTES} bytes are read"
        );
        let hint = "move detail into the files that it points at, one short line each";
        found.push(finding(Severity::Error, 0, "index_too_long", message, Some(hint)));
    }
    for (number, line) in text.lines().enumerate() {
        let chars = line.chars().count();
        if chars > LINE_CHARS && line.starts_with("- [") {
            let message = format!("the line has {chars} characters");
            found.push(finding(Severity::Info, number + 1, "index_line_too_long", message, None));
        }
    }
    found.extend(missing(path, file, tree));
    found.extend(folder(path, file, tree));
    found
}

/// Looks at the files beside an index.
fn folder(path: &Utf8Path, file: &Stored, tree: &Tree) -> Vec<Finding> {
    let Some(folder) = path.parent().filter(|_| file.shelf != *path) else { return Vec::new() };
    let files: Vec<_> = tree.below(folder).filter(|(name, _)| *name != INDEX).collect();
    let mut found = Vec::new();
    if files.len() > MOST_FILES {
        let message = format!("{} files; the newest {MOST_FILES} are looked at", files.len());
        found.push(finding(Severity::Warning, 0, "too_many_files", message, None));
    }
    let is_pinned = |file: &Stored| {
        let text = file.text();
        headed(&text).is_some_and(|head| head.head.contains("pinned: true"))
    };
    let pinned = files.iter().filter(|(_, file)| is_pinned(file)).count();
    if pinned > MOST_PINNED {
        let message = format!("{pinned} memories are pinned; {MOST_PINNED} may be");
        found.push(finding(Severity::Info, 0, "too_many_pinned", message, None));
    }
    found
}
