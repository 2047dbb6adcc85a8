//! What a call does, exact enough for another harness's tool to say the same.

use serde_json::{Map, Value};

use super::PlanStatus;

/// What a call does, for the tools that most harnesses have under another name.
///
/// Less than [`super::Action`] in kinds and more in each: whoever makes a call from a deed says
/// neither more nor less than the call that it was read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Runs a command line.
    Shell {
        /// The command line.
        command: String,
        /// Where, if the call says so.
        cwd: Option<String>,
        /// How long at most, in milliseconds, if the call says so.
        timeout_ms: Option<u64>,
        /// What it is for, in the model's words.
        description: Option<String>,
    },
    /// Reads a file.
    Read {
        /// The file.
        path: String,
        /// The first line, counted from 1.
        first: Option<u64>,
        /// How many lines.
        count: Option<u64>,
    },
    /// Makes a file, or replaces all of it.
    Write {
        /// The file.
        path: String,
        /// All that it holds.
        content: String,
    },
    /// Replaces a piece of a file.
    Replace {
        /// The file.
        path: String,
        /// The text that goes away.
        old: String,
        /// The text that comes.
        new: String,
        /// Everywhere, not only once.
        all: bool,
    },
    /// Looks for text in files.
    Grep {
        /// The regular expression.
        pattern: String,
        /// Where, if the call says so.
        path: Option<String>,
        /// Which files, if the call says so.
        glob: Option<String>,
    },
    /// Looks for files by their names.
    Glob {
        /// The pattern.
        pattern: String,
        /// Where, if the call says so.
        path: Option<String>,
    },
    /// Sets the whole list of work.
    Todos {
        /// Each entry and how far it is.
        items: Vec<(String, PlanStatus)>,
    },
}

/// A call as a harness's own tool: its name and arguments.
pub type NativeCall = (&'static str, Map<String, Value>);
