//! A memory as a Markdown file of its own, with a head, in a folder with an index.

use serde_json::{Map, Value};

use super::Stored;
use super::fields::{Headed, headed, map_of, quoted, text_of};
use super::index::spelled;
use crate::model::{DatedBy, Memory, MemoryKind, MemorySource, digest, first_sentence, is_day};

/// The field of a head by which a copy that this program wrote is known again.
const MARK: &str = "segue";
/// The fields of `metadata` that have a place of their own in a [`Memory`].
const KNOWN: [&str; 12] = [
    "node_type",
    "type",
    "originSessionId",
    "modified",
    "pinned",
    KIND,
    CREATED,
    OUTCOME,
    KEYWORDS,
    USAGE,
    USED,
    MARK,
];
/// How long the name of a field may be that is carried as it is, in bytes.
const MOST_NAME_BYTES: usize = 64;
/// How long a time may be, in characters.
const MOST_TIME_CHARS: usize = 40;
/// Fields of copies, for what no harness has a field for.
const KIND: &str = "kind";
const CREATED: &str = "created";
const OUTCOME: &str = "outcome";
const KEYWORDS: &str = "keywords";
const USAGE: &str = "usage_count";
const USED: &str = "last_used";
/// The same of the head itself.
const KNOWN_ABOVE: [&str; 7] =
    ["name", "description", "type", "originSessionId", "metadata", "modified", "pinned"];

/// Reads the text of a topic file; `name` is that of the file without its ending.
pub fn read(text: &str, name: &str, file: &Stored, source: MemorySource) -> Memory {
    let empty = Headed { fields: Map::new(), head: "", body: text };
    let Headed { fields, head, body } = headed(text).unwrap_or(empty);
    let inner = map_of(&fields, "metadata").cloned().unwrap_or_default();
    let field = |name: &str| text_of(&inner, name).or_else(|| text_of(&fields, name));
    let (kind, kind_as_written) = kind(field("type").as_deref(), name);
    let modified = field("modified").filter(|time| !time.is_empty());
    let dated_by = if modified.is_some() { DatedBy::Field } else { DatedBy::File };
    let updated_at = modified.or_else(|| file.modified_at.clone());
    let mut extra: Map<String, Value> = Map::new();
    extra.extend(inner.iter().filter(|(name, _)| !KNOWN.contains(&name.as_str())).map(own));
    extra.extend(fields.iter().filter(|(name, _)| !KNOWN_ABOVE.contains(&name.as_str())).map(own));
    let body_md = body.trim_start_matches(['\r', '\n']).trim_end().to_owned();
    let mut memory = Memory {
        kind,
        kind_as_written,
        name: name.to_owned(),
        title: text_of(&fields, "name").unwrap_or_else(|| heading(&body_md, name)),
        summary: text_of(&fields, "description").unwrap_or_default(),
        links: links(&body_md),
        scope: file.scope.clone(),
        dated_by: updated_at.as_ref().map(|_| dated_by),
        updated_at,
        created_at: field(CREATED),
        outcome: field(OUTCOME),
        keywords: field(KEYWORDS).map(|words| listed(&words)).unwrap_or_default(),
        usage_count: field(USAGE).and_then(|count| count.parse().ok()),
        last_used_at: field(USED),
        extra,
        verbatim: Some(text.to_owned()),
        source,
        body_md,
        ..Memory::default()
    };
    let exact = field(KIND).and_then(|kind| serde_json::from_value(Value::String(kind)).ok());
    memory.kind = exact.unwrap_or(memory.kind);
    memory.flags.pinned = field("pinned").as_deref() == Some("true");
    memory.copy_of = mark(text).filter(|mark| mark.is_untouched).map(|mark| mark.origin.to_owned());
    memory.source.session_id = field("originSessionId");
    memory.source.generation = generation(head, &inner).to_owned();
    memory.source.last_line = Some(text.lines().count());
    memory.finished()
}

/// Tells whether the text of a file says what the memory says that is made of it.
pub fn says(text: &str, memory: &Memory) -> bool {
    says_as(text, camino::Utf8Path::new(&memory.source.path), memory)
}

/// Tells the same of a file that is called `file`: without a heading its name is the title.
pub fn says_as(text: &str, file: &camino::Utf8Path, memory: &Memory) -> bool {
    let stem = file.file_stem().unwrap_or_default();
    let made = read(text, stem, &Stored::default(), memory.source.clone());
    made.content_sha256 == memory.content_sha256
}

fn listed(words: &str) -> Vec<String> {
    words.split(", ").map(str::trim).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

fn own((name, value): (&String, &Value)) -> (String, Value) {
    (name.clone(), value.clone())
}

/// Tells which of the forms a head has.
fn generation(head: &str, inner: &Map<String, Value>) -> &'static str {
    match (head.is_empty(), inner.is_empty()) {
        (true, _) => "plain",
        (_, true) => "front_matter_1",
        _ => "front_matter_2",
    }
}

/// Returns the kind that a word means, with the word where it is none of the known ones. Where
/// there is no word, the name of the file can begin with one.
fn kind(word: Option<&str>, name: &str) -> (MemoryKind, Option<String>) {
    let known = |word: &str| match word {
        "user" => Some(MemoryKind::User),
        "feedback" => Some(MemoryKind::Feedback),
        "project" => Some(MemoryKind::Project),
        "reference" => Some(MemoryKind::Reference),
        _ => None,
    };
    match word {
        Some(word) => match known(&word.to_lowercase()) {
            Some(kind) => (kind, None),
            None => (MemoryKind::Reference, Some(word.to_owned())),
        },
        None => {
            let start = name.split(['_', '-', '.']).next().unwrap_or_default();
            (known(start).unwrap_or_default(), None)
        }
    }
}

fn heading(body: &str, name: &str) -> String {
    let first = body.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let title = first.strip_prefix("# ").map(str::trim).filter(|title| !title.is_empty());
    title.map_or_else(|| name.replace(['_', '-'], " "), str::to_owned)
}

/// Returns the names in `[[name]]`, each once.
pub fn links(body: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for part in body.split("[[").skip(1) {
        let Some((name, _)) = part.split_once("]]") else { continue };
        let fine = !name.is_empty() && name.len() < 200 && !name.contains(['\n', '[']);
        if fine && !names.iter().any(|one| one == name) {
            names.push(name.to_owned());
        }
    }
    names
}

/// Writes a memory as a topic file, with the mark by which the copy is known again.
pub fn text(memory: &Memory) -> String {
    let bare = unmarked_text(memory);
    let mark = format!("  {MARK}: {}.{}\n", memory.origin(), &digest(&[&bare])[..12]);
    match bare.split_once("metadata:\n") {
        Some((before, after)) => format!("{before}metadata:\n{mark}{after}"),
        None => bare,
    }
}

fn unmarked_text(memory: &Memory) -> String {
    let kind = memory.kind_as_written.as_deref().unwrap_or(match memory.kind {
        MemoryKind::User => "user",
        MemoryKind::Feedback | MemoryKind::Instruction => "feedback",
        MemoryKind::Project => "project",
        MemoryKind::Reference | MemoryKind::Task | MemoryKind::Skill => "reference",
    });
    let mut head = vec![
        format!("name: {}", quoted(&memory.title)),
        format!("description: {}", quoted(&memory.summary)),
        "metadata:".to_owned(),
        "  node_type: memory".to_owned(),
        format!("  type: {}", quoted(kind)),
    ];
    let session = memory.source.session_id.as_deref();
    head.extend(session.map(|id| format!("  originSessionId: {}", quoted(id))));
    head.extend(
        memory.updated_at.as_deref().and_then(time_text).map(|time| format!("  modified: {time}")),
    );
    head.extend(memory.flags.pinned.then(|| "  pinned: true".to_owned()));
    head.extend(own_fields(memory));
    let plain = memory.extra.iter().filter_map(|(name, value)| Some((name, value.as_str()?)));
    let fits = |name: &str| {
        let is_word = name.chars().all(|c| c.is_alphanumeric() || c == '_');
        is_word && (1..=MOST_NAME_BYTES).contains(&name.len()) && !KNOWN.contains(&name)
    };
    head.extend(
        plain
            .filter(|(name, _)| fits(name))
            .map(|(name, value)| format!("  {name}: {}", quoted(value))),
    );
    format!("---\n{}\n---\n\n{}\n", head.join("\n"), memory.body_md.trim_end())
}

/// Returns the lines for what no harness has a field for.
fn own_fields(memory: &Memory) -> impl Iterator<Item = String> {
    let has_type = matches!(
        memory.kind,
        MemoryKind::User | MemoryKind::Feedback | MemoryKind::Project | MemoryKind::Reference
    );
    let kind = serde_json::to_value(memory.kind).unwrap_or_default();
    let kind = kind.as_str().filter(|_| !has_type).map(str::to_owned);
    let words = memory.keywords.iter().map(|word| word.replace(", ", " ")).collect::<Vec<_>>();
    let fields = [
        (KIND, kind),
        (CREATED, memory.created_at.as_deref().and_then(time_text)),
        (OUTCOME, memory.outcome.as_deref().map(quoted)),
        (KEYWORDS, (!words.is_empty()).then(|| quoted(&words.join(", ")))),
        (USAGE, memory.usage_count.map(|count| count.to_string())),
        (USED, memory.last_used_at.as_deref().and_then(time_text)),
    ];
    fields.into_iter().filter_map(|(name, value)| Some(format!("  {name}: {}", value?)))
}

/// Returns a time as it can stand in a head: a day, and only what times are made of; nothing if it is none.
fn time_text(time: &str) -> Option<String> {
    let is_time = time.get(..10).is_some_and(is_day);
    let fits = |c: &char| c.is_ascii_alphanumeric() || "-:.+".contains(*c);
    is_time.then(|| time.chars().filter(fits).take(MOST_TIME_CHARS).collect())
}

/// What the mark of a copy says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark<'t> {
    /// Where it comes from.
    pub origin: &'t str,
    /// Nobody changed it since.
    pub is_untouched: bool,
}

/// Returns the mark of a topic file, if this program wrote it.
pub fn mark(text: &str) -> Option<Mark<'_>> {
    let line = headed(text)?.head.split_inclusive('\n').find(|line| {
        line.strip_prefix("  ")
            .is_some_and(|line| line.starts_with(MARK) && line[MARK.len()..].starts_with(':'))
    })?;
    let (_, value) = line.split_once(':')?;
    let (origin, sha) = value.trim().split_once('.')?;
    let bare = text.replacen(line, "", 1);
    Some(Mark { origin, is_untouched: digest(&[&bare])[..12] == *sha })
}

/// Returns the line of an index that points at a topic file.
pub fn index_line(memory: &Memory, file: &str) -> String {
    /// Longer lines take detail into the index that belongs into the file, in characters.
    const MOST: usize = 150;
    let title: String = memory.title.chars().filter(|c| !"[]()".contains(*c)).collect();
    let title = crate::model::clipped(&title, 80);
    let hook = if memory.summary.is_empty() {
        first_sentence(&memory.body_md)
    } else {
        memory.summary.clone()
    };
    let start = format!("- [{title}]({}) — ", spelled(file));
    let room = MOST.saturating_sub(start.chars().count()).max(20);
    format!("{start}{}", crate::model::clipped(&hook, room))
}
