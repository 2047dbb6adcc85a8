//! A context file cut into what can be moved alone: its sections, and the bullets of pure lists.

use std::ops::Range;

use crate::block::Fences;

/// A piece of a Markdown text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The headings above it, outermost first; empty before the first one.
    pub path: Vec<String>,
    /// Its text, without the heading, the blank lines around it, and the mark of a bullet.
    pub body: String,
    /// Whether it is one bullet of a list.
    pub is_bullet: bool,
    /// Its first and last line, from 1, heading not included.
    pub lines: (usize, usize),
    /// Its bytes in the text, with the line end of the last line.
    pub place: Range<usize>,
}

struct Line<'t> {
    text: &'t str,
    place: Range<usize>,
    number: usize,
    /// It stands in a fenced block, or is a fence.
    is_code: bool,
}

/// Cuts `text` at its headings. A section that is nothing but a list gives one piece a bullet.
///
/// Comments that fill lines of their own are left out, as harnesses do that strip them; what stands
/// in fenced blocks is never a heading.
pub fn sections(text: &str) -> Vec<Section> {
    let lines = lines(text);
    let mut found = Vec::new();
    let mut path: Vec<(usize, String)> = Vec::new();
    let mut open: Vec<&Line<'_>> = Vec::new();
    for line in &lines {
        match heading(line) {
            Some((level, title)) => {
                close(&path, &open, &mut found);
                open.clear();
                path.retain(|(other, _)| *other < level);
                path.push((level, title.to_owned()));
            }
            None => open.push(line),
        }
    }
    close(&path, &open, &mut found);
    found
}

fn lines(text: &str) -> Vec<Line<'_>> {
    let (mut at, mut fences, mut in_comment) = (0, Fences::default(), false);
    let mut lines = Vec::new();
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let place = at..at + line.len();
        at = place.end;
        let bare = line.trim();
        let is_code = !in_comment && fences.takes(bare);
        if in_comment || (!is_code && bare.starts_with("<!--")) {
            in_comment = !bare.contains("-->");
            continue;
        }
        lines.push(Line { text: line, place, number: number + 1, is_code });
    }
    lines
}

fn heading<'t>(line: &Line<'t>) -> Option<(usize, &'t str)> {
    if line.is_code { None } else { titled(line.text) }
}

/// Returns the level and the words of a line that is a heading.
pub fn titled(line: &str) -> Option<(usize, &str)> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let title = line[level..].strip_prefix(' ')?.trim().trim_end_matches('#').trim();
    (1..=6).contains(&level).then_some((level, title))
}

/// Adds what stood under a heading.
fn close(path: &[(usize, String)], lines: &[&Line<'_>], found: &mut Vec<Section>) {
    let is_blank = |line: &&&Line<'_>| line.text.trim().is_empty();
    let skip = lines.iter().take_while(is_blank).count();
    let rest = lines.iter().rev().take_while(is_blank).count();
    let Some(lines) =
        lines.get(skip..lines.len().saturating_sub(rest)).filter(|lines| !lines.is_empty())
    else {
        return;
    };
    let path: Vec<String> = path.iter().map(|(_, title)| title.clone()).collect();
    let starts: Vec<usize> = (0..lines.len()).filter(|at| bullet(lines[*at]).is_some()).collect();
    if starts.first() != Some(&0) || !is_pure(lines) {
        found.push(piece(&path, lines, false));
        return;
    }
    for (index, start) in starts.iter().enumerate() {
        let end = starts.get(index + 1).copied().unwrap_or(lines.len());
        let bullet = piece(&path, &lines[*start..end], true);
        found.extend(Some(bullet).filter(|bullet| !bullet.body.is_empty()));
    }
}

/// Tells whether lines are nothing but bullets and what belongs to them.
fn is_pure(lines: &[&Line<'_>]) -> bool {
    lines.iter().all(|line| {
        bullet(line).is_some()
            || line.is_code
            || line.text.trim().is_empty()
            || line.text.starts_with([' ', '\t'])
    })
}

/// Returns the text after the mark of a bullet that is not indented.
fn bullet<'t>(line: &Line<'t>) -> Option<&'t str> {
    if line.is_code {
        return None;
    }
    ["- ", "* ", "+ "].iter().find_map(|mark| line.text.strip_prefix(mark))
}

fn piece(path: &[String], lines: &[&Line<'_>], is_bullet: bool) -> Section {
    let body: String = lines.iter().map(|line| line.text).collect();
    let body = if is_bullet { &body[2..] } else { &body };
    let (first, last) = (lines[0], lines[lines.len() - 1]);
    let said = lines.iter().rev().find(|line| !line.text.trim().is_empty()).unwrap_or(&last);
    Section {
        path: path.to_vec(),
        body: body.trim().to_owned(),
        is_bullet,
        lines: (first.number, said.number),
        place: first.place.start..said.place.end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_cut_at_headings_and_lists_at_bullets() {
        let text = "Intro.\n\n# Rules\n\n- one\n  more\n- two\n\n## Code\n\nText with\n- a list\n\n```sh\n# no heading\n```\n\
                    <!-- a note\nof two lines -->\n# Empty\n";
        let found = sections(text);
        let told: Vec<_> = found
            .iter()
            .map(|one| (one.path.join("/"), one.body.as_str(), one.is_bullet, one.lines))
            .collect();
        let want = [
            (String::new(), "Intro.", false, (1, 1)),
            ("Rules".to_owned(), "one\n  more", true, (5, 6)),
            ("Rules".to_owned(), "two", true, (7, 7)),
            (
                "Rules/Code".to_owned(),
                "Text with\n- a list\n\n```sh\n# no heading\n```",
                false,
                (11, 16),
            ),
        ];
        assert_eq!(told, want);
        assert_eq!(&text[found[1].place.clone()], "- one\n  more\n");
        assert!(sections("").is_empty() && sections("\n\n# A\n").is_empty());
        let bullets: Vec<_> = sections("- \n- one\n- ").into_iter().map(|one| one.body).collect();
        assert_eq!(bullets, ["one"]);
    }
}
