//! Files that were spoken of, or listed by what ran.

use std::collections::{BTreeMap, HashSet};

use super::touched::{Touched, is_outside};
use super::{FADE, OUTPUTS_BACK, packed};
use crate::derive::paths::{
    self, MOST_LISTED, Shows, in_folders, listed_folders, paths_in, printed,
};
use crate::derive::timeline::{Done, Timeline};
use crate::model::{Body, Origin, ToolKind};

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
        let words = match &item.body {
            Body::Message(message) if message.origin != Origin::Harness => message.words(),
            Body::ToolResult(result)
                if result.out.is_none()
                    && timeline.kind(&result.call_id) == Some(ToolKind::Agent) =>
            {
                crate::model::plain(&result.output)
            }
            _ => continue,
        };
        let age = i32::try_from(calls.len() - ahead).unwrap_or(i32::MAX);
        for path in paths_in(&words).into_iter().filter(|path| path.contains('/')).take(MOST_LISTED)
        {
            let is_new = |known: &Touched| known.state.is_none() || known.is_said;
            let entry = found.entry(timeline.path(&path)).or_default();
            entry.is_said = is_new(entry) && !is_by_human(&item.body);
            entry.state = entry.state.filter(|state| *state != "listed").or(Some("named"));
            entry.weight += FADE.powi(age) * 0.6;
            if entry.evidence.is_empty() {
                entry.turn = item.turn;
                entry.evidence = item.id.to_string();
            }
        }
    }
}

fn is_by_human(body: &Body<'_>) -> bool {
    matches!(body, Body::Message(message) if message.origin == Origin::Human)
}

/// Whether a file of which agents alone spoke stands in none of the folders that the project is known to
/// have: an example in an explanation is called so.
pub(super) fn is_example(path: &str, file: &Touched, folders: &HashSet<String>) -> bool {
    let top = |path: &str| path.split_once('/').map(|(top, _)| folders.contains(top));
    file.is_said && !is_outside(path) && !folders.is_empty() && top(path) == Some(false)
}

/// Returns the folders at the top of the project that something is known to stand in.
pub(super) fn folders(found: &BTreeMap<String, Touched>) -> HashSet<String> {
    let known = found.iter().filter(|(path, file)| !file.is_said && !is_outside(path));
    known.filter_map(|(path, _)| Some(path.split_once('/')?.0.to_owned())).collect()
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
    let shows = done.command().map_or(Shows::Other, paths::shows);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_example_is_told_by_a_folder_that_nobody_saw() {
        let file = |is_said| Touched { is_said, ..Touched::default() };
        let mut found = BTreeMap::from([("src/a.rs".to_owned(), file(false))]);
        found.insert("project/b.toml".to_owned(), file(true));
        let folders = folders(&found);
        assert!(is_example("project/b.toml", &file(true), &folders));
        for (path, said) in [("src/new.rs", true), ("project/b.toml", false), ("/etc/b.toml", true)]
        {
            assert!(!is_example(path, &file(said), &folders), "{path}");
        }
        assert!(!is_example("project/b.toml", &file(true), &HashSet::new()));
    }
}
