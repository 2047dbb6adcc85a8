//! A session to a conversation that any harness can be given: what is sent, in order, every call
//! with its result, and a count of what was lost on the way.
//!
//! Nothing here knows a harness. The caller says what a call does ([`Options::deed`]); the writers
//! under `harness` put the conversation into their own form and add what they lose.

mod calls;
mod ended;
mod fate;
mod responses;
mod scripts;
mod sides;
mod target;
mod times;

use std::collections::HashMap;

use crate::model::{
    Body, Compaction, Conversation, Deed, Ended, Entry, EntryBody, Header, Item, Origin, Part,
    Role, Session, Text, ToolCall,
};
use crate::note::{LossKind, Losses};

pub use target::{KIN_CHARS, State, digest, target_id};

use fate::{Fate, STOPPED, fates};

/// How a session is converted.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// Whether the target is the harness that recorded it: then what only that harness can send
    /// again is kept.
    pub same: bool,
    /// Carry what compactions had replaced as if they had never been.
    pub full_history: bool,
    /// Says what a call does, where another harness may have a tool for it, and whether it asks for more
    /// than that.
    pub deed: &'a dyn Fn(&ToolCall<'_>) -> Option<(Deed, bool)>,
    /// Tells whether the harness keeps no result of a call, however it ended.
    pub is_alone: &'a dyn Fn(&ToolCall<'_>) -> bool,
    /// Takes off the output of a script what the harness put around what it printed.
    pub printed: &'a dyn Fn(Vec<Part<'static>>) -> Vec<Part<'static>>,
    /// Says by what name a call runs on, if its result tells only that.
    pub begun: &'a dyn Fn(&str) -> Option<String>,
    /// Says of which names a message of the harness tells how they ended, and how.
    pub ended: &'a dyn Fn(&str) -> Vec<(String, Ended)>,
    /// Says by what name that runs on which a call only waits for.
    pub waits_for: &'a dyn Fn(&ToolCall<'_>) -> Option<String>,
}

/// A conversation, and what was lost on the way to it.
#[derive(Clone, Debug, Default)]
pub struct Converted {
    /// What is to be written.
    pub conversation: Conversation,
    /// What is not in it. The items of the entries and those that were lost are all of the source.
    pub losses: Losses,
    /// How many items the source has.
    pub items: u64,
}

impl Converted {
    /// Tells whether a compaction is carried of which nothing can be read, so that a summary has to
    /// be made of what it replaced.
    pub fn lacks_summary(&self) -> bool {
        let is_summary = |entry: &Entry| matches!(entry.body, EntryBody::Summary(_));
        self.conversation.boundary.is_some() && !self.conversation.live.iter().any(is_summary)
    }

    /// Leaves the side sessions behind, where there is no place for files of their own.
    pub fn leave_sides(&mut self) {
        for side in std::mem::take(&mut self.conversation.sides) {
            self.losses.lose_many(LossKind::SideSession, side.all_items(), &side.id);
        }
    }

    /// Tells whether the compaction that is carried stands as its provider made it.
    pub fn has_native_summary(&self) -> bool {
        let body = self.conversation.boundary.as_ref().map(|entry| &entry.body);
        matches!(body, Some(EntryBody::Boundary(compaction)) if compaction.native.is_some())
    }

    /// Puts `summary` in place of what stands before the live entry number `at`.
    pub fn fold(&mut self, at: usize, summary: String) {
        let Conversation { older, boundary, live, .. } = &mut self.conversation;
        let Some(ts) = live.get(at.min(live.len().saturating_sub(1))).map(|entry| entry.ts.clone())
        else {
            return;
        };
        let id = format!("{}/summary", live.get(at).map_or("end", |entry| &entry.id));
        let mut tail = live.split_off(at.min(live.len()));
        if at > 0 {
            // They count what is folded now: a program would take the session for as long as before.
            tail.retain(|entry| {
                let is_count = matches!(entry.body, EntryBody::Usage(_));
                if is_count {
                    self.losses.lose_many(LossKind::Usage, entry.items, &entry.id);
                }
                !is_count
            });
        }
        let new = |body| Entry { id: id.clone(), items: 0, ts: ts.clone(), response: 0, body };
        if at > 0 || boundary.is_none() {
            older.extend(boundary.take());
            older.append(live);
            *boundary = Some(new(EntryBody::Boundary(Box::new(Compaction::made(&summary)))));
        } else if let Some(Entry { body: EntryBody::Boundary(compaction), .. }) = boundary {
            // Both would be sent, one of them to nobody who can read it.
            compaction.native = None;
            compaction.summary = Some(summary.clone().into());
        }
        *live = vec![new(EntryBody::Summary(summary.into()))];
        live.extend(tail);
        times::order(&mut self.conversation, &mut Losses::default());
    }
}

/// Makes a conversation of a session.
pub fn convert(session: Session, options: &Options<'_>) -> Converted {
    let Session { header, mut items, .. } = session;
    if !options.same {
        ended::tell(&mut items, options);
    }
    let mut losses = Losses::default();
    let count = items.len() as u64;
    let (items, groups) = sides::split(items);
    let (mut conversation, calls) = whole(header, items, options, &mut losses);
    conversation.sides = sides::sides(&conversation, &calls, groups, options, &mut losses);
    Converted { conversation, losses, items: count }
}

/// The ids of calls in a conversation, by those of the source.
type Names = HashMap<String, String>;

/// Makes a conversation of the items of one session, its side sessions aside.
fn whole(
    header: Header,
    items: Vec<Item<'static>>,
    options: &Options<'_>,
    losses: &mut Losses,
) -> (Conversation, Names) {
    let fates = fates(&items, options, losses);
    let count = |is_it: fn(&Fate) -> bool| fates.iter().filter(|fate| is_it(fate)).count();
    let mut older = Vec::with_capacity(count(|fate| *fate == Fate::Older));
    let mut live = Vec::with_capacity(count(|fate| matches!(fate, Fate::Live(_))));
    let told = count(|fate| *fate == Fate::Told);
    let mut boundary = None;
    for (item, fate) in items.into_iter().zip(fates) {
        match fate {
            Fate::Lost | Fate::Told => {}
            Fate::Older => older.push(item),
            Fate::Live(rank) => live.push((rank, item)),
            Fate::Boundary => boundary = Some(item),
        }
    }
    live.sort_by_key(|(rank, _)| *rank);
    let summary = boundary.as_ref().and_then(|item| summary_of(item));
    let live: Vec<_> = live.into_iter().map(|(_, item)| item).collect();
    let mut calls = calls::Calls::new(options);
    let mut conversation = Conversation {
        header,
        older: section(older, None, options, &mut calls, losses),
        boundary: boundary.map(|item| one(item, None, 0, options.same)),
        live: section(live, summary, options, &mut calls, losses),
        sides: Vec::new(),
    };
    let stops = |entry: &&mut Entry| matches!(&entry.body, EntryBody::Notice { kind, .. } if kind == STOPPED);
    if let Some(stop) = conversation.live.iter_mut().rfind(stops) {
        stop.items += told as u64;
    }
    tell_summary(&mut conversation);
    times::order(&mut conversation, losses);
    (conversation, calls.names)
}

/// Has the summary sent that a compaction holds, where no message of its own carries it.
fn tell_summary(conversation: &mut Conversation) {
    let Conversation { boundary, live, .. } = conversation;
    let is_summary = |entry: &Entry| matches!(entry.body, EntryBody::Summary(_));
    let Some(Entry { id, ts, body: EntryBody::Boundary(compaction), .. }) = boundary else {
        return;
    };
    let summary = compaction.summary.as_ref().filter(|_| compaction.native.is_none());
    let Some(summary) = summary.filter(|text| compaction.readable && !text.is_blank()) else {
        return;
    };
    // Where nothing else is left there is nothing to go on with, whatever the line says.
    if live.is_empty() || live.iter().any(is_summary) {
        return;
    }
    let body = EntryBody::Summary(summary.clone());
    let id = format!("{id}/summary");
    live.insert(0, Entry { id, items: 0, ts: ts.clone(), response: 0, body });
}

fn summary_of(item: &Item<'static>) -> Option<Text<'static>> {
    let Body::Compaction(compaction) = &item.body else { return None };
    compaction.summary.clone()
}

/// Makes entries of items that stand in order.
fn section(
    items: Vec<Item<'static>>,
    summary: Option<Text<'static>>,
    options: &Options<'_>,
    calls: &mut calls::Calls<'_>,
    losses: &mut Losses,
) -> Vec<Entry> {
    let scripts = scripts::scripts(&items, options);
    let mut section = calls::Section::of(items.len());
    let mut responses = responses::Responses::default();
    let mut summary = summary;
    for item in items {
        let response = responses.of(&item);
        summary = summary_of(&item).or(summary);
        match item.body {
            Body::ToolCall(_) | Body::ToolResult(_) | Body::Plan(_) => {
                calls.take(item, response, &scripts, &mut section, losses);
            }
            Body::Message(ref message) if message.is_empty() => {
                losses.lose(LossKind::EmptyMessage, &item.id);
            }
            _ => section.push(one(item, summary.as_ref(), response, options.same)),
        }
    }
    let mut entries = calls.close(section, &scripts, losses);
    if !options.same {
        responses::after_calls(&mut entries);
    }
    entries
}

/// Makes an entry of an item that is no part of a call.
fn one(item: Item<'static>, summary: Option<&Text<'static>>, response: u32, same: bool) -> Entry {
    let body = match item.body {
        // It is sent behind the words that name it.
        ref body @ Body::Notice { .. } if let Some(message) = body.told_attached() => {
            EntryBody::Said(message)
        }
        Body::Message(message) if message.origin == Origin::Summary => {
            let whole = message.plain();
            let bare = summary.cloned().filter(|bare| {
                let bare = bare.plain();
                is_inside(&bare, &whole) && !(same && goes_on(&bare, &whole))
            });
            EntryBody::Summary(bare.unwrap_or_else(|| whole.into_owned().into()))
        }
        Body::Message(message) if message.role == Role::Assistant => EntryBody::Answer(message),
        Body::Message(message) => EntryBody::Said(message),
        Body::Reasoning(reasoning) => EntryBody::Reasoning(reasoning),
        Body::Usage(usage) => EntryBody::Usage(usage),
        Body::Notice { kind, text } => EntryBody::Notice { kind, text },
        Body::Compaction(compaction) => EntryBody::Boundary(Box::new(compaction)),
        // Calls are paired elsewhere, and side sessions stand apart.
        Body::ToolCall(_) | Body::ToolResult(_) | Body::Plan(_) | Body::SideSession(_) => {
            EntryBody::Notice { kind: "unpaired".into(), text: None }
        }
    };
    let ts = item.ts.map(Into::into).unwrap_or_default();
    Entry { id: item.id.into_owned(), items: 1, ts, response, body }
}

/// How many characters a harness puts around a summary at most.
const AROUND: usize = 1500;

/// Tells whether `whole` is `bare` and some words around it, not another text.
fn is_inside(bare: &str, whole: &str) -> bool {
    whole.len() <= bare.len() + AROUND && whole.contains(bare.trim())
}

/// Tells whether words stand behind a summary, such as how to go on: its own program is given them
/// too. What it puts before one it puts there again.
fn goes_on(bare: &str, whole: &str) -> bool {
    let behind = whole.split_once(bare.trim()).map_or("", |(_, behind)| behind);
    behind.split_whitespace().nth(1).is_some()
}
