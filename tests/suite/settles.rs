//! What settles a check that failed, and what does not.

use std::fs;

use serde_json::{Value, json};

use crate::carried;
use crate::program::Call;
use crate::status::{edit, failing, open_by, pack, shell, status};

const JEST_FAILED: &str =
    "FAIL src/a.test.ts\n  ● login › works\nTests:       1 failed, 3 passed, 4 total";
const JEST_PASSED: &str = "PASS src/a.test.ts\nTests:       4 passed, 4 total";
const GO_TEST: &str = "--- FAIL: TestX (0.00s)\nFAIL\tp/a\t0.1s\nFAIL";
const MAVEN_FAILED: &str =
    "[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0\n[INFO] BUILD FAILURE";
const MAVEN_PASSED: &str =
    "[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS";
const GRADLE_FAILED: &str =
    "> Task :app:test FAILED\n2 tests completed, 1 failed\nBUILD FAILED in 1s";
const CABAL: &str = "Test suite unit: FAIL\n0 of 1 test suites (0 of 1 test cases) passed.";
const TSC: &str = "a.ts(3,1): error TS2304: no x";
const CARGO: &str = "test parse::x ... FAILED\n\ntest result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s";
const CARGO_PASSED: &str =
    "test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s";
const PYTEST: &str = "FAILED tests/a.py::test_x - assert 1 == 2\n1 failed in 0.10s";
const GO_FAILED: &str = "# p/win\nwin/a.go:3:2: undefined: syscall.Foo";

/// Returns the steps of a session in which `first` failed and `later` worked.
fn steps(first: (&str, &str), later: (&str, &str)) -> [Value; 5] {
    let (one, two) = (edit("src/a.rs", "x", "y"), edit("src/a.rs", "y", "z"));
    let (mut first, mut later) = (failing(first.0, first.1), shell(later.0, later.1));
    for step in [&mut first, &mut later] {
        step["in"] = json!("/home/ada/tool");
    }
    [one, first, two, later, json!("I changed it.")]
}

#[test]
fn a_run_elsewhere_or_of_something_else_settles_nothing() {
    let low = "Tests:       4 passed, 4 total\nJest: \"global\" coverage threshold for lines (80%) not met: 71%";
    for (first, later) in [
        (("cd web && npm test", JEST_FAILED), ("cd api && npm test", JEST_PASSED)),
        (("(cd web && npm test)", JEST_FAILED), ("(cd api && npm test)", JEST_PASSED)),
        (("npm --prefix web test", JEST_FAILED), ("npm test", JEST_PASSED)),
        (("GOOS=windows go build ./...", GO_FAILED), ("go build ./...", "")),
        (("export GOOS=windows; go vet ./...", GO_FAILED), ("go vet ./...", "")),
        (("npx jest --coverage", low), ("npx jest", JEST_PASSED)),
        (("npx tsc -b", TSC), ("npx tsc --noEmit", "")),
        (("cd web && npx tsc", TSC), ("cd api/web && npx tsc", "")),
        (("npx tsc -p web/tsconfig.json", TSC), ("npx tsc --noEmit", "")),
        (("cd core && cargo test", CARGO), ("cargo test", CARGO_PASSED)),
        (("cargo test -p core", CARGO), ("cd net && cargo test", CARGO_PASSED)),
        (("cd api && pytest tests/a.py", PYTEST), ("pytest tests/a.py", "3 passed in 0.10s")),
    ] {
        let status = status(&steps(first, later));
        assert_eq!(status["done"], json!(false), "{first:?}");
        assert_eq!(status["open"][0]["source"], json!("check"), "{first:?} {status}");
    }
}

#[test]
fn the_same_settles_it_wherever_it_is_named_from() {
    let go = "ok  \tp/a\t0.1s";
    let py = "3 passed in 0.10s";
    for (first, later) in [
        (("npx tsc -p web/tsconfig.json", TSC), ("cd web && npx tsc --noEmit", "")),
        (("go test ./a/...", GO_TEST), ("cd a && go test ./...", go)),
        (("cd a && go test ./...", GO_TEST), ("go test ./a/...", go)),
        (("cargo test -p core", CARGO), ("cd crates/core && cargo test", CARGO_PASSED)),
        (("cd core && cargo test", CARGO), ("cargo test -p core", CARGO_PASSED)),
        (("pnpm --filter @x/web test", JEST_FAILED), ("cd packages/web && pnpm test", JEST_PASSED)),
        (("pytest /home/ada/tool/tests/a.py", PYTEST), ("pytest tests/a.py", py)),
        (("cd tests && pytest a.py", PYTEST), ("pytest tests/a.py", py)),
        (("cd api && pytest", PYTEST), ("pytest api", py)),
    ] {
        let open = open_by(&pack(&steps(first, later)), "check");
        assert_eq!(open, [""; 0], "{first:?} {later:?}");
    }
}

#[test]
fn a_run_that_leaves_out_what_failed_settles_nothing() {
    let failed = "FAILED tests/integration/test_db.py::test_round - assert 1 == 2\n==== 1 failed, 3 passed in 0.10s ====";
    let passed = "==== 3 passed in 0.10s ====";
    let gradle = "ATest > round() FAILED\n2 tests completed, 1 failed\nBUILD FAILED in 3s";
    let go = "--- FAIL: TestRound (0.00s)\nFAIL\texample.com/p/a\t0.01s\nFAIL";
    for (first, later) in [
        (("pytest tests", failed), ("pytest tests --ignore=tests/integration", passed)),
        (("pytest tests", failed), ("pytest -q -k \"not test_round\"", passed)),
        (("pytest tests", failed), ("pytest -q tests/unit -k test", passed)),
        (("./gradlew build", gradle), ("./gradlew build -x test", "BUILD SUCCESSFUL in 3s")),
        (("go test ./...", go), ("go test .", "ok  \texample.com/p\t0.01s")),
        (("go test -race ./...", go), ("go test ./...", "ok  \texample.com/p/a\t0.01s")),
        (("mvn verify", MAVEN_FAILED), ("mvn compile", "[INFO] BUILD SUCCESS")),
        (("mvn test", MAVEN_FAILED), ("mvn verify -DskipTests", "[INFO] BUILD SUCCESS")),
        (("mvn test", MAVEN_FAILED), ("mvn verify -pl core", MAVEN_PASSED)),
        (("./gradlew check", GRADLE_FAILED), ("./gradlew test", "BUILD SUCCESSFUL in 2s")),
        (
            ("./gradlew :app:test", GRADLE_FAILED),
            ("./gradlew :core:build", "BUILD SUCCESSFUL in 2s"),
        ),
        (
            ("cabal test", CABAL),
            ("cabal test other", "1 of 1 test suites (1 of 1 test cases) passed."),
        ),
        (("dune runtest", "1 failure! in 0.001s. 3 tests run."), ("dune runtest other", "OK")),
        (("nox", "nox > * tests-3.11: failed"), ("nox -s tests-3.12", "nox > ok")),
        (
            ("npx nx run-many -t test", "✖  1/4 targets failed, including the following:"),
            ("npx nx test core", "Successfully ran target test for project core"),
        ),
        (("npx jest", JEST_FAILED), ("cd web && npx jest", JEST_PASSED)),
        (("ruff check .", "Found 2 errors."), ("ruff check . --ignore F401", "All checks passed!")),
        (
            ("mypy src", "a.py:1: error: no\nFound 1 error in 1 file (checked 3 source files)"),
            ("mypy src --exclude a.py", "Success: no issues found in 2 source files"),
        ),
        (("docker compose exec app pytest", failed), ("pytest", passed)),
        (("npm run test:all", JEST_FAILED), ("npm test", JEST_PASSED)),
    ] {
        let status = status(&steps(first, later));
        assert_eq!(status["done"], json!(false), "{first:?} {later:?}");
    }
}

#[test]
fn the_same_run_in_other_words_settles_it() {
    for (first, later) in [
        (("npx jest", JEST_FAILED), ("npx jest src/a.test.ts", JEST_PASSED)),
        (("cd web && npx jest", JEST_FAILED), ("npx jest", JEST_PASSED)),
        (
            ("cd a && go test ./...", "--- FAIL: TestX (0.00s)\nFAIL\tp/a\t0.1s"),
            ("go test ./...", "ok  \tp/a\t0.1s"),
        ),
        (
            ("NODE_OPTIONS=--max-old-space-size=4096 npx jest", JEST_FAILED),
            ("npx jest", JEST_PASSED),
        ),
        (("NODE_ENV=test npx jest --no-watchman", JEST_FAILED), ("npx jest", JEST_PASSED)),
        (("cd web && npm test", JEST_FAILED), ("npm --prefix web test", JEST_PASSED)),
        (("cd /home/ada/tool && npm test", JEST_FAILED), ("CI=1 npm test", JEST_PASSED)),
        (("cd web && npm test", JEST_FAILED), ("cd ./web/ && npm test -- --silent", JEST_PASSED)),
        (("npx jest --coverage", JEST_FAILED), ("npx jest", JEST_PASSED)),
        (("GOOS=windows go build ./...", GO_FAILED), ("GOOS=windows go build -v ./...", "")),
        (("go build ./...", GO_FAILED), ("FLAG=1 go build ./...", "")),
        (("go test ./...", GO_TEST), ("go test -race -count=1 ./...", "ok  \tp/a\t0.1s")),
        (("mvn test", MAVEN_FAILED), ("mvn clean verify", MAVEN_PASSED)),
        (("./mvnw -q package", MAVEN_FAILED), ("./mvnw install", MAVEN_PASSED)),
        (("./gradlew test", GRADLE_FAILED), ("./gradlew build", "BUILD SUCCESSFUL in 2s")),
        (("./gradlew :app:test", GRADLE_FAILED), ("./gradlew check", "BUILD SUCCESSFUL in 2s")),
        (
            ("cabal test", CABAL),
            ("cabal test all", "1 of 1 test suites (1 of 1 test cases) passed."),
        ),
    ] {
        let status = status(&steps(first, later));
        assert_eq!(status["done"], json!(true), "{first:?} {status}");
    }
}

#[test]
fn what_a_formatter_set_in_order_is_done_and_what_it_only_told_is_not() {
    let first =
        ("black --check src", "would reformat src/a.py\nOh no! 1 file would be reformatted.");
    let set = status(&steps(first, ("black src", "reformatted src/a.py\n1 file reformatted")));
    assert_eq!(set["done"], json!(true), "{set}");
    assert_eq!(set["last_check"]["told"], json!("mended by `black src`"));
    for later in ["black --version", "black -c 'x=1'", "cd docs && black src"] {
        let told = status(&steps(first, (later, "black, 24.1")));
        assert_eq!(told["done"], json!(false), "{later}");
    }
    let cut =
        "Would reformat: src/a.py\n... [150 lines truncated] ...\n151 files would be reformatted";
    let some = ("ruff format src/a.py", "1 file reformatted");
    assert_eq!(status(&steps(("ruff format --check", cut), some))["done"], json!(false));
}

#[test]
fn a_row_is_that_of_the_command_which_prints_such() {
    let line = "ruff check src 2>&1 | tail -3 && ruff format --check src";
    let output = "Found 2 errors.\n2 files already formatted";
    let told = pack(&[edit("src/a.rs", "x", "y"), shell(line, output), json!("ok")]);
    let of_form: Vec<_> = told["facts"].as_array().unwrap().iter().collect();
    let text = |fact: &Value| fact["text"].as_str().unwrap_or_default().to_owned();
    let of_form: Vec<_> =
        of_form.into_iter().map(text).filter(|it| it.contains("ruff format")).collect();
    assert_eq!(of_form, ["`ruff format --check src`: passed"]);
    let failing = open_by(&told, "check");
    assert!(failing[0].contains("`ruff check src`"), "{failing:?}");
}

#[test]
fn a_box_that_is_shut_behind_other_output_blames_no_check() {
    let output =
        "CONTAINER ID   IMAGE\nabc  db\nabd  x\nError response from daemon: No such container: app";
    let line = "sleep 2; docker ps; docker exec app pytest";
    let told = pack(&[edit("src/a.rs", "x", "y"), failing(line, output), json!("ok")]);
    assert!(open_by(&told, "check").is_empty(), "{told}");
}

#[test]
fn of_several_commands_one_gets_what_failed() {
    let failed = "==== 2 failed, 9 passed in 1.02s ====";
    for (line, which) in [
        ("docker compose run --rm test; docker compose down", "docker compose run --rm test"),
        ("rsync -a ./ box:p/ && ssh box 'cd p && make test'", "ssh box 'cd p && make test'"),
        ("docker compose up -d db && ./try.sh; docker compose stop", "./try.sh"),
        ("./prepare.sh; ./all.sh", "./all.sh"),
        ("./all.sh; npm run lint", "./all.sh"),
        ("./set-up.sh && pytest -q; ./down.sh", "pytest -q"),
        ("sleep 5; scp box:log .; ./try.sh", "./try.sh"),
        ("python run_tests.py; python summarize.py", "python run_tests.py"),
        ("node test.js; node clean.js", "node test.js"),
    ] {
        let told = pack(&[edit("src/a.rs", "x", "y"), shell(line, failed), json!("ok")]);
        let open = open_by(&told, "check");
        assert_eq!(open.len(), 1, "{line} {open:?}");
        assert!(open[0].contains(&format!("`{which}`")), "{line} {open:?}");
    }
    // Of two tasks that test either may have.
    let both = pack(&[edit("src/a.rs", "x", "y"), shell("npm run test:a; npm run test:b", failed)]);
    assert_eq!(open_by(&both, "check").len(), 2);
}

#[test]
fn another_page_of_the_same_machine_was_not_asked_for() {
    let first = "curl -sf http://localhost:8080/api/orders";
    let failed = |later: &str| {
        let steps =
            [edit("src/a.rs", "x", "y"), failing(first, "curl: (22) 500"), shell(later, "ok")];
        !pack(&steps)["failures"].as_array().unwrap().is_empty()
    };
    assert!(failed("curl -s http://localhost:8080/health"));
    assert!(!failed("curl -s http://localhost:8080/api/orders"));
}

#[test]
fn another_query_of_the_same_page_was_not_asked_for() {
    let failed = |later: &str| {
        let first =
            failing("curl -s -f -L 'http://localhost:8080/api/order?id=1'", "curl: (22) 404");
        !pack(&[edit("src/a.rs", "x", "y"), first, shell(later, "ok")])["failures"]
            .as_array()
            .unwrap()
            .is_empty()
    };
    assert!(failed("curl -s 'http://localhost:8080/api/order?id=2'"));
    assert!(failed("curl -s -f -L 'http://localhost:8080/api/order?id=2'"));
    assert!(!failed("curl -s 'http://localhost:8080/api/order?id=1'"));
}

#[test]
fn a_program_with_two_names_settles_what_failed_by_the_other() {
    let failed = "==== 1 failed, 3 passed in 0.10s ====";
    let passed = "==== 4 passed in 0.10s ====";
    let (first, later) =
        ("docker-compose run --rm app pytest", "docker compose run --rm app pytest");
    let told = status(&steps((first, failed), (later, passed)));
    assert_eq!(told["done"], json!(true), "{told}");
    let failures = |later: &str| {
        let first = failing("docker-compose up -d db", "Error: port is in use");
        pack(&[edit("src/a.rs", "x", "y"), first, shell(later, "Started")])["failures"].clone()
    };
    assert_eq!(failures("docker compose up -d db"), json!([]));
    assert_ne!(failures("docker compose ps"), json!([]));
}

#[test]
fn what_was_built_on_the_way_says_nothing_of_tests() {
    let built = "[build]     Finished `dev` profile [unoptimized + debuginfo] target(s) in 1.37s\n\
        rg: 'test/a.bats test/b.bats': No such file or directory (os error 2)\nFinished in 4.73s";
    let ended = |line: &str, output: &str| {
        let status = status(&[edit("src/a.rs", "x", "y"), shell(line, output), json!("ok")]);
        status["last_check"]["ended"].clone()
    };
    let line = "mise run test:bats test/a.bats | tail -20";
    assert_eq!(ended(line, built), json!("unknown"));
    assert_eq!(ended(line, &format!("{built}\n4 passed in 0.03s")), json!("passed"));
    assert_eq!(ended("mise run build | tail -20", built), json!("passed"));
}

#[test]
fn a_variable_before_a_check_is_part_of_which_check_it_is() {
    let failed = "FAILED tests/test_tz.py::test_a - AssertionError\n1 failed, 8 passed in 0.10s";
    let passed = "9 passed in 0.10s";
    for (first, later) in [
        ("TZ=America/New_York pytest -q", "pytest -q"),
        ("DB=postgres pytest -q", "DB=sqlite pytest -q"),
        ("cd /home/ada/tool && SEED=7 NO_COLOR=1 pytest -q", "NO_COLOR=1 pytest -q"),
    ] {
        let name =
            |command: &str| command.replace("cd /home/ada/tool && ", "").replace("NO_COLOR=1 ", "");
        let (first, later, steps) =
            (name(first), name(later), steps((first, failed), (later, passed)));
        let found = status(&steps);
        let told = found["open"][0]["text"].as_str().unwrap_or_default();
        assert!(told.starts_with(&format!("make `{first}` pass: 1 of 9 failed")), "{found}");
        assert_eq!(found["last_check"]["command"], json!(later));
        let packed = pack(&steps);
        assert_eq!(packed["commands"][0]["command"], json!(later));
        let asked = packed["checks"].to_string();
        assert!(asked.contains("pytest -q`: does it still fail?"), "{packed}");
    }
    // A value that is long, or that the shell makes, is not told, nor any of which nothing hangs.
    let built = "DB=$(date) SEED=7 MY_PASS=hunter2 pytest -q";
    assert_eq!(status(&[shell(built, passed)])["last_check"]["command"], json!("SEED=7 pytest -q"));
}

#[test]
fn what_works_on_something_else_settles_nothing() {
    let failures = |steps: &[(&str, bool)]| {
        let run = |(command, fails): &(&str, bool)| match fails {
            true => failing(command, "cannot reach the cluster"),
            false => shell(command, "ok"),
        };
        let steps: Vec<Value> = steps.iter().map(run).collect();
        let found = pack(&[steps, vec![json!("Prod is up.")]].concat())["failures"].clone();
        found.as_array().unwrap().iter().map(|one| one["command"].clone()).collect::<Vec<_>>()
    };
    let (staging, prod) = ("ENV=staging ./deploy.sh", "ENV=prod ./deploy.sh");
    assert_eq!(failures(&[(staging, true), (prod, false)]), [staging]);
    assert_eq!(failures(&[(staging, true), ("./deploy.sh", false)]), [staging]);
    for settled in [
        [(staging, true), (staging, false)],
        // What it lacked may be this.
        [("./deploy.sh", true), (prod, false)],
        [("NO_COLOR=1 ./deploy.sh", true), ("CI=1 ./deploy.sh", false)],
    ] {
        assert_eq!(failures(&settled), [""; 0], "{settled:?}");
    }
}

#[test]
fn what_tests_after_it_was_built_settles_that_it_could_not_be_built() {
    let open = |first: (&str, &str), later: (&str, &str)| {
        let status = status(&steps(first, later));
        let open = status["open"].as_array().unwrap().clone();
        open.iter().map(|one| one["text"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let error = "== Compilation error in file lib/a.ex ==\n** (CompileError) lib/a.ex:1: undefined function x/0";
    let (mix, passed) = (("mix compile", error), "Finished in 0.1 seconds\n3 tests, 0 failures");
    assert_eq!(open(mix, ("mix test", passed)), [""; 0]);
    assert_eq!(open(mix, ("mix test test/a_test.exs", passed)).len(), 1);
    assert_eq!(open(mix, ("cd sub && mix test", passed)).len(), 1);
    // Its tests do not build the programs that this one builds.
    let error = "src/A.hs:1:1: error: [GHC-88464]\n    Variable not in scope: x\nError: [Cabal-7125]\nFailed to build p-0.1.";
    let passed = "Test suite unit: PASS\n1 of 1 test suites (1 of 1 test cases) passed.";
    assert_eq!(open(("cabal build", error), ("cabal test", passed)).len(), 1);
    let suites = "Test suite unit: PASS\nTest suite props: FAIL\n1 of 2 test suites (1 of 2 test cases) passed.";
    let failed = open(("cabal build", error), ("cabal test 2>&1 | tail", suites));
    assert!(
        failed.contains(&"make `cabal test` pass: 1 test failed: props".to_owned()),
        "{failed:?}"
    );
}

/// Returns a session of Gemini CLI that ran commands, each told with its output and its exit code.
fn gemini(ran: &[(&str, &str, i32)]) -> String {
    let asked = |(command, output, code): &(_, _, _)| (json!({"command": command}), *output, *code);
    gemini_asked(&ran.iter().map(asked).collect::<Vec<_>>())
}

/// Returns one in which they were asked for so.
fn gemini_asked(ran: &[(Value, &str, i32)]) -> String {
    let time = "2026-01-02T03:04:05.000Z";
    let mut records = vec![
        json!({"sessionId": "6f0c7a1e-3b52-4d0a-9c1e-7aa0de51c0d2", "projectHash": "0",
            "startTime": time, "lastUpdated": time, "kind": "main"}),
        json!({"id": "m0", "timestamp": time, "type": "user", "content": [{"text": "mend both"}]}),
    ];
    for (number, (args, output, code)) in ran.iter().enumerate() {
        let command = args["command"].as_str().unwrap();
        let output = format!(
            "Command: {command}\nDirectory: (root)\nOutput: {output}\nError: (none)\nExit Code: {code}\nSignal: (none)\nBackground PIDs: (none)"
        );
        let response = json!([{"functionResponse": {"id": format!("c{number}"),
            "name": "run_shell_command", "response": {"output": output}}}]);
        let call = json!({"id": format!("c{number}"), "name": "run_shell_command", "status": "success",
            "args": args, "result": response, "timestamp": time});
        records.push(json!({"id": format!("m{}", number + 1), "timestamp": time, "type": "gemini",
            "content": "", "toolCalls": [call]}));
    }
    records.push(json!({"id": "m9", "timestamp": time, "type": "gemini", "content": "I looked."}));
    records.iter().map(|record| format!("{record}\n")).collect()
}

#[test]
fn where_each_call_begins_at_home_folders_are_told_apart() {
    let session =
        gemini(&[("cd a && npm test", JEST_FAILED, 1), ("cd b && npm test", JEST_PASSED, 0)]);
    let said = Call::new("nobody", &["status", "-", "--json"]).stdin(session.as_bytes()).run();
    let status: Value = serde_json::from_str(&said.stdout).unwrap();
    let open = status["open"][0]["text"].as_str().unwrap();
    assert!(open.starts_with("make `cd a && npm test` pass: 1 of 4 failed"), "{status}");
    assert_eq!(status["last_check"]["command"], json!("cd b && npm test"), "{status}");
}

#[test]
fn the_folder_of_a_check_is_told_where_there_are_several() {
    let told = |one: &str, other: &str| {
        let steps = steps((one, JEST_FAILED), (other, JEST_PASSED));
        let open = status(&steps)["open"][0]["text"].as_str().unwrap().to_owned();
        open.split('`').nth(1).unwrap().to_owned()
    };
    assert_eq!(told("cd web && npm test", "cd 'my api' && npm test"), "cd web && npm test");
    assert_eq!(told("npm --prefix web test", "npm test"), "npm --prefix web test");
}

#[test]
fn a_failing_check_keeps_its_id_when_another_folder_is_checked() {
    let id = |ran: &[(&str, &str, i32)]| {
        let session = gemini(ran);
        let said = Call::new("nobody", &["pack", "-", "--json"]).stdin(session.as_bytes()).run();
        let pack: Value = serde_json::from_str(&said.stdout).unwrap();
        let works = pack["open_work"].as_array().unwrap();
        let work = works.iter().find(|work| work["source"] == "check").unwrap();
        (work["id"].as_str().unwrap().to_owned(), work["text"].as_str().unwrap().to_owned())
    };
    let (fails, passes) = (("cd a && npm test", JEST_FAILED, 1), ("npm test", JEST_PASSED, 0));
    let (alone, beside) = (id(&[fails]), id(&[fails, passes]));
    assert_eq!(alone.0, beside.0);
    for (_, told) in [&alone, &beside] {
        assert!(told.starts_with("make `cd a && npm test` pass"), "{told}");
    }
    let home = id(&[("npm test", JEST_FAILED, 1)]);
    assert_ne!(home.0, alone.0, "another check has another id");
    assert_eq!(home, id(&[("npm test", JEST_FAILED, 1), ("cd a && npm test", JEST_PASSED, 0)]));
}

/// Returns the same session of Codex CLI.
fn codex(ran: &[(&str, &str, i32)]) -> String {
    let asked = |(command, output, code): &(_, _, _)| (json!({"cmd": command}), *output, *code);
    codex_asked(&ran.iter().map(asked).collect::<Vec<_>>())
}

/// Returns one in which they were asked for so.
fn codex_asked(ran: &[(Value, &str, i32)]) -> String {
    let mut items = Vec::new();
    for (number, (arguments, output, code)) in ran.iter().enumerate() {
        let id = format!("c{number}");
        let arguments = arguments.to_string();
        items.push(json!({"type": "function_call", "name": "exec_command", "call_id": id,
            "arguments": arguments}));
        let output = format!("Process exited with code {code}\nOutput:\n{output}");
        items.push(json!({"type": "function_call_output", "call_id": id, "output": output}));
    }
    codex_with(items)
}

/// Returns one in which each was asked for by a script.
fn codex_scripts(ran: &[(Value, &str, i32)]) -> String {
    let script = |(number, (arguments, output, _)): (usize, &(Value, &str, i32))| {
        let text = format!("text((await tools.exec_command({arguments})).output);\n");
        carried::script(&format!("c{number}"), &text, &[output])
    };
    codex_with(ran.iter().enumerate().flat_map(script).collect())
}

/// Returns a session of Codex CLI with these items, after which the agent spoke.
pub(super) fn codex_with(mut items: Vec<Value>) -> String {
    items.push(json!({"type": "message", "role": "assistant",
        "content": [{"type": "output_text", "text": "I looked."}]}));
    carried::codex(&items).iter().map(|record| format!("{record}\n")).collect()
}

fn claude(ran: &[(&str, &str, i32)]) -> String {
    let mut steps = Vec::new();
    for (command, output, code) in ran {
        let mut step = if *code == 0 { shell(command, output) } else { failing(command, output) };
        step["in"] = json!("/home/ada/tool");
        steps.push(step);
    }
    steps.push(json!("I looked."));
    crate::status::session(&steps)
}

/// What `segue status` says, but for what names the file and the session.
pub(super) fn verdict(session: &str) -> Value {
    verdict_of("-", session)
}

/// The same of a file, which is standard input as `-`.
fn verdict_of(path: &str, stdin: &str) -> Value {
    let said = Call::new("nobody", &["status", path, "--json"]).stdin(stdin.as_bytes()).run();
    let status: Value = serde_json::from_str(&said.stdout).unwrap();
    let list = status["open"].as_array().unwrap().iter();
    // Which tests failed is told by the output, around which each harness puts words of its own.
    let text =
        |work: &Value| work["text"].as_str().unwrap().split(" failed: ").next().map(str::to_owned);
    let open: Vec<_> = list.map(|work| json!([work["id"], text(work), work["source"]])).collect();
    json!([status["done"], status["last_check"]["command"], open])
}

pub(super) fn told(session: &str, args: &[&str]) -> String {
    let said = Call::new("nobody", args).stdin(session.as_bytes()).run();
    assert_eq!(said.code, 0, "{args:?}: {}", said.stderr);
    said.stdout
}

#[test]
fn a_check_that_failed_in_another_folder_stays_open_in_every_conversion() {
    let ran = [("cd a && npm test", JEST_FAILED, 1), ("npm test", JEST_PASSED, 0)];
    for source in [claude(&ran), codex(&ran), gemini(&ran)] {
        let whole = verdict(&source);
        assert_eq!((&whole[0], &whole[1]), (&json!(false), &json!("npm test")));
        let open = whole[2][0][1].as_str().unwrap();
        assert!(open.starts_with("make `cd a && npm test` pass"), "{whole}");
        for to in ["claude", "codex", "gemini"] {
            let once = told(&source, &["convert", "-", "--to", to, "--cwd", "/home/ada/tool"]);
            assert_eq!(verdict(&once), whole, "{to}");
            for again in ["claude", "codex", "gemini"] {
                let twice = told(&once, &["convert", "-", "--to", again, "--cwd", "/srv/tool"]);
                assert_eq!(verdict(&twice), whole, "{to} {again}");
            }
            for form in ["atif", "ndjson"] {
                let form = told(&once, &["export", "-", "--to", form]);
                assert_eq!(verdict(&form), whole, "{to}");
            }
        }
        for form in ["atif", "ndjson"] {
            assert_eq!(verdict(&told(&source, &["export", "-", "--to", form])), whole, "{form}");
        }
    }
}

#[test]
fn a_folder_that_a_call_names_moves_along_with_its_session() {
    let home = "/home/ada/tool";
    let a = format!("{home}/a");
    let asked = |command: &str, key: &str| {
        let run = |folder: &str| json!({command: "npm test", key: folder});
        let failed = (run(&a), JEST_FAILED, 1);
        // There, in another one, in the session's own, and there in the words of the command.
        let passed = [json!({command: "cd a && npm test"}), run("/srv/a"), run(home)];
        let passed = passed.map(|run| [failed.clone(), (run, JEST_PASSED, 0)]);
        let away = [(run(home), JEST_FAILED, 1), (run(&a), JEST_PASSED, 0)];
        passed.into_iter().chain([away])
    };
    let calls = asked("cmd", "workdir").map(|ran| codex_asked(&ran));
    let scripts = asked("cmd", "workdir").map(|ran| codex_scripts(&ran));
    let chats = asked("command", "dir_path").map(|ran| gemini_asked(&ran));
    let sources = calls.chain(scripts).chain(chats);
    for (number, source) in sources.enumerate() {
        // A chat is of the project beside which it lies.
        let folder = tempfile::tempdir().unwrap();
        let chat = folder.path().join("tool/chats/session-2026-01-02T03-04-6f0c7a1e.jsonl");
        fs::create_dir_all(chat.parent().unwrap()).unwrap();
        fs::write(folder.path().join("tool/.project_root"), home).unwrap();
        fs::write(&chat, source).unwrap();
        let of = |path: &std::path::Path| verdict_of(path.to_str().unwrap(), "");
        let whole = of(&chat);
        assert_eq!(whole[0], json!(number % 4 == 0), "{number}: {whole}");
        for to in ["claude", "codex", "gemini"] {
            let convert = ["convert", chat.to_str().unwrap(), "--to", to, "--cwd", "/srv/tool"];
            let once = told("", &convert);
            assert_eq!(verdict(&told(&once, &["export", "-"])), verdict(&once), "{number} {to}");
            let made = folder.path().join("made/chats/session-2026-01-02T03-04-6f0c7a1e.jsonl");
            fs::create_dir_all(made.parent().unwrap()).unwrap();
            fs::write(folder.path().join("made/.project_root"), "/srv/tool").unwrap();
            fs::write(&made, once).unwrap();
            assert_eq!(of(&made), whole, "{number} {to}");
        }
    }
}

#[test]
fn a_folder_that_a_call_names_moves_along_again() {
    let ran = [
        (json!({"cmd": "npm test", "workdir": "/home/ada/tool/a"}), JEST_FAILED, 1),
        (json!({"cmd": "npm test", "workdir": "/home/ada/tool"}), JEST_PASSED, 0),
        (json!({"cmd": "cd a && npm run lint"}), "", 0),
    ];
    for source in [codex_asked(&ran), codex_scripts(&ran)] {
        let whole = verdict(&source);
        let once = told(&source, &["convert", "-", "--to", "codex", "--cwd", "/srv/tool"]);
        assert_eq!(verdict(&once), whole);
        for to in ["claude", "codex", "gemini"] {
            let twice = told(&once, &["convert", "-", "--to", to, "--cwd", "/srv/other"]);
            assert_eq!(verdict(&twice), whole, "{to}");
        }
        let twice = told(&once, &["convert", "-", "--to", "codex", "--cwd", "/srv/other"]);
        for cwd in ["/home/ada/tool", "/srv/third"] {
            let thrice = told(&twice, &["convert", "-", "--to", "codex", "--cwd", cwd]);
            assert_eq!(verdict(&thrice), whole, "{cwd}");
        }
    }
}

#[test]
fn a_call_that_was_written_twice_has_its_one_result() {
    let ran = [("cd a && npm test", JEST_PASSED, 0), ("npm test", JEST_FAILED, 1)];
    let source = codex(&ran);
    let call = source.lines().find(|line| line.contains("\"c1\"") && line.contains("npm test"));
    let call = call.unwrap();
    let twice = source.replacen(call, &format!("{call}\n{call}"), 1);
    assert_eq!(verdict(&twice), verdict(&source));
    let pack = told(&twice, &["pack", "-"]);
    assert!(!pack.contains("no result"), "{pack}");
}

#[test]
fn of_two_results_of_one_call_the_first_counts() {
    let ran = [("npm test", JEST_FAILED, 1), ("ls", "", 0)];
    let (source, passed) = (codex(&ran), codex(&[("npm test", JEST_PASSED, 0)]));
    let result = |session: &str| {
        let line = session.lines().find(|line| line.contains("function_call_output"));
        line.unwrap().to_owned()
    };
    let both = format!("{}\n{}", result(&source), result(&passed));
    let twice = source.replacen(&result(&source), &both, 1);
    let whole = verdict(&source);
    assert_eq!(whole[0], json!(false), "{whole}");
    assert_eq!(verdict(&twice), whole);
    for to in ["claude", "codex", "gemini"] {
        assert_eq!(verdict(&told(&twice, &["convert", "-", "--to", to])), whole, "{to}");
    }
}

#[test]
fn each_of_several_calls_with_one_id_has_its_own_result() {
    let failed = ("cd a && npm test", JEST_FAILED, 1);
    let ran = [failed, ("npm test", JEST_PASSED, 0)];
    let one_id = |session: String| session.replace("\"c1\"", "\"c0\"");
    let source = one_id(codex(&ran));
    let whole = verdict(&source);
    assert_eq!(whole, verdict(&codex(&ran)));
    assert_eq!(whole[0], json!(false), "{whole}");
    for to in ["claude", "codex", "gemini"] {
        assert_eq!(verdict(&told(&source, &["convert", "-", "--to", to])), whole, "{to}");
    }
}
