//! Changes of several files: all of them, or none.

use std::fs;
use std::io::{self, Write as _};
use std::time::SystemTime;

use camino::{Utf8Path, Utf8PathBuf};
use jiff::Timestamp;
use similar::TextDiff;

use super::install::{MOST_TRIES, PAUSE, make_folder, may_be_made, stays_below};
use super::journal::{self, Journal, Step};
use super::{Draft, draft, may_be_changed, printable};
use crate::error::{Error, Result};
use crate::plan::FileChange;

/// Returns the changes as one unified diff.
pub fn diff(changes: &[FileChange]) -> String {
    changes.iter().map(one_diff).collect()
}

fn one_diff(change: &FileChange) -> String {
    let text = |bytes: &Option<Vec<u8>>| {
        printable(&String::from_utf8_lossy(bytes.as_deref().unwrap_or_default()).replace('\r', ""))
    };
    let name = |bytes: &Option<Vec<u8>>| match bytes {
        Some(_) => printable(change.path.as_str()),
        None => "/dev/null".to_owned(),
    };
    let (old, new) = (text(&change.before), text(&change.after));
    let diff = TextDiff::from_lines(&old, &new);
    let mut shown = diff.unified_diff();
    shown.header(&name(&change.before), &name(&change.after)).to_string()
}

/// A change that is ready to be made.
struct Ready<'c> {
    change: &'c FileChange,
    /// The new text, under another name.
    draft: Option<Draft>,
    /// The copy of the old text.
    backup: Option<Backup>,
    /// Whose the file is, and who may read and write it.
    there: Option<fs::Metadata>,
    /// Whether this run changed the file; another may have made the same of it.
    is_made: bool,
}

/// A copy of what a file held.
struct Backup {
    path: Utf8PathBuf,
    /// Whether it was there before this run: one that was killed had come so far, or the file has
    /// become again what it once was.
    is_old: bool,
}

/// Makes all changes, or none; returns the copies of what was there before.
///
/// Every file below `home` must be reached without a link. A file that says something else than it
/// did when the plan was made stops all of it.
pub fn apply(home: &Utf8Path, changes: &[FileChange], now: Timestamp) -> Result<Vec<Utf8PathBuf>> {
    let _held = held(home)?;
    changes.iter().try_for_each(|change| is_as_planned(home, change))?;
    let mut made = Vec::new();
    let mut ready = Vec::new();
    let mut prepare = || {
        for change in changes {
            made.extend(make_folder(&change.path)?);
            ready.push(prepared(change, now)?);
        }
        Ok(())
    };
    let done = prepare().and_then(|()| {
        let _journal = noted(home, &ready)?;
        carried_out(&mut ready)
    });
    if done.is_err() {
        ready.iter().for_each(put_back);
        // What was made for nothing goes again, the deepest folder first; one that is in use stays.
        made.iter().rev().for_each(|folder| _ = fs::remove_dir(folder));
    }
    done.map(|()| ready.into_iter().filter_map(|one| Some(one.backup?.path)).collect())
}

/// Says what keeps changes from being made, as far as it can be seen before.
pub fn refused(home: &Utf8Path, changes: &[FileChange]) -> Option<Error> {
    // A run that changes several files notes them in the home.
    let noted = (changes.len() > 1).then(|| home.join("noted"));
    let may = |path: &Utf8Path| may_be_made(path).err();
    changes
        .iter()
        .find_map(|change| is_as_planned(home, change).err().or_else(|| may(&change.path)))
        .or_else(|| noted.filter(|_| home.is_dir()).and_then(|path| may(&path)))
}

/// Keeps other runs from changing files of `home`; nothing where a folder cannot be locked.
fn held(home: &Utf8Path) -> Result<Option<fs::File>> {
    let Ok(folder) = fs::File::open(home) else { return Ok(None) };
    for _ in 0..MOST_TRIES {
        match folder.try_lock() {
            Ok(()) => return Ok(Some(folder)),
            Err(fs::TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
            Err(fs::TryLockError::Error(_)) => return Ok(None),
        }
    }
    Err(Error::write(home, io::Error::other("another program is changing it")))
}

/// Takes back what runs that were killed had begun in `home` and not ended; returns the files that
/// are again as they were. What stands there is not to be read before.
pub fn recover(home: &Utf8Path) -> Result<Vec<Utf8PathBuf>> {
    journal::recover(home)
}

/// Writes down what is about to change, where it is more than one file.
fn noted(home: &Utf8Path, ready: &[Ready<'_>]) -> Result<Option<Journal>> {
    if ready.len() < 2 || !home.is_dir() {
        return Ok(None);
    }
    let step = |one: &Ready<'_>| Step {
        path: one.change.path.clone(),
        after: one.change.after.as_deref().map(journal::digest),
        copy: one.backup.as_ref().map(|copy| copy.path.clone()),
        mode: one.there.as_ref().and_then(journal::number),
    };
    journal::begin(home, &ready.iter().map(step).collect::<Vec<_>>()).map(Some)
}

fn is_as_planned(home: &Utf8Path, change: &FileChange) -> Result<()> {
    let path = &change.path;
    let base = if path.starts_with(home) { home } else { path.parent().unwrap_or(path) };
    stays_below(base, path)?;
    if path.symlink_metadata().is_ok_and(|meta| !meta.is_file()) {
        let what = format!("`{path}` is no file");
        return Err(Error::Refused { what, hint: None });
    }
    let now = match fs::read(path) {
        Ok(bytes) => Some(bytes),
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => None,
        Err(cause) => return Err(Error::read(path, cause)),
    };
    if now == change.before {
        return may_be_changed(path);
    }
    let what = format!("`{path}` was changed meanwhile: nothing was written");
    Err(Error::Refused { what, hint: Some("the same again".into()) })
}

fn prepared<'c>(change: &'c FileChange, now: Timestamp) -> Result<Ready<'c>> {
    let path = &change.path;
    let fail = |cause| Error::write(path, cause);
    let there = path.metadata().ok();
    let backup = change.before.as_ref().map(|bytes| backup(path, bytes, there.as_ref(), now));
    let backup = backup.transpose()?;
    let mut ready = Ready { change, draft: None, backup, there, is_made: false };
    let Some(bytes) = &change.after else { return Ok(ready) };
    match drafted(path, bytes, ready.there.as_ref(), change.modified_at.as_deref()) {
        Ok(file) => ready.draft = Some(file),
        Err(cause) => {
            put_back(&ready);
            return Err(fail(cause));
        }
    }
    Ok(ready)
}

/// Writes a draft of `path`, as the file that is there, with the time that it is to bear.
fn drafted(
    path: &Utf8Path,
    bytes: &[u8],
    there: Option<&fs::Metadata>,
    time: Option<&str>,
) -> io::Result<Draft> {
    let mut file = draft::of(path)?;
    file.write_all(bytes)?;
    if let Some(there) = there {
        file.become_as(there)?;
    }
    if let Some(time) = time.and_then(|time| time.parse::<Timestamp>().ok()) {
        file.file().set_modified(SystemTime::from(time))?;
    }
    file.file().sync_all()?;
    Ok(file)
}

/// Copies what is there beside it, under a name that no harness reads, for its owner alone.
fn backup(
    path: &Utf8Path,
    bytes: &[u8],
    there: Option<&fs::Metadata>,
    now: Timestamp,
) -> Result<Backup> {
    if let Some(path) = copy_of(path, bytes) {
        return Ok(Backup { path, is_old: true });
    }
    let fail = |cause| Error::write(path, cause);
    let mut draft = drafted(path, bytes, None, None).map_err(fail)?;
    if let Some(there) = there {
        draft.belong_as(there).map_err(fail)?;
        // It bears the time of what it is a copy of, where the disk keeps times.
        _ = there.modified().and_then(|time| draft.file().set_modified(time));
    }
    let name = path.file_name().unwrap_or_default();
    for number in 0_u32..1_000 {
        let copy = path.with_file_name(match number {
            0 => format!("{name}.bak.{}", now.as_second()),
            number => format!("{name}.bak.{}-{number}", now.as_second()),
        });
        draft = match draft.place(&copy) {
            Ok(_) => return Ok(Backup { path: copy, is_old: false }),
            Err((cause, draft)) if cause.kind() == io::ErrorKind::AlreadyExists => draft,
            Err((cause, _)) => return Err(Error::write(copy, cause)),
        };
    }
    Err(fail(io::Error::other("there are too many copies of it")))
}

/// Returns the newest copy of `path`, if it holds `bytes`.
fn copy_of(path: &Utf8Path, bytes: &[u8]) -> Option<Utf8PathBuf> {
    let start = format!("{}.bak.", path.file_name()?);
    let is_time = |time: &str| time.chars().all(|c| c.is_ascii_digit() || c == '-');
    let time = |copy: &camino::Utf8DirEntry| {
        let time = copy.file_name().strip_prefix(&start).filter(|time| is_time(time))?;
        let (second, number) = time.split_once('-').unwrap_or((time, "0"));
        Some((second.parse::<i64>().ok()?, number.parse::<u32>().ok()?))
    };
    let copies = path.parent()?.read_dir_utf8().ok()?.flatten();
    let (_, newest) =
        copies.filter_map(|copy| Some((time(&copy)?, copy))).max_by_key(|one| one.0)?;
    let is_file = newest.file_type().is_ok_and(|kind| kind.is_file());
    (is_file && fs::read(newest.path()).ok()? == bytes).then(|| newest.into_path())
}

/// Gives every draft its name, and takes away what is to go.
fn carried_out(ready: &mut [Ready<'_>]) -> Result<()> {
    for one in ready {
        let path = &one.change.path;
        let fail = |cause| Error::write(path, cause);
        match one.draft.take() {
            Some(draft) if one.change.before.is_none() => {
                draft.place(path).map_err(|(cause, _)| fail(cause))?;
            }
            Some(draft) => {
                draft.replace(path).map_err(fail)?;
            }
            None => fs::remove_file(path).map_err(fail)?,
        }
        one.is_made = true;
    }
    Ok(())
}

/// Undoes a change, as far as this run made it and nobody changed the file since.
fn put_back(one: &Ready<'_>) {
    let path = &one.change.path;
    let is_done = match (&one.change.after, fs::read(path)) {
        (Some(after), Ok(bytes)) => *after == bytes,
        (None, Err(cause)) => cause.kind() == io::ErrorKind::NotFound,
        _ => false,
    };
    let undone = match &one.backup {
        Some(Backup { is_old: true, .. }) if one.is_made && is_done => {
            let old = one.change.before.as_deref().unwrap_or_default();
            let draft = drafted(path, old, one.there.as_ref(), None);
            draft.and_then(|draft| draft.replace(path))
        }
        Some(Backup { path: copy, .. }) if one.is_made && is_done => {
            let there = one.there.as_ref();
            let allowed = there.map(|there| fs::set_permissions(copy, there.permissions()));
            allowed.unwrap_or(Ok(())).and_then(|()| fs::rename(copy, path))
        }
        Some(Backup { path: copy, is_old: false }) if !one.is_made => fs::remove_file(copy),
        None if one.is_made && is_done => fs::remove_file(path),
        // What somebody changed meanwhile stays, and so does the copy of what was there.
        _ => Ok(()),
    };
    // The error that is told is the one that led here.
    drop(undone);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(path: Utf8PathBuf, before: Option<&str>, after: Option<&str>) -> FileChange {
        let bytes = |text: &str| text.as_bytes().to_vec();
        let time = Some("2026-01-02T03:04:05Z".to_owned());
        FileChange { path, before: before.map(bytes), after: after.map(bytes), modified_at: time }
    }

    fn names(folder: &Utf8Path) -> Vec<String> {
        let entries = folder.read_dir_utf8().unwrap().flatten();
        let mut names: Vec<_> = entries.map(|entry| entry.file_name().to_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn all_changes_are_made_or_none() {
        let folder = tempfile::tempdir().unwrap();
        let home = Utf8Path::from_path(folder.path()).unwrap();
        let now: Timestamp = "2026-11-01T00:00:00Z".parse().unwrap();
        fs::write(home.join("a.md"), "old").unwrap();
        fs::write(home.join("gone.md"), "x").unwrap();
        let all = [
            change(home.join("a.md"), Some("old"), Some("new")),
            change(home.join("deep/b.md"), None, Some("b")),
            change(home.join("gone.md"), Some("x"), None),
        ];
        let copies = apply(home, &all, now).unwrap();
        assert_eq!(names(home), ["a.md", "a.md.bak.1793491200", "deep", "gone.md.bak.1793491200"]);
        assert_eq!(fs::read_to_string(&copies[0]).unwrap(), "old");
        assert_eq!(fs::read_to_string(home.join("a.md")).unwrap(), "new");
        let modified = home.join("deep/b.md").metadata().unwrap().modified().unwrap();
        assert_eq!(Timestamp::try_from(modified).unwrap().to_string(), "2026-01-02T03:04:05Z");
        // The second file cannot be written: the first stays as it is.
        fs::create_dir(home.join("taken.md")).unwrap();
        let before = names(home);
        let all = [
            change(home.join("a.md"), Some("new"), Some("newer")),
            change(home.join("new/c.md"), None, Some("c")),
            change(home.join("taken.md"), None, Some("d")),
        ];
        apply(home, &all, now).unwrap_err();
        assert_eq!(names(home), before);
        assert_eq!(fs::read_to_string(home.join("a.md")).unwrap(), "new");
        // A file that was changed since the plan was made stops it too.
        let stale = [change(home.join("a.md"), Some("old"), Some("x"))];
        assert!(apply(home, &stale, now).unwrap_err().to_string().contains("changed meanwhile"));
    }

    #[test]
    fn a_diff_says_what_is_new_and_steers_no_terminal() {
        let text = diff(&[change("/h/a.md".into(), None, Some("one\n\u{1b}[31mtwo\n"))]);
        assert_eq!(text, "--- /dev/null\n+++ /h/a.md\n@@ -0,0 +1,2 @@\n+one\n+\u{fffd}[31mtwo\n");
    }
}
