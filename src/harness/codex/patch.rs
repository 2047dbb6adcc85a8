//! Texts of `apply_patch`, and where they hide in shell commands.

use camino::Utf8PathBuf;
use serde_json::Value;

use crate::harness::folders::cleaned;
use crate::model::{Change, Deed, Verb};

/// What the patch tool is called in a command line.
const TOOLS: [&str; 2] = ["apply_patch", "applypatch"];
/// How every patch begins.
const BEGIN: &str = "*** Begin Patch";
/// How every patch ends.
const END: &str = "*** End Patch";

/// Finds a patch in the arguments of a shell call: as an argument of its own, or in a here-document.
pub(super) fn in_command(arguments: &Value) -> Option<String> {
    let command = &arguments["command"];
    if let Some(argv) = command.as_array() {
        let word = |at: usize| argv.get(at).and_then(Value::as_str);
        if word(0).is_some_and(|tool| TOOLS.contains(&tool)) {
            return word(1).and_then(in_text);
        }
    }
    in_line(line(arguments)?).and_then(|(_, rest)| in_text(rest))
}

/// Takes apart the patch in the arguments of a shell call; its files are named from where that runs.
pub(super) fn changes_in_command(arguments: &Value) -> Vec<Change> {
    let mut found = in_command(arguments).map(|patch| changes(&patch)).unwrap_or_default();
    let workdir = ["workdir", "cwd"].iter().find_map(|key| arguments[*key].as_str());
    let entered = line(arguments).and_then(in_line).and_then(|(folder, _)| folder);
    let folder: Utf8PathBuf = workdir.into_iter().chain(entered).collect();
    if folder.as_str().is_empty() {
        return found;
    }
    let place = |path: &mut String| *path = cleaned(&folder.join(path.as_str())).into_string();
    for change in &mut found {
        place(&mut change.path);
        if let Verb::Move(to) = &mut change.verb {
            place(to);
        }
    }
    found
}

/// Returns the command line of a shell call, if it runs one.
fn line(arguments: &Value) -> Option<&str> {
    match arguments["command"].as_array() {
        Some(argv) => argv.get(2).filter(|_| argv.len() == 3)?.as_str(),
        None => arguments["command"].as_str().or(arguments["cmd"].as_str()),
    }
}

/// Returns what stands on a command line that begins with the patch tool, and the folder that it enters before, where
/// that is a plain name.
fn in_line(line: &str) -> Option<(Option<&str>, &str)> {
    let (mut rest, mut folder) = (line.trim_start(), None);
    if let Some(entering) = rest.strip_prefix("cd ") {
        let (named, behind) = entering.split_once("&&")?;
        (rest, folder) = (behind.trim_start(), plain_word(named.trim()));
    }
    TOOLS.iter().any(|tool| rest.starts_with(tool)).then_some((folder, rest))
}

/// Returns what one word of a command line names, if the shell takes it as it stands: in quotes that is more.
fn plain_word(word: &str) -> Option<&str> {
    const ODD: &str = "$`~\\'\";|&*?[]{}()<>";
    let within = |mark: char| word.strip_prefix(mark)?.strip_suffix(mark);
    let (bare, odd) = match (within('\''), within('"')) {
        (Some(bare), _) => (bare, "'"),
        (None, Some(bare)) => (bare, "$`\\\""),
        (None, None) => (word, ODD),
    };
    (!bare.contains(|c| odd.contains(c)) && !bare.starts_with(['-', '~'])).then_some(bare)
}

/// Tells whether a command does nothing but apply the patch that was found in it, as it stands there.
pub(super) fn is_all(command: &Value, patch: &str) -> bool {
    if let Some([tool, text]) = command.as_array().map(Vec::as_slice)
        && tool.as_str().is_some_and(|tool| TOOLS.contains(&tool))
    {
        return text.as_str().is_some_and(|text| text.trim() == patch);
    }
    let Some(line) = super::action::command_line(command) else { return false };
    let Some((before, after)) = line.split_once(patch) else { return false };
    let lead = TOOLS.iter().find_map(|tool| before.trim_start().strip_prefix(tool));
    let (Some(lead), after) = (lead.map(str::trim), after.trim()) else { return false };
    // What the shell would put in place of it is not what stands there.
    let is_plain = !patch.contains(['$', '`', '\\']);
    let Some(word) = lead.strip_prefix("<<") else {
        let is_bare = lead == "'" || (lead == "\"" && is_plain);
        return is_bare && after == lead && !patch.contains(lead);
    };
    let word = word.trim();
    let bare = word.trim_matches(['\'', '"']);
    let is_word = !bare.is_empty() && bare.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    is_word && after == bare && (bare != word || is_plain)
}

/// Returns the patch inside a text.
pub(super) fn in_text(text: &str) -> Option<String> {
    let from = text.find(BEGIN)?;
    let rest = &text[from..];
    let to = rest.find(END).map_or(rest.len(), |at| at + END.len());
    Some(rest[..to].to_owned())
}

/// Makes a patch that writes a file; nothing where no patch says exactly that.
pub(super) fn add(path: &str, content: &str) -> Option<String> {
    let is_exact = content.ends_with('\n') && !content.contains('\r');
    if !is_exact || path.trim() != path || path.is_empty() || path.contains(['\n', '\r']) {
        return None;
    }
    let lines: String = content.lines().map(|line| format!("+{line}\n")).collect();
    Some(format!("{BEGIN}\n*** Add File: {path}\n{lines}{END}"))
}

/// Says what a patch does, if it does one thing that can be said without it: it writes one file, or
/// replaces one piece of one.
pub(super) fn deed(patch: &str) -> Option<Deed> {
    let body = patch.trim().strip_prefix(BEGIN)?.strip_suffix(END)?;
    let mut lines = body.trim_start_matches([' ', '\t']).strip_prefix('\n')?.lines();
    let (verb, path) = file_line(lines.next()?)?;
    let path = path.trim().to_owned();
    let rest: Vec<&str> = lines.collect();
    match verb {
        Verb::Write => {
            let added = |line: &&str| line.strip_prefix('+').map(|line| format!("{line}\n"));
            let content: Option<String> = rest.iter().map(added).collect();
            Some(Deed::Write { path, content: content? })
        }
        Verb::Update => replaced(path, &rest),
        _ => None,
    }
}

/// One hunk without a place of its own, as text for text.
fn replaced(path: String, lines: &[&str]) -> Option<Deed> {
    let [head, lines @ ..] = lines else { return None };
    if head.trim_end() != "@@" {
        return None;
    }
    let (mut old, mut new) = (String::new(), String::new());
    for line in lines {
        let (sign, text) = line.split_at_checked(1).unwrap_or((" ", ""));
        let sides = match sign {
            " " => [Some(&mut old), Some(&mut new)],
            "-" => [Some(&mut old), None],
            "+" => [None, Some(&mut new)],
            _ => return None,
        };
        for side in sides.into_iter().flatten() {
            side.push_str(text);
            side.push('\n');
        }
    }
    (!old.is_empty()).then_some(Deed::Replace { path, old, new, all: false })
}

/// Takes a patch apart: one change a file and hunk.
pub(super) fn changes(patch: &str) -> Vec<Change> {
    let mut changes: Vec<Change> = Vec::new();
    let mut in_hunk = false;
    for line in patch.lines() {
        if let Some((verb, path)) = file_line(line) {
            changes.push(change(path, verb));
            in_hunk = false;
            continue;
        }
        let Some(last) = changes.last_mut() else { continue };
        if let Some(to) = line.strip_prefix("*** Move to: ") {
            last.verb = Verb::Move(to.trim().to_owned());
        } else if line.starts_with("@@") {
            if in_hunk && !(last.removed.is_empty() && last.added.is_empty()) {
                let (path, verb) = (last.path.clone(), last.verb.clone());
                changes.push(change(&path, verb));
            }
            in_hunk = true;
        } else if !line.starts_with("*** ") {
            in_hunk = true;
            take(last, line);
        }
    }
    changes
}

fn change(path: &str, verb: Verb) -> Change {
    Change { path: path.trim().to_owned(), verb, removed: String::new(), added: String::new() }
}

fn file_line(line: &str) -> Option<(Verb, &str)> {
    let line = line.strip_prefix("*** ")?;
    let verbs = [
        ("Add File: ", Verb::Write),
        ("Update File: ", Verb::Update),
        ("Delete File: ", Verb::Delete),
    ];
    verbs.into_iter().find_map(|(lead, verb)| Some((verb, line.strip_prefix(lead)?)))
}

fn take(change: &mut Change, line: &str) {
    let sides = match line.as_bytes().first() {
        Some(b'-') => [Some(&mut change.removed), None],
        Some(b'+') => [None, Some(&mut change.added)],
        Some(b' ') if is_edge(line) => [Some(&mut change.removed), Some(&mut change.added)],
        _ => return,
    };
    for side in sides.into_iter().flatten() {
        side.push_str(&line[1..]);
        side.push('\n');
    }
}

/// Whether a line that stays says what the lines beside it are, as the first and last of a key do.
fn is_edge(line: &str) -> bool {
    line.contains("-----BEGIN ") || line.contains("-----END ")
}

/// Reads the changes that an event tells of: a path each.
pub(super) fn listed(changes: &Value) -> Vec<Change> {
    let Some(changes) = changes.as_object() else { return Vec::new() };
    changes.iter().map(|(path, what)| one(path, what)).collect()
}

fn one(path: &str, what: &Value) -> Change {
    let content = what["content"].as_str().unwrap_or_default().to_owned();
    let mut found = match what["type"].as_str() {
        Some("add") => Change { added: content, ..change(path, Verb::Write) },
        Some("delete") => Change { removed: content, ..change(path, Verb::Delete) },
        _ => change(path, Verb::Update),
    };
    if let Some(to) = what["move_path"].as_str() {
        found.verb = Verb::Move(to.to_owned());
    }
    for line in what["unified_diff"].as_str().unwrap_or_default().lines() {
        if !line.starts_with("+++ ") && !line.starts_with("--- ") {
            take(&mut found, line);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_in_quotes_is_taken_as_it_stands() {
        let folder = |line: &str| {
            let line = format!("{line} && apply_patch <<'EOF'\n");
            in_line(&line).and_then(|(folder, _)| folder.map(str::to_owned))
        };
        for (line, name) in [
            ("cd src", "src"),
            ("cd \"app/[id]\"", "app/[id]"),
            ("cd 'app/(group)'", "app/(group)"),
            ("cd 'a&b $c'", "a&b $c"),
            ("cd \"it's\"", "it's"),
        ] {
            assert_eq!(folder(line).as_deref(), Some(name), "{line}");
        }
        for line in
            ["cd app/[id]", "cd $HOME", "cd \"$HOME/a\"", "cd -", "cd ~/a", "cd 'a'b", "cd \"a"]
        {
            assert_eq!(folder(line), None, "{line}");
        }
    }

    #[test]
    fn a_patch_is_one_change_a_file_and_hunk() {
        let patch = "*** Begin Patch\n*** Add File: a\n+x\n*** Update File: b\n*** Move to: c\n@@ f\n-1\n+2\n \n@@\n-3\n*** Delete File: d\n*** End Patch";
        let got: Vec<_> = changes(patch)
            .into_iter()
            .map(|change| {
                format!("{} {:?} -{} +{}", change.path, change.verb, change.removed, change.added)
            })
            .collect();
        let want =
            ["a Write - +x\n", "b Move(\"c\") -1\n +2\n", "b Move(\"c\") -3\n +", "d Delete - +"];
        assert_eq!(got, want);
    }

    #[test]
    fn patches_hide_in_shell_commands() {
        let found = |json: &str| in_command(&serde_json::from_str(json).unwrap());
        let patch = "*** Begin Patch\n*** Delete File: a\n*** End Patch";
        let json = patch.replace('\n', "\\n");
        let argv = format!(r#"{{"command":["apply_patch","{json}\n"]}}"#);
        let line =
            format!(r#"{{"command":["bash","-lc","cd x && apply_patch <<'EOF'\n{json}\nEOF\n"]}}"#);
        assert_eq!(found(&argv).as_deref(), Some(patch));
        assert_eq!(found(&line).as_deref(), Some(patch));
        assert_eq!(found(r#"{"command":["bash","-lc","grep apply_patch"]}"#), None);
    }

    #[test]
    fn files_of_a_patch_are_named_from_where_its_command_runs() {
        let patch =
            "*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n-1\n+2\n*** End Patch";
        let named = |workdir: Value, before: &str| {
            let line = format!("{before}apply_patch <<'EOF'\n{patch}\nEOF\n");
            let found = changes_in_command(&serde_json::json!({"cmd": line, "workdir": workdir}));
            (found[0].path.clone(), found[0].verb.clone())
        };
        let moved = |from: &str, to: &str| (from.to_owned(), Verb::Move(to.to_owned()));
        assert_eq!(named(Value::Null, ""), moved("a", "b"));
        assert_eq!(named("/w/sub".into(), ""), moved("/w/sub/a", "/w/sub/b"));
        assert_eq!(named("/w".into(), "cd 'in x' && "), moved("/w/in x/a", "/w/in x/b"));
        assert_eq!(named(Value::Null, "cd src && "), moved("src/a", "src/b"));
        assert_eq!(named("/w".into(), "cd /v && "), moved("/v/a", "/v/b"));
        for unknown in ["cd $DIR && ", "cd sub || exit 1 && ", "cd -- sub && ", "cd pack* && "] {
            assert_eq!(named(Value::Null, unknown), moved("a", "b"), "{unknown}");
        }
        assert_eq!(named("/w/x".into(), "cd ../x && "), moved("/w/x/a", "/w/x/b"));
        assert_eq!(named(Value::Null, "cd ../x && "), moved("../x/a", "../x/b"));
    }

    #[test]
    fn only_a_patch_that_is_all_of_a_command_is_all_that_it_does() {
        let all = |command: Value| {
            let found = in_command(&serde_json::json!({ "command": command }));
            is_all(&command, &found.unwrap())
        };
        let patch = |line: &str| format!("{BEGIN}\n*** Add File: a\n+{line}\n{END}");
        let (plain, dollar) = (patch("b"), patch("$b"));
        let argv = |line: String| all(serde_json::json!(["bash", "-lc", line]));
        assert!(all(serde_json::json!(["apply_patch", plain])));
        assert!(argv(format!("apply_patch <<'EOF'\n{dollar}\nEOF\n")));
        assert!(argv(format!("apply_patch << EOF\n{plain}\nEOF")));
        assert!(argv(format!("apply_patch '{dollar}'")));
        assert!(argv(format!("apply_patch \"{plain}\"")));
        assert!(!argv(format!("apply_patch <<EOF\n{dollar}\nEOF")));
        assert!(!argv(format!("apply_patch \"{dollar}\"")));
        assert!(!argv(format!("apply_patch <<'EOF'\n{plain}\nEOF\nls")));
        assert!(!argv(format!("apply_patch <<'EOF' && ls\n{plain}\nEOF")));
        assert!(!argv(format!("cd x && apply_patch <<'EOF'\n{plain}\nEOF")));
    }
}
