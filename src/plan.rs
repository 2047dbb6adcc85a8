//! Files that would be written: data only.

use std::fmt;

use camino::Utf8PathBuf;
use serde::Serialize;

/// What a run would put into a harness's home.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The folder below which everything is written, and which has to be there.
    pub home: Utf8PathBuf,
    /// The session's own file; never written over one that is there.
    pub file: Utf8PathBuf,
    /// Files that have to stand beside it, with what they hold, if they are not there: side
    /// sessions, and small ones.
    pub beside: Vec<(Utf8PathBuf, Vec<u8>)>,
}

/// What a run would change of the memories of a harness, and what became of each memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryPlan {
    /// A row a memory, in the order in which they were given.
    pub rows: Vec<MemoryRow>,
    /// The files that change; none twice.
    pub changes: Vec<FileChange>,
    /// What the user should know before it is done.
    pub warnings: Vec<String>,
    /// The stores that had no room for all.
    pub full: Vec<FullStore>,
}

impl MemoryPlan {
    /// Adds a plan that was made of what this one leaves behind.
    pub fn go_on(&mut self, next: Self) {
        for change in next.changes {
            match self.changes.iter_mut().find(|one| one.path == change.path) {
                Some(one) => (one.after, one.modified_at) = (change.after, change.modified_at),
                None => self.changes.push(change),
            }
        }
        let told = next.warnings.into_iter().filter(|one| !self.warnings.contains(one));
        self.warnings.append(&mut told.collect());
        self.rows.extend(next.rows);
        self.full.extend(next.full);
    }
}

/// A store of limited size that could not take in all that was to be written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FullStore {
    /// Its file.
    pub path: Utf8PathBuf,
    /// How much of it is used.
    pub used: usize,
    /// How much it may hold.
    pub limit: usize,
    /// What both count, such as `characters`.
    pub unit: &'static str,
    /// What it holds, in its order.
    pub entries: Vec<FullEntry>,
    /// What did not get in.
    pub left_out: Vec<FullEntry>,
}

/// An entry of such a store.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FullEntry {
    /// How much it takes, in the unit of the store.
    pub size: usize,
    /// How it begins.
    pub preview: String,
}

impl fmt::Display for FullStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, used, limit, unit, .. } = self;
        write!(f, "`{path}` has {used} of {limit} {unit}; it holds")?;
        let line = |entry: &FullEntry| format!("\n  {:>6}  {}", entry.size, entry.preview);
        self.entries.iter().try_for_each(|entry| f.write_str(&line(entry)))?;
        f.write_str("\nand has no room for")?;
        self.left_out.iter().try_for_each(|entry| f.write_str(&line(entry)))
    }
}

/// What becomes of one memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MemoryRow {
    /// What becomes of it.
    pub fate: MemoryFate,
    /// The id of the memory.
    pub id: String,
    /// What it is called.
    pub title: String,
    /// The file that has it now or will have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Utf8PathBuf>,
    /// Why it is not simply written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What of it the target has no place for, such as `links`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<&'static str>,
}

/// What becomes of a memory in a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryFate {
    /// It is not there yet.
    New,
    /// It is there and says the same.
    Same,
    /// A copy of it that nobody touched is brought up to date.
    Changed,
    /// A human changed the copy, or something else has its place.
    Conflict,
    /// It is not carried.
    Dropped,
    /// It is taken out.
    Removed,
}

/// A file as it is and as it is to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileChange {
    /// The file, from the root.
    pub path: Utf8PathBuf,
    /// What it holds; nothing if it is not there.
    pub before: Option<Vec<u8>>,
    /// What it is to hold; nothing if it is to go.
    pub after: Option<Vec<u8>>,
    /// The time that it is to bear, RFC 3339; nothing for now.
    pub modified_at: Option<String>,
}
