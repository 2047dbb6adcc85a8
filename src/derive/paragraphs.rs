//! Which paragraph of a message tells most, where only one is told.

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

fn is_prose(part: &&str) -> bool {
    !part.starts_with("::") && part.split_whitespace().count() > 2
}
