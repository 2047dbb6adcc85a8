//! What would keep memories from being loaded, or have them cut.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};

use super::context::{self, Loaded};
use super::place::{self, Part, STORES};
use super::{GLOBAL, cwd, handbook, read, write};
use crate::harness::memory::fields::{headed, text_of};
use crate::harness::memory::{At, Stored, Tree};
use crate::harness::{Finding, Severity};
use crate::model::Layer;

/// How long the name of a skill may be.
const SKILL_NAME: usize = 64;
/// How many lines a skill may have.
const SKILL_LINES: usize = 500;

type Found = Vec<(Utf8PathBuf, Finding)>;

/// Looks at every file of `tree`.
pub(super) fn check(tree: &Tree, at: &At) -> Found {
    let mut found = Found::new();
    for (path, file) in &tree.files {
        let findings = match place::part(path, &at.home) {
            Part::Summary => summary(path, &file.text(), tree),
            Part::Handbook => handbook_of(path, &file.text(), tree),
            Part::Skill => skill(&file.text()),
            Part::Note => note(path),
            Part::Resource { extension, key } => resource(path, extension, key, tree),
            _ => Vec::new(),
        };
        found.extend(findings.into_iter().map(|finding| (path.clone(), finding)));
    }
    found.extend(context_files(tree, at));
    found.extend(drift(tree, at));
    found.extend(doubled(tree, at));
    found
}

fn finding(
    severity: Severity,
    line: usize,
    rule: &'static str,
    message: impl Into<String>,
    hint: &str,
) -> Finding {
    let hint = Some(hint.to_owned()).filter(|hint| !hint.is_empty());
    Finding { severity, line: line as u64, rule, message: message.into(), hint }
}

fn summary(path: &Utf8Path, text: &str, tree: &Tree) -> Vec<Finding> {
    let mut found = pointers(path, text, tree);
    let most = write::MOST_SUMMARY_BYTES;
    if text.len() >= most {
        let message = format!(
            "it has {} bytes; of {most} or more the middle is cut out when it is loaded",
            text.len()
        );
        found.push(finding(
            Severity::Error,
            0,
            "summary_too_long",
            message,
            "shorten what stands in the middle; head and tail are kept",
        ));
    }
    if text.lines().next() != Some("v1") {
        found.push(finding(
            Severity::Warning,
            1,
            "summary_version",
            "the first line is not `v1`",
            "",
        ));
    }
    found
}

fn handbook_of(path: &Utf8Path, text: &str, tree: &Tree) -> Vec<Finding> {
    let mut found = pointers(path, text, tree);
    if !handbook::is_one(text) && !text.trim().is_empty() {
        let message = "it has no group of tasks, so that nothing in it is found by its task";
        found.push(finding(Severity::Warning, 0, "no_groups", message, ""));
    }
    found
}

/// Finds pointers at summaries of sessions and at texts of extensions that are not there.
fn pointers(path: &Utf8Path, text: &str, tree: &Tree) -> Vec<Finding> {
    let Some(folder) = path.parent() else { return Vec::new() };
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        for start in ["rollout_summaries/", "extensions/"] {
            let Some(at) = line.find(start) else { continue };
            let end = line[at..].find(".md").map(|end| at + end + 3);
            let Some(target) = end.map(|end| &line[at..end]) else { continue };
            let is_one = !target.contains(['*', '<']) && tree.get(&folder.join(target)).is_none();
            // A single file was given, so that the others were not looked for.
            if is_one && tree.files.len() > 1 {
                let message = format!("it points at `{target}`, which is not there");
                found.push(finding(Severity::Warning, number + 1, "broken_pointer", message, ""));
            }
        }
    }
    found
}

fn skill(text: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    let fields = headed(text).map(|head| head.fields).unwrap_or_default();
    let name = text_of(&fields, "name").unwrap_or_default();
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.is_empty() || name.len() > SKILL_NAME || !name.chars().all(fits) {
        let message =
            format!("its name must have up to {SKILL_NAME} small letters, digits and hyphens");
        found.push(finding(Severity::Error, 1, "skill_name", message, ""));
    }
    if text_of(&fields, "description").is_none() {
        found.push(finding(
            Severity::Warning,
            1,
            "skill_description",
            "it does not say when it is of use",
            "add `description:` to its head",
        ));
    }
    if text.lines().count() >= SKILL_LINES {
        let message = format!("it has {SKILL_LINES} lines or more");
        found.push(finding(
            Severity::Warning,
            0,
            "skill_too_long",
            message,
            "move detail into files beside it",
        ));
    }
    found
}

fn note(path: &Utf8Path) -> Vec<Finding> {
    let name = path.file_name().unwrap_or_default();
    let is_loose = !write::is_note_name(name);
    let hint = "name it YYYY-MM-DDTHH-MM-SS-words.md";
    let message = "its name is none that notes have, so that it may be passed over";
    is_loose
        .then(|| finding(Severity::Warning, 0, "note_name", message, hint))
        .into_iter()
        .collect()
}

/// Looks whether it is told which project a text is for.
fn resource(path: &Utf8Path, extension: &str, key: &str, tree: &Tree) -> Vec<Finding> {
    let is_scoped = [write::IMPORT, write::EXTENSION].contains(&extension) && key != GLOBAL;
    let folder = path.parent().filter(|folder| is_scoped && folder.file_name() == Some(key));
    let Some(folder) = folder else { return Vec::new() };
    let said = tree.get(&folder.join(place::SCOPE)).map(|file| {
        let scope: Option<serde_json::Value> = serde_json::from_slice(&file.bytes).ok();
        scope.and_then(|scope| scope.get("cwd")?.as_str().map(cwd::is_absolute))
    });
    let message = match said {
        Some(Some(true)) => return Vec::new(),
        None => "no scope.json beside it says which project it is for",
        Some(_) => "the scope.json beside it names no folder from the root",
    };
    vec![finding(
        Severity::Warning,
        0,
        "no_scope",
        message,
        "write {\"cwd\":\"/path/of/the/project\"} there",
    )]
}

/// Finds context files that are cut, and those that another one hides.
fn context_files(tree: &Tree, at: &At) -> Found {
    let mut found = Found::new();
    let loaded = context::loaded(tree, at);
    for Loaded { path, file, bytes } in &loaded {
        if *bytes < file.bytes.len() {
            let message =
                format!("only the first {bytes} of {} bytes are loaded", file.bytes.len());
            let hint = "shorten it or the files above it, or raise project_doc_max_bytes";
            found.push((path.clone(), finding(Severity::Warning, 0, "context_cut", message, hint)));
        }
        let hidden = path.with_file_name(place::CONTEXT[1]);
        if path.file_name() == Some(place::CONTEXT[0]) && tree.get(&hidden).is_some() {
            let message = format!("{} beside it is read in its place", place::CONTEXT[0]);
            found.push((hidden, finding(Severity::Info, 0, "hidden", message, "")));
        }
    }
    found
}

/// Finds imported projects that are not alike in both stores.
fn drift(tree: &Tree, at: &At) -> Found {
    let folder =
        |store: &str| at.home.join(store).join("extensions").join(write::IMPORT).join("resources");
    let [one, two] = STORES.map(folder);
    let mut projects: BTreeMap<&str, Utf8PathBuf> = BTreeMap::new();
    for (here, there) in [(&one, &two), (&two, &one)] {
        for (name, file) in tree.below(here) {
            let other: Option<&Stored> = tree.get(&there.join(name));
            let Some(key) = name.iter().next() else { continue };
            if other.is_none_or(|other| other.bytes != file.bytes) {
                projects.entry(key).or_insert_with(|| here.join(name));
            }
        }
    }
    let told = projects.into_iter().map(|(key, path)| {
        let message = format!(
            "`{key}` is not the same in both stores, so that Codex offers its import again"
        );
        let hint = "run `segue memory migrate` again, or let Codex import";
        (path, finding(Severity::Info, 0, "import_drift", message, hint))
    });
    told.collect()
}

/// Finds entries that say the same in the same scope.
fn doubled(tree: &Tree, at: &At) -> Found {
    let mut first: BTreeMap<_, String> = BTreeMap::new();
    let mut found = Found::new();
    for memory in read::read(tree, at).memories {
        if matches!(memory.source.layer, Layer::Session | Layer::Imported) {
            continue;
        }
        let line = memory.source.first_line.unwrap_or(0);
        let here = format!("{}:{line}", memory.source.path);
        let same =
            first.entry((memory.content_sha256, memory.scope)).or_insert_with(|| here.clone());
        if *same != here {
            let message = format!("it says the same as {same}");
            found.push((
                memory.source.path.into(),
                finding(Severity::Info, line, "doubled", message, ""),
            ));
        }
    }
    found
}
