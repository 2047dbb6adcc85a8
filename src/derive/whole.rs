//! What a session left in a file, where it wrote all of it.

use super::timeline::Timeline;
use crate::model::{Action, Change, Session, Verb};

/// How a file stands to what a session left in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whole {
    /// It holds what the session left.
    Same,
    /// It holds something else.
    Other,
    /// The session did not write all of it, or changed a part later.
    NotKnown,
}

/// Sets `now`, what a file holds, against what the last change of it in `session` wrote; `paths` are
/// all names of the file, from the root and from the project's top folder.
pub fn whole_text(session: &Session, paths: &[&str], now: &str) -> Whole {
    let timeline = Timeline::new(session);
    let paths: Vec<_> = paths.iter().map(|path| timeline.path(path)).collect();
    let done = timeline.done().filter(|done| !done.failed() && !done.refused());
    let changes = done.filter_map(|done| match done.call.action.as_deref() {
        Some(Action::Edit { changes }) => Some(changes),
        _ => None,
    });
    let touches = |change: &&Change| paths.contains(&timeline.path(&change.path));
    match changes.flatten().rfind(touches) {
        Some(change) if change.verb == Verb::Write && !change.added.is_empty() => {
            // A tool may or may not end the last line.
            let same = change.added.trim_end_matches('\n') == now.trim_end_matches('\n');
            if same { Whole::Same } else { Whole::Other }
        }
        _ => Whole::NotKnown,
    }
}
