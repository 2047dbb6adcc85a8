//! The exit codes that a line prints of what it ran: `make check; echo "exit: $?"`, also those that it kept before.

use std::collections::HashMap;

use super::echoed::{LAST, closes, echoed, is_in_name, is_set};
use super::lines::Shown;
use crate::derive::shell;

/// Exit codes that a bare number in a row can hardly be anything else than.
const CODES: &[&str] = &["0", "1", "2", "101", "124", "127", "130", "137", "143"];

/// A row in which a line prints exit codes.
struct Printed<'l> {
    /// The place of what prints it on the line.
    at: usize,
    /// What stands around the codes.
    texts: Vec<&'l str>,
    /// The places of the commands of which they are; nothing where nobody knows.
    of: Vec<Option<usize>>,
}

/// Tells how a line ended by the exit codes that it prints, where the last of them stands last: of what only looks the
/// code is an answer, and what somebody `was_ended` by did not fail.
pub(super) fn told_codes(
    line: &str,
    output: &str,
    was_ended: impl Fn(i64) -> bool,
) -> Option<Shown> {
    let parts = shell::raw(line);
    let looks =
        |at: usize| shell::only_looks(parts[at].0.trim().trim_start_matches(['(', '{', ' ']));
    let asking = printed(&parts);
    let rows: Vec<&str> = output.lines().map(str::trim).filter(|row| !row.is_empty()).collect();
    let last =
        asking.last().filter(|one| rows.last().is_some_and(|row| one.read(row).is_some()))?;
    // What comes behind it may run still.
    if (last.at + 1..parts.len()).any(|at| !looks(at)) {
        return None;
    }
    let told: Vec<(&Printed<'_>, &str, Vec<i64>)> = rows
        .iter()
        .filter_map(|row| asking.iter().find_map(|one| Some((one, *row, one.read(row)?))))
        .collect();
    // What was asked for in the same words may not have been printed yet.
    let is_last = |one: &Printed<'_>| one.texts == last.texts;
    let asked = asking.iter().filter(|one| is_last(one)).count();
    if told.iter().filter(|(one, ..)| is_last(one)).count() < asked {
        return None;
    }
    // Each stands for one that is asked for in such words; more of them, before the last, are what something printed.
    let mut open: Vec<&Printed<'_>> = asking.iter().collect();
    let mut codes: Vec<(bool, &str)> = Vec::new();
    for (one, row, values) in told.into_iter().rev() {
        let place = open.iter().rposition(|it| it.texts == one.texts);
        let Some(own) = place.map(|place| open.remove(place)) else { continue };
        let counts = |(of, _): &(&Option<usize>, i64)| of.is_none_or(|of| !looks(of));
        let is_ill = |(_, code): (_, i64)| code != 0 && !was_ended(code);
        if !own.says_what_is_meant() {
            codes.extend(own.of.iter().zip(values).filter(counts).map(|it| (is_ill(it), row)));
        }
    }
    codes.reverse();
    let ill = codes.iter().filter(|(is_ill, _)| *is_ill).count();
    let is_all = ill == codes.len() && open.is_empty();
    let mut told: Vec<&str> = codes.into_iter().map(|(_, row)| row).collect();
    told.dedup();
    Some(match ill {
        0 => Shown::Over,
        _ if is_all => Shown::Failed,
        _ => Shown::Codes(told.join(", ")),
    })
}

/// Finds the rows in which a line prints exit codes, in order.
fn printed(parts: &[(String, String)]) -> Vec<Printed<'_>> {
    let mut kept: HashMap<&str, Option<usize>> = HashMap::new();
    let mut last: Option<usize> = None;
    let mut all = Vec::new();
    for (at, (part, _)) in parts.iter().enumerate() {
        let bare = part.trim().trim_end_matches([')', '}', ' ', ';']);
        let joint = at.checked_sub(1).map_or("", |before| parts[before].1.as_str());
        if let Some(name) = keeps(part) {
            // Behind what went well there is no other code.
            kept.insert(name, last.filter(|_| matches!(joint, ";" | "||")));
        } else if let Some(text) = echoed(bare) {
            all.extend(codes_in(text, at, last, &kept));
        } else if !bare.starts_with("printf ") {
            if closes(part) {
                kept.clear();
            }
            kept.retain(|name, _| !is_set(part, name));
            last = Some(at);
        }
    }
    all
}

/// Returns the name of the variable in which a command keeps the exit code of the one before it: `rc=$?`.
fn keeps(part: &str) -> Option<&str> {
    let (name, code) = part.trim().split_once('=')?;
    (!name.is_empty() && name.chars().all(is_in_name) && LAST.contains(&code)).then_some(name)
}

/// Finds the exit codes in what a line prints: that of the command `last`, and those that it kept.
fn codes_in<'l>(
    text: &'l str,
    at: usize,
    last: Option<usize>,
    kept: &HashMap<&str, Option<usize>>,
) -> Option<Printed<'l>> {
    let (mut texts, mut of, mut from) = (Vec::new(), Vec::new(), 0);
    for (sign, _) in text.match_indices('$') {
        let rest = &text[sign..];
        let form = LAST.iter().find(|form| rest.starts_with(**form));
        let name = rest[1..].trim_start_matches('{').split(|c| !is_in_name(c)).next();
        let named = name.and_then(|name| Some((name, kept.get(name)?)));
        let (len, code) = match (form, named) {
            // What the shell asks with nothing before it is no code of the line.
            (Some(form), _) => (form.len(), Some(last?)),
            (None, Some((name, code))) if rest[1..].starts_with('{') => (name.len() + 3, *code),
            (None, Some((name, code))) => (name.len() + 1, *code),
            (None, None) => continue,
        };
        texts.push(&text[from..sign]);
        of.push(code);
        from = (sign + len).min(text.len());
    }
    texts.push(&text[from..]);
    (!of.is_empty()).then_some(Printed { at, texts, of })
}

/// Words by which a row says which code is meant to come.
const MEANT: &[&str] = &["expect", "should", "want"];

impl Printed<'_> {
    /// Whether it says beside the codes which ones are meant to come.
    fn says_what_is_meant(&self) -> bool {
        let says = |text: &&str| MEANT.iter().any(|word| text.to_lowercase().contains(word));
        self.texts.iter().any(says)
    }

    /// Reads the codes from a row of the output, if it is this one.
    fn read(&self, row: &str) -> Option<Vec<i64>> {
        let (first, behind) = self.texts.split_first()?;
        let mut rest = row.trim().strip_prefix(first.trim_start())?;
        let mut codes = Vec::new();
        for (at, text) in behind.iter().enumerate() {
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            codes.push(rest[..end].parse().ok().filter(|_| end <= 3)?);
            let text = if at + 1 == behind.len() { text.trim_end() } else { *text };
            rest = rest[end..].strip_prefix(text)?;
        }
        let is_code = row.contains(char::is_alphabetic) || CODES.contains(&row);
        (rest.is_empty() && is_code).then_some(codes)
    }
}

#[cfg(test)]
mod tests {
    use super::{Shown, told_codes};

    fn told(line: &str, output: &str) -> Option<Shown> {
        told_codes(line, output, |_| false)
    }

    #[test]
    fn a_kept_code_is_that_of_the_command_before_it_was_kept() {
        for line in [
            "./a.sh; rc=$?; echo rc=$rc",
            "./a.sh > l 2>&1; rc=$?; tail -3 l; echo \"rc=$rc\"",
            "./a.sh > l 2>&1; rc=$?; ./b.sh > m; echo \"rc=${rc}\"",
            "rc=0; ./a.sh || rc=$?; echo rc=$rc",
        ] {
            assert_eq!(told(line, "x\nrc=1\n"), Some(Shown::Failed), "{line}");
            assert_eq!(told(line, "x\nrc=0\n"), Some(Shown::Over), "{line}");
            assert_eq!(told(line, "x\n"), None, "{line}");
        }
        let two = "./a.sh; a=$?; ./b.sh; b=$?; echo \"a=$a, b=$b\"";
        assert_eq!(told(two, "a=1, b=0"), Some(Shown::Codes("a=1, b=0".to_owned())));
        assert_eq!(told(two, "a=1, b=2"), Some(Shown::Failed));
        assert_eq!(told(two, "a=0, b=0"), Some(Shown::Over));
        let again = "./a.sh; rc=$?; echo a=$rc; ./b.sh; rc=$?; echo b=$rc";
        assert_eq!(told(again, "a=0\nb=1"), Some(Shown::Codes("a=0, b=1".to_owned())));
        let once = "./count.sh; echo $?";
        assert_eq!(told(once, "1\n0"), Some(Shown::Over), "the first is what it counted");
        assert_eq!(told(once, "0\n1"), Some(Shown::Failed));
        let meant = "./a.sh; echo \"got $? (expected 1)\"; ./b.sh; echo \"b: $?\"";
        assert_eq!(told(meant, "got 1 (expected 1)\nb: 0"), Some(Shown::Over));
        assert_eq!(told(meant, "got 1 (expected 1)\nb: 2"), Some(Shown::Failed));
    }

    #[test]
    fn what_only_looks_or_was_set_anew_tells_no_failure() {
        for line in
            ["grep -q x a; rc=$?; tail -3 l; echo rc=$rc", "./a.sh; rc=$?; grep x a; echo rc=$?"]
        {
            assert_eq!(told(line, "rc=1\n"), Some(Shown::Over), "{line}");
        }
        for line in [
            "./a.sh; rc=$?; rc=0; echo rc=$rc",
            "./a.sh; rc=$?; echo $rc_of",
            "for d in a b; do ./a.sh; rc=$?; done; echo rc=$rc",
            "a=b; echo rc=$a",
        ] {
            assert_eq!(told(line, "rc=1\n"), None, "{line}");
        }
    }
}
