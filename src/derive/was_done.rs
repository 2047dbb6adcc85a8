//! Whether what others see was done, where a session ended before anybody saw how it came out.

use super::open_work::Work;
use super::outcomes::{commits_something, sends_nothing, sends_only_tags};
use super::place;
use super::text;
use super::timeline::{Done, Timeline};
use crate::model::Status;

/// How many characters name the command.
const TOLD_CHARS: usize = 60;
/// Commands that do something to a page of a hoster, what shows it, and what is asked.
const PAGES: &[(&str, &str, &str)] = &[
    ("gh pr create", "gh pr view", "was the pull request opened"),
    ("gh pr merge", "gh pr view", "was it merged"),
    ("gh pr comment", "gh pr view --comments", "was it posted"),
    ("gh issue comment", "gh issue view --comments", "was it posted"),
    ("gh issue create", "gh issue list", "was the issue opened"),
    ("gh release create", "gh release list", "was it published"),
    ("glab mr create", "glab mr view", "was the merge request opened"),
];

/// Asks whether the last thing that others see was done, where the session ended before that had come back, or
/// while it still ran, as `open` says: who goes on would do it twice.
pub(super) fn was_done(timeline: &Timeline<'_>, open: &[Work]) -> Option<String> {
    let runs = |done: &Done<'_>| {
        let is_it = |work: &Work| work.source == "running" && work.evidence[..] == [&*done.item.id];
        open.iter().any(is_it)
    };
    let last = timeline.own().next_back().map_or(0, |done| done.item.turn);
    let newest = timeline.own().rev().take_while(|done| done.item.turn == last);
    let mut seen: Vec<&str> = Vec::new();
    for done in newest {
        let asks = end(&done, runs(&done)).map(|end| asked(timeline, &done, end, &seen));
        match asks {
            Some(None) => {}
            Some(asks) => return asks,
            // What was done again since is known.
            None => {
                let parts = timeline.parts(&done).iter();
                seen.extend(parts.filter_map(|part| Some(shown(part)?.1)));
            }
        }
    }
    None
}

/// Whether what a call printed shows that it did what is asked for.
fn shows_end(done: &Done<'_>) -> bool {
    let output = done.output();
    let is_row = |row: &str| row.contains(" -> ") || row.starts_with('[') && row.contains("] ");
    output.contains("https://") || output.lines().any(is_row)
}

/// Says why nobody saw how a call came out.
fn end(done: &Done<'_>, still_runs: bool) -> Option<&'static str> {
    match done.result {
        _ if still_runs => Some("still ran"),
        None => Some("had no result"),
        Some(_) if done.is_lost() => Some("had no result"),
        Some(result) if result.status == Status::Interrupted => Some("was broken off"),
        Some(_) => None,
    }
}

fn asked(timeline: &Timeline<'_>, done: &Done<'_>, end: &str, seen: &[&str]) -> Option<String> {
    let parts = timeline.parts(done).iter().rev();
    // What stands before the command that runs on has ended.
    let most = if end == "still ran" { 1 } else { usize::MAX };
    let (part, (shows, asks)) = parts.take(most).find_map(|part| Some((part, shown(part)?)))?;
    if seen.contains(&asks) || shows_end(done) {
        return None;
    }
    let told = text::start(part, TOLD_CHARS);
    let folder = done.command().and_then(|line| place::elsewhere(line, done.cwd));
    let shows = folder.map_or_else(|| shows.to_owned(), |folder| place::told_in(&folder, shows));
    Some(format!("`{shows}`: {asks}? `{told}` {end} when the session ended"))
}

/// Returns what shows whether a command was done, and what is asked.
fn shown(part: &str) -> Option<(&'static str, &'static str)> {
    let is_push = part.starts_with("git push");
    if part.contains("--dry-run") || is_push && sends_nothing(part) {
        return None;
    }
    let page = PAGES.iter().find(|(form, ..)| part.starts_with(form));
    match () {
        () if commits_something(part) => Some(("git log -1", "was it committed")),
        () if is_push && sends_only_tags(part) => Some(("git ls-remote --tags", "was it pushed")),
        () if is_push => Some(("git fetch; git status -sb", "was it pushed")),
        () => page.map(|(_, shows, asks)| (*shows, *asks)),
    }
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn what_others_see_is_asked_for_and_not_what_would_be_done() {
        let asks = |part: &str| shown(part).map(|(_, asks)| asks);
        assert_eq!(asks("git commit -m 'a'"), Some("was it committed"));
        assert_eq!(asks("git push -u origin it"), Some("was it pushed"));
        assert_eq!(asks("gh pr create --fill"), Some("was the pull request opened"));
        for part in ["git push origin v1.2.0", "git push --tags"] {
            assert_eq!(shown(part).map(|it| it.0), Some("git ls-remote --tags"), "{part}");
        }
        let nothing = ["git push -n", "git push --delete origin it", "git push --dry-run"];
        for part in ["git commit --dry-run", "git status", "gh pr view 3"].iter().chain(&nothing) {
            assert_eq!(asks(part), None, "{part}");
        }
    }
}
