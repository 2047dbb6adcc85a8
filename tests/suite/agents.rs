//! What the agents did that a session sent off: it is told as the session's own work is, and no word of theirs.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::data;
use crate::program::{Call, Said};
use crate::status::{edit, failing, read, session, shell, told};

const FAILED: &str =
    "FAILED tests/test_lamp.py::test_on - assert 1 == 2\n1 failed, 3 passed in 0.10s";
const PASSED: &str = "4 passed in 0.10s";

/// Gives work to an agent; its words and its report come back.
fn task(prompt: &str) -> Value {
    json!({"name": "Task", "output": "All of it works well.",
        "input": {"description": "the lamp page", "prompt": prompt, "subagent_type": "worker"}})
}

fn write(path: &str) -> Value {
    let path =
        if path.starts_with('/') { path.to_owned() } else { format!("/home/ada/tool/{path}") };
    json!({"name": "Write", "input": {"file_path": path, "content": "a = 1\nb = 2\n"},
        "output": format!("File created successfully at: {path}")})
}

/// Returns the lines of an agent that was told `prompt` at a second of the session.
fn agent(second: usize, prompt: &str, steps: &[Value]) -> Vec<String> {
    let lines = session(steps).replace("write the importer and its tests", prompt);
    let own = |(number, line): (usize, &str)| {
        let mut line: Value = serde_json::from_str(line).unwrap();
        let id = |id: &Value| id.as_str().map(|id| format!("{second:02x}a{}", &id[3..]));
        (line["uuid"], line["parentUuid"]) =
            (json!(id(&line["uuid"])), json!(id(&line["parentUuid"])));
        line["isSidechain"] = json!(true);
        line["timestamp"] = json!(format!("2026-01-02T03:04:{second:02}.{:03}Z", number + 1));
        let mine = |line: String, name: &str| {
            line.replace(&format!("\"{name}\":\"c"), &format!("\"{name}\":\"a{second}c"))
        };
        mine(mine(line.to_string(), "id"), "tool_use_id")
    };
    lines.lines().enumerate().map(own).collect()
}

/// Puts the lines of agents into a session, each behind the line of the call that began it.
fn with(steps: &[Value], agents: &[(usize, &str, &[Value])]) -> String {
    let mut lines: Vec<String> = session(steps).lines().map(str::to_owned).collect();
    for (at, prompt, steps) in agents.iter().rev() {
        lines.splice(at..at, agent(*at, prompt, steps));
    }
    lines.join("\n") + "\n"
}

fn run(command: &[&str], session: &str) -> Said {
    Call::new("nobody", command).stdin(session.as_bytes()).run()
}

fn pack(session: &str) -> String {
    run(&["pack", "-", "--budget", "4000"], session).stdout
}

fn status(session: &str) -> Value {
    serde_json::from_str(&run(&["status", "-", "--json"], session).stdout).unwrap()
}

#[test]
fn what_an_agent_changed_and_could_not_make_pass_is_told() {
    let steps = [task("write the lamp"), json!("The lamp page is done.")];
    let did = [write("src/lamp.py"), failing("pytest -q", FAILED), json!("I am proud of it.")];
    let source = with(&steps, &[(2, "write the lamp", &did)]);
    let packed = pack(&source);
    for told in [
        "Last done: an agent ran `pytest -q` → ",
        "; 1 file changed in the session",
        "make `pytest -q` pass: 1 of 4 failed: tests/test_lamp.py::test_on (an agent ran it)",
        "- `pytest -q` exit 101 (an agent ran it) in T-1",
        "- created by agents: src/lamp.py",
        "`pytest -q`: does it still fail?",
    ] {
        assert!(packed.contains(told), "{told}: {packed}");
    }
    for untold in ["proud", "Nothing known is left", "write the lamp"] {
        assert!(!packed.contains(untold), "{untold}: {packed}");
    }
    let status = status(&source);
    assert_eq!(status["reasons"], json!(["blockers_open"]), "{status}");
}

#[test]
fn an_agent_with_a_file_of_its_own_is_told_as_one_without() {
    let steps = [task("write the lamp"), json!("The lamp page is done.")];
    let did = [write("src/lamp.py"), failing("pytest -q", FAILED)];
    let home = tempfile::tempdir().unwrap();
    let id = "5e90e000-0000-4000-8000-000000000000";
    let folder = home.path().join(id).join("subagents");
    fs::create_dir_all(&folder).unwrap();
    let own = agent(2, "write the lamp", &did).join("\n") + "\n";
    fs::write(folder.join("agent-lamp.jsonl"), own).unwrap();
    fs::write(folder.join("agent-lamp.meta.json"), r#"{"toolUseId": "c2"}"#).unwrap();
    let file = home.path().join(format!("{id}.jsonl"));
    fs::write(&file, session(&steps)).unwrap();
    let packed = Call::new("nobody", &["pack", file.to_str().unwrap(), "--no-check"]).run().stdout;
    let inline = run(&["pack", "-"], &with(&steps, &[(2, "write the lamp", &did)])).stdout;
    let (_, work) = packed.split_once("## Now").unwrap();
    let (_, inline) = inline.split_once("## Now").unwrap();
    let end = work.find("## Turns").unwrap();
    assert!(work.contains("created by agents: src/lamp.py"), "{packed}");
    assert!(inline.starts_with(&work[..end]), "{work}\n{inline}");
}

#[test]
fn what_passed_later_is_not_open_whoever_ran_it() {
    let steps = |first: Value, later: Value| {
        [edit("src/a.py", "x", "y"), first, task("mend it"), later, json!("All done.")]
    };
    let nothing = shell("ls", "src");
    // The call of the agent stands on line 6, after the two before it.
    let by_main = with(
        &steps(nothing.clone(), shell("pytest -q", PASSED)),
        &[(6, "mend it", &[write("src/lamp.py"), failing("pytest -q", FAILED)])],
    );
    let by_agent = with(
        &steps(failing("pytest -q", FAILED), nothing.clone()),
        &[(6, "mend it", &[write("src/lamp.py"), shell("pytest -q", PASSED)])],
    );
    for source in [&by_main, &by_agent] {
        let status = status(source);
        assert_eq!(status["done"], json!(true), "{status}");
        assert!(pack(source).contains("2 files changed in the session"));
    }
    // What an agent changed after the last check was not checked.
    let stale = with(
        &steps(shell("pytest -q", PASSED), nothing),
        &[(6, "mend it", &[edit("src/lamp.py", "a", "b")])],
    );
    assert_eq!(status(&stale)["last_check"]["edits_since"], json!(1), "{stale}");
}

#[test]
fn agents_that_only_look_or_work_elsewhere_say_nothing() {
    let steps = [edit("src/a.py", "x", "y"), task("look"), json!("It is done.")];
    let alone = pack(&session(&steps));
    let (_, alone) = alone.split_once("## Now").unwrap();
    let copy = |command: &str| {
        let mut step = failing(command, FAILED);
        step["in"] = json!("/home/ada/tool/.claude/worktrees/lamp");
        step
    };
    for did in [
        [read("src/b.py", "b = 1"), shell("grep -rn lamp src", "src/b.py:1: lamp")].as_slice(),
        &[write("/home/ada/tool/.claude/worktrees/lamp/src/lamp.py"), copy("pytest -q")],
        &[write("/tmp/lamp/notes.py"), failing("cd /tmp/lamp && pytest -q", FAILED)],
        &[json!({"name": "TodoWrite", "output": "ok", "input": {"todos": [
            {"content": "buy a lamp", "status": "pending", "activeForm": "buying"}]}})],
    ] {
        let packed = pack(&with(&steps, &[(4, "look", did)]));
        assert!(packed.ends_with(alone), "{did:?}: {packed}");
    }
    // Nobody knows for which session an agent worked that none of its calls began.
    let did = [write("src/lamp.py"), failing("pytest -q", FAILED)];
    let packed = pack(&with(&steps, &[(4, "another prompt", &did)]));
    assert!(packed.ends_with(alone), "{packed}");
}

#[test]
fn words_and_lists_in_files_of_agents_are_not_the_sessions() {
    let steps =
        [edit("src/a.py", "x", "y"), task("plan"), shell("pytest -q", PASSED), json!("Done.")];
    let mut list = write("docs/plan.md");
    list["input"]["content"] = json!("# Plan\n\n- [ ] buy a lamp\n- [x] look\n");
    let commit = "git commit -m 'Add it' -m 'We chose a lamp over a candle because it is safer.'";
    let did = [list, shell(commit, "[main 1a2b3c4] Add it\n 1 file changed")];
    let packed = pack(&with(&steps, &[(4, "plan", &did)]));
    assert!(packed.contains("docs/plan.md"), "{packed}");
    for untold in ["buy a lamp", "candle"] {
        assert!(!packed.contains(untold), "{untold}: {packed}");
    }
}

#[test]
fn ids_stay_when_the_session_grows_or_is_read_again() {
    let steps = [task("write the lamp"), json!("The lamp page is done.")];
    let did = [write("src/lamp.py"), failing("pytest -q", FAILED)];
    let source = with(&steps, &[(2, "write the lamp", &did)]);
    let more = with(
        &[&steps[..], &[told("thanks, now paint it"), json!("I look at the paint first.")]]
            .concat(),
        &[(2, "write the lamp", &did)],
    );
    let ids = |session: &str| {
        let packed: Value =
            serde_json::from_str(&run(&["pack", "-", "--json"], session).stdout).unwrap();
        [&packed["open_work"][0]["id"], &packed["failures"][0]["id"], &packed["files"][0]["id"]]
            .map(|id| id.as_str().unwrap().to_owned())
    };
    assert_eq!(ids(&source), ids(&more));
    assert!(pack(&more).contains(" → agents: changed src/lamp.py, `pytest -q` exit 101"));
    let exported = run(&["export", "-"], &source).stdout;
    assert_eq!(ids(&source), ids(&exported));
    let [work, ..] = ids(&source);
    let shown = run(&["show", &work, "--session", "-"], &source).stdout;
    assert!(shown.contains("pytest -q") && shown.contains("1 failed"), "{shown}");
}

/// Copies the files of a session with an agent into `home`, and puts `steps` of the agent behind a line of it.
fn with_steps(from: &str, home: &Path, agent: &str, line: usize, steps: &[Value]) {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(from);
    for file in data::files(&from) {
        let to = home.join(file.strip_prefix(&from).unwrap());
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        let text = fs::read_to_string(&file).unwrap();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        if file.to_str().unwrap().contains(agent) {
            lines.splice(line..line, steps.iter().map(Value::to_string));
        }
        fs::write(to, lines.join("\n") + "\n").unwrap();
    }
}

/// What an agent of Codex CLI wrote and ran.
fn of_codex() -> Vec<Value> {
    let patch = "*** Begin Patch\n*** Add File: src/lamp.py\n+a = 1\n*** End Patch";
    let wrote = "Exit code: 0\nOutput:\nSuccess. Updated the following files:\nA src/lamp.py\n";
    let ran = format!("Process exited with code 1\nOutput:\n{FAILED}");
    let command = json!({"cmd": "pytest -q"}).to_string();
    let items = [
        json!({"type": "custom_tool_call", "name": "apply_patch", "call_id": "a1", "input": patch}),
        json!({"type": "custom_tool_call_output", "call_id": "a1", "output": wrote}),
        json!({"type": "function_call", "name": "exec_command", "call_id": "a2", "arguments": command}),
        json!({"type": "function_call_output", "call_id": "a2", "output": ran}),
    ];
    let record = |item: &Value| {
        let time = "2026-11-21T20:41:09.516Z";
        json!({"timestamp": time, "type": "response_item", "payload": item})
    };
    items.iter().map(record).collect()
}

/// The same of one of Gemini CLI.
fn of_gemini() -> Vec<Value> {
    let call = |id: &str, name: &str, args: Value, output: &str| {
        let response = json!({"id": id, "name": name, "response": {"output": output}});
        json!({"id": id, "name": name, "args": args, "status": "success",
            "result": [{"functionResponse": response}]})
    };
    let wrote = "Successfully created and wrote to new file: /home/ada/sub/src/lamp.py.";
    let ran = format!("Command: pytest -q\nOutput: {FAILED}\nExit Code: 1");
    let calls = [
        call(
            "w1",
            "write_file",
            json!({"file_path": "/home/ada/sub/src/lamp.py", "content": "a = 1\n"}),
            wrote,
        ),
        call("w2", "run_shell_command", json!({"command": "pytest -q"}), &ran),
    ];
    vec![json!({"id": "aaaa1111-0000-4000-8000-000000000001", "type": "gemini", "content": "",
        "timestamp": "2026-11-21T20:26:39.447Z", "toolCalls": calls})]
}

#[test]
fn agents_of_other_harnesses_are_told_so_too() {
    let codex = "rollout-2026-11-21T20-41-09-01a1ffd7-67cd-7213-aa49-898cbb18d436.jsonl";
    let gemini = "chats/session-2026-11-21T20-26-6614a8f5.jsonl";
    for (from, main, agent, steps) in [
        ("codex/0.169.0", codex, "01a1ffd7-685e", of_codex()),
        ("gemini/0.61.0/sub-agent", gemini, "41cf1cc8", of_gemini()),
    ] {
        let home = tempfile::tempdir().unwrap();
        with_steps(from, home.path(), agent, 7, &steps);
        let file = home.path().join(main);
        let packed = Call::new("nobody", &["pack", file.to_str().unwrap(), "--no-check"]).run();
        for told in ["(an agent ran it) (W-9f02bf4f)", "created by agents: src/lamp.py"] {
            assert!(packed.stdout.contains(told), "{from}: {}{}", packed.stdout, packed.stderr);
        }
    }
}

/// A report that says first what is well, then what is not.
fn review() -> Value {
    let well = "Every line that it names was read, and each of them says what it is said to say. "
        .repeat(6);
    let faults = [
        "the lamp burns at noon",
        "the gate is never shut",
        "the attic has no floor",
        "letters are lost",
    ];
    let fault = |(at, fault): (usize, &&str)| {
        format!("**{}. Here {fault} — `src/part_{at}.py:{at}`**\n\n{well}\n\n", at + 1)
    };
    let faults: String = faults.iter().enumerate().map(fault).collect();
    let report = format!(
        "{well}\n\n### Result: with warnings\n\n{well}\n\n### Warnings\n\n{faults}### Verdict\n\n{well}"
    );
    json!({"name": "Task", "output": report,
        "input": {"description": "Review the house", "prompt": "look", "subagent_type": "worker"}})
}

#[test]
fn what_an_agent_found_stays_until_the_turn_is_answered() {
    let names = [
        "the lamp burns at noon",
        "the gate is never shut",
        "the attic has no floor",
        "letters are lost",
    ];
    let budget = |steps: &[Value]| run(&["pack", "-", "--budget", "1600"], &session(steps)).stdout;
    let part = |at: usize| {
        edit(&format!("src/part_{at}/amounts_of_the_day.py"), "x", "def parse_amounts(): pass")
    };
    let before: Vec<Value> = (0..12).map(part).collect();
    let since = [
        review(),
        json!("The first is the one that matters. I read the lamp before the rest."),
        read("src/lamp.py", "a = 1"),
        edit("src/lamp.py", "a", "b"),
        json!("The clock is read now. I look at what else reads it."),
        read("src/clock.py", "a = 1"),
    ];
    let text = budget(&[&before[..], &since].concat());
    assert!(names.iter().all(|name| text.contains(name)), "{text}");
}

#[test]
fn a_report_in_json_is_told_by_its_findings() {
    let one = |title: &str, grade: &str| {
        json!({"title": title, "severity": grade, "file": "src/lamp.py", "line": 3,
        "impact": "It burns all day long, and nobody reads the clock for as long as it does."})
    };
    let report = json!({"reviewer": "tests", "findings": [one("The lamp burns at noon", "P1"), one("The gate is never shut", "P3")]});
    let task = json!({"name": "Task", "output": report.to_string(),
        "input": {"description": "Review the house", "prompt": "look", "subagent_type": "worker"}});
    let text = pack(&session(&[task, json!("I look at the first."), read("src/lamp.py", "a = 1")]));
    for told in
        ["P1: The lamp burns at noon (src/lamp.py:3)", "P3: The gate is never shut (src/lamp.py:3)"]
    {
        assert!(text.contains(told), "{told}: {text}");
    }
    assert!(!text.contains("\"reviewer\""), "{text}");
}
