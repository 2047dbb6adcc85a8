//! Calls of the harness's own tools, as what they do and back.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::model::{Deed, NativeCall, PlanStatus};

/// What a replacement is for: the harness's tool has to be told.
const INSTRUCTION: &str = "Replace old_string by new_string.";

/// The longest name of a tool that every version of the provider accepts.
const NAME_CHARS: usize = 64;

/// Returns a name of a tool that the provider accepts: a letter or `_` first.
pub(super) fn legal(name: &str) -> Cow<'_, str> {
    let is_start = |sign: char| sign.is_ascii_alphabetic() || sign == '_';
    let fine = |sign: char| sign.is_ascii_alphanumeric() || "_-.:".contains(sign);
    if name.len() <= NAME_CHARS && name.starts_with(is_start) && name.chars().all(fine) {
        return Cow::Borrowed(name);
    }
    let rest = name.chars().map(|sign| if fine(sign) { sign } else { '_' });
    let first = if name.starts_with(is_start) { "" } else { "_" };
    Cow::Owned(first.chars().chain(rest).take(NAME_CHARS).collect())
}

/// Returns the harness's call that does `deed`.
pub(super) fn call(deed: &Deed) -> Option<NativeCall> {
    let mut args = Args::default();
    let name = match deed {
        Deed::Shell { command, cwd, timeout_ms, description } => {
            args.put("command", command);
            args.put_some("description", described(description.as_deref(), *timeout_ms)?.as_ref());
            args.put_some("dir_path", cwd.as_ref());
            "run_shell_command"
        }
        Deed::Read { path, first, count } => {
            args.put("file_path", path);
            args.put_number("start_line", *first);
            args.put_number("end_line", end(*first, *count)?);
            "read_file"
        }
        Deed::Write { path, content } => {
            args.put("file_path", path);
            args.put("content", content);
            "write_file"
        }
        Deed::Replace { path, old, new, all } => {
            args.put("file_path", path);
            args.put("instruction", INSTRUCTION);
            args.put("old_string", old);
            args.put("new_string", new);
            args.put_flag("allow_multiple", *all);
            "replace"
        }
        Deed::Grep { pattern, path, glob } => {
            args.put("pattern", pattern);
            args.put_some("dir_path", path.as_ref());
            args.put_some("include_pattern", glob.as_ref());
            "grep_search"
        }
        Deed::Glob { pattern, path } => {
            args.put("pattern", pattern);
            args.put_some("dir_path", path.as_ref());
            "glob"
        }
        Deed::Todos { items } => {
            args.0.insert("todos".to_owned(), items.iter().map(todo).collect());
            "write_todos"
        }
    };
    Some((name, args.0))
}

/// Returns the last line of a range, if it has one. Neither line 0 nor a range without any line can be
/// asked for.
fn end(first: Option<u64>, count: Option<u64>) -> Option<Option<u64>> {
    let start = first.unwrap_or(1);
    let end = match count {
        Some(count) => Some(start.checked_add(count)?.checked_sub(1)?),
        None => None,
    };
    (start > 0 && end.is_none_or(|end| end >= start)).then_some(end)
}

/// Arguments as they are put together.
#[derive(Default)]
struct Args(Map<String, Value>);

impl Args {
    fn put(&mut self, key: &str, text: &str) {
        self.0.insert(key.to_owned(), text.into());
    }

    fn put_some(&mut self, key: &str, text: Option<&String>) {
        if let Some(text) = text {
            self.put(key, text);
        }
    }

    fn put_number(&mut self, key: &str, number: Option<u64>) {
        if let Some(number) = number {
            self.0.insert(key.to_owned(), number.into());
        }
    }

    fn put_flag(&mut self, key: &str, flag: bool) {
        if flag {
            self.0.insert(key.to_owned(), true.into());
        }
    }
}

/// What stands around a time limit in a description.
const LIMIT: (&str, &str) = ("(at most ", " ms)");

/// Returns the description of a command; the tool has no other place for a time limit.
///
/// Nothing where it could not be told from a limit when it is read again.
fn described(description: Option<&str>, timeout_ms: Option<u64>) -> Option<Option<String>> {
    if description.is_some_and(|words| limit(words).1.is_some()) {
        return None;
    }
    let limit = timeout_ms.map(|limit| format!("{}{limit}{}", LIMIT.0, LIMIT.1));
    Some(match (description, limit) {
        (Some(words), Some(limit)) => Some(format!("{words} {limit}")),
        (words, limit) => limit.or_else(|| words.map(str::to_owned)),
    })
}

/// Takes the time limit out of a description.
fn limit(description: &str) -> (Option<&str>, Option<u64>) {
    let cut = || {
        let (words, number) = description.strip_suffix(LIMIT.1)?.rsplit_once(LIMIT.0)?;
        let words = if words.is_empty() { None } else { Some(words.strip_suffix(' ')?) };
        let is_plain = number.bytes().all(|byte| byte.is_ascii_digit()) && !number.starts_with('0');
        Some((words, number.parse().ok().filter(|_| is_plain)?))
    };
    match cut() {
        Some((words, number)) => (words, Some(number)),
        None => (Some(description), None),
    }
}

fn todo((text, status): &(String, PlanStatus)) -> Value {
    serde_json::json!({ "description": text, "status": status.word() })
}

/// Says exactly what a call does; nothing where it asks for more than other harnesses can be told.
pub(in crate::harness::gemini) fn deed(name: &str, arguments: &Value) -> Option<Deed> {
    let mut asked = Asked(arguments.as_object()?.clone());
    let deed = match name {
        "run_shell_command" => asked.shell()?,
        "read_file" => asked.read()?,
        "write_file" => Deed::Write { path: asked.path()?, content: asked.text("content")? },
        "replace" => asked.replace()?,
        "grep_search" | "search_file_content" => Deed::Grep {
            pattern: asked.text("pattern")?,
            path: asked.folder()?,
            glob: asked.one_of(["include_pattern", "include"])?,
        },
        "glob" => Deed::Glob { pattern: asked.text("pattern")?, path: asked.folder()? },
        "write_todos" => asked.todos()?,
        _ => return None,
    };
    asked.0.is_empty().then_some(deed)
}

/// Tells whether a call asks for more than its deed says: words to the model that mends a replacement.
pub(in crate::harness::gemini) fn asks_more(name: &str, arguments: &Value) -> bool {
    let words = arguments["instruction"].as_str().unwrap_or_default().trim();
    name == "replace" && !words.is_empty() && words != INSTRUCTION
}

/// Arguments that have not been looked at yet.
struct Asked(Map<String, Value>);

impl Asked {
    fn text(&mut self, key: &str) -> Option<String> {
        match self.0.shift_remove(key)? {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// Takes a text that may be missing; fails on anything else, and on both keys at once.
    fn one_of<const N: usize>(&mut self, keys: [&str; N]) -> Option<Option<String>> {
        let mut found = None;
        for key in keys {
            match self.0.shift_remove(key) {
                None | Some(Value::Null) => {}
                Some(Value::String(text)) if found.is_none() => found = Some(text),
                Some(_) => return None,
            }
        }
        Some(found)
    }

    fn path(&mut self) -> Option<String> {
        self.one_of(["file_path", "absolute_path", "path"])?
    }

    fn folder(&mut self) -> Option<Option<String>> {
        self.one_of(["dir_path", "path"])
    }

    /// Takes a number that may be missing; fails on anything else.
    fn number(&mut self, key: &str) -> Option<Option<u64>> {
        match self.0.shift_remove(key) {
            None | Some(Value::Null) => Some(None),
            Some(number) => number.as_u64().map(Some),
        }
    }

    /// Takes a flag that may be missing; fails on anything else.
    fn flag(&mut self, key: &str) -> Option<bool> {
        match self.0.shift_remove(key) {
            None | Some(Value::Null) => Some(false),
            Some(flag) => flag.as_bool(),
        }
    }

    fn shell(&mut self) -> Option<Deed> {
        let command = self.text("command")?;
        let cwd = self.one_of(["dir_path", "directory"])?;
        let said = self.one_of(["description"])?;
        let (description, timeout_ms) = said.as_deref().map_or((None, None), limit);
        let description = description.map(str::to_owned);
        let is_background = self.flag("is_background")?;
        (!is_background).then_some(Deed::Shell { command, cwd, timeout_ms, description })
    }

    /// Versions before line numbers counted lines from 0 and said how many.
    fn read(&mut self) -> Option<Deed> {
        let path = self.path()?;
        let (start, end) = (self.number("start_line")?, self.number("end_line")?);
        let (before, limit) = (self.number("offset")?, self.number("limit")?);
        let (first, count) = match (start, end, before, limit) {
            (first, None, None, None) => (first, None),
            (first, Some(last), None, None) => {
                let before = first.unwrap_or(1).checked_sub(1)?;
                (first, Some(last.checked_sub(before)?))
            }
            (None, None, before, count) => {
                let first = before.map(|before| before.checked_add(1));
                (if let Some(first) = first { Some(first?) } else { None }, count)
            }
            _ => return None,
        };
        Some(Deed::Read { path, first, count })
    }

    fn replace(&mut self) -> Option<Deed> {
        let path = self.path()?;
        let (old, new) = (self.text("old_string")?, self.text("new_string")?);
        // Words to the model that mends a replacement that does not fit.
        self.0.shift_remove("instruction");
        let expected = self.number("expected_replacements")?;
        let all = self.flag("allow_multiple")? || expected.is_some_and(|count| count > 1);
        Some(Deed::Replace { path, old, new, all })
    }

    fn todos(&mut self) -> Option<Deed> {
        let Some(Value::Array(listed)) = self.0.shift_remove("todos") else { return None };
        let item = |todo: &Value| {
            let status = PlanStatus::from_word(todo["status"].as_str()?);
            let is_known = Some(status.word()) == todo["status"].as_str();
            let only = todo.as_object()?.len() == 2;
            Some((todo["description"].as_str()?.to_owned(), status)).filter(|_| is_known && only)
        };
        Some(Deed::Todos { items: listed.iter().map(item).collect::<Option<_>>()? })
    }
}
