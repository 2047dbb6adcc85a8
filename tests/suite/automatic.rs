//! Sessions that a program ran, and which session is taken beside them.

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use serde_json::{Value, json};

use crate::program::{Call, Said};

/// A home with a project in it, made for one test.
struct Home(Utf8PathBuf);

impl Home {
    fn new(name: &str) -> Self {
        let folder = Utf8Path::new(env!("CARGO_TARGET_TMPDIR")).join("automatic").join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("tool/.git")).unwrap();
        Self(folder)
    }

    fn write(&self, path: &str, lines: &[Value]) {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        fs::write(path, text).unwrap();
    }

    /// Writes a session of the first harness, begun through `entrypoint`, of `day`, which is its number too.
    fn claude(&self, day: u32, entrypoint: &str, asked: &[&str], edits: bool) {
        let id = format!("{day:08}-0000-4000-8000-000000000000");
        let mut lines: Vec<Value> = Vec::new();
        let mut line = |role: &str, content: Value| {
            let count = lines.len();
            let uuid = format!("{day:08}-0000-4000-8000-0000000001{count:02}");
            let parent = lines.last().map(|line| line["uuid"].clone());
            lines.push(json!({"parentUuid": parent, "isSidechain": false, "userType": "external",
                "entrypoint": entrypoint, "cwd": self.0.join("tool"), "sessionId": id, "version": "2.1.220",
                "type": role, "message": {"role": role, "content": content, "id": format!("m{count}")},
                "uuid": uuid, "timestamp": format!("2026-01-{day:02}T10:00:{count:02}.000Z")}));
        };
        for asked in asked {
            line("user", json!(asked));
            line("assistant", json!([{"type": "text", "text": "Seen."}]));
        }
        if edits {
            let input = json!({"file_path": self.0.join("tool/a.rs"), "old_string": "a", "new_string": "b"});
            line(
                "assistant",
                json!([{"type": "tool_use", "id": "t1", "name": "Edit", "input": input}]),
            );
            line("user", json!([{"type": "tool_result", "tool_use_id": "t1", "content": "ok"}]));
        }
        self.write(&format!(".claude/projects/p/{id}.jsonl"), &lines);
    }

    /// Writes a session of another harness, begun by `source`.
    fn codex(&self, day: u32, source: &str) {
        self.codex_that_ran(day, source, None);
    }

    fn codex_that_ran(&self, day: u32, source: &str, command: Option<&str>) {
        let id = format!("{day:08}-a0c1-7000-8000-000000000000");
        let at = format!("2026-01-{day:02}T11:00:00.000Z");
        let row =
            |kind: &str, payload: Value| json!({"timestamp": at, "type": kind, "payload": payload});
        let said = |role: &str, kind: &str| json!({"type": "message", "role": role, "content": [{"type": kind, "text": "Sum up the day"}]});
        let mut lines = vec![
            row(
                "session_meta",
                json!({"id": id, "timestamp": at, "cwd": self.0.join("tool"), "cli_version": "0.142.0", "source": source}),
            ),
            row("response_item", said("user", "input_text")),
            row("event_msg", json!({"type": "user_message", "message": "Sum up the day"})),
            row("response_item", said("assistant", "output_text")),
        ];
        if let Some(command) = command {
            let arguments = json!({"command": ["bash", "-lc", command]}).to_string();
            let call = json!({"type": "function_call", "name": "shell", "arguments": arguments, "call_id": "c"});
            let result = json!({"type": "function_call_output", "call_id": "c", "output": "ok"});
            lines.extend([row("response_item", call), row("response_item", result)]);
        }
        let name = format!("rollout-2026-01-{day:02}T11-00-00-{id}.jsonl");
        self.write(&format!(".codex/sessions/2026/01/{day:02}/{name}"), &lines);
    }

    fn run(&self, arguments: &[&str]) -> Said {
        let world = json!({"session_id": "none", "cwd": self.0.join("tool")});
        let call = Call::new("nobody", arguments).env("HOME", self.0.as_str());
        let said = call.stdin(world.to_string().as_bytes()).run();
        assert!(said.code < 2, "{}", said.stderr);
        said
    }

    /// Returns the days of the sessions that a pack is made of.
    fn packed(&self, more: &[&str]) -> Vec<u32> {
        let said = self.run(&[&["pack", "--json", "--no-check"], more].concat());
        let pack: Value = serde_json::from_str(&said.stdout).unwrap();
        let several = pack["sessions"].as_array().unwrap().iter().map(|one| &one["id"]);
        let ids: Vec<&Value> =
            if more.is_empty() { vec![&pack["session"]["id"]] } else { several.collect() };
        ids.iter().map(|id| id.as_str().unwrap()[..8].parse().unwrap()).collect()
    }
}

const ASKED: &[&str] = &["Mend the parser of amounts"];

#[test]
fn what_a_program_asked_once_is_passed_over_and_that_is_said() {
    let home = Home::new("passed");
    home.claude(1, "cli", ASKED, false);
    home.claude(2, "sdk-cli", &["Say in one line what was done"], false);
    home.codex(3, "exec");
    home.codex(4, "mcp");
    assert_eq!(home.packed(&[]), [1]);
    let said = home.run(&["pack", "--no-check"]).stderr;
    assert!(said.contains("passed over 3 sessions that a program ran"), "{said}");
    // Every command that takes the newest takes the same.
    let said = home.run(&["status"]).stderr;
    assert!(said.contains("claude session 00000001"), "{said}");
    assert!(said.contains("passed over 3 sessions that a program ran"), "{said}");
    // It is there for who names it, and a narrower choice may leave nothing else.
    assert!(home.run(&["pack", "00000004"]).stderr.contains("codex session 00000004"));
    let said = home.run(&["pack", "--harness", "codex"]).stderr;
    assert!(said.contains("codex session 00000004") && !said.contains("passed over"), "{said}");
    let list = home.run(&["list", "--json", "--all"]).stdout;
    let rows: Vec<Value> = list.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
    let automatic: Vec<_> = rows.iter().map(|row| row["automatic"] == json!(true)).collect();
    assert_eq!(automatic, [true, true, true, false]);
}

#[test]
fn what_a_program_ran_counts_where_it_left_something() {
    let home = Home::new("left");
    home.claude(1, "cli", ASKED, false);
    home.claude(2, "sdk-py", ASKED, true);
    assert_eq!(home.packed(&[]), [2]);
    home.claude(3, "sdk-ts", &["What is missing?", "And why?"], false);
    assert_eq!(home.packed(&[]), [3]);
    home.codex(4, "vscode");
    home.claude(5, "sdk-cli", ASKED, false);
    assert_eq!(home.packed(&[]), [4]);
    assert_eq!(home.packed(&["--sessions", "3"]), [4, 3, 2]);
    let said = home.run(&["pack", "--no-check", "--sessions", "3"]).stderr;
    assert!(said.contains("passed over a session that a program ran"), "{said}");
    assert!(!home.run(&["pack", "--no-check", "--since", "2026-01-05"]).stderr.contains("passed"));
    // Of several that are asked for none is left out silently, older ones neither.
    home.claude(6, "cli", ASKED, false);
    let said = home.run(&["pack", "--no-check", "--since", "2026-01-05"]).stderr;
    assert!(said.contains("session 00000006") && said.contains("passed over a session"), "{said}");
}

#[test]
fn what_a_program_changed_by_the_shell_alone_counts_too() {
    let home = Home::new("shell");
    home.claude(1, "cli", ASKED, false);
    home.codex_that_ran(2, "exec", Some("cat src/a.rs 2>/dev/null | head"));
    assert_eq!(home.packed(&[]), [1]);
    home.codex_that_ran(3, "exec", Some("cat > src/a.rs <<'EOF'\nfn a() {}\nEOF"));
    assert_eq!(home.packed(&[]), [3]);
}

#[test]
fn what_a_hook_asks_again_and_again_takes_one_row_of_the_table() {
    let home = Home::new("again");
    home.claude(1, "cli", ASKED, false);
    home.claude(2, "cli", ASKED, false);
    for day in [3, 4, 6] {
        home.claude(day, "sdk-cli", &["Say in one line what was done"], false);
    }
    home.claude(5, "sdk-cli", &["What is missing?"], false);
    let ids = |said: &Said| -> Vec<u32> {
        said.stdout.lines().skip(1).map(|row| row[9..17].trim().parse().unwrap()).collect()
    };
    let said = home.run(&["list", "--all"]);
    assert_eq!(ids(&said), [6, 5, 2, 1]);
    let titles: Vec<_> =
        said.stdout.lines().skip(1).map(|row| row.contains("(3×) Say in")).collect();
    assert_eq!(titles, [true, false, false, false], "{}", said.stdout);
    let told = "2 more that a program ran, of the same title as a newer one, counted in its row";
    assert!(said.stderr.contains(told), "{}", said.stderr);
    let said = home.run(&["list", "--all", "--limit", "2"]);
    assert_eq!(ids(&said), [6, 5]);
    assert!(said.stderr.contains("2 more, and 2 that a program ran"), "{}", said.stderr);
    let said = home.run(&["list", "--all", "--limit", "0"]);
    assert_eq!(ids(&said), [6, 5, 4, 3, 2, 1]);
    assert_eq!(said.stderr, "");
    assert_eq!(home.run(&["list", "--all", "--json"]).stdout.lines().count(), 6);
}

#[test]
fn a_hint_means_no_session_by_the_way_where_the_user_has_one() {
    let home = Home::new("hinted");
    home.claude(1, "cli", &["Mend the parser", "and its tests"], true);
    home.claude(2, "sdk-py", &["Judge this change of the parser"], false);
    home.claude(3, "sdk-py", &["Judge that change of the parser"], false);
    let said = home.run(&["pack", "--hint", "parser", "--json", "--no-check"]);
    let pack: Value = serde_json::from_str(&said.stdout).expect(&said.stderr);
    assert_eq!(pack["session"]["id"], "00000001-0000-4000-8000-000000000000");
    assert!(said.stderr.contains("session 00000001-"), "{}", said.stderr);
}

#[test]
fn the_session_whose_shell_runs_this_is_passed_over_where_it_is_not_named() {
    let home = Home::new("asking");
    home.claude(1, "cli", ASKED, true);
    let row = |count: u32, role: &str, content: Value| {
        json!({"parentUuid": (count > 0).then(|| format!("u{}", count - 1)), "isSidechain": false,
            "cwd": home.0.join("tool"), "sessionId": "00000002-0000-4000-8000-000000000000",
            "type": role, "message": {"role": role, "content": content}, "uuid": format!("u{count}"),
            "version": "1.0.60", "timestamp": format!("2026-01-02T10:00:{count:02}.000Z")})
    };
    let call = |command: &str| {
        let input = json!({"command": command});
        json!([{"type": "tool_use", "id": "t1", "name": "Bash", "input": input}])
    };
    let result = json!([{"type": "tool_result", "tool_use_id": "t1", "content": "nothing"}]);
    let taken = |lines: &[Value], variables: &[(&str, &str)]| {
        home.write(".claude/projects/p/00000002-0000-4000-8000-000000000000.jsonl", lines);
        let asked = Call::new("nobody", &["pack", "--json", "--no-check"]);
        let asked = asked.at(home.0.join("tool").as_std_path(), home.0.as_str());
        let said =
            variables.iter().fold(asked, |asked, (name, value)| asked.env(name, value)).run();
        let pack: Value = serde_json::from_str(&said.stdout).unwrap();
        pack["session"]["id"].as_str().unwrap()[..8].parse::<u32>().unwrap()
    };
    let asking = [row(0, "user", json!("What was done?")), row(1, "assistant", call("segue pack"))];
    let inside = [("CLAUDECODE", "1")];
    assert_eq!(taken(&asking, &[]), 2, "a run from elsewhere");
    assert_eq!(taken(&asking, &inside), 1);
    let named = ("CLAUDE_CODE_SESSION_ID", "00000009-0000-4000-8000-000000000000");
    assert_eq!(taken(&asking, &[inside[0], named]), 2, "another one is named");
    // What came back does not run any more, and neither does what was given up before.
    let ended = [&asking[..], &[row(2, "user", result)]].concat();
    assert_eq!(taken(&ended, &inside), 2);
    let said = [&asking[..], &[row(2, "user", json!("Go on"))]].concat();
    assert_eq!(taken(&said, &inside), 2);
    let other = [asking[0].clone(), row(1, "assistant", call("cat segue.md"))];
    assert_eq!(taken(&other, &inside), 2);
}
