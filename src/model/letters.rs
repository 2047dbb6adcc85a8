//! Letters, however they are written.

use unicode_normalization::UnicodeNormalization as _;

/// Writes a text in small letters without accents, in one way however its letters are put together.
pub fn low(text: &str) -> String {
    let low = text.to_lowercase();
    match low.is_ascii() {
        true => low,
        // Only these: marks of other scripts make another letter.
        false => low.nfd().filter(|c| !('\u{300}'..='\u{36f}').contains(c)).nfc().collect(),
    }
}
