//! The facts of a session against the files of its project.

use std::collections::HashSet;

use camino::{Utf8Path, Utf8PathBuf};
use jiff::Timestamp;

use super::lookup::session_and_id;
use super::overtaken;
use crate::derive::{
    Facts, FileFact, LeftBehind, Mark, Reality, Repository, Warning, WarningCode, Wholes,
};
use crate::discover::is_future;
use crate::harness;
use crate::model::Session;
use crate::worktree::look::{self, Aside, Found, Git, Look};

/// The most files that are looked at; what is behind them is unlikely to be needed.
pub(super) const MOST_FILES: usize = 1000;
/// The most files whose content is set against what the session wrote.
const MOST_TEXTS: usize = 40;
/// How much is read in all to look for names, and of one file, in bytes.
const MOST_READ: u64 = 32 * 1024 * 1024;
pub(super) const MOST_OF_ONE: u64 = 1024 * 1024;

/// What a run writes with the pack in it: it does not count as a change of the project.
#[derive(Clone, Debug, Default)]
pub(super) struct Written {
    /// The files.
    pub(super) files: Vec<Utf8PathBuf>,
    /// Whether a commit of nothing but such files and context files does not count either.
    pub(super) commits: bool,
}

/// Returns the names of the files that harnesses read at their start: whether they are committed is not asked.
pub(super) fn context_files() -> Vec<&'static str> {
    let all = harness::ALL.iter().map(|one| one.context_file());
    all.flat_map(|file| std::iter::once(file.name).chain(file.instead)).collect()
}

/// Looks at the project of the first of `sessions`, which `facts` were found in, if this machine has it, and marks
/// the files.
pub(super) fn check(sessions: &[Session], facts: &mut Facts, written: &Written) {
    let Some(header) = sessions.first().map(|newest| &newest.header) else { return };
    let Some(folder) = header.cwd.as_deref().or(header.project.as_deref()) else { return };
    let folder = Utf8Path::new(folder);
    let now = Timestamp::now();
    let is_one = facts.sessions.len() == 1;
    facts.warnings.extend(sessions.iter().zip(&facts.sessions).filter_map(|(session, fact)| {
        let ended = stamp(session).filter(|ended| is_future(*ended, now))?;
        Some(ends_in_future(&fact.name, if is_one { "the session" } else { &fact.name }, ended))
    }));
    let names = context_files();
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
    let left = sessions.iter().map(|session| Left::of(session, now)).collect();
    let mut since = Since { look: &look, folder, left, texts: 0 };
    let mut uncommitted = 0;
    for (file, found) in files.iter_mut().zip(&look.found) {
        let name = Utf8Path::new(&file.path).file_name();
        if name.is_some_and(|name| names.contains(&name)) {
            continue;
        }
        uncommitted += usize::from(matches!(found, Found::File { uncommitted: true, .. }));
        file.mark = since.mark(file, found);
    }
    mark_names(&mut files, &look);
    if look.git == Git::NoRepository {
        // Of several sessions their names stand before it.
        let is_of_git =
            |check: &String| check.split(": ").take(2).any(|part| part.starts_with("`git "));
        facts.checks.retain(|check| !is_of_git(check));
    }
    let count = |wanted| files.iter().filter(|file| file.mark == Some(wanted)).count();
    let (gone, changed) = (count(Mark::Gone), count(Mark::Changed));
    let ended = since.left.first().and_then(|newest| newest.ended);
    let left_behind = left_behind(sessions, folder, &look);
    facts.reality =
        Some(Reality { left_behind, ..told(look.git.clone(), uncommitted, gone, changed) });
    overtaken::take_out(facts, &look, ended);
}

/// How many files are told that hold what was taken back.
const MOST_LEFT: usize = 8;

/// Returns the files of the project that hold what was changed in them in turns that were taken back. A harness may
/// take the files back with the words, so that only what they hold tells.
fn left_behind(sessions: &[Session], folder: &Utf8Path, look: &Look) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let here = sessions.iter().filter(|it| it.header.cwd.as_deref() == Some(folder.as_str()));
    for left in here.map(LeftBehind::of) {
        let holds = |path: &&str| {
            look.text(path, MOST_OF_ONE).is_some_and(|text| left.is_held(path, &text))
        };
        let held = left.files().take(MOST_TEXTS).filter(holds).map(str::to_owned);
        found.extend(held.filter(|path| !found.contains(path)).collect::<Vec<_>>());
    }
    found.truncate(MOST_LEFT);
    found
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
        going_on: None,
        going_on_with: None,
        unmerged: Vec::new(),
        unmerged_more: None,
        gone,
        changed,
        committed_since: None,
        left_behind: Vec::new(),
    };
    match git {
        Git::Repository { branch, commit, uncommitted, going_on, mut unmerged } => {
            let more = unmerged.len().saturating_sub(MOST_UNMERGED);
            let unmerged_more = (more > 0).then_some(more);
            unmerged.truncate(MOST_UNMERGED);
            let (what, with) = going_on.map(|it| (it.what, it.branch)).unzip();
            let repository = bare(Repository::Git);
            let going_on_with = with.flatten();
            Reality {
                branch,
                commit,
                uncommitted,
                going_on: what,
                going_on_with,
                unmerged,
                unmerged_more,
                ..repository
            }
        }
        Git::NoRepository => bare(Repository::None),
        Git::NoProgram => bare(Repository::NoProgram),
        Git::Refused => bare(Repository::Refused),
        Git::NoAnswer => bare(Repository::NoAnswer),
    }
}

/// How many files that nobody has merged are named.
const MOST_UNMERGED: usize = 5;

/// What files are set against.
struct Since<'a> {
    look: &'a Look,
    folder: &'a Utf8Path,
    /// What each session left, the newest first.
    left: Vec<Left<'a>>,
    /// How many files were read so far.
    texts: usize,
}

/// What a session left.
struct Left<'a> {
    wholes: Wholes<'a>,
    /// When its last item was, if that is known.
    ended: Option<Timestamp>,
}

impl<'a> Left<'a> {
    fn of(session: &'a Session, now: Timestamp) -> Self {
        // By a clock that was wrong nothing can be told to have changed since, nor not to have.
        let ended = stamp(session).filter(|ended| !is_future(*ended, now));
        Self { wholes: Wholes::new(session), ended }
    }
}

/// Returns when the last item of a session was, as it says itself.
fn stamp(session: &Session) -> Option<Timestamp> {
    session.header.ended_at.as_deref()?.parse().ok()
}

fn ends_in_future(name: &str, called: &str, ended: Timestamp) -> Warning {
    let day = ended.strftime("%Y-%m-%d %H:%M UTC");
    Warning {
        code: WarningCode::EndsInFuture,
        message: format!(
            "by its time stamps {called} ended at {day}, which is in the future: a clock was wrong, or a time zone left \
             out, so that ages of it may be wrong, and what changed since is not known"
        ),
        sessions: vec![name.to_owned()],
        folder: None,
    }
}

impl Since<'_> {
    /// Tells what became of a file since the session that the facts tell it of.
    ///
    /// What it holds outranks when it was written: a checkout writes a file without changing it, and what
    /// unpacks or copies one may give it the time of another.
    fn mark(&mut self, file: &FileFact, found: &Found) -> Option<Mark> {
        if *found == Found::Gone {
            return match file.state {
                _ if file.was_there => Some(Mark::Gone),
                "deleted" | "moved" => None,
                _ => file.was_shown.then_some(Mark::NotThere),
            };
        }
        let written = written(found)?;
        // The one that the file is told of.
        let number = session_and_id(&file.id, self.left.len()).map_or(1, |(number, _)| number);
        let left = self.left.get(number - 1)?;
        let is_later = left.ended.is_some_and(|ended| written > ended.as_second());
        let from_root = self.folder.join(&file.path);
        let whole = left.wholes.of(&[&file.path, from_root.as_str()]).filter(|_| file.edits > 0);
        let wrote: Option<Timestamp> = whole.as_ref().and_then(|whole| whole.at?.parse().ok());
        let is_older = wrote.is_some_and(|wrote| written < wrote.as_second());
        let mut is_changed = is_later;
        if let Some(whole) = whole.filter(|_| is_later || is_older)
            && self.texts < MOST_TEXTS
        {
            self.texts += 1;
            let text = self.look.text(&file.path, u64::MAX);
            is_changed = text.map_or(is_later, |text| !whole.is(&text));
        }
        is_changed.then_some(Mark::Changed)
    }
}

/// Returns the second in which a file that is there was written last.
fn written(found: &Found) -> Option<i64> {
    let Found::File { written: Some(written), .. } = found else { return None };
    Timestamp::try_from(*written).ok().map(Timestamp::as_second)
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
