//! What a run is about to change, for the next one if this one is killed in the midst of it.
//!
//! A journal stands in the home while several files change, and is locked as long as its run lives.
//! One that nobody holds tells of a run that was killed: where only some of its files were changed,
//! these become again what they were.

use std::fs::{self, File, Permissions};
use std::io::{self, Write as _};

use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::draft;
use crate::error::{Error, Result};

/// How the name of a journal begins; that of its draft follows.
const START: &str = ".segue-changes-";
/// How it ends.
const END: &str = ".json";

/// One file on its way.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct Step {
    /// The file.
    pub(super) path: Utf8PathBuf,
    /// The digest of what it is to hold; nothing if it is to go.
    pub(super) after: Option<String>,
    /// The copy of what it held; nothing if it was not there.
    pub(super) copy: Option<Utf8PathBuf>,
    /// Who may read and write it, where the system says so by a number.
    pub(super) mode: Option<u32>,
}

/// A journal, which goes when its run is done.
pub(super) struct Journal {
    path: Utf8PathBuf,
    /// Keeps it locked.
    _file: File,
}

impl Drop for Journal {
    fn drop(&mut self) {
        // One that stays tells of files that all are as they are to be.
        _ = fs::remove_file(&self.path);
    }
}

/// Returns the digest of what a file holds.
pub(super) fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Writes down in `home` what is about to change.
pub(super) fn begin(home: &Utf8Path, steps: &[Step]) -> Result<Journal> {
    let fail = |cause| Error::write(home, cause);
    let mut draft = draft::of(&home.join(START)).map_err(fail)?;
    let path = home.join(format!("{START}{}{END}", draft.letters()));
    let text = serde_json::to_vec(steps).map_err(|cause| fail(cause.into()))?;
    draft.write_all(&text).map_err(fail)?;
    draft.file().sync_all().map_err(fail)?;
    let file = draft.place(&path).map_err(|(cause, _)| fail(cause))?;
    Ok(Journal { path, _file: file })
}

/// Takes back what killed runs had only begun in `home`; returns the files that are as they were.
pub(super) fn recover(home: &Utf8Path) -> Result<Vec<Utf8PathBuf>> {
    let mut undone = Vec::new();
    for entry in home.read_dir_utf8().into_iter().flatten().flatten() {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        let name = entry.file_name();
        if !is_file || !name.starts_with(START) || !name.ends_with(END) {
            continue;
        }
        let Ok(file) = File::open(entry.path()) else { continue };
        if file.try_lock().is_err() || !draft::is_at(&file, entry.path()) {
            continue;
        }
        let text = fs::read(entry.path()).unwrap_or_default();
        let Ok(steps) = serde_json::from_slice::<Vec<Step>>(&text) else { continue };
        if !steps.iter().all(Step::is_sound) {
            continue;
        }
        if !steps.iter().all(Step::is_done) {
            for step in steps.iter().filter(|step| step.is_done() && !step.is_lost()) {
                step.undo().map_err(|cause| Error::write(&step.path, cause))?;
                undone.push(step.path.clone());
            }
        }
        steps.iter().filter_map(|step| step.path.parent()).for_each(draft::sweep);
        fs::remove_file(entry.path()).map_err(|cause| Error::write(entry.path(), cause))?;
    }
    Ok(undone)
}

impl Step {
    /// Tells whether the file is as it was to become.
    fn is_done(&self) -> bool {
        match (&self.after, self.path.symlink_metadata()) {
            (Some(after), Ok(meta)) if meta.is_file() => {
                fs::read(&self.path).is_ok_and(|bytes| digest(&bytes) == *after)
            }
            (None, Err(cause)) => cause.kind() == io::ErrorKind::NotFound,
            _ => false,
        }
    }

    /// Tells whether the copy is one that a run makes: beside the file, under its name. Whoever wrote
    /// another one down wants a text to come from elsewhere.
    fn is_sound(&self) -> bool {
        let Some(copy) = &self.copy else { return true };
        let name = |path: &Utf8Path| path.file_name().map(str::to_owned);
        let start = name(&self.path).map(|name| format!("{name}.bak."));
        let is_its = name(copy).zip(start).is_some_and(|(name, start)| name.starts_with(&start));
        is_its && copy.parent() == self.path.parent()
    }

    /// Tells whether the copy was taken away since: then the file stays as it is.
    fn is_lost(&self) -> bool {
        self.copy.as_ref().is_some_and(|copy| !copy.is_file())
    }

    /// Puts back what the file held; the copy of it stays, for the next run.
    fn undo(&self) -> io::Result<()> {
        let Some(copy) = &self.copy else { return fs::remove_file(&self.path) };
        let mut draft = draft::of(&self.path)?;
        draft.write_all(&fs::read(copy)?)?;
        let meta = copy.metadata()?;
        draft.belong_as(&meta)?;
        draft.file().set_permissions(self.allowed().unwrap_or_else(|| meta.permissions()))?;
        if let Ok(time) = meta.modified() {
            draft.file().set_modified(time)?;
        }
        draft.file().sync_all()?;
        draft.replace(&self.path)
    }

    #[cfg(unix)]
    fn allowed(&self) -> Option<Permissions> {
        self.mode.map(std::os::unix::fs::PermissionsExt::from_mode)
    }

    #[cfg(not(unix))]
    fn allowed(&self) -> Option<Permissions> {
        None
    }
}

/// Returns who may read and write a file, where the system says so by a number.
#[cfg(unix)]
pub(super) fn number(there: &fs::Metadata) -> Option<u32> {
    Some(std::os::unix::fs::MetadataExt::mode(there))
}

/// Returns who may read and write a file, where the system says so by a number.
#[cfg(not(unix))]
pub(super) fn number(_: &fs::Metadata) -> Option<u32> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two files of which one was changed, as a killed run leaves them.
    fn half_done(home: &Utf8Path) -> Vec<Step> {
        for (name, text) in
            [("a.md", "new"), ("a.md.bak.1", "old"), ("b.md", "old"), ("b.md.bak.1", "old")]
        {
            fs::write(home.join(name), text).unwrap();
        }
        fs::write(home.join("made.md"), "made").unwrap();
        let step = |name: &str, after: &str, copy: Option<&str>| Step {
            path: home.join(name),
            after: Some(digest(after.as_bytes())),
            copy: copy.map(|copy| home.join(copy)),
            mode: Some(0o100_640),
        };
        vec![
            step("a.md", "new", Some("a.md.bak.1")),
            step("made.md", "made", None),
            step("b.md", "new", Some("b.md.bak.1")),
        ]
    }

    fn journals(home: &Utf8Path) -> usize {
        let names = home.read_dir_utf8().unwrap().flatten();
        names.filter(|entry| entry.file_name().starts_with(".segue-")).count()
    }

    #[test]
    fn what_was_only_begun_is_taken_back_and_what_was_done_stays() {
        let folder = tempfile::tempdir().unwrap();
        let home = Utf8Path::from_path(folder.path()).unwrap();
        let steps = half_done(home);
        let journal = begin(home, &steps).unwrap();
        assert_eq!(recover(home).unwrap(), Vec::<Utf8PathBuf>::new(), "its run lives");
        assert_eq!(fs::read(home.join("a.md")).unwrap(), b"new");
        std::mem::forget(journal);
        let text = serde_json::to_vec(&steps).unwrap();
        fs::write(home.join(".segue-changes-aB3dE6gH9jK2.json"), &text).unwrap();
        assert_eq!(recover(home).unwrap(), [home.join("a.md"), home.join("made.md")]);
        assert_eq!(fs::read(home.join("a.md")).unwrap(), b"old");
        assert!(!home.join("made.md").exists() && home.join("a.md.bak.1").exists());
        assert_eq!(journals(home), 1, "the one whose run lives");
        // A file that somebody changed since is nobody's to take back.
        half_done(home);
        fs::write(home.join("a.md"), "mine").unwrap();
        fs::write(home.join(".segue-changes-aB3dE6gH9jK2.json"), &text).unwrap();
        assert_eq!(recover(home).unwrap(), [home.join("made.md")]);
        assert_eq!(fs::read(home.join("a.md")).unwrap(), b"mine");
        // All of it was done: the run was killed at its very end.
        half_done(home);
        fs::write(home.join("b.md"), "new").unwrap();
        fs::write(home.join(".segue-changes-aB3dE6gH9jK2.json"), &text).unwrap();
        assert_eq!(recover(home).unwrap(), Vec::<Utf8PathBuf>::new());
        assert_eq!(fs::read(home.join("a.md")).unwrap(), b"new");
        assert_eq!(journals(home), 1);
    }

    #[test]
    fn a_copy_that_is_gone_stops_nothing_and_one_from_elsewhere_is_no_copy() {
        let folder = tempfile::tempdir().unwrap();
        let home = Utf8Path::from_path(folder.path()).unwrap();
        let mut steps = half_done(home);
        let name = home.join(".segue-changes-aB3dE6gH9jK2.json");
        fs::write(&name, serde_json::to_vec(&steps).unwrap()).unwrap();
        fs::remove_file(home.join("a.md.bak.1")).unwrap();
        assert_eq!(recover(home).unwrap(), [home.join("made.md")]);
        assert_eq!(fs::read(home.join("a.md")).unwrap(), b"new");
        assert!(!name.exists());
        half_done(home);
        fs::create_dir(home.join("deep")).unwrap();
        fs::write(home.join("deep/a.md.bak.1"), "strange").unwrap();
        steps[0].copy = Some(home.join("deep/a.md.bak.1"));
        fs::write(&name, serde_json::to_vec(&steps).unwrap()).unwrap();
        assert_eq!(recover(home).unwrap(), Vec::<Utf8PathBuf>::new());
        assert_eq!(fs::read(home.join("a.md")).unwrap(), b"new");
        assert!(home.join("made.md").exists());
    }
}
