//! Whether a file is among those that a command or a listing names, or lies in one of their folders.

use std::collections::HashSet;

use crate::derive::place;

/// Files and folders, of which many files are asked for.
pub(super) struct Names {
    whole: HashSet<String>,
    /// What of their names a file can be called that is told from a folder below.
    ends: HashSet<String>,
}

impl Names {
    pub(super) fn new(paths: &[String]) -> Self {
        let whole = || paths.iter().map(|path| path.trim_end_matches('/'));
        let ends = |path: &str| -> Vec<String> {
            path.match_indices('/').map(|(at, _)| path[at + 1..].to_owned()).collect()
        };
        Self { whole: whole().map(str::to_owned).collect(), ends: whole().flat_map(ends).collect() }
    }

    /// Whether a file is one of them, or lies in one, as [`holds`] tells it of each.
    pub(super) fn hold(&self, path: &str) -> bool {
        let cuts = || path.match_indices('/').map(|(at, _)| at);
        let from = |start: usize| {
            let ends = cuts().filter(move |end| *end > start).chain([path.len()]);
            ends.map(move |end| &path[start..end])
        };
        let starts = std::iter::once(0).chain(cuts().map(|at| at + 1));
        self.ends.contains(path) || starts.flat_map(from).any(|part| self.whole.contains(part))
    }

    /// Whether a file itself is one of them: a folder that is named may hold it no more.
    pub(super) fn name(&self, path: &str) -> bool {
        let mut ends = std::iter::once(0).chain(path.match_indices('/').map(|(at, _)| at + 1));
        self.ends.contains(path) || ends.any(|at| self.whole.contains(&path[at..]))
    }
}

/// Whether a file is one that is named, or lies in a folder that is.
pub(super) fn holds(named: &str, path: &str) -> bool {
    let folder = named.trim_end_matches('/');
    let is_around = |at: usize| {
        (at == 0 || path[..at].ends_with('/')) && path[at + folder.len()..].starts_with('/')
    };
    place::ends_with(path, folder)
        || place::ends_with(folder, path)
        || path.match_indices(folder).any(|(at, _)| is_around(at))
}

#[cfg(test)]
mod tests {
    use super::{Names, holds};

    #[test]
    fn many_names_hold_what_one_of_them_does() {
        for named in ["src/a.rs", "src", "src/", "a.rs", "tool/src/a.rs", "rs", "b/src", "lib/a.rs"]
        {
            for path in ["src/a.rs", "b/src/a.rs", "a.rs", "src/b/a.rs"] {
                let is_one = Names::new(&[named.to_owned()]).hold(path);
                assert_eq!(is_one, holds(named, path), "{named} {path}");
            }
        }
    }
}
