//! What failed, what mended it, and of what nobody is to blame.

use serde_json::{Value, json};

use crate::convert_run::{claude, model, user};
use crate::program::Call;
use crate::status::{FAILED, PASSED, codex_pack, edit, facts, failing, pack, segue, shell, status};

#[test]
fn a_summary_outranks_the_exit_code_and_a_cut_output_says_nothing() {
    // The exit code is that of `tail`.
    let steps = [shell("cargo test 2>&1 | tail -5", FAILED), json!("ok")];
    assert_eq!(facts(&pack(&steps), "check"), ["open `cargo test`: 1 test failed: parse::amount"]);
    let cut = [shell("cargo test 2>&1 | tail -1", "\n"), json!("ok")];
    let told = facts(&pack(&cut), "check");
    assert!(told[0].contains("it is not known how it ended"), "{told:?}");
}

#[test]
fn codes_of_compilers_are_errors_and_those_of_the_newest_run_count() {
    let row = |code: &str| format!("C:\\p\\A.cs(3,13): error {code}: no [C:\\p\\A.csproj]\n");
    let run = |codes: &[&str]| {
        let rows: String = codes.iter().map(|code| row(code)).collect();
        shell("dotnet build -c Debug 2>&1 | grep error", &rows)
    };
    let told = |steps: &[Value]| facts(&pack(steps), "check");
    let one = ["open `dotnet build -c Debug`: failed with 1 error: CS1501 | no | C:\\p\\A.cs"];
    assert_eq!(told(&[run(&["CA1304", "CA1305", "CS1501"]), run(&["CS1501"])]), one);
    let script = shell("npm run check | cat", "src/a.ts(3,5): error TS2322: no\n");
    let one = ["open `npm run check`: failed with 1 error: TS2322 | no | src/a.ts"];
    assert_eq!(told(&[script]), one);
    // The tests that pass were built.
    let tests = shell("dotnet test", "Passed!  - Failed:     0, Passed:   222, Skipped:     0\n");
    assert_eq!(told(&[run(&["CS1501"]), tests]), ["done `dotnet test`: passed (222 tests)"]);
}

#[test]
fn of_how_many_tests_some_did_not_end_is_told_where_all_were_counted() {
    let told = |line: &str, output: &str| {
        status(&[failing(line, output), json!("ok")])["last_check"]["told"].clone()
    };
    let sum = "ERROR tests/test_a.py::test_x - OSError\n=== 10 passed, 1 error in 0.12s ===";
    assert_eq!(told("pytest", sum), json!("1 error: tests/test_a.py::test_x"));
    let all = "Ran 3 tests in 0.001s\n\nFAILED (errors=2)";
    assert_eq!(told("python -m unittest", all), json!("2 errors in 3 tests"));
}

#[test]
fn a_narrower_run_does_not_clear_other_failures() {
    let both =
        FAILED.replace("test parse::amount", "test read::empty ... FAILED\ntest parse::amount");
    let steps = [failing("cargo test", &both), shell("cargo test parse::", PASSED), json!("ok")];
    let found = pack(&steps);
    let work = found["open_work"][0]["text"].as_str().unwrap();
    assert!(work.contains("read::empty") && !work.contains("parse::amount"), "{work}");
    let whole = [failing("cargo test", &both), shell("cargo test", PASSED), json!("ok")];
    assert_eq!(pack(&whole)["open_work"], json!([]));
}

#[test]
fn a_fix_is_what_was_changed_before_the_same_command_passed() {
    let steps = [
        failing("cargo test", FAILED),
        edit("src/parse.rs", "a - b", "a + b"),
        shell("cargo test", PASSED),
        json!("ok"),
    ];
    assert_eq!(
        facts(&pack(&steps), "fix"),
        ["done `cargo test`: parse::amount → changed src/parse.rs → verified by `cargo test`"]
    );
    // Without the run it is no fix, whatever the agent says of it.
    let unverified = [&steps[..2], &[json!("Fixed it.")]].concat();
    assert_eq!(facts(&pack(&unverified), "fix"), Vec::<String>::new());
}

#[test]
fn what_the_network_did_not_let_through_is_mended_by_no_change() {
    let refused = "error: failed to download: Could not resolve host: index.example\n";
    let steps = [
        failing("cargo build", refused),
        edit("src/parse.rs", "a - b", "a + b"),
        shell("cargo build", "    Finished `dev` profile in 0.52s\n"),
        json!("ok"),
    ];
    let told =
        "done `cargo build`: error: failed to download: Could not resolve host: index.example";
    assert_eq!(facts(&pack(&steps), "fix"), [format!("{told} → passed when it was run again")]);
}

#[test]
fn what_fails_is_open_however_many_checks_passed_since() {
    let failed = "test parser::empty ... FAILED\n\ntest result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured\n";
    let all = [
        ("ruff check src", "All checks passed!"),
        ("mypy src", "Success: no issues found in 3 source files"),
        ("pytest -q", "3 passed in 0.10s"),
        ("go test ./...", "ok  \texample.com/tool\t0.1s"),
        ("npx prettier --check docs", "All matched files use Prettier code style!"),
        ("npx tsc --noEmit", ""),
        ("npx eslint src", ""),
        ("dotnet test", "Passed!  - Failed:     0, Passed:     3, Skipped:     0, Total:     3"),
        ("mvn test", "Tests run: 3, Failures: 0, Errors: 0, Skipped: 0\nBUILD SUCCESS"),
        ("npx vitest run", " Test Files  1 passed (1)\n      Tests  3 passed (3)"),
    ];
    let first = [edit("src/a.rs", "x", "y"), failing("cargo test", failed)];
    let later = all.iter().map(|(command, output)| shell(command, output));
    let steps: Vec<_> = first.into_iter().chain(later).collect();
    let said = segue(&["status", "-"], &steps);
    let told = "open: make `cargo test` pass: 1 of 3 failed: parser::empty";
    assert!(said.stdout.contains(told), "{}", said.stdout);
    // What ran last is told as such, and not what failed.
    assert!(said.stdout.contains("\nlast check: `npx vitest run`: passed (3 tests)\n"));
}

#[test]
fn of_checks_that_are_much_alike_each_is_open() {
    let failed = |test: &str| format!("FAILED tests/x.py::{test}\n1 failed, 1 passed in 0.10s\n");
    let parts = ["tests/test_importer.py", "tests/test_report.py", "tests/test_total.py"];
    let alike = parts.map(|part| failing(&format!("pytest {part}"), &failed("test_total_line")));
    let first = failing("npx eslint src", "\u{2716} 1 problem (1 error, 0 warnings)\n");
    let steps: Vec<_> = std::iter::once(first).chain(alike).collect();
    let said = segue(&["status", "-"], &steps);
    let tests = parts.map(|part| format!("pytest {part}"));
    for check in tests.iter().map(String::as_str).chain(["npx eslint src"]) {
        let told = format!("open: make `{check}` pass");
        assert!(said.stdout.contains(&told), "{told}: {}", said.stdout);
    }
}

#[test]
fn an_error_is_mended_by_what_came_before_the_first_run_that_got_further() {
    let broken =
        "error[E0425]: cannot find value `x`\n --> src/a.rs:3:5\nerror: could not compile `tool`\n";
    let steps = [
        failing("cargo clippy -- -D warnings && cargo test", broken),
        edit("src/a.rs", "x", "y"),
        failing("cargo test", broken),
        edit("src/b.rs", "x", "y"),
        failing("cargo test", FAILED),
        edit("src/parse.rs", "a - b", "a + b"),
        shell("cargo test", PASSED),
        json!("ok"),
    ];
    let error = "E0425 | cannot find value `x` | src/a.rs";
    assert_eq!(
        facts(&pack(&steps), "fix"),
        [
            "done `cargo test`: parse::amount → changed src/parse.rs → verified by `cargo test`"
                .to_owned(),
            format!(
                "done `cargo test`: {error} → changed src/b.rs → gone, with other errors, in `cargo test`"
            ),
        ]
    );
    // What stands behind the check that failed was not reached.
    let found = pack(&steps[..1]);
    let work: Vec<_> =
        found["open_work"].as_array().unwrap().iter().map(|work| &work["text"]).collect();
    assert_eq!(
        work,
        [&json!(format!("make `cargo clippy -- -D warnings` pass: failed with 1 error: {error}"))]
    );
}

#[test]
fn what_was_done_in_the_line_that_worked_is_told() {
    let refused = "To x:y.git\n ! [remote rejected] v2 -> v2 (not a commit)\nerror: failed to push some refs to 'x:y.git'\n";
    let told = "done `git push origin v2`: ! [remote rejected] v2 -> v2 (not a commit) → worked when it was run again";
    let again = |line: &str| {
        facts(
            &pack(&[failing("git push origin v2", refused), shell(line, "ok"), json!("ok")]),
            "fix",
        )
    };
    assert_eq!(again("git push origin v2"), [told]);
    assert_eq!(
        again("git tag -d v2 && git tag v2 1651b69 && git push origin v2"),
        [format!("{told} after `git tag -d v2`, `git tag v2 1651b69`")]
    );
    // Whether it did its work, or any, is not known.
    let other = told.replace("when it was run again", "after other commands");
    for line in ["./mend.sh && git push origin v2", "./mend.sh; git push origin v2"] {
        assert_eq!(again(line).concat(), other);
    }
}

#[test]
fn what_its_line_excuses_is_not_known_to_have_worked() {
    let push = failing("git push origin x", "fatal: no remote");
    let check = failing("npm run lint", "error: an unused name");
    for excused in ["git push origin x || true", "git push origin x; true"] {
        let steps = [push.clone(), shell(excused, "")];
        assert_eq!(facts(&pack(&steps), "fix"), [""; 0], "{excused}");
    }
    assert_eq!(facts(&pack(&[push, shell("git push origin x", "")]), "fix").len(), 1);
    for excused in ["npm run lint || true", "ls || npm run lint", "npm run lint || echo no"] {
        let found = pack(&[check.clone(), shell(excused, "x")]);
        assert_eq!(found["failures"][0]["command"], json!("npm run lint"), "{excused}");
        assert_eq!(found["open_work"][0]["source"], json!("check"), "{excused}");
        assert_eq!(found["commands"][0]["worked"], json!(null), "{excused}");
    }
    // Its own summary tells.
    let told = facts(&pack(&[shell("cargo test || true", FAILED)]), "check");
    assert_eq!(told, ["open `cargo test`: 1 of 3 failed: parse::amount"]);
}

#[test]
fn a_task_that_failed_by_its_runner_failed_behind_a_pipe() {
    let checks = |command: &str, output: &str| facts(&pack(&[shell(command, output)]), "check");
    let output = "a.c:3: error: x\nmake: *** [Makefile:3: lint] Error 1";
    let failed = checks("make lint 2>&1 | tail -3", output);
    assert_eq!(failed, ["open `make lint`: failed: a.c:3: error: x"]);
    // Which of the two it was is not known.
    let both = checks("make lint; make test | tail -3", "make: *** [x] Error 1");
    assert!(both.iter().all(|check| !check.contains("failed")), "{both:?}");
    let labelled = "[lint] a.c:3: error: x\n[lint] ERROR task failed";
    let line = "mise run lint && mise run test";
    let one = checks(&format!("{line} | tail -3"), labelled);
    assert_eq!(one, ["open `mise run lint`: failed: a.c:3: error: x"]);
    // What said so once would say so again, at the end.
    let again = |output: &str| shell("make lint 2>&1 | tail -3; ls", output);
    let then = |second: &str| facts(&pack(&[again(output), again(second)]), "check");
    assert_eq!(then("ok\nMakefile"), ["done `make lint`: passed"]);
    for begins in ["", "<persisted-output>\nOutput too large (31KB). Preview:\nok"] {
        assert_eq!(then(begins), ["open `make lint`: failed: a.c:3: error: x"]);
    }
    let run = |output: &str| json!({"name": "exec_command", "input": {"cmd": line}, "output": format!("Wall time: 1.0 seconds\nOutput:\n{output}")});
    let ends = |steps: &[Value]| facts(&codex_pack(steps), "check");
    assert_eq!(ends(&[run(labelled)]), ["open `mise run lint`: failed: a.c:3: error: x"]);
    assert_eq!(ends(&[run(labelled), run("[lint] ok")]), ["done `mise run lint`: passed"]);
    assert_eq!(ends(&[run("[lint] ok")]), [""; 0]);
}

#[test]
fn rows_that_a_runner_labels_are_read() {
    let rows = "[test:bats] 1..2\n[test:bats] ok 1 reads\n[test:bats] not ok 2 writes\n[error] task failed\n";
    let found = pack(&[failing("mise run test:bats test/a.bats", rows), json!("ok")]);
    let work = "make `mise run test:bats test/a.bats` pass: 1 test failed: writes";
    assert_eq!(found["open_work"][0]["text"], json!(work));
    assert_eq!(found["failures"][0]["lines"][0], json!("[test:bats] not ok 2 writes"));
}

#[test]
fn a_log_of_a_run_elsewhere_begins_a_fix_that_a_run_here_ends() {
    let log = |rows: &[&str]| -> String {
        let row =
            |row: &&str| format!("test (3.12)\tUNKNOWN STEP\t2026-08-19T02:44:23.012Z {row}\n");
        rows.iter().map(row).collect()
    };
    let failed = FAILED.lines().collect::<Vec<_>>();
    let ran = ["##[group]Run cargo test -p core"];
    let ended = ["##[error]Process completed with exit code 101."];
    let steps = |command: &str, output: &str| {
        [
            shell(
                "gh run view 12 --log-failed | tail -50",
                &log(&[&ran[..], &failed, &ended].concat()),
            ),
            edit("src/parse.rs", "a - b", "a + b"),
            shell(command, output),
            json!("ok"),
        ]
    };
    let told = |command: &str, output: &str| facts(&pack(&steps(command, output)), "fix");
    let fixed =
        "done `gh run view 12 --log-failed`: parse::amount → changed src/parse.rs → verified by";
    // All that ran there, all there is, and one part in which the test is named.
    assert_eq!(told("cargo test -p core", PASSED), [format!("{fixed} `cargo test -p core`")]);
    assert_eq!(told("cargo test", PASSED), [format!("{fixed} `cargo test`")]);
    let named = format!("test parse::amount ... ok\n\n{PASSED}");
    assert_eq!(told("cargo test parse", &named), [format!("{fixed} `cargo test parse`")]);
    assert_eq!(told("cargo test other", PASSED), Vec::<String>::new());
    // It tells how the work stood there, not how it stands here.
    let open = pack(&steps("cargo test other", PASSED)[..2]);
    assert_eq!((&open["failures"], &facts(&open, "dead_end")), (&json!([]), &Vec::new()));
    let log_last = [shell("cargo test", FAILED), steps("x", "")[0].clone()];
    assert_eq!(facts(&pack(&log_last), "fix"), Vec::<String>::new());
}

#[test]
fn what_was_mended_or_only_called_the_wrong_way_fails_no_more() {
    let refused =
        "error: GH006: Protected branch update failed.\nerror: failed to push some refs\n";
    let push = failing("git push origin main", refused);
    let failures = |steps: &[Value]| pack(steps)["failures"].as_array().unwrap().len();
    assert_eq!(failures(&[push.clone(), json!("hm")]), 1);
    let worked = shell("git push -u origin work", "branch 'work' set up to track 'origin/work'.\n");
    assert_eq!(failures(&[push, worked, json!("ok")]), 0);
    let misused = failing("gh pr list --json checks", "Unknown JSON field: \"checks\"\nurl\n");
    assert_eq!(failures(&[misused, json!("hm")]), 0);
    let warned = "warning: a\n".repeat(5) + "error: unknown option `cached'\nusage: git status\n";
    let misused = failing("git add src && git status --short --cached", &warned);
    assert_eq!(failures(&[misused, json!("hm")]), 0);
    let tests = failing("cargo test", &format!("error: unexpected argument 'x' found\n{FAILED}"));
    let told = pack(&[edit("src/a.rs", "a", "b"), tests, json!("hm")]);
    assert_eq!(told["failures"].as_array().unwrap().len(), 1);
    assert!(!told["checks"].to_string().contains("still pass"), "{}", told["checks"]);
    // What passed by another program since is not to be mended next.
    let runner =
        failing("mise run test:bats -- test/a.bats", "line 3: parallel: command not found\n");
    let next = |more: &[Value]| {
        let steps = [std::slice::from_ref(&runner), more].concat();
        pack(&steps)["now"]["next"].to_string()
    };
    assert!(next(&[shell("ls", "a")]).contains("mend what makes"));
    let bats = shell("bats test/a.bats", "1..1\nok 1 a\n");
    let passed = next(&[bats, shell("ls", "a")]);
    assert!(!passed.contains("mend"), "{passed}");
    let tried = failing("make all", "one\ntwo\nthree\nfour: unknown option -x\nmake: *** Error\n");
    assert_eq!(failures(&[tried, json!("hm")]), 1);
}

#[test]
fn what_the_user_ran_counts_and_is_told_as_theirs() {
    let ran = |command: &str, out: &str, error: &str| {
        [
            user(format!("<bash-input>{command}</bash-input>")),
            user(format!("<bash-stdout>{out}</bash-stdout><bash-stderr>{error}</bash-stderr>")),
        ]
    };
    let rejected =
        " ! [rejected]  main -&gt; main (fetch first)\nerror: failed to push some refs\n";
    let steps = [
        vec![user("release it"), model(&json!([{"type": "text", "text": "Push it with `!`."}]))],
        ran("git push origin main --tags", "", rejected).to_vec(),
        ran(
            "git push origin main --tags",
            "",
            "remote: error: GH006: Protected\nerror: failed to push some refs\n",
        )
        .to_vec(),
        ran("git push origin release", "branch 'release' set up\n", "").to_vec(),
    ];
    let input = claude(Some("/home/ada/tool"), &steps.concat());
    let call = |more: &[&str]| {
        let command = [&["pack", "-", "--no-check", "--budget", "3000"], more].concat();
        Call::new("nobody", &command).stdin(input.as_bytes()).run().stdout
    };
    let text = call(&[]);
    assert!(text.contains("the user ran `git push origin release`\n"), "{text}");
    assert!(text.contains("    ! [rejected]  main -> main (fetch first)\n"), "{text}");
    assert!(!text.contains("bash-"), "{text}");
    let pack: Value = serde_json::from_str(&call(&["--json"])).unwrap();
    // Two tries in the same words are one thing that went wrong.
    let fixes = facts(&pack, "fix");
    assert_eq!(fixes.len(), 1, "{fixes:?}");
    let told = "GH006: Protected → worked as `git push origin release`";
    assert!(fixes[0].ends_with(told), "{fixes:?}");
    assert_eq!(pack["now"]["goal"], "release it");
}

#[test]
fn what_worked_with_other_variables_says_with_which() {
    let told = |steps: &[Value]| facts(&pack(steps), "fix");
    let failed =
        failing("gh pr create --title x", "none of the git remotes points to a known host\n");
    let ends = |line: &str, want: &str| {
        let fixes = told(&[
            failed.clone(),
            shell(line, "https://forge.test/ada/tool/pull/3\n"),
            json!("ok"),
        ]);
        assert_eq!(fixes.len(), 1, "{fixes:?}");
        assert!(fixes[0].ends_with(want), "{fixes:?}");
    };
    let line = "GH_REPO=ada/tool gh pr create --title x";
    ends(line, &format!("→ worked as `{line}`"));
    ends("gh pr create --title x", "→ worked when it was run again");
    // Of what may be a secret only the name.
    for (name, value) in [
        ("DEPLOY_KEY", "a1b2"),
        ("JWT", "a1b2"),
        ("TICKET", "a1b2"),
        ("DSN", "ada:tulip"),
        ("PGPASSWORD", "tulip"),
        ("DB", "db://a:b@c"),
        ("pgpass", "tulip"),
    ] {
        let line = format!("{name}={value} gh pr create --title x");
        ends(&line, &format!("→ worked as `{name}=… gh pr create --title x`"));
    }
    let checked = [failing("cargo test", FAILED), shell("SEED=3 cargo test", PASSED), json!("ok")];
    let fixes = told(&checked);
    assert!(fixes[0].ends_with("→ passed as `SEED=3 cargo test`"), "{fixes:?}");
    let commands = pack(&[shell("GH_REPO=ada/tool COLOR=x gh pr create --title x", "ok")]);
    let commands = commands["commands"].to_string();
    assert!(commands.contains("GH_REPO=ada/tool gh pr create"), "{commands}");
}

#[test]
fn what_the_user_ran_fails_by_what_it_printed_and_ends_with_the_next_words() {
    let output =
        |text: &str| user(format!("<bash-stdout></bash-stdout><bash-stderr>{text}</bash-stderr>"));
    let packed = |steps: &[Value]| {
        let input = claude(Some("/home/ada/tool"), steps);
        let call = Call::new("nobody", &["pack", "-", "--no-check", "--json"]);
        let said = call.stdin(input.as_bytes()).run();
        serde_json::from_str::<Value>(&said.stdout).unwrap()
    };
    let deploy = user("<bash-input>npm run deploy</bash-input>");
    let missing = output("zsh: command not found: npm\n");
    let told = packed(&[user("deploy it"), deploy.clone(), missing.clone()]);
    assert_eq!(told["failures"][0]["command"], "npm run deploy");
    assert!(told["failures"][0].to_string().contains("command not found: npm"), "{told}");
    // What comes after other words is not of that command.
    let told = packed(&[user("deploy it"), deploy, user("wait"), missing]);
    assert_eq!(told["failures"], json!([]));
}

#[test]
fn three_tries_without_a_pass_are_a_dead_end() {
    let mut steps = vec![failing("cargo test", FAILED)];
    for path in ["src/a.rs", "src/b.rs", "src/c.rs"] {
        steps.extend([edit(path, "x", "y"), failing("cargo test", FAILED)]);
    }
    steps.push(json!("It still fails."));
    let found = pack(&steps);
    assert_eq!(
        facts(&found, "dead_end"),
        ["open `cargo test`: parse::amount: 3 changes did not help"]
    );
    assert_eq!(status(&steps)["reasons"], json!(["blockers_open"]));
    let blockers = found["self_check"][4]["answer"].as_str().unwrap();
    assert!(blockers.contains("did not help"), "{blockers}");
}

#[test]
fn an_error_is_not_gone_where_the_output_named_only_some() {
    let run = |output: &str| failing("pytest -q 2>&1 | tail -5", output);
    let all = "FAILED tests/test_a.py::test_one - ValueError: x\nFAILED tests/test_a.py::test_two - ValueError: y\n2 failed, 3 passed in 0.1s";
    let named = "FAILED tests/test_a.py::test_two - ValueError: y\n1 failed, 4 passed in 0.1s";
    let cut = "FAILED tests/test_a.py::test_two - ValueError: y\n2 failed, 3 passed in 0.1s";
    let fixes =
        |last: &str| facts(&pack(&[run(all), edit("src/a.py", "x", "y"), run(last)]), "fix");
    assert!(fixes(named).iter().any(|fix| fix.contains("test_one")), "{:?}", fixes(named));
    assert_eq!(fixes(cut), Vec::<String>::new());
}

#[test]
fn what_was_stopped_without_a_word_and_done_later_was_not_refused() {
    let refusal = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.";
    let stopped = |command: &str, words: &str| {
        let output = format!("{refusal}{words}");
        json!({"name": "Bash", "input": {"command": command}, "output": output, "fails": true})
    };
    let told = |steps: &[Value]| -> Vec<String> {
        let pack = pack(steps);
        let all = pack["decisions"].as_array().unwrap().iter();
        all.map(|one| one["text"].as_str().unwrap().to_owned()).collect()
    };
    let later = shell("make clean", "");
    assert_eq!(told(&[stopped("make clean", "")]), ["do not run `make clean`"]);
    // Who says something to a look at a file speaks of something else.
    let said = "\n\nTo tell you how to proceed, the user said:\nonly one proposal";
    assert_eq!(
        told(&[stopped("grep -n uses a.yml", said)]),
        ["broke in at `grep -n uses a.yml`; the user said: only one proposal"]
    );
    assert_eq!(told(&[stopped("grep -n uses a.yml", "")]), ["do not run `grep -n uses a.yml`"]);
    assert_eq!(told(&[stopped("make clean", ""), later.clone()]), Vec::<String>::new());
    // With other arguments it is another thing.
    let long = |end: &str| format!("{} && {end}", "echo 123456789 ".repeat(20));
    let others = [stopped(&long("rm -rf /data"), ""), shell(&long("ls"), "")];
    assert_eq!(told(&others).len(), 1);
    let words = "To tell you how to proceed, the user said:\nkeep the cache for now";
    assert_eq!(told(&[stopped("make clean", words), later]).len(), 1);
}

#[test]
fn what_ran_without_the_changes_says_nothing_of_them() {
    let change = || edit("src/a.rs", "a", "b");
    let ok = "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured";
    let bad = "test a::b ... FAILED\ntest result: FAILED. 2 passed; 1 failed; 0 ignored";
    let checks = |steps: &[Value]| facts(&pack(steps), "check");
    let passed = ["done `cargo test`: passed (3 tests)"];
    // On one line, and in calls of their own.
    let line = "git stash push -q -- src/a.rs && cargo test; git stash pop -q && echo restored";
    assert_eq!(checks(&[change(), shell("cargo test", ok), shell(line, bad)]), passed);
    let apart = [
        change(),
        shell("cargo test", ok),
        shell("git stash", "Saved working directory"),
        failing("cargo test", bad),
        shell("git stash pop", "Dropped refs/stash@{0}"),
    ];
    assert_eq!(checks(&apart), passed);
    assert_eq!(pack(&apart)["failures"], json!([]));
    // What stands on the same line of the same program cannot be told apart from it.
    let both = "cargo test | grep FAILED; git stash; cargo test; git stash pop";
    assert_eq!(checks(&[change(), shell("cargo test", ok), shell(both, bad)]), passed);
    // What was not put aside runs as it is.
    for said in ["No local changes to save", "fatal: not a git repository"] {
        let tried = [
            change(),
            shell("git stash", said),
            failing("cargo test", bad),
            shell("git stash pop", ""),
        ];
        assert_eq!(pack(&tried)["failures"][0]["command"], json!("cargo test"), "{said}");
    }
    // Who goes on working has put away something else.
    let on = [
        shell("git stash", "Saved"),
        change(),
        failing("cargo test", bad),
        shell("git stash pop", "Dropped"),
    ];
    assert_eq!(pack(&on)["failures"][0]["command"], json!("cargo test"));
}

#[test]
fn a_command_that_may_not_have_begun_is_not_blamed() {
    let lint = "error: this `if` statement can be collapsed\nerror: could not compile `tool`";
    let steps = [edit("src/a.rs", "a", "b"), failing("just lint && cargo run -- check", lint)];
    let told = pack(&steps);
    let of_run = |text: &String| text.contains("`cargo run -- check`:");
    for kind in ["check", "attempt", "fix"] {
        assert!(!facts(&told, kind).iter().any(of_run), "{told}");
    }
    assert_eq!(told["failures"][0]["command"], json!("just lint && cargo run -- check"));
    let steps = [steps[0].clone(), failing("cd x && cargo build", lint), json!("ok")];
    assert!(!pack(&steps)["failures"].as_array().unwrap().is_empty());
}

#[test]
fn what_the_harness_did_not_let_run_is_no_failure() {
    let words =
        "Permission for this action was denied by the auto mode classifier. Reason: Blocked.";
    let denied = json!({"name": "Bash", "input": {"command": "gh pr merge 3"}, "output": words, "fails": true});
    let told = pack(&[denied, json!("I could not merge it.")]);
    assert_eq!(told["failures"], json!([]));
    assert!(told["turns"].to_string().contains("not run: Permission for this action was denied"));
}

#[test]
fn a_command_that_the_harness_did_not_let_run_was_not_run() {
    let words = "Permission for this action was denied by the auto mode classifier.";
    let denied = json!({"name": "Bash", "input": {"command": "gh pr merge 3 --squash"}, "output": words, "fails": true});
    let told = pack(&[shell("make test", "ok"), json!("All is green. Merging:"), denied.clone()]);
    let next = told["now"]["next"].as_str().unwrap();
    let want =
        "finish the request; the last step was: ran `gh pr merge 3 --squash` → not run: Permission";
    assert!(next.starts_with(want), "{next}");
    assert_eq!(told["now"]["last_done"], json!("ran `make test`"));
    assert!(!told["commands"].to_string().contains("gh pr merge"), "{}", told["commands"]);
    // What waited where it may not is no failure either.
    let waited = "<tool_use_error>Blocked: sleep 45 followed by: gh pr checks 5.</tool_use_error>";
    let waited = json!({"name": "Bash", "input": {"command": "sleep 45; gh pr checks 5"}, "output": waited, "fails": true});
    assert_eq!(pack(&[waited, json!("I look at it later.")])["failures"], json!([]));
    // What failed by itself was run.
    let failed = failing("gh pr merge 3 --squash", words);
    let told = pack(&[failed]);
    assert!(told["commands"].to_string().contains("gh pr merge"), "{}", told["commands"]);
}

#[test]
fn what_runs_elsewhere_and_failed_is_open_until_it_passes() {
    let push = shell("git push origin v1.0.0", " * [new tag]         v1.0.0 -> v1.0.0\n");
    let watch = |ended: &str| {
        shell("gh run watch 7 --exit-status 2>&1 | tail -5", &format!("  ✓ Build\n{ended}\n"))
    };
    let failed = watch("  X Upload it\n\nX Process completed with exit code 1.");
    let said = json!("The tag is set. The key is the only thing in the way.");
    let found = status(&[push.clone(), failed.clone(), said.clone()]);
    assert_eq!(found["reasons"], json!(["blockers_open"]));
    assert!(found["open"][0]["text"].as_str().unwrap().ends_with("shows: Upload it"), "{found}");
    let passed = watch("  ✓ Upload it");
    for steps in [
        vec![push.clone(), failed.clone(), passed, said.clone()],
        vec![push.clone(), failed.clone(), push.clone(), said.clone()],
        // That of somebody else is looked at only.
        vec![failed.clone(), said.clone()],
    ] {
        assert_eq!(status(&steps)["reasons"], json!([]), "{steps:?}");
    }
}

#[test]
fn a_command_that_another_tool_stood_in_for_is_not_told_as_failing() {
    let refused = json!({"name": "Bash", "input": {"command": "deploy --to a.example"}, "fails": true,
        "output": "not here: call mcp__ops__deploy_staging instead"});
    let other = |output: &str, fails: bool| json!({"name": "mcp__ops__deploy_staging", "input": {"to": "a.example"}, "output": output, "fails": fails});
    let failing = |steps: &[Value]| pack(steps)["failures"].as_array().unwrap().len();
    assert_eq!(failing(&[refused.clone(), other("Done.", false), json!("It is on staging.")]), 0);
    assert_eq!(failing(&[refused.clone(), other("no such host", true), json!("Hm.")]), 1);
    assert_eq!(failing(&[refused, json!("Hm.")]), 1);
}

#[test]
fn what_failed_as_the_last_that_was_done_is_open() {
    let push = failing("git push", " ! [rejected] main -> main (fetch first)");
    let work =
        [edit("src/a.rs", "x", "y"), shell("cargo test", "test result: ok. 5 passed; 0 failed")];
    let steps =
        [&work[..], &[push.clone(), shell("git status -sb", "## main"), json!("All done.")]];
    let found = status(&steps.concat());
    assert_eq!(found["reasons"], json!(["blockers_open"]));
    assert_eq!((&found["closure_mismatch"], &found["outcome"]), (&json!(true), &json!("partial")));
    let line =
        found["open"].as_array().unwrap().iter().find(|one| one["source"] == "failed").unwrap();
    let text = "`git push` failed with exit code 101: ! [rejected] main -> main (fetch first)";
    assert_eq!(line["text"], text);
    // What was done after it, or got round it, tells another story.
    for later in [shell("git pull --rebase && git push", "ok"), edit("src/b.rs", "x", "y")] {
        let steps = [&work[..], &[push.clone(), later, json!("All done.")]].concat();
        let open = status(&steps)["open"].to_string();
        assert!(!open.contains("\"failed\""), "{open}");
    }
}

#[test]
fn what_failed_for_an_earlier_request_or_was_got_in_parts_is_not_last() {
    let whole =
        failing("git submodule update --init lib/x", "fatal: Unable to find current revision");
    let parts = shell(
        "git -C lib/x fetch origin 1a2b3c4 && git -C lib/x checkout 1a2b3c4",
        "HEAD is now at 1a2b3c4",
    );
    let other = json!({"told": "what does the page say of it"});
    for steps in [
        vec![whole.clone(), parts, json!("It is in place.")],
        vec![whole, json!("The revision is not there."), other, json!("It says nothing.")],
    ] {
        let open = status(&steps)["open"].to_string();
        assert!(!open.contains("\"failed\""), "{open}");
    }
}
