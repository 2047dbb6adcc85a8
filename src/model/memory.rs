//! Memories: lasting facts, rules and preferences, as all harnesses have them in common.

use std::collections::BTreeMap;

use camino::Utf8Path;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
use unicode_normalization::UnicodeNormalization as _;

mod words;

use words::labelled;
pub use words::{clipped, first_sentence, slug};

/// What the `schema` field of a memory record says.
pub const MEMORY_SCHEMA: &str = "segue.memory/1";

/// How long the one line that says what a memory is about may be, in characters.
pub const SUMMARY_CHARS: usize = 150;

/// How much of the digest an id has, in hexadecimal digits.
const ID_DIGITS: usize = 16;

/// A lasting fact, rule or preference.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Memory {
    /// `mem_` and 16 digits: made of the kind, the scope, the title and the body.
    pub id: String,
    /// What it is about.
    pub kind: MemoryKind,
    /// The kind in the words of the source, where that has one of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind_as_written: Option<String>,
    /// A short name for files: small letters, digits and hyphens.
    pub name: String,
    /// What it is called.
    pub title: String,
    /// One line by which a reader decides whether it matters, up to 150 characters.
    pub summary: String,
    /// The whole text, in Markdown, without a head.
    pub body_md: String,
    /// Why it holds, where the body says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// What to do because of it, where the body says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub how_to_apply: Option<String>,
    /// Where it holds.
    pub scope: MemoryScope,
    /// Where it stands.
    pub source: MemorySource,
    /// When it was written first, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<String>,
    /// When it was true last, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<String>,
    /// What `updated_at` rests on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dated_by: Option<DatedBy>,
    /// How often sessions cited it, where that was counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage_count: Option<u64>,
    /// When a session cited it last, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_used_at: Option<String>,
    /// The names of other memories that it points at.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<String>,
    /// Words by which it is found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keywords: Vec<String>,
    /// How the work that it comes from ended, in the words of the source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// The mark of the memory that it is an untouched copy of, where this program wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copy_of: Option<String>,
    /// What has to be known before it is trusted.
    #[serde(default)]
    pub flags: MemoryFlags,
    /// Fields of the source that have no place of their own here.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub extra: Map<String, Value>,
    /// The text as it stands in the source, head included, byte for byte; only where it is a file or an
    /// entry of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verbatim: Option<String>,
    /// The SHA-256 of title and body, in hexadecimal: the same memory in two places has the same.
    pub content_sha256: String,
}

/// What a memory is about.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize,
)]
#[serde(rename_all = "snake_case")]
pub enum MemoryKind {
    /// A correction, or a way of working that the user wants.
    Feedback,
    /// Who the user is, and what he likes.
    User,
    /// What goes on in the project, and is not told by its files.
    Project,
    /// Where to look, and what was found out.
    #[default]
    Reference,
    /// What was done in one task, and how it went.
    Task,
    /// How to do something, step by step.
    Skill,
    /// A rule that a human wrote into a context file.
    Instruction,
}

/// Where a memory holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
pub struct MemoryScope {
    /// Everywhere, or in one project.
    pub level: Level,
    /// The project's folder, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
}

impl MemoryScope {
    /// Everywhere.
    pub fn everywhere() -> Self {
        Self { level: Level::Global, cwd: None }
    }

    /// In a project, whose folder is `cwd` where that is known.
    pub fn of_project(cwd: Option<&Utf8Path>) -> Self {
        Self { level: Level::Project, cwd: cwd.map(Utf8Path::to_string) }
    }
}

/// How wide something holds.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// In every project.
    Global,
    /// In one project.
    #[default]
    Project,
}

/// What kind of store a file belongs to.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    /// What the agent keeps for itself.
    #[default]
    Memory,
    /// What a sub-agent of one name keeps for itself.
    Agent,
    /// A note that was left to be worked in.
    Notes,
    /// What came from another harness and is not worked in yet.
    Imported,
    /// What was made of a whole session.
    Session,
    /// How to do something, as a folder of its own.
    Skills,
    /// A context file that humans write.
    Instructions,
    /// A rule of a folder of rules that humans write.
    Rules,
    /// What says how the others are to be read: never a memory itself.
    Settings,
}

impl Layer {
    /// Tells whether humans write it, so that it is not moved unless it is asked for.
    pub fn is_human(self) -> bool {
        matches!(self, Self::Instructions | Self::Rules)
    }
}

/// Where a memory stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct MemorySource {
    /// The name of the harness.
    pub harness: String,
    /// The file.
    pub path: String,
    /// What kind of store it is in.
    pub layer: Layer,
    /// What stays the same when the text changes: the place in its store, or a digest of the entry.
    pub key: String,
    /// Which of the forms that the harness had over time, such as `front_matter_2`.
    pub generation: String,
    /// Its first line, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_line: Option<usize>,
    /// Its last line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_line: Option<usize>,
    /// The session in which it was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
}

/// What a date rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DatedBy {
    /// A field of the memory.
    Field,
    /// The name of its file.
    Name,
    /// When its file was changed last.
    File,
}

/// What has to be known of a memory before it is trusted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct MemoryFlags {
    /// The source keeps it in sight.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pinned: bool,
    /// How many secrets were taken out.
    #[serde(default)]
    pub redactions: usize,
    /// How often characters that nobody sees stood in it and were taken out, by code point, such as
    /// `U+200B`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub invisible: BTreeMap<String, usize>,
    /// The rules of hidden instructions that it fits.
    #[serde(default)]
    pub threats: Vec<String>,
    /// It is not carried on unless its rule is allowed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub quarantined: bool,
}

impl Memory {
    /// Fills in what follows from the rest: id, digest, and where they are missing name, summary, reasons.
    #[must_use]
    pub fn finished(mut self) -> Self {
        // A title is one line, whatever a file has for line ends.
        if self.title.contains(char::is_control) {
            self.title = self.title.split(char::is_control).collect::<Vec<_>>().join(" ");
        }
        if self.name.is_empty() {
            self.name = slug(&self.title);
        }
        if self.summary.is_empty() {
            self.summary = first_sentence(&self.body_md);
        }
        self.summary = clipped(&self.summary, SUMMARY_CHARS);
        self.why = self.why.or_else(|| labelled(&self.body_md, &["why"]));
        self.how_to_apply =
            self.how_to_apply.or_else(|| labelled(&self.body_md, &["how to apply"]));
        let (title, body) = (nfc(&self.title), nfc(self.body_md.trim()));
        self.content_sha256 = digest(&[&title, &body]);
        let scope = serde_json::to_string(&self.scope).unwrap_or_default();
        let kind = serde_json::to_string(&self.kind).unwrap_or_default();
        let id = digest(&[&kind, &scope, &title, &body]);
        self.id = format!("mem_{}", &id[..ID_DIGITS]);
        self
    }

    /// Returns what its text says before it says why.
    pub fn said(&self) -> &str {
        self.body_md.split("\n\n**Why:**").next().unwrap_or_default()
    }

    /// Puts what its text is about before it, so that it says so wherever it goes.
    pub fn led_by(&mut self, lead: &str) {
        let starts_block = ["```", "~~~", "- ", "* ", "+ ", "1. ", "#", "|", ">", "<"];
        let is_block = starts_block.iter().any(|mark| self.body_md.starts_with(mark));
        let joint = if is_block { "\n\n" } else { " " };
        let summary = match self.summary.as_str() {
            "" => first_sentence(&self.body_md),
            summary => summary.to_owned(),
        };
        self.summary = format!("{lead} {summary}");
        self.body_md = format!("{lead}{joint}{}", self.body_md);
    }

    /// Returns every text that a reader of it may see; its name, and where it stands, aside.
    pub fn texts_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let optional = [
            &mut self.why,
            &mut self.how_to_apply,
            &mut self.verbatim,
            &mut self.outcome,
            &mut self.kind_as_written,
        ];
        let mut extra = Vec::new();
        self.extra.values_mut().for_each(|value| strings(value, &mut extra));
        [&mut self.title, &mut self.summary, &mut self.body_md]
            .into_iter()
            .chain(optional.into_iter().flatten())
            .chain(&mut self.keywords)
            .chain(&mut self.links)
            .chain(extra)
    }

    /// Tells whether its name is made of its title, which others that are no such words can share.
    pub fn is_named_by_title(&self) -> bool {
        self.name == slug(&self.title)
    }

    /// Returns the day on which it was true last; nothing if its time is none.
    pub fn day(&self) -> Option<&str> {
        self.updated_at.as_deref()?.get(..10).filter(|day| is_day(day))
    }

    /// Returns the mark that a written copy carries to be known again: the digest of where it comes from.
    pub fn origin(&self) -> String {
        let MemorySource { harness, key, .. } = &self.source;
        let cwd = self.scope.cwd.as_deref().unwrap_or_default();
        digest(&[harness, cwd, key])[..12].to_owned()
    }
}

/// Adds every string of `value` to `found`.
fn strings<'v>(value: &'v mut Value, found: &mut Vec<&'v mut String>) {
    match value {
        Value::String(text) => found.push(text),
        Value::Array(list) => list.iter_mut().for_each(|one| strings(one, found)),
        Value::Object(map) => map.values_mut().for_each(|one| strings(one, found)),
        _ => {}
    }
}

/// Returns the SHA-256 of `parts`, in hexadecimal; each part ends with a zero byte.
pub fn digest(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Tells whether a text has the form of a day, such as `2026-05-01`.
pub fn is_day(text: &str) -> bool {
    text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}

fn nfc(text: &str) -> String {
    text.nfc().collect()
}
