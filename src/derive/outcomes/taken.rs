//! What commits took of the changes before them: all that was there, or only what git had been given.

use super::checks::Edit;
use super::commits::Commit;
use super::git::Git;
use super::tree::Listing;
use crate::derive::timeline::{Done, Timeline};
use crate::derive::{place, shell};

/// What a call gave to git for the next commit.
struct Taken {
    /// The number of the call.
    index: usize,
    /// The files and folders; nothing where it may have been all.
    paths: Option<Vec<String>>,
}

/// Verbs of git that put nothing into the next commit.
const APART: &[&str] = &[
    "blame",
    "branch",
    "cat-file",
    "check-ignore",
    "checkout",
    "config",
    "describe",
    "diff",
    "fetch",
    "grep",
    "log",
    "ls-files",
    "ls-remote",
    "merge-base",
    "push",
    "remote",
    "restore",
    "rev-list",
    "rev-parse",
    "shortlog",
    "show",
    "stash",
    "status",
    "switch",
    "tag",
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

/// Marks the edits that the commits after them left out, as far as it is known what each took.
pub(super) fn mark_left_out(
    timeline: &Timeline<'_>,
    edits: &mut [Edit],
    commits: &[Commit],
    listings: &[Listing],
) {
    let Some(last) = commits.last().map(|commit| commit.index) else { return };
    let taken = taken(timeline, commits);
    let moves: Vec<(usize, &String)> =
        timeline.done().flat_map(|done| moved(timeline, done)).collect();
    let committed = |from: usize| commits.iter().any(|commit| commit.index >= from);
    for edit in edits.iter_mut().filter(|edit| edit.index <= last) {
        let takes = |one: &&Taken| one.index >= edit.index && committed(one.index);
        let is_taken = |one: &Taken| {
            one.paths.as_ref().is_none_or(|paths| paths.iter().any(|it| holds(it, &edit.path)))
        };
        // What git does not list it does not keep, or it was taken in another way.
        let is_listed = |one: &Listing| one.paths.iter().any(|path| holds(path, &edit.path));
        let is_gone = |one: &Listing| one.index >= edit.index && one.is_whole && !is_listed(one);
        let name = edit.path.rsplit('/').next().unwrap_or_default();
        let is_moved = |(at, part): &(usize, &String)| *at >= edit.index && part.contains(name);
        edit.is_left_out = !edit.path.is_empty()
            && !taken.iter().filter(takes).any(is_taken)
            && !listings.iter().any(is_gone)
            && !moves.iter().any(is_moved);
    }
}

/// Returns the commands of a call that move or take away files, each with its number.
fn moved<'t>(
    timeline: &'t Timeline<'_>,
    done: Done<'_>,
) -> impl Iterator<Item = (usize, &'t String)> {
    let index = done.index;
    let moves = |part: &&String| ["mv ", "rm ", "Move-Item "].iter().any(|it| part.starts_with(it));
    timeline.parts(&done).iter().filter(moves).map(move |part| (index, part))
}

/// Whether a file is one that is named, or lies in a folder that is.
fn holds(named: &str, path: &str) -> bool {
    let folder = named.trim_end_matches('/');
    let ends = |whole: &str, end: &str| {
        whole.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    };
    let is_around = |at: usize| {
        (at == 0 || path[..at].ends_with('/')) && path[at + folder.len()..].starts_with('/')
    };
    ends(path, folder)
        || ends(folder, path)
        || path.match_indices(folder).any(|(at, _)| is_around(at))
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
    let aborted = done.output().contains("fatal: pathspec ");
    let is_void = |git: &Git<'_>| git.verb == "add" && aborted;
    let kept = given.zip(&gits).filter(|(_, (_, git))| !is_void(git)).map(|(given, _)| given);
    let paths = kept.collect::<Option<Vec<_>>>().filter(|_| !is_unknown);
    let adds = gits.iter().filter(|(_, git)| git.verb == "add").count();
    let paths = paths.filter(|_| !aborted || adds < 2);
    let paths: Option<Vec<String>> =
        paths.map(|all| all.concat().iter().map(|path| timeline.path(path)).collect());
    // Of a folder in another spelling nobody knows where it lies.
    let paths = paths.filter(|paths| !paths.iter().any(|path| place::is_whole(path)));
    let gives = paths.as_ref().is_none_or(|paths| !paths.is_empty());
    (!gits.is_empty() && gives).then_some(Taken { index: done.index, paths })
}

/// Returns the files and folders that a command of git puts into the next commit; nothing where these may be all.
fn given(part: &str, git: &Git<'_>) -> Option<Vec<String>> {
    match git.verb {
        "add" | "mv" | "rm" | "stage" => named(git),
        "commit" => (!takes_more(part)).then(Vec::new),
        "reset" => (!git.has(&["--soft"])).then(Vec::new),
        verb => APART.contains(&verb).then(Vec::new),
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
    let is_cut = ['"', '\''].iter().any(|mark| word.matches(*mark).count() % 2 == 1);
    let bare = word.trim_matches(['"', '\'']).trim_start_matches("../");
    let is_all = matches!(bare, "" | "." | "..") || bare.starts_with(':') || bare.contains("/..");
    let is_made = word.contains(MADE) || word.ends_with('\\');
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
