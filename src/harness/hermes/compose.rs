//! A memory as one entry, as short as it can be.

use camino::Utf8Path;

use super::NAME;
use super::entries::safe;
use super::limits::Kind;
use super::read::AS_OF;
use crate::block::Fences;
use crate::harness::memory::row::{FILES, unheld};
use crate::model::{Level, Memory, MemoryKind, clipped, first_sentence};

/// A body up to here is carried whole, in characters; of a longer one its summary.
const WHOLE_CHARS: usize = 240;
/// How long the sentence of an entry may be, in characters.
const SENTENCE_CHARS: usize = 300;
/// How long its reason may be, in characters.
const WHY_CHARS: usize = 120;

/// An entry that is to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Composed {
    /// The store that it belongs into.
    pub(super) kind: Kind,
    /// Its text.
    pub(super) text: String,
    /// What of the memory it does not say.
    pub(super) lost: Vec<&'static str>,
}

/// Returns the entry that says `memory`; one of this harness that still says the same stays as it is.
pub(super) fn entry(memory: &Memory) -> Composed {
    if memory.source.harness == NAME
        && let Some(text) = &memory.verbatim
        && text.trim() == memory.body_md.trim()
    {
        let file =
            memory.source.key.split('#').next().and_then(|key| Utf8Path::new(key).file_name());
        let kind = file.and_then(Kind::named).unwrap_or_else(|| store_for(memory));
        return Composed { kind, text: safe(text), lost: Vec::new() };
    }
    let prose = prose(&memory.body_md);
    let has_code = prose.is_some();
    let flat = flat(prose.as_deref().unwrap_or(&memory.body_md));
    let bare = self::flat(memory.said());
    let fits = |text: &str| !text.is_empty() && text.chars().count() <= WHOLE_CHARS;
    let whole = fits(&flat);
    // Behind its reason more may stand.
    let is_all = !memory.body_md[memory.said().len()..].trim_start().contains("\n\n");
    let sentence = match sentence(memory) {
        _ if whole => flat.clone(),
        _ if is_all && !has_code && fits(&bare) => bare.clone(),
        // What only leads to a list says nothing without it.
        sentence if sentence.ends_with(':') => clipped(&bare, SENTENCE_CHARS),
        sentence => sentence,
    };
    let why = memory
        .why
        .as_deref()
        .filter(|_| !whole)
        .map(|why| clipped(why.trim_end_matches('.'), WHY_CHARS));
    let day = memory.day().filter(|day| !sentence.contains(*day));
    let asides: Vec<String> = why
        .as_ref()
        .map(|why| format!("why: {why}"))
        .into_iter()
        .chain(day.map(|day| format!("{AS_OF}{day}")))
        .collect();
    let aside = if asides.is_empty() { String::new() } else { format!(" ({})", asides.join("; ")) };
    let text = safe(&format!("{}{sentence}{aside}", project(memory)));
    let mut lost = lost(memory, (whole, is_all && bare == sentence), why.as_deref(), &text);
    lost.extend((whole && has_code).then_some("code"));
    Composed { kind: store_for(memory), text, lost }
}

fn store_for(memory: &Memory) -> Kind {
    if memory.kind == MemoryKind::User { Kind::User } else { Kind::Notes }
}

/// Returns the words that say for which project a memory holds: the stores know none.
fn project(memory: &Memory) -> String {
    let cwd = memory.scope.cwd.as_deref().filter(|_| memory.scope.level == Level::Project);
    let words = cwd.map_or_else(String::new, |cwd| for_project(Utf8Path::new(cwd)));
    // It may stand there from when it was written before.
    if memory.body_md.starts_with(&words) { String::new() } else { words }
}

/// Returns the same for the project in a folder; nothing if that has no name.
pub(super) fn for_project(folder: &Utf8Path) -> String {
    let name = folder.file_name();
    name.map_or_else(String::new, |name| format!("Project {}: ", clipped(name, WHY_CHARS)))
}

fn sentence(memory: &Memory) -> String {
    let first = first_sentence(&memory.body_md);
    let texts = [memory.summary.trim(), &first, memory.title.trim()];
    let text = texts.into_iter().find(|text| !text.is_empty()).unwrap_or_default();
    clipped(text, SENTENCE_CHARS)
}

/// Returns a text without its blocks of code, which make no line; nothing if it has none.
fn prose(text: &str) -> Option<String> {
    let mut fences = Fences::default();
    let lines: Vec<_> = text.lines().filter(|line| !fences.takes(line)).collect();
    (lines.len() < text.lines().count()).then(|| lines.join("\n"))
}

/// Returns a text as one line, without the marks of bold words and of links between memories.
fn flat(text: &str) -> String {
    // In code they are none.
    let pieces = text.split('`').enumerate().map(|(at, piece)| match at % 2 {
        0 => piece.replace("**", "").replace("[[", "").replace("]]", ""),
        _ => piece.to_owned(),
    });
    let text = pieces.collect::<Vec<_>>().join("`");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Tells what of a memory an entry does not say.
///
/// It may say the body as a whole, or all before its reason, as the two flags tell.
fn lost(
    memory: &Memory,
    (whole, bare): (bool, bool),
    why: Option<&str>,
    text: &str,
) -> Vec<&'static str> {
    let has_body = whole || bare;
    let lacks_why =
        memory.why.as_deref().is_some_and(|all| !whole && why != Some(all.trim_end_matches('.')));
    let word = |is_lost: bool, word: &'static str| is_lost.then_some(word);
    [
        word(!text.contains(memory.title.trim()), "title"),
        word(!has_body, "body"),
        word(memory.scope.level == Level::Project, "scope"),
        word(lacks_why, "why"),
        word(memory.how_to_apply.is_some() && !has_body, "how to apply"),
        word(!memory.links.is_empty(), "links"),
        word(memory.kind != MemoryKind::User, "type"),
        word(memory.created_at.is_some(), "dates"),
        word(memory.usage_count.is_some() || memory.last_used_at.is_some(), "usage"),
        word(!memory.keywords.is_empty(), "keywords"),
        word(memory.outcome.is_some(), "outcome"),
        word(memory.extra.keys().any(|name| name != FILES), "fields"),
        unheld(memory),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::MemoryScope;

    fn rule() -> Memory {
        Memory {
            kind: MemoryKind::Feedback,
            title: "Locked builds".to_owned(),
            summary: "Build with --locked".to_owned(),
            body_md: format!(
                "Build with --locked.\n\n**Why:** the server does.\n\n{}",
                "x ".repeat(200)
            ),
            scope: MemoryScope { level: Level::Project, cwd: Some("/p/lamp".to_owned()) },
            updated_at: Some("2026-03-04T05:06:07Z".to_owned()),
            ..Memory::default()
        }
        .finished()
    }

    #[test]
    fn an_entry_names_project_reason_and_day() {
        let entry = entry(&rule());
        let want = "Project lamp: Build with --locked (why: the server does; as of 2026-03-04)";
        assert_eq!((entry.text.as_str(), entry.kind), (want, Kind::Notes));
        assert_eq!(entry.lost, ["title", "body", "scope", "type"]);
    }

    #[test]
    fn a_short_body_is_carried_whole() {
        let body_md = "Likes **tea**.\n§\nSee [[cups]].".to_owned();
        let links = vec!["cups".to_owned()];
        let entry = entry(&Memory { kind: MemoryKind::User, body_md, links, ..Memory::default() });
        assert_eq!((entry.text.as_str(), entry.kind), ("Likes tea. § See cups.", Kind::User));
        assert_eq!(entry.lost, ["scope", "links"]);
    }

    #[test]
    fn prose_beside_code_is_carried() {
        let body_md = "Likes tea, and short answers.\n```\nx = 1\n```\n".to_owned();
        let entry = entry(&Memory { kind: MemoryKind::User, body_md, ..Memory::default() });
        assert_eq!(entry.text, "Likes tea, and short answers.");
        assert_eq!(entry.lost, ["scope", "code"]);
    }
}
