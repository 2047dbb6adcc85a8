//! Where the long strings of the line at hand end.
//!
//! What is taken raw first is gone through again by whoever looks into it, level by level. Only the
//! end of each long string is looked for but once.

use std::cell::{Cell, RefCell};
use std::marker::PhantomData;

use super::quoted::Quoted;

/// Shorter strings are gone through sooner than looked up, in bytes.
pub(super) const LONG_BYTES: usize = 256;

/// The line at hand and what is known of it.
struct Known {
    /// The addresses at which its first byte stands and the one behind its last.
    from: usize,
    to: usize,
    /// Where strings begin, by address, and how they end, from the beginning of each; in order.
    ends: Vec<(usize, Quoted)>,
}

thread_local! {
    static KNOWN: RefCell<Known> = const { RefCell::new(Known { from: 0, to: 0, ends: Vec::new() }) };
    /// Whether a character was met that stands as its number.
    static NUMBERED: Cell<bool> = const { Cell::new(false) };
}

/// Where a long string stands in a text, and how it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Where its first byte behind the quote stands.
    pub at: usize,
    /// How many bytes it has.
    pub bytes: usize,
    /// Whether there are escapes in it.
    pub has_escapes: bool,
}

/// While it is there, the ends of strings in a text are remembered; the text cannot change meanwhile. It stays
/// in its thread.
pub struct Remembered<'t>(&'t str, PhantomData<*const ()>);

/// Begins to remember where the strings of `text` end, and forgets those of another.
pub fn remember(text: &str) -> Remembered<'_> {
    let range = text.as_bytes().as_ptr_range();
    begin(range.start.addr(), range.end.addr());
    Remembered(text, PhantomData)
}

impl Remembered<'_> {
    /// Whether a character of the text stands as its number, as far as its strings were gone through.
    pub fn has_numbers(&self) -> bool {
        NUMBERED.get()
    }

    /// Gives the strings of at least `bytes` bytes to `take`, as far as they were gone through, in order.
    pub fn long(&self, bytes: usize, mut take: impl FnMut(Span)) {
        let base = self.0.as_ptr().addr();
        KNOWN.with_borrow(|known| {
            for (start, Quoted { end, has_escapes }) in &known.ends {
                if *end >= bytes {
                    take(Span { at: start - base, bytes: *end, has_escapes: *has_escapes });
                }
            }
        });
    }

    /// Takes over what was found before in the same text, in order.
    pub fn take_over(&self, spans: impl Iterator<Item = Span>) {
        let base = self.0.as_ptr().addr();
        let known = spans
            .map(|Span { at, bytes, has_escapes }| (base + at, Quoted { end: bytes, has_escapes }));
        KNOWN.with_borrow_mut(|all| all.ends.extend(known));
    }
}

/// Hears that a character stands as its number.
pub(super) fn numbered() {
    NUMBERED.set(true);
}

impl Drop for Remembered<'_> {
    fn drop(&mut self) {
        begin(0, 0);
    }
}

fn begin(from: usize, to: usize) {
    let _ = NUMBERED.try_with(|numbered| numbered.set(false));
    // A thread that ends remembers nothing.
    let _ = KNOWN.try_with(|known| {
        let mut known = known.borrow_mut();
        (known.from, known.to) = (from, to);
        known.ends.clear();
    });
}

/// Returns how the string ends that begins at `from`, by `look` where that is not known yet.
pub(super) fn known(
    bytes: &[u8],
    from: usize,
    look: impl FnOnce() -> Option<Quoted>,
) -> Option<Quoted> {
    let start = bytes.as_ptr().addr() + from;
    let place = KNOWN.try_with(|known| {
        let known = known.borrow();
        let is_here = (known.from..known.to).contains(&start);
        is_here.then(|| match known.ends.binary_search_by_key(&start, |(start, _)| *start) {
            Ok(place) => Ok(known.ends[place].1),
            Err(place) => Err(place),
        })
    });
    let Ok(Some(place)) = place else { return look() };
    match place {
        // A piece of the text may end within the string, and the text be another than it was before.
        Ok(Quoted { end, .. }) if bytes.get(from + end) != Some(&b'"') => look(),
        Ok(found) => Some(Quoted { end: from + found.end, ..found }),
        Err(place) => {
            let found = look()?;
            KNOWN.with_borrow_mut(|known| {
                known.ends.insert(place, (start, Quoted { end: found.end - from, ..found }));
            });
            Some(found)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::quoted::close;
    use super::*;

    #[test]
    fn a_string_ends_where_it_ends_whatever_is_remembered() {
        let long = |mark: &str| format!("\"{}{mark}\",\"{}\"", "x".repeat(300), "y".repeat(400));
        let end = |text: &str, from| {
            close(text.as_bytes(), from).map(|found| (found.end, found.has_escapes))
        };
        let text = long("\\n");
        let bare = [end(&text, 1), end(&text, 306), end(&text[..200], 1), end(&text, 2)];
        let remembered = remember(&text);
        for _ in 0..2 {
            assert_eq!([end(&text, 1), end(&text, 306), end(&text[..200], 1), end(&text, 2)], bare);
            assert_eq!(end(&text[5..], 301), bare[1].map(|(at, escaped)| (at - 5, escaped)));
            // Another text is none of it.
            assert_eq!(end(&long("z"), 1), Some((302, false)));
        }
        assert_eq!(bare[0], Some((303, true)));
        // What is remembered is not looked for again.
        KNOWN.with_borrow_mut(|known| known.ends[0].1.end = 304);
        assert_eq!(end(&text, 1), Some((305, true)));
        // Where it cannot be so, it is.
        KNOWN.with_borrow_mut(|known| known.ends[0].1.end = 2);
        assert_eq!(end(&text, 1), bare[0]);
        drop(remembered);
        KNOWN.with_borrow(|known| assert!(known.ends.is_empty() && known.to == 0));
    }

    #[test]
    fn what_was_found_in_a_text_is_taken_over_for_it() {
        let text = format!("[\"{}\",\"{}\\u00e9\"]", "x".repeat(300), "y".repeat(400));
        let mut found = Vec::new();
        let remembered = remember(&text);
        assert!(!remembered.has_numbers());
        close(text.as_bytes(), 2).unwrap();
        assert!(!remembered.has_numbers());
        close(text.as_bytes(), 305).unwrap();
        assert!(remembered.has_numbers());
        remembered.long(301, |span| found.push(span));
        assert_eq!(found, [Span { at: 305, bytes: 406, has_escapes: true }]);
        drop(remembered);
        let again = remember(&text);
        assert!(!again.has_numbers());
        again.take_over(found.into_iter());
        let last = close(text.as_bytes(), 305).unwrap();
        assert_eq!((last.end, last.has_escapes, again.has_numbers()), (711, true, false));
    }
}
