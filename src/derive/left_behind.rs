//! Files that were changed in turns that were taken back: what is told of the session knows nothing of it, but the
//! files may hold it still.

use std::collections::{HashMap, HashSet};

use super::timeline::Timeline;
use super::written::changed;
use crate::model::{Action, Body, Change, Item, Session, Status, Verb};

/// Why items are not live that were taken back, and what else a notice is called by which they were.
const TAKEN_BACK: &[&str] = &["branch", ROLLED_BACK];
const ROLLED_BACK: &str = "rolled_back";
/// How many bytes a text has at least that stands in a file hardly by chance.
const LEAST_BYTES: usize = 16;

/// The last change of each file that was made in a turn that was taken back.
pub struct LeftBehind<'s> {
    changes: Vec<(String, Vec<&'s Change>)>,
}

impl<'s> LeftBehind<'s> {
    /// Gathers them, but for files that were changed in what is left of the session, too.
    pub fn of(session: &'s Session) -> Self {
        let mut made: Vec<(String, Vec<&'s Change>)> = Vec::new();
        let gone = taken_back(session);
        if gone.is_empty() {
            return Self { changes: made };
        }
        let timeline = Timeline::new(session);
        let worked = worked(session, &gone);
        for item in gone {
            let Body::ToolCall(call) = &item.body else { continue };
            let edit = call.action.as_deref().filter(|_| worked.contains(call.call_id.as_ref()));
            let Some(Action::Edit { changes }) = edit else { continue };
            for change in changes {
                let path = timeline.path(&change.path);
                match made.iter_mut().find(|(known, _)| *known == path) {
                    Some((_, all)) => all.push(change),
                    None => made.push((path, vec![change])),
                }
            }
        }
        let kept: HashSet<String> =
            timeline.done().flat_map(|done| changed(&timeline, &done)).map(|it| it.path).collect();
        made.retain(|(path, _)| !kept.contains(path));
        Self { changes: made }
    }

    /// Returns the files, in the order in which they were changed first.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.changes.iter().map(|(path, _)| path.as_str())
    }

    /// Whether a file that has `text` now surely holds what was changed in it last.
    pub fn is_held(&self, file: &str, text: &str) -> bool {
        let found = self.changes.iter().find(|(path, _)| path == file);
        found.and_then(|(_, changes)| changes.last()).is_some_and(|change| holds(text, change))
    }
}

/// Returns the session's own items that were taken back.
fn taken_back(session: &Session) -> Vec<&Item<'static>> {
    let marks = session.items.iter().filter(|item| match &item.body {
        Body::Notice { kind, .. } => kind == ROLLED_BACK,
        _ => false,
    });
    let marks: HashSet<&str> = marks.map(|item| item.id.as_ref()).collect();
    let is_it = |item: &&Item<'_>| {
        let is_own = item.side_session.is_none() && item.copy_of.is_none();
        let by = item.dropped_by.as_deref().filter(|_| is_own);
        by.is_some_and(|by| TAKEN_BACK.contains(&by) || marks.contains(by))
    };
    session.items.iter().filter(is_it).collect()
}

/// Returns the ids of the calls among those that are `gone` that had worked; of two calls with one id nobody knows.
fn worked<'s>(session: &'s Session, gone: &[&'s Item<'static>]) -> HashSet<&'s str> {
    let mut ends: HashMap<&str, usize> = HashMap::new();
    for item in session.items.iter().filter(|item| item.copy_of.is_none()) {
        if let Body::ToolResult(result) = &item.body {
            *ends.entry(result.call_id.as_ref()).or_default() += 1;
        }
    }
    let well = gone.iter().filter_map(|item| match &item.body {
        Body::ToolResult(result) if result.status == Status::Ok && !result.rejected => {
            Some(result.call_id.as_ref())
        }
        _ => None,
    });
    well.filter(|id| ends.get(id) == Some(&1)).collect()
}

/// Whether a file that has `text` surely holds a change: all that was written, or what came and not what went.
fn holds(text: &str, change: &Change) -> bool {
    let (went, came) = (change.removed.trim(), change.added.trim());
    if came.len() < LEAST_BYTES {
        return false;
    }
    match change.verb {
        Verb::Write => text.trim() == came,
        Verb::Update => {
            text.contains(came) && (went.is_empty() || came.contains(went) || !text.contains(went))
        }
        Verb::Delete | Verb::Move(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_holds_a_change_by_what_came_and_what_went() {
        let update = |removed: &str, added: &str| Change {
            path: "a.rs".to_owned(),
            verb: Verb::Update,
            removed: removed.to_owned(),
            added: added.to_owned(),
        };
        let change = update("let sum = a - b;", "let sum = a + b;");
        assert!(holds("fn x() {\n    let sum = a + b;\n}\n", &change));
        assert!(!holds("fn x() {\n    let sum = a - b;\n}\n", &change));
        // Both stand there: nobody knows.
        assert!(!holds("let sum = a - b;\nlet sum = a + b;\n", &change));
        assert!(!holds("x = 1\n", &update("", "x = 1")));
        let more = update("fn a() {}", "fn a() {}\nfn bare() {}");
        assert!(holds("fn a() {}\nfn bare() {}\n", &more) && !holds("fn a() {}\n", &more));
        let whole = Change { verb: Verb::Write, ..update("", "fn a() {}\nfn b() {}\n") };
        assert!(holds("fn a() {}\nfn b() {}", &whole));
        assert!(!holds("fn a() {}\nfn b() {}\nfn c() {}", &whole));
        assert!(!holds("", &Change { verb: Verb::Delete, ..update("fn a() {} // gone", "") }));
    }
}
