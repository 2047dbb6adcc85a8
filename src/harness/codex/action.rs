//! What a call means, whatever its tool is called.

use serde_json::Value;

use super::{call, patch};
use crate::harness::mcp;
use crate::model::{Action, ToolKind, is_sealed};

/// Says what a call with these arguments means.
pub(super) fn action(name: &str, kind: ToolKind, arguments: &Value) -> Option<Action> {
    let text = |key: &str| arguments[key].as_str().map(str::to_owned);
    match kind {
        ToolKind::Shell => shell(name, arguments),
        ToolKind::Edit => Some(Action::Edit { changes: edit(arguments) }),
        ToolKind::Read => {
            Some(Action::Read { path: text("path").or_else(|| text("file_path"))?, lines: None })
        }
        ToolKind::Search => Some(Action::Search {
            pattern: text("query").or_else(|| text("pattern"))?,
            path: text("path").or_else(|| text("dir_path")),
        }),
        ToolKind::Fetch => Some(Action::Fetch { target: target(arguments)? }),
        ToolKind::Plan => (name != "get_goal").then_some(Action::Plan),
        ToolKind::Ask => Some(Action::Ask { questions: call::choices(arguments) }),
        ToolKind::Agent if matches!(name, "wait_agent" | "list_agents" | "wait") => {
            Some(Action::Wait { on: None, is_told: false })
        }
        ToolKind::Agent if matches!(name, "interrupt_agent" | "close_agent") => {
            Some(Action::Stop { on: text("target").or_else(|| text("id"))? })
        }
        ToolKind::Agent => {
            let message = text("message").or_else(|| text("prompt"));
            let told = [text("task_name"), message.filter(|words| !is_sealed(words))];
            let told: Vec<_> = told.into_iter().flatten().collect();
            let is_task = name == "spawn_agent" && !told.is_empty();
            is_task.then(|| Action::Agent { task: told.join(": ") })
        }
        ToolKind::Other => mcp::action(name, arguments),
    }
}

fn shell(name: &str, arguments: &Value) -> Option<Action> {
    if matches!(name, "wait" | "write_stdin") {
        let id = ["session_id", "cell_id"].iter().map(|key| &arguments[*key]);
        let on = id.filter(|id| id.is_string() || id.is_number()).map(bare).next();
        if let Some(on) = on.clone().filter(|_| arguments["terminate"] == Value::Bool(true)) {
            return Some(Action::Stop { on });
        }
        let keys = arguments["chars"].as_str().filter(|keys| !keys.is_empty());
        return Some(match keys.map(str::to_owned) {
            Some(keys) => Action::Type { keys, on },
            None => Action::Wait { on, is_told: false },
        });
    }
    if name == "exec" {
        return None;
    }
    let line = ["command", "cmd"].iter().find_map(|key| command_line(&arguments[*key]));
    let cwd = folder(arguments).map(str::to_owned);
    Some(Action::Shell { command: line?, cwd, by_human: false })
}

/// Returns the folder in which a command is to run.
pub(super) fn folder(arguments: &Value) -> Option<&str> {
    ["workdir", "cwd", "working_directory"].iter().find_map(|key| arguments[*key].as_str())
}

/// Returns a value as it is written, without quotes.
fn bare(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Returns a command as one line; a shell that runs a line is left out.
pub(super) fn command_line(command: &Value) -> Option<String> {
    let Some(argv) = command.as_array() else { return command.as_str().map(str::to_owned) };
    let words: Vec<&str> = argv.iter().filter_map(Value::as_str).collect();
    if let [shell, flag, line] = words[..]
        && is_shell(shell)
        && matches!(flag, "-lc" | "-c" | "-ilc" | "-Command" | "/c")
    {
        return Some(line.to_owned());
    }
    let quoted: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    (!quoted.is_empty()).then(|| quoted.join(" "))
}

fn is_shell(word: &str) -> bool {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    let name = name.trim_end_matches(".exe");
    matches!(name, "bash" | "sh" | "zsh" | "dash" | "fish" | "pwsh" | "powershell" | "cmd")
}

fn quoted(word: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./=:,+@%".contains(&byte);
    if !word.is_empty() && word.bytes().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

fn edit(arguments: &Value) -> Vec<crate::model::Change> {
    if arguments["changes"].is_object() {
        return patch::listed(&arguments["changes"]);
    }
    match ["input", "patch"].iter().find_map(|key| arguments[*key].as_str()) {
        Some(text) => patch::changes(text),
        None => patch::changes_in_command(arguments),
    }
}

fn target(arguments: &Value) -> Option<String> {
    let first = |value: &Value| match value {
        Value::Array(list) => list.first().and_then(Value::as_str).map(str::to_owned),
        other => other.as_str().map(str::to_owned),
    };
    let keys = ["url", "query", "queries", "pattern"].iter();
    let direct = keys.filter_map(|key| first(&arguments[*key])).find(|text| !text.is_empty());
    direct.or_else(|| {
        let asked = &arguments["search_query"][0]["q"];
        asked.as_str().or(arguments["open"][0]["ref_id"].as_str()).map(str::to_owned)
    })
}
