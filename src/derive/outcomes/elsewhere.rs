//! What all checks elsewhere say of the state that was pushed: a failure on this machine before that is
//! one of this machine.

use std::collections::BTreeMap;

use super::checks::Edit;
use super::commits::Commit;
use super::environment;
use super::filters::cuts_nothing;
use super::git::{Git, is_push, pushes as pushes_in, told_folder};
use crate::derive::files::is_outside;
use crate::derive::pattern::Pattern;
use crate::derive::timeline::{Done, Timeline};
use crate::derive::{place, shell};

/// How a row of a listing says how a check elsewhere stands, between tabs.
const STANDS: &[&str] = &["cancel", "fail", "neutral", "pass", "pending", "skipping"];
/// Options with which a push sends nothing that others could run.
const NO_CHANGE: &[&str] = &["--delete", "--dry-run", "-d", "-n"];
/// Commands that ask others to take what was pushed.
const OPENING: &[&str] = &["gh pr create", "glab mr create"];
/// How a run says by its last row that all of it passed.
pub(in crate::derive) const COMPLETED: &str = "completed with 'success'";
/// Options by which a listing is of another repository.
const OF_OTHER: &[&str] = &["--repo", "-R"];
/// Options by which not all checks need be listed.
const OF_SOME: &[&str] = &["--jq", "-q", "--required", "--template", "-t"];

/// That all checks elsewhere passed on every change of the project.
pub(super) struct Green {
    /// The number of the call that pushed the changes.
    pub pushed: usize,
    /// The number of the call that listed the checks.
    pub listing: usize,
}

/// Finds the last call that listed all checks elsewhere, where these passed on what was pushed.
pub(super) fn pushed_and_passed(
    timeline: &Timeline<'_>,
    edits: &[Edit],
    commits: &[Commit],
) -> Option<Green> {
    let listing = timeline.done().rev().find(|done| lists_all(timeline, done))?;
    let mut before = timeline.done().rev().filter(|done| done.index < listing.index);
    let pushed = before.find(|done| pushes_branch(timeline, done))?.index;
    let committed = commits.iter().rev().find(|commit| commit.index <= pushed)?.index;
    let is_new = |edit: &Edit| {
        !is_outside(&edit.path) && (committed + 1..listing.index).contains(&edit.index)
    };
    let is_green = !edits.iter().any(is_new) && is_green(&listing.output());
    is_green.then_some(Green { pushed, listing: listing.index })
}

/// Whether something was committed after the call `index`, and pushed with that or later, in the folder in which
/// the call ran.
pub(super) fn was_pushed_after(timeline: &Timeline<'_>, commits: &[Commit], index: usize) -> bool {
    let folder = timeline.done().nth(index).and_then(|done| folder(&done));
    let opens = |part: &String| OPENING.iter().any(|form| part.starts_with(form));
    let goes_out = |done: &Done<'_>| {
        let is_out = pushes_branch(timeline, done)
            || done.worked() && timeline.parts(done).iter().any(opens);
        is_out && self::folder(done) == folder
    };
    let commit = commits.iter().find(|commit| commit.index > index && commit.elsewhere == folder);
    commit.is_some_and(|commit| timeline.done().skip(commit.index).any(|done| goes_out(&done)))
}

/// Returns the folder outside of the session's in which a call runs.
fn folder(done: &Done<'_>) -> Option<String> {
    done.command().and_then(|line| place::elsewhere(line, done.cwd))
}

/// What is printed where nothing, or not all, was pushed.
const NOT_PUSHED: &[&str] = &["Everything up-to-date", "failed to push", "fatal: "];
/// How a row begins that git prints only where a push was refused. A pipe may leave no other of them.
const REFUSED: &[&str] = &[
    "! [rejected]",
    "! [remote rejected]",
    "error: failed to push some refs to ",
    "hint: Updates were rejected because ",
    "hint: See the 'Note about fast-forwards' in 'git push --help'",
];

/// Whether a command of a hoster's program names the repository that it is about.
pub(in crate::derive) fn is_of_other(part: &str) -> bool {
    has(part, OF_OTHER)
}

/// Whether a push only takes something away, or does it as if.
pub(in crate::derive) fn sends_nothing(push: &str) -> bool {
    has(push, NO_CHANGE)
}

/// Whether a push sends tags and no branch.
pub(in crate::derive) fn sends_only_tags(push: &str) -> bool {
    let words = Git::of(push).map(|git| git.words).unwrap_or_default();
    words.contains(&"--tags") && words.len() < 3 || only_tags(push)
}

/// Whether a call pushed something, be it only a tag.
pub(in crate::derive) fn pushes_anything(timeline: &Timeline<'_>, done: &Done<'_>) -> bool {
    let pushes = |part: &String| is_push(part) && !sends_nothing(part);
    let done = done.at_end();
    timeline.parts(&done).iter().any(pushes) && done.worked() && !is_held_back(&done.output())
}

/// Returns the first row by which git says that it refused the push of a call, also where a pipe or another command
/// hides its exit code. Of several pushes one of another branch may have gone out, and what was tried again may have
/// gone out then.
pub(in crate::derive) fn refusal(done: &Done<'_>) -> Option<String> {
    let line = done.command().filter(|line| pushes_in(line))?;
    let output = done.output();
    let rows: Vec<&str> = output.lines().collect();
    let refused = refused(&rows);
    let (first, last) = (rows[*refused.first()?], *refused.last()?);
    let pushes = shell::joined(line).iter().filter(|(part, _)| is_push(part)).count();
    let is_out = tells_of_push(&rows[last + 1..].join("\n"));
    (pushes == 1 && !is_out).then(|| first.trim().to_owned())
}

/// Returns where the rows stand that say so, and not of what was fetched.
fn refused(rows: &[&str]) -> Vec<usize> {
    let mut is_fetched = false;
    let says = |at: &usize| {
        let row = rows[*at];
        is_fetched = row.starts_with("From ") || is_fetched && !row.starts_with("To ");
        // Only a push is told to fetch first.
        let is_of_fetch = is_fetched && row.contains("! [") && !row.contains("(fetch first)");
        is_refused(row) && !is_of_fetch
    };
    (0..rows.len()).filter(says).collect()
}

fn is_refused(row: &str) -> bool {
    // What is further in is shown by something else, such as a page on git.
    let row = row.strip_prefix(' ').unwrap_or(row);
    REFUSED.iter().any(|start| row.starts_with(start))
}

/// Whether an output shows that a push of its line has come to its end.
pub(in crate::derive) fn tells_of_push(output: &str) -> bool {
    output.lines().any(|row| row == "Everything up-to-date")
        || WENT_OUT.is_match(&environment::pushed(output))
}

/// How git says of a ref that it went out.
static WENT_OUT: Pattern = Pattern::new(
    r"(?m)^ [*+ ] (?:\[new [^\]]+\]|[0-9a-f]{4,40}\.{2,3}[0-9a-f]{4,40}) +\S+ +-> +(\S+)(?: \(.*\))?$",
);

/// Returns what a push that was rejected for one branch or tag did push.
pub(in crate::derive) fn went_out_all_the_same(done: &Done<'_>) -> Vec<String> {
    let pushes = |line: &str| pushes_in(line) && !environment::only_tries_to_push(line);
    if !done.command().is_some_and(pushes) {
        return Vec::new();
    }
    let output = environment::pushed(&done.output());
    if !output.lines().any(|row| row.starts_with(" ! [")) {
        return Vec::new();
    }
    let rows = WENT_OUT.all_groups(&output);
    // Another server may have taken what this one did not.
    let is_rejected = |name: &String| {
        let end = format!(" -> {name} (");
        output.lines().any(|row| row.starts_with(" ! [") && row.contains(&end))
    };
    let names = rows.filter_map(|row| Some(row.at(1)?.to_owned()));
    let mut names: Vec<_> = names.filter(|name| !is_rejected(name)).collect();
    names.dedup();
    names
}

fn is_held_back(output: &str) -> bool {
    NOT_PUSHED.iter().any(|form| output.contains(form)) || output.lines().any(is_refused)
}

/// Whether a call pushed something that is more than a tag.
fn pushes_branch(timeline: &Timeline<'_>, done: &Done<'_>) -> bool {
    let pushes = |part: &String| is_push(part) && !sends_nothing(part) && !sends_only_tags(part);
    if !done.worked() || !timeline.parts(done).iter().any(pushes) {
        return false;
    }
    let output = done.output();
    let mut refs = output.lines().filter(|row| row.contains(" -> ")).peekable();
    let is_tag = refs.peek().is_some() && refs.all(|row| row.contains("[new tag]"));
    !is_tag && !is_held_back(&output)
}

/// Whether a call pushed a branch of the repository in the session's folder.
pub(in crate::derive) fn pushes_own(timeline: &Timeline<'_>, done: &Done<'_>) -> bool {
    let home = place::one_form(done.cwd);
    let is_home =
        |part: &String| told_folder(part).is_none_or(|to| to == "." || place::one_form(to) == home);
    pushes_branch(timeline, done)
        && !runs_elsewhere(done)
        && timeline.parts(done).iter().filter(|part| is_push(part)).all(is_home)
}

/// Whether a call runs in a folder outside of the session's.
pub(in crate::derive) fn runs_elsewhere(done: &Done<'_>) -> bool {
    folder(done).is_some() || done.folder().is_some_and(|folder| folder.starts_with(".."))
}

/// Whether all that a push names behind the remote are tags.
fn only_tags(part: &str) -> bool {
    let words = Git::of(part).map(|git| git.words).unwrap_or_default();
    let refs: Vec<&str> = words.into_iter().filter(|word| !word.starts_with('-')).skip(1).collect();
    let is_version = |name: &str| {
        let bare = name.strip_prefix('v').unwrap_or(name);
        bare.starts_with(|c: char| c.is_ascii_digit()) && bare.contains('.')
    };
    let is_tag = |name: &&str| name.starts_with("refs/tags/") || is_version(name);
    !refs.is_empty() && (refs[0] == "tag" || refs.iter().all(is_tag))
}

/// Whether a call lists all checks of a pull request: another program would show only some of them.
fn lists_all(timeline: &Timeline<'_>, done: &Done<'_>) -> bool {
    let lists = |part: &String| {
        part.starts_with("gh pr checks") && !has(part, OF_SOME) && is_of_ours(timeline, part)
    };
    let is_whole = |line: &str| {
        let (all, raw) = (shell::joined(line), shell::raw(line));
        let rows = done.output().lines().filter(|row| stands(row).is_some()).count();
        let ends = |at: usize| match all[at].1.as_str() {
            "|" => raw.get(at + 1).is_some_and(|next| cuts_nothing(next, rows)),
            // What goes into a file is shown by another command, as much of it as that shows.
            joint => !joint.starts_with("|&") && !goes_to_file(&raw[at].0),
        };
        (0..all.len()).any(|at| lists(&all[at].0) && ends(at))
    };
    done.result.is_some()
        && timeline.parts(done).iter().any(lists)
        && done.command().is_some_and(is_whole)
}

fn goes_to_file(part: &str) -> bool {
    part.split_whitespace().any(|word| {
        word.trim_start_matches('1').strip_prefix('>').is_some_and(|to| !to.starts_with('&'))
    })
}

/// Whether a call lists all checks of a pull request, and all of them passed.
pub(in crate::derive) fn saw_all_pass(timeline: &Timeline<'_>, done: &Done<'_>) -> bool {
    done.worked() && lists_all(timeline, done) && is_green(&done.output())
}

/// The same of one of which this is known to be the output.
pub(in crate::derive) fn has_all_pass(
    timeline: &Timeline<'_>,
    done: &Done<'_>,
    output: &str,
) -> bool {
    lists_all(timeline, done) && is_green(output)
}

/// Whether a command of a hoster's program is about the repository of the session, as far as it names one.
pub(in crate::derive) fn is_of_ours(timeline: &Timeline<'_>, part: &str) -> bool {
    !is_of_other(part) || is_of_own(timeline, part)
}

/// Whether a command names the repository to which the session pushed, or in which it opened a page.
fn is_of_own(timeline: &Timeline<'_>, part: &str) -> bool {
    let Some(name) = repository_of(part).filter(|name| name.contains('/')) else { return false };
    // `To https://a.example/ada/tool.git`, `To a.example:ada/tool.git`
    let ends = [format!("/{name}"), format!(":{name}")];
    let is_it = |row: &str| {
        let remote = row.strip_prefix("To ").map(|row| row.trim_end().trim_end_matches(".git"));
        remote.is_some_and(|remote| ends.iter().any(|end| remote.ends_with(end)))
    };
    let pages = ["pull", "merge_requests"].map(|kind| format!("/{name}/{kind}/"));
    let opens = |part: &String| OPENING.iter().any(|form| part.starts_with(form));
    timeline.done().any(|done| {
        let has_pushed = || done.command().is_some_and(pushes_in);
        let has_opened = || timeline.parts(&done).iter().any(opens);
        has_pushed() && done.output().lines().any(is_it)
            || has_opened() && pages.iter().any(|page| done.output().contains(page))
    })
}

/// Returns the repository that a command of a hoster's program names.
pub(in crate::derive) fn repository_of(part: &str) -> Option<&str> {
    let mut words = part.split_whitespace();
    let option = words.find(|word| OF_OTHER.iter().any(|option| word.starts_with(option)))?;
    option.split_once('=').map(|(_, name)| name).or_else(|| words.next())
}

fn has(part: &str, options: &[&str]) -> bool {
    part.split_whitespace().any(|word| options.iter().any(|option| word.starts_with(option)))
}

/// Says how the check of a row stands.
fn stands(row: &str) -> Option<&'static str> {
    let stand = row.split('\t').nth(1)?;
    STANDS.iter().find(|known| **known == stand).copied()
}

/// Whether a listing has checks that passed, and none that did not or has not ended; of one that is listed again, as
/// where somebody waits, the newest row counts.
pub(super) fn is_green(listing: &str) -> bool {
    let mut newest: BTreeMap<(&str, Option<&str>), &str> = BTreeMap::new();
    for row in listing.lines() {
        if let Some(stand) = stands(row) {
            let mut columns = row.split('\t');
            newest.insert((columns.next().unwrap_or_default(), columns.nth(2)), stand);
        }
    }
    let buckets: Vec<String> = listing.lines().flat_map(buckets).collect();
    let all: Vec<&str> = newest.into_values().chain(buckets.iter().map(String::as_str)).collect();
    all.contains(&"pass")
        && all.iter().all(|stand| matches!(*stand, "pass" | "neutral" | "skipping"))
}

/// Returns how the checks of a list in JSON stand; of one that does not tell it by these words nobody knows.
fn buckets(row: &str) -> Vec<String> {
    let list = row.trim();
    if !(list.starts_with("[{") && list.contains("\"bucket\"")) {
        return Vec::new();
    }
    let Ok(checks) = serde_json::from_str::<Vec<serde_json::Value>>(list) else {
        return vec!["cut".to_owned()];
    };
    let bucket = |check: &serde_json::Value| check["bucket"].as_str().unwrap_or("none").to_owned();
    checks.iter().map(bucket).collect()
}

#[cfg(test)]
mod tests {
    use super::{is_green, only_tags};

    #[test]
    fn a_push_of_tags_is_none_of_the_branch() {
        for part in
            ["git push origin v1.0", "git push -q origin refs/tags/x", "git push origin tag x"]
        {
            assert!(only_tags(part), "{part}");
        }
        for part in
            ["git push", "git push origin", "git push -u origin it", "git push origin it v1.0"]
        {
            assert!(!only_tags(part), "{part}");
        }
    }

    #[test]
    fn a_listing_is_green_where_all_of_it_passed() {
        assert!(is_green("=== after 60s ===\nunit\tpass\t47s\thttps://a\t\ndocs\tskipping\t0\t\n"));
        for other in ["fail", "pending", "cancel"] {
            assert!(!is_green(&format!(
                "unit\tpass\t47s\thttps://a\ndocs\t{other}\t0\thttps://b\n"
            )));
        }
        let json = |last: &str| {
            format!("CHECKS\n[{{\"bucket\":\"pass\",\"name\":\"unit\"}},{{{last}}}]\nEND\n")
        };
        assert!(is_green(&json("\"bucket\":\"skipping\",\"name\":\"docs\"")));
        for other in
            ["\"bucket\":\"pending\"", "\"bucket\":\"fail\"", "\"name\":\"docs\"", "\"buck"]
        {
            assert!(!is_green(&json(other)), "{other}");
        }
        assert!(is_green("unit\tpending\t0\thttps://a\nunit\tpass\t9s\thttps://a\n"));
        assert!(!is_green("unit\tfail\t0\thttps://a\nunit\tpass\t9s\thttps://b\n"));
        assert!(!is_green("no checks reported\n") && !is_green("unit\tskipping\t0\n"));
    }
}
