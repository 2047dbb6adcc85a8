//! What keeps entries from being loaded, or the harness from changing them.

use camino::{Utf8Path, Utf8PathBuf};

use super::entries::{chars, entries, is_exact, lone_marks, plain};
use super::limits::{Kind, limit};
use super::{home_of, store_of};
use crate::harness::memory::{Stored, Tree};
use crate::harness::{Finding, Severity};
use crate::model::{Layer, clipped};

/// Looks at every store of `tree`.
pub(super) fn check(tree: &Tree) -> Vec<(Utf8PathBuf, Finding)> {
    let mut found = Vec::new();
    for (path, file) in tree.files.iter().filter(|(_, file)| file.layer != Layer::Settings) {
        let findings = match store_of(path) {
            Some(kind) => {
                store(kind, file, limit(kind, tree, home_of(path).unwrap_or(Utf8Path::new(""))))
            }
            None => vec![stray()],
        };
        found.extend(findings.into_iter().map(|finding| (path.clone(), finding)));
    }
    found
}

fn finding(
    severity: Severity,
    line: usize,
    rule: &'static str,
    message: String,
    hint: &str,
) -> Finding {
    let hint = Some(hint).filter(|hint| !hint.is_empty()).map(str::to_owned);
    Finding { severity, line: line as u64, rule, message, hint }
}

fn stray() -> Finding {
    let message = "it stands beside the stores and is never loaded".to_owned();
    finding(Severity::Info, 0, "not_loaded", message, "")
}

fn store(kind: Kind, file: &Stored, limit: usize) -> Vec<Finding> {
    let mut found = Vec::new();
    if std::str::from_utf8(&file.bytes).is_err() {
        let message = "it is not in UTF-8, and cannot be loaded".to_owned();
        found.push(finding(Severity::Error, 0, "wrong_encoding", message, "write it as UTF-8"));
    }
    let text = plain(file);
    let all = entries(&text);
    let texts: Vec<&str> = all.iter().map(|entry| entry.text).collect();
    let used = chars(&texts);
    if used > limit {
        let message = format!("{used} of {limit} characters: no entry can be added");
        let hint =
            format!("shorten entries, or raise `memory.{}` in `config.yaml`", kind.setting());
        found.push(finding(Severity::Warning, 0, "over_limit", message, &hint));
    }
    if !is_exact(&text) {
        let message = "blanks or empty entries around separators: no entry can be changed";
        let hint = "leave exactly `§` on a line of its own between two entries";
        found.push(finding(Severity::Error, 0, "drift", message.to_owned(), hint));
    }
    for (index, entry) in all.iter().enumerate() {
        let (size, line) = (entry.text.chars().count(), entry.lines.0);
        if size > limit {
            let message = format!(
                "an entry of {size} characters, over the limit of {limit}: no entry can be changed"
            );
            found.push(finding(Severity::Error, line, "oversize_entry", message, "split it"));
        }
        if let Some(first) = all[..index].iter().find(|other| other.text == entry.text) {
            let message = format!("the same as the entry on line {}", first.lines.0);
            found.push(finding(Severity::Warning, line, "doubled_entry", message, "remove one"));
        }
        found.extend(lone_marks(entry.text).map(|at| {
            let message = format!("a lone `§` inside the entry `{}`", clipped(entry.text, 40));
            finding(Severity::Warning, line + at - 1, "lone_separator", message, "remove the line")
        }));
    }
    found
}
