//! Whether a request begins something that has nothing to do with what went before.

use std::collections::BTreeSet;

use super::timeline::{Done, Timeline};
use super::written::changed;
use super::{place, scope, text, words};
pub(super) use crate::model::is_nod;
use crate::model::{Action, Body, Item, Origin, Role};

/// Below this share of common words a request has nothing to do with what went before.
const COMMON: f64 = 0.1;
/// With fewer different words nobody can tell.
const FEWEST_WORDS: usize = 5;
/// How many requests back count as what went before.
const REQUESTS_BACK: usize = 3;
/// As much of a word is compared: `import` is `importer`, too.
const STEM: usize = 5;

/// Words that say that what was done is right, whatever follows.
const PRAISE: &[&str] = &[
    "good",
    "great",
    "nice",
    "perfect",
    "thanks",
    "thank",
    "you",
    "looks",
    "gut",
    "super",
    "danke",
    "merci",
    "gracias",
    "хорошо",
    "спасибо",
];
/// Words that a request begins with that goes on with another.
const GOES_ON: &[&str] = &[
    "wait",
    "hmm",
    "warte",
    "attends",
    "espera",
    "подожди",
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
/// How many characters are the beginning of a request where words are not parted: "可以，但…".
const START: usize = 12;
/// The same two in scripts without blanks between words, at the beginning.
const UNPARTED: &[&str] = &[
    "继续",
    "然后",
    "还",
    "接着",
    "再",
    "也",
    "但",
    "等一下",
    "这",
    "那",
    "次",
    "続",
    "また",
    "それ",
    "これ",
    "待って",
];

/// Tells whether the request in `item`, the newest of the session, begins a new topic: the agent had
/// answered the one before, nothing in it points back, it shares next to no word with the requests
/// before it, the agent's last words and the files that were worked on, and what the agent changed for
/// it is something else. Words alone prove nothing: "mind the version number" goes on with whatever
/// was asked. Where there is too little to compare it goes on.
pub(super) fn is_new(timeline: &Timeline<'_>, item: &Item<'_>, request: &str) -> bool {
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
    let mut before: BTreeSet<String> = stems(&answer).collect();
    before.extend(
        earlier.iter().flat_map(|(_, message)| stems(&message.words()).collect::<Vec<_>>()),
    );
    // Nothing in common is rare, and quickly seen.
    let request = stems(request).collect();
    if !shares_nothing(&request, &before) {
        return false;
    }
    let calls = timeline.done().filter(|done| done.item.turn >= since);
    let (done, later): (Vec<_>, Vec<_>) = calls.partition(|done| done.item.turn < item.turn);
    let known = changes(timeline, &done);
    let read: BTreeSet<String> =
        done.iter().filter_map(opened).map(|path| timeline.path(path)).collect();
    before.extend(known.union(&read).flat_map(|path| stems(path).collect::<Vec<_>>()));
    let known = if known.is_empty() { read } else { known };
    shares_nothing(&request, &before)
        && works_elsewhere(timeline, &known, &later)
            .is_some_and(|changed| lists_anew(timeline, item.turn).unwrap_or(changed))
}

fn changes(timeline: &Timeline<'_>, calls: &[Done<'_>]) -> BTreeSet<String> {
    calls.iter().flat_map(|done| changed(timeline, done)).map(|one| one.path).collect()
}

/// Whether calls changed something; nothing where they came upon one of the `known` files.
fn works_elsewhere(
    timeline: &Timeline<'_>,
    known: &BTreeSet<String>,
    calls: &[Done<'_>],
) -> Option<bool> {
    let touches = |done: &Done<'_>| {
        let path = opened(done).map(|path| timeline.path(path));
        let line = done.command().unwrap_or_default();
        path.is_some_and(|path| known.contains(&path))
            || known.iter().any(|path| line.contains(place::name(path)))
    };
    let new = changes(timeline, calls);
    let is_apart = new.is_disjoint(known) && !calls.iter().any(touches);
    is_apart.then_some(!new.is_empty())
}

/// Whether the list of work was written since a turn began, and has no entry of the one before; nothing where
/// it was not written since.
fn lists_anew(timeline: &Timeline<'_>, turn: u32) -> Option<bool> {
    let items = timeline.items.iter().rev();
    let lists = items.filter_map(|item| Some((item.turn, &item.plan()?.items)));
    let (since, before): (Vec<_>, Vec<_>) = lists.partition(|(at, _)| *at >= turn);
    let (_, newest) = since.first()?;
    let before: BTreeSet<&str> = before
        .first()
        .iter()
        .flat_map(|(_, items)| items.iter().map(|it| it.text.as_str()))
        .collect();
    Some(!newest.iter().any(|entry| before.contains(entry.text.as_str())))
}

/// Returns the file that a call reads.
fn opened<'d>(done: &Done<'d>) -> Option<&'d str> {
    match done.call.action.as_deref() {
        Some(Action::Read { path, .. }) => Some(path),
        _ => None,
    }
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

/// Tells whether a request begins with words that say that what was done is right.
pub(super) fn begins_with_praise(request: &str) -> bool {
    words::begins_with(PRAISE, request)
}

fn points_back(request: &str) -> bool {
    let request = request.trim_start();
    let words = request.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let words = words.map(str::to_lowercase).skip_while(|word| PRAISE.contains(&word.as_str()));
    let first: Vec<_> = words.take(3).collect();
    let start: String = request.chars().take(START).collect();
    let goes_on = first.first().is_some_and(|word| GOES_ON.contains(&word.as_str()));
    goes_on
        || first.iter().any(|word| POINTS_BACK.contains(&word.as_str()))
        || UNPARTED.iter().any(|word| start.contains(word))
}

/// Returns the beginnings of the words of a text; pairs of characters where words are not parted.
fn stems(text: &str) -> impl Iterator<Item = String> {
    scope::words(text).into_iter().map(|word| word.chars().take(STEM).collect())
}

fn shares_nothing(request: &BTreeSet<String>, before: &BTreeSet<String>) -> bool {
    let common = request.intersection(before).count();
    let can_tell = request.len() >= FEWEST_WORDS && before.len() >= FEWEST_WORDS;
    can_tell && text::share(common, request.len()) < COMMON
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
