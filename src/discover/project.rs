//! What belongs to a project.

use camino::{Utf8Path, Utf8PathBuf};

use crate::model::Header;

/// A folder tree that sessions work in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    /// Its top folder, as it was given.
    pub root: Utf8PathBuf,
    /// The same with symbolic links followed, if it is there and differs.
    real: Option<Utf8PathBuf>,
}

impl Project {
    /// Takes the project around `folder`, which need not be there any more.
    pub fn around(folder: &Utf8Path) -> Self {
        let root = project_root(folder);
        let real = root.canonicalize_utf8().ok().filter(|real| *real != root);
        Self { root, real }
    }

    /// Returns each form of its top folder.
    pub fn roots(&self) -> impl Iterator<Item = &Utf8Path> {
        std::iter::once(self.root.as_path()).chain(self.real.as_deref())
    }

    /// Tells whether a session worked in it.
    pub fn holds(&self, header: &Header) -> bool {
        let folders = [header.project.as_deref(), header.cwd.as_deref()];
        folders.into_iter().flatten().any(|folder| self.contains(Utf8Path::new(folder)))
    }

    /// Compares by path components: `/a/bc` is not below `/a/b`.
    fn contains(&self, folder: &Utf8Path) -> bool {
        let below = |folder: &Utf8Path| self.roots().any(|root| folder.starts_with(root));
        below(folder) || folder.canonicalize_utf8().is_ok_and(|real| below(&real))
    }
}

/// Returns the git root around `folder`, else `folder` itself.
pub fn project_root(folder: &Utf8Path) -> Utf8PathBuf {
    // A work tree has a file called `.git` in place of a folder.
    let root = folder.ancestors().find(|folder| folder.join(".git").exists());
    root.unwrap_or(folder).to_owned()
}
