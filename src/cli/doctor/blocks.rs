//! The blocks that this program keeps in the context files of a project.

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use serde::Serialize;

use super::Row;
use crate::block::{self, MEMORY, PACK};
use crate::discover::Found;
use crate::emit::Context;
use crate::harness::{self, Severity};
use crate::select::fetch::quoted;
use crate::worktree;

/// A context file that holds a block.
#[derive(Serialize)]
pub(super) struct File {
    pub(super) file: String,
    /// The session of the pack in it, as the pack names it; nothing if it holds no pack.
    pub(super) session: Option<String>,
    /// Whether a newer session is there, or that session went on since.
    pub(super) perhaps_stale: bool,
    /// The file that is read in its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) hidden_by: Option<String>,
    /// The command that makes the pack in it anew.
    #[serde(skip)]
    pub(super) sync: String,
}

/// What is known of the project besides its files.
pub(super) struct Known<'a> {
    /// Its newest session.
    pub(super) newest: Option<&'a Found>,
    /// The arguments by which a command means the same project.
    pub(super) meant: &'a str,
}

impl Known<'_> {
    /// Returns the command that puts a pack of the project into a file.
    fn sync(&self, file: &str) -> String {
        format!("segue sync {}{}", quoted(file), self.meant)
    }
}

/// Looks at the context files of the project at `root`.
pub(super) fn of(root: &Utf8Path, known: &Known<'_>, findings: &mut Vec<Row>) -> Vec<File> {
    let files = harness::ALL.iter().map(|one| one.context_file());
    let names: BTreeSet<_> =
        files.flat_map(|file| [Some(file.name), file.instead]).flatten().collect();
    names.into_iter().filter_map(|name| one(&root.join(name), known, findings)).collect()
}

fn one(path: &Utf8Path, known: &Known<'_>, findings: &mut Vec<Row>) -> Option<File> {
    let held = match held(path) {
        Ok(held) => held,
        Err(row) => {
            findings.push(row.of(path.as_str()));
            return None;
        }
    };
    let session = held.pack.as_deref().and_then(session_of).map(str::to_owned);
    let hidden_by = hidden_by(path).filter(|_| held.pack.is_some());
    if let Some(other) = &hidden_by {
        let message = format!("the pack in `{path}` is not read: `{other}` is, in its place");
        let (own, sync) = (quoted(path.as_str()), known.sync(other));
        let hint = format!("`segue sync {own} --remove` takes it out; `{sync}` puts one there");
        findings
            .push(Row::new(Severity::Warning, "hidden_block", message, &hint).of(path.as_str()));
    }
    let sync = known.sync(path.as_str());
    let newest = known.newest.filter(|_| held.pack.is_some() && hidden_by.is_none());
    let why = newest.and_then(|newest| stale(path, session.as_deref(), newest));
    if let Some(why) = &why {
        let message = format!("the pack in `{path}` may be out of date: {why}");
        let hint =
            format!("`{sync}` brings it up to date, unless that session is too small for a pack");
        findings.push(Row::new(Severity::Info, "stale_block", message, &hint).of(path.as_str()));
    }
    if held.is_touched {
        let message = format!("the pack in `{path}` was changed by hand");
        let hint = format!("put your words above or below it: `{sync}` makes it anew");
        findings.push(Row::new(Severity::Info, "touched_block", message, &hint).of(path.as_str()));
    }
    let is_ours = held.pack.is_some() || held.has_memories;
    let (file, perhaps_stale) = (path.to_string(), why.is_some());
    is_ours.then_some(File { file, session, perhaps_stale, hidden_by, sync })
}

/// Returns the file that is read in place of a context file, where it stands beside it.
fn hidden_by(path: &Utf8Path) -> Option<String> {
    let name = path.file_name()?;
    let instead = harness::context_file(name)?.instead.filter(|other| *other != name)?;
    worktree::beside(path, instead).map(Utf8PathBuf::into_string)
}

/// What a context file holds of this program.
struct Held {
    /// The text of the pack in it.
    pack: Option<String>,
    /// Whether somebody changed it since.
    is_touched: bool,
    has_memories: bool,
}

/// Reads a context file, or says what is wrong with it.
fn held(path: &Utf8Path) -> Result<Held, Row> {
    let context = Context::read(path).map_err(|error| {
        let hint = error.hint().unwrap_or_else(|| "make it a text file that you may read".into());
        Row::new(Severity::Error, "unreadable_context", error.to_string(), &hint)
    })?;
    let find = |kind| {
        block::find(context.bytes(), kind).map_err(|fault| {
            let message = format!("the block in `{path}` cannot be kept up to date: {fault}");
            Row::new(Severity::Error, "broken_block", message, &fault.hint(kind))
        })
    };
    let pack = find(PACK)?;
    let is_touched = pack.as_ref().is_some_and(|pack| block::is_touched(context.bytes(), pack));
    let pack = pack.map(|pack| block::body(context.bytes(), &pack));
    Ok(Held { pack, is_touched, has_memories: find(MEMORY)?.is_some() })
}

/// Returns the session that the opening tag of a pack names.
fn session_of(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once(" session=\"")?;
    Some(rest.split_once('"')?.0)
}

/// Says why a pack may be out of date, without making it anew.
fn stale(path: &Utf8Path, session: Option<&str>, newest: &Found) -> Option<String> {
    let name = format!("{}:{}", newest.harness.name(), newest.header.id);
    if let Some(session) = session.filter(|session| !name.starts_with(session)) {
        return Some(format!("it is of {session}, and the newest session is {name}"));
    }
    let written = path.metadata().and_then(|meta| meta.modified()).ok()?;
    let written = jiff::Timestamp::try_from(written).ok()?;
    let is_later = newest.ended().is_some_and(|ended| ended > written);
    is_later.then(|| format!("the session {name} went on after it was written"))
}
