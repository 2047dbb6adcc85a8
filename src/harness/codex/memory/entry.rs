//! What all of Codex's memories have in common when they are read.

use camino::Utf8Path;

use super::{cwd, place};
use crate::harness::memory::{At, Stored};
use crate::model::{
    DatedBy, Layer, Level, Memory, MemoryScope, MemorySource, clipped, digest, first_sentence,
};

/// How long a title made of a text may be, in characters.
const TITLE_CHARS: usize = 80;

/// A file that is being read.
#[derive(Clone, Copy)]
pub(super) struct Page<'t> {
    pub(super) path: &'t Utf8Path,
    pub(super) file: &'t Stored,
    pub(super) at: &'t At,
    pub(super) layer: Layer,
    /// Which form it has.
    pub(super) generation: &'static str,
}

impl Page<'_> {
    /// Returns a memory that is the whole file.
    pub(super) fn whole(&self, text: &str) -> Memory {
        let key = place::key(self.path, self.at);
        let lines = Some((1, text.lines().count().max(1)));
        let verbatim = Some(text.to_owned());
        Memory { verbatim, source: self.source(key, lines), ..self.dated(None) }
    }

    /// Returns a memory that is one entry of the file: its text as it stands there, and its lines.
    pub(super) fn entry(&self, verbatim: &str, lines: (usize, usize)) -> Memory {
        let key = place::key(self.path, self.at);
        let key = format!("{key}#{}", &digest(&[verbatim.trim()])[..12]);
        let verbatim = Some(verbatim.to_owned());
        Memory { verbatim, source: self.source(key, Some(lines)), ..self.dated(None) }
    }

    fn source(&self, key: String, lines: Option<(usize, usize)>) -> MemorySource {
        MemorySource {
            harness: super::NAME.to_owned(),
            path: self.path.to_string(),
            layer: self.layer,
            key,
            generation: self.generation.to_owned(),
            first_line: lines.map(|lines| lines.0),
            last_line: lines.map(|lines| lines.1),
            session_id: None,
        }
    }

    /// Returns an empty memory with the time that a field, the name of the file or the file tells.
    pub(super) fn dated(&self, field: Option<String>) -> Memory {
        let name = || place::named_time(self.path.file_name().unwrap_or_default());
        let times = [
            (field, DatedBy::Field),
            (name(), DatedBy::Name),
            (self.file.modified_at.clone(), DatedBy::File),
        ];
        let found = times.into_iter().find_map(|(time, by)| Some((time?, by)));
        let (updated_at, dated_by) = found.unzip();
        Memory { updated_at, dated_by, scope: self.file.scope.clone(), ..Memory::default() }
    }
}

/// Returns where a memory holds whose folders are `named`; nothing named means everywhere.
///
/// Of several folders the one that is asked for counts, else the first. A name that is no path is a
/// project whose folder is not known.
pub(super) fn scope(named: &[String], at: &At) -> MemoryScope {
    let paths = named.iter().filter(|path| cwd::is_absolute(path));
    let paths: Vec<_> =
        paths.map(|path| at.expanded(path).unwrap_or_else(|| path.into())).collect();
    let here = paths.iter().find(|path| at.is_here(path)).or(paths.first());
    let level = if named.is_empty() { Level::Global } else { Level::Project };
    MemoryScope { level, cwd: here.map(ToString::to_string) }
}

/// Enters the folders of a memory that holds in several.
pub(super) fn keep_folders(memory: &mut Memory, named: &[String]) {
    if named.len() > 1 {
        memory.extra.insert("folders".to_owned(), named.join(", ").into());
    }
}

/// Returns a title for a text that has none.
pub(super) fn title(text: &str) -> String {
    clipped(&first_sentence(text), TITLE_CHARS)
}

/// Returns the words of a list that commas part.
pub(super) fn words(list: &str) -> Vec<String> {
    let words = list.split(',').map(|word| word.trim().trim_matches('`'));
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Returns a time if a field holds one.
pub(super) fn time(text: &str) -> Option<String> {
    let text = text.trim().trim_matches(['`', '"']);
    let starts = |text: &str| {
        text.get(..10).is_some_and(|day| place::named_time(&format!("{day}T00-00-00")).is_some())
    };
    starts(text).then(|| match text.len() {
        10 => format!("{text}T00:00:00Z"),
        _ => text.replacen(' ', "T", 1),
    })
}
