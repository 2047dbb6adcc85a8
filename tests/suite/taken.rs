//! Files that commands take away or move, and outputs that are told in fields.

use serde_json::{Value, json};

use super::attack::{line, segue, session};

/// What stands for an output that never came back.
const LOST: &str = "lost";

/// Packs a session whose agent makes some calls; each is a tool, its input, and what came back.
fn packed(calls: &[(&'static str, Value, &'static str)]) -> Value {
    let mut records = vec![line("user", 1, 0, json!("tidy it up"))];
    for (at, (name, input, output)) in (1u32..).zip(calls) {
        let id = format!("toolu_{at}");
        let call = json!([{"type": "tool_use", "id": id, "name": name, "input": input}]);
        let result = json!([{"type": "tool_result", "tool_use_id": id, "content": output}]);
        let mut called = line("assistant", 2 * at, 2 * at - 1, call);
        // In which folder the shell was before it only the commands tell.
        called["cwd"] = Value::Null;
        records.push(called);
        if *output != LOST {
            records.push(line("user", 2 * at + 1, 2 * at, result));
        }
    }
    let (_folder, path) = session(&records);
    let said = segue(&["pack", &path, "--json", "--no-check", "--budget", "30000"]);
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
    let pack = packed(&[
        wrote("/home/ada/tool/a.rs"),
        ran("git checkout -b tidy 2>&1 | tail -1\ngit rm -q a.rs\ngit status --short"),
    ]);
    assert_eq!(states(&pack), [("a.rs", "deleted")]);
    // What never came back may not have run.
    let lost = ("Bash", json!({"command": "git rm -q a.rs"}), LOST);
    let pack = packed(&[wrote("/home/ada/tool/a.rs"), lost]);
    assert_eq!(states(&pack), [("a.rs", "created")]);
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
    assert_eq!(states(&pack), [("a.rs", "created")]);
    let pack =
        packed(&[wrote("/home/ada/tool/a.rs"), ran("rm a.rs"), wrote("/home/ada/tool/a.rs")]);
    assert_eq!(states(&pack), [("a.rs", "created")]);
}

#[test]
fn what_came_back_is_not_told_as_gone() {
    let path = "/home/ada/tool/a.rs";
    let read = || ("Read", json!({"file_path": path}), "1\tfn read_all() {}");
    for back in [
        vec![ran("rm a.rs && cat > a.rs <<'EOF'\nfn x() {}\nEOF")],
        vec![ran("rm a.rs"), ran("cat a.rs")],
        vec![ran("rm a.rs"), ran("git stash pop")],
        vec![ran("git rm a.rs && git commit -m x && git revert HEAD")],
        vec![ran("mv a.rs b.rs"), ran("git checkout -- a.rs"), read()],
        vec![ran("rm a.rs; echo"), ran("make gen > a.rs")],
    ] {
        let pack = packed(&[vec![wrote(path)], back].concat());
        let state = states(&pack).into_iter().find(|(path, _)| *path == "a.rs");
        assert_eq!(state, Some(("a.rs", "created")));
    }
    let refused = ("Bash", json!({"command": "rm a.rs; echo"}), "rm: cannot remove 'a.rs'");
    assert_eq!(states(&packed(&[wrote(path), refused])), [("a.rs", "created")]);
    let elsewhere = [wrote(path), ran("cd sub"), ran("rm a.rs")];
    assert_eq!(states(&packed(&elsewhere)), [("a.rs", "created")]);
}

#[test]
fn what_is_moved_onto_a_file_adds_to_what_is_known_of_it() {
    let pack = packed(&[
        wrote("/home/ada/tool/a.rs"),
        wrote("/home/ada/tool/b.rs"),
        ran("mv b.rs a.rs"),
        wrote("/home/ada/tool/c.rs"),
        ran("sed 's/x/y/' c.rs > tmp.rs && mv tmp.rs c.rs"),
        ran("cd sub && mv ../c.rs .. && git mv README.md README"),
    ]);
    let states_of = states(&pack);
    for want in [("a.rs", "created"), ("b.rs", "moved"), ("c.rs", "created"), ("tmp.rs", "moved")] {
        assert!(states_of.contains(&want), "{want:?} {states_of:?}");
    }
    let first = pack["files"].as_array().unwrap().iter().find(|file| file["path"] == "a.rs");
    assert_eq!(first.unwrap()["edits"], 2);
    let renamed = packed(&[
        wrote("/home/ada/tool/old/a.rs"),
        wrote("/home/ada/tool/src/b.rs"),
        ran("git mv old new && mv src/b.rs new"),
        ("Read", json!({"file_path": "/home/ada/tool/new/a.rs"}), "1\tfn read_all() {}"),
    ]);
    let states_of = states(&renamed);
    for want in [("old/a.rs", "moved"), ("new/a.rs", "read"), ("new/b.rs", "created")] {
        assert!(states_of.contains(&want), "{want:?} {states_of:?}");
    }
    let twice = packed(&[
        wrote("/home/ada/tool/old/a.rs"),
        ran("git mv old/ new"),
        ran("git mv new/a.rs new/b.rs"),
    ]);
    let want = [("new/a.rs", "moved"), ("new/b.rs", "created"), ("old/a.rs", "moved")];
    assert_eq!(states(&twice), want);
}

#[test]
fn thousands_of_deletions_and_moves_are_looked_at_in_linear_time() {
    let names: Vec<String> = (0..3_000).map(|at| format!("d{at}/f{at}.rs")).collect();
    let mut calls: Vec<_> =
        (0..200).map(|at| wrote(&format!("/home/ada/tool/d/f{at}.rs"))).collect();
    calls.extend((0..1_500).map(|at| ran(&format!("mv d e{at}"))));
    calls.extend((0..300).map(|_| ran("mv a.rs b.rs; mv b.rs a.rs; rm -rf d1 d2 d3 && rm -r e7")));
    calls.push(ran(&format!("rm {}", names.join(" "))));
    let pack = packed(&calls);
    let states = states(&pack);
    let stays = |(path, state): &(&str, &str)| path.starts_with("d/") && *state == "created";
    assert!(!states.is_empty() && !states.iter().any(stays), "{states:?}");
}
