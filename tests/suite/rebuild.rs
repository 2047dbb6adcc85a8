//! `--raw` holds enough to rebuild the source byte for byte.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::program::Call;

/// One small session of each harness.
const SESSIONS: [&str; 3] = [
    ".claude/projects/-home-ada-tool/3f2c8a10-1111-4aaa-8aaa-000000000001.jsonl",
    ".codex/sessions/2026/01/05/\
     rollout-2026-01-05T11-00-00-01990000-a0c1-7000-8000-0000000000c1.jsonl",
    ".gemini/tmp/tool/chats/session-2026-01-04T12-00-9d5d0b74.jsonl",
];

#[test]
fn whatever_the_line_ends_and_the_encoding() {
    for session in SESSIONS {
        let bytes = std::fs::read(format!("fixtures/homes/three/{session}")).unwrap();
        let text = String::from_utf8(bytes.clone()).unwrap();
        let variants = [
            bytes.clone(),
            [b"\xEF\xBB\xBF", bytes.as_slice()].concat(),
            text.replace('\n', "\r\n").into_bytes(),
            text.replace('\n', "\n\n").into_bytes(),
            text.trim_end().as_bytes().to_vec(),
            [bytes.as_slice(), b"{\"type\":\"\xFF\"}\n{\"cut"].concat(),
        ];
        for (number, variant) in variants.iter().enumerate() {
            let said = Call::new("nobody", &["export", "-q", "--raw", "-"]).stdin(variant).run();
            assert_eq!(said.code, 0, "{session} {number}: {}", said.stderr);
            assert!(rebuilt(&said.stdout) == *variant, "{session} {number}: {}", said.stdout);
        }
    }
}

fn rebuilt(ndjson: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for record in
        ndjson.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
    {
        if record["type"] != "line" {
            continue;
        }
        match record["text"].as_str() {
            Some(text) => bytes.extend_from_slice(text.as_bytes()),
            None => bytes.extend(STANDARD.decode(record["base64"].as_str().unwrap()).unwrap()),
        }
        bytes.extend_from_slice(if record["ended"] == true { b"\n" } else { b"" });
    }
    bytes
}
