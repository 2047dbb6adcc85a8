//! `memory_summary.md`: what is put before the model, and routes to the rest.

use super::entry::{self, Page};
use super::{cwd, preference};
use crate::harness::memory::sections::{Section, sections};
use crate::model::{DatedBy, Level, Memory, MemoryKind, MemoryScope};

/// The section whose entries point at other files.
pub(super) const ROUTES: &str = "What's in Memory";
/// The part of it for what has no date.
pub(super) const OLDER: &str = "Older Memory Topics";

/// Reads a summary. Routes only repeat what is told where they lead to, so that they count only
/// where there is no handbook.
pub(super) fn read(text: &str, page: Page<'_>, has_handbook: bool) -> Vec<Memory> {
    let pieces = sections(text).into_iter();
    let told = pieces.filter(|piece| !piece.path.is_empty() || piece.body != "v1");
    told.filter_map(|piece| match piece.path.first().map(String::as_str) {
        Some(ROUTES) if has_handbook || is_pointer(&piece.body) => None,
        Some(ROUTES) => Some(topic(&piece, text, page)),
        _ => Some(said(&piece, text, page)),
    })
    .collect()
}

/// Tells whether an entry only names a file.
fn is_pointer(body: &str) -> bool {
    body.contains("rollout_summaries/") || body.contains("extensions/")
}

/// Reads an entry of the profile, of the preferences, or of the tips.
fn said(piece: &Section, text: &str, page: Page<'_>) -> Memory {
    let section = piece.path.first().map_or("", String::as_str);
    let mut memory = page.entry(&text[piece.place.clone()], piece.lines);
    memory.body_md = preference::without_tasks(&piece.body).0;
    memory.title = entry::title(&memory.body_md);
    match section.to_lowercase().as_str() {
        "user profile" => {
            memory.kind = MemoryKind::User;
            if !piece.is_bullet {
                section.clone_into(&mut memory.title);
            }
        }
        "user preferences" => preference::fill(&mut memory),
        "general tips" | "" => {}
        _ => memory.kind_as_written = Some(section.to_owned()),
    }
    if !section.is_empty() {
        memory.extra.insert("section".to_owned(), section.into());
    }
    memory.finished()
}

/// Reads a route as the memory that it is where nothing else tells more.
fn topic(piece: &Section, text: &str, page: Page<'_>) -> Memory {
    let mut memory = page.entry(&text[piece.place.clone()], piece.lines);
    let first = piece.body.lines().next().unwrap_or_default();
    let (title, keywords) = first.split_once(": ").unwrap_or((first, ""));
    title.trim().clone_into(&mut memory.title);
    memory.keywords = entry::words(keywords);
    let desc = piece.body.lines().find_map(|line| line.trim().strip_prefix("- desc:"));
    desc.unwrap_or_default().trim().clone_into(&mut memory.summary);
    memory.body_md.clone_from(&piece.body);
    let scopes: Vec<_> = piece.path.iter().skip(1).filter(|name| *name != OLDER).collect();
    memory.scope = scopes.first().map_or_else(MemoryScope::default, |name| {
        let named = cwd::folders(name);
        let named = if named.is_empty() { vec![cwd::plain(name)] } else { named };
        entry::scope(&named, page.at)
    });
    if scopes.is_empty() {
        memory.scope.level = Level::Global;
    }
    if let Some(day) = scopes.iter().find_map(|name| entry::time(name)) {
        memory.updated_at = Some(day);
        memory.dated_by = Some(DatedBy::Field);
    }
    memory.finished()
}
