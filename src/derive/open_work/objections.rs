//! What hooks of the user's said against the work, and nobody saw to.

use super::Work;
use super::left::last_act;
use crate::derive::timeline::Timeline;
use crate::derive::{Trust, text};
use crate::model::{Body, Item};

/// How much of it is told, in characters.
const TOLD_CHARS: usize = 200;

/// Returns what a hook said behind all that the agent did and the user asked for: nobody saw to it yet.
pub(super) fn objections(timeline: &Timeline<'_>) -> Vec<Work> {
    let asked = timeline.requests().next_back().map_or(0, |(item, _)| item.line);
    let last = last_act(timeline).map_or(0, |item| item.line).max(asked);
    let work = |words: &str, item: &Item<'_>| {
        let words = text::line(words.trim_start_matches(['-', ' ']), TOLD_CHARS);
        Work::new(
            format!("a hook objected, and nobody saw to it: {words}"),
            Trust::S,
            "check",
            &item.id,
        )
    };
    // Of several in the same words one is told.
    let mut open: Vec<Work> = Vec::new();
    let newest = timeline.items.iter().rev().take_while(|item| item.line > last);
    for (item, words) in newest.filter_map(|item| said(item)).collect::<Vec<_>>().into_iter().rev()
    {
        let work = work(&words, item);
        open.retain(|known| known.text != work.text);
        open.push(work);
    }
    open
}

fn said<'i>(item: &'i Item<'_>) -> Option<(&'i Item<'i>, String)> {
    match &item.body {
        Body::Notice { kind, text: Some(words) } if kind == "objection" => {
            Some((item, words.plain().into_owned()))
        }
        _ => None,
    }
}
