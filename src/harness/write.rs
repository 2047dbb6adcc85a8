//! What a writer of native sessions must do, and what all writers share.

mod records;
mod sides;

use std::borrow::Cow;
use std::io;

use camino::{Utf8Path, Utf8PathBuf};
use serde::Serialize;
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::error::Result;
use crate::jsonl::Input;
use crate::model::{Blob, Conversation, Deed, NativeCall, Side};
use crate::note::Losses;

pub(super) use records::Records;
pub(super) use sides::side_id;
pub use sides::{Above, SideFile, SideWritten, sides};

/// The kinds of images that providers take.
pub(super) const IMAGES: &[&str] = &["image/png", "image/jpeg", "image/gif", "image/webp"];

/// Writes conversations as sessions that the harness itself resumes, and checks such files.
pub trait Writer: Sync {
    /// Returns the harness's own call that does `deed`, if it has a tool that says exactly that.
    fn call(&self, deed: &Deed) -> Option<NativeCall>;

    /// Writes `conversation` as a session of its own, and says what the form cannot hold.
    ///
    /// Its side sessions are only linked; [`sides()`] gives their files.
    fn write(
        &self,
        conversation: &Conversation,
        target: &Target,
        out: &mut dyn io::Write,
    ) -> io::Result<Losses>;

    /// Returns where under `home` the harness looks for it.
    fn place(&self, home: &Utf8Path, conversation: &Conversation, target: &Target)
    -> Result<Place>;

    /// Writes a side session as a file that is linked to the session `above`, whose call began it;
    /// nothing where the form has no place for it.
    fn side(&self, _side: &Side, _above: &Above<'_>) -> io::Result<Option<SideFile>> {
        Ok(None)
    }

    /// Returns the command that resumes it, to be run in `target.cwd`.
    fn resume(&self, target: &Target) -> String;

    /// Returns the harness's own list of sessions that it took over from the program called `from`,
    /// where it keeps one.
    fn ledger(&self, _home: &Utf8Path, _from: &str) -> Option<Utf8PathBuf> {
        None
    }

    /// Returns that list with `source` entered; nothing where there is nothing to change.
    fn entered(&self, _list: &str, _source: &Imported, _target: &Target) -> Option<String> {
        None
    }

    /// Returns after how many days the harness deletes a session, by the time that stands in it.
    fn keeps_days(&self) -> Option<u32> {
        None
    }

    /// Looks for what would stop a file from being listed, loaded or accepted.
    fn check(&self, input: &Input) -> Result<Vec<Finding>>;
}

/// What is to be written, besides the conversation.
#[derive(Clone, Debug)]
pub struct Target {
    /// The id of the new session: a UUID, the same for the same source and options.
    pub id: String,
    /// The folder in which it goes on: absolute.
    pub cwd: String,
    /// The source, as `harness:id`.
    pub origin: String,
    /// The time of writing, RFC 3339, where the file is put into the harness's home: some harnesses
    /// clean up by it. Nothing where the same input must give the same bytes.
    pub now: Option<String>,
}

impl Target {
    /// Returns a folder of a session that was recorded in `home` as it is called where that goes on: one
    /// below `home` lies below the new one.
    pub fn folder(&self, folder: &str, home: &str) -> String {
        moved(folder, home, &self.cwd)
    }
}

/// Returns what a folder is called after `home` was moved to `to`; one outside of it stays.
pub(super) fn moved(folder: &str, home: &str, to: &str) -> String {
    let home = home.strip_suffix('/').filter(|bare| !bare.is_empty()).unwrap_or(home);
    let below = folder.strip_prefix(home).filter(|_| !home.is_empty());
    let goes_on = |rest: &&str| match home.starts_with('/') {
        true => rest.starts_with('/'),
        false => rest.starts_with(['/', '\\']),
    };
    let below = below.filter(|rest| rest.is_empty() || goes_on(rest) && !leads_out(rest));
    let new = |rest: &str| {
        // It came from a system that parts folders in another way.
        let is_foreign = to.starts_with('/') && rest.starts_with('\\');
        let rest = if is_foreign { rest.replace('\\', "/") } else { rest.to_owned() };
        match to.strip_suffix('/') {
            Some(root) if !rest.is_empty() => format!("{root}{rest}"),
            _ => format!("{to}{rest}"),
        }
    };
    below.map_or(folder.to_owned(), new)
}

/// Whether a path goes up above where it begins.
fn leads_out(path: &str) -> bool {
    let depth = path.split(['/', '\\']).try_fold(0_usize, |depth, part| match part {
        "" | "." => Some(depth),
        ".." => depth.checked_sub(1),
        _ => Some(depth + 1),
    });
    depth.is_none()
}

/// A file of another harness that was taken over.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The file, from the root.
    pub path: Utf8PathBuf,
    /// The SHA-256 of what it holds, in hexadecimal.
    pub content_sha256: String,
    /// When it was changed last, in nanoseconds since 1970.
    pub modified_ns: u64,
    /// The time now, in seconds since 1970.
    pub now_s: i64,
    /// The title of the session.
    pub title: Option<String>,
}

/// Where a session goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its file.
    pub file: Utf8PathBuf,
    /// Small files that have to stand beside it, if they are not there already.
    pub beside: Vec<(Utf8PathBuf, String)>,
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The session is not listed, not loaded, or refused by the provider.
    Error,
    /// Something of it is not sent, or lost later.
    Warning,
    /// Worth knowing.
    Info,
}

impl Severity {
    /// Returns the word with which a finding begins.
    pub fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

/// Something about a native file that a user should know before resuming it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// Counts from 1; 0 stands for the whole file.
    pub line: u64,
    /// A short name that does not change, such as `missing_timestamp`.
    pub rule: &'static str,
    /// What was found and what it does.
    pub message: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// Returns the line that stands in place of bytes that a target cannot hold.
pub(super) fn placeholder(blob: &Blob<'_>) -> String {
    let name = blob.name();
    let bytes = name.bytes.map(|bytes| format!(", {bytes} bytes")).unwrap_or_default();
    let digest = name.sha256.as_ref().and_then(|digest| digest.get(..12));
    let digest = digest.map(|digest| format!(", SHA-256 {digest}")).unwrap_or_default();
    let address = blob.address.as_ref().map(|at| format!(", {at}")).unwrap_or_default();
    format!("[{}{bytes}{digest}{address}: not carried over]", blob.media_type)
}

/// Returns the words of bytes that are plain text, which every target can hold.
pub(super) fn words(blob: &Blob<'_>) -> Option<String> {
    blob.words().filter(|words| !words.trim().is_empty())
}

/// What stands in place of an output without any text, where a target needs some.
pub(super) const EMPTY: &str = "(empty)";

/// The longest run of letters and digits in a part that is carried as text: what is longer is bytes.
const WORD_BYTES: usize = 400;

/// Returns the text that stands in place of a part that only another harness knows: its JSON, or
/// where that holds what nobody can read, a line about it.
pub(super) fn foreign<'a>(kind: &str, json: &'a RawValue) -> Cow<'a, str> {
    let text = json.get();
    let is_digit = |sign: char| sign.is_ascii_alphanumeric() || "+/=_-".contains(sign);
    let is_sealed = text.split(|sign| !is_digit(sign)).any(|word| word.len() > WORD_BYTES);
    if !is_sealed {
        return text.into();
    }
    let kind: String = kind.chars().filter(|sign| !sign.is_control()).take(64).collect();
    let kind = if kind.is_empty() { "part" } else { &kind };
    format!("[{kind}, {} bytes: not carried over]", text.len()).into()
}

/// Returns the id of a line: the same for the same session and entry.
pub(super) fn line_id(target: &Target, entry: &str) -> String {
    let space = Uuid::parse_str(&target.id).unwrap_or(Uuid::NAMESPACE_OID);
    Uuid::new_v5(&space, entry.as_bytes()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_lies_in_the_new_one_as_it_lay_in_the_old_one() {
        for (folder, home, to, want) in [
            ("/a/b/c", "/a/b", "/x", "/x/c"),
            ("/a/b", "/a/b", "/", "/"),
            ("/a/b/c", "/a/b", "/", "/c"),
            ("/a/bc", "/a/b", "/x", "/a/bc"),
            ("C:\\a\\b\\c d", "C:\\a", "/x", "/x/b/c d"),
            ("C:\\a\\b", "C:\\a", "D:\\x", "D:\\x\\b"),
            ("c", "", "/x", "c"),
            ("/a/b/c", "/a/b/", "/x", "/x/c"),
            ("/a/b\\c", "/a/b", "/x", "/a/b\\c"),
            ("/a/b/../c", "/a/b", "/x", "/a/b/../c"),
            ("/a/b/c/../d", "/a/b", "/x", "/x/c/../d"),
        ] {
            assert_eq!(moved(folder, home, to), want);
        }
    }

    #[test]
    fn what_nobody_can_read_is_only_named() {
        let of = |json: String| {
            let json = RawValue::from_string(json).unwrap();
            foreign("sealed", &json).into_owned()
        };
        let readable = r#"{"type":"search_result","title":"some words of a page"}"#;
        assert_eq!(of(readable.to_owned()), readable);
        let sealed = format!(r#"{{"type":"sealed","data":"{}=="}}"#, "gAAAA".repeat(100));
        assert_eq!(
            of(sealed.clone()),
            format!("[sealed, {} bytes: not carried over]", sealed.len())
        );
    }
}
