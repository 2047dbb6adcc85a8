//! What the session did to a file, and what became of it.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::super::paths::is_file;
use super::super::text;
use super::super::timeline::Done;
use super::gone::{End, Known};

/// Of how many files in a folder it is told that the folder went.
const MOST_INSIDE: usize = 200;
/// How much a file still counts that was made and taken away again, or is somewhere else now.
const PASSED: f64 = 0.2;

/// What the session did to a file.
#[derive(Clone, Default)]
pub(super) struct Touched {
    pub(super) edits: usize,
    /// How many of these other agents made.
    pub(super) by_agents: usize,
    pub(super) looks: usize,
    pub(super) added: usize,
    pub(super) removed: usize,
    pub(super) state: Option<&'static str>,
    pub(super) turn: u32,
    /// The turn in which it was changed last.
    pub(super) edited_in: Option<u32>,
    pub(super) weight: f64,
    pub(super) evidence: String,
    pub(super) names: FxHashMap<String, f64>,
    pub(super) was_there: bool,
    pub(super) was_shown: bool,
    /// Whether it came and went in this session.
    pub(super) is_passed: bool,
}

impl Touched {
    pub(super) fn seen(&mut self, done: &Done<'_>, weight: f64) {
        self.weight += weight;
        self.turn = done.item.turn;
        self.evidence = done.item.id.to_string();
    }

    pub(super) fn edited(&mut self, done: &Done<'_>, weight: f64) {
        self.edits += 1;
        self.by_agents += usize::from(done.is_by_agent());
        self.edited_in = Some(done.item.turn);
        self.seen(done, weight);
    }

    /// Takes what is known of another file that is now in its place.
    fn take_over(&mut self, other: Self) {
        if !self.was_known() || matches!(self.state, Some("deleted" | "moved")) {
            self.state = other.state;
        }
        self.edits += other.edits;
        self.by_agents += other.by_agents;
        self.looks += other.looks;
        self.added += other.added;
        self.removed += other.removed;
        self.weight += other.weight;
        self.edited_in = self.edited_in.max(other.edited_in);
        for (name, weight) in other.names {
            *self.names.entry(name).or_default() += weight;
        }
        if self.turn <= other.turn {
            (self.turn, self.evidence) = (other.turn, other.evidence);
        }
        self.was_there = true;
    }

    /// Takes its changes back; one that the session made is gone.
    pub(super) fn restore(&mut self, is_new: bool) {
        self.state = match self.state {
            Some("created") if is_new => Some("deleted"),
            Some("edited") => Some("read"),
            _ => return,
        };
        self.is_passed = is_new;
        self.was_there &= !is_new;
        (self.edits, self.added, self.removed, self.edited_in) = (0, 0, 0, None);
        self.weight *= PASSED;
    }

    /// Marks that more is known of it than its name.
    pub(super) fn open(&mut self) {
        if !self.was_known() {
            self.state = Some("read");
        }
    }

    /// Whether more is known of it than its name.
    pub(super) fn was_known(&self) -> bool {
        !matches!(self.state, None | Some("named" | "listed"))
    }

    pub(super) fn name(&mut self, code: &str, weight: f64) {
        let secrets = text::Secrets::of(code);
        for name in text::names(code).filter(|name| !secrets.has(name)) {
            match self.names.get_mut(name) {
                Some(known) => *known += weight,
                None => {
                    self.names.insert(name.to_owned(), weight);
                }
            }
        }
    }
}

/// Marks a file that a command took away; one that was moved goes on where it is.
pub(super) fn take_away(found: &mut BTreeMap<String, Touched>, end: End) {
    let Some(gone) = found.get_mut(&end.path) else { return };
    let moved = Touched { names: std::mem::take(&mut gone.names), ..gone.clone() };
    (gone.turn, gone.evidence, gone.was_there) = (end.turn, end.evidence, false);
    let Some(to) = end.to else {
        // What came and went in one session, or was never of the project, left nothing behind.
        gone.is_passed = gone.state == Some("created");
        let is_passed = gone.is_passed || is_outside(&end.path);
        gone.weight *= if is_passed { PASSED } else { 1.0 };
        gone.state = Some("deleted");
        return;
    };
    (gone.edits, gone.added, gone.removed, gone.edited_in) = (0, 0, 0, None);
    gone.weight *= PASSED;
    gone.state = Some("moved");
    found.entry(to).or_default().take_over(moved);
}

impl Known for BTreeMap<String, Touched> {
    fn under(&self, path: &str) -> Vec<String> {
        if let Some(file) = self.get(path) {
            // A name alone tells of the project's files only, and not of what else is in a folder.
            let is_told = file.was_known() || (is_file(path) && !is_outside(path));
            return is_told.then(|| path.to_owned()).into_iter().collect();
        }
        let inside = in_folder(self, path).filter(|(_, file)| file.was_known());
        inside.take(MOST_INSIDE).map(|(path, _)| path.clone()).collect()
    }

    fn is_folder(&self, path: &str) -> bool {
        in_folder(self, path).take(MOST_INSIDE).any(|(_, file)| file.was_known())
    }

    fn is_file(&self, path: &str) -> bool {
        self.get(path).is_some_and(Touched::was_known)
    }
}

/// Returns the files below a folder.
fn in_folder<'f>(
    found: &'f BTreeMap<String, Touched>,
    folder: &str,
) -> impl Iterator<Item = (&'f String, &'f Touched)> {
    let folder = format!("{}/", folder.trim_end_matches('/'));
    found.range(folder.clone()..).take_while(move |(path, _)| path.starts_with(&folder))
}

/// Folders in which nothing is meant to stay.
const TEMPORARY: &[&str] = &["/tmp/", "/Temp/", "/var/folders/", "/scratchpad/"];

/// Whether a path outside of the session's folder leads to what programs keep or try out, and not to other
/// work: hidden folders hold what is theirs, unless they are part of a project or hold working trees.
pub(super) fn is_aside(path: &str) -> bool {
    let path = path.replace('\\', "/");
    is_hidden(&path) || is_temporary(&path)
}

/// Whether a path leads to where nothing is meant to stay.
pub(in crate::derive) fn is_temporary(path: &str) -> bool {
    TEMPORARY
        .iter()
        .any(|folder| path.contains(folder) || path.ends_with(&folder[..folder.len() - 1]))
}

/// Whether a path outside of the session's folder leads to what a program keeps of its own, such as its
/// instructions.
pub(in crate::derive) fn is_of_program(path: &str) -> bool {
    is_outside(path) && is_hidden(&path.replace('\\', "/"))
}

fn is_hidden(path: &str) -> bool {
    let mut folders = path.split('/').rev().skip(1);
    let mut below = "";
    folders.any(|folder| {
        let holds = std::mem::replace(&mut below, folder);
        let is_worked_in = matches!(folder, ".github" | ".worktrees") || holds == "worktrees";
        folder.starts_with('.') && !is_worked_in
    })
}

/// Whether a path leads out of the session's folder.
pub(in crate::derive) fn is_outside(path: &str) -> bool {
    path.starts_with(['/', '~']) || path.contains(":/")
}

/// Whether a path is of the session's own copy of the project, and not of another working tree that is kept in it.
pub(in crate::derive) fn is_here(path: &str) -> bool {
    // Where it is no hidden one, only the first folder is known to be one of copies.
    let mut above = ".";
    let is_copy = |folder| {
        let above = std::mem::replace(&mut above, folder);
        folder == ".worktrees" || folder == "worktrees" && above.starts_with('.')
    };
    !is_outside(path) && !path.split('/').any(is_copy)
}

#[cfg(test)]
mod tests {
    use super::{is_aside, is_here};

    #[test]
    fn another_working_tree_in_the_project_is_not_this_one() {
        for path in ["src/a.rs", "src/worktrees/a.rs", ".github/a.yml", "worktrees.rs"] {
            assert!(is_here(path), "{path}");
        }
        for path in
            ["/srv/a.rs", ".worktrees/x/a.rs", ".agent/worktrees/x/a.rs", "worktrees/x/a.rs"]
        {
            assert!(!is_here(path), "{path}");
        }
    }

    #[test]
    fn other_work_is_told_from_what_programs_keep() {
        for path in [
            "/home/ada/other/src/a.rs",
            "/home/ada/p/.agent/worktrees/x/src/a.rs",
            "/home/ada/.worktrees/x/a.rs",
            "C:\\p\\other\\a.rs",
            "/home/ada/other/.gitignore",
            "/home/ada/private/src/a.rs",
            "/var/www/shop/a.php",
        ] {
            assert!(!is_aside(path), "{path}");
        }
        for path in [
            "/tmp/try.py",
            "/home/ada/.agent/memory/MEMORY.md",
            "~/.config/x.toml",
            "/var/folders/x/T/scratchpad/a.py",
        ] {
            assert!(is_aside(path), "{path}");
        }
    }
}
