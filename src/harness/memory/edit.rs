//! One entry replaced or taken out.

use std::collections::BTreeMap;

use camino::Utf8Path;

use super::fields::{headed, text_of};
use super::index::{Pointers, without};
use super::row::{change, placed};
use super::{Tree, managed};
use crate::model::{Memory, clipped};
use crate::plan::{FileChange, MemoryFate, MemoryPlan};

/// How much of a summary is told, in characters.
const SUMMARY_CHARS: usize = 80;

/// Says how `memory` is replaced by `text`, or goes.
///
/// A file of its own goes with its line in the index; a piece of a file is cut out of it.
pub fn edit(memory: &Memory, text: Option<&str>, tree: &Tree) -> Result<MemoryPlan, String> {
    if memory.source.generation == managed::GENERATION {
        return managed::edit(memory, text, tree);
    }
    let path = Utf8Path::new(&memory.source.path);
    let file = tree.get(path).ok_or("its file is not there any more")?;
    if file.imported {
        return Err(format!("{path} is no memory, a context file only imports it"));
    }
    let before = String::from_utf8(file.bytes.clone()).map_err(|_| "its file is not in UTF-8")?;
    let after = replaced(&before, memory, text)?;
    let mut plan =
        MemoryPlan { rows: vec![placed(memory, fate(text), path)], ..MemoryPlan::default() };
    plan.warnings.extend(text.and_then(|_| still_said(memory, &before, tree)));
    let is_gone = after.is_none();
    plan.changes.push(FileChange {
        path: path.to_owned(),
        before: Some(before.into_bytes()),
        after: after.map(String::into_bytes),
        modified_at: None,
    });
    if is_gone {
        take_out(path, tree, &mut plan);
    }
    Ok(plan)
}

/// Takes a file that goes out of the indexes of `tree`, and says where one names it still.
pub fn take_out(path: &Utf8Path, tree: &Tree, plan: &mut MemoryPlan) {
    let mut named: BTreeMap<&Utf8Path, Vec<usize>> = BTreeMap::new();
    for (index, link) in Pointers::of(tree).at(path) {
        named.entry(index).or_default().push(link.line);
    }
    let file = tree.get(path).map(|file| file.text());
    let head = file.as_deref().and_then(headed);
    let says = head.and_then(|head| text_of(&head.fields, "description"));
    for (index, mut lines) in named {
        let bytes = tree.bytes(index).unwrap_or_default();
        // What is no text is not written back as if it were.
        if let Ok(text) = std::str::from_utf8(&bytes) {
            let bare = text.trim_start_matches('\u{feff}');
            let (left, still) = without(bare, says.as_deref(), |link| link.path(index) == path);
            let mark = &text[..text.len() - bare.len()];
            plan.changes.extend(change(tree, index, &format!("{mark}{left}")));
            lines = still;
        }
        let told = lines.iter().map(|line| {
            format!("`{index}:{line}` names it still: what else stands there is left as it is")
        });
        plan.warnings.extend(told);
    }
}

/// The fields of a head that say, or hold what says, when a memory was true.
const FIELDS: [&str; 2] = ["modified:", "metadata:"];

/// Says in the head of a file that is changed that it was `now`, if it says when it was at all.
pub fn date(change: &mut FileChange, now: &str) {
    let (Some(_), Some(bytes)) = (&change.before, &change.after) else { return };
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let bare = text.trim_start_matches('\u{feff}');
    let Some(head) = headed(bare).map(|head| head.head.len()) else { return };
    let head = &text[..text.len() - bare.len() + head];
    let mut field = "";
    let dated = |line: &str| {
        let (indent, rest) = line.split_at(line.len() - line.trim_start().len());
        if indent.is_empty() {
            field = FIELDS.into_iter().find(|name| line.starts_with(name)).unwrap_or_default();
        }
        // Else it may be a text of several lines.
        let is_field = field == FIELDS[usize::from(!indent.is_empty())];
        match rest.strip_prefix("modified:").filter(|_| is_field) {
            Some(_) => format!("{indent}modified: {now}{}", line_end(line)),
            None => line.to_owned(),
        }
    };
    let dated: String = head.split_inclusive('\n').map(dated).collect();
    change.after = Some((dated + &text[head.len()..]).into_bytes());
}

/// Says what becomes of an entry that is replaced by `text`, or taken out.
pub fn fate(text: Option<&str>) -> MemoryFate {
    text.map_or(MemoryFate::Removed, |_| MemoryFate::Changed)
}

/// Says where a file, or the index beside it, tells in short what the text says that is replaced: only
/// whoever wrote that knows whether it still holds.
fn still_said(memory: &Memory, file: &str, tree: &Tree) -> Option<String> {
    let path = Utf8Path::new(&memory.source.path);
    let head = headed(file).and_then(|head| text_of(&head.fields, "description"));
    let pointers = Pointers::of(tree);
    let mut places: Vec<_> =
        head.map(|_| "the `description` of its file".to_owned()).into_iter().collect();
    let items = pointers.at(path).iter().filter(|(_, link)| link.hook.is_some());
    places.extend(items.map(|(index, _)| format!("its line in `{index}`")));
    if places.is_empty() {
        return None;
    }
    let places = places.join(" and ");
    let summary = clipped(&memory.summary, SUMMARY_CHARS);
    Some(format!("\"{summary}\" stays in {places}: what is loaded first may not hold any more"))
}

/// Returns what a file holds once `memory` is replaced by `text`, or gone; nothing if the file goes.
pub fn replaced(
    before: &str,
    memory: &Memory,
    text: Option<&str>,
) -> Result<Option<String>, String> {
    let bare = before.trim_start_matches('\u{feff}');
    if memory.verbatim.as_deref() == Some(bare) {
        let head = headed(bare).map_or("", |head| head.head);
        let body = &bare[head.len()..];
        let gap = &body[..body.len() - body.trim_start_matches(['\r', '\n']).len()];
        let end = line_end(bare);
        return Ok(text.map(|text| format!("{head}{gap}{}{end}", rows(text).join(end))));
    }
    let cut = cut(before, memory, text).ok_or("its lines are not what they were")?;
    Ok(Some(cut))
}

/// Replaces the lines of a memory in its file; the mark of a bullet stays.
fn cut(before: &str, memory: &Memory, text: Option<&str>) -> Option<String> {
    let (first, last) = (memory.source.first_line?, memory.source.last_line?);
    let lines: Vec<&str> = before.split_inclusive('\n').collect();
    let old = lines.get(first.checked_sub(1)?..last)?;
    let starts = memory.body_md.lines().next()?;
    let is_as_read = match &memory.verbatim {
        Some(verbatim) => old.concat().trim_end() == verbatim.trim_end(),
        None => old.first()?.contains(starts),
    };
    is_as_read.then_some(())?;
    let mark = bullet(memory, old[0]).unwrap_or_default();
    let end = line_end(old[0]);
    let joint = format!("{end}{}", " ".repeat(mark.len()));
    let new = text.map(|text| format!("{mark}{}{end}", rows(text).join(&joint)));
    let (above, below) = (lines[..first - 1].concat(), lines[last..].concat());
    Some(format!("{above}{}{below}", new.unwrap_or_default()))
}

/// Returns the mark of a memory that is a bullet of a list, by its first line in the file.
fn bullet(memory: &Memory, line: &str) -> Option<&'static str> {
    let marks = ["- ", "* ", "+ "].into_iter();
    marks.filter(|mark| !memory.body_md.starts_with(mark)).find(|mark| line.starts_with(mark))
}

/// Returns how many lines of a file that humans write are one memory, of which `part` names but some: a piece of prose
/// is taken whole, a bullet is one thing.
pub fn lines_besides(memory: &Memory, part: &str, tree: &Tree) -> Option<usize> {
    let source = &memory.source;
    let file = tree.get(Utf8Path::new(&source.path)).filter(|file| file.layer.is_human())?;
    let text = file.text();
    let first = text.lines().nth(source.first_line?.checked_sub(1)?)?;
    let is_own = source.generation == managed::GENERATION || bullet(memory, first).is_some();
    let lines = || memory.body_md.lines().filter(|line| !line.trim().is_empty());
    let is_all = || lines().count() < 2 || lines().all(|line| part.contains(line.trim()));
    (!is_own && !is_all()).then(|| lines().count())
}

/// Returns the end of the first line.
fn line_end(text: &str) -> &'static str {
    let first = text.split_inclusive('\n').next();
    if first.is_some_and(|line| line.ends_with("\r\n")) { "\r\n" } else { "\n" }
}

fn rows(text: &str) -> Vec<&str> {
    text.trim_end().lines().collect()
}
