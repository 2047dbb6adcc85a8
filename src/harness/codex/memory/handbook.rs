//! `MEMORY.md`: groups of tasks, with what was learned from them.

use std::collections::BTreeMap;

use serde_json::Value;

use super::entry::{self, Page};
use super::{cwd, preference};
use crate::harness::memory::fields::{headed, text_of};
use crate::harness::memory::sections::{Section, sections};
use crate::model::{DatedBy, Memory, MemoryKind};

/// How a group begins.
const GROUP: &str = "# Task Group:";
/// How long the title of a group may be to stand before an entry, in characters.
const LEAD_CHARS: usize = 80;

/// What a group says of itself and of its tasks.
#[derive(Default)]
struct Group {
    title: String,
    /// When its entries are of use, in its own words.
    scope: String,
    /// The folders that it holds for.
    folders: Vec<String>,
    /// What else it says of where it holds, and of what to do before it is used again.
    applies: Vec<String>,
    tasks: BTreeMap<u32, Task>,
}

/// One task of a group.
#[derive(Clone, Default)]
struct Task {
    title: String,
    outcome: Option<String>,
    /// The summaries of the sessions that it was done in, without ending.
    sessions: Vec<String>,
    updated_at: Option<String>,
    keywords: Vec<String>,
}

/// Reads the groups of a file; nothing if it has none, in any of the two forms.
pub(super) fn read(text: &str, page: Page<'_>) -> Option<Vec<Memory>> {
    let starts = line_starts(text, |line| line.starts_with(GROUP));
    if starts.is_empty() {
        return older(text, page);
    }
    let mut found = loose(&text[..starts[0]], 0, page);
    for (index, start) in starts.iter().enumerate() {
        let end = starts.get(index + 1).copied().unwrap_or(text.len());
        let above = text[..*start].lines().count();
        found.extend(group(&text[*start..end], above, page));
    }
    Some(found)
}

/// Tells whether a text is such a file.
pub(super) fn is_one(text: &str) -> bool {
    let is_group = text.lines().any(|line| line.starts_with(GROUP));
    is_group || !heads(text).is_empty()
}

/// Returns where the lines begin that fit.
fn line_starts(text: &str, fits: impl Fn(&str) -> bool) -> Vec<usize> {
    let mut at = 0;
    let starts = text.split_inclusive('\n').filter_map(|line| {
        let from = at;
        at += line.len();
        fits(line).then_some(from)
    });
    starts.collect()
}

/// Reads what stands before the first group, section by section.
pub(super) fn loose(text: &str, above: usize, page: Page<'_>) -> Vec<Memory> {
    let pieces = sections(text).into_iter();
    let made = pieces.map(|piece| {
        let mut memory = entry_of(&piece, text, above, page);
        memory.title = match (piece.is_bullet, piece.path.last()) {
            (false, Some(heading)) => heading.clone(),
            _ => entry::title(&piece.body),
        };
        memory.body_md = piece.body;
        memory.finished()
    });
    made.collect()
}

fn entry_of(piece: &Section, text: &str, above: usize, page: Page<'_>) -> Memory {
    let lines = (piece.lines.0 + above, piece.lines.1 + above);
    page.entry(&text[piece.place.clone()], lines)
}

fn group(text: &str, above: usize, page: Page<'_>) -> Vec<Memory> {
    let pieces = sections(text);
    let mut group = Group {
        title: text[GROUP.len()..].lines().next().unwrap_or("").trim().to_owned(),
        ..Group::default()
    };
    let mut entries = Vec::new();
    for piece in &pieces {
        if !group.take(piece) {
            entries.push(piece);
        }
    }
    let mut found: Vec<_> =
        entries.iter().map(|piece| group.entry(piece, text, above, page)).collect();
    if found.is_empty() {
        found.extend(group.tasks.values().map(|task| group.bare(task, text, above, page)));
    }
    found
}

impl Group {
    /// Takes what a piece says of the group or of a task; what is an entry is left.
    fn take(&mut self, piece: &Section) -> bool {
        let Some(section) = piece.path.get(1) else { return self.take_head(&piece.body) };
        let Some((number, title)) = task_heading(section) else { return false };
        let task = self.tasks.entry(number).or_insert_with(|| Task::named(title));
        match piece.path.get(2).map(String::as_str) {
            Some("rollout_summary_files" | "extension_resource_files") => {
                task.take_session(&piece.body);
            }
            Some("keywords") => {
                let words = piece.body.lines().flat_map(|line| entry::words(bare(line)));
                task.keywords.extend(words);
            }
            _ => return false,
        }
        true
    }

    fn take_head(&mut self, body: &str) -> bool {
        let mut is_head = false;
        for line in body.lines().map(bare) {
            if let Some(scope) = line.strip_prefix("scope:") {
                scope.trim().clone_into(&mut self.scope);
                is_head = true;
            } else if let Some(applies) = line.strip_prefix("applies_to:") {
                for folder in cwd::folders(applies) {
                    if !self.folders.contains(&folder) {
                        self.folders.push(folder);
                    }
                }
                let others = applies.split(';').map(str::trim);
                let others = others.filter(|part| !part.is_empty() && !part.contains("cwd="));
                let others = others.map(|part| part.replace("reuse_rule=", "reuse: "));
                extend(&mut self.applies, &others.collect::<Vec<_>>());
                is_head = true;
            }
        }
        is_head
    }

    fn entry(&self, piece: &Section, text: &str, above: usize, page: Page<'_>) -> Memory {
        let section = piece.path.get(1).map_or("", String::as_str);
        let (body, mut numbers) = preference::without_tasks(&piece.body);
        numbers.extend(task_heading(section).map(|(number, _)| number));
        let mut memory = entry_of(piece, text, above, page);
        memory.title = entry::title(&body);
        memory.body_md = body;
        let lower = section.to_lowercase();
        if lower.contains("preference") {
            preference::fill(&mut memory);
        } else if !(lower.starts_with("reusable knowledge") || lower.starts_with("failures")) {
            memory.kind_as_written = Some(section.to_owned()).filter(|name| !name.is_empty());
        }
        self.fill(&mut memory, &self.named(&numbers), page);
        self.lead(&mut memory);
        if !section.is_empty() {
            memory.extra.insert("section".to_owned(), section.into());
        }
        memory.finished()
    }

    /// Returns the tasks that an entry rests on: those that it names, else all.
    fn named(&self, numbers: &[u32]) -> Vec<&Task> {
        let named: Vec<_> = numbers.iter().filter_map(|number| self.tasks.get(number)).collect();
        if named.is_empty() { self.tasks.values().collect() } else { named }
    }

    /// Enters what a memory has from its group and its tasks.
    fn fill(&self, memory: &mut Memory, tasks: &[&Task], page: Page<'_>) {
        memory.scope = entry::scope(&self.folders, page.at);
        entry::keep_folders(memory, &self.folders);
        for task in tasks {
            extend(&mut memory.keywords, &task.keywords);
            extend(&mut memory.links, &task.sessions);
        }
        let mut outcomes: Vec<_> =
            tasks.iter().filter_map(|task| task.outcome.as_deref()).collect();
        outcomes.dedup();
        memory.outcome = Some(outcomes.join(", ")).filter(|text| !text.is_empty());
        if let Some(time) = tasks.iter().filter_map(|task| task.updated_at.clone()).max() {
            memory.updated_at = Some(time);
            memory.dated_by = Some(DatedBy::Field);
        }
        for (name, text) in [("task_group", &self.title), ("scope", &self.scope)] {
            if !text.is_empty() {
                memory.extra.insert(name.to_owned(), text.as_str().into());
            }
        }
    }

    /// Has the text of an entry say what it is about and where it holds: only its group tells that.
    fn lead(&self, memory: &mut Memory) {
        let is_short = self.title.chars().count() <= LEAD_CHARS;
        let long = Some(&self.title).filter(|_| !is_short);
        let scope = long.into_iter().chain(Some(&self.scope)).chain(&self.applies);
        let scope: Vec<_> = scope.map(String::as_str).filter(|text| !text.is_empty()).collect();
        if !scope.is_empty() {
            let (said, why) = memory.body_md.split_at(memory.said().len());
            memory.body_md = format!("{said}\n\nScope: {}{why}", scope.join("; "));
        }
        if is_short && !self.title.is_empty() && !memory.body_md.starts_with(&self.title) {
            memory.led_by(&format!("{}:", self.title));
        }
    }

    /// Returns the memory of a task of which nothing was learned.
    fn bare(&self, task: &Task, text: &str, above: usize, page: Page<'_>) -> Memory {
        let mut memory = page.entry(&task.title, (above + 1, above + text.lines().count()));
        memory.kind = MemoryKind::Task;
        memory.title.clone_from(&task.title);
        memory.body_md = format!("{}\n\n{}", task.title, self.scope).trim().to_owned();
        memory.verbatim = None;
        self.fill(&mut memory, &[task], page);
        memory.finished()
    }
}

fn extend(all: &mut Vec<String>, more: &[String]) {
    for one in more {
        if !all.contains(one) {
            all.push(one.clone());
        }
    }
}

fn bare(line: &str) -> &str {
    line.trim().trim_start_matches("- ").trim()
}

/// Returns the number and the title of a task.
fn task_heading(heading: &str) -> Option<(u32, &str)> {
    let rest = heading.strip_prefix("Task ")?;
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let number = rest[..digits].parse().ok()?;
    Some((number, rest[digits..].trim_start_matches(':').trim()))
}

impl Task {
    fn named(title: &str) -> Self {
        const OUTCOMES: [&str; 5] = ["success", "partial", "fail", "failed", "uncertain"];
        let ending = title.rsplit_once(',').map(|(_, word)| word.trim());
        let outcome = ending.filter(|word| OUTCOMES.contains(&word.to_lowercase().as_str()));
        Self { title: title.to_owned(), outcome: outcome.map(str::to_owned), ..Self::default() }
    }

    /// Takes a list of the sessions' files, each with fields in brackets.
    fn take_session(&mut self, body: &str) {
        for line in body.lines().map(bare).filter(|line| !line.is_empty()) {
            let file = line.split(" (").next().unwrap_or(line).trim_matches('`');
            let stem = file.trim_end_matches(".md").trim_start_matches("rollout_summaries/");
            extend(&mut self.sessions, &[stem.to_owned()]);
            let after = line.split("updated_at=").nth(1).unwrap_or_default();
            let value = after.split([',', ')', ' ']).next().unwrap_or_default();
            self.updated_at = self.updated_at.take().max(entry::time(value));
        }
    }
}

/// Returns where the heads of the older form begin, and where each ends.
fn heads(text: &str) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    for at in line_starts(text, |line| line.trim_end() == "---") {
        if found.last().is_some_and(|(_, end)| at < *end) {
            continue;
        }
        let Some(head) = headed(&text[at..]) else { continue };
        let is_own = head.fields.contains_key("rollout_summary_files")
            || (head.fields.contains_key("keywords") && head.fields.contains_key("description"));
        if is_own && !head.fields.contains_key("name") {
            found.push((at, at + head.head.len()));
        }
    }
    found
}

/// Reads the form of early 2026: a head before each list of entries.
fn older(text: &str, page: Page<'_>) -> Option<Vec<Memory>> {
    let heads = heads(text);
    let page = Page { generation: "handbook_head", ..page };
    let mut found = loose(&text[..heads.first()?.0], 0, page);
    for (index, (start, body)) in heads.iter().enumerate() {
        let end = heads.get(index + 1).map_or(text.len(), |next| next.0);
        let Some(head) = headed(&text[*start..end]) else { continue };
        let field = |name: &str| text_of(&head.fields, name).unwrap_or_default();
        let mut task = Task { keywords: entry::words(&field("keywords")), ..Task::default() };
        match head.fields.get("rollout_summary_files") {
            Some(Value::Array(files)) => {
                files.iter().filter_map(Value::as_str).for_each(|file| task.take_session(file));
            }
            _ => task.take_session(&field("rollout_summary_files")),
        }
        let description = field("description");
        let group = Group {
            title: description.clone(),
            folders: cwd::folders(&text[*start..*body]),
            ..Group::default()
        };
        let above = text[..*body].lines().count();
        for piece in sections(&text[*body..end]) {
            let section = piece.path.last().cloned().unwrap_or_default();
            let shown = Section { path: vec![String::new(), section], ..piece };
            let mut memory = group.entry(&shown, &text[*body..end], above, page);
            group.fill(&mut memory, &[&task], page);
            memory.kind_as_written = None;
            found.push(memory.finished());
        }
    }
    Some(found)
}
