//! What counts as a check of the work, and what of it keeps the work from being done.

use serde_json::{Value, json};

use crate::status::{
    codex_pack, edit, facts, failing, open_by, pack, printed, shell, status, told,
};

fn after_edit(steps: &[Value]) -> Value {
    status(&[&[edit("src/a.rs", "x", "y")], steps, &[json!("Hm.")]].concat())
}

#[test]
fn what_runs_in_a_box_is_a_check() {
    for line in [
        "ssh box 'cd tool && make lint'",
        "docker exec app npm run test:unit",
        "docker compose run --rm app make check",
        "podman run --rm -v $PWD:/p image sh -c 'cargo clippy'",
        "uv run ci/run_tests.py",
        "npm --prefix web run test:unit",
    ] {
        assert_eq!(after_edit(&[shell(line, "all fine\n")])["done"], json!(true), "{line}");
        let failed = after_edit(&[failing(line, "it does not\n")]);
        assert_eq!(failed["reasons"], json!(["blockers_open"]), "{line}");
    }
    // A pipe within the box hides how it ended.
    let hidden = after_edit(&[shell("ssh box 'cd tool && make lint | tail -3'", "fine\n")]);
    assert_eq!(hidden["last_check"]["ended"], json!("unknown"));
    // No check of the project began where the machine was not reached.
    let lost = json!({"name": "Bash", "input": {"command": "ssh box 'make lint'"}, "fails": true,
        "output": "Exit code 255\nssh: connect to host box port 22: Connection refused\n"});
    let no_check = json!(["blockers_open", "missing_evidence"]);
    assert_eq!(after_edit(&[lost])["reasons"], no_check);
    let shut = "Error response from daemon: container 1a2b is not running\n";
    let shut = after_edit(&[failing("docker exec app make lint", shut)]);
    assert_eq!(shut["reasons"], no_check, "{shut}");
}

#[test]
fn a_program_that_is_built_only_to_run_is_no_check_where_it_fails() {
    let ran = failing("cargo run -q -- list", "Error: no such file\n");
    assert_eq!(after_edit(&[ran])["reasons"], json!(["missing_evidence"]));
    let broken = "error[E0425]: cannot find value `x` in this scope\n --> src/a.rs:3:5\n\nerror: could not compile `a`\n";
    let built = failing("cargo run -q -- list", broken);
    assert_eq!(after_edit(&[built])["reasons"], json!(["blockers_open"]));
}

#[test]
fn silence_tells_that_a_program_found_nothing() {
    let quiet = after_edit(&[shell("npx tsc --noEmit 2>&1 | tail -20", "")]);
    assert_eq!(quiet["done"], json!(true), "{quiet}");
    let reached = after_edit(&[shell("test -d web && npx tsc --noEmit | tail -3", "")]);
    assert_eq!(reached["done"], json!(true), "{reached}");
    let unreached = failing("test -d web && npx tsc --noEmit | tail -3", "");
    for unseen in [
        shell("npx tsc --noEmit | grep src/a.ts", ""),
        shell("npx tsc --noEmit | tail -n +2", ""),
        shell("test -d web && npx tsc --noEmit | tail -3; true", ""),
        shell("test -f done || npx tsc --noEmit | tail -3", ""),
        unreached,
    ] {
        let told = after_edit(std::slice::from_ref(&unseen));
        assert_eq!(told["last_check"]["ended"], json!("unknown"), "{unseen}");
    }
}

#[test]
fn what_was_only_built_was_not_tested() {
    for (line, output) in [
        ("swift test 2>&1 | tail -5", "Build complete! (3.1s)\n"),
        ("dotnet test 2>&1 | head -5", "Build succeeded.\n"),
    ] {
        let told = after_edit(&[shell(line, output)]);
        assert_eq!(told["last_check"]["ended"], json!("unknown"), "{line}");
    }
}

#[test]
fn text_that_was_set_in_order_is_in_order() {
    let untidy = "[warn] src/a.rs\n[warn] Code style issues found in the above file.\n";
    let check = shell("npx prettier --check src | tail -3", untidy);
    assert_eq!(after_edit(std::slice::from_ref(&check))["reasons"], json!(["blockers_open"]));
    let test = shell("npx jest", "Tests:       3 passed, 3 total\n");
    let mended = [check, shell("npx prettier --write src", "src/a.rs 12ms\n"), test];
    assert_eq!(after_edit(&mended)["done"], json!(true));
    let black = failing("uv run black --check .", "1 file would be reformatted\n");
    let others = [black, shell("uv run pytest", "===== 3 passed in 0.1s =====\n")];
    assert_eq!(after_edit(&others)["reasons"], json!(["blockers_open"]));
}

#[test]
fn how_other_files_are_written_is_not_of_this_work() {
    let test = shell("cargo test", "test result: ok. 3 passed; 0 failed; 0 ignored\n");
    let look = |file: &str| {
        let line = format!("npx prettier --check {file} | tail -3");
        shell(&line, "[warn] Code style issues found in the above file.\n")
    };
    let others = after_edit(&[test.clone(), look("docs/old.md")]);
    assert_eq!(others["done"], json!(true), "{others}");
    assert_eq!(after_edit(&[test, look("src/a.rs")])["reasons"], json!(["blockers_open"]));
}

#[test]
fn what_no_check_can_see_makes_none_stale() {
    let test = || shell("cargo test", "test result: ok. 3 passed; 0 failed; 0 ignored\n");
    for path in [".gitignore", "LICENSE", "docs/a.adoc"] {
        let found = after_edit(&[test(), edit(path, "x", "y")]);
        assert_eq!(found["done"], json!(true), "{path}");
    }
    assert_eq!(after_edit(&[test(), edit("a.toml", "x", "y")])["done"], json!(false));
}

#[test]
fn a_check_that_found_nothing_to_do_shows_nothing_though_it_ended_well() {
    let jest = "npx jest src/a.test.ts";
    for (line, output) in [
        (jest, "No tests found, exiting with code 0\n"),
        (jest, "No tests found related to files changed since last commit.\n"),
        ("npx vitest run --passWithNoTests", "No test files found, exiting with code 0\n"),
        ("bun test", "bun test v1.2.0\n\nNo tests found!\n"),
        ("npx playwright test --pass-with-no-tests", "Error: No tests found\n"),
        ("mvn -q test -DskipTests", "[INFO] Tests are skipped.\n[INFO] BUILD SUCCESS\n"),
        ("pnpm turbo run test", "No tasks were executed as part of this run.\n\n Tasks: 0 total\n"),
        ("pnpm --filter web test", "No projects matched the filters in \"/home/ada/tool\"\n"),
        ("pnpm -r test", "None of the selected packages has a \"test\" script\n"),
        ("npm test --if-present", ""),
        ("make test", "make: Nothing to be done for 'test'.\n"),
        ("make test", "make: 'test' is up to date.\n"),
    ] {
        let found = after_edit(&[shell(line, output)]);
        assert_eq!(found["reasons"], json!(["missing_evidence"]), "{line}: {output}");
        let told = found["last_check"]["told"].as_str().unwrap();
        assert!(told.starts_with("ran no test"), "{line}: {told}");
    }
    for (line, output) in [
        ("npx lint-staged", "→ No staged files found.\n"),
        ("pre-commit run", "ruff.........(no files to check)Skipped\n"),
        (
            "ruff check nope",
            "warning: No Python files found under the given path(s)\nAll checks passed!\n",
        ),
    ] {
        let found = after_edit(&[shell(line, output)]);
        assert_eq!(found["last_check"]["told"], "found nothing to look at", "{line}");
    }
    // What failed before is open still.
    let failed = json!({"exit": 1, "name": "Bash", "input": {"command": jest},
        "output": "FAIL src/a.test.ts\n  ✕ rounds (3 ms)\n\nTests:       1 failed, 3 passed, 4 total\n"});
    let none = shell(jest, "No tests found, exiting with code 0\n");
    let found = after_edit(&[failed, edit("src/a.rs", "y", "z"), none]);
    assert_eq!(found["reasons"], json!(["blockers_open", "missing_evidence"]), "{found}");
    for (line, output) in [
        (
            "sbt test",
            "[info] No tests to run for a / Test / testOnly\n[info] Passed: Total 4, Failed 0, Errors 0, Passed 4\n",
        ),
        ("make test", "make[1]: 'bin/app' is up to date.\n./bin/app --selftest\nall fine\n"),
        ("npx turbo run test", " Tasks:    2 successful, 2 total\n"),
        ("mvn package -DskipTests", "[INFO] Tests are skipped.\n[INFO] BUILD SUCCESS\n"),
        ("make", "make: Nothing to be done for 'all'.\n"),
        (
            "npm test",
            "> web\nNo tests found, exiting with code 0\n> api\nTests:       4 passed, 4 total\n",
        ),
        ("pre-commit run", "ruff....(no files to check)Skipped\nmypy......Passed\n"),
        ("cargo test --no-run", "    Finished `test` profile in 1.2s\n"),
    ] {
        assert_eq!(after_edit(&[shell(line, output)])["done"], json!(true), "{line}: {output}");
    }
}

#[test]
fn a_part_that_passed_says_nothing_of_those_that_a_filter_left_out() {
    let row = "test result: ok. 9 passed; 0 failed; 0 ignored\n";
    let told = |line: &str| after_edit(&[shell(line, row)])["last_check"]["ended"].clone();
    assert_eq!(told("cargo test 2>&1 | grep 'test result' | head -1"), json!("unknown"));
    assert_eq!(told("cargo test 2>&1 | grep 'test result: ok'"), json!("unknown"));
    assert_eq!(told("cargo test 2>&1 | grep 'test result'"), json!("passed"));
    assert_eq!(told("cargo test 2>&1 | tail -3"), json!("passed"));
}

#[test]
fn a_test_that_is_skipped_or_gone_since_it_failed_is_not_verified() {
    let first = "FAILED tests/test_a.py::test_sum - assert 1 == 2\n1 failed, 2 passed in 0.1s";
    let lessons = |line: &str, first: &str, then: &str| {
        let steps = [
            failing(line, first),
            edit("tests/test_a.py", "x", "y"),
            shell(line, then),
            json!("Done."),
        ];
        let facts = pack(&steps)["facts"].as_array().unwrap().clone();
        let fixes = facts.into_iter().filter(|fact| fact["kind"] == "fix");
        let told = |fact: Value| (fact["text"].as_str().unwrap().to_owned(), fact["state"].clone());
        fixes.map(told).collect::<Vec<_>>()
    };
    let line = "pytest -q";
    for (then, how) in [
        ("2 passed, 1 skipped in 0.1s", "passes with 1 more skipped, by `pytest -q`"),
        ("2 passed, 1 xfailed in 0.1s", "passes with 1 more skipped, by `pytest -q`"),
        ("2 passed in 0.1s", "passes with 1 fewer run, by `pytest -q`"),
    ] {
        let found = lessons(line, first, then);
        assert!(found[0].0.ends_with(how) && found[0].1 == "open", "{found:?}");
    }
    for then in ["3 passed in 0.1s", "4 passed in 0.1s"] {
        let found = lessons(line, first, then);
        assert!(
            found[0].0.ends_with("verified by `pytest -q`") && found[0].1 == "done",
            "{found:?}"
        );
    }
    let skipped = "1 failed, 2 passed, 1 skipped in 0.1s";
    let found = lessons(
        line,
        &format!("FAILED tests/test_a.py::test_sum - no\n{skipped}"),
        "3 passed, 1 skipped in 0.1s",
    );
    assert!(found[0].0.ends_with("verified by `pytest -q`"), "{found:?}");
    let steps = [
        failing(line, first),
        edit("src/a.rs", "x", "y"),
        shell(line, "2 passed, 1 skipped in 0.1s"),
    ];
    assert_eq!(after_edit(&steps)["last_check"]["told"], "passed (2 tests, 1 skipped)");
}

#[test]
fn a_check_that_was_not_run_says_nothing() {
    let passed = shell("cargo test", "test result: ok. 3 passed; 0 failed; 0 ignored\n");
    for told in [
        "Permission to use Bash with command cargo test has been denied.",
        "PreToolUse:Bash hook error: [./block.sh]: no tests now",
        "<tool_use_error>Cancelled: parallel tool call Bash(ls) errored</tool_use_error>",
        "[Tool result missing due to internal error]",
    ] {
        let mut not_run = shell("cargo test", told);
        not_run["fails"] = json!(true);
        let found = after_edit(&[passed.clone(), not_run.clone()]);
        assert_eq!(found["done"], json!(true), "{told}: {found}");
        assert_eq!(found["last_check"]["told"], "passed (3 tests)", "{told}");
        assert_eq!(after_edit(&[not_run])["reasons"], json!(["missing_evidence"]), "{told}");
    }
}

#[test]
fn a_filter_that_found_no_row_did_not_fail() {
    for line in ["npx tsc --noEmit 2>&1 | grep error", "cargo build 2>&1 | grep -E '^error'"] {
        let mut none = shell(line, "Exit code 1");
        none["fails"] = json!(true);
        assert_eq!(after_edit(&[none.clone()])["reasons"], json!(["missing_evidence"]), "{line}");
        none["output"] = json!("Exit code 1\ngrep: x: No such file or directory");
        assert_eq!(after_edit(&[none])["reasons"][0], "blockers_open", "{line}");
    }
}

#[test]
fn what_only_lists_tests_is_no_check() {
    let failed = "FAILED tests/test_a.py::test_round - assert 1 == 2\n1 failed, 2 passed in 0.1s\n";
    let failed =
        json!({"exit": 1, "name": "Bash", "input": {"command": "pytest -q"}, "output": failed});
    for (line, output) in [
        ("pytest --collect-only -q", "tests/test_a.py::test_round\n\n1 test collected in 0.01s\n"),
        ("pytest --co -q", "tests/test_a.py::test_round\n\n1 test collected in 0.01s\n"),
        ("make -n test", "pytest -q\n"),
        ("ctest -N", "  Test #1: rounds\n\nTotal Tests: 1\n"),
    ] {
        let lists = shell(line, output);
        let found = after_edit(std::slice::from_ref(&lists));
        assert_eq!(found["reasons"], json!(["missing_evidence"]), "{line}");
        assert_eq!(found["last_check"], json!(null), "{line}");
        let found = after_edit(&[failed.clone(), edit("src/a.rs", "y", "z"), lists]);
        assert_eq!(found["reasons"][0], "blockers_open", "{line}");
    }
}

#[test]
fn where_no_test_ran_nothing_is_shown() {
    let none = "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 9 filtered out\n";
    let found = after_edit(&[shell("cargo test no_such", none)]);
    assert_eq!(found["reasons"], json!(["missing_evidence"]));
    let told = found["last_check"]["told"].as_str().unwrap();
    assert!(told.starts_with("ran no test"), "{told}");
    let none =
        shell("sbt test", "[info] No tests to run for Test / test\n[success] Total time: 1 s\n");
    assert_eq!(after_edit(&[none])["reasons"], json!(["missing_evidence"]));
}

#[test]
fn checks_elsewhere_that_are_waited_for_are_open() {
    let out = "Command running in background with ID: b1x2y3. Output is being written to: /tmp/b1x2y3.output";
    let wait = json!({"name": "Bash", "output": out,
        "input": {"command": "gh pr checks 7 --watch", "run_in_background": true}});
    let test = shell("cargo test", "test result: ok. 3 passed; 0 failed; 0 ignored\n");
    let mut other = wait.clone();
    other["input"]["command"] = json!("gh run watch 8");
    other["output"] = json!(out.replace("b1x2y3", "b4x5y6"));
    let both =
        status(&[edit("src/a.rs", "x", "y"), test.clone(), wait.clone(), other, json!("Hm.")]);
    assert_eq!(both["missing"].as_array().unwrap().len(), 1, "{both}");
    let said = json!("PR #7 CI 완료를 기다립니다.");
    let found = status(&[edit("src/a.rs", "x", "y"), test, wait, said]);
    assert_eq!(found["reasons"], json!(["missing_evidence"]), "{found}");
    assert_eq!(found["open"][0]["source"], json!("running"));
}

#[test]
fn what_waits_for_something_else_was_not_announced() {
    let test = shell("cargo test", "test result: ok. 3 passed; 0 failed; 0 ignored\n");
    for words in [
        "It is ready. I'll roll it out after this deploys.",
        "Validation:\n\n- All tests passed\n- Formatting and other checks passed",
    ] {
        let found = status(&[edit("src/a.rs", "x", "y"), test.clone(), json!(words)]);
        assert_eq!(found["done"], json!(true), "{words}: {found}");
    }
    let asked = json!("Which of both do you want? I'll write it down then.");
    let found = status(&[edit("src/a.rs", "x", "y"), test, asked]);
    assert_eq!(found["reasons"], json!(["waits_for_user"]), "{found}");
}

#[test]
fn what_another_machine_lacks_is_not_missing_here() {
    let output = "bash: line 1: shellcheck: command not found\n";
    let told = |line: &str| pack(&[shell(line, output), json!("Hm.")]).to_string();
    assert!(told("shellcheck a.sh; ls").contains("no such program here"));
    assert!(told("cat a.sh | shellcheck -").contains("no such program here"));
    assert!(!told("shellcheck a.sh; ssh box 'shellcheck a.sh'").contains("no such program here"));
}

/// Tells how the work stands where one command failed and another one passed later.
fn failed_and_passed(first: &str, later: &str, passed: &str) -> Value {
    after_edit(&[failing(first, "1 of them fails\n"), shell(later, passed)])
}

const PYTEST: &str = "===== 3 passed in 0.1s =====\n";
const CARGO: &str = "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured\n";
const GO: &str = "ok  \texample.com/a\t0.1s\n";

#[test]
fn a_run_on_less_does_not_clear_a_failure_of_one_on_more() {
    let jest = "Tests:       3 passed, 3 total\n";
    for (first, later, passed) in [
        ("pytest tests/a.py tests/b.py", "pytest tests/a.py", PYTEST),
        ("pytest -k 'slow or db'", "pytest -k slow", PYTEST),
        ("pytest tests/b.py tests/c.py -m slow", "pytest tests/c.py", PYTEST),
        ("npx eslint src tests", "npx eslint src", ""),
        ("mypy a.py b.py", "mypy a.py", "Success: no issues found in 1 source file\n"),
        ("npx jest a.test.ts b.test.ts", "npx jest a.test.ts", jest),
        ("go test ./a ./b", "go test ./a", GO),
        ("go test -tags integration ./...", "go test ./...", GO),
        ("cargo test -p a -p b", "cargo test -p a", CARGO),
        ("cargo test --workspace", "cargo test", CARGO),
        ("cargo test --all-features", "cargo test", CARGO),
        ("cargo test -- --ignored", "cargo test", CARGO),
        ("cargo test -- --include-ignored", "cargo test", CARGO),
        ("cargo test --release", "cargo test", CARGO),
        (
            "cargo clippy --all-targets -- -D warnings",
            "cargo clippy",
            "    Finished `dev` profile [unoptimized] target(s) in 0.1s\n",
        ),
    ] {
        let told = failed_and_passed(first, later, passed);
        assert_eq!(told["reasons"], json!(["blockers_open"]), "{first} -> {later}: {told}");
    }
}

#[test]
fn a_run_in_another_spelling_clears_a_failure() {
    for (first, later, passed) in [
        ("cargo test parser -- --nocapture", "cargo test --quiet 2>&1 | tail -3", CARGO),
        ("cargo test -p a parser::empty", "cargo test -p a", CARGO),
        ("pytest tests/a.py -x --tb=short", "pytest tests/a.py -v", PYTEST),
        ("pytest tests/a.py", "pytest tests/a.py tests/b.py", PYTEST),
        ("pytest tests/unit/a.py", "pytest tests/unit", PYTEST),
        ("go test ./a -run TestX -v", "go test ./...", GO),
        ("npx eslint src lib", "npx eslint --fix .", ""),
    ] {
        let told = failed_and_passed(first, later, passed);
        assert_eq!(told["done"], json!(true), "{first} -> {later}: {told}");
    }
}

#[test]
fn text_is_in_order_only_where_all_of_it_was_set_in_order() {
    let untidy = "[warn] src/a.ts\n[warn] tests/b.ts\n[warn] Code style issues found in 2 files.\n";
    let told = |later: &str| {
        after_edit(&[failing("npx prettier --check src tests", untidy), shell(later, "done\n")])
    };
    for later in ["npx prettier --write src", "npx prettier src tests", "npm run lint -- src"] {
        assert_eq!(told(later)["reasons"], json!(["blockers_open"]), "{later}");
    }
    for later in ["npx prettier --write src tests", "npx prettier -w ."] {
        assert_eq!(told(later)["reasons"], json!([]), "{later}");
    }
    // What the look named is all that was not, unless more was named than was seen.
    let named = shell("npx prettier -w src/a.ts tests/b.ts", "done\n");
    let whole = after_edit(&[failing("npx prettier --check .", untidy), named.clone()]);
    assert_eq!(whole["reasons"], json!([]));
    let cut = after_edit(&[failing("npx prettier --check . | tail -9", untidy), named]);
    assert_eq!(cut["reasons"], json!(["blockers_open"]));
}

#[test]
fn a_box_that_is_shut_ran_no_check() {
    for (line, output) in [
        ("docker compose exec app pytest", "service \"app\" is not running\n"),
        ("docker compose run --rm app pytest", "no such service: app\n"),
        (
            "kubectl exec app -- pytest",
            "The connection to the server a.test:6443 was refused - did you specify the right host or port?\n",
        ),
        (
            "podman exec app pytest",
            "Error: no container with name or ID \"app\" found: no such container\n",
        ),
    ] {
        let told = after_edit(&[failing(line, output)]);
        // That it could not be reached is what was done last.
        assert_eq!(told["reasons"], json!(["blockers_open", "missing_evidence"]), "{line}");
    }
    // What a test printed is its own.
    let long = "one\ntwo\nthree\nError from server: no page\n";
    let told = after_edit(&[failing("docker compose exec app pytest", long)]);
    assert_eq!(told["reasons"], json!(["blockers_open"]));
}

#[test]
fn the_line_of_its_program_tells_what_failed() {
    let karma = "Chrome 120: Executed 10 of 10 SUCCESS (1 secs / 0.1 secs)\nFirefox 121: Executed 3 of 10 DISCONNECTED (1 secs / 0.1 secs)\n";
    let meson = "Ok:                 1   \nExpected Fail:      0   \nFail:               2   \nTimeout:            0   \n";
    for (line, output, tells) in [
        ("npx karma start", karma, "Firefox 121: Executed 3 of 10 DISCONNECTED"),
        ("meson test -C build", meson, "failed: Fail: 2"),
    ] {
        let told = after_edit(&[failing(line, output)]);
        let told = told["last_check"]["told"].as_str().unwrap();
        assert!(told.contains(tells), "{told}");
    }
    let passed = after_edit(&[shell("gotestsum | tail -3", "DONE 2 runs, 13 tests in 0.1s\n")]);
    assert_eq!(passed["last_check"]["ended"], json!("passed"));
}

#[test]
fn a_count_of_no_lines_shows_nothing() {
    for end in ["tail -n 0", "head -0", "head -n0"] {
        let told = after_edit(&[shell(&format!("npx tsc --noEmit | {end}"), "")]);
        assert_eq!(told["last_check"]["ended"], json!("unknown"), "{end}");
    }
}

#[test]
fn a_look_up_that_was_made_in_another_way_fails_no_more() {
    let failures = |steps: &[Value]| pack(steps)["failures"].clone();
    let first = "for n in 533 534; do echo \"== $n\"; gh pr view $n --json title; done";
    let lost = failing(first, "error: no such field: title of 534\n");
    let found =
        shell("for n in 533 534; do gh api repos/a/b/pulls/$n --jq .title; done", "One\nTwo\n");
    let none = failures(&[lost.clone(), found, json!("Hm.")]);
    assert_eq!(none, json!([]));
    let other = shell("gh api repos/a/b/pulls/599 --jq .title", "Three\n");
    assert_eq!(failures(&[lost, other, json!("Hm.")])[0]["command"], json!(first));
}

#[test]
fn a_check_that_failed_before_its_work_was_pushed_is_not_what_comes_next() {
    let failed = "tests/a.py F\n===== 1 failed, 2 passed in 0.1s =====\n";
    let lint = failing("npx eslint .", "✖ 2 problems (2 errors, 0 warnings)\n");
    let commit = shell("git commit -qam 'Say it'", "");
    let push = shell("git push -u origin it", "To x:y.git\n   1a2b3c4..5d6e7f8  it -> it\n");
    let open = |steps: &[Value]| {
        let steps = [&[edit("src/a.py", "x", "y")], steps, &[json!("It is pushed.")]].concat();
        let work = pack(&steps)["open_work"].clone();
        let texts = work.as_array().unwrap().iter().map(|work| work["text"].as_str().unwrap());
        texts.map(str::to_owned).collect::<Vec<_>>()
    };
    let test = failing("pytest -q", failed);
    let told = open(&[test.clone(), commit.clone(), push.clone(), lint]);
    let is_aside = "`pytest -q` failed before the work was committed and pushed, and did not run";
    assert!(told[0].starts_with("make `npx eslint .` pass: "), "{told:?}");
    assert!(told[1].starts_with(is_aside), "{told:?}");
    // A push that was none, of a tag alone, or of another folder pushes nothing of it.
    let cut = shell("git push 2>&1 | tail -3", "error: failed to push some refs to x:y.git\n");
    let tag = shell("git push origin v1.0", "To x:y.git\n * [new tag] v1.0 -> v1.0\n");
    let other = |line: &str| shell(&format!("cd /home/ada/notes && {line}"), "");
    let notes = [other("git commit -qam 'Note it'"), other("git push")];
    for then in [&[commit.clone()][..], &[commit.clone(), cut], &[commit, tag], &notes] {
        let kept = open(&[std::slice::from_ref(&test), then].concat());
        assert!(kept[0].starts_with("make `pytest -q` pass: "), "{then:?} {kept:?}");
    }
}

#[test]
fn what_is_checked_and_asked_of_another_working_tree_is_told_with_its_folder() {
    let there = "/home/ada/tool-next";
    let change = |path: &str| {
        let mut change = edit("x", "1", "2");
        change["input"]["file_path"] = json!(format!("{there}/{path}"));
        change
    };
    let run = |line: &str, output: &str| shell(&format!("cd {there} && {line}"), output);
    let passed = "==== 4 passed in 0.10s ====";
    let steps = [
        edit("notes.md", "x", "y"),
        shell(
            &format!("git worktree add -b next {there}"),
            "Preparing worktree (new branch 'next')",
        ),
        change("src/a.py"),
        change("src/b.py"),
        run("pytest -q", passed),
        json!("Both are changed."),
    ];
    let told = |steps: &[Value]| {
        let pack = pack(steps);
        let facts = facts(&pack, "environment").join("\n");
        let checks = pack["checks"].as_array().unwrap().iter();
        (facts, checks.map(|check| check.as_str().unwrap().to_owned()).collect::<Vec<_>>())
    };
    let (facts, checks) = told(&steps);
    assert!(
        facts.contains(&format!(
            "the work went on in {there}: 2 files were changed there last (T-1)"
        )),
        "{facts}"
    );
    let tree = format!("`cd {there} && git status`: are the changes made there still there?");
    assert_eq!(
        checks[1..],
        [tree.clone(), format!("`cd {there} && pytest -q`: does it still pass?")]
    );
    let text = printed(&steps);
    assert!(text.contains("`cd /home/ada/tool-next && pytest -q`: passed"), "{text}");
    // What was committed there is there.
    let commit = run("git commit -qam 'Change both'", "[next 1a2b3c4] Change both");
    assert!(!told(&[&steps[..5], &[commit]].concat()).1.contains(&tree));
    let commit = run("git commit -qam 'Change both'", "[next 1a2b3c4] Change both");
    let asked = told(&[&steps[..5], &[edit("notes.md", "y", "z"), commit]].concat()).1;
    let log = format!("`cd {there} && git log`");
    assert!(asked.iter().any(|line| line.contains(&log) && line.contains("1a2b3c4")), "{asked:?}");
    for line in [
        format!("git -C {there} commit -qam 'Change both'"),
        format!("cd {there}/src && git commit -qam 'Change both'"),
    ] {
        let commit = shell(&line, "[next 1a2b3c4] Change both");
        assert!(!told(&[&steps[..5], &[commit]].concat()).1.contains(&tree), "{line}");
    }
    // What was taken away is there no more.
    let name = there.rsplit('/').next().unwrap();
    for line in [
        format!("git worktree remove --force {there}"),
        format!("rm -rf {there}"),
        format!("sudo rm -rf {there}/*"),
        format!("git -C /w worktree remove {there} --force"),
        format!("rm -rf ~/{name}"),
        format!("WT={there}; git worktree remove --force $WT"),
        format!("cd {there}/.. && (rm -rf {name})"),
    ] {
        let (facts, checks) = told(&[&steps[..5], &[shell(&line, "")]].concat());
        assert!(!facts.contains("the work went on") && !checks.contains(&tree), "{line}");
    }
    let made = shell(&format!("rm -rf {there}/dist {there}-old"), "");
    assert!(told(&[&steps[..5], &[made]].concat()).1.contains(&tree));
    // One change there, one here behind it, or a folder in which nothing is meant to stay.
    let tried = shell("cd /tmp/try && pytest -q", passed);
    let mut lost = edit("x", "1", "2");
    lost["input"]["file_path"] = json!("/tmp/try/a.py");
    for steps in [
        vec![edit("a.py", "x", "y"), change("src/a.py"), run("pytest -q", passed)],
        vec![change("src/a.py"), change("src/b.py"), run("git status", ""), edit("a.py", "x", "y")],
        vec![edit("a.py", "x", "y"), lost.clone(), lost, tried],
    ] {
        let (facts, checks) = told(&steps);
        assert!(
            !facts.contains("the work went on") && !checks.join("").contains("made there"),
            "{checks:?}"
        );
    }
}

#[test]
fn of_a_check_before_a_push_what_others_had_left_is_not_told() {
    let lints = "error: this can be collapsed\n  --> src/a.rs:3:1\n\nerror: items after tests\n  --> src/b.rs:9:1\n\nerror: could not compile `tool` (lib) due to 2 previous errors\n";
    let lint = failing("cargo clippy --all-targets", lints);
    let commit = shell("git commit -qam 'Say it'", "");
    let push = shell("git push -u origin it", "To x:y.git\n   1a2b3c4..5d6e7f8  it -> it\n");
    let open = |steps: &[Value]| {
        let steps = [&[edit("src/a.rs", "x", "y")], steps, &[json!("It is done.")]].concat();
        pack(&steps)["open_work"][0]["text"].as_str().unwrap().to_owned()
    };
    let pushed =
        "`cargo clippy --all-targets` failed before the work was committed and pushed, and ";
    let ours = "failed with 2 errors, among them this can be collapsed | src/a.rs";
    let told = open(&[lint.clone(), commit.clone(), push.clone()]);
    assert_eq!(told, format!("{pushed}did not run again: {ours}"));
    // What is still to be done names all.
    let told = open(&[lint.clone(), commit.clone()]);
    assert!(told.starts_with("make ") && told.contains("src/b.rs"), "{told}");
    let part = shell("cargo clippy --lib", "    Finished `dev` profile in 0.1s\n");
    let told = open(&[lint, commit.clone(), push.clone(), part]);
    assert_eq!(
        told,
        format!("{pushed}only a part of it ran again, `cargo clippy --lib`, which passed: {ours}")
    );
    // What does not compile elsewhere may come from what was changed here, and of nothing something is told.
    let steps = |line: &str, output: &str| [failing(line, output), commit.clone(), push.clone()];
    for (line, output) in [
        (
            "cargo build",
            "error[E0425]: cannot find value `x`\n  --> src/b.rs:9:1\n\nerror: could not compile `tool` (lib) due to 1 previous error\n",
        ),
        (
            "npx tsc --noEmit",
            "src/b.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.",
        ),
        (
            "cargo clippy",
            "error: items after tests\n  --> src/b.rs:9:1\n\nerror: could not compile `tool` (lib) due to 1 previous error\n",
        ),
    ] {
        let told = open(&steps(line, output));
        assert!(told.contains("src/b."), "{line}: {told}");
    }
}

#[test]
fn what_lacked_a_program_is_not_asked_again_where_something_else_ran() {
    let lacks = failing("mise run test:all", "all.sh: line 7: parallel: command not found");
    let asked = |steps: &[Value]| {
        let steps = [&[edit("src/a.py", "x", "y")], steps, &[json!("Hm.")]].concat();
        pack(&steps)["checks"].to_string()
    };
    let passes = shell("pytest -q tests", "===== 3 passed in 0.1s =====");
    let told = asked(&[passes.clone(), lacks.clone()]);
    assert!(told.contains("`pytest -q tests`: does it still pass?"), "{told}");
    assert!(!told.contains("test:all"), "{told}");
    // Nor where something failed beside it that is not to be tried.
    let deploys = failing("./deploy.sh", "rejected");
    let told = asked(&[passes.clone(), lacks.clone(), deploys]);
    assert!(told.contains("`pytest -q tests`: does it still pass?"), "{told}");
    assert!(!told.contains("test:all"), "{told}");
    // Where nothing else can be asked, or something else failed, it is as ever.
    assert!(asked(&[lacks]).contains("`mise run test:all`: does it still fail?"));
    let fails = failing("mise run test:all", "error: no such table");
    assert!(asked(&[passes, fails]).contains("`mise run test:all`: does it still fail?"));
}

#[test]
fn a_test_that_passed_only_when_it_was_tried_again_is_told() {
    let output = "Running 4 tests using 2 workers\n  1 flaky\n    [chromium] › login.spec.ts:4:1 › logs in ─────\n  3 passed (9.1s)";
    let steps = [edit("a.ts", "1", "2"), shell("npx playwright test", output), json!("Works.")];
    let told = "done `npx playwright test`: passed (3 tests, 1 flaky: [chromium] › login.spec.ts:4:1 › logs in)";
    assert_eq!(facts(&pack(&steps), "check"), [told]);
}

#[test]
fn of_what_failed_a_short_output_is_told_whole_without_headings() {
    let evidence = |line: &str, output: &str| {
        let steps = [edit("src/a.py", "x", "y"), failing(line, output), json!("Hm.")];
        pack(&steps)["failures"][0]["lines"].clone()
    };
    let rows =
        ["git: 'remote-x' is not a git command.", "fatal: remote helper 'x' aborted session"];
    assert_eq!(evidence("git push -u origin it", &rows.join("\n")), json!(rows));
    let line = "pytest -q; echo '=== FILES ==='; ls tests";
    let told = evidence(line, "error: no table\n=== FILES ===\n");
    assert_eq!(told, json!(["error: no table"]));
    // What is said only where something is wrong is the cause.
    let line = "command -v psql >/dev/null || echo 'psql is not installed'; make db";
    let told = evidence(line, "psql is not installed\nmake: *** [Makefile:3: db] Error 127");
    assert_eq!(told[0], json!("psql is not installed"));
    // What is all that is printed stays.
    let told = evidence("make || echo 'it failed'", "it failed\n");
    assert_eq!(told, json!(["it failed"]));
    // What says that all is well, or what failed by words of its own, is a heading.
    for (line, output, cause) in [
        (
            "test -f .env && echo ok || echo 'error: no .env'; ./start.sh",
            "ok\nport taken",
            "port taken",
        ),
        ("which node && echo '== Failed tests ==' && ./run.sh", "== Failed tests ==\nboom", "boom"),
        ("node a.js || echo 'FAILED: a'; ./run.sh", "FAILED: a\nboom", "boom"),
        ("grep -rn foo src || echo 'not found'; ./run.sh", "not found\nboom", "boom"),
    ] {
        assert_eq!(evidence(line, output)[0], json!(cause), "{line}");
        // The step says the same.
        let steps = [edit("src/a.py", "x", "y"), failing(line, output)];
        let last = pack(&steps)["now"]["last_done"].as_str().unwrap().to_owned();
        assert!(last.contains(&format!("→ exit 101: {cause}")), "{last}");
    }
}

#[test]
fn what_was_left_to_the_user_is_done_once_the_user_ran_all_of_it() {
    let block = "git checkout -b rel\ngit push origin rel\ngh pr create --fill\n";
    let words = format!("All is ready. Run this:\n\n```bash\n{block}```\n");
    let open = |more: &[Value]| {
        let steps = [&[edit("src/a.py", "x", "y"), json!(words)], more].concat();
        pack(&steps)["open_work"].to_string().contains("what it left to the user")
    };
    let typed = |line: &str| {
        let input = told(&format!("<bash-input>{line}</bash-input>"));
        [input, told("<bash-stdout>ok</bash-stdout><bash-stderr></bash-stderr>")]
    };
    assert!(open(&[]));
    assert!(!open(&typed("git checkout -b rel && git push origin rel && gh pr create --fill")));
    assert!(open(&typed("git checkout -b rel && git push origin rel")));
    assert!(open(&typed("git checkout -b other && git push origin rel && gh pr create --fill")));
}

#[test]
fn a_line_whose_check_stands_before_a_pipe_goes_on_whatever_that_says() {
    let script = |line: &str| {
        format!("const r = await tools.exec_command({{cmd:{line:?}}}); text(r.output);")
    };
    let ran = |line: &str, output: &str| {
        let head = "Script completed\nWall time 0.2 seconds\nOutput:\n";
        json!({"script": script(line), "output": [{"type": "input_text", "text": head}, {"type": "input_text", "text": output}]})
    };
    let red = "FAIL src/cart.test.ts\nTests:       1 failed, 2 passed, 3 total\n";
    let last = |line: &str, output: &str| {
        let now = codex_pack(&[ran(line, output)])["now"].clone();
        now["last_done"].as_str().unwrap().to_owned()
    };
    let sent = format!("{red}[main 1a2b3c4] cart\nTo x:y.git\n   1a2b3c4..5d6e7f8  main -> main\n");
    let told = last("npm test | tail -20 && git commit -am cart && git push", &sent);
    assert!(!told.contains("failed"), "{told}");
    for line in [
        "npm test | tail -20",
        "npm test && git commit -am cart",
        "npm test && npm run e2e | tail -3",
        "npm test && git commit -am cart && git log | head -3 && git push",
        "set -o pipefail; npm test | tail -20 && git commit -am cart",
    ] {
        let told = last(line, red);
        assert!(told.contains("→ failed"), "{line}: {told}");
    }
}

#[test]
fn of_a_short_output_the_row_that_tells_most_says_why_it_failed() {
    let rows = "Uploading 3 of 3\nError: 403 Forbidden: the token has expired";
    let steps = [edit("src/a.rs", "x", "y"), failing("./deploy.sh", rows)];
    let open = status(&steps)["open"].to_string();
    assert!(
        open.contains("`./deploy.sh` failed with exit code 101: Error: 403 Forbidden"),
        "{open}"
    );
    assert_eq!(pack(&steps)["failures"][0]["lines"], json!(rows.lines().collect::<Vec<_>>()));
}

#[test]
fn of_a_line_that_commits_the_check_alone_is_asked_for() {
    let red = "test a ... FAILED\n\ntest result: FAILED. 2 passed; 1 failed; 0 ignored\n";
    let asked = |line: &str| {
        let steps = [edit("src/a.rs", "x", "y"), failing(line, red)];
        pack(&steps)["checks"].to_string()
    };
    for line in
        ["cargo test && git add -A && git commit -m cart", "cargo test && gh pr create --fill"]
    {
        let told = asked(line);
        assert!(told.contains("`cargo test`: does it pass now?"), "{told}");
        assert!(!told.contains("still fail"), "{told}");
    }
    assert!(!asked("cargo test && docker compose up -d").contains("compose"));
    // Also where something else failed that is not to be tried.
    let line = "npm run build && git commit -am cart";
    let error = "src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.";
    let deploys = failing("./deploy.sh", "rejected");
    let steps = [edit("src/a.ts", "x", "y"), failing(line, error), deploys];
    let told = pack(&steps)["checks"].to_string();
    assert!(told.contains("`npm run build`: does it pass now?"), "{told}");
}

#[test]
fn what_git_is_asked_is_no_check() {
    let steps =
        [edit("src/a.rs", "x", "y"), shell("git check-ignore -v src/a.rs", "x"), json!("Hm.")];
    assert!(!pack(&steps)["checks"].to_string().contains("check-ignore"));
}

#[test]
fn a_module_that_code_asks_for_may_still_have_to_be_written() {
    let fails = |output: &str| {
        let lint = shell("ruff check src", "All checks passed!");
        let steps = [
            edit("tests/test_cart.py", "x", "y"),
            failing("pytest -q", output),
            lint,
            json!("Hm."),
        ];
        pack(&steps)["checks"].to_string()
    };
    let own = fails("E   ModuleNotFoundError: No module named 'shop.cart'");
    assert!(own.contains("`pytest -q`: does it still fail?"), "{own}");
    assert!(!fails("/usr/bin/python: No module named pytest").contains("still fail"));
}

#[test]
fn what_was_seen_to_pass_elsewhere_was_checked() {
    let unchecked = "no test, build or check of them was seen";
    let told = |more: &[Value]| {
        let commit = shell("git commit -am 'cart' && git push", "[main 1a2b3c4] cart");
        let steps =
            [&[edit("src/a.rs", "x", "y"), commit], more, &[json!("It is all done.")]].concat();
        pack(&steps)["checks"].to_string().contains(unchecked)
    };
    assert!(told(&[]));
    assert!(!told(&[shell("gh pr checks 5", "build\tpass\t1m\thttps://x")]));
    assert!(!told(&[shell("gh run list --limit 1", "completed\tsuccess\tcart")]));
    // What was seen before the change, has not ended, failed or could not be looked at shows nothing.
    for output in
        ["build\tpending\t0\thttps://x", "build\tfail\t1m\thttps://x", "no checks reported"]
    {
        assert!(told(&[shell("gh pr checks 5", output)]), "{output}");
    }
    assert!(told(&[failing("gh pr checks 5", "gh: command not found")]));
    let steps = [
        shell("gh pr checks 5", "build\tpass\t1m\thttps://x"),
        edit("src/a.rs", "x", "y"),
        json!("It is all done."),
    ];
    assert!(pack(&steps)["checks"].to_string().contains(unchecked));
    let push = shell("git commit -am 'cart' && git push", "[main 1a2b3c4] cart");
    let [pass, change, claim] = steps;
    let missing = |steps: &[Value]| status(steps)["missing"].to_string().contains(unchecked);
    assert!(!missing(&[change.clone(), push, pass.clone(), claim.clone()]));
    // What nobody pushed is not what was checked there.
    assert!(missing(&[change, pass, claim]));
}

#[test]
fn what_failed_elsewhere_is_open_over_looks_at_others() {
    let green = "build\tpass\t1m\thttps://x\nlint\tpass\t1s\thttps://x";
    let run = "✓ main CI · 12\n\nJOBS\n✓ build in 1m (ID 1)";
    let again = shell("gh run rerun 12 --failed", "");
    let whole = shell("gh run watch 12", run);
    let of_run = "build\tfail\t1m\thttps://a.example/ada/tool/actions/runs/12/job/3";
    let other = "lint\tfail\t1m\thttps://a.example/ada/tool/actions/runs/13/job/4";
    let both = failing("gh pr checks 5", &format!("{of_run}\n{other}"));
    // What was seen to fail is open, whatever was looked at since that is of another run.
    let open = |more: &[Value]| {
        let push = shell("git commit -am 'cart' && git push", "[main 1a2b3c4] cart");
        let work = pack(&[&[edit("src/a.rs", "x", "y"), push], more, &[json!("Done.")]].concat());
        let open = [open_by(&work, "check"), open_by(&work, "running")].concat();
        open.into_iter().filter(|line| line.contains("elsewhere")).collect::<Vec<_>>()
    };
    let lint = ["what runs elsewhere failed, as `gh pr checks 5` shows: lint"];
    assert_eq!(open(&[both, again.clone(), whole.clone()]), lint);
    let lint_alone = failing("gh pr checks 5", other);
    assert_eq!(open(&[lint_alone.clone(), whole.clone()]), lint);
    assert_eq!(open(&[lint_alone.clone(), shell("gh pr checks 5", green)]), [""; 0]);
    assert_eq!(open(&[lint_alone, shell("gh run watch 13", &run.replace("12", "13"))]), [""; 0]);
    // How the same stands now counts, and a comment can have it run again.
    let pending =
        shell("gh pr checks 5", "lint\tpass\t1m\thttps://x\nbuild\tpending\t0\thttps://x");
    assert!(!open(&[failing("gh pr checks 5", other), pending]).concat().contains("failed"));
    let retest = shell("gh pr comment 5 --body '/retest'", "https://a.example/5#c1");
    let then = shell("gh run watch 15", "✓ CI (15) completed with 'success'");
    assert_eq!(open(&[failing("gh pr checks 5", other), retest, then]), [""; 0]);
    // What was done to another pull request says nothing of it.
    for other_one in ["gh pr merge 8 --squash", "gh pr comment 8 --body '/retest'"] {
        let open = open(&[failing("gh pr checks 5", other), shell(other_one, "")]);
        assert!(open.concat().contains(lint[0]), "{open:?}");
    }
    assert_eq!(open(&[failing("gh pr checks 5", other), shell("gh pr merge 5", "")]), [""; 0]);
    let listed = shell("gh run list -L 2", "completed\tsuccess\tcart\tCI\tmain\tpush\t12\t30s");
    assert_eq!(open(&[failing("gh pr checks 5", of_run), again.clone(), listed]), [""; 0]);
    // A row that names no run may be of the one that was run again.
    for bare in ["lint\tfail\t1m\t", "lint\tfail\t1m\thttps://a.example/lint"] {
        let bare = failing("gh pr checks 5", bare);
        assert_eq!(open(&[bare, again.clone(), whole.clone()]), [""; 0]);
    }
    assert_eq!(
        open(&[failing("gh pr checks 5", of_run), again.clone()]),
        ["`gh run rerun 12 --failed` had it run again elsewhere, and nobody looked how that ended"]
    );
}

#[test]
fn what_passed_elsewhere_was_seen_of_all_that_was_pushed_last() {
    let told = |more: &[Value]| {
        let push = shell("git commit -am 'cart' && git push", "[main 1a2b3c4] cart");
        let steps = [&[edit("src/a.rs", "x", "y"), push], more, &[json!("It is all done.")]];
        status(&steps.concat())["missing"].to_string().contains("no test, build or check")
    };
    let green = "build\tpass\t1m\thttps://x\nlint\tpass\t1s\thttps://x";
    let red = || failing("gh pr checks 5", &green.replacen("pass", "fail", 1));
    let run = "✓ main CI · 12\n\nJOBS\n✓ build in 1m (ID 1)";
    // Some of the checks are not all of them.
    for (line, output) in [
        ("gh pr checks 5 | grep lint", "lint\tpass\t1s\thttps://x"),
        ("gh pr checks 5 --required", green),
        ("gh run view 12 --job 4", run),
        ("gh run view 12 --log | tail -1", "build\tx\tall 12 tests passed"),
        ("gh run view 12 --log | grep bypass", "build\tx\tbypass cache"),
        ("gh run view 12 --json jobs -q '.jobs[0].conclusion'", "success"),
        ("gh run watch 12 | tail -3", "  ✓ Set up job\n  ✓ Run tests"),
        ("gh run list -w lint -L 1", "completed\tsuccess\tcart"),
        (
            "gh run view $(gh run list -L 1 --json databaseId -q '.[0].databaseId') --json jobs -q '.jobs[] | select(.name == \"build\") | .conclusion'",
            "success",
        ),
        (
            "gh run watch $(gh run list -w lint.yml -L 1 --json databaseId -q '.[0].databaseId')",
            run,
        ),
    ] {
        assert!(told(&[shell(line, output)]), "{line}");
        // Nor do they mend what was seen to fail.
        assert!(told(&[red(), shell(line, output)]), "{line}");
    }
    for (line, output) in [
        ("sleep 60; gh pr checks 5", green),
        ("gh run view 12", run),
        ("gh run view 12 --json status,conclusion -q .conclusion", "success"),
        ("gh run watch 12 | tail -3", "✓ build\n✓ CI (12) completed with 'success'"),
        ("gh run watch 12 2>&1 | cat", run),
        (
            "gh run watch $(gh run list -L 1 --json databaseId -q '.[0].databaseId') --exit-status",
            run,
        ),
    ] {
        assert!(!told(&[shell(line, output)]), "{line}");
    }
    assert!(!told(&[red(), shell("gh pr checks 5", green)]));
    assert!(!told(&[shell("gh pr checks 5", green), shell("gh run view 12 --log | head", "x")]));
    let failed = failing("gh run view 12", "X main CI · 12\n\nJOBS\nX build in 1m (ID 1)");
    assert!(told(&[failed.clone(), shell("gh run view 13", run)]));
    assert!(!told(&[failed, shell("gh run watch 12", run)]));
    let again = shell("gh run rerun 12 --failed", "");
    // Of which run it was is known by its page.
    let whole = shell("gh run watch 12", run);
    assert!(told(&[red(), again.clone(), whole.clone()]));
    let of_run = "build\tfail\t1m\thttps://a.example/ada/tool/actions/runs/12/job/3";
    assert!(!told(&[failing("gh pr checks 5", of_run), again.clone(), whole.clone()]));
    let other = "lint\tfail\t1m\thttps://a.example/ada/tool/actions/runs/13/job/4";
    let both = failing("gh pr checks 5", &format!("{of_run}\n{other}"));
    assert!(told(&[both, again.clone(), whole.clone()]));
    let json = failing(
        "gh pr checks 5 --json link,state",
        r#"[{"state":"FAILURE","link":"https://a.example/runs/12/job/3"},{"state":"FAILURE","link":"https://a.example/runs/13/job/4"}]"#,
    );
    assert!(told(&[json, again.clone(), whole.clone()]));
    let listed = shell("gh run list -L 1", "completed\tfailure\tcart\tCI\tmain\tpush\t12\t30s");
    assert!(!told(&[listed, again.clone(), whole]));
    assert!(told(&[shell("gh pr checks 5", green), again]));
    // What was pushed since begins anew; a tag is no other change.
    let push = "To a.example:ada/tool.git\n + 1a2b3c4...5d6e7f8 cart -> cart (forced update)";
    let push = shell("git rebase origin/main && git push --force-with-lease", push);
    assert!(told(&[shell("gh pr checks 5", green), push]));
    let tag = "To a.example:ada/tool.git\n * [new tag]  v1.2.0 -> v1.2.0";
    assert!(!told(&[shell("gh pr checks 5", green), shell("git push --tags", tag)]));
    // A file with `error` in its name is none, and of what is shown again the newest row counts.
    let named = "error-boundary\tpass\t1m\thttps://x";
    assert!(!told(&[shell("gh pr checks 5", named)]));
    assert!(!told(&[shell(
        "gh pr checks 5 --watch",
        &format!("lint\tpending\t0\thttps://x\n{green}")
    )]));
    assert!(told(&[shell("gh pr checks 5 > c.txt; grep lint c.txt", "lint\tpass\t1s\thttps://x")]));
    let manual = "(success) • 01m 02s\ttest\t\tunit\n(manual) • \tdeploy\t\tprod";
    assert!(told(&[shell("glab ci status", manual)]));
}

#[test]
fn what_the_push_did_not_hold_was_not_checked_elsewhere() {
    let told = |steps: &[Value]| {
        let steps = [&[edit("src/a.rs", "x", "y")], steps, &[json!("It is all done.")]].concat();
        status(&steps)["missing"].to_string().contains("no test, build or check")
    };
    let went = "To a.example:ada/tool.git\n   1a2b3c4..5d6e7f8  main -> main";
    let green = "build\tpass\t1m\thttps://x\nlint\tpass\t1s\thttps://x";
    let commit = || shell("git commit -am cart", "[main 1a2b3c4] cart");
    let push = || shell("git push", went);
    let look = || shell("gh pr checks 5", green);
    let other = edit("src/b.rs", "x", "y");
    assert!(!told(&[commit(), push(), look()]));
    assert!(told(&[push(), look()]), "nothing was committed");
    assert!(told(&[commit(), other.clone(), push(), look()]));
    let tag = "To a.example:ada/tool.git\n * [new tag]  v1.2.0 -> v1.2.0";
    assert!(told(&[commit(), shell("git push origin v1.2.0", tag), look()]));
    let docs = shell(
        "cd ../docs && git push",
        "To a.example:ada/docs.git\n   1a2b3c4..5d6e7f8  main -> main",
    );
    let run =
        shell("cd ../docs && gh run watch 3", "✓ main Docs · 3\n\nJOBS\n✓ build in 1m (ID 1)");
    assert!(told(&[commit(), docs.clone(), look()]));
    assert!(told(&[commit(), push(), docs, run]));
    // All of it can stand on one line.
    let line = "git commit -am cart && git push && sleep 90 && gh pr checks 5";
    assert!(!told(&[shell(line, &format!("[main 1a2b3c4] cart\n{went}\n{green}"))]));
    let before = "gh pr checks 5 && git commit -am cart && git push";
    assert!(told(&[shell(before, &format!("{green}\n[main 1a2b3c4] cart\n{went}"))]));
}

#[test]
fn checks_elsewhere_that_were_waited_for_count_as_they_ended() {
    let told = |line: &str, first: &str, last: &str| {
        let name = "<task_id>b7xaaq</task_id>\n\n<task_type>local_bash</task_type>";
        let wait = |came: &str, status: &str, printed: &str| {
            let output = format!(
                "<retrieval_status>{came}</retrieval_status>\n\n{name}\n\n{status}\n\n<output>\n{printed}\n</output>"
            );
            json!({"name": "TaskOutput", "input": {"task_id": "b7xaaq", "block": true}, "output": output})
        };
        let begun = json!({"name": "Bash", "input": {"command": line, "run_in_background": true},
            "output": "Command running in background with ID: b7xaaq. Output is being written to: /tmp/t/b7xaaq.output"});
        let push =
            "[main 1a2b3c4] cart\nTo a.example:ada/tool.git\n   1a2b3c4..5d6e7f8  main -> main";
        let steps = [
            edit("src/a.rs", "x", "y"),
            shell("git commit -am cart && git push", push),
            begun,
            wait("timeout", "<status>running</status>", first),
            wait("success", "<status>completed</status>\n\n<exit_code>0</exit_code>", last),
            json!("It is all done."),
        ];
        status(&steps)["missing"].to_string().contains("no test, build or check")
    };
    let (begun, green) = ("build\tpending\t0\thttps://x", "build\tpass\t1m\thttps://x");
    assert!(!told("gh pr checks 5 --watch", begun, green));
    assert!(told("gh pr checks 5 --watch", begun, begun));
    let (begun, green) =
        ("* main CI · 12\nJOBS\n* build (ID 1)", "✓ main CI · 12\n\nJOBS\n✓ build in 1m (ID 1)");
    assert!(!told("gh run watch 12", begun, green));
    let red = green.replace('✓', "X");
    assert!(told("gh run watch 12", begun, &red));
}

#[test]
fn what_failed_is_not_settled_by_a_run_of_something_else_that_was_committed() {
    let (red, green) =
        ("FAILED tests/b.py::test_x - assert 1 == 2\n1 failed in 0.10s\n", "3 passed in 0.10s\n");
    let commit = || shell("git commit -qam 'mend it'", "[main 1a2b3c4] mend it\n 1 file changed");
    let open = |first: &str, later: &str| {
        let steps = [
            edit("src/a.py", "x", "y"),
            failing(first, red),
            shell(later, green),
            commit(),
            json!("All is done."),
        ];
        open_by(&pack(&steps), "check").len()
    };
    for (first, later) in [
        ("pytest tests/b.py", "pytest tests/a.py"),
        ("pytest tests", "pytest tests/a.py"),
        ("npx jest b.test.ts", "npx jest a.test.ts"),
        ("mise run test:bats test/b.bats", "mise run test:bats test/a.bats"),
        ("pytest tests/b.py -k x", "pytest tests/b.py -k other"),
        ("npx jest src/b.test.ts -t adds", "npx jest src/b.test.ts -t subs"),
        ("cargo test -p core --test b", "cargo test -p core --test a"),
        ("go test ./a -run TestB", "go test ./a -run TestA"),
        ("npm --prefix b test", "npm --prefix a test"),
        ("pytest tests/b.py", "pytest api/tests/b.py"),
        ("dotnet test A.sln", "dotnet test B.sln"),
        ("dotnet test B.csproj -f net8.0", "dotnet test B.csproj -f net48"),
        ("cargo test -p core", "cargo test -p core --no-default-features"),
        ("go test ./a", "go test ./a -skip TestB"),
        ("mvn test", "mvn test -DskipTests"),
        ("mvn test", "mvn -q package -Dmaven.test.skip=true"),
        ("npx tsc -p web/tsconfig.json", "npx tsc --noEmit"),
        ("rspec tests/b.py", "rspec tests/b.py -e other"),
        ("npx vitest run tests/b.py", "npx vitest run tests/b.py --project web"),
        ("mvn -pl core -amd test", "mvn -pl core test"),
        ("mvn -pl a/core test", "cd b/core && mvn test"),
        ("mvn test", "mvn test -Dtest=\"test_*,!test_x\""),
    ] {
        assert_eq!(open(first, later), 1, "{first}, {later}");
    }
    for (first, later) in [
        ("pytest tests/b.py", "pytest tests/b.py"),
        ("pytest tests/b.py", "pytest"),
        ("pytest tests/b.py", "pytest tests"),
        ("pytest tests/b.py -k x", "pytest tests/b.py"),
        ("pytest", "pytest"),
        ("pytest -q", "pytest --lf -q"),
        ("go test ./a -run TestB", "go test ./a -run 'TestA|TestB'"),
        ("./gradlew test --tests BTest", "./gradlew test --tests com.x.BTest"),
        ("mvn -pl core test", "mvn -pl core -am test"),
        ("mvn -pl a/core test", "cd a/core && mvn test"),
        ("cd tests && pytest b.py", "pytest tests/b.py"),
        ("dotnet test src/Shop.Api/Shop.Api.csproj", "dotnet test All.sln"),
        ("npx tsc -p tsconfig.json", "npx tsc --noEmit"),
        ("deno test b_test.ts", "deno test -A b_test.ts"),
        ("npx tsc -p .", "npx tsc --noEmit"),
        ("mvn test -Dtest=BTest", "mvn test -DfailIfNoTests=false -Dtest=BTest"),
        ("./gradlew test --tests BTest", "./gradlew test --tests 'BTest*'"),
        ("dotnet test B.csproj -f net9.0 --filter \"Name~x\"", "dotnet test B.csproj -c Release"),
    ] {
        assert_eq!(open(first, later), 0, "{first}, {later}");
    }
    // What failed may be run alone, and nothing be committed.
    let left = |first: &str, later: &str| {
        let steps =
            [edit("src/a.py", "x", "y"), failing(first, red), shell(later, green), json!("Done.")];
        open_by(&pack(&steps), "check").len()
    };
    for later in [
        "pytest tests -k test_x",
        "pytest tests/b.py -k \"other or test_x\"",
        "pytest -k \"test_x and not slow\"",
        "pytest tests/b.py::test_x",
        "pytest --lf",
    ] {
        assert_eq!(left("pytest", later), 0, "{later}");
    }
    for later in
        ["pytest tests/b.py -k other", "pytest tests/b.py -k \"not test_x\"", "pytest tests/a.py"]
    {
        assert_eq!(left("pytest", later), 1, "{later}");
    }
    // A filter has a blank where an id has a mark.
    let jest = "FAIL src/a.test.ts\n  ● adds › x\nTests: 1 failed, 1 passed, 2 total";
    let open = |later: &str| {
        let green = "PASS src/a.test.ts\nTests: 1 skipped, 1 passed, 2 total";
        let steps = [
            edit("src/a.py", "x", "y"),
            failing("npx jest", jest),
            shell(later, green),
            json!("Done."),
        ];
        open_by(&pack(&steps), "check").len()
    };
    assert_eq!(open("npx jest -t 'adds x'"), 0);
    assert_eq!(open("npx jest -t 'adds y'"), 1);
}

#[test]
fn two_runs_of_one_program_on_a_line_have_each_its_own_end() {
    let red = "F.\nFAILED tests/a.py::test_x - assert 1 == 2\n1 failed, 1 passed in 0.20s\n";
    let green = ".....\n5 passed in 0.10s\n";
    let open = |line: &str, output: &str| {
        let steps = [edit("src/a.py", "x", "y"), shell(line, output), json!("All is done.")];
        let open = open_by(&pack(&steps), "check");
        open.iter().map(|work| work.split('`').nth(1).unwrap().to_owned()).collect::<Vec<_>>()
    };
    let both = "pytest tests/a.py; pytest tests/b.py";
    assert_eq!(open(both, &[red, green].concat()), ["pytest tests/a.py"]);
    assert_eq!(open("pytest tests/b.py\npytest tests/a.py", &[green, green].concat()), [""; 0]);
    let tasks = "make test-a; make test-b";
    let fell = "make: *** [Makefile:3: test-a] Error 1\n";
    assert_eq!(open(tasks, &[red, fell, green].concat()), ["make test-a"]);
    assert_eq!(open(tasks, &[green, green].concat()), [""; 0]);
    // The same that was asked again counts as it ended last.
    assert_eq!(open("pytest tests/a.py; pytest tests/a.py", &[red, green].concat()), [""; 0]);
    assert_eq!(open("pytest tests/a.py", red).len(), 1);
    assert_eq!(open("pytest -q; pytest --lf -q", &[red, "1 passed in 0.10s\n"].concat()), [""; 0]);
    let runs = [
        (
            "rspec",
            "F\n\n2 examples, 1 failure\n\nFailed examples:\n\nrspec ./spec/a_spec.rb:4 # A x\n",
            "..\n2 examples, 0 failures\n",
        ),
        (
            "ctest --test-dir",
            "50% tests passed, 1 tests failed out of 2\n\nThe following tests FAILED:\n\t1 - parse (Failed)\n",
            "100% tests passed, 0 tests failed out of 2\n",
        ),
        ("mix test", "  1) test adds (AT)\n\n2 tests, 1 failure\n", "..\n2 tests, 0 failures\n"),
        ("bun test", "(fail) adds\n 1 pass\n 1 fail\n", " 2 pass\n 0 fail\n"),
        (
            "npx vitest run",
            " FAIL  a.test.ts > adds\n Test Files  1 failed (1)\n      Tests  1 failed | 1 passed (2)\n",
            " Test Files  1 passed (1)\n      Tests  2 passed (2)\n",
        ),
        (
            "go test",
            "--- FAIL: TestA (0.00s)\nFAIL\nFAIL\tx.io/m/a\t0.002s\nFAIL\n",
            "ok  \tx.io/m/b\t0.003s\n",
        ),
        (
            "./gradlew",
            "ATest > x FAILED\n2 tests completed, 1 failed\nBUILD FAILED in 2s\n",
            "BUILD SUCCESSFUL in 2s\n",
        ),
        (
            "mvn test -pl",
            "[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0\n[INFO] BUILD FAILURE\n",
            "[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS\n",
        ),
        (
            "mypy",
            "a/x.py:1: error: no\nFound 1 error in 1 file (checked 2 source files)\n",
            "Success: no issues found in 2 source files\n",
        ),
        (
            "ruff check",
            "a/x.py:1:1: F401 [*] `os` imported but unused\nFound 1 error.\n",
            "All checks passed!\n",
        ),
    ];
    for (program, red, green) in runs {
        let (a, b) = (format!("{program} ./a"), format!("{program} ./b"));
        let both = [red, green].concat();
        assert_eq!(open(&format!("{a}; {b}"), &both), std::slice::from_ref(&a), "{both}");
        assert_eq!(open(&format!("{b}; {a}"), &[green, red].concat()), [a], "{program}");
        assert_eq!(open(&format!("for d in a b; do {program} $d; done"), &both).len(), 1);
    }
    // Where they cannot be told apart, what fails may be of each.
    let nested = "F.\n----- Captured stdout call -----\n2 passed in 0.10s\nFAILED tests/a.py::test_x - no\n1 failed, 1 passed in 0.20s\n";
    assert_eq!(open(both, &[nested, green].concat()), ["pytest tests/a.py"], "the last ended well");
    assert_eq!(open(&format!("{both} | tail -40"), &[nested, green].concat()).len(), 2);
    let fell = "ImportError while loading conftest '/p/tests/a/conftest.py'.\n";
    assert!(!open(both, &[fell, green].concat()).is_empty());
    // What goes into a file is not told.
    let kept = "pytest tests/a.py > l 2>&1; pytest tests/b.py 2>&1 | tail -1";
    assert_eq!(open(kept, "5 passed in 0.10s"), [""; 0]);
    assert_eq!(open(kept, "1 failed, 1 passed in 0.20s"), ["pytest tests/b.py"]);
    // A part of another runner's tests is not all.
    assert_eq!(open("npm test --workspaces 2>&1 | tail -40", "FAIL a.test.ts\n  ● adds\nTests: 1 failed, 1 total\nPASS b.test.ts\nTests: 2 passed, 2 total\n").len(), 1);
    let named = "pytest tests/test_watch.py; pytest tests/b.py";
    assert_eq!(open(named, &[red, green].concat()), ["pytest tests/test_watch.py"]);
    // One that watches runs again.
    assert_eq!(open("npx vitest watch 2>&1 | tail -40", &[runs[4].1, runs[4].2].concat()), [""; 0]);
}
