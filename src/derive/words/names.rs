//! What a text is about: its names in code, paths and numbers.

use std::collections::BTreeSet;

use crate::derive::text;

/// Returns the words that name something: paths, names in code, options, what is marked as code.
pub(in super::super) fn keys(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (place, piece) in text.split('`').enumerate() {
        let is_code = place % 2 == 1 && !piece.contains('\n');
        for raw in piece.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ',' | '"')) {
            let word = raw.trim_matches(|c: char| !c.is_alphanumeric());
            if word.chars().count() > 2 && (is_code || is_name(word)) {
                found.insert(word.to_lowercase());
            }
        }
    }
    found
}

/// Tells whether a word is rather a name than a word of a language.
fn is_name(word: &str) -> bool {
    let inner = word.chars().any(|c| matches!(c, '_' | '.' | '/' | ':'));
    let digit = word.chars().any(|c| c.is_ascii_digit()) && word.chars().any(char::is_alphabetic);
    let pairs = || word.chars().zip(word.chars().skip(1));
    let hump = pairs().any(|(a, b)| a.is_lowercase() && b.is_uppercase());
    let shout = word.len() > 2 && word.chars().all(|c| c.is_ascii_uppercase());
    inner || digit || hump || shout
}

/// How many names two texts share.
pub(super) fn shared(one: &str, other: &str) -> usize {
    keys(one).intersection(&keys(other)).count()
}

/// How alike two texts are by their longer words, from 0 to 1.
pub(super) fn likeness(one: &str, other: &str) -> f64 {
    let words = |text: &str| -> BTreeSet<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
        words.filter(|word| word.chars().count() > 3).collect()
    };
    let (one, other) = (words(one), words(other));
    text::share(one.intersection(&other).count(), one.union(&other).count())
}

/// Tells whether two texts speak of the same thing.
pub(in super::super) fn same(one: &str, other: &str) -> bool {
    shared(one, other) >= 2 || likeness(one, other) >= ALIKE
}

/// How alike two short texts are that speak of the same thing.
const ALIKE: f64 = 0.3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_words_are_not() {
        let found = keys("Use `serde json` in src/main.rs, not TheThing or v1.2 of it.");
        let wanted = ["json", "serde", "src/main.rs", "thething", "v1.2"];
        assert_eq!(found.into_iter().collect::<Vec<_>>(), wanted);
    }
}
