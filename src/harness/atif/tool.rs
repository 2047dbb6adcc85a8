//! What a tool is for, where the document does not say.

use serde_json::Value;
use serde_json::value::RawValue;

use crate::harness::{self, Harness};
use crate::model::{Action, ToolCall, ToolKind};

/// Returns what a tool is for: as the document says, else as its harness knows, else by the words
/// of its name.
pub(super) fn kind(
    said: &Value,
    name: &str,
    arguments: &RawValue,
    recorder: Option<&dyn Harness>,
) -> ToolKind {
    if let Ok(kind) = serde_json::from_value(said.clone()) {
        return kind;
    }
    match recorder {
        Some(recorder) => recorder.tool_kind(name, arguments),
        None => by_words(name),
    }
}

fn by_words(name: &str) -> ToolKind {
    let name = name.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    // What changes something outranks what looks: `search_replace` is an edit.
    if has(&["edit", "write", "patch", "replace"]) {
        ToolKind::Edit
    } else if has(&["bash", "shell", "terminal", "command"]) {
        ToolKind::Shell
    } else if has(&["fetch", "web", "browse", "http"]) {
        ToolKind::Fetch
    } else if has(&["grep", "search", "glob", "find", "list"]) {
        ToolKind::Search
    } else if has(&["read", "view", "open", "cat"]) {
        ToolKind::Read
    } else {
        ToolKind::Other
    }
}

/// Returns what a call means.
pub(super) fn action(
    call: &ToolCall<'_>,
    arguments: &Value,
    recorder: Option<&'static dyn Harness>,
) -> Option<Action> {
    if recorder.is_some() {
        return harness::action(recorder, call);
    }
    let first =
        |keys: &[&str]| keys.iter().find_map(|key| arguments[*key].as_str()).map(str::to_owned);
    match call.kind {
        ToolKind::Shell => {
            let command = first(&["command", "cmd"])?;
            Some(Action::Shell { command, cwd: first(&["cwd"]), by_human: false })
        }
        ToolKind::Read => Some(Action::Read { path: first(&["path", "file_path"])?, lines: None }),
        ToolKind::Search => {
            Some(Action::Search { pattern: first(&["pattern", "query"])?, path: first(&["path"]) })
        }
        ToolKind::Fetch => Some(Action::Fetch { target: first(&["url", "query"])? }),
        _ => None,
    }
}
