//! Memories into the two stores, within their limits and beside what is there.

mod choice;
mod store;

use camino::Utf8PathBuf;

use super::MANIFEST;
use super::compose::{Composed, entry};
use super::limits::Kind;
use crate::harness::memory::edit::fate;
use crate::harness::memory::manifest::Manifest;
use crate::harness::memory::row::{change, dropped, placed};
use crate::harness::memory::{At, Tree};
use crate::model::{Level, Memory};
use crate::plan::{FileChange, MemoryFate, MemoryPlan, MemoryRow};
use store::Store;

/// What is known of one memory while a plan is made.
struct Wanted<'m> {
    memory: &'m Memory,
    composed: Composed,
    row: Option<MemoryRow>,
}

/// Says how the stores of the home have to change to hold `wanted`.
pub(super) fn write(wanted: &[Memory], tree: &Tree, at: &At) -> MemoryPlan {
    let mut stores = Kind::ALL.map(|kind| Store::of(kind, tree, at));
    let path = at.home.join(MANIFEST);
    let list = tree.get(&path).map(|file| Manifest::read(&file.text()));
    let mut list = list.unwrap_or_default();
    let mut all: Vec<_> = wanted.iter().map(|memory| Wanted::of(memory, at)).collect();
    // Texts that got shorter first: they make room.
    for may_grow in [false, true] {
        for one in all.iter_mut().filter(|one| one.row.is_none()) {
            one.row = known(one, &mut stores, &mut list, may_grow);
        }
    }
    let mut full = Vec::new();
    for store in &mut stores {
        full.extend(fill(store, &mut all, &mut list));
    }
    let mut changes: Vec<_> =
        stores.iter().filter_map(|store| changed(store, &all, tree)).collect();
    if !changes.is_empty() {
        changes.extend(change(tree, &path, &list.text()));
    }
    let mut warnings: Vec<_> = stores.iter().flat_map(Store::warnings).collect();
    warnings.extend(widened(&all));
    MemoryPlan {
        rows: all.into_iter().filter_map(|one| one.row).collect(),
        changes,
        warnings,
        full,
    }
}

/// Says how many new entries were of one project: the stores are those of all.
fn widened(all: &[Wanted<'_>]) -> Option<String> {
    let is_widened = |one: &&Wanted<'_>| {
        let is_new = one.row.as_ref().is_some_and(|row| row.fate == MemoryFate::New);
        is_new && one.memory.scope.level == Level::Project
    };
    match all.iter().filter(is_widened).count() {
        0 => None,
        count => Some(format!(
            "{count} {} of one project will be read in every project: its stores know none, so that \
             each entry begins with the name of its project",
            if count == 1 { "memory" } else { "memories" }
        )),
    }
}

impl<'m> Wanted<'m> {
    fn of(memory: &'m Memory, at: &At) -> Self {
        let composed = entry(memory);
        let cwd = project(memory);
        let is_elsewhere = at.project.is_some() && cwd.is_some_and(|cwd| !at.is_here(cwd.as_ref()));
        let row = if is_elsewhere {
            Some(dropped(memory, "it holds in another project"))
        } else if composed.text.is_empty() {
            Some(dropped(memory, "it says nothing"))
        } else {
            None
        };
        Self { memory, composed, row }
    }

    fn is_open_for(&self, kind: Kind) -> bool {
        self.row.is_none() && self.composed.kind == kind
    }

    /// Enters that its text was written, and for which project: the stores know none.
    fn enter(&self, list: &mut Manifest, kind: Kind) {
        let written = list.enter(self.memory.origin(), kind.file(), &self.composed.text);
        written.project = project(self.memory).map(str::to_owned);
    }

    fn placed(&self, fate: MemoryFate, place: &Utf8PathBuf) -> MemoryRow {
        placed(self.memory, fate, place).less(self.composed.lost.clone())
    }
}

/// Returns the folder of the project in which alone a memory holds.
fn project(memory: &Memory) -> Option<&str> {
    memory.scope.cwd.as_deref().filter(|_| memory.scope.level == Level::Project)
}

/// Returns the row of a memory that has a place already, and brings an untouched copy up to date.
fn known(
    one: &Wanted<'_>,
    stores: &mut [Store],
    list: &mut Manifest,
    may_grow: bool,
) -> Option<MemoryRow> {
    let text = &one.composed.text;
    if let Some(store) = stores.iter().find(|store| store.has(text)) {
        return Some(one.placed(MemoryFate::Same, &store.path));
    }
    let origin = one.memory.origin();
    let written = list.written.get(&origin)?;
    let store = stores.iter_mut().find(|store| store.kind.file() == written.place)?;
    let Some(index) = store.entries.iter().position(|entry| list.is_ours(&origin, entry)) else {
        let row = one.placed(MemoryFate::Conflict, &store.path);
        return Some(row.because("its entry was changed or removed since it was written"));
    };
    if !may_grow && text.chars().count() > store.entries[index].chars().count() {
        return None;
    }
    if !store.fits_in_place_of(index, text) {
        let row = one.placed(MemoryFate::Conflict, &store.path);
        return Some(row.because("there is no room for its longer text; the older one stays"));
    }
    store.entries[index].clone_from(text);
    store.is_changed = true;
    one.enter(list, store.kind);
    Some(one.placed(MemoryFate::Changed, &store.path))
}

/// Puts the new memories that are worth most into `store`; returns a listing of it if some do not fit.
fn fill(
    store: &mut Store,
    all: &mut [Wanted<'_>],
    list: &mut Manifest,
) -> Option<crate::plan::FullStore> {
    let open: Vec<usize> =
        (0..all.len()).filter(|index| all[*index].is_open_for(store.kind)).collect();
    if let Some(why) = &store.refuses {
        for index in open {
            all[index].row = Some(dropped(all[index].memory, why.as_str()));
        }
        return None;
    }
    let offers: Vec<_> =
        open.iter().map(|index| (all[*index].memory, all[*index].composed.text.as_str())).collect();
    let taken = choice::choose(&offers, store.room());
    let (mut left, mut texts) = (Vec::new(), Vec::new());
    for (offer, index) in open.into_iter().enumerate() {
        let one = &mut all[index];
        if store.has(&one.composed.text) {
            one.row = Some(one.placed(MemoryFate::Same, &store.path));
        } else if taken.contains(&offer) {
            store.entries.push(one.composed.text.clone());
            store.is_changed = true;
            one.enter(list, store.kind);
            one.row = Some(one.placed(MemoryFate::New, &store.path));
        } else {
            left.push(index);
        }
    }
    for index in left {
        let one = &mut all[index];
        if store.has(&one.composed.text) {
            one.row = Some(one.placed(MemoryFate::Same, &store.path));
            continue;
        }
        one.row = Some(dropped(one.memory, store.no_room_for(&one.composed.text)));
        texts.push(one.composed.text.clone());
    }
    (!texts.is_empty()).then(|| store.listing(&texts))
}

/// Returns the change of a store's file; it keeps its age, since entries without a day have no other.
fn changed(store: &Store, all: &[Wanted<'_>], tree: &Tree) -> Option<FileChange> {
    if !store.is_changed {
        return None;
    }
    let mut change = change(tree, &store.path, &store.text())?;
    let before = tree.get(&store.path).and_then(|file| file.modified_at.clone());
    let is_put = |one: &&Wanted<'_>| {
        one.row.as_ref().is_some_and(|row| row.place.as_ref() == Some(&store.path))
    };
    let newest = || all.iter().filter(is_put).filter_map(|one| one.memory.updated_at.clone()).max();
    change.modified_at = before.or_else(newest);
    Some(change)
}

/// Says how to replace or remove one entry; with no `text` it goes.
pub(super) fn edit(memory: &Memory, text: Option<&str>, tree: &Tree) -> Result<MemoryPlan, String> {
    let path = Utf8PathBuf::from(&memory.source.path);
    let kind = super::store_of(&path).ok_or("it is no store of this harness")?;
    let mut store = Store::at(kind, path, tree);
    if let Some(why) = store.refuses {
        return Err(why);
    }
    let index = store.entries.iter().position(|entry| Some(entry) == memory.verbatim.as_ref());
    let index = index.ok_or("the entry is not there any more")?;
    match text.map(super::entries::safe) {
        None => _ = store.entries.remove(index),
        Some(text) if text.is_empty() => return Err("the new text is empty".to_owned()),
        Some(text) if !store.fits_in_place_of(index, &text) => {
            return Err(store.no_room_for(&text));
        }
        Some(text) => store.entries[index] = text,
    }
    let mut change = change(tree, &store.path, &store.text());
    if let Some(change) = &mut change {
        change.modified_at = tree.get(&store.path).and_then(|file| file.modified_at.clone());
    }
    let rows = vec![placed(memory, fate(text), &store.path)];

    Ok(MemoryPlan { rows, changes: change.into_iter().collect(), ..MemoryPlan::default() })
}
