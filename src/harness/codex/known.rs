//! The types that are known, by the place where they stand.

/// What the first versions say in the model's name after a compaction.
pub(super) const COMPACTED_NOTICE: &str = "Compact task completed";

/// Lines that hold nothing of the conversation.
pub(super) fn is_line(kind: &str) -> bool {
    matches!(
        kind,
        "world_state" | "inter_agent_communication" | "inter_agent_communication_metadata"
    )
}

/// Items that ask for a tool, and whose result is an item of its own.
pub(super) fn is_call(kind: &str) -> bool {
    matches!(kind, "function_call" | "custom_tool_call" | "local_shell_call" | "tool_search_call")
}

/// Items that a tool gave back.
pub(super) fn is_result(kind: &str) -> bool {
    matches!(
        kind,
        "function_call_output"
            | "custom_tool_call_output"
            | "local_shell_call_output"
            | "tool_search_output"
    )
}

/// Items that hold a summary which only the provider can read.
pub(super) fn is_summary(kind: &str) -> bool {
    matches!(kind, "compaction" | "compaction_summary" | "context_compaction")
}

/// Items that hold nothing of the conversation, or nothing that can be read.
pub(super) fn is_item(kind: &str) -> bool {
    is_summary(kind)
        || matches!(
            kind,
            "compaction_trigger" | "additional_tools" | "ghost_snapshot" | "token_count" | "other"
        )
}

/// Events that repeat an item, or tell only of the run.
pub(super) fn is_event(kind: &str) -> bool {
    matches!(
        kind,
        "apply_patch_approval_request"
            | "background_event"
            | "context_compacted"
            | "deprecation_notice"
            | "dynamic_tool_call_request"
            | "dynamic_tool_call_response"
            | "elicitation_request"
            | "exec_approval_request"
            | "exec_command_begin"
            | "exec_command_output_delta"
            | "guardian_assessment"
            | "hook_completed"
            | "hook_started"
            | "image_generation_begin"
            | "image_generation_end"
            | "item_started"
            | "mcp_startup_complete"
            | "mcp_startup_update"
            | "mcp_tool_call_begin"
            | "mcp_tool_call_end"
            | "model_reroute"
            | "patch_apply_begin"
            | "patch_apply_updated"
            | "plan_update"
            | "raw_response_item"
            | "request_permissions"
            | "request_user_input"
            | "session_configured"
            | "shutdown_complete"
            | "stream_error"
            | "terminal_interaction"
            | "thread_settings_applied"
            | "turn_diff"
            | "undo_completed"
            | "undo_started"
            | "view_image_tool_call"
            | "web_search_begin"
            | "web_search_end"
    ) || kind.starts_with("collab_")
        || kind.starts_with("realtime_")
        || kind.starts_with("account/")
}

/// Finished things that an item of the conversation tells of as well.
pub(super) fn is_done(kind: &str) -> bool {
    matches!(
        kind,
        "McpToolCall"
            | "DynamicToolCall"
            | "CollabAgentToolCall"
            | "SubAgentActivity"
            | "WebSearch"
            | "ImageView"
            | "ImageGeneration"
            | "Sleep"
            | "HookPrompt"
            | "Extension"
            | "ContextCompaction"
    )
}
