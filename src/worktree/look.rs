//! Files of a session as they are now, and the repository around them.

use std::fs;
use std::io;
use std::time::SystemTime;

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

use super::git::{self, Answer};

/// The largest file that is read, in bytes.
const MOST_BYTES: u64 = 4 * 1024 * 1024;

/// What is known of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// Nothing is there.
    Gone,
    /// A regular file inside the project.
    File {
        /// When it was written last, where the system says so.
        written: Option<SystemTime>,
        /// Whether it differs from the last commit; no if that is not known.
        uncommitted: bool,
    },
    /// It lies outside, is no regular file, or cannot be looked at.
    NotLookedAt,
}

/// What git says of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Git {
    /// It lies in a repository.
    Repository {
        /// The branch; nothing if none is checked out.
        branch: Option<String>,
        /// The commit; nothing before the first.
        commit: Option<String>,
        /// How many files are not committed; nothing if git did not say.
        uncommitted: Option<usize>,
        /// What was begun there and has not ended.
        going_on: Option<GoingOn>,
        /// Files of it that nobody has merged yet, from the top folder.
        unmerged: Vec<String>,
    },
    /// It does not.
    NoRepository,
    /// The git program is not there, or cannot be run.
    NoProgram,
    /// There is a repository into which git does not look, such as one of somebody else, or a broken one.
    Refused,
    /// It took too long, or said what is of no use.
    NoAnswer,
}

/// Something of git that stopped on the way, and that somebody has to end or to give up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoingOn {
    /// `rebase`, `am`, `merge`, `cherry-pick`, `revert` or `bisect`.
    pub what: &'static str,
    /// The branch that it is about, where none is checked out meanwhile.
    pub branch: Option<String>,
}

/// By which file or folder in git's own something is known to go on, the surest first, and in which file there the
/// branch stands.
const GOING_ON: &[(&str, &str, &str)] = &[
    ("rebase-merge", "rebase", "rebase-merge/head-name"),
    ("rebase-apply/applying", "am", ""),
    ("rebase-apply", "rebase", "rebase-apply/head-name"),
    ("MERGE_HEAD", "merge", ""),
    ("CHERRY_PICK_HEAD", "cherry-pick", ""),
    ("REVERT_HEAD", "revert", ""),
    ("BISECT_LOG", "bisect", "BISECT_START"),
];
/// The longest name of a branch that is read, in bytes.
const BRANCH_BYTES: u64 = 1024;

impl GoingOn {
    /// Looks for it in the folder in which git keeps the repository.
    fn of(own: &Utf8Path) -> Option<Self> {
        let is_there = |(sign, ..): &&(&str, &str, &str)| own.join(sign).exists();
        let (_, what, named) = GOING_ON.iter().find(is_there)?;
        Some(Self { what, branch: branch_in(&own.join(named)) })
    }
}

/// Returns the branch of which git keeps the name in a file.
fn branch_in(file: &Utf8Path) -> Option<String> {
    let is_small = |meta: fs::Metadata| meta.is_file() && meta.len() <= BRANCH_BYTES;
    file.symlink_metadata().ok().filter(|meta| is_small(meta.clone()))?;
    let name = fs::read_to_string(file).ok()?;
    let name = name.trim();
    let name = name.strip_prefix("refs/heads/").unwrap_or(name);
    let is_commit = name.len() >= 40 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    (!name.is_empty() && !is_commit && name != "detached HEAD").then(|| name.to_owned())
}

/// What of a project is looked past, since it is what a run writes.
#[derive(Clone, Debug, Default)]
pub struct Aside<'a> {
    /// Files called so are no uncommitted ones.
    pub names: &'a [&'a str],
    /// Nor are these, of which nothing is said, wherever they are.
    pub files: &'a [Utf8PathBuf],
    /// Whether commits of nothing but such files are not counted either.
    pub commits: bool,
    /// The commit at which the session was; it counts in any case.
    pub then: Option<&'a str>,
}

/// A project as it is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// What git says.
    pub git: Git,
    /// Each path that was asked for, in order.
    pub found: Vec<Found>,
    /// What paths count from.
    folder: Utf8PathBuf,
    /// What no path may lead out of.
    root: Utf8PathBuf,
}

impl Look {
    /// Whether the repository has a branch of this name.
    pub fn has_branch(&self, name: &str) -> bool {
        let full = format!("refs/heads/{name}");
        let asked = ["show-ref", "--verify", "--quiet", &full];
        !name.starts_with('-') && matches!(git::ask(&self.root, &asked), Answer::Said(_))
    }

    /// Returns the newest commit that was made after `ended`, in seconds, up to the one that is checked out, by its short
    /// name and its subject, if such commits changed each of `paths`, which count from the folder.
    pub fn committed_since(&self, ended: i64, paths: &[&str]) -> Option<String> {
        let since = format!("--max-age={}", ended.saturating_add(1));
        let asked = ["log", &since, "--no-show-signature", "--no-ext-diff", "--no-textconv"];
        let told = ["--no-renames", "--name-only", "--relative", "--format=%x01%h \"%s\"", "--"];
        let literal: Vec<String> = paths.iter().map(|path| format!(":(literal){path}")).collect();
        let literal = literal.iter().map(String::as_str);
        let asked: Vec<&str> = asked.into_iter().chain(told).chain(literal).collect();
        let said = git::ask(&self.folder, &asked).text()?;
        let mut commits = said.split('\u{1}').filter(|commit| !commit.is_empty()).peekable();
        let newest = commits.peek()?.lines().next()?.to_owned();
        let changed: Vec<&str> = commits.flat_map(|commit| commit.lines().skip(1)).collect();
        paths.iter().all(|path| changed.contains(path)).then_some(newest)
    }

    /// Returns what a file of the project holds, if it is text of at most `most` bytes.
    pub fn text(&self, path: &str, most: u64) -> Option<String> {
        let Place::File(file, _) = place(&self.root, &self.folder, path) else { return None };
        let small = file.metadata().is_ok_and(|meta| meta.len() <= most.min(MOST_BYTES));
        let text = small.then(|| fs::read_to_string(&file).ok()).flatten()?;
        (!text.contains('\0')).then_some(text)
    }
}

/// Looks at `paths`, which count from `folder`, but not at what is `aside`. Nothing if there is no
/// such folder.
pub fn look(folder: &Utf8Path, paths: &[&str], aside: &Aside<'_>) -> Option<Look> {
    let folder = usable(folder)?;
    let own: Vec<_> = aside.files.iter().filter_map(|file| followed(file)).collect();
    let (git, top, uncommitted) = ask(&folder, aside, &own);
    let root = top.unwrap_or_else(|| folder.clone());
    let is_uncommitted = |file: &Utf8Path| {
        let Ok(inside) = file.strip_prefix(&root) else { return false };
        // Of a folder with nothing but new files git tells the folder.
        uncommitted.iter().any(|name| inside.starts_with(name.trim_end_matches('/')))
    };
    let is_own = |path: &str| {
        !own.is_empty() && followed(&folder.join(path)).is_some_and(|file| own.contains(&file))
    };
    let one = |path: &&str| match place(&root, &folder, path) {
        Place::File(..) | Place::Nothing if is_own(path) => Found::NotLookedAt,
        Place::File(file, written) => Found::File { written, uncommitted: is_uncommitted(&file) },
        Place::Nothing => Found::Gone,
        Place::Elsewhere => Found::NotLookedAt,
    };
    let found = paths.iter().map(one).collect();
    Some(Look { git, found, folder, root })
}

/// Returns a path with links followed; its file need not be there.
fn followed(file: &Utf8Path) -> Option<Utf8PathBuf> {
    let inside = || Some(super::folder_of(file).canonicalize_utf8().ok()?.join(file.file_name()?));
    file.canonicalize_utf8().ok().or_else(inside)
}

/// Returns a folder with links followed; no folder of another machine, nor the top of all.
fn usable(folder: &Utf8Path) -> Option<Utf8PathBuf> {
    let is_share = folder.as_str().starts_with("\\\\") || folder.as_str().starts_with("//");
    let is_fit = folder.is_absolute() && folder.parent().is_some() && !is_share;
    let folder = is_fit.then(|| folder.canonicalize_utf8().ok()).flatten()?;
    folder.is_dir().then_some(folder)
}

enum Place {
    /// A regular file, links followed.
    File(Utf8PathBuf, Option<SystemTime>),
    /// The project has nothing there.
    Nothing,
    /// It cannot be said.
    Elsewhere,
}

/// Finds a path that a session names. Only what lies inside `root` is said to be there or not.
fn place(root: &Utf8Path, folder: &Utf8Path, path: &str) -> Place {
    let path = Utf8Path::new(path);
    let is_plain =
        !path.components().any(|part| matches!(part, Utf8Component::ParentDir)) && path != "";
    let full = folder.join(path);
    if !is_plain || path.as_str().contains('\0') || !full.starts_with(root) {
        return Place::Elsewhere;
    }
    match full.canonicalize_utf8() {
        Ok(real) if real.starts_with(root) => match fs::metadata(&real) {
            Ok(meta) if meta.is_file() => Place::File(real, meta.modified().ok()),
            _ => Place::Elsewhere,
        },
        Err(cause) if cause.kind() == io::ErrorKind::NotFound && is_inside(root, &full) => {
            Place::Nothing
        }
        _ => Place::Elsewhere,
    }
}

/// Tells whether what is there of a path that is not there ends inside `root`.
fn is_inside(root: &Utf8Path, full: &Utf8Path) -> bool {
    let there = full.ancestors().find(|part| part.symlink_metadata().is_ok());
    let real = there.and_then(|part| part.canonicalize_utf8().ok());
    real.is_some_and(|real| real.starts_with(root) && real.is_dir())
}

/// Asks git for the repository, its top folder, and what is not committed, from there; `own` are
/// the files that are aside, with links followed.
fn ask(
    folder: &Utf8Path,
    aside: &Aside<'_>,
    own: &[Utf8PathBuf],
) -> (Git, Option<Utf8PathBuf>, Vec<String>) {
    let answer = git::ask(folder, &["rev-parse", "--show-toplevel", "--absolute-git-dir"]);
    let without = match answer {
        Answer::Refused if folder.ancestors().any(has_repository) => Git::Refused,
        Answer::Refused => Git::NoRepository,
        Answer::Missing => Git::NoProgram,
        Answer::Said(_) | Answer::TooMuch => Git::NoAnswer,
    };
    let told = answer.text().unwrap_or_default();
    let (top, own_folder) = told.split_once('\n').unwrap_or((&told, ""));
    let top = Utf8Path::new(top).canonicalize_utf8().ok();
    let Some(top) = top.filter(|top| folder.starts_with(top)) else {
        return (without, None, Vec::new());
    };
    let own = own.iter().filter_map(|file| file.strip_prefix(&top).ok());
    let own = own.map(|file| format!(":(exclude,literal){file}"));
    let named = aside.names.iter().map(|name| format!(":(exclude,glob)**/{name}"));
    let others: Vec<_> = named.chain(own).collect();
    let others = others.iter().map(String::as_str);
    let others: Vec<_> = ["--", "."].into_iter().chain(others).collect();
    let head = git::ask(&top, &["rev-parse", "--verify", "--quiet", "HEAD"]).text();
    let commit = head.map(|head| match aside.commits {
        true => counted(&top, head, aside.then, &others),
        false => head,
    });
    let branch = git::ask(&top, &["symbolic-ref", "--quiet", "--short", "HEAD"]).text();
    let names = status(&top, &others);
    let uncommitted = names.as_ref().map(Vec::len);
    // What is aside stands in the way of an end as well.
    let unmerged = super::unmerged(&top, &[]);
    let going_on = GoingOn::of(Utf8Path::new(own_folder)).filter(|_| !own_folder.is_empty());
    let git = Git::Repository { branch, commit, uncommitted, going_on, unmerged };
    (git, Some(top), names.unwrap_or_default())
}

/// Tells whether a folder looks like the top of a repository, whatever git says.
fn has_repository(folder: &Utf8Path) -> bool {
    let git = folder.join(".git");
    git.is_file() || git.join("HEAD").exists()
}

/// Returns what of `others` is not committed, from the top folder; nothing if git does not say.
fn status(top: &Utf8Path, others: &[&str]) -> Option<Vec<String>> {
    let status = ["status", "--porcelain", "-z", "--no-renames", "--ignore-submodules=all"];
    let status = [&status[..], &["--untracked-files=normal"], others].concat();
    let lines = git::ask_of_files(top, &status).names()?;
    // Two letters and a blank stand before each.
    Some(lines.iter().filter_map(|line| line.get(3..).map(str::to_owned)).collect())
}

/// How many commits of nothing but what is aside are looked through for the session's own.
const MOST_PASSED: &str = "100";

/// Returns the newest commit, up to `head`, that changes something of `others`, or at which the
/// session was; `head` if git does not say.
fn counted(top: &Utf8Path, head: String, then: Option<&str>, others: &[&str]) -> String {
    let newest = ["rev-list", "--first-parent", "--max-count=1", &head];
    let found = git::ask(top, &[&newest[..], others].concat()).text();
    let Some(found) = found.filter(|found| !found.is_empty() && *found != head) else {
        return head;
    };
    let Some(then) = then.filter(|then| then.len() >= SHORTEST_COMMIT) else { return found };
    let range = format!("{found}..{head}");
    let count = format!("--max-count={MOST_PASSED}");
    let passed = git::ask(top, &["rev-list", "--first-parent", &count, &range]).text();
    let passed = passed.unwrap_or_default();
    passed.lines().find(|commit| commit.starts_with(then)).map_or(found, str::to_owned)
}

/// Of how many digits a session must tell a commit for it to be one.
const SHORTEST_COMMIT: usize = 7;
