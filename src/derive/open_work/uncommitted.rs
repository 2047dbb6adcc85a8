//! Changes that are not committed, as far as git and the session tell.

use super::Work;
use crate::derive::checking::is_check;
use crate::derive::outcomes::{Outcomes, Uncommitted, commits_something, from_verb};
use crate::derive::timeline::{Done, Timeline};
use crate::derive::{Trust, deeds, shell, turns, words};
use crate::model::{Action, ToolKind};

/// How many files are named.
const MOST_FILES: usize = 4;

/// Says which edited files git told to be not committed, if the session commits nothing.
pub(super) fn listed(timeline: &Timeline<'_>, outcomes: &Outcomes) -> Option<Work> {
    let (index, paths) = outcomes.listed()?;
    let look = timeline.done().nth(index)?;
    let is_old =
        timeline.requests().next_back().is_some_and(|(item, _)| item.line > look.item.line);
    let later = || timeline.done().skip(index + 1);
    if is_old || is_left_to_user(timeline) || later().any(|done| may_commit(timeline, &done)) {
        return None;
    }
    let files = if paths.len() == 1 { "1 file" } else { &format!("{} files", paths.len()) };
    let few = paths.iter().take(MOST_FILES).copied().collect::<Vec<_>>().join(", ");
    let more = if paths.len() > MOST_FILES { ", …" } else { "" };
    let turn = turns::id(look.item.turn);
    let line = format!("commit: {files} edited{SHOWN}, in {turn}: {few}{more}");
    Some(Work::new(line, Trust::A, "uncommitted", &look.item.id))
}

/// Whether the newest request that says whether something is to be committed says that it is not, or that the user does it.
fn is_left_to_user(timeline: &Timeline<'_>) -> bool {
    timeline.requests().rev().find_map(|(_, it)| words::commits(&it.words())) == Some(false)
}

/// Whether a call may have committed what was changed, put it away, or shown that somebody did: all but edits, checks and
/// what only looks at other things.
fn may_commit(timeline: &Timeline<'_>, done: &Done<'_>) -> bool {
    match done.call.action.as_deref() {
        Some(Action::Shell { command, .. }) => {
            let does = |part: &String| deeds::does_something(part) && !is_check(part);
            let of_git = |(part, _): &(String, String)| {
                let part = from_verb(part.trim());
                let shows = ["git log", "git show"].iter().any(|look| part.starts_with(look));
                shows || part.starts_with("git ") && deeds::does_something(&part)
            };
            timeline.parts(done).iter().any(does) || shell::raw(command).iter().any(of_git)
        }
        Some(Action::Agent { .. } | Action::Type { .. }) => true,
        Some(_) => false,
        None => done.call.kind == ToolKind::Other,
    }
}

/// How it is told that git showed so where the session committed nothing.
pub const SHOWN: &str = " and not committed, as `git status` showed";

/// Says what was changed after the last commit, if the session commits.
pub(super) fn uncommitted(timeline: &Timeline<'_>, outcomes: &Outcomes) -> Option<Work> {
    let Uncommitted { commit, edited, left_out, others, calls } = outcomes.uncommitted()?;
    // A session that ended during a commit says so.
    let last = timeline.last().filter(|done| done.result.is_none());
    let is_at_it = last.and_then(|done| done.command()).is_some_and(commits_something);
    let paths: Vec<&str> = edited.iter().chain(&others).copied().collect();
    if paths.is_empty() || is_at_it {
        return None;
    }
    let since = match (&commit.sha, &commit.subject) {
        (Some(sha), Some(subject)) => format!("{sha} \"{subject}\""),
        _ => "the last commit".to_owned(),
    };
    let what = match paths.len() {
        _ if !others.is_empty() => "what was changed".to_owned(),
        1 => "1 file edited".to_owned(),
        more => format!("{more} files edited"),
    };
    let since = match left_out {
        0 => format!("since {since}"),
        all if all == paths.len() => format!("and not known to be in {since}"),
        _ => format!("since {since}, or not known to be in it"),
    };
    let few = paths.iter().take(MOST_FILES).copied().collect::<Vec<_>>().join(", ");
    let more = if paths.len() > MOST_FILES { ", …" } else { "" };
    let line = format!("commit: {what} {since}: {few}{more}");
    // Commits that were made elsewhere are not seen.
    let mut work = Work::new(line, Trust::A, "uncommitted", &commit.item);
    let edited = calls.into_iter().filter_map(|index| timeline.done().nth(index));
    work.evidence.extend(edited.map(|done| done.item.id.to_string()));
    Some(work)
}
