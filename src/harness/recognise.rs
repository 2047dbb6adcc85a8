//! Which harness wrote a file, told by its first bytes.

use super::{ALL, FORMS, Harness, unified};
use crate::error::{Error, Result};
use crate::jsonl::Input;

/// How much of a file is looked at to recognise it, and how much where that is cut off in a line that tells nothing
/// by its beginning, such as one with a picture.
const HEAD_BYTES: [usize; 2] = [256 * 1024, 64 * 1024 * 1024];

/// Tells whether `harness` can have written `input`, by its content.
pub fn fits(harness: &dyn Harness, input: &Input) -> Result<bool> {
    let [few, many] = HEAD_BYTES;
    let fits = |most| Ok(harness.recognises(start(&head(input, most)?)));
    Ok(fits(few)? || is_cut(input)? && fits(many)?)
}

/// Returns the harness that wrote `input`, by its content; the name of the file says nothing.
pub fn recognise(input: &Input) -> Result<&'static dyn Harness> {
    let [few, many] = HEAD_BYTES;
    let mut whole = head(input, few)?;
    if by_head(start(&whole)).is_none() && is_cut(input)? {
        whole = head(input, many)?;
    }
    let head = start(&whole);
    // Of files that were joined each can begin with a mark, where the first says nothing.
    let unmarked = || by_head(&head.replace("\n\u{feff}", "\n"));
    if unified::is_document(head) {
        return Err(unified::no_document(input));
    }
    let found = by_head(head).or_else(unmarked);
    found.ok_or_else(|| {
        let why = match (head.is_empty(), whole.is_empty()) {
            (true, false) if whole.contains('\0') => return zeroed(input),
            (true, _) => "is empty",
            (false, _) => "is no session file that segue knows",
        };
        let titles = |all: &[&dyn Harness]| all.iter().map(|one| one.title()).collect::<Vec<_>>();
        let (names, forms) = (titles(ALL).join(", "), titles(FORMS).join(" or "));
        if let Some(error) = packed(input) {
            return error;
        }
        let hint = match (head.is_empty(), input.shown()) {
            (true, "-") => "the command before the pipe printed nothing".to_owned(),
            (true, _) => "nothing was written into it yet".to_owned(),
            (false, _) => format!("session files of {names} can be read, and {forms}"),
        };
        Error::NotASession { path: input.shown().into(), why: why.into(), hint: Some(hint) }
    })
}

fn by_head(head: &str) -> Option<&'static dyn Harness> {
    // A form says of itself what it is, so that it comes first.
    FORMS.iter().chain(ALL).copied().find(|harness| harness.recognises(head))
}

/// Forms of files that could hold a session, by their first bytes: what each is, and what to do.
const PACKED: &[(&[u8], &str, &str)] = &[
    (
        b"\x1f\x8b",
        "is packed with gzip",
        "unpack it first: `gzip -dc FILE > NEW.jsonl` leaves it beside",
    ),
    (b"\xff\xfe", "is UTF-16", "save it as UTF-8; PowerShell's `>` writes UTF-16"),
    (b"\xfe\xff", "is UTF-16", "save it as UTF-8; PowerShell's `>` writes UTF-16"),
];

/// Says of a file in such a form what it is, and what to do.
pub fn packed(input: &Input) -> Option<Error> {
    let head = input.head(2).ok()?;
    let (_, why, hint) = PACKED.iter().find(|(start, ..)| head.starts_with(start))?;
    let (why, hint) = ((*why).to_owned(), Some((*hint).to_owned()));
    Some(Error::NotASession { path: input.shown().into(), why, hint })
}

/// Says of a file without a session that it was destroyed, where its bytes are none that a harness writes: what
/// is lost with it may have been a session.
pub fn destroyed(input: &Input) -> Option<Error> {
    let bytes = match input.all() {
        Ok(bytes) => bytes,
        Err(error) => return Some(error),
    };
    if bytes.contains(&0) {
        return Some(zeroed(input));
    }
    let is_noise = !bytes.starts_with(b"{") && std::str::from_utf8(&bytes).is_err();
    is_noise.then(|| lost(input, "is no text"))
}

fn zeroed(input: &Input) -> Error {
    lost(input, "holds zero bytes in place of text")
}

fn lost(input: &Input, why: &str) -> Error {
    let hint = "what was written into it is lost, unless a backup has it".to_owned();
    Error::NotASession { path: input.shown().into(), why: why.to_owned(), hint: Some(hint) }
}

fn head(input: &Input, most: usize) -> Result<String> {
    Ok(String::from_utf8_lossy(&input.head(most)?).into_owned())
}

/// Whether the first look at a file that can be a session ends in the midst of a line.
fn is_cut(input: &Input) -> Result<bool> {
    let [few, _] = HEAD_BYTES;
    let head = input.head(few)?;
    let begins = head.iter().find(|byte| !b" \t\r\n\xef\xbb\xbf\0".contains(byte));
    Ok(head.len() == few && begins == Some(&b'{'))
}

/// Returns `head` from the first thing that says something.
fn start(head: &str) -> &str {
    head.trim_start_matches(['\u{feff}', '\0', ' ', '\t', '\r', '\n'])
}
