//! What the tools are for, and what a call means.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::content::object;
use super::wire::{Arguments, Choice, Question as AskedQuestion, Todo, TodoDisplay};
use crate::harness::{Lists, mcp};
use crate::json;
use crate::jsonl::{Lax, elements, string};
use crate::model::{Action, Change, Plan, PlanItem, PlanStatus, Question, ToolKind, Verb};

/// The tool by which the model shows a plan.
pub(super) const PROPOSE: &str = "exit_plan_mode";

/// The tool that runs a command.
pub(super) const SHELL: &str = "run_shell_command";
/// The tools that look at what runs in the background.
const LOOKS: [&str; 2] = ["read_background_output", "list_background_processes"];

/// Tells what a tool is for.
pub(super) fn kind(name: &str) -> ToolKind {
    match name {
        SHELL => ToolKind::Shell,
        _ if LOOKS.contains(&name) => ToolKind::Shell,
        "read_file" | "read_many_files" => ToolKind::Read,
        "write_file" | "replace" => ToolKind::Edit,
        "glob" | "grep_search" | "search_file_content" | "list_directory" => ToolKind::Search,
        "web_fetch" | "google_web_search" => ToolKind::Fetch,
        "write_todos" | "update_topic" | "enter_plan_mode" | PROPOSE => ToolKind::Plan,
        "ask_user" => ToolKind::Ask,
        "invoke_agent" | "complete_task" => ToolKind::Agent,
        _ if name.starts_with("tracker_") => ToolKind::Plan,
        _ => ToolKind::Other,
    }
}

/// Tells what a call means.
pub(super) fn of(name: &str, args: Option<&RawValue>) -> Option<Action> {
    if name.starts_with("mcp_") {
        return mcp::action(name, &json::from_str(args?.get()).ok()?);
    }
    let args: Arguments<'_> = object(args)?;
    let target = first([&args.file_path, &args.absolute_path, &args.path, &args.dir_path]);
    Some(match kind(name) {
        ToolKind::Shell if name != SHELL => {
            Action::Wait { on: args.pid.filled().map(str::to_owned), is_told: false }
        }
        ToolKind::Shell => Action::Shell {
            command: args.command.text().to_owned(),
            cwd: first([&args.directory, &args.dir_path]),
            by_human: false,
        },
        ToolKind::Read => {
            Action::Read { path: target.or_else(|| paths(&args))?, lines: lines(&args) }
        }
        ToolKind::Edit => Action::Edit { changes: vec![change(name, &args, target?)] },
        ToolKind::Search => {
            let pattern = first([&args.pattern, &args.query]);
            match (pattern, target) {
                (Some(pattern), path) => Action::Search { pattern, path },
                (None, path) => Action::Search { pattern: String::new(), path },
            }
        }
        ToolKind::Fetch => Action::Fetch { target: first([&args.url, &args.query, &args.prompt])? },
        ToolKind::Plan if name == PROPOSE => {
            let file = first([&args.plan_path, &args.plan_filename]);
            Action::Propose { plan: first([&args.plan]).or_else(|| file.clone())?, file }
        }
        ToolKind::Plan => Action::Plan,
        ToolKind::Ask => Action::Ask { questions: asked(&args) },
        ToolKind::Agent if name == "invoke_agent" => {
            Action::Agent { task: first([&args.prompt, &args.objective, &args.query])? }
        }
        ToolKind::Agent | ToolKind::Other => return None,
    })
}

fn first<const N: usize>(fields: [&Lax<'_>; N]) -> Option<String> {
    fields.into_iter().find_map(|field| field.filled()).map(str::to_owned)
}

/// Several paths or patterns, as the tool for many files has them.
fn paths(args: &Arguments<'_>) -> Option<String> {
    let listed = elements(args.paths.or(args.include));
    let texts: Vec<_> = listed.into_iter().filter_map(string).collect();
    (!texts.is_empty()).then(|| texts.join(" "))
}

/// Which lines were asked for: older versions count from 0 and say how many.
fn lines(args: &Arguments<'_>) -> Option<(u64, u64)> {
    if let Some(last) = args.end_line {
        return Some((args.start_line.unwrap_or(1), last));
    }
    let count = args.limit?;
    let before = args.offset.unwrap_or(0);
    Some((before.saturating_add(1), before.saturating_add(count)))
}

fn change(name: &str, args: &Arguments<'_>, path: String) -> Change {
    let removed = args.old_string.text().to_owned();
    if name == "write_file" || removed.is_empty() {
        let added = args.content.get().or(args.new_string.get()).unwrap_or("").to_owned();
        return Change { path, verb: Verb::Write, removed: String::new(), added };
    }
    let added = args.new_string.text().to_owned();
    Change { path, verb: Verb::Update, removed, added }
}

/// Returns the questions that a call asks.
pub(super) fn questions(args: Option<&RawValue>) -> Vec<Question> {
    object(args).map(|args| asked(&args)).unwrap_or_default()
}

fn asked(args: &Arguments<'_>) -> Vec<Question> {
    let listed = elements(args.questions).into_iter().filter_map(|raw| object(Some(raw)));
    let question = |asked: AskedQuestion<'_>| {
        let choices = elements(asked.options).into_iter().filter_map(|raw| object(Some(raw)));
        let options = choices.map(|choice: Choice<'_>| choice.label.text().to_owned()).collect();
        Question { text: asked.question.text().to_owned(), options }
    };
    listed.map(question).collect()
}

/// Returns the list of work as it stands after a call, where the tool keeps one.
pub(super) fn plan(
    name: &str,
    args: Option<&RawValue>,
    display: Option<&RawValue>,
) -> Option<Vec<PlanItem>> {
    let shown = || object::<TodoDisplay<'_>>(display)?.todos;
    let todos = match name {
        "write_todos" => object::<Arguments<'_>>(args)?.todos.or_else(shown)?,
        _ if name.starts_with("tracker_") => shown()?,
        _ => return None,
    };
    let todos = elements(Some(todos)).into_iter().filter_map(|raw| object(Some(raw)));
    Some(todos.map(|todo| entry(&todo)).collect())
}

/// Lists of work of a session of which other programs carry the calls: each tells the whole list. What
/// the tracker shows is not carried.
pub(super) struct Todos;

impl Lists for Todos {
    fn set(&mut self, name: &str, arguments: &RawValue, _result: &str) -> Option<Plan<'static>> {
        let items = plan(name, Some(arguments), None)?;
        Some(Plan { call_id: None, explanation: None, items })
    }
}

/// Reads an entry; the tracker writes `[number] [TASK] title`.
fn entry(todo: &Todo<'_>) -> PlanItem {
    let text = todo.description.text().trim();
    let numbered = text.strip_prefix('[').and_then(|rest| rest.split_once("] ["));
    let tracked = numbered.and_then(|(id, rest)| Some((id, rest.split_once("] ")?.1)));
    let (id, text) = tracked.map_or((None, text), |(id, text)| (Some(id.to_owned()), text));
    let status = PlanStatus::from_word(todo.status.text());
    PlanItem { id, ..PlanItem::new(text, status) }
}

/// Returns the kind of a sub-agent and its task.
pub(super) fn agent<'a>(
    args: Option<&'a RawValue>,
) -> (Option<Cow<'a, str>>, Option<Cow<'a, str>>) {
    let Some(args) = object::<Arguments<'a>>(args) else { return (None, None) };
    let task = [args.prompt, args.objective, args.query].into_iter().find_map(Lax::take);
    (args.agent_name.take(), task)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tracker_entries_give_their_number() {
        let display =
            r#"{"todos":[{"description":"  [a1b2c3] [BUG] Mend it","status":"in_progress"}]}"#;
        let display: &RawValue = serde_json::from_str(display).expect("it is JSON");
        let items = plan("tracker_update_task", None, Some(display)).expect("it is a list of work");
        assert_eq!((items[0].id.as_deref(), items[0].text.as_str()), (Some("a1b2c3"), "Mend it"));
        assert_eq!(items[0].status, PlanStatus::InProgress);
    }
}
