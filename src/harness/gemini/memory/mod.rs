//! Where Gemini CLI keeps memories, and how they come there.
//!
//! Its own are topic files with an index, one folder a project; what holds everywhere stands in the
//! context file of the home, beside what humans write there.

mod check;
mod places;
mod propose;
mod read;

use camino::{Utf8Path, Utf8PathBuf};

use super::project::{self, MARKER};
use super::{Gemini, NAME};
use crate::block::unmentioned;
use crate::error::Result;
use crate::harness::Finding;
use crate::harness::memory::folder::INDEX;
use crate::harness::memory::row::{change, routed};
use crate::harness::memory::{At, How, Memories, Read, Root, Shelf, Tree, folder, managed};
use crate::model::{Level, Memory};
use crate::plan::MemoryPlan;

impl Memories for Gemini {
    fn name(&self) -> &'static str {
        NAME
    }

    fn title(&self) -> &'static str {
        crate::harness::Harness::title(self)
    }

    fn home(&self, var: &dyn Fn(&str) -> Option<String>) -> Option<Utf8PathBuf> {
        crate::harness::Harness::home(self, var)
    }

    fn roots(&self, home: &Utf8Path) -> Result<Vec<Root>> {
        places::roots(home)
    }

    fn store_of(&self, home: &Utf8Path, project: &Utf8Path) -> Option<Utf8PathBuf> {
        Some(project::folder_for(home, project.as_str()).0)
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

    fn recognises(&self, path: &Utf8Path, _text: &str) -> Option<Shelf> {
        places::recognise(path)
    }

    fn read(&self, tree: &Tree, at: &At) -> Read {
        read::read(tree, at)
    }

    fn write(&self, wanted: &[Memory], tree: &Tree, at: &At, _how: &How) -> MemoryPlan {
        planned(wanted, tree, at, |plan, _| plan)
    }

    fn propose(&self, wanted: &[Memory], tree: &Tree, at: &At, _how: &How) -> MemoryPlan {
        let inbox = places::store(at).map(|store| places::inbox(&store));
        planned(wanted, tree, at, |plan, route| match (&inbox, route) {
            (Some(inbox), Route::Private) => propose::patched(plan, &inbox.join("private"), tree),
            (Some(inbox), Route::Global) => propose::patched(plan, &inbox.join("global"), tree),
            (None, _) => plan,
        })
    }

    fn check(&self, tree: &Tree, at: &At) -> Vec<(Utf8PathBuf, Finding)> {
        check::check(tree, at)
    }
}

/// Where a memory goes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Route {
    /// The block of the context file for all projects.
    Global,
    /// The project's own folder.
    Private,
}

/// Plans where each memory goes; `done` makes of the changes of a route what is wanted of them.
fn planned(
    wanted: &[Memory],
    tree: &Tree,
    at: &At,
    done: impl Fn(MemoryPlan, Route) -> MemoryPlan,
) -> MemoryPlan {
    let store = places::store(at);
    let is_here =
        |memory: &Memory| memory.scope.cwd.as_deref().is_none_or(|cwd| at.is_here(cwd.as_ref()));
    let route = |memory: &Memory| match memory.scope.level {
        Level::Global => Ok(Route::Global),
        Level::Project if store.is_none() => Err("no project is given".to_owned()),
        Level::Project if is_here(memory) => Ok(Route::Private),
        Level::Project => Err("it belongs to another project".to_owned()),
    };
    let mut plan = routed(wanted, route, |route, group| {
        let part = match (route, &store) {
            (Route::Private, Some(store)) => private(group, &places::folder(store), tree),
            _ => managed::write(group, &places::global_file(tree, at), tree),
        };
        done(part, route)
    });
    plan.changes.extend(store.and_then(|store| claimed(&plan, &store, tree, at)));
    plan
}

/// Writes to the project's folder. Its index is searched for imports, so that none may begin there.
fn private(group: &[&Memory], path: &Utf8Path, tree: &Tree) -> MemoryPlan {
    let safe: Vec<Memory> = group
        .iter()
        .map(|memory| Memory {
            title: unmentioned(&memory.title),
            summary: unmentioned(&memory.summary),
            ..(*memory).clone()
        })
        .collect();
    let names = places::names(tree);
    let safe: Vec<&Memory> = safe.iter().collect();
    let mut plan = folder::write(&safe, path, tree, NAME, &names);
    let index = path.join(INDEX);
    let is_new = tree.get(&index).is_none() && plan.changes.iter().any(|one| one.path == index);
    let shadowed = names.iter().find(|name| tree.get(&path.join(name)).is_some());
    if let Some(name) = shadowed.filter(|_| is_new) {
        plan.warnings.push(format!("`{}` is not loaded any more beside {INDEX}", path.join(name)));
    }
    plan
}

/// Returns the file that says whose a new store is; without it the program would make another one.
fn claimed(
    plan: &MemoryPlan,
    store: &Utf8Path,
    tree: &Tree,
    at: &At,
) -> Option<crate::plan::FileChange> {
    let path = store.join(MARKER);
    let is_used = plan.changes.iter().any(|change| change.path.starts_with(store));
    // The name of an older store says whose it is.
    let is_known = at.roots.iter().any(|root| root.store == store && root.cwd.is_some());
    let is_named = |project: &&Utf8PathBuf| {
        store.file_name() == Some(project::digest(project.as_str()).as_str())
    };
    let project =
        at.project.as_ref().filter(|project| is_used && !is_known && !is_named(project))?;
    // One that cannot be read is there too, and is not written over.
    let is_there = tree.get(&path).is_some() || tree.unreadable.contains_key(&path);
    if is_there { None } else { change(tree, &path, project.as_str()) }
}
