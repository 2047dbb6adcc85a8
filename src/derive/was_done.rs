//! Whether what others see was done, where a session ended before anybody saw how it came out.

use super::open_work::Work;
use super::outcomes::commits_something;
use super::text;
use super::timeline::{Done, Timeline};

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
    let is_unseen = |done: &Done<'_>| done.result.is_none() || runs(done);
    newest.filter(is_unseen).find_map(|done| asked(timeline, &done))
}

fn asked(timeline: &Timeline<'_>, done: &Done<'_>) -> Option<String> {
    let of = timeline.parts(done).iter().rev().find_map(|part| Some((part, shown(part)?)));
    let (part, (shows, asks)) = of?;
    let told = text::start(part, TOLD_CHARS);
    let ended = if done.result.is_none() { "had no result" } else { "still ran" };
    Some(format!("`{shows}`: {asks}? `{told}` {ended} when the session ended"))
}

/// Returns what shows whether a command was done, and what is asked.
fn shown(part: &str) -> Option<(&'static str, &'static str)> {
    if part.contains("--dry-run") {
        return None;
    }
    let page = PAGES.iter().find(|(form, ..)| part.starts_with(form));
    match () {
        () if commits_something(part) => Some(("git log -1", "was it committed")),
        () if part.starts_with("git push") => Some(("git fetch; git status -sb", "was it pushed")),
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
        for part in ["git commit --dry-run", "git push --dry-run", "git status", "gh pr view 3"] {
            assert_eq!(asks(part), None, "{part}");
        }
    }
}
