//! Commands that matter: what builds, tests, runs and publishes, not what only looks.

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use super::here::without_here_documents;
use super::timeline::Timeline;
use super::{ids, text};

/// A command that the session ran.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Command {
    /// `F-` and eight hexadecimal digits.
    pub id: String,
    /// The command as it was run last, without what stood before and after it on the line.
    pub command: String,
    /// How often it was run, in any form that begins the same.
    pub runs: usize,
    /// Whether the last run worked; nothing if that is not known.
    pub worked: Option<bool>,
    /// The turn of the last run.
    pub turn: u32,
    /// The items that it rests on: the last run.
    pub evidence: Vec<String>,
    /// How likely it is needed again; larger is likelier.
    #[serde(skip)]
    pub weight: f64,
}

/// Programs that only look, or only make room.
const LOOKING: &[&str] = &[
    "[", "awk", "basename", "break", "case", "cat", "cd", "chmod", "clear", "comm", "command",
    "continue", "cp", "cut", "declare", "date", "diff", "dirname", "do", "done", "echo", "else",
    "esac", "exit", "export", "false", "fi", "file", "find", "for", "grep", "head", "if", "jq",
    "less", "local", "ls", "mkdir", "mktemp", "more", "mv", "nl", "popd", "printf", "ps", "pushd",
    "pwd", "read", "readlink", "realpath", "return", "rg", "rm", "sed", "set", "sleep", "sort",
    "source", "stat", "tail", "tee", "test", "then", "touch", "tr", "tree", "trap", "true", "type",
    "uniq", "unset", "wait", "wc", "which", "while", "xargs",
];

/// Subcommands of git that only look.
const GIT_LOOKING: &[&str] =
    &["status", "diff", "log", "show", "branch", "rev-parse", "blame", "ls-files"];

/// How much less a run counts for each call after it.
const FADE: f64 = 0.985;

/// How many characters of a command are kept.
const TOLD_CHARS: usize = 110;
/// How many of one that runs what lies far away.
const PATH_CHARS: usize = 180;

/// Finds the commands that matter, the likeliest to be needed again first.
pub(super) fn commands(timeline: &Timeline<'_>) -> Vec<Command> {
    let calls: Vec<_> = timeline.done().collect();
    let last = calls.len();
    let mut found: HashMap<String, Command> = HashMap::new();
    for done in &calls {
        let Some(line) = done.command().filter(|_| !done.refused()) else { continue };
        let parts = parts(line);
        let alone = parts.len() == 1;
        for part in parts {
            let fresh = FADE.powi(i32::try_from(last - done.index).unwrap_or(i32::MAX));
            let entry = found.entry(key(&part)).or_insert_with(|| Command {
                id: ids::id('F', &key(&part)),
                command: String::new(),
                runs: 0,
                worked: None,
                turn: 0,
                evidence: Vec::new(),
                weight: 0.0,
            });
            entry.runs += 1;
            entry.weight += fresh;
            entry.turn = done.item.turn;
            entry.worked = match (done.failed(), done.worked()) {
                (true, _) if alone => Some(false),
                (false, true) => Some(true),
                _ => None,
            };
            entry.evidence = vec![done.item.id.to_string()];
            entry.command = told(&part, TOLD_CHARS, text::line);
        }
    }
    let mut list: Vec<_> = found.into_values().collect();
    list.sort_by(|a, b| b.weight.total_cmp(&a.weight).then_with(|| a.id.cmp(&b.id)));
    list
}

/// Puts the first words of a command on one line of at most `most` characters; a path among the very
/// first is told whole, since it says nothing if it is cut.
pub fn command_start(command: &str, most: usize) -> String {
    told(command, most, text::start)
}

fn told(command: &str, most: usize, cut: fn(&str, usize) -> String) -> String {
    let until = runs_until(command);
    let line = text::line(command, usize::MAX);
    match line.chars().count() > until && until >= most {
        true => format!("{} …", line.chars().take(until).collect::<String>()),
        false => cut(command, most.max(until)),
    }
}

/// Returns after how many characters it is told what a command runs, if that is a path; 0 if it is
/// none, or too long to tell.
fn runs_until(command: &str) -> usize {
    let (mut at, mut until) = (0, 0);
    for (place, word) in command.split_whitespace().take(3).enumerate() {
        at += word.chars().count() + usize::from(place > 0);
        until = if word.contains('/') && at <= PATH_CHARS { at } else { until };
    }
    until
}

/// Returns what a command is known by: its first words.
pub(super) fn key(part: &str) -> String {
    part.split_whitespace().take(3).collect::<Vec<_>>().join(" ")
}

/// Returns a command line without going to the folder where the session is anyway.
pub(super) fn at_home<'l>(line: &'l str, cwd: &str) -> &'l str {
    match goes_to(line) {
        Some((folder, rest)) if !cwd.is_empty() && one_form(folder) == one_form(cwd) => {
            rest.trim_start()
        }
        _ => line,
    }
}

/// Returns the folder to which a command line goes before all else, and what it does there.
fn goes_to(line: &str) -> Option<(&str, &str)> {
    let rest = line.trim_start().strip_prefix("cd ")?;
    let joint = |mark: &str| rest.find(mark).map(|at| (&rest[..at], &rest[at + mark.len()..]));
    ["&&", ";", "\n"].into_iter().filter_map(joint).min_by_key(|(folder, _)| folder.len())
}

/// How many characters of the folder to which a command line goes are told.
const FOLDER_CHARS: usize = 24;

/// Writes a command line for reading: of a long way to another folder only the last part is told,
/// below the session's folder the way from there.
pub(super) fn in_short(line: &str, cwd: &str) -> String {
    let Some((folder, rest)) = goes_to(line) else { return line.to_owned() };
    let (to, home) = (one_form(folder), one_form(cwd));
    let below = to.strip_prefix(&home).and_then(|rest| rest.strip_prefix('/'));
    let to = below.filter(|_| !home.is_empty()).unwrap_or(&to);
    let last = to.rsplit('/').next().unwrap_or(to);
    match to.chars().count() > FOLDER_CHARS && last.len() < to.len() {
        true => format!("cd …/{last} && {}", rest.trim_start()),
        false => format!("cd {to} && {}", rest.trim_start()),
    }
}

/// Writes a command of several lines on one, so that it still says the same: lines are joined by
/// semicolons where nothing else joins them, and what a here document holds is left out.
pub(super) fn on_one_line(line: &str) -> String {
    if !line.contains('\n') {
        return line.to_owned();
    }
    let mut told = String::new();
    for row in without_here_documents(line).lines().map(str::trim).filter(|row| !row.is_empty()) {
        let quoted = is_quoted(&told);
        if row.starts_with('#') && !quoted {
            continue;
        }
        let joins = told.ends_with(['|', '&', ';', '(', '{', '\\'])
            || ["do", "then", "else"].iter().any(|word| told.ends_with(&format!(" {word}")));
        told = told.trim_end_matches('\\').trim_end().to_owned();
        told.push_str(if told.is_empty() || quoted || joins { " " } else { "; " });
        told.push_str(row);
    }
    told.trim_start().to_owned()
}

/// Whether a quote is open at the end of a command.
fn is_quoted(command: &str) -> bool {
    let mut quotes = Quotes::default();
    quotes.take(command);
    quotes.open.is_some()
}

/// Which quote is open in a text that comes piece by piece.
#[derive(Default)]
pub(super) struct Quotes {
    pub(super) open: Option<char>,
    escaped: bool,
}

impl Quotes {
    pub(super) fn take(&mut self, text: &str) {
        for c in text.chars() {
            match (self.open, c) {
                _ if self.escaped => self.escaped = false,
                (Some('"') | None, '\\') => self.escaped = true,
                (None, '\'' | '"') => self.open = Some(c),
                (Some(open), _) if open == c => self.open = None,
                _ => {}
            }
        }
    }
}

/// Returns the folder outside of `cwd` in which a command line runs, if it names one.
pub(super) fn elsewhere(line: &str, cwd: &str) -> Option<String> {
    let folder = one_form(goes_to(line)?.0);
    let is_absolute = folder.starts_with(['/', '~']) || folder.contains(":/");
    let home = one_form(cwd);
    let below = folder.strip_prefix(&home).is_some_and(|rest| rest.starts_with('/'));
    let is_inside = home.is_empty() || folder == home || below;
    (is_absolute && !is_inside).then_some(folder)
}

/// Writes a folder one way: `"/c/p"`, `C:\\p` and `C:/p/` are the same.
fn one_form(folder: &str) -> String {
    let folder = folder.trim().trim_matches(['"', '\'']).replace('\\', "/");
    let folder = folder.trim_end_matches('/');
    let mut chars = folder.chars();
    match (chars.next(), chars.next(), chars.next()) {
        (Some('/'), Some(drive), Some('/')) if drive.is_ascii_alphabetic() => {
            format!("{}:{}", drive.to_ascii_uppercase(), &folder[2..])
        }
        _ => folder.to_owned(),
    }
}

/// Takes a command line apart into the commands that matter.
pub(super) fn parts(line: &str) -> Vec<String> {
    let mut seen = HashSet::new();
    let parts = split(&without_here_documents(line)).into_iter().map(|(part, _)| bare(&part));
    parts.filter(|part| matters(part) && seen.insert(part.clone())).collect()
}

/// Takes a command line apart into all its commands, each with what joins it to the next: `&&`,
/// `||`, `|`, `;`, `&`, or nothing after the last.
///
/// Of a command that does not matter only that it stands there is told: its text is empty.
pub(super) fn joined(line: &str) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    for (part, joint) in split(&without_here_documents(line)) {
        let joint = joint.map(|c| if c == '\n' { ';' } else { c });
        match all.last_mut() {
            // Of a joint of two characters the second stands after nothing.
            Some((_, before)) if part.trim().is_empty() => before.extend(joint),
            _ => all.push((part, joint.into_iter().collect())),
        }
    }
    // A line that ends with its last command joins that to nothing.
    if line.trim_end().ends_with(|c| c != ';' && c != '&')
        && let Some((_, joint)) = all.last_mut()
    {
        joint.clear();
    }
    let told = |part: &str| Some(bare(part)).filter(|part| matters(part)).unwrap_or_default();
    all.into_iter().map(|(part, joint)| (told(&part), joint)).collect()
}

/// Splits at what joins commands, outside of quotes; each with the character at which it ends.
fn split(line: &str) -> Vec<(String, Option<char>)> {
    let (mut parts, mut part) = (Vec::new(), String::new());
    let (mut quote, mut escaped) = (None, false);
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        let joint = quote.is_none() && !escaped && matches!(c, ';' | '|' | '\n' | '&');
        // `2>&1` and `&>` redirect, they do not join.
        let redirects = c == '&' && (part.ends_with('>') || chars.peek() == Some(&'>'));
        match c {
            _ if joint && !redirects => parts.push((std::mem::take(&mut part), Some(c))),
            '\'' | '"' if !escaped && quote.is_none() => quote = Some(c),
            c if quote == Some(c) && !escaped => quote = None,
            _ => {}
        }
        if !joint || redirects {
            part.push(c);
        }
        escaped = c == '\\' && !escaped && quote != Some('\'');
    }
    parts.push((part, None));
    parts
}

/// Returns a command without variables, wrappers and redirections around it.
fn bare(part: &str) -> String {
    let mut words: Vec<&str> = Vec::new();
    let (mut target, mut only_assignments, mut around) = (false, true, "");
    let mut quotes = Quotes::default();
    for word in part.split_whitespace().filter(|word| *word != "\\") {
        if word.starts_with('#') && quotes.open.is_none() {
            break;
        }
        let redirects = is_redirection(word);
        if !redirects && !target && !word.starts_with("<<") {
            let captured = captured(word).filter(|_| only_assignments);
            around = captured.map_or(around, |(_, around)| around);
            let word = captured.map_or(word, |(word, _)| word);
            only_assignments &= is_assignment(word);
            quotes.take(word);
            quotes.take(" ");
            words.push(word);
        }
        target = redirects && word.ends_with(['>', '<']) && !word.starts_with("<<");
    }
    let mut words = &words[..];
    loop {
        words = match words {
            [
                "sudo" | "time" | "env" | "nohup" | "exec" | "command" | "!" | "(" | "{",
                rest @ ..,
            ] if !rest.first().is_some_and(|word| word.starts_with('-')) => rest,
            ["timeout", _, rest @ ..] if !rest.is_empty() => rest,
            [word, rest @ ..] if is_assignment(word) => rest,
            _ => break,
        };
    }
    let told = words.join(" ");
    let told = around.chars().fold(told.as_str(), |told, c| told.strip_suffix(c).unwrap_or(told));
    told.trim_matches(['(', ')', '{', '}', ' ']).to_owned()
}

fn is_assignment(word: &str) -> bool {
    let name = word.split('=').next().unwrap_or_default();
    let named = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    word.contains('=') && !name.is_empty() && named
}

/// Returns the first word of a command whose output a variable keeps, and the quotes that stand
/// behind its last one: `x=$(make` runs `make`. What is closed in the same word is but a value.
fn captured(word: &str) -> Option<(&str, &'static str)> {
    let (_, value) = word.split_once('=').filter(|_| is_assignment(word))?;
    let (value, is_quoted) = value.strip_prefix('"').map_or((value, false), |value| (value, true));
    let (first, around) = match value.strip_prefix("$(") {
        Some(first) => (first, if is_quoted { "\"" } else { "" }),
        None => (value.strip_prefix('`')?, if is_quoted { "\"`" } else { "`" }),
    };
    let is_closed = first.contains(')') || first.contains('`');
    (!first.is_empty() && !is_closed).then_some((first, around))
}

fn is_redirection(word: &str) -> bool {
    let word = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '&');
    word.starts_with('>') || word == "<" || word.ends_with(">/dev/null")
}

fn matters(part: &str) -> bool {
    let mut words = part.split_whitespace();
    let (Some(program), Some(next)) = (words.next(), words.next()) else { return false };
    let is_program = !program.starts_with('-')
        && (program.len() <= 60 || program.contains('/'))
        && program
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '/' | '-' | '~' | '+'));
    let looks = LOOKING.contains(&program) || (program == "git" && GIT_LOOKING.contains(&next));
    is_program && !looks && !is_inline(program, next)
}

/// Whether a program is given its text on the command line: nobody runs that again.
fn is_inline(program: &str, next: &str) -> bool {
    let name = program.rsplit('/').next().unwrap_or(program);
    let interprets = ["python", "node", "perl", "ruby", "bash", "sh", "zsh", "deno", "bun", "php"];
    matches!(next, "-c" | "-e" | "-" | "-p" | "--eval")
        && interprets
            .iter()
            .any(|one| name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.') == *one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn going_home_is_not_told() {
        assert_eq!(at_home("cd /home/ada/p && make", "/home/ada/p"), "make");
        assert_eq!(at_home("cd \"C:/p\"; make", "C:\\p"), "make");
        assert_eq!(at_home("cd /c/p && make", "C:\\p"), "make");
        assert_eq!(at_home("cd /tmp && make", "/home/ada/p"), "cd /tmp && make");
    }

    #[test]
    fn a_long_way_to_a_folder_is_told_by_its_end() {
        let told = |line: &str| in_short(line, "/home/ada/p");
        assert_eq!(told("cd /home/ada/p/web && make"), "cd web && make");
        assert_eq!(told("cd /tmp/try; make"), "cd /tmp/try && make");
        let far = "cd /home/ada/worktrees/of-another/branch\nmake all";
        assert_eq!(told(far), "cd …/branch && make all");
        assert_eq!(told("make all"), "make all");
    }

    #[test]
    fn several_lines_are_told_on_one() {
        assert_eq!(
            on_one_line("# try it\nmake \\\n  all\nmake test &&\nls"),
            "make all; make test && ls"
        );
        let commit = "git add a && git commit -F - <<'EOF'\nfeat: words\n\nmore\nEOF\ngit push";
        assert_eq!(on_one_line(commit), "git add a && git commit -F - <<'EOF'; git push");
        assert_eq!(on_one_line("git commit -m \"a\n\n# b\""), "git commit -m \"a # b\"");
        assert_eq!(on_one_line("for f in *; do\ncat $f\ndone"), "for f in *; do cat $f; done");
    }

    #[test]
    fn a_folder_outside_of_the_session_s_is_told() {
        let out = |line: &str| elsewhere(line, "/home/ada/p");
        assert_eq!(out("cd /tmp/try && make"), Some("/tmp/try".to_owned()));
        assert_eq!(out("cd /home/ada/p2; make"), Some("/home/ada/p2".to_owned()));
        let at_home = ["cd /home/ada/p && make", "cd /home/ada/p/sub && make", "cd sub && make"];
        assert_eq!(at_home.map(out), [None, None, None]);
        assert_eq!(out("make"), None);
    }

    #[test]
    fn lines_are_taken_apart_into_what_matters() {
        let line =
            "cd /home/ada/p && RUST_LOG=debug cargo test -p core 2>&1 | tail -20; git status";
        assert_eq!(parts(line), ["cargo test -p core"]);
        assert_eq!(
            parts("git commit -m 'a; b && c' && git push origin main"),
            ["git commit -m 'a; b && c'", "git push origin main"]
        );
        let here = "python3 - <<'EOF'\nimport os; os.system('cargo build')\nEOF\nnpm run lint";
        assert_eq!(parts(here), ["npm run lint"]);
        assert_eq!(parts("ls -la; cat a.txt; pwd"), Vec::<String>::new());
        assert_eq!(parts("timeout 60 make check &> out.txt"), ["make check"]);
    }

    #[test]
    fn a_command_is_told_with_its_program() {
        assert_eq!(parts("A=1 id=$(gh api x --jq .id); echo $id"), ["gh api x --jq .id"]);
        assert_eq!(parts("out=\"$(make all)\"; x=`make it`"), ["make all", "make it"]);
        assert_eq!(parts("command -v docker; command make all"), ["make all"]);
        assert_eq!(parts("make CC=$(which gcc) all"), ["make CC=$(which gcc) all"]);
        assert_eq!(parts("PATH=$(pwd)/bin:$PATH cargo test --lib"), ["cargo test --lib"]);
        assert_eq!(parts("cargo run -- check `pwd`"), ["cargo run -- check `pwd`"]);
    }

    #[test]
    fn a_long_command_is_gone_through_once() {
        let marks = format!("cargo test \"{}\"", "# ".repeat(100_000));
        assert_eq!(parts(&marks).len(), 1);
        let kept = format!("m=1 {}", "x=$(y=1 ".repeat(50_000));
        assert!(parts(&kept).is_empty());
    }

    #[test]
    fn a_path_among_the_first_words_is_told_whole() {
        assert_eq!(
            runs_until("python3 /opt/tools/run.py --all"),
            "python3 /opt/tools/run.py".len()
        );
        assert_eq!(runs_until("git commit -m a/b"), 0);
        assert_eq!(runs_until(&format!("node /{}", "x/".repeat(200))), 0);
    }

    #[test]
    fn what_joins_commands_is_told() {
        let told = |line| joined(line).into_iter().map(|(part, joint)| part + "~" + &joint);
        assert_eq!(
            told("cd /x && cargo test 2>&1 | tail -3; make all").collect::<Vec<_>>(),
            ["~&&", "cargo test~|", "~;", "make all~"]
        );
        assert_eq!(told("make all || true\n").collect::<Vec<_>>(), ["make all~||", "~"]);
    }
}
