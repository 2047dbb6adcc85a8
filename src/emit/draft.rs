//! Drafts: private neighbours of the files that they become, and what killed runs left of them.
//!
//! A draft is locked for as long as its run lives. However that ends, the system lets go of the
//! lock. So a draft that somebody else can lock is nobody's, and the next run that writes into its
//! folder takes it away. Where the disk knows no locks, drafts stay.

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use camino::{Utf8Path, Utf8PathBuf};
use tempfile::NamedTempFile;

/// How the name of a draft begins; long enough that nobody else calls a file so.
const START: &str = ".segue-draft-";
/// How it ends.
const END: &str = ".tmp";
/// How many letters and digits stand between the two.
const LETTERS: usize = 12;
/// How often a draft is made anew, because another run took it for one that was left.
const MOST_TRIES: usize = 20;

/// A draft, which goes away if it does not get the name of its target.
///
/// What the system says of it does not name it: that name means nothing to the user.
pub struct Draft(NamedTempFile);

impl Draft {
    /// Returns the open file.
    pub(super) fn file(&self) -> &File {
        self.0.as_file()
    }

    /// Returns the letters by which it differs from others.
    pub(super) fn letters(&self) -> &str {
        let name = self.0.path().file_name().and_then(std::ffi::OsStr::to_str);
        name.and_then(letters).unwrap_or_default()
    }

    /// Makes it a file as the one that it is to replace: of the same owner and group, with the same permissions.
    pub(super) fn become_as(&self, there: &fs::Metadata) -> io::Result<()> {
        self.belong_as(there)?;
        self.file().set_permissions(self.permissions(there)?)
    }

    /// Returns the permissions of the file that is there; another group than its own may do no more than everybody.
    #[cfg(unix)]
    fn permissions(&self, there: &fs::Metadata) -> io::Result<fs::Permissions> {
        use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
        let mode = there.mode() & 0o7777;
        let is_kept = self.file().metadata()?.gid() == there.gid();
        let cut = mode & !0o070 | mode & (mode & 0o007) << 3;
        Ok(fs::Permissions::from_mode(if is_kept { mode } else { cut }))
    }

    /// Returns the permissions of the file that is there.
    #[cfg(not(unix))]
    fn permissions(&self, there: &fs::Metadata) -> io::Result<fs::Permissions> {
        Ok(there.permissions())
    }

    /// Gives it the owner and the group of the file that is there, whoever runs this.
    ///
    /// Whom the system lets give away neither may still lose a group of a file of their own, and an owner that may do
    /// no more than everybody.
    #[cfg(unix)]
    pub(super) fn belong_as(&self, there: &fs::Metadata) -> io::Result<()> {
        use std::os::unix::fs::{MetadataExt as _, fchown};
        let own = self.file().metadata()?;
        let owner = (own.uid() != there.uid()).then_some(there.uid());
        let group = (own.gid() != there.gid()).then_some(there.gid());
        let is_given = owner.or(group).is_none() || fchown(self.file(), owner, group).is_ok();
        let is_idle = owner.is_none() || (there.mode() >> 6) & 0o7 == there.mode() & 0o7;
        let lost = || io::Error::other("it would not stay its owner's, or its group's");
        if is_given || is_idle { Ok(()) } else { Err(lost()) }
    }

    /// Files have no such owner here.
    #[cfg(not(unix))]
    pub(super) fn belong_as(&self, _: &fs::Metadata) -> io::Result<()> {
        Ok(())
    }

    /// Gives it its name, in place of what has that now.
    pub(super) fn replace(self, target: &Utf8Path) -> io::Result<()> {
        self.0.persist(target).map(drop).map_err(|error| error.error)
    }

    /// Gives it its name unless something has that; returns the file, or itself with the reason.
    pub(super) fn place(self, target: &Utf8Path) -> Result<File, (io::Error, Self)> {
        self.0.persist_noclobber(target).map_err(|error| (error.error, Self(error.file)))
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.as_file_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.as_file_mut().flush()
    }
}

/// Makes a draft of `target` beside it, which only its owner can read.
pub(super) fn of(target: &Utf8Path) -> io::Result<Draft> {
    let folder = match target.parent() {
        Some(folder) if !folder.as_str().is_empty() => folder,
        _ => Utf8Path::new("."),
    };
    once(folder);
    let made = || {
        let mut builder = tempfile::Builder::new();
        let made = builder.prefix(START).suffix(END).rand_bytes(LETTERS).tempfile_in(folder);
        made.map(Draft).map_err(plain)
    };
    for _ in 0..MOST_TRIES {
        let draft = made()?;
        match draft.file().try_lock() {
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(_)) => return Ok(draft),
            Ok(())
                if Utf8Path::from_path(draft.0.path()).is_none_or(|at| is_at(draft.file(), at)) =>
            {
                return Ok(draft);
            }
            Ok(()) => {}
        }
    }
    made()
}

/// Tells whether an open file is still the one at `path`.
#[cfg(unix)]
pub(super) fn is_at(file: &File, path: &Utf8Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let [Ok(open), Ok(there)] = [file.metadata(), path.symlink_metadata()] else { return false };
    (open.dev(), open.ino()) == (there.dev(), there.ino())
}

/// Tells whether an open file is still the one at `path`; here an open file keeps its name.
#[cfg(not(unix))]
pub(super) fn is_at(_: &File, _: &Utf8Path) -> bool {
    true
}

/// Sweeps `folder`, unless this run did so before.
fn once(folder: &Utf8Path) {
    static SWEPT: Mutex<BTreeSet<Utf8PathBuf>> = Mutex::new(BTreeSet::new());
    if SWEPT.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.to_owned()) {
        sweep(folder);
    }
}

/// Takes away the drafts that killed runs left in `folder`, and nothing else.
///
/// What cannot be taken away stays: it is in nobody's way.
pub(super) fn sweep(folder: &Utf8Path) {
    for entry in folder.read_dir_utf8().into_iter().flatten().flatten() {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if !is_file || letters(entry.file_name()).is_none() {
            continue;
        }
        let Ok(file) = File::open(entry.path()) else { continue };
        if file.try_lock().is_ok() && is_at(&file, entry.path()) {
            _ = fs::remove_file(entry.path());
        }
    }
}

/// Returns the letters by which a draft called `name` differs from others; nothing if it is none.
fn letters(name: &str) -> Option<&str> {
    let letters = name.strip_prefix(START)?.strip_suffix(END)?;
    let fits = letters.len() == LETTERS && letters.chars().all(|c| c.is_ascii_alphanumeric());
    fits.then_some(letters)
}

/// Returns what the system said, without the name of the draft, which means nothing to the user.
fn plain(cause: io::Error) -> io::Error {
    match cause.to_string().split_once(" at path ") {
        Some((said, _)) => io::Error::new(cause.kind(), said.to_owned()),
        None => cause,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_drafts_that_nobody_holds_are_taken_away() {
        let folder = tempfile::tempdir().unwrap();
        let home = Utf8Path::from_path(folder.path()).unwrap();
        let left = ".segue-draft-aB3dE6gH9jK2.tmp";
        let others = [
            ".segue-export.ndjson",
            ".segue-abcdef",
            ".segue-draft-short.tmp",
            ".segue-draft-aB3dE6gH9jK2.tmp.md",
            ".segue-draft-aB3dE-gH9jK2.tmp",
        ];
        others.iter().for_each(|name| fs::write(home.join(name), name).unwrap());
        fs::write(home.join(left), "half").unwrap();
        fs::create_dir(home.join(".segue-draft-aaaaaaaaaaaa.tmp")).unwrap();
        let held = of(&home.join("target")).unwrap();
        assert!(!home.join(left).exists(), "it was nobody's");
        fs::write(home.join(left), "half").unwrap();
        sweep(home);
        assert!(!home.join(left).exists());
        assert!(held.0.path().exists(), "its run lives");
        assert!(home.join(".segue-draft-aaaaaaaaaaaa.tmp").is_dir());
        others.iter().for_each(|name| assert!(home.join(name).exists(), "{name}"));
        let name = held.0.path().to_owned();
        // As a kill leaves it: the name stays, the lock goes.
        drop(held.0.keep().unwrap());
        sweep(home);
        assert!(!name.exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_with_the_name_of_a_draft_and_what_it_leads_to_stay() {
        let folder = tempfile::tempdir().unwrap();
        let home = Utf8Path::from_path(folder.path()).unwrap();
        let link = home.join(".segue-draft-aB3dE6gH9jK2.tmp");
        fs::write(home.join("notes.md"), "mine").unwrap();
        std::os::unix::fs::symlink("notes.md", &link).unwrap();
        sweep(home);
        assert!(link.is_symlink());
        assert_eq!(fs::read(home.join("notes.md")).unwrap(), b"mine");
    }
}
