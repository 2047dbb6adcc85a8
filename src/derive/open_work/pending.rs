//! What the harness's summary lists as pending, as far as nothing shows that it was done.

use std::borrow::Cow;

use super::said::{MOST, entry, last_words, says_nothing, work};
use super::{Work, plan, same, shorten, telling};
use crate::derive::outcomes::{Outcomes, failed_unseen};
use crate::derive::timeline::Timeline;
use crate::derive::{Trust, paths, summary, text, topic, words};
use crate::model::{Action, Body, Item, Origin, PlanItem, PlanStatus, is_command, only_goes_on};

/// Headings of a summary under which open work stands.
const PENDING: &[&str] = &["pending", "next step", "remaining", "open work", "still to do"];

/// The heading of a list in which each step has a mark that says how far it is.
const MARKED: &str = "task_state";
/// The marks of steps that are not done.
const MARKS: &[(&str, PlanStatus)] =
    &[("[IN PROGRESS]", PlanStatus::InProgress), ("[TODO]", PlanStatus::Pending)];

/// Returns what the harness's last summary lists as pending, if the work stopped soon after it.
///
/// Where a request came after it, or the agent came to an end, later evidence counts alone.
pub(super) fn pending(timeline: &Timeline<'_>, outcomes: &Outcomes) -> Vec<Work> {
    let Some(summary) = summary::last(timeline).filter(|_| !came_to_an_end(timeline)) else {
        return Vec::new();
    };
    let committed = committed_after(timeline, outcomes, &summary.id);
    let entries = plan(timeline).map(|(_, entries)| entries).unwrap_or_default();
    let edited = edited_after(timeline, &summary.id);
    let meant = summary.sections.iter().flat_map(|section| listed(&section.title, &section.text));
    let source = if edited.is_empty() { "summary" } else { "summary_aside" };
    let ran = ran_after(timeline, &summary.id);
    let mut found = Vec::new();
    for Entry { line, told, status } in meant {
        let is_done = paths::paths_in(line)
            .iter()
            .any(|path| has(&edited, &timeline.path(path), path))
            || committed && (waits_for_commit(line) || is_commit(line))
            || only_runs(line).is_some_and(|command| ran.iter().any(|part| is_run(part, command)))
            || entries.iter().any(|entry| is_of(line, entry));
        if !is_done && !is_put_off(line) && !says_nothing(line) {
            let since = if committed && is_blocked_by_commit(line) { COMMITTED } else { "" };
            let work = work(&format!("{told}{since}"), Trust::A, source, &summary.id);
            found.push(Work { status, ..work });
        }
    }
    shorten(&mut found, MOST);
    found
}

/// An entry of a list of what is not done.
#[derive(Debug, PartialEq, Eq)]
struct Entry<'s> {
    line: &'s str,
    /// The same; one that only leads to others has their beginnings behind it.
    told: Cow<'s, str>,
    status: PlanStatus,
}

/// Returns what a section lists as not done, and how far it is.
fn listed<'s>(title: &str, text: &'s str) -> Vec<Entry<'s>> {
    let title = title.to_lowercase();
    let marked = |entry: Entry<'s>| {
        let (mark, status) = MARKS.iter().find(|(mark, _)| entry.line.starts_with(mark))?;
        let line = entry.line[mark.len()..].trim_start_matches([':', ' ']);
        // An arrow behind it only points at where the work is.
        let line = line.split(" <--").next().unwrap_or(line).trim_end();
        (!line.is_empty()).then_some(Entry { line, told: line.into(), status: *status })
    };
    match () {
        () if title.contains(MARKED) => bullets(text).into_iter().filter_map(marked).collect(),
        () if PENDING.iter().any(|word| title.contains(word)) => bullets(text),
        () => Vec::new(),
    }
}

/// How an entry begins that is there to say that it is not to be done now.
const PUT_OFF: &[&str] = &[
    "backlog",
    "deferred",
    "explicitly deferred",
    "explicitly out of scope",
    "not in scope",
    "out of scope",
    "parked",
    "postponed",
];

/// Whether an entry is there to say that it is not to be done now.
fn is_put_off(line: &str) -> bool {
    let low = line.trim_start_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    // "Deferred: the page", and not "deferred rendering".
    let ends = |rest: &str| {
        let rest = rest.trim_start();
        rest.is_empty() || rest.starts_with([':', '*', '(', ')', ',', '-', '—', '–'])
    };
    PUT_OFF.iter().any(|form| low.strip_prefix(form).is_some_and(ends))
}

/// Whether a commit was made after an item.
fn committed_after(timeline: &Timeline<'_>, outcomes: &Outcomes, id: &str) -> bool {
    let from = line_of(timeline, id);
    let last = outcomes.commits.last().and_then(|commit| timeline.done().nth(commit.index));
    last.is_some_and(|done| done.item.line > from)
}

/// An entry of no more words than this beside what it names is nothing but that.
const MOST_BESIDE: usize = 5;

/// Words by which more is to be done than to commit.
const MORE: &[&str] =
    &["and", "deploy", "merge", "open", "pr", "publish", "push", "release", "tag", "then"];
/// How it goes on behind the first word that is no command to do so: "Commit hooks fail".
const OF_COMMITS: &[&str] = &[
    "author",
    "body",
    "count",
    "date",
    "format",
    "guidelines",
    "history",
    "hook",
    "hooks",
    "link",
    "lint",
    "log",
    "logs",
    "message",
    "messages",
    "range",
    "sha",
    "signing",
    "size",
    "splitting",
    "style",
    "template",
    "title",
];
/// Words by which it is to be done in another way, later, or only if somebody lets it, or by which something is said of
/// one that is there.
const HOW: &[&str] = &[
    "after",
    "agrees",
    "approval",
    "approves",
    "are",
    "broken",
    "confirms",
    "if",
    "is",
    "later",
    "missing",
    "must",
    "needs",
    "once",
    "only",
    "separately",
    "twice",
    "until",
    "when",
    "wrong",
];

/// Whether an entry is to commit, and hardly says more: "Commit the split."
fn is_commit(line: &str) -> bool {
    let low = line.to_lowercase();
    let mut words = low.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let is_commit = words.next() == Some("commit");
    // By its number one is named that is there.
    let is_name = |word: &str| OF_COMMITS.contains(&word) || word.contains(char::is_numeric);
    let names = words.clone().next().is_none_or(|word| !is_name(word));
    let is_short = words.clone().count() < MOST_BESIDE;
    is_commit && names && is_short && !words.any(|word| MORE.contains(&word) || HOW.contains(&word))
}

/// How an entry begins that is there to run something.
const RUNS: &[&str] = &["execute ", "re-run ", "rerun ", "run "];
/// Programs of which others see what they do: whether it was done is asked for elsewhere.
const SEEN: &[&str] = &["docker", "gh", "git", "glab", "npm publish"];

/// Words by which it is to be run elsewhere.
const THERE: &[&str] = &[
    "ci",
    "device",
    "linux",
    "mac",
    "macos",
    "prod",
    "production",
    "server",
    "staging",
    "windows",
];

/// Returns the command that an entry is there to run, if it hardly says more: "Re-run `make check` on both."
fn only_runs(line: &str) -> Option<&str> {
    let low = line.to_lowercase();
    RUNS.iter().any(|form| low.starts_with(form)).then_some(())?;
    let mut marked = line.split('`').skip(1).step_by(2);
    let command = marked.next().filter(|_| marked.next().is_none())?;
    let beside = line.split('`').step_by(2).flat_map(str::split_whitespace);
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let beside: Vec<_> = beside.map(bare).filter(|word| !word.is_empty()).collect();
    let is_there = beside.iter().any(|word| THERE.contains(&word.as_str()));
    let is_seen = SEEN.iter().any(|form| command.starts_with(form));
    let is_short = beside.len() <= MOST_BESIDE;
    (command.contains(' ') && is_short && !is_seen && !is_there).then_some(command)
}

/// Whether a part of a command line runs a command, whatever it gives it besides.
fn is_run(part: &str, command: &str) -> bool {
    let given: Vec<&str> = part.split_whitespace().collect();
    let as_if = |word: &&&str| word.starts_with("--dry") || word.starts_with("--no-");
    if given.iter().find(as_if).is_some_and(|word| !command.contains(*word)) {
        return false;
    }
    let mut words = command.split_whitespace();
    words.next() == given.first().copied() && words.all(|word| given.contains(&word))
}

/// Returns the parts of the command lines that worked after an item.
fn ran_after<'t>(timeline: &'t Timeline<'_>, id: &str) -> Vec<&'t str> {
    let from = line_of(timeline, id);
    let later = timeline.done().filter(|done| done.item.line > from && done.worked());
    let later = later.filter(|done| !failed_unseen(done));
    later.flat_map(|done| timeline.parts(&done).iter().map(String::as_str)).collect()
}

/// Whether files have one that an entry names by its path, or by the last folders of it where the first of these has a
/// name of its own: a `src` is in many.
fn has(files: &[String], path: &str, named: &str) -> bool {
    let is_it = |file: &String| {
        let first = named.split_once('/').map_or("", |(first, _)| first);
        let ahead = file.strip_suffix(named).filter(|_| first.contains(['-', '_']));
        file == path || ahead.is_some_and(|ahead| ahead.ends_with('/'))
    };
    files.iter().any(is_it)
}

/// Returns the line of an item.
fn line_of(timeline: &Timeline<'_>, id: &str) -> u64 {
    timeline.items.iter().find(|item| item.id == id).map_or(0, |item| item.line)
}

/// How an entry says that all that is left of it is a commit.
const UNCOMMITTED: &[&str] = &[
    "commit blocked",
    "commit failed",
    "commit pending",
    "not committed",
    "not yet committed",
    "uncommitted",
];

/// What is told of an entry that says so of another one, once a commit was made.
const COMMITTED: &str = " (then; a commit was made since)";

/// Whether an entry says that a commit of something else stands in its way.
fn is_blocked_by_commit(line: &str) -> bool {
    let low = line.to_lowercase();
    let behind = low.split_once("blocked by").map(|(_, behind)| behind);
    let cause = behind.map(|behind| behind.split([')', '*', ':', ';', '.', ',']).next());
    let mut words = cause.flatten().unwrap_or_default().split(|c: char| !c.is_alphanumeric());
    words.any(|word| matches!(word, "commit" | "commits"))
}

/// Words before that by which the rest of it is done.
const DONE: &[&str] = &["complete", "completed", "done", "finished", "implemented", "written"];

/// Whether a commit is all that an entry waits for: it begins or ends with that, and names nothing else that
/// is to be done, or what it is headed with ends so and says that the rest is done.
fn waits_for_commit(line: &str) -> bool {
    let low = line.to_lowercase();
    let bare = |text: &str| text.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let (all, head) = (bare(&low), bare(low.split(':').next().unwrap_or_default()));
    let is_done = || head.split(|c: char| !c.is_alphanumeric()).any(|word| DONE.contains(&word));
    let is_only = |form: &&str| {
        let is_at_end = all.starts_with(*form) || all.ends_with(*form);
        is_at_end && !words::names_act(&all, "commit") || head.ends_with(*form) && is_done()
    };
    UNCOMMITTED.iter().any(is_only)
}

/// How many words stand before a task at most that a line is about: "Then proceed to task 4".
const LEADING: usize = 3;

/// Returns the number of the task that a line is about, and what it says of it.
fn task(line: &str) -> Option<(&str, &str)> {
    let mut words = line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let is_task = |word: &str| word.eq_ignore_ascii_case("task");
    words.by_ref().take(LEADING + 1).find(|word| is_task(word))?;
    let number = words.next()?;
    let rest = line.split_once(number).map_or(line, |(_, rest)| rest);
    number.starts_with(|c: char| c.is_ascii_digit()).then_some((number, rest))
}

/// Whether a line speaks of an entry of the list of work that is done: by all of its words, but for what explains them, or
/// as "Task 3" and by most of them. What only shares words with it can be something else that is to be done. Of one that is
/// open less will do: it stands there as open.
fn is_of(line: &str, entry: &PlanItem) -> bool {
    let is_its = |number: &str| entry.id.as_deref() == Some(number);
    let about = task(line);
    if entry.status.is_open() {
        let its = about.filter(|(number, _)| is_its(number));
        return its.is_some_and(|(_, said)| shares(unbracketed(said), &entry.text));
    }
    let begins = |(number, _): &(&str, &str)| {
        line.split_once(number).is_some_and(|(before, _)| before.split_whitespace().count() == 1)
    };
    let about = about.filter(begins);
    let said = about.map_or(line, |(_, said)| said);
    let head = said.trim_start_matches(|c: char| !c.is_alphanumeric());
    let head = head.split([':', '(', '—']).next().unwrap_or(head);
    about.is_some_and(|(number, _)| is_its(number)) && same(said, &entry.text)
        || telling(head) == telling(&entry.text)
}

/// Returns words without what stands in brackets at their begin: how far a task is.
fn unbracketed(words: &str) -> &str {
    let inner = words.trim_start().strip_prefix('(');
    inner.and_then(|inner| inner.split_once(')')).map_or(words, |(_, rest)| rest)
}

/// Whether most words of the shorter of two texts stand in the other.
fn shares(one: &str, other: &str) -> bool {
    let (one, other) = (telling(one), telling(other));
    one.intersection(&other).count() * 2 > one.len().min(other.len())
}

/// Whether a human asked for something, or the agent said its last words, after the last compaction.
fn came_to_an_end(timeline: &Timeline<'_>) -> bool {
    let is_boundary = |item: &&Item<'_>| matches!(item.body, Body::Compaction(_));
    let from = timeline.items.iter().rposition(is_boundary).map_or(0, |at| at + 1);
    let mut has_said = false;
    let mut asks = |item: &Item<'_>| match &item.body {
        Body::Message(message) if message.origin == Origin::Human => {
            let words = message.words();
            !topic::is_nod(&words) || has_said && is_other_command(&words)
        }
        Body::Message(message) => {
            has_said = message.is_by_model();
            false
        }
        _ => {
            has_said &= !timeline.is_deed(item);
            false
        }
    };
    let later = &timeline.items[from..];
    // Who says what comes next has not come to an end.
    let is_later = |(id, words): (String, String)| {
        words::announced(&words).is_none() && later.iter().any(|item| item.id == id)
    };
    later.iter().any(|item| asks(item)) || last_words(timeline).is_some_and(is_later)
}

/// Whether a request is a command of the harness, however few words that has: what follows the last words of the
/// agent is a task of its own. One that is called so says to go on.
fn is_other_command(request: &str) -> bool {
    is_command(request) && !only_goes_on(request)
}

/// Returns the files that were changed after an item.
fn edited_after(timeline: &Timeline<'_>, id: &str) -> Vec<String> {
    let from = line_of(timeline, id);
    let later = timeline.done().filter(|done| done.item.line > from && !done.failed());
    let paths = later.filter_map(|done| match done.call.action.as_deref() {
        Some(Action::Edit { changes }) => {
            Some(changes.iter().map(|change| timeline.path(&change.path)))
        }
        _ => None,
    });
    paths.flatten().collect()
}

/// How many characters are told of an entry to which another one leads.
const BELOW_CHARS: usize = 60;

/// Returns the entries of a list, of its outermost level, each that only leads to others with those.
/// Of a text without
/// what stood before it the first line tells nothing of how far that is moved in.
fn bullets(text: &str) -> Vec<Entry<'_>> {
    let depth = |line: &str| line.len() - line.trim_start().len();
    let is_entry = |line: &&str| entry(line).is_some();
    let others = text.split_once('\n').map_or("", |(_, others)| others);
    let outermost = text::unfenced(others).filter(is_entry).map(depth).min().unwrap_or(0);
    let rows: Vec<&str> = text::unfenced(text).collect();
    let of_row = |at: usize| {
        let line = entry(rows[at]).filter(|_| depth(rows[at]) <= outermost)?;
        let leads = line.trim_end_matches(['*', '_']).ends_with([':', '：']);
        let below = rows[at + 1..].iter().take_while(|row| leads && depth(row) > outermost);
        let below: Vec<_> =
            below.filter_map(|row| Some(text::line(entry(row)?, BELOW_CHARS))).collect();
        let told = match below.as_slice() {
            [] => line.into(),
            _ => format!("{line} {}", below.join("; ")).into(),
        };
        Some(Entry { line, told, status: PlanStatus::Pending })
    };
    (0..rows.len()).filter_map(of_row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn done(id: &str, text: &str) -> PlanItem {
        PlanItem { id: Some(id.to_owned()), ..PlanItem::new(text, PlanStatus::Completed) }
    }

    #[test]
    fn entries_are_those_of_the_outermost_level() {
        let lines = |text| bullets(text).into_iter().map(|entry| entry.line).collect::<Vec<_>>();
        assert_eq!(lines("intro\n - a\n   - under a\n - b"), ["a", "b"]);
        assert_eq!(lines("1. one\n2) two\n- [x] done"), ["one", "two"]);
        assert_eq!(lines("- a\n   - b\n     - under b"), ["a", "b"]);
        assert_eq!(lines("- a"), ["a"]);
    }

    #[test]
    fn an_entry_that_only_leads_to_others_has_them() {
        let told = |text| bullets(text).into_iter().map(|entry| entry.told).collect::<Vec<_>>();
        let text =
            "- **Mend the warnings:**\n  - one, by hand\n  - two\n- Write a.rs\n  - with tests";
        assert_eq!(told(text), ["**Mend the warnings:** one, by hand; two", "Write a.rs"]);
    }

    #[test]
    fn what_is_nothing_but_a_command_or_a_commit_is_known() {
        assert_eq!(
            only_runs("Re-run `spec check --strict` on both changes."),
            Some("spec check --strict")
        );
        assert_eq!(
            only_runs("Add a test of the sums that were wrong, then run `cargo test -q`"),
            None
        );
        assert_eq!(only_runs("Run `make` again"), None);
        assert!(is_run("spec check sums --strict", "spec check --strict"));
        assert!(!is_run("spec list --strict", "spec check --strict"));
        assert!(
            is_commit("Commit the split.")
                && !is_commit("Commit hooks must run in all the clones too")
        );
        for other in ["Commit and push", "Commit, open the PR"] {
            assert!(!is_commit(other), "{other}");
        }
        for other in [
            "Document `spec check --all`",
            "Do not run `spec check --all`",
            "Run `git push -u` then",
        ] {
            assert_eq!(only_runs(other), None, "{other}");
        }
        assert!(!is_run("spec check --dry-run --strict", "spec check --strict"));
        let has = |named: &str| has(&["specs/day-sums/tasks.md".to_owned()], named, named);
        assert!(has("day-sums/tasks.md") && has("specs/day-sums/tasks.md"));
        assert!(!has("tasks.md") && !has("sums/tasks.md"));
    }

    #[test]
    fn steps_with_a_mark_are_open_by_that() {
        let steps =
            "1. [DONE] parse\n2. [IN PROGRESS] totals\n3. [TODO] the page of totals\n4. ship";
        let told =
            [("totals", PlanStatus::InProgress), ("the page of totals", PlanStatus::Pending)];
        let told = told.map(|(line, status)| Entry { line, told: line.into(), status });
        assert_eq!(listed("task_state", steps), told);
        assert_eq!(listed("recent_actions", steps), []);
    }

    #[test]
    fn a_line_is_of_an_entry_by_its_words() {
        let is = |line: &str, id: &str, text: &str| is_of(line, &done(id, text));
        assert!(is("Task 3: move the invoices to whole cents", "3", "Move invoices to cents"));
        assert!(is("Add tests for the parser (see the plan)", "1", "Add tests for the parser"));
        assert!(!is("Task 3: move the invoices to cents", "3", "Set up the branch"));
        assert!(!is("Add tests for the writer", "1", "Add tests for the parser"));
        assert!(!is("Add tests for the parser and the writer", "1", "Add tests for the parser"));
    }

    #[test]
    fn what_is_put_off_is_not_to_be_done() {
        for line in ["**Deferred**: the page of totals", "Out of scope (track A): the writer"] {
            assert!(is_put_off(line), "{line}");
        }
        for line in [
            "Write the page of deferred totals",
            "Parkedness of rows: add a test",
            "Backlog page: show the rows",
        ] {
            assert!(!is_put_off(line), "{line}");
        }
    }

    #[test]
    fn only_what_is_nothing_but_a_commit_waits_for_one() {
        for line in [
            "The readers of amounts: written, not yet committed.",
            "Uncommitted changes in src/a.rs",
            "Commit pending: the signing key is locked",
            "**Task 3 (implementation complete, commit blocked)**: the gate of the docs, and its page",
        ] {
            assert!(waits_for_commit(line), "{line}");
        }
        for line in [
            "Finish the handlers of refunds: two of five are moved, all uncommitted",
            "Rework the totals so that negative amounts are not committed to the ledger",
            "Uncommitted changes in src/a.rs; then add a page of totals",
            "**Task 4 (waits for task 3, commit blocked)**: the page of totals",
        ] {
            assert!(!waits_for_commit(line), "{line}");
        }
    }
}
