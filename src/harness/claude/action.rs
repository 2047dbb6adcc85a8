//! What a tool call means.

use serde_json::{Map, Value};

use crate::harness::mcp;
use crate::model::{Action, Change, Question, Verb};

/// Whether a letter to another agent asks it to stop: by its type, or by that of what it says.
fn asks_to_stop(input: &Map<String, Value>) -> bool {
    let kind = |letter: &Map<String, Value>| {
        letter.get("type").and_then(Value::as_str) == Some("shutdown_request")
    };
    kind(input) || input.get("message").and_then(Value::as_object).is_some_and(kind)
}

/// Returns what the tool called `name` does with `input`; nothing for tools that only it has.
pub(super) fn action(name: &str, input: &Value) -> Option<Action> {
    if name.starts_with("mcp__") {
        return mcp::action(name, input);
    }
    let input = input.as_object()?;
    let text = |key: &str| input.get(key).and_then(Value::as_str).map(str::to_owned);
    Some(match name {
        // What is watched for its events is a command line, too.
        "Bash" | "PowerShell" | "Monitor" if input.contains_key("command") => {
            Action::Shell { command: text("command")?, cwd: None, by_human: false }
        }
        "BashOutput" | "TaskOutput" | "AgentOutputTool" | "Monitor" => {
            let ids = ["bash_id", "task_id", "shell_id", "agentId"];
            Action::Wait { on: ids.into_iter().find_map(text), is_told: false }
        }
        "TaskStop" | "KillShell" | "KillBash" => {
            let ids = ["task_id", "shell_id", "bash_id"];
            Action::Stop { on: ids.into_iter().find_map(text)? }
        }
        "SendMessage" if asks_to_stop(input) => {
            Action::Stop { on: ["recipient", "to"].into_iter().find_map(text)? }
        }
        "Read" => Action::Read { path: text("file_path")?, lines: lines(input) },
        "NotebookRead" => Action::Read { path: text("notebook_path")?, lines: None },
        "Edit" => Action::Edit { changes: vec![change(text("file_path")?, input)] },
        "MultiEdit" => Action::Edit { changes: several(&text("file_path")?, input) },
        "Write" => Action::Edit { changes: vec![write(text("file_path")?, text("content"))] },
        "NotebookEdit" => {
            let change = write(text("notebook_path")?, text("new_source"));
            Action::Edit { changes: vec![Change { verb: Verb::Update, ..change }] }
        }
        "Grep" | "Glob" => Action::Search { pattern: text("pattern")?, path: text("path") },
        "LS" => Action::Search { pattern: String::new(), path: text("path") },
        "ToolSearch" => Action::Search { pattern: text("query")?, path: None },
        "WebFetch" => Action::Fetch { target: text("url")? },
        "WebSearch" => Action::Fetch { target: text("query")? },
        "TodoWrite" | "TaskCreate" | "TaskUpdate" => Action::Plan,
        "ExitPlanMode" => Action::Propose { plan: text("plan").unwrap_or_default(), file: None },
        "AskUserQuestion" => Action::Ask { questions: questions(input) },
        "Task" | "Agent" => Action::Agent { task: text("description").or_else(|| text("prompt"))? },
        "Workflow" => Action::Agent { task: workflow(input) },
        _ => return None,
    })
}

/// Returns what a script of several agents is for: what it says of itself, or by what name it is known.
fn workflow(input: &Map<String, Value>) -> String {
    let text = |key: &str| input.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    let described = text("script").and_then(|script| {
        let (_, rest) = script.split_once("description:")?;
        let rest = rest.trim_start();
        let quote = rest.chars().next().filter(|c| matches!(c, '\'' | '"' | '`'))?;
        rest[1..].split(quote).next().filter(|words| !words.is_empty())
    });
    let named = || text("name").or_else(|| text("scriptPath")?.rsplit(['/', '\\']).next());
    let found = text("description").or(described).or_else(named);
    found.map_or_else(|| "a script of several agents".to_owned(), str::to_owned)
}

fn lines(input: &Map<String, Value>) -> Option<(u64, u64)> {
    let number = |key: &str| input.get(key).and_then(Value::as_u64);
    let count = number("limit")?;
    let first = number("offset").unwrap_or(1).max(1);
    Some((first, first.saturating_add(count.saturating_sub(1))))
}

fn change(path: String, input: &Map<String, Value>) -> Change {
    let text = |key: &str| input.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    Change { path, verb: Verb::Update, removed: text("old_string"), added: text("new_string") }
}

fn several(path: &str, input: &Map<String, Value>) -> Vec<Change> {
    let edits = input.get("edits").and_then(Value::as_array).into_iter().flatten();
    edits.filter_map(Value::as_object).map(|edit| change(path.to_owned(), edit)).collect()
}

fn write(path: String, content: Option<String>) -> Change {
    Change { path, verb: Verb::Write, removed: String::new(), added: content.unwrap_or_default() }
}

fn questions(input: &Map<String, Value>) -> Vec<Question> {
    let list = input.get("questions").and_then(Value::as_array).into_iter().flatten();
    let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let question = |value: &Value| {
        let options = value.get("options").and_then(Value::as_array).into_iter().flatten();
        let options = options.filter_map(|option| text(option, "label")).collect();
        Some(Question { text: text(value, "question")?, options })
    };
    list.filter_map(question).collect()
}
