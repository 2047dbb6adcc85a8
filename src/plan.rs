//! Files that would be written: data only.

use camino::Utf8PathBuf;

/// What a run would put into a harness's home.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The folder below which everything is written, and which has to be there.
    pub home: Utf8PathBuf,
    /// The session's own file; never written over one that is there.
    pub file: Utf8PathBuf,
    /// Small files that have to stand beside it, with what they hold, if they are not there.
    pub beside: Vec<(Utf8PathBuf, String)>,
}
