//! The form of a store: entries with a separator between them, and nothing else.

use std::borrow::Cow;

use crate::harness::memory::Stored;

/// What stands between two entries.
pub(super) const SEPARATOR: &str = "\n§\n";
/// A line that is only this looks like the middle of a separator.
const MARK: &str = "§";

/// One entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry<'t> {
    /// Its text, without blanks around it; never empty.
    pub(super) text: &'t str,
    /// Its first and last line, from 1.
    pub(super) lines: (usize, usize),
}

/// Returns what a file holds, with the line ends that the harness sees.
pub(super) fn plain(file: &Stored) -> Cow<'_, str> {
    let text = file.text();
    if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n").into() } else { text }
}

/// Cuts a text into entries, the same one as often as it stands there.
pub(super) fn entries(text: &str) -> Vec<Entry<'_>> {
    let mut first = 1;
    let mut found = Vec::new();
    for part in text.split(SEPARATOR) {
        let bare = part.trim();
        let skipped = part[..part.len() - part.trim_start().len()].matches('\n').count();
        let (from, lines) = (first + skipped, bare.matches('\n').count());
        first += part.matches('\n').count() + SEPARATOR.matches('\n').count();
        if !bare.is_empty() {
            found.push(Entry { text: bare, lines: (from, from + lines) });
        }
    }
    found
}

/// Returns the text of a file with `entries`, as the harness itself writes it: no line end after the last.
pub(super) fn joined<T: AsRef<str>>(entries: &[T]) -> String {
    entries.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(SEPARATOR)
}

/// Tells whether the harness would write back the same text that it read; else it refuses to write.
pub(super) fn is_exact(text: &str) -> bool {
    let entries: Vec<_> = entries(text).into_iter().map(|entry| entry.text).collect();
    text.trim() == joined(&entries)
}

/// Returns how much of a limit entries use, in characters, separators included.
pub(super) fn chars<T: AsRef<str>>(entries: &[T]) -> usize {
    let texts: usize = entries.iter().map(|entry| entry.as_ref().chars().count()).sum();
    texts + entries.len().saturating_sub(1) * SEPARATOR.chars().count()
}

/// Returns the lines of an entry, from 1, that look like the middle of a separator.
pub(super) fn lone_marks(entry: &str) -> impl Iterator<Item = usize> {
    let lines = entry.split('\n').enumerate();
    lines.filter(|(_, line)| line.trim() == MARK).map(|(at, _)| at + 1)
}

/// Returns a text as one entry: no line of it looks like the middle of a separator.
pub(super) fn safe(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let lines = text.trim().split('\n');
    let lines: Vec<_> = lines.map(|line| if line.trim() == MARK { "(§)" } else { line }).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        entries(text).into_iter().map(|entry| entry.text).collect()
    }

    #[test]
    fn only_a_whole_line_separates() {
        let text = "one § inside\n§\ntwo\nlines\n§\n\n§\n three";
        assert_eq!(texts(text), ["one § inside", "two\nlines", "three"]);
        let lines: Vec<_> = entries(text).iter().map(|entry| entry.lines).collect();
        assert_eq!(lines, [(1, 1), (3, 4), (8, 8)]);
        assert!(!is_exact(text) && is_exact("a\n§\nb\n") && is_exact(""));
        assert_eq!(chars(&["ab", "ü"]), 6);
    }

    #[test]
    fn lone_marks_are_seen_and_made_safe() {
        assert_eq!(texts("a\n§\n§\nb"), ["a", "§\nb"]);
        assert_eq!(lone_marks("§\nb\n § ").collect::<Vec<_>>(), [1, 3]);
        assert_eq!(safe("a\r\n§\r\nb\n"), "a\n(§)\nb");
        assert_eq!(texts(&joined(&[safe("§"), safe("x\n§")])), ["(§)", "x\n(§)"]);
    }
}
