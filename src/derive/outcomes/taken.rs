//! What commits took of the changes before them: all that was there, or only what git had been given.

use std::cell::LazyCell;
use std::collections::{HashMap, HashSet};

use super::checks::Edit;
use super::commits::Commit;
use super::git::{self, Git};
use super::names::Names;
use super::retaken::Retaking;
use super::tree::Listing;
use crate::derive::timeline::{Done, Timeline};
use crate::derive::{place, shell};
use crate::model::{Action, Verb};

/// What a call gave to git for the next commit.
struct Taken {
    /// The number of the call.
    index: usize,
    /// The files and folders; nothing where it may have been all.
    paths: Option<Names>,
}

/// Verbs of git that put nothing into the next commit, beside those that only look.
const APART: &[&str] = &[
    "branch", "checkout", "config", "fetch", "push", "remote", "restore", "stash", "switch", "tag",
    "worktree",
];
/// Options by which a commit takes more than it was given.
const TAKING: &[&str] = &["--all", "--include", "--interactive", "--only", "--patch"];
/// Options of it behind which a value stands, and letters.
const WITH_VALUE: &[&str] =
    &["--author", "--date", "--file", "--fixup", "--message", "--template", "--trailer"];
const VALUED: [char; 5] = ['C', 'F', 'c', 'm', 't'];
/// What has a shell make other words of what stands there.
const MADE: &[char] = &['$', '`', '*', '?', '[', '{', '<', '~'];

/// Marks the edits that the commits after them left out, as far as it is known what each took, and that nothing else
/// can have taken back since.
pub(super) fn mark_left_out(
    timeline: &Timeline<'_>,
    edits: &mut [Edit],
    commits: &[Commit],
    listings: &[Listing],
) {
    let Some(last) = commits.last().map(|commit| commit.index) else { return };
    let mut taken = taken(timeline, commits);
    taken.retain(|one| one.index <= last);
    if taken.iter().all(|one| one.paths.is_none()) {
        return;
    }
    let turns: Vec<u32> = timeline.done().map(|done| done.item.turn).collect();
    let turn = |index: usize| turns.get(index).copied().unwrap_or(0);
    let oldest = oldest(edits, commits, &taken, turn);
    let left = LazyCell::new(|| Left::new(timeline, edits));
    let listed: Vec<_> = listings.iter().map(|one| (one, Names::new(&one.paths))).collect();
    let mut files: HashMap<&str, File> = HashMap::new();
    let mut found = Vec::new();
    for (at, edit) in edits.iter().enumerate().filter(|(_, edit)| !edit.path.is_empty()) {
        let path = edit.path.as_str();
        let file = files.entry(path).or_insert_with(|| File {
            taken: taken.iter().filter(|one| one.takes(path)).map(|one| one.index).max(),
            unlisted: newest(&listed, |one, names| one.is_whole && !names.hold(path)),
            listed: newest(&listed, |_, names| names.hold(path)),
            named: newest(&listed, |_, names| names.name(path)),
            stands: None,
        });
        let is_later = |index: Option<usize>| index.is_some_and(|index| index >= edit.index);
        let commit = commits.partition_point(|commit| commit.index < edit.index);
        if commit == commits.len() || is_later(file.taken) || is_later(file.unlisted) {
            continue;
        }
        // The user may have committed what was changed before, unless git shows that nobody did.
        let of = turn(edit.index);
        let is_of_commit = turn(commits[commit].index) == of
            || oldest[commit].is_some_and(|oldest| oldest <= of)
            || file.listed.is_some_and(|listed| turn(listed) > of);
        let (named, listed) = (file.named, file.listed);
        if is_of_commit && *file.stands.get_or_insert_with(|| left.stands(path, named, listed)) {
            found.push(at);
        }
    }
    drop((files, left));
    found.into_iter().for_each(|at| edits[at].is_left_out = true);
}

/// Returns the number of the call of the newest listing that fits.
fn newest(listed: &[(&Listing, Names)], fits: impl Fn(&Listing, &Names) -> bool) -> Option<usize> {
    listed.iter().rfind(|(one, names)| fits(one, names)).map(|(one, _)| one.index)
}

/// What is known of a file.
struct File {
    /// The newest call that gave it to git for a commit that was made, or may have.
    taken: Option<usize>,
    /// The newest that listed all that is not committed, and not this: git does not keep it, or it was taken in another
    /// way.
    unlisted: Option<usize>,
    /// The newest that listed it, or a folder that holds it.
    listed: Option<usize>,
    /// The newest that listed it itself.
    named: Option<usize>,
    /// Whether all that happened to it is that it was edited, once that was asked.
    stands: Option<bool>,
}

/// Returns of each commit the turn of the oldest change that it took, as far as that is known.
fn oldest(
    edits: &[Edit],
    commits: &[Commit],
    taken: &[Taken],
    turn: impl Fn(usize) -> u32,
) -> Vec<Option<u32>> {
    let mut from = 0;
    let of_commit = |commit: &Commit| {
        let since = from..=commit.index;
        from = commit.index + 1;
        let given: Vec<&Taken> =
            taken.iter().filter(|one| since.contains(&one.index) && one.paths.is_some()).collect();
        let made = edits.iter().filter(|edit| since.contains(&edit.index));
        let newest: HashMap<&str, usize> =
            made.map(|edit| (edit.path.as_str(), edit.index)).collect();
        let takes = |(path, at): &(&str, usize)| {
            given.iter().any(|one| one.index >= *at && one.takes(path))
        };
        newest.into_iter().filter(takes).map(|(_, at)| turn(at)).min()
    };
    commits.iter().map(of_commit).collect()
}

impl Taken {
    /// Whether a file was given, or may have been.
    fn takes(&self, path: &str) -> bool {
        self.paths.as_ref().is_none_or(|names| names.hold(path))
    }
}

/// What happened to the files besides that they were edited.
struct Left<'t> {
    /// The first edit of each file, and whether a command line made one.
    edited: HashMap<&'t str, (usize, bool)>,
    /// What commands may have taken back or away, with the numbers of their calls.
    retaken: Vec<(usize, Retaking)>,
    /// The files of which an edit puts back exactly what one before it changed, or takes away what was made here.
    put_back: HashSet<String>,
}

impl<'t> Left<'t> {
    fn new(timeline: &Timeline<'_>, edits: &'t [Edit]) -> Self {
        let mut edited: HashMap<&str, (usize, bool)> = HashMap::new();
        for edit in edits {
            edited.entry(&edit.path).or_insert((edit.index, false)).1 |= edit.by_shell;
        }
        let calls = timeline.done().filter(|done| !done.was_held_back());
        let of_call = |done: Done<'_>| {
            let found = done.command().map(Retaking::of_line).unwrap_or_default();
            found.into_iter().map(move |one| (done.index, one))
        };
        Self { edited, retaken: calls.flat_map(of_call).collect(), put_back: put_back(timeline) }
    }

    /// Whether all that is known to have happened to a file since it was edited first is that it was edited. What git
    /// `named` as changed nothing had taken back before that; a folder that it `listed` may have held others, but of what
    /// took nobody knows what it is not known that it took this.
    fn stands(&self, path: &str, named: Option<usize>, listed: Option<usize>) -> bool {
        let Some((from, by_shell)) = self.edited.get(path) else { return false };
        let seen = |index: usize| index < *from || named.is_some_and(|named| index < named);
        let since = self.retaken.partition_point(|(index, _)| seen(*index));
        let took = |(index, one): &(usize, Retaking)| {
            let is_listed = listed.is_some_and(|listed| *index < listed);
            one.may_be(path) && !(is_listed && matches!(one, Retaking::Any))
        };
        !by_shell && !self.put_back.contains(path) && !self.retaken[since..].iter().any(took)
    }
}

/// Returns the files of which an edit puts back exactly what one before it changed, or takes away what one made.
fn put_back(timeline: &Timeline<'_>) -> HashSet<String> {
    let calls = timeline.done().filter(|done| done.worked());
    let changes = calls.filter_map(|done| match done.call.action.as_deref()? {
        Action::Edit { changes } => Some(changes),
        _ => None,
    });
    let mut made: HashSet<&str> = HashSet::new();
    let mut before: HashSet<(&str, &str, &str)> = HashSet::new();
    let mut found = HashSet::new();
    for change in changes.flatten() {
        let (path, added, removed) =
            (change.path.as_str(), change.added.as_str(), change.removed.as_str());
        let is_back = added != removed && before.contains(&(path, removed, added));
        if is_back || change.verb == Verb::Delete && made.contains(path) {
            found.insert(timeline.path(path));
        }
        if change.verb == Verb::Write {
            made.insert(path);
        }
        before.insert((path, added, removed));
    }
    found
}

/// Finds what was given to git, in order; where a commit was given nothing that is known, it may have taken all.
fn taken(timeline: &Timeline<'_>, commits: &[Commit]) -> Vec<Taken> {
    let mut found: Vec<Taken> = Vec::new();
    let mut from = 0;
    let mut next = commits.iter().map(|commit| commit.index).peekable();
    for done in timeline.done() {
        let gives_up = done.worked() && timeline.parts(&done).iter().any(|part| gives_up(part));
        if gives_up {
            found.retain(|one| one.index < from);
        }
        found.extend(of_call(timeline, &done));
        while next.next_if_eq(&done.index).is_some() {
            if !found.iter().any(|one| one.index >= from) {
                found.push(Taken { index: done.index, paths: None });
            }
            from = done.index + 1;
        }
    }
    found
}

/// Whether a command takes out of the next commit all that was given to git for it.
fn gives_up(part: &str) -> bool {
    let Some(git) = Git::of(part).filter(|git| git.verb == "reset") else { return false };
    git.words.iter().all(|word| matches!(*word, "--mixed" | "--quiet" | "-q" | "HEAD"))
}

/// Returns what a call gave to git, if it gave something.
fn of_call(timeline: &Timeline<'_>, done: &Done<'_>) -> Option<Taken> {
    let line = done.command().filter(|line| line.contains("git") && !done.was_held_back())?;
    let parts = shell::raw(line);
    let gits: Vec<_> =
        parts.iter().filter_map(|(part, _)| Some((part, Git::of(part.trim())?))).collect();
    // What a loop, another program or a call from another folder gives to it is not known.
    let is_hidden = |form: &str, verb: &str| {
        line.matches(form).count() > gits.iter().filter(|(_, git)| git.verb == verb).count()
    };
    let is_unknown = is_hidden("git add", "add")
        || is_hidden("git commit", "commit")
        || gits.iter().any(|(_, git)| git.is_elsewhere);
    let given = gits.iter().map(|(part, git)| given(part, git));
    // Where one of its paths is not there, nothing at all is added.
    let output = done.output();
    let missing =
        output.split_once("fatal: pathspec '").and_then(|(_, rest)| rest.split('\'').next());
    let names_it = |git: &Git<'_>| {
        missing.is_some_and(|it| git.words.iter().any(|word| word.trim_matches(['"', '\'']) == it))
    };
    let is_void = |git: &Git<'_>| git.verb == "add" && names_it(git);
    let kept = given.zip(&gits).filter(|(_, (_, git))| !is_void(git)).map(|(given, _)| given);
    let paths = kept.collect::<Option<Vec<_>>>().filter(|_| !is_unknown);
    let paths = paths.filter(|_| missing.is_none() || gits.iter().any(|(_, git)| names_it(git)));
    let paths: Option<Vec<String>> =
        paths.map(|all| all.concat().iter().map(|path| timeline.path(path)).collect());
    // Of a folder in another spelling nobody knows where it lies.
    let paths = paths.filter(|paths| !paths.iter().any(|path| place::is_whole(path)));
    let gives = paths.as_ref().is_none_or(|paths| !paths.is_empty());
    let paths = paths.as_deref().map(Names::new);
    (!gits.is_empty() && gives).then_some(Taken { index: done.index, paths })
}

/// Returns the files and folders that a command of git puts into the next commit; nothing where these may be all.
fn given(part: &str, git: &Git<'_>) -> Option<Vec<String>> {
    match git.verb {
        "add" | "mv" | "rm" | "stage" => named(git),
        "commit" => (!takes_more(part)).then(Vec::new),
        "reset" => (!git.has(&["--soft"])).then(Vec::new),
        verb => (APART.contains(&verb) || git::looks(part)).then(Vec::new),
    }
}

/// Options with which git is still given what is named behind them.
const PLAIN: &[&str] =
    &["--", "--force", "--patch", "--quiet", "--verbose", "-f", "-p", "-q", "-r", "-v"];

fn named(git: &Git<'_>) -> Option<Vec<String>> {
    let words = git.words.iter().take_while(|word| !word.contains('>'));
    let (options, paths): (Vec<&str>, Vec<&str>) = words.partition(|word| word.starts_with('-'));
    let is_sure = !paths.is_empty() && options.iter().all(|option| PLAIN.contains(option));
    paths.into_iter().map(path).collect::<Option<_>>().filter(|_| is_sure)
}

/// Returns the file or folder that a word names, where the shell makes no other words of it and it is not the whole
/// project.
fn path(word: &str) -> Option<String> {
    // A list has commas in another shell.
    let word = word.trim_end_matches(',');
    let is_cut = ['"', '\''].iter().any(|mark| word.matches(*mark).count() % 2 == 1);
    let bare = word.trim_matches(['"', '\'']).trim_start_matches("../");
    let is_all = matches!(bare, "" | "." | "..") || bare.starts_with(':') || bare.contains("/..");
    let is_open = !word.starts_with(['"', '\'']) && word.contains('(');
    let is_made = word.contains(MADE) || word.ends_with('\\') || is_open;
    (!is_cut && !is_all && !is_made).then(|| bare.to_owned())
}

/// Whether a commit takes more than it was given before, or names files itself.
fn takes_more(part: &str) -> bool {
    // Behind the first quote of what is no list of words stands the message.
    let start = || part.split(['"', '\'', '<', '$']).next().unwrap_or_default();
    let words = shlex::split(part)
        .unwrap_or_else(|| start().split_whitespace().map(str::to_owned).collect());
    let mut words = words.iter().map(String::as_str).skip_while(|word| *word != "commit").skip(1);
    while let Some(word) = words.next().filter(|word| !word.contains(['<', '>'])) {
        let Some(letters) = word.strip_prefix('-') else { return true };
        // What stands behind one of these letters in the same word is its value.
        let end = letters.find(VALUED).unwrap_or(letters.len());
        let has_value = match letters.starts_with('-') {
            true if matches!(word, "--") || TAKING.contains(&word) => return true,
            true => WITH_VALUE.contains(&word),
            false if letters[..end].contains(['a', 'i', 'o', 'p']) => return true,
            false => end + 1 == letters.len(),
        };
        if has_value {
            words.next();
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::{Git, given, takes_more};

    #[test]
    fn what_git_is_given_is_known_where_it_is_named() {
        let given = |part: &str| given(part, &Git::of(part).unwrap());
        let paths =
            |all: &[&str]| Some(all.iter().map(|&path| path.to_owned()).collect::<Vec<_>>());
        assert_eq!(given("git add src/a.rs \"b.md\" 2>&1"), paths(&["src/a.rs", "b.md"]));
        assert_eq!(given("git add -p src/a.rs"), paths(&["src/a.rs"]));
        assert_eq!(given("git rm -q --  a.rs"), paths(&["a.rs"]));
        assert_eq!(given("git status -s"), paths(&[]));
        let all = ["git add .", "git add -A", "git add -u src", "git add -p", "git add *.rs"];
        let more = ["git add ..", "git add \"new folder/a.rs\"", "git add a\\ b.rs", "git add ~/p"];
        let other = ["git add $(cat l)", "git merge x", "git reset --soft HEAD~1"];
        for part in all.iter().chain(&more).chain(&other) {
            assert_eq!(given(part), None, "{part}");
        }
    }

    #[test]
    fn a_commit_takes_what_was_given_before_it_or_more() {
        for part in [
            "git commit -m 'all of a'",
            "git commit -qm \"it's\"",
            "git commit -q -F - <<'EOF'",
            "git commit --amend --no-edit",
            "git commit -m \"$(cat <<'EOF'\nSay \"a\" -a\nEOF\n)\"",
            "git commit --author 'Ada <a@b.example>' -m x 2>&1",
            "git commit -s -m x",
        ] {
            assert!(!takes_more(part), "{part}");
        }
        for part in [
            "git commit -am x",
            "git commit -a",
            "git commit --all -m x",
            "git commit -m x src/a.rs",
            "git commit -m x -- src/a.rs",
            "git commit -p",
        ] {
            assert!(takes_more(part), "{part}");
        }
    }
}
