//! What a session is told to be, its conversions and their exports are told to be too.

use serde_json::{Value, json};

use crate::settles::{codex_with, told, verdict};
use crate::status::{edit, ended, failing, printed, session, shell, status};

/// Holds the exports of each conversion of a session to the verdict of that conversion.
fn exports_agree(source: &str) -> Vec<Value> {
    let made = |to| told(source, &["convert", "-", "--to", to]);
    let agreed = |made: String| {
        let whole = verdict(&made);
        for form in ["ndjson", "atif"] {
            assert_eq!(verdict(&told(&made, &["export", "-", "--to", form])), whole, "{form}");
        }
        whole
    };
    ["claude", "codex", "gemini"].map(|to| agreed(made(to))).to_vec()
}

#[test]
fn an_export_tells_what_calls_of_another_harness_did() {
    let task = json!({"name": "Task", "input": {"description": "look into it", "prompt": "look"}});
    exports_agree(&session(&[json!("I ask another one."), task]));
    let mut failed = edit("src/a.rs", "x", "y");
    (failed["fails"], failed["output"]) = (json!(true), json!("String to replace not found."));
    exports_agree(&session(&[failed]));
    let call = |id: &str, name: &str, arguments: Value| {
        json!({"type": "function_call", "name": name, "call_id": id,
            "arguments": arguments.to_string()})
    };
    let output = |id: &str, output: &str| json!({"type": "function_call_output", "call_id": id, "output": output});
    let waited = [
        call("c1", "exec_command", json!({"cmd": "npm test"})),
        output("c1", "Process running with session ID 7\nOutput:\n"),
        call("c2", "write_stdin", json!({"session_id": 7, "chars": ""})),
        output(
            "c2",
            "Process exited with code 1\nOutput:\nTests:       1 failed, 3 passed, 4 total",
        ),
    ];
    let whole = exports_agree(&codex_with(waited.to_vec()));
    assert!(whole.iter().all(|one| one[0] == json!(false)), "{whole:?}");
}

#[test]
fn an_export_tells_how_a_command_ended_in_the_background() {
    let launched =
        "Command running in background with ID: b7x. Output is being written to: /tmp/b7x.output.";
    let line = json!({"name": "Bash", "input": {"command": "cargo test", "run_in_background": true}, "output": launched});
    let steps = |status: &str, summary: &str| {
        let summary = format!("<summary>Background command \"tests\" {summary}</summary>");
        session(&[line.clone(), json!("They run."), ended("b7x", status, &summary), json!("Done.")])
    };
    for one in exports_agree(&steps("failed", "failed with exit code 101")) {
        assert_eq!(one[0], json!(false), "{one}");
    }
    for one in exports_agree(&steps("completed", "completed (exit code 0)")) {
        assert_eq!(one[2], json!([]), "{one}");
    }
}

#[test]
fn what_a_run_found_says_nothing_against_its_exit_code() {
    for (line, output, told) in [
        (
            "mvn -q verify",
            "[ERROR] src/main/java/A.java:[23,5] (javadoc) No comment.\n[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS",
            "passed (3 tests)",
        ),
        (
            "make test",
            "CMake Error at a:3 (x):\n  no\n100% tests passed, 0 tests failed out of 3",
            "passed (3 tests)",
        ),
        (
            "npm test",
            "SUMMARY: AddressSanitizer: leak /p/a.c:7:10\nTests:       4 passed, 4 total",
            "passed (4 tests)",
        ),
        ("npm test", "a.ts(3,5): error TS2322: no", "passed"),
        ("python tests/check_grades.py", "a bad one:\nFAIL", "passed"),
        ("pnpm test", " ELIFECYCLE  Command failed with exit code 1.\nall is well", "passed"),
    ] {
        let it = status(&[edit("src/a.rs", "x", "y"), shell(line, output), json!("ok")]);
        assert_eq!(it["last_check"]["told"], json!(told), "{line} {output} {it}");
        let behind = format!("{line} 2>&1 | tail -20");
        let it = status(&[edit("src/a.rs", "x", "y"), shell(&behind, output)]);
        let is_clear = line.starts_with("mvn");
        let passed = it["last_check"]["told"].as_str().is_some_and(|it| it.starts_with("passed"));
        assert_eq!(passed, is_clear, "{behind} {it}");
    }
}

#[test]
fn a_code_that_a_line_shows_is_that_of_its_command_alone() {
    for (line, output, told) in [
        ("make check > a.log 2>&1; echo \"exit: $?\"", "exit: 0", Some("passed")),
        ("make check > a.log 2>&1; echo \"exit: $?\"", "exit: 2", Some("failed")),
        ("make check > a; rc=$?; make clean > b; rc=$?; echo \"rc=$rc\"", "rc=0", None),
        ("! make check; echo $?", "0", None),
        ("! make check", "", None),
    ] {
        let it = status(&[edit("src/a.rs", "x", "y"), shell(line, output), json!("ok")]);
        let last = &it["last_check"]["told"];
        match told {
            Some("failed") => {
                let open = it["open"].to_string();
                assert!(open.contains("make `make check` pass: failed\""), "{line} {it}");
            }
            Some(told) => assert_eq!(*last, json!(told), "{line}"),
            None => {
                let said = last.as_str().unwrap_or_default();
                assert!(said.starts_with("no summary was seen"), "{line} {it}");
            }
        }
    }
}

#[test]
fn tests_that_passed_on_the_same_files_are_told_before_what_only_builds() {
    let tests = shell("cargo test", "test result: ok. 5 passed; 0 failed; 0 ignored");
    let build = shell("cargo build", "    Finished `dev` profile");
    let change = || edit("src/a.rs", "x", "y");
    let told = |steps: &[Value]| status(steps)["last_check"]["command"].clone();
    let first = [change(), tests.clone(), build.clone(), json!("ok")];
    assert_eq!(told(&first), json!("cargo test"));
    assert_eq!(told(&[change(), tests.clone(), change(), build.clone()]), json!("cargo build"));
    let broken = failing("cargo build", "error[E0425]: no\nerror: could not compile `a`");
    assert_eq!(told(&[change(), tests.clone(), broken]), json!("cargo build"));
    let lost = shell("cargo test | head -1", "Compiling");
    assert_eq!(told(&[change(), lost, build]), json!("cargo build"));
}

#[test]
fn a_push_that_was_rejected_is_open_also_behind_a_pipe() {
    let row = " ! [rejected]        main -> main (fetch first)\nerror: failed to push some refs to 'x:y.git'";
    let push = "git push origin main";
    let rejected = shell(&format!("{push} 2>&1 | tail -3"), row);
    let open = |steps: &[Value]| status(steps)["open"].clone();
    let left = open(&[rejected.clone(), json!("Done.")]).to_string();
    assert!(left.contains("failed: ! [rejected]"), "{left}");
    let pushed = shell(push, "To x:y.git\n   abc1234..def5678  main -> main");
    assert_eq!(open(&[rejected, pushed, json!("Done.")]), json!([]));
    for (line, output) in [
        (push, "To x:y.git\n   abc1234..def5678  main -> main"),
        ("git push || git push -f", row),
        ("cat push.log", row),
    ] {
        assert_eq!(open(&[shell(line, output), json!("Done.")]), json!([]), "{line}");
    }
}

#[test]
fn a_push_that_was_refused_is_open_whatever_its_line_ran_then() {
    let hint = "hint: See the 'Note about fast-forwards' in 'git push --help' for details.";
    let log = "1a2b3c4 fix: an error of dates\n2b3c4d5 feat: read dates";
    let line = "git commit -qam 'fix: an error of dates'\ngit push -q -u origin it 2>&1 | tail -1; git log --oneline -2";
    let refused = shell(line, &format!("{hint}\n{log}"));
    let open = |steps: &[Value]| status(steps)["open"].to_string();
    let left = open(&[refused.clone(), json!("Pushed.")]);
    assert!(left.contains("failed: hint: See the 'Note about fast-forwards'"), "{left}");
    let again = shell("git pull -q --rebase --autostash; git push -q", "");
    assert_eq!(open(&[refused.clone(), again, json!("Pushed.")]), "[]");
    let again = shell("cd /home/ada/tool && git push -q", "");
    assert_eq!(open(&[refused.clone(), again, json!("Pushed.")]), "[]");
    let below = shell("cd src && git pull -q --rebase && git push -q", "");
    assert_eq!(open(&[refused.clone(), below, json!("Pushed.")]), "[]");
    let other = "To x:docs.git\n   1a2b3c4..2b3c4d5  main -> main";
    let elsewhere = shell("cd ../docs && git push", other);
    let text = printed(&[refused.clone(), elsewhere, json!("Pushed.")]);
    assert!(text.contains("\n## Failing\n"), "{text}");
    let fetched = "From x:y\n   1a2b3c4..2b3c4d5  main -> origin/main\n ! [rejected] main -> main (fetch first)";
    let after = shell("git fetch 2>&1; git push 2>&1 | grep -E 'rejected|->|From'", fetched);
    assert!(open(&[after, json!("Pushed.")]).contains("failed: ! [rejected]"));
    let text = printed(&[json!("Committing:"), refused]);
    assert!(text.contains("git log --oneline -2` → the push was refused"), "{text}");
    let again = "for i in 1 2 3; do git push && break; git pull --rebase; done";
    let row = " ! [rejected]        main -> main (fetch first)";
    let out = format!("To x:y.git\n{row}\n{hint}\nTo x:y.git\n   1a2b3c4..2b3c4d5  main -> main");
    let page = format!("   1a2b3c4..2b3c4d5  main -> main\n# Git\n   {row}");
    for (line, output) in [
        (again, &*out),
        ("git push && cat docs/git.md", &*page),
        (line, log),
        ("git push -q || (git pull -q --rebase && git push -q)", hint),
        ("git log -1; cat notes.md", hint),
        (
            "git fetch --tags; git push -q",
            "From x:y\n ! [rejected]   v1 -> v1  (would clobber existing tag)",
        ),
    ] {
        let left = open(&[shell(line, output), json!("Pushed.")]);
        assert!(!left.contains("refused") && !left.contains("failed"), "{line} {left}");
    }
}

#[test]
fn what_says_that_it_failed_is_open_where_its_exit_code_is_hidden() {
    let hook = "ruff........Failed\n- hook id: ruff\n- exit code: 1";
    let install = "npm error code ERESOLVE\nnpm error ERESOLVE unable to resolve";
    let passed = shell("cargo test", "test result: ok. 3 passed; 0 failed; 0 ignored\n");
    let told = |line: &str, output: &str| {
        status(&[edit("src/a.rs", "x", "y"), passed.clone(), shell(line, output), json!("Done.")])
    };
    for (line, output) in [
        ("git add -A; git commit -m fix 2>&1 | tail -3", hook),
        ("npm install left-pad 2>&1 | tail -2", install),
        ("python3 scripts/fill.py 2>&1 | tail -2", "    raise KeyError(k)\nKeyError: 'a'"),
    ] {
        let found = told(line, output);
        assert_eq!(found["reasons"], json!(["blockers_open"]), "{line}: {found}");
    }
    // What the exit code says well, what was tried in two ways, and what only shows such rows.
    for (line, output) in [
        ("npm install left-pad", install),
        ("npm install a 2>&1 | tail -2; npm install b 2>&1 | tail -2", install),
        ("tail -3 install.log | cat", install),
        ("npm ci || npm install", install),
        ("git commit -qam fix; git log --format=%s -3", "error: tell it better"),
    ] {
        assert_eq!(told(line, output)["done"], json!(true), "{line}");
    }
    // Nothing was committed.
    let text = printed(&[
        edit("src/a.rs", "x", "y"),
        passed,
        shell("git commit -qm fix 2>&1 | tail", hook),
    ]);
    assert!(!text.contains("committed after the last change"), "{text}");
}

#[test]
fn a_check_that_is_handed_its_files_is_one() {
    let line = "git diff --name-only -z | xargs -0 -n 1 ruff check";
    let change = || edit("src/a.py", "x", "y");
    let bad = "src/a.py:1:1: F401 `x` imported but unused\nFound 1 error.";
    let good = "All checks passed!";
    let told = |steps: &[Value]| {
        let it = status(steps);
        (it["done"].clone(), it["last_check"]["told"].clone())
    };
    let done = |good: bool, words: &str| (json!(good), json!(words));
    assert_eq!(told(&[change(), shell(line, good), json!("ok")]), done(true, "passed"));
    let failed = told(&[change(), failing(line, bad), json!("ok")]);
    assert_eq!(failed.0, json!(false));
    assert!(failed.1.as_str().unwrap_or_default().starts_with("failed with 1 error"), "{failed:?}");
    let silent = told(&[change(), shell("git ls-files | xargs -r shellcheck", ""), json!("ok")]);
    assert_eq!(silent, done(false, "no summary was seen, so it is not known how it ended"));
    // All of them are more than those, and not the other way round.
    let all = "ruff check .";
    let steps = |first: &str, later: &str| {
        [change(), failing(first, bad), change(), shell(later, good), json!("ok")]
    };
    assert_eq!(told(&steps(line, line)).0, json!(true));
    assert_eq!(told(&steps(line, all)).0, json!(true));
    assert_eq!(told(&steps(all, line)).0, json!(false));
    for other in ["git ls-files | xargs wc -l", "git ls-files | xargs ruff format"] {
        assert_eq!(
            status(&[change(), shell(other, "3 a"), json!("ok")])["last_check"],
            json!(null),
            "{other}"
        );
    }
}

#[test]
fn a_check_that_took_too_long_says_so() {
    let late = |line: &str, output: &str| {
        let mut step = failing(line, "");
        step["output"] = json!(format!("Exit code 124\n{output}"));
        status(&[edit("src/a.rs", "x", "y"), step, json!("Hm.")])["last_check"]["told"].clone()
    };
    let begun = "running 3 tests\ntest a ... ok";
    assert_eq!(late("timeout 10 cargo test", begun), json!("failed: timed out"));
    assert_eq!(late("cargo test", begun), json!("failed: running 3 tests"));
}
