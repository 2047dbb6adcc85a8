//! A folder of topic files with an index: how memories come into it.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use camino::{Utf8Path, Utf8PathBuf};

use super::fields::{headed, text_of};
use super::row::{change, dropped, placed, unheld};
use super::{Stored, Tree, index, topic};
use crate::model::{Layer, Memory, MemorySource};
use crate::plan::{FileChange, MemoryFate, MemoryPlan, MemoryRow};

/// The name of the index.
pub const INDEX: &str = "MEMORY.md";
/// How many lines of an index are used at most; harnesses read 200, and warn before.
pub const MOST_LINES: usize = 140;
/// How many bytes of an index are used at most; harnesses read 25 KB, and warn before.
pub const MOST_BYTES: usize = 17_500;

/// A file of the folder as it will be.
struct Slot<'t> {
    text: Cow<'t, str>,
    /// The digest of its title and body.
    content: String,
}

/// What a folder holds, and what is to change.
struct Folder<'t> {
    path: &'t Utf8Path,
    tree: &'t Tree,
    slots: BTreeMap<Utf8PathBuf, Slot<'t>>,
    /// The slots by their content, and by where they come from.
    contents: BTreeSet<(String, Utf8PathBuf)>,
    origins: BTreeSet<(String, Utf8PathBuf)>,
    /// The names that no new file may have, in small letters.
    taken: BTreeSet<String>,
    /// Names in small letters that mean something else.
    others: BTreeSet<String>,
    /// The lines of the index, without their line feed.
    index: Vec<String>,
    /// Why the index could not be written back as it is.
    refuses: Option<String>,
    /// Whose folder it is.
    harness: &'t str,
    changes: Vec<FileChange>,
}

/// Says how `folder` has to change to hold `wanted`.
///
/// The index keeps every line that it has and gets one for each new file. Where it is full no more
/// memories are taken, since one without a line is not found again.
///
/// A memory of `harness` itself, of which nothing was changed, comes back byte for byte and without a
/// mark; all others get one. No file is called as one of `others`, which mean something else there.
pub fn write(
    wanted: &[&Memory],
    folder: &Utf8Path,
    tree: &Tree,
    harness: &str,
    others: &[String],
) -> MemoryPlan {
    let mut folder = Folder::of(folder, tree, harness);
    folder.others = others.iter().map(|name| name.to_lowercase()).collect();
    let rows = wanted.iter();
    let rows = rows.map(|memory| folder.put(memory).less(unheld(memory).into_iter().collect()));
    let rows = rows.collect();
    folder.finished(rows)
}

impl<'t> Folder<'t> {
    fn of(path: &'t Utf8Path, tree: &'t Tree, harness: &'t str) -> Self {
        let refuses = tree
            .unreadable
            .iter()
            .find(|(other, _)| *other == path || **other == path.join(INDEX))
            .map(|(path, why)| format!("`{path}` cannot be read: {why}"));
        let unread = tree.unreadable.keys().filter_map(|other| other.strip_prefix(path).ok());
        let taken = unread.map(|name| name.as_str().to_lowercase()).chain([INDEX.to_lowercase()]);
        let mut folder = Self {
            path,
            tree,
            slots: BTreeMap::new(),
            contents: BTreeSet::new(),
            origins: BTreeSet::new(),
            taken: taken.collect(),
            others: BTreeSet::new(),
            index: Vec::new(),
            refuses,
            harness,
            changes: Vec::new(),
        };
        for (name, file) in tree.below(path).filter(|(_, file)| file.layer != Layer::Settings) {
            if name == INDEX {
                let text = String::from_utf8_lossy(&file.bytes);
                if matches!(text, Cow::Owned(_)) {
                    folder.refuses = Some("the index is not in UTF-8".to_owned());
                }
                folder.index = text.split_terminator('\n').map(str::to_owned).collect();
                continue;
            }
            let text = file.text();
            let stem = name.file_stem().unwrap_or_default();
            let content = topic::read(&text, stem, file, MemorySource::default()).content_sha256;
            folder.fill(name.to_owned(), text, content);
        }
        folder
    }

    /// Enters what a file holds.
    fn fill(&mut self, name: Utf8PathBuf, text: Cow<'t, str>, content: String) {
        if let Some(old) = self.slots.get(&name) {
            self.contents.remove(&(old.content.clone(), name.clone()));
        }
        let origin = topic::mark(&text).map(|mark| mark.origin.to_owned());
        self.contents.insert((content.clone(), name.clone()));
        self.origins.extend(origin.map(|origin| (origin, name.clone())));
        self.taken.insert(name.as_str().to_lowercase());
        self.slots.insert(name, Slot { text, content });
    }

    /// Finds a place for a memory.
    fn put(&mut self, memory: &Memory) -> MemoryRow {
        if let Some(row) = self.again(memory) {
            return row;
        }
        if let Some(name) = first(&self.contents, &memory.content_sha256) {
            return placed(memory, MemoryFate::Same, &self.path.join(name));
        }
        // An index may hold a memory in a line of its own.
        let said = memory.body_md.trim();
        let is_item = |line: &String| {
            let item = line.trim().strip_prefix(['-', '*', '+']);
            item.is_some_and(|item| !said.is_empty() && item.trim() == said)
        };
        if self.index.iter().any(is_item) {
            return placed(memory, MemoryFate::Same, &self.path.join(INDEX));
        }
        let (name, taken) = self.free_name(memory);
        let line = self.line(memory, &name);
        if let Some(why) = &self.refuses {
            return dropped(memory, why.as_str());
        }
        if !self.has_room(&line) {
            return dropped(
                memory,
                format!("the index is full: it may have {MOST_LINES} lines and {MOST_BYTES} bytes"),
            );
        }
        // One may point at it from when it was there before.
        match self.line_of(&name, Some(&memory.summary)) {
            Some(old) => *old = line,
            None => self.index.push(line),
        }
        let row = placed(memory, MemoryFate::New, &self.path.join(&name));
        self.set(name.clone(), self.text(memory, &name), memory);
        match taken {
            Some(other) => MemoryRow { fate: MemoryFate::Conflict, ..row }
                .because(format!("kept beside `{other}`, which says something else")),
            None => row,
        }
    }

    /// Returns what a file called `name` is to hold: as the harness itself wrote it, or with a mark where
    /// it would not be known again by that name.
    fn text(&self, memory: &Memory, name: &Utf8Path) -> String {
        let own = own_text(memory, self.harness);
        let own = own.filter(|text| topic::says_as(text, name, memory));
        own.map_or_else(|| topic::text(memory), str::to_owned)
    }

    /// Finds the copy of a memory that was written before.
    fn again(&mut self, memory: &Memory) -> Option<MemoryRow> {
        let origin = memory.origin();
        let name = first(&self.origins, &origin)?.to_owned();
        let (slot, place) = (self.slots.get(&name)?, self.path.join(&name));
        let text = self.text(memory, &name);
        // How often it was used changes every day, and is no reason to write it again.
        let says_same = slot.content == memory.content_sha256;
        let dated = |text: &str| {
            let line = text.lines().find(|line| line.starts_with("  modified: "));
            line.map(str::to_owned)
        };
        if slot.text == text || (says_same && dated(&slot.text) == dated(&text)) {
            return Some(placed(memory, MemoryFate::Same, &place));
        }
        if !topic::mark(&slot.text).is_some_and(|mark| mark.is_untouched) {
            let fate = if says_same { MemoryFate::Same } else { MemoryFate::Conflict };
            let row = placed(memory, fate, &place);
            return Some(match says_same {
                true => row,
                false => row.because("it was changed there since it was written"),
            });
        }
        let head = headed(&slot.text);
        let says = head.and_then(|head| text_of(&head.fields, "description"));
        let line = self.line(memory, &name);
        if let Some(old) = self.line_of(&name, says.as_deref()) {
            *old = line;
        }
        self.set(name, text, memory);
        Some(placed(memory, MemoryFate::Changed, &place))
    }

    /// Returns a name that no file has, and the file that has the one that was wanted, unless that is another
    /// title in the same letters, or the name means something else.
    fn free_name(&self, memory: &Memory) -> (Utf8PathBuf, Option<String>) {
        let wanted = file_name(&memory.name, "");
        let is_other = self.others.contains(&wanted.to_lowercase());
        let is_taken = |name: &str| {
            let name = name.to_lowercase();
            self.taken.contains(&name) || self.others.contains(&name)
        };
        if !is_taken(&wanted) {
            return (wanted.into(), None);
        }
        let free = (2_u32..).map(|number| file_name(&memory.name, &format!("-{number}")));
        let free = free.into_iter().find(|name| !is_taken(name));
        let is_another =
            is_other || memory.is_named_by_title() && self.is_titled_otherwise(&wanted, memory);
        (free.unwrap_or_default().into(), Some(wanted).filter(|_| !is_another))
    }

    /// Tells whether a file has another title than `memory`, of which the name of both is made.
    fn is_titled_otherwise(&self, name: &str, memory: &Memory) -> bool {
        let (name, source) = (Utf8Path::new(name), MemorySource::default());
        let Some(slot) = self.slots.get(name) else { return false };
        let stem = name.file_stem().unwrap_or_default();
        let other = topic::read(&slot.text, stem, &Stored::default(), source);
        other.title.to_lowercase() != memory.title.to_lowercase()
    }

    fn set(&mut self, name: Utf8PathBuf, text: String, memory: &Memory) {
        let path = self.path.join(&name);
        self.changes.retain(|other| other.path != path);
        if let Some(mut change) = change(self.tree, &path, &text) {
            change.modified_at.clone_from(&memory.updated_at);
            self.changes.push(change);
        }
        self.fill(name, text.into(), memory.content_sha256.clone());
    }

    /// Returns the line of the index for a file, with the line end that the others have.
    fn line(&self, memory: &Memory, name: &Utf8Path) -> String {
        let returns = self.index.first().is_some_and(|line| line.ends_with('\r'));
        topic::index_line(memory, name.as_str()) + if returns { "\r" } else { "" }
    }

    /// Returns the line of the index that stands there for a file, which `says` so of itself.
    fn line_of(&mut self, name: &Utf8Path, says: Option<&str>) -> Option<&mut String> {
        self.index.iter_mut().find(|line| index::is_of(line, name, says))
    }

    fn has_room(&self, line: &str) -> bool {
        let bytes: usize = self.index.iter().map(|line| line.len() + 1).sum();
        self.index.len() < MOST_LINES && bytes + line.len() < MOST_BYTES
    }

    fn finished(mut self, rows: Vec<MemoryRow>) -> MemoryPlan {
        let path = self.path.join(INDEX);
        let before = self.tree.bytes(&path).unwrap_or_default();
        let text = self.index.iter().map(|line| format!("{line}\n")).collect::<String>();
        // A last line without an end stays one, and what is no text is not written back as if it were.
        let is_changed = text.as_bytes().trim_ascii_end() != before.trim_ascii_end();
        if is_changed && self.refuses.is_none() {
            self.changes.extend(change(self.tree, &path, &text));
        }
        MemoryPlan { rows, changes: self.changes, ..MemoryPlan::default() }
    }
}

/// Returns the first name that stands beside `key`.
fn first<'s>(set: &'s BTreeSet<(String, Utf8PathBuf)>, key: &str) -> Option<&'s Utf8Path> {
    let mut from = set.range((key.to_owned(), Utf8PathBuf::new())..);
    from.next().filter(|(other, _)| other == key).map(|(_, name)| name.as_path())
}

/// Returns the file of a memory that comes from a folder of the same harness and still says the same.
fn own_text<'m>(memory: &'m Memory, harness: &str) -> Option<&'m str> {
    let source = &memory.source;
    let is_topic = source.generation == "plain" || source.generation.starts_with("front_matter");
    let text = memory.verbatim.as_deref().filter(|_| source.harness == harness && is_topic)?;
    (topic::says(text, memory) && topic::mark(text).is_none()).then_some(text)
}

/// Returns a file name of a memory's own, whatever its name holds.
fn file_name(name: &str, suffix: &str) -> String {
    /// Longer names are refused by some file systems, in bytes.
    const BYTES: usize = 180;
    let name = name.trim_end_matches(".md");
    let is_safe = |c: char| c.is_alphanumeric() || "_-.".contains(c);
    let stays = name.starts_with(char::is_alphanumeric) && name.chars().all(is_safe);
    let slug = if stays { name.to_owned() } else { crate::model::slug(name) };
    let mut end = slug.len().min(BYTES);
    while !slug.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}{suffix}.md", &slug[..end])
}
