//! Attachments: what the harness put into the conversation beside the messages.

use crate::jsonl;
use crate::model::{Body, Message, Origin, Part, Role, Text};
use crate::note::{NoteKind, Notes};

use super::wire::{Attachment, Line};
use super::{said, tools};

/// Reads an attachment; nothing if it only serves the harness's own machinery.
///
/// A command typed while the agent worked is a message of the human's. The content of a file or
/// a hook is kept as a notice: its words as sent are not on disk in most versions.
pub(super) fn read<'a>(line: &Line<'a>, number: u64, notes: &mut Notes) -> Option<Body<'a>> {
    let attachment: Attachment<'_> = jsonl::shaped(line.attachment)?;
    let kind = attachment.kind.text().to_owned();
    if kind == "queued_command" {
        return queued(&attachment);
    }
    if tools::is_machinery(&kind) {
        return None;
    }
    if !tools::is_content(&kind) {
        notes.add(NoteKind::UnknownRecord, &format!("attachment/{kind}"), number);
    }
    let name = attachment.filename.filled().or(attachment.plan_file.filled());
    let text = attachment.content.and_then(Text::json);
    let snippet = attachment.snippet.filled();
    let text = match (text, snippet, name) {
        (Some(text), _, _) => text,
        (None, Some(snippet), _) => snippet.to_owned().into(),
        (None, None, Some(name)) => name.to_owned().into(),
        (None, None, None) => line.attachment?.get().to_owned().into(),
    };
    Some(Body::Notice { kind: kind.into(), text: Some(text) })
}

/// Reads what was typed while the agent worked; notifications take the same way.
fn queued<'a>(attachment: &Attachment<'a>) -> Option<Body<'a>> {
    let parts = jsonl::elements(attachment.prompt).into_iter().filter_map(|raw| {
        let block: Option<super::wire::Block<'_>> = jsonl::shaped(Some(raw));
        Text::json(raw).or_else(|| block.and_then(|block| Text::json(block.text?)))
    });
    let texts: Vec<_> = parts.filter(|text| !text.is_blank()).collect();
    let first = texts.first()?.plain();
    let origin = match attachment.command_mode.text() {
        "task-notification" => Origin::Harness,
        _ => said::origin(&first),
    };
    let said = said::said(&first).map(Text::from);
    let mut message = Message { said, ..Message::text(Role::User, origin, "") };
    message.parts = texts.into_iter().map(Part::Text).collect();
    Some(Body::Message(message))
}
