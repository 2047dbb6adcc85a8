//! Which words in a session of Claude Code are the human's.

use segue::model::Origin;
use serde_json::json;

use super::{memory, messages};

/// Returns whose words two lines are, the second of which says that it was typed.
fn whose(text: &str) -> Vec<(Origin, u32)> {
    let line = |n: u32, text: &str| {
        let uuid = format!("u{n}");
        json!({"type": "user", "uuid": uuid, "parentUuid": (n > 1).then_some("u1"),
            "sessionId": "s", "cwd": "/w", "timestamp": format!("2026-08-01T10:00:0{n}.000Z"),
            "promptSource": if n > 1 { "typed" } else { "sdk" }, "origin": {"kind": "human"},
            "message": {"role": "user", "content": text}})
    };
    let lines = [line(1, text), line(2, text)].map(|line| format!("{line}\n"));
    let session = memory(lines.concat().as_bytes());
    messages(&session).map(|(item, message)| (message.origin, item.turn)).collect()
}

#[test]
fn what_was_typed_is_a_request_whatever_it_begins_with() {
    let (human, harness) = (Origin::Human, Origin::Harness);
    for text in [
        "<tick>4</tick> is what I see in the log",
        "<ci-monitor-event>red</ci-monitor-event> comes twice",
    ] {
        assert_eq!(whose(text), [(harness, 0), (human, 1)], "{text}");
    }
    // What is one tag from its beginning to its end nobody types.
    assert_eq!(whose("<tick>4</tick>"), [(harness, 0), (harness, 0)]);
    // The program always closes its tags.
    assert_eq!(whose("<goal> element is rendered wrong"), [(human, 1), (human, 2)]);
}

#[test]
fn what_another_agent_wrote_is_its_own_though_no_screen_shows_it() {
    let whose = |origin: &str| {
        let line = |n: u32, is_meta: bool, origin: &str, text: &str| {
            json!({"type": "user", "uuid": format!("u{n}"), "parentUuid": (n > 1).then_some("u1"),
                "sessionId": "s", "cwd": "/w", "timestamp": format!("2026-08-01T10:00:0{n}.000Z"),
                "isMeta": is_meta, "origin": {"kind": origin},
                "message": {"role": "user", "content": text}})
        };
        let lines = [line(1, false, "human", "go"), line(2, true, origin, "The parser races.")];
        let session = memory(lines.map(|line| format!("{line}\n")).concat().as_bytes());
        messages(&session).map(|(item, message)| (message.origin, item.turn)).nth(1)
    };
    assert_eq!(whose("peer"), Some((Origin::Agent, 1)));
    assert_eq!(whose("human"), Some((Origin::Harness, 1)));
}
