//! Where Codex keeps memories, and what each file of a store is.

use camino::{Utf8Path, Utf8PathBuf};

use crate::harness::memory::{At, Shelf};
use crate::model::{Layer, MemoryScope};

/// The stores below the home: that of the first pipeline and that of the second. Both are in use.
pub(super) const STORES: [&str; 2] = ["memories", "memories_v2"];
/// The files of a folder of which the first that is there is read.
pub(super) const CONTEXT: [&str; 2] = ["AGENTS.override.md", "AGENTS.md"];
/// What is known of copies that have no place for a mark; it stands outside of both stores, since
/// Codex compares what is in them.
pub(super) const MANIFEST: &str = "segue_memories.json";
/// The settings.
pub(super) const CONFIG: &str = "config.toml";
/// What says which folder an imported project is.
pub(super) const SCOPE: &str = "scope.json";

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part<'p> {
    /// What is put before the model at each start.
    Summary,
    /// The tasks and what was learned from them, group by group.
    Handbook,
    /// What was taken out of each session, before it is worked in.
    Raw,
    /// What is left of one session.
    Session,
    /// How to do something.
    Skill,
    /// What the user asked to be remembered.
    Note,
    /// A text of another source.
    Resource {
        /// Which source.
        extension: &'p str,
        /// The folder of one project there.
        key: &'p str,
    },
    /// A context file that humans write.
    Context,
    /// Settings, and what is made of the others.
    Other,
}

/// Returns what the file at `path` is.
pub(super) fn part<'p>(path: &'p Utf8Path, home: &Utf8Path) -> Part<'p> {
    let parts: Vec<&str> = inner(path, home).iter().collect();
    match parts[..] {
        ["extensions", _, "notes", .., name] if is_markdown(name) => Part::Note,
        ["extensions", extension, "resources", key, .., name] if is_markdown(name) => {
            Part::Resource { extension, key }
        }
        ["extensions", extension, "resources", name] if is_markdown(name) => {
            Part::Resource { extension, key: "" }
        }
        ["rollout_summaries", name] if is_markdown(name) => Part::Session,
        ["skills", _, "SKILL.md"] => Part::Skill,
        [.., "memory_summary.md"] => Part::Summary,
        [.., "raw_memories.md"] => Part::Raw,
        ["MEMORY.md"] => Part::Handbook,
        [.., name] if CONTEXT.contains(&name) => Part::Context,
        _ => Part::Other,
    }
}

fn is_markdown(name: &str) -> bool {
    name.to_lowercase().ends_with(".md")
}

/// Returns the path of a file in its store; of one that is in none, its name.
fn inner<'p>(path: &'p Utf8Path, home: &Utf8Path) -> &'p Utf8Path {
    if let Some((_, rest)) = store(path, home) {
        return rest;
    }
    let whole = path.as_str();
    let ends = STORES.iter().filter_map(|name| {
        let mark = format!("/{name}/");
        whole.rfind(&mark).map(|at| at + mark.len())
    });
    ends.max().map_or_else(
        || Utf8Path::new(path.file_name().unwrap_or_default()),
        |at| Utf8Path::new(&whole[at..]),
    )
}

/// Returns the store of a file below the home, and its path in there.
pub(super) fn store<'p>(path: &'p Utf8Path, home: &Utf8Path) -> Option<(&'p str, &'p Utf8Path)> {
    let rest = path.strip_prefix(home).ok()?;
    let name = rest.components().next()?.as_str();
    let rest = rest.strip_prefix(name).ok()?;
    STORES.contains(&name).then_some((name, rest))
}

/// Returns the name by which a file is known however its home is called.
pub(super) fn key(path: &Utf8Path, at: &At) -> String {
    let folder = at.project.as_deref();
    let below = path.strip_prefix(&at.home).ok();
    let below = below.or_else(|| path.strip_prefix(folder?).ok());
    below.map_or_else(|| path.file_name().unwrap_or_default(), Utf8Path::as_str).to_owned()
}

/// How many folders more an import stands in than in the store that it came from.
const ABOVE_IMPORTS: usize = 4;

/// Returns the shelves of Codex.
pub(super) fn shelves(at: &At) -> Vec<Shelf> {
    let global = MemoryScope::everywhere();
    let file = |path: Utf8PathBuf, layer| Shelf::file(path, layer, global.clone());
    let mut shelves = Vec::new();
    for store in STORES.map(|store| at.home.join(store)) {
        let files = [
            ("memory_summary.md", Layer::Memory),
            ("MEMORY.md", Layer::Memory),
            ("raw_memories.md", Layer::Session),
        ];
        shelves.extend(files.map(|(name, layer)| file(store.join(name), layer)));
        let folder = |name, suffix, layer| {
            let shelf = Shelf::folder(store.join(name), layer, global.clone());
            Shelf { suffix, depth: shelf.depth + ABOVE_IMPORTS, ..shelf }
        };
        shelves.push(folder("rollout_summaries", ".md", Layer::Session));
        shelves.push(folder("skills", "/skill.md", Layer::Skills));
        shelves.push(folder("extensions", "", Layer::Imported));
    }
    shelves.push(file(at.home.join(MANIFEST), Layer::Settings));
    shelves.push(file(at.home.join(CONFIG), Layer::Settings));
    shelves.extend(CONTEXT.map(|name| file(at.home.join(name), Layer::Instructions)));
    let Some(project) = &at.project else { return shelves };
    for folder in chain(at) {
        let scope = MemoryScope::of_project(Some(project));
        let of = |name| Shelf::file(folder.join(name), Layer::Instructions, scope.clone());
        shelves.extend(CONTEXT.map(of));
    }
    shelves
}

/// Returns the folders from the top of the project down to where an agent is started.
pub(super) fn chain(at: &At) -> Vec<Utf8PathBuf> {
    let Some(top) = &at.project else { return Vec::new() };
    let cwd = at.cwd.as_ref().filter(|cwd| cwd.starts_with(top)).unwrap_or(top);
    let mut folders: Vec<_> = cwd
        .ancestors()
        .take_while(|folder| folder.starts_with(top))
        .map(Utf8Path::to_owned)
        .collect();
    folders.reverse();
    folders
}

/// Returns the time that the name of a file begins with, RFC 3339.
pub(super) fn named_time(name: &str) -> Option<String> {
    let stamp = name.get(..19)?;
    let fits = stamp.bytes().enumerate().all(|(at, byte)| match at {
        4 | 7 | 13 | 16 => byte == b'-',
        10 => byte == b'T',
        _ => byte.is_ascii_digit(),
    });
    fits.then(|| format!("{}T{}Z", &stamp[..10], stamp[11..].replace('-', ":")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_known_by_its_place() {
        let home = Utf8Path::new("/h/.codex");
        for (path, want) in [
            ("/h/.codex/memories/MEMORY.md", Part::Handbook),
            ("/h/.codex/memories_v2/memory_summary.md", Part::Summary),
            ("/h/.codex/memories/rollout_summaries/a.md", Part::Session),
            ("/elsewhere/memories/extensions/ad_hoc/notes/a.md", Part::Note),
            (
                "/h/.codex/memories/extensions/x/resources/k/sub/a.MD",
                Part::Resource { extension: "x", key: "k" },
            ),
            (
                "/h/.codex/memories/extensions/x/resources/a.md",
                Part::Resource { extension: "x", key: "" },
            ),
            ("/h/.codex/memories/extensions/x/instructions.md", Part::Other),
            ("/h/.codex/memories/skills/s/SKILL.md", Part::Skill),
            ("/p/AGENTS.md", Part::Context),
            ("/p/docs/README.md", Part::Other),
        ] {
            assert_eq!(part(Utf8Path::new(path), home), want, "{path}");
        }
    }

    #[test]
    fn times_in_names_are_read() {
        let time = named_time("2026-04-22T13-49-36-w0BD-slug.md");
        assert_eq!(time.as_deref(), Some("2026-04-22T13:49:36Z"));
        assert_eq!(named_time("2026-04-22"), None);
        assert_eq!(named_time("ä026-04-22T13-49-36"), None);
    }
}
