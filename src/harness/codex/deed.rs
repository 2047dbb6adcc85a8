//! What a call does, where another harness may have a tool that says exactly the same.

use serde_json::{Map, Value};

use super::{action, patch};
use crate::model::{Deed, PlanStatus};

/// The tools that run a command.
const SHELL_TOOLS: &[&str] =
    &["shell", "shell_command", "exec_command", "local_shell", "container.exec"];
/// What a call says that asks for no other sandbox.
const USUAL_SANDBOX: &str = "use_default";
/// Arguments of a shell that say how its output is shown, or what was allowed, not what it does.
const ASIDE: &[&str] = &[
    "yield_time_ms",
    "max_output_tokens",
    "login",
    "with_escalated_permissions",
    "sandbox_permissions",
    "prefix_rule",
    "type",
];
/// Those by which it asks to run outside of the sandbox.
pub(super) const RIGHTS: &[&str] = &["with_escalated_permissions", "sandbox_permissions"];
/// Shells that read the language in which every harness writes its commands.
const SHELLS: &[&str] = &["bash", "sh", "zsh", "dash"];

/// Says what a call does; nothing where a part of it could not be said.
pub(super) fn deed(name: &str, arguments: &Value) -> Option<Deed> {
    let fields = arguments.as_object()?;
    match name {
        name if SHELL_TOOLS.contains(&name) => match patch::in_command(arguments) {
            Some(patch) => patched(fields, &patch),
            None => shell(fields),
        },
        "apply_patch" if fields.len() == 1 => {
            let text = ["input", "patch"].iter().find_map(|key| fields.get(*key)?.as_str());
            patch::deed(text?)
        }
        "view_image" => {
            let path = only(fields, &["path"])?;
            Some(Deed::Read { path: path.to_owned(), first: None, count: None })
        }
        "read_file" => {
            let path = only(fields, &["file_path", "offset", "limit"])?.to_owned();
            let number = |key| fields.get(key).and_then(Value::as_u64);
            Some(Deed::Read { path, first: number("offset"), count: number("limit") })
        }
        "update_plan" => todos(fields),
        _ => None,
    }
}

/// Tells whether a call asks for more than its deed says: how its output is shown, what was allowed.
pub(super) fn asks_more(name: &str, arguments: &Value) -> bool {
    let (is_shell, Some(fields)) = (SHELL_TOOLS.contains(&name), arguments.as_object()) else {
        return false;
    };
    let is_patch = is_shell && patch::in_command(arguments).is_some();
    let is_left = |key: &str| match key {
        "command" | "cmd" | "type" => false,
        "shell" => true,
        key => is_patch || ASIDE.contains(&key),
    };
    let says = |value: &Value| match value {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.is_empty() && text != USUAL_SANDBOX,
        _ => true,
    };
    is_shell && fields.iter().any(|(key, value)| is_left(key) && says(value))
}

/// Returns the text of the first key, if there are no other keys than these.
fn only<'a>(fields: &'a Map<String, Value>, keys: &[&str]) -> Option<&'a str> {
    let known = fields.keys().all(|key| keys.contains(&key.as_str()));
    fields.get(*keys.first()?)?.as_str().filter(|_| known)
}

fn shell(fields: &Map<String, Value>) -> Option<Deed> {
    let text = |key: &str| fields.get(key).and_then(Value::as_str).map(str::to_owned);
    let (mut command, mut cwd, mut timeout_ms, mut description) = (None, None, None, None);
    for (key, value) in fields {
        match key.as_str() {
            "cmd" | "command" => command = Some(line(value)?),
            "workdir" | "cwd" | "working_directory" => cwd = text(key).filter(|at| !at.is_empty()),
            "timeout_ms" | "timeout" => timeout_ms = value.as_u64(),
            "justification" => description = text(key),
            "shell" if is_usual(value.as_str()?) => {}
            "tty" if value == false => {}
            key if ASIDE.contains(&key) => {}
            _ if value.is_null() => {}
            _ => return None,
        }
    }
    Some(Deed::Shell { command: command?, cwd, timeout_ms, description })
}

fn line(command: &Value) -> Option<String> {
    if let Some(argv) = command.as_array() {
        let words: Option<Vec<&str>> = argv.iter().map(Value::as_str).collect();
        let is_other = matches!(words?[..], [shell, flag, _] if flag.starts_with('-') && has_lines(shell) && !is_usual(shell));
        if is_other {
            return None;
        }
    }
    action::command_line(command).filter(|line| !line.trim().is_empty())
}

/// Tells whether a program takes command lines of a language of its own.
fn has_lines(shell: &str) -> bool {
    let name = shell.rsplit(['/', '\\']).next().unwrap_or(shell).trim_end_matches(".exe");
    matches!(name, "fish" | "pwsh" | "powershell" | "cmd")
}

fn is_usual(shell: &str) -> bool {
    let name = shell.rsplit('/').next().unwrap_or(shell);
    SHELLS.contains(&name)
}

/// A shell that is only there to apply a patch, right where the session is, and does nothing else.
fn patched(fields: &Map<String, Value>, patch: &str) -> Option<Deed> {
    let words = ["command", "cmd"].iter().find_map(|key| fields.get(*key))?;
    let is_here = !fields.contains_key("workdir") && patch::is_all(words, patch);
    if is_here { patch::deed(patch) } else { None }
}

fn todos(fields: &Map<String, Value>) -> Option<Deed> {
    let explains = fields.get("explanation").and_then(Value::as_str);
    if explains.is_some_and(|words| !words.trim().is_empty()) {
        return None;
    }
    let item = |step: &Value| {
        let status = PlanStatus::from_word(step["status"].as_str()?);
        Some((step["step"].as_str()?.to_owned(), status))
    };
    let items: Option<Vec<_>> = fields.get("plan")?.as_array()?.iter().map(item).collect();
    Some(Deed::Todos { items: items? })
}
