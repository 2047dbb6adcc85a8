//! What can stop a run, what the user reads then, and the exit code.

use std::fmt;
use std::io;

use camino::{Utf8Path, Utf8PathBuf};

/// Shorthand for a result that fails with [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A reason to stop.
///
/// Anything that the program can work around is a [`Note`](crate::note::Note), and the run goes on.
#[derive(Debug)]
pub enum Error {
    /// No session matches what the user asked for.
    NoSession {
        /// What was looked for, in the user's words.
        wanted: String,
        /// Where it was looked for.
        looked_in: Vec<String>,
        /// Whether it was looked for in every project.
        everywhere: bool,
        /// Where else sessions began that may be meant, as in `sessions began above it, in …`.
        near: Option<String>,
    },
    /// What was asked for is not there.
    Nothing {
        /// What was looked for and where.
        what: String,
    },
    /// Several sessions match.
    Ambiguous {
        /// What was looked for.
        wanted: String,
        /// One line a candidate.
        candidates: Vec<String>,
    },
    /// The words of a hint do not say which session is meant.
    Unsure {
        /// The words.
        hint: String,
        /// One line a candidate, the likeliest first.
        candidates: Vec<String>,
    },
    /// The arguments cannot be meant.
    Usage {
        /// What is wrong.
        what: String,
        /// What to type instead.
        hint: Option<String>,
    },
    /// The budget does not even hold the now card.
    BudgetTooSmall {
        /// What the user gave.
        budget: usize,
        /// What is needed.
        needed: usize,
        /// `tokens` or `characters`.
        unit: &'static str,
    },
    /// Blocks of context files are not what they would be now.
    OutOfDate {
        /// The files.
        files: Vec<String>,
        /// Whether a run without `--check` would change any of them.
        can_be_mended: bool,
    },
    /// A file could not be read.
    Read {
        /// The file.
        path: String,
        /// What the system said.
        cause: io::Error,
    },
    /// A file could not be written.
    Write {
        /// The file; `-` is standard output.
        path: String,
        /// What the system said.
        cause: io::Error,
    },
    /// An output was refused before anything was written.
    Refused {
        /// What was refused and why.
        what: String,
        /// What to type instead.
        hint: Option<String>,
    },
    /// A file was read, but it is not what it should be.
    NotASession {
        /// The file.
        path: String,
        /// What it is, or what it lacks.
        why: String,
        /// What to type instead.
        hint: Option<String>,
    },
    /// A template does not render.
    Template {
        /// The whole message of the template engine, with the line.
        message: String,
    },
    /// The work of a session is not done.
    NotDone {
        /// What speaks against it.
        reasons: String,
    },
    /// A session file has something that stops its harness.
    NotResumable {
        /// The file.
        path: String,
        /// How many such things there are.
        problems: usize,
        /// Whether it can be read, and so written anew.
        is_readable: bool,
    },
    /// Some of many sessions could not be exported.
    SomeFailed {
        /// How many.
        failed: usize,
        /// Of how many.
        of: usize,
        /// Whether all of them could be read, and not be written.
        were_read: bool,
    },
    /// `--strict`, and there was a note.
    Strict {
        /// How many different notes there were.
        notes: usize,
    },
}

impl Error {
    /// A file that could not be read.
    pub fn read(path: impl AsRef<Utf8Path>, cause: io::Error) -> Self {
        Self::Read { path: path.as_ref().to_string(), cause }
    }

    /// Whether it is that nothing was there to be read.
    pub fn is_of_nothing(&self) -> bool {
        use io::ErrorKind::{NotADirectory, NotFound};
        matches!(self, Self::Read { cause, .. } if matches!(cause.kind(), NotFound | NotADirectory))
    }

    /// A file that could not be written.
    pub fn write(path: impl Into<Utf8PathBuf>, cause: io::Error) -> Self {
        Self::Write { path: path.into().into_string(), cause }
    }

    /// Names the output that could not be written, where whoever wrote to it knew no name.
    #[must_use]
    pub fn at_output(self, name: &Utf8Path) -> Self {
        match self {
            Self::Write { path, cause } if path == "-" => Self::write(name, cause),
            other => other,
        }
    }

    /// Wrong usage, with what to type instead.
    pub fn usage(what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Usage { what: what.into(), hint: Some(hint.into()) }
    }

    /// Returns the lines of the sessions that may be meant; what somebody typed stands in them.
    pub fn candidates_mut(&mut self) -> &mut [String] {
        match self {
            Self::Ambiguous { candidates, .. } | Self::Unsure { candidates, .. } => candidates,
            _ => &mut [],
        }
    }

    /// Whether a project that is there has no session yet, whatever began in a folder above it.
    pub fn is_of_empty_project(&self) -> bool {
        let Self::NoSession { wanted, looked_in, everywhere: false, .. } = self else {
            return false;
        };
        !looked_in.iter().all(|place| place.ends_with(NOT_THERE)) && !wanted.ends_with(NO_FOLDER)
    }

    /// Returns the exit code; the README has the table.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Write { cause, .. } if cause.kind() == io::ErrorKind::BrokenPipe => 0,
            Self::NoSession { .. }
            | Self::Nothing { .. }
            | Self::OutOfDate { .. }
            | Self::NotDone { .. }
            | Self::NotResumable { .. } => 1,
            Self::Ambiguous { .. }
            | Self::Unsure { .. }
            | Self::Usage { .. }
            | Self::BudgetTooSmall { .. } => 2,
            Self::Read { .. }
            | Self::NotASession { .. }
            | Self::SomeFailed { were_read: false, .. }
            | Self::Template { .. } => 3,
            Self::Write { .. } | Self::Refused { .. } | Self::SomeFailed { .. } => 4,
            Self::Strict { .. } => 5,
        }
    }

    /// Returns what the user can do about it, where there is something to do.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::NoSession { near: Some(near), .. } => Some(format!(
                "sessions began {near}: --project with that folder; `segue list --all` shows every \
                 session"
            )),
            Self::NoSession { everywhere, looked_in, .. } => {
                // Where no folder of a harness is, other projects have no sessions either.
                let is_bare = looked_in.iter().all(|place| place.ends_with(NOT_THERE));
                Some(no_session(*everywhere || is_bare).into())
            }
            Self::Read { cause, .. } => to_read(cause).map(Into::into),
            Self::Write { cause, .. } => to_write(cause).map(Into::into),
            Self::OutOfDate { can_be_mended, .. } => {
                can_be_mended.then(|| "the same without --check".into())
            }
            Self::NotResumable { is_readable, .. } => {
                is_readable.then(|| "`segue convert` writes a new file of the same session".into())
            }
            Self::NotDone { .. } => {
                Some("`segue pack` with the same session carries the work on".into())
            }
            Self::Ambiguous { .. } => Some("type more of the id, or `HARNESS:ID`".into()),
            Self::Unsure { .. } => {
                let with = "`segue pack HARNESS:ID`, `segue sync FILE --session HARNESS:ID`";
                Some(format!("other or more words, or one of these as the session: {with}"))
            }
            Self::BudgetTooSmall { needed, unit: "tokens", .. } => {
                Some(format!("`--budget {needed}` or more"))
            }
            Self::BudgetTooSmall { needed, .. } => Some(format!("`--max-chars {needed}` or more")),
            Self::Usage { hint, .. }
            | Self::Refused { hint, .. }
            | Self::NotASession { hint, .. } => hint.clone(),
            Self::Strict { .. } => {
                Some("`-v` shows each note; without --strict they stop nothing".into())
            }
            Self::SomeFailed { .. } => Some("the same again tries only these".into()),
            Self::Template { .. } => {
                Some("`segue templates plain` prints the built-in template, which works".into())
            }
            Self::Nothing { .. } => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSession { wanted, looked_in, .. } => {
                write!(f, "no session {wanted}")?;
                if looked_in.is_empty() {
                    return f.write_str("; no harness has a home here, since HOME is not set");
                }
                looked_in.iter().try_for_each(|place| write!(f, "\n  looked in {place}"))
            }
            Self::NotResumable { path, problems, .. } => {
                let errors = if *problems == 1 { "error" } else { "errors" };
                write!(f, "`{path}` cannot be resumed as it is: {problems} {errors}")
            }
            Self::NotDone { reasons } => write!(f, "the work is not done: {reasons}"),
            Self::Ambiguous { wanted, candidates } => {
                write!(f, "{} sessions match `{wanted}`", candidates.len())?;
                write_candidates(f, candidates)
            }
            Self::Nothing { what } | Self::Usage { what, .. } | Self::Refused { what, .. } => {
                f.write_str(what)
            }
            Self::OutOfDate { files, .. } => write!(f, "not up to date: {}", files.join(", ")),
            Self::Unsure { hint, candidates } => {
                write!(f, "it is not sure which session `{hint}` means")?;
                write_candidates(f, candidates)
            }
            Self::BudgetTooSmall { budget, needed, unit } => {
                let few = match budget {
                    1 => format!("1 {} is", unit.trim_end_matches('s')),
                    _ => format!("{budget} {unit} are"),
                };
                let needs = "with goal and next step alone the template needs";
                write!(f, "{few} too few: {needs} {needed}")
            }
            Self::Read { path, cause } => {
                write!(f, "cannot read {}: {}", named(path, "input"), read_failed(cause))
            }
            Self::Write { path, cause } => {
                write!(f, "cannot write {}: {}", named(path, "output"), write_failed(cause))
            }
            Self::NotASession { path, why, .. } => write!(f, "{} {why}", named(path, "input")),
            Self::SomeFailed { failed, of, .. } => {
                write!(f, "{failed} of {of} sessions could not be exported")
            }
            Self::Template { message } => write!(f, "template failed: {message}"),
            Self::Strict { notes: 1 } => f.write_str("there is a note, and --strict was given"),
            Self::Strict { notes } => write!(f, "{notes} kinds of notes, and --strict was given"),
        }
    }
}

impl std::error::Error for Error {}

/// Returns a path for a message; `-` stands for the standard `stream`.
fn named(path: &str, stream: &str) -> String {
    if path == "-" { format!("standard {stream}") } else { format!("`{path}`") }
}

/// How many candidates are told.
pub const MOST_CANDIDATES: usize = 20;

/// Writes the first of the sessions that may be meant, a line each, and how many more there are.
fn write_candidates(f: &mut fmt::Formatter<'_>, candidates: &[String]) -> fmt::Result {
    candidates.iter().take(MOST_CANDIDATES).try_for_each(|line| write!(f, "\n  {line}"))?;
    let more = candidates.len().saturating_sub(MOST_CANDIDATES);
    if more > 0 { write!(f, "\n  and {more} more") } else { Ok(()) }
}

/// Stands behind a project whose folder is not there.
pub const NO_FOLDER: &str = ", which is no folder here";
/// Stands behind a place that was looked in and is not there.
pub const NOT_THERE: &str = " (not there)";

fn no_session(everywhere: bool) -> &'static str {
    match everywhere {
        true => {
            "`segue doctor` says what is there of each harness; a session file can be given by its path"
        }
        false => "`segue list --all` shows every session; a session file can be given by its path",
    }
}

/// Says why something could not be read.
fn read_failed(cause: &io::Error) -> String {
    match cause.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::NotADirectory => "a part of its path is a file, not a folder".to_owned(),
        _ => failed(cause),
    }
}

/// Says why something could not be written.
fn write_failed(cause: &io::Error) -> String {
    match cause.kind() {
        io::ErrorKind::NotFound => "its folder is not there".to_owned(),
        io::ErrorKind::AlreadyExists => "a file of that name is there already".to_owned(),
        io::ErrorKind::NotADirectory => "a part of its path is a file, not a folder".to_owned(),
        _ => failed(cause),
    }
}

/// Says why something that is there could not be read, in the words of all such errors.
pub fn unread(cause: &io::Error) -> String {
    read_failed(cause)
}

/// Says what the system said, without its numbers.
fn failed(cause: &io::Error) -> String {
    match cause.kind() {
        io::ErrorKind::PermissionDenied => NO_PERMISSION.to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder, not a file".to_owned(),
        io::ErrorKind::StorageFull => "no space is left there".to_owned(),
        io::ErrorKind::ReadOnlyFilesystem => "what is there can only be read".to_owned(),
        _ => {
            let said = cause.to_string();
            said.split_once(" (os error ").map_or(said.as_str(), |(words, _)| words).to_owned()
        }
    }
}

/// Says that a file or folder is there for others.
const NO_PERMISSION: &str = "you have no permission";

/// Returns what can be done about a file of which `why` says why it cannot be read, if that is so for others.
pub fn to_be_let(why: &str) -> Option<&'static str> {
    why.contains(NO_PERMISSION).then(|| to_read(&io::ErrorKind::PermissionDenied.into()))?
}

/// Returns what can be done about a file that cannot be read.
fn to_read(cause: &io::Error) -> Option<&'static str> {
    match cause.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
            Some("a path counts from the current directory")
        }
        io::ErrorKind::PermissionDenied => {
            Some("`ls -ld` with the path shows whose it is; `chmod u+rX` lets its owner read it")
        }
        io::ErrorKind::UnexpectedEof => Some("copy it once more from where it came"),
        _ => None,
    }
}

/// Returns what can be done about a file that cannot be written.
fn to_write(cause: &io::Error) -> Option<&'static str> {
    match cause.kind() {
        io::ErrorKind::NotFound => Some("`mkdir -p` makes a folder with those above it"),
        io::ErrorKind::IsADirectory => Some("name a file in it"),
        io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => Some("take another name"),
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            Some("write it where you may, such as into your home folder")
        }
        io::ErrorKind::StorageFull => Some("make room, or write it elsewhere"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_not_be_read_is_not_to_be_taken_away() {
        let why = unread(&io::ErrorKind::PermissionDenied.into());
        assert_eq!(why, "you have no permission");
        assert!(to_be_let(&why).is_some_and(|hint| hint.contains("chmod u+rX")));
        assert_eq!(to_be_let("it is no text in UTF-8"), None);
    }
}
