//! Where a session belongs that began in a folder that holds everything: what it changed says it.

use camino::{Utf8Path, Utf8PathBuf};

use super::scope;
use crate::derive::Facts;
use crate::discover::{self, Found, Project, World};

/// Tells whether the edits of a session lie in `project`; one that cannot be read says nothing.
pub(super) fn votes(one: &Found, project: &Project, world: &World<'_>) -> bool {
    let facts = one.open().and_then(|input| scope::read(one.harness, input, None));
    let root = facts.ok().and_then(|found| edited(&found.facts, world));
    root.is_some_and(|root| project.contains(&root) || is_part(&project.root, &root))
}

/// Whether a project is a part of the repository `root`, and no repository of its own in it.
fn is_part(project: &Utf8Path, root: &Utf8Path) -> bool {
    let mut between = project.ancestors().take_while(|folder| *folder != root);
    project.starts_with(root) && !between.any(|folder| folder.join(".git").exists())
}

/// Returns the repository in which most of a session's changes lie.
pub(super) fn edited(facts: &Facts, world: &World<'_>) -> Option<Utf8PathBuf> {
    let folder = Utf8Path::new(facts.session.cwd.as_deref().unwrap_or_default());
    let files = facts.files.iter().filter(|file| file.edits > 0);
    let edits: Vec<_> = files.map(|file| (folder.join(&file.path), file.edits)).collect();
    let edits = edits.iter().map(|(path, count)| (path.as_path(), *count));
    discover::voted(edits, &world.wide())
}
