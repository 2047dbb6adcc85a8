//! One entry of a block replaced or taken out.

use camino::Utf8Path;

use super::super::Tree;
use super::super::edit::fate;
use super::super::row::{change, placed};
use super::{EDITED, TITLE_CHARS, contained, entries, filled, is_ours, written};
use crate::block::{self, MEMORY};
use crate::model::{Memory, clipped, first_sentence};
use crate::plan::MemoryPlan;

/// Says how the entry `memory` of a block is replaced by `text`, or goes; the rest of the block stays.
pub(in crate::harness::memory) fn edit(
    memory: &Memory,
    text: Option<&str>,
    tree: &Tree,
) -> Result<MemoryPlan, String> {
    let path = Utf8Path::new(&memory.source.path);
    let bytes = tree.bytes(path).ok_or("its file is not there any more")?;
    let found = block::find(&bytes, MEMORY).map_err(|fault| fault.to_string())?;
    let found = found.filter(|block| is_ours(&bytes, block));
    let found = found.ok_or("the block there was changed since it was written: edit it by hand")?;
    let mut entries = entries(&block::body(&bytes, &found));
    let origin = memory.source.key.rsplit_once('#').map_or("", |(_, origin)| origin);
    let at = entries.iter().position(|entry| entry.origin == origin);
    let at = at.ok_or("a human wrote it into the block: edit it by hand")?;
    match text {
        Some(text) => entries[at].text = changed(&entries[at].text, memory, text),
        None => _ = entries.remove(at),
    }
    let keeps = |text: &&str| !is_titled_by_text(memory) || title_of(text).is_none();
    let stays = text.filter(keeps).map(|_| {
        let title = &memory.title;
        format!("\"{title}\" stays as its heading in `{path}`: it may not hold any more")
    });
    let after = match entries.is_empty() {
        true => block::take_out(&bytes, MEMORY).ok().flatten().unwrap_or_default(),
        false => filled(&bytes, &entries).map_err(|fault| fault.to_string())?,
    };
    let changes = change(tree, path, &String::from_utf8_lossy(&after)).into_iter().collect();
    let rows = vec![placed(memory, fate(text), path)];
    let warnings = stays.into_iter().collect();
    Ok(MemoryPlan { rows, changes, warnings, ..MemoryPlan::default() })
}

/// Tells whether the title of a memory was made of the beginning of its text.
fn is_titled_by_text(memory: &Memory) -> bool {
    let title = memory.title.trim_end_matches('…');
    !title.is_empty() && clipped(&plain(&memory.body_md), usize::MAX).starts_with(&plain(title))
}

/// Returns an entry with another text under its heading, which follows the text that it was made of; its
/// last line says so.
fn changed(entry: &str, memory: &Memory, text: &str) -> String {
    let title = title_of(text).filter(|_| is_titled_by_text(memory));
    let heading = match title {
        Some(title) => format!("### {title}"),
        None => entry.lines().next().unwrap_or_default().to_owned(),
    };
    let trailer = entry.lines().last().unwrap_or_default().replace(EDITED, "");
    let (start, origin) = trailer.rsplit_once("; ").unwrap_or((&trailer, ""));
    written(&format!("{heading}\n\n{}\n\n{start}; {EDITED}{origin}", contained(text.trim())))
}

/// Returns a text without the marks of bold words.
fn plain(text: &str) -> String {
    text.replace("**", "")
}

/// Returns a title for a text that has none, if something in it can be one.
fn title_of(text: &str) -> Option<String> {
    let sentence = contained(&first_sentence(&plain(text)));
    let title = clipped(sentence.trim_end_matches(['.', '。']).trim(), TITLE_CHARS);
    title.contains(char::is_alphanumeric).then_some(title)
}
