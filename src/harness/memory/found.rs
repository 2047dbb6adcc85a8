//! What is wrong with folders of topic files, whatever harness they belong to.

use camino::Utf8Path;

use super::fields::headed;
use super::folder::{INDEX, indexed};
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

/// Finds lines of an index that point at nothing.
pub fn missing(path: &Utf8Path, file: &Stored, tree: &Tree) -> Vec<Finding> {
    let text = file.text();
    let mut found = Vec::new();
    for (line, target, _) in indexed(&text) {
        if path.parent().is_some_and(|folder| !tree.is_there(&folder.join(&target)))
            && file.shelf != *path
        {
            let message = format!("`{target}` is not there");
            let hint = "take the line out";
            found.push(finding(Severity::Warning, line, "missing_file", message, Some(hint)));
        }
    }
    found
}

/// Looks at a topic file: its head, and whether an index points at it.
pub fn topic(path: &Utf8Path, file: &Stored, tree: &Tree) -> Vec<Finding> {
    let text = file.text();
    let mut found = Vec::new();
    let head = headed(&text);
    let missing = |name: &str| head.as_ref().is_none_or(|head| !head.fields.contains_key(name));
    if head.is_none() || missing("description") {
        let message = "it has no head with a description, by which it would be found";
        found.push(finding(Severity::Info, 1, "no_description", message.to_owned(), None));
    }
    let is_alone = file.shelf == *path;
    let indexes = path
        .ancestors()
        .skip(1)
        .take(2)
        .filter_map(|folder| Some((folder, tree.get(&folder.join(INDEX))?)));
    let named = |(folder, index): (&Utf8Path, &Stored)| {
        let name = path.strip_prefix(folder).map(Utf8Path::as_str).unwrap_or_default();
        indexed(&index.text()).iter().any(|(_, file, _)| file == name)
    };
    let is_unread = |folder: &Utf8Path| tree.unreadable.contains_key(&folder.join(INDEX));
    let may_be_named = path.ancestors().skip(1).take(2).any(is_unread);
    if !is_alone && !may_be_named && !indexes.into_iter().any(named) {
        let message = "no index points at it".to_owned();
        let hint = "add a line `- [Title](file.md) — what it is about` to MEMORY.md";
        found.push(finding(Severity::Warning, 0, "not_in_index", message, Some(hint)));
    }
    found
}
