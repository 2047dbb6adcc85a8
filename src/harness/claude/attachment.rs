//! Attachments: what the harness put into the conversation beside the messages.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::value::RawValue;

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
    let whole = line.attachment?;
    let text = words.or_else(|| text(attachment, whole).map(Text::from));
    let text = text.unwrap_or_else(|| whole.get().to_owned().into());
    Some(Body::Notice { kind: kind.into(), text: Some(text) })
}

/// A hook that went well.
const HOOK: &str = "hook_success";

/// Tells whether the words of an attachment go to the model with the conversation, at the time and
/// whenever it is gone on with.
pub(super) fn is_sent(kind: &str) -> bool {
    kind == HOOK || tools::is_for_model(kind)
}

/// Returns the words of an attachment that are no plain text; its name alone where it has nothing else.
fn text(attachment: &Attachment<'_>, whole: &RawValue) -> Option<String> {
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
        (name, None) => name.filter(|_| is_only_named(whole)).map(str::to_owned),
    }
}

/// Tells whether an attachment has nothing but names, flags and numbers.
fn is_only_named(whole: &RawValue) -> bool {
    const NAMES: [&str; 6] =
        ["type", "filename", "path", "planFilePath", "displayPath", "reminderType"];
    let fields = jsonl::shaped::<BTreeMap<Cow<'_, str>, &RawValue>>(Some(whole));
    fields.into_iter().flatten().all(|(name, value)| {
        let value = value.get();
        NAMES.contains(&name.as_ref())
            || matches!(value, "\"\"" | "[]" | "{}")
            || !value.starts_with(['"', '[', '{'])
    })
}

/// Returns what several texts, files, skills or memories say.
fn all(attachment: &Attachment<'_>) -> Option<String> {
    let texts = jsonl::elements(attachment.content).into_iter().filter_map(jsonl::string);
    let lists = [attachment.files, attachment.skills, attachment.memories];
    let several = lists.into_iter().flat_map(jsonl::elements).filter_map(|one| {
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

    fn words(whole: &str) -> Option<String> {
        let whole: &RawValue = serde_json::from_str(whole).unwrap();
        text(&jsonl::shaped::<Attachment<'_>>(Some(whole)).unwrap(), whole)
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
            (
                r#"{"type":"relevant_memories","memories":[{"path":"/m","content":"M"}],"files":[{"path":"/f","content":"F"}]}"#,
                "/f\nF\n/m\nM",
            ),
            (r#"{"type":"edited_text_file","filename":"x.rs","snippet":""}"#, "x.rs"),
        ];
        for (attachment, told) in told {
            assert_eq!(words(attachment).as_deref(), Some(told));
        }
        // What has no words that are known is told as it stands, whatever its name.
        for whole in [
            r#"{"type":"diagnostics"}"#,
            r#"{"type":"mystery","path":"/only/path","diagnosis":"more of it"}"#,
            r#"{"type":"nested_memory","path":"/p/D.md","content":{"path":"/p/D.md","type":"Project"}}"#,
            r#"{"type":"plan_file_reference","planFilePath":"/p.md","planContent":"first do so"}"#,
        ] {
            assert_eq!(words(whole), None, "{whole}");
        }
    }
}
