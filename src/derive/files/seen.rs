//! Files that were spoken of, or listed by what ran.

use std::collections::BTreeMap;

use super::touched::Touched;
use super::{FADE, OUTPUTS_BACK, packed};
use crate::derive::paths::{self, MOST_LISTED, in_folders, listed_folders, paths_in, printed};
use crate::derive::place;
use crate::derive::shows::{Shows, shows};
use crate::derive::timeline::{Done, Timeline};
use crate::model::{Body, Item, Origin, ToolKind};

/// Counts the files that were spoken of, with a folder, by user, agent, or another agent's report.
pub(super) fn mention(
    found: &mut BTreeMap<String, Touched>,
    timeline: &Timeline<'_>,
    calls: &[Done<'_>],
) {
    let mut ahead = calls.len();
    let mut later = calls.iter().rev().peekable();
    for item in timeline.items.iter().rev() {
        while later.next_if(|done| done.item.line >= item.line && done.item.line > 0).is_some() {
            ahead -= 1;
        }
        if calls.len() - ahead > OUTPUTS_BACK {
            break;
        }
        let age = i32::try_from(calls.len() - ahead).unwrap_or(i32::MAX);
        if let Some((path, _)) = item.body.attached() {
            attached(found.entry(timeline.path(&path)).or_default(), item, FADE.powi(age));
            continue;
        }
        let words = match &item.body {
            Body::Message(message)
                if !matches!(message.origin, Origin::Harness | Origin::Command) =>
            {
                message.words()
            }
            Body::ToolResult(result)
                if result.out.is_none()
                    && timeline.kind(&result.call_id) == Some(ToolKind::Agent) =>
            {
                crate::model::plain(&result.output)
            }
            _ => continue,
        };
        for path in paths_in(&words).into_iter().filter(|path| path.contains('/')).take(MOST_LISTED)
        {
            let entry = found.entry(timeline.path(without_letter(&path, &words))).or_default();
            entry.state = entry.state.filter(|state| *state != "listed").or(Some("named"));
            entry.weight += FADE.powi(age) * 0.6;
            if entry.evidence.is_empty() {
                entry.turn = item.turn;
                entry.evidence = item.id.to_string();
            }
        }
    }
}

/// Below which exit code a program that searches only found nothing.
const FOUND_NOTHING: i64 = 2;
/// What programs say of a file that is not there.
const NOT_THERE: &[&str] = &["No such file", "cannot find", "does not exist"];

/// Whether a look that failed says nothing of a file that it was given, or that this is not there: it may have been
/// tried whether there is one.
pub(super) fn is_missing(done: &Done<'_>, path: &str) -> bool {
    let code = done.result.and_then(|result| result.exit_code);
    if !done.failed() || code.is_some_and(|code| code < FOUND_NOTHING) {
        return false;
    }
    let output = done.output();
    let name = place::name(path);
    let says = |row: &str| NOT_THERE.iter().any(|words| row.contains(words));
    let mut rows = output.lines().filter(|row| row.contains(name));
    code.is_some() && !rows.clone().any(|row| !says(row)) || rows.next().is_some_and(says)
}

/// Counts a file that the user attached to a message: the agent was given all of it.
fn attached(entry: &mut Touched, item: &Item<'_>, fresh: f64) {
    entry.looks += 1;
    entry.weight += fresh * 1.5;
    entry.was_there = true;
    entry.open();
    if entry.evidence.is_empty() {
        entry.turn = item.turn;
        entry.evidence = item.id.to_string();
    }
}

/// Returns a path of somebody's words without the letter that stands before the files of a comparison,
/// where one of it stands there.
fn without_letter<'p>(path: &'p str, words: &str) -> &'p str {
    let bare = path.strip_prefix("a/").or_else(|| path.strip_prefix("b/"));
    let is_compared = |bare: &&str| {
        let heads = [format!("--- a/{bare}"), format!("+++ b/{bare}")];
        heads.iter().any(|head| words.lines().any(|line| line.trim() == head))
    };
    bare.filter(is_compared).unwrap_or(path)
}

/// Programs that print files as they are called from the folder in which they run.
const LISTING: &[&str] = &[
    "ag", "du", "eslint", "eza", "fd", "find", "go", "grep", "ls", "mypy", "rg", "ruff", "stat",
    "tree", "tsc", "wc",
];

/// Whether a line prints files as they are called from its folder.
fn lists(line: &str) -> bool {
    let programs = line.split(['|', ';', '&', '\n']).filter_map(|part| {
        part.split_whitespace().find(|word| !matches!(*word, "npx" | "uv" | "run" | "uvx"))
    });
    let mut programs = programs.filter(|program| *program != "cd");
    programs.next().is_some_and(|first| LISTING.contains(&first))
}

/// Counts the files that an output lists, with a folder: what was found is near what comes next.
pub(super) fn list(
    found: &mut BTreeMap<String, Touched>,
    timeline: &Timeline<'_>,
    done: &Done<'_>,
    fresh: f64,
) {
    // What stands in a file names others as it likes, be they there or not.
    let shows = done.command().map_or(Shows::Other, shows);
    if shows == Shows::Files || done.command().is_some_and(packed::unpacks) {
        return;
    }
    let output = done.output();
    let is_comparison = output.lines().any(|line| line.starts_with("diff --git "));
    let names = |line: &&str| match is_comparison {
        true => line.starts_with("diff --git "),
        false => shows == Shows::Other || paths::begins_line(line),
    };
    let told = output
        .lines()
        .filter(names)
        .take(MOST_LISTED)
        .flat_map(|line| paths_in(&printed(line)).into_iter().take(1));
    // What goes up from a folder that nobody knows is no file of the project's, nor is what stands at
    // the root, as archives and servers name theirs.
    let told = told.filter(|path| path.rfind('/') > Some(0) && !path.starts_with("../"));
    let told = told.take(MOST_LISTED / 4);
    let folders = done.command().map(listed_folders).unwrap_or_default();
    // Others print what names files as it likes, git from the top of the repository.
    let folder = done.folder().filter(|_| done.command().is_some_and(lists));
    for path in told.chain(in_folders(&folders, &output)) {
        // What is printed of a text names files as the text does.
        let folder = folder.as_deref().filter(|_| !found.contains_key(&timeline.path(&path)));
        let entry = found.entry(timeline.path_in(folder, &path)).or_default();
        entry.state = entry.state.or(Some("listed"));
        entry.weight += fresh * 0.25;
        if entry.evidence.is_empty() {
            entry.seen(done, 0.0);
        }
    }
}
