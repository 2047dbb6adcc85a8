//! Which paragraph of a message tells most, where only one is told.

use super::text;

/// How many characters are told whole: the end of a message may be a side remark.
const WHOLE_CHARS: usize = 300;
/// How many characters of the words before a list are told with it.
const INTRO_CHARS: usize = 80;

/// Returns words that are short whole, of others the last paragraph.
fn last_words(words: &str) -> &str {
    match words.chars().count() <= WHOLE_CHARS {
        true => words.trim(),
        false => last_paragraph(words),
    }
}

/// Returns the last paragraph that a person would read; lines that steer a program are none.
pub(super) fn last_paragraph(words: &str) -> &str {
    let mut parts = words.trim().rsplit("\n\n").map(str::trim);
    parts.find(is_prose).unwrap_or(words.trim())
}

/// Returns the last paragraph, or the whole list with which words end, also where blank lines part its entries.
pub(super) fn last_block(words: &str) -> &str {
    let words = words.trim();
    let mut from = words.len();
    for part in words.rsplit("\n\n") {
        let is_list = is_listed(part);
        let is_end = from == words.len();
        if is_end || is_list {
            // Two line ends part it from what stands behind it.
            from -= part.len() + if is_end { 0 } else { 2 };
        }
        if !is_list {
            break;
        }
    }
    &words[from..]
}

/// Returns the end of words: of a list that stands there with the line before it.
pub(super) fn end(words: &str) -> &str {
    let last = last_words(words);
    let listed = words.rfind(last).filter(|_| is_listed(last));
    let before = listed.map_or("", |at| words[..at].trim_end());
    let intro = before.rsplit("\n\n").next().unwrap_or_default();
    let is_intro = intro.ends_with([':', '：']) && intro.chars().count() <= INTRO_CHARS;
    match listed.filter(|_| is_intro) {
        Some(at) => &words[before.len() - intro.len()..at + last.len()],
        None => last,
    }
}

/// Whether a paragraph is a list.
fn is_listed(paragraph: &str) -> bool {
    let start = paragraph.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
    ["- ", "* ", "+ ", "• ", ". ", ") "].iter().any(|mark| start.starts_with(mark))
}

/// Returns the first paragraph that a person would read; a heading is none.
pub(super) fn first_paragraph(words: &str) -> &str {
    let mut parts = words.trim().split("\n\n").map(str::trim);
    parts.find(|part| is_prose(part) && !part.starts_with('#')).unwrap_or(words.trim())
}

/// An answer of fewer words agrees, or leads to what follows.
const ASSENT_WORDS: usize = 10;

/// Returns the first paragraph, with the next one where it says hardly anything.
pub(super) fn opening(words: &str) -> String {
    let first = first_paragraph(words);
    let leads = first.ends_with([':', '：']) || text::word_count(first) < ASSENT_WORDS;
    let rest = words.split_once(first).map_or("", |(_, rest)| rest);
    let is_more = |part: &&str| is_prose(part) && !part.starts_with(['#', '`', '|']);
    let next = rest.split("\n\n").map(str::trim).find(is_more);
    match next.filter(|_| leads) {
        Some(next) => format!("{first} {next}"),
        None => first.to_owned(),
    }
}

fn is_prose(part: &&str) -> bool {
    !part.starts_with("::") && part.split_whitespace().count() > 2
}

#[cfg(test)]
mod tests {
    use super::opening;

    #[test]
    fn a_bare_assent_is_told_with_what_follows() {
        let rule = "A lamp belongs to the room that names it.";
        assert_eq!(
            opening(&format!("Yes, I agree.\n\n{rule}\n\nMore of it.")),
            format!("Yes, I agree. {rule}")
        );
        assert_eq!(opening("Yes, I agree."), "Yes, I agree.");
        let first = "Each lamp belongs to the room that names it, so both are read from there.";
        assert_eq!(opening(&format!("{first}\n\n{rule}")), first);
        assert_eq!(
            opening(&format!("Yes, I agree.\n\n## Lamps\n\n{rule}")),
            format!("Yes, I agree. {rule}")
        );
    }
}
