//! Checks in a folder in which nothing is meant to stay, beside those of the project.

use serde_json::{Value, json};

use crate::status::{edit, failing, open_by, pack, shell};

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
        // Where nothing else is known it is told as before.
        assert!(asked(&[shell(line, PASSED)]).contains("pytest test_b.py"), "{line}");
    }
    let file = json!({"name": "Write", "input": {"file_path": "/tmp/try/b.py", "content": "x = 1\n"},
        "output": "File created successfully"});
    for steps in [
        vec![shell("pytest test_b.py", PASSED)],
        vec![shell("d=$(mktemp -d); git worktree add $d x; cd $d && pytest test_b.py", PASSED)],
        vec![shell("d=$(mktemp -d); cd $d && ls; cd - && pytest test_b.py", PASSED)],
        vec![shell("cd $(mktemp -d) && cp -r /home/ada/tool . && pytest test_b.py", PASSED)],
        vec![shell("pytest test_b.py --basetemp=$(mktemp -d)", PASSED)],
        vec![file, shell("cd /tmp/try && pytest test_b.py", PASSED)],
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
fn what_fails_in_such_a_folder_is_told_as_ever() {
    let line = "d=$(mktemp -d); cd $d; echo x > test_b.py; pytest test_b.py";
    let steps =
        [edit("src/a.py", "a = 1", "a = 2"), shell("npm run lint", "ok"), failing(line, FAILED)];
    let pack = pack(&steps);
    assert_eq!(open_by(&pack, "check").len(), 1);
    assert_eq!(pack["failures"].as_array().unwrap().len(), 1);
}
