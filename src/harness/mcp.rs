//! Tools of the reference servers of the Model Context Protocol, which every harness calls by the same names.

use serde_json::Value;

use crate::model::{Action, Change, Verb};

/// Says what a call of a tool such as `mcp__filesystem__write_file` means, where that is known.
pub(super) fn action(name: &str, input: &Value) -> Option<Action> {
    let (server, tool) = name.strip_prefix("mcp__")?.rsplit_once("__")?;
    if !is_of_files(server) {
        return None;
    }
    let text = |key: &str| input.get(key).and_then(Value::as_str).map(str::to_owned);
    let one = |change: Change| Some(Action::Edit { changes: vec![change] });
    match tool {
        "read_file" | "read_text_file" => Some(Action::Read { path: text("path")?, lines: None }),
        "write_file" => {
            let (path, added) = (text("path")?, text("content")?);
            one(Change { path, verb: Verb::Write, removed: String::new(), added })
        }
        "edit_file" if input.get("dryRun") != Some(&Value::Bool(true)) => {
            let path = text("path")?;
            let edits = input.get("edits").and_then(Value::as_array)?;
            let side = |edit: &Value, key: &str| Some(edit.get(key)?.as_str()?.to_owned());
            let change = |edit: &Value| {
                let (removed, added) = (side(edit, "oldText")?, side(edit, "newText")?);
                Some(Change { path: path.clone(), verb: Verb::Update, removed, added })
            };
            Some(Action::Edit { changes: edits.iter().filter_map(change).collect() })
        }
        "move_file" => {
            let (path, to) = (text("source")?, text("destination")?);
            let (removed, added) = (String::new(), String::new());
            one(Change { path, verb: Verb::Move(to), removed, added })
        }
        _ => None,
    }
}

/// Words in the names of servers for the files of this machine.
const FILES: &[&str] = &["desktop", "file", "files", "filesystem", "fs"];
/// Words that can stand beside them; any other may say another machine, such as `ssh`.
const BESIDE: &[&str] = &["commander", "local", "mcp", "server"];

/// Whether a server is by its name one for the files of this machine: tools of the same names write those of
/// others, too.
fn is_of_files(server: &str) -> bool {
    let low = server.to_ascii_lowercase();
    let words = || low.split(['-', '_', ' ', '.']).filter(|word| !word.is_empty());
    words().any(|word| FILES.contains(&word))
        && words().all(|word| FILES.contains(&word) || BESIDE.contains(&word))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn files_that_a_server_writes_are_edits() {
        let paths = |name: &str, input: Value| match action(name, &input) {
            Some(Action::Edit { changes }) => changes.into_iter().map(|it| it.path).collect(),
            _ => Vec::new(),
        };
        let write = json!({"path": "/p/a.md", "content": "x"});
        assert_eq!(paths("mcp__files__write_file", write.clone()), ["/p/a.md"]);
        let edit = json!({"path": "/p/a.md", "edits": [{"oldText": "x", "newText": "y"}]});
        assert_eq!(paths("mcp__filesystem__edit_file", edit), ["/p/a.md"]);
        let moved = json!({"source": "/p/a.md", "destination": "/p/b.md"});
        assert_eq!(paths("mcp__filesystem__move_file", moved), ["/p/a.md"]);
        let tried = json!({"path": "/p/a.md", "edits": [], "dryRun": true});
        assert!(paths("mcp__filesystem__edit_file", tried).is_empty());
        assert!(paths("mcp__notes__write_page", write.clone()).is_empty());
        assert_eq!(paths("mcp__desktop-commander__write_file", write.clone()), ["/p/a.md"]);
        for other in ["daytona", "ssh-prod", "gdrive", "github", "remote-fs", "sandbox_files"] {
            assert!(
                paths(&format!("mcp__{other}__write_file"), write.clone()).is_empty(),
                "{other}"
            );
        }
        assert!(paths("write_file", write).is_empty());
    }
}
