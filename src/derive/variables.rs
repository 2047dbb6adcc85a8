//! Variables that are set for one command, or that a line sets and uses.

use std::borrow::Cow;

use super::shell::{self, Quotes, is_assignment, is_redirection};

/// How many variables of a line are put in.
const MOST: usize = 20;

/// Puts into a line the values of the variables that it sets itself, each once and to plain words.
pub(super) fn put_in(line: &str) -> Cow<'_, str> {
    put(line, &set(line))
}

/// Puts values of variables into a text.
pub(super) fn put<'t>(text: &'t str, set: &[(String, String)]) -> Cow<'t, str> {
    let put =
        |told: Cow<'t, str>, (name, value): &(String, String)| with(&told, name, value).into();
    set.iter().fold(Cow::Borrowed(text), put)
}

/// Returns the variables that a line sets itself, each once and to plain words, with their values.
pub(super) fn set(line: &str) -> Vec<(String, String)> {
    if !line.contains('$') || !line.contains('=') {
        return Vec::new();
    }
    let parts = shell::raw(line);
    let parts = parts.iter().map(|(part, _)| part.trim()).filter(|part| is_assignment(part));
    let all: Vec<(&str, &str)> = parts.filter_map(|part| part.split_once('=')).take(MOST).collect();
    let mut set: Vec<(String, String)> = Vec::new();
    for (name, value) in &all {
        let value = put(value, &set);
        let is_once = all.iter().filter(|(other, _)| other == name).count() == 1;
        let is_given =
            line.contains(&format!("for {name} ")) || line.contains(&format!("read {name}"));
        let words = shlex::split(&value).filter(|words| words.len() == 1);
        let Some(value) = words.and_then(|mut words| words.pop()) else { continue };
        let is_plain = |c: char| c.is_alphanumeric() || "/_.-~:@+".contains(c);
        if is_once && !is_given && !value.is_empty() && value.chars().all(is_plain) {
            set.push(((*name).to_owned(), value));
        }
    }
    set
}

/// Returns a line behind the commands with which it begins that only set variables: what it does tells more. One that
/// does nothing else stays as it is. No value is put in: one that is secret is known by its name alone.
pub(super) fn behind_settings(line: &str) -> Cow<'_, str> {
    let parts = shell::raw(line);
    let sets = |(part, _): &(String, String)| only_sets(part.trim());
    // Where a bracket begins behind it, there is more than one mark.
    let follows = |joint: &str| joint == "&&" || joint.starts_with(';');
    let leads = |one: &&(String, String)| follows(&one.1) && sets(one);
    let (settings, rest) = parts.split_at(parts.iter().take_while(leads).count());
    if settings.is_empty() || rest.iter().all(sets) {
        return Cow::Borrowed(line);
    }
    let behind = |from: usize, (part, _): &(String, String)| {
        let at = line.get(from..)?.find(part.trim())?;
        Some(from + at + part.trim().len())
    };
    let Some(from) = settings.iter().try_fold(0, behind) else { return Cow::Borrowed(line) };
    let Some(at) = line[from..].find(rest[0].0.trim()) else { return Cow::Borrowed(line) };
    // A part has not all that stands there: in PowerShell it may be what a variable is set to.
    let start = line[from..from + at].rfind([';', '&', '\n']).map_or(from + at, |at| from + at + 1);
    Cow::Owned(format!("…; {}", line[start..].trim_start()))
}

/// Whether a command only gives a variable a value that is there: nothing runs for it. Of PowerShell only the value stands
/// in its part.
fn only_sets(part: &str) -> bool {
    let inner = part.strip_prefix(['"', '\'']).and_then(|it| it.strip_suffix(['"', '\'']));
    let is_value = inner.is_some_and(|inner| !inner.contains(['"', '\'']));
    let runs = part.contains("$(") || part.contains('`');
    !runs && (is_value || is_assignment(part) && behind_variable(part).is_none())
}

/// Puts the value of a variable into a text.
fn with(text: &str, name: &str, value: &str) -> String {
    let mut told = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('$') {
        told.push_str(before);
        let braced =
            behind.strip_prefix('{').and_then(|it| it.strip_prefix(name)?.strip_prefix('}'));
        let goes_on = |c: char| c.is_alphanumeric() || c == '_';
        let plain = behind.strip_prefix(name).filter(|it| !it.starts_with(goes_on));
        match braced.or(plain) {
            Some(behind) => {
                told.push_str(value);
                rest = behind;
            }
            None => {
                told.push('$');
                rest = behind;
            }
        }
    }
    told + rest
}

/// Returns what stands behind the variables that are set for a command, where they are set to something
/// with blanks in it: `X="$(a b)" make` runs `make`.
pub(super) fn behind(part: &str) -> &str {
    let mut rest = part.trim_start();
    while let Some(behind) = behind_variable(rest) {
        rest = behind;
    }
    rest
}

/// Returns what stands behind the first variable, if that is set and a command follows.
fn behind_variable(part: &str) -> Option<&str> {
    let (name, value) = part.split_once('=').filter(|_| is_assignment(part))?;
    let (mut quotes, mut depth, mut last) = (Quotes::default(), 0usize, ' ');
    let mut is_ticked = false;
    let end = value.char_indices().find(|(_, c)| {
        let is_plain = quotes.step(*c);
        match c {
            '(' if last == '$' || depth > 0 => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '`' => is_ticked = !is_ticked,
            _ => {}
        }
        last = *c;
        is_plain && !is_ticked && depth == 0 && c.is_whitespace()
    });
    let behind = part[name.len() + 1 + end?.0..].trim_start();
    // Behind `x=$(make) 2>/dev/null` stands none: what runs is within the variable.
    let is_command = behind.starts_with(|c: char| c.is_alphanumeric() || "._/~$".contains(c))
        && !is_redirection(behind.split_whitespace().next().unwrap_or_default());
    is_command.then_some(behind)
}

#[cfg(test)]
mod tests {
    use super::behind_settings;

    #[test]
    fn a_line_is_told_behind_what_only_sets_variables() {
        for (line, told) in [
            ("S=\"/tmp/a b\"; cat \"$S/a.md\"", "…; cat \"$S/a.md\""),
            ("A=1 && B=$A; ls | head -2", "…; ls | head -2"),
            ("$zip = \"C:\\a.zip\"; $to = 'a b'; Expand-Archive $zip", "…; Expand-Archive $zip"),
            ("A=1; make && B=2; make b", "…; make && B=2; make b"),
            ("A=\"ls\"; ls \"$A\"", "…; ls \"$A\""),
            (
                "$a = \"x\"; $tok = (Get-Content t | Out-String).Trim(); if (-not $tok) { \"none\" }",
                "…; $tok = (Get-Content t | Out-String).Trim(); if (-not $tok) { \"none\" }",
            ),
        ] {
            assert_eq!(behind_settings(line), told, "{line}");
        }
        for line in [
            "FOO=1 make; ls",
            "S=$(mktemp); cat $S",
            "A=1; B=2",
            "A=1",
            "$r = Invoke-RestMethod x; $r.name",
            "$A/run; ls",
            "A=1 | cat; ls",
        ] {
            assert_eq!(behind_settings(line), line);
        }
    }
}
