//! Attachments: what the harness put into the conversation beside the messages.

use std::borrow::Cow;

use super::tools;
use super::wire::{Attached, Attachment, Line};
use crate::jsonl;
use crate::model::{Body, Text};
use crate::note::{NoteKind, Notes};

/// Reads an attachment; nothing if it only serves the harness's own machinery.
///
/// A command typed while the agent worked is a message of the human's, read elsewhere. The content of
/// a file or a hook is kept as a notice, in the words that are on disk: what the harness puts around
/// them is not, in most versions.
pub(super) fn read<'a>(
    attachment: &Attachment<'a>,
    line: &Line<'a>,
    number: u64,
    notes: &mut Notes,
) -> Option<Body<'a>> {
    let kind = attachment.kind.text().to_owned();
    let words = attachment.content.and_then(Text::json);
    // A hook that went well tells the model something, or nothing.
    let tells = kind == HOOK && words.as_ref().is_some_and(|text| !text.is_blank());
    if tools::is_machinery(&kind) && !tells {
        return None;
    }
    if !tools::is_content(&kind) && !tells {
        notes.add(NoteKind::UnknownRecord, &format!("attachment/{kind}"), number);
    }
    let text = words.or_else(|| text(attachment).map(Text::from));
    let text = match text {
        Some(text) => text,
        None => line.attachment?.get().to_owned().into(),
    };
    Some(Body::Notice { kind: kind.into(), text: Some(text) })
}

/// A hook that went well.
const HOOK: &str = "hook_success";

/// Tells whether the words of an attachment go to the model with the conversation, at the time and
/// whenever it is gone on with.
pub(super) fn is_sent(kind: &str) -> bool {
    kind == HOOK || tools::is_for_model(kind)
}

/// Returns the words of an attachment that are no plain text.
fn text(attachment: &Attachment<'_>) -> Option<String> {
    let name = attachment.filename.filled().or(attachment.plan_file.filled());
    let name = name.or(attachment.path.filled());
    let blocking = jsonl::shaped::<Attached<'_>>(attachment.blocking);
    let words = jsonl::shaped::<Attached<'_>>(attachment.content).and_then(held);
    let words = words.or_else(|| attachment.snippet.filled().map(Cow::Borrowed));
    let words = words.or_else(|| Some(Cow::Owned(blocking?.blocking.filled()?.to_owned())));
    let words = words.or_else(|| all(attachment).map(Cow::Owned));
    match (name, words) {
        (Some(name), Some(words)) => Some(format!("{name}\n{words}")),
        (None, Some(words)) => Some(words.into_owned()),
        (name, None) => name.map(str::to_owned),
    }
}

/// Returns what several texts, files, skills or memories say.
fn all(attachment: &Attachment<'_>) -> Option<String> {
    let texts = jsonl::elements(attachment.content).into_iter().filter_map(jsonl::string);
    let several = jsonl::elements(attachment.files).into_iter();
    let several = several.filter_map(|one| {
        let one = jsonl::shaped::<Attached<'_>>(Some(one))?;
        let name = one.path.filled().or(one.name.filled()).map(str::to_owned);
        let words = one.content.filled()?;
        Some(Cow::Owned(name.map_or_else(|| words.to_owned(), |name| format!("{name}\n{words}"))))
    });
    let all: Vec<_> = texts.chain(several).collect();
    (!all.is_empty()).then(|| all.join("\n"))
}

/// Returns the text of a file or memory that is attached.
fn held(content: Attached<'_>) -> Option<Cow<'_, str>> {
    let Attached { file, content, .. } = content;
    file.0.and_then(|file| file.content.take()).or_else(|| content.take())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(attachment: &str) -> String {
        let attachment: Attachment<'_> = serde_json::from_str(attachment).unwrap();
        text(&attachment).unwrap()
    }

    #[test]
    fn an_attachment_is_told_in_its_words() {
        let told = [
            (r#"{"type":"hook_additional_context","content":["one\n","two"]}"#, "one\n\ntwo"),
            (
                r#"{"type":"nested_memory","path":"/p/C.md","content":{"path":"/p/C.md","content":"RULE"}}"#,
                "/p/C.md\nRULE",
            ),
            (
                r#"{"type":"instructions","files":[{"path":"/a","content":"A"},{"path":"/b","content":"B"}]}"#,
                "/a\nA\n/b\nB",
            ),
            (
                r#"{"type":"invoked_skills","skills":[{"name":"s","path":"p/s","content":"do so"}]}"#,
                "p/s\ndo so",
            ),
            (r#"{"type":"edited_text_file","filename":"a.rs","snippet":"1\tx"}"#, "a.rs\n1\tx"),
            (
                r#"{"type":"hook_blocking_error","blockingError":{"blockingError":"no tabs","command":"c"}}"#,
                "no tabs",
            ),
            (
                r#"{"type":"file","filename":"a","content":{"type":"text","file":{"content":"held"}}}"#,
                "a\nheld",
            ),
            (r#"{"type":"plan_mode","planFilePath":"/p.md","planExists":false}"#, "/p.md"),
        ];
        for (attachment, words) in told {
            assert_eq!(read_text(attachment), words);
        }
        assert_eq!(text(&serde_json::from_str(r#"{"type":"diagnostics"}"#).unwrap()), None);
    }
}
