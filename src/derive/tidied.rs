//! Calls since the agent's words that only put things in order: nothing else tells of them, and a reader would make them
//! again.

use super::shell;
use super::timeline::{Done, Timeline};

/// Whether a call came after the item that is called `id`.
pub(super) fn is_after(timeline: &Timeline<'_>, done: &Done<'_>, id: &str) -> bool {
    let at = timeline.items.iter().rposition(|item| item.id == id);
    let place = timeline.place_of(done);
    place.is_some_and(|place| at.is_none_or(|at| place > at))
}

/// How many calls behind the agent's words are looked at.
const MOST_SINCE: usize = 24;

/// Returns the last call after the item that is called `id` that put something in order by git, or ran a program in
/// a box.
pub(super) fn tidied_since<'s>(timeline: &Timeline<'s>, id: &str) -> Option<Done<'s>> {
    let near = timeline.own().rev().take(MOST_SINCE);
    let since = near.take_while(|done| is_after(timeline, done, id));
    let tidies = |done: &Done<'_>| timeline.parts(done).iter().any(|part| tidies(part));
    let was_done =
        |done: &Done<'_>| done.result.is_some() && !done.failed() && !did_nothing(&done.output());
    since.filter(was_done).find(tidies)
}

/// How git begins where it did nothing, also where a pipe hides its exit code.
const NOTHING: &[&str] = &["No local changes to save", "error: ", "fatal: "];

/// Whether git says in the first row of an output that it did nothing.
fn did_nothing(output: &str) -> bool {
    let first = output.lines().find(|row| !row.trim().is_empty()).unwrap_or_default();
    NOTHING.iter().any(|start| first.starts_with(start))
}

/// What git puts in order that a reader would else do again.
const PUTTING: &[&str] = &["add", "checkout", "fetch", "stash", "switch"];
/// Options with which it only tells.
const ONLY_TRIES: &[&str] = &["--dry-run", "--help", "-h", "-n"];
/// Programs that run others in a box.
const BOXES: &[&str] = &["docker", "nerdctl", "podman"];

fn tidies(part: &str) -> bool {
    let mut words = part.split_whitespace();
    let program = words.next().unwrap_or_default();
    let rest: Vec<&str> = words.collect();
    let rest = match rest[..] {
        ["-C", _, ref behind @ ..] => behind,
        ref all => all,
    };
    match (program, rest) {
        ("git", ["stash", "list" | "show", ..]) => false,
        ("git", [verb, rest @ ..]) => {
            PUTTING.contains(verb) && !rest.iter().any(|word| ONLY_TRIES.contains(word))
        }
        (program, ["exec" | "run", rest @ ..]) => {
            // Behind the name of the box stands what runs in it.
            let mut inner = rest.iter().skip_while(|word| word.starts_with('-')).skip(1);
            let runs = inner.next().copied().unwrap_or_default();
            let next = inner.next().copied().unwrap_or_default();
            BOXES.contains(&program) && !shell::looks(runs, next)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::tidies;

    #[test]
    fn what_puts_in_order_is_told_from_what_only_looks() {
        for part in ["git add docs/a.md", "git -C libs/x checkout 1807c8b", "docker run --rm a b"] {
            assert!(tidies(part), "{part}");
        }
        let looks = ["git add -n .", "git fetch --dry-run", "docker exec web ls /app"];
        let other = ["git status -sb", "git stash list", "git -C x log", "docker ps", "sleep 3"];
        for part in looks.iter().chain(&other) {
            assert!(!tidies(part), "{part}");
        }
    }
}
