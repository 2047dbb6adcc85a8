//! Files that a context file has read into itself, by `@` before their path.

use std::collections::{BTreeMap, VecDeque};

use camino::{Utf8Path, Utf8PathBuf};

use super::{At, Shelf, Stored, Tree};
use crate::block::Fences;
use crate::harness::folders::cleaned;
use crate::model::{Level, MemoryScope};

/// A file that a text asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// The path as it stands there.
    pub path: String,
    /// Its line, from 1.
    pub line: usize,
}

/// Returns the paths after `@` that begin a word, outside of code and of comments.
pub fn mentioned(text: &str) -> Vec<Import> {
    let (mut found, mut fences, mut in_comment) = (Vec::new(), Fences::default(), false);
    for (number, line) in text.lines().enumerate() {
        let bare = line.trim_start();
        let is_code = !in_comment && fences.takes(bare);
        let begins = !is_code && bare.starts_with("<!--");
        if is_code || in_comment || begins {
            in_comment = (in_comment || begins) && !line.contains("-->");
            continue;
        }
        let plain = line.split('`').step_by(2);
        let words = plain.flat_map(str::split_whitespace);
        let paths = words
            .filter_map(|word| word.strip_prefix('@'))
            .map(trimmed)
            .filter(|path| is_path(path));
        found.extend(paths.map(|path| Import { path: path.to_owned(), line: number + 1 }));
    }
    found
}

/// Returns a word without what ends a sentence.
fn trimmed(word: &str) -> &str {
    word.trim_end_matches(['.', ',', ';', ':', ')', '!', '?', '"', '\''])
}

/// Tells whether a word can be a path: `@name` alone is somebody's name unless it has an ending.
fn is_path(word: &str) -> bool {
    let starts = word.starts_with(|c: char| c.is_ascii_alphanumeric() || "./~_".contains(c));
    starts && word.contains(['/', '.']) && !word.contains("://")
}

/// What became of the imports of some files.
#[derive(Clone, Debug, Default)]
pub struct Followed {
    /// The files to be read, or read already, each with where it holds.
    pub files: BTreeMap<Utf8PathBuf, Level>,
    /// What was not followed: the file and line that ask for it, and why.
    pub refused: Vec<(Utf8PathBuf, usize, String)>,
}

impl Followed {
    /// Returns where the files are to be read.
    pub fn shelves(self, at: &At) -> impl Iterator<Item = Shelf> {
        self.files.into_iter().map(|(path, level)| {
            let scope = match level {
                Level::Global => MemoryScope::everywhere(),
                Level::Project => MemoryScope::of_project(at.project.as_deref()),
            };
            Shelf::imported(path, scope)
        })
    }
}

/// Follows the imports of `starts` through the files of `tree`, `most` deep.
///
/// What a file asks for holds where that file does, wherever it lies, and everywhere if one that holds everywhere
/// asks for it, too. `may` tells whether a file that a file asks for may be read; no loop is followed twice.
pub fn follow<'p>(
    starts: impl Iterator<Item = (&'p Utf8PathBuf, &'p Stored)>,
    tree: &Tree,
    at: &At,
    most: usize,
    may: &dyn Fn(&Utf8Path, &Utf8Path) -> bool,
) -> Followed {
    let (mut out, mut asked) = (Followed::default(), BTreeMap::new());
    // The nearest first: what is too deep by every way is too deep.
    let starts = starts.map(|(path, file)| (path.clone(), 0, file.scope.level));
    let mut next: VecDeque<(Utf8PathBuf, usize, Level)> = starts.collect();
    next.make_contiguous().sort_by_key(|(_, _, level)| *level);
    let mut seen: BTreeMap<Utf8PathBuf, usize> =
        next.iter().map(|(path, depth, _)| (path.clone(), *depth)).collect();
    while let Some((path, depth, level)) = next.pop_front() {
        let Some(file) = tree.get(&path) else { continue };
        for import in mentioned(&file.text()) {
            let refused =
                |why: &str| (path.clone(), import.line, format!("`{}` {why}", import.path));
            let Some(target) = target(&path, &import.path, at) else {
                out.refused.push(refused("has no place"));
                continue;
            };
            if seen.get(&target).is_some_and(|other| *other <= depth + 1) {
                continue;
            }
            if depth >= most {
                out.refused.push(refused("lies too deep"));
            } else if !may(&path, &target) {
                out.refused.push(refused("lies outside"));
            } else {
                seen.insert(target.clone(), depth + 1);
                asked.insert(target.clone(), refused("is not there"));
                out.files.insert(target.clone(), level);
                next.push_back((target, depth + 1, level));
            }
        }
    }
    asked.retain(|path, _| tree.seen.contains(path) && tree.get(path).is_none());
    out.refused.extend(asked.into_values());
    out
}

/// Returns the file that `path` means in the file `from`, without `.` and `..`.
pub fn target(from: &Utf8Path, path: &str, at: &At) -> Option<Utf8PathBuf> {
    let expanded = at.expanded(path)?;
    Some(cleaned(&from.parent()?.join(expanded)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_that_can_be_paths_are_imports() {
        let text = "See @docs/a.md, and @./b.md.\n`@c.md` @ada mail a@b.example\n```\n@d.md\n```\n<!-- @e.md\n@f.md -->\n@~/g.md";
        let found: Vec<_> = mentioned(text).into_iter().map(|one| (one.path, one.line)).collect();
        let want = [("docs/a.md", 1), ("./b.md", 1), ("~/g.md", 8)];
        assert_eq!(found, want.map(|(path, line)| (path.to_owned(), line)));
    }

    #[test]
    fn what_is_not_there_is_told_where_it_is_asked_for() {
        let mut tree = Tree::default();
        let bytes = b"Rules.\n@docs/gone.md\n".to_vec();
        tree.put("/p/A.md", Stored { bytes, ..Stored::default() });
        tree.seen.insert("/p/docs/gone.md".into());
        let starts = tree.files.iter();
        let out = follow(starts, &tree, &At::default(), 2, &|_, _| true);
        assert_eq!(out.refused, [("/p/A.md".into(), 2, "`docs/gone.md` is not there".to_owned())]);
    }

    #[test]
    fn what_is_asked_for_holds_where_the_file_does_that_asks() {
        let mut tree = Tree::default();
        let file = |text: &str, scope: MemoryScope| Stored {
            bytes: text.as_bytes().to_vec(),
            scope,
            ..Stored::default()
        };
        let everywhere = MemoryScope::everywhere();
        tree.put("/a/A.md", file("@../all.md @own.md", MemoryScope::of_project(None)));
        tree.put("/home/A.md", file("@../all.md @mine.md", everywhere.clone()));
        tree.put("/home/mine.md", file("@/more.md", everywhere.clone()));
        let starts = tree.files.iter().filter(|(path, _)| path.ends_with("A.md"));
        let out = follow(starts, &tree, &At::default(), 4, &|_, _| true);
        let global: Vec<_> =
            out.shelves(&At::default()).filter(|shelf| shelf.scope == everywhere).collect();
        let paths: Vec<_> = global.iter().map(|shelf| shelf.path.as_str()).collect();
        assert_eq!(paths, ["/all.md", "/home/mine.md", "/more.md"]);
    }

    #[test]
    fn loops_and_depths_end() {
        let mut tree = Tree::default();
        let file = |text: &str| Stored { bytes: text.as_bytes().to_vec(), ..Stored::default() };
        tree.put("/p/A.md", file("@b.md @../outside.md"));
        tree.put("/p/b.md", file("@A.md @c.md"));
        tree.put("/p/c.md", file("@d.md"));
        let starts = tree.files.iter().take(1);
        let inside = |_: &Utf8Path, target: &Utf8Path| target.starts_with("/p");
        let out = follow(starts, &tree, &At::default(), 2, &inside);
        let files: Vec<_> = out.files.keys().collect();
        assert_eq!(files, ["/p/b.md", "/p/c.md"]);
        let why: Vec<_> =
            out.refused.iter().map(|(path, _, why)| format!("{path}: {why}")).collect();
        assert_eq!(why, ["/p/A.md: `../outside.md` lies outside", "/p/c.md: `d.md` lies too deep"]);
    }
}
