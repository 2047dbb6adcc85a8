//! Files beside a session: whole tool outputs, side sessions, lists of work, notes of the harness.

use camino::{Utf8Path, Utf8PathBuf};

use super::plans::{self, Plans};
use super::wire::{AgentMeta, Line};
use crate::error::Result;
use crate::json;
use crate::jsonl::{self, Input};
use crate::model::{Body, Item, Plan, PlanItem};
use crate::note::{NoteKind, Notes};

/// A companion larger than this is not read whole, in bytes.
const MAX_BYTES: u64 = 16 << 20;

/// The whole prompt of a side session that the harness begins for itself.
pub(super) const WARM_UP: &str = "Warmup";

/// A side session with a file of its own.
pub(super) struct SideFile {
    pub path: Utf8PathBuf,
    pub id: String,
    pub call_id: Option<String>,
    pub agent: Option<String>,
    pub title: Option<String>,
}

/// The folder that belongs to the session alone.
fn own_folder(input: &Input) -> Option<Utf8PathBuf> {
    let path = input.path()?;
    Some(path.parent()?.join(path.file_stem()?))
}

/// Returns size and text of a whole tool output.
///
/// Only the name of the recorded path counts: the session may have been moved, and what a file
/// says is no reason to read anywhere else.
pub(super) fn tool_output(
    input: &Input,
    name: &str,
    line: u64,
    notes: &mut Notes,
) -> Option<(u64, String)> {
    let found = own_folder(input).and_then(|own| read_own(&own, "tool-results", name));
    if found.is_none() {
        notes.add(NoteKind::UnreadableCompanion, "", line);
    }
    found
}

/// Reads a file of a session's own folder.
fn read_own(own: &Utf8Path, folder: &str, name: &str) -> Option<(u64, String)> {
    let path = format!("{}/{folder}/{name}", own.file_name()?);
    jsonl::companion_below(own.parent()?, &path, MAX_BYTES).map(as_text)
}

fn read(path: &Utf8Path) -> Option<(u64, String)> {
    jsonl::companion(path, MAX_BYTES).map(as_text)
}

fn as_text((bytes, text): (u64, Vec<u8>)) -> (u64, String) {
    (bytes, String::from_utf8_lossy(&text).into_owned())
}

/// Returns what the harness keeps of a session outside of its file, where that says more.
pub(super) fn state(input: &Input, told: &Plans, turn: u32) -> Vec<Item<'static>> {
    let mut items = Vec::new();
    let Some(folder) = own_folder(input) else { return items };
    let notes = read_own(&folder, "session-memory", "summary.md");
    if let Some((_, text)) = notes.filter(|(_, text)| !text.trim().is_empty()) {
        let body = Body::Notice { kind: "session_memory".into(), text: Some(text.into()) };
        items.push(Item::new("session-memory", 0, turn, body).dropped("never_sent"));
    }
    if let Some(plan) = plan_files(&folder).filter(|plan| !told.tells(plan)) {
        let body = Body::Plan(Plan { call_id: None, explanation: None, items: plan });
        items.push(Item::new("plan-files", 0, turn, body).dropped("never_sent"));
    }
    items
}

/// Reads the task files, else the todo file; an empty list says nothing.
fn plan_files(folder: &Utf8Path) -> Option<Vec<PlanItem>> {
    let id = folder.file_name()?;
    let root = folder.parent()?.parent()?.parent()?;
    let mut files = listing(&root.join("tasks").join(id));
    files.retain(|path| path.extension() == Some("json"));
    files.sort_by_key(|path| {
        path.file_stem().and_then(|stem| stem.parse().ok()).unwrap_or(u64::MAX)
    });
    if files.is_empty() {
        files.push(root.join("todos").join(format!("{id}-agent-{id}.json")));
    }
    let texts = files.iter().filter_map(|path| read(path));
    let plan: Vec<_> = texts.flat_map(|(_, text)| plans::from_file(&text)).collect();
    (!plan.is_empty()).then_some(plan)
}

fn listing(folder: &Utf8Path) -> Vec<Utf8PathBuf> {
    let Ok(entries) = folder.read_dir_utf8() else { return Vec::new() };
    let mut paths: Vec<_> = entries.flatten().map(camino::Utf8DirEntry::into_path).collect();
    paths.sort();
    paths
}

/// Finds the side sessions of the session `id`: in its own folder, or among its neighbours.
///
/// One in the session's own folder that cannot be told gives a note; a neighbour may be anybody's.
pub(super) fn side_files(input: &Input, id: &str, notes: &mut Notes) -> Vec<SideFile> {
    let Some(folder) = own_folder(input) else { return Vec::new() };
    let mut paths = Vec::new();
    collect(&folder.join("subagents"), 4, &mut paths);
    for path in paths.iter().filter(|path| first_line(path, |_| ()).is_none()) {
        notes.add(NoteKind::UnreadableCompanion, path.file_name().unwrap_or_default(), 0);
    }
    let neighbours = folder.parent().map(listing).unwrap_or_default();
    paths.extend(neighbours.into_iter().filter(|path| is_agent(path)));
    paths.iter().filter_map(|path| side_file(path, id)).collect()
}

fn collect(folder: &Utf8Path, depth: usize, paths: &mut Vec<Utf8PathBuf>) {
    for path in listing(folder) {
        if is_agent(&path) {
            paths.push(path);
        } else if depth > 0 && path.is_dir() && !path.is_symlink() {
            collect(&path, depth - 1, paths);
        }
    }
}

fn is_agent(path: &Utf8Path) -> bool {
    let named = path.file_name().is_some_and(|name| name.starts_with("agent-"));
    named && path.extension() == Some("jsonl")
}

/// Looks at the first line of a side session: whose it is, and whether it is more than a warm-up.
fn side_file(path: &Utf8Path, id: &str) -> Option<SideFile> {
    let is_meant = first_line(path, |line| {
        let words = line.message.0.as_ref().and_then(|message| jsonl::string(message.content?));
        line.session_id.text() == id && words.is_none_or(|words| words != WARM_UP)
    })?;
    if !is_meant {
        return None;
    }
    let stem = path.file_stem()?;
    let meta = read(&path.with_file_name(format!("{stem}.meta.json"))).map(|(_, text)| text);
    let meta = meta.unwrap_or_default();
    let meta: AgentMeta<'_> = json::from_str(&meta).unwrap_or_default();
    let own = |text: Option<&str>| text.map(str::to_owned);
    Some(SideFile {
        path: path.to_owned(),
        id: stem.trim_start_matches("agent-").to_owned(),
        call_id: own(meta.call_id.filled()),
        agent: own(meta.agent.filled()),
        title: own(meta.description.filled()),
    })
}

/// Looks at the first line of a side session that can be read.
fn first_line<T>(path: &Utf8Path, look: impl Fn(&Line<'_>) -> T) -> Option<T> {
    /// How many broken lines can stand before it.
    const BROKEN: usize = 20;
    let input = path.is_file().then(|| Input::file(path).ok())??;
    let mut lines = input.lines().ok()?;
    for _ in 0..BROKEN {
        let line = lines.next_line().ok()??;
        let bytes = line.bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line.bytes);
        if let Ok(line) = serde_json::from_slice::<Line<'_>>(bytes) {
            return Some(look(&line));
        }
    }
    None
}

/// Counts the lines of a side session's file.
pub(super) fn count_lines(input: &Input) -> Result<u64> {
    let (mut lines, mut count) = (input.lines()?, 0);
    while lines.next_line()?.is_some() {
        count += 1;
    }
    Ok(count)
}
