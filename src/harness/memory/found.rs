//! What is wrong with folders of topic files, whatever harness they belong to.

use camino::Utf8Path;

use super::fields::headed;
use super::folder::INDEX;
use super::index::{self, Pointers};
use super::{Stored, Tree};
use crate::harness::{Finding, Severity};

/// Returns a finding.
pub fn finding(
    severity: Severity,
    line: usize,
    rule: &'static str,
    message: String,
    hint: Option<&str>,
) -> Finding {
    Finding { severity, line: line as u64, rule, message, hint: hint.map(str::to_owned) }
}

/// Finds links of an index that point at nothing.
pub fn missing(path: &Utf8Path, file: &Stored, tree: &Tree) -> Vec<Finding> {
    let found = index::missing(path, file, tree).into_iter().map(|link| {
        let message = format!("`{}` is not there", link.file);
        let hint = if link.hook.is_some() { "take the line out" } else { "take the link out" };
        finding(Severity::Warning, link.line, "missing_file", message, Some(hint))
    });
    found.collect()
}

/// Looks at a topic file: its head, and whether an index points at it.
pub fn topic(path: &Utf8Path, file: &Stored, tree: &Tree, pointers: &Pointers<'_>) -> Vec<Finding> {
    let text = file.text();
    let mut found = Vec::new();
    let head = headed(&text);
    let missing = |name: &str| head.as_ref().is_none_or(|head| !head.fields.contains_key(name));
    if head.is_none() || missing("description") {
        let message = "it has no head with a description, by which it would be found";
        found.push(finding(Severity::Info, 1, "no_description", message.to_owned(), None));
    }
    let is_alone = file.shelf == *path;
    let is_unread = |folder: &Utf8Path| tree.unreadable.contains_key(&folder.join(INDEX));
    let may_be_named = path.ancestors().skip(1).take(2).any(is_unread);
    if !is_alone && !may_be_named && pointers.at(path).is_empty() {
        let message = "no index points at it".to_owned();
        let hint = "add a line `- [Title](file.md) — what it is about` to MEMORY.md";
        found.push(finding(Severity::Warning, 0, "not_in_index", message, Some(hint)));
    }
    found
}
