//! What the screen is told, and what responses cost.

use serde::Serialize;
use serde_json::{Value, json};

use crate::model::{Exchange, Usage};

/// From how many tokens on a session without any count is told to be long.
const LONG_TOKENS: u64 = 100_000;
/// How many bytes of a text make a token, roughly.
const TOKEN_BYTES: u64 = 4;

/// A turn begins.
pub(super) fn task_started(turn: &str) -> Value {
    json!({
        "type": "task_started", "turn_id": turn, "model_context_window": null,
        "collaboration_mode_kind": "default",
    })
}

/// A turn ends.
pub(super) fn task_complete(turn: &str, last: Option<&str>) -> Value {
    json!({ "type": "task_complete", "turn_id": turn, "last_agent_message": last })
}

/// The user stopped a turn.
pub(super) fn turn_aborted(turn: &str) -> Value {
    json!({ "type": "turn_aborted", "turn_id": turn, "reason": "interrupted" })
}

/// A human's words, which the list of sessions shows too.
pub(super) fn user_message(text: &str) -> Value {
    json!({
        "type": "user_message", "message": text, "images": [], "local_images": [],
        "text_elements": [],
    })
}

/// The model's words.
pub(super) fn agent_message(text: &str, phase: Option<&str>) -> Value {
    let mut event = json!({ "type": "agent_message", "message": text });
    if let Some(phase) = phase {
        event["phase"] = phase.into();
    }
    event
}

/// The model's thinking.
pub(super) fn agent_reasoning(text: &str) -> Value {
    json!({ "type": "agent_reasoning", "text": text })
}

/// A compaction took place.
pub(super) fn context_compacted() -> Value {
    json!({ "type": "context_compacted" })
}

/// The title that the session was given.
pub(super) fn named(thread: &str, name: &str) -> Value {
    json!({ "type": "thread_name_updated", "thread_id": thread, "thread_name": name })
}

/// A call began a side session.
pub(super) fn agent_started(call: &str, thread: &str, path: &str, at_ms: i64) -> Value {
    json!({
        "type": "sub_agent_activity", "event_id": call, "occurred_at_ms": at_ms,
        "agent_thread_id": thread, "agent_path": path, "kind": "started",
    })
}

/// How a call ended whose output does not say so.
pub(super) fn ended(exchange: &Exchange, name: &str, turn: &str) -> Value {
    let result = &exchange.result;
    let status = if result.rejected { "declined" } else { "failed" };
    if name == "apply_patch" {
        return json!({
            "type": "patch_apply_end", "call_id": result.call_id, "turn_id": turn, "stdout": "",
            "stderr": "", "success": false, "changes": {}, "status": status,
        });
    }
    json!({
        "type": "exec_command_end", "call_id": result.call_id, "turn_id": turn,
        "exit_code": result.exit_code, "status": status,
    })
}

/// Adds up what responses cost.
#[derive(Default)]
pub(super) struct Meter {
    /// Input, cached, written to the cache, output, reasoning.
    total: [u64; 5],
    /// What was written last of how long the session is.
    told: Told,
    /// Bytes that the model is sent, as they are written.
    pub(super) bytes: u64,
}

/// What the file says of how long the session is.
#[derive(Clone, Copy, Default)]
enum Told {
    #[default]
    Nothing,
    /// So many tokens, by the count of a response.
    Count(u64),
    /// An estimate, when so many bytes were sent.
    Estimate(u64),
}

impl Meter {
    /// Returns the count of one response; nothing where there is nothing to count.
    pub(super) fn count(&mut self, usage: &Usage<'_>) -> Option<TokenCount> {
        let of = [
            usage.input_tokens,
            usage.cached_tokens,
            usage.cache_write_tokens,
            usage.output_tokens,
            usage.reasoning_tokens,
        ];
        let used = of.map(Option::unwrap_or_default);
        if used[0] + used[3] == 0 || usage.cumulative {
            return None;
        }
        for (total, used) in self.total.iter_mut().zip(used) {
            *total = total.saturating_add(used);
        }
        let sum = used[0].saturating_add(used[3]);
        self.told = Told::Count(sum);
        Some(self.event(Tokens::of(used, of[2].is_some(), sum)))
    }

    /// Returns the count that follows a compaction: without it the client would take the session
    /// for as long as it was before.
    pub(super) fn compacted(&mut self, after: Option<u64>) -> Option<TokenCount> {
        let estimate = after.unwrap_or(self.bytes / TOKEN_BYTES);
        if matches!(self.told, Told::Nothing) {
            return None;
        }
        self.told = Told::Estimate(self.bytes);
        Some(self.event(Tokens::of([0; 5], false, estimate)))
    }

    /// Returns an estimate for the end of a session that is long, or told to be, where nothing says
    /// how long it is now: the client goes by the last count when it compacts. Another harness's
    /// counts hold what is not carried.
    pub(super) fn end(&self, same: bool) -> Option<TokenCount> {
        let estimate = self.bytes / TOKEN_BYTES;
        let (is_told, known) = match self.told {
            Told::Nothing => (false, 0),
            Told::Count(tokens) => (same, tokens),
            Told::Estimate(bytes) => (bytes == self.bytes, 0),
        };
        let is_wanted = !is_told && estimate.max(known) > LONG_TOKENS;
        is_wanted.then(|| self.event(Tokens::of([0; 5], false, estimate)))
    }

    fn event(&self, last: Tokens) -> TokenCount {
        let sum = self.total[0].saturating_add(self.total[3]);
        let total = Tokens::of(self.total, self.total[2] > 0, sum);
        let info =
            Info { total_token_usage: total, last_token_usage: last, model_context_window: () };
        TokenCount { r#type: "token_count", info, rate_limits: () }
    }
}

/// What all responses so far and the last one cost: there is one for each response.
#[derive(Serialize)]
pub(super) struct TokenCount {
    r#type: &'static str,
    info: Info,
    rate_limits: (),
}

#[derive(Serialize)]
struct Info {
    total_token_usage: Tokens,
    last_token_usage: Tokens,
    model_context_window: (),
}

#[derive(Serialize)]
struct Tokens {
    input_tokens: u64,
    cached_input_tokens: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_write_input_tokens: Option<u64>,
    output_tokens: u64,
    reasoning_output_tokens: u64,
    total_tokens: u64,
}

impl Tokens {
    fn of(used: [u64; 5], writes_cache: bool, total_tokens: u64) -> Self {
        let [input, cached, written, output, reasoning] = used;
        Self {
            input_tokens: input,
            cached_input_tokens: cached,
            cache_write_input_tokens: writes_cache.then_some(written),
            output_tokens: output,
            reasoning_output_tokens: reasoning,
            total_tokens,
        }
    }
}
