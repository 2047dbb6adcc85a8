//! What nobody needs is not in a pack, or stands there last; what is told once is not told again.

use serde_json::{Value, json};

use crate::status::{edit, failing, pack, segue, shell};

const FAILED: &str = "test parse::amount ... FAILED\n\ntest result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured\n";

fn told(words: &str) -> Value {
    json!({ "told": words })
}

fn read(path: &str, text: &str) -> Value {
    json!({"name": "Read", "input": {"file_path": path}, "output": text})
}

/// The texts of one field of all entries of a list.
fn all<'p>(pack: &'p Value, list: &str, field: &str) -> Vec<&'p str> {
    let entries = pack[list].as_array().unwrap().iter();
    entries.map(|entry| entry[field].as_str().unwrap_or_default()).collect()
}

#[test]
fn of_a_long_list_of_files_only_the_first_are_told() {
    let listed = |part: &str| {
        (0..50).map(|at| format!("src/{part}/file_{at}.rs:3:use x;\n")).collect::<String>()
    };
    let pack = pack(&[
        shell("rg -n 'use x' src/a", &listed("a")),
        shell("rg -n 'use x' src/b", &listed("b")),
        json!("It is used everywhere."),
    ]);
    assert_eq!(pack["files_named"].as_array().unwrap().len(), 60);
}

#[test]
fn files_that_were_only_seen_make_room_for_names_in_those_that_were_read() {
    let listed: String = (0..60).map(|at| format!("src/day_{at}/rows_of_it.rs\n")).collect();
    let mut steps = vec![shell("git ls-files", &listed)];
    for part in 0..8 {
        let text: String =
            (0..9).map(|at| format!("fn parse_amount_{part}_{at}() {{}}\n")).collect();
        steps.push(read(&format!("/home/ada/tool/src/part_{part}.rs"), &text));
    }
    steps.push(json!("I looked at all of it."));
    let text = segue(&["pack", "-", "--budget", "700"], &steps).stdout;
    let (seen, names) =
        (text.matches("rows_of_it.rs").count(), text.matches("parse_amount_").count());
    assert!(seen > 5 && names > seen, "{seen} {names}: {text}");
}

#[test]
fn a_file_that_is_pointed_at_is_the_file() {
    let pack = pack(&[
        read("/home/ada/tool/src/parse.rs", "fn parse_amount() {}\n"),
        json!("I read it."),
        told("is @src/parse.rs done?"),
        json!("Yes, src/parse.rs is done."),
    ]);
    assert_eq!(all(&pack, "files", "path"), ["src/parse.rs"]);
    assert_eq!(pack["files_named"], json!([]));
}

#[test]
fn in_what_a_program_keeps_no_names_are_told() {
    let text = "fn parse_amount() {}\nfn read_all_rows() {}\n";
    let pack = pack(&[
        read("/home/ada/.agent/tools/review/notes.rs", text),
        read("/home/ada/tool/src/rows.rs", text),
        json!("I read both."),
    ]);
    let names = all(&pack, "files", "names");
    let paths = all(&pack, "files", "path");
    for (path, names) in paths.iter().zip(names) {
        assert_eq!(names.is_empty(), path.contains(".agent"), "{path}: {names}");
    }
    assert_eq!(paths.len(), 2);
}

#[test]
fn a_check_that_fails_is_told_as_open_work_alone() {
    let pack = pack(&[shell("cargo test 2>&1 | tail -5", FAILED), json!("One fails.")]);
    let open = all(&pack, "open_work", "text");
    assert!(open[0].starts_with("make `cargo test` pass: 1 test failed"), "{open:?}");
    let checks: Vec<_> =
        all(&pack, "facts", "kind").into_iter().filter(|it| *it == "check").collect();
    assert_eq!(checks, Vec::<&str>::new());
    // One that passes has no other place.
    let passed = FAILED.replace("FAILED", "ok").replace("2 passed; 1 failed", "3 passed; 0 failed");
    let pack = self::pack(&[shell("cargo test 2>&1 | tail -5", &passed), json!("All pass.")]);
    assert_eq!(all(&pack, "facts", "kind"), ["check"]);
}

#[test]
fn what_the_harness_says_of_an_output_is_no_part_of_it() {
    let said = segue(
        &["pack", "-", "--budget", "4000"],
        &[
            shell("git status --short", "(Bash completed with no output)"),
            failing("gh pr create --fill", "none of the git remotes is known"),
        ],
    );
    let told = "`gh pr create --fill` → exit 101: none of the git remotes is known";
    assert!(said.stdout.contains(told), "{}", said.stdout);
    for noise in ["Exit code 101", "no output)"] {
        assert!(!said.stdout.contains(noise), "{noise}: {}", said.stdout);
    }
}

#[test]
fn what_binds_the_work_is_not_said_again_below_the_request() {
    let long = "Look at each of the files below src in turn, and at what calls them. ".repeat(5);
    let bound = "Do not edit any files here.";
    let request = format!("{long}\n{bound}");
    let after = pack(&[told(&request), json!("I begin.")]);
    assert!(after["now"]["goal"].as_str().unwrap().contains(bound));
    assert!(!all(&after, "facts", "text").contains(&bound), "{}", after["facts"]);
    // It still binds the next request, which does not say it.
    let later =
        [told(&request), json!("I looked."), told("and now the folder tests"), json!("Yes.")];
    assert!(all(&pack(&later), "facts", "text").contains(&bound));
}

#[test]
fn a_long_row_of_data_is_told_by_its_fields() {
    let body = "word ".repeat(60);
    let row = json!({"body": body, "number": 7, "state": "OPEN"}).to_string();
    let said = segue(
        &["pack", "-", "--budget", "4000"],
        &[shell("gh pr view 7 --json body,number,state", &row), json!("It is open.")],
    );
    let told = "    {number: 7, state: OPEN, body: word word ";
    assert!(said.stdout.contains(told) && said.stdout.contains(" word…}\n"), "{}", said.stdout);
}

#[test]
fn who_waits_for_the_user_has_not_answered_all() {
    let after = |words: &str| pack(&[json!(words)])["now"].clone();
    let now = after("It is paused. Say the word and I'll delete them.");
    assert_eq!((&now["asks"], &now["answered"]), (&json!(true), &json!(false)));
    let now = after("It is done: they are deleted now.");
    assert_eq!((&now["asks"], &now["answered"]), (&json!(false), &json!(true)));
    // What words leave that say nothing of that, nobody knows.
    let now = after("They are deleted now.");
    assert_eq!((&now["asks"], &now["answered"]), (&json!(false), &json!(false)));
}

#[test]
fn what_only_asks_how_things_are_comes_last() {
    let pack = pack(&[
        shell("npm run build", "done"),
        shell("git ls-remote --tags origin", "abc refs/tags/v1"),
        shell("python3 - <<'EOF'\nprint(1)\nEOF", "1"),
        shell("uv run python - <<'EOF'\nprint(1)\nEOF", "1"),
        json!("It builds."),
    ]);
    assert_eq!(all(&pack, "commands", "command"), ["npm run build", "git ls-remote --tags origin"]);
}

#[test]
fn a_rule_binds_the_work_to_its_end() {
    let rule = "Do not touch the vendored parser in this work.";
    let mut steps = vec![told(rule), json!("Understood.")];
    for at in 0..80 {
        steps.push(told(&format!("Now write the part {at} of the importer, with its tests.")));
        steps.push(edit(&format!("src/part_{at}.rs"), "x", "fn y() {}"));
        steps.push(shell(&format!("cargo run --bin part_{at} -- --all rows_{at}.csv"), "ok"));
        steps.push(json!("It is written."));
    }
    for budget in ["900", "1500"] {
        let said = segue(&["pack", "-", "--budget", budget], &steps).stdout;
        assert!(said.contains(rule), "{said}");
    }
}

#[test]
fn what_kept_versions_takes_one_line_by_its_first_words() {
    let session = [
        shell("cargo test -p rows", "test result: ok. 3 passed; 0 failed; 0 ignored"),
        shell("git add src/rows.rs", ""),
        shell("git add src/parse.rs src/lib.rs", ""),
        shell("git commit -m 'Read rows'", "[main 1234567] Read rows\n 1 file changed"),
        failing("gh pr create --fill --draft", "none of the git remotes is known"),
        json!("It is committed."),
    ];
    let text = segue(&["pack", "-", "--budget", "330"], &session).stdout;
    let commands = text.split("## Commands\n").nth(1).unwrap().split("\n\n").next().unwrap();
    assert_eq!(
        commands,
        "- `cargo test -p rows`\n- git and the like: git add; gh pr create (failed last); git commit -m"
    );
    let pack = pack(&session);
    let versions = pack["commands"].as_array().unwrap().iter().map(|it| &it["keeps_versions"]);
    assert_eq!(versions.filter(|it| **it == json!(true)).count(), 3);
}

#[test]
fn the_request_that_is_open_is_told_before_much_else() {
    let page = "https://git.example/ada/tool/pull/7";
    let mut steps = vec![shell("gh pr create --fill", page), json!("It is opened.")];
    for at in 0..30 {
        steps.push(told(&format!("Now write the part {at} of the importer, with its tests.")));
        steps.push(edit(&format!("src/part_{at}.rs"), "x", "fn y() {}"));
        steps.push(shell(&format!("cargo test --test part_{at}"), "test result: ok. 3 passed"));
        steps.push(json!("It is written."));
    }
    steps.push(told("address what was said of the request"));
    let said = segue(&["pack", "-", "--budget", "700"], &steps).stdout;
    assert!(said.contains(&format!("- opened pull request {page}")), "{said}");
    steps.insert(1, shell("gh pr merge 7", "done"));
    let said = segue(&["pack", "-", "--budget", "700"], &steps).stdout;
    assert!(!said.contains(page), "{said}");
}

#[test]
fn a_call_that_failed_is_told_before_those_beside_it() {
    let mut steps = vec![
        json!("I check each part now."),
        failing(
            "cargo test a:: b::",
            "error: unexpected argument 'b::' found\n\nUsage: cargo test [OPTIONS] [TESTNAME]",
        ),
    ];
    for at in 0..5 {
        steps.push(shell(
            &format!("cargo test --package importer --test part_{at} -- --nocapture"),
            "test result: ok. 3 passed; 0 failed; 0 ignored\n",
        ));
    }
    let mut tells_others = false;
    for budget in (300..700).step_by(20) {
        let said = segue(&["pack", "-", "--budget", &budget.to_string()], &steps).stdout;
        if said.matches("- ran `cargo test --package").count() > 2 {
            tells_others = true;
            let told = "- ran `cargo test a:: b::` → exit 101: error: unexpected";
            assert!(said.contains(told), "{budget} {said}");
        }
    }
    assert!(tells_others);
}

#[test]
fn what_was_merged_since_it_was_said_to_wait_is_told_before_much_else() {
    let page = "https://git.example/ada/tool/pull/7";
    let waits =
        "PR #7 waits, all 12 checks are green. To take it in: `gh pr merge 7 --squash`. Shall I?";
    let mut steps = vec![shell("gh pr create --fill", page), json!(waits), told("yes")];
    steps.push(shell("gh pr merge 7 --squash", "done"));
    for at in 0..30 {
        steps.push(edit(&format!("src/part_{at}.rs"), "x", "fn parse_rows() {}"));
        steps.push(shell(&format!("cargo test --test part_{at}"), "test result: ok. 3 passed"));
    }
    let small = |steps: &[Value]| segue(&["pack", "-", "--budget", "700"], steps).stdout;
    let told = format!("- opened pull request {page}; merged");
    assert!(small(&steps).contains(&told), "{}", small(&steps));
    // What the words do not name is not.
    steps[1] = json!("All 12 checks are green. Shall I take it in?");
    assert!(!small(&steps).contains(&told));
}
