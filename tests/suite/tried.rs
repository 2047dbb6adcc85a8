//! Checks in a folder in which nothing is meant to stay, and of changes that their line takes back, beside those of the
//! project.

use serde_json::{Value, json};

use crate::status::{edit, facts, failing, open_by, pack, shell, status};

const PASSED: &str = "==== 4 passed in 0.10s ====";
const FAILED: &str = "FAILED test_b.py::test_sum - assert 1 == 2\n==== 1 failed in 0.10s ====";

/// The check that a session asks for first.
fn asked(steps: &[Value]) -> String {
    let first = edit("src/a.py", "a = 1", "a = 2");
    let pack = pack(&[&[first], steps, &[json!("It is done.")]].concat());
    pack["checks"].as_array().unwrap().last().unwrap().as_str().unwrap().to_owned()
}

#[test]
fn what_was_tried_elsewhere_is_not_asked_for_before_what_was_checked_at_home() {
    let home = || shell("npm run lint", "no problems");
    for line in [
        "cd $(mktemp -d) && git init -q && pytest test_b.py",
        "d=$(mktemp -d); cd \"$d\"; echo 'x' > test_b.py; pytest test_b.py",
        "cd /tmp/try && pytest test_b.py",
    ] {
        let asked_first = asked(&[home(), shell(line, PASSED)]);
        assert_eq!(asked_first, "`npm run lint`: does it still pass?", "{line}");
        // Whoever reads it has no such folder, whatever else is known.
        assert!(!asked(&[shell(line, PASSED)]).contains("pytest"), "{line}");
    }
    // What was there before is somebody's work.
    let there = json!({"name": "Edit", "input": {"file_path": "/tmp/try/b.py", "old_string": "x = 1", "new_string": "x = 2"},
        "output": "ok"});
    for steps in [
        vec![shell("pytest test_b.py", PASSED)],
        vec![shell("d=$(mktemp -d); git worktree add $d x; cd $d && pytest test_b.py", PASSED)],
        vec![shell("d=$(mktemp -d); cd $d && ls; cd - && pytest test_b.py", PASSED)],
        vec![shell("cd $(mktemp -d) && cp -r /home/ada/tool . && pytest test_b.py", PASSED)],
        vec![shell("pytest test_b.py --basetemp=$(mktemp -d)", PASSED)],
        vec![there, shell("cd /tmp/try && pytest test_b.py", PASSED)],
        vec![
            shell("cd $(mktemp -d) && pytest test_b.py", PASSED),
            shell("pytest test_b.py", PASSED),
        ],
    ] {
        let steps = [vec![home()], steps].concat();
        assert!(asked(&steps).contains("pytest test_b.py"), "{} {steps:?}", asked(&steps));
    }
}

#[test]
fn a_check_of_files_that_were_made_to_try_something_is_none_of_the_project() {
    let made = |folder: &str| {
        json!({"name": "Write", "input": {"file_path": format!("{folder}/test_b.py"), "content": "x = 1\n"},
            "output": format!("File created successfully at: {folder}/test_b.py")})
    };
    let tried = |folder: &str, last: Value| {
        let steps = [made(folder), last];
        let checks = asked(&steps);
        let steps = [vec![edit("src/a.py", "a = 1", "a = 2")], steps.to_vec()].concat();
        (checks, status(&steps)["last_check"].clone())
    };
    let line = "cd /tmp/probe && pytest test_b.py";
    let (checks, last) = tried("/tmp/probe", shell(line, PASSED));
    assert!(!checks.contains("pytest") && last.is_null(), "{checks} {last}");
    let (_, last) = tried("/tmp/probe", failing(line, FAILED));
    assert!(last.is_null(), "{last}");
    // A working tree beside the project is the user's, and so is all of a session that works there alone.
    let beside = "cd /home/ada/probe && pytest test_b.py";
    let (checks, last) = tried("/home/ada/probe", shell(beside, PASSED));
    assert!(checks.contains("pytest") && !last.is_null(), "{checks} {last}");
    let alone = [made("/tmp/probe"), failing(line, FAILED)];
    assert_eq!(open_by(&pack(&alone), "check").len(), 1);
    // What is changed in the project makes no run elsewhere out of date.
    let steps = [made("/tmp/probe"), shell(line, PASSED), edit("src/a.py", "a = 1", "a = 2")];
    let told = facts(&pack(&steps), "check").concat();
    assert!(told.contains("passed") && !told.contains("changed since"), "{told}");
}

#[test]
fn what_fails_in_such_a_folder_is_told_as_ever() {
    let line = "d=$(mktemp -d); cd $d; echo x > test_b.py; pytest test_b.py";
    let steps =
        [edit("src/a.py", "a = 1", "a = 2"), shell("npm run lint", "ok"), failing(line, FAILED)];
    let pack = pack(&steps);
    assert_eq!(open_by(&pack, "check").len(), 1);
    assert_eq!(pack["failures"].as_array().unwrap().len(), 1);
}

#[test]
fn a_check_of_a_change_that_its_line_takes_back_says_nothing() {
    let told = |steps: &[Value]| {
        let first = [edit("src/a.py", "a = 1", "a = 2"), shell("pytest -q", PASSED)];
        let steps = [&first, steps, &[json!("The test finds it. All is done.")]].concat();
        let pack = pack(&steps);
        let last = status(&steps)["last_check"]["ended"].clone();
        (open_by(&pack, "check").len() + pack["failures"].as_array().unwrap().len(), last)
    };
    for line in [
        "sed -i 's/a = 2/a = 9/' src/a.py && pytest -q; sed -i 's/a = 9/a = 2/' src/a.py",
        "cp src/a.py /tmp/a.py && sed -i s/2/9/ src/a.py && pytest -q; cp /tmp/a.py src/a.py",
        "for n in 8 9; do sed -i s/2/$n/ src/a.py; pytest -q; git checkout -- src/a.py; done",
    ] {
        assert_eq!(told(&[shell(line, FAILED)]), (0, json!("passed")), "{line}");
        // The same says nothing good either.
        let steps = [failing("pytest -q", FAILED), shell(line, PASSED)];
        assert!(told(&steps).0 > 0, "{line}");
    }
    // What is committed is not taken back, settings are no break, and a run behind it counts.
    for line in [
        "sed -i s/2/9/ src/a.py && git commit -qam nine && pytest -q; git checkout -- src/a.py",
        "cp .env /tmp/e && cp .env.test .env && pytest -q; cp /tmp/e .env",
        "sed -i 's/a = 2/a = 9/' src/a.py; pytest -q; sed -i 's/a = 9/a = 2/' src/a.py; pytest -q",
    ] {
        assert!(told(&[shell(line, FAILED)]).0 > 0, "{line}");
    }
    let broken = edit("src/b.py", "x = 1", "x = 9");
    let line = "pytest -q; git checkout -- src/b.py && echo back";
    assert_eq!(told(&[broken.clone(), shell(line, &format!("{FAILED}back\n"))]).0, 0);
    // Nothing of it was changed, or it stays so.
    for steps in [
        vec![shell(line, FAILED)],
        vec![broken.clone(), shell("git commit -qam x", ""), shell(line, FAILED)],
        vec![broken.clone(), shell("pytest -q || git checkout -- src/b.py", FAILED)],
        vec![broken.clone(), shell("pytest -q; git checkout -- src/c.py", FAILED)],
        vec![broken, failing("pytest -q && git checkout -- src/b.py", FAILED)],
        vec![shell("sed -i s/2/9/ src/a.py && pytest -q; git diff src/a.py", FAILED)],
    ] {
        assert!(told(&steps).0 > 0, "{steps:?}");
    }
}

#[test]
fn a_check_whose_task_was_taken_back_is_not_asked_for() {
    let task = edit("mise.toml", "[tasks]", "[tasks]\n[tasks.shapes]\nrun = 'shapes --all'");
    let ran = shell("mise run check-shapes 2>&1 | tail -3", "42 shapes");
    let back = |line: &str| asked(&[task.clone(), ran.clone(), shell(line, "")]);
    assert!(back("git status --short").contains("mise run check-shapes"));
    assert!(!back("git checkout mise.toml").contains("mise run check-shapes"));
    assert!(back("git checkout README.md").contains("mise run check-shapes"));
}

#[test]
fn which_of_two_texts_a_line_prints_tells_how_its_check_ended() {
    let line = "npx tsc --noEmit > /dev/null 2>&1 && echo \"✓ fine\" || echo \"✗ broken\"";
    let told = |output: &str| {
        let steps = [edit("src/a.ts", "a", "b"), shell(line, output), json!("It is done.")];
        let status = status(&steps);
        (open_by(&pack(&steps), "check").len(), status["last_check"]["ended"].clone())
    };
    assert_eq!(told("✓ fine"), (0, json!("passed")));
    assert_eq!(told("✗ broken"), (1, json!("failed")));
    assert_eq!(told("").1, json!("unknown"));
}

#[test]
fn a_task_of_npm_8_that_failed_is_told_also_behind_a_pipe() {
    let output = "npm ERR! code 2\nnpm ERR! path /p\nnpm ERR! command failed\nnpm ERR! command sh -c tsc -p .";
    for (line, output) in [
        ("npm run build 2>&1 | tail -5", output),
        (
            "npm test 2>&1 | tail -5",
            "npm ERR! code 1\nnpm ERR! Test failed.  See above for more details.",
        ),
    ] {
        let steps = [edit("src/a.ts", "a", "b"), shell(line, output), json!("It is done.")];
        assert_eq!(open_by(&pack(&steps), "check").len(), 1, "{line}");
    }
}
