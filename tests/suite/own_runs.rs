//! What the user ran behind the last words of the agent's turn is no request that waits for an answer.

use serde_json::{Value, json};

use crate::program::Call;

/// Returns what `segue status` says of a session of Codex CLI, whether it says `text` of the pack.
fn told(items: &[Value]) -> (String, String) {
    let head = json!({"timestamp": "2026-08-01T10:00:00.000Z", "type": "session_meta", "payload": {
        "id": "01990000-0000-7000-8000-0000000000c0", "timestamp": "2026-08-01T10:00:00.000Z",
        "cwd": "/w", "originator": "codex_cli_rs", "cli_version": "0.145.0", "source": "cli"}});
    let record = |item: &Value| json!({"timestamp": "2026-08-01T10:00:01.000Z", "type": "response_item", "payload": item});
    let lines = std::iter::once(head).chain(items.iter().map(record));
    let session: String = lines.map(|line| format!("{line}\n")).collect();
    let ran = |args: &[&str]| Call::new("nobody", args).stdin(session.as_bytes()).run().stdout;
    (ran(&["status", "-"]), ran(&["pack", "-", "--no-check"]))
}

fn message(role: &str, kind: &str, text: &str, phase: &str) -> Value {
    json!({"type": "message", "role": role, "phase": phase,
        "content": [{"type": kind, "text": text}]})
}

fn asked() -> Value {
    message("user", "input_text", "Mend the type error in a.ts.", "")
}

fn said(text: &str, phase: &str) -> Value {
    message("assistant", "output_text", text, phase)
}

fn ran(command: &str, code: i32) -> Value {
    let text = format!(
        "<user_shell_command>\n<command>\n{command}\n</command>\n<result>\nExit code: {code}\nDuration: 1.2 seconds\nOutput:\n\n</result>\n</user_shell_command>"
    );
    message("user", "input_text", &text, "")
}

const WAITS: [&str; 2] = ["finish the request", "has no answer yet"];

#[test]
fn a_command_behind_the_last_words_of_a_turn_asks_for_no_answer() {
    for runs in [vec![ran("ls", 0)], vec![ran("ls", 0), ran("pnpm tsc", 0)]] {
        let items = [vec![asked(), said("The type error is mended.", "final_answer")], runs];
        let (status, pack) = told(&items.concat());
        for waits in WAITS {
            assert!(!status.contains(waits) && !pack.contains(waits), "{status}{pack}");
        }
        assert!(pack.contains("the user ran `"), "{pack}");
    }
}

#[test]
fn what_the_agent_was_in_the_middle_of_waits_as_before() {
    let interim = [asked(), said("I look at it.", "commentary"), ran("ls", 0)];
    let call = json!({"type": "function_call", "name": "exec_command", "call_id": "k1",
        "arguments": "{\"cmd\": \"cat a.ts\"}"});
    let came = json!({"type": "function_call_output", "call_id": "k1", "output": "a"});
    let worked = [asked(), said("I look.", "commentary"), call, came, ran("ls", 0)];
    let unsaid = [asked(), ran("ls", 0)];
    let more = [asked(), said("Mended.", "final_answer"), asked(), ran("ls", 0)];
    for items in [&interim[..], &worked, &unsaid, &more] {
        let (status, pack) = told(items);
        assert!(WAITS.iter().any(|waits| pack.contains(waits)), "{status}{pack}");
    }
    // One that failed is told as what failed.
    let (_, pack) = told(&[asked(), said("Mended.", "final_answer"), ran("pnpm tsc", 2)]);
    assert!(!pack.contains("Nothing known is left"), "{pack}");
}
