//! Proposals: patches in the inbox of a store, which the user takes over or turns down.

use camino::{Utf8Path, Utf8PathBuf};
use similar::TextDiff;

use crate::harness::memory::Tree;
use crate::harness::memory::row::change;
use crate::model::digest;
use crate::plan::{FileChange, MemoryFate, MemoryPlan};

/// The name of our file in a folder of the inbox.
const FILE: &str = "segue.patch";
/// How its first line begins; a digest of the rest follows. A reader of patches passes over it.
const MARK: &str = "segue-proposal: ";
/// How many lines around a change a patch shows.
const CONTEXT_LINES: usize = 3;

/// Returns the plan that puts the changes of `plan` as one patch into a folder of the inbox.
pub(super) fn patched(plan: MemoryPlan, folder: &Utf8Path, tree: &Tree) -> MemoryPlan {
    let place = folder.join(FILE);
    if plan.changes.is_empty() {
        return plan;
    }
    let text = marked(&plan.changes.iter().map(diff).collect::<String>());
    let there = tree.get(&place).map(|file| file.text().into_owned());
    let is_ours = there.as_ref().is_none_or(|there| is_untouched(there));
    let is_there = there.as_ref() == Some(&text);
    let rows = plan.rows.into_iter().map(|mut row| {
        if matches!(row.fate, MemoryFate::New | MemoryFate::Changed) {
            row.place = Some(place.clone());
            if is_there {
                row.fate = MemoryFate::Same;
            } else if !is_ours {
                row.fate = MemoryFate::Conflict;
                row = row.because("the proposal there was changed since it was written");
            }
        }
        row
    });
    let rows = rows.collect();
    let changes: Vec<_> =
        if is_ours { change(tree, &place, &text).into_iter().collect() } else { Vec::new() };
    MemoryPlan { rows, changes, warnings: plan.warnings, full: plan.full }
}

/// Returns the unified diff of one file, with names that the harness accepts.
fn diff(change: &FileChange) -> String {
    let text = |bytes: &Option<Vec<u8>>| {
        String::from_utf8_lossy(bytes.as_deref().unwrap_or_default()).into_owned()
    };
    let name = |bytes: &Option<Vec<u8>>| match bytes {
        Some(_) => change.path.clone(),
        None => Utf8PathBuf::from("/dev/null"),
    };
    let (before, after) = (text(&change.before), text(&change.after));
    TextDiff::from_lines(&before, &after)
        .unified_diff()
        .context_radius(CONTEXT_LINES)
        .header(name(&change.before).as_str(), name(&change.after).as_str())
        .to_string()
}

fn marked(patch: &str) -> String {
    format!("{MARK}{}\n{patch}", &digest(&[patch])[..12])
}

fn is_untouched(text: &str) -> bool {
    text.split_once('\n').is_some_and(|(_, patch)| marked(patch) == text)
}
