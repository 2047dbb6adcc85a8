//! Claude Code, 1.0 to 2.1.330.

mod action;
mod attachment;
mod beside;
mod bits;
mod boundary;
mod buckets;
mod came;
mod check;
mod facts;
mod key;
mod links;
mod live;
mod memory;
mod nodes;
mod open;
mod part;
mod piece;
mod plans;
mod queue;
mod read;
mod responses;
mod result;
mod said;
mod scan;
mod side;
mod talk;
mod tasks;
mod times;
mod tools;
mod trail;
mod tree;
mod twins;
mod whereabouts;
mod wire;
mod write;

use camino::{Utf8Path, Utf8PathBuf};
use serde_json::value::RawValue;

use super::adopt::Adopt;
use super::{Begun, ContextFile, Harness, HumanRan, Late, Lists, Shelf, Sink, Want, Writer};
use crate::error::Result;
use crate::json;
use crate::jsonl::Input;
use crate::model::{Action, Body, Deed, End, Header, Text, ToolKind, Unwrap};

/// What users type.
const NAME: &str = "claude";

/// The file of a project that it reads at its start.
const CONTEXT_FILE: &str = "CLAUDE.md";

/// Reads sessions of Claude Code.
pub(super) struct Claude;

impl Harness for Claude {
    fn name(&self) -> &'static str {
        NAME
    }

    fn title(&self) -> &'static str {
        "Claude Code"
    }

    fn known_as(&self) -> &'static str {
        "claude-code"
    }

    fn home(&self, var: &dyn Fn(&str) -> Option<String>) -> Option<Utf8PathBuf> {
        let set = var("CLAUDE_CONFIG_DIR").map(Utf8PathBuf::from);
        set.or_else(|| Some(Utf8PathBuf::from(var("HOME")?).join(".claude")))
    }

    fn caller(&self, var: &dyn Fn(&str) -> Option<String>) -> Option<String> {
        var("CLAUDE_CODE_SESSION_ID").or_else(|| var("CLAUDE_SESSION_ID"))
    }

    fn calls_without_a_name(&self, var: &dyn Fn(&str) -> Option<String>) -> bool {
        var("CLAUDECODE").is_some() && self.caller(var).is_none()
    }

    fn host_tags(&self) -> &'static [&'static str] {
        &[
            "bash-input",
            "bash-stderr",
            "bash-stdout",
            "command-args",
            "command-message",
            "command-name",
            "goal",
            "local-command-caveat",
            "local-command-stderr",
            "local-command-stdout",
            "persisted-output",
            "session-start-hook",
            "system-reminder",
            "task-notification",
            "teammate-message",
            "tick",
            "user-prompt-submit-hook",
        ]
    }

    fn shelves(&self, home: &Utf8Path, _project: Option<&Utf8Path>) -> Vec<Shelf> {
        vec![Shelf { folder: home.join("projects"), depth: 2 }]
    }

    fn side_shelves(&self, home: &Utf8Path) -> Vec<Shelf> {
        // Beside the session, or below a folder of its name.
        vec![Shelf { folder: home.join("projects"), depth: 7 }]
    }

    fn context_file(&self) -> ContextFile {
        ContextFile { name: CONTEXT_FILE, instead: None, window: None }
    }

    fn reads_mentions(&self) -> bool {
        true
    }

    fn tokens_per_100(&self) -> usize {
        145
    }

    fn human_ran(&self, message: &str) -> Option<HumanRan> {
        said::human_ran(message)
    }

    fn calls_text(&self, name: &str, arguments: &RawValue) -> Option<String> {
        tools::called(name, arguments)
    }

    fn objection(&self, body: &Body<'_>) -> Option<String> {
        said::objection(body)
    }

    fn begun(&self, result: &str) -> Option<Begun> {
        tasks::begun(result)
    }

    fn was_not_let(&self, result: &str) -> bool {
        result::was_not_let(result)
    }

    fn was_lost(&self, result: &str) -> bool {
        result.trim_start().starts_with("[Tool result missing")
    }

    fn runs_on(&self, result: &str) -> bool {
        tasks::runs_on(result)
    }

    fn waited<'r>(&self, result: &'r str) -> Option<(i64, &'r str)> {
        tasks::waited(result)
    }

    fn late(&self, message: &str) -> Vec<Late> {
        tasks::late(message).into_iter().collect()
    }

    fn is_no_answer(&self, result: &str) -> bool {
        said::is_no_answer(result)
    }

    fn news<'m>(&self, message: &'m str) -> Option<&'m str> {
        said::news(message)
    }

    fn is_log(&self, _path: &Utf8Path) -> bool {
        true
    }

    fn may_be_session(&self, path: &Utf8Path) -> bool {
        let is_agent = path.file_name().is_some_and(|name| name.starts_with("agent-"));
        path.extension() == Some("jsonl") && !is_agent
    }

    fn action(&self, name: &str, _kind: ToolKind, arguments: &RawValue) -> Option<Action> {
        action::action(name, &json::from_str(arguments.get()).ok()?)
    }

    fn tool_kind(&self, name: &str, _arguments: &RawValue) -> ToolKind {
        tools::kind(name)
    }

    fn recognises(&self, head: &str) -> bool {
        head.lines().take(200).any(is_line_of_it)
    }

    fn header(&self, input: &Input) -> Result<Header> {
        scan::header(input)
    }

    fn read(&self, input: &Input, want: Want, sink: &mut dyn Sink) -> Result<End> {
        read::session(input, want, &mut Adopt::new(NAME, want.actions, sink))
    }

    fn lists(&self) -> Option<Box<dyn Lists>> {
        Some(Box::new(plans::Plans::default()))
    }

    fn deed(&self, name: &str, arguments: &serde_json::Value) -> Option<Deed> {
        write::deed(name, arguments)
    }

    fn unwraps(&self) -> Unwrap {
        result::printed
    }

    fn rights(&self) -> &'static [&'static str] {
        &["dangerouslyDisableSandbox"]
    }

    fn is_behind_answer(&self, text: &Text<'_>) -> bool {
        tasks::is_behind_answer(&text.start(tasks::TAIL_BYTES))
    }

    fn approved_plan(&self, result: &str) -> Option<String> {
        let (_, told) = result.split_once("\n## Approved Plan")?;
        let (_, plan) = told.split_once('\n')?;
        Some(plan.trim().to_owned()).filter(|plan| !plan.is_empty())
    }

    fn asks_more(&self, name: &str, arguments: &serde_json::Value) -> bool {
        write::asks_more(name, arguments)
    }

    fn writer(&self) -> Option<&'static dyn Writer> {
        Some(&Claude)
    }
}

/// Tells a line by the keys that only this harness writes together.
fn is_line_of_it(line: &str) -> bool {
    let has = |key: &str| line.contains(&format!("\"{key}\""));
    let chain = has("uuid") && (has("parentUuid") || has("message"));
    let side = has("leafUuid") || has("aiTitle") || has("customTitle") || has("isSnapshotUpdate");
    let talk = has("message") && has("role") && has("sessionId");
    line.trim_start().starts_with('{') && has("type") && (chain || side || talk) && !has("payload")
}
