//! Which memories an answer says that it used.

use crate::harness::memory::Citation;

/// The tags around citations in an answer.
const TAGS: (&str, &str) = ("<oai-mem-citation>", "</oai-mem-citation>");
/// How the last line of an answer began before there were tags.
const LEGACY: &str = "Memory used:";

/// Returns what `text` cites.
pub(super) fn citations(text: &str) -> Vec<Citation> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((_, after)) = rest.split_once(TAGS.0) {
        let (inner, after) = after.split_once(TAGS.1).unwrap_or((after, ""));
        found.extend(inner.lines().filter_map(entry));
        rest = after;
    }
    let last = text.trim_end().lines().next_back().unwrap_or_default();
    if let Some(list) = last.trim().strip_prefix(LEGACY) {
        let quoted = list.split('`').skip(1).step_by(2);
        found.extend(quoted.flat_map(|part| part.split(',')).filter_map(place));
    }
    found
}

/// Reads `file:first-last|note=[...]`.
fn entry(line: &str) -> Option<Citation> {
    let (place_text, note) = line.trim().split_once("|note=[")?;
    note.ends_with(']').then(|| place(place_text)).flatten()
}

/// Reads `file:first-last`; the last line can be missing.
fn place(text: &str) -> Option<Citation> {
    let (file, lines) = text.trim().rsplit_once(':')?;
    let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
    let (first, last) = (first.parse().ok()?, last.parse().ok()?);
    (!file.is_empty()).then(|| Citation { file: file.to_owned(), lines: Some((first, last)) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_a_citation_is_read() {
        let text = "Done.\n<oai-mem-citation>\n<citation_entries>\nMEMORY.md:234-236|note=[why]\n\
                    rollout_summaries/a.md:7|note=[]\nno entry\n</citation_entries>\n<thread_ids>\n\
                    0199\n</thread_ids>\n</oai-mem-citation>\n";
        let told = |text| -> Vec<_> {
            citations(text).into_iter().map(|one| (one.file, one.lines.unwrap())).collect()
        };
        let want =
            [("MEMORY.md".to_owned(), (234, 236)), ("rollout_summaries/a.md".to_owned(), (7, 7))];
        assert_eq!(told(text), want);
        let old = "Done.\nMemory used: `MEMORY.md:3-9`, `memory_summary.md:1-2`\n";
        let want = [("MEMORY.md".to_owned(), (3, 9)), ("memory_summary.md".to_owned(), (1, 2))];
        assert_eq!(told(old), want);
        assert!(citations("Memory used: a lot").is_empty());
        assert!(citations("<oai-mem-citation>MEMORY.md:x|note=[]").is_empty());
    }
}
