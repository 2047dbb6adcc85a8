//! Lines of a file of the project as it is now.

use std::fs;
use std::io;
use std::ops::{Range, RangeInclusive};
use std::time::SystemTime;

use camino::{Utf8Path, Utf8PathBuf};

use crate::error::{Error, Result};

/// The largest file that is read, in bytes.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// Lines of a file, and what is known of the file.
pub struct Lines {
    /// The file, links followed.
    pub path: Utf8PathBuf,
    /// The same from the top folder of the project.
    pub inside: Utf8PathBuf,
    /// Where the lines that were asked for stand in the text, as far as the file has them, without the
    /// end of the last one.
    pub wanted: Range<usize>,
    /// How many lines the file has.
    pub count: u64,
    /// All of it; what is not UTF-8 is replaced.
    pub text: String,
    /// When it was written last, where the system says so.
    pub written: Option<SystemTime>,
}

/// Reads the lines `wanted`, counted from 1, of `file`, which is looked for from each of `places`, then
/// from `root`.
///
/// Only a regular file inside `root` is read. A link that leads out of it is refused, and so are
/// folders, pipes and devices.
pub fn read(
    root: &Utf8Path,
    places: &[Utf8PathBuf],
    file: &Utf8Path,
    wanted: RangeInclusive<u64>,
) -> Result<Lines> {
    let fail = |cause| Error::read(file, cause);
    let real_root = root.canonicalize_utf8().map_err(|cause| Error::read(root, cause))?;
    let places = places.iter().map(Utf8PathBuf::as_path).chain([root]);
    let path = places.map(|place| place.join(file)).find(|path| path.exists());
    let path = path.ok_or_else(|| not_there(root, file))?;
    let path = path.canonicalize_utf8().map_err(fail)?;
    let Ok(inside) = path.strip_prefix(&real_root).map(Utf8Path::to_owned) else {
        let what = format!("`{file}` lies outside of the project `{root}`");
        return Err(Error::usage(what, "a file of the project, or --project DIR"));
    };
    let meta = fs::metadata(&path).map_err(fail)?;
    if meta.is_dir() {
        return Err(fail(io::ErrorKind::IsADirectory.into()));
    }
    if !meta.is_file() {
        return Err(fail(io::Error::other("it is no regular file")));
    }
    if meta.len() > MOST_BYTES {
        return Err(fail(io::Error::other("it is larger than 64 MiB")));
    }
    let bytes = fs::read(&path).map_err(fail)?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let wanted = place(&text, &wanted);
    let count = u64::try_from(text.lines().count()).unwrap_or(u64::MAX);
    Ok(Lines { path, inside, wanted, count, written: meta.modified().ok(), text })
}

fn not_there(root: &Utf8Path, file: &Utf8Path) -> Error {
    let hint = format!("a path counts from the project's top folder, `{root}`, or from here");
    let why = "is not there".to_owned();
    Error::NotASession { path: file.to_string(), why, hint: Some(hint) }
}

/// Returns where lines stand in a text; an empty place behind it if it has none of them.
fn place(text: &str, wanted: &RangeInclusive<u64>) -> Range<usize> {
    let (mut start, mut end) = (text.len(), text.len());
    let mut at = 0;
    for (line, number) in text.split_inclusive('\n').zip(1..=*wanted.end()) {
        if number == *wanted.start() {
            start = at;
        }
        at += line.len();
        end = at;
    }
    end -= usize::from(start < end && text[..end].ends_with('\n'));
    start..end
}
