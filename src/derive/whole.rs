//! What a session left in its files, where it wrote all of one.

use super::timeline::{Done, Timeline};
use crate::model::{Action, Change, Session, Verb};

/// Programs that can put in a file's place what was written before it.
const KEEP_TIMES: &[&str] = &["mv ", "cp ", "rsync ", "touch ", "tar ", "unzip "];

/// The changes of a session's files.
pub struct Wholes<'s> {
    timeline: Timeline<'s>,
    /// Each with its file and when it was made, in order.
    changes: Vec<(String, &'s Change, Option<&'s str>)>,
}

/// What a session wrote last in a file, which was all that it then held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whole<'s> {
    text: &'s str,
    /// When it did so, as recorded; nothing if it is not sure that it did, or if a file that is older can be what
    /// the session left.
    pub at: Option<&'s str>,
}

impl Whole<'_> {
    /// Tells whether `now`, what the file holds, is that; a tool may or may not end the last line.
    pub fn is(&self, now: &str) -> bool {
        self.text.trim_end_matches('\n') == now.trim_end_matches('\n')
    }
}

impl<'s> Wholes<'s> {
    /// Gathers them.
    pub fn new(session: &'s Session) -> Self {
        let timeline = Timeline::new(session);
        let keeps_times = |done: &Done<'_>| {
            let line = done.command().filter(|_| !done.refused()).unwrap_or_default();
            KEEP_TIMES.iter().any(|program| line.contains(program))
        };
        let kept = timeline.done().rfind(keeps_times).map(|done| done.index);
        let mut changes = Vec::new();
        for done in timeline.done().filter(|done| !done.failed() && !done.refused()) {
            let Some(Action::Edit { changes: all }) = done.call.action.as_deref() else { continue };
            let is_sure = done.worked() && kept.is_none_or(|kept| kept < done.index);
            let at = done.item.ts.as_deref().filter(|_| is_sure);
            changes.extend(all.iter().map(|change| (timeline.path(&change.path), change, at)));
        }
        Self { timeline, changes }
    }

    /// Returns what the last change of a file wrote, if it wrote all of it; `paths` are all names of the
    /// file, from the root and from the project's top folder.
    pub fn of(&self, paths: &[&str]) -> Option<Whole<'s>> {
        let paths: Vec<_> = paths.iter().map(|path| self.timeline.path(path)).collect();
        let (_, change, at) = self.changes.iter().rfind(|(path, ..)| paths.contains(path))?;
        let is_whole = change.verb == Verb::Write && !change.added.is_empty();
        is_whole.then_some(Whole { text: &change.added, at: *at })
    }
}
