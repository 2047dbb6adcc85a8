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
    /// The repositories and the tags there; of a tag the newest word counts.
    known: HashSet<(String, String)>,
    /// The repositories to which the session pushed.
    pushed_to: HashSet<String>,
}

impl Tags {
    pub(super) fn new(timeline: &Timeline<'_>) -> Self {
        let all = timeline.done().filter(|done| done.command().is_some_and(pushes));
        let mut pushed_to = HashSet::new();
        for done in all {
            pushed_to.extend(done.output().lines().filter_map(server).map(place));
        }
        Self { known: HashSet::new(), pushed_to }
    }

    /// Says to which repository something was pushed, where there are several: with its server where another one has
    /// one of the same name.
    fn to(&self, place: &str) -> String {
        let name = repository(place);
        let same = self.pushed_to.iter().filter(|one| repository(one) == name).count();
        match self.pushed_to.len() {
            0 | 1 => String::new(),
            _ if same > 1 => format!(" to {place}"),
            _ => format!(" to {name}"),
        }
    }

    /// Says which tags a call pushed of which nothing is known yet; it is asked of each call, the last one first.
    pub(super) fn pushed_by(&mut self, done: &Done<'_>) -> Option<String> {
        let line = done.command().filter(|line| pushes(line))?;
        if only_tries_to_push(line) {
            return None;
        }
        let output = pushed(&done.output());
        let mut told: Vec<(String, Vec<&str>)> = Vec::new();
        for (server, row) in with_servers(&output).into_iter().rev() {
            let Some(row) = TAG.groups(row) else { continue };
            let name = row.at(1)?;
            let place = place(server);
            let is_new = self.known.insert((place.clone(), name.to_owned()));
            if !is_new || row.at(2) != Some(name) {
                continue;
            }
            match told.iter_mut().find(|(known, _)| *known == place) {
                Some((_, names)) => names.insert(0, name),
                None => told.insert(0, (place, vec![name])),
            }
        }
        let all: Vec<String> =
            told.iter().map(|(place, names)| few(names) + &self.to(place)).collect();
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

/// Returns the server of an address with the repository there, whatever way leads to it: of
/// `https://a.example/ada/tool.git` and `git@a.example:ada/tool` it is `a.example/ada/tool`.
fn place(address: &str) -> String {
    let bare = address.trim_end_matches('/').trim_end_matches(".git");
    let bare = bare.split_once("://").map_or(bare, |(_, rest)| rest);
    let bare = bare.split_once('@').map_or(bare, |(_, rest)| rest);
    let Some((host, path)) = bare.split_once([':', '/']) else { return bare.to_owned() };
    let is_port = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let behind_port = path.split_once('/').filter(|(port, _)| is_port(port));
    format!("{host}/{}", behind_port.map_or(path, |(_, rest)| rest))
}

/// Returns the end of a place by which people know a repository: of `a.example/ada/tool` it is `ada/tool`.
fn repository(place: &str) -> String {
    let mut parts: Vec<&str> = place.rsplit('/').take(2).collect();
    parts.reverse();
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::{few, place, repository, with_servers};

    #[test]
    fn a_repository_is_the_same_by_all_its_addresses() {
        for address in [
            "https://a.example/ada/tool.git",
            "a.example:ada/tool.git",
            "git@a.example:ada/tool",
            "ssh://git@a.example:22/ada/tool/",
            "https://ada:key@a.example/ada/tool",
        ] {
            assert_eq!(place(address), "a.example/ada/tool", "{address}");
        }
        assert_eq!(repository("a.example/ada/tool"), "ada/tool");
        assert_eq!(repository(&place("tool")), "tool");
    }

    #[test]
    fn each_row_of_a_push_stands_below_its_address() {
        let rows = with_servers("To a:x\n * [new tag] v1 -> v1\nTo b:y\n * [new tag] v2 -> v2");
        let servers: Vec<&str> = rows.iter().map(|row| row.0).collect();
        assert_eq!(servers, ["a:x", "b:y"]);
        assert_eq!(few(&["a", "b", "c", "d"]), "tags a, b, c and 1 more");
    }
}
