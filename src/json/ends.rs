//! Where the long strings of the line at hand end.
//!
//! What is taken raw first is gone through again by whoever looks into it, level by level. Only the
//! end of each long string is looked for but once.

use std::cell::RefCell;
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
}

/// While it is there, the ends of strings in a text are remembered; the text cannot change meanwhile. It stays
/// in its thread.
pub struct Remembered<'t>(PhantomData<(&'t str, *const ())>);

/// Begins to remember where the strings of `text` end, and forgets those of another.
pub fn remember(text: &str) -> Remembered<'_> {
    let range = text.as_bytes().as_ptr_range();
    begin(range.start.addr(), range.end.addr());
    Remembered(PhantomData)
}

impl Drop for Remembered<'_> {
    fn drop(&mut self) {
        begin(0, 0);
    }
}

fn begin(from: usize, to: usize) {
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
        // A piece of the text may end within the string.
        Ok(Quoted { end, .. }) if from + end >= bytes.len() => look(),
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
        KNOWN.with_borrow_mut(|known| known.ends[0].1.end = 2);
        assert_eq!(end(&text, 1), Some((3, true)));
        drop(remembered);
        KNOWN.with_borrow(|known| assert!(known.ends.is_empty() && known.to == 0));
    }
}
