//! Where a session ends with no more than thanks, so that the request before is still the one that counts.

use super::text::{plain, word_count};
use super::words;
use crate::model::{Body, Item, Origin};

/// An answer to thanks of as many words says something.
const BRIEF_WORDS: usize = 25;

/// Returns how many of the items come before words of thanks or leave, with which the session ends and for
/// which nothing was done; all of them where it ends otherwise, or where such words can answer a question.
pub(super) fn begins(items: &[&Item<'_>]) -> usize {
    let mut end = items.len();
    while let Some(at) = items[..end].iter().rposition(|item| said(item, Origin::Human).is_some()) {
        let is_thanks = said(items[at], Origin::Human).is_some_and(|it| words::takes_leave(&it));
        let has_request = || items[..at].iter().any(|item| said(item, Origin::Human).is_some());
        if !is_thanks || !is_idle(&items[at + 1..end]) || is_asked(&items[..at]) || !has_request() {
            break;
        }
        end = at;
    }
    end
}

/// Whether the items after thanks are no more than an answer in a few words.
fn is_idle(after: &[&Item<'_>]) -> bool {
    let says = |item: &&Item<'_>| said(item, Origin::Model).unwrap_or_default();
    let answer: String = after.iter().map(says).collect::<Vec<_>>().join("\n");
    let acts = |item: &&Item<'_>| {
        matches!(
            item.body,
            Body::ToolCall(_) | Body::ToolResult(_) | Body::Compaction(_) | Body::Plan(_)
        )
    };
    !after.iter().any(acts) && word_count(&answer) < BRIEF_WORDS && !words::asks_user(&answer)
}

/// Whether the agent had asked something last.
fn is_asked(before: &[&Item<'_>]) -> bool {
    let last = before.iter().rev().find_map(|item| said(item, Origin::Model));
    last.is_some_and(|words| words::asks_user(&words))
}

fn said(item: &Item<'_>, by: Origin) -> Option<String> {
    match &item.body {
        Body::Message(message) if message.origin == by => Some(match by {
            Origin::Human => message.words().into_owned(),
            _ => plain(&message.plain()),
        }),
        _ => None,
    }
}
