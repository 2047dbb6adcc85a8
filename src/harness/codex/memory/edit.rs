//! One entry replaced or taken out.

use camino::{Utf8Path, Utf8PathBuf};

use super::place::{self, STORES};
use super::write;
use crate::harness::memory::edit::{fate, replaced, take_out};
use crate::harness::memory::row::placed;
use crate::harness::memory::{At, Tree};
use crate::model::{Layer, Memory};
use crate::plan::{FileChange, MemoryPlan};

/// Said where Codex writes the file itself.
const REBUILT: &str = "Codex writes this file itself and can bring the text back: a note that says what to forget lasts longer";

/// Says how `memory` is replaced by `text`, or goes; a copy in the other store as well.
pub(super) fn edit(
    memory: &Memory,
    text: Option<&str>,
    tree: &Tree,
    at: &At,
) -> Result<MemoryPlan, String> {
    let path = Utf8Path::new(&memory.source.path);
    if memory.source.layer == Layer::Session {
        return Err("Codex makes this file out of a session, and makes it again".to_owned());
    }
    let file = tree.get(path).ok_or("its file is not there any more")?;
    let before = std::str::from_utf8(&file.bytes).map_err(|_| "its file is not in UTF-8")?;
    let after = replaced(before, memory, text)?;
    let mut plan =
        MemoryPlan { rows: vec![placed(memory, fate(text), path)], ..MemoryPlan::default() };
    for path in twins(path, &file.bytes, tree, at) {
        if after.is_none() {
            take_out(&path, tree, &mut plan);
        }
        plan.changes.push(FileChange {
            path,
            before: Some(file.bytes.clone()),
            after: after.clone().map(String::into_bytes),
            modified_at: None,
        });
    }
    if memory.source.layer == Layer::Memory {
        plan.warnings.push(REBUILT.to_owned());
    }
    if after.is_none() {
        let list = write::kept_up(&plan.changes, tree, at);
        plan.changes.extend(list);
    }
    Ok(plan)
}

/// Returns the file, and the same one in the other store.
fn twins(path: &Utf8Path, bytes: &[u8], tree: &Tree, at: &At) -> Vec<Utf8PathBuf> {
    let Some((_, rest)) = place::store(path, &at.home) else { return vec![path.to_owned()] };
    let all = STORES.into_iter().map(|store| at.home.join(store).join(rest));
    all.filter(|path| tree.get(path).is_some_and(|file| file.bytes == bytes)).collect()
}
