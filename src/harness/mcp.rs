//! Tools of servers of the Model Context Protocol, which every harness calls by the same names: what they do is told
//! by the names of the tool and of its arguments.

use serde_json::Value;
use serde_json::value::RawValue;

use crate::json;
use crate::model::{Action, Change, Part, Status, ToolResult, Verb};

/// Says what a call of a tool such as `mcp__filesystem__write_file` means, where that is known.
pub(super) fn action(name: &str, input: &Value) -> Option<Action> {
    let (server, tool) = of_server(name)?;
    let words = words(tool);
    let text = |keys: &[&str]| keys.iter().find_map(|key| input[*key].as_str()).map(str::to_owned);
    let is_far = words_of(server).any(|word| FAR.contains(&word.as_str())) || goes_far(input);
    if is_far {
        return None;
    }
    if is_shell(&words) {
        let cwd = text(&["cwd", "workdir", "working_directory"]);
        let command = text(&["command", "cmd"])?;
        return Some(Action::Shell { command, cwd, by_human: false });
    }
    // Any server has something of its own under a path; one of files has files.
    let path = text(PATHS).or_else(|| text(&["path"]).filter(|_| is_of_files(server)));
    if is_of_files(server) && matches!(tool, "read_file" | "read_text_file") {
        return Some(Action::Read { path: path?, lines: None });
    }
    let changes = changes(&words, input, path)?;
    Some(Action::Edit { changes })
}

/// Takes the name of a tool apart: some programs write `mcp__server__tool`, others `mcp_server_tool`.
fn of_server(name: &str) -> Option<(&str, &str)> {
    match name.strip_prefix("mcp__") {
        Some(rest) => rest.rsplit_once("__"),
        None => name.strip_prefix("mcp_")?.split_once('_'),
    }
}

/// The words of a name, in small letters: `replaceText` and `replace_text` are the same.
fn words(name: &str) -> Vec<String> {
    let mut spaced = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            spaced.push('_');
        }
        spaced.push(c.to_ascii_lowercase());
    }
    words_of(&spaced).collect()
}

fn words_of(name: &str) -> impl Iterator<Item = String> {
    let words = name.split(['-', '_', ' ', '.']).filter(|word| !word.is_empty());
    words.map(str::to_ascii_lowercase)
}

/// Words in the names of servers for another machine, or for what only looks like files.
const FAR: &[&str] = &[
    "adb",
    "android",
    "atlassian",
    "azure",
    "bitbucket",
    "browser",
    "cloud",
    "container",
    "daytona",
    "db",
    "docker",
    "drive",
    "e2b",
    "gdrive",
    "gitea",
    "github",
    "gitlab",
    "jira",
    "k8s",
    "kubernetes",
    "linear",
    "notion",
    "obsidian",
    "openshift",
    "pods",
    "prod",
    "proxmox",
    "redis",
    "remote",
    "s3",
    "sandbox",
    "slack",
    "ssh",
    "supabase",
];
/// Arguments that say the same: what they name lies elsewhere.
const ELSEWHERE: &[&str] = &[
    "branch",
    "bucket",
    "channel",
    "commitmessage",
    "connection",
    "container",
    "containerid",
    "device",
    "driveid",
    "host",
    "hostname",
    "issuekey",
    "namespace",
    "node",
    "owner",
    "pageid",
    "pod",
    "projectid",
    "projectref",
    "repo",
    "reposlug",
    "repository",
    "repositoryid",
    "repositoryname",
    "sandboxid",
    "server",
    "table",
    "url",
    "vault",
    "vmid",
    "workspace",
];

fn goes_far(input: &Value) -> bool {
    let is_one = |key: &String| {
        let key = key.replace(['_', '-'], "").to_ascii_lowercase();
        ELSEWHERE.contains(&key.as_str())
    };
    input.as_object().is_some_and(|fields| fields.keys().any(is_one))
}

/// Words by which a tool is one that runs a command line.
const SHELLS: &[&str] = &["bash", "cmd", "exec", "powershell", "process", "shell", "terminal"];

fn is_shell(words: &[String]) -> bool {
    let runs = |word: &str| matches!(word, "execute" | "run");
    words.iter().any(|word| SHELLS.contains(&word.as_str()))
        || matches!(words, [run, command] if runs(run) && command == "command")
}

/// Arguments that name the file of a project.
const PATHS: &[&str] = &[
    "file_path",
    "filePath",
    "relative_path",
    "pathInProject",
    "target_file",
    "targetFile",
    "target_filepath",
];
/// Words by which a tool changes what it is given.
const WRITING: &[&str] = &[
    "append", "create", "delete", "edit", "insert", "move", "patch", "remove", "rename", "replace",
    "write",
];
/// Those beside which it does not, or changes no file.
const LOOKING: &[&str] = &[
    "attachment",
    "breakpoint",
    "check",
    "comment",
    "dir",
    "directory",
    "explain",
    "export",
    "find",
    "folder",
    "generate",
    "get",
    "issue",
    "list",
    "note",
    "preview",
    "read",
    "review",
    "search",
    "show",
    "suggest",
    "upload",
    "validate",
];

/// Arguments that hold what a file is to say, or how something in it is to be called.
const TEXTS: &[&str] = &[
    "body",
    "code",
    "code_edit",
    "content",
    "edits",
    "insert_text",
    "newName",
    "newText",
    "new_content",
    "new_name",
    "new_string",
    "new_text",
    "oldText",
    "old_string",
    "old_text",
    "repl",
    "replaceText",
    "replacement",
    "text",
];

/// Returns the changes that a tool of such a name makes, if it changes a file.
fn changes(words: &[String], input: &Value, path: Option<String>) -> Option<Vec<Change>> {
    let has = |these: &[&str]| words.iter().any(|word| these.contains(&word.as_str()));
    let is_tried = ["dryRun", "dry_run"].iter().any(|key| input[*key] == Value::Bool(true));
    if !has(WRITING) || has(LOOKING) || is_tried {
        return None;
    }
    let side = |of: &Value, keys: &[&str]| {
        keys.iter().find_map(|key| of[*key].as_str()).unwrap_or_default().to_owned()
    };
    let change = |path: String, verb: Verb, of: &Value| Change {
        path,
        verb,
        removed: side(of, &["old_string", "oldText", "old_text"]),
        added: side(of, &["new_string", "newText", "new_text", "content", "text"]),
    };
    if let (Some(from), Some(to)) = (input["source"].as_str(), input["destination"].as_str()) {
        let moved = change(from.to_owned(), Verb::Move(to.to_owned()), &Value::Null);
        return has(&["move", "rename"]).then(|| vec![moved]);
    }
    // Who changes a file says to what.
    let is_told = TEXTS.iter().any(|key| input.get(*key).is_some())
        || has(&["delete", "move", "remove", "rename"])
            && words.last().is_some_and(|it| it == "file");
    let path = path.filter(|path| is_told && !path.trim().is_empty())?;
    let is_part = ["symbol", "line", "lines"];
    let verb = match () {
        () if has(&["delete", "remove"]) && !has(&is_part) => Verb::Delete,
        () if has(&["create", "write"]) && input["content"].is_string() => Verb::Write,
        () => Verb::Update,
    };
    Some(match input["edits"].as_array() {
        Some(edits) => edits.iter().map(|edit| change(path.clone(), verb.clone(), edit)).collect(),
        None => vec![change(path, verb, input)],
    })
}

/// Whether a call has a server run a command line.
pub(super) fn runs_command(name: &str, arguments: &RawValue) -> bool {
    let is_named = of_server(name).is_some_and(|(_, tool)| is_shell(&words(tool)));
    is_named && {
        let input: Value = json::from_str(arguments.get()).unwrap_or_default();
        matches!(action(name, &input), Some(Action::Shell { .. }))
    }
}

/// Notes how a command line ended that a server ran, where the server says so in an object.
pub(super) fn end(result: &mut ToolResult<'_>) {
    let Some(Part::Text(text)) = result.output.first() else { return };
    let text = text.plain();
    if result.exit_code.is_some() || !text.trim_start().starts_with('{') {
        return;
    }
    let told: Value = json::from_str(text.trim()).unwrap_or_default();
    let code = ["return_code", "returncode", "exit_code", "exitCode"];
    result.exit_code = code.iter().find_map(|key| told[*key].as_i64());
    if result.status == Status::Ok && result.exit_code.is_some_and(|code| code != 0) {
        result.status = Status::Error;
    }
}

/// Words in the names of servers for the files of this machine.
const FILES: &[&str] = &["desktop", "file", "files", "filesystem", "fs"];
/// Words that can stand beside them; any other may say another machine.
const BESIDE: &[&str] = &["commander", "local", "mcp", "server"];

/// Whether a server is by its name one for the files of this machine: tools of the same names write those of
/// others, too.
fn is_of_files(server: &str) -> bool {
    let words = || words_of(server);
    words().any(|word| FILES.contains(&word.as_str()))
        && words().all(|word| FILES.contains(&word.as_str()) || BESIDE.contains(&word.as_str()))
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

    #[test]
    fn a_tool_that_writes_by_its_name_changes_the_file_that_it_names() {
        let told = |name: &str, input: Value| match action(name, &input) {
            Some(Action::Edit { changes }) => {
                changes.into_iter().map(|it| format!("{} {:?}", it.path, it.verb)).collect()
            }
            _ => Vec::new(),
        };
        let symbol = json!({"name_path": "sum", "relative_path": "src/a.rs", "body": "x"});
        for name in ["replace_symbol_body", "insert_after_symbol", "safe_delete_symbol"] {
            let name = format!("mcp__tools__{name}");
            assert_eq!(told(&name, symbol.clone()), ["src/a.rs Update"], "{name}");
        }
        let text = json!({"pathInProject": "src/a.rs", "oldText": "x", "projectPath": "/p"});
        assert_eq!(told("mcp__ide__replace_text_in_file", text), ["src/a.rs Update"]);
        let whole = json!({"file_path": "/p/a.rs", "content": "x"});
        assert_eq!(told("mcp__editor__Write", whole.clone()), ["/p/a.rs Write"]);
        assert_eq!(told("mcp_editor_write_file", whole.clone()), ["/p/a.rs Write"]);
        let one = json!({"file_path": "/p/a.rs"});
        assert_eq!(told("mcp__editor__deleteFile", one.clone()), ["/p/a.rs Delete"]);
        let none = Vec::<String>::new();
        for name in ["get_edit_history", "find_and_replace_preview", "create_directory", "Read"] {
            assert_eq!(told(&format!("mcp__editor__{name}"), one.clone()), none, "{name}");
        }
        assert_eq!(told("mcp__remote-ide__write_file", whole), none);
        let far = json!({"file_path": "a.rs", "content": "x", "branch": "main", "project_id": 1});
        assert_eq!(told("mcp__hub__create_or_update_file", far), none);
    }

    #[test]
    fn a_command_line_that_a_server_runs_is_one() {
        let line = |name: &str, input: Value| match action(name, &input) {
            Some(Action::Shell { command, .. }) => Some(command),
            _ => None,
        };
        let make = json!({"command": "make test"});
        for name in ["tools__execute_shell_command", "x__start_process", "x__run_command"] {
            let name = format!("mcp__{name}");
            assert_eq!(line(&name, make.clone()).as_deref(), Some("make test"), "{name}");
        }
        assert_eq!(line("mcp__ssh__exec", make.clone()), None);
        assert_eq!(line("mcp__x__exec", json!({"command": "make", "host": "h"})), None);
        assert_eq!(line("mcp__x__text_editor", json!({"command": "view", "path": "a"})), None);
        assert_eq!(line("mcp__db__run_sql_command", make), None);
    }

    #[test]
    fn what_a_server_says_of_how_a_command_ended_counts() {
        let ended = |text: &str| {
            let output = vec![Part::Text(text.to_owned().into())];
            let mut result = ToolResult::new("c".into(), Status::Ok, output);
            end(&mut result);
            (result.status, result.exit_code)
        };
        let failed = r#"{"stdout": "1 failed", "return_code": 1}"#;
        assert_eq!(ended(failed), (Status::Error, Some(1)));
        assert_eq!(ended(r#"{"output": "", "exitCode": 0}"#), (Status::Ok, Some(0)));
        assert_eq!(ended("return_code: 1"), (Status::Ok, None));
    }
}
