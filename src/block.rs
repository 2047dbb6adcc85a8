//! The managed block of a text that others write too: text in, text out, and every other byte stays.
//!
//! The block is what stands between two markers that fill a line each. It is put at the end, after
//! a blank line; where it is found again is up to the user. Line ends are those of the file's
//! first line, and a file that ends without one still does. What was put right behind the closing
//! marker then, as `>>` does, is a line of its own.

mod fences;

use std::fmt;
use std::ops::Range;

pub use fences::Fences;
use sha2::{Digest as _, Sha256};

/// What a block holds, by which its markers are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// How the opening marker begins; a hash follows.
    start: &'static str,
    /// The closing marker.
    end: &'static str,
}

/// A pack in a context file.
pub const PACK: Kind = Kind { start: "<!-- segue:pack:start", end: "<!-- segue:pack:end -->" };
/// Memories in a context file.
pub const MEMORY: Kind =
    Kind { start: "<!-- segue:memory:start", end: "<!-- segue:memory:end -->" };

/// Why a file cannot hold a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// More than one block: the line of the second opening marker, from 1.
    Doubled(usize),
    /// A marker without its other half, on this line.
    Unbalanced(usize),
    /// The text is in UTF-16.
    Wide,
}

impl Fault {
    /// Returns what the user can do about it where a block of `kind` is to be.
    pub fn hint(self, kind: Kind) -> String {
        match self {
            Self::Doubled(_) | Self::Unbalanced(_) => {
                let marker = kind.start.trim_end_matches("start");
                format!("take the markers, which begin with `{marker}`, out by hand")
            }
            Self::Wide => "save it as UTF-8".to_owned(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Doubled(line) => write!(f, "a second block begins on line {line}"),
            Self::Unbalanced(line) => write!(f, "the marker on line {line} has no other half"),
            Self::Wide => f.write_str("it is not in UTF-8"),
        }
    }
}

/// A block in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its bytes, both markers and the line end of the closing one included, if nothing stands before it.
    pub place: Range<usize>,
    /// The hash in its opening marker; empty if that has none.
    pub hash: String,
    /// The digest there of the text between the markers; nothing if there is none.
    pub body: Option<String>,
}

impl Block {
    /// The block at `place`, whose opening marker says `words` behind its name.
    fn of(words: &str, place: Range<usize>) -> Self {
        let hash = value(words, "hash=").unwrap_or_default();
        Self { place, hash, body: value(words, "body=") }
    }
}

/// Finds the block of `text`. Markers in a fenced block, or as far in as code is, show how one looks; only a block
/// that still is as it was put is one there.
pub fn find(text: &[u8], kind: Kind) -> Result<Option<Block>, Fault> {
    if text.starts_with(&[0xFF, 0xFE]) || text.starts_with(&[0xFE, 0xFF]) {
        return Err(Fault::Wide);
    }
    let (mut open, mut found) = (None, None);
    let (mut at, mut number, mut is_judged) = (0, 0, false);
    let (mut fences, mut shown) = (None, 0);
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        number += 1;
        let marker = marker(line, kind).filter(|_| at >= shown);
        if let (Some(marker), None) = (&marker, &open) {
            let fences = fences.get_or_insert_with(|| fences::fenced(text));
            shown = match marker {
                Marker::Start(words) => example(text, at, words, kind, fences).unwrap_or(shown),
                Marker::End(_) => around(at, fences).map_or(shown, |fence| fence.end),
            };
        }
        match (marker.filter(|_| at >= shown), &open) {
            (None, _) => {}
            (Some(Marker::Start(_)), _) if found.is_some() => return Err(Fault::Doubled(number)),
            (Some(Marker::Start(words)), None) => open = Some((at, number, words)),
            (Some(Marker::Start(_)), Some((_, line, _))) => return Err(Fault::Unbalanced(*line)),
            (Some(Marker::End(bytes)), None) if bytes < line.len() => {}
            (Some(Marker::End(_)), None) => return Err(Fault::Unbalanced(number)),
            (Some(Marker::End(bytes)), Some((from, _, words))) => {
                let block = Block::of(words, *from..at + bytes);
                // Of a block that lost its own marker nobody knows where it ended. No text of a block has
                // a marker in it, so that only the first can be its.
                let is_whole = bytes == line.len();
                if is_whole || !std::mem::replace(&mut is_judged, true) && is_as_put(text, &block) {
                    found = Some(block);
                    open = None;
                }
            }
        }
        at += line.len();
    }
    open.map_or(Ok(found), |(_, line, _)| Err(Fault::Unbalanced(line)))
}

/// Returns the fenced block in which `at` lies.
fn around(at: usize, fences: &[Range<usize>]) -> Option<&Range<usize>> {
    let after = fences.partition_point(|fence| fence.end <= at);
    fences.get(after).filter(|fence| fence.start < at)
}

/// Returns where the example of a block ends whose opening marker stands at `from`, if it is one. An opening marker alone
/// shows how one looks too, unless what comes next is the closing one of a block.
fn example(
    text: &[u8],
    from: usize,
    words: &str,
    kind: Kind,
    fences: &[Range<usize>],
) -> Option<usize> {
    let fence = around(from, fences)?;
    let lines = |place: Range<usize>| text[place].split_inclusive(|byte| *byte == b'\n');
    let mut end = from;
    let closed = lines(from..fence.end).find(|line| {
        end += line.len();
        matches!(marker(line, kind), Some(Marker::End(_)))
    });
    if closed.is_none() {
        let mut end = fence.end;
        let next = lines(fence.end..text.len()).find_map(|line| {
            end += line.len();
            marker(line, kind)
        });
        // The fence of an example of how one ends, or one within a block.
        let is_example = || {
            let block = Block::of(words, from..end);
            let is_shown = around(end - 1, fences).is_some_and(|it| it.end > end);
            is_shown && block.body.is_some() && !is_as_put(text, &block)
        };
        let is_alone = !matches!(next, Some(Marker::End(_))) || is_example();
        return is_alone.then_some(fence.end);
    }
    (!is_as_put(text, &Block::of(words, from..end))).then_some(end)
}

enum Marker {
    /// What stands in it behind its name.
    Start(String),
    /// How many bytes of the line are the marker: all of them, if nothing but blanks stands behind it.
    End(usize),
}

/// Returns what follows `name` in the words of an opening marker.
fn value(words: &str, name: &str) -> Option<String> {
    words.split_whitespace().find_map(|word| word.strip_prefix(name)).map(str::to_owned)
}

/// Returns the marker that fills `line`, blanks around it aside, if it does not stand in as far as code; the closing one may have something of
/// others right behind it.
fn marker(line: &[u8], kind: Kind) -> Option<Marker> {
    if line.starts_with(b"    ") || line.starts_with(b"\t") {
        return None;
    }
    if line.trim_ascii() == kind.end.as_bytes() {
        return Some(Marker::End(line.len()));
    }
    if line.starts_with(kind.end.as_bytes()) {
        return Some(Marker::End(kind.end.len()));
    }
    let line = line.trim_ascii();
    let rest = line.strip_prefix(kind.start.as_bytes())?.strip_suffix(b"-->")?;
    let rest = String::from_utf8_lossy(rest);
    (rest.is_empty() || rest.starts_with(' ')).then(|| Marker::Start(rest.into_owned()))
}

/// Puts a block as [`put`] does, with a digest of its text in the opening marker, by which a later
/// run sees that somebody changed the text.
pub fn put_signed(text: &[u8], kind: Kind, hash: &str, body: &str) -> Result<Vec<u8>, Fault> {
    let alone = put(b"", kind, hash, body)?;
    let block = find(&alone, kind)?;
    let digest = block.map(|block| digest(&alone, &block)).unwrap_or_default();
    put(text, kind, &format!("{hash} body={digest}"), body)
}

/// Tells whether the text of a block is the one that its opening marker has the digest of; not if
/// it has none.
pub fn is_as_put(text: &[u8], block: &Block) -> bool {
    block.body.as_deref() == Some(&*digest(text, block))
}

/// Tells whether somebody changed the text of a block; not of one without a digest.
pub fn is_touched(text: &[u8], block: &Block) -> bool {
    block.body.is_some() && !is_as_put(text, block)
}

/// How many hexadecimal digits a digest of a block's text has.
const DIGEST: usize = 8;

fn digest(text: &[u8], block: &Block) -> String {
    let sum = Sha256::digest(body(text, block).as_bytes());
    sum.iter().map(|byte| format!("{byte:02x}")).collect::<String>()[..DIGEST].to_owned()
}

/// Puts a block with `body` into `text`, in place of the one that is there; fails where it would not be found again.
///
/// No body can look like a marker. In a context file `@` before a word can mean that another file
/// is to be read, so that a look-alike takes its place.
pub fn put(text: &[u8], kind: Kind, hash: &str, body: &str) -> Result<Vec<u8>, Fault> {
    let found = find(text, kind)?;
    let end = line_end(text);
    let start = format!("{} hash={hash} -->", kind.start);
    let lines = [&*start, harmless(body).trim_end(), kind.end].join("\n");
    // More than one `\r` before a line end would be one less each time that it is read and put again.
    let lines = lines.split('\n').map(|line| line.trim_end_matches('\r'));
    let block = lines.collect::<Vec<_>>().join(end).into_bytes();
    let mut out = Vec::with_capacity(text.len() + block.len() + 4);
    if let Some(Block { place, .. }) = found {
        // What others put right behind the marker becomes a line of its own.
        let had_end = text[place.clone()].ends_with(b"\n") || place.end < text.len();
        out.extend_from_slice(&text[..place.start]);
        out.extend(block);
        out.extend_from_slice(if had_end { end } else { "" }.as_bytes());
        out.extend_from_slice(&text[place.end..]);
        return found_again(out, kind, place.start);
    }
    let has_end = text.is_empty() || text.ends_with(b"\n");
    let gap = match (text.is_empty(), has_end) {
        (true, _) => 0,
        (_, true) => 1,
        _ => 2,
    };
    out.extend_from_slice(text);
    out.extend_from_slice(end.repeat(gap).as_bytes());
    let from = out.len();
    out.extend(block);
    out.extend_from_slice(if has_end { end } else { "" }.as_bytes());
    found_again(out, kind, from)
}

/// Returns a text into which a block was put at `from`, if it is the one that is found there: where it took the end of a
/// fence with it, what was an example is a block now.
fn found_again(text: Vec<u8>, kind: Kind, from: usize) -> Result<Vec<u8>, Fault> {
    match find(&text, kind)? {
        Some(block) if block.place.start == from => Ok(text),
        _ => Err(Fault::Unbalanced(1 + text[..from].iter().filter(|byte| **byte == b'\n').count())),
    }
}

/// Takes the block out of `text`, with the blank line that was put before it; nothing if there is
/// no block.
pub fn take_out(text: &[u8], kind: Kind) -> Result<Option<Vec<u8>>, Fault> {
    let Some(Block { place, .. }) = find(text, kind)? else { return Ok(None) };
    let block = &text[place.clone()];
    let end = line_end(block).as_bytes();
    let (mut before, after) = (&text[..place.start], &text[place.end..]);
    if let Some(rest) = before.strip_suffix(end)
        && rest.ends_with(b"\n")
    {
        before = rest;
    }
    // It stood at the end of a text that had no line end there.
    if !block.ends_with(b"\n") && after.is_empty() {
        before = before.strip_suffix(end).unwrap_or(before);
    }
    Ok(Some([before, after].concat()))
}

/// Returns the line end of the first line; a lone `\r` at its end would become one with what follows.
fn line_end(text: &[u8]) -> &'static str {
    let first = text.split_inclusive(|byte| *byte == b'\n').next().unwrap_or_default();
    if first.ends_with(b"\r\n") || first.ends_with(b"\r") { "\r\n" } else { "\n" }
}

/// Returns the file that is read in place of a text: all its lines say `@` and a path. A block of
/// `kind` is not counted.
pub fn only_imports(text: &[u8], kind: Kind) -> Option<String> {
    let own = take_out(text, kind).ok().flatten();
    let text = own.as_deref().unwrap_or(text);
    let lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let mut imports = lines.filter(|line| !line.is_empty()).map(|line| {
        let path = line.strip_prefix(b"@").filter(|path| !path.contains(&b' '))?;
        (!path.is_empty()).then(|| String::from_utf8_lossy(path).into_owned())
    });
    let first = imports.next()??;
    imports.all(|path| path.is_some()).then_some(first)
}

/// Returns the text between the markers of a block.
pub fn body(text: &[u8], block: &Block) -> String {
    let inner = String::from_utf8_lossy(&text[block.place.clone()]).replace("\r\n", "\n");
    let mut lines: Vec<_> = inner.lines().skip(1).collect();
    lines.pop();
    lines.join("\n")
}

/// Returns a body without markers and without `@` before a word.
fn harmless(body: &str) -> String {
    unmentioned(&body.replace("<!-- segue:", "‹!-- segue:"))
}

/// Returns a text without `@` before a word, by which some programs read a file or a folder into
/// what they are given; a look-alike takes its place.
pub fn unmentioned(text: &str) -> String {
    unmentioned_if(text, |_| true)
}

/// The same, but `@` stays where no file out of the way is named: in names of packages, decorators
/// and people. For those who may be any program.
pub fn without_file_mentions(text: &str) -> String {
    unmentioned_if(text, names_file)
}

/// What stands for `@` where that would have a file read.
const LOOK_ALIKE: char = '＠';

/// Returns words as a pack tells them, with `@` again where it has a look-alike.
pub fn mentioned(told: &str) -> String {
    told.replace(LOOK_ALIKE, "@")
}

fn unmentioned_if(text: &str, is_one: fn(&str) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let rest = &text[at + c.len_utf8()..];
        let names = |rest: &str| rest.starts_with(|next: char| !next.is_whitespace());
        let begins = !(before.is_alphanumeric() || matches!(before, '.' | '_' | '-' | '+'));
        let is_mention = c == '@' && begins && names(rest) && is_one(rest);
        out.push(if is_mention { LOOK_ALIKE } else { c });
        before = c;
    }
    out
}

/// How far a path is looked at, in bytes.
const LONGEST_PATH: usize = 4096;

/// Tells whether what follows an `@` is a path from the root, the home or the folder at hand, one
/// that climbs, or one to a file with an ending.
fn names_file(after: &str) -> bool {
    // No path is longer, and a long run of marks stays cheap.
    let after = &after[..after.floor_char_boundary(LONGEST_PATH)];
    let ends = |c: char| c.is_whitespace() || matches!(c, '`' | '(' | ')' | ',' | ';' | '>' | ']');
    let path = after.split(ends).next().unwrap_or(after);
    let is_placed = path.starts_with(['/', '\\', '~', '.', '"', '\'']);
    let has_drive = path.get(1..2) == Some(":");
    // What stands behind another `@` is the version of a package.
    let bare = path.split('@').next().unwrap_or(path);
    let has_ending = bare.rsplit_once('/').is_some_and(|(_, name)| name.contains('.'));
    // Whatever a program takes for the end of a path, it may climb.
    let climbs = after.split_whitespace().next().is_some_and(|word| word.contains("../"));
    let is_called = after[path.len()..].starts_with('(');
    let is_file = has_ending || (ends_as_file(bare) && !is_called);
    is_placed || climbs || has_drive || is_file || path.ends_with('/') || path.contains("..")
}

/// How files end that a project has at its top, or that somebody keeps there; no member of a module is called
/// so behind a dot, as `@app.get` and `@pytest.fixture` are.
const ENDINGS: &[&str] = &[
    "c", "cfg", "conf", "cpp", "css", "csv", "env", "go", "h", "html", "ini", "java", "js", "json",
    "jsonl", "jsx", "key", "lock", "log", "md", "mdx", "pdf", "pem", "py", "rb", "rs", "sh", "sql",
    "toml", "ts", "tsx", "txt", "xml", "yaml", "yml",
];

/// Whether a name ends as a file does, whatever stands behind the sentence that names it.
fn ends_as_file(name: &str) -> bool {
    let name = name.trim_end_matches(['.', ':', '!', '?', '"', '\'']);
    let (stem, ending) = name.rsplit_once('.').unwrap_or_default();
    !stem.is_empty() && ENDINGS.iter().any(|one| ending.eq_ignore_ascii_case(one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mention_of_a_file_is_told_from_other_words() {
        let files = [
            "@/etc/passwd",
            "@~/.ssh/id_rsa",
            "@.env",
            "@../x",
            "@src/main.rs",
            "(@a/../../b)",
            "@\"my file.txt\"",
            "@C:\\x",
            "`@./a`",
            "@a,/../../b",
            "@README.md",
            "@main.go",
            "see @notes.TXT.",
            "@\u{5199}.md",
        ];
        for text in files {
            assert_eq!(without_file_mentions(text), text.replacen('@', "＠", 1), "{text}");
        }
        let others = [
            "npm i @types/node@20.1.0",
            "@pytest.fixture",
            "@Override",
            "a@b.example/x.y",
            "@ada",
            "@",
            "@app.get(\"/x.html\")",
            "@app.log('x')",
        ];
        for text in others {
            assert_eq!(without_file_mentions(text), text);
        }
        assert_eq!(unmentioned("ask @ada, a@b"), "ask ＠ada, a@b");
        assert_eq!(mentioned("app/＠modal/page.tsx"), "app/@modal/page.tsx");
    }
}
