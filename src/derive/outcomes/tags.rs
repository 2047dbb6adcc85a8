//! Tags that the session pushed, each with the server to which it went where there were several.

use std::collections::HashSet;

use super::environment::{only_tries_to_push, pushed};
use super::git::pushes;
use crate::derive::pattern::Pattern;
use crate::derive::timeline::{Done, Timeline};

/// How git says that a tag went out, or was taken away there.
static TAG: Pattern = Pattern::new(r"^ (?:\* \[new tag\]|- \[deleted\]) +(\S+)(?: +-> +(\S+))?$");

/// How many tags of a push are named.
const FEW_TAGS: usize = 3;

/// The tags of which something is known, from the last call on.
pub(super) struct Tags {
    /// The servers and the tags there; of a tag the newest word counts.
    known: HashSet<(String, String)>,
    /// Whether the session pushed to several servers or repositories.
    has_several: bool,
}

impl Tags {
    pub(super) fn new(timeline: &Timeline<'_>) -> Self {
        let all = timeline.done().filter(|done| done.command().is_some_and(pushes));
        let mut servers = HashSet::new();
        for done in all {
            servers.extend(done.output().lines().filter_map(server).map(str::to_owned));
        }
        Self { known: HashSet::new(), has_several: servers.len() > 1 }
    }

    /// Says which tags a call pushed of which nothing is known yet; it is asked of each call, the last one first.
    pub(super) fn pushed_by(&mut self, done: &Done<'_>) -> Option<String> {
        let line = done.command().filter(|line| pushes(line))?;
        if only_tries_to_push(line) {
            return None;
        }
        let output = pushed(&done.output());
        let mut told: Vec<(&str, Vec<&str>)> = Vec::new();
        for (server, row) in with_servers(&output).into_iter().rev() {
            let Some(row) = TAG.groups(row) else { continue };
            let name = row.at(1)?;
            let is_new = self.known.insert((server.to_owned(), name.to_owned()));
            if !is_new || row.at(2) != Some(name) {
                continue;
            }
            match told.iter_mut().find(|(known, _)| *known == server) {
                Some((_, names)) => names.insert(0, name),
                None => told.insert(0, (server, vec![name])),
            }
        }
        let all = told.iter().map(|(server, names)| {
            let to = if self.has_several {
                format!(" to {}", repository(server))
            } else {
                String::new()
            };
            few(names) + &to
        });
        let all: Vec<String> = all.collect();
        (!all.is_empty()).then(|| format!("pushed {}", all.join(", ")))
    }
}

/// Names a few of several tags.
fn few(names: &[&str]) -> String {
    let few = names.iter().take(FEW_TAGS).copied().collect::<Vec<_>>().join(", ");
    match names.len() {
        1 => format!("tag {few}"),
        all if all > FEW_TAGS => format!("tags {few} and {} more", all - FEW_TAGS),
        _ => format!("tags {few}"),
    }
}

/// Returns the address of the row with which git tells where a push goes.
fn server(row: &str) -> Option<&str> {
    row.strip_prefix("To ").map(str::trim_end)
}

/// Returns the rows of a push, each with the address above it.
fn with_servers(output: &str) -> Vec<(&str, &str)> {
    let mut to = "";
    let mut rows = Vec::new();
    for row in output.lines() {
        match server(row) {
            Some(address) => to = address,
            None => rows.push((to, row)),
        }
    }
    rows
}

/// Returns the end of an address by which people know a repository: `https://a.example/ada/tool.git` is `ada/tool`.
fn repository(address: &str) -> String {
    let bare = address.trim_end_matches('/').trim_end_matches(".git");
    let mut parts: Vec<&str> = bare.rsplit(['/', ':']).take(2).collect();
    parts.reverse();
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::{few, repository, with_servers};

    #[test]
    fn a_repository_is_known_by_the_end_of_its_address() {
        assert_eq!(repository("https://a.example/ada/tool.git"), "ada/tool");
        assert_eq!(repository("a.example:ada/tool.git"), "ada/tool");
        assert_eq!(repository("tool"), "tool");
    }

    #[test]
    fn each_row_of_a_push_stands_below_its_address() {
        let rows = with_servers("To a:x\n * [new tag] v1 -> v1\nTo b:y\n * [new tag] v2 -> v2");
        let servers: Vec<&str> = rows.iter().map(|row| row.0).collect();
        assert_eq!(servers, ["a:x", "b:y"]);
        assert_eq!(few(&["a", "b", "c", "d"]), "tags a, b, c and 1 more");
    }
}
