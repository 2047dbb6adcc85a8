//! What a small pack tells before what: changed files before others, the user's words before names.

use serde_json::{Value, json};

use super::status::{edit, pack, read, shell, told};

#[test]
fn what_was_only_tried_for_is_no_file_that_was_seen() {
    let fails = |command: &str, output: &str, code: i32| {
        json!({"name": "Bash", "input": {"command": command}, "fails": true,
            "output": format!("Exit code {code}\n{output}")})
    };
    let named = |step: Value| {
        let files = pack(&[edit("src/a.rs", "x", "y"), step])["files_named"].to_string();
        ["lamp.toml", "hall.toml"].map(|name| files.contains(name))
    };
    let search = "rg -n clock conf/lamp.toml conf/hall.toml 2>/dev/null";
    assert_eq!(named(fails(search, "conf/hall.toml:3: clock", 2)), [false, true]);
    let missing = "conf/hall.toml:3: clock\nrg: conf/lamp.toml: No such file or directory";
    assert_eq!(named(fails(search, missing, 2)), [false, true]);
    // A search that found nothing looked into all of them.
    assert_eq!(named(fails(search, "", 1)), [true, true]);
}
