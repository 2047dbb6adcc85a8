//! What a session left in its files, where it wrote all of one.

use std::borrow::Cow;

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

/// What a session left in a file of which it wrote all, by what it changed in it since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Whole<'s> {
    text: Cow<'s, str>,
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

    /// Returns what the changes of a file left in it, if the session wrote all of it; `paths` are all names of the
    /// file, from the root and from the project's top folder.
    pub fn of(&self, paths: &[&str]) -> Option<Whole<'s>> {
        let paths: Vec<_> = paths.iter().map(|path| self.timeline.path(path)).collect();
        let changes = self.changes.iter().filter(|(path, ..)| paths.contains(path));
        let mut left: Option<Whole<'s>> = None;
        for (_, change, at) in changes {
            let text = match (&change.verb, left) {
                (Verb::Write, _) => Some(Cow::Borrowed(change.added.as_str())),
                (Verb::Update, Some(whole)) => replaced(&whole.text, change),
                _ => None,
            };
            left = text.map(|text| Whole { text, at: *at });
        }
        left.filter(|whole| !whole.text.is_empty())
    }
}

/// Returns a text as a change leaves it; nothing where what goes does not stand there once.
fn replaced<'s>(text: &str, change: &Change) -> Option<Cow<'s, str>> {
    let is_once = !change.removed.is_empty() && text.matches(change.removed.as_str()).count() == 1;
    is_once.then(|| text.replacen(change.removed.as_str(), &change.added, 1).into())
}
