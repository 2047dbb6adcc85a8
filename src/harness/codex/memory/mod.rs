//! Memories of Codex: two stores below its home, and the context files of projects.
//!
//! What its database counts about them is not read: how often each was used is also told by the
//! citations in its sessions.

mod check;
mod cite;
mod context;
mod cwd;
mod edit;
mod entry;
mod handbook;
mod place;
mod preference;
mod read;
mod session;
mod summary;
mod write;

use camino::{Utf8Path, Utf8PathBuf};

use self::place::Part;
use super::Codex;
use crate::harness::Harness;
use crate::harness::memory::{At, Citation, How, Memories, Read, Shelf, Tree};
use crate::harness::write::Finding;
use crate::model::{Layer, Level, Memory, MemoryScope};
use crate::plan::MemoryPlan;

/// The name that users type.
const NAME: &str = "codex";
/// The folder of a source for what holds in every project.
const GLOBAL: &str = "_global";

/// Reads and writes the memories of Codex.
pub(in crate::harness) struct CodexMemories;

impl Memories for CodexMemories {
    fn name(&self) -> &'static str {
        NAME
    }

    fn title(&self) -> &'static str {
        Codex.title()
    }

    fn home(&self, var: &dyn Fn(&str) -> Option<String>) -> Option<Utf8PathBuf> {
        Codex.home(var)
    }

    fn shelves(&self, at: &At) -> Vec<Shelf> {
        place::shelves(at)
    }

    fn more(&self, tree: &Tree, at: &At) -> Vec<Shelf> {
        let (_, names) = context::settings(tree, at);
        let cwd = at.project.as_ref().map(ToString::to_string);
        let scope = MemoryScope { level: Level::Project, cwd };
        let folders = place::chain(at).into_iter();
        let paths = folders
            .flat_map(|folder| names.iter().map(move |name| folder.join(name)).collect::<Vec<_>>());
        paths.map(|path| Shelf::file(path, Layer::Instructions, scope.clone())).collect()
    }

    fn recognises(&self, path: &Utf8Path, text: &str) -> Option<Shelf> {
        let none = Utf8Path::new("");
        let name = path.file_name().unwrap_or_default();
        let layer = match place::part(path, none) {
            Part::Context => Layer::Instructions,
            Part::Handbook if !handbook::is_one(text) => return None,
            Part::Summary if !(text.starts_with("v1") || text.contains(summary::ROUTES)) => {
                return None;
            }
            Part::Raw if !text.starts_with("# Raw Memories") => return None,
            Part::Raw => Layer::Session,
            Part::Handbook | Part::Summary => Layer::Memory,
            Part::Skill if !is_in_store(path) => return None,
            Part::Skill => Layer::Skills,
            Part::Note => Layer::Notes,
            Part::Resource { .. } => Layer::Imported,
            Part::Session | Part::Other if session::is_one(text) && name.ends_with(".md") => {
                Layer::Session
            }
            Part::Session | Part::Other => return None,
        };
        let level = if layer == Layer::Instructions { Level::Project } else { Level::Global };
        let cwd = path.parent().filter(|_| level == Level::Project).map(ToString::to_string);
        Some(Shelf::file(path, layer, MemoryScope { level, cwd }))
    }

    fn read(&self, tree: &Tree, at: &At) -> Read {
        read::read(tree, at)
    }

    fn write(&self, wanted: &[Memory], tree: &Tree, at: &At, how: &How) -> MemoryPlan {
        write::write(wanted, tree, at, how)
    }

    fn propose(&self, wanted: &[Memory], tree: &Tree, at: &At, how: &How) -> MemoryPlan {
        write::propose(wanted, tree, at, how)
    }

    fn edit(
        &self,
        memory: &Memory,
        text: Option<&str>,
        tree: &Tree,
        at: &At,
    ) -> Result<MemoryPlan, String> {
        edit::edit(memory, text, tree, at)
    }

    fn check(&self, tree: &Tree, at: &At) -> Vec<(Utf8PathBuf, Finding)> {
        check::check(tree, at)
    }

    fn citations(&self, text: &str) -> Vec<Citation> {
        cite::citations(text)
    }
}

/// Tells whether a file lies in a store, by its path alone.
fn is_in_store(path: &Utf8Path) -> bool {
    path.components().any(|part| place::STORES.contains(&part.as_str()))
}
