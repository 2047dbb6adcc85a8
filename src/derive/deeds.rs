//! What was done last.

use std::borrow::Cow;

use super::checking::is_check;
use super::files::{FileFact, is_temporary, takes_away};
use super::open_work::{Work, still_runs};
use super::stopped::{stopped, was_stopped};
use super::tidied::{is_after, seen_since, tidied_since};
use super::timeline::{Done, Timeline};
use super::variables::behind_settings;
use super::written::changed;
use super::{outcomes, shell, steps, turns};
use crate::model::Action;

/// Programs that do something only by some of their subcommands, and show something by all others.
const BY_SUBCOMMAND: &[&str] = &[
    "apt",
    "apt-get",
    "aws",
    "az",
    "brew",
    "docker",
    "gcloud",
    "gh",
    "git",
    "glab",
    "helm",
    "kubectl",
    "podman",
    "terraform",
];
/// How the verbs of clouds begin that change something there.
const CHANGING: &[&str] =
    &["cp", "create", "delete", "mb", "mv", "put", "rb", "rm", "sync", "update"];
/// Programs that fetch or compute something and show it.
const SHOWING: &[&str] = &["curl", "cksum", "env", "md5sum", "sha1sum", "sha256sum", "shasum"];

/// Verbs by which a program only shows something, whichever program it is.
const ASKING: &[&str] = &[
    "describe", "diff", "help", "info", "inspect", "list", "log", "logs", "ls", "outdated",
    "parse", "search", "show", "status", "version", "versions", "view", "whoami", "why",
];
/// Words behind a wrapper's name after which another program is named.
const HANDING_ON: &[&str] = &["proxy", "exec"];

/// Says what was done last: the last thing that changed or checked something, before what only puts
/// in order; how many files the session changed is told with it. Of an earlier turn than the current
/// request it is told which.
///
/// What others see of what was done between the agent's words, the item `said`, and that is told before it: the words
/// may have announced just that. Of what still ran, by the open work, that is told. Where nothing else was done since the agent's words,
/// it is what put in order or ran in a box since: that is mostly what they announce.
pub(super) fn last_done(
    timeline: &Timeline<'_>,
    files: &[FileFact],
    open: &[Work],
    said: Option<&str>,
) -> Option<String> {
    let last = last(timeline);
    let is_old = |done: &Done<'_>| said.is_some_and(|said| !is_after(timeline, done, said));
    let since = said.filter(|_| last.as_ref().is_none_or(is_old));
    let last = since.and_then(|said| tidied_since(timeline, said)).or(last)?;
    let is_old =
        timeline.requests().next_back().is_some_and(|(item, _)| last.item.turn < item.turn);
    let of_turn = if is_old { format!(" ({})", turns::id(last.item.turn)) } else { String::new() };
    let told = |done: &Done<'_>| {
        let runs = |work: &Work| still_runs(work) && work.evidence[..] == [&*done.item.id];
        let still = if open.iter().any(runs) { ", which still ran at the end" } else { "" };
        steps::brief(timeline, done) + still
    };
    let seen = said.map(|said| seen_since(timeline, said, &last)).unwrap_or_default();
    let all: Vec<_> = seen.iter().chain([&last]).map(told).collect();
    let line = all.join(", then ") + &of_turn;
    match files.iter().filter(|file| file.is_changed() && !file.is_passed).count() {
        0 => Some(line),
        1 => Some(format!("{line}; 1 file changed in the session")),
        more => Some(format!("{line}; {more} files changed in the session")),
    }
}

/// Whether that was done after the item that is called `id`.
pub(super) fn acted_after(timeline: &Timeline<'_>, id: &str) -> bool {
    last(timeline).is_some_and(|done| is_after(timeline, &done, id))
        || tidied_since(timeline, id).is_some()
}

/// Whether a call is the last that did something; what was done while that ran on, before its end was told, is none
/// that came after it.
pub(super) fn is_last(timeline: &Timeline<'_>, done: &Done<'_>) -> bool {
    let over = done.end.map_or(0, |end| end.over);
    last(timeline).is_some_and(|last| last.index == done.index || last.index < over)
}

fn last<'s>(timeline: &Timeline<'s>) -> Option<Done<'s>> {
    let was_done = |done: &Done<'_>| done.result.is_some() && !done.was_held_back();
    let deeds = || timeline.done().rev().filter(|done| was_done(done) && acts(timeline, done));
    deeds().find(|done| !only_tidies(timeline, done)).or_else(|| deeds().next())
}

fn acts(timeline: &Timeline<'_>, done: &Done<'_>) -> bool {
    let acts = match done.call.action.as_deref() {
        Some(Action::Edit { .. }) => done.worked(),
        Some(Action::Shell { command, .. }) => {
            kept_parts(timeline, done, command).iter().any(|part| does_something(part))
                || runs_what_it_fetches(command)
        }
        None => done.worked() && makes(&done.call.name),
        _ => false,
    };
    acts || stopped(timeline, done).is_some()
        || !changed(timeline, done).is_empty()
        || takes_away(timeline, done)
}

/// Tools that change something on the server of the repository, besides those that make a page there, by the ends of
/// their names.
const CHANGING_TOOLS: &[&str] = &[
    "add_issue_comment",
    "close_issue",
    "close_pull_request",
    "create_or_update_file",
    "merge_pull_request",
    "push_files",
    "update_issue",
    "update_pull_request",
];

/// Whether a tool changes something on the server of the repository, by its name.
fn makes(name: &str) -> bool {
    outcomes::is_making_tool(name) || CHANGING_TOOLS.iter().any(|end| name.ends_with(end))
}

/// Returns the commands of a line, without those between which changes were put aside and brought back: what they do
/// to the files is gone.
fn kept_parts<'t>(timeline: &'t Timeline<'_>, done: &Done<'_>, line: &str) -> Cow<'t, [String]> {
    let parts = timeline.parts(done);
    if !line.contains("git stash") {
        return Cow::Borrowed(parts);
    }
    let all = shell::joined(line);
    match aside(&all) {
        Some((from, to)) => {
            // What others see stays done.
            let is_kept = |(at, part): &(usize, &String)| {
                !part.is_empty() && (!(from..=to).contains(at) || leaves_the_tree(part))
            };
            let parts = all.iter().map(|(part, _)| part).enumerate();
            parts.filter(is_kept).map(|(_, part)| part.clone()).collect()
        }
        None => Cow::Borrowed(parts),
    }
}

/// Whether others see what a command does, however the files stand then.
fn leaves_the_tree(part: &str) -> bool {
    let part = part.trim_start();
    let is_apart = !part.starts_with("git ") || outcomes::pushes(part);
    weight(part) > SEEN || weight(part) == SEEN && is_apart
}

/// Returns from where to where on a line changes are put aside and brought back.
fn aside(parts: &[(String, String)]) -> Option<(usize, usize)> {
    let verb = |(part, _): &(String, String)| {
        let rest = part.trim_start().strip_prefix("git stash")?;
        Some(shell::program(rest).to_owned())
    };
    let puts = |verb: String| matches!(&*verb, "" | "push" | "save") || verb.starts_with('-');
    let brings = |verb: String| matches!(&*verb, "pop" | "apply");
    let from = parts.iter().position(|part| verb(part).is_some_and(puts))?;
    let to = parts.iter().rposition(|part| verb(part).is_some_and(brings))?;
    (from < to).then_some((from, to))
}

/// What puts in order, or makes ready, what is done before and after.
const TIDY: &[&str] =
    &["cd", "chmod", "echo", "export", "mkdir", "printf", "rm", "rmdir", "set", "sleep", "touch"];
const TIDY_GIT: &[&str] = &["add", "checkout", "config", "fetch", "stash", "status", "switch"];

/// The weight of what others see.
const SEEN: u8 = 3;

/// Whether others see what a command does, or it is gone for good.
pub(super) fn is_seen(part: &str) -> bool {
    weight(part) >= SEEN
}

/// How much a command of a line weighs: what others see most, then checks, and least what puts in
/// order.
fn weight(part: &str) -> u8 {
    let is_passing = passes(part);
    let part = &*outcomes::from_verb(part);
    let words: Vec<_> = part.split_whitespace().filter(|word| !word.starts_with('-')).collect();
    match words[..] {
        _ if is_passing => 0,
        _ if outcomes::commits_something(part) => 4,
        _ if outcomes::changes_tree(part) => 3,
        ["git", "branch", ..] if renames(part) => 3,
        ["git", verb, ..] if TIDY_GIT.contains(&verb) => 0,
        [program, ..] if TIDY.contains(&program) => 0,
        [] => 0,
        [program, ref rest @ ..] if decides(program, rest) => 3,
        _ if outcomes::has_verb(part) => 3,
        _ if is_check(part) => 2,
        _ if shell::only_looks(part) || !does_something(part) => 0,
        _ => 1,
    }
}

/// Whether a command of git gives a branch another name, or takes one away.
fn renames(part: &str) -> bool {
    let options = ["-d", "-D", "-m", "-M", "--delete", "--move"];
    part.split_whitespace().any(|word| options.contains(&word))
}

/// Whether a command has git do something where that does not last: it is no work.
fn passes(part: &str) -> bool {
    let passes = |folder: &str| folder.starts_with('$') || is_temporary(folder);
    outcomes::told_folder(part).is_some_and(passes)
}

/// Returns a line from its weightiest command on, the last of several that others see, if that is one that others see
/// or all before it only puts in order.
///
/// Of one that `failed` it is the first: those behind it may not have run.
pub(super) fn from_weightiest(line: &str, failed: bool) -> Cow<'_, str> {
    let parts = shell::raw(line);
    // What stands behind `||` may not have run.
    let joints = std::iter::once("").chain(parts.iter().map(|(_, joint)| joint.as_str()));
    let weigh = |((part, _), before): (&(String, String), &str)| {
        if before == "||" { 0 } else { weight(part) }
    };
    let mut weights: Vec<_> = parts.iter().zip(joints).map(weigh).collect();
    if let Some((from, to)) = aside(&parts) {
        let within = (from..=to).filter(|at| !leaves_the_tree(&parts[*at].0));
        within.for_each(|at| weights[at] = 0);
    }
    let most = weights.iter().copied().max().unwrap_or(0);
    // Of several that others see a later one can take back what an earlier one did.
    let is_most = |weight: &u8| *weight == most;
    let at = if most < SEEN || failed {
        weights.iter().position(is_most)
    } else {
        weights.iter().rposition(is_most)
    };
    let at = at.unwrap_or(0);
    if at == 0 || most < 3 && weights[..at].iter().any(|weight| *weight > 0) {
        return behind_settings(line);
    }
    Cow::Owned(format!("…; {}", shell::put_together(&parts[at..])))
}

/// Whether a call runs only what puts in order, or what was stopped later, or stops that.
fn only_tidies(timeline: &Timeline<'_>, done: &Done<'_>) -> bool {
    if was_stopped(timeline, done) || stopped(timeline, done).is_some() {
        return true;
    }
    let is_shell = matches!(done.call.action.as_deref(), Some(Action::Shell { .. }));
    let is_tidy = |part: &String| weight(part) == 0 || !does_something(part);
    let changes = || !changed(timeline, done).is_empty() || takes_away(timeline, done);
    is_shell && timeline.parts(done).iter().all(is_tidy) && !changes()
}

/// Whether a command does more than to show something.
pub(super) fn does_something(part: &str) -> bool {
    if passes(part) {
        return false;
    }
    let part = &*outcomes::from_verb(part);
    let mut words = part.split_whitespace();
    let program = words.next().unwrap_or_default();
    let options: Vec<_> = words.collect();
    let asks = |word: &&str| matches!(*word, "--help" | "--version");
    if options.iter().any(asks) {
        return false;
    }
    match (program, &options[..]) {
        (_, ["stash", "list" | "show", ..]) => false,
        ("git", ["tag", rest @ ..]) => tags(rest),
        ("git", _) => outcomes::has_verb(part) || outcomes::changes_tree(part),
        (_, [word, rest @ ..]) if HANDING_ON.contains(word) && !rest.is_empty() => {
            let handed = rest.join(" ");
            !shell::only_looks(&handed) && does_something(&handed)
        }
        (_, rest) if decides(program, rest) => true,
        (_, ["api", "graphql", ..]) => part.contains("mutation"),
        _ if SHOWING.contains(&program) => outcomes::sends(&options),
        _ if BY_SUBCOMMAND.contains(&program) => {
            let begins =
                |word: &&str| CHANGING.contains(&word.split('-').next().unwrap_or_default());
            let sends = || options.first() == Some(&"api") && outcomes::sends_fields(&options);
            // `gh release view` has the word of a deed, too.
            let acts = || outcomes::has_verb(part) && !only_asks(&options);
            options.iter().take(3).any(begins) || acts() || is_check(part) || sends()
        }
        ("[[" | "print", _) | (_, ["=" | "+=", ..]) => false,
        _ => outcomes::has_verb(part) || is_check(part) || !only_asks(&options),
    }
}

/// What a program of a hoster decides on.
const DECIDED: &[&str] = &["issue", "mr", "pr", "release", "repo", "run"];
/// How it is told to.
const DECIDING: &[&str] = &[
    "approve", "archive", "cancel", "close", "comment", "delete", "edit", "lock", "merge", "ready",
    "reopen", "rerun", "review", "transfer", "unlock", "upload",
];
/// Words by which what runs in a cluster is changed.
const STEERING: &[&str] =
    &["annotate", "cordon", "drain", "label", "patch", "scale", "taint", "uncordon"];
/// And those behind the word that steers how it is rolled out.
const ROLLING: &[&str] = &["pause", "restart", "resume", "undo"];
/// How many words before one of these say where.
const MOST_WHERE: usize = 4;

/// Whether a program decides on a page of a hoster, or steers what runs in a cluster.
fn decides(program: &str, options: &[&str]) -> bool {
    match (program, options) {
        ("gh" | "glab", [noun, verb, ..]) => DECIDED.contains(noun) && DECIDING.contains(verb),
        ("kubectl" | "oc", _) => {
            let first = &options[..options.len().min(MOST_WHERE)];
            let rolls = |pair: &[&str]| pair[0].starts_with("roll") && ROLLING.contains(&pair[1]);
            first.iter().any(|word| STEERING.contains(word)) || first.windows(2).any(rolls)
        }
        _ => false,
    }
}

/// Whether the first words behind a program say that it only shows something.
fn only_asks(options: &[&str]) -> bool {
    let verbs = options.iter().filter(|word| !word.starts_with('-'));
    verbs.take(2).any(|word| ASKING.contains(word))
}

/// Whether what stands behind `git tag` makes a tag or takes one away.
fn tags(rest: &[&str]) -> bool {
    let lists = ["-l", "--list", "--contains", "--points-at", "--merged", "--no-merged", "-n"];
    let is_list = |word: &&str| lists.iter().any(|option| word.starts_with(option));
    !rest.iter().any(is_list) && rest.iter().any(|word| !word.starts_with('-'))
}

/// Whether a line has a shell run what it fetches.
fn runs_what_it_fetches(line: &str) -> bool {
    ["| sh", "| bash", "|sh", "|bash", "| sudo sh", "| sudo bash"]
        .iter()
        .any(|end| line.contains(end))
}

#[cfg(test)]
mod tests {
    use super::{does_something, from_weightiest};

    #[test]
    fn a_line_is_told_from_its_weightiest_command_on() {
        let told = |line: &str| from_weightiest(line, false).into_owned();
        assert_eq!(
            told("git add -A && git commit -m x; git log -1"),
            "…; git commit -m x; git log -1"
        );
        assert_eq!(told("git log -3 && ls && mytool build"), "…; mytool build");
        assert_eq!(told("rm -rf out; make -j4 all | tail -3"), "…; make -j4 all | tail -3");
        assert_eq!(
            told(
                "git push origin --delete v2 && git tag -d v2 && git tag v2 && git push origin v2"
            ),
            "…; git push origin v2"
        );
        assert_eq!(told("gh pr create --fill && gh pr merge 3"), "…; gh pr merge 3");
        assert_eq!(
            told("git push; git stash; git checkout -q main -- a; make; git stash pop"),
            "git push; git stash; git checkout -q main -- a; make; git stash pop"
        );
        for line in [
            "cargo test && git status",
            "python3 x.py; cargo test",
            "git push && rm x",
            "gh pr close 3; ls",
            "ls",
            "make || git push",
            "ls; cat a.rs",
        ] {
            assert_eq!(told(line), line);
        }
    }

    #[test]
    fn what_only_shows_something_is_no_deed() {
        for part in [
            "git push origin main",
            "gh pr create --fill",
            "cargo fmt",
            "./deploy.sh all",
            "gh api x -X POST",
            "docker compose up",
            "aws s3 rm s3://x/y",
            "curl -XPOST https://a.example/deploy",
            "curl --data-raw x https://a.example",
            "curl --json {} https://a.example",
            "gh api x -f a=b",
            "wget -q https://a.example/x.tar.gz",
            "gh api graphql -f query='mutation { close }'",
            "git tag v1.2.0",
            "rtk proxy cargo build",
            "cargo install tree",
            "gh pr close 9 --delete-branch",
            "gh issue close 12",
            "gh pr ready 9",
            "gh run rerun 5 --failed",
            "kubectl scale deploy/web --replicas=0",
        ] {
            assert!(does_something(part), "{part}");
        }
        for part in [
            "gh pr view 3",
            "git stash list",
            "shasum -a 256 x",
            "uv build --help",
            "curl -s https://a.example",
            "curl -f https://a.example/health",
            "curl -X GET https://a.example",
            "aws s3 ls",
            "gh api repos/x --jq .a",
            "gh run list",
            "gh release view v1 --json tagName",
            "[[ $state == completed ]]",
            "gh api graphql -f query='query { viewer { login } }'",
            "gh api search/issues -X GET -f q=x",
            "git tag --contains abc",
            "git diff --check",
            "rtk proxy cat a.json",
            "entire session list",
            "pip index versions x",
            "gh issue view 12",
            "gh pr checks 9 --watch",
            "gh run watch 5",
            "kubectl get pods -l scale=1",
            "defuddle parse https://a.example --md",
        ] {
            assert!(!does_something(part), "{part}");
        }
    }
}
