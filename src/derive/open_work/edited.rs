//! What command lines make of a list of which the text is known.

use std::collections::HashSet;

use crate::derive::command::{Command, command};
use crate::derive::shell;
use crate::derive::written::{by_part, edits_in_place};

/// Returns the text of the file that is called `file` as a command line leaves it, which edits it in place; nothing
/// where it is not known what one of its commands does to it.
pub(super) fn edited(line: &str, file: &str, text: &str) -> Option<String> {
    let mut new = None;
    let mut before = String::new();
    for (raw, joint) in shell::raw(line) {
        let first = raw.split_whitespace().next().unwrap_or_default();
        let is_it = |path: &String| path.rsplit('/').next() == Some(file);
        let writes = raw.contains(file) && by_part(line, &raw).iter().any(is_it);
        if shell::BLOCKS.contains(&first) && raw.contains(file) || writes && before == "||" {
            return None;
        }
        if writes {
            let command = command(&raw).filter(|command| edits_in_place(&command.words))?;
            let rows = new.as_deref().unwrap_or(text).lines();
            let mut rows: Vec<String> = rows.map(str::to_owned).collect();
            // What fits nowhere may have been read wrongly.
            steps(&command)?.iter().all(|step| step.run(&mut rows)).then_some(())?;
            new = Some(rows.join("\n"));
        }
        before = joint;
    }
    new
}

/// Returns a text with the boxes ticked off that a command line writes as ticked: a script that puts one in place of
/// another holds it, in whatever language, or holds its number where it goes through several of them.
pub(super) fn ticked_in(line: &str, text: &str) -> String {
    let is_end = |c: char| "'\"`/|\\\n".contains(c);
    let behind = line.split("[x] ").skip(1);
    let starts = behind.map(|rest| rest.split(is_end).next().unwrap_or_default());
    let starts: Vec<&str> = starts.filter(|start| !start.trim().is_empty()).collect();
    let numbers: HashSet<&str> =
        starts.iter().flat_map(|start| gone_through(line, start)).collect();
    let is_ticked = |rest: &str| {
        let number = rest.split_whitespace().next().unwrap_or_default();
        starts.iter().any(|start| rest.starts_with(start) || goes_on_with(start, rest))
            || numbers.contains(number)
    };
    let row = |row: &str| match row.split_once("[ ] ") {
        Some((before, rest)) if is_ticked(rest) => {
            format!("{before}[x] {rest}")
        }
        _ => row.to_owned(),
    };
    text.lines().map(row).collect::<Vec<_>>().join("\n")
}

/// Words with which a loop of a shell begins.
const LOOPS: &[&str] = &["for", "until", "while"];
/// Commands by which one ends before its time, or a file is as it was again.
const CUTS_OFF: &[&str] =
    &["break", "continue", "git checkout -- ", "git restore", "git stash push", "git stash -"];

/// Tells whether a command line ticks boxes of a file off in a loop of a shell, and whether it is known which.
pub(super) fn ticks_in_loop(line: &str, file: &str) -> Option<bool> {
    let parts = shell::raw(line);
    let first = |part: &str| part.split_whitespace().next().map(str::to_owned);
    let is_loop = |(part, _): &(String, String)| {
        first(part).is_some_and(|first| LOOPS.contains(&first.as_str()))
    };
    if !parts.iter().any(is_loop) {
        return None;
    }
    let mut found = None;
    let mut is_known = true;
    let mut before = "";
    for (part, _) in &parts {
        let (words, bare) = led(part);
        let edits = bare.starts_with("sed -i") || edits_by_perl(bare);
        if edits && bare.contains(file) && bare.contains("[x]") {
            let is_body = words == "do" || words.is_empty() && before == "do";
            let start = bare.split("[x] ").nth(1).unwrap_or_default();
            is_known &= is_body && bare.starts_with("sed") && !gone_through(line, start).is_empty();
            found = Some(());
        }
        is_known &= !CUTS_OFF.iter().any(|command| bare.starts_with(command));
        before = part.trim();
    }
    found.map(|()| is_known)
}

/// Whether perl edits a file in place.
fn edits_by_perl(command: &str) -> bool {
    let mut words = command.split_whitespace();
    words.next() == Some("perl") && words.any(|word| word.starts_with('-') && word.contains('i'))
}

/// Parts the words of a shell that lead to a command from it.
fn led(part: &str) -> (&str, &str) {
    let part = part.trim();
    let mut bare = part;
    while let Some((word, rest)) = bare.split_once(char::is_whitespace) {
        if !shell::BLOCKS.contains(&word) {
            break;
        }
        bare = rest.trim_start();
    }
    (part[..part.len() - bare.len()].trim_end(), bare)
}

/// Whether a text is another one and says something behind it.
fn goes_on_with(text: &str, first: &str) -> bool {
    let behind = text.strip_prefix(first.trim_end()).filter(|_| !first.trim().is_empty());
    behind.is_some_and(|behind| behind.starts_with(|c: char| !c.is_alphanumeric()))
}

/// Returns the words that a loop of a command line goes through for the variable that a text begins with, where they
/// stand there and none is passed over.
fn gone_through<'l>(line: &'l str, start: &str) -> Vec<&'l str> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let name = start.strip_prefix(['{', '$']).unwrap_or_default().trim_start_matches('{');
    let name = name.split(|c| !is_name(c)).next().unwrap_or_default();
    let behind = line.split_once(&format!("for {name} in "));
    let Some((_, behind)) = behind.filter(|_| !name.is_empty() && !line.contains("continue"))
    else {
        return Vec::new();
    };
    let end: &[char] = match behind.chars().next() {
        Some('[') => &[']'],
        Some('(') => &[')'],
        _ => &[':', ';', '\n', '#'],
    };
    let words = behind.split(end).next().unwrap_or_default();
    // What a shell makes words of is not known.
    if words.contains(['$', '`', '*', '{']) {
        return Vec::new();
    }
    let words = words.split(|c: char| c.is_whitespace() || "'\",[(".contains(c));
    words.filter(|word| word.contains(char::is_numeric)).collect()
}

/// Where in a text a step changes something.
enum Rows {
    All,
    /// From one number to another, counted from 1.
    Numbers(usize, usize),
    /// Those that hold a text.
    With(String),
}

/// A substitution of one text by another.
struct Step {
    rows: Rows,
    from: String,
    is_at_start: bool,
    is_at_end: bool,
    to: String,
    is_everywhere: bool,
}

impl Step {
    /// Changes the rows that it is about, and says whether there are any.
    fn run(&self, rows: &mut [String]) -> bool {
        let mut is_any = false;
        for (row, number) in rows.iter_mut().zip(1..) {
            let is_meant = match &self.rows {
                Rows::All => true,
                Rows::Numbers(first, last) => (*first..=*last).contains(&number),
                Rows::With(text) => row.contains(text),
            };
            let fits = (!self.is_at_start || row.starts_with(&self.from))
                && (!self.is_at_end || row.ends_with(&self.from));
            if is_meant && fits && row.contains(&self.from) {
                is_any = true;
                let most = if self.is_everywhere { usize::MAX } else { 1 };
                *row = row.replacen(&self.from, &self.to, most);
            }
        }
        is_any
    }
}

/// Returns the substitutions of a command, if it does nothing else.
fn steps(command: &Command) -> Option<Vec<Step>> {
    let (mut scripts, mut first) = (Vec::new(), None);
    let mut words = command.words.iter().skip(1).map(String::as_str);
    let mut is_extended = false;
    while let Some(word) = words.next() {
        match word {
            "-e" | "--expression" => scripts.push(words.next()?),
            "-f" | "-n" => return None,
            _ if word.starts_with("--expression=") => scripts.push(word.split_once('=')?.1),
            _ if word.starts_with("--") => {}
            _ if word.starts_with('-') => is_extended |= word.contains(['E', 'r']),
            "" => {}
            _ => first = first.or(Some(word)),
        }
    }
    if scripts.is_empty() {
        scripts.extend(first);
    }
    let mut steps = Vec::new();
    for script in scripts {
        let mut rest = script.trim_start_matches(BETWEEN);
        while !rest.is_empty() {
            let (step, behind) = step(rest, is_extended)?;
            steps.push(step);
            rest = behind.trim_start_matches(BETWEEN);
        }
    }
    (command.program() == "sed").then_some(steps)
}

/// What stands between two steps of a script.
const BETWEEN: [char; 3] = [' ', ';', '\n'];

/// Reads the first step of a script, and returns it with what stands behind it.
fn step(script: &str, is_extended: bool) -> Option<(Step, &str)> {
    let (rows, rest) = rows(script, is_extended)?;
    let rest = rest.strip_prefix('s')?;
    let mark = rest.chars().next().filter(|mark| mark.is_ascii_punctuation())?;
    let (from, rest) = until(&rest[1..], mark)?;
    let (to, rest) = until(rest, mark)?;
    let flags = rest.len() - rest.trim_start_matches('g').len();
    if !rest[flags..].is_empty() && !rest[flags..].starts_with(BETWEEN) {
        return None;
    }
    let (from, is_at_start) = from.strip_prefix('^').map_or((from, false), |from| (from, true));
    let is_at_end = from.ends_with('$') && !from.ends_with("\\$");
    let from = if is_at_end { &from[..from.len() - 1] } else { from };
    let to = bare(to, "&")?;
    let from = bare(from, special(is_extended)).filter(|from| !from.is_empty())?;
    let step = Step { rows, from, is_at_start, is_at_end, to, is_everywhere: flags > 0 };
    Some((step, &rest[flags..]))
}

/// Reads which rows a step is about.
fn rows(script: &str, is_extended: bool) -> Option<(Rows, &str)> {
    if let Some(rest) = script.strip_prefix('/') {
        let (text, rest) = until(rest, '/')?;
        return Some((Rows::With(bare(text, special(is_extended))?), rest));
    }
    let number = |text: &str| {
        let length = text.bytes().take_while(u8::is_ascii_digit).count();
        Some((text[..length].parse::<usize>().ok()?, length))
    };
    let Some((first, length)) = number(script) else { return Some((Rows::All, script)) };
    let rest = &script[length..];
    match rest.strip_prefix(',') {
        Some(rest) => {
            let (last, length) = number(rest)?;
            Some((Rows::Numbers(first, last), &rest[length..]))
        }
        None => Some((Rows::Numbers(first, first), rest)),
    }
}

/// Parts a script at a mark that no backslash stands before.
fn until(script: &str, mark: char) -> Option<(&str, &str)> {
    let mut is_escaped = false;
    let at = script.find(|c: char| {
        let is_end = c == mark && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        is_end
    })?;
    Some((&script[..at], &script[at + mark.len_utf8()..]))
}

/// What stands for more than itself in a pattern. A dot is taken for itself: that is what is mostly meant.
fn special(is_extended: bool) -> &'static str {
    if is_extended { "[*^$+?(){}|" } else { "[*^$" }
}

/// Returns what a text stands for, if each letter of it stands for itself.
fn bare(text: &str, special: &str) -> Option<String> {
    let mut bare = String::new();
    let mut letters = text.chars();
    while let Some(c) = letters.next() {
        let is_escaped = c == '\\';
        let c = if is_escaped { letters.next()? } else { c };
        let means_more = if is_escaped { !c.is_ascii_punctuation() } else { special.contains(c) };
        // In a plain pattern these mean something only behind a backslash.
        let means_more =
            means_more || is_escaped && !special.contains('(') && "+?(){}|".contains(c);
        bare.push(Some(c).filter(|_| !means_more)?);
    }
    Some(bare)
}

#[cfg(test)]
mod tests {
    use super::{edited, ticked_in};

    const LIST: &str = "# Tasks\n- [ ] 1.1 read\n- [ ] 1.2 (write)\n- [ ] 2.1 close";

    #[test]
    fn what_sed_ticks_off_is_known() {
        let told = |line: &str| {
            let new = edited(line, "tasks.md", LIST)?;
            Some(
                new.lines()
                    .skip(1)
                    .map(|row| if row.starts_with("- [x]") { 'x' } else { '.' })
                    .collect::<String>(),
            )
        };
        for (line, want) in [
            (r"sed -i 's/^- \[ \] 1\.1 /- [x] 1.1 /' tasks.md", "x.."),
            (
                r"cd a && sed -i \
 -e 's/^- \[ \] 1\.1 /- [x] 1.1 /' \
 -e 's/^- \[ \] 2.1 /- [x] 2.1 /' tasks.md && grep -c '\[x\]' tasks.md",
                "x.x",
            ),
            (r"sed -i '' 's/- \[ \]/- [x]/' a/tasks.md", "xxx"),
            (r"sed -i.bak '2s/\[ \]/[x]/;4s/\[ ]/[x]/' tasks.md", "x.x"),
            (r"sed -i '2,3s|\[ \]|[x]|g' tasks.md", "xx."),
            (r"sed -i '/1\.2/s/\[ \]/\[x\]/' tasks.md; cat tasks.md", ".x."),
            (r"sed -i -E 's/\[ \] 1\.2 \(write\)$/[x] 1.2 (write)/' tasks.md", ".x."),
            (r"sed -i 's/\[ \] 1\.2 (write)/[x] 1.2 (write)/' tasks.md", ".x."),
        ] {
            assert_eq!(told(line).as_deref(), Some(want), "{line}");
        }
    }

    #[test]
    fn what_it_does_otherwise_is_not() {
        for line in [
            r"sed -i 's/\[ \] \(1\.1\)/[x] \1/' tasks.md",
            r"sed -i -E 's/\[ \] (1\.1)/[x] 1.1/' tasks.md",
            r"sed -i 's/\[ \] 1.*/&/' tasks.md",
            r"sed -i 's/[ ] 1.1/[x] 1.1/' tasks.md",
            r"sed -i '2d' tasks.md",
            r"sed -i 's/- \[ \] 3.1/- [x] 3.1/' tasks.md",
            r"sed -i '2s/\[ \]/[x]/I' tasks.md",
            "for n in 1.1 1.2; do sed -i \"s/\\[ \\] $n/[x] $n/\" tasks.md; done",
            "sed -i \"s/\\[ \\] $n /[x] $n /\" tasks.md",
            r"true || sed -i 's/\[ \]/[x]/' tasks.md",
            r"sed -i 's/\[ \]/[x]/' tasks.md; python3 -c 'x' > tasks.md; echo a >> tasks.md",
            r"sed -i 's/\[ \]/[x]/' notes.md",
            r"sed 's/\[ \]/[x]/' tasks.md",
            "perl -pi -e 's/a/b/' tasks.md",
            r"sed -i -f tick.sed tasks.md",
        ] {
            assert_eq!(edited(line, "tasks.md", LIST), None, "{line}");
        }
    }

    #[test]
    fn a_script_ticks_off_what_it_writes_as_ticked() {
        let list = "- [ ] 1.1 read\n- [ ] 1.10 write\n- [ ] 2.1 close";
        let ticked = |line: &str| ticked_in(line, list).matches("[x]").count();
        assert_eq!(ticked("t.replace('- [ ] 1.1 ', '- [x] 1.1 ')"), 1);
        assert_eq!(
            ticked("{\"- [ ] 1.1 read\": \"- [x] 1.1 read\", \"- [ ] 2.1 \": \"- [x] 2.1 \"}"),
            2
        );
        assert_eq!(ticked("perl -pi -e 's/\\[ \\] 1/[x] 1/'"), 2);
        assert_eq!(ticked("'- [x] 1.1 read (PR 12)'"), 1);
        let loops = [
            "for n in ['1.1', '2.1']:\n    t = t.replace(f'- [ ] {n} ', f'- [x] {n} ')",
            "for n in 1.1 2.1; do sed -i \"s/\\[ \\] $n /[x] $n /\" a.md; done",
        ];
        assert_eq!(loops.map(ticked), [2, 2]);
        let others = [
            "# 1.10 stays\nfor n in ['1.1']:\n    t = t.replace(f'- [ ] {n} ', f'- [x] {n} ')",
            "for n in range(1, 3): # 1.1\n    t = t.replace(f'[ ] 1.{n} ', f'[x] 1.{n} ')",
            "for n in ('1.1', '2.1'):\n    if n == '1.1': continue\n    t = u(t, f'[x] {n} ')",
            "perl -pi -e 's/\\[ \\] (2)/- [x] $1/' a.md; grep -n '1.1' a.md",
        ];
        assert_eq!(others.map(ticked), [1, 0, 0, 0]);
        assert_eq!(ticked("re.sub(r'\\[ \\] (.*)', r'[x] \\1', t)"), 0);
    }
}
