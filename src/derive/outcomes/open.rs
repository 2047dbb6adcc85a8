//! Which command lines run on, by the names by which later calls ask for them.

use std::collections::HashMap;

use crate::model::{Part, ToolResult};

/// Lines that were told to run on, as places among all lines, by name.
pub(super) struct Open<'s>(HashMap<&'s str, Vec<usize>>);

/// How many bytes at the head and at the end of a result can tell by what name a command runs on.
const NAME_BYTES: usize = 512;

impl<'s> Open<'s> {
    /// Begins with the names that any call asks for: no other word of a result has to be kept.
    pub(super) fn new(names: impl Iterator<Item = &'s str>) -> Self {
        Self(names.map(|name| (name, Vec::new())).collect())
    }

    /// Takes the names that a result of the line at `at` tells: words of it where it says by what name
    /// something runs on.
    pub(super) fn add(&mut self, at: usize, result: &ToolResult<'_>) {
        if self.0.is_empty() {
            return;
        }
        for text in result.output.iter().filter_map(Part::as_text) {
            self.add_words(at, &text.start(NAME_BYTES));
            self.add_words(at, &text.end(NAME_BYTES));
        }
    }

    /// Takes another name by which the line at `at` was told later to run on.
    pub(super) fn name(&mut self, at: usize, name: Option<&str>) {
        let places = name.and_then(|name| self.0.get_mut(name));
        places.into_iter().for_each(|places| places.push(at));
    }

    fn add_words(&mut self, at: usize, text: &str) {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
        for word in text.split(|c| !is_part(c)) {
            // A point that ends a sentence is no part of a name.
            if let Some(places) = self.0.get_mut(word.trim_end_matches('.'))
                && places.last() != Some(&at)
            {
                places.push(at);
            }
        }
    }

    /// Returns the newest line with a name that runs on; what has ended never does so again.
    pub(super) fn newest(&mut self, name: &str, runs_on: impl Fn(usize) -> bool) -> Option<usize> {
        let places = self.0.get_mut(name)?;
        places.retain(|at| runs_on(*at));
        places.iter().copied().max()
    }
}
