//! What failed in a run, by what its program names.

use super::recognise::Failing;
use super::rows::Row;
use crate::derive::pattern::{Groups, Pattern};
use crate::derive::text;

/// How many ids are kept of a run.
const MOST: usize = 60;
/// How many characters of a name are kept.
const CHARS: usize = 160;

/// Finds what a pattern names, each once, in the order of the output.
pub(super) fn all(row: &Row, pattern: &Pattern, output: &str) -> Vec<Failing> {
    let mut found = Found::default();
    for groups in pattern.all_groups(output) {
        match groups.named("file") {
            Some(file) => found.open(file),
            None => found.add(failing(row, &groups, found.file)),
        }
    }
    found.close();
    found.all
}

/// What was found so far.
#[derive(Default)]
struct Found<'o> {
    all: Vec<Failing>,
    /// The file of which the tests that failed are named next.
    file: Option<&'o str>,
    /// Whether one was.
    has_test: bool,
}

impl<'o> Found<'o> {
    fn open(&mut self, file: &'o str) {
        self.close();
        let is_of_file = |one: &Failing| one.id.starts_with(&format!("{file} "));
        (self.file, self.has_test) = (Some(file), self.all.iter().any(is_of_file));
    }

    /// Names the file itself, where none of its tests was.
    fn close(&mut self) {
        let file = self.file.take().filter(|_| !self.has_test);
        let id = file.map(|file| text::line(file, CHARS)).unwrap_or_default();
        self.push(Failing { id, why: None });
    }

    fn add(&mut self, one: Failing) {
        self.has_test |= !one.id.is_empty();
        self.push(one);
    }

    fn push(&mut self, one: Failing) {
        // With its package or without; a bare name may be that of another.
        let is_known = self.all.iter().any(|other| {
            let before = other.id.strip_suffix(one.id.as_str());
            let is_same = |before: &str| before.ends_with('.') && one.id.contains('.');
            before.is_some_and(|before| before.is_empty() || is_same(before))
        });
        if !one.id.is_empty() && !is_known && self.all.len() < MOST {
            self.all.push(one);
        }
    }
}

/// Reads one that failed, of the tests of `file` where one was named before.
fn failing(row: &Row, groups: &Groups<'_>, file: Option<&str>) -> Failing {
    let first = |names: &[&str]| names.iter().find_map(|name| groups.named(name)).map(str::trim);
    let id = first(&["id", "id2", "id3", "id4"]);
    let why = first(&["why", "why2"]).map(|why| text::line(why, CHARS));
    let id = match row.unit {
        "error" => [id, why.as_deref(), first(&["at", "at2"])]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" | "),
        _ => {
            // A heading of the program's is no name.
            let whole = id.map(|id| file.into_iter().chain([id]).collect::<Vec<_>>().join(" › "));
            text::line(&whole.unwrap_or_default(), CHARS)
        }
    };
    Failing { id, why }
}
