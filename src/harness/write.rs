//! What a writer of native sessions must do, and what all writers share.

use std::io;

use camino::{Utf8Path, Utf8PathBuf};
use serde::Serialize;

use crate::error::Result;
use crate::jsonl::Input;
use crate::model::{Blob, Conversation, Deed, NativeCall};
use crate::note::Losses;

/// Writes conversations as sessions that the harness itself resumes, and checks such files.
pub trait Writer: Sync {
    /// Returns the harness's own call that does `deed`, if it has a tool that says exactly that.
    fn call(&self, deed: &Deed) -> Option<NativeCall>;

    /// Writes `conversation` as a session of its own, and says what the form cannot hold.
    fn write(
        &self,
        conversation: &Conversation,
        target: &Target,
        out: &mut dyn io::Write,
    ) -> io::Result<Losses>;

    /// Returns where under `home` the harness looks for it.
    fn place(&self, home: &Utf8Path, conversation: &Conversation, target: &Target)
    -> Result<Place>;

    /// Returns the command that resumes it, to be run in `target.cwd`.
    fn resume(&self, target: &Target) -> String;

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
    let bytes = blob.bytes.map(|bytes| format!(", {bytes} bytes")).unwrap_or_default();
    let digest = blob.sha256.as_ref().and_then(|digest| digest.get(..12));
    let digest = digest.map(|digest| format!(", SHA-256 {digest}")).unwrap_or_default();
    let address = blob.address.as_ref().map(|at| format!(", {at}")).unwrap_or_default();
    format!("[{}{bytes}{digest}{address}: not carried over]", blob.media_type)
}
