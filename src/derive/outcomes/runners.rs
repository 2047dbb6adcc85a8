//! Programs that run tasks of a project say when one failed, also where a pipe hides the exit code.

use std::borrow::Cow;

use super::boxes;

/// A program that runs tasks, and how a row begins by which it says that one failed.
const RUNNERS: &[(&str, &[&str])] = &[
    ("gmake", &["gmake: *** [", "gmake[1]: *** ["]),
    ("just", &["error: Recipe `", "error: recipe `"]),
    ("make", &["make: *** [", "make[1]: *** ["]),
    // Its label, the name of the task, is gone.
    ("mise", &["ERROR task failed"]),
    (
        "npm",
        &[
            "npm ERR! Lifecycle script",
            "npm error Lifecycle script",
            "npm ERR! code E",
            "npm error code E",
            "npm ERR! Missing script",
            "npm error Missing script",
        ],
    ),
    ("pnpm", &["ELIFECYCLE", "ERR_PNPM_RECURSIVE_", "ERR_PNPM_NO_SCRIPT"]),
    ("task", &["task: Failed to run task"]),
    ("yarn", &["error Command failed with exit code"]),
];
/// How many rows at the end of an output are looked at.
const LAST_ROWS: usize = 30;

/// Whether the rows of a command that runs a task say that it failed.
pub(super) fn failed<'o>(command: &str, output: impl FnOnce() -> Cow<'o, str>) -> bool {
    let commands = boxes::commands(command);
    let runs = |name: &str| commands.iter().any(|one| one.split_whitespace().next() == Some(name));
    let marks: Vec<&str> = RUNNERS
        .iter()
        .filter(|(name, _)| runs(name))
        .flat_map(|(_, marks)| *marks)
        .copied()
        .collect();
    let says = |row: &str| marks.iter().any(|mark| row.trim().starts_with(mark));
    if marks.is_empty() {
        return false;
    }
    let output = output();
    output.lines().rev().take(LAST_ROWS).any(says) || runs("npm") && ends_with_error(&output)
}

/// How npm begins its own rows, and how those go on that say that a task failed.
const OF_NPM: [&str; 2] = ["npm ERR!", "npm error"];
const FAILED: &[&str] = &["Test failed.", "code ", "command failed"];

/// Whether the last that was printed is what npm says of a task that failed: elsewhere a test can show it.
fn ends_with_error(output: &str) -> bool {
    let is_its =
        |row: &&str| row.trim().is_empty() || OF_NPM.iter().any(|form| row.starts_with(form));
    let says = |row: &str| {
        let said = OF_NPM.iter().find_map(|form| row.strip_prefix(form)).map(str::trim_start);
        said.is_some_and(|said| FAILED.iter().any(|form| said.starts_with(form)))
    };
    output.lines().rev().take_while(is_its).take(LAST_ROWS).any(says)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(command: &str, output: &str) -> bool {
        super::failed(command, || Cow::Borrowed(output))
    }

    #[test]
    fn a_runner_tells_that_its_task_failed() {
        assert!(failed("make test", "1 failed\nmake: *** [Makefile:3: test] Error 1\n"));
        assert!(!failed("make test", "make: [Makefile:3: clean] Error 1 (ignored)\nall well\n"));
        assert!(failed("just check", "error: Recipe `check` failed on line 4 with exit code 101"));
        assert!(failed("mise run lint", "Finished in 28.24s\nERROR task failed\n"));
        assert!(failed("pnpm test", "\u{2009}ELIFECYCLE\u{2009} Command failed with exit code 1."));
        assert!(failed(
            "pnpm -r test",
            "\u{2009}ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL\u{2009} a@1.0.0 test: `vitest run`\nExit status 1\n"
        ));
        assert!(!failed("pnpm -r test", "a test: no ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL\n"));
        assert!(failed("yarn build", "error Command failed with exit code 2."));
        assert!(failed("ssh box 'cd p && make test'", "make: *** [Makefile:3: test] Error 1\n"));
        assert!(failed("npm run x", "npm error Missing script: \"x\"\n"));
        let of_npm_8 = "npm ERR! code 2\nnpm ERR! path /p\nnpm ERR! command failed\nnpm ERR! command sh -c tsc -p .\n";
        assert!(failed("npm run build", of_npm_8));
        assert!(failed("npm test", "npm ERR! Test failed.  See above for more details.\n"));
        assert!(!failed("npm test", "it says npm ERR! code 2\nnpm ERR! codec none\n"));
        assert!(!failed(
            "npm test",
            "npm ERR! code 2\nnpm ERR! path /p\nTests: 5 passed, 5 total\n"
        ));
        assert!(!failed("cargo test", "make: *** [x] Error 1"));
    }
}
