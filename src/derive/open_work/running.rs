//! Commands that ran on in the background when the session ended.

use std::collections::{HashMap, HashSet};

use super::said::last_words;
use super::{MOST, Work};
use crate::derive::outcomes::{Outcomes, only_asks};
use crate::derive::timeline::{Done, Timeline};
use crate::derive::{Trust, deeds, shell, text, turns};
use crate::model::{Action, ToolKind};

/// How many characters of a command that still ran are told.
const TOLD_CHARS: usize = 120;
/// How many bytes of a call are looked at for what it names.
const NAMED_BYTES: usize = 4096;

/// Finds the commands that ran on in the background, of which nothing later tells how they ended: no call names
/// them, and none runs the same. What has no name counts only in the newest turn. Of many only the newest are
/// told, and none that only gets a page where the agent answered since, or that may have been ended by a call
/// that ends what it does not name.
pub(super) fn running(timeline: &Timeline<'_>, outcomes: &Outcomes) -> Vec<Work> {
    let newest = timeline.requests().next_back().map_or(0, |(item, _)| item.turn);
    let is_out = |done: &Done<'_>| {
        let is_named = name(done).is_some();
        !done.is_by_agent()
            && (is_named || done.item.turn >= newest && outcomes.still_out(done.index).is_some())
    };
    let calls: Vec<_> = timeline.done().skip_while(|done| !is_out(done)).collect();
    let said = last_words(timeline).map(|(_, words)| words.to_lowercase());
    let is_answered = said.is_some_and(|words| !words.contains("wait"));
    let known: HashSet<&str> = calls.iter().filter_map(name).collect();
    let (mut named, mut run, mut ends) = (HashMap::new(), HashSet::new(), false);
    let mut open = Vec::new();
    for done in calls.iter().rev() {
        let parts = timeline.parts(done);
        let is_old = done.item.turn < newest;
        // Who waited for it last may have been told that it still runs; what names it after that ends it.
        let waited = outcomes.still_out(done.index);
        let last_named = name(done).and_then(|name| named.get(name));
        let is_named = last_named.is_some_and(|last| waited.is_none_or(|waited| *last > waited));
        // Nothing is left to wait for.
        let shown_end = outcomes.shown_end(done.index);
        // What a check found that failed is told as that.
        // It failed where nothing was done since that was seen: else it may have been mended in any way.
        let goes_on = |later: &Done<'_>| {
            timeline.parts(later).iter().any(|part| deeds::does_something(part)) || is_tool(later)
        };
        let has_failed = shown_end.is_some_and(|(is_well, seen)| {
            !is_well && !timeline.done().skip(seen + 1).any(|it| goes_on(&it))
        });
        let is_through = shown_end.is_some() && !has_failed
            || (parts.len() == 1 || has_failed) && outcomes.is_through(done.index);
        let is_told = is_named || is_through || parts.iter().any(|part| run.contains(part));
        let is_needless = || {
            let gets = |line: &str| only_gets(line, parts) || only_shows(line, parts);
            (is_answered || is_old) && done.command().is_some_and(gets)
        };
        let is_over = is_told || is_old && ends;
        if (done.command().is_some() || is_tool(done)) && is_out(done) && !is_over && !is_needless()
        {
            open.push(still_runs(done, parts, is_old, has_failed));
        }
        // A look at what it printed ends nothing.
        let ends_named = !only_looks(done, parts);
        for name in names(done).filter(|word| ends_named && known.contains(word)) {
            named.entry(name).or_insert(done.index);
        }
        run.extend(parts);
        ends |= parts.iter().any(|part| shell::ends_programs(part));
    }
    open.truncate(MOST);
    open.reverse();
    open
}

/// Whether a call only shows what is in a file.
fn only_looks(done: &Done<'_>, parts: &[String]) -> bool {
    match done.call.action.as_deref() {
        Some(Action::Read { .. }) => true,
        Some(Action::Shell { .. }) => parts.is_empty(),
        _ => false,
    }
}

/// Whether a call is of a tool of which it is not known what it does.
fn is_tool(done: &Done<'_>) -> bool {
    done.call.kind == ToolKind::Other && done.call.action.is_none()
}

/// Whether a line of these commands only gets pages and shows them: nobody waits for that who has answered since.
fn only_gets(line: &str, parts: &[String]) -> bool {
    let loops = line.split_whitespace().any(|word| matches!(word, "for" | "until" | "while"));
    let writes = |word: &str| {
        let short = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
        short.is_some_and(|letters| letters.contains(['o', 'O']))
            || ["--output", "--remote-name"].iter().any(|option| word.starts_with(option))
    };
    let gets = |part: &String| {
        part.starts_with("curl ") && only_asks(part) && !part.split_whitespace().any(writes)
    };
    !parts.is_empty() && parts.iter().all(gets) && !loops && !is_kept(line)
}

/// Whether what a line prints goes into a file.
fn is_kept(line: &str) -> bool {
    line.replace("2>&1", "").replace("2>/dev/null", "").contains('>')
}

/// Commands that show once how something is, and end by themselves.
const SHOWING_ONCE: &[&str] = &[
    "gh issue list",
    "gh issue view",
    "gh pr list",
    "gh pr view",
    "gh run list",
    "git diff",
    "git log",
    "git show",
    "git status",
];

/// Whether a line only shows once how something is: nobody waits for that either.
fn only_shows(line: &str, parts: &[String]) -> bool {
    let shows = |part: &String| SHOWING_ONCE.iter().any(|form| part.starts_with(form));
    let loops = ["for", "sleep", "until", "while"];
    !parts.is_empty()
        && parts.iter().all(shows)
        && !is_kept(line)
        && !line.split([' ', ';', '\n']).any(|word| loops.contains(&word))
}

/// Returns the name by which a call runs on. What has none cannot be waited for, and may have ended long ago.
fn name<'d>(done: &'d Done<'_>) -> Option<&'d str> {
    done.result?.out.as_deref().filter(|name| !name.is_empty())
}

/// Whether a later call names what a call began: it waits for it, or looks at what was printed.
pub(super) fn is_named_later(timeline: &Timeline<'_>, done: &Done<'_>) -> bool {
    let is_it = |later: Done<'_>| names(&later).any(|word| Some(word) == name(done));
    timeline.done().skip(done.index + 1).any(is_it)
}

/// Returns the words of a call that can be a name: where it waits, stops or looks at what was printed.
/// A call that itself tells that something runs on names nothing, nor does one that had not come back or was not let.
fn names<'d>(done: &'d Done<'_>) -> impl Iterator<Item = &'d str> {
    let told = match done.call.action.as_deref() {
        _ if done.result.is_none() || name(done).is_some() || done.was_held_back() => "",
        Some(Action::Wait { on, .. } | Action::Type { on, .. }) => {
            on.as_deref().unwrap_or_default()
        }
        Some(Action::Stop { on }) => on,
        Some(Action::Shell { command, .. }) => command,
        Some(Action::Read { path, .. }) => path,
        Some(_) => "",
        None => done.call.arguments.get(),
    };
    let is_line =
        matches!(done.call.action.as_deref(), Some(Action::Shell { .. } | Action::Read { .. }));
    let start = &told[..told.floor_char_boundary(NAMED_BYTES)];
    let words = start.split(|c: char| !c.is_alphanumeric() && c != '-' && c != '_');
    // On a line a small number is any number.
    let is_small = |word: &str| word.len() < 4 && word.bytes().all(|byte| byte.is_ascii_digit());
    words.filter(move |word| !is_line || !is_small(word))
}

/// Commands that show how checks elsewhere stand; a list of runs does not say which of them the work hangs on.
/// One that runs on waits for them.
pub(super) const SHOWING_CHECKS: &[&str] =
    &["gh pr checks", "gh run view", "gh run watch", "glab ci status", "glab ci view"];

/// How it is told that something had not ended.
const STILL_RAN: &str = "still ran in the background when the session ended";

/// How it is told that it failed by what it printed.
const FAILED: &str = "failed in the background, by what it printed";

/// Whether what is told of a command that runs on says that it waits for checks elsewhere.
pub fn waits_for_checks(told: &str) -> bool {
    told.contains(STILL_RAN) && SHOWING_CHECKS.iter().any(|shows| told.contains(shows))
}

/// Tells of a command that runs on, or of which it is shown that it failed.
fn still_runs(done: &Done<'_>, parts: &[String], is_old: bool, has_failed: bool) -> Work {
    // Of a line that loops or waits, what it does.
    let loops = ["for ", "until ", "while "];
    let told = done.told().unwrap_or_default();
    let is_loop = parts.is_empty() || loops.iter().any(|word| told.trim_start().starts_with(word));
    let line = if is_tool(done) {
        done.call.name.to_string()
    } else if is_loop {
        told
    } else {
        parts.join("; ")
    };
    let line = text::line(&line, TOLD_CHARS);
    // Much can have happened since that nobody tells.
    let told = match is_old {
        _ if has_failed => format!("`{line}` {FAILED}"),
        true => format!(
            "`{line}` was begun in the background in {}, and nothing tells that it ended",
            turns::id(done.item.turn)
        ),
        false => format!("`{line}` {STILL_RAN}"),
    };
    let source = if has_failed { "check" } else { "running" };
    Work::new(told, Trust::S, source, &done.item.id)
}
