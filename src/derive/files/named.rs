//! Which files a command line names.

use super::packed;
use crate::derive::paths::{paths_in, shown};
use crate::derive::timeline::{Done, Timeline};

/// The files that a command line names, from its folder.
pub(super) struct Named {
    pub paths: Vec<String>,
    /// Those of which it shows the content.
    pub shown: Vec<String>,
}

impl Named {
    pub(super) fn new(timeline: &Timeline<'_>, done: &Done<'_>, command: &str) -> Self {
        let folder = done.folder();
        let at = |path: &String| timeline.path_in(folder.as_deref(), path);
        let packed = packed::members(command);
        let paths = paths_in(command);
        let paths = paths.iter().filter(|path| !packed.contains(path)).map(at).collect();
        Self { paths, shown: shown(command).iter().map(at).collect() }
    }

    /// Each of them once.
    pub(super) fn all(&self) -> impl Iterator<Item = &String> {
        self.paths.iter().chain(self.shown.iter().filter(|path| !self.paths.contains(path)))
    }
}
