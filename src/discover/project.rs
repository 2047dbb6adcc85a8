//! What belongs to a project, and which folder is one.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};

use crate::error::NO_FOLDER;
use crate::jsonl::Input;
use crate::model::Header;

/// What marks the top of a project where there is no repository.
const MARKERS: [&str; 5] = ["AGENTS.md", "package.json", "pyproject.toml", "Cargo.toml", "go.mod"];
/// How many parents of a folder are looked at for a repository or a marker.
const MOST_PARENTS: usize = 10;
/// Folders for temporary files that need not be named in the environment.
const TEMPORARY: [&str; 3] = ["/tmp", "/var/tmp", "/private/tmp"];
/// Variables that name the home folder or the one for temporary files.
const NAMED: [&str; 5] = ["HOME", "USERPROFILE", "TMPDIR", "TEMP", "TMP"];

/// Folders that hold everything, and so are never a project: the home folder, those for temporary
/// files, and the root of a file system. What lies below them may be one.
#[derive(Clone, Debug, Default)]
pub struct Wide(Vec<Utf8PathBuf>);

impl Wide {
    /// Takes what the environment names, as it is written there and with links followed.
    pub fn of(var: &dyn Fn(&str) -> Option<String>) -> Self {
        let named = NAMED.iter().filter_map(|name| var(name)).map(Utf8PathBuf::from);
        let mut all: Vec<_> = named.filter(|folder| folder.is_absolute()).collect();
        all.extend(TEMPORARY.map(Utf8PathBuf::from));
        let real: Vec<_> =
            all.iter().filter_map(|folder| folder.canonicalize_utf8().ok()).collect();
        all.extend(real);
        all.push("/".into());
        all.sort();
        all.dedup();
        Self(all)
    }

    /// Tells whether `folder` is one of them.
    pub fn has(&self, folder: &Utf8Path) -> bool {
        folder.parent().is_none() || self.0.iter().any(|wide| wide == folder)
    }

    /// Returns each of them.
    pub(super) fn each(&self) -> impl Iterator<Item = &Utf8Path> {
        self.0.iter().map(Utf8PathBuf::as_path)
    }
}

/// A folder tree that sessions work in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    /// Its top folder, as it was given.
    pub root: Utf8PathBuf,
    /// The same with symbolic links followed, if it is there and differs.
    real: Option<Utf8PathBuf>,
    /// Whether only what began right in the folder belongs to it: the folder holds everything.
    alone: bool,
}

impl Project {
    /// Takes the project around `folder`, which need not be there any more.
    pub fn around(folder: &Utf8Path, wide: &Wide) -> Self {
        Self::at(project_root(folder, wide), wide)
    }

    /// Takes `root` for the project, whatever lies around it.
    pub fn at(root: Utf8PathBuf, wide: &Wide) -> Self {
        let real = root.canonicalize_utf8().ok().filter(|real| *real != root);
        let alone = wide.has(&root) || real.as_deref().is_some_and(|real| wide.has(real));
        Self { root, real, alone }
    }

    /// Returns each form of its top folder.
    pub fn roots(&self) -> impl Iterator<Item = &Utf8Path> {
        std::iter::once(self.root.as_path()).chain(self.real.as_deref())
    }

    /// Tells whether it is a folder that holds everything, and so no project.
    pub fn is_alone(&self) -> bool {
        self.alone
    }

    /// Says of which sessions it is, as in `no session of the project`.
    pub fn told(&self) -> String {
        match self.alone {
            true => format!("that began right in `{}`", self.root),
            false => format!("of the project `{}`", self.root),
        }
    }

    /// Says the same where there is none: its folder may be misspelt.
    pub fn told_empty(&self) -> String {
        let gone = if self.root.is_dir() { "" } else { NO_FOLDER };
        format!("{}{gone}", self.told())
    }

    /// Returns the folders above it, the nearest first, up to one that holds everything.
    pub(super) fn parents<'a>(&'a self, wide: &Wide) -> impl Iterator<Item = &'a Utf8Path> {
        climb(&self.root, wide).skip(1)
    }

    /// Tells whether a session began in it.
    pub fn holds(&self, header: &Header) -> bool {
        let folders = [header.project.as_deref(), header.cwd.as_deref()];
        folders.into_iter().flatten().any(|folder| self.contains(Utf8Path::new(folder)))
    }

    /// Returns the folder in which a session began, if that is neither the top of the project nor `here`.
    pub fn other_folder<'h>(&self, header: &'h Header, here: &Utf8Path) -> Option<&'h Utf8Path> {
        let folder = Utf8Path::new(header.cwd.as_deref().or(header.project.as_deref())?);
        let real = folder.canonicalize_utf8().ok();
        let is_it = |known: &Utf8Path| known == folder || real.as_deref() == Some(known);
        let is_known = self.roots().any(is_it)
            || is_it(here)
            || here.canonicalize_utf8().is_ok_and(|here| is_it(&here));
        (!is_known).then_some(folder)
    }

    /// Says what kind of repository of its own a folder inside the project lies in; nothing if it is in none.
    pub fn told_inner(&self, folder: &Utf8Path, wide: &Wide) -> Option<&'static str> {
        let inner = git_root(folder, wide, &|path| path.exists())?;
        let is_inside = self.roots().any(|root| inner != root && inner.starts_with(root));
        let is_tree =
            || main_work_tree(inner).is_some_and(|main| self.roots().any(|root| main == root));
        is_inside.then(|| if is_tree() { "another work tree" } else { "a repository of its own" })
    }

    /// Tells whether `folder` belongs to it.
    ///
    /// Compares by path components: `/a/bc` is not below `/a/b`.
    pub fn contains(&self, folder: &Utf8Path) -> bool {
        let fits = |folder: &Utf8Path| match self.alone {
            true => self.roots().any(|root| folder == root),
            false => self.roots().any(|root| folder.starts_with(root)),
        };
        fits(folder) || folder.canonicalize_utf8().is_ok_and(|real| fits(&real))
    }
}

/// Returns the top of the project around `folder`: the git root, else the nearest folder with a
/// marker such as `Cargo.toml`, else `folder` itself.
pub fn project_root(folder: &Utf8Path, wide: &Wide) -> Utf8PathBuf {
    root_by(folder, wide, &|path| path.exists())
}

/// Says the same where `is_there` knows the files.
fn root_by(folder: &Utf8Path, wide: &Wide, is_there: &dyn Fn(&Utf8Path) -> bool) -> Utf8PathBuf {
    let marked = || {
        let has_marker =
            |folder: &&Utf8Path| MARKERS.iter().any(|marker| is_there(&folder.join(marker)));
        climb(folder, wide).find(has_marker)
    };
    let root = git_root(folder, wide, is_there).or_else(marked);
    root.unwrap_or(folder).to_owned()
}

/// Returns the top of the repository that `root` is another work tree of.
pub fn main_work_tree(root: &Utf8Path) -> Option<Utf8PathBuf> {
    let text = Input::small_text(&root.join(".git"))?;
    let folder = Utf8PathBuf::from(text.trim().strip_prefix("gitdir: ")?);
    let worktrees = folder.parent().filter(|above| above.file_name() == Some("worktrees"))?;
    let git =
        worktrees.parent().filter(|git| git.file_name() == Some(".git") && git.is_absolute())?;
    git.parent().map(Utf8Path::to_owned)
}

/// Returns the other work trees of the repository whose main one is at `root`.
pub fn linked_work_trees(root: &Utf8Path) -> Vec<Utf8PathBuf> {
    let entries = root.join(".git/worktrees").read_dir_utf8().into_iter().flatten().flatten();
    let named = |entry: camino::Utf8DirEntry| {
        let git = Input::small_text(&entry.path().join("gitdir"))?;
        let git = Utf8Path::new(git.trim());
        let tree = git.parent().filter(|_| git.is_absolute())?;
        // Another repository may stand there by now; of one that is gone the sessions may be there.
        let real = |folder: &Utf8Path| folder.canonicalize_utf8().ok();
        let is_own =
            !tree.exists() || main_work_tree(tree).is_some_and(|main| real(&main) == real(root));
        is_own.then(|| tree.to_owned())
    };
    let mut trees: Vec<_> = entries.filter_map(named).collect();
    trees.sort();
    trees
}

/// Returns `folder` and its nearest parents, up to one that holds everything.
fn climb<'a>(folder: &'a Utf8Path, wide: &Wide) -> impl Iterator<Item = &'a Utf8Path> {
    folder.ancestors().take(1 + MOST_PARENTS).take_while(|folder| !wide.has(folder))
}

fn git_root<'a>(
    folder: &'a Utf8Path,
    wide: &Wide,
    is_there: &dyn Fn(&Utf8Path) -> bool,
) -> Option<&'a Utf8Path> {
    // A work tree has a file called `.git` in place of a folder.
    climb(folder, wide).find(|folder| is_there(&folder.join(".git")))
}

/// Returns the repository in which more than half of `edits` lie: absolute paths, each with the
/// number of its changes. Nothing if there is no such repository here.
pub fn voted<'a>(
    edits: impl Iterator<Item = (&'a Utf8Path, usize)>,
    wide: &Wide,
) -> Option<Utf8PathBuf> {
    voted_by(edits, wide, &|path| path.exists())
}

fn voted_by<'a>(
    edits: impl Iterator<Item = (&'a Utf8Path, usize)>,
    wide: &Wide,
    is_there: &dyn Fn(&Utf8Path) -> bool,
) -> Option<Utf8PathBuf> {
    let mut votes: BTreeMap<&Utf8Path, usize> = BTreeMap::new();
    let mut all = 0;
    for (path, count) in edits {
        all += count;
        let folder = path.parent().filter(|_| path.is_absolute());
        let root = folder.and_then(|folder| git_root(folder, wide, is_there));
        if let Some(root) = root {
            *votes.entry(root).or_default() += count;
        }
    }
    let most = votes.into_iter().find(|(_, count)| 2 * count > all);
    most.map(|(root, _)| root.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wide() -> Wide {
        Wide::of(&|name| (name == "HOME").then(|| "/home/ada".to_owned()))
    }

    fn root(folder: &str, there: &[&str]) -> String {
        root_by(folder.into(), &wide(), &|path| there.iter().any(|one| path == *one)).into_string()
    }

    #[test]
    fn a_repository_comes_before_a_marker_and_a_marker_before_the_folder() {
        let there =
            ["/home/ada/mono/.git", "/home/ada/mono/api/go.mod", "/home/ada/x/package.json"];
        assert_eq!(root("/home/ada/mono/api/cmd", &there), "/home/ada/mono");
        assert_eq!(root("/home/ada/x/src/deep", &there), "/home/ada/x");
        assert_eq!(root("/home/ada/plain/src", &there), "/home/ada/plain/src");
    }

    #[test]
    fn the_nearest_marker_counts_and_only_ten_parents_are_looked_at() {
        let there = ["/home/ada/a/Cargo.toml", "/home/ada/a/b/Cargo.toml"];
        assert_eq!(root("/home/ada/a/b/c", &there), "/home/ada/a/b");
        let ten = "/home/ada/a/1/2/3/4/5/6/7/8/9/10";
        assert_eq!(root(ten, &there[..1]), "/home/ada/a");
        assert_eq!(root(&format!("{ten}/11"), &there[..1]), format!("{ten}/11"));
    }

    #[test]
    fn no_folder_that_holds_everything_is_a_project() {
        let there = ["/.git", "/home/ada/.git", "/tmp/package.json", "/home/ada/AGENTS.md"];
        assert_eq!(root("/home/ada/notes", &there), "/home/ada/notes");
        assert_eq!(root("/tmp/try", &there), "/tmp/try");
        let header = |cwd: &str| Header { cwd: Some(cwd.into()), ..Header::default() };
        for folder in ["/", "/tmp", "/var/tmp", "/home/ada"] {
            let project = Project::around(folder.into(), &wide());
            assert!(project.holds(&header(folder)), "{folder}");
            assert!(!project.holds(&header("/home/ada/tool")), "{folder}");
            assert!(!project.holds(&header("/tmp/try")), "{folder}");
        }
    }

    #[test]
    fn a_named_folder_is_the_project_itself() {
        let wide = wide();
        let here: Utf8PathBuf = env!("CARGO_MANIFEST_DIR").into();
        assert_eq!(Project::at(here.join("src"), &wide).root, here.join("src"));
        assert!(!Project::at("/home/ada".into(), &wide).contains("/home/ada/tool".into()));
    }

    #[test]
    fn more_than_half_of_the_edits_make_a_project() {
        let there = ["/home/ada/a/.git", "/home/ada/b/.git", "/home/ada/.git"];
        let voted = |edits: &[(&str, usize)]| {
            let edits = edits.iter().map(|(path, count)| (Utf8Path::new(*path), *count));
            let is_there = |path: &Utf8Path| there.iter().any(|one| path == *one);
            voted_by(edits, &wide(), &is_there).map(Utf8PathBuf::into_string)
        };
        let most = voted(&[("/home/ada/a/x/1.rs", 3), ("/home/ada/b/2.rs", 2)]);
        assert_eq!(most.as_deref(), Some("/home/ada/a"));
        assert_eq!(voted(&[("/home/ada/a/1.rs", 2), ("/home/ada/b/2.rs", 2)]), None);
        assert_eq!(voted(&[("/home/ada/.bashrc", 9), ("src/lib.rs", 1)]), None);
        assert_eq!(voted(&[]), None);
    }
}
