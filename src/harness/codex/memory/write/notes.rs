//! Notes that a user leaves to be remembered: how memories are proposed.

use camino::Utf8PathBuf;

use crate::harness::codex::memory::place::STORES;
use crate::harness::memory::row::{change, dropped, placed};
use crate::harness::memory::{At, How, Tree};
use crate::model::{Level, Memory, MemoryKind, MemoryScope, clipped};
use crate::plan::{MemoryFate, MemoryPlan, MemoryRow};

/// How long the words in the name of a note may be.
const SLUG_BYTES: usize = 80;

/// Says how each of `wanted` is laid down as a note, in the stores that there are; where there is
/// none, in the first.
pub(in crate::harness::codex::memory) fn propose(
    wanted: &[Memory],
    tree: &Tree,
    at: &At,
    how: &How,
) -> MemoryPlan {
    let has = |store: &&str| tree.below(&at.home.join(store)).next().is_some();
    let mut stores: Vec<&str> = STORES.into_iter().filter(has).collect();
    if stores.is_empty() {
        stores.push(STORES[0]);
    }
    let folders: Vec<_> = stores
        .into_iter()
        .map(|store| at.home.join(store).join("extensions/ad_hoc/notes"))
        .collect();
    let mut plan = MemoryPlan::default();
    for memory in wanted {
        let row = note(memory, &folders, tree, how, &mut plan);
        plan.rows.push(row);
    }
    plan
}

fn note(
    memory: &Memory,
    folders: &[Utf8PathBuf],
    tree: &Tree,
    how: &How,
    plan: &mut MemoryPlan,
) -> MemoryRow {
    let text = text(memory);
    let Some(stamp) = stamp(&how.now) else { return dropped(memory, "the time is not known") };
    let Some(first) = folders.first() else { return dropped(memory, "there is no store") };
    let mut there = folders.iter().flat_map(|folder| {
        let notes = tree.below(folder).filter(|(_, file)| file.text() == text);
        notes.map(|(name, _)| folder.join(name)).collect::<Vec<_>>()
    });
    if let Some(path) = there.next() {
        return placed(memory, MemoryFate::Same, &path);
    }
    let is_free = |name: &String| {
        let mut paths = folders.iter().map(|folder| folder.join(name));
        paths.all(|path| {
            tree.get(&path).is_none() && plan.changes.iter().all(|change| change.path != path)
        })
    };
    let names = (1_u32..).map(|number| name(&stamp, &memory.name, number));
    let Some(name) = names.into_iter().find(is_free) else {
        return dropped(memory, "every name is taken");
    };
    plan.changes
        .extend(folders.iter().filter_map(|folder| change(tree, &folder.join(&name), &text)));
    placed(memory, MemoryFate::New, &first.join(&name))
}

/// Returns the name of a note; a number above 1 tells it from others of the same time.
fn name(stamp: &str, title: &str, number: u32) -> String {
    let end = if number > 1 { format!("-{number}") } else { String::new() };
    let mut words = String::new();
    for c in title.to_lowercase().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }) {
        if c != '-' || !(words.is_empty() || words.ends_with('-')) {
            words.push(c);
        }
    }
    words.truncate(SLUG_BYTES - end.len());
    let words = words.trim_matches('-');
    format!("{stamp}-{}{end}.md", if words.is_empty() { "memory" } else { words })
}

/// Tells whether Codex takes a file of this name as a note.
pub(in crate::harness::codex::memory) fn is_note_name(name: &str) -> bool {
    let Some(words) = name.strip_suffix(".md").and_then(|name| name.get(19..)) else {
        return false;
    };
    let Some(words) = words.strip_prefix('-') else { return false };
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    crate::harness::codex::memory::place::named_time(name).is_some()
        && (1..=SLUG_BYTES).contains(&words.len())
        && !words.starts_with('-')
        && words.chars().all(fits)
}

/// Returns a time as it stands in a name.
fn stamp(now: &str) -> Option<String> {
    let stamp = now.get(..19)?.replace(':', "-");
    crate::harness::codex::memory::place::named_time(&stamp).map(|_| stamp)
}

/// What a memory is, in the words of a note.
fn meaning(kind: MemoryKind) -> &'static str {
    match kind {
        MemoryKind::Feedback | MemoryKind::Instruction => "how the user wants it",
        MemoryKind::User => "about the user",
        MemoryKind::Project => "about the project",
        MemoryKind::Reference | MemoryKind::Task => "what was found out",
        MemoryKind::Skill => "how it is done",
    }
}

/// The kinds by which every meaning is said.
const KINDS: [MemoryKind; 5] = [
    MemoryKind::Feedback,
    MemoryKind::User,
    MemoryKind::Project,
    MemoryKind::Reference,
    MemoryKind::Skill,
];

/// What stands for the place of what holds everywhere.
const EVERYWHERE: &str = "every project";
/// How much of a folder is told, in characters.
const FOLDER_CHARS: usize = 400;

/// Returns where a note says that it holds, if it is one of those that [`propose`] lays down.
pub(in crate::harness::codex::memory) fn scope(text: &str) -> Option<MemoryScope> {
    let heading = |line: &&str| !line.trim().is_empty() && !line.starts_with("# ");
    let line = text.lines().find(heading)?;
    let said = line.strip_prefix("Remember (")?.strip_suffix("):")?;
    let place = KINDS.iter().find_map(|kind| said.strip_prefix(meaning(*kind)))?;
    let place = if place.is_empty() { None } else { Some(place.strip_prefix(", in ")?) };
    let level = if place == Some(EVERYWHERE) { Level::Global } else { Level::Project };
    // Of a folder that was cut nobody knows which it is.
    let cwd = place.filter(|place| level == Level::Project && !place.ends_with('…'));
    Some(MemoryScope { level, cwd: cwd.map(str::to_owned) })
}

/// Returns a folder as it is told: as it is, if it can stand in a line.
fn folder(cwd: &str) -> String {
    match cwd.chars().count() <= FOLDER_CHARS && !cwd.contains(char::is_control) {
        true => cwd.to_owned(),
        false => clipped(cwd, FOLDER_CHARS - 1).trim_end_matches('…').to_owned() + "…",
    }
}

fn text(memory: &Memory) -> String {
    let kind = meaning(memory.kind);
    let place = match (&memory.scope.level, &memory.scope.cwd) {
        (Level::Project, Some(cwd)) => format!(", in {}", folder(cwd)),
        (Level::Project, None) => String::new(),
        (Level::Global, _) => format!(", in {EVERYWHERE}"),
    };
    let day = memory
        .day()
        .map(|day| format!("True on {day}; check it before you rely on it. "))
        .unwrap_or_default();
    format!(
        "# {}\n\nRemember ({kind}{place}):\n\n{}\n\n{day}From {}.\n",
        clipped(&memory.title, 120),
        memory.body_md.trim(),
        memory.source.harness
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit_what_is_taken_as_a_note() {
        for title in ["Keep it small", "größe", "", "--", &"long ".repeat(60), "2026"] {
            for number in [1, 2, 4_000_000_000] {
                let name = name("2026-05-01T10-00-00", title, number);
                assert!(is_note_name(&name) && name.len() <= 128, "{name}");
            }
        }
        assert!(!is_note_name("2026-05-01T10-00-00.md"));
        assert!(!is_note_name("2026-05-01T10-00-00-A.md"));
        assert!(!is_note_name("note.md"));
        assert_eq!(stamp("2026-05-01T10:00:00Z").as_deref(), Some("2026-05-01T10-00-00"));
    }
}
