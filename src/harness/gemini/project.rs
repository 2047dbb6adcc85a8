//! Which project a session belongs to. The session file itself holds only a digest of its path.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use sha2::{Digest as _, Sha256};

use crate::json;
use crate::jsonl::Input;

/// The project's path, in the folder of its sessions.
const MARKER: &str = ".project_root";

/// Returns the project's folder: from the marker, else the registry, else what the session's own
/// context says.
pub(super) fn of(input: &Input, context: Option<&str>) -> Option<String> {
    let filed = input.path().and_then(temp_dir).and_then(|folder| filed_under(&folder));
    filed.or_else(|| context.and_then(in_context))
}

/// Returns the folder that the harness keeps for the project of the session at `path`.
fn temp_dir(path: &Utf8Path) -> Option<Utf8PathBuf> {
    let path = path.canonicalize_utf8().ok()?;
    let chats = path.ancestors().skip(1).find(|folder| folder.file_name() == Some("chats"));
    chats.or(Some(&path)).and_then(Utf8Path::parent).map(Utf8Path::to_owned)
}

/// Returns the folder with all sessions of the project, where the session stands in one.
pub(super) fn chats_dir(path: &Utf8Path) -> Option<&Utf8Path> {
    let mut folders = path.ancestors().skip(1);
    folders.find(|folder| folder.file_name() == Some("chats")).or_else(|| path.parent())
}

fn filed_under(folder: &Utf8Path) -> Option<String> {
    if let Some(root) = marked(folder) {
        return Some(root);
    }
    let name = folder.file_name()?;
    let home = folder.parent()?.parent()?;
    let registry = registry(home);
    let known = registry.iter().find(|(_, slug)| *slug == name).map(|(path, _)| path.clone());
    known.or_else(|| registry.into_keys().find(|path| digest(path) == name))
}

/// Returns the project that a folder says it belongs to.
fn marked(folder: &Utf8Path) -> Option<String> {
    let root = std::fs::read_to_string(folder.join(MARKER)).ok()?;
    let root = root.trim();
    (!root.is_empty()).then(|| root.to_owned())
}

/// Returns the folder name of each project that the harness has registered.
fn registry(home: &Utf8Path) -> BTreeMap<String, String> {
    #[derive(Default, serde::Deserialize)]
    #[serde(default)]
    struct Registry {
        projects: BTreeMap<String, String>,
    }
    let text = std::fs::read_to_string(home.join("projects.json")).unwrap_or_default();
    json::from_str::<Registry>(&text).unwrap_or_default().projects
}

/// Returns the folders under `tmp` whose project is, holds or lies in `project`.
pub(super) fn folders_of(home: &Utf8Path, project: &Utf8Path) -> Vec<Utf8PathBuf> {
    let registry = registry(home);
    let near = |path: &str| project.starts_with(path) || Utf8Path::new(path).starts_with(project);
    let mut names: Vec<String> = project.ancestors().map(|path| digest(path.as_str())).collect();
    for (path, slug) in registry.iter().filter(|(path, _)| near(path)) {
        names.extend([slug.clone(), digest(path)]);
    }
    let entries = home.join("tmp").read_dir_utf8().into_iter().flatten().flatten();
    let mut folders: Vec<_> = entries
        .filter(|entry| match marked(entry.path()) {
            Some(root) => near(&root),
            None => names.iter().any(|name| name == entry.file_name()),
        })
        .map(|entry| entry.path().to_owned())
        .collect();
    folders.sort();
    folders
}

/// Finds the folder that a context message names first.
fn in_context(text: &str) -> Option<String> {
    const LIST: &str = "**Workspace Directories:**";
    const SENTENCE: &str = "working in the directory: ";
    if let Some((_, rest)) = text.split_once(SENTENCE) {
        return rest.lines().next().map(|line| line.trim().to_owned());
    }
    let (_, rest) = text.split_once(LIST)?;
    let line = rest.lines().map(str::trim).find(|line| !line.is_empty())?;
    line.strip_prefix("- ").map(|path| path.trim().to_owned())
}

/// Returns the digest by which older versions name a project's folder.
fn digest(path: &str) -> String {
    Sha256::digest(path.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}
