//! What is read off the words of a memory: a name, a summary, a reason.

use super::digest;

/// Returns a name for a file: small letters and digits of any script, hyphens between words.
pub fn slug(title: &str) -> String {
    const CHARS: usize = 60;
    /// How many digits stand for a title of signs.
    const SIGNS_DIGITS: usize = 8;
    let mut name = String::new();
    for c in title.chars().flat_map(char::to_lowercase) {
        if c.is_alphanumeric() {
            name.push(c);
        } else if !name.is_empty() && !name.ends_with('-') {
            name.push('-');
        }
    }
    let name: String = name.chars().take(CHARS).collect();
    match name.trim_matches('-') {
        "" if title.trim().is_empty() => "memory".to_owned(),
        // Of signs alone none can stand in a name; others of them are another title all the same.
        "" => format!("memory-{}", &digest(&[title.trim()])[..SIGNS_DIGITS]),
        name => name.to_owned(),
    }
}

/// Returns the first sentence of a text, headings aside, without marks of lists.
pub fn first_sentence(text: &str) -> String {
    let bare = |line: &'_ str| !line.trim_matches(['#', '-', '*', '>', ' ']).is_empty();
    let is_heading = |line: &&str| line.starts_with('#');
    let said = || text.lines().filter(|line| bare(line));
    let line = said().find(|line| !is_heading(line)).or_else(|| said().next()).unwrap_or_default();
    let line = line.trim_start_matches(['#', '-', '*', '>', ' ']).trim();
    let end = line.match_indices(['.', '!', '?', '。']).map(|(at, mark)| at + mark.len());
    let end = end.into_iter().find(|end| line[*end..].is_empty() || line[*end..].starts_with(' '));
    line[..end.unwrap_or(line.len())].to_owned()
}

/// Returns `text` as one line of at most `most` characters, without what steers a terminal; `…` stands
/// for the rest.
pub fn clipped(text: &str, most: usize) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control());
    let line = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    if line.chars().count() <= most {
        return line;
    }
    let mut short: String = line.chars().take(most - 1).collect();
    short.truncate(short.trim_end().len());
    short + "…"
}

/// Returns the paragraph that begins with one of `labels` and a colon, bold or not.
pub(super) fn labelled(text: &str, labels: &[&str]) -> Option<String> {
    let mut lines = text.lines();
    let first = lines.by_ref().find_map(|line| {
        let bare = line.trim_start_matches(['-', '*', ' ', '_']);
        let (label, rest) = bare.split_once(':')?;
        let label = label.trim_end_matches(['*', '_']).to_lowercase();
        labels.contains(&label.as_str()).then(|| rest.trim_start_matches(['*', '_']).trim())
    })?;
    let rest =
        lines.take_while(|line| !line.trim().is_empty() && !line.trim_start().starts_with("**"));
    let all: Vec<_> = std::iter::once(first).chain(rest.map(str::trim)).collect();
    let paragraph = all.join(" ").trim().to_owned();
    (!paragraph.is_empty()).then_some(paragraph)
}
