//! Files that commands take away or move, and outputs that are told in fields.

use serde_json::{Value, json};

use super::attack::{line, segue, session};

/// Packs a session whose agent makes some calls; each is a tool, its input, and what came back.
fn packed(calls: &[(&str, Value, &str)]) -> Value {
    let mut records = vec![line("user", 1, 0, json!("tidy it up"))];
    for (at, (name, input, output)) in (1u32..).zip(calls) {
        let id = format!("toolu_{at}");
        let call = json!([{"type": "tool_use", "id": id, "name": name, "input": input}]);
        let result = json!([{"type": "tool_result", "tool_use_id": id, "content": output}]);
        records.push(line("assistant", 2 * at, 2 * at - 1, call));
        records.push(line("user", 2 * at + 1, 2 * at, result));
    }
    let (_folder, path) = session(&records);
    let said = segue(&["pack", &path, "--json", "--no-check"]);
    serde_json::from_str(&said.stdout).unwrap_or_else(|_| panic!("{}", said.stderr))
}

fn ran(command: &str) -> (&'static str, Value, &'static str) {
    ("Bash", json!({"command": command}), "")
}

fn wrote(path: &str) -> (&'static str, Value, &'static str) {
    let input = json!({"file_path": path, "content": "fn read_all() {}\n"});
    ("Write", input, "File created successfully")
}

/// The state of each file, by its path.
fn states(pack: &Value) -> Vec<(&str, &str)> {
    let files = pack["files"].as_array().unwrap().iter();
    let mut states: Vec<_> = files
        .map(|file| (file["path"].as_str().unwrap(), file["state"].as_str().unwrap()))
        .collect();
    states.sort_unstable();
    states
}

#[test]
fn what_a_command_deleted_is_told_as_deleted() {
    let pack = packed(&[
        wrote("/home/ada/tool/src/a.rs"),
        wrote("/home/ada/tool/src/b.rs"),
        wrote("/home/ada/tool/old/c.rs"),
        ran("git rm -q src/a.rs && cd sub && rm -rf ../old"),
        ran("make || rm src/b.rs"),
    ]);
    let want = [("old/c.rs", "deleted"), ("src/a.rs", "deleted"), ("src/b.rs", "created")];
    assert_eq!(states(&pack), want);
    assert_eq!(pack["files"][0]["path"], "src/b.rs");
}

#[test]
fn what_a_command_moved_goes_on_where_it_is() {
    let pack = packed(&[
        wrote("/home/ada/tool/plans/one/a.rs"),
        wrote("/home/ada/tool/b.rs"),
        ran("git mv plans/one plans/archive/one && mv b.rs src/"),
    ]);
    let states = states(&pack);
    for want in [
        ("plans/one/a.rs", "moved"),
        ("plans/archive/one/a.rs", "created"),
        ("b.rs", "moved"),
        ("src/b.rs", "created"),
    ] {
        assert!(states.contains(&want), "{want:?} {states:?}");
    }
    let of = |path: &str| {
        let files = pack["files"].as_array().unwrap();
        files.iter().find(|file| file["path"] == path).cloned().unwrap()
    };
    assert_eq!(of("src/b.rs")["names"], "read_all");
    assert_eq!(of("src/b.rs")["added_lines"], 1);
    assert_eq!(of("b.rs")["edits"], 0);
}

#[test]
fn what_was_read_again_after_it_was_deleted_is_there() {
    let read = ("Read", json!({"file_path": "/home/ada/tool/a.rs"}), "1\tfn read_all() {}");
    let pack = packed(&[wrote("/home/ada/tool/a.rs"), ran("rm a.rs"), read]);
    assert_eq!(states(&pack), [("a.rs", "read")]);
    let pack =
        packed(&[wrote("/home/ada/tool/a.rs"), ran("rm a.rs"), wrote("/home/ada/tool/a.rs")]);
    assert_eq!(states(&pack), [("a.rs", "created")]);
}

#[test]
fn thousands_of_deletions_are_looked_at_in_linear_time() {
    let names: Vec<String> = (0..3_000).map(|at| format!("d{at}/f{at}.rs")).collect();
    let all = format!("rm {}", names.join(" "));
    let mut calls: Vec<_> = (0..300).map(|_| ran("rm -rf d1 d2 d3 && rm -r .")).collect();
    calls.push(ran(&all));
    let pack = packed(&calls);
    assert!(states(&pack).iter().all(|(_, state)| *state == "deleted"));
}
