//! The folders of sessions whose files hold no more of them than a digest.

use std::collections::{BTreeSet, HashMap};

use camino::{Utf8Path, Utf8PathBuf};

use super::{Found, World};
use crate::error::Result;
use crate::jsonl::Input;

impl Found {
    /// Opens its file, as one of the folder that it was found to have begun in.
    pub fn open(&self) -> Result<Input> {
        Ok(Input::file(&self.path)?.of_folder(self.header.cwd.as_deref()))
    }
}

/// Finds the folders of those that do not tell them: the one that the user stands in, those in which others
/// began, and those above these are tried.
pub(super) fn find_folders(found: &mut [Found], world: &World<'_>) {
    if found.iter().all(|one| one.header.cwd.is_some()) {
        return;
    }
    let real = world.cwd.canonicalize_utf8().ok();
    let began = found.iter().filter_map(|one| one.header.cwd.as_deref()).map(Utf8Path::new);
    let all = [Some(world.cwd.as_path()), real.as_deref()].into_iter().flatten().chain(began);
    let all: BTreeSet<Utf8PathBuf> =
        all.flat_map(Utf8Path::ancestors).map(Utf8Path::to_owned).collect();
    let mut digests = HashMap::new();
    for one in found.iter_mut().filter(|one| one.header.cwd.is_none()) {
        let Some(name) = one.harness.filed_under(&one.path) else { continue };
        // Each folder is digested once, whatever is looked for.
        if digests.is_empty() {
            let of =
                |folder: &Utf8PathBuf| Some((one.harness.digest_of(folder)?, folder.to_string()));
            digests.extend(all.iter().filter_map(of));
        }
        one.header.cwd = digests.get(&name).cloned();
        one.header.project.clone_from(&one.header.cwd);
    }
}
