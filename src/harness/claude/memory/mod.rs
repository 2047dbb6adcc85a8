//! Where Claude Code keeps memories, and how they come there.
//!
//! Its own are topic files with an index, one folder a project; context files and rules are written
//! by humans.

mod check;
mod places;
mod read;

use camino::{Utf8Path, Utf8PathBuf};

use super::{Claude, NAME};
use crate::error::Result;
use crate::harness::Finding;
use crate::harness::memory::row::routed;
use crate::harness::memory::{At, How, Memories, Read, Root, Shelf, Tree, folder, managed};
use crate::model::{Level, Memory};
use crate::plan::MemoryPlan;

impl Memories for Claude {
    fn name(&self) -> &'static str {
        NAME
    }

    fn title(&self) -> &'static str {
        crate::harness::Harness::title(self)
    }

    fn home(&self, var: &dyn Fn(&str) -> Option<String>) -> Option<Utf8PathBuf> {
        crate::harness::Harness::home(self, var)
    }

    fn variables(&self) -> &'static [&'static str] {
        &[places::STORE_NAME]
    }

    fn roots(&self, home: &Utf8Path) -> Result<Vec<Root>> {
        places::roots(self, home)
    }

    fn is_named(&self, root: &Root, at: &At) -> bool {
        places::is_named(root, at)
    }

    fn shelves(&self, at: &At) -> Vec<Shelf> {
        places::shelves(at)
    }

    fn more(&self, tree: &Tree, at: &At) -> Vec<Shelf> {
        places::more(tree, at)
    }

    fn recognises(&self, path: &Utf8Path, text: &str) -> Option<Shelf> {
        places::recognise(path, text)
    }

    fn read(&self, tree: &Tree, at: &At) -> Read {
        read::read(tree, at)
    }

    fn write(&self, wanted: &[Memory], tree: &Tree, at: &At, _how: &How) -> MemoryPlan {
        write(wanted, tree, at)
    }

    fn cited_by(&self) -> &'static [&'static str] {
        // It reads the files, whose path it knows from the index.
        &["/memory/", "\\memory\\"]
    }

    fn check(&self, tree: &Tree, at: &At) -> Vec<(Utf8PathBuf, Finding)> {
        check::check(tree, at)
    }
}

/// Where a memory goes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Route {
    /// The project's folder of topic files.
    Folder,
    /// A file of rules, since there is no folder for what holds everywhere.
    Rules,
}

/// Puts each memory where the program finds it.
fn write(wanted: &[Memory], tree: &Tree, at: &At) -> MemoryPlan {
    let store = places::store(tree, at);
    let route = |memory: &Memory| match memory.scope.level {
        Level::Global => Ok(Route::Rules),
        Level::Project if store.is_some() && is_of(memory, at) => Ok(Route::Folder),
        Level::Project => Err("it belongs to another project".to_owned()),
    };
    routed(wanted, route, |route, group| match (route, &store) {
        (Route::Folder, Some(store)) => folder::write(group, store, tree, NAME, &[]),
        _ => managed::write(group, &places::imported_rules(at), tree),
    })
}

/// Tells whether a memory holds in the project that is meant, or in one that nobody knows.
fn is_of(memory: &Memory, at: &At) -> bool {
    memory.scope.cwd.as_deref().is_none_or(|cwd| at.is_here(Utf8Path::new(cwd)))
}
