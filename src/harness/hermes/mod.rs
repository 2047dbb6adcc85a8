//! Hermes: two stores of short entries for all projects, each with a limit. Only its memories are known.

mod check;
mod compose;
mod entries;
mod limits;
mod read;
mod write;

use camino::{Utf8Path, Utf8PathBuf};

use super::Finding;
use super::memory::{At, How, Memories, Read, Shelf, Tree};
use crate::model::{Layer, Memory, MemoryScope};
use crate::plan::MemoryPlan;
use limits::{CONFIG, Kind};

/// The name that users type.
const NAME: &str = "hermes";
/// The folder of both stores, below a home.
const MEMORIES: &str = "memories";
/// The list of what was put into the stores, below a home.
const MANIFEST: &str = "memories/.segue.json";
/// The folder of further homes, below the first.
const PROFILES: &str = "profiles";

/// Reads and writes memories of Hermes.
pub(super) struct Hermes;

impl Memories for Hermes {
    fn name(&self) -> &'static str {
        NAME
    }

    fn title(&self) -> &'static str {
        "Hermes"
    }

    fn home(&self, var: &dyn Fn(&str) -> Option<String>) -> Option<Utf8PathBuf> {
        let set = |name| var(name).filter(|value| !value.is_empty()).map(Utf8PathBuf::from);
        set("HERMES_HOME").or_else(|| Some(set("HOME")?.join(".hermes")))
    }

    fn shelves(&self, at: &At) -> Vec<Shelf> {
        /// From the folder of profiles to the stores of one.
        const PROFILE_DEPTH: usize = 3;
        let folder = |path: Utf8PathBuf, depth| Shelf {
            path,
            depth,
            suffix: ".md",
            scope: MemoryScope::everywhere(),
            ..Shelf::default()
        };
        vec![
            settings(at.home.join(CONFIG)),
            settings(at.home.join(MANIFEST)),
            folder(at.home.join(MEMORIES), 1),
            folder(at.home.join(PROFILES), PROFILE_DEPTH),
        ]
    }

    fn more(&self, tree: &Tree, _at: &At) -> Vec<Shelf> {
        let homes = tree.files.keys().filter_map(|path| home_of(path));
        homes.map(|home| settings(home.join(CONFIG))).collect()
    }

    fn recognises(&self, path: &Utf8Path, text: &str) -> Option<Shelf> {
        store_of(path)?;
        let home = home_of(path)?;
        let in_profile = home.parent().and_then(Utf8Path::file_name) == Some(PROFILES);
        let is_ours = home.file_name() == Some(".hermes")
            || in_profile
            || text.replace('\r', "").contains(entries::SEPARATOR);
        is_ours.then(|| Shelf::file(path, Layer::Memory, MemoryScope::everywhere()))
    }

    fn read(&self, tree: &Tree, at: &At) -> Read {
        read::read(&ours(tree), at)
    }

    fn write(&self, wanted: &[Memory], tree: &Tree, at: &At, _how: &How) -> MemoryPlan {
        write::write(wanted, tree, at)
    }

    fn edit(
        &self,
        memory: &Memory,
        text: Option<&str>,
        tree: &Tree,
        _at: &At,
    ) -> Result<MemoryPlan, String> {
        write::edit(memory, text, tree)
    }

    fn check(&self, tree: &Tree, _at: &At) -> Vec<(Utf8PathBuf, Finding)> {
        check::check(&ours(tree))
    }
}

fn settings(path: Utf8PathBuf) -> Shelf {
    Shelf::file(path, Layer::Settings, MemoryScope::everywhere())
}

/// Returns the store that a file is, by its name and folder.
fn store_of(path: &Utf8Path) -> Option<Kind> {
    let in_folder = path.parent()?.file_name() == Some(MEMORIES);
    Kind::named(path.file_name()?).filter(|_| in_folder)
}

/// Returns the home that a file beside the stores belongs to.
fn home_of(path: &Utf8Path) -> Option<&Utf8Path> {
    let folder = path.parent()?;
    if folder.file_name() == Some(MEMORIES) { folder.parent() } else { None }
}

/// Returns the tree without files of profiles that stand outside of their stores.
fn ours(tree: &Tree) -> Tree {
    let mut tree = tree.clone();
    tree.files.retain(|path, file| file.layer == Layer::Settings || home_of(path).is_some());
    tree
}
