//! No piece of a secret stands in a pack, wherever a session has it.

use serde_json::{Value, json};

use crate::guard::{ALNUM, BASE64, URL, made, run};
use crate::program::Call;

/// Secrets of several kinds, each with the file that it is the text of.
fn files() -> Vec<(&'static str, Vec<String>, String)> {
    let password = ["Tr0ub", &made(ALNUM, 24, 1)].concat();
    let (id, key) =
        (["AK", "IA", &made("ABCDEFGHIJKLMNOP234567", 16, 2)].concat(), made(BASE64, 40, 3));
    let jwt =
        ["eyJ", &made(URL, 40, 4), ".eyJ", &made(URL, 90, 5), ".", &made(URL, 43, 6)].concat();
    let (rows, pem) = pem(7);
    vec![
        (".env", vec![password.clone()], format!("DB_HOST=db1\nDB_PASSWORD={password}\nPORT=1\n")),
        (
            "conf/credentials",
            vec![id.clone(), key.clone()],
            format!("[default]\naws_access_key_id = {id}\naws_secret_access_key = {key}\n"),
        ),
        (
            "src/call.sh",
            vec![jwt.clone()],
            format!("curl -H \"Authorization: Bearer {jwt}\" a.example\n"),
        ),
        ("conf/key.pem", rows, pem),
    ]
}

/// Returns a session in which the agent makes one call, and the answer to it.
fn session(name: &str, input: &Value, output: &str) -> Vec<u8> {
    let line = |at: u32, kind: &str, content: Value| {
        let parent = (at > 1).then(|| format!("u{}", at - 1));
        let record = json!({
            "type": kind, "uuid": format!("u{at}"), "parentUuid": parent, "sessionId": "leaks",
            "cwd": "/p", "version": "2.1.0", "timestamp": format!("2026-11-01T10:00:0{at}.000Z"),
            "message": {"role": kind, "id": format!("m{at}"), "content": content},
        });
        format!("{record}\n")
    };
    let call = json!([{"type": "tool_use", "id": "t", "name": name, "input": input}]);
    let result = json!([{"type": "tool_result", "tool_use_id": "t", "content": output}]);
    let lines = [
        line(1, "user", json!("set the service up")),
        line(2, "assistant", call),
        line(3, "user", result),
        line(4, "assistant", json!([{"type": "text", "text": "Done."}])),
    ];
    lines.concat().into_bytes()
}

/// Returns a session of another harness in which the agent applies a patch.
fn patched(patch: &str) -> Vec<u8> {
    let line = |kind: &str, payload: Value| {
        let time = "2026-11-01T10:00:00.000Z";
        format!("{}\n", json!({"timestamp": time, "type": kind, "payload": payload}))
    };
    let said = |role: &str, kind: &str, text: &str| json!({"type": "message", "role": role, "content": [{"type": kind, "text": text}]});
    let call =
        json!({"type": "custom_tool_call", "call_id": "c", "name": "apply_patch", "input": patch});
    let done = json!({"type": "custom_tool_call_output", "call_id": "c", "output": "Success."});
    let id = "019b7c5a-0000-7000-8000-000000000000";
    let lines = [
        line("session_meta", json!({"id": id, "cwd": "/p", "cli_version": "0.116.0"})),
        line("response_item", said("user", "input_text", "change the key")),
        line("response_item", call),
        line("response_item", done),
        line("response_item", said("assistant", "output_text", "Done.")),
    ];
    lines.concat().into_bytes()
}

/// The sessions in which a file is written, changed, read and printed.
fn sessions(path: &str, text: &str) -> Vec<Vec<u8>> {
    let numbered = || text.lines().enumerate().map(|(at, row)| format!("{:6}→{row}\n", at + 1));
    let file = format!("/p/{path}");
    vec![
        session("Write", &json!({"file_path": file, "content": text}), "ok"),
        session(
            "Edit",
            &json!({"file_path": file, "old_string": "TODO = \"set it\"\n", "new_string": text}),
            "ok",
        ),
        session("Read", &json!({"file_path": file}), &numbered().collect::<String>()),
        session("Bash", &json!({"command": format!("cat {path}")}), text),
        session("Bash", &json!({"command": format!("cat > {path} <<'EOF'\n{text}EOF")}), ""),
    ]
}

/// Returns the pieces of 12 letters of `secrets` that stand in a pack of `bytes`.
fn left(bytes: &[u8], secrets: &[String]) -> Vec<String> {
    let mut left = Vec::new();
    for budget in ["1000", "2000", "8000"] {
        let pack = run(&["pack", "-", "--budget", budget], bytes).stdout;
        let pieces = secrets.iter().flat_map(|secret| secret.as_bytes().windows(12));
        let pieces = pieces.map(|piece| std::str::from_utf8(piece).unwrap());
        left.extend(pieces.filter(|piece| pack.contains(piece)).map(str::to_owned));
    }
    left
}

#[test]
fn no_piece_of_a_secret_stands_in_a_pack() {
    for (path, secrets, text) in files() {
        for (at, bytes) in sessions(path, &text).iter().enumerate() {
            assert_eq!(left(bytes, &secrets), [""; 0], "{path} in session {at}");
        }
    }
}

/// Returns the text of a private key, with its rows.
fn pem(seed: usize) -> (Vec<String>, String) {
    let rows: Vec<_> = (0..14).map(|row| made(BASE64, 64, seed + row)).collect();
    let edge = |word: &str| format!("-----{word} PRIVATE {}-----", "KEY");
    let text = format!("{}\n{}\n{}\n", edge("BEGIN"), rows.join("\n"), edge("END"));
    (rows, text)
}

#[test]
fn no_row_of_a_key_that_was_changed_stands_in_a_pack() {
    let ((old_rows, old), (new_rows, new)) = (pem(100), pem(200));
    // One row only, and the same in a file of other words.
    let one = old.replace(&old_rows[0], &new_rows[0]);
    let yaml = |key: &str| format!("mode: 1\nkey: |\n  {}\n", key.trim_end().replace('\n', "\n  "));
    let (gone, come) = (old_rows.join("\n-"), new_rows.join("\n+"));
    let (begin, end) = (old.lines().next().unwrap(), old.lines().last().unwrap());
    let rows = [old_rows, new_rows].concat();
    let patch = format!(
        "*** Begin Patch\n*** Update File: key.pem\n@@\n {begin}\n-{gone}\n+{come}\n {end}\n*** End Patch"
    );
    assert_eq!(left(&patched(&patch), &rows), [""; 0]);
    for (from, to) in [(&old, &new), (&old, &one), (&yaml(&old), &yaml(&new))] {
        let input = json!({"file_path": "/p/key.pem", "old_string": from, "new_string": to});
        let bytes = session("Edit", &input, "ok");
        assert_eq!(left(&bytes, &rows), [""; 0], "{to}");
        let pack = run(&["pack", "-", "--budget", "8000"], &bytes).stdout;
        assert_eq!(pack.matches("[REDACTED:private-key:").count(), 2, "{pack}");
    }
    // What stays as it was is not told.
    let (from, to) = (format!("mode = 1\n{old}"), format!("mode = 2\n{old}"));
    let input = json!({"file_path": "/p/key.pem", "old_string": from, "new_string": to});
    let pack = run(&["pack", "-", "--budget", "8000"], &session("Edit", &input, "ok")).stdout;
    assert!(pack.contains("+mode = 2") && !pack.contains("private-key"), "{pack}");
}

/// A home with one session of Claude Code whose request and answer are these.
fn home(request: &str, answer: &str) -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join(".claude/projects/-p");
    std::fs::create_dir_all(&folder).unwrap();
    let text = String::from_utf8(session("Bash", &json!({"command": "true"}), "ok")).unwrap();
    let text = text.replace("\"set the service up\"", &json!(request).to_string());
    let text = text.replace("\"Done.\"", &json!(answer).to_string());
    std::fs::write(folder.join("leaks.jsonl"), text).unwrap();
    home
}

#[test]
fn no_title_and_no_difference_shows_a_secret() {
    let key = ["gh", "p_", &made(ALNUM, 36, 8)].concat();
    let home = home(&format!("deploy with {key}"), &format!("{key} was refused"));
    let said = |args: &[&str]| {
        let said = Call::new("", args).at(home.path(), home.path().to_str().unwrap()).run();
        assert_eq!(said.code, 0, "{}", said.stderr);
        format!("{}{}", said.stdout, said.stderr)
    };
    for args in [
        &["list", "--all"][..],
        &["list", "--all", "--json"],
        &["pack", "leaks"],
        &["frame", "leaks"],
        &["diff", "leaks", "--from", "2026-10-01"],
        &["diff", "leaks", "--from", "2026-10-01", "--json"],
    ] {
        let told = said(args);
        assert!(!told.contains(&key) && told.contains("[REDACTED:github-token:1]"), "{told}");
    }
    assert!(said(&["diff", "leaks", "--from", "2026-10-01", "--no-redact"]).contains(&key));
    // Nor do those of the sessions of which one may be meant.
    let folder = home.path().join(".claude/projects/-p");
    let text = std::fs::read_to_string(folder.join("leaks.jsonl")).unwrap();
    std::fs::write(
        folder.join("leakz.jsonl"),
        text.replace("leaks", "leakz").replace("was refused", "is refused"),
    )
    .unwrap();
    for args in [&["pack", "leak"][..], &["pack", "--project", "/p", "--hint", "deploy"]] {
        let said = Call::new("", args).at(home.path(), home.path().to_str().unwrap()).run();
        let told = said.stderr;
        assert!(told.contains("  claude:leakz  2026-11-01 10:0"), "{told}");
        assert!(!told.contains(&key) && told.contains("[REDACTED:github-token:1]"), "{told}");
    }
}

#[test]
fn what_cannot_be_seen_is_escaped_in_json() {
    let request = "deploy\u{202e} it\u{200b} now\u{9b}31m, ok ☀\u{fe0f}";
    let home = home(request, "Done.");
    for args in
        [&["list", "--all", "--json"][..], &["pack", "leaks", "--json"], &["frame", "leaks"]]
    {
        let said = Call::new("", args).at(home.path(), home.path().to_str().unwrap()).run();
        let hidden = ['\u{202e}', '\u{200b}', '\u{9b}', '\u{fe0f}'];
        assert!(!said.stdout.contains(hidden), "{}", said.stdout);
        let value: Value = serde_json::from_str(&said.stdout).unwrap();
        assert!(value.to_string().contains("\u{200b}"), "it says the same: {value}");
    }
}
