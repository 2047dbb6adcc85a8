//! Commands that ran on in the background when the session ended.

use std::collections::{HashMap, HashSet};

use super::said::last_words;
use super::{MOST, Work};
use crate::derive::outcomes::{Outcomes, Shown, only_asks};
use crate::derive::timeline::{Done, Timeline};
use crate::derive::{Trust, deeds, text, turns};
use crate::model::{Action, ToolKind};

/// How many characters of a command that still ran are told.
const TOLD_CHARS: usize = 120;
/// How many bytes of a call are looked at for what it names.
const NAMED_BYTES: usize = 4096;

/// Finds the commands that ran on in the background, of which nothing later tells how they ended: no call names
/// them, and none runs the same. What has no name counts only in the newest turn. Of many only the newest are
/// told, and none that only shows something where the agent answered since; of an earlier turn none that may have been
/// ended by a call that ends what it does not name.
pub(super) fn running(timeline: &Timeline<'_>, outcomes: &Outcomes) -> Vec<Work> {
    let newest = timeline.requests().next_back().map_or(0, |(item, _)| item.turn);
    let is_out = |done: &Done<'_>| {
        let is_named = done.runs_on_as().is_some();
        !done.is_by_agent()
            && (is_named || done.item.turn >= newest && outcomes.still_out(done.index).is_some())
    };
    let calls: Vec<_> = timeline.done().skip_while(|done| !is_out(done)).collect();
    let said = last_words(timeline).map(|(_, words)| words.to_lowercase());
    let is_answered = said.is_some_and(|words| !words.contains("wait"));
    let known: HashSet<&str> = calls.iter().filter_map(Done::runs_on_as).collect();
    let (mut named, mut run) = (HashMap::new(), HashSet::new());
    let mut open = Vec::new();
    for done in calls.iter().rev() {
        let parts = timeline.parts(done);
        let is_old = done.item.turn < newest;
        // Who waited for it last may have been told that it still runs; what names it after that ends it.
        let waited = outcomes.still_out(done.index);
        let last_named = done.runs_on_as().and_then(|name| named.get(name));
        let is_named = last_named.is_some_and(|last| waited.is_none_or(|waited| *last > waited));
        // Nothing is left to wait for.
        let is_through = outcomes.shown_end(done.index).is_some()
            || parts.len() == 1 && outcomes.is_through(done.index);
        let is_told = is_named || is_through || parts.iter().any(|part| run.contains(part));
        let is_needless =
            || (is_answered || is_old) && done.command().is_some_and(|line| shows(line, parts));
        let may_be_over = timeline.killers().came_after(done);
        let is_over = is_told || is_old && may_be_over || timeline.killers().name(done);
        if (done.command().is_some() || is_tool(done)) && is_out(done) {
            let runs = || !is_over && !is_needless();
            let codes = ended_with(timeline, outcomes, done);
            let work = || runs().then(|| still_ran(done, parts, is_old, may_be_over));
            open.extend(codes.or_else(work));
        }
        // A look at what it printed ends nothing.
        let ends_named = !only_looks(done, parts);
        for name in names(done).filter(|word| ends_named && known.contains(word)) {
            named.entry(name).or_insert(done.index);
        }
        run.extend(parts);
    }
    open.truncate(MOST);
    open.reverse();
    open
}

/// Tells of a command whose parts ended with several codes, where nothing was done since that was seen: else it may
/// have been mended in any way.
fn ended_with(timeline: &Timeline<'_>, outcomes: &Outcomes, done: &Done<'_>) -> Option<Work> {
    let Some((Shown::Codes(codes), seen)) = outcomes.shown_end(done.index) else { return None };
    let goes_on = |later: Done<'_>| {
        timeline.parts(&later).iter().any(|part| deeds::does_something(part)) || is_tool(&later)
    };
    let line = text::line(&timeline.parts(done).join("; "), TOLD_CHARS);
    let told = format!("`{line}` ended in the background with the exit codes {codes}");
    let is_last = !timeline.done().skip(seen + 1).any(goes_on);
    is_last.then(|| Work::new(told, Trust::S, "check", &done.item.id))
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

/// Commands that show once how something is, and end by themselves.
const SHOWING_ONCE: &[&str] =
    &["gh issue list", "gh issue view", "gh pr list", "gh pr view", "gh run list"];
/// Programs that only look, or make room, but do not end by themselves, or leave something behind.
const NO_LOOKS: &[&str] = &[
    "chmod", "command", "copy", "cp", "del", "for", "mkdir", "move", "mv", "read", "rm", "rmdir",
    "sleep", "source", "tee", "touch", "until", "wait", "while", "xargs",
];

/// Whether a line of these commands only shows once how something is, or gets pages and shows them: nobody waits for
/// that who has answered since.
fn shows(line: &str, parts: &[String]) -> bool {
    let writes = |word: &str| {
        let short = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
        short.is_some_and(|letters| letters.contains(['o', 'O']))
            || ["--output", "--remote-name"].iter().any(|option| word.starts_with(option))
    };
    let gets = |part: &String| {
        part.starts_with("curl ") && only_asks(part) && !part.split_whitespace().any(writes)
    };
    let shows = |part: &String| SHOWING_ONCE.iter().any(|form| part.starts_with(form));
    let follows = |word: &str| matches!(word, "-f" | "-F" | "--follow" | "-exec" | "-delete");
    let is_kept = line.replace("2>&1", "").replace("2>/dev/null", "").contains('>');
    let mut words = line.split([' ', ';', '\n', '(', '&', '|']);
    let tails = line.contains("tail ") || line.contains("find ");
    parts.iter().all(|part| gets(part) || shows(part))
        && !is_kept
        && !words.any(|word| NO_LOOKS.contains(&word) || tails && follows(word))
}

/// Whether a later call names what a call began: it waits for it, or looks at what was printed.
pub(super) fn is_named_later(timeline: &Timeline<'_>, done: &Done<'_>) -> bool {
    let is_it = |later: Done<'_>| names(&later).any(|word| Some(word) == done.runs_on_as());
    timeline.done().skip(done.index + 1).any(is_it)
}

/// Returns the words of a call that can be a name: where it waits, stops or looks at what was printed.
/// A call that itself tells that something runs on names nothing, nor does one that had not come back or was not let.
fn names<'d>(done: &'d Done<'_>) -> impl Iterator<Item = &'d str> {
    let told = match done.call.action.as_deref() {
        _ if done.result.is_none() || done.runs_on_as().is_some() || done.was_held_back() => "",
        // The harness itself told how that ended.
        Some(Action::Wait { on, is_told: true }) => on.as_deref().unwrap_or_default(),
        Some(Action::Wait { .. } | Action::Type { .. } | Action::Stop { .. })
            if met_nothing(done) =>
        {
            ""
        }
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
    // A group of processes is named by the number of its first behind a dash.
    let words = words.map(|word| word.strip_prefix('-').unwrap_or(word));
    words.filter(move |word| !is_line || !is_small(word))
}

/// Words by which it is said of something that it is not there any more, or never was.
const GONE: &[&str] = &["already", "no longer", "no such", "not found", "not running", "unknown"];

/// Whether a call that was to wait for something or to stop it failed, and did not say that this is gone: it runs as it
/// did.
fn met_nothing(done: &Done<'_>) -> bool {
    let is_void = done.failed() && done.result.is_some_and(|result| result.exit_code.is_none());
    is_void && {
        let low = done.output().to_lowercase();
        let is_none = low.starts_with("no ") && low.contains(" found");
        !is_none && !GONE.iter().any(|word| low.contains(word))
    }
}

/// Commands that show how checks elsewhere stand; a list of runs does not say which of them the work hangs on.
/// One that runs on waits for them.
pub(super) const SHOWING_CHECKS: &[&str] =
    &["gh pr checks", "gh run view", "gh run watch", "glab ci status", "glab ci view"];

/// How it is told that something had not ended.
const STILL_RAN: &str = "still ran in the background when the session ended";

/// Whether what is told of a command that runs on says that it waits for checks elsewhere.
pub fn waits_for_checks(told: &str) -> bool {
    told.contains(STILL_RAN) && SHOWING_CHECKS.iter().any(|shows| told.contains(shows))
}

/// Whether something that is open is that a command still ran.
pub(in crate::derive) fn still_runs(work: &Work) -> bool {
    work.source == "running" && work.text.ends_with(STILL_RAN)
}

/// Tells of a command that runs on, as far as is known.
fn still_ran(done: &Done<'_>, parts: &[String], is_old: bool, may_be_over: bool) -> Work {
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
        true => format!(
            "`{line}` was begun in the background in {}, and nothing tells that it ended",
            turns::id(done.item.turn)
        ),
        false if may_be_over => {
            format!("`{line}` was begun in the background, and may have been ended since")
        }
        false => format!("`{line}` {STILL_RAN}"),
    };
    Work::new(told, Trust::S, "running", &done.item.id)
}
