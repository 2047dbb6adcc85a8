//! Memories: any files are read and checked, and what is written of them is there, and there once.

use std::collections::{BTreeMap, BTreeSet};

use camino::{Utf8Path, Utf8PathBuf};
use segue::guard::marks::shed;
use segue::harness::memory::{ALL, At, How, Memories, Shelf, Stored, Tree, beside, by_name};
use segue::migrate::{Choice, choose};
use segue::model::{Layer, Memory};
use segue::plan::{MemoryFate, MemoryPlan};

/// What begins a line with the path of a file, from the user's folder.
const FILE: &str = "@@ ";
const USER: &str = "/home/ada";

/// The files that there are.
type Disk = BTreeMap<Utf8PathBuf, Vec<u8>>;

/// Reads the files that `bytes` names as memories of the harness called `name`, and writes them to
/// every harness.
pub fn hold(name: &str, bytes: &[u8]) {
    let of = by_name(name).expect("a harness");
    let disk = disk(bytes);
    let at = at(of);
    let tree = gather(of, &disk, &at);
    let read = of.read(&tree, &at);
    let memories = guarded(read.memories);
    let _ = of.check(&tree, &at);
    for memory in memories.iter().take(4) {
        let _ = of.edit(memory, Some("Another text."), &tree, &at);
        let _ = of.edit(memory, None, &tree, &at);
    }
    let texts = beside(&tree, &memories);
    for to in ALL {
        let there = if to.name() == name { disk.clone() } else { Disk::new() };
        // A route in a summary changes the text of which its own memories are read.
        written(*to, &memories, there, &texts, to.name() != name);
    }
}

/// Writes memories where `disk` is, and once more.
fn written(
    to: &dyn Memories,
    memories: &[Memory],
    mut disk: Disk,
    texts: &BTreeMap<Utf8PathBuf, String>,
    activate: bool,
) {
    let at = at(to);
    let with = [Layer::Instructions, Layer::Rules, Layer::Agent, Layer::Session, Layer::Skills];
    let choice =
        Choice { level: None, with: BTreeSet::from(with), keeps_levels: to.keeps_levels() };
    let chosen = choose(memories.to_vec(), &choice).wanted;
    let now = "2026-11-22T12:00:00Z".to_owned();
    let how = How { activate, now, beside: texts.clone() };
    let tree = gather(to, &disk, &at);
    let plan = to.write(&chosen, &tree, &at, &how);
    let _ = to.propose(&chosen, &tree, &at, &how);
    assert!(plan.rows.len() >= chosen.len(), "{} rows of {}", plan.rows.len(), chosen.len());
    apply(&plan, &mut disk, &at);
    let tree = gather(to, &disk, &at);
    let back = to.read(&tree, &at);
    let again = to.write(&chosen, &tree, &at, &how);
    let is_there = |fate| matches!(fate, MemoryFate::New | MemoryFate::Changed | MemoryFate::Same);
    for (row, next) in plan.rows.iter().zip(&again.rows).filter(|(row, _)| is_there(row.fate)) {
        assert_eq!(next.fate, MemoryFate::Same, "{}: {row:?} {next:?}", to.name());
    }
    let diff = segue::emit::changes::diff(&again.changes);
    let rows = (&plan.rows, &again.rows);
    assert!(again.changes.is_empty(), "{}: {rows:#?}\na second time changes {diff}", to.name());
    let any_new = plan.rows.iter().any(|row| row.fate == MemoryFate::New);
    assert!(!any_new || !back.memories.is_empty(), "{}: nothing is read back", to.name());
}

/// Carries a plan out.
fn apply(plan: &MemoryPlan, disk: &mut Disk, at: &At) {
    let mut seen = BTreeSet::new();
    for change in &plan.changes {
        assert!(seen.insert(&change.path), "{} twice", change.path);
        let climbs = change.path.components().any(|part| part.as_str() == "..");
        assert!(change.path.starts_with(&at.home) && !climbs, "{} is elsewhere", change.path);
        assert_eq!(disk.get(&change.path), change.before.as_ref(), "{}", change.path);
        match &change.after {
            Some(bytes) => drop(disk.insert(change.path.clone(), bytes.clone())),
            None => drop(disk.remove(&change.path)),
        }
    }
}

fn at(of: &dyn Memories) -> At {
    let home = Utf8Path::new(USER).join(format!(".{}", of.name()));
    let project: Utf8PathBuf = format!("{USER}/shop").into();
    At {
        home,
        user: Some(USER.into()),
        cwd: Some(project.clone()),
        project: Some(project),
        ..At::default()
    }
}

/// Takes what nobody sees out, as the program does before anything is carried.
fn guarded(mut memories: Vec<Memory>) -> Vec<Memory> {
    for memory in &mut memories {
        let mut is_changed = false;
        for text in memory.texts_mut() {
            let left = shed(text).0.into_owned();
            is_changed |= left != *text;
            *text = left;
        }
        if is_changed {
            *memory = memory.clone().finished();
        }
    }
    memories
}

fn disk(bytes: &[u8]) -> Disk {
    let mut disk = Disk::new();
    let mut path = None;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let name = std::str::from_utf8(line).ok().and_then(|line| line.strip_prefix(FILE));
        if let Some(name) = name.map(str::trim).filter(|name| !name.is_empty() && is_path(name)) {
            path = Some(Utf8Path::new(USER).join(name));
        } else if let Some(path) = &path {
            disk.entry(path.clone()).or_default().extend_from_slice(line);
        }
    }
    disk
}

/// Tells whether a path can be that of a file below a folder.
fn is_path(name: &str) -> bool {
    let is_name = |part: &str| !part.is_empty() && part != "." && part != ".." && part.len() < 200;
    name.split('/').all(is_name) && !name.contains('\0')
}

/// Does on `disk` what `discover::memories` does on a real one.
fn gather(of: &dyn Memories, disk: &Disk, at: &At) -> Tree {
    let mut tree = Tree::default();
    let mut shelves = of.shelves(at);
    for _ in 0..12 {
        shelves.retain(|shelf| tree.seen.insert(shelf.path.clone()));
        if shelves.is_empty() {
            break;
        }
        for shelf in &shelves {
            let files = disk.iter().filter(|(path, _)| stands_on(path, shelf));
            files.for_each(|(path, bytes)| put(shelf, path, bytes, &mut tree));
        }
        shelves = of.more(&tree, at);
    }
    tree
}

fn stands_on(path: &Utf8Path, shelf: &Shelf) -> bool {
    if shelf.depth == 0 {
        return path == shelf.path;
    }
    let Ok(rest) = path.strip_prefix(&shelf.path) else { return false };
    let parts: Vec<_> = rest.iter().collect();
    (1..=shelf.depth).contains(&parts.len())
        && !parts.iter().any(|part| part.starts_with('.'))
        && path.as_str().to_lowercase().ends_with(shelf.suffix)
}

fn put(shelf: &Shelf, path: &Utf8Path, bytes: &[u8], tree: &mut Tree) {
    if tree.files.contains_key(path) {
        return;
    }
    if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) || bytes.contains(&0) {
        tree.unreadable.insert(path.to_owned(), "it is no text in UTF-8".to_owned());
        return;
    }
    let Shelf { path: folder, layer, scope, .. } = shelf.clone();
    let modified_at = Some("2026-03-04T05:06:07Z".to_owned());
    tree.put(
        path,
        Stored { shelf: folder, layer, scope, bytes: bytes.to_vec(), modified_at, imported: false },
    );
}
