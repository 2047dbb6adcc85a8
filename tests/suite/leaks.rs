//! No piece of a secret stands in a pack, wherever a session has it.

use serde_json::{Value, json};

use crate::guard::{ALNUM, BASE64, URL, made, run};

/// Secrets of several kinds, each with the file that it is the text of.
fn files() -> Vec<(&'static str, Vec<String>, String)> {
    let password = ["Tr0ub", &made(ALNUM, 24, 1)].concat();
    let (id, key) =
        (["AK", "IA", &made("ABCDEFGHIJKLMNOP234567", 16, 2)].concat(), made(BASE64, 40, 3));
    let jwt =
        ["eyJ", &made(URL, 40, 4), ".eyJ", &made(URL, 90, 5), ".", &made(URL, 43, 6)].concat();
    let rows: Vec<_> = (0..14).map(|row| made(BASE64, 64, 7 + row)).collect();
    let edge = |word: &str| format!("-----{word} PRIVATE {}-----", "KEY");
    let pem = format!("{}\n{}\n{}\n", edge("BEGIN"), rows.join("\n"), edge("END"));
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
