//! Routes in `memory_summary.md`, by which the model sees at once what is there.

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};

use crate::harness::codex::memory::place::{self, STORES};
use crate::harness::codex::memory::summary::{OLDER, ROUTES};
use crate::harness::memory::manifest::Manifest;
use crate::harness::memory::row::change;
use crate::harness::memory::{At, Tree};
use crate::model::{Memory, clipped};
use crate::plan::{MemoryFate, MemoryPlan, MemoryRow};

/// The summary must stay below this, in bytes: what is longer is cut in its middle.
pub(in crate::harness::codex::memory) const MOST_BYTES: usize = 10_000;
/// How long the heading of a project may be, in characters.
const SCOPE_CHARS: usize = 400;
/// A summary without anything in it.
const EMPTY: &str =
    "v1\n\n## User Profile\n\n## User preferences\n\n## General Tips\n\n## What's in Memory\n";

/// Adds a route for each memory that has a place in a store, to the summary of each store.
pub(super) fn add(
    plan: &mut MemoryPlan,
    wanted: &[Memory],
    tree: &Tree,
    at: &At,
    manifest: &mut Manifest,
) {
    let held = held(plan, wanted, at);
    let mut left = 0;
    for store in STORES {
        let path = at.home.join(store).join("memory_summary.md");
        if let Some(why) = tree.unreadable.get(&path) {
            plan.warnings.push(format!("`{path}` cannot be read, and gets no routes: {why}"));
            continue;
        }
        let before = tree.get(&path).map_or_else(|| EMPTY.into(), |file| file.text());
        let mut text = before.to_string();
        for (memory, file) in &held {
            let line = line(memory, file);
            let origin = format!("route:{store}:{}", memory.origin());
            let Some(next) = with_route(&text, &line, file, memory, &origin, manifest) else {
                continue;
            };
            if next.len() >= MOST_BYTES {
                left += 1;
                continue;
            }
            text = next;
            manifest.enter(origin, &format!("{store}/memory_summary.md"), &line);
        }
        if text != *before {
            plan.changes.extend(change(tree, &path, &text));
        }
    }
    if left > 0 {
        plan.warnings.push(format!(
            "{left} routes were left out: a summary of {MOST_BYTES} bytes or more is cut when it is loaded"
        ));
    }
}

/// Returns the memories that will have a file below `extensions`, each with its path in a store.
fn held<'m>(plan: &MemoryPlan, wanted: &'m [Memory], at: &At) -> Vec<(&'m Memory, Utf8PathBuf)> {
    // Some stand beside a file that has the name which they would have had.
    let written: BTreeSet<_> = plan.changes.iter().map(|change| &change.path).collect();
    let file = |row: &MemoryRow| {
        let is_held = matches!(row.fate, MemoryFate::New | MemoryFate::Same | MemoryFate::Changed);
        let place = row.place.as_ref().filter(|place| is_held || written.contains(place))?;
        let (_, file) = place::store(place, &at.home)?;
        file.starts_with("extensions").then(|| file.to_owned())
    };
    let rows = plan.rows.iter().zip(wanted);
    rows.filter_map(|(row, memory)| Some((memory, file(row)?))).collect()
}

fn line(memory: &Memory, file: &Utf8Path) -> String {
    let title = clipped(&memory.title, 80);
    let day = memory.day().map(|day| format!(" (true on {day})")).unwrap_or_default();
    format!("- {title}: {file} — {}{day}", clipped(&memory.summary, 120))
}

/// Returns the text with the route; nothing if it is there, or is there in other words than ours.
fn with_route(
    text: &str,
    line: &str,
    file: &Utf8Path,
    memory: &Memory,
    origin: &str,
    manifest: &Manifest,
) -> Option<String> {
    let mut lines: Vec<&str> = text.lines().collect();
    if let Some(old) = lines.iter_mut().find(|old| old.contains(file.as_str())) {
        let is_own = *old != line && manifest.is_ours(origin, old);
        *old = line;
        return is_own.then(|| lines.join("\n") + "\n");
    }
    let scope = clipped(memory.scope.cwd.as_deref().unwrap_or("all projects"), SCOPE_CHARS);
    let (routes, older, scope) =
        (format!("## {ROUTES}"), format!("### {OLDER}"), format!("#### {scope}"));
    let mut range = 0..lines.len();
    for (depth, heading) in [(2, &routes), (3, &older), (4, &scope)] {
        let found = range.clone().find(|at| lines[*at].trim_end() == *heading);
        let from = found.unwrap_or_else(|| {
            let at = end_of_text(&lines, range.end);
            lines.splice(at..at, ["", heading.as_str()]);
            range.end += 2;
            at + 1
        });
        let end =
            (from + 1..range.end).find(|at| level(lines[*at]).is_some_and(|other| other <= depth));
        range = from + 1..end.unwrap_or(range.end);
    }
    let at = end_of_text(&lines, range.end);
    lines.insert(at, line);
    if lines[at - 1].starts_with('#') {
        lines.insert(at, "");
    }
    Some(lines.join("\n") + "\n")
}

/// Returns where the blank lines before `end` begin.
fn end_of_text(lines: &[&str], end: usize) -> usize {
    let blank = lines[..end].iter().rev().take_while(|line| line.trim().is_empty());
    end - blank.count()
}

fn level(line: &str) -> Option<usize> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    (level > 0 && line[level..].starts_with(' ')).then_some(level)
}
