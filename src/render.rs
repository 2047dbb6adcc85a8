//! A pack to text, through a template.

use std::io;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value};
use minijinja::{AutoEscape, Environment, ErrorKind, UndefinedBehavior, escape_formatter};

use crate::error::{Error, Result};
pub use crate::guard::marks::defused;
use crate::select::{Pack, shortened};

/// The template that is built in, for every target.
pub const BUILT_IN: Template<'static> =
    Template { name: "pack.md.j2", text: include_str!("../templates/pack.md.j2"), trusted: true };

/// What a pack is rendered through.
#[derive(Clone, Copy, Debug)]
pub struct Template<'t> {
    name: &'t str,
    /// The template itself.
    pub text: &'t str,
    /// Whether it makes every text of a session harmless by itself.
    trusted: bool,
}

impl<'t> Template<'t> {
    /// Takes a template of the user's; `name` is its file. Each value that it prints is made
    /// harmless, so that it cannot forget to.
    pub fn of_user(name: &'t str, text: &'t str) -> Self {
        Self { name, text, trusted: false }
    }
}

/// Renders `pack` with the built-in template.
pub fn render(pack: &Pack) -> Result<String> {
    Renderer::new(BUILT_IN)?.render(pack)
}

/// The longest template of a user's, in bytes. Its parts can be nested as deep as it is long.
const MOST_BYTES: usize = 64 * 1024;
/// What it may take of the stack, in bytes; 8 KiB for each part.
const STACK_BYTES: usize = MOST_BYTES * 8 * 1024;
/// How many steps it may take; the built-in one takes some thousands.
const MOST_STEPS: u64 = 20_000_000;
/// How much it may print, in bytes; no budget is larger.
const MOST_TEXT_BYTES: usize = 16 * 1024 * 1024;

/// A template that was taken apart once, for all the packs that it renders.
pub struct Renderer<'t> {
    template: Template<'t>,
    environment: Environment<'t>,
}

impl<'t> Renderer<'t> {
    /// Takes `template` apart; fails where it is none.
    pub fn new(template: Template<'t>) -> Result<Self> {
        let made = with_room(&template, || environment(&template));
        made.map(|environment| Self { template, environment })
    }

    /// Renders `pack`; a template of the user's may neither run nor write forever.
    pub fn render(&self, pack: &Pack) -> Result<String> {
        let failed = |error| failed(&error, &self.template);
        with_room(&self.template, || {
            let mut text = Short(Vec::new());
            let compiled = self.environment.get_template(self.template.name).map_err(failed)?;
            compiled.render_captured_to(Serde(pack), &mut text).map_err(failed)?;
            Ok(String::from_utf8_lossy(&text.0).into_owned())
        })
    }
}

/// Does a piece of work on `template` with as much of the stack as one of the user's can take.
fn with_room<T: Send>(
    template: &Template<'_>,
    work: impl FnOnce() -> Result<T> + Send,
) -> Result<T> {
    if template.trusted {
        return work();
    }
    let name = template.name;
    let failed = |why: &str| Error::Template { message: format!("{name}: {why}") };
    if template.text.len() > MOST_BYTES {
        return Err(failed(&format!("is longer than {} KiB", MOST_BYTES / 1024)));
    }
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
        let thread = thread.spawn_scoped(scope, work);
        let thread = thread.map_err(|cause| failed(&format!("no room to render it: {cause}")))?;
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// How much of its line an error shows, in characters.
const ROW_CHARS: usize = 200;

/// Text up to a length.
struct Short(Vec<u8>);

impl io::Write for Short {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > MOST_TEXT_BYTES {
            return Err(io::Error::other("it prints too much"));
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Makes what a template is rendered with: its parts, and the filters that it can use.
fn environment<'t>(template: &Template<'t>) -> Result<Environment<'t>> {
    let failed = |error| failed(&error, template);
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::SemiStrict);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
    environment.set_syntax(syntax.map_err(failed)?);
    environment.add_filter("safe_text", |text: String| defused(&text));
    environment.add_filter("attribute", |text: String| attribute(&text));
    environment.add_filter("quoted", |text: String| marked(&text, "> "));
    environment.add_filter("indented", |text: String, by: usize| marked(&text, &" ".repeat(by)));
    environment.add_filter("one_line", |text: String| one_line(&text));
    environment.add_filter("truncate_words", |text: String, most: usize| first_words(&text, most));
    environment.add_filter("short_id", |id: String| id.chars().take(13).collect::<String>());
    environment.add_filter("minute", |text: String| minute(&text));
    environment.add_filter("by_folder", |paths: Vec<String>| by_folder(&paths));
    environment.add_filter("not_said", |works: Vec<Value>, said: Option<String>| {
        not_said(works, said.as_deref().unwrap_or_default())
    });
    environment.add_filter("lists", |works: Vec<Value>, text: String| lists(&works, &text));
    environment.add_filter("from_root", |paths: Value, root: Option<String>| {
        from_root(&paths, root.as_deref())
    });
    environment.add_filter(
        "with_edits",
        |files: Vec<Value>, root: Option<String>, told: Option<String>| {
            with_edits(&files, root.as_deref(), told.as_deref())
        },
    );
    environment.add_filter("since", |mark: Option<String>| since(mark.as_deref()));
    environment.add_filter("code", |text: String| code(&text));
    if !template.trusted {
        environment.set_fuel(Some(MOST_STEPS));
        environment.set_formatter(|out, state, value| {
            escape_formatter(out, state, &Value::from(defused(&value.to_string())))
        });
    }
    environment.add_template(template.name, template.text).map_err(failed)?;
    Ok(environment)
}

/// Takes out the pieces of open work that rest on the agent's last words and stand in them as they are
/// told.
fn not_said(works: Vec<Value>, said: &str) -> Vec<Value> {
    let field = |work: &Value, name: &str| work.get_attr(name).unwrap_or_default().to_string();
    // Marks of a list or of print are no words.
    let plain = |text: &str| one_line(&text.replace("**", ""));
    let said = plain(said);
    let is_said = |work: &Value| {
        let text = plain(field(work, "text").trim_end_matches('…'));
        field(work, "source") == "agent_said" && said.contains(text.trim())
    };
    works.into_iter().filter(|work| !is_said(work)).collect()
}

/// Whether one of the pieces of work is what `text` says, or its beginning where it is cut off.
fn lists(works: &[Value], text: &str) -> bool {
    let is_it = |work: &Value| {
        let told = one_line(&work.get_attr("text").unwrap_or_default().to_string());
        match told.trim().strip_suffix('…').map(str::trim) {
            Some(begun) => !begun.is_empty() && one_line(text).starts_with(begun),
            None => !told.trim().is_empty() && one_line(text).trim() == told.trim(),
        }
    };
    works.iter().any(is_it)
}

/// Returns what the engine says as an error, with the line of the template.
fn failed(error: &minijinja::Error, template: &Template<'_>) -> Error {
    Error::Template { message: message(error, template) }
}

fn message(error: &minijinja::Error, template: &Template<'_>) -> String {
    let place = match (error.name(), error.line()) {
        (Some(name), Some(line)) => format!("{name}:{line}: "),
        _ => format!("{}: ", template.name),
    };
    let detail = error.detail().map(|detail| format!(": {detail}")).unwrap_or_default();
    let kind: ErrorKind = error.kind();
    let row = error.line().and_then(|line| template.text.lines().nth(line.checked_sub(1)?));
    let row = row.map(|row| row.trim().chars().take(ROW_CHARS).collect::<String>());
    let row = row.map(|row| format!("\n  {row}")).unwrap_or_default();
    if kind == ErrorKind::WriteFailure {
        return format!("{place}it prints more than {} MB", MOST_TEXT_BYTES / (1024 * 1024));
    }
    format!("{place}{kind}{detail}{row}")
}

/// Makes a text stay inside the quotes of an attribute.
fn attribute(text: &str) -> String {
    one_line(&defused(text)).replace('"', "'").replace('<', "‹").replace('>', "›")
}

/// Puts a mark before each line.
fn marked(text: &str, mark: &str) -> String {
    let lines: Vec<String> =
        text.lines().map(|line| format!("{mark}{line}").trim_end().to_owned()).collect();
    lines.join("\n")
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn first_words(text: &str, most: usize) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let more = if words.len() > most { "…" } else { "" };
    let cut: String = words[..words.len().min(most)].join(" ").chars().take(200).collect();
    format!("{cut}{more}")
}

/// Writes a time stamp without its seconds: `2026-11-21 20:27 UTC`.
fn minute(stamp: &str) -> String {
    let is_stamp = stamp.is_ascii() && stamp.ends_with('Z') && stamp.get(10..11) == Some("T");
    match stamp.get(..16).filter(|_| is_stamp) {
        Some(start) => format!("{} UTC", start.replace('T', " ")),
        None => one_line(stamp),
    }
}

/// Lists paths, those of one folder in braces where the first of them stands, with a mark that all
/// of these have behind them.
fn by_folder(paths: &[String]) -> String {
    let split = |path: &String| match path.rsplit_once('/') {
        Some((folder, name)) if !folder.is_empty() => (folder.to_owned(), name.to_owned()),
        _ => (String::new(), path.clone()),
    };
    let mut folders: Vec<(String, Vec<String>)> = Vec::new();
    for (folder, name) in paths.iter().map(split) {
        match folders.iter_mut().find(|(known, _)| *known == folder && !folder.is_empty()) {
            Some((_, names)) => names.push(name),
            None => folders.push((folder, vec![name])),
        }
    }
    let listed = folders.into_iter().map(|(folder, names)| match names.as_slice() {
        [name] if folder.is_empty() => name.clone(),
        [name] => format!("{folder}/{name}"),
        names => {
            let mark = MARKS.into_iter().find(|mark| names.iter().all(|name| name.ends_with(mark)));
            let mark = mark.unwrap_or_default();
            let bare = names.iter().map(|name| name.strip_suffix(mark).unwrap_or(name));
            format!("{folder}/{{{}}}{mark}", bare.collect::<Vec<_>>().join(", "))
        }
    });
    listed.collect::<Vec<_>>().join("; ")
}

/// Returns the paths of files, each with how often it was changed if that was more than once, and with what became
/// of it since, unless that is `told` of all.
fn with_edits(
    files: &[Value],
    root: Option<&str>,
    told: Option<&str>,
) -> Result<Vec<String>, minijinja::Error> {
    let listed = |file: &Value| {
        let (path, edits) = (file.get_attr("path")?.to_string(), file.get_attr("edits")?);
        let path = shortened(&path, root);
        let mark = file.get_attr("mark")?;
        let mark = since(mark.as_str().filter(|mark| told != Some(mark)));
        Ok(match edits.as_i64() {
            Some(edits @ 2..) => format!("{path} {edits}×{mark}"),
            _ => format!("{path}{mark}"),
        })
    };
    files.iter().map(listed).collect()
}

/// What is said behind the path of a file that is gone, was not there, or was changed.
const MARKS: [&str; 3] = [" (gone)", " (not there)", " (changed since)"];

/// Says behind the path of a file what became of it since the session.
fn since(mark: Option<&str>) -> &'static str {
    let [gone, not_there, changed] = MARKS;
    match mark {
        None => "",
        Some("gone") => gone,
        Some("not_there") => not_there,
        Some(_) => changed,
    }
}

/// Puts the short form of a folder into a path, or into each of a list.
fn from_root(paths: &Value, root: Option<&str>) -> Value {
    let one = |path: &Value| shortened(&path.to_string(), root).into_owned();
    match paths.try_iter() {
        Ok(all) if paths.as_str().is_none() => all.map(|path| one(&path)).collect(),
        _ => one(paths).into(),
    }
}

/// Wraps a text in backticks, more of them than it has in a row.
fn code(text: &str) -> String {
    let (mut longest, mut run) = (0, 0);
    for c in text.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat(longest + 1);
    let pad = if longest > 0 { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attribute_stays_between_its_quotes() {
        assert_eq!(attribute("a\" b=\"<c>"), "a' b='‹c›");
        assert_eq!(attribute("a\u{1b}[31m\n\u{202e}b"), "a b");
    }

    #[test]
    fn times_and_paths_are_told_in_few_words() {
        assert_eq!(minute("2026-11-21T20:27:26.050Z"), "2026-11-21 20:27 UTC");
        assert_eq!(minute("yesterday\n"), "yesterday");
        let paths = ["src/a.rs", "README.md", "src/b.rs", "/x"].map(str::to_owned);
        assert_eq!(by_folder(&paths), "src/{a.rs, b.rs}; README.md; /x");
    }

    #[test]
    fn code_is_fenced_by_more_than_it_holds() {
        assert_eq!(code("ls"), "`ls`");
        assert_eq!(code("echo `date`"), "`` echo `date` ``");
    }
}
