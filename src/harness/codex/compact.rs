//! A compaction: its marker, and what the model is sent instead of what was before.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::read::{At, Reader, note};
use super::row::{Compacted, HUMAN, INJECTED, Kept, Kind, Row, Sub};
use super::scan::inside;
use super::text::bare_summary;
use super::wire::Payload;
use super::{item, known};
use crate::error::Result;
use crate::jsonl;
use crate::model::{Body, Compaction, Message, Origin, Role, Text};
use crate::note::{NoteKind, Notes};

/// Gives the marker and then the new history.
pub(super) fn compaction(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    payload: &Payload<'_>,
    notes: &mut Notes,
) -> Result<()> {
    reader.remember(at);
    let Some(found) = reader.scan.compactions.get(&at.number) else { return Ok(()) };
    let message = payload.message.and_then(jsonl::string).unwrap_or_default();
    let bare = bare_summary(&message);
    let is_readable = !bare.trim().is_empty();
    if !is_readable {
        notes.add(NoteKind::UnreadableSummary, "", at.line);
    }
    let history = payload.replacement_history;
    let place = summary_place(found).filter(|_| is_readable);
    let marker = Compaction {
        trigger: "unknown".into(),
        tokens_before: found.before,
        tokens_after: found.after,
        tokens_before_estimated: found.before.is_some(),
        tokens_after_estimated: found.after.is_some(),
        summary: is_readable.then(|| bare.to_owned().into()),
        readable: is_readable,
        summary_id: place.map(|place| sub_id(at, place).into()),
        summary_line: is_readable.then_some(at.line),
        replaced: replaced(reader, at),
        native: opaque(&jsonl::elements(history)).filter(|_| reader.want.native).map(Cow::Borrowed),
    };
    reader.give(at, &at.id, Body::Compaction(marker))?;
    if found.listed {
        let items = history.map(|list| inside(list, payload.mark)).unwrap_or_default();
        return listed(reader, at, &items, place, notes);
    }
    kept(reader, at, &found.kept)?;
    if !is_readable {
        return Ok(());
    }
    let (id, at) = (sub_id(at, found.kept.len()), copy(at, at.row, None));
    let summary = Message::text(Role::User, Origin::Summary, Text::Plain(message));
    reader.give(&at, &id, Body::Message(summary))
}

fn replaced(reader: &mut Reader<'_>, at: &At<'_>) -> Vec<Cow<'static, str>> {
    let ids = reader.replaced.remove(&at.number).unwrap_or_default();
    ids.into_iter().map(Cow::Owned).collect()
}

/// Finds the summary that only the provider can read.
fn opaque<'a>(history: &[&'a RawValue]) -> Option<&'a RawValue> {
    history.iter().rev().copied().find(|raw| {
        let payload: Payload<'_> = jsonl::shaped(Some(raw)).unwrap_or_default();
        payload.encrypted_content.is_some() && known::is_summary(payload.kind.text())
    })
}

fn sub_id(at: &At<'_>, place: usize) -> String {
    format!("{}/{place}", at.id)
}

/// Finds the message that carries the summary to the model.
fn summary_place(found: &Compacted) -> Option<usize> {
    if !found.listed {
        return Some(found.kept.len());
    }
    let is_summary = |sub: &Sub| sub.row.kind == Kind::User && sub.copy_of.is_none();
    let last = found.subs.iter().rposition(is_summary)?;
    found.summary.map(|_| last)
}

/// The place of an item inside a compaction.
fn copy<'a>(at: &At<'a>, row: Row, copy_of: Option<String>) -> At<'a> {
    At { row, copy: true, copy_of, ..at.clone() }
}

/// The history as the harness wrote it down.
fn listed(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    history: &[Payload<'_>],
    summary: Option<usize>,
    notes: &mut Notes,
) -> Result<()> {
    let Some(found) = reader.scan.compactions.get(&at.number) else { return Ok(()) };
    for (place, (payload, sub)) in history.iter().zip(&found.subs).enumerate() {
        let original = sub.copy_of.and_then(|row| reader.named.get(&row).cloned());
        let mut here = copy(at, sub.row, original);
        here.id = sub_id(at, place);
        if summary == Some(place) {
            let text = payload.content.map(|_| plain(payload));
            let message = Message::text(Role::User, Origin::Summary, text.unwrap_or_default());
            let id = here.id.clone();
            reader.give(&here, &id, Body::Message(message))?;
            continue;
        }
        if is_request(reader, sub) {
            here.row.flags |= HUMAN;
        }
        if matches!(sub.row.kind, Kind::Unknown | Kind::Incomplete) {
            note(sub.row.kind, "compacted", payload.kind.text(), at.line, notes);
        }
        item::item(reader, &here, payload, notes)?;
    }
    Ok(())
}

fn plain(payload: &Payload<'_>) -> String {
    let pieces = super::text::pieces(payload.content);
    let texts = pieces.iter().filter_map(|(_, piece)| piece.text.and_then(jsonl::string));
    texts.collect::<Vec<_>>().join("\n")
}

/// Whether a human wrote it: the original tells, else the text.
fn is_request(reader: &Reader<'_>, sub: &Sub) -> bool {
    let original = sub.copy_of.and_then(|row| reader.scan.rows.get(row as usize));
    match original {
        Some(original) => original.has(HUMAN),
        None => sub.row.kind == Kind::User && !sub.row.has(INJECTED),
    }
}

/// The requests that the harness keeps where it wrote no history down.
fn kept(reader: &mut Reader<'_>, at: &At<'_>, kept: &[Kept]) -> Result<()> {
    for (place, Kept { original, dropped }) in kept.iter().enumerate() {
        let Some(row) = reader.scan.rows.get(*original as usize) else { continue };
        let Some(text) = reader.kept.get(original).cloned() else { continue };
        let row = Row { dropped: *dropped, ..*row };
        let here = copy(at, row, reader.named.get(original).cloned());
        let origin = item::human(reader);
        let message = Message::text(Role::User, origin, text);
        reader.give(&here, &sub_id(at, place), Body::Message(message))?;
    }
    Ok(())
}
