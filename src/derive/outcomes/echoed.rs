//! What a line prints by itself of how a command ended: its exit code, as `make check; echo "exit: $?"` does, or one
//! of two texts, as `make check && echo fine || echo broken` does.

use std::borrow::Cow;

use super::codes::exit;
use super::recognise::Ended;
use crate::derive::shell;

/// How the shell is asked for the exit code of what came before, and for that of the first before pipes.
pub(super) const LAST: &[&str] = &["$?", "${?}"];
const FIRST: &[&str] = &["${PIPESTATUS[0]}", "${pipestatus[1]}", "$pipestatus[1]"];

/// Says what the code that a line prints behind the command at `at` tells of that.
pub(super) fn ended(joined: &[(String, String)], at: usize, line: &str, output: &str) -> Ended {
    if !line.contains("echo") {
        return Ended::Unknown;
    }
    let Some(code) = asked(joined, at, line).and_then(|asked| asked.code(output)) else {
        return chosen(joined.len(), at, line, output);
    };
    let mut before = joined[..=at].to_vec();
    if let Some((_, joint)) = before.last_mut() {
        joint.clear();
    }
    match exit(&before, at, Some(code), line) {
        // It may be that of what stands before.
        Ended::Failed if !is_reached(&shell::raw(line), at) => Ended::Unknown,
        ended => ended,
    }
}

/// Says which of two texts a line prints behind the command at `at`: one where it went well, one where it did not.
fn chosen(count: usize, at: usize, line: &str, output: &str) -> Ended {
    let parts = shell::raw(line);
    let Some((well, ill)) = texts(&parts, at).filter(|_| parts.len() == count) else {
        return Ended::Unknown;
    };
    // The same two texts may stand behind several commands, each of which prints one.
    let is_it = |at: &usize| texts(&parts, *at).is_some_and(|it| it == (well, ill));
    let (before, all) = ((0..at).filter(is_it).count(), (0..parts.len()).filter(is_it).count());
    let rows = output.lines().map(str::trim_end).filter(|row| *row == well || *row == ill);
    let rows: Vec<&str> = rows.collect();
    let is_once = all == 1 && rows.iter().all(|row| Some(row) == rows.first());
    let row = if is_once { rows.first() } else { rows.get(before).filter(|_| rows.len() == all) };
    match row {
        Some(row) if *row == well => Ended::Passed,
        // It may be that of what stands before.
        Some(_) if is_reached(&parts, at) => Ended::Failed,
        _ => Ended::Unknown,
    }
}

/// Returns the texts of which a line prints the first if the command at `at` goes well, else the second.
fn texts(parts: &[(String, String)], at: usize) -> Option<(&str, &str)> {
    let (command, joint) = parts.get(at)?;
    let is_asked = command.trim().strip_prefix("if ").map(str::trim_start);
    let is_piped = at > 0 && parts[at - 1].1 == "|";
    let is_turned = is_asked.unwrap_or(command.trim()).starts_with("! ");
    let ([(first, then), (second, _), ..], false) = (parts.get(at + 1..)?, is_piped || is_turned)
    else {
        return None;
    };
    let (well, ill) = match (joint.as_str(), then.as_str(), is_asked) {
        ("&&", "||", None) => (first.trim(), second.trim()),
        (";", ";", Some(_)) => {
            let is_end = parts.get(at + 3).is_some_and(|(end, _)| end.trim() == "fi");
            let ill = second.trim().strip_prefix("else ").filter(|_| is_end)?;
            (first.trim().strip_prefix("then ")?, ill)
        }
        _ => return None,
    };
    let (well, ill) = (literal(well)?, literal(ill)?);
    (well != ill).then_some((well, ill))
}

/// Returns the text that a command prints as it stands there, if that is one with a word in it.
fn literal(part: &str) -> Option<&str> {
    let text = part.trim_start_matches(['{', '(']).trim_end_matches(['}', ')']).trim();
    let text = text.strip_prefix("echo ")?.trim();
    let text = text.strip_suffix(">&2").map_or(text, str::trim_end);
    let inner = ['"', '\''].into_iter().find_map(|mark| {
        let inner = text.strip_prefix(mark)?.strip_suffix(mark)?;
        (!inner.contains(mark)).then_some(inner)
    });
    // An option would change what is printed, and what is not in quotes can be more than a text.
    let is_plain = |text: &str| !text.contains(['$', '`', '\\', '"', '\'']);
    let is_bare = |text: &str| {
        !text.starts_with('-') && !text.contains(['>', '<', '*', '?', '#', '(', ')', '{', '}', '~'])
    };
    let text = inner.or(Some(text).filter(|text| is_bare(text)))?;
    (is_plain(text) && text.contains(char::is_alphabetic)).then_some(text)
}

/// Returns an output without the rows that its line prints as they stand there, such as headings, unless these are all.
pub(in crate::derive) fn without_headings<'o>(line: &str, output: &'o str) -> Cow<'o, str> {
    if !line.contains("echo ") {
        return Cow::Borrowed(output);
    }
    let parts = shell::raw(line);
    let told = parts.iter().enumerate().filter_map(|(at, (part, _))| Some((at, literal(part)?)));
    let headings: Vec<&str> =
        told.filter(|(at, text)| !answers(&parts, *at, text)).map(|(_, text)| text).collect();
    let is_heading = |row: &str| headings.contains(&row.trim());
    let is_empty = |row: &str| row.trim().is_empty() || is_heading(row);
    match headings.is_empty() || output.lines().all(is_empty) {
        true => Cow::Borrowed(output),
        false => output.split_inclusive('\n').filter(|row| !is_heading(row)).collect(),
    }
}

/// Programs that only answer a question.
const ASKING: &[&str] = &["[", "[[", "cmp", "command", "diff", "grep", "test", "which"];
/// Those of them that ask what stands in files: what else a line runs hangs on no answer of theirs.
const READING: &[&str] = &["cmp", "diff", "grep"];

/// Words of a text that says what is wrong.
const WRONG: &[&str] = &["cannot", "error", "fail", "fatal", "missing", "no ", "not "];

/// Whether the command at `at` prints `text` only as a question is answered so, or what prints nothing failed: that
/// says what is wrong.
fn answers(parts: &[(String, String)], at: usize, text: &str) -> bool {
    let mut before = parts[..at].iter().rev().take_while(|(_, joint)| joint != ";");
    let ends = |(part, _): &(String, String)| {
        let first = shell::program(part);
        matches!(first, "" | "}" | ")" | "exit" | "false" | "fi" | "return")
    };
    let is_last = parts[at + 1..].iter().all(ends);
    let asks = |(part, _): &(String, String)| {
        let program = part.trim_start_matches(['{', '(', ' ', '!']).split_whitespace().next();
        let is = |programs: &[&str]| program.is_some_and(|word| programs.contains(&word));
        (is_last || !is(READING)) && (is(ASKING) || part.contains("/dev/null"))
    };
    let joint = at.checked_sub(1).map_or("", |last| parts[last].1.as_str());
    let says_wrong = || {
        let low = text.to_lowercase();
        text.starts_with(char::is_alphanumeric) && WRONG.iter().any(|word| low.contains(word))
    };
    match joint {
        "||" => before.any(asks),
        "&&" => parts[at].1 != "||" && says_wrong() && before.any(asks),
        _ => false,
    }
}

/// What is done before a command, and hardly fails.
const BEFORE: &[&str] = &["cd ", "export ", "set ", "source "];

/// Whether nothing before the command at `at` decides whether that runs.
fn is_reached(parts: &[(String, String)], at: usize) -> bool {
    let mut before = parts[..at].iter().rev().take_while(|(_, joint)| joint != ";");
    before.all(|(part, _)| BEFORE.iter().any(|word| part.trim().starts_with(word)))
}

/// Returns an output without the rows on which its line prints exit codes and other numbers.
pub(super) fn without_codes<'o>(line: &str, output: &'o str) -> Cow<'o, str> {
    let parts = shell::raw(line);
    let echoes = parts.iter().filter_map(|(part, _)| echoed(part)?.split_once('$'));
    let starts: Vec<&str> = echoes.map(|(before, _)| before).collect();
    let is_number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    let is_code = |row: &str| {
        let is_it = |start: &&str| row.strip_prefix(*start).is_some_and(is_number);
        let is_bare = row.trim_end().bytes().all(|c| c.is_ascii_digit());
        starts.iter().any(|start| is_it(start) && (is_bare || !start.is_empty()))
    };
    if starts.is_empty() {
        return Cow::Borrowed(output);
    }
    output.split_inclusive('\n').filter(|row| !is_code(row)).collect()
}

/// Returns what a command prints, without quotes.
pub(super) fn echoed(part: &str) -> Option<&str> {
    let text = part.trim().strip_prefix("echo ")?.trim();
    let is_quoted = text.len() > 1 && text.starts_with('"') && text.ends_with('"');
    Some(if is_quoted { &text[1..text.len() - 1] } else { text })
}

/// How a code is printed.
struct Asked {
    /// What stands before it on its row, and behind it.
    before: String,
    behind: String,
    /// Whether nothing is printed after it.
    is_last: bool,
}

/// Finds how a line prints the exit code of the command at `at`.
fn asked(joined: &[(String, String)], at: usize, line: &str) -> Option<Asked> {
    let parts = shell::raw(line);
    let ends = parts[at..].iter().position(|(_, joint)| joint != "|")? + at;
    if parts[ends].1 != ";" || parts.len() != joined.len() {
        return None;
    }
    let next = ends + 1;
    let is_first = at == 0 || parts[at - 1].1 != "|";
    let forms = match (is_first, ends == at) {
        (true, true) => [LAST, FIRST].concat(),
        (true, false) => FIRST.to_vec(),
        (false, true) => LAST.to_vec(),
        (false, false) => return None,
    };
    let next_text = parts.get(next)?.0.trim();
    // `rc=$?` keeps it, to be printed later.
    let is_kept = |(name, code): &(&str, &str)| !name.contains(' ') && forms.contains(code);
    let kept = next_text.split_once('=').filter(is_kept);
    match kept {
        Some((name, _)) => {
            let forms = [format!("${name}"), format!("${{{name}}}")];
            let forms: Vec<&str> = forms.iter().map(String::as_str).collect();
            let is_print = |place: &usize| printed(&parts, *place, &forms).is_some();
            let place = (next + 1..parts.len()).find(is_print)?;
            let is_kept = |(part, _): &(String, String)| !is_set(part, name) && !closes(part);
            printed(&parts, place, &forms).filter(|_| parts[next + 1..place].iter().all(is_kept))
        }
        None => printed(&parts, next, &forms),
    }
}

pub(super) fn is_in_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Whether a command may set a variable: it has its name, and not behind `$`.
pub(super) fn is_set(part: &str, name: &str) -> bool {
    part.match_indices(name).any(|(at, _)| {
        let (before, behind) =
            (part[..at].chars().next_back(), part[at + name.len()..].chars().next());
        !before.is_some_and(|c| is_in_name(c) || c == '$' || c == '{')
            && !behind.is_some_and(is_in_name)
    })
}

/// Whether a command ends what may not have run, or ran more than once.
pub(super) fn closes(part: &str) -> bool {
    const CLOSING: &[&str] = &["done", "elif", "else", "esac", "fi", "}", ")"];
    part.split_whitespace().next().is_some_and(|word| CLOSING.contains(&word))
}

/// Reads how the command at `place` prints a code, which one of `forms` stands for.
fn printed(parts: &[(String, String)], place: usize, forms: &[&str]) -> Option<Asked> {
    let (text, joint) = parts.get(place)?;
    let bare = echoed(text)?;
    let form = forms.iter().filter(|form| bare.contains(**form)).max_by_key(|form| form.len())?;
    let (before, behind) = bare.split_once(form)?;
    // `$rc` does not stand in `$rc_of`.
    if !form.ends_with(['?', '}']) && behind.starts_with(is_in_name) {
        return None;
    }
    let is_plain = |text: &str| !text.contains(['$', '`', '"', '\'', '\\', '>', '<', '*']);
    (is_plain(before) && is_plain(behind) && joint != "|").then(|| Asked {
        before: before.to_owned(),
        behind: behind.to_owned(),
        is_last: place + 1 == parts.len(),
    })
}

impl Asked {
    /// Returns the code that is printed, where only one row can tell it.
    fn code(&self, output: &str) -> Option<i64> {
        let read = |row: &str| {
            let row = row.trim_end_matches('\r');
            let code = row.strip_prefix(&self.before)?.strip_suffix(&self.behind)?;
            code.parse::<u8>().ok().filter(|_| !code.starts_with('+')).map(i64::from)
        };
        if self.is_last {
            return read(output.trim_end_matches(['\n', '\r']).lines().next_back()?);
        }
        // A number by itself may be anything.
        let mut codes = output.lines().filter_map(read);
        let code = codes.next().filter(|_| self.before.contains(char::is_alphabetic));
        code.filter(|_| codes.next().is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(line: &str, at: usize, output: &str) -> Ended {
        ended(&shell::joined(line), at, line, output)
    }

    #[test]
    fn a_code_that_the_line_prints_is_that_of_the_command() {
        for (line, at, output) in [
            ("make check > log 2>&1; echo $?", 0, "1\n"),
            ("make check > log 2>&1; echo \"exit: $?\"", 0, "exit: 2\n"),
            ("make check; echo EXIT=$?; tail -3 log", 0, "a\nEXIT=2\n3\n"),
            ("make check\necho \"rc=$? end\"", 0, "rc=7 end\n"),
            ("make check | tail -1; echo \"rc ${PIPESTATUS[0]}\"", 0, "a\nrc 1\n"),
            ("make check > log; rc=$?; tail log; echo \"rc=$rc\"", 0, "a\nrc=1\n"),
            ("cd a && make check; echo $?", 1, "1\n"),
            ("make check; rc=$?; echo \"made: $rc_of\"; set -e; echo \"rc ${rc}\"", 0, "rc 1\n"),
        ] {
            assert_eq!(told(line, at, output), Ended::Failed, "{line}");
            let well = output.replace(['1', '2', '7'], "0");
            assert_eq!(told(line, at, &well), Ended::Passed, "{line}");
        }
    }

    #[test]
    fn which_of_two_texts_is_printed_tells_how_a_command_ended() {
        for (line, at) in [
            ("make check && echo \"✓ fine\" || echo \"✗ broken\"", 0),
            ("make check > log 2>&1 && echo '✓ fine' || { echo '✗ broken'; tail log; }", 0),
            ("cd a && make check && echo \"✓ fine\" || echo \"✗ broken\"; git status", 1),
            ("if make check; then echo \"✓ fine\"; else echo \"✗ broken\"; fi", 0),
        ] {
            assert_eq!(told(line, at, "a\n✓ fine\nb\n"), Ended::Passed, "{line}");
            assert_eq!(told(line, at, "a\n✗ broken\n"), Ended::Failed, "{line}");
            for other in ["a\n", "it is ✓ fine\n", "✗ broken\n✓ fine\n"] {
                assert_eq!(told(line, at, other), Ended::Unknown, "{line} {other}");
            }
        }
        let both = "make check && echo OK || echo BAD; make lint && echo OK || echo BAD";
        assert_eq!(told(both, 0, "OK\nBAD\n"), Ended::Passed);
        assert_eq!(told(both, 3, "OK\nBAD\n"), Ended::Failed);
        assert_eq!(told(both, 0, "BAD\n"), Ended::Unknown, "one is cut off");
        let chain = "make lint && make check && echo OK || echo BAD";
        assert_eq!(told(chain, 1, "OK\n"), Ended::Passed);
        assert_eq!(told(chain, 1, "BAD\n"), Ended::Unknown, "it may not have been reached");
    }

    #[test]
    fn a_text_that_says_nothing_of_a_command_tells_nothing() {
        for (line, at, output) in [
            ("make check | tail -3 && echo OK || echo BAD", 0, "OK\n"),
            ("make check | tail -3 && echo OK || echo BAD", 1, "BAD\n"),
            ("! make check && echo OK || echo BAD", 0, "OK\n"),
            ("if ! make check; then echo BAD; else echo OK; fi", 0, "OK\n"),
            ("make check && echo OK || echo OK", 0, "OK\n"),
            ("make check && echo $A || echo $B", 0, "$A\n"),
            ("make check && echo -n OK || echo BAD", 0, "-n OK\n"),
            ("make check && echo 1 || echo 0", 0, "0\n"),
            ("make check || echo OK && echo BAD", 0, "BAD\n"),
            ("make check; echo OK || echo BAD", 0, "OK\n"),
        ] {
            assert_eq!(told(line, at, output), Ended::Unknown, "{line}");
        }
    }

    #[test]
    fn a_code_of_something_else_tells_nothing() {
        for (line, at, output) in [
            ("make check | tail -1; echo $?", 0, "0\n"),
            ("make check && echo $?", 0, "0\n"),
            ("make check; ls; echo $?", 0, "0\n"),
            ("make check; echo $?; make lint", 0, "0\n"),
            ("make check; echo rc=$?; make lint; echo rc=$?", 0, "rc=0\nrc=1\n"),
            ("make lint || make check; echo $?", 1, "0\n"),
            ("make check; echo \"$(date) $?\"", 0, "x 0\n"),
            ("make check; echo '$?'", 0, "$?\n"),
            ("make check; echo $?", 0, "3 checks\n"),
            ("make lint && make check; echo $?", 0, "1\n"),
            ("ls | make check; echo ${PIPESTATUS[0]}", 1, "0\n"),
            // It was set anew.
            ("make check > a; rc=$?; make lint > b; rc=$?; echo \"rc=$rc\"", 0, "rc=0\n"),
            ("make check; rc=$?; make lint || rc=1; echo \"rc=$rc\"", 0, "rc=0\n"),
            ("make check; rc=$?; [ -f ok ] && rc=0; echo \"rc=$rc\"", 0, "rc=0\n"),
            ("make check; rc=$?; read rc < b; echo \"rc=$rc\"", 0, "rc=0\n"),
            ("make check; rc=$?; (( rc = 0 )); echo \"rc=$rc\"", 0, "rc=0\n"),
            // Of several it is that of the last, or of none.
            ("for d in a b; do make check; rc=$?; done; echo \"rc=$rc\"", 1, "rc=0\n"),
            ("rc=0; if test -f a; then make check; rc=$?; fi; echo \"rc=$rc\"", 2, "rc=0\n"),
            // It is turned round, or that of what decides whether the command runs.
            ("! make check; echo $?", 0, "0\n"),
            ("! make check > log; rc=$?; echo \"rc=$rc\"", 0, "rc=0\n"),
            ("[ -f a ] && make check; echo $?", 1, "1\n"),
            ("make check; echo $?", 0, "+0\n"),
        ] {
            assert_eq!(told(line, at, output), Ended::Unknown, "{line}");
        }
    }

    #[test]
    fn rows_of_codes_tell_of_no_failure() {
        let line = "npx prettier --check .; echo \"prettier: $?\"; npx tsc; echo $?";
        let rows = "prettier: 0\nno such file\n2 files\nprettier: none\n2\n";
        assert_eq!(without_codes(line, rows), "no such file\n2 files\nprettier: none\n");
        assert_eq!(without_codes("make check", "2\n"), "2\n");
    }
}
