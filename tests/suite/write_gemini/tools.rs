//! Calls of the harness's tools as what they do, and back.

use segue::harness;
use segue::model::{Deed, PlanStatus};
use serde_json::{Value, json};

use super::writer;

fn deed(name: &str, arguments: &Value) -> Option<Deed> {
    harness::by_name("gemini").unwrap().deed(name, arguments)
}

fn text(words: &str) -> String {
    words.to_owned()
}

fn some(words: &str) -> Option<String> {
    Some(words.to_owned())
}

#[test]
fn each_deed_has_its_call_and_is_read_from_it() {
    let shell = |cwd, timeout_ms, description| Deed::Shell {
        command: text("ls -l"),
        cwd,
        timeout_ms,
        description,
    };
    let read = |first, count| Deed::Read { path: text("/a"), first, count };
    let replace = |all| Deed::Replace { path: text("/a"), old: text("x"), new: text("y"), all };
    let todos = vec![(text("one"), PlanStatus::Blocked), (text("two"), PlanStatus::InProgress)];
    let instruction = "Replace old_string by new_string.";
    let cases = [
        (shell(None, None, None), "run_shell_command", json!({"command": "ls -l"})),
        (
            shell(some("/b"), None, some("List")),
            "run_shell_command",
            json!({"command": "ls -l", "description": "List", "dir_path": "/b"}),
        ),
        (
            shell(None, Some(5000), some("List")),
            "run_shell_command",
            json!({"command": "ls -l", "description": "List (at most 5000 ms)"}),
        ),
        (
            shell(None, Some(5000), None),
            "run_shell_command",
            json!({"command": "ls -l", "description": "(at most 5000 ms)"}),
        ),
        (read(None, None), "read_file", json!({"file_path": "/a"})),
        (read(Some(3), None), "read_file", json!({"file_path": "/a", "start_line": 3})),
        (read(None, Some(9)), "read_file", json!({"file_path": "/a", "end_line": 9})),
        (
            read(Some(3), Some(2)),
            "read_file",
            json!({"file_path": "/a", "start_line": 3, "end_line": 4}),
        ),
        (
            Deed::Write { path: text("/a"), content: text("") },
            "write_file",
            json!({"file_path": "/a", "content": ""}),
        ),
        (
            replace(false),
            "replace",
            json!({"file_path": "/a", "instruction": instruction, "old_string": "x", "new_string": "y"}),
        ),
        (
            replace(true),
            "replace",
            json!({"file_path": "/a", "instruction": instruction, "old_string": "x", "new_string": "y",
                "allow_multiple": true}),
        ),
        (
            Deed::Grep { pattern: text("a+"), path: some("/b"), glob: some("*.rs") },
            "grep_search",
            json!({"pattern": "a+", "dir_path": "/b", "include_pattern": "*.rs"}),
        ),
        (Deed::Glob { pattern: text("*.rs"), path: None }, "glob", json!({"pattern": "*.rs"})),
        (
            Deed::Todos { items: todos },
            "write_todos",
            json!({"todos": [{"description": "one", "status": "blocked"},
                {"description": "two", "status": "in_progress"}]}),
        ),
    ];
    for (done, name, arguments) in cases {
        let call = writer().call(&done).unwrap();
        assert_eq!((call.0, Value::Object(call.1)), (name, arguments.clone()));
        assert_eq!(deed(name, &arguments), Some(done));
    }
}

#[test]
fn what_cannot_be_said_exactly_is_not_said() {
    let nothing = Deed::Read { path: text("/a"), first: Some(3), count: Some(0) };
    assert_eq!(writer().call(&nothing), None);
    let before = Deed::Read { path: text("/a"), first: Some(0), count: None };
    assert_eq!(writer().call(&before), None);
    let shell = |timeout_ms, description| Deed::Shell {
        command: text("ls"),
        cwd: None,
        timeout_ms,
        description,
    };
    assert_eq!(writer().call(&shell(None, some("Wait (at most 5 ms)"))), None);
    let background = json!({"command": "serve", "is_background": true});
    assert_eq!(deed("run_shell_command", &background), None);
    let more = json!({"pattern": "a", "case_sensitive": true});
    assert_eq!(deed("grep_search", &more), None);
    assert_eq!(deed("read_file", &json!({"file_path": 3})), None);
    assert_eq!(deed("write_todos", &json!({"todos": [{"description": "a", "status": "x"}]})), None);
    assert_eq!(deed("run_shell_command", &json!("ls")), None);
}

#[test]
fn older_versions_say_the_same_in_other_words() {
    let read = |first, count| Some(Deed::Read { path: text("/a"), first, count });
    let old = json!({"absolute_path": "/a", "offset": 10, "limit": 5});
    assert_eq!(deed("read_file", &old), read(Some(11), Some(5)));
    let old = json!({"pattern": "a", "path": "/b", "include": "*.c"});
    let grep = Deed::Grep { pattern: text("a"), path: some("/b"), glob: some("*.c") };
    assert_eq!(deed("search_file_content", &old), Some(grep));
    let old = json!({"file_path": "/a", "old_string": "x", "new_string": "y",
        "expected_replacements": 2});
    let all = Deed::Replace { path: text("/a"), old: text("x"), new: text("y"), all: true };
    assert_eq!(deed("replace", &old), Some(all));
}
