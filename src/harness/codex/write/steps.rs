//! In which pieces a conversation is written: responses with their results, and compactions.

use crate::model::{Compaction, Conversation, Entry, EntryBody, Origin};

/// How far down the client looks for the request that it shows in its list, less a margin.
const PREVIEW_LINES: usize = 180;
/// How many lines an entry takes at most.
const ENTRY_LINES: usize = 4;

/// Entries that are written together.
pub(super) enum Step<'c> {
    /// What a compaction left: its marker, and what the model is sent in place of what was before.
    Compaction(&'c Entry, &'c Compaction<'static>, Vec<&'c Entry>),
    /// All of one response, or a single entry.
    Group(Vec<&'c Entry>),
}

/// Takes a conversation apart.
pub(super) fn steps(conversation: &Conversation, same: bool) -> Vec<Step<'_>> {
    let Conversation { older, boundary, live, .. } = conversation;
    let all: Vec<&Entry> = older.iter().chain(boundary).chain(live).collect();
    let (mut steps, mut at) = (Vec::new(), 0);
    while let Some(entry) = all.get(at) {
        let rest = &all[at + 1..];
        if let EntryBody::Boundary(compaction) = &entry.body {
            let count = history(entry, compaction, rest, same);
            steps.push(Step::Compaction(entry, compaction, rest[..count].to_vec()));
            at += 1 + count;
        } else {
            let count = 1 + rest.iter().take_while(|next| is_with(entry, next)).count();
            steps.push(Step::Group(all[at..at + count].to_vec()));
            at += count;
        }
    }
    steps
}

fn is_with(entry: &Entry, next: &Entry) -> bool {
    let is_boundary = matches!(next.body, EntryBody::Boundary(_));
    entry.response > 0 && next.response == entry.response && !is_boundary
}

/// How many of the entries behind a compaction are what it left.
///
/// They end with its summary. Where only the provider can read that, they are those that stood
/// in the same record.
fn history(entry: &Entry, compaction: &Compaction<'_>, rest: &[&Entry], same: bool) -> usize {
    let is_boundary = |entry: &&Entry| matches!(entry.body, EntryBody::Boundary(_));
    let end = rest.iter().position(is_boundary).unwrap_or(rest.len());
    if same && (compaction.native.is_some() || compaction.summary.is_none()) {
        let inside = format!("{}/", entry.id);
        return rest[..end].iter().take_while(|entry| entry.id.starts_with(&inside)).count();
    }
    let is_summary = |entry: &&Entry| matches!(entry.body, EntryBody::Summary(_));
    rest[..end].iter().position(is_summary).map_or(0, |at| at + 1)
}

/// What the client shows of a session in its list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Preview {
    /// The entry with this id, whoever said it.
    Entry(String),
    /// Nothing that is early enough: some words are needed.
    Words,
}

/// Finds what the client is to show in its list: a request, as early as it looks for one.
pub(super) fn preview(steps: &[Step<'_>]) -> Preview {
    let (mut lines, mut other) = (0, None);
    for step in steps {
        let Step::Group(group) = step else {
            lines += ENTRY_LINES;
            continue;
        };
        for entry in group {
            if let EntryBody::Said(message) = &entry.body {
                if message.origin == Origin::Human {
                    return Preview::Entry(entry.id.clone());
                }
                other = other.or_else(|| Some(entry.id.clone()));
            }
            lines += ENTRY_LINES;
        }
        if lines > PREVIEW_LINES {
            break;
        }
    }
    other.map_or(Preview::Words, Preview::Entry)
}
