//! What a session of Gemini CLI tells of the work: what ran on, how commands and agents ended, what was called.

use serde_json::{Value, json};

use crate::program::Call;
use crate::status::open_by;

/// Returns a session of one request, then of steps: what the agent says, a call with what came of it, or what stands
/// in the user's name or in a notice of the program.
fn session(steps: &[Value]) -> String {
    let time = |at: usize| format!("2026-01-02T03:04:{at:02}.000Z");
    let line = |at: usize, kind: &str, content: &Value| {
        let id = format!("{at:08}-0000-4000-8000-000000000000");
        json!({"id": id, "timestamp": time(at), "type": kind, "content": content})
    };
    let header = json!({"sessionId": "6f0c7a1e-3b52-4d0a-9c1e-7aa0de51c0d2", "projectHash": "0",
        "startTime": time(0), "lastUpdated": time(59), "kind": "main"});
    let asked = json!([{"text": "write the importer in src/parse.rs"}]);
    let mut records = vec![header, line(1, "user", &asked)];
    for (at, step) in steps.iter().enumerate() {
        let at = at + 2;
        let told = [("user", "user"), ("info", "info")]
            .iter()
            .find_map(|(key, kind)| Some((*kind, step.get(*key)?)));
        if let Some((kind, words)) = told {
            records.push(line(at, kind, words));
            continue;
        }
        let said = step.as_str().unwrap_or_default();
        let mut record = line(at, "gemini", &json!(said));
        if let Some(name) = step["name"].as_str() {
            let id = format!("c{at}");
            let failed = step.get("error").map(|error| json!({"error": error}));
            let response = failed.clone().unwrap_or_else(|| json!({"output": step["output"]}));
            let status = if failed.is_some() { "error" } else { "success" };
            record["toolCalls"] = json!([{"id": id, "name": name, "args": step["args"],
                "status": status, "timestamp": time(at),
                "result": [{"functionResponse": {"id": id, "name": name, "response": response}}]}]);
        }
        records.push(record);
    }
    records.iter().map(|record| format!("{record}\n")).collect()
}

fn call(name: &str, args: &Value, output: &str) -> Value {
    json!({"name": name, "args": args, "output": output})
}

fn shell(command: &str, output: &str) -> Value {
    let output = format!("<untrusted_context>\n{output}\n</untrusted_context>");
    call("run_shell_command", &json!({"command": command}), &output)
}

fn begun(command: &str, number: u32) -> Value {
    let told = format!(
        "Command moved to background (PID: {number}). Output hidden. Press Ctrl+B to view."
    );
    let args = json!({"command": command, "is_background": true});
    call("run_shell_command", &args, &told)
}

fn edit(path: &str) -> Value {
    let args = json!({"file_path": path, "instruction": "x", "old_string": "a", "new_string": "b"});
    call("replace", &args, &format!("Successfully modified file: {path} (1 replacements)."))
}

fn agent(task: &str, output: &str) -> Value {
    call("invoke_agent", &json!({"agent_name": "generalist", "prompt": task}), output)
}

fn pack(steps: &[Value]) -> Value {
    let args = ["pack", "-", "--json", "--no-check", "--budget", "9000"];
    let said = Call::new("one", &args).stdin(session(steps).as_bytes()).run();
    serde_json::from_str(&said.stdout).unwrap_or_else(|_| panic!("{}", said.stderr))
}

fn status(steps: &[Value]) -> Value {
    let said = Call::new("one", &["status", "-", "--json"]).stdin(session(steps).as_bytes()).run();
    serde_json::from_str(&said.stdout).unwrap_or_else(|_| panic!("{}", said.stderr))
}

fn texts(list: &Value) -> Vec<String> {
    let all = list.as_array().into_iter().flatten();
    all.map(|one| one["text"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn what_runs_in_the_background_is_open_until_it_is_ended() {
    let runs = |steps: &[Value]| {
        open_by(&pack(&[&[begun("npm run dev", 4711)], steps].concat()), "running")
    };
    let look = |output: &str| call("read_background_output", &json!({"pid": 4711}), output);
    let open = ["`npm run dev` still ran in the background when the session ended"];
    assert_eq!(runs(&[json!("The server is up.")]), open);
    // To look at what it printed ends nothing.
    assert_eq!(runs(&[look("Full Log Output:\nready"), json!("It is up.")]), open);
    assert_eq!(runs(&[look("Log is empty."), json!("It is up.")]), open);
    let ended = |line: &str| {
        runs(&[shell(line, "Output: (empty)\nProcess Group PGID: 9"), json!("Stopped.")])
    };
    assert_eq!(ended("kill 4711"), [""; 0]);
    assert_eq!(ended("kill -9 -4711"), [""; 0]);
    // What else was ended may have been its child.
    let doubtful = ["`npm run dev` was begun in the background, and may have been ended since"];
    assert_eq!(ended("kill 4712"), doubtful);
    let told =
        "[Background command completed successfully. Output saved to /t/background-4711.log\\]";
    let told = format!(
        "Background execution update:\n<background_output>\n{told}\n</background_output>\n\nA previously backgrounded execution has completed."
    );
    assert_eq!(runs(&[json!({"user": [{"text": told}]}), json!("It ended.")]), [""; 0]);
}

#[test]
fn what_was_stopped_by_its_number_is_told_with_what_began_it() {
    let steps = [begun("npm run dev", 4711), shell("kill 4711", "Output: (empty)"), json!("Done.")];
    let now = pack(&steps)["now"]["last_done"].clone();
    assert_eq!(now, json!("stopped `npm run dev`"));
    let other = [begun("npm run dev", 4711), shell("kill 99", "Output: (empty)"), json!("Done.")];
    let now = pack(&other)["now"]["last_done"].clone();
    assert!(now.as_str().unwrap().starts_with("ran `kill 99`"), "{now}");
}

#[test]
fn what_was_killed_or_never_began_passed_nothing() {
    let check = |output: &str| {
        let steps = [edit("src/parse.rs"), shell("cargo test", output), json!("I ran it.")];
        status(&steps)["last_check"]["ended"].clone()
    };
    let foot = "Process Group PGID: 4711";
    assert_eq!(check(&format!("Output: test result: ok. 3 passed\n{foot}")), json!("passed"));
    for output in [
        format!("Output: running 3 tests\nSignal: 9\n{foot}"),
        format!("Output: running 3 tests\nExit Code: (none)\nSignal: SIGKILL\n{foot}"),
        format!("Output: (empty)\nError: spawn bash ENOENT\n{foot}"),
    ] {
        assert_eq!(check(&output), json!("failed"), "{output}");
    }
}

#[test]
fn an_agent_that_did_not_reach_its_goal_is_open_until_something_else_is_done() {
    let ended = |reason: &str| {
        format!(
            "Subagent 'generalist' finished.\nTermination Reason: {reason}\nResult:\nRead 3 files."
        )
    };
    let open = |output: &str, behind: &[Value]| {
        let steps = [&[agent("Write the tests", output)], behind].concat();
        texts(&status(&steps)["open"])
            .iter()
            .any(|text| text.starts_with("give to an agent: Write"))
    };
    let said = json!("It did not finish.");
    for output in
        [ended("MAX_TURNS"), ended("TIMEOUT"), "Subagent 'generalist' failed. Error: x".to_owned()]
    {
        assert!(open(&output, std::slice::from_ref(&said)), "{output}");
        assert!(!open(&output, &[edit("tests/a.rs"), said.clone()]), "{output}");
    }
    assert!(!open(&ended("GOAL"), &[said]));
}

#[test]
fn what_an_agent_answered_is_told_without_its_frame() {
    let report = "Subagent 'generalist' finished.\nTermination Reason: GOAL\nResult:\nThe amounts are parsed in src/money.rs, and one of the tests of the table is missing there.";
    let pack = pack(&[agent("Find the parser", report)]).to_string();
    assert!(pack.contains("The amounts are parsed in src/money.rs"), "{pack}");
    assert!(!pack.contains("Termination Reason"), "{pack}");
}

#[test]
fn questions_that_the_user_dismissed_were_not_answered() {
    let asked = json!({"questions": [{"question": "CSV or JSON?", "header": "F", "type": "choice",
        "options": [{"label": "CSV", "description": ""}, {"label": "JSON", "description": ""}]}]});
    let decided = |output: &str| {
        let steps = [call("ask_user", &asked, output)];
        texts(&pack(&steps)["decisions"])
    };
    let dismissed = decided("User dismissed ask_user dialog without answering.");
    assert_eq!(dismissed, ["did not answer: CSV or JSON?"]);
    assert_eq!(decided("{\"answers\":{\"0\":\"CSV\"}}"), ["CSV or JSON? → CSV"]);
}

#[test]
fn why_the_program_broke_a_turn_off_is_told() {
    let broken = |words: &str| {
        open_by(&pack(&[edit("src/parse.rs"), json!({"info": words})]), "interrupted")
    };
    let loops = "A potential loop was detected. This can happen due to repetitive tool calls or other model behavior. The request has been halted.";
    let told = "the turn was broken off (a potential loop was detected); last step: edited src/parse.rs (+1 −1)";
    assert_eq!(broken(loops), [told]);
    assert!(!broken("A new version is there.").iter().any(|text| text.contains("broken off")));
}

#[test]
fn what_a_skill_says_binds_the_work() {
    let text =
        "Release the tool.\n\nNever push to main without a review. Always run the tests first.";
    let text = format!(
        "<activated_skill name=\"release\">\n  <instructions>\n    {text}\n  </instructions>\n</activated_skill>"
    );
    let pack =
        pack(&[call("activate_skill", &json!({"name": "release"}), &text), edit("src/parse.rs")]);
    let bound = pack["facts"].as_array().unwrap().iter();
    let bound: Vec<_> = bound.filter_map(|fact| fact["text"].as_str()).collect();
    assert!(
        bound.iter().any(|text| text.starts_with("By release: Never push to main")),
        "{bound:?}"
    );
    assert!(!pack.to_string().contains("activated_skill"), "{pack}");
}

#[test]
fn an_arrow_in_a_list_of_the_summary_is_none_of_its_entry() {
    let list = "1. [DONE] Parse the amounts\n  2. [IN PROGRESS] Write table tests <-- CURRENT FOCUS\n  3. [TODO] Document the format";
    let summary = format!(
        "<state_snapshot>\n<overall_goal>\n  Write it.\n</overall_goal>\n<task_state>\n  {list}\n</task_state>\n</state_snapshot>"
    );
    let steps = [
        json!({"user": [{"text": summary}]}),
        json!("Got it. Thanks for the additional context!"),
        edit("src/parse.rs"),
    ];
    let open = open_by(&pack(&steps), "summary_aside");
    assert_eq!(open, ["Write table tests", "Document the format"]);
}
