//! A new file in the home of a harness: whole or not at all, and never over one that is there.

mod same;

use std::fs;
use std::io::{self, BufWriter, Read as _, Write};
use std::time::Duration;

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

use super::{BUFFER_BYTES, Output, draft};
use crate::error::{Error, Result};
use crate::plan::Plan;

/// What became of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Installed {
    /// The file is new.
    Made,
    /// The same file was there; it stays as it is.
    There,
    /// It was there, and more was written behind it since.
    GoneOn,
    /// It was there in other words behind its first line, such as those of another version of the program.
    Changed,
}

impl Installed {
    /// Says so of the file.
    pub fn words(self) -> &'static str {
        match self {
            Self::Made => "written",
            Self::There => "is there already, and stays as it is",
            Self::GoneOn => "is there already and was gone on with since; it stays as it is",
            Self::Changed => {
                "is there already, not in the words that would be written now; it stays as it is"
            }
        }
    }
}

/// Tells whether the file of `plan` is there.
pub fn is_there(plan: &Plan) -> bool {
    plan.file.symlink_metadata().is_ok()
}

/// Tells what stands in the place of the session's own file, which `write` gives; nothing if that is free.
///
/// Fails where something else stands there, or on the way there.
pub fn found(
    plan: &Plan,
    write: impl FnOnce(&mut dyn Write) -> Result<()>,
) -> Result<Option<Installed>> {
    match is_there(plan) {
        true => same::compared(&plan.file, write).map(Some),
        false => stays_below(&plan.home, &plan.file).map(|()| None),
    }
}

/// Writes the files of `plan` that are not there; `found` is what [`found`] said of the session's own, which
/// `write` gives.
///
/// Folders are made as private ones. A path that leads out of the home, be it by `..` or by a
/// symbolic link, is refused before anything is written.
pub fn install(
    plan: &Plan,
    found: Option<Installed>,
    write: impl FnOnce(&mut dyn Write) -> Result<()>,
) -> Result<Installed> {
    all_below(plan)?;
    for path in missing(plan) {
        make_folder(path)?;
    }
    let mut made = Vec::new();
    let installed = beside(plan, &mut made).and_then(|()| match found {
        None => new_file(&plan.file, write),
        Some(found) => Ok(found),
    });
    if installed.is_err() {
        // Without the session's own file nothing leads to them. What cannot be taken away stays.
        made.into_iter().for_each(|path| drop(fs::remove_file(path)));
    }
    installed
}

/// Refuses what [`install`] would, as far as that can be seen before anything is written.
pub fn tried(plan: &Plan) -> Result<()> {
    all_below(plan)?;
    missing(plan).try_for_each(|path| may_be_made(path))
}

/// Fails where the system would not let a new file be made at `path`.
pub(super) fn may_be_made(path: &Utf8Path) -> Result<()> {
    let Some(folder) = path.parent() else { return Ok(()) };
    let Some(there) = folder.ancestors().find(|above| above.exists()) else { return Ok(()) };
    let fail = |cause| Error::write(if there == folder { path } else { folder }, cause);
    may_write(there).map_err(fail)
}

/// Asks the system whether a file may be written, or something made in a folder.
#[cfg(target_os = "linux")]
pub(super) fn may_write(path: &Utf8Path) -> io::Result<()> {
    use rustix::fs::Access;
    let more = if path.is_dir() { Access::EXEC_OK } else { Access::empty() };
    Ok(rustix::fs::access(path.as_std_path(), Access::WRITE_OK | more)?)
}

/// Elsewhere only the attempt tells; of a folder, that to make a file.
#[cfg(not(target_os = "linux"))]
pub(super) fn may_write(path: &Utf8Path) -> io::Result<()> {
    if path.is_dir() { Ok(()) } else { fs::OpenOptions::new().write(true).open(path).map(drop) }
}

/// Says what keeps a file with `text` from being written below `home`: something else in its place, or on the
/// way there. Nothing if it is there already.
pub fn in_the_way(home: &Utf8Path, path: &Utf8Path, text: &[u8]) -> Option<String> {
    let write =
        |out: &mut dyn Write| out.write_all(text).map_err(|cause| Error::write(path, cause));
    if path.symlink_metadata().is_ok() {
        let is_other = same::compared(path, write).is_err();
        return is_other.then(|| "something else is there and stays as it is".to_owned());
    }
    let refused = || stays_below(home, path).err().map(|error| error.to_string());
    home.is_dir().then(refused).flatten()
}

fn paths(plan: &Plan) -> impl Iterator<Item = &Utf8PathBuf> {
    plan.beside.iter().map(|(path, _)| path).chain([&plan.file])
}

fn missing(plan: &Plan) -> impl Iterator<Item = &Utf8PathBuf> {
    paths(plan).filter(|path| path.symlink_metadata().is_err())
}

fn all_below(plan: &Plan) -> Result<()> {
    missing(plan).try_for_each(|path| stays_below(&plan.home, path))
}

/// Writes what stands beside the session's own file, and tells what of it is new.
fn beside<'p>(plan: &'p Plan, made: &mut Vec<&'p Utf8Path>) -> Result<()> {
    for (path, text) in &plan.beside {
        let write =
            |out: &mut dyn Write| out.write_all(text).map_err(|cause| Error::write(path, cause));
        if path.symlink_metadata().is_err() && new_file(path, write)? == Installed::Made {
            made.push(path);
        }
    }
    Ok(())
}

/// Refuses a path that is not below `home`, or that leads through a link on its way.
pub(super) fn stays_below(home: &Utf8Path, path: &Utf8Path) -> Result<()> {
    let refused = |why: String| Err(Error::Refused { what: why, hint: None });
    let Ok(rest) = path.strip_prefix(home) else {
        return refused(format!("`{path}` is not below `{home}`"));
    };
    if !home.is_dir() {
        return refused(match home.exists() {
            true => format!("`{home}` is no folder, so that its program cannot use it either"),
            false => format!("`{home}` is not there; its program makes it when it runs first"),
        });
    }
    let mut at = home.to_owned();
    for part in rest.components() {
        let Utf8Component::Normal(name) = part else {
            return refused(format!("`{path}` climbs out of its folder"));
        };
        at.push(name);
        match at.symlink_metadata() {
            Ok(meta) if meta.is_symlink() => {
                return refused(format!("`{at}` is a symbolic link, which is not written through"));
            }
            Ok(meta) if at != path && !meta.is_dir() => {
                return refused(format!("`{at}` is in the way: it is no folder"));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Makes the folder of a file, private, with all above it; returns those that were not there.
pub(super) fn make_folder(path: &Utf8Path) -> Result<Vec<Utf8PathBuf>> {
    let Some(folder) = path.parent() else { return Ok(Vec::new()) };
    let mut missing: Vec<_> = folder.ancestors().take_while(|above| !above.exists()).collect();
    missing.reverse();
    let missing: Vec<_> = missing.into_iter().map(Utf8Path::to_owned).collect();
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(|cause| Error::write(folder, cause))?;
    Ok(missing)
}

/// Writes a private neighbour and gives it its name, unless somebody else took that meanwhile.
fn new_file(
    path: &Utf8Path,
    write: impl FnOnce(&mut dyn Write) -> Result<()>,
) -> Result<Installed> {
    let fail = |cause| Error::write(path, cause);
    let named = draft::of(path).map_err(fail)?;
    let mut draft = BufWriter::with_capacity(BUFFER_BYTES, named);
    write(&mut draft)?;
    let named = draft.into_inner().map_err(|error| fail(error.into_error()))?;
    named.file().sync_all().map_err(fail)?;
    match named.place(path) {
        Ok(_) => Ok(Installed::Made),
        Err((cause, _)) if cause.kind() == io::ErrorKind::AlreadyExists => Ok(Installed::There),
        Err((cause, _)) => Err(fail(cause)),
    }
}

/// How much of a file is looked at for the id of its session, in bytes.
const HEAD_BYTES: u64 = 8 * 1024;

/// Finds beside the file of `plan` others that name at their start a session whose id begins with
/// `start`.
pub fn kin(plan: &Plan, start: &str) -> Vec<Utf8PathBuf> {
    let needle = format!("\"{start}-");
    let Some(Ok(folder)) = plan.file.parent().map(Utf8Path::read_dir_utf8) else {
        return Vec::new();
    };
    let mut paths: Vec<_> = folder.flatten().map(camino::Utf8DirEntry::into_path).collect();
    paths.sort();
    paths.retain(|path| {
        *path != plan.file && {
            let mut head = Vec::new();
            let is_file = path.symlink_metadata().is_ok_and(|meta| meta.is_file());
            // A pipe would be waited for.
            let file = is_file.then(|| fs::File::open(path).ok()).flatten();
            file.is_some_and(|file| file.take(HEAD_BYTES).read_to_end(&mut head).is_ok())
                && String::from_utf8_lossy(&head).contains(&needle)
        }
    });
    paths
}

/// How often it is tried to change a file that another program holds.
pub(super) const MOST_TRIES: u32 = 100;
/// How long lies between two tries.
pub(super) const PAUSE: Duration = Duration::from_millis(20);

/// Changes a file that other programs write too: locked, read, and replaced whole.
///
/// `change` gets what the file holds, nothing if it is not there, and returns what it is to hold, or
/// nothing to leave it as it is. Returns whether it was changed. A file that somebody else holds is
/// waited for, about two seconds.
pub fn amend(
    home: &Utf8Path,
    path: &Utf8Path,
    change: impl Fn(&str) -> Option<String>,
) -> Result<bool> {
    stays_below(home, path)?;
    for _ in 0..MOST_TRIES {
        if let Some(changed) = amended(path, &change)? {
            return Ok(changed);
        }
        std::thread::sleep(PAUSE);
    }
    Err(Error::write(path, io::Error::other("another program holds it")))
}

/// Tries to change a file once; nothing if somebody else was quicker.
fn amended(path: &Utf8Path, change: impl Fn(&str) -> Option<String>) -> Result<Option<bool>> {
    let fail = |cause| Error::write(path, cause);
    // A pipe would be waited for.
    if path.metadata().is_ok_and(|meta| !meta.is_file()) {
        return Err(fail(io::Error::other("it is no regular file")));
    }
    let lock = match fs::File::open(path) {
        Ok(file) => file,
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => return begun(path, change),
        Err(cause) => return Err(fail(cause)),
    };
    match lock.try_lock() {
        Ok(()) => {}
        Err(fs::TryLockError::WouldBlock) => return Ok(None),
        Err(held) => return Err(fail(held.into())),
    }
    // Who held it before may have put another file in its place.
    if !draft::is_at(&lock, path) {
        return Ok(None);
    }
    let old = fs::read_to_string(path).map_err(fail)?;
    let Some(new) = change(&old) else { return Ok(Some(false)) };
    let mut out = Output::file(path)?;
    out.write_all(new.as_bytes()).map_err(fail)?;
    out.finish()?;
    Ok(Some(true))
}

/// Makes a file that was not there; nothing if somebody else did so meanwhile.
fn begun(path: &Utf8Path, change: impl Fn(&str) -> Option<String>) -> Result<Option<bool>> {
    let Some(new) = change("") else { return Ok(Some(false)) };
    let made = new_file(path, |out| {
        out.write_all(new.as_bytes()).map_err(|cause| Error::write(path, cause))
    })?;
    Ok((made == Installed::Made).then_some(true))
}

/// Follows the links of a home: below it none is followed.
pub fn real(home: &Utf8Path) -> Utf8PathBuf {
    home.canonicalize_utf8().unwrap_or_else(|_| home.to_owned())
}
