//! Whether Codex wrote a file, by its first lines.

use super::known;
use super::wire::{Payload, Record};
use crate::json;
use crate::jsonl;

/// How many lines are looked at before a file counts as somebody else's.
const LINES: usize = 40;

/// Tells whether one of the first lines is Codex's; broken and cut-off ones tell nothing.
pub(super) fn recognises(head: &str) -> bool {
    let lines = head.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.take(LINES).any(is_own)
}

fn is_own(line: &str) -> bool {
    let Ok(record) = json::from_str::<Record<'_>>(line) else { return is_cut_meta(line) };
    if record.payload.is_some() {
        return is_wrapper(record.kind.text());
    }
    if record.record_type.get() == Some("state") {
        return true;
    }
    let Ok(item) = json::from_str::<Payload<'_>>(line) else { return false };
    match item.kind.get() {
        Some("message") => item.role.get().is_some() && item.content.is_some(),
        Some("reasoning") => item.summary.is_some(),
        Some(kind) => known::is_call(kind) || known::is_result(kind),
        None => is_bare_meta(line),
    }
}

fn is_wrapper(kind: &str) -> bool {
    matches!(
        kind,
        "session_meta"
            | "response_item"
            | "event_msg"
            | "turn_context"
            | "compacted"
            | "world_state"
            | "token_usage_record"
    )
}

/// The first line of the oldest files.
fn is_bare_meta(line: &str) -> bool {
    let fields: Option<serde_json::Map<String, serde_json::Value>> =
        serde_json::value::RawValue::from_string(line.to_owned())
            .ok()
            .and_then(|raw| jsonl::shaped(Some(&raw)));
    let Some(fields) = fields else { return false };
    let has = |key| fields.contains_key(key);
    has("id") && has("timestamp") && has("instructions") && !has("sessionId")
}

/// A first line so long that only its beginning was given.
fn is_cut_meta(line: &str) -> bool {
    let start: String = line.chars().take(256).filter(|sign| !sign.is_whitespace()).collect();
    start.starts_with('{')
        && start.contains("\"payload\":{")
        && ["session_meta", "response_item", "event_msg", "compacted"]
            .iter()
            .any(|kind| start.contains(&format!("\"type\":\"{kind}\"")))
}
