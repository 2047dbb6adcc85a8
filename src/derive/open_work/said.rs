//! Open work that stands in words: boxes in plans, the last words of the agent.

use super::lists::at_hand;
use super::{Work, last_act, shorten};
use crate::derive::timeline::{Done, Timeline};
use crate::derive::{Trust, text, words};
use crate::model::{Action, Body, QUESTION_MARKS};

/// How many entries are taken of each list in words.
pub(super) const MOST: usize = 40;
/// The longest entry, in characters.
const LONGEST: usize = 240;

/// Returns the open boxes of the last plan that the session wrote, and of the agent's last words.
pub(super) fn boxes(timeline: &Timeline<'_>) -> Vec<Work> {
    let mut found = Vec::new();
    if let Some((id, words)) = last_words(timeline) {
        found.extend(open_boxes(&words).map(|line| work(line, Trust::A, "box", &id)));
    }
    let list = at_hand(timeline)
        .map(|list| (list.item.clone(), list.text().to_owned(), list.hedge(timeline)))
        .or_else(|| {
            let edits =
                |done: &Done<'_>| matches!(done.call.action.as_deref(), Some(Action::Edit { .. }));
            timeline.done().rev().take_while(|done| !edits(done)).find_map(|done| {
                match done.call.action.as_deref() {
                    Some(Action::Propose { plan, .. }) if done.worked() => {
                        Some((done.item.id.to_string(), plan.clone(), String::new()))
                    }
                    _ => None,
                }
            })
        });
    if let Some((id, text, hedge)) = list {
        let box_of = |line: &str| work(&format!("{hedge}{line}"), Trust::A, "box", &id);
        found.extend(open_boxes(&text).map(box_of));
    }
    shorten(&mut found, MOST);
    found
}

pub(super) fn work(line: &str, trust: Trust, source: &'static str, id: &str) -> Work {
    Work::new(text::line(line, LONGEST), trust, source, id)
}

/// Returns what the agent said last, if nothing came after it.
pub(in crate::derive) fn last_words(timeline: &Timeline<'_>) -> Option<(String, String)> {
    let item = last_act(timeline)?;
    match &item.body {
        Body::Message(message) if message.is_by_model() => {
            Some((item.id.to_string(), text::plain(&message.plain())))
        }
        _ => None,
    }
}

/// What an agent says where it did not do all that was asked, or waits for a word.
const OPEN: &[&str] = &[
    "did not",
    "didn't",
    "failed to",
    "hasn't",
    "haven't",
    "i can't",
    "i cannot",
    "i could not",
    "i couldn't",
    "let me know",
    "need permission",
    "need your",
    "not able to",
    "not yet",
    "please confirm",
    "please provide",
    " remain,",
    " remain.",
    " remain;",
    "still need",
    "still to do",
    "tell me",
    "unable to",
    "wait for you",
    "waiting for",
    "your approval",
];

/// Whether a message of the agent may ask something, or say that something was not done: in another
/// language than English nobody knows. What is quoted as code does neither.
pub(in crate::derive) fn leaves_open(words: &str) -> bool {
    if !words::is_english(words) {
        return true;
    }
    text::unfenced(words).any(|line| {
        let line = line.trim_end();
        let is_code = line.matches('`').count() % 2 == 0;
        let bare = if is_code { line.split('`').step_by(2).collect() } else { line.to_owned() };
        let bare = bare + ".";
        let bare = bare.replace('’', "'").to_lowercase();
        // Within an address a question mark asks nothing.
        let asks = bare.split_whitespace().any(|word| {
            let end = word.trim_end_matches(|c: char| !c.is_alphanumeric());
            word[end.len()..].contains(QUESTION_MARKS) || word.contains(['？', '؟'])
        });
        asks || OPEN.iter().any(|cue| bare.contains(cue))
    })
}

/// Returns the entries of a text that are boxes without a mark.
fn open_boxes(text: &str) -> impl Iterator<Item = &str> {
    marked(text).filter_map(|(is_open, line)| is_open.then_some(line))
}

/// Returns the entries of a text that are boxes, each with whether it is without a mark; what is quoted as code is
/// none.
pub(super) fn marked(text: &str) -> impl Iterator<Item = (bool, &str)> {
    let boxes = text::unfenced(text).filter_map(|line| {
        let rest = without_mark(line)?;
        let marked = || rest.strip_prefix("[x]").or_else(|| rest.strip_prefix("[X]"));
        let open = rest.strip_prefix("[ ]").map(|line| (true, line.trim()));
        open.or_else(|| marked().map(|line| (false, line.trim())))
    });
    boxes.filter(|(_, line)| !line.is_empty())
}

/// Boxes, which may stand right behind a bullet.
const BOXES: &[&str] = &["[ ]", "[x]", "[X]"];

/// Returns an entry of a list without what it begins with, a bullet or a number.
pub(super) fn without_mark(line: &str) -> Option<&str> {
    let line = line.trim();
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = digits.strip_prefix(['.', ')']).filter(|_| digits.len() < line.len());
    let rest = line.strip_prefix(['-', '*', '+', '•']).or(numbered)?;
    let is_box = || BOXES.iter().any(|it| rest.starts_with(it));
    (rest.starts_with(char::is_whitespace) || is_box()).then(|| rest.trim_start())
}

/// Returns what a bullet or a numbered entry says.
pub(super) fn entry(line: &str) -> Option<&str> {
    let rest = without_mark(line)?;
    let is_done =
        ["[x]", "[X]", "✅", "✓", "✔", "~~", "[DONE]"].iter().any(|mark| rest.starts_with(mark));
    (!rest.is_empty() && !is_done).then(|| rest.trim_start_matches("[ ]").trim())
}

/// Whether an entry only says that there is nothing.
pub(super) fn says_nothing(line: &str) -> bool {
    let low = line.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    low.is_empty()
        || [
            "none",
            "no pending",
            "no explicit",
            "nothing",
            "n/a",
            "no outstanding",
            "no remaining",
            "no other",
        ]
        .iter()
        .any(|none| low.starts_with(none))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_boxes_are_found_outside_of_code() {
        let text = "- [ ] write it\n- [x] read it\n```\n- [ ] an example\n```\n  * [ ] test it\n2. [ ] name it\n3) [ ] end it\n4. [x] ask\n2.5 [ ] no\n1. see [ ] there\n-[ ] say it\n*[x](a.md)* no\n*bold* [ ] no\n";
        let open = ["write it", "test it", "name it", "end it", "say it"];
        assert_eq!(open_boxes(text).collect::<Vec<_>>(), open);
    }
}
