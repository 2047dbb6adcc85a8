//! Command lines of PowerShell: which they are, and what they run.

use super::shell::Quotes;

/// The verbs with which commands of PowerShell begin that only look, or only make room, as `ls` and
/// `mkdir` do.
const LOOKING: &[&str] = &[
    "Clear",
    "Compare",
    "ConvertFrom",
    "ConvertTo",
    "Copy",
    "Find",
    "ForEach",
    "Format",
    "Get",
    "Group",
    "Join",
    "Measure",
    "Move",
    "New",
    "Out",
    "Pop",
    "Push",
    "Read",
    "Remove",
    "Rename",
    "Resolve",
    "Search",
    "Select",
    "Set",
    "Show",
    "Sort",
    "Split",
    "Start",
    "Tee",
    "Test",
    "Wait",
    "Where",
    "Write",
];
/// Those that do more.
const DOING: &[&str] = &[
    "Add",
    "Build",
    "Compress",
    "Disable",
    "Enable",
    "Expand",
    "Export",
    "Import",
    "Install",
    "Invoke",
    "Publish",
    "Register",
    "Repair",
    "Restart",
    "Restore",
    "Resume",
    "Save",
    "Send",
    "Stop",
    "Suspend",
    "Sync",
    "Uninstall",
    "Unregister",
    "Update",
];
/// Commands with a verb that mostly only looks, and that do more.
const BUT: &[&str] = &["Start-Process", "Start-Service", "Start-Job"];
/// Words that begin a block.
const BLOCKS: &[&str] = &["try", "catch", "finally", "foreach", "elseif", "param", "function"];

/// Tells whether a command line is one of PowerShell: a command of its own stands in it, a variable is
/// set, or a text over several lines begins and ends as it does there.
pub(super) fn is_one(line: &str) -> bool {
    let line = line.trim_start();
    if line.starts_with("$env:") || without_variable(line).len() < line.len() {
        return true;
    }
    let quoted = texts(line).any(|(_, text)| text.end.is_some());
    quoted || (names_one(line) && begun(&unquoted(line)).any(|word| verb(word).is_some()))
}

/// Tells whether something in a line looks like a command such as `Get-Content`.
fn names_one(line: &str) -> bool {
    let bytes = line.as_bytes();
    memchr::memchr_iter(b'-', bytes).any(|at| {
        bytes[..at].last().is_some_and(u8::is_ascii_lowercase)
            && bytes.get(at + 1).is_some_and(u8::is_ascii_uppercase)
    })
}

/// Returns a line without what is quoted in it, by the rules of other shells.
fn unquoted(line: &str) -> String {
    let (mut bare, mut quotes) = (String::new(), Quotes::default());
    let mut bytes = [0; 4];
    for c in line.chars() {
        let was_open = quotes.open.is_some();
        quotes.take(c.encode_utf8(&mut bytes));
        let is_outside = !was_open && quotes.open.is_none();
        bare.push(if is_outside { c } else { '"' });
    }
    bare
}

/// Tells whether a program is a command of PowerShell that only looks, or a word of its language.
pub(super) fn looks(program: &str) -> bool {
    let verb = verb(program).filter(|_| !BUT.contains(&program));
    verb.is_some_and(|verb| LOOKING.contains(&verb)) || BLOCKS.contains(&program)
}

/// Returns the words with which a command may begin.
fn begun(line: &str) -> impl Iterator<Item = &str> {
    let ends = |c: char| !c.is_ascii_alphanumeric() && c != '-';
    let begun = line.split(['|', ';', '(', '{', '&', '=', '\n']).map(str::trim_start);
    begun.map(move |command| command.split(ends).next().unwrap_or_default())
}

/// Returns the verb of a command such as `Get-Content`.
fn verb(word: &str) -> Option<&str> {
    let (verb, noun) = word.split_once('-')?;
    let is_noun = noun.starts_with(|c: char| c.is_ascii_uppercase())
        && noun.chars().all(|c| c.is_ascii_alphanumeric());
    (is_noun && (LOOKING.contains(&verb) || DOING.contains(&verb))).then_some(verb)
}

/// Splits a command line at what joins commands and at the brackets of blocks, outside of quotes;
/// each with the character at which it ends.
pub(super) fn split(line: &str) -> Vec<(String, Option<char>)> {
    let line = on_one_line(line);
    let (mut parts, mut part) = (Vec::new(), String::new());
    let (mut quote, mut escaped) = (None, false);
    for c in line.chars() {
        let joint = match c {
            ';' | '|' | '\n' => Some(c),
            '&' if !part.ends_with('>') => Some(c),
            '(' | ')' | '{' | '}' => Some(';'),
            _ => None,
        };
        match (joint, quote) {
            (Some(joint), None) if !escaped => {
                parts.push((std::mem::take(&mut part), Some(joint)));
                continue;
            }
            (_, None) if !escaped && matches!(c, '\'' | '"') => quote = Some(c),
            (_, Some(open)) if !escaped && c == open => quote = None,
            _ => {}
        }
        escaped = c == '`' && !escaped && quote != Some('\'');
        part.push(c);
    }
    parts.push((part, None));
    parts.into_iter().map(|(part, joint)| (without_variable(&part).to_owned(), joint)).collect()
}

/// A text over several lines: `@'`, the lines, and `'@` at the start of a line.
struct Lines<'l> {
    quote: &'l str,
    first: &'l str,
    /// Where it ends; nothing if it does not.
    end: Option<usize>,
}

/// How many texts are looked for in a line.
const MOST_TEXTS: usize = 100;

/// Returns such texts, each with the place where it begins.
fn texts(line: &str) -> impl Iterator<Item = (usize, Lines<'_>)> {
    let texts = line.match_indices('@').filter_map(|(at, _)| {
        let is_word = line[..at].ends_with(|c: char| !c.is_whitespace() && !"=(,".contains(c));
        let quote = line.get(at + 1..at + 2).filter(|quote| matches!(*quote, "'" | "\""))?;
        let text = line[at + 2..].strip_prefix('\n').filter(|_| !is_word)?;
        let first = text.lines().next().unwrap_or_default();
        let end = text.find(&format!("\n{quote}@")).map(|end| at + 3 + end + 3);
        Some((at, Lines { quote, first, end }))
    });
    texts.take(MOST_TEXTS)
}

/// Joins lines that go on, and puts the first line in the place of a text over several.
fn on_one_line(line: &str) -> String {
    let line = line.replace("\r\n", "\n").replace("`\n", " ");
    let (mut told, mut from) = (String::new(), 0);
    for (at, text) in texts(&line) {
        if at < from {
            continue;
        }
        let first = text.first.replace(['\'', '"'], "");
        told.push_str(&format!("{}{}{first}{}", &line[from..at], text.quote, text.quote));
        from = text.end.unwrap_or(line.len());
    }
    told + &line[from..]
}

/// Leaves out the variable that keeps what a command gives: `$x = npm test`.
fn without_variable(part: &str) -> &str {
    let named = part.trim_start().strip_prefix('$').and_then(|rest| rest.split_once('='));
    let is_name = |name: &str| {
        let name = name.trim_end_matches('+').trim_end();
        name.starts_with(char::is_alphabetic)
            && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ':'))
    };
    named.filter(|(name, _)| is_name(name)).map_or(part, |(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::super::shell::parts;
    use super::*;

    #[test]
    fn a_command_line_of_powershell_is_known() {
        let lines = [
            "Get-ChildItem -Recurse | Select-Object -First 5",
            "$out = npm test 2>&1; $out | Select-Object -Last 3",
            "$env:CI=1; npm test",
            "git commit -m @'\nfix: it\n'@",
        ];
        assert!(lines.iter().all(|line| is_one(line)), "{lines:?}");
        let others = [
            "npm test",
            "apt-get install x",
            "x=$(make it)",
            "echo $HOME",
            "a=b c-D e",
            "curl -H 'Set-Cookie: x' y",
            "curl -H \"a: b; Set-Cookie: c\" y | cat && make CC=$(which gcc) all",
            r#"cat "a\"b; Get-Item" && npm run build"#,
            "echo \"(Get-Item)\"",
            "printf '%s@'\nnpm test",
            "cat <<< a@'\nb\n'@",
        ];
        assert!(!others.iter().any(|line| is_one(line)), "{others:?}");
        let line = r#"cat "a\"b; Get-Item" && make CC=$(which gcc) all"#;
        assert_eq!(parts(line), ["make CC=$(which gcc) all"]);
    }

    #[test]
    fn what_looks_and_what_only_joins_is_left_out() {
        let line = "$env:Path += \";C:\\bin\\\"; npm test 2>&1 | Select-Object -First 25 | \
                    Where-Object { $_ -match 'fail; not' }";
        assert_eq!(parts(line), ["npm test"]);
        let line = "try { npm run build } catch { \"ERR $_\" }; foreach ($h in @('a','b')) { \
                    Invoke-WebRequest -Uri $h -OutFile x }";
        assert_eq!(parts(line), ["npm run build", "Invoke-WebRequest -Uri $h -OutFile x"]);
        let line = "if (Test-Path x) { Remove-Item x -Recurse }\n(Get-Command git).Source";
        assert_eq!(parts(line), Vec::<String>::new());
        let line =
            r".\.venv\Scripts\python.exe -m pytest | Out-Null; C:\b\gradlew.bat test; Error: no";
        let told = [r".\.venv\Scripts\python.exe -m pytest", r"C:\b\gradlew.bat test"];
        assert_eq!(parts(line), told);
        let line = "$r = cargo test `\n  --lib; Start-Process app.exe -Wait";
        assert_eq!(parts(line), ["cargo test --lib", "Start-Process app.exe -Wait"]);
    }

    #[test]
    fn a_text_over_several_lines_is_no_command() {
        let line =
            "git commit -m @'\nfix: don't stop\n\nnpm test; it's said\n'@; git push origin x";
        assert_eq!(parts(line), ["git commit -m 'fix: dont stop'", "git push origin x"]);
        assert_eq!(parts("$a = 1; git commit -m @'\nno end"), ["git commit -m 'no end'"]);
        assert_eq!(parts("git commit -m @'\nno end"), ["git commit -m @' no end"]);
    }
}
