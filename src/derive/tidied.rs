//! Calls since the agent's words that only put things in order, or that others see: nothing else tells of them, and a
//! reader would make them again.

use std::cell::LazyCell;

use super::deeds::is_seen;
use super::outcomes::{CONTAINERS, from_verb, in_box, made_by_line, saw_all_pass};
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

/// Returns the last call after the item that is called `id` that put something in order by git, ran a program in a box,
/// or saw that all checks elsewhere passed.
pub(super) fn tidied_since<'s>(timeline: &Timeline<'s>, id: &str) -> Option<Done<'s>> {
    let near = timeline.own().rev().take(MOST_SINCE);
    let since = near.take_while(|done| is_after(timeline, done, id));
    let has_one = |done: &Done<'_>| {
        timeline.parts(done).iter().any(|part| tidies(part)) || saw_all_pass(timeline, done)
    };
    // Of a line that failed what stands before its last command may have been done; how it ended is told with it.
    let has_tidied = |done: &Done<'_>| {
        let all = done.command().map(shell::joined).unwrap_or_default();
        let before = all.split_last().map(|(_, before)| before);
        before.is_some_and(|before| before.iter().any(|(part, _)| tidies(part)))
    };
    let was_done = |done: &Done<'_>| match done.failed() {
        true => !done.was_held_back() && has_tidied(done),
        false => done.result.is_some() && !did_nothing(&done.output()),
    };
    since.filter(was_done).find(has_one)
}

/// How many deeds are told before the last.
const MOST_SEEN: usize = 2;

/// Returns the calls after the item that is called `id` and before another one that did what others see, or were to and
/// not let, in order: of many the newest, those first that were not let.
pub(super) fn seen_since<'s>(timeline: &Timeline<'s>, id: &str, last: &Done<'_>) -> Vec<Done<'s>> {
    let near = timeline.own().rev().skip_while(|done| done.index >= last.index).take(MOST_SINCE);
    let since = near.take_while(|done| is_after(timeline, done, id));
    let ran_later = |done: &Done<'_>| {
        let later = timeline.own().rev().take_while(|later| later.index > done.index);
        let is_same = |later: Done<'_>| timeline.parts(&later) == timeline.parts(done);
        later.filter(|later| !later.was_held_back()).any(is_same)
    };
    let is_one = |done: &Done<'_>| {
        let was_done = match done.was_held_back() {
            true => !ran_later(done),
            false => done.result.is_some() && !done.failed() && !did_nothing(&done.output()),
        };
        let is_tried =
            |part: &&String| part.split_whitespace().any(|word| ONLY_TRIES.contains(&word));
        // A page that was not made is none, and what was not let is told all the same.
        let makes =
            |part: &str| ["gh pr create", "gh issue create"].iter().any(|it| part.starts_with(it));
        let is_made = LazyCell::new(|| done.was_held_back() || made_by_line(done).is_some());
        let is_one = |part: &&String| !is_tried(part) && (!makes(part) || *is_made);
        let mut parts = timeline.parts(done).iter().filter(is_one);
        parts.any(|part| is_seen(part)) && was_done
    };
    let mut seen: Vec<_> = since.filter(is_one).collect();
    seen.sort_by_key(|done| !done.was_held_back());
    seen.truncate(MOST_SEEN);
    seen.sort_by_key(|done| done.index);
    seen
}

/// How git begins where it did nothing, also where a pipe hides its exit code.
const NOTHING: &[&str] =
    &["Everything up-to-date", "No local changes to save", "error: ", "fatal: "];

/// How a row begins by which it says that it did something after all.
const DID: &[&str] = &["HEAD is now at", "Saved working directory", "Switched to"];

/// Whether git says in the first row of an output that it did nothing, and below it nothing else.
fn did_nothing(output: &str) -> bool {
    let begins = |row: &str, forms: &[&str]| forms.iter().any(|start| row.starts_with(start));
    let mut rows = output.lines().filter(|row| !row.trim().is_empty());
    rows.next().is_some_and(|first| begins(first, NOTHING)) && !rows.any(|row| begins(row, DID))
}

/// What git puts in order that a reader would else do again.
const PUTTING: &[&str] = &["add", "checkout", "fetch", "stash", "switch"];
/// Options with which it only tells.
const ONLY_TRIES: &[&str] = &["--dry-run", "--help", "-h"];

fn tidies(part: &str) -> bool {
    let part = from_verb(part);
    let mut words = part.split_whitespace();
    let program = words.next().unwrap_or_default();
    let rest: Vec<&str> = words.collect();
    match (program, &rest[..]) {
        ("git", ["stash", "list" | "show", ..]) => false,
        ("git", ["add", rest @ ..]) if rest.contains(&"-n") => false,
        ("git", [verb, rest @ ..]) => {
            PUTTING.contains(verb) && !rest.iter().any(|word| ONLY_TRIES.contains(word))
        }
        (program, _) if CONTAINERS.contains(&program) => match in_box(&part) {
            Some(line) => !shell::looks(&line),
            None => matches!(rest[..], ["exec" | "run", ..]),
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{did_nothing, tidies};

    #[test]
    fn what_did_nothing_is_told_from_what_did_a_part() {
        assert!(did_nothing("No local changes to save\n"));
        assert!(did_nothing("\nerror: pathspec 'x' did not match any file(s) known to git\n"));
        for output in [
            "No local changes to save\nSwitched to branch 'main'\n",
            "error: branch 'x' not found.\nSwitched to branch 'main'\n",
            "",
        ] {
            assert!(!did_nothing(output), "{output}");
        }
    }

    #[test]
    fn what_puts_in_order_is_told_from_what_only_looks() {
        let tidying = [
            "git add docs/a.md",
            "git -C libs/x checkout 1807c8b",
            "docker run --rm a b",
            "docker-compose exec -T db ./seed.sh",
            "kubectl exec -n a web -- ./seed.sh",
            "git fetch -n",
        ];
        for part in tidying {
            assert!(tidies(part), "{part}");
        }
        let looks =
            ["git add -n .", "git fetch --dry-run", "docker exec web ls /app", "oc exec web -- ls"];
        let other = ["git status -sb", "git stash list", "git -C x log", "docker ps", "sleep 3"];
        for part in looks.iter().chain(&other) {
            assert!(!tidies(part), "{part}");
        }
    }
}
