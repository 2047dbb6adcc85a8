//! The index of a folder of memories: its links, and which file each of them means.

use std::collections::{BTreeMap, BTreeSet};

use camino::{Utf8Path, Utf8PathBuf};

use super::folder::INDEX;
use super::{Stored, Tree, topic};
use crate::block::Fences;
use crate::harness::folders::cleaned;
use crate::model::clipped;

/// How long the target of a link may be, in bytes; what is longer is no path.
const MOST_BYTES: usize = 1024;
/// What a list item of a list of work begins with.
const BOXES: [&str; 3] = ["[ ] ", "[x] ", "[X] "];

/// A link of an index to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Its line, from 1.
    pub line: usize,
    /// The file, as a path from the folder of the index.
    pub file: String,
    /// What a list item says of the file that begins with the link: it stands there for that file.
    pub hook: Option<String>,
}

impl Link {
    /// Returns the file that is meant if the index is at `index`.
    pub fn path(&self, index: &Utf8Path) -> Utf8PathBuf {
        cleaned(&index.parent().unwrap_or(index).join(&self.file))
    }

    /// Tells whether its item repeats what the file `says` of itself: whatever that names, it is of the file.
    fn repeats(&self, says: Option<&str>) -> bool {
        let (Some(hook), Some(says)) = (self.hook.as_deref().map(str::trim), says) else {
            return false;
        };
        let says = clipped(says, usize::MAX);
        match hook.strip_suffix('…') {
            Some(start) => !start.is_empty() && says.starts_with(start),
            None => !hook.is_empty() && says == hook,
        }
    }
}

/// Returns the links of an index to files of memories, outside of code.
pub fn links(text: &str) -> Vec<Link> {
    let mut fences = Fences::default();
    let lines = text.lines().enumerate().filter(|(_, line)| !fences.takes(line));
    lines.flat_map(|(at, line)| of_line(at + 1, line)).collect()
}

/// Tells whether a text has a list item that stands there for a file.
pub fn is_one(text: &str) -> bool {
    links(text).iter().any(|link| link.hook.is_some())
}

/// Tells whether a line of an index stands there for `file` alone, which `says` so of itself.
pub fn is_of(line: &str, file: &Utf8Path, says: Option<&str>) -> bool {
    let top = Utf8Path::new("/");
    let is_it = |link: &Link| link.hook.is_some() && link.path(&top.join(INDEX)) == top.join(file);
    let first = links(line).into_iter().next().filter(is_it);
    first.is_some_and(|link| names(&[line]) == 1 || link.repeats(says))
}

/// Returns the links of the index at `path` to files of its store that are not there.
pub fn missing(path: &Utf8Path, index: &Stored, tree: &Tree) -> Vec<Link> {
    let is_missing = |link: &Link| {
        let target = link.path(path);
        !tree.is_there(&target) && target.starts_with(&index.shelf)
    };
    let is_alone = index.shelf == *path;
    let links = if is_alone { Vec::new() } else { links(&index.text()) };
    links.into_iter().filter(is_missing).collect()
}

/// Returns a path as the target of a link: a reader takes it for that path again.
pub fn spelled(path: &str) -> String {
    let breaks = |c: char| c.is_control() || " ()<>%#\"'\\".contains(c);
    let spell = |c: char| match breaks(c) {
        true => c.to_string().bytes().map(|byte| format!("%{byte:02X}")).collect(),
        false => c.to_string(),
    };
    path.chars().map(spell).collect()
}

/// Where the indexes of a tree point at each file: the index, and the link in it.
pub struct Pointers<'t>(BTreeMap<Utf8PathBuf, Vec<(&'t Utf8Path, Link)>>);

impl<'t> Pointers<'t> {
    /// Reads every index of `tree`.
    pub fn of(tree: &'t Tree) -> Self {
        let mut found: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for (index, file) in tree.files.iter().filter(|(path, _)| path.file_name() == Some(INDEX)) {
            for link in links(&file.text()) {
                found.entry(link.path(index)).or_default().push((index.as_path(), link));
            }
        }
        Self(found)
    }

    /// Returns the links that mean the file at `path`.
    pub fn at(&self, path: &Utf8Path) -> &[(&'t Utf8Path, Link)] {
        self.0.get(path).map_or(&[], Vec::as_slice)
    }

    /// Returns what the index next to the file at `path`, or else one farther up, says of it.
    pub fn hook(&self, path: &Utf8Path) -> Option<&str> {
        let said =
            self.at(path).iter().filter_map(|(index, link)| Some((index, link.hook.as_deref()?)));
        let up = |index: &Utf8Path| usize::MAX - index.components().count();
        said.min_by_key(|(index, _)| up(index)).map(|(_, hook)| hook)
    }
}

/// Returns an index less the list items that stand for files which are gone, and the lines of what is
/// left, from 1, that name such a file still.
///
/// What names something else besides stays, and whatever is no such item.
pub fn without(
    text: &str,
    says: Option<&str>,
    is_gone: impl Fn(&Link) -> bool,
) -> (String, Vec<usize>) {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let gone: Vec<Link> = links(text).into_iter().filter(is_gone).collect();
    let before = |line: usize| gone.partition_point(|link| link.line < line);
    let (mut left, mut still) = (lines.clone(), BTreeSet::new());
    for link in &gone {
        let end = link.hook.as_ref().and_then(|_| item_end(&lines, link.line - 1)).filter(|end| {
            let in_item = before(end + 1) - before(link.line);
            names(&lines[link.line - 1..*end]) == in_item || link.repeats(says)
        });
        match end {
            Some(end) => left[link.line - 1..end].fill(""),
            None => _ = still.insert(link.line - 1),
        }
    }
    let stays = left.iter().enumerate().filter(|(_, line)| !line.is_empty()).map(|(at, _)| at);
    let still = stays.enumerate().filter(|(_, at)| still.contains(at));
    let still = still.map(|(number, _)| number + 1).collect();
    (left.concat(), still)
}

/// Returns the line after the list item that begins in line `at`, from 0; nothing if more than its own
/// text belongs to it.
fn item_end(lines: &[&str], at: usize) -> Option<usize> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let is_deeper = |line: &&str| !line.trim().is_empty() && indent(line) > indent(lines[at]);
    let rest = &lines[at + 1..];
    let text = rest.iter().take_while(|line| is_deeper(line) && item(line).is_none()).count();
    let next = rest[text..].iter().find(|line| !line.trim().is_empty());
    (!next.is_some_and(is_deeper)).then_some(at + 1 + text)
}

/// Returns how many things the lines point at, of whatever kind.
fn names(lines: &[&str]) -> usize {
    let links: usize = lines.iter().map(|line| written(line).len()).sum();
    links + topic::links(&lines.concat()).len()
}

/// Returns the links of a line to files of memories.
fn of_line(number: usize, line: &str) -> Vec<Link> {
    let mut found = Vec::new();
    for (at, link) in written(line).into_iter().enumerate() {
        let Some(file) = file(link.target) else { continue };
        let hook = if at == 0 { hook(line, &link) } else { None };
        found.push(Link { line: number, file, hook });
    }
    found
}

/// Returns what a list item that begins with `link` says; marks of emphasis may stand around the link.
fn hook(line: &str, link: &Written<'_>) -> Option<String> {
    let lead = line.get(line.len() - item(line)?.len()..link.start)?;
    let lead = BOXES.iter().find_map(|done| lead.strip_prefix(done)).unwrap_or(lead);
    if lead.contains(char::is_alphanumeric) {
        return None;
    }
    let said = link.after.strip_prefix(lead.trim()).unwrap_or(link.after);
    let said = said.trim_start_matches([' ', '—', '-', '–', ':']).trim();
    Some(if said.is_empty() { link.title } else { said }.to_owned())
}

/// Returns a list item without its mark.
fn item(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = match digits {
        0 => line.strip_prefix(['-', '*', '+'])?,
        _ => line[digits..].strip_prefix(['.', ')'])?,
    };
    rest.starts_with([' ', '\t']).then(|| rest.trim_start())
}

/// A link as it stands in a line.
struct Written<'l> {
    /// Where its first bracket is.
    start: usize,
    title: &'l str,
    target: &'l str,
    /// What follows in the line.
    after: &'l str,
}

fn written(line: &str) -> Vec<Written<'_>> {
    let (mut found, mut from) = (Vec::new(), 0);
    while let Some(middle) = line[from..].find("](").map(|at| from + at) {
        let start = opening(&line[from..middle]).map(|at| from + at);
        let start = if from == 0 { whole(line, middle).or(start) } else { start };
        from = middle + 2;
        let Some((target, end)) = target(&line[from..]) else { continue };
        from += end;
        let title = |start| &line[start + 1..middle];
        let after = &line[from..];
        found.extend(start.map(|start| Written { start, title: title(start), target, after }));
    }
    found
}

/// Returns where a list item begins with a bracket, if no other closes that before `end`: the title of
/// its link may have brackets without their other half.
fn whole(line: &str, end: usize) -> Option<usize> {
    let start = line.len() - item(line)?.len();
    let inner = line.get(start..end)?.strip_prefix('[')?;
    let mut depth = 1_usize;
    for (at, byte) in inner.bytes().enumerate() {
        match byte {
            b'[' | b']' if is_escaped(inner, at) => {}
            b'[' => depth += 1,
            b']' if depth == 1 => return None,
            b']' => depth -= 1,
            _ => {}
        }
    }
    Some(start)
}

/// Tells whether a mark stands behind a backslash, which takes its meaning.
fn is_escaped(text: &str, at: usize) -> bool {
    text.as_bytes()[..at].iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1
}

/// Returns where the bracket is that is open at the end of `text`.
fn opening(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate().rev() {
        match byte {
            b'[' | b']' if is_escaped(text, at) => {}
            b'[' if depth == 0 => return Some(at),
            b'[' => depth -= 1,
            b']' => depth += 1,
            _ => {}
        }
    }
    None
}

/// Returns the target of a link, without a title of its own, and where the text after the link begins.
fn target(rest: &str) -> Option<(&str, usize)> {
    let rest = &rest[..rest.floor_char_boundary(MOST_BYTES)];
    if let Some(inner) = rest.trim_start().strip_prefix('<')
        && let Some((target, after)) = inner.split_once('>')
    {
        return Some((target, rest.len() - after.len() + after.find(')')? + 1));
    }
    let mut depth = 0_usize;
    let closes = |(at, byte)| match byte {
        b')' if depth == 0 => Some(at),
        b')' => {
            depth -= 1;
            None
        }
        b'(' => {
            depth += 1;
            None
        }
        _ => None,
    };
    let end = rest.bytes().enumerate().find_map(closes).or_else(|| rest.find(')'))?;
    let inside = rest[..end].trim();
    let quote = inside.chars().last().filter(|c| matches!(c, '"' | '\''));
    let title = quote.and_then(|quote| inside.find(&format!(" {quote}")));
    Some((inside[..title.unwrap_or(inside.len())].trim_end(), end + 1))
}

/// Returns the path that a target means, if it can be that of a memory.
fn file(target: &str) -> Option<String> {
    let path = decoded(target.split('#').next().unwrap_or(target));
    let ending = Utf8Path::new(&path).extension();
    let is_file = ending.is_some_and(|ending| ending.eq_ignore_ascii_case("md"));
    (is_file && !path.contains("://")).then_some(path)
}

/// Returns a text with what stands for `%` and two digits; as it is where that makes no text.
fn decoded(text: &str) -> String {
    let (mut bytes, mut rest) = (Vec::new(), text.as_bytes());
    while let [first, after @ ..] = rest {
        let digits = after.get(..2).filter(|two| two.iter().all(u8::is_ascii_hexdigit));
        let code = digits.filter(|_| *first == b'%').and_then(|two| std::str::from_utf8(two).ok());
        let code = code.and_then(|two| u8::from_str_radix(two, 16).ok());
        bytes.push(code.unwrap_or(*first));
        rest = if code.is_some() { &after[2..] } else { after };
    }
    let is_plain = |text: &String| !text.contains(char::is_control);
    String::from_utf8(bytes).ok().filter(is_plain).unwrap_or_else(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Vec<(usize, String, Option<String>)> {
        links(text).into_iter().map(|link| (link.line, link.file, link.hook)).collect()
    }

    #[test]
    fn every_spelling_of_a_link_is_read() {
        for (line, file, hook) in [
            ("- [A](a.md) — about a", "a.md", Some("about a")),
            ("* [A](my%20note.md)", "my note.md", Some("A")),
            ("+ [A](<my note.md>): x", "my note.md", Some("x")),
            ("  12) [A [1]](./t/%C3%BC.md#top \"T\") - x", "./t/ü.md", Some("x")),
            ("1. [ ] **[A](a(1).MD)** — x", "a(1).MD", Some("x")),
            ("- [A](a(1.md) — x", "a(1.md", Some("x")),
            ("- [A](100%.md)", "100%.md", Some("A")),
            ("- [A](%FF.md)", "%FF.md", Some("A")),
            ("- [A](a%0Ab.md)", "a%0Ab.md", Some("A")),
            ("- [Fix [x](a.md) — x", "a.md", Some("x")),
            ("- [Fix [x](a.md)", "a.md", Some("Fix [x")),
            (r"- [Fix \[x](a.md)", "a.md", Some(r"Fix \[x")),
            (r"- [Fix x\]](a.md): x", "a.md", Some("x")),
            ("- See [A](a.md) too", "a.md", None),
            ("- [1](x) of [A](a.md)", "a.md", None),
            ("- [1] of [A](a.md)", "a.md", None),
            ("Tea is in [A](a.md).", "a.md", None),
            ("[A](a.md) — x", "a.md", None),
        ] {
            assert_eq!(told(line), [(1, file.to_owned(), hook.map(str::to_owned))], "{line}");
        }
        for line in [
            "- [A](https://x.example/a.md)",
            "- [A](a.png)",
            "- [A](#a)",
            "- a](b.md)",
            "- [A](a.md",
        ] {
            assert_eq!(told(line), [], "{line}");
        }
        assert_eq!(told("```\n- [A](a.md)\n```\nx [B](b.md), [C](c.md)").len(), 2);
        let path = links("- [A](./x/../a.md)")[0].path(Utf8Path::new("/m/t/MEMORY.md"));
        assert_eq!(path, "/m/t/a.md");
    }

    #[test]
    fn a_path_that_was_spelled_is_read_back() {
        for path in [
            "a.md",
            "my note.md",
            "ü.md",
            "50%20.md",
            "a(b.md",
            "<#>.md",
            "t/'a' \"b\".md",
            "a\\b.md",
        ] {
            assert_eq!(told(&format!("- [A]({}) — x", spelled(path)))[0].1, path);
        }
    }

    #[test]
    fn only_an_item_of_its_own_goes_with_a_file() {
        let text = "# Index\n\nTea is in [C](c.md), coffee in [B](b.md).\n- [C](c.md) — one\n  of two lines\n\
                    - [C](./c.md)\n- [D](d.md) — see also [C](c.md)\n- [C](c.md) — and [[b]]\n- [C](c.md)\n  - more of it\n\
                    1. [B](b.md)\n2. [C](c.md)\n";
        let (left, still) =
            without(text, None, |link| link.path(Utf8Path::new("/MEMORY.md")) == "/c.md");
        let want = "# Index\n\nTea is in [C](c.md), coffee in [B](b.md).\n- [D](d.md) — see also [C](c.md)\n\
                    - [C](c.md) — and [[b]]\n- [C](c.md)\n  - more of it\n1. [B](b.md)\n";
        assert_eq!((left.as_str(), &still[..]), (want, &[3, 4, 5, 6][..]));
    }
}
