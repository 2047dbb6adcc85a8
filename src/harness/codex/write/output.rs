//! What a tool gave back, as the model is to see it.

use serde_json::{Value, json};

use super::super::output;
use super::items;
use crate::model::{Exchange, Part, Status, Text, ToolKind};
use crate::note::Losses;

/// Returns the output of a call: text, or a list where it is more than one.
pub(super) fn output(exchange: &Exchange, name: &str, same: bool, losses: &mut Losses) -> Value {
    let result = &exchange.result;
    let id = exchange.result_id.as_deref().unwrap_or(&result.call_id);
    // Of a list the harness's own model counts the parts, empty ones too.
    let says = |part: &&Part<'_>| !matches!(part, Part::Text(text) if text.is_blank());
    let is_list = same && result.output.len() > 1 && result.output.iter().any(|part| says(&part));
    let mut items: Vec<Value> = result
        .output
        .iter()
        .filter(|part| is_list || says(part))
        .map(|part| items::part(part, "input_text", same, id, losses))
        .collect();
    if let Some(head) = head(exchange, name, same) {
        match items.first_mut().filter(|item| item["type"] == "input_text") {
            Some(first) => {
                let text = first["text"].as_str().unwrap_or_default();
                first["text"] = format!("{head}{text}").into();
            }
            None => items.insert(0, json!({ "type": "input_text", "text": head })),
        }
    }
    match &mut items[..] {
        [] => blank(&result.output),
        [one] if one["type"] == "input_text" => one["text"].take(),
        _ => items.into(),
    }
}

/// Returns the one text that an output is, if it is sent as it stands in the source.
pub(super) fn verbatim<'e>(exchange: &'e Exchange, name: &str, same: bool) -> Option<&'e Text<'e>> {
    match &exchange.result.output[..] {
        [Part::Text(text)] if !text.is_blank() => {
            head(exchange, name, same).is_none().then_some(text)
        }
        _ => None,
    }
}

/// The output of a tool that said nothing, with the blanks that it said.
fn blank(parts: &[Part<'_>]) -> Value {
    crate::model::plain(parts).into()
}

/// Tells whether the text of a result does not tell how the call ended.
pub(super) fn is_untold(exchange: &Exchange) -> bool {
    let result = &exchange.result;
    let told = output::ending(&result.output);
    let fails = result.status != Status::Ok;
    told.status != result.status
        || (fails && result.exit_code.is_some() && told.exit_code != result.exit_code)
        || (result.rejected && !told.rejected)
}

/// Returns what has to stand before the text of a result so that it says how the call ended, in
/// the words that the harness's own tools use.
///
/// What the harness itself recorded is sent as it was; an event tells how it ended.
pub(super) fn head(exchange: &Exchange, name: &str, same: bool) -> Option<String> {
    if (same && exchange.result_id.is_some()) || !is_untold(exchange) {
        return None;
    }
    let result = &exchange.result;
    Some(match (result.status, result.exit_code.filter(|code| *code != 0)) {
        (Status::Ok, _) => "Exit code: 0\nOutput:\n".to_owned(),
        (Status::Interrupted, _) => "aborted\n".to_owned(),
        (Status::Error, _) if result.rejected => match exchange.call.kind {
            ToolKind::Shell => "exec command rejected by user\n".to_owned(),
            ToolKind::Edit => "patch rejected by user\n".to_owned(),
            _ => "rejected by user\n".to_owned(),
        },
        (Status::Error, Some(code)) if name == "exec_command" => {
            format!("Process exited with code {code}\nOutput:\n")
        }
        (Status::Error, Some(code)) => format!("Exit code: {code}\nOutput:\n"),
        (Status::Error, None) => "tool call error: ".to_owned(),
    })
}
