//! Notes: what a stage could not carry over, counted by kind.
//!
//! A note is not an error. The user gets what was asked for, less something, and the note says
//! what and where.

mod loss;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use loss::{Loss, LossKind, Losses};

/// What kind of thing was skipped or only partly kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NoteKind {
    /// A line that is no JSON record.
    BrokenLine,
    /// The last line ends in the middle: the harness is still writing, or was killed.
    CutOffLine,
    /// Two or more records on one line; each was read.
    GluedRecords,
    /// Bytes that are not UTF-8, or half of a surrogate pair; shown as U+FFFD.
    WrongEncoding,
    /// A record whose type this version does not know.
    UnknownRecord,
    /// A record of a known type without a field that it needs.
    IncompleteRecord,
    /// A piece of a message whose type this version does not know; it was carried as it is.
    UnknownPart,
    /// The parent of an item is not in the file.
    MissingParent,
    /// A summary that only the model's provider can read.
    UnreadableSummary,
    /// History that stands in another file which is not here.
    MissingHistory,
    /// A file that belongs to the session could not be read.
    UnreadableCompanion,
    /// A tool result whose call is not in the file.
    OrphanResult,
    /// A script whose commands could only partly be told.
    UnclearScript,
    /// A structure nested deeper than can be read; it was carried as text.
    TooDeep,
    /// A time that is none; the item has none then.
    OddTime,
    /// What the form of an export has no place for.
    NotInForm,
    /// A call whose id was that of an earlier one, in a form where each must have its own.
    RenamedCall,
    /// A time that the form asks for and the session does not have.
    MadeUpTime,
    /// A file that should hold memories and could not be read.
    UnreadableMemory,
    /// A file of memories that is named and is not there.
    MissingMemory,
    /// A file that a context file asks for, and that was not read.
    UnfollowedImport,
    /// A file of memories in none of the forms that its harness had; it was carried as plain sections.
    OddMemory,
    /// Instructions that stand beyond what the harness loads.
    BeyondWindow,
    /// A memory that stands in its file twice.
    DoubledMemory,
    /// A file beside memories that its harness never loads.
    NotAMemory,
    /// A file of settings that cannot be read; what it says of memories is not known.
    BrokenSettings,
    /// A folder that settings name for memories and that was not taken for that: it holds everything, or the settings
    /// came with a repository, outside of which it lies.
    FolderNotTaken,
}

impl NoteKind {
    /// Returns the words for one line on standard error.
    pub fn words(self) -> &'static str {
        match self {
            Self::BrokenLine => "could not read broken lines",
            Self::CutOffLine => "left out a last line that is cut off",
            Self::GluedRecords => "found several records on one line",
            Self::WrongEncoding => "replaced wrongly encoded text",
            Self::UnknownRecord => "skipped records of unknown type",
            Self::IncompleteRecord => "skipped incomplete records",
            Self::UnknownPart => "carried message parts of unknown type as they are",
            Self::MissingParent => "bridged missing parents",
            Self::UnreadableSummary => "found compaction summaries that only the provider can read",
            Self::MissingHistory => "missed history that stands in another file",
            Self::UnreadableCompanion => "could not read files beside the session",
            Self::OrphanResult => "found tool results without their call",
            Self::UnclearScript => "could only partly tell the commands of scripts",
            Self::TooDeep => "carried too deeply nested values as text",
            Self::OddTime => "left out times that are none",
            Self::NotInForm => "left out what the form has no place for",
            Self::RenamedCall => "gave calls with the id of another one an id of their own",
            Self::MadeUpTime => "filled in times that the session does not have",
            Self::UnreadableMemory => "could not read files with memories",
            Self::MissingMemory => "missed memories that an index names",
            Self::UnfollowedImport => "did not follow imports",
            Self::OddMemory => "read memories of an unknown form as plain text",
            Self::BeyondWindow => "found instructions beyond what the harness loads",
            Self::DoubledMemory => "left out memories that stand in their file twice",
            Self::NotAMemory => "left out files that are no memories",
            Self::BrokenSettings => "could not read settings",
            Self::FolderNotTaken => "did not take folders outside a repository for its memories",
        }
    }
}

/// How often one kind of thing happened, and where first.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Note {
    /// What happened.
    pub kind: NoteKind,
    /// Which one, such as the unknown type; empty where the kind says all.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// How often.
    pub count: u64,
    /// The line where it happened first; lines count from 1, 0 stands for the whole file.
    pub first_line: u64,
}

impl std::fmt::Display for Note {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.kind.words())?;
        if !self.name.is_empty() {
            write!(f, " `{}`", self.name)?;
        }
        write!(f, ": {}", self.count)?;
        if self.first_line > 0 {
            write!(f, " (first at line {})", self.first_line)?;
        }
        Ok(())
    }
}

/// Collects notes, one entry a kind and name.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    by_kind: BTreeMap<(NoteKind, String), (u64, u64)>,
}

impl Notes {
    /// How many different names of one kind are told apart before the rest is counted as `…`.
    const NAMES: usize = 200;
    /// How many characters of a name are kept, with the mark where it is cut.
    const NAME_CHARS: usize = 400;

    /// Counts one more of `kind` at `line`.
    pub fn add(&mut self, kind: NoteKind, name: &str, line: u64) {
        let full = self.by_kind.len() >= Self::NAMES;
        let mut name = clipped(name);
        if full && !self.by_kind.contains_key(&(kind, name.clone())) {
            name = "…".to_owned();
        }
        self.by_kind.entry((kind, name)).or_insert((0, line)).0 += 1;
    }

    /// Returns the notes, ordered by kind and name.
    pub fn list(&self) -> Vec<Note> {
        let note = |((kind, name), (count, first_line)): (&(NoteKind, String), &(u64, u64))| Note {
            kind: *kind,
            name: name.clone(),
            count: *count,
            first_line: *first_line,
        };
        self.by_kind.iter().map(note).collect()
    }
}

/// Cuts a name that is too long, and marks that.
fn clipped(name: &str) -> String {
    match name.char_indices().nth(Notes::NAME_CHARS) {
        None => name.to_owned(),
        Some(_) => name.chars().take(Notes::NAME_CHARS - 1).chain(['…']).collect(),
    }
}

/// Where every line of a source went. The last three add up to the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Lines of the source; in a document its messages.
    pub lines_read: u64,
    /// Lines that became items or part of the header.
    pub lines_used: u64,
    /// Lines of a known type that hold nothing of the session itself, and blank ones.
    pub lines_bookkeeping: u64,
    /// Lines that only gave a note.
    pub lines_noted: u64,
}

/// What became of one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// Known, and nothing to carry.
    Bookkeeping,
    /// Only a note.
    Noted,
    /// Items or header.
    Used,
}

impl Tally {
    /// Counts one line.
    pub fn count(&mut self, fate: Fate) {
        self.lines_read += 1;
        match fate {
            Fate::Used => self.lines_used += 1,
            Fate::Bookkeeping => self.lines_bookkeeping += 1,
            Fate::Noted => self.lines_noted += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_cut_says_so() {
        let name = |length: usize| {
            let mut notes = Notes::default();
            notes.add(NoteKind::UnknownRecord, &"ä".repeat(length), 1);
            notes.list()[0].name.clone()
        };
        assert_eq!(name(400), "ä".repeat(400));
        assert_eq!(name(401), format!("{}…", "ä".repeat(399)));
    }
}
