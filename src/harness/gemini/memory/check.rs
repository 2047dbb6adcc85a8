//! What would keep memories from being loaded.

use camino::Utf8PathBuf;

use super::places;
use super::read::{is_fallback, is_shadowed};
use crate::block::{self, MEMORY};
use crate::harness::memory::folder::INDEX;
use crate::harness::memory::found::{finding, missing, topic};
use crate::harness::memory::index::Pointers;
use crate::harness::memory::{At, Tree, settings};
use crate::harness::{Finding, Severity};
use crate::model::Layer;

/// Looks at every file of `tree`.
pub(super) fn check(tree: &Tree, at: &At) -> Vec<(Utf8PathBuf, Finding)> {
    let names = places::names(tree);
    let (mut found, pointers) = (Vec::new(), Pointers::of(tree));
    for (path, file) in &tree.files {
        let findings = match file.layer {
            Layer::Memory if is_fallback(path, &names) => {
                let message = "it is not loaded, since there is an index".to_owned();
                let hint = Some("move what it says into files that MEMORY.md points at");
                let one = || finding(Severity::Warning, 0, "not_loaded", message, hint);
                is_shadowed(path, tree).then(one).into_iter().collect()
            }
            Layer::Memory if path.file_name() == Some(INDEX) => missing(path, file, tree),
            Layer::Memory => topic(path, file, tree, &pointers),
            Layer::Instructions => fault(&file.bytes).into_iter().collect(),
            _ => Vec::new(),
        };
        found.extend(findings.into_iter().map(|finding| (path.clone(), finding)));
    }
    found.extend(settings::check(tree, settings::commented));
    for (path, line, why) in places::followed(tree, at).refused {
        let message = format!("an import {why}");
        found.push((path, finding(Severity::Warning, line, "import", message, None)));
    }
    found
}

/// Finds markers of a managed block that do not pair.
fn fault(bytes: &[u8]) -> Option<Finding> {
    let fault = block::find(bytes, MEMORY).err()?;
    Some(finding(Severity::Warning, 0, "block", format!("no block is found: {fault}"), None))
}
