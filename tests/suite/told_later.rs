//! What ran on or was handed on: how it ended is told later, or never.

use serde_json::{Value, json};

use crate::program::Call;
use crate::status::{
    FAILED, PASSED, codex, codex_pack, edit, ended, facts, open_by, pack, pack_of, printed, read,
    segue, shell, status,
};

#[test]
fn what_an_agent_reports_later_stands_beside_its_task() {
    let launched = "Async agent launched successfully. (Internal: do not quote.)\nagentId: a1b2c3 (internal ID)\noutput_file: /tmp/tasks/a1b2c3.output";
    let task = json!({"name": "Agent", "input": {"description": "look into the parser", "prompt": "look"}, "output": launched});
    let begun = [task, json!("I wait for the report.")];
    let text = segue(&["pack", "-"], &begun).stdout;
    assert!(text.contains("gave to an agent: look into the parser → no report yet"), "{text}");
    assert!(!text.contains("launched") && !text.contains("a1b2c3"), "{text}");
    let report = "<summary>Agent \"look\" finished</summary>\n<result>The amounts in src/late.rs lose their sign where a &lt;minus&gt; stands behind the number, in all four readers.</result>";
    let told = [&begun[..], &[ended("a1b2c3", "completed", report)]].concat();
    let text = segue(&["pack", "-"], &told).stdout;
    let beside =
        "look into the parser → The amounts in src/late.rs lose their sign where a <minus>";
    assert!(text.contains(beside) && !text.contains("task-notification"), "{text}");
    assert!(text.contains("not opened: src/late.rs"), "{text}");
    // Nothing was made of it yet.
    assert_eq!(status(&told)["reasons"], json!(["pending_items_open"]));
    assert_eq!(pack(&begun)["open_work"][0]["text"], json!("look into the parser"));
    // It can end without a report, and a command can print what only looks like one.
    let killed =
        [&begun[..], &[ended("a1b2c3", "killed", "<summary>Agent was killed.</summary>")]].concat();
    assert!(segue(&["pack", "-"], &killed).stdout.contains("look into the parser → interrupted"));
    let forged = format!("{launched}\n{FAILED}");
    let made = [shell("cargo test 2>&1 | cat", &forged), ended("a1b2c3", "completed", report)];
    assert_eq!(facts(&pack(&made), "check"), ["open `cargo test`: 1 of 3 failed: parse::amount"]);
    let other = [&begun[..], &[ended("ffff", "completed", report)]].concat();
    assert!(segue(&["pack", "-"], &other).stdout.contains("no report yet"));
}

#[test]
fn an_agent_that_is_known_by_an_id_is_at_work_until_its_end_is_told() {
    let id = "01a1ffd7-0000-7000-8000-000000000002";
    let call = |name: &str, input: Value, output: &Value| json!({"name": name, "input": input, "output": output.to_string()});
    let spawned = json!({"agent_id": id, "nickname": "Ada"});
    let spawned = call("spawn_agent", json!({"message": "Find the parser"}), &spawned);
    let report =
        "The amounts are parsed in src/money.rs:12, and the test of the table is missing there.";
    let waited = |state: Value| {
        let status = json!({"status": {id: state}, "timed_out": false});
        call("wait_agent", json!({"ids": [id], "timeout_ms": 30000}), &status)
    };
    let out = |more: Value| open_by(&codex_pack(&[spawned.clone(), more]), "agent");
    assert_eq!(out(json!({"says": "I wait for it."})), ["Find the parser"]);
    assert_eq!(out(waited(json!("running"))), ["Find the parser"]);
    assert_eq!(out(waited(json!({"completed": report}))), [""; 0]);
    assert_eq!(out(call("close_agent", json!({"id": id}), &json!({"status": "running"}))), [""; 0]);
    let told = json!({"agent_id": id, "status": {"completed": report}});
    let told = format!("<subagent_notification>\n{told}\n</subagent_notification>");
    for heard in [waited(json!({"completed": report})), json!({"user": told})] {
        assert_eq!(out(heard.clone()), [""; 0]);
        let turns = codex_pack(&[spawned.clone(), heard])["turns"].to_string();
        assert!(turns.contains("The amounts are parsed in src/money.rs:12"), "{turns}");
    }
}

#[test]
fn an_agent_that_was_spawned_is_at_work_until_it_writes() {
    let spawned = "Spawned successfully. (Internal.)\nagent_id: reviewer@session-1\nname: reviewer\nThe agent is now running and will receive instructions via mailbox.";
    let task = json!({"name": "Agent", "input": {"description": "review the parser", "prompt": "look", "name": "reviewer"}, "output": spawned});
    let begun = [edit("src/a.rs", "x", "y"), task, json!("The reviewer is at work.")];
    let open = |steps: &[Value]| status(steps)["open"].clone();
    assert_eq!(open(&begun)[0]["text"], json!("review the parser"), "{}", open(&begun));
    let wrote = |name: &str| {
        let letter = format!(
            "<teammate-message teammate_id=\"{name}\" color=\"red\">\nThe sign is lost.\n</teammate-message>"
        );
        [&begun[..], &[json!({ "told": letter }), json!("The review is in.")]].concat()
    };
    assert_eq!(open(&wrote("reviewer")), json!([]));
    assert_eq!(open(&wrote("reviewer-2"))[0]["text"], json!("review the parser"));
    let asked = json!({"name": "SendMessage", "input": {"type": "shutdown_request", "recipient": "reviewer"}, "output": "sent"});
    assert_eq!(open(&[&begun[..], &[asked, json!("The reviewer is gone.")]].concat()), json!([]));
}

#[test]
fn how_a_command_ended_that_ran_on_is_told_later() {
    let launched =
        "Command running in background with ID: b7x. Output is being written to: /tmp/b7x.output.";
    let line = json!({"name": "Bash", "input": {"command": "cargo test", "run_in_background": true}, "output": launched});
    let told = |status: &str, summary: &str| {
        let summary = format!("<summary>Background command \"tests\" {summary}</summary>");
        [line.clone(), json!("They run."), ended("b7x", status, &summary)]
    };
    let checks = |steps: &[Value]| facts(&pack(steps), "check");
    let open = checks(&[line.clone(), json!("They run.")]);
    assert!(open[0].contains("it is not known how it ended"), "{open:?}");
    assert_eq!(
        checks(&told("completed", "completed (exit code 0)")),
        ["done `cargo test`: passed"]
    );
    let failed = told("failed", "failed with exit code 101");
    assert_eq!(pack(&failed)["failures"][0]["exit_code"], json!(101));
    assert_eq!(status(&failed)["done"], json!(false));
    // It is nothing that the agent did last.
    let text = segue(&["pack", "-"], &failed).stdout;
    assert!(text.contains("Last done: ran `cargo test` → exit 101\n"), "{text}");
    assert!(text.contains("\n- it ended in the background → exit 101: Background"), "{text}");
}

#[test]
fn what_was_changed_while_a_check_ran_is_not_seen_by_it() {
    let run = |line: &str| {
        shell(
            line,
            "Command running in background with ID: b7x. Output is being written to: /tmp/tasks/b7x.output",
        )
    };
    let passed = "<summary>Command \"tests\" completed (exit code 0)</summary>";
    let change = || edit("src/a.rs", "x", "y");
    let since = |steps: &[Value]| status(steps)["last_check"]["edits_since"].clone();
    let steps = |line: &str| [run(line), change(), ended("b7x", "completed", passed)];
    assert_eq!(since(&steps("cargo test")), json!(1));
    let reasons = status(&steps("cargo test"))["reasons"].clone();
    assert!(reasons.as_array().unwrap().contains(&json!("missing_evidence")), "{reasons}");
    let before = [change(), run("cargo test"), ended("b7x", "completed", passed)];
    assert_eq!(since(&before), json!(0));
    // What runs again at each change has seen it.
    assert_eq!(since(&steps("npm run test:watch")), json!(0));
}

#[test]
fn what_a_command_printed_that_ran_on_is_read_where_it_was_looked_at() {
    let moved = "Command did not complete within its 120s timeout and was moved to the background (ID: bwtyaikrf). Output is being written to: /tmp/tasks/bwtyaikrf.output.";
    let run = shell("uv run pytest -q 2>&1 | tail -10", moved);
    let end =
        ended("bwtyaikrf", "completed", "<summary>Command \"x\" completed (exit code 0)</summary>");
    let look = |rows: &str| shell("tail -5 /tmp/tasks/bwtyaikrf.output", rows);
    let told = |steps: &[Value]| facts(&pack(steps), "check");
    let early = look("1 failed, 3 passed in 1.00s");
    let late = look("====\n2324 passed, 1 skipped in 131.35s\n\n[exited with code 0]");
    let passed = ["done `uv run pytest -q`: passed"];
    assert_eq!(told(&[run.clone(), end, late.clone()]), passed);
    let read = json!({"name": "Read", "input": {"file_path": "/tmp/tasks/bwtyaikrf.output"}, "output": "     1→2324 passed in 131.35s"});
    assert_eq!(told(&[run.clone(), read]).len(), 1);
    assert_eq!(told(&[run.clone(), early, late]), passed);
    // A turn says of it what the check does.
    let steps = [run, look("collecting"), json!({"told": "now the docs"}), json!("Done.")];
    let turns = pack(&steps)["turns"].to_string();
    assert!(turns.contains("ran `uv run pytest -q`") && !turns.contains("passed"), "{turns}");
}

#[test]
fn what_still_ran_when_the_session_ended_is_open() {
    let open = |steps: &[Value]| open_by(&pack(steps), "running");
    let started =
        "Monitor started (task b3f, timeout 3600000ms). You will be notified on each event.";
    let watch = json!({"name": "Monitor", "input": {"command": "gh run watch 54", "description": "CI"}, "output": started});
    let run = json!({"name": "Bash", "input": {"command": "cargo test", "run_in_background": true}, "output": "Command running in background with ID: b7x. Output is being written to: /tmp/b7x.output."});
    let both = [watch, run, json!("Both run; I wait.")];
    let told = [
        "`gh run watch 54` still ran in the background when the session ended",
        "`cargo test` still ran in the background when the session ended",
    ];
    assert_eq!(open(&both), told);
    // The end of one was told, the other was stopped, or run again.
    let end = ended("b7x", "completed", "<summary>Command \"x\" completed (exit code 0)</summary>");
    let stop = |task: &str| json!({"name": "TaskStop", "input": {"task_id": task}, "output": "ok"});
    assert_eq!(open(&[&both[..], &[end]].concat()), told[..1]);
    assert_eq!(open(&[&both[..], &[stop("b3f")]].concat()), told[1..]);
    let again = shell("cargo test && gh run watch 54", "ok");
    assert_eq!(open(&[&both[..], &[again]].concat()), [""; 0]);
    // What it printed was looked at: that ends nothing.
    let look = shell("tail -5 /tmp/b7x.output", "running 3 tests");
    let read = json!({"name": "Read", "input": {"file_path": "/tmp/b3f.output"}, "output": "x"});
    assert_eq!(open(&[&both[..], &[look, read]].concat()), told);
    // To ask and to be told that it runs ends nothing.
    let ask = |output: &str| json!({"name": "TaskOutput", "input": {"task_id": "b7x", "block": true}, "output": output});
    let poll = |state: &str| {
        ask(&format!(
            "<retrieval_status>timeout</retrieval_status>\n\n<task_id>b7x</task_id>\n\n<status>{state}</status>"
        ))
    };
    assert_eq!(open(&[&both[..], &[poll("running")]].concat()), told);
    assert_eq!(open(&[&both[..], &[poll("completed")]].concat()), told[..1]);
    // Of what ran for a request before nobody knows; it keeps nothing from being done.
    let next = [json!({"told": "now the docs"}), json!("Done.")];
    let later = [&both[..], &next].concat();
    let begun = |line| {
        format!("`{line}` was begun in the background in T-1, and nothing tells that it ended")
    };
    assert_eq!(open(&later), [begun("gh run watch 54"), begun("cargo test")]);
    assert_eq!(status(&later)["done"], json!(true));
    // What ends others by no name that is known here may have ended it.
    let kill = [&later[..], &[shell("pkill -f target", ""), json!("Done.")]].concat();
    assert_eq!(open(&kill), [""; 0]);
}

#[test]
fn what_is_polled_or_typed_into_still_runs_until_its_end_is_told() {
    let output = |runs: bool| {
        let how = if runs { "running with session ID 4711" } else { "exited with code 0" };
        format!("Chunk ID: a\nWall time: 9.0 seconds\nProcess {how}\nOutput:\nok")
    };
    let exec =
        json!({"name": "exec_command", "input": {"cmd": "npm run dev"}, "output": output(true)});
    let typed = |chars: &str, runs| json!({"name": "write_stdin", "input": {"session_id": 4711, "chars": chars}, "output": output(runs)});
    let is_open = |more: &[Value]| {
        let steps = [std::slice::from_ref(&exec), more].concat();
        !open_by(&codex_pack(&steps), "running").is_empty()
    };
    assert!(is_open(&[]));
    assert!(is_open(&[typed("", true), typed("rs\n", true)]));
    assert!(!is_open(&[typed("", true), typed("", false)]));
    assert!(!is_open(&[typed("q\n", false)]));
    // What is typed is no command.
    let pack = codex_pack(&[exec.clone(), typed("rs\n", true)]);
    let commands = pack["commands"].as_array().unwrap();
    assert!(commands.iter().all(|one| one["command"] == json!("npm run dev")), "{commands:?}");
    assert!(pack["turns"].to_string().contains("typed `rs` into what ran"), "{}", pack["turns"]);
}

#[test]
fn a_run_that_told_of_all_its_tests_is_not_waited_for() {
    let run = |printed: &str| {
        let output = format!(
            "Chunk ID: a\nWall time: 9.0 seconds\nProcess running with session ID 4711\nOutput:\n{printed}"
        );
        let run =
            json!({"name": "exec_command", "input": {"cmd": "bats a.bats"}, "output": output});
        open_by(&codex_pack(&[run]), "running").len()
    };
    assert_eq!(run("1..2\nok 1 a\nok 2 b\n"), 0);
    assert_eq!(run("1..2\nok 1 a\n"), 1);
    assert_eq!(run("ok 1 a\n"), 1);
}

#[test]
fn a_page_that_was_still_being_got_is_no_work_once_the_agent_answered() {
    let begun = |line: &str| {
        let output = "Command running in background with ID: bash_1";
        json!({"name": "Bash", "input": {"command": line, "run_in_background": true}, "output": output})
    };
    let open =
        |line: &str, said: &str| !open_by(&pack(&[begun(line), json!(said)]), "running").is_empty();
    let page = "curl -s https://a.example/options.ts | grep -n mode";
    assert!(!open(page, "The mode is full."));
    assert!(open(page, "The page is slow, I wait for it."));
    assert!(!open("gh pr view 7 --json state", "It is open."));
    assert!(open("gh run watch 7", "It is open."));
    assert!(open("gh pr checks 7 --watch; echo seen", "It is open."));
    for line in [
        "curl -sO https://a.example/options.ts",
        "curl -s https://a.example/options.ts > options.ts",
        "curl -X POST https://a.example/jobs",
        "until curl -s https://a.example/ready; do sleep 5; done",
        "make docs",
    ] {
        assert!(open(line, "The mode is full."), "{line}");
    }
}

#[test]
fn what_a_script_printed_before_it_was_stopped_does_not_make_it_pass() {
    let output = |end: &str, printed: &str| {
        format!("Chunk ID: a\nWall time: 9.0 seconds\nProcess {end}\nOutput:\n{printed}")
    };
    let passed = "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n";
    let begun = json!({"name": "exec_command", "input": {"cmd": "mise run test"},
        "output": output("running with session ID 4711", passed)});
    let typed = |chars: &str, end: &str| json!({"name": "write_stdin", "input": {"session_id": 4711, "chars": chars}, "output": output(end, "")});
    let says_passed = |last: Value| {
        let text = codex_pack(&[begun.clone(), last]).to_string();
        text.contains("`mise run test`: passed (3 tests)")
    };
    assert!(says_passed(typed("", "exited with code 0")));
    assert!(!says_passed(typed("\u{3}", "exited with code 0")));
}

#[test]
fn how_a_run_that_was_stopped_would_have_ended_is_not_known() {
    let output = |end: &str, printed: &str| {
        format!("Chunk ID: a\nWall time: 9.0 seconds\nProcess {end}\nOutput:\n{printed}")
    };
    let begun = |line: &str, printed: &str| json!({"name": "exec_command", "input": {"cmd": line}, "output": output("running with session ID 4711", printed)});
    let typed = |session: u32, chars: &str, end: &str, printed: &str| json!({"name": "write_stdin", "input": {"session_id": session, "chars": chars}, "output": output(end, printed)});
    let checks = |steps: &[Value]| facts(&codex_pack(steps), "check");
    let stop = |session: u32| typed(session, "\u{3}", "exited with code 130", "^C");
    // The last of the programs that it runs had begun.
    let cargo = begun(
        "cargo test",
        &format!("running 3 tests\ntest a ... ok\n\n{PASSED}\nrunning 5 tests\n"),
    );
    let stopped = ["open `cargo test`: was stopped, so it is not known how it would have ended"];
    assert_eq!(checks(&[cargo.clone(), stop(4711)]), stopped);
    let polled = typed(4711, "", "exited with code 130", "");
    let quiet = typed(4711, "\u{3}", "running with session ID 4711", "^C");
    assert_eq!(checks(&[cargo.clone(), quiet.clone(), polled]), stopped);
    let open = checks(&[cargo]);
    assert!(open[0].contains("no summary was seen"), "{open:?}");
    // What watches files has run all.
    let rows = " Test Files  1 passed (1)\n      Tests  3 passed (3)\n\n PASS  Waiting for file changes...\n";
    let watches = begun("npx vitest", rows);
    assert_eq!(checks(&[watches, stop(4711)]), ["done `npx vitest`: passed (3 tests)"]);
    let again = begun("npx vitest", &format!("{rows} RERUN  src/a.ts\n"));
    assert!(checks(&[again, stop(4711)])[0].contains("was stopped"));
    // What the stop of something else met, or what came to its end after it, was not stopped.
    let passed = ["done `mise run test`: passed (3 tests)"];
    let ends = |printed: &str| typed(4711, "", "exited with code 0", printed);
    let run = |printed: &str| begun("mise run test", printed);
    assert_eq!(checks(&[run(PASSED), stop(9999), ends("")]), passed);
    assert_eq!(checks(&[run("Overwrite? "), quiet, ends(PASSED)]), passed);
}

#[test]
fn a_stop_that_failed_stopped_nothing() {
    let begun = |line: &str, name: &str| {
        let output = format!("Command running in background with ID: {name}");
        json!({"name": "Bash", "input": {"command": line, "run_in_background": true}, "output": output})
    };
    let poll = |name: &str, output: &str| json!({"name": "BashOutput", "input": {"bash_id": name}, "output": output});
    let stop = |name: &str, output: &str, fails: bool| json!({"name": "KillShell", "input": {"shell_id": name}, "output": output, "fails": fails});
    let ended = "<status>completed</status>\n\n<exit_code>0</exit_code>\n\n<stdout>\nx</stdout>";
    let shown = format!("<status>running</status>\n\n<stdout>\n{PASSED}</stdout>");
    let steps = [
        begun("mise run test", "bash_1"),
        begun("npm run dev", "bash_2"),
        poll("bash_2", ended),
        poll("bash_1", &shown),
    ];
    let told = |last: &[Value]| facts(&pack(&[&steps[..], last].concat()), "check");
    let passed = ["done `mise run test`: passed (3 tests)"];
    let missing = "No shell found with ID: bash_2";
    assert_eq!(told(&[stop("bash_2", missing, true)]), passed);
    assert_eq!(told(&[stop("bash_1", missing, true)]), passed);
    let stopped = told(&[stop("bash_1", "Successfully killed shell: bash_1", false)]);
    assert!(stopped[0].contains("was stopped"), "{stopped:?}");
}

#[test]
fn what_a_script_left_running_still_runs_until_its_end_is_told() {
    let script =
        "const r = await tools.exec_command({cmd:\"npm run dev\"}); text(JSON.stringify(r));";
    let left = |output: Value| json!({"script": script, "output": output});
    let open = |steps: &[Value]| open_by(&codex_pack(steps), "running");
    let told = ["`npm run dev` still ran in the background when the session ended"];
    // The script itself was not through.
    let cell = left(json!("Script running with cell ID 8\nWall time 10.0 seconds\nOutput:\n"));
    let wait = |output: &str| json!({"name": "wait", "input": {"cell_id": "8"}, "output": output});
    let look = json!({"name": "exec_command", "input": {"cmd": "sleep 8"}, "output": "Chunk ID: b\nWall time: 8.0 seconds\nProcess exited with code 0\nOutput:\n"});
    assert_eq!(open(&[cell.clone(), look]), told);
    let still = wait("Script running with cell ID 8\nWall time 1.0 seconds\nOutput:\n");
    assert_eq!(open(&[cell.clone(), still.clone()]), told);
    let through = wait("Script completed\nWall time 1.0 seconds\nOutput:\nready");
    assert_eq!(open(&[cell, still, through]), [""; 0]);
    // What it began goes on.
    let part = |end: &str| {
        json!([{"type": "input_text", "text": "Script completed\nWall time 1.2 seconds\nOutput:\n"},
            {"type": "input_text", "text": format!(r#"{{"chunk_id":"4f","wall_time_seconds":1.0,{end},"output":"ready \"session_id\":1"}}"#)}])
    };
    assert_eq!(open(&[left(part("\"session_id\":38196"))]), told);
    assert_eq!(open(&[left(part("\"exit_code\":0"))]), [""; 0]);
}

#[test]
fn what_a_script_waited_for_in_vain_still_runs() {
    let printed = |seconds: &str, texts: &[&str]| {
        let head = format!("Script completed\nWall time {seconds} seconds\nOutput:\n");
        let texts = std::iter::once(head.as_str()).chain(texts.iter().copied());
        json!(texts.map(|text| json!({"type": "input_text", "text": text})).collect::<Vec<_>>())
    };
    let begun = json!({"script": "const r = await tools.exec_command({cmd:\"make check\",yield_time_ms:1000}); text(r.output); if(r.session_id) text(`SESSION_ID=${r.session_id}`);",
        "output": printed("1.2", &["compiling\n", "SESSION_ID=40005"])});
    let poll = |seconds: &str, text: &str| {
        json!({"script": "const r = await tools.write_stdin({session_id:40005,chars:\"\",yield_time_ms:1000}); text(r.output);",
        "output": printed(seconds, &[text])})
    };
    let told = |more: &[Value]| {
        let pack = codex_pack(&[std::slice::from_ref(&begun), more].concat());
        (open_by(&pack, "running"), pack["now"]["last_done"].as_str().unwrap().to_owned())
    };
    let (open, last) = told(&[poll("5.0", "linking\n"), poll("5.0", "")]);
    assert_eq!(open, ["`make check` still ran in the background when the session ended"]);
    assert_eq!(last, "ran `make check`, which still ran at the end");
    // It came back at once, or with what was printed last.
    for last in [poll("0.3", ""), poll("1.8", "all is well\n")] {
        let (open, last) = told(&[poll("5.0", ""), last]);
        assert_eq!((open, last.as_str()), (Vec::new(), "ran `make check`"));
    }
}

#[test]
fn a_script_that_came_back_before_its_command_ended_passed_nothing() {
    let script = "const r = await tools.exec_command({cmd:\"mise run lint\",yield_time_ms:20000});text(r.output)";
    let head = "Script completed\nWall time 9.8 seconds\nOutput:\n";
    let ran = |seconds: u64, printed: &str| {
        let output =
            json!([{"type": "input_text", "text": head}, {"type": "input_text", "text": printed}]);
        json!({"script": script, "output": output, "seconds": seconds})
    };
    let failed = ran(5, "[lint] $ tasks/lint\nerror: it is wrong\n[lint] ERROR task failed\n");
    // The task says so where it fails, and did not come as far as that.
    let again = |seconds: u64| {
        let session = codex(&[failed.clone(), ran(seconds, "[lint] $ tasks/lint\n✔ names\n")]);
        let pack = pack_of(&session);
        assert_eq!(open_by(&pack, "running"), [""; 0]);
        let check = facts(&pack, "check").concat();
        for form in ["ndjson", "atif"] {
            let exported = Call::new("one", &["export", "-", "--to", form]);
            let exported = exported.stdin(session.as_bytes()).run().stdout;
            assert_eq!(facts(&pack_of(&exported), "check").concat(), check, "{form}");
        }
        check
    };
    assert_eq!(again(9), "done `mise run lint`: passed");
    assert!(again(20).starts_with("open `mise run lint`"), "{}", again(20));
}

#[test]
fn what_stands_behind_a_check_that_still_ran_did_not_pass_by_its_output() {
    let output = |end: &str, printed: &str| {
        format!("Chunk ID: a\nWall time: 9.0 seconds\nProcess {end}\nOutput:\n{printed}")
    };
    let built = "[lint] $ tasks/lint\n    Finished `dev` profile in 0.1s\n✔ names\n";
    let passes = |end: &str| {
        let line = "mise run lint && cargo run --quiet -- test";
        let ran =
            json!({"name": "exec_command", "input": {"cmd": line}, "output": output(end, built)});
        facts(&codex_pack(&[ran]), "check").concat().contains("cargo run --quiet -- test`: passed")
    };
    assert!(!passes("running with session ID 4711"));
    assert!(passes("exited with code 0"));
}

#[test]
fn what_another_agent_answered_last_stands_beside_its_task() {
    let spawn = |name: &str| json!({"name": "spawn_agent", "input": {"task_name": name, "message": "look at the parser"}, "output": format!(r#"{{"task_name":"/root/{name}"}}"#)});
    let letter = |kind: &str, words: &str| json!({"from": "/root/tests", "text": format!("Message Type: {kind}\nTask name: /root\nSender: /root/tests\nPayload:\n{words}")});
    let stop = json!({"name": "interrupt_agent", "input": {"target": "/root/style"}, "output": r#"{"previous_status":"running"}"#});
    let both = [spawn("tests"), spawn("style")];
    let open = |more: &[Value]| open_by(&codex_pack(&[&both[..], more].concat()), "agent");
    let tasks = ["tests: look at the parser", "style: look at the parser"];
    assert_eq!(open(&[]), tasks);
    assert_eq!(open(&[letter("MESSAGE", "I begin")]), tasks);
    let found =
        "The last line of a file without an end is lost: read.rs:40 splits at the newline only.";
    // Where the agent that sent it off came to its own end after that, it was the answer.
    let ended = json!({"name": "update_plan", "input": {"plan": []}, "output": "Plan updated"});
    let written = [letter("MESSAGE", "all of it is fine"), ended];
    assert_eq!(open(&written), tasks);
    assert_eq!(open(&[&written[..], &[json!({"says": "Both are fine."})]].concat()), tasks[1..]);
    let answer = letter("FINAL_ANSWER", found);
    assert_eq!(open(std::slice::from_ref(&answer)), tasks[1..]);
    assert_eq!(open(&[stop]), tasks[..1]);
    let turns = codex_pack(&[&both[..], &[answer]].concat())["turns"].to_string();
    let beside = format!("gave to an agent: {} → {found}", tasks[0]);
    assert!(turns.contains(&beside), "{turns}");
}

#[test]
fn reports_that_nobody_answered_come_next_until_something_else_is_done() {
    let spawn = |name: &str| json!({"name": "spawn_agent", "input": {"task_name": name, "message": "look"}, "output": format!(r#"{{"task_name":"/root/{name}"}}"#)});
    let letter = |name: &str, kind: &str, words: &str| json!({"from": format!("/root/{name}"), "text": format!("Message Type: {kind}\nTask name: /root\nSender: /root/{name}\nPayload:\n{words}")});
    let first =
        "The last line of a file without an end is lost: read.rs:40 splits at the newline only.";
    let second =
        "The names are fine as they are, and so is the order of the files that are listed there.";
    let wait = json!({"name": "wait_agent", "input": {"timeout_ms": 3000}, "output": r#"{"message":"Wait timed out.","timed_out":true}"#});
    let stop = json!({"name": "interrupt_agent", "input": {"target": "/root/style"}, "output": r#"{"previous_status":"running"}"#});
    let both = [spawn("tests"), spawn("style"), letter("tests", "FINAL_ANSWER", first)];
    let pack = |more: &[Value]| codex_pack(&[&both[..], more].concat());
    let next = |more: &[Value]| pack(more)["now"]["next"].as_str().unwrap().to_owned();
    let one = format!("the report of the agent that was sent off came back: {first}");
    assert_eq!(next(&[]), one);
    assert_eq!(next(std::slice::from_ref(&wait)), one);
    assert_eq!(next(std::slice::from_ref(&stop)), one);
    let stopped = pack(std::slice::from_ref(&stop))["turns"].to_string();
    assert!(stopped.contains("gave to an agent: style: look → stopped later"), "{stopped}");
    // Who was stopped and then told one more thing goes on; whose work had ended was not stopped.
    let on = json!({"name": "followup_task", "input": {"target": "style", "message": "go on"}, "output": ""});
    let over = json!({"name": "close_agent", "input": {"target": "/root/style"}, "output": r#"{"previous_status":{"completed":"ok"}}"#});
    for more in [vec![stop.clone(), on], vec![over]] {
        let told = pack(&more)["turns"].to_string();
        assert!(!told.contains("stopped later"), "{told}");
    }
    // That another one is told of it, or that it was stopped again after all, changes nothing.
    let told = |to: &str, words: &str| json!({"name": "followup_task", "input": {"target": to, "message": words}, "output": ""});
    let others =
        [stop.clone(), told("/root/tests", "the style is next"), told("/root/style2", "go on")];
    for more in [others.to_vec(), vec![stop.clone(), told("style", "go on"), stop.clone()]] {
        let turns = pack(&more)["turns"].to_string();
        assert!(turns.contains("gave to an agent: style: look → stopped later"), "{turns}");
    }
    let two = next(&[wait, letter("style", "FINAL_ANSWER", second)]);
    let told = format!(
        "the reports of 2 agents that were sent off came back: (tests: look) {first} (style: look) {second}"
    );
    assert_eq!(two, told);
    // Who tells another one more has not answered it, nor who ticks off all that there is.
    let other = json!({"name": "followup_task", "input": {"target": "/root/style", "message": "the tests are read"}, "output": ""});
    assert_eq!(next(&[other]), one);
    let all = json!({"name": "update_plan", "input": {"plan": [{"step": "look", "status": "completed"}]}, "output": "Plan updated"});
    assert_eq!(next(&[all]), one);
    // Whoever sent off another one, told one more, ticked off the work or did something, knew of it.
    let more = json!({"name": "followup_task", "input": {"target": "/root/tests", "message": "mend it"}, "output": ""});
    let plan = json!({"name": "update_plan", "input": {"plan": [{"step": "look", "status": "completed"}, {"step": "mend", "status": "in_progress"}]}, "output": "Plan updated"});
    for since in [
        more.clone(),
        plan,
        json!({"name": "exec_command", "input": {"cmd": "make docs"}, "output": "Chunk ID: b\nWall time: 1.0 seconds\nProcess exited with code 0\nOutput:\n"}),
        spawn("more"),
    ] {
        let next = next(std::slice::from_ref(&since));
        assert!(!next.contains("came back"), "{next}");
    }
}

#[test]
fn what_an_agent_reported_stands_beside_its_task() {
    let report = "Done.\n\n# Findings\n\nThe reader drops the last line of a file that has no line end, in both of its modes.\n\nMore of it.";
    let agent = json!({"name": "Task", "input": {"description": "Audit the reader",
        "prompt": "Audit the reader", "subagent_type": "general"}, "output": report});
    let said = segue(
        &["show", "T-1", "--level", "compact", "--session", "-"],
        std::slice::from_ref(&agent),
    );
    let line = "gave to an agent: Audit the reader → The reader drops the last line";
    assert!(said.stdout.contains(line), "{}{}", said.stdout, said.stderr);
    // What the line has whole is not told again below it.
    let text = printed(&[agent, json!("I look at it.")]);
    assert_eq!(text.matches("The reader drops the last line").count(), 1, "{text}");
    assert!(text.contains("More of it."), "{text}");
}

#[test]
fn what_could_not_be_given_to_an_agent_is_open() {
    let give = |fails: bool| {
        let input = json!({"description": "Audit the reader", "prompt": "look"});
        let output = if fails { "agent limit reached" } else { "The reader holds." };
        json!({"name": "Task", "input": input, "output": output, "fails": fails})
    };
    let is_open = |steps: &[Value]| {
        let open = status(steps)["open"].clone();
        let told = "give to an agent: Audit the reader; what was tried failed";
        open.as_array().unwrap().iter().any(|work| work["text"] == json!(told))
    };
    assert!(is_open(&[json!("I have it checked."), give(true)]));
    // To say so makes nothing of it.
    assert!(is_open(&[give(true), json!("The agent could not be begun.")]));
    // It was given later, or the agent came to an end without it.
    assert!(!is_open(&[give(true), give(false)]));
    let own =
        [give(true), read("src/a.rs", "fn a() {}"), json!("I looked myself: the reader holds.")];
    assert!(!is_open(&own));
}
