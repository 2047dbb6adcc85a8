//! What its tools do, and which of them does what.

use serde_json::{Map, Value, json};

use crate::model::{Deed, NativeCall, PlanStatus};

/// Says exactly what a call does; nothing where it says more than a deed can.
pub(in crate::harness::claude) fn deed(name: &str, arguments: &Value) -> Option<Deed> {
    let arguments = Arguments(arguments.as_object()?);
    Some(match name {
        "Bash" => {
            arguments.only(&["command", "timeout", "description"])?;
            Deed::Shell {
                command: arguments.text("command")?,
                cwd: None,
                timeout_ms: arguments.number("timeout")?,
                description: arguments.maybe("description")?,
            }
        }
        "Read" => {
            arguments.only(&["file_path", "offset", "limit"])?;
            Deed::Read {
                path: arguments.text("file_path")?,
                // The first line may be counted from either number.
                first: arguments.number("offset")?.map(|line| line.max(1)),
                count: arguments.number("limit")?,
            }
        }
        "Write" => {
            arguments.only(&["file_path", "content"])?;
            Deed::Write { path: arguments.text("file_path")?, content: arguments.text("content")? }
        }
        "Edit" => replace(&arguments)?,
        "Grep" => {
            arguments.only(&["pattern", "path", "glob"])?;
            Deed::Grep {
                pattern: arguments.text("pattern")?,
                path: arguments.maybe("path")?,
                glob: arguments.maybe("glob")?,
            }
        }
        "Glob" => {
            arguments.only(&["pattern", "path"])?;
            Deed::Glob { pattern: arguments.text("pattern")?, path: arguments.maybe("path")? }
        }
        "TodoWrite" => {
            arguments.only(&["todos"])?;
            let todos = arguments.0.get("todos")?.as_array()?;
            Deed::Todos { items: todos.iter().map(todo).collect::<Option<_>>()? }
        }
        _ => return None,
    })
}

/// Tells whether a call asks for more than its deed says: how an entry of the list of work is called
/// while it is worked on.
pub(in crate::harness::claude) fn asks_more(name: &str, arguments: &Value) -> bool {
    let todos = arguments["todos"].as_array().filter(|_| name == "TodoWrite");
    todos.into_iter().flatten().any(|todo| {
        let active = todo["activeForm"].as_str().unwrap_or_default();
        !active.is_empty() && todo["content"].as_str() != Some(active)
    })
}

fn replace(arguments: &Arguments<'_>) -> Option<Deed> {
    arguments.only(&["file_path", "old_string", "new_string", "replace_all"])?;
    let (path, old) = (arguments.text("file_path")?, arguments.text("old_string")?);
    let new = arguments.text("new_string")?;
    // Without an old text the tool makes the file.
    if old.is_empty() {
        return Some(Deed::Write { path, content: new });
    }
    let all = match arguments.0.get("replace_all") {
        None | Some(Value::Null) => false,
        Some(all) => all.as_bool()?,
    };
    Some(Deed::Replace { path, old, new, all })
}

fn todo(entry: &Value) -> Option<(String, PlanStatus)> {
    let entry = Arguments(entry.as_object()?);
    entry.only(&["content", "status", "activeForm"])?;
    let status = entry.text("status")?;
    let known = matches!(status.as_str(), "pending" | "in_progress" | "completed");
    known.then_some((entry.text("content")?, PlanStatus::from_word(&status)))
}

/// The arguments of a call.
struct Arguments<'a>(&'a Map<String, Value>);

impl Arguments<'_> {
    /// Holds only if nothing is said besides `keys`.
    fn only(&self, keys: &[&str]) -> Option<()> {
        let is_known = |(key, value): (&String, &Value)| {
            keys.contains(&key.as_str()) || matches!(value, Value::Null | Value::Bool(false))
        };
        self.0.iter().all(is_known).then_some(())
    }

    fn text(&self, key: &str) -> Option<String> {
        self.0.get(key)?.as_str().map(str::to_owned)
    }

    /// A text that may be missing, but may be nothing else.
    fn maybe(&self, key: &str) -> Option<Option<String>> {
        match self.0.get(key) {
            None | Some(Value::Null) => Some(None),
            Some(value) => value.as_str().map(|text| Some(text.to_owned())),
        }
    }

    /// A number that may be missing, but may be nothing else.
    fn number(&self, key: &str) -> Option<Option<u64>> {
        match self.0.get(key) {
            None | Some(Value::Null) => Some(None),
            Some(value) => value.as_u64().map(Some),
        }
    }
}

/// Returns the call that does `deed`.
pub(super) fn call(deed: &Deed) -> Option<NativeCall> {
    let (name, arguments) = match deed {
        Deed::Shell { command, cwd, timeout_ms, description } => {
            let command = match cwd {
                Some(cwd) => format!("cd {} && {command}", quoted(cwd)),
                None => command.clone(),
            };
            ("Bash", json!({"command": command, "timeout": timeout_ms, "description": description}))
        }
        Deed::Read { path, first, count } => {
            ("Read", json!({"file_path": path, "offset": first, "limit": count}))
        }
        Deed::Write { path, content } => ("Write", json!({"file_path": path, "content": content})),
        Deed::Replace { path, old, new, all } => {
            let all = all.then_some(true);
            let edit = json!({
                "file_path": path, "old_string": old, "new_string": new, "replace_all": all,
            });
            // Without an old text the tool would make the file.
            ("Edit", (!old.is_empty()).then_some(edit)?)
        }
        Deed::Grep { pattern, path, glob } => {
            ("Grep", json!({"pattern": pattern, "path": path, "glob": glob}))
        }
        Deed::Glob { pattern, path } => ("Glob", json!({"pattern": pattern, "path": path})),
        Deed::Todos { items } => {
            let todos: Option<Vec<_>> = items.iter().map(native_todo).collect();
            ("TodoWrite", json!({"todos": todos?}))
        }
    };
    let Value::Object(mut arguments) = arguments else { return None };
    arguments.retain(|_, value| !value.is_null());
    Some((name, arguments))
}

/// Returns an entry of the list of work; nothing for a state that the tool does not know.
fn native_todo((text, status): &(String, PlanStatus)) -> Option<Value> {
    let entry = || json!({"content": text, "status": status.word(), "activeForm": text});
    status.is_common().then(entry)
}

/// Returns a path as a word of the shell.
fn quoted(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+:@,".contains(&byte);
    if !path.is_empty() && !path.starts_with('-') && path.bytes().all(plain) {
        return path.to_owned();
    }
    format!("'{}'", path.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn both_ways(name: &str, arguments: &Value) -> Deed {
        let deed = deed(name, arguments).unwrap();
        let (back, made) = call(&deed).unwrap();
        assert_eq!((back, &Value::Object(made)), (name, arguments));
        deed
    }

    #[test]
    fn a_call_says_what_it_does_and_can_be_made_again() {
        let shell = json!({"command": "ls", "timeout": 5000, "description": "List"});
        let want = Deed::Shell {
            command: "ls".into(),
            cwd: None,
            timeout_ms: Some(5000),
            description: Some("List".into()),
        };
        assert_eq!(both_ways("Bash", &shell), want);
        both_ways("Read", &json!({"file_path": "/a", "offset": 3, "limit": 4}));
        both_ways("Write", &json!({"file_path": "/a", "content": ""}));
        both_ways("Edit", &json!({"file_path": "/a", "old_string": "b", "new_string": "c"}));
        let all =
            json!({"file_path": "/a", "old_string": "b", "new_string": "", "replace_all": true});
        both_ways("Edit", &all);
        both_ways("Grep", &json!({"pattern": "x", "path": "src", "glob": "*.rs"}));
        both_ways("Glob", &json!({"pattern": "**/*.rs"}));
        let entry = json!({"content": "Do it", "status": "in_progress", "activeForm": "Do it"});
        both_ways("TodoWrite", &json!({"todos": [entry]}));
    }

    #[test]
    fn a_call_that_says_more_is_no_deed() {
        let more = [
            ("Bash", json!({"command": "ls", "run_in_background": true})),
            ("Bash", json!({"command": ["ls"]})),
            ("Bash", json!({"command": "ls", "timeout": "5"})),
            ("Read", json!({"file_path": "/a.pdf", "pages": "1-2"})),
            ("Grep", json!({"pattern": "x", "-i": true})),
            ("Grep", json!({"pattern": "x", "output_mode": "content"})),
            ("TodoWrite", json!({"todos": [{"content": "x", "status": "waiting"}]})),
            ("TodoWrite", json!({"todos": [{"content": "x", "status": "pending", "priority": 1}]})),
            ("WebFetch", json!({"url": "x"})),
            ("Bash", json!(null)),
        ];
        for (name, arguments) in more {
            assert_eq!(deed(name, &arguments), None, "{name} {arguments}");
        }
        let quiet = json!({"command": "ls", "run_in_background": false});
        assert!(deed("Bash", &quiet).is_some());
    }

    #[test]
    fn an_edit_without_an_old_text_makes_the_file() {
        let edit = json!({"file_path": "/a", "old_string": "", "new_string": "b"});
        let want = Deed::Write { path: "/a".into(), content: "b".into() };
        assert_eq!(deed("Edit", &edit), Some(want));
        let replace =
            Deed::Replace { path: "/a".into(), old: String::new(), new: "b".into(), all: false };
        assert_eq!(call(&replace), None);
    }

    #[test]
    fn a_folder_is_gone_to_and_a_state_that_is_not_known_stays_foreign() {
        let shell = |cwd: &str| Deed::Shell {
            command: "ls".into(),
            cwd: Some(cwd.into()),
            timeout_ms: None,
            description: None,
        };
        let command = |cwd: &str| call(&shell(cwd)).unwrap().1["command"].clone();
        assert_eq!(command("/a/b-c.d"), "cd /a/b-c.d && ls");
        assert_eq!(command("/it's me"), "cd '/it'\\''s me' && ls");
        assert_eq!(command("~"), "cd '~' && ls");
        let items = vec![("x".to_owned(), PlanStatus::Blocked)];
        assert_eq!(call(&Deed::Todos { items }), None);
    }
}
