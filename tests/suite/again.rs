//! What is said of a command that failed and worked later: that running it again was enough only where nothing
//! stood between that may have mattered.

use serde_json::{Value, json};

use super::status::{edit, facts, failing, pack, read, shell, told};

const ERROR: &str = "make: *** No rule to make target 'kettle.o'.  Stop.\n";

/// How `make` came to pass, after `between` and in the line `later`.
fn passed(between: &[Value], later: &str) -> String {
    let mut steps = vec![failing("make", ERROR)];
    steps.extend(between.iter().cloned());
    steps.extend([shell(later, "cc -o kettle kettle.o\n"), json!("It is built.")]);
    let fixes = facts(&pack(&steps), "fix");
    assert_eq!(fixes.len(), 1, "{later}: {fixes:?}");
    fixes[0].rsplit_once("Stop. → ").unwrap().1.to_owned()
}

const AGAIN: &str = "passed when it was run again";
const OTHERS: &str = "passed after other commands";

fn lessons(steps: &[Value]) -> Vec<String> {
    let pack = pack(steps);
    let all = pack["lessons"].as_array().unwrap().iter();
    all.map(|one| one["content"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn what_stands_before_a_command_on_its_line_is_what_went_before() {
    for (line, ran) in [
        ("mkdir -p build && make", "`mkdir -p build`"),
        ("source venv/bin/activate && make", "`source venv/bin/activate`"),
        (". ./env.sh && make 2>&1", "`. ./env.sh`"),
        ("cp .env.example .env && make", "`cp .env.example .env`"),
        ("docker compose up -d && make", "`docker compose up -d`"),
        ("npm install && make", "`npm install`"),
        ("./configure && make", "`./configure`"),
        ("ls && touch a.o && echo so && make", "`touch a.o`"),
    ] {
        assert_eq!(passed(&[], line), format!("ran {ran} → verified by `make`"), "{line}");
    }
    // Whether it went well is not known.
    for line in ["mkdir -p build; make", "source .env\nmake", "(mkdir x; touch x/y) && make"] {
        assert_eq!(passed(&[], line), OTHERS, "{line}");
    }
    for line in [
        "if [ -f .env ]; then source .env; fi; make",
        "test -d build || mkdir build; make",
        "echo FOO=1 > .env && make",
        "yes | make",
        "ls build || mkdir build && make",
        "FOO=1; make",
        "echo $(touch a.o) && make",
    ] {
        assert_eq!(passed(&[], line), OTHERS, "{line}");
    }
}

#[test]
fn what_was_done_between_two_runs_is_told_or_keeps_a_lesson_from_being_drawn() {
    let ran = |line: &str| passed(&[shell(line, "")], "make");
    assert_eq!(ran("mkdir -p build"), "ran `mkdir -p build` → verified by `make`");
    assert_eq!(ran("npm install 2>&1 | tail -1"), "ran `npm install` → verified by `make`");
    // What one shell keeps may be gone with it, and what failed did nothing that is known.
    assert_eq!(ran("source .env"), OTHERS);
    assert_eq!(passed(&[failing("mkdir -p build", "no")], "make"), OTHERS);
    let tool = json!({"name": "mcp__box__start", "input": {}, "output": "started"});
    assert_eq!(passed(&[tool], "make"), "passed later");
    assert_eq!(passed(&[told("I have put the rule in. Try now.")], "make"), "passed later");
    let steps = [failing("make", ERROR), told("Try now."), shell("make", "cc\n"), json!("So.")];
    assert_eq!(lessons(&steps), Vec::<String>::new());
    let more = passed(&[shell("mkdir -p build; ./gen", ""), shell("touch a.o", "")], "make");
    assert_eq!(more, "ran `touch a.o` and more → verified by `make`");
}

#[test]
fn what_its_line_ran_after_a_command_that_failed_counts_too() {
    let of = |first: &str| {
        let steps = [failing(first, ERROR), shell("make", "cc\n"), json!("So.")];
        facts(&pack(&steps), "fix").pop().unwrap_or_default()
    };
    assert!(
        of("make || touch kettle.o").is_empty() || of("make || touch kettle.o").ends_with(OTHERS)
    );
    assert!(of("make && touch kettle.o").ends_with(AGAIN));
}

#[test]
fn nothing_between_leaves_only_that_it_was_run_again() {
    assert_eq!(passed(&[], "make"), AGAIN);
    for looked in [
        shell("ls -la && cat Makefile | head -3; git status --short", "x"),
        shell("git -C . log --oneline -3 && git branch -a && git remote -v", "x"),
        shell("find . -name '*.o' 2>/dev/null; for f in a b; do cat $f; done", "x"),
        shell("make -n > /dev/null; grep -rn kettle . > /tmp/found.txt", "x"),
        read("Makefile", "all: kettle"),
        json!("It may be the network."),
    ] {
        if looked["input"]["command"].as_str().is_some_and(|line| line.starts_with("make")) {
            assert_eq!(passed(&[looked], "make"), OTHERS);
            continue;
        }
        assert_eq!(passed(std::slice::from_ref(&looked), "make"), AGAIN, "{looked}");
    }
    assert_eq!(passed(&[], "cd /home/ada/tool && make 2>&1 && ls"), AGAIN);
    let steps = [failing("make", ERROR), shell("make", "cc\n"), json!("So.")];
    assert_eq!(lessons(&steps).len(), 1);
}

#[test]
fn what_both_lines_ran_before_it_made_no_difference() {
    let both = |before: &str| {
        let line = format!("{before}make");
        let steps = [failing(&line, ERROR), shell(&line, "cc\n"), json!("So.")];
        facts(&pack(&steps), "fix").pop().unwrap_or_default()
    };
    for before in [
        "source venv/bin/activate && ",
        "source venv/bin/activate; ",
        "set -e\ncd sub\n",
        "export A=1 && mkdir -p build && ",
    ] {
        assert!(both(before).ends_with(AGAIN), "{before}: {}", both(before));
    }
}

#[test]
fn what_a_command_is_run_with_is_told() {
    for (line, how) in [
        ("sudo make", "passed as `sudo make`"),
        ("timeout 600 make", "passed as `timeout 600 make`"),
        ("PATH=/opt/cc/bin:$PATH make", "passed as `PATH=… make`"),
        ("export PATH=/opt/cc/bin:$PATH && make", "passed as `PATH=… make`"),
        ("FORGE_TOKEN=a1b2c3 make", "passed as `FORGE_TOKEN=… make`"),
        ("FOO=1 make", "passed as `FOO=… make`"),
        ("time make", AGAIN),
    ] {
        assert_eq!(passed(&[], line), how, "{line}");
    }
    let steps = [failing("CI=1 make", ERROR), shell("make", "cc\n"), json!("So.")];
    let fixes = facts(&pack(&steps), "fix");
    assert!(fixes[0].ends_with("→ passed without `CI=…`"), "{fixes:?}");
}

#[test]
fn what_was_pushed_after_something_else_was_done_was_not_only_pushed_again() {
    let refused = "fatal: unable to access 'https://forge.test/a.git/': 403\n";
    let of = |between: &[Value], line: &str| {
        let mut steps = vec![failing("git push origin main", refused)];
        steps.extend(between.iter().cloned());
        steps.extend([shell(line, "ok"), json!("So.")]);
        facts(&pack(&steps), "fix").pop().unwrap_or_default()
    };
    let push = "git push origin main";
    assert!(of(&[], push).ends_with("→ worked when it was run again"));
    let edited = [edit("a.md", "x", "y")];
    assert!(of(&edited, push).ends_with("→ worked after changes of a.md"));
    assert!(of(&[told("You may push now.")], push).ends_with("→ worked later"));
    assert!(
        of(&[], "cp key.example key && git push origin main")
            .ends_with("→ worked when it was run again after `cp key.example key`")
    );
    assert!(
        of(&[], "GH_TOKEN=a1b2 git push origin main")
            .ends_with("→ worked as `GH_TOKEN=… git push origin main`")
    );
    // In another folder it is another one.
    assert_eq!(of(&[], "cd other && git push origin main"), "");
}

#[test]
fn what_was_given_up_or_gone_past_is_not_mended() {
    let fixes = |first: &Value, line: &str| {
        facts(&pack(&[first.clone(), shell(line, ""), json!("That is it.")]), "fix")
    };
    let conflict = "CONFLICT (content): Merge conflict in a.c\nAutomatic merge failed; fix conflicts and then commit the result.";
    for [begun, given_up] in [
        ["git merge main", "git merge --abort"],
        ["git rebase main", "git rebase --skip"],
        ["git cherry-pick 1a2b3c4", "git cherry-pick --quit"],
    ] {
        let found = fixes(&failing(begun, conflict), given_up);
        assert!(found.is_empty(), "{found:?}");
    }
    let stopped = failing("git commit -am x", "ruff....Failed\na.py:1:1: F401 unused");
    let found = fixes(&stopped, "git commit -am x --no-verify");
    let past = "went past its hooks as `git commit -am x --no-verify`";
    assert!(found[0].ends_with(past), "{found:?}");
}

/// How a command came to work that failed with `output`, after `between`; and whether that is a lesson.
fn worked(first: (&str, &str), between: &[Value], later: &str) -> (String, bool) {
    let mut steps = vec![failing(first.0, first.1)];
    steps.extend(between.iter().cloned());
    steps.extend([shell(later, "ok\n"), json!("It runs.")]);
    let fixes = facts(&pack(&steps), "fix");
    assert_eq!(fixes.len(), 1, "{fixes:?}");
    (fixes[0].split_once(" → ").unwrap().1.to_owned(), !lessons(&steps).is_empty())
}

#[test]
fn a_change_of_a_file_that_an_act_is_about_is_told_as_what_was_done() {
    let up = "docker compose up -d db";
    let taken =
        "Error response from daemon: Bind for 0.0.0.0:5432 failed: port is already allocated\n";
    let compose = edit("compose.yaml", "5432:5432", "5433:5432");
    let (how, is_lesson) = worked((up, taken), std::slice::from_ref(&compose), up);
    // That it reads the file says not that this was in its way.
    assert_eq!((how.as_str(), is_lesson), ("worked after changes of compose.yaml", false));
    let others = [compose, shell("docker compose down", "ok"), edit("a.py", "1", "2")];
    let (how, _) = worked((up, taken), &others, up);
    assert!(how.starts_with("worked after changes of compose.yaml"), "{how}");

    let migrate = "pnpm migrate";
    let refused = "ERROR: cannot run inside a transaction block (migrations/014.sql:3)\n";
    let (how, _) = worked((migrate, refused), &[edit("migrations/014.sql", "x", "y")], migrate);
    assert_eq!(how, "changed migrations/014.sql → worked");

    let commit = "git commit -qm x";
    let linted = "ruff.....Failed\nsrc/a.py:1:1: F401 unused\nerror: the hook failed\n";
    let (how, _) = worked((commit, linted), &[edit("src/a.py", "x", "y")], commit);
    assert_eq!(how, "changed src/a.py → worked");
}

#[test]
fn a_change_of_another_file_is_told_only_as_what_went_before() {
    let up = "docker compose up -d db";
    let taken =
        "Error response from daemon: Bind for 0.0.0.0:5432 failed: port is already allocated\n";
    let told = |between: &[Value]| worked((up, taken), between, up);
    assert_eq!(
        told(&[edit("src/a.py", "1", "2")]),
        ("worked after changes of src/a.py".to_owned(), false)
    );
    let more = [edit("src/a.py", "1", "2"), shell("npm install", "ok")];
    let (how, is_lesson) = told(&more);
    assert_eq!(how, "worked after changes of src/a.py, and `npm install`");
    assert!(!is_lesson);
    // What was changed before it failed, or did not come to be changed, mended nothing.
    let mut failed = edit("compose.yaml", "1", "2");
    failed["fails"] = json!(true);
    assert!(!told(&[failed]).0.contains("compose.yaml → worked"));
    // A part of a name is another file.
    let commit = "git commit -qm x";
    let linted = "ruff.....Failed\nlib/src/a.py:1:1: F401 unused\nerror: the hook failed\n";
    let (how, _) = worked((commit, linted), &[edit("src/a.py", "x", "y")], commit);
    assert_eq!(how, "worked after changes of src/a.py");
    let linted = "ruff.....Failed\nsrc/a.py:1:1: F401 unused\nerror: the hook failed\n";
    let past = "git commit -qm x --no-verify";
    let (how, is_lesson) = worked((commit, linted), &[edit("src/a.py", "x", "y")], past);
    assert_eq!(how, "went past its hooks as `git commit -qm x --no-verify`");
    assert!(!is_lesson);
}
