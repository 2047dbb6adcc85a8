//! Whether the work of a session is done, and the last turn as a frame.

use serde_json::{Value, json};

use crate::convert_run::{claude, model, user};
use crate::program::{Call, Said};

/// Returns a session of one request, then of steps: each is what the agent says or calls, or what
/// the harness tells. Only calls with `in` say in which folder the shell was before them.
pub(crate) fn session(steps: &[Value]) -> String {
    let uuid = |number: usize| format!("{number:08x}-0000-4000-8000-000000000000");
    let line = |number: usize, kind: &str, content: &Value| {
        let record = json!({
            "type": kind, "uuid": uuid(number), "sessionId": "5e90e000-0000-4000-8000-000000000000",
            "parentUuid": (number > 1).then(|| uuid(number - 1)),
            "cwd": (number == 1).then_some("/home/ada/tool"),
            "timestamp": format!("2026-01-02T03:04:{:02}.000Z", number % 60), "version": "2.1.84",
            "message": {"id": format!("msg_{number}"), "role": kind, "content": content},
        });
        format!("{record}\n")
    };
    let mut lines = vec![line(1, "user", &json!("write the importer and its tests"))];
    for step in steps {
        let number = lines.len() + 1;
        if let Some(said) = step.as_str() {
            lines.push(line(number, "assistant", &json!([{"type": "text", "text": said}])));
            continue;
        }
        if let Some(thought) = step["thought"].as_str() {
            let thought = json!([{"type": "thinking", "thinking": thought, "signature": "x"}]);
            lines.push(line(number, "assistant", &thought));
            continue;
        }
        if !step["told"].is_null() {
            lines.push(line(number, "user", &step["told"]));
            continue;
        }
        if let Some(recap) = step["recap"].as_str() {
            let record = json!({
                "type": "system", "subtype": "away_summary", "content": recap, "isMeta": false,
                "uuid": uuid(number), "parentUuid": uuid(number - 1), "cwd": "/home/ada/tool",
                "sessionId": "5e90e000-0000-4000-8000-000000000000", "version": "2.1.228",
                "timestamp": format!("2026-01-02T03:04:{:02}.000Z", number % 60),
            });
            lines.push(format!("{record}\n"));
            continue;
        }
        if let Some(error) = step["error"].as_str() {
            let error = line(number, "assistant", &json!([{"type": "text", "text": error}]));
            lines.push(
                error
                    .replacen('{', "{\"isApiErrorMessage\":true,", 1)
                    .replace("\"role\":", "\"model\":\"<synthetic>\",\"role\":"),
            );
            continue;
        }
        let id = format!("c{number}");
        let call =
            json!([{"type": "tool_use", "id": id, "name": step["name"], "input": step["input"]}]);
        let result = json!([{"type": "tool_result", "tool_use_id": id,
            "is_error": step["fails"] == json!(true), "content": step["output"]}]);
        let folder = step["in"].as_str().map(|folder| format!("\"cwd\":\"{folder}\""));
        let call = line(number, "assistant", &call);
        lines.push(folder.map_or(call.clone(), |folder| call.replace("\"cwd\":null", &folder)));
        // What never came back has no result.
        if step["output"].is_null() {
            continue;
        }
        let result = line(number + 1, "user", &result);
        // What a person chose stands beside what the model is told.
        let chosen = step.get("answers").map(|chosen| json!({ "answers": chosen }));
        let beside = chosen.map(|chosen| format!("{{\"toolUseResult\":{chosen},"));
        lines.push(beside.map_or(result.clone(), |beside| result.replacen('{', &beside, 1)));
    }
    lines.concat()
}

pub(super) fn shell(command: &str, output: &str) -> Value {
    json!({"name": "Bash", "input": {"command": command}, "output": output})
}

pub(super) fn failing(command: &str, output: &str) -> Value {
    json!({"name": "Bash", "input": {"command": command}, "output": format!("Exit code 101\n{output}"), "fails": true})
}

pub(super) fn edit(path: &str, old: &str, new: &str) -> Value {
    json!({"name": "Edit", "input": {"file_path": format!("/home/ada/tool/{path}"), "old_string": old, "new_string": new}, "output": "ok"})
}

/// What the user typed, or the harness told.
pub(super) fn told(words: &str) -> Value {
    json!({ "told": words })
}

pub(super) fn read(path: &str, output: &str) -> Value {
    json!({"name": "Read", "input": {"file_path": format!("/home/ada/tool/{path}")}, "output": output})
}

pub(super) fn todos(done: usize, all: usize) -> Value {
    let status = |at: usize| if at < done { "completed" } else { "pending" };
    let names = ["read the file", "parse the amounts", "write tests", "document the format"];
    let todos: Vec<_> = (0..all)
        .map(|at| json!({"content": names[at], "status": status(at), "activeForm": names[at]}))
        .collect();
    json!({"name": "TodoWrite", "input": {"todos": todos}, "output": "ok"})
}

pub(super) fn segue(command: &[&str], steps: &[Value]) -> Said {
    Call::new("nobody", command).stdin(session(steps).as_bytes()).run()
}

pub(super) fn status(steps: &[Value]) -> Value {
    let said = segue(&["status", "-", "--json"], steps);
    let status: Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(said.code == 0, status["done"] == json!(true), "{}", said.stdout);
    status
}

pub(super) fn pack(steps: &[Value]) -> Value {
    let said = segue(&["pack", "-", "--json", "--budget", "20000"], steps);
    assert_eq!(said.code, 0, "{}", said.stderr);
    serde_json::from_str(&said.stdout).unwrap()
}

/// Returns state and text of the facts of one kind. A check that fails stands among the open work alone,
/// unless its command is told as failing by its exit code.
pub(super) fn facts(pack: &Value, kind: &str) -> Vec<String> {
    let all = pack["facts"].as_array().unwrap().iter().filter(|fact| fact["kind"] == json!(kind));
    let told = all.map(|fact| {
        format!("{} {}", fact["state"].as_str().unwrap(), fact["text"].as_str().unwrap())
    });
    let works = pack["open_work"].as_array().unwrap().iter();
    let failing = works.filter(|work| kind == "check" && work["source"] == json!("check"));
    let failing = failing.filter_map(|work| {
        let text = work["text"].as_str()?.strip_prefix("make ")?;
        let command = text.split('`').nth(1)?;
        let mut failures = pack["failures"].as_array().unwrap().iter();
        let is_it = |one: &Value| one["command"].as_str().unwrap().contains(command);
        if failures.any(|one| !one["exit_code"].is_null() && is_it(one)) {
            return None;
        }
        Some(format!("open {}", text.replacen("` pass: ", "`: ", 1)))
    });
    told.chain(failing).collect()
}

pub(super) const PASSED: &str = "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured\n";

pub(super) const FAILED: &str = "test parse::amount ... FAILED\n\ntest result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured\nerror: test failed, to rerun pass `--lib`\n";

#[test]
fn a_claim_closes_nothing() {
    let found = status(&[todos(3, 4), json!("All done!")]);
    assert_eq!((&found["done"], &found["closure_mismatch"]), (&json!(false), &json!(true)));
    assert_eq!(found["reasons"], json!(["pending_items_open"]));
    assert_eq!(found["plan"], json!([3, 4]));
    assert_eq!(found["open"][0]["text"], json!("document the format"));
    let said = segue(&["status", "-"], &[todos(3, 4), json!("All done!")]);
    assert_eq!(said.code, 1);
    assert!(
        said.stdout.starts_with("not done, though the agent said that it is\n"),
        "{}",
        said.stdout
    );
    assert!(
        said.stderr.contains("error: the work is not done: pending_items_open"),
        "{}",
        said.stderr
    );
}

#[test]
fn people_are_told_each_thing_once() {
    let told = |steps: &[Value]| segue(&["status", "-"], steps).stdout;
    let failed = told(&[edit("src/a.rs", "x", "y"), failing("cargo test", FAILED), json!("Hm.")]);
    assert_eq!(failed.matches("parse::amount").count(), 1, "{failed}");
    assert!(failed.contains("\nopen: make `cargo test` pass: 1 of 3 failed: parse"), "{failed}");
    let unknown = told(&[
        edit("src/a.rs", "x", "y"),
        shell("cargo test | head -1", "Compiling"),
        json!("Hm."),
    ]);
    assert_eq!(unknown.matches("cargo test").count(), 1, "{unknown}");
    assert!(unknown.contains("so it is not known how it ended\n"), "{unknown}");
    let later = told(&[shell("cargo test", PASSED), edit("src/a.rs", "x", "y"), json!("Hm.")]);
    assert_eq!(
        later,
        "not done\nlast check: `cargo test`: passed (3 tests); 1 file was changed since\n"
    );
    // Of another check that failed, too, both are told.
    let two = [
        edit("src/a.rs", "x", "y"),
        failing("cargo test", FAILED),
        shell("cargo clippy | head -1", "Checking"),
    ];
    assert!(told(&two).contains("make `cargo test` pass"), "{}", told(&two));
    // What keeps nothing from being done is not called open.
    let commit = shell("git commit -m 'add a'", "[main 1234567] add a\n 1 file changed");
    let left = [commit, edit("src/a.rs", "x", "y"), shell("cargo test", PASSED), json!("Hm.")];
    assert!(told(&left).starts_with("done\n") && !told(&left).contains("\nopen:"));
    assert!(told(&left).contains("\nleft: commit: 1 file edited"), "{}", told(&left));
}

#[test]
fn work_that_a_check_bears_out_is_done() {
    let steps =
        [edit("src/a.rs", "x", "y"), todos(4, 4), shell("cargo test", PASSED), json!("All done!")];
    let found = status(&steps);
    assert_eq!((&found["done"], &found["outcome"]), (&json!(true), &json!("success")));
    assert_eq!(found["closure_mismatch"], json!(false));
}

#[test]
fn changes_after_the_last_run_are_not_shown_to_work() {
    let steps = [shell("cargo test", PASSED), edit("src/a.rs", "x", "y"), json!("Done.")];
    let found = status(&steps);
    assert_eq!(found["reasons"], json!(["missing_evidence"]));
    assert_eq!(
        facts(&pack(&steps), "check"),
        ["stale `cargo test`: passed (3 tests); 1 file was changed since"]
    );
}

pub(super) fn ended(name: &str, status: &str, more: &str) -> Value {
    let told = format!(
        "<task-notification>\n<task-id>{name}</task-id>\n<status>{status}</status>\n{more}\n</task-notification>"
    );
    json!({ "told": told })
}

#[test]
fn what_the_agent_names_as_left_is_mentioned_and_no_claim_that_all_is_done() {
    let work = |words: &str| {
        let passed = shell("cargo test", "test result: ok. 3 passed; 0 failed; 0 ignored\n");
        vec![edit("src/a.rs", "x", "y"), passed, json!(words)]
    };
    for (words, left) in [
        ("All 3 tests pass. Left: the page of amounts.", "Left: the page of amounts."),
        ("Done.\n\n**Left to do**\n- the page of amounts", "the page of amounts"),
    ] {
        let said = segue(&["status", "-q", "-"], &work(words)).stdout;
        let mentioned: Vec<_> =
            said.lines().filter_map(|line| line.strip_prefix("mentioned: ")).collect();
        assert!(said.starts_with("done\n") && mentioned.len() == 1, "{said}");
        assert!(mentioned[0].starts_with(left), "{said}");
        let text = printed(&work(words));
        assert!(!text.contains("Nothing known is left"), "{text}");
    }
    let said = segue(&["status", "-q", "-"], &work("All 3 tests pass. Left: nothing.")).stdout;
    assert!(said.starts_with("done, as the agent said\n"), "{said}");
}

/// Packs a session of Codex CLI: a request, then calls, each a tool, its input and what came back, or a
/// message of another agent, of the agent or of the user, or an event.
pub(super) fn codex_pack(steps: &[Value]) -> Value {
    pack_of(&codex(steps))
}

/// Returns the status of such a session.
pub(super) fn codex_status(steps: &[Value]) -> Value {
    let said = Call::new("one", &["status", "-", "--json"]).stdin(codex(steps).as_bytes()).run();
    serde_json::from_str(&said.stdout).unwrap_or_else(|_| panic!("{}", said.stderr))
}

pub(super) fn pack_of(session: &str) -> Value {
    let args = ["pack", "-", "--json", "--no-check", "--budget", "9000"];
    let said = Call::new("one", &args).stdin(session.as_bytes()).run();
    serde_json::from_str(&said.stdout).unwrap_or_else(|_| panic!("{}", said.stderr))
}

pub(super) fn codex(steps: &[Value]) -> String {
    let later = |second: u64, kind: &str, payload: &Value| {
        let stamp = format!("2026-01-02T03:04:{:02}.100Z", 5 + second);
        json!({"timestamp": stamp, "type": kind, "payload": payload}).to_string()
    };
    let line = |kind: &str, payload: &Value| later(0, kind, payload);
    let item = |payload: Value| line("response_item", &payload);
    let text = |words: &Value| json!([{"type": "input_text", "text": words}]);
    let meta = json!({"id": "01a1ffd7-0000-7000-8000-00000000000f", "cwd": "/w", "cli_version": "0.169.0", "source": "cli"});
    let ask = json!({"type": "message", "role": "user", "content": text(&json!("review it"))});
    let mut lines = vec![line("session_meta", &meta), item(ask)];
    for (at, step) in steps.iter().enumerate() {
        if let Some(from) = step["from"].as_str() {
            lines.push(item(json!({"type": "agent_message", "id": format!("a{at}"), "author": from, "recipient": "/root", "content": text(&step["text"])})));
            continue;
        }
        if let Some(words) = step.get("user") {
            lines.push(item(json!({"type": "message", "role": "user", "content": text(words)})));
            continue;
        }
        if let Some(event) = step.get("event") {
            lines.push(line("event_msg", event));
            continue;
        }
        if let Some(says) = step["says"].as_str() {
            let said = json!([{"type": "output_text", "text": says}]);
            lines.push(item(json!({"type": "message", "role": "assistant", "content": said})));
            continue;
        }
        let (id, input) = (format!("call_{at}"), step["input"].to_string());
        if let Some(script) = step["script"].as_str() {
            lines.push(item(
                json!({"type": "custom_tool_call", "call_id": id, "name": "exec", "input": script}),
            ));
            lines.push(later(step["seconds"].as_u64().unwrap_or(0), "response_item", &
                json!({"type": "custom_tool_call_output", "call_id": id, "output": step["output"]}),
            ));
            continue;
        }
        lines.push(item(json!({"type": "function_call", "call_id": id, "name": step["name"], "arguments": input})));
        lines.push(item(
            json!({"type": "function_call_output", "call_id": id, "output": step["output"]}),
        ));
    }
    lines.join("\n")
}

/// The open work of a pack that one source lists.
pub(super) fn open_by(pack: &Value, source: &str) -> Vec<String> {
    let all = pack["open_work"].as_array().unwrap().iter();
    let of_source = all.filter(|work| work["source"] == json!(source));
    of_source.map(|work| work["text"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn what_fails_by_its_verdict_alone_is_to_be_mended_next() {
    let script = |line: &str| {
        format!("const r = await tools.exec_command({{cmd:{line:?}}}); text(r.output);")
    };
    let ran = |line: &str, output: &str| {
        let head = "Script completed\nWall time 0.2 seconds\nOutput:\n";
        json!({"script": script(line), "output": [{"type": "input_text", "text": head}, {"type": "input_text", "text": output}]})
    };
    let red = "error[E0433]: failed to resolve: could not find `types` in `super`\n --> src/a.rs:5:1\nerror: could not compile `lamp` (lib) due to 1 previous error\n";
    let now = |line: &str, output: &str| codex_pack(&[ran(line, output)])["now"].clone();
    let line = "cargo fmt --all && cargo test lamp && cargo check";
    let failed = now(line, red);
    let done = failed["last_done"].as_str().unwrap();
    assert!(done.contains("→ failed: error[E0433]"), "{failed}");
    assert!(failed["next"].as_str().unwrap().starts_with("mend what makes `cargo fmt"), "{failed}");
    let passed = now(line, "test result: ok. 3 passed; 0 failed; 0 ignored\n    Finished dev\n");
    assert!(!passed["last_done"].as_str().unwrap().contains("failed:"), "{passed}");
    assert!(!passed["next"].as_str().unwrap().starts_with("mend"), "{passed}");
}

#[test]
fn what_others_see_and_had_not_come_back_is_asked_for_first() {
    let script = "const r = await tools.exec_command({cmd:\"git push origin lamp\",yield_time_ms:1000}); text(r.output); if(r.session_id) text(`SESSION_ID=${r.session_id}`);";
    let begun = |more: &str| {
        let texts = ["Script completed\nWall time 1.2 seconds\nOutput:\n", "Pushing", more];
        json!({"script": script, "output": texts.map(|text| json!({"type": "input_text", "text": text}))})
    };
    let first = |steps: &[Value]| codex_pack(steps)["checks"][0].clone();
    let asks = "`git fetch; git status -sb`: was it pushed? `git push origin lamp` still ran when the session ended";
    assert_eq!(first(&[begun("SESSION_ID=158")]), json!(asks));
    let ended = json!({"name": "write_stdin", "input": {"session_id": 158, "chars": ""}, "output": "Chunk ID: b\nWall time: 8.0 seconds\nProcess exited with code 0\nOutput:\n"});
    assert_eq!(first(&[begun("SESSION_ID=158"), ended]), Value::Null);
    assert_eq!(first(&[begun("")]), Value::Null);
}

#[test]
fn changes_after_the_last_commit_are_open() {
    let commit =
        shell("git commit -am 'Read amounts'", "[main 1a2b3c4] Read amounts\n 1 file changed\n");
    let steps = [edit("src/a.rs", "x", "y"), commit, edit("src/b.rs", "x", "y"), json!("ok")];
    assert_eq!(
        pack(&steps)["open_work"][0]["text"],
        json!("commit: 1 file edited since 1a2b3c4 \"Read amounts\": src/b.rs")
    );
    assert_eq!(pack(&steps[..2])["open_work"], json!([]));
}

#[test]
fn the_last_words_list_work_but_offers_are_none() {
    let words = "Built it.\n\n## Next steps\n\n- Document the format\n- Want me to add dates?\n\n## Notes\n\n- It is fast\n";
    let found = pack(&[json!(words)]);
    let open = found["open_work"].as_array().unwrap();
    assert_eq!(open.len(), 1, "{open:?}");
    assert_eq!((&open[0]["text"], &open[0]["trust"]), (&json!("Document the format"), &json!("C")));
    // What an agent only says does not keep the work from being done, but for a question.
    assert_eq!(status(&[json!(words)])["reasons"], json!(["waits_for_user"]));
    let told = words.replace("- Want me to add dates?\n", "");
    assert_eq!(status(&[json!(told)])["done"], json!(true));
}

#[test]
fn nothing_is_listed_twice() {
    let words = "## Remaining\n\n- Document the format\n- [ ] document the format!\n";
    let found = pack(&[todos(3, 4), json!(words)]);
    assert_eq!(found["open_work"].as_array().unwrap().len(), 1, "{}", found["open_work"]);
}

#[test]
fn open_boxes_of_the_last_plan_count_until_work_goes_on() {
    let plan = json!({"name": "Write", "input": {"file_path": "/home/ada/tool/docs/plan.md", "content": "# Plan\n\n- [ ] Read dates\n- [ ] Read times\n"}, "output": "ok"});
    let tick = edit("docs/plan.md", "- [ ] Read dates", "- [x] Read dates");
    let open = |steps: &[Value]| pack(steps)["open_work"].as_array().unwrap().len();
    assert_eq!(open(&[plan.clone(), json!("ok")]), 2);
    assert_eq!(open(&[plan.clone(), tick.clone(), json!("ok")]), 1);
    assert_eq!(status(&[plan.clone(), json!("ok")])["reasons"], json!(["dod_incomplete"]));
    let ticked = shell("sed -i 's/. ./x/' docs/plan.md", "");
    assert_eq!(open(&[plan.clone(), ticked, json!("ok")]), 0);
    assert_eq!(open(&[plan, edit("src/a.rs", "x", "y"), json!("ok")]), 0);
}

#[test]
fn marks_for_later_that_are_still_there_are_open() {
    let steps = [
        edit("src/a.rs", "x", "// TODO: dates\n// TODO: times\ny"),
        edit("src/a.rs", "// TODO: times\n", ""),
        json!("ok"),
    ];
    let found = pack(&steps);
    assert_eq!(found["open_work"][0]["text"], json!("src/a.rs: // TODO: dates"));
    assert_eq!(found["open_work"].as_array().unwrap().len(), 1);
}

/// Returns the card of a session that goes on with another request after its steps.
pub(super) fn card(steps: &[Value], request: &str) -> Value {
    let first = session(steps);
    let (head, _) = first.trim_end().rsplit_once("\"uuid\":\"").unwrap();
    let last = first.trim_end()[head.len() + 8..].split('"').next().unwrap().to_owned();
    let next = json!({
        "type": "user", "uuid": "ffffffff-0000-4000-8000-000000000000", "parentUuid": last,
        "sessionId": "5e90e000-0000-4000-8000-000000000000", "cwd": "/home/ada/tool",
        "timestamp": "2026-01-02T03:05:00.000Z", "version": "2.1.84",
        "message": {"role": "user", "content": request},
    });
    let text = format!("{first}{next}\n");
    let said = Call::new("nobody", &["pack", "-", "--json"]).stdin(text.as_bytes()).run();
    let pack: Value = serde_json::from_str(&said.stdout).unwrap();
    pack["now"].clone()
}

/// Returns a pack as text.
pub(super) fn printed(steps: &[Value]) -> String {
    let said = segue(&["pack", "-"], steps);
    assert_eq!(said.code, 0, "{}", said.stderr);
    said.stdout
}

/// A session whose last line is of `kind`, with `message`, and other fields.
fn ended_by(message: &Value, more: &Value) -> String {
    let mut record = json!({
        "type": "assistant", "uuid": "00000009-0000-4000-8000-000000000000",
        "sessionId": "5e90e000-0000-4000-8000-000000000000", "cwd": "/home/ada/tool",
        "parentUuid": "00000003-0000-4000-8000-000000000000",
        "timestamp": "2026-01-02T03:05:00.000Z", "version": "2.1.84", "message": message,
    });
    record.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    format!("{}{record}\n", session(&[shell("cargo test", PASSED)]))
}

#[test]
fn a_session_that_an_error_or_a_limit_ended_is_not_done() {
    let call =
        |command: &[&str], lines: &str| Call::new("nobody", command).stdin(lines.as_bytes()).run();
    let error = json!({"id": "e", "role": "assistant", "model": "<synthetic>",
        "content": [{"type": "text", "text": "API Error: 529 overloaded"}]});
    let lines = ended_by(&error, &json!({"isApiErrorMessage": true}));
    let text = call(&["pack", "-"], &lines).stdout;
    let told = "the session ended with an error: API Error: 529 overloaded";
    // It is told once, as what is open.
    assert!(text.contains(&format!("- [ ] {told} (W-")) && !text.contains("Next:"), "{text}");
    assert!(text.contains("Then go on"), "{text}");
    assert!(!text.contains("last words"), "{text}");
    let status = call(&["status", "-"], &lines);
    assert!(status.code == 1 && status.stdout.contains(told), "{}", status.stdout);
    // An answer that broke off while it came in is none.
    let begun = json!({"id": "m", "role": "assistant", "model": "m",
        "content": [{"type": "text", "text": "All"}]});
    let broken = ended_by(&begun, &json!({"isAbortedMidStream": true}));
    assert_eq!(call(&["status", "-"], &broken).code, 1);
    assert_eq!(call(&["status", "-"], &ended_by(&begun, &json!({}))).code, 0);
    // What the model said before it went on is no end.
    let interim = json!({"id": "m", "role": "assistant", "model": "m", "stop_reason": "tool_use",
        "content": [{"type": "text", "text": "The importer is written. Now the docs."}]});
    let lines = ended_by(&interim, &json!({}));
    let text = call(&["pack", "-"], &lines).stdout;
    let unanswered = "The turn has no answer yet: go on from the agent's last words above.";
    assert!(text.contains(unanswered), "{text}");
    assert_eq!(call(&["status", "-"], &lines).code, 1);
    let exported = call(&["export", "-"], &lines).stdout;
    assert!(exported.contains("\"interim\":true"), "{exported}");
    assert_eq!(call(&["pack", "-"], &exported).stdout, text);
    // What it goes on to do says all that is open.
    let announced = json!({"id": "m", "role": "assistant", "model": "m", "stop_reason": "tool_use",
        "content": [{"type": "text", "text": "It is untracked. Retrying `git add a.md`, then `git status`."}]});
    let told = call(&["status", "-"], &ended_by(&announced, &json!({})));
    assert!(told.code == 1 && told.stdout.contains("announced: Retrying"), "{}", told.stdout);
    assert!(!told.stdout.contains("in the middle of it"), "{}", told.stdout);
    let told = call(&["status", "-"], &lines).stdout;
    assert!(told.contains("in the middle of it"), "{told}");
}

#[test]
fn what_is_waited_for_is_known_by_its_name() {
    let begin = |command: &str, name: &str| {
        shell(command, &format!("Command running in background with ID: {name}"))
    };
    let poll = |name: &str, output: &str| json!({"name": "BashOutput", "input": {"bash_id": name}, "output": output});
    let steps = [
        begin("cargo test", "b1"),
        begin("npm test", "b2"),
        begin("npm run dev", "b12"),
        begin("npm run lint", "bash_1 after 0.1 s"),
        poll("b1", "test result: FAILED. 2 passed; 1 failed; 0 ignored"),
        poll("b2", "Tests:       9 passed, 9 total"),
    ];
    let told = facts(&pack(&steps), "check");
    assert_eq!(told, ["done `npm test`: passed (9 tests)", "open `cargo test`: 1 of 3 failed"]);
    let unknown = [&steps[..3], &[poll("b3", PASSED)]].concat();
    assert!(!facts(&pack(&unknown), "check").iter().any(|text| text.contains("passed")));
}

#[test]
fn a_check_of_which_nobody_saw_the_end_is_named() {
    let missing = |line: &str, output: &str| {
        let steps = [edit("src/a.rs", "x", "y"), shell(line, output), json!("ok")];
        status(&steps)["missing"].clone()
    };
    let not_known = |command: &str| json!([format!("it is not known how `{command}` ended")]);
    assert_eq!(missing("gx lint 2>&1 | tail -5", "fine"), not_known("gx lint"));
    let line = "npx --yes prettier --check a.md; echo";
    assert_eq!(missing(line, "fine"), not_known("npx --yes prettier --check a.md"));
    let none = json!(["files were changed, and no test, build or check of them was seen"]);
    assert_eq!(missing("docker run --rm my-test:1 sh -c 'echo $A'", "x"), none);
    let image = "docker run --rm -v \"$PWD:/w\" ghcr.io/zizmorcore/zizmor@sha256:14e .";
    assert_eq!(missing(image, "No findings to report."), json!([]));
    assert_eq!(missing("cue vet config/a.cue", ""), json!([]));
    // What only sounds like one checks nothing.
    for line in [
        "docker run -v ./lint:/lint node npm start",
        "docker run -d --name healthcheck redis",
        "docker run --rm ubuntu echo spellcheck",
        "uv run --with types-check python serve.py",
        "sha256sum --check SUMS",
    ] {
        assert_eq!(missing(line, ""), none, "{line}");
    }
}

#[test]
fn a_claim_that_nothing_checked_is_told_as_that() {
    let checks = |steps: &[Value]| pack(steps)["checks"].to_string();
    let claim = json!("Fixed the bug.");
    let unchecked = "no test, build or check of them was seen";
    let changed = edit("src/a.rs", "x", "y");
    assert!(checks(&[changed.clone(), claim.clone()]).contains(unchecked));
    for steps in [
        vec![changed.clone(), shell("cargo test", PASSED), claim.clone()],
        vec![changed, json!("I look at it once more.")],
        vec![edit("notes.md", "x", "y"), claim.clone()],
        vec![read("src/a.rs", "x"), claim],
    ] {
        assert!(!checks(&steps).contains(unchecked), "{steps:?}");
    }
}

#[test]
fn the_number_of_tests_is_that_of_who_runs_them() {
    let line = "cargo fmt --check && mise run test:cargo";
    let steps = [edit("src/a.rs", "x", "y"), shell(line, PASSED), json!("ok")];
    let told = facts(&pack(&steps), "check");
    assert!(told.contains(&"done `cargo fmt --check`: passed".to_owned()), "{told:?}");
    assert!(told.contains(&"done `mise run test:cargo`: passed (3 tests)".to_owned()), "{told:?}");
    // Of two tasks of which neither names who counts it is that of the last; one alone has it behind a build, too.
    let begun = format!("[test:bats] $ ./bats\n[test:cargo] $ ./cargo\n{PASSED}");
    for (first, output, how) in [
        ("mise run test:bats", PASSED, "passed"),
        ("mise run test:bats", &begun, "passed"),
        ("mise run build", PASSED, ""),
    ] {
        let line = format!("{first} && mise run test:cargo");
        let steps = [edit("src/a.rs", "x", "y"), shell(&line, output), json!("ok")];
        let told = facts(&pack(&steps), "check");
        let last = "done `mise run test:cargo`: passed (3 tests)".to_owned();
        assert!(told.contains(&last), "{told:?}");
        let want = format!("done `{first}`: {how}");
        assert!(how.is_empty() || told.contains(&want), "{want}: {told:?}");
    }
    // A failure of other tests of the first stays open, whatever passes behind it.
    let red = failing("mise run test:bats b.bats", "1..1\nnot ok 1 sums\n");
    let green = shell("mise run test:bats a.bats && mise run test:cargo", PASSED);
    let commit = shell("git commit -qam 'mend'", "[main 1a2b3c4] mend\n 1 file changed");
    let told = status(&[edit("src/a.rs", "x", "y"), red, green, commit, json!("All is done.")]);
    assert_eq!(told["done"], json!(false), "{told}");
}

#[test]
fn what_the_agent_announced_last_is_not_done() {
    let steps = [
        shell("cargo test", PASSED),
        json!("It is untracked. Retrying `git add a.md`, then `git status`."),
    ];
    let found = status(&steps);
    assert_eq!(found["reasons"], json!(["pending_items_open"]));
    let told = "do what the agent announced: Retrying `git add a.md`, then `git status`.";
    assert_eq!(
        (&found["open"][0]["text"], &found["open"].as_array().unwrap().len()),
        (&json!(told), &1)
    );
    // What it only mentions keeps nothing from being done.
    let steps = [shell("cargo test", PASSED), json!("Fixed it. The docs still need a word on it.")];
    let said = segue(&["status", "-"], &steps);
    assert!(
        said.code == 0 && said.stdout.contains("\nmentioned: The docs still need"),
        "{}",
        said.stdout
    );
}

#[test]
fn what_was_set_aside_is_told_behind_what_is_at_hand() {
    let steps = [
        edit("src/a.rs", "x", "y"),
        failing("cargo test", "test a ... FAILED\n\ntest result: FAILED. 2 passed; 1 failed"),
        shell(
            "git commit -am cart && git push",
            "[main 1a2b3c4] cart\nTo x:y.git\n   1a2b3c4..5d6e7f8  main -> main",
        ),
        shell("gh pr checks 5 | tail -3", "build\tfail\t1m\thttps://x"),
        json!("I read the log."),
    ];
    let open = pack(&steps)["open_work"].clone();
    let texts: Vec<&str> =
        open.as_array().unwrap().iter().map(|work| work["text"].as_str().unwrap()).collect();
    assert!(texts[0].starts_with("what runs elsewhere failed"), "{texts:?}");
    assert!(texts[1].starts_with("`cargo test` failed before the work was committed"), "{texts:?}");
}

#[test]
fn who_asks_the_user_is_not_done() {
    let found = status(&[json!("All is written.\n\nWant me to push it?")]);
    assert_eq!(found["reasons"], json!(["waits_for_user"]));
    assert_eq!(
        (&found["claimed_done"], &found["closure_mismatch"]),
        (&json!(false), &json!(false))
    );
    let said = segue(&["status", "-"], &[json!("All is written.\n\nWant me to push it?")]);
    assert_eq!(said.code, 1);
    let told = "not done\nwaits: the user is asked something that is not answered yet";
    assert_eq!(said.stdout, format!("{told}: \"Want me to push it?\"\n"));
    let bids = json!("All is written. Which remote?\n\nLet me know which it is.");
    assert_eq!(segue(&["status", "-"], &[bids]).stdout, format!("{told}\n"));
    // A question that says little alone is quoted with what stands before it, without its marks.
    for (words, quoted) in [
        ("All is written.\n\nShall I take npm? Or yarn?", "Shall I take npm? Or yarn?"),
        ("All is written.\n\n**Shall I push it to the remote?**", "Shall I push it to the remote?"),
        ("#12 goes in first. Shall I merge it?", "#12 goes in first. Shall I merge it?"),
    ] {
        let said = segue(&["status", "-"], &[json!(words)]).stdout;
        assert!(said.contains(&format!("{told}: \"{quoted}\"\n")), "{said}");
    }
    let courtesy = status(&[json!("All is written. Is there anything else you need?")]);
    assert_eq!(courtesy["done"], json!(true), "{courtesy}");
}

#[test]
fn what_differs_is_told_in_words_whatever_list_it_is_of() {
    let fails = failing("cargo test", "error[E0425]: cannot find function `parse` in this scope");
    let steps = [
        json!("Which one?"),
        json!({"told": "the one for amounts"}),
        fails,
        edit("src/a.rs", "fn a()", "use b::parse;\nfn a()"),
        shell("cargo test", "test result: ok. 5 passed; 0 failed"),
        json!("The import was missing."),
    ];
    let said = segue(&["diff", "-", "--from", "T-1", "--json"], &steps);
    let found: Value = serde_json::from_str(&said.stdout).unwrap();
    let schema = serde_json::from_str(include_str!("../../schemas/diff-1.schema.json")).unwrap();
    assert!(jsonschema::validator_for(&schema).unwrap().is_valid(&found), "{found}");
    let new = found["new"].as_array().unwrap();
    assert!(new.iter().any(|entry| entry["list"] == "lessons"), "{found}");
    assert!(new.iter().all(|entry| !entry["text"].as_str().unwrap().is_empty()), "{found}");
}

#[test]
fn it_ended_well_only_where_nothing_speaks_against_it() {
    let work =
        [edit("src/a.rs", "x", "y"), shell("cargo test", "test result: ok. 5 passed; 0 failed")];
    let ended = |words: &str| status(&[&work[..], &[json!(words)]].concat())["outcome"].clone();
    assert_eq!(ended("It parses amounts."), "success");
    assert_eq!(ended("It parses amounts. Want me to push it?"), "partial");
}

#[test]
fn a_session_in_which_nothing_was_asked_is_not_done() {
    let typed = user("<command-name>/clear</command-name>\n<command-args></command-args>");
    let status = |lines: &[Value], args: &[&str]| {
        let file = claude(Some("/w"), lines);
        Call::new("/nowhere", &[&["status", "-"], args].concat()).stdin(file.as_bytes()).run()
    };
    for args in [&[][..], &["--json"]] {
        let said = status(std::slice::from_ref(&typed), args);
        assert_eq!((said.code, said.stdout.as_str()), (3, ""), "{}", said.stderr);
        let told = "has nothing to go on with: nothing was asked or done in it";
        assert!(said.stderr.contains(told), "{}", said.stderr);
    }
    // What a program asks and the agent answers is something.
    let answer = model(&json!([{"type": "text", "text": "Ready."}]));
    assert_eq!(status(&[typed, answer], &[]).stdout, "done\n");
}
