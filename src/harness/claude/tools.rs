//! What the tools are for.

use serde_json::value::RawValue;

use crate::json;
use crate::model::ToolKind;

/// Returns what a tool is for, by its name.
pub(super) fn kind(name: &str) -> ToolKind {
    match name {
        "Bash" | "BashOutput" | "KillShell" | "KillBash" | "PowerShell" | "Monitor" => {
            ToolKind::Shell
        }
        "Read" | "NotebookRead" => ToolKind::Read,
        "Edit" | "MultiEdit" | "Write" | "NotebookEdit" => ToolKind::Edit,
        "Grep" | "Glob" | "LS" | "LSP" | "ToolSearch" => ToolKind::Search,
        "WebFetch" | "WebSearch" | "web_search" | "web_fetch" => ToolKind::Fetch,
        "TodoWrite" | "TaskCreate" | "TaskUpdate" | "TaskList" | "TaskGet" | "ExitPlanMode"
        | "EnterPlanMode" => ToolKind::Plan,
        "Task" | "Agent" | "TaskOutput" | "TaskStop" | "AgentOutputTool" | "SendMessage"
        | "Workflow" | "ListAgents" => ToolKind::Agent,
        "AskUserQuestion" => ToolKind::Ask,
        _ => ToolKind::Other,
    }
}

/// Returns by what name a call has the program put in the text of a command or of a skill.
pub(super) fn called(name: &str, arguments: &RawValue) -> Option<String> {
    if !matches!(name, "Skill" | "SlashCommand") {
        return None;
    }
    let input: serde_json::Value = json::from_str(arguments.get()).ok()?;
    let named = ["skill", "command"].into_iter().find_map(|key| input.get(key)?.as_str())?;
    named.split_whitespace().next().map(str::to_owned)
}

/// Line types that hold nothing of the conversation.
pub(super) fn is_bookkeeping(kind: &str) -> bool {
    const TYPES: &[&str] = &[
        "agent-color",
        "agent-name",
        "agent-setting",
        "api-request",
        "api-request-blob",
        "api-request-shape",
        "atis-latch",
        "attribution-snapshot",
        "bridge-session",
        "content-replacement",
        "cost-state",
        "file-history-delta",
        "file-history-snapshot",
        "frame-link",
        "last-prompt",
        "mode",
        "permission-mode",
        "pr-link",
        "progress",
        "queue-operation",
        "relocated",
        "result",
        "speculation-accept",
        "started",
        "tag",
        "tools-used",
        "worktree-state",
    ];
    TYPES.binary_search(&kind).is_ok() || kind.starts_with("marble-origami-")
}

/// System lines that only keep the program's own books.
pub(super) fn is_quiet(subtype: &str) -> bool {
    matches!(
        subtype,
        "turn_duration"
            | "bridge_status"
            | "session_start"
            | "ui_telemetry"
            | "memory_saved"
            | "session_artifact_snapshot"
            | "end"
    )
}

/// Returns a recap without the hint, in its first versions, of where recaps are turned off.
pub(super) fn recap(text: &str) -> &str {
    let text = text.trim_end();
    text.strip_suffix("(disable recaps in /config)").unwrap_or(text).trim_end()
}

/// System lines that become notices.
pub(super) fn is_notice(subtype: &str) -> bool {
    matches!(
        subtype,
        "api_error"
            | "informational"
            | "stop_hook_summary"
            | "api_refusal"
            | "microcompact_boundary"
            | "scheduled_task_fire"
            | "model_refusal_fallback"
            | "error"
            | "slash_command"
            | "rewind"
            | "custom_title"
    )
}

/// Attachments that tell the model of its own machinery, and would only fill space.
pub(super) fn is_machinery(kind: &str) -> bool {
    const TYPES: &[&str] = &[
        "agent_listing_delta",
        "already_read_file",
        "async_hook_response",
        "auto_mode",
        "auto_mode_exit",
        "batching_reminder_sent",
        "budget_usd",
        "command_permissions",
        "companion_intro",
        "critical_system_reminder",
        "date",
        "date_change",
        "deferred_tools_delta",
        "dynamic_skill",
        "environment",
        "hook_cancelled",
        "hook_success",
        "mcp_instructions_delta",
        "model",
        "output_style",
        "prompt_snapshot",
        "read_truncation_notice",
        "remote_session_change",
        "session_context",
        "silent_turn_reminder",
        "skill_listing",
        "task_reminder",
        "todo_reminder",
        "token_usage",
        "total_tokens_reminder",
        "ultra_effort_enter",
        "ultra_effort_exit",
        "verify_plan_reminder",
    ];
    TYPES.binary_search(&kind).is_ok()
}

/// Attachments with something of the work in them.
pub(super) fn is_content(kind: &str) -> bool {
    const TYPES: &[&str] = &[
        "compact_file_reference",
        "diagnostics",
        "directory",
        "edited_text_file",
        "file",
        "goal_status",
        "hook_additional_context",
        "hook_blocking_error",
        "hook_error_during_execution",
        "hook_non_blocking_error",
        "hook_system_message",
        "instructions",
        "invoked_skills",
        "mcp_resource",
        "nested_memory",
        "opened_file_in_ide",
        "pdf_reference",
        "plan_file_reference",
        "plan_mode",
        "plan_mode_exit",
        "plan_mode_reentry",
        "relevant_memories",
        "selected_lines_in_ide",
        "structured_output",
        "task_status",
    ];
    TYPES.binary_search(&kind).is_ok()
}

/// Tells whether the words of an attachment are given to the model.
pub(super) fn is_for_model(kind: &str) -> bool {
    const TYPES: &[&str] = &[
        "edited_text_file",
        "file",
        "hook_additional_context",
        "hook_blocking_error",
        "instructions",
        "invoked_skills",
        "nested_memory",
        "relevant_memories",
    ];
    TYPES.binary_search(&kind).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted_for_their_search() {
        for kind in ["agent-color", "worktree-state", "mode", "queue-operation", "progress"] {
            assert!(is_bookkeeping(kind), "{kind}");
        }
        for kind in ["agent_listing_delta", "verify_plan_reminder", "environment", "date"] {
            assert!(is_machinery(kind), "{kind}");
        }
        for kind in ["compact_file_reference", "task_status", "file", "plan_mode"] {
            assert!(is_content(kind), "{kind}");
        }
        for kind in ["edited_text_file", "hook_blocking_error", "nested_memory"] {
            assert!(is_for_model(kind) && is_content(kind), "{kind}");
        }
    }
}
