//! Which files were changed between an act that failed and the same one that worked: those that it named as it failed,
//! and the others. That it reads a file says not that this was in its way: it may have met no server.

use super::checks::Edit;
use crate::derive::files::is_outside;
use crate::derive::hunks;
use crate::derive::place::relative;
use crate::derive::timeline::Done;

/// How many files are named.
const MOST_FILES: usize = 4;
/// How many lines of the last change are shown.
const HUNK_LINES: usize = 8;

/// The files that were changed in between.
#[derive(Default)]
pub(super) struct Changes<'e> {
    /// Those that the act is about.
    own: Vec<&'e Edit>,
    others: Vec<&'e Edit>,
}

impl<'e> Changes<'e> {
    /// Parts the changes behind the call `from` and before the call `to`; `told` is what the act printed as it failed, and
    /// `folder` where it ran.
    pub(super) fn between(
        edits: &'e [Edit],
        (from, to): (usize, usize),
        told: &str,
        folder: Option<&str>,
    ) -> Self {
        let is_there = |edit: &&Edit| {
            let is_between = from < edit.index && edit.index < to;
            let is_gone = edit.taken_back.is_some_and(|(at, _)| at < to);
            is_between && !is_gone && !edit.path.is_empty() && !is_outside(&edit.path)
        };
        let is_own = |edit: &&Edit| names(told, &edit.path, folder);
        let (own, others) = edits.iter().filter(is_there).partition(is_own);
        Self { own, others }
    }

    /// Names those that the act is about; empty where none is.
    pub(super) fn own(&self) -> String {
        named(&self.own)
    }

    /// Names the others.
    pub(super) fn others(&self) -> String {
        named(&self.others)
    }

    /// Shows the last change of a file that the act is about.
    pub(super) fn shown(&self, calls: &[Done<'_>]) -> Option<String> {
        shown(*self.own.last()?, calls)
    }
}

/// Shows what a change took out and put in.
pub(super) fn shown(edit: &Edit, calls: &[Done<'_>]) -> Option<String> {
    let done = calls.iter().find(|done| done.index == edit.index)?;
    // A patch can change other files, too.
    let is_it = |path: &str| relative(path, done.cwd) == edit.path;
    Some(format!("last change, of {}:\n{}", edit.path, hunks::hunk_of(done, is_it, HUNK_LINES)?))
}

/// Names the files of some changes, each once.
pub(super) fn named(edits: &[&Edit]) -> String {
    let mut paths: Vec<&str> = Vec::new();
    for edit in edits {
        if !paths.contains(&edit.path.as_str()) {
            paths.push(&edit.path);
        }
    }
    let rest = paths.len().saturating_sub(MOST_FILES);
    let few = paths.iter().take(MOST_FILES).copied().collect::<Vec<_>>().join(", ");
    if rest > 0 { format!("{few} and {rest} more") } else { few }
}

/// Whether a text names a file by its whole path, or by that from the folder where it was printed.
fn names(text: &str, path: &str, folder: Option<&str>) -> bool {
    let folder = folder.map(|folder| folder.trim_end_matches('/')).filter(|it| !it.is_empty());
    let below = folder.and_then(|folder| path.strip_prefix(folder)?.strip_prefix('/'));
    stands(text, path) || below.is_some_and(|path| stands(text, path))
}

/// Whether a path stands in a text by itself, and is no part of a longer name; what stands before it may say that it
/// is told from the folder at hand.
fn stands(text: &str, path: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '/' | '.' | '@' | '\\');
    text.match_indices(path).any(|(at, _)| {
        let before = text[..at].strip_suffix("./").unwrap_or(&text[..at]);
        let behind = &text[at + path.len()..];
        let mut next = behind.chars();
        let goes_on = match next.next() {
            // A sentence ends there, or the name goes on.
            Some('.') => next.next().is_some_and(is_part),
            Some(c) => is_part(c),
            None => false,
        };
        !before.ends_with(is_part) && !goes_on
    })
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn a_file_is_named_by_its_path_alone() {
        for text in ["src/a.rs:3:1 bad", "in ./src/a.rs.", "(src/a.rs)", "see src/a.rs"] {
            assert!(names(text, "src/a.rs", None), "{text}");
        }
        for text in ["lib/src/a.rs", "src/a.rs.bak", "a.rs", "src/a.rsx", "../src/a.rs", ""] {
            assert!(!names(text, "src/a.rs", None), "{text}");
        }
        assert!(names("a.rs:3", "src/a.rs", Some("src")) && !names("a.rs", "src/a.rs", Some("sr")));
    }
}
