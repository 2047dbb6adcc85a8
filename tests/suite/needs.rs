//! Variables without which a command did not work.

use serde_json::{Value, json};

use crate::status::{edit, failing, pack, shell};

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

#[test]
fn what_failed_in_another_folder_for_what_does_not_last_is_settled() {
    let first = [refused(), shell("TMPDIR=/tmp/a ruff check src", PASSED)];
    let tried = failing("TMPDIR=/tmp/b ./run.sh", "error: no room left");
    let steps = [&first[..], &[tried, shell("TMPDIR=/tmp/c ./run.sh", "ok")]].concat();
    assert_eq!(pack(&steps)["failures"], json!([]));
}
