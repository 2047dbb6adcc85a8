//! Lines of a pack that would say nothing to whoever goes on are not there.

use serde_json::{Value, json};

use super::status::{edit, pack, printed, segue, shell};

fn todo(status: &str) -> Value {
    let todos =
        json!([{"content": "parse the amounts", "status": status, "activeForm": "Parsing"}]);
    json!({"name": "TodoWrite", "input": {"todos": todos}, "output": "ok"})
}

fn call(name: &str, input: &Value) -> Value {
    json!({"name": name, "input": input, "output": "ok"})
}

/// Returns the texts of all steps of a pack.
fn steps(pack: &Value) -> Vec<String> {
    let turns = pack["turns"].as_array().unwrap().iter();
    let steps = turns.flat_map(|turn| turn["steps"].as_array().unwrap());
    steps.map(|step| step["text"].as_str().unwrap().to_owned()).collect()
}

fn paths(pack: &Value) -> Vec<String> {
    let opened = pack["files"].as_array().unwrap().iter().map(|file| &file["path"]);
    let named = pack["files_named"].as_array().unwrap().iter();
    opened.chain(named).map(|path| path.as_str().unwrap().to_owned()).collect()
}

#[test]
fn what_only_steers_is_no_step_of_a_turn() {
    let made = [
        todo("pending"),
        edit("src/a.rs", "x", "y"),
        call("ListJobs", &json!({})),
        call("Tell", &json!({"to": "review", "message": "REDACTED"})),
        call("Tell", &json!({"to": "review", "message": "look at the sign"})),
        call("KillShell", &json!({"shell_id": "7"})),
        todo("in_progress"),
        json!("Half of it is done."),
    ];
    let told = steps(&pack(&made));
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].starts_with("edited src/a.rs") && told[1].contains("look at the sign"));
}

#[test]
fn rows_of_an_output_that_come_again_are_one() {
    let output = format!("begin\n{}end\n", "waiting for the lock\n".repeat(12));
    let text = segue(&["pack", "-", "--budget", "4000"], &[shell("./deploy.sh", &output)]).stdout;
    assert!(text.contains("waiting for the lock (×12)\n"), "{text}");
}

#[test]
fn the_same_change_is_told_once() {
    let change = || edit("src/a.rs", "let old_amount = 1;", "let new_amount = 2;");
    let made = [change(), shell("ls", "a.rs"), change(), json!("It is changed twice.")];
    let text = segue(&["pack", "-", "--budget", "8000"], &made).stdout;
    assert_eq!(text.matches("+let new_amount = 2;").count(), 1, "{text}");
}

#[test]
fn what_is_no_file_of_the_project_is_not_listed() {
    let told = paths(&pack(&[
        edit("src/a.rs", "x", "y"),
        shell(
            "unzip -l out.nupkg",
            "  9  2026-01-02  lib/net6.0/core.dll\n  9  2026-01-02  docs/b.md",
        ),
        shell("for p in /llms.txt; do curl -s https://a.example$p; done", "hello"),
        shell("rg -n route src", "src/app/x/route.ts:3: get"),
        shell("make routes", "/x/route.ts: get"),
        shell("gh run list --workflow ci.yml", "none"),
        shell("cat .github/workflows/ci.yml", "on: push"),
        shell("ls", "node_modules/left/index.js"),
        json!("It goes on in src/new.rs."),
    ]));
    let mut told: Vec<&str> = told.iter().map(String::as_str).collect();
    told.sort_unstable();
    assert_eq!(told, [".github/workflows/ci.yml", "src/a.rs", "src/app/x/route.ts", "src/new.rs"]);
}

#[test]
fn a_step_that_stands_in_open_work_is_told_there() {
    let text = printed(&[edit("src/a.rs", "x", "y"), todo("in_progress")]);
    assert!(text.contains("- [>] parse the amounts"), "{text}");
    assert!(!text.contains("Active step:"), "{text}");
}

#[test]
fn a_test_of_all_is_asked_about_first() {
    let passed = "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out";
    let text = printed(&[
        edit("src/a.rs", "x", "y"),
        shell("cargo test", passed),
        shell("cargo clippy", "    Finished"),
        shell("cargo fmt --check", ""),
        shell("cargo fmt --check", ""),
    ]);
    assert!(text.contains("- `cargo test`: does it still pass?"), "{text}");
}

#[test]
fn files_of_a_change_that_a_user_shows_are_told_without_its_letters() {
    let words = "look at this:\n\ndiff --git a/src/b.rs b/src/b.rs\n--- a/src/b.rs\n+++ b/src/b.rs\n@@ -1 +1 @@\n-x\n+y";
    assert_eq!(paths(&pack(&[json!({ "told": words })])), ["src/b.rs"]);
    let words =
        words.replace("src/b.rs", "Cargo.toml") + "\nand look at b/c.rs and a/Cargo.toml.bak";
    let found = paths(&pack(&[json!({ "told": words })]));
    assert!(found.contains(&"Cargo.toml".to_owned()), "{found:?}");
    assert!(found.contains(&"b/c.rs".to_owned()), "{found:?}");
}

#[test]
fn a_script_that_is_gone_is_not_asked_about() {
    let steps = [
        edit("src/a.ts", "x", "y"),
        json!({"name": "Write", "input": {"file_path": "/home/ada/tool/test-a.ts", "content": "look()"}, "output": "File created successfully"}),
        shell("npx tsx test-a.ts", "all is well"),
        shell("rm test-a.ts", ""),
    ];
    let asks = "- `npx tsx test-a.ts`: does it";
    assert!(printed(&steps[..3]).contains(asks));
    assert!(!printed(&steps).contains(asks), "{}", printed(&steps));
}

#[test]
fn a_call_without_arguments_is_a_step_where_something_came_back() {
    let seen = json!({"name": "Look", "input": {}, "output": "The page has two tables, and the sum below the second one is wrong."});
    let made = [edit("src/a.rs", "x", "y"), seen, json!("I mend the sum.")];
    assert!(
        steps(&pack(&made)).iter().any(|step| step.contains("Look")),
        "{:?}",
        steps(&pack(&made))
    );
}

#[test]
fn what_was_changed_by_the_first_command_is_no_fix_to_make() {
    let fix = json!("The fix is to close the file before it is read.");
    let open = |made: &[Value]| pack(made)["open_work"].to_string();
    assert!(open(&[shell("cat src/a.rs", "x"), fix.clone()]).contains("close the file"));
    let made = open(&[shell("sed -i 's/x/y/' src/a.rs", ""), fix]);
    assert!(!made.contains("close the file"), "{made}");
}

#[test]
fn each_answer_is_told_with_what_was_asked() {
    let asked = "Shall the amounts be kept?";
    let made = [
        edit("src/a.rs", "x", "y"),
        json!(asked),
        json!({"told": "yes, keep the amounts. And yes, move the page of rows."}),
        json!("Both are done."),
        json!({"told": "write the page of the docs that says how an amount is read, with one example of each kind"}),
        edit("docs/a.md", "x", "y"),
        json!("Written."),
        json!({"told": "now write the exporter of rows as well, with a test for each of the two kinds of files"}),
        edit("src/b.rs", "x", "y"),
        json!("Written too."),
    ];
    let facts = pack(&made)["facts"].as_array().unwrap().clone();
    let told = facts.iter().filter(|fact| fact["kind"] == json!("directive"));
    let details: Vec<_> = told.map(|fact| fact["detail"].clone()).collect();
    assert_eq!(details, [json!(format!("asked: {asked}")), json!(format!("asked: {asked}"))]);
}

#[test]
fn what_was_agreed_to_is_not_told_below_what_it_replies_to() {
    let asked = "The reader takes each row twice.\n\nShall I mend the reader so that it takes each row once?";
    let agreed = "agreed to: The reader takes";
    let made = [edit("src/a.rs", "x", "y"), json!(asked), json!({"told": "go ahead"})];
    let told = |made: &[Value]| segue(&["pack", "-", "--budget", "8000"], made).stdout;
    let text = told(&made);
    assert!(text.contains("takes each row once?") && !text.contains(agreed), "{text}");
    // Where the card replies to something else it stands by itself.
    let later = [
        edit("src/a.rs", "y", "z"),
        json!("It is mended."),
        json!({"told": "now write the page of the docs that says how a row is read"}),
    ];
    let text = told(&[&made[..], &later].concat());
    assert!(text.contains(agreed), "{text}");
    // What the agent was let do is over once other things were asked for.
    let more = [json!("It is written."), json!({"told": "now add a test for the empty file"})];
    let text = told(&[&made[..], &later, &more, &later[..1]].concat());
    assert!(!text.contains(agreed), "{text}");
    for asked in ["Want me to make both changes and redeploy?", "Shall I rebuild the page?"] {
        let made = [edit("src/a.rs", "x", "y"), json!(asked), json!({"told": "yes"})];
        let text = told(&[&made[..], &later, &more, &later[..1]].concat());
        assert!(!text.contains("agreed to:"), "{text}");
    }
    // What binds what comes later is not.
    for asked in [
        "Should I keep the old reader next to the new one?",
        "Do you want me to run the linter before every commit?",
        "Shall I go with rows?",
        "Shall I remove the old reader?",
        "Want me to change the default port to 9000?",
        "Shall I make the parser strict from v2 on?",
        "Want me to switch to whole cents and redeploy?",
        "Should I drop the old form of rows and release it?",
        "Shall I make breaking changes to rows?",
    ] {
        let made = [edit("src/a.rs", "x", "y"), json!(asked), json!({"told": "yes"})];
        let text = told(&[&made[..], &later, &more, &later[..1]].concat());
        assert!(text.contains(&format!("agreed to: {asked}")), "{text}");
    }
}

#[test]
fn what_a_text_names_is_told_from_where_the_session_is() {
    let text = "cd docs && cat > note.md <<'E'\nSee src/a.rs.\nE";
    let script = "cd docs && python3 - <<'E'\nprint(open('src/b.rs').read())\nE";
    let address = "python3 - <<'E'\nprint(client.get('/page.txt').text)\nE";
    let fetched = "code=$(curl -s https://a.example/plan.txt); echo \"/plan.txt: $code\"";
    let beside = "cd /home/ada/other && git commit -F - <<'E'\nMend docs/d.rs.\nE";
    let lines = [text, script, address, fetched, beside].map(|line| shell(line, ""));
    let named = pack(&[&[edit("src/c.rs", "x", "y")][..], &lines].concat()).to_string();
    let has = |path: &str| named.contains(&format!("\"{path}\""));
    assert!(has("src/a.rs") && !has("docs/src/a.rs"), "{named}");
    assert!(has("docs/src/b.rs") && !has("/page.txt") && !has("/plan.txt"), "{named}");
    // Of other work it tells from there.
    assert!(has("/home/ada/other/docs/d.rs") && !has("docs/d.rs"), "{named}");
}
