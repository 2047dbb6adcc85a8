//! Which project a session belongs to. The session file itself holds only a digest of its path.

use std::collections::{BTreeMap, BTreeSet};

use camino::{Utf8Path, Utf8PathBuf};
use sha2::{Digest as _, Sha256};

use crate::json;
use crate::jsonl::Input;

/// How many characters a digest has.
const DIGEST: usize = 64;
/// The project's path, in the folder of its sessions.
pub(super) const MARKER: &str = ".project_root";

/// Returns the project's folder: from the marker, else the registry, else what the session's own
/// context says.
pub(super) fn of(input: &Input, context: Option<&str>) -> Option<String> {
    let filed = input.path().and_then(temp_dir).and_then(|folder| filed_under(&folder));
    filed.or_else(|| context.and_then(in_context))
}

/// Returns the digest by which older versions name the folder with the session at `path`.
pub(super) fn digest_above(path: &Utf8Path) -> Option<String> {
    let kept = temp_dir(path)?;
    kept.file_name().filter(|name| name.len() == DIGEST).map(str::to_owned)
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

pub(super) fn filed_under(folder: &Utf8Path) -> Option<String> {
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
    let text = Input::small_text(&folder.join(MARKER))?;
    let folder = root(text.trim());
    (!folder.is_empty()).then(|| folder.to_owned())
}

/// Returns the folder name of each project that the harness has registered.
fn registry(home: &Utf8Path) -> BTreeMap<String, String> {
    #[derive(Default, serde::Deserialize)]
    #[serde(default)]
    struct Registry {
        projects: BTreeMap<String, String>,
    }
    let text = Input::small_text(&home.join("projects.json")).unwrap_or_default();
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
pub(super) fn digest(path: &str) -> String {
    let digit = |half: u8| char::from_digit(half.into(), 16).unwrap_or('0');
    let digest = Sha256::digest(path.as_bytes());
    digest.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// Returns a project's folder as the harness writes it.
pub(super) fn root(folder: &str) -> &str {
    let bare = folder.trim_end_matches('/');
    if bare.is_empty() { folder } else { bare }
}

/// Returns the name of the folder under `tmp` where the harness looks for sessions of `project`:
/// the registered one, else the one whose marker names it, else one that is free.
pub(super) fn slug_for(home: &Utf8Path, project: &str) -> String {
    let registry = sound_registry(home);
    let owners = Owners::read(home);
    if let Some(slug) = registry.get(project).filter(|slug| !owners.others(slug, project)) {
        return slug.clone();
    }
    if let Some(slug) = owners.slug_of(project) {
        return slug.to_owned();
    }
    let taken: BTreeSet<&str> = registry.values().map(String::as_str).collect();
    let is_free = |slug: &String| !taken.contains(slug.as_str()) && !owners.others(slug, project);
    let base = slug(project);
    let numbered = (1_u32..).map(|number| format!("{base}-{number}"));
    std::iter::once(base.clone()).chain(numbered).find(is_free).unwrap_or(base)
}

/// Returns the folder to put sessions of `project` into, and whether it is to be marked as its.
///
/// A folder of an older version is taken over by the harness, but only until there is another with
/// something in it: that one would hide all sessions that are there.
pub(super) fn folder_for(home: &Utf8Path, project: &str) -> (Utf8PathBuf, bool) {
    let folders = home.join("tmp");
    let (own, old) = (folders.join(slug_for(home, project)), folders.join(digest(project)));
    let is_taken_over = old.is_dir() && holds_nothing(&own);
    if is_taken_over { (old, false) } else { (own, true) }
}

/// Tells whether a folder is not there, or says only whose it is.
fn holds_nothing(folder: &Utf8Path) -> bool {
    let mut entries = folder.read_dir_utf8().into_iter().flatten().flatten();
    entries.all(|entry| entry.file_name() == MARKER)
}

/// Returns the registry as the harness reads it: one bad name and it counts as empty.
fn sound_registry(home: &Utf8Path) -> BTreeMap<String, String> {
    let is_fine = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let registry = registry(home);
    let is_sound = registry.values().all(|slug| !slug.is_empty() && slug.bytes().all(is_fine));
    if is_sound { registry } else { BTreeMap::new() }
}

/// Makes a name of the last folder of a path.
pub(super) fn slug(project: &str) -> String {
    let name = project.rsplit('/').next().unwrap_or(project).to_lowercase();
    let mut slug = String::new();
    for c in name.chars() {
        if c.is_ascii_lowercase() || c.is_ascii_digit() {
            slug.push(c);
        } else if !slug.ends_with('-') {
            slug.push('-');
        }
    }
    let slug = slug.trim_matches('-');
    if slug.is_empty() { "project".to_owned() } else { slug.to_owned() }
}

/// The folders that say which project they belong to.
struct Owners(Vec<(String, String)>);

impl Owners {
    fn read(home: &Utf8Path) -> Self {
        let folders = ["tmp", "history"].map(|name| home.join(name));
        let entries = folders.iter().flat_map(|folder| {
            let mut entries: Vec<_> =
                folder.read_dir_utf8().into_iter().flatten().flatten().collect();
            entries.sort_by(|one, other| one.file_name().cmp(other.file_name()));
            entries
        });
        let owned =
            entries.filter_map(|entry| Some((entry.file_name().to_owned(), marked(entry.path())?)));
        Self(owned.collect())
    }

    /// Tells whether a folder of this name belongs to another project.
    fn others(&self, slug: &str, project: &str) -> bool {
        self.0.iter().any(|(name, owner)| name == slug && owner != project)
    }

    fn slug_of(&self, project: &str) -> Option<&str> {
        let own =
            self.0.iter().find(|(name, owner)| owner == project && !self.others(name, project));
        own.map(|(name, _)| name.as_str())
    }
}
