//! The folders and files in which memories stand.

use camino::{Utf8Path, Utf8PathBuf};
use serde_json::Value;

use super::super::project::{self, MARKER};
use crate::error::Result;
use crate::harness::memory::imports::{self, Followed};
use crate::harness::memory::{At, Root, Shelf, Stored, Tree, settings};
use crate::model::{Layer, MemoryScope};

/// The name of a context file where the settings give no other.
pub(super) const CONTEXT: &str = "GEMINI.md";
/// The file of settings in the home.
const SETTINGS: &str = "settings.json";
/// The folder of a store with its memories.
const MEMORY: &str = "memory";
/// The folder of memories with proposals, which the user looks at before they come in.
const INBOX: &str = ".inbox";
/// How many imports may lead to a file.
const DEPTH: usize = 5;

/// Finds the stores of projects: those that say whose they are, and those that hold memories.
pub(super) fn roots(home: &Utf8Path) -> Result<Vec<Root>> {
    let entries = home.join("tmp").read_dir_utf8().into_iter().flatten().flatten();
    let mut stores: Vec<_> = entries.map(|entry| entry.path().to_owned()).collect();
    stores.sort();
    let roots = stores.into_iter().filter_map(|store| {
        let cwd = project::filed_under(&store).map(Utf8PathBuf::from);
        (cwd.is_some() || store.join(MEMORY).is_dir()).then_some(Root { store, cwd })
    });
    Ok(roots.collect())
}

/// Returns every place that does not depend on what stands in another.
pub(super) fn shelves(at: &At) -> Vec<Shelf> {
    let mut shelves = vec![
        Shelf::file(at.home.join(SETTINGS), Layer::Settings, MemoryScope::everywhere()),
        Shelf::file(at.home.join(CONTEXT), Layer::Instructions, MemoryScope::everywhere()),
    ];
    for root in at.roots.iter().filter(|root| at.means(root, is_named)) {
        // One that is meant by its name alone is the project's.
        let cwd = root.cwd.as_deref().or(at.project.as_deref());
        shelves.extend(of_store(&root.store, cwd));
    }
    let Some(project) = &at.project else { return shelves };
    if let Some(store) = store(at) {
        shelves.extend(of_store(&store, Some(project)));
    }
    let settings = project.join(".gemini/settings.json");
    shelves.push(Shelf::file(settings, Layer::Settings, MemoryScope::of_project(Some(project))));
    shelves.extend(context_files(at, &[CONTEXT.to_owned()]));
    shelves
}

/// Returns the memories of a store, the proposals in its inbox, and the file that says whose it is.
fn of_store(store: &Utf8Path, cwd: Option<&Utf8Path>) -> [Shelf; 3] {
    let memories = Shelf::folder(store.join(MEMORY), Layer::Memory, MemoryScope::of_project(cwd));
    let inbox = Shelf {
        path: inbox(store),
        depth: 2,
        suffix: ".patch",
        layer: Layer::Settings,
        scope: MemoryScope::of_project(cwd),
        ..Shelf::default()
    };
    [
        memories,
        inbox,
        Shelf::file(store.join(MARKER), Layer::Settings, MemoryScope::of_project(cwd)),
    ]
}

/// Tells whether a store has the name of that of the project.
pub(super) fn is_named(root: &Root, at: &At) -> bool {
    let name = at.project.as_ref().map(|project| project::digest(project.as_str()));
    name.is_some() && root.store.file_name() == name.as_deref()
}

/// Returns the store of the project: the one that was found to be its, else the one that the program will
/// make where nothing else is.
pub(super) fn store(at: &At) -> Option<Utf8PathBuf> {
    let project = at.project.as_ref()?;
    let own = at.roots.iter().find(|root| root.cwd.as_ref() == Some(project));
    let made = || at.home.join("tmp").join(project::slug(project.as_str()));
    let found = at.own_store.clone().or_else(|| Some(own?.store.clone()));
    Some(found.unwrap_or_else(made))
}

/// Returns the folder of a store with its memories.
pub(super) fn folder(store: &Utf8Path) -> Utf8PathBuf {
    store.join(MEMORY)
}

/// Returns the folder of a store with its proposals.
pub(super) fn inbox(store: &Utf8Path) -> Utf8PathBuf {
    store.join(MEMORY).join(INBOX)
}

/// Returns the names of context files, as the settings have them.
pub(super) fn names(tree: &Tree) -> Vec<String> {
    named_in(tree.of(Layer::Settings).filter(|(path, _)| path.extension() == Some("json")))
}

/// Returns the names that these settings give. What is a path is no name: settings come with a project,
/// and must not lead anywhere else.
fn named_in<'t>(settings: impl Iterator<Item = (&'t Utf8PathBuf, &'t Stored)>) -> Vec<String> {
    let is_name = |name: &str| {
        !name.is_empty()
            && name != ".."
            && !name.contains(['/', '\\'])
            && !name.contains(char::is_control)
    };
    let mut names: Vec<String> = Vec::new();
    for (_, file) in settings {
        let values = settings::commented(&file.bytes).unwrap_or_default();
        let set = values.pointer("/context/fileName").or_else(|| values.get("contextFileName"));
        let set = match set {
            Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).collect(),
            Some(Value::String(name)) => vec![name.as_str()],
            _ => Vec::new(),
        };
        names.extend(set.iter().map(|name| name.trim().to_owned()).filter(|name| is_name(name)));
    }
    if names.is_empty() {
        names.push(CONTEXT.to_owned());
    }
    names
}

/// Returns the context file for all projects, as the user's own settings name it.
pub(super) fn global_file(tree: &Tree, at: &At) -> Utf8PathBuf {
    let path = at.home.join(SETTINGS);
    let names = named_in(tree.files.get_key_value(&path).into_iter());
    at.home.join(names.first().map_or(CONTEXT, String::as_str))
}

/// Returns where context files of these names stand in the project, from its top down.
fn context_files(at: &At, names: &[String]) -> Vec<Shelf> {
    let Some(project) = &at.project else { return Vec::new() };
    let cwd = at.cwd.as_ref().filter(|cwd| cwd.starts_with(project)).unwrap_or(project);
    let mut folders: Vec<_> =
        cwd.ancestors().take_while(|folder| folder.starts_with(project)).collect();
    folders.reverse();
    let files = folders.into_iter().flat_map(|folder| {
        let scope = MemoryScope::of_project(Some(folder));
        names.iter().map(move |name| (folder.join(name), scope.clone()))
    });
    files.map(|(path, scope)| Shelf::file(path, Layer::Instructions, scope)).collect()
}

/// Returns what the settings and the imports point at.
pub(super) fn more(tree: &Tree, at: &At) -> Vec<Shelf> {
    let names = names(tree);
    let global_files = names.iter().map(|name| {
        Shelf::file(at.home.join(name), Layer::Instructions, MemoryScope::everywhere())
    });
    let imports = followed(tree, at).shelves(at);
    global_files.chain(context_files(at, &names)).chain(imports).collect()
}

/// Follows the imports of context files, which must stay below the home or in the project.
pub(super) fn followed(tree: &Tree, at: &At) -> Followed {
    let starts =
        tree.files.iter().filter(|(_, file)| file.layer == Layer::Instructions && !file.imported);
    let may = |from: &Utf8Path, target: &Utf8Path| {
        let folder = from.parent().unwrap_or(from);
        let is_global = from.starts_with(&at.home);
        let top = if is_global { Some(&at.home) } else { at.project.as_ref() };
        target.starts_with(top.map_or(folder, Utf8PathBuf::as_path))
    };
    imports::follow(starts, tree, at, DEPTH, &may)
}

/// Tells by path what a file is.
pub(super) fn recognise(path: &Utf8Path) -> Option<Shelf> {
    let name = path.file_name()?;
    let above: Vec<_> = path.ancestors().skip(1).filter_map(Utf8Path::file_name).collect();
    let has = |folder: &str| above.contains(&folder);
    if has(".gemini") && has("tmp") && has(MEMORY) && name.to_lowercase().ends_with(".md") {
        return Some(Shelf::file(path, Layer::Memory, MemoryScope::of_project(None)));
    }
    let is_global = above.first() == Some(&".gemini");
    let scope = if is_global { MemoryScope::everywhere() } else { MemoryScope::of_project(None) };
    (name == CONTEXT).then(|| Shelf::file(path, Layer::Instructions, scope))
}
