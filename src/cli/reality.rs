//! The facts of a session against the files of its project.

use std::collections::HashSet;
use std::time::SystemTime;

use camino::{Utf8Path, Utf8PathBuf};

use crate::derive::{Facts, FileFact, Mark, Reality, Repository, Whole, whole_text};
use crate::harness;
use crate::model::Session;
use crate::worktree::look::{self, Aside, Found, Git, Look};

/// The most files that are looked at; what is behind them is unlikely to be needed.
const MOST_FILES: usize = 1000;
/// The most files whose content is set against what the session wrote.
const MOST_TEXTS: usize = 40;
/// How much is read in all to look for names, and of one file, in bytes.
const MOST_READ: u64 = 32 * 1024 * 1024;
const MOST_OF_ONE: u64 = 1024 * 1024;

/// What a run writes with the pack in it: it does not count as a change of the project.
#[derive(Clone, Debug, Default)]
pub(super) struct Written {
    /// The files.
    pub(super) files: Vec<Utf8PathBuf>,
    /// Whether a commit of nothing but such files and context files does not count either.
    pub(super) commits: bool,
}

/// Looks at the project of `session`, if this machine has it, and marks the files.
pub(super) fn check(session: &Session, facts: &mut Facts, written: &Written) {
    let header = &session.header;
    let Some(folder) = header.cwd.as_deref().or(header.project.as_deref()) else { return };
    let folder = Utf8Path::new(folder);
    let context = harness::ALL.iter().map(|one| one.context_file());
    let names: Vec<_> =
        context.flat_map(|file| std::iter::once(file.name).chain(file.instead)).collect();
    let opened = facts.files.iter_mut().filter(|file| file.was_opened());
    let mut files: Vec<_> = opened.take(MOST_FILES).collect();
    let paths: Vec<_> = files.iter().map(|file| file.path.clone()).collect();
    let paths: Vec<_> = paths.iter().map(String::as_str).collect();
    let aside = Aside {
        names: &names,
        files: &written.files,
        commits: written.commits,
        then: header.git.commit.as_deref(),
    };
    let Some(look) = look::look(folder, &paths, &aside) else { return };
    let ended = header.ended_at.as_deref().and_then(|stamp| stamp.parse().ok());
    let (mut uncommitted, mut texts) = (0, 0);
    for (file, found) in files.iter_mut().zip(&look.found) {
        let is_context =
            Utf8Path::new(&file.path).file_name().is_some_and(|name| names.contains(&name));
        uncommitted +=
            usize::from(!is_context && matches!(found, Found::File { uncommitted: true, .. }));
        file.mark = mark(file, found, ended).filter(|_| !is_context);
        if file.mark == Some(Mark::Changed) && file.edits > 0 && texts < MOST_TEXTS {
            texts += 1;
            let text = look.text(&file.path, u64::MAX);
            let is_same =
                |text: String| whole_text(session, &[file.path.as_str()], &text) == Whole::Same;
            // A checkout writes a file without changing it.
            file.mark.take_if(|_| text.is_some_and(is_same));
        }
    }
    mark_names(&mut files, &look);
    if look.git == Git::NoRepository {
        facts.checks.retain(|check| !check.starts_with("`git "));
    }
    let count = |wanted| files.iter().filter(|file| file.mark == Some(wanted)).count();
    let (gone, changed) = (count(Mark::Gone), count(Mark::Changed));
    facts.reality = Some(told(look.git, uncommitted, gone, changed));
}

/// Marks the names that do not stand in their files any more, likeliest files first, as far as
/// there is time to read them.
fn mark_names(files: &mut [&mut FileFact], look: &Look) {
    let mut left = MOST_READ;
    for (file, found) in files.iter_mut().zip(&look.found) {
        let has_text = matches!(found, Found::File { .. }) && !file.names.is_empty();
        let text = has_text.then(|| look.text(&file.path, left.min(MOST_OF_ONE))).flatten();
        let Some(text) = text else { continue };
        left = left.saturating_sub(text.len() as u64);
        file.names_gone = not_in(&text, &file.names);
    }
}

/// Returns the names that are no whole word of `text`.
fn not_in(text: &str, names: &[String]) -> Vec<String> {
    // Just what names are made of where they are found.
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let words: HashSet<&str> = words.collect();
    names.iter().filter(|name| !words.contains(name.as_str())).cloned().collect()
}

fn told(git: Git, uncommitted_touched: usize, gone: usize, changed: usize) -> Reality {
    let bare = |repository| Reality {
        repository,
        branch: None,
        commit: None,
        uncommitted: None,
        uncommitted_touched,
        gone,
        changed,
    };
    match git {
        Git::Repository { branch, commit, uncommitted } => {
            Reality { branch, commit, uncommitted, ..bare(Repository::Git) }
        }
        Git::NoRepository => bare(Repository::None),
        Git::NotAsked => bare(Repository::NotAsked),
    }
}

/// Tells what became of a file since the session's last item.
fn mark(file: &FileFact, found: &Found, ended: Option<jiff::Timestamp>) -> Option<Mark> {
    match found {
        Found::Gone if file.was_there => Some(Mark::Gone),
        Found::File { written, .. } => {
            let later = |written: SystemTime| {
                let written = jiff::Timestamp::try_from(written).ok()?;
                Some(written.as_second() > ended?.as_second())
            };
            written.and_then(later).unwrap_or(false).then_some(Mark::Changed)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::not_in;

    #[test]
    fn a_name_must_stand_as_a_whole_word() {
        let names = ["read_all", "readLine", "MAX_SIZE"].map(str::to_owned);
        let text = "fn read_all_of() {}\nself.readLine(MAX_SIZEé)";
        assert_eq!(not_in(text, &names), ["read_all"]);
        assert_eq!(not_in("", &names), names);
    }
}
