//! What failed and is nothing to mend, what is and is no command, and which runs stay told.

use serde_json::{Value, json};

use crate::status::{edit, facts, failing, open_by, pack, shell, status};

/// Returns a command that ended with a code.
fn exits(command: &str, code: u8, output: &str) -> Value {
    json!({"name": "Bash", "input": {"command": command}, "fails": true,
        "output": format!("Exit code {code}\n{output}")})
}

fn tool(name: &str, input: &Value, output: &str, fails: bool) -> Value {
    json!({"name": name, "input": input, "output": output, "fails": fails})
}

#[test]
fn a_command_that_asks_and_says_no_is_no_failure() {
    let failures = |step: Value| {
        let packed = pack(&[step, edit("notes.md", "a", "b"), json!("The first half is written.")]);
        let failed = packed["commands"].as_array().unwrap().iter();
        let failed = failed.filter(|one| one["worked"] == json!(false)).count();
        (packed["failures"].as_array().unwrap().len(), failed)
    };
    for (command, code, output) in [
        ("git check-ignore -v a/ b/", 1, ""),
        ("cd web && git merge-base --is-ancestor main HEAD", 1, ""),
        ("kubectl get pod x", 1, "Error from server (NotFound): pods \"x\" not found"),
        ("npm ls left-pad", 1, "app@1.0.0\n└── (empty)"),
    ] {
        assert_eq!(failures(exits(command, code, output)), (0, 0), "{command}");
    }
    for (command, code, output) in [
        ("git check-ignore -v a/", 128, "fatal: not a git repository"),
        ("npm ls", 1, "npm ERR! missing: left-pad@1, required by app@1.0.0"),
        ("make all && git grep -n foo", 1, "no rule to make it"),
    ] {
        assert_eq!(failures(exits(command, code, output)).0, 1, "{command}");
    }
}

#[test]
fn a_check_known_by_what_it_printed_passes_by_its_exit_code_alone() {
    let command = "tools/trial --all";
    let failed = "Some tests did not pass: 11 passed, 1 failed\nERROR: LoadError: Some tests did not pass: 11 passed, 1 failed, 0 errored, 0 broken.";
    let first = exits(command, 1, failed);
    let mend = edit("src/a.jl", "x", "y");
    let open = status(&[edit("src/a.jl", "w", "x"), first.clone(), mend.clone()]);
    assert_eq!(open["open"][0]["source"], json!("check"), "{open}");
    let ran = shell(command, "fine");
    let done = status(&[edit("src/a.jl", "w", "x"), first, mend, ran.clone(), json!("Mended.")]);
    assert_eq!(done["open"], json!([]), "{done}");
    assert_eq!(done["last_check"]["ended"], json!("passed"));
    // What only ran and passed is no check.
    assert_eq!(status(&[ran])["last_check"], json!(null));
}

#[test]
fn of_parts_that_passed_before_the_last_change_the_newest_is_told() {
    let run = |file: &str, count: usize| {
        shell(&format!("pytest {file} -q"), &format!("{count} passed in 0.10s"))
    };
    let checks = |steps: &[Value]| facts(&pack(steps), "check");
    let change = edit("src/a.py", "x", "y");
    let both = [change.clone(), run("tests/test_v.py", 12), run("tests/test_w.py", 7), change];
    let newest = "stale `pytest tests/test_w.py -q`: passed (7 tests); 1 file was changed since";
    assert_eq!(checks(&both), [newest]);
    // A run of all says more, as does one of the files as they are.
    let all = shell("pytest -q", "70 passed in 1.10s");
    let whole = "stale `pytest -q`: passed (70 tests); 1 file was changed since";
    assert_eq!(checks(&[&[all], &both[..]].concat()), [whole]);
    let now = [&both[..], &[run("tests/test_x.py", 3)]].concat();
    assert_eq!(checks(&now), ["done `pytest tests/test_x.py -q`: passed (3 tests)"]);
    // One of which nobody saw the end says less, not more.
    let lost = shell("cd web && pytest tests/test_y.py -q | grep skipped", "");
    let change = edit("src/a.py", "y", "z");
    let told = checks(&[change.clone(), lost, run("tests/test_w.py", 7), change]);
    assert_eq!(told[0], newest, "{told:?}");
}

#[test]
fn what_ends_programs_is_no_check() {
    let line = "pkill -f 'port 8099'; uv run pytest tests -q | tail -3 && uv run ruff check src";
    let ran = shell(line, "169 passed in 11.37s\nAll checks passed!\n");
    let told = facts(&pack(&[edit("src/a.py", "x", "y"), ran]), "check");
    assert!(told.len() == 2 && !told.concat().contains("pkill"), "{told:?}");
}

#[test]
fn a_tool_that_failed_as_the_last_that_was_tried_is_open() {
    let add = |output: &str, fails| {
        tool("mcp__cal__create_event", &json!({"title": "AT812"}), output, fails)
    };
    let failed = add("MCP error -32603: Request failed with status code 401", true);
    let said = json!("The flight is not in the calendar: the login has run out.");
    let open = |steps: &[Value]| {
        let status = status(steps);
        let open = status["open"].as_array().unwrap().clone();
        open.iter().map(|one| one["text"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let told = "`mcp__cal__create_event`: what was tried failed, and nothing was done since: MCP error -32603: Request failed with status code 401";
    assert_eq!(open(&[failed.clone(), said.clone()]), [told]);
    let note = tool("mcp__notes__append", &json!({"page": "p1"}), "ok", false);
    assert_eq!(open(&[note.clone(), failed.clone(), said.clone()]), [told]);
    let page = json!({"url": "https://a.example/prices"});
    let fetch = tool("WebFetch", &page, "Request failed with status code 403", true);
    let unread = "fetch https://a.example/prices: what was tried failed, and nothing was done since: Request failed with status code 403";
    assert_eq!(open(&[fetch.clone(), said.clone()]), [unread]);
    // Whether it only looks something up is told by its own name, not by that of its server.
    for (name, count) in [("mcp__search__publish", 1), ("mcp__site__getPage", 0)] {
        let failed = tool(name, &json!({"page": "p1"}), "error 401", true);
        assert_eq!(open(&[note.clone(), failed, said.clone()]).len(), count, "{name}");
    }
    // It worked later, the agent went another way, or it could not look something up beside the work.
    for steps in [
        vec![failed.clone(), add("{\"id\": 7}", false)],
        vec![failed, edit("flights.md", "", "AT812")],
        vec![edit("a.rs", "x", "y"), fetch.clone()],
        vec![note, fetch],
    ] {
        assert_eq!(open(&[&steps[..], &[json!("Written.")]].concat()), [""; 0], "{steps:?}");
    }
}

#[test]
fn an_error_that_came_back_is_told_once() {
    let failed = "error[E0425]: cannot find value `x` in this scope\n --> src/a.rs:3:5\nerror: could not compile `a` due to 1 previous error";
    let fails = || failing("cargo build", failed);
    let passes = || shell("cargo build", "    Finished `dev` profile in 0.10s");
    let change = |to: &str| edit("src/a.rs", "x", to);
    let steps =
        [change("y"), fails(), change("z"), passes(), fails(), shell("make gen", "ok"), passes()];
    let fixes = facts(&pack(&steps), "fix");
    assert_eq!(fixes.len(), 1, "{fixes:?}");
    assert!(fixes[0].contains("→ changed src/a.rs → verified by"), "{fixes:?}");
}

#[test]
fn a_try_in_a_scratch_folder_is_no_failure_once_one_worked_there() {
    let failures = |steps: &[Value]| pack(steps)["failures"].as_array().unwrap().len();
    let tried = exits("cd /tmp/probe && javac Probe.java", 1, "error: cannot find symbol");
    let worked = shell("cd /tmp/probe && kotlinc Probe.kt", "ok");
    assert_eq!(failures(&[tried.clone(), worked.clone()]), 0);
    assert_eq!(failures(std::slice::from_ref(&tried)), 1);
    assert_eq!(failures(&[tried.clone(), shell("cd /tmp/probe && ls", "Probe.java")]), 1);
    assert_eq!(failures(&[tried, shell("cd /tmp/other && kotlinc Probe.kt", "ok")]), 1);
    let push = exits("cd /tmp/probe && git push", 1, "error: failed to push some refs");
    assert_eq!(failures(&[push, worked]), 1);
}

#[test]
fn a_loop_that_ran_on_is_told_by_what_it_looks_at() {
    let line = "while true; do state=$(gh run view 29 --json status); print -r -- \"$state\"; sleep 20; done";
    let run = json!({"name": "Bash", "input": {"command": line, "run_in_background": true}, "output": "Command running in background with ID: b7x. Output is being written to: /tmp/b7x.output."});
    let told = open_by(&pack(&[run, json!("I wait for it.")]), "running");
    let told = told.first().map(String::as_str).unwrap_or_default();
    assert!(told.starts_with("`while true; do state=$(gh run view 29 --json status)"), "{told}");
}

#[test]
fn a_program_that_checks_is_one_wherever_its_options_stand() {
    let missing = |command: &str, output: &str| {
        let steps = [edit("main.tf", "a", "b"), shell(command, output), json!("Changed.")];
        status(&steps)["missing"].as_array().unwrap().len()
    };
    for (command, output) in [
        ("terraform -chdir=envs/a validate", "Success! The configuration is valid."),
        ("R CMD check .", "Status: OK"),
        ("mix credo", "found no issues"),
        ("nix flake check", ""),
        ("opam exec -- dune test", ""),
        ("kubectl --context a apply --dry-run=server -f k8s/", "pod/a configured (server dry run)"),
    ] {
        assert_eq!(missing(command, output), 0, "{command}");
    }
    assert_eq!(missing("kubectl apply -f k8s/", "pod/a configured"), 1);
    // A plan for one folder says nothing of another.
    let fails = exits("terraform -chdir=envs/a validate", 1, "Error: Unsupported argument");
    let other = shell("terraform -chdir=envs/b validate", "Success! The configuration is valid.");
    assert_eq!(status(&[fails, other])["open"][0]["source"], json!("check"));
}

#[test]
fn a_check_of_documents_is_old_once_they_changed() {
    let run = |command: &str, output: &str, path: &str| {
        let steps =
            [edit("docs/a/plan.md", "a", "b"), shell(command, output), edit(path, "b", "c")];
        facts(&pack(&steps), "check").concat()
    };
    let valid = "Change 'a' is valid";
    let passed = "done `openspec validate a`: passed";
    assert_eq!(
        run("openspec validate a", valid, "docs/a/plan.md"),
        "stale `openspec validate a`: passed; 1 file was changed since"
    );
    assert_eq!(run("openspec validate a", valid, "docs/b/plan.md"), passed);
    let tests = run("pytest docs -q", "3 passed in 0.10s", "docs/a/plan.md");
    assert_eq!(tests, "done `pytest docs -q`: passed (3 tests)");
    let linted = run("ruff check docs", "All checks passed!", "docs/a/plan.md");
    assert_eq!(linted, "done `ruff check docs`: passed");
}
