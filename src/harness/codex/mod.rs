//! Codex CLI: one file a session ("rollout"), a JSON record a line.

mod action;
mod agents;
mod beside;
mod call;
mod chain;
mod check;
mod compact;
mod deed;
mod digest;
mod event;
mod head;
mod item;
mod known;
mod ledger;
pub(super) mod memory;
mod old;
mod output;
mod pairs;
mod patch;
mod plan;
mod read;
mod recognise;
mod row;
mod scan;
mod script;
mod side;
mod text;
mod timeline;
mod wire;
mod write;

use camino::{Utf8Path, Utf8PathBuf};
use serde_json::value::RawValue;

use super::adopt::Adopt;
use super::{Begun, ContextFile, Harness, HumanRan, Late, Lists, Shelf, Sink, Want, Writer};
use crate::error::Result;
use crate::jsonl::Input;
use crate::model::{Action, Deed, End, Header, Part, Text, ToolKind, Unwrap};

/// Reads sessions of Codex CLI.
pub(super) struct Codex;

impl Harness for Codex {
    fn name(&self) -> &'static str {
        "codex"
    }

    fn begins_home(&self) -> bool {
        true
    }

    fn title(&self) -> &'static str {
        "Codex CLI"
    }

    fn was_not_let(&self, result: &str) -> bool {
        output::was_not_let(result)
    }

    fn begun(&self, result: &str) -> Option<Begun> {
        output::begun(result)
    }

    fn waited_in_full(&self, arguments: &str, result: &str) -> bool {
        output::waited_in_full(arguments, result)
    }

    fn home(&self, var: &dyn Fn(&str) -> Option<String>) -> Option<Utf8PathBuf> {
        let set = |name| var(name).filter(|value| !value.is_empty()).map(Utf8PathBuf::from);
        set("CODEX_HOME").or_else(|| Some(set("HOME")?.join(".codex")))
    }

    fn caller(&self, var: &dyn Fn(&str) -> Option<String>) -> Option<String> {
        let set = |name| var(name).filter(|value| !value.is_empty());
        set("CODEX_THREAD_ID").or_else(|| set("CODEX_SESSION_ID"))
    }

    fn host_tags(&self) -> &'static [&'static str] {
        &[
            "codex_internal_context",
            "environment_context",
            "goal_context",
            "hook_prompt",
            "INSTRUCTIONS",
            "oai-mem-citation",
            "permissions",
            "proposed_plan",
            "recommended_plugins",
            "skill",
            "subagent_notification",
            "turn_aborted",
            "user_instructions",
            "user_shell_command",
        ]
    }

    fn shelves(&self, home: &Utf8Path, _project: Option<&Utf8Path>) -> Vec<Shelf> {
        // Sessions are filed by day, so the project does not narrow the search.
        vec![
            Shelf { folder: home.join("sessions"), depth: 4 },
            Shelf { folder: home.join("archived_sessions"), depth: 1 },
        ]
    }

    fn context_file(&self) -> ContextFile {
        ContextFile {
            name: "AGENTS.md",
            instead: Some("AGENTS.override.md"),
            window: Some(32 * 1024),
        }
    }

    fn late(&self, message: &str) -> Vec<Late> {
        text::report(message).or_else(|| agents::notified(message)).into_iter().collect()
    }

    fn heard(&self, result: &str) -> Vec<Late> {
        agents::heard(result)
    }

    fn letter(&self, message: &str) -> Option<String> {
        text::letter(message)
    }

    fn called(&self, message: &str) -> Option<String> {
        text::called(message)
    }

    fn human_ran(&self, message: &str) -> Option<HumanRan> {
        text::human_ran(message)
    }

    fn plan_tags(&self) -> Option<(&'static str, &'static str)> {
        Some(text::PLAN_TAGS)
    }

    fn without_marks(&self, answer: &Text<'_>) -> Option<String> {
        text::without_marks(answer)
    }

    fn is_log(&self, _path: &Utf8Path) -> bool {
        true
    }

    fn may_be_session(&self, path: &Utf8Path) -> bool {
        let name = path.file_name().unwrap_or_default();
        let is_rollout = name.starts_with("rollout-");
        is_rollout && [".jsonl", ".jsonl.zst", ".json"].iter().any(|end| name.ends_with(end))
    }

    fn action(&self, name: &str, kind: ToolKind, arguments: &RawValue) -> Option<Action> {
        call::action(name, kind, arguments)
    }

    fn tool_kind(&self, name: &str, arguments: &RawValue) -> ToolKind {
        call::kind(name, arguments)
    }

    fn recognises(&self, head: &str) -> bool {
        old::is_document(head) || recognise::recognises(head)
    }

    fn header(&self, input: &Input) -> Result<Header> {
        match old::lines(input)? {
            Some(lines) => read::header(&lines),
            None => read::header(input),
        }
    }

    fn read(&self, input: &Input, want: Want, sink: &mut dyn Sink) -> Result<End> {
        let sink = &mut Adopt::new(self.name(), want.actions, sink);
        match old::lines(input)? {
            Some(lines) => read::read(&lines, want, sink),
            None => read::read(input, want, sink),
        }
    }

    fn lists(&self) -> Option<Box<dyn Lists>> {
        Some(Box::new(plan::Plans::default()))
    }

    fn deed(&self, name: &str, arguments: &serde_json::Value) -> Option<Deed> {
        deed::deed(name, arguments)
    }

    fn rights(&self) -> &'static [&'static str] {
        deed::RIGHTS
    }

    fn asks_more(&self, name: &str, arguments: &serde_json::Value) -> bool {
        deed::asks_more(name, arguments)
    }

    fn keeps_no_result(&self, name: &str) -> bool {
        call::is_alone(name)
    }

    fn printed(&self, output: Vec<Part<'static>>) -> Vec<Part<'static>> {
        script::printed(output)
    }

    fn unwraps(&self) -> Unwrap {
        output::printed
    }

    fn writer(&self) -> Option<&'static dyn Writer> {
        Some(&Codex)
    }
}
