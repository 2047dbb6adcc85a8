//! Small files that stand beside a session and belong to it.

use std::fs::{File, Metadata};
use std::io::Read as _;

use camino::{Utf8Component, Utf8Path};

/// Returns how many bytes a file has, and the first of them, at most `most`; nothing where it is no file that can be
/// read.
pub fn companion(path: &Utf8Path, most: u64) -> Option<(u64, Vec<u8>)> {
    // To open a pipe would wait for somebody to write into it.
    let bytes = path.metadata().ok().filter(Metadata::is_file)?.len();
    let mut start = Vec::new();
    File::open(path).ok()?.take(most).read_to_end(&mut start).ok()?;
    Some((bytes, start))
}

/// The same of the file `path` below `folder`, through no link and not out of that folder: who hands a session on must
/// not make any other file part of it.
pub fn companion_below(folder: &Utf8Path, path: &str, most: u64) -> Option<(u64, Vec<u8>)> {
    let mut place = folder.to_owned();
    for component in Utf8Path::new(path).components() {
        let Utf8Component::Normal(name) = component else { return None };
        place.push(name);
        if place.is_symlink() {
            return None;
        }
    }
    companion(&place, most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_below_its_folder_alone() {
        let folder = tempfile::tempdir().unwrap();
        let folder = Utf8Path::from_path(folder.path()).unwrap();
        std::fs::create_dir_all(folder.join("own/in")).unwrap();
        std::fs::write(folder.join("own/in/a.txt"), "abcdef").unwrap();
        let own = folder.join("own");
        let read = |path: &str| companion_below(&own, path, 4);
        assert_eq!(read("in/a.txt"), Some((6, b"abcd".to_vec())));
        let whole = own.join("in/a.txt");
        for path in ["in", "", "in/b.txt", "../own/in/a.txt", "in/../in/a.txt", whole.as_str()] {
            assert_eq!(read(path), None, "{path}");
        }
        assert_eq!(companion(&whole, 9), Some((6, b"abcdef".to_vec())));
    }

    #[cfg(unix)]
    #[test]
    fn no_link_is_followed() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let folder = Utf8Path::from_path(folder.path()).unwrap();
        std::fs::create_dir(folder.join("in")).unwrap();
        std::fs::write(folder.join("in/a"), "a").unwrap();
        symlink(folder.join("in/a"), folder.join("in/link")).unwrap();
        symlink(folder.join("in"), folder.join("away")).unwrap();
        for path in ["in/link", "away/a"] {
            assert_eq!(companion_below(folder, path, 9), None, "{path}");
        }
    }
}
