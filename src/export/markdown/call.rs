//! A call on one line, and what it opens on.

use std::fmt::Write as _;

use serde_json::Value;

use super::text::{block, escaped, one_line, quoted};
use crate::export::content;
use crate::model::{Action, Status, ToolCall, ToolResult};

/// How many characters of a command or a path stand on the line.
const LINE_CHARS: usize = 100;

/// Returns the line of a call: the tool, what it is about, how it ended.
pub(super) fn head(call: &ToolCall<'_>, result: Option<&ToolResult<'_>>) -> String {
    let about = one_line(&about(call), LINE_CHARS);
    let about = if about.is_empty() { about } else { format!(" <code>{}</code>", escaped(&about)) };
    let ended = match result {
        None => "no result".to_owned(),
        Some(result) if result.rejected => "refused".to_owned(),
        Some(result) => match (result.status, result.exit_code) {
            (Status::Interrupted, _) => "interrupted".to_owned(),
            (_, Some(code)) => format!("exit {code}"),
            (Status::Ok, None) => "ok".to_owned(),
            (Status::Error, None) => "failed".to_owned(),
        },
    };
    format!("{}{about}: {ended}", escaped(&one_line(&call.name, LINE_CHARS)))
}

fn about(call: &ToolCall<'_>) -> String {
    match call.action.as_deref() {
        Some(Action::Shell { command: text, .. } | Action::Type { keys: text, .. }) => text.clone(),
        Some(Action::Read { path, .. }) => path.clone(),
        Some(Action::Edit { changes }) => {
            let mut paths: Vec<&str> = changes.iter().map(|change| change.path.as_str()).collect();
            paths.dedup();
            paths.join(", ")
        }
        Some(Action::Search { pattern, path }) => match path {
            Some(path) => format!("{pattern} in {path}"),
            None => pattern.clone(),
        },
        Some(Action::Fetch { target }) => target.clone(),
        Some(Action::Agent { task: text } | Action::Stop { on: text }) => text.clone(),
        Some(Action::Ask { questions }) => {
            questions.first().map(|question| question.text.clone()).unwrap_or_default()
        }
        Some(Action::Plan | Action::Propose { .. } | Action::Wait { .. }) => String::new(),
        None => first_text(call),
    }
}

/// Returns the first argument that is a text, for tools that nobody knows.
fn first_text(call: &ToolCall<'_>) -> String {
    let value: Value = serde_json::from_str(call.arguments.get()).unwrap_or_default();
    let first = value.as_object().and_then(|map| map.values().find_map(Value::as_str));
    first.unwrap_or_default().to_owned()
}

/// Writes the arguments of a call and what came back.
pub(super) fn body(out: &mut String, call: &ToolCall<'_>, result: Option<&ToolResult<'_>>) {
    match call.action.as_deref() {
        Some(Action::Shell { command, .. }) => block(out, "sh", command),
        Some(Action::Type { keys, .. }) => block(out, "", keys),
        Some(Action::Propose { plan, .. }) => {
            let _ = writeln!(out, "\n{}", quoted(plan));
        }
        Some(Action::Edit { changes }) if !changes.is_empty() => {
            for change in changes {
                let lines = |sign: char, text: &str| -> String {
                    text.lines().map(|line| format!("{sign}{line}\n")).collect()
                };
                let text = lines('-', &change.removed) + &lines('+', &change.added);
                let path = one_line(&change.path, 300).replace('`', "'");
                let _ = writeln!(out, "\n`{path}`");
                block(out, "diff", &text);
            }
        }
        _ => block(out, "json", call.arguments.get()),
    }
    if let Some(result) = result {
        output(out, result);
    }
}

/// Writes what came back.
pub(super) fn output(out: &mut String, result: &ToolResult<'_>) {
    let text = content::joined(&result.output);
    if !text.trim().is_empty() {
        block(out, "text", &text);
    }
    if let Some(whole) = &result.persisted {
        let (there, bytes) = (whole.text.len() as u64, whole.bytes);
        let _ = if there < bytes {
            writeln!(out, "\nMore of the output, the first {there} of {bytes} bytes:")
        } else {
            writeln!(out, "\nThe whole output, {bytes} bytes:")
        };
        block(out, "text", &whole.text);
    }
    if let Some(said) = &result.user_said {
        let _ = writeln!(out, "\n**User**\n\n{}", quoted(&said.plain()));
    }
    for answer in &result.answers {
        let _ = writeln!(
            out,
            "\n- {}: **{}**",
            escaped(&one_line(&answer.question, 300)),
            escaped(&one_line(&answer.answer, 300)),
        );
    }
}
