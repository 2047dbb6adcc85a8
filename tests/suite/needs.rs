//! Variables without which a command did not work.

use serde_json::{Value, json};

use crate::status::{codex_pack, edit, facts, failing, pack, shell};

const REFUSED: &str =
    "error: could not open the cache at /home/ada/.cache/lint: Read-only file system (os error 30)";
const PASSED: &str = "All checks passed!";

fn told(steps: &[Value]) -> String {
    let first = edit("src/a.py", "a = 1", "a = 2");
    let steps = [&[first], steps, &[json!("It is done.")]].concat();
    let pack = pack(&steps);
    ["checks", "commands", "facts", "failures", "open_work"]
        .map(|key| pack[key].to_string())
        .join("\n")
}

fn refused() -> Value {
    failing("ruff check src", REFUSED)
}

#[test]
fn a_variable_that_mended_an_error_is_told_with_the_command() {
    for line in [
        "LINT_CACHE_DIR=/tmp/lint ruff check src",
        "export LINT_CACHE_DIR=/tmp/lint; ruff check src",
        "mkdir -p /tmp/lint && LINT_CACHE_DIR=/tmp/lint ruff check src",
    ] {
        let told = told(&[refused(), shell(line, PASSED)]);
        let with = "LINT_CACHE_DIR=/tmp/lint ruff check src";
        assert!(told.contains(&format!("passed as `{with}`")), "{told}");
        assert!(told.contains(&format!("`{with}`: does it still pass?")), "{told}");
        assert!(told.contains(&format!("\"command\":\"{with}\"")), "{told}");
    }
    for with in ["TMPDIR=$HOME/t", "XDG_CACHE_HOME=~/t", "LINT_CACHE=.cache", "PYTHONPATH=src"] {
        let line = format!("{with} ruff check src");
        let told = told(&[refused(), shell(&line, PASSED)]);
        assert!(told.contains(&format!("`{line}`: does it still pass?")), "{told}");
    }
}

#[test]
fn a_variable_that_mended_nothing_or_may_be_a_secret_is_not() {
    let with = || shell("LINT_CACHE_DIR=/tmp/lint ruff check src", PASSED);
    for steps in [
        vec![with()],
        vec![shell("ruff check src", PASSED), with()],
        vec![refused(), edit("ruff.toml", "cache = 1", "cache = 2"), with()],
        // What was installed, or brought in by others, may have mended it.
        vec![refused(), shell("uv sync", "Installed 3 packages"), with()],
        vec![refused(), shell("npm ci", "added 3 packages"), with()],
        vec![refused(), shell("./fix.sh", ""), with()],
        vec![refused(), shell("uv sync && LINT_CACHE_DIR=/tmp/lint ruff check src", PASSED)],
        vec![failing("LINT_CACHE_DIR=/tmp/lint ruff check src", REFUSED), with()],
        vec![failing("LINT_CACHE_DIR=/tmp/a ruff check src", REFUSED), with()],
    ] {
        let told = told(&steps);
        // That it was set is told, not that it was needed.
        assert!(!told.contains("LINT_CACHE_DIR=/tmp"), "{steps:?} {told}");
    }
    // What else was set may have mended it.
    let more = "LINT_CACHE_DIR=/tmp/lint LINT_MODE=off ruff check src";
    assert!(!told(&[refused(), shell(more, PASSED)]).contains("LINT_CACHE_DIR=/tmp"));
    for set in [
        "LINT_KEY_DIR=/tmp/a1b2",
        "LINT_DIR=me@there",
        "LINT_CACHE=sums1secret",
        "LICENSE_DIR=AAAA-BBBB-CCCC",
        "CACHE_DIR=redis://:sums1secret",
        "CACHE_DIR=//ada:sums1secret/db",
        "LINT_CACHE=//ada/sums1secret",
        "LINT_HOME='$ums1secret'",
        "PYTHONPATH=sums1secret",
        "LINT_DIR=$(pass show lint)",
    ] {
        let line = format!("{set} ruff check src");
        let told = told(&[refused(), shell(&line, PASSED)]);
        assert!(!told.contains(set), "{told}");
    }
}

const LET_NOTHING: &str = "error: could not open the cache at /home/ada/.cache/lint: Operation not permitted (os error 1)";

#[test]
fn a_variable_without_which_something_was_refused_is_told_whatever_else_ran() {
    let first = failing("ruff check src", LET_NOTHING);
    let with = "LINT_CACHE_DIR=/tmp/lint ruff check src";
    let between = shell("LINT_CACHE_DIR=/tmp/lint pytest -q", "===== 3 passed in 0.1s =====");
    let said = told(&[first.clone(), between.clone(), shell(with, PASSED)]);
    assert!(said.contains(&format!("`{with}`: passed")), "{said}");
    assert!(said.contains("`LINT_CACHE_DIR=/tmp/lint pytest -q`: passed (3 tests)"), "{said}");
    // So it is where tests failed with it first.
    let red = failing(with, "src/a.py:3:1: F401 `os` imported but unused\nFound 1 error.");
    let mended = edit("src/a.py", "import os", "");
    let said = told(&[first.clone(), red, mended, shell(with, PASSED)]);
    assert!(said.contains(&format!("`{with}`: passed")), "{said}");
    // Also where only their number is told.
    let tests = "CACHE_DIR=/tmp/c pytest -q 2>&1 | tail -1";
    let mended = || edit("src/a.py", "x", "y");
    let (red, green) =
        (shell(tests, "1 failed, 2 passed in 0.1s"), shell(tests, "3 passed in 0.1s"));
    let said = told(&[failing("pytest -q", LET_NOTHING), red, mended(), green]);
    assert!(said.contains("`CACHE_DIR=/tmp/c pytest -q`: passed"), "{said}");
    // What was changed in between may have mended it.
    let changed = edit("ruff.toml", "cache = 1", "cache = 2");
    let said = told(&[first, between, changed, shell(with, PASSED)]);
    assert!(said.contains("`ruff check src`: passed"), "{said}");
}

#[test]
fn rights_without_which_a_check_failed_are_told() {
    let run = |rights: &str, end: &str| {
        let mut input = json!({"cmd": "cargo test"});
        if !rights.is_empty() {
            input["sandbox_permissions"] = json!(rights);
        }
        let output = format!("Chunk ID: a\nWall time: 1.0 seconds\nProcess {end}");
        json!({"name": "exec_command", "input": input, "output": output})
    };
    let (own, more) = ("", "require_escalated");
    let passes = "exited with code 0\nOutput:\ntest result: ok. 3 passed; 0 failed; 0 ignored\n";
    let panicked = |name: &str| {
        format!("thread '{name}' (7) panicked at src/a.rs:3:5:\nno port: Operation not permitted\n")
    };
    let refused = format!(
        "exited with code 101\nOutput:\ntest a ... FAILED\ntest b ... FAILED\n{}{}test result: FAILED. 1 passed; 2 failed; 0 ignored\n",
        panicked("a"),
        panicked("b")
    );
    let refused = refused.as_str();
    let fails = "exited with code 101\nOutput:\nerror: unknown name\n";
    let check = |steps: &[Value]| facts(&codex_pack(steps), "check");
    assert_eq!(
        check(&[run(own, refused), run(more, passes)]),
        ["done `cargo test`: passed (3 tests), given `sandbox_permissions: require_escalated`"]
    );
    let again = [run(own, refused), run(more, passes), run(more, passes)];
    assert_eq!(
        check(&again),
        ["done `cargo test`: passed (3 tests), given `sandbox_permissions: require_escalated`"]
    );
    let plain = ["done `cargo test`: passed (3 tests)"];
    assert_eq!(check(&[run(more, passes)]), plain);
    assert_eq!(check(&[run(own, fails), run(more, passes)]), plain);
    assert_eq!(check(&[run(own, refused), run(more, passes), run(own, passes)]), plain);
}

#[test]
fn what_failed_in_another_folder_for_what_does_not_last_is_settled() {
    let first = [refused(), shell("TMPDIR=/tmp/a ruff check src", PASSED)];
    let tried = failing("TMPDIR=/tmp/b ./run.sh", "error: no room left");
    let steps = [&first[..], &[tried, shell("TMPDIR=/tmp/c ./run.sh", "ok")]].concat();
    assert_eq!(pack(&steps)["failures"], json!([]));
}
