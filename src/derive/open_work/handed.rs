//! What the pack that a session went on with lists as open.

use std::collections::HashSet;

use super::{Work, last_words, leaves_open, plan, same, telling};
use crate::derive::handed::Came;
use crate::derive::outcomes::{Ended, Outcomes};
use crate::derive::timeline::Timeline;
use crate::derive::written::changed;
use crate::derive::{Trust, ending, paths, place, text};
use crate::model::{Body, Item, Origin};

/// How a line begins of what the session before broke off at, or had not committed: that this one went on with.
const PAST: &[&str] = &[
    "answer the user, ",
    "commit: ",
    "finish the request; ",
    "finish what was begun; ",
    "the session ended ",
    "the user interrupted ",
    "the user refused ",
];
/// What stands before a line: how far it is.
const BOXES: &[&str] = &["[ ] ", "[>] ", "[!] ", "[x] "];
/// What stands behind a line of what was out there at its end, or of which that session spoke in its turn.
const BEHIND: &[&str] = &["given to an agent", "perhaps no more"];
/// What stands behind a line that rests on an agent's words alone.
const BY_AGENT: &str = "by the agent's last words";

/// Returns what the pack lists, but for what this session's own list of work has, and checks that it ran itself.
///
/// It is `pack` if nothing was heard of it since, else `pack_aside`: the session changed every file that the line
/// names, another check passed at the end, or it says there that all is done, and names it. So is what was no more
/// than an agent's words.
pub(super) fn handed(
    timeline: &Timeline<'_>,
    outcomes: &Outcomes,
    came: Option<&Came<'_>>,
) -> Vec<Work> {
    let Some(came) = came else { return Vec::new() };
    let own = plan(timeline).map(|(_, entries)| entries).unwrap_or_default();
    let (lines, item) = came.open();
    if lines.is_empty() {
        return alone(timeline, came, item).into_iter().collect();
    }
    let changes = timeline.done().flat_map(|done| changed(timeline, &done));
    let names: HashSet<_> =
        changes.map(|change| place::name(&change.path).to_lowercase()).collect();
    let claimed = last_words(timeline).map(|(_, words)| words);
    let claimed = claimed.filter(|words| ending::claims_done(words) && !leaves_open(words));
    let claimed = claimed.map(|words| telling(&words));
    let passes = outcomes.checks.iter().any(|check| check.has_passed() && check.edits_since == 0);
    let mut found = Vec::new();
    for line in lines {
        let bare = BOXES.iter().find_map(|mark| line.text.strip_prefix(mark));
        let text = bare.unwrap_or(&line.text).trim();
        let is_past = PAST.iter().any(|start| text.starts_with(start))
            || BEHIND.iter().any(|words| line.behind.contains(words));
        let check = text.split('`').nth(1).filter(|_| text.contains("` pass: "));
        let ran = check.is_some_and(|command| outcomes.ended(command) != Ended::Unknown);
        if text.is_empty() || is_past || ran || own.iter().any(|entry| same(&entry.text, text)) {
            continue;
        }
        let is_told = claimed.as_ref().is_some_and(|words| telling(text).is_subset(words));
        let is_aside = is_told
            || check.is_some() && passes
            || line.behind.contains(BY_AGENT)
            || names_only(text, &names);
        let source = if is_aside { "pack_aside" } else { "pack" };
        found.push(Work::new(text.to_owned(), Trust::C, source, item));
    }
    found
}

/// Returns what a pack asks for that lists nothing and says that it has no answer, where all else that was said went into
/// it, and nobody has gone on.
fn alone(timeline: &Timeline<'_>, came: &Came<'_>, item: &str) -> Option<Work> {
    let is_said = |item: &&Item<'_>| match &item.body {
        Body::Message(message) => matches!(message.origin, Origin::Human | Origin::Model),
        Body::ToolCall(_) => true,
        _ => false,
    };
    let (_, asked) = came.asks().into_iter().next().filter(|_| came.is_unanswered())?;
    let asked = text::line(&asked, ASKED_CHARS);
    let work =
        || Work::new(format!("go on with what was asked for: {asked}"), Trust::C, "pack", item);
    (!timeline.items.iter().any(is_said)).then(work)
}

/// How much of what was asked for is told, in characters.
const ASKED_CHARS: usize = 160;

/// Whether a line names files, and all of them are among `names`.
fn names_only(line: &str, names: &HashSet<String>) -> bool {
    let words = line.split_whitespace().map(|word| word.trim_matches(is_mark));
    let mut files = words.filter(|word| paths::is_file(word)).peekable();
    files.peek().is_some() && files.all(|file| names.contains(&place::name(file).to_lowercase()))
}

/// Whether a character stands around a name rather than in it.
fn is_mark(c: char) -> bool {
    !c.is_alphanumeric() && !matches!(c, '_' | '/')
}
