//! How it is told what was not let run.

use serde_json::{Value, json};

use crate::status::{codex_pack, edit, open_by, pack, status, told};

fn changed() -> Value {
    edit("src/a.rs", "x", "y")
}

/// Returns the commands that a pack tells as failing, each with its exit code and the line that tells most.
fn fails(pack: &Value) -> Vec<String> {
    let all = pack["failures"].as_array().unwrap().iter();
    let told = all.map(|one| {
        let code = one["exit_code"].as_i64().map_or_else(|| "?".to_owned(), |it| it.to_string());
        let line = one["lines"].as_array().and_then(|lines| lines.first()?.as_str());
        format!("{} {code} {}", one["command"].as_str().unwrap(), line.unwrap_or_default())
    });
    told.map(|told| told.trim_end().to_owned()).collect()
}

fn last_done(pack: &Value) -> &str {
    pack["now"]["last_done"].as_str().unwrap_or_default()
}

#[test]
fn words_said_on_refusing_a_call_wait_for_an_answer() {
    let refused = |said: &str| {
        let start = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file).";
        let output = format!("{start}{said}");
        json!({"name": "Bash", "input": {"command": "rm -rf target"}, "output": output, "fails": true})
    };
    let words =
        " To tell you how to proceed, the user said:\nkeep target, and write the docs first";
    let open = status(&[changed(), refused(words)])["open"].to_string();
    let told = "answer the user, who said on refusing it: keep target, and write the docs first";
    assert!(open.contains(told), "{open}");
    let next =
        "do as the user said on refusing `rm -rf target`: keep target, and write the docs first";
    assert_eq!(pack(&[changed(), refused(words)])["now"]["next"], json!(next));
    let silent = open_by(&pack(&[changed(), refused(" STOP what you are doing.")]), "interrupted");
    assert!(silent[0].starts_with("the user refused and nothing came after"), "{silent:?}");
    let followed = status(&[changed(), refused(words), edit("README.md", "a", "b")]);
    assert!(!followed["open"].to_string().contains("refusing"), "{followed}");
}

#[test]
fn what_no_rule_let_run_is_no_failure_whoever_says_so() {
    let exec = |output: &str| {
        codex_pack(&[
            json!({"name": "exec_command", "input": {"cmd": "git push --force"}, "output": output}),
            json!({"says": "It is not let."}),
        ])
    };
    let by_policy = "exec_command failed for `git push --force`: CreateProcess { message: \"Rejected(\\\"`git push --force` rejected: blocked by policy\\\")\" }";
    let held = exec(by_policy);
    assert_eq!((fails(&held), last_done(&held)), (Vec::new(), ""));
    assert!(held["turns"].to_string().contains("not run"), "{}", held["turns"]);
    assert_eq!(fails(&exec("exec_command failed for `git push --force`: no such file")).len(), 1);
    // A tool that is not there cannot be called again.
    let none = json!({"name": "Nobody", "input": {"a": 1}, "output": "<tool_use_error>Error: No such tool available: Nobody</tool_use_error>", "fails": true});
    assert_eq!(
        open_by(&pack(&[told("go on"), none.clone(), json!("Hm.")]), "interrupted"),
        [""; 0]
    );
    let broken = json!({"name": "Nobody", "input": {"a": 1}, "output": "<tool_use_error>It broke</tool_use_error>", "fails": true});
    assert_eq!(open_by(&pack(&[told("go on"), broken, json!("Hm.")]), "interrupted").len(), 1);
}
