//! What is left of whole sessions: their summaries, and what was taken out of them.

use serde_json::{Map, Value};

use super::cwd;
use super::entry::{self, Page};
use crate::harness::memory::fields::{fields, text_of};
use crate::model::{DatedBy, Memory, MemoryKind};

/// How each session begins in the file that has them all.
const THREAD: &str = "## Thread ";

/// Reads the summary of one session.
pub(super) fn summary(text: &str, page: Page<'_>) -> Memory {
    let (head, body) = head(text);
    let mut memory = page.whole(text);
    fill(&mut memory, &head, page);
    body.trim().clone_into(&mut memory.body_md);
    let stem = page.path.file_stem().unwrap_or_default();
    memory.name = crate::model::slug(stem);
    let heading = memory.body_md.lines().find_map(|line| line.strip_prefix("# "));
    memory.title = heading.map_or_else(|| stem.to_owned(), |title| title.trim().to_owned());
    memory.finished()
}

/// Tells whether a text is such a summary.
pub(super) fn is_one(text: &str) -> bool {
    let (head, _) = head(text);
    head.contains_key("thread_id") && head.contains_key("rollout_path")
}

/// Cuts off the lines up to the first blank one.
fn head(text: &str) -> (Map<String, Value>, &str) {
    let end = text.find("\n\n").or_else(|| text.find("\r\n\r\n")).unwrap_or(text.len());
    let (head, body) = text.split_at(end);
    let is_head = head.lines().all(|line| line.contains(':') && !line.starts_with(['#', '-']));
    if is_head && !head.is_empty() { (fields(head), body) } else { (Map::new(), text) }
}

/// Enters what the head of a session says.
fn fill(memory: &mut Memory, head: &Map<String, Value>, page: Page<'_>) {
    memory.kind = MemoryKind::Task;
    if let Some(time) = text_of(head, "updated_at").as_deref().and_then(entry::time) {
        memory.updated_at = Some(time);
        memory.dated_by = Some(DatedBy::Field);
    }
    memory.source.session_id = text_of(head, "thread_id").or(memory.source.session_id.take());
    let folder: Vec<_> = text_of(head, "cwd").map(|path| cwd::plain(&path)).into_iter().collect();
    if !folder.is_empty() {
        memory.scope = entry::scope(&folder, page.at);
    }
    memory.outcome = text_of(head, "task_outcome").or(memory.outcome.take());
    for (name, value) in head {
        const KNOWN: [&str; 7] =
            ["updated_at", "thread_id", "cwd", "task_outcome", "description", "task", "keywords"];
        if !KNOWN.contains(&name.as_str()) {
            memory.extra.insert(name.clone(), value.clone());
        }
    }
}

/// Reads the file with what was taken out of each session.
pub(super) fn raw(text: &str, page: Page<'_>) -> Vec<Memory> {
    let mut parts: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        if line.starts_with(THREAD) {
            parts.push((at, number + 1));
        }
        at += line.len();
    }
    let ends = parts.iter().skip(1).map(|part| part.0).chain([text.len()]);
    let all: Vec<_> =
        parts.iter().zip(ends).map(|((from, line), to)| (&text[*from..to], *line)).collect();
    all.into_iter().map(|(part, line)| thread(part, line, page)).collect()
}

fn thread(text: &str, line: usize, page: Page<'_>) -> Memory {
    let (heading, rest) = text.split_once('\n').unwrap_or((text, ""));
    let mut memory = page.entry(text, (line, line + text.trim_end().lines().count() - 1));
    let (outer, body) = head(rest.trim_start_matches(['\r', '\n']));
    let id = heading[THREAD.len()..].trim().trim_matches('`');
    memory.source.session_id = Some(id.to_owned());
    memory.source.key = format!("{}#{id}", super::place::key(page.path, page.at));
    fill(&mut memory, &outer, page);
    let (inner, body) = loose_head(body);
    fill(&mut memory, &inner, page);
    body.trim().clone_into(&mut memory.body_md);
    memory.keywords = entry::words(&text_of(&inner, "keywords").unwrap_or_default());
    let titles = ["task", "description"].iter().find_map(|name| text_of(&inner, name));
    memory.title = titles.unwrap_or_else(|| format!("Session {id}"));
    memory.summary = text_of(&inner, "description").unwrap_or_default();
    let summary = memory.extra.shift_remove("rollout_summary_file");
    let stem = summary.as_ref().and_then(Value::as_str).map(|file| file.trim_end_matches(".md"));
    memory.links.extend(stem.map(str::to_owned));
    memory.finished()
}

/// Cuts a head off whose lines can be indented by mistake.
fn loose_head(text: &str) -> (Map<String, Value>, &str) {
    let text = text.trim_start_matches(['\r', '\n', ' ']);
    let none = || (Map::new(), text);
    let Some(rest) = text.strip_prefix("---") else { return none() };
    let mut at = text.len() - rest.len();
    let mut lines = Vec::new();
    for line in rest.split_inclusive('\n') {
        at += line.len();
        match line.trim() {
            "---" => return (fields(&lines.join("\n")), &text[at..]),
            bare => lines.push(bare),
        }
    }
    none()
}
