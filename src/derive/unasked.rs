//! What a session is about in which nobody asked for anything in words.

use super::open_work::is_by_human;
use super::timeline::{Done, Timeline};
use super::{decisions, steps};
use crate::model::{Body, Origin};

/// Says what the user ran last that the agent went on from, and what they chose since, where no words of anybody ask for
/// something.
pub(super) fn unasked(timeline: &Timeline<'_>) -> Option<String> {
    let items = timeline.until_farewell();
    let asks = |origin| matches!(origin, Origin::Human | Origin::Agent | Origin::Summary);
    let is_asked =
        items.iter().any(|item| matches!(&item.body, Body::Message(it) if asks(it.origin)));
    if is_asked {
        return None;
    }
    let worked = items.iter().rfind(|item| match &item.body {
        Body::ToolCall(call) => !is_by_human(call),
        Body::Message(message) => message.origin == Origin::Model,
        _ => false,
    })?;
    let is_it = |done: &Done<'_>| done.is_by_human() && done.item.line < worked.line;
    let ran = timeline.done().rev().find(is_it)?;
    let told = steps::brief(timeline, &ran);
    let chosen = decisions::answered_since(timeline, ran.item.line);
    Some(match chosen {
        Some(chosen) => format!("{told}; then chose: {chosen}"),
        None => told,
    })
}
