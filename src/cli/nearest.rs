//! What is there, in place of an id that is not.

use std::borrow::Cow;

/// How many are proposed.
const NEAREST: usize = 3;

/// Whether a text is told in a hint.
pub(super) fn is_short(text: &str) -> bool {
    /// In bytes.
    const MOST: usize = 120;
    text.len() <= MOST && !text.contains('\n')
}

/// Names the nearest ids, if there are any.
pub(super) fn told(near: &[String]) -> Option<String> {
    match near {
        [] => None,
        [only] => Some(format!("the nearest is {}", as_word(only))),
        several => {
            let words: Vec<_> = several.iter().map(|one| as_word(one)).collect();
            Some(format!("the nearest are {}", words.join(", ")))
        }
    }
}

/// Returns what may be typed, with marks around more than one word.
fn as_word(text: &str) -> Cow<'_, str> {
    match text.contains(' ') {
        true => format!("`{text}`").into(),
        false => text.into(),
    }
}

/// Returns those of `ids` that are written most like `id`; none that is more unlike it than like it.
pub(super) fn nearest(id: &str, ids: impl Iterator<Item = String>) -> Vec<String> {
    let id = id.to_lowercase();
    let far = |other: &str| strsim::levenshtein(&id, &other.to_lowercase());
    let most = id.chars().count() / 2;
    let mut near: Vec<_> = ids.filter(|other| far(other) <= most).collect();
    near.sort_by_cached_key(|other| (far(other), other.clone()));
    near.dedup();
    near.truncate(NEAREST);
    near
}
