//! How it is told what became of commands that ran on after their calls had come back, of runs elsewhere, and of what was
//! not let run.

use serde_json::{Value, json};

use crate::status::{codex_pack, edit, ended, failing, open_by, pack, read, shell, status, told};

const BEGUN: &str = "Command running in background with ID: b7xaaq. Output is being written to: /tmp/t/b7xaaq.output";

fn begun(line: &str) -> Value {
    json!({"name": "Bash", "input": {"command": line, "run_in_background": true}, "output": BEGUN})
}

/// What the harness tells of how that ended.
fn over(code: u32) -> Value {
    let (status, how) = if code == 0 { ("completed", "completed") } else { ("failed", "failed") };
    let more = format!("<summary>Background command \"x\" {how} with exit code {code}</summary>");
    ended("b7xaaq", status, &more)
}

fn look(output: &str) -> Value {
    shell("cat /tmp/t/b7xaaq.output", output)
}

fn changed() -> Value {
    edit("src/a.rs", "x", "y")
}

/// Returns the commands that a pack tells as failing, each with its exit code and the line that tells most.
fn fails(pack: &Value) -> Vec<String> {
    let all = pack["failures"].as_array().unwrap().iter();
    let told = all.map(|one| {
        let code = one["exit_code"].as_i64().map_or_else(|| "?".to_owned(), |it| it.to_string());
        let line = one["lines"].as_array().and_then(|lines| lines.first()?.as_str());
        format!("{} {code} {}", one["command"].as_str().unwrap(), line.unwrap_or_default())
    });
    told.map(|told| told.trim_end().to_owned()).collect()
}

fn last_done(pack: &Value) -> &str {
    pack["now"]["last_done"].as_str().unwrap_or_default()
}

#[test]
fn what_failed_after_its_call_had_come_back_failed() {
    let packed = |more: &[Value]| pack(&[&[changed()], more, &[json!("Done.")]].concat());
    let told = packed(&[begun("./deploy.sh"), over(1)]);
    assert_eq!(fails(&told), ["./deploy.sh 1"]);
    assert!(last_done(&told).starts_with("ran `./deploy.sh` → exit 1;"), "{}", last_done(&told));
    let shown = packed(&[begun("./deploy.sh"), over(1), look("Error: 403")]);
    assert_eq!(fails(&shown), ["./deploy.sh 1 Error: 403"]);
    let asked = "<retrieval_status>success</retrieval_status>\n\n<task_id>b7xaaq</task_id>\n\n<status>failed</status>\n\n<exit_code>1</exit_code>\n\n<output>\nError: 403\n</output>";
    let asked = json!({"name": "TaskOutput", "input": {"task_id": "b7xaaq"}, "output": asked});
    let asked = packed(&[begun("./deploy.sh"), asked]);
    assert_eq!(fails(&asked), ["./deploy.sh 1 Error: 403"]);
    let open = status(&[changed(), begun("./deploy.sh"), over(1), json!("Done.")]);
    assert_eq!((&open["done"], &open["reasons"][0]), (&json!(false), &json!("blockers_open")));
    // What ended well, was done again, or was ended by somebody did not.
    for more in [
        vec![begun("./deploy.sh"), over(0)],
        vec![begun("./deploy.sh"), over(1), shell("./deploy.sh", "out")],
        vec![begun("./serve"), over(143)],
        vec![begun("./serve"), shell("pkill -f ./serve", ""), over(1)],
        vec![begun("grep -r x src"), over(1)],
    ] {
        assert_eq!(fails(&packed(&more)), [""; 0], "{more:?}");
    }
    // It went on with something else.
    let later =
        packed(&[begun("./deploy.sh"), over(1), shell("git commit -am x", "[main 1a2b3c4] x")]);
    assert_eq!(fails(&later), ["./deploy.sh 1"]);
}

#[test]
fn a_command_that_was_waited_for_is_told_with_its_end() {
    let exec = |how: &str, printed: &str| {
        format!("Chunk ID: a\nWall time: 9.0 seconds\nProcess {how}\nOutput:\n{printed}")
    };
    let begun = json!({"name": "exec_command", "input": {"cmd": "cargo test"}, "output": exec("running with session ID 4711", "")});
    let waited = |how: &str, printed: &str| json!({"name": "write_stdin", "input": {"session_id": 4711, "chars": ""}, "output": exec(how, printed)});
    let red = "test parse ... FAILED\n\ntest result: FAILED. 1 passed; 1 failed; 0 ignored";
    let told = codex_pack(&[begun.clone(), waited("exited with code 101", red)]);
    assert_eq!(last_done(&told), "ran `cargo test` → exit 101: test parse ... FAILED");
    assert_eq!(told["failures"][0]["exit_code"], json!(101));
    let runs = codex_pack(&[begun, waited("running with session ID 4711", "")]);
    assert_eq!(last_done(&runs), "ran `cargo test`, which still ran at the end");
}

#[test]
fn of_several_exit_codes_each_is_known_by_what_it_is_of() {
    let packed = |line: &str, shown: &str| {
        let work = pack(&[changed(), begun(line), look(shown), json!("Done.")]);
        let codes = open_by(&work, "check");
        (!fails(&work).is_empty(), codes.first().cloned().unwrap_or_default())
    };
    let two = "make a; echo \"exit $?\"; make b; echo \"exit $?\"";
    assert!(packed(two, "exit 2\nexit 2").0);
    assert_eq!(packed(two, "exit 0\nexit 0"), (false, String::new()));
    let named = "./deploy.sh; echo \"deploy=$?\"; ./notify.sh; echo \"notify=$?\"";
    let told =
        "`./deploy.sh; ./notify.sh` ended in the background with the exit codes deploy=1, notify=0";
    assert_eq!(packed(named, "no\ndeploy=1\nnotify=0"), (false, told.to_owned()));
    // That of what only looks is an answer.
    for (line, shown) in [
        ("npm run gen; grep -c x out.txt; echo \"exit $?\"", "0\nexit 1"),
        ("./serve; echo \"exit $?\"", "exit 143"),
    ] {
        assert_eq!(packed(line, shown), (false, String::new()), "{line}");
    }
}

#[test]
fn who_ends_programs_ends_what_it_names() {
    let open = |line: &str, ends: Value| open_by(&pack(&[changed(), begun(line), ends]), "running");
    let dev = "npm run dev";
    for ends in [
        "pkill -f 'npm run dev'",
        "killall npm",
        "pkill -f \"run dev\"",
        "kill -9 $(pgrep -f npm)",
        "kill `pgrep -f npm`",
        "pgrep -f 'run dev' | xargs kill",
        "ps aux | grep npm | grep -v grep | awk '{print $2}' | xargs -r kill -9",
    ] {
        assert_eq!(open(dev, shell(ends, "")), [""; 0], "{ends}");
    }
    for ends in ["fuser -k 3000/tcp", "lsof -ti:3000 | xargs kill"] {
        assert_eq!(open("node serve.js --port 3000", shell(ends, "")), [""; 0], "{ends}");
    }
    assert_eq!(open("docker run --name web nginx", shell("docker rm -f web", "")), [""; 0]);
    let may_be = "`npm run dev` was begun in the background, and may have been ended since";
    for ends in [
        "kill %1",
        "kill $(lsof -ti:3000)",
        "pkill -f 'npm run test'",
        "pkill de",
        "lsof -ti:3000 | xargs kill",
        "ps aux | grep -v npm | xargs kill",
        "pkill -u npm vite",
    ] {
        assert_eq!(open(dev, shell(ends, "")), [may_be], "{ends}");
    }
    // A number in a name is not the number of another program.
    let line = "python etl.py --year 2024";
    let may_be = format!("`{line}` was begun in the background, and may have been ended since");
    assert_eq!(open(line, shell("pkill -f 'report-2024'", "")), [may_be]);
    let runs = "`npm run dev` still ran in the background when the session ended";
    assert_eq!(open(dev, shell("ps aux | grep npm | xargs echo", "")), [runs]);
    // There was none that it could have ended.
    assert_eq!(open(dev, failing("pkill -f 'npm run dev'", "")), [runs]);
    assert_eq!(open(dev, shell("ps aux", "npm run dev")), [runs]);
}

#[test]
fn a_stop_that_failed_leaves_running_what_it_was_to_stop() {
    let stop = |output: &str| json!({"name": "KillShell", "input": {"shell_id": "b7xaaq"}, "output": output, "fails": true});
    let open = |output: &str| {
        open_by(&pack(&[changed(), begun("npm run dev"), stop(output)]), "running").len()
    };
    assert_eq!(open("Error: could not signal it"), 1);
    assert_eq!(open("No shell found with ID: b7xaaq"), 0);
    assert_eq!(open("Shell b7xaaq is not running, so cannot be killed"), 0);
}

#[test]
fn what_only_looked_is_not_waited_for() {
    let open =
        |line: &str| open_by(&pack(&[changed(), begun(line), json!("Done.")]), "running").len();
    for line in
        ["git log --stat", "ls -R src", "grep -r x src; echo \"exit $?\"", "git diff | wc -l"]
    {
        assert_eq!(open(line), 0, "{line}");
    }
    for line in
        ["tail -f dev.log", "sleep 600; git log", "cp -r a b", "git log > out.txt", "./train.sh"]
    {
        assert_eq!(open(line), 1, "{line}");
    }
}

const PUSHED: &str = "To https://example.org/ada/tool.git\n   9f8e7d6..2a2b3c4  main -> main";

fn pushed() -> Vec<Value> {
    vec![changed(), shell("git commit -am x && git push", PUSHED)]
}

#[test]
fn what_runs_elsewhere_and_has_not_ended_is_known_in_every_form() {
    let open = |look: Value| {
        open_by(&pack(&[&pushed()[..], &[look, json!("Pushed.")]].concat()), "running").len()
    };
    for (line, shown) in [
        ("gh run view 12 --json status -q .status", "in_progress"),
        ("gh run view 12", "* main CI · 12\n\nJOBS\n* unit (ID 1)"),
        ("glab ci status", "(running) • 00m 10s\ttest\tunit\n\nPipeline state: running"),
        (
            "gh pr view 4 --json statusCheckRollup",
            "{\"statusCheckRollup\":[{\"state\":\"PENDING\"}]}",
        ),
        ("gh pr checks 4 --json name,bucket", "[{\"bucket\":\"pending\",\"name\":\"unit\"}]"),
        ("gh pr checks 4", "unit\twaiting\t0\thttps://x/runs/1"),
    ] {
        assert_eq!(open(shell(line, shown)), 1, "{line}");
    }
    for (line, shown) in [
        ("gh run view 12 --json status -q .status", "completed"),
        ("gh run view 12; git branch", "✓ main CI · 12\n* main"),
        ("glab ci status", "(success) • 00m 10s\ttest\tunit\n\nPipeline state: success"),
        ("gh pr checks 4", "waiting\tpass\t1m\thttps://x/runs/1"),
    ] {
        assert_eq!(open(shell(line, shown)), 0, "{line}");
    }
    // A wait whose time was up has seen no end.
    let cut = |line: &str, shown: &str| json!({"name": "Bash", "input": {"command": line}, "output": format!("Exit code 124\n{shown}"), "fails": true});
    assert_eq!(open(cut("timeout 300 gh run watch 12", "* main CI · 12\n* unit")), 1);
    assert_eq!(open(cut("timeout 300 gh pr checks 4 --watch", "unit\tpending\t0\thttps://x")), 1);
    let ended = "* main CI · 12\n* unit\n✓ main CI · 12\nRun CI (12) completed with 'success'";
    assert_eq!(open(shell("gh run watch 12", ended)), 0);
}

#[test]
fn a_loop_that_tries_something_again_is_no_wait() {
    let packed = |line: &str| {
        let cut = json!({"name": "Bash", "input": {"command": line}, "output": "Exit code 124\nlocked", "fails": true});
        fails(&pack(&[changed(), cut, shell("cat log", "x"), json!("It is out.")])).len()
    };
    assert_eq!(packed("until ./deploy.sh; do sleep 5; done"), 1);
    assert_eq!(packed("for i in 1 2 3; do ./migrate.sh && break; sleep 5; done"), 1);
    assert_eq!(packed("until grep -q ready log; do sleep 5; done"), 0);
}

#[test]
fn checks_of_one_pull_request_say_nothing_of_another() {
    let red = "unit\tfail\t47s\thttps://x/runs/11/job/1\nlint\tpass\t47s\thttps://x/runs/11/job/1";
    let seen = json!({"name": "Bash", "input": {"command": "gh pr checks 4"}, "output": format!("Exit code 1\n{red}"), "fails": true});
    let after = |more: &[Value]| {
        let work =
            pack(&[&pushed()[..], std::slice::from_ref(&seen), more, &[json!("Hm.")]].concat());
        (open_by(&work, "check").len(), fails(&work).len(), open_by(&work, "running").len())
    };
    assert_eq!(after(&[]).0, 1);
    let green = "unit\tpass\t47s\thttps://x/runs/15/job/1";
    assert_eq!(after(&[shell("gh pr checks 5", green)]).0, 1);
    assert_eq!(after(&[shell("gh pr checks 4", green)]), (0, 0, 0));
    // What passed since, in whatever way that was looked at, or was closed, does not fail.
    let run = "✓ main CI · 11\nRun CI (11) completed with 'success'";
    for more in [
        vec![shell("gh run rerun 11", ""), shell("gh run watch 11", run)],
        vec![shell("gh pr close 4", "✓ Closed pull request #4")],
        vec![shell("gh pr merge 4 --squash", "✓ Squashed and merged pull request #4")],
    ] {
        assert_eq!(after(&more), (0, 0, 0), "{more:?}");
    }
    assert_eq!(after(&[shell("gh pr close 9", "✓ Closed pull request #9")]).0, 1);
    // Nobody looked how that ended.
    for again in
        ["gh pr comment 4 --body '/retest'", "gh api -X POST repos/a/b/actions/runs/11/rerun"]
    {
        assert_eq!(after(&[shell(again, "")]), (0, 0, 1), "{again}");
    }
}

#[test]
fn a_server_that_lets_nobody_in_is_told_until_it_does() {
    let read = |at: usize| read(&format!("src/f{at}.rs"), "fn f() {}");
    let packed = |line: &str, output: &str, more: &[Value]| {
        let reads: Vec<Value> = (0..5).map(read).collect();
        fails(&pack(&[&[failing(line, output)], &reads[..], more, &[json!("Mended.")]].concat()))
            .len()
    };
    let out = "You are not logged into any GitHub hosts. To log in, run: gh auth login";
    assert_eq!(packed("gh auth status", out, &[]), 1);
    assert_eq!(packed("git fetch origin", "fatal: Could not read from remote repository.", &[]), 1);
    // It let somebody in later, or there was nothing to see.
    assert_eq!(packed("gh auth status", out, &[shell("gh pr list", "7\tmend it")]), 0);
    assert_eq!(packed("gh issue view 9", "GraphQL: Could not resolve to an Issue", &[]), 0);
    assert_eq!(packed("cat src/none.rs", "No such file or directory", &[]), 0);
}

#[test]
fn words_said_on_refusing_a_call_wait_for_an_answer() {
    let refused = |said: &str| {
        let start = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file).";
        let output = format!("{start}{said}");
        json!({"name": "Bash", "input": {"command": "rm -rf target"}, "output": output, "fails": true})
    };
    let words =
        " To tell you how to proceed, the user said:\nkeep target, and write the docs first";
    let open = status(&[changed(), refused(words)])["open"].to_string();
    let told = "answer the user, who said on refusing it: keep target, and write the docs first";
    assert!(open.contains(told), "{open}");
    let next =
        "do as the user said on refusing `rm -rf target`: keep target, and write the docs first";
    assert_eq!(pack(&[changed(), refused(words)])["now"]["next"], json!(next));
    let silent = open_by(&pack(&[changed(), refused(" STOP what you are doing.")]), "interrupted");
    assert!(silent[0].starts_with("the user refused and nothing came after"), "{silent:?}");
    let followed = status(&[changed(), refused(words), edit("README.md", "a", "b")]);
    assert!(!followed["open"].to_string().contains("refusing"), "{followed}");
}

#[test]
fn what_no_rule_let_run_is_no_failure_whoever_says_so() {
    let exec = |output: &str| {
        codex_pack(&[
            json!({"name": "exec_command", "input": {"cmd": "git push --force"}, "output": output}),
            json!({"says": "It is not let."}),
        ])
    };
    let by_policy = "exec_command failed for `git push --force`: CreateProcess { message: \"Rejected(\\\"`git push --force` rejected: blocked by policy\\\")\" }";
    let held = exec(by_policy);
    assert_eq!((fails(&held), last_done(&held)), (Vec::new(), ""));
    assert!(held["turns"].to_string().contains("not run"), "{}", held["turns"]);
    assert_eq!(fails(&exec("exec_command failed for `git push --force`: no such file")).len(), 1);
    // Of what was meant with a tool that is not there nothing was done.
    let none = json!({"name": "Nobody", "input": {"a": 1}, "output": "<tool_use_error>Error: No such tool available: Nobody</tool_use_error>", "fails": true});
    let open = open_by(&pack(&[told("go on"), none.clone(), json!("All done.")]), "interrupted");
    let told_open = "`Nobody`: it did not run, and nothing was done since";
    assert!(open.len() == 1 && open[0].starts_with(told_open), "{open:?}");
    let broken = json!({"name": "Nobody", "input": {"a": 1}, "output": "<tool_use_error>It broke</tool_use_error>", "fails": true});
    assert_eq!(open_by(&pack(&[told("go on"), broken, json!("Hm.")]), "interrupted").len(), 1);
}

#[test]
fn where_the_output_of_a_killer_goes_names_nothing() {
    let open = |line: &str, ends: &str| {
        open_by(&pack(&[changed(), begun(line), shell(ends, "")]), "running")
    };
    let line = "npm run worker > /tmp/w.log 2>&1";
    let may_be = "`npm run worker` was begun in the background, and may have been ended since";
    for ends in [
        "pkill -f vite >/dev/null 2>&1",
        "pkill -f vite > /tmp/w.log",
        "kill $(lsof -t -i:3000) 2>&1",
    ] {
        assert_eq!(open(line, ends), [may_be], "{ends}");
    }
    assert_eq!(open(line, "pkill -f 'npm run worker' 2>&1"), [""; 0]);
}

#[test]
fn what_failed_before_something_was_ended_failed_by_itself() {
    let packed = |line: &str, more: &[Value]| {
        fails(&pack(&[&[changed(), begun(line)], more, &[json!("Hm.")]].concat()))
    };
    let line = "./train.sh --port 3000";
    let told = format!("{line} 1");
    for kill in ["kill $(lsof -t -i:3000)", "pkill -f train.sh"] {
        assert_eq!(
            packed(line, &[over(1), shell(kill, "")]),
            std::slice::from_ref(&told),
            "{kill}"
        );
    }
    // Who frees a port may end another program; who names this one ends it.
    assert_eq!(packed(line, &[shell("fuser -k 3000/tcp", ""), over(1)]), [told]);
    assert_eq!(packed(line, &[shell("fuser -k 3000/tcp", ""), over(143)]), [""; 0]);
    assert_eq!(packed(line, &[shell("pkill -f train.sh 2>&1", ""), over(1)]), [""; 0]);
}

#[test]
fn red_checks_stay_red_whatever_is_said_closed_or_tagged() {
    let red = "Exit code 1\nunit\tfail\t47s\thttps://x/runs/11/job/1";
    let seen = json!({"name": "Bash", "input": {"command": "gh pr checks 4"}, "output": red, "fails": true});
    let after = |more: &str, output: &str| {
        let more = [seen.clone(), shell(more, output), json!("Hm.")];
        let work = pack(&[&pushed()[..], &more].concat());
        (fails(&work).len(), open_by(&work, "running").len())
    };
    for (more, output) in [
        ("gh pr comment 4 --body-file=/tmp/body.md", ""),
        ("gh pr comment 4 --body '/src is fine, the build is not'", ""),
        ("gh pr close old-branch", "✓ Closed pull request #9"),
        ("gh pr close https://github.com/a/b/pull/9", "✓ Closed pull request #9"),
        ("gh pr close -c 'replaces #4' 9", "✓ Closed pull request #9"),
        ("git push origin v1.2", "To https://x\n * [new tag] v1.2 -> v1.2"),
    ] {
        assert_eq!(after(more, output), (1, 0), "{more}");
    }
    for own in [
        "gh pr close https://github.com/a/b/pull/4",
        "gh pr close -c 'superseded by #5' 4",
        "gh pr close 4 --comment 'see 9'",
    ] {
        assert_eq!(after(own, "✓ Closed pull request #4"), (0, 0), "{own}");
    }
}

#[test]
fn a_loop_that_only_asks_waits() {
    let packed = |line: &str| {
        let cut = json!({"name": "Bash", "input": {"command": line}, "output": "Exit code 124\nlocked", "fails": true});
        fails(&pack(&[changed(), cut, shell("cat log", "x"), json!("It is out.")])).len()
    };
    for line in [
        "while ! nc -z localhost 5432; do sleep 1; done",
        "until ssh web true; do sleep 5; done",
        "while pgrep -f train.py; do sleep 30; done",
    ] {
        assert_eq!(packed(line), 0, "{line}");
    }
    assert_eq!(packed("until npm run migrate; do sleep 5; done"), 1);
}

#[test]
fn what_ran_on_is_shown_with_what_it_printed_later() {
    let script = |cmd: &str| {
        format!(
            "const r = await tools.exec_command({{cmd:\"{cmd}\",\"yield_time_ms\":1000}}); text(r.output); if(r.session_id) text(`SESSION_ID=${{r.session_id}}`);"
        )
    };
    let printed = |parts: &[&str]| {
        let head = ["Script completed\nWall time 1.2 seconds\nOutput:\n"];
        let parts = head.iter().chain(parts);
        json!(parts.map(|text| json!({"type": "input_text", "text": text})).collect::<Vec<_>>())
    };
    let begun =
        json!({"script": script("./check --all"), "output": printed(&["", "SESSION_ID=4711"])});
    let wait = "const r = await tools.write_stdin({session_id:4711,chars:\"\"}); text(r.output);";
    let waited = |text: &str| json!({"script": wait, "output": printed(&[text])});
    let details = |steps: &[Value]| codex_pack(steps)["turns"][0]["steps"].to_string();
    let told =
        details(&[begun.clone(), waited("looking\n"), waited("sh: actionlint: not found\n")]);
    assert!(told.contains("looking\\nsh: actionlint: not found"), "{told}");
    assert!(!told.contains("4711"), "{told}");
    // By which name it runs on helps nobody.
    let told = details(std::slice::from_ref(&begun));
    assert!(told.contains("./check --all") && !told.contains("4711"), "{told}");
    // A name at the end of a sentence, or behind any other word, is part of what was printed.
    for row in ["it listens on port 4711", "v4711", "failures=4711", "4711"] {
        let begun = json!({"name": "exec_command", "input": {"cmd": "./serve"}, "output": format!("Chunk ID: a\nWall time: 1.0 seconds\nProcess running with session ID 4711\nOutput:\n{row}")});
        let told = details(&[begun]);
        assert!(told.contains(row), "{told}");
    }
}

#[test]
fn of_the_log_of_a_run_elsewhere_is_shown_what_went_wrong() {
    let row = |row: &str| format!("lint\tCheck it\t2026-08-19T02:44:23.012Z {row}\n");
    let rows = |rows: &[&str]| rows.iter().map(|one| row(one)).collect::<String>();
    let setup: String = (0..30).map(|at| row(&format!("Step {at} of the runner"))).collect();
    let settings = rows(&["##[group]Run make lint", "  continue_on_error: false", "##[endgroup]"]);
    let found =
        rows(&["src/a.c:3:5: error: no such name", "##[error]Process completed with exit code 2."]);
    let clean = (0..30).map(|at| row(&format!("Post {at}"))).collect::<String>();
    let shown = |log: &str| {
        let seen = shell("gh run view 7 --log", log);
        pack(&[seen, json!("I look.")])["turns"][0]["steps"].to_string()
    };
    let told = shown(&[&*setup, &settings, &found, &clean].concat());
    assert!(told.contains("src/a.c:3:5: error: no such name\\n##[error]Process"), "{told}");
    assert!(!told.contains("continue_on_error") && !told.contains("Step 0"), "{told}");
    // One that tells of nothing wrong is shown by its head and its tail.
    let told = shown(&[setup.as_str(), &clean].concat());
    assert!(
        told.contains("Step 0 of") && told.contains("Post 29") && !told.contains("Z Step"),
        "{told}"
    );
    // Other outputs are shown as before, whatever words stand in them.
    let seen = shell("cat notes.txt", &[setup, found, clean].concat());
    let told = pack(&[seen, json!("I look.")])["turns"][0]["steps"].to_string();
    assert!(!told.contains("no such name"), "{told}");
}

#[test]
fn what_a_line_prints_of_its_own_end_counts() {
    let failures = |line: &str, output: &str| {
        let found = pack(&[edit("src/a.rs", "x", "y"), shell(line, output), json!("All is done.")]);
        found["failures"].as_array().unwrap().len()
    };
    for act in ["./deploy.sh", "bash scripts/deploy.sh", "git push -q"] {
        assert_eq!(failures(&format!("{act}; echo \"exit: $?\""), "no key\nexit: 1"), 1, "{act}");
    }
    for line in [
        "npm run deploy; rc=$?; echo \"rc=$rc\"",
        "./deploy.sh > l 2>&1; rc=$?; tail -3 l; echo \"rc=$rc\"",
        "rc=0; ./deploy.sh || rc=$?; ls dist; echo \"rc=$rc\"",
    ] {
        assert_eq!(failures(line, "no key\nrc=2"), 1, "{line}");
        assert_eq!(failures(line, "gone out\nrc=0"), 0, "{line}");
    }
    let both = "./deploy.sh; a=$?; ./notify.sh; b=$?; echo \"a=$a b=$b\"";
    assert_eq!((failures(both, "a=1 b=2"), failures(both, "a=0 b=0")), (1, 0));
    // Where one went well, the other may have been meant to be refused.
    assert_eq!(failures(both, "a=0 b=1"), 0);
    assert_eq!(failures("./deploy.sh; grep -q x l; rc=$?; ls; echo rc=$rc", "l\nrc=1"), 0);
    for (line, output) in [
        ("./deploy.sh; echo \"exit: $?\"", "gone out\nexit: 0"),
        ("grep -c x src/a.rs; echo \"exit $?\"", "0\nexit 1"),
        ("diff a b; echo $?", "1c1\n1"),
        ("nc -z localhost 5432; echo \"exit: $?\"", "exit: 1"),
        ("./target/release/tool bad.txt; echo \"exit: $?\"", "no such row\nexit: 2"),
        ("./deploy.sh && ./notify.sh; echo $?; ls", "no key\n1\nsrc"),
    ] {
        assert_eq!(failures(line, output), 0, "{line}");
    }
}
