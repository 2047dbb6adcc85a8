//! What of a command line surely ran and went well, if the whole line did.

use super::place::known;
use super::shell;

/// A command that surely ran.
pub(super) struct Sure<'l> {
    /// As it stands on the line.
    pub(super) raw: &'l str,
    /// Its place on the line, from 0.
    pub(super) at: usize,
    /// The folder in which it ran, from where the line began; nothing if that is not known.
    pub(super) folder: Option<&'l str>,
    /// The commands after it, each with what joins it to the next.
    pub(super) later: &'l [(String, String)],
    /// Whether it is one of several that hand on what they print.
    pub(super) is_piped: bool,
}

/// Words that begin or go on with what is run on some condition, or more than once.
const BLOCKS: &[&str] = &[
    "if", "then", "elif", "else", "fi", "for", "while", "until", "do", "done", "case", "esac",
    "function", "select", "trap", "xargs",
];
/// Commands that hardly ever fail, so that what they are joined to runs.
const GOING: &[&str] = &["cd ", "mkdir ", "pushd "];

/// A line of more commands is not looked at.
const MOST_PARTS: usize = 200;

/// Returns the folder above one that is told from where a line began; nothing if that is above it.
fn above(folder: &str) -> Option<&str> {
    let is_known = !folder.is_empty() && !folder.ends_with("..");
    is_known.then(|| folder.rsplit_once('/').map_or("", |(above, _)| above))
}

/// Returns what stands behind `cd` as one word in quotes, which can have blanks.
pub(super) fn in_quotes(raw: &str) -> Option<&str> {
    let word = raw.trim().strip_prefix("cd ")?.trim();
    ['"', '\''].into_iter().find_map(|mark| {
        let inner = word.strip_prefix(mark)?.strip_suffix(mark)?;
        (!inner.contains(mark)).then_some(inner)
    })
}

/// Whether a block or a subshell begins or ends in a command; what only stands for a value is none.
pub(super) fn has_block(raw: &str) -> bool {
    let (mut depth, mut lone) = (0_usize, false);
    for (at, c) in shell::unquoted(raw) {
        match c {
            '(' | '{' if raw[..at].ends_with('$') => depth += 1,
            '{' if raw[at..].starts_with("{}") => lone = true,
            '}' if lone => lone = false,
            ')' | '}' if depth > 0 => depth -= 1,
            '(' | '{' | ')' | '}' => return true,
            _ => {}
        }
    }
    depth > 0
}

/// Shows `look` the commands of a line that surely ran, and returns the folder in which the line
/// ended, from where it began; nothing if that is not known.
///
/// What stands in a block or a subshell, or behind a test that may have failed unseen, is not sure,
/// nor is anything after a block.
pub(super) fn walk(line: &str, mut look: impl FnMut(&Sure<'_>)) -> Option<String> {
    let parts = shell::raw(line);
    if parts.len() > MOST_PARTS {
        return None;
    }
    let mut folder = Some(String::new());
    for (at, (raw, _)) in parts.iter().enumerate() {
        let words: Vec<&str> = raw.split_whitespace().collect();
        match words.as_slice() {
            ["cd", ".." | "../"] => folder = folder.as_deref().and_then(above).map(str::to_owned),
            ["cd" | "pushd", to] if !to.starts_with('-') => folder = known(to, folder.as_deref()),
            ["cd" | "pushd" | "popd", ..] => folder = None,
            _ => {}
        }
        let is_block = words.first().is_some_and(|word| BLOCKS.contains(word));
        if is_block || has_block(shell::without_comment(raw)) {
            // What follows may be part of it.
            return folder.filter(|_| !line.contains("cd "));
        }
        let (first, last) = piped(&parts, at);
        if is_sure(&parts, first, last) {
            let (folder, later) = (folder.as_deref(), &parts[at + 1..]);
            look(&Sure { raw, at, folder, later, is_piped: first < last });
        }
    }
    folder
}

/// Returns the first and the last of the commands that hand on to each other what they print.
fn piped(parts: &[(String, String)], at: usize) -> (usize, usize) {
    let is_pipe = |part: &&(String, String)| part.1 == "|";
    let before = parts[..at].iter().rev().take_while(is_pipe).count();
    (at - before, at + parts[at..].iter().take_while(is_pipe).count())
}

/// Whether what stands from `first` to `last` was run and went well if the whole line did.
fn is_sure(parts: &[(String, String)], first: usize, last: usize) -> bool {
    let Some((_, joint)) = parts.get(last) else { return false };
    let before = parts[..first].iter().rev().take_while(|(_, joint)| joint == "&&");
    let before: Vec<_> = before.map(|(raw, _)| raw.trim_start()).collect();
    let begins = first == before.len() || parts[first - before.len() - 1].1 == ";";
    let only_goes = before.iter().all(|raw| GOING.iter().any(|start| raw.starts_with(start)));
    let is_last = parts[last..].iter().all(|(_, joint)| joint.is_empty() || joint == "&&");
    let goes_on = matches!(joint.as_str(), "" | "&&" | ";");
    begins && goes_on && (only_goes || is_last)
}
