//! Command lines taken apart into commands, and which of these matter.

use std::borrow::Cow;
use std::collections::HashSet;

use super::here::without_here_documents;
use super::{outcomes, place, powershell, variables};

/// Programs that only look, or only make room, by their letters.
const LOOKING: &[&str] = &[
    "[", "awk", "base64", "basename", "break", "case", "cat", "cd", "chmod", "clear", "column",
    "comm", "command", "continue", "copy", "cp", "cut", "date", "declare", "del", "df", "diff",
    "dir", "dirname", "do", "done", "du", "echo", "else", "esac", "exit", "export", "false", "fi",
    "file", "find", "findstr", "for", "grep", "head", "hexdump", "if", "jq", "less", "local", "ls",
    "mkdir", "mktemp", "more", "move", "mv", "nl", "od", "popd", "print", "printf", "ps", "pushd",
    "pwd", "read", "readlink", "realpath", "return", "rg", "rm", "rmdir", "sed", "set", "sleep",
    "sort", "source", "stat", "strings", "tac", "tail", "tee", "test", "then", "touch", "tr",
    "trap", "tree", "true", "type", "uname", "uniq", "unset", "wait", "wc", "where", "which",
    "while", "whoami", "xargs", "xxd",
];

/// Programs that end others, whatever these are called.
const ENDING: &[&str] = &["fuser", "kill", "killall", "pkill", "Stop-Process", "taskkill"];

/// Whether a command ends what runs, itself or by what `xargs` hands on: `… | xargs -r kill`.
pub(super) fn ends_programs(part: &str) -> bool {
    let own = handed(part).unwrap_or(part);
    own.split_whitespace().next().is_some_and(|program| ENDING.contains(&program))
}

/// Programs that print nothing of what they do, or only what they are told to.
pub(super) const QUIET: &[&str] =
    &[":", "cd", "echo", "exit", "export", "mkdir", "printf", "set", "sleep", "source", "true"];

/// Programs that print the rows of files, or of what they are handed, that have what stands first behind them.
pub(super) const SEARCHING: &[&str] = &["ag", "egrep", "fgrep", "grep", "rg"];

/// Programs that are also a word of another one, and that.
const ALSO_WORDS: &[(&str, &str)] =
    &[("docker-compose", "docker compose"), ("podman-compose", "podman compose")];

/// Writes a command in the one way in which a program that has two names is told.
pub(super) fn in_one_way(part: &str) -> Cow<'_, str> {
    let known = ALSO_WORDS.iter().find_map(|(name, words)| {
        let rest = part.strip_prefix(name).filter(|rest| !rest.starts_with(|c| c != ' '))?;
        Some(Cow::Owned(format!("{words}{rest}")))
    });
    known.unwrap_or(Cow::Borrowed(part))
}

/// Takes a command line apart into the commands that matter.
pub(super) fn parts(line: &str) -> Vec<String> {
    let mut seen = HashSet::new();
    let parts = split(line, |part, _| Some(bare(part)).filter(|part| matters(part)));
    parts.into_iter().flatten().filter(|part| seen.insert(part.clone())).collect()
}

/// Tells whether nothing in a command line does more than to show what is there.
pub(super) fn only_looks(line: &str) -> bool {
    parts(line).is_empty()
}

/// Takes a command line apart into all its commands as they stand there, each with what joins it to
/// the next: `&&`, `||`, `|`, `;`, `&`, or nothing after the last.
pub(super) fn raw(line: &str) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    for (part, joint) in split(line, |part, joint| (part.to_owned(), joint)) {
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
    all
}

/// Puts together what was taken apart so.
pub(super) fn put_together(parts: &[(String, String)]) -> String {
    let told = parts.iter().map(|(part, joint)| match joint.as_str() {
        "" => part.trim().to_owned(),
        ";" => format!("{}; ", part.trim()),
        joint => format!("{} {joint} ", part.trim()),
    });
    told.collect::<String>().trim_end().to_owned()
}

/// Takes a command line apart as [`raw`] does, without what stands around the commands; of one that
/// does not matter only that it stands there is told: its text is empty.
pub(super) fn joined(line: &str) -> Vec<(String, String)> {
    let told = |part: &str| Some(bare(part)).filter(|part| matters(part)).unwrap_or_default();
    raw(line).into_iter().map(|(part, joint)| (told(&part), joint)).collect()
}

/// Whether a line ends well however the command at `at` ends, or without it: `make || true`.
pub(super) fn is_excused(line: &str, at: usize) -> bool {
    let parts = raw(line);
    let begins = at.saturating_sub(1).min(parts.len());
    let has_other = parts[begins..].iter().any(|(_, joint)| joint == "||");
    let ends = parts.last().map_or("", |(part, _)| part.trim());
    has_other || matches!(ends, "true" | ":" | "exit 0")
}

/// Makes something of each command of a line, without the text of here documents, and of the
/// character at which it ends.
fn split<T>(line: &str, mut make: impl FnMut(&str, Option<char>) -> T) -> Vec<T> {
    let line = without_here_documents(line);
    if powershell::is_one(&line) {
        let parts = powershell::split(&line).into_iter();
        return parts.map(|(part, joint)| make(&part, joint)).collect();
    }
    let (mut made, mut from) = (Vec::new(), 0);
    for at in joints(&line) {
        made.push(make(&line[from..at], line[at..].chars().next()));
        from = at + 1;
    }
    made.push(make(&line[from..], None));
    made
}

/// Returns where the characters stand that join commands, outside of quotes and comments.
fn joints(line: &str) -> impl Iterator<Item = usize> {
    let bytes = line.as_bytes();
    let (mut quote, mut escaped, mut is_comment) = (None, false, false);
    let is_joint = move |(at, byte): (usize, &u8)| {
        let is_open = quote.is_none() && !escaped;
        is_comment |= *byte == b'#' && is_open && begins_word(&bytes[..at]);
        if is_comment {
            is_comment = *byte != b'\n';
            return (!is_comment).then_some(at);
        }
        match byte {
            b'\'' | b'"' if is_open => quote = Some(*byte),
            byte if quote == Some(*byte) && !escaped => quote = None,
            _ => {}
        }
        escaped = *byte == b'\\' && !escaped && quote != Some(b'\'');
        let is_joint = match byte {
            // `2>&1` and `&>` redirect, they do not join.
            b'&' => !bytes[..at].ends_with(b">") && bytes.get(at + 1) != Some(&b'>'),
            byte => matches!(byte, b';' | b'|' | b'\n'),
        };
        (is_open && is_joint).then_some(at)
    };
    bytes.iter().enumerate().filter_map(is_joint)
}

/// Whether what follows `before` begins a word.
fn begins_word(before: &[u8]) -> bool {
    before
        .last()
        .is_none_or(|byte| byte.is_ascii_whitespace() || matches!(byte, b';' | b'&' | b'|'))
}

/// Returns a command without the comment behind it.
pub(super) fn without_comment(raw: &str) -> &str {
    let is_comment = |(at, c): &(usize, char)| *c == '#' && begins_word(&raw.as_bytes()[..*at]);
    unquoted(raw).find(is_comment).map_or(raw, |(at, _)| &raw[..at])
}

/// Words behind which a command of a block stands: it may run more than once, or not at all.
pub(super) const BLOCKS: &[&str] =
    &["!", "(", "do", "elif", "else", "if", "then", "until", "while", "{"];

/// Programs that run the one behind them as it stands.
const WRAPPERS: &[&str] = &["exec", "nohup", "sudo", "time"];

/// Returns the words of a command from its program on.
pub(super) fn led(part: &str) -> impl Iterator<Item = &str> {
    let is_before = |word: &&str| BLOCKS.contains(word) || WRAPPERS.contains(word);
    part.split_whitespace().skip_while(is_before)
}

/// Words behind which a loop or a condition runs something; what stands in a branch may not have run.
const KEYWORDS: &[&str] = &["do", "if", "until", "while"];

/// Whether the command at `at` of a line stands in a loop.
pub(super) fn is_in_loop(line: &str, at: usize) -> bool {
    if !line.contains("done") {
        return false;
    }
    let begins = |part: &str| {
        ["for ", "until ", "while "].iter().any(|word| part.trim_start().starts_with(word))
    };
    let parts = raw(line);
    let before = parts.iter().take(at + 1).filter(|(part, _)| begins(part)).count();
    let is_over = |part: &str| part.trim_start().trim_end_matches(')').trim() == "done";
    let over = parts.iter().take(at).filter(|(part, _)| is_over(part)).count();
    before > over
}

/// Returns what a loop or a condition runs.
fn behind_keywords(part: &str) -> &str {
    let mut part = part.trim_start();
    while let Some((word, rest)) = part.split_once(char::is_whitespace) {
        match KEYWORDS.contains(&word) && !rest.trim().is_empty() {
            true => part = rest.trim_start(),
            false => break,
        }
    }
    part
}

/// Returns a command without variables, wrappers and redirections around it.
pub(super) fn bare(part: &str) -> String {
    let part = variables::behind(behind_keywords(part));
    let mut words: Vec<&str> = Vec::new();
    let (mut target, mut only_assignments, mut around) = (false, true, "");
    let mut quotes = Quotes::default();
    for word in part.split_whitespace().filter(|word| *word != "\\") {
        if word.starts_with('#') && quotes.open.is_none() {
            break;
        }
        // In quotes it is a part of what another shell is given.
        let redirects = quotes.open.is_none() && is_redirection(word);
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
            ["timeout", rest @ ..] if !behind_limit(rest).is_empty() => behind_limit(rest),
            [word, rest @ ..] if is_assignment(word) => rest,
            _ => break,
        };
    }
    let told = words.join(" ");
    let told = around.chars().fold(told.as_str(), |told, c| told.strip_suffix(c).unwrap_or(told));
    told.trim_matches(['(', ')', '{', '}', ' ']).to_owned()
}

/// Returns the words behind the options and the time that `timeout` is given.
fn behind_limit<'w, 'l>(words: &'w [&'l str]) -> &'w [&'l str] {
    let mut rest = words;
    loop {
        rest = match rest {
            ["-s" | "-k" | "--signal" | "--kill-after", _, rest @ ..] => rest,
            [option, rest @ ..] if option.starts_with('-') => rest,
            [_, rest @ ..] => return rest,
            [] => return rest,
        };
    }
}

pub(super) fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
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

pub(super) fn is_redirection(word: &str) -> bool {
    let word = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '&');
    word.starts_with('>') || word == "<" || word.ends_with(">/dev/null")
}

fn matters(part: &str) -> bool {
    let checks = |part| outcomes::checks_alone(part) && !outcomes::is_no_check(part);
    let acts = |part| checks(part) || ends_programs(part);
    let mut words = part.split_whitespace();
    let Some(program) = words.next() else { return false };
    let is_word = |c: char| c.is_alphanumeric() || "._/-~+\\".contains(c);
    let is_program = !program.starts_with('-')
        && (program.len() <= 60 || program.contains('/'))
        && without_drive(program).chars().all(is_word);
    is_program
        && match words.next() {
            Some(_) if program == "xargs" => handed(part).is_some_and(acts),
            Some(next) if is_inline(program, next) => {
                program.ends_with("sh")
                    && outcomes::in_box(part).is_some_and(|line| !only_looks(&line))
            }
            Some(_) => !looks(part),
            None => does_alone(program),
        }
}

/// Options of `xargs` with a word behind them.
const HANDING: &[&str] = &["-I", "-L", "-P", "-d", "-n", "-s"];

/// Returns the command that is given what comes through a pipe: `xargs -r ruff check`.
pub(super) fn handed(part: &str) -> Option<&str> {
    let mut rest = part.strip_prefix("xargs ")?.trim_start();
    while rest.starts_with('-') {
        let (option, behind) = rest.split_once(' ')?;
        rest = behind.trim_start();
        if HANDING.contains(&option) {
            rest = rest.split_once(' ')?.1.trim_start();
        }
    }
    (!rest.is_empty()).then_some(rest)
}

/// Programs that do what a file of the project says where nothing else is asked of them.
const RUNNERS: &[&str] = &["gmake", "just", "make", "ninja", "nox", "rake", "task", "tox"];

/// Whether a program does something without a word behind it: it tests or builds, it runs tasks, or it is
/// a script by its place. Any other word may as well be a piece of what nobody took apart.
fn does_alone(program: &str) -> bool {
    let name = place::name(program);
    // An interpreter by itself is given its text, as by a here document.
    let shows = looks(name) || name == "env" || interprets(name);
    !shows && (RUNNERS.contains(&name) || outcomes::checks_alone(program) || is_script(program))
}

/// How the names of scripts end that are run by their place.
const SCRIPTS: &[&str] = &["bash", "bat", "cmd", "exe", "js", "pl", "ps1", "py", "rb", "sh", "ts"];

/// Whether a word names a program by the folder in which it lies.
fn is_script(program: &str) -> bool {
    let Some((_, name)) = program.rsplit_once('/') else { return false };
    let end = name.rsplit_once('.').map(|(_, end)| end);
    name.contains(char::is_alphabetic) && end.is_none_or(|end| SCRIPTS.contains(&end))
}

/// Returns the program that a command runs: its first word.
pub(super) fn program(part: &str) -> &str {
    part.split_whitespace().next().unwrap_or_default()
}

/// Whether a command only shows what is there.
pub(super) fn looks(part: &str) -> bool {
    let program = program(part);
    LOOKING.binary_search(&program).is_ok()
        || powershell::looks(program)
        || program == "git" && outcomes::git_shows(part)
}

fn without_drive(program: &str) -> &str {
    let drive = program.split_once(':').filter(|(drive, _)| drive.len() == 1);
    drive.map_or(program, |(_, rest)| rest)
}

/// Programs that run a text in a language that is no shell's.
const LANGUAGES: &[&str] = &["python", "node", "perl", "ruby", "deno", "bun", "php"];

/// How programs are told that their text stands on the command line, or comes from where they read.
const INLINE: &[&str] = &["-c", "-e", "-", "-p", "--eval"];

/// Returns which programs a line gives their text, and how: nobody runs that text again, but the way is
/// gone again. That of a shell says nothing.
pub(super) fn ways(line: &str) -> Vec<String> {
    if !LANGUAGES.iter().any(|program| line.contains(program)) {
        return Vec::new();
    }
    let way = |part: &str| {
        let part = bare(part);
        let mut words = part.split_whitespace();
        let (program, next) = (words.next()?, words.next()?);
        let is_plain = |c: char| c.is_alphanumeric() || "._/-~+:\\".contains(c);
        let is_told = program.chars().count() <= WAY_CHARS && program.chars().all(is_plain);
        let goes = is_told && is_inline(program, next) && !program.ends_with("sh");
        goes.then(|| format!("{program} {next} …"))
    };
    let mut ways: Vec<String> = split(line, |part, _| way(part)).into_iter().flatten().collect();
    let mut seen = HashSet::new();
    ways.retain(|way| seen.insert(way.clone()));
    ways
}

/// How many characters a program has at most that is told so.
const WAY_CHARS: usize = 90;

/// Whether a program is given its text on the command line: nobody runs that again.
fn is_inline(program: &str, next: &str) -> bool {
    let name = place::name(program);
    INLINE.contains(&next) && interprets(name)
}

/// Whether a program, by its name without a version, runs the text that it is given.
pub(super) fn interprets(name: &str) -> bool {
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    LANGUAGES.contains(&bare) || ["bash", "sh", "zsh"].contains(&bare)
}

/// Which quote is open in a text that comes piece by piece.
#[derive(Default)]
pub(super) struct Quotes {
    pub(super) open: Option<char>,
    escaped: bool,
}

impl Quotes {
    pub(super) fn take(&mut self, text: &str) {
        text.chars().for_each(|c| {
            self.step(c);
        });
    }

    /// Takes one more character; whether it stands outside of quotes and means what it is.
    pub(super) fn step(&mut self, c: char) -> bool {
        match (self.open, c) {
            _ if self.escaped => self.escaped = false,
            (Some('"') | None, '\\') => self.escaped = true,
            (None, '\'' | '"') => self.open = Some(c),
            (Some(open), _) if open == c => self.open = None,
            (None, _) => return true,
            _ => {}
        }
        false
    }
}

/// Returns the characters of a text that stand outside of quotes and mean what they are, with their
/// places.
pub(super) fn unquoted(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut quotes = Quotes::default();
    text.char_indices().filter(move |(_, c)| quotes.step(*c))
}

#[cfg(test)]
mod tests {
    use super::*;

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
        for options in ["-s INT 60", "--signal=KILL 5m", "-k 5 60", "--foreground -k5 60s"] {
            assert_eq!(
                parts(&format!("timeout {options} make check")),
                ["make check"],
                "{options}"
            );
        }
        let looped =
            "for f in a b; do make $f || exit 1; done; if ! make x; then ls; else make y; fi";
        assert_eq!(parts(looped), ["make $f", "make x"]);
        assert_eq!(parts("while sleep 1; do s=$(gh pr checks 3); done"), ["gh pr checks 3"]);
        assert_eq!(parts("while read f; do cat $f; done < list"), Vec::<String>::new());
        assert_eq!(
            parts("sh -c 'make all'; bash -c 'ls -l'; python3 -c 'x()'"),
            ["sh -c 'make all'"]
        );
        let said = "make all # it doesn't && make this\nmake that; # no\nmake 'a # b' && make c#d";
        assert_eq!(parts(said), ["make all", "make that", "make 'a # b'", "make c#d"]);
    }

    #[test]
    fn what_stands_in_a_loop_is_known() {
        let line = "make a; for x in 1 2; do make $x; done; make b";
        let all: Vec<_> = (0..5).map(|at| is_in_loop(line, at)).collect();
        assert_eq!(all, [false, true, true, true, false]);
        assert!(!is_in_loop("make a && make done", 0));
    }

    #[test]
    fn programs_that_look_stand_by_their_letters() {
        assert!(LOOKING.is_sorted());
    }

    #[test]
    fn a_command_is_told_with_its_program() {
        assert_eq!(parts("A=1 id=$(gh api x --jq .id); echo $id"), ["gh api x --jq .id"]);
        assert_eq!(parts("out=\"$(make all)\"; x=`make it`"), ["make all", "make it"]);
        assert_eq!(parts("T=\"$(gh auth token 2>/dev/null)\" mise run lint"), ["mise run lint"]);
        assert_eq!(parts("A='x y' B=\"a b\" C=$(d (e) f) make all"), ["make all"]);
        assert_eq!(parts("out=$(make all) 2>/dev/null"), ["make all"]);
        assert_eq!(parts("command -v docker; command make all"), ["make all"]);
        let boxed = "ssh box 'make all > a.log 2>&1'";
        assert_eq!(parts(&format!("{boxed} 2>&1")), [boxed]);
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
    fn what_joins_commands_is_told() {
        let told = |line| joined(line).into_iter().map(|(part, joint)| part + "~" + &joint);
        assert_eq!(
            told("cd /x && cargo test 2>&1 | tail -3; make all").collect::<Vec<_>>(),
            ["~&&", "cargo test~|", "~;", "make all~"]
        );
        assert_eq!(told("make all || true\n").collect::<Vec<_>>(), ["make all~||", "~"]);
        let excused = ["make || true", "make; true", "ls || make", "make || echo no; ls"];
        let at = |line: &str| usize::from(line.ends_with("make"));
        assert!(excused.iter().all(|line| is_excused(line, at(line))));
        assert!(!is_excused("make || true; make", 2) && !is_excused("make | tail -1", 0));
    }

    #[test]
    fn the_way_in_which_scripts_are_run_on_the_line_is_told() {
        let told = |line: &str| ways(line);
        assert_eq!(told("python -c a; python -c b"), ["python -c …"]);
        assert!(told(&format!("{}/python -c a; $(x|sh)/python -c b", "x".repeat(100))).is_empty());
        assert_eq!(told("cd x && python3 -c \"import os; f()\" | head -3"), ["python3 -c …"]);
        assert_eq!(told(".venv/bin/python - <<'EOF'\nprint(1)\nEOF"), [".venv/bin/python - …"]);
        assert_eq!(told("node -e 'a()'; node -p 1"), ["node -e …", "node -p …"]);
        for line in ["python3 run.py -c x", "bash -c 'python3 run.py'", "grep -e node -c a", "node"]
        {
            assert!(told(line).is_empty(), "{line}");
        }
    }
}
