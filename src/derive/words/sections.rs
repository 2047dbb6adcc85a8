//! What a human marks as rules in a longer request: parts in tags, and parts below a heading.

use crate::derive::text;

/// Words of the names of tags in which a human writes rules.
const RULES: &[&str] = &[
    "acceptance",
    "constraint",
    "constraints",
    "convention",
    "conventions",
    "guideline",
    "guidelines",
    "requirement",
    "requirements",
    "rules",
];
/// Whole names of tags in which a human writes what is to be done.
const TASKS: &[&str] = &["goal", "instructions", "objective", "task"];
/// Words of a line before a tag with which it is only shown.
const SHOWS: &[&str] =
    &["agent", "config", "convert", "here", "ignore", "parse", "prompt", "this", "why", "wording"];
/// The same of the first line of a message that goes on with a mail, a chat or the file of others.
const SHOWS_BELOW: &[&str] = &["below", "from the", "log of", "mail", "this is", "ticket"];
/// Words by which such a name is that of a program, or of what is only shown.
const OTHERS: &[&str] = &["example", "examples", "reminder", "reminders", "system", "user"];
/// Headings below which rules stand.
const HEADINGS: &[&str] = &[
    "acceptance",
    "constraint",
    "convention",
    "do not",
    "don't",
    "guardrail",
    "must not",
    "non-goal",
    "out of scope",
    "restriction",
    "rule",
];
/// A heading of more words is a sentence.
const HEADING_WORDS: usize = 4;
/// A message of more lines was hardly typed.
const TYPED_LINES: usize = 150;

/// Whether a tag of this name holds a human's own words.
fn is_own(name: &str) -> bool {
    let mut parts = name.split(['_', '-']);
    TASKS.contains(&name)
        || parts.clone().any(|part| RULES.contains(&part.to_lowercase().as_str()))
            && !parts.any(|part| OTHERS.contains(&part.to_lowercase().as_str()))
}

/// Returns the name of the tag with which a line begins, if it is the human's own, and what follows it.
fn tag(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.strip_prefix('<')?.split_once('>')?;
    is_own(name).then_some((name, rest))
}

/// Takes the tags that are the human's own off the lines of a message; a part to which a line before leads with a
/// colon, or of which it speaks, is only shown.
pub(super) fn without_tags<'m>(lines: &[&'m str]) -> Vec<&'m str> {
    let (mut found, mut open) = (Vec::new(), Vec::<String>::new());
    let may_have_tag = |line: &str| memchr::memchr(b'<', line.as_bytes()).is_some();
    let begins = |line: &&str| may_have_tag(line) && tag(line.trim()).is_some();
    let first = lines.iter().position(begins).unwrap_or_default();
    let said = lines[..first].join(" ").to_lowercase();
    let shows = said.split(|c: char| !c.is_alphanumeric()).any(|word| SHOWS.contains(&word));
    for (at, line) in lines.iter().enumerate() {
        // Most have none, and stand in none.
        if open.is_empty() && !line.is_empty() && !may_have_tag(line) {
            found.push(*line);
            continue;
        }
        let mut rest = *line;
        if let Some(end) = open.last().cloned()
            && let Some((before, after)) = rest.split_once(end.as_str())
        {
            open.pop();
            found.push(before);
            rest = after.trim_start();
        }
        let is_shown = || {
            let mut before = lines[..at].iter().rev().map(|line| line.trim());
            before.find(|line| !line.is_empty()).is_some_and(|line| line.ends_with([':', '：']))
        };
        if tag(rest.trim()).is_some() && (shows || is_shown()) {
            found.push(rest);
            continue;
        }
        while let Some((name, inner)) = tag(rest.trim()) {
            let end = format!("</{name}>");
            if let Some((inner, after)) = inner.split_once(&end) {
                found.push(inner);
                rest = after;
                continue;
            }
            if !lines[at + 1..].iter().any(|line| line.contains(&end)) {
                break;
            }
            open.push(end);
            rest = inner;
        }
        let (before, inside) = behind(rest).unwrap_or((rest, ""));
        found.extend(
            [before, inside].into_iter().filter(|part| !part.is_empty() || rest.is_empty()),
        );
    }
    found
}

/// Returns the words before a tag that closes on the line on which it stands, and those in it.
fn behind(line: &str) -> Option<(&str, &str)> {
    let (at, _) = line.match_indices(" <").find(|(at, _)| tag(&line[at + 1..]).is_some())?;
    let (name, rest) = tag(&line[at + 1..])?;
    let (inner, after) = rest.split_once(&format!("</{name}>"))?;
    after.trim().is_empty().then_some((&line[..at], inner))
}

/// Returns what a line is called that is a heading: in one of the forms of Markdown, or with a colon at its end.
fn heading(line: &str) -> Option<String> {
    let line = line.trim();
    let name = text::marked_heading(line).or_else(|| line.strip_suffix(':'))?;
    let name = name.trim_matches(|c: char| !c.is_alphanumeric());
    let is_short = name.split_whitespace().nth(HEADING_WORDS).is_none();
    (is_short && !line.starts_with("- ")).then(|| name.to_lowercase())
}

fn is_of_rules(name: &str) -> bool {
    HEADINGS.iter().any(|word| name.starts_with(word) || name.contains(&format!(" {word}")))
}

/// Whether a line is a heading of Markdown.
fn is_marked(line: &str) -> bool {
    line.starts_with('#') && line.trim_start_matches('#').starts_with(' ')
}

/// Tells which lines of a long message stand below a heading for rules; of a document that was pasted none does.
pub(super) fn below_rules(message: &str, lines: &[&str]) -> Vec<bool> {
    if lines.len() > TYPED_LINES {
        return vec![false; lines.len()];
    }
    let mut all = message.lines().filter(|line| !line.trim().is_empty());
    let first = all.clone().next().unwrap_or_default();
    let low = first.to_lowercase();
    let shows = SHOWS_BELOW.iter().any(|words| low.contains(words));
    let is_task = heading(first).is_some_and(|name| TASKS.contains(&name.as_str()));
    let is_foreign =
        |line: &str| is_marked(line) && !heading(line).is_some_and(|name| is_of_rules(&name));
    let is_document = !is_task && all.any(is_foreign);
    if is_document || shows {
        return vec![false; lines.len()];
    }
    let (mut is_below, mut is_apart) = (false, false);
    let told = |line: &&str| {
        let is_blank = line.trim().is_empty();
        let is_entry = line.trim_start().starts_with(['-', '*', '•'])
            || super::sentence::is_numbered(line.trim());
        match heading(line) {
            Some(name) => is_below = is_of_rules(&name),
            // A list goes on behind a blank line.
            None if is_apart && !is_blank && !is_entry => is_below = false,
            None => {}
        }
        is_apart = is_blank && (is_below || is_apart);
        is_below && !is_blank
    };
    lines.iter().map(told).collect()
}
