//! In which folder the shell was before a call.

use std::borrow::Cow;

use memchr::memmem;

use super::wire::Line;

/// Where the shell is. A line is written with the folder in which it is then: of a quick command that
/// goes to another one, that in which it ended. What came back before has the folder in which it began.
#[derive(Default)]
pub(super) struct Whereabouts {
    folder: Option<String>,
    /// Whether a call since then may have moved it.
    may_have_moved: bool,
}

/// What stands in a command that goes to another folder.
const MOVES: &[&str] = &["cd ", "pushd", "popd", "Location"];

impl Whereabouts {
    /// Notes the folder of what came back, or of what was typed.
    pub(super) fn came_back(&mut self, line: &Line<'_>) {
        let Some(cwd) = line.cwd.filled().filter(|_| !line.is_side) else { return };
        if self.folder.as_deref() != Some(cwd) {
            self.folder = Some(cwd.to_owned());
        }
        self.may_have_moved = false;
    }

    /// Returns the folder before a call with these arguments. Another agent has a shell of its own.
    pub(super) fn before<'a>(
        &mut self,
        line: &'a Line<'a>,
        arguments: &str,
    ) -> Option<Cow<'a, str>> {
        let noted = line.cwd.filled()?;
        if line.is_side {
            return Some(Cow::Borrowed(noted));
        }
        let has = |word: &&str| memmem::find(arguments.as_bytes(), word.as_bytes()).is_some();
        let moves = MOVES.iter().any(has);
        let known = self.folder.as_deref().filter(|_| moves && !self.may_have_moved);
        let folder = match known.filter(|known| *known != noted) {
            Some(known) => Cow::Owned(known.to_owned()),
            None => Cow::Borrowed(noted),
        };
        self.may_have_moved |= moves;
        Some(folder)
    }
}
