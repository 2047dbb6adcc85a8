//! A file as the calls of a session wrote it.

use crate::model::{Action, Body, Change, Item, Status, Verb};

/// Returns the text of a file after all calls up to here, where a call wrote it whole and of each later one it is known
/// what that changed.
pub(super) fn as_written(items: &[Item<'_>], file: &str) -> Option<String> {
    let worked = |id: &str| {
        items.iter().any(|item| match &item.body {
            Body::ToolResult(result) => {
                result.call_id == id && result.status == Status::Ok && !result.rejected
            }
            _ => false,
        })
    };
    let mut text: Option<String> = None;
    for item in items {
        let Body::ToolCall(call) = &item.body else { continue };
        let Some(Action::Edit { changes }) = call.action.as_deref() else { continue };
        let mut own = changes.iter().filter(|change| is_it(&change.path, file)).peekable();
        if own.peek().is_some() && worked(&call.call_id) {
            text = own.fold(text, after);
        }
    }
    text.filter(|text| !text.trim().is_empty())
}

/// The folder of the harness in which a bare name stands for a file.
const FOLDER: &str = "plans";

/// Whether a call names the file.
fn is_it(path: &str, file: &str) -> bool {
    let mut parts = path.rsplit(['/', '\\']);
    let is_bare = !file.contains(['/', '\\']);
    path == file || is_bare && parts.next() == Some(file) && parts.next() == Some(FOLDER)
}

/// Returns the text after a change; nothing where it is not known what it changed.
fn after(text: Option<String>, change: &Change) -> Option<String> {
    match change.verb {
        Verb::Write => Some(change.added.clone()),
        Verb::Update => {
            let text = text?;
            let mut places = text.match_indices(&change.removed);
            let is_one =
                !change.removed.is_empty() && places.next().is_some() && places.next().is_none();
            is_one.then(|| text.replacen(&change.removed, &change.added, 1))
        }
        Verb::Delete | Verb::Move(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{after, is_it};
    use crate::model::{Change, Verb};

    #[test]
    fn what_a_change_made_of_a_text_is_known_or_nothing_is() {
        let change = |verb, removed: &str, added: &str| Change {
            path: "p.md".into(),
            verb,
            removed: removed.into(),
            added: added.into(),
        };
        let made = |text: Option<&str>, change: &Change| after(text.map(str::to_owned), change);
        let written = change(Verb::Write, "", "one two one");
        assert_eq!(made(None, &written).as_deref(), Some("one two one"));
        assert_eq!(made(Some("old"), &written).as_deref(), Some("one two one"));
        let update = change(Verb::Update, "two", "2");
        assert_eq!(made(Some("one two one"), &update).as_deref(), Some("one 2 one"));
        assert_eq!(made(None, &update), None);
        assert_eq!(made(Some("one two one"), &change(Verb::Update, "one", "1")), None);
        assert_eq!(made(Some("one"), &update), None);
        assert_eq!(made(Some("one"), &change(Verb::Delete, "", "")), None);
    }

    #[test]
    fn a_bare_name_is_that_of_a_file_in_the_folder_of_plans() {
        assert!(is_it("/p/plans/a.md", "/p/plans/a.md") && is_it("/p/plans/a.md", "a.md"));
        assert!(!is_it("/p/docs/a.md", "a.md") && !is_it("a.md", "b.md"));
        assert!(!is_it("/q/a.md", "/p/a.md") && !is_it("/p/plans/ba.md", "a.md"));
    }
}
