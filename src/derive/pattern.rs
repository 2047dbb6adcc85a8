//! Patterns of what programs print, over the bytes of a text.
//!
//! Letters, digits and spaces are those of ASCII; only `\w` takes whatever is not ASCII, too. To make
//! patterns with the tables of Unicode took ten times as long, a tenth of the time of a small pack.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

use regex::bytes::{Captures, Regex, RegexBuilder};

/// A pattern of the `regex` crate, `^` and `$` at lines, made when it is needed first. One that cannot
/// be made fits nothing.
pub(super) struct Pattern {
    text: &'static str,
    made: OnceLock<Option<Regex>>,
}

impl Pattern {
    pub(super) const fn new(text: &'static str) -> Self {
        Self { text, made: OnceLock::new() }
    }

    fn made(&self) -> Option<&Regex> {
        let make = || {
            let text = self.text.replace(r"\w", r"[\w\x80-\xff]");
            RegexBuilder::new(&text).unicode(false).multi_line(true).build().ok()
        };
        self.made.get_or_init(make).as_ref()
    }

    /// Whether it can be made; a test asks each.
    #[cfg(test)]
    pub(super) fn is_sound(&self) -> bool {
        self.made().is_some()
    }

    pub(super) fn is_match(&self, text: &str) -> bool {
        self.made().is_some_and(|made| made.is_match(text.as_bytes()))
    }

    /// Returns where it fits first.
    pub(super) fn find<'t>(&self, text: &'t str) -> Option<&'t str> {
        self.places(text).next().map(|place| &text[place])
    }

    /// Returns where it fits, in order and apart.
    pub(super) fn places<'t>(&'t self, text: &'t str) -> impl Iterator<Item = Range<usize>> + 't {
        let all = self.made().map(|made| made.find_iter(text.as_bytes()));
        let all = all.into_iter().flatten().map(|found| found.range());
        // A bound on bytes may end inside of a character.
        all.map(|place| text.floor_char_boundary(place.start)..text.ceil_char_boundary(place.end))
    }

    /// Returns the groups of where it fits first.
    pub(super) fn groups<'t>(&'t self, text: &'t str) -> Option<Groups<'t>> {
        self.all_groups(text).next()
    }

    /// Returns the groups of each place where it fits, in order.
    pub(super) fn all_groups<'t>(&'t self, text: &'t str) -> impl Iterator<Item = Groups<'t>> + 't {
        let all = self.made().map(|made| made.captures_iter(text.as_bytes()));
        all.into_iter().flatten().map(move |groups| Groups { text, groups })
    }

    /// Puts `new` in place of whatever it fits.
    pub(super) fn replaced<'t>(&self, text: &'t str, new: &str) -> Cow<'t, str> {
        let (mut out, mut end) = (String::new(), 0);
        for place in self.places(text) {
            out.push_str(text.get(end..place.start).unwrap_or_default());
            out.push_str(new);
            end = place.end;
        }
        if end == 0 && out.is_empty() {
            return Cow::Borrowed(text);
        }
        out.push_str(&text[end..]);
        Cow::Owned(out)
    }
}

/// What the groups of a pattern hold.
pub(super) struct Groups<'t> {
    text: &'t str,
    groups: Captures<'t>,
}

impl<'t> Groups<'t> {
    /// Returns all that fits.
    pub(super) fn all(&self) -> &'t str {
        self.at(0).unwrap_or_default()
    }

    pub(super) fn at(&self, number: usize) -> Option<&'t str> {
        self.groups.get(number).and_then(|found| self.text.get(found.range()))
    }

    /// Returns where a group begins.
    pub(super) fn start(&self, number: usize) -> Option<usize> {
        self.groups.get(number).map(|found| found.start())
    }

    pub(super) fn named(&self, name: &str) -> Option<&'t str> {
        self.groups.name(name).and_then(|found| self.text.get(found.range()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_ascii_is_a_letter_and_stays_whole() {
        static WORDS: Pattern = Pattern::new(r"test (\w+) \.{1,3} (?P<end>[a-z]+)");
        let groups = WORDS.groups("→ test prüft_größe ... ok").unwrap();
        assert_eq!((groups.at(1), groups.named("end")), (Some("prüft_größe"), Some("ok")));
        assert_eq!(groups.all(), "test prüft_größe ... ok");
        static FEW: Pattern = Pattern::new(r"a.{0,2}");
        assert_eq!(FEW.find("a→→"), Some("a→"));
        static LETTER: Pattern = Pattern::new(r"x+|\z");
        assert_eq!(LETTER.replaced("äxxöx", "-"), "ä-ö-");
        assert_eq!(LETTER.replaced("", "-"), "-");
        static BROKEN: Pattern = Pattern::new(r"(");
        assert!(!BROKEN.is_match("(") && !BROKEN.is_sound());
        assert_eq!(BROKEN.replaced("(", "-"), "(");
    }
}
