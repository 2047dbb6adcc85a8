//! The folders and files in which memories stand.

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

use super::super::write::folder::name as store_name;
use super::super::{CONTEXT_FILE, Claude};
use crate::error::Result;
use crate::harness::Harness as _;
use crate::harness::memory::fields::headed;
use crate::harness::memory::folder::INDEX;
use crate::harness::memory::imports::{self, Followed};
use crate::harness::memory::index::is_one;
use crate::harness::memory::{At, Root, Shelf, Tree, settings};
use crate::jsonl::Input;
use crate::model::{Layer, MemoryScope};
use crate::note::{NoteKind, Notes};

/// The variable that replaces the name of a project's folder.
pub(super) const STORE_NAME: &str = "CLAUDE_CODE_PROJECT_DIR_NAME";
/// The setting that replaces the folder of memories.
const FOLDER_SETTING: &str = "autoMemoryDirectory";
/// How many imports may lead to a file.
const HOPS: usize = 4;

/// What an administrator writes for all users of a machine.
const MANAGED: &str = if cfg!(target_os = "macos") {
    "/Library/Application Support/ClaudeCode"
} else if cfg!(windows) {
    "C:\\Program Files\\ClaudeCode"
} else {
    "/etc/claude-code"
};

/// Finds the stores of projects that hold memories, and the folder in which their newest session began, or after
/// which they are named.
pub(super) fn roots(harness: &Claude, home: &Utf8Path) -> Result<Vec<Root>> {
    let entries = home.join("projects").read_dir_utf8().into_iter().flatten().flatten();
    let mut stores: Vec<_> = entries.map(|entry| entry.path().to_owned()).collect();
    stores.retain(|store| store.join("memory").is_dir());
    stores.sort();
    let project = |store: &Utf8PathBuf| began_in(harness, store).or_else(|| named_after(store));
    Ok(stores.into_iter().map(|store| Root { cwd: project(&store), store }).collect())
}

/// Returns the folder on this machine after which a store is named, if there is just one: a name does not tell
/// `/a/b-c` from `/a/b/c`.
fn named_after(store: &Utf8Path) -> Option<Utf8PathBuf> {
    let name = store.file_name()?;
    let (mut above, mut found) = (vec![Utf8PathBuf::from("/")], Vec::new());
    while let Some(folder) = above.pop() {
        for entry in folder.read_dir_utf8().into_iter().flatten().flatten() {
            let path = entry.into_path();
            let rest = name.strip_prefix(&store_name(path.as_str()));
            if rest.is_none_or(|rest| !rest.is_empty() && !rest.starts_with('-')) || !path.is_dir()
            {
                continue;
            }
            let is_it = rest == Some("");
            if is_it { &mut found } else { &mut above }.push(path);
        }
    }
    found.pop().filter(|_| found.is_empty())
}

/// Returns the folder of the newest session of a store that says one.
fn began_in(harness: &Claude, store: &Utf8Path) -> Option<Utf8PathBuf> {
    /// How many sessions are asked.
    const SESSIONS: usize = 5;
    let entries = store.read_dir_utf8().ok()?.flatten();
    let mut files: Vec<_> = entries
        .filter(|entry| harness.may_be_session(entry.path()))
        .filter_map(|entry| {
            Some((entry.metadata().ok()?.modified().ok()?, entry.path().to_owned()))
        })
        .collect();
    files.sort();
    let newest = files.iter().rev().take(SESSIONS);
    newest.into_iter().find_map(|(_, path)| {
        let header = harness.header(&Input::file(path).ok()?).ok()?;
        header.project.or(header.cwd).map(Utf8PathBuf::from).filter(|cwd| cwd.is_absolute())
    })
}

/// Returns every place that does not depend on what stands in another.
pub(super) fn shelves(at: &At) -> Vec<Shelf> {
    let home = &at.home;
    let mut shelves = vec![
        Shelf::file(
            Utf8Path::new(MANAGED).join("managed-settings.json"),
            Layer::Settings,
            MemoryScope::everywhere(),
        ),
        Shelf::file(
            Utf8Path::new(MANAGED).join(CONTEXT_FILE),
            Layer::Instructions,
            MemoryScope::everywhere(),
        ),
        Shelf::file(home.join("settings.json"), Layer::Settings, MemoryScope::everywhere()),
        Shelf::file(home.join(CONTEXT_FILE), Layer::Instructions, MemoryScope::everywhere()),
        rules(home, MemoryScope::everywhere()),
        Shelf::folder(home.join("agent-memory"), Layer::Agent, MemoryScope::everywhere()),
    ];
    for root in &at.roots {
        if at.means(root, is_named) {
            // Where no session tells, only the name says whose it is.
            let cwd = root.cwd.as_deref().or(at.project.as_deref());
            shelves.extend(of_store(&root.store, MemoryScope::of_project(cwd)));
        }
    }
    let Some(project) = &at.project else { return shelves };
    let scope = MemoryScope::of_project(Some(project));
    shelves.extend(of_store(&home.join("projects").join(name(at, project)), scope.clone()));
    let own = project.join(".claude");
    for name in ["settings.local.json", "settings.json"] {
        shelves.push(Shelf::file(own.join(name), Layer::Settings, scope.clone()));
    }
    let cwd = at.cwd.as_ref().unwrap_or(project);
    let mut folders: Vec<_> = cwd.ancestors().collect();
    folders.reverse();
    for folder in folders {
        let scope = MemoryScope::of_project(Some(folder));
        let names =
            [CONTEXT_FILE, ".claude/CLAUDE.md", "CLAUDE.local.md"].map(|name| folder.join(name));
        let files = names.into_iter().filter(|file| *file != home.join(CONTEXT_FILE));
        shelves.extend(files.map(|file| Shelf::file(file, Layer::Instructions, scope.clone())));
    }
    if own != *home {
        shelves.push(rules(&own, scope.clone()));
        shelves.push(Shelf::folder(own.join("agent-memory"), Layer::Agent, scope.clone()));
        shelves.push(Shelf::folder(own.join("agent-memory-local"), Layer::Agent, scope));
    }
    shelves
}

fn rules(folder: &Utf8Path, scope: MemoryScope) -> Shelf {
    Shelf { follow_links: true, ..Shelf::folder(folder.join("rules"), Layer::Rules, scope) }
}

/// Returns the memories of a store, and the notes that older versions kept of each session.
fn of_store(store: &Utf8Path, scope: MemoryScope) -> [Shelf; 2] {
    let sessions = Shelf {
        depth: 3,
        suffix: "/session-memory/summary.md",
        ..Shelf::folder(store, Layer::Session, scope.clone())
    };
    [Shelf::folder(store.join("memory"), Layer::Memory, scope), sessions]
}

/// Tells whether a store has the name of that of the project.
pub(super) fn is_named(root: &Root, at: &At) -> bool {
    let name = at.project.as_ref().map(|project| name(at, project));
    name.is_some() && root.store.file_name() == name.as_deref()
}

/// Returns the name of the folder of a project.
fn name(at: &At, project: &Utf8Path) -> String {
    let set =
        at.variables.get(STORE_NAME).filter(|name| !name.is_empty() && !name.contains(['/', '\\']));
    set.cloned().unwrap_or_else(|| store_name(project.as_str()))
}

/// Returns the folder into which memories of the project are written.
pub(super) fn store(tree: &Tree, at: &At) -> Option<Utf8PathBuf> {
    let project = at.project.as_ref()?;
    let named = moved_folder(tree, at);
    // A store of which the sessions tell that it is this project's, whatever its name.
    let known = at.roots.iter().find(|root| {
        root.cwd.as_ref().is_some_and(|cwd| cwd == project || at.work_trees.contains(cwd))
    });
    let known = known.map(|root| root.store.join("memory"));
    named
        .or(known)
        .or_else(|| Some(at.home.join("projects").join(name(at, project)).join("memory")))
}

/// The file of rules for what holds in every project.
pub(super) fn imported_rules(at: &At) -> Utf8PathBuf {
    at.home.join("rules").join("imported-memories.md")
}

/// The rank of the settings that a repository brings with it.
const OF_REPOSITORY: u8 = 2;

/// Returns the folders of memories that settings name, each with its rank, the lowest of which counts, and the file.
fn named_folders<'t>(
    tree: &'t Tree,
    at: &'t At,
) -> impl Iterator<Item = (u8, Utf8PathBuf, &'t Utf8Path)> {
    let rank = |path: &Utf8Path| match path {
        path if path.starts_with(MANAGED) => 0,
        path if path.file_name() == Some("settings.local.json") => 1,
        path if !path.starts_with(&at.home) => OF_REPOSITORY,
        _ => 3,
    };
    tree.of(Layer::Settings).filter_map(move |(path, file)| {
        let values = settings::plain(&file.bytes).ok()?;
        let folder = at.expanded(values.get(FOLDER_SETTING)?.as_str()?)?;
        folder.is_absolute().then(|| (rank(path), folder, path.as_path()))
    })
}

/// Tells whether a folder may be that of memories. A repository names none but its own: whoever wrote its settings
/// could have anything read, and written, as memories; the program asks its user whether to trust them. What holds
/// everything is none whoever names it.
fn may_be_named(rank: u8, folder: &Utf8Path, at: &At) -> bool {
    let store =
        at.project.as_deref().map(|project| at.home.join("projects").join(name(at, project)));
    let tops = || at.project.iter().chain(&at.work_trees).chain(&store);
    let real = |path: &Utf8Path| path.canonicalize_utf8().ok();
    // A repository can hold a link to elsewhere.
    let is_really_in =
        |folder: &Utf8Path| tops().any(|top| real(top).is_some_and(|top| folder.starts_with(top)));
    let is_own = || {
        let climbs = folder.components().any(|part| part == Utf8Component::ParentDir);
        let is_in = at.is_here(folder) || store.as_ref().is_some_and(|it| folder.starts_with(it));
        let there = || folder.ancestors().find_map(real);
        let is_new =
            |there: &Utf8Path| tops().all(|top| real(top).is_none_or(|top| top.starts_with(there)));
        !climbs && is_in && there().is_none_or(|there| is_really_in(&there) || is_new(&there))
    };
    let is_wide = folder.parent().is_none() || at.user.as_deref() == Some(folder);
    !is_wide && (rank != OF_REPOSITORY || is_own())
}

/// Returns the folder of memories that the settings name, the gravest first.
fn moved_folder(tree: &Tree, at: &At) -> Option<Utf8PathBuf> {
    let named = named_folders(tree, at).filter(|(rank, folder, _)| may_be_named(*rank, folder, at));
    named.min().map(|(_, folder, _)| folder)
}

/// Notes the folders that settings name and that may be none of memories.
pub(super) fn note_passed_over(tree: &Tree, at: &At, notes: &mut Notes) {
    for (rank, folder, file) in named_folders(tree, at) {
        if !may_be_named(rank, &folder, at) {
            notes.add(NoteKind::FolderNotTaken, &format!("{file}: {folder}"), 0);
        }
    }
}

/// Returns what the settings and the imports point at.
pub(super) fn more(tree: &Tree, at: &At) -> Vec<Shelf> {
    let scope = MemoryScope::of_project(at.project.as_deref());
    let moved = moved_folder(tree, at).map(|folder| Shelf::folder(folder, Layer::Memory, scope));
    let imports = followed(tree, at).shelves(at);
    moved.into_iter().chain(imports).collect()
}

/// Follows the imports of context files. What a project's file asks for must lie in the project: the
/// program asks its user before it reads anything else.
pub(super) fn followed(tree: &Tree, at: &At) -> Followed {
    let starts = tree.files.iter().filter(|(_, file)| file.layer.is_human() && !file.imported);
    let is_global = |path: &Utf8Path| path.starts_with(&at.home);
    let may = |from: &Utf8Path, target: &Utf8Path| {
        is_global(from)
            || at.is_here(target)
            || from.parent().is_some_and(|folder| target.starts_with(folder))
    };
    imports::follow(starts, tree, at, HOPS, &may)
}

/// Tells by path and text what a file is.
pub(super) fn recognise(path: &Utf8Path, text: &str) -> Option<Shelf> {
    let name = path.file_name()?;
    let has = |folder: &str| path.components().any(|part| part.as_str() == folder);
    let scope = MemoryScope::of_project(None);
    if name.starts_with("CLAUDE.") && name.ends_with(".md") {
        return Some(Shelf::file(path, Layer::Instructions, scope));
    }
    if !name.to_lowercase().ends_with(".md") {
        return None;
    }
    if has(".claude") && (has("agent-memory") || has("agent-memory-local")) {
        return Some(Shelf::file(path, Layer::Agent, scope));
    }
    if has(".claude") && has("rules") {
        return Some(Shelf::file(path, Layer::Rules, scope));
    }
    if name == "summary.md" && has("session-memory") {
        return Some(Shelf::file(path, Layer::Session, scope));
    }
    let is_topic = || {
        let head = headed(text);
        head.is_some_and(|head| {
            head.fields.contains_key("name")
                && head.fields.contains_key("description")
                && (head.fields.contains_key("metadata") || head.fields.contains_key("type"))
        })
    };
    let is_index = || name == INDEX && is_one(text);
    // An index stands for the files that it points at.
    if let Some(folder) = path.parent().filter(|_| is_index()) {
        return Some(Shelf::folder(folder, Layer::Memory, scope));
    }
    let in_store = has("memory") && has("projects");
    (in_store || is_topic()).then(|| Shelf::file(path, Layer::Memory, scope))
}
