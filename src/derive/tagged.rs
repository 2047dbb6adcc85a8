//! What an agent says between tags.

use std::borrow::Cow;
use std::ops::Range;

use super::text::untagged;

/// Tags in which an agent writes what it thinks of first, and those in which it then says what comes of it.
const DRAFTS: &[&str] = &["analysis", "draft", "reasoning", "scratchpad", "thinking", "thoughts"];
const ANSWERS: &[&str] =
    &["answer", "conclusion", "final", "final_answer", "output", "response", "result", "summary"];

/// In a text of more bytes nobody looks for them.
const MOST_TAGGED: usize = 30_000;

/// Returns what an agent says to somebody: where it wrote a draft in tags and then the answer in others, what
/// stands in these; else all, without tags alone on their lines that are closed by others below them.
pub(super) fn answer(words: &str) -> Cow<'_, str> {
    let words = untagged(words);
    if words.len() > MOST_TAGGED || !words.contains("\n</") {
        return Cow::Borrowed(words);
    }
    let drafted = DRAFTS.iter().filter_map(|tag| tagged(words, tag));
    let rest = drafted.map(|(_, end)| &words[end..]).min_by_key(|rest| rest.len());
    let mut answers = ANSWERS.iter().filter_map(|tag| {
        let rest = rest?;
        let (inner, end) = tagged(rest, tag)?;
        let before = rest[..inner.start].trim_end().strip_suffix(&format!("<{tag}>"))?;
        Some((before.trim(), rest[inner].trim(), rest[end..].trim()))
    });
    if let Some((before, answer, behind)) = answers.find(|(_, answer, _)| !answer.is_empty()) {
        return Cow::Owned(format!("{before}\n\n{answer}\n\n{behind}").trim().to_owned());
    }
    let mut is_fenced = false;
    let is_said = |line: &&str| {
        is_fenced ^= line.trim_start().starts_with("```");
        let name = line.trim_end().strip_prefix('<').and_then(|tag| tag.strip_suffix('>'));
        let name = name.map(|name| name.strip_prefix('/').unwrap_or(name));
        let is_own = |name: &str| DRAFTS.contains(&name) || ANSWERS.contains(&name);
        is_fenced || name.is_none_or(|name| !is_own(name) || tagged(words, name).is_none())
    };
    Cow::Owned(words.lines().filter(is_said).collect::<Vec<_>>().join("\n"))
}

/// Returns where that lies in a text which stands between a tag alone on its line and the end of it alone on another, and
/// where that ends.
fn tagged(text: &str, name: &str) -> Option<(Range<usize>, usize)> {
    let is_name = !name.is_empty()
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    let line = |tag: &str, from: usize| {
        let is_alone = |at: usize| {
            let end = text[at + tag.len()..].chars().next();
            (at == 0 || text[..at].ends_with('\n')) && end.is_none_or(|c| c == '\n' || c == '\r')
        };
        let mut places = text[from..].match_indices(tag).map(|(at, _)| from + at);
        places.find(|at| is_alone(*at))
    };
    let open = format!("<{name}>");
    let begin = is_name.then(|| line(&open, 0)).flatten()? + open.len();
    let close = format!("</{name}>");
    let end = line(&close, begin)?;
    Some((begin..end, end + close.len()))
}

#[cfg(test)]
mod tests {
    use super::answer;

    #[test]
    fn what_comes_behind_a_draft_is_the_answer() {
        let drafted = "Here it is.\n\n<analysis>\nThe lamp burns.\n</analysis>\n\n<summary>\nLight the gate.\n</summary>\n";
        assert_eq!(answer(drafted), "Light the gate.");
        let asked = format!("{drafted}\nShall I?\n");
        assert_eq!(answer(&asked), "Light the gate.\n\nShall I?");
        // Without a draft, or behind none, all is said.
        let said = "One.\n\n<summary>\nTwo.\n</summary>\n\nThree.";
        assert_eq!(answer(said), "One.\n\nTwo.\n\nThree.");
        let turned = "<summary>\nTwo.\n</summary>\n<analysis>\nOne.\n</analysis>\nThree.";
        assert_eq!(answer(turned), "Two.\nOne.\nThree.");
        for other in [
            "One.\n<summary>\nTwo.",
            "One.\n```xml\n<summary>\n</summary>\n```\nTwo.",
            "The tag <summary>\nis closed by\n</summary> here.",
            "One.\n</summary>\nTwo.\n<summary>\nThree.",
            "No tag at all.\n",
        ] {
            assert_eq!(answer(other), other);
        }
    }
}
