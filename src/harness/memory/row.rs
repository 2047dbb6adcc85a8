//! Rows of a plan, and changes of files, as every writer makes them.

use std::collections::BTreeMap;

use camino::Utf8Path;

use super::Tree;
use crate::model::Memory;
use crate::plan::{FileChange, MemoryFate, MemoryPlan, MemoryRow};

/// The field of a memory that holds for some files only: which these are.
pub const FILES: &str = "paths";

/// Returns what no place but that of the source holds to: the files that a memory is for.
pub fn unheld(memory: &Memory) -> Option<&'static str> {
    memory.extra.contains_key(FILES).then_some(FILES)
}

/// Returns the row of a memory that has a place.
pub fn placed(memory: &Memory, fate: MemoryFate, place: &Utf8Path) -> MemoryRow {
    let place = Some(place.to_owned());
    let (id, title) = (memory.id.clone(), memory.title.clone());
    MemoryRow { fate, id, title, place, reason: None, lost: Vec::new() }
}

/// Returns the row of a memory that is not carried.
pub fn dropped(memory: &Memory, reason: impl Into<String>) -> MemoryRow {
    let (id, title) = (memory.id.clone(), memory.title.clone());
    let fate = MemoryFate::Dropped;
    MemoryRow { fate, id, title, place: None, reason: Some(reason.into()), lost: Vec::new() }
}

impl MemoryRow {
    /// Adds why it is not simply written.
    #[must_use]
    pub fn because(mut self, reason: impl Into<String>) -> Self {
        self.reason = Some(reason.into());
        self
    }

    /// Adds what the target has no place for.
    #[must_use]
    pub fn less(mut self, lost: Vec<&'static str>) -> Self {
        self.lost = lost;
        self
    }
}

/// Returns the change of the file at `path` to `text`, if that is one.
pub fn change(tree: &Tree, path: &Utf8Path, text: &str) -> Option<FileChange> {
    let before = tree.bytes(path);
    let after = Some(text.as_bytes().to_vec());
    (before != after).then(|| FileChange {
        path: path.to_owned(),
        before,
        after,
        modified_at: None,
    })
}

/// Has each memory written where it goes, and returns one plan with the rows in the order of `wanted`.
///
/// `route` says where, or why nowhere; `write` gets all that go to one place together.
pub fn routed<'m, R: Ord + Clone>(
    wanted: &'m [Memory],
    route: impl Fn(&Memory) -> Result<R, String>,
    mut write: impl FnMut(R, &[&'m Memory]) -> MemoryPlan,
) -> MemoryPlan {
    let routes: Vec<_> = wanted.iter().map(route).collect();
    let mut groups: BTreeMap<R, Vec<&Memory>> = BTreeMap::new();
    for (memory, route) in wanted.iter().zip(&routes) {
        if let Ok(route) = route {
            groups.entry(route.clone()).or_default().push(memory);
        }
    }
    let mut plan = MemoryPlan::default();
    let mut rows: BTreeMap<R, std::vec::IntoIter<MemoryRow>> = BTreeMap::new();
    for (route, group) in groups {
        let part = write(route.clone(), &group);
        plan.changes.extend(part.changes);
        plan.warnings.extend(part.warnings);
        plan.full.extend(part.full);
        rows.insert(route, part.rows.into_iter());
    }
    plan.rows = wanted
        .iter()
        .zip(routes)
        .filter_map(|(memory, route)| match route {
            Ok(route) => rows.get_mut(&route)?.next(),
            Err(why) => Some(dropped(memory, why)),
        })
        .collect();
    plan
}
