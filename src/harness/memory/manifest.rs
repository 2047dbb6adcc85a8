//! Which files and entries were put into a store that has no place for a mark of its own.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::model::digest;

/// The list of what was put into a store, as a file beside it.
///
/// What is not in it, or no longer says what was written, counts as a human's.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default)]
pub struct Manifest {
    /// The version of this form.
    pub version: u32,
    /// What was written, by the mark of where it comes from ([`Memory::origin`](crate::model::Memory::origin)).
    pub written: BTreeMap<String, Written>,
}

/// One thing that was written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default)]
pub struct Written {
    /// The file, below the folder of the manifest.
    pub place: String,
    /// The digest of the text that was written.
    pub sha256: String,
    /// The folder of the project in which it holds, where the store does not say that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
}

impl Manifest {
    /// The version that is written.
    const VERSION: u32 = 1;

    /// Reads a manifest; one that cannot be read knows nothing, so that all counts as a human's.
    pub fn read(text: &str) -> Self {
        let read: Self = serde_json::from_str(text).unwrap_or_default();
        if read.version == Self::VERSION { read } else { Self::default() }
    }

    /// Returns it as text.
    pub fn text(&self) -> String {
        let own = Self { version: Self::VERSION, written: self.written.clone() };
        serde_json::to_string_pretty(&own).unwrap_or_default() + "\n"
    }

    /// Enters that `text` was written to `place` for the memory with the mark `origin`.
    pub fn enter(&mut self, origin: String, place: &str, text: &str) -> &mut Written {
        let written = Written { place: place.to_owned(), sha256: digest(&[text]), project: None };
        let entry = self.written.entry(origin).or_default();
        *entry = written;
        entry
    }

    /// Enters that what was written to `place` was changed from `before` to `after`; tells whether it is
    /// there as it was written.
    pub fn follow(&mut self, place: &str, before: &str, after: &str) -> bool {
        let sha256 = digest(&[before]);
        let is_it = |one: &&mut Written| one.place == place && one.sha256 == sha256;
        let found = self.written.values_mut().find(is_it);
        found.map(|one| one.sha256 = digest(&[after])).is_some()
    }

    /// Returns for what `text` was written, and what is known of it.
    pub fn known(&self, text: &str) -> Option<(&String, &Written)> {
        let sha256 = digest(&[text]);
        self.written.iter().find(|(_, one)| one.sha256 == sha256)
    }

    /// Returns for what each text was written, by its place and the digest of it.
    pub fn by_place(&self) -> BTreeMap<(&str, &str), &str> {
        let mut found = BTreeMap::new();
        for (origin, one) in &self.written {
            found.insert((one.place.as_str(), one.sha256.as_str()), origin.as_str());
        }
        found
    }

    /// Tells whether `text` is what was written for `origin`.
    pub fn is_ours(&self, origin: &str, text: &str) -> bool {
        self.written.get(origin).is_some_and(|one| one.sha256 == digest(&[text]))
    }
}
