//! Attachments: what the harness put into the conversation beside the messages.

use std::borrow::Cow;

use super::tools;
use super::wire::{Attached, Attachment, Line};
use crate::jsonl;
use crate::model::{Body, Text};
use crate::note::{NoteKind, Notes};

/// What a file is called that somebody attached.
const FILE: &str = "file";

/// Reads an attachment; nothing if it only serves the harness's own machinery.
///
/// A command typed while the agent worked is a message of the human's, read elsewhere. The content of
/// a file or a hook is kept as a notice: its words as sent are not on disk in most versions.
pub(super) fn read<'a>(
    attachment: &Attachment<'a>,
    line: &Line<'a>,
    number: u64,
    notes: &mut Notes,
) -> Option<Body<'a>> {
    let kind = attachment.kind.text().to_owned();
    let text = attachment.content.and_then(Text::json);
    // A hook that went well tells the model something, or nothing.
    let tells = kind == "hook_success" && text.as_ref().is_some_and(|text| !text.is_blank());
    if tools::is_machinery(&kind) && !tells {
        return None;
    }
    if !tools::is_content(&kind) && !tells {
        notes.add(NoteKind::UnknownRecord, &format!("attachment/{kind}"), number);
    }
    let name = attachment.filename.filled().or(attachment.plan_file.filled());
    let snippet = attachment.snippet.filled();
    let text = match (text, snippet, name) {
        (Some(text), _, _) => text,
        (None, _, Some(name)) if kind == FILE => match held(attachment) {
            Some(content) => format!("{name}\n{content}").into(),
            None => name.to_owned().into(),
        },
        (None, Some(snippet), _) => snippet.to_owned().into(),
        (None, None, Some(name)) => name.to_owned().into(),
        (None, None, None) => line.attachment?.get().to_owned().into(),
    };
    Some(Body::Notice { kind: kind.into(), text: Some(text) })
}

/// Returns the text of a file that is attached.
fn held<'a>(attachment: &Attachment<'a>) -> Option<Cow<'a, str>> {
    let content: Option<Attached<'a>> = jsonl::shaped(attachment.content);
    content.and_then(|content| content.file.0?.content.take())
}
