//! What of a session the project as it is now has overtaken: commits that were to be made, boxes, the branch.

use super::reality::{MOST_FILES, MOST_OF_ONE, context_files};
use crate::derive::{Facts, FileFact, Mark, Work, boxes, open_of};
use crate::select::fetch::quoted;
use crate::worktree::look::{Found, Git, Look};

/// A file of the session with what was found of it.
type Seen<'a> = (&'a FileFact, &'a Found);

/// Takes out of the open work what was done since, tells boxes as they are, and the session's branch where another
/// is checked out. `is_timed` says whether the session tells when it ended, without which no file is known to be as
/// it left it.
pub(super) fn take_out(facts: &mut Facts, look: &Look, is_timed: bool) {
    let opened = facts.files.iter().filter(|file| file.was_opened()).take(MOST_FILES);
    let files: Vec<Seen<'_>> = opened.zip(&look.found).collect();
    if is_timed {
        facts.open_work.retain(|work| !was_committed(work, &files, look));
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
    let then = facts.session.git.branch.as_deref();
    facts.checks.splice(0..0, on_other_branch(then, look, &files));
}

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
/// after the one which it names.
fn was_committed(work: &Work, files: &[Seen<'_>], look: &Look) -> bool {
    let Git::Repository { commit: Some(head), uncommitted: Some(_), .. } = &look.git else {
        return false;
    };
    let named = work.text.strip_prefix("commit: ").filter(|_| work.source == "uncommitted");
    let then = named.and_then(|line| line.split_once(" since ")?.1.split_whitespace().next());
    let is_sha = |word: &str| word.len() >= 7 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !then.is_some_and(|then| is_sha(then) && !head.starts_with(then)) {
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
        is_same && matches!(found, Found::File { uncommitted: false, .. })
    };
    let mut meant = files.iter().filter(is_meant).peekable();
    meant.peek().is_some() && meant.all(is_held)
}
