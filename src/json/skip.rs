//! Going past a value that nobody looks into.

use super::quoted;

/// What a value stands in.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Within {
    #[default]
    List,
    Object,
}

/// How deep most values are nested at most.
const NEAR: usize = 16;

/// What is open around a value, of which most values need no memory of their own.
#[derive(Default)]
pub(super) struct Open {
    near: [Within; NEAR],
    far: Vec<Within>,
    depth: usize,
}

impl Open {
    fn clear(&mut self) {
        self.far.clear();
        self.depth = 0;
    }

    fn push(&mut self, within: Within) {
        match self.near.get_mut(self.depth) {
            Some(place) => *place = within,
            None => self.far.push(within),
        }
        self.depth += 1;
    }

    fn last(&self) -> Option<Within> {
        let last = self.depth.checked_sub(1)?;
        self.near.get(last).or(self.far.last()).copied()
    }

    fn pop(&mut self) {
        self.far.pop();
        self.depth = self.depth.saturating_sub(1);
    }
}

/// Returns where the value that begins at `at` ends, or nothing if it is not well formed.
///
/// `open` is a buffer for what is open; nesting has no limit.
pub(super) fn value(bytes: &[u8], mut at: usize, open: &mut Open) -> Option<usize> {
    open.clear();
    loop {
        at = blanks(bytes, at);
        let opened = match bytes.get(at)? {
            b'{' => Some(Within::Object),
            b'[' => Some(Within::List),
            _ => None,
        };
        at = match opened {
            Some(within) => match emptied(bytes, at, within) {
                Some(end) => end,
                None => {
                    open.push(within);
                    at = element(bytes, at + 1, within)?;
                    continue;
                }
            },
            None => scalar(bytes, at)?,
        };
        // A value ended: so may what it stands in.
        loop {
            let Some(within) = open.last() else { return Some(at) };
            at = blanks(bytes, at);
            match (bytes.get(at)?, within) {
                (b',', _) => {
                    at = element(bytes, at + 1, within)?;
                    break;
                }
                (b'}', Within::Object) | (b']', Within::List) => {
                    open.pop();
                    at += 1;
                }
                _ => return None,
            }
        }
    }
}

/// Returns the place of the next byte from `at` that is no blank.
pub(super) fn blanks(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\n' | b'\t' | b'\r') = bytes.get(at) {
        at += 1;
    }
    at
}

/// Returns the end of the list or object that opens at `at`, if there is nothing in it.
fn emptied(bytes: &[u8], at: usize, within: Within) -> Option<usize> {
    let closing = if within == Within::List { b']' } else { b'}' };
    let next = blanks(bytes, at + 1);
    (bytes.get(next) == Some(&closing)).then_some(next + 1)
}

/// Goes past the name of a field; an element of a list has none.
fn element(bytes: &[u8], at: usize, within: Within) -> Option<usize> {
    if within == Within::List {
        return Some(at);
    }
    let quote = blanks(bytes, at);
    if bytes.get(quote) != Some(&b'"') {
        return None;
    }
    let colon = blanks(bytes, quoted::close(bytes, quote + 1)?.end + 1);
    (bytes.get(colon) == Some(&b':')).then_some(colon + 1)
}

fn scalar(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes.get(at)? {
        b'"' => Some(quoted::close(bytes, at + 1)?.end + 1),
        b't' => word(bytes, at, b"true"),
        b'f' => word(bytes, at, b"false"),
        b'n' => word(bytes, at, b"null"),
        _ => number(bytes, at),
    }
}

/// Returns the end of `word` if it stands at `at`.
pub(super) fn word(bytes: &[u8], at: usize, word: &[u8]) -> Option<usize> {
    bytes[at..].starts_with(word).then_some(at + word.len())
}

/// Returns the end of the number at `at`.
pub(super) fn number(bytes: &[u8], at: usize) -> Option<usize> {
    let whole = if bytes.get(at) == Some(&b'-') { at + 1 } else { at };
    let mut end = match bytes.get(whole)? {
        b'0' => whole + 1,
        _ => digits(bytes, whole)?,
    };
    if bytes.get(end).is_some_and(u8::is_ascii_digit) {
        return None;
    }
    if bytes.get(end) == Some(&b'.') {
        end = digits(bytes, end + 1)?;
    }
    if let Some(b'e' | b'E') = bytes.get(end) {
        let signed = matches!(bytes.get(end + 1), Some(b'+' | b'-'));
        end = digits(bytes, end + 1 + usize::from(signed))?;
    }
    Some(end)
}

/// Returns the end of the digits at `at`, of which there must be one.
fn digits(bytes: &[u8], at: usize) -> Option<usize> {
    let count = bytes.get(at..)?.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (count > 0).then_some(at + count)
}
