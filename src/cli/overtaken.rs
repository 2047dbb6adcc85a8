//! What of a session the project as it is now has overtaken: commits that were to be made, boxes, the branch.

use super::reality::{MOST_FILES, MOST_OF_ONE, context_files};
use jiff::Timestamp;

use crate::derive::{Facts, FileFact, Mark, SHOWN_UNCOMMITTED, STILL_THERE, Work, boxes, open_of};
use crate::select::fetch::quoted;
use crate::worktree::look::{Found, Git, Look};

/// A file of the session with what was found of it.
type Seen<'a> = (&'a FileFact, &'a Found);

/// Takes out of the open work what was done since, tells boxes as they are, and the session's branch where another
/// is checked out. `ended` is when the session ended, as it says; without that no file is known to be as it left it.
pub(super) fn take_out(facts: &mut Facts, look: &Look, ended: Option<Timestamp>) {
    let opened = facts.files.iter().filter(|file| file.was_opened()).take(MOST_FILES);
    let files: Vec<Seen<'_>> = opened.zip(&look.found).collect();
    let elsewhere = on_other_branch(facts.session.git.branch.as_deref(), look, &files);
    if let Some(ended) = ended {
        facts.open_work.retain(|work| !was_committed(work, &files, look));
        if facts.sessions.len() == 1 && facts.checks.iter().any(|check| check == STILL_THERE) {
            let (since, check) = still_there(&files, look, ended);
            // Where they are is said by then.
            let check = check.filter(|check| elsewhere.is_none() || check != ELSEWHERE);
            facts.checks = std::mem::take(&mut facts.checks)
                .into_iter()
                .filter_map(|one| if one == STILL_THERE { check.clone() } else { Some(one) })
                .collect();
            if let Some(reality) = &mut facts.reality {
                reality.committed_since = since;
            }
        }
    }
    for list in &facts.ending.lists {
        let is_gone = |(file, found): &Seen<'_>| file.path == list.path && **found == Found::Gone;
        let (open, all) = match look.text(&list.path, MOST_OF_ONE) {
            Some(text) => boxes(&text),
            None if files.iter().any(is_gone) => (0, 0),
            None => continue,
        };
        let path = &list.path;
        let open = (open > 0).then(|| open_of(open, all, path, ["is", "are"]));
        let now = open.map(|open| format!("{open} open now"));
        let told = |check| if check == list.told { now.clone() } else { Some(check) };
        facts.checks = std::mem::take(&mut facts.checks).into_iter().filter_map(told).collect();
    }
    facts.checks.splice(0..0, elsewhere);
}

/// The most files that git is asked for by name.
const MOST_NAMED: usize = 100;

/// Says in which commit the session's changes stand, if they do, and what is to be asked of them yet.
///
/// Where nothing is uncommitted, git's status shows nothing of them: it is asked only where something is.
fn still_there(
    files: &[Seen<'_>],
    look: &Look,
    ended: Timestamp,
) -> (Option<String>, Option<String>) {
    let asks = |check: &str| Some(check.to_owned());
    if !matches!(
        look.git,
        Git::Repository { commit: Some(_), uncommitted: Some(0), going_on: None, .. }
    ) {
        return (None, asks(STILL_THERE));
    }
    let edited = || files.iter().filter(|(file, _)| file.edits > 0 && !file.is_passed);
    // A file in which packs are kept counts never as uncommitted.
    let names = context_files();
    let is_apart = |(file, _): &Seen<'_>| {
        file.path.rsplit('/').next().is_some_and(|name| names.contains(&name))
    };
    if edited().any(is_apart) {
        return (None, asks(STILL_THERE));
    }
    let is_left = |(file, found): &Seen<'_>| {
        // What the session took away stands in a commit, too.
        file.mark.is_none() && !matches!(found, Found::File { uncommitted: true, .. })
    };
    if edited().any(|(_, found)| **found == Found::NotLookedAt) || edited().next().is_none() {
        return (None, asks(STILL_THERE));
    }
    if !edited().all(is_left) {
        return (None, asks(ELSEWHERE));
    }
    let paths: Vec<&str> = edited().take(MOST_NAMED).map(|(file, _)| &*file.path).collect();
    let since = look.committed_since(ended.as_second(), &paths);
    // What git does not keep is not committed either.
    let check = if since.is_some() { None } else { asks(STILL_THERE) };
    (since, check)
}

/// What is asked where nothing is uncommitted and files are not as the session left them.
const ELSEWHERE: &str = "`git log --all` and `git stash list`: nothing is uncommitted, and not all files are as the session left them: where are its changes?";

/// Says that the session worked on another branch than is checked out now, where that is here and files are not as
/// it left them: there they can be.
fn on_other_branch(then: Option<&str>, look: &Look, files: &[Seen<'_>]) -> Option<String> {
    let Git::Repository { branch: Some(now), .. } = &look.git else { return None };
    let mut marks = files.iter().map(|(file, _)| file.mark);
    let is_other = marks.any(|mark| matches!(mark, Some(Mark::Gone | Mark::Changed)));
    let then = then.filter(|then| then != now && is_other && look.has_branch(then))?;
    Some(format!(
        "`git log -3 {}`: the session worked on this branch, and {now} is checked out now",
        quoted(then)
    ))
}

/// Whether a piece of work is to commit files, and git holds them as the session left them in a commit that came
/// after the one which it names, or in that where this may have them.
fn was_committed(work: &Work, files: &[Seen<'_>], look: &Look) -> bool {
    let Git::Repository { commit: Some(head), uncommitted: Some(_), .. } = &look.git else {
        return false;
    };
    let named = work.text.strip_prefix("commit: ").filter(|_| work.source == "uncommitted");
    let then = |before: &str| named?.split_once(before)?.1.split_whitespace().next();
    let is_sha = |word: &str| word.len() >= 7 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_later = then(" since ").is_some_and(|then| is_sha(then) && !head.starts_with(then));
    let was_shown = named.is_some_and(|named| named.contains(SHOWN_UNCOMMITTED));
    let may_be_in = was_shown || then(" not known to be in ").is_some_and(is_sha);
    if !is_later && !may_be_in {
        return false;
    }
    // Of many files only the first are named.
    let is_meant = |(file, _): &&Seen<'_>| {
        file.edits > 0 && (work.text.ends_with('…') || work.text.contains(&file.path))
    };
    let names = context_files();
    let is_asked = |path: &str| path.rsplit('/').next().is_some_and(|name| !names.contains(&name));
    let is_held = |(file, found): &Seen<'_>| {
        let is_same = file.mark.is_none() && is_asked(&file.path);
        match found {
            // What a commit did not take and nothing holds now was taken back.
            Found::Gone => may_be_in,
            Found::File { uncommitted, .. } => !uncommitted && (is_same || may_be_in),
            _ => false,
        }
    };
    let mut meant = files.iter().filter(is_meant).peekable();
    meant.peek().is_some() && meant.all(is_held)
}
