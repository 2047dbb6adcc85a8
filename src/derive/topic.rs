//! Whether a request begins something that has nothing to do with what went before.

use std::collections::BTreeSet;

use super::files::FileFact;
use super::scope;
use super::timeline::Timeline;
use crate::model::{Body, Item, Origin, Role};

/// Below this share of common words a request has nothing to do with what went before.
const COMMON: f64 = 0.1;
/// With fewer different words nobody can tell.
const FEWEST_WORDS: usize = 5;
/// How many requests back count as what went before.
const REQUESTS_BACK: usize = 3;
/// As much of a word is compared: `import` is `importer`, too.
const STEM: usize = 5;

/// Words that a request begins with that goes on with another.
const GOES_ON: &[&str] = &[
    "now",
    "also",
    "and",
    "then",
    "next",
    "but",
    "so",
    "again",
    "still",
    "continue",
    "go",
    "instead",
    "yes",
    "no",
    "ok",
    "okay",
    "another",
    "same",
    "jetzt",
    "auch",
    "und",
    "dann",
    "aber",
    "weiter",
    "nochmal",
    "maintenant",
    "aussi",
    "et",
    "puis",
    "encore",
    "mais",
    "ahora",
    "también",
    "y",
    "luego",
    "pero",
];
/// Words near the beginning of a request that point back at what was said.
const POINTS_BACK: &[&str] =
    &["it", "its", "that", "this", "these", "those", "them", "das", "es", "cela", "ça", "eso"];
/// The same two in scripts without blanks between words, at the very beginning.
const UNPARTED: &[&str] =
    &["继续", "然后", "还有", "接着", "再", "也", "这", "那", "次", "続", "また", "それ", "これ"];

/// Tells whether the request in `item`, the newest of the session, begins a new topic: the agent had
/// answered the one before, nothing in it points back, and it shares next to no word with the
/// requests before it, the agent's last words and the files that were worked on. Where there is too
/// little to compare it goes on.
pub(super) fn is_new(
    timeline: &Timeline<'_>,
    item: &Item<'_>,
    request: &str,
    files: &[FileFact],
) -> bool {
    if points_back(request) {
        return false;
    }
    let Some(at) = timeline.items.iter().position(|other| other.id == item.id) else {
        return false;
    };
    let Some(answer) = answer(timeline, at) else { return false };
    let earlier = timeline.requests().rev().filter(|(other, _)| other.line < item.line);
    let earlier: Vec<_> = earlier.take(REQUESTS_BACK).collect();
    let since = earlier.last().map_or(item.turn, |(first, _)| first.turn);
    let touched = files.iter().filter(|file| file.was_opened() && file.turn >= since);
    let mut before: BTreeSet<String> = stems(&answer).collect();
    before.extend(
        earlier.iter().flat_map(|(_, message)| stems(&message.words()).collect::<Vec<_>>()),
    );
    before.extend(touched.flat_map(|file| stems(&file.path).collect::<Vec<_>>()));
    shares_nothing(&stems(request).collect(), &before)
}

/// Returns the agent's words if they are the last that happened before an item.
fn answer(timeline: &Timeline<'_>, at: usize) -> Option<String> {
    let happened = |item: &&&Item<'_>| match &item.body {
        Body::ToolCall(_) | Body::ToolResult(_) => timeline.is_deed(item),
        Body::Message(message) => message.origin != Origin::Harness,
        Body::Notice { kind, .. } => kind == "interrupted",
        _ => false,
    };
    match &timeline.items[..at].iter().rev().find(happened)?.body {
        Body::Message(message) if message.role == Role::Assistant => {
            Some(message.plain().into_owned())
        }
        _ => None,
    }
}

fn points_back(request: &str) -> bool {
    let request = request.trim_start();
    let words = request.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let first: Vec<_> = words.take(3).map(str::to_lowercase).collect();
    let goes_on = first.first().is_some_and(|word| GOES_ON.contains(&word.as_str()));
    goes_on
        || first.iter().any(|word| POINTS_BACK.contains(&word.as_str()))
        || UNPARTED.iter().any(|start| request.starts_with(start))
}

/// Returns the beginnings of the words of a text; pairs of characters where words are not parted.
fn stems(text: &str) -> impl Iterator<Item = String> {
    scope::words(text).into_iter().map(|word| word.chars().take(STEM).collect())
}

#[expect(clippy::cast_precision_loss, reason = "no request has so many words")]
fn shares_nothing(request: &BTreeSet<String>, before: &BTreeSet<String>) -> bool {
    let common = request.intersection(before).count();
    let can_tell = request.len() >= FEWEST_WORDS && before.len() >= FEWEST_WORDS;
    can_tell && (common as f64) < COMMON * request.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_apart(request: &str, before: &str) -> bool {
        !points_back(request) && shares_nothing(&stems(request).collect(), &stems(before).collect())
    }

    #[test]
    fn a_request_with_other_words_is_a_new_topic() {
        let before = "The importer drops the decimal marks of amounts, write tests, please";
        let colour = "Give the landing pages a darker background colour than before";
        assert!(is_apart(colour, before));
        assert!(!is_apart("Importing should handle negative amounts between brackets", before));
        assert!(!is_apart(&format!("Also {colour}"), before));
        assert!(!is_apart(&format!("Fix that: {colour}"), before));
        // Too little to tell.
        assert!(!is_apart("Push everything", before));
        assert!(!is_apart(colour, "ok"));
    }

    #[test]
    fn scripts_without_blanks_are_compared_by_pairs_of_characters() {
        let before = "修复发票解析器的小数点,并添加测试";
        assert!(is_apart("给首页换一个深色背景", before));
        assert!(!is_apart("发票解析器应该支持负数金额", before));
        assert!(!is_apart("继续给首页换一个深色背景", before));
        let before = "請求書の解析で小数点が消える問題を直してください";
        assert!(is_apart("ログイン画面の背景色を暗く変更", before));
        assert!(!is_apart("請求書の解析で負の金額も読めるように", before));
    }
}
