//! What is known of where harnesses keep memories, and what all of them share.
//!
//! To add one: a type that implements [`Memories`], and its row in [`ALL`].

pub mod edit;
pub mod fields;
pub mod files;
pub mod folder;
pub mod found;
pub mod imports;
pub mod index;
pub mod managed;
pub mod manifest;
pub mod row;
pub mod sections;
pub mod settings;
pub mod topic;
mod tree;

use std::collections::{BTreeMap, BTreeSet};

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

pub use tree::{LINKED, Shelf, Stored, Tree};

use super::write::Finding;
use crate::error::Result;
use crate::model::Memory;
use crate::note::Notes;
use crate::plan::MemoryPlan;

/// A program that keeps memories of its own in files.
///
/// All but [`Memories::roots`] are pure: they see the files that were gathered from the shelves, and
/// say what should change.
pub trait Memories: Sync {
    /// Returns the name that users type.
    fn name(&self) -> &'static str;

    /// Returns the name that its makers gave it.
    fn title(&self) -> &'static str;

    /// Returns the folder where it keeps its files; `var` looks up an environment variable.
    fn home(&self, var: &dyn Fn(&str) -> Option<String>) -> Option<Utf8PathBuf>;

    /// Tells whether what holds everywhere is kept apart from what holds in one project.
    fn keeps_levels(&self) -> bool {
        true
    }

    /// Returns the environment variables that change where or how it keeps memories.
    fn variables(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns the stores of projects under `home`, each with the project's real folder where
    /// something in it tells.
    fn roots(&self, _home: &Utf8Path) -> Result<Vec<Root>> {
        Ok(Vec::new())
    }

    /// Returns the store that the harness uses, or would make, for `project`, where what stands under `home`
    /// has a say in that.
    fn store_of(&self, _home: &Utf8Path, _project: &Utf8Path) -> Option<Utf8PathBuf> {
        None
    }

    /// Tells whether a store has the name that the harness gives to that of the project of `at`.
    fn is_named(&self, _root: &Root, _at: &At) -> bool {
        false
    }

    /// Returns where files with memories, and with the settings that say how to read them, stand.
    fn shelves(&self, at: &At) -> Vec<Shelf>;

    /// Returns what `tree` points at and does not hold yet: imports, folders named by settings.
    fn more(&self, _tree: &Tree, _at: &At) -> Vec<Shelf> {
        Vec::new()
    }

    /// Returns the shelf that a file which was given by its path would stand on, by path and text;
    /// nothing if it holds no memories of this harness.
    fn recognises(&self, path: &Utf8Path, text: &str) -> Option<Shelf>;

    /// Reads every memory of `tree`, in the order of the files.
    fn read(&self, tree: &Tree, at: &At) -> Read;

    /// Says how `tree` has to change to hold `wanted`, without touching what a human wrote.
    fn write(&self, wanted: &[Memory], tree: &Tree, at: &At, how: &How) -> MemoryPlan;

    /// Says how `wanted` would be laid before the user for review, in the harness's own way.
    fn propose(&self, wanted: &[Memory], tree: &Tree, at: &At, how: &How) -> MemoryPlan {
        self.write(wanted, tree, at, how)
    }

    /// Says how to replace or remove the entry `memory`, which was read from `tree`; with no `text`
    /// it goes. What is not its own to change, it refuses with the reason.
    fn edit(
        &self,
        memory: &Memory,
        text: Option<&str>,
        tree: &Tree,
        _at: &At,
    ) -> Result<MemoryPlan, String> {
        edit::edit(memory, text, tree)
    }

    /// Looks for what would keep memories from being loaded, or have them cut.
    fn check(&self, tree: &Tree, at: &At) -> Vec<(Utf8PathBuf, Finding)>;

    /// Returns words of which a session must have one to say that it used a memory.
    fn cited_by(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns which memories a text of the agent says that it used: a file below the home, and the
    /// lines of it.
    fn citations(&self, _text: &str) -> Vec<Citation> {
        Vec::new()
    }
}

/// A place where memories are looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct At {
    /// The harness's own folder.
    pub home: Utf8PathBuf,
    /// The user's folder, which `~` means.
    pub user: Option<Utf8PathBuf>,
    /// The top of the project that is meant; nothing for every project of which there is a store.
    pub project: Option<Utf8PathBuf>,
    /// The folder below it in which an agent is started, if that is another one.
    pub cwd: Option<Utf8PathBuf>,
    /// Other work trees of the same project.
    pub work_trees: Vec<Utf8PathBuf>,
    /// Whether the folder that is meant holds everything, so that what lies below it is none of its.
    pub alone: bool,
    /// The variables of [`Memories::variables`] that are set.
    pub variables: BTreeMap<String, String>,
    /// What [`Memories::roots`] found.
    pub roots: Vec<Root>,
    /// What [`Memories::store_of`] says of the project.
    pub own_store: Option<Utf8PathBuf>,
}

impl At {
    /// Tells whether a store is asked for: by where its project is, else by whether it `is_named` as that of the
    /// project is.
    pub fn means(&self, store: &Root, is_named: impl Fn(&Root, &Self) -> bool) -> bool {
        match &store.cwd {
            _ if self.project.is_none() => true,
            Some(cwd) => self.is_here(cwd),
            None => is_named(store, self),
        }
    }

    /// Tells whether `folder` is, or lies in, the project that is meant.
    pub fn is_here(&self, folder: &Utf8Path) -> bool {
        let climbs = folder.components().any(|part| part == Utf8Component::ParentDir);
        let fits = |top: &Utf8PathBuf| match self.alone {
            true => folder == top,
            false => folder.starts_with(top),
        };
        !climbs && self.project.iter().chain(&self.work_trees).any(fits)
    }

    /// Returns `path` with `~` as the user's folder; nothing if that is not known.
    pub fn expanded(&self, path: &str) -> Option<Utf8PathBuf> {
        match path.strip_prefix("~/") {
            Some(rest) => Some(self.user.as_ref()?.join(rest)),
            None => Some(path.into()),
        }
    }
}

/// The store of one project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Root {
    /// Its folder below the home.
    pub store: Utf8PathBuf,
    /// The project's real folder, as its sessions or a marker say.
    pub cwd: Option<Utf8PathBuf>,
}

/// What was read.
#[derive(Clone, Debug, Default)]
pub struct Read {
    /// The memories, in the order of the files.
    pub memories: Vec<Memory>,
    /// What could not be read, or not wholly.
    pub notes: Notes,
}

/// How memories are to be written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct How {
    /// Also change what the harness loads at once, although that makes it work on its memories.
    pub activate: bool,
    /// The time, RFC 3339, for names and dates of what is new.
    pub now: String,
    /// The files of the source that are no memory each and stand among those that are, such as an
    /// index, less what may not be carried; a target that takes whole folders takes them along.
    pub beside: BTreeMap<Utf8PathBuf, String>,
}

/// Returns the files of `tree` that are no memory each and stand among those that are.
pub fn beside(tree: &Tree, memories: &[Memory]) -> BTreeMap<Utf8PathBuf, String> {
    let is_whole = |memory: &&Memory| {
        let file = tree.get(Utf8Path::new(&memory.source.path));
        file.is_some_and(|file| memory.verbatim.as_deref() == Some(&*file.text()))
    };
    let whole = memories.iter().filter(is_whole).map(|memory| memory.source.path.as_str());
    let whole: BTreeSet<&str> = whole.collect();
    let own = tree.files.iter().filter(|(_, file)| file.layer == crate::model::Layer::Memory);
    let rest = own.filter(|(path, _)| !whole.contains(path.as_str()));
    rest.map(|(path, file)| (path.clone(), file.text().into_owned())).collect()
}

/// Something of a memory file that a session says it used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Citation {
    /// The file, as far as it is named.
    pub file: String,
    /// Its first and last line there, if they are named.
    pub lines: Option<(usize, usize)>,
}

/// Every harness whose memories are known, in the order in which help lists them.
pub static ALL: &[&dyn Memories] = &[
    &super::claude::Claude,
    &super::codex::memory::CodexMemories,
    &super::gemini::Gemini,
    &super::hermes::Hermes,
];

/// Returns the one called `name`.
pub fn by_name(name: &str) -> Option<&'static dyn Memories> {
    ALL.iter().copied().find(|harness| harness.name() == name)
}
