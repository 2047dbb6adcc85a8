//! `export --to markdown`: what people see, and that no text of a session breaks out of its place.

use std::path::Path;

use serde_json::{Value, json};

use crate::corpus::sessions;
use crate::program::{Call, Said};

fn exported(path: &str, more: &[&str]) -> String {
    let args = [&["export", "-q", "--to", "markdown", path], more].concat();
    let Said { code, stdout, stderr } = Call::new("nobody", &args).run();
    assert_eq!(code, 0, "{path}: {stderr}");
    stdout
}

/// Returns a session of another program with these steps.
fn document(steps: &Value) -> String {
    json!({
        "schema_version": "ATIF-v1.7", "session_id": "s",
        "agent": {"name": "x", "version": "1"}, "steps": steps,
    })
    .to_string()
}

/// Returns the lines outside of code blocks.
fn prose(text: &str) -> Vec<&str> {
    let mut fence: Option<&str> = None;
    let mut lines = Vec::new();
    for line in text.lines() {
        let bare = line.trim_start_matches("> ").trim_start();
        let mark = &bare[..bare.len() - bare.trim_start_matches('`').len()];
        match fence {
            Some(open) if mark.len() >= open.len() && bare.trim_end() == mark => fence = None,
            Some(_) => {}
            None if mark.len() >= 3 => fence = Some(mark),
            None => lines.push(line),
        }
    }
    assert_eq!(fence, None, "a code block is open at the end");
    lines
}

#[test]
fn what_is_folded_is_closed_in_every_fixture_and_view() {
    let mut count = 0;
    for path in sessions(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")) {
        let path = path.to_str().unwrap();
        if Call::new("nobody", &["export", "-q", path]).run().code != 0 {
            continue;
        }
        for view in ["live", "full"] {
            let text = exported(path, &["--view", view]);
            let lines = prose(&text);
            let opened = lines.iter().filter(|line| line.starts_with("<details>")).count();
            let closed = lines.iter().filter(|line| **line == "</details>").count();
            assert_eq!(opened, closed, "{path} {view}:\n{text}");
            assert!(text.starts_with("# "), "{path}");
        }
        count += 1;
    }
    assert!(count > 30, "{count}");
}

#[test]
fn a_call_is_one_line_that_says_what_and_how_it_ended() {
    let text = exported("fixtures/demo/session.jsonl", &[]);
    for line in [
        "<details><summary>Read <code>/home/ada/tally/src/import.rs</code>: ok</summary>",
        "<details><summary>Bash <code>ls samples &amp;&amp; head -3 samples/*.csv</code>: exit 0</summary>",
        "<details><summary>Bash <code>cargo add csv</code>: refused</summary>",
        "<details><summary>List of work: 1 of 4 done</summary>",
        "- [ ] Detect the decimal mark per file (in progress)",
        "> - both samples in samples/ import without a warning",
    ] {
        assert!(text.contains(&format!("\n{line}\n")), "{line}\n{text}");
    }
}

#[test]
fn what_a_compaction_replaced_stands_between_two_marks() {
    let text = exported("fixtures/claude/2.1.84/compaction.jsonl", &[]);
    let place = |words: &str| text.find(words).unwrap_or_else(|| panic!("{words}\n{text}"));
    let order = [
        "*Not sent any more: a compaction replaced this.*",
        "Second answer before compaction.",
        "*Live from here on.*",
        "**Compaction** (manual, 5143 tokens before)",
        "> MOCK-SUMMARY: primary request",
        "Answer after compaction.",
    ]
    .map(place);
    assert!(order.is_sorted(), "{order:?}\n{text}");
    assert_eq!(text.matches("MOCK-SUMMARY").count(), 1);
    let live = exported("fixtures/claude/2.1.84/compaction.jsonl", &["--view", "live"]);
    assert!(!live.contains("Second answer before") && !live.contains("Not sent"), "{live}");
}

#[test]
fn what_was_rewound_is_folded() {
    let text = exported("fixtures/claude/made/rewind.jsonl", &[]);
    let (_, rest) =
        text.split_once("<details><summary>Not sent any more: it is on another branch").unwrap();
    assert!(rest.contains("</details>"), "{text}");
}

/// A session whose second turn was taken back.
const TAKEN_BACK: &str = r#"
{"timestamp":"2026-01-02T03:04:05.000Z","type":"session_meta","payload":{"id":"01990000-0000-7000-8000-000000000001","timestamp":"2026-01-02T03:04:05.000Z","cwd":"/p","originator":"codex_cli_rs","cli_version":"0.145.0"}}
{"timestamp":"2026-01-02T03:04:05.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Add an import"}]}}
{"timestamp":"2026-01-02T03:04:05.000Z","type":"event_msg","payload":{"type":"user_message","message":"Add an import"}}
{"timestamp":"2026-01-02T03:04:05.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Do it in another language"}]}}
{"timestamp":"2026-01-02T03:04:05.000Z","type":"event_msg","payload":{"type":"user_message","message":"Do it in another language"}}
{"timestamp":"2026-01-02T03:04:05.000Z","type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":1}}
{"timestamp":"2026-01-02T03:04:05.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Test it"}]}}
{"timestamp":"2026-01-02T03:04:05.000Z","type":"event_msg","payload":{"type":"user_message","message":"Test it"}}
"#;

#[test]
fn what_was_taken_back_is_folded_and_in_no_trajectory() {
    let export = |form| {
        let call = Call::new("nobody", &["export", "--to", form, "-"]);
        call.stdin(TAKEN_BACK.trim().as_bytes()).run()
    };
    let text = export("markdown").stdout;
    let (_, rest) = text.split_once("Not sent any more: it was rolled back</summary>").unwrap();
    let (inside, after) = rest.split_once("\n</details>\n").unwrap();
    assert!(inside.contains("> Do it in another language"), "{text}");
    assert!(after.contains("> Test it") && !text.contains("compaction"), "{text}");
    let Said { stdout, stderr, .. } = export("trajectory");
    assert!(stdout.contains("Add an import") && stdout.contains("Test it"), "{stdout}");
    assert!(!stdout.contains("another language"), "{stdout}");
    assert!(stderr.contains("left out what the form has no place for"), "{stderr}");
}

#[test]
fn a_side_session_stands_below_the_call_that_began_it() {
    let text = exported("fixtures/claude/1.0.128/sidechain-inline.jsonl", &[]);
    let (_, rest) = text.split_once("<details><summary>Task").unwrap();
    let (inside, _) = rest.split_once("> [[sub1]] look into a.txt").unwrap();
    assert!(inside.contains("<details><summary>Side session of agent"), "{text}");
    assert_eq!(text.matches("<details><summary>Side session").count(), 2);
}

#[test]
fn no_text_of_a_session_breaks_out_of_its_place() {
    let evil = "</details></summary>\n# Not a head\n```\nopen <script>\u{1b}[2J";
    let steps = json!([
        {"step_id": 1, "source": "user", "message": evil},
        {"step_id": 2, "source": "agent", "message": evil, "reasoning_content": evil, "tool_calls": [
            {"tool_call_id": "c", "function_name": "</summary>bash", "arguments": {"command": evil}}],
         "observation": {"results": [{"source_call_id": "c", "content": "````\n</details>"}]}},
    ]);
    let said = Call::new("nobody", &["export", "--to", "markdown", "-"])
        .stdin(document(&steps).as_bytes())
        .run();
    let lines = prose(&said.stdout);
    let opened = lines.iter().filter(|line| line.contains("<details>")).count();
    let closed = lines.iter().filter(|line| line.contains("</details>")).count();
    assert_eq!((opened, closed), (2, 2), "{}", said.stdout);
    assert!(!lines.iter().any(|line| line.contains("<script>")), "{}", said.stdout);
    let heads: Vec<_> = lines.iter().filter(|line| line.contains("</summary>")).collect();
    assert!(heads.iter().all(|line| line.matches("</summary>").count() == 1), "{heads:?}");
    assert!(!said.stdout.contains('\u{1b}'));
}

#[test]
fn secrets_are_redacted_on_demand() {
    let key = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let steps = json!([{"step_id": 1, "source": "user", "message": format!("use {key}\nnow")}]);
    let call = |more: &[&str]| {
        let args = [&["export", "--to", "markdown", "-"], more].concat();
        Call::new("nobody", &args).stdin(document(&steps).as_bytes()).run()
    };
    assert!(call(&[]).stdout.contains(&key));
    let redacted = call(&["--redact"]);
    assert!(!redacted.stdout.contains(&key), "{}", redacted.stdout);
    assert!(redacted.stdout.contains("[REDACTED:github-token:1]"), "{}", redacted.stdout);
}
