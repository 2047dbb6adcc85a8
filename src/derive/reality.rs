//! How the project stands now to what the session left: told from outside, nothing here looks.

use serde::Serialize;

/// What became of a file of the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// It was there, and is not now.
    Gone,
    /// It is not there, and nothing says for sure that it was: a command line that named it ended well.
    NotThere,
    /// It was written after the session's last item, or holds something else than the session wrote in it.
    Changed,
}

/// What is asked of git for a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Repository {
    /// There is a repository.
    Git,
    /// There is none.
    None,
    /// Nobody knows: the git program is not there, or cannot be run.
    NoProgram,
    /// There is one into which git does not look, such as one of somebody else, or a broken one.
    Refused,
    /// Nobody knows: git took too long, or said what is of no use.
    NoAnswer,
}

/// The project as it was when the pack was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reality {
    /// Whether git keeps it.
    pub repository: Repository,
    /// The branch; nothing if none is checked out.
    pub branch: Option<String>,
    /// The commit, in full; nothing before the first.
    pub commit: Option<String>,
    /// Files that are not committed, but those that harnesses read at their start. A folder of new
    /// files counts once.
    pub uncommitted: Option<usize>,
    /// Files of the session among them.
    pub uncommitted_touched: usize,
    /// What was begun in git and has not ended: `rebase`, `am`, `merge`, `cherry-pick`, `revert` or `bisect`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub going_on: Option<&'static str>,
    /// The branch that it is about, where none is checked out meanwhile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub going_on_with: Option<String>,
    /// The first files that nobody has merged yet, from the top folder of the repository.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unmerged: Vec<String>,
    /// How many more there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unmerged_more: Option<usize>,
    /// Files of the session that are gone.
    pub gone: usize,
    /// Files of the session that were changed since.
    pub changed: usize,
    /// The newest commit since the session ended, where all that it left is committed as it left it in commits since:
    /// its short name and its subject.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub committed_since: Option<String>,
    /// Files that were changed in turns that were taken back, in none that is left, and that hold that still.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_behind: Vec<String>,
}
