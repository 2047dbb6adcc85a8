//! Text that stays as it was escaped until somebody looks into it.

use std::borrow::Cow;

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::json::{self, Left};

/// A text: a JSON string as it stands in the source, or plain.
#[derive(Clone, Debug)]
pub enum Text<'a> {
    /// A quoted JSON string; written again as it is.
    Json(Cow<'a, RawValue>),
    /// Plain text.
    Plain(Cow<'a, str>),
    /// A quoted JSON string that is fetched whenever somebody looks at it.
    Left(Left),
}

impl<'a> Text<'a> {
    /// Takes a JSON string as it stands; nothing if `raw` is not a string.
    pub fn json(raw: &'a RawValue) -> Option<Self> {
        raw.get().starts_with('"').then_some(Self::Json(Cow::Borrowed(raw)))
    }

    /// Returns the plain text.
    pub fn plain(&self) -> Cow<'_, str> {
        match self {
            Self::Json(raw) => unescaped(raw.get()),
            Self::Plain(text) => Cow::Borrowed(text),
            Self::Left(left) => Cow::Owned(shown(left, unescaped)),
        }
    }

    /// Returns at least the first `bytes` bytes of the plain text, if it has so many.
    ///
    /// Costs nothing on a long text, which makes it the way to look for a tag at the start.
    pub fn start(&self, bytes: usize) -> Cow<'_, str> {
        match self {
            Self::Json(raw) => json::unescaped(inside(raw.get()), bytes),
            Self::Plain(text) => Cow::Borrowed(text),
            Self::Left(left) => Cow::Owned(start(left, bytes)),
        }
    }

    /// Returns at least the last `bytes` bytes of the plain text, if it has so many.
    pub fn end(&self, bytes: usize) -> Cow<'_, str> {
        match self {
            Self::Json(raw) => end(inside(raw.get()), bytes),
            Self::Plain(text) => Cow::Borrowed(text),
            Self::Left(left) => Cow::Owned(shown(left, |stored| end(inside(stored), bytes))),
        }
    }

    /// How many bytes it takes as it is stored; a Unicode escape of six may stand for one.
    pub fn stored_bytes(&self) -> usize {
        match self {
            Self::Json(raw) => raw.get().len(),
            Self::Plain(text) => text.len(),
            Self::Left(left) => left.stored_bytes(),
        }
    }

    /// Tells whether there is nothing but blanks in it.
    pub fn is_blank(&self) -> bool {
        match self {
            Self::Json(raw) => is_blank(raw.get()),
            Self::Plain(text) => text.trim().is_empty(),
            Self::Left(left) => match left.look_start(LOOK_BYTES, says_something) {
                Some(true) => false,
                _ => left.look(is_blank).unwrap_or(true),
            },
        }
    }

    /// Returns the same without a copy.
    pub fn borrowed(&self) -> Text<'_> {
        match self {
            Self::Json(raw) => Text::Json(Cow::Borrowed(raw)),
            Self::Plain(text) => Text::Plain(Cow::Borrowed(text)),
            Self::Left(left) => Text::Left(left.clone()),
        }
    }

    /// Makes it borrow nothing and keeps it as it is stored: nobody is going to look into it, it is
    /// to be written again.
    pub fn keep_stored(&mut self) {
        if let Self::Json(raw @ Cow::Borrowed(_)) = self {
            *raw = Cow::Owned(raw.clone().into_owned());
        }
    }

    /// Takes to itself, as it is stored, what was left in its place.
    pub fn take(&mut self) {
        if let Self::Left(left) = self
            && let Some(raw) = left.look(json::raw).flatten()
        {
            *self = Self::Json(Cow::Owned(raw));
        }
    }

    /// Makes it plain where it borrows nothing as it is stored: [`Text::into_owned`] leaves that as it is.
    pub fn make_plain(&mut self) {
        if let Self::Left(_) | Self::Json(Cow::Owned(_)) = self {
            *self = Self::from(self.plain().into_owned());
        }
    }

    /// Returns the JSON string as it lies in the bytes that it was read from, if it does.
    pub fn stored(&self) -> Option<&str> {
        match self {
            Self::Json(Cow::Borrowed(raw)) => Some(raw.get()),
            _ => None,
        }
    }

    /// Returns a text that borrows nothing: a plain one, unless [`Text::keep_stored`] kept it.
    pub fn into_owned(self) -> Text<'static> {
        match self {
            Self::Json(Cow::Owned(raw)) => Text::Json(Cow::Owned(raw)),
            Self::Json(Cow::Borrowed(raw)) => {
                Text::Plain(Cow::Owned(unescaped(raw.get()).into_owned()))
            }
            Self::Plain(text) => Text::Plain(Cow::Owned(text.into_owned())),
            Self::Left(left) => Text::Left(left),
        }
    }
}

impl<'a> From<Cow<'a, str>> for Text<'a> {
    fn from(text: Cow<'a, str>) -> Self {
        Self::Plain(text)
    }
}

impl<'a> From<&'a str> for Text<'a> {
    fn from(text: &'a str) -> Self {
        Self::Plain(Cow::Borrowed(text))
    }
}

impl From<String> for Text<'_> {
    fn from(text: String) -> Self {
        Self::Plain(Cow::Owned(text))
    }
}

impl PartialEq for Text<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.plain() == other.plain()
    }
}

impl Serialize for Text<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Json(raw) => raw.serialize(serializer),
            Self::Plain(text) => json::serialize_str(text, serializer),
            Self::Left(left) => left_to(left, serializer),
        }
    }
}

/// Writes a text as it is stored; one that is gone as an empty one, as its source remembers.
fn left_to<S: Serializer>(left: &Left, serializer: S) -> Result<S::Ok, S::Error> {
    let mut serializer = Some(serializer);
    let written = left.look(|stored| {
        let raw: &RawValue = json::from_str(stored).ok()?;
        Some(raw.serialize(serializer.take()?))
    });
    match (written.flatten(), serializer) {
        (Some(written), _) => written,
        (None, Some(serializer)) => serializer.serialize_str(""),
        (None, None) => Err(serde::ser::Error::custom("a text was taken twice")),
    }
}

/// Returns what `look` makes of a text that was left in its place; nothing if it is gone.
fn shown(left: &Left, look: impl FnOnce(&str) -> Cow<'_, str>) -> String {
    left.look(|stored| look(stored).into_owned()).unwrap_or_default()
}

/// Returns at least the first `bytes` bytes of what is left in its place, and nothing if it is gone.
fn start(left: &Left, bytes: usize) -> String {
    let stored = stored_for(bytes);
    if stored < left.stored_bytes() {
        let begun = left.look_start(stored, |raw| {
            // A blank is never part of an escape.
            let to = memchr::memrchr(b' ', raw.as_bytes()).unwrap_or_default();
            json::unescaped(raw.get(1..to).unwrap_or_default(), bytes).into_owned()
        });
        if let Some(begun) = begun.filter(|begun| begun.len() >= bytes) {
            return begun;
        }
    }
    shown(left, |stored| json::unescaped(inside(stored), bytes))
}

/// How many bytes are mostly stored for `bytes` of a text: few escapes are longer than what they mean.
fn stored_for(bytes: usize) -> usize {
    bytes + bytes / 4 + 32
}

/// How many bytes of a text that was left in its place mostly tell whether there is something in it.
const LOOK_BYTES: usize = 32;

/// Tells whether the beginning of a JSON string holds more than blanks, as far as that is plain.
fn says_something(begun: &str) -> bool {
    let rest = begun.strip_prefix('"').unwrap_or_default().trim_start();
    !rest.is_empty() && !rest.starts_with(['\\', '"'])
}

/// Tells whether a JSON string means nothing but blanks.
fn is_blank(json: &str) -> bool {
    match inside(json).trim_start().bytes().next() {
        None => true,
        // An escape may stand for a blank.
        Some(b'\\') => {
            let means_blank = |most| json::unescaped(inside(json), most).trim().is_empty();
            means_blank(LOOK_BYTES) && means_blank(usize::MAX)
        }
        Some(_) => false,
    }
}

/// Returns at least the last `bytes` bytes of what the stored text `raw` means.
fn end(raw: &str, bytes: usize) -> Cow<'_, str> {
    // Where many escapes are longer, more is looked at.
    let mut stored = stored_for(bytes);
    loop {
        let from = raw.len().saturating_sub(stored);
        // A blank is never part of an escape.
        let from = memchr::memrchr(b' ', &raw.as_bytes()[..from]).map_or(0, |blank| blank + 1);
        let text = json::unescaped(&raw[from..], usize::MAX);
        if text.len() >= bytes || from == 0 {
            return text;
        }
        stored *= 2;
    }
}

/// Returns what stands between the quotes.
fn inside(json: &str) -> &str {
    json.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(json)
}

/// Returns the whole text that a JSON string means.
fn unescaped(json: &str) -> Cow<'_, str> {
    json::unescaped(inside(json), usize::MAX)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    /// A text that stands in memory instead of in a file.
    #[derive(Debug)]
    struct Kept(String);

    impl json::TextSource for Kept {
        fn show(&self, at: u64, bytes: usize, look: &mut dyn FnMut(&str)) {
            assert_eq!((at, bytes), (0, self.0.len()));
            look(&self.0);
        }

        fn show_start(&self, _: u64, bytes: usize, look: &mut dyn FnMut(&str)) {
            look(&self.0[..self.0.floor_char_boundary(bytes)]);
        }
    }

    #[test]
    fn the_start_of_a_text_is_the_same_where_it_was_left() {
        let plain = format!("<tag>\n{}é\u{1f600} \\", "a\t\u{1}\\ ".repeat(200));
        let blank = [" ".repeat(900), "\u{1}".repeat(900), "\n".repeat(900)];
        for plain in [plain.clone(), plain.replace(' ', "")].into_iter().chain(blank) {
            let stored = serde_json::to_string(&plain).unwrap();
            let bytes = stored.len();
            let left = Text::Left(Left::new(Arc::new(Kept(stored)), 0, bytes));
            for bytes in 0..300 {
                let start = left.start(bytes).into_owned();
                assert!(plain.starts_with(&start), "{bytes}: {start:?}");
                assert!(start.len() >= bytes.min(plain.len()), "{bytes}: {}", start.len());
            }
            assert_eq!(left.is_blank(), plain.trim().is_empty());
        }
    }

    #[test]
    fn the_start_and_the_end_are_whole_whatever_the_escapes() {
        let plain = format!("<tag>\n{}\"\\\u{1f600}é", "a\t\u{1}\\ ".repeat(200));
        let json = serde_json::to_string(&plain).unwrap();
        let raw: &RawValue = serde_json::from_str(&json).unwrap();
        let text = Text::json(raw).unwrap();
        for bytes in 0..300 {
            let start = text.start(bytes).into_owned();
            assert!(plain.starts_with(&start), "{bytes}: {start:?}");
            assert!(start.len() >= bytes.min(plain.len()), "{bytes}: {}", start.len());
            let end = text.end(bytes).into_owned();
            assert!(plain.ends_with(&end), "{bytes}: {end:?}");
            assert!(end.len() >= bytes.min(plain.len()), "{bytes}: {}", end.len());
        }
        assert_eq!(text.plain(), plain);
        let mut stored = text.clone();
        stored.keep_stored();
        let stored = stored.into_owned();
        assert!(matches!(stored, Text::Json(_)) && matches!(text.into_owned(), Text::Plain(_)));
        assert_eq!(stored.plain(), plain);
        assert_eq!(serde_json::to_string(&stored).unwrap(), json);
    }
}
