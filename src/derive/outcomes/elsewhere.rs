//! What all checks elsewhere say of the state that was pushed: a failure on this machine before that is
//! one of this machine.

use super::checks::Edit;
use crate::derive::files::is_outside;
use crate::derive::shell;
use crate::derive::timeline::{Done, Timeline};

/// How a row of a listing says how a check elsewhere stands, between tabs.
const STANDS: &[&str] = &["cancel", "fail", "neutral", "pass", "pending", "skipping"];

/// Returns the number of the last call that showed all checks elsewhere to pass, on a state that holds
/// every change of the project so far.
pub(super) fn all_passed(timeline: &Timeline<'_>, edits: &[Edit]) -> Option<usize> {
    let pushes = |done: &Done<'_>| {
        done.worked() && timeline.parts(done).iter().any(|part| part.starts_with("git push"))
    };
    let listing = timeline.done().rev().find(|done| lists_all(timeline, done))?;
    let before = timeline.done().rev().filter(|done| done.index < listing.index);
    let pushed = before.filter(pushes).map(|done| done.index).next()?;
    let is_between = |edit: &&Edit| (pushed..listing.index).contains(&edit.index);
    let is_of_project = |edit: &&Edit| !is_outside(&edit.path);
    let is_new = edits.iter().filter(is_of_project).any(|edit| is_between(&edit));
    (!is_new && is_green(&listing.output())).then_some(listing.index)
}

/// Whether a call lists all checks of a pull request: another program would show only some of them.
fn lists_all(timeline: &Timeline<'_>, done: &Done<'_>) -> bool {
    let lists = |part: &String| part.starts_with("gh pr checks");
    let is_whole = |line: &str| {
        let mut all = shell::joined(line).into_iter();
        all.any(|(part, joint)| lists(&part) && joint != "|")
    };
    done.result.is_some()
        && timeline.parts(done).iter().any(lists)
        && done.command().is_some_and(is_whole)
}

/// Whether a listing has checks that passed, and none that did not or has not ended.
fn is_green(listing: &str) -> bool {
    let stands = |row: &str| {
        let stand = row.split('\t').nth(1)?;
        STANDS.iter().find(|known| **known == stand).copied()
    };
    let all: Vec<&str> = listing.lines().filter_map(stands).collect();
    all.contains(&"pass")
        && all.iter().all(|stand| matches!(*stand, "pass" | "neutral" | "skipping"))
}

#[cfg(test)]
mod tests {
    use super::is_green;

    #[test]
    fn a_listing_is_green_where_all_of_it_passed() {
        assert!(is_green("=== after 60s ===\nunit\tpass\t47s\thttps://a\t\ndocs\tskipping\t0\t\n"));
        for other in ["fail", "pending", "cancel"] {
            assert!(!is_green(&format!(
                "unit\tpass\t47s\thttps://a\ndocs\t{other}\t0\thttps://b\n"
            )));
        }
        assert!(!is_green("no checks reported\n") && !is_green("unit\tskipping\t0\n"));
    }
}
